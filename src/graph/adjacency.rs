//! Sorted entries per term, in blocks of neighbouring terms; long lists as trees with zone maps.
//!
//! Owns the layout. Knows of its entries only a key to sort by and a zone to skip by.

use super::pvec::{ARC, PVec};
use std::sync::Arc;

/// Terms in one block.
const TERMS: usize = 32;
/// A term's list is a tree of its own above this length, and goes back into its block below half of it.
const SMALL: usize = 128;
/// Entries in a leaf of a tree before it is split.
const LEAF: usize = 128;
/// Leaves in a group of a tree before it is split.
const GROUP: usize = 64;

/// Bounds over entries, by which a read skips many at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    /// Valid time: the earliest start.
    pub(super) start: i64,
    /// Valid time: the latest end.
    pub(super) end: i64,
    /// The earliest transaction since which one is believed.
    pub(super) tx_from: u32,
    /// The latest transaction until which one is believed.
    pub(super) tx_to: u32,
}

impl Zone {
    /// The zone of nothing.
    pub(super) const NONE: Self = Self { start: i64::MAX, end: i64::MIN, tx_from: u32::MAX, tx_to: 0 };

    fn with(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
            tx_from: self.tx_from.min(other.tx_from),
            tx_to: self.tx_to.max(other.tx_to),
        }
    }
}

/// What a list keeps.
pub(super) trait Entry: Copy {
    /// What lists are sorted by. Entries with equal keys stay in the order in which they came.
    fn key(&self) -> u128;
    /// What reads skip by.
    fn zone(&self) -> Zone;
}

impl Entry for u64 {
    fn key(&self) -> u128 {
        u128::from(*self)
    }

    fn zone(&self) -> Zone {
        Zone { start: i64::MIN, end: i64::MAX, tx_from: 0, tx_to: u32::MAX }
    }
}

/// What a read asks for: some valid time, as of some transaction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Valid time: the first instant.
    pub(super) from: i64,
    /// Valid time: the end, exclusive.
    pub(super) until: i64,
    /// How many transactions are known.
    pub(super) txs: u32,
}

impl Window {
    /// All of valid time and every belief there ever was.
    pub(super) const ALL: Self = Self { from: i64::MIN, until: i64::MAX, txs: u32::MAX };

    /// Whether nothing in a zone can be asked for.
    #[inline]
    fn skips(self, zone: Zone) -> bool {
        let unknown = self.txs != u32::MAX && (zone.tx_from >= self.txs || zone.tx_to < self.txs);
        zone.start >= self.until || zone.end <= self.from || unknown
    }
}

/// Part of a tree, seen from above.
#[derive(Debug)]
struct Branch<C> {
    first: u128,
    zone: Zone,
    child: Arc<C>,
}

impl<C> Clone for Branch<C> {
    fn clone(&self) -> Self {
        Self { first: self.first, zone: self.zone, child: Arc::clone(&self.child) }
    }
}

type Leaf<E> = Branch<Vec<E>>;
type Group<E> = Branch<Vec<Leaf<E>>>;

/// A long sorted list.
///
/// # Complexity
/// Insert and remove O(log n + leaf + groups). An iteration skips the leaves and groups whose zone the caller refuses.
#[derive(Debug)]
pub(super) struct Tree<E> {
    len: usize,
    groups: Vec<Group<E>>,
}

impl<E> Clone for Tree<E> {
    fn clone(&self) -> Self {
        Self { len: self.len, groups: self.groups.clone() }
    }
}

/// The place in `branches` that a key belongs to.
fn branch_of<C>(branches: &[Branch<C>], key: u128) -> usize {
    branches.partition_point(|branch| branch.first <= key).saturating_sub(1)
}

/// The first place in `branches` that may hold a key: a run of equal keys may begin in the branch before.
fn first_branch<C>(branches: &[Branch<C>], key: u128) -> usize {
    branches.partition_point(|branch| branch.first < key).saturating_sub(1)
}

fn leaf_over<E: Entry>(entries: Vec<E>) -> Leaf<E> {
    let zone = entries.iter().fold(Zone::NONE, |zone, entry| zone.with(entry.zone()));
    Branch { first: entries.first().map_or(0, Entry::key), zone, child: Arc::new(entries) }
}

fn group_over<E>(leaves: Vec<Leaf<E>>) -> Group<E> {
    let zone = leaves.iter().fold(Zone::NONE, |zone, leaf| zone.with(leaf.zone));
    Branch { first: leaves.first().map_or(0, |leaf| leaf.first), zone, child: Arc::new(leaves) }
}

impl<E: Entry> Tree<E> {
    /// A tree of sorted entries, its leaves three quarters full.
    fn of(entries: &[E]) -> Self {
        let leaves: Vec<Leaf<E>> = entries.chunks(LEAF * 3 / 4).map(|chunk| leaf_over(chunk.to_vec())).collect();
        let groups = leaves.chunks(GROUP * 3 / 4).map(|chunk| group_over(chunk.to_vec())).collect();
        Self { len: entries.len(), groups }
    }

    fn insert(&mut self, entry: E) {
        let key = entry.key();
        self.len += 1;
        let at = branch_of(&self.groups, key);
        let Some(group) = self.groups.get_mut(at) else {
            self.groups.push(group_over(vec![leaf_over(vec![entry])]));
            return;
        };
        group.first = group.first.min(key);
        group.zone = group.zone.with(entry.zone());
        let leaves = Arc::make_mut(&mut group.child);
        let leaf_at = branch_of(leaves, key);
        let Some(leaf) = leaves.get_mut(leaf_at) else { return };
        leaf.first = leaf.first.min(key);
        leaf.zone = leaf.zone.with(entry.zone());
        let entries = Arc::make_mut(&mut leaf.child);
        let gap = entries.partition_point(|other| other.key() <= key);
        entries.insert(gap, entry);
        if entries.len() > LEAF {
            // Lists mostly grow at their end: a split there leaves a full leaf behind.
            let upper = entries.split_off(if gap == LEAF { LEAF * 7 / 8 } else { LEAF / 2 });
            let lower = std::mem::take(entries);
            *leaf = leaf_over(lower);
            leaves.insert(leaf_at + 1, leaf_over(upper));
        }
        if leaves.len() > GROUP {
            let upper = leaves.split_off(if leaf_at + 1 >= GROUP { GROUP * 7 / 8 } else { GROUP / 2 });
            let lower = std::mem::take(leaves);
            *group = group_over(lower);
            self.groups.insert(at + 1, group_over(upper));
        }
    }

    /// Removes the first entry with this key that `is_it` accepts.
    fn remove(&mut self, key: u128, is_it: impl Fn(&E) -> bool) -> Option<E> {
        let mut at = first_branch(&self.groups, key);
        while self.groups.get(at).is_some_and(|group| group.first <= key) {
            let group = self.groups.get_mut(at)?;
            let mut leaf_at = first_branch(&group.child, key);
            while group.child.get(leaf_at).is_some_and(|leaf| leaf.first <= key) {
                let leaf = group.child.get(leaf_at)?;
                let from = leaf.child.partition_point(|entry| entry.key() < key);
                let found = leaf.child.iter().skip(from).take_while(|entry| entry.key() == key).position(&is_it);
                if let Some(found) = found {
                    let leaves = Arc::make_mut(&mut group.child);
                    let leaf = leaves.get_mut(leaf_at)?;
                    let mut entries = Arc::unwrap_or_clone(std::mem::take(&mut leaf.child));
                    let entry = entries.remove(from + found);
                    if entries.is_empty() {
                        leaves.remove(leaf_at);
                    } else {
                        *leaf = leaf_over(entries);
                    }
                    if leaves.is_empty() {
                        self.groups.remove(at);
                    } else {
                        let leaves = std::mem::take(leaves);
                        *group = group_over(leaves);
                    }
                    self.len -= 1;
                    return Some(entry);
                }
                leaf_at += 1;
            }
            at += 1;
        }
        None
    }

    fn bytes(&self) -> usize {
        let leaf = |leaf: &Leaf<E>| leaf.child.capacity() * size_of::<E>() + size_of::<Vec<E>>() + ARC;
        let group = |group: &Group<E>| {
            group.child.capacity() * size_of::<Leaf<E>>() + size_of::<Vec<Leaf<E>>>() + ARC + group.child.iter().map(leaf).sum::<usize>()
        };
        size_of::<Self>() + self.groups.capacity() * size_of::<Group<E>>() + self.groups.iter().map(group).sum::<usize>()
    }
}

/// The lists of neighbouring terms, one after the other.
#[derive(Clone, Debug)]
struct Block<E> {
    ends: [u16; TERMS],
    entries: Vec<E>,
    /// The long ones.
    trees: Vec<(u8, Arc<Tree<E>>)>,
}

impl<E> Default for Block<E> {
    fn default() -> Self {
        Self { ends: [0; TERMS], entries: Vec::new(), trees: Vec::new() }
    }
}

impl<E> Block<E> {
    #[inline]
    fn range(&self, low: usize) -> (usize, usize) {
        let end = self.ends.get(low).copied().unwrap_or_default();
        let start = if low == 0 { 0 } else { self.ends.get(low - 1).copied().unwrap_or_default() };
        (usize::from(start), usize::from(end))
    }

    fn tree(&self, low: usize) -> Option<&Tree<E>> {
        self.trees.iter().find(|(at, _)| usize::from(*at) == low).map(|(_, tree)| &**tree)
    }

    fn shift(&mut self, low: usize, grown: usize, shrunk: usize) {
        for end in self.ends.iter_mut().skip(low) {
            *end = u16::try_from(usize::from(*end) + grown - shrunk).unwrap_or(u16::MAX);
        }
    }
}

/// One sorted list of entries for each term.
#[derive(Clone, Debug)]
pub(super) struct Lists<E> {
    blocks: PVec<Block<E>, 1>,
}

impl<E> Default for Lists<E> {
    fn default() -> Self {
        Self { blocks: PVec::default() }
    }
}

/// What is to be done to one list: put in an entry, or take one out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change<E> {
    pub(super) term: u32,
    pub(super) entry: E,
    pub(super) put: bool,
}

impl<E: Entry + PartialEq> Lists<E> {
    /// The list of a term, to be read in order.
    #[inline]
    pub(super) fn of(&self, term: u32) -> List<'_, E> {
        let (block, low) = place(term);
        let Some(block) = self.blocks.get(block) else { return List::Short(&[]) };
        let (start, end) = block.range(low);
        if start == end && !block.trees.is_empty() {
            return block.tree(low).map_or(List::Short(&[]), List::Long);
        }
        List::Short(block.entries.get(start..end).unwrap_or_default())
    }

    /// Puts one entry in.
    pub(super) fn insert(&mut self, term: u32, entry: E) {
        let (at, low) = place(term);
        let Some(block) = self.blocks.grown(at) else { return };
        if let Some((_, tree)) = block.trees.iter_mut().find(|(at, _)| usize::from(*at) == low) {
            return Arc::make_mut(tree).insert(entry);
        }
        let (start, end) = block.range(low);
        let Some(list) = block.entries.get(start..end) else { return };
        let gap = list.partition_point(|other| other.key() <= entry.key());
        if list.len() < SMALL {
            if block.entries.len() == block.entries.capacity() {
                block.entries.reserve_exact(block.entries.len() / 16 + 4);
            }
            block.entries.insert(start + gap, entry);
            return block.shift(low, 1, 0);
        }
        let mut tree = Tree::of(list);
        tree.insert(entry);
        block.entries.drain(start..end);
        block.shift(low, 0, end - start);
        block.trees.push((u8::try_from(low).unwrap_or_default(), Arc::new(tree)));
    }

    /// Takes out the entry with this key that `is_it` accepts.
    pub(super) fn remove(&mut self, term: u32, key: u128, is_it: impl Fn(&E) -> bool) -> Option<E> {
        let (at, low) = place(term);
        let block = self.blocks.get_mut(at)?;
        if let Some(found) = block.trees.iter().position(|(at, _)| usize::from(*at) == low) {
            let tree = Arc::make_mut(&mut block.trees.get_mut(found)?.1);
            let entry = tree.remove(key, is_it)?;
            if tree.len < SMALL / 2 {
                let (_, tree) = block.trees.remove(found);
                let list: Vec<E> = tree.groups.iter().flat_map(|group| &*group.child).flat_map(|leaf| leaf.child.iter().copied()).collect();
                let (start, _) = block.range(low);
                block.shift(low, list.len(), 0);
                block.entries.splice(start..start, list);
            }
            return Some(entry);
        }
        let (start, end) = block.range(low);
        let list = block.entries.get(start..end)?;
        let from = list.partition_point(|entry| entry.key() < key);
        let found = from + list.iter().skip(from).take_while(|entry| entry.key() == key).position(is_it)?;
        let entry = block.entries.remove(start + found);
        block.shift(low, 0, 1);
        Some(entry)
    }

    /// Makes many changes, none of which puts in what another one takes out. Their order is lost.
    ///
    /// # Complexity
    /// A block with many changes is written anew, once.
    pub(super) fn apply(&mut self, changes: &mut [Change<E>]) {
        if changes.len() <= 8 {
            for change in changes {
                self.change(*change);
            }
            return;
        }
        // By term first: a block then has its changes together, and a list its own.
        let blocks = changes.iter().map(|change| place(change.term).0 + 1).max().unwrap_or_default();
        if blocks <= changes.len() {
            gather(changes, blocks);
            for changes in changes.chunk_by_mut(|left, right| place(left.term).0 == place(right.term).0) {
                changes.sort_unstable_by_key(|change| (change.term, change.entry.key()));
            }
        } else {
            changes.sort_unstable_by_key(|change| (change.term, change.entry.key()));
        }
        for changes in changes.chunk_by(|left, right| place(left.term).0 == place(right.term).0) {
            let at = changes.first().map_or(0, |change| place(change.term).0);
            let trees = self.blocks.get(at).is_some_and(|block| !block.trees.is_empty());
            if changes.len() <= 4 || trees || changes.iter().any(|change| !change.put) {
                for change in changes {
                    self.change(*change);
                }
            } else {
                self.rewrite(at, changes);
            }
        }
    }

    fn change(&mut self, change: Change<E>) {
        if change.put {
            self.insert(change.term, change.entry);
        } else {
            self.remove(change.term, change.entry.key(), |entry| *entry == change.entry);
        }
    }

    /// Writes a block without trees anew, with more entries.
    fn rewrite(&mut self, at: usize, changes: &[Change<E>]) {
        let Some(block) = self.blocks.grown(at) else { return };
        let mut entries = Vec::with_capacity(block.entries.len() + changes.len());
        let mut ends = [0; TERMS];
        let mut changes = changes.iter().peekable();
        for (low, end) in ends.iter_mut().enumerate() {
            let (start, stop) = block.range(low);
            let mut old = block.entries.get(start..stop).unwrap_or_default().iter().peekable();
            let from = entries.len();
            loop {
                let new = changes.peek().filter(|change| place(change.term).1 == low).map(|change| change.entry);
                match (old.peek(), new) {
                    (Some(kept), Some(new)) if kept.key() > new.key() => entries.extend(changes.next().map(|change| change.entry)),
                    (Some(_), _) => entries.extend(old.next().copied()),
                    (None, Some(_)) => entries.extend(changes.next().map(|change| change.entry)),
                    (None, None) => break,
                }
            }
            if entries.len() - from > SMALL {
                let tree = Tree::of(entries.get(from..).unwrap_or_default());
                entries.truncate(from);
                block.trees.push((u8::try_from(low).unwrap_or_default(), Arc::new(tree)));
            }
            *end = u16::try_from(entries.len()).unwrap_or(u16::MAX);
        }
        entries.shrink_to_fit();
        (block.entries, block.ends) = (entries, ends);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let tree = |(_, tree): &(u8, Arc<Tree<E>>)| tree.bytes() + ARC;
        let block = |block: &Block<E>| {
            block.entries.capacity() * size_of::<E>()
                + block.trees.capacity() * size_of::<(u8, Arc<Tree<E>>)>()
                + block.trees.iter().map(tree).sum::<usize>()
        };
        self.blocks.bytes() + self.blocks.iter().map(block).sum::<usize>()
    }
}

/// Brings changes into the order of the blocks that they are in, which are so many.
///
/// # Complexity
/// Linear in changes and blocks; takes as much memory as the changes do.
fn gather<E: Copy>(changes: &mut [Change<E>], blocks: usize) {
    let mut places = vec![0_usize; blocks + 1];
    for change in &*changes {
        if let Some(count) = places.get_mut(place(change.term).0 + 1) {
            *count += 1;
        }
    }
    let mut before = 0;
    for place in &mut places {
        before += *place;
        *place = before;
    }
    let given = changes.to_vec();
    for change in given {
        if let Some(at) = places.get_mut(place(change.term).0) {
            if let Some(slot) = changes.get_mut(*at) {
                *slot = change;
            }
            *at += 1;
        }
    }
}

/// The block of a term, and its place in it.
#[inline]
fn place(term: u32) -> (usize, usize) {
    (term as usize / TERMS, term as usize % TERMS)
}

/// The list of one term.
#[derive(Debug)]
pub(super) enum List<'a, E> {
    /// In one piece.
    Short(&'a [E]),
    /// In leaves.
    Long(&'a Tree<E>),
}

impl<'a, E: Entry> List<'a, E> {
    /// How many entries.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Short(entries) => entries.len(),
            Self::Long(tree) => tree.len,
        }
    }

    /// The first entry.
    pub(super) fn first(&self) -> Option<&'a E> {
        match self {
            Self::Short(entries) => entries.first(),
            Self::Long(tree) => tree.groups.first().and_then(|group| group.child.first()).and_then(|leaf| leaf.child.first()),
        }
    }

    /// The entries with keys from `low` to `high`, both included, in slices. Whole slices are left out where a window over all of
    /// them is asked for in vain; in the others each entry is still to be asked.
    #[inline]
    pub(super) fn slices(self, low: u128, high: u128, window: Window) -> Slices<'a, E> {
        let mut slices = Slices { short: &[], groups: &[], leaves: &[], low, high, window };
        match self {
            Self::Short(entries) => slices.short = entries,
            Self::Long(tree) => slices.groups = tree.groups.get(first_branch(&tree.groups, low)..).unwrap_or_default(),
        }
        slices
    }

    /// The entry with this key.
    pub(super) fn find(self, key: u128, is_it: impl Fn(&E) -> bool) -> Option<E> {
        self.slices(key, key, Window::ALL).find_map(|slice| slice.iter().find(|entry| entry.key() == key && is_it(entry)).copied())
    }
}

/// See [`List::slices`].
#[derive(Debug)]
pub(super) struct Slices<'a, E> {
    short: &'a [E],
    groups: &'a [Group<E>],
    leaves: &'a [Leaf<E>],
    low: u128,
    high: u128,
    window: Window,
}

impl<'a, E: Entry> Iterator for Slices<'a, E> {
    type Item = &'a [E];

    #[inline]
    fn next(&mut self) -> Option<&'a [E]> {
        if !self.short.is_empty() {
            let short = std::mem::take(&mut self.short);
            return Some(self.cut(short));
        }
        loop {
            while let Some((leaf, rest)) = self.leaves.split_first() {
                self.leaves = rest;
                if leaf.first > self.high {
                    (self.leaves, self.groups) = (&[], &[]);
                    return None;
                }
                if !self.window.skips(leaf.zone) {
                    return Some(self.cut(&leaf.child));
                }
            }
            let (group, rest) = self.groups.split_first()?;
            self.groups = rest;
            if group.first > self.high {
                self.groups = &[];
                return None;
            }
            if !self.window.skips(group.zone) {
                self.leaves = group.child.get(first_branch(&group.child, self.low)..).unwrap_or_default();
            }
        }
    }
}

impl<E: Entry> Slices<'_, E> {
    /// What of a slice lies between the bounds.
    #[inline]
    fn cut<'s>(&self, entries: &'s [E]) -> &'s [E] {
        if self.low == 0 && self.high == u128::MAX {
            return entries;
        }
        let from = entries.partition_point(|entry| entry.key() < self.low);
        let entries = entries.get(from..).unwrap_or_default();
        let until = entries.partition_point(|entry| entry.key() <= self.high);
        entries.get(..until).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn read(lists: &Lists<u64>, term: u32) -> Vec<u64> {
        lists.of(term).slices(0, u128::MAX, Window::ALL).flatten().copied().collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn lists_are_sorted_sets(steps in proptest::collection::vec((0_u32..40, 0_u64..3000, 0_u8..4), 0..6000)) {
            let mut lists = Lists::default();
            let mut model: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); 40];
            let mut bulk = Vec::new();
            for (term, value, what) in steps {
                // Half of the entries go to one term, which grows into a tree and shrinks back.
                let term = if value % 2 == 0 { 7 } else { term };
                let set = &mut model[term as usize];
                match what {
                    0 if set.remove(&value) => {
                        lists.apply(&mut bulk);
                        bulk.clear();
                        bulk.push(Change { term, entry: value, put: false });
                        lists.apply(&mut bulk);
                        bulk.clear();
                    }
                    0 => {}
                    1 if set.insert(value) => bulk.push(Change { term, entry: value, put: true }),
                    _ => {
                        lists.apply(&mut bulk);
                        bulk.clear();
                        if set.insert(value) {
                            lists.insert(term, value);
                        }
                    }
                }
            }
            lists.apply(&mut bulk);
            for (term, set) in (0..).zip(&model) {
                prop_assert_eq!(read(&lists, term), set.iter().copied().collect::<Vec<_>>());
                prop_assert_eq!(lists.of(term).len(), set.len());
                let some: Vec<u64> = lists.of(term).slices(500, 2000, Window::ALL).flatten().copied().collect();
                prop_assert_eq!(some, set.range(500..=2000).copied().collect::<Vec<_>>());
                for value in [0, 499, 500, 1000] {
                    prop_assert_eq!(lists.of(term).find(value, |_| true).is_some(), set.contains(&u64::try_from(value).unwrap()));
                }
            }
        }
    }

    #[test]
    fn a_long_list_grows_at_its_end_and_is_emptied() {
        let mut lists = Lists::default();
        for value in 0..50_000_u64 {
            lists.insert(3, value);
        }
        let before = lists.clone();
        for value in 0..50_000_u64 {
            assert_eq!(lists.remove(3, u128::from(value), |_| true), Some(value));
        }
        assert_eq!(lists.of(3).len(), 0);
        assert!(read(&before, 3).into_iter().eq(0..50_000));
    }
}
