//! The projection against its own rebuild, and against the past: random sequences of writes over relations of every sort.
#![cfg(test)]

use erstwhile::graph::{Applied, Counts, Held, Projection, ReadError, View};
use erstwhile::ledger::{RecordRow, Retractable, Unions};
use erstwhile::model::{Authority, ClaimId, ObservationId, Polarity, Term, TermRef};
use erstwhile::policy::Policies;
use erstwhile::time::{AsOf, End, Instant, KnownAt, Moment, Span, Start};
use proptest::prelude::*;
use std::sync::Arc;

const PACK: &str = "
relation.employer = { cardinality = 'one' }
relation.ceo_of = { inverse_cardinality = 'one' }
relation.married_to = { cardinality = 'one', symmetric = true }
relation.knows = { symmetric = true }
relation.likes = { excludes = ['dislikes'] }
relation.dislikes = { excludes = ['likes'] }
relation.loves = { cardinality = 'one', excludes = ['hates'] }
relation.hates = { excludes = ['loves'] }
relation.reports_to = { cardinality = 'one' }
relation.manages = { inverse_of = 'reports_to' }
relation.visited = { kind = 'event' }
relation.born_in = { cardinality = 'one', kind = 'permanent' }
relation.allergy = { authority = 'strict', cardinality = 'one' }
relation.title = { cardinality = 'one', on_conflict = 'newest' }
relation.uses = {}
";
const RELATIONS: [&str; 16] = [
    "employer",
    "ceo_of",
    "married_to",
    "knows",
    "likes",
    "dislikes",
    "loves",
    "hates",
    "reports_to",
    "manages",
    "visited",
    "born_in",
    "allergy",
    "title",
    "uses",
    "heard of",
];
const NAMES: [&str; 5] = ["Ada", "Bo", "Cy", "ADA", "Di"];

/// A claim of a test, by indexes.
#[derive(Clone, Debug)]
struct Said {
    head: usize,
    relation: usize,
    tail: usize,
    literal: bool,
    polarity: Polarity,
    span: Span,
    seen: Option<i64>,
    context: bool,
    corrects_tail: Option<usize>,
    corrects_claim: Option<prop::sample::Index>,
}

#[derive(Clone, Debug)]
enum Step {
    Remember {
        observed_at: i64,
        authority: Authority,
        said: Vec<Said>,
    },
    Believe {
        which: prop::sample::Index,
        whole: bool,
        believed: bool,
    },
    Erase {
        which: prop::sample::Index,
    },
    Policy {
        which: usize,
    },
    /// Two names are merged, or no longer.
    Merge {
        from: usize,
        into: usize,
        merged: bool,
    },
    /// An observation gets further claims.
    Late {
        which: prop::sample::Index,
        said: Vec<Said>,
    },
    /// The next steps begin another transaction; and whether what was staged is published.
    Next {
        publish: bool,
    },
}

fn instant() -> impl Strategy<Value = i64> {
    0_i64..12
}

fn moment() -> impl Strategy<Value = Moment> {
    (instant(), 0_i64..4).prop_map(|(lo, width)| Moment::granule(Instant::from_micros(lo), Instant::from_micros(lo + width)).unwrap())
}

fn span() -> impl Strategy<Value = (Polarity, Span)> {
    let start = prop_oneof![
        6 => moment().prop_map(Start::At),
        2 => instant().prop_map(|at| Start::By(Instant::from_micros(at))),
        1 => Just(Start::Unknown),
        1 => Just(Start::Always),
    ];
    let end = prop_oneof![
        5 => Just(End::Open),
        3 => moment().prop_map(End::At),
        1 => instant().prop_map(|at| End::By(Instant::from_micros(at))),
    ];
    let polarity = prop_oneof![7 => Just(Polarity::Holds), 2 => Just(Polarity::Ends), 1 => Just(Polarity::Never)];
    (polarity, start, end).prop_filter_map("consistent", |(polarity, start, end)| {
        let start = if polarity == Polarity::Ends { Start::Unknown } else { start };
        Span::new(start, end).ok().map(|span| (polarity, span))
    })
}

fn said() -> impl Strategy<Value = Said> {
    let places = (0..NAMES.len(), 0..RELATIONS.len(), 0..NAMES.len(), prop::bool::weighted(0.1), prop::bool::weighted(0.1));
    let corrects = (prop::option::weighted(0.1, 0..NAMES.len()), prop::option::weighted(0.1, any::<prop::sample::Index>()));
    (places, span(), prop::option::weighted(0.3, instant()), corrects).prop_map(
        |((head, relation, tail, literal, context), (polarity, span), seen, (corrects_tail, corrects_claim))| Said {
            head,
            relation,
            tail,
            literal,
            polarity,
            span,
            seen,
            context,
            corrects_tail,
            corrects_claim,
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    let authority = prop_oneof![3 => Just(Authority::User), 1 => Just(Authority::Tool), 1 => Just(Authority::Document)];
    prop_oneof![
        10 => (instant(), authority, prop::collection::vec(said(), 1..4))
            .prop_map(|(observed_at, authority, said)| Step::Remember { observed_at, authority, said }),
        2 => (any::<prop::sample::Index>(), any::<bool>(), any::<bool>())
            .prop_map(|(which, whole, believed)| Step::Believe { which, whole, believed }),
        1 => any::<prop::sample::Index>().prop_map(|which| Step::Erase { which }),
        1 => (0_usize..4).prop_map(|which| Step::Policy { which }),
        3 => (0..NAMES.len(), 0..NAMES.len(), prop::bool::weighted(0.6)).prop_map(|(from, into, merged)| Step::Merge { from, into, merged }),
        1 => (any::<prop::sample::Index>(), prop::collection::vec(said(), 1..3)).prop_map(|(which, said)| Step::Late { which, said }),
        5 => prop::bool::weighted(0.7).prop_map(|publish| Step::Next { publish }),
    ]
}

fn policies(which: usize) -> Arc<Policies> {
    let mut policies = Policies::with_pack(PACK).unwrap();
    match which {
        1 => policies.set("employer", Some("cardinality = 'many'")).unwrap(),
        2 => policies.set("knows", Some("cardinality = 'one'")).unwrap(),
        3 => policies.set("*", Some("cardinality = 'one'")).unwrap(),
        _ => {}
    }
    Arc::new(policies)
}

/// An owned row.
#[derive(Clone, Debug)]
enum Row {
    Observation { tx: i64, id: ObservationId, observed_at: i64, authority: Authority },
    Claim { tx: i64, id: ClaimId, said: Said, corrects: Option<ClaimId> },
    Belief { tx: i64, target: Retractable, believed: bool },
    Merge { tx: i64, from: usize, into: usize, merged: bool },
}

impl Row {
    fn tx(&self) -> i64 {
        match self {
            Self::Observation { tx, .. } | Self::Claim { tx, .. } | Self::Belief { tx, .. } | Self::Merge { tx, .. } => *tx,
        }
    }

    fn names(&self, gone: ObservationId) -> bool {
        match self {
            Self::Observation { id, .. } | Self::Belief { target: Retractable::Observation(id), .. } => *id == gone,
            Self::Claim { id, .. } | Self::Belief { target: Retractable::Claim(id), .. } => id.observation == gone,
            Self::Merge { .. } => false,
        }
    }

    fn stage(&self, seq: u64, projection: &mut Projection) {
        let tx = Instant::from_micros(self.tx());
        match self {
            Self::Observation { id, observed_at, authority, .. } => projection.stage(RecordRow::Observation {
                seq,
                tx,
                id: *id,
                observed_at: Instant::from_micros(*observed_at),
                authority: *authority,
            }),
            Self::Claim { id, said, corrects, .. } => {
                let tail = if said.literal {
                    TermRef::Literal { lexical: NAMES[said.tail], datatype: None, language: None }
                } else {
                    TermRef::Name(NAMES[said.tail])
                };
                projection.stage(RecordRow::Claim {
                    seq,
                    tx,
                    id: *id,
                    head: TermRef::Name(NAMES[said.head]),
                    relation: RELATIONS[said.relation],
                    tail,
                    polarity: said.polarity,
                    span: said.span,
                    seen_at: said.seen.map(Instant::from_micros),
                    confidence: 0.5,
                    importance: 0.5,
                    context: said.context.then_some("http://example.org/graph"),
                    corrects_claim: *corrects,
                    corrects_tail: said.corrects_tail.filter(|_| corrects.is_none()).map(|tail| TermRef::Name(NAMES[tail])),
                });
            }
            Self::Belief { target, believed, .. } => projection.stage(RecordRow::Belief { seq, tx, target: *target, believed: *believed }),
            Self::Merge { from, into, merged, .. } => {
                let (from, into) = (TermRef::Name(NAMES[*from]), TermRef::Name(NAMES[*into]));
                projection.stage(RecordRow::Merge { seq, tx, from, into, merged: *merged });
            }
        }
    }
}

/// Plays the steps on one projection; returns it with the rows that the ledger then holds, and the policies in force.
fn play(steps: &[Step]) -> (Projection, Vec<Row>, usize) {
    // Engines from three claims on, so that every slot of a test may have one; the rebuild has none.
    let mut projection = Projection::new(policies(0)).with_engines_above(2);
    let (mut rows, mut policy, mut tx, mut seq) = (Vec::new(), 0, 1000, 0);
    let mut ids: Vec<ClaimId> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Remember { observed_at, authority, said } => {
                // An id that is not in the order of arrival, as one from content is not.
                let number = u128::try_from(at).unwrap().wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
                let id = ObservationId::from_bytes(number.to_be_bytes());
                let mut new = vec![Row::Observation { tx, id, observed_at: *observed_at, authority: *authority }];
                for (ordinal, said) in (0..).zip(said) {
                    let corrects = said.corrects_claim.filter(|_| !ids.is_empty()).map(|which| *which.get(&ids));
                    let id = ClaimId { observation: id, ordinal };
                    new.push(Row::Claim { tx, id, said: said.clone(), corrects });
                }
                ids.extend((0..said.len()).map(|ordinal| ClaimId { observation: id, ordinal: u32::try_from(ordinal).unwrap() }));
                for row in new {
                    seq += 1;
                    row.stage(seq, &mut projection);
                    rows.push(row);
                }
            }
            Step::Believe { which, whole, believed } if !ids.is_empty() => {
                let id = *which.get(&ids);
                let target = if *whole { Retractable::Observation(id.observation) } else { Retractable::Claim(id) };
                let row = Row::Belief { tx, target, believed: *believed };
                seq += 1;
                row.stage(seq, &mut projection);
                rows.push(row);
            }
            Step::Erase { which } if !ids.is_empty() => {
                let gone = which.get(&ids).observation;
                projection.publish();
                tx += 10;
                projection.forget(&[gone]);
                rows.retain(|row: &Row| !row.names(gone));
                ids.retain(|id| id.observation != gone);
            }
            Step::Merge { from, into, merged } => {
                // One that does not fit is passed over, by the projection as by its rebuild.
                let row = Row::Merge { tx, from: *from, into: *into, merged: *merged };
                seq += 1;
                row.stage(seq, &mut projection);
                rows.push(row);
            }
            Step::Late { which, said } if !ids.is_empty() => {
                let observation = which.get(&ids).observation;
                let next = ids.iter().filter(|id| id.observation == observation).count();
                for (ordinal, said) in (u32::try_from(next).unwrap()..).zip(said) {
                    let corrects = said.corrects_claim.map(|which| *which.get(&ids));
                    let id = ClaimId { observation, ordinal };
                    let row = Row::Claim { tx, id, said: said.clone(), corrects };
                    seq += 1;
                    row.stage(seq, &mut projection);
                    rows.push(row);
                    ids.push(id);
                }
            }
            Step::Policy { which } => {
                policy = *which;
                projection.set_policies(policies(policy));
                tx += 10;
            }
            Step::Next { publish } => {
                tx += 10;
                if *publish {
                    projection.publish();
                }
            }
            Step::Believe { .. } | Step::Erase { .. } | Step::Late { .. } => {}
        }
    }
    projection.publish();
    (projection, rows, policy)
}

fn rebuilt(rows: &[Row], policy: usize) -> Projection {
    let mut projection = Projection::new(policies(policy));
    for (seq, row) in (1..).zip(rows) {
        row.stage(seq, &mut projection);
    }
    projection.publish();
    projection
}

fn as_of(valid: (i64, i64), known_at: KnownAt) -> AsOf {
    AsOf { valid_at: Moment::granule(Instant::from_micros(valid.0), Instant::from_micros(valid.1)).unwrap(), known_at }
}

/// All that a view says of an entity, without the end of belief, which only a later view knows, and since when it is believed.
fn told(view: &View, name: &str) -> (Vec<Held>, u64) {
    match view.about(&Term::Name(name.to_owned())) {
        Ok(about) => {
            let mut answer = about.answer;
            for held in &mut answer.facts {
                held.fact.tx_to = None;
            }
            (answer.facts, answer.suppressed)
        }
        Err(ReadError::UnknownEntity(_)) => (Vec::new(), 0),
        Err(other) => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn incremental_equals_rebuilt(steps in prop::collection::vec(step(), 1..25)) {
        let (projection, rows, policy) = play(&steps);
        prop_assert_eq!(projection.dump(), rebuilt(&rows, policy).dump());
        prop_assert_eq!(projection.snapshot().counts().facts, rebuilt(&rows, policy).snapshot().counts().facts);
    }

    #[test]
    fn a_view_at_known_at_is_what_was_known_then(steps in prop::collection::vec(step(), 1..25), valid in (0_i64..14, 0_i64..3)) {
        let (projection, rows, policy) = play(&steps);
        let valid = (valid.0, valid.0 + valid.1);
        let mut txs: Vec<i64> = rows.iter().map(Row::tx).collect();
        txs.dedup();
        for known in txs {
            let then: Vec<Row> = rows.iter().filter(|row| row.tx() <= known).cloned().collect();
            let then = rebuilt(&then, policy).snapshot();
            for context in [None, Some("http://example.org/graph")] {
                let latest = then.at(as_of(valid, KnownAt::Latest)).in_context(context);
                let view = projection.snapshot().at(as_of(valid, KnownAt::At(Instant::from_micros(known)))).in_context(context);
                for name in ["ada", "bo", "cy", "di"] {
                    // Which surface is displayed is not dated: labels are compared by their identity.
                    let (mut now, mut was) = (told(&view, name), told(&latest, name));
                    for held in now.0.iter_mut().chain(&mut was.0) {
                        for term in [&mut held.fact.head, &mut held.fact.tail] {
                            if let Term::Name(name) = term {
                                *name = name.to_lowercase();
                            }
                        }
                    }
                    let order = |held: &Held| (held.fact.relation.clone(), held.fact.id);
                    now.0.sort_by_key(order);
                    was.0.sort_by_key(order);
                    prop_assert_eq!(now, was, "{} at {}", name, known);
                }
            }
        }
    }

    #[test]
    fn neither_order_nor_batches_show_in_the_latest_facts(
        mut steps in prop::collection::vec(step(), 1..15),
        order in any::<u64>(),
    ) {
        // Retractions and the like are told in an order; what was remembered before them has none. So are merges, among each other.
        steps.retain(|step| matches!(step, Step::Remember { .. } | Step::Merge { .. } | Step::Next { .. }));
        let (projection, mut rows, policy) = play(&steps);
        let mut groups: Vec<Vec<Row>> = Vec::new();
        let (merges, told): (Vec<Row>, Vec<Row>) = rows.drain(..).partition(|row| matches!(row, Row::Merge { .. }));
        for row in told {
            match (&row, groups.last_mut()) {
                (Row::Observation { .. }, _) | (_, None) => groups.push(vec![row]),
                (_, Some(group)) => group.push(row),
            }
        }
        let mut seed = order | 1;
        for at in (1..groups.len()).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            groups.swap(at, usize::try_from(seed >> 33).unwrap() % (at + 1));
        }
        let mut places: Vec<usize> = merges
            .iter()
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                usize::try_from(seed >> 33).unwrap() % (groups.len() + 1)
            })
            .collect();
        places.sort_unstable();
        for (merge, place) in merges.into_iter().zip(places).rev() {
            groups.insert(place, vec![merge]);
        }
        let mut shuffled = Projection::new(policies(policy));
        for (seq, row) in (1_u64..).zip(groups.iter().flatten()) {
            let mut row = row.clone();
            let (Row::Observation { tx, .. } | Row::Claim { tx, .. } | Row::Belief { tx, .. } | Row::Merge { tx, .. }) = &mut row;
            *tx = 1000 + i64::try_from(seq / 3).unwrap();
            row.stage(seq, &mut shuffled);
            if seq % 4 == order % 4 {
                shuffled.publish();
            }
        }
        shuffled.publish();
        prop_assert_eq!(latest(&projection), latest(&shuffled));
    }

    #[test]
    fn merged_names_are_as_good_as_one(mut steps in prop::collection::vec(step(), 1..25)) {
        // A restoration outweighs a correction that a later merge would bring about; nobody restores here.
        steps.retain(|step| !matches!(step, Step::Believe { .. }));
        let (projection, rows, policy) = play(&steps);
        let unions = unions_of(&rows);
        let one = |name: &mut usize| *name = *unions.canonical(&spelt(*name));
        let mut renamed = rows.clone();
        renamed.retain(|row| !matches!(row, Row::Merge { .. }));
        for row in &mut renamed {
            if let Row::Claim { said, .. } = row {
                one(&mut said.head);
                if !said.literal {
                    one(&mut said.tail);
                }
                said.corrects_tail.iter_mut().for_each(one);
            }
        }
        let folded = |projection: &Projection| {
            let mut lines: Vec<String> = latest(projection).into_iter().map(|line| line.replace("ADA", "Ada")).collect();
            lines.sort_unstable();
            lines
        };
        prop_assert_eq!(folded(&projection), folded(&rebuilt(&renamed, policy)));
    }

    #[test]
    fn what_is_undone_never_was(
        steps in prop::collection::vec(step(), 1..20),
        pairs in prop::collection::vec((0..NAMES.len(), 0..NAMES.len()), 1..5),
        late in prop::collection::vec(said(), 0..4),
    ) {
        let (mut projection, mut rows, policy) = play(&steps);
        let mut unions = unions_of(&rows);
        let (mut tx, mut seq) = (1_000_000, 1_000_000);
        let mut tell = |projection: &mut Projection, row: Row| {
            (tx, seq) = (tx + 10, seq + 1);
            let mut row = row;
            let (Row::Observation { tx: at, .. } | Row::Claim { tx: at, .. } | Row::Belief { tx: at, .. } | Row::Merge { tx: at, .. }) = &mut row;
            *at = tx;
            row.stage(seq, projection);
            projection.publish();
            row
        };
        let before = (latest(&projection), projection.snapshot().counts());
        let mut made = Vec::new();
        for (from, into) in pairs {
            if unions.merge(spelt(from), spelt(into)).is_ok() {
                made.push((from, into));
                tell(&mut projection, Row::Merge { tx: 0, from, into, merged: true });
            }
        }
        // What is said meanwhile, under whichever name, is told of that name afterwards.
        let id = ObservationId::from_bytes([0xff; 16]);
        for (ordinal, said) in (0..).zip(&late) {
            if ordinal == 0 {
                rows.push(tell(&mut projection, Row::Observation { tx: 0, id, observed_at: 5, authority: Authority::User }));
            }
            let said = Said { corrects_claim: None, ..said.clone() };
            rows.push(tell(&mut projection, Row::Claim { tx: 0, id: ClaimId { observation: id, ordinal }, said, corrects: None }));
        }
        for (from, into) in made.into_iter().rev() {
            tell(&mut projection, Row::Merge { tx: 0, from, into, merged: false });
        }
        let never = rebuilt(&rows, policy);
        if late.is_empty() {
            let bytes = |counts: Counts| Counts { bytes: 0, string_bytes: 0, entities: 0, ..counts };
            prop_assert_eq!(latest(&projection), before.0);
            prop_assert_eq!(bytes(projection.snapshot().counts()), bytes(before.1));
        }
        prop_assert_eq!(latest(&projection), latest(&never));
    }
}

/// The first spelling of a name.
fn spelt(name: usize) -> usize {
    NAMES.iter().position(|other| other.eq_ignore_ascii_case(NAMES[name])).unwrap()
}

/// The merges that stand.
fn unions_of(rows: &[Row]) -> Unions<usize> {
    let mut unions = Unions::default();
    for row in rows {
        if let Row::Merge { from, into, merged, .. } = row {
            let (from, into) = (spelt(*from), spelt(*into));
            // Whether it fits is not the matter here.
            drop(if *merged { unions.merge(from, into) } else { unions.unmerge(&from, &into) });
        }
    }
    unions
}

/// The facts believed now, without since when.
fn latest(projection: &Projection) -> Vec<String> {
    let lines = projection.dump().into_iter().filter(|line| line.ends_with("to None"));
    let mut lines: Vec<String> = lines.filter_map(|line| line.rsplit_once(" | ").map(|(fact, _)| fact.to_owned())).collect();
    lines.sort_unstable();
    lines
}

/// Claims of many heads by three transactions, the last of which takes some of them back.
fn many_rows() -> Vec<RecordRow<'static>> {
    let names: &'static [String] = Box::leak((0..5_202).map(|number| format!("entity {number}")).collect());
    let name = |number: u32| TermRef::Name(&names[number as usize]);
    let id =
        |number: u32| ObservationId::from_bytes(u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes());
    let mut rows = Vec::new();
    for number in 0..12_000_u32 {
        let tx = Instant::from_micros(if number < 5_000 { 1_000 } else { 2_000 });
        let observation = id(number);
        let next = |rows: &Vec<RecordRow<'_>>| rows.len() as u64 + 1;
        let observed_at = Instant::from_micros(i64::from(number));
        rows.push(RecordRow::Observation { seq: next(&rows), tx, id: observation, observed_at, authority: Authority::User });
        let start = Start::At(Moment::exact(Instant::from_micros(i64::from(number % 7 * 100 + number / 5_000))));
        rows.push(RecordRow::Claim {
            seq: next(&rows),
            tx,
            id: ClaimId { observation, ordinal: 0 },
            head: name(number * 3 % 1_201),
            relation: ["employer", "ceo_of", "uses", "married_to", "title"][number as usize % 5],
            tail: name(1_201 + number * 7 % if number % 5 == 1 { 401 } else { 4_001 }),
            polarity: Polarity::Holds,
            span: Span::new(start, End::Open).unwrap(),
            seen_at: (number % 3 == 0).then_some(observed_at),
            confidence: 0.5,
            importance: 0.5,
            context: None,
            corrects_claim: None,
            corrects_tail: None,
        });
    }
    for (rest, tx) in [(0, 2_000), (1, 3_000)] {
        for number in (0..12_000).step_by(97).filter(|number| number % 2 == rest) {
            let target = Retractable::Observation(id(number));
            rows.push(RecordRow::Belief { seq: rows.len() as u64 + 1, tx: Instant::from_micros(tx), target, believed: false });
        }
    }
    rows
}

/// As opening a ledger does, and as writing it did; enough of it for several threads.
#[test]
fn many_transactions_at_once_are_what_they_are_one_by_one() {
    let (mut at_once, mut one_by_one) = (Projection::new(policies(0)), Projection::new(policies(0)));
    let mut written = Applied::default();
    let mut last = None;
    for row in many_rows() {
        if let RecordRow::Observation { tx, .. } | RecordRow::Belief { tx, .. } = row
            && last.replace(tx).is_some_and(|last| last < tx)
        {
            written = written.plus(one_by_one.publish());
        }
        at_once.stage(row);
        one_by_one.stage(row);
    }
    let opened = at_once.publish();
    written = written.plus(one_by_one.publish());
    assert_eq!(at_once.dump(), one_by_one.dump());
    let counts = |projection: &Projection| Counts { bytes: 0, ..projection.snapshot().counts() };
    assert_eq!(counts(&at_once), counts(&one_by_one));
    assert_eq!(opened, written, "what the transactions changed is counted the same");
    assert!(written.closed > 1_000 && written.withdrawn > 50, "the transactions change what earlier ones said: {written:?}");
}
