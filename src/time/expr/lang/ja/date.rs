//! Japanese dates. Knows nothing of times of day, of ranges or durations.

use super::{granule, length, spoken, year};
use crate::time::expr::calendar::Grain;
use crate::time::expr::holiday::index_of;
use crate::time::expr::lang::digits::numeric as digits_date;
use crate::time::expr::lang::parse::{
    In, Res, digits, digits_in, fail, holiday, is_glued, longest, mark, maybe, month as named_month, once, part, season, small, some,
    token, weekday, word,
};
use crate::time::expr::symbol::{Fields, Node, SeasonName, Section, Which, Year};
use crate::time::expr::token::Token;

/// The particle that joins a whole and its part.
pub(super) fn of(input: In<'_>) -> In<'_> {
    maybe(word(&["の"]), input).0
}

/// A number of a language's own numerals or of digits.
pub(super) fn number(input: In<'_>) -> Res<'_, i64> {
    let (rest, (value, count)) = digits(input)?;
    // "2万", "3千"
    let power = rest.first().filter(|next| count > 0 && next.glued && ["百", "千", "万"].iter().any(|power| next.is(power)));
    if let (Some(power), Some(end)) = (power.and_then(Token::number), rest.get(1..)) {
        return some(end, value.checked_mul(power.0).filter(|value| *value < 1_000_000_000));
    }
    some(rest, (count <= 9).then_some(value))
}

pub(super) fn numbered<'i>(input: In<'i>, unit: &'static [&'static str], least: i64, most: i64) -> Res<'i, i64> {
    let (rest, value) = number(input)?;
    let (rest, ()) = word(unit)(rest)?;
    some(rest, (least <= value && value <= most).then_some(value))
}

fn month(input: In<'_>) -> Res<'_, u32> {
    if let Ok(read) = named_month(input) {
        return Ok(read);
    }
    let (rest, value) = numbered(input, &["月"], 1, 12)?;
    if rest.first().is_some_and(|next| next.glued && next.is("間")) {
        return fail(input);
    }
    some(rest, small(value))
}

fn day(input: In<'_>) -> Res<'_, u32> {
    if let Ok((rest, ())) = word(&["廿日"])(input) {
        return Ok((rest, 20));
    }
    let (rest, value) = numbered(input, &["日", "にち"], 1, 31)?;
    some(rest, small(value))
}

/// The number of days that kana spell; `of_month` is whether a month stands before them, and so nothing else can be meant: いつか, なのか.
pub(super) fn kana_day(input: In<'_>, of_month: bool) -> Res<'_, u32> {
    token(|token| {
        Some(match token.norm.as_ref() {
            "ついたち" => 1,
            "ふつか" => 2,
            "みっか" => 3,
            "よっか" => 4,
            "むいか" => 6,
            "ここのか" => 9,
            "とおか" => 10,
            "はつか" => 20,
            "いつか" if of_month => 5,
            "なのか" if of_month => 7,
            "ようか" if of_month => 8,
            _ => return None,
        })
    })(input)
}

/// A weekday after a date: `月曜日`, `(月)`, `(月曜日)`.
fn with_weekday(rest: In<'_>) -> (In<'_>, Option<u8>) {
    let (after, _) = maybe(mark(",、"), rest);
    let after = of(after);
    if let Ok((end, name)) = weekday(after) {
        return (end, Some(name));
    }
    let bracketed = mark("(")(after).and_then(|(inner, _)| weekday(inner)).and_then(|(end, name)| Ok((mark(")")(end)?.0, name)));
    bracketed.map_or((rest, None), |(end, name)| (end, Some(name)))
}

/// A date, the longest there is.
pub(super) fn date(input: In<'_>) -> Res<'_, Node> {
    once(32, any_date, input)
}

fn any_date(input: In<'_>) -> Res<'_, Node> {
    let (start, _) = maybe(word(&["旧暦の"]), input);
    longest(
        &[
            calendar,
            weekdays,
            relative,
            numeric,
            year::lettered,
            year::fiscal,
            year::halves,
            year::lettered_quarter,
            year::verge,
            year::full,
            year::sections,
            year::nth,
            year::decade,
            season_node,
            holidays,
            week_of,
            bare_month,
            beside,
        ],
        start,
    )
}

/// `3年前の夏`, `一週間前の月曜日`, `来年の今日`.
fn beside(input: In<'_>) -> Res<'_, Node> {
    length::inside(input, &[calendar, weekdays, season_node, holidays, part_of_it]).or_else(|_| length::same_day_beside(input, granule))
}

fn part_of_it(input: In<'_>) -> Res<'_, Node> {
    let (rest, day_part) = part(input)?;
    Ok((rest, Node::Part(day_part)))
}

/// Year, month and day, as many as there are.
pub(super) fn calendar(input: In<'_>) -> Res<'_, Node> {
    once(35, any_calendar, input)
}

fn any_calendar(input: In<'_>) -> Res<'_, Node> {
    let (rest, scope) = match longest(&[absolute_year, relative_scope], input) {
        Ok((rest, scope)) => (of(rest), Some(scope)),
        Err(_) => (input, None),
    };
    // "今年2020年5月"
    let (rest, scope) = match (absolute_year(rest), &scope) {
        (Ok((end, year)), Some(Node::This(Grain::Year, _))) => (of(end), Some(year)),
        _ => (rest, scope),
    };
    let whole = |fields: Fields| match &scope {
        Some(scope) => scope.clone().and(Node::date(fields)),
        None => Node::date(fields),
    };
    let of_year = scope.as_ref().is_none_or(|scope| scope.grain() == Grain::Year);
    if of_year && let Ok((after, month)) = month(rest) {
        let fields = Fields { month: Some(month), ..Fields::default() };
        if let Ok((end, day)) = day(of(after)).or_else(|_| kana_day(of(after), true)) {
            let (end, weekday) = with_weekday(end);
            return Ok((end, whole(Fields { day: Some(day), weekday, ..fields })));
        }
        return Ok((after, whole(fields)));
    }
    let of_month = scope.as_ref().is_none_or(|scope| scope.grain() == Grain::Month);
    if of_month
        && let Ok((end, day)) = day(rest).or_else(|_| kana_day(rest, scope.is_some()))
        && !(scope.is_none() && takes(end))
    {
        let (end, weekday) = with_weekday(end);
        return Ok((end, whole(Fields { day: Some(day), weekday, ..Fields::default() })));
    }
    // "2023年13月" names no month, and its year is in doubt.
    if numbered(rest, &["月"], 13, i64::MAX).is_ok() {
        return fail(input);
    }
    match scope {
        Some(node @ Node::Date(_)) => {
            let taken = absolute_year(input)?.0;
            Ok((taken, node))
        }
        _ => fail(input),
    }
}

/// Whether days before it are how long something takes: 三日かかる, 3日ぐらいかかる, 一日がかり.
fn takes(rest: In<'_>) -> bool {
    let (rest, _) = maybe(word(&["くらい", "ぐらい", "も"]), rest);
    let spells = |first: &str| matches!(rest, [one, two, ..] if one.glued && one.is(first) && two.is("か"));
    spells("か") || spells("が")
}

fn absolute_year(input: In<'_>) -> Res<'_, Node> {
    let (rest, year) = year::year(input)?;
    Ok((rest, Node::year(year)))
}

pub(super) fn relative_scope(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = longest(&[granule, spoken], input)?;
    some(rest, matches!(node.grain(), Grain::Month | Grain::Year).then_some(node))
}

fn bare_month(input: In<'_>) -> Res<'_, Node> {
    let (rest, month) = named_month(input)?;
    Ok((rest, Node::month(month)))
}

/// Saturday and Sunday together.
const WEEKEND: &[&str] = &["土日", "土日曜"];

/// `月曜日`, `来週の月曜日`, `次の金曜日`, `先週末`.
pub(super) fn weekdays(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, scope)) = longest(&[granule, spoken], input)
        && matches!(scope.grain(), Grain::Week | Grain::Weekend)
    {
        if let Ok((end, name)) = weekday(of(rest)) {
            let (end, _) = parenthesized(end);
            return Ok((end, scope.and(Node::weekday(name))));
        }
        if let (Ok((end, ())), Grain::Week) = (word(WEEKEND)(of(rest)), scope.grain()) {
            return Ok((end, scope.and(Node::Weekend)));
        }
    }
    if let Ok((rest, ())) = word(WEEKEND)(input) {
        return Ok((rest, Node::Weekend));
    }
    // The week opens with its Monday.
    if let Ok((rest, ())) = word(&["週明け"])(input) {
        return Ok((rest, Node::weekday(1)));
    }
    let which = token(|token| {
        Some(match token.norm.as_ref() {
            "次" => Which::Following,
            "前" | "先" => Which::Last,
            _ => return None,
        })
    });
    let beside = token(|token| {
        Some(match token.norm.as_ref() {
            "今度の" => Which::Coming,
            "この前の" | "この間の" | "こないだの" => Which::Past,
            _ => return None,
        })
    });
    if let Ok((rest, which)) = beside(input) {
        let (rest, name) = weekday(rest)?;
        return Ok((rest, Node::Rel(which, Box::new(Node::weekday(name)))));
    }
    if let Ok((rest, which)) = which(input) {
        let (rest, ()) = word(&["の"])(rest)?;
        let (rest, name) = weekday(rest)?;
        return Ok((rest, Node::Rel(which, Box::new(Node::weekday(name)))));
    }
    let (rest, name) = weekday(input)?;
    Ok((rest, Node::weekday(name)))
}

/// `(6月15日)` after a weekday says the same again.
fn parenthesized(rest: In<'_>) -> (In<'_>, Option<Node>) {
    let inner = mark("(")(rest).and_then(|(inner, _)| calendar(inner)).and_then(|(end, node)| Ok((mark(")")(end)?.0, node)));
    inner.map_or((rest, None), |(end, node)| (end, Some(node)))
}

/// `今日`, `来週`, `翌年`.
pub(super) fn relative(input: In<'_>) -> Res<'_, Node> {
    longest(&[granule, spoken], input)
}

/// `2021/03/25`, `3/25`, `2021.3`, `2015-12`.
fn numeric(input: In<'_>) -> Res<'_, Node> {
    if let Ok(read) = digits_date(input) {
        return Ok(read);
    }
    let (rest, full) = digits_in(1900, 2099, 4)(input)?;
    let (rest, _) = mark(".")(rest)?;
    if !is_glued(rest) {
        return fail(input);
    }
    let (rest, month) = digits_in(1, 12, 2)(rest)?;
    let year = i32::try_from(full).ok().map(Year::Full);
    Ok((rest, Node::date(Fields { year, month: small(month), ..Fields::default() })))
}

pub(super) fn season_node(input: In<'_>) -> Res<'_, Node> {
    let compound = token(|token| {
        let (offset, name) = match token.norm.as_ref() {
            "今春" => (0, SeasonName::Spring),
            "今夏" => (0, SeasonName::Summer),
            "今秋" => (0, SeasonName::Autumn),
            "今冬" => (0, SeasonName::Winter),
            "来春" => (1, SeasonName::Spring),
            "来夏" => (1, SeasonName::Summer),
            "来秋" => (1, SeasonName::Autumn),
            "来冬" => (1, SeasonName::Winter),
            "昨春" => (-1, SeasonName::Spring),
            "昨夏" => (-1, SeasonName::Summer),
            "昨秋" => (-1, SeasonName::Autumn),
            "昨冬" => (-1, SeasonName::Winter),
            _ => return None,
        };
        Some(Node::This(Grain::Year, offset).and(Node::Season(name)))
    });
    if let Ok(read) = compound(input) {
        return Ok(read);
    }
    if let Ok((rest, scope)) = longest(&[absolute_year, granule, spoken], input)
        && scope.grain() == Grain::Year
        && let Ok((end, name)) = season(of(rest))
    {
        return Ok((end, scope.and(Node::Season(name))));
    }
    let beside = token(|token| match token.norm.as_ref() {
        "この" => Some(Which::This),
        "次" => Some(Which::Next),
        "前" => Some(Which::Last),
        _ => None,
    });
    if let Ok((rest, which)) = beside(input) {
        let rest = if which == Which::This { rest } else { word(&["の"])(rest)?.0 };
        let (rest, name) = season(rest)?;
        return Ok((rest, Node::Rel(which, Box::new(Node::Season(name)))));
    }
    let (rest, name) = season(input)?;
    Ok((rest, Node::Season(name)))
}

fn holidays(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = named_holiday(input)?;
    let Ok((end, ())) = year::spelled(rest, "明け") else { return Ok((rest, node)) };
    // The new year's days off are three.
    let days = |node: Node| match node {
        Node::Holiday(index) if Some(index) == index_of("new_years_day") => {
            Node::Holiday(index_of("new_years_three_days").unwrap_or(index))
        }
        node => node,
    };
    let node = match node {
        Node::And(year, of) => Node::And(year, Box::new(days(*of))),
        node => days(node),
    };
    Ok((end, Node::Section(Section::Wake, Box::new(node))))
}

fn named_holiday(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, scope)) = longest(&[absolute_year, granule, spoken], input)
        && scope.grain() == Grain::Year
        && let Ok((end, index)) = holiday(of(rest)).or_else(|_| golden_week(of(rest)))
    {
        return Ok((end, scope.and(Node::Holiday(index))));
    }
    let (rest, index) = match holiday(input) {
        Ok(read) => read,
        Err(_) => golden_week(input)?,
    };
    Ok((rest, Node::Holiday(index)))
}

/// `GW`, and the `連休` of 連休明け: no other run of holidays goes by that alone.
fn golden_week(input: In<'_>) -> Res<'_, usize> {
    let (rest, ()) = word(&["gw"])(input).or_else(|_| {
        let (rest, ()) = word(&["連休"])(input)?;
        year::spelled(rest, "明け")?;
        Ok((rest, ()))
    })?;
    some(rest, index_of("golden_week"))
}

/// `6月3日の週`, `18日の週`.
fn week_of(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = longest(&[calendar, numeric, holidays], input)?;
    let (rest, weekend) = token(|token| if token.is("の週末") { Some(true) } else { token.is("の週").then_some(false) })(rest)?;
    let node = if weekend { Node::WeekendOf(Box::new(day.clone())) } else { Node::WeekOf(Box::new(day.clone())) };
    some(rest, (day.grain() == Grain::Day).then_some(node))
}
