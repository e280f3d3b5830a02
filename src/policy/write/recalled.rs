//! Blocks that this memory handed out, found in a text that comes back. Knows how they begin and end, not what they say.

use super::file::Recalled;
use super::words::Folded;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A name as it is compared: small letters, with one blank for what joins words.
pub(super) fn plain(name: &str) -> String {
    let folded = Folded::new(name).lower;
    folded.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-')).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// How blocks are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// The whole of a line or of a tag.
    whole: Vec<String>,
    /// Words of tags.
    tags: Vec<String>,
    /// How a marked line begins.
    openings: Vec<String>,
    /// A word of each of them: a text without any has no block.
    signs: Vec<String>,
}

impl Names {
    pub(super) fn new(file: &Recalled) -> Self {
        let read = |names: &[String]| -> Vec<String> { names.iter().map(|name| plain(name)).filter(|name| !name.is_empty()).collect() };
        let (whole, tags, openings) = (read(&file.names), read(&file.tags), read(&file.openings));
        let longest = |name: &String| name.split(' ').max_by_key(|word| word.len()).map(str::to_owned);
        let mut signs: Vec<String> = whole.iter().chain(&tags).chain(&openings).filter_map(longest).collect();
        signs.sort_by_key(|sign| (sign.len(), sign.clone()));
        // What holds another sign is found by it.
        let mut kept: Vec<String> = Vec::new();
        for sign in signs {
            if !kept.iter().any(|known| sign.contains(known.as_str())) {
                kept.push(sign);
            }
        }
        Self { whole, tags, openings, signs: kept }
    }

    fn is_tag(&self, said: &str) -> bool {
        let in_words = |name: &String| {
            said == name
                || said.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(' '))
                || said.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with(' ') || !rest.is_ascii())
                || said.contains(&format!(" {name} "))
        };
        self.whole.iter().chain(&self.tags).any(in_words)
    }
}

/// The stretches of a text that are recalled memory, in bytes, in order and apart.
///
/// A block begins at a tag (`<recalled-memory …>`) and ends at its closing tag, over empty lines; a tag that nothing closes counts only at
/// the beginning of a line, and goes on to the end of the text. Or it begins at a line that says the name and nothing else but marks and a
/// colon ("### Recalled memory:", "[recalled memory]", "[What I know about Ana]"), and ends after a line that closes it ("[/recalled
/// memory]", "end of recalled memory"), before an empty line or at the end of the text. Of the latter line what follows a colon belongs
/// to the block.
///
/// # Complexity
/// Linear in the text times the names.
pub(super) fn blocks(text: &str, names: &Names) -> Vec<Range<usize>> {
    if text.is_empty() || !may_hold(text, names) {
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

/// Whether a text can have a block: some mark of one, and a word of a name.
fn may_hold(text: &str, names: &Names) -> bool {
    let marked = text.contains(['<', '\n', ':', '：', ']', '】', '#']) || text.len() <= LONGEST;
    if !marked {
        return false;
    }
    let folded = Folded::new(text);
    names.signs.iter().any(|sign| folded.lower.contains(sign.as_str()))
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
    fn of(line: &str, names: &Names) -> Self {
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
        let bracketed = head.starts_with(['[', '【', '#', '=', '*', '-', '<', '(', '（']) && !head.starts_with("- ");
        let marked = head.starts_with(is_mark) || colon;
        for name in &names.whole {
            let end =
                ["end of ", "end "].iter().any(|end| bare.strip_prefix(end) == Some(name)) || bare.strip_suffix("ここまで") == Some(name);
            if end || (closing && bare == name) {
                return Self::Close;
            }
            // A field "memory: 16 GB" says the name and its value on one line; a block of one word has brackets or a line of its own.
            let figure = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
            let sized = trimmed.split_once([':', '：']).is_some_and(|(_, value)| value.trim_start().starts_with(figure));
            let field = colon && !bracketed && !name.contains(' ') && (name.is_ascii() || sized) && !trimmed.ends_with([':', '：']);
            if bare == name && (marked || head == trimmed) && !field && (marked || name.contains(' ') || !name.is_ascii()) {
                return Self::Open;
            }
        }
        let begins = |opening: &String| {
            bare.strip_prefix(opening.as_str()).is_some_and(|rest| rest.is_empty() || !opening.is_ascii() || rest.starts_with(' '))
        };
        let ends = |opening: &String| !opening.is_ascii() && bare.ends_with(opening.as_str());
        let header = bracketed || (colon && trimmed.ends_with([':', '：']));
        if names.openings.iter().any(|opening| begins(opening) || ends(opening)) {
            if closing {
                return Self::Close;
            }
            if header {
                return Self::Open;
            }
        }
        Self::Other
    }
}

fn tags(text: &str, names: &Names) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut closings = None;
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
        from = start + 1;
        let Some(name) = tag(text.get(from..).unwrap_or_default()).filter(|name| names.is_tag(name)) else { continue };
        let closing = closings.get_or_insert_with(|| closing_tags(text)).get(&name);
        let close = closing.and_then(|places| places.get(places.partition_point(|place| *place < from)));
        let end = close.map(|at| text.get(*at..).and_then(|rest| rest.find('>')).map_or(text.len(), |length| at + length + 1));
        let before = text.get(..start).unwrap_or_default().trim_end_matches([' ', '\t']);
        let first = before.is_empty() || before.ends_with('\n');
        let Some(end) = end.or(first.then_some(text.len())) else { continue };
        found.push(start..end);
        from = end;
    }
    found
}

/// Where the closing tags of each name are, in order.
fn closing_tags(text: &str) -> FxHashMap<String, Vec<usize>> {
    let mut closings: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("</")).map(|at| from + at) {
        from = at + 2;
        if let Some(name) = tag(text.get(from..).unwrap_or_default()) {
            closings.entry(name).or_default().push(at);
        }
    }
    closings
}

/// The name of a tag, from what follows its bracket: words joined in any way, up to its attributes or its end.
fn tag(inside: &str) -> Option<String> {
    const LONGEST_NAME: usize = 48;
    let head = inside.get(..inside.floor_char_boundary(LONGEST_NAME)).unwrap_or_default();
    let head = head.split(['>', '/', '<', '\n']).next()?;
    // The word before an equals sign is an attribute's.
    let name = match head.split_once('=') {
        Some((name, _)) => name.trim_end().rsplit_once(' ').map(|(name, _)| name)?,
        None => head,
    };
    Some(plain(name)).filter(|name| !name.is_empty() && name.starts_with(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::write::WritePolicy;
    use proptest::prelude::*;

    fn names() -> Names {
        WritePolicy::shipped().0.recalled.clone()
    }

    fn left(text: &str) -> String {
        let names = names();
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
            ("<memory>Ana works at Orb.</memory> Hi", "… Hi"),
            ("<user_memories>\nI work at Orb.\n\nI live in Rome.\n</user_memories>\nHi", "…\nHi"),
            ("<long-term-memory n=\"3\">x</long-term-memory>y", "…y"),
            ("<known_facts>x</known_facts>y", "…y"),
            ("[What I know about the user]\nAna works at Orb.\n\nHi", "…\nHi"),
            ("What I know about Ana:\n- Orb\n\nHi", "…\nHi"),
            ("## Relevant memories\n- Orb\n\nHi", "…\nHi"),
            ("【ユーザーについて知っていること】\n・京都在住\n\n了解", "…\n了解"),
            ("Memory: 16 GB\nDisk: 1 TB", "Memory: 16 GB\nDisk: 1 TB"),
            ("メモリ：16GB\nディスク：1TB", "メモリ：16GB\nディスク：1TB"),
            ("What I know about cheese is little.", "What I know about cheese is little."),
            ("The `<memory>` tag sets the size.", "The `<memory>` tag sets the size."),
            ("Memories are short.\nMemory", "Memories are short.\nMemory"),
        ] {
            assert_eq!(left(text), expect, "{text}");
        }
    }

    proptest! {
        #[test]
        fn blocks_are_in_order_and_apart(text in "(recalled memory|<recalled memory>|</recalled memory>|\\[|:|\n| |é|.){0,12}") {
            let found = blocks(&text, &names());
            prop_assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start));
            prop_assert!(found.iter().all(|range| text.get(range.clone()).is_some()));
        }
    }
}
