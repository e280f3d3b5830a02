//! Turns that do nothing but take back what their speaker said just before: "Just kidding.", "Sorry, that was wrong."
//! Knows no relation.

use super::read::Reader;
use crate::extract::Turn;
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
const TAKES: [&str; 44] = [
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
    "i take that back",
    "i take it back",
];

/// Verbs that ask for what was said to be taken back.
const UNDO: [&str; 13] =
    ["forget", "ignore", "disregard", "scratch", "strike", "delete", "remove", "discard", "erase", "undo", "unsay", "retract", "discount"];

/// What they ask it of: words of which all that is said consists, after the verb.
const SAID: [&str; 50] = [
    "that",
    "this",
    "it",
    "all",
    "of",
    "everything",
    "anything",
    "what",
    "i",
    "i've",
    "i'd",
    "just",
    "said",
    "told",
    "you",
    "wrote",
    "typed",
    "mentioned",
    "sent",
    "have",
    "had",
    "the",
    "my",
    "last",
    "previous",
    "latest",
    "message",
    "messages",
    "thing",
    "things",
    "bit",
    "part",
    "comment",
    "turn",
    "line",
    "one",
    "sentence",
    "statement",
    "note",
    "before",
    "earlier",
    "now",
    "there",
    "about",
    "ever",
    "completely",
    "a",
    "minute",
    "ago",
    "again",
];

/// Words before the verb and after all that only ask.
const ASKING: [&str; 13] = ["please", "just", "can", "could", "would", "you", "i'd", "like", "to", "pls", "thanks", "kindly", "then"];

impl Reader<'_, '_> {
    /// Denies what the speaker affirmed in their turn before, where this one only takes it back.
    pub(super) fn take_back(&mut self, text: &str) {
        if self.setting.observation.source.authority != Authority::User {
            return;
        }
        let speaker = &self.setting.observation.speaker;
        let own = |turn: &&Turn| turn.authority == Authority::User && turn.speaker == *speaker;
        let quote = text.len() - text.trim_start().len()..text.trim_end().len();
        let said = match takes_back(text) {
            // The turn just before, whatever others said to it.
            Some(Taking::Last) => {
                self.setting.before.iter().rev().take(4).find(own).map(|own| self.made(&own.text, &quote)).unwrap_or_default()
            }
            Some(Taking::About(topic)) => {
                let turns = self.setting.before.iter().filter(own);
                let said: Vec<Draft> = turns.flat_map(|own| self.made(&own.text, &quote)).collect();
                self.about(&topic, said)
            }
            None => return,
        };
        // What the same breath puts in its place takes its place.
        let told = |new: &Draft| said.iter().any(|draft| draft.head == new.head && draft.relation == new.relation);
        self.reading.drafts.retain(|new| new.polarity != Polarity::Never || !told(new));
        let mut left = Vec::new();
        for draft in said.into_iter().filter(|draft| draft.polarity == Polarity::Holds) {
            let same = |new: &&mut Draft| new.head == draft.head && new.relation == draft.relation;
            match self.reading.drafts.iter_mut().find(same) {
                Some(new) if new.tail != draft.tail => {
                    new.corrects.get_or_insert(draft.tail);
                }
                Some(_) => {}
                None => left.push(draft),
            }
        }
        let denied = left.into_iter().map(|draft| Draft {
            polarity: Polarity::Never,
            phase: Phase::Now,
            times: Vec::new(),
            corrects: Some(draft.tail.clone()),
            ..draft
        });
        self.reading.drafts.extend(denied);
    }

    /// Of what was said, that of somebody or something: by name, by a relative's noun, or by the noun of a relation ("my job").
    fn about(&self, topic: &str, said: Vec<Draft>) -> Vec<Draft> {
        let bare = |text: &str| {
            let lower = text.to_lowercase();
            let lead = ["my ", "our ", "the ", "a ", "an ", "his ", "her ", "their "].iter().find_map(|lead| lower.strip_prefix(lead));
            lead.map_or_else(|| lower.clone(), str::to_owned)
        };
        let topic = bare(topic);
        let frames = self.grammar.noun(&topic).map(|(_, frames)| frames).unwrap_or_default();
        let states = self.grammar.states_of(&topic).map(|state| state.relation);
        let relations = frames.iter().map(|frame| frame.relation).chain(states);
        let of_noun: Vec<&str> = relations.filter_map(|at| self.grammar.relation(at)).map(|relation| relation.name.as_str()).collect();
        let person = self.grammar.has_class(&topic, "kin") || self.grammar.has_class(&topic, "person_noun");
        // "My brother Bo": what is said of Bo is said of him.
        let named = said.iter().filter(|draft| person && of_noun.contains(&draft.relation.as_str())).map(|draft| bare(&draft.tail));
        let names: Vec<String> = named.chain([topic.clone()]).collect();
        let is_of = |draft: &Draft| {
            let (head, tail) = (bare(&draft.head), bare(&draft.tail));
            names.iter().any(|name| *name == head || *name == tail || tail.split(' ').any(|word| word == name))
                || !person && of_noun.contains(&draft.relation.as_str())
        };
        // Who they are to the speaker is not taken back with what they do.
        let kin = |draft: &Draft| person && of_noun.contains(&draft.relation.as_str());
        said.into_iter().filter(|draft| is_of(draft) && !kin(draft)).collect()
    }
}

/// What somebody takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Taking {
    /// What they said last.
    Last,
    /// What they said of somebody or something.
    About(String),
}

/// What the first thing that a text says, but for asides, takes back.
fn takes_back(text: &str) -> Option<Taking> {
    const LONGEST: usize = 12;
    let lower = text.to_lowercase().replace('’', "'");
    let mut parts = lower.split([',', '.', '!', ';', ':', '-', '–', '—', '…', '?', '\n']).filter_map(|part| {
        let words: Vec<&str> = part.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
        let from = words.iter().position(|word| !ASIDES.contains(word))?;
        let to = words.iter().rposition(|word| !ASIDES.contains(word))? + 1;
        Some(words.get(from..to).unwrap_or_default().to_vec())
    });
    let first = parts.next()?;
    // "Please, forget that."
    let first = if first.iter().all(|word| ASKING.contains(word)) { parts.next()? } else { first };
    let short = lower.split_whitespace().count() <= LONGEST;
    if short && !lower.contains('?') && TAKES.contains(&first.join(" ").as_str()) {
        return Some(Taking::Last);
    }
    let verb = first.iter().position(|word| !ASKING.contains(word)).filter(|at| first.get(*at).is_some_and(|word| UNDO.contains(word)))?;
    // "Please don't forget that", "I forget that".
    let rest: Vec<&str> =
        first.get(verb + 1..)?.iter().copied().filter(|word| !ASKING.contains(word) || matches!(*word, "you" | "just")).collect();
    let about = rest.iter().position(|word| *word == "about");
    let (said, topic) = match about {
        Some(at) => (rest.get(..at)?, rest.get(at + 1..)?),
        None => (rest.as_slice(), &[][..]),
    };
    // "Forget what I said": of what was said, and not of what is to be done or to be had ("forget the keys", "skip it").
    let speaks =
        said.iter().any(|word| matches!(*word, "said" | "told" | "wrote" | "typed" | "mentioned" | "message" | "messages" | "sent"));
    let points =
        matches!(said, ["that" | "this" | "it"] | ["that" | "this", "one" | "last"] | ["all", "that"] | ["the" | "my", "last", ..]);
    if !said.iter().all(|word| SAID.contains(word)) || !(speaks || points) && !(said.is_empty() && topic.first() == Some(&"that")) {
        return None;
    }
    let topic = topic.join(" ");
    if topic.is_empty() || matches!(topic.as_str(), "that" | "it" | "this") {
        return short.then_some(Taking::Last);
    }
    speaks.then_some(Taking::About(topic))
}
