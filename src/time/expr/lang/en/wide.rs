//! English granules wider than a day that are no month: weeks, quarters, halves, seasons, decades and centuries; and holidays.
//! Knows nothing of times of day, ranges or durations.

use super::date::{bare_number_goes_on, day_of_month, definite_unit, month_date, named_day, plain_year, relative_unit, weekday_date};
use super::number::{cardinal, ordinal, year};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::digits::numeric;
use crate::time::expr::lang::parse::{
    In, Res, digits, digits_in, fail, holiday, is_glued, longest, mark, maybe, season, small, some, token, which, word,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Node, Section, Which, Year};
use crate::time::expr::token::Kind;

/// "Q1 2019", "2019-Q1", "the first quarter of 2019", "2019-H2", "the second half of 2018".
pub(super) fn quarter(input: In<'_>) -> Res<'_, Node> {
    let letter = |input| -> Res<'_, Node> {
        let (rest, quarter) = token(|token| if token.is("q") { Some(true) } else { token.is("h").then_some(false) })(input)?;
        if !is_glued(rest) {
            return fail(input);
        }
        let (rest, n) = digits_in(1, if quarter { 4 } else { 2 }, 1)(rest)?;
        some(rest, small(n).map(|n| if quarter { Node::Quarter(n) } else { Node::Half(n) }))
    };
    let words = |input| -> Res<'_, Node> {
        let (rest, n) = ordinal(input)?;
        let (rest, quarter) = token(|token| match token.atoms.first() {
            Some(Atom::Unit(Grain::Quarter, 1)) => Some(true),
            _ => (token.is("half")).then_some(false),
        })(rest)?;
        let node = small(n).filter(|n| *n >= 1 && *n <= if quarter { 4 } else { 2 });
        some(rest, node.map(|n| if quarter { Node::Quarter(n) } else { Node::Half(n) }))
    };
    let full = |input| -> Res<'_, Year> {
        let (rest, (value, count)) = digits(input)?;
        let value = i32::try_from(value).ok();
        some(
            rest,
            value.and_then(|value| match count {
                4 => Some(Year::Full(value)),
                2 if is_glued(rest) => Some(Year::Short(value)),
                _ => None,
            }),
        )
    };
    // "FY2023 Q3"
    if let Ok((rest, year)) = fiscal_year(input) {
        let (rest, node) = letter(rest).or_else(|_| words(rest))?;
        return Ok((rest, year.and(node)));
    }
    if let Ok((rest, year)) = full(input) {
        let (rest, _) = maybe(mark("-"), rest);
        let (rest, node) = letter(rest).or_else(|_| words(rest))?;
        return Ok((rest, Node::year(year).and(node)));
    }
    let (rest, node) = letter(input).or_else(|_| words(input))?;
    let half_of_nothing = matches!(node, Node::Half(_));
    let (after, found) = maybe(mark("-/,"), rest);
    let (after, joined) = maybe(word(&["of", "in"]), after);
    if let Ok((end, year)) = fiscal_year(after) {
        return Ok((end, year.and(node)));
    }
    if let Ok((end, year)) = year(after)
        && (found.is_none() || found == Some(',') || is_glued(after))
    {
        return Ok((end, Node::year(year).and(node)));
    }
    if joined.is_some()
        && let Ok((end, scope)) = longest(&[relative_unit, definite_unit], after)
        && scope.grain() == Grain::Year
    {
        return Ok((end, scope.and(node)));
    }
    if half_of_nothing && input.first().is_none_or(|token| !token.is("h")) { fail(input) } else { Ok((rest, node)) }
}

/// "FY2023", "fiscal 2023", "the fiscal year 2023", beside a part of it.
fn fiscal_year(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let said = rest.first().is_some_and(|token| token.is("fy") || token.norm.starts_with("fiscal"));
    if said { plain_year(rest) } else { fail(input) }
}

/// "the turn of the century", "the turn of the 20th century": about its first year.
pub(super) fn turn(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, ()) = word(&["turn"])(rest)?;
    let (rest, ()) = word(&["of"])(rest)?;
    let (rest, ()) = word(&["the"])(rest)?;
    let begun = token(|token| match token.norm.as_ref() {
        "century" => Some(Node::This(Grain::Century, 0)),
        // The one that most who live have seen.
        "millennium" | "millenium" => Some(Node::Years(2000, 100)),
        _ => None,
    });
    let (rest, of) = begun(rest).or_else(|_| century(rest))?;
    let first = Node::Nth { n: 1, count: 1, unit: Box::new(Node::This(Grain::Year, 0)), of: Box::new(of) };
    Ok((rest, Node::Near(Box::new(first))))
}

/// "the first half of May 2021", "the 2nd half of the 19th century", "the first half of next week".
pub(super) fn half_of(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, n) = ordinal(rest)?;
    let (rest, ()) = word(&["half"])(rest)?;
    let (rest, ()) = word(&["of"])(rest)?;
    let (rest, of) = longest(&[month_date, century, decade, relative_unit], rest)?;
    let section = match n {
        1 => Section::FirstHalf,
        2 => Section::SecondHalf,
        _ => return fail(input),
    };
    some(rest, (of.grain() >= Grain::Week && of.grain() != Grain::Year).then(|| Node::Section(section, Box::new(of))))
}

/// "this season", "next season": a quarter of the year by its weather.
pub(super) fn season_away(input: In<'_>) -> Res<'_, Node> {
    let (rest, which) = which(input)?;
    let (rest, ()) = word(&["season"])(rest)?;
    Ok((
        rest,
        Node::SeasonAway(match which {
            Which::This => 0,
            Which::Next | Which::Coming | Which::Following => 1,
            Which::Last | Which::Past => -1,
        }),
    ))
}

/// "summer", "the summer of 2015", "summer '15".
pub(super) fn season_date(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, name) = season(rest)?;
    let (after, _) = maybe(word(&["of", "in"]), rest);
    if let Ok((end, first)) = year(after) {
        // "winter 2017/18" begins in the first of the two.
        let second = mark("/-")(end).and_then(|(next, _)| digits(next));
        if let (Year::Full(first), Ok((both, (second, count)))) = (first, second)
            && matches!((second - i64::from(first), count), (1, 4)) | (second == i64::from((first + 1) % 100) && count == 2)
        {
            // The one that ends in the second.
            return Ok((both, Node::year(Year::Full(first + 1)).and(Node::Season(name))));
        }
        return Ok((end, Node::year(first).and(Node::Season(name))));
    }
    Ok((rest, Node::Season(name)))
}

/// "Christmas", "Christmas 2015", "Memorial Day weekend", "Memorial Day 2018 weekend".
pub(super) fn holiday_date(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, index) = holiday(rest)?;
    let weekend = |input| token(|token| token.atoms.contains(&Atom::Unit(Grain::Weekend, 1)).then_some(()))(input);
    let (rest, early) = maybe(weekend, rest);
    let (after, _) = maybe(mark(","), rest);
    let (after, _) = maybe(word(&["of", "in"]), after);
    let (mut rest, mut node) = match year(after) {
        Ok((end, year)) => (end, Node::year(year).and(Node::Holiday(index))),
        Err(_) => (rest, Node::Holiday(index)),
    };
    let mut of_weekend = early.is_some();
    if !of_weekend && let Ok((end, ())) = weekend(rest) {
        (rest, of_weekend) = (end, true);
    }
    if of_weekend {
        node = Node::WeekendOf(Box::new(node));
    }
    Ok((rest, node))
}

/// "the 1990s", "the 90s", "'90s", "the nineties", "the mid-80s".
pub(super) fn decade(input: In<'_>) -> Res<'_, Node> {
    let (rest, the) = maybe(word(&["the"]), input);
    let words = |input| {
        token(|token| match token.norm.as_ref() {
            "twenties" => Some(20),
            "thirties" => Some(30),
            "forties" => Some(40),
            "fifties" => Some(50),
            "sixties" => Some(60),
            "seventies" => Some(70),
            "eighties" => Some(80),
            "nineties" => Some(90),
            _ => None,
        })(input)
    };
    if let Ok((rest, digits)) = words(rest) {
        return Ok((rest, Node::ShortDecade(digits)));
    }
    // "nineteen nineties"
    if let Ok((after, hundreds)) = cardinal(rest)
        && (15..=20).contains(&hundreds)
        && let Ok((end, tens)) = words(after)
    {
        return some(end, i32::try_from(hundreds).ok().map(|hundreds| Node::Years(hundreds * 100 + tens, 10)));
    }
    let (rest, quoted) = maybe(mark("'"), rest);
    let (after, (value, count)) = digits(rest)?;
    // "199X"
    if let Ok((end, ())) = token(|token| (token.is("x") && token.glued && token.is_capital()).then_some(()))(after)
        && count == 3
        && (100..210).contains(&value)
        && !matches!(end.first(), Some(next) if next.glued && (next.kind == Kind::Word || next.number().is_some()))
    {
        return some(end, i32::try_from(value).ok().map(|value| Node::Years(value * 10, 10)));
    }
    // "19XX"
    if let Ok((end, ())) = token(|token| (token.is("xx") && token.glued && token.is_capital()).then_some(()))(after)
        && count == 2
        && (10..22).contains(&value)
        && !matches!(end.first(), Some(next) if next.glued && (next.kind == Kind::Word || next.number().is_some() || next.is_mark('-')))
    {
        return some(end, i32::try_from(value).ok().map(|value| Node::Years(value * 100, 100)));
    }
    let (after, _) = if is_glued(after) { maybe(mark("'"), after) } else { (after, None) };
    let (end, suffix) = token(|token| (token.is("s") || token.is("'s")).then_some(token.glued))(after)?;
    let value = i32::try_from(value).ok().filter(|value| value.rem_euclid(10) == 0);
    let node = match (value, count) {
        (Some(value), 4) if (1000..2990).contains(&value) => {
            Some(Node::Years(value, if value % 100 == 0 && value < 2000 { 100 } else { 10 }))
        }
        (Some(value), 2) if (the.is_some() || quoted.is_some() || value >= 20) && (suffix || value >= 60) => Some(Node::ShortDecade(value)),
        _ => None,
    };
    some(end, node)
}

/// "the 15th century", "the fifth century BC".
pub(super) fn century(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, n) = ordinal(rest)?;
    let (rest, _) = maybe(mark("-"), rest);
    let (rest, ()) = word(&["century"])(rest)?;
    let (rest, era) = maybe(|input| longest(&[super::number::era, super::number::dotted_era], input), rest);
    // The first century BC ends with 1 BC, which is the year 0.
    let first = |n: i32| if era == Some(true) { 1 - n * 100 } else { (n - 1) * 100 };
    some(rest, i32::try_from(n).ok().filter(|n| (1..=30).contains(n)).map(|n| Node::Years(first(n), 100)))
}

/// "week 12", "week 12 of 2019", "the week of June 3rd", "the week beginning May 6", "2019-W12", "2019-W12-3".
pub(super) fn week(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, full)) = digits_in(1000, 2999, 4)(input)
        && let Ok((rest, _)) = mark("-")(rest)
        && let Ok((rest, ())) = word(&["w"])(rest)
        && let Ok((rest, n)) = digits_in(1, 53, 2)(rest)
    {
        let year = i32::try_from(full).ok().map(|year| Node::year(Year::Full(year)));
        let node = year.zip(small(n)).map(|(year, n)| year.and(Node::Week(n)));
        // "2020-W53-5" is the Friday of that week.
        let (after, dash) = maybe(mark("-"), rest);
        if let (Some(_), true, Ok((end, day))) = (dash, is_glued(after), digits_in(1, 7, 1)(after)) {
            let day = u8::try_from(day).ok().map(Node::weekday);
            return some(end, node.zip(day).map(|(week, day)| week.and(day)));
        }
        return some(rest, node);
    }
    // "w/c May 6"
    if let [w, slash, c, ..] = input
        && w.is("w")
        && slash.is_mark('/')
        && c.is("c")
        && let Ok((end, node)) = longest(&[month_date, numeric, weekday_date, day_of_month], input.get(3..).unwrap_or_default())
    {
        return Ok((end, Node::WeekOf(Box::new(node))));
    }
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, ()) = word(&["week", "wk"])(rest)?;
    let (numbered, _) = maybe(word(&["number", "no"]), rest);
    if let Ok((end, n)) = digits_in(1, 53, 2)(numbered)
        && !bare_number_goes_on(end, false)
    {
        let (after, _) = maybe(mark(","), end);
        let (after, joined) = maybe(word(&["of", "in"]), after);
        let node = Node::Week(small(n).unwrap_or(1));
        if let Ok((end, year)) = year(after) {
            return Ok((end, Node::year(year).and(node)));
        }
        if joined.is_some()
            && let Ok((end, scope)) = relative_unit(after)
        {
            return Ok((end, scope.and(node)));
        }
        return Ok((end, Node::This(Grain::Year, 0).and(node)));
    }
    let (rest, joined) = maybe(word(&["of", "beginning", "starting", "commencing", "containing"]), rest);
    if joined.is_none() {
        return fail(input);
    }
    let (rest, _) = maybe(word(&["on", "with"]), rest);
    let (rest, node) = longest(&[month_date, numeric, weekday_date, holiday_date, day_of_month, named_day], rest)?;
    some(rest, (node.grain() <= Grain::Day).then(|| Node::WeekOf(Box::new(node))))
}
