//! The one instant type: UTC, microseconds. Knows the calendar through chrono; knows nothing of granules or spans.

use super::civil::{self, Year};
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
            .map_err(|fault| fault.of(&format!("{}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micro:06}Z", Year(year))))
    }

    /// Midnight in UTC at the beginning of a date.
    ///
    /// # Errors
    /// As [`Instant::from_civil`].
    pub fn from_date(year: i32, month: u32, day: u32) -> Result<Self, TimeError> {
        civil::date(year, month, day).and_then(Self::civil).map_err(|fault| fault.of(&format!("{}-{month:02}-{day:02}", Year(year))))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, shown: &str) {
        let at = Instant::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(at.to_string(), shown, "{text}");
        assert_eq!(Instant::parse(shown), Ok(at), "{text} does not read back");
    }

    #[test]
    fn rfc_3339_is_read_and_written() {
        check("2019-06-03T10:00:00Z", "2019-06-03T10:00:00Z");
        check("2019-06-03t10:00:00z", "2019-06-03T10:00:00Z");
        check(" 2019-06-03 10:00:00+02:00 ", "2019-06-03T08:00:00Z");
        check("2019-06-03T10:00:00+0200", "2019-06-03T08:00:00Z");
        check("2019-06-03T10:00:00-05", "2019-06-03T15:00:00Z");
        check("2019-06-03T10:00+00:00", "2019-06-03T10:00:00Z");
        check("2019-06-03T10:00-00:00", "2019-06-03T10:00:00Z");
        check("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z");
        check("2019-06-03T10:00:00.5Z", "2019-06-03T10:00:00.500Z");
        check("2019-06-03T10:00:00.000001Z", "2019-06-03T10:00:00.000001Z");
        check("2019-06-03T10:00:00,1234567899Z", "2019-06-03T10:00:00.123456Z");
        check("2019-06-03T24:00:00Z", "2019-06-04T00:00:00Z");
        check("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z");
        check("2024-01-10T23:30-05:00", "2024-01-11T04:30:00Z");
        check("-0044-03-15T00:00:00Z", "-0044-03-15T00:00:00Z");
        check("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z");
        check("+2019-06-03T10:00:00Z", "2019-06-03T10:00:00Z");
    }

    #[test]
    fn the_civil_years_end_where_they_say() {
        check("-9999-01-01T00:00:00Z", "-9999-01-01T00:00:00Z");
        check("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z");
        check("+10000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z");
        assert_eq!(Instant::from_date(-9999, 1, 1), Ok(Instant::MIN));
        assert_eq!(Instant::parse("9999-12-31T24:00:00Z"), Ok(Instant::MAX));
        for text in ["+10000-01-01T00:00:01Z", "-10000-12-31T23:59:59Z", "-9999-01-01T00:00:00+00:01", "+123456789-01-01T00:00Z"] {
            assert_eq!(Instant::parse(text), Err(TimeError::OutOfRange { text: text.to_owned() }));
        }
        check("-10000-12-31T19:00:00-05:00", "-9999-01-01T00:00:00Z");
        assert!(Instant::from_civil(10_000, 1, 1, 0, 0, 0, 1).is_err());
        assert!(Instant::from_civil(i32::MAX, 1, 1, 0, 0, 0, 0).is_err());
        assert!(Instant::from_civil(i32::MIN, 13, 1, 0, 0, 0, 0).is_err());
    }

    #[test]
    fn what_is_no_instant_is_rejected_by_name() {
        let long = "9".repeat(10_000);
        for text in [
            "",
            " ",
            "now",
            "2019",
            "2019-06-03",
            "2019-06-03T10Z",
            "2019-06-03T10:00:00",
            "2019-13-01T00:00Z",
            "2019-02-29T00:00Z",
            "2019-06-03T24:00:01Z",
            "2019-06-03T25:00Z",
            "2019-06-03T10:60Z",
            "2019-06-03T10:00:61Z",
            "2019-06-03T10:00:00.Z",
            "2019-06-03T10:00:00+18:01",
            "2019-06-03T10:00:00+05:60",
            "2019-06-03T10:00:00Z~",
            "201X-06-03T10:00:00Z",
            "2019-06-XXT10:00:00Z",
            "-0000-01-01T00:00:00Z",
            "12019-01-01T00:00:00Z",
            "∞",
            "-∞",
            "2019-06-03T10:00:00Zé",
            "２０１９-06-03T10:00:00Z",
            &long,
        ] {
            let error = Instant::parse(text).expect_err(text).to_string();
            let quoted = format!("{:?}", crate::time::error::excerpt(text));
            assert!(error.contains(&quoted), "{error}");
            assert!(error.len() < 400, "{error}");
        }
    }

    #[test]
    fn constructors_name_the_field_that_is_wrong() {
        let message = |result: Result<Instant, TimeError>| result.expect_err("no such date").to_string();
        assert_eq!(message(Instant::from_date(2019, 13, 1)), "cannot read \"2019-13-01\" as a time: month 13 is not 1 to 12");
        assert_eq!(
            message(Instant::from_date(2019, 2, 30)),
            "cannot read \"2019-02-30\" as a time: day 30 is not 1 to 28, the days of that month"
        );
        assert!(message(Instant::from_civil(2019, 1, 1, 25, 0, 0, 0)).ends_with("hour 25 is not 0 to 23"));
    }

    #[test]
    fn arithmetic_saturates_at_the_sentinels() {
        let at = Instant::from_date(2019, 6, 3).unwrap();
        assert_eq!(at.saturating_add(1).micros_since(at), 1);
        assert_eq!(at.saturating_add(i64::MAX), Instant::DISTANT_FUTURE);
        assert_eq!(at.saturating_sub(i64::MAX), Instant::DISTANT_PAST);
        assert_eq!(at.saturating_sub(i64::MIN), Instant::DISTANT_FUTURE);
        assert_eq!(Instant::MAX.saturating_add(1), Instant::DISTANT_FUTURE);
        assert_eq!(Instant::MIN.saturating_sub(1), Instant::DISTANT_PAST);
        assert_eq!(Instant::DISTANT_PAST.saturating_add(i64::MAX), Instant::DISTANT_PAST);
        assert_eq!(Instant::DISTANT_FUTURE.saturating_sub(1), Instant::DISTANT_FUTURE);
        assert_eq!(Instant::DISTANT_FUTURE.micros_since(Instant::DISTANT_PAST), i64::MAX);
    }

    #[test]
    fn sentinels_and_raw_numbers_are_displayed() {
        assert_eq!(Instant::DISTANT_PAST.to_string(), "-∞");
        assert_eq!(Instant::DISTANT_FUTURE.to_string(), "∞");
        assert_eq!(Instant::from_micros(i64::MAX - 1).to_string(), "9223372036854775806usZ");
        assert_eq!(ZonedInstant { at: Instant::DISTANT_FUTURE, offset_minutes: 60 }.to_string(), "∞");
    }

    #[test]
    fn offsets_are_kept() {
        let zoned = ZonedInstant::parse("2024-01-10T23:30:00-05:00").unwrap();
        assert_eq!(zoned.offset_minutes, -300);
        assert_eq!(zoned.to_string(), "2024-01-10T23:30:00-05:00");
        assert_eq!(zoned.zone(), Zone::parse("-05:00").unwrap());
        assert_eq!(ZonedInstant::utc(zoned.at).to_string(), "2024-01-11T04:30:00Z");
        assert_eq!(ZonedInstant::parse("2024-01-10T23:30:00+05:45").unwrap().to_string(), "2024-01-10T23:30:00+05:45");
    }
}
