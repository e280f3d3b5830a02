//! One slot with many claims, kept up to date claim by claim. Knows which rules look how far; the rules themselves are [`derive_slot`]'s.

mod chunked;
mod local;
mod table;

use super::place::rank;
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
/// Where claims start "by t", or differ in rank, a cluster reaches on until no open run is in a conflict, or has an end, that they may
/// still judge anew.
///
/// The `ties` given must always order in the same way.
#[derive(Clone, Debug)]
pub struct SlotEngine {
    rules: SlotRules,
    denials: usize,
    /// How many `Holds` claims start "by t".
    by_starts: usize,
    /// Claims by rank.
    ranks: [usize; 5],
    caution: Caution,
    state: State,
}

/// What later claims can do to what came before them, so that a cluster must reach on until they cannot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Caution {
    /// A claim that starts "by t" takes certainty away from what it cuts, back to the evidence.
    by_starts: bool,
    /// A claim of higher rank lifts the run it joins, and so decides anew which of two runs is contested and which challenged, and which
    /// of the run's ends rank below it.
    ranks: bool,
}

#[derive(Clone, Debug)]
enum State {
    Local(Box<Local>),
    /// The runs as last derived from the whole slot, and each claim's run by [`Run::first`].
    Whole {
        claims: FxHashMap<u32, SlotClaim>,
        runs: Vec<Run>,
        run_of: FxHashMap<u32, u32>,
    },
}

impl SlotEngine {
    /// An empty slot.
    #[must_use]
    pub fn new(rules: SlotRules) -> Self {
        // Which way it works is settled by the first claim.
        let state = State::Local(Box::new(Local::new(Caution::default(), rules)));
        Self { rules, denials: 0, by_starts: 0, ranks: [0; 5], caution: Caution::default(), state }
    }

    /// A slot that holds these claims, as if they had been inserted one after the other.
    ///
    /// # Complexity
    /// As [`derive_slot`].
    pub fn of(rules: SlotRules, claims: &[SlotClaim], ties: &impl TieOrder) -> Self {
        let mut engine = Self::new(rules);
        let mut seen = FxHashSet::default();
        let claims: Vec<SlotClaim> = claims.iter().filter(|claim| seen.insert(claim.claim)).copied().collect();
        for claim in &claims {
            engine.count(claim, |count| count + 1);
        }
        engine.caution.by_starts = engine.competes() && engine.by_starts > 0;
        engine.caution.ranks = engine.mixed_ranks();
        engine.rebuild(claims, ties);
        engine
    }

    /// Whether it holds this claim.
    #[must_use]
    pub fn holds(&self, claim: u32) -> bool {
        self.claim(claim).is_some()
    }

    /// How many claims it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.state {
            State::Local(local) => local.len(),
            State::Whole { claims, .. } => claims.len(),
        }
    }

    /// Whether it holds no claim.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether each change derives the whole slot (see [`SlotEngine`] for when).
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        matches!(self.state, State::Whole { .. })
    }

    /// Adds a claim. A number that the slot holds already changes nothing.
    ///
    /// # Complexity
    /// O(√n) for what lies between chunks, and O(k log k) for k claims in the touched clusters: a few, where claims repeat one value or
    /// follow each other. See [`SlotEngine`] for when the whole slot is derived, in O(n log n).
    pub fn insert(&mut self, claim: SlotClaim, ties: &impl TieOrder) -> RunChanges {
        if self.claim(claim.claim).is_some() {
            return RunChanges::default();
        }
        self.count(&claim, |count| count + 1);
        self.change(&claim, true, ties)
    }

    /// Takes a claim out, by its number. A number that the slot does not hold changes nothing.
    ///
    /// # Complexity
    /// As [`SlotEngine::insert`].
    pub fn remove(&mut self, claim: u32, ties: &impl TieOrder) -> RunChanges {
        let Some(&claim) = self.claim(claim) else { return RunChanges::default() };
        self.count(&claim, |count| count.saturating_sub(1));
        self.change(&claim, false, ties)
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

    /// The claims that support a run, given by [`Run::first`], in id order; `None` if they are more than `at_most`.
    ///
    /// # Complexity
    /// O(log n) and O(k log k) for k supporters, of which no more than `at_most` are looked at; O(n) while the whole slot is derived.
    pub fn supporters(&self, first: u32, at_most: usize, ties: &impl TieOrder) -> Option<Vec<u32>> {
        let mut supporters = match &self.state {
            State::Local(local) => local.supporters(first, at_most, ties)?,
            State::Whole { run_of, .. } => {
                let claims = self.claims();
                claims.iter().map(|claim| claim.claim).filter(|claim| run_of.get(claim) == Some(&first)).collect()
            }
        };
        supporters.sort_unstable_by(|left, right| ties.cmp_claims(*left, *right));
        Some(supporters).filter(|supporters| supporters.len() <= at_most)
    }

    fn claim(&self, claim: u32) -> Option<&SlotClaim> {
        match &self.state {
            State::Local(local) => local.claim(claim),
            State::Whole { claims, .. } => claims.get(&claim),
        }
    }

    /// The claims, by number.
    fn claims(&self) -> Vec<SlotClaim> {
        let mut claims: Vec<SlotClaim> = match &self.state {
            State::Local(local) => local.claims().collect(),
            State::Whole { claims, .. } => claims.values().copied().collect(),
        };
        claims.sort_unstable_by_key(|claim| claim.claim);
        claims
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

    fn change(&mut self, claim: &SlotClaim, added: bool, ties: &impl TieOrder) -> RunChanges {
        // Caution once taken is kept: it costs little, taking it anew derives the whole slot.
        let was = self.caution;
        self.caution.by_starts |= self.competes() && self.by_starts > 0;
        self.caution.ranks |= self.mixed_ranks();
        let stays = self.is_local() && self.caution == was;
        if let State::Local(local) = &mut self.state
            && stays
        {
            let mut changes = if added { local.insert(*claim, ties) } else { local.remove(claim.claim, ties) };
            changes.removed.sort_unstable_by(|left, right| ties.cmp_claims(*left, *right));
            changes.changed.sort_unstable_by(|left, right| run_order(left, right, ties));
            return changes;
        }
        let mut claims = self.claims();
        claims.retain(|other| other.claim != claim.claim);
        claims.extend(added.then_some(*claim));
        let before = self.runs(ties);
        self.rebuild(claims, ties);
        let after = self.runs(ties);
        compare(&before, after, ties)
    }

    /// Derives everything anew.
    fn rebuild(&mut self, claims: Vec<SlotClaim>, ties: &impl TieOrder) {
        if self.is_local() {
            self.state = State::Local(Box::new(Local::build(&claims, self.caution, self.rules, ties)));
            return;
        }
        let timeline = derive_slot(&claims, &self.rules, ties);
        let run_of = claims.iter().zip(&timeline.run_of).filter_map(|(claim, run)| {
            let run = timeline.runs.get((*run)? as usize)?;
            Some((claim.claim, run.first))
        });
        let run_of = run_of.collect();
        let claims = claims.into_iter().map(|claim| (claim.claim, claim)).collect();
        self.state = State::Whole { claims, runs: timeline.runs, run_of };
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
