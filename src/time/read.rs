//! What written moments and spans mean: precisions, unspecified digits, qualifiers and missing fields.
//! Knows nothing of "now" or "today": who has a clock reads those.

use super::civil::{self, HOUR, MINUTE, Stretch};
use super::error::{Fault, TimeError, excerpt};
use super::grammar::{self, Tail, Written, WrittenYear, is_unspecified};
use super::moment::{place, quarter_of};
use super::{End, Instant, Moment, Span, Start, Zone};

/// Reads a moment: a date of any precision, a time on a date, or an instant.
///
/// | written | read as |
/// |---|---|
/// | `2019`, `2019-06`, `2019-06-03` | that year, month or day of `zone` |
/// | `2019-06-03T10`, `2019-06-03T10:30` | that hour or minute; of the offset if one follows, else of `zone` (see [`Zone`] for skipped and repeated times) |
/// | `2019-06-03T10:30:00`, with decimals or without | that instant, exactly; digits after the sixth decimal are dropped; a space may stand for the `T`; `24:00` is the end of the day |
/// | `2019-06-03Z`, `2019-06-03+09:00` | that day at that offset |
/// | `2019-W23`, `2019-W23-1`, `2019-Q2` | that ISO week, day of a week, quarter |
/// | `2001-21` … `2001-41` | EDTF seasons (northern as 21 to 28, southern as 29 to 32), quarters, thirds and halves of a year |
/// | `1926-##-##`, `1926-05-##`, `201X`, `20XX`, `2004-XX` | all the time that the unspecified digits leave open: that year, month, decade, century, year |
/// | `19-##-##`, `-44`, `-0044-03-15`, `Y2019` | years 19, −44, −44, 2019; year 0 is 1 BC. Without a sign, fewer than four digits need a `##` after them |
/// | `2019~`, `2019?`, `2019%` | the granule with as much again on either side: 2018 to 2020. EDTF gives qualifiers no width, so this is our reading; clipped to the civil years |
/// | `[2019-01-01T00:00:00Z, 2019-01-09T00:00:00Z)` | that granule, as [`Moment`] displays one that has no name |
///
/// ```
/// use erstwhile::time::{Zone, parse_moment};
///
/// let utc = Zone::UTC;
/// assert_eq!(parse_moment("1926-##-##", &utc)?, parse_moment("1926", &utc)?);
/// assert_eq!(parse_moment("2019~", &utc)?.to_string(), "[2018-01-01T00:00:00Z, 2021-01-01T00:00:00Z)");
/// assert!(parse_moment("2019-13", &utc).is_err());
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
///
/// # Errors
/// [`TimeError::Unreadable`] for anything else, with the reason: intervals, wholly unspecified dates and the sentinels included;
/// [`TimeError::OutOfRange`] outside the years −9999 to 9999.
pub fn parse_moment(text: &str, zone: &Zone) -> Result<Moment, TimeError> {
    let trimmed = text.trim();
    if trimmed.starts_with('[') {
        return bracketed(trimmed).ok_or_else(|| Fault::because("a granule is written [instant, instant)").of(text))?;
    }
    if trimmed.contains('/') {
        return Err(Fault::because("an interval has two moments, and one is wanted").of(text));
    }
    match grammar::read_written(trimmed).and_then(|written| judge(&written, *zone)) {
        Ok(Some(moment)) => Ok(moment),
        Ok(None) => Err(Fault::because("every digit of it is unspecified").of(text)),
        Err(fault) => Err(fault.of(text)),
    }
}

/// Reads when something began: a moment, `by 2021-05` (it was already so at the end of that month, or at that instant),
/// `unknown`, or `always` (EDTF `..`). Nothing, or `####-##-##` and other wholly unspecified dates: `None`.
///
/// # Errors
/// As [`parse_moment`].
pub fn parse_start(text: &str, zone: &Zone) -> Result<Option<Start>, TimeError> {
    Ok(match read_bound(text, *zone)? {
        Bound::Missing => None,
        Bound::At(moment) => Some(Start::At(moment)),
        Bound::By(instant) => Some(Start::By(instant)),
        Bound::Unknown => Some(Start::Unknown),
        Bound::Always | Bound::Unbounded => Some(Start::Always),
        Bound::Open => return Err(Fault::because("only an end can be open").of(text)),
    })
}

/// Reads when something ended: a moment, `by 2024-03` (it was over at the end of that month, or at that instant), or `open`
/// (EDTF `..`; `unknown` too, since an end that nobody knows has not been stated). Nothing, or a wholly unspecified date: `None`.
///
/// # Errors
/// As [`parse_moment`].
pub fn parse_end(text: &str, zone: &Zone) -> Result<Option<End>, TimeError> {
    Ok(match read_bound(text, *zone)? {
        Bound::Missing => None,
        Bound::At(moment) => Some(End::At(moment)),
        Bound::By(instant) => Some(End::By(instant)),
        Bound::Open | Bound::Unknown | Bound::Unbounded => Some(End::Open),
        Bound::Always => return Err(Fault::because("only a start can be always").of(text)),
    })
}

/// Reads a span from its two fields, as [`parse_start`] and [`parse_end`] read them, or from one EDTF interval in `from`.
///
/// - A missing `to` is `Open`.
/// - A missing `from` is `Unknown` where an end is given. With neither the span says nothing and is an error; who knows
///   better what a missing start means calls [`parse_start`].
/// - `from` may be a whole interval if `to` is missing: `2004-06/2006-08`, `../2019` (from always), `/2019` (from unknown),
///   `2019/..` and `2019/` (open).
///
/// ```
/// use erstwhile::time::{Zone, parse_span};
///
/// let span = parse_span(Some("1926-##-##"), Some("1929-##-##"), &Zone::UTC)?;
/// assert_eq!(span.to_string(), "1926/1929");
/// assert_eq!(span.describe(), "from 1926 until 1929");
/// assert_eq!(parse_span(Some("2015"), Some("####-##-##"), &Zone::UTC)?.describe(), "since 2015");
/// let error = parse_span(Some("2015"), Some("2014"), &Zone::UTC).unwrap_err();
/// assert_eq!(error.to_string(), "`to` \"2014\" lies before `from` \"2015\"");
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
///
/// # Errors
/// [`TimeError::Field`] with what [`parse_moment`] says of the field that cannot be read; [`TimeError::Inconsistent`] for an end before its
/// start or a span that says nothing.
pub fn parse_span(from: Option<&str>, to: Option<&str>, zone: &Zone) -> Result<Span, TimeError> {
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    if let Some((first, last)) = from.split_once('/') {
        if !to.trim().is_empty() {
            return Err(TimeError::Inconsistent {
                reason: format!("`from` {:?} is an interval, so `to` {:?} is one end too many", excerpt(from), excerpt(to)),
            });
        }
        return span_of(first, last, *zone)
            .map_err(|error| if let TimeError::Field { error, .. } = error { error.in_field("from") } else { error });
    }
    span_of(from, to, *zone)
}

fn span_of(from: &str, to: &str, zone: Zone) -> Result<Span, TimeError> {
    let start = parse_start(from, &zone).map_err(|error| error.in_field("from"))?;
    let end = parse_end(to, &zone).map_err(|error| error.in_field("to"))?.unwrap_or(End::Open);
    if start.is_none() && end == End::Open {
        return Err(TimeError::Inconsistent { reason: "`from` is missing and `to` gives no end: the span says nothing".to_owned() });
    }
    let start = start.unwrap_or(Start::Unknown);
    Span::new(start, end).map_err(|error| match (start, end) {
        (Start::At(_) | Start::By(_), End::At(_) | End::By(_)) => {
            TimeError::Inconsistent { reason: format!("`to` {:?} lies before `from` {:?}", excerpt(to.trim()), excerpt(from.trim())) }
        }
        _ => error,
    })
}

/// Either bound, as written.
enum Bound {
    Missing,
    At(Moment),
    By(Instant),
    Unknown,
    Always,
    Open,
    /// `..`
    Unbounded,
}

fn read_bound(text: &str, zone: Zone) -> Result<Bound, TimeError> {
    let trimmed = text.trim();
    let bound = match trimmed {
        "" => Bound::Missing,
        ".." => Bound::Unbounded,
        word if word.eq_ignore_ascii_case("unknown") => Bound::Unknown,
        word if word.eq_ignore_ascii_case("always") => Bound::Always,
        word if word.eq_ignore_ascii_case("open") => Bound::Open,
        _ => match trimmed.split_once(' ') {
            // `hi` of an exact moment is the instant itself.
            Some((word, moment)) if word.eq_ignore_ascii_case("by") => Bound::By(parse_moment(moment, &zone)?.hi()),
            _ if trimmed.starts_with(is_unspecified) => match grammar::read_written(trimmed).and_then(|written| judge(&written, zone)) {
                Ok(None) => Bound::Missing,
                Ok(Some(moment)) => Bound::At(moment),
                Err(fault) => return Err(fault.of(text)),
            },
            _ => Bound::At(parse_moment(trimmed, &zone)?),
        },
    };
    Ok(bound)
}

/// Reads `[lo, hi)`; `None` if it is not of that form.
fn bracketed(text: &str) -> Option<Result<Moment, TimeError>> {
    let (lo, hi) = text.strip_prefix('[')?.strip_suffix(')')?.split_once(',')?;
    Some(Instant::parse(lo).and_then(|lo| Moment::granule(lo, Instant::parse(hi)?)))
}

/// The years that a written year may be: the first of them, and how many.
enum Years {
    Some { first: i32, count: i32 },
    Unspecified,
}

fn judge_year(year: &WrittenYear<'_>, tail: Tail<'_>) -> Result<Years, Fault> {
    let known = year.digits.trim_end_matches(is_unspecified);
    if known.is_empty() && year.sign.is_none() {
        return Ok(Years::Unspecified);
    }
    let partial = matches!(tail, Tail::Month(field) | Tail::Day(_, field) if field.starts_with(is_unspecified));
    if year.digits.len() < 4 && year.sign.is_none() && !year.long && !partial {
        return Err(Fault::because("a year has four digits: write 0553 for the year 553"));
    }
    if let Some(first) = year.exact()? {
        return Ok(Years::Some { first, count: 1 });
    }
    if known.contains(is_unspecified) || year.digits.len() != 4 || year.long {
        return Err(Fault::because("unspecified digits of a year are the last of four"));
    }
    let unspecified = u32::try_from(4 - known.len()).unwrap_or_default();
    let count = 10_i32.pow(unspecified);
    let least = if known.is_empty() { 0 } else { grammar::number::<i32>(known)? * count };
    let first = if year.sign == Some('-') { -(least + count - 1) } else { least };
    Ok(Years::Some { first, count })
}

/// The moment of a written date, in the offset it names or in the zone; `None` if all of it is unspecified.
fn judge(written: &Written<'_>, zone: Zone) -> Result<Option<Moment>, Fault> {
    let years = judge_year(&written.year, written.tail)?;
    let zone = match written.offset {
        Some(offset) => Zone::fixed_minutes(offset.minutes()?),
        None => zone,
    };
    let tail = without_unspecified(written.tail)?;
    if (written.clock.is_some() || written.offset.is_some()) && !matches!(tail, Tail::Day(..)) {
        return Err(Fault::because("a time of day needs a whole date before it"));
    }
    let (first, count) = match (years, tail) {
        (Years::Unspecified, Tail::Nothing) => return Ok(None),
        (Years::Unspecified, _) => return Err(Fault::because("its year is unspecified")),
        (Years::Some { first, count }, _) => (first, count),
    };
    if count > 1 && tail != Tail::Nothing {
        return Err(Fault::because("a year with unspecified digits has no month"));
    }
    let stretch = match tail {
        Tail::Nothing => Stretch::years(first, count),
        Tail::Month(month) => month_or_season(first, grammar::number(month)?)?,
        Tail::Day(month, day) => Stretch::day(first, grammar::number(month)?, grammar::number(day)?)?,
        Tail::Week(week, None) => Stretch::week(first, grammar::number(week)?)?,
        Tail::Week(week, Some(day)) => day_of_week(first, grammar::number(week)?, grammar::number(day)?)?,
        Tail::Quarter(quarter) => quarter_of(first, grammar::number(quarter)?)?,
    };
    let stretch = match (written.clock, stretch) {
        (Some(clock), Stretch::Micros { from: midnight, .. }) => {
            let from = midnight + clock.micros()?;
            if clock.second.is_some() {
                if written.qualified {
                    return Err(Fault::because("an exact instant cannot be approximate"));
                }
                return exact(from, zone).map(Some);
            }
            Stretch::Micros { from, width: if clock.minute.is_some() { MINUTE } else { HOUR } }
        }
        (_, stretch) => stretch,
    };
    if !written.qualified {
        return place(stretch, zone).map(Some);
    }
    // What is not a civil moment does not become one by widening.
    place(stretch, zone)?;
    place(stretch.widened(), zone).map(Some)
}

/// The exact instant of a local time, or the granule of its first and last reading where the clock reads it twice.
fn exact(local: i64, zone: Zone) -> Result<Moment, Fault> {
    let (first, last) = zone.instants(local);
    let (first, last) = (Instant::civil(first)?, Instant::civil(last)?);
    if first == last {
        return Ok(Moment::exact(first));
    }
    Moment::granule(first, last.saturating_add(1)).map_err(|_inside_out| Fault::Range)
}

/// The tail up to its unspecified digits, which must be whole fields and its last.
fn without_unspecified(tail: Tail<'_>) -> Result<Tail<'_>, Fault> {
    let whole = |field: &str| -> Result<bool, Fault> {
        match field.chars().filter(|&digit| is_unspecified(digit)).count() {
            0 => Ok(true),
            2 => Ok(false),
            _ => Err(Fault::because("a month or a day is unspecified as a whole")),
        }
    };
    match tail {
        Tail::Month(month) => Ok(if whole(month)? { tail } else { Tail::Nothing }),
        Tail::Day(month, day) => match (whole(month)?, whole(day)?) {
            (true, true) => Ok(tail),
            (true, false) => Ok(Tail::Month(month)),
            (false, false) => Ok(Tail::Nothing),
            (false, true) => Err(Fault::because("a day needs its month")),
        },
        Tail::Nothing | Tail::Week(..) | Tail::Quarter(_) => Ok(tail),
    }
}

/// A month, or one of EDTF's groups of months.
///
/// Source: EDTF (ISO 8601-2:2019), level 1 (21 to 24) and level 2 (25 to 41); seasons as whole months.
fn month_or_season(year: i32, code: u32) -> Result<Stretch, Fault> {
    let (month, count) = match code {
        1..=12 => (code, 1),
        21 | 25 | 31 => (3, 3),
        22 | 26 | 32 => (6, 3),
        23 | 27 | 29 => (9, 3),
        24 | 28 | 30 => (12, 3),
        33..=36 => ((code - 33) * 3 + 1, 3),
        37..=39 => ((code - 37) * 4 + 1, 4),
        40 | 41 => ((code - 40) * 6 + 1, 6),
        _ => return Err(Fault::Reason(format!("month {code:02} is not 01 to 12, nor a season (21 to 41)").into())),
    };
    Stretch::months(year, month, count)
}

fn day_of_week(year: i32, week: u32, day: u32) -> Result<Stretch, Fault> {
    let Stretch::Micros { from, .. } = Stretch::week(year, week)? else {
        return Err(Fault::Range);
    };
    if !(1..=7).contains(&day) {
        return Err(Fault::Reason(format!("day {day} of a week is not 1 to 7").into()));
    }
    Ok(Stretch::Micros { from: from + i64::from(day - 1) * civil::DAY, width: civil::DAY })
}
