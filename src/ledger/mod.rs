//! The ledger: durable records of what came in and what was decided about it, per tenant.
//!
//! Owns the record types, the [`Ledger`] trait and the tenant folder; `sqlite` is the embedded implementation.
//! Knows nothing of timelines: it stores what was said and never what follows from it.

mod contract;
mod export;
mod folder;
mod key;
mod record;
mod sqlite;

pub use contract::{ClaimEnd, Doomed, Holdings, Ledger, Note, Position, Removed, SliceKey};
pub use export::{EXPORT_FORMAT, ExportError, ExportLine};
pub use folder::{TenantFolder, file_name, tenant_name};
pub use record::{Commit, LedgerError, Record, RecordRow, Retractable, Seq, StoredObservation, StoredRecord, Words};
pub use sqlite::{SqliteLedger, SqliteOptions, WritePoint};
