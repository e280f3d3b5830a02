//! What a person expects of a fact, and whether a fact is so. Only what is written is compared.

use super::words::Words;
use crate::graph::Held;
use crate::model::{Fact, Term};
use crate::observe::term_from_json;
use crate::time::{Certainty, End, Moment, Start, TimeError, Zone, parse_end, parse_moment, parse_start};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeSet;

/// A fact as expected. A text stands for the end that was not asked for; `[head, relation, tail]` for all three.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedFact {
    #[serde(default, deserialize_with = "optional_term")]
    head: Option<Term>,
    relation: Option<String>,
    #[serde(default, deserialize_with = "optional_term")]
    tail: Option<Term>,
    /// The head or the tail: what a bare text is.
    #[serde(skip)]
    either: Option<Term>,
    /// "2015", "by 2021-05-04", "always", "unknown", "between A and B".
    from: Option<String>,
    /// The same, or "open".
    to: Option<String>,
    certainty: Option<String>,
    contested: Option<bool>,
    /// The tails (or heads) it is contested with.
    rivals: Option<Vec<String>>,
    /// From where on a lower source challenges it; "no" if none does.
    challenged: Option<String>,
    /// Whether a stretch of it is hidden.
    hidden: Option<bool>,
    /// The observation, or the value, that closed it; `null` is nobody, so the key counts by being there.
    #[serde(default, deserialize_with = "present")]
    closed_by: Option<Value>,
    /// The observations that support it.
    support: Option<Vec<String>>,
    confidence: Option<f64>,
    context: Option<String>,
}

/// Whether a bare text says which fact is meant: where one end was asked for, it is the other one, whichever way round the
/// relation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BareText {
    OtherEnd,
    SaysNothing,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A term as input lines write it.
pub(super) fn optional_term<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Term>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    term_from_json(&value.to_string()).map(Some).map_err(D::Error::custom)
}

impl ExpectedFact {
    /// One that is told by its tail and start.
    pub(super) fn of(tail: Option<Term>, from: Option<String>) -> Self {
        Self { tail, from, ..Self::default() }
    }

    /// Reads one from an `expect`.
    pub(super) fn read(value: &Value, bare: BareText) -> Result<Self, String> {
        let term = |value: &Value| term_from_json(&value.to_string()).map_err(|error| error.to_string());
        match value {
            Value::Array(three) => match three.as_slice() {
                [head, Value::String(relation), tail] => {
                    Ok(Self { head: Some(term(head)?), relation: Some(relation.clone()), tail: Some(term(tail)?), ..Self::default() })
                }
                _ => Err(format!("{value} is no [head, relation, tail]")),
            },
            Value::Object(fields) if is_fact(fields) => serde_json::from_value(value.clone()).map_err(|error| format!("{value}: {error}")),
            Value::Object(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) => match bare {
                BareText::OtherEnd => Ok(Self { either: Some(term(value)?), ..Self::default() }),
                BareText::SaysNothing => Err(format!("{value} does not say which fact; write an object with relation and tail")),
            },
            Value::Null => Err("null is no fact".to_owned()),
        }
    }

    /// Whether a fact is so; `certainty` where the question has one.
    pub(super) fn fits(&self, fact: &Fact, certainty: Option<Certainty>, words: &Words<'_>) -> Result<bool, String> {
        let zone = words.zone();
        let same = |wanted: &Option<Term>, term: &Term| wanted.as_ref().is_none_or(|wanted| wanted == term);
        let said = |wanted: &Option<String>, text: &str| wanted.as_ref().is_none_or(|wanted| wanted == text);
        let mut fits = same(&self.head, &fact.head) && same(&self.tail, &fact.tail) && said(&self.relation, &fact.relation);
        fits &= self.either.as_ref().is_none_or(|either| *either == fact.head || *either == fact.tail);
        if let Some(from) = &self.from {
            fits &= start(from, zone)? == fact.start;
        }
        if let Some(to) = &self.to {
            fits &= end(to, zone)? == fact.end;
        }
        if let Some(wanted) = &self.certainty {
            fits &= certainty.map(certainty_word) == Some(wanted);
        }
        fits &= self.contested.is_none_or(|contested| contested == fact.status.contested);
        fits &= self.hidden.is_none_or(|hidden| hidden != fact.status.hidden.is_empty());
        fits &= self.context.is_none() || self.context == fact.context;
        fits &= self.confidence.is_none_or(|confidence| (confidence - fact.confidence).abs() < 1e-9);
        if let Some(rivals) = &self.rivals {
            fits &= rivals.iter().cloned().collect::<BTreeSet<String>>() == words.rivals(fact);
        }
        if let Some(challenged) = &self.challenged {
            fits &= match (challenged.as_str(), fact.status.challenged_from) {
                ("no", from) => from.is_none(),
                (text, Some(from)) => parse_moment(text, &zone).map_err(|error| error.to_string())?.lo() == from,
                (_, None) => false,
            };
        }
        match &self.closed_by {
            None => {}
            Some(Value::Null) => fits &= fact.status.closed_by.is_none(),
            Some(Value::String(name)) => {
                fits &= fact.status.closed_by.is_some_and(|closer| words.names_of_claim(closer, Some(fact)).contains(name));
            }
            Some(other) => return Err(format!("closed_by is {other}, neither a text nor null")),
        }
        if let Some(support) = &self.support {
            fits &= support.iter().cloned().collect::<BTreeSet<String>>() == words.support(fact);
        }
        Ok(fits)
    }

    /// What is expected, in a line.
    pub(super) fn describe(&self) -> String {
        let text = |term: &Option<Term>| term.as_ref().map(ToString::to_string);
        let mut parts: Vec<String> =
            [text(&self.head), self.relation.clone(), text(&self.tail), text(&self.either)].into_iter().flatten().collect();
        let mut say = |what: &str, value: Option<String>| parts.extend(value.map(|value| format!("{what} {value}")));
        say("from", self.from.clone());
        say("to", self.to.clone());
        say("certainty", self.certainty.clone());
        say("contested", self.contested.map(|contested| contested.to_string()));
        say("rivals", self.rivals.as_ref().map(|rivals| format!("{rivals:?}")));
        say("challenged", self.challenged.clone());
        say("hidden", self.hidden.map(|hidden| hidden.to_string()));
        say("closed by", self.closed_by.as_ref().map(ToString::to_string));
        say("support", self.support.as_ref().map(|support| format!("{support:?}")));
        say("confidence", self.confidence.map(|confidence| confidence.to_string()));
        say("context", self.context.clone());
        parts.join(", ")
    }
}

/// What a cell is expected to hold: a text, a number or a yes as written, `null` for nothing.
#[cfg(feature = "sparql")]
pub(super) fn optional_text(value: &Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Number(_) | Value::Bool(_) => Ok(Some(value.to_string())),
        Value::Array(_) | Value::Object(_) => Err(format!("{value} is no cell")),
    }
}

/// An object that says something of a fact, and not one that writes a term (`{"iri": …}`).
fn is_fact(fields: &serde_json::Map<String, Value>) -> bool {
    !["iri", "name", "literal", "blank"].iter().any(|key| fields.contains_key(*key))
}

pub(super) const fn certainty_word(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Possible => "possible",
    }
}

/// "between A and B": from the earliest instant of A to the earliest of B, as a granule.
fn between(text: &str, zone: Zone) -> Option<Result<Moment, TimeError>> {
    let (lo, hi) = text.strip_prefix("between ")?.split_once(" and ")?;
    let bound = |text: &str| parse_moment(text, &zone).map(Moment::lo);
    Some(bound(lo).and_then(|lo| Moment::granule(lo, bound(hi)?)))
}

fn start(text: &str, zone: Zone) -> Result<Start, String> {
    let read = between(text, zone).map_or_else(|| parse_start(text, &zone), |moment| moment.map(|moment| Some(Start::At(moment))));
    read.map_err(|error| format!("from: {error}"))?.ok_or_else(|| "from: empty; write \"unknown\" where nothing is known".to_owned())
}

fn end(text: &str, zone: Zone) -> Result<End, String> {
    let read = between(text, zone).map_or_else(|| parse_end(text, &zone), |moment| moment.map(|moment| Some(End::At(moment))));
    read.map_err(|error| format!("to: {error}"))?.ok_or_else(|| "to: empty; write \"open\" where it has not ended".to_owned())
}

/// Facts against what was expected of them: what is missing and what is too much.
#[derive(Debug, Default)]
pub(super) struct Difference {
    pub(super) missing: Vec<String>,
    pub(super) surplus: Vec<String>,
}

impl Difference {
    pub(super) fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.surplus.is_empty()
    }
}

/// Compares as sets.
pub(super) fn compare(expected: &[ExpectedFact], got: &[(&Fact, Option<Certainty>)], words: &Words<'_>) -> Result<Difference, String> {
    let mut fits = Vec::with_capacity(expected.len());
    for wanted in expected {
        let row = got.iter().map(|(fact, certainty)| wanted.fits(fact, *certainty, words));
        fits.push(row.collect::<Result<Vec<bool>, String>>()?);
    }
    // Expectations may overlap, so facts are handed out by augmenting paths (Kuhn's bipartite matching).
    let mut taken: Vec<Option<usize>> = vec![None; got.len()];
    let unmatched: Vec<usize> = (0..expected.len()).filter(|wanted| !assign(*wanted, &fits, &mut taken, &mut BTreeSet::new())).collect();
    Ok(Difference {
        missing: unmatched.iter().filter_map(|index| expected.get(*index)).map(ExpectedFact::describe).collect(),
        surplus: got
            .iter()
            .zip(&taken)
            .filter(|(_, taken)| taken.is_none())
            .map(|((fact, certainty), _)| words.fact(fact, *certainty))
            .collect(),
    })
}

fn assign(wanted: usize, fits: &[Vec<bool>], taken: &mut [Option<usize>], tried: &mut BTreeSet<usize>) -> bool {
    let Some(row) = fits.get(wanted) else { return false };
    for (fact, fit) in row.iter().enumerate() {
        if !fit || !tried.insert(fact) {
            continue;
        }
        let free = match taken.get(fact).copied().flatten() {
            None => true,
            Some(other) => assign(other, fits, taken, tried),
        };
        if free && let Some(place) = taken.get_mut(fact) {
            *place = Some(wanted);
            return true;
        }
    }
    false
}

/// Held facts as [`compare`] takes them.
pub(super) fn held(facts: &[Held]) -> Vec<(&Fact, Option<Certainty>)> {
    facts.iter().map(|held| (&held.fact, Some(held.certainty))).collect()
}
