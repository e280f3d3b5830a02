//! The phrasings that the rules know, as data: which words say which relation, and who stands where.
//!
//! What reads questions goes by the same words as what reads statements. Owns their form in common; knows no text and no question.

use super::Rules;

/// One of the two ends of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The head.
    Head,
    /// The tail.
    Tail,
}

impl Side {
    /// The other end.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Head => Self::Tail,
            Self::Tail => Self::Head,
        }
    }
}

/// What a phrasing says of its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It holds, or took place.
    Holds,
    /// It begins.
    Begins,
    /// It ends.
    Ends,
}

/// One element of a phrasing, in the order of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// One of some words, in their base form.
    Words(Vec<String>),
    /// Something that is named there: one of the two ends, or a third thing.
    Slot,
}

/// A way of saying a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// With a noun: "the author of X is Y", "X is the author of Y".
    Noun {
        /// The relation.
        relation: String,
        /// The noun in lower case.
        noun: String,
        /// The end that the noun is a word for; whose it is, is the other one.
        names: Side,
    },
    /// With a verb, or another predicate.
    Verb {
        /// The relation.
        relation: String,
        /// The verb in its base form and what follows it; a passive's is the verb, without "be".
        elements: Vec<Element>,
        /// Whether it is the passive that is meant.
        passive: bool,
        /// The end that its subject is; nothing where that is neither.
        subject: Option<Side>,
        /// What it says of the relation.
        effect: Effect,
    },
    /// With a predicate and particles, as Japanese has it: 「XがYに住む」.
    Frame {
        /// The relation.
        relation: String,
        /// What all forms of the predicate begin with.
        stem: String,
        /// Words that stand before it: 「興味」 of 「興味がある」.
        literals: Vec<String>,
        /// The particles that mark the head; none where it is the subject.
        head: Vec<&'static str>,
        /// The particles that mark the tail.
        tail: Vec<&'static str>,
        /// What it says of the relation.
        effect: Effect,
    },
}

impl Rules {
    /// All phrasings of English, shipped and the tenant's, in the order of the packs.
    #[must_use]
    pub fn english_phrases(&self) -> Vec<Phrase> {
        self.english.phrases()
    }

    /// All phrasings of Japanese, shipped and the tenant's: nouns in the order of their text, then frames in that of theirs.
    #[must_use]
    pub fn japanese_phrases(&self) -> Vec<Phrase> {
        self.japanese.phrases()
    }

    /// The verbs in their base form that an English word in lower case may be a form of, and whether it may be their participle.
    #[must_use]
    pub fn english_verbs(&self, lower: &str) -> Vec<(&str, bool)> {
        self.english.bases(lower)
    }
}
