//! What a language's grammar hands on: drafts of claims before their time is worked out, and refusals with their reason.
//! Knows no language and no calendar.

use crate::extract::{RejectionKind, Turn, Which, author};
use crate::model::{Authority, Observation, Polarity};
use crate::time::expr::TimeMention;
use std::ops::Range;

/// How the tense and the aspect of a clause, or the word itself, place a draft in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It is so while it is said: "I live in Oslo", "I have lived in Oslo since 2019".
    Now,
    /// It was so at a time that is past: "I lived in Oslo".
    Past,
    /// It was so and is no longer: "I used to live in Oslo", "my ex-husband".
    UsedTo,
    /// It began at the time said and goes on: "I moved to Oslo", "I was hired by them".
    Began,
    /// It ended at the time said: "I left them", "I no longer live there".
    Over,
    /// It took place and is done: "I visited Oslo".
    Happened,
    /// It is announced: "I start there on 8 January", "we meet on Friday".
    Ahead,
    /// It was so already at the time said, or has never been up to now: "I already lived there in 2017".
    SoFar,
}

/// One claim as a clause says it. Its places are bytes of the observation's text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    /// The head, as it is to be recorded.
    pub(super) head: String,
    /// The relation's name.
    pub(super) relation: String,
    /// The tail, as it is to be recorded.
    pub(super) tail: String,
    /// Whether it is affirmed, ended or denied. [`Polarity::Ends`] goes with [`Phase::Over`].
    pub(super) polarity: Polarity,
    /// Its place in time but for the times themselves.
    pub(super) phase: Phase,
    /// The times that the clause is bound to.
    pub(super) times: Vec<TimeMention>,
    /// Where it is said.
    pub(super) quote: Range<usize>,
    /// The pattern that fired: language, relation and number, `en/lives_in/2`.
    pub(super) pattern: String,
    /// 0 to 1.
    pub(super) confidence: f64,
    /// The tail that it takes the place of, where somebody took a word back.
    pub(super) corrects: Option<String>,
}

/// An end that does not say of what; its draft's tail is the words that stand for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenDraft {
    /// The end.
    pub(super) draft: Draft,
    /// Which of the values that are believed it ends.
    pub(super) which: Which,
    /// Relations that end with it where the same value is believed of them.
    pub(super) beside: Vec<String>,
}

/// A clause that makes no claim, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Why, to be counted.
    pub(super) kind: RejectionKind,
    /// Where it stands.
    pub(super) quote: Range<usize>,
    /// What spoke against it.
    pub(super) reason: String,
}

/// A word with what the grammar took it for; only for explanations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tagged {
    /// Where it stands.
    pub(super) bytes: Range<usize>,
    /// What it was taken for.
    pub(super) tag: String,
}

/// What a language reads in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// The claims, in the order they are said.
    pub(super) drafts: Vec<Draft>,
    /// The ends that do not say of what, in the order they are said.
    pub(super) open: Vec<OpenDraft>,
    /// The clauses that claim nothing though a pattern or a sign of one was there.
    pub(super) refused: Vec<Refusal>,
    /// The words, if [`Setting::traced`].
    pub(super) tagged: Vec<Tagged>,
}

/// What a grammar knows beside the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    /// The observation that is read.
    pub(super) observation: &'a Observation,
    /// The turns before it, oldest first.
    pub(super) before: &'a [Turn],
    /// Every time that the text names, in order.
    pub(super) times: &'a [TimeMention],
    /// How times are to be read in other texts of the same moment (a turn before it).
    pub(super) calendar: crate::time::expr::Context,
    /// Whether somebody wants to see the words.
    pub(super) traced: bool,
}

impl<'a> Setting<'a> {
    /// Who "I" is.
    pub(super) fn author(&self) -> Option<&'a str> {
        author(self.observation)
    }

    /// Who "you" is to an assistant: the person who spoke last before it.
    pub(super) fn addressee(&self) -> Option<&'a str> {
        let person = |turn: &&Turn| turn.authority == Authority::User && turn.speaker.is_some();
        self.before.iter().rev().find(person).and_then(|turn| turn.speaker.as_deref())
    }

    /// Whether the assistant speaks.
    pub(super) fn is_assistant(&self) -> bool {
        self.observation.source.authority == Authority::Assistant
    }

    /// Whether it is written matter: nobody in it is the speaker.
    pub(super) fn is_written(&self) -> bool {
        matches!(self.observation.source.authority, Authority::Document | Authority::Tool | Authority::Curated)
    }
}
