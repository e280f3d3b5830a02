//! From an observation to candidate claims: the [`Extractor`] trait, the extractor of ready claims and the one that goes by rules.
//!
//! Knows no store: it proposes, and never decides what is believed.

mod ready;
pub mod rules;

pub use ready::ReadyClaims;
pub use rules::Rules;

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
}

impl RejectionKind {
    /// Every kind, in the order of their names' declaration.
    pub const ALL: [Self; 11] = [
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
    /// What was left out.
    pub rejected: Vec<RejectedCandidate>,
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

/// What is known of relations by whoever calls an extractor.
pub trait Relations: fmt::Debug + Sync {
    /// The policy in force of a relation, by its canonical name; `None` for one that nobody declared.
    fn policy(&self, relation: &str) -> Option<&RelationPolicy>;
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
