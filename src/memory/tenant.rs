//! A memory and its tenants. (skeleton)

use super::{Clock, Error};
use crate::graph::{Applied, Explanation, View};
use crate::ledger::{Retractable, StoredObservation};
use crate::model::{ClaimId, FactId, ObservationId, Term};
use crate::observe::{Incoming, Rejection};
use crate::policy::Policies;
use crate::time::{AsOf, Instant};
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;

/// A folder of tenants.
#[derive(Clone, Debug)]
pub struct Memory {}

/// How a memory is opened.
#[derive(Clone)]
pub struct MemoryOptions {
    /// Where transaction time comes from.
    pub clock: Arc<dyn Clock>,
    /// Projections of tenants that are not in use are dropped, least recently used first, above this many bytes.
    pub memory_budget_bytes: u64,
}

impl std::fmt::Debug for MemoryOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryOptions").field("memory_budget_bytes", &self.memory_budget_bytes).finish_non_exhaustive()
    }
}

/// A tenant's name, checked: 1 to 200 characters, no control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantId(String);

/// One tenant: the handle every read and write goes through.
#[derive(Clone, Debug)]
pub struct Tenant {}

/// What a `remember` did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// Observations recorded.
    pub observations: u64,
    /// Claims recorded.
    pub claims: u64,
    /// Observations that were there already.
    pub duplicates: u64,
    /// What it changed in the facts.
    pub applied: Applied,
    /// Lines not taken.
    pub rejected: Vec<Rejection>,
    /// The ids of the observations, in input order, duplicates included.
    pub ids: Vec<ObservationId>,
    /// The transaction time of the last batch; `None` if nothing was written.
    pub tx: Option<Instant>,
}

/// What to erase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EraseTarget {
    /// One observation.
    Observation(ObservationId),
    /// Every observation with a claim that names the entity, or whose text or speaker does.
    Entity(Term),
}

/// What an erasure removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    /// Observations.
    pub observations: u64,
    /// Claims.
    pub claims: u64,
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
    /// Facts in all.
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
    /// Records read.
    pub records: u64,
    /// Facts compared between the projection and its rebuild.
    pub facts: u64,
    /// What is wrong, one sentence each; empty if all is well.
    pub problems: Vec<String>,
}

/// Why a fact holds or ended, with the words that say so.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// The derivation.
    pub explanation: Explanation,
    /// The claims behind it, supporters first, then what closed it, each with its source.
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

impl TenantId {
    /// Checks a name.
    ///
    /// # Errors
    /// [`crate::ledger::LedgerError::BadTenantName`].
    pub fn new(name: &str) -> Result<Self, Error> {
        Ok(Self(name.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Memory {
    /// Opens the folder at `path` with the machine's clock; creates it on the first write.
    ///
    /// # Errors
    /// [`Error::Ledger`] if the folder cannot be used.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let _ = path;
        unimplemented!()
    }

    /// Opens with options.
    ///
    /// # Errors
    /// As [`Memory::open`].
    pub fn open_with(path: impl AsRef<Path>, options: MemoryOptions) -> Result<Self, Error> {
        let _ = (path, options);
        unimplemented!()
    }

    /// The tenant, created by its first write. Reading one that does not exist is an error.
    #[must_use]
    pub fn tenant(&self, id: &TenantId) -> Tenant {
        let _ = id;
        unimplemented!()
    }

    /// The tenants that exist, in name order.
    ///
    /// # Errors
    /// [`Error::Ledger`] if the folder cannot be read.
    pub fn tenants(&self) -> Result<Vec<TenantId>, Error> {
        unimplemented!()
    }

    /// Removes a tenant and every file of it.
    ///
    /// # Errors
    /// [`crate::ledger::LedgerError::UnknownTenant`], or what the system said.
    pub fn erase_tenant(&self, id: &TenantId) -> Result<(), Error> {
        let _ = id;
        unimplemented!()
    }
}

impl Tenant {
    /// Records observations: extract, resolve, judge, one ledger transaction, then derive. All or nothing.
    ///
    /// # Errors
    /// [`Error::Ledger`]; nothing of the batch is recorded then.
    pub fn remember(&self, incoming: Vec<Incoming>) -> Result<Receipt, Error> {
        let _ = incoming;
        unimplemented!()
    }

    /// Valid time now, everything known.
    #[must_use]
    pub fn now(&self) -> AsOf {
        unimplemented!()
    }

    /// The memory read at one point of both times.
    ///
    /// # Errors
    /// [`crate::ledger::LedgerError::UnknownTenant`] if the tenant does not exist.
    pub fn at(&self, as_of: AsOf) -> Result<View, Error> {
        let _ = as_of;
        unimplemented!()
    }

    /// A view that has loaded only what questions about `head` (and `relation`) touch; for one question from cold.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn at_slot(&self, as_of: AsOf, head: &Term, relation: Option<&str>) -> Result<View, Error> {
        let _ = (as_of, head, relation);
        unimplemented!()
    }

    /// Why a fact holds or ended, with the sentences.
    ///
    /// # Errors
    /// [`crate::graph::ReadError::UnknownFact`].
    pub fn why(&self, as_of: AsOf, fact: FactId) -> Result<Why, Error> {
        let _ = (as_of, fact);
        unimplemented!()
    }

    /// The one claim whose id begins so (any claim of a fact names it).
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Ambiguous`].
    pub fn find_claim(&self, prefix: &str) -> Result<ClaimId, Error> {
        let _ = prefix;
        unimplemented!()
    }

    /// The one observation whose id begins so, or whose key is exactly so.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Ambiguous`].
    pub fn find_observation(&self, prefix_or_key: &str) -> Result<ObservationId, Error> {
        let _ = prefix_or_key;
        unimplemented!()
    }

    /// An observation in full.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn observation(&self, id: ObservationId) -> Result<StoredObservation, Error> {
        let _ = id;
        unimplemented!()
    }

    /// Ends the transaction time of a claim or of an observation's claims: "we were wrong".
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was never recorded.
    pub fn retract(&self, target: Retractable, because: &str) -> Result<Applied, Error> {
        let _ = (target, because);
        unimplemented!()
    }

    /// Believes again what was retracted or corrected.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was never recorded.
    pub fn restore(&self, target: Retractable, because: &str) -> Result<Applied, Error> {
        let _ = (target, because);
        unimplemented!()
    }

    /// Removes observations physically, with every claim, index entry and byte of them.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is nothing to erase.
    pub fn erase(&self, target: &EraseTarget) -> Result<Erased, Error> {
        let _ = target;
        unimplemented!()
    }

    /// The policies in force.
    ///
    /// # Errors
    /// [`Error::Ledger`].
    pub fn policies(&self) -> Result<Arc<Policies>, Error> {
        unimplemented!()
    }

    /// Sets or removes an override (TOML body of one relation's table; `*` is every unknown relation). Facts are derived anew.
    ///
    /// # Errors
    /// [`Error::Pack`] naming the field.
    pub fn set_policy(&self, relation: &str, toml: Option<&str>) -> Result<Applied, Error> {
        let _ = (relation, toml);
        unimplemented!()
    }

    /// Counts.
    ///
    /// # Errors
    /// [`Error::Ledger`].
    pub fn stats(&self) -> Result<Stats, Error> {
        unimplemented!()
    }

    /// Checks the ledger, and that the projection equals a rebuild.
    ///
    /// # Errors
    /// [`Error::Ledger`] if the ledger cannot be read at all; what is wrong in it is in the result.
    pub fn verify(&self) -> Result<Verification, Error> {
        unimplemented!()
    }

    /// Writes every record as JSON lines, with both times. Returns how many.
    ///
    /// # Errors
    /// [`Error::Ledger`].
    pub fn export(&self, out: &mut dyn Write) -> Result<u64, Error> {
        let _ = out;
        unimplemented!()
    }

    /// Reads an export into this tenant, which must be empty; recorded times are restored. All or nothing. Returns how many records.
    ///
    /// # Errors
    /// [`Error::Input`] naming the line, [`Error::Ledger`].
    pub fn import(&self, input: &mut dyn BufRead) -> Result<u64, Error> {
        let _ = input;
        unimplemented!()
    }
}
