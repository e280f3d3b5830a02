//! Which entities are one: what merges and their ends come to, one after the other.
//!
//! Owns which merge fits those before it. Knows entities by any key that tells their identities apart, and nothing of where they are kept.

use crate::model::Term;
use std::collections::{BTreeMap, BTreeSet};

/// Why a merge, or the end of one, does not fit those before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// Both are one entity as they are.
    #[error("{from} cannot be merged into {into}: the two names are one entity already, by their spelling")]
    Itself {
        /// As given.
        from: Term,
        /// As given.
        into: Term,
    },
    /// The entity is a name of another one already.
    #[error("{from} is merged into {current} already: undo that first, or merge {current}")]
    Merged {
        /// As given.
        from: Term,
        /// What it is merged into.
        current: Term,
    },
    /// The other one is merged into this one, over however many steps.
    #[error("{from} cannot be merged into {into}, which is itself merged into {from}")]
    Circular {
        /// As given.
        from: Term,
        /// As given.
        into: Term,
    },
    /// There is no such merge to undo.
    #[error("{from} is not merged into {into}")]
    Apart {
        /// As given.
        from: Term,
        /// As given.
        into: Term,
    },
    /// Values are no entities.
    #[error("the literal {0} is no entity, and cannot be merged")]
    Literal(Term),
}

/// What is wrong with a merge, by keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit<K> {
    /// See [`MergeError::Itself`].
    Itself,
    /// See [`MergeError::Merged`]; with what it is merged into.
    Merged(K),
    /// See [`MergeError::Circular`].
    Circular,
    /// See [`MergeError::Apart`].
    Apart,
}

impl<K> Unfit<K> {
    /// The error, in the words of the merge that does not fit.
    pub fn named(self, from: &Term, into: &Term, current: impl FnOnce(K) -> Term) -> MergeError {
        let (from, into) = (from.clone(), into.clone());
        match self {
            Self::Itself => MergeError::Itself { from, into },
            Self::Merged(key) => MergeError::Merged { from, current: current(key) },
            Self::Circular => MergeError::Circular { from, into },
            Self::Apart => MergeError::Apart { from, into },
        }
    }
}

/// The merges that stand: a forest, in which every entity has at most one that it is merged into, and its root is what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unions<K> {
    into: BTreeMap<K, K>,
    /// The other way round.
    from: BTreeMap<K, BTreeSet<K>>,
}

impl<K> Default for Unions<K> {
    fn default() -> Self {
        Self { into: BTreeMap::new(), from: BTreeMap::new() }
    }
}

impl<K: Ord + Clone> Unions<K> {
    /// Whether nothing is merged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.into.is_empty()
    }

    /// The entity that one is, over all steps: itself unless it is merged.
    ///
    /// # Complexity
    /// O(steps · log n).
    #[must_use]
    pub fn canonical<'a>(&'a self, entity: &'a K) -> &'a K {
        let mut at = entity;
        while let Some(next) = self.into.get(at) {
            at = next;
        }
        at
    }

    /// All that are one entity with this one, in key order, itself included.
    ///
    /// # Complexity
    /// O(m log n) for m members.
    #[must_use]
    pub fn members(&self, entity: &K) -> Vec<K> {
        let mut members = self.below(self.canonical(entity));
        members.sort_unstable();
        members
    }

    /// An entity and all that are merged into it, over all steps, itself first.
    ///
    /// # Complexity
    /// O(m log n) for m found.
    #[must_use]
    pub fn below(&self, entity: &K) -> Vec<K> {
        let mut found = vec![entity.clone()];
        let mut next = 0;
        while let Some(at) = found.get(next) {
            let names: Vec<K> = self.from.get(at).into_iter().flatten().cloned().collect();
            found.extend(names);
            next += 1;
        }
        found
    }

    /// Makes one entity a name of another.
    ///
    /// # Errors
    /// [`Unfit`]; nothing is changed then.
    pub fn merge(&mut self, from: K, into: K) -> Result<(), Unfit<K>> {
        if from == into {
            return Err(Unfit::Itself);
        }
        if let Some(current) = self.into.get(&from) {
            return Err(Unfit::Merged(current.clone()));
        }
        if *self.canonical(&into) == from {
            return Err(Unfit::Circular);
        }
        self.from.entry(into.clone()).or_default().insert(from.clone());
        self.into.insert(from, into);
        Ok(())
    }

    /// Undoes a merge; what was merged with either stays with it.
    ///
    /// # Errors
    /// [`Unfit::Apart`]; nothing is changed then.
    pub fn unmerge(&mut self, from: &K, into: &K) -> Result<(), Unfit<K>> {
        if self.into.get(from) != Some(into) {
            return Err(Unfit::Apart);
        }
        self.into.remove(from);
        if let Some(names) = self.from.get_mut(into) {
            names.remove(from);
            if names.is_empty() {
                self.from.remove(into);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_lead_to_one_and_each_step_is_undone_by_itself() {
        let mut unions = Unions::default();
        unions.merge("b", "c").unwrap();
        unions.merge("a", "b").unwrap();
        unions.merge("x", "c").unwrap();
        assert_eq!(["a", "b", "c", "x", "y"].map(|key| *unions.canonical(&key)), ["c", "c", "c", "c", "y"]);
        assert_eq!(unions.members(&"a"), ["a", "b", "c", "x"]);
        unions.unmerge(&"b", &"c").unwrap();
        assert_eq!(["a", "b", "c", "x"].map(|key| *unions.canonical(&key)), ["b", "b", "c", "c"]);
        assert_eq!(unions.members(&"b"), ["a", "b"]);
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let mut unions = Unions::default();
        unions.merge("a", "b").unwrap();
        unions.merge("b", "c").unwrap();
        let before = unions.clone();
        assert_eq!(unions.merge("d", "d"), Err(Unfit::Itself));
        assert_eq!(unions.merge("a", "d"), Err(Unfit::Merged("b")));
        assert_eq!(unions.merge("c", "a"), Err(Unfit::Circular));
        assert_eq!(unions.unmerge(&"a", &"c"), Err(Unfit::Apart));
        assert_eq!(unions.unmerge(&"b", &"a"), Err(Unfit::Apart));
        assert_eq!(unions, before);
    }
}
