//! Japanese dates and times of day. Knows nothing of ranges, shifts or durations.

use super::{granule, spoken};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::digits::numeric as digits_date;
use crate::time::expr::lang::en;
use crate::time::expr::lang::parse::{
    In, Res, digits, digits_in, fail, holiday, is_glued, longest, mark, maybe, meridian, month as named_month, named_clock, once, part,
    season, small, some, token, weekday, word,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Clock, DayPart, Fields, Meridian, Node, SeasonName, Section, Which, Year};

/// The particle that joins a whole and its part.
pub(super) fn of(input: In<'_>) -> In<'_> {
    maybe(word(&["の"]), input).0
}

/// A number of a language's own numerals or of digits.
pub(super) fn number(input: In<'_>) -> Res<'_, i64> {
    let (rest, (value, count)) = digits(input)?;
    some(rest, (count <= 9).then_some(value))
}

fn numbered<'i>(input: In<'i>, unit: &'static [&'static str], least: i64, most: i64) -> Res<'i, i64> {
    let (rest, value) = number(input)?;
    let (rest, ()) = word(unit)(rest)?;
    some(rest, (least <= value && value <= most).then_some(value))
}

/// `2019年`, `令和元年`, `平成30年`.
pub(super) fn year(input: In<'_>) -> Res<'_, Year> {
    if let Ok((rest, first)) = token(|token| token.find(|atom| if let Atom::Era(first) = atom { Some(first) } else { None }))(input) {
        let (rest, n) = match word(&["元"])(rest) {
            Ok((rest, ())) => (rest, 1),
            Err(_) => number(rest)?,
        };
        let (rest, ()) = word(&["年"])(rest)?;
        return some(rest, i32::try_from(n).ok().filter(|n| (1..=120).contains(n)).map(|n| Year::Full(first + n - 1)));
    }
    let (rest, value) = numbered(input, &["年"], 1000, 2999)?;
    some(rest, i32::try_from(value).ok().map(Year::Full))
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
    let (rest, value) = numbered(input, &["日", "にち"], 1, 31)?;
    some(rest, small(value))
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
        &[calendar, weekdays, relative, numeric, year_part, sections, nth, decade, season_node, holidays, week_of, bare_month, quarters],
        start,
    )
}

/// Year, month and day, as many as there are.
fn calendar(input: In<'_>) -> Res<'_, Node> {
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
        if let Ok((end, day)) = day(of(after)) {
            let (end, weekday) = with_weekday(end);
            return Ok((end, whole(Fields { day: Some(day), weekday, ..fields })));
        }
        return Ok((after, whole(fields)));
    }
    let of_month = scope.as_ref().is_none_or(|scope| scope.grain() == Grain::Month);
    if of_month && let Ok((end, day)) = day(rest) {
        let (end, weekday) = with_weekday(end);
        return Ok((end, whole(Fields { day: Some(day), weekday, ..Fields::default() })));
    }
    match scope {
        Some(node @ Node::Date(_)) => {
            let taken = absolute_year(input)?.0;
            Ok((taken, node))
        }
        _ => fail(input),
    }
}

fn absolute_year(input: In<'_>) -> Res<'_, Node> {
    let (rest, year) = year(input)?;
    Ok((rest, Node::year(year)))
}

fn relative_scope(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = longest(&[granule, spoken], input)?;
    some(rest, matches!(node.grain(), Grain::Month | Grain::Year).then_some(node))
}

fn bare_month(input: In<'_>) -> Res<'_, Node> {
    let (rest, month) = named_month(input)?;
    Ok((rest, Node::month(month)))
}

/// `月曜日`, `来週の月曜日`, `次の金曜日`, `先週末`.
fn weekdays(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, scope)) = longest(&[granule, spoken], input)
        && scope.grain() == Grain::Week
        && let Ok((end, name)) = weekday(of(rest))
    {
        let (end, _) = parenthesized(end);
        return Ok((end, scope.and(Node::weekday(name))));
    }
    let which = token(|token| {
        Some(match token.norm.as_ref() {
            "次" => Which::Next,
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
fn relative(input: In<'_>) -> Res<'_, Node> {
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

/// `2019年度`, `年末`, `月末`, `年初来`, `今年の前半`, `2018年後半`, `上半期`.
fn year_part(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, year)) = number(input)
        && let Ok((end, ())) = word(&["年度"])(rest)
    {
        return some(end, i32::try_from(year).ok().filter(|year| (1900..2100).contains(year)).map(fiscal));
    }
    if let Ok((rest, first)) = token(|token| token.find(|atom| if let Atom::Era(first) = atom { Some(first) } else { None }))(input)
        && let Ok((rest, n)) = number(rest)
        && let Ok((end, ())) = word(&["年度"])(rest)
    {
        return some(end, i32::try_from(n).ok().map(|n| fiscal(first + n - 1)));
    }
    let year = || Box::new(Node::This(Grain::Year, 0));
    let month = || Box::new(Node::This(Grain::Month, 0));
    // "今QTR"
    let beside = token(|token| match token.norm.as_ref() {
        "今" | "当" | "現" => Some(0),
        "来" | "次" => Some(1),
        "先" | "前" => Some(-1),
        _ => None,
    });
    if let Ok((rest, offset)) = beside(input)
        && let Ok((end, ())) = word(&["qtr"])(rest)
    {
        return Ok((end, Node::This(Grain::Quarter, offset)));
    }
    token(|token| {
        Some(match token.norm.as_ref() {
            "一日の終わり" => Node::Section(Section::Close, Box::new(Node::This(Grain::Day, 0))),
            "年末" => Node::Section(Section::End, year()),
            "年初" => Node::Section(Section::Beginning, year()),
            "年初来" => Node::Section(Section::ToDate, year()),
            "月末" => Node::Section(Section::End, month()),
            "月初" => Node::Section(Section::Beginning, month()),
            "上半期" => Node::Half(1),
            "下半期" => Node::Half(2),
            _ => return None,
        })
    })(input)
}

fn fiscal(year: i32) -> Node {
    let month = |year, month| Node::date(Fields { year: Some(Year::Full(year)), month: Some(month), ..Fields::default() });
    Node::Range(Box::new(month(year, 4)), Box::new(month(year + 1, 3)))
}

/// `3月上旬`, `今月の半ば`, `2020年末`, `今年の終わり`, `年の前半`, `今日の終わり`, `2020年6月初め`.
fn sections(input: In<'_>) -> Res<'_, Node> {
    let bare_unit = |input| {
        token(|token| match token.norm.as_ref() {
            "年" => Some(Node::This(Grain::Year, 0)),
            "月" => Some(Node::This(Grain::Month, 0)),
            _ => None,
        })(input)
    };
    let (rest, of_what) = match bare_unit(input) {
        Ok((rest, node)) => (rest, node),
        Err(_) => longest(&[calendar, relative, weekdays, decade], input)?,
    };
    let bare = bare_unit(input).is_ok();
    let (rest, section) = token(|token| {
        Some(match token.norm.as_ref() {
            "上旬" => Section::Third(0),
            "中旬" => Section::Third(1),
            "下旬" => Section::Third(2),
            "初め" | "はじめ" | "始め" | "頭" => Section::Beginning,
            "半ば" => Section::Middle,
            "終わり" | "末" => Section::End,
            "前半" | "の前半" => Section::FirstHalf,
            "後半" | "の後半" => Section::SecondHalf,
            _ => return None,
        })
    })(of(rest))?;
    if bare && !matches!(section, Section::FirstHalf | Section::SecondHalf) {
        return fail(input);
    }
    let (rest, _) = maybe(word(&["ごろ", "頃", "ころ"]), rest);
    let section = match (section, of_what.grain()) {
        (Section::End, Grain::Day) => Section::Close,
        (Section::Third(_), grain) if grain != Grain::Month => return fail(input),
        (Section::Middle, _) => Section::Mid,
        (section, Grain::Day) => return some(rest, matches!(section, Section::Close).then(|| Node::Section(section, Box::new(of_what)))),
        (section, _) => section,
    };
    Ok((rest, Node::Section(section, Box::new(of_what))))
}

/// `5月の第2月曜日`, `5月の最後の週`, `2020年の第5週`, `第31週`, `来月の第一月曜日`, `四月最後の月曜日`.
fn nth(input: In<'_>) -> Res<'_, Node> {
    let (rest, scope) = match longest(&[calendar, relative], input) {
        Ok((rest, node)) if node.grain() >= Grain::Month => (of(rest), Some(node)),
        _ => (input, None),
    };
    let (rest, n) = if let Ok((rest, ())) = word(&["第"])(rest) {
        number(rest)?
    } else {
        token(|token| if token.is("最初") { Some(1) } else { token.is("最後").then_some(-1) })(rest)?
    };
    let (rest, unit) = if let Ok((rest, name)) = weekday(of(rest)) {
        (rest, Node::weekday(name))
    } else {
        let (rest, grain) = token(|token| match token.norm.as_ref() {
            "週" => Some(Grain::Week),
            "四半期" => Some(Grain::Quarter),
            "日" => Some(Grain::Day),
            "週末" => Some(Grain::Weekend),
            _ => None,
        })(rest)?;
        (rest, if grain == Grain::Weekend { Node::Weekend } else { Node::This(grain, 0) })
    };
    match (scope, &unit) {
        (Some(scope), Node::This(Grain::Quarter, _)) if n > 0 => {
            some(rest, small(n).filter(|n| *n <= 4).map(|n| scope.and(Node::Quarter(n))))
        }
        (None, Node::This(Grain::Quarter, _)) if n > 0 => some(rest, small(n).filter(|n| *n <= 4).map(Node::Quarter)),
        (Some(scope), _) => Ok((rest, Node::Nth { n, count: 1, unit: Box::new(unit), of: Box::new(scope) })),
        (None, Node::This(Grain::Week, _)) if n > 0 => {
            some(rest, small(n).filter(|n| *n <= 53).map(|n| Node::This(Grain::Year, 0).and(Node::Week(n))))
        }
        (None, Node::Date(_)) if n > 0 => {
            let of = Box::new(Node::This(Grain::Month, 0));
            Ok((rest, Node::Nth { n, count: 1, unit: Box::new(unit), of }))
        }
        _ => fail(input),
    }
}

/// `1980年代`, `90年代`, `21世紀`.
fn decade(input: In<'_>) -> Res<'_, Node> {
    let (rest, value) = number(input)?;
    let value = i32::try_from(value).ok();
    if let Ok((end, ())) = word(&["年代"])(rest) {
        return some(
            end,
            value.and_then(|value| match value {
                1000..=2999 => Some(Node::Years(value, 10)),
                10..=90 if value % 10 == 0 => Some(Node::ShortDecade(value)),
                _ => None,
            }),
        );
    }
    let (end, ()) = word(&["世紀"])(rest)?;
    some(end, value.filter(|n| (1..=30).contains(n)).map(|n| Node::Years((n - 1) * 100, 100)))
}

fn season_node(input: In<'_>) -> Res<'_, Node> {
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
    let (rest, name) = season(input)?;
    Ok((rest, Node::Season(name)))
}

fn holidays(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, scope)) = longest(&[absolute_year, granule, spoken], input)
        && scope.grain() == Grain::Year
        && let Ok((end, index)) = holiday(of(rest))
    {
        return Ok((end, scope.and(Node::Holiday(index))));
    }
    let (rest, index) = holiday(input)?;
    Ok((rest, Node::Holiday(index)))
}

/// `6月3日の週`, `18日の週`.
fn week_of(input: In<'_>) -> Res<'_, Node> {
    let (rest, day) = longest(&[calendar, numeric, holidays], input)?;
    let (rest, weekend) = token(|token| if token.is("の週末") { Some(true) } else { token.is("の週").then_some(false) })(rest)?;
    let node = if weekend { Node::WeekendOf(Box::new(day.clone())) } else { Node::WeekOf(Box::new(day.clone())) };
    some(rest, (day.grain() == Grain::Day).then_some(node))
}

fn quarters(input: In<'_>) -> Res<'_, Node> {
    let (rest, ()) = word(&["q"])(input)?;
    let (rest, n) = digits_in(1, 4, 1)(rest)?;
    some(rest, small(n).map(Node::Quarter))
}

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
    let (rest, node) = longest(&[kanji_clock, digit_clock, named], rest)?;
    let Node::Clock(clock) = node else { return fail(input) };
    let meridian = match (said, clock.meridian) {
        (Meridian::Either, own) => own,
        (said, _) if clock.hour <= 12 => said,
        (_, own) => own,
    };
    let node = Node::Clock(Clock { meridian, ..clock });
    let node = match day_part {
        Some(day_part) if meridian == Meridian::Either => Node::Part(day_part).and(node),
        _ => node,
    };
    let (rest, _) = maybe(word(&["ちょうど", "きっかり", "ぴったり"]), rest);
    Ok((rest, node))
}

fn kanji_clock(input: In<'_>) -> Res<'_, Node> {
    let (rest, hour) = numbered(input, &["時"], 0, 24)?;
    if rest.first().is_some_and(|next| next.glued && next.is("間")) {
        return fail(input);
    }
    let (rest, minute) =
        if let Ok((rest, ())) = word(&["半"])(rest) { (rest, Some(30)) } else { maybe(|input| numbered(input, &["分"], 0, 59), rest) };
    let (rest, second) = maybe(|input| numbered(input, &["秒"], 0, 59), rest);
    let meridian = if hour > 12 || hour == 0 { Meridian::Full } else { Meridian::Either };
    let clock = small(hour).map(|hour| Clock { hour, minute: minute.and_then(small), second: second.and_then(small), meridian });
    some(rest, clock.map(Node::Clock))
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

/// `今朝`, `昨夜`, with a clock or without: `今夜10時`.
fn part_of_a_day(input: In<'_>) -> Res<'_, Node> {
    let (rest, (offset, day_part)) =
        token(|token| token.find(|atom| if let Atom::DayPart(offset, part) = atom { Some((offset, part)) } else { None }))(input)?;
    let day = Node::This(Grain::Day, offset).and(Node::Part(day_part));
    match kanji_clock(of(rest)).or_else(|_| digit_clock(of(rest))) {
        Ok((end, clock)) => Ok((end, Node::This(Grain::Day, offset).and(Node::Part(day_part).and(clock)))),
        Err(_) => Ok((rest, day)),
    }
}

/// A date, a time, or a date with a time.
pub(super) fn point(input: In<'_>) -> Res<'_, Node> {
    once(33, any_point, input)
}

fn any_point(input: In<'_>) -> Res<'_, Node> {
    let (start, about) = maybe(word(&["約", "およそ", "だいたい", "大体", "ほぼ", "おおよそ"]), input);
    let (rest, node) = longest(&[date_time, date, clock, part_of_a_day, bare_part, now], start)?;
    let (rest, near) = maybe(word(&["ごろ", "ころ", "頃", "くらい", "ぐらい"]), rest);
    Ok((rest, if about.is_some() || near.is_some() { Node::Near(Box::new(node)) } else { node }))
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
    Ok((rest, day.and(time)))
}
