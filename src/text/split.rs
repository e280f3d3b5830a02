//! Cutting a text into pieces by script: words, numbers, runs of scripts that set no spaces, and literals such as ids and URLs.
//!
//! Owns what a character is for search. Knows no language and no index.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// No piece is longer, in bytes: what is longer is cut there.
const LONGEST_PIECE: usize = 128;

/// What sort of piece it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A word of a script that sets spaces.
    Word,
    /// Digits.
    Number,
    /// A run of a script that sets no spaces between words, or joins particles to them.
    Run,
    /// An id, a URL, an address or a version: something with its marks inside, beside the words in it.
    Literal,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'t> {
    pub(super) sort: Sort,
    /// As written.
    pub(super) text: &'t str,
    /// Its first byte in the text.
    pub(super) at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Dense,
    /// Stands between letters of one word and nowhere else.
    Apostrophe,
    Mark,
    Other,
}

/// Gives the pieces of a text in the order in which they end; a literal comes after the pieces in it.
///
/// # Complexity
/// Linear in the text.
pub(super) fn pieces<'t>(text: &'t str, mut sink: impl FnMut(Piece<'t>)) {
    let mut from = 0;
    for stretch in text.split_inclusive(char::is_whitespace) {
        let solid = stretch.trim_end();
        words(solid, from, &mut sink);
        if let Some(literal) = literal(solid) {
            let at = from + solid.find(literal).unwrap_or_default();
            sink(Piece { sort: Sort::Literal, text: literal, at });
        }
        from += stretch.len();
    }
}

/// The pieces of a stretch without white space.
fn words<'t>(stretch: &'t str, offset: usize, sink: &mut impl FnMut(Piece<'t>)) {
    let mut open: Option<(usize, Sort)> = None;
    let mut chars = stretch.char_indices().peekable();
    let mut close = |open: &mut Option<(usize, Sort)>, end: usize| {
        if let Some((start, sort)) = open.take()
            && let Some(text) = stretch.get(start..end)
        {
            sink(Piece { sort, text: text.trim_end_matches(is_apostrophe), at: offset + start });
        }
    };
    while let Some((at, c)) = chars.next() {
        let class = class(c);
        let sort = match class {
            Class::Letter => Sort::Word,
            Class::Digit => Sort::Number,
            Class::Dense => Sort::Run,
            Class::Mark if open.is_some() => continue,
            Class::Apostrophe if matches!(open, Some((_, Sort::Word))) => {
                if chars.peek().is_some_and(|(_, next)| self::class(*next) == Class::Letter) {
                    continue;
                }
                close(&mut open, at);
                continue;
            }
            Class::Apostrophe | Class::Mark | Class::Other => {
                close(&mut open, at);
                continue;
            }
        };
        match open {
            // "8th" and "v2" are one piece each, a word.
            Some((start, Sort::Number)) if sort == Sort::Word => open = Some((start, Sort::Word)),
            Some((_, Sort::Word)) if sort == Sort::Number => {}
            Some((start, kind)) if kind == sort && at - start < LONGEST_PIECE => {}
            Some(_) => {
                close(&mut open, at);
                open = Some((at, sort));
            }
            None => open = Some((at, sort)),
        }
    }
    close(&mut open, stretch.len());
}

/// The literal that a stretch without white space is, without the punctuation around it; `None` if it is plain words.
fn literal(stretch: &str) -> Option<&str> {
    if stretch.len() < 3 || stretch.len() > 4 * LONGEST_PIECE {
        return None;
    }
    let core = stretch.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let has = |test: fn(char) -> bool| core.chars().any(test);
    let marked = has(|c| matches!(c, '-' | '_' | '.' | '/' | ':' | '@' | '#' | '+'));
    let unlike_prose = has(|c| c.is_ascii_digit() || matches!(c, '@' | '_' | '/' | '#')) || core.contains("::");
    (core.is_ascii() && marked && unlike_prose).then_some(core)
}

/// A piece as it is compared: compatibility forms and composition unified, case folded.
///
/// Source: Unicode Standard 3.13, D146 (compatibility caseless match), composed (NFKC).
pub(super) fn fold(text: &str, out: &mut String) {
    out.clear();
    if text.is_ascii() {
        out.extend(text.chars().map(|c| c.to_ascii_lowercase()));
    } else {
        out.extend(text.chars().nfd().default_case_fold().nfkd().default_case_fold().nfkc());
    }
}

pub(super) const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '＇')
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            '\'' => Class::Apostrophe,
            _ => Class::Other,
        };
    }
    if is_apostrophe(c) {
        return Class::Apostrophe;
    }
    if is_dense(c) {
        return Class::Dense;
    }
    // Marks that compose with the letter before them: Latin ones, and the vowel signs of Indic scripts.
    if matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}') && !c.is_alphanumeric() {
        return Class::Mark;
    }
    match (c.is_numeric(), c.is_alphabetic()) {
        (true, _) => Class::Digit,
        (false, true) => Class::Letter,
        (false, false) => Class::Other,
    }
}

/// Whether a script sets no spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), or joins particles to them (Korean).
pub(super) const fn is_dense(c: char) -> bool {
    is_ideograph(c)
        || matches!(
            c,
            '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' // kana
            | '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' // Hangul
            | '\u{0e01}'..='\u{0e3a}' | '\u{0e40}'..='\u{0e4e}' | '\u{0e81}'..='\u{0ecd}' // Thai, Lao
            | '\u{1780}'..='\u{17d3}' | '\u{1000}'..='\u{109f}' // Khmer, Burmese
        )
}

/// Whether one character can be a word.
pub(super) const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '々' | '〆')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(Sort, &str)> {
        let mut found = Vec::new();
        pieces(text, |piece| {
            assert_eq!(text.get(piece.at..piece.at + piece.text.len()), Some(piece.text), "{text:?}");
            found.push((piece.sort, piece.text));
        });
        found
    }

    #[test]
    fn words_end_at_marks_and_keep_apostrophes_inside() {
        use Sort::{Number, Word};
        assert_eq!(of("Ana's dog, and 'hers'."), [(Word, "Ana's"), (Word, "dog"), (Word, "and"), (Word, "hers")]);
        assert_eq!(of("the 8th of 2019"), [(Word, "the"), (Word, "8th"), (Word, "of"), (Number, "2019")]);
        assert_eq!(of("Z\u{30c}ofie"), [(Word, "Z\u{30c}ofie")]);
        assert_eq!(of(""), []);
        assert_eq!(of(" - ’ !"), []);
    }

    #[test]
    fn scripts_without_spaces_are_runs() {
        use Sort::{Number, Run, Word};
        assert_eq!(of("王芳は2019年にToyotaへ"), [(Run, "王芳は"), (Number, "2019"), (Run, "年に"), (Word, "Toyota"), (Run, "へ")]);
        assert_eq!(of("서울에 살아요"), [(Run, "서울에"), (Run, "살아요")]);
        assert_eq!(of("เชียงใหม่"), [(Run, "เชียงใหม่")]);
    }

    #[test]
    fn literals_stand_beside_their_words() {
        let literals = |text| of(text).into_iter().filter(|(sort, _)| *sort == Sort::Literal).map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(literals("see (ticket AB-1207), or https://ex.org/a?b=1."), ["AB-1207", "https://ex.org/a?b=1"]);
        assert_eq!(literals("mail ana@ex.org, run a::b and v2.1"), ["ana@ex.org", "a::b", "v2.1"]);
        assert!(literals("well-known e.g. words, and 2019").is_empty());
    }

    #[test]
    fn folding_unifies_case_width_and_composition() {
        let folded = |text| {
            let mut out = String::new();
            fold(text, &mut out);
            out
        };
        assert_eq!(folded("Ｔｏｋｙｏ"), "tokyo");
        assert_eq!(folded("STRASSE"), folded("Straße"));
        assert_eq!(folded("ｱｲﾃﾑ"), "アイテム");
        assert_eq!(folded("A\u{308}iti"), folded("äiti"));
    }
}
