//! How input is read: defaults for what lines leave out, limits, and what stops reading. Knows no format.

use super::Format;
use super::parts::source_words;
use crate::model::Authority;
use crate::time::{Instant, TimeError, Zone, ZonedInstant, parse_moment};
use std::path::Path;

/// When something was said: an instant with its offset; a date alone stands for its last microsecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedAt {
    /// The instant recorded as the observation's time.
    pub at: ZonedInstant,
    /// The instant by which a present-tense claim of it held: `at`, or the end of the date that was given.
    pub by: Instant,
}

impl From<ZonedInstant> for ObservedAt {
    fn from(at: ZonedInstant) -> Self {
        Self { at, by: at.at }
    }
}

impl ObservedAt {
    /// Reads an instant with its offset, or any moment that [`parse_moment`] reads in `zone`: of a granule ("2024-03-01", "2024-03") the
    /// last microsecond is taken, since what is reported was so by its end.
    ///
    /// # Errors
    /// As [`parse_moment`].
    pub fn parse(text: &str, zone: &Zone) -> Result<Self, TimeError> {
        if let Ok(at) = ZonedInstant::parse(text) {
            return Ok(at.into());
        }
        let moment = parse_moment(text, zone)?;
        let at = if moment.is_exact() { moment.lo() } else { moment.hi().saturating_sub(1) };
        let offset_minutes = i16::try_from(zone.offset_seconds(at) / 60).unwrap_or_default();
        Ok(Self { at: ZonedInstant { at, offset_minutes }, by: moment.hi() })
    }
}

/// Sizes beyond which input is refused, each by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest line, and the longest CSV record, in bytes without its end. Default 1 MiB. A longer one is skipped and rejected.
    pub line_bytes: usize,
    /// The longest text of an observation, in bytes. Default 4 MiB.
    pub text_bytes: usize,
    /// The longest term, relation or other short field, in bytes. Default 8 KiB.
    pub term_bytes: usize,
    /// The most claims of one observation. Default 10,000.
    pub claims_per_observation: usize,
    /// The deepest nesting of a JSON line; a claim inside `claims` with a typed tail needs 4. Default 16.
    pub depth: usize,
    /// The most lines of one input. Default 1,000,000,000. Reading stops there with [`ReadError::TooManyLines`].
    pub lines: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 1024 * 1024,
            text_bytes: 4 * 1024 * 1024,
            term_bytes: 8 * 1024,
            claims_per_observation: 10_000,
            depth: 16,
            lines: 1_000_000_000,
        }
    }
}

/// How an input is read. The defaults hold where a line says nothing itself.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format; [`Format::Auto`] by default.
    pub format: Format,
    /// When lines without `observed_at` were observed; without it such lines are rejected.
    pub observed_at: Option<ObservedAt>,
    /// The authority of lines without `source`. By default a document's, and in a chat that of the role.
    pub authority: Option<Authority>,
    /// The name of the source of lines that name none: by convention the file's name.
    pub source_name: Option<String>,
    /// The session of lines that name none.
    pub session: Option<String>,
    /// The zone in which dates and local times are read; UTC by default.
    pub zone: Zone,
    /// Keeps the blank nodes of this import apart from those of others: each label gets a suffix made from it. `None` leaves labels as they are.
    pub blank_scope: Option<String>,
    /// See [`Limits`].
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: Format::Auto,
            observed_at: None,
            authority: None,
            source_name: None,
            session: None,
            zone: Zone::UTC,
            blank_scope: None,
            limits: Limits::default(),
        }
    }
}

impl ReadOptions {
    /// The defaults for a file: its name without folders and without `.gz` is the source's name and the scope of its blank nodes,
    /// so that the same file read again from elsewhere is the same input.
    #[must_use]
    pub fn for_file(path: &Path) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.map(|name| name.strip_suffix(".gz").map(str::to_owned).unwrap_or(name));
        Self { source_name: name.clone(), blank_scope: name, ..Self::default() }
    }
}

impl ReadOptions {
    /// Sets who said what lines do not say it of, as the field `source` of a line does: `user`, `curated`, `document`, `tool`, `assistant` or
    /// `inference`, and a name after a colon (`tool:calendar`). Without a colon the name stays as it is.
    ///
    /// # Errors
    /// [`SourceError`] if the first word is no authority; the options are unchanged.
    pub fn set_source(&mut self, text: &str) -> Result<(), SourceError> {
        let (authority, name) = source_words(text).map_err(|reason| SourceError { reason })?;
        self.authority = Some(authority);
        if let Some(name) = name {
            self.source_name = Some(name.to_owned()).filter(|name| !name.is_empty());
        }
        Ok(())
    }
}

/// A source that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SourceError {
    /// What is wanted instead.
    reason: String,
}

/// What stops reading: nothing after it was read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system refused, or the compressed input is damaged.
    #[error("after line {line}: {error}")]
    Io {
        /// The last line read whole.
        line: u64,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// The input has more lines than the limit allows.
    #[error("the input has more than {limit} lines")]
    TooManyLines {
        /// See [`Limits::lines`].
        limit: u64,
    },
    /// Compressed input unpacks to more bytes than allowed.
    #[error("the input unpacks to more than {limit} bytes")]
    TooLarge {
        /// The limit given to [`super::decoded`].
        limit: u64,
    },
    /// The first line fits no format.
    #[error("line {line}: cannot tell the format ({reason}); name it")]
    UnknownFormat {
        /// The first line that is not empty.
        line: u64,
        /// What it looks like.
        reason: String,
    },
    /// The first record of a CSV is no usable header.
    #[error("line {line}: header: {reason}")]
    BadHeader {
        /// Where it is.
        line: u64,
        /// What is wrong with it, naming the column.
        reason: String,
    },
}
