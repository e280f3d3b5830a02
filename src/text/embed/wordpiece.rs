//! Words cut into the pieces that a model of the BERT family knows.
//!
//! Owns how a text is cleaned, parted at white space and punctuation, and cut into the longest known pieces, as
//! `tokenizer.json` or `vocab.txt` of the model's folder says. Knows nothing of what the pieces are for.
//! Source: Devlin et al. 2019, BERT; Wu et al. 2016, Google's neural machine translation system (word pieces).

use super::folder::{Folder, ModelError, Settings, short};
use rustc_hash::FxHashMap;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A vocabulary's file is not longer.
const LONGEST_VOCABULARY: u64 = 64 << 20;
/// A piece is not longer, in bytes; longer ones of a vocabulary are never tried.
const LONGEST_PIECE: usize = 256;

/// A vocabulary and how texts are made into it.
#[derive(Clone, Debug)]
pub(super) struct WordPiece {
    cleaning: Cleaning,
    /// Pieces that a word begins with.
    beginnings: FxHashMap<Box<str>, u32>,
    /// Pieces that go on, without their mark.
    continuations: FxHashMap<Box<str>, u32>,
    /// Stands for a word that cannot be cut into known pieces.
    unknown: u32,
    /// A word of more characters is unknown.
    longest_word: usize,
    /// The pieces are numbered below.
    bound: usize,
}

/// What is done to the characters of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the folder's own flags, each of which stands alone")]
struct Cleaning {
    /// Controls go, white space becomes spaces.
    clean: bool,
    /// Han characters are words of their own.
    part_han: bool,
    /// Accents go.
    strip_accents: bool,
    lowercase: bool,
}

impl WordPiece {
    /// The one in a folder: `tokenizer.json`, or `vocab.txt` with `tokenizer_config.json`.
    pub(super) fn open(folder: &Folder) -> Result<Self, ModelError> {
        if let Some(settings) = folder.json("tokenizer.json", LONGEST_VOCABULARY)? {
            return Self::from_tokenizer(&settings);
        }
        let listed = folder.text("vocab.txt", LONGEST_VOCABULARY)?.ok_or_else(|| folder.missing("tokenizer.json"))?;
        let settings = folder.optional_settings("tokenizer_config.json")?;
        let flag = |field: &str, otherwise: bool| {
            settings.as_ref().map_or(Ok(None), |settings| settings.flag(field)).map(|flag| flag.unwrap_or(otherwise))
        };
        let lowercase = flag("do_lower_case", true)?;
        let cleaning = Cleaning {
            clean: true,
            part_han: flag("tokenize_chinese_chars", true)?,
            strip_accents: flag("strip_accents", lowercase)?,
            lowercase,
        };
        let pieces = (0_u32..).zip(listed.lines()).map(|(number, piece)| (piece, number));
        Self::new(cleaning, pieces, "##", "[UNK]", 100).ok_or_else(|| folder.lacks_piece("[UNK]"))
    }

    fn from_tokenizer(settings: &Settings) -> Result<Self, ModelError> {
        let only = |field: &str, read: &str| match settings.word(field)? {
            Some(kind) if kind == read => Ok(()),
            Some(other) => Err(settings.wrong(field, format!("{other:?} is not read; {read:?} is"))),
            None => Err(settings.missing(field)),
        };
        only("model.type", "WordPiece")?;
        only("pre_tokenizer.type", "BertPreTokenizer")?;
        let cleaning = if settings.get("normalizer").is_some() {
            only("normalizer.type", "BertNormalizer")?;
            let flag = |name: &str| settings.flag(&format!("normalizer.{name}"));
            let lowercase = flag("lowercase")?.unwrap_or(true);
            Cleaning {
                clean: flag("clean_text")?.unwrap_or(true),
                part_han: flag("handle_chinese_chars")?.unwrap_or(true),
                strip_accents: flag("strip_accents")?.unwrap_or(lowercase),
                lowercase,
            }
        } else {
            Cleaning::default()
        };
        let vocabulary = match settings.get("model.vocab") {
            Some(Value::Object(vocabulary)) => vocabulary,
            Some(other) => return Err(settings.wrong("model.vocab", format!("{} is no object", short(other)))),
            None => return Err(settings.missing("model.vocab")),
        };
        let mut pieces = Vec::with_capacity(vocabulary.len());
        for (piece, number) in vocabulary {
            let known = number.as_u64().and_then(|number| u32::try_from(number).ok());
            let number =
                known.ok_or_else(|| settings.wrong("model.vocab", format!("{piece:?}: {} is no number of a piece", short(number))))?;
            pieces.push((piece.as_str(), number));
        }
        let mark = settings.word("model.continuing_subword_prefix")?.unwrap_or("##");
        let unknown = settings.word("model.unk_token")?.unwrap_or("[UNK]");
        let longest = settings.count("model.max_input_chars_per_word", 10_000)?.unwrap_or(100);
        Self::new(cleaning, pieces.into_iter(), mark, unknown, longest)
            .ok_or_else(|| settings.wrong("model.unk_token", format!("model.vocab has no {unknown:?}")))
    }

    /// `None` if the piece for what is unknown is not among them.
    fn new<'a>(
        cleaning: Cleaning,
        pieces: impl Iterator<Item = (&'a str, u32)>,
        mark: &str,
        unknown: &str,
        longest_word: usize,
    ) -> Option<Self> {
        let (mut beginnings, mut continuations) = (FxHashMap::default(), FxHashMap::default());
        let mut bound = 0;
        for (piece, number) in pieces {
            bound = bound.max(usize::try_from(number).ok()?.checked_add(1)?);
            match piece.strip_prefix(mark).filter(|rest| !rest.is_empty() && !mark.is_empty()) {
                Some(rest) => continuations.insert(rest.into(), number),
                None => beginnings.insert(piece.into(), number),
            };
        }
        let unknown = *beginnings.get(unknown)?;
        Some(Self { cleaning, beginnings, continuations, unknown, longest_word, bound })
    }

    /// The number that every piece's is below.
    pub(super) fn bound(&self) -> usize {
        self.bound
    }

    /// The piece of what is in no vocabulary.
    pub(super) fn unknown(&self) -> u32 {
        self.unknown
    }

    /// The piece that is written so, at the beginning of a word.
    pub(super) fn piece(&self, written: &str) -> Option<u32> {
        self.beginnings.get(written).copied()
    }

    /// The first pieces of a text, at most so many. Marks such as `[SEP]` in a text are words like others.
    ///
    /// # Complexity
    /// Reads no more of a long text than it needs.
    pub(super) fn pieces(&self, text: &str, most: usize) -> Vec<u32> {
        let mut pieces = Vec::new();
        let mut word = Word::default();
        for c in self.cleaning.characters(text) {
            if pieces.len() >= most {
                break;
            }
            if c.is_whitespace() {
                self.cut(&mut word, &mut pieces);
            } else if is_punctuation(c) {
                self.cut(&mut word, &mut pieces);
                word.push(c, self.longest_word);
                self.cut(&mut word, &mut pieces);
            } else {
                word.push(c, self.longest_word);
            }
        }
        self.cut(&mut word, &mut pieces);
        pieces.truncate(most);
        pieces
    }

    /// Adds the pieces of a word, the longest first, and empties it.
    fn cut(&self, word: &mut Word, pieces: &mut Vec<u32>) {
        let Word { text, characters } = std::mem::take(word);
        if characters > self.longest_word {
            pieces.push(self.unknown);
            return;
        }
        let whole = pieces.len();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let known = if pieces.len() == whole { &self.beginnings } else { &self.continuations };
            let Some((piece, length)) = longest(rest, known) else {
                pieces.truncate(whole);
                pieces.push(self.unknown);
                return;
            };
            pieces.push(piece);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

/// The longest piece that a text begins with, and its length.
fn longest(text: &str, known: &FxHashMap<Box<str>, u32>) -> Option<(u32, usize)> {
    (1..=text.len().min(LONGEST_PIECE)).rev().find_map(|length| Some((*known.get(text.get(..length)?)?, length)))
}

/// A word as it is gathered; of one that is too long no more than that is kept.
#[derive(Debug, Default)]
struct Word {
    text: String,
    characters: usize,
}

impl Word {
    fn push(&mut self, c: char, longest: usize) {
        if self.characters <= longest {
            self.text.push(c);
            self.characters += 1;
        }
    }
}

impl Cleaning {
    /// The characters of a text after cleaning.
    fn characters(self, text: &str) -> Box<dyn Iterator<Item = char> + '_> {
        let kept = text.chars().filter_map(move |c| if self.clean { cleaned(c) } else { Some(c) });
        let parted = kept.flat_map(move |c| {
            let space = (self.part_han && is_han(c)).then_some(' ');
            space.into_iter().chain([c]).chain(space)
        });
        match (self.strip_accents, self.lowercase) {
            (true, true) => Box::new(parted.nfd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase)),
            (true, false) => Box::new(parted.nfd().filter(|c| !is_accent(*c))),
            (false, true) => Box::new(parted.flat_map(char::to_lowercase)),
            (false, false) => Box::new(parted),
        }
    }
}

/// What is left of a character: nothing of a control, a space of white space.
fn cleaned(c: char) -> Option<char> {
    if c.is_ascii_graphic() {
        return Some(c);
    }
    match c {
        '\t' | '\n' | '\r' => Some(' '),
        '\u{fffd}' => None,
        c if is_control(c) => None,
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

/// Controls, formats and characters for private use; those of no use yet are kept.
fn is_control(c: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    matches!(c.general_category(), Control | Format | PrivateUse)
}

fn is_accent(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::NonspacingMark
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { c.general_category_group() == GeneralCategoryGroup::Punctuation }
}

/// The blocks of Han characters that BERT's vocabularies were made with.
fn is_han(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    const LIST: &str = "[UNK]\n[CLS]\n[SEP]\nmov\nmove\n##d\n##ing\nto\n京\n都\n.\ncafe\n##s";

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Folder) {
        let temporary = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(temporary.path().join(name), text).unwrap();
        }
        let folder = Folder::new(temporary.path());
        (temporary, folder)
    }

    fn listed() -> WordPiece {
        let (_kept, folder) = folder(&[("vocab.txt", LIST)]);
        WordPiece::open(&folder).unwrap()
    }

    #[test]
    fn words_are_cut_into_the_longest_known_pieces_and_else_unknown() {
        let tokenizer = listed();
        for (text, pieces) in [
            ("Moved to 京都.", vec![4, 5, 7, 8, 9, 10]),
            ("moving", vec![3, 6]),
            ("move\u{200b}d", vec![4, 5]),
            ("Cafés", vec![11, 12]),
            ("moves moved", vec![4, 12, 4, 5]),
            ("movex to", vec![0, 7]),
            ("[SEP]", vec![0, 0, 0]),
            ("", vec![]),
            (" \t\u{a0}", vec![]),
        ] {
            assert_eq!(tokenizer.pieces(text, 100), pieces, "{text:?}");
        }
        assert_eq!(tokenizer.pieces("to moved", 2), [7, 4], "no more than asked for");
        assert_eq!(tokenizer.pieces(&"move".repeat(26), 100), [0], "a word of 104 characters is unknown");
        assert_eq!((tokenizer.bound(), tokenizer.piece("[SEP]")), (13, Some(2)));
    }

    #[test]
    fn the_folder_says_how_a_text_is_cleaned() {
        let cased = r#"{"do_lower_case": false, "tokenize_chinese_chars": false}"#;
        let (_kept, cased) = folder(&[("vocab.txt", LIST), ("tokenizer_config.json", cased)]);
        let tokenizer = WordPiece::open(&cased).unwrap();
        assert_eq!(tokenizer.pieces("Move move 京都", 9), [0, 4, 0]);
        let json = r#"{"normalizer": {"type": "BertNormalizer", "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {"type": "WordPiece", "unk_token": "<u>", "continuing_subword_prefix": "@", "vocab": {"<u>": 3, "mov": 0, "@ing": 7}}}"#;
        let (_kept, json) = folder(&[("tokenizer.json", json), ("vocab.txt", LIST)]);
        let tokenizer = WordPiece::open(&json).unwrap();
        assert_eq!((tokenizer.pieces("Moving on", 9), tokenizer.bound(), tokenizer.unknown()), (vec![0, 7, 3], 8, 3));
    }

    #[test]
    fn what_is_not_read_is_told_by_file_and_field() {
        let told = |files: &[(&str, &str)]| WordPiece::open(&folder(files).1).unwrap_err().to_string();
        let json = |text: &str| told(&[("tokenizer.json", text)]);
        for (message, said) in [
            (told(&[]), "tokenizer.json: there is no such file"),
            (told(&[("vocab.txt", "a\nb")]), "vocab.txt: [UNK]: there is no such piece"),
            (
                told(&[("vocab.txt", LIST), ("tokenizer_config.json", r#"{"do_lower_case": 1}"#)]),
                "tokenizer_config.json: do_lower_case: 1 is not true",
            ),
            (json("{"), "tokenizer.json: no JSON"),
            (json("{}"), "tokenizer.json: model.type: it is missing"),
            (json(r#"{"model": {"type": "Unigram"}}"#), "model.type: \"Unigram\" is not read; \"WordPiece\" is"),
            (json(r#"{"model": {"type": "WordPiece"}, "pre_tokenizer": {"type": "Metaspace"}}"#), "pre_tokenizer.type: \"Metaspace\""),
            (json(r#"{"model": {"type": "WordPiece"}, "pre_tokenizer": {"type": "BertPreTokenizer"}}"#), "model.vocab: it is missing"),
            (
                json(r#"{"model": {"type": "WordPiece", "vocab": {"a": -1}}, "pre_tokenizer": {"type": "BertPreTokenizer"}}"#),
                "model.vocab: \"a\": -1",
            ),
            (
                json(r#"{"model": {"type": "WordPiece", "vocab": {"a": 1}}, "pre_tokenizer": {"type": "BertPreTokenizer"}}"#),
                "model.unk_token",
            ),
        ] {
            assert!(message.contains(said), "{message:?} does not say {said:?}");
        }
    }

    proptest! {
        #[test]
        fn every_text_is_cut_into_known_numbers(text in "\\PC{0,60}|[mov ed京\u{301}\u{0}.]{0,60}", most in 0_usize..20) {
            let tokenizer = listed();
            let pieces = tokenizer.pieces(&text, most);
            prop_assert!(pieces.len() <= most && pieces.iter().all(|piece| (*piece as usize) < tokenizer.bound()));
            let all = tokenizer.pieces(&text, usize::MAX);
            prop_assert!(all.starts_with(&pieces), "the first pieces do not depend on how many are asked for");
        }
    }
}
