//! One slot with many claims, kept up to date claim by claim. Knows which rules look how far; the rules themselves are [`derive_slot`]'s.

mod chunked;
mod local;

use super::place::{Sorted, rank, sort_claim};
use super::{Run, SlotClaim, SlotRules, TieOrder, derive_slot};
use crate::model::{AuthorityMode, OnConflict, Polarity, RelationKind};
use crate::time::Start;
use local::Local;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// What one change of a slot's claims changed of its runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunChanges {
    /// The runs that are gone, by [`Run::first`], in id order.
    pub removed: Vec<u32>,
    /// The runs that are new or not as they were, in [`SlotTimeline`](super::SlotTimeline)'s order.
    pub changed: Vec<Run>,
}

/// The runs of one slot under insertions and removals of claims; always those that [`derive_slot`] gives for the claims it holds.
///
/// Claims are kept in clusters that influence each other only through the runs left open between them; a change re-derives the
/// clusters it touches, until what they leave open is what it was. This is unsound, and each change derives the whole slot, while
/// - a `Never` claim is in the slot, or different values exclude each other and
/// - the policy says `permanent`, `resumes` or `newest`, or
/// - it says `strict` and the claims differ in rank.
///
/// Where claims start "by t", or differ in rank, a cluster reaches on until no open run is in a conflict that they may still change.
///
/// The `ties` given must always order in the same way.
#[derive(Clone, Debug)]
pub struct SlotEngine {
    rules: SlotRules,
    claims: FxHashMap<u32, SlotClaim>,
    denials: usize,
    /// How many `Holds` claims start "by t".
    by_starts: usize,
    /// Claims by rank.
    ranks: [usize; 5],
    state: State,
}

/// What later claims can do to what came before them, so that a cluster must reach on until they cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Caution {
    /// A claim that starts "by t" takes certainty away from what it cuts, back to the evidence.
    by_starts: bool,
    /// A claim of higher rank lifts the run it joins, and so decides anew which of two runs is contested and which challenged.
    ranks: bool,
}

#[derive(Clone, Debug)]
enum State {
    Local(Box<Local>),
    /// The runs as last derived from the whole slot, and each claim's run by [`Run::first`].
    Whole {
        runs: Vec<Run>,
        run_of: FxHashMap<u32, u32>,
    },
}

impl SlotEngine {
    /// An empty slot.
    #[must_use]
    pub fn new(rules: SlotRules) -> Self {
        let state = State::Whole { runs: Vec::new(), run_of: FxHashMap::default() };
        let mut engine = Self { rules, claims: FxHashMap::default(), denials: 0, by_starts: 0, ranks: [0; 5], state };
        if engine.is_local() {
            engine.state = State::Local(Box::new(Local::new(engine.caution(), rules)));
        }
        engine
    }

    /// A slot that holds these claims, as if they had been inserted one after the other.
    ///
    /// # Complexity
    /// As [`derive_slot`].
    pub fn of(rules: SlotRules, claims: &[SlotClaim], ties: &impl TieOrder) -> Self {
        let mut engine = Self::new(rules);
        for claim in claims {
            if engine.claims.insert(claim.claim, *claim).is_none() {
                engine.count(claim, |count| count + 1);
            }
        }
        engine.rebuild(engine.caution(), ties);
        engine
    }

    /// Whether it holds this claim.
    #[must_use]
    pub fn holds(&self, claim: u32) -> bool {
        self.claims.contains_key(&claim)
    }

    /// How many claims it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.claims.len()
    }

    /// Whether it holds no claim.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Adds a claim. A number that the slot holds already changes nothing.
    ///
    /// # Complexity
    /// O(√n) for what lies between chunks, and O(k log k) for k claims in the touched clusters: a few, where claims repeat one value or
    /// follow each other. See [`SlotEngine`] for when the whole slot is derived, in O(n log n).
    pub fn insert(&mut self, claim: SlotClaim, ties: &impl TieOrder) -> RunChanges {
        if self.claims.contains_key(&claim.claim) {
            return RunChanges::default();
        }
        let caution = self.caution();
        self.count(&claim, |count| count + 1);
        self.claims.insert(claim.claim, claim);
        self.change(&claim, true, caution, ties)
    }

    /// Takes a claim out, by its number. A number that the slot does not hold changes nothing.
    ///
    /// # Complexity
    /// As [`SlotEngine::insert`].
    pub fn remove(&mut self, claim: u32, ties: &impl TieOrder) -> RunChanges {
        let caution = self.caution();
        let Some(claim) = self.claims.remove(&claim) else { return RunChanges::default() };
        self.count(&claim, |count| count.saturating_sub(1));
        self.change(&claim, false, caution, ties)
    }

    /// The runs, in [`SlotTimeline`](super::SlotTimeline)'s order.
    ///
    /// # Complexity
    /// O(r log r) for r runs.
    pub fn runs(&self, ties: &impl TieOrder) -> Vec<Run> {
        match &self.state {
            State::Local(local) => {
                let mut runs = local.runs();
                runs.sort_unstable_by(|left, right| run_order(left, right, ties));
                runs
            }
            State::Whole { runs, .. } => runs.clone(),
        }
    }

    /// The run that a claim supports, by [`Run::first`]; `None` for a `Never` claim, or one that is not in the slot.
    ///
    /// # Complexity
    /// O(log n).
    pub fn run_of(&self, claim: u32, ties: &impl TieOrder) -> Option<u32> {
        match &self.state {
            State::Local(local) => local.run_of(claim, ties),
            State::Whole { run_of, .. } => run_of.get(&claim).copied(),
        }
    }

    /// A run, by [`Run::first`].
    #[must_use]
    pub fn run(&self, first: u32) -> Option<Run> {
        match &self.state {
            State::Local(local) => local.run(first),
            State::Whole { runs, .. } => runs.iter().find(|run| run.first == first).cloned(),
        }
    }

    /// The claims that support a run, given by [`Run::first`], in id order.
    ///
    /// # Complexity
    /// O(log n) and O(k log k) for k supporters; O(n) while the whole slot is derived.
    pub fn supporters(&self, first: u32, ties: &impl TieOrder) -> Vec<u32> {
        let mut supporters = match &self.state {
            State::Local(local) => local.supporters(first, ties),
            State::Whole { run_of, .. } => self.numbers().into_iter().filter(|claim| run_of.get(claim) == Some(&first)).collect(),
        };
        supporters.sort_unstable_by(|left, right| ties.cmp_claims(*left, *right));
        supporters
    }

    /// The claims' numbers, ascending.
    fn numbers(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.claims.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    fn count(&mut self, claim: &SlotClaim, change: impl Fn(usize) -> usize) {
        if claim.polarity == Polarity::Never {
            self.denials = change(self.denials);
        }
        if claim.polarity == Polarity::Holds && matches!(claim.span.start(), Start::By(_)) {
            self.by_starts = change(self.by_starts);
        }
        if let Some(count) = self.ranks.get_mut(usize::from(rank(claim.authority, &self.rules))) {
            *count = change(*count);
        }
    }

    fn competes(&self) -> bool {
        self.rules.exclusive && self.rules.kind != RelationKind::Event
    }

    /// Whether clusters are sound.
    fn is_local(&self) -> bool {
        let far = self.rules.kind == RelationKind::Permanent
            || self.rules.resumes
            || self.rules.on_conflict == OnConflict::Newest
            || (self.rules.authority == AuthorityMode::Strict && self.mixed_ranks());
        self.denials == 0 && !(self.competes() && far)
    }

    fn mixed_ranks(&self) -> bool {
        self.ranks.iter().filter(|count| **count > 0).count() > 1
    }

    /// What later claims can do to what came before them.
    fn caution(&self) -> Caution {
        Caution { by_starts: self.competes() && self.by_starts > 0, ranks: self.competes() && self.mixed_ranks() }
    }

    fn change(&mut self, claim: &SlotClaim, added: bool, was: Caution, ties: &impl TieOrder) -> RunChanges {
        let caution = self.caution();
        // Where the way of working changes, everything is derived once.
        let stays = self.is_local() && caution == was;
        if let State::Local(local) = &mut self.state
            && stays
        {
            let mut changes = match (sort_claim(0, claim, &self.rules), added) {
                (Sorted::Holds(placed), true) => local.add_holds(placed, ties),
                (Sorted::Holds(placed), false) => local.remove_holds(placed, ties),
                (Sorted::End(ender), added) => local.change_end(ender, added, ties),
                (Sorted::Never(_), _) => RunChanges::default(),
            };
            changes.removed.sort_unstable_by(|left, right| ties.cmp_claims(*left, *right));
            changes.changed.sort_unstable_by(|left, right| run_order(left, right, ties));
            return changes;
        }
        let before = self.runs(ties);
        self.rebuild(caution, ties);
        let after = self.runs(ties);
        compare(&before, after, ties)
    }

    /// Derives everything anew.
    fn rebuild(&mut self, caution: Caution, ties: &impl TieOrder) {
        let claims: Vec<SlotClaim> = self.numbers().iter().filter_map(|claim| self.claims.get(claim).copied()).collect();
        if self.is_local() {
            self.state = State::Local(Box::new(Local::build(&claims, caution, self.rules, ties)));
            return;
        }
        let timeline = derive_slot(&claims, &self.rules, ties);
        let run_of = claims.iter().zip(&timeline.run_of).filter_map(|(claim, run)| {
            let run = timeline.runs.get((*run)? as usize)?;
            Some((claim.claim, run.first))
        });
        self.state = State::Whole { run_of: run_of.collect(), runs: timeline.runs };
    }
}

/// Both in `SlotTimeline`'s order.
fn compare(before: &[Run], after: Vec<Run>, ties: &impl TieOrder) -> RunChanges {
    let old: FxHashMap<u32, &Run> = before.iter().map(|run| (run.first, run)).collect();
    let new: FxHashSet<u32> = after.iter().map(|run| run.first).collect();
    let mut removed: Vec<u32> = before.iter().map(|run| run.first).filter(|first| !new.contains(first)).collect();
    removed.sort_unstable_by(|left, right| ties.cmp_claims(*left, *right));
    RunChanges { removed, changed: after.into_iter().filter(|run| old.get(&run.first).is_none_or(|old| *old != run)).collect() }
}

fn run_order(left: &Run, right: &Run, ties: &impl TieOrder) -> Ordering {
    let key = |run: &Run| match run.start {
        Start::At(moment) => moment.lo(),
        Start::By(t) => t,
        Start::Always | Start::Unknown => crate::time::Instant::DISTANT_PAST,
    };
    key(left)
        .cmp(&key(right))
        .then_with(|| if left.value == right.value { Ordering::Equal } else { ties.cmp_values(left.value, right.value) })
        .then_with(|| ties.cmp_claims(left.first, right.first))
}

#[cfg(test)]
mod tests;
