//! Claims: recorded assertions, immutable. Knows nothing of which of them win.

use super::{ClaimId, Term};
use crate::time::{Instant, Span};

/// The extractor of claims that came in ready with their observation.
pub const READY: &str = "ready";

/// What a claim says of its head, relation and tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// It holds over the span.
    Holds,
    /// It ended at the span's end; the start is `Unknown`.
    Ends,
    /// It does not hold anywhere in the span (a denial).
    Never,
}

/// What a claim corrects: the corrected claims' transaction time ends where this one's begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// One claim, by id.
    Claim(ClaimId),
    /// The claims with this claim's head, relation and context and this tail, observed no later and of no higher authority.
    Tail(Term),
}

/// Where in the observation's text the claim is said: characters (not bytes), `[from, to)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quote {
    /// First character.
    pub from: u32,
    /// One past the last character.
    pub to: u32,
}

/// One assertion of an observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Head: a name, an IRI or a blank node.
    pub head: Term,
    /// The relation's name as stated (an alias or an inverse is stored as stated and made canonical on reading).
    pub relation: String,
    /// Tail: any term.
    pub tail: Term,
    /// Whether it holds, ends or never held.
    pub polarity: Polarity,
    /// When, in valid time. An `Ends` claim has an `Unknown` start; its end is the moment it ended.
    pub span: Span,
    /// The last instant of valid time at which the claim itself asserts truth.
    pub seen_at: Option<Instant>,
    /// 0 to 1.
    pub confidence: f64,
    /// 0 to 1.
    pub importance: f64,
    /// The named graph, an IRI; slots do not cross contexts.
    pub context: Option<String>,
    /// What it corrects.
    pub corrects: Option<Correction>,
    /// Where the observation says so.
    pub quote: Option<Quote>,
    /// Which extractor read it; [`READY`] for claims that came in with their observation.
    pub extractor: String,
}
