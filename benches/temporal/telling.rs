//! The data set as observations: what a memory is told. Knows no question.

use super::data::{Data, FUNCTIONAL, OPEN};
use erstwhile::memory::Tenant;
use erstwhile::model::{Authority, Claim, Observation, ObservationId, ObservationKind, Polarity, Source, Term};
use erstwhile::observe::{Incoming, identify};
use erstwhile::time::{AsOf, End, Instant, KnownAt, Moment, Span, Start, ZonedInstant};

pub fn name(entity: u32) -> String {
    format!("e{entity}")
}

pub fn relation(number: u32) -> String {
    format!("r{number}")
}

pub fn instant(seconds: i64) -> Instant {
    Instant::from_micros(seconds * 1_000_000)
}

pub fn as_of(seconds: i64, known_at: KnownAt) -> AsOf {
    AsOf { valid_at: Moment::exact(instant(seconds)), known_at }
}

pub fn incoming(number: u64, head: u32, relation_number: u32, tail: u32, from: i64, to: i64) -> Incoming {
    let end = if to == OPEN { End::Open } else { End::At(Moment::exact(instant(to))) };
    let ready = vec![Claim {
        head: Term::Name(name(head)),
        relation: relation(relation_number),
        tail: Term::Name(name(tail)),
        polarity: Polarity::Holds,
        span: Span::new(Start::At(Moment::exact(instant(from))), end).unwrap(),
        seen_at: None,
        confidence: 1.0,
        importance: 0.5,
        context: None,
        corrects: None,
        quote: None,
        extractor: "ready".to_owned(),
    }];
    let mut observation = Observation {
        id: ObservationId::from_bytes([0; 16]),
        kind: ObservationKind::Claims,
        observed_at: ZonedInstant { at: instant(from), offset_minutes: 0 },
        source: Source { authority: Authority::User, name: None },
        session: None,
        speaker: None,
        role: None,
        key: None,
        text: None,
    };
    observation.id = identify(&observation, &ready);
    Incoming { observation, ready, line: number }
}

pub fn one_valued(tenant: &Tenant) {
    for number in 0..FUNCTIONAL {
        tenant.set_policy(&relation(number), Some("cardinality = \"one\"")).unwrap();
    }
}

pub fn all(data: &Data) -> Vec<Incoming> {
    data.rows.iter().zip(1..).map(|(row, n)| incoming(n, row.head, row.relation, row.tail, row.from, row.to)).collect()
}
