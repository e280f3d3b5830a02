//! Which claims are believed from which transaction on: retractions, restorations and corrections.
//!
//! Owns what takes belief away and gives it back. Knows nothing of what follows for the facts.

use super::claims::Claims;
use super::state::{State, Step};
use crate::model::{ClaimId, Polarity};
use rustc_hash::FxHashMap;

/// A retraction or restoration.
#[derive(Clone, Copy, Debug)]
struct Toggle {
    /// Its place among claims and toggles; see [`after`].
    order: u64,
    tx: u32,
    believed: bool,
}

/// What a claim corrects.
#[derive(Clone, Copy, Debug)]
struct Corrects {
    claim: Option<ClaimId>,
    tail: Option<u32>,
}

/// Claims that a correction by tail may hit: head, canonical relation, tail, context.
type Target = (u32, u32, u32, u32);

/// The writer's memory of everything that decides belief.
#[derive(Debug, Default)]
pub(super) struct Beliefs {
    of_claim: FxHashMap<u32, Vec<Toggle>>,
    of_observation: FxHashMap<u32, Vec<Toggle>>,
    corrects: FxHashMap<u32, Corrects>,
    by_id: FxHashMap<ClaimId, Vec<u32>>,
    by_tail: FxHashMap<Target, Vec<u32>>,
    counted: u32,
}

/// The place of a claim in the order of everything recorded.
fn after(claim: u32) -> u64 {
    (u64::from(claim) + 1) << 32
}

/// What happens to the belief in one claim.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// It is named by a retraction or restoration.
    Told(bool),
    /// The corrector at this place among its correctors begins or ceases to correct it.
    Corrected(usize, bool),
}

impl Beliefs {
    /// Whether nothing takes belief from anything.
    pub(super) fn is_empty(&self) -> bool {
        self.of_claim.is_empty() && self.of_observation.is_empty() && self.corrects.is_empty()
    }

    /// A retraction or restoration of a claim; `claims` have been recorded before it.
    pub(super) fn tell_claim(&mut self, claim: u32, claims: u32, tx: u32, believed: bool) {
        let toggle = self.toggle(claims, tx, believed);
        self.of_claim.entry(claim).or_default().push(toggle);
    }

    /// A retraction or restoration of all claims of an observation.
    pub(super) fn tell_observation(&mut self, observation: u32, claims: u32, tx: u32, believed: bool) {
        let toggle = self.toggle(claims, tx, believed);
        self.of_observation.entry(observation).or_default().push(toggle);
    }

    fn toggle(&mut self, claims: u32, tx: u32, believed: bool) -> Toggle {
        self.counted += 1;
        Toggle { order: u64::from(claims) << 32 | u64::from(self.counted), tx, believed }
    }

    /// Notes what a claim corrects; nothing follows before [`Beliefs::enlist`].
    pub(super) fn note(&mut self, claim: u32, corrected: Option<ClaimId>, tail: Option<u32>) {
        if corrected.is_some() || tail.is_some() {
            self.corrects.insert(claim, Corrects { claim: corrected, tail });
        }
    }

    /// The tail that a claim corrects.
    pub(super) fn corrected_tail(&self, claim: u32) -> Option<u32> {
        self.corrects.get(&claim)?.tail
    }

    /// Lets a claim correct what it corrects.
    pub(super) fn enlist(&mut self, state: &State, claim: u32) {
        let Some(corrects) = self.corrects.get(&claim).copied() else { return };
        if let Some(id) = corrects.claim {
            self.by_id.entry(id).or_default().push(claim);
        }
        for (_, target) in self.targets(state, claim) {
            self.by_tail.entry(target).or_default().push(claim);
        }
    }

    /// Lets a claim that is enlisted correct what it corrects now that it, or what it corrects, is filed elsewhere.
    pub(super) fn enlist_anew(&mut self, state: &State, claim: u32) {
        for (_, target) in self.targets(state, claim) {
            let correctors = self.by_tail.entry(target).or_default();
            if !correctors.contains(&claim) {
                correctors.push(claim);
            }
        }
    }

    /// The claims that correct a tail, in number order, with the tail.
    pub(super) fn corrected_tails(&self) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> =
            self.corrects.iter().filter_map(|(claim, corrects)| corrects.tail.map(|tail| (*claim, tail))).collect();
        found.sort_unstable();
        found
    }

    /// What a claim corrects by its tail, each since a transaction, the first since ever; one target where nothing it names was merged.
    fn targets(&self, state: &State, claim: u32) -> Vec<(u32, Target)> {
        let Some(tail) = self.corrected_tail(claim) else { return Vec::new() };
        let merged = &state.merged;
        let filed = merged.rows_of(claim).flat_map(|row| merged.filed(row)).map(|step| step.tx);
        let mut since: Vec<u32> = filed.chain(merged.history(tail).iter().map(|since| since.tx)).map(|tx| tx + 1).chain([0]).collect();
        since.sort_unstable();
        since.dedup();
        let target = |txs: u32| target_of(state, merged.row_at(claim, txs), merged.canonical(tail, txs));
        since.into_iter().filter_map(|txs| Some((txs.saturating_sub(1), target(txs)?))).collect()
    }

    /// Since when a corrector names a claim, or not, the first since ever; nothing where it always does.
    fn names(&self, state: &State, corrector: u32, claim: u32) -> Vec<(u32, bool)> {
        let by_id = self.corrects.get(&corrector).and_then(|corrects| corrects.claim);
        if state.merged.is_empty() || by_id.is_some() && by_id == state.claims.id(claim) {
            return Vec::new();
        }
        let targets = self.targets(state, corrector);
        let filed = state.merged.rows_of(claim).flat_map(|row| state.merged.filed(row)).map(|step| step.tx);
        let mut since: Vec<u32> = filed.chain(targets.iter().map(|(since, _)| *since)).chain([0]).collect();
        since.sort_unstable();
        since.dedup();
        let target = |tx: u32| targets.iter().rfind(|(since, _)| *since <= tx).map(|(_, target)| *target);
        let names = |tx: u32| match target(tx) {
            Some(target) => speaks_of(state, corrector, target, claim, tx + 1),
            None => key_of(state, claim, tx + 1).is_none(),
        };
        since.into_iter().map(|tx| (tx, names(tx))).collect()
    }

    /// All retractions and restorations: transaction and claims named, in transaction order.
    pub(super) fn told(&self, claims: &Claims) -> Vec<(u32, Vec<u32>)> {
        let of_claim = self.of_claim.iter().flat_map(|(claim, toggles)| toggles.iter().map(|toggle| (toggle.tx, vec![*claim])));
        let of_observation = self.of_observation.iter().flat_map(|(observation, toggles)| {
            toggles.iter().map(|toggle| (toggle.tx, claims.claims_of(*observation).collect::<Vec<u32>>()))
        });
        let mut told: Vec<_> = of_claim.chain(of_observation).collect();
        told.sort_unstable();
        told
    }

    /// Forgets all enlisted correctors (policies change what they hit).
    pub(super) fn dismiss(&mut self) {
        self.by_id.clear();
        self.by_tail.clear();
    }

    /// The claims from one on that correct others, in no order.
    pub(super) fn correctors_from(&self, first: u32) -> impl Iterator<Item = u32> {
        self.corrects.keys().copied().filter(move |claim| *claim >= first)
    }

    /// The recorded claims that a claim corrects, itself left out.
    pub(super) fn hit_by(&self, state: &State, claim: u32) -> Vec<u32> {
        let Some(corrects) = self.corrects.get(&claim) else { return Vec::new() };
        let mut hit: Vec<u32> = corrects.claim.and_then(|id| state.claims.find(id)).into_iter().collect();
        for (_, (head, relation, tail, context)) in self.targets(state, claim) {
            hit.extend(state.pair(head, relation, tail, context).into_iter().map(|row| state.merged.origin(row)));
        }
        hit.retain(|other| *other != claim);
        hit
    }

    /// Whether anything might take belief from a claim.
    pub(super) fn concerns(&self, state: &State, claim: u32) -> bool {
        if self.is_empty() {
            return false;
        }
        let Some((row, kind, relation)) = state.claim(claim) else { return false };
        self.of_claim.contains_key(&claim)
            || self.of_observation.contains_key(&row.observation)
            || self.by_tail.contains_key(&(row.head, relation, row.tail, kind.context))
            || !self.by_id.is_empty() && state.claims.id(claim).is_some_and(|id| self.by_id.contains_key(&id))
    }

    /// When a claim began and ceased to be believed after it was recorded, from everything enlisted; nothing where it always was.
    pub(super) fn steps(&self, state: &State, claim: u32) -> Vec<Step> {
        let Some((row, ..)) = state.claim(claim) else { return Vec::new() };
        let mut events: Vec<(u64, u32, Event)> =
            self.toggles(claim, row.observation).map(|toggle| (toggle.order, toggle.tx, Event::Told(toggle.believed))).collect();
        let correctors = self.correctors(state, claim);
        for (at, corrector) in correctors.iter().enumerate() {
            let since = claim.max(*corrector);
            let Some(their) = state.claims.row(*corrector) else { continue };
            let mut toggles: Vec<Toggle> = self.toggles(*corrector, their.observation).collect();
            toggles.sort_by_key(|toggle| toggle.order);
            let later = toggles.partition_point(|toggle| toggle.order < after(since));
            let (before, later) = toggles.split_at(later);
            let (tx, mut believed) = (state.claims.tx_of(since), before.last().is_none_or(|toggle| toggle.believed));
            let names = self.names(state, *corrector, claim);
            let mut named = names.iter().rfind(|(since, _)| *since <= tx).is_none_or(|(_, names)| *names);
            events.push((after(since), tx, Event::Corrected(at, believed && named)));
            let merges = names.iter().filter(|(since, _)| *since > tx);
            let merges = merges.map(|(tx, names)| (u64::from(state.claims.recorded_by(tx + 1)) << 32, *tx, None, Some(*names)));
            let mut changes: Vec<(u64, u32, Option<bool>, Option<bool>)> =
                later.iter().map(|toggle| (toggle.order, toggle.tx, Some(toggle.believed), None)).chain(merges).collect();
            changes.sort_by_key(|(order, tx, ..)| (*tx, *order));
            for (order, tx, toggled, renamed) in changes {
                (believed, named) = (toggled.unwrap_or(believed), renamed.unwrap_or(named));
                events.push((order, tx, Event::Corrected(at, believed && named)));
            }
        }
        events.sort_by_key(|(order, tx, _)| (*tx, *order));
        replay(&events, correctors.len())
    }

    /// Drops what was told of an erased claim and what it corrected. To be called while its row still stands.
    pub(super) fn forget(&mut self, state: &State, claim: u32) {
        self.of_claim.remove(&claim);
        let targets = self.targets(state, claim);
        let Some(corrects) = self.corrects.remove(&claim) else { return };
        if let Some(id) = corrects.claim
            && let Some(correctors) = self.by_id.get_mut(&id)
        {
            correctors.retain(|corrector| *corrector != claim);
            if correctors.is_empty() {
                self.by_id.remove(&id);
            }
        }
        for (_, target) in targets {
            if let Some(correctors) = self.by_tail.get_mut(&target) {
                correctors.retain(|corrector| *corrector != claim);
                if correctors.is_empty() {
                    self.by_tail.remove(&target);
                }
            }
        }
    }

    /// Drops what was told of an erased observation.
    pub(super) fn forget_observation(&mut self, observation: u32) {
        self.of_observation.remove(&observation);
    }

    fn toggles(&self, claim: u32, observation: u32) -> impl Iterator<Item = Toggle> {
        self.of_claim.get(&claim).into_iter().chain(self.of_observation.get(&observation)).flatten().copied()
    }

    /// The enlisted claims that correct a claim: observed no earlier where they name a tail, and of no lower rank.
    fn correctors(&self, state: &State, claim: u32) -> Vec<u32> {
        let Some((row, kind, relation)) = state.claim(claim) else { return Vec::new() };
        let mut found = Vec::new();
        let outranks = |corrector: u32| {
            let their = state.claims.row(corrector).map(|row| (row.observation, state.claims.kind(row).authority.rank()));
            their.filter(|(_, rank)| corrector != claim && *rank >= kind.authority.rank())
        };
        if let Some(by_id) = state.claims.id(claim).and_then(|id| self.by_id.get(&id)) {
            found.extend(by_id.iter().copied().filter(|corrector| outranks(*corrector).is_some()));
        }
        let observed_at = state.claims.observed_at(row.observation);
        let hits = |corrector: &u32| {
            let is_later = outranks(*corrector).is_some_and(|(their, _)| state.claims.observed_at(their) >= observed_at);
            // Where something was merged, [`Beliefs::names`] tells since when it is so.
            is_later
                && (!state.merged.is_empty()
                    || self.targets(state, *corrector).iter().any(|(_, target)| speaks_of(state, *corrector, *target, claim, 1)))
        };
        for row in state.merged.rows_of(claim).filter_map(|row| state.claims.row(row)) {
            if let Some(by_tail) = self.by_tail.get(&(row.head, relation, row.tail, kind.context)) {
                found.extend(by_tail.iter().copied().filter(hits));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Where a claim stands after so many transactions.
fn key_of(state: &State, claim: u32, txs: u32) -> Option<Target> {
    state.claim(state.merged.row_at(claim, txs)).map(|(row, kind, relation)| (row.head, relation, row.tail, kind.context))
}

/// Whether a corrector of this target speaks of a claim after so many transactions. Where it corrects its own value, it puts right what
/// was said alike, a start by a start and an end by an end: who left in 2020, and not in 2019, had still begun. Where it denies its own
/// value, it takes back all that was said of it.
fn speaks_of(state: &State, corrector: u32, target: Target, claim: u32, txs: u32) -> bool {
    let polarity = |claim: u32| state.claims.row(claim).map(|row| state.claims.kind(row).polarity);
    let speaks_alike = || polarity(corrector) == polarity(claim) || polarity(corrector) == Some(Polarity::Never);
    key_of(state, claim, txs) == Some(target) && (key_of(state, corrector, txs) != Some(target) || speaks_alike())
}

/// The claims that a correction by tail names, turned as the canonical relation has it.
fn target_of(state: &State, claim: u32, tail: u32) -> Option<Target> {
    let (row, kind, relation) = state.claim(claim)?;
    let stated_head = if kind.turned { row.tail } else { row.head };
    let (_, inverted) = state.relations.canonical(kind.stated);
    let (head, tail) = if inverted { (tail, stated_head) } else { (stated_head, tail) };
    let swap = state.relations.standing(relation).is_some_and(|standing| standing.symmetric) && state.terms.cmp(tail, head).is_lt();
    let (head, tail) = if swap { (tail, head) } else { (head, tail) };
    Some((head, relation, tail, kind.context))
}

/// The belief after each transaction that changes it.
fn replay(events: &[(u64, u32, Event)], correctors: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut retracted = false;
    let mut restored_at = None;
    let mut correcting_since: Vec<Option<u64>> = vec![None; correctors];
    for (order, tx, event) in events {
        match *event {
            Event::Told(believed) => {
                retracted = !believed;
                restored_at = believed.then_some(*order);
            }
            Event::Corrected(at, corrects) => {
                if let Some(since) = correcting_since.get_mut(at) {
                    *since = if corrects { since.or(Some(*order)) } else { None };
                }
            }
        }
        // A restoration outweighs the corrections before it.
        let believed = !retracted && correcting_since.iter().flatten().all(|since| restored_at.is_some_and(|restored| restored > *since));
        match steps.last_mut() {
            Some(last) if last.tx == *tx => last.believed = believed,
            _ => steps.push(Step { tx: *tx, believed }),
        }
    }
    let mut before = true;
    steps.retain(|step| std::mem::replace(&mut before, step.believed) != step.believed);
    steps
}
