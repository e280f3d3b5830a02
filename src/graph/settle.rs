//! What one transaction changes in the facts: the difference between what was believed and what follows now.
//!
//! Owns the step from derived facts to records at both ends, now and in the past. Decides nothing about who wins.

use super::adjacency::{Change, Window};
use super::chronicle::{Chronicler, Ended};
use super::claims::ClaimCodes;
use super::judge::{Before, Judge, Judged, Rewrite, Stood, WORTH_A_THREAD, Written, reconcile, written};
use super::record::{Detail, Past, Record};
use super::slots::{Derived, Deriver, Engines, Slot, Ties, Told, alone};
use super::state::{Links, State};
use super::writer::Applied;
use crate::model::ClaimId;
use crate::timeline::{Run, SlotClaim, SlotEngine};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many claims in engines are kept whatever the rest of the projection holds.
const MANY: usize = 1 << 20;
/// Where more than one claim in so many of a long slot changes at once, its engine is begun anew.
const MANY_AT_ONCE: usize = 16;
/// What a fact of a long slot rests on is kept beside it up to so many claims: a change to one that rests on more would cost all of them.
const KEPT_SUPPORT: usize = 64;
/// So many slots are judged before what they come to is written.
const TOGETHER: usize = 1 << 15;

/// The slots of so many terms are told before what they come to is written: more at once would take much memory.
const ROUND: u32 = 1 << 17;

/// What is new in a slot that has an engine.
enum News {
    /// It has just got one: all its claims, and what it says.
    All(Vec<u32>, Told),
    /// Some runs, named by their first claims, are as they are given here, or gone.
    Runs(BTreeMap<u32, Option<Run>>),
}

/// What is settled.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The transaction: facts are believed from there on.
    pub(super) tx: u32,
    /// The claims from this number on support no fact yet.
    pub(super) fresh: u32,
    /// Where given, facts whose first claims are not among these, in number order, stay as they are.
    pub(super) only: Option<&'a [u32]>,
}

impl Scope<'_> {
    fn holds(self, first: u32) -> bool {
        self.only.is_none_or(|only| only.binary_search(&first).is_ok())
    }
}

/// Collects what changes, and makes the changes at once.
pub(super) struct Settling<'a> {
    state: &'a mut State,
    codes: &'a mut ClaimCodes,
    engines: &'a mut Engines,
    /// A slot with more claims than this gets an engine, which finds what changes without deriving all of it.
    long: usize,
    facts: Vec<Change<Record>>,
    past: Vec<Change<Past>>,
    /// What becomes of facts, where some move to another head or tail: those are counted once all is known.
    moves: Option<Vec<Became>>,
}

/// A fact as it was and as it is, with whether that ended by another claim than its own first one; one of the two may be missing.
pub(super) type Became = (Option<Record>, Option<(Record, bool)>);

impl<'a> Settling<'a> {
    pub(super) fn new(state: &'a mut State, codes: &'a mut ClaimCodes, engines: &'a mut Engines, long: usize) -> Self {
        Self { state, codes, engines, long, facts: Vec::new(), past: Vec::new(), moves: None }
    }

    /// The same, where claims are filed elsewhere: a fact that is told of another head or tail is the one that it was.
    pub(super) fn moving(mut self, moves: bool) -> Self {
        self.moves = moves.then(Vec::new);
        self
    }

    /// Derives every slot that a claim of `touched` stands in: all claims that are recorded or change in belief at the transaction, in
    /// number order.
    pub(super) fn settle(&mut self, touched: &[u32], scope: Scope<'_>, applied: &mut Applied) {
        let mut stands: Vec<(Slot, u32)> = Vec::with_capacity(touched.len());
        for claim in touched {
            stands.extend(self.state.slots_of_claim(*claim).map(|slot| (slot, *claim)));
        }
        stands.sort_unstable();
        let slots: Vec<Stood<'_>> = stands.chunk_by(|left, right| left.0 == right.0).collect();
        let mut shared = Vec::new();
        for slots in slots.chunks(TOGETHER) {
            for (stood, judged) in slots.iter().zip(self.judge(scope).all(slots, scope.only.is_none())) {
                self.carry_out(stood, judged, scope, &mut shared, applied);
            }
        }
        shared.sort_unstable();
        shared.dedup();
        if !shared.is_empty() {
            let facts = Deriver::with(self.state, scope.tx + 1, self.engines).facts(&shared);
            let before = self.judge(scope).before(&shared);
            self.reconcile(before, facts, scope.tx, applied);
        }
        self.flush();
        self.count_moves(applied);
    }

    /// Counts what became of facts, those that vanished in one place and appeared in another as one each.
    fn count_moves(&mut self, applied: &mut Applied) {
        let Some(moves) = self.moves.take() else { return };
        let claims = &self.state.claims;
        let mut appeared: BTreeMap<Option<ClaimId>, (Record, bool)> = BTreeMap::new();
        let mut vanished: Vec<Record> = Vec::new();
        for (before, after) in moves {
            match (before, after) {
                (Some(before), None) => vanished.push(before),
                (None, Some(after)) => drop(appeared.insert(claims.id(after.0.claim), after)),
                both => count(both, applied),
            }
        }
        for before in vanished {
            count((Some(before), appeared.remove(&claims.id(before.claim))), applied);
        }
        for after in appeared.into_values() {
            count((None, Some(after)), applied);
        }
    }

    /// Tells all slots of a projection without facts through all transactions that brought or changed claims in them; returns the claims,
    /// in number order, whose slots have to be gone through transaction by transaction.
    pub(super) fn begin(&mut self, applied: &mut Applied) -> Vec<u32> {
        let terms = u32::try_from(self.state.terms.len()).unwrap_or(u32::MAX);
        let mut left = Vec::new();
        for first in (0..terms).step_by(ROUND as usize) {
            let chronicler = Chronicler { state: self.state, shapes: &self.codes.shapes, long: self.long };
            for chronicle in chronicler.all(first..terms.min(first.saturating_add(ROUND))) {
                *applied = applied.plus(chronicle.applied);
                for written in chronicle.now {
                    self.put(written);
                }
                for Ended { head, record, detail, tx_to } in chronicle.past {
                    self.keep_past(head, record, detail, tx_to);
                }
                left.extend(chronicle.left);
            }
            self.flush();
        }
        left.sort_unstable();
        left
    }

    /// Settles claims that are all recorded, with all that was ever told of the belief in them, one transaction after the other; facts whose
    /// first claims are not among `only`, if that is given, stay as they are.
    pub(super) fn go_through(&mut self, claims: &[u32], only: Option<&[u32]>, applied: &mut Applied) {
        let state = &*self.state;
        let steps = |claim: u32| state.steps.get(claim).into_iter().flat_map(|steps| steps.iter().map(|step| step.tx));
        let txs = claims.iter().flat_map(|claim| std::iter::once(state.claims.tx_of(*claim)).chain(steps(*claim)).map(|tx| (tx, *claim)));
        let mut events: Vec<(u32, u32)> = txs.collect();
        events.sort_unstable();
        events.dedup();
        for events in events.chunk_by(|left, right| left.0 == right.0) {
            let tx = events.first().map_or(0, |(tx, _)| *tx);
            let touched: Vec<u32> = events.iter().map(|(_, claim)| *claim).collect();
            // Only where no fact is derived yet does one know which claims support none.
            let fresh = if only.is_none() { self.state.claims.recorded_by(tx) } else { u32::MAX };
            self.settle(&touched, Scope { tx, fresh, only }, applied);
        }
    }

    fn judge(&self, Scope { tx, fresh, .. }: Scope<'_>) -> Judge<'_> {
        Judge { state: self.state, engines: self.engines, shapes: &self.codes.shapes, long: self.long, tx, fresh }
    }

    /// Writes what a slot comes to; its claims join the `shared` ones if some of them stand in further slots.
    fn carry_out(&mut self, stood: Stood<'_>, judged: Judged, scope: Scope<'_>, shared: &mut Vec<u32>, applied: &mut Applied) {
        let (before, mut facts) = match judged {
            Judged::Plain(head, record) => {
                let after = Written { head, record, detail: None, was_ended: false, was_moved: false };
                return self.rewrite([Rewrite { before: None, after: Some(after) }], scope.tx, applied);
            }
            Judged::Shared(members) => {
                self.unlink(&members);
                return shared.extend(members.into_iter().filter(|claim| scope.holds(*claim)));
            }
            Judged::Settled(members, rewrites) => {
                self.unlink(&members);
                return self.rewrite(rewrites, scope.tx, applied);
            }
            Judged::Single(members, before, facts) => {
                self.unlink(&members);
                (before, facts)
            }
            Judged::Engine => {
                let Some((slot, _)) = stood.first().copied() else { return };
                let (group, facts) = match self.work(slot, stood, scope.tx) {
                    News::All(members, told) => (members, told.timeline.runs.iter().map(alone).collect()),
                    News::Runs(runs) if self.state.is_single(slot) => {
                        let firsts = runs.keys().copied().collect();
                        (firsts, runs.into_values().flatten().map(|run| alone(&run)).collect())
                    }
                    News::Runs(runs) => (self.concerned(slot, stood, &runs), Vec::new()),
                };
                if !self.state.is_single(slot) {
                    return shared.extend(group.into_iter().filter(|claim| scope.holds(*claim)));
                }
                (self.judge(scope).before(&group), facts)
            }
        };
        let before = before.into_iter().filter(|(_, record)| scope.holds(record.claim)).collect();
        facts.retain(|fact| scope.holds(fact.first));
        self.reconcile(before, facts, scope.tx, applied);
    }

    /// Forgets what was kept of why the facts of these claims are as they are.
    fn unlink(&mut self, members: &[u32]) {
        if self.state.links.len() > 0 {
            for claim in members {
                self.state.links.remove(*claim);
            }
        }
    }

    /// What the claims recorded or changed in belief at `tx` change in a slot, by its engine.
    fn work(&mut self, slot: Slot, stood: Stood<'_>, tx: u32) -> News {
        let ties = Ties { state: self.state, sort: slot.sort };
        let many =
            stood.len() > 1 && self.engines.get(&slot).is_some_and(|engine| engine.is_whole() || stood.len() > engine.len() / MANY_AT_ONCE);
        if let Some(engine) = self.engines.get_mut(&slot).filter(|_| !many) {
            let mut runs = BTreeMap::new();
            for (_, claim) in stood {
                let believed = *claim < self.state.claims.recorded_by(tx + 1) && self.state.is_believed(*claim, tx + 1);
                let changes = match self.state.slot_claim(slot, *claim).filter(|_| believed) {
                    Some(claim) => engine.insert(claim, &ties),
                    None => engine.remove(*claim, &ties),
                };
                runs.extend(changes.removed.into_iter().map(|first| (first, None)));
                runs.extend(changes.changed.into_iter().map(|run| (run.first, Some(run))));
            }
            let links: Vec<(u32, Option<Links>)> = runs
                .iter()
                .map(|(first, run)| {
                    let support = engine.supporters(*first, KEPT_SUPPORT, &ties);
                    let links = run.as_ref().zip(support).map(|(run, support)| Links { cause: run.cause, support: support.into() });
                    (*first, links)
                })
                .collect();
            for (first, links) in links {
                match links.filter(|_| self.state.is_single(slot)) {
                    Some(links) => self.state.links.set(first, Arc::new(links)),
                    None => drop(self.state.links.remove(first)),
                }
            }
            return News::Runs(runs);
        }
        let members = self.state.members(slot);
        let told = self.state.tell(slot, &members, tx + 1);
        self.unlink(&members);
        self.keep(slot, &told);
        News::All(members, told)
    }

    /// Begins to keep an engine for a slot that has grown long.
    fn keep(&mut self, slot: Slot, told: &Told) {
        let held: usize = self.engines.values().map(SlotEngine::len).sum();
        if held > self.state.claims.live() / 4 + MANY {
            // Engines are made anew when they are needed.
            self.engines.clear();
        }
        let claims: Vec<SlotClaim> = told.claims.iter().filter_map(|claim| self.state.slot_claim(slot, *claim)).collect();
        let ties = Ties { state: self.state, sort: slot.sort };
        let engine = SlotEngine::of(self.state.rules(slot), &claims, &ties);
        if self.state.is_single(slot) {
            let mut support: Vec<Vec<u32>> = vec![Vec::new(); told.timeline.runs.len()];
            for (claim, run) in told.claims.iter().zip(&told.timeline.run_of) {
                if let Some(support) = run.and_then(|run| support.get_mut(run as usize)) {
                    support.push(*claim);
                }
            }
            for (run, support) in told.timeline.runs.iter().zip(support).filter(|(_, support)| support.len() <= KEPT_SUPPORT) {
                self.state.links.set(run.first, Arc::new(Links { cause: run.cause, support: support.into() }));
            }
        }
        self.engines.insert(slot, engine);
    }

    /// The claims of a long slot whose facts may change with these runs, in number order.
    fn concerned(&self, slot: Slot, stood: Stood<'_>, runs: &BTreeMap<u32, Option<Run>>) -> Vec<u32> {
        let ties = Ties { state: self.state, sort: slot.sort };
        let supporters = runs.iter().filter(|(_, run)| run.is_some()).flat_map(|(first, _)| {
            self.engines.get(&slot).and_then(|engine| engine.supporters(*first, usize::MAX, &ties)).unwrap_or_default()
        });
        let mut concerned: Vec<u32> = supporters.chain(runs.keys().copied()).chain(stood.iter().map(|(_, claim)| *claim)).collect();
        concerned.sort_unstable();
        concerned.dedup();
        concerned
    }

    /// Takes out every fact, believed now or in the past, whose first claim is one of the group (in number order).
    pub(super) fn withdraw(&mut self, group: &[u32]) {
        let mut heads: Vec<u32> = Vec::new();
        for claim in group {
            if let Some((head, record)) = self.state.fact(*claim) {
                self.take(head, record);
            }
            heads.extend(self.state.claims.row(*claim).map(|row| row.head));
        }
        heads.sort_unstable();
        heads.dedup();
        for head in heads {
            let past: Vec<Past> = self.state.past.of(head).slices(0, u128::MAX, Window::ALL).flatten().copied().collect();
            for past in past {
                if past.record.is_outgoing() && group.binary_search(&past.record.claim).is_ok() {
                    self.change_past(head, past, false);
                    if let Some(slot) = (past.detail as usize).checked_sub(1).and_then(|at| self.state.past_details.get_mut(at)) {
                        *slot = None;
                    }
                }
            }
        }
        self.flush();
    }

    /// Writes facts in place of those that were believed before.
    fn reconcile(&mut self, before: Before, facts: Vec<Derived>, tx: u32, applied: &mut Applied) {
        let mut after = Vec::with_capacity(facts.len());
        for derived in facts {
            let packed = self.state.claims.shapes.pack(&mut self.codes.shapes, derived.start, derived.end);
            after.extend(written(self.state, derived, packed, tx));
        }
        let rewrites = reconcile(before, after, |record| self.state.detail(record));
        self.rewrite(rewrites, tx, applied);
    }

    fn rewrite(&mut self, rewrites: impl IntoIterator<Item = Rewrite>, tx: u32, applied: &mut Applied) {
        for rewrite in rewrites {
            let became = became(&rewrite);
            match &mut self.moves {
                Some(moves) => moves.push(became),
                None => count(became, applied),
            }
            let Rewrite { before, after } = rewrite;
            if let Some((head, record)) = before {
                self.replace(head, record, tx);
            }
            if let Some(written) = after {
                self.put(written);
            }
        }
    }

    /// Ends the belief in a fact.
    fn replace(&mut self, head: u32, record: Record, tx: u32) {
        if record.tx_from < tx {
            self.keep_past(head, record, self.state.detail(record).cloned(), tx);
        }
        self.take(head, record);
    }

    /// Keeps a fact as it was believed until a transaction.
    fn keep_past(&mut self, head: u32, record: Record, detail: Option<Arc<Detail>>, tx_to: u32) {
        let detail = detail.map_or(0, |detail| {
            self.state.past_details.push(Some(detail));
            u32::try_from(self.state.past_details.len()).unwrap_or(u32::MAX)
        });
        self.change_past(head, Past { record, tx_to, detail }, true);
    }

    fn take(&mut self, head: u32, record: Record) {
        self.facts.push(Change { term: head, entry: record, put: false });
        self.facts.push(Change { term: record.other, entry: record.incoming(head), put: false });
        self.state.moved.remove(record.claim);
        if record.is_detailed() {
            self.state.details.remove(record.claim);
        }
        let tally = &mut self.state.tally;
        tally.facts -= 1;
        tally.open -= u64::from(record.is_open());
        tally.contested -= u64::from(record.is_contested());
    }

    fn put(&mut self, written: Written) {
        let Written { head, record, detail, was_moved, .. } = written;
        self.facts.push(Change { term: head, entry: record, put: true });
        self.facts.push(Change { term: record.other, entry: record.incoming(head), put: true });
        if was_moved {
            self.state.moved.set(record.claim, record.start);
        }
        if let Some(detail) = detail {
            self.state.details.set(record.claim, detail);
        }
        let tally = &mut self.state.tally;
        tally.facts += 1;
        tally.open += u64::from(record.is_open());
        tally.contested += u64::from(record.is_contested());
    }

    fn change_past(&mut self, head: u32, past: Past, put: bool) {
        self.past.push(Change { term: head, entry: past, put });
        let incoming = Past { record: past.record.incoming(head), ..past };
        self.past.push(Change { term: past.record.other, entry: incoming, put });
    }

    /// Makes the changes collected.
    fn flush(&mut self) {
        let (facts, past) = (&mut self.facts, &mut self.past);
        if past.len() < WORTH_A_THREAD {
            self.state.facts.apply(facts);
            self.state.past.apply(past);
        } else {
            let (of_facts, of_past) = (&mut self.state.facts, &mut self.state.past);
            std::thread::scope(|scope| {
                scope.spawn(|| of_past.apply(past));
                of_facts.apply(facts);
            });
        }
        self.facts.clear();
        self.past.clear();
    }
}

/// A rewrite as what became of a fact.
pub(super) fn became(rewrite: &Rewrite) -> Became {
    (rewrite.before.map(|(_, record)| record), rewrite.after.as_ref().map(|written| (written.record, written.was_ended)))
}

/// Counts what became of one fact.
pub(super) fn count(became: Became, applied: &mut Applied) {
    match became {
        (None, None) => {}
        (Some(_), None) => applied.withdrawn += 1,
        (None, Some((record, was_ended))) => {
            applied.opened += 1;
            applied.closed += u64::from(!record.is_open() && was_ended);
            applied.contested += u64::from(record.is_contested());
        }
        (Some(before), Some((record, _))) => {
            let contested = !before.is_contested() && record.is_contested();
            applied.contested += u64::from(contested);
            match (before.is_open(), record.is_open()) {
                (true, false) => applied.closed += 1,
                (false, true) => applied.reopened += 1,
                (true, true) | (false, false) => {
                    let respelt = before.packed() == record.packed() && before.is_contested() == record.is_contested();
                    applied.changed += u64::from(!contested && !respelt);
                }
            }
        }
    }
}

/// What became of the facts that claims were the first of.
pub(super) fn compare(before: &State, after: &State, claims: &[u32]) -> Applied {
    let old = claims.iter().filter_map(|claim| before.fact(*claim)).collect();
    let new = claims.iter().filter_map(|claim| after.fact(*claim)).map(|(head, record)| {
        let detail = after.detail(record).cloned();
        Written { head, record, detail, was_ended: false, was_moved: false }
    });
    let mut applied = Applied::default();
    for rewrite in reconcile(old, new.collect(), |record| before.detail(record)) {
        count(became(&rewrite), &mut applied);
    }
    applied
}

#[cfg(test)]
mod tests {
    use super::super::adjacency::Entry;
    use super::*;

    #[test]
    fn keys_of_records_ignore_what_readers_do_not_sort_by() {
        let record = Record { start: 5, end: 9, claim: 3, ..Record::default() };
        assert_eq!(record.key(), Record { end: 7, tx_from: 2, ..record }.key());
        assert!(record.key() < Record { claim: 4, ..record }.key());
        assert!(record.key() < record.incoming(0).key());
        assert!(Record { start: -5, ..record }.key() < record.key());
    }
}
