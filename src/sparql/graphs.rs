//! The graphs that a query can name: reading positions (`asof:`), the whole history, metadata, and the contexts of claims.
//!
//! Owns how a reading position is written as an IRI, and the views that a query has opened. Knows no term and no triple.

use crate::graph::View;
use crate::time::{AsOf, Instant, KnownAt, Moment, TimeError, Zone, parse_moment};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::fmt;

/// The scheme of a reading position: `asof:2023-11-18`, `asof:2023-11-18/2024-01-01T00:00Z`.
pub const AS_OF: &str = "asof:";
/// The graph of every fact, whatever its interval.
pub const HISTORY: &str = "history:";
/// The graph of what is known about facts and entities of the default graph: reifiers, labels and types.
pub const META: &str = "meta:";

/// A reading position as a query writes it: valid time, and transaction time where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Valid time: an instant, or all of a granule (a day, a year).
    pub valid_at: Moment,
    /// Transaction time; `None` leaves it where the reader stands.
    pub known_at: Option<KnownAt>,
}

impl Position {
    /// Reads what follows `asof:`: a moment in UTC as [`parse_moment`] reads it, and after a slash another one for transaction time.
    /// What was known at a granule is what was known at its end.
    ///
    /// ```
    /// use erstwhile::sparql::Position;
    /// let position = Position::parse("2023-11-18/2024-01-01")?;
    /// assert_eq!(position.to_string(), "asof:2023-11-18/2024-01-01T23:59:59.999999Z");
    /// assert!(Position::parse("yesterday").is_err());
    /// # Ok::<(), erstwhile::time::TimeError>(())
    /// ```
    ///
    /// # Errors
    /// [`TimeError`] for what is no moment.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        let (valid, known) = text.split_once('/').map_or((text, None), |(valid, known)| (valid, Some(known)));
        let known_at = known.map(Self::known).transpose()?;
        Ok(Self { valid_at: parse_moment(valid, &Zone::UTC)?, known_at })
    }

    /// Reads a point of transaction time, a moment in UTC: what was known at a granule is what was known at its end.
    ///
    /// # Errors
    /// [`TimeError`] for what is no moment.
    pub fn known(text: &str) -> Result<KnownAt, TimeError> {
        parse_moment(text, &Zone::UTC).map(end_of)
    }

    /// The position that an IRI names; `None` of an IRI that is of another scheme.
    ///
    /// # Errors
    /// As [`Position::parse`].
    pub fn of_iri(iri: &str) -> Option<Result<Self, TimeError>> {
        iri.strip_prefix(AS_OF).map(Self::parse)
    }

    /// Where it reads for somebody who stands at `given`.
    #[must_use]
    pub fn from(self, given: AsOf) -> AsOf {
        AsOf { valid_at: self.valid_at, known_at: self.known_at.unwrap_or(given.known_at) }
    }

    /// All of valid time.
    #[must_use]
    pub fn ever() -> Moment {
        Moment::granule(Instant::DISTANT_PAST, Instant::DISTANT_FUTURE).unwrap_or(Moment::exact(Instant::MIN))
    }
}

/// The last instant of a moment: what was known then is what was known at its end.
fn end_of(moment: Moment) -> KnownAt {
    KnownAt::At(if moment.is_exact() { moment.lo() } else { moment.hi().saturating_sub(1) })
}

/// As [`Position::parse`] reads it, after the scheme.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.valid_at.to_string().replace(' ', "");
        write!(f, "{AS_OF}{plain}")?;
        match self.known_at {
            Some(KnownAt::At(instant)) => write!(f, "/{instant}"),
            Some(KnownAt::Latest) | None => Ok(()),
        }
    }
}

/// What a graph of a query is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GraphKind {
    /// The reading position of the query.
    Default,
    /// Another one, or the history.
    Elsewhen,
    /// A named graph of imported RDF at the reading position.
    Context,
    /// What is known about the default graph, every triple of it.
    Meta,
}

/// A graph that is read.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) kind: GraphKind,
    pub(super) view: View,
    /// Its IRI; empty for the default graph.
    pub(super) iri: String,
}

/// The graphs in one chunk; chunks double from eight.
const FIRST_CHUNK: usize = 8;
/// How many chunks there may be: room for half a million graphs.
const CHUNKS: usize = 16;

/// The graphs that a query has named so far. They are only added, so a reference to one stays good for as long as the query.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    chunks: [OnceCell<Box<[OnceCell<Graph>]>>; CHUNKS],
    numbers: RefCell<FxHashMap<String, u32>>,
}

impl Graphs {
    pub(super) fn get(&self, number: u32) -> Option<&Graph> {
        let (chunk, at) = place(number as usize);
        self.chunks.get(chunk)?.get()?.get(at)?.get()
    }

    /// The number of the graph with this IRI.
    pub(super) fn find(&self, iri: &str) -> Option<u32> {
        self.numbers.borrow().get(iri).copied()
    }

    /// Adds a graph; `None` if there are too many.
    pub(super) fn add(&self, graph: Graph) -> Option<u32> {
        let mut numbers = self.numbers.borrow_mut();
        let number = u32::try_from(numbers.len()).ok()?;
        let (chunk, at) = place(number as usize);
        let chunk = self.chunks.get(chunk)?.get_or_init(|| (0..FIRST_CHUNK << chunk).map(|_| OnceCell::new()).collect());
        let iri = graph.iri.clone();
        chunk.get(at)?.set(graph).ok()?;
        numbers.insert(iri, number);
        Some(number)
    }
}

/// The chunk of a number and the place in it.
fn place(number: usize) -> (usize, usize) {
    let chunk = (number / FIRST_CHUNK + 1).ilog2() as usize;
    (chunk, number + FIRST_CHUNK - (FIRST_CHUNK << chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_and_written() {
        for (text, shown) in [
            ("2023", "asof:2023"),
            ("2023-11-18T10:00:00Z", "asof:2023-11-18T10:00:00Z"),
            ("2023-11-18/2024-01-01T00:00:00Z", "asof:2023-11-18/2024-01-01T00:00:00Z"),
            ("2023/2024", "asof:2023/2024-12-31T23:59:59.999999Z"),
            ("2019~", "asof:[2018-01-01T00:00:00Z,2021-01-01T00:00:00Z)"),
        ] {
            assert_eq!(Position::parse(text).unwrap().to_string(), shown, "{text}");
        }
        for text in ["", "now", "2023/", "2023/2024/2025", "/2023"] {
            assert!(Position::parse(text).is_err(), "{text}");
        }
        assert!(Position::of_iri("urn:x").is_none());
    }

    #[test]
    fn numbers_have_places_of_their_own() {
        let places: Vec<_> = (0..24).map(place).collect();
        assert_eq!((places[0], places[7], places[8], places[23]), ((0, 0), (0, 7), (1, 0), (1, 15)));
    }
}
