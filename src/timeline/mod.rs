//! The function at the heart: from the claims of one slot to the runs they leave, and from runs to facts.
//!
//! Pure: no clock, no store, no I/O, no hash order. Knows terms and claims only as numbers; what to do in a tie is asked
//! of the caller through [`TieOrder`].

mod combine;
mod conflict;
mod derive;
mod engine;
mod explain;
mod note;
mod place;
mod rivals;
mod runs;
mod types;

pub use combine::{Combined, Joint, combine, join_runs};
pub use derive::derive_slot;
pub use engine::{RunChanges, SlotEngine};
pub use explain::explain;
pub use note::{Break, Conflict, Hiding, Note};
pub use types::{EndCause, Run, SlotClaim, SlotRules, SlotTimeline, TieOrder};

#[cfg(test)]
mod cases;
#[cfg(test)]
mod checks;
#[cfg(test)]
mod exhaustive;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod worked;
