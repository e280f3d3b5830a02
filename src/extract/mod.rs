//! From an observation to candidate claims: the [`Extractor`] trait and the extractor of ready claims.
//!
//! Knows no store: it proposes, and never decides what is believed.

mod ready;

pub use ready::ReadyClaims;
pub(crate) use ready::fault as claim_fault;

use crate::model::{Claim, Observation};
use crate::observe::Incoming;

/// A candidate that was not taken, and why. A value, not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedCandidate {
    /// Its place among the observation's candidates, from 0.
    pub ordinal: u32,
    /// The field to blame, if one is.
    pub field: Option<String>,
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

/// Turns an observation into claims.
pub trait Extractor: Send + Sync {
    /// The name recorded as each claim's extractor.
    fn name(&self) -> &'static str;
    /// Reads one observation. Deterministic: the same input gives the same claims.
    fn extract(&self, incoming: &Incoming) -> Extraction;
    /// Reads one observation and gives it back, so that what is passed on need not be copied.
    fn extract_from(&self, incoming: Incoming) -> (Observation, Extraction) {
        let extraction = self.extract(&incoming);
        (incoming.observation, extraction)
    }
}
