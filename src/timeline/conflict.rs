//! Rules 5 to 7: which runs exclude each other, and what does not count of them. Knows nothing of how runs came to be.

use super::SlotRules;
use super::note::{Conflict, Hiding, Note, Sink};
use super::place::{Denial, Ender, FEW, Placed, StartKind};
use super::runs::{Draft, Part};
use crate::model::{AuthorityMode, OnConflict, RelationKind};
use crate::time::Instant;
use std::collections::BinaryHeap;

/// Stretches `[from, to)`.
pub(super) type Stretches = Vec<(Instant, Instant)>;

/// What the rules about other runs leave of a run.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub contested: bool,
    pub challenged_from: Option<Instant>,
    /// Where it is denied or suspended; conflicts are judged on the rest.
    pub hidden: Stretches,
    /// Where a conflict overrules it.
    pub lost: Stretches,
    /// When it was observed last; only kept where that decides.
    pub observed_at: Instant,
}

impl Standing {
    pub(super) const fn new() -> Self {
        Self { contested: false, challenged_from: None, hidden: Vec::new(), lost: Vec::new(), observed_at: Instant::DISTANT_PAST }
    }
}

/// How far a soft tail is taken to be certain while a part of a slot is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// To the end as it stands.
    End,
    /// Only to the evidence: whatever comes later may still cut it there.
    Evidence,
}

impl Draft {
    /// Whether it begins and ends at one instant, and so is that instant.
    fn is_point(&self) -> bool {
        self.kind == StartKind::At && self.lo == self.hi && self.hi == self.end_hi
    }

    /// The certain extent, hidden stretches included; empty if it is turned round.
    fn certain(&self, reach: Reach) -> (Instant, Instant) {
        if self.is_point() {
            return self.possible();
        }
        let to = if reach == Reach::Evidence && self.is_soft() { self.evidence.min(self.end_lo) } else { self.end_lo };
        (self.hi, to)
    }

    /// The possible extent, hidden stretches included.
    pub(super) fn possible(&self) -> (Instant, Instant) {
        // The extent of one instant ends at the next one.
        let to = if self.is_point() { self.end_hi.saturating_add(1) } else { self.end_hi };
        (if self.kind == StartKind::At { self.lo } else { Instant::DISTANT_PAST }, to)
    }

    fn is_hidden_at(&self, at: Instant) -> bool {
        self.standing.hidden.iter().any(|(from, to)| *from <= at && at < *to)
    }

    /// Whether the run stands at `at`: there it is certain or begins, and nothing hides it.
    fn stands_at(&self, at: Instant, reach: Reach) -> bool {
        let (from, to) = self.certain(reach);
        ((from <= at && at < to) || (at == self.key && !self.carried)) && !self.is_hidden_at(at)
    }

    /// The pieces `[from, to]`-or-`[from, to)` where the run stands; `point` marks a single instant.
    fn pieces(&self, reach: Reach, run: usize, out: &mut Vec<Piece>) {
        let (from, to) = self.certain(reach);
        let inside = from <= self.key && self.key < to;
        if !(self.carried || inside || self.is_hidden_at(self.key)) {
            out.push(Piece { from: self.key, to: self.key, point: true, run });
        }
        for (from, to) in without(from, to, &self.standing.hidden) {
            out.push(Piece { from, to, point: false, run });
        }
    }
}

/// `[from, to)` without the hidden stretches, which are sorted and disjoint.
fn without(from: Instant, to: Instant, hidden: &[(Instant, Instant)]) -> impl Iterator<Item = (Instant, Instant)> {
    let starts = std::iter::once(from).chain(hidden.iter().map(|stretch| stretch.1));
    let ends = hidden.iter().map(|stretch| stretch.0).chain(std::iter::once(to));
    starts.zip(ends).map(move |(start, end)| (start.max(from), end.min(to))).filter(|(start, end)| start < end)
}

/// Sorts stretches, joins those that meet, keeps what lies inside `[from, to)`.
pub(super) fn tidy(stretches: &mut Stretches, (from, to): (Instant, Instant)) {
    if stretches.is_empty() {
        return;
    }
    for stretch in stretches.iter_mut() {
        *stretch = (stretch.0.max(from), stretch.1.min(to));
    }
    stretches.retain(|(from, to)| from < to);
    stretches.sort_unstable();
    stretches.dedup_by(|next, last| {
        let meets = next.0 <= last.1;
        if meets {
            last.1 = last.1.max(next.1);
        }
        meets
    });
}

/// How two runs exclude each other, if they do. Two runs stand at one instant exactly if they do at the key, at the start of
/// the certain extent, or at the end of a hidden stretch, of one of them.
pub(super) fn conflict(left: &Draft, right: &Draft, reach: Reach) -> Option<Conflict> {
    if left.value == right.value || left.is_orphan() || right.is_orphan() || (left.carried && right.carried) {
        return None;
    }
    let both = |at: Instant| left.stands_at(at, reach) && right.stands_at(at, reach);
    let new = !left.carried && !right.carried;
    if new && left.key == right.key && both(left.key) {
        return Some(Conflict::SameKey);
    }
    if !left.carried && both(left.key) || !right.carried && both(right.key) {
        return Some(Conflict::KeyInside);
    }
    let ends = left.standing.hidden.iter().chain(&right.standing.hidden).map(|stretch| stretch.1);
    [left.hi, right.hi].into_iter().chain(ends).any(both).then_some(Conflict::Overlap)
}

/// Applies rules 5 and 6 to a conflicting pair. Doing so again changes nothing.
fn settle(left: &mut Draft, right: &mut Draft, rules: &SlotRules, sink: &mut impl Sink) {
    if left.rank == right.rank {
        let (loser, winner) = match left.standing.observed_at.cmp(&right.standing.observed_at) {
            std::cmp::Ordering::Less if rules.on_conflict == OnConflict::Newest => (left, right),
            std::cmp::Ordering::Greater if rules.on_conflict == OnConflict::Newest => (right, left),
            // Seen at once, neither is the newer one.
            std::cmp::Ordering::Less | std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => {
                (left.standing.contested, right.standing.contested) = (true, true);
                return;
            }
        };
        let (from, to) = winner.certain(Reach::End);
        hide(loser, winner, (from, to), Hiding::Overruled(winner.first), sink);
        return;
    }
    let (lower, higher) = if left.rank < right.rank { (left, right) } else { (right, left) };
    lower.standing.contested = true;
    let from = higher.standing.challenged_from.map_or(lower.key, |from| from.min(lower.key));
    higher.standing.challenged_from = Some(from);
    sink.note(|| Note::Challenged { run: higher.first, by: lower.first, from: lower.key });
    if rules.authority == AuthorityMode::Strict {
        hide(lower, higher, higher.possible(), Hiding::Outranked(higher.first), sink);
    }
}

/// Hides `loser` over the part of `[from, to)` where `winner` is not itself hidden.
fn hide(loser: &mut Draft, winner: &Draft, (from, to): (Instant, Instant), why: Hiding, sink: &mut impl Sink) {
    let possible = loser.possible();
    for (from, to) in without(from.max(possible.0), to.min(possible.1), &winner.standing.hidden) {
        loser.standing.lost.push((from, to));
        sink.note(|| Note::Hidden { run: loser.first, why, from, to });
    }
}

/// Rules 5 and 6 for all runs of a slot. The runs' hidden stretches are tidy.
///
/// # Complexity
/// O(n²) for few runs. For many, O(n log n) while all have one rank and conflicts are only flagged; else the number of conflicting
/// pairs is added.
pub(super) fn judge(drafts: &mut [Draft], rules: &SlotRules, reach: Reach, sink: &mut impl Sink) {
    if !rules.exclusive || rules.kind == RelationKind::Event {
        return;
    }
    if drafts.len() > FEW {
        return judge_many(drafts, rules, reach, sink);
    }
    let mut rest = drafts;
    while let Some((left, others)) = rest.split_first_mut() {
        for right in others.iter_mut() {
            if conflict(left, right, reach).is_some() {
                settle(left, right, rules, sink);
            }
        }
        rest = others;
    }
}

/// A stretch, or an instant, where a run stands.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: Instant,
    to: Instant,
    point: bool,
    run: usize,
}

fn judge_many(drafts: &mut [Draft], rules: &SlotRules, reach: Reach, sink: &mut impl Sink) {
    let mut pieces = Vec::with_capacity(drafts.len() * 2);
    for (run, draft) in drafts.iter().enumerate().filter(|(_, draft)| !draft.is_orphan()) {
        draft.pieces(reach, run, &mut pieces);
    }
    pieces.sort_unstable_by_key(|piece| (piece.from, piece.run));
    let one_rank = drafts.windows(2).all(|pair| matches!(pair, [left, right] if left.rank == right.rank));
    if one_rank && rules.on_conflict == OnConflict::Contest {
        flag_many(drafts, &pieces);
    } else {
        pair_many(drafts, &pieces, rules, sink);
    }
}

/// Two pieces share an instant exactly if one stands where the other starts, so one pass by start finds all conflicts.
fn pair_many(drafts: &mut [Draft], pieces: &[Piece], rules: &SlotRules, sink: &mut impl Sink) {
    let mut active: Vec<Piece> = Vec::new();
    for started in pieces.chunk_by(|left, right| left.from == right.from) {
        let at = started.first().map_or(Instant::DISTANT_PAST, |piece| piece.from);
        active.retain(|piece| piece.to > at);
        for (index, piece) in started.iter().enumerate() {
            for other in active.iter().chain(started.iter().take(index)) {
                let Ok([left, right]) = drafts.get_disjoint_mut([piece.run, other.run]) else { continue };
                if left.value != right.value && !(left.carried && right.carried) {
                    settle(left, right, rules, sink);
                }
            }
        }
        active.extend(started.iter().filter(|piece| !piece.point));
    }
}

/// As [`pair_many`] where a flag is all that follows from a conflict: who is flagged need not be looked at again.
fn flag_many(drafts: &mut [Draft], pieces: &[Piece]) {
    let mut unflagged: Vec<Piece> = Vec::new();
    // The latest end so far among pieces of one value, and among those of all others.
    let mut latest = super::rivals::Latest::NONE;
    let mut flagged: Vec<usize> = Vec::new();
    for started in pieces.chunk_by(|left, right| left.from == right.from) {
        let values = |piece: &Piece| drafts.get(piece.run).map_or(0, |draft| draft.value);
        let Some(first) = started.first() else { continue };
        let (at, value) = (first.from, values(first));
        let mixed = started.iter().any(|piece| values(piece) != value);
        unflagged.retain(|piece| {
            let meets = piece.to > at && (mixed || values(piece) != value);
            if meets {
                flagged.push(piece.run);
            }
            piece.to > at && !meets
        });
        for piece in started {
            if mixed || latest.without(values(piece)) > at {
                flagged.push(piece.run);
            } else if !piece.point {
                unflagged.push(*piece);
            }
        }
        for piece in started.iter().filter(|piece| !piece.point) {
            latest = latest.join(super::rivals::Latest::of(piece.to, values(piece)));
        }
    }
    for run in flagged {
        if let Some(draft) = drafts.get_mut(run) {
            draft.standing.contested = true;
        }
    }
}

/// Rule 7, first half: a claim denied where it begins neither cuts nor covers. Both slices are sorted by value; `holds` by key in it.
pub(super) fn silence(holds: &mut [Placed], denials: &[Denial]) {
    for denied in denials.chunk_by(|left, right| left.value == right.value) {
        let Some(value) = denied.first().map(|denial| denial.value) else { continue };
        let from = holds.partition_point(|placed| placed.value < value);
        let mut waiting = denied.iter().peekable();
        let mut active: BinaryHeap<(u8, Instant)> = BinaryHeap::new();
        for placed in holds.iter_mut().skip(from).take_while(|placed| placed.value == value) {
            while let Some(denial) = waiting.next_if(|denial| denial.from <= placed.key()) {
                active.push((denial.rank, denial.to));
            }
            while active.peek().is_some_and(|(_, to)| *to <= placed.key()) {
                active.pop();
            }
            if active.peek().is_some_and(|(rank, _)| *rank >= placed.rank) {
                placed.acts = false;
            }
        }
    }
}

/// Rule 7, second half: what `Never` claims hide of a run. `denials` are those of its value, by `from`.
pub(super) fn deny(draft: &mut Draft, part: Part<'_>, denials: &[Denial], sink: &mut impl Sink) {
    let (begins, ends) = draft.possible();
    let holds = part.holds.get(draft.holds.clone()).unwrap_or_default();
    let enders: &[Ender] = part.ends.get(draft.ends.clone()).unwrap_or_default();
    for denial in denials.iter().take_while(|denial| denial.from < ends) {
        let (from, to) = (denial.from.max(begins), denial.to.min(ends));
        if from >= to {
            continue;
        }
        // A higher authority holds the value from its first claim in the run on; if it knows the end, all the way up to it.
        let held_from = if enders.iter().any(|ender| ender.rank > denial.rank) {
            Some(begins)
        } else {
            holds.iter().find(|placed| placed.rank > denial.rank).map(Placed::key)
        };
        let hidden_to = held_from.map_or(to, |held_from| held_from.min(to));
        if from < hidden_to {
            draft.standing.hidden.push((from, hidden_to));
            sink.note(|| Note::Hidden { run: draft.first, why: Hiding::Denied(denial.claim), from, to: hidden_to });
        }
        if hidden_to < to {
            let challenged = draft.standing.challenged_from.map_or(denial.from, |from| from.min(denial.from));
            draft.standing.challenged_from = Some(challenged);
            sink.note(|| Note::Challenged { run: draft.first, by: denial.claim, from: denial.from });
        }
    }
}
