//! What can be wrong with a time that somebody wrote. Knows nothing of grammars.

use std::borrow::Cow;

/// What can be wrong with a time that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The text is no date or instant in any form that is read here.
    #[error("cannot read {text:?} as a time: {reason}")]
    Unreadable {
        /// What was given, cut to its beginning if it is long.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A year outside −9999 to 9999.
    #[error("{text:?} lies outside the years -9999 to 9999")]
    OutOfRange {
        /// What was given, cut to its beginning if it is long.
        text: String,
    },
    /// An end before its start, a span that says nothing, or a granule turned inside out.
    #[error("{reason}")]
    Inconsistent {
        /// What contradicts what, with both values.
        reason: String,
    },
    /// A zone name that is not in the IANA data base.
    #[error("unknown time zone {name:?}")]
    UnknownZone {
        /// What was given, cut to its beginning if it is long.
        name: String,
    },
    /// One field of several is wrong.
    #[error("`{field}`: {error}")]
    Field {
        /// The field, as its reader names it.
        field: &'static str,
        /// What is wrong with it.
        error: Box<TimeError>,
    },
}

impl TimeError {
    /// The same error, said of the field it came from.
    #[must_use]
    pub fn in_field(self, field: &'static str) -> Self {
        Self::Field { field, error: Box::new(self) }
    }
}

/// What is wrong, before anybody has said of which text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Outside the civil years.
    Range,
    /// Any other reason.
    Reason(Cow<'static, str>),
}

impl Fault {
    pub(super) const fn because(reason: &'static str) -> Self {
        Self::Reason(Cow::Borrowed(reason))
    }

    /// The error that names the text.
    pub(super) fn of(self, text: &str) -> TimeError {
        match self {
            Self::Range => TimeError::OutOfRange { text: excerpt(text) },
            Self::Reason(reason) => TimeError::Unreadable { text: excerpt(text), reason: reason.into_owned() },
        }
    }
}

/// The text as an error quotes it: whole, or its first sixty characters and an ellipsis.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => text.get(..cut).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}
