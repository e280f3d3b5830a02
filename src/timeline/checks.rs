//! Tests of the derivation as a whole: against the naive one, against invariants, in every order, and how often each rule fires.

use super::cases::{ByNumber, at, exclusive, moment};
use super::naive::{NaiveFact, naive, ticks};
use super::*;
use crate::model::{Authority, AuthorityMode, OnConflict, Polarity, RelationKind};
use crate::time::{End, Instant, Span, Start};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;

/// A runner whose cases are the same on every run.
pub(super) fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, max_local_rejects: u32::MAX, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn starts(span: i64) -> impl Strategy<Value = Start> {
    prop_oneof![
        6 => (0..span).prop_map(|t| Start::At(moment(t, t))),
        4 => (0..span, 1..=5_i64).prop_map(|(t, w)| Start::At(moment(t, t + w))),
        3 => (0..span).prop_map(|t| Start::By(at(t))),
        1 => Just(Start::Always),
    ]
}

fn ends(span: i64) -> impl Strategy<Value = End> {
    prop_oneof![
        3 => (0..span + 4).prop_map(|t| End::At(moment(t, t))),
        2 => (0..span + 4, 1..=4_i64).prop_map(|(t, w)| End::At(moment(t, t + w))),
        2 => (0..span + 4).prop_map(|t| End::By(at(t))),
    ]
}

fn authorities() -> impl Strategy<Value = Authority> {
    prop::sample::select(vec![Authority::Inference, Authority::Tool, Authority::Tool, Authority::User, Authority::User])
}

/// One claim with all it can say; ids are set by [`claim_sets`].
pub(super) fn claims(span: i64, values: u32) -> impl Strategy<Value = SlotClaim> {
    let said = prop_oneof![
        7 => (starts(span), Just(End::Open)).prop_map(|(start, end)| (Polarity::Holds, start, end)),
        4 => (starts(span), ends(span)).prop_map(|(start, end)| (Polarity::Holds, start, end)),
        1 => ends(span).prop_map(|end| (Polarity::Holds, Start::Unknown, end)),
        3 => ends(span).prop_map(|end| (Polarity::Ends, Start::Unknown, end)),
        1 => (starts(span), prop_oneof![2 => ends(span), 1 => Just(End::Open)]).prop_map(|(start, end)| (Polarity::Never, start, end)),
    ];
    (said, 0..values, prop::option::weighted(0.3, 0..span + 3), 0..6_i64, authorities()).prop_filter_map(
        "an end before its start",
        |((polarity, start, end), value, seen, observed, authority)| {
            if let (Start::By(by), End::At(_) | End::By(_)) = (start, end) {
                let hi = match end {
                    End::At(moment) => moment.hi(),
                    End::By(hi) => hi,
                    End::Open => return None,
                };
                if hi < by {
                    return None;
                }
            }
            let span = Span::new(start, end).ok()?;
            let seen_at = seen.filter(|_| polarity == Polarity::Holds).map(at);
            Some(SlotClaim { claim: 0, value, polarity, span, seen_at, observed_at: at(observed), authority })
        },
    )
}

/// Claims with ids, in an order that is not that of their ids.
pub(super) fn claim_sets(most: usize, span: i64, values: u32) -> impl Strategy<Value = Vec<SlotClaim>> {
    prop::collection::vec(claims(span, values), 1..=most).prop_flat_map(|claims| {
        let ids: Vec<u32> = (0..u32::try_from(claims.len()).unwrap()).collect();
        (Just(claims), Just(ids).prop_shuffle()).prop_map(|(mut claims, ids)| {
            claims.iter_mut().zip(ids).for_each(|(claim, id)| claim.claim = id);
            claims
        })
    })
}

/// Every combination of rules, the plain one most often.
pub(super) fn rules() -> impl Strategy<Value = SlotRules> {
    let kind = prop::sample::select(vec![
        RelationKind::State,
        RelationKind::State,
        RelationKind::State,
        RelationKind::State,
        RelationKind::Event,
        RelationKind::Permanent,
    ]);
    let on_conflict = prop::sample::select(vec![OnConflict::Contest, OnConflict::Contest, OnConflict::Newest]);
    let authority = prop::sample::select(vec![AuthorityMode::Ranked, AuthorityMode::Ranked, AuthorityMode::Equal, AuthorityMode::Strict]);
    let exclusive = prop::bool::weighted(0.85);
    let ttl = prop::option::weighted(0.25, 0..8_i64);
    (exclusive, kind, on_conflict, authority, prop::bool::weighted(0.2), ttl).prop_map(
        |(exclusive, kind, on_conflict, authority, resumes, ttl_micros)| SlotRules {
            exclusive,
            kind,
            on_conflict,
            authority,
            resumes,
            ttl_micros,
        },
    )
}

fn is_certain_at(run: &Run, tick: i64) -> bool {
    let is_there = is_instant(run) && run.start.lo() == at(tick);
    (is_there || run.start.hi() <= at(tick) && at(tick) < run.end.lo()) && !is_hidden_at(run, tick)
}

/// Whether a run begins and ends at one instant, and so is that instant.
fn is_instant(run: &Run) -> bool {
    run.start.lo() == run.start.hi() && run.start.lo() == run.end.hi()
}

fn is_hidden_at(run: &Run, tick: i64) -> bool {
    run.hidden.iter().any(|(from, to)| *from <= at(tick) && at(tick) < *to)
}

/// What a run says, in a form that can be compared with the naive derivation.
fn as_naive(claims: &[SlotClaim], timeline: &SlotTimeline, rules: &SlotRules) -> Vec<NaiveFact> {
    (0..)
        .zip(&timeline.runs)
        .map(|(index, run)| {
            let supporters: Vec<&SlotClaim> =
                claims.iter().zip(&timeline.run_of).filter(|(_, run)| **run == Some(index)).map(|(claim, _)| claim).collect();
            NaiveFact {
                value: run.value,
                start: run.start,
                end: run.end,
                cause: run.cause,
                contested: run.contested,
                challenged_from: run.challenged_from.map(Instant::micros),
                claims: supporters.iter().map(|claim| claim.claim).collect(),
                hidden: ticks().filter(|&tick| is_hidden_at(run, tick)).collect(),
                first: run.first,
                rank: if rules.authority == AuthorityMode::Equal { 0 } else { run.authority.rank() },
                observed_at: supporters.iter().map(|claim| claim.observed_at.micros()).max().unwrap(),
            }
        })
        .collect()
}

/// Same facts as the naive derivation, in the promised order.
pub(super) fn agree(claims: &[SlotClaim], rules: &SlotRules) {
    let timeline = derive_slot(claims, rules, &ByNumber);
    let mut got = as_naive(claims, &timeline, rules);
    let mut want = naive(claims, rules);
    got.sort_by_key(|fact| fact.first);
    want.sort_by_key(|fact| fact.first);
    assert_eq!(got, want, "under {rules:?} for {claims:#?}");
    let keys: Vec<_> = timeline
        .runs
        .iter()
        .map(|run| {
            let key = match run.start {
                Start::At(moment) => moment.lo(),
                Start::By(t) => t,
                Start::Always | Start::Unknown => Instant::DISTANT_PAST,
            };
            (key, run.value, run.first)
        })
        .collect();
    assert!(keys.is_sorted(), "runs by key, value, first claim: {keys:?}");
}

/// The invariants of the design, on the result alone.
pub(super) fn hold_invariants(claims: &[SlotClaim], rules: &SlotRules) {
    let timeline = derive_slot(claims, rules, &ByNumber);
    let context = || format!("{rules:?}\n{claims:#?}\n{timeline:#?}");
    for (claim, run) in claims.iter().zip(&timeline.run_of) {
        assert_eq!(claim.polarity != Polarity::Never, run.is_some(), "no claim's support is lost: {}", context());
        let run = run.map(|run| &timeline.runs[run as usize]);
        assert!(run.is_none_or(|run| run.value == claim.value), "support goes to the claim's value: {}", context());
    }
    for (index, run) in timeline.runs.iter().enumerate() {
        let (start_lo, end_lo, end_hi) = (run.start.lo(), run.end.lo(), run.end.hi());
        assert!(start_lo <= end_hi && end_lo <= end_hi, "nothing ends before it starts: {}", context());
        assert!(run.support > 0, "every run is supported: {}", context());
        let stretches = run.hidden.iter().flat_map(|(from, to)| [*from, *to]).collect::<Vec<_>>();
        assert!(stretches.windows(2).all(|pair| pair[0] < pair[1]), "hidden stretches are sorted and disjoint: {}", context());
        for other in &timeline.runs[index + 1..] {
            let both = ticks().find(|&tick| is_certain_at(run, tick) && is_certain_at(other, tick));
            if run.value == other.value {
                // What begins at an instant that is itself a fact of the value was true then twice over.
                let twice = both.filter(|&tick| [run, other].iter().all(|one| !is_instant(one) || one.start.lo() != at(tick)));
                assert_eq!(twice, None, "two facts of one value never overlap certainly: {}", context());
            } else if rules.exclusive && rules.kind != RelationKind::Event && both.is_some() {
                // Of two ranks the higher one may stay uncontested, but then it is challenged.
                let said = |run: &Run| run.contested || run.challenged_from.is_some();
                assert!(said(run) && said(other), "two certain values at one instant say so: {}", context());
                assert!(run.contested || other.contested, "no two certain uncontested values at one instant: {}", context());
                if rules.authority == AuthorityMode::Equal || run.authority.rank() == other.authority.rank() {
                    assert!(run.contested && other.contested, "both are contested: {}", context());
                }
            }
        }
        if run.start == Start::Unknown {
            assert!(!run.contested, "a fact that knows only ends is never contested: {}", context());
        }
    }
}

/// The result for each claim, whatever the order of the input.
fn by_claim(claims: &[SlotClaim], timeline: &SlotTimeline) -> BTreeMap<u32, Option<u32>> {
    claims.iter().zip(&timeline.run_of).map(|(claim, run)| (claim.claim, *run)).collect()
}

#[test]
fn random_sets_agree_with_the_naive_derivation() {
    runner(6000)
        .run(&(claim_sets(7, 14, 3), rules()), |(claims, rules)| {
            agree(&claims, &rules);
            Ok(())
        })
        .unwrap();
}

#[test]
fn plain_random_sets_agree_with_the_naive_derivation() {
    runner(4000)
        .run(&claim_sets(8, 12, 3), |claims| {
            agree(&claims, &exclusive());
            Ok(())
        })
        .unwrap();
}

#[test]
fn large_random_sets_agree_with_the_naive_derivation() {
    runner(300)
        .run(&(claim_sets(90, 48, 12), rules()), |(claims, rules)| {
            agree(&claims, &rules);
            Ok(())
        })
        .unwrap();
}

#[test]
fn invariants_hold_on_random_sets() {
    runner(6000)
        .run(&(claim_sets(8, 14, 3), rules()), |(claims, rules)| {
            hold_invariants(&claims, &rules);
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_order_gives_the_same_runs() {
    let shuffled = claim_sets(8, 14, 3).prop_flat_map(|claims| (Just(claims.clone()), Just(claims).prop_shuffle()));
    runner(3000)
        .run(&(shuffled, rules()), |((claims, other), rules)| {
            let (left, right) = (derive_slot(&claims, &rules, &ByNumber), derive_slot(&other, &rules, &ByNumber));
            prop_assert_eq!(&left.runs, &right.runs);
            prop_assert_eq!(by_claim(&claims, &left), by_claim(&other, &right));
            Ok(())
        })
        .unwrap();
}
