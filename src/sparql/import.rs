//! RDF that others wrote as claims: triples with the intervals that are told of them, one observation for each.
//!
//! Owns which statements are annotations of others, how an annotation is read as a span, and what no claim can hold. Knows no file.
//!
//! A file is read twice. The first time only what is said about statements and instants is kept; the second time each triple becomes a
//! claim. So memory grows with the annotations of a file and not with its triples, and an annotation may stand before its triple or after.

use super::graphs::{AS_OF, HISTORY, META};
use super::quads::{QuadReader, RdfReadError};
use super::terms;
use super::words::Word;
use crate::model::{Claim, Polarity, READY, Source, Term, TermRef, vocab};
use crate::observe::{Incoming, ObservedAt, Rejection};
use crate::resolve::identity;
use crate::time::{End, Moment, Span, Start, Zone, parse_end, parse_moment, parse_start};
use oxrdf::{GraphName, NamedOrBlankNode, Quad, Term as RdfTerm, Triple};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// When a triple holds of which nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plain {
    /// Always: it has no beginning and no end.
    #[default]
    Permanent,
    /// It was so when it was observed, and began some time before.
    By,
}

/// How RDF becomes claims.
#[derive(Clone, Debug)]
pub struct RdfOptions {
    /// When the file was observed.
    pub observed_at: ObservedAt,
    /// Who says so.
    pub source: Source,
    /// When plain triples hold.
    pub plain: Plain,
    /// Keeps the blank nodes of this file apart from those of others: each label gets a suffix made from it.
    pub blank_scope: String,
}

/// Properties of statements that tell how it stands in a memory: they are derived again, and not read.
const DERIVED: [&str; 12] = [
    "erst:certainFrom",
    "erst:certainTo",
    "erst:txFrom",
    "erst:txTo",
    "erst:certainty",
    "erst:status",
    "erst:closedBy",
    "erst:supportedBy",
    "erst:contestedWith",
    vocab::PROV_DERIVED_FROM,
    vocab::PROV_PRIMARY_SOURCE,
    vocab::RDF_TYPE,
];
/// Properties of OWL-Time from an instant to its date.
const DATES: [&str; 6] = [
    vocab::TIME_IN_DATE_TIME,
    "http://www.w3.org/2006/time#inXSDDateTime",
    "http://www.w3.org/2006/time#inXSDDate",
    "http://www.w3.org/2006/time#inXSDgYearMonth",
    "http://www.w3.org/2006/time#inXSDgYear",
    "http://www.w3.org/2006/time#inDateTime",
];

/// Which property of a statement's interval, or of the claim, a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aspect {
    Start,
    End,
    From,
    To,
    Begins,
    Ends,
    Confidence,
    Importance,
}

impl Aspect {
    fn of(iri: &str) -> Option<Self> {
        match Word::of(iri)? {
            Word::Start => Some(Self::Start),
            Word::End => Some(Self::End),
            Word::ValidFrom => Some(Self::From),
            Word::ValidTo => Some(Self::To),
            Word::HasBeginning => Some(Self::Begins),
            Word::HasEnd => Some(Self::Ends),
            Word::Confidence => Some(Self::Confidence),
            Word::Importance => Some(Self::Importance),
            Word::Reifies
            | Word::Type
            | Word::Label
            | Word::AltLabel
            | Word::CertainFrom
            | Word::CertainTo
            | Word::TxFrom
            | Word::TxTo
            | Word::Status
            | Word::Certainty
            | Word::ClosedBy
            | Word::SupportedBy
            | Word::ContestedWith
            | Word::ObservedAt
            | Word::InDateTime
            | Word::DerivedFrom
            | Word::PrimarySource => None,
        }
    }
}

/// A statement in a graph.
pub(super) type Statement = (Triple, GraphName);

/// What speaks of a statement, and what it says.
#[derive(Debug)]
struct Reifier {
    statements: Vec<Statement>,
    aspects: Vec<(Aspect, RdfTerm)>,
    /// Its parts in the way of RDF 1.1.
    parts: [Option<RdfTerm>; 3],
    graph: GraphName,
    line: u64,
}

/// Everything that a file says about statements.
#[derive(Debug, Default)]
pub struct Annotations {
    reifiers: FxHashMap<NamedOrBlankNode, usize>,
    told: Vec<Reifier>,
    dates: FxHashMap<NamedOrBlankNode, String>,
    /// The instants at which intervals of statements begin and end: their dates are no data of their own.
    instants: FxHashSet<NamedOrBlankNode>,
    /// The reifiers of each statement, in the order they come.
    of: FxHashMap<Statement, Vec<usize>>,
}

impl Annotations {
    /// Reads what a file says about its statements, to its end.
    ///
    /// # Errors
    /// [`RdfReadError`] of what stops the reading.
    pub fn read(quads: &mut QuadReader) -> Result<Self, RdfReadError> {
        let mut annotations = Self::default();
        while let Some((line, quad)) = quads.next_quad()? {
            if let Ok(quad) = quad {
                annotations.take(quad, line);
            }
        }
        annotations.finish();
        Ok(annotations)
    }

    /// The annotations among these quads.
    #[must_use]
    pub fn among(quads: &[Quad]) -> Self {
        let mut annotations = Self::default();
        for quad in quads {
            annotations.take(quad.clone(), 0);
        }
        annotations.finish();
        annotations
    }

    fn take(&mut self, quad: Quad, line: u64) {
        let predicate = quad.predicate.as_str();
        let part = [vocab::RDF_SUBJECT, vocab::RDF_PREDICATE, vocab::RDF_OBJECT].iter().position(|known| *known == predicate);
        if let Some(aspect) = Aspect::of(predicate) {
            self.reifier(quad.subject, quad.graph_name, line).aspects.push((aspect, quad.object));
        } else if let Some(part) = part {
            let reifier = self.reifier(quad.subject, quad.graph_name, line);
            if let Some(slot) = reifier.parts.get_mut(part) {
                slot.get_or_insert(quad.object);
            }
        } else if predicate == vocab::RDF_REIFIES
            && let RdfTerm::Triple(triple) = quad.object
        {
            let graph = quad.graph_name.clone();
            self.reifier(quad.subject, quad.graph_name, line).statements.push((*triple, graph));
        } else if DATES.contains(&predicate)
            && let RdfTerm::Literal(date) = quad.object
        {
            self.dates.entry(quad.subject).or_insert_with(|| date.value().to_owned());
        }
    }

    fn reifier(&mut self, node: NamedOrBlankNode, graph: GraphName, line: u64) -> &mut Reifier {
        let next = self.told.len();
        let number = *self.reifiers.entry(node).or_insert(next);
        if number == next {
            self.told.push(Reifier { statements: Vec::new(), aspects: Vec::new(), parts: [None, None, None], graph, line });
        }
        let last = self.told.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "a number is given with its place, and one was added if there was none")]
        &mut self.told[number.min(last)]
    }

    /// Ties what was said to the statements it is said of; what speaks of none is no annotation.
    fn finish(&mut self) {
        for reifier in &mut self.told {
            // In RDF 1.1 a statement is only an annotation where an interval is told of it: else it may be data.
            if let [Some(subject), Some(RdfTerm::NamedNode(predicate)), Some(object)] = &reifier.parts
                && !reifier.aspects.is_empty()
                && let Ok(subject) = NamedOrBlankNode::try_from(subject.clone())
            {
                let triple = Triple::new(subject, predicate.clone(), object.clone());
                reifier.statements.push((triple, reifier.graph.clone()));
            }
        }
        for (number, reifier) in self.told.iter().enumerate() {
            for statement in &reifier.statements {
                self.of.entry(statement.clone()).or_default().push(number);
            }
            if !reifier.statements.is_empty() {
                let bounds = reifier.aspects.iter().filter(|(aspect, _)| matches!(aspect, Aspect::Begins | Aspect::Ends));
                self.instants.extend(bounds.filter_map(|(_, value)| NamedOrBlankNode::try_from(value.clone()).ok()));
            }
        }
    }

    /// What a node that speaks of a statement says; `None` of one that speaks of none.
    fn speaker(&self, node: &NamedOrBlankNode) -> Option<&Reifier> {
        let reifier = self.told.get(*self.reifiers.get(node)?)?;
        (!reifier.statements.is_empty()).then_some(reifier)
    }

    /// Whether a quad is (part of) an annotation; an error of one that says something of a statement that no claim can hold.
    fn is_annotation(&self, quad: &Quad) -> Result<bool, String> {
        let predicate = quad.predicate.as_str();
        if predicate == vocab::RDF_REIFIES && matches!(quad.object, RdfTerm::Triple(_)) {
            return Ok(true);
        }
        let Some(reifier) = self.speaker(&quad.subject) else {
            let is_date = DATES.contains(&predicate) || predicate == vocab::RDF_TYPE;
            return Ok(is_date && self.instants.contains(&quad.subject));
        };
        let is_part = [vocab::RDF_SUBJECT, vocab::RDF_PREDICATE, vocab::RDF_OBJECT].contains(&predicate);
        if Aspect::of(predicate).is_some() || DERIVED.contains(&predicate) || is_part && reifier.parts.iter().all(Option::is_some) {
            return Ok(true);
        }
        Err(format!("<{predicate}> is said of a statement, and no claim can hold that"))
    }

    /// The claim's span and weights that one reifier tells.
    fn reading(&self, reifier: &Reifier, plain: Span) -> Result<(Span, Option<f64>, Option<f64>), String> {
        let mut start: Option<(u8, Start)> = None;
        let mut end: Option<(u8, End)> = None;
        let (mut confidence, mut importance) = (None, None);
        for (aspect, value) in &reifier.aspects {
            // What tells more exactly comes first: the bound as known, then its date, then its instant.
            match aspect {
                Aspect::Start => better(&mut start, 0, parse_start(text_of(value)?, &Zone::UTC).map_err(told)?),
                Aspect::End => better(&mut end, 0, parse_end(text_of(value)?, &Zone::UTC).map_err(told)?),
                Aspect::From => better(&mut start, 1, Some(Start::At(date(text_of(value)?)?))),
                Aspect::To => better(&mut end, 1, Some(End::At(date(text_of(value)?)?))),
                Aspect::Begins => better(&mut start, 2, Some(Start::At(self.instant(value)?))),
                Aspect::Ends => better(&mut end, 2, Some(End::At(self.instant(value)?))),
                Aspect::Confidence => confidence = Some(weight(value)?),
                Aspect::Importance => importance = Some(weight(value)?),
            }
        }
        let span = match (start.map(|(_, start)| start), end.map(|(_, end)| end)) {
            (None, None | Some(End::Open)) => plain,
            (start, end) => Span::new(start.unwrap_or(Start::Unknown), end.unwrap_or(End::Open)).map_err(told)?,
        };
        Ok((span, confidence, importance))
    }

    /// The claims of the statements that one reifier speaks of and that no triple makes.
    fn unmade(&self, number: usize, plain: Span, suffix: Option<&str>) -> Result<Vec<Claim>, String> {
        let Some(reifier) = self.told.get(number).filter(|reifier| !reifier.statements.is_empty()) else { return Ok(Vec::new()) };
        if reifier.aspects.iter().all(|(aspect, _)| matches!(aspect, Aspect::Confidence | Aspect::Importance)) {
            return Err("a statement is spoken of that no triple makes, and no interval says when it was so".to_owned());
        }
        let reading = self.reading(reifier, plain)?;
        let claims = reifier.statements.iter().map(|statement| bare_claim(statement, plain, suffix)).collect::<Result<Vec<_>, _>>()?;
        Ok(claims.into_iter().flatten().map(|claim| weighted(claim, reading)).collect())
    }

    /// The date of an instant of OWL-Time.
    fn instant(&self, value: &RdfTerm) -> Result<Moment, String> {
        let node = NamedOrBlankNode::try_from(value.clone()).map_err(|_literal| format!("{value} is no instant"))?;
        if let NamedOrBlankNode::NamedNode(iri) = &node
            && let Some(text) = iri.as_str().strip_prefix(terms::INSTANT)
        {
            return date(text);
        }
        date(self.dates.get(&node).ok_or_else(|| format!("the file does not tell when {value} is"))?)
    }
}

/// Keeps the bound that is told most exactly.
fn better<T>(known: &mut Option<(u8, T)>, rank: u8, told: Option<T>) {
    if let Some(told) = told
        && known.as_ref().is_none_or(|(other, _)| rank < *other)
    {
        *known = Some((rank, told));
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn date(text: &str) -> Result<Moment, String> {
    parse_moment(text, &Zone::UTC).map_err(told)
}

fn text_of(term: &RdfTerm) -> Result<&str, String> {
    if let RdfTerm::Literal(literal) = term { Ok(literal.value()) } else { Err(format!("{term} is no date")) }
}

fn weight(term: &RdfTerm) -> Result<f64, String> {
    let number = if let RdfTerm::Literal(literal) = term { literal.value().parse::<f64>().ok() } else { None };
    number.filter(|number| (0.0..=1.0).contains(number)).ok_or_else(|| format!("{term} is not within 0 to 1"))
}

/// The span that a triple has of which nothing is said.
#[must_use]
pub(super) fn plain_span(plain: Plain, observed_at: ObservedAt) -> Option<Span> {
    let start = match plain {
        Plain::Permanent => Start::Always,
        Plain::By => Start::By(observed_at.by),
    };
    Span::new(start, End::Open).ok()
}

/// The claims that a quad makes, each with the span of one annotation, or with the plain one.
///
/// # Errors
/// Why no claim can hold it.
pub(super) fn claims_of(quad: &Quad, annotations: &Annotations, plain: Span, suffix: Option<&str>) -> Result<Vec<Claim>, String> {
    if annotations.is_annotation(quad)? {
        return Ok(Vec::new());
    }
    let statement = (Triple::new(quad.subject.clone(), quad.predicate.clone(), quad.object.clone()), quad.graph_name.clone());
    let numbers = annotations.of.get(&statement).map(Vec::as_slice).unwrap_or_default();
    let Some(claim) = bare_claim(&statement, plain, suffix)? else { return Ok(Vec::new()) };
    let readings: Vec<_> = numbers
        .iter()
        .filter_map(|number| annotations.told.get(*number))
        .map(|reifier| annotations.reading(reifier, plain))
        .collect::<Result<_, _>>()?;
    if readings.is_empty() {
        return Ok(vec![claim]);
    }
    Ok(readings.into_iter().map(|reading| weighted(claim.clone(), reading)).collect())
}

/// The claims of all the quads of one change, whose blank nodes have their labels already; and which of the quads are annotations.
///
/// # Errors
/// Why no claim can hold one of them.
pub(super) fn claims_of_all(quads: &[Quad], plain: Span) -> Result<(Vec<Claim>, Vec<bool>), String> {
    let annotations = Annotations::among(quads);
    let mut used = vec![false; annotations.told.len()];
    let (mut claims, mut annotated) = (Vec::with_capacity(quads.len()), Vec::with_capacity(quads.len()));
    for quad in quads {
        annotated.push(annotations.is_annotation(quad)?);
        claims.extend(claims_of(quad, &annotations, plain, None)?);
        let statement = (Triple::from(quad.clone()), quad.graph_name.clone());
        for number in annotations.of.get(&statement).into_iter().flatten() {
            if let Some(used) = used.get_mut(*number) {
                *used = true;
            }
        }
    }
    for (number, used) in used.into_iter().enumerate() {
        if !used {
            claims.extend(annotations.unmade(number, plain, None)?);
        }
    }
    Ok((claims, annotated))
}

/// The claim that a statement ended.
///
/// # Errors
/// Why no claim can hold it.
pub(super) fn claim_that_ends(statement: &Statement, over: Span) -> Result<Option<Claim>, String> {
    Ok(bare_claim(statement, over, None)?.map(|claim| Claim { polarity: Polarity::Ends, ..claim }))
}

fn weighted(claim: Claim, (span, confidence, importance): (Span, Option<f64>, Option<f64>)) -> Claim {
    let (confidence, importance) = (confidence.unwrap_or(claim.confidence), importance.unwrap_or(claim.importance));
    Claim { span, confidence, importance, ..claim }
}

/// The claim of a statement; `None` of one that a name says by itself: the label of `entity:` with the same normal form.
fn bare_claim((triple, graph): &Statement, span: Span, suffix: Option<&str>) -> Result<Option<Claim>, String> {
    let context = match graph {
        GraphName::DefaultGraph => None,
        GraphName::BlankNode(node) => return Err(format!("the graph {node} has no IRI, which the context of a claim needs")),
        GraphName::NamedNode(iri) => Some(writable_graph(iri.as_str())?),
    };
    let scoped = |term: Term| match (term, suffix) {
        (Term::Blank(label), Some(suffix)) => Term::Blank(format!("{label}.{suffix}")),
        (term, _) => term,
    };
    let head = match &triple.subject {
        NamedOrBlankNode::NamedNode(iri) => terms::from_iri(iri.as_str()),
        NamedOrBlankNode::BlankNode(node) => Term::Blank(node.as_str().to_owned()),
    };
    let tail = terms::from_rdf(&triple.object).ok_or_else(|| match &triple.object {
        RdfTerm::Triple(_) => "a triple as object cannot stand in a claim".to_owned(),
        other @ (RdfTerm::NamedNode(_) | RdfTerm::BlankNode(_) | RdfTerm::Literal(_)) => {
            format!("{other} has a base direction, which no claim can hold")
        }
    })?;
    if triple.predicate.as_str() == vocab::RDFS_LABEL
        && let (Term::Name(name), Term::Literal(label)) = (&head, &tail)
        && label.datatype.is_none()
    {
        let (mut named, mut labelled) = (String::new(), String::new());
        identity(TermRef::Name(name), &mut named);
        identity(TermRef::Name(&label.lexical), &mut labelled);
        if named == labelled {
            return Ok(None);
        }
    }
    let (head, tail) = (scoped(head), scoped(tail));
    for term in [&head, &tail] {
        term.check().map_err(told)?;
    }
    Ok(Some(Claim {
        head,
        relation: terms::relation_name(triple.predicate.as_str()),
        tail,
        polarity: Polarity::Holds,
        span,
        seen_at: None,
        confidence: 1.0,
        importance: 0.5,
        context,
        corrects: None,
        quote: None,
        extractor: READY.to_owned(),
    }))
}

/// The context that a graph's IRI names; those that name reading positions cannot be written.
///
/// # Errors
/// Why not.
pub(super) fn writable_graph(iri: &str) -> Result<String, String> {
    if iri.starts_with(AS_OF) || iri == HISTORY || iri == META {
        return Err(format!("<{iri}> is where the memory is read, and nothing can be written there"));
    }
    Term::Iri(iri.to_owned()).check().map_err(told)?;
    Ok(iri.to_owned())
}

/// What a label of a blank node gets so that it is apart from those of other files.
#[must_use]
pub(super) fn suffix_of(scope: &str) -> String {
    blake3::hash(scope.as_bytes()).to_hex().chars().take(12).collect()
}

/// The observations of a file of RDF, one for each claim, in its order; statements that are told of and not made come last.
#[derive(Debug)]
pub struct RdfClaims {
    quads: QuadReader,
    annotations: Annotations,
    options: RdfOptions,
    suffix: String,
    plain: Option<Span>,
    /// Which annotations were tied to a triple.
    used: Vec<bool>,
    ready: VecDeque<Result<Incoming, Rejection>>,
    ended: bool,
}

impl RdfClaims {
    /// Begins to read a file for the second time.
    #[must_use]
    pub fn new(quads: QuadReader, annotations: Annotations, options: RdfOptions) -> Self {
        let (suffix, plain) = (suffix_of(&options.blank_scope), plain_span(options.plain, options.observed_at));
        let used = vec![false; annotations.told.len()];
        Self { quads, annotations, options, suffix, plain, used, ready: VecDeque::new(), ended: false }
    }

    fn take(&mut self, claims: Result<Vec<Claim>, String>, line: u64) {
        match claims {
            Ok(claims) => {
                for claim in claims {
                    let incoming = Incoming::from_claims(self.options.observed_at.at, self.options.source.clone(), vec![claim]);
                    self.ready.push_back(Ok(Incoming { line, ..incoming }));
                }
            }
            Err(reason) => self.ready.push_back(Err(Rejection { line, field: None, reason })),
        }
    }

    fn take_quad(&mut self, quad: &Quad, line: u64) {
        let Some(plain) = self.plain else { return };
        let statement = (Triple::new(quad.subject.clone(), quad.predicate.clone(), quad.object.clone()), quad.graph_name.clone());
        for number in self.annotations.of.get(&statement).into_iter().flatten() {
            if let Some(used) = self.used.get_mut(*number) {
                *used = true;
            }
        }
        let claims = claims_of(quad, &self.annotations, plain, Some(&self.suffix));
        self.take(claims, line);
    }

    /// Statements that are told of and that no triple makes: with an interval they say when it was so.
    fn rest(&mut self) {
        let Some(plain) = self.plain else { return };
        for number in (0..self.used.len()).filter(|number| self.used.get(*number) == Some(&false)).collect::<Vec<_>>() {
            let Some(line) = self.annotations.told.get(number).map(|reifier| reifier.line) else { continue };
            let claims = self.annotations.unmade(number, plain, Some(&self.suffix));
            self.take(claims, line);
        }
    }
}

impl Iterator for RdfClaims {
    type Item = Result<Result<Incoming, Rejection>, RdfReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(Ok(ready));
            }
            if self.ended {
                return None;
            }
            match self.quads.next_quad() {
                Ok(Some((line, Ok(quad)))) => self.take_quad(&quad, line),
                Ok(Some((line, Err(reason)))) => self.ready.push_back(Err(Rejection { line, field: None, reason })),
                Ok(None) => {
                    self.ended = true;
                    self.rest();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
