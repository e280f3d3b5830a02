//! Relations as stated and as meant: their numbers, their slots and the rules in them.
//!
//! Owns what the policies say, compiled for claims by number. Knows no claim.

use super::view::RelationId;
use crate::model::{Cardinality, RelationKind, RelationPolicy};
use crate::policy::Policies;
use crate::timeline::SlotRules;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A relation's name, and what it means.
#[derive(Clone, Debug)]
struct Row {
    name: Arc<str>,
    /// The number of the canonical relation.
    canonical: u32,
    inverted: bool,
    known: bool,
}

/// In which slots the claims of a canonical relation stand, and under which rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// One tail per head.
    pub(super) by_head: bool,
    /// One head per tail.
    pub(super) by_tail: bool,
    /// Head and tail may be swapped.
    pub(super) symmetric: bool,
    /// The relations of the exclusive class, itself included, the least name first; empty where it excludes none.
    pub(super) class: Arc<[u32]>,
    /// The rules of its slots, but for exclusiveness, which is the slot's.
    pub(super) rules: SlotRules,
}

/// All relations that claims state or policies relate to those.
#[derive(Clone, Debug)]
pub(super) struct Relations {
    policies: Arc<Policies>,
    rows: Vec<Row>,
    /// For each number that is a canonical relation, its standing.
    standings: Vec<Arc<Standing>>,
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Relations {
    pub(super) fn new(policies: Arc<Policies>) -> Self {
        Self { policies, rows: Vec::new(), standings: Vec::new(), numbers: FxHashMap::default() }
    }

    pub(super) fn policies(&self) -> &Arc<Policies> {
        &self.policies
    }

    /// How many numbers have been given.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of a name that has one.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The name of a relation.
    pub(super) fn name(&self, relation: u32) -> &str {
        self.rows.get(relation as usize).map_or("", |row| &row.name)
    }

    /// The canonical relation of a stated one, and whether head and tail change places.
    pub(super) fn canonical(&self, stated: u32) -> (u32, bool) {
        self.rows.get(stated as usize).map_or((stated, false), |row| (row.canonical, row.inverted))
    }

    /// The canonical relation that a name, alias or inverse means, if it has a number.
    pub(super) fn meant(&self, stated: &str) -> Option<(RelationId, bool)> {
        let canonical = self.policies.canonical(stated);
        self.find(&canonical.relation).map(|number| (RelationId(number), canonical.inverted))
    }

    /// Whether a pack or an override declares it.
    pub(super) fn is_known(&self, relation: u32) -> bool {
        self.rows.get(relation as usize).is_some_and(|row| row.known)
    }

    /// The standing of a canonical relation.
    pub(super) fn standing(&self, canonical: u32) -> Option<&Standing> {
        self.standings.get(canonical as usize).map(|standing| &**standing)
    }

    /// The number of a name, given where it is new.
    pub(super) fn intern(&mut self, name: &str) -> u32 {
        if let Some(number) = self.find(name) {
            return number;
        }
        let number = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let shared: Arc<str> = Arc::from(name);
        self.rows.push(Row { name: Arc::clone(&shared), canonical: number, inverted: false, known: false });
        self.standings.push(Arc::default());
        self.numbers.insert(shared, number);
        self.compile(number);
        number
    }

    /// The same relations under other policies.
    pub(super) fn under(&self, policies: Arc<Policies>) -> Self {
        let mut relations = Self { policies, ..self.clone() };
        for number in 0..relations.rows.len() {
            relations.compile(u32::try_from(number).unwrap_or(u32::MAX));
        }
        relations
    }

    fn compile(&mut self, number: u32) {
        let policies = Arc::clone(&self.policies);
        let name = Arc::<str>::from(self.name(number));
        let canonical = policies.canonical(&name);
        let to = self.intern(&canonical.relation);
        if to == number {
            let standing = self.judge(number, canonical.policy);
            if let Some(slot) = self.standings.get_mut(number as usize) {
                *slot = Arc::new(standing);
            }
        }
        if let Some(row) = self.rows.get_mut(number as usize) {
            (row.canonical, row.inverted, row.known) = (to, canonical.inverted, canonical.known);
        }
    }

    fn judge(&mut self, number: u32, policy: &RelationPolicy) -> Standing {
        let rules = SlotRules {
            exclusive: false,
            kind: policy.kind,
            on_conflict: policy.on_conflict,
            authority: policy.authority,
            resumes: policy.resumes,
            ttl_micros: policy.ttl_micros,
        };
        if policy.kind == RelationKind::Event {
            // An event competes with nothing.
            return Standing { symmetric: policy.symmetric, rules, ..Standing::default() };
        }
        let mut class: Vec<u32> = policy.excludes.iter().map(|excluded| self.intern(excluded)).collect();
        if !class.is_empty() {
            class.push(number);
            class.sort_by_key(|relation| Arc::<str>::from(self.name(*relation)));
        }
        let one = |cardinality| cardinality == Cardinality::One;
        Standing {
            by_head: one(policy.cardinality),
            by_tail: one(policy.inverse_cardinality),
            symmetric: policy.symmetric,
            class: class.into(),
            rules,
        }
    }
}
