//! The sentence behind a claim: the words of its observation, else the claim itself in words. Knows no store.

use crate::ledger::StoredObservation;
use crate::model::{Claim, Polarity, Quote};
use crate::time::{End, Moment, Start};

/// The sentence that says the claim: the quoted characters, else the whole text, else the claim in words.
pub(super) fn sentence(source: &StoredObservation, claim: &Claim) -> String {
    let text = source.observation.text.as_deref();
    if let (Some(text), Some(quote)) = (text, claim.quote)
        && let Some(quoted) = quoted(text, quote)
    {
        return quoted.to_owned();
    }
    text.map_or_else(|| in_words(claim), str::to_owned)
}

/// The characters `[from, to)` of a text; `None` if it has none of them.
fn quoted(text: &str, quote: Quote) -> Option<&str> {
    let byte = |chars: u32| text.char_indices().nth(usize::try_from(chars).ok()?).map(|(byte, _)| byte);
    let from = byte(quote.from)?;
    let to = byte(quote.to).unwrap_or(text.len());
    text.get(from..to).filter(|words| !words.is_empty())
}

/// A claim in words: `Ana employer Acme from 2020-01`.
fn in_words(claim: &Claim) -> String {
    let (head, relation, tail) = (&claim.head, &claim.relation, &claim.tail);
    let said = match claim.polarity {
        Polarity::Holds | Polarity::Ends => format!("{head} {relation} {tail}"),
        Polarity::Never => format!("never: {head} {relation} {tail}"),
    };
    let began = match claim.span.start() {
        Start::At(moment) => format!(" from {moment}"),
        Start::By(at) => format!(" since {} or before", Moment::exact(at)),
        Start::Unknown => String::new(),
        Start::Always => " always".to_owned(),
    };
    let ended = match claim.span.end() {
        End::At(moment) => format!(" until {moment}"),
        End::By(at) => format!(", over by {}", Moment::exact(at)),
        End::Open => String::new(),
    };
    said + &began + &ended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::ExtractionStatus;
    use crate::model::{Authority, Observation, ObservationId, ObservationKind, Source, Term};
    use crate::time::{Instant, Span, Zone, ZonedInstant, parse_moment};

    fn moment(text: &str) -> Moment {
        parse_moment(text, &Zone::UTC).unwrap()
    }

    fn claim(polarity: Polarity, start: Start, end: End, quote: Option<Quote>) -> Claim {
        Claim {
            head: Term::Name("Ana".to_owned()),
            relation: "employer".to_owned(),
            tail: Term::Name("Acme".to_owned()),
            polarity,
            span: Span::new(start, end).unwrap(),
            seen_at: None,
            confidence: 1.0,
            importance: 0.5,
            context: None,
            corrects: None,
            quote,
            extractor: "ready".to_owned(),
        }
    }

    fn check(text: Option<&str>, claim: &Claim, expect: &str) {
        let observation = Observation {
            id: ObservationId::from_bytes([0; 16]),
            kind: ObservationKind::Claims,
            observed_at: ZonedInstant { at: Instant::from_micros(0), offset_minutes: 0 },
            source: Source { authority: Authority::User, name: None },
            session: None,
            speaker: None,
            role: None,
            key: None,
            text: text.map(str::to_owned),
        };
        let source =
            StoredObservation { seq: 1, tx: Instant::from_micros(0), observation, claims: Vec::new(), status: ExtractionStatus::Done };
        assert_eq!(sentence(&source, claim), expect);
    }

    #[test]
    fn a_quote_is_cut_by_characters() {
        let since = Start::At(moment("2020-01"));
        let quoting = |from, to| claim(Polarity::Holds, since, End::Open, Some(Quote { from, to }));
        check(Some("Žofie je u Acme."), &quoting(6, 15), "je u Acme");
        check(Some("王芳在上海"), &quoting(2, 5), "在上海");
        check(Some("short"), &quoting(2, 99), "ort");
        check(Some("short"), &quoting(9, 12), "short");
        check(Some("short"), &quoting(3, 3), "short");
    }

    #[test]
    fn without_a_quote_the_text_and_without_a_text_the_claim_speaks() {
        let since = Start::At(moment("2020-01"));
        check(Some("the whole text"), &claim(Polarity::Holds, since, End::Open, None), "the whole text");
        check(None, &claim(Polarity::Holds, since, End::Open, None), "Ana employer Acme from 2020-01");
        check(
            None,
            &claim(Polarity::Holds, since, End::At(moment("2023")), Some(Quote { from: 0, to: 3 })),
            "Ana employer Acme from 2020-01 until 2023",
        );
        check(None, &claim(Polarity::Ends, Start::Unknown, End::At(moment("2023-06-01")), None), "Ana employer Acme until 2023-06-01");
        check(None, &claim(Polarity::Never, Start::Always, End::Open, None), "never: Ana employer Acme always");
        check(
            None,
            &claim(Polarity::Holds, Start::By(Instant::from_micros(0)), End::By(Instant::from_micros(1_000_000)), None),
            "Ana employer Acme since 1970-01-01T00:00:00Z or before, over by 1970-01-01T00:00:01Z",
        );
    }
}
