//! Triples to a stream in any RDF format, one after the other.
//!
//! Owns what each format can hold and how what is said of a statement is tied to it. Knows nothing of what the triples are about.

use super::error::SparqlError;
use super::query::PREFIXES;
use super::terms;
use crate::model::vocab;
use oxrdf::{GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term, Triple};
use oxrdfio::{RdfFormat, RdfSerializer, WriterQuadSerializer};
use std::io::Write;

/// A stream of quads that is being written.
pub(super) struct RdfWriter<W: Write> {
    out: WriterQuadSerializer<W>,
    format: RdfFormat,
    graph: GraphName,
}

impl<W: Write> RdfWriter<W> {
    /// Begins to write; formats with prefixes use [`PREFIXES`].
    pub(super) fn new(format: RdfFormat, out: W) -> Result<Self, SparqlError> {
        let mut serializer = RdfSerializer::from_format(format);
        for (prefix, iri) in PREFIXES.into_iter().chain([("record", terms::RECORD)]) {
            serializer = serializer.with_prefix(prefix, iri).map_err(|error| SparqlError::Format(error.to_string()))?;
        }
        Ok(Self { out: serializer.for_writer(out), format, graph: GraphName::DefaultGraph })
    }

    /// What is written from here on is in this graph.
    pub(super) fn in_graph(&mut self, graph: GraphName) {
        self.graph = graph;
    }

    /// Writes a triple.
    ///
    /// # Errors
    /// [`SparqlError::Format`] of what the format cannot hold; [`SparqlError::Write`].
    pub(super) fn triple(&mut self, subject: &NamedOrBlankNode, predicate: NamedNode, object: Term) -> Result<(), SparqlError> {
        if self.format == RdfFormat::RdfXml {
            check_xml(&predicate, &object)?;
        }
        let quad = Quad { subject: subject.clone(), predicate, object, graph_name: self.graph.clone() };
        Ok(self.out.serialize_quad(&quad)?)
    }

    /// Says which statement `reifier` speaks of: by a triple term, or in a format without them in the way of RDF 1.1.
    ///
    /// # Errors
    /// As [`RdfWriter::triple`].
    pub(super) fn reifies(&mut self, reifier: &NamedOrBlankNode, statement: Triple) -> Result<(), SparqlError> {
        if !matches!(self.format, RdfFormat::JsonLd { .. }) {
            return self.triple(reifier, node(vocab::RDF_REIFIES), statement.into());
        }
        self.triple(reifier, node(vocab::RDF_SUBJECT), statement.subject.into())?;
        self.triple(reifier, node(vocab::RDF_PREDICATE), statement.predicate.into())?;
        self.triple(reifier, node(vocab::RDF_OBJECT), statement.object)
    }

    /// Whether a text can be written as it is and is read back so.
    pub(super) fn holds_text(&self, text: &str) -> bool {
        self.format != RdfFormat::RdfXml || text.chars().all(is_kept_by_xml)
    }

    /// Whether a triple may have this predicate.
    pub(super) fn holds_predicate(&self, predicate: &NamedNode) -> bool {
        self.format != RdfFormat::RdfXml || ends_in_a_name(predicate.as_str())
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// [`SparqlError::Write`].
    pub(super) fn finish(self) -> Result<W, SparqlError> {
        let mut out = self.out.finish()?;
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> std::fmt::Debug for RdfWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RdfWriter").field("format", &self.format).field("graph", &self.graph).finish_non_exhaustive()
    }
}

/// An IRI that is known to be one.
pub(super) fn node(iri: impl Into<String>) -> NamedNode {
    NamedNode::new_unchecked(iri)
}

/// A plain text.
pub(super) fn text(text: &str) -> Term {
    Literal::new_simple_literal(text).into()
}

/// Whether the reader of an XML file gets the character as it was written.
fn is_kept_by_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..) && !('\u{7f}'..='\u{9f}').contains(&c)
}

/// Whether an IRI can be the name of an element: it ends in something that XML takes for a name.
fn ends_in_a_name(iri: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let local = iri.rfind(|c| !is_name(c)).and_then(|at| iri.get(at..)).unwrap_or_default();
    local.contains(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn check_xml(predicate: &NamedNode, object: &Term) -> Result<(), SparqlError> {
    let iri = predicate.as_str();
    if !ends_in_a_name(iri) {
        return Err(SparqlError::Format(format!("RDF/XML cannot hold the property <{iri}>: it does not end in a name")));
    }
    match object {
        Term::Literal(literal) => match literal.value().chars().find(|c| !is_kept_by_xml(*c)) {
            Some(c) => Err(SparqlError::Format(format!("RDF/XML cannot hold U+{:04X}, which is in a value of <{iri}>", u32::from(c)))),
            None => Ok(()),
        },
        Term::Triple(triple) => check_xml(&triple.predicate, &triple.object),
        Term::NamedNode(_) | Term::BlankNode(_) => Ok(()),
    }
}
