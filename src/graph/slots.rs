//! Slots: in which of them a claim stands, which claims stand in one, and what they leave of each.
//!
//! Owns the way from claims by number to facts by number. What wins in a slot is `timeline`'s to say.

use super::adjacency::Window;
use super::claims::{Kind, Seen};
use super::relations::Standing;
use super::state::State;
use crate::model::{OnConflict, Polarity, RelationKind};
use crate::time::{End, Instant, Start};
use crate::timeline::{Combined, EndCause, Joint, Run, SlotClaim, SlotEngine, SlotRules, SlotTimeline, TieOrder, combine, derive_slot};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What competes in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sort {
    /// Tails (of a symmetric relation: the other parties) of a head and a relation.
    Head,
    /// Heads of a relation and a tail.
    Tail,
    /// Relations of a class between a head and a tail.
    Class,
    /// Nothing: head, relation and tail are given.
    Pair,
}

/// Where claims compete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot {
    /// The head; of a [`Sort::Tail`] slot the tail.
    pub(super) term: u32,
    /// The relation; of a [`Sort::Class`] slot the one that names the class.
    pub(super) relation: u32,
    pub(super) sort: Sort,
    /// The tail, of the sorts that have one.
    pub(super) tail: u32,
    pub(super) context: u32,
}

/// Head, canonical relation, tail and context.
type Triple = (u32, u32, u32, u32);

/// What a slot says at one state of belief.
#[derive(Debug)]
pub(super) struct Told {
    /// The believed claims, in number order.
    pub(super) claims: Vec<u32>,
    pub(super) timeline: SlotTimeline,
}

/// A fact as derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Derived {
    /// Its first claim, which has its head, relation, tail and context.
    pub(super) first: u32,
    pub(super) start: Start,
    pub(super) end: End,
    pub(super) cause: EndCause,
    pub(super) contested: bool,
    pub(super) challenged_from: Option<Instant>,
    pub(super) hidden: Vec<(Instant, Instant)>,
}

/// Ties by content: values by identity (relations by name), claims by id.
pub(super) struct Ties<'a> {
    pub(super) state: &'a State,
    pub(super) sort: Sort,
}

impl TieOrder for Ties<'_> {
    fn cmp_values(&self, left: u32, right: u32) -> Ordering {
        match self.sort {
            Sort::Class => self.state.relations.name(left).cmp(self.state.relations.name(right)),
            Sort::Head | Sort::Tail | Sort::Pair => self.state.terms.cmp(left, right),
        }
    }

    fn cmp_claims(&self, left: u32, right: u32) -> Ordering {
        self.state.claims.cmp(left, right)
    }
}

const OTHER_BITS: u32 = 20;
const RELATION_BITS: u32 = 11;

/// Where a claim stands in a term's list: by direction, relation and other term, as far as there is room for their numbers.
pub(super) fn stand(outgoing: bool, relation: u32, other: u32, claim: u32) -> u64 {
    let relation = u64::from(relation & ((1 << RELATION_BITS) - 1)) | u64::from(!outgoing) << RELATION_BITS;
    let other = u64::from(other & ((1 << OTHER_BITS) - 1));
    (relation << OTHER_BITS | other) << 32 | u64::from(claim)
}

/// The direction and the claim of a place in a term's list.
pub(super) fn stood(stand: u64) -> (bool, u32) {
    (stand >> (32 + OTHER_BITS + RELATION_BITS) & 1 == 0, u32::try_from(stand & u64::from(u32::MAX)).unwrap_or(u32::MAX))
}

/// The first and last place of claims with this direction and relation, and other term where one is given.
fn stands(outgoing: bool, relation: u32, other: Option<u32>) -> (u128, u128) {
    let low = stand(outgoing, relation, other.unwrap_or(0), 0);
    let high = stand(outgoing, relation, other.unwrap_or(u32::MAX), u32::MAX);
    (u128::from(low), u128::from(high))
}

impl Standing {
    /// Whether tails keep lists of the claims of the relation.
    pub(super) fn lists_tails(&self) -> bool {
        self.by_tail || self.symmetric && self.by_head
    }

    /// Whether each claim of the relation stands in one slot only.
    pub(super) fn is_single(&self) -> bool {
        let exclusive = !self.class.is_empty();
        match (self.by_head, self.by_tail) {
            (false, false) => true,
            (true, true) => false,
            (true, false) | (false, true) => !self.symmetric && !exclusive,
        }
    }
}

impl State {
    /// The slots of a claim with this head, canonical relation, tail and context; the head's slot first.
    pub(super) fn slots_of(&self, head: u32, relation: u32, tail: u32, context: u32) -> impl Iterator<Item = Slot> + use<> {
        let whole = Slot { term: head, relation, sort: Sort::Pair, tail, context };
        let at = |term, sort| Some(Slot { term, relation, sort, tail: 0, context });
        let slots = match self.relations.standing(relation) {
            None => [None; 3],
            Some(standing) => {
                let class = standing.class.first().map(|class| Slot { relation: *class, sort: Sort::Class, ..whole });
                if standing.symmetric && (standing.by_head || standing.by_tail) {
                    [at(head, Sort::Head), at(tail, Sort::Head).filter(|_| head != tail), class]
                } else {
                    [at(head, Sort::Head).filter(|_| standing.by_head), at(tail, Sort::Tail).filter(|_| standing.by_tail), class]
                }
            }
        };
        let none = slots.iter().all(Option::is_none);
        slots.into_iter().flatten().chain(none.then_some(whole))
    }

    /// The slots of a claim.
    pub(super) fn slots_of_claim(&self, claim: u32) -> impl Iterator<Item = Slot> + use<> {
        let slots = self.claim(claim).map(|(row, kind, relation)| self.slots_of(row.head, relation, row.tail, kind.context));
        slots.into_iter().flatten()
    }

    /// Whether every claim of a slot stands in no other.
    pub(super) fn is_single(&self, slot: Slot) -> bool {
        let is_single = |relation: u32| self.relations.standing(relation).is_none_or(Standing::is_single);
        match slot.sort {
            Sort::Class => {
                let class = self.relations.standing(slot.relation).map(|standing| Arc::clone(&standing.class));
                class.is_none_or(|class| class.iter().all(|relation| is_single(*relation)))
            }
            Sort::Head | Sort::Tail | Sort::Pair => is_single(slot.relation),
        }
    }

    /// The recorded claims of a head, canonical relation, tail and context, believed or not.
    pub(super) fn pair(&self, head: u32, relation: u32, tail: u32, context: u32) -> Vec<u32> {
        self.members(Slot { term: head, relation, sort: Sort::Pair, tail, context })
    }

    /// The recorded claims that stand in a slot, believed or not, in number order.
    pub(super) fn members(&self, slot: Slot) -> Vec<u32> {
        let mut members = Vec::new();
        self.each_member(slot, |claim| {
            members.push(claim);
            true
        });
        members.sort_unstable();
        members.dedup();
        members
    }

    /// Whether no recorded claim but this one stands in a slot.
    pub(super) fn is_alone(&self, slot: Slot, claim: u32) -> bool {
        self.each_member(slot, |member| member == claim)
    }

    /// Whether all slots of a claim are short enough to be gone through for each of their facts.
    pub(super) fn is_short(&self, claim: u32) -> bool {
        let mut left = SHORT;
        self.slots_of_claim(claim).all(|slot| {
            self.each_member(slot, |_| {
                left = left.saturating_sub(1);
                left > 0
            })
        })
    }

    /// Gives the claims that stand in a slot to `take` until it has enough (says no); says whether it never had. A claim may come twice.
    fn each_member(&self, slot: Slot, mut take: impl FnMut(u32) -> bool) -> bool {
        let mut gather = |outgoing: bool, relation: u32, other: Option<u32>| {
            let (low, high) = stands(outgoing, relation, other);
            let mut stood = self.standings.of(slot.term).slices(low, high, Window::ALL).flatten();
            stood.all(|stood| {
                let Ok(claim) = u32::try_from(stood & 0xffff_ffff) else { return true };
                let is_member = self.claim(claim).is_some_and(|(row, kind, is)| {
                    let (own, far) = if outgoing { (row.head, row.tail) } else { (row.tail, row.head) };
                    own == slot.term && is == relation && kind.context == slot.context && other.is_none_or(|other| other == far)
                });
                !is_member || take(claim)
            })
        };
        match slot.sort {
            Sort::Head => {
                let symmetric = self.relations.standing(slot.relation).is_some_and(|standing| standing.symmetric);
                gather(true, slot.relation, None) && (!symmetric || gather(false, slot.relation, None))
            }
            Sort::Tail => gather(false, slot.relation, None),
            Sort::Class => {
                let class = self.relations.standing(slot.relation).map(|standing| Arc::clone(&standing.class));
                class.iter().flat_map(|class| class.iter()).all(|relation| gather(true, *relation, Some(slot.tail)))
            }
            Sort::Pair => gather(true, slot.relation, Some(slot.tail)),
        }
    }

    /// Claims that may stand in a slot, as its term lists them: all of one with a head or a tail, none of a class.
    pub(super) fn stood_in(&self, slot: Slot) -> impl Iterator<Item = u32> {
        let other = (slot.sort == Sort::Pair).then_some(slot.tail);
        let (low, high) = stands(slot.sort != Sort::Tail, slot.relation, other);
        let stood = self.standings.of(slot.term).slices(low, high, Window::ALL).flatten();
        stood.filter(move |_| slot.sort != Sort::Class).filter_map(|stood| u32::try_from(stood & 0xffff_ffff).ok())
    }

    /// The rules of a slot.
    pub(super) fn rules(&self, slot: Slot) -> SlotRules {
        let rules = self.relations.standing(slot.relation).map(|standing| standing.rules).unwrap_or_default();
        SlotRules { exclusive: slot.sort != Sort::Pair, ..rules }
    }

    /// A claim as a slot sees it.
    pub(super) fn slot_claim(&self, slot: Slot, claim: u32) -> Option<SlotClaim> {
        let (row, kind, relation) = self.claim(claim)?;
        let value = match slot.sort {
            Sort::Head if row.head == slot.term => row.tail,
            Sort::Head | Sort::Tail => row.head,
            Sort::Class => relation,
            Sort::Pair => row.tail,
        };
        let (start, end) = self.claims.span(&row, &kind);
        // When it was observed decides nothing else, and is far to fetch.
        let observed = self.rules(slot).on_conflict == OnConflict::Newest;
        Some(SlotClaim {
            claim,
            value,
            polarity: kind.polarity,
            span: crate::time::Span::new(start, end).ok()?,
            seen_at: self.claims.seen_at(claim, &row, &kind),
            observed_at: if observed { self.claims.observed_at(row.observation) } else { Instant::DISTANT_PAST },
            authority: kind.authority,
        })
    }

    /// What a slot says when so many transactions have been; `members` are its claims.
    pub(super) fn tell(&self, slot: Slot, members: &[u32], txs: u32) -> Told {
        let recorded = self.claims.recorded_by(txs);
        let told: Vec<SlotClaim> = members
            .iter()
            .filter(|claim| **claim < recorded && self.is_believed(**claim, txs))
            .filter_map(|claim| self.slot_claim(slot, *claim))
            .collect();
        let timeline = derive_slot(&told, &self.rules(slot), &Ties { state: self, sort: slot.sort });
        Told { claims: told.iter().map(|claim| claim.claim).collect(), timeline }
    }
}

impl Told {
    /// The run that a claim supports.
    pub(super) fn run_of(&self, claim: u32) -> Option<(u32, &Run)> {
        let at = self.claims.binary_search(&claim).ok()?;
        let run = self.timeline.run_of.get(at).copied().flatten()?;
        self.timeline.runs.get(run as usize).map(|found| (run, found))
    }

    /// The claims that support a run, in number order.
    fn support(&self, run: u32) -> impl Iterator<Item = u32> {
        self.claims.iter().zip(&self.timeline.run_of).filter(move |(_, of)| **of == Some(run)).map(|(claim, _)| *claim)
    }
}

/// The run of a slot as a fact, where the slot is the only one of its claims.
pub(super) fn alone(run: &Run) -> Derived {
    Derived {
        first: run.first,
        start: run.start,
        end: run.end,
        cause: run.cause,
        contested: run.contested,
        challenged_from: run.challenged_from,
        hidden: run.hidden.clone(),
    }
}

/// In slots with more claims, rivals are found only when a fact is explained.
const SHORT: usize = 256;

/// The engines of long slots, which the writer keeps.
pub(super) type Engines = FxHashMap<Slot, SlotEngine>;

/// Where it is said what a slot leaves of its claims.
enum Source<'a> {
    Told(Rc<Told>),
    Engine(&'a SlotEngine),
}

impl Source<'_> {
    fn run_of(&self, claim: u32, ties: &Ties<'_>) -> Option<Run> {
        match self {
            Self::Told(told) => told.run_of(claim).map(|(_, run)| run.clone()),
            Self::Engine(engine) => engine.run_of(claim, ties).and_then(|first| engine.run(first)),
        }
    }
}

/// Slots derived once each, at one state of belief.
pub(super) struct Deriver<'a> {
    state: &'a State,
    txs: u32,
    /// The engines that stand at the same state of belief.
    engines: Option<&'a Engines>,
    told: FxHashMap<Slot, Rc<Told>>,
}

impl<'a> Deriver<'a> {
    /// Derives from `state` as of `txs` transactions.
    pub(super) fn new(state: &'a State, txs: u32) -> Self {
        Self { state, txs, engines: None, told: FxHashMap::default() }
    }

    /// The same, asking engines that stand at that state of belief.
    pub(super) fn with(state: &'a State, txs: u32, engines: &'a Engines) -> Self {
        Self { engines: Some(engines), ..Self::new(state, txs) }
    }

    /// Where it derives from.
    pub(super) fn state(&self) -> &'a State {
        self.state
    }

    /// What a slot says.
    pub(super) fn told(&mut self, slot: Slot) -> Rc<Told> {
        if let Some(told) = self.told.get(&slot) {
            return Rc::clone(told);
        }
        let told = Rc::new(self.state.tell(slot, &self.state.members(slot), self.txs));
        self.told.insert(slot, Rc::clone(&told));
        told
    }

    fn source(&mut self, slot: Slot) -> Source<'a> {
        match self.engines.and_then(|engines| engines.get(&slot)) {
            Some(engine) => Source::Engine(engine),
            None => Source::Told(self.told(slot)),
        }
    }

    /// The facts that these claims support, by head, relation, tail and context. All supporters of one must be among the claims.
    pub(super) fn facts(&mut self, claims: &[u32]) -> Vec<Derived> {
        let mut triples: BTreeMap<Triple, Vec<u32>> = BTreeMap::new();
        for claim in claims {
            if let Some((row, kind, relation)) = self.state.claim(*claim) {
                triples.entry((row.head, relation, row.tail, kind.context)).or_default().push(*claim);
            }
        }
        triples.into_iter().flat_map(|(triple, claims)| self.combined(triple, &claims)).map(|(derived, _)| derived).collect()
    }

    /// The fact that a claim supports, with its supporters.
    pub(super) fn fact_of(&mut self, claim: u32) -> Option<(Derived, Vec<u32>)> {
        let (row, kind, relation) = self.state.claim(claim)?;
        let triple = (row.head, relation, row.tail, kind.context);
        let slots: Vec<Slot> = self.state.slots_of(row.head, relation, row.tail, kind.context).collect();
        let told = self.told(*slots.first()?);
        if slots.len() == 1 {
            let (run, found) = told.run_of(claim)?;
            return Some((alone(found), told.support(run).collect()));
        }
        let is_fellow = |other: &u32| {
            let found = self.state.claim(*other);
            found.is_some_and(|(row, kind, relation)| (row.head, relation, row.tail, kind.context) == triple)
        };
        let fellows: Vec<u32> = told.claims.iter().copied().filter(is_fellow).collect();
        self.combined(triple, &fellows).into_iter().find(|(_, support)| support.contains(&claim))
    }

    /// The facts of a triple, with their supporters; `claims` are all of its claims, or all of those that share a run.
    fn combined(&mut self, (head, relation, tail, context): Triple, claims: &[u32]) -> Vec<(Derived, Vec<u32>)> {
        let slots: Vec<Slot> = self.state.slots_of(head, relation, tail, context).collect();
        let sources: Vec<(Slot, Source<'_>)> = slots.iter().map(|slot| (*slot, self.source(*slot))).collect();
        let (mut standing, mut runs) = (Vec::with_capacity(claims.len()), Vec::with_capacity(claims.len() * slots.len()));
        for claim in claims {
            let before = runs.len();
            runs.extend(sources.iter().filter_map(|(slot, source)| source.run_of(*claim, &Ties { state: self.state, sort: slot.sort })));
            // A denial supports no run, in any slot.
            if runs.len() == before + slots.len() {
                standing.push(*claim);
            } else {
                runs.truncate(before);
            }
        }
        let runs: Vec<&Run> = runs.iter().collect();
        let facts = combine(slots.len(), &standing, &runs, &Ties { state: self.state, sort: Sort::Pair });
        let derived = facts.into_iter().map(|Combined { first, claims, joint }| {
            let Joint { start, end, cause, contested, challenged_from, hidden, .. } = joint;
            (Derived { first, start, end, cause, contested, challenged_from, hidden }, claims)
        });
        derived.collect()
    }
}

/// Whether a claim that is alone in its slot is its own fact as it stands: no rule moves its start or its end.
pub(super) fn is_plain(kind: &Kind, start: Start, end: End, rules: &SlotRules) -> bool {
    let ends_plainly = match end {
        End::Open => true,
        End::At(ends) => start.hi() <= ends.lo() && (kind.seen == Seen::Never || ends.is_exact()),
        End::By(_) => false,
    };
    kind.polarity == Polarity::Holds
        && matches!(rules.kind, RelationKind::State | RelationKind::Permanent)
        && rules.ttl_micros.is_none()
        && matches!(start, Start::At(_))
        && ends_plainly
}
