//! Tokens and sentences of English text: words with their clitics apart, numbers, addresses, quotations, marks, and times as one token.
//! Knows no word's meaning.

use super::words::{Tag, closed};
use crate::time::expr::{Role, TimeMention};
use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, with inner hyphens, dots and apostrophes.
    Word,
    /// Digits, with inner marks: `18,400`, `3.2.0`, `555-0182`.
    Number,
    /// A mail or web address, a path, a handle.
    Address,
    /// What stands between quotation marks and reads like a name; the text is without the marks.
    Title,
    /// What stands between quotation marks and reads like speech, or is hidden from readers.
    Speech,
    /// The time of this number among the text's times.
    Time(usize),
    /// Anything else, one character.
    Mark(char),
    /// The end of a line.
    Break,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// In lower case, with plain apostrophes.
    pub(super) lower: Cow<'t, str>,
    /// Bytes of the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// No space stands before it.
    pub(super) glued: bool,
}

impl Token<'_> {
    pub(super) fn is(&self, word: &str) -> bool {
        self.lower == word
    }

    pub(super) fn is_mark(&self, marks: &str) -> bool {
        matches!(self.kind, Kind::Mark(mark) if marks.contains(mark))
    }

    /// Whether it begins with a capital or is written in a script that has none, as names are.
    pub(super) fn is_capital(&self) -> bool {
        let mut letters = self.text.chars().filter(|c| c.is_alphabetic());
        matches!(self.kind, Kind::Word) && letters.next().is_some_and(|c| c.is_uppercase() || !c.is_lowercase())
    }
}

/// Words that end in a dot without ending a sentence.
const ABBREVIATIONS: [&str; 30] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "rev", "gen", "col", "sgt", "capt", "lt", "gov", "sen", "rep", "vs", "etc", "eg",
    "ie", "approx", "dept", "no", "nr", "inc", "ltd", "co", "corp", "mt",
];

/// The same where a sentence may well end with them.
const CLOSING: [&str; 6] = ["inc", "ltd", "co", "corp", "etc", "jr"];

/// Clitics that are words of their own, longest first.
const CLITICS: [&str; 8] = ["n't", "'ve", "'re", "'ll", "'m", "'s", "'d", "'"];

/// Cuts a text into tokens; the times among them are one token each.
///
/// # Complexity
/// Linear in the text.
pub(super) fn tokenize<'t>(text: &'t str, times: &[TimeMention]) -> Vec<Token<'t>> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut cutter = Cutter { text, at: 0, tokens: &mut tokens };
    let mut times = times.iter().enumerate().peekable();
    while cutter.at < text.len() {
        while times.next_if(|(_, time)| time.bytes.start < cutter.at).is_some() {}
        // "Lars Winter", "Ann May": a single word written large behind another is a name's.
        let is_name = |time: &TimeMention| {
            let word = text.get(time.bytes.clone()).unwrap_or_default();
            // "my last day at the mill" is no day of the calendar.
            let owned = matches!(word.to_lowercase().as_str(), "last day" | "first day")
                && cutter
                    .tokens
                    .last()
                    .is_some_and(|before| matches!(before.lower.as_ref(), "my" | "your" | "his" | "her" | "our" | "their" | "'s"));
            let large = word.chars().next().is_some_and(char::is_uppercase) && word.chars().all(char::is_alphabetic);
            let behind = cutter
                .tokens
                .last()
                .is_some_and(|before| before.is_capital() && before.kind == Kind::Word && closed(&before.lower).is_none());
            // "the Daily Byte": what recurs is a name before another one.
            let leads = time.role == Role::Every
                && text.get(time.bytes.end..).is_some_and(|after| after.trim_start().starts_with(char::is_uppercase));
            // "Jan Kerr": a month before another name, unless a word of time leads it.
            let timely = ["in", "since", "until", "till", "from", "during", "last", "next", "this", "early", "late", "mid", "on"];
            let month = word.len() >= 3 && !word.ends_with("day") && time.role == Role::At;
            let before_name = month
                && text.get(time.bytes.end..).is_some_and(|after| {
                    after.starts_with(' ') && after.trim_start().starts_with(char::is_uppercase) && !after.trim_start().starts_with("I ")
                })
                && !cutter.tokens.last().is_some_and(|before| timely.contains(&before.lower.as_ref()));
            // "owned by Jan Kerr": the same behind what leads a doer.
            let by = word.strip_prefix("by ").is_some_and(|month| {
                month.chars().all(char::is_alphabetic)
                    && month.starts_with(char::is_uppercase)
                    && !month.ends_with("day")
                    && text.get(time.bytes.end..).is_some_and(|after| after.trim_start().starts_with(char::is_uppercase))
            });
            // "The Winter Road", "through The Winter Road": a season written large within a title.
            let titled = {
                let last = word.split_whitespace().next_back().unwrap_or_default();
                let season = matches!(
                    last,
                    "Winter" | "Summer" | "Autumn" | "Spring" | "Fall" | "Midnight" | "Morning" | "Night" | "Day" | "Evening"
                );
                let before = text.get(..time.bytes.end - last.len()).unwrap_or_default().trim_end();
                season
                    && before.ends_with("The")
                    && text
                        .get(time.bytes.end..)
                        .is_some_and(|after| after.starts_with(' ') && after.trim_start().starts_with(char::is_uppercase))
            };
            // "a 1964 film": a year between an article and a noun only says which.
            let which = word.len() == 4
                && word.bytes().all(|b| b.is_ascii_digit())
                && cutter.tokens.last().is_some_and(|before| {
                    matches!(before.lower.as_ref(), "a" | "an" | "the" | "this" | "my" | "our" | "his" | "her" | "its" | "their")
                })
                && text.get(time.bytes.end..).is_some_and(|after| {
                    let next = after
                        .strip_prefix(' ')
                        .unwrap_or_default()
                        .split(|c: char| !c.is_alphanumeric() && c != '-')
                        .next()
                        .unwrap_or_default();
                    next.starts_with(char::is_lowercase) && closed(next).is_none()
                });
            which || owned || by || titled || large && (behind || leads || before_name)
        };
        if let Some((index, time)) = times.next_if(|(_, time)| time.bytes.start == cutter.at && !is_name(time)) {
            cutter.push(Kind::Time(index), time.bytes.end);
            continue;
        }
        cutter.step();
    }
    tokens
}

struct Cutter<'t, 'v> {
    text: &'t str,
    at: usize,
    tokens: &'v mut Vec<Token<'t>>,
}

impl<'t> Cutter<'t, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, end: usize) {
        let (start, end) = (self.at, end.min(self.text.len()).max(self.at + 1));
        self.push_as(kind, start, end, start, end);
        self.at = end;
    }

    /// A token that shows less than it takes up.
    fn push_as(&mut self, kind: Kind, start: usize, end: usize, from: usize, to: usize) {
        let Some(text) = self.text.get(from..to) else { return };
        let plain = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let lower = if plain { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase().replace('’', "'")) };
        let glued = self.text.get(..start).is_some_and(|before| before.chars().next_back().is_some_and(|c| !c.is_whitespace()));
        self.tokens.push(Token { kind, text, lower, start, end, glued });
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            self.at = self.text.len();
            return;
        };
        let width = first.len_utf8();
        match first {
            '\n' => self.push(Kind::Break, self.at + width),
            c if c.is_whitespace() => self.at += width,
            '"' | '“' | '«' => self.quotation(first, width),
            '\'' | '‘' if self.opens_quotation(rest, width) => self.quotation(first, width),
            '<' if rest.starts_with("<!--") => {
                let end = rest.find("-->").map_or(rest.len(), |end| end + 3);
                self.push(Kind::Speech, self.at + end);
            }
            c if c.is_alphanumeric() || (c == '@' || c == '#') && rest.chars().nth(1).is_some_and(char::is_alphanumeric) => self.word(rest),
            _ => self.push(Kind::Mark(first), self.at + width),
        }
    }

    /// Whether a single mark begins a quotation, where another closes it behind a word: not "'90s", "rock 'n' roll", "the boys' room".
    fn opens_quotation(&self, rest: &str, width: usize) -> bool {
        const CLIPPED: [&str; 10] = ["em", "n", "til", "till", "cause", "cos", "tis", "twas", "bout", "round"];
        let fresh = self
            .text
            .get(..self.at)
            .and_then(|before| before.chars().next_back())
            .is_none_or(|c| c.is_whitespace() || "([:{,=".contains(c));
        let inner = rest.get(width..).unwrap_or_default();
        let first = inner.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        let spelt = inner.starts_with(char::is_alphabetic) && !CLIPPED.contains(&first.as_str());
        fresh && spelt && closing(inner).is_some_and(|(length, _)| inner.get(..length).is_some_and(|inner| !inner.contains('\n')))
    }

    fn quotation(&mut self, open: char, width: usize) {
        const LONGEST_TITLE: usize = 7;
        let close = match open {
            '“' => '”',
            '«' => '»',
            _ => '"',
        };
        let inner = self.rest().get(width..).unwrap_or_default();
        let end = if matches!(open, '\'' | '‘') { closing(inner) } else { inner.find(close).map(|at| (at, close.len_utf8())) };
        let Some((length, closes)) = end.filter(|(length, _)| !inner.get(..*length).is_some_and(|inner| inner.contains("\n\n"))) else {
            return self.push(Kind::Mark(open), self.at + width);
        };
        let quoted = inner.get(..length).unwrap_or_default();
        let words = quoted.split_whitespace().count();
        let speaks = quoted.ends_with(['.', '!', '?', ','])
            || quoted.split_whitespace().any(|word| matches!(word, "I" | "I'm" | "I've" | "I’m" | "my" | "My" | "we" | "We" | "you"));
        let kind = if words == 0 || words > LONGEST_TITLE || speaks && words > 1 { Kind::Speech } else { Kind::Title };
        let (start, from) = (self.at, self.at + width);
        let to = from + quoted.trim_end_matches([',', '.']).len();
        let end = from + length + closes;
        self.push_as(kind, start, end, from, to);
        self.at = end;
    }

    fn word(&mut self, rest: &'t str) {
        let length = word_length(rest);
        let word = rest.get(..length).unwrap_or_default();
        if word.contains("://") || word.starts_with("www.") || word.contains('@') || word.starts_with('#') {
            let trimmed = word.trim_end_matches(['.', ',', ':', '/', '\'']);
            return self.push(Kind::Address, self.at + trimmed.len().max(1));
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(|c: char| c.is_alphabetic()) {
            return self.push(Kind::Number, self.at + length);
        }
        let folded = word.to_lowercase().replace('’', "'");
        let clitic = CLITICS.iter().find(|clitic| folded.len() > clitic.len() && folded.ends_with(**clitic));
        // The apostrophe may be a longer character than the plain one.
        let cut = clitic.map(|clitic| word.char_indices().rev().nth(clitic.chars().count() - 1).map_or(length, |(at, _)| at));
        let stem = cut.unwrap_or(length);
        let dotted = rest.get(length..).is_some_and(|after| after.starts_with('.')) && cut.is_none() && self.is_abbreviation(word, length);
        self.push(Kind::Word, self.at + stem + usize::from(dotted));
        if stem < length {
            self.push(Kind::Word, self.at + (length - stem));
        }
    }

    fn is_abbreviation(&self, word: &str, length: usize) -> bool {
        let after = self.rest().get(length + 1..).unwrap_or_default();
        let ends = after.trim_start_matches([' ', '\t']).chars().next().is_none_or(|c| c == '\n');
        let lower = word.to_lowercase();
        let initial = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && word != "I";
        let upper = after.trim_start().starts_with(char::is_uppercase);
        // "no." is a number's only before one, else a refusal.
        let numbered = !matches!(lower.as_str(), "no" | "nr" | "co" | "mt" | "gen" | "rep")
            || after.trim_start().starts_with(|c: char| c.is_ascii_digit())
            || word.starts_with(char::is_uppercase) && lower != "no";
        !ends && (initial || ABBREVIATIONS.contains(&lower.as_str()) && numbered && !(CLOSING.contains(&lower.as_str()) && upper))
    }
}

/// Where a quotation between single marks ends, and how wide its mark is: at a mark behind a word that no letter follows.
fn closing(inner: &str) -> Option<(usize, usize)> {
    // Looked for no further than a quotation is long: marks that nothing closes would else be looked for to the end of the text each.
    const LONGEST: usize = 1024;
    let inner = inner.get(..inner.floor_char_boundary(LONGEST)).unwrap_or_default();
    inner.match_indices(['\'', '’']).map(|(at, mark)| (at, mark.len())).find(|(at, _)| {
        let before = inner.get(..*at).and_then(|before| before.chars().next_back());
        let after = inner.get(*at..).and_then(|after| after.chars().nth(1));
        before.is_some_and(|c| !c.is_whitespace()) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// What tells an address stands no further from its beginning, in bytes.
const LONGEST_ADDRESS: usize = 512;

/// How many bytes the word has that a text begins with.
fn word_length(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    let mut end = 0;
    let mut previous = ' ';
    // Looked for no further than an address is long: what has no blanks at all would else be read to its end for each of its words.
    let head = rest.get(..rest.floor_char_boundary(LONGEST_ADDRESS)).unwrap_or_default();
    let is_address = head.split(char::is_whitespace).next().is_some_and(|word| word.contains("://") || word.contains('@'));
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, c)| *c);
        let inside = match c {
            c if c.is_alphanumeric() || c == '_' => true,
            '@' | '#' if at == 0 => true,
            '@' => next.is_alphanumeric(),
            '-' | '.' => (previous.is_alphanumeric() || is_address) && next.is_alphanumeric(),
            '\'' | '’' => previous.is_alphanumeric() && (next.is_alphanumeric() || previous == 's' && !next.is_alphanumeric()),
            '/' | ':' if is_address => !next.is_whitespace(),
            '/' => previous.is_alphabetic() && next.is_alphabetic(),
            ':' | ',' => previous.is_ascii_digit() && next.is_ascii_digit(),
            '+' if previous.is_uppercase() && !next.is_alphanumeric() || previous == '+' || previous.is_alphabetic() && (next == '+') => {
                true
            }
            '#' => previous.is_ascii_uppercase() && !next.is_alphanumeric(),
            '?' | '=' | '&' | '%' | '~' if is_address => next.is_alphanumeric(),
            _ => false,
        };
        if !inside {
            break;
        }
        end = at + c.len_utf8();
        previous = c;
    }
    end.max(rest.chars().next().map_or(1, char::len_utf8))
}

/// Whether what is in front of a dot is capitals with dots between them ("F.C", "U.S.A") whose sentence goes on: in small letters, or with
/// the rest of a name that a preposition leads and no verb follows.
fn goes_on(tokens: &[Token<'_>], from: usize, initials: usize, next: usize) -> bool {
    let is = |token: &Token<'_>| {
        let mut parts = token.text.split('.');
        token.kind == Kind::Word
            && token.text.contains('.')
            && parts.all(|part| part.chars().count() == 1 && part.chars().all(char::is_uppercase))
    };
    let Some(after) = tokens.get(next).filter(|_| tokens.get(initials).is_some_and(is)) else { return false };
    if matches!(after.kind, Kind::Word | Kind::Time(_)) && (initials == from || after.text.starts_with(char::is_lowercase)) {
        return true;
    }
    const INNER: [&str; 14] = ["de", "da", "di", "do", "du", "dos", "das", "del", "von", "van", "der", "la", "le", "al"];
    let of_name = |token: &Token<'_>| match token.kind {
        Kind::Word => token.is_capital() || INNER.contains(&token.lower.as_ref()),
        Kind::Number => true,
        Kind::Time(_) => !token.text.starts_with(char::is_lowercase),
        Kind::Address | Kind::Title | Kind::Speech | Kind::Mark(_) | Kind::Break => false,
    };
    let end = (next..tokens.len()).find(|at| tokens.get(*at).is_some_and(|token| !of_name(token)));
    let lead = (from..initials).rev().find_map(|at| tokens.get(at).filter(|token| !of_name(token)));
    let led = lead.is_some_and(|lead| closed(&lead.lower) == Some(Tag::Prep));
    // "The streets of A.B. Marl are": what comes first has its verb still to come.
    let finite = |token: &Token<'_>| matches!(closed(&token.lower), Some(Tag::Be | Tag::Have | Tag::Do | Tag::Modal));
    let begun = lead.is_some_and(|lead| lead.is("of")) && !tokens.get(from..initials).unwrap_or_default().iter().any(finite);
    let verbless = end.and_then(|end| tokens.get(end)).is_none_or(|token| match token.kind {
        Kind::Word => matches!(closed(&token.lower), Some(Tag::Prep | Tag::And | Tag::Gen)) || token.is("'s") || begun && finite(token),
        Kind::Time(_) | Kind::Number | Kind::Address | Kind::Title | Kind::Speech | Kind::Mark(_) | Kind::Break => true,
    });
    led && after.is_capital() && verbless
}

/// A sentence: its tokens, and whether it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) from: usize,
    pub(super) to: usize,
    /// It ends in a question mark.
    pub(super) asked: bool,
    /// It stands alone on its line and has no full stop: a heading, an item, a line of a form.
    pub(super) line: bool,
}

impl Sentence {
    /// So many words of one sentence are read; more are no sentence, and each clause would be looked at beside every other.
    const LONGEST: usize = 400;

    /// Whether it is short enough to be read.
    pub(super) const fn is_readable(&self) -> bool {
        self.to - self.from <= Self::LONGEST
    }
}

/// Where sentences begin and end; the marks that end them are left out.
pub(super) fn sentences(tokens: &[Token<'_>]) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut fresh = true;
    let mut close = |from: usize, to: usize, asked: bool, line: bool| {
        if from < to {
            found.push(Sentence { from, to, asked, line });
        }
    };
    let mut at = 0;
    // A semicolon inside brackets parts nothing: "(born in Ely; died in Rome)".
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Mark('(') => depth += 1,
            Kind::Mark(')') => depth = depth.saturating_sub(1),
            Kind::Break => depth = 0,
            _ => {}
        }
        let ends = match token.kind {
            Kind::Mark(';') if depth > 0 => false,
            // An ellipsis in front of a word belongs to what follows it.
            Kind::Mark('.' | '…') => {
                let dots = |token: &&Token<'_>| token.glued && matches!(token.kind, Kind::Mark('.' | '…'));
                let run = tokens.get(at + 1..).into_iter().flatten().take_while(dots).count();
                let next = tokens.get(at + 1 + run);
                if next.is_some_and(|next| next.glued && matches!(next.kind, Kind::Word | Kind::Number)) {
                    at += run;
                }
                // "Marl F.C. of Ely", "A.B. Marl": letters with dots are short for something.
                let short = at.checked_sub(1).is_some_and(|before| goes_on(tokens, from, before, at + 1));
                !short && from < at && next.is_none_or(|next| !next.glued || !matches!(next.kind, Kind::Word | Kind::Number))
            }
            Kind::Mark('!' | '?' | ';') | Kind::Break => true,
            _ => false,
        };
        if !ends {
            at += 1;
            continue;
        }
        let mut end = at;
        let mut asked = false;
        let mut broke = false;
        while let Some(token) = tokens.get(end) {
            match token.kind {
                Kind::Mark('.' | '…' | '!' | ';') => {}
                Kind::Mark('?') => asked = true,
                Kind::Break => broke = true,
                _ => break,
            }
            end += 1;
        }
        close(from, at, asked, fresh && tokens.get(at).is_some_and(|token| token.kind == Kind::Break));
        fresh = broke;
        from = end;
        at = end;
    }
    close(from, tokens.len(), false, fresh);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<&str> {
        tokenize(text, &[]).iter().map(|token| token.text).collect()
    }

    #[test]
    fn clitics_numbers_and_addresses_are_tokens_of_their_own() {
        assert_eq!(words("I'm sure she doesn’t."), ["I", "'m", "sure", "she", "does", "n’t", "."]);
        assert_eq!(words("Ann's 1,200.50 kg, v3.2.0"), ["Ann", "'s", "1,200.50", "kg", ",", "v3.2.0"]);
        assert_eq!(words("write to a.b@c.example."), ["write", "to", "a.b@c.example", "."]);
        assert_eq!(words("see https://x.example/a?b=1."), ["see", "https://x.example/a?b=1", "."]);
        assert_eq!(words("C++ and C# at Mill & Son"), ["C++", "and", "C#", "at", "Mill", "&", "Son"]);
        assert_eq!(words("the boys' room"), ["the", "boys", "'", "room"]);
    }

    #[test]
    fn short_quotations_are_titles_and_long_ones_speech() {
        let kinds: Vec<Kind> =
            tokenize("She read \"Low Water\" and said “I am leaving now.”", &[]).iter().map(|token| token.kind).collect();
        assert_eq!(kinds, [Kind::Word, Kind::Word, Kind::Title, Kind::Word, Kind::Word, Kind::Speech]);
    }

    #[test]
    fn sentences_end_at_marks_and_lines_but_not_at_abbreviations() {
        let split = |text: &str| -> Vec<String> {
            let tokens = tokenize(text, &[]);
            let text =
                |sentence: &Sentence| tokens[sentence.from..sentence.to].iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
            sentences(&tokens).iter().map(|sentence| text(sentence) + if sentence.asked { " ?" } else { "" }).collect()
        };
        assert_eq!(split("Dr. Orr left. Why? No idea!"), ["Dr. Orr left", "Why ?", "No idea"]);
        assert_eq!(split("one\ntwo; three"), ["one", "two", "three"]);
        assert_eq!(split("We pay Mill Ltd."), ["We pay Mill Ltd"]);
        assert_eq!(split("the band ...and Rain"), ["the band . . . and Rain"]);
        assert_eq!(split("Marl F.C. won. It rained in D.C. Bo left"), ["Marl F.C . won", "It rained in D.C", "Bo left"]);
        assert_eq!(split("She rows for A.B. Marl from Ely. B.C. Ely won"), ["She rows for A.B . Marl from Ely", "B.C . Ely won"]);
    }

    proptest! {
        #[test]
        fn tokens_lie_in_the_text_in_order(text in "\\PC{0,60}|[a-zA-Z'’\".,?!\n@:/ 0-9-]{0,60}") {
            let tokens = tokenize(&text, &[]);
            let mut last = 0;
            for token in &tokens {
                prop_assert!(token.start >= last && token.end > token.start && text.get(token.start..token.end).is_some());
                last = token.end;
            }
            for sentence in sentences(&tokens) {
                prop_assert!(sentence.from < sentence.to && sentence.to <= tokens.len());
            }
        }
    }
}
