//! Turns that do nothing but take back what their speaker said just before: "Just kidding.", "Sorry, that was wrong."
//! Knows no relation.

use super::read::Reader;
use crate::extract::rules::draft::{Draft, Phase};
use crate::model::{Authority, Polarity};

/// What leads to a word of taking back, or follows it, and says nothing by itself.
const ASIDES: [&str; 24] = [
    "sorry",
    "oops",
    "whoops",
    "wait",
    "no",
    "actually",
    "haha",
    "hahaha",
    "lol",
    "ha",
    "hey",
    "ok",
    "okay",
    "oh",
    "um",
    "uh",
    "ah",
    "well",
    "nah",
    "hm",
    "hmm",
    "apologies",
    "obviously",
    "again",
];

/// What takes back the turn before.
const TAKES: [&str; 56] = [
    "just kidding",
    "only kidding",
    "kidding",
    "i'm kidding",
    "i'm just kidding",
    "i was kidding",
    "i was just kidding",
    "i was only kidding",
    "just joking",
    "only joking",
    "joking",
    "i'm joking",
    "i'm only joking",
    "i was joking",
    "i was just joking",
    "i was only joking",
    "jk",
    "that was a joke",
    "it was a joke",
    "that was just a joke",
    "that was wrong",
    "that's wrong",
    "that is wrong",
    "that was incorrect",
    "that's incorrect",
    "that was a mistake",
    "that was my mistake",
    "that was a lie",
    "that's a lie",
    "that's not true",
    "that's not right",
    "that isn't true",
    "that isn't right",
    "that wasn't true",
    "that wasn't right",
    "that was not true",
    "that is not true",
    "not true",
    "i made that up",
    "i made it up",
    "i lied",
    "i was lying",
    "strike that",
    "scratch that",
    "forget that",
    "forget what i said",
    "forget what i just said",
    "forget i said that",
    "forget my last message",
    "ignore that",
    "ignore what i said",
    "ignore what i just said",
    "ignore my last message",
    "disregard that",
    "i take that back",
    "i take it back",
];

impl Reader<'_, '_> {
    /// Denies what the speaker affirmed in their turn before, where this one only takes it back.
    pub(super) fn take_back(&mut self, text: &str) {
        if self.setting.observation.source.authority != Authority::User || !takes_back(text) {
            return;
        }
        let speaker = &self.setting.observation.speaker;
        let own = self.setting.before.iter().rev().take(2).find(|turn| turn.authority == Authority::User && turn.speaker == *speaker);
        let Some(own) = own else { return };
        let quote = text.len() - text.trim_start().len()..text.trim_end().len();
        let said = self.made(&own.text, &quote);
        let denied = said.into_iter().filter(|draft| draft.polarity == Polarity::Holds).map(|draft| Draft {
            polarity: Polarity::Never,
            phase: Phase::Now,
            times: Vec::new(),
            corrects: Some(draft.tail.clone()),
            ..draft
        });
        self.reading.drafts.extend(denied);
    }
}

/// Whether the first thing that a text says, but for asides, takes back what was said.
fn takes_back(text: &str) -> bool {
    const LONGEST: usize = 12;
    let lower = text.to_lowercase().replace('’', "'");
    if lower.contains('?') || lower.split_whitespace().count() > LONGEST {
        return false;
    }
    lower.split([',', '.', '!', ';', ':', '-', '–', '—', '…']).find_map(|part| {
        let words: Vec<&str> = part.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
        let from = words.iter().position(|word| !ASIDES.contains(word))?;
        let to = words.iter().rposition(|word| !ASIDES.contains(word))? + 1;
        Some(TAKES.contains(&words.get(from..to).unwrap_or_default().join(" ").as_str()))
    }) == Some(true)
}
