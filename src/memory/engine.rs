//! The writer's side of one tenant: its ledger, its projection, and how the two are kept in step.
//!
//! Owns the order "durable, then derived". Knows nothing of handles, readers or locks.

use super::Error;
use super::rows::rows;
use crate::graph::{Applied, Projection};
use crate::ledger::{Commit, Doomed, Ledger, LedgerError, Record, RecordRow, Removed, Seq};
use crate::policy::Policies;
use crate::time::Instant;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// From so many records on, a batch is appended on one thread while it is derived on another. Below, a thread costs more than it saves.
const BESIDE_FROM: usize = 2_000;

/// What was written, and what it changed in the facts.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) commit: Commit,
    pub(super) applied: Applied,
}

/// A projection with the place in the ledger up to which it has read.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) projection: Projection,
    pub(super) policies: Arc<Policies>,
    pub(super) seq: Seq,
    /// Tells this projection, in which a term keeps its number, from others.
    pub(super) lineage: Arc<()>,
}

/// A write that failed.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) error: Error,
    /// Whether something of it may be staged, so that the projection is of no use any more.
    pub(super) staged: bool,
}

impl Failed {
    const fn staged(error: Error) -> Self {
        Self { error, staged: true }
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self { error, staged: false }
    }
}

impl Loaded {
    /// Reads a whole ledger.
    ///
    /// # Errors
    /// What the ledger says; [`Error::Pack`] if an override cannot be read.
    ///
    /// # Complexity
    /// Linear in the ledger's rows, plus what it takes to derive every slot.
    pub(super) fn read(ledger: &mut dyn Ledger) -> Result<Self, Error> {
        let mut loaded = Self::under(Arc::new(overrides(ledger)?));
        loaded.follow(ledger, None)?;
        Ok(loaded)
    }

    /// Nothing read yet.
    fn under(policies: Arc<Policies>) -> Self {
        Self { projection: Projection::new(Arc::clone(&policies)), policies, seq: 0, lineage: Arc::new(()) }
    }

    /// Takes in what has been written since, by whomever, up to but not including the place `until`.
    ///
    /// # Errors
    /// As [`Loaded::read`].
    pub(super) fn follow(&mut self, ledger: &mut dyn Ledger, until: Option<Seq>) -> Result<(), Error> {
        let until = until.unwrap_or(Seq::MAX);
        if self.seq + 1 >= until {
            return Ok(());
        }
        let seen = ledger.position()?.seq;
        if seen <= self.seq {
            return Ok(());
        }
        // What is erased is no longer replayed. It goes first: an equal observation may have been fed again since.
        self.forget_erased(ledger, self.seq + 1)?;
        self.replay(ledger, seen, until)
    }

    /// Takes in the records after those that were read, below the place `until`; erasures up to the place `seen` are done with.
    fn replay(&mut self, ledger: &mut dyn Ledger, seen: Seq, until: Seq) -> Result<(), Error> {
        let mut policies_changed = false;
        let mut erased_meanwhile = None;
        let projection = &mut self.projection;
        let position = ledger.replay(self.seq + 1, &mut |row| {
            let seq = row.seq();
            if seq >= until {
                return;
            }
            // Words of overrides are erased too.
            policies_changed |= matches!(row, RecordRow::Policy { .. } | RecordRow::Erasure { .. });
            if seq > seen && matches!(row, RecordRow::Erasure { .. }) {
                erased_meanwhile.get_or_insert(seq);
            }
            projection.stage(row);
        })?;
        projection.publish();
        self.seq = position.seq.min(until - 1);
        if let Some(erasure) = erased_meanwhile {
            self.forget_erased(ledger, erasure)?;
            if self.seq == 0 {
                return self.replay(ledger, position.seq, until);
            }
        }
        if policies_changed {
            let policies = overrides(ledger)?;
            if *self.policies != policies {
                self.set_policies(Arc::new(policies));
            }
        }
        Ok(())
    }

    /// Drops what was erased by records at the place `from` and later, of what has been read so far: all of it where a merge is erased,
    /// since what was derived under it is to be derived without it.
    fn forget_erased(&mut self, ledger: &mut dyn Ledger, from: Seq) -> Result<(), Error> {
        let read_to = self.seq;
        let erased = ledger.erased_since(from)?;
        if !erased.iter().any(|place| *place <= read_to) {
            return Ok(());
        }
        if self.projection.has_merge_at(&erased) {
            *self = Self::under(Arc::clone(&self.policies));
            return Ok(());
        }
        // The ledger keeps no id of what it erased, so what is gone is what was here and is not there.
        let mut left = FxHashSet::default();
        ledger.observation_ids(&mut |seq, id| {
            if seq <= read_to {
                left.insert(id);
            }
        })?;
        let mut gone = self.projection.snapshot().observation_ids();
        gone.retain(|id| !left.contains(id));
        self.projection.forget(&gone);
        Ok(())
    }

    /// Records a batch: durable first, then derived. The projection has read all of the ledger.
    ///
    /// Of a small batch, `let_go` is called in between, to let go of what would have to be copied to be changed.
    ///
    /// # Errors
    /// What the ledger says. Nothing is recorded then.
    pub(super) fn append(
        &mut self,
        ledger: &mut dyn Ledger,
        records: &[Record],
        now: Instant,
        let_go: &dyn Fn(),
    ) -> Result<Written, Failed> {
        // What an extraction comes to is known only once it is written.
        if records.len() >= BESIDE_FROM && !records.iter().any(|record| matches!(record, Record::Extracted { .. })) {
            return self.append_beside(ledger, records, now);
        }
        let commit = ledger.append(records, now).map_err(Error::from)?;
        let_go();
        let Some(first) = commit.seqs.iter().flatten().next().copied() else {
            return Ok(Written { commit, applied: Applied::default() });
        };
        // Others may have written between the last look and the append.
        self.follow(ledger, Some(first)).map_err(Failed::staged)?;
        Ok(self.derive(records, commit))
    }

    /// Derives what was just committed; all before it has been read.
    fn derive(&mut self, records: &[Record], commit: Commit) -> Written {
        for (record, seq) in records.iter().zip(&commit.seqs) {
            if let Some(seq) = *seq {
                let later = if let Record::Extracted { observation, .. } = record { Some(*observation) } else { None };
                let first = later.map_or(0, |observation| self.projection.claims_of(observation));
                self.seq = rows(record, seq, commit.tx, first, |row| self.projection.stage(row)) - 1;
            }
        }
        let applied = self.projection.publish();
        Written { commit, applied }
    }

    /// Derives the batch while it is being written, at the places it will have if nobody else writes in between. Nothing of it is
    /// seen before the write has succeeded: readers see snapshots, and none is taken until then.
    fn append_beside(&mut self, ledger: &mut dyn Ledger, records: &[Record], now: Instant) -> Result<Written, Failed> {
        let last = ledger.position().map_err(Error::from)?;
        let tx = last.tx.map_or(now, |last| now.max(Instant::from_micros(last.micros().saturating_add(1))));
        let mut expected = Vec::with_capacity(records.len());
        let projection = &mut self.projection;
        let mut next = self.seq + 1;
        let (outcome, applied) = std::thread::scope(|scope| {
            let writer = scope.spawn(|| ledger.append(records, now));
            for record in records {
                let known = match record {
                    Record::Observation { observation, .. } => projection.has_observation(observation.id),
                    Record::Retract { .. }
                    | Record::Restore { .. }
                    | Record::Policy { .. }
                    | Record::Merge { .. }
                    | Record::Unmerge { .. }
                    | Record::Setting { .. }
                    | Record::Extracted { .. } => false,
                };
                if known {
                    expected.push(None);
                    continue;
                }
                expected.push(Some(next));
                next = rows(record, next, tx, 0, |row| projection.stage(row));
            }
            let applied = projection.publish();
            (writer.join(), applied)
        });
        let commit = match outcome {
            Ok(commit) => commit.map_err(|error| Failed::staged(error.into()))?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        let wrote = next > self.seq + 1;
        if commit.seqs == expected && (!wrote || commit.tx == tx) {
            self.seq = next - 1;
            return Ok(Written { commit, applied });
        }
        // Somebody else came first: what was derived stands at wrong places. Read what came before, then derive it once more.
        *self = Self::under(Arc::clone(&self.policies));
        let first = commit.seqs.iter().flatten().next().copied();
        self.follow(ledger, first).map_err(Failed::staged)?;
        Ok(self.derive(records, commit))
    }

    /// Records an erasure and drops what it names.
    ///
    /// # Errors
    /// What the ledger says; [`LedgerError::ErasureIncomplete`] once the records are gone and bytes may remain.
    pub(super) fn erase(&mut self, ledger: &mut dyn Ledger, doomed: &Doomed, now: Instant) -> Result<(Removed, Applied), Failed> {
        let outcome = ledger.erase_all(doomed, now);
        let removed = match outcome {
            Ok(removed) => removed,
            Err(error @ LedgerError::ErasureIncomplete { .. }) => {
                // The records are gone all the same.
                self.follow(ledger, None).map_err(Failed::staged)?;
                return Err(Error::from(error).into());
            }
            Err(error) => return Err(Error::from(error).into()),
        };
        if let Some(seq) = removed.seq {
            self.follow(ledger, Some(seq)).map_err(Failed::staged)?;
            let mut applied = self.projection.forget(&removed.observations);
            let policies = overrides(ledger).map_err(Failed::staged)?;
            if *self.policies != policies {
                applied = applied.plus(self.set_policies(Arc::new(policies)));
            }
            if removed.merges > 0 {
                // What was believed while the merges stood is derived without them.
                *self = Self::under(Arc::clone(&self.policies));
            }
            self.follow(ledger, None).map_err(Failed::staged)?;
            return Ok((removed, applied));
        }
        Ok((removed, Applied::default()))
    }

    /// Puts policies into force and derives anew what they touch.
    pub(super) fn set_policies(&mut self, policies: Arc<Policies>) -> Applied {
        self.policies = Arc::clone(&policies);
        self.projection.set_policies(policies)
    }
}

/// The shipped policies with every override of a ledger, in the order they were set.
pub(super) fn overrides(ledger: &mut dyn Ledger) -> Result<Policies, Error> {
    let mut set: Vec<(String, Option<String>)> = Vec::new();
    ledger.slice(&[], &mut |row| {
        if let RecordRow::Policy { relation, toml, .. } = row {
            set.push((relation.to_owned(), toml.map(str::to_owned)));
        }
    })?;
    let mut policies = Policies::shipped();
    policies.set_all(set.iter().map(|(relation, toml)| (relation.as_str(), toml.as_deref())))?;
    Ok(policies)
}
