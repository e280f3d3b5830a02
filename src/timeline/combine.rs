//! From runs to facts: what several slots leave of the claims of one (head, relation, tail) triple.
//! Knows runs only as they are handed out; which slots a claim stands in is the caller's.

use super::derive::{end_of, start_of};
use super::place::StartKind;
use super::{EndCause, Run, TieOrder};
use crate::time::{End, Extent, Instant, Start, possible_extent, sole_instant};

/// What all of a claim's slots leave of it: the stretch and the flags of one fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// Its start in valid time.
    pub start: Start,
    /// Its end in valid time.
    pub end: End,
    /// Why it ends there.
    pub cause: EndCause,
    /// Which of the slots ends it: an index into the runs given.
    pub closing_slot: usize,
    /// Whether it is contested in any slot.
    pub contested: bool,
    /// From where on a lower source challenges it, in any slot; the earliest.
    pub challenged_from: Option<Instant>,
    /// The stretches `[from, to)` of valid time hidden in any slot; sorted, disjoint, inside the possible extent.
    pub hidden: Vec<(Instant, Instant)>,
}

/// A fact: a distinct tuple of runs, one for each slot, that some claim supports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combined {
    /// The fact's name: its first claim in rule 3's order, or the first of the ends that found no run.
    pub first: u32,
    /// The claims that support it, by id.
    pub claims: Vec<u32>,
    /// What the slots leave of them.
    pub joint: Joint,
}

/// Joins the runs that a claim supports in its slots, the head's slot first: certain where all are certain, possible where all are
/// possible, closed by the slot that ends first (ties: the earlier in `runs`). `None` if there is no run.
///
/// A joint that is possible nowhere becomes a point at its start, hidden there if it is one instant: the claims keep a fact to stand in.
///
/// # Complexity
/// O(k log k) for k runs and hidden stretches together.
pub fn join_runs(runs: &[&Run]) -> Option<Joint> {
    let (first, others) = runs.split_first()?;
    let (mut start_lo, mut start_hi) = (first.start.lo(), first.start.hi());
    let (mut end_lo, mut end_hi) = (first.end.lo(), first.end.hi());
    let mut joint = Joint {
        start: first.start,
        end: first.end,
        cause: first.cause,
        closing_slot: 0,
        contested: first.contested,
        challenged_from: first.challenged_from,
        hidden: first.hidden.clone(),
    };
    if others.is_empty() {
        return Some(joint);
    }
    let mut closing = (end_hi, end_lo);
    for (slot, run) in (1..).zip(others) {
        let (lo, hi) = (run.start.lo(), run.start.hi());
        (start_lo, start_hi) = (start_lo.max(lo), start_hi.max(hi));
        let (lo, hi) = (run.end.lo(), run.end.hi());
        (end_lo, end_hi) = (end_lo.min(lo), end_hi.min(hi));
        if (hi, lo) < closing {
            closing = (hi, lo);
            (joint.cause, joint.closing_slot) = (run.cause, slot);
        }
        joint.contested |= run.contested;
        joint.challenged_from = match (joint.challenged_from, run.challenged_from) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        };
        joint.hidden.extend_from_slice(&run.hidden);
    }
    // Nothing ends before it starts.
    (end_lo, end_hi) = (end_lo.max(start_lo), end_hi.max(start_lo));
    let kind = if start_lo > Instant::DISTANT_PAST {
        StartKind::At
    } else if start_hi == Instant::DISTANT_PAST {
        StartKind::Always
    } else if start_hi == Instant::DISTANT_FUTURE {
        StartKind::Unknown
    } else {
        StartKind::By
    };
    joint.start = match kind {
        // Certain nowhere, begun somewhere in what is left.
        StartKind::At if start_hi == Instant::DISTANT_FUTURE => start_of(kind, start_lo, end_hi),
        StartKind::At => start_of(kind, start_lo, start_hi),
        StartKind::By | StartKind::Always | StartKind::Unknown => start_of(kind, start_hi, start_hi),
    };
    joint.end = end_of(end_lo, end_hi);
    let is_possible_in_all =
        |extent: Extent| runs.iter().all(|run| possible_extent(run.start, run.end).is_some_and(|of| of.covers(extent)));
    match possible_extent(joint.start, joint.end) {
        // The point of what is possible nowhere.
        Some(extent) if sole_instant(joint.start, joint.end).is_some() && !is_possible_in_all(extent) => {
            joint.hidden = vec![(extent.lo(), extent.hi())];
        }
        Some(extent) => super::conflict::tidy(&mut joint.hidden, (extent.lo(), extent.hi())),
        None => joint.hidden.clear(),
    }
    Some(joint)
}

/// The facts of one (head, relation, tail) triple, by key of the start and then by first claim.
///
/// `claims` are the triple's claims that support a run, each once, in any order; `runs` holds, for each of them in turn, its run in
/// each of the `slots` slots, the head's slot first. Every claim given supports exactly one fact.
///
/// # Complexity
/// O(n log n) for n claims in a fixed number of slots.
pub fn combine(slots: usize, claims: &[u32], runs: &[&Run], ties: &impl TieOrder) -> Vec<Combined> {
    let mut rows: Vec<(u32, &[&Run])> = claims.iter().copied().zip(runs.chunks_exact(slots.max(1))).collect();
    // A run is named by its first claim, so a tuple of runs is told by theirs.
    let names = |row: &[&Run], other: &[&Run]| row.iter().map(|run| run.first).eq(other.iter().map(|run| run.first));
    rows.sort_by(|(claim, row), (other_claim, other)| {
        let by_names = row.iter().map(|run| run.first).cmp(other.iter().map(|run| run.first));
        by_names.then_with(|| ties.cmp_claims(*claim, *other_claim))
    });
    let mut facts: Vec<Combined> = Vec::new();
    for same in rows.chunk_by(|(_, row), (_, other)| names(row, other)) {
        let Some((least, row)) = same.first() else { continue };
        let Some(joint) = join_runs(row) else { continue };
        let claims: Vec<u32> = same.iter().map(|(claim, _)| *claim).collect();
        // All slots see the triple's claims in one order, so the claims of a tuple begin where the last of its runs does.
        let first = row.iter().map(|run| run.first).find(|first| claims.contains(first)).unwrap_or(*least);
        facts.push(Combined { first, claims, joint });
    }
    let key = |fact: &Combined| match fact.joint.start {
        Start::At(moment) => moment.lo(),
        Start::By(t) => t,
        Start::Always | Start::Unknown => Instant::DISTANT_PAST,
    };
    facts.sort_by(|left, right| key(left).cmp(&key(right)).then_with(|| ties.cmp_claims(left.first, right.first)));
    facts
}

#[cfg(test)]
mod tests {
    use super::super::cases::{ByNumber, at, exclusive, moment};
    use super::super::{SlotClaim, derive_slot};
    use super::*;
    use crate::model::{Authority, Polarity};
    use crate::time::{Moment, Span};
    use std::collections::{BTreeMap, BTreeSet};

    fn run(first: u32, start: Start, end: End, cause: EndCause) -> Run {
        Run {
            first,
            value: 0,
            support: 1,
            authority: Authority::User,
            start,
            end,
            cause,
            contested: false,
            challenged_from: None,
            hidden: Vec::new(),
        }
    }

    fn exact(t: i64) -> Moment {
        moment(t, t)
    }

    #[test]
    fn one_slot_hands_its_run_on() {
        let only = run(3, Start::By(at(5)), End::At(exact(9)), EndCause::ClosedBy(4));
        let joint = join_runs(&[&only]).unwrap();
        assert_eq!((joint.start, joint.end, joint.cause, joint.closing_slot), (only.start, only.end, only.cause, 0), "unchanged");
    }

    #[test]
    fn the_slot_that_ends_first_closes_and_ties_go_to_the_heads() {
        let start = Start::At(exact(1));
        let long = run(0, start, End::At(exact(9)), EndCause::ClosedBy(1));
        let short = run(0, start, End::At(exact(5)), EndCause::ClosedBy(2));
        let joint = join_runs(&[&long, &short]).unwrap();
        assert_eq!((joint.end, joint.cause, joint.closing_slot), (End::At(exact(5)), EndCause::ClosedBy(2), 1), "the earlier end");
        let tie = run(0, start, End::At(exact(9)), EndCause::ClosedBy(2));
        assert_eq!(join_runs(&[&long, &tie]).unwrap().cause, EndCause::ClosedBy(1), "the head's slot");
    }

    #[test]
    fn certain_and_possible_extents_are_intersected() {
        let left = run(0, Start::At(moment(1, 4)), End::At(moment(8, 12)), EndCause::Open);
        let right = run(0, Start::By(at(3)), End::At(moment(9, 10)), EndCause::Open);
        let joint = join_runs(&[&left, &right]).unwrap();
        assert_eq!((joint.start, joint.end), (Start::At(moment(1, 4)), End::At(moment(8, 10))), "both bounds of both ends");
    }

    #[test]
    fn what_is_possible_nowhere_becomes_a_point() {
        let early = run(0, Start::At(exact(1)), End::At(exact(3)), EndCause::ClosedBy(7));
        let late = run(1, Start::At(exact(6)), End::Open, EndCause::Open);
        let joint = join_runs(&[&early, &late]).unwrap();
        assert_eq!((joint.start, joint.end), (Start::At(exact(6)), End::At(exact(6))), "a point at its start");
    }

    #[test]
    fn married_to_is_judged_from_both_sides() {
        // Ann married Bob in 1; Cid, asked who he is married to, said Ann from 5; Bob married Eve in 8 (Bob's slot only).
        let claim = |claim, value, from| SlotClaim {
            claim,
            value,
            polarity: Polarity::Holds,
            span: Span::new(Start::At(exact(from)), End::Open).unwrap(),
            seen_at: None,
            observed_at: at(0),
            authority: Authority::User,
        };
        let ann = derive_slot(&[claim(0, 1, 1), claim(1, 2, 5), claim(3, 1, 9)], &exclusive(), &ByNumber);
        let bob = derive_slot(&[claim(0, 0, 1), claim(2, 4, 8), claim(3, 0, 9)], &exclusive(), &ByNumber);
        let (in_ann, in_bob) = (|index: usize| &ann.runs[index], |index: usize| &bob.runs[index]);
        let runs = [
            in_ann(ann.run_of[0].unwrap() as usize),
            in_bob(bob.run_of[0].unwrap() as usize),
            in_ann(ann.run_of[2].unwrap() as usize),
            in_bob(bob.run_of[2].unwrap() as usize),
        ];
        let facts = combine(2, &[0, 3], &runs, &ByNumber);
        assert_eq!(facts.len(), 2, "Ann and Bob, twice: {facts:?}");
        assert_eq!((facts[0].first, facts[0].joint.cause, facts[0].joint.closing_slot), (0, EndCause::ClosedBy(1), 0), "Cid came first");
        assert_eq!((facts[1].first, facts[1].joint.end, &*facts[1].claims), (3, End::Open, &[3][..]), "married again");
    }

    /// Random marriages: each claim stands in the slots of both parties, and its fact is what both leave of it.
    #[test]
    fn random_claims_in_two_slots_each_support_one_fact() {
        use super::super::checks::{claim_sets, rules, runner};
        runner(2000)
            .run(&(claim_sets(8, 14, 6), rules()), |(claims, rules)| {
                // The six values are the pairs of four people; the slot of a person competes for the other one.
                let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
                let mut runs: BTreeMap<(u32, u32), Run> = BTreeMap::new();
                for person in 0..4_u32 {
                    let in_slot = claims.iter().filter_map(|claim| {
                        let (left, right) = pairs[claim.value as usize];
                        let other = if left == person { Some(right) } else { (right == person).then_some(left) };
                        other.map(|value| SlotClaim { value, ..*claim })
                    });
                    let in_slot: Vec<SlotClaim> = in_slot.collect();
                    let timeline = derive_slot(&in_slot, &rules, &ByNumber);
                    for (claim, run) in in_slot.iter().zip(&timeline.run_of) {
                        runs.extend(run.map(|run| ((claim.claim, person), timeline.runs[run as usize].clone())));
                    }
                }
                for (value, (left, right)) in (0..).zip(pairs) {
                    let told = claims.iter().filter(|claim| claim.value == value && claim.polarity != Polarity::Never);
                    let told: Vec<u32> = told.map(|claim| claim.claim).collect();
                    let both: Vec<&Run> = told.iter().flat_map(|claim| [&runs[&(*claim, left)], &runs[&(*claim, right)]]).collect();
                    let facts = combine(2, &told, &both, &ByNumber);
                    check_facts(&told, &both, &facts);
                    let backwards: Vec<u32> = told.iter().rev().copied().collect();
                    let both: Vec<&Run> = backwards.iter().flat_map(|claim| [&runs[&(*claim, left)], &runs[&(*claim, right)]]).collect();
                    assert_eq!(combine(2, &backwards, &both, &ByNumber), facts, "in any order");
                }
                Ok(())
            })
            .unwrap();
    }

    fn check_facts(told: &[u32], both: &[&Run], facts: &[Combined]) {
        let mut supporting: Vec<u32> = facts.iter().flat_map(|fact| fact.claims.iter().copied()).collect();
        supporting.sort_unstable();
        let mut expected = told.to_vec();
        expected.sort_unstable();
        assert_eq!(supporting, expected, "every claim supports exactly one fact");
        let firsts: BTreeSet<u32> = facts.iter().map(|fact| fact.first).collect();
        assert_eq!(firsts.len(), facts.len(), "facts have different names");
        for fact in facts {
            let of_claim = told.iter().zip(both.chunks(2)).find(|(claim, _)| **claim == fact.claims[0]).unwrap().1;
            assert!(fact.claims.contains(&fact.first), "named by a claim of its own");
            assert!(of_claim.iter().any(|run| run.first == fact.first), "which begins one of its runs");
            let joint = &fact.joint;
            let (start, end) = ((joint.start.lo(), joint.start.hi()), (joint.end.lo(), joint.end.hi()));
            assert!(start.0 <= end.1 && end.0 <= end.1, "nothing ends before it starts: {fact:?}");
            for tick in -2..30 {
                let certain = |start: Start, end: End| start.hi() <= at(tick) && at(tick) < end.lo();
                let possible = |start: Start, end: End| start.lo() <= at(tick) && at(tick) < end.hi();
                let is_there = |start: Start, end: End| possible_extent(start, end).is_some_and(|extent| extent.contains(at(tick)));
                let hidden = |stretches: &[(Instant, Instant)]| stretches.iter().any(|(from, to)| *from <= at(tick) && at(tick) < *to);
                let all = |holds: &dyn Fn(Start, End) -> bool| of_claim.iter().all(|run| holds(run.start, run.end));
                assert_eq!(certain(joint.start, joint.end), all(&certain), "certain where all are: {tick} {fact:?} {of_claim:?}");
                assert_eq!(possible(joint.start, joint.end), all(&possible), "possible where all are: {tick} {fact:?} {of_claim:?}");
                let is_kept_back = of_claim.iter().any(|run| hidden(&run.hidden)) || !all(&is_there);
                let is_hidden = is_there(joint.start, joint.end) && is_kept_back;
                assert_eq!(hidden(&joint.hidden), is_hidden, "hidden where any is, and where not all are: {tick} {fact:?} {of_claim:?}");
            }
            assert_eq!(joint.contested, of_claim.iter().any(|run| run.contested), "contested if any is");
        }
    }
}
