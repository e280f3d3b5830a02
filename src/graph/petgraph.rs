//! petgraph's `visit` traits on a [`View`]: its algorithms walk the facts as of an instant without a copy of the graph.
//!
//! Nodes are terms; an edge is a fact that holds, from head to tail. Knows no algorithm.

use super::view::{Edge, Edges, RelationId, TermId, View};
use crate::time::Certainty;
use petgraph::visit::{
    Data, EdgeRef, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoEdgesDirected, IntoNeighbors, IntoNeighborsDirected,
    IntoNodeIdentifiers, NodeCount, NodeIndexable, VisitMap, Visitable,
};
use petgraph::{Directed, Direction};

/// What a fact carries as an edge's weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactWeight {
    /// The relation.
    pub relation: RelationId,
    /// Whether it surely holds.
    pub certainty: Certainty,
    /// Whether it is contested.
    pub contested: bool,
}

/// A fact as petgraph sees it: its id is the fact's number in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactEdge {
    head: TermId,
    tail: TermId,
    fact: u32,
    weight: FactWeight,
}

impl FactEdge {
    fn of(term: TermId, edge: Edge) -> Self {
        let (head, tail) = if edge.outgoing { (term, edge.other) } else { (edge.other, term) };
        let weight = FactWeight { relation: edge.relation, certainty: edge.certainty, contested: edge.contested };
        Self { head, tail, fact: edge.fact, weight }
    }
}

impl EdgeRef for FactEdge {
    type NodeId = TermId;
    type EdgeId = u32;
    type Weight = FactWeight;

    fn source(&self) -> TermId {
        self.head
    }

    fn target(&self) -> TermId {
        self.tail
    }

    fn weight(&self) -> &FactWeight {
        &self.weight
    }

    fn id(&self) -> u32 {
        self.fact
    }
}

/// The facts of one term in one direction, as petgraph sees them.
#[derive(Debug)]
pub struct FactEdges<'a> {
    term: TermId,
    edges: Edges<'a>,
}

impl Iterator for FactEdges<'_> {
    type Item = FactEdge;

    fn next(&mut self) -> Option<FactEdge> {
        self.edges.next().map(|edge| FactEdge::of(self.term, edge))
    }
}

/// The terms at the other ends of a term's facts.
#[derive(Debug)]
pub struct Neighbours<'a>(Edges<'a>);

impl Iterator for Neighbours<'_> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        self.0.next().map(|edge| edge.other)
    }
}

/// All facts that hold, by head.
#[derive(Debug)]
pub struct AllEdges<'a> {
    view: &'a View,
    heads: Terms,
    of_head: Option<FactEdges<'a>>,
}

impl Iterator for AllEdges<'_> {
    type Item = FactEdge;

    fn next(&mut self) -> Option<FactEdge> {
        loop {
            if let Some(edge) = self.of_head.as_mut().and_then(Iterator::next) {
                return Some(edge);
            }
            let head = self.heads.next()?;
            self.of_head = Some(FactEdges { term: head, edges: self.view.edges_directed(head, true) });
        }
    }
}

/// All terms, by number.
#[derive(Clone, Debug)]
pub struct Terms(std::ops::Range<u32>);

impl Terms {
    /// The terms with numbers below one.
    pub(super) fn below(count: u32) -> Self {
        Self(0..count)
    }
}

impl Iterator for Terms {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        self.0.next().map(TermId)
    }
}

/// The terms that an algorithm has visited: one bit each.
#[derive(Clone, Debug, Default)]
pub struct Visited(Vec<u64>);

impl Visited {
    fn bit(term: TermId) -> (usize, u64) {
        (term.0 as usize / 64, 1 << (term.0 % 64))
    }
}

impl VisitMap<TermId> for Visited {
    fn visit(&mut self, term: TermId) -> bool {
        let (word, bit) = Self::bit(term);
        self.0.get_mut(word).is_some_and(|word| {
            let new = *word & bit == 0;
            *word |= bit;
            new
        })
    }

    fn is_visited(&self, term: &TermId) -> bool {
        let (word, bit) = Self::bit(*term);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn unvisit(&mut self, term: TermId) -> bool {
        let (word, bit) = Self::bit(term);
        self.0.get_mut(word).is_some_and(|word| {
            let old = *word & bit != 0;
            *word &= !bit;
            old
        })
    }
}

impl GraphBase for View {
    type NodeId = TermId;
    type EdgeId = u32;
}

impl Data for View {
    type NodeWeight = ();
    type EdgeWeight = FactWeight;
}

impl GraphProp for View {
    type EdgeType = Directed;
}

impl<'a> IntoNeighbors for &'a View {
    type Neighbors = Neighbours<'a>;

    fn neighbors(self, term: TermId) -> Neighbours<'a> {
        Neighbours(self.edges_directed(term, true))
    }
}

impl<'a> IntoNeighborsDirected for &'a View {
    type NeighborsDirected = Neighbours<'a>;

    fn neighbors_directed(self, term: TermId, direction: Direction) -> Neighbours<'a> {
        Neighbours(self.edges_directed(term, direction == Direction::Outgoing))
    }
}

impl<'a> IntoEdgeReferences for &'a View {
    type EdgeRef = FactEdge;
    type EdgeReferences = AllEdges<'a>;

    fn edge_references(self) -> AllEdges<'a> {
        AllEdges { view: self, heads: self.node_identifiers(), of_head: None }
    }
}

impl<'a> IntoEdges for &'a View {
    type Edges = FactEdges<'a>;

    fn edges(self, term: TermId) -> FactEdges<'a> {
        FactEdges { term, edges: self.edges_directed(term, true) }
    }
}

impl<'a> IntoEdgesDirected for &'a View {
    type EdgesDirected = FactEdges<'a>;

    fn edges_directed(self, term: TermId, direction: Direction) -> FactEdges<'a> {
        FactEdges { term, edges: View::edges_directed(self, term, direction == Direction::Outgoing) }
    }
}

impl IntoNodeIdentifiers for &View {
    type NodeIdentifiers = Terms;

    fn node_identifiers(self) -> Terms {
        Terms(0..self.state.published.terms)
    }
}

impl NodeIndexable for View {
    fn node_bound(&self) -> usize {
        self.state.published.terms as usize
    }

    fn to_index(&self, term: TermId) -> usize {
        term.0 as usize
    }

    fn from_index(&self, index: usize) -> TermId {
        TermId(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

impl NodeCount for View {
    fn node_count(&self) -> usize {
        self.node_bound()
    }
}

impl Visitable for View {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited(vec![0; self.node_bound().div_ceil(64)])
    }

    fn reset_map(&self, map: &mut Visited) {
        *map = self.visit_map();
    }
}
