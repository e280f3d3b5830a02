//! Japanese durations, shifts, ranges, open stretches and recurring sets. Knows nothing of how dates are spelled.

use super::date::{clock, date, number, of, point, year};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::parse::{In, Res, fail, is_glued, longest, mark, maybe, part, small, some, token, unit, weekday, word};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Bound, DayPart, Fields, Length, Node, Which, Year, open as open_of, range};

/// How many, in thousandths: `3`, `三`, `数`, `1.5`.
fn quantity(input: In<'_>) -> Res<'_, i64> {
    if let Ok((rest, ())) = word(&["数"])(input) {
        return Ok((rest, 3000));
    }
    let (rest, whole) = number(input)?;
    if let Ok((after, _)) = mark(".")(rest)
        && is_glued(rest)
        && is_glued(after)
        && let Some((value, count)) = after.first().and_then(crate::time::expr::token::Token::number)
    {
        let scale = 10_i64.checked_pow(u32::from(count));
        let part = scale.map(|scale| value.saturating_mul(1000) / scale);
        let end = after.get(1..).unwrap_or_default();
        return some(end, part.and_then(|part| whole.checked_mul(1000)?.checked_add(part)));
    }
    some(rest, whole.checked_mul(1000))
}

/// `3時間`, `2年半`, `半年`, `ひと月`, `一週間`, `1年3か月`.
pub(super) fn length(input: In<'_>) -> Res<'_, Length> {
    let (mut rest, mut total) = simple(input)?;
    for _ in 0..3 {
        let Ok((end, more)) = simple(rest) else { break };
        let Some(sum) = total.plus(more).filter(|_| more.grain < total.grain) else { break };
        (rest, total) = (end, sum);
    }
    Ok((rest, total))
}

fn simple(input: In<'_>) -> Res<'_, Length> {
    let fixed = token(|token| {
        let (thousandths, grain) = match token.norm.as_ref() {
            "半年" => (500, Grain::Year),
            "半日" => (500, Grain::Day),
            "半月" => (500, Grain::Month),
            "ひと月" => (1000, Grain::Month),
            "ふた月" => (2000, Grain::Month),
            _ => return None,
        };
        Length::of(thousandths, grain)
    });
    if let Ok(read) = fixed(input) {
        return Ok(read);
    }
    let (rest, thousandths) = quantity(input)?;
    let (rest, (grain, times)) = unit(rest)?;
    let year_number = grain == Grain::Year && thousandths >= 1_000_000;
    let (rest, half) = maybe(word(&["半"]), rest);
    let thousandths = thousandths + if half.is_some() { 500 } else { 0 };
    some(rest, Length::of(thousandths.saturating_mul(times), grain).filter(|_| !year_number))
}

/// `2週間前`, `3日後`, `2分で`, `今から8分後`, `明日から5週間`, `昨日の6日前`, `7ヶ月経ったら`.
pub(super) fn shift(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["約", "およそ", "だいたい", "大体", "ほぼ", "おおよそ"])(input) {
        let (rest, node) = shift(rest)?;
        return some(rest, (!matches!(node, Node::Near(_))).then(|| Node::Near(Box::new(node))));
    }
    let (start, _) = maybe(word(&["今から", "現在から", "これから"]), input);
    if let Ok((rest, length)) = length(start)
        && let Ok((end, forward)) = direction(rest)
    {
        return Ok((end, Node::Shift { length, forward, base: None }));
    }
    // Relative to a day.
    let (rest, base) = if let Ok((rest, ())) = word(&["今日から"])(input) { (rest, Node::This(Grain::Day, 0)) } else { base(input)? };
    let (rest, length) = length(rest)?;
    if length.grain.is_clock() {
        return fail(input);
    }
    let (rest, direction) = match direction(rest) {
        Ok((rest, forward)) => (rest, Some(forward)),
        Err(_) => (rest, None),
    };
    let (rest, over) = maybe(word(&["以上"]), rest);
    if over.is_some() {
        let (rest, forward) =
            token(|token| if token.is("前") { Some(false) } else { (token.is("後") || token.is("あと")).then_some(true) })(rest)?;
        let point = Node::Shift { length, forward, base: Some(Box::new(base)) };
        return Ok((rest, open_of(if forward { Bound::Since } else { Bound::Until }, point)));
    }
    if let Ok((rest, ())) = word(&["以内", "以内に"])(rest) {
        return Ok((rest, Node::Within { length, forward: true, base: Some(Box::new(base)) }));
    }
    Ok((rest, Node::Shift { length, forward: direction.unwrap_or(true), base: Some(Box::new(base)) }))
}

fn base(input: In<'_>) -> Res<'_, Node> {
    let (rest, base) = date(input)?;
    if base.grain() != Grain::Day {
        return fail(input);
    }
    let (rest, ()) = word(&["から", "の"])(rest)?;
    Ok((rest, base))
}

fn direction(input: In<'_>) -> Res<'_, bool> {
    token(|token| {
        Some(match token.norm.as_ref() {
            "前" => false,
            "後" | "で" | "経ったら" | "経ってから" | "経過後" | "経過してから" | "経過したら" | "過ぎ" | "過ぎたら" | "あと" => {
                true
            }
            _ => return None,
        })
    })(input)
}

/// `過去5年間`, `今後3日間`, `この2ヶ月`, `直近の1分`, `前の三時間`, `後五分間`, `次の十二日`, `6週間以内に`.
pub(super) fn window(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, length)) = length(input)
        && let Ok((rest, ())) = word(&["以内に", "以内"])(rest)
    {
        return Ok((rest, Node::Within { length, forward: true, base: None }));
    }
    let (rest, (which, single)) = token(|token| {
        Some(match token.norm.as_ref() {
            "過去" | "ここ" | "直在" => (Which::Past, false),
            "直近" | "前" | "最後" | "先" => (Which::Last, true),
            "この" | "今" | "当" | "現" => (Which::This, true),
            "今後" | "向こう" | "これから" | "次" | "後" => (Which::Next, false),
            _ => return None,
        })
    })(input)?;
    let rest = of(rest);
    let (rest, count) = if let Ok((rest, ())) = word(&["半年"])(rest) {
        return Ok((rest, if which == Which::Next { Node::This(Grain::Half, 1) } else { Node::This(Grain::Half, -1) }));
    } else {
        quantity(rest)?
    };
    let (rest, (grain, times)) = unit(rest)?;
    if count % 1000 != 0 || count <= 0 || grain == Grain::Year && count > 500_000 {
        return fail(input);
    }
    let count = (count / 1000).saturating_mul(times);
    let spaced = input.first().is_some_and(|token| token.norm.ends_with('間'));
    if single && count == 1 && !spaced {
        return Ok((rest, Node::This(grain, if which == Which::This { 0 } else { -1 })));
    }
    let which = if which == Which::This { Which::Past } else { which };
    some(rest, (count <= 10_000).then_some(Node::Window { count, grain, which }))
}

/// `AからBまで`, `A～B`, `AからBの間`, `A以降B以前`, `2011・2012年`.
pub(super) fn ranges(input: In<'_>) -> Res<'_, Node> {
    let (rest, from) = longest(&[point, bare_year], input)?;
    let (rest, strong) = joint(rest)?;
    let (after, _) = maybe(mark(",、"), rest);
    let (rest, to) = longest(&[point, bare_year, loose_day], after)?;
    let years = from.grain() == Grain::Year && to.grain() == Grain::Year;
    // A mere comma or dot joins years only.
    if strong == Joint::Loose && !years {
        return fail(input);
    }
    let (rest, closed) = maybe(word(&["まで", "までの間", "の間", "の間に", "にかけて", "いっぱい", "以前", "末まで"]), rest);
    if from.grain().is_clock() != to.grain().is_clock() && !(to.grain().is_clock() && from.grain() == Grain::Day) && closed.is_none() {
        return fail(input);
    }
    if matches!(from, Node::Part(_)) && matches!(to, Node::And(..)) || part_then_day(&from, &to) {
        return fail(input);
    }
    let node = range(from, to);
    Ok((rest, node))
}

/// "From this afternoon, tomorrow morning": two stretches rather than one.
fn part_then_day(from: &Node, to: &Node) -> bool {
    let part_only = |node: &Node| matches!(node, Node::And(_, time) if matches!(**time, Node::Part(_)));
    part_only(from) && part_only(to)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Firm,
    Loose,
}

fn joint(input: In<'_>) -> Res<'_, Joint> {
    if let Ok((rest, ())) = word(&["から", "以降", "より"])(input) {
        return Ok((rest, Joint::Firm));
    }
    if let Ok((rest, _)) = mark("~-～")(input) {
        return Ok((rest, Joint::Firm));
    }
    if let Ok((rest, ())) = word(&["・"])(input) {
        return Ok((rest, Joint::Loose));
    }
    let (rest, _) = mark("、,")(input)?;
    Ok((rest, Joint::Loose))
}

/// The year of "2011から2012年", whose own 年 is left out.
pub(super) fn bare_year(input: In<'_>) -> Res<'_, Node> {
    let (rest, value) = number(input)?;
    let four = input.first().and_then(crate::time::expr::token::Token::number).is_some_and(|(_, digits)| digits == 4);
    some(rest, i32::try_from(value).ok().filter(|value| four && (1900..2100).contains(value)).map(|value| Node::year(Year::Full(value))))
}

fn loose_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, value) = number(input)?;
    let (rest, ()) = word(&["日"])(rest)?;
    some(rest, small(value).filter(|day| (1..=31).contains(day)).map(Node::day_of_month))
}

/// `2011年から`, `3月以降`, `金曜日までに`, `2013年以前`, `12時の後`, `1月1日前`, `7月9日またはその前`, `早ければ来年`.
pub(super) fn open(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["早ければ"])(input) {
        let (rest, node) = point(rest)?;
        return Ok((rest, open_of(Bound::Since, node)));
    }
    let (rest, node) = longest(&[point, year_alone], input)?;
    let (rest, bound) = token(|token| {
        Some(match token.norm.as_ref() {
            "から" | "以来" | "またはその後" | "及びその後" | "とその後" | "またはそれ以降" => Bound::Since,
            "以降" | "より後" | "よりも後" => Bound::Onward,
            "後" | "の後" | "の後から" => Bound::After,
            "まで" | "までに" | "以前" => Bound::Until,
            "またはその前" | "とその前" | "またはそれ以前" | "及びその前" => Bound::By,
            "より前" | "よりも前" | "前" | "の前" => Bound::Before,
            _ => {
                return token.is_mark('~').then_some(Bound::Since);
            }
        })
    })(rest)?;
    // "今後" is a word, "5分前" a shift, "の前" of a person.
    if matches!(node, Node::Now)
        || node.grain() == Grain::DayPart && !matches!(node, Node::And(..)) && !matches!(bound, Bound::Since | Bound::Until)
    {
        return fail(input);
    }
    Ok((rest, open_of(bound, node)))
}

fn year_alone(input: In<'_>) -> Res<'_, Node> {
    let (rest, year) = year(input)?;
    Ok((rest, Node::year(year)))
}

/// `毎日`, `毎週月曜日`, `毎日午後8時`, `5週間ごとに`, `毎朝`.
pub(super) fn set(input: In<'_>) -> Res<'_, Node> {
    let every = |interval, grain, on: Option<Node>| Node::Every { interval, grain, on: on.map(Box::new) };
    if let Ok((rest, length)) = length(input)
        && let Ok((rest, ())) = word(&["ごとに", "ごと", "おきに", "おき", "毎に"])(rest)
    {
        let interval = match length.grain {
            Grain::Year => length.months / 12,
            Grain::Month => length.months,
            Grain::Week => length.days / 7,
            Grain::Day => length.days,
            grain => length.micros / grain.micros().max(1),
        };
        return Ok((rest, every(interval.max(1), length.grain, None)));
    }
    let alternate = token(|token| {
        Some(match token.norm.as_ref() {
            "隔日" => Grain::Day,
            "隔週" => Grain::Week,
            "隔月" => Grain::Month,
            "隔年" => Grain::Year,
            _ => return None,
        })
    });
    let parts = token(|token| {
        Some(match token.norm.as_ref() {
            "毎朝" => DayPart::Morning,
            "毎晩" => DayPart::Evening,
            "毎夜" => DayPart::Night,
            _ => return None,
        })
    });
    let (mut rest, mut node) = if let Ok((rest, day_part)) = parts(input) {
        (rest, every(1, Grain::Day, Some(Node::Part(day_part))))
    } else if let Ok((rest, grain)) = alternate(input) {
        (rest, every(2, grain, None))
    } else {
        let (rest, grain) = token(|token| token.find(|atom| if let Atom::Set(grain) = atom { Some(grain) } else { None }))(input)?;
        (rest, every(1, grain, None))
    };
    if let Ok((end, name)) = weekday(of(rest)) {
        (rest, node) = (end, node.and(Node::weekday(name)));
    } else if matches!(node, Node::Every { grain: Grain::Month, .. })
        && let Ok((end, day)) = loose_day(of(rest))
    {
        (rest, node) = (end, node.and(day));
    } else if matches!(node, Node::Every { grain: Grain::Year, .. })
        && let Ok((end, day)) = date(of(rest))
        && matches!(day, Node::Date(Fields { year: None, .. }))
    {
        (rest, node) = (end, node.and(day));
    }
    if let Ok((end, time)) = clock(of(rest)) {
        (rest, node) = (end, node.and(time));
    } else if let Ok((end, day_part)) = part(of(rest)) {
        (rest, node) = (end, node.and(Node::Part(day_part)));
    }
    Ok((rest, node))
}

/// `3時間`, `まる1日`, `2時間以下`, `一日中`.
pub(super) fn duration(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["一日中", "別の日"])(input) {
        return some(rest, Length::of(1000, Grain::Day).map(Node::Length));
    }
    // "1日中", whose 日中 is no daytime.
    if let Ok((rest, n)) = number(input)
        && let Ok((rest, ())) = word(&["日中"])(rest)
    {
        return some(rest, Length::of(1000, Grain::Day).filter(|_| n == 1).map(Node::Length));
    }
    let (start, _) = maybe(word(&["まる", "丸", "約", "およそ"]), input);
    let (rest, length) = length(start)?;
    let (rest, _) = maybe(word(&["以上", "以下", "を上回る", "を下回る"]), rest);
    Ok((rest, Node::Length(length)))
}
