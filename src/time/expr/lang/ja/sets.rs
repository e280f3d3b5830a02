//! Japanese recurring times. Knows nothing of when they fall.

use super::clock::clock;
use super::date::{calendar, number, of};
use super::length::length;
use super::phrase::loose_day;
use super::year::which_of;
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::parse::{In, Res, fail, longest, mark, maybe, part, small, some, token, weekday, word};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{DayPart, Fields, Length, Node, range};
use crate::time::expr::token::Kind;

/// Every so many granules, on what.
fn every(interval: i64, grain: Grain, on: Option<Node>) -> Node {
    Node::Every { interval, grain, on: on.map(Box::new) }
}

/// The set, and on what more.
fn on(set: Node, more: Node) -> Node {
    match set {
        Node::Every { interval, grain, on: None } => every(interval, grain, Some(more)),
        // Beside a weekday another one is said, not the same one further.
        Node::Every { interval, grain, on: Some(on) } => every(interval, grain, Some(Node::And(on, Box::new(more)))),
        other => other,
    }
}

/// How many units of its grain a length has.
fn count_of(length: Length) -> i64 {
    match length.grain {
        Grain::Year => length.months / 12,
        Grain::Month => length.months,
        Grain::Week => length.days / 7,
        Grain::Day => length.days,
        grain => length.micros / grain.micros().max(1),
    }
    .max(1)
}

/// `毎日`, `毎週月曜日`, `毎日午後8時`, `5週間ごとに`, `毎朝`, `週に3回`, `平日`, `毎月第3水曜日`.
pub(super) fn set(input: In<'_>) -> Res<'_, Node> {
    let (rest, set) = longest(&[spaced, frequency, each_weekday, working_days, opening_hours, each, each_initial], input)?;
    Ok(times_of_day(rest, set))
}

/// `9時から17時まで`, `9時半〜17時`.
fn hours(input: In<'_>) -> Res<'_, Node> {
    let (rest, from) = clock(input)?;
    let (rest, ()) = word(&["から"])(rest).or_else(|_| mark("~-")(rest).map(|(rest, _)| (rest, ())))?;
    let (rest, to) = clock(rest)?;
    let (rest, _) = maybe(word(&["まで"]), rest);
    some(rest, matches!((&from, &to), (Node::Clock(_), Node::Clock(_))).then(|| range(from, to)))
}

/// `月曜から金曜の9時半〜17時`, `土日は10時から18時まで`: the hours of each of those days.
fn opening_hours(input: In<'_>) -> Res<'_, Node> {
    let named = |input| weekday(input).or_else(|_| initial(input));
    let (rest, days) = if let Ok((rest, ())) = word(&["土日", "土日曜"])(input) {
        (rest, Node::Weekend)
    } else if let Ok((rest, from)) = named(input)
        && let Ok((rest, ())) = word(&["から"])(rest).or_else(|_| mark("~-")(rest).map(|(rest, _)| (rest, ())))
        && let Ok((rest, to)) = named(rest)
    {
        (maybe(word(&["まで"]), rest).0, Node::Range(Box::new(Node::weekday(from)), Box::new(Node::weekday(to))))
    } else {
        return fail(input);
    };
    let (rest, ()) = word(&["の", "は"])(rest).or_else(|_| mark(",、:")(rest).map(|(rest, _)| (rest, ()))).unwrap_or((rest, ()));
    let (rest, hours) = hours(rest)?;
    Ok((rest, on(every(1, Grain::Week, Some(days)), hours)))
}

/// `3日ごとに`, `1日おきに`, `2時間おき`.
fn spaced(input: In<'_>) -> Res<'_, Node> {
    let (rest, (length, _)) = length(input)?;
    let (rest, skips) = token(|token| match token.norm.as_ref() {
        "ごとに" | "ごと" | "毎に" => Some(false),
        "おきに" | "おき" => Some(true),
        _ => None,
    })(rest)?;
    // "1日おき" leaves out a day; hours and minutes are counted from one to the next.
    if length.is_nothing() {
        return fail(input);
    }
    let between = i64::from(skips && !length.grain.is_clock());
    Ok((rest, every(count_of(length) + between, length.grain, None)))
}

/// `週に3回`, `1日1回`, `月に一度`, `二年に一度`.
fn frequency(input: In<'_>) -> Res<'_, Node> {
    let single = token(|token| {
        Some(match token.norm.as_ref() {
            "日" => Grain::Day,
            "週" => Grain::Week,
            "月" => Grain::Month,
            "年" => Grain::Year,
            _ => return None,
        })
    });
    // 一月 is a month only here, and else January.
    let month = |input| word(&["一"])(input).and_then(|(rest, ())| word(&["月"])(rest));
    let (rest, (interval, grain)) = if let Ok((rest, grain)) = single(input) {
        (rest, (1, grain))
    } else if let Ok((rest, ())) = month(input) {
        word(&["に"])(rest)?;
        (rest, (1, Grain::Month))
    } else {
        let (rest, (length, about)) = length(input)?;
        if about || length.grain.is_clock() && length.grain != Grain::Hour {
            return fail(input);
        }
        (rest, (count_of(length), length.grain))
    };
    let (rest, _) = maybe(word(&["に"]), rest);
    let (rest, times) = so_often(rest)?;
    some(rest, (interval == 1 || times == 1).then(|| every(interval, grain, Some(Node::Times(times)))))
}

/// `3回`, `一度`.
fn so_often(input: In<'_>) -> Res<'_, u32> {
    let (rest, times) = number(input)?;
    let (rest, ()) = word(&["回", "度"])(rest)?;
    // "3回目" is one of them, and "20度" no number of times.
    let one_of = rest.first().is_some_and(|next| next.glued && ["目", "線", "数"].iter().any(|word| next.is(word)));
    some(rest, small(times).filter(|times| (1..=100).contains(times) && !one_of))
}

/// `日曜日ごとに`.
fn each_weekday(input: In<'_>) -> Res<'_, Node> {
    let (rest, name) = weekday(input)?;
    let (rest, ()) = word(&["ごとに", "ごと", "毎に"])(rest)?;
    Ok((rest, every(1, Grain::Week, Some(Node::weekday(name)))))
}

/// `平日`, `毎週平日`: Monday to Friday.
fn working_days(input: In<'_>) -> Res<'_, Node> {
    let (rest, _) = maybe(each_word, input);
    let (rest, ()) = word(&["平日"])(of(rest))?;
    Ok((rest, every(1, Grain::Week, Some(Node::Range(Box::new(Node::weekday(1)), Box::new(Node::weekday(5)))))))
}

fn each_word(input: In<'_>) -> Res<'_, Grain> {
    token(|token| token.find(|atom| if let Atom::Set(grain) = atom { Some(grain) } else { None }))(input)
}

fn each(input: In<'_>) -> Res<'_, Node> {
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
    if let Ok((rest, day_part)) = parts(input) {
        return Ok((rest, every(1, Grain::Day, Some(Node::Part(day_part)))));
    }
    let (rest, grain, set) = if let Ok((rest, grain)) = alternate(input) {
        (rest, grain, every(2, grain, None))
    } else {
        let (rest, grain) = each_word(input)?;
        (rest, grain, every(1, grain, None))
    };
    if grain == Grain::Week
        && let Ok((end, ())) = word(&["末"])(rest)
    {
        return Ok((end, on(set, Node::Weekend)));
    }
    // 毎月末 is its last day, 毎年末 its last month.
    if let Ok((end, ())) = word(&["末", "末日"])(rest) {
        let day = || Node::Nth { n: -1, count: 1, unit: Box::new(Node::This(Grain::Day, 0)), of: Box::new(Node::This(grain, 0)) };
        return match grain {
            Grain::Month => Ok((end, on(set, day()))),
            Grain::Year => Ok((end, on(set, Node::month(12)))),
            _ => fail(input),
        };
    }
    if let Ok((end, times)) = so_often(rest) {
        return Ok((end, on(set, Node::Times(times))));
    }
    let inner = of(rest);
    if let Ok((end, days)) = weekdays(inner) {
        return Ok((end, on(set, days)));
    }
    if let Ok((end, days)) = nth_weekdays(inner, grain) {
        return Ok((end, on(set, days)));
    }
    if grain == Grain::Month
        && let Ok((end, day)) = loose_day(inner)
    {
        return Ok((end, on(set, day)));
    }
    if grain == Grain::Year
        && let Ok((end, day)) = calendar(inner)
        && matches!(day, Node::Date(Fields { year: None, .. }))
    {
        return Ok(match nth_weekdays(of(end), Grain::Month) {
            Ok((end, days)) if day.grain() == Grain::Month => (end, on(set, Node::And(Box::new(day), Box::new(days)))),
            _ => (end, on(set, day)),
        });
    }
    Ok((rest, set))
}

/// What joins the members of a list.
fn joint(input: In<'_>) -> Res<'_, ()> {
    match mark("、,/")(input) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(_) => word(&["と", "・", "や", "および", "及び"])(input),
    }
}

/// A weekday by its first character.
fn initial(input: In<'_>) -> Res<'_, u8> {
    token(|token| {
        Some(match token.norm.as_ref() {
            "月" => 1,
            "火" | "火・" => 2,
            "水" | "水・" => 3,
            "木" | "木・" => 4,
            "金" | "金・" => 5,
            "土" | "土・" => 6,
            "日" => 7,
            _ => return None,
        })
    })(input)
}

/// `月・水・金`, `火・木曜`: two or more, in the order of the week.
fn initials(input: In<'_>) -> Res<'_, Node> {
    let (mut rest, first) = initial(input)?;
    let (mut node, mut last, mut count) = (Node::weekday(first), first, 1);
    for _ in 0..6 {
        let dotted = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.norm.ends_with('・'));
        let after = if dotted { rest } else { maybe(joint, rest).0 };
        let named = weekday(after);
        let Ok((end, name)) = named.or_else(|_| initial(after)) else { break };
        if name <= last {
            return fail(input);
        }
        (rest, node, last, count) = (end, Node::And(Box::new(node), Box::new(Node::weekday(name))), name, count + 1);
    }
    let open = input.get(input.len() - rest.len() - 1).is_some_and(|token| token.norm.ends_with('・'));
    some(rest, (count > 1 && !open).then_some(node))
}

/// `月・水・金に`: each of them, where no other thing is listed: 火・水・風.
fn each_initial(input: In<'_>) -> Res<'_, Node> {
    let dotted = input.iter().take(3).any(|token| token.norm.ends_with('・'));
    let (rest, days) = initials(input)?;
    let named = input.get(input.len() - rest.len() - 1).is_some_and(|token| weekday(std::slice::from_ref(token)).is_ok());
    let ends = rest.first().is_none_or(|next| {
        !next.glued || !matches!(next.kind, Kind::Glyph) || matches!(next.norm.as_ref(), "に" | "は" | "の" | "も" | "が" | "で" | "だけ")
    });
    let weekend = days == Node::And(Box::new(Node::weekday(6)), Box::new(Node::weekday(7)));
    some(rest, (dotted && (named || ends) && !weekend).then(|| every(1, Grain::Week, Some(days))))
}

/// `火曜と木曜`, `月曜から金曜まで`, after a word for each week `月水金` too.
fn weekdays(input: In<'_>) -> Res<'_, Node> {
    if let Ok(read) = initials(input) {
        return Ok(read);
    }
    let (mut rest, first) = weekday(input)?;
    let mut node = Node::weekday(first);
    let to = word(&["から"])(rest).or_else(|_| mark("~-")(rest).map(|(rest, _)| (rest, ())));
    if let Ok((end, name)) = to.and_then(|(rest, ())| weekday(rest)) {
        let (end, _) = maybe(word(&["まで"]), end);
        return Ok((end, Node::Range(Box::new(node), Box::new(Node::weekday(name)))));
    }
    for _ in 0..6 {
        let Ok((end, name)) = joint(rest).and_then(|(rest, ())| weekday(rest)) else { break };
        (rest, node) = (end, Node::And(Box::new(node), Box::new(Node::weekday(name))));
    }
    Ok((rest, node))
}

/// `第3水曜日`, `第1・第3土曜日`, `最終金曜日`.
fn nth_weekdays(input: In<'_>, grain: Grain) -> Res<'_, Node> {
    if !matches!(grain, Grain::Month | Grain::Year) {
        return fail(input);
    }
    let (mut rest, first) = which_of(input)?;
    let mut which = vec![first];
    for _ in 0..4 {
        let another = joint(rest).and_then(|(rest, ())| number(maybe(word(&["第"]), rest).0));
        let Ok((end, n)) = another else { break };
        which.push(n);
        rest = end;
    }
    let (rest, name) = weekday(rest)?;
    let nth = |n: i64| Node::Nth { n, count: 1, unit: Box::new(Node::weekday(name)), of: Box::new(Node::This(grain, 0)) };
    let all = which.iter().all(|n| *n == -1 || (1..=5).contains(n));
    let nodes = which.into_iter().map(nth).reduce(|one, other| Node::And(Box::new(one), Box::new(other)));
    some(rest, nodes.filter(|_| all))
}

/// The time of day or the part of it that may follow.
fn times_of_day(rest: In<'_>, set: Node) -> (In<'_>, Node) {
    let inner = of(rest);
    let (after, day_part) = maybe(part, inner);
    // "平日は9時から17時まで"
    if let Ok((end, ())) = word(&["は", "、"])(rest).or_else(|_| mark(",、:")(rest).map(|(end, _)| (end, ())))
        && let Ok((end, hours)) = hours(end)
    {
        return (end, on(set, hours));
    }
    // "平日の9時から17時まで"
    if let Ok((end, hours)) = hours(inner) {
        return (end, on(set, hours));
    }
    if let Ok((end, time)) = clock(inner) {
        return (end, on(set, time));
    }
    match day_part {
        Some(day_part) => (after, on(set, Node::Part(day_part))),
        None => (rest, set),
    }
}
