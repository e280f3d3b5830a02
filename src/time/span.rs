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
        self.describe_in(&Zone::UTC)
    }

    /// In the words of [`Start::describe`], with the names that the zone has for moments.
    #[must_use]
    pub fn describe_in(self, zone: &Zone) -> String {
        match self {
            Self::At(moment) if moment.is_exact() => format!("from {}", moment.words(*zone)),
            Self::At(moment) => during(moment, *zone),
            Self::By(held) => by(held, *zone),
            Self::Unknown => "unknown".to_owned(),
            Self::Always => "always".to_owned(),
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
        self.describe_in(&Zone::UTC)
    }

    /// In the words of [`End::describe`], with the names that the zone has for moments.
    #[must_use]
    pub fn describe_in(self, zone: &Zone) -> String {
        match self {
            Self::At(moment) => format!("until {}", moment.words(*zone)),
            Self::By(over) => format!("over {}", by(over, *zone)),
            Self::Open => "open".to_owned(),
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
    match Moment::ending_at(instant, Zone::UTC) {
        Some(granule) => write!(f, "by {granule}"),
        None => write!(f, "by {instant}"),
    }
}

/// As [`write_by`], with the names that the zone has.
fn by(instant: Instant, zone: Zone) -> String {
    format!("by {}", Moment::ending_at(instant, zone).unwrap_or(Moment::exact(instant)).words(zone))
}

/// `in 2019`, but `on` a day, `at` a time of day, and `within` a granule that has no name.
fn during(moment: Moment, zone: Zone) -> String {
    let words = moment.words(zone);
    let preposition = match words.as_bytes() {
        [b'[', ..] => "within",
        name if name.contains(&b'T') => "at",
        [.., b'-', a, b, b'-', _, _] if a.is_ascii_digit() && b.is_ascii_digit() => "on",
        _ => "in",
    };
    format!("{preposition} {words}")
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

    /// Where it certainly holds, `[start.hi, end.lo)`; `None` where that is nowhere. An exact start that is its own end is one instant.
    #[must_use]
    pub fn certain(self) -> Option<Extent> {
        certain_extent(self.start, self.end)
    }

    /// Where it possibly or certainly holds, `[start.lo, end.hi)`; `None` where that is nowhere. An exact start that is its own end is
    /// one instant.
    #[must_use]
    pub fn possible(self) -> Option<Extent> {
        possible_extent(self.start, self.end)
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
        self.describe_in(&Zone::UTC)
    }

    /// In the words of [`Span::describe`], with the names that the zone has for moments.
    #[must_use]
    pub fn describe_in(self, zone: &Zone) -> String {
        let start = match self.start {
            Start::At(begins) => match self.end {
                End::At(ends) if ends == begins && !begins.is_exact() => return during(begins, *zone),
                End::Open => return format!("since {}", begins.words(*zone)),
                End::At(_) | End::By(_) => format!("from {}", begins.words(*zone)),
            },
            Start::By(held) => {
                let beginning = Moment::beginning_at(held, *zone).unwrap_or(Moment::exact(held));
                format!("since before {}", beginning.words(*zone))
            }
            Start::Unknown => return self.end.describe_in(zone),
            Start::Always => "always".to_owned(),
        };
        match self.end {
            End::At(_) => format!("{start} {}", self.end.describe_in(zone)),
            End::By(_) => format!("{start}, {}", self.end.describe_in(zone)),
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
/// that. Over a granule, certain if certain at every instant of it, possible if possible at any.
///
/// An exact start that is its own end (something that happened at an instant) is that one instant: certain there, possible over
/// every granule that contains it. Any other extent without an instant inside holds nowhere.
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
    let (certain, possible) = if let Some(at) = sole_instant(start, end) {
        (lo == at && hi <= at.saturating_add(1), lo == at || lo < at && at < hi)
    } else if lo == hi {
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

/// Where what began at `start` and ended at `end` (valid time) certainly holds; see [`Span::certain`].
#[must_use]
pub fn certain_extent(start: Start, end: End) -> Option<Extent> {
    match sole_instant(start, end) {
        Some(at) => Extent::at(at),
        None => Extent::new(start.hi(), end.lo()),
    }
}

/// Where what began at `start` and ended at `end` (valid time) possibly or certainly holds; see [`Span::possible`].
#[must_use]
pub fn possible_extent(start: Start, end: End) -> Option<Extent> {
    match sole_instant(start, end) {
        Some(at) => Extent::at(at),
        None => Extent::new(start.lo(), end.hi()),
    }
}

/// The instant that is all of what began at `start` and ended at `end` (valid time): an exact start that is its own end; `None` of
/// anything else.
#[must_use]
pub fn sole_instant(start: Start, end: End) -> Option<Instant> {
    match (start, end) {
        (Start::At(begins), End::At(ends)) if begins.is_exact() && begins == ends => Some(begins.lo()),
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{parse_moment, parse_start};

    fn at(tick: i64) -> Instant {
        Instant::from_micros(tick)
    }

    fn moments() -> Vec<Moment> {
        (0..5).flat_map(|lo| (lo..5).map(move |hi| Moment::granule(at(lo), at(hi)).unwrap())).collect()
    }

    fn starts() -> Vec<Start> {
        let mut starts: Vec<_> = moments().into_iter().map(Start::At).collect();
        starts.extend((0..5).map(|tick| Start::By(at(tick))));
        starts.extend([Start::Unknown, Start::Always]);
        starts
    }

    fn ends() -> Vec<End> {
        let mut ends: Vec<_> = moments().into_iter().map(End::At).collect();
        ends.extend((0..5).map(|tick| End::By(at(tick))));
        ends.push(End::Open);
        ends
    }

    const NEVER: i64 = 100;
    const EVER: i64 = -100;

    /// Every tick at which it may have begun; a granule's end stands for the last instants before it.
    fn begins(start: Start) -> Vec<i64> {
        match start {
            Start::At(moment) => (moment.lo().micros()..=moment.hi().micros()).collect(),
            Start::By(by) => (EVER..=by.micros()).collect(),
            Start::Unknown => (EVER..=NEVER).collect(),
            Start::Always => vec![EVER],
        }
    }

    fn ended(end: End) -> Vec<i64> {
        match end {
            End::At(moment) => (moment.lo().micros()..=moment.hi().micros()).collect(),
            End::By(by) => (EVER..=by.micros()).collect(),
            End::Open => vec![NEVER],
        }
    }

    #[test]
    fn certainty_agrees_with_every_possible_history_on_a_five_tick_line() {
        for start in starts() {
            for end in ends() {
                let (begins, ended) = (begins(start), ended(end));
                // What can only begin and end at one tick is at that tick.
                let is_at = |tick: i64| begins == [tick] && ended == [tick];
                let always = |tick: i64| is_at(tick) || begins.iter().all(|&b| b <= tick) && ended.iter().all(|&e| tick < e);
                let sometimes = |tick: i64| is_at(tick) || begins.iter().any(|&b| b <= tick) && ended.iter().any(|&e| tick < e);
                for valid_at in moments() {
                    let (lo, hi) = (valid_at.lo().micros(), valid_at.hi().micros());
                    let mut ticks = lo..hi.max(lo + 1);
                    let expected = if ticks.clone().all(always) {
                        Some(Certainty::Certain)
                    } else {
                        ticks.any(sometimes).then_some(Certainty::Possible)
                    };
                    assert_eq!(certainty(start, end, valid_at), expected, "{start:?} {end:?} {valid_at:?}");
                }
            }
        }
    }

    #[test]
    fn a_span_is_rejected_exactly_if_no_end_of_it_can_follow_a_start() {
        // Ticks are too coarse for a granule's open end, so granules are ten ticks wide here.
        let instants =
            |moment: Moment| if moment.is_exact() { vec![moment.lo()] } else { vec![moment.lo(), moment.hi().saturating_sub(1)] };
        let wide = |moment: Moment| Moment::granule(at(moment.lo().micros() * 10), at(moment.hi().micros() * 10)).unwrap();
        for begins in moments().into_iter().map(wide) {
            for ends in moments().into_iter().map(wide) {
                let possible = instants(begins).iter().any(|begin| instants(ends).iter().any(|end| begin <= end));
                assert_eq!(Span::new(Start::At(begins), End::At(ends)).is_ok(), possible, "{begins:?} {ends:?}");
                let possible = instants(begins).iter().any(|&begin| begin <= ends.hi());
                assert_eq!(Span::new(Start::At(begins), End::By(ends.hi())).is_ok(), possible, "{begins:?} by {ends:?}");
                assert_eq!(Span::new(Start::By(begins.hi()), End::At(ends)).is_ok(), begins.hi() <= ends.hi(), "by {begins:?} {ends:?}");
            }
        }
        assert!(Span::new(Start::Unknown, End::Open).is_err());
        assert!(Span::new(Start::Always, End::Open).is_ok());
    }

    #[test]
    fn bounds_are_sentinels_where_they_are_missing() {
        let (past, future) = (Instant::DISTANT_PAST, Instant::DISTANT_FUTURE);
        assert_eq!((Start::By(at(3)).lo(), Start::By(at(3)).hi()), (past, at(3)));
        assert_eq!((Start::Always.lo(), Start::Always.hi()), (past, past));
        assert_eq!((Start::Unknown.lo(), Start::Unknown.hi()), (past, future));
        assert_eq!((End::By(at(3)).lo(), End::By(at(3)).hi()), (past, at(3)));
        assert_eq!((End::Open.lo(), End::Open.hi()), (future, future));
    }

    #[test]
    fn an_unknown_start_is_certain_nowhere_and_an_exact_start_that_is_its_own_end_is_one_instant() {
        let year = |year: i32| Moment::year(year, &Zone::UTC).unwrap();
        let used_to = Span::new(Start::Unknown, End::By(year(2024).lo())).unwrap();
        assert_eq!(used_to.certainty(year(2023)), Some(Certainty::Possible));
        assert_eq!(used_to.certainty(year(2024)), None);
        assert_eq!(used_to.certain(), None);
        let point = Moment::exact(at(3));
        let point = Span::new(Start::At(point), End::At(point)).unwrap();
        assert_eq!([2, 3, 4].map(|tick| point.certainty(Moment::exact(at(tick)))), [None, Some(Certainty::Certain), None]);
        assert_eq!((point.certainty(year(1970)), point.certainty(year(1971))), (Some(Certainty::Possible), None));
        assert_eq!(point.certainty(Moment::granule(at(0), at(3)).unwrap()), None, "a granule is over at its end");
        assert_eq!((point.certain(), point.possible()), (Extent::new(at(3), at(4)), Extent::new(at(3), at(4))));
        let never_ran = Span::new(Start::At(Moment::granule(at(3), at(5)).unwrap()), End::At(Moment::exact(at(3)))).unwrap();
        assert_eq!([2, 3, 4].map(|tick| never_ran.certainty(Moment::exact(at(tick)))), [None; 3]);
        let always = Span::new(Start::Always, End::Open).unwrap();
        assert_eq!(always.certain(), Some(Extent::EVER));
        assert_eq!(always.certainty(Moment::granule(Instant::MIN, Instant::MAX).unwrap()), Some(Certainty::Certain));
    }

    #[test]
    fn words_of_starts_and_ends() {
        let moment = |text: &str| parse_moment(text, &Zone::UTC).unwrap();
        let start = |text: &str| Start::At(moment(text)).describe();
        assert_eq!(start("2019"), "in 2019");
        assert_eq!(start("201X"), "in 201X");
        assert_eq!(start("2019-06"), "in 2019-06");
        assert_eq!(start("-0044-03"), "in -0044-03");
        assert_eq!(start("2019-W23"), "in 2019-W23");
        assert_eq!(start("2001-21"), "in spring 2001");
        assert_eq!(End::At(moment("2001-24")).describe(), "until winter 2001");
        assert_eq!(start("2019-06-03"), "on 2019-06-03");
        assert_eq!(start("2019-06-03T10:30Z"), "at 2019-06-03T10:30Z");
        assert_eq!(start("2019-06-03T10:30:00Z"), "from 2019-06-03T10:30:00Z");
        assert_eq!(start("2019~"), "within [2018-01-01T00:00:00Z, 2021-01-01T00:00:00Z)");
        assert_eq!(Start::By(moment("2021-05").hi()).describe(), "by 2021-05");
        assert_eq!(Start::By(moment("2021-05-03T10:00:00Z").lo()).describe(), "by 2021-05-03T10:00:00Z");
        assert_eq!((Start::Unknown.describe(), Start::Always.describe()), ("unknown".to_owned(), "always".to_owned()));
        assert_eq!(End::At(moment("2019")).describe(), "until 2019");
        assert_eq!(End::By(moment("2024-03").hi()).describe(), "over by 2024-03");
        assert_eq!(End::Open.describe(), "open");
    }

    #[test]
    fn words_are_the_zones_own() {
        let zone = Zone::parse("America/New_York").unwrap();
        let words = |from, to| parse_span(Some(from), Some(to), &zone).unwrap().describe_in(&zone);
        assert_eq!(words("2015", "2019-03"), "from 2015 until 2019-03");
        assert_eq!(words("by 2021-05", ""), "since before 2021-06");
        assert_eq!(words("unknown", "by 2024-03"), "over by 2024-03");
        assert_eq!(words("2019-06-03", "2019-06-03"), "on 2019-06-03");
        assert_eq!(words("2019-06-03T10:30", "2019-06-03T10:30"), "at 2019-06-03T10:30-04:00");
        assert_eq!(words("2019-06-03T10:30:00Z", ""), "since 2019-06-03T06:30:00-04:00");
        let start = parse_start("by 2021-05", &zone).unwrap().unwrap();
        assert_eq!(start.describe_in(&zone), "by 2021-05");
        assert_eq!(start.describe(), "by 2021-06-01T04:00:00Z");
    }

    #[test]
    fn words_and_text_of_spans() {
        for (text, words) in [
            ("2015/..", "since 2015"),
            ("2019/2019", "in 2019"),
            ("2019-06-03/2019-06-03", "on 2019-06-03"),
            ("2015/2019", "from 2015 until 2019"),
            ("2015/by 2024-03", "from 2015, over by 2024-03"),
            ("by 2020/..", "since before 2021"),
            ("by 2021-05-03T10:00:00Z/..", "since before 2021-05-03T10:00:00Z"),
            ("by 2021-05/2022-02-01", "since before 2021-06 until 2022-02-01"),
            ("/2019", "until 2019"),
            ("/by 2024-03", "over by 2024-03"),
            ("../..", "always"),
            ("../2019", "always until 2019"),
        ] {
            let span: Span = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(span.to_string(), text);
            assert_eq!(span.describe(), words, "{text}");
        }
    }
}
