//! How many slips of the pen lie between two words. Knows no names and no fields.

/// The number of edits (a letter inserted, dropped, replaced, or swapped with its neighbour) that make one word of the other;
/// `None` if it is more than `most`. Symmetric.
///
/// Source: the optimal string alignment distance (Damerau 1964, restricted to one edit per place).
///
/// # Complexity
/// O(|left| · |right|), given up early once every way costs more than `most`.
pub(super) fn edits(left: &[char], right: &[char], most: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    let mut previous_left = None;
    for (at, &x) in left.iter().enumerate() {
        let mut row = Vec::with_capacity(right.len() + 1);
        let mut here = at + 1;
        let mut least = here;
        row.push(here);
        let mut previous_right = None;
        for (column, (&y, pair)) in right.iter().zip(above.windows(2)).enumerate() {
            let &[diagonal, up] = pair else { continue };
            let mut cost = (here + 1).min(up + 1).min(diagonal + usize::from(x != y));
            if x != y && previous_left == Some(y) && previous_right == Some(x) {
                let swapped = column.checked_sub(1).and_then(|column| before.get(column));
                cost = swapped.map_or(cost, |swapped| cost.min(swapped + 1));
            }
            row.push(cost);
            least = least.min(cost);
            here = cost;
            previous_right = Some(y);
        }
        if least > most {
            return None;
        }
        before = std::mem::replace(&mut above, row);
        previous_left = Some(x);
    }
    above.last().copied().filter(|edits| *edits <= most)
}

/// A count as a share of another.
#[expect(clippy::cast_precision_loss, reason = "counts of letters and records are far below 2^52")]
pub(super) fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(left: &str, right: &str, expect: usize) {
        let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
        assert_eq!(edits(&left, &right, 99), Some(expect), "{left:?} {right:?}");
        assert_eq!(edits(&left, &right, expect), Some(expect), "just allowed");
        if expect > 0 {
            assert_eq!(edits(&left, &right, expect - 1), None, "just too many");
        }
    }

    #[test]
    fn edits_are_insertions_losses_replacements_and_swaps_of_neighbours() {
        check("", "", 0);
        check("", "abc", 3);
        check("turner", "tunrer", 1);
        check("turner", "turnner", 1);
        check("turner", "tuner", 1);
        check("turner", "turmer", 1);
        check("kitten", "sitting", 3);
        check("ca", "abc", 3);
        check("ольга", "олга", 1);
    }

    proptest! {
        #[test]
        fn the_distance_is_symmetric_and_at_most_the_longer_word(left in "[abc]{0,7}", right in "[abc]{0,7}") {
            let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
            let there = edits(&left, &right, 99);
            prop_assert_eq!(there, edits(&right, &left, 99));
            prop_assert!(there.is_some_and(|edits| edits <= left.len().max(right.len())));
            prop_assert_eq!(there == Some(0), left == right);
        }
    }
}
