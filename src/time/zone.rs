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
/// IANA transitions are known through the year 2099; later years keep the last offset, and years before a zone's first transition
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

    /// The zones that are called by a city, with its name in English: `New York` for `America/New_York`.
    pub(super) fn of_cities() -> impl Iterator<Item = (String, Self)> {
        const PARTS: [&str; 9] = ["Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];
        TZ_VARIANTS.iter().filter_map(|zone| {
            let (part, city) = zone.name().split_once('/')?;
            (PARTS.contains(&part) && !city.contains('/')).then(|| (city.replace('_', " "), Self(Kind::Iana(*zone))))
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::parse_moment;

    fn check(zone: &str, text: &str, lo: &str, hi: &str) {
        let zone = Zone::parse(zone).unwrap();
        let moment = parse_moment(text, &zone).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((moment.lo().to_string(), moment.hi().to_string()), (format!("{lo}:00Z"), format!("{hi}:00Z")), "{text} in {zone}");
    }

    #[test]
    fn a_civil_day_is_the_zones_day() {
        check("America/New_York", "2024-01-10", "2024-01-10T05:00", "2024-01-11T05:00");
        check("America/New_York", "2024-03-10", "2024-03-10T05:00", "2024-03-11T04:00");
        check("America/New_York", "2024-11-03", "2024-11-03T04:00", "2024-11-04T05:00");
        check("America/New_York", "2024-03", "2024-03-01T05:00", "2024-04-01T04:00");
        check("Asia/Tokyo", "2019", "2018-12-31T15:00", "2019-12-31T15:00");
        check("Asia/Kathmandu", "2024-01-10", "2024-01-09T18:15", "2024-01-10T18:15");
        check("Australia/Lord_Howe", "2024-10-06", "2024-10-05T13:30", "2024-10-06T13:00");
        check("+05:30", "2024-01-10", "2024-01-09T18:30", "2024-01-10T18:30");
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_or_read_twice() {
        // São Paulo went from 24:00 to 01:00, so its day began at 01:00.
        check("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", "2018-11-05T02:00");
        check("America/Sao_Paulo", "2018-11-03", "2018-11-03T03:00", "2018-11-04T03:00");
        // Havana read 00:00 to 01:00 twice.
        check("America/Havana", "2023-11-05", "2023-11-05T04:00", "2023-11-06T05:00");
        // St John's went from 00:01 back to 23:01 of the day before, so the two days share an hour and a minute.
        check("America/St_Johns", "2006-10-28", "2006-10-28T02:30", "2006-10-29T03:30");
        check("America/St_Johns", "2006-10-29", "2006-10-29T02:30", "2006-10-30T03:30");
    }

    #[test]
    fn a_skipped_time_is_read_with_the_offset_before_the_gap() {
        check("America/New_York", "2024-03-10T02:30", "2024-03-10T07:30", "2024-03-10T07:31");
        check("America/New_York", "2024-03-10T02:30:00", "2024-03-10T07:30", "2024-03-10T07:30");
        check("America/New_York", "2024-03-10T02", "2024-03-10T07:00", "2024-03-10T08:00");
        check("America/New_York", "2024-03-10T01", "2024-03-10T06:00", "2024-03-10T07:00");
        check("America/New_York", "2024-03-10T03", "2024-03-10T07:00", "2024-03-10T08:00");
        // Half of the hour is skipped: what is left of it is read.
        check("Australia/Lord_Howe", "2024-10-06T02", "2024-10-05T15:30", "2024-10-05T16:00");
        // Samoa skipped a whole day.
        check("Pacific/Apia", "2011-12-30", "2011-12-30T10:00", "2011-12-31T10:00");
        check("Pacific/Apia", "2011-12-31", "2011-12-30T10:00", "2011-12-31T10:00");
    }

    #[test]
    fn a_time_read_twice_is_the_granule_of_both() {
        check("America/New_York", "2024-11-03T01:30", "2024-11-03T05:30", "2024-11-03T06:31");
        check("America/New_York", "2024-11-03T01", "2024-11-03T05:00", "2024-11-03T07:00");
        check("America/New_York", "2024-11-03T00", "2024-11-03T04:00", "2024-11-03T05:00");
        check("America/New_York", "2024-11-03T02", "2024-11-03T07:00", "2024-11-03T08:00");
        check("America/New_York", "2024-11-03T01:30-04:00", "2024-11-03T05:30", "2024-11-03T05:31");
        let twice = parse_moment("2024-11-03T01:30:00", &Zone::parse("America/New_York").unwrap()).unwrap();
        assert_eq!(twice.to_string(), "[2024-11-03T05:30:00Z, 2024-11-03T06:30:00.000001Z)");
    }

    #[test]
    fn the_same_instant_falls_on_different_days() {
        let (utc, new_york) = (Zone::UTC, Zone::parse("America/New_York").unwrap());
        let late = Instant::parse("2024-03-10T23:30-05:00").unwrap();
        assert_eq!(Moment::day_of(late, &new_york), parse_moment("2024-03-11", &new_york).unwrap());
        let winter = Instant::parse("2024-01-10T23:30-05:00").unwrap();
        assert_eq!(winter, Instant::parse("2024-01-11T04:30Z").unwrap());
        assert!(parse_moment("2024-01-10", &new_york).unwrap().contains(winter));
        assert!(!parse_moment("2024-01-10", &utc).unwrap().contains(winter));
        assert_eq!(Moment::day_of(winter, &utc).to_string(), "2024-01-11");
    }

    #[test]
    fn a_zone_names_its_own_granules() {
        let new_york = Zone::parse("America/New_York").unwrap();
        for text in ["2024", "202X", "2024-03", "2024-03-10", "2024-11-03", "2024-W10", "2024-Q1", "2024-22", "1800", "-0044-03-15"] {
            assert_eq!(parse_moment(text, &new_york).unwrap().display_in(&new_york).to_string(), text);
        }
        for (text, shown) in [
            ("2024-01-10T23:30:00Z", "2024-01-10T18:30:00-05:00"),
            ("2024-01-10T23:30", "2024-01-10T23:30-05:00"),
            ("2024-11-03T01", "[2024-11-03T01:00:00-04:00, 2024-11-03T02:00:00-05:00)"),
            // Local mean time, 4:56:02 behind UTC, has no offset that text could give.
            ("1800-01-01T00:00:00", "1800-01-01T04:56:02Z"),
            ("1800-01-01T00:00", "[1800-01-01T04:56:02Z, 1800-01-01T04:57:02Z)"),
        ] {
            let moment = parse_moment(text, &new_york).unwrap();
            assert_eq!(moment.display_in(&new_york).to_string(), shown);
            assert_eq!(parse_moment(shown, &new_york), Ok(moment));
        }
    }

    #[test]
    fn zones_are_read_by_name_and_by_offset() {
        for (text, shown) in [
            ("UTC", "UTC"),
            ("z", "UTC"),
            ("Etc/UTC", "UTC"),
            ("+00:00", "UTC"),
            ("+09:00", "+09:00"),
            ("-0530", "-05:30"),
            ("+09", "+09:00"),
            ("-18:00", "-18:00"),
            ("America/New_York", "America/New_York"),
            (" asia/tokyo ", "Asia/Tokyo"),
        ] {
            let zone = Zone::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(zone.to_string(), shown);
            assert_eq!(shown.parse(), Ok(zone));
        }
        for text in ["", "Mars/Olympus", "+18:01", "+25", "+05:60", "9", "2019", &"x".repeat(10_000)] {
            let error = Zone::parse(text).expect_err(text).to_string();
            assert!(error.starts_with("unknown time zone \"") && error.len() < 100, "{error}");
        }
        assert!(Zone::fixed(1080).is_ok() && Zone::fixed(1081).is_err() && Zone::fixed(i16::MIN).is_err());
        assert_eq!(Zone::UTC.offset_seconds(Instant::DISTANT_PAST), 0);
        assert_eq!(Zone::parse("Asia/Tokyo").unwrap().offset_seconds(Instant::DISTANT_FUTURE), 0);
    }

    #[test]
    fn far_years_have_a_rule_in_every_zone() {
        for zone in TZ_VARIANTS {
            let zone = Zone(Kind::Iana(zone));
            for year in [-9999, -44, 0, 1800, 1945, 2024, 2200, 9999] {
                let granule = Moment::year(year, &zone).unwrap();
                let days = granule.hi().micros_since(granule.lo()) / super::super::civil::DAY;
                assert!((364..=367).contains(&days), "{year} in {zone}");
                if (-9998..9999).contains(&year) {
                    let next = Moment::year(year + 1, &zone).unwrap();
                    assert!(next.lo() <= granule.hi(), "{year} in {zone}");
                }
            }
        }
    }
}
