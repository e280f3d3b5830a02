//! An extractor that cannot run, and says why: what it is given waits. Reads nothing.

use super::{Context, Extraction, Extractor};
use crate::observe::Incoming;

/// Fails on everything, for one reason: in place of a provider that cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Why it cannot run.
    pub reason: String,
}

impl Extractor for Unavailable {
    fn name(&self) -> &'static str {
        "unavailable"
    }

    fn extract(&self, _incoming: &Incoming, _context: &Context<'_>) -> Extraction {
        Extraction { failure: Some(self.reason.clone()), ..Extraction::default() }
    }
}
