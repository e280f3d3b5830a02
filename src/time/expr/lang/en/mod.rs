//! English: its lexicon, its grammar's door, and the guards that leave alone what only looks like a time.
//! Knows nothing of which granule an expression comes to mean.

mod date;
mod number;
mod open;
mod phrase;
mod range;
mod time;
pub(super) mod words;

use super::digits::is_fraction;
use super::parse::{In, Res, Rule, forget, longest};
use super::{Parse, Rules};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lexicon::{Atom, Lexicon};
use crate::time::expr::symbol::{Bound, Clock, Fields, Meridian, Node, Section, Which};
use crate::time::expr::token::{Kind, Token};

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
    for (_, names) in crate::time::expr::lexicon::table(include_str!("holidays.toml")) {
        for (id, names) in names {
            let Some(atom) = crate::time::expr::lexicon::atom("holidays", &id) else { continue };
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
    lexicon
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
                        | "sy"
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

/// Whether a word is a past tense by its ending, and no participle that describes.
pub(super) fn is_past(before: Option<&Token<'_>>, token: &Token<'_>) -> bool {
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

/// The longest expression at the start of the tokens.
pub(super) fn read(before: &[Token<'_>], tokens: In<'_>, rules: Rules) -> Option<Parse> {
    const WINDOW: usize = 24;
    // English ends where another script begins.
    let own =
        tokens.iter().take(WINDOW).position(|token| token.kind == Kind::Glyph || matches!(token.kind, Kind::Number { digits: 0, .. }));
    let input = tokens.get(..own.unwrap_or(WINDOW.min(tokens.len())))?;
    forget();
    let mut parsers: Vec<Rule<Node>> =
        vec![open::set, range::ranges, range::lasting, open::open, phrase::window, phrase::point, range::numeric_range, phrase::duration];
    if rules.definite_unit {
        parsers.push(date::definite_unit);
    }
    if rules.whole {
        parsers.push(date::definite_unit);
        parsers.push(time::bare_hour);
    }
    let (rest, node) = longest(&parsers, input).ok()?;
    let taken = input.len() - rest.len();
    let read = input.get(..taken)?;
    if !allowed(before, read, rest, &node, rules) {
        return None;
    }
    let every = is_weekday(&node) && goes_on_every(before);
    let node = if every { Node::Every { interval: 1, grain: Grain::Week, on: Some(Box::new(node)) } } else { node };
    Some(Parse { node, tokens: taken })
}

/// Whether what was read is a time where it stands.
fn allowed(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node, rules: Rules) -> bool {
    let previous = before.last();
    let (Some(first), Some(last)) = (read.first(), read.last()) else { return false };
    if rules.whole && before.is_empty() && rest.is_empty() {
        return true;
    }
    let next = rest.first();
    // Articles and prepositions that belong to the sentence.
    let how = previous.is_some_and(|previous| {
        ["how", "what", "but", "talk", "talking", "think", "thinking", "know", "hear", "heard"].iter().any(|word| previous.is(word))
    });
    if !rules.whole
        && (first.is("the") && leaves_article(node)
            || how && first.is("about")
            || first.is("at")
                && (!node.grain().is_clock()
                    || read.get(1..).is_some_and(|after| time::clock(after).is_ok()) && !read.iter().any(|token| token.is_mark('.')))
            || first.is("one") && matches!(node, Node::Date(_)))
    {
        return false;
    }
    // "the second night", "the first lunch" count from no date.
    let counted = |node: &Node| matches!(node, Node::And(day, part) if matches!((&**day, &**part), (Node::Date(Fields { day: Some(_), month: None, weekday: None, year: None, .. }), Node::Part(_))));
    let counts = match node {
        Node::Open(_, of) => counted(of),
        node => counted(node),
    };
    if !rules.whole && counts && read.iter().all(|token| token.number().is_none()) {
        return false;
    }
    if first.is_mark('=') && !before.is_empty() {
        return false;
    }
    if !rules.whole && is_fraction(read, previous, next.is_some_and(|next| next.is("of") || is_noun(next))) {
        return false;
    }
    // Identifiers and markup.
    let joins = |token: &Token<'_>| matches!(token.kind, Kind::Mark('_' | '=' | '<' | '\\'));
    if !rules.whole
        && (first.glued && previous.is_some_and(joins) || next.is_some_and(|next| next.glued && next.is_mark('_')))
        && !first.is_mark('<')
    {
        return false;
    }
    // Parts of longer numbers, codes and names: "138-2010-2015", "$12", "v1.2", "A1B2", "3rdparty", "#2019".
    if first.number().is_some() {
        let inside = previous.is_some_and(|previous| {
            first.glued
                && (previous.kind == Kind::Word
                    || matches!(previous.kind, Kind::Mark('$' | '€' | '£' | '#' | '+' | '_' | '@' | '^'))
                    // A star between numbers multiplies, else it stresses.
                    || previous.is_mark('*') && before.len().checked_sub(2).and_then(|at| before.get(at)).is_some_and(|more| more.number().is_some())
                    || matches!(previous.kind, Kind::Mark('-' | '.' | '/' | ':' | ','))
                        && previous.glued
                        && before.len() >= 2
                        && before
                            .get(before.len() - 2)
                            .is_some_and(|more| more.number().is_some() && !matches!(previous.kind, Kind::Mark(':'))))
        });
        let long = first.number().is_some_and(|(_, digits)| digits == 8);
        let path = previous.is_some_and(|previous| matches!(previous.kind, Kind::Mark('-' | '/' | '.' | '_')));
        if inside
            && !(path
                && is_full_date(node)
                && before.len().checked_sub(2).and_then(|at| before.get(at)).is_none_or(|more| more.number().is_none()))
            && !long
        {
            return false;
        }
        if previous.is_some_and(|previous| previous.is_mark('$') || previous.is_mark('£') || previous.is_mark('€')) {
            return false;
        }
    }
    if last.number().is_some()
        && let Some(next) = next
        && next.glued
    {
        let more = rest.get(1).is_some_and(|more| more.glued && (more.number().is_some()));
        // "the 12-month deadline"
        let counts =
            next.is_mark('-') && rest.get(1).is_some_and(|more| more.glued && more.atoms.iter().any(|atom| matches!(atom, Atom::Unit(..))));
        if counts && !is_full_date(node) {
            return false;
        }
        if next.is_mark('%')
            || next.kind == Kind::Word && !next.is("'s")
            || more && matches!(next.kind, Kind::Mark('-' | '.' | '/' | ':' | ',')) && !is_full_date(node)
        {
            return false;
        }
    }
    bare(before, read, rest, node, rules)
}

/// Whether a word is none of those that join and begin phrases, and none of time.
fn is_noun(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && token.atoms.is_empty() && !FUNCTION.iter().any(|word| token.is(word))
}

/// Whether a weekday goes on a list that "every" began: "every Monday, Wednesday and Friday at 7".
fn goes_on_every(before: &[Token<'_>]) -> bool {
    let mut joined = false;
    for (at, token) in before.iter().enumerate().rev() {
        let joins = token.is_mark(',') || token.is_mark('/') || token.is_mark('&') || token.is("and") || token.is("or");
        if joins {
            joined = true;
        } else if joined && token.atoms.iter().any(|atom| matches!(atom, Atom::Weekday(_))) {
            joined = false;
            let every = at.checked_sub(1).and_then(|at| before.get(at));
            if every.is_some_and(|every| every.is("every") || every.is("each")) {
                return true;
            }
        } else {
            return false;
        }
    }
    false
}

/// Whether an expression begins a list of arguments in code: `date(2024, 4, 5)`.
fn is_argument(before: &[Token<'_>]) -> bool {
    matches!(before, [.., name, bracket] if bracket.is_mark('(') && bracket.glued && name.kind == Kind::Word)
}

/// Whether it is a weekday, with a time of day or without.
fn is_weekday(node: &Node) -> bool {
    match node {
        Node::Date(fields) => fields.is_bare_weekday(),
        Node::And(day, time) => is_weekday(day) && time.grain().is_clock(),
        _ => false,
    }
}

/// Whether a "the" before it is of the sentence: "the next week", but "the 4th", "the day before yesterday".
fn leaves_article(node: &Node) -> bool {
    match node {
        Node::This(grain, offset) => !matches!(grain, Grain::Day | Grain::Decade) && matches!(offset, -1 | 1),
        Node::Anaphora(of) => match &**of {
            Node::This(grain, _) => *grain > Grain::Day,
            _ => false,
        },
        Node::Section(section, _) => *section != Section::Close,
        Node::Date(fields) => fields.day.is_none() && fields.weekday.is_none(),
        Node::Window { .. } | Node::Within { .. } | Node::Week(_) | Node::Holiday(_) | Node::Rel(..) => true,
        Node::And(one, other) => matches!(**other, Node::Week(_) | Node::Holiday(_)) || matches!(**one, Node::Week(_) | Node::Holiday(_)),
        Node::Near(of) => leaves_article(of),
        _ => false,
    }
}

fn is_full_date(node: &Node) -> bool {
    matches!(node, Node::Date(Fields { year: Some(_), month: Some(_), day: Some(_), .. }))
}

/// Guards on words that are times only in company.
fn bare(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node, rules: Rules) -> bool {
    let previous = before.last();
    let next = rest.first();
    let first = read.first();
    let is_previous = |words: &[&str]| previous.is_some_and(|token| words.iter().any(|word| token.is(word)));
    let is_next = |words: &[&str]| next.is_some_and(|token| words.iter().any(|word| token.is(word)));
    match node {
        Node::Date(fields) if fields.day.is_none() && fields.weekday.is_none() && fields.month.is_none() && read.len() == 1 => {
            !is_argument(before) && year_stands(previous, first, next, rest)
        }
        Node::Date(Fields { month: Some(month), day: None, year: None, weekday: None, .. }) if read.len() <= 2 => {
            let word = first.map_or("", |token| token.norm.as_ref());
            let prepositions = [
                "in", "of", "since", "until", "by", "before", "after", "this", "next", "last", "during", "from", "to", "through", "and",
                "or", "between", "the", "early", "late", "mid", "around", "for", "every", "till",
            ];
            match (month, word) {
                (5, "may") | (3, "march" | "mar") | (8, "august") | (6, "june") | (4, "april") | (1, "jan") => {
                    // "may" and "march" are verbs; as months they follow a preposition and no verb follows them.
                    let risky = matches!(word, "may" | "march" | "mar");
                    let may_follow = next.is_none_or(|next| next.kind != Kind::Word)
                        || is_next(&[
                            "to", "and", "or", "through", "until", "when", "after", "before", "with", "at", "for", "was", "is", "but",
                        ]);
                    let follows = is_previous(&prepositions) && !(word == "may" && is_previous(&["this", "the", "and", "or", "to"]));
                    !risky || follows && may_follow || rules.whole
                }
                (_, "dec" | "sep" | "oct" | "nov" | "feb" | "jul" | "jun" | "apr" | "aug") => {
                    !previous.is_some_and(|previous| matches!(previous.kind, Kind::Mark('$' | '#' | '@')))
                }
                _ => true,
            }
        }
        Node::Rel(Which::This, of) if matches!(**of, Node::Date(Fields { month: Some(5), day: None, .. })) => next.is_none_or(|next| {
            matches!(next.kind, Kind::Mark(_)) || ["to", "and", "or", "through", "until"].iter().any(|word| next.is(word))
        }),
        Node::Open(Bound::After, of) if matches!(**of, Node::Shift { base: None, .. }) => rules.whole,
        Node::Open(Bound::Until, _) if first.is_some_and(|token| token.is("to")) => {
            !is_previous(&["up", "equal", "equals", "how"]) && next.is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
        }
        Node::This(_, 0) if first.is_some_and(|token| token.is("the")) => {
            next.is_none_or(|next| next.number().is_none())
                && !(is_next(&["of"]) && rest.get(1).is_some_and(|more| more.number().is_some()))
        }
        // "will last three weekends"
        Node::Week(_) => rules.numbered_weeks,
        Node::And(year, week) if matches!((&**year, &**week), (Node::This(Grain::Year, 0), Node::Week(_))) => rules.numbered_weeks,
        // "haven't talked in a few days"
        Node::Shift { base: None, forward: true, .. } if first.is_some_and(|token| token.is("in")) => {
            let clause = || before.iter().rev().take_while(|token| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';')));
            let never = clause().take(5).any(|token| ["'t", "not", "never", "first", "longest"].iter().any(|word| token.is(word)));
            // "ran it in 40 minutes" took so long; "said he would be back in 40 minutes" is to come.
            let verb = clause().find_map(|token| {
                let to_come = token.atoms.contains(&Atom::FutureVerb)
                    || ["to", "be", "'d", "would", "is", "are", "due", "'s", "'re"].iter().any(|word| token.is(word));
                if to_come { Some(false) } else { (token.atoms.contains(&Atom::PastVerb) || is_past(None, token)).then_some(true) }
            });
            !never && verb != Some(true)
        }
        // "one last day" together
        Node::Window { which: Which::Last, .. }
            if read.get(1).is_some_and(|token| token.is("last")) && first.is_some_and(|token| token.is("one")) =>
        {
            false
        }
        Node::Window { which: Which::Last, .. } if first.is_some_and(|token| token.is("last")) => {
            !is_previous(&["will", "would", "can", "could", "to", "should", "may", "might", "'ll", "shall"])
        }
        // "Sun" and "sat" are words.
        Node::Date(Fields { weekday: Some(_), month: None, day: None, year: None, .. }) if read.len() <= 2 => {
            let word = first.map_or("", |token| token.norm.as_ref());
            let risky = matches!(word, "sun" | "sat" | "wed" | "mon" | "thu" | "fri");
            let by_preposition = is_previous(&[
                "on", "by", "until", "till", "next", "last", "this", "since", "every", "and", "or", "for", "from", "to", ",",
            ]) && !is_previous(&["the"]);
            let marked = previous.is_none_or(|token| matches!(token.kind, Kind::Mark(_)))
                && next.is_none_or(|token| matches!(token.kind, Kind::Mark(_)));
            !is_next(&["times", "school", "roast", "best"])
                && (!risky || by_preposition && word != "sun" && word != "sat" || marked || read.len() == 2)
        }
        Node::Date(Fields { day: Some(_), month: None, weekday: None, year: None, .. }) => ordinal_stands(previous, read, rest),
        Node::Season(_) => {
            let word = read.last().map_or("", |token| token.norm.as_ref());
            let led =
                is_previous(&["in", "this", "last", "next", "of", "since", "until", "by", "during", "every", "the", "past", "'s", "that"]);
            let noun = next.is_some_and(|next| next.kind == Kind::Word && !FUNCTION.iter().any(|word| next.is(word)));
            match word {
                "fall" => led && !is_previous(&["the", "of", "by"]) && !is_next(&["in", "into", "for", "of"]),
                "spring" => led && !is_next(&["of", "in", "from"]),
                _ => led || !noun,
            }
        }
        Node::Clock(clock) => {
            let power = next.is_some_and(|next| next.glued && next.is_mark('^'));
            !power && clock_stands(*clock, read, previous)
        }
        Node::Zoned(inner, _) => !matches!(&**inner, Node::Clock(Clock { minute: None, meridian: Meridian::Either, .. })),
        Node::Near(of) => !matches!(**of, Node::Season(_) | Node::Holiday(_) | Node::Part(_)),
        // "a late-night session"
        Node::Section(_, of) if matches!(**of, Node::Part(_)) => {
            let modifies = read.get(1).is_some_and(|token| token.is_mark('-')) && next.is_some_and(is_noun);
            let many = read.last().is_some_and(|token| token.norm.ends_with("ghts") || token.norm.ends_with("gs"));
            !modifies && !many
        }
        Node::Length(_) => length_stands(previous, read, rest),
        Node::Every { .. } => {
            // "escape the everyday"
            if read.len() == 1 && is_previous(&["the"]) && first.is_some_and(|token| token.is("everyday")) {
                return false;
            }
            let wage = read.len() == 1 && is_next(&["rate", "rates", "wage", "wages", "pay", "paid"]);
            !wage && (!is_next(&["one", "of"]) || read.len() > 1)
        }
        // "</h1>"
        Node::Half(_) => {
            !first.is_some_and(|first| first.glued && previous.is_some_and(|token| matches!(token.kind, Kind::Mark('/' | '<'))))
        }
        Node::Part(_) if read.len() == 1 => {
            let word = first.map_or("", |token| token.norm.as_ref());
            let noun = |token: Option<&Token<'_>>| {
                token.is_some_and(|token| token.kind == Kind::Word && !FUNCTION.iter().any(|word| token.is(word)) && token.atoms.is_empty())
            };
            let greeting = previous.is_none_or(|token| matches!(token.kind, Kind::Mark('.' | '!' | '\n')))
                && next.is_some_and(|next| next.is_mark(','));
            let led = is_previous(&[
                "in", "at", "during", "this", "that", "the", "on", "before", "after", "until", "till", "by", "since", "from", "around",
                "to",
            ]);
            // "Dawn" is a name.
            if word == "dawn" && !led {
                return false;
            }
            let owned = is_previous(&["my", "your", "his", "her", "our", "their", "good", "a", "all", "every"]);
            let counted =
                previous.is_some_and(|token| token.number().is_some() || token.atoms.iter().any(|atom| matches!(atom, Atom::Cardinal(_))));
            let spoiled = greeting || !led && next.is_some_and(is_noun) || is_previous(&["good", "all", "every"]) || owned && noun(next);
            !spoiled && (counted || !noun(previous) && !word.ends_with('s'))
        }
        Node::Weekend => {
            !(previous.is_none_or(|token| token.kind == Kind::Word || matches!(token.kind, Kind::Mark('*' | '\n' | '.' | '-' | '#')))
                && read.len() == 1
                && next.is_some_and(|next| next.kind == Kind::Word && !FUNCTION.iter().any(|word| next.is(word))))
        }
        // "Date.now()", "reset(now)"
        Node::Now => {
            let member = previous.is_some_and(|previous| previous.is_mark('.')) && first.is_some_and(|first| first.glued);
            // "Now, let us see": no time, but what comes next.
            let opens = previous.is_none_or(|token| matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ':' | ']' | '-')));
            let discourse = opens && read.len() == 1 && next.is_some_and(|next| next.is_mark(','));
            !is_next(&["that"]) && !member && !discourse && !is_argument(before)
        }
        // "BOY" in capitals is the beginning of the year; here it is a child.
        Node::Section(Section::Beginning, _) if read.last().is_some_and(|token| token.is("boy")) => {
            rules.whole || is_previous(&["by", "since", "until"])
        }
        Node::Anaphora(inner) => match &**inner {
            Node::This(grain, 0) => *grain > Grain::Day || first.is_some_and(|token| token.is("same")) || read.len() > 1,
            _ => true,
        },
        _ => true,
    }
}

/// Whether a number of four digits is a year where it stands.
fn year_stands(previous: Option<&Token<'_>>, first: Option<&Token<'_>>, next: Option<&Token<'_>>, rest: In<'_>) -> bool {
    let Some((value, 4)) = first.and_then(Token::number) else { return true };
    let is = |token: Option<&Token<'_>>, words: &[&str]| token.is_some_and(|token| words.iter().any(|word| token.is(word)));
    let led = is(
        previous,
        &[
            "in", "since", "of", "from", "until", "till", "by", "before", "after", "during", "around", "circa", "year", "to", "through",
            "early", "late", "mid", "between", "summer", "winter", "spring", "fall", "autumn", "back", "for",
        ],
    );
    if next.is_some_and(|next| {
        next.glued
            && matches!(next.kind, Kind::Mark('-' | '/' | '.' | '_' | ':'))
            && rest.get(1).is_some_and(|more| more.glued && (more.number().is_some() || more.kind == Kind::Word))
    }) {
        return false;
    }
    if first.is_some_and(|first| first.glued)
        && previous.is_some_and(|previous| matches!(previous.kind, Kind::Mark('-' | '/' | '.' | '_' | ':')))
    {
        return false;
    }
    if next.is_some_and(|next| next.is_mark('-')) && rest.get(1).is_some_and(|more| more.number().is_some_and(|(_, digits)| digits < 4)) {
        return false;
    }
    if !(1800..2050).contains(&value) {
        return led && (1000..2200).contains(&value) && next.is_none_or(|next| next.kind != Kind::Word || is(Some(next), FUNCTION));
    }
    if next.is_some_and(|next| next.atoms.iter().any(|atom| matches!(atom, Atom::Unit(..))) && !next.is("s")) {
        return false;
    }
    // "2000 pieces" counts; "2019 was", "2019 and" do not.
    let counts = next.is_some_and(|next| next.kind == Kind::Word && !is(Some(next), FUNCTION));
    !counts || led && (1900..2100).contains(&value)
}

/// Words that do not make a number before them a count.
const FUNCTION: &[&str] = &[
    "and", "or", "but", "is", "was", "were", "are", "be", "will", "would", "should", "could", "can", "may", "might", "did", "do", "does",
    "had", "has", "have", "the", "a", "an", "to", "by", "for", "from", "in", "on", "at", "of", "as", "with", "when", "where", "while",
    "because", "if", "so", "then", "that", "which", "who", "i", "we", "you", "he", "she", "they", "it", "my", "our", "your", "his", "her",
    "their", "this", "these", "until", "till", "through", "since", "after", "before", "not", "no", "also", "just", "only", "up", "about",
    "into", "due", "sales", "music", "bonus", "'s", "'ll", "'d", "season", "budget", "edition", "report", "some", "text",
];

/// Whether an ordinal or a number is a day of a month: "the 4th", "on the 21st", not "the 4th time", "the first".
fn ordinal_stands(previous: Option<&Token<'_>>, read: In<'_>, rest: In<'_>) -> bool {
    let digits = read.iter().any(|token| token.number().is_some());
    let led =
        previous.is_some_and(|token| ["on", "by", "until", "till", "since", "before", "after", "around"].iter().any(|word| token.is(word)));
    let the = read.first().is_some_and(|token| token.is("the"));
    let follows_word = rest.first().is_some_and(|next| next.kind == Kind::Word && !FUNCTION.iter().any(|word| next.is(word)));
    let suffixed = read.iter().any(|token| matches!(token.norm.as_ref(), "st" | "nd" | "rd" | "th"));
    digits
        && suffixed
        && !previous.is_some_and(|token| token.is("in"))
        && (led || the && !follows_word)
        && !rest.first().is_some_and(|next| next.kind == Kind::Word && (next.is("of") || follows_word) || next.is_mark('-') && next.glued)
}

fn clock_stands(clock: Clock, read: In<'_>, previous: Option<&Token<'_>>) -> bool {
    // "1:1", "16:9" and scores are no times; "3:05" is. A spelled clock without a meridian needs "at".
    let ratio = matches!(clock, Clock { minute: Some(_), .. })
        && read.first().is_some_and(|first| first.number().is_none())
        && clock.meridian == Meridian::Either;
    let at = previous.is_some_and(|token| {
        ["at", "around", "until", "till", "by", "before", "after", "about", "from", "to", "'s", "is"].iter().any(|word| token.is(word))
    });
    let words = read.iter().any(|token| {
        ["past", "to", "quarter", "half", "o"].iter().any(|word| token.is(word)) || matches!(token.atoms.first(), Some(Atom::Clock(..)))
    });
    let half = read.len() == 2 && read.first().is_some_and(|token| token.is("half"));
    // "2a" and "3p" are terms and notes as often as times.
    if read.len() == 2 && read.get(1).is_some_and(|token| token.is("a") || token.is("p")) {
        return at || previous.is_none();
    }
    let only_h = read.len() == 2 && read.get(1).is_some_and(|token| token.is("h"));
    if half {
        return at;
    }
    if only_h {
        return previous.is_some_and(|token| token.is("at"));
    }
    !ratio || at || words
}

/// Whether a length is spoken of as one: not "a second time", "one day", "the second".
fn length_stands(previous: Option<&Token<'_>>, read: In<'_>, rest: In<'_>) -> bool {
    let is = |token: Option<&Token<'_>>, words: &[&str]| token.is_some_and(|token| words.iter().any(|word| token.is(word)));
    // "20 m" is a distance, "The Witcher 3\"" a title, "a one-year-old" a child.
    if read.len() == 2 && read.get(1).is_some_and(|token| token.is("m") || matches!(token.kind, Kind::Mark('"' | '\''))) {
        return false;
    }
    // "a 2D game"
    if read.len() == 2
        && read.get(1).is_some_and(|token| token.is("d"))
        && read.first().and_then(Token::number).is_some_and(|(value, _)| value < 5)
    {
        return false;
    }
    if let [dash, old, ..] = rest
        && dash.is_mark('-')
        && (old.is("old") || old.is("olds"))
    {
        return false;
    }
    let article = read.len() == 2 && read.first().is_some_and(|token| token.is("a") || token.is("an") || token.is("one"));
    if article && is(previous, &["times", "time", "once", "twice"]) {
        return false;
    }
    if article {
        let word = read.get(1).map_or("", |token| token.norm.as_ref());
        let spoken = is(
            previous,
            &["for", "takes", "took", "take", "within", "about", "over", "only", "last", "lasted", "under", "than", "almost", "nearly"],
        );
        return spoken
            || matches!(word, "hour" | "fortnight" | "decade" | "century")
            || matches!(word, "week" | "month" | "year") && rest.first().is_none_or(|next| matches!(next.kind, Kind::Mark(_)));
    }
    if read.last().is_some_and(|token| matches!(token.norm.as_ref(), "nights" | "night")) {
        return read
            .first()
            .is_some_and(|token| token.number().is_some() || token.atoms.iter().any(|atom| matches!(atom, Atom::Cardinal(_))))
            && !is(rest.first(), &["markets", "stands"]);
    }
    !is(rest.first(), &["old", "olds"])
}
