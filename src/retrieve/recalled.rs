//! What recall returns: hits with their explanations, what was left out and why, and how the question was read.
//!
//! Owns the shapes. Computes nothing.

use crate::graph::Held;
use crate::model::{FactId, Observation, ObservationId, Term};
use crate::time::{AsOf, Instant, Moment};

/// One way of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arm {
    /// The question's words in what was said, with the turns around it.
    Words,
    /// The question's words in the sentence of a fact.
    FactWords,
    /// Weight spread from the seeds over facts that hold.
    Graph,
    /// The time that the question names.
    Time,
    /// An id, a URL or the like, in full.
    Literal,
    /// Nearness of vectors.
    Vectors,
}

impl Arm {
    /// Its name as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::FactWords => "fact-words",
            Self::Graph => "graph",
            Self::Time => "time",
            Self::Literal => "literal",
            Self::Vectors => "vectors",
        }
    }
}

/// An entity of the question from which the graph is walked.
#[derive(Clone, Debug, PartialEq)]
pub struct Seed {
    /// The words of the question that name it.
    pub surface: String,
    /// The entity as displayed.
    pub entity: Term,
    /// Whether the words are its whole name.
    pub is_whole: bool,
}

/// A time that the question names.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The words of the question.
    pub surface: String,
    /// From when on (valid time); `None` without a beginning.
    pub from: Option<Instant>,
    /// Until when, not including it; `None` without an end.
    pub until: Option<Instant>,
    /// The moment at which facts are read for it, where it is one.
    pub moment: Option<Moment>,
}

/// How the question was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The words that are looked for.
    pub words: Vec<String>,
    /// Entities that it names.
    pub seeds: Vec<Seed>,
    /// Names of speakers in it, which are not looked for as words.
    pub speakers: Vec<String>,
    /// Times that it names.
    pub windows: Vec<Window>,
    /// Whether it asks what was, so that what has ended is no noise.
    pub is_past: bool,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// An observation, verbatim.
    Observation(Box<Observation>),
    /// A fact, with whether it surely holds at the reading position.
    Fact(Box<Held>),
}

/// What each part of a score came to, weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// Of relevance.
    pub relevance: f64,
    /// Of importance.
    pub importance: f64,
    /// Of recency.
    pub recency: f64,
    /// Of the source's rank.
    pub credibility: f64,
}

impl Parts {
    /// The score.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.relevance + self.importance + self.recency + self.credibility
    }
}

/// One step from a seed over a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The fact.
    pub fact: FactId,
    /// The fact in words: "Ana employer Acme".
    pub words: String,
}

/// Something to say about a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noted {
    /// The fact is contested; its rivals follow or stand before it.
    Contested,
    /// The fact no longer holds, or not yet, at the reading position.
    Ended,
    /// What the observation states of a slot has been superseded.
    Superseded,
    /// It stands above an older observation on the same subject.
    NewerThan(ObservationId),
    /// It was said, or held, within a time that the question names.
    InTime(String),
    /// So many near-copies of it were folded into it.
    Copies(usize),
}

/// A hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// What was found.
    pub item: Item,
    /// The score that it is ordered by, before what [`Noted`] says moved it.
    pub score: f64,
    /// The score's parts.
    pub parts: Parts,
    /// Each arm that found it: its rank from 1, and its raw score.
    pub arms: Vec<(Arm, usize, f64)>,
    /// How it hangs together with a seed; empty where no walk led to it.
    pub path: Vec<Step>,
    /// What is to be said about it.
    pub notes: Vec<Noted>,
    /// About how many tokens it takes in a prompt.
    pub tokens: usize,
}

/// What the budget cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The observation, or the observation of the fact's first claim.
    pub observation: ObservationId,
    /// The fact, if it is one.
    pub fact: Option<FactId>,
    /// Its score.
    pub score: f64,
    /// About how many tokens it would have taken.
    pub tokens: usize,
}

/// Why something, or nothing, is handed out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis {
    /// How well the best of what was found answers to the question, from 0 to 1.
    pub evidence: f64,
    /// Below this nothing is handed out.
    pub floor: f64,
}

impl Basis {
    /// Whether what was found is worth handing out.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.evidence >= self.floor
    }
}

/// What recall found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// Where it was read.
    pub as_of: AsOf,
    /// How the question was read.
    pub reading: Reading,
    /// The hits, the best first, within limit and budget; empty where nothing is known.
    pub hits: Vec<Hit>,
    /// How much was found and left out because it no longer holds: facts, and observations that state nothing else.
    pub suppressed: u64,
    /// What the budget cut, the best first.
    pub cut: Vec<Cut>,
    /// Why there are hits, or none.
    pub basis: Basis,
}

impl Recalled {
    /// Whether there is nothing to hand out.
    #[must_use]
    pub fn knows_nothing(&self) -> bool {
        self.hits.is_empty()
    }
}
