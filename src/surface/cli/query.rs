//! `query`: the named queries of the library and files in the same form, asked with parameters, listed and shown.
//! Knows no query by name.

use super::args::{Global, Query as Asked};
use super::ask;
use super::context::{Context, moment_said, zone_of};
use super::fail::{DONE, Failure};
use super::hand::written_by_hand;
use super::output::{Paint, Screen, clean};
use super::read::{Outcome, print_object};
use crate::graph::{ReadError, View};
use crate::model::Term;
use crate::sparql::library::{self, Argument, LibraryError, NamedQuery, Parameter, ParameterKind, Reading, Usual};
use crate::surface::transfer::{Envelope, SCHEMA};
use serde_json::{Value, json};
use std::path::Path;

/// `query NAME KEY=VALUE…`, `query --list`, `query NAME --show`.
pub(super) fn query(open: impl Fn() -> Result<Context, Failure>, global: &Global, screen: &mut Screen<'_>, asked: &Asked) -> Outcome {
    let Some(name) = asked.name.as_deref().filter(|_| !asked.list) else { return list(global, screen) };
    let named = named(name)?;
    if asked.show {
        return show(global, screen, &named);
    }
    let context = open()?;
    let how = &asked.how;
    let at = context.position(("--at", how.at.as_deref()), ("--known-at", how.known_at.as_deref()))?;
    let given = asked.parameters.iter().map(|text| said(&context, &named, text)).collect::<Result<Vec<_>, Failure>>()?;
    let arguments: Vec<(&str, Argument)> = given.iter().map(|(name, value)| (*name, Argument::from(value.as_str()))).collect();
    let query = named.with(&arguments, Reading { at, zone: zone_of(global)? })?;
    let view = context.tenant.at(at)?;
    for (name, value) in &given {
        if let Some(parameter) = named.parameters().iter().find(|parameter| parameter.name == *name) {
            is_known(&context, &view, parameter.kind, value)?;
        }
    }
    ask::ask(&context, screen, "query", &query, how)
}

/// The query of a name: a shipped one, or a file.
fn named(name: &str) -> Result<NamedQuery, Failure> {
    let path = Path::new(name);
    let is_file = name == "-" || name.contains('/') || path.extension().is_some_and(|extension| extension == "rq");
    if !is_file {
        return Ok(NamedQuery::shipped(name)?);
    }
    let text = written_by_hand(path)?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    NamedQuery::read(stem, &text)
        .map_err(|error| if let LibraryError::Sparql(error) = error { Failure::query(error, &text) } else { error.into() })
}

/// A parameter as it was typed: times of day-to-day words are written out, and ids to their end.
fn said<'a>(context: &Context, named: &NamedQuery, text: &'a str) -> Result<(&'a str, String), Failure> {
    let (name, value) = text.split_once('=').ok_or_else(|| {
        Failure::given(
            "KEY=VALUE",
            text,
            "it has no equals sign",
            format!("`erstwhile query {} --show` tells its parameters", named.name()),
        )
    })?;
    let kind = named.parameters().iter().find(|parameter| parameter.name == name).map(|parameter| parameter.kind);
    let value = match kind {
        Some(ParameterKind::Time | ParameterKind::Known) => {
            let parts = value.split('/').map(|part| match part.trim().to_lowercase().as_str() {
                day @ ("today" | "yesterday" | "tomorrow") => {
                    Ok(moment_said("KEY=VALUE", day, context.zone, context.now())?.display_in(&context.zone).to_string())
                }
                _ => Ok(part.to_owned()),
            });
            parts.collect::<Result<Vec<String>, Failure>>()?.join("/")
        }
        Some(ParameterKind::Fact | ParameterKind::Claim) => context.claim(value)?.to_string(),
        Some(ParameterKind::Observation) => context.observation(value)?.to_string(),
        Some(ParameterKind::Entity | ParameterKind::Relation | ParameterKind::Value | ParameterKind::Number | ParameterKind::Text)
        | None => value.to_owned(),
    };
    Ok((name, value))
}

/// Holds that a name that is asked about is one: a misspelt one is an error, not an empty answer.
fn is_known(context: &Context, view: &View, kind: ParameterKind, value: &str) -> Result<(), Failure> {
    match kind {
        ParameterKind::Entity | ParameterKind::Value => {
            let term = Context::term(value)?;
            let is_name = matches!(term, Term::Name(_));
            if is_name && view.term_id(term.as_ref()).is_none() { Err(ReadError::UnknownEntity(term).into()) } else { Ok(()) }
        }
        ParameterKind::Relation => {
            let is_known = view.relation_id(value).is_some() || context.tenant.policies()?.canonical(value).known;
            if is_known { Ok(()) } else { Err(ReadError::UnknownRelation(value.to_owned()).into()) }
        }
        ParameterKind::Time
        | ParameterKind::Known
        | ParameterKind::Number
        | ParameterKind::Text
        | ParameterKind::Fact
        | ParameterKind::Claim
        | ParameterKind::Observation => Ok(()),
    }
}

fn list(global: &Global, screen: &mut Screen<'_>) -> Outcome {
    let all = library::names().into_iter().map(NamedQuery::shipped).collect::<Result<Vec<_>, _>>()?;
    if global.json {
        let body = json!({ "queries": all.iter().map(described).collect::<Vec<Value>>() });
        print_object(screen, &Envelope { schema: SCHEMA, command: "query", tenant: None, as_of: None, body })?;
        return Ok(DONE);
    }
    let mut rows = Vec::with_capacity(all.len() * 2);
    for named in &all {
        rows.push(vec![(Paint::Bold, named.name().to_owned()), (Paint::Plain, named.sentence().to_owned())]);
        let parameters: Vec<String> = named.parameters().iter().map(written).collect();
        rows.push(vec![(Paint::Plain, String::new()), (Paint::Dim, parameters.join(" "))]);
    }
    screen.table(0, &rows)?;
    Ok(DONE)
}

fn show(global: &Global, screen: &mut Screen<'_>, named: &NamedQuery) -> Outcome {
    if global.json {
        let mut body = described(named);
        super::read::merge(&mut body, json!({ "text": named.text() }));
        print_object(screen, &Envelope { schema: SCHEMA, command: "query", tenant: None, as_of: None, body })?;
        return Ok(DONE);
    }
    for line in named.text().lines() {
        screen.line(&clean(line))?;
    }
    Ok(DONE)
}

fn described(named: &NamedQuery) -> Value {
    let parameter = |parameter: &Parameter| {
        let default = if let Usual::Value(value) = &parameter.usual { Some(value) } else { None };
        json!({
            "name": parameter.name,
            "kind": parameter.kind.word(),
            "needed": parameter.usual == Usual::Needed,
            "default": default,
            "about": parameter.about,
        })
    };
    let parameters: Vec<Value> = named.parameters().iter().map(parameter).collect();
    json!({ "name": named.name(), "asks": named.sentence(), "reads": named.reads(), "parameters": parameters })
}

/// A parameter as a command line has it: `who=ENTITY`, in brackets where it need not be given.
fn written(parameter: &Parameter) -> String {
    let plain = format!("{}={}", parameter.name, parameter.kind.word().to_uppercase());
    match parameter.usual {
        Usual::Needed => plain,
        Usual::Any | Usual::Value(_) => format!("[{plain}]"),
    }
}
