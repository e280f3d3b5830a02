//! The index segments: sorted runs of (number, place) pairs in small blocks, merged level by level.
//!
//! Records are found by the numbers of `key` without a tree that every insert would have to touch at random: records up to
//! a place, the indexed end, stand in sorted segments; the few after it are read through. Knows what a number is, not of what.

use super::schema::meta;
use super::store::Store;
use super::write::BatchEntries;
use crate::ledger::key::{KEY_VERSION, Key};
use crate::ledger::{LedgerError, Seq};
use rusqlite::{OptionalExtension, Row, params};
use std::ops::ControlFlow;

/// What a segment's numbers are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Observations by id.
    Ids = 0,
    /// Claims by head and tail.
    Ends = 1,
    /// Observations by the source's key.
    Keys = 2,
    /// For each spelling of a name, a claim that mentions it so: of a segment's claims the first.
    Spellings = 3,
    /// For each spelling of a name, how often a segment's claims mention it so, where the others have a place.
    Mentions = 4,
}

impl Family {
    /// All of them.
    pub(super) const ALL: [Self; 5] = [Self::Ids, Self::Ends, Self::Keys, Self::Spellings, Self::Mentions];

    const fn column(self) -> i64 {
        match self {
            Self::Ids => 0,
            Self::Ends => 1,
            Self::Keys => 2,
            Self::Spellings => 3,
            Self::Mentions => 4,
        }
    }

    /// Makes one entry of those that say the same of one number; the entries are sorted.
    pub(super) fn reduce(self, sorted: &mut Vec<Entry>) {
        match self {
            Self::Ids | Self::Ends | Self::Keys => sorted.dedup(),
            Self::Spellings => sorted.dedup_by_key(|(key, _)| *key),
            Self::Mentions => sorted.dedup_by(|(key, count), (before, sum)| {
                let same = key == before;
                if same {
                    *sum += *count;
                }
                same
            }),
        }
    }
}

/// A number and the place of the record that has it.
pub(super) type Entry = (Key, Seq);

/// As many records may follow the indexed end before they are folded into segments.
pub(super) const FOLD_AT: u64 = 1024;
/// Entries of a block. Four blocks fill a page of 4096 bytes without overflow.
const BLOCK: usize = 64;
/// Bytes of an entry: a number of 8 and a place of 6, both big-endian.
const ENTRY_BYTES: usize = 14;
/// As many entries are read through in the time of one search.
const SEEK_COSTS: u64 = 500;
/// So many segments of a level become one of the next.
const FAN: usize = 8;
/// Segments with this many entries are merged no more, which bounds the longest write.
const LARGEST_MERGED: u64 = 1 << 19;

/// The level of a segment: 0 below 8,192 entries, one more for each factor of [`FAN`].
fn level(entries: u64) -> u32 {
    entries.max(1).ilog2().saturating_sub(10) / 3
}

fn push(block: &mut Vec<u8>, (key, seq): Entry) {
    block.extend_from_slice(&key.to_be_bytes());
    let [_, _, place @ ..] = seq.to_be_bytes();
    block.extend_from_slice(&place);
}

/// The entries of a block; the rest of a damaged one is passed over (`check` finds it).
fn entries(block: &[u8]) -> impl Iterator<Item = Entry> + '_ {
    block.chunks_exact(ENTRY_BYTES).filter_map(|bytes| {
        let (key, place) = bytes.split_first_chunk::<8>()?;
        let mut seq = [0; 8];
        seq.get_mut(2..)?.copy_from_slice(place);
        Some((Key::from_be_bytes(*key), Seq::from_be_bytes(seq)))
    })
}

fn blob<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<&'r [u8]> {
    Ok(row.get_ref(column)?.as_blob()?)
}

impl Store {
    /// The place up to which records are indexed.
    pub(super) fn indexed_to(&self) -> Result<Seq, LedgerError> {
        if self.index_is_foreign {
            return Ok(0);
        }
        Ok(self.meta(meta::INDEXED_TO)?.unwrap_or(0).cast_unsigned())
    }

    fn segments(&self, family: Family) -> Result<Vec<(i64, u64)>, LedgerError> {
        if self.index_is_foreign {
            return Ok(Vec::new());
        }
        let read = || {
            let mut statement =
                self.connection.prepare_cached("SELECT segment, entries FROM index_segments WHERE family = ?1 ORDER BY segment")?;
            let rows = statement.query_map([family.column()], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.fail(&error))
    }

    /// Adds the places whose numbers lie in `[low, high]`, from the segments only, in no order.
    ///
    /// # Complexity
    /// Logarithmic in the entries, times the number of segments, plus the places added.
    pub(super) fn lookup(&self, family: Family, low: Key, high: Key, found: &mut Vec<Seq>) -> Result<(), LedgerError> {
        self.lookup_until(family, low, high, &mut |(_, seq)| {
            found.push(seq);
            ControlFlow::Continue(())
        })
    }

    /// Gives the entries whose numbers lie in `[low, high]`, from the segments only, until the sink breaks off.
    pub(super) fn lookup_until(
        &self,
        family: Family,
        low: Key,
        high: Key,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<(), LedgerError> {
        for (segment, _) in self.segments(family)? {
            if self.lookup_in(segment, low, high, sink).map_err(|error| self.fail(&error))?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn lookup_in(
        &self,
        segment: i64,
        low: Key,
        high: Key,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> rusqlite::Result<ControlFlow<()>> {
        let mut take = |block: &[u8]| entries(block).filter(|(key, _)| (low..=high).contains(key)).try_for_each(&mut *sink);
        // The block that begins before `low` may reach into the range; the others begin inside it.
        let mut before = self.connection.prepare_cached(
            "SELECT entries FROM index_blocks WHERE segment = ?1 AND first_key < ?2 ORDER BY first_key DESC, first_seq DESC LIMIT 1",
        )?;
        let mut rows = before.query(params![segment, low])?;
        if let Some(row) = rows.next()?
            && take(blob(row, 0)?).is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        let mut inside = self.connection.prepare_cached(
            "SELECT entries FROM index_blocks WHERE segment = ?1 AND first_key BETWEEN ?2 AND ?3 ORDER BY first_key, first_seq",
        )?;
        let mut rows = inside.query(params![segment, low, high])?;
        while let Some(row) = rows.next()? {
            if take(blob(row, 0)?).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Adds the entries whose numbers lie in one of these ranges (both ends included), which are sorted and do not overlap; from
    /// the segments only.
    ///
    /// # Complexity
    /// As that many lookups, or linear in the entries, whichever is less.
    pub(super) fn lookup_ranges(&self, family: Family, ranges: &[(Key, Key)], found: &mut Vec<Entry>) -> Result<(), LedgerError> {
        for (segment, entries) in self.segments(family)? {
            if ranges.len() as u64 * SEEK_COSTS > entries {
                let mut rest = ranges;
                let mut take = |entry: Entry| {
                    while rest.first().is_some_and(|(_, high)| *high < entry.0) {
                        rest = rest.get(1..).unwrap_or_default();
                    }
                    if rest.first().is_some_and(|(low, _)| *low <= entry.0) {
                        found.push(entry);
                    }
                };
                self.every_entry_of(segment, &mut take).map_err(|error| self.fail(&error))?;
                continue;
            }
            for (low, high) in ranges {
                let mut take = |entry: Entry| {
                    found.push(entry);
                    ControlFlow::Continue(())
                };
                self.lookup_in(segment, *low, *high, &mut take).map_err(|error| self.fail(&error)).map(|_whole| ())?;
            }
        }
        Ok(())
    }

    /// Adds the entries that have one of these sorted numbers, from the segments only.
    ///
    /// # Complexity
    /// As [`Store::lookup_ranges`].
    pub(super) fn lookup_sorted(&self, family: Family, numbers: &[Key], found: &mut Vec<Entry>) -> Result<(), LedgerError> {
        let mut ranges: Vec<(Key, Key)> = numbers.iter().map(|number| (*number, *number)).collect();
        ranges.dedup();
        self.lookup_ranges(family, &ranges, found)
    }

    /// Gives every entry of the family's segments, sorted within each segment.
    pub(super) fn every_entry(&self, family: Family, sink: &mut dyn FnMut(Entry)) -> Result<(), LedgerError> {
        for (segment, _) in self.segments(family)? {
            self.every_entry_of(segment, sink).map_err(|error| self.fail(&error))?;
        }
        Ok(())
    }

    fn every_entry_of(&self, segment: i64, sink: &mut dyn FnMut(Entry)) -> rusqlite::Result<()> {
        let mut statement =
            self.connection.prepare_cached("SELECT entries FROM index_blocks WHERE segment = ?1 ORDER BY first_key, first_seq")?;
        let mut rows = statement.query([segment])?;
        while let Some(row) = rows.next()? {
            entries(blob(row, 0)?).for_each(&mut *sink);
        }
        Ok(())
    }

    /// Writes entries as a segment, and merges what has become too many. In the caller's transaction.
    pub(super) fn add_segment(&self, family: Family, mut entries: Vec<Entry>) -> Result<(), LedgerError> {
        if entries.is_empty() {
            return Ok(());
        }
        entries.sort_unstable();
        family.reduce(&mut entries);
        self.write_segment(family, &entries).map_err(|error| self.fail(&error))?;
        let mut added = level(entries.len() as u64);
        loop {
            let peers: Vec<i64> = self
                .segments(family)?
                .into_iter()
                .filter(|(_, entries)| level(*entries) == added && *entries < LARGEST_MERGED)
                .map(|(segment, _)| segment)
                .collect();
            if peers.len() < FAN {
                return Ok(());
            }
            let merged = self.merge(family, &peers).map_err(|error| self.fail(&error))?;
            added = level(merged);
        }
    }

    fn merge(&self, family: Family, segments: &[i64]) -> rusqlite::Result<u64> {
        let mut all = Vec::new();
        for segment in segments {
            self.every_entry_of(*segment, &mut |entry| all.push(entry))?;
            self.connection.prepare_cached("DELETE FROM index_blocks WHERE segment = ?1")?.execute([segment])?;
            self.connection.prepare_cached("DELETE FROM index_segments WHERE segment = ?1")?.execute([segment])?;
        }
        all.sort_unstable();
        family.reduce(&mut all);
        self.write_segment(family, &all)?;
        Ok(all.len() as u64)
    }

    fn write_segment(&self, family: Family, sorted: &[Entry]) -> rusqlite::Result<()> {
        let mut add = self.connection.prepare_cached(
            "INSERT INTO index_segments (segment, family, entries) VALUES (coalesce((SELECT max(segment) FROM index_segments), 0) + 1, ?1, ?2)",
        )?;
        add.execute(params![family.column(), (sorted.len() as u64).cast_signed()])?;
        let segment = self.connection.last_insert_rowid();
        let mut insert =
            self.connection.prepare_cached("INSERT INTO index_blocks (segment, first_key, first_seq, entries) VALUES (?1, ?2, ?3, ?4)")?;
        let mut block = Vec::with_capacity(BLOCK * ENTRY_BYTES);
        for chunk in sorted.chunks(BLOCK) {
            block.clear();
            for entry in chunk {
                push(&mut block, *entry);
            }
            if let Some((key, seq)) = chunk.first() {
                insert.execute(params![segment, key, seq.cast_signed(), block.as_slice()])?;
            }
        }
        Ok(())
    }

    /// Takes entries out of the segments. In the caller's transaction.
    pub(super) fn remove_entries(&self, family: Family, gone: &mut Vec<Entry>) -> Result<(), LedgerError> {
        gone.sort_unstable();
        gone.dedup();
        for (segment, _) in self.segments(family)? {
            self.remove_entries_of(segment, gone).map_err(|error| self.fail(&error))?;
        }
        Ok(())
    }

    fn remove_entries_of(&self, segment: i64, gone: &[Entry]) -> rusqlite::Result<()> {
        let mut find = self.connection.prepare_cached(
            "SELECT first_key, first_seq, entries FROM index_blocks WHERE segment = ?1 AND (first_key, first_seq) <= (?2, ?3) \
             ORDER BY first_key DESC, first_seq DESC LIMIT 1",
        )?;
        let mut delete =
            self.connection.prepare_cached("DELETE FROM index_blocks WHERE segment = ?1 AND first_key = ?2 AND first_seq = ?3")?;
        let mut insert =
            self.connection.prepare_cached("INSERT INTO index_blocks (segment, first_key, first_seq, entries) VALUES (?1, ?2, ?3, ?4)")?;
        let mut removed = 0_usize;
        let mut kept: Vec<Entry> = Vec::new();
        for entry in gone {
            let found = find
                .query_row(params![segment, entry.0, entry.1.cast_signed()], |row| {
                    kept.clear();
                    kept.extend(entries(blob(row, 2)?));
                    Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
                })
                .optional()?;
            let Some((first_key, first_seq)) = found else { continue };
            let before = kept.len();
            // All that are to go from this block go at once; the later ones are then not found again.
            kept.retain(|kept| gone.binary_search(kept).is_err());
            if kept.len() == before {
                continue;
            }
            removed += before - kept.len();
            delete.execute(params![segment, first_key, first_seq])?;
            if let Some((key, seq)) = kept.first() {
                let mut block = Vec::with_capacity(kept.len() * ENTRY_BYTES);
                for entry in &kept {
                    push(&mut block, *entry);
                }
                insert.execute(params![segment, key, seq.cast_signed(), block])?;
            }
        }
        if removed > 0 {
            let mut count = self.connection.prepare_cached("UPDATE index_segments SET entries = entries - ?2 WHERE segment = ?1")?;
            count.execute(params![segment, (removed as u64).cast_signed()])?;
            self.connection.prepare_cached("DELETE FROM index_segments WHERE segment = ?1 AND entries <= 0")?.execute([segment])?;
        }
        Ok(())
    }

    /// Makes the index anew, under this program's numbers. In the caller's transaction.
    pub(super) fn reindex(&self) -> Result<(), LedgerError> {
        self.execute("DELETE FROM index_blocks")?;
        self.execute("DELETE FROM index_segments")?;
        self.set_meta(meta::KEY_VERSION, KEY_VERSION)?;
        let last = self.position()?.seq;
        self.fold(0, last, BatchEntries::default(), last)
    }
}
