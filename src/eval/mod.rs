//! Evaluation: scorers of published collections.

pub mod time;
