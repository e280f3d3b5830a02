//! The ledger: durable records of what came in and what was decided about it, per tenant.
//!
//! Owns the record types, the [`Ledger`] trait and the tenant folder; `sqlite` is the embedded implementation.
//! Knows nothing of timelines: it stores what was said and never what follows from it.

mod record;

pub use record::{Commit, LedgerError, Record, RecordRow, Retractable, Seq, StoredObservation};
