//! Erasing: records, index entries, and then every byte of them. Knows not why.

use super::codec::Unreadable;
use super::index::{Entry, Family};
use super::rows::{Stretch, seq};
use super::schema::{meta, scrub};
use super::store::{Outcome, Store, WritePoint};
use super::write::{BatchEntries, next_tx};
use crate::ledger::contract::{Doomed, Removed};
use crate::ledger::key::{Key, SpellingKeys, ends_of};
use crate::ledger::{LedgerError, Seq};
use crate::model::ObservationId;
use crate::time::Instant;
use rusqlite::{ErrorCode, params};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long one attempt takes at most, with the nap after it.
const ROUND: Duration = Duration::from_millis(100);
/// How long to sleep before trying once more what was given up at once.
const NAP: Duration = Duration::from_millis(10);

impl Store {
    /// Removes the rows and index entries of what is doomed. In the caller's transaction.
    pub(super) fn erase_rows(&self, doomed: &Doomed, now: Instant) -> Result<Outcome<Removed>, LedgerError> {
        let mut wanted = doomed.observations.clone();
        wanted.sort_unstable();
        wanted.dedup();
        let mut removed = Removed::default();
        let mut places = Vec::new();
        for (id, place) in wanted.iter().zip(self.places_of(&wanted)?) {
            if let Some(place) = place {
                removed.observations.push(*id);
                places.push(place);
            }
        }
        let mut gone = BatchEntries::default();
        let mut emptied = Vec::new();
        for (id, place) in removed.observations.iter().zip(&places) {
            let claims = self.last_claim_of(*place).map_err(|error| self.unreadable(error, *place))?;
            let mut stretches = vec![(*place, claims)];
            let late = self.extractions_of(*place).map_err(|error| self.unreadable(error, *place))?;
            stretches.extend(late.into_iter().map(|late| (late.before, Stretch::through(late))));
            for (first, last) in &stretches {
                self.read_entries(first - 1, *last, &mut gone)?;
                emptied.extend(*first..=*last);
                removed.claims += last - first;
            }
            emptied.extend(self.beliefs_in(*id).map_err(|error| self.fail(&error))?);
            self.remove_rows(*id, &stretches).map_err(|error| self.fail(&error))?;
        }
        self.erase_words(doomed, &mut removed, &mut emptied).map_err(|error| self.fail(&error))?;
        if places.is_empty() && [removed.reasons, removed.overrides, removed.settings, removed.merges] == [0; 4] {
            return Ok(Outcome::Nothing(removed));
        }
        let position = self.position()?;
        let place = position.seq + 1;
        self.forget_entries(gone)?;
        self.add_commit(place, place, next_tx(position, now))?;
        self.add_erasure(place, places.len() as u64, &emptied).map_err(|error| self.fail(&error))?;
        self.set_meta(meta::SCRUB_PENDING, scrub::ROWS_REMOVED)?;
        self.reach(WritePoint::RowsErased);
        removed.seq = Some(place);
        Ok(Outcome::Write(removed))
    }

    /// Removes words that stand beside observations; their records stay where something of them does.
    fn erase_words(&self, doomed: &Doomed, removed: &mut Removed, emptied: &mut Vec<Seq>) -> rusqlite::Result<()> {
        for (table, column) in [("beliefs", "because"), ("merges", "because"), ("extractions", "failure"), ("pending", "failure")] {
            let blank = format!("UPDATE {table} SET {column} = '' WHERE seq = ?1 AND {column} <> ''");
            let mut blank = self.connection.prepare_cached(&blank)?;
            for place in &doomed.reasons {
                removed.reasons += blank.execute([place.cast_signed()])? as u64;
            }
        }
        let mut unset = self.connection.prepare_cached("UPDATE settings SET value = NULL WHERE seq = ?1 AND value IS NOT NULL")?;
        for place in &doomed.settings {
            removed.settings += unset.execute([place.cast_signed()])? as u64;
        }
        for (table, count) in [("settings", &mut removed.settings), ("merges", &mut removed.merges)] {
            let mut remove = self.connection.prepare_cached(&format!("DELETE FROM {table} WHERE seq = ?1"))?;
            for place in &doomed.records {
                if remove.execute([place.cast_signed()])? > 0 {
                    *count += 1;
                    emptied.push(*place);
                }
            }
        }
        let mut change = self.connection.prepare_cached("UPDATE policies SET toml = ?2 WHERE seq = ?1")?;
        let mut remove = self.connection.prepare_cached("DELETE FROM policies WHERE seq = ?1")?;
        for (place, toml) in &doomed.overrides {
            let rows = match toml {
                Some(toml) => change.execute(params![place.cast_signed(), toml])?,
                None => remove.execute([place.cast_signed()])?,
            };
            removed.overrides += rows as u64;
            if rows > 0 && toml.is_none() {
                emptied.push(*place);
            }
        }
        Ok(())
    }

    /// The place of the last claim that came with an observation, or its own where it has none: they follow it without a gap.
    pub(super) fn last_claim_of(&self, place: Seq) -> Result<Seq, Unreadable> {
        let mut statement =
            self.connection.prepare_cached("SELECT seq, observation FROM claims WHERE seq > ?1 AND seq < ?2 ORDER BY seq")?;
        let mut rows = statement.query(params![place.cast_signed(), self.read_later(place)?.cast_signed()])?;
        let mut last = place;
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(1)?.cast_unsigned() != place {
                break;
            }
            last = seq(row)?;
        }
        Ok(last)
    }

    /// Removes the rows of an observation: each of its stretches begins with the place before its claims, the first with its own.
    fn remove_rows(&self, id: ObservationId, stretches: &[(Seq, Seq)]) -> rusqlite::Result<()> {
        for (first, last) in stretches {
            let (first, last) = (first.cast_signed(), last.cast_signed());
            self.connection.prepare_cached("DELETE FROM claims WHERE seq > ?1 AND seq <= ?2")?.execute(params![first, last])?;
            for table in ["observations", "extractions", "pending"] {
                self.connection.prepare_cached(&format!("DELETE FROM {table} WHERE seq = ?1"))?.execute([first])?;
            }
        }
        self.connection.prepare_cached("DELETE FROM beliefs WHERE observation = ?1")?.execute([id.bytes()])?;
        Ok(())
    }

    fn forget_entries(&self, mut gone: BatchEntries) -> Result<(), LedgerError> {
        let families: [(Family, &mut Vec<Entry>); 3] =
            [(Family::Ids, &mut gone.ids), (Family::Ends, &mut gone.ends), (Family::Keys, &mut gone.keys)];
        families.into_iter().try_for_each(|(family, entries)| self.remove_entries(family, entries))?;
        let mut spellings: Vec<Key> = gone.spellings.iter().map(|(key, _)| *key).collect();
        spellings.sort_unstable();
        spellings.dedup();
        self.count_anew(&spellings)
    }

    /// Counts the claims that still mention names in these spellings, which are sorted: their numbers, too, would confirm a guess.
    fn count_anew(&self, spellings: &[Key]) -> Result<(), LedgerError> {
        for family in [Family::Spellings, Family::Mentions] {
            let mut gone = Vec::new();
            self.lookup_sorted(family, spellings, &mut gone)?;
            self.remove_entries(family, &mut gone)?;
        }
        let mut found = Vec::new();
        self.lookup_ranges(Family::Ends, &ends_of(spellings), &mut found)?;
        let places: BTreeSet<Seq> = found.into_iter().map(|(_, place)| place).collect();
        let mut left = BatchEntries::default();
        let mut keys = SpellingKeys::default();
        for place in places {
            self.mentions_between(place - 1, place, &mut |_, _, _, term| {
                let key = keys.spelling(term).filter(|key| spellings.binary_search(key).is_ok());
                left.spellings.extend(key.map(|key| (key, place)));
            })?;
        }
        let (spellings, mentions) = left.spelt();
        self.add_segment(Family::Spellings, spellings)?;
        self.add_segment(Family::Mentions, mentions)
    }

    /// The places of the retractions and restorations that name an observation or a claim of it.
    fn beliefs_in(&self, id: ObservationId) -> rusqlite::Result<Vec<Seq>> {
        let mut naming = self.connection.prepare_cached("SELECT seq FROM beliefs WHERE observation = ?1")?;
        let places = naming.query_map([id.bytes()], |row| row.get::<_, i64>(0).map(i64::cast_unsigned))?;
        places.collect()
    }

    fn add_erasure(&self, place: Seq, observations: u64, emptied: &[Seq]) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("INSERT INTO erasures (seq, observations) VALUES (?1, ?2)")?
            .execute(params![place.cast_signed(), observations.cast_signed()])?;
        let mut note = self.connection.prepare_cached("INSERT INTO erased_places (erasure, seq) VALUES (?1, ?2)")?;
        for gone in emptied {
            note.execute(params![place.cast_signed(), gone.cast_signed()])?;
        }
        Ok(())
    }

    /// Whether an erasure removed records whose bytes may still be there.
    pub(super) fn scrub_pending(&self) -> Result<bool, LedgerError> {
        Ok(self.meta(meta::SCRUB_PENDING)?.is_some_and(|pending| pending != scrub::DONE))
    }

    /// Removes what erased records may have left in the files: writes the file anew from what is there, and empties the
    /// write-ahead file. Waits for others for `patience` in all, whatever they hold up.
    ///
    /// Zeroed rows (`secure_delete`) are not enough: when pages are balanced, copies of rows can stay in the unused middle
    /// of a page, out of reach of a later deletion.
    pub(super) fn scrub(&self, patience: Duration) -> Result<(), LedgerError> {
        let incomplete = |reason: String| LedgerError::ErasureIncomplete { path: self.path.clone(), reason };
        let mut rounds = u32::try_from(patience.as_millis() / ROUND.as_millis()).unwrap_or(u32::MAX);
        self.reach(WritePoint::BeforeScrub);
        if self.meta(meta::SCRUB_PENDING)? != Some(scrub::REWRITTEN) {
            let rewrite = |store: &Self| store.connection.execute_batch("VACUUM").map(|()| true);
            self.insist(&mut rounds, rewrite).map_err(|error| incomplete(error.to_string()))?;
            // So that whoever completes this has not to write it all once more.
            self.insist(&mut rounds, |store| store.mark_scrub(scrub::REWRITTEN)).map_err(|error| incomplete(error.to_string()))?;
        }
        self.reach(WritePoint::BeforeCheckpoint);
        // Copies what can be copied without waiting; what follows waits for readers.
        self.checkpoint("PASSIVE").map_err(|error| incomplete(self.fail(&error).to_string()))?;
        self.reach(WritePoint::HalfCheckpointed);
        let emptied = self.insist(&mut rounds, |store| store.checkpoint("TRUNCATE")).map_err(|error| incomplete(error.to_string()))?;
        if !emptied {
            return Err(incomplete("another reader or writer holds an older state".to_owned()));
        }
        self.insist(&mut rounds, |store| store.mark_scrub(scrub::DONE)).map_err(|error| incomplete(error.to_string()))?;
        Ok(())
    }

    fn mark_scrub(&self, mark: i64) -> rusqlite::Result<bool> {
        let mut set = self.connection.prepare_cached("INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)")?;
        set.execute(params![meta::SCRUB_PENDING, mark]).map(|_rows| true)
    }

    /// Tries what `SQLite` gives up at once, instead of waiting, where another process writes or copies at the same time: again
    /// and again, until the rounds are used up. Says whether it came to its end.
    fn insist(&self, rounds: &mut u32, attempt: impl Fn(&Self) -> rusqlite::Result<bool>) -> Result<bool, LedgerError> {
        self.with_patience(ROUND.saturating_sub(NAP), |store| {
            loop {
                match attempt(store) {
                    Ok(true) => return Ok(true),
                    Ok(false) if *rounds == 0 => return Ok(false),
                    Ok(false) => {}
                    Err(error) if *rounds > 0 && error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {}
                    Err(error) => return Err(store.fail(&error)),
                }
                *rounds -= 1;
                std::thread::sleep(NAP);
            }
        })
    }

    /// Whether a checkpoint of this kind came to its end.
    fn checkpoint(&self, kind: &str) -> rusqlite::Result<bool> {
        self.connection.query_row(&format!("PRAGMA wal_checkpoint({kind})"), [], |row| row.get::<_, i64>(0)).map(|busy| busy == 0)
    }
}
