//! What is known about facts, entities, claims and observations, as triples that are derived when they are asked for.
//!
//! Owns what each word of the vocabulary means. Answers only where the predicate is bound, or in the graph `meta:`.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a word that is told of facts alone is told in one place, and a node that is no subject of a word has no objects"
)]

use super::dataset::{Quad, QuadIter};
use super::graphs::{Graph, GraphKind};
use super::node::{Inner, Node};
use super::scan::{Scan, Wanted};
use super::terms::{self, INSTANT};
use super::view::{DatasetError, RdfView};
use super::words::{self, Word};
use crate::graph::{RelationId, TermId};
use crate::model::{ClaimId, Fact, FactId, ObservationId, Term, TermRef, vocab};
use crate::time::{Certainty, Instant, certain_extent};
use oxrdf::Term as RdfTerm;
use std::rc::Rc;

type NodeIter<'a> = Box<dyn Iterator<Item = Result<Node, DatasetError>> + 'a>;

impl RdfView {
    /// What a word says of a subject, or of all, in a graph.
    pub(super) fn derived(
        &self,
        graph: u32,
        word: Word,
        predicate: Node,
        subject: Option<&Node>,
        object: Option<&Node>,
        name: Option<Node>,
    ) -> QuadIter<'_> {
        let Some(read) = self.graphs.get(graph) else { return Box::new(std::iter::empty()) };
        let subjects: NodeIter<'_> = match subject {
            Some(subject) => Box::new(std::iter::once(Ok(subject.clone()))),
            None => match self.subjects(graph, read, word, object) {
                Ok(subjects) => subjects,
                Err(error) => Box::new(std::iter::once(Err(error))),
            },
        };
        let wanted = object.cloned();
        Box::new(subjects.flat_map(move |subject| {
            let found = subject.and_then(|subject| Ok((self.objects(graph, read, word, &subject, wanted.as_ref())?, subject)));
            let (found, subject) = match found {
                Ok((objects, subject)) => (Ok(objects), Some(subject)),
                Err(error) => (Err(error), None),
            };
            let (objects, error) = match found {
                Ok(objects) => (objects, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            let (predicate, name, wanted) = (predicate.clone(), name.clone(), wanted.clone());
            let kept = objects.into_iter().filter(move |object| wanted.as_ref().is_none_or(|wanted| wanted == object));
            let quads = kept.zip(std::iter::repeat(subject)).filter_map(move |(object, subject)| {
                let (subject, predicate) = (subject?, predicate.clone());
                Some(Ok(Quad { subject, predicate, object, graph_name: name.clone() }))
            });
            quads.chain(error)
        }))
    }

    /// What all words say, in a graph.
    pub(super) fn all_derived(&self, graph: u32, subject: Option<&Node>, object: Option<&Node>, name: Option<Node>) -> QuadIter<'_> {
        let (subject, object) = (subject.cloned(), object.cloned());
        Box::new(Word::ALL.iter().flat_map(move |word| match self.intern_new(word.iri().to_owned()) {
            Ok(predicate) => self.derived(graph, *word, predicate, subject.as_ref(), object.as_ref(), name.clone()),
            Err(error) => Box::new(std::iter::once(Err(error))) as QuadIter<'_>,
        }))
    }

    /// Everything that a word may say something of; an object that is given may narrow it.
    fn subjects<'a>(&'a self, graph: u32, read: &'a Graph, word: Word, object: Option<&Node>) -> Result<NodeIter<'a>, DatasetError> {
        let nothing = || Ok(Box::new(std::iter::empty()) as NodeIter<'a>);
        match (word, object) {
            (Word::Reifies, Some(object)) => {
                let Some((head, relation, tail)) = self.parts(object) else { return nothing() };
                let wanted =
                    Wanted { head: Some(read.view.entity_of(head)), relation: Some(relation), tail: Some(read.view.entity_of(tail)) };
                Ok(Box::new(reifiers(Scan::facts(self, &read.view, wanted))))
            }
            (Word::SupportedBy, Some(object)) => {
                let claim = self.claim(object);
                let fact = claim.and_then(|claim| read.view.fact(FactId(claim)).ok()).and_then(|fact| self.held_number(read, fact.id));
                Ok(Box::new(fact.map(|number| Ok(Node::fact(number))).into_iter()))
            }
            (Word::Label | Word::AltLabel, Some(object)) => {
                let RdfTerm::Literal(label) = self.extern_node(object) else { return nothing() };
                let entity = self.entity(&Term::Name(label.value().to_owned()));
                let relation = self.base().relation_id(label.value()).filter(|_| word == Word::Label);
                let relation = relation.map(|(relation, _)| self.relation_node(relation));
                Ok(Box::new(entity.into_iter().chain(relation).map(Ok)))
            }
            (Word::Label | Word::AltLabel, None) if word == Word::Label => {
                let relations = (0..self.base().relation_count()).map(|relation| Ok(self.relation_node(RelationId(relation))));
                Ok(Box::new(self.named_entities().chain(relations)))
            }
            (Word::AltLabel, None) => Ok(Box::new(self.named_entities())),
            (Word::Type, _) => {
                let facts = reifiers(Scan::facts(self, &read.view, Wanted::default()));
                let entities = self.named_entities().filter(move |_| read.kind != GraphKind::Context);
                Ok(Box::new(entities.chain(facts).chain(self.observations())))
            }
            (Word::ObservedAt, _) => Ok(Box::new(self.observations())),
            (Word::PrimarySource, _) => {
                let facts = reifiers(Scan::facts(self, &read.view, Wanted::default()));
                Ok(Box::new(facts.flat_map(move |fact| {
                    let claims = fact.and_then(|fact| self.objects(graph, read, Word::SupportedBy, &fact, None));
                    let (claims, error) = claims.map_or_else(|error| (Vec::new(), Some(Err(error))), |claims| (claims, None));
                    claims.into_iter().map(Ok).chain(error)
                })))
            }
            // An instant says when it is; which instants there are is no question.
            (Word::InDateTime, _) => nothing(),
            _ => Ok(Box::new(reifiers(Scan::facts(self, &read.view, Wanted::default())))),
        }
    }

    fn named_entities(&self) -> impl Iterator<Item = Result<Node, DatasetError>> {
        let view = self.base();
        let is_named = |id: &TermId| view.entity_of(*id) == *id && view.identity(*id).is_some_and(|key| key.starts_with('n'));
        view.terms().filter(is_named).map(|id| Ok(Node::term(id)))
    }

    fn observations(&self) -> impl Iterator<Item = Result<Node, DatasetError>> {
        self.base().snapshot().observation_ids().into_iter().map(|id| self.intern_new(terms::observation_iri(id)))
    }

    /// What a word says of one subject. Of a triple that is asked for, itself: it may be told from its tail.
    fn objects(&self, graph: u32, read: &Graph, word: Word, subject: &Node, wanted: Option<&Node>) -> Result<Vec<Node>, DatasetError> {
        match word {
            Word::Reifies => Ok(self.reified(read, subject, wanted).into_iter().collect()),
            Word::Type => self.types(read, subject),
            Word::Label | Word::AltLabel => self.labels(read, word, subject),
            Word::InDateTime => {
                let at = self.iri_after(subject, INSTANT).and_then(|text| Instant::parse(&text).ok());
                at.into_iter().map(|at| self.intern(terms::typed(at.to_string(), vocab::XSD_DATE_TIME_STAMP))).collect()
            }
            Word::PrimarySource => {
                let claim = self.claim(subject);
                claim.into_iter().map(|claim| self.intern_new(terms::observation_iri(claim.observation))).collect()
            }
            Word::ObservedAt => {
                let at = self.observation(subject).and_then(|id| self.base().observed_at(id));
                at.into_iter().map(|at| self.instant(at)).collect()
            }
            _ => self.told_of_fact(graph, read, word, subject),
        }
    }

    /// The triple of a fact that holds in the graph.
    fn reified(&self, read: &Graph, subject: &Node, wanted: Option<&Node>) -> Option<Node> {
        let Inner::Fact(number) = subject.0 else { return None };
        let (head, edge) = read.view.edge_of(number).filter(|(_, edge)| self.shows(edge.certainty))?;
        let Some(wanted) = wanted else {
            let is_turned = matches!(read.view.shown(head), Some(TermRef::Literal { .. }));
            let (head, tail) = if is_turned { (edge.other, head) } else { (head, edge.other) };
            return Some(Node(Inner::Quoted(head.0, edge.relation.0, tail.0)));
        };
        let (from, relation, to) = self.parts(wanted)?;
        let (from, to) = (read.view.entity_of(from), read.view.entity_of(to));
        let is_it = relation == edge.relation
            && ((from, to) == (head, edge.other) || (from, to) == (edge.other, head) && read.view.goes_both_ways(relation));
        is_it.then(|| wanted.clone())
    }

    fn shows(&self, certainty: Certainty) -> bool {
        certainty == Certainty::Certain || !self.certain_only
    }

    /// The head, relation and tail that a triple term speaks of.
    fn parts(&self, triple: &Node) -> Option<(TermId, RelationId, TermId)> {
        match &triple.0 {
            Inner::Quoted(head, relation, tail) => Some((TermId(*head), RelationId(*relation), TermId(*tail))),
            Inner::Other(term) => {
                let RdfTerm::Triple(triple) = &**term else { return None };
                let predicate = self.intern(triple.predicate.clone().into()).ok()?;
                let (relation, inverted) = self.predicate(&predicate).relation?;
                let subject = self.intern(triple.subject.clone().into()).ok()?.id()?;
                let object = self.intern(triple.object.clone()).ok()?.id()?;
                Some(if inverted { (object, relation, subject) } else { (subject, relation, object) })
            }
            _ => None,
        }
    }

    fn types(&self, read: &Graph, subject: &Node) -> Result<Vec<Node>, DatasetError> {
        let class = match &subject.0 {
            Inner::Term(id) if read.kind != GraphKind::Context => {
                let is_named = self.base().identity(TermId(*id)).is_some_and(|key| key.starts_with('n'));
                is_named.then_some(words::ENTITY)
            }
            Inner::Fact(number) => read.view.edge_of(*number).filter(|(_, edge)| self.shows(edge.certainty)).map(|_| words::FACT),
            Inner::Other(_) if self.claim(subject).is_some() => Some(words::CLAIM),
            Inner::Other(_) if self.observation(subject).is_some() => Some(words::OBSERVATION),
            _ => None,
        };
        class.into_iter().map(|class| self.intern_new(class.to_owned())).collect()
    }

    fn labels(&self, read: &Graph, word: Word, subject: &Node) -> Result<Vec<Node>, DatasetError> {
        let names: Vec<String> = match &subject.0 {
            Inner::Term(id) if word == Word::Label => match self.base().shown(TermId(*id)) {
                Some(TermRef::Name(name)) => vec![name.to_owned()],
                Some(TermRef::Iri(_) | TermRef::Blank(_) | TermRef::Literal { .. }) | None => Vec::new(),
            },
            Inner::Term(id) => {
                let names = self.base().term(TermId(*id)).filter(|term| !term.is_literal()).and_then(|term| read.view.names(&term).ok());
                let others = names.unwrap_or_default().into_iter().skip(1);
                others.filter_map(|name| if let Term::Name(name) = name { Some(name) } else { None }).collect()
            }
            Inner::Relation(relation) if word == Word::Label => {
                let name = self.base().relation(RelationId(*relation)).unwrap_or_default();
                Some(name).filter(|name| terms::relation_iri(name) != *name).map(str::to_owned).into_iter().collect()
            }
            _ => Vec::new(),
        };
        names.iter().map(|name| self.intern(terms::plain_text(name))).collect()
    }

    fn told_of_fact(&self, graph: u32, read: &Graph, word: Word, subject: &Node) -> Result<Vec<Node>, DatasetError> {
        let Inner::Fact(number) = subject.0 else { return Ok(Vec::new()) };
        let Some((_, edge)) = read.view.edge_of(number).filter(|(_, edge)| self.shows(edge.certainty)) else { return Ok(Vec::new()) };
        if word == Word::Certainty {
            let certainty = if edge.certainty == Certainty::Certain { words::CERTAIN } else { words::POSSIBLE };
            return Ok(vec![self.intern_new(certainty.to_owned())?]);
        }
        let Some(fact) = self.fact(graph, read, number) else { return Ok(Vec::new()) };
        let at = |instant: Instant| Some(instant).filter(|instant| instant.is_civil());
        let certain = certain_extent(fact.start, fact.end);
        let instant = match word {
            Word::ValidFrom | Word::HasBeginning => at(fact.start.lo()),
            Word::ValidTo | Word::HasEnd => at(fact.end.hi()),
            Word::CertainFrom => certain.and_then(|certain| at(certain.lo())),
            Word::CertainTo => certain.and_then(|certain| at(certain.hi())),
            Word::TxFrom => at(fact.tx_from),
            Word::TxTo => fact.tx_to.and_then(at),
            _ => None,
        };
        match word {
            Word::HasBeginning | Word::HasEnd => instant.into_iter().map(|at| self.intern_new(format!("{INSTANT}{at}"))).collect(),
            Word::ValidFrom | Word::ValidTo | Word::CertainFrom | Word::CertainTo | Word::TxFrom | Word::TxTo => {
                instant.into_iter().map(|at| self.instant(at)).collect()
            }
            Word::Start => Ok(vec![self.intern(terms::typed(fact.start.to_string(), words::MOMENT))?]),
            Word::End => Ok(vec![self.intern(terms::typed(fact.end.to_string(), words::MOMENT))?]),
            Word::Confidence => Ok(vec![self.number(fact.confidence)?]),
            Word::Importance => Ok(vec![self.number(fact.importance)?]),
            Word::Status => statuses(&fact).into_iter().map(|status| self.intern_new(status.to_owned())).collect(),
            Word::ClosedBy => fact.status.closed_by.iter().map(|claim| self.intern_new(terms::claim_iri(*claim))).collect(),
            Word::SupportedBy => fact.supported_by.iter().map(|claim| self.intern_new(terms::claim_iri(*claim))).collect(),
            Word::ContestedWith => fact.status.rivals.iter().map(|rival| self.intern_new(terms::fact_iri(*rival))).collect(),
            Word::DerivedFrom => {
                let mut observations: Vec<ObservationId> = fact.supported_by.iter().map(|claim| claim.observation).collect();
                observations.dedup();
                observations.into_iter().map(|id| self.intern_new(terms::observation_iri(id))).collect()
            }
            _ => Ok(Vec::new()),
        }
    }

    fn fact(&self, graph: u32, read: &Graph, number: u32) -> Option<Rc<Fact>> {
        if let Some((key, fact)) = &*self.last_fact.borrow()
            && *key == (graph, number)
        {
            return Some(Rc::clone(fact));
        }
        let fact = Rc::new(read.view.fact(read.view.fact_name(number)?).ok()?);
        *self.last_fact.borrow_mut() = Some(((graph, number), Rc::clone(&fact)));
        Some(fact)
    }

    fn held_number(&self, read: &Graph, id: FactId) -> Option<u32> {
        let number = read.view.fact_number(id)?;
        read.view.edge_of(number).filter(|(_, edge)| self.shows(edge.certainty)).map(|_| number)
    }

    fn instant(&self, at: Instant) -> Result<Node, DatasetError> {
        self.intern(terms::typed(at.to_string(), vocab::XSD_DATE_TIME))
    }

    fn number(&self, value: f64) -> Result<Node, DatasetError> {
        self.intern(oxrdf::Literal::from(value).into())
    }

    fn iri_after(&self, node: &Node, scheme: &str) -> Option<String> {
        let RdfTerm::NamedNode(iri) = self.extern_node(node) else { return None };
        iri.as_str().strip_prefix(scheme).map(str::to_owned)
    }

    /// The claim that a node is of, if it is recorded.
    fn claim(&self, node: &Node) -> Option<ClaimId> {
        let claim = self.iri_after(node, terms::CLAIM)?.parse().ok()?;
        Some(claim).filter(|claim| self.base().snapshot().has_claim(*claim))
    }

    fn observation(&self, node: &Node) -> Option<ObservationId> {
        let id = self.iri_after(node, terms::OBSERVATION)?.parse().ok()?;
        Some(id).filter(|id| self.base().snapshot().has_observation(*id))
    }
}

fn reifiers(facts: Scan<'_>) -> impl Iterator<Item = Result<Node, DatasetError>> {
    facts.map(|found| found.map(|found| Node::fact(found.fact)))
}

/// What the rules left on a fact, as classes.
pub(super) fn statuses(fact: &Fact) -> Vec<&'static str> {
    let is_open = fact.end == crate::time::End::Open;
    let mut statuses = vec![if is_open { words::OPEN } else { words::ENDED }];
    if fact.status.contested {
        statuses.push(words::CONTESTED);
    }
    if fact.status.challenged_from.is_some() {
        statuses.push(words::CHALLENGED);
    }
    statuses
}
