//! Finding the names in a question: what is known by that name, the longest first, and what looks like a name and is not known.
//!
//! Owns what a name may look like. Knows no relation.

use super::token::Token;
use super::{Lexicon, Name, Setting};
use std::ops::Range;

/// A name has at most so many words.
const MAX_WORDS: usize = 24;

/// A name in a question, by the places of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spotted {
    pub(super) words: Range<usize>,
    pub(super) name: Name,
    /// Whether it is written like a name.
    pub(super) strong: bool,
}

/// The names of a question that are known, in order, and what is written like a name, is no time, and is not known.
pub(super) fn names(
    text: &str,
    tokens: &[Token],
    is_time: &dyn Fn(usize) -> bool,
    lexicon: &Lexicon,
    setting: &Setting<'_>,
) -> (Vec<Spotted>, Vec<String>) {
    let mut found = Vec::new();
    for from in 0..tokens.len() {
        let longest = (from + MAX_WORDS).min(tokens.len());
        found.extend((from + 1..=longest).rev().filter_map(|to| known(text, tokens, from..to, lexicon, setting)));
    }
    found.extend(speaker(tokens, lexicon, setting));
    found.sort_by_key(|one| (!one.strong, std::cmp::Reverse(one.words.len()), one.words.start));
    let mut taken: Vec<Spotted> = Vec::new();
    for one in found {
        if taken.iter().all(|other| one.words.end <= other.words.start || other.words.end <= one.words.start) {
            taken.push(one);
        }
    }
    let runs = runs(tokens, is_time, lexicon);
    let mut unknown = Vec::new();
    for run in runs {
        // A part of a longer name is another name, unless what is before it is a title.
        let covered = |at: usize| taken.iter().any(|one| one.words.contains(&at));
        let rest: Vec<usize> = run.clone().filter(|at| !covered(*at)).collect();
        let is_title = |at: &usize| {
            tokens.get(*at).is_some_and(|token| {
                lexicon.sorts().is("filler", token.lower.trim_end_matches('.')) || lexicon.nouns(&token.lower).next().is_some()
            })
        };
        let quoted = tokens.get(run.start).is_some_and(|token| token.quoted);
        if rest.iter().all(|at| is_title(at)) && !(quoted && rest.len() == run.len()) {
            continue;
        }
        taken.retain(|one| {
            !one.strong
                || one.words.end <= run.start
                || run.end <= one.words.start
                || one.words.start < run.start
                || run.end < one.words.end
        });
        unknown.push(slice(text, tokens, &run).to_owned());
    }
    let has_strong = taken.iter().any(|one| one.strong);
    // Words in small letters are names only where nothing else is.
    let beside = |one: &Spotted| {
        let before = one.words.start.checked_sub(1).and_then(|at| tokens.get(at));
        before.is_some_and(|token| matches!(token.lower.as_str(), "before" | "after"))
    };
    taken.retain(|one| one.strong || !has_strong || beside(one));
    taken.sort_by_key(|one| one.words.start);
    (taken, unknown)
}

fn slice<'t>(text: &'t str, tokens: &[Token], words: &Range<usize>) -> &'t str {
    let from = tokens.get(words.start).map_or(0, |token| token.bytes.start);
    let to = tokens.get(words.end.saturating_sub(1)).map_or(from, |token| token.bytes.end);
    text.get(from..to).unwrap_or_default()
}

/// A stretch of words as a name, if it is known as one.
fn known(text: &str, tokens: &[Token], words: Range<usize>, lexicon: &Lexicon, setting: &Setting<'_>) -> Option<Spotted> {
    let all = tokens.get(words.clone())?;
    let (first, last) = (all.first()?, all.last()?);
    if !first.word || !(last.word || last.is(")") || last.is("!") || last.is(".")) || last.is("'s") {
        return None;
    }
    let plain = |token: &Token| {
        ["asking", "auxiliary", "preposition", "relative", "speaker"].iter().any(|list| lexicon.sorts().is(list, &token.lower))
            || matches!(token.lower.as_str(), "a" | "an" | "the" | "and" | "or")
    };
    // An asking word in front is large for beginning the sentence.
    let quoted = all.iter().all(|token| token.quoted);
    if plain(first) && !quoted && !(first.is("the") || first.large && words.start > 0) {
        return None;
    }
    if all.len() == 1 && !quoted && plain(first) && !(first.large && words.start > 0) {
        return None;
    }
    let strong = quoted
        || all
            .iter()
            .enumerate()
            .any(|(at, token)| token.large && (words.start + at > 0 || !plain(token)) && !(at == 0 && token.is("the")));
    if !strong && (all.iter().all(plain) || all.len() == 1 && lexicon.sorts().of_word(&first.lower).is_some()) {
        return None;
    }
    let written = slice(text, tokens, &words);
    let readings = readings(written, &|name| (setting.is_known)(name));
    if readings.is_empty() {
        return None;
    }
    let bytes = first.bytes.start..last.bytes.end;
    Some(Spotted { words, name: Name { readings, bytes }, strong })
}

/// The ways in which a name is known: as it is written, without or with the article, without or with the point at its end.
pub(super) fn readings(written: &str, is_known: &dyn Fn(&str) -> bool) -> Vec<String> {
    variants(written).into_iter().filter(|one| is_known(one)).collect()
}

/// The ways in which one name is written: the article in front and the point behind may be missing.
#[must_use]
pub(crate) fn variants(written: &str) -> Vec<String> {
    let bare = ["The ", "the ", "A ", "a ", "An ", "an "].iter().find_map(|article| written.strip_prefix(article));
    let mut all = vec![written.to_owned()];
    all.extend(bare.map(str::to_owned));
    if bare.is_none() {
        all.push(format!("The {written}"));
    }
    let points: Vec<String> = all
        .iter()
        .filter_map(|one| match one.strip_suffix('.') {
            Some(without) => Some(without.to_owned()),
            None => one
                .rsplit(' ')
                .next()
                .is_some_and(|last| last.contains('.') || last.len() <= 4 && last.starts_with(char::is_uppercase))
                .then(|| format!("{one}.")),
        })
        .collect();
    all.extend(points);
    all
}

/// "I" and "my mother" as whom they mean.
fn speaker(tokens: &[Token], lexicon: &Lexicon, setting: &Setting<'_>) -> Vec<Spotted> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        // "Tell me who": the question is whoever's.
        let told = at == 1 && tokens.first().is_some_and(|first| matches!(first.lower.as_str(), "tell" | "show" | "give" | "remind"));
        if told || !lexicon.sorts().is("speaker", &token.lower) || token.quoted || (token.large && !token.is("i") && at > 0) {
            continue;
        }
        if (setting.is_known)(setting.asker) {
            let name = Name { readings: vec![setting.asker.to_owned()], bytes: token.bytes.clone() };
            found.push(Spotted { words: at..at + 1, name, strong: true });
        }
        if !matches!(token.lower.as_str(), "my" | "our") {
            continue;
        }
        let mut whose = format!("{}'s", setting.asker);
        for to in at + 1..(at + 4).min(tokens.len()) {
            let Some(word) = tokens.get(to).filter(|token| token.word) else { break };
            whose.push(' ');
            whose.push_str(&word.lower);
            if (setting.is_known)(&whose) {
                let name = Name { readings: vec![whose.clone()], bytes: token.bytes.start..word.bytes.end };
                found.push(Spotted { words: at..to + 1, name, strong: true });
            }
        }
    }
    found
}

/// Stretches of words that are written like names.
fn runs(tokens: &[Token], is_time: &dyn Fn(usize) -> bool, lexicon: &Lexicon) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut from: Option<usize> = None;
    for at in 0..=tokens.len() {
        let named = tokens.get(at).is_some_and(|token| {
            let begins = at == 0 || tokens.get(at.wrapping_sub(1)).is_some_and(|before| matches!(before.lower.as_str(), "." | "?" | "!"));
            let plain = ["asking", "auxiliary", "preposition"].iter().any(|list| lexicon.sorts().is(list, &token.lower))
                || token.is("the")
                || token.is("i");
            token.word
                && !is_time(at)
                && (token.quoted
                    || token.large
                        && token.lower.chars().any(char::is_alphabetic)
                        && !(begins && (plain || !token.quoted && is_common(lexicon, &token.lower)))
                        && !(plain && from.is_none() && begins))
        });
        match (named, from) {
            (true, None) => from = Some(at),
            (false, Some(start)) => {
                runs.push(start..at);
                from = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    runs
}

/// Whether a word in small letters is one that questions begin with.
fn is_common(lexicon: &Lexicon, lower: &str) -> bool {
    lexicon.nouns(lower).next().is_some()
        || lexicon.sorts().is("filler", lower)
        || !lexicon.verbs_of(lower).is_empty()
        || lexicon.sorts().of_word(lower).is_some()
}
