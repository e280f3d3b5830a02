//! Which claim of another value covers a run's evidence or cuts its tail (the conditions of rule 4). Knows nothing of what follows from it.

use super::TieOrder;
use super::place::{FEW, Placed};
use crate::time::Instant;

/// What rule 4 asks of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    pub value: u32,
    pub key: Instant,
    pub evidence: Instant,
    /// A claim of lower rank neither covers nor cuts.
    pub rank: u8,
}

fn covers(tail: Tail, claim: &Placed) -> bool {
    claim.acts
        && claim.value != tail.value
        && claim.rank >= tail.rank
        && claim.key() < tail.evidence
        && tail.evidence < claim.evidence
        && !(claim.key() <= tail.key && claim.end.is_some())
}

fn cuts(tail: Tail, claim: &Placed) -> bool {
    claim.acts && claim.value != tail.value && claim.rank >= tail.rank && claim.key() > tail.key && claim.key() >= tail.evidence
}

/// The claims of all values, ready to be asked.
#[derive(Debug)]
pub(super) struct Rivals<'a, T> {
    placed: &'a [Placed],
    ties: &'a T,
    /// Indexes into `placed` in cut order, their keys, and a tree for each least rank; empty where the claims are few.
    order: Vec<u32>,
    keys: Vec<Instant>,
    trees: Vec<Trees>,
}

impl<'a, T: TieOrder> Rivals<'a, T> {
    /// # Complexity
    /// Nothing for few claims; O(n log n) for many.
    pub(super) fn new(placed: &'a [Placed], ties: &'a T) -> Self {
        let mut rivals = Self { placed, ties, order: Vec::new(), keys: Vec::new(), trees: Vec::new() };
        if placed.len() > FEW {
            let mut sorted: Vec<(u32, &Placed)> = (0..).zip(placed).filter(|(_, placed)| placed.acts).collect();
            sorted.sort_unstable_by(|(_, left), (_, right)| left.cut_order(right, ties));
            let mut ranks: Vec<u8> = sorted.iter().map(|(_, placed)| placed.rank).collect();
            ranks.sort_unstable();
            ranks.dedup();
            rivals.trees = ranks.iter().map(|&rank| Trees::new(rank, &sorted)).collect();
            rivals.keys = sorted.iter().map(|(_, placed)| placed.key()).collect();
            rivals.order = sorted.into_iter().map(|(index, _)| index).collect();
        }
        rivals
    }

    /// The first claim, in cut order, that covers the evidence of `tail`.
    ///
    /// # Complexity
    /// O(n) for few claims, O(log n) for many.
    pub(super) fn cover(&self, tail: Tail) -> Option<&'a Placed> {
        if self.placed.len() <= FEW {
            return self.first_of(tail, covers);
        }
        let trees = self.trees.iter().find(|trees| trees.rank >= tail.rank)?;
        let after_key = self.position(|key| key <= tail.key);
        let to = self.position(|key| key < tail.evidence);
        let past = tail.evidence;
        let open = trees.open.first(0, after_key.min(to), tail.value, past);
        let found = open.or_else(|| trees.all.first(after_key, to, tail.value, past))?;
        self.at(found)
    }

    /// The first claim, in cut order, that cuts the tail.
    ///
    /// # Complexity
    /// O(n) for few claims, O(log n) for many.
    pub(super) fn cut(&self, tail: Tail) -> Option<&'a Placed> {
        if self.placed.len() <= FEW {
            return self.first_of(tail, cuts);
        }
        let trees = self.trees.iter().find(|trees| trees.rank >= tail.rank)?;
        let from = self.position(|key| key <= tail.key || key < tail.evidence);
        self.at(trees.all.first(from, self.order.len(), tail.value, Instant::DISTANT_PAST)?)
    }

    fn first_of(&self, tail: Tail, applies: impl Fn(Tail, &Placed) -> bool) -> Option<&'a Placed> {
        let mut first: Option<&Placed> = None;
        for placed in self.placed.iter().filter(|placed| applies(tail, placed)) {
            if first.is_none_or(|first| placed.cut_order(first, self.ties).is_lt()) {
                first = Some(placed);
            }
        }
        first
    }

    fn at(&self, position: usize) -> Option<&'a Placed> {
        self.placed.get(*self.order.get(position)? as usize)
    }

    /// The first position in cut order whose key is not `before`, which holds for a prefix.
    fn position(&self, before: impl Fn(Instant) -> bool) -> usize {
        self.keys.partition_point(|key| before(*key))
    }
}

/// The latest evidence of some claims and its value, and the latest of any other value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latest {
    evidence: Instant,
    value: u32,
    other: Instant,
}

impl Latest {
    pub(super) const NONE: Self = Self { evidence: Instant::DISTANT_PAST, value: 0, other: Instant::DISTANT_PAST };

    pub(super) const fn of(evidence: Instant, value: u32) -> Self {
        Self { evidence, value, other: Instant::DISTANT_PAST }
    }

    pub(super) fn join(self, right: Self) -> Self {
        let (first, second) = if self.evidence >= right.evidence { (self, right) } else { (right, self) };
        let other = if first.value == second.value { first.other.max(second.other) } else { first.other.max(second.evidence) };
        Self { other, ..first }
    }

    pub(super) fn without(self, value: u32) -> Instant {
        if self.value == value { self.other } else { self.evidence }
    }
}

/// Trees over all acting claims in cut order; those of a rank below `rank` count as absent.
#[derive(Debug)]
struct Trees {
    rank: u8,
    all: Tree,
    /// Those without a stated end.
    open: Tree,
}

impl Trees {
    fn new(rank: u8, sorted: &[(u32, &Placed)]) -> Self {
        let leaf = |placed: &Placed| {
            if placed.rank < rank {
                return Latest::NONE;
            }
            Latest::of(placed.evidence, placed.value)
        };
        Self {
            rank,
            all: Tree::new(sorted.iter().map(|(_, placed)| leaf(placed))),
            open: Tree::new(sorted.iter().map(|(_, placed)| if placed.end.is_none() { leaf(placed) } else { Latest::NONE })),
        }
    }
}

/// A perfect binary tree in an array: the root at 1, the leaves from `size` on.
#[derive(Debug)]
struct Tree {
    size: usize,
    nodes: Vec<Latest>,
}

impl Tree {
    fn new(leaves: impl ExactSizeIterator<Item = Latest>) -> Self {
        let size = leaves.len().next_power_of_two();
        let mut nodes = vec![Latest::NONE; size];
        nodes.extend(leaves);
        nodes.resize(size * 2, Latest::NONE);
        for index in (1..size).rev() {
            let joined = match (nodes.get(index * 2), nodes.get(index * 2 + 1)) {
                (Some(left), Some(right)) => left.join(*right),
                _ => continue,
            };
            if let Some(node) = nodes.get_mut(index) {
                *node = joined;
            }
        }
        Self { size, nodes }
    }

    /// The first leaf in `[from, to)` of another value than `value` with an evidence after `past`.
    fn first(&self, from: usize, to: usize, value: u32, past: Instant) -> Option<usize> {
        self.descend(1, 0, self.size, from, to, value, past)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one recursion, private to it")]
    fn descend(&self, node: usize, start: usize, len: usize, from: usize, to: usize, value: u32, past: Instant) -> Option<usize> {
        if start >= to || start + len <= from || self.nodes.get(node)?.without(value) <= past {
            return None;
        }
        if len == 1 {
            return Some(start);
        }
        let half = len / 2;
        self.descend(node * 2, start, half, from, to, value, past)
            .or_else(|| self.descend(node * 2 + 1, start + half, half, from, to, value, past))
    }
}
