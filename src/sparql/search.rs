//! The door of full-text search: `SERVICE <erst:search> { ?hit erst:matches "words" ; erst:score ?score }`.
//!
//! Owns the trait that retrieval implements and how the service's pattern is read. Knows no index.

use super::terms::VOCABULARY;
use crate::graph::View;
use oxiri::Iri;
use oxrdf::{Literal, NamedNode, Term as RdfTerm, Variable};
use spareval::{QueryEvaluationError, QuerySolutionIter, ServiceHandler};
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The IRI of the service.
pub const SEARCH: &str = "erst:search";
/// How many hits there are at most where the query does not say.
const LIMIT: usize = 20;
/// The most hits that a query may ask for.
const MAX_LIMIT: usize = 10_000;

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// What was found: an entity, a fact's reifier or an observation, as [`terms`](super::terms) writes them.
    pub found: RdfTerm,
    /// How well it matches; greater is better.
    pub score: f64,
    /// The words of it that a reader is shown.
    pub text: Option<String>,
}

/// Full-text search over one view, as a query asks for it.
pub trait SearchService: Send + Sync {
    /// At most `limit` hits, the best first, at the view's reading position.
    ///
    /// # Errors
    /// What keeps it from searching; a query that matches nothing is no error.
    fn search(&self, view: &View, words: &str, limit: usize) -> Result<Vec<SearchHit>, Box<dyn Error + Send + Sync>>;
}

/// What the pattern in the service may say.
#[derive(Debug, thiserror::Error)]
#[error("SERVICE <erst:search> cannot be read: {0}")]
struct Misread(String);

/// The handler that a query's evaluator is given.
pub(super) struct Handler {
    pub(super) service: Arc<dyn SearchService>,
    pub(super) view: View,
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handler").field("view", &self.view.as_of()).finish_non_exhaustive()
    }
}

/// What a column has of a hit.
type Of = fn(&SearchHit) -> Option<RdfTerm>;

/// What a hit's properties are bound to.
#[derive(Debug, Default)]
struct Asked {
    hit: Option<Variable>,
    words: Option<String>,
    score: Option<Variable>,
    text: Option<Variable>,
    limit: Option<usize>,
}

impl ServiceHandler for Handler {
    type Error = QueryEvaluationError;

    fn handle(&self, pattern: &GraphPattern, _base: Option<&Iri<String>>) -> Result<QuerySolutionIter<'static>, QueryEvaluationError> {
        let refused = |why: String| QueryEvaluationError::Service(Box::new(Misread(why)));
        let asked = read(pattern).map_err(refused)?;
        let words = asked.words.ok_or_else(|| refused("it asks for no words: ?hit erst:matches \"words\"".to_owned()))?;
        let hits = self.service.search(&self.view, &words, asked.limit.unwrap_or(LIMIT)).map_err(QueryEvaluationError::Service)?;
        let columns: Vec<(Variable, Of)> = [
            (asked.hit, (|hit| Some(hit.found.clone())) as Of),
            (asked.score, |hit| Some(Literal::from(hit.score).into())),
            (asked.text, |hit| hit.text.as_ref().map(|text| Literal::from(text.as_str()).into())),
        ]
        .into_iter()
        .filter_map(|(variable, of)| variable.map(|variable| (variable, of)))
        .collect();
        let variables: Arc<[Variable]> = columns.iter().map(|(variable, _)| variable.clone()).collect();
        let rows = hits.into_iter().map(move |hit| Ok(columns.iter().map(|(_, of)| of(&hit)).collect()));
        Ok(QuerySolutionIter::from_tuples(variables, rows))
    }
}

fn read(pattern: &GraphPattern) -> Result<Asked, String> {
    let GraphPattern::Bgp { patterns } = pattern else {
        return Err(format!("it holds more than triples: {pattern}"));
    };
    let mut asked = Asked::default();
    for TriplePattern { subject, predicate, object } in patterns {
        let (TermPattern::Variable(hit), NamedNodePattern::NamedNode(property)) = (subject, predicate) else {
            return Err(format!("its triples are of one ?hit, and not {subject} {predicate}"));
        };
        if asked.hit.get_or_insert_with(|| hit.clone()) != hit {
            return Err(format!("its triples are of one ?hit, and not of {hit} too"));
        }
        tell(&mut asked, property, object)?;
    }
    Ok(asked)
}

fn tell(asked: &mut Asked, property: &NamedNode, object: &TermPattern) -> Result<(), String> {
    match (property.as_str().strip_prefix(VOCABULARY), object) {
        (Some("matches"), TermPattern::Literal(words)) => asked.words = Some(words.value().to_owned()),
        (Some("score"), TermPattern::Variable(score)) => asked.score = Some(score.clone()),
        (Some("text"), TermPattern::Variable(text)) => asked.text = Some(text.clone()),
        (Some("limit"), TermPattern::Literal(limit)) => {
            let limit = limit.value().parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
            asked.limit = Some(limit.ok_or_else(|| format!("erst:limit {object} is not 1 to {MAX_LIMIT}"))?);
        }
        _ => {
            return Err(format!(
                "it knows erst:matches \"words\", erst:score ?s, erst:text ?t and erst:limit 10, and not {property} {object}"
            ));
        }
    }
    Ok(())
}
