//! Temporal expressions: reading times in running text, in any language there is a grammar for, and wording them again.
//!
//! A text is cut into tokens, a language's grammar makes symbols of them (what is said), and a resolver makes moments, spans,
//! durations and recurring sets of the symbols (what is meant), given when and where it was said.
//! Owns all three steps and the languages. Knows nothing of claims, and never asks what time it is now.

#![expect(clippy::wildcard_enum_match_arm, reason = "a rule is about a few forms of symbols, and what it does with all others is one case")]

mod calendar;
mod context;
mod heading;
mod holiday;
mod lang;
mod lexicon;
mod mention;
mod moon;
mod recur;
mod resolve;
mod scan;
mod symbol;
mod token;
mod wording;

pub use calendar::Grain;
pub use context::{
    Approximate, Context, Conventions, DateOrder, DayParts, LastWeekday, NextWeekday, Prefer, Seasons, Sections, ShiftPrecision,
    ThisWeekday, WeekendStart, WeeksOf, Windows,
};
pub use lang::Language;
pub use mention::{Duration, Role, Sort, TimeMention, Value};
pub use recur::{Numbers, Recurrence};
pub use scan::{find, parse_one};
pub use symbol::DayPart;
pub use wording::{describe, describe_in};
