//! Long inputs: batches of bounded size, one receipt for all of them.
//!
//! Knows no input format and no ledger; each batch goes the way of any other.

use super::intake::{Handling, Prepared};
use super::results::{Progress, Receipt};
use super::{Error, Tenant};
use crate::model::{Claim, Term};
use crate::observe::{Incoming, Rejection};
use std::thread::ScopedJoinHandle;

/// How a long input is cut, and who is told how far it has come.
pub struct BulkOptions<'a> {
    /// At most so many observations go in at once; 50,000 by default. One batch has one transaction time.
    pub batch_observations: usize,
    /// A batch ends once its observations take about so many bytes; 64 MiB by default.
    pub batch_bytes: usize,
    /// Told after every batch, when it is durable, and at the end.
    pub progress: Option<&'a mut dyn FnMut(Progress)>,
}

impl Default for BulkOptions<'_> {
    fn default() -> Self {
        Self { batch_observations: 50_000, batch_bytes: 64 << 20, progress: None }
    }
}

impl std::fmt::Debug for BulkOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BulkOptions")
            .field("batch_observations", &self.batch_observations)
            .field("batch_bytes", &self.batch_bytes)
            .finish_non_exhaustive()
    }
}

/// What has been read and not yet prepared, and what its lines were refused for.
#[derive(Default)]
struct Batch {
    incoming: Vec<Incoming>,
    bytes: usize,
    refused: Receipt,
    line: u64,
}

impl Batch {
    fn take(&mut self, item: Result<Incoming, Rejection>) {
        match item {
            Ok(incoming) => {
                self.line = self.line.max(incoming.line);
                self.bytes += bytes_of(&incoming);
                self.incoming.push(incoming);
            }
            Err(rejection) => {
                self.line = self.line.max(rejection.line);
                self.refused.reject(rejection);
            }
        }
    }

    fn is_full(&self, options: &BulkOptions<'_>) -> bool {
        self.incoming.len() >= options.batch_observations.max(1) || self.bytes >= options.batch_bytes
    }
}

/// A batch that is being recorded.
struct Recording<'s> {
    thread: ScopedJoinHandle<'s, (Result<Receipt, Error>, Prepared)>,
    line: u64,
}

/// A long input on its way: of its batches one is recorded while the next is read and prepared.
struct Bulk<'t, 'o> {
    tenant: &'t Tenant,
    options: BulkOptions<'o>,
    receipt: Receipt,
    line: u64,
    /// The batch recorded last: to let go of a hundred thousand strings takes long, so it is done while the next one is recorded.
    spent: Option<Prepared>,
}

/// See [`Tenant::remember_all`].
pub(super) fn remember_all(
    tenant: &Tenant,
    input: impl Iterator<Item = Result<Incoming, Rejection>>,
    options: BulkOptions<'_>,
) -> Result<Receipt, Error> {
    let mut bulk = Bulk { tenant, options, receipt: Receipt::default(), line: 0, spent: None };
    let written = std::thread::scope(|scope| {
        let mut recording = None;
        let mut batch = Batch::default();
        for item in input {
            batch.take(item);
            if batch.is_full(&bulk.options) {
                let full = Batch { line: batch.line, ..std::mem::take(&mut batch) };
                batch.line = full.line;
                let (mut prepared, line) = bulk.prepare(full, &mut recording)?;
                recording = Some(Recording { thread: scope.spawn(move || (tenant.record(&mut prepared), prepared)), line });
                bulk.spent = None;
            }
        }
        let (mut prepared, line) = bulk.prepare(batch, &mut recording)?;
        bulk.absorb(tenant.record(&mut prepared)?);
        bulk.tell(line);
        Ok(())
    });
    match written {
        Ok(()) => Ok(bulk.receipt),
        Err(source) => Err(Error::Interrupted { receipt: Box::new(bulk.receipt), source: Box::new(source) }),
    }
}

impl Bulk<'_, '_> {
    /// Prepares a batch, after which the one before it is recorded. Prose is read with what came before it, so it waits for that.
    fn prepare(&mut self, batch: Batch, before: &mut Option<Recording<'_>>) -> Result<(Prepared, u64), Error> {
        if batch.incoming.iter().any(Handling::reads_prose) {
            self.finish(before.take())?;
        }
        let prepared = self.tenant.prepare(batch.incoming);
        self.finish(before.take())?;
        self.receipt.absorb(batch.refused);
        Ok((prepared?, batch.line))
    }

    fn finish(&mut self, recording: Option<Recording<'_>>) -> Result<(), Error> {
        let Some(Recording { thread, line }) = recording else { return Ok(()) };
        let (receipt, spent) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.spent = Some(spent);
        self.absorb(receipt?);
        self.tell(line);
        Ok(())
    }

    fn absorb(&mut self, mut written: Receipt) {
        // The ids of a long input would take more room than anything else that is kept of it.
        written.ids = Vec::new();
        self.receipt.absorb(written);
    }

    fn tell(&mut self, line: u64) {
        self.line = self.line.max(line);
        if let Some(progress) = &mut self.options.progress {
            progress(Progress {
                line: self.line,
                observations: self.receipt.observations,
                claims: self.receipt.claims,
                duplicates: self.receipt.duplicates,
                rejected: self.receipt.rejected_count,
            });
        }
    }
}

/// About how many bytes an observation takes.
fn bytes_of(incoming: &Incoming) -> usize {
    let observation = &incoming.observation;
    let texts = [&observation.text, &observation.key, &observation.session, &observation.speaker, &observation.source.name];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    let claims: usize = incoming
        .ready
        .iter()
        .map(|claim| size_of::<Claim>() + term_bytes(&claim.head) + claim.relation.len() + term_bytes(&claim.tail))
        .sum();
    size_of::<Incoming>() + texts + claims
}

fn term_bytes(term: &Term) -> usize {
    match term {
        Term::Name(text) | Term::Iri(text) | Term::Blank(text) => text.len(),
        Term::Literal(literal) => literal.lexical.len(),
    }
}
