//! What a text gives no claim for: the parts that others said, greetings, and sentences that nothing is read in. Knows no pattern.

use super::super::token::{Sentence, Token};
use super::super::voices::of_others;
use super::Reader;
use crate::extract::RejectionKind;
use crate::extract::rules::draft::Refusal;
use crate::model::Authority;
use std::ops::Range;

/// Words that greetings, thanks and farewells are made of.
const GREETINGS: [&str; 44] = [
    "hello",
    "hi",
    "hey",
    "hiya",
    "howdy",
    "yo",
    "greetings",
    "welcome",
    "good",
    "morning",
    "afternoon",
    "evening",
    "night",
    "day",
    "there",
    "all",
    "everyone",
    "everybody",
    "folks",
    "again",
    "thanks",
    "thank",
    "you",
    "thx",
    "ty",
    "cheers",
    "so",
    "very",
    "much",
    "a",
    "lot",
    "many",
    "bye",
    "goodbye",
    "see",
    "later",
    "soon",
    "take",
    "care",
    "cya",
    "ciao",
    "to",
    "and",
    "ok",
];

/// Those of them that make a greeting of the others.
const GREETS: [&str; 20] = [
    "hello",
    "hi",
    "hey",
    "hiya",
    "howdy",
    "yo",
    "greetings",
    "welcome",
    "good",
    "thanks",
    "thank",
    "thx",
    "ty",
    "cheers",
    "bye",
    "goodbye",
    "see",
    "take",
    "cya",
    "ciao",
];

impl Reader<'_, '_> {
    /// Refuses what somebody else said in a person's turn: quoted lines, fenced text, transcripts, letters.
    pub(super) fn leave_to_others(&mut self, text: &str) {
        if self.setting.observation.source.authority != Authority::User {
            return;
        }
        self.others = of_others(text, self.setting.author());
        for quote in &self.others {
            let first = text.get(quote.clone()).unwrap_or_default().trim().lines().next().unwrap_or_default();
            let reason = format!("somebody else says so: {first:?}");
            self.reading.refused.push(Refusal { kind: RejectionKind::Quoted, quote: quote.clone(), reason });
        }
    }

    /// What of a sentence its author said: all of it, up to where another begins, or nothing.
    pub(super) fn own_part(&self, tokens: &[Token<'_>], sentence: Sentence) -> Option<Sentence> {
        let other = |at: usize| tokens.get(at).is_some_and(|token| self.others.iter().any(|other| other.contains(&token.start)));
        if self.others.is_empty() {
            return Some(sentence);
        }
        let to = (sentence.from..sentence.to).find(|at| other(*at)).unwrap_or(sentence.to);
        (sentence.from < to).then_some(Sentence { to, ..sentence })
    }

    /// Refuses the sentences that gave nothing so far: of talk each, of written matter all of it at once and only if nothing of it did.
    pub(super) fn tell_unread(&mut self, text: &str) {
        let silent = self.reading.drafts.is_empty() && self.reading.refused.is_empty();
        // An answer or a correction is read with the turns before, in spite of its own words.
        let completed =
            !self.setting.is_written() && !self.reading.drafts.is_empty() && self.unread.len() == 1 && self.reading.refused.is_empty();
        let unread = std::mem::take(&mut self.unread);
        let whole = |unread: &[Range<usize>]| unread.first().zip(unread.last()).map(|(first, last)| first.start..last.end);
        let told: Vec<Range<usize>> = if !self.setting.is_written() {
            unread
        } else if silent {
            whole(&unread).into_iter().collect()
        } else {
            Vec::new()
        };
        for quote in told.into_iter().filter(|_| !completed) {
            let said = text.get(quote.clone()).unwrap_or_default();
            let (kind, why) = if greets(said) {
                (RejectionKind::Greeting, "it greets")
            } else {
                (RejectionKind::Unread, "nothing in it is read as a claim")
            };
            let first = said.lines().next().unwrap_or_default();
            self.reading.refused.push(Refusal { kind, reason: format!("{why}: {first:?}"), quote });
        }
    }
}

/// Whether a sentence does nothing but greet, thank or take leave; it may name whom.
fn greets(said: &str) -> bool {
    const LONGEST: usize = 7;
    let words: Vec<&str> = said.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let known = |word: &str| GREETINGS.contains(&word.to_lowercase().as_str());
    let named = |at: usize, word: &str| at > 0 && word.starts_with(char::is_uppercase);
    let leads = words.iter().take(2).any(|word| GREETS.contains(&word.to_lowercase().as_str()));
    leads && words.len() <= LONGEST && words.iter().enumerate().all(|(at, word)| known(word) || named(at, word))
}

/// Whether a word before "of" takes some of several, or none: nobody in particular.
pub(super) fn is_share(word: &str) -> bool {
    matches!(
        word,
        "none" | "neither" | "half" | "most" | "some" | "many" | "few" | "several" | "either" | "any" | "each" | "plenty" | "lots"
    )
}

/// The bytes of a sentence.
pub(super) fn span_of(tokens: &[Token<'_>], sentence: Sentence) -> Range<usize> {
    tokens.get(sentence.from).map_or(0, |first| first.start)..tokens.get(sentence.to - 1).map_or(0, |last| last.end)
}
