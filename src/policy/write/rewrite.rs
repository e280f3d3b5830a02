//! Putting placeholders into a text, with places that lead from the text as given to the text as stored and back. Knows no policy.

use crate::model::Quote;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// One stretch to replace, in bytes of the text as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit<K> {
    pub(super) range: Range<usize>,
    pub(super) placeholder: String,
    pub(super) kind: K,
}

/// Puts edits in order; of those that overlap one is left, which covers both and is what the first was.
pub(super) fn settle<K>(mut edits: Vec<Edit<K>>) -> Vec<Edit<K>> {
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut apart: Vec<Edit<K>> = Vec::with_capacity(edits.len());
    for edit in edits {
        match apart.last_mut() {
            Some(last) if edit.range.start < last.range.end => last.range.end = last.range.end.max(edit.range.end),
            _ => apart.push(edit),
        }
    }
    apart
}

/// The places of replaced stretches, in characters: as given, and as stored. In order and apart on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves(Vec<(Quote, Quote)>);

impl Moves {
    pub(super) fn iter(&self) -> impl Iterator<Item = &(Quote, Quote)> {
        self.0.iter()
    }

    /// Where a stretch of the text as given stands in the text as stored; one that begins or ends inside a replaced stretch takes in the
    /// placeholder whole.
    pub(super) fn to_stored(&self, quote: Quote) -> Quote {
        self.follow(quote, |(given, stored)| (*given, *stored))
    }

    /// The way back.
    pub(super) fn to_given(&self, quote: Quote) -> Quote {
        self.follow(quote, |(given, stored)| (*stored, *given))
    }

    fn follow(&self, quote: Quote, side: impl Fn(&(Quote, Quote)) -> (Quote, Quote)) -> Quote {
        let place = |at: u32, outward: bool| {
            let after = self.0.partition_point(|pair| side(pair).0.from < at || (!outward && side(pair).0.from == at));
            let Some((from, to)) = after.checked_sub(1).and_then(|last| self.0.get(last)).map(&side) else { return at };
            if at < from.to {
                // Inside: a beginning goes to the beginning, an end to the end.
                return if outward { to.to } else { to.from };
            }
            to.to.saturating_add(at - from.to)
        };
        Quote { from: place(quote.from, false), to: place(quote.to, true) }
    }
}

/// Replaces the edits, which are settled.
pub(super) fn rewrite<K>(text: &str, edits: &[Edit<K>]) -> (String, Moves) {
    let mut written = String::with_capacity(text.len());
    let mut moves = Vec::with_capacity(edits.len());
    let (mut at, mut given, mut stored) = (0, 0_u32, 0_u32);
    let count = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    for edit in edits {
        let between = text.get(at..edit.range.start).unwrap_or_default();
        written.push_str(between);
        written.push_str(&edit.placeholder);
        let kept = count(between);
        let (from, put) = (given.saturating_add(kept), stored.saturating_add(kept));
        given = from.saturating_add(count(text.get(edit.range.clone()).unwrap_or_default()));
        stored = put.saturating_add(count(&edit.placeholder));
        moves.push((Quote { from, to: given }, Quote { from: put, to: stored }));
        at = edit.range.end;
    }
    written.push_str(text.get(at..).unwrap_or_default());
    (written, Moves(moves))
}

/// Values that were masked somewhere, each with what it was masked as, looked for everywhere else.
#[derive(Debug)]
pub(super) struct Hunt<V> {
    /// By their first bytes: their lengths, longest first.
    lengths: FxHashMap<[u8; LEAD], Vec<usize>>,
    values: FxHashMap<Vec<u8>, V>,
}

/// The bytes that places of values are found by; no value is shorter.
const LEAD: usize = 3;

/// Longer values are blocks, which are found by their marks wherever they are.
const LONGEST: usize = 512;

impl<V> Hunt<V> {
    pub(super) fn new() -> Self {
        Self { lengths: FxHashMap::default(), values: FxHashMap::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(super) fn add(&mut self, value: &str, masked_as: V) {
        let bytes = value.as_bytes();
        let Some(lead) = bytes.first_chunk::<LEAD>() else { return };
        if bytes.len() <= LONGEST && self.values.insert(bytes.to_vec(), masked_as).is_none() {
            let lengths = self.lengths.entry(*lead).or_default();
            if let Err(place) = lengths.binary_search_by(|length| bytes.len().cmp(length)) {
                lengths.insert(place, bytes.len());
            }
        }
    }

    /// Every place of every value, in bytes, in order and apart.
    ///
    /// # Complexity
    /// Linear in the text, times the lengths of the values that begin alike.
    pub(super) fn find(&self, text: &str) -> Vec<(Range<usize>, &V)> {
        let bytes = text.as_bytes();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(rest) = bytes.get(at..) {
            let Some(lead) = rest.first_chunk::<LEAD>() else { break };
            let value = self
                .lengths
                .get(lead)
                .and_then(|lengths| lengths.iter().find_map(|length| Some((*length, self.values.get(rest.get(..*length)?)?))));
            match value {
                Some((length, masked_as)) => {
                    found.push((at..at + length, masked_as));
                    at += length;
                }
                None => at += 1,
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit(range: Range<usize>) -> Edit<()> {
        Edit { range, placeholder: "[x]".to_owned(), kind: () }
    }

    #[test]
    fn places_follow_the_text() {
        let text = "é12345 and 678.";
        let (stored, moves) = rewrite(text, &[edit(2..7), edit(12..15)]);
        assert_eq!(stored, "é[x] and [x].");
        let quote = |from, to| Quote { from, to };
        assert_eq!(moves.to_stored(quote(0, 1)), quote(0, 1));
        assert_eq!(moves.to_stored(quote(1, 6)), quote(1, 4));
        assert_eq!(moves.to_stored(quote(3, 9)), quote(1, 7), "a beginning inside takes in the whole placeholder");
        assert_eq!(moves.to_stored(quote(7, 15)), quote(5, 13));
        assert_eq!(moves.to_given(quote(5, 8)), quote(7, 10));
        assert_eq!(moves.to_given(quote(0, 13)), quote(0, 15));
    }

    proptest! {
        #[test]
        fn what_is_not_replaced_is_found_again(text in "\\PC{0,30}", cuts in prop::collection::vec((0_usize..40, 1_usize..9), 0..4)) {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let edits = cuts.iter().filter_map(|(from, length)| Some(edit(*bounds.get(*from)?..*bounds.get(from + length)?)));
            let edits = settle(edits.collect());
            let (stored, moves) = rewrite(&text, &edits);
            let chars = |text: &str, quote: Quote| -> String { text.chars().skip(quote.from as usize).take((quote.to - quote.from) as usize).collect() };
            let mut at = 0;
            for edit in edits.iter().map(|edit| edit.range.clone()).chain(std::iter::once(text.len()..text.len())) {
                let kept = &text[at..edit.start];
                let from = u32::try_from(text[..at].chars().count()).unwrap();
                let given = Quote { from, to: from + u32::try_from(kept.chars().count()).unwrap() };
                if given.from < given.to {
                    prop_assert_eq!(chars(&stored, moves.to_stored(given)), kept);
                    prop_assert_eq!(moves.to_given(moves.to_stored(given)), given);
                }
                at = edit.end;
            }
            for (given, stored_at) in moves.iter() {
                prop_assert_eq!(chars(&stored, *stored_at), "[x]");
                prop_assert_eq!(moves.to_stored(*given), *stored_at);
            }
        }

        #[test]
        fn a_hunt_leaves_none_of_its_values(text in "[abc ]{0,40}", values in prop::collection::vec("[abc]{3,6}", 1..5)) {
            let mut hunt = Hunt::new();
            for value in &values {
                hunt.add(value, ());
            }
            let edits: Vec<Edit<()>> = hunt.find(&text).into_iter().map(|(range, ())| edit(range)).collect();
            let (stored, _) = rewrite(&text, &edits);
            prop_assert!(values.iter().all(|value| !stored.contains(value.as_str())), "{stored}");
        }
    }
}
