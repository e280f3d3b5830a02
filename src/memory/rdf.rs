//! A tenant as RDF: its facts or its whole history out, a history back, and updates in SPARQL.
//!
//! Owns the order of the steps. How a record or a fact is told in triples is `sparql`'s.

use super::transfer::{self, Import, Sink, Source as Lines, unwritten};
use super::{Error, Receipt, Tenant};
use crate::graph::Projection;
use crate::ledger::{ExportError, ExportLine, LedgerError};
use crate::model::{Authority, Claim, ObservationKind, Source};
use crate::observe::Incoming;
use crate::policy::Policies;
use crate::sparql::{
    Changes, HistoryError, HistoryReader, HistoryWriter, QuadReader, QueryOptions, RdfReadError, RdfView, SparqlError, Update,
    UpdateOptions, write_facts,
};
use crate::time::{AsOf, Instant, KnownAt, Moment, Span, ZonedInstant};
use oxrdfio::RdfFormat;
use std::io::{self, Write};
use std::sync::Arc;

impl Tenant {
    /// Writes the facts at one point of both times in an RDF format, in the default graph and in every context, or in one context alone;
    /// how many. See [`write_facts`].
    ///
    /// # Errors
    /// As [`Tenant::at`]; [`Error::Sparql`] of what the format cannot hold; [`Error::Stream`] if `out` fails.
    pub fn export_facts(&self, as_of: AsOf, context: Option<&str>, format: RdfFormat, out: &mut dyn Write) -> Result<u64, Error> {
        let view = self.at(as_of)?;
        let view = if context.is_some() { view.in_context(context) } else { view };
        write_facts(&view, context.is_none(), format, out).map_err(untold)
    }

    /// Writes every record in an RDF format, with both times (docs/RDF.md, "Export"): what [`Tenant::export`] writes as JSON lines, and as
    /// much of it. Returns how many records.
    ///
    /// # Errors
    /// As [`Tenant::export`]; [`Error::Sparql`] of what the format cannot hold.
    pub fn export_history(&self, format: RdfFormat, out: &mut dyn Write) -> Result<u64, Error> {
        let mut sink = History(HistoryWriter::new(format, out).map_err(untold)?);
        let records = self.shared().read_apart(|ledger| transfer::export(ledger, self.id(), &mut sink))?;
        sink.0.finish().map_err(untold)?;
        Ok(records)
    }

    /// Changes the memory as a text of SPARQL Update says: what is inserted is asserted, what is deleted ended at `how.at`. All of it is one
    /// observation, with the text and its source, in one transaction; nothing that was believed before is lost. See docs/RDF.md, "Update".
    ///
    /// `WHERE` is evaluated on the state that is read when the update begins.
    ///
    /// # Errors
    /// [`Error::Sparql`] of what cannot be read or written, with nothing recorded; as [`Tenant::remember`].
    ///
    /// ```
    /// use erstwhile::memory::UpdateRequest;
    /// use erstwhile::{Memory, TenantId, Term};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// ana.update("INSERT DATA { entity:ana relation:employer entity:acme {| erst:validFrom '2020'^^xsd:gYear |} }", &UpdateRequest::at(ana.now()))?;
    /// let done = ana.update(
    ///     "DELETE { ?who relation:employer entity:acme } INSERT { ?who relation:employer entity:globex } WHERE { ?who relation:employer entity:acme }",
    ///     &UpdateRequest::at(ana.now()),
    /// )?;
    /// assert_eq!((done.asserted, done.ended), (1, 1));
    /// let now = ana.at(ana.now())?.values(&Term::Name("Ana".to_owned()), "employer")?;
    /// assert_eq!(now.facts[0].fact.tail.to_string(), "globex");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update(&self, text: &str, request: &UpdateRequest) -> Result<Updated, Error> {
        self.update_within(text, request, &QueryOptions::default())
    }

    /// The same within other limits: `WHERE` runs under `options`, its `NOW()` being the time of the update. Once it is cancelled nothing
    /// is recorded any more.
    ///
    /// # Errors
    /// As [`Tenant::update`]; [`SparqlError::Stopped`] in [`Error::Sparql`] where it was cancelled before anything was recorded.
    pub fn update_within(&self, text: &str, request: &UpdateRequest, options: &QueryOptions) -> Result<Updated, Error> {
        let update = Update::parse(text)?;
        let at = request.at;
        let as_of = AsOf { valid_at: Moment::exact(at), known_at: KnownAt::Latest };
        let view = match self.at(as_of) {
            Err(Error::Ledger(LedgerError::UnknownTenant { .. })) => Projection::new(Arc::new(Policies::shipped())).snapshot().at(as_of),
            view => view?,
        };
        let observed_at = ZonedInstant::utc(self.now().valid_at.lo());
        let when = UpdateOptions { at, valid: request.valid };
        let scope = format!("{} {text}", observed_at.at);
        let options = QueryOptions { now: Some(observed_at.at), ..options.clone() };
        let Changes { asserted, ended, absent } = update.changes(&RdfView::new(view), &options, when, &scope)?;
        let mut updated = Updated { asserted: asserted.len() as u64, ended: ended.len() as u64, absent, receipt: Receipt::default() };
        let claims: Vec<Claim> = ended.into_iter().chain(asserted).collect();
        if claims.is_empty() {
            return Ok(updated);
        }
        if options.cancel.is_cancelled() {
            return Err(SparqlError::Stopped.into());
        }
        let because = request.because.as_deref().map(|because| format!("# {}\n", because.split_whitespace().collect::<Vec<_>>().join(" ")));
        let text = because.unwrap_or_default() + text;
        let bare = Incoming::from_text(ObservationKind::Claims, observed_at, request.source.clone(), text);
        updated.receipt = self.remember(vec![Incoming::new(bare.observation, claims)])?;
        Ok(updated)
    }

    /// Reads a history that [`Tenant::export_history`] wrote into this tenant, which must be empty. Everything else is as in
    /// [`Tenant::import`].
    ///
    /// # Errors
    /// As [`Tenant::import`].
    pub fn import_history(&self, quads: QuadReader) -> Result<u64, Error> {
        let lines = Resources { quads, reader: HistoryReader::default(), number: 0, ended: false };
        self.restore_export(Import::of(Box::new(lines), self.shared().now())?)
    }
}

/// How an update is meant, beside its text.
#[derive(Clone, Debug)]
pub struct UpdateRequest {
    /// Valid time: where `WHERE` reads, when what is deleted ended, and by when what is inserted without an interval was so.
    pub at: Instant,
    /// The interval of what is inserted and has none of its own.
    pub valid: Option<Span>,
    /// Who says so.
    pub source: Source,
    /// Why, for those who ask later.
    pub because: Option<String>,
}

impl UpdateRequest {
    /// An update at a reading position's valid time, by a curator, without an interval or a reason.
    #[must_use]
    pub const fn at(as_of: AsOf) -> Self {
        Self { at: as_of.valid_at.lo(), valid: None, source: Source { authority: Authority::Curated, name: None }, because: None }
    }
}

/// What an update did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Updated {
    /// Claims that something holds.
    pub asserted: u64,
    /// Claims that something ended.
    pub ended: u64,
    /// Triples to delete that did not hold then: nothing was said of them.
    pub absent: u64,
    /// What was recorded.
    pub receipt: Receipt,
}

/// What an RDF stream fails with.
fn untold(error: SparqlError) -> Error {
    if let SparqlError::Write(source) = error { unwritten(source) } else { error.into() }
}

/// The lines of an export as RDF.
struct History<W: Write>(HistoryWriter<W>);

impl<W: Write> Sink for History<W> {
    fn line(&mut self, line: &ExportLine) -> Result<(), Error> {
        self.0.line(line).map_err(untold)
    }
}

/// The lines of an import from RDF.
struct Resources {
    quads: QuadReader,
    reader: HistoryReader,
    number: u64,
    ended: bool,
}

impl Lines for Resources {
    fn next(&mut self) -> io::Result<Option<Result<ExportLine, ExportError>>> {
        loop {
            if let Some((line, read)) = self.reader.next_line() {
                self.number = line;
                return Ok(Some(read.map_err(|HistoryError { field, reason, .. }| ExportError { field, reason })));
            }
            if self.ended {
                return Ok(None);
            }
            match self.quads.next_quad() {
                Ok(Some((line, Ok(quad)))) => self.reader.take(quad, line),
                Ok(Some((line, Err(reason)))) => {
                    self.number = line;
                    return Ok(Some(Err(ExportError { field: None, reason })));
                }
                Ok(None) => {
                    self.ended = true;
                    self.reader.finish();
                }
                Err(RdfReadError::Io { error, .. }) => return Err(error),
                Err(error) => {
                    self.ended = true;
                    self.number = error.line();
                    return Ok(Some(Err(ExportError { field: None, reason: error.to_string() })));
                }
            }
        }
    }

    fn number(&self) -> u64 {
        self.number
    }
}
