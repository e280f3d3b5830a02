//! Zones: what a clock on the wall reads at an instant, and at which instants it reads a time. Never asks what time it is now.

use super::civil::{SECOND, write_offset};
use super::error::{Fault, TimeError, excerpt};
use super::grammar;
use super::{Instant, Moment};
use chrono::{DateTime, LocalResult, NaiveDateTime, Offset, TimeZone};
use chrono_tz::{GapInfo, TZ_VARIANTS, Tz};
use std::fmt;
use std::str::FromStr;

/// A time zone: UTC, a fixed offset, or one of the IANA data base.
///
/// **Which instants a civil time is.** A granule of a zone runs from the first to the last instant at which the zone's clock
/// reads a time inside it. So a day has 23 or 25 hours where the clock is moved, an hour that the clock reads twice is one granule of
/// two hours, and a local time read twice is the granule of both readings. A local time (or a whole day) that the clock skips is
/// read with the offset in force before the gap, as RFC 5545 section 3.3.5 does.
///
/// IANA transitions are known up to the year 2100; later years keep the last offset, and years before a zone's first transition
/// have its local mean time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zone(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// Minutes east of UTC.
    Fixed(i16),
    Iana(Tz),
}

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(Kind::Fixed(0));

    /// The zone that is always `minutes` east of UTC.
    ///
    /// # Errors
    /// [`TimeError::UnknownZone`] beyond ±18 hours.
    pub fn fixed(minutes: i16) -> Result<Self, TimeError> {
        if minutes.unsigned_abs() > 18 * 60 {
            return Err(TimeError::UnknownZone { name: format!("{minutes} minutes east of UTC") });
        }
        Ok(Self::fixed_minutes(minutes))
    }

    pub(super) const fn fixed_minutes(minutes: i16) -> Self {
        Self(Kind::Fixed(minutes))
    }

    /// Reads `UTC`, `Z`, an offset (`+09:00`, `-0500`, `+09`) or an IANA name (`America/New_York`; upper and lower case are one).
    ///
    /// # Errors
    /// [`TimeError::UnknownZone`] for anything else.
    pub fn parse(name: &str) -> Result<Self, TimeError> {
        let trimmed = name.trim();
        if trimmed.eq_ignore_ascii_case("utc") || trimmed.eq_ignore_ascii_case("etc/utc") {
            return Ok(Self::UTC);
        }
        if let Some(minutes) = grammar::read_offset(trimmed) {
            return Ok(Self::fixed_minutes(minutes));
        }
        Tz::from_str(trimmed)
            .ok()
            .or_else(|| TZ_VARIANTS.iter().copied().find(|zone| zone.name().eq_ignore_ascii_case(trimmed)))
            .map(|zone| Self(Kind::Iana(zone)))
            .ok_or_else(|| TimeError::UnknownZone { name: excerpt(name) })
    }

    /// How far the zone's clock is ahead of UTC at the instant, in seconds; 0 at the sentinels.
    #[must_use]
    pub fn offset_seconds(&self, at: Instant) -> i32 {
        match self.0 {
            Kind::Fixed(minutes) => i32::from(minutes) * 60,
            Kind::Iana(zone) => naive(at.micros()).map_or(0, |utc| zone.offset_from_utc_datetime(&utc).fix().local_minus_utc()),
        }
    }

    /// What the zone's clock reads at the instant, as local microseconds.
    pub(super) fn reading(self, at: Instant) -> i64 {
        at.micros().saturating_add(i64::from(self.offset_seconds(at)) * SECOND)
    }

    /// The first and the last instant at which the clock reads the local time.
    pub(super) fn instants(self, local: i64) -> (i64, i64) {
        match self.readings(local) {
            Readings::Once(at) => (at, at),
            Readings::Twice(first, last) => (first, last),
            Readings::Never { before, .. } => (before, before),
        }
    }

    /// The granule of the instants at which the clock reads a time in `[from, to)`, clipped to the civil years.
    pub(super) fn granule(self, from: i64, to: i64) -> Result<Moment, Fault> {
        let (mut lo, mut hi) = match self.0 {
            Kind::Fixed(_) => (self.instants(from).0, self.instants(to).0),
            Kind::Iana(_) => {
                let lo = match self.readings(from) {
                    Readings::Once(at) | Readings::Twice(at, _) => at,
                    Readings::Never { gap, .. } => gap,
                };
                // The last microsecond inside, and one more: at `to` itself the clock may already have been moved.
                let hi = match self.readings(to - 1) {
                    Readings::Once(at) | Readings::Twice(_, at) => at + 1,
                    Readings::Never { gap, .. } => gap,
                };
                (lo, hi)
            }
        };
        if hi <= lo {
            lo = self.instants(from).0;
            hi = lo + (to - from);
        }
        if hi <= Instant::MIN.micros() || lo >= Instant::MAX.micros() {
            return Err(Fault::Range);
        }
        let clip = |micros: i64| Instant::from_micros(micros.clamp(Instant::MIN.micros(), Instant::MAX.micros()));
        Moment::granule(clip(lo), clip(hi)).map_err(|_inside_out| Fault::Range)
    }

    fn readings(self, local: i64) -> Readings {
        let minus = |seconds: i32| local.saturating_sub(i64::from(seconds) * SECOND);
        let zone = match self.0 {
            Kind::Fixed(minutes) => return Readings::Once(minus(i32::from(minutes) * 60)),
            Kind::Iana(zone) => zone,
        };
        let Some(naive) = naive(local) else { return Readings::Once(local) };
        match zone.offset_from_local_datetime(&naive) {
            LocalResult::Single(offset) => Readings::Once(minus(offset.fix().local_minus_utc())),
            LocalResult::Ambiguous(one, other) => {
                let (one, other) = (minus(one.fix().local_minus_utc()), minus(other.fix().local_minus_utc()));
                Readings::Twice(one.min(other), one.max(other))
            }
            LocalResult::None => match GapInfo::new(&naive, &zone).and_then(|gap| gap.begin) {
                Some((begin, offset)) => {
                    let seconds = offset.fix().local_minus_utc();
                    let gap = begin.and_utc().timestamp_micros().saturating_sub(i64::from(seconds) * SECOND);
                    Readings::Never { gap, before: minus(seconds) }
                }
                None => Readings::Once(local),
            },
        }
    }
}

/// When a clock reads a local time, in microseconds of UTC.
enum Readings {
    Once(i64),
    /// The clock was put back: first and last.
    Twice(i64, i64),
    /// The clock was put forward past it.
    Never {
        /// The instant at which the clock was put forward.
        gap: i64,
        /// The instant it would have been with the offset in force before.
        before: i64,
    },
}

/// The calendar's word for microseconds, as chrono-tz takes it; `None` beyond the calendar's reach, as the sentinels are.
fn naive(micros: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp_micros(micros).map(|utc| utc.naive_utc())
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Fixed(0) => f.write_str("UTC"),
            Kind::Fixed(minutes) => write_offset(f, minutes),
            Kind::Iana(zone) => f.write_str(zone.name()),
        }
    }
}

impl FromStr for Zone {
    type Err = TimeError;

    fn from_str(name: &str) -> Result<Self, TimeError> {
        Self::parse(name)
    }
}
