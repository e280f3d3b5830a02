//! Texts as scanners read them, and phrases looked for in them. Knows no phrase and nothing of what one means.

use super::escape;
use crate::model::is_invisible;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// A text with widths, dashes, apostrophes and figures made one, escapes read, invisible marks dropped, and its lower-case twin (ASCII
/// letters only).
///
/// Both twins have the same length; places in them lead back to the text as given.
#[derive(Debug)]
pub(super) struct Folded<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) lower: String,
    /// For each byte of `text`, and for its end, the byte of the text as given; nothing where they are the same.
    places: Option<Vec<u32>>,
    given: &'t str,
}

impl<'t> Folded<'t> {
    pub(super) fn new(given: &'t str) -> Self {
        let escaped = escape::may_hold(given);
        if !escaped && (given.is_ascii() || !given.chars().any(|c| folds(c).is_some())) {
            return Self { text: Cow::Borrowed(given), lower: given.to_ascii_lowercase(), places: None, given };
        }
        let strings = escaped && given.contains('"');
        let mut text = String::with_capacity(given.len());
        let mut places = Vec::with_capacity(given.len() + 1);
        let mut kanji = false;
        let mut at = 0;
        while let Some(rest) = given.get(at..)
            && let Some(first) = rest.chars().next()
        {
            let read = if escaped && first.is_ascii() { escape::at(rest, strings) } else { None };
            let (c, length) = read.unwrap_or((first, first.len_utf8()));
            let before = text.len();
            let figure = kanji_figure(c);
            match folds(c) {
                Some(Fold::Dropped) => {}
                // A long-vowel mark is a dash only between figures.
                Some(Fold::AfterDigit) if !text.ends_with(|c: char| c.is_ascii_digit()) => text.push(c),
                Some(Fold::AfterDigit) => text.push('-'),
                // One alone is a word, or part of one.
                Some(Fold::InRun(folded)) if kanji || rest.chars().nth(1).is_some_and(|next| kanji_figure(next).is_some()) => {
                    text.push(folded);
                }
                None | Some(Fold::InRun(_)) => text.push(c),
                Some(Fold::To(folded)) => text.push(folded),
            }
            kanji = figure.is_some();
            places.extend(std::iter::repeat_n(u32::try_from(at).unwrap_or(u32::MAX), text.len() - before));
            at += length;
        }
        places.push(u32::try_from(given.len()).unwrap_or(u32::MAX));
        let lower = text.to_ascii_lowercase();
        Self { text: Cow::Owned(text), lower, places: Some(places), given }
    }

    /// The byte of the text as given that the character at a place was read from.
    pub(super) fn raw(&self, at: usize) -> Option<u8> {
        let given = self.given(at..at).start;
        self.given.as_bytes().get(given).copied()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Where a stretch stands in the text as given, in bytes.
    pub(super) fn given(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize| match &self.places {
            None => at,
            Some(places) => places.get(at).or(places.last()).map_or(0, |at| *at as usize),
        };
        place(range.start)..place(range.end)
    }

    /// The character before a place, and the one at it.
    pub(super) fn around(&self, at: usize) -> (Option<char>, Option<char>) {
        let before = self.text.get(..at).and_then(|text| text.chars().next_back());
        let after = self.text.get(at..).and_then(|text| text.chars().next());
        (before, after)
    }
}

enum Fold {
    To(char),
    /// A figure where it stands beside others.
    InRun(char),
    AfterDigit,
    Dropped,
}

/// The first of ten figures in a row, in the scripts that have figures of their own.
const ZEROS: [char; 22] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}', '\u{ce6}', '\u{d66}',
    '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{1090}', '\u{17e0}', '\u{1810}', '\u{a9d0}', '\u{aa50}',
];

/// The figure that an ideograph is.
fn kanji_figure(c: char) -> Option<char> {
    const FIGURES: [(char, char); 11] = [
        ('〇', '0'),
        ('零', '0'),
        ('一', '1'),
        ('二', '2'),
        ('三', '3'),
        ('四', '4'),
        ('五', '5'),
        ('六', '6'),
        ('七', '7'),
        ('八', '8'),
        ('九', '9'),
    ];
    if c < '\u{3007}' {
        return None;
    }
    FIGURES.iter().find(|(figure, _)| *figure == c).map(|(_, digit)| *digit)
}

/// The figure of another script.
fn foreign_figure(c: char) -> Option<char> {
    if !('\u{660}'..='\u{aa59}').contains(&c) || ('\u{1820}'..'\u{a9d0}').contains(&c) {
        return None;
    }
    let zero = ZEROS.iter().rev().find(|zero| **zero <= c)?;
    char::from_digit((u32::from(c) - u32::from(*zero)).min(10), 10)
}

/// What a character that is no ASCII is read as, where it is read as something else.
fn folds(c: char) -> Option<Fold> {
    if c.is_ascii() {
        return None;
    }
    if is_invisible(c) {
        return Some(Fold::Dropped);
    }
    let to = match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0)?,
        '\u{3000}' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' => '-',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        // Mathematical digits, five alphabets of ten.
        '\u{1d7ce}'..='\u{1d7ff}' => char::from_digit((u32::from(c) - 0x1d7ce) % 10, 10)?,
        'ー' => return Some(Fold::AfterDigit),
        _ => match kanji_figure(c) {
            Some(figure) => return Some(Fold::InRun(figure)),
            None => foreign_figure(c)?,
        },
    };
    Some(Fold::To(to))
}

/// Whether a character is of a word that white space sets apart from others.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() && !is_unspaced(c) }
}

/// Whether a character is of a script that does not set words apart: Han, kana, Hangul with its particles, Thai and its neighbours.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// One phrase found, in bytes of the folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit<T> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) what: T,
}

/// Phrases, each with what it stands for.
#[derive(Clone, Debug)]
pub(super) struct Phrases<T> {
    ascii: Vec<Vec<(String, T)>>,
    other: FxHashMap<char, Vec<(String, T)>>,
}

impl<T: Copy> Phrases<T> {
    /// Phrases in any case and width. A blank in one stands for a blank, a hyphen or a low line.
    pub(super) fn new<'p>(phrases: impl IntoIterator<Item = (&'p str, T)>) -> Self {
        let mut all = Self { ascii: vec![Vec::new(); 128], other: FxHashMap::default() };
        for (phrase, what) in phrases {
            let folded = Folded::new(phrase.trim()).lower;
            let Some(first) = folded.chars().next() else { continue };
            match all.ascii.get_mut(first as usize) {
                Some(bucket) => bucket.push((folded, what)),
                None => all.other.entry(first).or_default().push((folded, what)),
            }
        }
        all
    }

    /// Every phrase as a whole word, in the order of the text; `DB_PASSWORD` and `dbPassword` end in the word "password".
    ///
    /// # Complexity
    /// Linear in the text, times the phrases that begin with one character.
    pub(super) fn find(&self, folded: &Folded<'_>) -> Vec<Hit<T>> {
        let mut hits = Vec::new();
        let mut before = None;
        let cased = folded.bytes();
        for (start, c) in folded.lower.char_indices() {
            let bucket = if c.is_ascii() { self.ascii.get(c as usize) } else { self.other.get(&c) };
            if let Some(bucket) = bucket
                && !bucket.is_empty()
                && begins(before, c, start, cased)
            {
                let rest = folded.lower.get(start..).unwrap_or_default();
                for (phrase, what) in bucket {
                    if says(rest, phrase) && ends(rest, phrase) {
                        hits.push(Hit { start, end: start + phrase.len(), what: *what });
                    }
                }
            }
            before = Some(c);
        }
        hits
    }
}

/// Whether a word may begin with `c` after `before`.
fn begins(before: Option<char>, c: char, start: usize, cased: &[u8]) -> bool {
    if !is_word(c) || !before.is_some_and(is_word) {
        return true;
    }
    let upper = |at: usize| cased.get(at).is_some_and(u8::is_ascii_uppercase);
    start > 0 && upper(start) && !upper(start - 1)
}

fn says(rest: &str, phrase: &str) -> bool {
    let (rest, phrase) = (rest.as_bytes(), phrase.as_bytes());
    rest.len() >= phrase.len()
        && rest.iter().zip(phrase).all(|(said, wanted)| said == wanted || (*wanted == b' ' && matches!(said, b'-' | b'_' | b'\n')))
}

fn ends(rest: &str, phrase: &str) -> bool {
    let after = rest.get(phrase.len()..).and_then(|rest| rest.chars().next());
    !phrase.chars().next_back().is_some_and(is_word) || !after.is_some_and(is_word)
}

/// The sentences of a text, in bytes: each ends after its full stop, question or exclamation mark, or at a line's end. Together they
/// are the whole text.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let over = match c {
            '\n' | '。' | '！' | '？' => true,
            // "3.5", "a.b" and "e.g." inside a word end nothing.
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if over {
            let end = at + c.len_utf8();
            found.push(start..end);
            start = end;
        }
    }
    if start < text.len() {
        found.push(start..text.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn widths_dashes_and_invisible_marks_fold_and_lead_back() {
        let given = "番号は４１\u{200b}１１ー１２Ａ。";
        let folded = Folded::new(given);
        assert_eq!(folded.text, "番号は4111-12A。");
        assert_eq!(folded.lower, "番号は4111-12a。");
        let at = folded.text.find("4111").unwrap();
        assert_eq!(given.get(folded.given(at..at + 4)), Some("４１\u{200b}１１"));
        assert_eq!(Folded::new("データ").text, "データ", "a long vowel is no dash");
        assert_eq!(Folded::new("don’t").text, "don't");
        assert_eq!(Folded::new("一緒に〇三ー一二三四").text, "一緒に03-1234", "a figure alone is a word");
        assert_eq!(Folded::new("٤١ ४१ ៤ A").text, "41 41 4 A");
    }

    #[test]
    fn escapes_fold_and_lead_back() {
        let given = r#"{"pass\u0077ord":"4111\u00204111&nbsp;x%40y"}"#;
        let folded = Folded::new(given);
        assert_eq!(folded.text, r#"{"password":"4111 4111 x@y"}"#);
        let at = folded.text.find("4111 4111").unwrap();
        assert_eq!(given.get(folded.given(at..at + 9)), Some(r"4111\u00204111"));
        assert_eq!(folded.raw(at + 4), Some(b'\\'));
        assert_eq!(Folded::new(r"C:\temp\new").text, r"C:\temp\new", "a path has no lines");
    }

    #[test]
    fn phrases_are_whole_words_in_any_dress() {
        let phrases = Phrases::new([("api key", 1), ("password", 2), ("パスワード", 3), ("pin", 4)]);
        let found = |text: &str| phrases.find(&Folded::new(text)).iter().map(|hit| hit.what).collect::<Vec<_>>();
        assert_eq!(found("my API-Key, MY_API_KEY and the ＰＡＳＳＷＯＲＤ"), [1, 1, 2]);
        assert_eq!(found("dbPassword 新パスワード"), [2, 3]);
        assert_eq!(found("spinning passwords pineapple opinion"), [0; 0]);
    }

    #[test]
    fn sentences_cover_the_text() {
        let text = "It costs 3.50 now. Really?はい。\nend";
        let parts: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(parts, ["It costs 3.50 now.", " Really?はい。", "\n", "end"]);
    }

    proptest! {
        #[test]
        fn places_of_folded_texts_are_places_of_the_text_as_given(given in "[ａ０ー\u{200b}é字 a0\u{1d7ce}]{0,24}|\\PC{0,24}") {
            let folded = Folded::new(&given);
            prop_assert_eq!(folded.text.len(), folded.lower.len());
            for (at, c) in folded.text.char_indices() {
                prop_assert!(given.get(folded.given(at..at + c.len_utf8())).is_some());
            }
            let whole: String = sentences(&given).into_iter().map(|range| &given[range]).collect();
            prop_assert_eq!(whole, given.as_str());
        }
    }
}
