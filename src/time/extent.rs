//! Extents: proper stretches `[lo, hi)` of the line, and the thirteen ways in which two of them relate. Knows nothing of uncertainty.

use super::Instant;
use std::cmp::Ordering;
use std::fmt;

/// A stretch of the line, `[lo, hi)`, of which at least one instant is inside.
///
/// ```
/// use erstwhile::time::{Allen, Extent, Instant};
///
/// let at = Instant::from_micros;
/// let (a, b) = (Extent::new(at(0), at(2)).unwrap(), Extent::new(at(2), at(5)).unwrap());
/// assert_eq!(a.relation(b), Allen::Meets);
/// assert!(!a.overlaps(b));
/// assert_eq!(Extent::new(at(2), at(2)), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Extent {
    lo: Instant,
    hi: Instant,
}

impl Extent {
    /// From −∞ to ∞.
    pub const EVER: Self = Self { lo: Instant::DISTANT_PAST, hi: Instant::DISTANT_FUTURE };

    /// The extent `[lo, hi)`, or `None` where no instant is inside.
    #[must_use]
    pub fn new(lo: Instant, hi: Instant) -> Option<Self> {
        (lo < hi).then_some(Self { lo, hi })
    }

    /// The extent of one instant, the shortest there is; `None` of the end of the line.
    #[must_use]
    pub fn at(instant: Instant) -> Option<Self> {
        Self::new(instant, instant.saturating_add(1))
    }

    /// The first instant, inclusive; −∞ where it has no beginning.
    #[must_use]
    pub const fn lo(self) -> Instant {
        self.lo
    }

    /// The end, exclusive; ∞ where it has none.
    #[must_use]
    pub const fn hi(self) -> Instant {
        self.hi
    }

    /// Whether the instant is inside.
    #[must_use]
    pub fn contains(self, at: Instant) -> bool {
        self.lo <= at && at < self.hi
    }

    /// Whether every instant of `other` is inside.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// Whether some instant is inside both.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.lo < other.hi && other.lo < self.hi
    }

    /// The instants inside both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        Self::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// Whether it is over when `other` begins.
    #[must_use]
    pub fn meets_or_precedes(self, other: Self) -> bool {
        self.hi <= other.lo
    }

    /// How this extent relates to `other`: exactly one of the thirteen.
    #[must_use]
    pub fn relation(self, other: Self) -> Allen {
        match (self.lo.cmp(&other.lo), self.hi.cmp(&other.hi)) {
            (Ordering::Equal, Ordering::Equal) => Allen::Equals,
            (Ordering::Equal, Ordering::Less) => Allen::Starts,
            (Ordering::Equal, Ordering::Greater) => Allen::StartedBy,
            (Ordering::Greater, Ordering::Equal) => Allen::Finishes,
            (Ordering::Less, Ordering::Equal) => Allen::FinishedBy,
            (Ordering::Greater, Ordering::Less) => Allen::During,
            (Ordering::Less, Ordering::Greater) => Allen::Contains,
            (Ordering::Less, Ordering::Less) => match self.hi.cmp(&other.lo) {
                Ordering::Less => Allen::Precedes,
                Ordering::Equal => Allen::Meets,
                Ordering::Greater => Allen::Overlaps,
            },
            (Ordering::Greater, Ordering::Greater) => match other.hi.cmp(&self.lo) {
                Ordering::Less => Allen::PrecededBy,
                Ordering::Equal => Allen::MetBy,
                Ordering::Greater => Allen::OverlappedBy,
            },
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.lo, self.hi)
    }
}

/// How one extent relates to another.
///
/// Source: Allen 1983, "Maintaining knowledge about temporal intervals".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allen {
    /// It is over before the other begins, with time between.
    Precedes,
    /// It ends where the other begins.
    Meets,
    /// It begins first, and ends inside the other.
    Overlaps,
    /// It begins first, and they end together.
    FinishedBy,
    /// It begins first, and ends last.
    Contains,
    /// They begin together, and it ends first.
    Starts,
    /// They begin and end together.
    Equals,
    /// They begin together, and it ends last.
    StartedBy,
    /// It begins last, and ends first.
    During,
    /// It begins last, and they end together.
    Finishes,
    /// It begins inside the other, and ends last.
    OverlappedBy,
    /// It begins where the other ends.
    MetBy,
    /// It begins after the other is over, with time between.
    PrecededBy,
}

impl Allen {
    /// All thirteen.
    pub const ALL: [Self; 13] = [
        Self::Precedes,
        Self::Meets,
        Self::Overlaps,
        Self::FinishedBy,
        Self::Contains,
        Self::Starts,
        Self::Equals,
        Self::StartedBy,
        Self::During,
        Self::Finishes,
        Self::OverlappedBy,
        Self::MetBy,
        Self::PrecededBy,
    ];

    /// How the other one relates to this one.
    #[must_use]
    pub const fn converse(self) -> Self {
        match self {
            Self::Precedes => Self::PrecededBy,
            Self::Meets => Self::MetBy,
            Self::Overlaps => Self::OverlappedBy,
            Self::FinishedBy => Self::Finishes,
            Self::Contains => Self::During,
            Self::Starts => Self::StartedBy,
            Self::Equals => Self::Equals,
            Self::StartedBy => Self::Starts,
            Self::During => Self::Contains,
            Self::Finishes => Self::FinishedBy,
            Self::OverlappedBy => Self::Overlaps,
            Self::MetBy => Self::Meets,
            Self::PrecededBy => Self::Precedes,
        }
    }

    /// Whether the two share an instant.
    #[must_use]
    pub const fn overlaps(self) -> bool {
        !matches!(self, Self::Precedes | Self::Meets | Self::MetBy | Self::PrecededBy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extents() -> Vec<Extent> {
        let ticks = 0..5;
        ticks
            .clone()
            .flat_map(|lo| ticks.clone().filter_map(move |hi| Extent::new(Instant::from_micros(lo), Instant::from_micros(hi))))
            .collect()
    }

    /// The thirteen relations as Allen defines them, each on its own.
    fn holds(relation: Allen, a: Extent, b: Extent) -> bool {
        match relation {
            Allen::Precedes => a.hi < b.lo,
            Allen::Meets => a.hi == b.lo,
            Allen::Overlaps => a.lo < b.lo && b.lo < a.hi && a.hi < b.hi,
            Allen::FinishedBy => a.lo < b.lo && a.hi == b.hi,
            Allen::Contains => a.lo < b.lo && b.hi < a.hi,
            Allen::Starts => a.lo == b.lo && a.hi < b.hi,
            Allen::Equals => a.lo == b.lo && a.hi == b.hi,
            Allen::StartedBy | Allen::During | Allen::Finishes | Allen::OverlappedBy | Allen::MetBy | Allen::PrecededBy => {
                holds(relation.converse(), b, a)
            }
        }
    }

    #[test]
    fn every_pair_on_a_five_tick_line_has_exactly_one_relation() {
        let mut seen = [0; 13];
        for a in extents() {
            for b in extents() {
                let holding: Vec<_> = Allen::ALL.into_iter().filter(|&relation| holds(relation, a, b)).collect();
                assert_eq!(holding, [a.relation(b)], "{a} {b}");
                assert_eq!(b.relation(a), a.relation(b).converse(), "{a} {b}");
                seen[Allen::ALL.iter().position(|&relation| relation == a.relation(b)).unwrap()] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
        assert_eq!(seen.iter().sum::<i32>(), 100);
    }

    #[test]
    fn set_operations_agree_with_the_ticks_inside() {
        let inside = |extent: Extent| (0..5).filter(|&tick| extent.contains(Instant::from_micros(tick))).collect::<Vec<_>>();
        for a in extents() {
            for b in extents() {
                let (in_a, in_b) = (inside(a), inside(b));
                let both: Vec<_> = in_a.iter().copied().filter(|tick| in_b.contains(tick)).collect();
                assert_eq!(a.overlaps(b), !both.is_empty(), "{a} {b}");
                assert_eq!(a.relation(b).overlaps(), a.overlaps(b), "{a} {b}");
                assert_eq!(a.intersection(b).map(inside).unwrap_or_default(), both, "{a} {b}");
                assert_eq!(a.covers(b), both == in_b, "{a} {b}");
                assert_eq!(a.meets_or_precedes(b), in_a.last() < in_b.first(), "{a} {b}");
            }
        }
    }

    #[test]
    fn converse_is_an_involution() {
        for relation in Allen::ALL {
            assert_eq!(relation.converse().converse(), relation);
            assert_eq!(relation.converse() == relation, relation == Allen::Equals);
        }
    }

    #[test]
    fn an_extent_has_an_instant_inside() {
        let at = Instant::from_micros;
        assert_eq!(Extent::new(at(1), at(1)), None);
        assert_eq!(Extent::new(at(2), at(1)), None);
        assert_eq!(Extent::at(at(2)), Extent::new(at(2), at(3)));
        assert!(Extent::EVER.contains(Instant::MIN) && Extent::EVER.contains(Instant::MAX));
        assert_eq!(Extent::EVER.to_string(), "[-∞, ∞)");
    }
}
