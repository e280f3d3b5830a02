//! SPARQL over time: a view of the memory as RDF, read at any point of both times.
//!
//! Owns how the memory is written in RDF, and how a query is read, bounded, planned and answered. Knows nothing of retrieval, of how a
//! memory is opened or of what time it is; a query is evaluated on the projection's own indexes, without a copy.

mod bounds;
mod counts;
mod dataset;
mod error;
mod facts;
mod functions;
mod graphs;
mod history;
mod import;
pub mod library;
mod meta;
mod meter;
mod node;
mod order;
mod quads;
mod query;
mod results;
mod rewrite;
mod scan;
mod search;
#[cfg(feature = "oxigraph")]
mod store;
pub mod terms;
mod update;
mod view;
mod words;
mod write;

pub use bounds::{STACK_BYTES, TextLimits};
pub use error::SparqlError;
pub use facts::write_facts;
pub use graphs::{AS_OF, HISTORY, META, Position};
pub use history::{HistoryError, HistoryReader, HistoryWriter};
pub use import::{Annotations, Plain, RdfClaims, RdfOptions};
pub use node::Node;
pub use order::Step;
pub use quads::{QuadReader, RdfLimits, RdfReadError, ReadQuad};
pub use query::{PREFIXES, Plan, Query, QueryKind, QueryOptions};
pub use results::{Answer, Rows, Triples};
pub use search::{SEARCH, SearchHit, SearchService};
pub use update::{Changes, Update, UpdateOptions};
pub use view::{DatasetError, RdfView};
