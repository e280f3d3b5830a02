//! English stretches with one end. Knows nothing of how dates are spelled.

use super::date::{date, plain_year};
use super::phrase::{base, length, point};
use super::range::date_with_part;
use super::time::{bare_hour, date_time, part_of_a_day, time};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::digits::numeric;
use crate::time::expr::lang::parse::{In, Res, fail, longest, mark, maybe, part, some, token, word};
use crate::time::expr::symbol::{Bound, Node, Which, open as open_of};
use crate::time::expr::token::Kind;

/// "since 2014", "until Friday", "before 5pm", "after Christmas", "by the end of May", "no later than 6:00", "2012 or later", "more than 3 months before today".
pub(super) fn open(input: In<'_>) -> Res<'_, Node> {
    longest(&[opening_word, or_later, day_bounded, more_than, compared, as_early_as, formal], input)
}

/// `1985/..`, as EDTF writes it.
fn formal(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = longest(&[numeric, plain_year], input)?;
    let [stroke, one, two, after @ ..] = rest else { return fail(input) };
    let written = stroke.is_mark('/') && one.is_mark('.') && two.is_mark('.') && stroke.glued && one.glued && two.glued;
    let ends = after.first().is_none_or(|next| !next.glued || matches!(next.kind, Kind::Mark(',' | ';' | ')' | '\n')));
    some(after, (written && ends).then(|| open_of(Bound::Since, node)))
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
        let (rest, node) = longest(&[point, plain_year], rest)?;
        // "from 2019 on", "from now on"
        let on = |rest| -> Res<'_, ()> {
            let (rest, ()) = word(&["on", "onward", "onwards", "forward", "forwards"])(rest)?;
            some(
                rest,
                rest.first().is_none_or(|next| next.kind != Kind::Word || next.is("we") || next.is("i") || next.is("they")).then_some(()),
            )
        };
        if first == Some("from")
            && let Ok((end, ())) = on(rest)
        {
            return Ok((end, open_of(Bound::Since, node)));
        }
        let clock_only = matches!(node, Node::Clock(_));
        // "from 2014" alone is read as the year, and "from Monday" as Monday's; from what is to come, something begins.
        let to_come = match &node {
            Node::This(_, offset) => *offset > 0,
            Node::Rel(which, _) => matches!(which, Which::Next | Which::Coming),
            _ => false,
        };
        // "from 5 to 10" is no "5 to 10".
        let hours = clock_only && node.grain() <= Grain::Hour;
        let ok = first != Some("from") || hours || to_come;
        return some(rest, ok.then(|| open_of(Bound::Since, node)));
    }
    if let Ok((rest, ())) = word(&["to", "till", "until"])(input)
        && let Ok((rest, ())) = word(&["date"])(rest)
    {
        return Ok((rest, open_of(Bound::Until, Node::This(Grain::Day, 0))));
    }
    let (rest, bound) = bound_word(input)?;
    let (rest, about) = maybe(word(&["around", "about", "approximately", "circa"]), rest);
    if bound == Bound::Before
        && let Ok((rest, ())) = word(&["last"])(rest)
        && rest.first().is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
    {
        return fail(input);
    }
    // "Cut it by 15 days": by how much, and no deadline.
    let (rest, node) = match bound {
        Bound::By => longest(&[point, plain_year, meal], rest)?,
        _ => longest(&[point, plain_year, bare_hour_at_end, meal], rest)?,
    };
    // "after 9 days": from then on.
    if matches!(node, Node::Open(..)) {
        return fail(input);
    }
    let node = if about.is_some() && !matches!(node, Node::Near(_)) { Node::Near(Box::new(node)) } else { node };
    Ok((rest, open_of(bound, node)))
}

/// "from January 2020", where what stands before it says that something begins.
pub(super) fn from_then_on(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["from"])(input)?;
    let (rest, node) = longest(&[point, plain_year], rest)?;
    some(rest, (!matches!(node, Node::Open(..))).then(|| open_of(Bound::Since, node)))
}

fn meal(input: In<'_>) -> Res<'_, Node> {
    let (rest, part) = part(input)?;
    Ok((rest, Node::Part(part)))
}

fn bare_hour_at_end(input: In<'_>) -> Res<'_, Node> {
    // "after 9 days"
    let (rest, length) = length(input)?;
    some(rest, (length.grain >= Grain::Day).then_some(Node::Shift { length, forward: true, base: None }))
}

/// "2012 or later", "3pm or later on Monday", "year 2009 and greater".
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

/// "Tuesday before 6pm", "next Monday later than 8 in the morning", "3/4/2018 after 6:00".
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

/// "more than 3 months before today", "less than 6 days after tomorrow".
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

/// "year greater than 2008", ">= 2019".
fn compared(input: In<'_>) -> Res<'_, Node> {
    let (after, _) = maybe(word(&["year"]), input);
    if let Ok((rest, greater)) = token(|token| match token.norm.as_ref() {
        "greater" | "larger" | "newer" => Some(true),
        "less" | "smaller" | "older" => Some(false),
        _ => None,
    })(after)
    {
        let (rest, ()) = word(&["than"])(rest)?;
        let (rest, node) = plain_year(rest)?;
        return Ok((rest, open_of(if greater { Bound::After } else { Bound::Before }, node)));
    }
    let (rest, sign) = mark("<>")(input)?;
    let (rest, equal) = maybe(mark("="), rest);
    let (rest, node) = longest(&[plain_year, numeric], rest)?;
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
