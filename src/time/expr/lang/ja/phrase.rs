//! Japanese shifts, windows, ranges, open stretches and durations. Knows nothing of how dates are spelled.

use super::clock::point;
use super::date::{date, number, of};
use super::length::{direction, length, quantity, so_long};
use super::year::year;
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::parse::{In, Res, fail, longest, mark, maybe, part, small, some, token, unit, word};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Bound, DayPart, Fields, Length, Node, Section, Which, Year, open as open_of, range};

/// `2週間前`, `3日後`, `2分で`, `今から8分後`, `明日から5週間`, `昨日の6日前`, `7ヶ月経ったら`.
pub(super) fn shift(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["約", "およそ", "だいたい", "大体", "ほぼ", "おおよそ"])(input) {
        let (rest, node) = shift(rest)?;
        return some(rest, (!matches!(node, Node::Near(_))).then(|| Node::Near(Box::new(node))));
    }
    if let Ok(read) = so_long(input) {
        return Ok(read);
    }
    if let Ok(read) = spoken(input) {
        return Ok(read);
    }
    // Relative to a day.
    let (rest, base) = if let Ok((rest, ())) = word(&["今日から"])(input) { (rest, Node::This(Grain::Day, 0)) } else { base(input)? };
    let (rest, (length, _)) = length(rest)?;
    if length.grain.is_clock() {
        return fail(input);
    }
    // "2020年の3年前"; without a word for the direction only a day begins what lasts so long.
    if base.grain() > Grain::Day {
        let (rest, forward) = token(|token| if token.is("前") { Some(false) } else { token.is("後").then_some(true) })(rest)?;
        return some(rest, (length.grain >= base.grain()).then(|| Node::Shift { length, forward, base: Some(Box::new(base)) }));
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
    if !matches!(base.grain(), Grain::Day | Grain::Month | Grain::Year) || matches!(base, Node::Fiscal(_)) {
        return fail(input);
    }
    let (rest, ()) = word(&["から", "の"])(rest)?;
    Ok((rest, base))
}

/// `その3年後`, `その前日`, `それから2週間後`: relative to what was spoken of.
fn spoken(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["その", "それから"])(input)?;
    if let Ok((end, node)) = super::spoken(rest) {
        return Ok((end, node));
    }
    let (rest, node) = so_long(rest)?;
    Ok((rest, Node::Anaphora(Box::new(node))))
}

/// `過去5年間`, `今後3日間`, `この2ヶ月`, `直近の1分`, `前の三時間`, `後五分間`, `次の十二日`, `6週間以内に`.
pub(super) fn window(input: In<'_>) -> Res<'_, Node> {
    // "2020年3月1日からの3年間", "2020年3月1日までの3年間"
    if let Ok((rest, base)) = date(input)
        && base.grain() >= Grain::Day
        && let Ok((rest, forward)) = token(|token| if token.is("から") { Some(true) } else { token.is("まで").then_some(false) })(rest)
        && let Ok((rest, ())) = word(&["の"])(rest)
        && let Ok((rest, (length, _))) = length(rest)
        && length.grain >= Grain::Day
    {
        let (rest, _) = maybe(word(&["間"]), rest);
        return Ok((rest, Node::Within { length, forward, base: Some(Box::new(base)) }));
    }
    if let Ok((rest, (length, _))) = length(input)
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
    let (rest, (count, _)) = if let Ok((rest, ())) = word(&["半年"])(rest) {
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
    // "12日から13日にかけての夜" is that of the first of the two.
    if let Ok((end, ())) = word(&["にかけて"])(rest)
        && let Ok((end, ())) = word(&["の"])(end)
        && let Ok((end, day_part @ (DayPart::Night | DayPart::LateNight))) = part(end)
        && let Node::Range(from, _) = range(from.clone(), to.clone())
        && from.grain() == Grain::Day
    {
        return Ok((end, from.and(Node::Part(day_part))));
    }
    let (rest, closed) = maybe(word(&["まで", "までの間", "の間", "の間に", "にかけて", "いっぱい", "以前", "末まで", "迄"]), rest);
    if from.grain().is_clock() != to.grain().is_clock() && !(to.grain().is_clock() && from.grain() == Grain::Day) && closed.is_none() {
        return fail(input);
    }
    if matches!(from, Node::Part(_)) && matches!(to, Node::And(..)) || part_then_day(&from, &to) {
        return fail(input);
    }
    let node = range(from, to);
    // "5月3日から5月9日までのいつか" is one moment.
    if let Ok((end, ())) = word(&["の"])(rest)
        && let Ok((end, ())) = word(&["いつか", "どこか"])(end)
    {
        return Ok((end, Node::Section(Section::Some, Box::new(node))));
    }
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

pub(super) fn loose_day(input: In<'_>) -> Res<'_, Node> {
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
    // "10年以上前"
    if let Ok((rest, (length, _))) = length(input)
        && let Ok((rest, ())) = word(&["以上"])(rest)
        && let Ok((rest, ())) = word(&["前"])(rest)
    {
        return Ok((rest, open_of(Bound::Before, Node::Shift { length, forward: false, base: None })));
    }
    let (rest, node) = longest(&[point, year_alone, so_long], input)?;
    let ago = matches!(&node, Node::Shift { .. }) || matches!(&node, Node::Near(of) if matches!(**of, Node::Shift { .. }));
    if let Ok((end, ())) = word(&["より"])(rest) {
        return some(end, begins(&node, end).then(|| open_of(Bound::Since, node)));
    }
    let (rest, bound) = token(|token| {
        Some(match token.norm.as_ref() {
            "から" | "以来" | "またはその後" | "及びその後" | "とその後" | "またはそれ以降" => Bound::Since,
            "以降" | "より後" | "よりも後" => Bound::Onward,
            "後" | "の後" | "の後から" => Bound::After,
            "過ぎ" | "すぎ" if node.grain().is_clock() => Bound::After,
            "まで" | "迄" | "以前" => Bound::Until,
            "までに" | "迄に" | "またはその前" | "とその前" | "またはそれ以前" | "及びその前" => Bound::By,
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
    if ago && !matches!(bound, Bound::Since | Bound::Until | Bound::By) {
        return fail(input);
    }
    // What has been so since the end of a year began in its last days, not with the next.
    if matches!(node, Node::Section(..)) && matches!(bound, Bound::Since | Bound::Onward) {
        return Ok((rest, Node::Open(bound, Box::new(node))));
    }
    Ok((rest, open_of(bound, node)))
}

/// Whether より after it says when something begins: 4月1日より, but not 去年より寒い.
fn begins(node: &Node, rest: In<'_>) -> bool {
    let named = match node {
        Node::Date(fields) => fields.day.is_some(),
        Node::Clock(_) => true,
        Node::And(_, time) => time.grain().is_clock() || matches!(&**time, Node::Date(Fields { day: Some(_), .. })),
        _ => false,
    };
    let compares = rest.first().is_some_and(|next| {
        next.glued
            && (next.norm.chars().next().is_some_and(|c| matches!(c, '前' | '後' | 'も' | '早' | '遅' | '先' | 'は'))
                || next.atoms.iter().any(|atom| matches!(atom, Atom::Granule(..))))
    });
    named && !compares
}

fn year_alone(input: In<'_>) -> Res<'_, Node> {
    let (rest, year) = year(input)?;
    Ok((rest, Node::year(year)))
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
    if let Ok(read) = nights(start) {
        return Ok(read);
    }
    let (rest, (length, _)) = length(start)?;
    let (rest, _) = maybe(word(&["以上", "以下", "を上回る", "を下回る", "前後", "ほど"]), rest);
    Ok((rest, Node::Length(length)))
}

/// `4泊5日`, `三日三晩`: as many days as are counted last, or first.
fn nights(input: In<'_>) -> Res<'_, Node> {
    let (rest, one) = number(input)?;
    let (rest, (grain, _)) = unit(rest)?;
    let nights = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.is("泊"));
    let (rest, two) = number(rest)?;
    let (rest, days) = token(|token| if token.is("日") { Some(true) } else { token.is("晩").then_some(false) })(rest)?;
    let fits = if nights { days && (two - one).abs() <= 1 } else { grain == Grain::Day && !days && one == two };
    some(rest, Length::of(two.saturating_mul(1000), Grain::Day).filter(|_| fits && two > 0).map(Node::Length))
}
