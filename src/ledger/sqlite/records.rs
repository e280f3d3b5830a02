//! The rarer records: merges, settings, extractions after the fact, and the observations that wait for one. Knows no projection.

use super::codec::{Unreadable, id, maybe_text, term_columns, text};
use super::rows::{BELIEF, EXTRACTION, MERGE, SETTING, Stretch, merge_terms, seq, stored_belief};
use super::store::Store;
use crate::ledger::contract::Note;
use crate::ledger::key;
use crate::ledger::{ExtractionStatus, LedgerError, Merge, MergeError, PendingObservation, Seq, StoredRecord};
use crate::model::{ObservationId, Term, TermRef};
use crate::resolve::identity;
use crate::time::Instant;
use rusqlite::{OptionalExtension, params};

/// The identity of a term, owned.
pub(super) fn identity_of(term: TermRef<'_>) -> String {
    let mut own = String::new();
    identity(term, &mut own);
    own
}

/// When the record at a place of the table was recorded.
const TX: &str = "(SELECT tx FROM commits c WHERE c.seq <= r.seq ORDER BY c.seq DESC LIMIT 1)";

impl Store {
    /// Writes a merge or its end, if it fits those before it. In the caller's transaction.
    pub(super) fn add_merge(&self, seq: Seq, from: &Term, into: &Term, merged: bool, because: &str) -> Result<(), LedgerError> {
        self.check_merge(from, into, merged)?;
        let (from_kind, from_term, ..) = term_columns(from.as_ref());
        let (into_kind, into_term, ..) = term_columns(into.as_ref());
        let number = key::of_source_key(&identity_of(from.as_ref()));
        let write = || {
            self.connection
                .prepare_cached(
                    "INSERT INTO merges (seq, merged, from_number, from_kind, from_term, into_kind, into_term, because) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![seq.cast_signed(), merged, number, from_kind, from_term, into_kind, into_term, because])
        };
        write().map(|_rows| ()).map_err(|error| self.fail(&error))
    }

    /// See [`crate::ledger::Unions`], whose rules these are.
    fn check_merge(&self, from: &Term, into: &Term, merged: bool) -> Result<(), LedgerError> {
        if let Some(literal) = [from, into].into_iter().find(|term| term.is_literal()) {
            return Err(MergeError::Literal(literal.clone()).into());
        }
        let (own, other) = (identity_of(from.as_ref()), identity_of(into.as_ref()));
        let current = self.merged_into(&own)?;
        let (from, into) = (from.clone(), into.clone());
        if !merged {
            let stands = current.is_some_and(|current| identity_of(current.as_ref()) == other);
            return if stands { Ok(()) } else { Err(MergeError::Apart { from, into }.into()) };
        }
        if own == other {
            return Err(MergeError::Itself { from, into }.into());
        }
        if let Some(current) = current {
            return Err(MergeError::Merged { from, current }.into());
        }
        let mut at = other;
        while let Some(next) = self.merged_into(&at)? {
            at = identity_of(next.as_ref());
            if at == own {
                return Err(MergeError::Circular { from, into }.into());
            }
        }
        Ok(())
    }

    /// What the entity with an identity is merged into; `None` where it is not.
    fn merged_into(&self, own: &str) -> Result<Option<Term>, LedgerError> {
        let mut at = 0;
        let mut read = || -> Result<Option<Term>, Unreadable> {
            let mut statement =
                self.connection.prepare_cached(&format!("SELECT {MERGE} FROM merges WHERE from_number = ?1 ORDER BY seq DESC"))?;
            let mut rows = statement.query([key::of_source_key(own)])?;
            while let Some(row) = rows.next()? {
                at = seq(row)?;
                let (from, into) = merge_terms(row)?;
                // Two identities may share a number.
                if identity_of(from) == own {
                    return Ok(row.get::<_, bool>(1)?.then(|| into.to_owned()));
                }
            }
            Ok(None)
        };
        let result = read();
        result.map_err(|error| self.unreadable(error, at))
    }

    pub(super) fn beliefs(&self, observation: ObservationId) -> Result<Vec<StoredRecord>, LedgerError> {
        self.reading(|| {
            let mut at = 0;
            let mut read = || -> Result<Vec<StoredRecord>, Unreadable> {
                let mut statement =
                    self.connection.prepare_cached(&format!("SELECT {BELIEF}, {TX} FROM beliefs r WHERE observation = ?1 ORDER BY seq"))?;
                let mut rows = statement.query([observation.bytes()])?;
                let mut found = Vec::new();
                while let Some(row) = rows.next()? {
                    at = seq(row)?;
                    found.push(stored_belief(row, Instant::from_micros(row.get(5)?))?);
                }
                Ok(found)
            };
            let result = read();
            result.map_err(|error| self.unreadable(error, at))
        })
    }

    pub(super) fn has_merges(&self) -> Result<bool, LedgerError> {
        self.reading(|| {
            let some = || self.connection.prepare_cached("SELECT 1 FROM merges LIMIT 1")?.query_row([], |_| Ok(())).optional();
            some().map(|found| found.is_some()).map_err(|error| self.fail(&error))
        })
    }

    pub(super) fn merges(&self) -> Result<Vec<Merge>, LedgerError> {
        self.reading(|| {
            let mut at = 0;
            let mut found: Vec<Merge> = Vec::new();
            let mut read = || -> Result<(), Unreadable> {
                let mut statement = self.connection.prepare_cached(&format!("SELECT {MERGE}, {TX} FROM merges r ORDER BY seq"))?;
                let mut rows = statement.query([])?;
                let mut standing = std::collections::BTreeMap::new();
                while let Some(row) = rows.next()? {
                    at = seq(row)?;
                    let (from, into) = merge_terms(row)?;
                    let (tx, because) = (Instant::from_micros(row.get(7)?), text(row, 6, "because")?.to_owned());
                    let names = (identity_of(from), identity_of(into));
                    if row.get(1)? {
                        standing.insert(names, found.len());
                        found.push(Merge { seq: at, tx, from: from.to_owned(), into: into.to_owned(), because, undone: None });
                    } else if let Some(merge) = standing.remove(&names).and_then(|nth| found.get_mut(nth)) {
                        merge.undone = Some((tx, because));
                    }
                }
                Ok(())
            };
            let result = read();
            result.map(|()| found).map_err(|error| self.unreadable(error, at))
        })
    }

    /// Writes a setting. In the caller's transaction.
    pub(super) fn add_setting(&self, seq: Seq, name: &str, value: Option<&str>) -> Result<(), LedgerError> {
        let write = || {
            self.connection.prepare_cached("INSERT INTO settings (seq, name, value) VALUES (?1, ?2, ?3)")?.execute(params![
                seq.cast_signed(),
                name,
                value
            ])
        };
        write().map(|_rows| ()).map_err(|error| self.fail(&error))
    }

    pub(super) fn setting(&self, name: &str) -> Result<Option<String>, LedgerError> {
        self.reading(|| {
            let read = || {
                self.connection
                    .prepare_cached("SELECT value FROM settings WHERE name = ?1 ORDER BY seq DESC LIMIT 1")?
                    .query_row([name], |row| row.get::<_, Option<String>>(0))
                    .optional()
            };
            read().map(Option::flatten).map_err(|error| self.fail(&error))
        })
    }

    pub(super) fn settings(&self) -> Result<Vec<(String, String)>, LedgerError> {
        self.reading(|| {
            let read = || {
                let mut statement = self.connection.prepare_cached(
                    "SELECT name, value FROM settings s WHERE value IS NOT NULL \
                     AND seq = (SELECT max(seq) FROM settings t WHERE t.name = s.name) ORDER BY name",
                )?;
                let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
                rows.collect::<rusqlite::Result<Vec<_>>>()
            };
            read().map_err(|error| self.fail(&error))
        })
    }

    /// Notes that the observation at a place was recorded without its claims. In the caller's transaction.
    pub(super) fn add_pending(&self, place: Seq, status: &ExtractionStatus) -> Result<(), LedgerError> {
        let Some(failure) = status.failure() else { return Ok(()) };
        let write = || {
            self.connection
                .prepare_cached("INSERT INTO pending (seq, waits, failure) VALUES (?1, 1, ?2)")?
                .execute(params![place.cast_signed(), failure])
        };
        write().map(|_rows| ()).map_err(|error| self.fail(&error))
    }

    /// Whether the observation at a place waits for its claims.
    pub(super) fn waits(&self, place: Seq) -> Result<bool, LedgerError> {
        let read = || {
            self.connection
                .prepare_cached("SELECT waits FROM pending WHERE seq = ?1")?
                .query_row([place.cast_signed()], |row| row.get::<_, bool>(0))
                .optional()
        };
        read().map(Option::unwrap_or_default).map_err(|error| self.fail(&error))
    }

    /// Why the observation at a place was recorded without its claims.
    pub(super) fn failure_at(&self, place: Seq) -> Result<Option<String>, Unreadable> {
        let mut statement = self.connection.prepare_cached("SELECT failure FROM pending WHERE seq = ?1")?;
        Ok(statement.query_row([place.cast_signed()], |row| row.get(0)).optional()?)
    }

    /// Writes an extraction of the observation at a place, without its claims. In the caller's transaction.
    pub(super) fn add_extraction(&self, stretch: Stretch, extractor: &str, status: &ExtractionStatus) -> Result<(), LedgerError> {
        let Stretch { before, observation, first, claims } = stretch;
        let write = || {
            self.connection
                .prepare_cached(
                    "INSERT INTO extractions (seq, observation, first, claims, extractor, failure) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    before.cast_signed(),
                    observation.cast_signed(),
                    first,
                    claims.cast_signed(),
                    extractor,
                    status.failure()
                ])?;
            if *status == ExtractionStatus::Done {
                self.connection.prepare_cached("UPDATE pending SET waits = 0 WHERE seq = ?1")?.execute([observation.cast_signed()])?;
            }
            Ok::<(), rusqlite::Error>(())
        };
        write().map_err(|error| self.fail(&error))
    }

    /// Where the claims lie that were read later of the observation at a place, in order.
    pub(super) fn extractions_of(&self, place: Seq) -> Result<Vec<Stretch>, Unreadable> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT {EXTRACTION} FROM extractions WHERE observation = ?1 ORDER BY seq"))?;
        let mut rows = statement.query([place.cast_signed()])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(Stretch::of(row)?);
        }
        Ok(found)
    }

    /// The place from which on claims of the observation at a place were read later.
    pub(super) fn read_later(&self, place: Seq) -> rusqlite::Result<Seq> {
        let mut first = self.connection.prepare_cached("SELECT min(seq) FROM extractions WHERE observation = ?1")?;
        let first: Option<i64> = first.query_row([place.cast_signed()], |row| row.get(0))?;
        Ok(first.unwrap_or(i64::MAX).cast_unsigned())
    }

    pub(super) fn pending(&self) -> Result<Vec<PendingObservation>, LedgerError> {
        self.reading(|| {
            let mut at = 0;
            let mut found = Vec::new();
            let mut read = || -> Result<(), Unreadable> {
                let mut statement = self.connection.prepare_cached(&format!(
                    "SELECT r.seq, o.id, {TX}, (SELECT count(*) FROM extractions e WHERE e.observation = r.seq), \
                     coalesce((SELECT e.failure FROM extractions e WHERE e.observation = r.seq ORDER BY e.seq DESC LIMIT 1), r.failure) \
                     FROM pending r JOIN observations o ON o.seq = r.seq WHERE r.waits = 1 ORDER BY r.seq"
                ))?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    at = seq(row)?;
                    found.push(PendingObservation {
                        id: id(row, 1, "id")?,
                        since: Instant::from_micros(row.get(2)?),
                        tries: 1 + row.get::<_, i64>(3)?.cast_unsigned(),
                        reason: text(row, 4, "failure")?.to_owned(),
                    });
                }
                Ok(())
            };
            let result = read();
            result.map(|()| found).map_err(|error| self.unreadable(error, at))
        })
    }

    /// Gives the words of merges, settings and failed extractions. In the state that the caller reads.
    pub(super) fn added_notes(&self, at: &mut Seq, sink: &mut dyn FnMut(Note<'_>)) -> Result<(), Unreadable> {
        let mut statement = self.connection.prepare_cached(&format!("SELECT {MERGE} FROM merges ORDER BY seq"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            *at = seq(row)?;
            let (from, into) = merge_terms(row)?;
            sink(Note::Merge { seq: *at, from, into, because: text(row, 6, "because")? });
        }
        let mut statement = self.connection.prepare_cached(&format!("SELECT {SETTING} FROM settings ORDER BY seq"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            *at = seq(row)?;
            sink(Note::Setting { seq: *at, name: text(row, 1, "name")?, value: maybe_text(row, 2, "value")? });
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT r.seq, o.id, r.failure FROM pending r JOIN observations o ON o.seq = r.seq \
             UNION ALL SELECT r.seq, o.id, r.failure FROM extractions r JOIN observations o ON o.seq = r.observation \
             WHERE r.failure IS NOT NULL ORDER BY 1",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            *at = seq(row)?;
            sink(Note::Failure { seq: *at, about: id(row, 1, "id")?, reason: text(row, 2, "failure")? });
        }
        Ok(())
    }
}
