//! Reading from cold: of a ledger only what one question touches, as a small projection that answers like the whole one.
//!
//! Owns which slots a question reaches. Knows nothing of how a slot is derived.

use super::Error;
use super::engine::overrides;
use crate::graph::{Projection, Snapshot};
use crate::ledger::{ClaimEnd, Ledger, RecordRow, Seq, SliceKey};
use crate::model::{Cardinality, RelationPolicy, Term};
use crate::policy::Policies;
use crate::resolve;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// How many times the slots of the claims found so far are followed. A fact asked for is derived whole at the first, the facts it is
/// contested with at the second, and the names of those that these are contested with at the third; no answer shows more.
const LEVELS: usize = 3;

/// Above so many claims or terms, loading the whole tenant is the cheaper way.
const MOST: usize = 20_000;

/// How often to begin anew because somebody wrote in between.
const ATTEMPTS: usize = 3;

/// A small projection that answers `values`, `holders`, `timeline`, `about` and `explain` about `entity` (and `relation`, if given)
/// exactly as the whole one would, with the place in the ledger it has read to; `None` where loading the whole would be cheaper.
///
/// # Errors
/// What the ledger says; [`Error::Pack`] if an override cannot be read.
pub(super) fn slice(ledger: &mut dyn Ledger, entity: &Term, relation: Option<&str>) -> Result<Option<(Snapshot, Seq)>, Error> {
    for _attempt in 0..ATTEMPTS {
        let before = ledger.position()?.seq;
        let policies = Arc::new(overrides(ledger)?);
        let Some(keys) = Reach::of(&policies).follow(ledger, entity, relation)? else { return Ok(None) };
        let mut projection = Projection::new(Arc::clone(&policies));
        let after = ledger.slice(&keys, &mut |row| projection.stage(row))?.seq;
        if before == after {
            // An undeclared relation that no claim of the slice has may be in use elsewhere: then it is known, and has nothing here.
            if let Some(stated) = relation
                && let asked = policies.canonical(stated)
                && !asked.known
                && ledger.states_relation(&mut |other| policies.canonical(other).relation == asked.relation)?
            {
                projection.know_relation(&asked.relation);
            }
            projection.publish();
            return Ok(Some((projection.snapshot(), after)));
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

/// What has been reached.
struct Reach<'p> {
    policies: &'p Policies,
    /// How a canonical relation may have been stated: as it is, and turned round.
    stated: FxHashMap<Cow<'p, str>, (Vec<String>, Vec<String>)>,
    keys: Vec<SliceKey>,
    /// Which keys there are: by identity, end, and canonical relation (empty: all).
    asked: FxHashSet<(String, ClaimEnd, String)>,
    identity: String,
}

impl<'p> Reach<'p> {
    fn of(policies: &'p Policies) -> Self {
        let mut reach =
            Self { policies, stated: FxHashMap::default(), keys: Vec::new(), asked: FxHashSet::default(), identity: String::new() };
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
    fn follow(mut self, ledger: &mut dyn Ledger, entity: &Term, relation: Option<&str>) -> Result<Option<Vec<SliceKey>>, Error> {
        match relation {
            Some(stated) => {
                let relation = self.policies.canonical(stated).relation.into_owned();
                self.ask(entity, ClaimEnd::Head, Some(&relation));
                self.ask(entity, ClaimEnd::Tail, Some(&relation));
            }
            None => self.ask_all(entity),
        }
        let mut shown: Vec<Term> = vec![entity.clone()];
        let mut from = 0;
        for level in 0..=LEVELS {
            let new = self.keys.get(from..).unwrap_or_default().to_vec();
            from = self.keys.len();
            let mut standings = Vec::new();
            ledger.slice(&new, &mut |row| standings.extend(self.standing(&row)))?;
            if standings.len() > MOST || self.keys.len() > MOST {
                return Ok(None);
            }
            for standing in &standings {
                self.compete(standing);
            }
            // The names of facts asked for, and of those they are contested with, are shown.
            if level < 2 {
                shown.extend(standings.into_iter().flat_map(|standing| [standing.head, standing.tail]));
            }
            if self.keys.len() == from {
                break;
            }
        }
        // A name is shown in the form that most claims use, so each claim that uses it counts.
        for term in &shown {
            if matches!(term, Term::Name(_)) {
                self.ask_all(term);
            }
        }
        // The entity itself need not be a name to be known.
        self.ask_all(entity);
        Ok((self.keys.len() <= MOST).then_some(self.keys))
    }

    fn standing(&self, row: &RecordRow<'_>) -> Option<Standing> {
        let RecordRow::Claim { head, relation, tail, .. } = *row else { return None };
        let meant = self.policies.canonical(relation);
        let (head, tail) = if meant.inverted { (tail, head) } else { (head, tail) };
        Some(Standing { head: head.to_owned(), relation: meant.relation.as_ref().to_owned(), tail: tail.to_owned() })
    }

    /// Asks for every claim that competes with this one.
    fn compete(&mut self, claim: &Standing) {
        let Standing { head, relation, tail } = claim;
        let policies = self.policies;
        let policy: &RelationPolicy = policies.canonical(relation).policy;
        // A claim may stand turned round where head and tail may change places.
        let sides: &[ClaimEnd] = if policy.symmetric { &[ClaimEnd::Head, ClaimEnd::Tail] } else { &[ClaimEnd::Head] };
        if policy.symmetric || policy.inverse_cardinality == Cardinality::One {
            self.ask(tail, ClaimEnd::Tail, Some(relation));
        }
        if policy.symmetric {
            self.ask(tail, ClaimEnd::Head, Some(relation));
        }
        // The claims of either end hold the slot (head, relation, tail); only those of the head hold (head, relation).
        let held_by_tail = policy.cardinality == Cardinality::Many && self.is_asked(tail, ClaimEnd::Tail, relation);
        for side in sides {
            if !held_by_tail {
                self.ask(head, *side, Some(relation));
            }
            for excluded in &policy.excludes {
                self.ask(head, *side, Some(excluded));
            }
        }
    }

    /// Whether the claims with this entity at this end of the canonical relation are asked for.
    fn is_asked(&mut self, entity: &Term, end: ClaimEnd, relation: &str) -> bool {
        resolve::identity(entity.as_ref(), &mut self.identity);
        let [all, one] = ["", relation].map(|relation| (self.identity.clone(), end, relation.to_owned()));
        self.asked.contains(&all) || self.asked.contains(&one)
    }

    fn ask_all(&mut self, entity: &Term) {
        self.ask(entity, ClaimEnd::Head, None);
        self.ask(entity, ClaimEnd::Tail, None);
    }

    /// Asks for the claims with this entity at this end of the canonical relation, however they state it.
    fn ask(&mut self, entity: &Term, end: ClaimEnd, relation: Option<&str>) {
        resolve::identity(entity.as_ref(), &mut self.identity);
        let all = (self.identity.clone(), end, String::new());
        if self.asked.contains(&all) {
            return;
        }
        let Some(relation) = relation else {
            self.asked.insert(all);
            self.keys.push(SliceKey { entity: entity.clone(), end, relations: Vec::new() });
            return;
        };
        if !self.asked.insert((all.0, end, relation.to_owned())) {
            return;
        }
        let (direct, turned) = match self.stated.get(relation) {
            Some((direct, turned)) => (direct.clone(), turned.clone()),
            None => (vec![relation.to_owned()], Vec::new()),
        };
        self.keys.push(SliceKey { entity: entity.clone(), end, relations: direct });
        if !turned.is_empty() {
            let end = match end {
                ClaimEnd::Head => ClaimEnd::Tail,
                ClaimEnd::Tail => ClaimEnd::Head,
            };
            self.keys.push(SliceKey { entity: entity.clone(), end, relations: turned });
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
                let cold = tenant.shared().read(|ledger| slice(ledger, &entity, relation)).unwrap();
                let Some((cold, _)) = cold else {
                    whole += 1;
                    continue;
                };
                sliced += 1;
                let (full, cold) = (tenant.at(as_of).unwrap(), cold.at(as_of));
                let (expected, got) = (answers(&full, &entity, relation), answers(&cold, &entity, relation));
                assert!(expected == got, "seed {seed}, {entity} {relation:?} at {as_of:?}\nwhole: {expected}\nslice: {got}");
            }
        }
        assert!(sliced > 100 * whole, "{sliced} questions were answered by a slice, {whole} were not");
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
