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
    if let Some(corrects) = &claim.corrects {
        put(
            "corrects",
            match corrects {
                Correction::Claim(id) => json!({"claim": id.to_string()}),
                Correction::Tail(tail) => json!({"tail": term(tail)}),
            },
        );
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

#[cfg(test)]
mod tests {
    use super::super::{ReadOptions, Reader};
    use super::*;
    use crate::model::{ClaimId, Literal, Observation, ObservationId, Quote, Source};
    use crate::time::{Instant, Moment, Span, ZonedInstant};
    use proptest::option;
    use proptest::prelude::*;

    fn any_instant() -> impl Strategy<Value = Instant> {
        prop_oneof![
            (Instant::MIN.micros()..Instant::MAX.micros()).prop_map(Instant::from_micros),
            (-200_000_i64..200_000).prop_map(|hours| Instant::from_micros(hours * 3_600_000_000)),
        ]
    }

    fn any_moment() -> impl Strategy<Value = Moment> {
        prop_oneof![
            any_instant().prop_map(Moment::exact),
            (any_instant(), any_instant()).prop_map(|(a, b)| Moment::granule(a.min(b), a.max(b)).unwrap()),
            (1800_i32..2100).prop_map(|year| Moment::year(year, &crate::time::Zone::UTC).unwrap()),
        ]
    }

    fn any_span() -> impl Strategy<Value = Span> {
        let start =
            prop_oneof![any_moment().prop_map(Start::At), any_instant().prop_map(Start::By), Just(Start::Unknown), Just(Start::Always)];
        let end = prop_oneof![any_moment().prop_map(End::At), any_instant().prop_map(End::By), Just(End::Open)];
        (start, end).prop_filter_map("a span that says something", |(start, end)| Span::new(start, end).ok())
    }

    fn any_name() -> impl Strategy<Value = String> {
        "[A-Za-zΩé東<\"_:\\\\-]([ -~é東\u{1F600}]{0,10}[a-z>\"])?"
    }

    fn any_term() -> impl Strategy<Value = Term> {
        prop_oneof![
            any_name().prop_map(Term::Name),
            "urn:[a-z]{1,4}:[a-zA-Z0-9/#é]{1,6}".prop_map(Term::Iri),
            "[a-z][a-z0-9.-]{0,4}[a-z0-9]".prop_map(Term::Blank),
            any::<String>().prop_map(|lexical| Term::Literal(Literal::text(lexical))),
            (any::<String>(), "urn:[a-z]{1,4}").prop_map(|(lexical, datatype)| Term::Literal(Literal::typed(lexical, &datatype))),
            (any::<String>(), "[a-z]{2}(-[A-Z]{2})?").prop_map(|(lexical, tag)| Term::Literal(Literal::in_language(lexical, &tag))),
        ]
    }

    fn any_correction() -> impl Strategy<Value = Correction> {
        prop_oneof![
            (any::<[u8; 16]>(), any::<u32>())
                .prop_map(|(bytes, ordinal)| Correction::Claim(ClaimId { observation: ObservationId::from_bytes(bytes), ordinal })),
            any_term().prop_map(Correction::Tail),
        ]
    }

    prop_compose! {
        fn any_claim()(
            head in any_term().prop_filter("no literal", |term| !term.is_literal()),
            relation in any_name(),
            tail in any_term(),
            polarity in prop_oneof![Just(Polarity::Holds), Just(Polarity::Ends), Just(Polarity::Never)],
            span in any_span(),
            seen_at in option::of(any_instant()),
            confidence in 0.0..=1.0,
            importance in 0.0..=1.0,
            context in option::of("urn:[a-z]{1,4}:[a-z]{1,4}"),
            corrects in option::of(any_correction()),
            quote in option::of((0_u32..3, 3_u32..6)),
        ) -> Claim {
            let span = match (polarity, span.end()) {
                (Polarity::Ends, End::Open) => Span::new(Start::Unknown, End::By(Instant::from_micros(0))).unwrap(),
                (Polarity::Ends, end) => Span::new(Start::Unknown, end).unwrap(),
                _ => span,
            };
            let began = match span.start() {
                Start::At(moment) => moment.lo(),
                Start::By(_) | Start::Unknown | Start::Always => Instant::MIN,
            };
            Claim {
                head, relation, tail, polarity, span, confidence, importance, context, corrects,
                seen_at: seen_at.map(|seen| seen.max(began)),
                quote: quote.map(|(from, to)| Quote { from, to }),
                extractor: "ready".to_owned(),
            }
        }
    }

    prop_compose! {
        fn any_incoming()(
            kind in prop_oneof![
                Just(ObservationKind::Chat), Just(ObservationKind::Document), Just(ObservationKind::ToolResult), Just(ObservationKind::Claims)
            ],
            at in any_instant(),
            offset_minutes in -1080_i16..=1080,
            authority in prop_oneof![
                Just(Authority::User), Just(Authority::Curated), Just(Authority::Document), Just(Authority::Tool), Just(Authority::Assistant),
                Just(Authority::Inference)
            ],
            name in option::of("\\PC{1,8}"),
            session in option::of("\\PC{1,8}"),
            speaker in option::of(any_name()),
            role in option::of("user|assistant|tool|system"),
            key in option::of("\\PC{1,8}"),
            text in any::<String>(),
            ready in proptest::collection::vec(any_claim(), 0..4),
        ) -> Incoming {
            let observation = Observation {
                id: ObservationId::from_bytes([0; 16]),
                kind,
                observed_at: ZonedInstant { at, offset_minutes },
                source: Source { authority, name },
                session,
                speaker,
                role,
                key,
                // Quotes of six characters must have something to stand in.
                text: Some(format!("quoted {text}")),
            };
            Incoming::new(observation, ready)
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(incoming in any_incoming()) {
            let mut line = Vec::new();
            write_incoming(&incoming, &mut line).unwrap();
            let read: Vec<_> = Reader::new(&line[..], ReadOptions::default()).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(read, vec![Ok(Incoming { line: 1, ..incoming })], "{}", String::from_utf8_lossy(&line));
        }
    }
}
