//! The fields of an observation as a whole: who said it, when, in which words. Knows nothing of claims.

use super::field::{Field, Given, fill};
use super::json::{self, Json};
use super::options::{ObservedAt, ReadOptions};
use super::{Fault, excerpt};
use crate::model::{Authority, Observation, ObservationId, ObservationKind, Source};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The fields of an observation as given, nothing decided yet.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    pub(super) key: Option<Cow<'a, str>>,
    observed_at: Option<Cow<'a, str>>,
    kind: Option<ObservationKind>,
    source: Option<SourceGiven<'a>>,
    session: Option<Cow<'a, str>>,
    speaker: Option<Cow<'a, str>>,
    role: Option<Cow<'a, str>>,
    pub(super) text: Option<Cow<'a, str>>,
}

#[derive(Debug)]
struct SourceGiven<'a> {
    authority: Option<Authority>,
    name: SourceName<'a>,
}

#[derive(Debug)]
enum SourceName<'a> {
    /// The line leaves it to the default.
    Unsaid,
    /// The line says that it has none.
    Nobody,
    Named(Cow<'a, str>),
}

impl SourceGiven<'_> {
    /// The name that the line gives.
    fn named(&self) -> Option<&str> {
        match &self.name {
            SourceName::Named(name) => Some(name),
            SourceName::Unsaid | SourceName::Nobody => None,
        }
    }
}

impl<'a> SourceName<'a> {
    /// A name that the line gives; none, or an empty one, is nobody's.
    fn of(name: Option<Cow<'a, str>>) -> Self {
        name.filter(|name| !name.is_empty()).map_or(Self::Nobody, Self::Named)
    }
}

/// An observation with all its defaults, not yet identified.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) observation: Observation,
    pub(super) observed_at: ObservedAt,
}

impl<'a> Parts<'a> {
    /// An observation of which only the text is given.
    pub(super) fn of_text(text: &'a str) -> Self {
        Self { text: Some(Cow::Borrowed(text)), ..Self::default() }
    }

    /// Takes one field, called `name` in the input; one of a claim is none of this.
    pub(super) fn take(&mut self, field: Field, name: &str, given: Given<'a>) -> Result<(), Fault> {
        let fault = |reason: String| Fault::of(name, reason);
        match field {
            Field::Observation => fill(&mut self.key, name, given.time().map_err(fault)?),
            Field::ObservedAt => fill(&mut self.observed_at, name, given.text().map_err(fault)?),
            Field::Kind => fill(&mut self.kind, name, given.text().map_err(fault)?.map(|word| kind(&word)).transpose()?),
            Field::Source => fill(&mut self.source, name, source(given)?),
            Field::Session => fill(&mut self.session, name, given.time().map_err(fault)?),
            Field::Speaker => fill(&mut self.speaker, name, given.text().map_err(fault)?),
            Field::Role => fill(&mut self.role, name, given.text().map_err(fault)?),
            Field::Text => fill(&mut self.text, name, given.text().map_err(fault)?),
            Field::Head
            | Field::Relation
            | Field::Tail
            | Field::Polarity
            | Field::From
            | Field::To
            | Field::Valid
            | Field::SeenAt
            | Field::Confidence
            | Field::Importance
            | Field::Context
            | Field::Corrects
            | Field::Quote
            | Field::Claims => Err(Fault::of(name, "belongs to a claim, not to the observation")),
        }
    }

    /// The observation, with the options' defaults where the line says nothing; `of_kind` where it does not say of which kind it is.
    pub(super) fn resolve(self, options: &ReadOptions, of_kind: ObservationKind) -> Result<Resolved, Fault> {
        let observed_at = match &self.observed_at {
            Some(text) => read_observed_at(text, options)?,
            None => options.observed_at.ok_or_else(|| {
                Fault::of(Field::ObservedAt.name(), "is missing, and no default was given: when something was said is never guessed")
            })?,
        };
        let limit = options.limits.term_bytes;
        for (field, text) in [
            (Field::Observation, self.key.as_deref()),
            (Field::Session, self.session.as_deref()),
            (Field::Speaker, self.speaker.as_deref()),
            (Field::Role, self.role.as_deref()),
            (Field::Source, self.source.as_ref().and_then(SourceGiven::named)),
        ] {
            if let Some(text) = text.filter(|text| text.len() > limit) {
                return Err(Fault::of(field.name(), format!("{} bytes are more than the limit of {limit}", text.len())));
            }
        }
        if let Some(text) = self.text.as_ref().filter(|text| text.len() > options.limits.text_bytes) {
            return Err(Fault::of(
                Field::Text.name(),
                format!("{} bytes are more than the limit of {}", text.len(), options.limits.text_bytes),
            ));
        }
        let (role_authority, role_kind) = match self.role.as_deref().map(role).transpose()? {
            Some((authority, kind)) => (Some(authority), kind),
            None => (None, ObservationKind::Chat),
        };
        let is_chat = of_kind == ObservationKind::Chat;
        let kind = self.kind.unwrap_or(if is_chat { role_kind } else { of_kind });
        let fallback = if is_chat { Authority::User } else { Authority::Document };
        let source = self.source.unwrap_or(SourceGiven { authority: None, name: SourceName::Unsaid });
        let authority = source.authority.or(role_authority).or(options.authority).unwrap_or(fallback);
        let name = match source.name {
            SourceName::Named(name) => Some(name.into_owned()),
            SourceName::Nobody => None,
            SourceName::Unsaid => options.source_name.clone(),
        };
        let observation = Observation {
            id: ObservationId::from_bytes([0; 16]),
            kind,
            observed_at: observed_at.at,
            source: Source { authority, name },
            session: self.session.map(Cow::into_owned).or_else(|| options.session.clone()),
            speaker: self.speaker.map(Cow::into_owned),
            role: self.role.map(Cow::into_owned),
            key: self.key.map(Cow::into_owned),
            text: self.text.map(Cow::into_owned),
        };
        Ok(Resolved { observation, observed_at })
    }

    /// Whether a further line of an observation says nothing that differs from its first line.
    pub(super) fn agree_with(&self, first: &Resolved, options: &ReadOptions) -> Result<(), Fault> {
        let observation = &first.observation;
        let differs = |given: Option<&str>, known: Option<&str>| given.is_some() && given != known;
        let observed_at = self.observed_at.as_ref().map(|text| read_observed_at(text, options)).transpose()?;
        let source = self.source.as_ref();
        let said = source.filter(|source| !matches!(source.name, SourceName::Unsaid));
        let faults = [
            (Field::ObservedAt, observed_at.is_some_and(|at| at != first.observed_at)),
            (Field::Kind, self.kind.is_some_and(|kind| kind != observation.kind)),
            (Field::Source, source.and_then(|source| source.authority).is_some_and(|authority| authority != observation.source.authority)),
            (Field::Source, said.is_some_and(|source| source.named() != observation.source.name.as_deref())),
            (Field::Session, differs(self.session.as_deref(), observation.session.as_deref())),
            (Field::Speaker, differs(self.speaker.as_deref(), observation.speaker.as_deref())),
            (Field::Role, differs(self.role.as_deref(), observation.role.as_deref())),
            (Field::Text, differs(self.text.as_deref(), observation.text.as_deref())),
        ];
        match faults.iter().find(|(_, fault)| *fault) {
            Some((field, _)) => Err(Fault::of(
                field.name(),
                format!(
                    "differs from the first line of observation {:?}; its lines may leave it out",
                    excerpt(self.key.as_deref().unwrap_or_default())
                ),
            )),
            None => Ok(()),
        }
    }
}

fn read_observed_at(text: &str, options: &ReadOptions) -> Result<ObservedAt, Fault> {
    ObservedAt::parse(text, &options.zone).map_err(|error| Fault::of(Field::ObservedAt.name(), error.to_string()))
}

fn kind(word: &str) -> Result<ObservationKind, Fault> {
    match word {
        "chat" => Ok(ObservationKind::Chat),
        "document" => Ok(ObservationKind::Document),
        "tool" => Ok(ObservationKind::ToolResult),
        "claims" => Ok(ObservationKind::Claims),
        other => Err(Fault::of(Field::Kind.name(), format!("wants chat, document, tool or claims, not {:?}", excerpt(other)))),
    }
}

/// The authority and kind that go with a role. What a system prompt says was written by whoever set the conversation up: a document's rank.
fn role(word: &str) -> Result<(Authority, ObservationKind), Fault> {
    match word.to_ascii_lowercase().as_str() {
        "user" | "human" => Ok((Authority::User, ObservationKind::Chat)),
        "assistant" | "ai" | "model" => Ok((Authority::Assistant, ObservationKind::Chat)),
        "tool" | "function" => Ok((Authority::Tool, ObservationKind::ToolResult)),
        "system" | "developer" => Ok((Authority::Document, ObservationKind::Chat)),
        _ => Err(Fault::of(Field::Role.name(), format!("wants user, assistant, tool or system, not {:?}", excerpt(word)))),
    }
}

fn authority(word: &str) -> Result<Authority, Fault> {
    authority_word(word).map_err(|reason| Fault::of(Field::Source.name(), reason))
}

fn authority_word(word: &str) -> Result<Authority, String> {
    match word.trim() {
        "user" => Ok(Authority::User),
        "curated" => Ok(Authority::Curated),
        "document" => Ok(Authority::Document),
        "tool" => Ok(Authority::Tool),
        "assistant" => Ok(Authority::Assistant),
        "inference" => Ok(Authority::Inference),
        other => Err(format!("wants user, curated, document, tool, assistant or inference, not {:?}", excerpt(other))),
    }
}

/// A source: an authority word, `authority:name`, or an object with both.
fn source(given: Given<'_>) -> Result<Option<SourceGiven<'_>>, Fault> {
    let fault = |reason: String| Fault::of(Field::Source.name(), reason);
    let text = match given {
        Given::Cell(cell) => cell,
        Given::Json(raw) => match json::value(raw).map_err(fault)? {
            Json::Null => return Ok(None),
            Json::Text(text) => text,
            Json::Object(raw) => return source_object(raw).map(Some),
            Json::Bool(_) | Json::Number(_) | Json::List => {
                return Err(fault(format!("wants an authority or an object with authority and name, not {}", json::shown(raw))));
            }
        },
    };
    let (authority, name) = source_words(&text).map_err(fault)?;
    let name = name.map_or(SourceName::Unsaid, |name| SourceName::of(Some(Cow::Owned(name.to_owned()))));
    Ok(Some(SourceGiven { authority: Some(authority), name }))
}

/// The authority of `tool:calendar`, and the name after the colon if there is one.
pub(super) fn source_words(text: &str) -> Result<(Authority, Option<&str>), String> {
    match text.split_once(':') {
        Some((word, name)) => Ok((authority_word(word)?, Some(name.trim()))),
        None => Ok((authority_word(text)?, None)),
    }
}

fn source_object(raw: &RawValue) -> Result<SourceGiven<'_>, Fault> {
    let mut source = SourceGiven { authority: None, name: SourceName::Unsaid };
    for (name, raw) in json::object(raw.get()).map_err(|fault| fault.inside(Field::Source.name()))? {
        let text = json::optional_text(raw).map_err(|reason| Fault::of(&name, reason).inside(Field::Source.name()))?;
        match (name.as_ref(), text) {
            ("authority", Some(word)) => source.authority = Some(authority(&word)?),
            ("authority", None) => {}
            ("name", text) => source.name = SourceName::of(text),
            _ => return Err(Fault::of(&name, "unknown field; a source has authority and name").inside(Field::Source.name())),
        }
    }
    Ok(source)
}
