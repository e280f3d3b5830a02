//! The one error of the library's surface, and its kinds.

use super::Receipt;
use crate::graph::ReadError;
use crate::ledger::{LedgerError, MergeError};
use crate::model::{IdError, TermError};
use crate::observe::Rejection;
use crate::policy::PackError;
use crate::time::TimeError;

/// What sort of failure it is; each surface maps these once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// What was given is wrong.
    InvalidInput,
    /// What was asked for does not exist.
    NotFound,
    /// A size limit was reached.
    Limit,
    /// The system refused.
    Io,
    /// The store is damaged or of a newer format.
    Corrupt,
    /// Somebody else holds it; try again.
    Unavailable,
    /// A fault of this program.
    Bug,
}

/// Everything that can go wrong in a memory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(clippy::error_impl_error, reason = "it is the error of the crate, and read as `erstwhile::Error`")]
pub enum Error {
    /// See [`LedgerError`].
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// See [`ReadError`].
    #[error(transparent)]
    Read(#[from] ReadError),
    /// See [`PackError`].
    #[error(transparent)]
    Pack(#[from] PackError),
    /// See [`TimeError`].
    #[error(transparent)]
    Time(#[from] TimeError),
    /// See [`IdError`].
    #[error(transparent)]
    Id(#[from] IdError),
    /// See [`TermError`].
    #[error(transparent)]
    Term(#[from] TermError),
    /// See [`SparqlError`](crate::sparql::SparqlError).
    #[cfg(feature = "sparql")]
    #[error(transparent)]
    Sparql(Box<crate::sparql::SparqlError>),
    /// A line of input was not taken.
    #[error("line {}: {}", .0.line, .0.reason)]
    Input(Rejection),
    /// An import was refused, and nothing of it was recorded. Names every bad line, in order.
    #[error("nothing imported: {}", listed(.lines))]
    BadImport {
        /// The bad lines.
        lines: Vec<Rejection>,
    },
    /// A call that needs an empty tenant found records in it.
    #[error("tenant {tenant:?} is not empty: it holds {records} records")]
    NotEmpty {
        /// The tenant.
        tenant: String,
        /// How many records it holds.
        records: u64,
    },
    /// A long input could not be recorded to its end. What the receipt counts is recorded.
    #[error("after {} observations: {source}", .receipt.observations)]
    Interrupted {
        /// What was done before.
        receipt: Box<Receipt>,
        /// What stopped it.
        source: Box<Error>,
    },
    /// The writer of an export, or the reader of an import, failed.
    #[error("{what}: {source}")]
    Stream {
        /// What was being done.
        what: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// A setting of the tenant that cannot be read.
    #[error("setting {name:?}: {reason}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// What is wrong, with the line.
        reason: String,
    },
    /// Something named by the call is not there.
    #[error("{what} {name:?} is not known here")]
    NotFound {
        /// What sort of thing.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// An id prefix, or a key, that fits several.
    #[error("{prefix:?} fits {count} ids: {}{}", .first.join(", "), if .first.len() < *.count { ", …" } else { "" })]
    Ambiguous {
        /// The prefix.
        prefix: String,
        /// How many it fits.
        count: usize,
        /// The first of them, in order.
        first: Vec<String>,
    },
    /// Something larger than the limit.
    #[error("{what} is larger than the limit of {limit}")]
    TooLarge {
        /// What is too large.
        what: String,
        /// The limit, with its unit.
        limit: String,
    },
}

/// The first lines of a list, and how many there are in all.
fn listed(lines: &[Rejection]) -> String {
    const SHOWN: usize = 3;
    let text = lines
        .iter()
        .take(SHOWN)
        .map(|bad| match &bad.field {
            Some(field) => format!("line {}: {field}: {}", bad.line, bad.reason),
            None => format!("line {}: {}", bad.line, bad.reason),
        })
        .collect::<Vec<_>>()
        .join("; ");
    if lines.len() > SHOWN { format!("{text}; {} bad lines in all", lines.len()) } else { text }
}

impl Error {
    /// What sort of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Ledger(error) => match error {
                LedgerError::UnknownTenant { .. } => ErrorKind::NotFound,
                LedgerError::Merge(unfit) if matches!(**unfit, MergeError::Apart { .. }) => ErrorKind::NotFound,
                LedgerError::BadTenantName { .. } | LedgerError::BadRecord { .. } | LedgerError::Merge(_) => ErrorKind::InvalidInput,
                LedgerError::NotALedger { .. }
                | LedgerError::NotAPlainFile { .. }
                | LedgerError::NewerFormat { .. }
                | LedgerError::DamagedRecord { .. } => ErrorKind::Corrupt,
                LedgerError::Busy { .. } | LedgerError::ErasureIncomplete { .. } => ErrorKind::Unavailable,
                LedgerError::Io { .. } | LedgerError::Poisoned { .. } => ErrorKind::Io,
            },
            Self::Read(_) | Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Pack(_)
            | Self::Time(_)
            | Self::Id(_)
            | Self::Term(_)
            | Self::Input(_)
            | Self::BadImport { .. }
            | Self::NotEmpty { .. }
            | Self::Setting { .. }
            | Self::Ambiguous { .. } => ErrorKind::InvalidInput,
            #[cfg(feature = "sparql")]
            Self::Sparql(error) => ErrorKind::of_query(error),
            Self::Stream { .. } => ErrorKind::Io,
            Self::Interrupted { source, .. } => source.kind(),
            Self::TooLarge { .. } => ErrorKind::Limit,
        }
    }
}

#[cfg(feature = "sparql")]
impl From<crate::sparql::SparqlError> for Error {
    fn from(error: crate::sparql::SparqlError) -> Self {
        Self::Sparql(Box::new(error))
    }
}

#[cfg(feature = "sparql")]
impl ErrorKind {
    /// The kind of why a query or an update is refused, or cannot be answered.
    #[must_use]
    pub const fn of_query(error: &crate::sparql::SparqlError) -> Self {
        use crate::sparql::{DatasetError, SparqlError};
        match error {
            SparqlError::Syntax { .. }
            | SparqlError::Position { .. }
            | SparqlError::BadParameter(_)
            | SparqlError::UnknownParameter(_)
            | SparqlError::NoIri { .. }
            | SparqlError::BlankParameter { .. }
            | SparqlError::UnknownFunction(_)
            | SparqlError::UnknownService(_)
            | SparqlError::NoOperation(_)
            | SparqlError::Unwritable(_)
            | SparqlError::TooLate
            | SparqlError::Dataset(DatasetError::Position { .. })
            | SparqlError::Format(_)
            | SparqlError::Evaluation(_) => Self::InvalidInput,
            SparqlError::TooLong { .. }
            | SparqlError::TooDeep { .. }
            | SparqlError::TooEntangled { .. }
            | SparqlError::TooManyParts { .. }
            | SparqlError::TooManyCombined { .. }
            | SparqlError::TooMuchAnswered { .. }
            | SparqlError::Dataset(_)
            | SparqlError::Stopped => Self::Limit,
            SparqlError::Write(_) => Self::Io,
            #[cfg(feature = "oxigraph")]
            SparqlError::Store(_) => Self::Io,
        }
    }
}
