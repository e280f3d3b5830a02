//! Appending: duplicates, places, rows, index entries. Knows no transaction: it runs inside its caller's.

use super::codec::{authority_column, kind_column, polarity_column, span_columns, term_columns};
use super::index::{Entry, FOLD_AT, Family};
use super::known::KnownIds;
use super::rows::Stretch;
use super::schema::meta;
use super::store::{Outcome, Store, WritePoint};
use crate::ledger::contract::ClaimEnd;
use crate::ledger::key::{self, ClaimKeys, RelationKey};
use crate::ledger::{Commit, ExtractionStatus, LedgerError, Position, Record, Retractable, Seq};
use crate::model::{Claim, Correction, Observation, ObservationId, READY, Term, TermRef};
use crate::time::Instant;
use rusqlite::{CachedStatement, params};
use std::collections::BTreeMap;
use std::thread;

/// So many ids at once are looked up in memory; so are those of a handle's second append and all after it.
const WORTH_A_FILTER: usize = 32;
/// The numbers of a batch with more records than this are computed on a thread of their own.
const WORTH_A_THREAD: usize = 256;

/// What a handle remembers between its appends.
#[derive(Debug, Default)]
pub(super) struct IdMemory {
    known: Option<KnownIds>,
    has_appended: bool,
}

impl IdMemory {
    /// Brings the filter up to the ledger's end, making it where `more` lookups are worth it.
    fn catch_up(&mut self, store: &Store, end: Seq, more: usize) -> Result<(), LedgerError> {
        if self.known.is_none() && !self.has_appended && more <= WORTH_A_FILTER {
            self.has_appended = true;
            return Ok(());
        }
        if self.known.as_ref().is_none_or(|known| known.is_too_small_for(more)) {
            let ids = usize::try_from(store.count("observations")?).unwrap_or(usize::MAX);
            let mut known = KnownIds::with_room((ids.saturating_add(more)).saturating_mul(2));
            store.every_entry(Family::Ids, &mut |(key, _)| known.add(key))?;
            known.through = store.indexed_to()?;
            self.known = Some(known);
        }
        if let Some(known) = &mut self.known
            && known.through < end
        {
            store.ids_after(known.through, &mut |_, id| known.add(key::of_id(id)))?;
            known.through = end;
        }
        Ok(())
    }

    fn surely_new(&self, key: key::Key) -> bool {
        self.known.as_ref().is_some_and(|known| known.surely_lacks(key))
    }

    /// Notes that these ids are committed, up to this place.
    pub(super) fn note(&mut self, ids: &[key::Key], through: Seq) {
        if let Some(known) = &mut self.known {
            for id in ids {
                known.add(*id);
            }
            known.through = through;
        }
    }
}

/// What was written, and what to remember of it once it is committed.
pub(super) struct Appended {
    pub(super) commit: Commit,
    pub(super) ids: Vec<key::Key>,
    pub(super) through: Seq,
}

/// The transaction time that follows the last one given.
pub(super) fn next_tx(position: Position, now: Instant) -> Instant {
    position.tx.map_or(now, |last| now.max(Instant::from_micros(last.micros().saturating_add(1))))
}

/// Refuses what no column can hold.
pub(super) fn check_claim(claim: &Claim) -> Result<(), LedgerError> {
    let refuse = |reason: String| Err(LedgerError::BadRecord { seq: 0, reason });
    for (name, value) in [("confidence", claim.confidence), ("importance", claim.importance)] {
        if !(0.0..=1.0).contains(&value) {
            return refuse(format!("{name} {value} does not lie between 0 and 1"));
        }
    }
    if let Term::Literal(literal) = &claim.head {
        return refuse(format!("the literal {:?} cannot be a head", literal.lexical));
    }
    Ok(())
}

/// What of a batch is new.
struct Sifted {
    /// For each record, whether it is to be written.
    fresh: Vec<bool>,
    /// The numbers of the new observations with their record's index, sorted.
    new_ids: Vec<(key::Key, usize)>,
}

/// Finds the observations of a batch that are there already, or earlier in the batch.
fn sift(store: &Store, memory: &IdMemory, records: &[Record]) -> Result<Sifted, LedgerError> {
    let id_at = |index: usize| match records.get(index) {
        Some(Record::Observation { observation, .. }) => Some(observation.id),
        _ => None,
    };
    let mut ids: Vec<(key::Key, usize)> =
        records.iter().enumerate().filter_map(|(index, _)| Some((key::of_id(id_at(index)?), index))).collect();
    ids.sort_unstable();
    let mut fresh = vec![true; records.len()];
    let doubtful: Vec<(usize, ObservationId)> =
        ids.iter().filter(|(key, _)| !memory.surely_new(*key)).filter_map(|(_, index)| Some((*index, id_at(*index)?))).collect();
    let places = store.places_of(&doubtful.iter().map(|(_, id)| *id).collect::<Vec<_>>())?;
    let mut skip = |index: usize| {
        if let Some(fresh) = fresh.get_mut(index) {
            *fresh = false;
        }
    };
    doubtful.iter().zip(places).filter(|(_, place)| place.is_some()).for_each(|((index, _), _)| skip(*index));
    // Those with one number stand together, the earlier in the batch first.
    for group in ids.chunk_by(|(left, _), (right, _)| left == right).filter(|group| group.len() > 1) {
        let mut seen: Vec<ObservationId> = Vec::new();
        for (_, index) in group {
            let Some(id) = id_at(*index) else { continue };
            if seen.contains(&id) {
                skip(*index);
            } else {
                seen.push(id);
            }
        }
    }
    ids.retain(|(_, index)| fresh.get(*index).copied().unwrap_or(false));
    sift_extractions(store, records, &mut fresh)?;
    Ok(Sifted { fresh, new_ids: ids })
}

/// Leaves out the extractions of observations that do not wait for one, or no longer.
fn sift_extractions(store: &Store, records: &[Record], fresh: &mut [bool]) -> Result<(), LedgerError> {
    if !records.iter().any(|record| matches!(record, Record::Extracted { .. })) {
        return Ok(());
    }
    let mut waiting: BTreeMap<ObservationId, bool> = BTreeMap::new();
    for (record, fresh) in records.iter().zip(fresh) {
        match record {
            Record::Observation { observation, status, .. } if *fresh => {
                waiting.insert(observation.id, *status != ExtractionStatus::Done);
            }
            Record::Extracted { observation, status, .. } => {
                let waits = match waiting.get(observation) {
                    Some(waits) => *waits,
                    None => store.waits(store.place_of_named(*observation)?)?,
                };
                *fresh = waits;
                waiting.insert(*observation, waits && *status != ExtractionStatus::Done);
            }
            Record::Observation { .. }
            | Record::Retract { .. }
            | Record::Restore { .. }
            | Record::Policy { .. }
            | Record::Merge { .. }
            | Record::Unmerge { .. }
            | Record::Setting { .. } => {}
        }
    }
    Ok(())
}

/// Writes a batch.
pub(super) fn append(store: &Store, memory: &mut IdMemory, records: &[Record], now: Instant) -> Result<Outcome<Appended>, LedgerError> {
    let position = store.position()?;
    let observations = records.iter().filter(|record| matches!(record, Record::Observation { .. })).count();
    memory.catch_up(store, position.seq, observations)?;
    let Sifted { fresh, new_ids } = sift(store, memory, records)?;
    let mut next = position.seq + 1;
    let seqs: Vec<Option<Seq>> = records
        .iter()
        .zip(&fresh)
        .map(|(record, fresh)| {
            fresh.then(|| {
                let seq = next;
                next += match record {
                    Record::Observation { claims, .. } | Record::Extracted { claims, .. } => 1 + claims.len() as u64,
                    Record::Retract { .. }
                    | Record::Restore { .. }
                    | Record::Policy { .. }
                    | Record::Merge { .. }
                    | Record::Unmerge { .. }
                    | Record::Setting { .. } => 1,
                };
                seq
            })
        })
        .collect();
    let through = next - 1;
    if through == position.seq {
        let tx = position.tx.unwrap_or(now);
        return Ok(Outcome::Nothing(Appended { commit: Commit { tx, seqs }, ids: Vec::new(), through }));
    }
    let tx = next_tx(position, now);
    let indexed_to = store.indexed_to()?;
    let fold = through - indexed_to > FOLD_AT;
    let ids: Vec<key::Key> = new_ids.iter().map(|(key, _)| *key).collect();

    // The numbers of a large batch are computed beside the writing of its rows.
    let entries = thread::scope(|scope| {
        let batch = (fold && records.len() > WORTH_A_THREAD).then(|| scope.spawn(|| BatchEntries::of(records, &seqs, &new_ids)));
        write_rows(store, records, &seqs, &new_ids)?;
        store.add_commit(position.seq + 1, through, tx)?;
        Ok::<_, LedgerError>(batch.and_then(|batch| batch.join().ok()))
    })?;
    if fold {
        match entries {
            Some(entries) => store.fold(indexed_to, position.seq, entries, through)?,
            None => store.fold(indexed_to, through, BatchEntries::default(), through)?,
        }
    }
    Ok(Outcome::Write(Appended { commit: Commit { tx, seqs }, ids, through }))
}

fn write_rows(store: &Store, records: &[Record], seqs: &[Option<Seq>], new_ids: &[(key::Key, usize)]) -> Result<(), LedgerError> {
    let mut rows = RowWriter::new(store)?;
    for (index, (record, seq)) in records.iter().zip(seqs).enumerate() {
        if index == records.len() / 2 {
            store.reach(WritePoint::HalfWritten);
        }
        let Some(seq) = *seq else { continue };
        match record {
            Record::Observation { observation, claims, status } => {
                rows.observation(seq, observation)?;
                store.add_pending(seq, status)?;
                for (ordinal, (claim, place)) in (0_u32..).zip(claims.iter().zip(seq + 1..)) {
                    check_claim(claim)?;
                    rows.claim(place, seq, ordinal, claim)?;
                }
            }
            Record::Retract { target, because } | Record::Restore { target, because } => {
                let named = match target {
                    Retractable::Claim(claim) => claim.observation,
                    Retractable::Observation(observation) => *observation,
                };
                let key = key::of_id(named);
                let earlier = new_ids.partition_point(|(other, _)| *other < key);
                let in_batch = new_ids.iter().skip(earlier).take_while(|(other, _)| *other == key).any(|(_, at)| {
                    *at < index && matches!(records.get(*at), Some(Record::Observation { observation, .. }) if observation.id == named)
                });
                if !in_batch && store.place_of(named)?.is_none() {
                    let reason = format!("the observation {named} is named and not recorded here");
                    return Err(LedgerError::BadRecord { seq: 0, reason });
                }
                store.add_belief(seq, *target, matches!(record, Record::Restore { .. }), because)?;
            }
            Record::Policy { relation, toml } => store.add_policy(seq, relation, toml.as_deref())?,
            Record::Extracted { observation, extractor, claims, status } => {
                let of = store.place_of_named(*observation)?;
                let stretch = Stretch { before: seq, observation: of, first: store.next_ordinal(of)?, claims: claims.len() as u64 };
                store.add_extraction(stretch, extractor, status)?;
                rows.later_claims(stretch, claims.iter())?;
            }
            Record::Merge { from, into, because } => store.add_merge(seq, from, into, true, because)?,
            Record::Unmerge { from, into, because } => store.add_merge(seq, from, into, false, because)?,
            Record::Setting { name, value } => store.add_setting(seq, name, value.as_deref())?,
        }
    }
    Ok(())
}

/// The index entries of a batch, each family sorted.
#[derive(Default)]
pub(super) struct BatchEntries {
    pub(super) ids: Vec<Entry>,
    pub(super) ends: Vec<Entry>,
    pub(super) keys: Vec<Entry>,
    /// One for each mention of a name, so that they can be counted.
    pub(super) spellings: Vec<Entry>,
}

impl BatchEntries {
    fn of(records: &[Record], seqs: &[Option<Seq>], new_ids: &[(key::Key, usize)]) -> Self {
        let place = |index: usize| seqs.get(index).copied().flatten();
        let mut entries = Self { ids: new_ids.iter().filter_map(|(key, index)| Some((*key, place(*index)?))).collect(), ..Self::default() };
        let mut keys = ClaimKeys::default();
        for (record, seq) in records.iter().zip(seqs) {
            let Some(seq) = seq else { continue };
            let claims = match record {
                Record::Observation { observation, claims, .. } => {
                    entries.keys.extend(observation.key.as_deref().map(|key| (key::of_source_key(key), *seq)));
                    claims
                }
                Record::Extracted { claims, .. } => claims,
                Record::Retract { .. }
                | Record::Restore { .. }
                | Record::Policy { .. }
                | Record::Merge { .. }
                | Record::Unmerge { .. }
                | Record::Setting { .. } => continue,
            };
            for (claim, place) in claims.iter().zip(seq + 1..) {
                entries.add_claim(&mut keys, place, claim);
            }
        }
        entries.sort();
        entries
    }

    fn add_claim(&mut self, keys: &mut ClaimKeys, place: Seq, claim: &Claim) {
        let relation = RelationKey::of(&claim.relation);
        self.add_mention(keys, place, relation, ClaimEnd::Head, claim.head.as_ref());
        self.add_mention(keys, place, relation, ClaimEnd::Tail, claim.tail.as_ref());
        if let Some(Correction::Tail(tail)) = &claim.corrects {
            self.add_mention(keys, place, relation, ClaimEnd::Tail, tail.as_ref());
        }
    }

    /// Adds what a mention of a term by a claim of a relation is found by.
    pub(super) fn add_mention(&mut self, keys: &mut ClaimKeys, place: Seq, relation: RelationKey, end: ClaimEnd, term: TermRef<'_>) {
        let (number, spelling) = keys.mention(term, end, relation);
        self.ends.push((number, place));
        self.spellings.extend(spelling.map(|key| (key, place)));
    }

    fn sort(&mut self) {
        for family in [&mut self.ids, &mut self.ends, &mut self.keys] {
            family.sort_unstable();
            family.dedup();
        }
        self.spellings.sort_unstable();
    }

    /// The spellings as segments have them: where each stands, and how often.
    pub(super) fn spelt(&self) -> (Vec<Entry>, Vec<Entry>) {
        (self.spellings.clone(), self.spellings.iter().map(|(key, _)| (*key, 1)).collect())
    }
}

impl Store {
    /// Puts the entries of records after `indexed_to` up to `read_to`, read from the tables, and those given, into segments.
    pub(super) fn fold(&self, indexed_to: Seq, read_to: Seq, mut entries: BatchEntries, through: Seq) -> Result<(), LedgerError> {
        self.read_entries(indexed_to, read_to, &mut entries)?;
        let (spellings, mentions) = entries.spelt();
        self.add_segment(Family::Ids, entries.ids)?;
        self.add_segment(Family::Ends, entries.ends)?;
        self.add_segment(Family::Keys, entries.keys)?;
        self.add_segment(Family::Spellings, spellings)?;
        self.add_segment(Family::Mentions, mentions)?;
        self.set_meta(meta::INDEXED_TO, through.cast_signed())
    }

    /// Where an observation that a record names stands.
    ///
    /// # Errors
    /// [`LedgerError::BadRecord`] if it is not there.
    pub(super) fn place_of_named(&self, id: ObservationId) -> Result<Seq, LedgerError> {
        let reason = || format!("the observation {id} is named and not recorded here");
        self.place_of(id)?.ok_or_else(|| LedgerError::BadRecord { seq: 0, reason: reason() })
    }

    /// The ordinal that the next claim of the observation at a place has.
    pub(super) fn next_ordinal(&self, place: Seq) -> Result<u32, LedgerError> {
        let read = || {
            if let Some(last) = self.extractions_of(place)?.last() {
                return Ok(u64::from(last.first) + last.claims);
            }
            Ok(self.last_claim_of(place)? - place)
        };
        let next = read().map_err(|error| self.unreadable(error, place))?;
        u32::try_from(next).map_err(|_too_many| LedgerError::BadRecord { seq: place, reason: format!("it has {next} claims already") })
    }

    /// Notes the transaction time of a batch's places.
    pub(super) fn add_commit(&self, first: Seq, last: Seq, tx: Instant) -> Result<(), LedgerError> {
        let write = || {
            self.connection.prepare_cached("INSERT INTO commits (seq, last_seq, tx) VALUES (?1, ?2, ?3)")?.execute(params![
                first.cast_signed(),
                last.cast_signed(),
                tx.micros()
            ])
        };
        write().map(|_rows| ()).map_err(|error| self.fail(&error))
    }

    /// Writes a retraction or restoration.
    pub(super) fn add_belief(&self, seq: Seq, target: Retractable, believed: bool, because: &str) -> Result<(), LedgerError> {
        let (observation, ordinal) = match target {
            Retractable::Claim(claim) => (claim.observation, Some(claim.ordinal)),
            Retractable::Observation(observation) => (observation, None),
        };
        let write = || {
            self.connection
                .prepare_cached("INSERT INTO beliefs (seq, believed, observation, ordinal, because) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![seq.cast_signed(), believed, observation.bytes(), ordinal, because])
        };
        write().map(|_rows| ()).map_err(|error| self.fail(&error))
    }

    /// Writes a policy override.
    pub(super) fn add_policy(&self, seq: Seq, relation: &str, toml: Option<&str>) -> Result<(), LedgerError> {
        let write = || {
            self.connection.prepare_cached("INSERT INTO policies (seq, relation, toml) VALUES (?1, ?2, ?3)")?.execute(params![
                seq.cast_signed(),
                relation,
                toml
            ])
        };
        write().map(|_rows| ()).map_err(|error| self.fail(&error))
    }
}

/// The statements that write an observation and its claims, prepared once for a batch.
pub(super) struct RowWriter<'s> {
    store: &'s Store,
    observation: CachedStatement<'s>,
    plain: CachedStatement<'s>,
    full: CachedStatement<'s>,
}

impl<'s> RowWriter<'s> {
    pub(super) fn new(store: &'s Store) -> Result<Self, LedgerError> {
        let prepare = |sql| store.connection.prepare_cached(sql).map_err(|error| store.fail(&error));
        Ok(Self {
            store,
            observation: prepare(
                "INSERT INTO observations (seq, id, kind, observed_at, offset_minutes, authority, source, session, speaker, role, key, text) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?,
            plain: prepare(
                "INSERT INTO claims (seq, observation, ordinal, polarity, head_kind, head, relation, tail_kind, tail, \
                 from_kind, from_lo, from_hi, to_kind, to_lo, to_hi, confidence, importance) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
            )?,
            full: prepare(
                "INSERT INTO claims (seq, observation, ordinal, polarity, head_kind, head, relation, tail_kind, tail, \
                 from_kind, from_lo, from_hi, to_kind, to_lo, to_hi, confidence, importance, tail_datatype, tail_language, seen_at, context, \
                 corrects_observation, corrects_ordinal, corrects_tail_kind, corrects_tail, corrects_tail_datatype, corrects_tail_language, \
                 quote_from, quote_to, extractor) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, \
                 ?26, ?27, ?28, ?29, ?30)",
            )?,
        })
    }

    pub(super) fn observation(&mut self, seq: Seq, observation: &Observation) -> Result<(), LedgerError> {
        write_observation(&mut self.observation, seq, observation).map_err(|error| self.store.fail(&error))
    }

    /// Writes the claims of an extraction.
    pub(super) fn later_claims<'c>(&mut self, stretch: Stretch, claims: impl Iterator<Item = &'c Claim>) -> Result<(), LedgerError> {
        for ((claim, place), ordinal) in claims.zip(stretch.before + 1..).zip(stretch.first..) {
            check_claim(claim)?;
            self.claim(place, stretch.observation, ordinal, claim)?;
        }
        Ok(())
    }

    pub(super) fn claim(&mut self, place: Seq, observation: Seq, ordinal: u32, claim: &Claim) -> Result<(), LedgerError> {
        let plain = claim.seen_at.is_none()
            && claim.context.is_none()
            && claim.corrects.is_none()
            && claim.quote.is_none()
            && !matches!(claim.tail, Term::Literal(_))
            && claim.extractor == READY;
        let statement = if plain { &mut self.plain } else { &mut self.full };
        write_claim(statement, !plain, place, observation, ordinal, claim).map_err(|error| self.store.fail(&error))
    }
}

fn write_observation(statement: &mut CachedStatement<'_>, seq: Seq, observation: &Observation) -> rusqlite::Result<()> {
    statement.raw_bind_parameter(1, seq.cast_signed())?;
    statement.raw_bind_parameter(2, observation.id.bytes())?;
    statement.raw_bind_parameter(3, kind_column(observation.kind))?;
    statement.raw_bind_parameter(4, observation.observed_at.at.micros())?;
    statement.raw_bind_parameter(5, observation.observed_at.offset_minutes)?;
    statement.raw_bind_parameter(6, authority_column(observation.source.authority))?;
    statement.raw_bind_parameter(7, observation.source.name.as_deref())?;
    statement.raw_bind_parameter(8, observation.session.as_deref())?;
    statement.raw_bind_parameter(9, observation.speaker.as_deref())?;
    statement.raw_bind_parameter(10, observation.role.as_deref())?;
    statement.raw_bind_parameter(11, observation.key.as_deref())?;
    statement.raw_bind_parameter(12, observation.text.as_deref())?;
    statement.raw_execute().map(|_rows| ())
}

fn write_claim(
    statement: &mut CachedStatement<'_>,
    full: bool,
    place: Seq,
    observation: Seq,
    ordinal: u32,
    claim: &Claim,
) -> rusqlite::Result<()> {
    let (head_kind, head, _, _) = term_columns(claim.head.as_ref());
    let (tail_kind, tail, tail_datatype, tail_language) = term_columns(claim.tail.as_ref());
    statement.raw_bind_parameter(1, place.cast_signed())?;
    statement.raw_bind_parameter(2, observation.cast_signed())?;
    statement.raw_bind_parameter(3, ordinal)?;
    statement.raw_bind_parameter(4, polarity_column(claim.polarity))?;
    statement.raw_bind_parameter(5, head_kind)?;
    statement.raw_bind_parameter(6, head)?;
    statement.raw_bind_parameter(7, claim.relation.as_str())?;
    statement.raw_bind_parameter(8, tail_kind)?;
    statement.raw_bind_parameter(9, tail)?;
    for (column, value) in (10..).zip(span_columns(claim.span)) {
        statement.raw_bind_parameter(column, value)?;
    }
    statement.raw_bind_parameter(16, claim.confidence)?;
    statement.raw_bind_parameter(17, claim.importance)?;
    if full {
        statement.raw_bind_parameter(18, tail_datatype)?;
        statement.raw_bind_parameter(19, tail_language)?;
        statement.raw_bind_parameter(20, claim.seen_at.map(Instant::micros))?;
        statement.raw_bind_parameter(21, claim.context.as_deref())?;
        let (corrected, tail) = match &claim.corrects {
            Some(Correction::Claim(id)) => (Some(id), None),
            Some(Correction::Tail(tail)) => (None, Some(term_columns(tail.as_ref()))),
            None => (None, None),
        };
        statement.raw_bind_parameter(22, corrected.map(|id| id.observation.bytes()))?;
        statement.raw_bind_parameter(23, corrected.map(|id| id.ordinal))?;
        statement.raw_bind_parameter(24, tail.map(|(kind, ..)| kind))?;
        statement.raw_bind_parameter(25, tail.map(|(_, text, ..)| text))?;
        statement.raw_bind_parameter(26, tail.and_then(|(_, _, datatype, _)| datatype))?;
        statement.raw_bind_parameter(27, tail.and_then(|(.., language)| language))?;
        statement.raw_bind_parameter(28, claim.quote.map(|quote| quote.from))?;
        statement.raw_bind_parameter(29, claim.quote.map(|quote| quote.to))?;
        statement.raw_bind_parameter(30, Some(claim.extractor.as_str()).filter(|extractor| *extractor != READY))?;
    }
    statement.raw_execute().map(|_rows| ())
}
