//! Orders to feed things in: every permutation of a few things, a seeded sample of many. Knows nothing of what is ordered.

use super::random::Random;

/// Orders of `count` things as index lists: all of them, first the given one, where `count!` is at most `limit`;
/// else the given one, its reverse and seeded random ones, `limit` in all, none twice.
///
/// # Complexity
/// O(`limit` · `count`).
pub(super) fn orders(count: usize, limit: usize, seed: u64) -> Vec<Vec<usize>> {
    let given: Vec<usize> = (0..count).collect();
    let all = (1..=count).try_fold(1_usize, usize::checked_mul).filter(|all| *all <= limit);
    let mut found = vec![given.clone()];
    if let Some(all) = all {
        while found.len() < all
            && let Some(next) = found.last().and_then(|last| next_permutation(last))
        {
            found.push(next);
        }
        return found;
    }
    found.push(given.iter().rev().copied().collect());
    let mut random = Random::new(seed);
    while found.len() < limit {
        let mut order = given.clone();
        random.shuffle(&mut order);
        if !found.contains(&order) {
            found.push(order);
        }
    }
    found
}

/// The next permutation in lexicographic order; `None` after the last.
fn next_permutation(order: &[usize]) -> Option<Vec<usize>> {
    let rise = order.windows(2).rposition(|pair| pair.first() < pair.last())?;
    let pivot = order.get(rise)?;
    let swap = order.iter().rposition(|item| item > pivot)?;
    let mut next = order.to_vec();
    next.swap(rise, swap);
    next.get_mut(rise + 1..)?.reverse();
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::orders;
    use std::collections::BTreeSet;

    #[test]
    fn few_things_come_in_every_order_and_the_given_one_first() {
        for (count, all) in [(0, 1), (1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
            let found = orders(count, 120, 1);
            assert_eq!(found.len(), all, "orders of {count}");
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), all, "an order of {count} came twice");
            assert_eq!(found[0], (0..count).collect::<Vec<_>>(), "the given order of {count} comes first");
        }
    }

    #[test]
    fn many_things_are_sampled_with_their_reverse() {
        let found = orders(9, 40, 1);
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 40, "forty different orders");
        assert_eq!(found[1], (0..9).rev().collect::<Vec<_>>(), "the reverse is the hard one");
        assert_eq!(found, orders(9, 40, 1), "the sample can be drawn again");
    }
}
