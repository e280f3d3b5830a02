//! From mention to entity: the identity of a term.

mod block;
mod compare;
mod distance;
mod evidence;
mod identity;
mod lexicon;
mod name;
pub mod record;
mod resolver;

pub use block::{BlockIndex, BlockKey, EntityId, asked_under, kept_under};
pub use compare::compare_names;
pub use evidence::{Evidence, Sign};
pub use identity::identity;
pub use lexicon::Title;
pub use name::Name;
pub use resolver::{Candidate, Directory, Lookup, Mention, Options, Resolution, resolve};
