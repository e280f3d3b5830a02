//! x

pub mod time;
