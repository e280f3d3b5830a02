//! Facts as triples: which of them match a pattern in one graph, each triple once.
//!
//! Owns the choice of where to start and the two directions of symmetric relations. Knows nothing of what is derived about facts.

use super::dataset::Quad;
use super::node::Node;
use super::view::{DatasetError, RdfView};
use crate::graph::{Edge, Edges, RelationId, TermId, Terms, View};
use crate::model::TermRef;
use crate::time::{Certainty, KnownAt};
use rustc_hash::FxHashMap;

/// Terms with at most so many facts are read whole rather than asked from the other end.
const FEW: usize = 32;

/// A pattern over facts; what is `None` may be anything.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    pub(super) head: Option<TermId>,
    pub(super) relation: Option<RelationId>,
    pub(super) tail: Option<TermId>,
}

/// A fact as a triple: its head and tail as they are shown, which for a symmetric relation may be turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) head: TermId,
    pub(super) relation: RelationId,
    pub(super) tail: TermId,
    pub(super) fact: u32,
}

/// The facts that match a pattern, in the order of the terms they are read from.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    rdf: &'a RdfView,
    view: &'a View,
    relation: Option<RelationId>,
    /// Whether the terms read are heads.
    from_heads: bool,
    /// The term that the other end has to be.
    other: Option<TermId>,
    /// The terms still to be read.
    terms: Option<Terms>,
    list: Option<List<'a>>,
    /// Whether each triple comes once, whatever facts say it; else each fact does.
    as_triples: bool,
    /// Whether it has failed: what is read whole before it is looked at would else be read to its end.
    failed: bool,
}

/// The facts of one term.
#[derive(Debug)]
struct List<'a> {
    term: TermId,
    edges: Edges<'a>,
    /// The other direction of a symmetric relation.
    turned: Option<Edges<'a>>,
    in_turned: bool,
    /// For each triple that several facts may say, the first of them.
    firsts: Option<FxHashMap<(u32, u32), u32>>,
}

impl<'a> Scan<'a> {
    /// The triples that match, each once.
    pub(super) fn triples(rdf: &'a RdfView, view: &'a View, wanted: Wanted) -> Self {
        Self::new(rdf, view, wanted, true)
    }

    /// The facts that match, each once as it is stored or turned as the pattern asks.
    pub(super) fn facts(rdf: &'a RdfView, view: &'a View, wanted: Wanted) -> Self {
        Self::new(rdf, view, wanted, false)
    }

    fn new(rdf: &'a RdfView, view: &'a View, wanted: Wanted, as_triples: bool) -> Self {
        let relation = wanted.relation;
        let (from, from_heads, other) = match (wanted.head, wanted.tail) {
            (Some(head), Some(tail)) => {
                let from_tail = view.degree(head) > FEW && view.degree(tail) < view.degree(head);
                if from_tail { (Some(tail), false, Some(head)) } else { (Some(head), true, Some(tail)) }
            }
            (Some(head), None) => (Some(head), true, None),
            (None, Some(tail)) => (Some(tail), false, None),
            (None, None) => (None, true, None),
        };
        let mut scan = Self { rdf, view, relation, from_heads, other, terms: None, list: None, as_triples, failed: false };
        match from {
            Some(term) if from_heads && scan.is_literal(term) => {}
            Some(term) => scan.list = Some(scan.list(term)),
            None => scan.terms = Some(view.terms()),
        }
        scan
    }

    fn list(&self, term: TermId) -> List<'a> {
        let view = self.view;
        let (edges, turned) = match self.relation {
            Some(relation) => {
                let turned = view.goes_both_ways(relation).then(|| view.edges_of(term, relation, !self.from_heads));
                (view.edges_of(term, relation, self.from_heads), turned)
            }
            None => (view.edges(term), None),
        };
        List { term, edges, turned, in_turned: false, firsts: None }
    }

    /// The next fact of the list that matches.
    fn step(&self, list: &mut List<'a>) -> Result<Option<Edge>, DatasetError> {
        loop {
            let next = if list.in_turned { list.turned.as_mut().and_then(Iterator::next) } else { list.edges.next() };
            let Some(edge) = next else {
                if list.in_turned || list.turned.is_none() {
                    return Ok(None);
                }
                list.in_turned = true;
                continue;
            };
            self.rdf.count(1)?;
            if self.matches(list.term, edge) {
                return Ok(Some(edge));
            }
        }
    }

    fn matches(&self, term: TermId, edge: Edge) -> bool {
        let fits = self.other.is_none_or(|other| other == edge.other) && (edge.certainty == Certainty::Certain || !self.rdf.certain_only);
        if !fits || edge.outgoing == self.from_heads && (self.from_heads || !self.as_triples) {
            return fits;
        }
        let is_symmetric = self.view.goes_both_ways(edge.relation);
        // A symmetric relation is kept with the lesser term as its head, which may be a literal: that is the object of its triple.
        let is_told = !is_symmetric || !self.is_literal(if self.from_heads { term } else { edge.other });
        if edge.outgoing == self.from_heads {
            return is_told;
        }
        // The other direction; a fact of a term with itself has been met.
        is_symmetric && is_told && (self.relation.is_some() || self.as_triples) && edge.other != term
    }

    fn is_literal(&self, term: TermId) -> bool {
        matches!(self.view.shown(term), Some(TermRef::Literal { .. }))
    }

    /// Whether an edge is the first of its list to say its triple. Certain facts never say the same at one time, so that nothing is
    /// kept until one comes that is only possible.
    fn is_first(&self, list: &mut List<'a>, edge: Edge) -> Result<bool, DatasetError> {
        if list.firsts.is_none() {
            if edge.certainty == Certainty::Certain {
                return Ok(true);
            }
            let (mut again, mut firsts) = (self.list(list.term), FxHashMap::default());
            while let Some(edge) = self.step(&mut again)? {
                firsts.entry((edge.relation.0, edge.other.0)).or_insert(edge.fact);
            }
            list.firsts = Some(firsts);
        }
        let first = list.firsts.as_ref().and_then(|firsts| firsts.get(&(edge.relation.0, edge.other.0)));
        Ok(first.is_none_or(|first| *first == edge.fact))
    }

    /// The next fact that matches; nothing after an error.
    fn next_match(&mut self) -> Result<Option<Match>, DatasetError> {
        if self.failed {
            return Ok(None);
        }
        self.find_match().inspect_err(|_| self.failed = true)
    }

    fn find_match(&mut self) -> Result<Option<Match>, DatasetError> {
        loop {
            let Some(mut list) = self.list.take() else {
                let Some(term) = self.terms.as_mut().and_then(Iterator::next) else { return Ok(None) };
                let has_facts = self.view.degree(term) > 0 || self.view.as_of().known_at != KnownAt::Latest;
                if has_facts && !(self.as_triples && self.is_literal(term)) {
                    self.list = Some(self.list(term));
                }
                continue;
            };
            while let Some(edge) = self.step(&mut list)? {
                if self.as_triples && !self.is_first(&mut list, edge)? {
                    continue;
                }
                let (head, tail) = if self.from_heads { (list.term, edge.other) } else { (edge.other, list.term) };
                self.list = Some(list);
                return Ok(Some(Match { head, relation: edge.relation, tail, fact: edge.fact }));
            }
        }
    }
}

impl Iterator for Scan<'_> {
    type Item = Result<Match, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_match().transpose()
    }
}

/// The quads of triples that match.
#[derive(Debug)]
pub(super) struct Quads<'a> {
    scan: Scan<'a>,
    predicate: Option<Node>,
    graph: Option<Node>,
    /// Whether the pattern's relation is asked for from its tail.
    inverted: bool,
    /// The subject and object asked for, where they are known under other numbers in the graph that is read.
    asked: (Option<Node>, Option<Node>),
}

impl<'a> Quads<'a> {
    pub(super) fn new(scan: Scan<'a>, predicate: Option<Node>, graph: Option<Node>, inverted: bool) -> Self {
        Self { scan, predicate, graph, inverted, asked: (None, None) }
    }

    /// The same quads with the subject and object as they were asked for.
    pub(super) fn asked(self, subject: Option<&Node>, object: Option<&Node>) -> Self {
        Self { asked: (subject.cloned(), object.cloned()), ..self }
    }
}

impl Iterator for Quads<'_> {
    type Item = Result<Quad, DatasetError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let found = match self.scan.next_match() {
            Ok(found) => found?,
            Err(error) => return Some(Err(error)),
        };
        let (head, tail) = if self.inverted { (found.tail, found.head) } else { (found.head, found.tail) };
        Some(Ok(Quad {
            subject: self.asked.0.clone().unwrap_or(Node::term(head)),
            predicate: self.predicate.clone().unwrap_or_else(|| self.scan.rdf.relation_node(found.relation)),
            object: self.asked.1.clone().unwrap_or(Node::term(tail)),
            graph_name: self.graph.clone(),
        }))
    }
}
