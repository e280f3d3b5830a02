//! Rows on their way in, some at a time: so that the memory they are looked up in is fetched for many of them at once.
//!
//! Owns the queue. What becomes of a row is `writer`'s to do, in the order in which rows came.

use super::index::hash_of;
use crate::ledger::Retractable;
use crate::model::{Authority, ClaimId, ObservationId, Polarity, TermRef};
use crate::resolve::identity;
use crate::time::{Instant, Span};
use std::ops::Range;

/// So many rows are taken in together: enough to hide the wait for memory, few enough to stay in the first-level cache.
const TOGETHER: usize = 128;

/// A term that is mentioned: its identity, and its surface if it is a name.
#[derive(Clone, Debug)]
pub(super) struct Mentioned {
    pub(super) hash: u32,
    identity: Range<usize>,
    surface: Option<Range<usize>>,
}

/// A claim that waits. Terms are places in the mentions.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) tx: Instant,
    pub(super) id: ClaimId,
    pub(super) head: usize,
    pub(super) tail: usize,
    pub(super) corrected: Option<usize>,
    /// The relation as stated, by number.
    pub(super) stated: u32,
    /// The named graph, by number.
    pub(super) context: u32,
    pub(super) polarity: Polarity,
    pub(super) span: Span,
    pub(super) seen_at: Option<Instant>,
    pub(super) confidence: f64,
    pub(super) importance: f64,
    pub(super) corrects: Option<ClaimId>,
}

/// A row that waits.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Observation {
        tx: Instant,
        id: ObservationId,
        observed_at: Instant,
        authority: Authority,
    },
    /// By its place among the claims that wait.
    Claim(usize),
    Belief {
        tx: Instant,
        target: Retractable,
        believed: bool,
    },
    /// A merge or its end; terms are places in the mentions.
    Merge {
        tx: Instant,
        from: usize,
        into: usize,
        merged: bool,
    },
}

/// The queue.
#[derive(Debug, Default)]
pub(super) struct Intake {
    pub(super) entries: Vec<Entry>,
    pub(super) claims: Vec<Waiting>,
    pub(super) mentions: Vec<Mentioned>,
    text: String,
    /// Scratch space for identities.
    key: String,
}

impl Intake {
    /// Whether it is time to take in what waits.
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() >= TOGETHER
    }

    /// Notes a mention; returns its place.
    pub(super) fn mention(&mut self, term: TermRef<'_>) -> usize {
        identity(term, &mut self.key);
        let hash = hash_of(self.key.as_str());
        let identity = self.keep(None);
        let surface = match term {
            TermRef::Name(name) => Some(self.keep(Some(name))),
            TermRef::Iri(_) | TermRef::Blank(_) | TermRef::Literal { .. } => None,
        };
        self.mentions.push(Mentioned { hash, identity, surface });
        self.mentions.len() - 1
    }

    /// Keeps a text, or the identity in the scratch space.
    fn keep(&mut self, text: Option<&str>) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text.unwrap_or(&self.key));
        start..self.text.len()
    }

    /// The identity of a mention.
    pub(super) fn identity(&self, mentioned: &Mentioned) -> &str {
        self.text.get(mentioned.identity.clone()).unwrap_or_default()
    }

    /// The surface of a mention; `None` unless it is a name.
    pub(super) fn surface(&self, mentioned: &Mentioned) -> Option<&str> {
        mentioned.surface.clone().and_then(|surface| self.text.get(surface))
    }

    /// Whether the mention at a place is a literal.
    pub(super) fn is_literal(&self, at: usize) -> bool {
        self.mentions.get(at).is_some_and(|mentioned| self.identity(mentioned).starts_with('l'))
    }

    /// Makes it empty.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.claims.clear();
        self.mentions.clear();
        self.text.clear();
    }
}
