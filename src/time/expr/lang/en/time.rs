//! English times of day, and dates with times of day. Knows nothing of ranges or durations.

use super::date::{date, definite_unit};
use super::number::cardinal;
use crate::time::Zone;
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::digits::numeric;
use crate::time::expr::lang::parse::{
    In, Res, Rule, cardinal_word, day_word, digits, digits_in, fail, is_glued, longest, mark, maybe, meridian, named_clock, once, part,
    small, some, token, unit, weekday, which, word, zone,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Clock, DayPart, Fields, Meridian, Node, Section, Which};
use crate::time::expr::token::{Kind, Token};

/// A time of day: `3:20 pm`, `half past three`, `noon`, `8 in the morning`, `9pm CET`.
pub(super) fn time(input: In<'_>) -> Res<'_, Node> {
    once(1, any_time, input)
}

fn any_time(input: In<'_>) -> Res<'_, Node> {
    let (rest, about) = maybe(approximate, input);
    let (rest, node) = longest(&[clock_in_part, part_of_day, hour_or_so], rest)?;
    let (rest, node) = with_zone(rest, node);
    let (rest, after) = if node.grain() <= Grain::Hour { maybe(approximately, rest) } else { (rest, None) };
    Ok((rest, if about.is_some() || after.is_some() { Node::Near(Box::new(node)) } else { node }))
}

/// The 7 of "7ish" and of "7-ish".
fn hour_or_so(input: In<'_>) -> Res<'_, Node> {
    let (rest, hour) = match digits(input) {
        Ok((rest, (hour, count))) if count <= 2 && (1..=12).contains(&hour) => (rest, hour),
        Ok(_) => return fail(input),
        Err(_) => spelled_hour(input)?,
    };
    approximately(rest)?;
    some(rest, of_hour(hour, None).filter(|_| is_glued(rest)).map(|(hour, meridian)| node(hour, None, None, meridian)))
}

fn approximately(input: In<'_>) -> Res<'_, ()> {
    if let Ok((rest, _)) = mark("-")(input)
        && is_glued(input)
        && is_glued(rest)
    {
        return word(&["ish"])(rest);
    }
    word(&["ish", "approximately"])(input)
}

/// "around", "about", "circa", "approximately".
pub(super) fn approximate(input: In<'_>) -> Res<'_, ()> {
    let (rest, _) = maybe(word(&["at"]), input);
    let (rest, ()) = word(&["around", "about", "approximately", "circa", "roughly"])(rest)?;
    Ok((rest, ()))
}

fn with_zone(rest: In<'_>, node: Node) -> (In<'_>, Node) {
    if !matches!(node, Node::Clock(_)) {
        return (rest, node);
    }
    let (inner, opened) = maybe(mark("("), rest);
    let Ok((end, named)) = zone(inner) else { return (rest, node) };
    let close = |end| if opened.is_some() { maybe(mark(")"), end).0 } else { end };
    // "GMT+2", "UTC-03:30"
    if named == Zone::UTC
        && let Ok((after, east)) = offset(end)
    {
        return (close(after), Node::Zoned(Box::new(node), east));
    }
    (close(end), Node::Zoned(Box::new(node), named))
}

/// So far east of Greenwich: `+2`, `-03:30`, `+0530`.
fn offset(input: In<'_>) -> Res<'_, Zone> {
    let (rest, sign) = mark("+-")(input)?;
    if !is_glued(rest) {
        return fail(input);
    }
    let (rest, (value, count)) = digits(rest)?;
    let (hours, minutes, rest) = if count == 4 {
        (value / 100, value % 100, rest)
    } else {
        let (after, colon) = maybe(mark(":"), rest);
        match (colon, digits_in(0, 59, 2)(after)) {
            (Some(_), Ok((end, minutes))) if is_glued(rest) && is_glued(after) => (value, minutes, end),
            _ => (value, 0, rest),
        }
    };
    let east = i16::try_from(hours * 60 + minutes).ok().filter(|_| hours <= 14 && minutes < 60 && (count <= 2 || count == 4));
    some(rest, east.and_then(|east| Zone::fixed(if sign == '-' { -east } else { east }).ok()))
}

fn node(hour: u32, minute: Option<u32>, second: Option<u32>, meridian: Meridian) -> Node {
    Node::Clock(Clock { hour, minute, second, meridian })
}

/// The meridian that follows, in any spelling: `pm`, `p.m.`, `p`, `in the PM`.
fn half_of_day(input: In<'_>) -> Res<'_, Meridian> {
    let (after, joined) = maybe(word(&["in"]), input);
    let after = if joined.is_some() { maybe(word(&["the"]), after).0 } else { input };
    if let Ok((rest, pm)) = meridian(after) {
        return Ok((rest, if pm { Meridian::Pm } else { Meridian::Am }));
    }
    // "7a", "3p", "3p."
    if is_glued(input)
        && let Ok((rest, pm)) = token(|token| if token.is("p") { Some(true) } else { token.is("a").then_some(false) })(input)
        && !matches!(rest.first(), Some(next) if next.glued && (next.kind == Kind::Word || next.number().is_some()))
    {
        return Ok((rest, if pm { Meridian::Pm } else { Meridian::Am }));
    }
    fail(input)
}

fn of_hour(hour: i64, said: Option<Meridian>) -> Option<(u32, Meridian)> {
    let hour = small(hour).filter(|hour| *hour <= 24)?;
    match said {
        Some(meridian) => (hour <= 12 || meridian == Meridian::Pm && hour < 24)
            .then_some((hour, meridian))
            .map(|(hour, meridian)| if hour > 12 { (hour, Meridian::Full) } else { (hour, meridian) }),
        None if hour > 12 || hour == 0 => Some((hour, Meridian::Full)),
        None => Some((hour, Meridian::Either)),
    }
}

/// A clock time that nothing else could be.
pub(super) fn clock(input: In<'_>) -> Res<'_, Node> {
    once(6, |input| longest(&[colon_clock, meridian_clock, spelled_clock, past_to, named, oclock, h_clock, before_a_day], input), input)
}

/// `1800 hours`, `0730 hrs`: as a time of day only where it can be no count of hours, after "at" or before a day.
pub(super) fn military(input: In<'_>) -> Res<'_, Node> {
    let (rest, value) = digits_in(0, 2359, 4)(input)?;
    let four = input.first().and_then(Token::number).is_some_and(|(_, count)| count == 4);
    let (rest, ()) = word(&["hours", "hrs"])(rest)?;
    let minute = small(value % 100).filter(|minute| four && *minute < 60);
    some(rest, minute.zip(small(value / 100)).map(|(minute, hour)| node(hour, Some(minute), None, Meridian::Full)))
}

fn before_a_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = military(input)?;
    let nought = input.first().and_then(Token::number).is_some_and(|(value, _)| value < 1000);
    let day =
        rest.first().is_some_and(|next| next.is("on") || next.atoms.iter().any(|atom| matches!(atom, Atom::Day(_) | Atom::Weekday(_))));
    some(rest, (nought || day).then_some(node))
}

/// `3:20`, `15:23:24`, `3:20pm`, `3.20pm`, `03:20:00.5`.
fn colon_clock(input: In<'_>) -> Res<'_, Node> {
    let (rest, (hour, hour_digits)) = digits(input)?;
    if hour_digits > 2 || !is_glued(rest) {
        return fail(input);
    }
    let (rest, separator) = mark(":.")(rest)?;
    let (rest, (minute, minute_digits)) = digits(rest)?;
    if minute_digits != 2 || minute > 59 {
        return fail(input);
    }
    let (after, second) = if separator == ':' { maybe(seconds, rest) } else { (rest, None) };
    let leading_zero = input.first().is_some_and(|_| hour_digits == 2 && hour < 10);
    let (end, said) = maybe(half_of_day, after);
    if separator == '.' && said.is_none() {
        return fail(input);
    }
    // "1:100", "10:30:xx" and aspect ratios are no times.
    if said.is_none()
        && matches!(end.first(), Some(next) if next.glued && (next.is_mark(':') || next.kind == Kind::Word && !next.is("ish")))
    {
        return fail(input);
    }
    let (end, _) = if said.is_none() { maybe(word(&["oclock", "hours"]), end) } else { (end, None) };
    let read = of_hour(hour, said).map(|(hour, meridian)| {
        let meridian = if leading_zero && said.is_none() { Meridian::Full } else { meridian };
        node(hour, small(minute), second, meridian)
    });
    some(end, read)
}

fn seconds(input: In<'_>) -> Res<'_, u32> {
    if !is_glued(input) {
        return fail(input);
    }
    let (rest, _) = mark(":")(input)?;
    let (rest, (second, count)) = digits(rest)?;
    let (rest, _) = if let [dot, more, ..] = rest
        && dot.glued
        && dot.is_mark('.')
        && more.glued
        && more.number().is_some()
    {
        (rest.get(2..).unwrap_or_default(), Some(()))
    } else {
        (rest, None)
    };
    some(rest, small(second).filter(|second| count == 2 && *second <= 60))
}

/// `3pm`, `11 a.m.`, `1140 a.m.`, `330 pm`, `seven pm`, `3ish pm`.
fn meridian_clock(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, (value, count))) = digits(input) {
        let (rest, _) = maybe(word(&["ish"]), rest);
        let (rest, _) = maybe(o_clock, rest);
        let (rest, said) = half_of_day(rest)?;
        let (hour, minute) = if count >= 3 { (value / 100, small(value % 100)) } else { (value, None) };
        let ok = count <= 4 && minute.is_none_or(|minute| minute < 60) && (1..=12).contains(&hour);
        return some(rest, of_hour(hour, Some(said)).filter(|_| ok).map(|(hour, meridian)| node(hour, minute, None, meridian)));
    }
    let (rest, hour) = spelled_hour(input)?;
    let (rest, _) = maybe(o_clock, rest);
    let (rest, said) = half_of_day(rest)?;
    some(rest, of_hour(hour, Some(said)).map(|(hour, meridian)| node(hour, None, None, meridian)))
}

fn spelled_hour(input: In<'_>) -> Res<'_, i64> {
    let (rest, hour) = cardinal_word(input)?;
    some(rest, (1..=12).contains(&hour).then_some(hour))
}

fn spelled_minute(input: In<'_>) -> Res<'_, i64> {
    if let Ok((after, ())) = token(|token| matches!(token.norm.as_ref(), "oh" | "o" | "zero" | "ou").then_some(()))(input) {
        let (rest, ones) = cardinal_word(after)?;
        return some(rest, (1..10).contains(&ones).then_some(ones));
    }
    let (rest, minute) = cardinal(input)?;
    some(rest, (10..60).contains(&minute).then_some(minute))
}

/// `seven thirty pm`, `nine fifty nine`, `twelve oh three`, `six forty-three minutes`.
fn spelled_clock(input: In<'_>) -> Res<'_, Node> {
    let (rest, hour) = spelled_hour(input)?;
    let (rest, _) = if is_glued(rest) { maybe(mark("-"), rest) } else { (rest, None) };
    if rest.first().is_some_and(|token| token.number().is_some()) {
        return fail(input);
    }
    let (after, _) = if is_glued(rest) { maybe(mark("-"), rest) } else { (rest, None) };
    let (rest, minute) = spelled_minute(after)?;
    let (rest, _) = if is_glued(rest) { maybe(mark("-"), rest) } else { (rest, None) };
    let (rest, _) = maybe(word(&["minutes"]), rest);
    let (rest, said) = maybe(half_of_day, rest);
    some(rest, of_hour(hour, said).map(|(hour, meridian)| node(hour, small(minute), None, meridian)))
}

fn o_clock(input: In<'_>) -> Res<'_, ()> {
    if let Ok(read) = word(&["oclock"])(input) {
        return Ok(read);
    }
    let (rest, ()) = word(&["o"])(input)?;
    word(&["'clock", "clock"])(rest)
}

/// `8 o'clock`.
fn oclock(input: In<'_>) -> Res<'_, Node> {
    let (rest, hour) = cardinal(input)?;
    let (rest, ()) = o_clock(rest)?;
    let (rest, said) = maybe(half_of_day, rest);
    some(rest, of_hour(hour, said).map(|(hour, meridian)| node(hour, None, None, meridian)))
}

/// `16h00`, `9h30`, `15h`.
fn h_clock(input: In<'_>) -> Res<'_, Node> {
    let (rest, hour) = digits_in(0, 24, 2)(input)?;
    if !is_glued(rest) {
        return fail(input);
    }
    let (rest, ()) = word(&["h"])(rest)?;
    let minute = is_glued(rest).then(|| digits_in(0, 59, 2)(rest).ok()).flatten();
    let (rest, minute) = minute.map_or((rest, 0), |(rest, minute)| (rest, minute));
    let hour = small(hour).unwrap_or(0);
    let (rest, said) = maybe(half_of_day, rest);
    Ok((rest, node(hour, small(minute), None, said.unwrap_or(Meridian::Full))))
}

/// `noon`, `midnight`, `12 noon`.
fn named(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(digits_in(12, 12, 2), input);
    let (rest, _) = maybe(word(&["the"]), rest);
    let (rest, (hour, _)) = named_clock(rest)?;
    let (rest, _) = maybe(word(&["ish"]), rest);
    Ok((rest, node(hour, None, None, if hour == 0 { Meridian::Am } else { Meridian::Full })))
}

/// `half past three`, `a quarter to noon`, `20 past 9`, `twenty after 5pm`, `15 minutes to 2pm`, `half three`.
fn past_to(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["a"]), input);
    let (rest, (minutes, half)) = if let Ok((rest, ())) = word(&["half"])(rest) {
        (rest, (30, true))
    } else if let Ok((rest, ())) = word(&["quarter"])(rest) {
        (rest, (15, false))
    } else {
        let (rest, minutes) = cardinal(rest)?;
        let (after, unit) = maybe(unit, rest);
        match unit {
            Some((Grain::Minute, 1)) => (after, (minutes, false)),
            Some(_) => return fail(input),
            None => (rest, (minutes, false)),
        }
    };
    let said_minutes =
        rest.len() < input.len() && input.get(input.len() - rest.len() - 1).is_some_and(|token| unit(std::slice::from_ref(token)).is_ok());
    let minutes_said = input.len() - rest.len() > 1;
    let (rest, sign) = match token(|token| match token.norm.as_ref() {
        "past" | "after" => Some(1),
        "to" | "til" | "before" | "of" => Some(-1),
        "from" if minutes_said => Some(1),
        _ => None,
    })(rest)
    {
        Ok(read) => read,
        Err(_) if half => (rest, 1),
        Err(error) => return Err(error),
    };
    let (rest, hour) = longest(&[meridian_clock, oclock, named, h_clock, bare_hour], rest)?;
    let Node::Clock(Clock { hour, meridian, minute: None | Some(0), .. }) = hour else { return fail(input) };
    let Some(minutes) = small(minutes).filter(|minutes| (1..60).contains(minutes)) else { return fail(input) };
    // "2 to 4pm" is a range, as is "9 to 5".
    let to_bare = sign < 0 && !said_minutes && !matches!(minutes, 5 | 10 | 15 | 20 | 25);
    if to_bare {
        return fail(input);
    }
    let (hour, minute) = if sign > 0 { (hour, minutes) } else { ((hour + 23) % 24, 60 - minutes) };
    let (hour, meridian) = match (hour, meridian) {
        // "a quarter to 12 pm" is before noon.
        (11, Meridian::Pm) if sign < 0 => (11, Meridian::Am),
        // "a quarter to midnight" is before it, and so is one to 12 am.
        (11 | 23, Meridian::Am) if sign < 0 => (23, Meridian::Full),
        (hour, meridian) => (hour, meridian),
    };
    Ok((rest, node(hour, Some(minute), None, meridian)))
}

/// An hour that only its neighbours make one.
pub(super) fn bare_hour(input: In<'_>) -> Res<'_, Node> {
    let (rest, hour) = match digits(input) {
        Ok((rest, (hour, count))) if count <= 2 && hour <= 24 => (rest, hour),
        Ok(_) => return fail(input),
        Err(_) => spelled_hour(input)?,
    };
    let spoiled = matches!(rest, [next, more, ..] if next.glued && (next.is_mark('.') || next.is_mark(',') || next.is_mark(':') || next.is_mark('/')) && more.glued && more.number().is_some())
        || matches!(rest.first(), Some(next) if next.is_mark('%') || next.glued && next.kind == Kind::Word && !next.is("ish") || next.atoms.iter().any(|atom| matches!(atom, Atom::Unit(..) | Atom::Month(_))) && !next.is("fall"));
    if spoiled {
        return fail(input);
    }
    let (rest, _) = maybe(word(&["ish"]), rest);
    some(rest, of_hour(hour, None).map(|(hour, meridian)| node(hour, None, None, meridian)))
}

/// `0730`, `1030`, `3 15` after "at"; `6.45` after "at".
fn bare_minutes(input: In<'_>) -> Res<'_, Node> {
    let (rest, (value, count)) = digits(input)?;
    let (hour, minute, rest) = match count {
        3 | 4 => (value / 100, value % 100, rest),
        1 | 2 => {
            let (rest, _) = maybe(mark("."), rest);
            let (rest, (minute, digits)) = digits(rest)?;
            if digits != 2 {
                return fail(input);
            }
            (value, minute, rest)
        }
        _ => return fail(input),
    };
    let spoiled = matches!(rest.first(), Some(next) if next.is_mark('%') || next.is_mark('$') || next.is_mark('/')
        || next.kind == Kind::Word && !next.is("ish") && !next.is("on") && !next.is("in") && !next.is("tomorrow") && !next.is("today") && !next.is("tonight") && !next.is("this"));
    let (rest, _) = maybe(word(&["ish"]), rest);
    some(
        rest,
        of_hour(hour, None)
            .filter(|_| minute < 60 && hour < 24 && !spoiled)
            .map(|(hour, meridian)| node(hour, small(minute), None, meridian)),
    )
}

/// A clock time with the part of the day that says which half: `8 in the evening`, `in the morning at 6`, `9 this morning` is elsewhere.
fn clock_in_part(input: In<'_>) -> Res<'_, Node> {
    let any = |input| longest(&[clock, bare_hour], input);
    let (after, at) = maybe(word(&["at", "@"]), input);
    let (after, _) = if at.is_some() { maybe(word(&["about", "around", "exactly"]), after) } else { (input, None) };
    if let Ok((rest, time)) = longest(&[clock, bare_hour, bare_minutes], after) {
        let certain = clock(after).is_ok_and(|(end, _)| end.len() <= rest.len());
        let (next, _) = maybe(mark(","), rest);
        if let Ok((end, day_part)) = in_part(next) {
            let combined = if matches!(time, Node::Clock(Clock { hour: 0, .. })) { time } else { Node::Part(day_part).and(time) };
            return Ok((end, combined));
        }
        let minutes = at.is_some() && matches!(time, Node::Clock(Clock { minute: Some(_), .. }));
        return if certain || minutes { Ok((rest, time)) } else { fail(input) };
    }
    // "in the morning at 6", "in the evening 8 o'clock"
    let (rest, day_part) = in_part(input)?;
    let (rest, _) = maybe(word(&["at", "around", "about"]), rest);
    let (rest, time) = any(rest)?;
    Ok((rest, Node::Part(day_part).and(time)))
}

/// "in the morning", "at night", "early morning".
fn in_part(input: In<'_>) -> Res<'_, DayPart> {
    let (rest, joined) = maybe(word(&["in", "at", "during"]), input);
    let (rest, the) = maybe(word(&["the"]), rest);
    let (rest, early) = maybe(word(&["early", "late"]), rest);
    if joined.is_none() && early.is_none() || the.is_some() && joined.is_none() {
        return fail(input);
    }
    let (rest, part) = part(rest)?;
    some(rest, (!matches!(part, DayPart::Breakfast | DayPart::Lunch | DayPart::Dinner)).then_some(part))
}

/// "in the morning", "late afternoon", "this evening" is a date with it; "early in the morning".
fn part_of_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, joined) = maybe(word(&["in", "at", "during", "over"]), input);
    let (rest, _) = maybe(word(&["the"]), rest);
    section_of_part(rest).or_else(|_| {
        let (rest, day_part) = part(rest)?;
        let meal = matches!(day_part, DayPart::Breakfast | DayPart::Lunch | DayPart::Dinner);
        some(rest, (!meal || joined.is_some()).then_some(Node::Part(day_part)))
    })
}

/// "early morning", "late in the afternoon", "later this evening" without a day.
fn section_of_part(input: In<'_>) -> Res<'_, Node> {
    let (rest, section) = token(|token| {
        Some(match token.norm.as_ref() {
            "early" | "earlier" => Section::Early,
            "late" | "later" => Section::Late,
            "mid" => Section::Mid,
            _ => return None,
        })
    })(input)?;
    let (rest, _) = maybe(mark("-"), rest);
    let (rest, _) = maybe(word(&["in", "at"]), rest);
    let (rest, _) = maybe(word(&["the"]), rest);
    let (rest, hours) = maybe(word(&["hours"]), rest);
    let rest = if hours.is_some() { maybe(word(&["of"]), rest).0 } else { rest };
    let (rest, _) = maybe(word(&["the"]), rest);
    let (rest, day_part) = part(rest)?;
    Ok((rest, Node::Section(section, Box::new(Node::Part(day_part)))))
}

/// "this morning", "tonight", "last night", "tomorrow evening", "Monday afternoon": a part of a day.
pub(super) fn part_of_a_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, late) = maybe(word(&["late", "later"]), input);
    if let Ok((rest, ())) = word(&["tonight", "tonite"])(rest) {
        let tonight = Node::Rel(Which::This, Box::new(Node::Part(DayPart::Night)));
        return Ok((rest, if late.is_some() { Node::Section(Section::Late, Box::new(tonight)) } else { tonight }));
    }
    let (after, section) = maybe(
        token(|token| {
            Some(match token.norm.as_ref() {
                "early" | "earlier" => Section::Early,
                "late" | "later" => Section::Late,
                _ => return None,
            })
        }),
        input,
    );
    let (after, _) = if section.is_some() { maybe(word(&["in"]), after) } else { (after, None) };
    let whole = |node| match section {
        Some(section) => Node::Section(section, Box::new(node)),
        None => node,
    };
    if let Ok((rest, which)) = which(after)
        && let Ok((rest, day_part)) = part(rest)
        && !matches!(day_part, DayPart::Breakfast | DayPart::Dinner | DayPart::Lunch)
    {
        return Ok((rest, whole(Node::Rel(which, Box::new(Node::Part(day_part))))));
    }
    // "late Monday night"
    if section.is_some()
        && let Ok((rest, name)) = weekday(after)
        && let Ok((rest, day_part)) = part(rest)
    {
        return Ok((rest, whole(Node::weekday(name).and(Node::Part(day_part)))));
    }
    if let Ok((rest, ())) = word(&["that"])(after)
        && let Ok((rest, day_part)) = part(rest)
        && !matches!(day_part, DayPart::Breakfast | DayPart::Dinner | DayPart::Lunch)
    {
        return Ok((rest, Node::Anaphora(Box::new(whole(Node::Rel(Which::This, Box::new(Node::Part(day_part))))))));
    }
    // "late last night" is above; "later today", "earlier today"
    if section.is_some()
        && let Ok((rest, 0)) = day_word(after)
    {
        return Ok((rest, whole(Node::This(Grain::Day, 0))));
    }
    fail(input)
}

/// A day with a time, in either order; or a day with a part of it.
pub(super) fn date_time(input: In<'_>) -> Res<'_, Node> {
    once(2, |input| longest(&[day_then_time, time_then_day, iso], input), input)
}

/// Whether a time of day fits on it.
fn takes_time(node: &Node) -> bool {
    let named_month_only = matches!(node, Node::Date(Fields { day: None, weekday: None, .. }));
    node.grain() <= Grain::Day && node.grain() >= Grain::DayPart && !named_month_only
        || matches!(node, Node::Shift { length, .. } if length.grain >= Grain::Day)
}

fn day_then_time(input: In<'_>) -> Res<'_, Node> {
    let (rest, mut node) = longest(&[date, part_of_a_day, day_number, super::phrase::shift], input)?;
    if !takes_time(&node) {
        return fail(input);
    }
    let mut rest = rest;
    let mut found = false;
    // "tomorrow evening", "Monday early in the morning", "june 2 night"
    if node.grain() == Grain::Day
        && let Ok((end, day_part)) = day_part(rest)
    {
        (rest, node, found) = (end, node.and(day_part), true);
        if let Some((end, scope)) = later_scope(rest, &node) {
            (rest, node) = (end, node.and(scope));
        }
    }
    let (after, comma) = maybe(mark(",-"), rest);
    let (after, joined) = maybe(word(&["at", "@", "for", "around", "about", "by"]), after);
    let (after, sign) = if joined.is_none() { maybe(mark("@"), after) } else { (after, None) };
    let (after, _) = maybe(word(&["around", "about", "exactly"]), after);
    let joined_at = (joined.is_some() || sign.is_some()) && !rest.first().is_some_and(|token| token.is("by") || token.is("for"));
    let parsers: &[Rule<Node>] = if joined_at { &[clock_in_part_only, bare_hour, bare_minutes] } else { &[clock_in_part_only] };
    let by = rest.first().is_some_and(|token| token.is("by"));
    if !by
        && let Ok((end, time)) = longest(parsers, after)
        && (comma != Some('-') || is_glued(after))
    {
        let (end, time) = with_zone(end, time);
        // "Oct 26 15:50:06 2016"
        if let (Node::Date(Fields { year: None, month: Some(_), .. }), Ok((after, year))) = (&node, super::number::year(end))
            && end.first().is_some_and(|token| token.number().is_some())
        {
            return Ok((after, node.and(Node::year(year)).and(time)));
        }
        return Ok((end, node.and(time)));
    }
    // "tonight 815"
    if !by
        && joined.is_none()
        && matches!(node, Node::Rel(..))
        && let Ok((end, time)) = bare_minutes(rest)
        && rest.first().is_some_and(|token| token.number().is_some_and(|(_, count)| count >= 3))
    {
        return Ok((end, node.and(time)));
    }
    if found { Ok((rest, node)) } else { fail(input) }
}

fn clock_in_part_only(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = clock_in_part(input)?;
    Ok(with_zone_pair(rest, node))
}

fn with_zone_pair(rest: In<'_>, node: Node) -> (In<'_>, Node) {
    with_zone(rest, node)
}

/// "the 17th at 5": a day of the month that a time follows.
fn day_number(input: In<'_>) -> Res<'_, Node> {
    super::date::day_of_month(input)
}

/// A part of the day straight after a day: "evening", "in the afternoon", "early morning", "am".
fn day_part(input: In<'_>) -> Res<'_, Node> {
    let (after, _) = maybe(mark(","), input);
    if let Ok((rest, node)) = section_of_part(after) {
        return Ok((rest, node));
    }
    let (rest, _) = maybe(word(&["in", "at", "during"]), after);
    let (rest, _) = maybe(word(&["the"]), rest);
    if let Ok((rest, node)) = section_of_part(rest) {
        return Ok((rest, node));
    }
    if let Ok((rest, day_part)) = part(rest) {
        let plural = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.norm.ends_with("gs") || token.norm.ends_with("ns"));
        return some(rest, (!plural).then_some(Node::Part(day_part)));
    }
    let (rest, pm) = meridian(input)?;
    Ok((rest, Node::Part(if pm { DayPart::Afternoon } else { DayPart::Morning })))
}

/// "Friday evening next week".
fn later_scope<'i>(rest: In<'i>, node: &Node) -> Option<(In<'i>, Node)> {
    if node.is_fixed() {
        return None;
    }
    let (after, _) = maybe(word(&["of", "in"]), rest);
    let (end, scope) = longest(&[super::date::relative_unit, definite_unit], after).ok()?;
    (scope.grain() > Grain::Day).then_some((end, scope))
}

fn time_then_day(input: In<'_>) -> Res<'_, Node> {
    let (start, at) = maybe(word(&["at"]), input);
    // "the morning of Christmas"
    if let Ok((after, day_part)) = part(maybe(word(&["the"]), input).0)
        && let Ok((after, ())) = word(&["of"])(after)
        && let Ok((end, day)) = longest(&[date, super::date::day_of_month], after)
        && day.grain() == Grain::Day
    {
        return Ok((end, day.and(Node::Part(day_part))));
    }
    let dotted = at.is_some() && matches!(start.get(1), Some(mark) if mark.is_mark('.'));
    let (rest, time) =
        if dotted { longest(&[clock_in_part_only, bare_minutes], start)? } else { longest(&[clock_in_part_only, bare_before_day], start)? };
    let (after, _) = maybe(mark(",-"), rest);
    let (after, joined) = maybe(word(&["on", "of", "for", "in"]), after);
    let (rest, day) = longest(&[date, part_of_a_day, day_with_part, super::date::day_of_month, super::phrase::shift], after)?;
    // "12:10 in the third set"
    if joined.is_some() && matches!(&day, Node::Date(Fields { day: Some(_), month: None, weekday: None, .. })) && after.len() > 1 {
        let on = input.iter().take(input.len() - after.len()).any(|token| token.is("on") || token.is("of"));
        let spelled = !after.iter().take(after.len() - rest.len()).any(|token| token.number().is_some());
        if !on || spelled {
            return fail(input);
        }
    }
    if !takes_time(&day) || matches!(day, Node::Near(_)) {
        return fail(input);
    }
    // "at" belongs to "at 5 tomorrow" only where nothing else makes the 5 a time.
    if at.is_some() && clock(start).is_ok() && !matches!(start.get(1), Some(mark) if mark.is_mark('.')) {
        return fail(input);
    }
    Ok((rest, day.and(time)))
}

fn day_with_part(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = date(input)?;
    if day.grain() != Grain::Day {
        return fail(input);
    }
    let (rest, part) = day_part(rest)?;
    Ok((rest, day.and(part)))
}

/// "9 tomorrow", "8 tonight", "10, tonight": a number that a day follows.
fn bare_before_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, time) = bare_hour(input)?;
    let (after, _) = maybe(mark(","), rest);
    let follows = after.first().is_some_and(|token| {
        matches!(token.norm.as_ref(), "tomorrow" | "tonight" | "tonite" | "today" | "yesterday")
            || token.is("this") && after.get(1).is_some_and(|next| part(std::slice::from_ref(next)).is_ok())
    });
    some(rest, follows.then_some(time))
}

/// `2019-06-03T10:30:00Z`, `2020-07-01 12:00:00/2020-07-02 18:00:00` is a range elsewhere.
fn iso(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = numeric(input)?;
    if !matches!(day, Node::Date(Fields { year: Some(_), day: Some(_), .. })) || !is_glued(rest) {
        return fail(input);
    }
    let (rest, ()) = word(&["t"])(rest)?;
    let (rest, (hour, hour_digits)) = digits(rest)?;
    let (rest, _) = mark(":")(rest)?;
    let (rest, (minute, _)) = digits(rest)?;
    let (rest, second) = maybe(seconds, rest);
    if hour_digits != 2 || hour > 24 || minute > 59 {
        return fail(input);
    }
    let time = node(small(hour).unwrap_or(0), small(minute), second, Meridian::Full);
    if let Ok((end, ())) = word(&["z"])(rest) {
        return Ok((end, Node::Zoned(Box::new(day.and(time)), Zone::UTC)));
    }
    if is_glued(rest)
        && let Ok((end, east)) = offset(rest)
    {
        return Ok((end, Node::Zoned(Box::new(day.and(time)), east)));
    }
    Ok((rest, day.and(time)))
}
