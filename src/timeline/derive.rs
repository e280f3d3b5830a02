//! The order of the rules: from the claims of one slot to its runs. Knows nothing of other slots.

use super::conflict::{Reach, deny, judge, silence, tidy};
use super::note::{Hiding, Note, Sink};
use super::place::{Denial, Ender, FEW, Placed, Sorted, StartKind, place, sort_claim};
use super::runs::{Draft, Part, build};
use super::{Run, SlotClaim, SlotRules, SlotTimeline, TieOrder};
use crate::model::{OnConflict, RelationKind};
use crate::time::{End, Instant, Moment, Start};
use std::cmp::Ordering;

/// The runs that the claims of one slot leave, in [`SlotTimeline`]'s order; a function of the *set* of claims.
///
/// Valid time only: the claims given are those believed at the transaction time that is read (rule 8's corrections are already gone).
///
/// # Complexity
/// O(n log n) for n claims, plus the number of conflicting pairs where ranks differ or `on_conflict` is `newest`.
///
/// ```
/// use erstwhile::model::{Authority, Polarity};
/// use erstwhile::time::{End, Instant, Moment, Span, Start};
/// use erstwhile::timeline::{EndCause, SlotClaim, SlotRules, TieOrder, derive_slot};
/// use std::cmp::Ordering;
///
/// struct ByNumber;
/// impl TieOrder for ByNumber {
///     fn cmp_values(&self, left: u32, right: u32) -> Ordering {
///         left.cmp(&right)
///     }
///     fn cmp_claims(&self, left: u32, right: u32) -> Ordering {
///         left.cmp(&right)
///     }
/// }
///
/// // employer: Acme (value 0) from 2020-01, then Globex (value 1) from 2023-06.
/// let from = |text: &str| Instant::parse(text).map(|at| Start::At(Moment::exact(at)));
/// let claim = |claim, value, start| SlotClaim {
///     claim,
///     value,
///     polarity: Polarity::Holds,
///     span: Span::new(start, End::Open).unwrap(),
///     seen_at: None,
///     observed_at: Instant::from_micros(0),
///     authority: Authority::User,
/// };
/// let globex = from("2023-06-01T00:00:00Z")?;
/// let claims = [claim(1, 1, globex), claim(0, 0, from("2020-01-01T00:00:00Z")?)];
/// let timeline = derive_slot(&claims, &SlotRules { exclusive: true, ..SlotRules::default() }, &ByNumber);
/// let [acme, still] = &timeline.runs[..] else { panic!("two runs") };
/// assert_eq!((acme.end, acme.cause), (End::At(Moment::exact(globex.hi())), EndCause::ClosedBy(1)));
/// assert_eq!((still.value, still.end, &timeline.run_of[..]), (1, End::Open, &[Some(1), Some(0)][..]));
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
pub fn derive_slot(claims: &[SlotClaim], rules: &SlotRules, ties: &impl TieOrder) -> SlotTimeline {
    let Derived { holds, ends, drafts } = derive(claims, rules, ties, &mut ());
    let mut run_of = vec![None; claims.len()];
    for (run, draft) in (0..).zip(&drafts) {
        let members = holds.get(draft.holds.clone()).unwrap_or_default().iter().map(|placed| placed.input);
        let enders = ends.get(draft.ends.clone()).unwrap_or_default().iter().map(|ender| ender.input);
        for input in members.chain(enders) {
            if let Some(slot) = run_of.get_mut(input as usize) {
                *slot = Some(run);
            }
        }
    }
    // Not collected: that would reuse, and then shrink, the larger drafts' memory.
    let mut runs = Vec::with_capacity(drafts.len());
    runs.extend(drafts.into_iter().map(into_run));
    SlotTimeline { runs, run_of }
}

/// The runs of a slot, in [`SlotTimeline`]'s order, and the claims they are made of.
#[derive(Debug)]
pub(super) struct Derived {
    pub holds: Vec<Placed>,
    pub ends: Vec<Ender>,
    pub drafts: Vec<Draft>,
}

/// [`derive_slot`], taking notes.
pub(super) fn derive(claims: &[SlotClaim], rules: &SlotRules, ties: &impl TieOrder, sink: &mut impl Sink) -> Derived {
    let mut holds: Vec<Placed> = Vec::with_capacity(claims.len());
    let mut ends: Vec<Ender> = Vec::new();
    let mut denials: Vec<Denial> = Vec::new();
    for (input, claim) in (0..).zip(claims) {
        match sort_claim(input, claim, rules) {
            Sorted::Holds(placed) => holds.push(placed),
            Sorted::End(ender) => ends.push(ender),
            Sorted::Never(denial) => denials.push(denial),
        }
    }
    if holds.windows(2).any(|pair| matches!(pair, [left, right] if left.value > right.value)) {
        holds.sort_unstable_by_key(|placed| placed.value);
    }
    place(&mut holds, rules, sink);
    holds.sort_unstable_by(|left, right| left.value.cmp(&right.value).then_with(|| left.run_order(right, ties)));
    ends.sort_unstable_by(|left, right| left.value.cmp(&right.value).then_with(|| left.order(right, ties)));
    denials.sort_unstable_by(|left, right| {
        (left.value, left.from, left.to).cmp(&(right.value, right.from, right.to)).then_with(|| ties.cmp_claims(left.claim, right.claim))
    });
    silence(&mut holds, &denials);
    let suspending = if rules.resumes && rules.exclusive && rules.kind == RelationKind::State {
        suspend(&mut holds, &ends, rules, ties)
    } else {
        Vec::new()
    };
    let part = Part { holds: &holds, ends: &ends, carried: &[] };
    let mut drafts = build(part, rules, ties, sink);
    hide_suspended(&mut drafts, &holds, &suspending, sink);
    if !denials.is_empty() {
        for draft in &mut drafts {
            let from = denials.partition_point(|denial| denial.value < draft.value);
            let to = denials.partition_point(|denial| denial.value <= draft.value);
            deny(draft, part, denials.get(from..to).unwrap_or_default(), sink);
        }
    }
    for draft in &mut drafts {
        let possible = draft.possible();
        tidy(&mut draft.standing.hidden, possible);
        if rules.on_conflict == OnConflict::Newest {
            draft.standing.observed_at = observed_last(draft, part);
        }
    }
    judge(&mut drafts, rules, Reach::End, sink);
    in_order(&mut drafts, ties);
    Derived { holds, ends, drafts }
}

/// Sorts runs by key, value and first claim.
fn in_order(drafts: &mut Vec<Draft>, ties: &impl TieOrder) {
    let order = |left: (Instant, u32, u32), right: (Instant, u32, u32)| {
        let values = || if left.1 == right.1 { Ordering::Equal } else { ties.cmp_values(left.1, right.1) };
        left.0.cmp(&right.0).then_with(values).then_with(|| ties.cmp_claims(left.2, right.2))
    };
    let name = |draft: &Draft| (draft.key, draft.value, draft.first);
    if drafts.len() <= FEW {
        drafts.sort_unstable_by(|left, right| order(name(left), name(right)));
        return;
    }
    // A run is large: it is moved once.
    let mut names: Vec<_> = drafts.iter().enumerate().map(|(index, draft)| (name(draft), index)).collect();
    names.sort_unstable_by(|(left, _), (right, _)| order(*left, *right));
    let mut unsorted: Vec<Option<Draft>> = drafts.drain(..).map(Some).collect();
    drafts.extend(names.into_iter().filter_map(|(_, index)| unsorted.get_mut(index)?.take()));
}

/// When a run was observed last, its ends included.
fn observed_last(draft: &Draft, part: Part<'_>) -> Instant {
    let members = part.holds.get(draft.holds.clone()).unwrap_or_default().iter().map(|placed| placed.observed_at);
    let enders = part.ends.get(draft.ends.clone()).unwrap_or_default().iter().map(|ender| ender.observed_at);
    members.chain(enders).max().unwrap_or(Instant::DISTANT_PAST)
}

/// `resumes`, first half: the claims of the runs that are bounded under the ordinary rules neither cut nor cover.
/// Returns their indexes in `holds`, by key.
fn suspend(holds: &mut [Placed], ends: &[Ender], rules: &SlotRules, ties: &impl TieOrder) -> Vec<usize> {
    let ordinary = build(Part { holds, ends, carried: &[] }, rules, ties, &mut ());
    let mut suspending = Vec::new();
    for draft in ordinary.iter().filter(|draft| draft.bounded && !draft.is_orphan()) {
        for (index, placed) in draft.holds.clone().zip(holds.get_mut(draft.holds.clone()).unwrap_or_default()) {
            if placed.acts {
                placed.acts = false;
                suspending.push(index);
            }
        }
    }
    suspending.sort_unstable_by_key(|&index| (holds.get(index).map(Placed::key), index));
    suspending
}

/// `resumes`, second half: where another value held for a time, the older one is hidden, from where that value would have cut
/// or covered it to where that value may last have held.
fn hide_suspended(drafts: &mut [Draft], holds: &[Placed], suspending: &[usize], sink: &mut impl Sink) {
    if suspending.is_empty() {
        return;
    }
    let mut ends_at = vec![Instant::DISTANT_PAST; holds.len()];
    for draft in drafts.iter() {
        for end in ends_at.get_mut(draft.holds.clone()).unwrap_or_default() {
            *end = draft.end_hi;
        }
    }
    for draft in drafts.iter_mut().filter(|draft| !draft.is_orphan()) {
        let from = suspending.partition_point(|&index| holds.get(index).is_some_and(|placed| placed.key() <= draft.key));
        for &index in suspending.get(from..).unwrap_or_default() {
            let (Some(placed), Some(&to)) = (holds.get(index), ends_at.get(index)) else { continue };
            if placed.key() >= draft.end_hi {
                break;
            }
            if placed.value == draft.value || placed.rank < draft.rank || placed.key().max(placed.evidence) < draft.evidence {
                continue;
            }
            let from = if placed.kind == StartKind::By { draft.evidence } else { draft.evidence.max(placed.lo) };
            let to = to.min(draft.end_hi);
            if from < to {
                draft.standing.hidden.push((from, to));
                sink.note(|| Note::Hidden { run: draft.first, why: Hiding::Suspended(placed.claim), from, to });
            }
        }
    }
}

/// The run as it is handed out.
pub(super) fn into_run(draft: Draft) -> Run {
    let possible = draft.possible();
    let support = draft.holds.len() + draft.ends.len();
    let mut hidden = draft.standing.hidden;
    if !draft.standing.lost.is_empty() {
        hidden.extend(draft.standing.lost);
        tidy(&mut hidden, possible);
    }
    Run {
        first: draft.first,
        value: draft.value,
        support: u32::try_from(support).unwrap_or(u32::MAX),
        authority: draft.authority,
        start: start_of(draft.kind, draft.lo, draft.hi),
        end: end_of(draft.end_lo, draft.end_hi),
        cause: draft.cause,
        contested: draft.standing.contested,
        challenged_from: draft.standing.challenged_from,
        hidden,
    }
}

pub(super) fn start_of(kind: StartKind, lo: Instant, hi: Instant) -> Start {
    match kind {
        StartKind::At => Start::At(moment(lo, hi)),
        StartKind::By => Start::By(lo),
        StartKind::Always => Start::Always,
        StartKind::Unknown => Start::Unknown,
    }
}

pub(super) fn end_of(lo: Instant, hi: Instant) -> End {
    if hi == Instant::DISTANT_FUTURE && lo == hi {
        End::Open
    } else if lo == Instant::DISTANT_PAST {
        End::By(hi)
    } else {
        End::At(moment(lo, hi))
    }
}

/// The granule `[lo, hi)`; the rules keep its bounds in order.
fn moment(lo: Instant, hi: Instant) -> Moment {
    Moment::granule(lo, hi).unwrap_or(Moment::exact(hi))
}
