//! The projection: everything derived from a tenant's ledger, in memory, and the views that read it at a point of both times.
//!
//! Owns interned terms, claims in columns, slots and adjacency sorted by time. Knows nothing of SPARQL, files or clocks.

mod view;
mod writer;

pub use view::{
    About, Answer, Diff, Edge, Explanation, Held, Hops, Neighbour, Neighbourhood, ReadError, RelationId, Snapshot, TermId, View,
};
pub use writer::{Applied, Projection};
