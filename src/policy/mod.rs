//! What a tenant lays down: relation packs (which relations there are, how their claims compete, what they are called) and the write
//! policy (what is remembered and what not, what is masked, whose consent it takes, how important it is).
//!
//! Owns the TOML of packs, of per-tenant overrides, of write policies and consents. Knows no store.

mod policies;
mod table;
mod wording;
mod write;

pub use policies::{Canonical, Policies, split_pack};
pub use table::{policy_toml, ttl_text};
pub use write::{
    Consents, Fate, Judged, Kept, MaskKind, Masked, News, NothingKnown, Novelty, OTHER, Place, Refusal, Refused, Rules, Screen, Screened,
    Vault, Weight, WritePolicy, WritePolicyError, judge, reveal, screen, screen_into, write_policy_toml,
};

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
