//! Rule 1: where each claim stands on the line: its start, key, evidence and own end; and which claims are ends or denials.
//! Knows nothing of runs.

use super::note::{Note, Sink};
use super::{SlotClaim, SlotRules, TieOrder};
use crate::model::{Authority, AuthorityMode, Polarity, RelationKind};
use crate::time::{End, Instant, Start};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The sort of a placed start; its bounds stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartKind {
    At,
    By,
    Always,
    Unknown,
}

/// A stated end: of a `Holds` claim, or an end in its own right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    /// −∞ for "over by".
    pub lo: Instant,
    pub hi: Instant,
    pub by: bool,
}

impl Ending {
    fn of(end: End) -> Option<Self> {
        match end {
            End::At(moment) => Some(Self { lo: moment.lo(), hi: moment.hi(), by: false }),
            End::By(hi) => Some(Self { lo: Instant::DISTANT_PAST, hi, by: true }),
            End::Open => None,
        }
    }
}

/// A `Holds` claim with a start, in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub claim: u32,
    pub value: u32,
    /// Index among the claims given.
    pub input: u32,
    pub kind: StartKind,
    /// Both bounds are `t` for `By(t)` and −∞ for `Always`; the lower one is the key.
    pub lo: Instant,
    pub hi: Instant,
    pub evidence: Instant,
    pub end: Option<Ending>,
    pub authority: Authority,
    /// The rank that counts: 0 throughout where ranks are switched off.
    pub rank: u8,
    pub observed_at: Instant,
    /// Whether it may cut and cover other values: not if it is denied where it begins, nor if older values resume after it.
    pub acts: bool,
}

impl Placed {
    pub(super) fn key(&self) -> Instant {
        self.lo
    }

    /// Rule 3's order among the claims of one value.
    pub(super) fn run_order(&self, other: &Self, ties: &impl TieOrder) -> Ordering {
        (self.lo, self.hi, self.evidence).cmp(&(other.lo, other.hi, other.evidence)).then_with(|| ties.cmp_claims(self.claim, other.claim))
    }

    /// Rule 4's order among the claims that may cut.
    pub(super) fn cut_order(&self, other: &Self, ties: &impl TieOrder) -> Ordering {
        (self.lo, self.hi)
            .cmp(&(other.lo, other.hi))
            .then_with(|| if self.value == other.value { Ordering::Equal } else { ties.cmp_values(self.value, other.value) })
            .then_with(|| ties.cmp_claims(self.claim, other.claim))
    }
}

/// An end of a value: an `Ends` claim, or a `Holds` claim that says nothing of its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ender {
    pub claim: u32,
    pub value: u32,
    pub input: u32,
    pub end: Ending,
    pub authority: Authority,
    pub rank: u8,
    pub observed_at: Instant,
}

impl Ender {
    /// The order in which the ends of one value are met.
    pub(super) fn order(&self, other: &Self, ties: &impl TieOrder) -> Ordering {
        (self.end.hi, self.end.lo).cmp(&(other.end.hi, other.end.lo)).then_with(|| ties.cmp_claims(self.claim, other.claim))
    }
}

/// A `Never` claim: a value denied over `[from, to)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Denial {
    pub claim: u32,
    pub value: u32,
    pub from: Instant,
    pub to: Instant,
    pub rank: u8,
}

/// What a claim is to its slot before any other claim is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sorted {
    Holds(Placed),
    End(Ender),
    Never(Denial),
}

/// The rank that counts under `rules`.
pub(super) fn rank(authority: Authority, rules: &SlotRules) -> u8 {
    match rules.authority {
        AuthorityMode::Equal => 0,
        AuthorityMode::Ranked | AuthorityMode::Strict => authority.rank(),
    }
}

/// Sorts one claim by what it is. A `Holds` claim stands where it was claimed; [`settle`] does the rest of rule 1.
pub(super) fn sort_claim(input: u32, claim: &SlotClaim, rules: &SlotRules) -> Sorted {
    let rank = rank(claim.authority, rules);
    let (start, end) = (claim.span.start(), claim.span.end());
    let ender = |end: Ending| {
        let (value, authority, observed_at) = (claim.value, claim.authority, claim.observed_at);
        Sorted::End(Ender { claim: claim.claim, value, input, end, authority, rank, observed_at })
    };
    let (kind, lo, hi) = match start {
        Start::At(moment) => (StartKind::At, moment.lo(), moment.hi()),
        Start::By(t) => (StartKind::By, t, t),
        Start::Always => (StartKind::Always, Instant::DISTANT_PAST, Instant::DISTANT_PAST),
        Start::Unknown => (StartKind::Unknown, Instant::DISTANT_PAST, Instant::DISTANT_PAST),
    };
    let ending = Ending::of(end);
    match claim.polarity {
        // An `Ends` claim that names only one moment, as its start, ended then.
        Polarity::Ends => ender(ending.unwrap_or(Ending {
            lo: if kind == StartKind::At { lo } else { Instant::DISTANT_PAST },
            hi,
            by: kind != StartKind::At,
        })),
        Polarity::Never => Sorted::Never(Denial {
            claim: claim.claim,
            value: claim.value,
            from: lo,
            to: ending.map_or(Instant::DISTANT_FUTURE, |end| end.hi),
            rank,
        }),
        Polarity::Holds => match (kind, ending) {
            (StartKind::Unknown, Some(ending)) => ender(ending),
            // Nothing is said; read as "always" so that the claim keeps a place. `Span::new` rejects it.
            (StartKind::Unknown, None) => Sorted::Holds(placed(input, claim, rank, StartKind::Always, lo, hi, None)),
            (StartKind::At | StartKind::By | StartKind::Always, ending) => Sorted::Holds(placed(input, claim, rank, kind, lo, hi, ending)),
        },
    }
}

fn placed(input: u32, claim: &SlotClaim, rank: u8, kind: StartKind, lo: Instant, hi: Instant, end: Option<Ending>) -> Placed {
    Placed {
        claim: claim.claim,
        value: claim.value,
        input,
        kind,
        lo,
        hi,
        // `seen_at` waits here until the start is settled; −∞ says nothing.
        evidence: claim.seen_at.unwrap_or(Instant::DISTANT_PAST),
        end,
        authority: claim.authority,
        rank,
        observed_at: claim.observed_at,
        acts: true,
    }
}

/// Settles a claim whose start is in its place: its own end narrows the start, and its evidence follows.
pub(super) fn settle(placed: &mut Placed, rules: &SlotRules) {
    let seen = placed.evidence;
    placed.evidence = placed.lo;
    if rules.kind == RelationKind::Event && placed.end.is_none() && placed.kind != StartKind::Always {
        // An event ends with its start moment, whatever was seen of it later.
        let by = placed.kind == StartKind::By;
        placed.end = Some(Ending { lo: if by { Instant::DISTANT_PAST } else { placed.lo }, hi: placed.hi, by });
        return;
    }
    match placed.end {
        Some(end) => {
            if placed.kind == StartKind::At {
                placed.hi = placed.hi.min(end.hi);
            }
            placed.evidence = placed.evidence.max(seen.min(end.hi)).max(end.lo);
        }
        None => placed.evidence = placed.evidence.max(seen),
    }
}

/// Whether the start `[lo, hi)` of another claim of its value may take the place of the start of `claimed`.
fn refines(claimed: &Placed, lo: Instant, hi: Instant) -> bool {
    let end_hi = claimed.end.map_or(Instant::DISTANT_FUTURE, |end| end.hi);
    width(lo, hi) < width(claimed.lo, claimed.hi) && claimed.lo <= lo && lo < claimed.hi && hi <= claimed.hi && lo < end_hi
}

fn width(lo: Instant, hi: Instant) -> i64 {
    hi.micros().saturating_sub(lo.micros())
}

/// The starts `At` of a slot as claimed: value, width, lower bound, claim.
#[derive(Clone, Debug, Default)]
pub(super) struct ClaimedStarts(BTreeSet<(u32, i64, Instant, u32)>);

impl FromIterator<Placed> for ClaimedStarts {
    fn from_iter<I: IntoIterator<Item = Placed>>(claimed: I) -> Self {
        Self(claimed.into_iter().filter_map(|claimed| Self::entry(&claimed)).collect())
    }
}

impl ClaimedStarts {
    fn entry(claimed: &Placed) -> Option<(u32, i64, Instant, u32)> {
        (claimed.kind == StartKind::At).then(|| (claimed.value, width(claimed.lo, claimed.hi), claimed.lo, claimed.claim))
    }

    pub(super) fn add(&mut self, claimed: &Placed) {
        self.0.extend(Self::entry(claimed));
    }

    pub(super) fn remove(&mut self, claimed: &Placed) {
        if let Some(entry) = Self::entry(claimed) {
            self.0.remove(&entry);
        }
    }

    /// The start that the granule of `claimed` takes, if any: the narrowest, then the earliest.
    ///
    /// # Complexity
    /// One look-up for each width in use for its value that is less than the granule's.
    pub(super) fn refinement(&self, claimed: &Placed) -> Option<(Instant, Instant)> {
        if claimed.kind != StartKind::At {
            return None;
        }
        let own = width(claimed.lo, claimed.hi);
        let mut least = 0;
        while least < own {
            // The first start of this width from `claimed.lo` on is the only one that can fit; else the next width follows.
            let &(value, width, lo, _) = self.0.range((claimed.value, least, claimed.lo, 0)..).next()?;
            if value != claimed.value {
                return None;
            }
            if width > least {
                // `lo` is the first of its width, which may begin too early.
                least = width;
                continue;
            }
            let hi = Instant::from_micros(lo.micros().saturating_add(width));
            if refines(claimed, lo, hi) {
                return Some((lo, hi));
            }
            least += 1;
        }
        None
    }

    /// The claims that may take the start of `claimed`.
    ///
    /// # Complexity
    /// One look-up for each greater width in use for its value, and one step for each claim found.
    pub(super) fn coarser(&self, claimed: &Placed) -> Vec<u32> {
        let mut coarser = Vec::new();
        if claimed.kind != StartKind::At {
            return coarser;
        }
        let value = claimed.value;
        let mut least = width(claimed.lo, claimed.hi).saturating_add(1);
        while let Some(&(found, width, ..)) = self.0.range((value, least, Instant::DISTANT_PAST, 0)..).next()
            && found == value
        {
            let from = Instant::from_micros(claimed.hi.micros().saturating_sub(width));
            if from <= claimed.lo {
                let met = self.0.range((value, width, from, 0)..=(value, width, claimed.lo, u32::MAX));
                coarser.extend(met.map(|&(.., claim)| claim));
            }
            least = width.saturating_add(1);
        }
        coarser
    }
}

/// Up to this many claims, looking at every pair is cheaper than any index.
pub(super) const FEW: usize = 32;

/// Rule 1 for all `Holds` claims of a slot, in any order within each value; equal values stand together.
pub(super) fn place(holds: &mut [Placed], rules: &SlotRules, sink: &mut impl Sink) {
    for group in holds.chunk_by_mut(|left, right| left.value == right.value) {
        if group.len() > 1 && group.iter().any(|placed| placed.hi > placed.lo) {
            if group.len() <= FEW { refine_few(group, sink) } else { refine_many(group, sink) }
        }
        for placed in group {
            let hi = placed.hi;
            settle(placed, rules);
            if placed.hi < hi {
                sink.note(|| Note::StartNarrowed { claim: placed.claim, to: placed.hi });
            }
        }
    }
}

fn refine_few(group: &mut [Placed], sink: &mut impl Sink) {
    let mut starts = [(Instant::DISTANT_PAST, Instant::DISTANT_PAST); FEW];
    let mut count = 0;
    for (start, placed) in starts.iter_mut().zip(group.iter().filter(|placed| placed.kind == StartKind::At)) {
        *start = (placed.lo, placed.hi);
        count += 1;
    }
    for placed in group.iter_mut().filter(|placed| placed.hi > placed.lo) {
        let fitting = starts.iter().take(count).filter(|(lo, hi)| refines(placed, *lo, *hi));
        if let Some(&(lo, hi)) = fitting.min_by_key(|(lo, hi)| (width(*lo, *hi), *lo)) {
            (placed.lo, placed.hi) = (lo, hi);
            sink.note(|| Note::Refined { claim: placed.claim, lo: placed.lo, hi: placed.hi });
        }
    }
}

fn refine_many(group: &mut [Placed], sink: &mut impl Sink) {
    let starts: ClaimedStarts = group.iter().copied().collect();
    for placed in group {
        if let Some((lo, hi)) = starts.refinement(placed) {
            (placed.lo, placed.hi) = (lo, hi);
            sink.note(|| Note::Refined { claim: placed.claim, lo, hi });
        }
    }
}
