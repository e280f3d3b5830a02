//! Blocks that this memory handed out, found in a text that comes back. Knows how they begin and end, not what they say.

use super::words::Folded;
use std::ops::Range;

/// A name as it is compared: small letters, with one blank for what joins words.
pub(super) fn plain(name: &str) -> String {
    let folded = Folded::new(name).lower;
    folded.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-')).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The stretches of a text that are recalled memory, in bytes, in order and apart.
///
/// A block begins at a tag (`<recalled-memory …>`) anywhere, and ends at its closing tag or at the end of the text; or at a line that
/// says the name and nothing else but marks and a colon ("### Recalled memory:", "[recalled memory]"), and ends after a line that closes it
/// ("[/recalled memory]", "end of recalled memory"), before an empty line or at the end of the text. Of the latter line what follows a
/// colon belongs to the block.
///
/// # Complexity
/// Linear in the text times the names.
pub(super) fn blocks(text: &str, names: &[String]) -> Vec<Range<usize>> {
    if text.is_empty() {
        return Vec::new();
    }
    let lower = Folded::new(text);
    // Names are words; a text without any of their first ones has no block.
    let possible = names.iter().any(|name| name.split(' ').next().is_some_and(|word| lower.lower.contains(word)));
    if !possible {
        return Vec::new();
    }
    let mut found = tags(text, names);
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let said = Line::of(line, names);
        match open {
            Some(start) if said == Line::Close => {
                found.push(start..range.end);
                open = None;
            }
            Some(start) if said == Line::Empty => {
                found.push(start..range.start);
                open = None;
            }
            None if said == Line::Open => open = Some(range.start),
            Some(_) | None => {}
        }
    }
    if let Some(start) = open {
        found.push(start..text.len());
    }
    found.sort_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Open,
    Close,
    Empty,
    Other,
}

/// No line that opens or closes a block is longer before its colon, in bytes.
const LONGEST: usize = 120;

impl Line {
    fn of(line: &str, names: &[String]) -> Self {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Self::Empty;
        }
        let head = trimmed.get(..trimmed.floor_char_boundary(LONGEST)).unwrap_or_default();
        let (head, colon) = match head.find([':', '：']) {
            Some(colon) => (head.get(..colon).unwrap_or_default(), true),
            None if head.len() < trimmed.len() => return Self::Other,
            None => (head, false),
        };
        let is_mark = |c: char| !c.is_alphanumeric();
        let closing = head.trim_start_matches(|c: char| is_mark(c) && c != '/').starts_with('/');
        let said = plain(head.trim_matches(is_mark));
        // "Recalled memory (3 facts):" opens a block as well.
        let bare = said.split('(').next().map_or(said.as_str(), str::trim_end);
        let marked = head.starts_with(is_mark) || colon;
        for name in names {
            let end =
                ["end of ", "end "].iter().any(|end| bare.strip_prefix(end) == Some(name)) || bare.strip_suffix("ここまで") == Some(name);
            if end || (closing && bare == name) {
                return Self::Close;
            }
            if bare == name && (marked || head == trimmed) {
                return Self::Open;
            }
        }
        Self::Other
    }
}

fn tags(text: &str, names: &[String]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
        let inside = text.get(start + 1..).unwrap_or_default();
        from = start + 1;
        let Some(name) = names.iter().find(|name| is_tag(inside, name)) else { continue };
        let mut end = text.len();
        let mut look = from;
        while let Some(close) = text.get(look..).and_then(|rest| rest.find("</")).map(|at| look + at) {
            look = close + 2;
            if text.get(look..).is_some_and(|inside| is_tag(inside, name)) {
                end = text.get(look..).and_then(|rest| rest.find('>')).map_or(text.len(), |at| look + at + 1);
                break;
            }
        }
        found.push(start..end);
        from = end;
    }
    found
}

/// Whether a tag's inside begins with the name, its words joined in any way.
fn is_tag(inside: &str, name: &str) -> bool {
    let head = inside.get(..inside.floor_char_boundary(name.len() + 12)).unwrap_or_default();
    let end = head.find(['>', '/', '=']).unwrap_or(head.len());
    let said = plain(head.get(..end).unwrap_or_default());
    said == *name || said.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn left(text: &str) -> String {
        let names = ["recalled memory".to_owned(), "想起した記憶".to_owned()];
        let mut left = text.to_owned();
        for range in blocks(text, &names).into_iter().rev() {
            left.replace_range(range, "…");
        }
        left
    }

    #[test]
    fn blocks_are_found_by_tags_and_by_lines() {
        for (text, expect) in [
            ("Hi <recalled-memory n=\"2\">Ana lives in Oslo.</recalled-memory> and bye", "Hi … and bye"),
            ("<Recalled_Memory>\nno end", "…"),
            ("A\n[recalled memory]\nAna: Oslo\n[/recalled memory]\nB", "A\n…B"),
            ("### Recalled memory (2 facts):\n- Ana: Oslo\n\nMore", "…\nMore"),
            ("Recalled memory: Ana lives in Oslo\nand likes tea\n\nMore", "…\nMore"),
            ("=== RECALLED MEMORY ===\nx\n=== END OF RECALLED MEMORY ===\ny", "…y"),
            ("【想起した記憶】\n・アナはオスロ在住\n【想起した記憶ここまで】\n了解", "…了解"),
            ("＜想起した記憶＞ではない", "＜想起した記憶＞ではない"),
            (
                "I recalled memory lane yesterday.\nRecalled memory foam mattresses are back.",
                "I recalled memory lane yesterday.\nRecalled memory foam mattresses are back.",
            ),
            ("<b>recalled memory</b> is a term", "<b>recalled memory</b> is a term"),
        ] {
            assert_eq!(left(text), expect, "{text}");
        }
    }

    proptest! {
        #[test]
        fn blocks_are_in_order_and_apart(text in "(recalled memory|<recalled memory>|</recalled memory>|\\[|:|\n| |é|.){0,12}") {
            let found = blocks(&text, &["recalled memory".to_owned()]);
            prop_assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start));
            prop_assert!(found.iter().all(|range| text.get(range.clone()).is_some()));
        }
    }
}
