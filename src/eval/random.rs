//! A small seeded generator, so that every sampled question and order can be asked again. Not for secrets.

/// Source: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators" (`SplitMix64`).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The same seed gives the same numbers, on every machine.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in `[0, end)`; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let Ok(end) = u64::try_from(end) else { return 0 };
        self.next().checked_rem(end).and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
    }

    /// A number in `[from, to]`.
    pub(super) fn between(&mut self, from: i64, to: i64) -> i64 {
        let width = usize::try_from(to.saturating_sub(from)).unwrap_or(0).saturating_add(1);
        from.saturating_add(i64::try_from(self.below(width)).unwrap_or(0))
    }

    /// Puts the items in a random order (Fisher and Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_same_seed_gives_the_same_numbers_within_the_bounds_asked_for() {
        let (mut one, mut other) = (Random::new(7), Random::new(7));
        let drawn: Vec<i64> = (0..1000).map(|_| one.between(-3, 3)).collect();
        assert_eq!(drawn, (0..1000).map(|_| other.between(-3, 3)).collect::<Vec<_>>(), "one seed, one sequence");
        for number in -3..=3 {
            assert!(drawn.contains(&number), "{number} was never drawn in 1000 draws");
        }
        assert!(drawn.iter().all(|number| (-3..=3).contains(number)), "outside the bounds");
        assert_eq!(one.below(0), 0, "nothing to choose from");
    }

    #[test]
    fn shuffling_loses_nothing() {
        let mut items: Vec<u32> = (0..50).collect();
        Random::new(1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>(), "fifty items stayed in place");
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>(), "an item was lost");
    }
}
