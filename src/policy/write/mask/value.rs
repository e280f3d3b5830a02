//! The value that a word is followed by: "password = X", "\"token\": \"X\"", "the code is X", 「暗証番号はX」. Knows no word.

use crate::policy::write::words::{Folded, is_unspaced};
use std::ops::Range;

/// The longest placeholder a policy may set, in characters.
pub(in crate::policy::write) const PLACEHOLDER_LONGEST: usize = 40;

/// How a value is tied to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tie {
    /// Nothing but a blank between.
    Bare,
    /// "is", は: in prose.
    Told,
    /// A colon.
    Colon,
    /// A sign of assignment, or a colon after a quoted key.
    Assigned,
}

/// A value after its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) range: Range<usize>,
    pub(super) tie: Tie,
    pub(super) quoted: bool,
    /// Whether nothing follows it on its line, or a copula ends its clause (「Xです」).
    pub(super) last: bool,
}

/// No value is longer, in bytes: what goes on is a text, and is not read for its end again and again.
const LONGEST: usize = 512;

/// How far a word's value may be from it where words stand between ("the password for the router is …"), in bytes.
const FARTHEST: usize = 48;

/// The value after a word that ends at `end`.
pub(super) fn after(folded: &Folded<'_>, end: usize) -> Option<Value> {
    let lower = folded.lower.as_str();
    let mut rest = lower.get(end..)?;
    let mut at = end;
    let mut skip = |rest: &mut &str, bytes: usize| {
        *rest = rest.get(bytes..).unwrap_or_default();
        at += bytes;
    };
    // The key of a string in a string ends with a backslash and a mark.
    let slashes = slashes(rest);
    let quoted_key = rest.get(slashes..).is_some_and(|rest| rest.starts_with(['"', '\''])) && !is_genitive(rest);
    if quoted_key {
        skip(&mut rest, slashes + 1);
    } else if rest.starts_with("**") || rest.starts_with("__") {
        skip(&mut rest, 2);
    } else if rest.starts_with(['`', ')', ']']) {
        skip(&mut rest, 1);
    }
    let blanks = |rest: &str| rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if rest.starts_with(['.', '#']) && lower.get(..end).is_some_and(|word| word.ends_with("no") || rest.starts_with('#')) {
        // "Passport no. X", "SSN# X".
        skip(&mut rest, 1);
    }
    let spaced = blanks(rest);
    skip(&mut rest, spaced);
    if let Some(remark) = remark(rest) {
        skip(&mut rest, remark);
    }
    let tagged = is_in_tag(lower, end);
    let signs: [(&str, Tie); 20] = [
        ("=>", Tie::Assigned),
        (":=", Tie::Assigned),
        ("==", Tie::Assigned),
        ("=", Tie::Assigned),
        (":", if quoted_key { Tie::Assigned } else { Tie::Colon }),
        ("は", Tie::Told),
        ("が", Tie::Told),
        ("を", Tie::Told),
        ("is ", Tie::Told),
        ("was ", Tie::Told),
        ("'s ", Tie::Told),
        ("to ", Tie::Told),
        ("number is ", Tie::Told),
        ("number: ", Tie::Colon),
        ("->", Tie::Assigned),
        (">", Tie::Assigned),
        ("|", Tie::Colon),
        ("used to be ", Tie::Told),
        ("- ", Tie::Bare),
        ("、", Tie::Bare),
    ];
    let tied = signs.iter().find(|(sign, _)| rest.starts_with(sign) && (*sign != ">" || tagged) && (*sign != "- " || spaced > 0));
    let in_cell = rest.starts_with('|');
    let mut tie = if let Some((sign, tie)) = tied {
        skip(&mut rest, sign.len());
        *tie
    } else {
        let clause = rest.get(..FARTHEST.min(rest.len())).or_else(|| rest.get(..rest.floor_char_boundary(FARTHEST)))?;
        let clause = clause.split(['\n', '.', ',', ';', '?', '!', '"']).next()?;
        let sign = spaced > 0 && ["for ", "to ", "on ", "of ", "we use ", "i use "].iter().any(|word| clause.starts_with(word));
        let told = [(" is ", Tie::Told), (": ", Tie::Colon), (" = ", Tie::Assigned)];
        let placed = told.into_iter().filter_map(|(word, tie)| Some((clause.find(word)? + word.len(), tie)));
        match placed.min_by_key(|(place, _)| *place).filter(|_| sign) {
            Some((place, tie)) => {
                skip(&mut rest, place);
                tie
            }
            None if spaced > 0 => Tie::Bare,
            None => return None,
        }
    };
    // "The password is still X".
    if tie == Tie::Told
        && let Some(word) = ["still ", "now ", "currently ", "actually ", "just "].iter().find(|word| rest.starts_with(**word))
    {
        skip(&mut rest, word.len());
    }
    if rest.starts_with("**") || rest.starts_with("__") {
        skip(&mut rest, 2);
    }
    let spaced = blanks(rest).min(8);
    skip(&mut rest, spaced);
    let below = matches!(tie, Tie::Colon | Tie::Assigned) && rest.starts_with('\n');
    if below {
        // What stands on the next line may be of something else: it has to look like a value.
        tie = Tie::Bare;
        skip(&mut rest, 1);
        let spaced = blanks(rest).min(16);
        skip(&mut rest, spaced);
    }
    if let Some(inside) = rest.strip_prefix('[').filter(|inside| tie == Tie::Assigned && inside.trim_start().starts_with(['"', '\\'])) {
        let lead = rest.len() - inside.trim_start().len();
        skip(&mut rest, lead.min(LONGEST));
    }
    if let Some((length, lead)) = quoted(folded, at) {
        return Some(Value { range: at + lead..at + lead + length, tie, quoted: true, last: false });
    }
    let rest = folded.text.get(at..)?;
    let rest = rest.get(..rest.floor_char_boundary(LONGEST))?;
    let stops = |c: char| {
        c.is_whitespace()
            || matches!(c, ',' | ';' | '"' | '\'' | '`' | '<' | '>' | '{' | '}' | '&')
            || is_unspaced(c)
            || (in_cell && c == '|')
    };
    let length = rest.find(stops).unwrap_or(rest.len());
    let value = rest.get(..length)?.trim_end_matches(['.', ':', ')', '?', ']', '\\']);
    let follows = rest.get(length..)?.trim_start_matches([' ', '\t', '\r', '。']);
    let last = follows.is_empty() || ["\n", "です", "だ", "である", "でした"].iter().any(|end| follows.starts_with(end));
    if below && !last {
        return None;
    }
    Some(Value { range: at..at + value.len(), tie, quoted: false, last })
}

/// The remark in brackets between a word and its sign: "password (new): …".
fn remark(rest: &str) -> Option<usize> {
    const LONGEST_REMARK: usize = 32;
    let head = rest.get(..rest.floor_char_boundary(LONGEST_REMARK))?;
    let (inside, _) = head.strip_prefix('(')?.split_once(')')?;
    let length = inside.len() + 2;
    let signed = rest.get(length..)?.trim_start_matches([' ', '*', '_']).starts_with([':', '=']);
    (signed && !inside.contains('\n')).then_some(length)
}

/// Whether the word that ends at a place is the name of a tag.
fn is_in_tag(lower: &str, end: usize) -> bool {
    const LONGEST_TAG: usize = 32;
    let before = lower.get(lower.floor_char_boundary(end.saturating_sub(LONGEST_TAG))..end).unwrap_or_default();
    before.rfind('<').is_some_and(|at| !before.get(at..).is_some_and(|name| name.contains(['>', ' ', '/', '\n'])))
}

/// The further values of a list that a value in marks at `from` stands in: `"…", "…"`.
pub(super) fn listed(folded: &Folded<'_>, from: usize) -> Vec<Range<usize>> {
    const MOST: usize = 64;
    let mut found = Vec::new();
    let mut at = from;
    while found.len() < MOST {
        let Some(rest) = folded.text.get(at..) else { break };
        let behind = rest.trim_start_matches(['\\', '"', '\'']);
        let Some(next) = behind.trim_start_matches([' ', '\n', '\t']).strip_prefix(',') else { break };
        let next = next.trim_start_matches([' ', '\n', '\t']);
        at += rest.len() - next.len();
        let Some((length, lead)) = quoted(folded, at) else { break };
        found.push(at + lead..at + lead + length);
        at += lead + length;
    }
    found
}

fn slashes(text: &str) -> usize {
    text.bytes().take(8).take_while(|byte| *byte == b'\\').count()
}

/// "The password's X".
fn is_genitive(rest: &str) -> bool {
    rest.starts_with("'s ")
}

/// The text in marks that begins at a place: its length, and that of the mark before it. It goes on to a mark written as the first one is,
/// over those that are not; one that is left open goes on to the end of its line.
fn quoted(folded: &Folded<'_>, at: usize) -> Option<(usize, usize)> {
    let rest = folded.text.get(at..)?;
    let slashes = slashes(rest);
    let open = rest.get(slashes..)?.chars().next().filter(|c| matches!(c, '"' | '\'' | '`' | '「' | '『'))?;
    let close = match open {
        '「' => '」',
        '『' => '』',
        other => other,
    };
    let lead = slashes + open.len_utf8();
    let written = folded.raw(at + slashes);
    let inside = rest.get(lead..rest.floor_char_boundary(lead + LONGEST))?;
    let mut before = 0;
    for (place, c) in inside.char_indices() {
        let raw = folded.raw(at + lead + place);
        if c == close && before <= slashes && (raw == written || close != open) {
            return Some((place - before, lead));
        }
        if c == '\n' && raw == Some(b'\n') {
            return (open == '"').then_some((place, lead));
        }
        before = if c == '\\' { before + 1 } else { 0 };
    }
    (open == '"').then_some((inside.len(), lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, word: &str, expect: Option<(&str, Tie)>) {
        let folded = Folded::new(text);
        let end = folded.lower.find(word).unwrap() + word.len();
        let found = after(&folded, end);
        assert_eq!(
            found.map(|value| (text[folded.given(value.range)].to_owned(), value.tie)),
            expect.map(|(value, tie)| (value.to_owned(), tie)),
            "{text}"
        );
    }

    #[test]
    fn values_are_found_behind_their_words_however_they_are_tied() {
        check("key=abc&x=1", "key", Some(("abc", Tie::Assigned)));
        check("{\"key\": \"a b\", \"x\": 1}", "key", Some(("a b", Tie::Assigned)));
        check("Key : abc.", "key", Some(("abc", Tie::Colon)));
        check("the key for the back door is abc, ok", "key", Some(("abc", Tie::Told)));
        check("鍵keyはabcです", "key", Some(("abc", Tie::Told)));
        check("keyは「abc」です", "key", Some(("abc", Tie::Told)));
        check("key abc", "key", Some(("abc", Tie::Bare)));
        check("key, abc", "key", None);
        check("a key", "key", None);
        check("the key's abc", "key", Some(("abc", Tie::Told)));
        check("key -> abc", "key", Some(("abc", Tie::Assigned)));
        check("**key:** abc", "key", Some(("abc", Tie::Colon)));
        check("**key**: abc", "key", Some(("abc", Tie::Colon)));
        check("key (new): abc", "key", Some(("abc", Tie::Colon)));
        check("key (new) abc", "key", Some(("(new", Tie::Bare)));
        check("| key | abc |", "key", Some(("abc", Tie::Colon)));
        check("<key>abc</key>", "key", Some(("abc", Tie::Assigned)));
        check("a > key>abc", "key", None);
        check("key:\n  abc\n", "key", Some(("abc", Tie::Bare)));
        check("key:\n  abc and more\n", "key", None);
        check("key - abc", "key", Some(("abc", Tie::Bare)));
        check(r#"{"key": ["a b", "c"]}"#, "key", Some(("a b", Tie::Assigned)));
    }

    #[test]
    fn marks_inside_marks_end_nothing() {
        check(r#"{"key": "a\"b c", "x": "y"}"#, "key", Some((r#"a\"b c"#, Tie::Assigned)));
        check(r#"{"note": "key: \"a b\", x"}"#, "key", Some(("a b", Tie::Colon)));
        check(r#""{\"key\": \"a b\"}""#, "key", Some(("a b", Tie::Assigned)));
        check(r#"{"key": "a\nb", "x": 1}"#, "key", Some((r"a\nb", Tie::Assigned)));
        check("&quot;key&quot;:&quot;a b&quot;", "key", Some(("a b", Tie::Assigned)));
        check("key=\"a&quot;b\" x", "key", Some(("a&quot;b", Tie::Assigned)));
        check("{\"key\": \"a b", "key", Some(("a b", Tie::Assigned)));
        check(r#"{"note": "key: abc\\", "x": 1}"#, "key", Some(("abc", Tie::Colon)));
    }
}
