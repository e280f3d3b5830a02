//! What a service can do, and how much a memory holds, as triples: SPARQL 1.1 Service Description and `VoID`.
//!
//! Owns the words of these vocabularies. Counts by queries, under the limits of any other one.

use super::refusal::Refusal;
use crate::graph::View;
use crate::model::vocab;
use crate::sparql::{Answer, Query, QueryOptions, RdfView, SparqlError};
use axum::http::StatusCode;
use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple};
use oxrdfio::{RdfFormat, RdfSerializer};
use std::io::Write;

const SD: &str = "http://www.w3.org/ns/sparql-service-description#";
const VOID: &str = "http://rdfs.org/ns/void#";
const FORMATS: &str = "http://www.w3.org/ns/formats/";
const FORMAT_NAMES: [&str; 10] = [
    "SPARQL_Results_JSON",
    "SPARQL_Results_XML",
    "SPARQL_Results_CSV",
    "SPARQL_Results_TSV",
    "Turtle",
    "N-Triples",
    "JSON-LD",
    "RDF_XML",
    "TriG",
    "N-Quads",
];

/// How many triples, subjects and objects there are, and how many triples of each predicate.
const TRIPLES: &str = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }";
const SUBJECTS: &str = "SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o }";
const OBJECTS: &str = "SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s ?p ?o }";
const PREDICATES: &str = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p ORDER BY ?p";

/// Triples about a few resources, in the order in which they are told.
struct Telling(Vec<Triple>);

impl Telling {
    fn tell(&mut self, subject: impl Into<NamedOrBlankNode>, predicate: &NamedNode, object: impl Into<Term>) {
        self.0.push(Triple::new(subject, predicate.clone(), object));
    }
}

fn word(vocabulary: &str, name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{vocabulary}{name}"))
}

/// A blank node of a label that nothing else has in the same document.
fn blank(label: &str) -> BlankNode {
    BlankNode::new_unchecked(label)
}

/// What the service at an endpoint can do, and the contexts that its default dataset has.
pub(super) fn service(endpoint: &NamedNode, update: bool, contexts: &[String]) -> Vec<Triple> {
    let a = word(vocab::RDF, "type");
    let mut told = Telling(Vec::new());
    let (service, dataset, graph) = (blank("service"), blank("dataset"), blank("default"));
    told.tell(service.clone(), &a, word(SD, "Service"));
    told.tell(service.clone(), &word(SD, "endpoint"), endpoint.clone());
    told.tell(service.clone(), &word(SD, "supportedLanguage"), word(SD, "SPARQL11Query"));
    if update {
        told.tell(service.clone(), &word(SD, "supportedLanguage"), word(SD, "SPARQL11Update"));
    }
    for name in FORMAT_NAMES {
        told.tell(service.clone(), &word(SD, "resultFormat"), word(FORMATS, name));
    }
    told.tell(service.clone(), &word(SD, "defaultDataset"), dataset.clone());
    told.tell(dataset.clone(), &a, word(SD, "Dataset"));
    told.tell(dataset.clone(), &word(SD, "defaultGraph"), graph.clone());
    told.tell(graph, &a, word(SD, "Graph"));
    for (number, context) in contexts.iter().enumerate() {
        let named = blank(&format!("named{number}"));
        told.tell(dataset.clone(), &word(SD, "namedGraph"), named.clone());
        told.tell(named.clone(), &a, word(SD, "NamedGraph"));
        told.tell(named, &word(SD, "name"), NamedNode::new_unchecked(context));
    }
    told.0
}

/// How much the default graph holds at the view's position.
pub(super) fn statistics(endpoint: &NamedNode, view: &View, options: &QueryOptions) -> Result<Vec<Triple>, SparqlError> {
    let a = word(vocab::RDF, "type");
    let rdf = RdfView::new(view.clone());
    let mut told = Telling(Vec::new());
    let dataset = blank("dataset");
    told.tell(dataset.clone(), &a, word(VOID, "Dataset"));
    told.tell(dataset.clone(), &word(VOID, "sparqlEndpoint"), endpoint.clone());
    for (name, query) in [("triples", TRIPLES), ("distinctSubjects", SUBJECTS), ("distinctObjects", OBJECTS)] {
        for (_, count) in counts(&rdf, options, query)? {
            told.tell(dataset.clone(), &word(VOID, name), count);
        }
    }
    let predicates = counts(&rdf, options, PREDICATES)?;
    told.tell(dataset.clone(), &word(VOID, "properties"), Literal::from(i64::try_from(predicates.len()).unwrap_or(i64::MAX)));
    for (number, (predicate, count)) in predicates.into_iter().enumerate() {
        let Some(predicate) = predicate else { continue };
        let part = blank(&format!("property{number}"));
        told.tell(dataset.clone(), &word(VOID, "propertyPartition"), part.clone());
        told.tell(part.clone(), &word(VOID, "property"), predicate);
        told.tell(part, &word(VOID, "triples"), count);
    }
    Ok(told.0)
}

/// The rows of a query that counts `?n`, for each `?p` where it has one.
fn counts(rdf: &RdfView, options: &QueryOptions, query: &str) -> Result<Vec<(Option<Term>, Term)>, SparqlError> {
    let Answer::Solutions(rows) = Query::parse(query)?.run(rdf, options)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for row in rows {
        let row = row?;
        if let Some(count) = row.get("n") {
            found.push((row.get("p").cloned(), count.clone()));
        }
    }
    Ok(found)
}

/// Writes triples.
pub(super) fn write(triples: &[Triple], format: RdfFormat, out: impl Write) -> Result<(), Refusal> {
    let broken = |error: &dyn std::fmt::Display| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    let mut serializer = RdfSerializer::from_format(format);
    for (prefix, iri) in [("sd", SD), ("void", VOID), ("formats", FORMATS)] {
        serializer = serializer.with_prefix(prefix, iri).map_err(|error| broken(&error))?;
    }
    let mut writer = serializer.for_writer(out);
    for triple in triples {
        writer.serialize_triple(triple).map_err(|error| broken(&error))?;
    }
    writer.finish().and_then(|mut out| out.flush()).map_err(|error| broken(&error))
}
