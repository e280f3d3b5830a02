//! The token budget: about how many tokens a text takes, and what fits.
//!
//! Owns the estimate. Knows no tokenizer of a model.

/// About how many tokens a text takes in a prompt: four letters of a script with spaces make one, as does each mark, and each character
/// of a script without them.
///
/// An estimate: byte-pair encodings of current models take from 0.8 to 1.1 times as many for English prose, and 0.7 to 1.2 times for
/// Japanese. A word of up to four letters is one token.
///
/// ```
/// use erstwhile::retrieve::tokens_of;
///
/// assert_eq!(tokens_of("Ana moved to Oslo."), 6);
/// assert_eq!(tokens_of("東京に住む"), 5);
/// ```
#[must_use]
pub fn tokens_of(text: &str) -> usize {
    let mut tokens = 0;
    let mut letters = 0_usize;
    for c in text.chars() {
        if c.is_alphanumeric() && (c as u32) < 0x0e00 {
            letters += 1;
            continue;
        }
        tokens += letters.div_ceil(4);
        letters = 0;
        tokens += usize::from(!c.is_whitespace());
    }
    tokens + letters.div_ceil(4)
}

/// Which of the sizes, in order, fit a budget: each that still does, so that a long one does not keep out the shorter ones after it.
pub(super) fn fits(sizes: &[usize], budget: Option<usize>) -> Vec<bool> {
    let mut left = budget.unwrap_or(usize::MAX);
    sizes
        .iter()
        .map(|size| {
            let fits = *size <= left;
            left -= if fits { *size } else { 0 };
            fits
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_longer_fits_is_cut_and_the_rest_is_not() {
        assert_eq!(fits(&[5, 9, 4, 1], Some(10)), [true, false, true, true]);
        assert_eq!(fits(&[5, 9], None), [true, true]);
        assert_eq!(fits(&[5], Some(0)), [false]);
    }

    #[test]
    fn marks_and_characters_of_dense_scripts_are_tokens() {
        assert_eq!(tokens_of(""), 0);
        assert_eq!(tokens_of("  \n"), 0);
        assert_eq!(tokens_of("a, b"), 3);
        assert_eq!(tokens_of("internationalisation"), 5);
        assert_eq!(tokens_of("서울에"), 3);
    }
}
