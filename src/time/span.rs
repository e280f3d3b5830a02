//! Spans: what a claim says of when something began and ended; and positions to read at.
//! Knows nothing of what it is that began.

use super::{Instant, Moment, TimeError};

/// When something began to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// It began at this moment.
    At(Moment),
    /// It already held at this instant and began some time before.
    By(Instant),
    /// Nothing is said of its beginning ("used to").
    Unknown,
    /// It has no beginning.
    Always,
}

/// When something ceased to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// It ended at this moment; exclusive.
    At(Moment),
    /// It was over by this instant.
    By(Instant),
    /// Until further notice.
    Open,
}

/// What one claim says of its valid time: a start and an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    start: Start,
    end: End,
}

impl Span {
    /// The span from `start` to `end`.
    ///
    /// # Errors
    /// [`TimeError::Inconsistent`] if the end lies wholly before the start (`end.hi < start.lo`), or if an `Unknown` start
    /// meets an `Open` end, which says nothing.
    pub fn new(start: Start, end: End) -> Result<Self, TimeError> {
        let begins = match start {
            Start::At(moment) => Some(moment.lo()),
            Start::By(_) | Start::Unknown | Start::Always => None,
        };
        let ends = match end {
            End::At(moment) => Some(moment.hi()),
            End::By(instant) => Some(instant),
            End::Open => None,
        };
        if let (Some(begins), Some(ends)) = (begins, ends)
            && ends < begins
        {
            return Err(TimeError::Inconsistent { reason: format!("the end {ends:?} lies before the start {begins:?}") });
        }
        if start == Start::Unknown && end == End::Open {
            return Err(TimeError::Inconsistent { reason: "an unknown start with an open end says nothing".to_owned() });
        }
        Ok(Self { start, end })
    }

    /// When it began.
    #[must_use]
    pub const fn start(self) -> Start {
        self.start
    }

    /// When it ended.
    #[must_use]
    pub const fn end(self) -> End {
        self.end
    }
}

/// Whether a fact surely holds at the instant asked for, or only may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It may hold: the instant lies inside `[start.lo, end.hi)` but outside the certain part.
    Possible,
    /// It holds: the instant lies inside `[start.hi, end.lo)`.
    Certain,
}

/// A position on the transaction-time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KnownAt {
    /// All that has been recorded in the snapshot that is read.
    Latest,
    /// What had been recorded by, and not retracted at, this instant (inclusive).
    At(Instant),
}

/// A reading position on both times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AsOf {
    /// Valid time: an instant, or a moment over which *certain* means throughout and *possible* means at any instant of it.
    pub valid_at: Moment,
    /// Transaction time.
    pub known_at: KnownAt,
}
