//! Texts without their invisible marks, with a way back: zero-width marks, marks of direction and soft hyphens cut no name.
//!
//! Owns what is left out. Knows nothing of what is read from a text.

use crate::model::is_invisible;
use std::borrow::Cow;

/// A text as it is seen, and where its places are in the text as written.
#[derive(Debug)]
pub(super) struct Visible {
    /// The text without invisible marks.
    pub(super) text: String,
    /// For each mark left out, the byte of `text` that it stood before, in order.
    marks: Vec<usize>,
}

impl Visible {
    /// What is seen of a text; `None` where that is the whole of it.
    pub(super) fn of(written: &str) -> Option<Self> {
        if written.is_ascii() {
            return None;
        }
        let mut text = String::new();
        let mut marks = Vec::new();
        let mut before = None;
        let mut kept = 0;
        for (at, c) in written.char_indices() {
            let end = at + c.len_utf8();
            if is_invisible(c) && !joins(c, before, written.get(end..).and_then(|rest| rest.chars().next())) {
                text.push_str(written.get(kept..at).unwrap_or_default());
                kept = end;
                marks.push(text.len());
            } else {
                before = Some(c);
            }
        }
        if marks.is_empty() {
            return None;
        }
        text.push_str(written.get(kept..).unwrap_or_default());
        Some(Self { text, marks })
    }

    /// How many marks were left out before a byte of `text`: those at it, too, where something begins there.
    pub(super) fn left_out(&self, byte: usize, begins: bool) -> usize {
        self.marks.partition_point(|mark| *mark < byte || (begins && *mark == byte))
    }
}

/// Whether a mark is part of the spelling: a joiner between letters of a script that writes with them, or in a picture of several.
fn joins(c: char, before: Option<char>, after: Option<char>) -> bool {
    let is_spelt = |c: char| {
        matches!(c, '\u{600}'..='\u{e00}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}')
            || c >= '\u{1f000}'
            || matches!(c, '\u{2190}'..='\u{2bff}')
    };
    matches!(c, '\u{200c}' | '\u{200d}') && before.is_some_and(is_spelt) && after.is_some_and(is_spelt)
}

/// A name without invisible marks.
pub(crate) fn visible(name: &str) -> Cow<'_, str> {
    Visible::of(name).map_or(Cow::Borrowed(name), |visible| Cow::Owned(visible.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_left_out_and_places_lead_back() {
        let visible = Visible::of("O\u{200b}rb Ro\u{202e}me\u{ad}").unwrap();
        assert_eq!(visible.text, "Orb Rome");
        assert_eq!(
            (visible.left_out(0, true), visible.left_out(3, false), visible.left_out(4, true), visible.left_out(8, false)),
            (0, 1, 1, 2)
        );
        assert!(Visible::of("Orb").is_none() && Visible::of("Köln").is_none(), "nothing to leave out");
        assert_eq!(
            super::visible("می\u{200c}خواهم 👩\u{200d}🔧 a\u{200d}b"),
            "می\u{200c}خواهم 👩\u{200d}🔧 ab",
            "joiners are spelling in some scripts"
        );
    }
}
