//! Characters that are written otherwise than they read: JSON's `\u0040`, HTML's `&#64;`, the `%40` of addresses.
//!
//! Knows single characters only, and of the percent signs only ASCII; nothing of what they spell.

/// Whether a text may have such a character at all: cheap, and never wrongly no.
pub(super) fn may_hold(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'\\' | b'&' | b'%'))
}

/// What a text begins with, if that is an escape: the character that it reads as, and its length in bytes. Line ends and tabs (`\n`) only
/// where the text has strings with such escapes (`strings`), since paths have them too.
pub(super) fn at(text: &str, strings: bool) -> Option<(char, usize)> {
    match text.as_bytes().first()? {
        b'\\' => backslash(text, strings),
        b'&' => entity(text),
        b'%' => percent(text),
        _ => None,
    }
}

/// A string in a string doubles its backslashes, and again.
const MOST_BACKSLASHES: usize = 8;

fn backslash(text: &str, strings: bool) -> Option<(char, usize)> {
    let count = text.bytes().take(MOST_BACKSLASHES + 1).take_while(|byte| *byte == b'\\').count();
    let rest = text.get(count..).filter(|_| count <= MOST_BACKSLASHES)?;
    let (sort, digits) = rest.split_at_checked(1)?;
    match sort {
        "n" | "r" if strings => Some(('\n', count + 1)),
        "t" if strings => Some(('\t', count + 1)),
        "/" => Some(('/', count + 1)),
        "x" => Some((char::from(u8::try_from(hex(digits, 2)?).ok()?), count + 3)),
        "u" => {
            if let Some(inside) = digits.strip_prefix('{') {
                let end = inside.get(..inside.len().min(7)).or_else(|| inside.get(..inside.floor_char_boundary(7)))?.find('}')?;
                return Some((char::from_u32(hex(inside, end)?)?, count + 3 + end));
            }
            let first = hex(digits, 4)?;
            if !(0xd800..0xdc00).contains(&first) {
                return Some((char::from_u32(first)?, count + 5));
            }
            // What lies beyond the first plane is written in two.
            let second = digits.get(4..)?;
            let again = second.bytes().take(count).take_while(|byte| *byte == b'\\').count();
            let low = second.get(again..)?.strip_prefix('u').filter(|_| again == count).and_then(|digits| hex(digits, 4))?;
            let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
            Some((char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + low)?, (count + 5) * 2))
        }
        _ => None,
    }
}

fn hex(digits: &str, count: usize) -> Option<u32> {
    let digits = digits.get(..count).filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

/// Entities that a value or what announces it may be written with.
const ENTITIES: [(&str, char); 28] = [
    ("nbsp", ' '),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
    ("hairsp", ' '),
    ("numsp", ' '),
    ("quot", '"'),
    ("apos", '\''),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("commat", '@'),
    ("period", '.'),
    ("comma", ','),
    ("colon", ':'),
    ("equals", '='),
    ("num", '#'),
    ("sol", '/'),
    ("lowbar", '_'),
    ("plus", '+'),
    ("lpar", '('),
    ("rpar", ')'),
    ("hyphen", '-'),
    ("dash", '-'),
    ("ndash", '-'),
    ("mdash", '-'),
    ("minus", '-'),
    ("shy", '\u{ad}'),
];

fn entity(text: &str) -> Option<(char, usize)> {
    // Escaped twice, the sign itself is one more.
    let mut lead = 1;
    while lead < 16
        && let Some(after) = text.get(lead..).and_then(|rest| rest.strip_prefix("amp;"))
        && (after.starts_with('#') || names(after).is_some())
    {
        lead += 4;
    }
    let rest = text.get(lead..)?;
    if let Some(number) = rest.strip_prefix('#') {
        let (digits, radix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        let length = digits.bytes().take(8).take_while(|byte| char::from(*byte).is_digit(radix)).count();
        let read = u32::from_str_radix(digits.get(..length)?, radix).ok().and_then(char::from_u32)?;
        let closed = usize::from(digits.get(length..).is_some_and(|rest| rest.starts_with(';')));
        return Some((read, text.len() - digits.len() + length + closed));
    }
    let (name, read) = names(rest)?;
    Some((*read, lead + name.len() + 1))
}

/// The entity whose name and semicolon a text begins with.
fn names(text: &str) -> Option<&'static (&'static str, char)> {
    ENTITIES.iter().find(|(name, _)| text.strip_prefix(name).is_some_and(|rest| rest.starts_with(';')))
}

fn percent(text: &str) -> Option<(char, usize)> {
    let mut lead = 1;
    while lead < 9 && text.get(lead..).is_some_and(|rest| rest.starts_with("25") && hex(rest.get(2..).unwrap_or_default(), 2).is_some()) {
        lead += 2;
    }
    let read = char::from(u8::try_from(hex(text.get(lead..)?, 2)?).ok()?);
    let read = if matches!(read, '\t' | '\r') { ' ' } else { read };
    (read == '\n' || matches!(read, ' '..='~')).then_some((read, lead + 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        let mut read = String::new();
        let mut from = 0;
        while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
            let (c, length) = at(rest, true).unwrap_or_else(|| rest.chars().next().map(|c| (c, c.len_utf8())).unwrap());
            read.push(c);
            from += length;
        }
        read
    }

    #[test]
    fn escapes_read_as_what_they_spell() {
        for (text, expect) in [
            (r"bo\u0040x", "bo@x"),
            (r"a\\u002db", "a-b"),
            (r"\ud835\udfd2 \ud835", "\u{1d7d2} \\ud835"),
            (r"\u{40}\x2e\/\n", "@./\n"),
            (r#"\"\d\u12"#, r#"\"\d\u12"#),
            ("&#64;&#x2E;&#64 &nbsp;&amp;#64;", "@.@  @"),
            ("a&b; R&D; &amp; &amp;&lt;", "a&b; R&D; & &<"),
            ("ana%40x%2eorg 5%25 %2540 %zz %E3", "ana@x.org 5% @ %zz %E3"),
        ] {
            assert_eq!(read(text), expect, "{text}");
        }
    }

    proptest! {
        #[test]
        fn escapes_end_where_characters_do(text in "(\\\\|&|%|#|amp;|u|x|25|[0-9a-f]{1,4}|\\{|\\}|;|é|字){0,16}") {
            let whole = read(&text);
            prop_assert!(whole.chars().count() <= text.chars().count());
            prop_assert!(may_hold(&text) || whole == text);
        }
    }
}
