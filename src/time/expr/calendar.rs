//! The civil calendar as expressions need it: grains, granules of local time, and arithmetic on them.
//! Knows nothing of language, of zones or of which granule an expression means.

use crate::time::civil::{DAY, HOUR, MINUTE, SECOND, midnight, split};
use chrono::{Datelike, NaiveDate, Weekday};

/// How fine a granule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A part of the day: a morning, a night.
    DayPart,
    /// A civil day.
    Day,
    /// A weekend.
    Weekend,
    /// A week.
    Week,
    /// Two weeks.
    Fortnight,
    /// A month.
    Month,
    /// A quarter of a year, or a season.
    Quarter,
    /// Half a year.
    Half,
    /// A year.
    Year,
    /// Ten years.
    Decade,
    /// A hundred years.
    Century,
}

impl Grain {
    /// Its name in English, as the tables of languages and the answers of programs write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::DayPart => "day part",
            Self::Day => "day",
            Self::Weekend => "weekend",
            Self::Week => "week",
            Self::Fortnight => "fortnight",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Half => "half",
            Self::Year => "year",
            Self::Decade => "decade",
            Self::Century => "century",
        }
    }

    /// The grain of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        const ALL: [Grain; 14] = [
            Grain::Second,
            Grain::Minute,
            Grain::Hour,
            Grain::DayPart,
            Grain::Day,
            Grain::Weekend,
            Grain::Week,
            Grain::Fortnight,
            Grain::Month,
            Grain::Quarter,
            Grain::Half,
            Grain::Year,
            Grain::Decade,
            Grain::Century,
        ];
        ALL.into_iter().find(|grain| grain.name() == name)
    }

    /// Whole months in a granule of it, if it is made of months.
    pub(super) const fn months(self) -> Option<i64> {
        match self {
            Self::Month => Some(1),
            Self::Quarter => Some(3),
            Self::Half => Some(6),
            Self::Year => Some(12),
            Self::Decade => Some(120),
            Self::Century => Some(1200),
            Self::Second | Self::Minute | Self::Hour | Self::DayPart | Self::Day | Self::Weekend | Self::Week | Self::Fortnight => None,
        }
    }

    /// Microseconds of a granule that is not made of months.
    pub(super) const fn micros(self) -> i64 {
        match self {
            Self::Second => SECOND,
            Self::Minute => MINUTE,
            Self::Hour => HOUR,
            Self::DayPart => 6 * HOUR,
            Self::Day => DAY,
            Self::Weekend => 2 * DAY,
            Self::Fortnight => 14 * DAY,
            Self::Week | Self::Month | Self::Quarter | Self::Half | Self::Year | Self::Decade | Self::Century => 7 * DAY,
        }
    }

    /// Whether it is finer than a day.
    pub(super) fn is_clock(self) -> bool {
        self < Self::Day
    }
}

/// A stretch `[from, to)` of local microseconds, and the grain it was said in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Granule {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) grain: Grain,
}

impl Granule {
    /// The granule of the grain that begins at `from`.
    pub(super) fn at(from: i64, grain: Grain) -> Option<Self> {
        Some(Self { from, to: add(from, 1, grain)?, grain })
    }

    /// The granule of the grain that `inside` lies in.
    pub(super) fn holding(inside: i64, grain: Grain, week_start: Weekday) -> Option<Self> {
        Self::at(floor(inside, grain, week_start)?, grain)
    }

    pub(super) fn day(year: i32, month: u32, day: u32) -> Option<Self> {
        Self::at(midnight(NaiveDate::from_ymd_opt(year, month, day)?), Grain::Day)
    }

    pub(super) fn overlaps(self, (from, to): (i64, i64)) -> bool {
        self.from < to && from < self.to
    }

    pub(super) fn within(self, (from, to): (i64, i64)) -> bool {
        from <= self.from && self.to <= to
    }

    pub(super) const fn window(self) -> (i64, i64) {
        (self.from, self.to)
    }

    pub(super) const fn width(self) -> i64 {
        self.to - self.from
    }
}

/// The date of a local time.
pub(super) fn date_of(local: i64) -> Option<NaiveDate> {
    split(local).map(|(date, _)| date)
}

/// Midnight of the first of a month counted from January of year 0.
pub(super) fn month_start(index: i64) -> Option<i64> {
    let year = i32::try_from(index.div_euclid(12)).ok()?;
    let month = u32::try_from(index.rem_euclid(12)).ok()? + 1;
    if !(-9999..=10_000).contains(&year) {
        return None;
    }
    NaiveDate::from_ymd_opt(year, month, 1).map(midnight)
}

/// The month of a local time, counted from January of year 0.
pub(super) fn month_index(local: i64) -> Option<i64> {
    let date = date_of(local)?;
    Some(i64::from(date.year()) * 12 + i64::from(date.month0()))
}

/// The start of the granule of the grain that a local time lies in.
pub(super) fn floor(local: i64, grain: Grain, week_start: Weekday) -> Option<i64> {
    if let Some(months) = grain.months() {
        let index = month_index(local)?;
        return month_start(index - index.rem_euclid(months));
    }
    match grain {
        Grain::Week | Grain::Fortnight => {
            let date = date_of(local)?;
            let back = i64::from(date.weekday().days_since(week_start));
            Some(midnight(date) - back * DAY)
        }
        Grain::Day | Grain::Weekend | Grain::DayPart => Some(local - local.rem_euclid(DAY)),
        Grain::Second | Grain::Minute | Grain::Hour => Some(local - local.rem_euclid(grain.micros())),
        Grain::Month | Grain::Quarter | Grain::Half | Grain::Year | Grain::Decade | Grain::Century => None,
    }
}

/// `count` grains later; months keep the day, or take the last one of a shorter month.
pub(super) fn add(local: i64, count: i64, grain: Grain) -> Option<i64> {
    let Some(months) = grain.months() else {
        return local.checked_add(count.checked_mul(grain.micros())?).filter(|at| (LEAST..=MOST).contains(at));
    };
    let (date, time) = split(local)?;
    let index = month_index(local)?.checked_add(count.checked_mul(months)?)?;
    let start = month_start(index)?;
    let end = month_start(index + 1)?;
    let day = (start + i64::from(date.day0()) * DAY).min(end - DAY);
    Some(day + time)
}

/// Local microseconds around which nothing is computed any more: a little beyond the civil years.
const LEAST: i64 = -377_800_000_000_000_000;
const MOST: i64 = 253_500_000_000_000_000;

/// Days of the year's Easter Sunday in the western churches, as month and day.
///
/// Source: the anonymous Gregorian algorithm (Meeus, *Astronomical Algorithms*, chapter 8).
#[expect(clippy::many_single_char_names, reason = "the letters are those of the source")]
pub(super) fn easter(year: i32) -> Option<NaiveDate> {
    let a = year.rem_euclid(19);
    let (b, c) = (year.div_euclid(100), year.rem_euclid(100));
    let (d, e) = (b.div_euclid(4), b.rem_euclid(4));
    let g = (8 * b + 13).div_euclid(25);
    let h = (19 * a + b - d - g + 15).rem_euclid(30);
    let (i, k) = (c.div_euclid(4), c.rem_euclid(4));
    let l = (32 + 2 * e + 2 * i - h - k).rem_euclid(7);
    let m = (a + 11 * h + 22 * l).div_euclid(451);
    let month = (h + l - 7 * m + 114).div_euclid(31);
    let day = (h + l - 7 * m + 114).rem_euclid(31) + 1;
    NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

/// Easter Sunday in the orthodox churches, in the Gregorian calendar; valid from 1900 to 2099.
///
/// Source: Meeus, *Astronomical Algorithms*, chapter 8 (Julian calendar).
#[expect(clippy::many_single_char_names, reason = "the letters are those of the source")]
pub(super) fn orthodox_easter(year: i32) -> Option<NaiveDate> {
    let (a, b, c) = (year.rem_euclid(4), year.rem_euclid(7), year.rem_euclid(19));
    let d = (19 * c + 15).rem_euclid(30);
    let e = (2 * a + 4 * b - d + 34).rem_euclid(7);
    let month = (d + e + 114).div_euclid(31);
    let day = (d + e + 114).rem_euclid(31) + 1;
    let julian = NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)?;
    julian.checked_add_days(chrono::Days::new(13))
}

/// The `n`th (from 1, or from −1 backwards) given weekday of a month.
pub(super) fn nth_weekday(year: i32, month: u32, weekday: Weekday, n: i32) -> Option<NaiveDate> {
    if n > 0 {
        return NaiveDate::from_weekday_of_month_opt(year, month, weekday, u8::try_from(n).ok()?);
    }
    let last = (1..=5).rev().find_map(|nth| NaiveDate::from_weekday_of_month_opt(year, month, weekday, nth))?;
    last.checked_sub_signed(chrono::TimeDelta::weeks(i64::from(-1 - n))).filter(|date| date.month() == month)
}

/// The day of the March (`autumn` false) or September equinox as Japan observes it, by the usual approximation for 1980 to 2099.
pub(super) fn equinox_day(year: i32, autumn: bool) -> u32 {
    let base = if autumn { 23.2488 } else { 20.8431 };
    let years = f64::from(year - 1980);
    let day = base + 0.242_194 * years - f64::from((year - 1980).div_euclid(4));
    if (1.0..31.0).contains(&day) { whole(day) } else { 21 }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the day lies between 1 and 31")]
const fn whole(day: f64) -> u32 {
    day as u32
}

/// A date of the Hebrew calendar (months counted from Nisan = 1 to Adar II = 13) in a Gregorian year's autumn or spring.
///
/// Source: Reingold & Dershowitz, *Calendrical Calculations*, chapter 8.
pub(super) fn hebrew(year: i64, month: i64, day: i64) -> i64 {
    let leap = |year: i64| (7 * year + 1).rem_euclid(19) < 7;
    let elapsed = |year: i64| {
        let months = (235 * year - 234).div_euclid(19);
        let parts = 12_084 + 13_753 * months;
        let days = 29 * months + parts.div_euclid(25_920);
        if (3 * (days + 1)).rem_euclid(7) < 3 { days + 1 } else { days }
    };
    let new_year = |year: i64| {
        let (before, this, after) = (elapsed(year - 1), elapsed(year), elapsed(year + 1));
        let delay = match (after - this, this - before) {
            (356, _) => 2,
            (_, 382) => 1,
            _ => 0,
        };
        this + delay
    };
    let length = |year: i64| new_year(year + 1) - new_year(year);
    let month_days = |year: i64, month: i64| match month {
        2 | 4 | 6 | 10 | 13 => 29,
        12 if !leap(year) => 29,
        8 if length(year) % 10 != 5 => 29,
        9 if length(year) % 10 == 3 => 29,
        _ => 30,
    };
    let last = if leap(year) { 13 } else { 12 };
    let month = month.min(last);
    let before: i64 = if month < 7 {
        (7..=last).chain(1..month).map(|m| month_days(year, m)).sum()
    } else {
        (7..month).map(|m| month_days(year, m)).sum()
    };
    // Rata die of 1 Tishri of year 1 is -1373427 + 1; chrono's day 1 is rata die 1.
    let rata_die = new_year(year) - 1_373_428 + before + day;
    (rata_die - 719_163) * DAY
}

/// A date of the tabular Islamic calendar, as local midnight.
///
/// Source: Reingold & Dershowitz, *Calendrical Calculations*, chapter 7.
pub(super) fn islamic_table(year: i64, month: i64, day: i64) -> i64 {
    let rata_die = 227_014 + (year - 1) * 354 + (3 + 11 * year).div_euclid(30) + 29 * (month - 1) + month.div_euclid(2) + day;
    (rata_die - 719_163) * DAY
}

/// The weekday from 1 (Monday) to 7 (Sunday).
pub(super) const fn weekday(number: u8) -> Weekday {
    match number {
        1 => Weekday::Mon,
        2 => Weekday::Tue,
        3 => Weekday::Wed,
        4 => Weekday::Thu,
        5 => Weekday::Fri,
        6 => Weekday::Sat,
        _ => Weekday::Sun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ymd(date: Option<NaiveDate>) -> String {
        date.map(|date| date.to_string()).unwrap_or_default()
    }

    fn local(at: i64) -> String {
        ymd(date_of(at))
    }

    #[test]
    fn movable_feasts_fall_where_the_almanacs_have_them() {
        assert_eq!(ymd(easter(1961)), "1961-04-02");
        assert_eq!(ymd(easter(2024)), "2024-03-31");
        assert_eq!(ymd(orthodox_easter(2024)), "2024-05-05");
        assert_eq!(ymd(nth_weekday(2024, 11, Weekday::Thu, 4)), "2024-11-28");
        assert_eq!(ymd(nth_weekday(2024, 5, Weekday::Mon, -1)), "2024-05-27");
        assert_eq!(ymd(nth_weekday(2024, 2, Weekday::Mon, 5)), "");
        assert_eq!((equinox_day(2024, false), equinox_day(2024, true)), (20, 22));
        assert_eq!(local(hebrew(5785, 7, 1)), "2024-10-03");
        assert_eq!(local(hebrew(5784, 1, 15)), "2024-04-23");
    }

    #[test]
    fn months_are_added_as_the_calendar_has_them() {
        let at = |y, m, d| midnight(NaiveDate::from_ymd_opt(y, m, d).unwrap());
        assert_eq!(add(at(2024, 1, 31), 1, Grain::Month), Some(at(2024, 2, 29)));
        assert_eq!(add(at(2024, 2, 29), -12, Grain::Month), Some(at(2023, 2, 28)));
        assert_eq!(add(at(2024, 1, 1), 30_000, Grain::Year), None);
        assert_eq!(floor(at(2024, 5, 16), Grain::Quarter, Weekday::Mon), Some(at(2024, 4, 1)));
        assert_eq!(floor(at(2024, 5, 16), Grain::Week, Weekday::Sun), Some(at(2024, 5, 12)));
        assert_eq!(floor(at(1999, 5, 16), Grain::Decade, Weekday::Mon), Some(at(1990, 1, 1)));
    }
}
