//! A memory told in words for the tests of SPARQL, and answers as sorted lines of text. Knows no assertion.

#![cfg(test)]
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of this")]

use erstwhile::graph::Projection;
use erstwhile::ledger::RecordRow;
use erstwhile::model::{Authority, ClaimId, FactId, ObservationId, Polarity, Term};
use erstwhile::policy::Policies;
use erstwhile::sparql::{Answer, Query, QueryOptions, RdfView, SparqlError};
use erstwhile::time::{AsOf, Instant, KnownAt, Span, Zone, parse_moment, parse_span};
use std::sync::Arc;

/// A projection that is told claims one by one, each at a transaction of its own, from one microsecond on.
pub struct Told {
    pub projection: Projection,
    tx: i64,
}

impl Told {
    pub fn new() -> Self {
        Self { projection: Projection::new(Arc::new(Policies::shipped())), tx: 0 }
    }

    pub fn claim(&mut self, head: &Term, relation: &str, tail: &Term, span: Span, context: Option<&str>) -> FactId {
        self.tx += 1;
        let tx = Instant::from_micros(self.tx);
        let observation = ObservationId::from_bytes(u128::from(self.tx.unsigned_abs()).to_be_bytes());
        let seq = self.tx.unsigned_abs();
        self.projection.stage(RecordRow::Observation { seq, tx, id: observation, observed_at: tx, authority: Authority::User });
        let id = ClaimId { observation, ordinal: 0 };
        self.projection.stage(RecordRow::Claim {
            seq,
            tx,
            id,
            head: head.as_ref(),
            relation,
            tail: tail.as_ref(),
            polarity: Polarity::Holds,
            span,
            seen_at: None,
            confidence: 0.9,
            importance: 0.5,
            context,
            corrects_claim: None,
            corrects_tail: None,
        });
        FactId(id)
    }

    /// A user says it; terms as the memory writes them, dates as people do.
    pub fn say(&mut self, head: &str, relation: &str, tail: &str, from: &str, to: Option<&str>) -> FactId {
        let span = parse_span(Some(from), to, &Zone::UTC).unwrap();
        let fact = self.claim(&Term::parse(head).unwrap(), relation, &Term::parse(tail).unwrap(), span, None);
        self.projection.publish();
        fact
    }

    pub fn rdf(&self, valid_at: &str) -> RdfView {
        RdfView::new(self.projection.snapshot().at(at(valid_at)))
    }

    /// The answer to a query at a date, as sorted lines.
    pub fn ask(&self, valid_at: &str, query: &str) -> Vec<String> {
        let query = Query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let rdf = RdfView::new(self.projection.snapshot().at(query.as_of(at(valid_at))));
        lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap()
    }
}

pub fn at(valid_at: &str) -> AsOf {
    AsOf { valid_at: parse_moment(valid_at, &Zone::UTC).unwrap(), known_at: KnownAt::Latest }
}

/// Rows with their values in column order, triples, or yes or no; sorted.
pub fn lines(answer: Answer<'_>) -> Result<Vec<String>, SparqlError> {
    let mut lines = match answer {
        Answer::Boolean(answer) => vec![answer.to_string()],
        Answer::Solutions(rows) => {
            let value = |value: &Option<oxrdf::Term>| value.as_ref().map_or_else(|| "-".to_owned(), short);
            rows.map(|row| row.map(|row| row.values().iter().map(value).collect::<Vec<_>>().join(" "))).collect::<Result<Vec<_>, _>>()?
        }
        Answer::Graph(triples) => {
            let line = |triple: oxrdf::Triple| {
                format!("{} {} {}", short(&triple.subject.into()), short(&triple.predicate.into()), short(&triple.object))
            };
            triples.map(|triple| triple.map(line)).collect::<Result<Vec<_>, _>>()?
        }
    };
    lines.sort();
    Ok(lines)
}

/// A term without its angle brackets and without the schemes that every answer has.
fn short(term: &oxrdf::Term) -> String {
    let text = term.to_string();
    let bare = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(&text);
    let bare = bare.strip_prefix("entity:").or_else(|| bare.strip_prefix("relation:")).unwrap_or(bare);
    bare.replace("^^<http://www.w3.org/2001/XMLSchema#dateTime>", "").replace("^^<http://www.w3.org/2001/XMLSchema#integer>", "")
}
