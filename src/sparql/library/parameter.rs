//! Parameters of named queries: how they are declared, and how a value becomes an RDF term.
//!
//! Owns the kinds of parameters. Knows no query: where a parameter stands in one is checked where it is bound.

use super::LibraryError;
use crate::model::{ClaimId, ObservationId, Term, vocab};
use crate::sparql::graphs::Position;
use crate::sparql::terms;
use crate::time::{AsOf, Instant, KnownAt, Moment, Zone, parse_moment};
use oxrdf::{Literal, NamedNode, Term as RdfTerm};
use std::fmt;

/// What a parameter's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A name or an `<iri>`: `Ana Lima`.
    Entity,
    /// A relation, or a wording of one: `works at`.
    Relation,
    /// An entity or a literal, as input writes them: `Acme`, `"text"@en`, `"1.5"^^xsd:decimal`.
    Value,
    /// A point of valid time, and after a slash one of transaction time: `2019`, `2019-06-01`, `now`, `2019/2024-01-01`. It is bound as
    /// the graph that reads there.
    Time,
    /// A point of transaction time. It is bound as the graph that reads the valid time of the reader as known then.
    Known,
    /// A number: `3`, `0.8`.
    Number,
    /// Any text.
    Text,
    /// A fact, by its id.
    Fact,
    /// A claim, by its id.
    Claim,
    /// An observation, by its id.
    Observation,
}

impl ParameterKind {
    /// All of them with the word that a header has for each.
    pub const ALL: [(&'static str, Self); 10] = [
        ("entity", Self::Entity),
        ("relation", Self::Relation),
        ("value", Self::Value),
        ("time", Self::Time),
        ("known", Self::Known),
        ("number", Self::Number),
        ("text", Self::Text),
        ("fact", Self::Fact),
        ("claim", Self::Claim),
        ("observation", Self::Observation),
    ];

    /// The word that a header has for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

/// With its article, as errors say it.
impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entity => "an entity",
            Self::Relation => "a relation",
            Self::Value => "a value",
            Self::Time => "a time",
            Self::Known => "a time of knowledge",
            Self::Number => "a number",
            Self::Text => "a text",
            Self::Fact => "a fact's id",
            Self::Claim => "a claim's id",
            Self::Observation => "an observation's id",
        })
    }
}

/// What a parameter is where nothing is given for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Usual {
    /// It has to be given.
    Needed,
    /// Anything: it stays a variable of the query.
    Any,
    /// This value.
    Value(String),
}

/// A parameter as a header declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, which is the query's variable.
    pub name: String,
    /// What its value is.
    pub kind: ParameterKind,
    /// What it is where nothing is given.
    pub usual: Usual,
    /// Words about it; may be empty.
    pub about: String,
}

/// A value that is given for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// As people write it; the parameter's kind says how it is read.
    Text(String),
    /// A term; it has to be of the parameter's kind.
    Term(RdfTerm),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<RdfTerm> for Argument {
    fn from(term: RdfTerm) -> Self {
        Self::Term(term)
    }
}

/// Where the reader of a query stands.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// On both times; `now` is its valid time.
    pub at: AsOf,
    /// The zone that dates are read in.
    pub zone: Zone,
}

impl Parameter {
    /// Reads `NAME KIND (default VALUE) words`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (name, rest) = text.trim().split_once(char::is_whitespace).ok_or("a parameter is declared as `param NAME KIND`")?;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(format!("{name:?} is no name of a parameter"));
        }
        let rest = rest.trim_start();
        let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let known = ParameterKind::ALL.iter().find(|(known, _)| *known == word);
        let (_, kind) = known.ok_or_else(|| {
            let all: Vec<&str> = ParameterKind::ALL.iter().map(|(word, _)| *word).collect();
            format!("{word:?} is no kind of parameter; there are {}", all.join(", "))
        })?;
        let rest = rest.trim();
        let (usual, about) = match rest.strip_prefix('(').map(|rest| rest.split_once(')').ok_or("a bracket is not closed")).transpose()? {
            Some(("optional", about)) => (Usual::Any, about),
            Some((usual, about)) => match usual.strip_prefix("default ") {
                Some(value) => (Usual::Value(value.trim().to_owned()), about),
                None => return Err(format!("({usual}) is neither (optional) nor (default …)")),
            },
            None => (Usual::Needed, rest),
        };
        Ok(Self { name: name.to_owned(), kind: *kind, usual, about: about.trim().to_owned() })
    }

    /// The term that a value is.
    pub(super) fn term(&self, value: &Argument, reading: Reading) -> Result<RdfTerm, LibraryError> {
        let (shown, term) = match value {
            Argument::Text(text) => (text.clone(), term_of(self.kind, text, reading)),
            Argument::Term(term) => {
                (term.to_string(), if is_of(self.kind, term) { Ok(term.clone()) } else { Err("it is a term of another sort".to_owned()) })
            }
        };
        term.map_err(|reason| LibraryError::Value { name: self.name.clone(), value: shown, kind: self.kind, reason })
    }
}

/// Reads a value as its kind is written.
fn term_of(kind: ParameterKind, text: &str, reading: Reading) -> Result<RdfTerm, String> {
    let said = |text: &str| Term::parse(text).map_err(|error| error.to_string());
    match kind {
        ParameterKind::Entity => match said(text)? {
            term @ (Term::Name(_) | Term::Iri(_)) => Ok(terms::to_rdf(term.as_ref())),
            Term::Blank(_) => Err("a blank node cannot be named from outside".to_owned()),
            Term::Literal(_) => Err("a literal is no entity".to_owned()),
        },
        ParameterKind::Value => match said(text)? {
            Term::Blank(_) => Err("a blank node cannot be named from outside".to_owned()),
            term @ (Term::Name(_) | Term::Iri(_) | Term::Literal(_)) => Ok(terms::to_rdf(term.as_ref())),
        },
        ParameterKind::Relation => {
            let text = text.trim();
            if text.is_empty() {
                return Err("it is empty".to_owned());
            }
            let iri = match said(text) {
                Ok(Term::Iri(iri)) => iri,
                Ok(Term::Name(_) | Term::Blank(_) | Term::Literal(_)) | Err(_) => terms::relation_iri(text),
            };
            Ok(NamedNode::new_unchecked(iri).into())
        }
        ParameterKind::Time => {
            let (valid, known) = text.split_once('/').map_or((text, None), |(valid, known)| (valid, Some(known)));
            let known_at = known.map(|known| known_at(known, reading)).transpose()?;
            Ok(position(Position { valid_at: moment(valid, reading)?, known_at }))
        }
        ParameterKind::Known => Ok(position(Position { valid_at: reading.at.valid_at, known_at: Some(known_at(text, reading)?) })),
        ParameterKind::Number => number(text.trim()).ok_or_else(|| "write it as 3, -2 or 0.8".to_owned()),
        ParameterKind::Text => Ok(Literal::new_simple_literal(text).into()),
        ParameterKind::Fact | ParameterKind::Claim => {
            let id: ClaimId = text.trim().parse().map_err(|error: crate::model::IdError| error.to_string())?;
            let iri = if kind == ParameterKind::Fact { terms::fact_iri(crate::model::FactId(id)) } else { terms::claim_iri(id) };
            Ok(NamedNode::new_unchecked(iri).into())
        }
        ParameterKind::Observation => {
            let id: ObservationId = text.trim().parse().map_err(|error: crate::model::IdError| error.to_string())?;
            Ok(NamedNode::new_unchecked(terms::observation_iri(id)).into())
        }
    }
}

/// Whether a term can be a value of a kind.
fn is_of(kind: ParameterKind, term: &RdfTerm) -> bool {
    let iri = if let RdfTerm::NamedNode(node) = term { Some(node.as_str()) } else { None };
    let is_literal = matches!(term, RdfTerm::Literal(_));
    match kind {
        ParameterKind::Entity | ParameterKind::Relation => iri.is_some(),
        ParameterKind::Value => iri.is_some() || is_literal,
        ParameterKind::Time | ParameterKind::Known => iri.and_then(Position::of_iri).is_some_and(|position| position.is_ok()),
        ParameterKind::Number => {
            let RdfTerm::Literal(literal) = term else { return false };
            let datatype = literal.datatype().as_str();
            ["integer", "decimal", "double", "float"].iter().any(|name| datatype.strip_prefix(vocab::XSD) == Some(name))
        }
        ParameterKind::Text => is_literal,
        ParameterKind::Fact => iri.and_then(terms::fact_id).is_some(),
        ParameterKind::Claim => iri.and_then(terms::claim_id).is_some(),
        ParameterKind::Observation => iri.and_then(terms::observation_id).is_some(),
    }
}

/// A moment as people write it; `now` is where the reader stands.
fn moment(text: &str, reading: Reading) -> Result<Moment, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("now") {
        return Ok(reading.at.valid_at);
    }
    parse_moment(text, &reading.zone).map_err(|error| error.to_string())
}

/// What was known at a moment is what was known at its last instant; `now` is all that the reader knows.
fn known_at(text: &str, reading: Reading) -> Result<KnownAt, String> {
    if text.trim().eq_ignore_ascii_case("now") {
        return Ok(reading.at.known_at);
    }
    let moment = moment(text, reading)?;
    Ok(KnownAt::At(if moment.is_exact() { moment.lo() } else { Instant::from_micros(moment.hi().micros().saturating_sub(1)) }))
}

fn position(position: Position) -> RdfTerm {
    NamedNode::new_unchecked(position.to_string()).into()
}

fn number(text: &str) -> Option<RdfTerm> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_plain = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let finite = text.parse::<f64>().ok().filter(|number| number.is_finite() && is_plain)?;
    Some(if digits.contains('.') { Literal::from(finite).into() } else { terms::typed(text, vocab::XSD_INTEGER) })
}
