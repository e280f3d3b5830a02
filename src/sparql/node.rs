//! The terms of a running query: a number for what the snapshot knows, so that comparing two of them is comparing two numbers.
//!
//! Owns which RDF term has which node, one for each. Knows no triple.

use super::graphs::{Graph, GraphKind, HISTORY, META, Position};
use super::meter::ROW;
use super::terms::{self, ENTITY};
use super::view::{DatasetError, RdfView};
use super::words::Word;
use crate::graph::{RelationId, TermId};
use crate::model::{Term, TermRef};
use crate::time::AsOf;
use oxrdf::{NamedNode, NamedOrBlankNode, Term as RdfTerm, Triple};
use std::sync::Arc;

/// An RDF term as a running query has it. Equal nodes are the same term; an entity's names, and a relation's aliases, are one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node(pub(super) Inner);

/// See [`Node`]. An IRI that may be several of these is the first one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Inner {
    /// A term of the snapshot.
    Term(u32),
    /// A relation that is no term.
    Relation(u32),
    /// A wording that means a relation from tail to head; the place in the query's list.
    Wording(u32),
    /// A word that is answered from what is derived.
    Word(Word),
    /// The IRI of a graph that is no term.
    Graph(u32),
    /// The reifier of a fact.
    Fact(u32),
    /// The triple of a head, a relation and a tail.
    Quoted(u32, u32, u32),
    /// Anything that the snapshot does not know.
    Other(Arc<RdfTerm>),
}

/// What a node means as a predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Predicate {
    /// The relation, and whether it is asked for from its tail.
    pub(super) relation: Option<(RelationId, bool)>,
    /// What is answered from what is derived.
    pub(super) word: Option<Word>,
}

impl Node {
    pub(super) fn term(id: TermId) -> Self {
        Self(Inner::Term(id.0))
    }

    pub(super) fn fact(number: u32) -> Self {
        Self(Inner::Fact(number))
    }

    /// The term of the snapshot that it is.
    pub(super) fn id(&self) -> Option<TermId> {
        if let Inner::Term(id) = self.0 { Some(TermId(id)) } else { None }
    }

    fn other(term: RdfTerm) -> Self {
        Self(Inner::Other(Arc::new(term)))
    }
}

impl RdfView {
    /// The node of an RDF term.
    pub(super) fn intern(&self, term: RdfTerm) -> Result<Node, DatasetError> {
        match &term {
            RdfTerm::NamedNode(iri) if iri.as_str() == ROW => {
                self.count(1)?;
                Ok(Node(Inner::Word(Word::Type)))
            }
            RdfTerm::NamedNode(iri) => {
                self.check_length(&term)?;
                let node = self.intern_iri(iri.as_str())?;
                Ok(node.unwrap_or_else(|| Node::other(term)))
            }
            RdfTerm::BlankNode(_) | RdfTerm::Literal(_) => {
                self.check_length(&term)?;
                let kept = terms::from_rdf(&term);
                let id = kept.and_then(|kept| self.base().term_id(kept.as_ref()));
                Ok(id.map_or_else(|| Node::other(term), Node::term))
            }
            RdfTerm::Triple(triple) => {
                let quoted = self.quoted(triple)?;
                Ok(quoted.unwrap_or_else(|| Node::other(term)))
            }
        }
    }

    /// A term as answers have it: every spelling of a name, and every name of a merged entity, is one.
    pub(super) fn as_answered(&self, term: &RdfTerm) -> Result<RdfTerm, DatasetError> {
        Ok(self.extern_node(&self.intern(term.clone())?))
    }

    fn quoted(&self, triple: &Triple) -> Result<Option<Node>, DatasetError> {
        let head = self.intern(triple.subject.clone().into())?;
        let predicate = self.intern(triple.predicate.clone().into())?;
        let tail = self.intern(triple.object.clone())?;
        let relation = self.predicate(&predicate).relation;
        Ok(match (head.id(), relation, tail.id()) {
            (Some(head), Some((relation, false)), Some(tail)) => Some(Node(Inner::Quoted(head.0, relation.0, tail.0))),
            _ => None,
        })
    }

    /// The node of an IRI that the query or the snapshot knows.
    fn intern_iri(&self, iri: &str) -> Result<Option<Node>, DatasetError> {
        if let Some(id) = self.base().term_id(terms::from_iri(iri).as_ref()) {
            return Ok(Some(Node::term(id)));
        }
        if let Some((relation, inverted)) = self.base().relation_id(&terms::relation_name(iri)) {
            return Ok(Some(if inverted { Node(Inner::Wording(self.wording(iri, relation))) } else { self.relation_node(relation) }));
        }
        if let Some(word) = Word::of(iri) {
            return Ok(Some(Node(Inner::Word(word))));
        }
        if let Some(graph) = self.graph_of_iri(iri)? {
            return Ok(Some(Node(Inner::Graph(graph))));
        }
        Ok(terms::fact_id(iri).and_then(|id| self.base().fact_number(id)).map(Node::fact))
    }

    /// The node of an IRI of ours that is made anew for an answer.
    pub(super) fn intern_new(&self, iri: String) -> Result<Node, DatasetError> {
        self.intern(NamedNode::new_unchecked(iri).into())
    }

    /// The number of the graph that an IRI names; `None` of one that names no graph.
    fn graph_of_iri(&self, iri: &str) -> Result<Option<u32>, DatasetError> {
        if let Some(number) = self.graphs.find(iri) {
            return Ok(Some(number));
        }
        let given = self.base().as_of();
        let (kind, as_of) = if iri == HISTORY {
            (GraphKind::Elsewhen, AsOf { valid_at: Position::ever(), known_at: given.known_at })
        } else if iri == META {
            (GraphKind::Meta, given)
        } else if let Some(position) = Position::of_iri(iri) {
            let position = position.map_err(|error| DatasetError::Position { iri: iri.to_owned(), error })?;
            (GraphKind::Elsewhen, position.from(given))
        } else if self.contexts().binary_search_by(|context| context.as_str().cmp(iri)).is_ok() {
            (GraphKind::Context, given)
        } else {
            return Ok(None);
        };
        let view = self.base().snapshot().at(as_of);
        let view = if kind == GraphKind::Context { view.in_context(Some(iri)) } else { view };
        let number = self.graphs.add(Graph { kind, view, iri: iri.to_owned() });
        number.map(Some).ok_or(DatasetError::TooManyGraphs)
    }

    /// The graph that a node names.
    pub(super) fn graph(&self, node: &Node) -> Result<Option<u32>, DatasetError> {
        match &node.0 {
            Inner::Graph(number) => Ok(Some(*number)),
            Inner::Term(_) | Inner::Relation(_) | Inner::Word(_) | Inner::Other(_) => match self.extern_node(node) {
                RdfTerm::NamedNode(iri) => self.graph_of_iri(iri.as_str()),
                RdfTerm::BlankNode(_) | RdfTerm::Literal(_) | RdfTerm::Triple(_) => Ok(None),
            },
            Inner::Wording(_) | Inner::Fact(_) | Inner::Quoted(..) => Ok(None),
        }
    }

    /// The node of the graph with this IRI.
    pub(super) fn context_node(&self, iri: &str) -> Result<Node, DatasetError> {
        self.intern_new(iri.to_owned())
    }

    /// The node that a relation's IRI has.
    pub(super) fn relation_node(&self, relation: RelationId) -> Node {
        self.relation_row(relation).0
    }

    /// What a node means as a predicate.
    pub(super) fn predicate(&self, node: &Node) -> Predicate {
        match &node.0 {
            Inner::Relation(relation) => {
                let relation = RelationId(*relation);
                Predicate { relation: Some((relation, false)), word: self.relation_row(relation).1 }
            }
            Inner::Wording(at) => {
                let relation = self.wordings.borrow().get(*at as usize).map(|(_, relation)| (*relation, true));
                Predicate { relation, word: None }
            }
            Inner::Word(word) => Predicate { relation: None, word: Some(*word) },
            Inner::Term(id) => self.predicate_of_term(TermId(*id)),
            Inner::Graph(_) | Inner::Fact(_) | Inner::Quoted(..) | Inner::Other(_) => Predicate::default(),
        }
    }

    fn predicate_of_term(&self, id: TermId) -> Predicate {
        if let Some(known) = self.predicates.borrow().get(&id.0) {
            return *known;
        }
        let known = match self.base().shown(id) {
            Some(TermRef::Iri(iri)) => Predicate { relation: self.base().relation_id(iri), word: Word::of(iri) },
            Some(TermRef::Name(_) | TermRef::Blank(_) | TermRef::Literal { .. }) | None => Predicate::default(),
        };
        self.predicates.borrow_mut().insert(id.0, known);
        known
    }

    /// The node of a relation, and the word with the same IRI.
    fn relation_row(&self, relation: RelationId) -> (Node, Option<Word>) {
        let at = relation.0 as usize;
        if let Some(Some(row)) = self.relations.borrow().get(at) {
            return row.clone();
        }
        let iri = terms::relation_iri(self.base().relation(relation).unwrap_or_default());
        let term = self.base().term_id(terms::from_iri(&iri).as_ref());
        let row = (term.map_or(Node(Inner::Relation(relation.0)), Node::term), Word::of(&iri));
        let mut relations = self.relations.borrow_mut();
        if relations.len() <= at {
            relations.resize(at + 1, None);
        }
        if let Some(slot) = relations.get_mut(at) {
            *slot = Some(row.clone());
        }
        row
    }

    fn wording(&self, iri: &str, relation: RelationId) -> u32 {
        let mut wordings = self.wordings.borrow_mut();
        let at = wordings.iter().position(|(known, _)| known == iri).unwrap_or_else(|| {
            wordings.push((iri.to_owned(), relation));
            wordings.len() - 1
        });
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// The RDF term of a node.
    pub(super) fn extern_node(&self, node: &Node) -> RdfTerm {
        match &node.0 {
            Inner::Term(id) => self.extern_term(TermId(*id)),
            Inner::Relation(relation) => self.extern_relation(RelationId(*relation)).into(),
            Inner::Wording(at) => {
                let iri = self.wordings.borrow().get(*at as usize).map(|(iri, _)| iri.clone()).unwrap_or_default();
                NamedNode::new_unchecked(iri).into()
            }
            Inner::Word(word) => NamedNode::new_unchecked(word.iri()).into(),
            Inner::Graph(number) => {
                NamedNode::new_unchecked(self.graphs.get(*number).map(|graph| graph.iri.as_str()).unwrap_or_default()).into()
            }
            Inner::Fact(number) => match self.base().fact_name(*number) {
                Some(id) => NamedNode::new_unchecked(terms::fact_iri(id)).into(),
                None => NamedNode::new_unchecked(terms::FACT).into(),
            },
            Inner::Quoted(head, relation, tail) => {
                let predicate = self.extern_relation(RelationId(*relation));
                let subject = match self.extern_term(TermId(*head)) {
                    RdfTerm::NamedNode(node) => NamedOrBlankNode::from(node),
                    RdfTerm::BlankNode(node) => node.into(),
                    // A head is never a literal; were it one, its triple would be none of RDF.
                    literal @ (RdfTerm::Literal(_) | RdfTerm::Triple(_)) => return literal,
                };
                Triple::new(subject, predicate, self.extern_term(TermId(*tail))).into()
            }
            Inner::Other(term) => RdfTerm::clone(term),
        }
    }

    fn extern_relation(&self, relation: RelationId) -> NamedNode {
        NamedNode::new_unchecked(terms::relation_iri(self.base().relation(relation).unwrap_or_default()))
    }

    /// The RDF term of a term of the snapshot: of a name its identity, so that it does not change with the spelling shown.
    pub(super) fn extern_term(&self, id: TermId) -> RdfTerm {
        let view = self.base();
        match view.identity(id).and_then(|key| key.strip_prefix('n')) {
            Some(name) => NamedNode::new_unchecked(terms::encode(ENTITY, name)).into(),
            None => view.shown(id).map_or_else(|| NamedNode::new_unchecked(ENTITY).into(), terms::to_rdf),
        }
    }

    /// The node of an entity by any of its names, IRIs or labels.
    pub(super) fn entity(&self, term: &Term) -> Option<Node> {
        self.base().term_id(term.as_ref()).map(Node::term)
    }
}
