//! SPARQL over time: a view of the memory as RDF, read at any point of both times.
//!
//! Owns how the memory is written in RDF, and how a query is read, bounded, planned and answered. Knows nothing of retrieval, of how a
//! memory is opened or of what time it is; a query is evaluated on the projection's own indexes, without a copy.

mod dataset;
mod graphs;
mod meta;
mod node;
mod scan;
pub mod terms;
mod view;
mod words;

pub use graphs::{AS_OF, HISTORY, META, Position};
pub use node::Node;
pub use view::{DatasetError, RdfView};
