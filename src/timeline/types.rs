//! What goes into the timeline function and what comes out.

use crate::model::{Authority, AuthorityMode, OnConflict, Polarity, RelationKind};
use crate::time::{End, Instant, Span, Start};
use std::cmp::Ordering;

/// A claim as its slot sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotClaim {
    /// The caller's number of the claim; unique in the slot.
    pub claim: u32,
    /// The caller's number of the value that competes here (a tail, a head or a relation).
    pub value: u32,
    /// What it says.
    pub polarity: Polarity,
    /// When.
    pub span: Span,
    /// The last instant it asserts truth for.
    pub seen_at: Option<Instant>,
    /// When it was observed (for `on_conflict = newest`).
    pub observed_at: Instant,
    /// The rank of its source.
    pub authority: Authority,
}

/// Order by content, for ties: arrival and interning must not be seen.
pub trait TieOrder {
    /// Orders two values by content.
    fn cmp_values(&self, left: u32, right: u32) -> Ordering;
    /// Orders two claims by their ids.
    fn cmp_claims(&self, left: u32, right: u32) -> Ordering;
}

/// The part of a relation policy that decides inside one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SlotRules {
    /// Whether different values exclude each other (false: one value, only joining and ending).
    pub exclusive: bool,
    /// State, event or permanent.
    pub kind: RelationKind,
    /// Contest or newest.
    pub on_conflict: OnConflict,
    /// Ranked, equal or strict.
    pub authority: AuthorityMode,
    /// Whether an older value comes back after a bounded one.
    pub resumes: bool,
    /// How long a soft tail lasts, in microseconds.
    pub ttl_micros: Option<i64>,
}

/// Why a run ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndCause {
    /// It has not ended.
    Open,
    /// A claim of its own value says so (this one).
    Stated(u32),
    /// The claim of another value cut its soft tail (*closed by*).
    ClosedBy(u32),
    /// A claim of another value covers its evidence: nothing is left of the tail, nothing is linked.
    Covered(u32),
    /// The policy's time to live ran out.
    Expired,
}

/// One value's run: what the slot leaves of some of its claims. One fact, if this is its only slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The run's name: its first claim in (`key`, `start.hi`, `evidence`, id) order, or the first orphan end.
    pub first: u32,
    /// Its value.
    pub value: u32,
    /// How many claims support it.
    pub support: u32,
    /// The best authority among its claims with a start; of its ends, if it has no others.
    pub authority: Authority,
    /// Its start in valid time.
    pub start: Start,
    /// Its end in valid time.
    pub end: End,
    /// Why it ends there.
    pub cause: EndCause,
    /// Whether a run of another value and no lower rank excludes it.
    pub contested: bool,
    /// From where on a lower source challenges it.
    pub challenged_from: Option<Instant>,
    /// The stretches `[from, to)` of valid time where it is overruled, denied or hidden; sorted, disjoint.
    pub hidden: Vec<(Instant, Instant)>,
}

/// All runs of a slot, ordered by (key of the first claim, value by content, first claim by id). The key of a run that knows only
/// ends, or has no beginning, is −∞.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotTimeline {
    /// The runs.
    pub runs: Vec<Run>,
    /// For each input claim, in input order, the index of the run it supports; `None` for `Never` claims.
    pub run_of: Vec<Option<u32>>,
}
