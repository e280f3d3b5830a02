//! English recurring times: every so often, on these days, so many times. Knows nothing of how dates are spelled.

use super::date::{day_of_month, month_date};
use super::number::{cardinal, ordinal};
use super::range::{hours, is_bare_hours, to_the_hour};
use super::time::{bare_hour, clock, time};
use super::wide::holiday_date;
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::parse::{In, Res, fail, longest, mark, maybe, part, season, some, token, unit, weekday, word};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{DayPart, Fields, Node};

/// "every Monday", "each week", "daily", "every other day", "three times a month", "Sundays at 8am", "weekdays from 9 to 5",
/// "the third Friday of every month", "every year on 4 May".
pub(super) fn set(input: In<'_>) -> Res<'_, Node> {
    let (mut rest, mut node) = longest(
        &[
            hours_of_days,
            every,
            adverb,
            so_often,
            plural_days,
            plural_parts,
            date_of_every,
            nth_of_every,
            alternate,
            every_nth_of_the,
            opening_hours,
        ],
        input,
    )?;
    if let Some((after, on)) = fixed_on(rest, &node) {
        (rest, node) = (after, node.and(on));
    }
    // "every day from 9 to 5"
    if let Ok((end, hours)) = hours(rest) {
        return Ok((end, node.and(hours)));
    }
    let (after, _) = maybe(word(&["at", "around"]), rest);
    if let Ok((end, time)) = longest(&[time, bare_hour], after)
        && (rest.len() > after.len() || clock(after).is_ok() || part(after).is_ok())
    {
        (rest, node) = (end, node.and(time));
    }
    Ok((rest, node))
}

fn recurring(interval: i64, grain: Grain, on: Option<Node>) -> Node {
    Node::Every { interval, grain, on: on.map(Box::new) }
}

/// On which of its days a set falls: "every year on 4 May", "each month on the 3rd", "weekly on Mondays", "each year in July".
fn fixed_on<'i>(input: In<'i>, node: &Node) -> Option<(In<'i>, Node)> {
    let Node::Every { grain, on: None, .. } = node else { return None };
    let (rest, ()) = word(&["on", "in"])(input).ok()?;
    let (end, on) = match grain {
        Grain::Year => longest(&[month_date, holiday_date, season_name], maybe(word(&["the"]), rest).0).ok()?,
        Grain::Month => longest(&[day_of_month, the_nth], rest).ok()?,
        Grain::Week => weekdays(rest).ok()?,
        _ => return None,
    };
    (!matches!(on, Node::Date(Fields { year: Some(_), .. }))).then_some((end, on))
}

fn is_unit(input: In<'_>, wanted: Grain) -> Res<'_, ()> {
    token(|token| token.atoms.contains(&Atom::Unit(wanted, 1)).then_some(()))(input)
}

/// Monday to Friday, as English calls them.
fn working_days(input: In<'_>) -> Res<'_, Node> {
    let days = || Node::Range(Box::new(Node::weekday(1)), Box::new(Node::weekday(5)));
    if let Ok((rest, ())) = word(&["weekday", "weekdays", "workday", "workdays"])(input) {
        return Ok((rest, days()));
    }
    let (rest, ()) = word(&["business", "working", "work", "week"])(input)?;
    let (rest, ()) = is_unit(rest, Grain::Day)?;
    Ok((rest, days()))
}

/// One weekday or a list: "Monday", "Monday, Wednesday and Friday".
fn weekdays(input: In<'_>) -> Res<'_, Node> {
    let one = |input| -> Res<'_, Node> { weekday(input).map(|(rest, name)| (rest, Node::weekday(name))) };
    let (mut rest, mut node) = one(input)?;
    for _ in 0..6 {
        let (after, comma) = maybe(mark(",/&"), rest);
        let (after, joined) = maybe(word(&["and", "or"]), after);
        if comma.is_none() && joined.is_none() {
            break;
        }
        let (after, _) = maybe(word(&["every", "each"]), after);
        let Ok((end, more)) = one(after) else { break };
        // "every Monday, Friday 3 May"
        if end.first().is_some_and(|next| next.number().is_some() || next.atoms.iter().any(|atom| matches!(atom, Atom::Month(_)))) {
            break;
        }
        (rest, node) = (end, node.and(more));
    }
    Ok((rest, node))
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
        let (rest, ()) = word(&["days", "nights"])(rest)?;
        return Ok((rest, timed(recurring(1, Grain::Day, None))));
    }
    let (rest, other) = maybe(word(&["other", "second", "alternate"]), rest);
    // "every third Monday", "every 4th week"
    let nth = |input| -> Res<'_, i64> {
        let (rest, n) = ordinal(input)?;
        some(rest, (n > 1).then_some(n))
    };
    let (rest, count) = if other.is_some() {
        (rest, Some(2))
    } else {
        match nth(rest) {
            Ok((rest, n)) => (rest, Some(n)),
            Err(_) => maybe(cardinal, rest),
        }
    };
    if count == Some(0) {
        return fail(input);
    }
    let interval = count.unwrap_or(1).clamp(1, 10_000);
    if let Ok((rest, days)) = working_days(rest) {
        return some(rest, (interval == 1).then(|| timed(recurring(1, Grain::Week, Some(days)))));
    }
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
    if let Ok((rest, on)) = weekdays(rest) {
        let on = match part(rest) {
            Ok((end, day_part)) => return Ok((end, recurring(interval, Grain::Week, Some(on.and(Node::Part(day_part)))))),
            Err(_) => on,
        };
        return Ok((rest, timed(recurring(interval, Grain::Week, Some(on)))));
    }
    let (rest, on) = longest(&[month_date, holiday_date, season_name], rest)?;
    Ok((rest, timed(recurring(interval, Grain::Year, Some(on)))))
}

fn season_name(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = season(input)?;
    Ok((rest, Node::Season(name)))
}

/// "alternate Fridays", "alternate days".
fn alternate(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["alternate", "alternating"])(input)?;
    if let Ok((rest, on)) = weekdays(rest) {
        return Ok((rest, recurring(2, Grain::Week, Some(on))));
    }
    let (rest, (grain, times)) = unit(rest)?;
    some(
        rest,
        (times == 1 && grain >= Grain::Day).then(|| match grain {
            Grain::Weekend => recurring(2, Grain::Week, Some(Node::Weekend)),
            grain => recurring(2, grain, None),
        }),
    )
}

/// "daily", "bi-weekly", "3 pm daily".
fn adverb(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, time)) = clock(input) {
        let (rest, set) = bare_adverb(rest)?;
        return some(rest, matches!(set, Node::Every { interval: 1, grain: Grain::Day, .. }).then(|| set.and(time)));
    }
    bare_adverb(input)
}

fn bare_adverb(input: In<'_>) -> Res<'_, Node> {
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

/// "once a week", "twice a month", "three times every year", "several times a day", "once every three months".
fn so_often(input: In<'_>) -> Res<'_, Node> {
    let many = |input| -> Res<'_, Option<u32>> {
        let (rest, _) = maybe(word(&["a"]), input);
        if let Ok((rest, ())) = word(&["several", "few", "multiple", "many"])(rest) {
            return Ok((rest, None));
        }
        if let Ok((rest, ())) = word(&["couple"])(rest) {
            return Ok((maybe(word(&["of"]), rest).0, Some(2)));
        }
        let (rest, n) = cardinal(input)?;
        some(rest, u32::try_from(n).ok().filter(|n| (2..=1000).contains(n)).map(Some))
    };
    let (rest, times) = if let Ok((rest, ())) = word(&["once", "one"])(input) {
        (rest, None)
    } else if let Ok((rest, ())) = word(&["twice"])(input) {
        (rest, Some(2))
    } else {
        let (rest, times) = many(input)?;
        let (rest, ()) = word(&["times", "x"])(rest)?;
        (rest, times)
    };
    let (rest, each) = token(|token| match token.norm.as_ref() {
        "a" | "an" | "per" => Some(false),
        "every" | "each" => Some(true),
        _ => None,
    })(rest)?;
    // "once every Monday" is every Monday.
    if each && times.is_none() {
        let before = input.get(input.len() - rest.len() - 1..).unwrap_or_default();
        return every(before);
    }
    let (rest, count) = if each { maybe(cardinal, rest) } else { (rest, None) };
    let (rest, (grain, own)) = unit(rest)?;
    // "one day a week" speaks of no day.
    let interval = count.unwrap_or(1).clamp(1, 10_000).saturating_mul(own);
    Ok((rest, recurring(interval, grain, times.map(Node::Times))))
}

/// "Tuesdays", "Mondays and Thursdays", "Friday mornings", "weekends", "weekdays", "Mondays to Fridays".
fn plural_days(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["weekends"])(input) {
        return Ok((rest, recurring(1, Grain::Week, Some(Node::Weekend))));
    }
    let plural = |token: Option<&crate::time::expr::token::Token<'_>>| token.is_some_and(|token| token.norm.ends_with("days"));
    if let Ok((rest, days)) = working_days(input) {
        let last = input.get(input.len() - rest.len() - 1);
        if let Ok((end, day_part)) = part(rest) {
            let parts = rest.first().is_some_and(|token| token.norm.ends_with('s'));
            return some(end, parts.then(|| recurring(1, Grain::Week, Some(days.and(Node::Part(day_part))))));
        }
        // "Work days" and "business days" are lengths.
        let named = input.first().is_some_and(|token| token.norm.starts_with("week") || token.norm.starts_with("workday"));
        // "two office workdays per week" are so many of them.
        let counted = matches!(rest, [per, ..] if per.is("per"))
            || matches!(rest, [a, unit, ..] if a.is("a") && is_unit(std::slice::from_ref(unit), Grain::Week).is_ok());
        return some(rest, (plural(last) && named && !counted).then(|| recurring(1, Grain::Week, Some(days))));
    }
    if let Ok((after, from)) = weekday(input)
        && plural(input.first())
        && let Ok((after, ())) = word(&["to", "through", "thru"])(after)
        && let Ok((rest, to)) = weekday(after)
    {
        let days = Node::Range(Box::new(Node::weekday(from)), Box::new(Node::weekday(to)));
        return Ok((rest, recurring(1, Grain::Week, Some(days))));
    }
    let (rest, days) = weekdays(input)?;
    let read = input.get(..input.len() - rest.len()).unwrap_or_default();
    // "Monday and Thursday evenings"
    if let Ok((end, day_part)) = part(rest)
        && rest.first().is_some_and(|token| token.norm.ends_with('s'))
    {
        return Ok((end, recurring(1, Grain::Week, Some(days.and(Node::Part(day_part))))));
    }
    // A list of them is one set only where each is a plural.
    let all_plural =
        read.iter().filter(|token| token.atoms.iter().any(|atom| matches!(atom, Atom::Weekday(_)))).all(|token| plural(Some(token)));
    let (rest, days) = if all_plural { (rest, days) } else { weekday(input).map(|(rest, name)| (rest, Node::weekday(name)))? };
    if let Ok((end, day_part)) = part(rest) {
        let parts = rest.first().is_some_and(|token| token.norm.ends_with('s'));
        return some(end, (parts || plural(input.first())).then(|| recurring(1, Grain::Week, Some(days.and(Node::Part(day_part))))));
    }
    some(rest, plural(input.first()).then(|| recurring(1, Grain::Week, Some(days))))
}

/// "Mon-Fri 9:30-17:00", "Monday to Saturday, 9 to 5": the hours of each of those days.
fn opening_hours(input: In<'_>) -> Res<'_, Node> {
    let (rest, from) = weekday(input)?;
    let (rest, ()) = mark("-~")(rest).map(|(rest, _)| (rest, ())).or_else(|_| word(&["to", "through", "thru"])(rest))?;
    let (rest, to) = weekday(rest)?;
    let (rest, _) = maybe(mark(":"), rest);
    let (rest, hours) = hours(rest)?;
    // "Mon-Fri 13-17 May" are days of the month.
    let dated = rest.first().is_some_and(|next| next.atoms.iter().any(|atom| matches!(atom, Atom::Month(_))));
    if dated {
        return fail(input);
    }
    let days = Node::Range(Box::new(Node::weekday(from)), Box::new(Node::weekday(to)));
    Ok((rest, recurring(1, Grain::Week, Some(days)).and(hours)))
}

/// "9am to 5pm on weekdays", "9-17 Mon-Fri", "from 10 to 6 every Saturday": the hours before the days.
fn hours_of_days(input: In<'_>) -> Res<'_, Node> {
    if to_the_hour(input) {
        return fail(input);
    }
    let (rest, hours) = hours(input)?;
    let (rest, _) = maybe(mark(","), rest);
    let (rest, _) = maybe(word(&["on"]), rest);
    let (rest, days) = longest(&[every, bare_adverb, plural_days, day_range], rest)?;
    let each =
        matches!(&days, Node::Every { interval: 1, grain: Grain::Day, on: None } | Node::Every { grain: Grain::Week, on: Some(_), .. });
    // "Take 1 to 2 daily" counts; bare hours are known by their end, before their beginning or after noon.
    let counts = match &hours {
        Node::Range(from, to) if is_bare_hours(&hours) => match (&**from, &**to) {
            (Node::Clock(from), Node::Clock(to)) => from.hour < to.hour && to.hour <= 12,
            _ => false,
        },
        _ => false,
    };
    some(rest, (each && !counts).then(|| days.and(hours)))
}

/// "Mon-Fri", "Monday to Saturday".
fn day_range(input: In<'_>) -> Res<'_, Node> {
    let (rest, from) = weekday(input)?;
    let (rest, ()) = mark("-~")(rest).map(|(rest, _)| (rest, ())).or_else(|_| word(&["to", "through", "thru"])(rest))?;
    let (rest, to) = weekday(rest)?;
    // "Mon-Fri 13-17 May" are days of the month.
    let dated = rest.first().is_some_and(|next| next.number().is_some() || next.atoms.iter().any(|atom| matches!(atom, Atom::Month(_))));
    let days = Node::Range(Box::new(Node::weekday(from)), Box::new(Node::weekday(to)));
    some(rest, (!dated).then(|| recurring(1, Grain::Week, Some(days))))
}

/// "in the mornings", "evenings": each of them; whether the bare word is spoken of as a time is for the guards to say.
fn plural_parts(input: In<'_>) -> Res<'_, Node> {
    let (rest, joined) = maybe(word(&["in", "during", "on"]), input);
    let (rest, _) = if joined.is_some() { maybe(word(&["the"]), rest) } else { (rest, None) };
    let (after, day_part) = part(rest)?;
    let many = rest.first().is_some_and(|token| ["mornings", "afternoons", "evenings"].iter().any(|word| token.is(word)));
    some(after, many.then(|| recurring(1, Grain::Day, Some(Node::Part(day_part)))))
}

/// "the 19th of every month".
fn date_of_every(input: In<'_>) -> Res<'_, Node> {
    let (rest, on) = day_of_month(input)?;
    let (rest, ()) = word(&["of", "in"])(rest)?;
    let (rest, ()) = word(&["every", "each"])(rest)?;
    let (rest, (grain, _)) = unit(rest)?;
    Ok((rest, recurring(1, grain, Some(on))))
}

/// Which weekdays, weekends or days of something: "the third Friday", "the first and third Saturday", "the last day".
fn the_nth(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let one = |input| -> Res<'_, i64> {
        if let Ok((rest, ())) = word(&["last"])(input) {
            return Ok((rest, -1));
        }
        let (rest, n) = ordinal(input)?;
        some(rest, (1..=5).contains(&n).then_some(n))
    };
    let (mut rest, first) = one(rest)?;
    let mut numbers = vec![first];
    for _ in 0..4 {
        let (after, comma) = maybe(mark(",&"), rest);
        let (after, joined) = maybe(word(&["and", "or"]), after);
        let (after, _) = maybe(word(&["the"]), after);
        if comma.is_none() && joined.is_none() {
            break;
        }
        let Ok((end, n)) = one(after) else { break };
        numbers.push(n);
        rest = end;
    }
    let (rest, of) = if let Ok((rest, name)) = weekday(rest) {
        (rest, Node::weekday(name))
    } else if let Ok((rest, days)) = working_days(rest) {
        (rest, days)
    } else if let Ok((rest, ())) = is_unit(rest, Grain::Weekend) {
        (rest, Node::Weekend)
    } else {
        let (rest, ()) = is_unit(rest, Grain::Day)?;
        (rest, Node::This(Grain::Day, 0))
    };
    let nth = |n: i64| Node::Nth { n, count: 1, unit: Box::new(of.clone()), of: Box::new(Node::This(Grain::Month, 0)) };
    let all = numbers.into_iter().map(nth).reduce(|one, other| Node::And(Box::new(one), Box::new(other)));
    some(rest, all)
}

/// "the third Friday of every month", "the last Sunday of each quarter".
fn nth_of_every(input: In<'_>) -> Res<'_, Node> {
    let (rest, on) = the_nth(input)?;
    let (rest, ()) = word(&["of", "in"])(rest)?;
    let (rest, ()) = word(&["every", "each"])(rest)?;
    let (rest, (grain, times)) = unit(rest)?;
    some(rest, (times == 1 && grain >= Grain::Month).then(|| recurring(1, grain, Some(on))))
}

/// "every first Monday of the month", "each last Friday of a quarter".
fn every_nth_of_the(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["every", "each"])(input)?;
    let (rest, on) = the_nth(rest)?;
    let (rest, ()) = word(&["of", "in"])(rest)?;
    let (rest, ()) = word(&["the", "a", "every", "each"])(rest)?;
    let (rest, (grain, times)) = unit(rest)?;
    some(rest, (times == 1 && grain >= Grain::Month).then(|| recurring(1, grain, Some(on))))
}
