//! Named queries asked by a scenario: parameters in the scenario's own names, rows as texts. Knows no query by name.

use super::expect::{Difference, optional_text};
use super::words::Words;
use crate::graph::View;
use crate::memory::Error;
use crate::model::Term;
use crate::sparql::library::{Argument, LibraryError, NamedQuery, ParameterKind, Reading};
use crate::sparql::{Answer, Query, QueryOptions, RdfView, SparqlError, terms};
use oxrdf::Term as RdfTerm;
use serde_json::{Map, Value};

/// Rows as texts, each with its columns' names.
type Row = Vec<(String, Option<String>)>;

/// Why a named query gave no rows.
pub(super) enum Refused {
    /// The query or its parameters are wrong.
    Query(String),
    /// The memory says no.
    Memory(Error),
}

impl From<LibraryError> for Refused {
    fn from(error: LibraryError) -> Self {
        Self::Query(error.to_string())
    }
}

impl From<SparqlError> for Refused {
    fn from(error: SparqlError) -> Self {
        Self::Query(error.to_string())
    }
}

/// The query of a name with the parameters of a question: an observation is named as the scenario names it.
pub(super) fn bound(
    name: &str,
    params: &Map<String, Value>,
    reading: Reading,
    id_of: &dyn Fn(&str) -> Result<String, Error>,
) -> Result<Query, Refused> {
    let named = NamedQuery::shipped(name)?;
    let mut given = Vec::with_capacity(params.len());
    for (name, value) in params {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let kind = named.parameters().iter().find(|parameter| parameter.name == *name).map(|parameter| parameter.kind);
        let text = if kind == Some(ParameterKind::Observation) { id_of(&text).map_err(Refused::Memory)? } else { text };
        given.push((name.as_str(), Argument::Text(text)));
    }
    Ok(named.with(&given, reading)?)
}

/// Asks a query on a view; the rows come in its order.
pub(super) fn rows(query: &Query, view: View, words: &Words<'_>) -> Result<Vec<Row>, Refused> {
    let rdf = RdfView::new(view);
    let Answer::Solutions(rows) = query.run(&rdf, &QueryOptions::default())? else {
        return Err(Refused::Query("the query answers no rows".to_owned()));
    };
    let columns = rows.variables().to_vec();
    let told = |row: Result<spareval::QuerySolution, SparqlError>| {
        let row = row?;
        let cell = |term: Option<&RdfTerm>| term.map(|term| text(term, rdf.base(), words));
        Ok(columns.iter().map(|column| (column.as_str().to_owned(), cell(row.get(column)))).collect())
    };
    rows.map(told).collect()
}

/// A term in the scenario's words: names as they are shown, what stands for an observation by its name, a literal without its datatype.
fn text(term: &RdfTerm, view: &View, words: &Words<'_>) -> String {
    let iri = match term {
        RdfTerm::NamedNode(iri) => iri.as_str(),
        RdfTerm::Literal(literal) => return literal.value().to_owned(),
        RdfTerm::BlankNode(_) | RdfTerm::Triple(_) => return term.to_string(),
    };
    if let Some(claim) = terms::fact_id(iri).map(|fact| fact.0).or_else(|| terms::claim_id(iri)) {
        return words.observation(claim);
    }
    if let Some(observation) = terms::observation_id(iri) {
        return words.observation_of(observation);
    }
    if let Some(relation) = terms::decode(terms::RELATION, iri) {
        return relation;
    }
    match terms::from_iri(iri) {
        name @ Term::Name(_) => view.term_id(name.as_ref()).and_then(|id| view.term(id)).unwrap_or(name).to_string(),
        Term::Iri(_) | Term::Blank(_) | Term::Literal(_) => iri.to_owned(),
    }
}

/// Compares rows with those that are expected, in order: a text is the first column, a list all of them, an object those it names.
pub(super) fn compare(expect: Option<&Value>, got: &[Row]) -> Result<Difference, String> {
    let expected = match expect {
        None | Some(Value::Null) => &[][..],
        Some(Value::Array(rows)) => rows.as_slice(),
        Some(other) => return Err(format!("{other} is no list of rows")),
    };
    let mut difference = Difference::default();
    for at in 0..expected.len().max(got.len()) {
        let (wanted, row) = (expected.get(at), got.get(at));
        let fits = match (wanted, row) {
            (Some(wanted), Some(row)) => fits(wanted, row)?,
            (Some(_) | None, _) => false,
        };
        if !fits {
            difference.missing.extend(wanted.map(|wanted| format!("row {}: {wanted}", at + 1)));
            difference.surplus.extend(row.map(|row| format!("row {}: {}", at + 1, shown(row))));
        }
    }
    Ok(difference)
}

fn fits(wanted: &Value, row: &Row) -> Result<bool, String> {
    let is = |wanted: &Value, got: Option<&(String, Option<String>)>| Ok(got.map(|(_, text)| text) == Some(&optional_text(wanted)?));
    match wanted {
        Value::String(_) | Value::Number(_) | Value::Bool(_) => is(wanted, row.first()),
        Value::Array(cells) => {
            let all = cells.iter().enumerate().map(|(at, cell)| is(cell, row.get(at))).collect::<Result<Vec<bool>, String>>()?;
            Ok(cells.len() == row.len() && all.into_iter().all(|fits| fits))
        }
        Value::Object(cells) => {
            let mut all = true;
            for (name, cell) in cells {
                let got = row.iter().find(|(column, _)| column == name);
                if got.is_none() {
                    return Err(format!("the query has no column {name:?}"));
                }
                all &= is(cell, got)?;
            }
            Ok(all)
        }
        Value::Null => Err("null is no row".to_owned()),
    }
}

fn shown(row: &Row) -> String {
    let cells: Map<String, Value> = row.iter().map(|(column, text)| (column.clone(), text.clone().into())).collect();
    Value::Object(cells).to_string()
}
