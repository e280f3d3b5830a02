//! Tokens: what a passage is found by, and what a question asks for.
//!
//! Owns stemming, the beginnings of words, the pairs of characters, and their keys. Knows no index and no entity.

use super::split::{Piece, Sort, fold, is_apostrophe, is_ideograph, pieces};
use super::{inflect, language};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;

/// A question asks for so many different tokens at most; of more, the rarest in the index count.
pub(super) const MOST_SOUGHT: usize = 48;

/// A question is read up to so many bytes.
const LONGEST_QUERY: usize = 16 << 10;

/// So many characters are the beginning by which words of other languages meet their inflections.
///
/// Source: `McNamee` and Mayfield 2004, "Character n-gram tokenization for European language text retrieval": cutting words to their
/// first five characters is as good as stemming for most languages of Europe, Finnish among them.
const BEGINNING: usize = 5;

/// What a word near in meaning counts for beside the word that was asked for.
const KIN_WEIGHT: f32 = 0.35;

/// A token in an index: a hash, so that an index keeps no word of what was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u64);

impl Key {
    fn of(space: u8, text: &str) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write_u8(space);
        hasher.write(text.as_bytes());
        // FxHasher's low bits are weak; this spreads the high ones over them.
        let hash = hasher.finish();
        Self((hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// Words and stems.
const WORDS: u8 = 0;
/// Beginnings of words.
const BEGINNINGS: u8 = 1;
/// Characters, and pairs of them.
const GRAMS: u8 = 2;
/// Literals in full.
const LITERALS: u8 = 3;

/// One word of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryWord {
    /// As written.
    pub surface: String,
    /// Where it stands in the question, in bytes.
    pub at: Range<usize>,
    /// The tokens that stand for it, each with its weight; the first is the word itself.
    pub keys: Vec<(Key, f32)>,
    /// Whether it is one of grammar, or of asking.
    pub is_function: bool,
    /// Whether it is written as a name is: with a capital inside a sentence, or a number, or a literal.
    pub is_specific: bool,
    /// Whether it is an id, a URL or the like in full, beside the words in it.
    pub is_literal: bool,
}

/// A question as it is searched for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Its words, in order.
    pub words: Vec<QueryWord>,
}

/// Makes tokens of texts. Cheap to make; holds no text.
pub struct Tokenizer {
    stemmer: Stemmer,
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer").finish_non_exhaustive()
    }
}

impl Default for Tokenizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Tokenizer {
    /// A tokenizer for every language: English words by their stems, words of other languages also by their beginnings, runs of
    /// Chinese, Japanese, Korean, Thai and their like by pairs of characters (and single ideographs).
    #[must_use]
    pub fn new() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English) }
    }

    /// Appends the tokens of a passage in their order, those of grammar left out.
    ///
    /// # Complexity
    /// Linear in the text.
    pub fn passage(&self, text: &str, out: &mut Vec<Key>) {
        let mut folded = String::new();
        let mut tally = language::Tally::default();
        let mut beginnings: Vec<Key> = Vec::new();
        pieces(text, |piece| {
            fold(piece.text, &mut folded);
            match piece.sort {
                Sort::Word => {
                    let word = bare(&folded);
                    tally.see(word);
                    if language::is_function_word(word) {
                        return;
                    }
                    out.push(self.word(word));
                    beginnings.extend(beginning(word));
                }
                Sort::Number => out.push(Key::of(WORDS, &folded)),
                Sort::Run => grams(&folded, |key| out.push(key)),
                Sort::Literal => out.push(Key::of(LITERALS, &folded)),
            }
        });
        if tally.is_other() {
            out.append(&mut beginnings);
        }
    }

    /// Reads a question, of which at most 16 KiB count.
    ///
    /// ```
    /// use erstwhile::text::Tokenizer;
    ///
    /// let query = Tokenizer::new().query("Where did Ana go after ticket AB-1207?");
    /// let asked: Vec<&str> = query.words.iter().filter(|word| !word.is_function).map(|word| word.surface.as_str()).collect();
    /// assert_eq!(asked, ["Ana", "go", "ticket", "AB", "1207", "AB-1207"]);
    /// ```
    #[must_use]
    pub fn query(&self, text: &str) -> Query {
        let text = text.get(..text.floor_char_boundary(LONGEST_QUERY)).unwrap_or_default();
        let mut folded = String::new();
        let mut tally = language::Tally::default();
        let mut words: Vec<QueryWord> = Vec::new();
        pieces(text, |piece| {
            fold(piece.text, &mut folded);
            let is_first = words.is_empty();
            let mut word = QueryWord {
                surface: surface(&piece).to_owned(),
                at: piece.at..piece.at + piece.text.len(),
                keys: Vec::new(),
                is_function: false,
                is_specific: !is_first && piece.text.starts_with(char::is_uppercase),
                is_literal: false,
            };
            match piece.sort {
                Sort::Word => {
                    let bare = bare(&folded);
                    tally.see(bare);
                    word.is_function = language::is_function_word(bare);
                    word.is_specific |= bare.contains(|c: char| c.is_ascii_digit());
                    word.keys.push((self.word(bare), 1.0));
                    for kin in inflect::kin(inflect::base(bare)) {
                        word.keys.push((self.word(kin), KIN_WEIGHT));
                    }
                }
                Sort::Number => {
                    word.is_specific = true;
                    word.keys.push((Key::of(WORDS, &folded), 1.0));
                }
                Sort::Run => {
                    for part in language::without_asking(&folded) {
                        grams(part, |key| word.keys.push((key, 1.0)));
                    }
                }
                Sort::Literal => {
                    (word.is_specific, word.is_literal) = (true, true);
                    word.keys.push((Key::of(LITERALS, &folded), 1.0));
                }
            }
            words.push(word);
        });
        if tally.is_other() {
            for word in &mut words {
                fold(&word.surface, &mut folded);
                if let Some(key) = beginning(bare(&folded)).filter(|_| !word.is_function && !word.is_literal) {
                    word.keys.push((key, 0.8));
                }
            }
        }
        Query { words }
    }

    fn word(&self, bare: &str) -> Key {
        let base = inflect::base(bare);
        if base.len() > 2 && base.is_ascii() { Key::of(WORDS, &self.stemmer.stem(base)) } else { Key::of(WORDS, base) }
    }
}

/// The part of a word that is asked for, as written: without a possessive.
fn surface<'t>(piece: &Piece<'t>) -> &'t str {
    ["'s", "’s"].iter().find_map(|ending| piece.text.strip_suffix(ending)).unwrap_or(piece.text)
}

/// A folded word without what contractions and possessives add, and ordinals without their ending.
fn bare(word: &str) -> &str {
    if let Some(at) = word.find(is_apostrophe) {
        let (before, after) = word.split_at(at);
        let ending = after.trim_start_matches(is_apostrophe);
        if ending == "t" {
            return before.strip_suffix('n').filter(|rest| !rest.is_empty()).unwrap_or(before);
        }
        if matches!(ending, "s" | "ll" | "re" | "ve" | "d" | "m") {
            return before;
        }
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ordinal = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    if ordinal && word.get(digits.len()..).is_some_and(|ending| matches!(ending, "st" | "nd" | "rd" | "th")) { digits } else { word }
}

/// The key of a word's beginning, if it has more than that.
fn beginning(word: &str) -> Option<Key> {
    let end = word.char_indices().nth(BEGINNING - 1).map(|(at, c)| at + c.len_utf8())?;
    word.get(..end).map(|start| Key::of(BEGINNINGS, start))
}

/// The pairs of characters in a run, and its ideographs; of a single character, that one.
fn grams(run: &str, mut sink: impl FnMut(Key)) {
    let mut before: Option<usize> = None;
    let mut count = 0;
    for (at, c) in run.char_indices() {
        let end = at + c.len_utf8();
        if is_ideograph(c)
            && let Some(one) = run.get(at..end)
        {
            sink(Key::of(GRAMS, one));
        }
        if let Some(pair) = before.and_then(|start| run.get(start..end)) {
            sink(Key::of(GRAMS, pair));
        }
        before = Some(at);
        count += 1;
    }
    if count == 1 && !run.chars().any(is_ideograph) {
        sink(Key::of(GRAMS, run));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<Key> {
        let mut out = Vec::new();
        Tokenizer::new().passage(text, &mut out);
        out
    }

    /// How many of a question's words a passage has.
    fn met(question: &str, passage: &str) -> usize {
        let passage = keys(passage);
        let query = Tokenizer::new().query(question);
        query.words.iter().filter(|word| !word.is_function && word.keys.iter().any(|(key, _)| passage.contains(key))).count()
    }

    #[test]
    fn english_inflections_meet() {
        assert_eq!(met("running dogs", "She ran with her dog"), 2);
        assert_eq!(met("went to the museums", "We go to a museum on Sundays"), 2);
        assert_eq!(met("Ana's children", "one child of Ana"), 2);
        assert_eq!(met("3rd of May", "on May 3"), 1);
        assert_eq!(met("don't sell", "sold"), 1);
        assert_eq!(met("the car", "a cart"), 0);
    }

    #[test]
    fn families_meet_for_less_than_the_word_itself() {
        let query = Tokenizer::new().query("his mother");
        let mother = &query.words[1];
        let passage = keys("my mom called");
        let weight = mother.keys.iter().find(|(key, _)| passage.contains(key)).map(|(_, weight)| *weight);
        assert_eq!(weight, Some(KIN_WEIGHT));
        assert!((mother.keys[0].1 - 1.0).abs() < f32::EPSILON);
    }

    #[test]
    fn words_of_other_languages_meet_by_their_beginnings() {
        assert_eq!(met("Missä Liisa asuu nyt? Helsinki", "Liisa muutti Helsinkiin äitinsä kanssa"), 2);
        assert_eq!(met("Где работает Ольга", "Ольга работала учителем"), 2);
    }

    #[test]
    fn runs_meet_by_pairs_and_ideographs() {
        assert!(met("猫は好き？", "うちの猫がいる") > 0);
        assert!(met("東京タワー", "東京に住む") > 0);
        assert!(met("부산에 사는 사람", "부산으로 이사했다") > 0);
        assert!(met("เชียงใหม่", "ฉันย้ายไปเชียงใหม่แล้ว") > 0);
        assert_eq!(met("猫", "犬"), 0);
    }

    #[test]
    fn literals_meet_in_full() {
        let query = Tokenizer::new().query("what is AB-1207?");
        let literal = query.words.iter().find(|word| word.is_literal).unwrap();
        assert!(keys("filed as ab-1207.").contains(&literal.keys[0].0));
        assert!(!keys("filed as ab-1208.").contains(&literal.keys[0].0));
    }

    #[test]
    fn names_inside_a_sentence_are_specific() {
        let query = Tokenizer::new().query("When did Ana visit Oslo in 2019?");
        let specific: Vec<&str> = query.words.iter().filter(|word| word.is_specific).map(|word| word.surface.as_str()).collect();
        assert_eq!(specific, ["Ana", "Oslo", "2019"]);
    }

    #[test]
    fn a_long_question_is_read_up_to_a_limit() {
        let query = Tokenizer::new().query(&"word ".repeat(100_000));
        assert!(query.words.len() * 5 <= LONGEST_QUERY + 5);
    }
}
