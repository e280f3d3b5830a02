//! Tests of the engine: always what the whole slot derives to.

use super::super::cases::{ByNumber, exclusive, moment};
use super::super::checks::{claim_sets, rules, runner};
use super::super::{Run, SlotClaim, SlotRules, derive_slot};
use super::{RunChanges, SlotEngine};
use crate::model::{Authority, AuthorityMode, OnConflict, Polarity, RelationKind};
use crate::time::{End, Span, Start};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The engine, and what its changes add up to.
struct Followed {
    engine: SlotEngine,
    claims: Vec<SlotClaim>,
    runs: BTreeMap<u32, Run>,
    rules: SlotRules,
}

impl Followed {
    fn new(rules: SlotRules) -> Self {
        Self { engine: SlotEngine::new(rules), claims: Vec::new(), runs: BTreeMap::new(), rules }
    }

    fn follow(&mut self, changes: RunChanges) {
        for first in changes.removed {
            assert!(self.runs.remove(&first).is_some(), "only what was there is removed");
        }
        for run in changes.changed {
            assert_ne!(self.runs.get(&run.first), Some(&run), "only what changed is reported");
            self.runs.insert(run.first, run);
        }
    }

    fn insert(&mut self, claim: SlotClaim) {
        self.claims.push(claim);
        let changes = self.engine.insert(claim, &ByNumber);
        self.follow(changes);
    }

    fn remove(&mut self, index: usize) {
        let claim = self.claims.remove(index);
        let changes = self.engine.remove(claim.claim, &ByNumber);
        self.follow(changes);
    }

    fn check(&self) {
        let context = || format!("{:?}\n{:#?}", self.rules, self.claims);
        let timeline = derive_slot(&self.claims, &self.rules, &ByNumber);
        assert_eq!(self.engine.runs(&ByNumber), timeline.runs, "runs: {}", context());
        let followed: Vec<Run> = self.runs.values().cloned().collect();
        let mut derived = timeline.runs.clone();
        derived.sort_by_key(|run| run.first);
        assert_eq!(followed, derived, "the changes add up: {}", context());
        for (claim, run) in self.claims.iter().zip(&timeline.run_of) {
            let first = run.map(|run| timeline.runs[run as usize].first);
            assert_eq!(self.engine.run_of(claim.claim, &ByNumber), first, "run of {}: {}", claim.claim, context());
        }
        for (index, run) in (0..).zip(&timeline.runs) {
            let of_run = self.claims.iter().zip(&timeline.run_of).filter(|(_, run)| **run == Some(index));
            let mut supporters: Vec<u32> = of_run.map(|(claim, _)| claim.claim).collect();
            supporters.sort_unstable();
            assert_eq!(self.engine.supporters(run.first, &ByNumber), supporters, "supporters: {}", context());
            assert_eq!(self.engine.run(run.first).as_ref(), Some(run), "one run: {}", context());
        }
        assert_eq!(self.engine.len(), self.claims.len(), "claims are counted");
    }
}

/// Rules under which the engine works in clusters.
fn local_rules() -> impl Strategy<Value = SlotRules> {
    let kind = prop::sample::select(vec![RelationKind::State, RelationKind::State, RelationKind::State, RelationKind::Event]);
    let authority = prop::sample::select(vec![AuthorityMode::Ranked, AuthorityMode::Equal]);
    (prop::bool::weighted(0.85), kind, authority, prop::option::weighted(0.25, 0..8_i64)).prop_map(
        |(exclusive, kind, authority, ttl_micros)| SlotRules {
            exclusive,
            kind,
            authority,
            on_conflict: OnConflict::Contest,
            resumes: false,
            ttl_micros,
        },
    )
}

/// Inserts all, takes some out again, puts them back.
fn walk(claims: &[SlotClaim], rules: SlotRules, picks: &[prop::sample::Index], check_each: bool) {
    let mut followed = Followed::new(rules);
    for claim in claims {
        followed.insert(*claim);
        if check_each {
            followed.check();
        }
    }
    followed.check();
    for pick in picks {
        let index = pick.index(followed.claims.len());
        let claim = followed.claims[index];
        let before = followed.engine.runs(&ByNumber);
        followed.remove(index);
        followed.check();
        if pick.index(2) == 0 {
            followed.insert(claim);
            assert_eq!(followed.engine.runs(&ByNumber), before, "taken out and put back: as before");
        }
        if followed.claims.is_empty() {
            break;
        }
    }
    while let Some(last) = followed.claims.len().checked_sub(1) {
        followed.remove(last / 2);
        if check_each {
            followed.check();
        }
    }
    followed.check();
}

#[test]
fn small_slots_under_all_rules() {
    let picks = prop::collection::vec(any::<prop::sample::Index>(), 3);
    runner(1500)
        .run(&(claim_sets(8, 14, 3), rules(), picks), |(claims, rules, picks)| {
            walk(&claims, rules, &picks, true);
            Ok(())
        })
        .unwrap();
}

fn without_denials(claims: Vec<SlotClaim>) -> Vec<SlotClaim> {
    claims.into_iter().filter(|claim| claim.polarity != Polarity::Never).collect()
}

#[test]
fn small_slots_in_clusters() {
    let picks = prop::collection::vec(any::<prop::sample::Index>(), 3);
    let claims = claim_sets(10, 30, 3).prop_map(without_denials).prop_filter("empty", |claims| !claims.is_empty());
    runner(4000)
        .run(&(claims, local_rules(), picks), |(claims, rules, picks)| {
            walk(&claims, rules, &picks, true);
            Ok(())
        })
        .unwrap();
}

#[test]
fn large_slots_in_clusters() {
    let picks = prop::collection::vec(any::<prop::sample::Index>(), 20);
    let claims = claim_sets(200, 2000, 6).prop_map(without_denials).prop_filter("empty", |claims| !claims.is_empty());
    runner(60)
        .run(&(claims, local_rules(), picks), |(claims, rules, picks)| {
            walk(&claims, rules, &picks, false);
            Ok(())
        })
        .unwrap();
}

fn version(claim: u32, value: u32, from: i64) -> SlotClaim {
    SlotClaim {
        claim,
        value,
        polarity: Polarity::Holds,
        span: Span::new(Start::At(moment(from, from)), End::Open).unwrap(),
        seen_at: None,
        observed_at: super::super::cases::at(from),
        authority: Authority::User,
    }
}

/// The pieces of the slot that an insertion looks at, as claims re-derived, must not grow with the slot.
#[test]
fn an_insertion_reports_only_the_runs_next_to_it() {
    for values in [1, 1000] {
        let mut followed = Followed::new(exclusive());
        for number in 0..1000_u32 {
            followed.insert(version(number, number % values, i64::from(number) * 10));
        }
        followed.check();
        let changes = followed.engine.insert(version(5000, 5000, 4995), &ByNumber);
        let firsts: Vec<u32> = changes.changed.iter().map(|run| run.first).collect();
        if values == 1 {
            assert_eq!((changes.removed, firsts), (vec![], vec![0, 5000, 500]), "the rival parts the run in two");
        } else {
            assert_eq!((changes.removed, firsts), (vec![], vec![499, 5000]), "the one before ends earlier, the new one begins");
        }
    }
}
