//! Tokens: words, numbers and marks of a text in any script, with what the lexicon says of them.
//! Knows nothing of grammar. Half-width and full-width forms are one; upper and lower case are one.

use super::lang::Language;
use super::lexicon::{Atom, Lexicon};
use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters of a script with spaces.
    Word,
    /// A word, or one character, of a script without spaces.
    Glyph,
    /// Digits, or numerals of a script without spaces (then `digits` is 0).
    Number { value: i64, digits: u8 },
    /// Anything else, half-width.
    Mark(char),
}

/// How a word is capitalised; what is no word is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Case {
    #[default]
    Lower,
    /// The first letter only.
    Capital,
    /// Two letters or more, and all of them.
    Upper,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    /// As the lexicon writes it.
    pub(super) norm: Cow<'t, str>,
    pub(super) atoms: &'static [Atom],
    /// Bytes of the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// No space stands before it.
    pub(super) glued: bool,
    /// How it is capitalised.
    pub(super) case: Case,
}

impl Token<'_> {
    pub(super) fn is(&self, word: &str) -> bool {
        self.norm == word
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(super) fn find<O>(&self, of: impl Fn(Atom) -> Option<O>) -> Option<O> {
        self.atoms.iter().find_map(|atom| of(*atom))
    }

    /// Whether it is a word that begins with a capital letter.
    pub(super) fn is_capital(&self) -> bool {
        self.case != Case::Lower
    }

    pub(super) const fn number(&self) -> Option<(i64, u8)> {
        match self.kind {
            Kind::Number { value, digits } => Some((value, digits)),
            Kind::Word | Kind::Glyph | Kind::Mark(_) => None,
        }
    }

    /// Whether a time may have to do with it.
    pub(super) fn is_temporal(&self) -> bool {
        matches!(self.kind, Kind::Number { .. }) || self.atoms.iter().any(|atom| atom.is_temporal())
    }
}

/// The half-width form of a character, and of the many dashes and quotes one.
const fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => match char::from_u32(c as u32 - 0xfee0) {
            Some(narrow) => narrow,
            None => c,
        },
        '〜' | '∼' => '~',
        '−' | '–' | '—' | '‐' | '‑' => '-',
        '’' | '‘' => '\'',
        '\u{3000}' | '\u{a0}' | '\u{202f}' => ' ',
        _ => c,
    }
}

/// Whether a character shows nothing and joins or parts nothing that is read: soft hyphens and their like, which pasted text has.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Whether the script of the letter has no spaces between words.
pub(super) const fn is_glyph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '々' | '〇' | '\u{337b}'..='\u{337e}' | '\u{32ff}')
}

/// The value of a numeral of the Chinese script: a digit, or a power of ten.
const fn numeral(c: char) -> Option<(i64, bool)> {
    Some(match c {
        '〇' | '零' => (0, false),
        '一' | '壱' => (1, false),
        '二' | '弐' => (2, false),
        '三' | '参' => (3, false),
        '四' => (4, false),
        '五' => (5, false),
        '六' => (6, false),
        '七' => (7, false),
        '八' => (8, false),
        '九' => (9, false),
        '十' => (10, true),
        '百' => (100, true),
        '千' => (1000, true),
        '万' => (10_000, true),
        _ => return None,
    })
}

/// Reads a run of such numerals, by place (二〇一八) or by powers (二千十八).
fn numerals(text: &str) -> Option<(i64, usize)> {
    let (mut total, mut digit, mut bytes) = (0_i64, None::<i64>, 0);
    for (count, (at, c)) in text.char_indices().enumerate() {
        let Some((value, power)) = numeral(c).filter(|_| count < 12) else { break };
        // 第一四半期 is the first quarter, and 四半世紀 a quarter of a century: their 四 is of no number.
        if c == '四'
            && count > 0
            && text.get(at + c.len_utf8()..).is_some_and(|rest| rest.starts_with("半期") || rest.starts_with("半世紀"))
        {
            break;
        }
        if power {
            total = total.checked_add(digit.unwrap_or(1).checked_mul(value)?)?;
            digit = None;
        } else {
            digit = Some(digit.unwrap_or(0).checked_mul(10)?.checked_add(value)?);
        }
        bytes += c.len_utf8();
    }
    (bytes > 0).then(|| (total.saturating_add(digit.unwrap_or(0)), bytes))
}

/// Cuts a text into tokens, with the meanings that the lexicons of all languages give them: a text of one quotes another.
///
/// # Complexity
/// Linear in the text.
pub(super) fn tokenize(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(text.len() / 5 + 4);
    let mut at = 0;
    let mut glued = true;
    while let Some(rest) = text.get(at..)
        && let Some(raw) = rest.chars().next()
    {
        let c = half_width(raw);
        let start = at;
        if c.is_whitespace() && c != '\n' {
            at += raw.len_utf8();
            glued = false;
            continue;
        }
        if is_invisible(c) {
            at += raw.len_utf8();
            continue;
        }
        let mut case = Case::Lower;
        let (kind, norm, length) = if c.is_ascii_digit() {
            let (value, digits, bytes) = digits(rest);
            (Kind::Number { value, digits }, Cow::Borrowed(""), bytes)
        } else if is_glyph(c) {
            glyphs(rest)
        } else if c.is_alphabetic() || (c == '\'' && rest.chars().nth(1).is_some_and(|next| next.is_alphabetic() && !is_glyph(next))) {
            let (norm, bytes, written) = word(rest);
            case = written;
            (Kind::Word, norm, bytes)
        } else {
            (Kind::Mark(c), Cow::Borrowed(""), raw.len_utf8())
        };
        at = start + length;
        tokens.push(Token { kind, norm, atoms: &[], start, end: at, glued, case });
        glued = true;
    }
    look_up(&tokens, text)
}

fn digits(rest: &str) -> (i64, u8, usize) {
    let (mut value, mut count, mut bytes) = (0_i64, 0_u8, 0);
    for raw in rest.chars() {
        let Some(digit) = half_width(raw).to_digit(10) else { break };
        value = value.saturating_mul(10).saturating_add(i64::from(digit));
        count = count.saturating_add(1);
        bytes += raw.len_utf8();
    }
    (value, count, bytes)
}

fn word(rest: &str) -> (Cow<'_, str>, usize, Case) {
    let (mut at, mut bytes, mut letters, mut capitals) = (0, 0, 0, 0);
    let mut plain = true;
    let mut first_is_capital = false;
    for (index, raw) in rest.chars().enumerate() {
        let c = half_width(raw);
        let letter = c.is_alphabetic() && !is_glyph(c);
        if !(letter || index == 0 || is_invisible(c)) {
            break;
        }
        plain &= raw.is_ascii() && !raw.is_ascii_uppercase();
        at += raw.len_utf8();
        if letter || index == 0 {
            // A word does not end with what is invisible.
            bytes = at;
            letters += usize::from(letter);
            capitals += usize::from(c.is_uppercase());
            first_is_capital |= letters == 1 && c.is_uppercase();
        }
    }
    let text = rest.get(..bytes).unwrap_or_default();
    let spelled = || text.chars().filter(|c| !is_invisible(*c)).map(half_width).flat_map(char::to_lowercase).collect();
    let norm = if plain { Cow::Borrowed(text) } else { Cow::Owned(spelled()) };
    let case = match (first_is_capital, capitals) {
        (true, capitals) if capitals == letters && letters > 1 => Case::Upper,
        (true, _) => Case::Capital,
        (false, _) => Case::Lower,
    };
    (norm, bytes, case)
}

/// Numerals, or one character; the lexicon makes words of characters afterwards.
fn glyphs(rest: &str) -> (Kind, Cow<'_, str>, usize) {
    let first = rest.chars().next().map_or(0, char::len_utf8);
    match numerals(rest) {
        Some((value, bytes)) => (Kind::Number { value, digits: 0 }, Cow::Borrowed(rest.get(..bytes).unwrap_or_default()), bytes),
        None => (Kind::Glyph, Cow::Borrowed(rest.get(..first).unwrap_or_default()), first),
    }
}

/// Gives each token its meanings, and makes one of those that a phrase of a lexicon is made of.
fn look_up<'t>(tokens: &[Token<'t>], text: &'t str) -> Vec<Token<'t>> {
    let lexicons: Vec<(&'static Lexicon, bool)> =
        Language::ALL.iter().map(|language| (language.lexicon(), language.has_spaces())).collect();
    let mut out: Vec<Token<'t>> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let glyph = is_glyph_start(text, token);
        let found = lexicons.iter().filter(|(_, spaces)| *spaces != glyph).find_map(|(lexicon, spaces)| {
            if *spaces {
                let fits = |index: usize, word: &str| {
                    tokens.get(at + 1 + index).is_some_and(|next| {
                        next.norm == word || matches!(next.kind, Kind::Mark(mark) if word.len() == 1 && word.starts_with(mark))
                    })
                };
                lexicon.longest(&token.norm, fits, |_| true).map(|(more, atoms)| (more + 1, atoms))
            } else {
                glyph_word(lexicon, tokens, at, text)
            }
        });
        let (count, atoms) = found.unwrap_or((1, &[]));
        let mut token = token.clone();
        token.atoms = atoms;
        if let (true, Some(last)) = (count > 1 || glyph && !atoms.is_empty(), tokens.get(at + count - 1)) {
            token.end = last.end;
            if glyph {
                token.kind = Kind::Glyph;
                token.norm = Cow::Borrowed(text.get(token.start..token.end).unwrap_or_default());
            } else {
                token.norm = Cow::Owned(tokens.iter().skip(at).take(count).map(|token| token.norm.as_ref()).collect::<Vec<_>>().join(" "));
            }
        }
        out.push(token);
        at += count;
    }
    out
}

fn is_glyph_start(text: &str, token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Glyph => true,
        Kind::Number { digits, .. } => digits == 0,
        Kind::Mark('(') => text.get(token.end..).and_then(|rest| rest.chars().next()).is_some_and(is_glyph),
        Kind::Word | Kind::Mark(_) => false,
    }
}

/// The longest word of a lexicon of a script without spaces that begins at the token and ends where one ends.
fn glyph_word(lexicon: &'static Lexicon, tokens: &[Token<'_>], at: usize, text: &str) -> Option<(usize, &'static [Atom])> {
    let token = tokens.get(at)?;
    let rest = text.get(token.start..)?;
    let mut chars = rest.char_indices();
    let (_, first) = chars.next()?;
    let tail = rest.get(first.len_utf8()..)?;
    let mut buffer = [0; 4];
    let fits = |index: usize, wanted: &str| tail.chars().nth(index).is_some_and(|c| wanted.starts_with(half_width(c)));
    // The last character of an entry may begin a weekday: 前の月曜日 holds no 前の月.
    let ends = |more: usize| more == 0 || tail.chars().nth(more) != Some('曜');
    let (more, atoms) = lexicon.longest(half_width(first).encode_utf8(&mut buffer), fits, ends)?;
    let bytes: usize = rest.chars().take(more + 1).map(char::len_utf8).sum();
    let end = token.start + bytes;
    let last = tokens.iter().skip(at).take(more + 1).position(|token| token.end == end)?;
    Some((last + 1, atoms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Vec<String> {
        let piece = |token: &Token<'_>| {
            let glue = if token.glued { "" } else { " " };
            match token.kind {
                Kind::Number { value, .. } => format!("{glue}#{value}"),
                Kind::Mark(mark) => format!("{glue}{mark}"),
                Kind::Word | Kind::Glyph => format!("{glue}{}", token.norm),
            }
        };
        tokenize(text).iter().map(piece).collect()
    }

    #[test]
    fn words_numbers_and_marks_are_kept_apart() {
        assert_eq!(shape("On 3rd March,at 16h00"), ["on", " #3", "rd", " march", ",", "at", " #16", "h", "#0"]);
        assert_eq!(shape("２０２１年　１１月"), ["#2021", "年", " #11", "月"]);
        assert_eq!(shape("二〇一八年三十一日"), ["#2018", "年", "#31", "日"]);
        assert_eq!(shape("New Year's Eve"), ["new year 's eve"]);
    }

    #[test]
    fn what_is_invisible_parts_no_word() {
        assert_eq!(shape("to\u{ad}morrow\u{200b} 3\u{feff}"), ["tomorrow", " #3"]);
        let tokens = tokenize("to\u{ad}morrow\u{ad}!");
        assert_eq!(tokens.first().map(|token| (token.start, token.end)), Some((0, 10)));
    }

    #[test]
    fn words_keep_how_they_are_capitalised() {
        let cases: Vec<Case> = tokenize("June june AD I 'Sam").iter().map(|token| token.case).collect();
        assert_eq!(cases, [Case::Capital, Case::Lower, Case::Upper, Case::Capital, Case::Capital]);
    }
}
