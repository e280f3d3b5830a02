//! Answering a question that was read: the way from its names along facts, at the point of both times that it asks about.
//!
//! A question gives the words on both sides of a name. Nouns and verbs nearest to it mean what is nearest to it: "the spouse of the author
//! of X" is read from X outwards, and in "the country where X was born" what stands on both sides means one step. Of all ways to
//! take the words those for which there are facts are weighed, and the best one answers. Nothing is passed over that a noun says.
//! Owns the search and the answer. Knows no words and reads no clock.

mod path;
mod time;

use crate::graph::View;
use crate::model::{Fact, Term, TermRef};
use crate::retrieve::question::{Asks, Lexicon, NotRead, Question, Setting};
use crate::time::{AsOf, Certainty, Instant, Zone};
use path::{Found, Search};
use std::fmt;

/// At most so many values are given.
pub const MAX_ANSWERS: usize = 50;

/// A question to answer.
#[derive(Clone, Copy, Debug)]
pub struct Query<'q> {
    /// The question.
    pub text: &'q str,
    /// When it is asked: "now", "last year" are read from it.
    pub asked_at: Instant,
    /// In which zone its dates are read.
    pub zone: Zone,
    /// Who asks: whom "I" and "my" mean.
    pub asker: &'q str,
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Who or what is the answer; where a time, a length or a number is asked for, the other end of the fact that tells it.
    pub term: Term,
    /// The facts that lead to it, from the name outwards; the last one is the answer's own, with its valid interval.
    pub path: Vec<Fact>,
    /// Whether it surely holds at the time that is asked about; nothing of what is over, or held at another time.
    pub certainty: Option<Certainty>,
}

impl Answer {
    /// The fact that the answer stands in.
    #[must_use]
    pub fn fact(&self) -> Option<&Fact> {
        self.path.last()
    }

    /// Whether another value cannot hold beside it, and both are said.
    #[must_use]
    pub fn is_contested(&self) -> bool {
        self.path.iter().any(|fact| fact.status.contested)
    }
}

/// What a question comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is answered.
    Answered(Answers),
    /// It was read, and nothing is known; says what was looked for.
    NothingKnown(Vec<String>),
    /// It was not read; says why.
    NotUnderstood(NotRead),
}

/// The answers to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// What was asked for.
    pub asks: Asks,
    /// Certain before possible, what holds before what is over, then the latest start first; in order of time where an order was asked for.
    pub answers: Vec<Answer>,
    /// The point of both times that was read.
    pub as_of: AsOf,
    /// Of how many, where it was asked how many there are.
    pub count: Option<u64>,
    /// How long, where it was asked how long something lasted, for sure and at most; nothing where no bound is known.
    pub lasted: Option<(i64, Option<i64>)>,
    /// Whether it is asked of the past.
    pub is_past: bool,
    /// Whether the values are dates themselves: a birthday.
    pub is_dated: bool,
    /// How the question was read, a line for each step.
    pub read_as: Vec<String>,
}

impl Answers {
    /// What is answered, a text for each answer: who or what it is, or when, how long (whole days), how many, and whether. Dates are those
    /// of the zone.
    #[must_use]
    pub fn said(&self, zone: &Zone) -> Vec<String> {
        let facts = || self.answers.iter().filter_map(Answer::fact);
        match self.asks {
            // A date that is a value is said as it was told; else when the fact began.
            Asks::When if self.is_dated => self.answers.iter().map(|answer| answer.term.to_string()).collect(),
            Asks::When => facts().map(|fact| fact.start.describe_in(zone)).collect(),
            Asks::WhenEnded => facts().map(|fact| fact.end.describe_in(zone)).collect(),
            Asks::HowLong => self.lasted.map(days).into_iter().collect(),
            Asks::HowMany => self.count.map(|count| count.to_string()).into_iter().collect(),
            Asks::Whether => {
                let holds = self.answers.iter().filter_map(|answer| answer.certainty).max();
                vec![match holds {
                    Some(Certainty::Certain) => "yes",
                    Some(Certainty::Possible) => "possibly",
                    None if self.is_past => "yes",
                    None => "not then",
                }]
                .into_iter()
                .map(str::to_owned)
                .collect()
            }
            Asks::Value => self.answers.iter().map(|answer| answer.term.to_string()).collect(),
        }
    }
}

/// A length of time in whole days, and its bounds where they differ.
fn days((least, most): (i64, Option<i64>)) -> String {
    const DAY: i64 = 86_400_000_000;
    match most.map(|most| most / DAY) {
        Some(most) if most == least / DAY => format!("{most} days"),
        Some(most) => format!("{} to {most} days", least / DAY),
        None => format!("at least {} days", least / DAY),
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(answers) => f.write_str(&answers.said(&Zone::UTC).join("; ")),
            Self::NothingKnown(_) => f.write_str("nothing known"),
            Self::NotUnderstood(why) => write!(f, "not understood: {why}"),
        }
    }
}

/// Answers a question from a view: the view's valid time is that of questions that name none.
///
/// # Complexity
/// The words of a question are few and the steps of the search bounded; each step reads the facts of one relation of one entity.
#[must_use]
pub fn ask(view: &View, lexicon: &Lexicon, query: &Query<'_>) -> Outcome {
    let known = |name: &str| view.term_id(TermRef::Name(name)).is_some();
    let setting = Setting { asked_at: query.asked_at, zone: query.zone, asker: query.asker, is_known: &known };
    let questions = match Question::read(query.text, lexicon, &setting) {
        Ok(questions) => questions,
        Err(why) => return Outcome::NotUnderstood(why),
    };
    let mut best: Option<(i32, Found, &Question, View)> = None;
    let mut looked = Vec::new();
    for question in &questions {
        let valid_at = question.time.as_ref().map_or(view.as_of().valid_at, |time| time.moment);
        let then = view.snapshot().at(AsOf { valid_at, known_at: view.as_of().known_at });
        let search = Search::new(&then, lexicon, question);
        match search.run() {
            Ok(found) if best.as_ref().is_none_or(|(score, ..)| *score < found.score) => {
                best = Some((found.score, found, question, then));
            }
            Ok(_) => {}
            Err(tried) => looked.extend(tried),
        }
    }
    let Some((_, found, question, then)) = best else {
        return match questions.first() {
            Some(question) if looked.is_empty() => Outcome::NotUnderstood(NotRead::NoRelation(question.unread.clone())),
            _ => {
                looked.dedup();
                Outcome::NothingKnown(looked)
            }
        };
    };
    match time::settle(&then, lexicon, question, found, query) {
        Ok(answers) => Outcome::Answered(answers),
        Err(looked) => Outcome::NothingKnown(looked),
    }
}
