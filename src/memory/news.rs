//! What is believed while a batch is taken in: the facts as they stand, and the claims of the batch so far.
//!
//! Knows no policy: it says what is news, and nothing of what follows from that.

use crate::graph::{Snapshot, View};
use crate::model::{Claim, Polarity, Term};
use crate::policy::{News, Novelty, Policies};
use crate::resolve::identity;
use crate::time::{AsOf, Instant, KnownAt, Moment};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The relation whose tails say of what sort a term is.
const SORT: &str = "is_a";

/// What is believed at one moment of valid time, of what is recorded and of a batch that is being taken in.
#[derive(Debug)]
pub(super) struct Believed<'s> {
    snapshot: Option<&'s Snapshot>,
    policies: &'s Policies,
    view: Option<View>,
    /// Tails that the batch has claimed, by head and relation.
    said: FxHashMap<(String, String), BTreeSet<String>>,
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
        for claim in claims.filter(|claim| claim.polarity == Polarity::Holds) {
            let key = self.key(&claim.head, &claim.relation);
            self.said.entry(key).or_default().insert(named(&claim.tail));
        }
    }

    fn key(&self, head: &Term, relation: &str) -> (String, String) {
        (named(head), self.policies.canonical(relation).relation.into_owned())
    }

    fn tails(&self, head: &Term, relation: &str) -> BTreeSet<String> {
        let held = self.view.as_ref().and_then(|view| view.values(head, relation).ok());
        let mut tails: BTreeSet<String> = held.into_iter().flat_map(|answer| answer.facts).map(|held| named(&held.fact.tail)).collect();
        if let Some(said) = self.said.get(&self.key(head, relation)) {
            tails.extend(said.iter().cloned());
        }
        tails
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
        let held = self.view.as_ref().and_then(|view| view.values(term, SORT).ok());
        held.into_iter().flat_map(|answer| answer.facts).map(|held| held.fact.tail.to_string()).collect()
    }
}

fn named(term: &Term) -> String {
    let mut out = String::new();
    identity(term.as_ref(), &mut out);
    out
}
