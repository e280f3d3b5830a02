//! What can be wrong with a query: its text, its parameters, or what it asks for. Knows no surface.

use super::view::DatasetError;
use crate::time::TimeError;
use spareval::QueryEvaluationError;

/// Why a query cannot be read, or not be answered to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparqlError {
    /// The text is no SPARQL.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What was expected there.
        reason: String,
    },
    /// The text is longer than a query may be.
    #[error("the query has {bytes} bytes, more than {limit}")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// Its groups or brackets lie in each other deeper than they may.
    #[error("line {line}, column {column}: brackets lie {limit} deep, and none may lie deeper")]
    TooDeep {
        /// The line of the bracket that is too deep, from 1.
        line: usize,
        /// Its column in characters, from 1.
        column: usize,
        /// How deep they may lie.
        limit: usize,
    },
    /// Functions lie in each other that the parser reads the oftener the deeper they lie.
    #[error("line {line}, column {column}: GROUP_CONCAT, REGEX, REPLACE and SUBSTR lie too deep in each other to be read")]
    TooEntangled {
        /// The line by which it is too much, from 1.
        line: usize,
        /// Its column in characters, from 1.
        column: usize,
    },
    /// It joins more operators or groups than it may.
    #[error("the query has more than {limit} operators and groups")]
    TooManyParts {
        /// How many it may have.
        limit: usize,
    },
    /// Its tables make more rows between them than a query may read.
    #[error("the query's tables make {rows} rows, more than {limit}")]
    TooManyCombined {
        /// How many rows.
        rows: u64,
        /// How many there may be.
        limit: u64,
    },
    /// A reading position that it names cannot be read.
    #[error("<{iri}> is no reading position: {error}")]
    Position {
        /// The IRI.
        iri: String,
        /// What is wrong with it.
        #[source]
        error: TimeError,
    },
    /// A parameter's name is none.
    #[error("{0:?} is no name of a variable")]
    BadParameter(String),
    /// A parameter is not in the query.
    #[error("the query has no variable ?{0}")]
    UnknownParameter(String),
    /// A parameter stands where only an IRI can.
    #[error("?{name} stands for a relation or a graph, and {value} is no IRI")]
    NoIri {
        /// The parameter.
        name: String,
        /// What was given.
        value: String,
    },
    /// A parameter's value is a blank node, or has one in it.
    #[error("?{name} cannot be {value}: a blank node in a query stands for anything, and names nothing")]
    BlankParameter {
        /// The parameter.
        name: String,
        /// What was given.
        value: String,
    },
    /// The query calls a function that there is none of.
    #[error("unknown function <{0}>")]
    UnknownFunction(String),
    /// The query asks a service that is not to be had here.
    #[error("the service <{0}> is not to be had here")]
    UnknownService(String),
    /// The update asks for what would lose history, or reach outside.
    #[error("{0} cannot be done here: a memory ends what it was told, by DELETE, and keeps its history; files come in by `import`")]
    NoOperation(&'static str),
    /// The update would write what no claim can hold, or what is derived.
    #[error("{0}")]
    Unwritable(String),
    /// An operation with `WHERE` comes after one that changes something, which it would have to see.
    #[error("an operation with WHERE comes after one that changes something, and cannot see it: send it as a request of its own")]
    TooLate,
    /// It has answered as much as it may.
    #[error("the answer has more than {limit} {what}")]
    TooMuchAnswered {
        /// How much.
        limit: u64,
        /// Of what: rows, triples or bytes.
        what: &'static str,
    },
    /// What the dataset refuses.
    #[error(transparent)]
    Dataset(DatasetError),
    /// It was stopped from outside: its time was up, or nobody waits for the answer.
    #[error("the query was stopped before it was answered")]
    Stopped,
    /// A service failed, or the evaluator did.
    #[error("the query cannot be answered: {0}")]
    Evaluation(#[source] QueryEvaluationError),
    /// The answer cannot be written.
    #[error("the answer cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// The answer has a form that the format cannot hold.
    #[error("{0}")]
    Format(String),
    /// A store that was to be filled says no.
    #[cfg(feature = "oxigraph")]
    #[error("the store cannot be filled: {0}")]
    Store(#[source] oxigraph::store::StorageError),
}

impl From<DatasetError> for SparqlError {
    fn from(error: DatasetError) -> Self {
        match error {
            DatasetError::Position { iri, error } => Self::Position { iri, error },
            DatasetError::Stopped => Self::Stopped,
            refused @ (DatasetError::TooMuchRead(_) | DatasetError::TextTooLong(_) | DatasetError::TooManyGraphs) => Self::Dataset(refused),
        }
    }
}

impl From<QueryEvaluationError> for SparqlError {
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is told apart is named; the rest is told by itself")]
    fn from(error: QueryEvaluationError) -> Self {
        match error {
            QueryEvaluationError::Cancelled => Self::Stopped,
            QueryEvaluationError::UnsupportedCustomFunction(name) => Self::UnknownFunction(name.into_string()),
            QueryEvaluationError::UnsupportedService(name) => Self::UnknownService(name.into_string()),
            QueryEvaluationError::Dataset(inner) => match inner.downcast::<DatasetError>() {
                Ok(refused) => (*refused).into(),
                Err(inner) => Self::Evaluation(QueryEvaluationError::Dataset(inner)),
            },
            other => Self::Evaluation(other),
        }
    }
}
