//! The ledger: durable records of what came in and what was decided about it, per tenant.
//!
//! Owns the record types, the [`Ledger`] trait and the tenant folder; `sqlite` is the embedded implementation.
//! Knows nothing of timelines: it stores what was said and never what follows from it.

mod contract;
mod export;
mod folder;
mod key;
mod merges;
mod record;
mod sqlite;

pub use contract::{ClaimEnd, Doomed, Holdings, Ledger, Note, Position, Removed, SliceKey};
pub use export::{EXPORT_FORMAT, ExportError, ExportLine};
pub use folder::{TenantFolder, file_name, tenant_name};
pub use merges::{MergeError, Unfit, Unions};
pub use record::{
    Commit, ExtractionStatus, LedgerError, Merge, PendingObservation, Record, RecordRow, Retractable, Seq, StoredExtraction,
    StoredObservation, StoredRecord, Words,
};
pub use sqlite::{SqliteLedger, SqliteOptions, WritePoint};
