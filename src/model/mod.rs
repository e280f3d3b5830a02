//! The nouns of the memory: ids, terms, observations, claims, relation policies and facts.
//!
//! Plain values without behaviour beyond their own consistency. Knows no input format, no store and no clock.

mod claim;
mod fact;
mod id;
mod observation;
mod policy;
mod term;
pub mod vocab;

pub use claim::{Claim, Correction, Polarity, Quote, READY};
pub use fact::{Fact, FactStatus};
pub use id::{ClaimId, FactId, IdError, ObservationId};
pub use observation::{Authority, Observation, ObservationKind, Source};
pub use policy::{AuthorityMode, Cardinality, OnConflict, RelationKind, RelationPolicy};
pub use term::{Literal, Term, TermError, TermRef, is_invisible};
