//! Time: instants, moments, spans, civil days, Allen relations and reading positions.
//!
//! Owns what a point and a stretch of time *are*, how they are written and read as text, and how two of them relate.
//! Knows nothing of claims, facts or stores, and never asks what time it is now: `now` is always a parameter.

mod civil;
mod error;
pub mod expr;
mod extent;
mod grammar;
mod instant;
mod moment;
mod read;
mod span;
mod zone;

pub use error::TimeError;
pub use extent::{Allen, Extent};
pub use instant::{Instant, ZonedInstant};
pub use moment::{Moment, MomentIn, Season};
pub use read::{parse_end, parse_moment, parse_span, parse_start};
pub use span::{AsOf, Certainty, End, KnownAt, Span, Start, certain_extent, certainty, possible_extent, sole_instant};
pub use zone::Zone;
