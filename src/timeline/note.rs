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
    /// Rule 6: an end that ranks below the run decides nothing.
    EndOutranked {
        /// The run.
        run: u32,
        /// The claim that states the end.
        end: u32,
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
    /// Rule 6: a run, a denial, or an end of lower rank says otherwise.
    Challenged {
        /// The run.
        run: u32,
        /// The first claim of the lower run, the `Never` claim, or the claim that states the end.
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

impl Note {
    /// The run it is about, by its first claim; `None` for a note on a claim alone.
    #[must_use]
    pub const fn run(&self) -> Option<u32> {
        match *self {
            Self::Refined { .. } | Self::StartNarrowed { .. } => None,
            Self::RunNarrowed { run, .. }
            | Self::EndAttached { run, .. }
            | Self::OrphanEnd { run, .. }
            | Self::JoinedWithin { run, .. }
            | Self::JoinedUnbroken { run, .. }
            | Self::Recurred { run, .. }
            | Self::EndCounts { run, .. }
            | Self::EndOverruled { run, .. }
            | Self::EndOutranked { run, .. }
            | Self::Covered { run, .. }
            | Self::Cut { run, .. }
            | Self::Contested { run, .. }
            | Self::Blocked { run, .. }
            | Self::Challenged { run, .. }
            | Self::Hidden { run, .. }
            | Self::Expired { run, .. }
            | Self::EventEnds { run }
            | Self::Kept { run, .. } => Some(run),
        }
    }

    /// The claim that makes the rule apply: the one that ends, joins, cuts, contests, challenges or hides.
    #[must_use]
    pub const fn claim(&self) -> Option<u32> {
        match *self {
            Self::Refined { claim, .. }
            | Self::StartNarrowed { claim, .. }
            | Self::JoinedWithin { claim, .. }
            | Self::JoinedUnbroken { claim, .. } => Some(claim),
            Self::EndAttached { end, .. }
            | Self::OrphanEnd { end, .. }
            | Self::EndCounts { end, .. }
            | Self::EndOverruled { end, .. }
            | Self::EndOutranked { end, .. } => Some(end),
            Self::Covered { by, .. } | Self::Cut { by, .. } | Self::Blocked { by, .. } | Self::Challenged { by, .. } => Some(by),
            Self::Recurred { after, .. } => Some(after),
            Self::Contested { rival, .. } => Some(rival),
            Self::Kept { despite, .. } => Some(despite),
            Self::Hidden { why, .. } => match why {
                Hiding::Overruled(by) | Hiding::Denied(by) | Hiding::Outranked(by) | Hiding::Suspended(by) => Some(by),
            },
            Self::RunNarrowed { .. } | Self::Expired { .. } | Self::EventEnds { .. } => None,
        }
    }

    /// The note in a sentence, with instants as they are displayed. `name` words a claim given by its number: its value and, if
    /// wanted, its source; a run is worded by its first claim.
    pub fn sentence(&self, name: &impl Fn(u32) -> String) -> String {
        match *self {
            Self::Refined { claim, lo, hi } if lo == hi => {
                format!("{} tells coarsely of the beginning that another claim puts at {lo}", name(claim))
            }
            Self::Refined { claim, lo, hi } => {
                format!("{} tells coarsely of the beginning that another claim puts between {lo} and {hi}", name(claim))
            }
            Self::StartNarrowed { claim, to } => format!("{} began by {to}, because it ended by then", name(claim)),
            Self::RunNarrowed { run, to } => format!("{} began by {to}, because it was over by then", name(run)),
            Self::EndAttached { run, end } => format!("{} is an end of {}", name(end), name(run)),
            Self::OrphanEnd { end, .. } => format!("{} ends something of whose beginning nothing is known", name(end)),
            Self::JoinedWithin { run, claim } => format!("{} speaks of a time at which {} is known to hold", name(claim), name(run)),
            Self::JoinedUnbroken { run, claim } => format!("{} continues {}: nothing that counts came between", name(claim), name(run)),
            Self::Recurred { run, after, because } => {
                let what = match because {
                    Break::Ended(end) => format!("{} had ended it", name(end)),
                    Break::Covered(claim) | Break::Cut(claim) => format!("{} came between", name(claim)),
                    Break::Expired => "its time to live had run out".to_owned(),
                };
                format!("{} holds again after {}: {what}", name(run), name(after))
            }
            Self::EndCounts { run, end } if run == end => format!("{} states its own end", name(run)),
            Self::EndCounts { run, end } => format!("{} ends {}", name(end), name(run)),
            Self::EndOverruled { run, end, evidence } => {
                format!("the end that {} states does not count: {} is known to hold until {evidence}", name(end), name(run))
            }
            Self::EndOutranked { run, end } => {
                format!("the end that {} states does not count: its source ranks lower than that of {}", name(end), name(run))
            }
            Self::Covered { run, by, evidence } => {
                format!("{} held before and after {evidence}, the last that is known of {}", name(by), name(run))
            }
            Self::Cut { run, by, at, over_by: false } => format!("{} closed {} at {at}", name(by), name(run)),
            Self::Cut { run, by, at, over_by: true } => {
                format!("{} closed {}, known to be over some time later, at {at}", name(by), name(run))
            }
            Self::Contested { run, rival, how } => {
                let how = match how {
                    Conflict::SameKey => "both begin at the same time",
                    Conflict::Overlap => "both are certain at the same time",
                    Conflict::KeyInside => "one begins while the other is certain",
                };
                format!("{} and {} cannot both hold: {how}", name(run), name(rival))
            }
            Self::Blocked { run, by } => format!("{} does not end {}: its source ranks lower", name(by), name(run)),
            Self::Challenged { run, by, from } if from == Instant::DISTANT_PAST => {
                format!("{}, from a source of lower rank, says otherwise than {}", name(by), name(run))
            }
            Self::Challenged { run, by, from } => {
                format!("from {from} on {}, from a source of lower rank, says otherwise than {}", name(by), name(run))
            }
            Self::Hidden { run, why, from, to } => {
                let why = match why {
                    Hiding::Overruled(by) => format!("{} was observed later", name(by)),
                    Hiding::Denied(by) => format!("{} denies it", name(by)),
                    Hiding::Outranked(by) => format!("the source of {} ranks higher", name(by)),
                    Hiding::Suspended(by) => format!("{} held for a time", name(by)),
                };
                format!("{} does not count from {from} to {to}: {why}", name(run))
            }
            Self::Expired { run, evidence, at } => format!("{} was last known at {evidence}, and ran out at {at}", name(run)),
            Self::EventEnds { run } => format!("{} is an event and ends when it happens", name(run)),
            Self::Kept { run, despite } => format!("{} is permanent: {} does not end it", name(run), name(despite)),
        }
    }
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
