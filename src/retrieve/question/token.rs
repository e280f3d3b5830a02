//! Cutting a question into words. Knows no grammar.

use std::ops::Range;

/// A word or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Where it stands, in bytes.
    pub(super) bytes: Range<usize>,
    /// In lower case, with straight apostrophes.
    pub(super) lower: String,
    /// Whether it begins with a capital or a digit.
    pub(super) large: bool,
    /// Whether it is a word and no mark.
    pub(super) word: bool,
    /// Whether it stands between quotation marks.
    pub(super) quoted: bool,
}

impl Token {
    pub(super) fn is(&self, lower: &str) -> bool {
        self.lower == lower
    }
}

/// The words and marks of a text, in order. A possessive "'s" is a word of its own.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open: Option<(char, usize)> = None;
    let mut rest = text.char_indices().peekable();
    while let Some((from, c)) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        if !(c.is_alphanumeric() || c == '#' || c == '&') {
            let to = from + c.len_utf8();
            tokens.push(token(text, from..to, false));
            mark_quotes(&mut tokens, &mut open, c, text, from);
            continue;
        }
        let mut to = from + c.len_utf8();
        while let Some((at, next)) = rest.peek().copied() {
            let after = text.get(at + next.len_utf8()..).and_then(|rest| rest.chars().next());
            let joins =
                matches!(next, '\'' | '’' | '-' | '.' | '&' | '@' | '_' | '·' | ':' | '+') && after.is_some_and(char::is_alphanumeric);
            // "D.C.", "Inc." before another word: the point is part of it.
            let point = next == '.'
                && (text.get(from..at).is_some_and(|word| word.contains('.') || word.chars().count() == 1) && !is_last(text, at + 1));
            if !(next.is_alphanumeric() || joins || point) {
                break;
            }
            to = at + next.len_utf8();
            rest.next();
        }
        push_word(&mut tokens, text, from..to);
    }
    tokens
}

/// Whether nothing but marks follows.
fn is_last(text: &str, from: usize) -> bool {
    !text.get(from..).is_some_and(|rest| rest.chars().any(char::is_alphanumeric))
}

/// A word, its possessive apart.
fn push_word(tokens: &mut Vec<Token>, text: &str, bytes: Range<usize>) {
    let word = text.get(bytes.clone()).unwrap_or_default();
    for sign in ["'s", "’s"] {
        if let Some(owner) = word.strip_suffix(sign).filter(|owner| !owner.is_empty()) {
            let cut = bytes.start + owner.len();
            tokens.push(token(text, bytes.start..cut, true));
            tokens.push(token(text, cut..bytes.end, true));
            return;
        }
    }
    tokens.push(token(text, bytes, true));
}

fn token(text: &str, bytes: Range<usize>, word: bool) -> Token {
    let written = text.get(bytes.clone()).unwrap_or_default();
    let large = written.chars().next().is_some_and(|c| c.is_uppercase() || c.is_numeric());
    Token { bytes, lower: written.to_lowercase().replace('’', "'"), large, word, quoted: false }
}

/// Marks what stands between a pair of quotation marks once it is closed.
fn mark_quotes(tokens: &mut [Token], open: &mut Option<(char, usize)>, c: char, text: &str, at: usize) {
    let closing = match c {
        '"' => '"',
        '“' => '”',
        '‘' => '’',
        '\'' => '\'',
        '「' => '」',
        '『' => '』',
        _ => '\0',
    };
    if let Some((close, from)) = *open
        && c == close
    {
        let last = tokens.len().saturating_sub(1);
        tokens.iter_mut().take(last).skip(from).for_each(|token| token.quoted = true);
        *open = None;
        return;
    }
    // An apostrophe opens nothing inside or behind a word.
    let behind_word = text.get(..at).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric);
    if open.is_none() && closing != '\0' && !(behind_word && matches!(c, '\'' | '‘')) {
        *open = Some((closing, tokens.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let words: Vec<String> = tokens(text).into_iter().map(|token| token.lower).collect();
        assert_eq!(words, expect, "{text}");
    }

    #[test]
    fn a_question_is_cut_into_words_and_marks() {
        check("Who runs Orb's mill?", &["who", "runs", "orb", "'s", "mill", "?"]);
        check("Is W. B. Hale in Port-au-Prince?", &["is", "w.", "b.", "hale", "in", "port-au-prince", "?"]);
        check("In 2019, who led it?", &["in", "2019", ",", "who", "led", "it", "?"]);
        check("", &[]);
    }

    #[test]
    fn what_is_quoted_is_marked() {
        let quoted: Vec<String> =
            tokens("Who wrote \"The Tin Boat\" and 'Salt'?").into_iter().filter(|token| token.quoted).map(|token| token.lower).collect();
        assert_eq!(quoted, ["the", "tin", "boat", "salt"]);
    }
}
