//! A persistent hash index: from a hash to the numbers that have it. Owns no keys: equality is asked of the caller.

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

/// An extendible hash index.
///
/// # Complexity
/// Clone O(1). Look-up O(1) expected: one interpolation step into a part of at most 512. Insert O(512) moves; a shared part is copied.
#[derive(Clone, Debug)]
pub(super) struct HashIndex {
    depth: u8,
    /// For each value of the first `depth` hash bits, the part.
    directory: Arc<Vec<u32>>,
    parts: PVec<Option<Arc<Part>>, 16>,
}

impl Default for HashIndex {
    fn default() -> Self {
        let mut parts = PVec::default();
        parts.push(Some(Arc::default()));
        Self { depth: 0, directory: Arc::new(vec![0]), parts }
    }
}

impl HashIndex {
    /// The first number with this hash that the caller recognises.
    pub(super) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let Part { depth, entries } = &**self.parts.get(self.part_of(hash)?)?.as_ref()?;
        entries.get(lower_bound(entries, *depth, hash)..)?.iter().map_while(|entry| split(*entry, hash)).find(|number| is_it(*number))
    }

    /// An entry near those with this hash, or nothing: reads the memory that a search will read, and decides nothing by it.
    pub(super) fn near(&self, hash: u32) -> u64 {
        let part = self.part_of(hash).and_then(|part| self.parts.get(part)).and_then(Option::as_ref);
        part.and_then(|part| part.entries.get(guess(part.entries.len(), part.depth, hash))).copied().unwrap_or_default()
    }

    /// Adds a number.
    pub(super) fn insert(&mut self, hash: u32, number: u32) {
        let entry = u64::from(hash) << 32 | u64::from(number);
        loop {
            let Some(at) = self.part_of(hash) else { return };
            let Some(Some(part)) = self.parts.get_mut(at) else { return };
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

    /// Removes a number.
    pub(super) fn remove(&mut self, hash: u32, number: u32) {
        let entry = u64::from(hash) << 32 | u64::from(number);
        if let Some(at) = self.part_of(hash)
            && let Some(Some(part)) = self.parts.get_mut(at)
            && let Ok(found) = part.entries.binary_search(&entry)
        {
            Arc::make_mut(part).entries.remove(found);
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let parts = self.parts.iter().flatten().map(|part| ARC + size_of::<Part>() + part.entries.capacity() * size_of::<u64>());
        self.directory.capacity() * size_of::<u32>() + self.parts.bytes() + parts.sum::<usize>()
    }

    fn part_of(&self, hash: u32) -> Option<usize> {
        self.directory.get(prefix(hash, self.depth)).map(|part| *part as usize)
    }

    /// Enters the upper half of the part of `hash`, just split off, into the directory.
    fn place(&mut self, hash: u32, upper: Part) {
        let number = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let depth = upper.depth;
        if depth > self.depth {
            self.directory = Arc::new(self.directory.iter().flat_map(|part| [*part, *part]).collect());
            self.depth = depth;
        }
        self.parts.push(Some(Arc::new(upper)));
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

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let mut index = HashIndex::default();
        for number in 0..50_000_u32 {
            index.insert(hash_of(number), number);
        }
        let before = index.clone();
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
    fn equal_hashes_are_kept_apart_by_the_caller() {
        let mut index = HashIndex::default();
        for number in 0..3000 {
            index.insert(7, number);
        }
        assert_eq!(index.find(7, |found| found == 2999), Some(2999));
        assert_eq!(index.find(8, |_| true), None);
    }
}
