//! What slots without any fact have come to, each told through all transactions that brought or changed claims in it: nothing is
//! written in between, and what a slot lies in is read once.
//!
//! Owns the way from a term's claims to its slots. What one transaction changes in a slot is said as `judge` says it; writes nothing.

use super::adjacency::Window;
use super::judge::{Before, Rewrite, THREADS, Written, plain, reconcile, written};
use super::record::{Detail, Record, ShapeCodes, Shapes};
use super::settle::{became, count};
use super::slots::{Slot, Sort, Ties, alone, stood};
use super::state::State;
use super::writer::Applied;
use crate::timeline::{SlotClaim, derive_slot};
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// Terms that a thread takes at once.
const SHARE: u32 = 4096;
/// Terms whose claims are read together: the waits for memory then overlap.
const FETCHED: u32 = 32;
/// Fewer claims than this are not worth a second thread.
const WORTH_A_THREAD: u32 = 4096;

/// What some slots have come to.
#[derive(Default)]
pub(super) struct Chronicle {
    /// The facts believed now.
    pub(super) now: Vec<Written>,
    /// The facts believed before.
    pub(super) past: Vec<Ended>,
    /// What all of the transactions changed.
    pub(super) applied: Applied,
    /// The claims of slots that cannot be told so: they are long, not the only ones of their claims, or hold spans of a new shape.
    pub(super) left: Vec<u32>,
}

/// A fact that is no longer believed as it was, with its head.
pub(super) struct Ended {
    pub(super) head: u32,
    pub(super) record: Record,
    pub(super) detail: Option<Arc<Detail>>,
    /// The first transaction at which it is not.
    pub(super) tx_to: u32,
}

/// From where slots are told: all claims stand in theirs, and all steps of belief are set.
#[derive(Clone, Copy)]
pub(super) struct Chronicler<'a> {
    pub(super) state: &'a State,
    pub(super) shapes: &'a ShapeCodes,
    /// A slot with more claims than this has an engine.
    pub(super) long: usize,
}

impl Chronicler<'_> {
    /// The chronicles of the slots of some terms, in their order; the number of threads does not show.
    pub(super) fn all(self, terms: Range<u32>) -> Vec<Chronicle> {
        let shares = terms.end.saturating_sub(terms.start).div_ceil(SHARE);
        let wanted = if self.state.claims.len() < WORTH_A_THREAD { 1 } else { THREADS.min(shares as usize) };
        let threads = if wanted < 2 { 1 } else { thread::available_parallelism().map_or(1, NonZero::get).min(wanted) };
        let next = AtomicU32::new(0);
        let work = || {
            let shares = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|share| *share < shares);
            let part = |share: u32| terms.start + share * SHARE..terms.end.min(terms.start.saturating_add((share + 1) * SHARE));
            shares.map(|share| (share, self.part(part(share)))).collect::<Vec<_>>()
        };
        let mut told = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut told = work();
            for other in others {
                told.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            told
        });
        told.sort_unstable_by_key(|(share, _)| *share);
        told.into_iter().map(|(_, chronicle)| chronicle).collect()
    }

    fn part(self, terms: Range<u32>) -> Chronicle {
        let mut chronicle = Chronicle::default();
        let mut listed = Vec::new();
        let mut stands: Vec<(Slot, u32)> = Vec::new();
        for first in terms.clone().step_by(FETCHED as usize) {
            listed.clear();
            for term in first..terms.end.min(first + FETCHED) {
                let all = self.state.standings.of(term).slices(0, u128::MAX, Window::ALL).flatten();
                listed.extend(all.map(|stand| stood(*stand)));
            }
            std::hint::black_box(listed.iter().fold(0, |read, (_, claim)| read ^ self.state.claims.row(*claim).map_or(0, |row| row.kind)));
            stands.clear();
            for (outgoing, claim) in &listed {
                match self.only_slot(*claim) {
                    Some(slot) if (slot.sort == Sort::Tail) != *outgoing => stands.push((slot, *claim)),
                    None if *outgoing => chronicle.left.push(*claim),
                    _ => {}
                }
            }
            stands.sort_unstable();
            for stood in stands.chunk_by(|left, right| left.0 == right.0) {
                self.slot(stood, &mut chronicle);
            }
        }
        chronicle
    }

    /// The slot of a claim, if neither it nor any other claim in there stands in a further one.
    fn only_slot(self, claim: u32) -> Option<Slot> {
        let mut slots = self.state.slots_of_claim(claim);
        let slot = slots.next().filter(|slot| self.state.is_single(*slot))?;
        if slots.next().is_none() { Some(slot) } else { None }
    }

    /// Tells one slot; `stood` are all of its claims, in number order.
    fn slot(self, stood: &[(Slot, u32)], chronicle: &mut Chronicle) {
        let Some((slot, first)) = stood.first().copied() else { return };
        if stood.len() == 1
            && let Some((head, record)) = plain(self.state, slot, first, self.state.claims.tx_of(first))
        {
            let fact = Written { head, record, detail: None, was_ended: false, was_moved: false };
            let opened = Rewrite { before: None, after: Some(fact) };
            count(became(&opened), &mut chronicle.applied);
            return chronicle.now.extend(opened.after);
        }
        let told = if stood.len() > self.long { None } else { self.tell(slot, stood) };
        match told {
            Some(told) => {
                chronicle.now.extend(told.now);
                chronicle.past.extend(told.past);
                chronicle.applied = chronicle.applied.plus(told.applied);
            }
            None => chronicle.left.extend(stood.iter().map(|(_, claim)| *claim)),
        }
    }

    /// Tells a short slot, transaction by transaction; `None` if a shape of a span in it has no code yet.
    fn tell(self, slot: Slot, stood: &[(Slot, u32)]) -> Option<Chronicle> {
        let state = self.state;
        let (rules, ties) = (state.rules(slot), Ties { state, sort: slot.sort });
        let claims: Vec<(u32, SlotClaim)> =
            stood.iter().filter_map(|(_, claim)| Some((state.claims.tx_of(*claim), state.slot_claim(slot, *claim)?))).collect();
        let steps = claims.iter().filter_map(|(_, claim)| state.steps.get(claim.claim)).flat_map(|steps| steps.iter().map(|step| step.tx));
        let mut txs: Vec<u32> = claims.iter().map(|(tx, _)| *tx).chain(steps).collect();
        txs.sort_unstable();
        txs.dedup();
        let mut told = Chronicle::default();
        for tx in txs {
            let recorded = claims.iter().take_while(|(recorded, _)| *recorded <= tx).map(|(_, claim)| *claim);
            let believed: Vec<SlotClaim> = recorded.filter(|claim| state.is_believed(claim.claim, tx + 1)).collect();
            let timeline = derive_slot(&believed, &rules, &ties);
            let mut after = Vec::with_capacity(timeline.runs.len());
            for run in &timeline.runs {
                let packed = Shapes::find(self.shapes, run.start, run.end)?;
                after.extend(written(state, alone(run), packed, tx));
            }
            told.turn(after, tx);
        }
        Some(told)
    }
}

impl Chronicle {
    /// Goes on to a transaction, from which on these are the facts of the only slot told.
    fn turn(&mut self, after: Vec<Written>, tx: u32) {
        let before: Before = self.now.iter().map(|fact| (fact.head, fact.record)).collect();
        let detail = |record: Record| self.fact(record.claim).and_then(|at| self.now.get(at)).and_then(|fact| fact.detail.as_ref());
        let rewrites = reconcile(before, after, detail);
        for rewrite in rewrites {
            count(became(&rewrite), &mut self.applied);
            if let Some(at) = rewrite.before.and_then(|(_, record)| self.fact(record.claim)) {
                let Written { head, record, detail, .. } = self.now.remove(at);
                self.past.push(Ended { head, record, detail, tx_to: tx });
            }
            if let Some(fact) = rewrite.after {
                let at = self.now.partition_point(|other| other.record.claim < fact.record.claim);
                self.now.insert(at, fact);
            }
        }
    }

    /// The place among the facts believed now of the one whose first claim this is.
    fn fact(&self, claim: u32) -> Option<usize> {
        self.now.binary_search_by_key(&claim, |fact| fact.record.claim).ok()
    }
}
