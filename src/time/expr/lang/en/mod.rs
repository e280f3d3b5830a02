//! English: its lexicon, its grammar's door, and the guards that leave alone what only looks like a time.
//! Knows nothing of which granule an expression comes to mean.

mod date;
mod figures;
mod guard;
mod habit;
mod names;
mod number;
mod open;
mod phrase;
mod range;
mod sets;
mod time;
mod wide;
pub(super) mod words;

use super::parse::{In, Res, Rule, forget, longest};
use super::{Parse, Rules};
use crate::time::Zone;
use crate::time::expr::calendar::Grain;
use crate::time::expr::lexicon::{self, Atom, Lexicon};
use crate::time::expr::symbol::{Length, Node};
use crate::time::expr::token::{Kind, Token};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Words of an entry as the tokenizer cuts them.
fn split(entry: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in entry.chars() {
        if c == ' ' {
            open = false;
        } else if c.is_alphabetic() {
            match words.last_mut().filter(|_| open) {
                Some(word) => word.push(c),
                None => words.push(c.to_string()),
            }
            open = true;
        } else {
            words.push(c.to_string());
            // An apostrophe begins a word: "year's" is "year" and "'s".
            open = c == '\'';
        }
    }
    words
}

/// The words of English.
pub(super) fn lexicon() -> Lexicon {
    let mut lexicon = Lexicon::read(&[include_str!("words.toml")], split);
    for (_, names) in lexicon::table(include_str!("holidays.toml")) {
        for (id, names) in names {
            let Some(atom) = lexicon::atom("holidays", &id) else { continue };
            for name in names.as_array().into_iter().flatten().filter_map(toml::Value::as_str) {
                // Texts drop apostrophes, and the s with them, and shorten weekdays.
                for (mark, plain) in [("", ""), ("'s", "s"), ("'s", ""), ("s'", "s"), ("s'", "")] {
                    if name.contains(mark) {
                        let words = split(&name.replace(mark, plain));
                        let short: Vec<String> = words.iter().map(|word| shortened(&lexicon, word)).collect();
                        if short != words {
                            lexicon.insert(short, atom);
                        }
                        lexicon.insert(words, atom);
                    }
                }
            }
        }
    }
    // "London time", "New York time"
    for (city, zone) in Zone::of_cities() {
        lexicon.insert(split(&format!("{} time", city.to_lowercase())), Atom::Zone(zone));
    }
    lexicon
}

/// What a holiday is called first, its words with capitals.
fn holiday_name(index: usize) -> Option<&'static str> {
    static NAMES: LazyLock<FxHashMap<usize, String>> = LazyLock::new(|| {
        let capital = |word: &str| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>();
        let names = lexicon::holiday_names(include_str!("holidays.toml"));
        names.into_iter().map(|(index, name)| (index, name.split(' ').map(capital).collect::<Vec<_>>().join(" "))).collect()
    });
    NAMES.get(&index).map(String::as_str)
}

/// A word, of a weekday the first three letters.
fn shortened(lexicon: &Lexicon, word: &str) -> String {
    let is_weekday = lexicon
        .longest(word, |_, _| false, |more| more == 0)
        .is_some_and(|(_, atoms)| atoms.iter().any(|atom| matches!(atom, Atom::Weekday(_))));
    word.chars().take(if is_weekday { 3 } else { usize::MAX }).collect()
}

/// A time of day in digits, as other languages write it too.
pub(super) fn digit_clock(input: In<'_>) -> Res<'_, Node> {
    let (rest, node) = time::clock(input)?;
    let in_digits = input.first().is_some_and(|token| token.number().is_some());
    super::parse::some(rest, in_digits.then_some(node))
}

/// Whether a token may begin an English expression.
pub(super) fn may_begin(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Number { digits, .. } => digits > 0,
        Kind::Glyph => false,
        Kind::Mark(mark) => matches!(mark, '\'' | '<' | '>' | '=' | '½' | '¼' | '¾'),
        Kind::Word => {
            !token.atoms.is_empty()
                || matches!(
                    token.norm.as_ref(),
                    "the"
                        | "a"
                        | "an"
                        | "in"
                        | "from"
                        | "between"
                        | "since"
                        | "until"
                        | "till"
                        | "til"
                        | "untill"
                        | "before"
                        | "after"
                        | "by"
                        | "within"
                        | "at"
                        | "on"
                        | "around"
                        | "about"
                        | "circa"
                        | "approximately"
                        | "roughly"
                        | "for"
                        | "during"
                        | "early"
                        | "earlier"
                        | "mid"
                        | "middle"
                        | "late"
                        | "later"
                        | "end"
                        | "beginning"
                        | "start"
                        | "starting"
                        | "rest"
                        | "remainder"
                        | "remaining"
                        | "every"
                        | "each"
                        | "any"
                        | "all"
                        | "once"
                        | "twice"
                        | "daily"
                        | "weekly"
                        | "monthly"
                        | "yearly"
                        | "annually"
                        | "annual"
                        | "hourly"
                        | "quarterly"
                        | "everyday"
                        | "nightly"
                        | "bi"
                        | "semi"
                        | "biweekly"
                        | "bimonthly"
                        | "fortnightly"
                        | "no"
                        | "not"
                        | "as"
                        | "more"
                        | "less"
                        | "q"
                        | "h"
                        | "half"
                        | "quarter"
                        | "few"
                        | "several"
                        | "some"
                        | "couple"
                        | "another"
                        | "tonight"
                        | "tonite"
                        | "now"
                        | "right"
                        | "just"
                        | "same"
                        | "that"
                        | "through"
                        | "thru"
                        | "to"
                        | "eom"
                        | "bom"
                        | "eoy"
                        | "boy"
                        | "eow"
                        | "eod"
                        | "asap"
                        | "twenties"
                        | "thirties"
                        | "forties"
                        | "fifties"
                        | "sixties"
                        | "seventies"
                        | "eighties"
                        | "nineties"
                        | "prior"
                        | "greater"
                        | "effective"
                        | "ever"
                        | "sometime"
                        | "sometimes"
                        | "anytime"
                        | "weekend"
                        | "pair"
                        | "fy"
                        | "fiscal"
                        | "sy"
                        | "p"
                        | "ad"
                        | "many"
                        | "multiple"
                        | "alternating"
                        | "alternate"
                        | "turn"
                )
        }
    }
}

/// Words before an expression that add nothing to it.
pub(super) fn leads(token: &Token<'_>) -> bool {
    matches!(token.norm.as_ref(), "on" | "in" | "at" | "the" | "for" | "during" | "sometime" | "of") && token.kind == Kind::Word
        || matches!(token.kind, Kind::Mark('(' | ',' | '\'' | '"'))
}

/// What may come after one.
pub(super) fn trails(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Mark('.' | ',' | ';' | '!' | '?' | ')' | '"' | '\'' | '\n'))
        || matches!(token.norm.as_ref(), "'s" | "ish" | "sharp")
}

/// Whether a word is a past tense by its form, and no participle that describes.
pub(super) fn is_past(before: Option<&Token<'_>>, token: &Token<'_>) -> bool {
    // Verbs whose past is spelled as their stem: after "he" it is no present, which would have an s.
    const SAME: &[&str] =
        &["quit", "cut", "put", "let", "hit", "set", "shut", "hurt", "cost", "split", "spread", "burst", "cast", "beat", "shed", "thrust"];
    let third = before.is_some_and(|before| ["he", "she", "it", "who"].iter().any(|word| before.is(word)));
    if third && SAME.iter().any(|word| token.is(word)) {
        return true;
    }
    let describes = before.is_some_and(|before| {
        before.kind != Kind::Word
            || [
                "a", "an", "the", "is", "are", "be", "by", "very", "so", "feel", "feeling", "am", "'m", "'re", "'s", "of", "for", "more",
                "to", "in", "with",
            ]
            .iter()
            .any(|word| before.is(word))
    });
    token.kind == Kind::Word && token.norm.len() > 4 && token.norm.ends_with("ed") && !describes
}

/// Whether a word of the future is a verb after the token before it: not "free will", "a study plan", "it has been going well".
pub(super) fn is_future(before: Option<&Token<'_>>, token: &Token<'_>) -> bool {
    let after = |words: &[&str]| before.is_some_and(|before| words.iter().any(|word| before.is(word)));
    match token.norm.as_ref() {
        "will" => !after(&["a", "an", "the", "free", "my", "own", "good", "ill", "living", "last", "of"]),
        "going" => !after(&["been", "was", "were", "keep", "keeps", "kept", "start", "started"]),
        "plan" | "book" | "schedule" | "hope" | "arrange" => {
            before.is_none_or(|before| matches!(before.kind, Kind::Mark(_)))
                || after(&[
                    "i", "we", "you", "they", "to", "and", "please", "can", "could", "should", "would", "will", "'ll", "must", "also",
                    "then", "do",
                ])
        }
        _ => true,
    }
}

/// Words for what goes on from its beginning: what is valid "from 3 May" is so since then.
const BEGINS: [&str; 6] = ["again", "anew", "afresh", "valid", "effective", "available"];

/// The longest expression at the start of the tokens.
pub(super) fn read(before: &[Token<'_>], tokens: In<'_>, rules: Rules) -> Option<Parse> {
    const WINDOW: usize = 24;
    // English ends where another script begins.
    let own =
        tokens.iter().take(WINDOW).position(|token| token.kind == Kind::Glyph || matches!(token.kind, Kind::Number { digits: 0, .. }));
    let input = tokens.get(..own.unwrap_or(WINDOW.min(tokens.len())))?;
    forget();
    let mut parsers: Vec<Rule<Node>> = vec![
        sets::set,
        range::night_between,
        range::ranges,
        range::sometime,
        range::short_years,
        range::lasting,
        open::open,
        phrase::window,
        phrase::point,
        range::numeric_range,
        phrase::duration,
    ];
    // "At 1800 hours" is a time, "for 1800 hours" is none.
    if before.last().is_some_and(|at| figures::AT.iter().any(|word| at.is(word))) {
        parsers.insert(0, time::military);
    }
    // "Employed again from January 2020", "valid from 3 May": from then on.
    if before.last().is_some_and(|token| BEGINS.iter().any(|word| token.is(word))) {
        parsers.insert(0, open::from_then_on);
    }
    if rules.definite_unit {
        parsers.push(date::definite_unit);
    }
    if rules.whole {
        parsers.push(date::definite_unit);
        parsers.push(time::bare_hour);
    }
    let (mut rest, mut node) = longest(&parsers, input).ok()?;
    let read = |rest: In<'_>| input.len() - rest.len();
    let falls = range::is_bare_hours(&node) && !figures::hours_stand(before, input.get(..read(rest))?, rest, &node);
    let moved = matches!(node, Node::Range(..)) && guard::is_moved(before, input);
    if falls || moved {
        parsers.retain(|parser| !std::ptr::fn_addr_eq(*parser, range::ranges as Rule<Node>));
        if moved {
            parsers.retain(|parser| !std::ptr::fn_addr_eq(*parser, open::open as Rule<Node>));
        }
        (rest, node) = longest(&parsers, input).ok()?;
    }
    let taken = read(rest);
    let read = input.get(..taken)?;
    if !rules.whole && guard::is_of_other_script(before, read, tokens.get(taken)) || !guard::allowed(before, read, rest, &node, rules) {
        return None;
    }
    let every = guard::is_weekday(&node) && habit::goes_on_every(before);
    let node = if let (Node::Within { length, base: None, .. }, true) = (&node, guard::took(before, read)) {
        Node::Length(*length)
    } else if let (Node::Window { count, grain, .. }, true) = (&node, guard::heads_an_agenda(before, tokens.get(taken..)?, &node)) {
        Node::Length(Length::of(count.checked_mul(1000)?, *grain)?)
    } else if every {
        Node::Every { interval: 1, grain: Grain::Week, on: Some(Box::new(node)) }
    } else if guard::is_told(before, read, tokens.get(taken..)?, &node) {
        Node::Anaphora(Box::new(node))
    } else {
        node
    };
    Some(Parse { node, tokens: taken })
}
