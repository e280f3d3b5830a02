//! What the slots that a transaction touches come to, found without changing anything: many slots at once, on several threads.
//!
//! Owns the shortest way to find it for a slot without an engine. Writes nothing, and decides nothing about who wins.

use super::claims::Kind;
use super::record::{Detail, Mark, Packed, Record, ShapeCodes, Shapes};
use super::slots::{Derived, Engines, Slot, alone, is_plain};
use super::state::State;
use crate::time::Start;
use crate::timeline::EndCause;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

/// Fewer slots, or changes, than this are not worth a second thread.
pub(super) const WORTH_A_THREAD: usize = 1024;
/// More threads than this would wait for memory.
pub(super) const THREADS: usize = 8;

/// So many slots are judged together, after what they lie in is fetched; of each, so many claims.
const FETCHED: usize = 64;
const SHORT: usize = 16;

/// A slot, and the claims that a transaction brought to it or changed the belief in.
pub(super) type Stood<'a> = &'a [(Slot, u32)];

/// The facts believed before, with their heads, by number of their first claims.
pub(super) type Before = Vec<(u32, Record)>;

/// A fact ready to be written.
pub(super) struct Written {
    pub(super) head: u32,
    pub(super) record: Record,
    pub(super) detail: Option<Arc<Detail>>,
    /// Whether it ended by another claim than its own first one.
    pub(super) was_ended: bool,
    /// Whether it starts elsewhere than its first claim does.
    pub(super) was_moved: bool,
}

/// A fact believed before, with its head, and the one in its place; one of them may be missing.
pub(super) struct Rewrite {
    pub(super) before: Option<(u32, Record)>,
    pub(super) after: Option<Written>,
}

/// What a slot comes to.
pub(super) enum Judged {
    /// One new claim that is its own fact as it stands, with its head.
    Plain(u32, Record),
    /// All claims of the slot, if any claim has links, and what is to be written.
    Settled(Vec<u32>, Vec<Rewrite>),
    /// All claims of the slot, the facts that were, and those that are now: what is to be written cannot be said yet.
    Single(Vec<u32>, Before, Vec<Derived>),
    /// All claims of the slot, some of which stand in further ones.
    Shared(Vec<u32>),
    /// The slot has an engine, or is long enough to get one.
    Engine,
}

/// From where slots are judged.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub(super) state: &'a State,
    pub(super) engines: &'a Engines,
    pub(super) shapes: &'a ShapeCodes,
    /// A slot with more claims than this has an engine.
    pub(super) long: usize,
    /// The transaction that is judged; all claims recorded by it are in the state.
    pub(super) tx: u32,
    /// The claims from this number on support no fact yet.
    pub(super) fresh: u32,
}

impl Judge<'_> {
    /// What each slot comes to, in their order; the number of threads does not show. What is to be written is said only of `whole` slots,
    /// all of whose facts may change, and once every shape of a span in them has its code.
    pub(super) fn all(self, slots: &[Stood<'_>], whole: bool) -> Vec<Judged> {
        // Asked only then: the system takes its time to tell how many threads there may be.
        let wanted = (slots.len() / WORTH_A_THREAD).min(THREADS);
        let threads = if wanted < 2 { 1 } else { thread::available_parallelism().map_or(1, NonZero::get).min(wanted) };
        if threads < 2 {
            return self.part(slots, whole);
        }
        thread::scope(|scope| {
            let parts: Vec<_> =
                slots.chunks(slots.len().div_ceil(threads)).map(|part| scope.spawn(move || self.part(part, whole))).collect();
            let mut judged = Vec::with_capacity(slots.len());
            for part in parts {
                judged.extend(part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            judged
        })
    }

    fn part(self, slots: &[Stood<'_>], whole: bool) -> Vec<Judged> {
        let mut judged = Vec::with_capacity(slots.len());
        for slots in slots.chunks(FETCHED) {
            self.fetch(slots);
            judged.extend(slots.iter().map(|stood| self.one(stood, whole)));
        }
        judged
    }

    /// Reads what judging these slots will read, each step for all of them: the waits for memory then overlap.
    fn fetch(self, slots: &[Stood<'_>]) {
        let slots = slots.iter().filter_map(|stood| stood.first());
        let listed: usize = slots.clone().map(|(slot, _)| self.state.standings.of(slot.term).len().min(SHORT)).sum();
        let stood = slots.flat_map(|(slot, _)| self.state.stood_in(*slot).take(SHORT));
        let read = stood.fold(listed as u64, |read, claim| read ^ self.state.claims.row(claim).map_or(0, |row| u64::from(row.kind)));
        std::hint::black_box(read);
    }

    /// What one slot comes to.
    fn one(self, stood: Stood<'_>, whole: bool) -> Judged {
        let Some((slot, claim)) = stood.first().copied() else { return Judged::Shared(Vec::new()) };
        if self.engines.contains_key(&slot) {
            return Judged::Engine;
        }
        let single = self.state.is_single(slot);
        if single
            && stood.len() == 1
            && let Some((head, record)) = self.plain(slot, claim)
        {
            return Judged::Plain(head, record);
        }
        let members = self.state.members(slot);
        if members.len() > self.long {
            return Judged::Engine;
        }
        if !single {
            return Judged::Shared(members);
        }
        let told = self.state.tell(slot, &members, self.tx + 1);
        let before = self.before(&members);
        let runs = told.timeline.runs.iter();
        let packed: Option<Vec<Packed>> = runs.map(|run| Shapes::find(self.shapes, run.start, run.end).filter(|_| whole)).collect();
        let facts = told.timeline.runs.iter().map(alone);
        match packed {
            Some(packed) => {
                let after = facts.zip(packed).filter_map(|(derived, packed)| written(self.state, derived, packed, self.tx));
                let rewrites = reconcile(before, after.collect(), |record| self.state.detail(record));
                // Whose facts they are is asked only to unlink them.
                Judged::Settled(if self.state.links.len() > 0 { members } else { Vec::new() }, rewrites)
            }
            None => Judged::Single(members, before, facts.collect()),
        }
    }

    /// The facts that these claims, in number order, were the first of.
    pub(super) fn before(self, members: &[u32]) -> Before {
        let known = members.iter().take_while(|claim| **claim < self.fresh);
        known.filter_map(|claim| self.state.fact(*claim)).collect()
    }

    /// The record of a new claim that is alone in its slot, and its own fact; `None` if it is not that.
    fn plain(self, slot: Slot, claim: u32) -> Option<(u32, Record)> {
        if claim < self.fresh || !self.state.is_alone(slot, claim) {
            return None;
        }
        plain(self.state, slot, claim, self.tx)
    }
}

/// The record, with its head, of the fact that a claim is that no other stands with in a slot, believed since transaction `tx`; `None` if
/// the claim is not always believed or not its own fact.
pub(super) fn plain(state: &State, slot: Slot, claim: u32, tx: u32) -> Option<(u32, Record)> {
    if state.steps.get(claim).is_some() {
        return None;
    }
    let (row, kind, relation) = state.claim(claim)?;
    let (start, end) = state.claims.span(&row, &kind);
    if !is_plain(&kind, start, end, &state.rules(slot)) || !Record::fits(kind.code) {
        return None;
    }
    let packed = Packed { start: row.start, end: row.end, code: kind.code };
    Some((row.head, record(packed, &kind, relation, row.tail, claim, tx)))
}

/// The record of a fact whose first claim has this kind.
fn record(packed: Packed, kind: &Kind, relation: u32, tail: u32, claim: u32, tx: u32) -> Record {
    Record::outgoing(packed, relation, tail, claim, tx)
        .marked(Mark::InContext, kind.context != 0)
        .marked(Mark::Literal, kind.literal && !kind.turned)
}

/// A derived fact with its valid time packed, as it is written at transaction `tx`; `None` if its first claim is erased.
pub(super) fn written(state: &State, derived: Derived, packed: Packed, tx: u32) -> Option<Written> {
    let (row, kind, relation) = state.claim(derived.first)?;
    let detailed = derived.challenged_from.is_some() || !derived.hidden.is_empty() || !Record::fits(packed.code);
    let record = record(packed, &kind, relation, row.tail, derived.first, tx)
        .marked(Mark::Early, matches!(derived.start, Start::By(_)))
        .marked(Mark::Contested, derived.contested)
        .marked(Mark::Detailed, detailed);
    let was_ended = match derived.cause {
        EndCause::Stated(claim) => claim != derived.first,
        EndCause::ClosedBy(_) => true,
        EndCause::Open | EndCause::Covered(_) | EndCause::Expired => false,
    };
    let Derived { start, end, challenged_from, hidden, .. } = derived;
    let detail = detailed.then(|| Arc::new(Detail { start, end, challenged_from, hidden }));
    Some(Written { head: row.head, record, detail, was_ended, was_moved: row.start != record.start })
}

/// What is to be written so that the facts `after` stand in place of those `before`, in the order of their first claims, without those
/// that stay as they are; `detail` tells what the records before have no room for.
///
/// # Complexity
/// O(n log n).
pub(super) fn reconcile<'d>(before: Before, after: Vec<Written>, detail: impl Fn(Record) -> Option<&'d Arc<Detail>>) -> Vec<Rewrite> {
    let claims: Vec<u32> = before.iter().map(|(_, record)| record.claim).collect();
    let mut old: Vec<Option<(u32, Record)>> = before.into_iter().map(Some).collect();
    let mut rewrites = Vec::new();
    let mut new = Vec::new();
    for written in after {
        let found = claims.binary_search(&written.record.claim).ok().and_then(|at| old.get_mut(at)).and_then(Option::take);
        match found {
            Some((_, record)) if is_same(record, detail(record), &written) => {}
            Some(_) => rewrites.push(Rewrite { before: found, after: Some(written) }),
            None => new.push(written),
        }
    }
    // A fact whose first claim changed goes on under another name: it is not counted as opened.
    let named = |head: u32, record: Record| (head, record.other, record.run());
    old.retain(Option::is_some);
    old.sort_by_key(|old| old.map(|(head, record)| named(head, record)));
    let names: Vec<_> = old.iter().flatten().map(|(head, record)| named(*head, *record)).collect();
    for written in new {
        let name = named(written.head, written.record);
        let fellows = names.partition_point(|known| *known < name)..names.partition_point(|known| *known <= name);
        let before = old.get_mut(fellows).and_then(|fellows| fellows.iter_mut().find_map(Option::take));
        rewrites.push(Rewrite { before, after: Some(written) });
    }
    rewrites.extend(old.into_iter().flatten().map(|before| Rewrite { before: Some(before), after: None }));
    rewrites
}

/// Whether a record says what is to be written, but for since when.
fn is_same(record: Record, detail: Option<&Arc<Detail>>, written: &Written) -> bool {
    Record { tx_from: written.record.tx_from, ..record } == written.record && detail == written.detail.as_ref()
}
