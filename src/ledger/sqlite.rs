//! The embedded ledger: one `SQLite` file per tenant, with a write-ahead file, safe for several processes at once.
//!
//! Owns the tables (docs/FORMAT.md), durability and the meaning of the store's errors. Knows no timeline and no clock.

mod check;
mod codec;
mod erase;
mod index;
mod known;
mod names;
mod read;
mod records;
mod relay;
mod replay;
mod rows;
mod schema;
mod store;
mod transfer;
mod write;

pub use store::WritePoint;
pub(super) use store::{DRAFT, plain_file};

use self::store::{Outcome, Store};
use self::write::IdMemory;
use super::contract::{Doomed, Holdings, Ledger, Note, Position, Removed, SliceKey};
use super::{Commit, LedgerError, Merge, PendingObservation, Record, RecordRow, Seq, StoredObservation, StoredRecord, Words};
use crate::model::{Observation, ObservationId, Term};
use crate::time::Instant;
use rusqlite::ErrorCode;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How a file is opened.
#[derive(Clone)]
pub struct SqliteOptions {
    /// How long a call waits for another process before it gives up with [`LedgerError::Busy`]. 30 seconds by default.
    pub busy_timeout: Duration,
    /// Whether every write is refused. False by default.
    pub read_only: bool,
    /// Told of each point a write comes to; for tests that stop a process there.
    #[doc(hidden)]
    pub observer: Option<Arc<dyn Fn(WritePoint) + Send + Sync>>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(30), read_only: false, observer: None }
    }
}

impl fmt::Debug for SqliteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteOptions")
            .field("busy_timeout", &self.busy_timeout)
            .field("read_only", &self.read_only)
            .finish_non_exhaustive()
    }
}

/// A ledger in one `SQLite` file.
#[derive(Debug)]
pub struct SqliteLedger {
    store: Store,
    ids: IdMemory,
    poisoned: Option<String>,
    has_completed: bool,
}

impl SqliteLedger {
    /// Opens the ledger at `path`, which must exist. A file that is no ledger, is cut short or of a newer format stays as it is, and so
    /// does one that is a link or has another name.
    ///
    /// # Errors
    /// [`LedgerError::NotALedger`], [`LedgerError::NotAPlainFile`], [`LedgerError::NewerFormat`], [`LedgerError::Io`], [`LedgerError::Busy`].
    pub fn open(path: &Path, options: SqliteOptions) -> Result<Self, LedgerError> {
        let mut ledger = Self { store: Store::open(path, options)?, ids: IdMemory::default(), poisoned: None, has_completed: false };
        if !ledger.store.options.read_only {
            ledger.complete()?;
        }
        Ok(ledger)
    }

    /// Opens the ledger at `path`, or makes an empty one where there is no file.
    ///
    /// # Errors
    /// As [`SqliteLedger::open`].
    pub fn open_or_create(path: &Path, options: SqliteOptions) -> Result<Self, LedgerError> {
        if fs::symlink_metadata(path).is_err() {
            store::create(path, &options)?;
        }
        Self::open(path, options)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.store.path
    }

    /// Whether it completed, when it was opened, an erasure that was incomplete until then.
    #[must_use]
    pub const fn has_completed_erasure(&self) -> bool {
        self.has_completed
    }

    /// Makes every open handle on the file, in any process, unable to write: its tenant is about to be removed. Returns what it held,
    /// where that can be told.
    pub(super) fn close_for_ever(mut self) -> Result<Option<Holdings>, LedgerError> {
        self.transact(|store, _ids| {
            let held = store.holdings_here().ok();
            store.execute("DROP TABLE commits").map(|()| Outcome::Write(held))
        })
    }

    /// The same if nothing was ever recorded in it; says whether that is so.
    pub(super) fn close_for_ever_if_empty(mut self) -> Result<bool, LedgerError> {
        self.transact(|store, _ids| {
            if store.position()?.seq > 0 {
                return Ok(Outcome::Nothing(false));
            }
            store.execute("DROP TABLE commits").map(|()| Outcome::Write(true))
        })
    }

    /// What an earlier process or version left to do: an erasure that was cut off, an index under other numbers.
    fn complete(&mut self) -> Result<(), LedgerError> {
        if self.store.index_is_foreign {
            self.transact(|store, _ids| store.reindex().map(Outcome::Write))?;
            self.store.index_is_foreign = false;
        }
        if self.store.scrub_pending()? {
            // Waits for nobody. Whoever erases again, and `check`, is told if this does not succeed now.
            match self.store.scrub(Duration::ZERO) {
                Err(LedgerError::ErasureIncomplete { .. }) => {}
                scrubbed => {
                    scrubbed?;
                    self.has_completed = true;
                }
            }
        }
        Ok(())
    }

    /// Runs work in one write transaction: durable on return, or nothing of it.
    fn transact<T>(&mut self, work: impl FnOnce(&Store, &mut IdMemory) -> Result<Outcome<T>, LedgerError>) -> Result<T, LedgerError> {
        self.refuse_if_poisoned()?;
        self.store.execute("BEGIN IMMEDIATE")?;
        self.store.reach(WritePoint::Begun);
        match work(&self.store, &mut self.ids) {
            Ok(Outcome::Write(value)) => {
                self.store.reach(WritePoint::BeforeCommit);
                self.commit()?;
                self.store.reach(WritePoint::Committed);
                Ok(value)
            }
            Ok(Outcome::Nothing(value)) => {
                self.undo()?;
                Ok(value)
            }
            Err(error) => {
                self.undo()?;
                Err(error)
            }
        }
    }

    fn refuse_if_poisoned(&self) -> Result<(), LedgerError> {
        match &self.poisoned {
            Some(reason) => Err(LedgerError::Poisoned { path: self.store.path.clone(), reason: reason.clone() }),
            None => Ok(()),
        }
    }

    fn commit(&mut self) -> Result<(), LedgerError> {
        let committed = self.store.connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        let Err(error) = committed else { return Ok(()) };
        let said = self.store.fail(&error);
        self.undo()?;
        // A full disk is met before the commit's own mark is written: the batch is surely not there. Of anything else that
        // goes wrong here, such as a failed sync, it cannot be known what reached the disk.
        if !matches!(error.sqlite_error_code(), Some(ErrorCode::DiskFull | ErrorCode::DatabaseBusy)) {
            self.poisoned = Some(error.to_string());
        }
        Err(said)
    }

    fn undo(&mut self) -> Result<(), LedgerError> {
        self.store.roll_back().map_err(|error| {
            self.poisoned = Some(error.to_string());
            self.store.fail(&error)
        })
    }
}

impl Ledger for SqliteLedger {
    fn position(&mut self) -> Result<Position, LedgerError> {
        self.store.position()
    }

    fn append(&mut self, records: &[Record], now: Instant) -> Result<Commit, LedgerError> {
        self.refuse_if_poisoned()?;
        self.store.upgrade()?;
        let appended = self.transact(|store, ids| write::append(store, ids, records, now))?;
        self.ids.note(&appended.ids, appended.through);
        Ok(appended.commit)
    }

    fn replay(&mut self, from: Seq, sink: &mut dyn FnMut(RecordRow<'_>)) -> Result<Position, LedgerError> {
        relay::replay(&mut self.store, from, sink)
    }

    fn slice(&mut self, keys: &[SliceKey], sink: &mut dyn FnMut(RecordRow<'_>)) -> Result<Position, LedgerError> {
        self.store.slice(keys, sink)
    }

    fn displayed(&mut self, terms: &[Term]) -> Result<Vec<Option<Term>>, LedgerError> {
        self.store.displayed(terms)
    }

    fn observation(&mut self, id: ObservationId) -> Result<Option<StoredObservation>, LedgerError> {
        self.store.observation(id)
    }

    fn beliefs(&mut self, observation: ObservationId) -> Result<Vec<StoredRecord>, LedgerError> {
        self.store.beliefs(observation)
    }

    fn observations_by_prefix(&mut self, prefix: &str, limit: usize) -> Result<Vec<ObservationId>, LedgerError> {
        self.store.observations_by_prefix(prefix, limit)
    }

    fn short_ids(&mut self, ids: &[ObservationId], digits: usize) -> Result<Vec<usize>, LedgerError> {
        self.store.short_ids(ids, digits)
    }

    fn observations_by_key(&mut self, key: &str) -> Result<Vec<ObservationId>, LedgerError> {
        self.store.observations_by_key(key)
    }

    fn session_tail(&mut self, session: &str, until: Instant, limit: usize) -> Result<Vec<Observation>, LedgerError> {
        self.store.session_tail(session, until, limit)
    }

    fn observation_ids(&mut self, sink: &mut dyn FnMut(Seq, ObservationId)) -> Result<(), LedgerError> {
        self.store.ids_after(0, sink)
    }

    fn words(&mut self, from: Seq, sink: &mut dyn FnMut(Words<'_>)) -> Result<(), LedgerError> {
        self.store.words(from, sink)
    }

    fn states_relation(&mut self, is_it: &mut dyn FnMut(&str) -> bool) -> Result<bool, LedgerError> {
        self.store.states_relation(is_it)
    }

    fn erased_since(&mut self, from: Seq) -> Result<Vec<Seq>, LedgerError> {
        self.store.erased_since(from)
    }

    fn merges(&mut self) -> Result<Vec<Merge>, LedgerError> {
        self.store.merges()
    }

    fn has_merges(&mut self) -> Result<bool, LedgerError> {
        self.store.has_merges()
    }

    fn setting(&mut self, name: &str) -> Result<Option<String>, LedgerError> {
        self.store.setting(name)
    }

    fn settings(&mut self) -> Result<Vec<(String, String)>, LedgerError> {
        self.store.settings()
    }

    fn pending(&mut self) -> Result<Vec<PendingObservation>, LedgerError> {
        self.store.pending()
    }

    fn holdings(&mut self) -> Result<Holdings, LedgerError> {
        self.store.holdings()
    }

    fn notes(&mut self, sink: &mut dyn FnMut(Note<'_>)) -> Result<(), LedgerError> {
        self.store.notes(sink)
    }

    fn erase_all(&mut self, doomed: &Doomed, now: Instant) -> Result<Removed, LedgerError> {
        let was_pending = self.store.scrub_pending()?;
        let mut removed = self.transact(|store, _ids| store.erase_rows(doomed, now))?;
        if self.store.scrub_pending()? {
            self.store.scrub(self.store.options.busy_timeout)?;
        }
        removed.completed = was_pending;
        Ok(removed)
    }

    fn check_with(&mut self, sink: &mut dyn FnMut(StoredRecord)) -> Result<Vec<String>, LedgerError> {
        self.store.check(sink)
    }

    fn backup(&mut self, to: &Path) -> Result<(), LedgerError> {
        self.store.backup(to)
    }

    fn export(&mut self, sink: &mut dyn FnMut(StoredRecord) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        self.store.export(sink)
    }

    fn import(&mut self, next: &mut dyn FnMut() -> Result<Option<StoredRecord>, LedgerError>) -> Result<u64, LedgerError> {
        self.refuse_if_poisoned()?;
        self.store.upgrade()?;
        self.transact(|store, _ids| store.import(next))
    }
}
