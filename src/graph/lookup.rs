//! Reads by number for rooms that index views in their own way: terms as they are kept, facts by number, how many there may be.
//!
//! Owns nothing; hands out what the snapshot holds without deriving it. Knows no query language.

use super::petgraph::Terms;
use super::view::{Edge, RelationId, TermId, View};
use crate::model::{FactId, ObservationId, TermRef};
use crate::time::Instant;

impl View {
    /// All terms by number, those that are merged into others and those without facts included.
    #[must_use]
    pub fn terms(&self) -> Terms {
        Terms::below(self.state.published.terms)
    }

    /// How many numbers relations have; some may be of wordings that are no canonical relation.
    #[must_use]
    pub fn relation_count(&self) -> u32 {
        self.state.published.relations
    }

    /// The term as displayed, borrowed; `None` of a forgotten or unknown number.
    #[must_use]
    pub fn shown(&self, id: TermId) -> Option<TermRef<'_>> {
        self.state.terms.shown(id.0).filter(|_| id.0 < self.state.published.terms)
    }

    /// The identity of a term, as [`identity`](crate::resolve::identity) writes it: it does not change when another spelling becomes
    /// the most frequent one. `None` of a forgotten or unknown number.
    #[must_use]
    pub fn identity(&self, id: TermId) -> Option<&str> {
        let key = Some(self.state.terms.identity(id.0)).filter(|key| !key.is_empty() && id.0 < self.state.published.terms)?;
        std::str::from_utf8(key).ok()
    }

    /// How many facts a term has as head or tail that are believed now, over all valid times and graphs: an upper bound of what
    /// [`View::edges`] gives at the latest `known_at`. A fact whose head is its tail counts twice.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn degree(&self, id: TermId) -> usize {
        self.state.facts.of(id.0).len()
    }

    /// Whether head and tail of a relation's facts may be swapped.
    #[must_use]
    pub fn goes_both_ways(&self, relation: RelationId) -> bool {
        self.state.relations.standing(relation.0).is_some_and(|standing| standing.symmetric)
    }

    /// The id of the fact of this number; `None` of a number that no claim has, or of an erased one.
    #[must_use]
    pub fn fact_name(&self, fact: u32) -> Option<FactId> {
        self.state.claims.id(fact).map(FactId)
    }

    /// The number of the claim that names a fact; `None` if it is not recorded.
    #[must_use]
    pub fn fact_number(&self, id: FactId) -> Option<u32> {
        self.state.claims.find(id.0).filter(|claim| *claim < self.state.published.claims)
    }

    /// The fact of this number as an edge of its head, if it holds at the as-of in the graph that is read.
    #[must_use]
    pub fn edge_of(&self, fact: u32) -> Option<(TermId, Edge)> {
        let known = self.known_fact(fact)?;
        let (row, ..) = self.state.claim(fact)?;
        Some((TermId(row.head), self.edge(known.record, known.certainty?)))
    }

    /// When an observation was made (valid time); `None` if it is not recorded.
    #[must_use]
    pub fn observed_at(&self, id: ObservationId) -> Option<Instant> {
        self.state.claims.observation(id).map(|observation| self.state.claims.observed_at(observation))
    }
}
