//! Claims, observations and transactions in columns: what was recorded, by number.
//!
//! Owns how a claim is packed. Knows nothing of which claims are believed or win.

use super::index::{HashIndex, hash_of};
use super::pvec::{ARC, PVec, Sparse};
use super::record::{Packed, ShapeCodes, Shapes};
use crate::model::{Authority, ClaimId, ObservationId, Polarity};
use crate::time::{End, Instant, Start};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// No observation: the claim is erased.
const ERASED: u32 = u32::MAX;

/// One claim, turned so that its head and tail are those of the canonical relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Row {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) head: u32,
    pub(super) tail: u32,
    /// The number of its [`Kind`].
    pub(super) kind: u32,
    /// The number of its observation.
    pub(super) observation: u32,
}

/// When a claim asserts truth last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Seen {
    /// It does not say.
    #[default]
    Never,
    /// When it was observed.
    Observed,
    /// At an instant of its own.
    Apart,
}

/// Everything of a claim that many claims have in common. Confidence and importance are bits of `f64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    /// The relation as stated.
    pub(super) stated: u32,
    /// The shape of its span.
    pub(super) code: u32,
    /// The named graph, a number of [`Claims::contexts`]; 0 is the default one.
    pub(super) context: u32,
    pub(super) polarity: Polarity,
    pub(super) seen: Seen,
    pub(super) authority: Authority,
    /// Whether head and tail of the row have changed places against the claim as stated.
    pub(super) turned: bool,
    /// Whether the tail, as stated, is a literal.
    pub(super) literal: bool,
    pub(super) confidence: u64,
    pub(super) importance: u64,
}

impl Default for Kind {
    fn default() -> Self {
        Self {
            stated: 0,
            code: 0,
            context: 0,
            polarity: Polarity::Holds,
            seen: Seen::Never,
            authority: Authority::Inference,
            turned: false,
            literal: false,
            confidence: 0,
            importance: 0,
        }
    }
}

/// One observation; 28 bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Observed {
    id: [u8; 16],
    /// Microseconds, low half first.
    at: [u32; 2],
    /// The number of its first claim.
    first: u32,
}

/// One transaction, and what had been recorded before it.
#[derive(Clone, Copy, Debug, Default)]
struct Tx {
    at: i64,
    claims: u32,
}

/// All that was recorded and not erased.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    rows: PVec<Row, 128>,
    kinds: PVec<Kind, 16>,
    pub(super) shapes: Shapes,
    seen_apart: Sparse<i64>,
    contexts: PVec<Arc<str>, 16>,
    observations: PVec<Observed, 128>,
    by_id: HashIndex,
    /// Claims that were recorded after other observations' claims: their ordinals.
    late: Sparse<u32>,
    /// Observations with such claims: which.
    late_of: Sparse<Arc<Vec<u32>>>,
    /// The sources' ranks, where they are not users.
    authorities: Sparse<Authority>,
    txs: PVec<Tx, 64>,
    /// Erased claims and observations.
    erased: (usize, usize),
}

/// The writer's way back from what is interned to its number.
#[derive(Debug, Default)]
pub(super) struct ClaimCodes {
    pub(super) shapes: ShapeCodes,
    kinds: FxHashMap<Kind, u32>,
    contexts: FxHashMap<Arc<str>, u32>,
}

impl Claims {
    /// How many claim numbers have been given, those of erased claims included.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    /// Rows that are not erased: one for each claim, and the further ones of those that were refiled.
    pub(super) fn live(&self) -> usize {
        self.rows.len() - self.erased.0
    }

    /// Observations that are not erased.
    pub(super) fn live_observations(&self) -> usize {
        self.observations.len() - self.erased.1
    }

    /// How many observation numbers have been given.
    pub(super) fn observations(&self) -> u32 {
        u32::try_from(self.observations.len()).unwrap_or(u32::MAX)
    }

    /// A claim, unless it is erased.
    #[inline]
    pub(super) fn row(&self, claim: u32) -> Option<&Row> {
        self.rows.get(claim as usize).filter(|row| row.observation != ERASED)
    }

    /// What a claim's row shares with others.
    #[inline]
    pub(super) fn kind(&self, row: &Row) -> Kind {
        self.kinds.get(row.kind as usize).copied().unwrap_or_default()
    }

    /// The span of a claim.
    pub(super) fn span(&self, row: &Row, kind: &Kind) -> (Start, End) {
        self.shapes.unpack(Packed { start: row.start, end: row.end, code: kind.code })
    }

    /// The last instant at which a claim asserts truth.
    pub(super) fn seen_at(&self, claim: u32, row: &Row, kind: &Kind) -> Option<Instant> {
        match kind.seen {
            Seen::Never => None,
            Seen::Observed => Some(self.observed_at(row.observation)),
            Seen::Apart => self.seen_apart.get(claim).copied().map(Instant::from_micros),
        }
    }

    /// When an observation was made.
    pub(super) fn observed_at(&self, observation: u32) -> Instant {
        let [low, high] = self.observations.get(observation as usize).map_or([0, 0], |observed| observed.at);
        let bits = u64::from(high) << 32 | u64::from(low);
        Instant::from_micros(i64::from_le_bytes(bits.to_le_bytes()))
    }

    /// The id of a claim.
    pub(super) fn id(&self, claim: u32) -> Option<ClaimId> {
        let row = self.row(claim)?;
        let observed = self.observations.get(row.observation as usize)?;
        let ordinal = self.late.get(claim).copied().unwrap_or_else(|| claim.saturating_sub(observed.first));
        Some(ClaimId { observation: ObservationId::from_bytes(observed.id), ordinal })
    }

    /// The number of an observation.
    pub(super) fn observation(&self, id: ObservationId) -> Option<u32> {
        let id = id.bytes();
        self.by_id.find(hash_of(id), |number| self.observations.get(number as usize).is_some_and(|observed| observed.id == id))
    }

    /// The observations that are not erased, in number order.
    pub(super) fn observation_ids(&self) -> Vec<ObservationId> {
        let all = (0..).zip(self.observations.iter()).map(|(number, observed)| (number, ObservationId::from_bytes(observed.id)));
        all.filter(|(number, id)| self.observation(*id) == Some(*number)).map(|(_, id)| id).collect()
    }

    /// Reads what looking up these observations will read.
    pub(super) fn fetch(&self, ids: impl Iterator<Item = ObservationId>) {
        std::hint::black_box(ids.fold(0, |read, id| read ^ self.by_id.near(hash_of(id.bytes()))));
    }

    /// The number of a claim.
    pub(super) fn find(&self, id: ClaimId) -> Option<u32> {
        let observation = self.observation(id.observation)?;
        self.claims_of(observation).find(|claim| self.id(*claim) == Some(id))
    }

    /// The claims of an observation, in the order in which they were recorded.
    pub(super) fn claims_of(&self, observation: u32) -> impl Iterator<Item = u32> {
        let first = self.observations.get(observation as usize).map_or(u32::MAX, |observed| observed.first);
        let is_own =
            move |claim: &u32| self.row(*claim).is_some_and(|row| row.observation == observation) && self.late.get(*claim).is_none();
        let late = self.late_of.get(observation).into_iter().flat_map(|late| late.iter().copied());
        (first..self.len()).take_while(is_own).chain(late)
    }

    /// Orders claims by id.
    pub(super) fn cmp(&self, left: u32, right: u32) -> std::cmp::Ordering {
        if left == right { std::cmp::Ordering::Equal } else { self.id(left).cmp(&self.id(right)) }
    }

    /// The named graph's IRI.
    pub(super) fn context(&self, context: u32) -> Option<&str> {
        (context as usize).checked_sub(1).and_then(|at| self.contexts.get(at)).map(|name| &**name)
    }

    /// The number of a named graph that some claim is in.
    pub(super) fn find_context(&self, name: &str) -> Option<u32> {
        self.contexts.iter().zip(1..).find(|(known, _)| ***known == *name).map(|(_, context)| context)
    }

    /// The names of the named graphs that the first so many claims are in, sorted.
    pub(super) fn context_names(&self, claims: u32) -> Vec<String> {
        let numbers: std::collections::BTreeSet<u32> =
            (0..claims).filter_map(|claim| self.row(claim)).map(|row| self.kind(row).context).collect();
        let mut names: Vec<String> = numbers.into_iter().filter_map(|number| self.context(number)).map(str::to_owned).collect();
        names.sort_unstable();
        names
    }

    /// How many transactions there have been.
    pub(super) fn txs(&self) -> u32 {
        u32::try_from(self.txs.len()).unwrap_or(u32::MAX)
    }

    /// When a transaction was.
    pub(super) fn tx_at(&self, tx: u32) -> Instant {
        Instant::from_micros(self.txs.get(tx as usize).map_or(i64::MAX, |tx| tx.at))
    }

    /// How many transactions were at or before an instant.
    pub(super) fn txs_by(&self, known_at: Instant) -> u32 {
        self.first_tx(|tx| tx.at > known_at.micros())
    }

    /// The transaction that recorded a claim.
    pub(super) fn tx_of(&self, claim: u32) -> u32 {
        self.first_tx(|tx| tx.claims > claim).saturating_sub(1)
    }

    /// How many claims had been recorded when so many transactions had been.
    pub(super) fn recorded_by(&self, txs: u32) -> u32 {
        self.txs.get(txs as usize).map_or(self.len(), |tx| tx.claims)
    }

    fn first_tx(&self, is_past: impl Fn(&Tx) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.txs());
        // Latest first: most questions are about the end.
        if low < high && !self.txs.get(high as usize - 1).is_some_and(&is_past) {
            return high;
        }
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.txs.get(middle as usize).is_some_and(&is_past) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Bytes held, without those of strings.
    pub(super) fn bytes(&self) -> usize {
        let late = self.late_of.iter().map(|(_, late)| size_of::<Vec<u32>>() + ARC + late.capacity() * size_of::<u32>());
        self.rows.bytes()
            + self.kinds.bytes()
            + self.shapes.bytes()
            + self.seen_apart.bytes()
            + self.contexts.bytes()
            + self.observations.bytes()
            + self.by_id.bytes()
            + self.late.bytes()
            + self.late_of.bytes()
            + late.sum::<usize>()
            + self.authorities.bytes()
            + self.txs.bytes()
    }

    /// The last transaction, if it is this one; else a new one.
    pub(super) fn tx(&mut self, at: Instant) -> u32 {
        let last = self.txs().wrapping_sub(1);
        if self.txs.get(last as usize).is_some_and(|tx| tx.at >= at.micros()) {
            return last;
        }
        self.txs.push(Tx { at: at.micros(), claims: self.len() });
        last.wrapping_add(1)
    }

    /// The number of an observation, new or not.
    pub(super) fn observe(&mut self, id: ObservationId, at: Instant, authority: Authority) -> u32 {
        if let Some(known) = self.observation(id) {
            return known;
        }
        let number = self.observations();
        let [low, high] = halves(at.micros());
        self.observations.push(Observed { id: id.bytes(), at: [low, high], first: self.len() });
        self.by_id.insert(hash_of(id.bytes()), number);
        if authority != Authority::User {
            self.authorities.set(number, authority);
        }
        number
    }

    /// Makes it cheap to copy, if it is not yet.
    pub(super) fn pack(&mut self) {
        self.by_id.pack();
    }

    /// The rank of an observation's source.
    pub(super) fn authority(&self, observation: u32) -> Authority {
        self.authorities.get(observation).copied().unwrap_or(Authority::User)
    }

    /// Whether a claim recorded now follows its observation, or the claim before it, at once.
    pub(super) fn is_next(&self, observation: u32, ordinal: u32) -> bool {
        let claim = self.len();
        let first = self.observations.get(observation as usize).map_or(u32::MAX, |observed| observed.first);
        claim.checked_sub(first) == Some(ordinal)
            && claim
                .checked_sub(1)
                .filter(|_| ordinal > 0)
                .is_none_or(|before| self.row(before).is_some_and(|row| row.observation == observation) && self.late.get(before).is_none())
    }

    /// Records a claim under the next number.
    pub(super) fn push(&mut self, row: Row, ordinal: u32, seen_apart: Option<Instant>) -> u32 {
        let claim = self.len();
        let in_place = self.is_next(row.observation, ordinal);
        if !in_place {
            self.late.set(claim, ordinal);
            let mut late = self.late_of.get(row.observation).map(|late| (**late).clone()).unwrap_or_default();
            late.push(claim);
            self.late_of.set(row.observation, Arc::new(late));
        }
        if let Some(seen) = seen_apart {
            self.seen_apart.set(claim, seen.micros());
        }
        self.rows.push(row);
        claim
    }

    /// Adds a further row of a claim, under the next number.
    pub(super) fn push_further(&mut self, claim: u32, row: Row) -> u32 {
        let further = self.len();
        let ordinal = self.id(claim).map_or(0, |id| id.ordinal);
        // It stands out of its observation's stretch of claims.
        self.late.set(further, ordinal);
        if let Some(seen) = self.seen_apart.get(claim).copied() {
            self.seen_apart.set(further, seen);
        }
        self.rows.push(row);
        further
    }

    /// Whether a transaction at this time is another one than the last.
    pub(super) fn is_later(&self, at: Instant) -> bool {
        self.txs().checked_sub(1).and_then(|last| self.txs.get(last as usize)).is_some_and(|last| last.at < at.micros())
    }

    /// The number of a kind.
    pub(super) fn kind_number(&mut self, codes: &mut ClaimCodes, kind: Kind) -> u32 {
        *codes.kinds.entry(kind).or_insert_with(|| {
            self.kinds.push(kind);
            u32::try_from(self.kinds.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// The number of a named graph.
    pub(super) fn context_number(&mut self, codes: &mut ClaimCodes, name: &str) -> u32 {
        if let Some(number) = codes.contexts.get(name) {
            return *number;
        }
        let name: Arc<str> = Arc::from(name);
        self.contexts.push(Arc::clone(&name));
        let number = u32::try_from(self.contexts.len()).unwrap_or(u32::MAX);
        codes.contexts.insert(name, number);
        number
    }

    /// Swaps head and tail of a claim against the claim as stated, or back.
    pub(super) fn turn(&mut self, codes: &mut ClaimCodes, claim: u32) {
        let Some(row) = self.row(claim).copied() else { return };
        let kind = self.kind(&row);
        let kind = self.kind_number(codes, Kind { turned: !kind.turned, ..kind });
        if let Some(slot) = self.rows.get_mut(claim as usize) {
            *slot = Row { head: row.tail, tail: row.head, kind, ..row };
        }
    }

    /// Overwrites a claim. Its number is not given again.
    pub(super) fn erase(&mut self, claim: u32) {
        if let Some(row) = self.rows.get_mut(claim as usize) {
            *row = Row { observation: ERASED, ..Row::default() };
            self.erased.0 += 1;
        }
        self.seen_apart.remove(claim);
        self.late.remove(claim);
    }

    /// Overwrites an observation, whose claims are erased. Its number is not given again.
    pub(super) fn erase_observation(&mut self, observation: u32) {
        if let Some(observed) = self.observations.get_mut(observation as usize) {
            let id = std::mem::take(observed).id;
            self.by_id.remove(hash_of(id), observation);
            self.erased.1 += 1;
        }
        self.late_of.remove(observation);
        self.authorities.remove(observation);
    }
}

/// The halves of 64 bits, the low one first.
fn halves(value: i64) -> [u32; 2] {
    let bits = u64::from_le_bytes(value.to_le_bytes());
    [u32::try_from(bits & 0xffff_ffff).unwrap_or_default(), u32::try_from(bits >> 32).unwrap_or_default()]
}
