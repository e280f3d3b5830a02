//! Content-derived identifiers. Knows how they are written, not how they are derived.

use std::fmt;
use std::str::FromStr;

/// Names an observation by its content: the same content always gets the same id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObservationId([u8; 16]);

impl ObservationId {
    /// The id made of these 16 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes.
    #[must_use]
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

impl fmt::Display for ObservationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObservationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Names a claim: the observation it came from, and its place (from 0) among that observation's claims.
///
/// Written `<32 hex digits>.<ordinal>`. The order is by content, never by arrival.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimId {
    /// The observation the claim came from.
    pub observation: ObservationId,
    /// Its place among the observation's claims, from 0.
    pub ordinal: u32,
}

impl fmt::Display for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.observation, self.ordinal)
    }
}

impl fmt::Debug for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Names a fact by the earliest claim of its run. Written like that claim's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub ClaimId);

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A text that is no id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read {text:?} as {expected}")]
pub struct IdError {
    /// What was given.
    pub text: String,
    /// What was wanted.
    pub expected: &'static str,
}

impl FromStr for ObservationId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError { text: text.to_owned(), expected: "an observation id (32 hexadecimal digits)" };
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(error());
        }
        u128::from_str_radix(text, 16).map(|value| Self(value.to_be_bytes())).map_err(|_not_hex| error())
    }
}

impl FromStr for ClaimId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError { text: text.to_owned(), expected: "a claim id (32 hexadecimal digits, a dot, a number)" };
        let (observation, ordinal) = text.split_once('.').ok_or_else(error)?;
        Ok(Self {
            observation: observation.parse().map_err(|_bad_observation| error())?,
            ordinal: ordinal.parse().map_err(|_bad_ordinal| error())?,
        })
    }
}
