//! English dates: calendar dates in words and in digits, weekdays, relative granules, and dates made of dates.
//! Knows nothing of times of day, ranges or durations.

use super::guard::is_noun;
use super::number::{cardinal, day, ordinal, year};
use super::phrase::shift_tail;
use super::wide::{century, decade, half_of, holiday_date, quarter, season_away, season_date, turn, week};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::digits::{loose_numeric, numeric};
use crate::time::expr::lang::parse::{
    In, Res, day_word, digits, digits_in, fail, is_glued, longest, mark, maybe, month, once, season, small, some, token, unit, weekday,
    which, word,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Fields, Node, Section, Which, Year};
use crate::time::expr::token::{Case, Kind, Token};

/// A date, the longest there is.
pub(super) fn date(input: In<'_>) -> Res<'_, Node> {
    once(0, any_date, input)
}

fn any_date(input: In<'_>) -> Res<'_, Node> {
    let (mut rest, mut node) = longest(
        &[
            nth_of,
            beside,
            listed_day,
            section,
            day_of_scope,
            named_day,
            numeric,
            month_date,
            weekday_date,
            relative,
            quarter,
            half_of,
            season_away,
            season_date,
            holiday_date,
            decade,
            century,
            turn,
            week,
            day_after,
            plain_year,
            the_weekend,
            that_name,
            unspecified,
            approximated,
        ],
        input,
    )?;
    for _ in 0..2 {
        match refined(rest, &node) {
            Some((after, more)) => (rest, node) = (after, more),
            None => break,
        }
    }
    Ok((rest, node))
}

/// `2004-06-XX`, `2004-XX-XX`: as EDTF writes a date of which the day or the month is not known.
fn unspecified(input: In<'_>) -> Res<'_, Node> {
    let (rest, full) = digits_in(1000, 2999, 4)(input)?;
    let year = i32::try_from(full).ok().map(Year::Full);
    let hidden = |input| -> Res<'_, ()> {
        let (rest, _) = mark("-")(input)?;
        let (end, ()) = token(|token| (token.is("xx") && token.glued).then_some(()))(rest)?;
        some(end, is_glued(input).then_some(()))
    };
    let ends = |rest: In<'_>| !matches!(rest, [next, ..] if next.glued && (next.kind == Kind::Word || next.is_mark('-')));
    if let Ok((rest, ())) = hidden(rest) {
        let (rest, _) = maybe(hidden, rest);
        return some(rest, ends(rest).then_some(Node::date(Fields { year, ..Fields::default() })));
    }
    let (rest, _) = mark("-")(rest)?;
    let (rest, month) = digits_in(1, 12, 2)(rest)?;
    let (rest, ()) = hidden(rest)?;
    some(rest, ends(rest).then_some(Node::date(Fields { year, month: small(month), ..Fields::default() })))
}

/// `2004-06~`: as EDTF writes what is approximate.
fn approximated(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = longest(&[numeric, year_alone], input)?;
    let digits = input.first().is_some_and(|token| token.number().is_some_and(|(_, count)| count == 4));
    let (end, _) = mark("~")(rest)?;
    let ends =
        !matches!(end.first(), Some(next) if next.glued && !matches!(next.kind, Kind::Mark('.' | ',' | ';' | ')' | '?' | '!' | '\n')));
    some(end, (digits && is_glued(rest) && ends).then(|| Node::Near(Box::new(node))))
}

/// "… of next week", "… last year", "… 2018", "… two weeks from now".
fn refined<'i>(rest: In<'i>, node: &Node) -> Option<(In<'i>, Node)> {
    let (after, _) = maybe(mark(","), rest);
    let (after, joined) = maybe(word(&["of", "in", "from", "on"]), after);
    if let Ok((end, scope)) = scope(after)
        && scope.grain() > node.grain()
        && !node.is_fixed()
        && !(scope.grain() == Grain::Week && matches!(node, Node::Date(Fields { month: Some(_), .. })))
    {
        return Some((end, node.clone().and(scope)));
    }
    // "next week Monday"
    if joined.is_none() && matches!(node, Node::This(Grain::Week | Grain::Month, _)) {
        let (inner, _) = maybe(word(&["'s"]), after);
        let (inner, _) = maybe(word(&["on"]), inner);
        if let Ok((end, name)) = weekday(inner)
            && matches!(node, Node::This(Grain::Week, _))
        {
            return Some((end, node.clone().and(Node::weekday(name))));
        }
    }
    if !node.is_fixed()
        && let Ok((end, shift)) = shift_tail(maybe(mark(","), rest).0)
        && !matches!(node, Node::Date(fields) if fields.month.is_some() && fields.day.is_some())
    {
        return Some((end, node.clone().and(shift)));
    }
    None
}

/// A granule that others lie in: a relative one, a month or a year.
fn scope(input: In<'_>) -> Res<'_, Node> {
    longest(&[relative_unit, definite_unit, relative_calendar, year_alone], input)
}

fn relative_calendar(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, which) = which(rest)?;
    let (rest, month) = month(rest)?;
    Ok((rest, Node::Rel(which, Box::new(Node::month(month)))))
}

fn year_alone(input: In<'_>) -> Res<'_, Node> {
    let (rest, year) = year(input)?;
    let ends = !matches!(rest.first(), Some(next) if next.is_mark(':') || next.glued && (next.is_mark('/') || next.is_mark('-')));
    some(rest, ends.then(|| Node::year(year)))
}

/// "the week", "the month": the one that holds the reference.
pub(super) fn definite_unit(input: In<'_>) -> Res<'_, Node> {
    let (after, ()) = word(&["the"])(input)?;
    let (rest, (grain, times)) = unit(after)?;
    let many = after.first().is_some_and(|token| token.norm.len() > 2 && token.norm.ends_with('s'));
    some(rest, (times == 1 && grain >= Grain::Day && !many).then_some(Node::This(grain, 0)))
}

fn the_weekend(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the", "that"]), input);
    let (rest, ()) =
        token(|token| (token.atoms.contains(&Atom::Unit(Grain::Weekend, 1)) && !token.norm.ends_with('s')).then_some(()))(rest)?;
    let (rest, after) = maybe(word(&["after"]), rest);
    if after.is_some() {
        let (rest, ()) = word(&["next"])(rest)?;
        return Ok((rest, Node::This(Grain::Weekend, 2)));
    }
    let (of, joined) = maybe(word(&["of"]), rest);
    if joined.is_some()
        && let Ok((end, node)) = longest(&[month_date, numeric, holiday_date, day_of_month], of)
        && node.grain() <= Grain::Day
    {
        return Ok((end, Node::WeekendOf(Box::new(node))));
    }
    Ok((rest, Node::Weekend))
}

/// "today", "the day before yesterday", "the day".
pub(super) fn named_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, offset) = day_word(rest)?;
    let (after, comma) = maybe(mark(","), rest);
    // "tomorrow, 13/04/21"
    if comma.is_some()
        && let Ok((end, node)) = longest(&[numeric, month_date], after)
        && matches!(node, Node::Date(Fields { day: Some(_), .. }))
    {
        return Ok((end, node));
    }
    if offset == 0 && matches!(rest, [one, ..] if one.is("'s")) && rest.get(1).is_some_and(|token| token.is("date")) {
        return Ok((rest.get(2..).unwrap_or_default(), Node::This(Grain::Day, 0)));
    }
    Ok((rest, Node::This(Grain::Day, offset)))
}

/// "this week", "next 3 months' …" is not here: one granule beside the reference.
pub(super) fn relative_unit(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, which) = which(rest)?;
    let (rest, _) = maybe(word(&["calendar", "working", "business"]), rest);
    let (rest, (grain, times)) = unit(rest)?;
    if input.get(input.len() - rest.len() - 1).is_some_and(|token| token.norm.starts_with("night")) {
        return fail(input);
    }
    let following = input.iter().take(2).any(|token| token.is("following"));
    if times != 1 || (grain <= Grain::Day && which == Which::This) || grain < Grain::Hour {
        return fail(input);
    }
    let offset = match which {
        Which::This => 0,
        Which::Next | Which::Coming | Which::Following => 1,
        Which::Last | Which::Past => -1,
    };
    // "the coming weeks": some of them, as "a few". "Last years trip" lacks but its apostrophe.
    let plural = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.norm.len() > 1 && token.norm.ends_with('s'));
    if plural && which != Which::This && grain >= Grain::Day && !rest.first().is_some_and(is_noun) {
        let forward = matches!(which, Which::Next | Which::Coming | Which::Following);
        let window = Node::Window { count: 3, grain, which: if forward { Which::Next } else { Which::Past } };
        return Ok((rest, if following { Node::Anaphora(Box::new(window)) } else { window }));
    }
    // "for the past year", "over the last month" may be windows, which read the same here.
    let node = match grain {
        Grain::Weekend => Node::Rel(which, Box::new(Node::Weekend)),
        _ => Node::This(grain, offset),
    };
    let node = if following || grain == Grain::Day { Node::Anaphora(Box::new(node)) } else { node };
    // "last week's Sunday", "next year's first quarter"
    if let Ok((after, ())) = word(&["'s"])(rest)
        && let Ok((end, inner)) = longest(&[weekday_node, nth_unit, month_node, season_node, holiday_date], after)
    {
        let inner = match inner {
            Node::Nth { n, count, unit, .. } => Node::Nth { n, count, unit, of: Box::new(node) },
            inner => node.and(inner),
        };
        return Ok((end, inner));
    }
    Ok((rest, node))
}

fn weekday_node(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = weekday(input)?;
    Ok((rest, Node::weekday(name)))
}

fn month_node(input: In<'_>) -> Res<'_, Node> {
    let (rest, month) = month(input)?;
    Ok((rest, Node::month(month)))
}

fn season_node(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = season(input)?;
    Ok((rest, Node::Season(name)))
}

fn nth_unit(input: In<'_>) -> Res<'_, Node> {
    let (rest, n) = ordinal(input)?;
    let (rest, (grain, _)) = unit(rest)?;
    Ok((rest, Node::Nth { n, count: 1, unit: Box::new(Node::This(grain, 0)), of: Box::new(Node::Now) }))
}

/// "next Friday", "last May", "this summer", "this coming weekend", "the week after next", "Friday after next".
fn relative(input: In<'_>) -> Res<'_, Node> {
    longest(&[relative_unit, relative_name, after_next, same_unit], input)
}

fn relative_name(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, which) = which(rest)?;
    let (rest, node) = longest(&[weekday_date, month_date, season_node, holiday_date, numeric, quarter], rest)?;
    // "next Friday, May 12" is that date; "next May 12" the next one.
    let node = match node {
        Node::Date(fields) if fields.year.is_some() => node,
        Node::Date(Fields { weekday: Some(_), month: Some(month), day, year, .. }) => {
            Node::Rel(Which::This, Box::new(Node::date(Fields { month: Some(month), day, year, ..Fields::default() })))
        }
        node => Node::Rel(which, Box::new(node)),
    };
    Ok((rest, node))
}

/// "the week after next", "March after next", "the month before last".
fn after_next(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let joined = |rest| -> Res<'_, i64> {
        let (rest, sign) = token(|token| if token.is("after") { Some(1) } else { token.is("before").then_some(-1) })(rest)?;
        let (rest, ()) = if sign > 0 { word(&["next"])(rest)? } else { word(&["last"])(rest)? };
        Ok((rest, sign * 2))
    };
    if let Ok((after, (grain, 1))) = unit(rest)
        && let Ok((end, offset)) = joined(after)
    {
        return Ok((end, Node::This(grain, offset)));
    }
    let (rest, node) = longest(&[weekday_node, month_node, season_node, holiday_date], rest)?;
    let (rest, offset) = joined(rest)?;
    Ok((rest, Node::Count(offset, Box::new(node), None)))
}

/// "that day", "the same week": what was spoken of.
fn same_unit(input: In<'_>) -> Res<'_, Node> {
    let (rest, the) = maybe(word(&["the"]), input);
    let (rest, same) = maybe(word(&["same"]), rest);
    let (rest, that) = if same.is_none() && the.is_none() { maybe(word(&["that"]), rest) } else { (rest, None) };
    if same.is_none() && that.is_none() {
        return fail(input);
    }
    let (rest, (grain, times)) = unit(rest)?;
    let singular = rest.len() < input.len() && input.get(input.len() - rest.len() - 1).is_some_and(|token| !token.norm.ends_with('s'));
    some(rest, (times == 1 && grain >= Grain::Day && singular).then(|| Node::Anaphora(Box::new(Node::This(grain, 0)))))
}

/// "that December", "that summer", "that Friday": of the year or the week that was spoken of.
fn that_name(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["that"])(input)?;
    let (rest, of) = longest(&[month_node, season_node, weekday_node, holiday_date], rest)?;
    // "that may be", "leaves that fall from the tree", "that sat there"
    let name = input.get(1).filter(|name| !name.is_capital()).map_or("", |name| name.norm.as_ref());
    let word = matches!(name, "may" | "march" | "mar" | "sat" | "sun" | "wed" | "fall" | "spring" | "mon");
    let ends = rest.first().is_none_or(|next| next.number().is_none() && (!word || matches!(next.kind, Kind::Mark(_))));
    some(rest, (ends && !of.is_fixed()).then(|| Node::Anaphora(Box::new(Node::Rel(Which::This, Box::new(of))))))
}

/// "the day after", "the week before": relative to what was spoken of, if nothing follows.
fn day_after(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["the"])(input)?;
    let (rest, (grain, times)) = unit(rest)?;
    let (rest, forward) = token(|token| if token.is("after") { Some(true) } else { token.is("before").then_some(false) })(rest)?;
    // A clause that follows says which day it is ("the day after we sank"), so only an end or "that" makes it the last one spoken of.
    let ends = rest.first().is_none_or(|next| matches!(next.kind, Kind::Mark(_)) || next.is("that") && ends_there(rest.get(1)));
    let rest = if rest.first().is_some_and(|next| next.is("that")) { rest.get(1..).unwrap_or_default() } else { rest };
    let offset = if forward { 1 } else { -1 };
    some(rest, (ends && times == 1 && grain >= Grain::Day).then(|| Node::Anaphora(Box::new(Node::This(grain, offset)))))
}

/// Whether nothing follows that "that" would belong to.
pub(super) fn ends_there(next: Option<&Token<'_>>) -> bool {
    next.is_none_or(|next| {
        matches!(next.kind, Kind::Mark(_))
            || ["i", "we", "he", "she", "they", "it", "you", "the", "and", "but", "was", "is"].iter().any(|word| next.is(word))
    })
}

/// "March 3rd, 2015", "the 3rd of March", "3 March", "March 2015", "2015-Mar-03", "March".
pub(super) fn month_date(input: In<'_>) -> Res<'_, Node> {
    longest(&[month_first, day_first, year_first], input)
}

fn separator(input: In<'_>) -> (In<'_>, Option<char>) {
    let (rest, found) = maybe(mark("/-.,"), input);
    match found {
        // A hyphen with spaces joins a range, not a date.
        Some('-') if !(is_glued(input) && is_glued(rest)) => (input, None),
        _ => (rest, found),
    }
}

fn trailing_year(rest: In<'_>, after: Option<char>, ordinal_day: bool) -> (In<'_>, Option<Year>) {
    let (mut next, found) = separator(rest);
    if let (Some('-' | '/'), Some(before)) = (found, after)
        && found != Some(before)
        && before != ','
        && before != ' '
    {
        return (rest, None);
    }
    let (more, comma) = maybe(mark(","), next);
    if comma.is_some() {
        next = more;
    }
    let (next, joined) = maybe(word(&["of", "in"]), next);
    if let Ok((end, found)) = year(next) {
        let clock = matches!(end, [colon, minutes, ..] if colon.is_mark(':') && minutes.number().is_some());
        let hyphen = matches!(end, [dash, more, ..] if dash.glued && dash.is_mark('-') && more.glued && more.number().is_some_and(|(_, count)| count <= 2))
            && after != Some('-');
        if !clock && !hyphen {
            return (end, Some(found));
        }
        return (rest, None);
    }
    // "3rd June 17"
    if let Ok((end, value)) = digits_in(0, 99, 2)(next)
        && (ordinal_day && found.is_none() || joined.is_some() || matches!(found, Some('-' | '/')) && found == after)
        && next.first().and_then(Token::number).is_some_and(|(_, count)| count == 2)
        && !matches!(end.first(), Some(after) if after.is_mark(':') || after.is_mark('-') || after.kind == Kind::Word || after.is_mark('/'))
    {
        return (end, i32::try_from(value).ok().map(Year::Short));
    }
    (rest, None)
}

fn month_first(input: In<'_>) -> Res<'_, Node> {
    let (rest, month) = month(input)?;
    let fields = Fields { month: Some(month), ..Fields::default() };
    let (rest, _) = if input.first().is_some_and(is_abbreviation) { maybe(mark("."), rest) } else { (rest, None) };
    let (after, found) = separator(rest);
    let (after, _) = maybe(word(&["the"]), after);
    let is_ordinal = ordinal(after).is_ok();
    let day_read = day(after).ok().filter(|(end, _)| {
        // "March 3pm", "May 5 people": not days.
        let unit =
            |next: &Token<'_>| next.glued && next.kind == Kind::Word || next.atoms.iter().any(|atom| matches!(atom, Atom::Meridian(_)));
        let bare = found != Some(',') && !end.first().is_some_and(unit);
        (is_ordinal || bare) && year(after).is_err() || found == Some('-')
    });
    if let Some((mut end, value)) = day_read {
        // "15th day of June" turned round: "June the 15th day"
        let (with_day, _) = maybe(word(&["day"]), end);
        if is_ordinal {
            end = with_day;
        }
        let (end, year) = trailing_year(end, found.or(Some(' ')), is_ordinal);
        return Ok((end, Node::date(Fields { day: Some(value), year, ..fields })));
    }
    // "March 2015", "Mar-2015", "March of '15"
    let (joined, _) = maybe(word(&["of", "in"]), after);
    if let Ok((end, found_year)) = year(joined) {
        let clock = matches!(end, [colon, minutes, ..] if colon.is_mark(':') && colon.glued && minutes.glued && minutes.number().is_some());
        // "September-2020-23"
        if found == Some('-')
            && let Ok((after_dash, _)) = mark("-")(end)
            && let Ok((end, value)) = digits_in(1, 31, 2)(after_dash)
            && is_glued(after_dash)
        {
            return Ok((end, Node::date(Fields { day: small(value), year: Some(found_year), ..fields })));
        }
        if !clock {
            return Ok((end, Node::date(Fields { year: Some(found_year), ..fields })));
        }
    }
    // "June of 92", but "March in 1 year"
    if joined.len() < after.len()
        && let Ok((end, value)) = digits_in(0, 99, 2)(joined)
        && joined.first().and_then(Token::number).is_some_and(|(_, count)| count == 2)
        && unit(end).is_err()
    {
        return Ok((end, Node::date(Fields { year: i32::try_from(value).ok().map(Year::Short), ..fields })));
    }
    Ok((rest, Node::date(fields)))
}

/// Whether a full stop may belong to the name of a month.
fn is_abbreviation(name: &Token<'_>) -> bool {
    name.norm.len() <= 4 && !["may", "june", "july"].iter().any(|word| name.is(word))
}

fn day_first(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let is_ordinal = ordinal(rest).is_ok();
    let (rest, value) = day(rest)?;
    let (rest, _) = if is_ordinal { maybe(word(&["day"]), rest) } else { (rest, None) };
    let (rest, found) = separator(rest);
    // "23-2020-September"
    if found == Some('-')
        && let Ok((after, full)) = digits_in(1000, 2999, 4)(rest)
        && let Ok((after, _)) = mark("-")(after)
        && let Ok((end, month)) = month(after)
    {
        let year = i32::try_from(full).ok().map(Year::Full);
        return Ok((end, Node::date(Fields { day: Some(value), month: Some(month), year, weekday: None, ..Fields::default() })));
    }
    // "She turns 30 in May": of the two only "the 30 in May" is a day.
    let (rest, joined) = maybe(token(|token| if token.is("in") { Some(true) } else { token.is("of").then_some(false) }), rest);
    if joined == Some(true) && !is_ordinal && !input.first().is_some_and(|token| token.is("the")) {
        return fail(input);
    }
    let (rest, month) = month(rest)?;
    let short = input.get(input.len() - rest.len() - 1).is_some_and(is_abbreviation);
    let (dotted, _) = if short { maybe(mark("."), rest) } else { (rest, None) };
    let (end, year) = trailing_year(dotted, found.or(Some(' ')), is_ordinal);
    let end = if year.is_none() { rest } else { end };
    Ok((end, Node::date(Fields { day: Some(value), month: Some(month), year, weekday: None, ..Fields::default() })))
}

fn year_first(input: In<'_>) -> Res<'_, Node> {
    let (rest, full) = digits_in(1000, 2999, 4)(input)?;
    let year = i32::try_from(full).ok().map(Year::Full);
    let (rest, found) = separator(rest);
    if let (Some('/' | '-'), Ok((after, value))) = (found, digits_in(1, 31, 2)(rest))
        && let Ok((after, _)) = mark("/-")(after)
        && let Ok((end, month)) = month(after)
    {
        return Ok((end, Node::date(Fields { day: small(value), month: Some(month), year, weekday: None, ..Fields::default() })));
    }
    let (rest, month) = month(rest)?;
    let fields = Fields { month: Some(month), year, ..Fields::default() };
    if let (Some('/' | '-'), Ok((after, _))) = (found, mark("/-")(rest))
        && let Ok((end, value)) = digits_in(1, 31, 2)(after)
    {
        return Ok((end, Node::date(Fields { day: small(value), ..fields })));
    }
    Ok((rest, Node::date(fields)))
}

/// "Friday", "Friday the 13th", "Friday 13", "Friday, March 13, 2015", "Mon 3/4".
pub(super) fn weekday_date(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, node)) = month_date(input)
        && matches!(node, Node::Date(Fields { day: Some(_), .. }))
    {
        let (after, opened) = maybe(mark("(,"), rest);
        if let (Ok((end, name)), Node::Date(fields)) = (weekday(after), node)
            && (opened.is_some() || matches!(fields, Fields { year: None, .. }))
        {
            let end = if opened == Some('(') { maybe(mark(")"), end).0 } else { end };
            return Ok((end, Node::date(Fields { weekday: Some(name), ..fields })));
        }
    }
    let (rest, name) = weekday(input)?;
    let (rest, _) = if input.first().is_some_and(|token| token.norm.len() <= 5) { maybe(mark("."), rest) } else { (rest, None) };
    let (after, found) = maybe(mark(",-("), rest);
    let (after, _) = maybe(word(&["the"]), after);
    let close = |end| if found == Some('(') { maybe(mark(")"), end).0 } else { end };
    for parser in [month_date, numeric, loose_numeric] {
        if let Ok((end, Node::Date(fields))) = parser(after)
            && fields.day.is_some()
        {
            return Ok((close(end), Node::date(Fields { weekday: Some(name), ..fields })));
        }
    }
    let is_ordinal = ordinal(after).is_ok();
    if let Ok((end, value)) = day(after)
        && (is_ordinal || found.is_none() && digits(after).is_ok())
        && !bare_number_goes_on(end, is_ordinal)
    {
        return Ok((close(end), Node::date(Fields { weekday: Some(name), day: Some(value), ..Fields::default() })));
    }
    Ok((rest, Node::weekday(name)))
}

/// Whether what follows a number makes it a time, a range or a count and no day.
pub(super) fn bare_number_goes_on(rest: In<'_>, is_ordinal: bool) -> bool {
    !is_ordinal
        && matches!(rest.first(), Some(next) if next.is_mark(':') || next.is_mark('-') || next.is_mark('/') || next.is_mark('.') && matches!(rest.get(1), Some(more) if more.glued)
            || next.is("to") || next.is("o") || next.is("oclock")
            || next.atoms.iter().any(|atom| matches!(atom, Atom::Meridian(_) | Atom::Unit(..)))
            || next.glued && next.kind == Kind::Word)
}

/// "the 20th of next month", "12 of this month", "the 14th day of the month", "the 9th this month".
fn day_of_scope(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let is_ordinal = ordinal(rest).is_ok();
    let (rest, value) = day(rest)?;
    let (rest, _) = if is_ordinal { maybe(word(&["day"]), rest) } else { (rest, None) };
    let (rest, joined) = maybe(word(&["of", "in"]), rest);
    let (rest, scope) = longest(&[relative_unit, definite_unit], rest)?;
    some(rest, (scope.grain() == Grain::Month && (joined.is_some() || is_ordinal)).then(|| scope.and(Node::day_of_month(value))))
}

/// "the 4th", "the 21st": a day of the month alone.
pub(super) fn day_of_month(input: In<'_>) -> Res<'_, Node> {
    let (rest, the) = maybe(word(&["the"]), input);
    let (end, value) = day(rest)?;
    let is_ordinal = ordinal(rest).is_ok();
    // "the 7 PM class"
    let hour = end.first().is_some_and(|next| next.atoms.iter().any(|atom| matches!(atom, Atom::Meridian(_))));
    if !is_ordinal && (the.is_none() || hour) {
        return fail(input);
    }
    let (end, _) = maybe(word(&["day"]), end);
    Ok((end, Node::day_of_month(value)))
}

/// "in 2019" and "the year 2019"; whether a bare number is a year at all is for the guards to say.
pub(super) fn plain_year(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(mark("="), input);
    let year_word =
        token(|token| (token.atoms.contains(&Atom::Unit(Grain::Year, 1)) || matches!(token.norm.as_ref(), "fy" | "sy")).then_some(()));
    let (after, the) = maybe(word(&["the"]), rest);
    let (rest, said) = maybe(&year_word, if the.is_some() && year_word(after).is_ok() { after } else { rest });
    // "fiscal 2023", whose year is left out.
    let (after, fiscal) = if said.is_none() { maybe(word(&["fiscal"]), rest) } else { (rest, None) };
    let (rest, said) = if fiscal.is_some() { (after, fiscal) } else { (rest, said) };
    if said.is_some()
        && let Ok((end, value)) = digits_in(0, 99, 2)(rest)
        && is_glued(rest)
    {
        return some(end, i32::try_from(value).ok().map(|value| Node::year(Year::Short(value))));
    }
    let (end, year) = year(rest)?;
    some(end, Some(Node::year(year)))
}

/// "the Sunday before Easter", "the Monday after Thanksgiving", "the weekend after next Friday".
fn beside(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["the"])(input)?;
    let (rest, unit) = longest(&[weekday_node, weekend_node, holiday_date], rest)?;
    let (rest, n) = token(|token| if token.is("after") { Some(1) } else { token.is("before").then_some(-1) })(rest)?;
    let (rest, base) = longest(&[holiday_date, month_date, numeric, named_day, relative, weekday_date], rest)?;
    some(rest, (base.grain() <= Grain::Weekend).then(|| Node::Count(n, Box::new(unit), Some(Box::new(base)))))
}

fn weekend_node(input: In<'_>) -> Res<'_, Node> {
    let (rest, (grain, _)) = unit(input)?;
    some(rest, (grain == Grain::Weekend).then_some(Node::Weekend))
}

/// "18" of "18 and 19 June", "5th" of "the 5th, 6th and 7th of May": a day whose month is said once for all.
fn listed_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (first, value) = day(rest)?;
    let mut rest = first;
    for _ in 0..4 {
        let (after, comma) = maybe(mark(",&"), rest);
        let (after, joined) = maybe(word(&["and", "or"]), after);
        if comma.is_none() && joined.is_none() || is_glued(after) {
            return fail(input);
        }
        let (after, _) = maybe(word(&["the"]), after);
        if let Ok((_, Node::Date(fields @ Fields { day: Some(last), month: Some(_), .. }))) = month_date(after)
            && after.first().is_some_and(|token| token.number().is_some())
        {
            return some(first, (last > value).then_some(Node::Date(Fields { day: Some(value), ..fields })));
        }
        (rest, _) = day(after)?;
    }
    fail(input)
}

/// "the first Monday of May", "the last week of May", "the third last day of May", "the first two weeks of 2021", "the last weekend in October".
fn nth_of(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, mut n) = ordinal(rest).or_else(|_| word(&["last"])(rest).map(|(rest, ())| (rest, -1)))?;
    // "the second last week"
    let (after, _) = maybe(word(&["to"]), maybe(mark("-"), rest).0);
    let (after, _) = maybe(mark("-"), after);
    let (rest, last) = match word(&["last"])(after) {
        Ok((after, ())) if n > 0 => (after, Some(())),
        _ => (rest, None),
    };
    if last.is_some() {
        n = -n;
    }
    let (after, count) = maybe(cardinal, rest);
    let count = count.filter(|count| (1..100).contains(count));
    let (rest, count) = if count.is_some() { (after, count.unwrap_or(1)) } else { (rest, 1) };
    let (rest, unit) = longest(&[unit_node, weekday_node, holiday_date], rest)?;
    let (rest, after) = token(|token| {
        if token.is("of") || token.is("in") || token.is("from") {
            Some(0)
        } else if token.is("after") {
            Some(1)
        } else {
            token.is("before").then_some(-1)
        }
    })(rest)?;
    if after != 0 {
        let (rest, base) = longest(&[month_date, holiday_date, numeric, plain_year, relative_unit, named_day], rest)?;
        return Ok((rest, Node::Count(after * n.abs(), Box::new(unit), Some(Box::new(base)))));
    }
    let (rest, of) =
        longest(&[month_date, relative_unit, definite_unit, relative_calendar, plain_year, quarter, the_bare_unit, century], rest)?;
    if of.grain() <= unit.grain() {
        return fail(input);
    }
    if count == 1 && matches!(unit, Node::This(Grain::Day, _)) && n > 0 && of.grain() == Grain::Month {
        return some(rest, small(n).filter(|day| (1..=31).contains(day)).map(|day| of.and(Node::day_of_month(day))));
    }
    let node = Node::Nth { n, count, unit: Box::new(unit), of: Box::new(of) };
    // "1st week of October on Friday"
    let (after, joined) = maybe(word(&["on"]), rest);
    if joined.is_some()
        && let Ok((end, name)) = weekday(after)
    {
        return Ok((end, node.and(Node::weekday(name))));
    }
    Ok((rest, node))
}

fn unit_node(input: In<'_>) -> Res<'_, Node> {
    let (rest, (grain, times)) = unit(input)?;
    some(rest, (times == 1).then(|| if grain == Grain::Weekend { Node::Weekend } else { Node::This(grain, 0) }))
}

fn the_bare_unit(input: In<'_>) -> Res<'_, Node> {
    let (rest, (grain, times)) = unit(input)?;
    some(rest, (times == 1 && grain >= Grain::Week).then_some(Node::This(grain, 0)))
}

/// "early March", "mid-2019", "the end of 2021", "later this year", "the rest of the week", "the middle of next month", "EOM".
pub(super) fn section(input: In<'_>) -> Res<'_, Node> {
    let short = |token: &Token<'_>| {
        Some(match token.norm.as_ref() {
            "eom" => (Section::End, Grain::Month),
            "bom" => (Section::Beginning, Grain::Month),
            "eoy" => (Section::End, Grain::Year),
            "boy" if token.case == Case::Upper => (Section::Beginning, Grain::Year),
            "eow" => (Section::End, Grain::Week),
            "eod" => (Section::Close, Grain::Day),
            _ => return None,
        })
    };
    let (plain, the) = maybe(word(&["the"]), input);
    // "boy" is a word, and "BOY" the beginning of the year.
    if let Ok((rest, (section, grain))) = token(short)(plain) {
        return Ok((rest, Node::Section(section, Box::new(Node::This(grain, 0)))));
    }
    if let Ok((rest, ())) = word(&["year", "month", "quarter", "week"])(plain)
        && let [to, date, ..] = rest
        && to.is("to")
        && date.is("date")
    {
        let (_, (grain, _)) = unit(plain)?;
        return Ok((rest.get(2..).unwrap_or_default(), Node::Section(Section::ToDate, Box::new(Node::This(grain, 0)))));
    }
    let (rest, name) = token(|token| {
        Some(match token.norm.as_ref() {
            "early" => Section::Early,
            "beginning" | "start" => Section::Beginning,
            "mid" => Section::Mid,
            "middle" => Section::Middle,
            "late" => Section::Late,
            "end" => Section::End,
            "earlier" => Section::Earlier,
            "later" => Section::Later,
            "rest" | "remainder" | "remaining" => Section::Rest,
            _ => return None,
        })
    })(plain)?;
    let (rest, _) = if name == Section::Mid { maybe(mark("-"), rest) } else { (rest, None) };
    let (rest, joined) = maybe(word(&["of", "in", "on"]), rest);
    let in_on = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.is("in") || token.is("on"));
    let noun = matches!(name, Section::Beginning | Section::Middle | Section::End | Section::Rest);
    if noun && in_on {
        return fail(input);
    }
    if noun && joined.is_none() && !matches!(name, Section::End | Section::Beginning) {
        return fail(input);
    }
    let (rest, _) = maybe(word(&["around", "about"]), rest);
    let (rest, of) = longest(
        &[
            month_date,
            relative_unit,
            definite_unit,
            relative_calendar,
            plain_year,
            decade,
            century,
            season_date,
            quarter,
            named_day,
            weekday_date,
            the_weekday,
            relative_name,
            the_bare_unit,
            the_day_unit,
            holiday_date,
        ],
        rest,
    )?;
    let bare = matches!(of, Node::This(Grain::Week | Grain::Month | Grain::Year | Grain::Quarter, 0)) && the_bare_unit(rest).is_ok();
    if bare && joined.is_none() || the.is_some() && !noun && matches!(name, Section::Earlier | Section::Later) {
        return fail(input);
    }
    let name = match (name, of.grain()) {
        (Section::End, Grain::Day) => Section::Close,
        (name, _) => name,
    };
    let of_a_day = matches!(name, Section::Close)
        || matches!(name, Section::Early | Section::Late | Section::Later | Section::Earlier) && matches!(of, Node::This(..));
    if of.grain() < Grain::Day || of.grain() == Grain::Day && !of_a_day {
        return fail(input);
    }
    Ok((rest, Node::Section(name, Box::new(of))))
}

fn the_day_unit(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["day"])(input)?;
    Ok((rest, Node::This(Grain::Day, 0)))
}

fn the_weekday(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["the"])(input)?;
    weekday_date(rest)
}
