//! Spans: what a claim says of when something began and ended; whether something holds at a moment; and positions to read at.
//! Knows nothing of what it is that began.

use super::{Extent, Instant, Moment, TimeError, Zone, parse_span};
use std::fmt;
use std::str::FromStr;

/// When something began to hold.
///
/// Displayed as text that [`parse_start`](super::parse_start) reads back in UTC: a moment, `by 2021-05`, `unknown`, `always`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// It began at this moment.
    At(Moment),
    /// It already held at this instant and began some time before.
    By(Instant),
    /// Nothing is said of its beginning ("used to").
    Unknown,
    /// It has no beginning.
    Always,
}

impl Start {
    /// The earliest instant it may have begun; −∞ where it has no such bound.
    #[must_use]
    pub const fn lo(self) -> Instant {
        match self {
            Self::At(moment) => moment.lo(),
            Self::By(_) | Self::Unknown | Self::Always => Instant::DISTANT_PAST,
        }
    }

    /// The instant from which it has surely begun; ∞ where it has no such bound (`Unknown`), −∞ for `Always`.
    #[must_use]
    pub const fn hi(self) -> Instant {
        match self {
            Self::At(moment) => moment.hi(),
            Self::By(instant) => instant,
            Self::Unknown => Instant::DISTANT_FUTURE,
            Self::Always => Instant::DISTANT_PAST,
        }
    }

    /// In words: `in 2019`, `on 2019-06-03`, `from 2019-06-03T10:00:00Z`, `by 2021-05`, `unknown`, `always`.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::At(moment) if moment.is_exact() => format!("from {moment}"),
            Self::At(moment) => during(moment),
            Self::By(_) | Self::Unknown | Self::Always => self.to_string(),
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::At(moment) => moment.fmt(f),
            Self::By(instant) => write_by(f, instant),
            Self::Unknown => f.write_str("unknown"),
            Self::Always => f.write_str("always"),
        }
    }
}

/// When something ceased to hold.
///
/// Displayed as text that [`parse_end`](super::parse_end) reads back in UTC: a moment, `by 2024-03`, `open`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// It ended at this moment; exclusive.
    At(Moment),
    /// It was over by this instant.
    By(Instant),
    /// Until further notice.
    Open,
}

impl End {
    /// The instant until which it has surely not ended; −∞ for `By`, ∞ for `Open`.
    #[must_use]
    pub const fn lo(self) -> Instant {
        match self {
            Self::At(moment) => moment.lo(),
            Self::By(_) => Instant::DISTANT_PAST,
            Self::Open => Instant::DISTANT_FUTURE,
        }
    }

    /// The instant from which it is surely over; ∞ for `Open`.
    #[must_use]
    pub const fn hi(self) -> Instant {
        match self {
            Self::At(moment) => moment.hi(),
            Self::By(instant) => instant,
            Self::Open => Instant::DISTANT_FUTURE,
        }
    }

    /// In words: `until 2019`, `over by 2024-03`, `open`.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::At(moment) => format!("until {moment}"),
            Self::By(_) => format!("over {self}"),
            Self::Open => self.to_string(),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::At(moment) => moment.fmt(f),
            Self::By(instant) => write_by(f, instant),
            Self::Open => f.write_str("open"),
        }
    }
}

/// `by` and the widest granule that ends at the instant, or else the instant.
fn write_by(f: &mut fmt::Formatter<'_>, instant: Instant) -> fmt::Result {
    match Moment::ending_at(instant) {
        Some(granule) => write!(f, "by {granule}"),
        None => write!(f, "by {instant}"),
    }
}

/// `in 2019`, but `on` a day, `at` a time of day, and `within` a granule that has no name.
fn during(moment: Moment) -> String {
    let name = moment.to_string();
    let preposition = match name.as_bytes() {
        [b'[', ..] => "within",
        [.., b'Z'] => "at",
        [.., b'-', a, b, b'-', _, _] if a.is_ascii_digit() && b.is_ascii_digit() => "on",
        _ => "in",
    };
    format!("{preposition} {name}")
}

/// What one claim says of its valid time: a start and an end.
///
/// Displayed as an interval that is EDTF's where EDTF has one, and that reading it back in UTC ([`FromStr`]) gives again: `2015/2019`,
/// `2015/..` (open), `../2019` (always), `/2019` (unknown), `by 2021-05/..`, `/by 2024-03`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    start: Start,
    end: End,
}

impl Span {
    /// The span from `start` to `end`.
    ///
    /// # Errors
    /// [`TimeError::Inconsistent`] if no end that it allows comes at or after a start that it allows: the end is over before the earliest
    /// start (a year 2015 before a year 2016), or before the instant `By` which it already held; or if an `Unknown` start meets an
    /// `Open` end, which says nothing.
    pub fn new(start: Start, end: End) -> Result<Self, TimeError> {
        let contradict = match (start, end) {
            (Start::At(begins), End::At(ends)) => ends.hi() < begins.lo() || ends.hi() == begins.lo() && !ends.is_exact(),
            (Start::At(begins), End::By(over)) => over < begins.lo(),
            (Start::By(held), End::At(_) | End::By(_)) => end.hi() < held,
            (Start::Unknown | Start::Always, _) | (_, End::Open) => false,
        };
        if contradict {
            return Err(TimeError::Inconsistent { reason: format!("the end ({end}) lies before the start ({start})") });
        }
        if start == Start::Unknown && end == End::Open {
            return Err(TimeError::Inconsistent { reason: "an unknown start with an open end says nothing".to_owned() });
        }
        Ok(Self { start, end })
    }

    /// When it began.
    #[must_use]
    pub const fn start(self) -> Start {
        self.start
    }

    /// When it ended.
    #[must_use]
    pub const fn end(self) -> End {
        self.end
    }

    /// Where it certainly holds, `[start.hi, end.lo)`; `None` where that is nowhere.
    #[must_use]
    pub fn certain(self) -> Option<Extent> {
        Extent::new(self.start.hi(), self.end.lo())
    }

    /// Where it possibly or certainly holds, `[start.lo, end.hi)`; `None` where that is nowhere.
    #[must_use]
    pub fn possible(self) -> Option<Extent> {
        Extent::new(self.start.lo(), self.end.hi())
    }

    /// Whether it holds at the moment; see [`certainty`].
    #[must_use]
    pub fn certainty(self, valid_at: Moment) -> Option<Certainty> {
        certainty(self.start, self.end, valid_at)
    }

    /// In words: `since 2015`, `since before 2021-06`, `in 2019`, `from 2015 until 2019`, `until 2019`, `over by 2024-03`, `always`.
    ///
    /// `since before` names what begins at the instant of a `By` start, and `by` what ends there.
    #[must_use]
    pub fn describe(self) -> String {
        let start = match self.start {
            Start::At(begins) => match self.end {
                End::At(ends) if ends == begins && !begins.is_exact() => return during(begins),
                End::Open => return format!("since {begins}"),
                End::At(_) | End::By(_) => format!("from {begins}"),
            },
            Start::By(held) => match Moment::beginning_at(held) {
                Some(granule) => format!("since before {granule}"),
                None => format!("since before {held}"),
            },
            Start::Unknown => return self.end.describe(),
            Start::Always => "always".to_owned(),
        };
        match self.end {
            End::At(ends) => format!("{start} until {ends}"),
            End::By(_) => format!("{start}, over {}", self.end),
            End::Open => start,
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.start {
            Start::At(_) | Start::By(_) => self.start.fmt(f)?,
            Start::Unknown => {}
            Start::Always => f.write_str("..")?,
        }
        f.write_str("/")?;
        match self.end {
            End::At(_) | End::By(_) => self.end.fmt(f),
            End::Open => f.write_str(".."),
        }
    }
}

impl FromStr for Span {
    type Err = TimeError;

    /// Reads an interval, or one moment as the start of an open one, in UTC; see [`parse_span`].
    fn from_str(text: &str) -> Result<Self, TimeError> {
        parse_span(Some(text), None, &Zone::UTC)
    }
}

/// Whether a fact surely holds at the instant asked for, or only may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It may hold: the instant lies inside `[start.lo, end.hi)` but outside the certain part.
    Possible,
    /// It holds: the instant lies inside `[start.hi, end.lo)`.
    Certain,
}

/// Whether what began at `start` and ended at `end` (valid time) holds at `valid_at`; `None` where it surely does not.
///
/// Extents are half-open: at an exact instant, certain inside `[start.hi, end.lo)` and possible inside `[start.lo, end.hi)` outside
/// that. Over a granule, certain if certain at every instant of it, possible if possible at any. An extent without an instant inside (an exact start
/// that is its own end) holds nowhere.
///
/// ```
/// use erstwhile::time::{Certainty, Zone, certainty, parse_moment, parse_span};
///
/// let utc = Zone::UTC;
/// let span = parse_span(Some("2015"), Some("2019"), &utc)?;
/// let at = |text| Ok::<_, erstwhile::time::TimeError>(certainty(span.start(), span.end(), parse_moment(text, &utc)?));
/// assert_eq!(at("2017")?, Some(Certainty::Certain));
/// assert_eq!(at("2015-06-01")?, Some(Certainty::Possible));
/// assert_eq!(at("2020")?, None);
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
#[must_use]
pub fn certainty(start: Start, end: End, valid_at: Moment) -> Option<Certainty> {
    let (lo, hi) = (valid_at.lo(), valid_at.hi());
    let (certain, possible) = if lo == hi {
        (start.hi() <= lo && lo < end.lo(), start.lo() <= lo && lo < end.hi())
    } else {
        (start.hi() <= lo && hi <= end.lo(), start.lo() < hi && lo < end.hi() && start.lo() < end.hi())
    };
    if certain {
        Some(Certainty::Certain)
    } else if possible {
        Some(Certainty::Possible)
    } else {
        None
    }
}

/// A position on the transaction-time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KnownAt {
    /// All that has been recorded in the snapshot that is read.
    Latest,
    /// What had been recorded by, and not retracted at, this instant (inclusive).
    At(Instant),
}

/// A reading position on both times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AsOf {
    /// Valid time: an instant, or a moment over which *certain* means throughout and *possible* means at any instant of it.
    pub valid_at: Moment,
    /// Transaction time.
    pub known_at: KnownAt,
}
