//! A memory: a folder of tenants, the clock they are written by, and the budget their projections share.
//!
//! Owns which tenants are held in memory. Knows nothing of what is in them.

use super::shared::Shared;
use super::{Clock, Error, SystemClock, Tenant, TenantId};
use crate::extract::{Extractor, Rules};
use crate::ledger::{Holdings, SqliteOptions, TenantFolder};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How a memory is opened.
#[derive(Clone)]
pub struct MemoryOptions {
    /// Where transaction time comes from.
    pub clock: Arc<dyn Clock>,
    /// What reads prose for claims; ready claims need none.
    pub extractor: Arc<dyn Extractor>,
    /// Projections of tenants that are not in use are dropped, least recently used first, above this many bytes.
    pub memory_budget_bytes: u64,
}

impl Default for MemoryOptions {
    /// The machine's clock, extraction by rules, and 2 GiB.
    fn default() -> Self {
        Self { clock: Arc::new(SystemClock), extractor: Arc::new(Rules::default()), memory_budget_bytes: 2 << 30 }
    }
}

impl std::fmt::Debug for MemoryOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryOptions").field("memory_budget_bytes", &self.memory_budget_bytes).finish_non_exhaustive()
    }
}

/// A folder of tenants. A clone is another handle on the same memory.
///
/// Several handles, in one process or in several, may work on one folder at once: writes wait for each other on the tenant's
/// ledger, and every read and write first catches up with what others have written.
///
/// ```
/// use erstwhile::{Memory, TenantId};
///
/// let folder = tempfile::tempdir()?;
/// let memory = Memory::open(folder.path())?;
/// let tenant = memory.tenant(&TenantId::new("ana")?);
///
/// // A tenant is created by its first write; until then, reading it is an error, never an empty answer.
/// assert!(tenant.at(tenant.now()).is_err());
/// assert!(memory.tenants()?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Memory {
    state: Arc<MemoryState>,
}

/// What the handles of one memory share.
pub(super) struct MemoryState {
    files: Arc<TenantFolder>,
    options: MemoryOptions,
    tenants: Mutex<BTreeMap<TenantId, Arc<Shared>>>,
    /// Counts uses of tenants, so that the least recently used one can be told.
    uses: AtomicU64,
}

impl std::fmt::Debug for MemoryState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryState").field("files", &self.files).field("options", &self.options).finish_non_exhaustive()
    }
}

impl Memory {
    /// Opens the folder at `path` with the machine's clock; creates it on the first write.
    ///
    /// # Errors
    /// [`Error::Ledger`] if the folder cannot be used.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, MemoryOptions::default())
    }

    /// Opens with options.
    ///
    /// # Errors
    /// As [`Memory::open`].
    pub fn open_with(path: impl AsRef<Path>, options: MemoryOptions) -> Result<Self, Error> {
        Ok(Self::over(TenantFolder::new(path, SqliteOptions::default()), options))
    }

    /// Opens over a folder of tenants that is opened in some other way: with another limit to waiting, or for reading only.
    #[must_use]
    pub fn over(files: TenantFolder, options: MemoryOptions) -> Self {
        Self { state: Arc::new(MemoryState { files: Arc::new(files), options, tenants: Mutex::default(), uses: AtomicU64::new(0) }) }
    }

    /// The tenant, created by its first write. Reading one that does not exist is an error.
    #[must_use]
    pub fn tenant(&self, id: &TenantId) -> Tenant {
        let mut tenants = self.state.lock_tenants();
        let shared = tenants
            .entry(id.clone())
            .or_insert_with(|| Arc::new(Shared::new(id.clone(), Arc::clone(&self.state.files), Arc::clone(&self.state.options.clock))));
        Tenant::new(Arc::clone(&self.state), Arc::clone(shared))
    }

    /// The tenants that exist, in name order.
    ///
    /// # Errors
    /// [`Error::Ledger`] if the folder cannot be read.
    pub fn tenants(&self) -> Result<Vec<TenantId>, Error> {
        self.state.files.tenants()?.iter().map(|name| TenantId::new(name)).collect()
    }

    /// Removes a tenant and every file of it, whatever is in them. Handles on it find it unknown from then on, until something is written
    /// again. Returns what it held when it was closed for good, or `None` where that cannot be told: the file is damaged, or of a
    /// newer format.
    ///
    /// # Errors
    /// [`UnknownTenant`](crate::ledger::LedgerError::UnknownTenant); [`NotAPlainFile`](crate::ledger::LedgerError::NotAPlainFile) where a
    /// file of it would live on under another name; or what the system said.
    pub fn erase_tenant(&self, id: &TenantId) -> Result<Option<Holdings>, Error> {
        let shared = self.state.lock_tenants().get(id).map(Arc::clone);
        match shared {
            Some(shared) => shared.erase_files(),
            None => Ok(self.state.files.remove(id.as_str())?),
        }
    }
}

impl MemoryState {
    fn lock_tenants(&self) -> MutexGuard<'_, BTreeMap<TenantId, Arc<Shared>>> {
        // The map is only ever added to, so that a panic elsewhere cannot have left it half changed.
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a use of the tenant.
    /// What reads prose.
    pub(super) fn extractor(&self) -> Arc<dyn Extractor> {
        Arc::clone(&self.options.extractor)
    }

    pub(super) fn note_use(&self, used: &Shared) {
        used.touch(self.uses.fetch_add(1, Ordering::Relaxed));
    }

    /// Drops projections of other tenants, least recently used first, until all fit the budget.
    pub(super) fn make_room(&self, used: &Shared) {
        let tenants = self.lock_tenants();
        let mut total: u64 = tenants.values().map(|tenant| tenant.bytes_in_memory()).sum();
        if total <= self.options.memory_budget_bytes {
            return;
        }
        let mut others: Vec<&Arc<Shared>> = tenants.values().filter(|tenant| !std::ptr::eq(Arc::as_ptr(tenant), used)).collect();
        others.sort_by_key(|tenant| tenant.last_used());
        for tenant in others {
            if total <= self.options.memory_budget_bytes {
                return;
            }
            total = total.saturating_sub(tenant.drop_projection());
        }
    }
}
