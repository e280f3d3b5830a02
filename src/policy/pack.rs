//! The compiled pack. (skeleton)

use crate::model::RelationPolicy;

/// What a stated relation means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical<'a> {
    /// The canonical relation's name.
    pub relation: &'a str,
    /// Whether head and tail change places.
    pub inverted: bool,
    /// Its policy, compiled (inverse cardinality taken over from the inverse relation).
    pub policy: &'a RelationPolicy,
    /// Whether the pack or an override declares it.
    pub known: bool,
}

/// All relation policies of a tenant: the shipped pack, its overrides, and the defaults for unknown relations.
#[derive(Clone, Debug, PartialEq)]
pub struct Policies {}

/// What is wrong with a pack.
#[derive(Debug, thiserror::Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum PackError {
    /// The TOML cannot be read.
    #[error("relation {relation:?}: {reason}")]
    Invalid {
        /// Which relation.
        relation: String,
        /// What is wrong with which field.
        reason: String,
    },
}

impl Policies {
    /// The shipped pack without overrides.
    #[must_use]
    pub fn shipped() -> Self {
        unimplemented!()
    }

    /// Sets (`Some` TOML body of one relation's table) or removes (`None`) one override. The relation `*` stands for every unknown relation.
    ///
    /// # Errors
    /// [`PackError::Invalid`] naming the relation and the field; the policies are unchanged.
    pub fn set(&mut self, relation: &str, toml: Option<&str>) -> Result<(), PackError> {
        let _ = (relation, toml);
        unimplemented!()
    }

    /// What a relation as stated (a name, an alias, an inverse) means here; an unknown one is its own canonical name, in `snake_case`.
    #[must_use]
    pub fn canonical<'a>(&'a self, stated: &'a str) -> Canonical<'a> {
        let _ = stated;
        unimplemented!()
    }

    /// All declared relations with their policies as declared, in name order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RelationPolicy)> {
        std::iter::empty()
    }
}
