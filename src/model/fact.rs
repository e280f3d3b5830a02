//! Facts: what is derived from claims, as a reader gets it. Knows nothing of how it was derived.

use super::{ClaimId, FactId, Term};
use crate::time::{End, Instant, Start};

/// Flags and links that the rules left on a fact.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FactStatus {
    /// Another value cannot hold together with it, and neither has ended.
    pub contested: bool,
    /// From this instant of valid time a source of lower rank says otherwise.
    pub challenged_from: Option<Instant>,
    /// The stretches `[from, to)` of valid time where it is overruled (newest), denied or hidden (strict).
    pub hidden: Vec<(Instant, Instant)>,
    /// The claim whose value ended it.
    pub closed_by: Option<ClaimId>,
    /// The facts it is contested with.
    pub rivals: Vec<FactId>,
}

/// A derived fact with its valid interval.
///
/// Certain inside `[start.hi, end.lo)`, possible inside `[start.lo, end.hi)`; a missing bound drops out.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Named by the earliest claim of its run.
    pub id: FactId,
    /// The head as displayed.
    pub head: Term,
    /// The canonical relation.
    pub relation: String,
    /// The tail as displayed.
    pub tail: Term,
    /// The named graph.
    pub context: Option<String>,
    /// Valid time: start.
    pub start: Start,
    /// Valid time: end.
    pub end: End,
    /// Transaction time from which it has been believed as it stands, inclusive.
    pub tx_from: Instant,
    /// Transaction time at which that belief ended, exclusive; `None` while it is believed.
    pub tx_to: Option<Instant>,
    /// The best confidence among its claims.
    pub confidence: f64,
    /// The highest importance among its claims.
    pub importance: f64,
    /// What the rules left on it.
    pub status: FactStatus,
    /// The claims that support it, in id order.
    pub supported_by: Vec<ClaimId>,
}
