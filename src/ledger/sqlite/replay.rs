//! Reading records in sequence: all from a place on, or a slice of them. Knows no projection.

use super::codec::Unreadable;
use super::index::Family;
use super::rows::{
    BELIEF, CLAIM, ERASURE, EXTRACTION, MERGE, OBSERVATION, POLICY, SETTING, Stretch, belief_row, claim_id, claim_observation, claim_row,
    erasure_row, merge_row, observation_row, policy_row, seq, setting_row,
};
use super::store::Store;
use crate::ledger::contract::{Position, SliceKey};
use crate::ledger::key::{ClaimKeys, Key, RelationKey};
use crate::ledger::{LedgerError, RecordRow, Seq};
use crate::model::{ClaimId, ObservationId};
use crate::time::Instant;
use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::{CachedStatement, OptionalExtension, Row, Rows, params};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// So many places are looked at one by one.
const FEW: usize = 256;

/// Takes a row and tells whether to go on.
type RowSink<'a> = dyn FnMut(RecordRow<'_>) -> ControlFlow<()> + 'a;

/// One table's rows in sequence, the next one at hand.
pub(super) struct Cursor<'s> {
    rows: Rows<'s>,
    /// The next row's place; `Seq::MAX` at the end.
    pub(super) next: Seq,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(statement: &'s mut CachedStatement<'_>, from: Seq) -> Result<Self, Unreadable> {
        let mut cursor = Self { rows: statement.query([from.min(i64::MAX.cast_unsigned()).cast_signed()])?, next: 0 };
        cursor.advance()?;
        Ok(cursor)
    }

    #[inline]
    pub(super) fn advance(&mut self) -> Result<(), Unreadable> {
        self.next = match self.rows.next()? {
            Some(row) => seq(row)?,
            None => Seq::MAX,
        };
        Ok(())
    }

    pub(super) fn row(&self) -> Result<&Row<'s>, Unreadable> {
        self.rows.get().ok_or_else(|| Unreadable::Value("the row at hand is gone".to_owned()))
    }
}

/// Tells the transaction time of places asked for in rising order.
pub(super) struct TxCursor<'s> {
    rows: Rows<'s>,
    /// The last place of the commit at hand.
    through: Seq,
    tx: Instant,
}

impl<'s> TxCursor<'s> {
    /// The statement that a cursor reads: commits from the one that holds a place on.
    pub(super) const SQL: &'static str = "SELECT seq, last_seq, tx FROM commits WHERE last_seq >= ?1 AND seq >= \
        coalesce((SELECT max(seq) FROM commits WHERE seq <= ?1), 0) ORDER BY seq";

    pub(super) fn new(statement: &'s mut CachedStatement<'_>, from: Seq) -> Result<Self, Unreadable> {
        let rows = statement.query([from.min(i64::MAX.cast_unsigned()).cast_signed()])?;
        Ok(Self { rows, through: 0, tx: Instant::DISTANT_PAST })
    }

    #[inline]
    pub(super) fn at(&mut self, place: Seq) -> Result<Instant, Unreadable> {
        while self.through < place {
            let Some(row) = self.rows.next()? else {
                return Err(Unreadable::Value(format!("no commit holds the place {place}")));
            };
            self.through = row.get::<_, i64>(1)?.cast_unsigned();
            self.tx = Instant::from_micros(row.get(2)?);
        }
        Ok(self.tx)
    }
}

impl Store {
    /// Runs a reading in one consistent state.
    pub(super) fn reading<T>(&self, work: impl FnOnce() -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        // Rolled back when dropped, whichever way the work ends.
        let begin = || self.connection.unchecked_transaction().map_err(|error| self.fail(&error));
        let mut state = begin()?;
        if self.has_grown()? {
            drop(state);
            self.grow()?;
            state = begin()?;
        }
        let result = work();
        drop(state);
        result
    }

    pub(super) fn unreadable(&self, error: Unreadable, seq: Seq) -> LedgerError {
        error.into_error(&self.path, |error| self.fail(&error), seq)
    }

    /// Gives rows from a place on until the sink breaks off.
    pub(super) fn replay(&self, from: Seq, sink: &mut RowSink<'_>) -> Result<Position, LedgerError> {
        self.reading(|| {
            let position = self.position()?;
            let mut at = from;
            self.replay_rows(from, &mut at, sink).map_err(|error| self.unreadable(error, at))?;
            Ok(position)
        })
    }

    fn replay_rows(&self, from: Seq, at: &mut Seq, sink: &mut RowSink<'_>) -> Result<(), Unreadable> {
        let statement = |columns: &str, table: &str| {
            self.connection.prepare_cached(&format!("SELECT {columns} FROM {table} WHERE seq >= ?1 ORDER BY seq"))
        };
        let mut observations = statement(OBSERVATION, "observations")?;
        let mut claims = statement(CLAIM, "claims")?;
        let mut beliefs = statement(BELIEF, "beliefs")?;
        let mut policies = statement(POLICY, "policies")?;
        let mut erasures = statement(ERASURE, "erasures")?;
        let mut merges = statement(MERGE, "merges")?;
        let mut settings = statement(SETTING, "settings")?;
        let mut extractions = statement(EXTRACTION, "extractions")?;
        let mut commits = self.connection.prepare_cached(TxCursor::SQL)?;
        let mut observations = Cursor::new(&mut observations, from)?;
        let mut claims = Cursor::new(&mut claims, from)?;
        let mut beliefs = Cursor::new(&mut beliefs, from)?;
        let mut policies = Cursor::new(&mut policies, from)?;
        let mut erasures = Cursor::new(&mut erasures, from)?;
        let mut merges = Cursor::new(&mut merges, from)?;
        let mut settings = Cursor::new(&mut settings, from)?;
        let mut extractions = Cursor::new(&mut extractions, from)?;
        let mut tx = TxCursor::new(&mut commits, from)?;
        // The observation last given: its claims follow it.
        let mut last: Option<(Seq, ObservationId)> = None;
        // The extraction last given: its claims follow it.
        let mut late = self.stretch_before(from)?;
        loop {
            let rare = beliefs.next.min(policies.next).min(erasures.next).min(merges.next).min(settings.next).min(extractions.next);
            let next = rare.min(observations.next).min(claims.next);
            if next == Seq::MAX {
                return Ok(());
            }
            *at = next;
            let when = tx.at(next)?;
            let flow = if claims.next == next {
                let row = claims.row()?;
                let of = claim_observation(row)?;
                let id = match last {
                    Some((seq, id)) if seq == of => id,
                    _ => self.id_at(of)?,
                };
                last = Some((of, id));
                let id = match late.and_then(|late| late.ordinal(next)) {
                    Some(ordinal) => ClaimId { observation: id, ordinal },
                    None => claim_id(next, (of, id))?,
                };
                let flow = sink(claim_row(row, next, when, id)?);
                claims.advance()?;
                flow
            } else if observations.next == next {
                let row = observation_row(observations.row()?, when)?;
                if let RecordRow::Observation { id, .. } = row {
                    last = Some((next, id));
                }
                let flow = sink(row);
                observations.advance()?;
                flow
            } else if beliefs.next == next {
                let flow = sink(belief_row(beliefs.row()?, when)?);
                beliefs.advance()?;
                flow
            } else if policies.next == next {
                let flow = sink(policy_row(policies.row()?, when)?);
                policies.advance()?;
                flow
            } else if erasures.next == next {
                let flow = sink(erasure_row(erasures.row()?, when)?);
                erasures.advance()?;
                flow
            } else if merges.next == next {
                let flow = sink(merge_row(merges.row()?, when)?);
                merges.advance()?;
                flow
            } else if settings.next == next {
                let flow = sink(setting_row(settings.row()?, when)?);
                settings.advance()?;
                flow
            } else {
                let stretch = Stretch::of(extractions.row()?)?;
                late = Some(stretch);
                let flow = sink(RecordRow::Extraction { seq: next, tx: when, observation: self.id_at(stretch.observation)? });
                extractions.advance()?;
                flow
            };
            if flow.is_break() {
                return Ok(());
            }
        }
    }

    /// The extraction before a place, whose claims may go on there.
    fn stretch_before(&self, from: Seq) -> Result<Option<Stretch>, Unreadable> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT {EXTRACTION} FROM extractions WHERE seq < ?1 ORDER BY seq DESC LIMIT 1"))?;
        let mut rows = statement.query([from.min(i64::MAX.cast_unsigned()).cast_signed()])?;
        rows.next()?.map(Stretch::of).transpose()
    }

    /// The id of the observation at a place.
    pub(super) fn id_at(&self, place: Seq) -> Result<ObservationId, Unreadable> {
        let mut statement = self.connection.prepare_cached("SELECT seq, id FROM observations WHERE seq = ?1")?;
        let mut rows = statement.query([place.cast_signed()])?;
        match rows.next()? {
            Some(row) => super::codec::id(row, 1, "id"),
            None => Err(Unreadable::Value(format!("its observation, at {place}, is not there"))),
        }
    }

    pub(super) fn slice(&self, keys: &[SliceKey], sink: &mut dyn FnMut(RecordRow<'_>)) -> Result<Position, LedgerError> {
        self.reading(|| {
            let position = self.position()?;
            let claims = self.claims_of(keys)?;
            let mut at = 0;
            let plan = self.plan(&claims).map_err(|error| self.unreadable(error, 0))?;
            self.give(&plan, &mut at, sink).map_err(|error| self.unreadable(error, at))?;
            Ok(position)
        })
    }

    /// The places of the claims that fit one of the keys.
    fn claims_of(&self, keys: &[SliceKey]) -> Result<BTreeSet<Seq>, LedgerError> {
        let Wanted { ranges, pairs } = Wanted::of(keys);
        let mut found = Vec::new();
        self.lookup_ranges(Family::Ends, &ranges, &mut found)?;
        let mut places: BTreeSet<Seq> = found.drain(..).map(|(_, place)| place).collect();
        for pair in &pairs {
            self.places_of_pair(*pair, &mut places)?;
        }
        let is_inside = |key: Key| {
            let after = ranges.partition_point(|(low, _)| *low <= key);
            after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, high)| key <= *high)
        };
        // The claims after the indexed end come in order, each with all its numbers.
        let mut numbers: (Seq, Vec<Key>) = (0, Vec::new());
        let ends: BTreeSet<Key> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
        let mut close = |(place, numbers): &mut (Seq, Vec<Key>)| {
            if numbers.len() > 1 && pairs.iter().any(|(one, other)| numbers.contains(one) && numbers.contains(other)) {
                places.insert(*place);
            }
            numbers.clear();
        };
        let mut inside = Vec::new();
        self.ends_between(self.indexed_to()?, i64::MAX.cast_unsigned(), &mut |key, place| {
            if numbers.0 != place {
                close(&mut numbers);
                numbers.0 = place;
            }
            if is_inside(key) {
                inside.push(place);
            }
            if ends.contains(&key) {
                numbers.1.push(key);
            }
        })?;
        close(&mut numbers);
        places.extend(inside);
        Ok(places)
    }

    /// Adds the places of the claims with both numbers, from the segments only.
    fn places_of_pair(&self, (one, other): (Key, Key), places: &mut BTreeSet<Seq>) -> Result<(), LedgerError> {
        let mut most = FEW;
        let (rarer, far) = loop {
            // Whichever end has fewer claims tells how many entries are read.
            if let Some(found) = self.places_at_most(one, most)? {
                break (found, other);
            }
            if let Some(found) = self.places_at_most(other, most)? {
                break (found, one);
            }
            most = most.saturating_mul(8);
        };
        if rarer.len() > FEW {
            let mut at_far = Vec::new();
            self.lookup(Family::Ends, far, far, &mut at_far)?;
            let at_far: BTreeSet<Seq> = at_far.into_iter().collect();
            places.extend(rarer.into_iter().filter(|place| at_far.contains(place)));
            return Ok(());
        }
        for place in rarer {
            let mut is_far = false;
            self.ends_between(place - 1, place, &mut |key, _| is_far |= key == far)?;
            if is_far {
                places.insert(place);
            }
        }
        Ok(())
    }

    /// The places of the claims with a number, from the segments only; `None` if there are more than so many.
    fn places_at_most(&self, number: Key, most: usize) -> Result<Option<Vec<Seq>>, LedgerError> {
        let mut found = Vec::new();
        self.lookup_until(Family::Ends, number, number, &mut |(_, place)| {
            found.push(place);
            if found.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(Some(found).filter(|found| found.len() <= most))
    }

    /// What to give besides the claims found: what corrects them, what they stand in, what names them.
    fn plan(&self, claims: &BTreeSet<Seq>) -> Result<Plan, Unreadable> {
        let mut plan = Plan::default();
        let mut locate = self.connection.prepare_cached(
            "SELECT c.observation, c.ordinal, o.id FROM claims c JOIN observations o ON o.seq = c.observation WHERE c.seq = ?1",
        )?;
        let mut correcting =
            self.connection.prepare_cached("SELECT seq FROM claims WHERE corrects_observation = ?1 AND corrects_ordinal = ?2")?;
        let some = |sql: &str| self.connection.prepare_cached(sql)?.query_row([], |_| Ok(())).optional().map(|found| found.is_some());
        let corrections = some("SELECT 1 FROM claims WHERE corrects_observation IS NOT NULL LIMIT 1")?;
        let beliefs = some("SELECT 1 FROM beliefs LIMIT 1")?;
        let mut located: Vec<(ObservationId, u32)> = Vec::new();
        let mut add = |place: Seq, plan: &mut Plan| -> Result<Option<(ObservationId, u32)>, Unreadable> {
            let mut rows = locate.query([place.cast_signed()])?;
            // An index entry may outlive its claim only in a damaged file; `check` reports that.
            let Some(row) = rows.next()? else { return Ok(None) };
            let observation = row.get::<_, i64>(0)?.cast_unsigned();
            let id = super::codec::id(row, 2, "id")?;
            plan.steps.insert(observation, Step::Observation);
            let ordinal = row.get(1)?;
            plan.steps.insert(place, Step::Claim(ClaimId { observation: id, ordinal }));
            Ok(Some((id, ordinal)))
        };
        for place in claims {
            located.extend(add(*place, &mut plan)?);
        }
        if corrections {
            let mut nth = 0;
            while let Some((id, ordinal)) = located.get(nth).copied() {
                nth += 1;
                let places: Vec<i64> =
                    correcting.query_map(params![id.bytes(), ordinal], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
                for place in places.into_iter().map(i64::cast_unsigned) {
                    if !plan.steps.contains_key(&place) {
                        located.extend(add(place, &mut plan)?);
                    }
                }
            }
        }
        if beliefs {
            let mut naming = self.connection.prepare_cached("SELECT seq, ordinal FROM beliefs WHERE observation = ?1")?;
            located.sort_unstable();
            located.dedup();
            for claims in located.chunk_by(|(left, _), (right, _)| left == right) {
                let Some((id, _)) = claims.first() else { continue };
                let mut rows = naming.query([id.bytes()])?;
                while let Some(row) = rows.next()? {
                    let ordinal: Option<u32> = row.get(1)?;
                    if ordinal.is_none_or(|ordinal| claims.binary_search(&(*id, ordinal)).is_ok()) {
                        plan.steps.insert(seq(row)?, Step::Belief);
                    }
                }
            }
        }
        let mut policies = self.connection.prepare_cached("SELECT seq FROM policies")?;
        let mut rows = policies.query([])?;
        while let Some(row) = rows.next()? {
            plan.steps.insert(seq(row)?, Step::Policy);
        }
        let mut merges = self.connection.prepare_cached("SELECT seq FROM merges")?;
        let mut rows = merges.query([])?;
        while let Some(row) = rows.next()? {
            plan.steps.insert(seq(row)?, Step::Merge);
        }
        Ok(plan)
    }

    fn give(&self, plan: &Plan, at: &mut Seq, sink: &mut dyn FnMut(RecordRow<'_>)) -> Result<(), Unreadable> {
        let statement =
            |columns: &str, table: &str| self.connection.prepare_cached(&format!("SELECT {columns} FROM {table} WHERE seq = ?1"));
        let mut observations = statement(OBSERVATION, "observations")?;
        let mut claims = statement(CLAIM, "claims")?;
        let mut beliefs = statement(BELIEF, "beliefs")?;
        let mut policies = statement(POLICY, "policies")?;
        let mut merges = statement(MERGE, "merges")?;
        let mut commits = self.connection.prepare_cached("SELECT last_seq, tx FROM commits WHERE seq <= ?1 ORDER BY seq DESC LIMIT 1")?;
        let mut through = 0;
        let mut tx = Instant::DISTANT_PAST;
        for (place, step) in &plan.steps {
            *at = *place;
            if *place > through {
                (through, tx) = commits.query_row([place.cast_signed()], |row| {
                    Ok((row.get::<_, i64>(0)?.cast_unsigned(), Instant::from_micros(row.get(1)?)))
                })?;
            }
            let statement = match step {
                Step::Observation => &mut observations,
                Step::Claim(_) => &mut claims,
                Step::Belief => &mut beliefs,
                Step::Policy => &mut policies,
                Step::Merge => &mut merges,
            };
            let mut rows = statement.query([place.cast_signed()])?;
            let Some(row) = rows.next()? else { continue };
            sink(match step {
                Step::Observation => observation_row(row, tx)?,
                Step::Claim(id) => claim_row(row, *place, tx, *id)?,
                Step::Belief => belief_row(row, tx)?,
                Step::Policy => policy_row(row, tx)?,
                Step::Merge => merge_row(row, tx)?,
            });
        }
        Ok(())
    }
}

/// What a slice gives, by place.
#[derive(Default)]
struct Plan {
    steps: BTreeMap<Seq, Step>,
}

enum Step {
    Observation,
    Claim(ClaimId),
    Belief,
    Policy,
    Merge,
}

/// The numbers that keys cover.
struct Wanted {
    /// Both ends included; sorted, none overlapping.
    ranges: Vec<(Key, Key)>,
    /// The numbers of both ends of a claim.
    pairs: BTreeSet<(Key, Key)>,
}

impl Wanted {
    fn of(keys: &[SliceKey]) -> Self {
        let mut numbers = ClaimKeys::default();
        let mut all = Vec::new();
        let mut pairs = BTreeSet::new();
        for key in keys {
            if key.relations.is_empty() {
                all.push(numbers.entity(key.entity.as_ref(), key.end));
            }
            for relation in key.relations.iter().map(|relation| RelationKey::of(relation)) {
                let number = numbers.claim(key.entity.as_ref(), key.end, relation);
                match &key.other {
                    None => all.push((number, number)),
                    Some(other) => {
                        pairs.insert((number, numbers.claim(other.as_ref(), key.end.other(), relation)));
                    }
                }
            }
        }
        all.sort_unstable();
        let mut ranges: Vec<(Key, Key)> = Vec::new();
        for (low, high) in all {
            match ranges.last_mut() {
                Some((_, last)) if low <= *last => *last = high.max(*last),
                _ => ranges.push((low, high)),
            }
        }
        Self { ranges, pairs }
    }
}
