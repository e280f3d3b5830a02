//! Looking up: the ledger's end, observations by id, prefix and key, counts, words. Knows no sequence beyond that.

use super::codec::{Unreadable, authority, integer, maybe_text, term, text};
use super::index::Family;
use super::replay::TxCursor;
use super::rows::{CLAIM_IN_FULL, OBSERVATION_IN_FULL, Stretch, claim, claim_observation, observation, seq};
use super::store::{Store, with_suffix};
use super::write::BatchEntries;
use crate::ledger::contract::{ClaimEnd, Holdings, Note, Position};
use crate::ledger::key::{self, ClaimKeys, Key, RelationKey};
use crate::ledger::{ExtractionStatus, LedgerError, Seq, StoredObservation, Words};
use crate::model::{Claim, Observation, ObservationId, TermRef};
use crate::time::Instant;
use rusqlite::{OptionalExtension, params};
use std::collections::BTreeSet;
use std::fs;

/// The ids, as written, and the keys of the observations after the indexed end.
#[derive(Debug, Default)]
struct LateNames {
    ids: BTreeSet<String>,
    keys: BTreeSet<(String, ObservationId)>,
}

impl LateNames {
    /// Whether another id begins with these digits, or another observation has them for a key.
    fn has_other(&self, id: ObservationId, digits: &str) -> bool {
        let written = id.to_string();
        let mut ids = self.ids.range(digits.to_owned()..).take_while(|other| other.starts_with(digits));
        let mut keys = self.keys.range((digits.to_owned(), ObservationId::from_bytes([0; 16]))..).take_while(|(key, _)| key == digits);
        ids.any(|other| *other != written) || keys.any(|(_, whose)| *whose != id)
    }
}

impl Store {
    /// The end of the ledger.
    pub(super) fn position(&self) -> Result<Position, LedgerError> {
        let read = || {
            self.connection
                .prepare_cached("SELECT last_seq, tx FROM commits ORDER BY seq DESC LIMIT 1")?
                .query_row([], |row| {
                    Ok(Position { seq: row.get::<_, i64>(0)?.cast_unsigned(), tx: Some(Instant::from_micros(row.get(1)?)) })
                })
                .optional()
        };
        let last = read().map_err(|error| self.fail(&error))?;
        Ok(last.unwrap_or(Position { seq: 0, tx: None }))
    }

    /// The rows of a table.
    pub(super) fn count(&self, table: &str) -> Result<u64, LedgerError> {
        let count: rusqlite::Result<i64> = self.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
        count.map(i64::cast_unsigned).map_err(|error| self.fail(&error))
    }

    pub(super) fn holdings(&self) -> Result<Holdings, LedgerError> {
        self.reading(|| self.holdings_here())
    }

    /// As [`Store::holdings`], in the state that the caller reads.
    pub(super) fn holdings_here(&self) -> Result<Holdings, LedgerError> {
        Ok(Holdings {
            observations: self.count("observations")?,
            claims: self.count("claims")?,
            beliefs: self.count("beliefs")?,
            policies: self.count("policies")?,
            erasures: self.count("erasures")?,
            merges: self.count("merges")?,
            settings: self.count("settings")?,
            extractions: self.count("extractions")?,
            bytes: ["", "-wal", "-shm"]
                .iter()
                .filter_map(|suffix| fs::metadata(with_suffix(&self.path, suffix)).ok())
                .map(|file| file.len())
                .sum(),
        })
    }

    /// Gives the ids of the observations after a place.
    pub(super) fn ids_after(&self, after: Seq, sink: &mut dyn FnMut(Seq, ObservationId)) -> Result<(), LedgerError> {
        let mut at = after;
        let mut read = || -> Result<(), Unreadable> {
            let mut statement = self.connection.prepare_cached("SELECT seq, id FROM observations WHERE seq > ?1 ORDER BY seq")?;
            let mut rows = statement.query([after.cast_signed()])?;
            while let Some(row) = rows.next()? {
                at = seq(row)?;
                sink(at, super::codec::id(row, 1, "id")?);
            }
            Ok(())
        };
        let result = read();
        result.map_err(|error| self.unreadable(error, at))
    }

    /// Gives the numbers of the claims after a place and up to another, by their heads and tails.
    pub(super) fn ends_between(&self, after: Seq, to: Seq, sink: &mut dyn FnMut(Key, Seq)) -> Result<(), LedgerError> {
        let mut keys = ClaimKeys::default();
        self.mentions_between(after, to, &mut |place, relation, end, term| sink(keys.claim(term, end, relation), place))
    }

    /// Gives the terms that the claims after one place and up to another mention: of each the head, the tail, and the tail it corrects.
    pub(super) fn mentions_between(
        &self,
        after: Seq,
        to: Seq,
        sink: &mut dyn FnMut(Seq, RelationKey, ClaimEnd, TermRef<'_>),
    ) -> Result<(), LedgerError> {
        let mut at = after;
        let mut read = || -> Result<(), Unreadable> {
            let mut statement = self.connection.prepare_cached(
                "SELECT seq, relation, head_kind, head, tail_kind, tail, tail_datatype, tail_language, corrects_tail_kind, corrects_tail, \
                 corrects_tail_datatype, corrects_tail_language FROM claims WHERE seq > ?1 AND seq <= ?2 ORDER BY seq",
            )?;
            let mut rows = statement.query(params![after.cast_signed(), to.cast_signed()])?;
            while let Some(row) = rows.next()? {
                at = seq(row)?;
                let relation = RelationKey::of(text(row, 1, "relation")?);
                sink(at, relation, ClaimEnd::Head, term(row, row.get(2)?, 3, None, None, "head")?);
                sink(at, relation, ClaimEnd::Tail, term(row, row.get(4)?, 5, Some(6), Some(7), "tail")?);
                if let Some(kind) = row.get::<_, Option<i64>>(8)? {
                    sink(at, relation, ClaimEnd::Tail, term(row, kind, 9, Some(10), Some(11), "corrects_tail")?);
                }
            }
            Ok(())
        };
        let result = read();
        result.map_err(|error| self.unreadable(error, at))
    }

    /// Adds the index entries of the records after one place and up to another.
    pub(super) fn read_entries(&self, after: Seq, to: Seq, entries: &mut BatchEntries) -> Result<(), LedgerError> {
        let mut keys = ClaimKeys::default();
        self.mentions_between(after, to, &mut |place, relation, end, term| entries.add_mention(&mut keys, place, relation, end, term))?;
        let mut at = after;
        let mut read = || -> Result<(), Unreadable> {
            let mut statement =
                self.connection.prepare_cached("SELECT seq, id, key FROM observations WHERE seq > ?1 AND seq <= ?2 ORDER BY seq")?;
            let mut rows = statement.query(params![after.cast_signed(), to.cast_signed()])?;
            while let Some(row) = rows.next()? {
                at = seq(row)?;
                entries.ids.push((key::of_id(super::codec::id(row, 1, "id")?), at));
                entries.keys.extend(maybe_text(row, 2, "key")?.map(|key| (key::of_source_key(key), at)));
            }
            Ok(())
        };
        let result = read();
        result.map_err(|error| self.unreadable(error, at))
    }

    /// Where an observation stands.
    pub(super) fn place_of(&self, id: ObservationId) -> Result<Option<Seq>, LedgerError> {
        Ok(self.places_of(&[id])?.pop().flatten())
    }

    /// Where each of these observations stands, in their order.
    ///
    /// # Complexity
    /// Many at once cost less each: segments are then read through instead of searched.
    pub(super) fn places_of(&self, ids: &[ObservationId]) -> Result<Vec<Option<Seq>>, LedgerError> {
        let mut places = vec![None; ids.len()];
        let mut wanted: Vec<(Key, usize)> = ids.iter().enumerate().map(|(index, id)| (key::of_id(*id), index)).collect();
        wanted.sort_unstable();
        let numbers: Vec<Key> = wanted.iter().map(|(number, _)| *number).collect();
        let mut found = Vec::new();
        if !numbers.is_empty() {
            self.lookup_sorted(Family::Ids, &numbers, &mut found)?;
            self.ids_after(self.indexed_to()?, &mut |place, id| {
                let number = key::of_id(id);
                if numbers.binary_search(&number).is_ok() {
                    found.push((number, place));
                }
            })?;
        }
        found.sort_unstable();
        for (number, index) in wanted {
            let first = found.partition_point(|(other, _)| *other < number);
            for (_, place) in found.iter().skip(first).take_while(|(other, _)| *other == number) {
                if self.id_at_if_there(*place)?.as_ref() == ids.get(index)
                    && let Some(slot) = places.get_mut(index)
                {
                    *slot = Some(*place);
                }
            }
        }
        Ok(places)
    }

    fn id_at_if_there(&self, place: Seq) -> Result<Option<ObservationId>, LedgerError> {
        let read = || -> Result<Option<ObservationId>, Unreadable> {
            let mut statement = self.connection.prepare_cached("SELECT seq, id FROM observations WHERE seq = ?1")?;
            let mut rows = statement.query([place.cast_signed()])?;
            rows.next()?.map(|row| super::codec::id(row, 1, "id")).transpose()
        };
        read().map_err(|error| self.unreadable(error, place))
    }

    pub(super) fn observation(&self, id: ObservationId) -> Result<Option<StoredObservation>, LedgerError> {
        self.reading(|| {
            let Some(place) = self.place_of(id)? else { return Ok(None) };
            self.stored(place).map(Some).map_err(|error| self.unreadable(error, place))
        })
    }

    fn tx_of(&self, place: Seq) -> Result<Instant, Unreadable> {
        let mut commit = self.connection.prepare_cached("SELECT tx FROM commits WHERE seq <= ?1 ORDER BY seq DESC LIMIT 1")?;
        Ok(Instant::from_micros(commit.query_row([place.cast_signed()], |row| row.get(0))?))
    }

    fn stored(&self, place: Seq) -> Result<StoredObservation, Unreadable> {
        let mut statement = self.connection.prepare_cached(&format!("SELECT {OBSERVATION_IN_FULL} FROM observations WHERE seq = ?1"))?;
        let mut rows = statement.query([place.cast_signed()])?;
        let row = rows.next()?.ok_or_else(|| Unreadable::Value("the observation is gone".to_owned()))?;
        let observation = observation(row)?;
        let mut claims = self.claims_between(place, self.read_later(place)?, place, self.tx_of(place)?)?;
        for late in self.extractions_of(place)? {
            claims.extend(self.claims_between(late.before, Stretch::through(late) + 1, place, self.tx_of(late.before)?)?);
        }
        let status = ExtractionStatus::of(self.failure_at(place)?);
        Ok(StoredObservation { seq: place, tx: self.tx_of(place)?, observation, claims, status })
    }

    /// The claims of the observation at `of` that follow a place, before another one, all of one transaction time.
    fn claims_between(&self, after: Seq, before: Seq, of: Seq, tx: Instant) -> Result<Vec<(Seq, Instant, Claim)>, Unreadable> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT {CLAIM_IN_FULL} FROM claims WHERE seq > ?1 AND seq < ?2 ORDER BY seq"))?;
        let mut rows = statement.query(params![after.cast_signed(), before.cast_signed()])?;
        let mut claims = Vec::new();
        while let Some(row) = rows.next()? {
            if claim_observation(row)? != of {
                break;
            }
            claims.push((seq(row)?, tx, claim(row)?));
        }
        Ok(claims)
    }

    pub(super) fn observations_by_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<ObservationId>, LedgerError> {
        let prefix = prefix.to_ascii_lowercase();
        let Some((low, high)) = key::id_range(&prefix) else { return Ok(Vec::new()) };
        self.reading(|| {
            let mut places = Vec::new();
            self.lookup(Family::Ids, low, high, &mut places)?;
            let mut ids = Vec::new();
            for place in places {
                ids.extend(self.id_at_if_there(place)?);
            }
            self.ids_after(self.indexed_to()?, &mut |_, id| ids.push(id))?;
            ids.retain(|id| id.to_string().starts_with(&prefix));
            ids.sort_unstable();
            ids.truncate(limit);
            Ok(ids)
        })
    }

    pub(super) fn short_ids(&self, ids: &[ObservationId], digits: usize) -> Result<Vec<usize>, LedgerError> {
        self.reading(|| {
            let late = self.late_names(self.indexed_to()?)?;
            let mut lengths = Vec::with_capacity(ids.len());
            for id in ids {
                let written = id.to_string();
                let mut length = digits.min(written.len());
                while length < written.len() && !self.is_alone(*id, written.get(..length).unwrap_or(&written), &late)? {
                    length = (length + 4).min(written.len());
                }
                lengths.push(length);
            }
            Ok(lengths)
        })
    }

    fn late_names(&self, after: Seq) -> Result<LateNames, LedgerError> {
        let read = || -> Result<LateNames, Unreadable> {
            let mut names = LateNames::default();
            let mut statement = self.connection.prepare_cached("SELECT seq, id, key FROM observations WHERE seq > ?1")?;
            let mut rows = statement.query([after.cast_signed()])?;
            while let Some(row) = rows.next()? {
                let id = super::codec::id(row, 1, "id")?;
                names.ids.insert(id.to_string());
                names.keys.extend(maybe_text(row, 2, "key")?.map(|key| (key.to_owned(), id)));
            }
            Ok(names)
        };
        read().map_err(|error| self.unreadable(error, after))
    }

    /// Whether these first digits of an id begin no other id and are no other observation's key.
    fn is_alone(&self, id: ObservationId, digits: &str, late: &LateNames) -> Result<bool, LedgerError> {
        if late.has_other(id, digits) {
            return Ok(false);
        }
        let Some((low, high)) = key::id_range(digits) else { return Ok(false) };
        let mut places = Vec::new();
        self.lookup(Family::Ids, low, high, &mut places)?;
        // One entry is the id's own.
        if places.len() > 1 {
            for place in places.drain(..) {
                if self.id_at_if_there(place)?.is_some_and(|other| other != id && other.to_string().starts_with(digits)) {
                    return Ok(false);
                }
            }
        }
        places.clear();
        let number = key::of_source_key(digits);
        self.lookup(Family::Keys, number, number, &mut places)?;
        if places.is_empty() {
            return Ok(true);
        }
        Ok(self.keyed_at(&places, digits).map_err(|error| self.unreadable(error, 0))?.iter().all(|other| *other == id))
    }

    /// The ids of those of the observations at these places that have exactly this key.
    fn keyed_at(&self, places: &[Seq], source_key: &str) -> Result<Vec<ObservationId>, Unreadable> {
        let mut ids = Vec::new();
        let mut one = self.connection.prepare_cached("SELECT seq, id FROM observations WHERE seq = ?1 AND key = ?2")?;
        for place in places {
            let mut rows = one.query(params![place.cast_signed(), source_key])?;
            if let Some(row) = rows.next()? {
                ids.push(super::codec::id(row, 1, "id")?);
            }
        }
        Ok(ids)
    }

    pub(super) fn observations_by_key(&self, source_key: &str) -> Result<Vec<ObservationId>, LedgerError> {
        self.reading(|| {
            let number = key::of_source_key(source_key);
            let mut places = Vec::new();
            self.lookup(Family::Keys, number, number, &mut places)?;
            let indexed_to = self.indexed_to()?;
            let read = || -> Result<Vec<ObservationId>, Unreadable> {
                let mut ids = self.keyed_at(&places, source_key)?;
                let mut rest = self.connection.prepare_cached("SELECT seq, id FROM observations WHERE seq > ?1 AND key = ?2")?;
                let mut rows = rest.query(params![indexed_to.cast_signed(), source_key])?;
                while let Some(row) = rows.next()? {
                    ids.push(super::codec::id(row, 1, "id")?);
                }
                ids.sort_unstable();
                Ok(ids)
            };
            read().map_err(|error| self.unreadable(error, 0))
        })
    }

    pub(super) fn session_tail(&self, session: &str, until: Instant, limit: usize) -> Result<Vec<Observation>, LedgerError> {
        self.reading(|| {
            let read = || -> Result<Vec<Observation>, Unreadable> {
                let mut statement = self.connection.prepare_cached(&format!(
                    "SELECT {OBSERVATION_IN_FULL} FROM observations WHERE session = ?1 AND observed_at <= ?2 \
                     ORDER BY observed_at DESC, seq DESC LIMIT ?3"
                ))?;
                let limit = i64::try_from(limit).unwrap_or(i64::MAX);
                let mut rows = statement.query(params![session, until.micros(), limit])?;
                let mut latest_first = Vec::new();
                while let Some(row) = rows.next()? {
                    latest_first.push(observation(row)?);
                }
                latest_first.reverse();
                Ok(latest_first)
            };
            read().map_err(|error| self.unreadable(error, 0))
        })
    }

    pub(super) fn words(&self, from: Seq, sink: &mut dyn FnMut(Words<'_>)) -> Result<(), LedgerError> {
        self.reading(|| {
            let mut at = from;
            let mut read = || -> Result<(), Unreadable> {
                let mut commits = self.connection.prepare_cached(TxCursor::SQL)?;
                let mut tx = TxCursor::new(&mut commits, from)?;
                let mut statement = self.connection.prepare_cached(
                    "SELECT seq, id, observed_at, authority, source, session, speaker, role, key, text FROM observations WHERE seq >= ?1 \
                     ORDER BY seq",
                )?;
                let mut rows = statement.query([from.cast_signed()])?;
                while let Some(row) = rows.next()? {
                    at = seq(row)?;
                    sink(Words {
                        seq: at,
                        tx: tx.at(at)?,
                        id: super::codec::id(row, 1, "id")?,
                        observed_at: Instant::from_micros(integer(row, 2, "observed_at")?),
                        authority: authority(integer(row, 3, "authority")?)?,
                        source: maybe_text(row, 4, "source")?,
                        session: maybe_text(row, 5, "session")?,
                        speaker: maybe_text(row, 6, "speaker")?,
                        role: maybe_text(row, 7, "role")?,
                        key: maybe_text(row, 8, "key")?,
                        text: maybe_text(row, 9, "text")?,
                    });
                }
                Ok(())
            };
            let result = read();
            result.map_err(|error| self.unreadable(error, at))
        })
    }

    pub(super) fn notes(&self, sink: &mut dyn FnMut(Note<'_>)) -> Result<(), LedgerError> {
        let mut at = 0;
        let mut read = || -> Result<(), Unreadable> {
            let mut statement = self.connection.prepare_cached("SELECT seq, observation, because FROM beliefs ORDER BY seq")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                at = seq(row)?;
                sink(Note::Reason { seq: at, about: super::codec::id(row, 1, "observation")?, because: text(row, 2, "because")? });
            }
            let mut statement = self.connection.prepare_cached("SELECT seq, relation, toml FROM policies ORDER BY seq")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                at = seq(row)?;
                sink(Note::Override { seq: at, relation: text(row, 1, "relation")?, toml: maybe_text(row, 2, "toml")? });
            }
            self.added_notes(&mut at, sink)
        };
        let result = self.reading(|| Ok(read()))?;
        result.map_err(|error| self.unreadable(error, at))
    }

    pub(super) fn states_relation(&self, is_it: &mut dyn FnMut(&str) -> bool) -> Result<bool, LedgerError> {
        let mut at = 0;
        let mut read = || -> Result<bool, Unreadable> {
            let mut statement = self.connection.prepare_cached("SELECT seq, relation FROM claims ORDER BY seq")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                at = seq(row)?;
                if is_it(text(row, 1, "relation")?) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let result = read();
        result.map_err(|error| self.unreadable(error, at))
    }

    pub(super) fn erased_since(&self, from: Seq) -> Result<Vec<Seq>, LedgerError> {
        let read = || {
            let mut statement =
                self.connection.prepare_cached("SELECT seq FROM erased_places WHERE erasure >= ?1 ORDER BY erasure, seq")?;
            let rows = statement.query_map([from.cast_signed()], |row| Ok(row.get::<_, i64>(0)?.cast_unsigned()))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.fail(&error))
    }
}
