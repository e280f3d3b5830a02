//! The civil calendar: proleptic Gregorian dates and times of day as microseconds that a clock on the wall would read.
//! Knows nothing of zones: the same numbers are an instant in UTC and a local time everywhere else.

use super::error::Fault;
use chrono::{Datelike, NaiveDate, Weekday};
use std::fmt;

pub(super) const SECOND: i64 = 1_000_000;
pub(super) const MINUTE: i64 = 60 * SECOND;
pub(super) const HOUR: i64 = 60 * MINUTE;
pub(super) const DAY: i64 = 24 * HOUR;

/// Days from 0001-01-01 (day 1 of chrono's count) to 1970-01-01.
const EPOCH_DAY: i64 = 719_163;

/// A stretch of the civil calendar, not yet placed in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    /// `count` whole months, the first of them `first` months after January of year 0.
    Months { first: i32, count: i32 },
    /// `width` microseconds from the local time `from`.
    Micros { from: i64, width: i64 },
}

impl Stretch {
    /// `count` years from January of `first`.
    pub(super) const fn years(first: i32, count: i32) -> Self {
        Self::Months { first: first.saturating_mul(12), count: count.saturating_mul(12) }
    }

    /// `count` months from `month` (1 to 12) of `year`.
    pub(super) fn months(year: i32, month: u32, count: i32) -> Result<Self, Fault> {
        let month = i32::try_from(month).unwrap_or(i32::MAX);
        if !(1..=12).contains(&month) {
            return Err(Fault::Reason(format!("month {month} is not 1 to 12").into()));
        }
        Ok(Self::Months { first: year.saturating_mul(12).saturating_add(month - 1), count })
    }

    /// The ISO week `week` (Monday to Sunday) of the ISO year.
    pub(super) fn week(year: i32, week: u32) -> Result<Self, Fault> {
        let monday = NaiveDate::from_isoywd_opt(year, week, Weekday::Mon)
            .ok_or_else(|| Fault::Reason(format!("there is no week {week} in {year}").into()))?;
        Ok(Self::Micros { from: midnight(monday), width: 7 * DAY })
    }

    /// The day.
    pub(super) fn day(year: i32, month: u32, day: u32) -> Result<Self, Fault> {
        Ok(Self::Micros { from: date(year, month, day)?, width: DAY })
    }

    /// The stretch with as much again on either side.
    pub(super) const fn widened(self) -> Self {
        match self {
            Self::Months { first, count } => Self::Months { first: first.saturating_sub(count), count: count.saturating_mul(3) },
            Self::Micros { from, width } => Self::Micros { from: from.saturating_sub(width), width: width.saturating_mul(3) },
        }
    }

    /// Its bounds `[from, to)` as local microseconds.
    pub(super) fn bounds(self) -> Result<(i64, i64), Fault> {
        match self {
            Self::Months { first, count } => Ok((month_start(first)?, month_start(first.saturating_add(count))?)),
            Self::Micros { from, width } => Ok((from, from.saturating_add(width))),
        }
    }
}

fn month_start(index: i32) -> Result<i64, Fault> {
    let month = u32::try_from(index.rem_euclid(12)).unwrap_or_default() + 1;
    NaiveDate::from_ymd_opt(index.div_euclid(12), month, 1).map(midnight).ok_or(Fault::Range)
}

/// Midnight at the beginning of the day.
pub(super) fn midnight(date: NaiveDate) -> i64 {
    (i64::from(date.num_days_from_ce()) - EPOCH_DAY) * DAY
}

/// Midnight at the beginning of a day that must exist.
pub(super) fn date(year: i32, month: u32, day: u32) -> Result<i64, Fault> {
    if let Some(date) = NaiveDate::from_ymd_opt(year, month, day) {
        return Ok(midnight(date));
    }
    if !(1..=12).contains(&month) {
        return Err(Fault::Reason(format!("month {month} is not 1 to 12").into()));
    }
    let last = (28..=31).rev().find(|&last| NaiveDate::from_ymd_opt(year, month, last).is_some());
    match last {
        Some(last) => Err(Fault::Reason(format!("day {day} is not 1 to {last}, the days of that month").into())),
        None => Err(Fault::Range),
    }
}

/// Microseconds after midnight of a time of day. 24:00:00 is the end of the day; second 60, a leap second, is read as the
/// first instant of the next minute, since the line of instants has none.
pub(super) fn time_of_day(hour: u32, minute: u32, second: u32, micro: u32) -> Result<i64, Fault> {
    let wrong = |what: &str, value: u32, most: u32| Err(Fault::Reason(format!("{what} {value} is not 0 to {most}").into()));
    if hour > 24 {
        return wrong("hour", hour, 23);
    }
    if minute > 59 {
        return wrong("minute", minute, 59);
    }
    if second > 60 {
        return wrong("second", second, 59);
    }
    if micro > 999_999 {
        return wrong("microsecond", micro, 999_999);
    }
    if hour == 24 && (minute, second, micro) != (0, 0, 0) {
        return Err(Fault::because("nothing of a day comes after 24:00"));
    }
    Ok(i64::from(hour) * HOUR + i64::from(minute) * MINUTE + i64::from(second) * SECOND + i64::from(micro))
}

/// The date a local time falls on, and the microseconds after its midnight; `None` beyond the calendar's reach.
pub(super) fn split(local: i64) -> Option<(NaiveDate, i64)> {
    let days = local.div_euclid(DAY) + EPOCH_DAY;
    Some((NaiveDate::from_num_days_from_ce_opt(i32::try_from(days).ok()?)?, local.rem_euclid(DAY)))
}

/// A year as text: four digits, a sign before the year 0 and after the year 9999.
#[derive(Clone, Copy, Debug)]
pub(super) struct Year(pub(super) i32);

impl fmt::Display for Year {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ..0 => write!(f, "-{:04}", self.0.unsigned_abs()),
            0..=9999 => write!(f, "{:04}", self.0),
            10_000.. => write!(f, "+{}", self.0),
        }
    }
}

/// Writes `2019-06-03`.
pub(super) fn write_date(f: &mut fmt::Formatter<'_>, date: NaiveDate) -> fmt::Result {
    write!(f, "{}-{:02}-{:02}", Year(date.year()), date.month(), date.day())
}

/// Writes a local time as `2019-06-03T10:00:00`, with three or six decimals where it needs them; beyond the calendar's reach, which
/// no text and no constructor gets to, as its number.
pub(super) fn write_date_time(f: &mut fmt::Formatter<'_>, local: i64) -> fmt::Result {
    let Some((date, time)) = split(local) else {
        return write!(f, "{local}us");
    };
    write_date(f, date)?;
    write!(f, "T{:02}:{:02}:{:02}", time / HOUR, time / MINUTE % 60, time / SECOND % 60)?;
    match time % SECOND {
        0 => Ok(()),
        micros if micros % 1000 == 0 => write!(f, ".{:03}", micros / 1000),
        micros => write!(f, ".{micros:06}"),
    }
}

/// Writes an offset of whole minutes east of UTC: `Z`, `+09:00`.
pub(super) fn write_offset(f: &mut fmt::Formatter<'_>, minutes: i16) -> fmt::Result {
    if minutes == 0 {
        return f.write_str("Z");
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    write!(f, "{sign}{:02}:{:02}", minutes.unsigned_abs() / 60, minutes.unsigned_abs() % 60)
}

/// An offset of seconds in minutes; `None` if it has a part of a minute, as local mean times do.
pub(super) fn whole_minutes(seconds: i32) -> Option<i16> {
    if seconds % 60 == 0 { i16::try_from(seconds / 60).ok() } else { None }
}
