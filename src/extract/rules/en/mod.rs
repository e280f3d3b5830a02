//! English: a grammar of tagged words, clauses and patterns that drafts claims. Knows no calendar and no policy.

mod chunk;
mod clause;
mod cleft;
mod earnest;
mod frame;
mod jest;
mod judge;
mod mood;
mod morph;
mod noun;
mod pack;
mod pattern;
mod phrases;
mod read;
mod scene;
mod stated;
mod tag;
mod taken;
#[cfg(test)]
mod tests;
mod token;
mod turns;
mod voices;
mod words;
mod written;

use super::draft::{Reading, Setting};
pub(super) use pack::Grammar;
use read::Reader;

/// Reads a text.
pub(super) fn read(text: &str, setting: &Setting<'_>, grammar: &Grammar) -> Reading {
    let mut reader = Reader::new(grammar, setting);
    reader.read(text);
    reader.reading
}
