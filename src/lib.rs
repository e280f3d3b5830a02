//! Erstwhile: a temporal knowledge-graph memory for AI agents.

pub mod eval;
pub mod extract;
pub mod graph;
pub mod ledger;
pub mod memory;
pub mod model;
pub mod observe;
pub mod policy;
pub mod resolve;
pub mod surface;
pub mod time;
pub mod timeline;
