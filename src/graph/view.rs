//! The reader's side: a snapshot read at a point of both times. (skeleton)

use crate::model::{ClaimId, Fact, FactId, Term, TermRef};
use crate::time::{AsOf, Certainty};

/// An interned term (entity or literal) of one projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// An interned canonical relation of one projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

/// An immutable, cheaply cloned state of the projection.
#[derive(Clone, Debug)]
pub struct Snapshot {}

/// The memory read at one point of both times. Owns its snapshot; `Send + Sync + 'static`.
#[derive(Clone, Debug)]
pub struct View {}

/// One fact seen from one of its ends, at the view's as-of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The term at the other end.
    pub other: TermId,
    /// The relation.
    pub relation: RelationId,
    /// Whether the term asked for is the head.
    pub outgoing: bool,
    /// Whether it surely holds.
    pub certainty: Certainty,
    /// Whether it is contested.
    pub contested: bool,
    /// The fact's number in this snapshot (its first claim's).
    pub fact: u32,
}

/// A fact that holds at the view's as-of.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The fact.
    pub fact: Fact,
    /// Whether it surely holds.
    pub certainty: Certainty,
}

/// What holds, and how much was left out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The facts that hold: certain before possible, then by start, tail and id.
    pub facts: Vec<Held>,
    /// How many known facts of the same question do not hold at the as-of, or are hidden there.
    pub suppressed: u64,
}

/// What is known of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// The entity as displayed.
    pub entity: Term,
    /// Facts of which it is the head or the tail, ordered by relation, then as in [`Answer`].
    pub answer: Answer,
}

/// What changed between two views.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// Facts that hold at the second and not at the first.
    pub appeared: Vec<Held>,
    /// Facts that hold at the first and not at the second.
    pub vanished: Vec<Held>,
    /// Facts that hold at both, with another interval, certainty or status: before and after.
    pub changed: Vec<(Held, Held)>,
}

/// Why a fact holds and why it ended. Text of observations is added above, by `memory`.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The fact.
    pub fact: Fact,
    /// The rule that ended it, in one sentence with the dates; `None` while it is open.
    pub ended: Option<String>,
    /// The claim that did it, if one did.
    pub ended_by: Option<ClaimId>,
    /// The facts it is contested with.
    pub rivals: Vec<Fact>,
    /// Further sentences: what joined, was overruled, denied or challenged, each with the claim.
    pub notes: Vec<(String, Option<ClaimId>)>,
}

/// How to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hops {
    /// How many hops, at least 1.
    pub hops: u32,
    /// Entities with more facts than this (over all times) are reached but not walked through, unless they are seeds.
    pub hub_limit: u32,
    /// At most so many entities are reached (nearest first, then newest `valid_from`, then id).
    pub limit: u32,
}

/// One entity reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// The entity as displayed.
    pub entity: Term,
    /// How many hops from the nearest seed.
    pub hops: u32,
    /// The fact it was first reached by; `None` for a seed.
    pub through: Option<Held>,
}

/// What a walk reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbourhood {
    /// Nearest first.
    pub reached: Vec<Neighbour>,
    /// Hubs that were reached and not walked through.
    pub stopped_at: Vec<Term>,
    /// Whether `limit` cut the walk.
    pub cut: bool,
}

/// What can be wrong with a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No claim names this entity at any time.
    #[error("nothing is known of {0}")]
    UnknownEntity(Term),
    /// No claim has this relation and no policy declares it.
    #[error("unknown relation {0:?}")]
    UnknownRelation(String),
    /// No fact has this id at this as-of.
    #[error("no fact {0} at this point of both times")]
    UnknownFact(FactId),
}

impl Snapshot {
    /// The snapshot read at one point of both times.
    #[must_use]
    pub fn at(&self, as_of: AsOf) -> View {
        let _ = as_of;
        unimplemented!()
    }
}

impl View {
    /// Where it reads.
    #[must_use]
    pub fn as_of(&self) -> AsOf {
        unimplemented!()
    }

    /// The interned id of a term, by resolution for names and by sameTerm otherwise.
    #[must_use]
    pub fn term_id(&self, term: TermRef<'_>) -> Option<TermId> {
        let _ = term;
        unimplemented!()
    }

    /// The term as displayed.
    #[must_use]
    pub fn term(&self, id: TermId) -> Option<Term> {
        let _ = id;
        unimplemented!()
    }

    /// The canonical relation a stated one means, and whether head and tail change places.
    #[must_use]
    pub fn relation_id(&self, stated: &str) -> Option<(RelationId, bool)> {
        let _ = stated;
        unimplemented!()
    }

    /// What the head has for the relation at the as-of.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    pub fn values(&self, head: &Term, relation: &str) -> Result<Answer, ReadError> {
        let _ = (head, relation);
        unimplemented!()
    }

    /// Everything about an entity at the as-of, as head and as tail.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`].
    pub fn about(&self, entity: &Term) -> Result<About, ReadError> {
        let _ = entity;
        unimplemented!()
    }

    /// Which heads have this tail for the relation at the as-of.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    pub fn holders(&self, relation: &str, tail: &Term) -> Result<Answer, ReadError> {
        let _ = (relation, tail);
        unimplemented!()
    }

    /// All facts of a head (and a relation) known at the as-of's transaction time, whatever their valid time;
    /// by relation, then start, then id.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    pub fn timeline(&self, head: &Term, relation: Option<&str>) -> Result<Vec<Fact>, ReadError> {
        let _ = (head, relation);
        unimplemented!()
    }

    /// What changed from this view to another of the same tenant, about one entity or all.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`] if neither view knows the entity.
    pub fn diff(&self, later: &Self, entity: Option<&Term>) -> Result<Diff, ReadError> {
        let _ = (later, entity);
        unimplemented!()
    }

    /// Why a fact holds, and what ended it. Any claim of the fact names it.
    ///
    /// # Errors
    /// [`ReadError::UnknownFact`].
    pub fn explain(&self, fact: FactId) -> Result<Explanation, ReadError> {
        let _ = fact;
        unimplemented!()
    }

    /// The entities within some hops of the seeds over facts that hold at the as-of, in both directions.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`] for a seed that nothing names.
    pub fn neighbourhood(&self, seeds: &[Term], how: Hops) -> Result<Neighbourhood, ReadError> {
        let _ = (seeds, how);
        unimplemented!()
    }
}
