//! An inverted index: for each token the documents that have it, and BM25 over them.
//!
//! Owns postings as lists of differences with skips, document lengths, and scores. Knows keys and numbers, no text, and nothing that a
//! document is about.

use super::token::{Key, MOST_SOUGHT};
use rustc_hash::FxHashMap;

/// So many postings between two skips.
const STRIDE: u32 = 128;

/// The parameters of BM25.
///
/// Source: Robertson and Zaragoza 2009, "The probabilistic relevance framework: BM25 and beyond".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// How fast further occurrences of a word stop counting.
    pub k1: f32,
    /// How much a long document counts less, from 0 to 1.
    pub b: f32,
}

/// A token that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sought {
    /// The token.
    pub key: Key,
    /// What finding it counts for.
    pub weight: f32,
    /// Which word of the question it stands for; of several tokens of one word, each adds.
    pub word: u8,
}

/// An index of documents by number; numbers are given in ascending order.
///
/// # Complexity
/// About 2 bytes a posting beside 64 bytes a token; linear in what was inserted.
#[derive(Clone, Debug, Default)]
pub struct Index {
    lists: FxHashMap<Key, List>,
    /// Tokens in each document; 0 for one that is removed or has none.
    lengths: Vec<u16>,
    documents: u32,
    tokens: u64,
}

/// The documents that have a token: differences and counts, written as variable-length integers.
#[derive(Clone, Debug, Default)]
struct List {
    count: u32,
    last: u32,
    bytes: Vec<u8>,
    /// Before every further stretch: the last document until then, and where the stretch begins.
    skips: Vec<(u32, u32)>,
}

/// What a search found: scores by document number, dense.
#[derive(Clone, Debug, Default)]
pub struct Matches {
    scores: Vec<f32>,
    words: Vec<u64>,
    /// The documents that have any of the tokens and are admitted, in no particular order.
    pub found: Vec<u32>,
}

impl Matches {
    /// The BM25 score of a document; 0 if it has none of the tokens.
    #[must_use]
    pub fn score(&self, document: u32) -> f32 {
        self.scores.get(document as usize).copied().filter(|score| score.is_finite()).unwrap_or_default().max(0.0)
    }

    /// Which words a document has, one bit each.
    #[must_use]
    pub fn words(&self, document: u32) -> u64 {
        self.words.get(document as usize).copied().unwrap_or_default()
    }
}

impl Index {
    /// Adds a document with its tokens, which are sorted on the way. Its number is greater than all before.
    pub fn insert(&mut self, document: u32, tokens: &mut [Key]) {
        let at = document as usize;
        if at < self.lengths.len() {
            return;
        }
        self.lengths.resize(at, 0);
        self.lengths.push(u16::try_from(tokens.len()).unwrap_or(u16::MAX));
        if tokens.is_empty() {
            return;
        }
        self.documents += 1;
        self.tokens += tokens.len().min(usize::from(u16::MAX)) as u64;
        tokens.sort_unstable();
        for same in tokens.chunk_by(|left, right| left == right) {
            let Some(key) = same.first() else { continue };
            self.lists.entry(*key).or_default().push(document, u32::try_from(same.len()).unwrap_or(u32::MAX));
        }
    }

    /// Removes documents: nothing of them is left. `documents` is sorted.
    ///
    /// # Complexity
    /// Linear in the index.
    pub fn remove(&mut self, documents: &[u32]) {
        for document in documents {
            let Some(length) = self.lengths.get_mut(*document as usize).filter(|length| **length > 0) else { continue };
            self.tokens -= u64::from(std::mem::take(length));
            self.documents -= 1;
        }
        self.lists.retain(|_, list| {
            list.remove(documents);
            list.count > 0
        });
    }

    /// How many documents have a token.
    #[must_use]
    pub fn count(&self, key: Key) -> u32 {
        self.lists.get(&key).map_or(0, |list| list.count)
    }

    /// How much finding a token says: `ln(1 + (N − n + ½) / (n + ½))`, greatest for one that no document has.
    #[must_use]
    pub fn weight_of(&self, key: Key) -> f32 {
        self.weight_of_count(self.count(key))
    }

    /// How much finding a token says that so many documents have.
    #[must_use]
    pub fn weight_of_count(&self, count: u32) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "a weight of seven digits is as good as one of nine")]
        let (all, having) = (self.documents as f32, count as f32);
        (1.0 + (all - having + 0.5).max(0.0) / (having + 0.5)).ln()
    }

    /// How many tokens a document has, and how many one has on average.
    #[must_use]
    pub fn length(&self, document: u32) -> (f32, f32) {
        let length = self.lengths.get(document as usize).copied().unwrap_or_default();
        (f32::from(length), self.average())
    }

    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "an average needs no more digits")]
    fn average(&self) -> f32 {
        if self.documents == 0 { 1.0 } else { (self.tokens as f64 / f64::from(self.documents)) as f32 }
    }

    /// Bytes held, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists: usize = self.lists.values().map(|list| list.bytes.capacity() + list.skips.capacity() * 8).sum();
        lists + self.lists.capacity() * (size_of::<(Key, List)>() + 1) + self.lengths.capacity() * 2
    }

    /// Scores the documents that `admits` lets in by the tokens they have: `Σ weight × idf × f (k1 + 1) / (f + k1 (1 − b + b · length /
    /// average))`.
    ///
    /// Where more than `keep` documents are found, common tokens still to come no longer bring in documents that could not reach the best
    /// `keep`: such documents may be missing, and no other.
    ///
    /// # Complexity
    /// Linear in the postings of the tokens in the worst case; once the rare tokens have filled the best `keep`, of common ones only the
    /// stretches around what is found are read.
    #[must_use]
    pub fn search(&self, sought: &[Sought], bm25: Bm25, keep: usize, admits: &dyn Fn(u32) -> bool) -> Matches {
        let mut wanted: Vec<(f32, Sought, &List)> = sought
            .iter()
            .filter_map(|one| {
                let list = self.lists.get(&one.key)?;
                Some((one.weight * self.weight_of(one.key), *one, list))
            })
            .collect();
        wanted.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.key.cmp(&right.1.key)));
        wanted.truncate(2 * MOST_SOUGHT);
        let mut found = Matches { scores: vec![0.0; self.lengths.len()], words: vec![0; self.lengths.len()], found: Vec::new() };
        let mut left: f32 = wanted.iter().map(|(gain, ..)| gain * (bm25.k1 + 1.0)).sum();
        let average = self.average();
        let mut closed = false;
        for (gain, one, list) in wanted {
            closed = closed || (found.found.len() > keep && left < threshold(&found, keep));
            left -= gain * (bm25.k1 + 1.0);
            let bit = 1_u64.checked_shl(u32::from(one.word)).unwrap_or_default();
            let add = |document: u32, times: u32, found: &mut Matches| {
                let at = document as usize;
                let (Some(score), Some(words), Some(length)) =
                    (found.scores.get_mut(at), found.words.get_mut(at), self.lengths.get(at).copied())
                else {
                    return;
                };
                if *words == 0 && *score == 0.0 {
                    if closed {
                        return;
                    }
                    if !admits(document) {
                        *score = f32::NEG_INFINITY;
                        return;
                    }
                    found.found.push(document);
                }
                #[expect(clippy::cast_precision_loss, reason = "no document has millions of one token")]
                let times = times as f32;
                *score += gain * times * (bm25.k1 + 1.0) / (times + bm25.k1 * (1.0 - bm25.b + bm25.b * f32::from(length) / average));
                *words |= bit;
            };
            if closed && list.count as usize > found.found.len() * 4 {
                found.found.sort_unstable();
                let among = std::mem::take(&mut found.found);
                list.each_near(&among, |document, times| add(document, times, &mut found));
                found.found = among;
            } else {
                list.each(|document, times| add(document, times, &mut found));
            }
        }
        found.found.sort_unstable();
        found
    }
}

/// The `keep`-th best score so far.
fn threshold(found: &Matches, keep: usize) -> f32 {
    let mut scores: Vec<f32> = found.found.iter().map(|document| found.score(*document)).collect();
    let Some(at) = keep.checked_sub(1).filter(|at| *at < scores.len()) else { return 0.0 };
    *scores.select_nth_unstable_by(at, |left, right| right.total_cmp(left)).1
}

impl List {
    fn push(&mut self, document: u32, times: u32) {
        if self.count > 0 && self.count.is_multiple_of(STRIDE) {
            self.skips.push((self.last, u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)));
        }
        // The lowest bit says whether a count follows: most documents have a token once.
        let step = u64::from(document - self.last) << 1 | u64::from(times > 1);
        write(&mut self.bytes, step);
        if times > 1 {
            write(&mut self.bytes, u64::from(times));
        }
        (self.count, self.last) = (self.count + 1, document);
    }

    fn each(&self, mut sink: impl FnMut(u32, u32)) {
        let (mut at, mut document) = (0, 0);
        for _ in 0..self.count {
            let Some((step, times)) = read(&self.bytes, &mut at) else { return };
            document += step;
            sink(document, times);
        }
    }

    /// The postings in the stretches that may hold one of these documents, which are sorted.
    fn each_near(&self, among: &[u32], mut sink: impl FnMut(u32, u32)) {
        let mut from = 0;
        let starts = std::iter::once((0, 0)).chain(self.skips.iter().copied());
        let ends = self.skips.iter().map(|(last, _)| *last).chain([self.last]);
        for ((before, at), last) in starts.zip(ends) {
            let rest = among.get(from..).unwrap_or_default();
            // Of the first stretch document 0 is no "before".
            from += rest.partition_point(|document| *document < before || (*document == before && at > 0));
            match among.get(from) {
                None => return,
                Some(next) if *next > last => continue,
                Some(_) => {}
            }
            let (mut at, mut document) = (at as usize, before);
            for _ in 0..STRIDE {
                let Some((step, times)) = read(&self.bytes, &mut at) else { break };
                document += step;
                sink(document, times);
            }
        }
    }

    fn remove(&mut self, documents: &[u32]) {
        let mut kept = Vec::new();
        let mut hit = false;
        self.each(|document, times| {
            if documents.binary_search(&document).is_ok() {
                hit = true;
            } else {
                kept.push((document, times));
            }
        });
        if hit {
            *self = Self::default();
            for (document, times) in kept {
                self.push(document, times);
            }
        }
    }
}

fn write(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push((value & 0x7f) as u8);
}

/// The next posting: the difference, and how often the document has the token.
#[inline]
fn read(bytes: &[u8], at: &mut usize) -> Option<(u32, u32)> {
    let step = number(bytes, at)?;
    let times = if step & 1 == 1 { number(bytes, at)? } else { 1 };
    Some((u32::try_from(step >> 1).ok()?, u32::try_from(times).ok()?))
}

#[inline]
fn number(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let (mut value, mut shift) = (0_u64, 0_u32);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
        shift += 7;
        if shift > 35 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Tokenizer;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const BM25: Bm25 = Bm25 { k1: 1.2, b: 0.75 };

    fn key(number: u32) -> Key {
        let mut out = Vec::new();
        Tokenizer::new().passage(&format!("q{number}"), &mut out);
        out[0]
    }

    fn index(documents: &[Vec<u32>]) -> Index {
        let mut index = Index::default();
        for (number, words) in documents.iter().enumerate() {
            let mut tokens: Vec<Key> = words.iter().map(|word| key(*word)).collect();
            index.insert(u32::try_from(number).unwrap(), &mut tokens);
        }
        index
    }

    /// BM25 by looking at every document.
    #[expect(clippy::cast_precision_loss, reason = "counts of a few hundred")]
    fn naive(documents: &[Vec<u32>], asked: &[u32]) -> BTreeMap<u32, f32> {
        let all = documents.iter().filter(|words| !words.is_empty()).count() as f32;
        let average = documents.iter().map(Vec::len).sum::<usize>() as f32 / all.max(1.0);
        let mut scores = BTreeMap::new();
        for word in asked {
            let having = documents.iter().filter(|words| words.contains(word)).count() as f32;
            let idf = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            for (number, words) in (0_u32..).zip(documents) {
                let times = words.iter().filter(|one| *one == word).count() as f32;
                if times > 0.0 {
                    let norm = BM25.k1 * (1.0 - BM25.b + BM25.b * words.len() as f32 / average);
                    *scores.entry(number).or_insert(0.0) += idf * times * (BM25.k1 + 1.0) / (times + norm);
                }
            }
        }
        scores
    }

    fn sought(asked: &[u32]) -> Vec<Sought> {
        (0..).zip(asked).map(|(word, one)| Sought { key: key(*one), weight: 1.0, word }).collect()
    }

    proptest! {
        #[test]
        fn search_agrees_with_looking_at_every_document(
            documents in prop::collection::vec(prop::collection::vec(0_u32..12, 0..20), 0..400),
            asked in prop::collection::btree_set(0_u32..12, 0..6),
        ) {
            let asked: Vec<u32> = asked.into_iter().collect();
            let found = index(&documents).search(&sought(&asked), BM25, usize::MAX, &|_| true);
            let expected = naive(&documents, &asked);
            prop_assert_eq!(&found.found, &expected.keys().copied().collect::<Vec<_>>());
            for (document, score) in expected {
                prop_assert!((found.score(document) - score).abs() < 1e-3, "{} is not {}", found.score(document), score);
            }
        }

        #[test]
        fn the_best_are_the_best_however_few_are_kept(
            documents in prop::collection::vec(prop::collection::vec(0_u32..40, 1..6), 1..1_500),
            asked in prop::collection::btree_set(0_u32..40, 1..6),
            keep in 1_usize..20,
        ) {
            let asked: Vec<u32> = asked.into_iter().collect();
            let found = index(&documents).search(&sought(&asked), BM25, keep, &|_| true);
            let mut expected: Vec<f32> = naive(&documents, &asked).into_values().collect();
            expected.sort_by(|left, right| right.total_cmp(left));
            let mut scores: Vec<f32> = found.found.iter().map(|document| found.score(*document)).collect();
            scores.sort_by(|left, right| right.total_cmp(left));
            for (score, expected) in scores.iter().zip(&expected).take(keep) {
                prop_assert!((score - expected).abs() < 1e-3, "{score} is not {expected}");
            }
        }

        #[test]
        fn what_is_removed_was_never_there(
            documents in prop::collection::vec(prop::collection::vec(0_u32..12, 0..8), 0..300),
            gone in prop::collection::btree_set(0_u32..300, 0..40),
        ) {
            let mut without = index(&documents);
            let gone: Vec<u32> = gone.into_iter().collect();
            without.remove(&gone);
            let mut left = documents;
            for number in gone {
                if let Some(words) = left.get_mut(number as usize) {
                    words.clear();
                }
            }
            let (found, expected) = (without.search(&sought(&[1, 2]), BM25, usize::MAX, &|_| true), naive(&left, &[1, 2]));
            prop_assert_eq!(&found.found, &expected.keys().copied().collect::<Vec<_>>());
            for (document, score) in expected {
                prop_assert!((found.score(document) - score).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn what_is_not_admitted_has_no_score_and_keeps_nothing_out() {
        let index = index(&[vec![1, 1, 1], vec![1], vec![2]]);
        let found = index.search(&sought(&[1]), BM25, 1, &|document| document != 0);
        assert_eq!(found.found, [1]);
        assert!(found.score(0) == 0.0 && found.score(1) > 0.0);
    }

    #[test]
    fn a_token_in_no_document_says_most() {
        let index = index(&[vec![1, 2], vec![1]]);
        assert!(index.weight_of(key(3)) > index.weight_of(key(2)));
        assert!(index.weight_of(key(2)) > index.weight_of(key(1)));
    }
}
