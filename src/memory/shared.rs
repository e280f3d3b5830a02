//! What the handles of one tenant share: the writer's side behind a lock, and the snapshot that readers take.
//!
//! Owns who waits for whom: writers for each other, readers for nobody who writes. Knows nothing of what is written or asked.

use super::cold::{self, Asked};
use super::engine::{Failed, Loaded};
use super::entities::NameIndex;
use super::recall::RecallIndex;
use super::{Clock, Error, TenantId};
use crate::extract::Rules;
use crate::graph::Snapshot;
use crate::ledger::{Holdings, Ledger, LedgerError, Seq, SqliteLedger, TenantFolder};
use crate::policy::Policies;
use crate::time::Instant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

/// How long a reader that has to catch up sleeps while another one does.
const NAP: Duration = Duration::from_micros(50);

/// A projection is measured anew once it has read so many records more, and an eighth more.
const MEASURE_EVERY: u64 = 10_000;

/// A tenant's own patterns as set, English and Japanese, and the rules made of them.
type Patterns = ([Option<String>; 2], Arc<Rules>);

/// A tenant within one memory.
pub(super) struct Shared {
    id: TenantId,
    files: Arc<TenantFolder>,
    clock: Arc<dyn Clock>,
    engine: Mutex<Engine>,
    /// Set while a write is under way. What others had written before it is published by then.
    writing: AtomicBool,
    /// Set by readers, cleared by writers: whether anybody has read since the last write.
    read_since: AtomicBool,
    /// The readers' own connection.
    reader: Mutex<Option<SqliteLedger>>,
    published: RwLock<Option<Published>>,
    /// The last slice that was read from cold.
    slice: Mutex<Option<Slice>>,
    /// The names of the projection, once somebody has asked what a mention may mean.
    names: Mutex<Option<NameIndex>>,
    /// What recall searches, once somebody has asked.
    recall: RwLock<Option<RecallIndex>>,
    /// The tenant's own patterns as they were last set, made ready for use.
    patterns: Mutex<Option<Patterns>>,
    last_used: AtomicU64,
    bytes: AtomicU64,
    /// The place in the ledger at which `bytes` was measured; 0 if not yet.
    measured_at: AtomicU64,
    /// Set where an erasure that was incomplete has been completed by opening the ledger.
    completed: AtomicBool,
}

/// What readers take.
#[derive(Clone, Debug)]
pub(super) struct Published {
    pub(super) snapshot: Snapshot,
    pub(super) policies: Arc<Policies>,
    pub(super) seq: Seq,
    /// See [`Loaded::lineage`].
    pub(super) lineage: Arc<()>,
}

/// What one question from cold touches: the next one is often about the same.
#[derive(Debug)]
struct Slice {
    asked: Asked,
    seq: Seq,
    snapshot: Snapshot,
}

/// The writer's connection and projection.
#[derive(Debug, Default)]
struct Engine {
    ledger: Option<SqliteLedger>,
    loaded: Option<Loaded>,
    /// Whether a write failed, so that the connection, which may refuse further ones, has to be kept.
    failed: bool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Resets the mark of a write when it is over, however it ends.
struct Writing<'a>(&'a AtomicBool);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Shared {
    pub(super) fn new(id: TenantId, files: Arc<TenantFolder>, clock: Arc<dyn Clock>) -> Self {
        Self {
            id,
            files,
            clock,
            engine: Mutex::default(),
            writing: AtomicBool::new(false),
            read_since: AtomicBool::new(false),
            reader: Mutex::default(),
            published: RwLock::default(),
            slice: Mutex::default(),
            names: Mutex::default(),
            recall: RwLock::default(),
            patterns: Mutex::default(),
            last_used: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            measured_at: AtomicU64::new(0),
            completed: AtomicBool::new(false),
        }
    }

    pub(super) const fn id(&self) -> &TenantId {
        &self.id
    }

    pub(super) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Notes a use.
    pub(super) fn touch(&self, turn: u64) {
        self.last_used.store(turn, Ordering::Relaxed);
    }

    pub(super) fn last_used(&self) -> u64 {
        self.last_used.load(Ordering::Relaxed)
    }

    /// About how many bytes the projection holds, without strings; 0 where none is loaded.
    pub(super) fn bytes_in_memory(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// What is published, if a projection is loaded. It may be behind the ledger.
    pub(super) fn loaded(&self) -> Option<Published> {
        self.published.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Drops the projection unless a write is under way. Returns how many bytes that frees.
    pub(super) fn drop_projection(&self) -> u64 {
        let Ok(mut engine) = self.engine.try_lock() else { return 0 };
        if !engine.failed {
            engine.ledger = None;
        }
        if let Ok(mut reader) = self.reader.try_lock() {
            *reader = None;
        }
        self.unload(&mut engine)
    }

    /// The rules that texts of patterns make, made once while the texts stay.
    pub(super) fn compiled<E>(
        &self,
        packs: [Option<String>; 2],
        make: impl FnOnce(&[Option<String>; 2]) -> Result<Rules, E>,
    ) -> Result<Arc<Rules>, E> {
        let mut patterns = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, rules)) = patterns.as_ref()
            && *known == packs
        {
            return Ok(Arc::clone(rules));
        }
        let rules = Arc::new(make(&packs)?);
        *patterns = Some((packs, Arc::clone(&rules)));
        Ok(rules)
    }

    /// Takes back what readers would be given.
    fn unpublish(&self) {
        *self.published.write().unwrap_or_else(PoisonError::into_inner) = None;
        *self.lock_slice() = None;
    }

    fn lock_slice(&self) -> MutexGuard<'_, Option<Slice>> {
        self.slice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn lock_names(&self) -> MutexGuard<'_, Option<NameIndex>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) const fn recall_index(&self) -> &RwLock<Option<RecallIndex>> {
        &self.recall
    }

    fn unload(&self, engine: &mut Engine) -> u64 {
        engine.loaded = None;
        if let Ok(mut names) = self.names.try_lock() {
            *names = None;
        }
        if let Ok(mut recall) = self.recall.try_write() {
            *recall = None;
        }
        self.unpublish();
        self.measured_at.store(0, Ordering::Relaxed);
        self.bytes.swap(0, Ordering::Relaxed)
    }

    fn open(&self, create: bool) -> Result<SqliteLedger, LedgerError> {
        let id = self.id.as_str();
        let ledger = if create { self.files.open_or_create(id)? } else { self.files.open(id)? };
        if ledger.has_completed_erasure() {
            self.completed.store(true, Ordering::Relaxed);
        }
        Ok(ledger)
    }

    /// Whether an erasure that was incomplete has been completed since this was last asked.
    pub(super) fn take_completed(&self) -> bool {
        self.completed.swap(false, Ordering::Relaxed)
    }

    /// Runs a short reading on the readers' connection; other readers wait for it.
    ///
    /// # Errors
    /// [`LedgerError::UnknownTenant`]; what `work` returns.
    pub(super) fn read<T>(&self, mut work: impl FnMut(&mut SqliteLedger) -> Result<T, Error>) -> Result<T, Error> {
        let mut reader = self.lock_reader();
        if let Some(ledger) = reader.as_mut() {
            match work(ledger) {
                // Removed, by whomever, since it was opened: what is there now is another ledger, or none.
                Err(Error::Ledger(LedgerError::NotALedger { .. })) => {
                    *reader = None;
                    self.unpublish();
                }
                outcome => return outcome,
            }
        }
        work(reader.insert(self.open(false)?))
    }

    /// What a question touches, other processes' writes included; `None` where loading the whole
    /// tenant is the better way.
    ///
    /// # Errors
    /// As [`Shared::read`]; [`Error::Pack`] if an override cannot be read.
    pub(super) fn sliced(&self, asked: &Asked) -> Result<Option<Snapshot>, Error> {
        self.read(|ledger| {
            let seq = ledger.position()?.seq;
            if let Some(slice) = self.lock_slice().as_ref()
                && (slice.seq, &slice.asked) == (seq, asked)
            {
                return Ok(Some(slice.snapshot.clone()));
            }
            let Some((snapshot, seq)) = cold::slice(ledger, asked)? else { return Ok(None) };
            *self.lock_slice() = Some(Slice { asked: asked.clone(), seq, snapshot: snapshot.clone() });
            Ok(Some(snapshot))
        })
    }

    /// Runs a long reading on a connection of its own; nobody waits for it.
    ///
    /// # Errors
    /// As [`Shared::read`].
    pub(super) fn read_apart<T>(&self, work: impl FnOnce(&mut SqliteLedger) -> Result<T, Error>) -> Result<T, Error> {
        work(&mut self.open(false)?)
    }

    /// The memory as it is now, other processes' writes included.
    ///
    /// Where a write of this process is under way, the state before it, without waiting.
    ///
    /// # Errors
    /// [`LedgerError::UnknownTenant`]; what the ledger says; [`Error::Pack`] if an override cannot be read.
    pub(super) fn current(&self) -> Result<Published, Error> {
        let seq = match self.read(|ledger| Ok(ledger.position()?)) {
            Ok(position) => position.seq,
            Err(error) => {
                if matches!(error, Error::Ledger(LedgerError::UnknownTenant { .. })) {
                    self.forget_removed();
                }
                return Err(error);
            }
        };
        if !self.read_since.load(Ordering::Relaxed) {
            self.read_since.store(true, Ordering::Relaxed);
        }
        loop {
            let published = self.loaded();
            if let Some(published) = published
                && (published.seq == seq || self.writing.load(Ordering::Acquire))
            {
                return Ok(published);
            }
            match self.engine.try_lock() {
                Ok(engine) => return self.catch_up(engine),
                Err(TryLockError::Poisoned(engine)) => return self.catch_up(self.recovered(engine.into_inner())),
                Err(TryLockError::WouldBlock) => std::thread::sleep(NAP),
            }
        }
    }

    fn catch_up(&self, mut engine: MutexGuard<'_, Engine>) -> Result<Published, Error> {
        self.follow(&mut engine, false)?;
        *self.lock_slice() = None;
        self.loaded().ok_or_else(|| LedgerError::UnknownTenant { tenant: self.id.as_str().to_owned() }.into())
    }

    /// Lets go of what is held of a tenant that is no longer there, unless somebody is at it.
    fn forget_removed(&self) {
        if let Ok(mut engine) = self.engine.try_lock() {
            *engine = Engine::default();
            self.unload(&mut engine);
        }
    }

    /// What a thread that died in the middle of a write has left, a transaction among it, is of no use.
    fn recovered<'a>(&self, mut engine: MutexGuard<'a, Engine>) -> MutexGuard<'a, Engine> {
        self.engine.clear_poison();
        *engine = Engine::default();
        self.unload(&mut engine);
        engine
    }

    fn lock_engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(|poisoned| self.recovered(poisoned.into_inner()))
    }

    fn lock_reader(&self) -> MutexGuard<'_, Option<SqliteLedger>> {
        self.reader.lock().unwrap_or_else(|poisoned| {
            self.reader.clear_poison();
            let mut reader = poisoned.into_inner();
            *reader = None;
            reader
        })
    }

    /// Brings the projection up to the ledger's end, loading it where it is not, and publishes it.
    fn follow(&self, engine: &mut Engine, create: bool) -> Result<(), Error> {
        for attempt in 0..2 {
            let ledger = match &mut engine.ledger {
                Some(ledger) => ledger,
                None => engine.ledger.insert(self.open(create)?),
            };
            let outcome = match &mut engine.loaded {
                Some(loaded) => loaded.follow(ledger, None),
                None => Loaded::read(ledger).map(|loaded| engine.loaded = Some(loaded)),
            };
            match outcome {
                Ok(()) => break,
                // Removed since it was opened; its successor, if there is one, is another ledger.
                Err(Error::Ledger(LedgerError::NotALedger { .. })) if attempt == 0 => {
                    engine.ledger = None;
                    self.unload(engine);
                }
                Err(error) => {
                    // Rows may be staged that will be read again.
                    self.unload(engine);
                    return Err(error);
                }
            }
        }
        self.publish(engine);
        Ok(())
    }

    /// Shows readers what is derived.
    fn publish(&self, engine: &Engine) {
        let Some(loaded) = &engine.loaded else { return };
        let mut published = self.published.write().unwrap_or_else(PoisonError::into_inner);
        if published.as_ref().is_some_and(|published| published.seq == loaded.seq && Arc::ptr_eq(&published.policies, &loaded.policies)) {
            return;
        }
        let snapshot = loaded.projection.snapshot();
        // To measure takes a look at every part; a projection that has hardly grown is about as large as it was.
        let measured_at = self.measured_at.load(Ordering::Relaxed);
        if measured_at == 0 || loaded.seq > measured_at + measured_at / 8 + MEASURE_EVERY {
            self.bytes.store(snapshot.bytes_in_memory(), Ordering::Relaxed);
            self.measured_at.store(loaded.seq, Ordering::Relaxed);
        }
        let (policies, lineage) = (Arc::clone(&loaded.policies), Arc::clone(&loaded.lineage));
        *published = Some(Published { snapshot, policies, seq: loaded.seq, lineage });
    }

    /// Lets go of the published snapshot if nobody has read since the last write, so that the next one need not copy what it changes.
    ///
    /// A reader that comes just then waits until a small batch is derived, in memory; never for a disk.
    fn let_go(&self) {
        if !self.read_since.swap(false, Ordering::Relaxed) {
            *self.published.write().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// Runs a write: waits for other writers, catches up with what others have written, and publishes what comes of it.
    /// The tenant is created if `create`; one that was created for a write that fails is not left behind.
    ///
    /// # Errors
    /// As [`Shared::current`], and what `work` returns; what it staged is dropped then, and nothing of it is ever seen.
    pub(super) fn write<T>(
        &self,
        create: bool,
        work: impl FnOnce(&mut Loaded, &mut SqliteLedger, Instant, &dyn Fn()) -> Result<T, Failed>,
    ) -> Result<T, Error> {
        let mut engine = self.lock_engine();
        let creates = create && engine.ledger.is_none() && !self.files.holds(self.id.as_str())?;
        let outcome = self.follow(&mut engine, create).and_then(|()| self.work(&mut engine, work));
        if outcome.is_err() && creates {
            self.discard(&mut engine);
        }
        outcome
    }

    /// Takes back a tenant that was made for a write that failed, unless others have written to it.
    fn discard(&self, engine: &mut Engine) {
        let mut reader = self.lock_reader();
        (*engine, *reader) = (Engine::default(), None);
        self.unload(engine);
        // That it could not be taken back is less than what is reported.
        drop(self.files.remove_if_empty(self.id.as_str()));
    }

    /// Runs the work on what is loaded.
    fn work<T>(
        &self,
        engine: &mut Engine,
        work: impl FnOnce(&mut Loaded, &mut SqliteLedger, Instant, &dyn Fn()) -> Result<T, Failed>,
    ) -> Result<T, Error> {
        self.writing.store(true, Ordering::Release);
        let writing = Writing(&self.writing);
        let Engine { ledger: Some(ledger), loaded: Some(loaded), .. } = engine else {
            return Err(LedgerError::UnknownTenant { tenant: self.id.as_str().to_owned() }.into());
        };
        let outcome = work(loaded, ledger, self.clock.now(), &|| self.let_go());
        match outcome {
            Ok(done) => {
                self.publish(engine);
                drop(writing);
                Ok(done)
            }
            Err(Failed { error, staged }) => {
                engine.failed |= matches!(error, Error::Ledger(LedgerError::Io { .. } | LedgerError::Poisoned { .. }));
                if staged {
                    // Readers keep what was published; the next one to find the ledger moved reads it anew.
                    engine.loaded = None;
                } else {
                    self.publish(engine);
                }
                Err(error)
            }
        }
    }

    /// Removes the tenant's files.
    ///
    /// # Errors
    /// [`LedgerError::UnknownTenant`], or what the system said.
    pub(super) fn erase_files(&self) -> Result<Option<Holdings>, Error> {
        let mut engine = self.lock_engine();
        let mut reader = self.lock_reader();
        (*engine, *reader) = (Engine::default(), None);
        self.unload(&mut engine);
        Ok(self.files.remove(self.id.as_str())?)
    }
}
