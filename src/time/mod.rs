//! Time: instants, moments, spans, civil days, Allen relations and reading positions.
//!
//! Owns what a point and a stretch of time *are*, how they are written and read as text, and how two of them relate.
//! Knows nothing of claims, facts or stores, and never asks what time it is now: `now` is always a parameter.

mod instant;
mod moment;
mod span;

pub use instant::{Instant, TimeError, ZonedInstant};
pub use moment::Moment;
pub use span::{AsOf, Certainty, End, KnownAt, Span, Start};
