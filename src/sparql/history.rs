//! The whole history of a memory as RDF: every record with both its times, and the way back.
//!
//! Owns how a record is told in triples and read from them. Knows no file and no tenant: what an import accepts is `memory`'s.
//!
//! One resource follows another in the order of the records: the tenant with the version, then each record with what belongs to it, then
//! the tenant with the number of records. What RDF, or the format, has no form for is written as text of the datatype [`ESCAPED`].

use super::error::SparqlError;
use super::terms;
use super::words::{self, Word};
use super::write::{RdfWriter, node, text};
use crate::ledger::{ExportLine, ExtractionStatus, Retractable, StoredExtraction, StoredObservation, StoredRecord};
use crate::model::{
    Authority, Claim, ClaimId, Correction, Observation, ObservationId, ObservationKind, Polarity, Quote, Source, Term, vocab,
};
use crate::time::{Instant, Span, Zone, ZonedInstant, parse_end, parse_start};
use oxrdf::{Literal, NamedOrBlankNode, Quad, Term as RdfTerm, Triple};
use oxrdfio::RdfFormat;
use std::collections::VecDeque;
use std::io::Write;

/// The datatype of a text that its format cannot hold as it is: percent-encoded, and of a term in its canonical text.
pub(super) const ESCAPED: &str = "erst:escaped";

macro_rules! properties {
    ($($name:ident = $iri:expr,)*) => {
        /// The properties of a history that are no words of facts.
        mod property {
            $(pub(super) const $name: &str = $iri;)*
            #[cfg(test)]
            pub(super) const ALL: &[&str] = &[$($iri,)*];
        }
    };
}

properties! {
    FORMAT = "erst:exportFormat",
    RECORDS = "erst:records",
    RECORDED = "erst:recordedAt",
    RECORDS_OBSERVATION = "erst:recordsObservation",
    RETRACTS = "erst:retracts",
    RESTORES = "erst:restores",
    BECAUSE = "erst:because",
    OVERRIDES = "erst:overrides",
    TOML = "erst:toml",
    ERASED = "erst:erasedObservations",
    MERGES = "erst:merges",
    UNMERGES = "erst:unmerges",
    INTO = "erst:into",
    SETTING = "erst:setting",
    VALUE = "erst:value",
    EXTRACTS = "erst:extractsFrom",
    EXTRACTOR = "erst:extractor",
    FAILED = "erst:failed",
    KIND = "erst:kind",
    OFFSET = "erst:offsetMinutes",
    AUTHORITY = "erst:authority",
    SOURCE = "erst:source",
    SESSION = "erst:session",
    SPEAKER = "erst:speaker",
    ROLE = "erst:role",
    KEY = "erst:key",
    TEXT = "erst:text",
    PLACE = "erst:place",
    HEAD = "erst:head",
    RELATION = "erst:relation",
    TAIL = "erst:tail",
    POLARITY = "erst:polarity",
    SEEN_AT = "erst:seenAt",
    CONTEXT = "erst:context",
    CORRECTS = "erst:corrects",
    CORRECTS_TAIL = "erst:correctsTail",
    QUOTE_FROM = "erst:quoteFrom",
    QUOTE_TO = "erst:quoteTo",
}

const KINDS: [(ObservationKind, &str); 4] = [
    (ObservationKind::Chat, "erst:Chat"),
    (ObservationKind::Document, "erst:Document"),
    (ObservationKind::ToolResult, "erst:ToolResult"),
    (ObservationKind::Claims, "erst:Claims"),
];
const AUTHORITIES: [(Authority, &str); 6] = [
    (Authority::Inference, "erst:Inference"),
    (Authority::Assistant, "erst:Assistant"),
    (Authority::Tool, "erst:Tool"),
    (Authority::Document, "erst:DocumentSource"),
    (Authority::Curated, "erst:Curated"),
    (Authority::User, "erst:User"),
];
const POLARITIES: [(Polarity, &str); 3] = [(Polarity::Holds, "erst:Holds"), (Polarity::Ends, "erst:Ends"), (Polarity::Never, "erst:Never")];

/// Writes the lines of an export as RDF: a stream, nothing of which is kept.
#[derive(Debug)]
pub struct HistoryWriter<W: Write> {
    out: RdfWriter<W>,
    tenant: NamedOrBlankNode,
}

impl<W: Write> HistoryWriter<W> {
    /// Begins to write.
    ///
    /// # Errors
    /// [`SparqlError::Format`].
    pub fn new(format: RdfFormat, out: W) -> Result<Self, SparqlError> {
        Ok(Self { out: RdfWriter::new(format, out)?, tenant: node(terms::TENANT).into() })
    }

    /// Writes a line; they come in the order of an export, the header first.
    ///
    /// # Errors
    /// [`SparqlError::Format`] of what cannot be told, [`SparqlError::Write`].
    pub fn line(&mut self, line: &ExportLine) -> Result<(), SparqlError> {
        match line {
            ExportLine::Header { format, tenant } => {
                self.tenant = node(terms::tenant_iri(tenant)).into();
                self.tell(&self.tenant.clone(), property::FORMAT, Some(Literal::from(*format).into()))
            }
            ExportLine::End { records } => self.tell(&self.tenant.clone(), property::RECORDS, Some(Literal::from(*records).into())),
            ExportLine::Record(record) => self.record(record),
        }
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// [`SparqlError::Write`].
    pub fn finish(self) -> Result<W, SparqlError> {
        self.out.finish()
    }

    fn tell(&mut self, subject: &NamedOrBlankNode, property: &str, object: Option<RdfTerm>) -> Result<(), SparqlError> {
        object.map_or(Ok(()), |object| self.out.triple(subject, node(property), object))
    }

    /// A text, escaped where the format would not keep it.
    fn text(&self, value: &str) -> RdfTerm {
        if self.out.holds_text(value) { text(value) } else { terms::typed(terms::encode("", value), ESCAPED) }
    }

    /// A term of a claim as RDF has it, or escaped.
    fn term(&self, term: &Term) -> RdfTerm {
        let is_kept = match term {
            Term::Name(_) => term.check().is_ok(),
            Term::Iri(iri) => term.check().is_ok() && oxrdf::NamedNode::new(iri.as_str()).is_ok(),
            // Readers take one of hexadecimal digits alone for a number, and give it another name.
            Term::Blank(label) => {
                label.bytes().all(|byte| byte.is_ascii_alphanumeric())
                    && label.starts_with(|c: char| c.is_ascii_alphabetic())
                    && label.contains(|c: char| !c.is_ascii_hexdigit())
            }
            Term::Literal(literal) => {
                let datatype = literal.datatype.as_deref();
                term.check().is_ok()
                    && self.out.holds_text(&literal.lexical)
                    && datatype != Some(ESCAPED)
                    && datatype.is_none_or(|datatype| oxrdf::NamedNode::new(datatype).is_ok())
                    && literal.language.as_deref().is_none_or(|tag| Literal::new_language_tagged_literal("", tag).is_ok())
            }
        };
        let told = terms::to_rdf(term.as_ref());
        if is_kept && terms::from_rdf(&told).as_ref() == Some(term) {
            return told;
        }
        terms::typed(terms::encode("", &term.to_string()), ESCAPED)
    }

    fn record(&mut self, record: &StoredRecord) -> Result<(), SparqlError> {
        let subject = node(format!("{}{}", terms::RECORD, record.seq())).into();
        self.tell(&subject, property::RECORDED, Some(instant(record.tx())))?;
        match record {
            StoredRecord::Observation(stored) => {
                let id = terms::observation_iri(stored.observation.id);
                self.tell(&subject, property::RECORDS_OBSERVATION, Some(node(id).into()))?;
                self.observation(stored)
            }
            StoredRecord::Belief { target, believed, because, .. } => {
                let target = match target {
                    Retractable::Claim(claim) => terms::claim_iri(*claim),
                    Retractable::Observation(observation) => terms::observation_iri(*observation),
                };
                self.tell(&subject, if *believed { property::RESTORES } else { property::RETRACTS }, Some(node(target).into()))?;
                self.tell(&subject, property::BECAUSE, Some(self.text(because)))
            }
            StoredRecord::Policy { relation, toml, .. } => {
                self.tell(&subject, property::OVERRIDES, Some(self.text(relation)))?;
                self.tell(&subject, property::TOML, toml.as_deref().map(|toml| self.text(toml)))
            }
            StoredRecord::Erasure { observations, .. } => self.tell(&subject, property::ERASED, Some(Literal::from(*observations).into())),
            StoredRecord::Merge { from, into, merged, because, .. } => {
                self.tell(&subject, if *merged { property::MERGES } else { property::UNMERGES }, Some(self.term(from)))?;
                self.tell(&subject, property::INTO, Some(self.term(into)))?;
                self.tell(&subject, property::BECAUSE, Some(self.text(because)))
            }
            StoredRecord::Setting { name, value, .. } => {
                self.tell(&subject, property::SETTING, Some(self.text(name)))?;
                self.tell(&subject, property::VALUE, value.as_deref().map(|value| self.text(value)))
            }
            StoredRecord::Extraction(stored) => {
                let id = terms::observation_iri(stored.observation);
                self.tell(&subject, property::EXTRACTS, Some(node(id).into()))?;
                self.tell(&subject, property::EXTRACTOR, Some(self.text(&stored.extractor)))?;
                self.tell(&subject, property::FAILED, stored.status.failure().map(|reason| self.text(reason)))?;
                for (nth, claim) in stored.claims.iter().enumerate() {
                    let subject = node(format!("{}{}.{nth}", terms::RECORD, stored.seq)).into();
                    self.claim(&subject, claim)?;
                }
                Ok(())
            }
        }
    }

    fn observation(&mut self, stored: &StoredObservation) -> Result<(), SparqlError> {
        let Observation { id, kind, observed_at, source, session, speaker, role, key, text } = &stored.observation;
        let subject = NamedOrBlankNode::from(node(terms::observation_iri(*id)));
        self.tell(&subject, property::KIND, named(&KINDS, kind))?;
        self.tell(&subject, Word::ObservedAt.iri(), Some(instant(observed_at.at)))?;
        self.tell(&subject, property::OFFSET, Some(Literal::from(observed_at.offset_minutes).into()))?;
        self.tell(&subject, property::AUTHORITY, named(&AUTHORITIES, &source.authority))?;
        let texts = [
            (property::SOURCE, source.name.as_deref()),
            (property::SESSION, session.as_deref()),
            (property::SPEAKER, speaker.as_deref()),
            (property::ROLE, role.as_deref()),
            (property::KEY, key.as_deref()),
            (property::TEXT, text.as_deref()),
            (property::FAILED, stored.status.failure()),
        ];
        for (property, value) in texts {
            self.tell(&subject, property, value.map(|value| self.text(value)))?;
        }
        for (ordinal, (seq, tx, claim)) in (0..).zip(&stored.claims) {
            let subject = node(terms::claim_iri(ClaimId { observation: *id, ordinal })).into();
            self.claim(&subject, claim)?;
            self.tell(&subject, Word::PrimarySource.iri(), Some(node(terms::observation_iri(*id)).into()))?;
            self.tell(&subject, property::PLACE, Some(Literal::from(*seq).into()))?;
            self.tell(&subject, Word::TxFrom.iri(), Some(instant(*tx)))?;
        }
        Ok(())
    }

    fn claim(&mut self, subject: &NamedOrBlankNode, claim: &Claim) -> Result<(), SparqlError> {
        let Claim { head, relation, tail, polarity, span, seen_at, confidence, importance, context, corrects, quote, extractor } = claim;
        let (told_head, told_tail) = (self.term(head), self.term(tail));
        if let Ok(head) = NamedOrBlankNode::try_from(told_head.clone()) {
            let predicate = node(terms::relation_iri(relation));
            // For readers of statements; what comes back is told by the three properties below.
            if self.can_state(&predicate) {
                self.out.reifies(subject, Triple::new(head, predicate, told_tail.clone()))?;
            }
        }
        self.tell(subject, property::HEAD, Some(told_head))?;
        self.tell(subject, property::RELATION, Some(self.text(relation)))?;
        self.tell(subject, property::TAIL, Some(told_tail))?;
        self.tell(subject, property::POLARITY, named(&POLARITIES, polarity))?;
        let (start, end) = (span.start(), span.end());
        let is_read =
            parse_start(&start.to_string(), &Zone::UTC) == Ok(Some(start)) && parse_end(&end.to_string(), &Zone::UTC) == Ok(Some(end));
        if !is_read {
            return Err(SparqlError::Format(format!("the interval {span} of {subject} has no text that is read back")));
        }
        self.tell(subject, Word::Start.iri(), Some(terms::typed(start.to_string(), words::MOMENT)))?;
        self.tell(subject, Word::End.iri(), Some(terms::typed(end.to_string(), words::MOMENT)))?;
        self.tell(subject, property::SEEN_AT, seen_at.map(instant))?;
        self.tell(subject, Word::Confidence.iri(), Some(Literal::from(*confidence).into()))?;
        self.tell(subject, Word::Importance.iri(), Some(Literal::from(*importance).into()))?;
        self.tell(subject, property::CONTEXT, context.as_deref().map(|context| self.text(context)))?;
        match corrects {
            None => {}
            Some(Correction::Claim(claim)) => self.tell(subject, property::CORRECTS, Some(node(terms::claim_iri(*claim)).into()))?,
            Some(Correction::Tail(tail)) => self.tell(subject, property::CORRECTS_TAIL, Some(self.term(tail)))?,
        }
        self.tell(subject, property::QUOTE_FROM, quote.map(|quote| Literal::from(quote.from).into()))?;
        self.tell(subject, property::QUOTE_TO, quote.map(|quote| Literal::from(quote.to).into()))?;
        self.tell(subject, property::EXTRACTOR, Some(self.text(extractor)))
    }

    /// Whether a statement with this predicate can be written: its IRI is one that every reader takes.
    fn can_state(&self, predicate: &oxrdf::NamedNode) -> bool {
        oxrdf::NamedNode::new(predicate.as_str()).is_ok() && self.out.holds_predicate(predicate)
    }
}

/// An instant: as a date and time, or in microseconds since 1970 where it lies outside the years that dates have.
fn instant(at: Instant) -> RdfTerm {
    if at.is_civil() { terms::typed(at.to_string(), vocab::XSD_DATE_TIME) } else { Literal::from(at.micros()).into() }
}

fn named<T: PartialEq>(names: &[(T, &str)], value: &T) -> Option<RdfTerm> {
    names.iter().find(|(known, _)| known == value).map(|(_, iri)| node(*iri).into())
}

/// A resource of a history that is being read: its properties in the order they come.
#[derive(Debug)]
struct Resource {
    iri: String,
    line: u64,
    properties: Vec<(String, RdfTerm)>,
}

/// A line of a history that is none, or that is not what comes next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct HistoryError {
    /// The line of the file at which the resource begins, from 1.
    pub line: u64,
    /// The resource, and the property where one is to blame.
    pub field: Option<String>,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads a history from its quads: resource after resource, into the lines of an export.
#[derive(Debug, Default)]
pub struct HistoryReader {
    open: Option<Resource>,
    /// The record that further resources may belong to, with these.
    record: Option<(Resource, Vec<Resource>)>,
    header: bool,
    ready: VecDeque<(u64, Result<ExportLine, HistoryError>)>,
}

impl HistoryReader {
    /// Whether a quad begins a history.
    #[must_use]
    pub fn begins(quad: &Quad) -> bool {
        quad.predicate.as_str() == property::FORMAT
    }

    /// Takes the next quad, which was read by this line of the file.
    pub fn take(&mut self, quad: Quad, line: u64) {
        let NamedOrBlankNode::NamedNode(subject) = quad.subject else {
            return self.refuse(line, None, "a history has no blank node as its subject");
        };
        if self.open.as_ref().is_none_or(|open| open.iri != subject.as_str()) {
            self.close();
            self.open = Some(Resource { iri: subject.into_string(), line, properties: Vec::new() });
        }
        if let Some(open) = &mut self.open {
            open.properties.push((quad.predicate.into_string(), quad.object));
        }
    }

    /// Nothing more comes.
    pub fn finish(&mut self) {
        self.close();
        self.emit();
    }

    /// The next line that is whole, with the line of the file at which it begins.
    pub fn next_line(&mut self) -> Option<(u64, Result<ExportLine, HistoryError>)> {
        self.ready.pop_front()
    }

    fn refuse(&mut self, line: u64, field: Option<String>, reason: &str) {
        self.ready.push_back((line, Err(HistoryError { line, field, reason: reason.to_owned() })));
    }

    /// The open resource is complete.
    fn close(&mut self) {
        let Some(resource) = self.open.take() else { return };
        if resource.iri.starts_with(terms::TENANT) {
            self.emit();
            let line = resource.line;
            let told = bounds(&resource, self.header);
            self.header = true;
            // An empty history is told of by one resource.
            for one in told {
                self.ready.push_back((line, one));
            }
        } else if resource.iri.strip_prefix(terms::RECORD).is_some_and(|seq| !seq.contains('.')) {
            self.emit();
            self.record = Some((resource, Vec::new()));
        } else if let Some((_, parts)) = &mut self.record {
            parts.push(resource);
        } else {
            let Resource { iri, line, .. } = resource;
            self.refuse(line, Some(iri), "it belongs to no record: each record comes with all that belongs to it, one after the other");
        }
    }

    /// The open record is complete.
    fn emit(&mut self) {
        let Some((record, parts)) = self.record.take() else { return };
        let line = record.line;
        let read = read_record(&record, parts);
        // What a line of JSON may not say, none of RDF may.
        let read = read.and_then(|record| {
            let line_of = ExportLine::Record(Box::new(record));
            let checked = line_of.to_json().and_then(|json| ExportLine::from_json(&json));
            checked.map(|_| line_of).map_err(|error| HistoryError { line, field: error.field, reason: error.reason })
        });
        self.ready.push_back((line, read));
    }
}

/// What the tenant's resource says: how the history begins, or how it ends, or both.
fn bounds(resource: &Resource, begun: bool) -> Vec<Result<ExportLine, HistoryError>> {
    let mut fields = Fields::new(resource);
    let tenant = terms::decode(terms::TENANT, &resource.iri).unwrap_or_default();
    let mut told = Vec::new();
    match fields.optional(property::FORMAT, number::<u32>) {
        Ok(Some(format)) => told.push(Ok(ExportLine::Header { format, tenant })),
        Ok(None) => {}
        Err(error) => told.push(Err(error)),
    }
    match fields.optional(property::RECORDS, number::<u64>) {
        Ok(Some(records)) => told.push(Ok(ExportLine::End { records })),
        Ok(None) => {}
        Err(error) => told.push(Err(error)),
    }
    if told.is_empty() {
        told.push(Err(fields.fault(if begun { property::RECORDS } else { property::FORMAT }, "is missing")));
    }
    told
}

fn read_record(record: &Resource, parts: Vec<Resource>) -> Result<StoredRecord, HistoryError> {
    let mut fields = Fields::new(record);
    let seq = record.iri.strip_prefix(terms::RECORD).and_then(|seq| seq.parse().ok());
    let seq = seq.ok_or_else(|| fields.fault("", "a record is named record: and its place"))?;
    let tx = fields.required(property::RECORDED, read_instant)?;
    if let Some(id) = fields.optional(property::RECORDS_OBSERVATION, observation_id)? {
        fields.done()?;
        return Ok(StoredRecord::Observation(read_observation(record, seq, tx, id, parts)?));
    }
    if let Some(observation) = fields.optional(property::EXTRACTS, observation_id)? {
        let extractor = fields.required(property::EXTRACTOR, read_text)?;
        let status = ExtractionStatus::of(fields.optional(property::FAILED, read_text)?);
        fields.done()?;
        let mut claims = Vec::with_capacity(parts.len());
        for (nth, part) in parts.iter().enumerate() {
            let mut fields = Fields::new(part);
            if part.iri != format!("{}{seq}.{nth}", terms::RECORD) {
                return Err(fields.fault("", "it is not the claim of the record that comes next"));
            }
            claims.push(read_claim(&mut fields)?);
            fields.done()?;
        }
        return Ok(StoredRecord::Extraction(StoredExtraction { seq, tx, observation, extractor, claims, status }));
    }
    if let Some(part) = parts.first() {
        return Err(Fields::new(part).fault("", "it belongs to no observation of the record before it"));
    }
    let because = fields.optional(property::BECAUSE, read_text)?.unwrap_or_default();
    for (property, believed) in [(property::RETRACTS, false), (property::RESTORES, true)] {
        if let Some(target) = fields.optional(property, read_target)? {
            fields.done()?;
            return Ok(StoredRecord::Belief { seq, tx, target, believed, because });
        }
    }
    for (property, merged) in [(property::MERGES, true), (property::UNMERGES, false)] {
        if let Some(from) = fields.optional(property, read_term)? {
            let into = fields.required(property::INTO, read_term)?;
            fields.done()?;
            return Ok(StoredRecord::Merge { seq, tx, from, into, merged, because });
        }
    }
    if let Some(relation) = fields.optional(property::OVERRIDES, read_text)? {
        let toml = fields.optional(property::TOML, read_text)?;
        fields.done()?;
        return Ok(StoredRecord::Policy { seq, tx, relation, toml });
    }
    if let Some(name) = fields.optional(property::SETTING, read_text)? {
        let value = fields.optional(property::VALUE, read_text)?;
        fields.done()?;
        return Ok(StoredRecord::Setting { seq, tx, name, value });
    }
    let observations = fields.required(property::ERASED, number)?;
    fields.done()?;
    Ok(StoredRecord::Erasure { seq, tx, observations })
}

fn read_observation(
    record: &Resource,
    seq: u64,
    tx: Instant,
    id: ObservationId,
    parts: Vec<Resource>,
) -> Result<StoredObservation, HistoryError> {
    let mut parts = parts.into_iter();
    let own = parts.next().filter(|part| part.iri == terms::observation_iri(id));
    let Some(own) = own else { return Err(Fields::new(record).fault("", "its observation does not come after it")) };
    let mut fields = Fields::new(&own);
    let kind = fields.required(property::KIND, |term| of_name(&KINDS, term))?;
    let at = fields.required(Word::ObservedAt.iri(), read_instant)?;
    let offset_minutes = fields.required(property::OFFSET, number)?;
    let authority = fields.required(property::AUTHORITY, |term| of_name(&AUTHORITIES, term))?;
    let source = Source { authority, name: fields.optional(property::SOURCE, read_text)? };
    let observation = Observation {
        id,
        kind,
        observed_at: ZonedInstant { at, offset_minutes },
        source,
        session: fields.optional(property::SESSION, read_text)?,
        speaker: fields.optional(property::SPEAKER, read_text)?,
        role: fields.optional(property::ROLE, read_text)?,
        key: fields.optional(property::KEY, read_text)?,
        text: fields.optional(property::TEXT, read_text)?,
    };
    let status = ExtractionStatus::of(fields.optional(property::FAILED, read_text)?);
    fields.done()?;
    let mut claims = Vec::new();
    for (ordinal, part) in (0..).zip(parts) {
        let mut fields = Fields::new(&part);
        if part.iri != terms::claim_iri(ClaimId { observation: id, ordinal }) {
            return Err(fields.fault("", "it is not the claim of the observation that comes next"));
        }
        let claim = read_claim(&mut fields)?;
        let place = fields.required(property::PLACE, number)?;
        let from = fields.required(Word::TxFrom.iri(), read_instant)?;
        fields.done()?;
        claims.push((place, from, claim));
    }
    Ok(StoredObservation { seq, tx, observation, claims, status })
}

fn read_claim(fields: &mut Fields<'_>) -> Result<Claim, HistoryError> {
    let start = fields.required(Word::Start.iri(), |term| {
        read_text(term)
            .and_then(|text| parse_start(&text, &Zone::UTC).map_err(|error| error.to_string()))?
            .ok_or_else(|| "is empty".to_owned())
    })?;
    let end = fields.required(Word::End.iri(), |term| {
        read_text(term)
            .and_then(|text| parse_end(&text, &Zone::UTC).map_err(|error| error.to_string()))?
            .ok_or_else(|| "is empty".to_owned())
    })?;
    let span = Span::new(start, end).map_err(|error| fields.fault(Word::End.iri(), &error.to_string()))?;
    let corrects_claim =
        fields.optional(property::CORRECTS, |term| iri_of(term).and_then(terms::claim_id).ok_or_else(|| format!("{term} is no claim")))?;
    let corrects_tail = fields.optional(property::CORRECTS_TAIL, read_term)?;
    let quote_from = fields.optional(property::QUOTE_FROM, number)?;
    let quote_to = fields.optional(property::QUOTE_TO, number)?;
    Ok(Claim {
        head: fields.required(property::HEAD, read_term)?,
        relation: fields.required(property::RELATION, read_text)?,
        tail: fields.required(property::TAIL, read_term)?,
        polarity: fields.required(property::POLARITY, |term| of_name(&POLARITIES, term))?,
        span,
        seen_at: fields.optional(property::SEEN_AT, read_instant)?,
        confidence: fields.required(Word::Confidence.iri(), number)?,
        importance: fields.required(Word::Importance.iri(), number)?,
        context: fields.optional(property::CONTEXT, read_text)?,
        corrects: corrects_claim.map(Correction::Claim).or(corrects_tail.map(Correction::Tail)),
        quote: quote_from.zip(quote_to).map(|(from, to)| Quote { from, to }),
        extractor: fields.required(property::EXTRACTOR, read_text)?,
    })
}

/// The properties of a resource as they are looked at.
struct Fields<'r> {
    resource: &'r Resource,
    seen: Vec<&'static str>,
}

/// What a statement is told by beside our own properties.
const STATEMENT: [&str; 4] = [vocab::RDF_REIFIES, vocab::RDF_SUBJECT, vocab::RDF_PREDICATE, vocab::RDF_OBJECT];

impl<'r> Fields<'r> {
    const fn new(resource: &'r Resource) -> Self {
        Self { resource, seen: Vec::new() }
    }

    fn fault(&self, property: &str, reason: &str) -> HistoryError {
        let field = if property.is_empty() { self.resource.iri.clone() } else { format!("{} {property}", self.resource.iri) };
        HistoryError { line: self.resource.line, field: Some(field), reason: reason.to_owned() }
    }

    fn optional<T>(&mut self, property: &'static str, read: impl Fn(&RdfTerm) -> Result<T, String>) -> Result<Option<T>, HistoryError> {
        self.seen.push(property);
        let mut found = self.resource.properties.iter().filter(|(known, _)| known == property);
        let Some((_, value)) = found.next() else { return Ok(None) };
        if found.next().is_some() {
            return Err(self.fault(property, "it has several values"));
        }
        read(value).map(Some).map_err(|reason| self.fault(property, &reason))
    }

    fn required<T>(&mut self, property: &'static str, read: impl Fn(&RdfTerm) -> Result<T, String>) -> Result<T, HistoryError> {
        self.optional(property, read)?.ok_or_else(|| self.fault(property, "is missing"))
    }

    /// Holds that nothing is there that was not looked at: what is not understood would be lost.
    fn done(&self) -> Result<(), HistoryError> {
        let known =
            |property: &str| self.seen.contains(&property) || STATEMENT.contains(&property) || property == Word::PrimarySource.iri();
        match self.resource.properties.iter().find(|(property, _)| !known(property)) {
            Some((property, _)) => Err(self.fault(property, "is no property of such a resource of a history")),
            None => Ok(()),
        }
    }
}

fn iri_of(term: &RdfTerm) -> Option<&str> {
    if let RdfTerm::NamedNode(node) = term { Some(node.as_str()) } else { None }
}

fn read_text(term: &RdfTerm) -> Result<String, String> {
    match term {
        RdfTerm::Literal(literal) if literal.datatype().as_str() == ESCAPED => {
            terms::decode("", literal.value()).ok_or_else(|| format!("{term} is no escaped text"))
        }
        RdfTerm::Literal(literal) => Ok(literal.value().to_owned()),
        RdfTerm::NamedNode(_) | RdfTerm::BlankNode(_) | RdfTerm::Triple(_) => Err(format!("{term} is no text")),
    }
}

fn read_term(term: &RdfTerm) -> Result<Term, String> {
    if let RdfTerm::Literal(literal) = term
        && literal.datatype().as_str() == ESCAPED
    {
        let text = read_text(term)?;
        // Read as it was written: a name keeps the white space around it.
        return match Term::parse(&text) {
            Ok(read) if read.to_string() == text => Ok(read),
            Ok(_) => Ok(Term::Name(text)),
            Err(error) => Err(error.to_string()),
        };
    }
    terms::from_rdf(term).ok_or_else(|| format!("{term} cannot stand in a claim"))
}

fn read_target(term: &RdfTerm) -> Result<Retractable, String> {
    let iri = iri_of(term).unwrap_or_default();
    let claim = terms::claim_id(iri).map(Retractable::Claim);
    claim
        .or_else(|| terms::observation_id(iri).map(Retractable::Observation))
        .ok_or_else(|| format!("{term} is no claim and no observation"))
}

fn observation_id(term: &RdfTerm) -> Result<ObservationId, String> {
    iri_of(term).and_then(terms::observation_id).ok_or_else(|| format!("{term} is no observation"))
}

fn read_instant(term: &RdfTerm) -> Result<Instant, String> {
    let RdfTerm::Literal(literal) = term else { return Err(format!("{term} is no instant")) };
    if literal.datatype().as_str() == vocab::XSD_INTEGER {
        return number(term).map(Instant::from_micros);
    }
    Instant::parse(literal.value()).map_err(|error| error.to_string())
}

fn number<T: std::str::FromStr>(term: &RdfTerm) -> Result<T, String> {
    let RdfTerm::Literal(literal) = term else { return Err(format!("{term} is no number")) };
    literal.value().parse().map_err(|_no_number| format!("{term} is no such number"))
}

fn of_name<T: Copy>(names: &[(T, &str)], term: &RdfTerm) -> Result<T, String> {
    let iri = iri_of(term).unwrap_or_default();
    names.iter().find(|(_, known)| *known == iri).map(|(value, _)| *value).ok_or_else(|| format!("{term} is none of its values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ontology_tells_of_every_property_and_value() {
        let ontology = include_str!("../../queries/erstwhile.ttl");
        let values =
            KINDS.iter().map(|(_, iri)| *iri).chain(AUTHORITIES.iter().map(|(_, iri)| *iri)).chain(POLARITIES.iter().map(|(_, iri)| *iri));
        for iri in property::ALL.iter().copied().chain(values).chain([ESCAPED]) {
            assert!(ontology.contains(&format!("\n{iri} a ")), "queries/erstwhile.ttl does not define {iri}");
        }
    }
}
