//! Tests: every slot of two claims, and many of three, on a line of five ticks; and how often each rule fires on random ones.

use super::cases::{ByNumber, at, exclusive, moment};
use super::checks::{agree, claim_sets, hold_invariants, rules, runner};
use super::derive::derive;
use super::*;
use crate::model::{Authority, Polarity};
use crate::time::{End, Moment, Span, Start};
use std::collections::{BTreeMap, BTreeSet};

const TICKS: i64 = 5;

fn moments() -> Vec<Moment> {
    (0..TICKS).flat_map(|lo| (lo..TICKS).map(move |hi| moment(lo, hi))).collect()
}

fn ends() -> Vec<End> {
    let by = (0..TICKS).map(|t| End::By(at(t)));
    moments().into_iter().map(End::At).chain(by).chain([End::Open]).collect()
}

fn claim(polarity: Polarity, start: Start, end: End) -> Option<SlotClaim> {
    let span = Span::new(start, end).ok()?;
    Some(SlotClaim { claim: 0, value: 0, polarity, span, seen_at: None, observed_at: at(0), authority: Authority::User })
}

/// Every `Holds` and every `Ends` claim that the ticks allow.
fn asserting() -> Vec<SlotClaim> {
    let by = (0..TICKS).map(|t| Start::By(at(t)));
    let starts = moments().into_iter().map(Start::At).chain(by).chain([Start::Always, Start::Unknown]);
    let holds = starts.flat_map(|start| ends().into_iter().filter_map(move |end| claim(Polarity::Holds, start, end)));
    holds.chain(ends().into_iter().filter_map(|end| claim(Polarity::Ends, Start::Unknown, end))).collect()
}

fn denying() -> Vec<SlotClaim> {
    let starts = (0..TICKS).map(|t| Start::At(moment(t, t))).chain([Start::Always]);
    let starts = starts.chain((0..TICKS - 1).map(|t| Start::At(moment(t, t + 1))));
    let spans = starts.flat_map(|start| ends().into_iter().filter_map(move |end| claim(Polarity::Never, start, end)));
    spans.filter(|claim| claim.span.start() != Start::Unknown).collect()
}

fn numbered<const N: usize>(claims: [SlotClaim; N], values: [u32; N]) -> Vec<SlotClaim> {
    let mut all = Vec::with_capacity(N);
    for (number, (claim, value)) in (0..).zip(claims.into_iter().zip(values)) {
        all.push(SlotClaim { claim: number, value, ..claim });
    }
    all
}

fn try_slot(claims: &[SlotClaim]) {
    agree(claims, &exclusive());
    hold_invariants(claims, &exclusive());
}

#[test]
fn every_slot_of_two_claims() {
    let claims = asserting();
    assert!(claims.len() > 300, "all kinds of spans: {}", claims.len());
    for (index, left) in claims.iter().enumerate() {
        for (other, right) in claims.iter().enumerate().skip(index) {
            try_slot(&numbered([*left, *right], [0, 0]));
            try_slot(&numbered([*left, *right], [0, 1]));
            // One of the two ranks lower; which one alternates.
            let tool = |claim: &SlotClaim| SlotClaim { authority: Authority::Tool, ..*claim };
            let ranked = if (index + other) % 2 == 0 { [tool(left), *right] } else { [*left, tool(right)] };
            try_slot(&numbered(ranked, [0, 0]));
        }
        for denial in denying().iter().step_by(3) {
            try_slot(&numbered([*left, *denial], [0, 0]));
        }
    }
}

#[test]
fn many_slots_of_three_claims() {
    let start = |lo: i64, hi: i64| Start::At(moment(lo, hi));
    let starts = [start(0, 0), start(2, 2), start(3, 3), start(0, 2), start(1, 3), Start::By(at(1)), Start::By(at(3))];
    let ends = [End::Open, End::At(moment(3, 3)), End::At(moment(2, 4)), End::By(at(4))];
    let mut claims: Vec<SlotClaim> = Vec::new();
    for start in starts {
        claims.extend(ends.iter().filter_map(|end| claim(Polarity::Holds, start, *end)));
        claims.extend(claim(Polarity::Holds, start, End::Open).map(|claim| SlotClaim { seen_at: Some(at(4)), ..claim }));
    }
    claims.extend(ends[1..].iter().filter_map(|end| claim(Polarity::Ends, Start::Unknown, *end)));
    for (index, first) in claims.iter().enumerate() {
        for (second_index, second) in claims.iter().enumerate().skip(index) {
            for third in claims.iter().skip(second_index).step_by(2) {
                for values in [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 2]] {
                    try_slot(&numbered([*first, *second, *third], values));
                }
            }
        }
    }
}

/// A rule as it is counted below.
fn rule_of(note: &Note) -> &'static str {
    match note {
        Note::Refined { .. } => "1 start refined",
        Note::StartNarrowed { .. } => "1 start narrowed by its own end",
        Note::RunNarrowed { .. } => "1 start narrowed by the run's end",
        Note::EndAttached { .. } => "2 end attached",
        Note::OrphanEnd { .. } => "2 end without a run",
        Note::JoinedWithin { .. } => "3 joined by evidence",
        Note::JoinedUnbroken { .. } => "3 joined, nothing between",
        Note::Recurred { because: Break::Ended(_), .. } => "3 recurs after an end",
        Note::Recurred { because: Break::Covered(_), .. } => "3 recurs after a cover",
        Note::Recurred { because: Break::Cut(_), .. } => "3 recurs after a cut",
        Note::Recurred { because: Break::Expired, .. } => "8 recurs after its time to live",
        Note::EndCounts { .. } => "3 end counts",
        Note::EndOverruled { .. } => "3 end overruled",
        Note::EndOutranked { .. } => "6 lower end does not count",
        Note::Covered { .. } => "4 covered",
        Note::Cut { over_by: false, .. } => "4 cut",
        Note::Cut { over_by: true, .. } => "4 cut before over-by",
        Note::Contested { how: Conflict::SameKey, .. } => "5 contested, same key",
        Note::Contested { how: Conflict::Overlap, .. } => "5 contested, overlap",
        Note::Contested { how: Conflict::KeyInside, .. } => "5 contested, key inside",
        Note::Blocked { .. } => "6 lower claim blocked",
        Note::Challenged { .. } => "6 challenged",
        Note::Hidden { why: Hiding::Overruled(_), .. } => "5 overruled by the newest",
        Note::Hidden { why: Hiding::Denied(_), .. } => "7 denied",
        Note::Hidden { why: Hiding::Outranked(_), .. } => "6 strict hides",
        Note::Hidden { why: Hiding::Suspended(_), .. } => "4 resumes",
        Note::Expired { .. } => "8 time to live",
        Note::EventEnds { .. } => "event ends",
        Note::Kept { .. } => "permanent kept",
    }
}

const RULES: usize = 29;

#[test]
fn the_random_sets_reach_every_rule() {
    let cases = 6000;
    let mut fired: BTreeMap<&str, u32> = BTreeMap::new();
    let fired_in = std::cell::RefCell::new(&mut fired);
    runner(cases)
        .run(&(claim_sets(8, 14, 3), rules()), |(claims, rules)| {
            let mut notes: Vec<Note> = Vec::new();
            let derived = derive(&claims, &rules, &ByNumber, &mut notes);
            for draft in derived.drafts.iter().filter(|draft| draft.standing.contested) {
                notes.extend(explain(&claims, &rules, &ByNumber, draft.first));
            }
            let once: BTreeSet<&str> = notes.iter().map(rule_of).collect();
            for rule in once {
                *fired_in.borrow_mut().entry(rule).or_default() += 1;
            }
            Ok(())
        })
        .unwrap();
    for (rule, count) in &fired {
        println!("{:5.1} %  {rule}", f64::from(*count) * 100.0 / f64::from(cases));
    }
    assert_eq!(fired.len(), RULES, "every rule fires: {fired:?}");
    let rare: Vec<_> = fired.iter().filter(|(_, count)| **count * 100 < cases).collect();
    assert!(rare.is_empty(), "no rule fires in less than 1 % of the sets: {rare:?}");
}
