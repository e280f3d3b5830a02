//! English stretches with one end, and recurring sets. Knows nothing of how dates are spelled.

use super::date::{date, day_of_month, holiday_date, month_date, plain_year};
use super::number::cardinal;
use super::phrase::{base, length, point};
use super::range::date_with_part;
use super::time::{bare_hour, clock, date_time, part_of_a_day, time};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::digits::numeric;
use crate::time::expr::lang::parse::{In, Res, fail, longest, mark, maybe, part, some, token, unit, weekday, word};
use crate::time::expr::symbol::{Bound, DayPart, Node, open as open_of};
use crate::time::expr::token::Kind;

/// "since 2014", "until Friday", "before 5pm", "after Christmas", "by the end of May", "no later than 6:00", "2012 or later", "more than 3 months before today".
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
    let (rest, node) = longest(&[point, plain_year, bare_hour_at_end, meal], rest)?;
    // "after 9 days": from then on.
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

/// "every Monday", "each week", "daily", "every other day", "once a month", "Sundays at 8am", "weekdays".
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
        let on = if night { Some(Node::Part(DayPart::Night)) } else { on };
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
