//! The record of a fact in its head's and its tail's adjacency: 32 bytes that answer whether it holds.
//!
//! Owns the packing of valid time. Knows no term and no claim but as numbers.

use super::adjacency::{Entry, Zone};
use super::pvec::PVec;
use crate::time::{Certainty, End, Extent, Instant, Moment, Start, certain_extent, possible_extent, sole_instant};
use rustc_hash::FxHashMap;

/// The widths and kinds of a start and an end, as far as the two instants of a record do not say them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum StartShape {
    /// A moment so many microseconds wide; the instant is its `lo`.
    #[default]
    Exact,
    Wide(i64),
    By,
    Unknown,
    Always,
}

/// See [`StartShape`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum EndShape {
    /// A moment so many microseconds wide; the instant is its `hi`.
    #[default]
    Exact,
    Wide(i64),
    By,
    Open,
    /// The exact start: all of the extent is one instant. The end kept is the instant after it, so that it meets what contains it.
    Start,
}

/// The shapes of a start and an end.
pub(super) type SpanShape = (StartShape, EndShape);

/// The shapes that are certain wherever they are possible, in the order of their codes.
const EXACT: [SpanShape; 5] = [
    (StartShape::Exact, EndShape::Open),
    (StartShape::Exact, EndShape::Exact),
    (StartShape::Always, EndShape::Open),
    (StartShape::Always, EndShape::Exact),
    (StartShape::Exact, EndShape::Start),
];

/// Interned span shapes.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes(PVec<SpanShape, 16>);

/// The writer's way back from a shape to its code.
#[derive(Debug, Default)]
pub(super) struct ShapeCodes(FxHashMap<SpanShape, u32>);

/// A start and an end as two instants and a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) code: u32,
}

impl Shapes {
    /// Packs a start and an end.
    pub(super) fn pack(&mut self, codes: &mut ShapeCodes, start: Start, end: End) -> Packed {
        if self.0.len() == 0 {
            for shape in EXACT {
                self.code(codes, shape);
            }
        }
        let (start, end, shape) = shaped(start, end);
        Packed { start, end, code: self.code(codes, shape) }
    }

    /// Packs a start and an end of a shape that has its code; `None` of another.
    pub(super) fn find(codes: &ShapeCodes, start: Start, end: End) -> Option<Packed> {
        let (start, end, shape) = shaped(start, end);
        codes.0.get(&shape).map(|code| Packed { start, end, code: *code })
    }

    /// The start and the end.
    pub(super) fn unpack(&self, packed: Packed) -> (Start, End) {
        let (start, end) = self.shape(packed.code);
        let (at, until) = (Instant::from_micros(packed.start), Instant::from_micros(packed.end));
        let start = match start {
            StartShape::Exact => Start::At(Moment::exact(at)),
            StartShape::Wide(width) => Start::At(moment(packed.start, packed.start.saturating_add(width))),
            StartShape::By => Start::By(at),
            StartShape::Unknown => Start::Unknown,
            StartShape::Always => Start::Always,
        };
        let end = match end {
            EndShape::Exact => End::At(Moment::exact(until)),
            EndShape::Wide(width) => End::At(moment(packed.end.saturating_sub(width), packed.end)),
            EndShape::By => End::By(until),
            EndShape::Open => End::Open,
            EndShape::Start => End::At(Moment::exact(at)),
        };
        (start, end)
    }

    /// Where it is certain: from, and until (exclusive).
    pub(super) fn certain(&self, packed: Packed) -> (i64, i64) {
        let (start, end) = self.shape(packed.code);
        let from = match start {
            StartShape::Exact | StartShape::By | StartShape::Always => packed.start,
            StartShape::Wide(width) => packed.start.saturating_add(width),
            StartShape::Unknown => i64::MAX,
        };
        let until = match end {
            EndShape::Exact | EndShape::Open | EndShape::Start => packed.end,
            EndShape::Wide(width) => packed.end.saturating_sub(width),
            EndShape::By => i64::MIN,
        };
        (from, until)
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn shape(&self, code: u32) -> SpanShape {
        self.0.get(code as usize).copied().unwrap_or_default()
    }

    fn code(&mut self, codes: &mut ShapeCodes, shape: SpanShape) -> u32 {
        *codes.0.entry(shape).or_insert_with(|| {
            let code = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
            self.0.push(shape);
            code
        })
    }
}

/// The instants and the shape of a start and an end.
fn shaped(start: Start, end: End) -> (i64, i64, SpanShape) {
    if let Some(at) = sole_instant(start, end) {
        return (at.micros(), at.saturating_add(1).micros(), (StartShape::Exact, EndShape::Start));
    }
    let (start, start_shape) = match start {
        Start::At(moment) => (moment.lo(), width(moment).map_or(StartShape::Exact, StartShape::Wide)),
        Start::By(held) => (held, StartShape::By),
        Start::Unknown => (Instant::DISTANT_PAST, StartShape::Unknown),
        Start::Always => (Instant::DISTANT_PAST, StartShape::Always),
    };
    let (end, end_shape) = match end {
        End::At(moment) => (moment.hi(), width(moment).map_or(EndShape::Exact, EndShape::Wide)),
        End::By(over) => (over, EndShape::By),
        End::Open => (Instant::DISTANT_FUTURE, EndShape::Open),
    };
    (start.micros(), end.micros(), (start_shape, end_shape))
}

/// The width of a granule; `None` of an exact moment.
fn width(moment: Moment) -> Option<i64> {
    if moment.is_exact() { None } else { Some(moment.hi().micros().saturating_sub(moment.lo().micros())) }
}

fn moment(lo: i64, hi: i64) -> Moment {
    let exact = Moment::exact(Instant::from_micros(lo));
    Moment::granule(Instant::from_micros(lo), Instant::from_micros(hi)).unwrap_or(exact)
}

/// A fact as its head or its tail has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Record {
    /// Valid time: the earliest possible instant; of a `By` start, its instant.
    pub(super) start: i64,
    /// Valid time: the end of the possible instants, exclusive.
    pub(super) end: i64,
    /// The term at the other end.
    pub(super) other: u32,
    /// From the top: direction (1 bit, 1 is incoming), relation (16), flags (5), code of the span's shape (10).
    pub(super) meta: u32,
    /// The first claim.
    pub(super) claim: u32,
    /// The transaction since which it is believed as it stands.
    pub(super) tx_from: u32,
}

/// The relations from here on share this number, and are told apart by the claim.
pub(super) const MANY_RELATIONS: u32 = 0xffff;
const RELATION_BITS: u32 = 15;
const INCOMING: u32 = 1 << 31;
const EARLY: u32 = 1 << 14;
const CONTESTED: u32 = 1 << 13;
const IN_CONTEXT: u32 = 1 << 12;
const DETAILED: u32 = 1 << 11;
const LITERAL: u32 = 1 << 10;
const CODE: u32 = LITERAL - 1;
/// The codes below this one are certain wherever they are possible.
const EXACT_CODES: u32 = 5;

/// What a record has no room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    pub(super) start: Start,
    pub(super) end: End,
    pub(super) challenged_from: Option<Instant>,
    pub(super) hidden: Vec<(Instant, Instant)>,
}

/// What a record says beside its valid time.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(super) enum Mark {
    /// It already held at `start` and began some time before.
    Early = EARLY,
    /// It is contested.
    Contested = CONTESTED,
    /// It is in a named graph.
    InContext = IN_CONTEXT,
    /// It has a [`Detail`].
    Detailed = DETAILED,
    /// Its tail is a literal.
    Literal = LITERAL,
}

impl Record {
    /// The record of a fact at its head, without marks.
    pub(super) fn outgoing(packed: Packed, relation: u32, tail: u32, claim: u32, tx_from: u32) -> Self {
        // A shape without room for its code has a detail.
        let meta = relation.min(MANY_RELATIONS) << RELATION_BITS | packed.code.min(CODE);
        Self { start: packed.start, end: packed.end, other: tail, meta, claim, tx_from }
    }

    /// The same record with a mark, if it is so.
    pub(super) fn marked(self, mark: Mark, is_so: bool) -> Self {
        Self { meta: self.meta | if is_so { mark as u32 } else { 0 }, ..self }
    }

    /// Whether the code of a span's shape fits.
    pub(super) fn fits(code: u32) -> bool {
        code < CODE
    }

    /// The same fact at its tail.
    pub(super) fn incoming(self, head: u32) -> Self {
        Self { other: head, meta: self.meta | INCOMING, ..self }
    }

    /// Whether the term that has the record is the fact's head.
    pub(super) fn is_outgoing(self) -> bool {
        self.meta & INCOMING == 0
    }

    /// The key that it has in a run.
    #[inline]
    pub(super) fn key_in(self, run: u32) -> u128 {
        // The sign bit is turned so that unsigned order is the order of time.
        let start = u64::from_le_bytes(self.start.to_le_bytes()) ^ (1 << 63);
        u128::from(run) << 96 | u128::from(start) << 32 | u128::from(self.claim)
    }

    /// The least and the greatest key of a run.
    #[inline]
    pub(super) fn keys_of(run: u32) -> (u128, u128) {
        (u128::from(run) << 96, ((u128::from(run) + 1) << 96) - 1)
    }

    /// Direction and relation, in the order of the adjacency.
    #[inline]
    pub(super) fn run(self) -> u32 {
        self.meta >> RELATION_BITS
    }

    /// The run of a relation in one direction.
    pub(super) fn run_of(relation: u32, outgoing: bool) -> u32 {
        relation.min(MANY_RELATIONS) | if outgoing { 0 } else { INCOMING >> RELATION_BITS }
    }

    /// The relation; [`MANY_RELATIONS`] where only the claim tells.
    pub(super) fn relation(self) -> u32 {
        self.run() & MANY_RELATIONS
    }

    pub(super) fn is_contested(self) -> bool {
        self.meta & CONTESTED != 0
    }

    pub(super) fn is_in_context(self) -> bool {
        self.meta & IN_CONTEXT != 0
    }

    /// Whether the fact's tail is a literal.
    pub(super) fn has_literal(self) -> bool {
        self.meta & LITERAL != 0
    }

    pub(super) fn is_detailed(self) -> bool {
        self.meta & DETAILED != 0
    }

    /// Whether it has not ended.
    pub(super) fn is_open(self) -> bool {
        self.end == i64::MAX
    }

    pub(super) fn packed(self) -> Packed {
        Packed { start: self.start, end: self.end, code: self.meta & CODE }
    }

    /// Whether it is possible at some instant of `[from, until)`, hidden stretches apart.
    #[inline]
    pub(super) fn meets(self, from: i64, until: i64) -> bool {
        let early = self.meta & EARLY != 0;
        (self.start < until && self.start < self.end || early) && from < self.end
    }

    /// Whether it is certain over all of `[from, until)`, given that it meets it and has no detail.
    #[inline]
    pub(super) fn certainty(self, shapes: &Shapes, from: i64, until: i64) -> Certainty {
        let (start, end) = if self.meta & CODE < EXACT_CODES { (self.start, self.end) } else { shapes.certain(self.packed()) };
        if start <= from && until <= end { Certainty::Certain } else { Certainty::Possible }
    }
}

impl Detail {
    /// Whether it holds over or within `[from, until)`.
    pub(super) fn certainty(&self, from: i64, until: i64) -> Option<Certainty> {
        let possible = possible_extent(self.start, self.end)?;
        let (lo, hi) = (possible.lo().micros().max(from), possible.hi().micros().min(until));
        if lo >= hi {
            return None;
        }
        // The hidden stretches are sorted and disjoint: what they leave of the possible part is what lies in a gap.
        let mut gap = lo;
        let mut overlaps = false;
        let mut shown = false;
        for (from, to) in &self.hidden {
            overlaps |= from.micros() < hi && lo < to.micros();
            shown |= gap < from.micros().min(hi);
            gap = gap.max(to.micros());
        }
        shown |= gap < hi;
        let throughout = |certain: Extent| certain.lo().micros() <= from && until <= certain.hi().micros();
        let certain = !overlaps && certain_extent(self.start, self.end).is_some_and(throughout);
        match (shown, certain) {
            (false, _) => None,
            (true, true) => Some(Certainty::Certain),
            (true, false) => Some(Certainty::Possible),
        }
    }
}

impl Entry for Record {
    #[inline]
    fn key(&self) -> u128 {
        self.key_in(self.run())
    }

    #[inline]
    fn zone(&self) -> Zone {
        let start = if self.meta & EARLY != 0 { i64::MIN } else { self.start };
        Zone { start, end: self.end, tx_from: self.tx_from, tx_to: u32::MAX }
    }
}

/// A fact as it was believed until a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Past {
    pub(super) record: Record,
    /// The first transaction at which it is no longer believed.
    pub(super) tx_to: u32,
    /// One more than the number of its detail; 0 where it has none.
    pub(super) detail: u32,
}

impl Entry for Past {
    fn key(&self) -> u128 {
        self.record.key()
    }

    fn zone(&self) -> Zone {
        Zone { tx_to: self.tx_to, ..self.record.zone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Instant {
        Instant::from_micros(micros)
    }

    #[test]
    fn every_shape_survives_packing_and_agrees_with_time() {
        let granule = |lo, hi| Moment::granule(at(lo), at(hi)).unwrap();
        let starts = [Start::At(Moment::exact(at(3))), Start::At(granule(2, 5)), Start::By(at(3)), Start::Unknown, Start::Always];
        let exact = |tick| End::At(Moment::exact(at(tick)));
        let ends = [exact(7), exact(3), exact(2), End::At(granule(4, 9)), End::By(at(8)), End::By(at(3)), End::Open];
        let (mut shapes, mut codes) = (Shapes::default(), ShapeCodes::default());
        for start in starts {
            for end in ends {
                let packed = shapes.pack(&mut codes, start, end);
                assert_eq!(shapes.unpack(packed), (start, end));
                let early = matches!(start, Start::By(_));
                let record = Record::outgoing(packed, 1, 0, 0, 0).marked(Mark::Early, early);
                let detail = Detail { start, end, challenged_from: None, hidden: Vec::new() };
                for lo in 0..12 {
                    for hi in lo..12 {
                        let (from, until) = if lo == hi { (lo, lo + 1) } else { (lo, hi) };
                        let expected = crate::time::certainty(start, end, granule(lo, hi));
                        let got = record.meets(from, until).then(|| record.certainty(&shapes, from, until));
                        assert_eq!(got, expected, "{start:?} {end:?} over [{lo}, {hi})");
                        assert_eq!(detail.certainty(from, until), expected, "{start:?} {end:?} over [{lo}, {hi}) in detail");
                    }
                }
            }
        }
    }

    #[test]
    fn a_point_is_hidden_where_its_instant_is() {
        let point = Moment::exact(at(3));
        let detail = |hidden: &[(i64, i64)]| Detail {
            start: Start::At(point),
            end: End::At(point),
            challenged_from: Some(at(0)),
            hidden: hidden.iter().map(|(from, to)| (at(*from), at(*to))).collect(),
        };
        assert_eq!([2, 3, 4].map(|from| detail(&[]).certainty(from, from + 1)), [None, Some(Certainty::Certain), None]);
        assert_eq!(detail(&[]).certainty(0, 9), Some(Certainty::Possible), "not throughout");
        assert_eq!([(3, 4), (0, 9)].map(|(from, until)| detail(&[(3, 4)]).certainty(from, until)), [None; 2]);
    }

    #[test]
    fn what_is_hidden_does_not_hold() {
        let detail = |hidden: &[(i64, i64)]| Detail {
            start: Start::At(Moment::exact(at(0))),
            end: End::At(Moment::exact(at(10))),
            challenged_from: None,
            hidden: hidden.iter().map(|(from, to)| (at(*from), at(*to))).collect(),
        };
        assert_eq!(detail(&[(2, 4)]).certainty(1, 2), Some(Certainty::Certain));
        assert_eq!(detail(&[(2, 4)]).certainty(2, 3), None);
        assert_eq!(detail(&[(2, 4)]).certainty(4, 5), Some(Certainty::Certain));
        assert_eq!(detail(&[(2, 4)]).certainty(1, 5), Some(Certainty::Possible));
        assert_eq!(detail(&[(2, 4)]).certainty(2, 4), None);
        assert_eq!(detail(&[(0, 4), (4, 10)]).certainty(0, 20), None);
        assert_eq!(detail(&[(0, 4), (5, 10)]).certainty(0, 20), Some(Certainty::Possible));
    }
}
