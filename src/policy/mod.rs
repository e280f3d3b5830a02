//! Relation packs: which relations there are, how their claims compete, and what they are called.
//!
//! Owns the TOML of packs and per-tenant overrides, aliases, inverses and defaults. Knows no store and no claim.

mod pack;

pub use pack::{Canonical, PackError, Policies};
