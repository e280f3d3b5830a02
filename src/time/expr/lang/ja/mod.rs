//! Japanese: its lexicon, and the door of its grammar.
//! Knows nothing of which granule an expression comes to mean.

mod clock;
mod date;
mod guard;
mod length;
mod phrase;
mod sets;
mod tense;
pub(super) mod words;
mod year;

use super::parse::{In, Res, Rule, forget, longest, token};
use super::{Parse, Rules};
use crate::time::expr::calendar::Grain;
use crate::time::expr::context::Prefer;
use crate::time::expr::lexicon::{self, Atom, Lexicon};
use crate::time::expr::symbol::Node;
use crate::time::expr::token::{Kind, Token};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

pub(super) use tense::tense;

/// Characters of an entry.
fn split(entry: &str) -> Vec<String> {
    entry.chars().map(String::from).collect()
}

/// The words of Japanese.
pub(super) fn lexicon() -> Lexicon {
    Lexicon::read(&[include_str!("words.toml"), include_str!("lookalikes.toml"), include_str!("holidays.toml")], split)
}

/// What a holiday is called first.
fn holiday_name(index: usize) -> Option<&'static str> {
    static NAMES: LazyLock<FxHashMap<usize, String>> = LazyLock::new(|| lexicon::holiday_names(include_str!("holidays.toml")));
    NAMES.get(&index).map(String::as_str)
}

fn granule(input: In<'_>) -> Res<'_, Node> {
    token(|token| token.find(|atom| if let Atom::Granule(grain, offset) = atom { Some(Node::This(grain, offset)) } else { None }))(input)
}

fn spoken(input: In<'_>) -> Res<'_, Node> {
    let of = |atom| if let Atom::Spoken(grain, offset) = atom { Some(Node::Anaphora(Box::new(Node::This(grain, offset)))) } else { None };
    token(|token| token.find(of))(input)
}

/// Latin letters that begin what is Japanese: a quarter, the eras from 明治 on, Golden Week.
const LETTERS: [&str; 7] = ["q", "m", "t", "s", "h", "r", "gw"];

/// Whether a token may begin a Japanese expression.
pub(super) fn may_begin(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Number { .. } => true,
        Kind::Glyph => {
            token.atoms.iter().any(|atom| *atom != Atom::Plain)
                || matches!(
                    token.norm.as_ref(),
                    "第" | "数"
                        | "後"
                        | "前"
                        | "当"
                        | "現"
                        | "年"
                        | "月"
                        | "火"
                        | "水"
                        | "木"
                        | "金"
                        | "土"
                        | "日"
                        | "次"
                        | "先"
                        | "来"
                )
        }
        Kind::Mark(mark) => matches!(mark, '(' | '\''),
        Kind::Word => LETTERS.iter().any(|letter| token.is(letter)),
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
    let foreign = |token: &Token<'_>| {
        token.kind == Kind::Word
            && !matches!(token.norm.as_ref(), "qtr" | "am" | "pm")
            && LETTERS.iter().all(|letter| !token.is(letter))
            && !token.atoms.iter().any(|atom| matches!(atom, Atom::Zone(_)))
    };
    let own = tokens.iter().take(WINDOW).position(foreign);
    let input = tokens.get(..own.unwrap_or(WINDOW.min(tokens.len())))?;
    forget();
    let mut parsers: Vec<Rule<Node>> =
        vec![sets::set, phrase::ranges, phrase::window, phrase::shift, phrase::open, clock::point, phrase::duration, phrase::bare_year];
    if rules.whole {
        parsers.push(clock::weekday_character);
    }
    let (rest, node) = longest(&parsers, input).ok()?;
    let taken = input.len() - rest.len();
    let read = input.get(..taken)?;
    if !guard::allowed(before, read, tokens.get(taken..)?, &node, rules) {
        return None;
    }
    // What happened so long after cannot be seen from the reference.
    let told =
        read.last().is_some_and(|last| last.is("後")) && is_ahead(&node) && tense(before, tokens.get(taken..)?) == Some(Prefer::Past);
    let node = if told { Node::Anaphora(Box::new(node)) } else { node };
    Some(Parse { node, tokens: taken })
}

/// Whether something lies so many days or more ahead of the reference.
fn is_ahead(node: &Node) -> bool {
    match node {
        Node::Shift { length, forward: true, base: None } => length.grain >= Grain::Day,
        Node::Near(of) => is_ahead(of),
        _ => false,
    }
}
