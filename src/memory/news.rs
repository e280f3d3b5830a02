//! What is believed while a batch is taken in: the facts as they stand, and the claims of the batch so far.
//!
//! Knows no policy: it says what is news, and nothing of what follows from that.

use crate::graph::{Snapshot, View};
use crate::model::{Claim, Polarity, Term};
use crate::policy::{News, Novelty, Policies};
use crate::resolve::identity;
use crate::time::{AsOf, Instant, KnownAt, Moment, Start};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The relation whose tails say of what sort a term is.
const SORT: &str = "is_a";

/// What is believed at one moment of valid time, of what is recorded and of a batch that is being taken in.
#[derive(Debug)]
pub(super) struct Believed<'s> {
    snapshot: Option<&'s Snapshot>,
    policies: &'s Policies,
    view: Option<View>,
    /// What the batch has claimed, by head and relation.
    said: FxHashMap<(String, String), Told>,
}

/// What a batch has claimed of a head and a relation, by the identities of the tails.
#[derive(Debug, Default)]
struct Told {
    held: BTreeMap<String, Held>,
    ended: BTreeSet<String>,
}

/// A value that is believed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    pub(super) tail: Term,
    pub(super) start: Start,
}

impl<'s> Believed<'s> {
    /// Nothing of a batch yet. Without a snapshot nothing is recorded.
    pub(super) fn new(snapshot: Option<&'s Snapshot>, policies: &'s Policies) -> Self {
        Self { snapshot, policies, view: None, said: FxHashMap::default() }
    }

    /// Moves to the valid time of the next observation.
    pub(super) fn now_at(&mut self, instant: Instant) {
        let moment = Moment::exact(instant);
        if self.view.as_ref().is_none_or(|view| view.as_of().valid_at != moment) {
            let as_of = AsOf { valid_at: moment, known_at: KnownAt::Latest };
            self.view = self.snapshot.map(|snapshot| snapshot.at(as_of));
        }
    }

    /// Adds what is kept of an observation.
    pub(super) fn add<'c>(&mut self, claims: impl Iterator<Item = &'c Claim>) {
        for claim in claims {
            let key = self.key(&claim.head, &claim.relation);
            let (told, tail) = (self.said.entry(key).or_default(), named(&claim.tail));
            if claim.polarity == Polarity::Holds {
                told.ended.remove(&tail);
                told.held.insert(tail, Held { tail: claim.tail.clone(), start: claim.span.start() });
            } else {
                told.held.remove(&tail);
                told.ended.insert(tail);
            }
        }
    }

    fn key(&self, head: &Term, relation: &str) -> (String, String) {
        (named(head), self.policies.canonical(relation).relation.into_owned())
    }

    fn tails(&self, head: &Term, relation: &str) -> BTreeSet<String> {
        self.held(head, relation).into_keys().collect()
    }

    /// The values that hold at the moment, by their identities.
    pub(super) fn held(&self, head: &Term, relation: &str) -> BTreeMap<String, Held> {
        let answer = self.view.as_ref().and_then(|view| view.values(head, relation).ok());
        let facts = answer.into_iter().flat_map(|answer| answer.facts).map(|held| held.fact);
        self.as_told(head, relation, facts.map(|fact| (named(&fact.tail), Held { start: fact.start, tail: fact.tail })).collect())
    }

    /// Who has a value at the moment, by what is recorded and by the batch.
    pub(super) fn holders(&self, relation: &str, tail: &Term) -> Vec<Term> {
        let answer = self.view.as_ref().and_then(|view| view.holders(relation, tail).ok());
        let mut heads: Vec<Term> = answer.into_iter().flat_map(|answer| answer.facts).map(|held| held.fact.head).collect();
        let (relation, tail) = (self.policies.canonical(relation).relation, named(tail));
        let told = self.said.iter().filter(|((_, of), told)| *of == relation && told.held.contains_key(&tail));
        let mut told: Vec<Term> = told.map(|((head, _), _)| Term::Name(head.clone())).collect();
        told.sort_unstable_by_key(named);
        heads.extend(told);
        heads.dedup_by_key(|head| named(head));
        heads
    }

    /// The values that hold at the moment or will, by their identities.
    pub(super) fn to_come(&self, head: &Term, relation: &str) -> BTreeMap<String, Held> {
        let facts = self.view.as_ref().and_then(|view| view.timeline(head, Some(relation)).ok()).unwrap_or_default();
        let now = self.view.as_ref().map(|view| view.as_of().valid_at.lo());
        let coming = facts.into_iter().filter(|fact| now.is_none_or(|now| now < fact.end.hi()));
        self.as_told(head, relation, coming.map(|fact| (named(&fact.tail), Held { start: fact.start, tail: fact.tail })).collect())
    }

    /// Believed values as the batch leaves them.
    fn as_told(&self, head: &Term, relation: &str, mut held: BTreeMap<String, Held>) -> BTreeMap<String, Held> {
        if let Some(told) = self.said.get(&self.key(head, relation)) {
            held.retain(|tail, _| !told.ended.contains(tail));
            held.extend(told.held.iter().map(|(tail, one)| (tail.clone(), one.clone())));
        }
        held
    }
}

impl Novelty for Believed<'_> {
    fn news(&self, claim: &Claim) -> News {
        let tails = self.tails(&claim.head, &claim.relation);
        let is_held = tails.contains(&named(&claim.tail));
        match claim.polarity {
            _ if tails.is_empty() => News::New,
            Polarity::Holds if is_held => News::Known,
            // What ends or denies a value that is believed changes something.
            Polarity::Ends | Polarity::Never if !is_held => News::Known,
            Polarity::Holds | Polarity::Ends | Polarity::Never => News::Changed,
        }
    }

    fn sorts(&self, term: &Term) -> Vec<String> {
        self.held(term, SORT).into_values().map(|held| held.tail.to_string()).collect()
    }
}

/// The identity of a term.
pub(super) fn named(term: &Term) -> String {
    let mut out = String::new();
    identity(term.as_ref(), &mut out);
    out
}
