//! SPARQL Update as claims: what is inserted is asserted, what is deleted ends. Nothing that was believed is lost by it.
//!
//! Owns which operations there are and what claims each makes. Records nothing, and knows neither clock nor tenant: the state is read by a
//! view, and the claims are given back.

use super::bounds::TextLimits;
use super::error::SparqlError;
use super::graphs::{AS_OF, HISTORY, META};
use super::import::{Statement, claim_that_ends, claims_of_all, suffix_of};
use super::query::{PREFIXES, Query, QueryOptions, syntax};
use super::results::Answer;
use super::terms;
use super::view::RdfView;
use super::words::Word;
use crate::model::Claim;
use crate::time::{End, Instant, Moment, Span, Start};
use oxrdf::{BlankNode, GraphName, NamedNode, NamedOrBlankNode, Quad, Term as RdfTerm, Triple};
use rustc_hash::{FxHashMap, FxHashSet};
use spareval::{QuerySolution, QueryableDataset};
use spargebra::term::{
    GraphNamePattern, GroundQuad, GroundQuadPattern, GroundTerm, GroundTermPattern, GroundTriple, GroundTriplePattern, NamedNodePattern,
    QuadPattern, TermPattern, TriplePattern,
};
use spargebra::{GraphUpdateOperation, SparqlParser, Update as Parsed};

/// An update that has been read: the operations of one request.
#[derive(Clone, Debug)]
pub struct Update {
    parsed: Parsed,
}

/// When what an update says is so.
#[derive(Clone, Copy, Debug)]
pub struct UpdateOptions {
    /// Valid time: what is deleted ended then; what is inserted without an interval was so by then.
    pub at: Instant,
    /// The interval of what is inserted and has no annotation that tells one.
    pub valid: Option<Span>,
}

/// What an update makes: claims, of those that assert first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Claims that something holds.
    pub asserted: Vec<Claim>,
    /// Claims that something ended.
    pub ended: Vec<Claim>,
    /// Triples to delete that did not hold at the time: nothing is said of them.
    pub absent: u64,
}

/// The blank nodes that an update makes, each with a label that no other update gives.
struct Fresh {
    labels: FxHashMap<String, usize>,
    suffix: String,
}

impl Fresh {
    fn node(&mut self, label: String) -> BlankNode {
        let next = self.labels.len();
        let number = *self.labels.entry(label).or_insert(next);
        BlankNode::new_unchecked(format!("b{number}.{}", self.suffix))
    }

    fn subject(&mut self, subject: &NamedOrBlankNode) -> NamedOrBlankNode {
        match subject {
            NamedOrBlankNode::BlankNode(node) => self.node(node.as_str().to_owned()).into(),
            NamedOrBlankNode::NamedNode(node) => node.clone().into(),
        }
    }

    fn term(&mut self, term: &RdfTerm) -> RdfTerm {
        match term {
            RdfTerm::BlankNode(node) => self.node(node.as_str().to_owned()).into(),
            RdfTerm::Triple(triple) => {
                Triple::new(self.subject(&triple.subject), triple.predicate.clone(), self.term(&triple.object)).into()
            }
            RdfTerm::NamedNode(_) | RdfTerm::Literal(_) => term.clone(),
        }
    }
}

/// What there is to do after the operations so far.
#[derive(Default)]
struct Pending {
    inserted: Vec<Quad>,
    ended: Vec<Statement>,
    absent: u64,
}

impl Update {
    /// Reads an update under the usual limits; the [`PREFIXES`] are known.
    ///
    /// # Errors
    /// [`SparqlError::Syntax`], [`SparqlError::TooLong`], [`SparqlError::TooDeep`], [`SparqlError::TooManyParts`],
    /// [`SparqlError::TooEntangled`];
    /// [`SparqlError::NoOperation`] of `CLEAR`, `DROP`, `CREATE`, `LOAD`, `COPY`, `MOVE` and `ADD`.
    pub fn parse(text: &str) -> Result<Self, SparqlError> {
        Self::parse_within(text, TextLimits::default())
    }

    /// Reads an update under other limits.
    ///
    /// # Errors
    /// As [`Update::parse`].
    pub fn parse_within(text: &str, limits: TextLimits) -> Result<Self, SparqlError> {
        limits.check(text)?;
        let mut parser = SparqlParser::new();
        for (prefix, iri) in PREFIXES {
            parser = parser.with_prefix(prefix, iri).map_err(|error| syntax(&error.to_string()))?;
        }
        let parsed = parser.parse_update(text).map_err(|error| syntax(&error.to_string()))?;
        if let Some(word) = graph_operation(text) {
            return Err(SparqlError::NoOperation(word));
        }
        for operation in &parsed.operations {
            match operation {
                GraphUpdateOperation::InsertData { .. }
                | GraphUpdateOperation::DeleteData { .. }
                | GraphUpdateOperation::DeleteInsert { .. } => {}
                GraphUpdateOperation::Load { .. } => return Err(SparqlError::NoOperation("LOAD")),
                GraphUpdateOperation::Clear { .. } => return Err(SparqlError::NoOperation("CLEAR")),
                GraphUpdateOperation::Create { .. } => return Err(SparqlError::NoOperation("CREATE")),
                GraphUpdateOperation::Drop { .. } => return Err(SparqlError::NoOperation("DROP")),
            }
        }
        Ok(Self { parsed })
    }

    /// The claims that the update makes of the state that a view shows. The view stands at [`UpdateOptions::at`]; blank nodes are told apart
    /// from those of other updates by `scope`.
    ///
    /// The operations of a request are one change: what one inserts and a later one deletes is neither, and an operation with `WHERE` has to
    /// come before any that changes something, since what it would have to see is not recorded yet.
    ///
    /// # Errors
    /// [`SparqlError::Unwritable`] of what no claim can hold and of what is derived; [`SparqlError::TooLate`] of a `WHERE` that comes too
    /// late; as [`Query::run`] while a `WHERE` is evaluated.
    pub fn changes(&self, rdf: &RdfView, options: &QueryOptions, when: UpdateOptions, scope: &str) -> Result<Changes, SparqlError> {
        let mut pending = Pending::default();
        let mut fresh = Fresh { labels: FxHashMap::default(), suffix: suffix_of(scope) };
        for operation in &self.parsed.operations {
            match operation {
                GraphUpdateOperation::InsertData { data } => {
                    pending.inserted.extend(data.iter().map(|quad| quad_of_data(quad, &mut fresh)));
                }
                GraphUpdateOperation::DeleteData { data } => {
                    for quad in data {
                        pending.delete(rdf, ground(quad))?;
                    }
                }
                GraphUpdateOperation::DeleteInsert { delete, insert, using, pattern } => {
                    if !(pending.inserted.is_empty() && pending.ended.is_empty()) {
                        return Err(SparqlError::TooLate);
                    }
                    let query = Query::of_pattern((**pattern).clone(), using.clone())?;
                    let Answer::Solutions(rows) = query.run(rdf, options)? else { continue };
                    let rows = rows.collect::<Result<Vec<QuerySolution>, _>>()?;
                    for row in &rows {
                        for statement in delete.iter().filter_map(|quad| deleted(quad, row)) {
                            pending.delete(rdf, statement)?;
                        }
                    }
                    let mut seen = FxHashSet::default();
                    for (number, row) in rows.iter().enumerate() {
                        for quad in insert {
                            let Some(quad) = inserted(quad, row, number, &mut fresh) else { continue };
                            if seen.insert(quad.clone()) {
                                pending.inserted.push(quad);
                            }
                        }
                    }
                }
                GraphUpdateOperation::Load { .. }
                | GraphUpdateOperation::Clear { .. }
                | GraphUpdateOperation::Create { .. }
                | GraphUpdateOperation::Drop { .. } => return Err(SparqlError::NoOperation("this operation")),
            }
        }
        pending.changes(when)
    }
}

impl Pending {
    /// A statement is to end, if it holds; what was to be inserted is not.
    fn delete(&mut self, rdf: &RdfView, (triple, graph): Statement) -> Result<(), SparqlError> {
        check_writable(&triple, &graph, false)?;
        let same = |quad: &Quad| Triple::from(quad.clone()) == triple && quad.graph_name == graph;
        self.inserted.retain(|quad| !same(quad));
        let statement = (triple, graph);
        if !holds(rdf, &statement)? {
            self.absent += 1;
        } else if !self.ended.contains(&statement) {
            self.ended.push(statement);
        }
        Ok(())
    }

    fn changes(self, when: UpdateOptions) -> Result<Changes, SparqlError> {
        let Self { inserted, ended, absent } = self;
        let plain = match when.valid {
            Some(valid) => valid,
            None => span(Start::By(when.at), End::Open)?,
        };
        let over = span(Start::Unknown, End::At(Moment::exact(when.at)))?;
        let (asserted, annotated) = claims_of_all(&inserted, plain).map_err(SparqlError::Unwritable)?;
        for (quad, is_annotation) in inserted.iter().zip(annotated) {
            check_writable(&Triple::from(quad.clone()), &quad.graph_name, is_annotation)?;
        }
        let ended = ended.iter().map(|statement| claim_that_ends(statement, over)).collect::<Result<Vec<_>, _>>();
        let ended = ended.map_err(SparqlError::Unwritable)?.into_iter().flatten().collect();
        Ok(Changes { asserted, ended, absent })
    }
}

fn span(start: Start, end: End) -> Result<Span, SparqlError> {
    Span::new(start, end).map_err(|error| SparqlError::Unwritable(error.to_string()))
}

/// Whether a statement holds where the view reads.
fn holds(rdf: &RdfView, (triple, graph): &Statement) -> Result<bool, SparqlError> {
    let read = || {
        let subject = rdf.internalize_term(triple.subject.clone().into())?;
        let predicate = rdf.internalize_term(triple.predicate.clone().into())?;
        let object = rdf.internalize_term(triple.object.clone())?;
        let graph = match graph {
            GraphName::NamedNode(iri) => Some(rdf.internalize_term(iri.clone().into())?),
            GraphName::DefaultGraph | GraphName::BlankNode(_) => None,
        };
        let mut found = rdf.internal_quads_for_pattern(Some(&subject), Some(&predicate), Some(&object), Some(graph.as_ref()));
        found.next().transpose().map(|found| found.is_some())
    };
    read().map_err(SparqlError::Dataset)
}

/// Refuses what is derived and not stored, and the graphs that are reading positions.
fn check_writable(triple: &Triple, graph: &GraphName, is_annotation: bool) -> Result<(), SparqlError> {
    let refuse = |what: String| Err(SparqlError::Unwritable(what));
    if let GraphName::NamedNode(iri) = graph
        && (iri.as_str().starts_with(AS_OF) || [HISTORY, META].contains(&iri.as_str()))
    {
        return refuse(format!("{iri} is where the memory is read, and nothing can be written there"));
    }
    if is_annotation {
        return Ok(());
    }
    if let NamedOrBlankNode::NamedNode(iri) = &triple.subject
        && [terms::FACT, terms::CLAIM, terms::OBSERVATION, terms::INSTANT].iter().any(|scheme| iri.as_str().starts_with(scheme))
    {
        return refuse(format!("what {iri} is told by is derived, and cannot be written"));
    }
    let predicate = triple.predicate.as_str();
    let is_stored = [Word::Type, Word::Label, Word::AltLabel].iter().any(|word| word.iri() == predicate);
    if !is_stored && (Word::of(predicate).is_some() || predicate.starts_with(terms::VOCABULARY)) {
        return refuse(format!("<{predicate}> is derived, and can only be told of a statement that is inserted"));
    }
    Ok(())
}

/// The operation on whole graphs that a text asks for, of those that are read as others.
fn graph_operation(text: &str) -> Option<&'static str> {
    let (mut rest, mut depth) = (text, 0_usize);
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '#' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            '"' | '\'' => super::bounds::quoted(rest, c),
            '<' => super::bounds::iri(rest).unwrap_or(1),
            '{' => {
                depth += 1;
                1
            }
            '}' => {
                depth = depth.saturating_sub(1);
                1
            }
            c if c.is_alphabetic() => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let (word, after) = rest.split_at(length);
                let found = ["ADD", "COPY", "MOVE"].into_iter().find(|known| known.eq_ignore_ascii_case(word));
                if depth == 0 && found.is_some() && !after.starts_with(':') {
                    return found;
                }
                // The local part of a prefixed name is no word.
                let name = if after.starts_with(':') { after.find(char::is_whitespace).unwrap_or(after.len()) } else { 0 };
                length + name
            }
            c => c.len_utf8(),
        };
        rest = rest.get(skipped.max(c.len_utf8())..).unwrap_or_default();
    }
    None
}

fn quad_of_data(quad: &spargebra::term::Quad, fresh: &mut Fresh) -> Quad {
    let graph_name = graph_of(&quad.graph_name);
    Quad { subject: fresh.subject(&quad.subject), predicate: quad.predicate.clone(), object: fresh.term(&quad.object), graph_name }
}

fn graph_of(name: &spargebra::term::GraphName) -> GraphName {
    match name {
        spargebra::term::GraphName::NamedNode(node) => node.clone().into(),
        spargebra::term::GraphName::DefaultGraph => GraphName::DefaultGraph,
    }
}

fn ground(quad: &GroundQuad) -> Statement {
    (Triple::new(quad.subject.clone(), quad.predicate.clone(), ground_term(&quad.object)), graph_of(&quad.graph_name))
}

fn ground_term(term: &GroundTerm) -> RdfTerm {
    match term {
        GroundTerm::NamedNode(node) => node.clone().into(),
        GroundTerm::Literal(literal) => literal.clone().into(),
        GroundTerm::Triple(triple) => {
            let GroundTriple { subject, predicate, object } = &**triple;
            Triple::new(subject.clone(), predicate.clone(), ground_term(object)).into()
        }
    }
}

/// The statement to delete for one row; `None` where a variable is unbound or the statement would be none.
fn deleted(quad: &GroundQuadPattern, row: &QuerySolution) -> Option<Statement> {
    let subject = NamedOrBlankNode::try_from(ground_pattern(&quad.subject, row)?).ok()?;
    let triple = Triple::new(subject, predicate(&quad.predicate, row)?, ground_pattern(&quad.object, row)?);
    Some((triple, graph_name(&quad.graph_name, row)?))
}

fn ground_pattern(pattern: &GroundTermPattern, row: &QuerySolution) -> Option<RdfTerm> {
    Some(match pattern {
        GroundTermPattern::NamedNode(node) => node.clone().into(),
        GroundTermPattern::Literal(literal) => literal.clone().into(),
        GroundTermPattern::Variable(variable) => row.get(variable)?.clone(),
        GroundTermPattern::Triple(triple) => {
            let GroundTriplePattern { subject, predicate: relation, object } = &**triple;
            let subject = NamedOrBlankNode::try_from(ground_pattern(subject, row)?).ok()?;
            Triple::new(subject, predicate(relation, row)?, ground_pattern(object, row)?).into()
        }
    })
}

/// The quad to insert for one row; `None` where a variable is unbound or the quad would be none.
fn inserted(quad: &QuadPattern, row: &QuerySolution, number: usize, fresh: &mut Fresh) -> Option<Quad> {
    let subject = NamedOrBlankNode::try_from(pattern(&quad.subject, row, number, fresh)?).ok()?;
    let object = pattern(&quad.object, row, number, fresh)?;
    Some(Quad { subject, predicate: predicate(&quad.predicate, row)?, object, graph_name: graph_name(&quad.graph_name, row)? })
}

fn pattern(term: &TermPattern, row: &QuerySolution, number: usize, fresh: &mut Fresh) -> Option<RdfTerm> {
    Some(match term {
        TermPattern::NamedNode(node) => node.clone().into(),
        TermPattern::Literal(literal) => literal.clone().into(),
        // A blank node of the template is another one for each row.
        TermPattern::BlankNode(node) => fresh.node(format!("{} {number}", node.as_str())).into(),
        TermPattern::Variable(variable) => row.get(variable)?.clone(),
        TermPattern::Triple(triple) => {
            let TriplePattern { subject, predicate: relation, object } = &**triple;
            let subject = NamedOrBlankNode::try_from(pattern(subject, row, number, fresh)?).ok()?;
            Triple::new(subject, predicate(relation, row)?, pattern(object, row, number, fresh)?).into()
        }
    })
}

fn predicate(pattern: &NamedNodePattern, row: &QuerySolution) -> Option<NamedNode> {
    match pattern {
        NamedNodePattern::NamedNode(node) => Some(node.clone()),
        NamedNodePattern::Variable(variable) => match row.get(variable)? {
            RdfTerm::NamedNode(node) => Some(node.clone()),
            RdfTerm::BlankNode(_) | RdfTerm::Literal(_) | RdfTerm::Triple(_) => None,
        },
    }
}

fn graph_name(pattern: &GraphNamePattern, row: &QuerySolution) -> Option<GraphName> {
    match pattern {
        GraphNamePattern::NamedNode(node) => Some(node.clone().into()),
        GraphNamePattern::DefaultGraph => Some(GraphName::DefaultGraph),
        GraphNamePattern::Variable(variable) => match row.get(variable)? {
            RdfTerm::NamedNode(node) => Some(node.clone().into()),
            RdfTerm::BlankNode(_) | RdfTerm::Literal(_) | RdfTerm::Triple(_) => None,
        },
    }
}
