//! Answers: rows, yes or no, triples; bounded, and written in the formats of the standards.
//!
//! Owns the bounds on what is handed out. Knows no file and no terminal.

use super::error::SparqlError;
use super::meter::Overlong;
use super::query::{PREFIXES, QueryOptions};
use super::view::{DatasetError, RdfView};
use oxrdf::{Triple, Variable};
use oxrdfio::{RdfFormat, RdfSerializer};
use sparesults::{QueryResultsFormat, QueryResultsSerializer};
use spareval::{QueryEvaluationError, QueryResults, QuerySolution, QuerySolutionIter, QueryTripleIter};
use std::fmt;
use std::io::{self, Write};

/// What a query answers.
#[derive(Debug)]
pub enum Answer<'a> {
    /// Rows, of `SELECT`.
    Solutions(Rows<'a>),
    /// Yes or no, of `ASK`.
    Boolean(bool),
    /// Triples, of `CONSTRUCT` and `DESCRIBE`.
    Graph(Triples<'a>),
}

/// The rows of an answer, in the query's order; computed as they are read.
pub struct Rows<'a> {
    inner: QuerySolutionIter<'a>,
    left: Allowance,
    watch: Watch<'a>,
    max_bytes: u64,
}

/// The triples of an answer, each once; computed as they are read.
pub struct Triples<'a> {
    inner: QueryTripleIter<'a>,
    left: Allowance,
    watch: Watch<'a>,
    max_bytes: u64,
}

/// What a query has met that it must not go on after. The evaluator takes an error inside of a filter for no, so that a row may be missing,
/// or the answer's end may be none.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    pub(super) rdf: &'a RdfView,
    pub(super) overlong: Overlong,
}

impl Watch<'_> {
    fn check(&self) -> Result<(), SparqlError> {
        if let Some(bytes) = self.overlong.bytes() {
            return Err(SparqlError::Dataset(DatasetError::TextTooLong(bytes)));
        }
        Ok(self.rdf.count(0)?)
    }
}

/// How many more may be handed out.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    left: u64,
    limit: u64,
    what: &'static str,
}

impl Allowance {
    fn of(limit: u64, what: &'static str) -> Self {
        Self { left: limit, limit, what }
    }

    /// Takes one; the error ends the answer, so that a part of it is never taken for the whole.
    fn take<T>(&mut self, next: Option<Result<T, QueryEvaluationError>>, watch: &Watch<'_>) -> Option<Result<T, SparqlError>> {
        if let (None | Some(Ok(_)), Err(error)) = (&next, watch.check()) {
            return Some(Err(error));
        }
        match next? {
            Ok(next) => match self.left.checked_sub(1) {
                Some(left) => {
                    self.left = left;
                    Some(Ok(next))
                }
                None => Some(Err(SparqlError::TooMuchAnswered { limit: self.limit, what: self.what })),
            },
            Err(error) => Some(Err(error.into())),
        }
    }
}

impl<'a> Answer<'a> {
    /// The results of a query as an answer within its bounds.
    pub(super) fn new(results: QueryResults<'a>, options: &QueryOptions, watch: Watch<'a>) -> Result<Self, SparqlError> {
        let max_bytes = options.max_bytes;
        Ok(match results {
            QueryResults::Solutions(inner) => {
                Self::Solutions(Rows { inner, left: Allowance::of(options.max_rows, "rows"), watch, max_bytes })
            }
            QueryResults::Boolean(answer) => {
                watch.check()?;
                Self::Boolean(answer)
            }
            QueryResults::Graph(inner) => {
                Self::Graph(Triples { inner, left: Allowance::of(options.max_rows, "triples"), watch, max_bytes })
            }
        })
    }

    /// Writes rows, or yes or no, in a result format; how many rows were written.
    ///
    /// # Errors
    /// [`SparqlError::Format`] for triples; what the query fails with while it runs; [`SparqlError::Write`];
    /// [`SparqlError::TooMuchAnswered`] after so many rows or bytes. What was written before is not a whole answer.
    pub fn write_results(self, format: QueryResultsFormat, out: impl Write) -> Result<u64, SparqlError> {
        let serializer = QueryResultsSerializer::from_format(format);
        match self {
            Self::Boolean(answer) => {
                serializer.serialize_boolean_to_writer(out, answer)?.flush()?;
                Ok(1)
            }
            Self::Solutions(rows) => {
                let variables = rows.variables().to_vec();
                let max_bytes = rows.max_bytes;
                let mut writer = serializer.serialize_solutions_to_writer(Bounded::new(out, max_bytes), variables)?;
                let mut written = 0;
                for row in rows {
                    writer.serialize(&row?).map_err(|error| too_long(error, max_bytes))?;
                    written += 1;
                }
                writer.finish().and_then(|mut out| out.flush()).map_err(|error| too_long(error, max_bytes))?;
                Ok(written)
            }
            Self::Graph(_) => Err(SparqlError::Format(format!("{format} holds rows, and the answer is triples"))),
        }
    }

    /// Writes triples in an RDF format; how many were written. Formats with prefixes use [`PREFIXES`].
    ///
    /// # Errors
    /// [`SparqlError::Format`] for rows, yes or no; else as [`Answer::write_results`].
    pub fn write_graph(self, format: RdfFormat, out: impl Write) -> Result<u64, SparqlError> {
        let Self::Graph(triples) = self else {
            return Err(SparqlError::Format(format!("{format} holds triples, and the answer is none")));
        };
        let mut serializer = RdfSerializer::from_format(format);
        for (prefix, iri) in PREFIXES {
            serializer = serializer.with_prefix(prefix, iri).map_err(|error| SparqlError::Format(error.to_string()))?;
        }
        let max_bytes = triples.max_bytes;
        let mut writer = serializer.for_writer(Bounded::new(out, max_bytes));
        let mut written = 0;
        for triple in triples {
            writer.serialize_triple(triple?.as_ref()).map_err(|error| too_long(error, max_bytes))?;
            written += 1;
        }
        writer.finish().and_then(|mut out| out.flush()).map_err(|error| too_long(error, max_bytes))?;
        Ok(written)
    }
}

impl Rows<'_> {
    /// The columns, in the query's order.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        self.inner.variables()
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<QuerySolution, SparqlError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.inner.next();
        self.left.take(next, &self.watch)
    }
}

impl Iterator for Triples<'_> {
    type Item = Result<Triple, SparqlError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.inner.next();
        self.left.take(next, &self.watch)
    }
}

impl fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("variables", &self.inner.variables()).field("left", &self.left).finish_non_exhaustive()
    }
}

impl fmt::Debug for Triples<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Triples").field("left", &self.left).finish_non_exhaustive()
    }
}

/// A writer that takes so many bytes.
#[derive(Debug)]
struct Bounded<W> {
    inner: W,
    left: u64,
}

impl<W> Bounded<W> {
    fn new(inner: W, bytes: u64) -> Self {
        Self { inner, left: bytes }
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > self.left {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = self.inner.write(bytes)?;
        self.left -= u64::try_from(written).unwrap_or(u64::MAX).min(self.left);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn too_long(error: io::Error, max_bytes: u64) -> SparqlError {
    if error.kind() == io::ErrorKind::StorageFull {
        return SparqlError::TooMuchAnswered { limit: max_bytes, what: "bytes" };
    }
    error.into()
}
