//! Reading from cold: of a ledger only what one question touches, as a small projection that answers like the whole one.
//!
//! Owns which slots a question reaches: those of the claims asked for, then those of the claims found in these. A claim elsewhere that
//! names the same head or tail is not read; how a name is displayed is the ledger's to say. Knows nothing of how a slot is derived.

use super::Error;
use super::engine::overrides;
use crate::graph::{Projection, Snapshot};
use crate::ledger::{ClaimEnd, Ledger, RecordRow, Seq, SliceKey};
use crate::model::{Cardinality, RelationKind, RelationPolicy, Term};
use crate::policy::Policies;
use crate::resolve;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many times the slots of the claims found so far are followed. A fact asked for is derived whole at the first, the facts it is
/// contested with at the second, and the names of those that these are contested with at the third; no answer shows more.
const LEVELS: usize = 3;

/// Above so many claims or terms, loading the whole tenant is the cheaper way.
const MOST: usize = 20_000;

/// How often to begin anew because somebody wrote in between.
const ATTEMPTS: usize = 3;

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) entity: Term,
    /// As stated; `None` for all.
    pub(super) relation: Option<String>,
    /// Where the entity stands in the facts asked for, as the relation was stated; `None` for either end.
    pub(super) end: Option<ClaimEnd>,
}

/// A small projection that answers `values` (where the entity may be the head), `holders` (where it may be the tail), `timeline`, `about`
/// (where no relation is given) and `explain` exactly as the whole one would, with the place in the ledger it has read to; `None` where
/// loading the whole would be cheaper.
///
/// # Errors
/// What the ledger says; [`Error::Pack`] if an override cannot be read.
///
/// # Complexity
/// Linear in the claims of the slots that the question touches, however many claims name their terms elsewhere.
pub(super) fn slice(ledger: &mut dyn Ledger, asked: &Asked) -> Result<Option<(Snapshot, Seq)>, Error> {
    for _attempt in 0..ATTEMPTS {
        let before = ledger.position()?.seq;
        let policies = Arc::new(overrides(ledger)?);
        let names = Names::of(ledger)?;
        let Some(Reached { keys, shown }) = Reach::of(&policies, &names).follow(ledger, asked)? else { return Ok(None) };
        let mut projection = Projection::new(Arc::clone(&policies));
        let meant = asked.relation.as_deref().map(|stated| policies.canonical(stated));
        let mut is_stated = false;
        ledger.slice(&keys, &mut |row| {
            if let (RecordRow::Claim { relation, .. }, Some(meant)) = (&row, &meant) {
                is_stated = is_stated || policies.canonical(relation).relation == meant.relation;
            }
            projection.stage(row);
        })?;
        // An undeclared relation that no claim of the slice has may be in use elsewhere: then it is known, and has nothing here.
        if let Some(meant) = meant
            && !meant.known
            && !is_stated
            && ledger.states_relation(&mut |other| policies.canonical(other).relation == meant.relation)?
        {
            projection.know_relation(&meant.relation);
        }
        // Claims elsewhere decide, too, how a name is displayed, and whether the entity asked for is known.
        for term in ledger.displayed(&shown)?.into_iter().flatten() {
            projection.show(term.as_ref());
        }
        if ledger.position()?.seq == before {
            projection.publish();
            return Ok(Some((projection.snapshot(), before)));
        }
    }
    Ok(None)
}

/// A claim as far as it decides where it competes: with head and tail of the canonical relation.
struct Standing {
    head: Term,
    relation: String,
    tail: Term,
}

/// What a question comes to.
struct Reached {
    keys: Vec<SliceKey>,
    /// The terms that an answer may show, and the entity asked for.
    shown: Vec<Term>,
}

/// The claims with an entity at an end of a canonical relation (empty: of any), and with another at the other end, where it is given.
type Key = (String, ClaimEnd, String, Option<String>);

/// The names that an entity has, or had, by merges: those that any two steps of belief may tell apart.
#[derive(Default)]
struct Names {
    /// Of each name that was ever merged, by identity, which group it is in.
    groups: FxHashMap<String, usize>,
    members: Vec<Vec<Term>>,
}

impl Names {
    fn of(ledger: &mut dyn Ledger) -> Result<Self, Error> {
        let mut names = Self::default();
        if !ledger.has_merges()? {
            return Ok(names);
        }
        for merge in ledger.merges()? {
            let (one, other) = (names.group_of(&merge.from), names.group_of(&merge.into));
            if one != other {
                let moved = names.members.get_mut(one).map(std::mem::take).unwrap_or_default();
                for term in &moved {
                    names.groups.insert(identity_of(term), other);
                }
                if let Some(members) = names.members.get_mut(other) {
                    members.extend(moved);
                }
            }
        }
        Ok(names)
    }

    fn group_of(&mut self, term: &Term) -> usize {
        let members = &mut self.members;
        *self.groups.entry(identity_of(term)).or_insert_with(|| {
            members.push(vec![term.clone()]);
            members.len() - 1
        })
    }

    /// All names of an entity; itself alone where it was never merged.
    fn of_term(&self, term: &Term) -> Cow<'_, [Term]> {
        let group = if self.groups.is_empty() { None } else { self.groups.get(&identity_of(term)) };
        match group.and_then(|group| self.members.get(*group)) {
            Some(members) => Cow::Borrowed(members),
            None => Cow::Owned(vec![term.clone()]),
        }
    }
}

/// What has been reached.
struct Reach<'p> {
    policies: &'p Policies,
    names: &'p Names,
    /// How a canonical relation may have been stated: as it is, and turned round.
    stated: FxHashMap<Cow<'p, str>, (Vec<String>, Vec<String>)>,
    keys: Vec<SliceKey>,
    /// Which keys there are, by identity.
    asked: FxHashSet<Key>,
    /// The claims whose slots are followed, by identity of head and tail.
    followed: FxHashSet<(String, String, String)>,
}

fn identity_of(term: &Term) -> String {
    let mut identity = String::new();
    resolve::identity(term.as_ref(), &mut identity);
    identity
}

impl<'p> Reach<'p> {
    fn of(policies: &'p Policies, names: &'p Names) -> Self {
        let mut reach = Self {
            policies,
            names,
            stated: FxHashMap::default(),
            keys: Vec::new(),
            asked: FxHashSet::default(),
            followed: FxHashSet::default(),
        };
        for (name, policy) in policies.iter() {
            for wording in std::iter::once(name).chain(policy.aliases.iter().flat_map(|(_, wordings)| wordings).map(String::as_str)) {
                let meant = policies.canonical(wording);
                let (direct, turned) = reach.stated.entry(meant.relation).or_default();
                if meant.inverted { turned } else { direct }.push(wording.to_owned());
            }
        }
        reach
    }

    /// The keys of all that the question reaches; `None` if that is too much.
    fn follow(mut self, ledger: &mut dyn Ledger, asked: &Asked) -> Result<Option<Reached>, Error> {
        self.begin(asked);
        let mut shown: BTreeSet<Term> = BTreeSet::from([asked.entity.clone()]);
        let mut from = 0;
        for level in 0..LEVELS {
            let new = self.keys.get(from..).unwrap_or_default().to_vec();
            from = self.keys.len();
            let mut standings = Vec::new();
            ledger.slice(&new, &mut |row| standings.extend(self.standing(&row)))?;
            if standings.len() > MOST {
                return Ok(None);
            }
            for standing in &standings {
                self.compete(standing);
            }
            if self.keys.len() > MOST {
                return Ok(None);
            }
            // The names of facts asked for, and of those they are contested with, are shown.
            if level < 2 {
                let terms = standings.into_iter().flat_map(|standing| [standing.head, standing.tail]);
                shown.extend(terms.filter(|term| matches!(term, Term::Name(_))));
            }
            if self.keys.len() == from {
                break;
            }
        }
        // Of each spelling of a name the same would come.
        let mut known = FxHashSet::default();
        let names = self.names;
        let shown = shown.iter().flat_map(|term| names.of_term(term).into_owned()).filter(|term| known.insert(identity_of(term))).collect();
        Ok(Some(Reached { keys: self.keys, shown }))
    }

    /// Asks for what the question itself names.
    fn begin(&mut self, asked: &Asked) {
        let Some(stated) = &asked.relation else {
            self.ask(&asked.entity, ClaimEnd::Head, None, None);
            self.ask(&asked.entity, ClaimEnd::Tail, None, None);
            return;
        };
        let meant = self.policies.canonical(stated);
        let end = asked.end.filter(|_| !meant.policy.symmetric).map(|end| if meant.inverted { end.other() } else { end });
        for side in [ClaimEnd::Head, ClaimEnd::Tail] {
            if end.is_none_or(|end| end == side) {
                self.ask(&asked.entity, side, Some(&meant.relation), None);
            }
        }
    }

    fn standing(&self, row: &RecordRow<'_>) -> Option<Standing> {
        let RecordRow::Claim { head, relation, tail, .. } = *row else { return None };
        let meant = self.policies.canonical(relation);
        let (head, tail) = if meant.inverted { (tail, head) } else { (head, tail) };
        Some(Standing { head: head.to_owned(), relation: meant.relation.as_ref().to_owned(), tail: tail.to_owned() })
    }

    /// Asks for every claim that stands in a slot with this one.
    fn compete(&mut self, claim: &Standing) {
        let Standing { head, relation, tail } = claim;
        if !self.followed.insert((identity_of(head), relation.clone(), identity_of(tail))) {
            return;
        }
        let policies = self.policies;
        let policy: &RelationPolicy = policies.canonical(relation).policy;
        // An event competes with nothing.
        let competes = policy.kind != RelationKind::Event;
        let by_head = competes && policy.cardinality == Cardinality::One;
        let by_tail = competes && policy.inverse_cardinality == Cardinality::One;
        if policy.symmetric && (by_head || by_tail) {
            for party in [head, tail] {
                self.ask(party, ClaimEnd::Head, Some(relation), None);
                self.ask(party, ClaimEnd::Tail, Some(relation), None);
            }
        } else {
            if by_head {
                self.ask(head, ClaimEnd::Head, Some(relation), None);
            }
            if by_tail {
                self.ask(tail, ClaimEnd::Tail, Some(relation), None);
            }
        }
        self.ask_pair(head, relation, tail, policy.symmetric);
        if competes {
            for excluded in &policy.excludes {
                self.ask_pair(head, excluded, tail, policy.symmetric || policies.canonical(excluded).policy.symmetric);
            }
        }
    }

    /// Asks for the claims of a head, a canonical relation and a tail; both ways if the two may change places.
    fn ask_pair(&mut self, head: &Term, relation: &str, tail: &Term, symmetric: bool) {
        self.ask(head, ClaimEnd::Head, Some(relation), Some(tail));
        if symmetric {
            self.ask(tail, ClaimEnd::Head, Some(relation), Some(head));
        }
    }

    /// Asks for the claims with this entity at this end of the canonical relation, and with another at the other end where one is given,
    /// however they state it.
    fn ask(&mut self, entity: &Term, end: ClaimEnd, relation: Option<&str>, other: Option<&Term>) {
        let names = self.names;
        for entity in &*names.of_term(entity) {
            match other {
                None => self.ask_by_name(entity, end, relation, None),
                Some(other) => names.of_term(other).iter().for_each(|other| self.ask_by_name(entity, end, relation, Some(other))),
            }
        }
    }

    /// The same, by one name of either entity.
    fn ask_by_name(&mut self, entity: &Term, end: ClaimEnd, relation: Option<&str>, other: Option<&Term>) {
        let (own, far) = (identity_of(entity), other.map(identity_of));
        let covers = |identity: &str, end, relation: &str| (identity.to_owned(), end, relation.to_owned(), None);
        let named = relation.unwrap_or_default();
        let mut covering = vec![covers(&own, end, ""), covers(&own, end, named)];
        if let Some(far) = &far {
            covering.extend([covers(far, end.other(), ""), covers(far, end.other(), named)]);
        }
        if covering.iter().any(|key| self.asked.contains(key)) || !self.asked.insert((own, end, named.to_owned(), far)) {
            return;
        }
        let key = |end, relations| SliceKey { entity: entity.clone(), end, relations, other: other.cloned() };
        let Some(relation) = relation else {
            self.keys.push(key(end, Vec::new()));
            return;
        };
        let (direct, turned) = match self.stated.get(relation) {
            Some((direct, turned)) => (direct.clone(), turned.clone()),
            None => (vec![relation.to_owned()], Vec::new()),
        };
        self.keys.push(key(end, direct));
        if !turned.is_empty() {
            self.keys.push(key(end.other(), turned));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{ReadError, View};
    use crate::ledger::Retractable;
    use crate::memory::{ManualClock, Memory, MemoryOptions, Tenant, TenantId};
    use crate::model::{Authority, Claim, ClaimId, Correction, FactId, ObservationId, Polarity, Source};
    use crate::observe::Incoming;
    use crate::time::{AsOf, End, Instant, KnownAt, Moment, Span, Start, ZonedInstant};

    /// A small stream of numbers that a seed decides (Steele, Lea, Flood 2014: `SplitMix64`).
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) % bound
        }

        fn of<T: Copy>(&mut self, choices: &[T]) -> T {
            choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
        }
    }

    const NAMES: [&str; 12] = ["Ana", "ana", "ANA", "Bo", "bo", "Cy", "Di", "Acme", "acme", "Globex", "Oslo", "OSLO"];
    /// One, one by its inverse, inverse one, one and symmetric, exclusive, many, many with an inverse, unknown, unknown with an override.
    const RELATIONS: [&str; 12] = [
        "lives_in",
        "ceo_of",
        "ceo",
        "married_to",
        "likes",
        "dislikes",
        "knows",
        "reports_to",
        "manages",
        "rendered_with",
        "seats_on",
        "employer",
    ];

    fn day(day: u64) -> Instant {
        Instant::from_micros(i64::try_from(day).unwrap() * 86_400_000_000)
    }

    fn claim(dice: &mut Dice, said: &[ObservationId]) -> Claim {
        let begins = dice.below(30);
        let start = match dice.below(6) {
            0 => Start::By(day(begins)),
            1 => Start::Always,
            2 => Start::At(Moment::granule(day(begins), day(begins + 5)).unwrap()),
            _ => Start::At(Moment::exact(day(begins))),
        };
        let end = match dice.below(4) {
            0 => End::At(Moment::exact(day(begins + 5 + dice.below(10)))),
            1 => End::By(day(begins + 5 + dice.below(10))),
            _ => End::Open,
        };
        let (polarity, start, end) = match dice.below(12) {
            0 => (Polarity::Ends, Start::Unknown, End::At(Moment::exact(day(begins)))),
            1 => (Polarity::Never, start, end),
            _ => (Polarity::Holds, start, end),
        };
        let corrects = match dice.below(12) {
            0 => Some(Correction::Tail(Term::Name(dice.of(&NAMES).to_owned()))),
            1 if !said.is_empty() => Some(Correction::Claim(ClaimId { observation: dice.of(said), ordinal: 0 })),
            _ => None,
        };
        Claim {
            head: Term::Name(dice.of(&NAMES).to_owned()),
            relation: dice.of(&RELATIONS).to_owned(),
            tail: Term::Name(dice.of(&NAMES).to_owned()),
            polarity,
            span: Span::new(start, end).unwrap(),
            seen_at: (dice.below(4) == 0).then(|| day(begins + dice.below(4))),
            confidence: 0.5,
            importance: 0.5,
            context: (dice.below(10) == 0).then(|| "https://example.org/g".to_owned()),
            corrects,
            quote: None,
            extractor: "ready".to_owned(),
        }
    }

    fn grow(dice: &mut Dice, tenant: &Tenant, clock: &ManualClock) -> Vec<ObservationId> {
        let mut said = Vec::new();
        for step in 0..40 {
            clock.set(day(100 + step));
            match dice.below(12) {
                0 if !said.is_empty() => {
                    let target = match dice.below(2) {
                        0 => Retractable::Observation(dice.of(&said)),
                        _ => Retractable::Claim(ClaimId { observation: dice.of(&said), ordinal: 0 }),
                    };
                    if dice.below(3) == 0 { tenant.restore(target, "") } else { tenant.retract(target, "") }.unwrap();
                }
                _ => {
                    let authority = dice.of(&[Authority::User, Authority::Tool, Authority::Document]);
                    let claims = (0..=dice.below(2)).map(|_| claim(dice, &said)).collect();
                    let at = ZonedInstant { at: day(50 + dice.below(40)), offset_minutes: 0 };
                    let incoming = Incoming::from_claims(at, Source { authority, name: None }, claims);
                    said.extend(tenant.remember(vec![incoming]).unwrap().ids);
                }
            }
        }
        said
    }

    /// Every answer that a view for one question gives, as text.
    fn answers(view: &View, entity: &Term, relation: Option<&str>) -> String {
        let mut facts = Vec::new();
        let mut texts = Vec::new();
        if let Some(relation) = relation {
            let (values, holders) = (view.values(entity, relation), view.holders(relation, entity));
            facts.extend(values.iter().chain(&holders).flat_map(|answer| &answer.facts).map(|held| held.fact.id));
            texts.push(format!("{values:#?}\n{holders:#?}"));
        } else {
            let about = view.about(entity);
            facts.extend(about.iter().flat_map(|about| &about.answer.facts).map(|held| held.fact.id));
            texts.push(format!("{about:#?}"));
        }
        let timeline = view.timeline(entity, relation);
        facts.extend(timeline.iter().flatten().map(|fact| fact.id));
        texts.push(format!("{timeline:#?}"));
        facts.sort_unstable();
        facts.dedup();
        texts.extend(facts.into_iter().map(|fact| format!("{:#?}", view.explain(fact))));
        texts.join("\n")
    }

    #[test]
    fn a_slice_answers_as_the_whole_does() {
        let (mut sliced, mut whole) = (0, 0);
        for seed in 0..12 {
            let mut dice = Dice(seed);
            let folder = tempfile::tempdir().unwrap();
            let clock = Arc::new(ManualClock::new(day(100)));
            let memory =
                Memory::open_with(folder.path(), MemoryOptions { clock: Arc::<ManualClock>::clone(&clock), ..MemoryOptions::default() })
                    .unwrap();
            let tenant = memory.tenant(&TenantId::new("t").unwrap());
            tenant.set_policy("seats_on", Some("cardinality = \"one\"\ninverse_cardinality = \"one\"")).unwrap();
            grow(&mut dice, &tenant, &clock);
            for _question in 0..25 {
                let entity = Term::Name(dice.of(&["Ana", "bo", "Cy", "Di", "ACME", "Globex", "oslo", "Nobody"]).to_owned());
                let relation = (dice.below(4) > 0).then(|| dice.of(&RELATIONS));
                let known_at = if dice.below(2) == 0 { KnownAt::Latest } else { KnownAt::At(day(100 + dice.below(45))) };
                let as_of = AsOf { valid_at: Moment::exact(day(dice.below(60))), known_at };
                let asked = Asked { entity: entity.clone(), relation: relation.map(str::to_owned), end: None };
                let cold = tenant.shared().read(|ledger| slice(ledger, &asked)).unwrap();
                let Some((cold, _)) = cold else {
                    whole += 1;
                    continue;
                };
                sliced += 1;
                let (full, cold) = (tenant.at(as_of).unwrap(), cold.at(as_of));
                let (expected, got) = (answers(&full, &entity, relation), answers(&cold, &entity, relation));
                let differs = expected.lines().zip(got.lines()).position(|(left, right)| left != right).unwrap_or_default();
                let around = |text: &str| text.lines().skip(differs.saturating_sub(20)).take(40).collect::<Vec<_>>().join("\n");
                let (whole, slice) = (around(&expected), around(&got));
                assert!(expected == got, "seed {seed}, {entity} {relation:?} at {as_of:?}\nwhole: {whole}\nslice: {slice}");
            }
        }
        assert!(sliced > 100 * whole, "{sliced} questions were answered by a slice, {whole} were not");
    }

    /// Claims of one observation each, that hold from day 1 on.
    fn tell(tenant: &Tenant, claims: impl Iterator<Item = (String, &'static str, String)>) {
        let incoming = claims.zip(0..).map(|((head, relation, tail), n)| {
            let told = Claim {
                head: Term::Name(head),
                relation: relation.to_owned(),
                tail: Term::Name(tail),
                polarity: Polarity::Holds,
                span: Span::new(Start::At(Moment::exact(day(1 + n % 50))), End::Open).unwrap(),
                context: None,
                corrects: None,
                ..claim(&mut Dice(0), &[])
            };
            let at = ZonedInstant { at: day(60), offset_minutes: 0 };
            Incoming::from_claims(at, Source { authority: Authority::User, name: None }, vec![told])
        });
        tenant.remember(incoming.collect()).unwrap();
    }

    #[test]
    fn what_names_a_hub_elsewhere_is_not_read() {
        const CROWD: usize = 1_500;
        let folder = tempfile::tempdir().unwrap();
        let tenant = Memory::open(folder.path()).unwrap().tenant(&TenantId::new("t").unwrap());
        let crowd =
            |relation: &'static str| (0..CROWD).map(move |n| (format!("e{n}"), relation, ["HUB", "HUB", "Hub", "hub"][n % 4].to_owned()));
        tell(&tenant, crowd("lives_in"));
        tell(&tenant, (0..CROWD).map(|n| ("Fan".to_owned(), "member_of", format!("c{n}"))));
        tell(&tenant, (0..CROWD).map(|n| ("Fan".to_owned(), "likes", format!("c{n}"))));
        tell(&tenant, (0..CROWD).map(|n| (format!("m{n}"), "manages", "Fan".to_owned())));
        let few = [
            ("e77", "lives_in", "Turin"),
            ("E77", "lives_in", "Hub"),
            ("Fan", "dislikes", "C7"),
            ("FAN", "lives_in", "hub"),
            ("Fan", "knows", "e5"),
            ("Fan", "ceo_of", "Hub"),
            ("e9", "ceo_of", "Hub"),
        ];
        tell(&tenant, few.into_iter().map(|(head, relation, tail)| (head.to_owned(), relation, tail.to_owned())));
        let questions: [(&str, Option<&str>, Option<ClaimEnd>); 12] = [
            ("e77", Some("lives_in"), None),
            ("e77", None, None),
            ("c5", Some("member_of"), None),
            ("c7", Some("likes"), Some(ClaimEnd::Tail)),
            ("Fan", Some("dislikes"), Some(ClaimEnd::Head)),
            ("Fan", Some("lives_in"), None),
            ("Fan", Some("reports_to"), Some(ClaimEnd::Tail)),
            ("Hub", Some("ceo_of"), None),
            ("Hub", Some("lives_in"), Some(ClaimEnd::Head)),
            ("e5", Some("knows"), Some(ClaimEnd::Head)),
            ("Fan", Some("manages"), Some(ClaimEnd::Head)),
            ("HUB", Some("member_of"), None),
        ];
        for (entity, relation, end) in questions {
            let entity = Term::Name(entity.to_owned());
            let asked = Asked { entity: entity.clone(), relation: relation.map(str::to_owned), end };
            let (cold, _) = tenant.shared().read(|ledger| slice(ledger, &asked)).unwrap().expect("a slice will do");
            let claims = cold.counts().claims;
            assert!(claims < 20, "{claims} claims were read for {entity} {relation:?}");
            let as_of = AsOf { valid_at: Moment::exact(day(70)), known_at: KnownAt::Latest };
            let (full, cold) = (tenant.at(as_of).unwrap(), cold.at(as_of));
            if let (Some(relation), Some(end)) = (relation, end) {
                let read = |view: &View| match end {
                    ClaimEnd::Head => format!("{:#?}", view.values(&entity, relation)),
                    ClaimEnd::Tail => format!("{:#?}", view.holders(relation, &entity)),
                };
                assert_eq!(read(&cold), read(&full), "{entity} {relation} {end:?}");
            } else {
                assert_eq!(answers(&cold, &entity, relation), answers(&full, &entity, relation), "{entity} {relation:?}");
            }
        }
        let again = Memory::open(folder.path()).unwrap().tenant(&TenantId::new("t").unwrap());
        let tail = again
            .at_values(again.now(), &Term::Name("Fan".to_owned()), "lives_in")
            .unwrap()
            .values(&Term::Name("Fan".to_owned()), "lives_in")
            .unwrap()
            .facts[0]
            .fact
            .tail
            .clone();
        assert_eq!(tail, Term::Name("HUB".to_owned()), "the most frequent spelling, which the question did not meet");
    }

    #[test]
    fn an_undeclared_relation_is_known_if_any_claim_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::open(folder.path()).unwrap();
        let tenant = memory.tenant(&TenantId::new("t").unwrap());
        let since_ever = Span::new(Start::Always, End::Open).unwrap();
        let said = Claim {
            head: Term::Name("Bo".to_owned()),
            relation: "rendered_with".to_owned(),
            polarity: Polarity::Holds,
            span: since_ever,
            context: None,
            corrects: None,
            ..claim(&mut Dice(3), &[])
        };
        let elsewhere = Claim { head: Term::Name("Cy".to_owned()), relation: "Painted With".to_owned(), ..said.clone() };
        let at = ZonedInstant { at: day(1), offset_minutes: 0 };
        tenant.remember(vec![Incoming::from_claims(at, Source { authority: Authority::User, name: None }, vec![said])]).unwrap();
        let again = Memory::open(folder.path()).unwrap().tenant(&TenantId::new("t").unwrap());
        let ask = |relation: &str| {
            again.at_slot(again.now(), &Term::Name("Bo".to_owned()), Some(relation)).unwrap().values(&Term::Name("Bo".to_owned()), relation)
        };
        assert_eq!(ask("rendered_with").map(|answer| answer.suppressed + answer.facts.len() as u64), Ok(1), "his own claim has it");
        tenant.remember(vec![Incoming::from_claims(at, Source { authority: Authority::User, name: None }, vec![elsewhere])]).unwrap();
        assert_eq!(ask("painted_with").map(|answer| answer.facts.len()), Ok(0), "the claim of another has it");
        assert_eq!(ask("never_heard"), Err(ReadError::UnknownRelation("never_heard".to_owned())), "no claim anywhere has it");
        let unknown = FactId(ClaimId { observation: ObservationId::from_bytes([3; 16]), ordinal: 0 });
        assert!(again.why(again.now(), unknown).is_err(), "no such fact");
    }
}
