//! Diversity: near-copies are folded into the best of them.
//!
//! Owns what a copy is. Knows no score.

use super::tuning::COPY;
use crate::text::Key;
use std::collections::BTreeSet;

/// For each text in order, the place of the earlier one that it is a copy of; `None` for the first of its kind.
///
/// Two texts are copies where they share nine tenths of the longer one's tokens. What has no tokens is no copy.
///
/// # Complexity
/// Quadratic in the texts, of which there are some dozens.
pub(super) fn copies(texts: &[BTreeSet<Key>]) -> Vec<Option<usize>> {
    let mut copies: Vec<Option<usize>> = Vec::with_capacity(texts.len());
    for (place, text) in texts.iter().enumerate() {
        let of = texts.iter().take(place).zip(&copies).position(|(other, is_copy)| {
            let alike = text.len().abs_diff(other.len()) * 10 <= text.len().max(other.len());
            is_copy.is_none() && !text.is_empty() && alike && shared(other, text) >= COPY
        });
        copies.push(of);
    }
    copies
}

/// The share of the smaller set's tokens that the other one has.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn shared(left: &BTreeSet<Key>, right: &BTreeSet<Key>) -> f64 {
    let smaller = left.len().min(right.len());
    if smaller == 0 { 0.0 } else { left.intersection(right).count() as f64 / smaller as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Tokenizer;

    #[test]
    fn copies_are_folded_and_what_adds_a_word_is_kept() {
        let text = |text: &str| {
            let mut tokens = Vec::new();
            Tokenizer::new().passage(text, &mut tokens);
            tokens.into_iter().collect::<BTreeSet<Key>>()
        };
        let texts = [
            text("Bo feeds the herons at dawn"),
            text("Bo feeds the herons at dawn!"),
            text("Bo feeds the herons at dusk"),
            text("bo FEEDS herons, at dawn"),
            text(""),
            text(""),
        ];
        assert_eq!(copies(&texts), [None, Some(0), None, Some(0), None, None]);
    }
}
