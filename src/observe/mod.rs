//! From raw input to observations: the formats people feed in, line by line, with limits and named errors.
//!
//! Owns reading (claims, chat, triples as CSV or JSON lines, text), content-derived ids and the size limits.
//! Knows nothing of extraction: ready claims are passed on as drafts.

use crate::model::{Claim, Observation};

/// One unit of input, read and identified: an observation, with the ready claims it carried (empty for prose).
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    /// The observation.
    pub observation: Observation,
    /// Its ready claims, in the order given.
    pub ready: Vec<Claim>,
    /// The first line of the input it came from, from 1; 0 where there are no lines.
    pub line: u64,
}

/// One line (or field) that could not be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The line, from 1.
    pub line: u64,
    /// The field, where one is to blame.
    pub field: Option<String>,
    /// Why, naming the value.
    pub reason: String,
}

/// The input formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Told by the first line and the file's name.
    #[default]
    Auto,
    /// JSON lines of claims.
    Claims,
    /// JSON lines of chat turns.
    Chat,
    /// JSON lines of triples with from and to.
    Triples,
    /// CSV of triples with from and to.
    Csv,
    /// One document of plain text.
    Text,
}
