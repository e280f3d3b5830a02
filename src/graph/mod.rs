//! The projection: everything derived from a tenant's ledger, in memory, and the views that read it at a point of both times.
//!
//! Owns interned terms, claims in columns, slots and adjacency sorted by time. Knows nothing of SPARQL, files or clocks.

mod adjacency;
mod belief;
mod chronicle;
mod claims;
mod dump;
mod explain;
mod history;
mod index;
mod intake;
mod judge;
mod lookup;
mod merged;
mod petgraph;
mod pvec;
mod read;
mod record;
mod relations;
mod settle;
mod slots;
mod state;
mod terms;
mod told;
mod view;
mod walk;
mod writer;

pub use petgraph::{AllEdges, FactEdge, FactEdges, FactWeight, Neighbours, Terms, Visited};
pub use told::Said;
pub use view::{
    About, Answer, Counts, Denial, Diff, Edge, Edges, Explanation, Held, Hops, Neighbour, Neighbourhood, ReadError, RelationId, Snapshot,
    TermId, View,
};
pub use walk::Walk;
pub use writer::{Applied, Projection};
