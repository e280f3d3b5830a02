//! From mention to entity: the identity of a term.
//!
//! Two names are one entity where only case, width, composition, invisible marks or white space tell them apart; nothing fuzzier.
//! Knows no store, and never merges what is merely similar ("Bay 17" and "Bay 18" stay two).

mod distance;
mod identity;
mod nickname;
pub mod record;

pub use identity::identity;
