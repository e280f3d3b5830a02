//! A sorted sequence in chunks: an insertion moves one chunk, not the rest of the sequence. Knows nothing of what it holds.

/// A small thing to keep in order.
pub(super) trait Element: Copy {
    /// Something of which the greatest over a range is wanted.
    fn weight(&self) -> u8 {
        0
    }
}

/// The most elements of a chunk.
const CHUNK: usize = 64;
/// How many chunks are summed up together.
const GROUP: usize = 32;

/// A position in a [`Chunked`]: chunk, and index in it. The end is one past the last chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position(usize, usize);

impl Position {
    pub(super) const START: Self = Self(0, 0);
}

#[derive(Clone, Debug)]
struct Chunk<T> {
    /// Never empty.
    elements: Vec<T>,
    weight: u8,
}

/// A sorted sequence; the order is given with each search.
#[derive(Clone, Debug)]
pub(super) struct Chunked<T> {
    chunks: Vec<Chunk<T>>,
    /// The first element of each chunk, so that a search touches one chunk only.
    firsts: Vec<T>,
    /// How many elements each [`GROUP`] of chunks holds, and their greatest weight.
    groups: Vec<(usize, u8)>,
}

impl<T: Element> Default for Chunked<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), firsts: Vec::new(), groups: Vec::new() }
    }
}

impl<T: Element> Chunked<T> {
    /// The first position whose element is not `before`, which holds for a prefix of the sequence.
    pub(super) fn find(&self, before: impl Fn(&T) -> bool) -> Position {
        let chunk = self.firsts.partition_point(&before).saturating_sub(1);
        let index = self.chunks.get(chunk).map_or(0, |chunk| chunk.elements.partition_point(&before));
        self.normal(Position(chunk, index))
    }

    /// As [`Chunked::find`], where the position is at or after `from`, and often not far.
    pub(super) fn find_near(&self, from: Position, before: impl Fn(&T) -> bool) -> Position {
        let mut at = from;
        for _ in 0..4 {
            match self.get(at) {
                Some(element) if before(&element) => at = self.next(at),
                _ => return at,
            }
        }
        self.find(before)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    fn normal(&self, Position(chunk, index): Position) -> Position {
        match self.chunks.get(chunk) {
            Some(found) if index >= found.elements.len() => Position(chunk + 1, 0),
            _ => Position(chunk, index),
        }
    }

    pub(super) fn get(&self, Position(chunk, index): Position) -> Option<T> {
        self.chunks.get(chunk)?.elements.get(index).copied()
    }

    pub(super) fn next(&self, Position(chunk, index): Position) -> Position {
        self.normal(Position(chunk, index + 1))
    }

    /// The element before a position.
    pub(super) fn before(&self, Position(chunk, index): Position) -> Option<T> {
        if let Some(index) = index.checked_sub(1) {
            return self.get(Position(chunk, index));
        }
        self.chunks.get(chunk.checked_sub(1)?)?.elements.last().copied()
    }

    pub(super) fn end(&self) -> Position {
        Position(self.chunks.len(), 0)
    }

    /// The elements in `[from, to)`.
    pub(super) fn between(&self, from: Position, to: Position) -> impl Iterator<Item = T> {
        let mut at = from;
        std::iter::from_fn(move || {
            let element = (at < to).then(|| self.get(at))?;
            at = self.next(at);
            element
        })
    }

    /// The elements from a position on.
    pub(super) fn from(&self, mut at: Position) -> impl Iterator<Item = T> {
        std::iter::from_fn(move || {
            let element = self.get(at);
            at = self.next(at);
            element
        })
    }

    pub(super) fn insert(&mut self, Position(chunk, index): Position, element: T) {
        // An element that goes between two chunks goes to the end of the first.
        let (number, index) = match (chunk.checked_sub(1), index) {
            (Some(before), 0) => (before, self.chunks.get(before).map_or(0, |chunk| chunk.elements.len())),
            _ => (chunk, index),
        };
        let Some(chunk) = self.chunks.get_mut(number) else {
            let mut elements = Vec::with_capacity(4);
            elements.push(element);
            self.chunks.push(Chunk { elements, weight: element.weight() });
            self.firsts.push(element);
            self.regroup();
            return;
        };
        chunk.elements.insert(index, element);
        chunk.weight = chunk.weight.max(element.weight());
        if index == 0
            && let Some(first) = self.firsts.get_mut(number)
        {
            *first = element;
        }
        if chunk.elements.len() > CHUNK {
            // Mostly sequences grow at their end; a chunk is left nearly full then.
            let keep = if index + 1 == chunk.elements.len() { CHUNK * 7 / 8 } else { CHUNK / 2 };
            let elements = chunk.elements.split_off(keep);
            if let Some(&first) = elements.first() {
                self.chunks.insert(number + 1, Chunk { elements, weight: 0 });
                self.firsts.insert(number + 1, first);
            }
            self.settle(number);
            self.settle(number + 1);
            self.regroup();
        } else if let Some((count, weight)) = self.groups.get_mut(number / GROUP) {
            *count += 1;
            *weight = element.weight().max(*weight);
        }
    }

    pub(super) fn remove(&mut self, Position(number, index): Position) {
        let Some(chunk) = self.chunks.get_mut(number).filter(|chunk| index < chunk.elements.len()) else { return };
        chunk.elements.remove(index);
        if chunk.elements.is_empty() {
            self.chunks.remove(number);
            self.firsts.remove(number);
            self.regroup();
        } else {
            self.settle(number);
            self.sum_group(number / GROUP);
        }
    }

    /// Sums up all groups, when chunks have moved between them: once in many changes.
    fn regroup(&mut self) {
        self.groups.resize(self.chunks.len().div_ceil(GROUP), (0, 0));
        for group in 0..self.groups.len() {
            self.sum_group(group);
        }
    }

    fn sum_group(&mut self, group: usize) {
        let chunks = self.chunks.iter().skip(group * GROUP).take(GROUP);
        let sum = chunks.fold((0, 0), |(count, weight), chunk| (count + chunk.elements.len(), chunk.weight.max(weight)));
        if let Some(kept) = self.groups.get_mut(group) {
            *kept = sum;
        }
    }

    /// Brings what is kept of a chunk up to date.
    fn settle(&mut self, number: usize) {
        let (Some(chunk), Some(kept)) = (self.chunks.get_mut(number), self.firsts.get_mut(number)) else { return };
        chunk.weight = chunk.elements.iter().map(T::weight).max().unwrap_or(0);
        if let Some(first) = chunk.elements.first() {
            *kept = *first;
        }
    }

    /// How many elements lie in `[from, to)`, and their greatest weight.
    ///
    /// # Complexity
    /// One step for each group between, for each chunk of the groups at both ends, and for each element of the chunks at both ends.
    pub(super) fn sum(&self, from: Position, to: Position) -> (usize, u8) {
        let mut sum = (0, 0);
        let mut number = from.0;
        while number < self.chunks.len() && number <= to.0 {
            if number.is_multiple_of(GROUP)
                && number + GROUP <= to.0
                && number > from.0
                && let Some((count, weight)) = self.groups.get(number / GROUP)
            {
                sum = (sum.0 + count, sum.1.max(*weight));
                number += GROUP;
                continue;
            }
            let Some(chunk) = self.chunks.get(number) else { break };
            let start = if number == from.0 { from.1 } else { 0 };
            let end = if number == to.0 { to.1 } else { chunk.elements.len() };
            let weight = if start == 0 && end == chunk.elements.len() {
                chunk.weight
            } else {
                chunk.elements.get(start..end).unwrap_or_default().iter().map(T::weight).max().unwrap_or(0)
            };
            sum = (sum.0 + end.saturating_sub(start), sum.1.max(weight));
            number += 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Number(u32);

    impl Element for Number {
        fn weight(&self) -> u8 {
            u8::try_from(self.0 % 251).unwrap()
        }
    }

    #[test]
    fn it_behaves_like_a_sorted_vector() {
        let (mut chunked, mut plain) = (Chunked::default(), Vec::new());
        let mut state = 1_u32;
        for step in 0..20_000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = (state >> 8) % 4000;
            let position = plain.partition_point(|other| *other < number);
            let found = chunked.find(|other: &Number| other.0 < number);
            if plain.get(position) == Some(&number) || step % 3 == 2 {
                if position < plain.len() {
                    plain.remove(position);
                    chunked.remove(found);
                }
            } else {
                plain.insert(position, number);
                chunked.insert(found, Number(number));
            }
            if step % 997 == 0 {
                let all: Vec<u32> = chunked.from(Position(0, 0)).map(|number| number.0).collect();
                assert_eq!(all, plain, "after step {step}");
                let (from, to) = (plain.partition_point(|other| *other < 1000), plain.partition_point(|other| *other < 3000));
                let heaviest = plain[from..to].iter().map(|number| Number(*number).weight()).max().unwrap_or(0);
                let sum = chunked.sum(chunked.find(|other| other.0 < 1000), chunked.find(|other| other.0 < 3000));
                assert_eq!(sum, (to - from, heaviest), "a range is summed");
                assert_eq!(
                    chunked.before(chunked.find(|other| other.0 < 3000)).map(|number| number.0),
                    plain[..to].last().copied(),
                    "before"
                );
            }
        }
        assert!(plain.len() > 1000, "it grew");
    }
}
