//! Reciprocal rank fusion. Knows no arm but by its name.

use super::recalled::Arm;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The smoothing of ranks.
///
/// Source: Cormack, Clarke and Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods".
pub(super) const K: f64 = 60.0;

/// One arm's list: the best first, each with its raw score.
#[derive(Clone, Debug)]
pub(super) struct Ranked<T> {
    pub(super) arm: Arm,
    /// What its ranks count for.
    pub(super) weight: f64,
    pub(super) list: Vec<(T, f64)>,
}

/// What was fused: the sum of `weight / (k + rank)` as a share of what the first rank in every arm would have, and the arms' ranks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fused<T> {
    pub(super) what: T,
    pub(super) relevance: f64,
    /// Arm, rank from 1, raw score.
    pub(super) arms: Vec<(Arm, usize, f64)>,
}

/// Fuses lists; the best first, of equals the lesser one.
///
/// # Complexity
/// O(n log n) in the length of all lists.
pub(super) fn fuse<T: Copy + Ord + Hash>(lists: &[Ranked<T>]) -> Vec<Fused<T>> {
    let best: f64 = lists.iter().filter(|ranked| !ranked.list.is_empty()).map(|ranked| ranked.weight / (K + 1.0)).sum();
    let mut places: FxHashMap<T, usize> = FxHashMap::default();
    let mut fused: Vec<Fused<T>> = Vec::new();
    for ranked in lists {
        for (rank, (what, raw)) in (1_usize..).zip(&ranked.list) {
            let place = *places.entry(*what).or_insert_with(|| {
                fused.push(Fused { what: *what, relevance: 0.0, arms: Vec::new() });
                fused.len() - 1
            });
            let Some(one) = fused.get_mut(place) else { continue };
            #[expect(clippy::cast_precision_loss, reason = "ranks are small")]
            let rank_of = rank as f64;
            one.relevance += ranked.weight / (K + rank_of);
            one.arms.push((ranked.arm, rank, *raw));
        }
    }
    for one in &mut fused {
        one.relevance /= best.max(f64::MIN_POSITIVE);
    }
    fused.sort_by(|left, right| right.relevance.total_cmp(&left.relevance).then(left.what.cmp(&right.what)));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_arms_find_stands_above_what_one_finds() {
        let list = |arm, list: &[u32]| Ranked { arm, weight: 1.0, list: list.iter().map(|one| (*one, 0.5)).collect() };
        let fused = fuse(&[list(Arm::Words, &[7, 8, 9]), list(Arm::Graph, &[9, 5])]);
        let order: Vec<u32> = fused.iter().map(|one| one.what).collect();
        assert_eq!(order, [9, 7, 5, 8]);
        let nine = (1.0 / 63.0 + 1.0 / 61.0) / (2.0 / 61.0);
        assert!((fused[0].relevance - nine).abs() < 1e-12);
        assert_eq!(fused[0].arms, [(Arm::Words, 3, 0.5), (Arm::Graph, 1, 0.5)]);
    }

    #[test]
    fn the_first_of_every_arm_has_all_relevance_and_an_empty_arm_takes_none() {
        let fused = fuse(&[
            Ranked { arm: Arm::Words, weight: 1.0, list: vec![(1_u32, 2.0)] },
            Ranked { arm: Arm::Vectors, weight: 1.0, list: Vec::new() },
        ]);
        assert!((fused[0].relevance - 1.0).abs() < 1e-12);
    }
}
