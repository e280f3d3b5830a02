//! When holidays fall: the rules of the shipped table, and the granule of one in a year.
//! Knows no holiday by name; names belong to the languages.

use super::calendar::{self, Grain, Granule};
use super::moon;
use crate::time::civil::{DAY, midnight};
use chrono::{Datelike, NaiveDate, Weekday};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// One entry of the table.
#[derive(Clone, Debug, PartialEq)]
struct Holiday {
    rule: Rule,
    days: i64,
    /// It lasts as long as its lunar month.
    whole_month: bool,
    /// It begins on the evening before, which is the day it is looked up by.
    eve: bool,
    /// It is kept in the evening.
    evening: bool,
    /// From which weekdays it is moved, and by how many days.
    moves: Vec<(Weekday, i64)>,
    /// Single years in which it fell elsewhere; no rule if it was not held.
    years: Vec<(i32, Option<Rule>)>,
    /// What held before the first of a year, the earliest first.
    before: Vec<(i32, Option<Rule>)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Date(u32, u32),
    /// The nth weekday of a month, and days from there.
    Weekday(Weekday, i32, u32, i64),
    /// The given weekday of the last week that lies whole in a month.
    LastWhole(Weekday, u32),
    Easter(i64),
    Orthodox(i64),
    Equinox(bool),
    Hebrew(i64, i64),
    Islamic(i64, i64),
    /// A lunar day of an Indian month that prevails at an hour, and days from there.
    Indian(i64, i64, i32, i64),
    /// When the sun comes to a sign, and days from there.
    Sankranti(i64, i64),
    ChineseNewYear,
    /// The workday nearest to a date.
    Near(u32, u32),
    /// The first workday from a date on that is not the observed emancipation day of the District of Columbia.
    Tax(u32, u32),
    Dates(Vec<NaiveDate>),
}

#[derive(Debug, Default)]
struct Table {
    holidays: Vec<Holiday>,
    by_id: FxHashMap<String, usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for (id, entry) in super::lexicon::table(include_str!("lang/holidays.toml")) {
        let number = |key: &str| entry.get(key).and_then(toml::Value::as_integer);
        let rule = match entry.get("dates").and_then(toml::Value::as_array) {
            Some(dates) => {
                let dates = dates.iter().filter_map(|date| date.as_str()?.parse().ok());
                Some(Rule::Dates(dates.collect()))
            }
            None => entry.get("rule").and_then(toml::Value::as_str).and_then(read_rule),
        };
        let (rule, moves) = match rule {
            Some(rule) => (rule, entry.get("moves").and_then(toml::Value::as_table).into_iter().flatten().filter_map(read_move).collect()),
            None => continue,
        };
        table.by_id.insert(id, table.holidays.len());
        let flag = |key: &str| entry.get(key).and_then(toml::Value::as_bool).unwrap_or(false);
        let other = |key: &str| {
            let rules = entry.get(key).and_then(toml::Value::as_table).into_iter().flatten();
            let mut rules: Vec<_> = rules
                .filter_map(|(year, rule)| {
                    let rule = rule.as_str()?;
                    Some((year.parse().ok()?, if rule == "none" { None } else { Some(read_rule(rule)?) }))
                })
                .collect();
            rules.sort_by_key(|(year, _): &(i32, _)| *year);
            rules
        };
        table.holidays.push(Holiday {
            rule,
            days: number("days").unwrap_or(1),
            whole_month: flag("whole_month"),
            eve: flag("eve"),
            evening: flag("evening"),
            moves,
            years: other("years"),
            before: other("before"),
        });
    }
    table
});

/// The place of a holiday in the table.
pub(super) fn index_of(id: &str) -> Option<usize> {
    TABLE.by_id.get(id).copied()
}

/// The holiday in a Gregorian year, if it falls in it.
pub(super) fn in_year(index: usize, year: i32) -> Option<Granule> {
    let holiday = TABLE.holidays.get(index)?;
    let once = holiday.years.iter().find(|(of, _)| *of == year);
    let rule = match once.or_else(|| holiday.before.iter().find(|(end, _)| year < *end)) {
        Some((_, rule)) => rule.as_ref()?,
        None => &holiday.rule,
    };
    let day = rule.in_year(year)?;
    let weekday = calendar::date_of(day)?.weekday();
    let moved = holiday.moves.iter().find(|(from, _)| *from == weekday).map_or(0, |(_, days)| *days);
    let from = day + (moved - i64::from(holiday.eve)) * DAY;
    if let (true, Rule::Islamic(month, _)) = (holiday.whole_month, &holiday.rule) {
        // A lunar month has 29 or 30 days: the next one tells.
        let about = (i64::from(year) - 622) * 33 / 32;
        let next = (about - 1..=about + 2).map(|islamic| moon::islamic(islamic, month + 1, 1)).find(|next| *next > from)?;
        return Some(Granule { from, to: next, grain: Grain::Week });
    }
    let grain = if holiday.days == 1 { Grain::Day } else { Grain::Week };
    Some(Granule { from, to: from + holiday.days * DAY, grain })
}

/// The holiday of several days that goes from one local midnight to another.
pub(super) fn lasting(from: i64, to: i64) -> Option<usize> {
    let year = calendar::date_of(from)?.year();
    let spans = |index: &usize| in_year(*index, year).is_some_and(|granule| granule.window() == (from, to));
    let long = TABLE.holidays.iter().enumerate().filter(|(_, holiday)| holiday.days > 1 && matches!(holiday.rule, Rule::Date(..)));
    long.map(|(index, _)| index).find(spans)
}

/// Whether a holiday is kept in the evening, so that an hour of it is one of the evening.
pub(super) fn is_evening(index: usize) -> bool {
    TABLE.holidays.get(index).is_some_and(|holiday| holiday.evening)
}

/// Month and day of a holiday that falls on one date each year.
pub(super) fn date(index: usize) -> Option<(u32, u32)> {
    let holiday = TABLE.holidays.get(index).filter(|holiday| holiday.days == 1 && holiday.moves.is_empty())?;
    if let Rule::Date(month, day) = holiday.rule { Some((month, day)) } else { None }
}

fn read_move((weekday, days): (&String, &toml::Value)) -> Option<(Weekday, i64)> {
    Some((weekday.parse().ok()?, days.as_integer()?))
}

fn read_rule(rule: &str) -> Option<Rule> {
    let words: Vec<&str> = rule.split(' ').collect();
    let date = |text: &str| -> Option<(u32, u32)> {
        let (month, day) = text.split_once('-')?;
        Some((month.parse().ok()?, day.parse().ok()?))
    };
    Some(match words.as_slice() {
        [one] => date(one).map(|(month, day)| Rule::Date(month, day))?,
        ["spring", "equinox"] => Rule::Equinox(false),
        ["autumn", "equinox"] => Rule::Equinox(true),
        ["easter", days] => Rule::Easter(days.parse().ok()?),
        ["orthodox", days] => Rule::Orthodox(days.parse().ok()?),
        ["near", near] => date(near).map(|(month, day)| Rule::Near(month, day))?,
        ["tax", due] => date(due).map(|(month, day)| Rule::Tax(month, day))?,
        ["hebrew", month, day] => Rule::Hebrew(month.parse().ok()?, day.parse().ok()?),
        ["chinese", "new-year"] => Rule::ChineseNewYear,
        ["indian", month, day, hour] => Rule::Indian(month.parse().ok()?, day.parse().ok()?, hour.parse().ok()?, 0),
        ["indian", month, day, hour, days] => Rule::Indian(month.parse().ok()?, day.parse().ok()?, hour.parse().ok()?, days.parse().ok()?),
        ["sankranti", sign, days] => Rule::Sankranti(sign.parse().ok()?, days.parse().ok()?),
        ["islamic", month, day] => Rule::Islamic(month.parse().ok()?, day.parse().ok()?),
        [weekday, "last-full", month] => Rule::LastWhole(weekday.parse().ok()?, month.parse().ok()?),
        [weekday, n, month] => Rule::Weekday(weekday.parse().ok()?, n.parse().ok()?, month.parse().ok()?, 0),
        [weekday, n, month, days] => Rule::Weekday(weekday.parse().ok()?, n.parse().ok()?, month.parse().ok()?, days.parse().ok()?),
        _ => return None,
    })
}

impl Rule {
    /// Local midnight of its first day in the year.
    fn in_year(&self, year: i32) -> Option<i64> {
        let day = |month: u32, day: u32| NaiveDate::from_ymd_opt(year, month, day);
        match self {
            Self::Date(month, date) => day(*month, *date).map(midnight),
            Self::Weekday(weekday, n, month, days) => Some(midnight(calendar::nth_weekday(year, *month, *weekday, *n)?) + days * DAY),
            Self::LastWhole(weekday, month) => {
                let saturday = calendar::nth_weekday(year, *month, Weekday::Sat, -1)?;
                Some(midnight(saturday) - i64::from(6 - weekday.num_days_from_sunday()) * DAY)
            }
            Self::Easter(days) => Some(midnight(calendar::easter(year)?) + days * DAY),
            Self::Orthodox(days) => Some(midnight(calendar::orthodox_easter(year)?) + days * DAY),
            Self::Equinox(autumn) => day(if *autumn { 9 } else { 3 }, calendar::equinox_day(year, *autumn)).map(midnight),
            Self::Near(month, date) => Some(workday(day(*month, *date)?)),
            Self::Tax(month, date) => {
                let observed = workday(day(4, 16)?);
                let mut due = midnight(day(*month, *date)?);
                while is_weekend(due) || due == observed {
                    due += DAY;
                }
                Some(due)
            }
            Self::Hebrew(month, date) => {
                let hebrew = i64::from(year) + if *month >= 7 && *month < 11 { 3761 } else { 3760 };
                Some(calendar::hebrew(hebrew, *month, *date))
            }
            Self::Islamic(month, date) => {
                // A Gregorian year holds at most two starts of an Islamic year; the first of them that has the date counts.
                let about = (i64::from(year) - 622) * 33 / 32;
                let from = midnight(day(1, 1)?);
                let to = midnight(NaiveDate::from_ymd_opt(year + 1, 1, 1)?);
                (about - 1..=about + 2).map(|islamic| moon::islamic(islamic, *month, *date)).find(|at| from <= *at && *at < to)
            }
            // What is known of sun and moon does not reach further.
            Self::Indian(..) | Self::Sankranti(..) | Self::ChineseNewYear if !(1000..4000).contains(&year) => None,
            Self::Indian(month, lunar_day, hour, days) => Some(moon::indian(year, *month, *lunar_day, f64::from(*hour))? + days * DAY),
            Self::Sankranti(sign, days) => Some(moon::sankranti(year, *sign)? + days * DAY),
            Self::ChineseNewYear => moon::chinese_new_year(year),
            Self::Dates(dates) => dates.iter().find(|date| date.year() == year).copied().map(midnight),
        }
    }
}

fn is_weekend(day: i64) -> bool {
    calendar::date_of(day).is_some_and(|date| matches!(date.weekday(), Weekday::Sat | Weekday::Sun))
}

fn workday(date: NaiveDate) -> i64 {
    match date.weekday() {
        Weekday::Sat => midnight(date) - DAY,
        Weekday::Sun => midnight(date) + DAY,
        _ => midnight(date),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, year: i32, first: &str, days: i64) {
        let granule = in_year(index_of(id).unwrap_or_else(|| panic!("{id} is not in the table")), year).unwrap();
        assert_eq!(calendar::date_of(granule.from).unwrap().to_string(), first, "{id} in {year}");
        assert_eq!(granule.width(), days * DAY, "{id}");
    }

    #[test]
    fn every_entry_has_a_rule_that_reads() {
        let entries = super::super::lexicon::table(include_str!("lang/holidays.toml"));
        assert_eq!(entries.len(), TABLE.holidays.len());
    }

    #[test]
    fn holidays_fall_on_their_days() {
        check("thanksgiving", 2024, "2024-11-28", 1);
        check("memorial_day", 2025, "2025-05-26", 1);
        check("good_friday", 2024, "2024-03-29", 1);
        check("coming_of_age_day", 2024, "2024-01-08", 1);
        check("vernal_equinox_day", 2025, "2025-03-20", 1);
        check("hanukkah", 2024, "2024-12-25", 8);
        check("eid_al_fitr", 2024, "2024-04-10", 1);
        check("tax_day", 2023, "2023-04-18", 1);
        check("boss_day", 2022, "2022-10-17", 1);
        check("kings_day_nl", 2025, "2025-04-26", 1);
        check("tisha_bav", 2022, "2022-08-06", 1);
        check("yom_haatzmaut", 2024, "2024-05-13", 1);
        check("diwali", 2021, "2021-11-04", 1);
        check("holi", 2025, "2025-03-14", 1);
        check("chinese_new_year", 2026, "2026-02-17", 1);
    }

    #[test]
    fn holidays_of_other_years_fall_by_the_law_of_those() {
        check("early_may_bank_holiday", 2020, "2020-05-08", 1);
        check("early_may_bank_holiday", 2021, "2021-05-03", 1);
        check("spring_bank_holiday", 2012, "2012-06-04", 1);
        check("emperors_birthday", 1975, "1975-04-29", 1);
        check("emperors_birthday", 2018, "2018-12-23", 1);
        check("emperors_birthday", 2020, "2020-02-23", 1);
        assert_eq!(index_of("emperors_birthday").and_then(|index| in_year(index, 2019)), None);
        check("coming_of_age_day", 1990, "1990-01-15", 1);
        check("marine_day", 2000, "2000-07-20", 1);
        check("marine_day", 2021, "2021-07-22", 1);
        check("sports_day_jp", 1985, "1985-10-10", 1);
        check("sports_day_jp", 2020, "2020-07-24", 1);
        check("respect_for_the_aged_day", 2002, "2002-09-15", 1);
        for (id, year) in [("mountain_day", 2015), ("showa_day", 2006), ("sports_day_jp", 1965), ("marine_day", 1990)] {
            assert_eq!(index_of(id).and_then(|index| in_year(index, year)), None, "{id} in {year}");
        }
        check("greenery_day", 2006, "2006-04-29", 1);
    }
}
