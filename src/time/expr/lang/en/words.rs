//! English words for values. Knows nothing of how they are read.

use crate::time::expr::calendar::Grain;
use crate::time::expr::recur::{Numbers, Recurrence};
use crate::time::expr::symbol::DayPart;
use crate::time::expr::wording::{Piece, Stretch, Within};

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

fn month(number: u32) -> &'static str {
    usize::try_from(number).ok().and_then(|number| MONTHS.get(number.checked_sub(1)?)).copied().unwrap_or_default()
}

fn clock(hour: u32, minute: u32) -> String {
    let half = if hour < 12 { "am" } else { "pm" };
    format!("{}:{minute:02} {half}", (hour + 11) % 12 + 1)
}

fn ordinal(n: i32) -> String {
    let suffix = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{suffix}")
}

/// A granule: `3 June 2019`, `Q2 2019`, `the 1990s`.
pub(in crate::time::expr) fn piece(piece: Piece) -> String {
    match piece {
        Piece::Century(year) => format!("the {} century", ordinal(year / 100 + 1)),
        Piece::Decade(year) => format!("the {year}s"),
        Piece::Year(year) => year.to_string(),
        Piece::Season(year, season) => {
            let name = match season {
                0 => "spring",
                1 => "summer",
                2 => "autumn",
                // It ends in the year after.
                _ => return format!("winter {year}/{:02}", (year + 1) % 100),
            };
            format!("{name} {year}")
        }
        Piece::Quarter(year, quarter) => format!("Q{quarter} {year}"),
        Piece::Month(year, number) => format!("{} {year}", month(number)),
        Piece::Week(year, week) => format!("week {week} of {year}"),
        Piece::Day(year, number, day) => format!("{day} {} {year}", month(number)),
        Piece::Hour(year, number, day, hour) => {
            let half = if hour < 12 { "am" } else { "pm" };
            format!("{} {half} on {day} {} {year}", (hour + 11) % 12 + 1, month(number))
        }
        Piece::Minute(year, number, day, hour, minute) => format!("{} on {day} {} {year}", clock(hour, minute), month(number)),
    }
}

/// A stretch: `from May 2019 to July 2019`.
pub(in crate::time::expr) fn stretch(stretch: Stretch) -> String {
    match stretch {
        Stretch::Between(from, to) => format!("from {from} to {to}"),
        Stretch::Since(from) => format!("since {from}"),
        Stretch::Until(to) => format!("until {to}"),
        Stretch::UntilEnd(to) => format!("until the end of {to}"),
        Stretch::Sometime(from, to) => format!("some time between {from} and {to}"),
        Stretch::Before(to) => format!("before {to}"),
        Stretch::After(from) => format!("after {from}"),
        Stretch::Lasting(length, from) => format!("the {length} from {from}"),
    }
}

/// What lies in or around a granule: `around 2019`, `early March 2023`, `the morning of 3 June 2019`.
pub(in crate::time::expr) fn within(within: Within, of: &str) -> Option<String> {
    let name = of.strip_prefix("the ");
    Some(match within {
        Within::Near => format!("around {of}"),
        Within::Section(section, _) => {
            let section = match section {
                0 => "early ",
                1 => "mid-",
                _ => "late ",
            };
            match name {
                Some(name) => format!("the {section}{name}"),
                None => format!("{section}{of}"),
            }
        }
        Within::Part(part) => format!("the {} of {of}", part.name()),
        Within::Weekend => format!("the weekend of {of}"),
        Within::Half(first) => format!("the {} half of {of}", if first { "first" } else { "second" }),
        Within::Holiday(index) => format!("{} {of}", super::holiday_name(index)?),
        // A fiscal year begins elsewhere when it does not begin in April.
        Within::Fiscal => return None,
    })
}

/// A duration: `3 years and 2 months`.
pub(in crate::time::expr) fn duration(parts: &[(i64, Grain)]) -> Option<String> {
    let words: Option<Vec<String>> =
        parts.iter().map(|(count, grain)| Some(format!("{count} {}{}", unit(*grain)?, if *count == 1 { "" } else { "s" }))).collect();
    Some(words?.join(" and "))
}

fn unit(grain: Grain) -> Option<&'static str> {
    Some(match grain {
        Grain::Second => "second",
        Grain::Minute => "minute",
        Grain::Hour => "hour",
        Grain::Day => "day",
        Grain::Week => "week",
        Grain::Month => "month",
        Grain::Quarter => "quarter",
        Grain::Year => "year",
        Grain::Decade => "decade",
        _ => return None,
    })
}

/// A recurring time: `every Monday at 10:30 am`, `the third Friday of every month`, `3 times a week`.
pub(in crate::time::expr) fn set(set: Recurrence) -> Option<String> {
    let part = set.part.and_then(|part| match part {
        DayPart::Morning => Some("morning"),
        DayPart::Afternoon => Some("afternoon"),
        DayPart::Evening => Some("evening"),
        DayPart::Night => Some("night"),
        _ => None,
    });
    let day = |weekday: i8| WEEKDAYS.get(usize::try_from(weekday).ok()?.checked_sub(1)?).copied();
    let weekdays: Vec<&str> = set.weekdays.iter().filter_map(day).collect();
    let mut weekday = joined(&weekdays);
    if set.weekdays == (1..=5).collect() {
        weekday = Some("weekday".to_owned());
    }
    let time = match (set.time, set.until) {
        (Some((hour, minute)), None) => format!(" at {}", clock(hour, minute)),
        (Some(from), Some(to)) => format!(" from {} to {}", clock(from.0, from.1), clock(to.0, to.1)),
        _ => String::new(),
    };
    let grain = unit(set.grain)?;
    let each = if set.interval == 1 { format!("every {grain}") } else { format!("every {} {grain}s", set.interval) };
    let head = match (set.interval, weekday, part, set.weekend, set.day) {
        (1, None, None, false, None) if !set.nth.is_empty() && set.times.is_none() => {
            format!("the {} day of every {grain}", which(set.nth)?)
        }
        (1, Some(weekday), None, ..) if !set.nth.is_empty() => format!("the {} {weekday} of every {grain}", which(set.nth)?),
        (1, Some(weekday), Some(part), ..) => format!("every {weekday} {part}"),
        (1, Some(weekday), None, ..) => format!("every {weekday}"),
        (2, Some(weekday), None, ..) => format!("every other {weekday}"),
        (1, None, Some(part), ..) => format!("every {part}"),
        (2, None, Some(part), false, None) => format!("every other {part}"),
        (1, None, None, true, _) => "every weekend".to_owned(),
        (1, None, None, false, Some(day)) => match set.month {
            None => format!("the {} of every month", ordinal(i32::try_from(day).ok()?)),
            Some(number) => format!("every year on {day} {}", month(number)),
        },
        (1, None, None, false, None) if set.season.is_some() => format!("every {}", set.season?.name()),
        (1, None, None, false, None) if set.month.is_some() => format!("every {}", month(set.month?)),
        (_, None, None, false, None) => match set.times {
            None => each,
            Some(times) => format!("{times} times {each}"),
        },
        _ => return None,
    };
    Some(head + &time)
}

/// `Monday, Tuesday and Friday`; nothing of nothing.
fn joined(words: &[&str]) -> Option<String> {
    let (last, before) = words.split_last()?;
    Some(if before.is_empty() { (*last).to_owned() } else { format!("{} and {last}", before.join(", ")) })
}

/// `1st and 3rd`, `last`; nothing that English has no short word for.
fn which(nth: Numbers) -> Option<String> {
    let word = |n: i8| if n == -1 { Some("last".to_owned()) } else { (n > 0).then(|| ordinal(i32::from(n))) };
    let words: Option<Vec<String>> = nth.iter().map(word).collect();
    joined(&words?.iter().map(String::as_str).collect::<Vec<_>>())
}
