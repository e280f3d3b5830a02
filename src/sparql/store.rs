//! The facts at a point of both times handed to Oxigraph's own store. Knows no query.

use super::error::SparqlError;
use super::scan::{Match, Scan, Wanted};
use super::terms;
use super::view::RdfView;
use super::write::node;
use crate::graph::View;
use oxigraph::store::Store;
use oxrdf::{GraphName, NamedOrBlankNode, Quad};

impl View {
    /// An Oxigraph store in memory with the facts of this view: a copy, which later writes do not touch.
    ///
    /// Its default graph holds the triples that `?s ?p ?o` finds on the view, the certain facts and the possible ones; each context of
    /// imported RDF is a named graph. It knows no time: names, types, reifiers, other positions and the functions over time are the view's
    /// alone ([`RdfView`]).
    ///
    /// # Errors
    /// [`SparqlError::Dataset`]; [`SparqlError::Store`] of what the store says.
    ///
    /// # Complexity
    /// Linear in the facts, at some 300 bytes for each.
    ///
    /// ```
    /// use erstwhile::graph::Projection;
    /// use erstwhile::policy::Policies;
    /// use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
    ///
    /// # let projection = Projection::new(std::sync::Arc::new(Policies::shipped()));
    /// let then = AsOf { valid_at: parse_moment("2019", &Zone::UTC)?, known_at: KnownAt::Latest };
    /// let store = projection.snapshot().at(then).to_store()?;
    /// assert!(store.is_empty()?, "nothing was remembered");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_store(&self) -> Result<Store, SparqlError> {
        let store = Store::new().map_err(SparqlError::Store)?;
        fill(&store, &RdfView::new(self.clone()), &GraphName::DefaultGraph)?;
        for context in self.snapshot().contexts() {
            let there = RdfView::new(self.clone().in_context(Some(&context)));
            fill(&store, &there, &GraphName::NamedNode(node(context)))?;
        }
        Ok(store)
    }
}

/// Puts the triples of one graph in.
fn fill(store: &Store, rdf: &RdfView, graph: &GraphName) -> Result<(), SparqlError> {
    let view = rdf.base();
    let triples = Scan::triples(rdf, view, Wanted::default()).collect::<Result<Vec<Match>, _>>().map_err(SparqlError::Dataset)?;
    let quads = triples.iter().filter_map(|found| {
        let subject = NamedOrBlankNode::try_from(rdf.extern_term(found.head)).ok()?;
        let predicate = node(terms::relation_iri(view.relation(found.relation)?));
        Some(Quad::new(subject, predicate, rdf.extern_term(found.tail), graph.clone()))
    });
    let mut loader = store.bulk_loader();
    loader.load_quads(quads).map_err(SparqlError::Store)?;
    loader.commit().map_err(SparqlError::Store)
}
