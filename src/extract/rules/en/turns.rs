//! What a turn says only together with the turns before it: pronouns, short answers to questions, and corrections.
//!
//! A short answer is read as the statement that it completes, a correction as the earlier statement with the right word in it; so
//! both go through the same grammar as everything else. Knows no relation.

use super::chunk::{Chunk, Line, Tense};
use super::clause::{Clause, Mode, clauses};
use super::morph::inflect;
use super::pack::Grammar;
use super::read::Reader;
use super::scene::{Mention, Scene, Spoken};
use super::tag::{Form, Word, tag};
use super::token::{Kind, Sentence, Token, sentences, tokenize};
use super::words::Tag;
use crate::extract::Turn;
use crate::extract::rules::draft::{Draft, Setting};
use crate::model::{Authority, Observation};
use crate::time::expr::{TimeMention, find};
use std::cell::OnceCell;
use std::rc::Rc;

/// How many turns back a pronoun or an answer may reach.
const REACH: usize = 4;

/// The confidence of what only the turns before complete.
const COMPLETED: f64 = 0.8;

/// A text cut and tagged.
struct Parsed<'t, 'g> {
    times: Vec<TimeMention>,
    tokens: Vec<Token<'t>>,
    words: Vec<Word<'g>>,
    sentences: Vec<Sentence>,
}

impl<'t, 'g> Parsed<'t, 'g> {
    fn of(text: &'t str, grammar: &'g Grammar, setting: &Setting<'_>) -> Self {
        let times = find(text, &setting.calendar);
        let tokens = tokenize(text, &times);
        let mut sentences = sentences(&tokens);
        sentences.retain(Sentence::is_readable);
        let mut words = Vec::with_capacity(tokens.len());
        for sentence in &sentences {
            while words.len() < sentence.from {
                words.push(Word { tag: Tag::Mark, verb: None });
            }
            tag(&tokens, *sentence, grammar, &mut words);
        }
        Self { times, tokens, words, sentences }
    }

    fn line(&self, sentence: Sentence) -> Line<'_, 'g> {
        Line { tokens: &self.tokens, words: &self.words, end: sentence.to }
    }
}

/// An observation as a turn of another would be.
fn as_said(turn: &Turn, observation: &Observation) -> Observation {
    let mut said = Observation { text: None, speaker: turn.speaker.clone(), ..observation.clone() };
    said.source.authority = turn.authority;
    said
}

/// What the turns before spoke of, each turn read once somebody asks as far back.
#[derive(Clone, Debug)]
pub(super) struct Reaching<'a, 'g> {
    setting: &'a Setting<'a>,
    grammar: &'g Grammar,
    /// What each of the last turns spoke of, the latest last.
    turns: Rc<[OnceCell<Vec<Mention>>]>,
    /// How many of them are before what is read.
    count: usize,
}

impl<'a, 'g> Reaching<'a, 'g> {
    /// The turns before a text; `None` where it has no pronoun that they may explain.
    pub(super) fn of(text: &str, setting: &'a Setting<'a>, grammar: &'g Grammar) -> Option<Self> {
        let count = setting.before.len().min(REACH);
        (count > 0 && has_pronoun(text)).then(|| Self { setting, grammar, turns: (0..count).map(|_| OnceCell::new()).collect(), count })
    }

    /// Everything, the latest first.
    pub(super) fn latest(&self) -> impl Iterator<Item = &Mention> {
        (0..self.count).rev().flat_map(|at| self.turn(at).iter().rev())
    }

    fn turn(&self, at: usize) -> &[Mention] {
        let Some(known) = self.turns.get(at) else { return &[] };
        known.get_or_init(|| self.read(at).unwrap_or_default())
    }

    fn read(&self, at: usize) -> Option<Vec<Mention>> {
        let Self { setting, grammar, .. } = *self;
        let turn = setting.before.get(setting.before.len() - self.turns.len() + at)?;
        let observation = as_said(turn, setting.observation);
        let parsed = Parsed::of(&turn.text, grammar, setting);
        let inner = Setting { observation: &observation, before: &[], times: &parsed.times, traced: false, ..*setting };
        let mut found = Spoken { reaching: Some(Self { count: at, ..self.clone() }), here: Vec::new() };
        for (place, sentence) in parsed.sentences.iter().enumerate() {
            let new = {
                let scene = Scene::new(&turn.text, parsed.line(*sentence), *sentence, grammar, &inner, &found);
                let clauses = clauses(&scene.line, &scene.chunks, sentence.asked);
                scene.mentions(&clauses, at * 100 + place.min(99))
            };
            found.here.extend(new);
        }
        Some(found.here)
    }
}

/// Whether a text has a pronoun that the turns before may explain.
fn has_pronoun(text: &str) -> bool {
    const PRONOUNS: [&str; 11] = ["he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their"];
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| (2..=5).contains(&word.len()) && PRONOUNS.iter().any(|pronoun| word.eq_ignore_ascii_case(pronoun)))
}

impl Reader<'_, '_> {
    /// Reads a sentence that was made of what was said before, as if the author had said it; of the claims, the places are `quote`'s.
    pub(super) fn made(&self, text: &str, quote: &std::ops::Range<usize>) -> Vec<Draft> {
        let times = find(text, &self.setting.calendar);
        let setting = Setting { before: &[], times: &times, traced: false, ..*self.setting };
        let mut reader = Reader::new(self.grammar, &setting);
        reader.mentions.clone_from(&self.mentions);
        reader.sentences_of(text);
        reader.reading.drafts.into_iter().map(|draft| Draft { quote: quote.clone(), confidence: COMPLETED, ..draft }).collect()
    }

    /// A short answer, as the statement that the question before asks for.
    pub(super) fn answer(&mut self, text: &str) {
        const LONGEST: usize = 12;
        if self.setting.is_written() || self.setting.is_assistant() {
            return;
        }
        let Some(turn) = self.setting.before.last().filter(|turn| turn.text.contains('?')) else { return };
        if turn.speaker.is_some() && turn.speaker == self.setting.observation.speaker {
            return;
        }
        let trimmed = text.trim();
        if trimmed.split_whitespace().count() > LONGEST || trimmed.contains('?') {
            return;
        }
        let quote = text.len() - text.trim_start().len()..text.trim_end().len();
        // "Sure, sounds fine": not what was asked for.
        let lower = trimmed.to_lowercase();
        if lower.contains("let's")
            || lower.contains("let’s")
            || lower.contains("sounds ")
            || lower.contains("of course") && lower.len() > 30
        {
            return;
        }
        let Some(statement) = self.statement(turn, trimmed) else { return };
        let drafts = self.made(&statement, &quote);
        self.reading.drafts.extend(drafts);
    }

    fn statement(&self, turn: &Turn, answer: &str) -> Option<String> {
        let observation = as_said(turn, self.setting.observation);
        let parsed = Parsed::of(&turn.text, self.grammar, self.setting);
        let inner = Setting { observation: &observation, before: &[], times: &parsed.times, traced: false, ..*self.setting };
        let sentence = parsed.sentences.iter().rev().find(|sentence| sentence.asked).copied()?;
        let nothing = Spoken::default();
        let scene = Scene::new(&turn.text, parsed.line(sentence), sentence, self.grammar, &inner, &nothing);
        let found = clauses(&scene.line, &scene.chunks, true);
        let words: Vec<&str> = answer.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
        let reply = Reply::of(&words.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>());
        let asked = scene.line.phrase(sentence.from, sentence.to);
        let tail = answer.trim_end_matches(['.', '!', ' ']);
        // "Since when?", "How long?": of what was said last by the one who answers.
        let when = ["since when", "how long", "when was that", "when did that", "when", "from when", "until when"]
            .iter()
            .any(|ask| asked.ends_with(ask))
            || asked.starts_with("how long have") && self.setting.before.len() > 1;
        if when || found.is_empty() && asked.contains("when") {
            return Some(format!("{} {}", self.said_last()?, lowered(tail)));
        }
        let clause = found.iter().find(|clause| clause.mode == Mode::Asked && !clause.subjects.is_empty())?;
        let tail = lower_articles(tail);
        let tail = tail.as_str();
        let wh = (sentence.from..clause.from.max(clause.group.from)).find(|at| matches!(scene.line.tag(*at), Some(Tag::Wh | Tag::Sub)));
        match wh {
            Some(at) => wh_statement(&scene, clause, at, tail),
            None => yes_no_statement(&scene, clause, reply, tail),
        }
    }

    /// The last sentence that the author said before.
    fn said_last(&self) -> Option<String> {
        let turn = self
            .setting
            .before
            .iter()
            .rev()
            .find(|turn| turn.authority == Authority::User && turn.speaker == self.setting.observation.speaker)?;
        let last =
            turn.text.split_inclusive(['.', '!', '?']).rev().find(|part| part.split_whitespace().count() > 2 && !part.ends_with('?'))?;
        Some(last.trim().trim_end_matches(['.', '!']).to_owned())
    }

    /// A correction, as the statement that it corrects with the right word in it.
    pub(super) fn correction(&mut self, text: &str) {
        if self.setting.is_written() || self.setting.is_assistant() {
            return;
        }
        let Some(correction) = Correction::find(text, self.grammar, self.setting) else { return };
        let quote = correction.from..text.trim_end().len();
        let same_text = text.get(..correction.from).filter(|before| before.split_whitespace().count() > 2);
        let own = |turn: &&Turn| turn.authority == Authority::User && turn.speaker == self.setting.observation.speaker;
        let turns = self.setting.before.iter().rev().filter(own).take(REACH).map(|turn| turn.text.as_str());
        for said in same_text.into_iter().chain(turns) {
            let Some(put_right) = correction.applied(said, self.setting) else { continue };
            let before = self.made(said, &quote);
            let after = self.made(&put_right, &quote);
            let changed: Vec<Draft> = after
                .iter()
                .filter(|draft| {
                    !before.iter().any(|old| {
                        old.head == draft.head && old.relation == draft.relation && old.tail == draft.tail && values(old) == values(draft)
                    })
                })
                .map(|draft| {
                    // Of the same two with another time, what was said before is taken back as well; but not where there are several.
                    let same = |old: &&Draft| old.head == draft.head && old.relation == draft.relation;
                    let single = after.iter().filter(|other| same(other) && other.tail == draft.tail).count() == 1;
                    let old = before.iter().filter(same).find(|old| old.tail != draft.tail || single && values(old) != values(draft));
                    Draft { corrects: old.map(|old| old.tail.clone()), ..draft.clone() }
                })
                .collect();
            if changed.is_empty() {
                continue;
            }
            self.reading.drafts.retain(|draft| {
                draft.quote.end <= correction.from && !before.iter().any(|old| old.relation == draft.relation && old.tail == draft.tail)
            });
            self.reading.drafts.extend(changed);
            return;
        }
    }
}

/// The values of a draft's times.
fn values(draft: &Draft) -> Vec<crate::time::expr::Value> {
    draft.times.iter().map(|time| time.value).collect()
}

/// A reply that affirms or denies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    Yes,
    No,
    NoLonger,
    Other,
}

impl Reply {
    fn of(words: &[String]) -> Self {
        let has = |word: &str| words.iter().any(|known| known == word);
        // "No, I left in June": of what was asked about.
        let left = words.len() <= 7
            && matches!(words.first().map(String::as_str), Some("no" | "nope" | "nah" | "not"))
            && words.iter().any(|word| {
                matches!(word.as_str(), "left" | "quit" | "stopped" | "resigned" | "moved" | "cancelled" | "canceled" | "ended" | "retired")
            });
        let over = left || has("longer") || has("anymore") || has("any") && has("more") || has("not") && has("now") && words.len() <= 4;
        let first = words.first().map_or("", String::as_str);
        match first {
            _ if over => Self::NoLonger,
            "yes" | "yep" | "yeah" | "yup" | "sure" | "correct" | "right" | "exactly" | "indeed" | "still" | "absolutely"
            | "definitely" | "certainly" | "aye" => Self::Yes,
            "i" if words.len() <= 4
                && (has("do") || has("am") || has("did") || has("have") || has("was"))
                && !has("not")
                && !has("n't") =>
            {
                Self::Yes
            }
            "no" | "nope" | "nah" | "never" if words.len() <= 3 => Self::No,
            _ => Self::Other,
        }
    }
}

fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if !text.starts_with("I ") => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// A text whose first word is small where it is no name: "The harp".
fn lower_articles(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    if super::words::closed(&first.to_lowercase()).is_some() { lowered(text) } else { text.to_owned() }
}

/// The words of a stretch as the one who is asked would say them: "your" is "my".
fn turned(scene: &Scene<'_, '_>, from: usize, to: usize) -> String {
    let mut said = String::new();
    for at in from..to {
        let Some(token) = scene.line.tokens.get(at) else { continue };
        let word = match token.lower.as_ref() {
            "you" => "me",
            "your" => "my",
            "yours" => "mine",
            "yourself" => "myself",
            "me" => "you",
            "my" => "your",
            _ => token.text,
        };
        if !said.is_empty() && !(token.glued && !matches!(token.kind, Kind::Word)) && !token.lower.starts_with('\'') {
            said.push(' ');
        }
        said.push_str(word);
    }
    said
}

/// Who is asked about: "I" where that is "you".
fn asked_of(scene: &Scene<'_, '_>, clause: &Clause<'_>) -> Option<(String, bool)> {
    let np = clause.subjects.first().and_then(|subject| scene.np(*subject))?;
    let word = scene.line.lower(np.from);
    if np.pronoun && word == "you" {
        return Some(("I".to_owned(), true));
    }
    let said = turned(scene, np.from, np.to);
    let mut chars = said.chars();
    Some((chars.next()?.to_uppercase().chain(chars).collect(), false))
}

/// The verb of a question in the form that a statement has: "did you move" is "I moved".
fn verb_of(scene: &Scene<'_, '_>, clause: &Clause<'_>, first: bool) -> String {
    let group = &clause.group;
    let be = match (group.tense, first) {
        (Tense::Past, _) => "was",
        (_, true) => "am",
        (_, false) => "is",
    };
    if group.bare {
        return match group.lemma {
            "have" => if group.tense == Tense::Past {
                "had"
            } else if first {
                "have"
            } else {
                "has"
            }
            .to_owned(),
            _ => be.to_owned(),
        };
    }
    let word = scene.line.tokens.get(group.main).map_or("", |token| token.text);
    if group.perfect {
        return format!("{} {word}", if first { "have" } else { "has" });
    }
    match scene.line.verb(group.main) {
        Some((_, Form::Ing | Form::Participle)) => format!("{be} {word}"),
        Some((lemma, _)) if group.tense == Tense::Past => inflect(lemma).past,
        Some((lemma, _)) if !first => inflect(lemma).third,
        _ => word.to_owned(),
    }
}

fn yes_no_statement(scene: &Scene<'_, '_>, clause: &Clause<'_>, reply: Reply, tail: &str) -> Option<String> {
    let rest = turned(scene, clause.rest.0, clause.rest.1.max(clause.rest.0));
    let chooses = (clause.rest.0..scene.sentence.to).any(|at| scene.line.lower(at) == "or");
    let lead =
        clause.subjects.first().and_then(|subject| scene.np(*subject)).is_some_and(|np| np.pronoun && scene.line.lower(np.from) == "i");
    if chooses || lead {
        // "Should I use X or Y?" — "Y, please": what is chosen stands in place of both.
        let chosen = tail.split([',', '.', '!']).next().unwrap_or_default().trim().trim_start_matches("the ");
        let lower = rest.to_lowercase();
        let from = lower.find(&chosen.to_lowercase()).filter(|_| !chosen.is_empty())?;
        let before = rest.get(..from)?;
        let stem = before.rsplit_once(" or ").map_or(before, |(stem, _)| stem);
        // The first choice goes: what is left of it after the verb's own words.
        let stem = if before.contains(" or ") { stem.rsplit_once(' ').map_or("", |(stem, _)| stem) } else { stem };
        let verb = scene.line.tokens.get(clause.group.main).map_or("", |token| token.text);
        return if lead {
            Some(format!("Please {verb} {} {chosen}.", stem.trim()))
        } else {
            let (who, first) = asked_of(scene, clause)?;
            // "Would you like A or B?" asks what is preferred.
            let likes = clause.group.unreal && matches!(clause.group.lemma, "like" | "prefer" | "want" | "rather");
            let verb = if likes { "prefer".to_owned() } else { verb_of(scene, clause, first) };
            Some(format!("{who} {verb} {} {chosen}.", stem.trim()))
        };
    }
    let (who, first) = asked_of(scene, clause)?;
    let verb = verb_of(scene, clause, first);
    // "Are you allergic to anything?" — "Peanuts": what is said stands in the place of what is asked for.
    let open =
        (clause.rest.0..clause.rest.1).find(|at| matches!(scene.line.lower(*at), "any" | "anything" | "anyone" | "anybody" | "something"));
    let said = match reply {
        Reply::Yes => tail.split_once([',', ' ']).map_or("", |(_, more)| more.trim()),
        Reply::Other => tail,
        Reply::No | Reply::NoLonger => "",
    };
    let noun_like = said.split_whitespace().next().is_some_and(|word| {
        let lower = word.to_lowercase();
        matches!(super::words::closed(&lower), None | Some(Tag::Det | Tag::Poss)) || matches!(lower.as_str(), "one" | "two" | "three")
    });
    if let (Some(at), true, false) = (open, noun_like, said.is_empty()) {
        return Some(format!("{who} {verb} {} {said}.", turned(scene, clause.rest.0, at)));
    }
    // "Yes, since 2019": what follows the "yes" belongs to the statement, unless it is one itself.
    let more = tail.split_once([',', ' ']).map_or("", |(_, more)| more.trim());
    let more = if more
        .split_whitespace()
        .any(|word| matches!(word.to_lowercase().as_str(), "since" | "for" | "until" | "from" | "to" | "with" | "at" | "in"))
        && more.split_whitespace().count() < 6
    {
        more
    } else {
        ""
    };
    match reply {
        Reply::Yes => Some(format!("{who} {verb} {rest} {more}.")),
        Reply::NoLonger => {
            // "… in June": when it ended.
            let when = tail
                .split_once(" in ")
                .or_else(|| tail.split_once(" on "))
                .or_else(|| tail.split_once(" last "))
                .map_or("", |(_, when)| when);
            let when = if when.is_empty() || tail.contains(" last ") { String::new() } else { format!(" since {when}") };
            Some(
                format!("{who} no longer {verb} {rest}{when}.")
                    .replace("no longer am", "am no longer")
                    .replace("no longer is", "is no longer"),
            )
        }
        Reply::No if clause.group.bare => Some(format!("{who} {verb} not {rest}.")),
        Reply::No if clause.group.perfect => {
            Some(format!("{who} never {verb} {rest}.").replace("never have", "have never").replace("never has", "has never"))
        }
        // "Do you own a car?" — "No, I don't."
        Reply::No if clause.group.tense == Tense::Present && !clause.group.progressive && !clause.group.passive => {
            let word = scene.line.tokens.get(clause.group.main).map_or("", |token| token.text);
            Some(format!("{who} {} not {word} {rest}.", if first { "do" } else { "does" }))
        }
        Reply::No | Reply::Other => None,
    }
}

fn wh_statement(scene: &Scene<'_, '_>, clause: &Clause<'_>, wh: usize, answer: &str) -> Option<String> {
    let (who, first) = asked_of(scene, clause)?;
    let verb = verb_of(scene, clause, first);
    let rest = turned(scene, clause.rest.0, clause.rest.1.max(clause.rest.0));
    let word = scene.line.lower(wh);
    let answer = answer.trim();
    let plain = answer.split_once(", ").map_or(answer, |(before, after)| {
        if before.split_whitespace().count() == 1 && matches!(before.to_lowercase().as_str(), "oh" | "well" | "hm" | "um" | "sure" | "in") {
            after
        } else {
            answer
        }
    });
    let prepositional = plain.split_whitespace().next().is_some_and(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "in" | "at" | "on" | "near" | "from" | "with" | "by" | "since" | "for" | "as" | "outside" | "to"
        )
    });
    let stranded = (clause.rest.0..clause.rest.1).next_back().is_some_and(|at| matches!(scene.line.tag(at), Some(Tag::Prep)));
    let lemma = clause.group.lemma;
    Some(match word {
        "what" | "who" | "which" | "whom" | "how" if clause.group.bare && lemma == "be" && !stranded => {
            let old = scene.line.lower(wh + 1) == "old" || scene.line.lower(wh + 1) == "tall";
            if old && scene.line.lower(wh + 1) == "tall" {
                format!("{who} {verb} {plain} tall.")
            } else {
                format!("{who} {verb} {rest} {plain}.")
            }
        }
        "what" if lemma == "do" => format!(
            "{who} {} a {}.",
            if first { "am" } else { "is" },
            plain.trim_start_matches("a ").trim_start_matches("an ").trim_start_matches("I'm ")
        ),
        "where" | "when" if prepositional => format!("{who} {verb} {rest} {}.", lowered(plain)),
        "where" => {
            let preposition = match lemma {
                "work" | "study" | "teach" | "graduate" => "at",
                "bank" => "with",
                "move" | "go" | "travel" | "relocate" => "to",
                _ => "in",
            };
            if stranded { format!("{who} {verb} {rest} {plain}.") } else { format!("{who} {verb} {preposition} {plain} {rest}.") }
        }
        "when" => format!("{who} {verb} {rest} in {plain}."),
        _ if stranded => format!("{who} {verb} {rest} {plain}."),
        _ if scene.line.lower(wh + 1) == "long" => format!("{who} {verb} {rest} {}.", lowered(plain)),
        _ => format!("{who} {verb} {plain} {rest}."),
    })
}

/// Somebody takes a word back.
#[derive(Debug)]
struct Correction {
    /// Where it begins, in bytes.
    from: usize,
    /// What is right.
    new: String,
    /// What was wrong, where that was said.
    old: Option<String>,
    /// Only the spelling of a name was wrong.
    spelled: bool,
}

impl Correction {
    /// Words that announce one.
    const SIGNS: [&'static str; 33] = [
        "no, it was",
        "no, it's",
        "no, that was",
        "no, on",
        "it's spelled",
        "it's spelt",
        "it is spelled",
        "it is spelt",
        "spelled",
        "sorry",
        "i meant",
        "i mean",
        "correction",
        "typo",
        "actually",
        "scratch that",
        "make that",
        "my mistake",
        "my bad",
        "oops",
        "no wait",
        "wait no",
        "whoops",
        "i misspoke",
        "i was wrong",
        "that's wrong",
        "that was wrong",
        "not quite",
        "i should have said",
        "to correct",
        "let me correct",
        "i got that wrong",
        "apologies",
    ];

    fn find(text: &str, grammar: &Grammar, setting: &Setting<'_>) -> Option<Self> {
        let lower = text.to_lowercase();
        let mut apart = true;
        let starts = lower.char_indices().filter(|(_, c)| {
            let begins = apart && Self::SIGNS.iter().any(|sign| sign.starts_with(*c));
            apart = !c.is_alphanumeric();
            begins
        });
        // The first in the text; of those at one place the longest.
        let mut signs = starts.filter_map(|(at, _)| {
            let rest = lower.get(at..)?;
            let whole =
                |sign: &&&str| rest.strip_prefix(**sign).is_some_and(|after| !after.chars().next().is_some_and(char::is_alphanumeric));
            Some((at, *Self::SIGNS.iter().filter(whole).max_by_key(|sign| sign.len())?))
        });

        let contrast = contrasted(text);
        let (at, sign) = match (signs.next(), &contrast) {
            (Some(found), _) => found,
            (None, Some(_)) if !setting.before.is_empty() => (0, ""),
            (None, _) => return None,
        };
        if lower.len() != text.len() {
            return None;
        }
        let from = at;
        // "No, it was the 5th": of one's own words, not in answer to a question.
        let denies = sign.starts_with("no, ");
        if denies && (from > 0 || setting.before.last().is_none_or(|turn| turn.text.contains('?'))) {
            return None;
        }
        // "Actually" alone begins many things that correct nothing.
        if sign == "actually" && contrast.is_none() {
            return None;
        }
        if let Some((new, old)) = contrast {
            return Some(Self { from, new, old: Some(old), spelled: false });
        }
        let rest = text.get(at + sign.len()..)?;
        // "I meant Bo, sorry."
        let rest = rest.trim_end_matches(['.', '!', ' ']);
        let rest = [", sorry", " sorry", ", my mistake", ", oops"].iter().find_map(|end| rest.strip_suffix(end)).unwrap_or(rest);
        let rest = Self::SIGNS.iter().fold(rest, |rest, sign| {
            let trimmed = rest.trim_start_matches([' ', ',', ':', '-', '—', '–', '.', '!']);
            trimmed
                .get(..sign.len())
                .filter(|lead| lead.to_lowercase() == **sign)
                .map_or(trimmed, |_| trimmed.get(sign.len()..).unwrap_or_default())
        });
        let new = last_value(rest, grammar, setting)?;
        let spelled = sign.contains("spel");
        if spelled && !new.starts_with(char::is_uppercase) || denies && rest.split_whitespace().count() > 4 {
            return None;
        }
        Some(Self { from, new, old: None, spelled })
    }

    /// An earlier text with the right word in place of the wrong one.
    fn applied(&self, said: &str, setting: &Setting<'_>) -> Option<String> {
        let replace = |from: usize, to: usize| {
            let (before, after) = (said.get(..from)?, said.get(to..)?);
            Some(format!("{before}{}{after}", self.new))
        };
        if let Some(old) = &self.old {
            let lower = said.to_lowercase();
            let from = lower.find(&old.to_lowercase()).filter(|_| lower.len() == said.len())?;
            // "April 2021, not March" of "in March 2021": the year is not said twice.
            let to = from + old.len();
            let more = find(said, &setting.calendar)
                .into_iter()
                .find(|time| time.bytes.start <= from && to < time.bytes.end)
                .filter(|time| said.get(to..time.bytes.end).is_some_and(|rest| self.new.ends_with(rest)));
            return replace(from, more.map_or(to, |time| time.bytes.end));
        }
        // A time is taken back for a time, a number for a number, a name for the last name.
        let calendar = &setting.calendar;
        let times = find(said, calendar);
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
        if find(&self.new, calendar).iter().any(|time| time.bytes.len() * 2 > self.new.len()) {
            let time = times.last()?;
            // "Sorry, 5 May" of "3 May 1990": the year stands.
            let year = |text: &str| {
                text.rsplit([' ', ',']).next().filter(|last| last.len() == 4 && last.bytes().all(|b| b.is_ascii_digit())).map(str::len)
            };
            let old = said.get(time.bytes.clone())?;
            // "The 5th" of "3 May 2022": the month and the year stand.
            if let Some(day) = day_alone(&self.new)
                && let Some(place) = day_in(old)
            {
                return Some(format!(
                    "{}{}{day}{}{}",
                    said.get(..time.bytes.start)?,
                    old.get(..place.start)?,
                    old.get(place.end..)?,
                    said.get(time.bytes.end..)?
                ));
            }
            let kept = year(old).filter(|length| *length < old.len() && digits(&self.new) < 3 && self.new.contains(char::is_alphabetic));
            return match kept {
                Some(length) => Some(format!("{}{} {}", said.get(..time.bytes.start)?, self.new, said.get(time.bytes.end - length..)?)),
                None => replace(time.bytes.start, time.bytes.end),
            };
        }
        let tokens = tokenize(said, &[]);
        if digits(&self.new) * 2 > self.new.chars().count() {
            let is_number = |token: &&Token<'_>| digits(token.text) * 2 > token.text.chars().count();
            let last = tokens.iter().rposition(|token| is_number(&token))?;
            // "040 555 0127" is one number.
            let run = tokens.get(..=last)?.iter().rev().take_while(is_number).count();
            return replace(tokens.get(last + 1 - run)?.start, tokens.get(last)?.end);
        }
        if self.new.contains('@') {
            let token = tokens.iter().find(|token| token.text.contains('@'))?;
            return replace(token.start, token.end);
        }
        if self.spelled {
            return self.respelled(said, &tokens);
        }
        let capital = self.new.starts_with(char::is_uppercase);
        let mut named = tokens.iter().enumerate().rev().filter(|(at, token)| *at > 0 && token.is_capital() && !token.is("i") && capital);
        let (last, token) = named.next()?;
        let mut start = token.start;
        let mut place = last;
        while place > 1 && tokens.get(place - 1).is_some_and(|token| token.is_capital() && !token.is("i")) {
            place -= 1;
            start = tokens.get(place).map_or(start, |token| token.start);
        }
        replace(start, token.end)
    }

    /// An earlier text with a name spelled as it should be: that of its names which is most like it.
    fn respelled(&self, said: &str, tokens: &[Token<'_>]) -> Option<String> {
        let words = self.new.split_whitespace().count().max(1);
        let runs = tokens.windows(words).filter(|run| run.iter().all(|token| token.is_capital() && !token.is("i")));
        let spans = runs.filter_map(|run| Some((run.first()?.start, run.last()?.end)));
        let like = |(from, to): &(usize, usize)| said.get(*from..*to).map_or(0, |old| shared(old, &self.new));
        let (from, to) = spans.max_by_key(like)?;
        let old = said.get(from..to)?;
        let alike = old != self.new && shared(old, &self.new) * 2 >= old.chars().count().max(self.new.chars().count());
        alike.then(|| Some(format!("{}{}{}", said.get(..from)?, self.new, said.get(to..)?)))?
    }
}

/// How many letters two words share at their begin and at their end.
fn shared(one: &str, other: &str) -> usize {
    let begin = one.chars().zip(other.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let shorter = one.chars().count().min(other.chars().count());
    let end = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    (begin + end).min(shorter)
}

/// The number of "the 5th", where nothing else is said.
fn day_alone(new: &str) -> Option<&str> {
    let day = new.trim();
    let day = day.get(..4).filter(|lead| lead.eq_ignore_ascii_case("the ")).map_or(day, |_| day.get(4..).unwrap_or_default());
    let digits = day.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = day.get(digits.len()..).unwrap_or_default();
    let plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    (plain && matches!(ending, "st" | "nd" | "rd" | "th")).then_some(digits)
}

/// Where the day of the month stands in a date: its number of one or two figures, with its ending, beside a month in letters.
fn day_in(date: &str) -> Option<std::ops::Range<usize>> {
    let mut at = 0;
    for word in date.split_inclusive([' ', ',']) {
        let plain = word.trim_end_matches([' ', ',']);
        let digits = plain.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if (1..=2).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Some(at..at + plain.len());
        }
        at += word.len();
    }
    None
}

/// "Bo, not Al", "not Al but Bo": the right and the wrong one.
fn contrasted(text: &str) -> Option<(String, String)> {
    let end = |text: &str| text.trim().trim_end_matches(['.', '!', ',', ';']).trim().to_owned();
    let last = |text: &str| {
        // The value is what stands last before the "not": the words after "is", "was", "in", "at" and the like.
        let words: Vec<&str> = text.split_whitespace().collect();
        let breaks = |word: &&str| {
            matches!(
                word.to_lowercase().trim_matches(','),
                "is" | "was"
                    | "are"
                    | "in"
                    | "at"
                    | "on"
                    | "to"
                    | "from"
                    | "meant"
                    | "mean"
                    | "it's"
                    | "that's"
                    | "she's"
                    | "he's"
                    | "called"
                    | "named"
                    | "with"
                    | "for"
                    | "sorry"
                    | "actually"
                    | "since"
                    | "as"
                    | "by"
                    | "it’s"
            )
        };
        let from = words.iter().rposition(breaks).map_or(0, |at| at + 1);
        words.get(from..).map(|words| words.join(" ")).unwrap_or_default()
    };
    if let Some((before, after)) = text.split_once(", not ") {
        let wrong = end(after.split([',', '.', '!', ';', '?']).next().unwrap_or_default());
        let right = end(&last(before));
        let short = |text: &str| !text.is_empty() && text.split_whitespace().count() <= 5;
        return (short(&wrong) && short(&right) && wrong != right).then(|| (right, strip_same_lead(&wrong)));
    }
    let lower = text.to_lowercase();
    let at = lower.find("not ").filter(|at| *at == 0 || lower.as_bytes().get(at - 1) == Some(&b' '))?;
    let after = text.get(at + 4..)?;
    let (wrong, right) = after.split_once(" but ").or_else(|| after.split_once(", "))?;
    let (wrong, right) = (end(wrong), end(right));
    let short = |text: &str| !text.is_empty() && text.split_whitespace().count() <= 4;
    (short(&wrong) && short(&right)).then(|| (right, strip_same_lead(&wrong)))
}

/// The wrong one without the words that only repeat what leads the right one: "not in 2019".
fn strip_same_lead(wrong: &str) -> String {
    let lead =
        wrong.split_once(' ').filter(|(lead, _)| matches!(*lead, "in" | "at" | "on" | "to" | "from" | "the" | "a" | "an" | "with" | "for"));
    lead.map_or(wrong, |(_, rest)| rest).to_owned()
}

/// What a correction puts right: its time, its number, or the name or noun at its end.
fn last_value(rest: &str, grammar: &Grammar, setting: &Setting<'_>) -> Option<String> {
    let times = find(rest, &setting.calendar);
    if let Some(time) = times.last() {
        return rest.get(time.bytes.clone()).map(str::to_owned);
    }
    let parsed = Parsed::of(rest, grammar, setting);
    let sentence = parsed.sentences.first().copied()?;
    let nothing = Spoken::default();
    let scene = Scene::new(rest, parsed.line(sentence), sentence, grammar, setting, &nothing);
    let chunk = scene.chunks.iter().rev().find_map(|chunk| match chunk {
        Chunk::Np(np) if !np.pronoun => Some(np.clone()),
        _ => None,
    })?;
    let value = scene.slice(chunk.core, chunk.to);
    (!value.is_empty() && value.split_whitespace().count() <= 5).then(|| value.to_owned())
}
