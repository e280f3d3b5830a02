//! English numbers: cardinals, ordinals and years, in digits and in words. Knows nothing of what they count.

use crate::time::expr::lang::parse::{
    In, Res, cardinal_word, digits, fail, is_glued, longest, mark, maybe, ordinal_word, some, token, word,
};
use crate::time::expr::symbol::Year;
use crate::time::expr::token::Case;

/// A cardinal: `14`, `fourteen`, `twenty-one`, `two hundred and five`.
pub(super) fn cardinal(input: In<'_>) -> Res<'_, i64> {
    if let Ok((rest, (value, count))) = digits(input)
        && (1..=9).contains(&count)
    {
        return Ok((rest, value));
    }
    spelled(input)
}

fn below_hundred(input: In<'_>) -> Res<'_, i64> {
    let (rest, first) = cardinal_word(input)?;
    if (20..100).contains(&first) {
        let (after, _) = maybe(mark("-"), rest);
        let (after, _) = if after.len() == rest.len() { maybe(word(&["and"]), rest) } else { (after, None) };
        if let Ok((end, ones)) = cardinal_word(after)
            && (1..10).contains(&ones)
        {
            return Ok((end, first + ones));
        }
        return Ok((rest, first));
    }
    if first < 20 { Ok((rest, first)) } else { fail(input) }
}

fn spelled(input: In<'_>) -> Res<'_, i64> {
    let (mut rest, mut value) = below_hundred(input)?;
    for power in [100, 1000] {
        let (after, word_value) = maybe(cardinal_word, rest);
        if word_value != Some(power) {
            continue;
        }
        rest = after;
        value *= power;
        let (after, _) = maybe(word(&["and"]), rest);
        if let Ok((end, more)) = below_hundred(after) {
            rest = end;
            value += more;
        }
    }
    Ok((rest, value))
}

/// An ordinal: `3rd`, `third`, `twenty-first`.
pub(super) fn ordinal(input: In<'_>) -> Res<'_, i64> {
    if let Ok((rest, (value, count))) = digits(input) {
        let suffix = word(&["st", "nd", "rd", "th"]);
        return if count <= 3 && is_glued(rest) { suffix(rest).map(|(rest, ())| (rest, value)) } else { fail(input) };
    }
    if let Ok((rest, value)) = ordinal_word(input) {
        return Ok((rest, value));
    }
    let (rest, tens) = cardinal_word(input)?;
    if !(20..100).contains(&tens) {
        return fail(input);
    }
    let (rest, _) = maybe(mark("-"), rest);
    let (rest, ones) = ordinal_word(rest)?;
    some(rest, (ones < 10).then_some(tens + ones))
}

/// A year of four digits, an apostrophe and two, or in words; with AD or BC.
pub(super) fn year(input: In<'_>) -> Res<'_, Year> {
    // "AD 79"
    if let Ok((rest, before)) = longest(&[capital_era, dotted_era], input)
        && let Ok((rest, (value, count))) = digits(rest)
    {
        let year = i32::try_from(value).ok().filter(|value| count <= 4 && *value > 0 && !before);
        return some(rest, year.map(Year::Full));
    }
    let (rest, year) = bare_year(input)?;
    if let (Ok((rest, before)), Year::Full(value)) = (longest(&[era, dotted_era], rest), year) {
        return Ok((rest, Year::Full(if before { 1 - value } else { value })));
    }
    Ok((rest, year))
}

/// `AD` where it can be no advertisement.
fn capital_era(input: In<'_>) -> Res<'_, bool> {
    token(|token| ((token.is("ad") || token.is("ce")) && token.case == Case::Upper).then_some(false))(input)
}

/// `AD` or `BC`; whether it is before.
pub(super) fn era(input: In<'_>) -> Res<'_, bool> {
    token(|token| match token.norm.as_ref() {
        "ad" | "ce" => Some(false),
        "bc" | "bce" => Some(true),
        _ => None,
    })(input)
}

/// `A.D.`, `B.C.`
pub(super) fn dotted_era(input: In<'_>) -> Res<'_, bool> {
    let (rest, (second, before)) = token(|token| match token.norm.as_ref() {
        "a" => Some(("d", false)),
        "b" => Some(("c", true)),
        _ => None,
    })(input)?;
    let (rest, _) = mark(".")(rest)?;
    let (rest, ()) = token(|token| token.is(second).then_some(()))(rest)?;
    Ok((maybe(mark("."), rest).0, before))
}

fn bare_year(input: In<'_>) -> Res<'_, Year> {
    if let Ok((rest, (value, count))) = digits(input) {
        let full = i32::try_from(value).ok().filter(|value| count == 4 && (1000..3000).contains(value));
        if let Some(full) = full {
            return Ok((rest, Year::Full(full)));
        }
        // "14 AD" has fewer.
        let dated = token(|token| matches!(token.norm.as_ref(), "ad" | "bc" | "ce" | "bce").then_some(()))(rest).is_ok()
            || matches!(rest, [first, dot, ..] if (first.is("a") || first.is("b")) && dot.is_mark('.'));
        return some(rest, i32::try_from(value).ok().filter(|_| dated && count < 4).map(Year::Full));
    }
    if let Ok((rest, _)) = mark("'")(input) {
        let (rest, (value, count)) = digits(rest)?;
        return some(rest, i32::try_from(value).ok().filter(|_| count == 2).map(Year::Short));
    }
    spelled_year(input)
}

fn spelled_year(input: In<'_>) -> Res<'_, Year> {
    let (rest, first) = below_hundred(input)?;
    let full = |rest, value: i64| some(rest, i32::try_from(value).ok().map(Year::Full));
    match first {
        2 => {
            let (rest, thousand) = cardinal_word(rest)?;
            if thousand != 1000 {
                return fail(input);
            }
            let (after, _) = maybe(word(&["and"]), rest);
            match below_hundred(after) {
                Ok((rest, more)) => full(rest, 2000 + more),
                Err(_) => full(rest, 2000),
            }
        }
        11..=20 => {
            if let Ok((after, 100)) = cardinal_word(rest) {
                let (joined, _) = maybe(word(&["and"]), after);
                return match below_hundred(joined) {
                    Ok((rest, more)) => full(rest, first * 100 + more),
                    Err(_) => full(after, first * 100),
                };
            }
            if let Ok((after, 0)) = cardinal_word(rest) {
                let (rest, ones) = cardinal_word(after)?;
                return if ones < 10 { full(rest, first * 100 + ones) } else { fail(input) };
            }
            let (rest, more) = below_hundred(rest)?;
            if more >= 10 { full(rest, first * 100 + more) } else { fail(input) }
        }
        _ => fail(input),
    }
}

/// The day of a month, as an ordinal or as a number that nothing makes another thing.
pub(super) fn day(input: In<'_>) -> Res<'_, u32> {
    if let Ok((rest, value)) = ordinal(input) {
        return some(rest, u32::try_from(value).ok().filter(|day| (1..=31).contains(day)));
    }
    let (rest, value) = cardinal(input)?;
    if let Ok((_, (_, count))) = digits(input)
        && count > 2
    {
        return fail(input);
    }
    // "10:30" and "3.5" are no days.
    let goes_on = matches!(rest, [mark, next, ..] if mark.glued && next.glued && next.number().is_some() && (mark.is_mark(':') || mark.is_mark('%')))
        || matches!(rest, [mark, ..] if mark.glued && mark.is_mark('%'));
    some(rest, u32::try_from(value).ok().filter(|day| (1..=31).contains(day) && !goes_on))
}
