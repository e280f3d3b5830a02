//! Which format an answer is written in: what the client accepts, by its weights, among those that there are.
//!
//! Owns the media types. Knows no answer.

use super::refusal::Refusal;
use crate::sparql::QueryKind;
use axum::http::{HeaderMap, StatusCode, header};
use oxrdfio::{JsonLdProfileSet, RdfFormat};
use sparesults::QueryResultsFormat;
use std::cmp::Ordering;

/// A format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Of rows, or yes and no.
    Results(QueryResultsFormat),
    /// Of triples.
    Graph(RdfFormat),
}

/// The media types of rows, the one that is preferred first. A format's first type is the one that an answer is labelled with.
const RESULTS: [(&str, QueryResultsFormat); 8] = [
    ("application/sparql-results+json", QueryResultsFormat::Json),
    ("application/json", QueryResultsFormat::Json),
    ("application/sparql-results+xml", QueryResultsFormat::Xml),
    ("application/xml", QueryResultsFormat::Xml),
    ("text/csv", QueryResultsFormat::Csv),
    ("text/tab-separated-values", QueryResultsFormat::Tsv),
    ("text/xml", QueryResultsFormat::Xml),
    ("text/plain", QueryResultsFormat::Csv),
];

/// The media types of triples, the same way.
const GRAPHS: [(&str, RdfFormat); 9] = [
    ("text/turtle", RdfFormat::Turtle),
    ("application/n-triples", RdfFormat::NTriples),
    ("application/ld+json", RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() }),
    ("application/rdf+xml", RdfFormat::RdfXml),
    ("application/trig", RdfFormat::TriG),
    ("application/n-quads", RdfFormat::NQuads),
    ("application/json", RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() }),
    ("application/xml", RdfFormat::RdfXml),
    ("text/plain", RdfFormat::NTriples),
];

/// What a client accepts.
#[derive(Clone, Debug)]
pub(super) struct Accept(Vec<Range>);

/// One range of media types with its weight, in thousandths.
#[derive(Clone, Debug)]
struct Range {
    media: String,
    weight: u16,
}

impl Range {
    /// How closely it fits a type: 2 the type itself, 1 `text/*`, 0 `*/*`.
    fn fits(&self, media: &str) -> Option<u8> {
        if self.media == media {
            return Some(2);
        }
        match self.media.strip_suffix("/*")? {
            "*" => Some(0),
            family => media.split('/').next().filter(|known| *known == family).map(|_| 1),
        }
    }
}

impl Accept {
    /// Reads the header; without one everything is accepted. A range that cannot be read is left out.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let given: Vec<&str> = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
        let given = if given.is_empty() { "*/*".to_owned() } else { given.join(",") };
        Self(given.split(',').filter_map(range).collect())
    }

    /// The format for an answer of this kind, with the media type that it is labelled with.
    pub(super) fn format(&self, kind: QueryKind) -> Result<(Format, &'static str), Refusal> {
        match kind {
            QueryKind::Select | QueryKind::Ask => {
                let all: Vec<_> = RESULTS.into_iter().map(|(media, format)| (media, Format::Results(format))).collect();
                self.choose(&all)
            }
            QueryKind::Construct | QueryKind::Describe => {
                let all: Vec<_> = GRAPHS.into_iter().map(|(media, format)| (media, Format::Graph(format))).collect();
                self.choose(&all)
            }
        }
    }

    /// The format for triples.
    pub(super) fn graph(&self) -> Result<(RdfFormat, &'static str), Refusal> {
        match self.format(QueryKind::Construct)? {
            (Format::Graph(format), media) => Ok((format, media)),
            (Format::Results(_), media) => Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, format!("{media} holds no triples"))),
        }
    }

    /// The type of the highest weight; of several the one that is named most closely, and then the first of ours.
    fn choose(&self, all: &[(&'static str, Format)]) -> Result<(Format, &'static str), Refusal> {
        let mut best: Option<((u16, u8), Format)> = None;
        for (media, format) in all {
            let closest = self.0.iter().filter_map(|range| Some((range.fits(media)?, range.weight))).max_by(|one, other| {
                // Of two ranges that fit as closely the heavier one counts.
                one.0.cmp(&other.0).then(one.1.cmp(&other.1))
            });
            let Some((close, weight)) = closest.filter(|(_, weight)| *weight > 0) else { continue };
            if best.is_none_or(|(known, _)| known.cmp(&(weight, close)) == Ordering::Less) {
                best = Some(((weight, close), *format));
            }
        }
        let found = best.and_then(|(_, format)| all.iter().find(|(_, known)| *known == format));
        found.map(|(media, format)| (*format, *media)).ok_or_else(|| {
            let there: Vec<&str> = all.iter().map(|(media, _)| *media).collect();
            Refusal::new(StatusCode::NOT_ACCEPTABLE, format!("the answer can be had as {}", there.join(", ")))
        })
    }
}

/// Reads one range: `text/*;q=0.5`.
fn range(text: &str) -> Option<Range> {
    let mut parts = text.split(';').map(str::trim);
    let media = parts.next().filter(|media| media.contains('/'))?.to_ascii_lowercase();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let weight = match weight {
        Some(weight) => thousandths(weight)?,
        None => 1_000,
    };
    Some(Range { media, weight })
}

/// A weight, `0` to `1` with at most three digits, in thousandths.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 3 || !part.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(whole, "0" | "1") {
        return None;
    }
    let weight: u16 = format!("{whole}{part:0<3}").parse().ok()?;
    (weight <= 1_000).then_some(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn media(accept: Option<&str>, kind: QueryKind) -> Result<&'static str, String> {
        let mut headers = HeaderMap::new();
        if let Some(accept) = accept {
            headers.insert(header::ACCEPT, accept.parse().unwrap());
        }
        Accept::of(&headers).format(kind).map(|(_, media)| media).map_err(|refusal| refusal.text)
    }

    #[test]
    fn the_heaviest_format_is_chosen_and_then_the_one_that_is_named() {
        for (accept, kind, chosen) in [
            (None, QueryKind::Select, "application/sparql-results+json"),
            (None, QueryKind::Construct, "text/turtle"),
            (Some("*/*"), QueryKind::Ask, "application/sparql-results+json"),
            (Some("text/csv;q=0.5, application/sparql-results+xml"), QueryKind::Select, "application/sparql-results+xml"),
            (Some("text/csv;q=0.9, application/sparql-results+xml;q=0.85"), QueryKind::Select, "text/csv"),
            (Some("*/*, text/csv"), QueryKind::Select, "text/csv"),
            (Some("text/*"), QueryKind::Select, "text/csv"),
            (Some("text/*;q=0.2, text/csv;q=0, */*;q=0.1"), QueryKind::Select, "text/tab-separated-values"),
            (Some("application/json"), QueryKind::Select, "application/sparql-results+json"),
            (Some("application/xml"), QueryKind::Construct, "application/rdf+xml"),
            (Some("Application/LD+JSON"), QueryKind::Describe, "application/ld+json"),
            (Some("text/csv, application/n-quads;q=0.1"), QueryKind::Describe, "application/n-quads"),
        ] {
            assert_eq!(media(accept, kind).as_deref(), Ok(chosen), "{accept:?}");
        }
    }

    #[test]
    fn what_cannot_be_had_is_told_with_what_can() {
        for accept in ["image/png", "text/turtle", "application/sparql-results+json;q=0", "nonsense", "text/csv;q=2"] {
            let told = media(Some(accept), QueryKind::Select).unwrap_err();
            assert!(told.contains("application/sparql-results+xml") && !told.contains("turtle"), "{accept}: {told}");
        }
    }
}
