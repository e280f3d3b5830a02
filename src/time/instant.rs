//! The one instant type: UTC, microseconds. Knows the calendar through chrono; knows nothing of granules or spans.

use std::fmt;

/// An instant on the valid-time or the transaction-time line: microseconds since 1970-01-01T00:00:00Z, UTC.
///
/// Civil instants lie in the years −9999 to 9999. Two sentinels lie outside: [`Instant::DISTANT_PAST`] (−∞) and
/// [`Instant::DISTANT_FUTURE`] (∞), which only ever stand for a missing bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Instant(i64);

impl Instant {
    /// −∞: the missing lower bound. Sorts before every civil instant.
    pub const DISTANT_PAST: Self = Self(i64::MIN);
    /// ∞: the missing upper bound. Sorts after every civil instant.
    pub const DISTANT_FUTURE: Self = Self(i64::MAX);
    /// −9999-01-01T00:00:00Z, the first civil instant.
    pub const MIN: Self = Self(-377_705_116_800_000_000);
    /// 10000-01-01T00:00:00Z, the end (exclusive) of the civil instants.
    pub const MAX: Self = Self(253_402_300_800_000_000);

    /// The instant `micros` microseconds after the Unix epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds after the Unix epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whether this is a civil instant, neither sentinel nor outside the years −9999 to 9999.
    #[must_use]
    pub fn is_civil(self) -> bool {
        Self::MIN <= self && self <= Self::MAX
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instant({})", self.0)
    }
}

/// An instant with the offset its source wrote it in, kept for display and for words like "tomorrow".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZonedInstant {
    /// The instant, UTC.
    pub at: Instant,
    /// The source's offset east of UTC, in minutes, within ±18 hours.
    pub offset_minutes: i16,
}

/// What can be wrong with a time that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The text is no date or instant in any form that is read here.
    #[error("cannot read {text:?} as a time: {reason}")]
    Unreadable {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A year outside −9999 to 9999.
    #[error("{text:?} lies outside the years -9999 to 9999")]
    OutOfRange {
        /// What was given.
        text: String,
    },
    /// An end before its start, a span that says nothing, or a granule turned inside out.
    #[error("{reason}")]
    Inconsistent {
        /// What contradicts what, with both values.
        reason: String,
    },
    /// A zone name that is not in the IANA data base.
    #[error("unknown time zone {name:?}")]
    UnknownZone {
        /// What was given.
        name: String,
    },
}
