//! Japanese times of day, and the points that dates and times make. Knows nothing of ranges, shifts or durations.

use super::date::{date, numbered, of};
use crate::time::Zone;
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::en;
use crate::time::expr::lang::parse::{
    In, Res, fail, longest, mark, maybe, meridian, named_clock, once, part, small, some, token, word, zone,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Clock, DayPart, Fields, Length, Meridian, Node, Section};
use crate::time::expr::token::Kind;

/// A time of day: `午後3時20分`, `朝8時`, `7時半`, `15:20`, `正午`, `夜の8時`.
pub(super) fn clock(input: In<'_>) -> Res<'_, Node> {
    once(34, any_clock, input)
}

fn any_clock(input: In<'_>) -> Res<'_, Node> {
    let (rest, half) = maybe(meridian, input);
    let (rest, day_part) = if half.is_none() { maybe(part, rest) } else { (rest, None) };
    // "早朝午前5時"
    let (rest, half) = if half.is_none() && day_part.is_some() { maybe(meridian, of(rest)) } else { (rest, half) };
    let rest = if half.is_some() || day_part.is_some() { of(rest) } else { rest };
    let said = match half {
        Some(true) => Meridian::Pm,
        Some(false) => Meridian::Am,
        None => Meridian::Either,
    };
    let hours = rest;
    let (rest, node) = longest(&[kanji_clock, digit_clock, named], rest)?;
    let Node::Clock(clock) = node else { return fail(input) };
    let (rest, clock) = minutes_before(rest, clock).unwrap_or((rest, clock));
    let meridian = match (said, clock.meridian) {
        (Meridian::Either, own) => own,
        // 午後0時10分前 is before noon.
        (Meridian::Pm, Meridian::Full) if clock.hour == 23 && numbered(hours, &["時"], 0, 0).is_ok() => Meridian::Am,
        (said, _) if clock.hour <= 12 => said,
        (_, own) => own,
    };
    let hour = if meridian == Meridian::Am && clock.hour == 23 { 11 } else { clock.hour };
    let node = Node::Clock(Clock { hour, meridian, ..clock });
    let node = match day_part {
        Some(day_part) if meridian == Meridian::Either => Node::Part(day_part).and(node),
        _ => node,
    };
    let (rest, _) = maybe(word(&["ちょうど", "きっかり", "ぴったり"]), rest);
    Ok(match zone_after(rest) {
        Ok((rest, east)) => (rest, Node::Zoned(Box::new(node), east)),
        Err(_) => (rest, node),
    })
}

/// `JST`, `（日本時間）`, after a time of day.
fn zone_after(input: In<'_>) -> Res<'_, Zone> {
    if let Ok(read) = zone(input) {
        return Ok(read);
    }
    let (rest, _) = mark("(")(input)?;
    let (rest, east) = zone(rest)?;
    Ok((mark(")")(rest)?.0, east))
}

/// The night is counted on to this hour of the day it began on.
const LATEST: i64 = 29;

fn kanji_clock(input: In<'_>) -> Res<'_, Node> {
    let (rest, hour) = numbered(input, &["時"], 0, LATEST)?;
    if rest.first().is_some_and(|next| next.glued && next.is("間")) {
        return fail(input);
    }
    let (rest, minute) =
        if let Ok((rest, ())) = word(&["半"])(rest) { (rest, Some(30)) } else { maybe(|input| numbered(input, &["分"], 0, 59), rest) };
    // "25時61分" is no time.
    if minute.is_none() && numbered(rest, &["分"], 60, i64::MAX).is_ok() {
        return fail(input);
    }
    let (rest, second) = maybe(|input| numbered(input, &["秒"], 0, 59), rest);
    // "9時10分前" is ten to nine.
    let before = minute.filter(|minute| second.is_none() && *minute > 0);
    if let (Some(minutes), Ok((rest, ()))) = (before, word(&["前"])(rest)) {
        return some(rest, earlier(hour, minutes).map(Node::Clock));
    }
    let meridian = if hour > 12 || hour == 0 { Meridian::Full } else { Meridian::Either };
    let clock = small(hour).map(|hour| Clock { hour, minute: minute.and_then(small), second: second.and_then(small), meridian });
    some(rest, clock.map(Node::Clock))
}

/// So many minutes before an hour; before midnight it is eleven at night.
fn earlier(hour: i64, minutes: i64) -> Option<Clock> {
    let (hour, meridian) = match hour {
        0 => (23, Meridian::Full),
        1 => (12, Meridian::Either),
        hour if hour > 12 => (hour - 1, Meridian::Full),
        hour => (hour - 1, Meridian::Either),
    };
    let (hour, minute) = small(hour).zip(small(60 - minutes))?;
    Some(Clock { hour, minute: Some(minute), second: None, meridian })
}

/// `正午の10分前`, `9時の5分前`: a clock on the hour, and how long before it.
fn minutes_before(input: In<'_>, clock: Clock) -> Res<'_, Clock> {
    let (rest, minutes) = numbered(of(input), &["分"], 1, 59)?;
    let (rest, ()) = word(&["前"])(rest)?;
    let said = clock.meridian;
    let read = (clock.minute.is_none() && clock.second.is_none()).then(|| earlier(i64::from(clock.hour), minutes)).flatten();
    some(rest, read.map(|clock| Clock { meridian: if clock.meridian == Meridian::Either { said } else { clock.meridian }, ..clock }))
}

fn digit_clock(input: In<'_>) -> Res<'_, Node> {
    en::digit_clock(input)
}

fn named(input: In<'_>) -> Res<'_, Node> {
    let (rest, (hour, _)) = named_clock(input)?;
    let (rest, _) = maybe(|input| numbered(input, &["時"], 12, 12), rest);
    let meridian = if hour == 0 { Meridian::Am } else { Meridian::Full };
    Ok((rest, Node::Clock(Clock { hour, minute: None, second: None, meridian })))
}

/// One character for a weekday, as in tables and notes.
pub(super) fn weekday_character(input: In<'_>) -> Res<'_, Node> {
    token(|token| {
        let number = ["月", "火", "水", "木", "金", "土", "日"].iter().position(|name| token.is(name))?;
        u8::try_from(number + 1).ok().map(Node::weekday)
    })(input)
}

/// A part of a day without a clock: `午後`, `夜`, `朝`.
fn bare_part(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, pm)) = meridian(input) {
        let (rest, _) = maybe(word(&["中"]), rest);
        return Ok((rest, Node::Part(if pm { DayPart::Afternoon } else { DayPart::Morning })));
    }
    let (rest, day_part) = part(input)?;
    Ok((rest, Node::Part(day_part)))
}

/// `今朝`, `昨夜`, `翌朝`, with a clock or without: `今夜10時`.
fn part_of_a_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, (day, day_part)) = token(|token| {
        token.find(|atom| match atom {
            Atom::DayPart(offset, part) => Some((Node::This(Grain::Day, offset), part)),
            Atom::SpokenPart(offset, part) => Some((Node::Anaphora(Box::new(Node::This(Grain::Day, offset))), part)),
            _ => None,
        })
    })(input)?;
    let part = Node::Part(day_part);
    match kanji_clock(of(rest)).or_else(|_| digit_clock(of(rest))) {
        Ok((end, clock)) => Ok((end, day.and(part.and(clock)))),
        Err(_) => Ok((rest, day.and(part))),
    }
}

/// A date, a time, or a date with a time.
pub(super) fn point(input: In<'_>) -> Res<'_, Node> {
    once(33, any_point, input)
}

fn any_point(input: In<'_>) -> Res<'_, Node> {
    // "日本時間3月20日9時"
    if let Ok((rest, east)) = zone(input)
        && input.first().is_some_and(|token| token.kind == Kind::Glyph)
    {
        let (rest, node) = longest(&[date_time, clock], of(rest))?;
        return some(
            rest,
            (!matches!(node, Node::Zoned(..)) && node.grain() < Grain::DayPart).then(|| Node::Zoned(Box::new(within_a_day(node)), east)),
        );
    }
    let (start, about) = maybe(word(&["約", "およそ", "だいたい", "大体", "ほぼ", "おおよそ"]), input);
    let (rest, node) = longest(&[date_time, date, clock, part_of_a_day, bare_part, now, lately], start)?;
    let node = within_a_day(node);
    let (rest, near) = maybe(word(&["ごろ", "ころ", "頃", "くらい", "ぐらい", "前後"]), rest);
    Ok((rest, if about.is_some() || near.is_some() { Node::Near(Box::new(node)) } else { node }))
}

/// The hour of a clock that counts on past midnight, where no day is named: 25時 is 1時.
fn within_a_day(node: Node) -> Node {
    match node {
        Node::Clock(clock) => Node::Clock(Clock { hour: if clock.hour > 24 { clock.hour - 24 } else { clock.hour }, ..clock }),
        Node::Zoned(of, east) => Node::Zoned(Box::new(within_a_day(*of)), east),
        node => node,
    }
}

/// A day with a time of it, which may be counted on into the next day.
fn on_day(day: Node, time: Node) -> Node {
    match time {
        Node::Clock(clock) if clock.hour >= 24 => {
            let time = Node::Clock(Clock { hour: clock.hour - 24, ..clock });
            match Length::of(1000, Grain::Day) {
                Some(length) => Node::Shift { length, forward: true, base: Some(Box::new(day)) }.and(time),
                None => day.and(time),
            }
        }
        // A record has its year and its minutes, and a clock of 24 hours.
        Node::Clock(clock @ Clock { minute: Some(_), meridian: Meridian::Either, .. })
            if matches!(day, Node::Date(Fields { year: Some(_), day: Some(_), .. })) =>
        {
            day.and(Node::Clock(Clock { meridian: Meridian::AmFirst, ..clock }))
        }
        Node::Zoned(time, east) => Node::Zoned(Box::new(on_day(day, *time)), east),
        time => day.and(time),
    }
}

/// `さっき`, `先日`.
fn lately(input: In<'_>) -> Res<'_, Node> {
    let of = |atom| if let Atom::Lately(grain, count) = atom { Length::of(count * 1000, grain) } else { None };
    let (rest, length) = token(|token| token.find(of))(input)?;
    Ok((rest, Node::Lately(length)))
}

fn now(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["今", "いま", "今すぐ", "現在", "ただいま", "即"])(input)?;
    Ok((rest, Node::Now))
}

fn date_time(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = date(input)?;
    if day.grain() != Grain::Day {
        return fail(input);
    }
    let (rest, _) = maybe(mark(",、"), rest);
    let rest = of(rest);
    // "今日あとで", "明日中"
    if let (Ok((end, ())), Node::This(..)) = (word(&["あとで"])(rest), &day) {
        return Ok((end, Node::Section(Section::Later, Box::new(day))));
    }
    if let (Ok((end, ())), true) = (word(&["中"])(rest), day.is_fixed()) {
        return Ok((end, Node::Section(Section::Close, Box::new(day))));
    }
    let (rest, time) = longest(&[clock, bare_part], rest)?;
    Ok((rest, on_day(day, time)))
}
