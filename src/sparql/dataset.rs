//! The door that SPARQL reads through: patterns of nodes to quads of nodes.
//!
//! Owns which graph a pattern reads and what answers in it. Knows no syntax and no plan.

use super::graphs::GraphKind;
use super::node::{Node, Predicate};
use super::scan::{Quads, Scan, Wanted};
use super::view::{DatasetError, RdfView};
use oxrdf::Term as RdfTerm;
use spareval::{InternalQuad, QueryableDataset};

/// A triple in a graph.
pub(super) type Quad = InternalQuad<Node>;
/// What a pattern matches.
pub(super) type QuadIter<'a> = Box<dyn Iterator<Item = Result<Quad, DatasetError>> + 'a>;

impl RdfView {
    /// What matches in one graph, whose quads have this name.
    fn quads_in(
        &self,
        graph: u32,
        subject: Option<&Node>,
        predicate: Option<&Node>,
        object: Option<&Node>,
        name: Option<Node>,
    ) -> QuadIter<'_> {
        let Some(read) = self.graphs.get(graph) else { return Box::new(std::iter::empty()) };
        let Some(asked) = predicate else {
            if read.kind == GraphKind::Meta {
                return self.all_derived(graph, subject, object, name);
            }
            return self.facts(graph, subject, None, object, name);
        };
        let Predicate { relation, word } = self.predicate(asked);
        let derived = word.map(|word| self.derived(graph, word, asked.clone(), subject, object, name.clone()));
        let is_stored = relation.is_some() && read.kind != GraphKind::Meta;
        match (is_stored, derived) {
            (false, derived) => derived.unwrap_or_else(|| Box::new(std::iter::empty())),
            (true, None) => self.facts(graph, subject, relation.zip(Some(asked.clone())), object, name),
            (true, Some(derived)) => Box::new(self.facts(graph, subject, relation.zip(Some(asked.clone())), object, name).chain(derived)),
        }
    }

    /// The facts that match, as triples.
    fn facts(
        &self,
        graph: u32,
        subject: Option<&Node>,
        relation: Option<((crate::graph::RelationId, bool), Node)>,
        object: Option<&Node>,
        name: Option<Node>,
    ) -> QuadIter<'_> {
        let Some(read) = self.graphs.get(graph) else { return Box::new(std::iter::empty()) };
        let inverted = relation.as_ref().is_some_and(|((_, inverted), _)| *inverted);
        let (head, tail) = if inverted { (object, subject) } else { (subject, object) };
        // What is no term of the snapshot is in no fact.
        let known = |node: Option<&Node>| node.map_or(Some(None), |node| node.id().map(|id| Some(read.view.entity_of(id))));
        let (Some(head), Some(tail)) = (known(head), known(tail)) else { return Box::new(std::iter::empty()) };
        let predicate = relation.as_ref().map(|(_, node)| node.clone());
        let wanted = Wanted { head, relation: relation.map(|((relation, _), _)| relation), tail };
        Box::new(Quads::new(Scan::triples(self, &read.view, wanted), predicate, name, inverted).asked(subject, object))
    }

    /// The graphs that an unbound name ranges over: those of imported RDF, with their nodes.
    fn named(&self) -> impl Iterator<Item = Result<(u32, Node), DatasetError>> {
        self.contexts().iter().filter_map(|iri| {
            let node = match self.context_node(iri) {
                Ok(node) => node,
                Err(error) => return Some(Err(error)),
            };
            self.graph(&node).map(|graph| graph.map(|graph| (graph, node))).transpose()
        })
    }
}

impl<'a> QueryableDataset<'a> for &'a RdfView {
    type InternalTerm = Node;
    type Error = DatasetError;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Node>,
        predicate: Option<&Node>,
        object: Option<&Node>,
        graph_name: Option<Option<&Node>>,
    ) -> impl Iterator<Item = Result<Quad, DatasetError>> + use<'a> {
        let rdf: &'a RdfView = self;
        let quads: QuadIter<'a> = match graph_name {
            Some(None) => rdf.quads_in(0, subject, predicate, object, None),
            Some(Some(name)) => match rdf.graph(name) {
                Ok(Some(graph)) => rdf.quads_in(graph, subject, predicate, object, Some(name.clone())),
                Ok(None) => Box::new(std::iter::empty()),
                Err(error) => Box::new(std::iter::once(Err(error))),
            },
            None => {
                let (subject, predicate, object) = (subject.cloned(), predicate.cloned(), object.cloned());
                Box::new(rdf.named().flat_map(move |named| match named {
                    Ok((graph, name)) => rdf.quads_in(graph, subject.as_ref(), predicate.as_ref(), object.as_ref(), Some(name)),
                    Err(error) => Box::new(std::iter::once(Err(error))) as QuadIter<'a>,
                }))
            }
        };
        quads
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<Node, DatasetError>> + use<'a> {
        let rdf: &'a RdfView = self;
        rdf.named().map(|named| named.map(|(_, node)| node))
    }

    fn contains_internal_graph_name(&self, graph_name: &Node) -> Result<bool, DatasetError> {
        self.graph(graph_name).map(|graph| graph.is_some())
    }

    fn internalize_term(&self, term: RdfTerm) -> Result<Node, DatasetError> {
        self.intern(term)
    }

    fn externalize_term(&self, term: Node) -> Result<RdfTerm, DatasetError> {
        Ok(self.extern_node(&term))
    }
}
