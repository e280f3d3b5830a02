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

    fn count(&mut self, count: usize) {
        self.bytes.extend_from_slice(&(count as u64).to_be_bytes());
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
