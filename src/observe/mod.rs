//! From raw input to observations: the formats people feed in, line by line, with limits and named errors.
//!
//! Owns reading (claims, chat, triples as CSV or JSON lines, text), content-derived ids and the size limits.
//! Knows nothing of extraction: ready claims are passed on as drafts.

mod claim;
mod csv;
mod field;
mod gzip;
mod identify;
mod json;
mod lines;
mod options;
mod parts;
mod reader;
mod tell;
mod write;

pub use gzip::decoded;
pub use identify::identify;
pub use options::{Limits, ObservedAt, ReadError, ReadOptions, SourceError};
pub use reader::Reader;
pub use write::write_incoming;

use crate::model::{Claim, Observation, ObservationId, ObservationKind, Source, Term, TermError};
use crate::time::ZonedInstant;
use std::fmt;

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

impl Incoming {
    /// Puts an observation together with its ready claims and gives it the id of that content; the id it came with is not looked at.
    #[must_use]
    pub fn new(observation: Observation, ready: Vec<Claim>) -> Self {
        let id = identify(&observation, &ready);
        Self { observation: Observation { id, ..observation }, ready, line: 0 }
    }

    /// Ready claims that somebody made at one time, without text.
    #[must_use]
    pub fn from_claims(observed_at: ZonedInstant, source: Source, ready: Vec<Claim>) -> Self {
        Self::new(bare(ObservationKind::Claims, observed_at, source), ready)
    }

    /// A text kept verbatim, without ready claims.
    #[must_use]
    pub fn from_text(kind: ObservationKind, observed_at: ZonedInstant, source: Source, text: impl Into<String>) -> Self {
        Self::new(Observation { text: Some(text.into()), ..bare(kind, observed_at, source) }, Vec::new())
    }
}

/// Reads a term as JSON lines give it: a text is a name, a number or truth value a typed literal, and an object says which it is by its
/// key (`iri`, `name`, `blank`, or `literal` with `datatype` or `language`).
///
/// # Errors
/// [`TermError`] for anything else.
pub fn term_from_json(text: &str) -> Result<Term, TermError> {
    let fault = |reason: String| TermError { text: excerpt(text), reason };
    let raw: &serde_json::value::RawValue = serde_json::from_str(text).map_err(|error| fault(error.to_string()))?;
    json::term(raw).map_err(fault)
}

fn bare(kind: ObservationKind, observed_at: ZonedInstant, source: Source) -> Observation {
    Observation {
        id: ObservationId::from_bytes([0; 16]),
        kind,
        observed_at,
        source,
        session: None,
        speaker: None,
        role: None,
        key: None,
        text: None,
    }
}

/// One line (or field) that could not be taken. A value, not an error: reading goes on after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The line, from 1.
    pub line: u64,
    /// The field, where one is to blame.
    pub field: Option<String>,
    /// Why, naming the value.
    pub reason: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// The input formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Told by the file's name and the first line, see [`Reader::new`].
    #[default]
    Auto,
    /// JSON lines of claims.
    Claims,
    /// JSON lines of chat turns.
    Chat,
    /// JSON lines of triples with from and to; read exactly as claims are.
    Triples,
    /// CSV of triples with from and to.
    Csv,
    /// One document of plain text.
    Text,
}

/// Why something was not taken, before the line is known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    field: Option<String>,
    reason: String,
}

impl Fault {
    fn of(field: &str, reason: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), reason: reason.into() }
    }

    fn line(reason: impl Into<String>) -> Self {
        Self { field: None, reason: reason.into() }
    }

    /// The same fault, of a field inside `outer`.
    fn inside(self, outer: &str) -> Self {
        let field = self.field.map_or_else(|| outer.to_owned(), |field| format!("{outer}.{field}"));
        Self { field: Some(field), reason: self.reason }
    }

    fn at(self, line: u64) -> Rejection {
        Rejection { line, field: self.field, reason: self.reason }
    }
}

/// A value as a reason quotes it: whole, or its beginning and an ellipsis.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => text.get(..cut).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}
