//! What the calls of a tenant give back. Plain values; knows nothing of how they come about.

use super::entities::Doubt;
use super::intake::Handling;
use crate::extract::Cost;
use crate::graph::{Applied, Explanation};
use crate::ledger::StoredObservation;
use crate::model::{Claim, ClaimId, ObservationId, Term};
use crate::observe::Rejection;
use crate::policy::Fate;
use crate::time::Instant;
use std::collections::BTreeMap;

/// What a `remember` did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// Observations recorded.
    pub observations: u64,
    /// Claims recorded.
    pub claims: u64,
    /// Observations that were there already, so that nothing was written for them.
    pub duplicates: u64,
    /// What it changed in the facts; summed where the input went in as several batches.
    pub applied: Applied,
    /// Lines and candidate claims not taken, in input order; at most [`Receipt::MAX_LISTED`] of them.
    pub rejected: Vec<Rejection>,
    /// How many lines and candidate claims were not taken, listed or not.
    pub rejected_count: u64,
    /// Values masked before anything was stored.
    pub masked: u64,
    /// Observations that the write policy does not store.
    pub withheld: u64,
    /// Observations stored whose extractor could not run: they wait, see [`Tenant::pending`](super::Tenant::pending).
    pub pending: u64,
    /// What asking a model cost, duplicates included.
    pub cost: Cost,
    /// What was left out on purpose, by the reason's name, in name order: what the extractor took for no claim (`question`, `wish`) and
    /// what the write policy does not take (`consent`, `guess`). None of it makes an input incomplete.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Names that prose mentioned and that were merged because of what they say themselves ("田中さん" is "田中"):
    /// [`Tenant::merges`](super::Tenant::merges) has the evidence.
    pub merged: u64,
    /// New names that may mean entities known by other names, with the evidence; at most [`Receipt::MAX_LISTED`] of them. Each is an entity
    /// of its own. Ready claims give none.
    pub doubts: Vec<Doubt>,
    /// The ids of the observations, in input order, duplicates included; left empty by
    /// [`Tenant::remember_all`](super::Tenant::remember_all).
    pub ids: Vec<ObservationId>,
    /// The transaction time of the last batch; `None` if nothing was written.
    pub tx: Option<Instant>,
}

impl Receipt {
    /// How many rejections a receipt lists; more are only counted.
    pub const MAX_LISTED: usize = 1_000;

    /// Whether every line of the input is now in the memory (recorded, or there already).
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.rejected_count == 0
    }

    /// Whether the input changed nothing, because all of it was there already or nothing of it was taken.
    #[must_use]
    pub const fn changed_nothing(&self) -> bool {
        self.observations == 0
    }

    pub(super) fn reject(&mut self, rejection: Rejection) {
        self.rejected_count += 1;
        if self.rejected.len() < Self::MAX_LISTED {
            self.rejected.push(rejection);
        }
    }

    /// Counts an observation that was recorded, or that is not to be: what was masked in it, what was left out of it, and why.
    pub(super) fn account(&mut self, tally: Tally) {
        self.masked += tally.masked;
        for reason in tally.left_out {
            *self.left_out.entry(reason).or_default() += 1;
        }
    }

    /// Adds what a later batch did.
    pub(super) fn absorb(&mut self, later: Self) {
        let listed: u64 = later.rejected.len().try_into().unwrap_or(u64::MAX);
        let unlisted = later.rejected_count.saturating_sub(listed);
        for rejection in later.rejected {
            self.reject(rejection);
        }
        self.rejected_count += unlisted;
        self.cost = self.cost.plus(later.cost);
        self.masked += later.masked;
        self.withheld += later.withheld;
        self.pending += later.pending;
        for (reason, times) in later.left_out {
            *self.left_out.entry(reason).or_default() += times;
        }
        self.merged += later.merged;
        self.doubts.extend(later.doubts);
        self.doubts.truncate(Self::MAX_LISTED);
        self.observations += later.observations;
        self.claims += later.claims;
        self.duplicates += later.duplicates;
        self.applied = self.applied.plus(later.applied);
        self.ids.extend(later.ids);
        self.tx = later.tx.or(self.tx);
    }
}

/// What a receipt tells of one observation beside its claims.
#[derive(Debug, Default)]
pub(super) struct Tally {
    masked: u64,
    left_out: Vec<&'static str>,
}

impl Tally {
    /// Of what an observation was handled to.
    pub(super) fn of(handled: &Handling) -> Self {
        let fate = match handled.fate {
            Fate::Text(refusal) | Fate::Nothing(refusal) => Some(refusal.name()),
            Fate::Facts => None,
        };
        let refused = handled.refused.iter().map(|refused| refused.why.name());
        let rejected = handled.rejected.iter().filter(|_| !handled.ready).map(|rejected| rejected.kind.name());
        Self {
            masked: u64::try_from(handled.masked.len()).unwrap_or(u64::MAX),
            left_out: fate.into_iter().chain(refused).chain(rejected).collect(),
        }
    }
}

/// How far a [`Tenant::remember_all`](super::Tenant::remember_all) has come; everything counted here is durable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The last input line that has been read (0 where the input has no lines).
    pub line: u64,
    /// Observations recorded.
    pub observations: u64,
    /// Claims recorded.
    pub claims: u64,
    /// Observations that were there already.
    pub duplicates: u64,
    /// Lines and candidate claims not taken.
    pub rejected: u64,
}

/// What to erase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EraseTarget {
    /// One observation.
    Observation(ObservationId),
    /// Every observation that names the entity: see [`Tenant::erase`](super::Tenant::erase).
    Entity(Term),
}

/// What names an entity, in the sense of [`Tenant::erase`](super::Tenant::erase).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The observations that name it, in the order they were recorded.
    pub observations: Vec<ObservationId>,
    /// How many records about something else (retractions, restorations, merges, extractions that failed) have a reason that names it.
    pub reasons: u64,
    /// The relations whose overrides name it, in name order.
    pub overrides: Vec<String>,
    /// The settings whose name or text names it, in name order.
    pub settings: Vec<String>,
    /// How many merges, and ends of merges, name it.
    pub merges: u64,
    /// The other names that it has by merges that stand, in the order of their identities; what names one of them names the entity.
    pub names: Vec<Term>,
    /// Names of other entities and relations that contain its name, in name order, at most 1,000. They are not its own, and stay.
    pub others: Vec<String>,
}

/// What an erasure removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    /// Observations.
    pub observations: u64,
    /// Claims.
    pub claims: u64,
    /// Reasons of retractions, restorations, merges and failed extractions of what stays.
    pub reasons: u64,
    /// The relations whose overrides lost the words that named the entity, in name order.
    pub overrides: Vec<String>,
    /// The settings that were removed because their name or text named the entity, in name order.
    pub settings: Vec<String>,
    /// Merges, and ends of merges, that named the entity.
    pub merges: u64,
    /// Names of other entities and relations that contain the entity's name, as in [`Named::others`].
    pub others: Vec<String>,
    /// Whether an earlier erasure was incomplete, and is complete now.
    pub completed: bool,
    /// What it changed in the facts.
    pub applied: Applied,
}

/// Counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Observations recorded and not erased.
    pub observations: u64,
    /// Claims recorded and not erased.
    pub claims: u64,
    /// Claims not believed now (retracted or corrected).
    pub retracted: u64,
    /// Facts in all, as believed now, whatever their valid time.
    pub facts: u64,
    /// Facts that are open.
    pub open: u64,
    /// Facts that are contested.
    pub contested: u64,
    /// Entities.
    pub entities: u64,
    /// Relations in use.
    pub relations: u64,
    /// Relations in use that no pack declares, in name order, with their claim counts.
    pub unknown_relations: Vec<(String, u64)>,
    /// Bytes of the tenant's files.
    pub bytes_on_disk: u64,
    /// Bytes of the projection, without strings.
    pub bytes_in_memory: u64,
}

/// What `verify` found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Records that are there: observations, claims, retractions and restorations, policy overrides, merges, settings, extractions,
    /// erasures.
    pub records: u64,
    /// Facts compared between the projection and its rebuild.
    pub facts: u64,
    /// What is wrong, one sentence each; empty if all is well.
    pub problems: Vec<String>,
}

/// What was told of the belief in one claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Beliefs {
    /// What it says.
    pub claim: Claim,
    /// Its source.
    pub source: WhySource,
    /// Every retraction and restoration of it, in order.
    pub told: Vec<Told>,
}

/// A retraction or a restoration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// When it was recorded.
    pub tx: Instant,
    /// Whether what it names is believed from there on.
    pub believed: bool,
    /// Whether it names the whole observation.
    pub whole: bool,
    /// Why, in somebody's words.
    pub because: String,
}

/// Why a fact holds or ended, with the words that say so.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// The derivation.
    pub explanation: Explanation,
    /// The claims behind it, supporters first, then what closed it, then what the notes name, each once, each with its source.
    pub sources: Vec<WhySource>,
}

/// One claim behind an explanation.
#[derive(Clone, Debug, PartialEq)]
pub struct WhySource {
    /// The claim.
    pub claim: ClaimId,
    /// Its observation, in full.
    pub observation: StoredObservation,
    /// The sentence that says it: the quoted characters, else the whole text, else the claim in words.
    pub words: String,
}
