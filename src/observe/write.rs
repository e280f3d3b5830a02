//! Observations with their ready claims as lines of the claims format, so that reading them back gives the same. Knows no ledger.

use super::Incoming;
use crate::model::{Authority, Claim, Correction, ObservationKind, Polarity, Term};
use crate::time::{End, Start};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes an observation as one JSON line, with its ready claims in a list; no default is relied on, so that reading it under
/// [`super::ReadOptions::default`] gives the same observation with the same id.
///
/// Who extracted a claim is not part of the format: read back, a claim is a ready one.
///
/// # Errors
/// What the system says when it is written.
pub fn write_incoming(incoming: &Incoming, out: &mut dyn Write) -> io::Result<()> {
    let observation = &incoming.observation;
    let mut line = Map::new();
    let mut put = |name: &str, value: Value| line.insert(name.to_owned(), value);
    if let Some(key) = &observation.key {
        put("observation", json!(key));
    }
    put("observed_at", json!(observation.observed_at.to_string()));
    put("kind", json!(kind(observation.kind)));
    put("source", json!({"authority": authority(observation.source.authority), "name": observation.source.name}));
    for (name, text) in
        [("session", &observation.session), ("speaker", &observation.speaker), ("role", &observation.role), ("text", &observation.text)]
    {
        if let Some(text) = text {
            put(name, json!(text));
        }
    }
    put("claims", Value::Array(incoming.ready.iter().map(claim).collect()));
    serde_json::to_writer(&mut *out, &Value::Object(line))?;
    out.write_all(b"\n")
}

fn claim(claim: &Claim) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("head", term(&claim.head));
    put("relation", json!(claim.relation));
    put("tail", term(&claim.tail));
    put(
        "polarity",
        json!(match claim.polarity {
            Polarity::Holds => "holds",
            Polarity::Ends => "ends",
            Polarity::Never => "never",
        }),
    );
    put(
        "from",
        json!(match claim.span.start() {
            Start::At(moment) => moment.to_string(),
            Start::By(instant) => format!("by {instant}"),
            Start::Unknown => "unknown".to_owned(),
            Start::Always => "always".to_owned(),
        }),
    );
    put(
        "to",
        json!(match claim.span.end() {
            End::At(moment) => moment.to_string(),
            End::By(instant) => format!("by {instant}"),
            End::Open => "open".to_owned(),
        }),
    );
    if let Some(seen_at) = claim.seen_at {
        put("seen_at", json!(seen_at.to_string()));
    }
    put("confidence", json!(claim.confidence));
    put("importance", json!(claim.importance));
    if let Some(context) = &claim.context {
        put("context", json!(context));
    }
    match &claim.corrects {
        Some(Correction::Claim(id)) => _ = put("corrects", json!({"claim": id.to_string()})),
        Some(Correction::Tail(tail)) => _ = put("corrects", json!({"tail": term(tail)})),
        None => {}
    }
    if let Some(quote) = claim.quote {
        put("quote", json!([quote.from, quote.to]));
    }
    Value::Object(fields)
}

fn term(term: &Term) -> Value {
    match term {
        Term::Name(name) => json!(name),
        Term::Iri(iri) => json!({"iri": iri}),
        Term::Blank(label) => json!({"blank": label}),
        Term::Literal(literal) => match (&literal.datatype, &literal.language) {
            (Some(datatype), _) => json!({"literal": literal.lexical, "datatype": datatype}),
            (None, Some(language)) => json!({"literal": literal.lexical, "language": language}),
            (None, None) => json!({"literal": literal.lexical}),
        },
    }
}

const fn kind(kind: ObservationKind) -> &'static str {
    match kind {
        ObservationKind::Chat => "chat",
        ObservationKind::Document => "document",
        ObservationKind::ToolResult => "tool",
        ObservationKind::Claims => "claims",
    }
}

const fn authority(authority: Authority) -> &'static str {
    match authority {
        Authority::User => "user",
        Authority::Curated => "curated",
        Authority::Document => "document",
        Authority::Tool => "tool",
        Authority::Assistant => "assistant",
        Authority::Inference => "inference",
    }
}
