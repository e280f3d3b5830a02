//! Ids of observations, derived from the whole of their content. Knows no format: what reads the same is the same.

use crate::model::{Authority, Claim, Correction, Observation, ObservationId, ObservationKind, Polarity, Term};
use crate::time::{End, Instant, Moment, Start};

/// What the encoding begins with; a change of the encoding changes it.
const ENCODING: &[u8] = b"erstwhile observation 1";

/// The id of an observation with its ready claims: the first 16 bytes of BLAKE3 over a canonical encoding of everything but the id itself.
///
/// Every text carries its length before it and every choice its number, so that no two contents share an encoding. The same content
/// has the same id wherever and whenever it is read; any change of any field, or of the order of the claims, gives another.
#[must_use]
pub fn identify(observation: &Observation, ready: &[Claim]) -> ObservationId {
    let mut encoding = Encoding { bytes: Vec::with_capacity(512) };
    encoding.bytes.extend_from_slice(ENCODING);
    encoding.observation(observation);
    encoding.count(ready.len());
    for claim in ready {
        encoding.claim(claim);
    }
    let mut id = [0; 16];
    for (to, from) in id.iter_mut().zip(blake3::hash(&encoding.bytes).as_bytes()) {
        *to = *from;
    }
    ObservationId::from_bytes(id)
}

struct Encoding {
    bytes: Vec<u8>,
}

impl Encoding {
    fn choice(&mut self, number: u8) {
        self.bytes.push(number);
    }

    /// A length: seven bits a byte, the least first, the top bit set on all but the last.
    fn count(&mut self, count: usize) {
        let mut left = count;
        loop {
            let low = u8::try_from(left & 0x7f).unwrap_or_default();
            left >>= 7;
            if left == 0 {
                self.bytes.push(low);
                return;
            }
            self.bytes.push(low | 0x80);
        }
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        self.choice(u8::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn instant(&mut self, instant: Instant) {
        self.bytes.extend_from_slice(&instant.micros().to_be_bytes());
    }

    fn moment(&mut self, moment: Moment) {
        self.instant(moment.lo());
        self.instant(moment.hi());
    }

    fn number(&mut self, number: f64) {
        self.bytes.extend_from_slice(&number.to_bits().to_be_bytes());
    }

    fn observation(&mut self, observation: &Observation) {
        let Observation { id: _, kind, observed_at, source, session, speaker, role, key, text } = observation;
        self.choice(match kind {
            ObservationKind::Chat => 0,
            ObservationKind::Document => 1,
            ObservationKind::ToolResult => 2,
            ObservationKind::Claims => 3,
        });
        self.instant(observed_at.at);
        self.bytes.extend_from_slice(&observed_at.offset_minutes.to_be_bytes());
        self.choice(match source.authority {
            Authority::Inference => 0,
            Authority::Assistant => 1,
            Authority::Tool => 2,
            Authority::Document => 3,
            Authority::Curated => 4,
            Authority::User => 5,
        });
        for text in [&source.name, session, speaker, role, key, text] {
            self.optional(text.as_deref());
        }
    }

    fn claim(&mut self, claim: &Claim) {
        let Claim { head, relation, tail, polarity, span, seen_at, confidence, importance, context, corrects, quote, extractor } = claim;
        self.term(head);
        self.text(relation);
        self.term(tail);
        self.choice(match polarity {
            Polarity::Holds => 0,
            Polarity::Ends => 1,
            Polarity::Never => 2,
        });
        self.span(span.start(), span.end());
        self.choice(u8::from(seen_at.is_some()));
        if let Some(seen_at) = seen_at {
            self.instant(*seen_at);
        }
        self.number(*confidence);
        self.number(*importance);
        self.optional(context.as_deref());
        match corrects {
            None => self.choice(0),
            Some(Correction::Claim(claim)) => {
                self.choice(1);
                self.bytes.extend_from_slice(&claim.observation.bytes());
                self.bytes.extend_from_slice(&claim.ordinal.to_be_bytes());
            }
            Some(Correction::Tail(tail)) => {
                self.choice(2);
                self.term(tail);
            }
        }
        self.choice(u8::from(quote.is_some()));
        if let Some(quote) = quote {
            self.bytes.extend_from_slice(&quote.from.to_be_bytes());
            self.bytes.extend_from_slice(&quote.to.to_be_bytes());
        }
        self.text(extractor);
    }

    fn term(&mut self, term: &Term) {
        let (sort, text) = match term {
            Term::Name(name) => (0, name),
            Term::Iri(iri) => (1, iri),
            Term::Blank(label) => (2, label),
            Term::Literal(literal) => (3, &literal.lexical),
        };
        self.choice(sort);
        self.text(text);
        if let Term::Literal(literal) = term {
            self.optional(literal.datatype.as_deref());
            self.optional(literal.language.as_deref());
        }
    }

    fn span(&mut self, start: Start, end: End) {
        match start {
            Start::At(moment) => {
                self.choice(0);
                self.moment(moment);
            }
            Start::By(instant) => {
                self.choice(1);
                self.instant(instant);
            }
            Start::Unknown => self.choice(2),
            Start::Always => self.choice(3),
        }
        match end {
            End::At(moment) => {
                self.choice(0);
                self.moment(moment);
            }
            End::By(instant) => {
                self.choice(1);
                self.instant(instant);
            }
            End::Open => self.choice(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Incoming;
    use super::*;
    use crate::model::{ClaimId, Literal, Quote, Source};
    use crate::time::{Span, ZonedInstant};
    use std::collections::BTreeSet;

    fn at(micros: i64) -> Instant {
        Instant::from_micros(micros)
    }

    fn span(start: Start, end: End) -> Span {
        Span::new(start, end).unwrap()
    }

    fn granule(lo: i64, hi: i64) -> Moment {
        Moment::granule(at(lo), at(hi)).unwrap()
    }

    fn claim() -> Claim {
        Claim {
            head: Term::Name("a".to_owned()),
            relation: "r".to_owned(),
            tail: Term::Name("b".to_owned()),
            polarity: Polarity::Holds,
            span: span(Start::At(granule(5, 9)), End::At(granule(20, 30))),
            seen_at: Some(at(1)),
            confidence: 0.5,
            importance: 0.25,
            context: Some("urn:g".to_owned()),
            corrects: Some(Correction::Tail(Term::Name("c".to_owned()))),
            quote: Some(Quote { from: 1, to: 2 }),
            extractor: "ready".to_owned(),
        }
    }

    fn incoming() -> Incoming {
        let observation = Observation {
            id: ObservationId::from_bytes([0; 16]),
            kind: ObservationKind::Claims,
            observed_at: ZonedInstant { at: at(7), offset_minutes: 60 },
            source: Source { authority: Authority::User, name: Some("n".to_owned()) },
            session: Some("s".to_owned()),
            speaker: Some("p".to_owned()),
            role: Some("user".to_owned()),
            key: Some("k".to_owned()),
            text: Some("some text".to_owned()),
        };
        Incoming::new(observation, vec![claim(), Claim { tail: Term::Name("z".to_owned()), ..claim() }])
    }

    #[test]
    fn any_change_of_any_field_changes_the_id() {
        type Change = Box<dyn Fn(&mut Incoming)>;
        let changes: Vec<Change> = vec![
            Box::new(|_| {}),
            Box::new(|one| one.observation.kind = ObservationKind::Chat),
            Box::new(|one| one.observation.kind = ObservationKind::Document),
            Box::new(|one| one.observation.kind = ObservationKind::ToolResult),
            Box::new(|one| one.observation.observed_at.at = at(8)),
            Box::new(|one| one.observation.observed_at.offset_minutes = 61),
            Box::new(|one| one.observation.source.authority = Authority::Curated),
            Box::new(|one| one.observation.source.name = None),
            Box::new(|one| one.observation.source.name = Some(String::new())),
            Box::new(|one| one.observation.session = None),
            Box::new(|one| one.observation.speaker = Some("q".to_owned())),
            Box::new(|one| one.observation.role = Some("User".to_owned())),
            Box::new(|one| one.observation.key = Some("k ".to_owned())),
            Box::new(|one| one.observation.text = Some("some texts".to_owned())),
            Box::new(|one| std::mem::swap(&mut one.observation.session, &mut one.observation.speaker)),
            Box::new(|one| one.ready.swap(0, 1)),
            Box::new(|one| one.ready.truncate(1)),
            Box::new(|one| one.ready.push(claim())),
            Box::new(|one| one.ready[0].head = Term::Iri("a".to_owned())),
            Box::new(|one| one.ready[0].head = Term::Blank("a".to_owned())),
            Box::new(|one| one.ready[0].relation = "R".to_owned()),
            Box::new(|one| one.ready[0].tail = Term::Literal(Literal::text("b"))),
            Box::new(|one| one.ready[0].tail = Term::Literal(Literal::typed("b", "urn:t"))),
            Box::new(|one| one.ready[0].tail = Term::Literal(Literal::in_language("b", "en"))),
            Box::new(|one| one.ready[0].polarity = Polarity::Never),
            Box::new(|one| one.ready[0].polarity = Polarity::Ends),
            Box::new(|one| one.ready[0].span = span(Start::At(granule(5, 10)), End::At(granule(20, 30)))),
            Box::new(|one| one.ready[0].span = span(Start::At(granule(5, 9)), End::At(granule(20, 31)))),
            Box::new(|one| one.ready[0].span = span(Start::By(at(5)), End::At(granule(20, 30)))),
            Box::new(|one| one.ready[0].span = span(Start::Unknown, End::At(granule(20, 30)))),
            Box::new(|one| one.ready[0].span = span(Start::Always, End::At(granule(20, 30)))),
            Box::new(|one| one.ready[0].span = span(Start::At(granule(5, 9)), End::By(at(20)))),
            Box::new(|one| one.ready[0].span = span(Start::At(granule(5, 9)), End::Open)),
            Box::new(|one| one.ready[0].seen_at = None),
            Box::new(|one| one.ready[0].seen_at = Some(at(2))),
            Box::new(|one| one.ready[0].confidence = 0.5 + f64::EPSILON),
            Box::new(|one| one.ready[0].importance = 0.5),
            Box::new(|one| one.ready[0].context = None),
            Box::new(|one| one.ready[0].context = Some("urn:h".to_owned())),
            Box::new(|one| one.ready[0].corrects = None),
            Box::new(|one| one.ready[0].corrects = Some(Correction::Tail(Term::Name("d".to_owned())))),
            Box::new(|one| one.ready[0].corrects = Some(Correction::Claim(ClaimId { observation: one.observation.id, ordinal: 1 }))),
            Box::new(|one| one.ready[0].corrects = Some(Correction::Claim(ClaimId { observation: one.observation.id, ordinal: 2 }))),
            Box::new(|one| one.ready[0].quote = None),
            Box::new(|one| one.ready[0].quote = Some(Quote { from: 1, to: 3 })),
            Box::new(|one| one.ready[0].extractor = "rules".to_owned()),
        ];
        let ids: BTreeSet<ObservationId> = changes
            .iter()
            .map(|change| {
                let mut one = incoming();
                change(&mut one);
                identify(&one.observation, &one.ready)
            })
            .collect();
        assert_eq!(ids.len(), changes.len(), "each change has an id of its own");
    }

    #[test]
    fn texts_cannot_run_into_each_other() {
        let id = |head: &str, relation: &str, tail: &str| {
            let ready =
                [Claim { head: Term::Name(head.to_owned()), relation: relation.to_owned(), tail: Term::Name(tail.to_owned()), ..claim() }];
            identify(&incoming().observation, &ready)
        };
        let long = "x".repeat(128);
        let pieces = ["", "a", "aa", "\0", "a\0", "\u{1}a", "\u{2}aa", long.as_str()];
        let mut ids = BTreeSet::new();
        for head in pieces {
            for relation in pieces {
                for tail in pieces {
                    assert!(ids.insert(id(head, relation, tail)), "{head:?} {relation:?} {tail:?}");
                }
            }
        }
    }

    #[test]
    fn the_id_does_not_depend_on_the_id_or_the_line_it_came_with() {
        let one = incoming();
        let other = Observation { id: ObservationId::from_bytes([9; 16]), ..one.observation.clone() };
        assert_eq!(identify(&other, &one.ready), one.observation.id);
        assert_eq!(one.observation.id.to_string(), "b49c14d1529d8c2f15ca1e0a17ee8801", "the encoding of version 1 stays as it is");
    }
}
