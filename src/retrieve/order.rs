//! Of two statements on one subject the newer one first.
//!
//! Owns when two observations are on one subject: never by date alone. Knows no score's parts.

use super::asked::Asked;
use super::tuning::{SUBJECT_ASKED, SUBJECT_QUESTION};
use crate::time::Instant;
use std::collections::BTreeSet;

/// An observation in the order found.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) at: Instant,
    /// The question's words in it.
    pub(super) words: u64,
    /// The slots that it states something of: head and relation.
    pub(super) slots: BTreeSet<(u32, u32)>,
}

/// The order in which they are to stand, as places in the list given; with each that was moved, the older one above which it stands now.
///
/// One is moved right above the first older one on the same subject that stands before it. Nothing else changes its order.
pub(super) fn newest_first(asked: &Asked, placed: &[Placed]) -> Vec<(usize, Option<usize>)> {
    let mut order: Vec<(usize, Option<usize>)> = Vec::with_capacity(placed.len());
    for (place, one) in placed.iter().enumerate() {
        let older = order
            .iter()
            .position(|(other, _)| placed.get(*other).is_some_and(|other| other.at < one.at && is_one_subject(asked, other, one)));
        match older {
            Some(at) => {
                let above = order.get(at).map(|(other, _)| *other);
                order.insert(at, (place, above));
            }
            None => order.push((place, None)),
        }
    }
    order
}

/// Whether two observations are on one subject: they state something of one slot, or, where the question asks what is,
/// they answer to the same words of it, and those are a good part of what it asks for.
pub(super) fn is_one_subject(asked: &Asked, left: &Placed, right: &Placed) -> bool {
    if left.slots.iter().any(|slot| right.slots.contains(slot)) {
        return true;
    }
    if asked.reading.is_past {
        return false;
    }
    let both = asked.says(left.words & right.words);
    let either = asked.says(left.words | right.words);
    if either <= 0.0 || both / either < SUBJECT_QUESTION || (left.words & right.words).count_ones() < 2 {
        return false;
    }
    both / asked.says(u64::MAX) >= SUBJECT_ASKED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::asked::Word;

    fn placed(at: i64, words: u64) -> Placed {
        Placed { at: Instant::from_micros(at), words, slots: BTreeSet::new() }
    }

    fn asked() -> Asked {
        let word =
            |bit| Word { keys: Vec::new(), bit, says: 1.0, is_unknown: false, is_time: false, is_literal: false, is_specific: false };
        Asked { words: (0..3).map(word).collect(), ..Asked::default() }
    }

    #[test]
    fn the_newer_of_two_on_one_subject_comes_first() {
        let older = placed(1, 0b11);
        let newer = placed(9, 0b11);
        assert_eq!(newest_first(&asked(), &[older.clone(), newer.clone()]), [(1, Some(0)), (0, None)]);
        assert_eq!(newest_first(&asked(), &[newer, older]), [(0, None), (1, None)]);
    }

    #[test]
    fn a_date_alone_moves_nothing() {
        let one = placed(1, 0b001);
        let other = placed(9, 0b110);
        assert_eq!(newest_first(&asked(), &[one, other]), [(0, None), (1, None)]);
    }

    #[test]
    fn one_slot_is_one_subject_whatever_the_words() {
        let mut one = placed(1, 0);
        let mut other = placed(9, 0);
        one.slots.insert((4, 2));
        other.slots.insert((4, 2));
        assert_eq!(newest_first(&asked(), &[one, other]), [(1, Some(0)), (0, None)]);
    }
}
