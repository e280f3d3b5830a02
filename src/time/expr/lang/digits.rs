//! Dates in digits, which all languages write alike but for the order. Knows no words.

use super::parse::{In, Res, digits, digits_in, fail, is_glued, mark, small, some, token};
use crate::time::expr::symbol::{Fields, Node, Year};
use crate::time::expr::token::{Kind, Token};
use chrono::Datelike;

/// A date in digits: `2019-06-03`, `3/4/2019`, `3/4`, `3/2019`, `2019/3`, `20190603`, `2021 11 05`.
pub(super) fn numeric(input: In<'_>) -> Res<'_, Node> {
    numeric_with(input, false)
}

/// Digits that only beside a weekday are a date: `7.6`, `7-6`.
pub(super) fn loose_numeric(input: In<'_>) -> Res<'_, Node> {
    numeric_with(input, true)
}

/// "3/4 cup", "a 9/10 rating", and "24/7", which is always: two digits with a stroke that are no date. `counts` is whether a thing follows.
pub(super) fn is_fraction(read: In<'_>, previous: Option<&Token<'_>>, counts: bool) -> bool {
    let [over, stroke, under] = read else { return false };
    let (Some((over, _)), true, Some((under, _))) = (over.number(), stroke.is_mark('/'), under.number()) else { return false };
    let rated = under == 10 && previous.is_some_and(|previous| previous.is("a") || previous.is("an"));
    let equal = previous.is_some_and(|previous| previous.is_mark('='));
    (over, under) == (24, 7) || equal || over <= under && (rated || counts && matches!(under, 2..=5 | 8 | 10))
}

fn numeric_with(input: In<'_>, loose: bool) -> Res<'_, Node> {
    let (rest, (a, a_count)) = digits(input)?;
    if a_count == 8 {
        let (year, month, day) = (a / 10_000, a / 100 % 100, a % 100);
        let ok = (1900..2100).contains(&year) && exists(year, month, day);
        return some(rest, ok.then(|| full_date(year, month, day)));
    }
    if a_count == 4
        && let (Ok((r2, month)), true) = (digits_in(1, 12, 2)(rest), (1900..2100).contains(&a))
        && let Ok((r3, day)) = digits_in(1, 31, 2)(r2)
        && [rest, r2].iter().all(|rest| !is_glued(rest) && rest.first().and_then(Token::number).is_some_and(|(_, count)| count == 2))
    {
        return some(r3, exists(a, month, day).then(|| full_date(a, month, day)));
    }
    let spaced = !is_glued(rest);
    let (rest, separator) = mark("/-.")(rest)?;
    if spaced && separator != '/' || is_glued(rest) == spaced {
        return fail(input);
    }
    let (rest, (b, b_count)) = digits(rest)?;
    if b_count > 4 {
        return fail(input);
    }
    // "2024-060" is the sixtieth day.
    if a_count == 4 && b_count == 3 && separator == '-' && !spaced && (1900..2100).contains(&a) {
        let ends = !rest.first().is_some_and(|next| next.glued && (next.kind == Kind::Word || matches!(next.kind, Kind::Mark('-' | '/'))));
        let date = i32::try_from(a).ok().zip(small(b)).and_then(|(year, day)| chrono::NaiveDate::from_yo_opt(year, day));
        return some(rest, date.filter(|_| ends).map(|date| full_date(a, i64::from(date.month()), i64::from(date.day()))));
    }
    let three = |rest| -> Option<(In<'_>, (i64, u8))> {
        let (rest, ()) = token(|token| (token.is_mark(separator) && token.glued != spaced).then_some(()))(rest).ok()?;
        if is_glued(rest) == spaced {
            return None;
        }
        digits(rest).ok()
    };
    // More digits of the same kind make it a number of another sort.
    let goes_on =
        |rest: In<'_>| matches!(rest, [mark, more, ..] if mark.glued && mark.is_mark(separator) && more.glued && more.number().is_some());
    if let Some((end, (c, c_count))) = three(rest)
        && !(goes_on(end) && separator != '-')
    {
        if a_count == 4 && b_count <= 2 && c_count <= 2 {
            return some(end, exists(a, b, c).then(|| full_date(a, b, c)));
        }
        if a_count <= 2 && b_count <= 2 && (c_count == 4 || c_count == 2) {
            return some(end, by_order(a, b, Some((c, c_count))));
        }
        return fail(input);
    }
    let glue = |rest: In<'_>| rest.first().is_some_and(|next| next.glued && next.kind == Kind::Word);
    if glue(rest) {
        return fail(input);
    }
    let node = match (separator, a_count, b_count) {
        (_, 4, 1 | 2) if separator != '.' && (1..=12).contains(&b) && (1000..2999).contains(&a) => Some(year_month(a, b)),
        ('/' | '-', 1 | 2, 4) if (1..=12).contains(&a) && (1000..2999).contains(&b) => Some(year_month(b, a)),
        ('/', 1 | 2, 1 | 2) => by_order(a, b, None),
        (_, 1 | 2, 1 | 2) if loose => by_order(a, b, None),
        _ => None,
    };
    some(rest, node)
}

fn exists(year: i64, month: i64, day: i64) -> bool {
    let fields = (i32::try_from(year), small(month), small(day));
    matches!(fields, (Ok(year), Some(month), Some(day)) if chrono::NaiveDate::from_ymd_opt(year, month, day).is_some())
}

fn full_date(year: i64, month: i64, day: i64) -> Node {
    let year = i32::try_from(year).ok().map(Year::Full);
    Node::date(Fields { year, month: small(month), day: small(day), weekday: None, ..Fields::default() })
}

fn year_month(year: i64, month: i64) -> Node {
    Node::date(Fields { year: i32::try_from(year).ok().map(Year::Full), month: small(month), ..Fields::default() })
}

/// Month first, unless that is no date; where both orders are one, whoever resolves it chooses.
fn by_order(a: i64, b: i64, year: Option<(i64, u8)>) -> Option<Node> {
    let year = match year {
        Some((year, 4)) => Some(Year::Full(i32::try_from(year).ok()?)),
        Some((year, _)) => Some(Year::Short(i32::try_from(year).ok()?)),
        None => None,
    };
    let leap = match year {
        Some(Year::Full(year)) => year,
        Some(Year::Short(_)) | None => 2000,
    };
    let mut orders = [(a, b), (b, a)].into_iter().filter(|(month, day)| exists(i64::from(leap), *month, *day));
    let (month, day) = orders.next()?;
    let either_order = a != b && orders.next().is_some();
    Some(Node::date(Fields { year, month: small(month), day: small(day), weekday: None, either_order }))
}
