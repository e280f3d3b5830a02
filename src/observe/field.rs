//! The fields that lines and columns share: their names, and their values as JSON or as CSV cells give them.
//! Knows what a field is called, not what it means.

use super::json::{self, Json};
use super::{Fault, excerpt};
use crate::model::{ClaimId, Correction, Term};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A field of a line, or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    // Of a claim.
    Head,
    Relation,
    Tail,
    Polarity,
    From,
    To,
    Valid,
    SeenAt,
    Confidence,
    Importance,
    Context,
    Corrects,
    Quote,
    // Of an observation.
    Observation,
    ObservedAt,
    Kind,
    Source,
    Session,
    Speaker,
    Role,
    Text,
    Claims,
}

/// Every name that is read, the first of each field being its own.
const NAMES: [(&str, Field); 30] = [
    ("head", Field::Head),
    ("h", Field::Head),
    ("subject", Field::Head),
    ("relation", Field::Relation),
    ("r", Field::Relation),
    ("predicate", Field::Relation),
    ("tail", Field::Tail),
    ("t", Field::Tail),
    ("object", Field::Tail),
    ("polarity", Field::Polarity),
    ("from", Field::From),
    ("to", Field::To),
    ("valid", Field::Valid),
    ("seen_at", Field::SeenAt),
    ("confidence", Field::Confidence),
    ("importance", Field::Importance),
    ("context", Field::Context),
    ("corrects", Field::Corrects),
    ("quote", Field::Quote),
    ("observation", Field::Observation),
    ("observed_at", Field::ObservedAt),
    ("kind", Field::Kind),
    ("source", Field::Source),
    ("session", Field::Session),
    ("speaker", Field::Speaker),
    ("role", Field::Role),
    ("text", Field::Text),
    ("claims", Field::Claims),
    // In a chat only.
    ("id", Field::Observation),
    ("content", Field::Text),
];

/// How many of [`NAMES`] lines of claims, triples and CSV have; a chat has all that belong to an observation.
const SHARED: usize = 28;

impl Field {
    /// The field of this name in lines of claims and triples.
    pub(super) fn of_claims(name: &str) -> Option<Self> {
        NAMES.iter().take(SHARED).find(|(known, _)| *known == name).map(|(_, field)| *field)
    }

    /// The field of this name in lines of a chat.
    pub(super) fn of_chat(name: &str) -> Option<Self> {
        let field = NAMES.iter().find(|(known, _)| *known == name).map(|(_, field)| *field);
        field.filter(|field| field.is_of_observation() && !matches!(field, Self::Claims | Self::Kind))
    }

    /// Whether it belongs to the observation as a whole.
    pub(super) const fn is_of_observation(self) -> bool {
        match self {
            Self::Head
            | Self::Relation
            | Self::Tail
            | Self::Polarity
            | Self::From
            | Self::To
            | Self::Valid
            | Self::SeenAt
            | Self::Confidence
            | Self::Importance
            | Self::Context
            | Self::Corrects
            | Self::Quote => false,
            Self::Observation
            | Self::ObservedAt
            | Self::Kind
            | Self::Source
            | Self::Session
            | Self::Speaker
            | Self::Role
            | Self::Text
            | Self::Claims => true,
        }
    }

    /// The field's own name.
    pub(super) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, field)| *field == self).map_or("", |(name, _)| name)
    }
}

/// A field's value as the input gives it.
#[derive(Clone, Debug)]
pub(super) enum Given<'a> {
    Json(&'a RawValue),
    Cell(Cow<'a, str>),
}

/// Where an observation's text says a claim, as given.
#[derive(Clone, Debug)]
pub(super) enum QuoteGiven<'a> {
    Range(u32, u32),
    Words(Cow<'a, str>),
}

impl<'a> Given<'a> {
    /// A text; `None` for null and the empty text.
    pub(super) fn text(self) -> Result<Option<Cow<'a, str>>, String> {
        let text = match self {
            Self::Json(raw) => json::optional_text(raw)?,
            Self::Cell(cell) => Some(cell),
        };
        Ok(text.filter(|text| !text.is_empty()))
    }

    /// A time as written; a year may be a JSON number.
    pub(super) fn time(self) -> Result<Option<Cow<'a, str>>, String> {
        if let Self::Json(raw) = &self
            && let Json::Number(lexical) = json::value(raw)?
        {
            return Ok(Some(Cow::Borrowed(lexical)));
        }
        self.text()
    }

    /// A number from 0 to 1; `None` for null.
    pub(super) fn share(self) -> Result<Option<f64>, String> {
        let lexical = match self {
            Self::Json(raw) => match json::value(raw)? {
                Json::Null => return Ok(None),
                Json::Number(lexical) => Cow::Borrowed(lexical),
                Json::Bool(_) | Json::Text(_) | Json::List | Json::Object(_) => {
                    return Err(format!("wants a number from 0 to 1, not {}", json::shown(raw)));
                }
            },
            Self::Cell(cell) => cell,
        };
        let share = lexical.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
        // The sum makes a negative zero the one zero.
        share.map(|share| Some(share + 0.0)).ok_or_else(|| format!("wants a number from 0 to 1, not {}", excerpt(&lexical)))
    }

    /// A term: as JSON gives it, or by its canonical text.
    pub(super) fn term(self) -> Result<Term, String> {
        match self {
            Self::Json(raw) => json::term(raw),
            Self::Cell(cell) => Term::parse(&cell).map_err(|error| error.to_string()),
        }
    }

    /// What a claim corrects: a claim id, or the tail that it replaces (`{"claim": id}` and `{"tail": term}` say which).
    pub(super) fn correction(self) -> Result<Option<Correction>, String> {
        let raw = match self {
            Self::Cell(cell) => {
                return Ok(Some(match cell.trim().parse::<ClaimId>() {
                    Ok(claim) => Correction::Claim(claim),
                    Err(_no_id) => Correction::Tail(Term::parse(&cell).map_err(|error| error.to_string())?),
                }));
            }
            Self::Json(raw) => raw,
        };
        match json::value(raw)? {
            Json::Null => return Ok(None),
            Json::Text(text) => {
                if let Ok(claim) = text.trim().parse::<ClaimId>() {
                    return Ok(Some(Correction::Claim(claim)));
                }
            }
            Json::Object(raw) => {
                let fields = json::object(raw.get()).map_err(|fault| fault.reason)?;
                match fields.as_slice() {
                    [(name, claim)] if name == "claim" => {
                        let text = json::optional_text(claim)?.unwrap_or_default();
                        return text
                            .parse()
                            .map(|claim| Some(Correction::Claim(claim)))
                            .map_err(|error: crate::model::IdError| error.to_string());
                    }
                    [(name, tail)] if name == "tail" => return Ok(Some(Correction::Tail(json::term(tail)?))),
                    _ => {}
                }
            }
            Json::Bool(_) | Json::Number(_) | Json::List => {}
        }
        json::term(raw).map(|tail| Some(Correction::Tail(tail)))
    }

    /// A quote: `[from, to]` in characters, or the words themselves.
    pub(super) fn quote(self) -> Result<Option<QuoteGiven<'a>>, String> {
        let raw = match self {
            Self::Cell(cell) => return Ok(Some(QuoteGiven::Words(cell))),
            Self::Json(raw) => raw,
        };
        match json::value(raw)? {
            Json::Null => Ok(None),
            Json::Text(words) => Ok(Some(QuoteGiven::Words(words))),
            Json::List | Json::Bool(_) | Json::Number(_) | Json::Object(_) => match serde_json::from_str::<[u32; 2]>(raw.get()) {
                Ok([from, to]) => Ok(Some(QuoteGiven::Range(from, to))),
                Err(_no_range) => Err(format!("wants [from, to] in characters or the quoted words, not {}", json::shown(raw))),
            },
        }
    }
}

/// Fills a slot once.
pub(super) fn fill<T>(slot: &mut Option<T>, name: &str, value: Option<T>) -> Result<(), Fault> {
    let Some(value) = value else { return Ok(()) };
    if slot.is_some() {
        return Err(Fault::of(name, "the field is there twice, once by another name"));
    }
    *slot = Some(value);
    Ok(())
}
