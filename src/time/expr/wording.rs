//! Wording values again: short words of a language that read back as the same value. Knows the shapes of values and no language's words.

use super::calendar::{self, Grain, date_of};
use super::context::{Context, Conventions};
use super::holiday;
use super::lang::Language;
use super::mention::{Duration, Value};
use super::recur::{Numbers, Recurrence};
use super::scan::parse_one;
use super::symbol::DayPart;
use crate::time::civil::{DAY, HOUR, MINUTE, split};
use crate::time::{End, Instant, Moment, Season, Span, Start, Zone};
use chrono::Datelike;
use std::fmt::Write as _;

/// A granule of the calendar that languages have words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Century(i32),
    Decade(i32),
    Year(i32),
    /// Year, and 0 (spring) to 3.
    Season(i32, u32),
    Quarter(i32, u32),
    Month(i32, u32),
    Week(i32, u32),
    Day(i32, u32, u32),
    /// Year, month, day and hour.
    Hour(i32, u32, u32, u32),
    /// Year, month, day, hour and minute.
    Minute(i32, u32, u32, u32, u32),
}

/// The ends of a stretch that languages have words for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    Between(String, String),
    Since(String),
    Until(String),
    /// Until the end of what is named.
    UntilEnd(String),
    /// One moment, somewhere from the beginning of the one to the end of the other.
    Sometime(String, String),
    /// Over by the beginning of what is named.
    Before(String),
    /// From the end of what is named on.
    After(String),
    /// So long, from the beginning of what is named.
    Lasting(String, String),
}

/// What lies in or around a granule that languages have words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// About then.
    Near,
    /// The early (0), middle (1) or late (2) part of a granule of the grain.
    Section(u8, Grain),
    /// A part of the day.
    Part(DayPart),
    /// The weekend that begins on the day.
    Weekend,
    /// The first (true) or second half.
    Half(bool),
    /// The fiscal year that begins in the year.
    Fiscal,
    /// An entry of the table of holidays that begins in the year.
    Holiday(usize),
}

/// The value in a few words of the language, as UTC's calendar has it; [`parse_one`](super::parse_one) reads it back as the same value.
///
/// What the language has no short words for (an odd granule, an exact instant) is in the formal notation, which `parse_one` reads too.
///
/// ```
/// use erstwhile::time::expr::{Language, Value, describe};
/// use erstwhile::time::{Moment, Zone};
///
/// let day = Value::Moment(Moment::day(2019, 6, 3, &Zone::UTC)?);
/// assert_eq!(describe(&day, Language::English), "3 June 2019");
/// assert_eq!(describe(&day, Language::Japanese), "2019年6月3日");
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
#[must_use]
pub fn describe(value: &Value, language: Language) -> String {
    describe_in(value, language, &Zone::UTC)
}

/// The value in a few words of the language, as the zone's calendar has it; a context of that zone reads it back.
#[must_use]
pub fn describe_in(value: &Value, language: Language, zone: &Zone) -> String {
    let context = Context::new(Instant::from_micros(0), *zone).in_language(language);
    let reads_back = |words: &String| parse_one(words, &context).is_some_and(|mention| mention.value == *value);
    words(value, language, *zone).into_iter().find(reads_back).unwrap_or_else(|| formal(value, *zone))
}

/// Wordings of a value, the plainest first; whether one says it exactly, reading it back tells.
fn words(value: &Value, language: Language, zone: Zone) -> Vec<String> {
    match value {
        Value::Moment(moment) => moment_words(*moment, language, zone),
        Value::Span(span) => {
            let word = |moment: Moment| moment_words(moment, language, zone);
            let one = |word: Option<String>, of: fn(String) -> Stretch| word.map(of).into_iter().collect();
            let bound = |at: Instant, ends: bool| bound(at, ends, zone).map(|piece| language.word(piece));
            let stretches: Vec<Stretch> = match (span.start(), span.end()) {
                (Start::At(from), End::At(to)) if from.is_exact() && to.is_exact() => {
                    lasting(from.lo(), to.lo(), language, zone).into_iter().collect()
                }
                (Start::At(from), End::At(to)) => {
                    let ends = word(to);
                    let between = |from: String| ends.iter().map(move |to| Stretch::Between(from.clone(), to.clone()));
                    word(from).into_iter().flat_map(between).collect()
                }
                // After a day is from its end on, after an hour from its beginning.
                (Start::At(from), End::Open) if from.is_exact() => {
                    [true, false].into_iter().filter_map(|ends| bound(from.lo(), ends)).map(Stretch::After).collect()
                }
                (Start::At(from), End::Open) => word(from).into_iter().map(Stretch::Since).collect(),
                (Start::Unknown, End::At(to)) if to.is_exact() => one(bound(to.lo(), true), Stretch::UntilEnd),
                (Start::Unknown, End::At(to)) => word(to).into_iter().map(Stretch::Until).collect(),
                (Start::Unknown, End::By(at)) => one(bound(at, false), Stretch::Before),
                _ => Vec::new(),
            };
            stretches.into_iter().map(|stretch| language.word_stretch(stretch)).collect()
        }
        Value::Duration(duration) => parts(*duration).and_then(|parts| language.word_duration(&parts)).into_iter().collect(),
        Value::Set(set) => language.word_set(*set).into_iter().collect(),
    }
}

/// A moment by its own name, or by that of what it lies in or around: "around 2019", "early March 2023", "the morning of 3 June 2019".
fn moment_words(moment: Moment, language: Language, zone: Zone) -> Vec<String> {
    const PARTS: [DayPart; 5] = [DayPart::Morning, DayPart::Afternoon, DayPart::Evening, DayPart::Night, DayPart::LateNight];
    if let Some(piece) = piece(moment, zone) {
        return vec![language.word(piece)];
    }
    if moment.is_exact() {
        return Vec::new();
    }
    let (from, to) = (zone.reading(moment.lo()), zone.reading(moment.hi()));
    let named = |from: i64, to: i64| {
        let moment = zone.granule(from, to).ok()?;
        piece(moment, zone).map(|piece| language.word(piece))
    };
    let within = |within: Within, from: i64, to: i64| language.word_within(within, &named(from, to)?);
    let mut words: Vec<String> = Vec::new();
    // What is about the eighth year of a decade is late in it; what is about the fifth, a round year, is about that.
    let round = date_of(from).is_some_and(|date| (date.year() + 1) % 5 == 0);
    let of_decade = section_words(from, to, Grain::Decade, within);
    words.extend(of_decade.iter().filter(|_| !round).cloned());
    for grain in [Grain::Century, Grain::Decade, Grain::Year, Grain::Quarter, Grain::Month, Grain::Day, Grain::Hour, Grain::Minute] {
        if let (Some(inner), Some(end)) = (calendar::add(from, 1, grain), calendar::add(to, -1, grain))
            && calendar::add(inner, 1, grain) == Some(end)
        {
            words.extend(within(Within::Near, inner, end));
        }
    }
    words.extend(of_decade);
    for grain in [Grain::Century, Grain::Year, Grain::Month] {
        words.extend(section_words(from, to, grain, within));
    }
    if let Some(date) = date_of(from)
        && let Some((start, end)) = calendar::floor(from, Grain::Year, chrono::Weekday::Mon).zip(calendar::add(from, 1, Grain::Year))
        && let Some(next) = calendar::add(start, 1, Grain::Year)
    {
        if (date.month(), date.day()) == (4, 1) && to == end {
            words.extend(within(Within::Fiscal, start, next));
        }
        words.extend(holiday::lasting(from, to).and_then(|index| within(Within::Holiday(index), start, next)));
    }
    let day = from - from.rem_euclid(DAY);
    let is_weekend = from == day && to - from == 2 * DAY && date_of(from).is_some_and(|date| date.weekday() == chrono::Weekday::Sat);
    if is_weekend {
        words.extend(within(Within::Weekend, day, day + DAY));
    }
    let hours = |part| Conventions::CONVERSATION.day_parts.hours(part);
    let part = PARTS.into_iter().find(|part| hours(*part) == hours_between(day, from, to));
    words.extend(part.and_then(|part| within(Within::Part(part), day, day + DAY)));
    // A quarter has no other word for its end, and what has no word at all lies between two of the calendar.
    words.extend(section_words(from, to, Grain::Quarter, within));
    let ends = [Grain::Year, Grain::Month, Grain::Day, Grain::Hour, Grain::Minute].into_iter().find_map(|grain| {
        let starts = |at: i64| calendar::floor(at, grain, chrono::Weekday::Mon) == Some(at);
        let (next, last) = (calendar::add(from, 1, grain)?, calendar::add(to, -1, grain)?);
        Some((named(from, next)?, named(last, to)?)).filter(|_| starts(from) && starts(to))
    });
    words.extend(ends.map(|(from, to)| language.word_stretch(Stretch::Sometime(from, to))));
    words
}

/// The early, middle or late part of the granule of a grain, or a half of it, by the names that are given to `within`.
fn section_words(from: i64, to: i64, grain: Grain, within: impl Fn(Within, i64, i64) -> Option<String>) -> Vec<String> {
    let start = calendar::floor(from, grain, chrono::Weekday::Mon);
    let Some((start, end)) = start.and_then(|start| Some((start, calendar::add(start, 1, grain)?))).filter(|(_, end)| to <= *end) else {
        return Vec::new();
    };
    let half = match grain.months() {
        Some(1) => Some(start + 15 * DAY),
        months => months.and_then(|months| calendar::add(start, months / 2, Grain::Month)),
    };
    let section = if from == start { 0 } else { 1 + u8::from(to == end) };
    let halves = (from == start && Some(to) == half).then_some(true).or((Some(from) == half && to == end).then_some(false));
    let halves = halves.and_then(|first| within(Within::Half(first), start, end));
    within(Within::Section(section, grain), start, end).into_iter().chain(halves).collect()
}

/// A stretch of whole days as so many years, months or days from a day on.
fn lasting(from: Instant, to: Instant, language: Language, zone: Zone) -> Option<Stretch> {
    let (from, to) = (zone.reading(from), zone.reading(to));
    if from % DAY != 0 || to % DAY != 0 || from >= to {
        return None;
    }
    let days = (to - from) / DAY;
    let (count, grain) = [(days / 365, Grain::Year), (days / 30, Grain::Month), (days / 28 - 1, Grain::Month), (days, Grain::Day)]
        .into_iter()
        .find(|(count, grain)| *count > 1 && calendar::add(from, *count, *grain) == Some(to))?;
    let day = piece(zone.granule(from, from + DAY).ok()?, zone)?;
    Some(Stretch::Lasting(language.word_duration(&[(count, grain)])?, language.word(day)))
}

/// The hours of a day that a stretch is between; beyond 24 is the next day.
fn hours_between(day: i64, from: i64, to: i64) -> (u8, u8) {
    let hour = |at: i64| if at % HOUR == 0 { u8::try_from((at - day) / HOUR).unwrap_or(u8::MAX) } else { u8::MAX };
    (hour(from), hour(to))
}

/// The widest granule that begins at an instant, or ends there.
fn bound(at: Instant, ends: bool, zone: Zone) -> Option<Piece> {
    let at = zone.reading(at);
    [Grain::Year, Grain::Month, Grain::Day, Grain::Hour, Grain::Minute].into_iter().find_map(|grain| {
        let other = calendar::add(at, if ends { -1 } else { 1 }, grain)?;
        let whole = calendar::floor(at, grain, chrono::Weekday::Mon) == Some(at);
        let moment = zone.granule(at.min(other), at.max(other)).ok().filter(|_| whole)?;
        piece(moment, zone)
    })
}

/// The granule by its name, if it has one in the zone.
fn piece(moment: Moment, zone: Zone) -> Option<Piece> {
    if moment.is_exact() {
        return None;
    }
    let (from, to) = (zone.reading(moment.lo()), zone.reading(moment.hi()));
    let (date, time) = split(from)?;
    let (year, month, day) = (date.year(), date.month(), date.day());
    let whole =
        |grain: Grain| calendar::floor(from, grain, chrono::Weekday::Mon) == Some(from) && calendar::add(from, 1, grain) == Some(to);
    let (hour, minute) = (u32::try_from(time / HOUR).ok()?, u32::try_from(time % HOUR / MINUTE).ok()?);
    [
        whole(Grain::Century).then_some(Piece::Century(year)),
        whole(Grain::Decade).then_some(Piece::Decade(year)),
        whole(Grain::Year).then_some(Piece::Year(year)),
        whole(Grain::Quarter).then_some(Piece::Quarter(year, month.div_ceil(3))),
        whole(Grain::Month).then_some(Piece::Month(year, month)),
        (month % 3 == 0 && day == 1 && time == 0 && calendar::add(from, 3, Grain::Month) == Some(to))
            .then(|| Piece::Season(year, month / 3 - 1)),
        whole(Grain::Week).then(|| Piece::Week(date.iso_week().year(), date.iso_week().week())),
        whole(Grain::Day).then_some(Piece::Day(year, month, day)),
        (time % HOUR == 0 && to - from == HOUR).then_some(Piece::Hour(year, month, day, hour)),
        (time % MINUTE == 0 && to - from == MINUTE).then_some(Piece::Minute(year, month, day, hour, minute)),
    ]
    .into_iter()
    .flatten()
    .next()
    .filter(|_| (1000..3000).contains(&year) && date_of(to).is_some() && to - from < 40_000 * DAY)
}

/// The parts of a duration in units, the wide ones first; `None` of a negative one or of fractions of a second.
fn parts(duration: Duration) -> Option<Vec<(i64, Grain)>> {
    if duration.months < 0 || duration.days < 0 || duration.micros < 0 || duration.micros % 1_000_000 != 0 {
        return None;
    }
    let seconds = duration.micros / 1_000_000;
    let all = [
        (duration.months / 12, Grain::Year),
        (duration.months % 12, Grain::Month),
        (duration.days, Grain::Day),
        (seconds / 3600, Grain::Hour),
        (seconds / 60 % 60, Grain::Minute),
        (seconds % 60, Grain::Second),
    ];
    let named: Vec<_> = all.into_iter().filter(|(count, _)| *count != 0).collect();
    Some(if named.is_empty() { vec![(0, Grain::Day)] } else { named })
}

/// The formal notation, with the names that the zone has.
fn formal(value: &Value, zone: Zone) -> String {
    let moment = |moment: Moment| moment.display_in(&zone).to_string();
    match value {
        Value::Moment(at) => moment(*at),
        Value::Span(span) => span_text(*span, moment),
        Value::Duration(duration) => {
            let mut text = format!("P{}M{}D", duration.months, duration.days);
            if duration.micros != 0 {
                let (sign, micros) =
                    if duration.micros < 0 { ("-", duration.micros.unsigned_abs()) } else { ("", duration.micros.unsigned_abs()) };
                // Writing to a string does not fail.
                let _written = write!(text, "T{sign}{}.{:06}S", micros / 1_000_000, micros % 1_000_000);
            }
            text
        }
        Value::Set(set) => formal_set(*set),
    }
}

/// A recurring time in the manner of ISO 8601's `R/`: `R/2/week/weekday=1/time=09:30`.
fn formal_set(set: Recurrence) -> String {
    let mut text = format!("R/{}/{}", set.interval, set.grain.name());
    let mut add = |name: &str, value: String| text.extend(["/", name, "=", &value]);
    let list = |numbers: Numbers| numbers.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    if let Some(times) = set.times {
        add("times", times.to_string());
    }
    if !set.weekdays.is_empty() {
        add("weekday", list(set.weekdays));
    }
    if !set.nth.is_empty() {
        add("nth", list(set.nth));
    }
    if let Some(day) = set.day {
        add("day", day.to_string());
    }
    if let Some(month) = set.month {
        add("month", month.to_string());
    }
    if let Some(season) = set.season {
        add("season", season.name().to_owned());
    }
    if set.weekend {
        add("weekend", "true".to_owned());
    }
    if let Some(part) = set.part {
        add("part", part.name().to_owned());
    }
    if let Some((hour, minute)) = set.time {
        add("time", format!("{hour:02}:{minute:02}"));
    }
    if let Some((hour, minute)) = set.until {
        add("until", format!("{hour:02}:{minute:02}"));
    }
    text
}

/// Reads the formal notation of a recurring time.
pub(super) fn parse_set(text: &str) -> Option<Recurrence> {
    let mut parts = text.strip_prefix("R/")?.split('/');
    let interval = parts.next()?.parse().ok().filter(|interval| *interval >= 1)?;
    let grain = Grain::named(parts.next()?)?;
    let mut set = Recurrence::every(interval, grain);
    let numbers = |value: &str, least: i8, most: i8| {
        let one = |number: &str| number.parse().ok().filter(|number| (least..=most).contains(number) && *number != 0);
        value.split(',').map(one).collect::<Option<Numbers>>()
    };
    let clock = |value: &str| {
        let (hour, minute) = value.split_once(':')?;
        Some((hour.parse().ok().filter(|hour: &u32| *hour < 25)?, minute.parse().ok().filter(|minute: &u32| *minute < 60)?))
    };
    for part in parts {
        let (name, value) = part.split_once('=')?;
        match name {
            "times" => set.times = Some(value.parse().ok()?),
            "weekday" => set.weekdays = numbers(value, 1, 7)?,
            "nth" => set.nth = numbers(value, -5, 5)?,
            "day" => set.day = Some(value.parse().ok().filter(|day| (1..=31).contains(day))?),
            "month" => set.month = Some(value.parse().ok().filter(|month| (1..=12).contains(month))?),
            "season" => set.season = Some(Season::ALL.into_iter().find(|season| season.name() == value)?),
            "weekend" => set.weekend = value == "true",
            "part" => set.part = Some(DayPart::named(value)?),
            "time" => set.time = Some(clock(value)?),
            "until" => set.until = Some(clock(value)?),
            _ => return None,
        }
    }
    Some(set)
}

fn span_text(span: Span, moment: impl Fn(Moment) -> String) -> String {
    let start = match span.start() {
        Start::At(at) => moment(at),
        Start::By(instant) => format!("by {}", moment(Moment::exact(instant))),
        Start::Unknown => String::new(),
        Start::Always => "..".to_owned(),
    };
    let end = match span.end() {
        End::At(at) => moment(at),
        End::By(instant) => format!("by {}", moment(Moment::exact(instant))),
        End::Open => "..".to_owned(),
    };
    format!("{start}/{end}")
}

/// Reads the formal notation of a duration, `P14M3DT3600.000000S`; each part may have a sign.
pub(super) fn parse_duration(text: &str) -> Option<Duration> {
    let rest = text.strip_prefix('P')?;
    let (months, rest) = rest.split_once('M')?;
    let (days, rest) = rest.split_once('D')?;
    let micros = match rest.strip_prefix('T') {
        None if rest.is_empty() => 0,
        None => return None,
        Some(time) => {
            let (whole, fraction) = time.strip_suffix('S')?.split_once('.')?;
            let magnitude =
                whole.trim_start_matches('-').parse::<i64>().ok()?.checked_mul(1_000_000)?.checked_add(fraction.parse().ok()?)?;
            if fraction.len() != 6 {
                return None;
            }
            if whole.starts_with('-') { -magnitude } else { magnitude }
        }
    };
    Some(Duration { months: months.parse().ok()?, days: days.parse().ok()?, micros })
}
