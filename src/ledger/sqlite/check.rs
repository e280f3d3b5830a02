//! Looking for damage: what `verify` asks of a ledger. Knows the invariants of docs/FORMAT.md, repairs nothing.

use super::index::{Entry, Family};
use super::records::identity_of;
use super::store::Store;
use super::write::BatchEntries;
use crate::ledger::{LedgerError, Seq, StoredRecord, Unions};
use std::collections::BTreeMap;

/// So many rows of one sort are named; the rest is counted.
const NAMED: usize = 5;

impl Store {
    pub(super) fn check(&self, sink: &mut dyn FnMut(StoredRecord)) -> Result<Vec<String>, LedgerError> {
        self.reading(|| {
            let mut problems = Vec::new();
            self.texts("PRAGMA integrity_check", &mut |line| {
                if line != "ok" {
                    problems.push(format!("the file is damaged: {line}"));
                }
            })?;
            // A damaged file makes every further question pointless.
            if problems.is_empty() {
                self.check_sequence(&mut problems)?;
                self.check_contents(&mut problems, sink)?;
                self.check_index(&mut problems)?;
                if self.scrub_pending()? {
                    problems.push("an erasure is incomplete: text may remain in the files until it is repeated".to_owned());
                }
            }
            Ok(problems)
        })
    }

    fn texts(&self, sql: &str, sink: &mut dyn FnMut(&str)) -> Result<(), LedgerError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                sink(row.get_ref(0)?.as_str()?);
            }
            Ok(())
        };
        let result = read();
        result.map_err(|error| self.fail(&error))
    }

    /// Adds a problem for each sort of row that should not be.
    fn check_sequence(&self, problems: &mut Vec<String>) -> Result<(), LedgerError> {
        let questions = [
            (
                "commits out of order, or overlapping",
                "SELECT CAST(seq AS TEXT) FROM (SELECT seq, last_seq, tx, lag(last_seq) OVER (ORDER BY seq) AS before_seq, \
                 lag(tx) OVER (ORDER BY seq) AS before_tx FROM commits) WHERE seq < 1 OR last_seq < seq OR seq <= before_seq OR tx <= before_tx",
            ),
            (
                "claims without their observation, or out of their place",
                "SELECT CAST(c.seq AS TEXT) FROM claims c LEFT JOIN observations o ON o.seq = c.observation \
                 WHERE o.seq IS NULL OR c.seq <> c.observation + c.ordinal + 1 AND NOT EXISTS (SELECT 1 FROM extractions e \
                 WHERE e.seq = (SELECT max(seq) FROM extractions WHERE seq < c.seq) AND e.observation = c.observation \
                 AND c.seq <= e.seq + e.claims AND c.ordinal = e.first + c.seq - e.seq - 1)",
            ),
            (
                "extractions without their observation, or whose claims do not go on after those before them",
                "SELECT CAST(seq AS TEXT) FROM (SELECT e.seq, e.observation, e.first, o.seq AS of, \
                 lag(e.first + e.claims) OVER (PARTITION BY e.observation ORDER BY e.seq) AS next \
                 FROM extractions e LEFT JOIN observations o ON o.seq = e.observation) x WHERE of IS NULL OR next <> first OR next IS NULL \
                 AND (EXISTS (SELECT 1 FROM claims c WHERE c.seq = of + first + 1 AND c.observation = of AND c.ordinal = first) \
                 OR first > 0 AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.seq = of + first AND c.observation = of))",
            ),
            (
                "extractions of observations that did not wait for one, or no longer",
                "SELECT CAST(e.seq AS TEXT) FROM extractions e WHERE e.observation NOT IN (SELECT seq FROM pending) OR EXISTS \
                 (SELECT 1 FROM extractions b WHERE b.observation = e.observation AND b.seq < e.seq AND b.failure IS NULL)",
            ),
            (
                "observations that are said to wait and do not, or the other way round",
                "SELECT CAST(p.seq AS TEXT) FROM pending p WHERE p.seq NOT IN (SELECT seq FROM observations) OR p.waits = \
                 EXISTS (SELECT 1 FROM extractions e WHERE e.observation = p.seq AND e.failure IS NULL)",
            ),
            (
                "records of two sorts at one place",
                "SELECT CAST(seq AS TEXT) FROM (SELECT seq FROM beliefs UNION ALL SELECT seq FROM policies UNION ALL SELECT seq FROM erasures \
                 UNION ALL SELECT seq FROM merges UNION ALL SELECT seq FROM settings UNION ALL SELECT seq FROM extractions) r \
                 WHERE seq IN (SELECT seq FROM observations) OR seq IN (SELECT seq FROM claims) GROUP BY seq \
                 UNION ALL SELECT CAST(seq AS TEXT) FROM observations WHERE seq IN (SELECT seq FROM claims) \
                 UNION ALL SELECT CAST(seq AS TEXT) FROM (SELECT seq FROM beliefs UNION ALL SELECT seq FROM policies \
                 UNION ALL SELECT seq FROM erasures UNION ALL SELECT seq FROM merges UNION ALL SELECT seq FROM settings \
                 UNION ALL SELECT seq FROM extractions) r GROUP BY seq HAVING count(*) > 1",
            ),
            (
                "records that no commit holds",
                "SELECT CAST(r.seq AS TEXT) FROM (SELECT seq FROM observations UNION ALL SELECT seq FROM claims UNION ALL SELECT seq FROM beliefs \
                 UNION ALL SELECT seq FROM policies UNION ALL SELECT seq FROM erasures UNION ALL SELECT seq FROM merges \
                 UNION ALL SELECT seq FROM settings UNION ALL SELECT seq FROM extractions) r \
                 WHERE r.seq > coalesce((SELECT last_seq FROM commits WHERE seq <= r.seq ORDER BY seq DESC LIMIT 1), 0)",
            ),
            (
                "retractions that name nothing recorded",
                "SELECT CAST(seq AS TEXT) FROM beliefs WHERE observation NOT IN (SELECT id FROM observations)",
            ),
        ];
        for (what, sql) in questions {
            let mut places = Vec::new();
            self.texts(sql, &mut |place| places.push(place.to_owned()))?;
            if !places.is_empty() {
                problems.push(format!("{what}: {} ({})", places.len(), some_of(&places)));
            }
        }
        Ok(())
    }

    /// Reads every record in full, and looks for places without one.
    fn check_contents(&self, problems: &mut Vec<String>, sink: &mut dyn FnMut(StoredRecord)) -> Result<(), LedgerError> {
        let mut empty: Vec<(Seq, Seq)> = Vec::new();
        let mut unions: Unions<String> = Unions::default();
        let mut unfit: Vec<String> = Vec::new();
        let mut last = 0;
        let mut pass = |to: Seq| {
            if last + 1 < to {
                empty.push((last + 1, to - 1));
            }
            last = to;
        };
        let read = self.export_here(&mut |record| {
            pass(record.seq());
            match &record {
                StoredRecord::Observation(stored) => stored.claims.iter().for_each(|(place, ..)| pass(*place)),
                StoredRecord::Extraction(stored) => (stored.seq + 1..=record.last_seq()).for_each(&mut pass),
                StoredRecord::Merge { seq, from, into, merged, .. } => {
                    let (from, into) = (identity_of(from.as_ref()), identity_of(into.as_ref()));
                    let fits = if *merged { unions.merge(from, into) } else { unions.unmerge(&from, &into) };
                    if fits.is_err() {
                        unfit.push(seq.to_string());
                    }
                }
                StoredRecord::Belief { .. } | StoredRecord::Policy { .. } | StoredRecord::Erasure { .. } | StoredRecord::Setting { .. } => {
                }
            }
            sink(record);
            Ok(())
        });
        match read {
            Ok(()) => pass(self.position()?.seq.saturating_add(1)),
            Err(LedgerError::DamagedRecord { seq, reason, .. }) => problems.push(format!("record {seq} cannot be read: {reason}")),
            Err(other) => return Err(other),
        }
        if !unfit.is_empty() {
            problems.push(format!("merges that do not fit those before them: {} ({})", unfit.len(), some_of(&unfit)));
        }
        let lost = self.not_erased(&empty)?;
        if !lost.is_empty() {
            let count: u64 = lost.iter().map(|(from, to)| to - from + 1).sum();
            let places: Vec<String> =
                lost.iter().map(|(from, to)| if from == to { from.to_string() } else { format!("{from} to {to}") }).collect();
            problems.push(format!("places without a record, which no erasure emptied: {count} ({})", some_of(&places)));
        }
        Ok(())
    }

    /// What of these stretches of places no erasure explains.
    fn not_erased(&self, empty: &[(Seq, Seq)]) -> Result<Vec<(Seq, Seq)>, LedgerError> {
        if empty.is_empty() {
            return Ok(Vec::new());
        }
        // An import knows that there was an erasure and not which places it emptied: any before it may be.
        let unnamed = self.places(
            "SELECT coalesce(max(seq), 0), 0 FROM erasures e WHERE NOT EXISTS (SELECT 1 FROM erased_places p WHERE p.erasure = e.seq)",
        )?;
        let unnamed = unnamed.first().map_or(0, |(seq, _)| *seq);
        // The first versions noted the places of observations only: those of their claims follow.
        let erased: BTreeMap<Seq, u64> = self
            .places(
                "SELECT p.seq, e.observations = (SELECT count(*) FROM erased_places o WHERE o.erasure = e.seq) \
                 FROM erased_places p JOIN erasures e ON e.seq = p.erasure",
            )?
            .into_iter()
            .collect();
        let mut lost = Vec::new();
        for (from, to) in empty {
            let mut next = (*from).max(unnamed);
            let mut goes_on = false;
            for (place, with_claims) in erased.range(next.min(*to)..=*to) {
                if !goes_on && next < *place {
                    lost.push((next, place - 1));
                }
                (next, goes_on) = (place + 1, *with_claims != 0);
            }
            if !goes_on && next <= *to {
                lost.push((next, *to));
            }
        }
        Ok(lost)
    }

    fn places(&self, sql: &str) -> Result<Vec<(Seq, u64)>, LedgerError> {
        let read = || {
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, i64>(1)?.cast_unsigned())))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.fail(&error))
    }

    fn check_index(&self, problems: &mut Vec<String>) -> Result<(), LedgerError> {
        let indexed_to = self.indexed_to()?;
        let mut expected = BatchEntries::default();
        match self.read_entries(0, indexed_to, &mut expected) {
            // Already reported by the reading in full.
            Err(LedgerError::DamagedRecord { .. }) => return Ok(()),
            other => other?,
        }
        let last = self.position()?.seq;
        if indexed_to > last {
            problems.push(format!("the index goes up to {indexed_to}, the ledger to {last}"));
        }
        let (mut spellings, mut mentions) = expected.spelt();
        for family in Family::ALL {
            let wanted = match family {
                Family::Ids => &mut expected.ids,
                Family::Ends => &mut expected.ends,
                Family::Keys => &mut expected.keys,
                Family::Spellings => &mut spellings,
                Family::Mentions => &mut mentions,
            };
            let mut found = Vec::new();
            let mut before = Entry::default();
            let mut unsorted = 0_usize;
            self.every_entry(family, &mut |entry| {
                unsorted += usize::from(before > entry && found.last() == Some(&before));
                before = entry;
                found.push(entry);
            })?;
            wanted.sort_unstable();
            family.reduce(wanted);
            found.sort_unstable();
            if matches!(family, Family::Spellings | Family::Mentions) {
                family.reduce(&mut found);
            }
            let missing = places_lacking(wanted, &found);
            let excess = places_lacking(&found, wanted);
            for (what, places) in [("lacks", missing), ("has too much", excess)] {
                if !places.is_empty() {
                    problems.push(format!("the index of {family:?} {what}: {} ({})", places.len(), some_of(&places)));
                }
            }
            if found.windows(2).any(|pair| pair.first() == pair.last()) {
                problems.push(format!("the index of {family:?} has an entry twice"));
            }
        }
        self.check_duplicates(&expected.ids, problems)
    }

    /// Adds a problem where two observations have one id.
    fn check_duplicates(&self, sorted: &[Entry], problems: &mut Vec<String>) -> Result<(), LedgerError> {
        for group in sorted.chunk_by(|(left, _), (right, _)| left == right).filter(|group| group.len() > 1) {
            let mut ids = Vec::new();
            for (_, place) in group {
                ids.push(self.id_at(*place).map_err(|error| self.unreadable(error, *place))?);
            }
            ids.sort_unstable();
            if let Some(twice) = ids.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first()) {
                problems.push(format!("the observation {twice} is recorded twice"));
            }
        }
        Ok(())
    }
}

/// The places of entries of one sorted list that another lacks.
fn places_lacking(entries: &[Entry], other: &[Entry]) -> Vec<String> {
    entries.iter().filter(|entry| other.binary_search(entry).is_err()).map(|(_, place): &(_, Seq)| place.to_string()).collect()
}

fn some_of(places: &[String]) -> String {
    let named = places.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if places.len() > NAMED { format!("{named}, …") } else { named }
}
