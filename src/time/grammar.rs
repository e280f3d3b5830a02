//! The grammar of written dates and times: which characters stand where. Knows nothing of calendars, zones or spans.

use super::civil;
use super::error::Fault;
use super::{Instant, ZonedInstant};
use nom::branch::alt;
use nom::bytes::complete::{take_while_m_n, take_while1};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{all_consuming, opt, verify};
use nom::sequence::preceded;
use nom::{AsChar, IResult, Parser};

/// A date as it is written, perhaps with a time of day; not yet judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written<'a> {
    pub(super) year: WrittenYear<'a>,
    pub(super) tail: Tail<'a>,
    pub(super) clock: Option<Clock<'a>>,
    pub(super) offset: Option<Offset<'a>>,
    /// Whether `~`, `?` or `%` follows.
    pub(super) qualified: bool,
}

/// A year: its sign, and its digits (`#` and `X` stand for unspecified ones).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrittenYear<'a> {
    /// Written with EDTF's `Y`, which allows more digits than four.
    pub(super) long: bool,
    pub(super) sign: Option<char>,
    pub(super) digits: &'a str,
    /// EDTF's `E`: how many zeros follow the digits.
    pub(super) exponent: Option<&'a str>,
}

/// What follows the year; two characters a field, each a digit, `#` or `X`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail<'a> {
    Nothing,
    Month(&'a str),
    Day(&'a str, &'a str),
    Week(&'a str, Option<&'a str>),
    Quarter(&'a str),
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock<'a> {
    pub(super) hour: &'a str,
    pub(super) minute: Option<&'a str>,
    pub(super) second: Option<&'a str>,
    /// The digits after the point.
    pub(super) fraction: Option<&'a str>,
}

/// An offset from UTC; `None` is `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offset<'a>(Option<(char, &'a str, Option<&'a str>)>);

impl Offset<'_> {
    /// Whether it is `Z` or has its minutes.
    fn is_whole(&self) -> bool {
        self.0.is_none_or(|(_, _, minutes)| minutes.is_some())
    }

    /// Minutes east of UTC, within ±18 hours.
    pub(super) fn minutes(self) -> Result<i16, Fault> {
        let Some((sign, hours, minutes)) = self.0 else { return Ok(0) };
        let hours: i16 = number(hours)?;
        let minutes: i16 = minutes.map_or(Ok(0), number)?;
        let total = hours.saturating_mul(60).saturating_add(minutes);
        if minutes > 59 || total > 18 * 60 {
            return Err(Fault::because("an offset is at most 18 hours"));
        }
        Ok(if sign == '-' { -total } else { total })
    }
}

impl Clock<'_> {
    /// Microseconds after midnight.
    pub(super) fn micros(self) -> Result<i64, Fault> {
        let field = |digits: Option<&str>| digits.map_or(Ok(0), number);
        let micro = match self.fraction {
            Some(digits) => {
                let kept = digits.get(..6).unwrap_or(digits);
                number::<u32>(kept)? * 10_u32.pow(6 - u32::try_from(kept.len()).unwrap_or(6))
            }
            None => 0,
        };
        if self.hour == "24" && self.minute.is_none() {
            return Err(Fault::because("hour 24 is not 0 to 23"));
        }
        civil::time_of_day(number(self.hour)?, field(self.minute)?, field(self.second)?, micro)
    }
}

/// A number whose digits the grammar has seen.
pub(super) fn number<T: std::str::FromStr>(digits: &str) -> Result<T, Fault> {
    digits.parse().map_err(|_too_long| Fault::Range)
}

/// Reads a date or a date with a time, to the last character.
pub(super) fn read_written(text: &str) -> Result<Written<'_>, Fault> {
    match all_consuming(written).parse(text) {
        Ok((_, written)) => Ok(written),
        Err(_) if text.is_empty() => Err(Fault::because("it is empty")),
        Err(_) => Err(Fault::because(
            "it is no date (2019, 2019-06, 2019-06-03), no time on a date (2019-06-03T10:30) and no instant (2019-06-03T10:30:00Z)",
        )),
    }
}

/// Reads an offset alone (`Z`, `+09:00`, `-0500`, `+09`), within ±18 hours.
pub(super) fn read_offset(text: &str) -> Option<i16> {
    let (_, offset) = all_consuming(offset).parse(text).ok()?;
    offset.minutes().ok()
}

/// Reads an instant with its offset.
pub(super) fn read_instant(text: &str) -> Result<ZonedInstant, Fault> {
    let written = read_written(text.trim())?;
    let (Tail::Day(month, day), Some(clock)) = (written.tail, written.clock) else {
        return Err(Fault::because("an instant needs a date and a time of day"));
    };
    let Some(offset) = written.offset else {
        return Err(Fault::because("an instant needs an offset or Z"));
    };
    if clock.minute.is_none() {
        return Err(Fault::because("an instant needs minutes"));
    }
    if written.qualified {
        return Err(Fault::because("an instant cannot be approximate"));
    }
    let (Ok(month), Ok(day)) = (month.parse(), day.parse()) else {
        return Err(Fault::because("an instant has no unspecified digits"));
    };
    let year = written.year.exact()?.ok_or(Fault::because("an instant has no unspecified digits"))?;
    let offset_minutes = offset.minutes()?;
    let local = civil::date(year, month, day)? + clock.micros()?;
    Ok(ZonedInstant { at: Instant::civil(local - i64::from(offset_minutes) * civil::MINUTE)?, offset_minutes })
}

impl WrittenYear<'_> {
    /// The year of a fully specified date, a year or so beyond the civil ones included; `None` if digits are unspecified.
    pub(super) fn exact(&self) -> Result<Option<i32>, Fault> {
        if !self.digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Ok(None);
        }
        if !self.long && self.sign.is_none() && self.digits.len() > 4 {
            return Err(Fault::because("a year has four digits, and dates are written with hyphens"));
        }
        let mut magnitude: i32 = number(self.digits)?;
        if let Some(zeros) = self.exponent {
            let factor = 10_i32.checked_pow(number(zeros)?).ok_or(Fault::Range)?;
            magnitude = magnitude.checked_mul(factor).ok_or(Fault::Range)?;
        }
        if magnitude > 10_000 {
            return Err(Fault::Range);
        }
        if magnitude == 0 && self.sign == Some('-') {
            return Err(Fault::because("year 0 has no sign"));
        }
        Ok(Some(if self.sign == Some('-') { -magnitude } else { magnitude }))
    }
}

fn written(input: &str) -> IResult<&str, Written<'_>> {
    let (input, year) = year(input)?;
    let (input, tail) = tail(input)?;
    let (input, clock) = opt(preceded(one_of("Tt "), clock)).parse(input)?;
    let (input, offset) = match (tail, clock) {
        (Tail::Day(..), Some(_)) => opt(offset).parse(input)?,
        // As xsd:date has it: on a date without a time, `-05` alone would look like one field of it too many.
        (Tail::Day(..), None) => opt(verify(offset, |offset: &Offset<'_>| offset.is_whole())).parse(input)?,
        _ => (input, None),
    };
    let (input, qualifier) = opt(one_of("~?%")).parse(input)?;
    Ok((input, Written { year, tail, clock, offset, qualified: qualifier.is_some() }))
}

fn year(input: &str) -> IResult<&str, WrittenYear<'_>> {
    let (input, long) = opt(char('Y')).parse(input)?;
    let (input, sign) = opt(one_of("+-")).parse(input)?;
    let (input, digits) = take_while1(is_digit_or_unspecified)(input)?;
    let (input, exponent) = if long.is_some() { opt(preceded(char('E'), digit1)).parse(input)? } else { (input, None) };
    Ok((input, WrittenYear { long: long.is_some(), sign, digits, exponent }))
}

fn tail(input: &str) -> IResult<&str, Tail<'_>> {
    let week = (preceded(char('W'), digits::<2>), opt(preceded(char('-'), digits::<1>))).map(|(week, day)| Tail::Week(week, day));
    let quarter = preceded(char('Q'), digits::<1>).map(Tail::Quarter);
    let month_day = (field, opt(preceded(char('-'), field))).map(|(month, day)| match day {
        Some(day) => Tail::Day(month, day),
        None => Tail::Month(month),
    });
    let (input, tail) = opt(preceded(char('-'), alt((month_day, week, quarter)))).parse(input)?;
    Ok((input, tail.unwrap_or(Tail::Nothing)))
}

fn clock(input: &str) -> IResult<&str, Clock<'_>> {
    let (input, hour) = digits::<2>(input)?;
    let (input, minute) = opt(preceded(char(':'), digits::<2>)).parse(input)?;
    let (input, second) = if minute.is_some() { opt(preceded(char(':'), digits::<2>)).parse(input)? } else { (input, None) };
    let (input, fraction) = if second.is_some() { opt(preceded(one_of(".,"), digit1)).parse(input)? } else { (input, None) };
    Ok((input, Clock { hour, minute, second, fraction }))
}

fn offset(input: &str) -> IResult<&str, Offset<'_>> {
    let numeric = (one_of("+-"), digits::<2>, opt(preceded(opt(char(':')), digits::<2>)));
    alt((one_of("Zz").map(|_| Offset(None)), numeric.map(|written| Offset(Some(written))))).parse(input)
}

/// A month or a day: two characters.
fn field(input: &str) -> IResult<&str, &str> {
    take_while_m_n(2, 2, is_digit_or_unspecified)(input)
}

fn digits<const N: usize>(input: &str) -> IResult<&str, &str> {
    take_while_m_n(N, N, AsChar::is_dec_digit)(input)
}

fn is_digit_or_unspecified(c: char) -> bool {
    c.is_ascii_digit() || is_unspecified(c)
}

/// Whether it stands for a digit nobody knows: `#` as in Wikidata's dumps, `X` as in EDTF.
pub(super) const fn is_unspecified(c: char) -> bool {
    matches!(c, '#' | 'X' | 'x')
}
