//! English durations, shifts, ranges, open stretches and recurring sets. Knows nothing of how dates are spelled.

use super::date::{date, day_of_month, ends_there, month_date};
use super::number::cardinal;
use super::time::{approximate, date_time, part_of_a_day, time};
use super::wide::holiday_date;
use crate::time::expr::calendar::Grain;
use crate::time::expr::holiday;
use crate::time::expr::lang::parse::{
    In, Res, day_word, digits, fail, is_glued, longest, mark, maybe, once, season, some, token, unit, weekday, which, word,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Bound, Fields, Length, Node, SeasonName, Which, boundary, open as open_of};
use crate::time::expr::token::{Kind, Token};

/// A point in time: a date, a time, both, or something so long before or after.
pub(super) fn point(input: In<'_>) -> Res<'_, Node> {
    once(3, any_point, input)
}

fn any_point(input: In<'_>) -> Res<'_, Node> {
    let (rest, about) = maybe(approximate, input);
    let (rest, node) = longest(&[date_time, date, part_of_a_day, time, shift, now, day_of_month], rest)?;
    Ok((rest, if about.is_some() && !matches!(node, Node::Near(_)) { Node::Near(Box::new(node)) } else { node }))
}

pub(super) fn now(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["right", "just"]), input);
    if let Ok((rest, ())) = word(&["now"])(rest) {
        return Ok((rest, Node::Now));
    }
    if let Ok((rest, ())) = word(&["asap"])(input) {
        return Ok((rest, open_of(Bound::Since, Node::Now)));
    }
    let phrases: [&[&str]; 5] = [
        &["at", "the", "moment"],
        &["at", "the", "present", "time"],
        &["at", "present"],
        &["current", "date"],
        &["as", "soon", "as", "possible"],
    ];
    for (index, phrase) in phrases.iter().enumerate() {
        if phrase.iter().zip(input).filter(|(word, token)| token.is(word)).count() == phrase.len() {
            let node = match index {
                3 => Node::This(Grain::Day, 0),
                4 => open_of(Bound::Since, Node::Now),
                _ => Node::Now,
            };
            return Ok((input.get(phrase.len()..).unwrap_or_default(), node));
        }
    }
    fail(input)
}

/// How many, in thousandths: `3`, `three`, `2.5`, `a`, `an`, `half an`, `a couple of`, `a few`, `½`, `one and a half`.
fn quantity(input: In<'_>) -> Res<'_, i64> {
    if let Ok((rest, half)) = fraction(input) {
        return Ok((rest, half));
    }
    let (plain, _) = maybe(word(&["a", "about", "around", "approximately"]), input);
    for (words, count) in
        [(&["couple"][..], 2), (&["pair"][..], 2), (&["few"][..], 3), (&["several"][..], 3), (&["some"][..], 3), (&["dozen"][..], 12)]
    {
        if plain.first().is_some_and(|token| words.iter().any(|word| token.is(word))) {
            let (rest, _) = maybe(word(&["of"]), plain.get(1..).unwrap_or_default());
            return Ok((rest, count * 1000));
        }
    }
    if let Ok((rest, ())) = word(&["a", "an", "another"])(input)
        && !matches!(rest.first(), Some(next) if next.number().is_some())
    {
        return Ok((rest, 1000));
    }
    let (about, _) = maybe(word(&["about", "around", "approximately"]), input);
    let (rest, whole) = cardinal(about)?;
    if let [dot, _, ..] = rest
        && dot.glued
        && dot.is_mark('.')
        && let Ok((after, (value, count))) = digits(rest.get(1..).unwrap_or_default())
        && is_glued(rest.get(1..).unwrap_or_default())
    {
        let scale = 10_i64.checked_pow(u32::from(count));
        let part = scale.map(|scale| value.saturating_mul(1000) / scale);
        return some(after, part.and_then(|part| whole.checked_mul(1000)?.checked_add(part)));
    }
    let thousandths = whole.checked_mul(1000);
    // "one and a half hours", "2 and an half hours"
    if let Ok((after, ())) = word(&["and"])(rest) {
        let (after, _) = maybe(word(&["a", "an"]), after);
        let more = token(|token| match token.norm.as_ref() {
            "half" => Some(500),
            "quarter" => Some(250),
            _ => None,
        });
        if let Ok((end, part)) = more(after)
            && unit(end).is_ok()
        {
            return some(end, thousandths.map(|thousandths| thousandths + part));
        }
    }
    let (rest, _) = maybe(word(&["more"]), rest);
    some(rest, thousandths)
}

/// `half a`, `a quarter of an`, `three quarters of an`, `1/2`, `½`.
fn fraction(input: In<'_>) -> Res<'_, i64> {
    let marks = token(|token| match token.kind {
        Kind::Mark('½') => Some(500),
        Kind::Mark('¼') => Some(250),
        Kind::Mark('¾') => Some(750),
        _ => None,
    });
    if let Ok(read) = marks(input) {
        return Ok(read);
    }
    if let Ok((rest, (over, 1))) = digits(input)
        && let Ok((rest, _)) = mark("/")(rest)
        && is_glued(rest)
        && let Ok((rest, (under, 1))) = digits(rest)
        && over < under
        && matches!(under, 2 | 4)
    {
        return Ok((rest, over * 1000 / under));
    }
    let article = |rest| {
        let (rest, _) = maybe(word(&["of"]), rest);
        maybe(word(&["a", "an"]), rest).0
    };
    let (rest, _) = maybe(word(&["a", "about"]), input);
    if let Ok((rest, ())) = word(&["half"])(rest) {
        return Ok((article(rest), 500));
    }
    if let Ok((after, ())) = word(&["quarter"])(rest) {
        let (rest, joined) = maybe(word(&["of"]), after);
        let (rest, article) = maybe(word(&["a", "an"]), rest);
        return some(rest, (joined.is_some() || article.is_some()).then_some(250));
    }
    let (rest, n) = cardinal(input)?;
    let (rest, _) = maybe(mark("-"), rest);
    let (rest, ()) = word(&["quarters"])(rest)?;
    let (after, joined) = maybe(word(&["of"]), rest);
    some(article(after), (n == 3 && joined.is_some()).then_some(750))
}

/// One length: `three weeks`, `30'`, `1/2h`.
fn simple_length(input: In<'_>) -> Res<'_, Length> {
    let (rest, thousandths) = quantity(input)?;
    let (rest, hyphen) = if is_glued(rest) { maybe(mark("-"), rest) } else { (rest, None) };
    let digits_before = input.first().is_some_and(|token| token.number().is_some());
    if digits_before
        && let Ok((after, quote)) = mark("'\"")(rest)
        && is_glued(rest)
        && !is_glued(after)
    {
        let grain = if quote == '"' { Grain::Second } else { Grain::Minute };
        return some(after, Length::of(thousandths, grain));
    }
    let (rest, _) = maybe(word(&["full", "whole", "more", "whopping"]), rest);
    // "1950s" is a decade.
    let decade =
        digits_before && rest.first().is_some_and(|token| token.glued && token.is("s")) && (1_000_000..2_200_000).contains(&thousandths);
    if decade {
        return fail(input);
    }
    let single_letter = rest.first().is_some_and(|token| token.norm.len() == 1);
    // "2024-W01" is a week of the calendar.
    if single_letter && hyphen.is_some() && rest.get(1).is_some_and(|next| next.glued && next.number().is_some()) {
        return fail(input);
    }
    let after_digits = digits_before && (is_glued(rest) || rest.first().is_some_and(|token| token.is("h")));
    if single_letter && !after_digits {
        return fail(input);
    }
    let (rest, (grain, times)) = unit(rest)?;
    // "a second time", "one second" and ordinals are for the guards.
    let length = thousandths.checked_mul(times).and_then(|thousandths| Length::of(thousandths, grain));
    // "two years and a quarter"
    if let Ok((after, ())) = word(&["and"])(rest)
        && let Ok((after, ())) = word(&["a"])(after)
        && let Ok((end, more)) = token(|token| if token.is("half") { Some(500) } else { token.is("quarter").then_some(250) })(after)
        && unit(end).is_err()
    {
        let more = Length::of(more, grain);
        return some(end, length.zip(more).and_then(|(length, more)| length.plus(more)));
    }
    some(rest, length)
}

/// A length of time: `3 hours 30 minutes`, `2 weeks and 2 days`, `an hour and a half`.
pub(super) fn length(input: In<'_>) -> Res<'_, Length> {
    let (rest, node) = once(5, |input| any_length(input).map(|(rest, length)| (rest, Node::Length(length))), input)?;
    let length = if let Node::Length(length) = node { Some(length) } else { None };
    some(rest, length)
}

fn any_length(input: In<'_>) -> Res<'_, Length> {
    let (mut rest, mut total) = simple_length(input)?;
    for _ in 0..4 {
        let (after, _) = maybe(mark(","), rest);
        let (after, _) = maybe(word(&["and"]), after);
        let Ok((end, more)) = simple_length(after) else { break };
        let starts_number = after.first().is_some_and(|token| {
            token.number().is_some()
                || token.atoms.iter().any(|atom| matches!(atom, Atom::Cardinal(_)))
                || token.is("a")
                || token.is("an")
                || token.is("half")
        });
        let Some(sum) = total.plus(more).filter(|_| more.grain < total.grain && starts_number) else { break };
        (rest, total) = (end, sum);
    }
    Ok((rest, total))
}

/// "ago", "from now", "later", "hence"…: what makes a length a point.
fn direction(input: In<'_>) -> Res<'_, (bool, bool)> {
    if let Ok((rest, ())) = word(&["ago"])(input) {
        return Ok((rest, (false, false)));
    }
    if let Ok((rest, ())) = word(&["hence"])(input) {
        return Ok((rest, (true, false)));
    }
    if let Ok((rest, ())) = word(&["later"])(input)
        && !matches!(rest.first(), Some(next) if next.is("this") || next.is("today") || next.is("than") || next.is("that"))
    {
        return Ok((rest, (true, true)));
    }
    // "Two years earlier he had left", but "earlier than", "earlier this week".
    if let Ok((rest, ())) = word(&["earlier"])(input)
        && !rest
            .first()
            .is_some_and(|next| ["than", "this", "today", "that", "in", "last", "next", "on", "or"].iter().any(|word| next.is(word)))
    {
        return Ok((rest, (false, true)));
    }
    if let Ok((rest, ())) = word(&["before", "prior"])(input)
        && rest.first().is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
    {
        return Ok((rest, (false, true)));
    }
    // "four days after that", "a year before that"
    if let Ok((rest, forward)) = token(|token| if token.is("after") { Some(true) } else { token.is("before").then_some(false) })(input)
        && let Ok((rest, ())) = word(&["that"])(rest)
        && ends_there(rest.first())
    {
        return Ok((rest, (forward, true)));
    }
    // "Five years on, …"
    if let Ok((rest, ())) = word(&["on"])(input)
        && rest.first().is_some_and(|next| next.is_mark(','))
    {
        return Ok((rest, (true, true)));
    }
    if let Ok((rest, ())) = word(&["back"])(input) {
        return Ok((rest, (false, false)));
    }
    let (rest, ()) = word(&["from", "after"])(input)?;
    let (rest, _) = maybe(word(&["right"]), rest);
    let (rest, ()) = word(&["now"])(rest)?;
    Ok((rest, (true, false)))
}

/// "two weeks ago", "in three days", "a year from now" as what follows a date: "Friday five weeks from now".
pub(super) fn shift_tail(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["in"])(input) {
        let (rest, length) = length(rest)?;
        return Ok((rest, Node::Shift { length, forward: true, base: None }));
    }
    let (rest, length) = length(input)?;
    let (rest, (forward, _)) = direction(rest)?;
    Ok((rest, Node::Shift { length, forward, base: None }))
}

/// Something so long before or after the reference, what was spoken of, or a date.
pub(super) fn shift(input: In<'_>) -> Res<'_, Node> {
    once(4, any_shift, input)
}

fn any_shift(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = longest(
        &[in_length, length_direction, length_from, weekdays_from, closest, ago_today, ago_this, weekday_shift, week_on, day_week, lately],
        input,
    )?;
    // "in 6 days on Sunday"
    if let (Node::Shift { .. }, Ok((after, ()))) = (&node, word(&["on"])(rest))
        && let Ok((end, name)) = weekday(after)
    {
        return Ok((end, Node::weekday(name).and(node)));
    }
    Ok((rest, node))
}

/// "Monday 2 weeks after May 20th".
fn weekday_shift(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = weekday(input)?;
    let (rest, node) = length_from(maybe(mark(","), rest).0)?;
    Ok((rest, Node::weekday(name).and(node)))
}

/// "a week on Monday", "a fortnight on Tuesday": so long after the one to come.
fn week_on(input: In<'_>) -> Res<'_, Node> {
    let (rest, length) = length(input)?;
    let (rest, ()) = word(&["on"])(rest)?;
    let (rest, name) = weekday(rest)?;
    let weeks = length.grain == Grain::Week || length.grain == Grain::Fortnight;
    let counts = input.first().is_some_and(|token| token.is("a") || token.is("one"));
    some(rest, (weeks && counts).then(|| Node::Shift { length, forward: true, base: Some(Box::new(Node::weekday(name))) }))
}

/// "Monday week", "tomorrow week", "Tuesday fortnight".
fn day_week(input: In<'_>) -> Res<'_, Node> {
    let (rest, (base, forward)) = match day_word(input) {
        Ok((rest, offset)) => (rest, (Node::This(Grain::Day, offset), offset >= 0)),
        Err(_) => weekday(input).map(|(rest, name)| (rest, (Node::weekday(name), true)))?,
    };
    let (rest, grain) =
        token(|token| if token.is("week") { Some(Grain::Week) } else { token.is("fortnight").then_some(Grain::Fortnight) })(rest)?;
    // "Monday week 3", "tomorrow week-long"
    let ends = (ends_there(rest.first()) || rest.first().is_some_and(|next| next.is("at")))
        && !rest.first().is_some_and(|next| next.is_mark('-') || next.is_mark('\''));
    let length = Length::of(1000, grain).filter(|_| ends);
    some(rest, length.map(|length| Node::Shift { length, forward, base: Some(Box::new(base)) }))
}

/// "the other day", "a moment ago": some time not long before.
fn lately(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["the"])(input)
        && let Ok((rest, ())) = word(&["other"])(rest)
    {
        let (rest, unit) = token(|token| match token.norm.as_ref() {
            "day" | "night" | "evening" | "morning" | "afternoon" => Some(Grain::Day),
            "week" => Some(Grain::Week),
            _ => None,
        })(rest)?;
        let days = if unit == Grain::Day { 7 } else { 28 };
        return some(rest, Length::of(days * 1000, Grain::Day).map(Node::Lately));
    }
    let (rest, ()) = word(&["a"])(input)?;
    let (rest, ()) = word(&["moment"])(rest)?;
    let (rest, ()) = word(&["ago"])(rest)?;
    some(rest, Length::of(5000, Grain::Minute).map(Node::Lately))
}

/// "in two weeks", "in a fortnight's time".
fn in_length(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["in"])(input)?;
    // "in the next two weeks" is a window.
    let (rest, length) = length(rest)?;
    let (after, since) = maybe(word(&["since"]), rest);
    if since.is_some() {
        let (end, base) = base(after)?;
        return Ok((end, Node::Shift { length, forward: true, base: Some(Box::new(base)) }));
    }
    let counts = matches!(rest.first(), Some(token) if token.is("of") || token.is("from") || token.is("after") || token.glued && token.is_mark('-'))
        || matches!(rest.first(), Some(next) if next.is("row"));
    if counts {
        return fail(input);
    }
    Ok((rest, Node::Shift { length, forward: true, base: None }))
}

/// "two weeks ago", "3 days later", "about a year ago".
fn length_direction(input: In<'_>) -> Res<'_, Node> {
    let (start, about) = maybe(approximate, input);
    let (rest, length) = length(start)?;
    let (rest, (forward, spoken)) = direction(rest)?;
    // "25 minutes on, 5 off"
    if length.grain.is_clock() && input.get(input.len() - rest.len() - 1).is_some_and(|token| token.is("on")) {
        return fail(input);
    }
    let node = Node::Shift { length, forward, base: None };
    let node = if spoken { Node::Anaphora(Box::new(node)) } else { node };
    Ok((rest, if about.is_some() { Node::Near(Box::new(node)) } else { node }))
}

/// "five weeks from tomorrow", "2 days before Christmas", "a week after May 3rd", "nine days from today".
fn length_from(input: In<'_>) -> Res<'_, Node> {
    let (rest, length) = length(input).or_else(|_| {
        let (rest, _) = maybe(word(&["the"]), input);
        let (rest, (grain, times)) = unit(rest)?;
        let one = input.iter().take(2).all(|token| !token.norm.ends_with('s'));
        some(rest, Length::of(1000 * times, grain).filter(|_| grain >= Grain::Day && one))
    })?;
    let (rest, forward) = token(|token| match token.norm.as_ref() {
        "from" | "after" => Some(true),
        "before" => Some(false),
        _ => None,
    })(rest)?;
    let from = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.is("from"));
    let (rest, base) = base(rest).or_else(|_| event(rest))?;
    // "3 minutes from today" is no point of time, "two years from 2010" no year.
    if length.grain.is_clock() && base.grain() >= Grain::Day || from && base.grain() >= Grain::Year && length.grain >= Grain::Year {
        return fail(input);
    }
    // "20 days from May 2 to May 22" has two dates, and a length that is not from the first.
    let ranges = from && rest.first().is_some_and(|next| ["to", "until", "till", "through"].iter().any(|word| next.is(word)));
    if ranges {
        return fail(input);
    }
    // A lone unit is beside a day: "the week before Easter", but "the year before 2015" and "week after week".
    let counted = self::length(input).is_ok();
    let article = input.first().is_some_and(|token| token.is("the"));
    if !counted && (base.grain() >= Grain::Year || !article && base.grain() != Grain::Day) {
        return fail(input);
    }
    Ok((rest, Node::Shift { length, forward, base: Some(Box::new(boundary(base))) }))
}

/// "the election on 5 November 2019", "our wedding of June 3": what is named together with its day, which is what is counted from.
fn event(input: In<'_>) -> Res<'_, Node> {
    const MOST: usize = 4;
    let (rest, ()) = word(&["the", "a", "an", "my", "our", "your", "his", "her", "its", "their"])(input)?;
    let nouns = rest.iter().take(MOST).take_while(|token| token.kind == Kind::Word && token.atoms.is_empty() && !is_joint(token)).count();
    let (rest, ()) = word(&["on", "of"])(rest.get(nouns..).unwrap_or_default())?;
    let (rest, day) = date(rest)?;
    let named = matches!(day, Node::Date(Fields { month: Some(_), day: Some(_), .. }) | Node::Holiday(_));
    some(rest, (nouns > 0 && named).then_some(day))
}

fn is_joint(token: &Token<'_>) -> bool {
    ["on", "of", "in", "at", "and", "or", "but", "that", "which", "who", "to", "for", "with", "is", "was"].iter().any(|word| token.is(word))
}

pub(super) fn base(input: In<'_>) -> Res<'_, Node> {
    longest(&[date_time, date, now, day_of_month], input)
}

/// "4 Mondays from now", "3 Tuesdays back", "two weekends ago", "three summers ago".
fn weekdays_from(input: In<'_>) -> Res<'_, Node> {
    let (rest, n) = match quantity(input) {
        Ok((rest, n)) if n % 1000 == 0 => (rest, n / 1000),
        _ => return fail(input),
    };
    let (rest, of) = longest(&[bare_weekday, many_seasons], rest)?;
    let (rest, (forward, spoken)) = direction(rest)?;
    if spoken {
        return fail(input);
    }
    Ok((rest, Node::Count(if forward { n } else { -n }, Box::new(of), None)))
}

/// "summers", "winters", "Christmases", which only a count makes a time.
fn many_seasons(input: In<'_>) -> Res<'_, Node> {
    token(|token| {
        Some(match token.norm.as_ref() {
            "springs" => Node::Season(SeasonName::Spring),
            "summers" => Node::Season(SeasonName::Summer),
            "autumns" | "falls" => Node::Season(SeasonName::Autumn),
            "winters" => Node::Season(SeasonName::Winter),
            "christmases" => Node::Holiday(holiday::index_of("christmas")?),
            _ => return None,
        })
    })(input)
}

/// "the three days before Christmas", "the 2 years up to 3 May 2020", "the 10 days from 3 May": all of them, where the length alone would
/// be a point.
fn all_beside(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["the"])(input)?;
    let (_, n) = cardinal(rest)?;
    let (rest, length) = length(rest)?;
    let (rest, forward) = token(|token| match token.norm.as_ref() {
        "from" => Some(true),
        "before" | "up" => Some(false),
        _ => None,
    })(rest)?;
    let up = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.is("up"));
    let rest = if up { word(&["to"])(rest)?.0 } else { rest };
    let (rest, base) = base(rest)?;
    let ranges = rest.first().is_some_and(|next| ["to", "until", "till", "through"].iter().any(|word| next.is(word)));
    let counted = n > 1 && length.grain >= Grain::Day && !ranges && (!forward || base.grain() == Grain::Day);
    some(rest, counted.then(|| Node::Within { length, forward, base: Some(Box::new(base)) }))
}

/// "the closest Friday to June 9th".
fn closest(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["the"])(input)?;
    let (rest, n) = maybe(super::number::ordinal, rest);
    let (rest, ()) = word(&["closest", "nearest"])(rest)?;
    let (rest, of) = longest(&[holiday_date, bare_weekday], rest)?;
    let (rest, ()) = word(&["to"])(rest)?;
    let (rest, to) = base(rest)?;
    Ok((rest, Node::Closest(n.unwrap_or(1), Box::new(of), Box::new(to))))
}

fn bare_weekday(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = weekday(input)?;
    Ok((rest, Node::weekday(name)))
}

/// "seven years ago this June", "two years ago next Christmas": that of the year so long before the coming one.
fn ago_this(input: In<'_>) -> Res<'_, Node> {
    let (rest, length) = length(input)?;
    let (rest, ()) = word(&["ago"])(rest)?;
    let (rest, which) = which(rest)?;
    let (rest, _) = maybe(word(&["coming", "past"]), rest);
    let (rest, named) = longest(&[month_date, holiday_date, season_named], rest)?;
    let yearly = !named.is_fixed() && length.grain == Grain::Year && matches!(which, Which::This | Which::Next | Which::Last);
    let base = Node::Rel(which, Box::new(named));
    some(rest, yearly.then(|| Node::Shift { length, forward: false, base: Some(Box::new(base)) }))
}

fn season_named(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = season(input)?;
    Ok((rest, Node::Season(name)))
}

/// "a year ago today", "a week from Monday" is `length_from`; "a week today".
fn ago_today(input: In<'_>) -> Res<'_, Node> {
    let (rest, length) = length(input)?;
    let (rest, ago) = maybe(word(&["ago"]), rest);
    let (rest, offset) = day_word(rest)?;
    if length.grain < Grain::Week || ago.is_none() && offset != 0 {
        return fail(input);
    }
    Ok((rest, Node::Shift { length, forward: ago.is_none(), base: Some(Box::new(Node::This(Grain::Day, offset))) }))
}

/// "the next 3 days", "last nine weeks", "7 upcoming years", "the past few months", "within the next two weeks", "within 2 hours".
pub(super) fn window(input: In<'_>) -> Res<'_, Node> {
    if let Ok(read) = all_beside(input) {
        return Ok(read);
    }
    let (rest, within) = maybe(word(&["within", "during", "over", "in", "for"]), input);
    let is_within = input.first().is_some_and(|token| token.is("within"));
    let rest = if within.is_some() { rest } else { input };
    let (rest, the) = maybe(word(&["the"]), rest);
    if is_within
        && the.is_none()
        && let Ok((end, length)) = length(rest)
    {
        let (after, of) = maybe(word(&["of", "after", "from"]), end);
        if of.is_some() {
            let (rest, base) = base(after)?;
            return Ok((rest, Node::Within { length, forward: true, base: Some(Box::new(base)) }));
        }
        return Ok((end, Node::Within { length, forward: true, base: None }));
    }
    if within.is_some() && !is_within {
        return fail(input);
    }
    let ways = |input| -> Res<'_, Which> { which(input) };
    let (rest, (which, count)) = if let Ok((rest, which)) = ways(rest) {
        let (rest, n) = quantity(rest)?;
        (rest, (which, n))
    } else {
        let (rest, n) = cardinal(rest)?;
        let (rest, which) = ways(rest)?;
        if n > 1 && which != Which::Coming && !matches!(rest.first(), Some(token) if token.norm.ends_with('s')) {
            return fail(input);
        }
        (rest, (which, n.saturating_mul(1000)))
    };
    let (rest, (grain, times)) = unit(rest)?;
    if which == Which::This {
        return fail(input);
    }
    let forward = matches!(which, Which::Next | Which::Coming);
    if count % 1000 != 0 || count <= 0 || the.is_some() && !is_within && is_nth(rest) {
        return fail(input);
    }
    let grain_one = |count: i64| count.checked_mul(times).filter(|count| *count <= 10_000);
    // "the last 3 months and 2 weeks" is a length before now.
    let mut total = Length::of(count.saturating_mul(times), grain);
    let mut end = rest;
    let mut more = false;
    while let Ok((after, ())) = word(&["and"])(end)
        && let Ok((after, next)) = simple_length(after)
        && direction(after).is_err()
        && total.is_some_and(|total| next.grain < total.grain)
        && !and_later(after)
    {
        total = total.and_then(|total| total.plus(next));
        end = after;
        more = true;
    }
    if more {
        return some(end, total.map(|length| Node::Within { length, forward, base: None }));
    }
    if is_within {
        return some(rest, total.map(|length| Node::Within { length, forward, base: None }));
    }
    some(rest, grain_one(count / 1000).map(|count| Node::Window { count, grain, which }))
}

fn and_later(rest: In<'_>) -> bool {
    word(&["and"])(rest).is_ok_and(|(after, ())| simple_length(after).is_ok_and(|(end, _)| direction(end).is_ok()))
}

/// "the last 2 months of this year" is no window.
fn is_nth(rest: In<'_>) -> bool {
    matches!(rest.first(), Some(token) if token.is("of"))
}

/// A duration: "three years", "more than 7 days", "an hour and a half", "all day".
pub(super) fn duration(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["all"])(input) {
        let (rest, _) = maybe(word(&["the"]), rest);
        let (rest, (grain, times)) = unit(rest)?;
        return some(rest, Length::of(times * 1000, grain).map(Node::Length));
    }
    if let Ok(read) = formal(input) {
        return Ok(read);
    }
    let (start, compared) = maybe(
        |input| {
            let (rest, ()) = word(&["more", "less"])(input)?;
            word(&["than"])(rest)
        },
        input,
    );
    let start = if compared.is_some() { start } else { input };
    let (rest, length) = length(start)?;
    Ok((rest, Node::Length(length)))
}

/// `P3Y6M`, `P1DT12H`: a duration in the notation of ISO 8601, of two parts or more so that no name is taken for one.
fn formal(input: In<'_>) -> Res<'_, Node> {
    let (mut rest, ()) = word(&["p"])(input)?;
    let (mut total, mut parts, mut clock) = (Length::of(0, Grain::Year), 0, false);
    loop {
        if !is_glued(rest) {
            break;
        }
        if let (false, Ok((after, ()))) = (clock, word(&["t"])(rest)) {
            (rest, clock) = (after, true);
            continue;
        }
        let Ok((after, (count, _))) = digits(rest) else { break };
        let timed = clock;
        let grain = token(move |token| match (token.norm.as_ref(), timed) {
            ("y", false) => Some(Grain::Year),
            ("m", false) => Some(Grain::Month),
            ("w", false) => Some(Grain::Week),
            ("d", false) => Some(Grain::Day),
            ("h", true) => Some(Grain::Hour),
            ("m", true) => Some(Grain::Minute),
            ("s", true) => Some(Grain::Second),
            // A day and the mark of the clock are one word: "1DT12H".
            ("dt", false) => Some(Grain::DayPart),
            _ => None,
        });
        let (after, grain) = if is_glued(after) { grain(after)? } else { break };
        clock |= grain == Grain::DayPart;
        let grain = if grain == Grain::DayPart { Grain::Day } else { grain };
        let more = count.checked_mul(1000).and_then(|count| Length::of(count, grain));
        total = total.zip(more).and_then(|(total, more)| total.plus(more));
        (rest, parts) = (after, parts + 1);
    }
    let ends = !matches!(rest.first(), Some(next) if next.glued && (next.kind == Kind::Word || next.number().is_some()));
    some(rest, total.filter(|_| ends && (parts > 1 || clock && parts > 0)).map(Node::Length))
}
