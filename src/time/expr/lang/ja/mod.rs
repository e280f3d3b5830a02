//! Japanese: its lexicon, its grammar's door, and the guards that leave alone what only looks like a time.
//! Knows nothing of which granule an expression comes to mean.

mod date;
mod phrase;
pub(super) mod words;

use super::digits::is_fraction;
use super::parse::{In, Res, Rule, forget, longest, token};
use super::{Parse, Rules};
use crate::time::expr::lexicon::{Atom, Lexicon};
use crate::time::expr::symbol::{DayPart, Fields, Node};
use crate::time::expr::token::{Kind, Token, is_glyph};

/// Characters of an entry.
fn split(entry: &str) -> Vec<String> {
    entry.chars().map(String::from).collect()
}

/// The words of Japanese.
pub(super) fn lexicon() -> Lexicon {
    Lexicon::read(&[include_str!("words.toml"), include_str!("holidays.toml")], split)
}

fn granule(input: In<'_>) -> Res<'_, Node> {
    token(|token| token.find(|atom| if let Atom::Granule(grain, offset) = atom { Some(Node::This(grain, offset)) } else { None }))(input)
}

fn spoken(input: In<'_>) -> Res<'_, Node> {
    let of = |atom| if let Atom::Spoken(grain, offset) = atom { Some(Node::Anaphora(Box::new(Node::This(grain, offset)))) } else { None };
    token(|token| token.find(of))(input)
}

/// Whether a token may begin a Japanese expression.
pub(super) fn may_begin(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Number { .. } => true,
        Kind::Glyph => {
            !token.atoms.is_empty()
                || matches!(token.norm.as_ref(), "第" | "数" | "後" | "前" | "当" | "現" | "年" | "月" | "次" | "先" | "来")
        }
        Kind::Mark(mark) => mark == '(',
        Kind::Word => token.is("q"),
    }
}

/// Words before an expression that add nothing to it.
pub(super) fn leads(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Mark('(' | '「'))
}

/// Particles and marks that may come after one.
pub(super) fn trails(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Mark('.' | ',' | '。' | '、' | ')' | '」' | '!' | '?'))
        || matches!(
            token.norm.as_ref(),
            "に" | "は" | "で" | "の" | "が" | "も" | "中" | "中に" | "間" | "間に" | "の間" | "の間に" | "を" | "へ"
        )
}

/// The longest expression at the start of the tokens.
pub(super) fn read(before: &[Token<'_>], tokens: In<'_>, rules: Rules) -> Option<Parse> {
    const WINDOW: usize = 32;
    // Japanese ends where words of another script begin, but for those it has taken in.
    let foreign = |token: &Token<'_>| token.kind == Kind::Word && !matches!(token.norm.as_ref(), "q" | "qtr" | "am" | "pm" | "h");
    let own = tokens.iter().take(WINDOW).position(foreign);
    let input = tokens.get(..own.unwrap_or(WINDOW.min(tokens.len())))?;
    forget();
    let mut parsers: Vec<Rule<Node>> =
        vec![phrase::set, phrase::ranges, phrase::window, phrase::shift, phrase::open, date::point, phrase::duration, phrase::bare_year];
    if rules.whole {
        parsers.push(date::weekday_character);
    }
    let (rest, node) = longest(&parsers, input).ok()?;
    let taken = input.len() - rest.len();
    let read = input.get(..taken)?;
    allowed(before, read, rest, &node, rules).then_some(Parse { node, tokens: taken })
}

/// Whether what was read is a time where it stands.
fn allowed(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node, rules: Rules) -> bool {
    if rules.whole {
        return true;
    }
    let (Some(first), Some(last)) = (read.first(), read.last()) else { return false };
    let previous = before.last().filter(|_| first.glued);
    let next = rest.first().filter(|next| next.glued);
    // Digits alone are read by the language around them.
    let glyph =
        |token: &Token<'_>| token.kind == Kind::Glyph || matches!(token.kind, Kind::Number { digits: 0, .. } | Kind::Mark('、' | '。'));
    if !rules.only && !read.iter().chain(before.last()).chain(rest.first()).any(glyph) || is_fraction(read, previous, false) {
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
    (alone || !bare_year) && stands(previous, first, read, next, node)
}

/// Guards on characters that are times only in company.
fn stands(previous: Option<&Token<'_>>, first: &Token<'_>, read: In<'_>, next: Option<&Token<'_>>, node: &Node) -> bool {
    let glyph = |token: Option<&Token<'_>>| {
        token.is_some_and(|token| {
            token.kind == Kind::Glyph && token.norm.chars().all(|c| is_glyph(c) && !matches!(c, '\u{3040}'..='\u{309f}'))
        })
    };
    match node {
        Node::Part(DayPart::Daytime) if previous.is_some_and(|previous| previous.number().is_some()) => false,
        // One character that is part of a longer word: 夜景, 春日, 今回.
        Node::Part(_) | Node::Season(_) | Node::Now if first.norm.chars().count() == 1 && read.len() == 1 => {
            let clipped = glyph(previous) && previous.is_some_and(|previous| previous.atoms.is_empty())
                || glyph(next) && next.is_some_and(|next| next.atoms.is_empty());
            !clipped || matches!(node, Node::Now) && !glyph(previous)
        }
        Node::Date(Fields { day: Some(_), month: None, year: None, weekday: None, .. }) => {
            !next.is_some_and(|next| matches!(next.norm.as_ref(), "間" | "目" | "分" | "程" | "数"))
        }
        Node::Length(_) => {
            let enough = read.len() == 2 && first.is("十") && read.get(1).is_some_and(|token| token.is("分"));
            !enough && !next.is_some_and(|next| matches!(next.norm.as_ref(), "目" | "生" | "歳" | "号"))
        }
        _ => true,
    }
}
