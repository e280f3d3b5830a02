//! The facade: the only place that orders the steps (observe, extract, resolve, judge, record, derive) and owns the clock.
//!
//! Knows no terminal, no HTTP and no MCP.

mod clock;
mod error;
mod tenant;

pub use clock::{Clock, ManualClock, SystemClock};
pub use error::{Error, ErrorKind};
pub use tenant::{EraseTarget, Erased, Memory, MemoryOptions, Receipt, Stats, Tenant, TenantId, Verification, Why, WhySource};
