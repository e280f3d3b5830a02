//! The terms of an answer as people read them: names, short ids, dates and numbers, with prefixes shortened.
//! Knows no query.

use super::context::Context;
use super::output::{Paint, clean, shorten};
use super::words::{Names, value};
use crate::graph::View;
use crate::model::{Term, vocab};
use crate::sparql::{PREFIXES, terms};
use oxrdf::Term as RdfTerm;

/// No term is shown wider than this.
const COLUMNS: usize = 60;

/// Datatypes whose values say by themselves what they are: they stand in a table without quotes.
const BARE: [&str; 14] = [
    "integer",
    "decimal",
    "double",
    "float",
    "int",
    "long",
    "boolean",
    "dateTime",
    "dateTimeStamp",
    "date",
    "gYear",
    "gYearMonth",
    "duration",
    "dayTimeDuration",
];

/// Writes the terms of one answer.
pub(super) struct Cells<'a> {
    view: &'a View,
    names: Names<'a>,
}

impl<'a> Cells<'a> {
    pub(super) fn new(context: &'a Context, view: &'a View) -> Self {
        Self { view, names: Names::new(&context.tenant, view, context.zone) }
    }

    /// One cell; empty where nothing is bound.
    pub(super) fn cell(&mut self, term: Option<&RdfTerm>) -> (Paint, String) {
        match term {
            None => (Paint::Plain, String::new()),
            Some(RdfTerm::NamedNode(iri)) => match iri.as_str().strip_prefix(terms::VOCABULARY) {
                Some("Certain") => (Paint::Good, "certain".to_owned()),
                Some("Possible") => (Paint::Dim, "possible".to_owned()),
                _ => (Paint::Plain, self.iri(iri.as_str())),
            },
            Some(term) => (Paint::Plain, self.text(term)),
        }
    }

    fn text(&mut self, term: &RdfTerm) -> String {
        match term {
            RdfTerm::NamedNode(iri) => self.iri(iri.as_str()),
            RdfTerm::Triple(triple) => {
                let (head, tail) = (self.text(&triple.subject.clone().into()), self.text(&triple.object));
                format!("<<( {head} {} {tail} )>>", self.iri(triple.predicate.as_str()))
            }
            RdfTerm::Literal(literal) if is_bare(literal.datatype().as_str()) => shorten(&clean(literal.value()), COLUMNS),
            RdfTerm::BlankNode(_) | RdfTerm::Literal(_) => match terms::from_rdf(term) {
                Some(term) => value(&term),
                None => shorten(&clean(&term.to_string()), COLUMNS),
            },
        }
    }

    /// An entity and a relation by the name they are shown by, a fact, a claim and an observation by the shortest id that names it alone,
    /// any other IRI with its prefix.
    fn iri(&mut self, iri: &str) -> String {
        if let Some(fact) = terms::fact_id(iri) {
            return self.names.claim(fact.0);
        }
        if let Some(claim) = terms::claim_id(iri) {
            return self.names.claim(claim);
        }
        if let Some(observation) = terms::observation_id(iri) {
            return self.names.observation(observation);
        }
        if let Some(name) = terms::decode(terms::RELATION, iri) {
            return shorten(&clean(&name), COLUMNS);
        }
        let entity = terms::from_iri(iri);
        if let Term::Name(_) = entity {
            let shown = self.view.term_id(entity.as_ref()).and_then(|id| self.view.term(id));
            return value(&shown.unwrap_or(entity));
        }
        shorten(&clean(&prefixed(iri).unwrap_or_else(|| format!("<{iri}>"))), COLUMNS)
    }
}

fn is_bare(datatype: &str) -> bool {
    datatype == "erst:moment" || datatype.strip_prefix(vocab::XSD).is_some_and(|name| BARE.contains(&name))
}

/// An IRI with one of the prefixes that a query need not declare; `None` where the rest is no plain name.
fn prefixed(iri: &str) -> Option<String> {
    let (prefix, local) = PREFIXES.iter().find_map(|(prefix, whole)| Some((prefix, iri.strip_prefix(whole)?)))?;
    let is_plain = !local.is_empty() && local.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'));
    is_plain.then(|| format!("{prefix}:{local}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_shortened_where_the_rest_is_a_name() {
        for (iri, short) in [
            ("http://www.w3.org/ns/prov#wasDerivedFrom", Some("prov:wasDerivedFrom")),
            ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", Some("rdf:type")),
            ("erst:Open", Some("erst:Open")),
            ("asof:2019-06", Some("asof:2019-06")),
            ("http://www.w3.org/ns/prov#", None),
            ("http://www.w3.org/ns/prov#a/b", None),
            ("http://example.org/x", None),
        ] {
            assert_eq!(prefixed(iri).as_deref(), short, "{iri}");
        }
    }
}
