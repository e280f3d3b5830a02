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
        if !matches!(parse_end(to, zone), Ok(None)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        parse_moment(text, &Zone::UTC).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn check(text: &str, lo: &str, hi: &str) {
        let full = |written: &str| match written.len() {
            ..=6 => format!("{written}-01-01T00:00:00Z"),
            10 | 11 => format!("{written}T00:00:00Z"),
            _ => written.to_owned(),
        };
        let moment = moment(text);
        assert_eq!((moment.lo().to_string(), moment.hi().to_string()), (full(lo), full(hi)), "{text}");
    }

    #[test]
    fn iso_dates_of_every_precision() {
        check("2019", "2019", "2020");
        check("2019-06", "2019-06-01", "2019-07-01");
        check("2019-06-03", "2019-06-03", "2019-06-04");
        check("2019-06-03T10", "2019-06-03T10:00:00Z", "2019-06-03T11:00:00Z");
        check("2019-06-03T10:30", "2019-06-03T10:30:00Z", "2019-06-03T10:31:00Z");
        check("2019-06-03T10:30:15", "2019-06-03T10:30:15Z", "2019-06-03T10:30:15Z");
        check("2019-06-03 10:30:15.25", "2019-06-03T10:30:15.250Z", "2019-06-03T10:30:15.250Z");
        check("2019-06-03T10+02:00", "2019-06-03T08:00:00Z", "2019-06-03T09:00:00Z");
        check("2019-06-03T10:30:15-05:00", "2019-06-03T15:30:15Z", "2019-06-03T15:30:15Z");
        check("2019-06-03T24:00", "2019-06-04", "2019-06-04T00:01:00Z");
        check("2019-06-03T24:00:00", "2019-06-04", "2019-06-04");
        check("2019-06-03Z", "2019-06-03", "2019-06-04");
        check("2019-06-03+09:00", "2019-06-02T15:00:00Z", "2019-06-03T15:00:00Z");
        check("2019-06-03-05:00", "2019-06-03T05:00:00Z", "2019-06-04T05:00:00Z");
        check("  2019\n", "2019", "2020");
        check("2019-W01", "2018-12-31", "2019-01-07");
        check("2019-W23-1", "2019-06-03", "2019-06-04");
        check("2019-Q4", "2019-10-01", "2020-01-01");
    }

    #[test]
    fn partial_dates_leave_open_what_they_do_not_say() {
        check("1926-##-##", "1926", "1927");
        check("1926-##", "1926", "1927");
        check("1926-05-##", "1926-05-01", "1926-06-01");
        check("553-##-##", "0553", "0554");
        check("19-##-##", "0019", "0020");
        check("9-##", "0009", "0010");
        check("-44-##-##", "-0044", "-0043");
        check("-0044", "-0044", "-0043");
        check("-44", "-0044", "-0043");
        check("+19", "0019", "0020");
        check("+2019-06", "2019-06-01", "2019-07-01");
        check("201#-##-##", "2010", "2020");
        check("20##", "2000", "2100");
        for text in ["####-##-##", "####", "####-##", "XXXX", "XXXX-XX-XX", "#", "##-##-##"] {
            assert_eq!(parse_start(text, &Zone::UTC), Ok(None), "{text}");
            assert_eq!(parse_end(text, &Zone::UTC), Ok(None), "{text}");
            let error = parse_moment(text, &Zone::UTC).unwrap_err().to_string();
            assert_eq!(error, format!("cannot read {text:?} as a time: every digit of it is unspecified"));
        }
    }

    #[test]
    fn edtf_level_1() {
        check("201X", "2010", "2020");
        check("20XX", "2000", "2100");
        check("2XXX", "2000", "3000");
        check("-201X", "-2019", "-2009");
        check("2004-XX", "2004", "2005");
        check("1985-04-XX", "1985-04-01", "1985-05-01");
        check("1985-XX-XX", "1985", "1986");
        check("2001-21", "2001-03-01", "2001-06-01");
        check("2001-24", "2001-12-01", "2002-03-01");
        check("2001-29", "2001-09-01", "2001-12-01");
        check("2001-34", "2001-04-01", "2001-07-01");
        check("2001-38", "2001-05-01", "2001-09-01");
        check("2001-41", "2001-07-01", "2002-01-01");
        check("Y2019", "2019", "2020");
        check("Y-44", "-0044", "-0043");
        check("Y2E3", "2000", "2001");
        for text in ["Y170000002", "Y-17E7", "Y17E99999999999", "Y99999999999999999999", "Y10000", "+10000", "-12345-06-03"] {
            assert_eq!(parse_moment(text, &Zone::UTC), Err(TimeError::OutOfRange { text: text.to_owned() }), "{text}");
        }
    }

    #[test]
    fn a_qualifier_widens_by_the_granule_on_either_side() {
        for sign in ['~', '?', '%'] {
            check(&format!("2019{sign}"), "2018", "2021");
            check(&format!("2019-01{sign}"), "2018-12-01", "2019-03-01");
            check(&format!("2019-03-01{sign}"), "2019-02-28", "2019-03-03");
            check(&format!("201X{sign}"), "2000", "2030");
            check(&format!("2001-21{sign}"), "2000-12-01", "2001-09-01");
            check(&format!("1926-##-##{sign}"), "1925", "1928");
            check(&format!("2019-W23{sign}"), "2019-05-27", "2019-06-17");
            check(&format!("2019-06-03T10:30Z{sign}"), "2019-06-03T10:29:00Z", "2019-06-03T10:32:00Z");
            check(&format!("9999{sign}"), "9998", "+10000");
            check(&format!("-9999{sign}"), "-9999", "-9997");
        }
    }

    #[test]
    fn nonsense_is_rejected_with_its_reason() {
        for (text, reason) in [
            ("", "it is empty"),
            ("2019-13", "month 13 is not 01 to 12, nor a season (21 to 41)"),
            ("2019-00", "month 00 is not 01 to 12, nor a season (21 to 41)"),
            ("2019-02-30", "day 30 is not 1 to 28, the days of that month"),
            ("2019-21-01", "month 21 is not 1 to 12"),
            ("2019-06-03T25:00", "hour 25 is not 0 to 23"),
            ("2019-06-03T24", "hour 24 is not 0 to 23"),
            ("2019-06-03T24:01", "nothing of a day comes after 24:00"),
            ("2019-06-03T10:60", "minute 60 is not 0 to 59"),
            ("2019-06T10:00", "a time of day needs a whole date before it"),
            ("2019-06-XXT10:00", "a time of day needs a whole date before it"),
            ("2019-06-03T10:00:00~", "an exact instant cannot be approximate"),
            ("2019-06-03T10:00+19:00", "an offset is at most 18 hours"),
            ("2019-W54", "there is no week 54 in 2019"),
            ("2019-W23-8", "day 8 of a week is not 1 to 7"),
            ("2019-Q5", "quarter 5 is not 1 to 4"),
            ("553", "a year has four digits: write 0553 for the year 553"),
            ("19-06-03", "a year has four digits: write 0553 for the year 553"),
            ("20190603", "a year has four digits, and dates are written with hyphens"),
            ("-0000", "year 0 has no sign"),
            ("1X99", "unspecified digits of a year are the last of four"),
            ("1X9X", "unspecified digits of a year are the last of four"),
            ("Y201X", "unspecified digits of a year are the last of four"),
            ("201X-04", "a year with unspecified digits has no month"),
            ("2004-1X", "a month or a day is unspecified as a whole"),
            ("2004-XX-05", "a day needs its month"),
            ("####-05-##", "its year is unspecified"),
            ("2004/2005", "an interval has two moments, and one is wanted"),
            ("[2019, 2020)", "an instant needs a date and a time of day"),
            ("[2019", "a granule is written [instant, instant)"),
        ] {
            let error = parse_moment(text, &Zone::UTC).expect_err(text).to_string();
            assert!(error.starts_with("cannot read ") && error.ends_with(&format!(" as a time: {reason}")), "{error}");
        }
        for text in [
            "25:00",
            "now",
            "today",
            "∞",
            "-∞",
            "2019-6-3",
            "2019-06-03T",
            "2019-06-03T10:00 PM",
            "June 2019",
            "2019~~",
            "~2019",
            "2019-06Z",
            "2019-06-03-05",
            "..",
            "NaN",
        ] {
            let error = parse_moment(text, &Zone::UTC).expect_err(text).to_string();
            assert!(error.starts_with(&format!("cannot read {text:?} as a time: it is no date")), "{error}");
        }
        let error = parse_moment("[2020-01-01T00:00:00Z, 2019-01-01T00:00:00Z)", &Zone::UTC).unwrap_err();
        assert!(matches!(error, TimeError::Inconsistent { .. }), "{error}");
    }

    #[test]
    fn a_long_text_is_quoted_by_its_beginning() {
        for text in ["9".repeat(10_000), "é".repeat(10_000), format!("2019-06-03T10:00:00.{}!", "1".repeat(10_000)), "/".repeat(10_000)] {
            let error = parse_moment(&text, &Zone::UTC).unwrap_err().to_string();
            assert!(error.len() < 400 && error.contains('…'), "{error}");
            assert!(parse_span(Some(&text), Some(&text), &Zone::UTC).unwrap_err().to_string().len() < 600);
        }
        check(&format!("2019-06-03T10:00:00.{}", "1".repeat(10_000)), "2019-06-03T10:00:00.111111Z", "2019-06-03T10:00:00.111111Z");
    }

    fn span(from: &str, to: &str) -> (Start, End) {
        let span = parse_span(Some(from), Some(to), &Zone::UTC).unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
        (span.start(), span.end())
    }

    #[test]
    fn spans_from_two_fields() {
        let year = moment;
        assert_eq!(span("2008-##-##", "2008-##-##"), (Start::At(year("2008")), End::At(year("2008"))));
        assert_eq!(span("1968-##-##", "####-##-##"), (Start::At(year("1968")), End::Open));
        assert_eq!(span("####-##-##", "2005-##-##"), (Start::Unknown, End::At(year("2005"))));
        assert_eq!(span("", "2005"), (Start::Unknown, End::At(year("2005"))));
        assert_eq!(span("always", "open"), (Start::Always, End::Open));
        assert_eq!(span("..", ".."), (Start::Always, End::Open));
        assert_eq!(span("Unknown", "By 2024-03"), (Start::Unknown, End::By(moment("2024-03").hi())));
        assert_eq!(span("by 2021-05", "unknown"), (Start::By(moment("2021-06").lo()), End::Open));
        assert_eq!(span("by 2021-05-03T10:00:00Z", ""), (Start::By(Instant::from_civil(2021, 5, 3, 10, 0, 0, 0).unwrap()), End::Open));
        assert_eq!(span("by 2021", "2021"), (Start::By(moment("2022").lo()), End::At(moment("2021"))));
        assert_eq!(parse_span(None, Some("2019"), &Zone::UTC).unwrap().start(), Start::Unknown);
        assert_eq!(parse_span(Some("2019"), None, &Zone::UTC).unwrap().end(), End::Open);
    }

    #[test]
    fn spans_from_one_interval() {
        let month = moment;
        assert_eq!(span("2004-06/2006-08", ""), (Start::At(month("2004-06")), End::At(month("2006-08"))));
        assert_eq!(span("2004-06~/2006-08?", "####"), (Start::At(month("2004-06~")), End::At(month("2006-08?"))));
        assert_eq!(span("../2019", ""), (Start::Always, End::At(month("2019"))));
        assert_eq!(span("/2019", ""), (Start::Unknown, End::At(month("2019"))));
        assert_eq!(span("2019/..", ""), (Start::At(month("2019")), End::Open));
        assert_eq!(span("2019/", ""), (Start::At(month("2019")), End::Open));
    }

    #[test]
    fn a_span_that_cannot_be_names_its_field_or_both_values() {
        let error = |from: &str, to: &str| parse_span(Some(from), Some(to), &Zone::UTC).expect_err(from).to_string();
        assert_eq!(error("2016-##-##", "2015-##-##"), "`to` \"2015-##-##\" lies before `from` \"2016-##-##\"");
        assert_eq!(error("by 2021-05-14", "2019"), "`to` \"2019\" lies before `from` \"by 2021-05-14\"");
        assert_eq!(error("2019-06-03", "by 2019-06-02T23:00:00Z"), "`to` \"by 2019-06-02T23:00:00Z\" lies before `from` \"2019-06-03\"");
        assert_eq!(error("2019/2018", ""), "`to` \"2018\" lies before `from` \"2019\"");
        assert_eq!(error("2019", "2019-13"), "`to`: cannot read \"2019-13\" as a time: month 13 is not 01 to 12, nor a season (21 to 41)");
        assert!(error("2019-02-30", "").starts_with("`from`: cannot read \"2019-02-30\" as a time: "));
        assert!(error("2019/2019-13", "").starts_with("`from`: cannot read \"2019-13\" as a time: "));
        assert!(error("2019/2020/2021", "").starts_with("`from`: cannot read \"2020/2021\" as a time: "));
        assert!(error("by", "").starts_with("`from`: cannot read \"by\""));
        assert!(error("open", "").ends_with("only an end can be open"));
        assert!(error("2019", "always").ends_with("only a start can be always"));
        assert_eq!(error("2019/2020", "2021"), "`from` \"2019/2020\" is an interval, so `to` \"2021\" is one end too many");
        for (from, to) in [("", ""), ("####-##-##", "####-##-##"), ("", "open"), ("/", ""), ("/..", "")] {
            assert_eq!(error(from, to), "`from` is missing and `to` gives no end: the span says nothing");
        }
        assert_eq!(error("unknown", ""), "an unknown start with an open end says nothing");
        assert!(parse_span(None, None, &Zone::UTC).is_err());
    }
}
