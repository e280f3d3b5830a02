//! Japanese lengths of time, and what lies so long before or after the reference. Knows nothing of dates that are named.

use super::date::{kana_day, number, of};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::parse::{In, Res, Rule, fail, is_glued, longest, mark, maybe, some, token, unit, word};
use crate::time::expr::symbol::{Length, Node};
use crate::time::expr::token::{Kind, Token};

/// How many, in thousandths, and whether that is only about so many: `3`, `三`, `1.5`, `数`, `十数`, `数十`.
pub(super) fn quantity(input: In<'_>) -> Res<'_, (i64, bool)> {
    if let Ok((rest, ())) = word(&["数"])(input) {
        let (rest, tens) = maybe(|input| few(input, &[10, 100, 1000]), rest);
        return Ok((rest, (3000 * tens.unwrap_or(1), true)));
    }
    let (rest, whole) = number(input)?;
    if whole % 10 == 0
        && let Ok((rest, ())) = word(&["数"])(rest)
    {
        return some(rest, (whole < 1000).then_some(((whole + 3) * 1000, true)));
    }
    if let Ok((after, _)) = mark(".")(rest)
        && is_glued(rest)
        && is_glued(after)
        && let Some((value, count)) = after.first().and_then(Token::number)
    {
        let scale = 10_i64.checked_pow(u32::from(count));
        let part = scale.map(|scale| value.saturating_mul(1000) / scale);
        let end = after.get(1..).unwrap_or_default();
        return some(end, part.and_then(|part| whole.checked_mul(1000)?.checked_add(part)).map(|value| (value, false)));
    }
    some(rest, whole.checked_mul(1000).map(|value| (value, false)))
}

/// A number that is one of these.
fn few<'i>(input: In<'i>, values: &[i64]) -> Res<'i, i64> {
    let (rest, value) = number(input)?;
    some(rest, values.contains(&value).then_some(value))
}

/// `2、3日`, `二、三日`, `3～4週間`: one or the other.
fn either(input: In<'_>) -> Res<'_, Length> {
    let (rest, one) = number(input)?;
    if !is_glued(rest) {
        return fail(input);
    }
    let (rest, _) = mark("、,~-")(rest)?;
    if !is_glued(rest) {
        return fail(input);
    }
    let (rest, two) = number(rest)?;
    let (rest, (grain, times)) = unit(rest)?;
    let next = two == one + 1 && two < 10;
    some(rest, Length::of(two.saturating_mul(1000).saturating_mul(times), grain).filter(|_| next))
}

/// `3時間`, `2年半`, `半年`, `ひと月`, `一週間`, `1年3か月`; and whether only about so long.
pub(super) fn length(input: In<'_>) -> Res<'_, (Length, bool)> {
    let (mut rest, (mut total, mut about)) = simple(input)?;
    // "1日8時間" is so long each day.
    let a_day = total.grain == Grain::Day && total.months == 0 && total.days == 1 && total.micros == 0;
    for _ in 0..if a_day { 0 } else { 3 } {
        let Ok((end, (more, vague))) = simple(rest) else { break };
        let Some(sum) = total.plus(more).filter(|_| more.grain < total.grain) else { break };
        (rest, total, about) = (end, sum, about || vague);
    }
    Ok((rest, (total, about)))
}

fn simple(input: In<'_>) -> Res<'_, (Length, bool)> {
    let fixed = token(|token| {
        let (thousandths, grain) = match token.norm.as_ref() {
            "半年" => (500, Grain::Year),
            "半日" => (500, Grain::Day),
            "半月" => (500, Grain::Month),
            "ひと月" => (1000, Grain::Month),
            "ふた月" => (2000, Grain::Month),
            _ => return None,
        };
        Some((Length::of(thousandths, grain)?, false))
    });
    if let Ok(read) = fixed(input) {
        return Ok(read);
    }
    // ふつか, みっか間
    if let Ok((rest, days)) = kana_day(input, false)
        && days > 1
    {
        let (rest, _) = maybe(word(&["間", "かん"]), rest);
        return some(rest, Length::of(i64::from(days) * 1000, Grain::Day).map(|length| (length, false)));
    }
    let (rest, (thousandths, about)) = quantity(input)?;
    let (rest, (grain, times)) = unit(rest)?;
    // "2000年前" is before 2000, "2千年前" so long ago.
    let in_words = input.get(1).is_some_and(|token| matches!(token.kind, Kind::Number { digits: 0, .. }));
    let year_number = grain == Grain::Year && (1_000_000..3_000_000).contains(&thousandths) && !in_words;
    let (rest, half) = maybe(word(&["半"]), rest);
    let thousandths = thousandths + if half.is_some() { 500 } else { 0 };
    let length = Length::of(thousandths.saturating_mul(times), grain).filter(|_| !year_number);
    some(rest, length.map(|length| (length, about)))
}

/// Whether something lies after (true) or before.
pub(super) fn direction(input: In<'_>) -> Res<'_, bool> {
    let (rest, forward) = token(|token| {
        Some(match token.norm.as_ref() {
            "前" => false,
            "後" | "で" | "経ったら" | "経ってから" | "経過後" | "経過してから" | "経過したら" | "過ぎ" | "過ぎたら" | "あと" => {
                true
            }
            _ => return None,
        })
    })(input)?;
    // "3日です", "5分でも" say how long, not when.
    let copula = input.first().is_some_and(|token| token.is("で"))
        && rest.first().is_some_and(|next| next.glued && ["す", "し", "あ", "は", "も", "な", "き"].iter().any(|word| next.is(word)));
    some(rest, (!copula).then_some(forward))
}

/// `1500年` before 前: a round number of years is how long, another one (`2011年前`) which year.
fn centuries(input: In<'_>) -> Res<'_, Length> {
    let (rest, years) = number(input)?;
    let (rest, ()) = word(&["年"])(rest)?;
    word(&["前"])(rest)?;
    let round = (1000..=9000).contains(&years) && years % 100 == 0;
    some(rest, Length::of(years.saturating_mul(1000), Grain::Year).filter(|_| round))
}

/// `3年前`, `2、3日前`, `十数年前`, `今から2週間後`.
pub(super) fn so_long(input: In<'_>) -> Res<'_, Node> {
    let (start, _) = maybe(word(&["今から", "いまから", "今より", "現在から", "これから"]), input);
    let (rest, (length, about)) = if let Ok((rest, length)) = either(start) {
        (rest, (length, true))
    } else if let Ok((rest, length)) = centuries(start) {
        (rest, (length, false))
    } else {
        length(start)?
    };
    let (rest, forward) = direction(rest)?;
    let node = Node::Shift { length, forward, base: None };
    Ok((rest, if about { Node::Near(Box::new(node)) } else { node }))
}

/// `3年前の夏`, `2年前の5月`, `一週間前の月曜日`, `3日前の夜`, `10年後の今日`: what `inner` reads, so long ago or to come.
pub(super) fn inside<'i>(input: In<'i>, inner: &[Rule<Node>]) -> Res<'i, Node> {
    let (rest, node) = so_long(input)?;
    let Node::Shift { length, forward, base: None } = node else { return fail(input) };
    if length.grain.is_clock() {
        return fail(input);
    }
    let (rest, ()) = word(&["の"])(rest)?;
    if let Ok(read) = same_day(rest, length, forward) {
        return Ok(read);
    }
    let (rest, inner) = longest(inner, rest)?;
    some(rest, (!inner.is_fixed()).then(|| node.and(inner)))
}

/// `今日`, `今頃`, of another year or week.
pub(super) fn same_day(input: In<'_>, length: Length, forward: bool) -> Res<'_, Node> {
    let at = |grain| Node::Shift { length, forward, base: Some(Box::new(Node::This(grain, 0))) };
    if let Ok((rest, ())) = word(&["今日", "きょう", "本日", "同じ日"])(input) {
        return Ok((rest, at(Grain::Day)));
    }
    let (rest, ()) = word(&["今頃", "今ごろ", "いまごろ"])(input)?;
    let grain = if length.grain >= Grain::Quarter { Grain::Month } else { Grain::Day };
    Ok((rest, Node::Near(Box::new(at(grain)))))
}

/// `来年の今日`, `去年の今頃`: the day of the reference beside a granule.
pub(super) fn same_day_beside(input: In<'_>, granule: Rule<Node>) -> Res<'_, Node> {
    let (rest, scope) = granule(input)?;
    let Node::This(grain, offset) = scope else { return fail(input) };
    if offset == 0 || !matches!(grain, Grain::Week | Grain::Month | Grain::Year) {
        return fail(input);
    }
    match Length::of(offset.abs().saturating_mul(1000), grain) {
        Some(length) => same_day(of(rest), length, offset > 0),
        None => fail(input),
    }
}
