//! The function at the heart: from the claims of one slot to the runs they leave, and from runs to facts.
//!
//! Pure: no clock, no store, no I/O, no hash order. Knows terms and claims only as numbers; what to do in a tie is asked
//! of the caller through [`TieOrder`].
//!
//! [`derive_slot`] is the function; [`SlotEngine`] keeps its result for a slot of many claims; [`combine`] makes facts of the runs
//! that a triple's claims have in all their slots; [`explain`] tells which rules made a run what it is.
//!
//! # How the rules are read
//! - *Evidence.* `seen_at` past a claim's own end counts as that end.
//! - *A run's rank* is that of its best claim with a start. Its ends support it without lifting it: what cut the run while it was built
//!   still cuts it when it stands. While it is built, its rank is the best so far.
//! - *Ends of lower rank.* An end that ranks below its run does not count: it neither bounds nor parts the run, nor does the run hold until
//!   it. The end of a claim with a start is such an end, too, if the claim ranks below; what the claim sees is evidence all the same. Of
//!   ends that find no run, those of the best rank count. An end that does not count still supports its run, and challenges it from its
//!   `lo` on (`By(t)`: from t) if it lies wholly before the run's end, at `hi < end.lo`: else the two agree. Ranks are compared as they
//!   are when the run is built, and again when it stands.
//! - *Recurrence.* A run whose evidence is covered, or meets an end, recurs even at the same key.
//! - *Ranks in a conflict.* Of two conflicting runs of different rank the lower one is `contested` and the higher one `challenged` from
//!   the lower one's key on, so that no instant has two certain uncontested values. `strict` also hides the lower one, wherever the
//!   higher one may hold.
//! - *Newest.* The run with the latest `observed_at` among its claims hides the other where it is itself certain; neither is then
//!   `contested`. Seen at once, they are.
//! - *Denial.* A `Never` claim speaks over `[key, end.hi)`. Claims of its value that begin there and do not rank above it neither cut
//!   nor cover. Their run is hidden there up to the first claim that ranks above the denial; from there it is `challenged` instead.
//!   Hidden stretches are in no conflict.
//! - *Instants.* A run that begins and ends at one instant stands there, and is denied, overruled or hidden there, as if it lasted to the
//!   next microsecond.
//! - *Resumes.* A value that is bounded under the ordinary rules neither cuts nor covers; the older run is hidden instead, from where it
//!   would have been cut to where the bounded one may last have held.
//! - *Time to live.* A tail that ran out is not joined; it runs out no earlier than the fact may have begun. A cut at a key up to then
//!   comes first. It also bounds a run that is "over by" some later instant. It means nothing for events.
//! - *Events.* Two tellings with the same placed start are one event. `seen_at` says nothing of an event without a stated end.
//!   If no end of it counts, it is over at its evidence.
//! - *Permanent* values are neither cut nor covered; only their own ends break a run.

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
