//! Japanese years, of the common era, of the calendar's eras and fiscal ones, and the parts of years and of other granules.
//! Knows nothing of times of day, nor of ranges.

use super::date::{calendar, number, of, relative, relative_scope, season_node, weekdays};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::parse::{
    In, Res, digits, digits_in, fail, holiday, is_glued, longest, mark, maybe, small, some, token, weekday, word,
};
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Fields, Node, Section, Year};
use crate::time::expr::token::{Kind, Token};

/// The first year of an era: `令和`, and before digits `R`.
fn era(input: In<'_>) -> Res<'_, i32> {
    if let Ok(read) = token(|token| token.find(|atom| if let Atom::Era(first) = atom { Some(first) } else { None }))(input) {
        return Ok(read);
    }
    let (rest, first) = token(|token| {
        Some(match token.norm.as_ref() {
            "m" => 1868,
            "t" => 1912,
            "s" => 1926,
            "h" => 1989,
            "r" => 2019,
            _ => return None,
        })
    })(input)?;
    let digits = rest.first().is_some_and(|next| next.glued && matches!(next.kind, Kind::Number { digits: 1..=2, .. }));
    some(rest, digits.then_some(first))
}

/// The number of a year of an era, counted from 1, as a year.
fn of_era(first: i32, n: i64) -> Option<i32> {
    i32::try_from(n).ok().filter(|n| (1..=120).contains(n)).map(|n| first + n - 1)
}

/// A year that one of the words ends: `2019年`, `令和元年度`, `平成30年度`, `22年度`, `紀元前44年`, `西暦794年`.
fn year_before<'i>(input: In<'i>, words: &'static [&'static str]) -> Res<'i, Year> {
    if let Ok((rest, first)) = era(input) {
        let (rest, n) = match word(&["元"])(rest) {
            Ok((rest, ())) => (rest, 1),
            Err(_) => number(rest)?,
        };
        let (rest, ()) = word(words)(rest)?;
        return some(rest, of_era(first, n).map(Year::Full));
    }
    let (start, before) = maybe(word(&["紀元前"]), input);
    let (start, common) = if before.is_none() { maybe(word(&["西暦"]), start) } else { (start, None) };
    let (rest, value) = number(start)?;
    let two = start.first().and_then(Token::number).is_some_and(|(_, digits)| digits == 2);
    let (rest, ()) = word(words)(rest)?;
    let value = i32::try_from(value).ok();
    // Nothing lasts 22年度 or 22年末.
    if two && before.is_none() && common.is_none() && words != ["年"] {
        return some(rest, value.map(Year::Short));
    }
    let value = value.filter(|value| if common.is_some() { *value > 0 } else { *value >= 1000 } || before.is_some());
    let value = value.filter(|value| (1..=2999).contains(value)).map(|value| if before.is_some() { 1 - value } else { value });
    some(rest, value.map(Year::Full))
}

/// A year of the common era or of one of the calendar's, without a word: `2021`, `令和3`.
fn bare(input: In<'_>) -> Res<'_, i32> {
    if let Ok((rest, first)) = era(input) {
        let (rest, n) = number(rest)?;
        return some(rest, of_era(first, n));
    }
    let (rest, value) = digits_in(1000, 2999, 4)(input)?;
    some(rest, i32::try_from(value).ok())
}

/// `令和3(2021)年`, `2021(令和3)年`: the same year twice.
fn both(input: In<'_>) -> Res<'_, i32> {
    let (rest, one) = bare(input)?;
    let (rest, _) = mark("(")(rest)?;
    let (rest, other) = bare(rest)?;
    let (rest, _) = mark(")")(rest)?;
    let (rest, ()) = word(&["年"])(rest)?;
    some(rest, (one == other).then_some(one))
}

/// `2019年`, `令和元年`, `令和3年(2021年)`.
pub(super) fn year(input: In<'_>) -> Res<'_, Year> {
    if let Ok((rest, year)) = both(input) {
        return Ok((rest, Year::Full(year)));
    }
    let Ok((rest, year)) = year_before(input, &["年"]) else { return short(input) };
    let again = mark("(")(rest)
        .and_then(|(inner, _)| year_before(inner, &["年"]).or_else(|_| bare(inner).map(|(rest, year)| (rest, Year::Full(year)))));
    let again = again.and_then(|(end, same)| Ok((mark(")")(end)?.0, same))).ok();
    let rest = again.filter(|(_, same)| *same == year).map_or(rest, |(end, _)| end);
    Ok((rest, year))
}

/// `98年`, `'22年`: a year by its last two digits, where what follows says that it is no length.
fn short(input: In<'_>) -> Res<'_, Year> {
    let (start, quote) = maybe(mark("'"), input);
    let (rest, (value, count)) = digits(start)?;
    let (rest, ()) = word(&["年"])(rest)?;
    // No length begins with a nought.
    let told = quote.is_some() && is_glued(start) || value > 0 && value < 10 || dates(rest);
    some(rest, i32::try_from(value).ok().filter(|_| count == 2 && told).map(Year::Short))
}

/// Whether two digits and a 年 before it are the year it lies in: 98年の夏, 22年3月, 98年に卒業した, 05年から; but 20年に及ぶ, 10年に一度.
fn dates(rest: In<'_>) -> bool {
    let part = |rest| longest(&[season_node, |input| holiday(input).map(|(rest, index)| (rest, Node::Holiday(index)))], rest).is_ok();
    let month = |rest| {
        number(rest)
            .and_then(|(rest, value)| Ok((word(&["月", "月末", "月末日", "月初", "月初め", "月はじめ", "月頭"])(rest)?.0, value)))
            .is_ok_and(|(_, month)| (1..=12).contains(&month))
    };
    if part(of(rest)) || month(rest) || month(of(rest)) || section(rest).is_ok() || half(of(rest)).is_ok() {
        return true;
    }
    let is = |token: Option<&Token<'_>>, words: &[&str]| token.is_some_and(|token| words.iter().any(|word| token.is(word)));
    // What is reached, filled or spent is a length, and so is what something happens once in.
    let spent = |after: In<'_>| {
        let begins = |word: &str| word.chars().zip(after).filter(|(c, token)| token.norm.starts_with(*c)).count() == word.chars().count();
        after.first().is_none_or(|next| next.number().is_some() || next.kind != Kind::Glyph && !next.is_mark('、'))
            || [
                "わた", "渡", "亘", "及", "およ", "なる", "なり", "なっ", "な", "延", "のば", "縮", "短", "達", "満", "近", "迫", "当た",
                "相当", "処", "増", "減", "し", "す", "も", "は",
            ]
            .iter()
            .any(|word| begins(word))
    };
    match rest.first() {
        Some(next) if is(Some(next), &["に"]) => !spent(rest.get(1..).unwrap_or_default()),
        // "10年から15年" are lengths both, "98年から03年まで" years.
        Some(next) if is(Some(next), &["から"]) => {
            let after = rest.get(1..).unwrap_or_default();
            digits(after).is_err() || short_end(after)
        }
        next => is(next, &["以降", "以来", "頃", "ごろ", "ころ", "当時", "時点"]),
    }
}

/// `03年まで`, `2005年`: a year that a range ends with, and no length.
fn short_end(input: In<'_>) -> bool {
    digits(input).is_ok_and(|(rest, (value, count))| {
        let nought = count == 2 && value < 10;
        (nought || count == 4) && word(&["年"])(rest).is_ok()
    })
}

/// `R6.4.1`, as forms and tables write dates.
pub(super) fn lettered(input: In<'_>) -> Res<'_, Node> {
    let (rest, first) = era(input)?;
    let (rest, n) = digits_in(1, 64, 2)(rest)?;
    let (rest, separator) = mark("./-")(rest)?;
    let (rest, month) = digits_in(1, 12, 2)(rest)?;
    let (rest, other) = mark("./-")(rest)?;
    let (rest, day) = digits_in(1, 31, 2)(rest)?;
    let year = of_era(first, n).filter(|_| separator == other).map(Year::Full);
    let fields = year.map(|year| Fields { year: Some(year), month: small(month), day: small(day), ..Fields::default() });
    some(rest, fields.map(Node::date))
}

fn absolute(input: In<'_>) -> Res<'_, Node> {
    let (rest, year) = year(input)?;
    Ok((rest, Node::year(year)))
}

/// `第3四半期`, `Q3`, `3Q`.
fn quarter(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, ())) = word(&["第"])(input) {
        let (rest, n) = number(rest)?;
        let (rest, ()) = word(&["四半期"])(rest)?;
        return some(rest, small(n).filter(|n| (1..=4).contains(n)).map(Node::Quarter));
    }
    let (rest, n) = if let Ok((rest, ())) = word(&["q"])(input) {
        digits_in(1, 4, 1)(rest)?
    } else {
        let (rest, n) = digits_in(1, 4, 1)(input)?;
        (word(&["q"])(rest)?.0, n)
    };
    some(rest, small(n).map(Node::Quarter))
}

/// `上半期`, `下期`.
fn half(input: In<'_>) -> Res<'_, Node> {
    token(|token| {
        Some(match token.norm.as_ref() {
            "上半期" | "上期" => Node::Half(1),
            "下半期" | "下期" => Node::Half(2),
            _ => return None,
        })
    })(input)
}

/// `2021年下半期`, `今年の第3四半期`, `上半期`, `2023年Q4`, `Q2`.
pub(super) fn halves(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, scope)) = longest(&[absolute, relative_scope], input)
        && scope.grain() == Grain::Year
        && let Ok((end, part)) = longest(&[half, quarter], of(rest))
    {
        return Ok((end, scope.and(part)));
    }
    let (rest, part) = longest(&[half, quarter], input)?;
    let turned = input.first().is_some_and(|token| matches!(token.kind, Kind::Number { .. }));
    some(rest, (!turned).then_some(part))
}

/// The ends of a fiscal year, by name.
const FISCAL_VERGES: &[&str] = &["年度末", "年度初め", "年度はじめ", "年度始め", "年度当初", "年度頭"];

fn fiscal_verge(token: &Token<'_>) -> Option<Section> {
    let verge = FISCAL_VERGES.iter().any(|word| token.is(word));
    verge.then(|| if token.is("年度末") { Section::Tail } else { Section::Head })
}

/// `2019年度`, `来年度`, `令和元年度の下半期`, `2022年度第3四半期`, `2023年度末`, `年度初め`.
pub(super) fn fiscal(input: In<'_>) -> Res<'_, Node> {
    let of_fiscal = |node| Node::Fiscal(Box::new(node));
    if let Ok((rest, year)) = year_before(input, FISCAL_VERGES) {
        let section = input.get(input.len() - rest.len() - 1).and_then(fiscal_verge);
        return some(rest, section.map(|section| of_fiscal(Node::Section(section, Box::new(Node::year(year))))));
    }
    if let Ok((rest, section)) = token(fiscal_verge)(input) {
        return Ok((rest, of_fiscal(Node::Section(section, Box::new(Node::any_year())))));
    }
    let beside = token(|token| {
        let (offset, spoken) = match token.norm.as_ref() {
            "今年度" | "本年度" | "当年度" => (0, false),
            "来年度" | "次年度" => (1, false),
            "再来年度" => (2, false),
            "昨年度" | "去年度" => (-1, false),
            "一昨年度" => (-2, false),
            "同年度" => (0, true),
            "翌年度" => (1, true),
            "翌々年度" => (2, true),
            "前年度" => (-1, true),
            "前々年度" => (-2, true),
            _ => return None,
        };
        let node = Node::This(Grain::Year, offset);
        Some(if spoken { Node::Anaphora(Box::new(node)) } else { node })
    });
    let (rest, year) = beside(input).or_else(|_| {
        let (rest, year) = year_before(input, &["年度"])?;
        Ok((rest, Node::year(year)))
    })?;
    let inner = of(rest);
    if let Ok((end, part)) = longest(&[half, quarter], inner) {
        return Ok((end, of_fiscal(year.and(part))));
    }
    if let Ok((end, section)) = section(inner) {
        let section = match section {
            Section::Beginning => Section::Head,
            Section::End => Section::Tail,
            section => section,
        };
        return some(end, (!matches!(section, Section::Third(_))).then(|| of_fiscal(Node::Section(section, Box::new(year)))));
    }
    // The first month of a fiscal year is April.
    if let Ok((end, month)) = number(inner)
        && let Ok((end, ())) = word(&["月"])(end)
    {
        let month = small(month).filter(|month| (1..=12).contains(month)).map(|month| (month + 8) % 12 + 1);
        return some(end, month.map(|month| of_fiscal(year.and(Node::month(month)))));
    }
    Ok((rest, of_fiscal(year)))
}

/// A word that no table has, by its characters: what goes before it makes it a word of time.
pub(super) fn spelled<'i>(input: In<'i>, word: &str) -> Res<'i, ()> {
    let mut rest = input;
    for c in word.chars() {
        (rest, ()) = token(|token| (token.glued && token.norm.starts_with(c) && token.norm.len() == c.len_utf8()).then_some(()))(rest)?;
    }
    Ok((rest, ()))
}

/// A word for a part of what stands before it.
fn section(input: In<'_>) -> Res<'_, Section> {
    if let Ok((rest, ())) = word(&["暮れ"])(input) {
        // 暮れる is a verb.
        let verb = rest.first().is_some_and(|next| next.glued && ["る", "た", "て", "な", "ま"].iter().any(|word| next.is(word)));
        return some(rest, (!verb).then_some(Section::Tail));
    }
    let (rest, section) = token(|token| {
        Some(match token.norm.as_ref() {
            "上旬" => Section::Third(0),
            "中旬" => Section::Third(1),
            "下旬" => Section::Third(2),
            "初め" | "はじめ" | "始め" | "頭" | "初頭" => Section::Beginning,
            "初期" => Section::Early,
            "半ば" => Section::Middle,
            "中期" => Section::Mid,
            "終わり" | "末" | "末期" => Section::End,
            "後期" => Section::Late,
            "前半" | "の前半" => Section::FirstHalf,
            "後半" | "の後半" => Section::SecondHalf,
            _ => return None,
        })
    })(input)?;
    // The same characters begin a verb: 来月始める, 今日終わります.
    let verb = input.first().is_some_and(|token| ["はじめ", "始め", "終わり"].iter().any(|word| token.is(word)))
        && rest.first().is_some_and(|next| {
            next.glued
                && next.kind == Kind::Glyph
                && next
                    .norm
                    .chars()
                    .next()
                    .is_some_and(|c| matches!(c, 'る' | 'ま' | 'た' | 'て' | 'よ' | 'ら' | 'な' | 'ず' | 'れ' | 'そ'))
                && !next.is("まで")
                && !next.is("までに")
                && !next.is("または")
        });
    some(rest, (!verb).then_some(section))
}

/// The ends of a year, by name.
const YEAR_VERGES: &[&str] = &["年末", "年の暮れ", "年の瀬", "歳末", "年初", "年初め", "年はじめ", "年始め", "年頭"];

fn year_verge(token: &Token<'_>) -> Option<Section> {
    let verge = YEAR_VERGES.iter().any(|word| token.is(word));
    let ends = ["年末", "年の暮れ", "年の瀬", "歳末"].iter().any(|word| token.is(word));
    // 初め is as long as early in the year is, 年頭 its first days.
    let begins = ["年初め", "年はじめ", "年始め"].iter().any(|word| token.is(word));
    verge.then_some(if ends {
        Section::Tail
    } else if begins {
        Section::Beginning
    } else {
        Section::Head
    })
}

/// `年末`, `年の暮れ`, `2019年末`, `7月末`, `来年の3月末`, `今月末日`, `2023年初め`, `年初来`, `月末`.
pub(super) fn verge(input: In<'_>) -> Res<'_, Node> {
    if let Ok((rest, year)) = year_before(input, YEAR_VERGES) {
        let section = input.get(input.len() - rest.len() - 1).and_then(year_verge);
        return some(rest, section.map(|section| Node::Section(section, Box::new(Node::year(year)))));
    }
    let of_month = |token: &Token<'_>, month: Node| {
        Some(match token.norm.as_ref() {
            "月末" => Node::Section(Section::End, Box::new(month)),
            "月初" | "月初め" | "月はじめ" | "月頭" => Node::Section(Section::Beginning, Box::new(month)),
            "月末日" => last_day(month),
            _ => return None,
        })
    };
    let (scope, rest) = match longest(&[absolute, relative_scope], input) {
        Ok((rest, node)) if node.grain() == Grain::Year => (Some(node), of(rest)),
        _ => (None, input),
    };
    if let Ok((end, month)) = number(rest) {
        let month = small(month).filter(|month| (1..=12).contains(month)).map(Node::month);
        let month = month.map(|month| scope.map_or(month.clone(), |scope| scope.and(month)));
        if let Some(month) = month
            && let Ok(read) = token(|token| of_month(token, month.clone()))(end)
        {
            return Ok(read);
        }
    }
    // "今月末日", "2月の最終日"
    if let Ok((rest, month)) = longest(&[calendar, relative_scope], input)
        && matches!(month.grain(), Grain::Month | Grain::Year)
        && let Ok((end, ())) = word(&["末日", "最終日"])(of(rest))
    {
        return Ok((end, last_day(month)));
    }
    // 暮れ alone is the end of the year, where no word goes on with it.
    if let Ok((rest, ())) = word(&["暮れ"])(input)
        && rest.first().is_some_and(|next| ["に", "の", "から", "まで", "は"].iter().any(|word| next.is(word)))
    {
        return Ok((rest, Node::Section(Section::Tail, Box::new(Node::any_year()))));
    }
    let (rest, node) = token(|token| {
        if let Some(section) = year_verge(token) {
            // The end of a year is spoken of when it is past too.
            let year = if section == Section::Tail { Node::any_year() } else { Node::This(Grain::Year, 0) };
            return Some(Node::Section(section, Box::new(year)));
        }
        match token.norm.as_ref() {
            "一日の終わり" => Some(Node::Section(Section::Close, Box::new(Node::This(Grain::Day, 0)))),
            "年初来" => Some(Node::Section(Section::ToDate, Box::new(Node::This(Grain::Year, 0)))),
            "年明け" => Some(Node::Section(Section::Early, Box::new(Node::month(1)))),
            "月末日" => None,
            _ => of_month(token, Node::This(Grain::Month, 0)),
        }
    })(input)?;
    // 年末の暮れ says it twice.
    let again = if input.first().is_some_and(|token| token.is("年末")) { word(&["暮れ"])(of(rest)).ok() } else { None };
    Ok((again.map_or(rest, |(end, ())| end), node))
}

/// `来月いっぱいで`: on the last day of it; `来月いっぱい` is all of it.
pub(super) fn full(input: In<'_>) -> Res<'_, Node> {
    let (rest, whole) = longest(&[calendar, relative], input)?;
    let (rest, ()) = word(&["いっぱい"])(rest)?;
    if !matches!(whole.grain(), Grain::Week | Grain::Month | Grain::Year) {
        return fail(input);
    }
    match word(&["で"])(rest) {
        Ok((end, ())) => Ok((end, last_day(whole))),
        Err(_) => Ok((rest, whole)),
    }
}

fn last_day(of: Node) -> Node {
    Node::Nth { n: -1, count: 1, unit: Box::new(Node::This(Grain::Day, 0)), of: Box::new(of) }
}

/// `今QTR`.
pub(super) fn lettered_quarter(input: In<'_>) -> Res<'_, Node> {
    let (rest, offset) = token(|token| match token.norm.as_ref() {
        "今" | "当" | "現" => Some(0),
        "来" | "次" => Some(1),
        "先" | "前" => Some(-1),
        _ => None,
    })(input)?;
    let (rest, ()) = word(&["qtr"])(rest)?;
    Ok((rest, Node::This(Grain::Quarter, offset)))
}

/// An era from its first year to its last, of which a part is said: `昭和` of `昭和末期`.
fn reign(input: In<'_>) -> Res<'_, Node> {
    const REIGNS: [(i32, u32); 4] = [(1868, 45), (1912, 15), (1926, 64), (1989, 31)];
    let (rest, first) = token(|token| token.find(|atom| if let Atom::Era(first) = atom { Some(first) } else { None }))(input)?;
    let years = REIGNS.iter().find(|(era, _)| *era == first).map(|(_, years)| Node::Years(first, *years));
    some(rest, years)
}

/// `3月上旬`, `今月の半ば`, `2020年末`, `今年の終わり`, `年の前半`, `今日の終わり`, `2020年6月初め`, `21世紀初頭`.
pub(super) fn sections(input: In<'_>) -> Res<'_, Node> {
    let bare_unit = |input| {
        token(|token| match token.norm.as_ref() {
            "年" => Some(Node::This(Grain::Year, 0)),
            "月" => Some(Node::This(Grain::Month, 0)),
            _ => None,
        })(input)
    };
    let (rest, of_what) = match bare_unit(input) {
        Ok((rest, node)) => (rest, node),
        Err(_) => longest(&[calendar, relative, weekdays, decade, reign, season_node], input)?,
    };
    let bare = bare_unit(input).is_ok();
    let named = of(rest);
    let (rest, section) = section(named)?;
    let taken = |word: &str| named.first().is_some_and(|token| token.is(word));
    if bare && !matches!(section, Section::FirstHalf | Section::SecondHalf) {
        return fail(input);
    }
    let (rest, _) = maybe(word(&["ごろ", "頃", "ころ"]), rest);
    let section = match (section, of_what.grain()) {
        (Section::End, Grain::Day) => Section::Close,
        (Section::Third(_), grain) if grain != Grain::Month => return fail(input),
        // "初期" and its like are of long times.
        (Section::Early | Section::Mid | Section::Late, grain) if grain < Grain::Decade => return fail(input),
        (Section::Middle, _) => Section::Mid,
        // 初め and 終わり of a year are as long as early and late in it are; 頭 and 末 its first and last days.
        (Section::Beginning, Grain::Year) if taken("頭") => Section::Head,
        (Section::End, Grain::Year) if taken("末") => Section::Tail,
        (section, Grain::Day) => return some(rest, matches!(section, Section::Close).then(|| Node::Section(section, Box::new(of_what)))),
        (section, _) => section,
    };
    Ok((rest, Node::Section(section, Box::new(of_what))))
}

/// Which of several: `第2`, `最初`, `最後の`, `最終`.
pub(super) fn which_of(input: In<'_>) -> Res<'_, i64> {
    if let Ok((rest, ())) = word(&["第"])(input) {
        return number(rest);
    }
    let (rest, n) = token(|token| match token.norm.as_ref() {
        "最初" => Some(1),
        "最後" | "最終" => Some(-1),
        _ => None,
    })(input)?;
    Ok((of(rest), n))
}

/// `5月の第2月曜日`, `5月の最後の週`, `2020年の第5週`, `第31週`, `来月の第一月曜日`, `四月最後の月曜日`, `第三週の火曜日`.
pub(super) fn nth(input: In<'_>) -> Res<'_, Node> {
    let (rest, scope) = match longest(&[calendar, relative], input) {
        Ok((rest, node)) if node.grain() >= Grain::Month => (of(rest), Some(node)),
        _ => (input, None),
    };
    let (rest, n) = which_of(rest)?;
    let (rest, unit) = if let Ok((rest, name)) = weekday(rest) {
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
    let of_month = |node: Node, of: Node| Node::Nth { n, count: 1, unit: Box::new(node), of: Box::new(of) };
    if let Node::This(Grain::Quarter, _) = unit {
        let quarter = small(n).filter(|n| (1..=4).contains(n)).map(Node::Quarter);
        return some(rest, quarter.map(|quarter| scope.map_or(quarter.clone(), |scope| scope.and(quarter))));
    }
    // The weeks of a month are counted, those of a year numbered; which it is where neither is named, the number tells.
    if unit == Node::This(Grain::Week, 0)
        && scope.as_ref().is_none_or(|scope| scope.grain() == Grain::Month)
        && let Ok((rest, ())) = word(&["の"])(rest)
        && let Ok((end, name)) = weekday(rest)
    {
        let month = scope.unwrap_or(Node::This(Grain::Month, 0));
        return some(end, (n <= 5).then(|| of_month(unit, month).and(Node::weekday(name))));
    }
    match (scope, &unit) {
        (Some(scope), _) => Ok((rest, of_month(unit, scope))),
        (None, Node::This(Grain::Week, _)) if n > 0 => {
            some(rest, small(n).filter(|n| *n <= 53).map(|n| Node::This(Grain::Year, 0).and(Node::Week(n))))
        }
        (None, Node::Date(_)) if n > 0 => Ok((rest, of_month(unit, Node::This(Grain::Month, 0)))),
        _ => fail(input),
    }
}

/// `1980年代`, `90年代`, `昭和50年代`, `21世紀`, `紀元前5世紀`, `江戸時代`.
pub(super) fn decade(input: In<'_>) -> Res<'_, Node> {
    let period = |atom| if let Atom::Period(first, years) = atom { Some(Node::Years(first, years)) } else { None };
    if let Ok(read) = token(|token| token.find(period))(input) {
        return Ok(read);
    }
    if let Ok((rest, first)) = era(input) {
        let (rest, n) = number(rest)?;
        let (rest, ()) = word(&["年代"])(rest)?;
        return some(rest, of_era(first, n).filter(|_| n % 10 == 0).map(|year| Node::Years(year, 10)));
    }
    let (start, before) = maybe(word(&["紀元前"]), input);
    let (rest, value) = number(start)?;
    let value = i32::try_from(value).ok();
    if let (Ok((end, ())), None) = (word(&["年代"])(rest), before) {
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
    let first = |n: i32| if before.is_some() { 1 - n * 100 } else { (n - 1) * 100 };
    some(end, value.filter(|n| (1..=30).contains(n)).map(|n| Node::Years(first(n), 100)))
}
