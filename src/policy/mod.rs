//! Relation packs: which relations there are, how their claims compete, and what they are called.
//!
//! Owns the TOML of packs and per-tenant overrides, aliases, inverses and defaults. Knows no store and no claim.

mod policies;
mod table;
mod wording;

pub use policies::{Canonical, Policies, split_pack};
pub use table::{policy_toml, ttl_text};

/// What is wrong with a pack or an override.
#[derive(Debug, thiserror::Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum PackError {
    /// It is no TOML, or no pack.
    #[error("{what}: {reason}")]
    Unreadable {
        /// The pack, or the override of which relation.
        what: String,
        /// What is wrong, with the line.
        reason: String,
    },
    /// One field of one relation cannot be.
    #[error("relation {relation:?}, {field}: {reason}")]
    Invalid {
        /// Which relation.
        relation: String,
        /// Which field.
        field: String,
        /// What is wrong with its value.
        reason: String,
    },
}

impl PackError {
    fn invalid(relation: &str, field: &str, reason: impl Into<String>) -> Self {
        Self::Invalid { relation: relation.to_owned(), field: field.to_owned(), reason: reason.into() }
    }
}
