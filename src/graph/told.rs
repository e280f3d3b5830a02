//! What an observation says and whether it holds, and how observations stand in a snapshot. For rooms that rank what was said.
//!
//! Owns nothing; reads claims by their observation. Knows no relevance.

use super::view::{Edge, RelationId, TermId, View};
use crate::model::{ClaimId, ObservationId, Polarity};

/// A claim of an observation, as it is filed at the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Said {
    /// The claim.
    pub claim: ClaimId,
    /// The head of its canonical relation.
    pub head: TermId,
    /// Its canonical relation.
    pub relation: RelationId,
    /// The tail of its canonical relation.
    pub tail: TermId,
    /// Its polarity.
    pub polarity: Polarity,
    /// See [`Claim::importance`](crate::model::Claim::importance).
    pub importance: f64,
    /// The fact of the same head, relation and tail that holds at the view; `None` where none does.
    pub held: Option<Edge>,
}

impl View {
    /// The claims of an observation that are known at the view in the graph that is read, in the order in which they were recorded.
    ///
    /// # Complexity
    /// Linear in its claims and in the facts that hold of their heads and relations.
    #[must_use]
    pub fn said_by(&self, id: ObservationId) -> Vec<Said> {
        let state = &self.state;
        let Some(number) = state.claims.observation(id) else { return Vec::new() };
        let known = state.claims.claims_of(number).filter(|claim| *claim < state.published.claims);
        known.filter_map(|claim| self.said_of(claim)).collect()
    }

    fn said_of(&self, claim: u32) -> Option<Said> {
        let state = &self.state;
        let (row, kind, relation) = state.claim(state.merged.row_at(claim, self.txs()))?;
        if !self.reads_context(kind.context) || !state.is_believed(claim, self.txs()) {
            return None;
        }
        let (head, tail) = (TermId(state.merged.canonical(row.head, self.txs())), TermId(state.merged.canonical(row.tail, self.txs())));
        let relation = RelationId(relation);
        Some(Said {
            claim: state.claims.id(claim)?,
            head,
            relation,
            tail,
            polarity: kind.polarity,
            importance: f64::from_bits(kind.importance),
            held: self.edges_of(head, relation, true).find(|edge| edge.other == tail),
        })
    }

    /// How many term numbers there are: those of [`View::terms`] are below.
    #[must_use]
    pub fn term_count(&self) -> u32 {
        self.state.published.terms
    }
}
