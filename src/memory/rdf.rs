//! A tenant as RDF: its facts or its whole history out, and a history back.
//!
//! Owns the order of the steps. How a record or a fact is told in triples is `sparql`'s.

use super::transfer::{self, Import, Sink, Source, unwritten};
use super::{Error, Tenant};
use crate::ledger::{ExportError, ExportLine};
use crate::sparql::{HistoryError, HistoryReader, HistoryWriter, QuadReader, RdfReadError, SparqlError, write_facts};
use crate::time::AsOf;
use oxrdfio::RdfFormat;
use std::io::{self, Write};

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

/// What an RDF stream fails with.
fn untold(error: SparqlError) -> Error {
    match error {
        SparqlError::Write(source) => unwritten(source),
        other => other.into(),
    }
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

impl Source for Resources {
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
