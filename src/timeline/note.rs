//! Notes: which rule did what, while a slot is derived. Knows nothing of how a note is worded.

use crate::time::Instant;

/// Why a run joins or does not join its value's next claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Break {
    /// An end of the value falls between; the claim that states it.
    Ended(u32),
    /// A claim of another value covers the evidence.
    Covered(u32),
    /// A claim of another value cuts the tail.
    Cut(u32),
    /// The time to live ran out between.
    Expired,
}

/// How two runs come to exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conflict {
    /// They begin at the same key.
    SameKey,
    /// Both are certain at one instant.
    Overlap,
    /// One begins inside the certain extent of the other.
    KeyInside,
}

/// Why a stretch of a run does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hiding {
    /// The run of this first claim, observed later, holds there.
    Overruled(u32),
    /// This `Never` claim denies it.
    Denied(u32),
    /// The run of this first claim ranks above it, and the policy is strict.
    Outranked(u32),
    /// The value of this claim holds for a bounded time, after which the run resumes.
    Suspended(u32),
}

/// One application of a rule. Claims are given by the caller's numbers, runs by their first claim, times on the valid-time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Note {
    /// Rule 1: a coarse start was replaced by a narrower one, `[lo, hi)`, of the same value.
    Refined {
        /// The claim with the coarse start.
        claim: u32,
        /// The start it took.
        lo: Instant,
        /// Its upper bound.
        hi: Instant,
    },
    /// Rule 1: a claim's own end narrowed its start.
    StartNarrowed {
        /// The claim.
        claim: u32,
        /// The new upper bound of its start.
        to: Instant,
    },
    /// Rule 1: the run's counting end narrowed the start of the fact.
    RunNarrowed {
        /// The run.
        run: u32,
        /// The new upper bound of its start.
        to: Instant,
    },
    /// Rule 2: an end found the run it belongs to.
    EndAttached {
        /// The run.
        run: u32,
        /// The end.
        end: u32,
    },
    /// Rule 2: an end found no run.
    OrphanEnd {
        /// The fact that such ends make together.
        run: u32,
        /// The end.
        end: u32,
    },
    /// Rule 3: a claim lies before the run's evidence and joins it.
    JoinedWithin {
        /// The run.
        run: u32,
        /// The claim.
        claim: u32,
    },
    /// Rule 3: nothing falls between the run's evidence and the claim, which joins it.
    JoinedUnbroken {
        /// The run.
        run: u32,
        /// The claim.
        claim: u32,
    },
    /// Rule 3: the value recurs.
    Recurred {
        /// The run that begins.
        run: u32,
        /// The run before it.
        after: u32,
        /// What fell between.
        because: Break,
    },
    /// Rule 3: this end decides where the run ends.
    EndCounts {
        /// The run.
        run: u32,
        /// The claim that states the end.
        end: u32,
    },
    /// Rule 3: an end before the run's evidence decides nothing.
    EndOverruled {
        /// The run.
        run: u32,
        /// The claim that states the end.
        end: u32,
        /// The last instant the run speaks for.
        evidence: Instant,
    },
    /// Rule 4: nothing is left of the soft tail.
    Covered {
        /// The run.
        run: u32,
        /// The claim of another value.
        by: u32,
        /// The run's evidence.
        evidence: Instant,
    },
    /// Rule 4: the soft tail is cut.
    Cut {
        /// The run.
        run: u32,
        /// The claim of another value.
        by: u32,
        /// The key of that claim.
        at: Instant,
        /// Whether the run was already known to be over by some later instant.
        over_by: bool,
    },
    /// Rule 5: the run and another exclude each other.
    Contested {
        /// The run.
        run: u32,
        /// The other run.
        rival: u32,
        /// How.
        how: Conflict,
    },
    /// Rule 6: a claim of another value would have ended the run, but ranks below it.
    Blocked {
        /// The run.
        run: u32,
        /// The claim of lower rank.
        by: u32,
    },
    /// Rule 6: a run, or a denial, of lower rank says otherwise.
    Challenged {
        /// The run.
        run: u32,
        /// The first claim of the lower run, or the `Never` claim.
        by: u32,
        /// From where on.
        from: Instant,
    },
    /// Rules 5 to 7 and `resumes`: the run does not count over `[from, to)`.
    Hidden {
        /// The run.
        run: u32,
        /// Why.
        why: Hiding,
        /// From, inclusive.
        from: Instant,
        /// To, exclusive.
        to: Instant,
    },
    /// Rule 8: the time to live ran out.
    Expired {
        /// The run.
        run: u32,
        /// The run's evidence.
        evidence: Instant,
        /// When.
        at: Instant,
    },
    /// Kind `event`: without an end of its own it ends with its start moment.
    EventEnds {
        /// The run.
        run: u32,
    },
    /// Kind `permanent`: another value would have ended it, but it is never cut.
    Kept {
        /// The run.
        run: u32,
        /// The claim of another value.
        despite: u32,
    },
}

/// Takes notes, or does not: `()` compiles to nothing.
pub(super) trait Sink {
    /// Whether notes are wanted.
    const ON: bool;

    /// Takes a note, which is only made if it is wanted.
    fn note(&mut self, make: impl FnOnce() -> Note);
}

impl Sink for () {
    const ON: bool = false;

    fn note(&mut self, _make: impl FnOnce() -> Note) {}
}

impl Sink for Vec<Note> {
    const ON: bool = true;

    fn note(&mut self, make: impl FnOnce() -> Note) {
        self.push(make());
    }
}
