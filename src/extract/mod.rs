//! From an observation to candidate claims: the [`Extractor`] trait, the extractor of ready claims and the one that goes by rules.
//!
//! Knows no store: it proposes, and never decides what is believed.

pub mod llm;
mod ready;
pub mod rules;
mod unavailable;
mod visible;

pub use ready::ReadyClaims;
pub(crate) use ready::fault as claim_fault;
pub use rules::Rules;
pub use unavailable::Unavailable;
pub(crate) use visible::visible;

use crate::model::{Authority, Claim, Observation, RelationPolicy};
use crate::observe::Incoming;
use std::fmt;

/// Why a candidate was not taken, as something that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RejectionKind {
    /// A claim that no claim can be: a bad term, an impossible span.
    Malformed,
    /// It was asked, not said.
    Question,
    /// It was supposed, possible, or nearly so.
    Hypothetical,
    /// It was wished for.
    Wish,
    /// It was said in jest.
    Joke,
    /// Somebody else's words, or a text that was to be worked on.
    Quoted,
    /// The assistant repeated what was known.
    Echo,
    /// A text tried to give orders to the memory or to whoever reads it.
    Instruction,
    /// Something was asked for, once.
    Request,
    /// A pronoun or a name that stands for nobody who is known here.
    Unresolved,
    /// A value that the relation cannot have: a person where a place is wanted.
    Unfit,
    /// A model said it, and the observation does not.
    Ungrounded,
    /// It greets, thanks or takes leave.
    Greeting,
    /// Nothing in it is read as a claim.
    Unread,
}

impl RejectionKind {
    /// Every kind, in the order of their names' declaration.
    pub const ALL: [Self; 14] = [
        Self::Malformed,
        Self::Question,
        Self::Hypothetical,
        Self::Wish,
        Self::Joke,
        Self::Quoted,
        Self::Echo,
        Self::Instruction,
        Self::Request,
        Self::Unresolved,
        Self::Unfit,
        Self::Ungrounded,
        Self::Greeting,
        Self::Unread,
    ];

    /// The name under which it is counted; it does not change from version to version.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Question => "question",
            Self::Hypothetical => "hypothetical",
            Self::Wish => "wish",
            Self::Joke => "joke",
            Self::Quoted => "quoted",
            Self::Echo => "echo",
            Self::Instruction => "instruction",
            Self::Request => "request",
            Self::Unresolved => "unresolved",
            Self::Unfit => "unfit",
            Self::Ungrounded => "ungrounded",
            Self::Greeting => "greeting",
            Self::Unread => "unread",
        }
    }
}

impl fmt::Display for RejectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A candidate that was not taken, and why. A value, not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedCandidate {
    /// Its place among the observation's candidates, from 0.
    pub ordinal: u32,
    /// The field to blame, if one is.
    pub field: Option<String>,
    /// Why, as something to count.
    pub kind: RejectionKind,
    /// Why, naming the value.
    pub reason: String,
}

/// What an extractor made of one observation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extraction {
    /// The claims, in the order they are said.
    pub claims: Vec<Claim>,
    /// The ends whose value is not said, in the order they are said.
    pub open: Vec<OpenEnd>,
    /// What was left out.
    pub rejected: Vec<RejectedCandidate>,
    /// Why it could not be read, if it could not: nothing else is in it then, and it may be tried again.
    pub failure: Option<String>,
    /// What reading it cost; of observations that were read together, the first one has the cost of all.
    pub cost: Cost,
}

/// An end that does not say of what: "I quit my job", "my dog died", "the dentist's appointment is off".
///
/// An extractor knows nothing of what is believed: whoever does makes a claim of it for each value that ends, or refuses it where there
/// is none.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenEnd {
    /// The end, or the denial of what was to come, with the words that stand in the place of its value as tail.
    pub claim: Claim,
    /// Which of the values that are believed it ends.
    pub which: Which,
    /// Relations that end with it where the same value is believed of them.
    pub beside: Vec<String>,
}

/// Which of the values that are believed of a head and a relation end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The only one; of several nobody knows which.
    Only,
    /// All of them: "I'm out of work".
    All,
    /// The one that goes by the words said, by its name or by its sort.
    Named,
    /// The one of the sort said; where there is a single one, and nobody knows its sort, that one: "my dog died".
    OfSort,
    /// The value said, of whoever has it; the head says nothing: "Rex died".
    OfWhom,
}

/// What it cost to ask a model. Rules cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Requests that were answered or failed; a retry is one more.
    pub calls: u64,
    /// Tokens that were asked with, as the endpoint counts them.
    pub prompt_tokens: u64,
    /// Tokens of the answers.
    pub completion_tokens: u64,
    /// Microseconds of waiting.
    pub micros: u64,
}

impl Cost {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            prompt_tokens: self.prompt_tokens + other.prompt_tokens,
            completion_tokens: self.completion_tokens + other.completion_tokens,
            micros: self.micros + other.micros,
        }
    }
}

/// A turn that came before an observation in its session. Only resolves pronouns and short answers; it makes no claims.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Who spoke.
    pub speaker: Option<String>,
    /// The rank of who spoke: tells the person from the assistant.
    pub authority: Authority,
    /// What was said, verbatim.
    pub text: String,
}

/// Who "I" is in an observation: its speaker, or `user` in what a user says without one; nobody in what an assistant says, and in a
/// document or a tool's result without a speaker.
#[must_use]
pub fn author(observation: &Observation) -> Option<&str> {
    let Observation { speaker, source, .. } = observation;
    match source.authority {
        Authority::Document | Authority::Tool | Authority::Curated => speaker.as_deref(),
        Authority::User => Some(speaker.as_deref().unwrap_or("user")),
        Authority::Assistant | Authority::Inference => None,
    }
}

/// What is known of relations by whoever calls an extractor.
pub trait Relations: fmt::Debug + Sync {
    /// The policy in force of a relation, by its canonical name; `None` for one that nobody declared.
    fn policy(&self, relation: &str) -> Option<&RelationPolicy>;
    /// The names of those that are declared, in order.
    fn names(&self) -> Vec<&str>;
    /// The name of the declared relation that these words are one of; `None` if they are of none.
    fn canonical_name(&self, words: &str) -> Option<String>;
}

/// What an extractor may know beside the observation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The turns before it in its session, oldest first.
    pub before: &'a [Turn],
    /// The relations there are; without them every relation is a state.
    pub relations: Option<&'a dyn Relations>,
}

/// Turns an observation into claims.
pub trait Extractor: Send + Sync {
    /// The name recorded as each claim's extractor.
    fn name(&self) -> &'static str;
    /// Reads one observation. Deterministic: the same input and context give the same claims.
    fn extract(&self, incoming: &Incoming, context: &Context<'_>) -> Extraction;
    /// Reads one observation and gives it back, so that what is passed on need not be copied.
    fn extract_from(&self, incoming: Incoming, context: &Context<'_>) -> (Observation, Extraction) {
        let extraction = self.extract(&incoming, context);
        (incoming.observation, extraction)
    }
    /// How it reads one observation, for people who want to know why; `None` of an extractor that cannot tell.
    fn explain(&self, _incoming: &Incoming, _context: &Context<'_>) -> Option<rules::Explanation> {
        None
    }
    /// Reads several observations, in their order, each with its own context; an extractor that asks somebody may ask once for several.
    fn extract_all(&self, jobs: &[(&Incoming, Context<'_>)]) -> Vec<Extraction> {
        jobs.iter().map(|(incoming, context)| self.extract(incoming, context)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_rejection_has_a_name_of_its_own() {
        let mut names: Vec<&str> = RejectionKind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RejectionKind::ALL.len());
        assert_eq!(RejectionKind::Echo.to_string(), "echo");
    }
}
