//! Reading from cold: of a ledger only what one question touches, as a small projection that answers like the whole one.
//!
//! Owns which slots a question reaches. Knows nothing of how a slot is derived.

use super::Error;
use super::engine::overrides;
use crate::graph::{Projection, View};
use crate::ledger::{ClaimEnd, Ledger, RecordRow, SliceKey};
use crate::model::{Cardinality, RelationPolicy, Term};
use crate::policy::Policies;
use crate::resolve;
use crate::time::AsOf;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many times the slots of the claims found so far are followed. A fact asked for is derived whole at the first, the facts it is
/// contested with at the second, and the names of those that these are contested with at the third; no answer shows more.
const LEVELS: usize = 3;

/// Above so many claims or terms, loading the whole tenant is the cheaper way.
const MOST: usize = 20_000;

/// How often to begin anew because somebody wrote in between.
const ATTEMPTS: usize = 3;

/// A small projection that answers `values`, `holders`, `timeline`, `about` and `explain` about `entity` (and `relation`, if given)
/// exactly as the whole one would; `None` where only the whole one can tell, or would be cheaper.
///
/// # Errors
/// What the ledger says; [`Error::Pack`] if an override cannot be read.
pub(super) fn view(ledger: &mut dyn Ledger, as_of: AsOf, entity: &Term, relation: Option<&str>) -> Result<Option<View>, Error> {
    for _attempt in 0..ATTEMPTS {
        let before = ledger.position()?.seq;
        let policies = Arc::new(overrides(ledger)?);
        let Some(keys) = Reach::of(&policies).follow(ledger, entity, relation)? else { return Ok(None) };
        let mut projection = Projection::new(Arc::clone(&policies));
        let after = ledger.slice(&keys, &mut |row| projection.stage(row))?.seq;
        if before == after {
            projection.publish();
            let view = projection.snapshot().at(as_of);
            // Whether anybody ever used an undeclared relation is nothing that a slice can tell.
            let told = relation.is_none_or(|stated| view.relation_id(stated).is_some());
            return Ok(told.then_some(view));
        }
    }
    Ok(None)
}

/// A claim as far as it decides where it competes: with head and tail of the canonical relation.
struct Standing {
    head: Term,
    relation: String,
    tail: Term,
}

/// What has been reached.
struct Reach<'p> {
    policies: &'p Policies,
    /// How a canonical relation may have been stated: as it is, and turned round.
    stated: FxHashMap<&'p str, (Vec<String>, Vec<String>)>,
    keys: Vec<SliceKey>,
    /// Which keys there are: by identity, end, and canonical relation (empty: all).
    asked: FxHashSet<(String, ClaimEnd, String)>,
    identity: String,
}

impl<'p> Reach<'p> {
    fn of(policies: &'p Policies) -> Self {
        let mut reach = Self { policies, stated: FxHashMap::default(), keys: Vec::new(), asked: FxHashSet::default(), identity: String::new() };
        for (name, policy) in policies.iter() {
            for wording in std::iter::once(name).chain(policy.aliases.iter().flat_map(|(_, wordings)| wordings).map(String::as_str)) {
                let meant = policies.canonical(wording);
                let Some(canonical) = policies.iter().map(|(name, _)| name).find(|name| *name == meant.relation) else { continue };
                let (direct, turned) = reach.stated.entry(canonical).or_default();
                if meant.inverted { turned } else { direct }.push(wording.to_owned());
            }
        }
        reach
    }

    /// The keys of all that the question reaches; `None` if that is too much.
    fn follow(mut self, ledger: &mut dyn Ledger, entity: &Term, relation: Option<&str>) -> Result<Option<Vec<SliceKey>>, Error> {
        match relation {
            Some(stated) => {
                let relation = self.policies.canonical(stated).relation.into_owned();
                self.ask(entity, ClaimEnd::Head, Some(&relation));
                self.ask(entity, ClaimEnd::Tail, Some(&relation));
            }
            None => self.ask_all(entity),
        }
        let mut shown: Vec<Term> = vec![entity.clone()];
        let mut from = 0;
        for level in 0..=LEVELS {
            let new = self.keys.get(from..).unwrap_or_default().to_vec();
            from = self.keys.len();
            let mut standings = Vec::new();
            ledger.slice(&new, &mut |row| standings.extend(self.standing(row)))?;
            if standings.len() > MOST || self.keys.len() > MOST {
                return Ok(None);
            }
            for standing in &standings {
                self.compete(standing);
            }
            // The names of facts asked for, and of those they are contested with, are shown.
            if level < 2 {
                shown.extend(standings.into_iter().flat_map(|standing| [standing.head, standing.tail]));
            }
            if self.keys.len() == from {
                break;
            }
        }
        // A name is shown in the form that most claims use, so each claim that uses it counts.
        for term in &shown {
            if matches!(term, Term::Name(_)) {
                self.ask_all(term);
            }
        }
        // The entity itself need not be a name to be known.
        self.ask_all(entity);
        Ok((self.keys.len() <= MOST).then_some(self.keys))
    }

    fn standing(&self, row: RecordRow<'_>) -> Option<Standing> {
        let RecordRow::Claim { head, relation, tail, .. } = row else { return None };
        let meant = self.policies.canonical(relation);
        let (head, tail) = if meant.inverted { (tail, head) } else { (head, tail) };
        Some(Standing { head: head.to_owned(), relation: meant.relation.as_ref().to_owned(), tail: tail.to_owned() })
    }

    /// Asks for every claim that competes with this one.
    fn compete(&mut self, claim: &Standing) {
        let Standing { head, relation, tail } = claim;
        let policies = self.policies;
        let policy: &RelationPolicy = policies.canonical(relation).policy;
        // A claim may stand turned round where head and tail may change places.
        let sides: &[ClaimEnd] = if policy.symmetric { &[ClaimEnd::Head, ClaimEnd::Tail] } else { &[ClaimEnd::Head] };
        if policy.symmetric || policy.inverse_cardinality == Cardinality::One {
            self.ask(tail, ClaimEnd::Tail, Some(relation));
        }
        if policy.symmetric {
            self.ask(tail, ClaimEnd::Head, Some(relation));
        }
        // The claims of either end hold the slot (head, relation, tail); only those of the head hold (head, relation).
        let held_by_tail = policy.cardinality == Cardinality::Many && self.is_asked(tail, ClaimEnd::Tail, relation);
        for side in sides {
            if !held_by_tail {
                self.ask(head, *side, Some(relation));
            }
            for excluded in &policy.excludes {
                self.ask(head, *side, Some(excluded));
            }
        }
    }

    /// Whether the claims with this entity at this end of the canonical relation are asked for.
    fn is_asked(&mut self, entity: &Term, end: ClaimEnd, relation: &str) -> bool {
        resolve::identity(entity.as_ref(), &mut self.identity);
        let [all, one] = ["", relation].map(|relation| (self.identity.clone(), end, relation.to_owned()));
        self.asked.contains(&all) || self.asked.contains(&one)
    }

    fn ask_all(&mut self, entity: &Term) {
        self.ask(entity, ClaimEnd::Head, None);
        self.ask(entity, ClaimEnd::Tail, None);
    }

    /// Asks for the claims with this entity at this end of the canonical relation, however they state it.
    fn ask(&mut self, entity: &Term, end: ClaimEnd, relation: Option<&str>) {
        resolve::identity(entity.as_ref(), &mut self.identity);
        let all = (self.identity.clone(), end, String::new());
        if self.asked.contains(&all) {
            return;
        }
        let Some(relation) = relation else {
            self.asked.insert(all);
            self.keys.push(SliceKey { entity: entity.clone(), end, relations: Vec::new() });
            return;
        };
        if !self.asked.insert((all.0, end, relation.to_owned())) {
            return;
        }
        let (direct, turned) = match self.stated.get(relation) {
            Some((direct, turned)) => (direct.clone(), turned.clone()),
            None => (vec![relation.to_owned()], Vec::new()),
        };
        self.keys.push(SliceKey { entity: entity.clone(), end, relations: direct });
        if !turned.is_empty() {
            let end = match end {
                ClaimEnd::Head => ClaimEnd::Tail,
                ClaimEnd::Tail => ClaimEnd::Head,
            };
            self.keys.push(SliceKey { entity: entity.clone(), end, relations: turned });
        }
    }
}
