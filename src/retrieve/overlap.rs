//! Overlap of question and text as a count of shared tokens: an option of the weights. Knows no index.

use std::collections::BTreeSet;

/// The words of a text in small letters, and the pairs of characters of the text without blanks.
///
/// Source: the teaching example of a memory engine; see [`Weights::memory_engine`](super::Weights::memory_engine).
#[must_use]
pub fn overlap_tokens(text: &str) -> BTreeSet<String> {
    let lowered = text.to_lowercase();
    let mut tokens: BTreeSet<String> = lowered.split_whitespace().map(str::to_owned).collect();
    let compact: Vec<char> = lowered.chars().filter(|c| *c != ' ').collect();
    tokens.extend(compact.windows(2).map(|pair| pair.iter().collect::<String>()));
    tokens
}

/// How many tokens two texts share.
///
/// ```
/// use erstwhile::retrieve::overlap;
///
/// assert_eq!(overlap("my cat", "My dog"), 1); // The word "my" and the pair "my" are one token.
/// ```
#[must_use]
pub fn overlap(question: &str, text: &str) -> usize {
    overlap_tokens(question).intersection(&overlap_tokens(text)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_pairs_without_blanks_are_counted_once() {
        assert_eq!(overlap_tokens("Ab ab"), ["ab", "ba"].map(str::to_owned).into());
        assert_eq!(overlap("猫が好き", "猫が嫌い"), 1);
        assert_eq!(overlap("", "anything"), 0);
    }
}
