//! English durations, shifts, ranges, open stretches and recurring sets. Knows nothing of how dates are spelled.

use super::date::{date, day_of_month, definite_unit, holiday_date, month_date, numeric, relative_unit};
use super::number::{cardinal, day};
use super::time::{approximate, bare_hour, clock, date_time, part_of_a_day, time};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::parse::{
    In, Res, Rule, day_word, digits, fail, is_glued, longest, mark, maybe, part, some, token, unit, weekday, which, word,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Bound, Clock, Length, Node, Which, open as open_of, range};
use crate::time::expr::token::Kind;

/// A point in time: a date, a time, both, or something so long before or after.
pub(super) fn point(input: In<'_>) -> Res<'_, Node> {
    let (rest, about) = maybe(approximate, input);
    let (rest, node) = longest(&[date_time, date, part_of_a_day, time, shift, now, day_of_month], rest)?;
    Ok((rest, if about.is_some() { Node::Near(Box::new(node)) } else { node }))
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
    let (rest, _) = if is_glued(rest) { maybe(mark("-"), rest) } else { (rest, None) };
    let digits_before = input.first().is_some_and(|token| token.number().is_some());
    if digits_before
        && let Ok((after, quote)) = mark("'\"")(rest)
        && is_glued(rest)
        && !is_glued(after)
    {
        let grain = if quote == '"' { Grain::Second } else { Grain::Minute };
        return some(after, Length::of(thousandths, grain));
    }
    let (rest, _) = maybe(word(&["full", "whole", "more", "long", "short", "whopping"]), rest);
    let single_letter = rest.first().is_some_and(|token| token.norm.len() == 1);
    if single_letter && !(digits_before && is_glued(rest) || digits_before && rest.first().is_some_and(|token| token.is("h"))) {
        return fail(input);
    }
    let (rest, (grain, times)) = unit(rest)?;
    // "a second time", "one second" and ordinals are for the guards.
    let length = thousandths.checked_mul(times).and_then(|thousandths| Length::of(thousandths, grain));
    // "one year and a quarter"
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
    if let Ok((rest, ())) = word(&["earlier", "before", "prior"])(input)
        && rest.first().is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
    {
        return Ok((rest, (false, true)));
    }
    if let Ok((rest, ())) = word(&["back"])(input) {
        return Ok((rest, (false, false)));
    }
    let (rest, ()) = word(&["from", "after"])(input)?;
    let (rest, _) = maybe(word(&["right"]), rest);
    let (rest, ()) = word(&["now"])(rest)?;
    Ok((rest, (true, false)))
}

/// "two weeks ago", "in three days", "a year from now" as what follows a date: "Monday two weeks from now".
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
    let (rest, node) = longest(&[in_length, length_direction, length_from, weekdays_from, closest, ago_today, weekday_shift], input)?;
    // "in 3 days on Friday"
    if let (Node::Shift { .. }, Ok((after, ()))) = (&node, word(&["on"])(rest))
        && let Ok((end, name)) = weekday(after)
    {
        return Ok((end, Node::weekday(name).and(node)));
    }
    Ok((rest, node))
}

/// "Sunday 3 weeks after January 15th".
fn weekday_shift(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = weekday(input)?;
    let (rest, node) = length_from(maybe(mark(","), rest).0)?;
    Ok((rest, Node::weekday(name).and(node)))
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
    let node = Node::Shift { length, forward, base: None };
    let node = if spoken { Node::Anaphora(Box::new(node)) } else { node };
    Ok((rest, if about.is_some() { Node::Near(Box::new(node)) } else { node }))
}

/// "three weeks from tomorrow", "2 days before Christmas", "a week after May 3rd", "two days from today".
fn length_from(input: In<'_>) -> Res<'_, Node> {
    let (rest, length) = length(input).or_else(|_| {
        let (rest, ()) = word(&["the"])(input)?;
        let (rest, (grain, times)) = unit(rest)?;
        some(rest, Length::of(1000 * times, grain).filter(|_| grain >= Grain::Day))
    })?;
    let (rest, forward) = token(|token| match token.norm.as_ref() {
        "from" | "after" => Some(true),
        "before" => Some(false),
        _ => None,
    })(rest)?;
    let (rest, base) = base(rest)?;
    // "3 minutes from today" is no point of time.
    if length.grain.is_clock() && base.grain() >= Grain::Day || base.grain() >= Grain::Year && length.grain >= Grain::Year {
        return fail(input);
    }
    Ok((rest, Node::Shift { length, forward, base: Some(Box::new(base)) }))
}

fn base(input: In<'_>) -> Res<'_, Node> {
    longest(&[date_time, date, now, day_of_month], input)
}

/// "3 Fridays from now", "2 Thursdays back", "two weekends ago".
fn weekdays_from(input: In<'_>) -> Res<'_, Node> {
    let (rest, n) = match quantity(input) {
        Ok((rest, n)) if n % 1000 == 0 => (rest, n / 1000),
        _ => return fail(input),
    };
    let (rest, name) = weekday(rest)?;
    let (rest, (forward, spoken)) = direction(rest)?;
    if spoken {
        return fail(input);
    }
    Ok((rest, Node::Count(if forward { n } else { -n }, Box::new(Node::weekday(name)), None)))
}

/// "the closest Monday to Oct 5th".
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

/// "the next 3 days", "last two weeks", "5 upcoming years", "the past few months", "within the next two weeks", "within 2 hours".
pub(super) fn window(input: In<'_>) -> Res<'_, Node> {
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

/// "the last 3 weeks of this year" is no window.
fn is_nth(rest: In<'_>) -> bool {
    matches!(rest.first(), Some(token) if token.is("of"))
}

/// A bare number that only a range makes a day or an hour.
fn loose_end(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, value) = day(rest)?;
    let glued = matches!(rest.first(), Some(next) if next.glued && next.kind == Kind::Word);
    some(rest, (!glued).then(|| Node::day_of_month(value)))
}

/// "from … to …", "between … and …", "July 13-15", "3-4pm", "Monday to Friday".
pub(super) fn ranges(input: In<'_>) -> Res<'_, Node> {
    let (start, opening) = maybe(
        token(|token| match token.norm.as_ref() {
            "from" => Some("from"),
            "between" => Some("between"),
            "in" | "on" | "during" | "at" => Some("in"),
            "starting" | "beginning" => Some("starting"),
            _ => None,
        }),
        input,
    );
    let start = match opening {
        Some("in") => {
            // "in between"
            let (rest, between) = maybe(word(&["between"]), start);
            if between.is_some() { rest } else { start }
        }
        _ => start,
    };
    let between = opening == Some("between");
    let (start, _) = maybe(approximate, start);
    let mut best: Option<(In<'_>, Node)> = None;
    for (rest, from) in starts(start) {
        let Some((after, loose)) = joint(rest, between, opening.is_some()) else { continue };
        let (after, _) = maybe(word(&["around", "about", "of"]), after);
        for (end, to) in ends(after) {
            if let Some(node) = join(&from, &to, loose, opening)
                && best.as_ref().is_none_or(|(left, _)| end.len() < left.len())
            {
                best = Some((end, node));
            }
        }
    }
    let Some((mut rest, mut node)) = best else { return fail(input) };
    // "9:30 to 11 on Thursday", "5 to 6pm of April 22", "3-8pm yesterday afternoon", "between 9 and 10 in the morning"
    if node.grain().is_clock() && !node.is_fixed() {
        let (after, _) = maybe(word(&["on", "of", "for"]), rest);
        if let Ok((end, day)) = longest(&[date_with_part, date, part_of_a_day], after)
            && (Grain::DayPart..=Grain::Day).contains(&day.grain())
        {
            (rest, node) = (end, day.and(node));
        } else if let Ok((end, day_part)) = in_the_part(rest)
            && let Node::Range(from, to) = node
        {
            (rest, node) = (end, Node::Part(day_part).and(Node::Range(from, to)));
        }
    }
    // "4-23 in next month"
    if let Node::Range(from, to) = &node
        && matches!((&**from, &**to), (Node::Date(a), Node::Date(b)) if a.month.is_none() && b.month.is_none() && a.day.is_some() && b.day.is_some())
    {
        let (after, _) = maybe(word(&["in", "of"]), rest);
        let (end, scope) = longest(&[relative_unit, definite_unit], after)?;
        (rest, node) = (end, scope.and(node));
    }
    let bare_hours = matches!(&node, Node::Range(from, to) if is_bare(from) && is_bare(to));
    if bare_hours && opening.is_none() { fail(input) } else { Ok((rest, node)) }
}

fn is_bare(node: &Node) -> bool {
    matches!(
        node,
        Node::Clock(Clock {
            minute: None,
            meridian: crate::time::expr::symbol::Meridian::Either | crate::time::expr::symbol::Meridian::Full,
            ..
        })
    )
}

fn in_the_part(input: In<'_>) -> Res<'_, crate::time::expr::symbol::DayPart> {
    let (rest, ()) = word(&["in"])(input)?;
    let (rest, _) = maybe(word(&["the"]), rest);
    part(rest)
}

fn date_with_part(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = date(input)?;
    if day.grain() != Grain::Day {
        return fail(input);
    }
    let (rest, _) = maybe(word(&["in"]), rest);
    let (rest, _) = maybe(word(&["the"]), rest);
    let (rest, part) = part(rest)?;
    Ok((rest, day.and(Node::Part(part))))
}

/// What a range may begin with, each reading of it.
fn starts(input: In<'_>) -> Vec<(In<'_>, Node)> {
    let parsers: [Rule<Node>; 6] = [point, day_and_hour, loose_end, bare_hour, month_date, super::date::plain_year];
    let mut read: Vec<(In<'_>, Node)> = Vec::new();
    for parser in parsers {
        if let Ok(found) = parser(input)
            && !read.iter().any(|(rest, node)| rest.len() == found.0.len() && *node == found.1)
        {
            read.push(found);
        }
    }
    read
}

/// "Monday 3" of "Monday 3-8", "Tuesday from 10" of "Tuesday from 10 to 4", "6/4 between 9.30".
fn day_and_hour(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = longest(&[date_with_part, date, part_of_a_day, day_of_month], input)?;
    if !(Grain::DayPart..=Grain::Day).contains(&day.grain()) {
        return fail(input);
    }
    let (rest, _) = maybe(mark(","), rest);
    let (rest, _) = maybe(word(&["in"]), rest);
    let (rest, _) = maybe(word(&["from", "between", "at"]), rest);
    let (rest, hour) = longest(&[clock, dotted, four_digits, bare_hour], rest)?;
    Ok((rest, day.and(hour)))
}

/// `9.30` before a clock time.
fn dotted(input: In<'_>) -> Res<'_, Node> {
    let (rest, (hour, hours)) = digits(input)?;
    let (rest, _) = mark(".")(rest)?;
    let (rest, (minute, minutes)) = digits(rest)?;
    let meridian = if hour > 12 { crate::time::expr::symbol::Meridian::Full } else { crate::time::expr::symbol::Meridian::Either };
    let read = u32::try_from(hour).ok().zip(u32::try_from(minute).ok());
    let clock = read.map(|(hour, minute)| Node::Clock(Clock { hour, minute: Some(minute), second: None, meridian }));
    some(rest, clock.filter(|_| hours <= 2 && minutes == 2 && hour < 24 && minute < 60))
}

/// `0730` in a range of such.
fn four_digits(input: In<'_>) -> Res<'_, Node> {
    let (rest, (value, count)) = digits(input)?;
    let (hour, minute) = (value / 100, value % 100);
    let meridian = if hour > 12 { crate::time::expr::symbol::Meridian::Full } else { crate::time::expr::symbol::Meridian::Either };
    let read = u32::try_from(hour).ok().zip(u32::try_from(minute).ok());
    let clock = read.map(|(hour, minute)| Node::Clock(Clock { hour, minute: Some(minute), second: None, meridian }));
    some(rest, clock.filter(|_| count == 4 && hour < 24 && minute < 60 && input.first().is_some_and(|_| hour < 10 || hour > 12)))
}

fn ends(input: In<'_>) -> Vec<(In<'_>, Node)> {
    let to_date: Rule<Node> = |input| {
        let (rest, ()) = word(&["date"])(input)?;
        Ok((rest, Node::This(Grain::Day, 0)))
    };
    let parsers: [Rule<Node>; 7] = [point, loose_end, bare_hour, clock, dotted, super::date::plain_year, to_date];
    let mut read: Vec<(In<'_>, Node)> = Vec::new();
    for parser in parsers {
        if let Ok(found) = parser(input)
            && !read.iter().any(|(rest, node)| rest.len() == found.0.len() && *node == found.1)
        {
            read.push(found);
        }
    }
    read
}

/// "to", "until", "-"…; whether it is a mere mark or the "and" of "between".
fn joint<'i>(input: In<'i>, between: bool, opened: bool) -> Option<(In<'i>, bool)> {
    if let Ok((rest, _)) = mark("-~/")(input) {
        let slash = input.first().is_some_and(|token| token.is_mark('/'));
        return (!slash || !opened && !input.first().is_some_and(|token| token.glued && is_glued(rest)) || slash && rest.len() > 4)
            .then_some((rest, true));
    }
    let (rest, _) = maybe(mark(","), input);
    let (rest, up) = maybe(word(&["up", "all", "on"]), rest);
    let (rest, _) =
        if up.is_some() && input.first().is_some_and(|token| token.is("all")) { maybe(word(&["the"]), rest) } else { (rest, None) };
    let (rest, _) = maybe(word(&["way"]), rest);
    if let Ok((rest, ())) = word(&["to", "till", "til", "until", "untill", "through", "thru"])(rest) {
        return Some((rest, false));
    }
    if between && let Ok((rest, ())) = word(&["and"])(input) {
        return Some((rest, false));
    }
    None
}

/// Whether the two ends make a range, and which.
fn join(from: &Node, to: &Node, loose: bool, opening: Option<&str>) -> Option<Node> {
    use crate::time::expr::symbol::Fields;
    let clocks = (from.grain().is_clock(), to.grain().is_clock());
    let day_only = |node: &Node| matches!(node, Node::Date(Fields { day: Some(_), month: None, weekday: None, year: None, .. }));
    let year_only = |node: &Node| matches!(node, Node::Date(Fields { day: None, month: None, weekday: None, year: Some(_), .. }));
    if matches!(from, Node::Open(..) | Node::Every { .. }) || matches!(to, Node::Open(..) | Node::Every { .. }) {
        return None;
    }
    if day_only(from) && matches!(to, Node::Date(Fields { day: None, .. })) {
        return None;
    }
    if day_only(from) && day_only(to) {
        return opening.is_some().then(|| range(from.clone(), to.clone()));
    }
    // "January 12 - 2016" and "2019 - 5" are no ranges.
    if day_only(from) && (year_only(to) || clocks.1) || day_only(to) && (year_only(from) || clocks.0) {
        return None;
    }
    if year_only(from) && matches!(from, Node::Date(_)) && clocks.1 || year_only(to) && clocks.0 {
        return None;
    }
    if clocks.0 && !clocks.1 && !matches!(from, Node::Now | Node::And(..) | Node::Rel(..)) && to.grain() > Grain::Day {
        return None;
    }
    if loose && matches!((from, to), (Node::Now, _) | (_, Node::Now)) {
        return None;
    }
    // A dash between a day and a time of day is no range: "3/4 - 5pm".
    if loose && !clocks.0 && clocks.1 {
        return None;
    }
    let weekday_then_day = matches!((from, to), (Node::Date(Fields { weekday: Some(_), day: None, .. }), _)) && day_only(to);
    if weekday_then_day || year_only(from) && !year_only(to) && loose && !matches!(to, Node::Date(Fields { year: Some(_), .. })) {
        return None;
    }
    if let (Node::Date(a), Node::Date(b)) = (from, to)
        && let (Some(crate::time::expr::symbol::Year::Full(one)), Some(crate::time::expr::symbol::Year::Full(two))) = (a.year, b.year)
        && one > two
    {
        return None;
    }
    Some(range(from.clone(), to.clone()))
}

/// "from 10 am for 3 hours", "for 10 days from 18th Dec", "3 days starting from Monday", "4pm for 30 mins".
pub(super) fn lasting(input: In<'_>) -> Res<'_, Node> {
    let begin = |input| -> Res<'_, Node> {
        let (rest, _) = maybe(word(&["from", "starting", "beginning"]), input);
        let (rest, _) = maybe(word(&["from", "on", "at"]), rest);
        longest(&[point, bare_hour], rest)
    };
    let (after, joined) = maybe(word(&["for"]), input);
    if let Ok((rest, length)) = length(after) {
        let (rest, comma) = maybe(mark(","), rest);
        let (rest, from) = maybe(word(&["from"]), rest);
        let (rest, starting) = if from.is_none() { maybe(word(&["starting", "beginning"]), rest) } else { (rest, None) };
        let (rest, _) = if starting.is_some() { maybe(word(&["from", "on", "at"]), rest) } else { (rest, None) };
        if starting.is_some() && joined.is_some() {
            return fail(input);
        }
        if starting.is_none() && (from.is_none() || joined.is_none()) || comma.is_some() && joined.is_none() {
            return fail(input);
        }
        let (rest, node) = begin(rest)?;
        return Ok((rest, Node::Lasting { length, from: Box::new(node) }));
    }
    let (rest, day) = maybe(longest_day, input);
    // "14th Feb for 7 hours from 9:30am"
    if let Some(day) = &day
        && let Ok((after, ())) = word(&["for"])(rest)
        && let Ok((after, length)) = length(after)
        && let Ok((after, ())) = word(&["from"])(after)
        && let Ok((end, time)) = longest(&[time, bare_hour], after)
    {
        return Ok((end, Node::Lasting { length, from: Box::new(day.clone().and(time)) }));
    }
    if let Some(day) = &day
        && let Ok((after, ())) = word(&["from"])(rest)
        && let Ok((after, time)) = longest(&[time, bare_hour], after)
        && let Ok((after, ())) = word(&["for"])(after)
        && let Ok((end, length)) = length(after)
    {
        return Ok((end, Node::Lasting { length, from: Box::new(day.clone().and(time)) }));
    }
    let opened = input.first().is_some_and(|token| token.is("from") || token.is("starting"));
    let (rest, from) = begin(input)?;
    let (rest, ()) = word(&["for"])(rest)?;
    let (rest, length) = length(rest)?;
    some(rest, (opened || from.grain().is_clock() && length.grain.is_clock()).then(|| Node::Lasting { length, from: Box::new(from) }))
}

fn longest_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = date(input)?;
    some(rest, (day.grain() == Grain::Day).then_some(day))
}

/// "since 2014", "until Friday", "before 5pm", "after Christmas", "by the end of May", "no later than 6:00", "2012 or later", "more than 2 weeks before today".
pub(super) fn open(input: In<'_>) -> Res<'_, Node> {
    longest(&[opening_word, or_later, day_bounded, more_than, compared, as_early_as], input)
}

fn bound_word(input: In<'_>) -> Res<'_, Bound> {
    let (rest, _) = maybe(word(&["ever", "sometime", "sometimes", "anytime", "any"]), input);
    let (rest, any) = if rest.len() < input.len() { maybe(word(&["time"]), rest) } else { (rest, None) };
    let _ = any;
    let one = token(|token| {
        Some(match token.norm.as_ref() {
            "since" => Bound::Since,
            "after" | "past" => Bound::After,
            "before" | "prior" => Bound::Before,
            "until" | "till" | "til" | "untill" | "through" | "thru" => Bound::Until,
            "by" => Bound::By,
            _ => return None,
        })
    });
    if let Ok((rest, bound)) = one(rest) {
        let said = input.get(input.len() - rest.len() - 1);
        if said.is_some_and(|token| token.is("prior")) {
            let (rest, ()) = word(&["to"])(rest)?;
            return Ok((rest, bound));
        }
        return if said.is_some_and(|token| token.is("past")) { fail(input) } else { Ok((rest, bound)) };
    }
    let (rest, no) = maybe(word(&["no", "not"]), rest);
    let (rest, bound) =
        token(|token| if token.is("later") { Some(Bound::After) } else { token.is("earlier").then_some(Bound::Before) })(rest)?;
    let (rest, ()) = word(&["than"])(rest)?;
    Ok((
        rest,
        match (no.is_some(), bound) {
            (true, Bound::After) => Bound::Until,
            (true, _) => Bound::Since,
            (false, bound) => bound,
        },
    ))
}

fn opening_word(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["from", "starting", "beginning", "effective", "as"])(input) {
        let first = input.first().map(|token| token.norm.as_ref());
        let (rest, more) = if first == Some("as") { maybe(word(&["of", "from"]), rest) } else { maybe(word(&["from", "on"]), rest) };
        if first == Some("as") && more.is_none() {
            return fail(input);
        }
        let (rest, node) = longest(&[point, super::date::plain_year], rest)?;
        let clock_only = matches!(node, Node::Clock(_));
        // "from 2014" alone is read as the year; "from Monday" as since Monday needs more.
        let ok = first != Some("from") || clock_only && node.grain() <= Grain::Hour;
        return some(rest, ok.then(|| open_of(Bound::Since, node)));
    }
    if let Ok((rest, ())) = word(&["to", "till", "until"])(input)
        && let Ok((rest, ())) = word(&["date"])(rest)
    {
        return Ok((rest, open_of(Bound::Until, Node::This(Grain::Day, 0))));
    }
    let (rest, bound) = bound_word(input)?;
    let (rest, _) = maybe(word(&["around", "about"]), rest);
    if bound == Bound::Before
        && let Ok((rest, ())) = word(&["last"])(rest)
        && rest.first().is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
    {
        return fail(input);
    }
    let (rest, node) = longest(&[point, super::date::plain_year, bare_hour_at_end, meal], rest)?;
    // "after 5 days": from then on.
    if matches!(node, Node::Open(..)) {
        return fail(input);
    }
    Ok((rest, open_of(bound, node)))
}

fn meal(input: In<'_>) -> Res<'_, Node> {
    let (rest, part) = part(input)?;
    Ok((rest, Node::Part(part)))
}

fn bare_hour_at_end(input: In<'_>) -> Res<'_, Node> {
    // "after 5 days"
    let (rest, length) = length(input)?;
    some(rest, (length.grain >= Grain::Day).then_some(Node::Shift { length, forward: true, base: None }))
}

/// "2012 or later", "3pm or later on Monday", "year 2016 and greater".
fn or_later(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = longest(&[date_time, date, time], input)?;
    let (rest, ()) = word(&["or", "and"])(rest)?;
    let (rest, bound) = token(|token| match token.norm.as_ref() {
        "later" | "after" | "greater" | "newer" => Some(Bound::Since),
        "earlier" | "before" | "older" => Some(Bound::Until),
        _ => None,
    })(rest)?;
    let after = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.is("after") || token.is("before"));
    if after && rest.first().is_some_and(|next| !matches!(next.kind, Kind::Mark(_))) {
        return fail(input);
    }
    let (on, joined) = maybe(word(&["on"]), rest);
    if joined.is_some()
        && node.grain().is_clock()
        && let Ok((end, day)) = date(on)
        && day.grain() == Grain::Day
    {
        return Ok((end, open_of(bound, day.and(node))));
    }
    Ok((rest, open_of(bound, node)))
}

/// "Thursday before 5pm", "next Wednesday later than 10 in the morning", "1/1/2015 after 2:00".
fn day_bounded(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = longest(&[date_with_part, date, part_of_a_day], input)?;
    if !(Grain::DayPart..=Grain::Day).contains(&day.grain()) {
        return fail(input);
    }
    let (rest, bound) = bound_word(rest)?;
    let (rest, _) = maybe(word(&["around", "about"]), rest);
    let (rest, time) = longest(&[time, bare_hour], rest)?;
    Ok((rest, open_of(bound, day.and(time))))
}

/// "more than 2 weeks before today", "less than 3 days after tomorrow".
fn more_than(input: In<'_>) -> Res<'_, Node> {
    let (rest, more) = token(|token| if token.is("more") { Some(true) } else { token.is("less").then_some(false) })(input)?;
    let (rest, ()) = word(&["than"])(rest)?;
    let (rest, length) = length(rest)?;
    let (rest, (forward, base)) = if let Ok((rest, ())) = word(&["ago"])(rest) {
        (rest, (false, Node::This(Grain::Day, 0)))
    } else {
        let (rest, forward) = token(|token| match token.norm.as_ref() {
            "after" | "from" => Some(true),
            "before" => Some(false),
            _ => None,
        })(rest)?;
        let (rest, base) = base(rest)?;
        (rest, (forward, base))
    };
    if !more {
        return Ok((rest, Node::Within { length, forward, base: Some(Box::new(base)) }));
    }
    let point = Node::Shift { length, forward, base: Some(Box::new(base)) };
    Ok((rest, open_of(if forward { Bound::Since } else { Bound::Until }, point)))
}

/// "year greater than 2012", ">= 2019".
fn compared(input: In<'_>) -> Res<'_, Node> {
    let (after, _) = maybe(word(&["year"]), input);
    if let Ok((rest, greater)) = token(|token| match token.norm.as_ref() {
        "greater" | "larger" | "newer" => Some(true),
        "less" | "smaller" | "older" => Some(false),
        _ => None,
    })(after)
    {
        let (rest, ()) = word(&["than"])(rest)?;
        let (rest, node) = super::date::plain_year(rest)?;
        return Ok((rest, open_of(if greater { Bound::After } else { Bound::Before }, node)));
    }
    let (rest, sign) = mark("<>")(input)?;
    let (rest, equal) = maybe(mark("="), rest);
    let (rest, node) = longest(&[super::date::plain_year, date], rest)?;
    let bound = match (sign, equal.is_some()) {
        ('>', true) => Bound::Since,
        ('>', false) => Bound::After,
        (_, true) => Bound::By,
        (_, false) => Bound::Before,
    };
    Ok((rest, open_of(bound, node)))
}

/// "as early as next year", "as late as 5pm".
fn as_early_as(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["as"])(input)?;
    let (rest, early) =
        token(|token| if token.is("early") || token.is("soon") { Some(true) } else { token.is("late").then_some(false) })(rest)?;
    let (rest, ()) = word(&["as"])(rest)?;
    let (rest, node) = point(rest)?;
    Ok((rest, open_of(if early { Bound::Since } else { Bound::Until }, node)))
}

/// "every Monday", "each week", "daily", "every other day", "once a month", "Tuesdays at 9am", "weekdays".
pub(super) fn set(input: In<'_>) -> Res<'_, Node> {
    let (mut rest, mut node) = longest(&[every, adverb, once_a, plural_days, date_of_every], input)?;
    let (after, _) = maybe(word(&["at", "around"]), rest);
    if let Ok((end, time)) = longest(&[time, bare_hour_after_at], after)
        && (rest.len() > after.len() || clock(after).is_ok() || part(after).is_ok())
    {
        (rest, node) = (end, node.and(time));
    }
    Ok((rest, node))
}

fn bare_hour_after_at(input: In<'_>) -> Res<'_, Node> {
    bare_hour(input)
}

fn recurring(interval: i64, grain: Grain, on: Option<Node>) -> Node {
    Node::Every { interval, grain, on: on.map(Box::new) }
}

fn every(input: In<'_>) -> Res<'_, Node> {
    let (start, time) = maybe(clock, input);
    let (rest, ()) = word(&["every", "each", "any", "all"])(start)?;
    let all = start.first().is_some_and(|token| token.is("all"));
    let any = start.first().is_some_and(|token| token.is("any"));
    let timed = |node: Node| match time.clone() {
        Some(time) => node.and(time),
        None => node,
    };
    if all {
        let (rest, ()) = word(&["weekends", "weekdays"])(rest)?;
        return Ok((rest, recurring(1, Grain::Week, Some(Node::Weekend))));
    }
    if let Ok((rest, ())) = word(&["weekday", "workday"])(rest) {
        return Ok((rest, timed(recurring(1, Grain::Day, None))));
    }
    let (rest, other) = maybe(word(&["other", "second"]), rest);
    let (rest, count) = if other.is_some() { (rest, Some(2)) } else { maybe(cardinal, rest) };
    let interval = count.unwrap_or(1).clamp(1, 10_000);
    if let Ok((rest, (grain, times))) = unit(rest) {
        if any && !matches!(grain, Grain::Weekend | Grain::Year) {
            return fail(input);
        }
        let on = (grain == Grain::Weekend).then_some(Node::Weekend);
        let night = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.is("night"));
        let on = if night { Some(Node::Part(crate::time::expr::symbol::DayPart::Night)) } else { on };
        return Ok((rest, timed(recurring(interval.saturating_mul(times), if grain == Grain::Weekend { Grain::Week } else { grain }, on))));
    }
    if any {
        return fail(input);
    }
    if let Ok((rest, day_part)) = part(rest) {
        return Ok((rest, timed(recurring(interval, Grain::Day, Some(Node::Part(day_part))))));
    }
    if let Ok((rest, name)) = weekday(rest) {
        let on = Node::weekday(name);
        let on = match part(rest) {
            Ok((end, day_part)) => return Ok((end, recurring(interval, Grain::Week, Some(on.and(Node::Part(day_part)))))),
            Err(_) => on,
        };
        return Ok((rest, timed(recurring(interval, Grain::Week, Some(on)))));
    }
    let (rest, on) = longest(&[month_date, holiday_date], rest)?;
    Ok((rest, timed(recurring(interval, Grain::Year, Some(on)))))
}

fn adverb(input: In<'_>) -> Res<'_, Node> {
    let (rest, (times, prefix)) = if let Ok((rest, prefix)) = word(&["bi", "semi"])(input)
        && let Ok((rest, _)) = mark("-")(rest)
    {
        let () = prefix;
        (rest, (if input.first().is_some_and(|token| token.is("bi")) { 2 } else { 1 }, true))
    } else {
        (input, (1, false))
    };
    let semi = prefix && times == 1;
    let (rest, (grain, own)) = token(|token| {
        Some(match token.norm.as_ref() {
            "hourly" => (Grain::Hour, 1),
            "daily" | "everyday" | "nightly" => (Grain::Day, 1),
            "weekly" => (Grain::Week, 1),
            "biweekly" | "fortnightly" => (Grain::Week, 2),
            "monthly" => (Grain::Month, 1),
            "bimonthly" => (Grain::Month, 2),
            "quarterly" => (Grain::Quarter, 1),
            "yearly" | "annually" | "annual" => (Grain::Year, 1),
            _ => return None,
        })
    })(rest)?;
    let grain = if semi && grain == Grain::Year { Grain::Half } else { grain };
    Ok((rest, recurring(times * own, grain, None)))
}

/// "once a week", "twice a month", "one a day".
fn once_a(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["once", "twice", "one"])(input)?;
    let (rest, ()) = word(&["a", "an", "per", "every"])(rest)?;
    let (rest, (grain, times)) = unit(rest)?;
    Ok((rest, recurring(times, grain, None)))
}

/// "Tuesdays", "Friday mornings", "weekends".
fn plural_days(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["weekends"])(input) {
        return Ok((rest, recurring(1, Grain::Week, Some(Node::Weekend))));
    }
    let (rest, name) = weekday(input)?;
    let plural = input.first().is_some_and(|token| token.norm.ends_with("days"));
    if let Ok((end, day_part)) = part(rest) {
        let parts = rest.first().is_some_and(|token| token.norm.ends_with('s'));
        return some(end, (parts || plural).then(|| recurring(1, Grain::Week, Some(Node::weekday(name).and(Node::Part(day_part))))));
    }
    some(rest, plural.then(|| recurring(1, Grain::Week, Some(Node::weekday(name)))))
}

/// "the 19th of every month".
fn date_of_every(input: In<'_>) -> Res<'_, Node> {
    let (rest, on) = day_of_month(input)?;
    let (rest, ()) = word(&["of"])(rest)?;
    let (rest, ()) = word(&["every", "each"])(rest)?;
    let (rest, (grain, _)) = unit(rest)?;
    Ok((rest, recurring(1, grain, Some(on))))
}

/// A duration: "three years", "more than 4 days", "an hour and a half", "all day".
pub(super) fn duration(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["all"])(input) {
        let (rest, _) = maybe(word(&["the"]), rest);
        let (rest, (grain, times)) = unit(rest)?;
        return some(rest, Length::of(times * 1000, grain).map(Node::Length));
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

/// Digits that are a date range in themselves.
pub(super) fn numeric_range(input: In<'_>) -> Res<'_, Node> {
    let (rest, from) = numeric(input)?;
    let (rest, _) = mark("-/~")(rest)?;
    let (rest, to) = numeric(rest)?;
    Ok((rest, range(from, to)))
}
