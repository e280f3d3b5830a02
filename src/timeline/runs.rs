//! Rules 2 to 4: one value's claims make runs, ends find them, other values cover and cut what persists.
//! Knows nothing of conflicts between the runs that result.

use super::conflict::Standing;
use super::note::{Break, Note, Sink};
use super::place::{Ender, Ending, Placed, StartKind};
use super::rivals::{Rivals, Tail};
use super::{EndCause, SlotRules, TieOrder};
use crate::model::{Authority, RelationKind};
use crate::time::Instant;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

/// A run of a value that claims before a part of the slot left open: what matters of it to the claims after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carried {
    pub value: u32,
    pub evidence: Instant,
    pub authority: Authority,
    pub rank: u8,
    /// Where it began, if that can still matter; else −∞: before everything in the part, in any case.
    pub key: Instant,
    /// The upper bound of its start where that can still matter, else −∞.
    pub hi: Instant,
}

impl Carried {
    /// Where it ends if nothing meets it any more.
    pub(super) fn soft_end(&self, rules: &SlotRules) -> (Instant, Instant, EndCause) {
        match expiry(self.evidence, rules) {
            Some(at) => (at, at.max(self.hi), EndCause::Expired),
            None => (Instant::DISTANT_FUTURE, Instant::DISTANT_FUTURE, EndCause::Open),
        }
    }

    /// Whether claims from `lo` on can still meet it.
    pub(super) fn reaches(&self, lo: Instant, rules: &SlotRules) -> bool {
        expiry(self.evidence, rules).is_none_or(|at| lo <= at.max(self.hi))
    }
}

/// The claims of a slot, or of a part of it, that runs are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// By value, and then in [`Placed::run_order`].
    pub holds: &'a [Placed],
    /// By value, and then in [`Ender::order`].
    pub ends: &'a [Ender],
    /// By value.
    pub carried: &'a [Carried],
}

/// A run with its bounds as instants.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub value: u32,
    /// Its first claim; not known of a carried run to which no claim has been added.
    pub first: u32,
    /// Of a carried run, [`Carried::key`].
    pub key: Instant,
    pub kind: StartKind,
    pub lo: Instant,
    pub hi: Instant,
    pub evidence: Instant,
    pub authority: Authority,
    pub rank: u8,
    pub end_lo: Instant,
    pub end_hi: Instant,
    pub cause: EndCause,
    pub carried: bool,
    /// Whether a stated end counts; none does that ranks below the run.
    pub bounded: bool,
    /// Whether its value recurs.
    pub followed: bool,
    /// Its claims among [`Part::holds`].
    pub holds: Range<usize>,
    /// Its ends among [`Part::ends`].
    pub ends: Range<usize>,
    pub standing: Standing,
}

impl Draft {
    /// Whether it is one of rule 2's facts that know only ends.
    pub(super) fn is_orphan(&self) -> bool {
        self.kind == StartKind::Unknown
    }

    /// What matters of it to later claims, so that as little as possible tells two carried runs apart: the key, if it may challenge
    /// another; the evidence, if a claim may cut back to it or its time to live runs from it; the upper bound of the start, if its time
    /// to live runs out before.
    pub(super) fn carry(&self, challenges: bool, cut_back: bool, rules: &SlotRules) -> Carried {
        let late = expiry(self.evidence, rules).is_some_and(|at| at < self.hi);
        let or_past = |matters: bool, at: Instant| if matters { at } else { Instant::DISTANT_PAST };
        Carried {
            value: self.value,
            evidence: or_past(cut_back || rules.ttl_micros.is_some(), self.evidence),
            authority: self.authority,
            rank: self.rank,
            key: or_past(challenges, self.key),
            hi: or_past(late, self.hi),
        }
    }

    /// Whether it has not ended as far as the claims at hand go.
    pub(super) fn is_soft(&self) -> bool {
        !self.bounded && !self.followed && matches!(self.cause, EndCause::Open | EndCause::Expired)
    }

    /// The ends stated of it, in its claims and on their own: the end, the claim that states it, and that claim's rank.
    pub(super) fn stated<'a>(&self, part: Part<'a>) -> impl Iterator<Item = (Ending, u32, u8)> + Clone + use<'a> {
        let holds = part.holds.get(self.holds.clone()).unwrap_or_default();
        let enders = part.ends.get(self.ends.clone()).unwrap_or_default();
        let own = holds.iter().filter_map(|placed| placed.end.map(|end| (end, placed.claim, placed.rank)));
        own.chain(enders.iter().map(|ender| (ender.end, ender.claim, ender.rank)))
    }

    fn tail(&self) -> Tail {
        Tail { value: self.value, key: self.key, evidence: self.evidence, rank: self.rank }
    }
}

/// The instant a soft tail after `evidence` runs out.
fn expiry(evidence: Instant, rules: &SlotRules) -> Option<Instant> {
    let ttl = rules.ttl_micros?;
    // An event persists not; what has no beginning and was never seen has no age.
    (rules.kind != RelationKind::Event && evidence > Instant::DISTANT_PAST)
        .then(|| Instant::from_micros(evidence.micros().saturating_add(ttl.max(0))))
}

/// Builds the runs of a part, in no particular order.
///
/// # Complexity
/// O(n²) for few claims, O(n log n) for many.
pub(super) fn build<S: Sink>(part: Part<'_>, rules: &SlotRules, ties: &impl TieOrder, sink: &mut S) -> Vec<Draft> {
    let competing = rules.exclusive && rules.kind != RelationKind::Event;
    let mut builder = Builder {
        part,
        rules,
        rivals: competing.then(|| Rivals::new(part.holds, ties)),
        own_ends: BinaryHeap::new(),
        drafts: Vec::with_capacity(part.holds.len().min(8)),
        sink,
    };
    let (mut hold, mut end, mut carry) = (0, 0, 0);
    loop {
        let values = [
            part.holds.get(hold).map(|placed| placed.value),
            part.ends.get(end).map(|ender| ender.value),
            part.carried.get(carry).map(|carried| carried.value),
        ];
        let Some(value) = values.into_iter().flatten().min() else { break };
        let holds = hold..hold + part.holds.iter().skip(hold).take_while(|placed| placed.value == value).count();
        let ends = end..end + part.ends.iter().skip(end).take_while(|ender| ender.value == value).count();
        let carried = part.carried.get(carry).filter(|carried| carried.value == value);
        (hold, end, carry) = (holds.end, ends.end, carry + usize::from(carried.is_some()));
        builder.value(holds, ends, carried);
    }
    let Builder { mut drafts, rivals, sink, .. } = builder;
    for draft in &mut drafts {
        finish(draft, part, rivals.as_ref(), rules, ties, sink);
    }
    drafts
}

/// The `hi` of an end that a claim states of itself, the claim, and its rank.
type OwnEnd = (Instant, u32, u8);

struct Builder<'a, T, S> {
    part: Part<'a>,
    rules: &'a SlotRules,
    /// `None` where values do not compete.
    rivals: Option<Rivals<'a, T>>,
    /// The open run's own ends that are not before its evidence and rank no lower than it, and maybe others.
    own_ends: BinaryHeap<Reverse<OwnEnd>>,
    drafts: Vec<Draft>,
    sink: &'a mut S,
}

impl<T: TieOrder, S: Sink> Builder<'_, T, S> {
    /// Rules 2 and 3 for one value.
    fn value(&mut self, holds: Range<usize>, ends: Range<usize>, carried: Option<&Carried>) {
        let first_draft = self.drafts.len();
        self.own_ends.clear();
        if let Some(carried) = carried {
            self.drafts.push(Draft {
                value: carried.value,
                first: u32::MAX,
                key: carried.key,
                kind: StartKind::Always,
                lo: Instant::DISTANT_PAST,
                hi: carried.hi,
                evidence: carried.evidence,
                authority: carried.authority,
                rank: carried.rank,
                end_lo: Instant::DISTANT_FUTURE,
                end_hi: Instant::DISTANT_FUTURE,
                cause: EndCause::Open,
                carried: true,
                bounded: false,
                followed: false,
                holds: holds.start..holds.start,
                ends: ends.start..ends.start,
                standing: Standing::new(),
            });
        }
        let value_ends = self.part.ends.get(ends.clone()).unwrap_or_default();
        let mut next_end = 0;
        for (index, placed) in holds.clone().zip(self.part.holds.get(holds).unwrap_or_default()) {
            let open = self.drafts.get_mut(first_draft..).and_then(<[Draft]>::last_mut);
            if let Some(open) = open {
                let within = placed.key() < open.evidence || is_same_event(self.rules, open, placed);
                let broken = if within {
                    None
                } else {
                    let stated = stated_end(open, placed, &mut self.own_ends, value_ends, &mut next_end, self.rules);
                    stated.or_else(|| broken_tail(open, placed.key(), self.rivals.as_ref(), self.rules))
                };
                let Some(because) = broken else {
                    open.evidence = open.evidence.max(placed.evidence);
                    open.authority = open.authority.max(placed.authority);
                    open.rank = open.rank.max(placed.rank);
                    open.holds.end = index + 1;
                    let (run, claim) = (open.first, placed.claim);
                    self.sink.note(|| if within { Note::JoinedWithin { run, claim } } else { Note::JoinedUnbroken { run, claim } });
                    self.own_ends.extend(own_end(placed));
                    continue;
                };
                open.followed = true;
                let (run, after) = (placed.claim, open.first);
                self.sink.note(|| Note::Recurred { run, after, because });
                self.own_ends.clear();
            }
            self.own_ends.extend(own_end(placed));
            self.drafts.push(begin(placed, index, ends.start));
        }
        self.attach(first_draft, ends);
    }

    /// Rule 2: each end goes to the latest run with a key before it; those before every run make a fact together.
    fn attach(&mut self, first_draft: usize, ends: Range<usize>) {
        let value_ends = self.part.ends.get(ends.clone()).unwrap_or_default();
        let runs = self.drafts.get_mut(first_draft..).unwrap_or_default();
        let mut to = ends.end;
        for run in runs.iter_mut().rev() {
            let from = ends.start + value_ends.partition_point(|ender| ender.end.hi <= run.key);
            run.ends = from.min(to)..to;
            to = run.ends.start;
            for ender in self.part.ends.get(run.ends.clone()).unwrap_or_default() {
                self.sink.note(|| Note::EndAttached { run: run.first, end: ender.claim });
            }
        }
        let orphans = self.part.ends.get(ends.start..to).unwrap_or_default();
        let Some(first) = orphans.first() else { return };
        for ender in orphans {
            self.sink.note(|| Note::OrphanEnd { run: first.claim, end: ender.claim });
        }
        self.drafts.push(orphan(first, orphans, ends.start));
    }
}

/// Makes the fact of the ends that no run takes; `at` is the index of the first one.
fn orphan(first: &Ender, orphans: &[Ender], at: usize) -> Draft {
    Draft {
        value: first.value,
        first: first.claim,
        key: Instant::DISTANT_PAST,
        kind: StartKind::Unknown,
        lo: Instant::DISTANT_PAST,
        hi: Instant::DISTANT_FUTURE,
        evidence: Instant::DISTANT_PAST,
        authority: orphans.iter().map(|ender| ender.authority).max().unwrap_or(first.authority),
        rank: orphans.iter().map(|ender| ender.rank).max().unwrap_or(first.rank),
        end_lo: Instant::DISTANT_FUTURE,
        end_hi: Instant::DISTANT_FUTURE,
        cause: EndCause::Open,
        carried: false,
        bounded: false,
        followed: false,
        holds: 0..0,
        ends: at..at + orphans.len(),
        standing: Standing::new(),
    }
}

/// A run that begins with `placed`.
fn begin(placed: &Placed, index: usize, ends: usize) -> Draft {
    Draft {
        value: placed.value,
        first: placed.claim,
        key: placed.key(),
        kind: placed.kind,
        lo: placed.lo,
        hi: placed.hi,
        evidence: placed.evidence,
        authority: placed.authority,
        rank: placed.rank,
        end_lo: Instant::DISTANT_FUTURE,
        end_hi: Instant::DISTANT_FUTURE,
        cause: EndCause::Open,
        carried: false,
        bounded: false,
        followed: false,
        holds: index..index + 1,
        ends: ends..ends,
        standing: Standing::new(),
    }
}

/// Two tellings of one event begin alike; an event does not persist, so nothing else tells them from two events.
fn is_same_event(rules: &SlotRules, open: &Draft, placed: &Placed) -> bool {
    rules.kind == RelationKind::Event && (open.kind, open.lo, open.hi) == (placed.kind, placed.lo, placed.hi)
}

fn own_end(placed: &Placed) -> Option<Reverse<OwnEnd>> {
    placed.end.map(|end| Reverse((end.hi, placed.claim, placed.rank)))
}

/// Rule 3: an end of the run between its evidence and the next claim, of no lower rank than the run so far.
fn stated_end(
    open: &Draft,
    next: &Placed,
    own_ends: &mut BinaryHeap<Reverse<OwnEnd>>,
    value_ends: &[Ender],
    next_end: &mut usize,
    rules: &SlotRules,
) -> Option<Break> {
    // The evidence and the rank of a run only grow.
    while own_ends.peek().is_some_and(|Reverse((hi, _, rank))| *hi < open.evidence || *rank < open.rank) {
        own_ends.pop();
    }
    if let Some(Reverse((hi, claim, _))) = own_ends.peek()
        && *hi <= next.key()
    {
        return Some(Break::Ended(*claim));
    }
    // The evidence and the key only grow from one run of a value to the next, so passed ends stay passed. So do those up to `next` that
    // rank too low: the run's rank only grows, and a later run begins no earlier than `next`.
    let passed = |ender: &Ender| {
        let hi = ender.end.hi;
        hi < open.evidence || hi <= open.key || (hi <= next.key() && ender.rank < open.rank)
    };
    while value_ends.get(*next_end).is_some_and(passed) {
        *next_end += 1;
    }
    let other = value_ends.get(*next_end).filter(|ender| ender.end.hi <= next.key()).map(|ender| Break::Ended(ender.claim));
    // An event of which no end counts persists not: its evidence is all there is of it.
    let is_over = rules.kind == RelationKind::Event && open.kind != StartKind::Always && own_ends.is_empty();
    other.or_else(|| is_over.then_some(Break::Ended(open.first)))
}

/// Rule 3: what rules 4 and 8 leave of the run's tail does not reach the next claim's key.
fn broken_tail<T: TieOrder>(open: &Draft, key: Instant, rivals: Option<&Rivals<'_, T>>, rules: &SlotRules) -> Option<Break> {
    if let Some(rivals) = rivals
        && rules.kind != RelationKind::Permanent
    {
        if let Some(claim) = rivals.cover(open.tail()) {
            return Some(Break::Covered(claim.claim));
        }
        if let Some(claim) = rivals.cut(open.tail()).filter(|claim| claim.key() <= key) {
            return Some(Break::Cut(claim.claim));
        }
    }
    expiry(open.evidence, rules).filter(|&at| at <= key && open.evidence < key).map(|_| Break::Expired)
}

/// Rule 3's choice among ends: the latest `end.lo` becomes the evidence; of the ends not before it the earliest counts.
fn choose<'a>(
    evidence: &mut Instant,
    ends: impl Iterator<Item = (Ending, u32)> + Clone + 'a,
    ties: &impl TieOrder,
) -> Option<(Ending, u32)> {
    *evidence = ends.clone().fold(*evidence, |latest, (end, _)| latest.max(end.lo));
    ends.filter(|(end, _)| end.hi >= *evidence).min_by(|(left, left_claim), (right, right_claim)| {
        let order: Ordering = left.hi.cmp(&right.hi).then(right.lo.cmp(&left.lo));
        order.then_with(|| ties.cmp_claims(*left_claim, *right_claim))
    })
}

/// Where the run ends, and what challenges that: of the ends that rank below the run, and so do not count, those that lie wholly before.
fn finish<T: TieOrder, S: Sink>(
    draft: &mut Draft,
    part: Part<'_>,
    rivals: Option<&Rivals<'_, T>>,
    rules: &SlotRules,
    ties: &T,
    sink: &mut S,
) {
    bound(draft, part, rivals, rules, ties, sink);
    for (end, claim, _) in draft.stated(part).filter(|(_, _, rank)| *rank < draft.rank) {
        if end.hi < draft.end_lo {
            let from = if end.by { end.hi } else { end.lo };
            let earliest = draft.standing.challenged_from.map_or(from, |earliest| earliest.min(from));
            draft.standing.challenged_from = Some(earliest);
            sink.note(|| Note::Challenged { run: draft.first, by: claim, from });
        }
    }
}

/// The end of rule 3, then what rules 4 and 8 make of the tail.
fn bound<T: TieOrder, S: Sink>(
    draft: &mut Draft,
    part: Part<'_>,
    rivals: Option<&Rivals<'_, T>>,
    rules: &SlotRules,
    ties: &T,
    sink: &mut S,
) {
    let run = draft.first;
    let least = draft.rank;
    let stated = draft.stated(part);
    let ends = stated.clone().filter(move |(.., rank)| *rank >= least).map(|(end, claim, _)| (end, claim));
    let counting = choose(&mut draft.evidence, ends.clone(), ties);
    if S::ON {
        for (_, end) in ends.filter(|(end, _)| end.hi < draft.evidence) {
            sink.note(|| Note::EndOverruled { run, end, evidence: draft.evidence });
        }
        // Of a lower end that says the same as the one that counts, nothing need be said.
        for (_, end, _) in stated.filter(|(end, _, rank)| *rank < least && counting.is_none_or(|(counts, _)| counts != *end)) {
            sink.note(|| Note::EndOutranked { run, end });
        }
    }
    if let Some((end, claim)) = counting {
        draft.bounded = true;
        (draft.end_lo, draft.end_hi, draft.cause) = (end.lo.max(draft.evidence), end.hi, EndCause::Stated(claim));
        if draft.kind == StartKind::At && end.hi < draft.hi {
            draft.hi = end.hi;
            sink.note(|| Note::RunNarrowed { run, to: end.hi });
        }
        let is_own_moment = rules.kind == RelationKind::Event && (draft.lo, draft.hi) == (end.lo, end.hi);
        sink.note(|| if is_own_moment { Note::EventEnds { run } } else { Note::EndCounts { run, end: claim } });
    }
    if draft.is_orphan() || counting.is_some_and(|(end, _)| !end.by) {
        return;
    }
    if rules.kind == RelationKind::Event {
        if counting.is_none() && draft.kind != StartKind::Always {
            // Its own end was overruled by its own key, or by a telling that states a later end. It still persists not.
            (draft.end_lo, draft.end_hi) = (draft.evidence, draft.evidence.max(draft.hi));
            draft.cause = EndCause::Stated(run);
        }
        return;
    }
    let mut cut = None;
    if let Some(rivals) = rivals {
        if rules.kind == RelationKind::Permanent {
            if S::ON
                && let Some(claim) = rivals.cover(draft.tail()).or_else(|| rivals.cut(draft.tail()))
            {
                sink.note(|| Note::Kept { run, despite: claim.claim });
            }
        } else {
            cut = supersede(draft, rivals, counting.is_some(), sink);
        }
    }
    if !matches!(draft.cause, EndCause::Covered(_)) {
        expire(draft, cut, rules, sink);
    }
}

/// Rule 4. For a run that is over by some instant, that instant bounds the end from above. Returns the key at which it is cut.
fn supersede<T: TieOrder, S: Sink>(draft: &mut Draft, rivals: &Rivals<'_, T>, over_by: bool, sink: &mut S) -> Option<Instant> {
    let run = draft.first;
    let latest = draft.end_hi;
    let (cover, cut) = (rivals.cover(draft.tail()), rivals.cut(draft.tail()).filter(|claim| claim.key() <= latest));
    if S::ON && draft.rank > 0 {
        let any = Tail { rank: 0, ..draft.tail() };
        let lower = rivals.cover(any).or_else(|| rivals.cut(any).filter(|claim| claim.key() <= latest));
        if let Some(claim) = lower.filter(|claim| claim.rank < draft.rank) {
            sink.note(|| Note::Blocked { run, by: claim.claim });
        }
    }
    if let Some(claim) = cover {
        (draft.end_lo, draft.end_hi) = (draft.evidence, draft.evidence.max(draft.hi).min(latest));
        draft.cause = EndCause::Covered(claim.claim);
        sink.note(|| Note::Covered { run, by: claim.claim, evidence: draft.evidence });
        return None;
    }
    if let Some(claim) = cut {
        draft.end_lo = if claim.kind == StartKind::By { draft.evidence } else { draft.evidence.max(claim.lo) };
        draft.end_hi = claim.hi.min(latest);
        draft.cause = EndCause::ClosedBy(claim.claim);
        sink.note(|| Note::Cut { run, by: claim.claim, at: claim.key(), over_by });
    }
    cut.map(Placed::key)
}

/// Rule 8: a soft tail runs out at `evidence + ttl`, though not before the start; a cut up to then has come first.
fn expire<S: Sink>(draft: &mut Draft, cut: Option<Instant>, rules: &SlotRules, sink: &mut S) {
    let Some(at) = expiry(draft.evidence, rules) else { return };
    let latest = at.max(draft.hi);
    if draft.cause == EndCause::Open || cut.is_some_and(|key| at < key) {
        // "Over by" leaves open whether it held until it ran out.
        let lo = if draft.bounded { draft.evidence } else { at };
        (draft.end_lo, draft.end_hi) = (lo, if draft.bounded { latest.min(draft.end_hi) } else { latest });
    } else if draft.end_hi > latest {
        draft.end_hi = latest;
        if cut.is_some() {
            return;
        }
    } else {
        return;
    }
    draft.cause = EndCause::Expired;
    sink.note(|| Note::Expired { run: draft.first, evidence: draft.evidence, at });
}
