//! A text without the characters that nobody sees: zero-width blanks and joiners, soft hyphens, marks of direction, variation selectors.
//!
//! They belong to the words they stand in, so a grammar reads the text without them; places in it are brought back to the text as it
//! was said. Knows no language.

use std::borrow::Cow;
use std::ops::Range;

/// A text as it is seen, with where characters were left out.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The text without what is not seen.
    pub(super) text: String,
    /// Bytes of the seen text before which something was left out, each with how many bytes were up to there.
    cuts: Vec<(usize, usize)>,
}

impl Seen {
    /// The text as it is seen; `None` where all of it is.
    ///
    /// # Complexity
    /// Linear in the text.
    pub(super) fn of(text: &str) -> Option<Self> {
        if !text.contains(is_unseen) {
            return None;
        }
        let mut seen = Self { text: String::with_capacity(text.len()), cuts: Vec::new() };
        let mut left_out = 0;
        for c in text.chars() {
            if !is_unseen(c) {
                seen.text.push(c);
                continue;
            }
            left_out += c.len_utf8();
            match seen.cuts.last_mut().filter(|(at, _)| *at == seen.text.len()) {
                Some((_, sum)) => *sum = left_out,
                None => seen.cuts.push((seen.text.len(), left_out)),
            }
        }
        Some(seen)
    }

    /// The bytes of the text as it was said that a place of the seen text has; what is not seen around it stays outside.
    pub(super) fn said(&self, seen: &Range<usize>) -> Range<usize> {
        let left_out = |cuts: usize| cuts.checked_sub(1).and_then(|last| self.cuts.get(last)).map_or(0, |(_, sum)| *sum);
        let start = seen.start + left_out(self.cuts.partition_point(|(at, _)| *at <= seen.start));
        let end = seen.end + left_out(self.cuts.partition_point(|(at, _)| *at < seen.end));
        start..end.max(start)
    }
}

/// A text without what is not seen.
pub(super) fn seen(text: &str) -> Cow<'_, str> {
    Seen::of(text).map_or(Cow::Borrowed(text), |seen| Cow::Owned(seen.text))
}

/// Whether a character is one that Unicode lets be ignored: it has no shape of its own.
const fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'
            | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_brought_back_to_the_text_as_said() {
        let said = "\u{200b}北\u{ad}\u{200d}都で\u{202e}働く\u{feff}";
        let seen = Seen::of(said).unwrap();
        assert_eq!(seen.text, "北都で働く");
        let back = |word: &str| &said[seen.said(&seen.text.find(word).map(|at| at..at + word.len()).unwrap())];
        assert_eq!((back("北都"), back("都で"), back("働く")), ("北\u{ad}\u{200d}都", "都で", "働く"));
        assert_eq!(seen.said(&(0..seen.text.len())), "\u{200b}".len()..said.len() - "\u{feff}".len());
        assert_eq!(seen.said(&(0..0)), 3..3, "an empty place stays one");
    }

    #[test]
    fn what_is_all_seen_is_left_as_it_is() {
        assert!(Seen::of("北都で働く、Å é 👍").is_none(), "nothing is left out");
        assert_eq!(seen("か\u{200b}に"), "かに");
    }
}
