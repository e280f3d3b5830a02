//! Moments: exact instants and granules of possible instants. Knows nothing of starts and ends.

use super::{Instant, TimeError};

/// An exact instant, or a granule `[lo, hi)` of the instants it may be.
///
/// "2019" is the granule [2019-01-01, 2020-01-01): a date is not midnight.
/// Source: Dyreson & Snodgrass 1998, valid-time indeterminacy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    lo: Instant,
    hi: Instant,
}

impl Moment {
    /// The exact instant `at`.
    #[must_use]
    pub const fn exact(at: Instant) -> Self {
        Self { lo: at, hi: at }
    }

    /// The granule `[lo, hi)`; exact where the two are equal.
    ///
    /// # Errors
    /// [`TimeError::Inconsistent`] if `hi` lies before `lo`.
    pub fn granule(lo: Instant, hi: Instant) -> Result<Self, TimeError> {
        if hi < lo {
            return Err(TimeError::Inconsistent { reason: format!("a granule cannot end ({hi:?}) before it begins ({lo:?})") });
        }
        Ok(Self { lo, hi })
    }

    /// The earliest instant it may be.
    #[must_use]
    pub const fn lo(self) -> Instant {
        self.lo
    }

    /// The end, exclusive, of the instants it may be; equal to [`Moment::lo`] where it is exact.
    #[must_use]
    pub const fn hi(self) -> Instant {
        self.hi
    }

    /// Whether it is one instant.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }
}
