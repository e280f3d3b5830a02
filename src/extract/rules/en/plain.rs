//! Characters that nobody sees: soft hyphens, joiners of no width, marks of direction. They are no part of a word's spelling, so a text is
//! read without them, and what was read is placed in the text as it stands. Knows no word.

use crate::extract::rules::draft::Reading;
use std::ops::Range;

/// A text without hidden characters.
pub(super) struct Plain {
    pub(super) text: String,
    /// Where something was left out: the byte of this text, and how many bytes were left out up to there.
    cuts: Vec<(usize, usize)>,
}

/// Whether a character shows nothing and joins or parts nothing that is read. Joiners are spelling in scripts that need them.
const fn is_hidden(c: char, before: char) -> bool {
    match c {
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' => true,
        '\u{200c}' | '\u{200d}' => before < '\u{530}',
        _ => false,
    }
}

/// The text without hidden characters; `None` where it has none.
///
/// # Complexity
/// Linear in the text.
pub(super) fn without_hidden(text: &str) -> Option<Plain> {
    if text.is_ascii() {
        return None;
    }
    let mut plain = Plain { text: String::new(), cuts: Vec::new() };
    let (mut before, mut left_out) = (' ', 0);
    for c in text.chars() {
        if is_hidden(c, before) {
            left_out += c.len_utf8();
            plain.cuts.push((plain.text.len(), left_out));
        } else {
            plain.text.push(c);
            before = c;
        }
    }
    (left_out > 0).then_some(plain)
}

impl Plain {
    /// The same bytes in the text as it stands.
    fn place(&self, bytes: &Range<usize>) -> Range<usize> {
        let left_out = |cuts: usize| cuts.checked_sub(1).and_then(|last| self.cuts.get(last)).map_or(0, |(_, bytes)| *bytes);
        // What is hidden in front of a word is none of it, nor what is hidden behind it.
        let from = self.cuts.partition_point(|(at, _)| *at <= bytes.start);
        let to = self.cuts.partition_point(|(at, _)| *at < bytes.end);
        let start = bytes.start + left_out(from);
        start..(bytes.end + left_out(to)).max(start)
    }

    /// A reading with its places in the text as it stands.
    pub(super) fn placed(&self, mut reading: Reading) -> Reading {
        for draft in &mut reading.drafts {
            draft.quote = self.place(&draft.quote);
            for time in &mut draft.times {
                time.bytes = self.place(&time.bytes);
            }
        }
        for refusal in &mut reading.refused {
            refusal.quote = self.place(&refusal.quote);
        }
        for tagged in &mut reading.tagged {
            tagged.bytes = self.place(&tagged.bytes);
        }
        reading
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text_with_what_it_hides() {
        let text = "I work at O\u{200b}r\u{ad}b now";
        let plain = without_hidden(text).unwrap();
        assert_eq!(plain.text, "I work at Orb now");
        assert_eq!(&text[plain.place(&(10..13))], "O\u{200b}r\u{ad}b");
        assert_eq!(&text[plain.place(&(14..17))], "now");
        assert_eq!(&text[plain.place(&(0..17))], text);
    }

    #[test]
    fn joiners_of_scripts_that_need_them_stay() {
        assert!(without_hidden("\u{645}\u{6cc}\u{200c}\u{62e}").is_none());
        assert!(without_hidden("Köln").is_none());
        assert_eq!(without_hidden("Köln\u{200d}Deutz").unwrap().text, "KölnDeutz");
    }
}
