//! How the values of the model stand in columns, and back. Knows no statement.

use crate::ledger::LedgerError;
use crate::model::{Authority, ClaimId, ObservationId, ObservationKind, Polarity, TermRef};
use crate::time::{End, Instant, Moment, Span, Start};
use rusqlite::Row;
use rusqlite::types::ValueRef;
use std::path::Path;

/// Term kinds.
const NAME: i64 = 0;
const IRI: i64 = 1;
const BLANK: i64 = 2;
const LITERAL: i64 = 3;

/// A term in columns: kind, text, datatype, language.
pub(super) fn term_columns(term: TermRef<'_>) -> (i64, &str, Option<&str>, Option<&str>) {
    match term {
        TermRef::Name(text) => (NAME, text, None, None),
        TermRef::Iri(text) => (IRI, text, None, None),
        TermRef::Blank(text) => (BLANK, text, None, None),
        TermRef::Literal { lexical, datatype, language } => (LITERAL, lexical, datatype, language),
    }
}

/// A span in columns: kind, lo and hi of the start, then of the end. An exact moment has no hi.
pub(super) fn span_columns(span: Span) -> [Option<i64>; 6] {
    let moment = |moment: Moment| (Some(moment.lo().micros()), if moment.is_exact() { None } else { Some(moment.hi().micros()) });
    let (from_kind, (from_lo, from_hi)) = match span.start() {
        Start::At(at) => (0, moment(at)),
        Start::By(by) => (1, (Some(by.micros()), None)),
        Start::Unknown => (2, (None, None)),
        Start::Always => (3, (None, None)),
    };
    let (to_kind, (to_lo, to_hi)) = match span.end() {
        End::At(at) => (0, moment(at)),
        End::By(by) => (1, (Some(by.micros()), None)),
        End::Open => (2, (None, None)),
    };
    [Some(from_kind), from_lo, from_hi, Some(to_kind), to_lo, to_hi]
}

/// A polarity in its column.
pub(super) const fn polarity_column(polarity: Polarity) -> i64 {
    match polarity {
        Polarity::Holds => 0,
        Polarity::Ends => 1,
        Polarity::Never => 2,
    }
}

/// An authority in its column.
pub(super) const fn authority_column(authority: Authority) -> i64 {
    match authority {
        Authority::Inference => 0,
        Authority::Assistant => 1,
        Authority::Tool => 2,
        Authority::Document => 3,
        Authority::Curated => 4,
        Authority::User => 5,
    }
}

/// A kind of observation in its column.
pub(super) const fn kind_column(kind: ObservationKind) -> i64 {
    match kind {
        ObservationKind::Chat => 0,
        ObservationKind::Document => 1,
        ObservationKind::ToolResult => 2,
        ObservationKind::Claims => 3,
    }
}

/// Why a row cannot be read.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// The store failed.
    Store(rusqlite::Error),
    /// A value makes no sense.
    Value(String),
}

impl From<rusqlite::Error> for Unreadable {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error)
    }
}

impl Unreadable {
    /// The ledger's error for a row at `seq` of the file at `path`.
    pub(super) fn into_error(self, path: &Path, failure: impl FnOnce(rusqlite::Error) -> LedgerError, seq: u64) -> LedgerError {
        let damaged = |reason: String| LedgerError::DamagedRecord { path: path.to_owned(), seq, reason };
        match self {
            Self::Store(
                error @ (rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::Utf8Error(..)),
            ) => damaged(error.to_string()),
            Self::Store(error) => failure(error),
            Self::Value(reason) => damaged(reason),
        }
    }
}

fn odd(column: &str, value: ValueRef<'_>) -> Unreadable {
    Unreadable::Value(format!("column {column} holds {value:?}"))
}

/// An integer, or `None` for NULL.
pub(super) fn maybe_integer(row: &Row<'_>, column: usize, name: &str) -> Result<Option<i64>, Unreadable> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(value) => Ok(Some(value)),
        other @ (ValueRef::Real(_) | ValueRef::Text(_) | ValueRef::Blob(_)) => Err(odd(name, other)),
    }
}

/// An integer.
pub(super) fn integer(row: &Row<'_>, column: usize, name: &str) -> Result<i64, Unreadable> {
    match row.get_ref(column)? {
        ValueRef::Integer(value) => Ok(value),
        other @ (ValueRef::Null | ValueRef::Real(_) | ValueRef::Text(_) | ValueRef::Blob(_)) => Err(odd(name, other)),
    }
}

/// A text, or `None` for NULL.
pub(super) fn maybe_text<'r>(row: &'r Row<'_>, column: usize, name: &str) -> Result<Option<&'r str>, Unreadable> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        ValueRef::Text(bytes) => {
            std::str::from_utf8(bytes).map(Some).map_err(|error| Unreadable::Value(format!("column {name} is not UTF-8: {error}")))
        }
        other @ (ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_)) => Err(odd(name, other)),
    }
}

/// A text.
pub(super) fn text<'r>(row: &'r Row<'_>, column: usize, name: &str) -> Result<&'r str, Unreadable> {
    maybe_text(row, column, name)?.ok_or_else(|| odd(name, ValueRef::Null))
}

/// A number from 0 to 1; anything stored as real or integer is taken as it is.
#[expect(clippy::cast_precision_loss, reason = "an integer here is 0 or 1, written by hand")]
pub(super) fn real(row: &Row<'_>, column: usize, name: &str) -> Result<f64, Unreadable> {
    match row.get_ref(column)? {
        ValueRef::Real(value) => Ok(value),
        ValueRef::Integer(value) => Ok(value as f64),
        other @ (ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_)) => Err(odd(name, other)),
    }
}

/// An observation's id, or `None` for NULL.
pub(super) fn maybe_id(row: &Row<'_>, column: usize, name: &str) -> Result<Option<ObservationId>, Unreadable> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        ValueRef::Blob(bytes) => match bytes.try_into() {
            Ok(bytes) => Ok(Some(ObservationId::from_bytes(bytes))),
            Err(_wrong_length) => Err(Unreadable::Value(format!("column {name} holds {} bytes, not 16", bytes.len()))),
        },
        other @ (ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Text(_)) => Err(odd(name, other)),
    }
}

/// An observation's id.
pub(super) fn id(row: &Row<'_>, column: usize, name: &str) -> Result<ObservationId, Unreadable> {
    maybe_id(row, column, name)?.ok_or_else(|| odd(name, ValueRef::Null))
}

/// A small count: an ordinal or a character position.
pub(super) fn small(value: i64, name: &str) -> Result<u32, Unreadable> {
    u32::try_from(value).map_err(|_out_of_range| odd(name, ValueRef::Integer(value)))
}

/// A claim's id of two columns, or `None` where both are NULL.
pub(super) fn maybe_claim_id(row: &Row<'_>, observation: usize, ordinal: usize, name: &str) -> Result<Option<ClaimId>, Unreadable> {
    let Some(observation) = maybe_id(row, observation, name)? else { return Ok(None) };
    let ordinal = small(integer(row, ordinal, name)?, name)?;
    Ok(Some(ClaimId { observation, ordinal }))
}

/// A term of its columns; `datatype` and `language` are read for literals only.
pub(super) fn term<'r>(
    row: &'r Row<'_>,
    kind: i64,
    text_at: usize,
    datatype_at: Option<usize>,
    language_at: Option<usize>,
    name: &str,
) -> Result<TermRef<'r>, Unreadable> {
    let words = text(row, text_at, name)?;
    match (kind, datatype_at, language_at) {
        (NAME, ..) => Ok(TermRef::Name(words)),
        (IRI, ..) => Ok(TermRef::Iri(words)),
        (BLANK, ..) => Ok(TermRef::Blank(words)),
        (LITERAL, Some(datatype), Some(language)) => {
            Ok(TermRef::Literal { lexical: words, datatype: maybe_text(row, datatype, name)?, language: maybe_text(row, language, name)? })
        }
        _ => Err(Unreadable::Value(format!("column {name} has the unknown kind {kind}"))),
    }
}

/// A polarity from its column.
pub(super) fn polarity(value: i64) -> Result<Polarity, Unreadable> {
    match value {
        0 => Ok(Polarity::Holds),
        1 => Ok(Polarity::Ends),
        2 => Ok(Polarity::Never),
        other => Err(odd("polarity", ValueRef::Integer(other))),
    }
}

/// An authority from its column.
pub(super) fn authority(value: i64) -> Result<Authority, Unreadable> {
    match value {
        0 => Ok(Authority::Inference),
        1 => Ok(Authority::Assistant),
        2 => Ok(Authority::Tool),
        3 => Ok(Authority::Document),
        4 => Ok(Authority::Curated),
        5 => Ok(Authority::User),
        other => Err(odd("authority", ValueRef::Integer(other))),
    }
}

/// A kind of observation from its column.
pub(super) fn kind(value: i64) -> Result<ObservationKind, Unreadable> {
    match value {
        0 => Ok(ObservationKind::Chat),
        1 => Ok(ObservationKind::Document),
        2 => Ok(ObservationKind::ToolResult),
        3 => Ok(ObservationKind::Claims),
        other => Err(odd("kind", ValueRef::Integer(other))),
    }
}

/// A span of its kinds and the columns of its bounds, which begin at `from` and at `to`.
pub(super) fn span(row: &Row<'_>, from_kind: i64, from: usize, to_kind: i64, to: usize) -> Result<Span, Unreadable> {
    let bound = |column: usize, name: &str| integer(row, column, name).map(Instant::from_micros);
    let moment = |lo: usize, name: &str| {
        let low = bound(lo, name)?;
        match maybe_integer(row, lo + 1, name)? {
            None => Ok(Moment::exact(low)),
            Some(high) => Moment::granule(low, Instant::from_micros(high)).map_err(|error| Unreadable::Value(error.to_string())),
        }
    };
    let start = match from_kind {
        0 => Start::At(moment(from, "from_lo")?),
        1 => Start::By(bound(from, "from_lo")?),
        2 => Start::Unknown,
        3 => Start::Always,
        other => return Err(odd("from_kind", ValueRef::Integer(other))),
    };
    let end = match to_kind {
        0 => End::At(moment(to, "to_lo")?),
        1 => End::By(bound(to, "to_lo")?),
        2 => End::Open,
        other => return Err(odd("to_kind", ValueRef::Integer(other))),
    };
    Span::new(start, end).map_err(|error| Unreadable::Value(error.to_string()))
}
