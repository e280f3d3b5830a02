//! The one instant type: UTC, microseconds. Knows the calendar through chrono; knows nothing of granules or spans.

use super::civil;
use super::error::{Fault, TimeError};
use super::grammar;
use super::zone::Zone;
use std::fmt;
use std::str::FromStr;

/// An instant on the valid-time or the transaction-time line: microseconds since 1970-01-01T00:00:00Z, UTC.
///
/// Civil instants lie in the years −9999 to 9999 of the proleptic Gregorian calendar, year 0 being 1 BC. Two sentinels lie
/// outside: [`Instant::DISTANT_PAST`] (−∞) and [`Instant::DISTANT_FUTURE`] (∞), which only ever stand for a missing bound:
/// they are displayed as `-∞` and `∞` and never read from text.
///
/// Displayed as RFC 3339 in UTC, with three or six decimals only where they are needed, and a sign before years below 0
/// and above 9999 (ISO 8601).
///
/// ```
/// use erstwhile::time::Instant;
///
/// let ides = Instant::parse("-0043-03-15T12:00:00+01:00")?;
/// assert_eq!(ides.to_string(), "-0043-03-15T11:00:00Z");
/// assert_eq!(Instant::parse("2024-01-10T23:30-05:00")?, Instant::from_civil(2024, 1, 11, 4, 30, 0, 0)?);
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
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

    /// The instant of a civil date and time in UTC.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] if there is no such date or time of day; [`TimeError::OutOfRange`] outside the years −9999 to 9999.
    pub fn from_civil(year: i32, month: u32, day: u32, hour: u32, minute: u32, second: u32, micro: u32) -> Result<Self, TimeError> {
        civil::date(year, month, day)
            .and_then(|midnight| Ok(midnight + civil::time_of_day(hour, minute, second, micro)?))
            .and_then(Self::civil)
            .map_err(|fault| fault.of(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micro:06}Z")))
    }

    /// Midnight in UTC at the beginning of a date.
    ///
    /// # Errors
    /// As [`Instant::from_civil`].
    pub fn from_date(year: i32, month: u32, day: u32) -> Result<Self, TimeError> {
        civil::date(year, month, day).and_then(Self::civil).map_err(|fault| fault.of(&format!("{year:04}-{month:02}-{day:02}")))
    }

    /// Reads RFC 3339 with an offset or `Z`: `2019-06-03T10:00:00.5+02:00`.
    ///
    /// Wider than RFC 3339 in that seconds may be missing (and are then 0), years may be signed and a space may stand for the
    /// `T`. Digits after the sixth decimal are dropped; `24:00:00` is the end of the day; second 60 is the next minute's 0.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] for anything else, a date without a time or a time without an offset included;
    /// [`TimeError::OutOfRange`] outside the years −9999 to 9999.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        ZonedInstant::parse(text).map(|zoned| zoned.at)
    }

    /// The instant `micros` later, or earlier if negative. Sentinels stay where they are; what leaves the civil years is a sentinel.
    #[must_use]
    pub const fn saturating_add(self, micros: i64) -> Self {
        if self.is_sentinel() {
            return self;
        }
        Self::or_sentinel(self.0.saturating_add(micros))
    }

    /// The instant `micros` earlier, or later if negative. Sentinels stay where they are; what leaves the civil years is a sentinel.
    #[must_use]
    pub const fn saturating_sub(self, micros: i64) -> Self {
        if self.is_sentinel() {
            return self;
        }
        Self::or_sentinel(self.0.saturating_sub(micros))
    }

    /// Microseconds from `earlier` to this instant, negative if it is the later one; the most an `i64` holds where either is a sentinel.
    #[must_use]
    pub const fn micros_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whether this is a civil instant, neither sentinel nor outside the years −9999 to 9999.
    #[must_use]
    pub fn is_civil(self) -> bool {
        Self::MIN <= self && self <= Self::MAX
    }

    /// Whether it stands for a missing bound.
    #[must_use]
    pub const fn is_sentinel(self) -> bool {
        self.0 == i64::MIN || self.0 == i64::MAX
    }

    const fn or_sentinel(micros: i64) -> Self {
        if micros < Self::MIN.0 {
            Self::DISTANT_PAST
        } else if micros > Self::MAX.0 {
            Self::DISTANT_FUTURE
        } else {
            Self(micros)
        }
    }

    /// The instant, if it is a civil one.
    pub(super) fn civil(micros: i64) -> Result<Self, Fault> {
        if Self(micros).is_civil() { Ok(Self(micros)) } else { Err(Fault::Range) }
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instant({})", self.0)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::DISTANT_PAST => f.write_str("-∞"),
            Self::DISTANT_FUTURE => f.write_str("∞"),
            Self(micros) => {
                civil::write_date_time(f, micros)?;
                f.write_str("Z")
            }
        }
    }
}

impl FromStr for Instant {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        Self::parse(text)
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

impl ZonedInstant {
    /// The instant as UTC writes it.
    #[must_use]
    pub const fn utc(at: Instant) -> Self {
        Self { at, offset_minutes: 0 }
    }

    /// Reads what [`Instant::parse`] reads and keeps the offset.
    ///
    /// # Errors
    /// As [`Instant::parse`].
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        grammar::read_instant(text).map_err(|fault| fault.of(text))
    }

    /// The fixed zone of its offset.
    #[must_use]
    pub const fn zone(self) -> Zone {
        Zone::fixed_minutes(self.offset_minutes)
    }
}

impl fmt::Display for ZonedInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.is_sentinel() {
            return self.at.fmt(f);
        }
        civil::write_date_time(f, self.at.micros().saturating_add(i64::from(self.offset_minutes) * civil::MINUTE))?;
        civil::write_offset(f, self.offset_minutes)
    }
}

impl FromStr for ZonedInstant {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        Self::parse(text)
    }
}
