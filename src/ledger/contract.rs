//! What any ledger must do, in words of no particular store. Knows nothing of files, tables or locks.

use super::{Commit, LedgerError, Merge, PendingObservation, Record, RecordRow, Seq, StoredObservation, StoredRecord, Words};
use crate::model::{Observation, ObservationId, Term, TermRef};
use crate::time::Instant;
use std::path::Path;

/// The end of a ledger: what the next append follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The last sequence number given; 0 where nothing was ever written.
    pub seq: Seq,
    /// The last transaction time given; `None` where nothing was ever written.
    pub tx: Option<Instant>,
}

/// Which end of a claim a key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimEnd {
    /// Claims whose head is the entity.
    Head,
    /// Claims whose tail is the entity, or that correct that tail.
    Tail,
}

impl ClaimEnd {
    /// The one across from it.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Head => Self::Tail,
            Self::Tail => Self::Head,
        }
    }
}

/// One key of a slice: the claims with this entity at this end, and with another at the other end where one is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceKey {
    /// The entity or literal, by its identity.
    pub entity: Term,
    /// Where it stands.
    pub end: ClaimEnd,
    /// The stated relations wanted; empty for all. Case and anything but letters and digits do not matter here.
    pub relations: Vec<String>,
    /// What stands at the other end; `None` for anything. Needs relations.
    pub other: Option<Term>,
}

/// Words that stand beside observations, borrowed from the reader's buffers; for looking through all texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note<'a> {
    /// The reason given for a retraction or a restoration.
    Reason {
        /// Its place.
        seq: Seq,
        /// The observation that it, or a claim of it, is about.
        about: ObservationId,
        /// The reason.
        because: &'a str,
    },
    /// A policy override, in force or not.
    Override {
        /// Its place.
        seq: Seq,
        /// The relation.
        relation: &'a str,
        /// The TOML body, or `None` where the override was removed.
        toml: Option<&'a str>,
    },
    /// A merge or its end.
    Merge {
        /// Its place.
        seq: Seq,
        /// The entity that is another name of the other one.
        from: TermRef<'a>,
        /// The entity that both are.
        into: TermRef<'a>,
        /// The reason.
        because: &'a str,
    },
    /// A setting, in force or not.
    Setting {
        /// Its place.
        seq: Seq,
        /// The name.
        name: &'a str,
        /// The text, or `None` where it was removed.
        value: Option<&'a str>,
    },
    /// Why an extractor could not run.
    Failure {
        /// The place of the extraction; the observation's own where it was recorded so.
        seq: Seq,
        /// The observation.
        about: ObservationId,
        /// The reason.
        reason: &'a str,
    },
}

/// What to erase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doomed {
    /// Observations, with all that hangs on them.
    pub observations: Vec<ObservationId>,
    /// Places of records that stand and lose their reason: retractions, restorations, merges, extractions that failed, and observations
    /// that were recorded without their claims.
    pub reasons: Vec<Seq>,
    /// Places of policy overrides with what their TOML becomes; `None` removes the record.
    pub overrides: Vec<(Seq, Option<String>)>,
    /// Places of settings that lose their text: the setting is removed from there on.
    pub settings: Vec<Seq>,
    /// Places of merges, their ends, and settings that go altogether.
    pub records: Vec<Seq>,
}

/// What an erasure removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// The observations that were there, in id order.
    pub observations: Vec<ObservationId>,
    /// How many claims went with them.
    pub claims: u64,
    /// How many records lost their reason.
    pub reasons: u64,
    /// How many policy overrides were changed or removed.
    pub overrides: u64,
    /// How many settings were changed or removed.
    pub settings: u64,
    /// How many merges and ends of merges were removed.
    pub merges: u64,
    /// Whether an earlier erasure was incomplete until now, and is complete.
    pub completed: bool,
    /// The place of the erasure's own record; `None` where there was nothing to erase.
    pub seq: Option<Seq>,
}

/// How much a ledger holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Observations recorded and not erased.
    pub observations: u64,
    /// Claims recorded and not erased.
    pub claims: u64,
    /// Retractions and restorations.
    pub beliefs: u64,
    /// Policy overrides, removals included.
    pub policies: u64,
    /// Erasures.
    pub erasures: u64,
    /// Merges and their ends.
    pub merges: u64,
    /// Settings, removals included.
    pub settings: u64,
    /// Extractions after the fact.
    pub extractions: u64,
    /// Bytes of its files.
    pub bytes: u64,
}

/// Durable records of one tenant, in sequence.
///
/// A write is durable when its call returns. Transaction time is `max(now, last + 1 µs)`, one per call, and never runs
/// backwards, whichever process writes. Reads see one consistent state each. Everything is in sequence order unless said.
pub trait Ledger: Send {
    /// The end of the ledger, other processes' writes included.
    ///
    /// # Errors
    /// [`LedgerError::Io`], [`LedgerError::Busy`], [`LedgerError::NotALedger`], as all reading calls.
    fn position(&mut self) -> Result<Position, LedgerError>;

    /// Appends a batch: all of it or nothing. Observations that are there already, in the ledger or earlier in the batch,
    /// are skipped. Where nothing is left to write, nothing is, and the transaction time returned is the last one given.
    ///
    /// # Errors
    /// [`LedgerError::BadRecord`] for a number that is none, a literal head, or a retraction or extraction that names nothing recorded;
    /// [`LedgerError::Merge`] for a merge, or the end of one, that does not fit those before it;
    /// [`LedgerError::Busy`], [`LedgerError::Io`]; [`LedgerError::Poisoned`] after a write whose outcome is unsure.
    /// Nothing of the batch is written then.
    fn append(&mut self, records: &[Record], now: Instant) -> Result<Commit, LedgerError>;

    /// Gives every row whose sequence number is `from` or greater. Returns the end of the ledger as it was read.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Linear in the rows given; no allocation per row.
    fn replay(&mut self, from: Seq, sink: &mut dyn FnMut(RecordRow<'_>)) -> Result<Position, LedgerError>;

    /// Gives the rows that a cold reading of some slots needs, each once: the claims that fit a key, the claims that correct
    /// those by id (and those that correct these), the observations of both, every retraction and restoration that names any of them, every
    /// policy override, and every merge and its end. May give a few more, never fewer. Returns the end of the ledger as it was read.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Logarithmic in the ledger, linear in the rows given and, for a key with both ends, in the claims of its rarer end, whose
    /// places (not rows) are read.
    fn slice(&mut self, keys: &[SliceKey], sink: &mut dyn FnMut(RecordRow<'_>)) -> Result<Position, LedgerError>;

    /// How each of these terms is displayed: a name by the surface that most heads, tails and corrected tails of claims use for it, of
    /// several the least; anything else as it is. `None` where no claim mentions it. In the order given.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Logarithmic in the ledger for each term, however many claims mention it.
    fn displayed(&mut self, terms: &[Term]) -> Result<Vec<Option<Term>>, LedgerError>;

    /// An observation in full, or `None` where it is not there.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn observation(&mut self, id: ObservationId) -> Result<Option<StoredObservation>, LedgerError>;

    /// The retractions and restorations that name an observation or a claim of it, in order; each a [`StoredRecord::Belief`].
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn beliefs(&mut self, observation: ObservationId) -> Result<Vec<StoredRecord>, LedgerError>;

    /// The ids of the observations whose written id begins so (hexadecimal digits), in id order, at most `limit`.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn observations_by_prefix(&mut self, prefix: &str, limit: usize) -> Result<Vec<ObservationId>, LedgerError>;

    /// How many digits of each written id, at least so many and in steps of four, name it alone: no other id begins so, and no other
    /// observation has them for a key. In the order given.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Logarithmic in the ledger for each id.
    fn short_ids(&mut self, ids: &[ObservationId], digits: usize) -> Result<Vec<usize>, LedgerError>;

    /// The ids of the observations with exactly this key, in id order.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn observations_by_key(&mut self, key: &str) -> Result<Vec<ObservationId>, LedgerError>;

    /// The last observations of a session that were observed up to and including an instant (valid time), oldest first, at most `limit`;
    /// of those observed at once the one recorded first comes first.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn session_tail(&mut self, session: &str, until: Instant, limit: usize) -> Result<Vec<Observation>, LedgerError>;

    /// Gives the id of every observation that is there.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn observation_ids(&mut self, sink: &mut dyn FnMut(Seq, ObservationId)) -> Result<(), LedgerError>;

    /// Gives the words of every observation at the place `from` or later, in sequence order.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Linear in what is given.
    fn words(&mut self, from: Seq, sink: &mut dyn FnMut(Words<'_>)) -> Result<(), LedgerError>;

    /// Whether some claim's relation, as stated, is one that `is_it` accepts.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Linear in the claims before the first such one.
    fn states_relation(&mut self, is_it: &mut dyn FnMut(&str) -> bool) -> Result<bool, LedgerError>;

    /// The places that erasures recorded at `from` or later emptied: those of observations, of their claims, and of what named either.
    ///
    /// Only places are kept, for others to catch up by: an id is made of the content and would confirm a guess at it.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn erased_since(&mut self, from: Seq) -> Result<Vec<Seq>, LedgerError>;

    /// How much it holds.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn holdings(&mut self) -> Result<Holdings, LedgerError>;

    /// Every merge, in order, with whether it was undone.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn merges(&mut self) -> Result<Vec<Merge>, LedgerError>;

    /// Whether two entities were ever merged.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn has_merges(&mut self) -> Result<bool, LedgerError>;

    /// The text set under a name, or `None` where there is none.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Logarithmic in the settings.
    fn setting(&mut self, name: &str) -> Result<Option<String>, LedgerError>;

    /// Every setting with its text, in name order.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn settings(&mut self) -> Result<Vec<(String, String)>, LedgerError>;

    /// The observations that wait for their claims.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    ///
    /// # Complexity
    /// Linear in those that wait, and in the times they were tried.
    fn pending(&mut self) -> Result<Vec<PendingObservation>, LedgerError>;

    /// Gives the reason of every retraction and restoration, then every policy override, merge, setting, and failed extraction.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn notes(&mut self, sink: &mut dyn FnMut(Note<'_>)) -> Result<(), LedgerError>;

    /// Removes physically what is doomed: observations with their claims and every retraction, restoration and extraction naming either,
    /// reasons, words of overrides and settings, merges, and every byte of them. What is not there is passed over. Appends an erasure record, unless there was
    /// nothing to erase; in either case completes an earlier erasure that could not be completed.
    ///
    /// # Errors
    /// [`LedgerError::ErasureIncomplete`] where the records are gone but bytes may remain until the call is repeated (with
    /// anything doomed, or nothing); else as [`Ledger::append`].
    fn erase_all(&mut self, doomed: &Doomed, now: Instant) -> Result<Removed, LedgerError>;

    /// Removes observations physically: see [`Ledger::erase_all`].
    ///
    /// # Errors
    /// As [`Ledger::erase_all`].
    fn erase(&mut self, ids: &[ObservationId], now: Instant) -> Result<Removed, LedgerError> {
        self.erase_all(&Doomed { observations: ids.to_vec(), ..Doomed::default() }, now)
    }

    /// Looks for damage: one sentence for each problem, empty if all is well. Gives every record it reads in full to `sink`, so that what
    /// the ledger knows nothing of can be looked at on the way.
    ///
    /// # Errors
    /// As [`Ledger::position`], if it cannot be read at all.
    fn check_with(&mut self, sink: &mut dyn FnMut(StoredRecord)) -> Result<Vec<String>, LedgerError>;

    /// Looks for damage, as [`Ledger::check_with`] does.
    ///
    /// # Errors
    /// As [`Ledger::check_with`].
    fn check(&mut self) -> Result<Vec<String>, LedgerError> {
        self.check_with(&mut |_record| ())
    }

    /// Writes a copy of one consistent state to `to`, which must not exist.
    ///
    /// # Errors
    /// As [`Ledger::position`].
    fn backup(&mut self, to: &Path) -> Result<(), LedgerError>;

    /// Gives every record in full; stops at the first error of the sink and returns it.
    ///
    /// # Errors
    /// As [`Ledger::position`]; what the sink returns.
    fn export(&mut self, sink: &mut dyn FnMut(StoredRecord) -> Result<(), LedgerError>) -> Result<(), LedgerError>;

    /// Takes records with the places and transaction times they carry, until `next` gives `None`; all or nothing. The ledger
    /// must be empty. Returns how many.
    ///
    /// # Errors
    /// [`LedgerError::BadRecord`] if the ledger is not empty, or where places or times run backwards; what `next` returns;
    /// else as [`Ledger::append`].
    fn import(&mut self, next: &mut dyn FnMut() -> Result<Option<StoredRecord>, LedgerError>) -> Result<u64, LedgerError>;
}
