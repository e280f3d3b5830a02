//! English ranges, open stretches and recurring sets. Knows nothing of how dates are spelled.

use super::date::{date, day_of_month, definite_unit, month_date, plain_year, relative_unit};
use super::number::{day, year};
use super::phrase::{length, point};
use super::time::{approximate, bare_hour, clock, part_of_a_day, time};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::digits::numeric;
use crate::time::expr::lang::parse::{In, Res, Rule, cardinal_word, digits, fail, longest, mark, maybe, part, some, token, weekday, word};
use crate::time::expr::symbol::{Clock, DayPart, Fields, Meridian, Node, Section, Year, range};
use crate::time::expr::token::Kind;

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
            "since" => Some("since"),
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
        let read = start.get(..start.len() - rest.len()).unwrap_or_default();
        let between = between || read.iter().any(|token| token.is("between"));
        let Ok((after, joined)) = joint(rest, between) else { continue };
        if opening == Some("since") && !rest.first().is_some_and(|token| ["until", "till", "through"].iter().any(|word| token.is(word))) {
            continue;
        }
        let (after, _) = maybe(word(&["around", "about", "of"]), after);
        for (end, to) in ends(after) {
            // "April 5 - Second draft"
            let counts = matches!(&to, Node::Date(fields) if fields.day.is_some() && fields.month.is_none() && fields.weekday.is_none())
                && !after.iter().take(after.len() - end.len()).any(|token| token.number().is_some());
            if joined.is_some() && counts {
                continue;
            }
            // "At 5 to 6" is five minutes to six.
            let at = input.first().is_some_and(|token| token.is("at")) && is_bare(&from) && is_bare(&to);
            let spelled = opening.is_none() && to_the_hour(start);
            if (at || spelled) && is_bare(&from) && joined.is_none() {
                continue;
            }
            // "Mon-Fri 9-5": hours after the days.
            let dashed = joined.is_some() && after.iter().take(after.len() - end.len()).any(|token| token.is_mark('-'));
            if dashed && matches!(from, Node::Date(fields) if fields.is_bare_weekday()) {
                continue;
            }
            if let Some(node) = join(&from, &to, joined, opening)
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
    // "May 5-9, 2018"
    if let Node::Range(from, to) = &node
        && let (Node::Date(one), Node::Date(two)) = (&**from, &**to)
        && matches!((one.month, two.month, one.year, two.year), (Some(_), Some(_), None, None))
        && let Ok((end, named)) = year(maybe(mark(","), rest).0)
        && matches!(named, Year::Full(_))
    {
        let of = |fields: &Fields| Node::Date(Fields { year: Some(named), ..*fields });
        (rest, node) = (end, range(of(one), of(two)));
    }
    // "4-23 in next month"
    if let Node::Range(from, to) = &node
        && matches!((&**from, &**to), (Node::Date(a), Node::Date(b)) if a.month.is_none() && b.month.is_none() && a.day.is_some() && b.day.is_some())
    {
        let (after, _) = maybe(word(&["in", "of"]), rest);
        let read = start.get(..start.len() - rest.len()).unwrap_or_default();
        let ordinals = read.iter().filter(|token| matches!(token.norm.as_ref(), "st" | "nd" | "rd" | "th")).count();
        if let Ok((end, scope)) = longest(&[relative_unit, definite_unit], after) {
            (rest, node) = (end, scope.and(node));
        } else if ordinals < 2 {
            // Without a month they may be hours: "from 9 to 5".
            return hours(input);
        }
    }
    Ok((rest, node))
}

/// "some time between 3 May and 9 May": one moment, and no stretch.
pub(super) fn sometime(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["sometime"])(input).or_else(|_| {
        let (rest, ()) = word(&["some"])(input)?;
        word(&["time"])(rest)
    })?;
    let opened = rest.first().is_some_and(|token| token.is("between") || token.is("from"));
    let (rest, node) = ranges(rest)?;
    some(rest, (opened && matches!(node, Node::Range(..))).then(|| Node::Section(Section::Some, Box::new(node))))
}

/// "the night of 12 to 13 June", "the night of Friday to Saturday": that of the first of two days that follow each other.
pub(super) fn night_between(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, ()) = word(&["night"])(rest)?;
    let (rest, ()) = word(&["of", "between", "from"])(rest)?;
    let (rest, from) = longest(&[date, loose_end], rest)?;
    let (rest, ()) = mark("-~/")(rest).map(|(rest, _)| (rest, ())).or_else(|_| word(&["to", "and", "into", "through"])(rest))?;
    let (rest, to) = longest(&[date, loose_end], rest)?;
    let Node::Range(from, to) = range(from, to) else { return fail(input) };
    let follows = match (&*from, &*to) {
        (Node::Date(one), Node::Date(two)) => match (one.day, two.day) {
            (Some(one), Some(two)) => two == one + 1 || two == 1 && one >= 28,
            (None, None) => one.weekday.zip(two.weekday).is_some_and(|(one, two)| two == one % 7 + 1),
            _ => false,
        },
        _ => false,
    };
    let from = match (*from, *to) {
        (Node::Date(one @ Fields { year: None, .. }), Node::Date(Fields { year: Some(Year::Full(year)), month: Some(1..=12), .. })) => {
            let turn = matches!(one, Fields { month: Some(12), day: Some(31), .. });
            Node::Date(Fields { year: Some(Year::Full(year - i32::from(turn))), ..one })
        }
        (from, _) => from,
    };
    some(rest, follows.then(|| from.and(Node::Part(DayPart::Night))))
}

/// From one time of day to another, and nothing of days: "from 9 to 5", "3-4:30pm".
pub(super) fn hours(input: In<'_>) -> Res<'_, Node> {
    let (start, _) = maybe(mark(","), input);
    let (start, opening) = maybe(token(|token| if token.is("from") { Some(false) } else { token.is("between").then_some(true) }), start);
    // "10 to 6 daily" is no ten minutes to six each day.
    let begin = |parser: Rule<Node>| {
        let (rest, from) = parser(start)?;
        Ok((joint(rest, opening == Some(true))?.0, from))
    };
    let (rest, from) = begin(clock).or_else(|_: nom::Err<()>| begin(bare_hour))?;
    let (rest, to) = longest(&[clock, bare_hour], rest)?;
    let counts = rest.first().is_some_and(|next| next.glued && !matches!(next.kind, Kind::Mark('.' | ',' | ';' | '!' | '?' | ')' | '\n')));
    some(rest, (!counts).then(|| range(from, to)))
}

/// Whether it is a range between two bare numbers that may be hours: "9 to 5".
pub(super) fn is_bare_hours(node: &Node) -> bool {
    matches!(node, Node::Range(from, to) if is_bare(from) && is_bare(to))
}

fn is_bare(node: &Node) -> bool {
    matches!(node, Node::Clock(Clock { minute: None, meridian: Meridian::Either | Meridian::Full, .. }))
}

fn in_the_part(input: In<'_>) -> Res<'_, DayPart> {
    let (rest, ()) = word(&["in"])(input)?;
    let (rest, _) = maybe(word(&["the"]), rest);
    part(rest)
}

pub(super) fn date_with_part(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = date(input)?;
    if day.grain() != Grain::Day {
        return fail(input);
    }
    let (rest, _) = maybe(word(&["in"]), rest);
    let (rest, _) = maybe(word(&["the"]), rest);
    let (rest, part) = part(rest)?;
    Ok((rest, day.and(Node::Part(part))))
}

/// "Ten to five" in words, which is a time rather than a range.
pub(super) fn to_the_hour(input: In<'_>) -> bool {
    let minutes = cardinal_word(input).is_ok_and(|(_, minutes)| matches!(minutes, 5 | 10 | 20 | 25));
    minutes && clock(input).is_ok_and(|(rest, _)| input.get(1).is_some_and(|token| token.is("to")) && input.len() - rest.len() == 3)
}

/// What a range may begin with, each reading of it.
fn starts(input: In<'_>) -> Vec<(In<'_>, Node)> {
    readings(&[point, day_and_hour, loose_end, bare_hour, month_date, plain_year], input)
}

/// What each parser reads, every reading once.
fn readings<'i>(parsers: &[Rule<Node>], input: In<'i>) -> Vec<(In<'i>, Node)> {
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
    let meridian = if hour > 12 { Meridian::Full } else { Meridian::Either };
    let read = u32::try_from(hour).ok().zip(u32::try_from(minute).ok());
    let clock = read.map(|(hour, minute)| Node::Clock(Clock { hour, minute: Some(minute), second: None, meridian }));
    some(rest, clock.filter(|_| hours <= 2 && minutes == 2 && hour < 24 && minute < 60))
}

/// `0730` in a range of such.
fn four_digits(input: In<'_>) -> Res<'_, Node> {
    let (rest, (value, count)) = digits(input)?;
    let (hour, minute) = (value / 100, value % 100);
    let meridian = if hour > 12 { Meridian::Full } else { Meridian::Either };
    let read = u32::try_from(hour).ok().zip(u32::try_from(minute).ok());
    let clock = read.map(|(hour, minute)| Node::Clock(Clock { hour, minute: Some(minute), second: None, meridian }));
    some(rest, clock.filter(|_| count == 4 && hour < 24 && minute < 60 && input.first().is_some_and(|_| !(10..=12).contains(&hour))))
}

fn ends(input: In<'_>) -> Vec<(In<'_>, Node)> {
    let to_date: Rule<Node> = |input| {
        let (rest, ()) = word(&["date"])(input)?;
        Ok((rest, Node::This(Grain::Day, 0)))
    };
    // "to the present", "to this day"
    let to_now: Rule<Node> = |input| {
        let (rest, _) = maybe(word(&["the"]), input);
        let (rest, ()) = word(&["present", "present-day"])(rest)?;
        let (rest, _) = maybe(word(&["day"]), rest);
        Ok((rest, Node::Now))
    };
    let to_weekday: Rule<Node> = |input| {
        let (rest, name) = weekday(input)?;
        Ok((rest, Node::weekday(name)))
    };
    readings(&[point, to_weekday, loose_end, bare_hour, clock, dotted, plain_year, to_date, to_now], input)
}

/// "to", "until", "-"…; the mark if it is a mere mark.
fn joint(input: In<'_>, between: bool) -> Res<'_, Option<char>> {
    if let Ok((rest, found)) = mark("-~/")(input) {
        return Ok((rest, Some(found)));
    }
    let (rest, _) = maybe(mark(","), input);
    let (rest, all) = maybe(word(&["all"]), rest);
    let (rest, _) = if all.is_some() { maybe(word(&["the"]), rest) } else { maybe(word(&["up", "on"]), rest) };
    let (rest, _) = maybe(word(&["way"]), rest);
    if let Ok((rest, ())) = word(&["to", "till", "til", "until", "untill", "through", "thru"])(rest) {
        return Ok((rest, None));
    }
    if !between {
        return fail(input);
    }
    let (rest, ()) = word(&["and"])(input)?;
    Ok((rest, None))
}

/// Whether the two ends make a range, and which.
fn join(from: &Node, to: &Node, joined: Option<char>, opening: Option<&str>) -> Option<Node> {
    let loose = joined.is_some();
    let clocks = (from.grain().is_clock(), to.grain().is_clock());
    // A slash is of a date unless both ends are whole.
    if joined == Some('/') && !(from.is_fixed() && to.is_fixed()) {
        return None;
    }
    let day_only = |node: &Node| matches!(node, Node::Date(Fields { day: Some(_), month: None, weekday: None, year: None, .. }));
    let year_only = |node: &Node| matches!(node, Node::Date(Fields { day: None, month: None, weekday: None, year: Some(_), .. }));
    if matches!(from, Node::Open(..) | Node::Every { .. }) || matches!(to, Node::Open(..) | Node::Every { .. }) {
        return None;
    }
    // "the second to last Friday" counts.
    if day_only(from) && matches!(to, Node::Date(Fields { day: None, .. }) | Node::Rel(..) | Node::Nth { .. }) {
        return None;
    }
    if day_only(from) && day_only(to) {
        return opening.is_some().then(|| range(from.clone(), to.clone()));
    }
    // "January 12 - 2016" and "2019 - 5" are no ranges.
    if day_only(from) && (year_only(to) || clocks.1) || day_only(to) && (year_only(from) || clocks.0) {
        return None;
    }
    if year_only(from) && matches!(from, Node::Date(_)) && clocks.1 && !matches!(to, Node::Now) || year_only(to) && clocks.0 {
        return None;
    }
    if clocks.0 && !clocks.1 && !matches!(from, Node::Now | Node::And(..) | Node::Rel(..)) && to.grain() > Grain::Day {
        return None;
    }
    // "2019 - now", but not "3 May - now we know".
    if loose && (matches!(from, Node::Now) || matches!(to, Node::Now) && !year_only(from)) {
        return None;
    }
    // A dash between a day and a time of day is no range: "3/4 - 5pm".
    if loose && !clocks.0 && clocks.1 && !matches!(to, Node::Now) {
        return None;
    }
    let weekday_then_day = matches!((from, to), (Node::Date(Fields { weekday: Some(_), day: None, .. }), _)) && day_only(to);
    let to_a_year = year_only(to) || matches!(to, Node::Now | Node::Date(Fields { year: Some(_), .. }));
    if weekday_then_day || year_only(from) && loose && !to_a_year {
        return None;
    }
    if let (Node::Date(a), Node::Date(b)) = (from, to)
        && let (Some(Year::Full(one)), Some(Year::Full(two))) = (a.year, b.year)
        && one > two
    {
        return None;
    }
    Some(range(from.clone(), to.clone()))
}

/// "from 10 am for 3 hours", "for 6 days from 2nd May", "3 days starting from Monday", "7pm for 50 mins".
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
    // "6th June for 4 hours from 8:15am"
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

/// Digits that are a date range in themselves.
pub(super) fn numeric_range(input: In<'_>) -> Res<'_, Node> {
    let (rest, from) = numeric(input)?;
    let (rest, _) = mark("-/~")(rest)?;
    let (rest, to) = numeric(rest)?;
    Ok((rest, range(from, to)))
}

/// "2010-15", "the 2019/20 season": two years, the second by its last digits.
pub(super) fn short_years(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(word(&["the"]), input);
    let (rest, (first, four)) = digits(rest)?;
    let (after, joined) = mark("-/")(rest)?;
    let (end, (second, two)) = digits(after)?;
    let glued = rest.first().is_some_and(|token| token.glued) && after.first().is_some_and(|token| token.glued);
    let more = end.get(1).is_some_and(|more| more.glued && (more.number().is_some() || more.kind == Kind::Word));
    let goes_on = matches!(end.first(), Some(next) if next.glued && (next.kind == Kind::Word || more && matches!(next.kind, Kind::Mark('-' | '/' | '.' | ':'))));
    if four != 4 || two != 2 || !glued || goes_on || !(1800..2100).contains(&first) {
        return fail(input);
    }
    // Up to 12 it may be a month.
    let season = end
        .first()
        .is_some_and(|next| ["season", "school", "academic", "financial", "fiscal", "campaign"].iter().any(|word| next.is(word)));
    let ok = if joined == '/' { second == (first + 1) % 100 && (second > 12 || season) } else { second > first % 100 && second > 12 };
    let full = |value: i64| i32::try_from(value).ok().map(|value| Node::year(Year::Full(value)));
    let years = full(first).zip(full(first - first % 100 + second)).filter(|_| ok);
    some(end, years.map(|(from, to)| range(from, to)))
}
