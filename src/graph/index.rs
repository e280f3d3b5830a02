//! A hash index: from a hash to the numbers that have it. One table while it is first filled, persistent parts from then on.
//!
//! Owns no keys: equality is asked of the caller.

use super::pvec::{ARC, PVec};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Numbers in one part before it is split.
const PART: usize = 512;
/// Parts are not split below this many hash bits: so many equal hashes are one bucket.
const DEPTH: u8 = 22;

/// The hash that the indexes of a projection use.
pub(super) fn hash_of(value: impl Hash) -> u32 {
    let mut hasher = rustc_hash::FxHasher::default();
    value.hash(&mut hasher);
    // A final mix (the finaliser of MurmurHash3), since parts are told apart by the upper bits.
    let mut bits = hasher.finish();
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    u32::try_from(bits >> 32).unwrap_or(0)
}

/// Numbers whose hashes begin with the same `depth` bits, each as `hash << 32 | number`, sorted.
#[derive(Clone, Debug, Default)]
struct Part {
    depth: u8,
    entries: Vec<u64>,
}

/// From hashes to numbers.
///
/// Before it is first [packed](HashIndex::pack) it is one table, quick to fill and to look up in, and costly to copy; from then on
/// it is an extendible hash index, which shares all but what is written.
#[derive(Clone, Debug)]
pub(super) enum HashIndex {
    /// Not packed yet.
    Table(Table),
    /// Packed.
    Parts(Parts),
}

impl Default for HashIndex {
    fn default() -> Self {
        Self::Table(Table::default())
    }
}

impl HashIndex {
    /// The first number with this hash that the caller recognises.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        match self {
            Self::Table(table) => table.with(hash).find(|number| is_it(*number)),
            Self::Parts(parts) => parts.with(hash).find(|number| is_it(*number)),
        }
    }

    /// An entry near those with this hash, or nothing: reads the memory that a search will read, and decides nothing by it.
    pub(super) fn near(&self, hash: u32) -> u64 {
        match self {
            Self::Table(table) => table.entries.get(table.home(hash)).copied().unwrap_or_default(),
            Self::Parts(parts) => parts.near(hash),
        }
    }

    /// Adds a number.
    pub(super) fn insert(&mut self, hash: u32, number: u32) {
        let entry = u64::from(hash) << 32 | u64::from(number);
        match self {
            Self::Table(table) => table.insert(entry),
            Self::Parts(parts) => parts.insert(entry),
        }
    }

    /// Removes a number.
    pub(super) fn remove(&mut self, hash: u32, number: u32) {
        self.pack();
        if let Self::Parts(parts) = self {
            parts.remove(u64::from(hash) << 32 | u64::from(number));
        }
    }

    /// Makes parts of the table, if it still is one.
    ///
    /// # Complexity
    /// O(n log n) the first time.
    pub(super) fn pack(&mut self) {
        if let Self::Table(table) = self {
            let mut entries = std::mem::take(&mut table.entries);
            entries.retain(|entry| *entry != FREE);
            // They lie where their hashes put them, so they are nearly sorted.
            entries.sort_unstable();
            *self = Self::Parts(Parts::of(&entries));
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Table(table) => table.entries.capacity() * size_of::<u64>(),
            Self::Parts(parts) => parts.bytes(),
        }
    }
}

/// A place of a [`Table`] without an entry.
const FREE: u64 = u64::MAX;

/// All entries in one piece, each at the place that its hash is given in proportion, or at the next free one.
///
/// # Complexity
/// Look-up O(1) expected. Insert O(1) expected, amortised.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// A power of two of places, and what runs over its end.
    entries: Vec<u64>,
    /// The power of two.
    places: usize,
    held: usize,
}

impl Table {
    /// The place that a hash is given.
    #[inline]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.places as u64) >> 32) as usize
    }

    /// The numbers with a hash, in the order in which they were added.
    #[inline]
    fn with(&self, hash: u32) -> impl Iterator<Item = u32> {
        let near = self.entries.get(self.home(hash)..).unwrap_or_default();
        near.iter().take_while(|entry| **entry != FREE).filter_map(move |entry| split(*entry, hash))
    }

    fn insert(&mut self, entry: u64) {
        // At most five places in eight are taken: what is looked for is then found within two steps, mostly.
        if self.held * 8 >= self.places * 5 {
            let old = std::mem::take(&mut self.entries);
            self.places = (self.places * 2).max(64);
            self.entries = vec![FREE; self.places];
            old.into_iter().filter(|entry| *entry != FREE).for_each(|entry| self.put(entry));
        }
        self.held += 1;
        self.put(entry);
    }

    fn put(&mut self, entry: u64) {
        let home = self.home(u32::try_from(entry >> 32).unwrap_or_default());
        match self.entries.iter_mut().skip(home).find(|place| **place == FREE) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
    }
}

/// An extendible hash index.
///
/// # Complexity
/// Clone O(1). Look-up O(1) expected: one interpolation step into a part of at most 512. Insert O(512) moves; a shared part is copied.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    depth: u8,
    /// For each value of the first `depth` hash bits, the part.
    directory: Arc<Vec<u32>>,
    numbered: PVec<Option<Arc<Part>>, 16>,
}

impl Parts {
    /// The index of these entries, which are sorted.
    fn of(entries: &[u64]) -> Self {
        let mut cut = Vec::new();
        cut_parts(entries, 0, &mut cut);
        let depth = cut.iter().map(|part| part.depth).max().unwrap_or_default();
        let mut directory = Vec::with_capacity(1 << depth);
        let mut numbered = PVec::default();
        for (part, number) in cut.into_iter().zip(0_u32..) {
            directory.resize(directory.len() + (1 << (depth - part.depth)), number);
            numbered.push(Some(Arc::new(part)));
        }
        Self { depth, directory: Arc::new(directory), numbered }
    }

    /// The numbers with a hash, in order.
    fn with(&self, hash: u32) -> impl Iterator<Item = u32> {
        let part = self.part_of(hash).and_then(|part| self.numbered.get(part)).and_then(Option::as_ref);
        let entries = part.and_then(|part| part.entries.get(lower_bound(&part.entries, part.depth, hash)..)).unwrap_or_default();
        entries.iter().map_while(move |entry| split(*entry, hash))
    }

    fn near(&self, hash: u32) -> u64 {
        let part = self.part_of(hash).and_then(|part| self.numbered.get(part)).and_then(Option::as_ref);
        part.and_then(|part| part.entries.get(guess(part.entries.len(), part.depth, hash))).copied().unwrap_or_default()
    }

    fn insert(&mut self, entry: u64) {
        let hash = u32::try_from(entry >> 32).unwrap_or_default();
        loop {
            let Some(at) = self.part_of(hash) else { return };
            let Some(Some(part)) = self.numbered.get_mut(at) else { return };
            if part.entries.len() >= PART && part.depth < DEPTH {
                let part = Arc::make_mut(part);
                let upper = split_part(part);
                self.place(hash, upper);
                continue;
            }
            let part = Arc::make_mut(part);
            let mut gap = lower_bound(&part.entries, part.depth, hash);
            while part.entries.get(gap).is_some_and(|other| *other < entry) {
                gap += 1;
            }
            if part.entries.len() == part.entries.capacity() {
                // Growing by an eighth keeps the slack of many small parts small.
                part.entries.reserve_exact(part.entries.len() / 8 + 8);
            }
            part.entries.insert(gap, entry);
            return;
        }
    }

    fn remove(&mut self, entry: u64) {
        let hash = u32::try_from(entry >> 32).unwrap_or_default();
        if let Some(at) = self.part_of(hash)
            && let Some(Some(part)) = self.numbered.get_mut(at)
            && let Ok(found) = part.entries.binary_search(&entry)
        {
            Arc::make_mut(part).entries.remove(found);
        }
    }

    fn bytes(&self) -> usize {
        let parts = self.numbered.iter().flatten().map(|part| ARC + size_of::<Part>() + part.entries.capacity() * size_of::<u64>());
        self.directory.capacity() * size_of::<u32>() + self.numbered.bytes() + parts.sum::<usize>()
    }

    fn part_of(&self, hash: u32) -> Option<usize> {
        self.directory.get(prefix(hash, self.depth)).map(|part| *part as usize)
    }

    /// Enters the upper half of the part of `hash`, just split off, into the directory.
    fn place(&mut self, hash: u32, upper: Part) {
        let number = u32::try_from(self.numbered.len()).unwrap_or(u32::MAX);
        let depth = upper.depth;
        if depth > self.depth {
            self.directory = Arc::new(self.directory.iter().flat_map(|part| [*part, *part]).collect());
            self.depth = depth;
        }
        self.numbered.push(Some(Arc::new(upper)));
        let first = (prefix(hash, depth) | 1) << (self.depth - depth);
        let range = first..first + (1 << (self.depth - depth));
        if let Some(slots) = Arc::make_mut(&mut self.directory).get_mut(range) {
            slots.fill(number);
        }
    }
}

/// The first `depth` bits of a hash.
fn prefix(hash: u32, depth: u8) -> usize {
    (u64::from(hash) << depth >> 32) as usize
}

/// The number of an entry with this hash.
fn split(entry: u64, hash: u32) -> Option<u32> {
    if entry >> 32 == u64::from(hash) { u32::try_from(entry & 0xffff_ffff).ok() } else { None }
}

/// Cuts sorted entries, whose hashes begin with the same `depth` bits, into parts that are not full, in order.
fn cut_parts(entries: &[u64], depth: u8, parts: &mut Vec<Part>) {
    if entries.len() < PART || depth >= DEPTH {
        return parts.push(Part { depth, entries: entries.to_vec() });
    }
    let bit = 1_u64 << (63 - depth);
    let (lower, upper) = entries.split_at(entries.partition_point(|entry| entry & bit == 0));
    cut_parts(lower, depth + 1, parts);
    cut_parts(upper, depth + 1, parts);
}

/// Takes the upper half out of a part: the entries whose next hash bit is set.
fn split_part(part: &mut Part) -> Part {
    let bit = 1_u64 << (63 - part.depth);
    let middle = part.entries.partition_point(|entry| entry & bit == 0);
    part.depth += 1;
    let entries = part.entries.split_off(middle);
    part.entries.shrink_to(PART / 2);
    Part { depth: part.depth, entries }
}

/// Where a hash lies among so many of a part this deep, if they are spread evenly.
#[inline]
fn guess(entries: usize, depth: u8, hash: u32) -> usize {
    ((u64::from(hash << depth) * entries as u64) >> 32) as usize
}

/// Where the entries of a hash begin. Hashes are uniform, so the guess by proportion is off by a few places only.
fn lower_bound(entries: &[u64], depth: u8, hash: u32) -> usize {
    let wanted = u64::from(hash) << 32;
    let mut at = guess(entries.len(), depth, hash);
    while at > 0 && entries.get(at - 1).is_some_and(|entry| *entry >= wanted) {
        at -= 1;
    }
    while entries.get(at).is_some_and(|entry| *entry < wanted) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packed after so many of all insertions.
    fn check_after(packed: u32) {
        let mut index = HashIndex::default();
        for number in 0..50_000_u32 {
            if number == packed {
                index.pack();
            }
            index.insert(hash_of(number), number);
        }
        let before = index.clone();
        for number in 0..50_000_u32 {
            assert_eq!(before.find(hash_of(number), |found| found == number), Some(number));
        }
        for number in (0..50_000_u32).step_by(3) {
            index.remove(hash_of(number), number);
        }
        for number in 0..50_000_u32 {
            assert_eq!(before.find(hash_of(number), |found| found == number), Some(number));
            let left = index.find(hash_of(number), |found| found == number);
            assert_eq!(left, (number % 3 != 0).then_some(number));
        }
        assert_eq!(index.find(hash_of(50_001_u32), |found| found == 50_001), None);
    }

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        for packed in [0, 1, 700, 20_000, 50_000] {
            check_after(packed);
        }
    }

    #[test]
    fn equal_hashes_are_kept_apart_by_the_caller() {
        for hash in [7, u32::MAX] {
            let mut index = HashIndex::default();
            for number in 0..3000 {
                index.insert(hash, number);
            }
            assert_eq!(index.find(hash, |found| found == 2999), Some(2999), "at the end of the table, too");
            assert_eq!(index.find(hash, |_| true), Some(0), "the first one first");
            index.pack();
            assert_eq!(index.find(hash, |found| found == 2999), Some(2999));
            assert_eq!(index.find(hash, |_| true), Some(0), "the first one first");
            assert_eq!(index.find(8, |_| true), None);
        }
    }
}
