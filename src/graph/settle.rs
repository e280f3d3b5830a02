//! What one transaction changes in the facts: the difference between what was believed and what follows now.
//!
//! Owns the step from derived facts to records at both ends, now and in the past. Decides nothing about who wins.

use super::adjacency::{Change, Window};
use super::claims::{ClaimCodes, Kind};
use super::record::{Detail, Mark, Packed, Past, Record};
use super::slots::{Derived, Deriver, Engines, Slot, Sort, Ties, Told, alone, is_plain};
use super::state::{Links, State};
use super::writer::Applied;
use crate::time::Start;
use crate::timeline::{EndCause, Run, SlotClaim, SlotEngine};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A fact ready to be written.
struct Written {
    head: u32,
    record: Record,
    detail: Option<Detail>,
    /// Whether it ended by another claim than its own first one.
    was_ended: bool,
}

/// So many claims in engines are kept whatever the rest of the projection holds.
const MANY: usize = 1 << 20;
/// What is new in a slot.
enum Judged {
    /// The slot was derived anew, of these claims.
    Whole(Vec<u32>, Told),
    /// Some runs, named by their first claims, are as they are given here, or gone.
    Runs(BTreeMap<u32, Option<Run>>),
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
}

impl<'a> Settling<'a> {
    pub(super) fn new(state: &'a mut State, codes: &'a mut ClaimCodes, engines: &'a mut Engines, long: usize) -> Self {
        Self { state, codes, engines, long, facts: Vec::new(), past: Vec::new() }
    }

    /// Derives every slot that a claim of `touched` stands in, as of transaction `tx`, and notes it as believed from there on.
    ///
    /// `touched` are all claims that are recorded or change in belief at `tx`, in number order. The claims from number `fresh` on
    /// support no fact yet. Where `only` is given, facts whose first claims are not among these stay as they are.
    pub(super) fn settle(&mut self, touched: &[u32], tx: u32, fresh: u32, only: Option<&[u32]>, applied: &mut Applied) {
        let mut stands: Vec<(Slot, u32)> = Vec::with_capacity(touched.len());
        for claim in touched {
            stands.extend(self.state.slots_of_claim(*claim).map(|slot| (slot, *claim)));
        }
        stands.sort_unstable();
        let mut shared = Vec::new();
        for stood in stands.chunk_by(|left, right| left.0 == right.0) {
            let Some((slot, _)) = stood.first().copied() else { continue };
            let single = self.is_single(slot);
            if single && only.is_none() && self.settle_plain(slot, stood, tx, fresh, applied) {
                continue;
            }
            let (mut group, facts) = match self.judge(slot, stood, tx) {
                Judged::Whole(members, told) => {
                    let facts: Vec<Derived> = if single { told.timeline.runs.iter().map(alone).collect() } else { Vec::new() };
                    (members, facts)
                }
                Judged::Runs(runs) if single => {
                    let firsts = runs.keys().copied().collect();
                    (firsts, runs.into_values().flatten().map(|run| alone(&run)).collect())
                }
                Judged::Runs(runs) => (self.concerned(slot, stood, &runs), Vec::new()),
            };
            if let Some(only) = only {
                group.retain(|claim| only.binary_search(claim).is_ok());
            }
            if single {
                let facts = facts.into_iter().filter(|fact| only.is_none_or(|only| only.binary_search(&fact.first).is_ok()));
                let facts = facts.collect();
                self.reconcile(&group, facts, tx, fresh, applied);
            } else {
                shared.extend(group);
            }
        }
        shared.sort_unstable();
        shared.dedup();
        if !shared.is_empty() {
            let facts = Deriver::with(self.state, tx + 1, self.engines).facts(&shared);
            self.reconcile(&shared, facts, tx, fresh, applied);
        }
        self.flush();
    }

    /// What the claims recorded or changed in belief at `tx` change in a slot.
    fn judge(&mut self, slot: Slot, stood: &[(Slot, u32)], tx: u32) -> Judged {
        let ties = Ties { state: self.state, sort: slot.sort };
        if let Some(engine) = self.engines.get_mut(&slot) {
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
                    let cause = run.as_ref().map(|run| run.cause);
                    (*first, cause.map(|cause| Links { cause, support: engine.supporters(*first, &ties).into() }))
                })
                .collect();
            for (first, links) in links {
                match links.filter(|_| self.is_single(slot)) {
                    Some(links) => self.state.links.set(first, Arc::new(links)),
                    None => drop(self.state.links.remove(first)),
                }
            }
            return Judged::Runs(runs);
        }
        let members = self.state.members(slot);
        let told = self.state.tell(slot, &members, tx + 1);
        if self.state.links.len() > 0 {
            for claim in &members {
                self.state.links.remove(*claim);
            }
        }
        if members.len() > self.long {
            self.keep(slot, &told);
        }
        Judged::Whole(members, told)
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
        if self.is_single(slot) {
            let mut support: Vec<Vec<u32>> = vec![Vec::new(); told.timeline.runs.len()];
            for (claim, run) in told.claims.iter().zip(&told.timeline.run_of) {
                if let Some(support) = run.and_then(|run| support.get_mut(run as usize)) {
                    support.push(*claim);
                }
            }
            for (run, support) in told.timeline.runs.iter().zip(support) {
                self.state.links.set(run.first, Arc::new(Links { cause: run.cause, support: support.into() }));
            }
        }
        self.engines.insert(slot, engine);
    }

    /// The claims of a long slot whose facts may change with these runs, in number order.
    fn concerned(&self, slot: Slot, stood: &[(Slot, u32)], runs: &BTreeMap<u32, Option<Run>>) -> Vec<u32> {
        let ties = Ties { state: self.state, sort: slot.sort };
        let supporters = runs
            .iter()
            .filter(|(_, run)| run.is_some())
            .flat_map(|(first, _)| self.engines.get(&slot).map(|engine| engine.supporters(*first, &ties)).unwrap_or_default());
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

    /// Whether every claim of a slot stands in no other.
    fn is_single(&self, slot: Slot) -> bool {
        let is_single = |relation: u32| self.state.relations.standing(relation).is_none_or(super::relations::Standing::is_single);
        match slot.sort {
            Sort::Class => {
                let class = self.state.relations.standing(slot.relation).map(|standing| Arc::clone(&standing.class));
                class.is_none_or(|class| class.iter().all(|relation| is_single(*relation)))
            }
            Sort::Head | Sort::Tail | Sort::Pair => is_single(slot.relation),
        }
    }

    /// The short way for a slot with one new claim that is its own fact; says whether it was one.
    fn settle_plain(&mut self, slot: Slot, stood: &[(Slot, u32)], tx: u32, fresh: u32, applied: &mut Applied) -> bool {
        let [(_, claim)] = *stood else { return false };
        if claim < fresh || self.state.steps.get(claim).is_some() || !self.state.is_alone(slot, claim) {
            return false;
        }
        let Some((row, kind, relation)) = self.state.claim(claim) else { return false };
        let (start, end) = self.state.claims.span(&row, &kind);
        if !is_plain(&kind, start, end, &self.state.rules(slot)) || !Record::fits(kind.code) {
            return false;
        }
        let packed = Packed { start: row.start, end: row.end, code: kind.code };
        let record = Self::record(packed, &kind, relation, row.tail, claim, tx);
        self.put(Written { head: row.head, record, detail: None, was_ended: false });
        applied.opened += 1;
        true
    }

    /// Writes the facts of a group of claims in place of those that were believed.
    fn reconcile(&mut self, group: &[u32], facts: Vec<Derived>, tx: u32, fresh: u32, applied: &mut Applied) {
        let known = group.get(..group.partition_point(|claim| *claim < fresh)).unwrap_or_default();
        let mut old: BTreeMap<u32, (u32, Record)> =
            known.iter().filter_map(|claim| self.state.fact(*claim).map(|found| (*claim, found))).collect();
        let mut new = Vec::with_capacity(facts.len());
        for derived in facts {
            let Some(written) = self.write(derived, tx) else { continue };
            let before = old.remove(&written.record.claim);
            match before {
                Some((_, record)) if self.is_same(record, &written) => {}
                Some((head, record)) => {
                    count(Some(record), &written, applied);
                    self.replace(head, record, tx);
                    self.put(written);
                }
                None => new.push(written),
            }
        }
        // A fact whose first claim changed goes on under another name: it is not counted as opened.
        let mut renamed: Vec<(u32, Record)> = old.into_values().collect();
        for written in new {
            let is_it = |(head, record): &(u32, Record)| {
                *head == written.head && record.other == written.record.other && record.run() == written.record.run()
            };
            let before = renamed.iter().position(is_it).map(|at| renamed.remove(at));
            count(before.map(|(_, record)| record), &written, applied);
            if let Some((head, record)) = before {
                self.replace(head, record, tx);
            }
            self.put(written);
        }
        for (head, record) in renamed {
            self.replace(head, record, tx);
        }
    }

    /// The record of a derived fact.
    fn write(&mut self, derived: Derived, tx: u32) -> Option<Written> {
        let (row, kind, relation) = self.state.claim(derived.first)?;
        let packed = self.state.claims.shapes.pack(&mut self.codes.shapes, derived.start, derived.end);
        let detailed = derived.challenged_from.is_some() || !derived.hidden.is_empty() || !Record::fits(packed.code);
        let record = Self::record(packed, &kind, relation, row.tail, derived.first, tx)
            .marked(Mark::Early, matches!(derived.start, Start::By(_)))
            .marked(Mark::Contested, derived.contested)
            .marked(Mark::Detailed, detailed);
        let was_ended = match derived.cause {
            EndCause::Stated(claim) => claim != derived.first,
            EndCause::ClosedBy(_) => true,
            EndCause::Open | EndCause::Covered(_) | EndCause::Expired => false,
        };
        let Derived { start, end, challenged_from, hidden, .. } = derived;
        let detail = detailed.then_some(Detail { start, end, challenged_from, hidden });
        Some(Written { head: row.head, record, detail, was_ended })
    }

    /// The record of a fact whose first claim has this kind.
    fn record(packed: Packed, kind: &Kind, relation: u32, tail: u32, claim: u32, tx: u32) -> Record {
        Record::outgoing(packed, relation, tail, claim, tx)
            .marked(Mark::InContext, kind.context != 0)
            .marked(Mark::Literal, kind.literal && !kind.turned)
    }

    /// Whether a record says what is to be written, but for since when.
    fn is_same(&self, record: Record, written: &Written) -> bool {
        Record { tx_from: written.record.tx_from, ..record } == written.record
            && self.state.detail(record).map(|detail| &**detail) == written.detail.as_ref()
    }

    /// Ends the belief in a fact.
    fn replace(&mut self, head: u32, record: Record, tx: u32) {
        if record.tx_from < tx {
            let detail = self.state.detail(record).cloned().map_or(0, |detail| {
                self.state.past_details.push(Some(detail));
                u32::try_from(self.state.past_details.len()).unwrap_or(u32::MAX)
            });
            self.change_past(head, Past { record, tx_to: tx, detail }, true);
        }
        self.take(head, record);
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
        let Written { head, record, detail, .. } = written;
        self.facts.push(Change { term: head, entry: record, put: true });
        self.facts.push(Change { term: record.other, entry: record.incoming(head), put: true });
        if self.state.claims.row(record.claim).is_some_and(|row| row.start != record.start) {
            self.state.moved.set(record.claim, record.start);
        }
        if let Some(detail) = detail {
            self.state.details.set(record.claim, Arc::new(detail));
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
        self.state.facts.apply(&mut self.facts);
        self.state.past.apply(&mut self.past);
        self.facts.clear();
        self.past.clear();
    }
}

/// Counts what became of one fact.
fn count(before: Option<Record>, written: &Written, applied: &mut Applied) {
    let record = written.record;
    match before {
        None => {
            applied.opened += 1;
            applied.closed += u64::from(!record.is_open() && written.was_ended);
        }
        Some(before) => {
            applied.closed += u64::from(before.is_open() && !record.is_open());
            applied.reopened += u64::from(!before.is_open() && record.is_open());
        }
    }
    applied.contested += u64::from(record.is_contested() && !before.is_some_and(Record::is_contested));
}

/// What became of the facts that claims were the first of.
pub(super) fn compare(before: &State, after: &State, claims: impl Iterator<Item = u32>) -> Applied {
    let mut applied = Applied::default();
    for claim in claims {
        let (old, new) = (before.fact(claim), after.fact(claim));
        if let Some((head, record)) = new {
            let written = Written { head, record, detail: None, was_ended: false };
            count(old.map(|(_, record)| record), &written, &mut applied);
        }
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
