//! Long inputs: batches, receipts, and large batches that are staged beside their writing.

#![cfg(test)]

mod memory_support;

use erstwhile::memory::{BulkOptions, Progress, Receipt};
use erstwhile::model::{Literal, Term};
use erstwhile::observe::{Incoming, Rejection};
use memory_support::{claim, fact, place, said, timeline};

fn bad(line: u64) -> Rejection {
    Rejection { line, field: Some("tail".to_owned()), reason: "is missing".to_owned() }
}

/// Observations with a line each; every tenth moves somebody on.
fn input(count: u64) -> Vec<Incoming> {
    (0..count)
        .map(|at| Incoming {
            line: at + 1,
            ..fact(&format!("head {}", at % (count / 10)), "lives_in", &format!("town {at}"), &format!("{}", 1000 + at / (count / 10)))
        })
        .collect()
}

#[test]
fn batches_of_any_size_give_the_same_facts() {
    let whole = place();
    whole.tenant.remember(input(3_000)).unwrap();
    let dump = |tenant: &erstwhile::Tenant| timeline(tenant, "head 17", "lives_in");
    assert_eq!(dump(&whole.tenant).len(), 10);
    for batch_observations in [1_999, 2_000, 700] {
        let place = place();
        let options = BulkOptions { batch_observations, ..BulkOptions::default() };
        let receipt = place.tenant.remember_all(input(3_000).into_iter().map(Ok), options).unwrap();
        assert_eq!((receipt.observations, receipt.claims, receipt.duplicates), (3_000, 3_000, 0));
        assert!(receipt.is_complete() && receipt.ids.is_empty(), "{receipt:?}");
        assert_eq!(dump(&place.tenant), dump(&whole.tenant), "batches of {batch_observations}");
        assert_eq!(place.tenant.stats().unwrap().facts, whole.tenant.stats().unwrap().facts);
        assert_eq!(place.tenant.verify().unwrap().problems, [""; 0]);
    }
}

#[test]
fn progress_is_told_after_each_durable_batch() {
    let place = place();
    let mut told: Vec<Progress> = Vec::new();
    let mut seen = |progress: Progress| {
        // Durable: another memory sees it all.
        assert_eq!(place.again().stats().map_or(0, |stats| stats.observations), progress.observations);
        told.push(progress);
    };
    let mut lines: Vec<Result<Incoming, Rejection>> = input(250).into_iter().map(Ok).collect();
    lines.insert(120, Err(bad(121)));
    let options = BulkOptions { batch_observations: 100, progress: Some(&mut seen), ..BulkOptions::default() };
    let receipt = place.tenant.remember_all(lines, options).unwrap();
    let counts: Vec<(u64, u64)> = told.iter().map(|progress| (progress.observations, progress.rejected)).collect();
    assert_eq!(counts, [(100, 0), (200, 1), (250, 1)]);
    assert_eq!(told[2].line, 250);
    assert!(!receipt.is_complete(), "a bad line makes it incomplete");
    assert_eq!(receipt.rejected, [bad(121)]);
}

#[test]
fn every_good_line_goes_in_and_rejections_are_listed_up_to_a_limit() {
    let place = place();
    let mut lines: Vec<Result<Incoming, Rejection>> = Vec::new();
    for (at, incoming) in (0..).zip(input(1_500)) {
        lines.push(Ok(incoming));
        lines.push(Err(bad(at)));
    }
    let receipt = place.tenant.remember_all(lines, BulkOptions { batch_observations: 400, ..BulkOptions::default() }).unwrap();
    assert_eq!((receipt.observations, receipt.rejected_count), (1_500, 1_500));
    assert_eq!(receipt.rejected.len(), Receipt::MAX_LISTED);
    assert_eq!(receipt.rejected[999], bad(999), "the first ones are listed");
}

#[test]
fn a_candidate_that_cannot_be_taken_is_named_and_its_observation_kept() {
    let place = place();
    let mut broken = claim("Ana", "likes", "rye", "2020", "");
    broken.confidence = f64::NAN;
    let incoming = Incoming { line: 7, ..said("2025-01-01T00:00:00Z", vec![claim("Ana", "likes", "tea", "2020", ""), broken]) };
    let receipt = place.tenant.remember(vec![incoming]).unwrap();
    assert_eq!((receipt.observations, receipt.claims, receipt.rejected_count), (1, 1, 1));
    assert_eq!((receipt.rejected[0].line, receipt.rejected[0].field.as_deref()), (7, Some("confidence")));
}

#[test]
fn a_literal_is_no_tail_of_a_relation_that_is_read_both_ways() {
    let place = place();
    let text = |relation: &str| {
        let mut claim = claim("Ana", relation, "x", "2020", "");
        claim.tail = Term::Literal(Literal::text("x"));
        said(&format!("2025-01-01T00:00:{:02}Z", relation.len()), vec![claim])
    };
    for (relation, reason) in [("married_to", "\"married_to\" is symmetric"), ("parent_of", "has the inverse \"child_of\"")] {
        let receipt = place.tenant.remember(vec![text(relation)]).unwrap();
        assert_eq!((receipt.claims, receipt.rejected[0].field.as_deref()), (0, Some("tail")));
        assert!(receipt.rejected[0].reason.contains(reason), "{:?}", receipt.rejected);
    }
    assert_eq!(place.tenant.remember(vec![text("email")]).unwrap().claims, 1, "other relations have values");
}

#[test]
fn a_large_batch_with_duplicates_inside_and_before_it() {
    let place = place();
    place.tenant.remember(input(4_000).into_iter().take(1_000).collect()).unwrap();
    let mut batch = input(4_000);
    batch.extend(input(4_000).into_iter().skip(3_900));
    let receipt = place.tenant.remember(batch).unwrap();
    assert_eq!((receipt.observations, receipt.duplicates, receipt.ids.len()), (3_000, 1_100, 4_100));
    assert_eq!(place.tenant.verify().unwrap().problems, [""; 0]);
    let again = place.tenant.remember(input(4_000)).unwrap();
    assert!(again.changed_nothing(), "{:?}", again.applied);
    assert_eq!(place.again().stats().unwrap().observations, 4_000);
    let mut text = Vec::new();
    place.tenant.export(&mut text).unwrap();
    assert_eq!(std::str::from_utf8(&text).unwrap().lines().count(), 4_002);
}
