//! Relation policies: how claims of a relation compete. Knows no file format and no defaults beyond [`RelationPolicy::default`].

use crate::time::Instant;

/// How many values may hold at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Cardinality {
    /// One at a time.
    One,
    /// Any number.
    #[default]
    Many,
}

/// How a relation lives in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RelationKind {
    /// Persists until changed.
    #[default]
    State,
    /// Has its own time, competes with nothing, persists not.
    Event,
    /// Never cut: another value contests it.
    Permanent,
}

/// What becomes of two values that cannot both hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum OnConflict {
    /// Both stay, flagged.
    #[default]
    Contest,
    /// The one observed last holds over the overlap.
    Newest,
}

/// How the ranks of sources count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AuthorityMode {
    /// A lower claim cuts, covers, contests or denies nothing above it; both are shown.
    #[default]
    Ranked,
    /// Ranks are switched off.
    Equal,
    /// As ranked, and the lower one is hidden.
    Strict,
}

/// Everything that decides how claims of one relation compete.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RelationPolicy {
    /// Tails per head at a time.
    pub cardinality: Cardinality,
    /// Heads per tail at a time.
    pub inverse_cardinality: Cardinality,
    /// Whether head and tail may be swapped.
    pub symmetric: bool,
    /// The relation that says the same from tail to head.
    pub inverse_of: Option<String>,
    /// Relations that cannot hold of the same head and tail at once.
    pub excludes: Vec<String>,
    /// Sorts of head, for later checks on write.
    pub domain: Vec<String>,
    /// Sorts of tail.
    pub range: Vec<String>,
    /// How it lives in time.
    pub kind: RelationKind,
    /// Whether an older value comes back after a bounded one.
    pub resumes: bool,
    /// What becomes of a conflict.
    pub on_conflict: OnConflict,
    /// How sources rank.
    pub authority: AuthorityMode,
    /// How long a value persists after its evidence, in microseconds; `None` is until changed.
    pub ttl_micros: Option<i64>,
    /// Whether it needs consent to be stored.
    pub sensitive: bool,
    /// One sentence for people.
    pub description: String,
    /// Wordings, by language.
    pub aliases: Vec<(String, Vec<String>)>,
}

/// A soft tail's end under `ttl`, or `None` where the policy sets none.
impl RelationPolicy {
    /// The instant a soft tail ends whose evidence is `evidence`; saturates at the end of time.
    #[must_use]
    pub fn soft_tail_end(&self, evidence: Instant) -> Option<Instant> {
        self.ttl_micros.map(|ttl| Instant::from_micros(evidence.micros().saturating_add(ttl)))
    }
}
