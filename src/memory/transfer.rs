//! Export and import: the order of the lines, and what an import accepts. How a line is written is the ledger's.

use super::content::{misfit, unfit};
use super::{Error, TenantId};
use crate::ledger::{EXPORT_FORMAT, ExportError, ExportLine, Ledger, LedgerError, Seq, StoredRecord};
use crate::observe::Rejection;
use crate::policy::Policies;
use crate::time::Instant;
use std::io::{BufRead, Read, Write};

/// A line of an import is at most so long: an observation of the largest text with more claims than any has.
const LONGEST_LINE: u64 = 256 << 20;

/// How far the clock of whoever exported may have been ahead of this one's.
const CLOCKS_APART: i64 = 3_600_000_000;

/// An import leaves room for as many records again: an index keeps a place in 48 bits.
const HIGHEST_PLACE: Seq = 1 << 47;

/// Where the lines of an export go, in the form that they are written in.
pub(super) trait Sink {
    /// Takes the next line.
    fn line(&mut self, line: &ExportLine) -> Result<(), Error>;
}

/// Where the lines of an import come from.
pub(super) trait Source {
    /// The next line; `None` at the end.
    fn next(&mut self) -> std::io::Result<Option<Result<ExportLine, ExportError>>>;

    /// Where the line that came last begins, from 1; 0 before the first.
    fn number(&self) -> u64;
}

/// Writes a ledger: a header, every record in sequence order, and a last line that tells how many.
///
/// # Errors
/// What the ledger says; [`Error::Stream`] if `sink` fails.
pub(super) fn export(ledger: &mut dyn Ledger, tenant: &TenantId, sink: &mut dyn Sink) -> Result<u64, Error> {
    sink.line(&ExportLine::Header { format: EXPORT_FORMAT, tenant: tenant.as_str().to_owned() })?;
    let (mut records, mut failed) = (0_u64, None);
    let outcome = ledger.export(&mut |record| {
        let seq = record.seq();
        records += 1;
        failed = sink.line(&ExportLine::Record(Box::new(record))).err();
        if failed.is_none() {
            return Ok(());
        }
        // Stops the ledger; why is told below.
        Err(LedgerError::BadRecord { seq, reason: "cannot be written".to_owned() })
    });
    if let Some(error) = failed {
        return Err(error);
    }
    outcome?;
    sink.line(&ExportLine::End { records })?;
    Ok(records)
}

/// Writes lines of JSON.
pub(super) struct JsonLines<'a> {
    pub(super) out: &'a mut dyn Write,
}

impl Sink for JsonLines<'_> {
    fn line(&mut self, line: &ExportLine) -> Result<(), Error> {
        match line.to_json() {
            Ok(json) => {
                writeln!(self.out, "{json}").map_err(unwritten)?;
                if matches!(line, ExportLine::End { .. }) { self.out.flush().map_err(unwritten) } else { Ok(()) }
            }
            Err(ExportError { reason, .. }) => {
                let seq = if let ExportLine::Record(record) = line { record.seq() } else { 0 };
                Err(LedgerError::BadRecord { seq, reason }.into())
            }
        }
    }
}

/// The failure of a stream that an export goes to.
pub(super) fn unwritten(source: std::io::Error) -> Error {
    Error::Stream { what: "writing the export", source }
}

/// An export as it is read: one record after the other, and what is wrong with it.
pub(super) struct Import<'a> {
    lines: Box<dyn Source + 'a>,
    records: u64,
    /// The overrides so far, so that one that cannot be read is met before it is recorded.
    policies: Policies,
    bad: Vec<Rejection>,
    failed: Option<std::io::Error>,
    ended: bool,
    /// The last place so far; `None` after a line that could not be read.
    last: Option<Seq>,
    /// Places left out, with the line after them.
    gaps: Vec<(u64, Seq, Seq)>,
    /// What is recorded later than this is still to come.
    now: Instant,
}

/// Lines of JSON.
struct Lines<'a> {
    input: &'a mut dyn BufRead,
    number: u64,
    text: Vec<u8>,
}

impl Source for Lines<'_> {
    /// The next line that is not blank.
    fn next(&mut self) -> std::io::Result<Option<Result<ExportLine, ExportError>>> {
        loop {
            self.text.clear();
            if (&mut *self.input).take(LONGEST_LINE).read_until(b'\n', &mut self.text)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.text.len() as u64 == LONGEST_LINE {
                let reason = format!("line {} is longer than {LONGEST_LINE} bytes", self.number);
                return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, reason));
            }
            match std::str::from_utf8(&self.text) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => {
                    // Some editors begin a file with a mark of its byte order.
                    let text = if self.number == 1 { text.trim_start_matches('\u{feff}') } else { text };
                    return Ok(Some(ExportLine::from_json(text.trim())));
                }
                Err(error) => return Ok(Some(Err(ExportError { field: None, reason: format!("is not UTF-8: {error}") }))),
            }
        }
    }

    fn number(&self) -> u64 {
        self.number
    }
}

impl<'a> Import<'a> {
    /// Begins to read lines of JSON.
    ///
    /// # Errors
    /// As [`Import::of`].
    pub(super) fn begin(input: &'a mut dyn BufRead, now: Instant) -> Result<Self, Error> {
        Self::of(Box::new(Lines { input, number: 0, text: Vec::new() }), now)
    }

    /// Begins to read: the header.
    ///
    /// # Errors
    /// [`Error::BadImport`] if it is no export, or of a newer schema; [`Error::Stream`].
    pub(super) fn of(mut lines: Box<dyn Source + 'a>, now: Instant) -> Result<Self, Error> {
        let first = lines.next().map_err(|source| Error::Stream { what: "reading the import", source })?;
        let reason = match first {
            Some(Ok(ExportLine::Header { format, .. })) if format <= EXPORT_FORMAT => None,
            Some(Ok(ExportLine::Header { format, .. })) => {
                Some(format!("written in export format {format}, this program reads up to {EXPORT_FORMAT}"))
            }
            Some(Ok(ExportLine::Record(_) | ExportLine::End { .. })) => Some("an export begins with its header".to_owned()),
            Some(Err(error)) => Some(format!("an export begins with its header: {error}")),
            None => Some("nothing is there; an export begins with its header".to_owned()),
        };
        match reason {
            Some(reason) => Err(Error::BadImport { lines: vec![Rejection { line: lines.number().max(1), field: None, reason }] }),
            None => Ok(Self {
                lines,
                records: 0,
                policies: Policies::shipped(),
                bad: Vec::new(),
                failed: None,
                ended: false,
                last: Some(0),
                gaps: Vec::new(),
                now,
            }),
        }
    }

    /// The next record for the ledger; an error once anything is wrong, when the rest has been looked through for more of it.
    ///
    /// # Errors
    /// One that makes the ledger take nothing; [`Import::finish`] says what it was about.
    pub(super) fn next(&mut self) -> Result<Option<StoredRecord>, LedgerError> {
        loop {
            match self.step() {
                Ok(Some(record)) if self.bad.is_empty() => return Ok(Some(record)),
                // From the first bad line on, lines are read only to be judged.
                Ok(Some(_)) => {}
                Ok(None) => {
                    if !self.ended && self.failed.is_none() {
                        self.reject(
                            None,
                            format!("is cut off after {} records: the last line of an export tells how many there are", self.records),
                        );
                    }
                    if self.bad.is_empty() && self.failed.is_none() {
                        return Ok(None);
                    }
                    return Err(LedgerError::BadRecord { seq: 0, reason: "the import is refused".to_owned() });
                }
                Err(error) => {
                    self.failed = Some(error);
                    return Err(LedgerError::BadRecord { seq: 0, reason: "the import cannot be read".to_owned() });
                }
            }
        }
    }

    /// The next record; bad lines are noted and passed over.
    fn step(&mut self) -> std::io::Result<Option<StoredRecord>> {
        while let Some(line) = self.lines.next()? {
            if self.ended {
                self.reject(None, "comes after the last line of the export".to_owned());
                continue;
            }
            match line {
                Ok(ExportLine::Record(record)) => {
                    self.records += 1;
                    if let Err(reason) = self.pass(&record) {
                        self.reject(Some("seq".to_owned()), reason);
                        continue;
                    }
                    if record.tx().micros() > self.now.micros().saturating_add(CLOCKS_APART) {
                        self.reject(Some("tx".to_owned()), format!("{} is still to come: it is {} here", record.tx(), self.now));
                        continue;
                    }
                    if let StoredRecord::Policy { relation, toml, .. } = &*record
                        && let Err(error) = self.policies.set(relation, toml.as_deref())
                    {
                        self.reject(Some("policy".to_owned()), error.to_string());
                        continue;
                    }
                    if let StoredRecord::Observation(stored) = &*record
                        && let Some((field, reason)) = unfit(stored)
                    {
                        self.reject(Some(field), reason);
                        continue;
                    }
                    if let StoredRecord::Observation(stored) = &*record
                        && let Some(reason) = misfit(stored.clone())
                    {
                        self.reject(Some("observation.id".to_owned()), reason);
                        continue;
                    }
                    return Ok(Some(*record));
                }
                Ok(ExportLine::End { records }) => {
                    self.ended = true;
                    self.judge_gaps();
                    if records != self.records {
                        self.reject(Some("end".to_owned()), format!("{records} records were exported, and {} are there", self.records));
                    }
                }
                Ok(ExportLine::Header { .. }) => self.reject(None, "a second header".to_owned()),
                Err(error) => {
                    // So that the count at the end is not wrong because of this line alone, nor the places before the next one.
                    self.records += 1;
                    self.last = None;
                    self.reject(error.field, error.reason);
                }
            }
        }
        Ok(None)
    }

    /// Notes the place of a record, and the places left out before it.
    ///
    /// # Errors
    /// What is wrong with the record's own places.
    fn pass(&mut self, record: &StoredRecord) -> Result<(), String> {
        let seq = record.seq();
        if let Some(last) = self.last
            && seq > last.saturating_add(1)
        {
            self.gaps.push((self.lines.number(), last + 1, seq - 1));
        }
        // What came before an erasure may be what it erased.
        if matches!(record, StoredRecord::Erasure { .. }) {
            self.gaps.clear();
        }
        let through = record.last_seq();
        let before = self.last.replace(through);
        if through > HIGHEST_PLACE {
            return Err(format!("place {through} is higher than {HIGHEST_PLACE}: nothing could be recorded after it"));
        }
        match before {
            Some(before) if seq <= before => Err(format!("place {seq} does not come after place {before}, which the line before it has")),
            _ => Ok(()),
        }
    }

    /// Refuses what no erasure explains: records have been left out.
    fn judge_gaps(&mut self) {
        for (line, from, to) in std::mem::take(&mut self.gaps) {
            let places = if from == to { format!("place {from} is") } else { format!("places {from} to {to} are") };
            let reason = format!("{places} left out before it, and no erasure after that says why");
            self.bad.push(Rejection { line, field: Some("seq".to_owned()), reason });
        }
        self.bad.sort_by_key(|bad| bad.line);
    }

    fn reject(&mut self, field: Option<String>, reason: String) {
        self.bad.push(Rejection { line: self.lines.number(), field, reason });
    }

    /// What an import that was refused is refused for, given what the ledger said.
    pub(super) fn refusal(self, said: LedgerError) -> Error {
        if let Some(source) = self.failed {
            return Error::Stream { what: "reading the import", source };
        }
        if !self.bad.is_empty() {
            return Error::BadImport { lines: self.bad };
        }
        if let LedgerError::BadRecord { reason, .. } = said {
            return Error::BadImport { lines: vec![Rejection { line: self.lines.number(), field: None, reason }] };
        }
        said.into()
    }
}
