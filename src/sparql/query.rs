//! Queries: read from text, bound to parameters, run on a view, bounded.
//!
//! Owns the steps from a text to an answer. Knows nothing of where the text came from, nor of what time it is.

use super::bounds::{self, TextLimits};
use super::error::SparqlError;
use super::functions;
use super::graphs::{AS_OF, Position};
use super::meter::{Meter, Overlong};
use super::order::{self, Step};
use super::results::{Answer, Watch};
use super::rewrite::{self, Given};
use super::search::{Handler, SEARCH, SearchService};
use super::terms;
use super::view::RdfView;
use crate::model::vocab;
use crate::time::{AsOf, Instant};
use oxiri::Iri;
use oxrdf::{Literal, NamedNode, NamedOrBlankNode, Term as RdfTerm, Variable};
use spareval::{CancellationToken, DefaultServiceHandler, QueryEvaluationError, QueryEvaluator, QueryExplanation, QuerySolutionIter};
use spargebra::algebra::{GraphPattern, QueryDataset};
use spargebra::{Query as Parsed, SparqlParser};
use std::fmt;
use std::sync::Arc;

/// The prefixes that a query need not declare.
pub const PREFIXES: [(&str, &str); 16] = [
    ("erst", terms::VOCABULARY),
    ("entity", terms::ENTITY),
    ("relation", terms::RELATION),
    ("observation", terms::OBSERVATION),
    ("claim", terms::CLAIM),
    ("fact", terms::FACT),
    ("tenant", terms::TENANT),
    ("asof", AS_OF),
    ("rdf", vocab::RDF),
    ("rdfs", vocab::RDFS),
    ("xsd", vocab::XSD),
    ("owl", vocab::OWL),
    ("skos", vocab::SKOS),
    ("time", vocab::TIME),
    ("prov", vocab::PROV),
    ("instant", terms::INSTANT),
];

/// What a query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// `SELECT`: rows.
    Select,
    /// `ASK`: yes or no.
    Ask,
    /// `CONSTRUCT`: triples.
    Construct,
    /// `DESCRIBE`: triples.
    Describe,
}

/// How a query is run.
#[derive(Clone)]
pub struct QueryOptions {
    /// Stops the query where it is: give it to a timer, or to whoever sees the client leave.
    pub cancel: CancellationToken,
    /// The most rows or triples of an answer.
    pub max_rows: u64,
    /// The most bytes of an answer that is written.
    pub max_bytes: u64,
    /// The most facts that are read, those included that turn out not to match. It bounds what a query keeps in memory, too.
    pub max_read: u64,
    /// What `NOW()` is; without it that function is unbound.
    pub now: Option<Instant>,
    /// What answers `SERVICE <erst:search>`.
    pub search: Option<Arc<dyn SearchService>>,
    /// What answers every other `SERVICE`. Without it a query reaches nothing outside.
    pub outside: Option<Arc<dyn DefaultServiceHandler<Error = QueryEvaluationError>>>,
    /// Whether groups are ordered by our counts; without, the evaluator's own guesses decide.
    pub ordered: bool,
}

/// A million rows, 256 MiB, 50 million facts read; no service, no clock, never stopped.
impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            cancel: CancellationToken::new(),
            max_rows: 1_000_000,
            max_bytes: 256 << 20,
            max_read: 50_000_000,
            now: None,
            search: None,
            outside: None,
            ordered: true,
        }
    }
}

impl fmt::Debug for QueryOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryOptions")
            .field("max_rows", &self.max_rows)
            .field("max_bytes", &self.max_bytes)
            .field("max_read", &self.max_read)
            .field("now", &self.now)
            .field("search", &self.search.is_some())
            .field("outside", &self.outside.is_some())
            .field("ordered", &self.ordered)
            .finish_non_exhaustive()
    }
}

/// A query that has been read, with its parameters.
///
/// ```
/// use erstwhile::graph::Projection;
/// use erstwhile::policy::Policies;
/// use erstwhile::sparql::{Answer, Query, QueryOptions, RdfView, terms};
/// use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
///
/// # let projection = Projection::new(std::sync::Arc::new(Policies::shipped()));
/// let now = AsOf { valid_at: parse_moment("2024-05-01", &Zone::UTC)?, known_at: KnownAt::Latest };
/// let mut query = Query::parse("SELECT ?where FROM <asof:2016> { ?who relation:lives_in ?where }")?;
/// query.bind("who", oxrdf::NamedNode::new(terms::entity_iri("Ana"))?.into())?;
///
/// let rdf = RdfView::new(projection.snapshot().at(query.as_of(now)));
/// let Answer::Solutions(rows) = query.run(&rdf, &QueryOptions::default())? else { unreachable!() };
/// assert_eq!(rows.count(), 0, "nothing was remembered");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    parsed: Parsed,
    position: Option<Position>,
    parameters: Vec<(Variable, RdfTerm)>,
}

/// How a query would be run: the order of its patterns with the rows expected, and the evaluator's plan.
#[derive(Debug)]
pub struct Plan {
    /// The patterns of each group in the order in which they are joined.
    pub steps: Vec<Step>,
    /// The query with its groups in that order.
    pub query: String,
    /// The evaluator's plan.
    pub evaluation: QueryExplanation,
}

impl Query {
    /// Reads a query under the usual limits; the [`PREFIXES`] are known.
    ///
    /// # Errors
    /// [`SparqlError::Syntax`] with the line and the column, [`SparqlError::TooLong`], [`SparqlError::TooDeep`], [`SparqlError::TooManyParts`],
    /// [`SparqlError::TooEntangled`],
    /// [`SparqlError::Position`].
    pub fn parse(text: &str) -> Result<Self, SparqlError> {
        Self::parse_within(text, TextLimits::default(), None)
    }

    /// Reads a query under other limits, its relative IRIs against a base.
    ///
    /// # Errors
    /// As [`Query::parse`].
    pub fn parse_within(text: &str, limits: TextLimits, base: Option<&str>) -> Result<Self, SparqlError> {
        limits.check(text)?;
        let mut parser = SparqlParser::new();
        for (prefix, iri) in PREFIXES {
            parser = parser.with_prefix(prefix, iri).map_err(|error| syntax(&error.to_string()))?;
        }
        if let Some(base) = base {
            parser = parser.with_base_iri(base).map_err(|error| syntax(&format!("the base {base:?}: {error}")))?;
        }
        let mut parsed = parser.parse_query(text).map_err(|error| syntax(&error.to_string()))?;
        let position = take_position(&mut parsed)?;
        Ok(Self { parsed, position, parameters: Vec::new() })
    }

    /// The query for what a pattern matches in a dataset.
    pub(super) fn of_pattern(pattern: GraphPattern, dataset: Option<QueryDataset>) -> Result<Self, SparqlError> {
        let mut parsed = Parsed::Select { dataset, pattern, base_iri: None };
        let position = take_position(&mut parsed)?;
        Ok(Self { parsed, position, parameters: Vec::new() })
    }

    /// What it asks for.
    #[must_use]
    pub fn kind(&self) -> QueryKind {
        match self.parsed {
            Parsed::Select { .. } => QueryKind::Select,
            Parsed::Ask { .. } => QueryKind::Ask,
            Parsed::Construct { .. } => QueryKind::Construct,
            Parsed::Describe { .. } => QueryKind::Describe,
        }
    }

    /// The reading position that the query sets itself, by one `FROM <asof:…>`.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// Where it reads for somebody who stands at `given`: a position in the text comes before one given beside it.
    #[must_use]
    pub fn as_of(&self, given: AsOf) -> AsOf {
        self.position.map_or(given, |position| position.from(given))
    }

    /// Reads these graphs instead of those that its `FROM` and `FROM NAMED` name, as a request beside the text has it: the default graph is
    /// the union of `default`, and `GRAPH` ranges over `named`. One reading position alone is where it reads. Without any graph the text stays.
    ///
    /// # Errors
    /// [`SparqlError::Position`] of a reading position that cannot be read.
    pub fn read_from(&mut self, default: Vec<NamedNode>, named: Vec<NamedNode>) -> Result<(), SparqlError> {
        if default.is_empty() && named.is_empty() {
            return Ok(());
        }
        let (Parsed::Select { dataset, .. }
        | Parsed::Construct { dataset, .. }
        | Parsed::Describe { dataset, .. }
        | Parsed::Ask { dataset, .. }) = &mut self.parsed;
        *dataset = Some(QueryDataset { default, named: Some(named) });
        self.position = take_position(&mut self.parsed)?;
        Ok(())
    }

    /// Binds a variable to a term wherever it stands, in subqueries and filters too. The term is never read as text.
    ///
    /// # Errors
    /// [`SparqlError::BadParameter`], [`SparqlError::BlankParameter`], [`SparqlError::UnknownParameter`] if the query has no such variable,
    /// [`SparqlError::NoIri`] if it stands for a relation or a graph.
    pub fn bind(&mut self, name: &str, term: RdfTerm) -> Result<(), SparqlError> {
        let name = name.strip_prefix(['?', '$']).unwrap_or(name);
        let variable = Variable::new(name).map_err(|_no_name| SparqlError::BadParameter(name.to_owned()))?;
        if has_blank(&term) {
            return Err(SparqlError::BlankParameter { name: name.to_owned(), value: term.to_string() });
        }
        match rewrite::role(&self.parsed, &variable) {
            None => return Err(SparqlError::UnknownParameter(name.to_owned())),
            Some(rewrite::Role::Iri) if !matches!(term, RdfTerm::NamedNode(_)) => {
                return Err(SparqlError::NoIri { name: name.to_owned(), value: term.to_string() });
            }
            Some(rewrite::Role::Iri | rewrite::Role::Term) => {}
        }
        self.parameters.retain(|(known, _)| *known != variable);
        self.parameters.push((variable, term));
        Ok(())
    }

    /// Whether a variable of this name stands in it.
    #[must_use]
    pub fn has_variable(&self, name: &str) -> bool {
        Variable::new(name).is_ok_and(|variable| rewrite::role(&self.parsed, &variable).is_some())
    }

    /// Runs it: the answer is computed as it is read, on a thread that has [`STACK_BYTES`](super::STACK_BYTES) where the query is a stranger's.
    ///
    /// # Errors
    /// [`SparqlError::UnknownFunction`], [`SparqlError::UnknownService`] and [`SparqlError::TooManyCombined`] before anything is read;
    /// [`SparqlError::Stopped`] and what the dataset refuses while a part of it is computed that its first row needs.
    pub fn run<'a>(&self, rdf: &'a RdfView, options: &QueryOptions) -> Result<Answer<'a>, SparqlError> {
        let Prepared { mut parsed, evaluator, .. } = self.prepare(rdf, options)?;
        let overlong = Overlong::default();
        let evaluator = Meter::put(&mut parsed).equip(evaluator, &overlong);
        let results = evaluator.prepare(&parsed).execute(rdf)?;
        Answer::new(results, options, Watch { rdf, overlong })
    }

    /// How it would be run on a view. Only what the plan needs is read.
    ///
    /// # Errors
    /// As [`Query::run`].
    pub fn explain(&self, rdf: &RdfView, options: &QueryOptions) -> Result<Plan, SparqlError> {
        let Prepared { mut parsed, evaluator, steps } = self.prepare(rdf, options)?;
        let query = parsed.to_string();
        let evaluator = Meter::put(&mut parsed).equip(evaluator, &Overlong::default());
        let (results, evaluation) = evaluator.prepare(&parsed).explain(rdf);
        drop(results?);
        Ok(Plan { steps, query, evaluation })
    }

    fn prepare(&self, rdf: &RdfView, options: &QueryOptions) -> Result<Prepared, SparqlError> {
        let mut parsed = self.parsed.clone();
        let now = options.now.map(|now| Literal::new_typed_literal(now.to_string(), NamedNode::new_unchecked(vocab::XSD_DATE_TIME)));
        let mut given = Given { terms: self.parameters.iter().cloned().collect(), now, ..Given::default() };
        for (variable, term) in &self.parameters {
            given.answered.insert(variable.clone(), rdf.as_answered(term)?);
        }
        given.put(&mut parsed);
        let rows = bounds::table_rows(pattern_of(&parsed));
        if rows > options.max_read {
            return Err(SparqlError::TooManyCombined { rows, limit: options.max_read });
        }
        let mut evaluator = QueryEvaluator::new().with_cancellation_token(options.cancel.clone());
        for name in &given.functions {
            if let Some(function) = functions::function(name, rdf.base()) {
                evaluator = evaluator.with_custom_function(NamedNode::new_unchecked(name.as_str()), function);
            } else if !name.starts_with(vocab::XSD) {
                return Err(SparqlError::UnknownFunction(name.clone()));
            }
        }
        if let Some(service) = &options.search {
            let handler = Handler { service: Arc::clone(service), view: rdf.base().clone() };
            evaluator = evaluator.with_service_handler(NamedNode::new_unchecked(SEARCH), handler);
        }
        if let Some(outside) = &options.outside {
            evaluator = evaluator.with_default_service_handler(Outside(Arc::clone(outside)));
        }
        rdf.limit_reading(options.max_read, &options.cancel);
        let steps = if options.ordered { order::order(&mut parsed, rdf) } else { Vec::new() };
        Ok(Prepared { parsed, evaluator, steps })
    }
}

/// A query with its parameters in it and its groups in order.
struct Prepared {
    parsed: Parsed,
    evaluator: QueryEvaluator,
    steps: Vec<Step>,
}

/// The handler of services outside, as an evaluator takes it.
struct Outside(Arc<dyn DefaultServiceHandler<Error = QueryEvaluationError>>);

impl DefaultServiceHandler for Outside {
    type Error = QueryEvaluationError;

    fn handle(
        &self,
        service_name: &NamedNode,
        pattern: &GraphPattern,
        base_iri: Option<&Iri<String>>,
    ) -> Result<QuerySolutionIter<'static>, QueryEvaluationError> {
        self.0.handle(service_name, pattern, base_iri)
    }
}

/// As SPARQL, without its parameters.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parsed.fmt(f)
    }
}

/// Whether a term is a blank node or has one in it.
fn has_blank(term: &RdfTerm) -> bool {
    match term {
        RdfTerm::BlankNode(_) => true,
        RdfTerm::Triple(triple) => matches!(triple.subject, NamedOrBlankNode::BlankNode(_)) || has_blank(&triple.object),
        RdfTerm::NamedNode(_) | RdfTerm::Literal(_) => false,
    }
}

fn pattern_of(query: &Parsed) -> &GraphPattern {
    let (Parsed::Select { pattern, .. }
    | Parsed::Construct { pattern, .. }
    | Parsed::Describe { pattern, .. }
    | Parsed::Ask { pattern, .. }) = query;
    pattern
}

/// Takes the one `FROM <asof:…>` of a query that has no other graphs: then it is where the query reads, and not one graph among others.
fn take_position(query: &mut Parsed) -> Result<Option<Position>, SparqlError> {
    let (Parsed::Select { dataset, .. }
    | Parsed::Construct { dataset, .. }
    | Parsed::Describe { dataset, .. }
    | Parsed::Ask { dataset, .. }) = query;
    let Some(given) = dataset else { return Ok(None) };
    let [only] = given.default.as_slice() else { return Ok(None) };
    let Some(position) = Position::of_iri(only.as_str()) else { return Ok(None) };
    let position = position.map_err(|error| SparqlError::Position { iri: only.as_str().to_owned(), error })?;
    if given.named.as_ref().is_some_and(|named| !named.is_empty()) {
        return Ok(None);
    }
    *dataset = None;
    Ok(Some(position))
}

/// The parser's message, with the place that it begins with.
pub(super) fn syntax(message: &str) -> SparqlError {
    let told = message.strip_prefix("error at ").and_then(|rest| rest.split_once(": "));
    let place = told.and_then(|(place, reason)| {
        let (line, column) = place.split_once(':')?;
        Some((line.parse().ok()?, column.parse().ok()?, reason))
    });
    let (line, column, reason) = place.unwrap_or((1, 1, message));
    SparqlError::Syntax { line, column, reason: reason.to_owned() }
}
