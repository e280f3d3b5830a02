//! Which observations are surely new: a filter over ids, so that a batch need not look each of its ids up.
//!
//! Knows numbers only. It may take a new id for a known one (the caller then looks it up), never the other way.

use crate::ledger::Seq;
use crate::ledger::key::Key;

/// Bits of the filter per id, when it is made; it is made anew when they fall to half.
const BITS_PER_ID: usize = 24;

/// A Bloom filter with one word per id.
///
/// Source: Putze, Sanders, Singler 2007, cache-efficient Bloom filters (one block, here of 64 bits, per element).
#[derive(Debug)]
pub(super) struct KnownIds {
    words: Vec<u64>,
    ids: usize,
    /// The ids of all observations up to this place are in it.
    pub(super) through: Seq,
}

impl KnownIds {
    /// An empty filter with room for so many ids.
    pub(super) fn with_room(ids: usize) -> Self {
        Self { words: vec![0; ids.max(4096) * BITS_PER_ID / 64 + 1], ids: 0, through: 0 }
    }

    /// Whether so many more ids would make it useless.
    pub(super) fn is_too_small_for(&self, more: usize) -> bool {
        (self.ids + more) * BITS_PER_ID / 2 > self.words.len() * 64
    }

    fn place(&self, key: Key) -> (usize, u64) {
        let spread = key.cast_unsigned();
        let word = (u128::from(spread) * self.words.len() as u128) >> 64;
        // The high bits choose the word, so the low ones are free to choose bits in it.
        let mask = (0..4).fold(0, |mask, nth| mask | 1_u64 << ((spread >> (6 * nth)) & 63));
        (usize::try_from(word).unwrap_or(0), mask)
    }

    /// Notes an id.
    pub(super) fn add(&mut self, key: Key) {
        let (place, mask) = self.place(key);
        if let Some(word) = self.words.get_mut(place) {
            *word |= mask;
        }
        self.ids += 1;
    }

    /// Whether no noted id has this number.
    pub(super) fn surely_lacks(&self, key: Key) -> bool {
        let (place, mask) = self.place(key);
        self.words.get(place).is_some_and(|word| word & mask != mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Key {
        let digest = blake3::hash(&n.to_be_bytes());
        Key::from_be_bytes(digest.as_bytes()[..8].try_into().unwrap())
    }

    #[test]
    fn what_was_added_is_never_missed_and_little_else_is_found() {
        let mut known = KnownIds::with_room(10_000);
        (0..10_000).for_each(|n| known.add(key(n)));
        assert!((0..10_000).all(|n| !known.surely_lacks(key(n))));
        let wrong = (10_000..110_000).filter(|n| !known.surely_lacks(key(*n))).count();
        assert!(wrong < 2_000, "{wrong} of 100,000 unknown ids were taken for known ones");
        assert!(!known.is_too_small_for(0));
        assert!(known.is_too_small_for(10_100));
    }
}
