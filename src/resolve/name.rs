//! Names taken apart: the words that are the name, and what stands around them. Knows no other name and no store.

use super::identity;
use super::lexicon::{Lexicon, Title};
use crate::model::TermRef;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A longer text is no name: its words are what stands in it, and nothing comes off.
const MOST_WORDS: usize = 16;
/// The same in bytes.
const MOST_BYTES: usize = 512;

/// A name, taken apart.
///
/// Case, width, composition and white space are as in [`identity`](super::identity()); punctuation only separates words, and
/// apostrophes not even that. "Last, First" stands as "First Last". What is no part of the name itself (titles, honorifics, "Jr",
/// degrees, legal forms, a leading "the") is taken off and kept beside it.
///
/// ```
/// use erstwhile::resolve::Name;
/// let words = |name: &str| Name::read(name).words().collect::<Vec<_>>().join(" ");
/// assert_eq!(words("Dr. LIMA, Ana-Sofia"), "ana sofia lima");
/// assert_eq!(words("Quellmark Pty. Ltd."), "quellmark");
/// assert_eq!(words("田中太郎様"), "田中 太郎"); // a common family name comes off
/// assert_eq!(words("J.R. O’Hara"), "j r ohara");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that was seen or not")]
pub struct Name {
    pub(super) identity: String,
    pub(super) words: Vec<Word>,
    /// Titles, in the order of the text.
    pub(super) titles: Vec<(String, Title)>,
    /// Ends in an honorific.
    pub(super) honorific: bool,
    pub(super) generation: Option<&'static str>,
    /// Legal forms, in alphabetical order.
    pub(super) legal: Vec<&'static str>,
    /// Begins with "the".
    pub(super) article: bool,
    /// Runs of digits, and Roman numerals at the end, in the order of the text.
    pub(super) numbers: Vec<String>,
    /// Was written family name first, with a comma.
    pub(super) comma: bool,
    /// Was written without a gap, and split behind a known family name.
    pub(super) split: bool,
    /// Is of a script that is written without gaps.
    pub(super) unspaced: bool,
    /// Is one short word in capitals: it may stand for the first letters of others.
    pub(super) acronym: bool,
}

/// A word of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    text: String,
    /// Without accents, where it has some.
    plain: Option<String>,
}

impl Word {
    fn new(text: String) -> Self {
        let plain = if text.is_ascii() { None } else { Some(without_accents(&text)).filter(|plain| *plain != text) };
        Self { text, plain }
    }

    /// As written, folded.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Without accents.
    pub(super) fn plain(&self) -> &str {
        self.plain.as_deref().unwrap_or(&self.text)
    }

    /// Its one letter, if it has no more.
    pub(super) fn initial(&self) -> Option<char> {
        let mut letters = self.plain().chars();
        letters.next().filter(|letter| letters.next().is_none() && letter.is_alphabetic())
    }
}

/// Marks fall off Latin and Greek letters and off the Russian ё; letters of their own become those nearest to them.
pub(super) fn without_accents(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut base = ' ';
    for c in text.nfd() {
        if is_combining_mark(c) {
            let falls = u32::from(base) < 0x400 || (0x1e00..0x2000).contains(&u32::from(base)) || (base == 'е' && c == '\u{308}');
            if falls {
                continue;
            }
        } else {
            base = c;
        }
        match c {
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' | 'ð' => out.push('d'),
            'ı' => out.push('i'),
            'ħ' => out.push('h'),
            'þ' => out.push_str("th"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            other => out.push(other),
        }
    }
    out.nfc().collect()
}

/// Whether a letter is of a script that is written without gaps, or with gaps that mean little.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}' | '\u{e00}'..='\u{eff}' | '々')
}

const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´' | 'ʼ' | '′' | 'ʻ')
}

/// What separates words. Signs that make a name another one ("C++", "C#") are none.
const fn is_separator(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | '-' | '/' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | ':' | ';' | '_' | '!' | '?' | '=' | '&' | '|' | '‐'
            ..='―' | '“' | '”' | '„' | '«' | '»' | '・' | '·' | '、' | '。' | '「' | '」' | '『' | '』' | '…' | '−' | '•'
    )
}

/// A Roman numeral of at least two letters, up to 39.
fn is_roman(word: &str) -> bool {
    let units = word.trim_start_matches('x');
    let tens = word.len() - units.len();
    word.len() >= 2 && tens <= 3 && matches!(units, "" | "i" | "ii" | "iii" | "iv" | "v" | "vi" | "vii" | "viii" | "ix")
}

impl Name {
    /// Takes a name apart. Every text has a reading; one without letters and digits has no words.
    ///
    /// # Complexity
    /// Linear in the length of the text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let lexicon = Lexicon::shipped();
        let mut folded = String::new();
        identity(TermRef::Name(text), &mut folded);
        folded.remove(0);
        let mut name = Self { unspaced: folded.chars().any(is_unspaced), ..Self::default() };
        let mut pieces = pieces(&folded);
        // Behind a comma: "Jr.", "PhD", "Inc.".
        while pieces.len() > 1 && pieces.last().is_some_and(|piece| name.take_suffixes(piece, lexicon)) {
            pieces.pop();
        }
        let mut words: Vec<String> = match pieces.as_slice() {
            [family, given] if (1..=3).contains(&family.len()) && (1..=3).contains(&given.len()) => {
                name.comma = true;
                // A title before the family name stays the first word.
                let titles = family.iter().take(family.len() - 1).take_while(|word| lexicon.title(word).is_some()).count();
                let (before, family) = family.split_at_checked(titles).unwrap_or((&[], family));
                [before, given, family].concat()
            }
            pieces => pieces.concat(),
        };
        if words.len() <= MOST_WORDS && folded.len() <= MOST_BYTES {
            name.take_affixes(&mut words, text, lexicon);
        }
        name.count_numbers(&words);
        let capitals = || text.trim().chars().all(|c| c.is_ascii_uppercase());
        name.acronym = matches!(words.as_slice(), [word] if (3..=6).contains(&word.len())) && capitals();
        name.words = words.into_iter().map(Word::new).collect();
        name.identity = folded;
        name
    }

    /// The words of the name itself, in the order of "First Last".
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(Word::text)
    }

    /// The normal form that decides whether two names are one: [`identity`](super::identity()) without its first character.
    #[must_use]
    pub fn normal(&self) -> &str {
        &self.identity
    }

    /// Notes the suffixes that a piece behind a comma consists of; `false` if it is something else.
    fn take_suffixes(&mut self, piece: &[String], lexicon: &'static Lexicon) -> bool {
        let is_suffix =
            |word: &String| lexicon.is_degree(word, true) || lexicon.generation(word).is_some() || lexicon.legal_form(word).is_some();
        if piece.is_empty() || !piece.iter().all(is_suffix) {
            return false;
        }
        for word in piece {
            self.generation = self.generation.or(lexicon.generation(word));
            self.add_legal(lexicon.legal_form(word));
        }
        true
    }

    fn add_legal(&mut self, form: Option<&'static str>) {
        if let Some(form) = form
            && let Err(place) = self.legal.binary_search(&form)
        {
            self.legal.insert(place, form);
        }
    }

    /// Takes off what stands before and behind the name; at least one word stays.
    fn take_affixes(&mut self, words: &mut Vec<String>, text: &str, lexicon: &'static Lexicon) {
        self.take_behind(words, text, lexicon);
        if words.len() > 1 && words.first().is_some_and(|word| word == "the") {
            words.remove(0);
            self.article = true;
        }
        while let [first, second, rest @ ..] = words.as_slice()
            && let Some(title) = lexicon.title(first)
            && (title != Title::Plain || !rest.is_empty() || lexicon.is_given(second))
        {
            self.titles.push((words.remove(0), title));
        }
        if self.unspaced {
            self.take_attached(words, lexicon);
        }
    }

    fn take_behind(&mut self, words: &mut Vec<String>, text: &str, lexicon: &'static Lexicon) {
        let hyphen_or_small = |word: &str| {
            let before = text.trim_end().strip_suffix(word).and_then(|before| before.chars().next_back());
            before.is_some_and(|c| c == '-' || c.is_whitespace()) && text.chars().any(char::is_uppercase)
        };
        while let [before @ .., last] = words.as_slice()
            && let Some(previous) = before.last()
        {
            let is_measure = previous.chars().all(|c| c.is_ascii_digit());
            let is_person = before.len() == 1 && lexicon.is_given(previous);
            let generation = lexicon.generation(last).filter(|_| !is_roman(last) || before.iter().any(|word| lexicon.is_given(word)));
            let legal = lexicon.legal_form(last).filter(|_| !is_measure && !is_person && !self.unspaced);
            if generation.is_some() {
                self.generation = self.generation.or(generation);
            } else if legal.is_some() {
                self.add_legal(legal);
            } else if lexicon.is_romanised_honorific(last) && hyphen_or_small(last) {
                self.honorific = true;
            } else if !(lexicon.is_degree(last, false) || (!self.legal.is_empty() && last == "and")) {
                return;
            }
            words.pop();
        }
    }

    /// Of a script without gaps: what is written to the name.
    fn take_attached(&mut self, words: &mut Vec<String>, lexicon: &'static Lexicon) {
        if let Some(at) = words.iter().position(|word| lexicon.legal_form(word).is_some())
            && words.len() > 1
        {
            let form = words.remove(at);
            self.add_legal(lexicon.legal_form(&form));
        }
        for word in words.iter_mut() {
            if let Some((form, rest)) = lexicon.attached_legal_form(word) {
                let rest = rest.to_owned();
                self.add_legal(Some(form));
                *word = rest;
                break;
            }
        }
        if !self.legal.is_empty() {
            return;
        }
        if words.len() > 1 && words.last().is_some_and(|word| lexicon.is_honorific(word)) {
            words.pop();
            self.honorific = true;
        } else if let Some(last) = words.last_mut()
            && let Some(rest) = lexicon.without_honorific(last)
        {
            *last = rest.to_owned();
            self.honorific = true;
        }
        if let [only] = words.as_slice()
            && only.chars().count() <= 6
            && let Some((family, given)) = lexicon.split_family(only)
        {
            *words = vec![family.to_owned(), given.to_owned()];
            self.split = true;
        }
    }

    /// Notes the numbers in the words; a Roman numeral at the end is one.
    fn count_numbers(&mut self, words: &[String]) {
        for word in words {
            let mut run = String::new();
            for c in word.chars().chain([' ']) {
                if c.is_numeric() || (c == '.' && !run.is_empty()) {
                    run.push(c);
                } else if !run.is_empty() {
                    self.numbers.push(std::mem::take(&mut run));
                }
            }
        }
        if let [_, .., last] = words
            && is_roman(last)
        {
            self.numbers.push(last.clone());
        }
    }

    /// Whether something in it says that it is of a person.
    pub(super) fn is_personal(&self) -> bool {
        let lexicon = Lexicon::shipped();
        let initial = || self.words.split_last().is_some_and(|(_, before)| before.iter().any(|word| word.initial().is_some()));
        let known =
            || self.words.first().is_some_and(|word| lexicon.is_given(word.plain()) || (self.unspaced && lexicon.is_family(word.text())));
        !self.titles.is_empty() || self.honorific || self.split || self.generation.is_some() || known() || initial()
    }

    /// All words without a gap, without accents.
    pub(super) fn compact(&self) -> String {
        self.words.iter().map(Word::plain).collect()
    }
}

/// The words between the commas of a folded name; a comma between digits is none.
fn pieces(folded: &str) -> Vec<Vec<String>> {
    let mut pieces = vec![Vec::new()];
    let lexicon = Lexicon::shipped();
    for chunk in folded.split_whitespace() {
        let mut rest = chunk;
        while let Some((before, after)) = split_comma(rest) {
            if let Some(piece) = pieces.last_mut() {
                push_words(before, lexicon, piece);
            }
            pieces.push(Vec::new());
            rest = after;
        }
        if let Some(piece) = pieces.last_mut() {
            push_words(rest, lexicon, piece);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn split_comma(chunk: &str) -> Option<(&str, &str)> {
    chunk.match_indices([',', '،', '、']).find_map(|(at, comma)| {
        let (before, after) = (chunk.get(..at)?, chunk.get(at + comma.len()..)?);
        let digits = before.ends_with(char::is_numeric) && after.starts_with(char::is_numeric);
        (!digits).then_some((before, after))
    })
}

/// The words of a text without white space.
fn push_words(chunk: &str, lexicon: &Lexicon, words: &mut Vec<String>) {
    if chunk.bytes().all(|b| b.is_ascii_lowercase()) {
        if !chunk.is_empty() {
            words.push(chunk.to_owned());
        }
        return;
    }
    let bare = chunk.trim_end_matches('.');
    if lexicon.title(bare).is_some() || lexicon.is_degree(bare, true) || lexicon.legal_form(bare).is_some() {
        words.push(bare.to_owned());
        return;
    }
    if bare.contains('.') {
        let joined: String = bare.chars().filter(|c| *c != '.').collect();
        let is_dotted = bare.split('.').all(|letters| letters.chars().count() <= 2 && letters.chars().all(char::is_alphabetic));
        if is_dotted && (lexicon.legal_form(&joined).is_some() || lexicon.is_degree(&joined, true)) {
            words.push(joined);
            return;
        }
    }
    let mut word = String::new();
    let mut previous = ' ';
    let mut chars = chunk.chars().peekable();
    while let Some(c) = chars.next() {
        let inside_number = c == '.' && previous.is_numeric() && chars.peek().is_some_and(|next| next.is_numeric());
        if is_separator(c) && !inside_number {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if c == '&' {
                words.push("and".to_owned());
            }
        } else if !is_apostrophe(c) {
            word.push(c);
        }
        previous = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, words: &[&str]) -> Name {
        let name = Name::read(text);
        assert_eq!(name.words().collect::<Vec<_>>(), words, "{text}");
        name
    }

    #[test]
    fn punctuation_separates_and_apostrophes_join() {
        check("Ana-Sofia Lima", &["ana", "sofia", "lima"]);
        check("O’Hara", &["ohara"]);
        check("J.R. Hale", &["j", "r", "hale"]);
        check("Moss & Fern", &["moss", "and", "fern"]);
        check("C++", &["c++"]);
        check("C#", &["c#"]);
        check("---", &[]);
        check("ジョン・ハート", &["ジョン", "ハート"]);
    }

    #[test]
    fn what_stands_around_a_name_comes_off() {
        assert_eq!(check("Prof. Dr. Ana Lima", &["ana", "lima"]).titles.len(), 2, "titles");
        assert_eq!(check("Ana Lima, Ph.D.", &["ana", "lima"]).titles.len(), 0, "a degree");
        assert_eq!(check("Otto Brandt Jr.", &["otto", "brandt"]).generation, Some("junior"));
        assert_eq!(check("Otto Brandt, III", &["otto", "brandt"]).generation, Some("third"));
        assert_eq!(check("Quellmark Pty. Ltd.", &["quellmark"]).legal, ["ltd", "pty"]);
        assert_eq!(check("Heron Works G.m.b.H.", &["heron", "works"]).legal, ["gmbh"]);
        assert_eq!(check("Lark, Inc.", &["lark"]).legal, ["inc"]);
        assert!(check("The Heron Works", &["heron", "works"]).article, "the article");
        assert_eq!(check("株式会社ひばり", &["ひばり"]).legal, ["kabushiki"]);
        check("Jack Ma", &["jack", "ma"]);
        check("General Tools", &["general", "tools"]);
        check("General Ana Lima", &["ana", "lima"]);
        check("Dr", &["dr"]);
        check("Ltd", &["ltd"]);
    }

    #[test]
    fn a_comma_turns_the_order_round() {
        assert!(check("Lima, Ana Sofia", &["ana", "sofia", "lima"]).comma, "family name first");
        check("Dr. Lima, Ana", &["ana", "lima"]);
        check("Lima, Ana, Jr.", &["ana", "lima"]);
        assert!(!check("red, green, blue", &["red", "green", "blue"]).comma, "a list");
        check("1,500 Steps", &["1", "500", "steps"]);
    }

    #[test]
    fn honorifics_and_family_names_come_off_scripts_without_gaps() {
        assert!(check("田中さん", &["田中"]).honorific, "san");
        assert!(check("田中太郎様", &["田中", "太郎"]).split, "split");
        check("田中 太郎 先生", &["田中", "太郎"]);
        check("王芳", &["王", "芳"]);
        check("김민수씨", &["김", "민수"]);
        assert!(check("Tanaka-san", &["tanaka"]).honorific, "a hyphen");
        assert!(check("Tanaka san", &["tanaka"]).honorific, "small letters");
        assert!(!check("Kim San", &["kim", "san"]).honorific, "a name");
        check("さくら", &["さくら"]);
    }

    #[test]
    fn numbers_are_counted_as_they_stand() {
        let numbers = |text: &str| Name::read(text).numbers;
        assert_eq!(numbers("Bay 17"), ["17"]);
        assert_eq!(numbers("v1.2 of 30"), ["1.2", "30"]);
        assert_eq!(numbers("Ｂａｙ　１７"), ["17"]);
        assert_eq!(numbers("Apollo XIII"), ["xiii"]);
        assert_eq!(numbers("Otto Brandt III"), Vec::<String>::new(), "a generation");
        assert_eq!(numbers("Xi"), Vec::<String>::new(), "a name");
    }

    #[test]
    fn accents_fall_off_latin_letters_alone() {
        let plain = |text: &str| Name::read(text).compact();
        assert_eq!(plain("Žofie Dvořák"), "zofiedvorak");
        assert_eq!(plain("Søren Łuk"), "sorenluk");
        assert_eq!(plain("Пётр Чайка"), "петрчайка");
        assert_eq!(plain("ガギグ"), "ガギグ");
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_reading_is_blind_to_case(text in "\\PC{0,24}|[A-Za-z., '-]{0,24}|[田中太郎さん様王芳・ ]{0,8}") {
            let name = Name::read(&text);
            prop_assert!(name.words().all(|word| !word.is_empty()));
            prop_assert_eq!(&Name::read(&text).words, &name.words);
        }
    }
}
