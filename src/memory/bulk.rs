//! Long inputs: batches of bounded size, one receipt for all of them.
//!
//! Knows no input format and no ledger; each batch goes the way of any other.

use super::results::{Progress, Receipt};
use super::{Error, Tenant};
use crate::model::{Claim, Term};
use crate::observe::{Incoming, Rejection};

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

/// What has been read and not yet written.
#[derive(Default)]
struct Batch {
    incoming: Vec<Incoming>,
    bytes: usize,
}

/// See [`Tenant::remember_all`].
pub(super) fn remember_all(
    tenant: &Tenant,
    input: impl Iterator<Item = Result<Incoming, Rejection>>,
    mut options: BulkOptions<'_>,
) -> Result<Receipt, Error> {
    let mut receipt = Receipt::default();
    let mut batch = Batch::default();
    let mut line = 0;
    for item in input {
        match item {
            Ok(incoming) => {
                line = line.max(incoming.line);
                batch.bytes += bytes_of(&incoming);
                batch.incoming.push(incoming);
            }
            Err(rejection) => {
                line = line.max(rejection.line);
                receipt.reject(rejection);
            }
        }
        if batch.incoming.len() >= options.batch_observations.max(1) || batch.bytes >= options.batch_bytes {
            write(tenant, &mut batch, &mut receipt)?;
            tell(&mut options, line, &receipt);
        }
    }
    write(tenant, &mut batch, &mut receipt)?;
    tell(&mut options, line, &receipt);
    Ok(receipt)
}

fn write(tenant: &Tenant, batch: &mut Batch, receipt: &mut Receipt) -> Result<(), Error> {
    let Batch { incoming, .. } = std::mem::take(batch);
    if incoming.is_empty() {
        return Ok(());
    }
    match tenant.remember(incoming) {
        Ok(mut written) => {
            // The ids of a long input would take more room than anything else that is kept of it.
            written.ids = Vec::new();
            receipt.absorb(written);
            Ok(())
        }
        Err(source) => Err(Error::Interrupted { receipt: Box::new(std::mem::take(receipt)), source: Box::new(source) }),
    }
}

fn tell(options: &mut BulkOptions<'_>, line: u64, receipt: &Receipt) {
    if let Some(progress) = &mut options.progress {
        progress(Progress {
            line,
            observations: receipt.observations,
            claims: receipt.claims,
            duplicates: receipt.duplicates,
            rejected: receipt.rejected_count,
        });
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
