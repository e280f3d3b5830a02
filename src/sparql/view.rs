//! A view as an RDF dataset: what a query reads, and what it has come to know while it runs.
//!
//! Owns the state of one query: opened graphs, interned wordings, how much was read. Knows no syntax.

use super::graphs::{Graph, GraphKind, Graphs};
use super::node::{Node, Predicate};
use super::words::Word;
use crate::graph::{RelationId, View};
use crate::model::Fact;
use crate::time::TimeError;
use oxrdf::Term as RdfTerm;
use rustc_hash::FxHashMap;
use spareval::CancellationToken;
use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

/// The most bytes of a text that a query may make.
pub(super) const MAX_TEXT: usize = 1 << 20;

/// So many bytes of a text that a query makes count as a fact that it reads.
const BYTES_OF_A_FACT: u64 = 64;

/// The node of a relation, and the word with the same IRI.
pub(super) type RelationRow = (Node, Option<Word>);
/// A fact with its graph and its number.
pub(super) type LastFact = ((u32, u32), Rc<Fact>);

/// A [`View`] as an RDF dataset at one point of both times: `&RdfView` is what SPARQL is evaluated on.
///
/// Its default graph holds the facts that are certain or possible at the view's as-of, as triples. `GRAPH <asof:…>`, `<history:>` and
/// `<meta:>` read elsewhere, and each context of imported RDF is a named graph; docs/RDF.md tells all of it. It is made for one query:
/// it remembers what that query has named. `Send`, not `Sync`.
#[derive(Debug)]
pub struct RdfView {
    pub(super) graphs: Graphs,
    /// The default graph's view.
    base: View,
    /// Whether facts that are only possible are left out.
    pub(super) certain_only: bool,
    contexts: OnceCell<Vec<String>>,
    /// The wordings that mean a relation from its tail.
    pub(super) wordings: RefCell<Vec<(String, RelationId)>>,
    /// The node of each relation and the word with the same IRI, as far as they were asked for.
    pub(super) relations: RefCell<Vec<Option<RelationRow>>>,
    /// What terms mean as predicates, as far as they were asked for.
    pub(super) predicates: RefCell<FxHashMap<u32, Predicate>>,
    /// The fact that was asked about last, by graph and number: a query asks several things of one.
    pub(super) last_fact: RefCell<Option<LastFact>>,
    read: Cell<u64>,
    max_read: Cell<u64>,
    /// Whether the query is to stop.
    stop: Stop,
}

/// The token of the query that runs.
#[derive(Default)]
struct Stop(RefCell<CancellationToken>);

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.0.borrow().is_cancelled()).finish()
    }
}

/// What the dataset refuses to a query that runs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// It has read more facts than it may.
    #[error("the query has read more than {0} facts")]
    TooMuchRead(u64),
    /// It makes a text longer than a megabyte.
    #[error("the query makes a text of {0} bytes, more than {MAX_TEXT}")]
    TextTooLong(usize),
    /// It is to stop.
    #[error("the query was stopped before it was answered")]
    Stopped,
    /// It names too many graphs.
    #[error("the query names too many graphs")]
    TooManyGraphs,
    /// It names a reading position that is none.
    #[error("<{iri}> is no reading position: {error}")]
    Position {
        /// The IRI.
        iri: String,
        /// What is wrong with it.
        error: TimeError,
    },
}

impl RdfView {
    /// The view's facts as RDF.
    #[must_use]
    pub fn new(view: View) -> Self {
        let graphs = Graphs::default();
        // The first graph always has room.
        let _default = graphs.add(Graph { kind: GraphKind::Default, view: view.clone(), iri: String::new() });
        Self {
            graphs,
            base: view,
            certain_only: false,
            contexts: OnceCell::new(),
            wordings: RefCell::default(),
            relations: RefCell::default(),
            predicates: RefCell::default(),
            last_fact: RefCell::default(),
            read: Cell::new(0),
            max_read: Cell::new(u64::MAX),
            stop: Stop::default(),
        }
    }

    /// Leaves out the facts that are possible and not certain at their as-of, in every graph.
    #[must_use]
    pub fn certain_only(mut self, certain_only: bool) -> Self {
        self.certain_only = certain_only;
        self
    }

    /// The view of its default graph.
    #[must_use]
    pub fn base(&self) -> &View {
        &self.base
    }

    /// How many facts queries have read so far, those that were read and not wanted included.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read.get()
    }

    /// The named graphs of imported RDF, by IRI, sorted.
    pub(super) fn contexts(&self) -> &[String] {
        self.contexts.get_or_init(|| self.base.snapshot().contexts())
    }

    /// Bounds the query that runs from now on.
    pub(super) fn limit_reading(&self, facts: u64, cancel: &CancellationToken) {
        self.max_read.set(self.read.get().saturating_add(facts));
        self.stop.0.replace(cancel.clone());
    }

    /// Counts facts read, or what is as much work. Once it is too much, or the query is to stop, it stays so.
    #[inline]
    pub(super) fn count(&self, facts: u64) -> Result<(), DatasetError> {
        let read = self.read.get() + facts;
        self.read.set(read);
        if read > self.max_read.get() {
            return Err(DatasetError::TooMuchRead(self.max_read.get()));
        }
        if self.stop.0.borrow().is_cancelled() { Err(DatasetError::Stopped) } else { Ok(()) }
    }

    /// Whether a text is as short as those that a query may make. Long ones count as what else a query keeps does.
    pub(super) fn check_length(&self, term: &RdfTerm) -> Result<(), DatasetError> {
        let bytes = match term {
            RdfTerm::Literal(literal) => literal.value().len(),
            RdfTerm::NamedNode(node) => node.as_str().len(),
            RdfTerm::BlankNode(_) | RdfTerm::Triple(_) => 0,
        };
        if bytes > MAX_TEXT {
            return Err(DatasetError::TextTooLong(bytes));
        }
        self.count(bytes as u64 / BYTES_OF_A_FACT)
    }
}
