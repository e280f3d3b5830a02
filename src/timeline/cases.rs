//! Test support: reads claim sets with their exact facts (`fixtures/timeline/*.jsonl`) and compares.

use super::*;
use crate::model::{Authority, Polarity};
use crate::time::{End, Instant, Moment, Span, Start};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Values and claims are numbered in the order of their contents.
pub(super) struct ByNumber;

impl TieOrder for ByNumber {
    fn cmp_values(&self, left: u32, right: u32) -> Ordering {
        left.cmp(&right)
    }

    fn cmp_claims(&self, left: u32, right: u32) -> Ordering {
        left.cmp(&right)
    }
}

pub(super) fn exclusive() -> SlotRules {
    SlotRules { exclusive: true, ..SlotRules::default() }
}

pub(super) fn at(micros: i64) -> Instant {
    Instant::from_micros(micros)
}

pub(super) fn moment(lo: i64, hi: i64) -> Moment {
    Moment::granule(at(lo), at(hi)).unwrap()
}

/// `[value, start, end, closed_by, contested, claims]` with values as names.
pub(super) type ExpectedFact = (String, Option<(Option<i64>, i64)>, Option<(Option<i64>, i64)>, Option<String>, bool, Vec<u64>);

pub(super) struct Case {
    pub name: String,
    pub values: Vec<String>,
    pub claims: Vec<SlotClaim>,
    pub facts: BTreeSet<ExpectedFact>,
}

fn bounds(value: &Value) -> Option<(Option<i64>, i64)> {
    let pair = value.as_array()?;
    Some((pair[0].as_i64(), pair[1].as_i64().unwrap()))
}

pub(super) fn read(text: &str) -> Vec<Case> {
    text.lines().map(read_case).collect()
}

fn read_case(line: &str) -> Case {
    let case: Value = serde_json::from_str(line).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let claims = case["claims"].as_array().unwrap();
    let values: Vec<String> = claims.iter().filter_map(|claim| text(&claim["value"])).collect::<BTreeSet<_>>().into_iter().collect();
    let claims = claims
        .iter()
        .map(|claim| {
            let start = match bounds(&claim["start"]) {
                None => Start::Unknown,
                Some((None, by)) => Start::By(at(by)),
                Some((Some(lo), hi)) => Start::At(moment(lo, hi)),
            };
            let end = match bounds(&claim["end"]) {
                None => End::Open,
                Some((None, by)) => End::By(at(by)),
                Some((Some(lo), hi)) => End::At(moment(lo, hi)),
            };
            SlotClaim {
                claim: u32::try_from(claim["id"].as_u64().unwrap()).unwrap(),
                value: u32::try_from(values.iter().position(|value| claim["value"] == **value).unwrap()).unwrap(),
                polarity: if claim["polarity"] == "ends" { Polarity::Ends } else { Polarity::Holds },
                span: Span::new(start, end).unwrap(),
                seen_at: claim["seen"].as_i64().map(at),
                observed_at: at(0),
                authority: Authority::User,
            }
        })
        .collect();
    let facts = case["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| {
            let mut supporters: Vec<u64> = fact[5].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
            supporters.sort_unstable();
            (text(&fact[0]).unwrap(), bounds(&fact[1]), bounds(&fact[2]), text(&fact[3]), fact[4].as_bool().unwrap(), supporters)
        })
        .collect();
    Case { name: case["case"].to_string(), values, claims, facts }
}

pub(super) fn facts(case: &Case, claims: &[SlotClaim], timeline: &SlotTimeline) -> BTreeSet<ExpectedFact> {
    let facts: Vec<ExpectedFact> = (0..)
        .zip(&timeline.runs)
        .map(|(index, run)| {
            let start = match run.start {
                Start::At(moment) => Some((Some(moment.lo().micros()), moment.hi().micros())),
                Start::By(by) => Some((None, by.micros())),
                Start::Unknown | Start::Always => None,
            };
            let end = match run.end {
                End::At(moment) => Some((Some(moment.lo().micros()), moment.hi().micros())),
                End::By(by) => Some((None, by.micros())),
                End::Open => None,
            };
            let closed_by = match run.cause {
                EndCause::ClosedBy(claim) => {
                    claims.iter().find(|other| other.claim == claim).map(|other| case.values[other.value as usize].clone())
                }
                EndCause::Open | EndCause::Stated(_) | EndCause::Covered(_) | EndCause::Expired => None,
            };
            let mut supporters: Vec<u64> = claims
                .iter()
                .zip(&timeline.run_of)
                .filter(|(_, run)| **run == Some(index))
                .map(|(claim, _)| u64::from(claim.claim))
                .collect();
            supporters.sort_unstable();
            assert_eq!(supporters.len(), run.support as usize, "support is counted");
            (case.values[run.value as usize].clone(), start, end, closed_by, run.contested, supporters)
        })
        .collect();
    assert_eq!(facts.iter().collect::<BTreeSet<_>>().len(), facts.len(), "no fact stands twice");
    facts.into_iter().collect()
}

fn check(text: &str) {
    for case in read(text) {
        let timeline = derive_slot(&case.claims, &exclusive(), &ByNumber);
        assert_eq!(facts(&case, &case.claims, &timeline), case.facts, "case {}", case.name);
    }
}

#[test]
fn the_named_cases_come_out_exactly() {
    check(include_str!("../../fixtures/timeline/named.jsonl"));
}

#[test]
fn the_random_cases_come_out_exactly() {
    check(include_str!("../../fixtures/timeline/timeline.jsonl"));
}
