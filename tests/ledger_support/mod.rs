//! Records for the ledger's tests, made from numbers, and readings of a ledger as plain values.

#![allow(dead_code, reason = "each test file uses a part of it")]

use erstwhile::ledger::{ExtractionStatus, Ledger, LedgerError, Record, RecordRow, Seq, StoredRecord};
use erstwhile::model::{
    Authority, Claim, ClaimId, Correction, Literal, Observation, ObservationId, ObservationKind, Polarity, Quote, Source, Term,
};
use erstwhile::time::{End, Instant, Moment, Span, Start, ZonedInstant};

/// An id that looks like a content's.
pub(crate) fn id(n: u64) -> ObservationId {
    let (mut a, mut b) = (n.wrapping_add(0x9e37_79b9_7f4a_7c15), n ^ 0xdead_beef);
    for word in [&mut a, &mut b] {
        for _ in 0..3 {
            *word ^= *word >> 31;
            *word = word.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
    }
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&a.to_be_bytes());
    bytes[8..].copy_from_slice(&b.to_be_bytes());
    ObservationId::from_bytes(bytes)
}

/// A claim that holds from an exact instant on.
pub(crate) fn claim(head: &str, relation: &str, tail: &str) -> Claim {
    Claim {
        head: Term::Name(head.to_owned()),
        relation: relation.to_owned(),
        tail: Term::Name(tail.to_owned()),
        polarity: Polarity::Holds,
        span: Span::new(Start::At(Moment::exact(Instant::from_micros(1_000_000))), End::Open).unwrap(),
        seen_at: None,
        confidence: 1.0,
        importance: 0.5,
        context: None,
        corrects: None,
        quote: None,
        extractor: "ready".to_owned(),
    }
}

/// An observation with these claims.
pub(crate) fn observation(n: u64, text: Option<&str>, claims: Vec<Claim>) -> Record {
    Record::Observation {
        observation: Observation {
            id: id(n),
            kind: ObservationKind::Claims,
            observed_at: ZonedInstant { at: Instant::from_micros(i64::try_from(n).unwrap() * 1_000), offset_minutes: 0 },
            source: Source { authority: Authority::Document, name: None },
            session: None,
            speaker: None,
            role: None,
            key: None,
            text: text.map(str::to_owned),
        },
        claims,
        status: ExtractionStatus::Done,
    }
}

/// A small deterministic stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn text(&mut self) -> String {
        let words = ["", "e1", "Ada Lovelace", "東京", "naïve \"quote\"", "line\nbreak", "a\0b", "🦀", "%_' --", "x".repeat(5000).leak()];
        words[usize::try_from(self.next(words.len() as u64)).unwrap()].to_owned()
    }

    fn maybe_text(&mut self) -> Option<String> {
        (self.next(3) == 0).then(|| self.text())
    }

    fn instant(&mut self) -> Instant {
        let at = [0, 1, -1, i64::MIN, i64::MAX, 1_600_000_000_000_000, -377_705_116_800_000_000];
        match usize::try_from(self.next(12)).unwrap() {
            n if n < at.len() => Instant::from_micros(at[n]),
            _ => Instant::from_micros(i64::try_from(self.next(1 << 31)).unwrap() * 1_000_003),
        }
    }

    /// A span that no rule can find fault with: whatever bounds it has, the start's lie before the end's.
    fn span(&mut self) -> Span {
        let mut bounds = [(); 4].map(|()| self.civil());
        bounds.sort_unstable();
        let [a, b, c, d] = bounds;
        let d = Instant::from_micros(d.micros() + 1);
        let start = match self.next(5) {
            0 => Start::At(Moment::granule(a, b).unwrap()),
            1 => Start::At(Moment::exact(b)),
            2 => Start::By(b),
            3 => Start::Unknown,
            _ => Start::Always,
        };
        let end = match self.next(5) {
            0 => End::At(Moment::granule(c, d).unwrap()),
            1 => End::At(Moment::exact(d)),
            2 => End::By(d),
            _ if start == Start::Unknown => End::By(c),
            _ => End::Open,
        };
        Span::new(start, end).unwrap()
    }

    fn civil(&mut self) -> Instant {
        let at = self.instant();
        if at.is_civil() { at } else { Instant::from_micros(-1) }
    }

    fn literal(&mut self) -> Term {
        Term::Literal(Literal { lexical: self.text(), datatype: self.maybe_text(), language: self.maybe_text() })
    }

    fn term(&mut self, literals: bool) -> Term {
        match self.next(if literals { 4 } else { 3 }) {
            0 => Term::Name(self.text()),
            1 => Term::Iri(self.text()),
            2 => Term::Blank(self.text()),
            _ => self.literal(),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "any number from 0 to 1 will do")]
    fn share(&mut self) -> f64 {
        [0.0, -0.0, 1.0, 0.1, f64::MIN_POSITIVE, 1.0 - f64::EPSILON, self.next(1 << 30) as f64 / (1_u64 << 30) as f64]
            [usize::try_from(self.next(7)).unwrap()]
    }

    fn claim(&mut self) -> Claim {
        Claim {
            head: self.term(false),
            relation: self.text(),
            tail: self.term(true),
            polarity: [Polarity::Holds, Polarity::Ends, Polarity::Never][usize::try_from(self.next(3)).unwrap()],
            span: self.span(),
            seen_at: (self.next(3) == 0).then(|| self.instant()),
            confidence: self.share(),
            importance: self.share(),
            context: self.maybe_text(),
            corrects: match self.next(6) {
                0 => Some(Correction::Claim(ClaimId { observation: id(self.next(50)), ordinal: u32::try_from(self.next(3)).unwrap() })),
                1 => Some(Correction::Tail(self.term(true))),
                _ => None,
            },
            quote: (self.next(4) == 0).then_some(Quote { from: 3, to: u32::MAX }),
            extractor: if self.next(3) == 0 { "rules".to_owned() } else { "ready".to_owned() },
        }
    }

    /// An observation with every field at play.
    pub(crate) fn observation(&mut self, n: u64) -> Record {
        use Authority::{Assistant, Curated, Document, Inference, Tool, User};
        let kinds = [ObservationKind::Chat, ObservationKind::Document, ObservationKind::ToolResult, ObservationKind::Claims];
        let ranks = [Inference, Assistant, Tool, Document, Curated, User];
        Record::Observation {
            observation: Observation {
                id: id(n),
                kind: kinds[usize::try_from(self.next(4)).unwrap()],
                observed_at: ZonedInstant { at: self.instant(), offset_minutes: i16::try_from(self.next(2161)).unwrap() - 1080 },
                source: Source { authority: ranks[usize::try_from(self.next(6)).unwrap()], name: self.maybe_text() },
                session: self.maybe_text(),
                speaker: self.maybe_text(),
                role: self.maybe_text(),
                key: self.maybe_text(),
                text: self.maybe_text(),
            },
            claims: (0..self.next(4)).map(|_| self.claim()).collect(),
            status: ExtractionStatus::Done,
        }
    }
}

/// Rows as text, one a line; equal texts are equal rows.
pub(crate) fn rows(ledger: &mut dyn Ledger, from: Seq) -> Vec<String> {
    let mut rows = Vec::new();
    ledger.replay(from, &mut |row| rows.push(format!("{row:?}"))).unwrap();
    rows
}

/// Everything that is there.
pub(crate) fn everything(ledger: &mut dyn Ledger) -> Vec<StoredRecord> {
    let mut all = Vec::new();
    ledger
        .export(&mut |record| {
            all.push(record);
            Ok(())
        })
        .unwrap();
    all
}

/// The ids that are there, in sequence.
pub(crate) fn ids(ledger: &mut dyn Ledger) -> Vec<ObservationId> {
    let mut ids = Vec::new();
    ledger.observation_ids(&mut |_, id| ids.push(id)).unwrap();
    ids
}

/// The place of a row.
pub(crate) fn place(row: &RecordRow<'_>) -> Seq {
    row.seq()
}

/// Imports records into an empty ledger.
pub(crate) fn import(ledger: &mut dyn Ledger, records: Vec<StoredRecord>) -> Result<u64, LedgerError> {
    let mut records = records.into_iter();
    ledger.import(&mut || Ok(records.next()))
}
