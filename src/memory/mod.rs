//! The facade: the only place that orders the steps (observe, extract, resolve, judge, record, derive) and owns the clock.
//!
//! Knows no terminal, no HTTP and no MCP.

mod asking;
mod bulk;
mod clock;
mod cold;
mod content;
mod ends;
mod engine;
mod entities;
mod error;
mod folder;
mod intake;
mod mentions;
mod names;
mod news;
#[cfg(feature = "sparql")]
mod rdf;
mod recall;
mod records;
mod reprocess;
mod results;
mod rows;
mod rulebook;
mod shared;
mod tenant;
mod transfer;
mod verify;
mod words;

pub use bulk::BulkOptions;
pub use clock::{Clock, ManualClock, SystemClock};
pub use entities::{Doubt, Likely, Proposal};
pub use error::{Error, ErrorKind};
pub use folder::{Memory, MemoryOptions};
pub use intake::Handling;
pub use names::TenantId;
#[cfg(feature = "sparql")]
pub use rdf::{UpdateRequest, Updated};
pub use results::{Beliefs, EraseTarget, Erased, Named, Progress, Receipt, Stats, Told, Verification, Why, WhySource};
pub use tenant::Tenant;
