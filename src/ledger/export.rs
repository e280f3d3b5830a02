//! The transfer types of export and import: one JSON line per record, lossless in both times.
//!
//! Owns how a record is written as a line and read back, field by field, with the field named where it is wrong.
//! Knows no file, no tenant and no order of lines: `memory` decides what is exported and what an import accepts.

use super::{ExtractionStatus, Retractable, Seq, StoredExtraction, StoredObservation, StoredRecord};
use crate::model::{
    Authority, Claim, ClaimId, Correction, Literal, Observation, ObservationId, ObservationKind, Polarity, Quote, Source, Term,
};
use crate::time::{End, Instant, Moment, Span, Start, ZonedInstant};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The version of the export schema that is written here, and the highest that is read.
pub const EXPORT_FORMAT: u32 = 2;

/// One line of an export.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportLine {
    /// The first line: what this is.
    Header {
        /// The version of the schema.
        format: u32,
        /// The tenant it was read from; information only.
        tenant: String,
    },
    /// One record, in sequence order.
    Record(Box<StoredRecord>),
    /// The last line, so that a cut-off file is noticed.
    End {
        /// How many records came before.
        records: u64,
    },
}

/// A line that is no line of an export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ExportError {
    /// The field to blame, where one is.
    pub field: Option<String>,
    /// What is wrong with it, naming the value.
    pub reason: String,
}

impl ExportError {
    fn of(field: &str, reason: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), reason: reason.into() }
    }
}

impl ExportLine {
    /// The line as JSON, without its line feed.
    ///
    /// # Errors
    /// [`ExportError`] if a number in it is not finite.
    pub fn to_json(&self) -> Result<String, ExportError> {
        let line = match self {
            Self::Header { format, tenant } => Line { export: Some(*format), tenant: Some(Cow::Borrowed(tenant)), ..Line::default() },
            Self::End { records } => Line { end: Some(*records), ..Line::default() },
            Self::Record(record) => {
                let mut line = Line { seq: Some(record.seq()), tx: Some(Time(record.tx())), ..Line::default() };
                match &**record {
                    StoredRecord::Observation(stored) => line.observation = Some(ObservationLine::new(stored)?),
                    StoredRecord::Belief { target, believed, because, .. } => {
                        let belief = Some(BeliefLine::new(*target, because));
                        if *believed {
                            line.restore = belief;
                        } else {
                            line.retract = belief;
                        }
                    }
                    StoredRecord::Policy { relation, toml, .. } => {
                        line.policy = Some(PolicyLine { relation: Cow::Borrowed(relation), toml: toml.as_deref().map(Cow::Borrowed) });
                    }
                    StoredRecord::Erasure { observations, .. } => line.erasure = Some(ErasureLine { observations: *observations }),
                    StoredRecord::Merge { from, into, merged, because, .. } => {
                        let merge =
                            Some(MergeLine { from: TermLine::new(from), into: TermLine::new(into), because: Cow::Borrowed(because) });
                        if *merged {
                            line.merge = merge;
                        } else {
                            line.unmerge = merge;
                        }
                    }
                    StoredRecord::Setting { name, value, .. } => {
                        line.setting = Some(SettingLine { name: Cow::Borrowed(name), value: value.as_deref().map(Cow::Borrowed) });
                    }
                    StoredRecord::Extraction(stored) => line.extraction = Some(ExtractionLine::new(stored)?),
                }
                line
            }
        };
        serde_json::to_string(&line).map_err(|error| ExportError { field: None, reason: error.to_string() })
    }

    /// Reads a line back.
    ///
    /// # Errors
    /// [`ExportError`] naming the field.
    pub fn from_json(text: &str) -> Result<Self, ExportError> {
        let line: Line<'_> = serde_json::from_str(text).map_err(|error| ExportError { field: None, reason: error.to_string() })?;
        let kinds = usize::from(line.export.is_some())
            + usize::from(line.end.is_some())
            + usize::from(line.observation.is_some())
            + usize::from(line.retract.is_some())
            + usize::from(line.restore.is_some())
            + usize::from(line.policy.is_some())
            + usize::from(line.erasure.is_some())
            + usize::from(line.merge.is_some())
            + usize::from(line.unmerge.is_some())
            + usize::from(line.setting.is_some())
            + usize::from(line.extraction.is_some());
        if kinds != 1 {
            return Err(ExportError {
                field: None,
                reason: format!(
                    "a line is exactly one of export, observation, extraction, retract, restore, merge, unmerge, policy, setting, erasure and \
                     end, this one is {kinds} of them"
                ),
            });
        }
        if let Some(format) = line.export {
            return Ok(Self::Header { format, tenant: line.tenant.map(Cow::into_owned).unwrap_or_default() });
        }
        if let Some(records) = line.end {
            return Ok(Self::End { records });
        }
        let seq = line.seq.ok_or_else(|| ExportError::of("seq", "seq is missing"))?;
        let tx = line.tx.ok_or_else(|| ExportError::of("tx", "tx is missing"))?.0;
        if !tx.is_civil() {
            return Err(ExportError::of("tx", format!("tx {} lies outside the years -9999 to 9999", tx.micros())));
        }
        let record = if let Some(erasure) = line.erasure {
            StoredRecord::Erasure { seq, tx, observations: erasure.observations }
        } else if let Some(observation) = line.observation {
            StoredRecord::Observation(observation.read(seq, tx)?)
        } else if let Some(policy) = line.policy {
            StoredRecord::Policy { seq, tx, relation: policy.relation.into_owned(), toml: policy.toml.map(Cow::into_owned) }
        } else if let Some(setting) = line.setting {
            StoredRecord::Setting { seq, tx, name: setting.name.into_owned(), value: setting.value.map(Cow::into_owned) }
        } else if let Some(extraction) = line.extraction {
            StoredRecord::Extraction(extraction.read(seq, tx)?)
        } else if line.merge.is_some() || line.unmerge.is_some() {
            let merged = line.merge.is_some();
            let merge = line.merge.or(line.unmerge).ok_or_else(|| ExportError { field: None, reason: "an empty line".to_owned() })?;
            let because = merge.because.into_owned();
            StoredRecord::Merge { seq, tx, from: merge.from.read(), into: merge.into.read(), merged, because }
        } else {
            let believed = line.restore.is_some();
            let belief = line.retract.or(line.restore).ok_or_else(|| ExportError { field: None, reason: "an empty line".to_owned() })?;
            let target = belief.target(if believed { "restore" } else { "retract" })?;
            StoredRecord::Belief { seq, tx, target, believed, because: belief.because.into_owned() }
        };
        Ok(Self::Record(Box::new(record)))
    }
}

/// Any line, as written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Line<'a> {
    #[serde(rename = "erstwhile_export", skip_serializing_if = "Option::is_none")]
    export: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<Seq>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tx: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    observation: Option<ObservationLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retract: Option<BeliefLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restore: Option<BeliefLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    erasure: Option<ErasureLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merge: Option<MergeLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unmerge: Option<MergeLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setting: Option<SettingLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extraction: Option<ExtractionLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MergeLine<'a> {
    from: TermLine<'a>,
    into: TermLine<'a>,
    #[serde(default)]
    because: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingLine<'a> {
    name: Cow<'a, str>,
    value: Option<Cow<'a, str>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtractionLine<'a> {
    observation: Cow<'a, str>,
    extractor: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    claims: Vec<ClaimLine<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<Cow<'a, str>>,
}

impl<'a> ExtractionLine<'a> {
    fn new(stored: &'a StoredExtraction) -> Result<Self, ExportError> {
        Ok(Self {
            observation: Cow::Owned(stored.observation.to_string()),
            extractor: Cow::Borrowed(&stored.extractor),
            claims: stored.claims.iter().map(ClaimLine::new).collect::<Result<_, _>>()?,
            failed: stored.status.failure().map(Cow::Borrowed),
        })
    }

    fn read(self, seq: Seq, tx: Instant) -> Result<StoredExtraction, ExportError> {
        let mut claims = Vec::with_capacity(self.claims.len());
        for (nth, claim) in self.claims.into_iter().enumerate() {
            let field = |name: &str| format!("extraction.claims[{nth}].{name}");
            for (name, given) in [("seq", claim.seq.is_some()), ("tx", claim.tx.is_some())] {
                if given {
                    return Err(ExportError::of(&field(name), format!("a claim of an extraction has no {name} of its own")));
                }
            }
            claims.push(claim.read(&field)?);
        }
        Ok(StoredExtraction {
            seq,
            tx,
            observation: observation_id("extraction.observation", &self.observation)?,
            extractor: self.extractor.into_owned(),
            claims,
            status: ExtractionStatus::of(self.failed.map(Cow::into_owned)),
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ErasureLine {
    observations: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyLine<'a> {
    relation: Cow<'a, str>,
    toml: Option<Cow<'a, str>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BeliefLine<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    observation: Option<String>,
    #[serde(default)]
    because: Cow<'a, str>,
}

impl<'a> BeliefLine<'a> {
    fn new(target: Retractable, because: &'a str) -> Self {
        let (claim, observation) = match target {
            Retractable::Claim(id) => (Some(id.to_string()), None),
            Retractable::Observation(id) => (None, Some(id.to_string())),
        };
        Self { claim, observation, because: Cow::Borrowed(because) }
    }

    fn target(&self, field: &str) -> Result<Retractable, ExportError> {
        match (&self.claim, &self.observation) {
            (Some(claim), None) => claim_id(&format!("{field}.claim"), claim).map(Retractable::Claim),
            (None, Some(observation)) => observation_id(&format!("{field}.observation"), observation).map(Retractable::Observation),
            (Some(_), Some(_)) | (None, None) => Err(ExportError::of(field, format!("{field} names exactly one claim or observation"))),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ObservationLine<'a> {
    id: String,
    kind: KindWord,
    observed_at: Time,
    #[serde(default, skip_serializing_if = "is_zero")]
    offset_minutes: i16,
    authority: AuthorityWord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speaker: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    claims: Vec<ClaimLine<'a>>,
    /// Why it was recorded without its claims, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<Cow<'a, str>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(minutes: &i16) -> bool {
    *minutes == 0
}

impl<'a> ObservationLine<'a> {
    fn new(stored: &'a StoredObservation) -> Result<Self, ExportError> {
        let observation = &stored.observation;
        let mut place = stored.seq;
        let mut claims = Vec::with_capacity(stored.claims.len());
        for (seq, tx, claim) in &stored.claims {
            place += 1;
            claims.push(ClaimLine {
                seq: (*seq != place).then_some(*seq),
                tx: (*tx != stored.tx).then_some(Time(*tx)),
                ..ClaimLine::new(claim)?
            });
        }
        Ok(Self {
            id: observation.id.to_string(),
            kind: observation.kind.into(),
            observed_at: Time(observation.observed_at.at),
            offset_minutes: observation.observed_at.offset_minutes,
            authority: observation.source.authority.into(),
            source: observation.source.name.as_deref().map(Cow::Borrowed),
            session: observation.session.as_deref().map(Cow::Borrowed),
            speaker: observation.speaker.as_deref().map(Cow::Borrowed),
            role: observation.role.as_deref().map(Cow::Borrowed),
            key: observation.key.as_deref().map(Cow::Borrowed),
            text: observation.text.as_deref().map(Cow::Borrowed),
            claims,
            failed: stored.status.failure().map(Cow::Borrowed),
        })
    }

    fn read(self, seq: Seq, tx: Instant) -> Result<StoredObservation, ExportError> {
        if self.offset_minutes.abs() > 18 * 60 {
            return Err(ExportError::of(
                "observation.offset_minutes",
                format!("offset_minutes {} is more than 18 hours", self.offset_minutes),
            ));
        }
        if !self.observed_at.0.is_civil() {
            return Err(ExportError::of(
                "observation.observed_at",
                format!("observed_at {} lies outside the years -9999 to 9999", self.observed_at.0.micros()),
            ));
        }
        let observation = Observation {
            id: observation_id("observation.id", &self.id)?,
            kind: self.kind.into(),
            observed_at: ZonedInstant { at: self.observed_at.0, offset_minutes: self.offset_minutes },
            source: Source { authority: self.authority.into(), name: self.source.map(Cow::into_owned) },
            session: self.session.map(Cow::into_owned),
            speaker: self.speaker.map(Cow::into_owned),
            role: self.role.map(Cow::into_owned),
            key: self.key.map(Cow::into_owned),
            text: self.text.map(Cow::into_owned),
        };
        let mut place = seq;
        let mut claims = Vec::with_capacity(self.claims.len());
        for (ordinal, claim) in self.claims.into_iter().enumerate() {
            place += 1;
            let field = |name: &str| format!("observation.claims[{ordinal}].{name}");
            claims.push((claim.seq.unwrap_or(place), claim.tx.map_or(tx, |time| time.0), claim.read(&field)?));
        }
        let status = ExtractionStatus::of(self.failed.map(Cow::into_owned));
        Ok(StoredObservation { seq, tx, observation, claims, status })
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimLine<'a> {
    /// Left out where it is the place after the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seq: Option<Seq>,
    /// Left out where it is the observation's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tx: Option<Time>,
    head: TermLine<'a>,
    relation: Cow<'a, str>,
    tail: TermLine<'a>,
    polarity: PolarityWord,
    start: StartLine,
    end: EndLine,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen_at: Option<Time>,
    confidence: f64,
    importance: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    corrects: Option<CorrectsLine<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quote: Option<(u32, u32)>,
    extractor: Cow<'a, str>,
}

impl<'a> ClaimLine<'a> {
    fn new(claim: &'a Claim) -> Result<Self, ExportError> {
        for (field, number) in [("confidence", claim.confidence), ("importance", claim.importance)] {
            if !number.is_finite() {
                return Err(ExportError::of(field, format!("{field} {number} is no finite number")));
            }
        }
        Ok(Self {
            seq: None,
            tx: None,
            head: TermLine::new(&claim.head),
            relation: Cow::Borrowed(&claim.relation),
            tail: TermLine::new(&claim.tail),
            polarity: claim.polarity.into(),
            start: claim.span.start().into(),
            end: claim.span.end().into(),
            seen_at: claim.seen_at.map(Time),
            confidence: claim.confidence,
            importance: claim.importance,
            context: claim.context.as_deref().map(Cow::Borrowed),
            corrects: claim.corrects.as_ref().map(|corrects| match corrects {
                Correction::Claim(id) => CorrectsLine::Claim(Cow::Owned(id.to_string())),
                Correction::Tail(tail) => CorrectsLine::Tail(TermLine::new(tail)),
            }),
            quote: claim.quote.map(|quote| (quote.from, quote.to)),
            extractor: Cow::Borrowed(&claim.extractor),
        })
    }

    fn read(self, field: &dyn Fn(&str) -> String) -> Result<Claim, ExportError> {
        for (name, number) in [("confidence", self.confidence), ("importance", self.importance)] {
            if !(0.0..=1.0).contains(&number) {
                return Err(ExportError::of(&field(name), format!("{name} {number} is not within 0 to 1")));
            }
        }
        let quote = match self.quote {
            Some((from, to)) if to < from => {
                return Err(ExportError::of(&field("quote"), format!("quote [{from}, {to}] ends before it begins")));
            }
            Some((from, to)) => Some(Quote { from, to }),
            None => None,
        };
        let head = self.head.read();
        if matches!(head, Term::Literal(_)) {
            return Err(ExportError::of(&field("head"), format!("a head cannot be the literal {head}")));
        }
        let polarity = self.polarity.into();
        let start = self.start.read(&field("start"))?;
        if polarity == Polarity::Ends && start != Start::Unknown {
            return Err(ExportError::of(&field("start"), "the start of an end is not \"unknown\""));
        }
        Ok(Claim {
            head,
            relation: self.relation.into_owned(),
            tail: self.tail.read(),
            polarity,
            span: Span::new(start, self.end.read(&field("end"))?).map_err(|error| ExportError::of(&field("end"), error.to_string()))?,
            seen_at: self.seen_at.map(|time| time.0),
            confidence: self.confidence,
            importance: self.importance,
            context: self.context.map(Cow::into_owned),
            corrects: match self.corrects {
                None => None,
                Some(CorrectsLine::Claim(id)) => Some(Correction::Claim(claim_id(&field("corrects.claim"), &id)?)),
                Some(CorrectsLine::Tail(tail)) => Some(Correction::Tail(tail.read())),
            },
            quote,
            extractor: self.extractor.into_owned(),
        })
    }
}

/// What a claim corrects, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CorrectsLine<'a> {
    Claim(Cow<'a, str>),
    Tail(TermLine<'a>),
}

/// A term, as written: a name is a plain string.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum TermLine<'a> {
    Name(Cow<'a, str>),
    Iri(IriLine<'a>),
    Blank(BlankLine<'a>),
    Literal(LiteralLine<'a>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct IriLine<'a> {
    iri: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlankLine<'a> {
    blank: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LiteralLine<'a> {
    literal: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    datatype: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<Cow<'a, str>>,
}

impl<'a> TermLine<'a> {
    fn new(term: &'a Term) -> Self {
        match term {
            Term::Name(name) => Self::Name(Cow::Borrowed(name)),
            Term::Iri(iri) => Self::Iri(IriLine { iri: Cow::Borrowed(iri) }),
            Term::Blank(blank) => Self::Blank(BlankLine { blank: Cow::Borrowed(blank) }),
            Term::Literal(literal) => Self::Literal(LiteralLine {
                literal: Cow::Borrowed(&literal.lexical),
                datatype: literal.datatype.as_deref().map(Cow::Borrowed),
                language: literal.language.as_deref().map(Cow::Borrowed),
            }),
        }
    }

    fn read(self) -> Term {
        match self {
            Self::Name(name) => Term::Name(name.into_owned()),
            Self::Iri(line) => Term::Iri(line.iri.into_owned()),
            Self::Blank(line) => Term::Blank(line.blank.into_owned()),
            Self::Literal(line) => Term::Literal(Literal {
                lexical: line.literal.into_owned(),
                datatype: line.datatype.map(Cow::into_owned),
                language: line.language.map(Cow::into_owned),
            }),
        }
    }
}

/// A moment, as written: one instant, or a granule `[lo, hi)`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum MomentLine {
    Exact(Time),
    Granule([Time; 2]),
}

impl From<Moment> for MomentLine {
    fn from(moment: Moment) -> Self {
        if moment.is_exact() { Self::Exact(Time(moment.lo())) } else { Self::Granule([Time(moment.lo()), Time(moment.hi())]) }
    }
}

impl MomentLine {
    fn read(self, field: &str) -> Result<Moment, ExportError> {
        match self {
            Self::Exact(at) => Ok(Moment::exact(at.0)),
            Self::Granule([lo, hi]) => Moment::granule(lo.0, hi.0).map_err(|error| ExportError::of(field, error.to_string())),
        }
    }
}

/// A start, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StartLine {
    At(MomentLine),
    By(Time),
    Unknown,
    Always,
}

impl From<Start> for StartLine {
    fn from(start: Start) -> Self {
        match start {
            Start::At(moment) => Self::At(moment.into()),
            Start::By(at) => Self::By(Time(at)),
            Start::Unknown => Self::Unknown,
            Start::Always => Self::Always,
        }
    }
}

impl StartLine {
    fn read(self, field: &str) -> Result<Start, ExportError> {
        Ok(match self {
            Self::At(moment) => Start::At(moment.read(field)?),
            Self::By(at) => Start::By(at.0),
            Self::Unknown => Start::Unknown,
            Self::Always => Start::Always,
        })
    }
}

/// An end, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndLine {
    At(MomentLine),
    By(Time),
    Open,
}

impl From<End> for EndLine {
    fn from(end: End) -> Self {
        match end {
            End::At(moment) => Self::At(moment.into()),
            End::By(at) => Self::By(Time(at)),
            End::Open => Self::Open,
        }
    }
}

impl EndLine {
    fn read(self, field: &str) -> Result<End, ExportError> {
        Ok(match self {
            Self::At(moment) => End::At(moment.read(field)?),
            Self::By(at) => End::By(at.0),
            Self::Open => End::Open,
        })
    }
}

/// An instant, as written: RFC 3339 in UTC, or the number of microseconds where it lies outside the civil years.
#[derive(Clone, Copy, Debug)]
struct Time(Instant);

impl Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // 10000-01-01, the end of the civil years, has no four-digit year.
        if self.0.is_civil() && self.0 < Instant::MAX { serializer.collect_str(&self.0) } else { serializer.serialize_i64(self.0.micros()) }
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written<'a> {
            Micros(i64),
            Text(Cow<'a, str>),
        }
        match Written::deserialize(deserializer)? {
            Written::Micros(micros) => Ok(Self(Instant::from_micros(micros))),
            Written::Text(text) => Instant::parse(&text).map(Self).map_err(serde::de::Error::custom),
        }
    }
}

/// Two-way tables of words: the name in the file, the value in the model.
macro_rules! words {
    ($word:ident, $model:ident: $($variant:ident),+) => {
        #[derive(Clone, Copy, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum $word {
            $($variant),+
        }

        impl From<$model> for $word {
            fn from(value: $model) -> Self {
                match value {
                    $($model::$variant => Self::$variant),+
                }
            }
        }

        impl From<$word> for $model {
            fn from(value: $word) -> Self {
                match value {
                    $($word::$variant => Self::$variant),+
                }
            }
        }
    };
}

words!(KindWord, ObservationKind: Chat, Document, ToolResult, Claims);
words!(AuthorityWord, Authority: Inference, Assistant, Tool, Document, Curated, User);
words!(PolarityWord, Polarity: Holds, Ends, Never);

fn observation_id(field: &str, text: &str) -> Result<ObservationId, ExportError> {
    text.parse().map_err(|error: crate::model::IdError| ExportError::of(field, error.to_string()))
}

fn claim_id(field: &str, text: &str) -> Result<ClaimId, ExportError> {
    text.parse().map_err(|error: crate::model::IdError| ExportError::of(field, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Instant {
        Instant::from_micros(micros)
    }

    fn claim(start: Start, end: End) -> Claim {
        Claim {
            head: Term::Name("Ana".to_owned()),
            relation: "employer".to_owned(),
            tail: Term::Iri("https://example.org/acme".to_owned()),
            polarity: Polarity::Holds,
            span: Span::new(start, end).unwrap(),
            seen_at: Some(at(5)),
            confidence: 0.1 + 0.2,
            importance: 1.0 / 3.0,
            context: Some("https://example.org/graph".to_owned()),
            corrects: None,
            quote: Some(Quote { from: 3, to: 9 }),
            extractor: "ready".to_owned(),
        }
    }

    const TX: Instant = Instant::from_micros(1_800_000_000_123_456);

    fn observation(claims: Vec<(Seq, Instant, Claim)>) -> StoredRecord {
        let observation = Observation {
            id: ObservationId::from_bytes([7; 16]),
            kind: ObservationKind::ToolResult,
            observed_at: ZonedInstant { at: at(1_700_000_000_000_001), offset_minutes: -330 },
            source: Source { authority: Authority::Curated, name: Some("hr \"base\"".to_owned()) },
            session: Some("s".to_owned()),
            speaker: Some("王芳".to_owned()),
            role: Some("tool".to_owned()),
            key: Some("k\n1".to_owned()),
            text: Some("a \u{0} text".to_owned()),
        };
        let status = ExtractionStatus::Failed("the model did not answer".to_owned());
        StoredRecord::Observation(StoredObservation { seq: 3, tx: TX, observation, claims, status })
    }

    fn round(record: StoredRecord) {
        let line = ExportLine::Record(Box::new(record));
        let text = line.to_json().unwrap();
        assert!(!text.contains('\n'), "one line: {text}");
        assert_eq!(ExportLine::from_json(&text).unwrap(), line, "{text}");
    }

    #[test]
    fn every_record_comes_back_as_it_went() {
        let granule = |lo, hi| Moment::granule(at(lo), at(hi)).unwrap();
        let spans = [
            (Start::At(Moment::exact(at(0))), End::Open),
            (Start::At(granule(-5_000_000, 7)), End::At(granule(8, 9))),
            (Start::By(Instant::MIN), End::By(Instant::MAX)),
            (Start::Unknown, End::At(Moment::exact(at(1)))),
            (Start::Always, End::At(granule(Instant::DISTANT_PAST.micros(), 3))),
        ];
        let mut claims: Vec<Claim> = spans.into_iter().map(|(start, end)| claim(start, end)).collect();
        claims.push(Claim {
            tail: Term::Literal(Literal {
                lexical: "1".to_owned(),
                datatype: Some("http://www.w3.org/2001/XMLSchema#integer".to_owned()),
                language: None,
            }),
            corrects: Some(Correction::Tail(Term::Literal(Literal {
                lexical: "hé".to_owned(),
                datatype: None,
                language: Some("fr".to_owned()),
            }))),
            ..claim(Start::Always, End::Open)
        });
        claims.push(Claim {
            head: Term::Blank("b0".to_owned()),
            polarity: Polarity::Ends,
            seen_at: None,
            context: None,
            quote: None,
            corrects: Some(Correction::Claim(ClaimId { observation: ObservationId::from_bytes([9; 16]), ordinal: 4 })),
            ..claim(Start::Unknown, End::By(at(2)))
        });
        // The last claim was recorded later, by itself.
        let mut placed: Vec<_> = claims.into_iter().zip(4..).map(|(claim, seq)| (seq, TX, claim)).collect();
        if let Some(last) = placed.last_mut() {
            (last.0, last.1) = (900, at(TX.micros() + 1));
        }
        round(observation(placed));
        let target = Retractable::Claim(ClaimId { observation: ObservationId::from_bytes([1; 16]), ordinal: 2 });
        round(StoredRecord::Belief { seq: 1, tx: TX, target, believed: false, because: "wrong".to_owned() });
        let target = Retractable::Observation(ObservationId::from_bytes([1; 16]));
        round(StoredRecord::Belief { seq: 2, tx: TX, target, believed: true, because: String::new() });
        round(StoredRecord::Policy { seq: 3, tx: TX, relation: "city".to_owned(), toml: Some("cardinality = \"one\"\n".to_owned()) });
        round(StoredRecord::Policy { seq: 4, tx: TX, relation: "*".to_owned(), toml: None });
        round(StoredRecord::Erasure { seq: 5, tx: TX, observations: 12 });
        let (from, into) = (Term::Name("Bob".to_owned()), Term::Iri("https://example.org/robert".to_owned()));
        for merged in [true, false] {
            let (from, into) = (from.clone(), into.clone());
            round(StoredRecord::Merge { seq: 6, tx: TX, from, into, merged, because: "one \"man\"".to_owned() });
        }
        round(StoredRecord::Setting { seq: 7, tx: TX, name: "write policy".to_owned(), value: Some("a\nb".to_owned()) });
        round(StoredRecord::Setting { seq: 8, tx: TX, name: "write policy".to_owned(), value: None });
        for status in [ExtractionStatus::Done, ExtractionStatus::Failed(String::new())] {
            let observation = ObservationId::from_bytes([7; 16]);
            let claims = vec![claim(Start::Always, End::Open); 2];
            round(StoredRecord::Extraction(StoredExtraction { seq: 9, tx: TX, observation, extractor: "llm".to_owned(), claims, status }));
        }
        for line in [ExportLine::Header { format: 1, tenant: "Ü".to_owned() }, ExportLine::End { records: 9 }] {
            assert_eq!(ExportLine::from_json(&line.to_json().unwrap()).unwrap(), line, "header and end come back");
        }
    }

    fn refused(text: &str, field: Option<&str>, says: &str) {
        let error = ExportLine::from_json(text).unwrap_err();
        assert_eq!(error.field.as_deref(), field, "{error}");
        assert!(error.reason.contains(says), "{error}");
    }

    #[test]
    fn a_wrong_line_names_its_field() {
        refused("{", None, "EOF");
        refused("{}", None, "exactly one of");
        refused(r#"{"seq":1,"tx":0,"end":3,"erasure":{"observations":1}}"#, None, "exactly one of");
        refused(r#"{"tx":0,"erasure":{"observations":1}}"#, Some("seq"), "missing");
        refused(r#"{"seq":1,"erasure":{"observations":1}}"#, Some("tx"), "missing");
        refused(r#"{"seq":1,"tx":0,"retract":{"because":"x"}}"#, Some("retract"), "exactly one");
        refused(r#"{"seq":1,"tx":0,"restore":{"claim":"zz"}}"#, Some("restore.claim"), "zz");
        refused(r#"{"seq":1,"tx":0,"colour":1}"#, None, "colour");
        refused(r#"{"seq":1,"tx":0,"merge":{"from":"a"}}"#, None, "into");
        refused(r#"{"seq":1,"tx":0,"extraction":{"observation":"zz","extractor":"llm"}}"#, Some("extraction.observation"), "zz");
        let line = |claim: &str| {
            format!(
                r#"{{"seq":1,"tx":0,"observation":{{"id":"{}","kind":"claims","observed_at":0,"authority":"user","claims":[{claim}]}}}}"#,
                "0".repeat(32)
            )
        };
        let good = r#""head":"a","relation":"r","tail":"b","polarity":"holds","importance":0.5,"extractor":"ready""#;
        refused(
            &line(&format!(r#"{{{good},"start":"always","end":"open","confidence":1.5}}"#)),
            Some("observation.claims[0].confidence"),
            "1.5",
        );
        refused(
            &line(&format!(r#"{{{good},"start":{{"at":5}},"end":{{"at":1}},"confidence":1}}"#)),
            Some("observation.claims[0].end"),
            "before",
        );
    }
}
