//! Whole ledgers in and out: export in full, import with places and times, a copy of the file. Knows no text format.

use super::codec::Unreadable;
use super::index::FOLD_AT;
use super::replay::{Cursor, TxCursor};
use super::rows::{
    BELIEF, CLAIM_IN_FULL, ERASURE, EXTRACTION, MERGE, OBSERVATION_IN_FULL, POLICY, SETTING, Stretch, claim, claim_observation,
    observation, stored_belief, stored_erasure, stored_extraction, stored_merge, stored_policy, stored_setting,
};
use super::store::{Outcome, Store};
use super::write::{BatchEntries, RowWriter, check_claim};
use crate::ledger::{ExtractionStatus, LedgerError, Retractable, Seq, StoredExtraction, StoredObservation, StoredRecord};
use crate::model::{Claim, ObservationId};
use crate::time::Instant;
use rusqlite::params;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

/// What the sink, or a row, ended an export with.
enum Stop {
    Row(Unreadable),
    Sink(LedgerError),
}

impl<E: Into<Unreadable>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Row(error.into())
    }
}

impl Store {
    pub(super) fn export(&self, sink: &mut dyn FnMut(StoredRecord) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        self.reading(|| self.export_here(sink))
    }

    /// As [`Store::export`], in the state that the caller reads.
    pub(super) fn export_here(&self, sink: &mut dyn FnMut(StoredRecord) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        let mut at = 0;
        self.export_rows(&mut at, sink).map_err(|stop| match stop {
            Stop::Row(error) => self.unreadable(error, at),
            Stop::Sink(error) => error,
        })
    }

    fn export_rows(&self, at: &mut Seq, sink: &mut dyn FnMut(StoredRecord) -> Result<(), LedgerError>) -> Result<(), Stop> {
        let statement = |columns: &str, table: &str| {
            self.connection.prepare_cached(&format!("SELECT {columns} FROM {table} WHERE seq >= ?1 ORDER BY seq"))
        };
        let mut observations = statement(OBSERVATION_IN_FULL, "observations")?;
        let mut claims = statement(CLAIM_IN_FULL, "claims")?;
        let mut beliefs = statement(BELIEF, "beliefs")?;
        let mut policies = statement(POLICY, "policies")?;
        let mut erasures = statement(ERASURE, "erasures")?;
        let mut merges = statement(MERGE, "merges")?;
        let mut settings = statement(SETTING, "settings")?;
        let mut extractions = statement(EXTRACTION, "extractions")?;
        let mut commits = self.connection.prepare_cached(TxCursor::SQL)?;
        let mut observations = Cursor::new(&mut observations, 0)?;
        let mut claims = Cursor::new(&mut claims, 0)?;
        let mut beliefs = Cursor::new(&mut beliefs, 0)?;
        let mut policies = Cursor::new(&mut policies, 0)?;
        let mut erasures = Cursor::new(&mut erasures, 0)?;
        let mut merges = Cursor::new(&mut merges, 0)?;
        let mut settings = Cursor::new(&mut settings, 0)?;
        let mut extractions = Cursor::new(&mut extractions, 0)?;
        let mut tx = TxCursor::new(&mut commits, 0)?;
        loop {
            let rare = beliefs.next.min(policies.next).min(erasures.next).min(merges.next).min(settings.next);
            let next = rare.min(observations.next).min(extractions.next);
            if claims.next < next {
                *at = claims.next;
                return Err(Unreadable::Value("a claim without its observation before it".to_owned()).into());
            }
            if next == Seq::MAX {
                return Ok(());
            }
            *at = next;
            let when = tx.at(next)?;
            let record = if observations.next == next {
                let observation = observation(observations.row()?)?;
                observations.advance()?;
                let until = rare.min(observations.next).min(extractions.next);
                let own = following(&mut claims, at, until, next)?.into_iter();
                let claims = own.map(|(place, claim)| Ok((place, tx.at(place)?, claim))).collect::<Result<_, Unreadable>>()?;
                let status = ExtractionStatus::of(self.failure_at(next)?);
                StoredRecord::Observation(StoredObservation { seq: next, tx: when, observation, claims, status })
            } else if beliefs.next == next {
                let record = stored_belief(beliefs.row()?, when)?;
                beliefs.advance()?;
                record
            } else if policies.next == next {
                let record = stored_policy(policies.row()?, when)?;
                policies.advance()?;
                record
            } else if erasures.next == next {
                let record = stored_erasure(erasures.row()?, when)?;
                erasures.advance()?;
                record
            } else if merges.next == next {
                let record = stored_merge(merges.row()?, when)?;
                merges.advance()?;
                record
            } else if settings.next == next {
                let record = stored_setting(settings.row()?, when)?;
                settings.advance()?;
                record
            } else {
                let stretch = Stretch::of(extractions.row()?)?;
                let record = stored_extraction(extractions.row()?, when, self.id_at(stretch.observation)?)?;
                extractions.advance()?;
                let until = rare.min(observations.next).min(extractions.next);
                let own = following(&mut claims, at, until, stretch.observation)?;
                let claims: Vec<Claim> = own.into_iter().map(|(_, claim)| claim).collect();
                if claims.len() as u64 != stretch.claims {
                    let reason = format!("it tells of {} claims, and {} follow it", stretch.claims, claims.len());
                    return Err(Unreadable::Value(reason).into());
                }
                StoredRecord::Extraction(StoredExtraction { claims, ..record })
            };
            sink(record).map_err(Stop::Sink)?;
        }
    }

    /// Writes records as they come. In the caller's transaction.
    pub(super) fn import(&self, next: &mut dyn FnMut() -> Result<Option<StoredRecord>, LedgerError>) -> Result<Outcome<u64>, LedgerError> {
        if self.position()?.seq != 0 {
            let reason = "only an empty ledger can take an import, and this one holds records".to_owned();
            return Err(LedgerError::BadRecord { seq: 0, reason });
        }
        let mut rows = RowWriter::new(self)?;
        let mut ids: BTreeMap<ObservationId, Imported> = BTreeMap::new();
        let mut commits = Commits::default();
        let mut count = 0;
        while let Some(record) = next()? {
            let (seq, tx) = (record.seq(), record.tx());
            let refuse = |reason: String| Err(LedgerError::BadRecord { seq, reason });
            let mut last = seq;
            match record {
                StoredRecord::Observation(stored) => {
                    let claims = stored.claims.len().try_into().unwrap_or(u32::MAX);
                    let imported = Imported { place: seq, claims, waits: stored.status != ExtractionStatus::Done };
                    if ids.insert(stored.observation.id, imported).is_some() {
                        return refuse(format!("the observation {} comes twice", stored.observation.id));
                    }
                    rows.observation(seq, &stored.observation)?;
                    self.add_pending(seq, &stored.status)?;
                    for (ordinal, (place, when, claim)) in (0..).zip(&stored.claims) {
                        last += 1;
                        if *place != last || *when != tx {
                            return refuse(format!("its claim {ordinal} does not follow it at {last}, recorded at the same time"));
                        }
                        check_claim(claim)?;
                        rows.claim(last, seq, ordinal, claim)?;
                    }
                }
                StoredRecord::Belief { target, believed, because, .. } => {
                    let named = named_observation(target);
                    if !ids.contains_key(&named) {
                        return refuse(format!("the observation {named} is named and did not come before"));
                    }
                    self.add_belief(seq, target, believed, &because)?;
                }
                StoredRecord::Policy { relation, toml, .. } => self.add_policy(seq, &relation, toml.as_deref())?,
                StoredRecord::Erasure { observations, .. } => {
                    let write = || {
                        self.connection
                            .prepare_cached("INSERT INTO erasures (seq, observations) VALUES (?1, ?2)")?
                            .execute(params![seq.cast_signed(), observations.cast_signed()])
                    };
                    write().map_err(|error| self.fail(&error))?;
                }
                StoredRecord::Merge { from, into, merged, because, .. } => self.add_merge(seq, &from, &into, merged, &because)?,
                StoredRecord::Setting { name, value, .. } => self.add_setting(seq, &name, value.as_deref())?,
                StoredRecord::Extraction(stored) => {
                    let Some(of) = ids.get_mut(&stored.observation).filter(|of| of.waits) else {
                        return refuse(format!("the observation {} did not come before, waiting for its claims", stored.observation));
                    };
                    let stretch = Stretch { before: seq, observation: of.place, first: of.claims, claims: stored.claims.len() as u64 };
                    last = stretch.through();
                    of.claims = of.claims.saturating_add(stored.claims.len().try_into().unwrap_or(u32::MAX));
                    of.waits = stored.status != ExtractionStatus::Done;
                    self.add_extraction(stretch, &stored.extractor, &stored.status)?;
                    rows.later_claims(stretch, stored.claims.iter())?;
                }
            }
            commits.take(self, seq, last, tx)?;
            count += 1;
        }
        let Some(through) = commits.finish(self)? else { return Ok(Outcome::Nothing(0)) };
        if through > FOLD_AT {
            self.fold(0, through, BatchEntries::default(), through)?;
        }
        Ok(Outcome::Write(count))
    }

    pub(super) fn backup(&self, to: &Path) -> Result<(), LedgerError> {
        let io = |reason: String| LedgerError::Io { path: to.to_owned(), reason };
        if to.exists() {
            return Err(io("exists already".to_owned()));
        }
        let name = to.to_str().ok_or_else(|| io("cannot be written in UTF-8, as a backup's path must".to_owned()))?;
        let written = self.connection.execute("VACUUM INTO ?1", [name]).map_err(|error| io(self.fail(&error).to_string()));
        let synced = written.and_then(|_rows| File::open(to).and_then(|copy| copy.sync_all()).map_err(|error| io(error.to_string())));
        if synced.is_err() {
            // A part of a copy is of no use; that it could not be removed is less than what is reported.
            drop(fs::remove_file(to));
        }
        synced
    }
}

/// What is known of an observation that was imported.
struct Imported {
    place: Seq,
    claims: u32,
    /// Whether it waits for its claims.
    waits: bool,
}

/// The next claims, of the observation at `of`, before a place; with their own places.
fn following(claims: &mut Cursor<'_>, at: &mut Seq, until: Seq, of: Seq) -> Result<Vec<(Seq, Claim)>, Unreadable> {
    let mut found = Vec::new();
    while claims.next < until && claim_observation(claims.row()?)? == of {
        *at = claims.next;
        found.push((claims.next, claim(claims.row()?)?));
        claims.advance()?;
    }
    Ok(found)
}

fn named_observation(target: Retractable) -> ObservationId {
    match target {
        Retractable::Claim(claim) => claim.observation,
        Retractable::Observation(observation) => observation,
    }
}

/// Gathers the commits of records that come in order.
#[derive(Default)]
struct Commits {
    open: Option<(Seq, Seq, Instant)>,
}

impl Commits {
    fn take(&mut self, store: &Store, seq: Seq, last: Seq, tx: Instant) -> Result<(), LedgerError> {
        let refuse = |reason: String| Err(LedgerError::BadRecord { seq, reason });
        if seq == 0 || last > i64::MAX.cast_unsigned() {
            return refuse("a place lies between 1 and 2^63".to_owned());
        }
        match self.open {
            Some((_, before, _)) if seq <= before => refuse(format!("it does not come after place {before}")),
            Some((_, _, earlier)) if tx < earlier => {
                refuse(format!("its transaction time {tx:?} lies before {earlier:?}, the one before it"))
            }
            Some((first, _, same)) if same == tx => {
                self.open = Some((first, last, tx));
                Ok(())
            }
            Some((first, before, earlier)) => {
                store.add_commit(first, before, earlier)?;
                self.open = Some((seq, last, tx));
                Ok(())
            }
            None => {
                self.open = Some((seq, last, tx));
                Ok(())
            }
        }
    }

    fn finish(self, store: &Store) -> Result<Option<Seq>, LedgerError> {
        let Some((first, last, tx)) = self.open else { return Ok(None) };
        store.add_commit(first, last, tx)?;
        Ok(Some(last))
    }
}
