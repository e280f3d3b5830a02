//! From mention to entity: when two names are of one thing, and when two records are.
//!
//! - [`identity`] is the rule for spelling: two names are one entity where only case, width, composition,
//!   invisible marks or white space tell them apart.
//! - [`bare_name`] is the other one: a name without titles and courtesies, told by the name alone. The memory merges by it, on record.
//! - [`resolve`] says what else a mention may mean: the entity itself, an alias of it, or candidates with evidence, by title,
//!   honorific, legal form, order, initial, nickname or spelling. It merges nothing. Ambiguity is a value, and what is merely similar
//!   ("Bay 17" and "Bay 18", "Mara" and "Samara") is no candidate.
//! - [`named_by_owner`] says whose somebody is who is named by that alone ("my mother"): another one for everybody who says so.
//! - [`BlockIndex`] finds the few names worth comparing among a million.
//! - [`record`] links structured records of people by weights that it estimates from them.
//!
//! Pronouns and "the company" are resolved where a text is read, not here. Knows no store: it asks through [`Lookup`].
//!
//! The tables beside the code are data: `words.toml` (titles, honorifics, legal forms), `nicknames.toml`, `names.toml`.

mod bare;
mod block;
mod compare;
mod distance;
mod evidence;
mod identity;
mod kin;
mod lexicon;
mod name;
pub mod record;
mod resolver;

pub use bare::bare_name;
pub use block::{BlockIndex, BlockKey, EntityId, Tier, asked_under, kept_under};
pub use compare::compare_names;
pub use evidence::{Evidence, Sign};
pub use identity::identity;
pub use kin::named_by_owner;
pub use lexicon::Title;
pub use name::Name;
pub use resolver::{Candidate, Directory, Lookup, Mention, Options, Resolution, resolve};
