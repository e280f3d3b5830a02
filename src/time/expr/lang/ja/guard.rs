//! Which readings of Japanese are left alone because of their neighbours. Knows no grammar.

use super::super::Rules;
use super::super::digits::is_fraction;
use super::super::parse::In;
use crate::time::expr::calendar::Grain;
use crate::time::expr::symbol::{Clock, DayPart, Fields, Node, Year};
use crate::time::expr::token::{Kind, Token, is_glyph};

/// Whether what was read is a time where it stands.
pub(super) fn allowed(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node, rules: Rules) -> bool {
    if rules.whole {
        return true;
    }
    let (Some(first), Some(last)) = (read.first(), read.last()) else { return false };
    let previous = before.last().filter(|_| first.glued);
    let next = rest.first().filter(|next| next.glued);
    // Digits alone are read by the language around them.
    let glyph =
        |token: &Token<'_>| token.kind == Kind::Glyph || matches!(token.kind, Kind::Number { digits: 0, .. } | Kind::Mark('、' | '。'));
    // "3/4カップ": katakana names what is measured.
    let measured = next.is_some_and(|next| next.norm.chars().next().is_some_and(|c| matches!(c, '\u{30a1}'..='\u{30fa}')));
    if !rules.only && !read.iter().chain(before.last()).chain(rest.first()).any(glyph) || is_fraction(read, previous, measured) {
        return false;
    }
    let digits = |token: &Token<'_>| matches!(token.kind, Kind::Number { digits, .. } if digits > 0);
    // Parts of longer numbers and codes.
    if digits(first)
        && previous.is_some_and(|previous| {
            digits(previous) || matches!(previous.kind, Kind::Word | Kind::Mark('-' | '.' | '/' | ':' | '+' | '$' | '¥' | '#'))
        })
    {
        return false;
    }
    if digits(last) && next.is_some_and(|next| matches!(next.kind, Kind::Mark('-' | '.' | '/' | ':' | '%')) || next.kind == Kind::Word) {
        return false;
    }
    // A numeral in front makes another number of it: "第一", "十一".
    if first.number().is_some() && previous.is_some_and(|previous| previous.number().is_some()) {
        return false;
    }
    // Kana words are times only where a word may begin.
    let kana = |token: &Token<'_>| !token.norm.is_empty() && token.norm.chars().all(|c| matches!(c, '\u{3040}'..='\u{309f}'));
    let particle =
        |token: &Token<'_>| matches!(token.norm.as_ref(), "は" | "が" | "の" | "に" | "も" | "を" | "で" | "と" | "、" | "から" | "まで");
    if kana(first)
        && (read.len() == 1 && previous.is_some_and(|previous| kana(previous) && !particle(previous)) || first.norm.chars().count() == 1)
    {
        return false;
    }
    if read.len() == 1 && kana(first) && next.is_some_and(|next| kana(next) && !particle(next)) && first.norm.chars().count() <= 2 {
        return false;
    }
    // "2019" is a year only alone.
    let alone = before.is_empty() && rest.is_empty();
    let bare_year = read.len() == 1 && matches!(node, Node::Date(Fields { year: Some(_), month: None, .. }));
    (alone || !bare_year) && !is_name(rest, node) && stands(previous, first, read, rest, node)
}

/// What makes a name of the word before it.
const HONORIFICS: [&str; 5] = ["さん", "ちゃん", "くん", "氏", "様"];

/// Whether an honorific after it makes it a name: 三月さん, 千秋ちゃん.
fn is_name(rest: In<'_>, node: &Node) -> bool {
    if node.is_fixed() && !matches!(node, Node::Now | Node::This(..)) {
        return false;
    }
    let text: String = rest.iter().take(5).take_while(|token| token.glued).map(|token| token.norm.as_ref()).collect();
    let closes = |after: &str| after.chars().next().is_none_or(|c| "はがのにをともへでか".contains(c));
    HONORIFICS.iter().filter_map(|honorific| text.strip_prefix(honorific)).any(closes)
}

/// Whether a weekday before it names a programme: what is shown each week goes by its day.
fn is_programme(rest: In<'_>) -> bool {
    const GENRES: [&str; 10] = ["サスペンス", "ロードショー", "ドラマ", "シアター", "劇場", "洋画", "邦画", "名画", "プレミア", "ワイド"];
    let text: String = rest.iter().take(6).take_while(|token| token.glued).map(|token| token.norm.as_ref()).collect();
    GENRES.iter().any(|genre| text.starts_with(genre))
}

/// Whether a day of the month is spelled in kana.
fn kana_days(first: &Token<'_>) -> bool {
    !first.norm.is_empty() && first.norm.chars().all(|c| matches!(c, '\u{3040}'..='\u{309f}'))
}

/// Whether a word before it makes a number of years a length: 築30年, 勤続20年, 約10年.
fn counts_years(previous: &Token<'_>) -> bool {
    matches!(previous.norm.as_ref(), "約" | "築" | "役" | "続" | "業" | "期" | "計" | "満" | "丸" | "まる" | "実刑" | "刑" | "設" | "立")
}

/// Whether a number of years may be how long something takes.
fn spans(number: &Token<'_>) -> bool {
    number.number().is_none_or(|(years, digits)| years > 0 && !(digits == 4 && years >= 3000))
}

/// Guards on characters that are times only in company.
fn stands(previous: Option<&Token<'_>>, first: &Token<'_>, read: In<'_>, rest: In<'_>, node: &Node) -> bool {
    let next = rest.first().filter(|next| next.glued);
    let in_words = |token: &Token<'_>| matches!(token.kind, Kind::Number { digits: 0, .. });
    let kana = |token: &Token<'_>, of: &str| token.norm.chars().next().is_some_and(|c| of.contains(c));
    let glyph = |token: Option<&Token<'_>>| {
        token.is_some_and(|token| {
            token.kind == Kind::Glyph && token.norm.chars().all(|c| is_glyph(c) && !matches!(c, '\u{3040}'..='\u{309f}'))
        })
    };
    // 5GW is a power.
    if first.is("gw") && previous.is_some_and(|previous| previous.number().is_some()) {
        return false;
    }
    match node {
        // 千夜, 二夜
        Node::Section(..) if first.is("暮れ") => previous.is_none_or(|previous| {
            previous.kind != Kind::Glyph || matches!(previous.norm.as_ref(), "は" | "も" | "が" | "で" | "の" | "と")
        }),
        // 火曜サスペンス is a title of what is on television.
        Node::Date(fields) if fields.is_bare_weekday() && read.len() == 1 && !first.norm.ends_with('日') => !is_programme(rest),
        Node::Part(_) | Node::Season(_) if first.norm.chars().count() == 1 && previous.is_some_and(in_words) => false,
        Node::Part(DayPart::Daytime) if previous.is_some_and(|previous| previous.number().is_some()) => false,
        // One character that is part of a longer word: 夜景, 春日, 今回.
        // 即 is now only by itself.
        Node::Now if first.is("即") => !glyph(next),
        Node::Part(_) | Node::Season(_) | Node::Now if first.norm.chars().count() == 1 && read.len() == 1 => {
            let clipped = glyph(previous) && previous.is_some_and(|previous| previous.atoms.is_empty())
                || glyph(next) && next.is_some_and(|next| next.atoms.is_empty());
            !clipped || matches!(node, Node::Now) && !glyph(previous)
        }
        Node::Date(Fields { day: Some(day), month: None, year: None, weekday: None, .. }) => {
            // "1日8時間" is each day, and 13月1日 no date.
            let each = *day == 1 && read.len() == 2 && next.is_some_and(|next| next.number().is_some());
            let inside = previous.is_some_and(|previous| matches!(previous.norm.as_ref(), "月" | "年" | "ヶ月" | "か月"));
            // はつか大根
            let compound = kana_days(first) && glyph(next) && next.is_some_and(|next| next.atoms.is_empty());
            !each && !inside && !compound && !next.is_some_and(|next| matches!(next.norm.as_ref(), "間" | "目" | "分" | "程" | "数"))
        }
        // 一時 before a noun is for a while.
        Node::Clock(Clock { hour: 1, minute: None, .. }) if read.len() == 2 && first.is("一") => {
            !glyph(next) || next.is_some_and(|next| !next.atoms.is_empty() || next.is("過") || next.is("前"))
        }
        // The month of a year that could not be read is in doubt with it.
        Node::Date(Fields { month: Some(_), year: None, .. }) if previous.is_some_and(|previous| previous.is("年")) => false,
        // "懲役10年に"
        Node::Date(Fields { year: Some(Year::Short(_)), .. }) if previous.is_some_and(counts_years) => false,
        // 13月32日, 25時61分: what is left of a date or a time that there is not.
        Node::Length(_) if previous.is_some_and(|previous| matches!(previous.norm.as_ref(), "月" | "時")) => false,
        // 0日ごと
        Node::Length(length)
            if length.is_nothing() && next.is_some_and(|next| next.norm.starts_with("ごと") || next.norm.starts_with("おき")) =>
        {
            false
        }
        // 0年 and 9999年 are years, though none that can be told.
        Node::Length(_) if read.len() == 2 && read.get(1).is_some_and(|token| token.is("年")) && !spans(first) => false,
        Node::Length(length) => {
            let minutes = read.len() == 2 && read.get(1).is_some_and(|token| token.is("分"));
            let enough = minutes && first.is("十");
            // 三分の一, 二分する
            let share = minutes
                && length.grain == Grain::Minute
                && next.is_some_and(|next| next.is("の"))
                && rest.get(1).is_some_and(|token| token.number().is_some());
            let halves = minutes && in_words(first) && next.is_some_and(|next| kana(next, "すさし"));
            // "1年A組", "3年2組"
            let class = next.is_some_and(|next| next.kind == Kind::Word || next.number().is_some())
                && rest.get(1).is_some_and(|token| token.is("組"));
            !enough
                && !share
                && !halves
                && !class
                && !next.is_some_and(|next| matches!(next.norm.as_ref(), "目" | "生" | "歳" | "号" | "組"))
        }
        _ => true,
    }
}
