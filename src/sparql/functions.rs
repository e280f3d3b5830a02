//! Functions over time: Allen's thirteen relations, what contains what, lengths, ages and precisions.
//!
//! Owns how an argument is read as a stretch of time: a date of any precision, an interval, or a fact's reifier. Knows no pattern.

use super::graphs::Position;
use super::terms;
use crate::graph::View;
use crate::model::vocab;
use crate::time::{Allen, End, Extent, Instant, Moment, Start, Zone, parse_end, parse_moment, parse_span, parse_start, possible_extent};
use oxrdf::{Literal, Term as RdfTerm};

/// The relations of Allen with the names that OWL-Time and the vocabulary give them.
const ALLEN: [(Allen, &str, &str); 13] = [
    (Allen::Precedes, "intervalBefore", "precedes"),
    (Allen::Meets, "intervalMeets", "meets"),
    (Allen::Overlaps, "intervalOverlaps", "overlaps"),
    (Allen::FinishedBy, "intervalFinishedBy", "finishedBy"),
    (Allen::Contains, "intervalContains", "properlyContains"),
    (Allen::Starts, "intervalStarts", "starts"),
    (Allen::Equals, "intervalEquals", "equals"),
    (Allen::StartedBy, "intervalStartedBy", "startedBy"),
    (Allen::During, "intervalDuring", "during"),
    (Allen::Finishes, "intervalFinishes", "finishes"),
    (Allen::OverlappedBy, "intervalOverlappedBy", "overlappedBy"),
    (Allen::MetBy, "intervalMetBy", "metBy"),
    (Allen::PrecededBy, "intervalAfter", "precededBy"),
];

/// A stretch of time as an argument says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    start: Start,
    end: End,
}

/// A function of a query's text.
pub(super) type Function = Box<dyn Fn(&[RdfTerm]) -> Option<RdfTerm> + Send + Sync>;

/// The function with this IRI; given a fact's reifier it reads the fact as known at the view. `None` if there is none.
///
/// | function | answer |
/// |---|---|
/// | `erst:precedes(a, b)`, `meets`, `overlaps`, `finishedBy`, `properlyContains`, `starts`, `equals`, `startedBy`, `during`, `finishes`, `overlappedBy`, `metBy`, `precededBy`; OWL-Time's `time:intervalBefore` … | whether the one relates to the other so |
/// | `erst:allen(a, b)` | which of the thirteen it is, by name |
/// | `erst:contains(a, b)` | whether all of `b` lies in `a` |
/// | `erst:intersects(a, b)` | whether they share an instant |
/// | `erst:duration(a)` | how long it lasts; unbound where it is open |
/// | `erst:age(a)`, `erst:age(a, at)` | from its start to the reading position, or to `at` |
/// | `erst:granularity(a)` | `instant`, `second`, `minute`, `hour`, `day`, `week`, `month`, `quarter`, `season`, `year`, `decade`, `century` or `range` |
///
/// An argument is an `xsd:dateTime`, `xsd:date`, `xsd:gYearMonth`, `xsd:gYear`, a text in EDTF or as the memory writes moments (`2019-06`,
/// `201X`, `by 2021-05`, `2004/2006-08`), the valid time of a graph's name (`<asof:2019>`), or a fact's reifier. Its extent is from the first to the last instant at which it may hold; an
/// exact instant is the shortest extent there is. An argument that is no time leaves the result unbound.
pub(super) fn function(iri: &str, view: &View) -> Option<Function> {
    let view = view.clone();
    if let Some(standard) = iri.strip_prefix(vocab::TIME) {
        let (relation, ..) = ALLEN.into_iter().find(|(_, name, _)| *name == standard)?;
        return Some(binary(view, move |a, b| Some(Literal::from(a.relation(b) == relation))));
    }
    let name = iri.strip_prefix(terms::VOCABULARY)?;
    if let Some((relation, ..)) = ALLEN.into_iter().find(|(_, _, ours)| *ours == name) {
        return Some(binary(view, move |a, b| Some(Literal::from(a.relation(b) == relation))));
    }
    Some(match name {
        "allen" => binary(view, |a, b| {
            let found = a.relation(b);
            ALLEN.iter().find(|(relation, ..)| *relation == found).map(|(_, _, name)| Literal::from(*name))
        }),
        "contains" => binary(view, |a, b| Some(Literal::from(a.covers(b)))),
        "intersects" => binary(view, |a, b| Some(Literal::from(a.overlaps(b)))),
        "duration" => Box::new(move |arguments| {
            let [whole] = arguments else { return None };
            let extent = extent(whole, &view)?;
            duration(extent.lo(), extent.hi())
        }),
        "age" => Box::new(move |arguments| {
            let (whole, until) = match arguments {
                [whole] => (whole, reading_instant(&view)),
                [whole, at] => (whole, stretch(at, &view)?.start.lo()),
                _ => return None,
            };
            duration(stretch(whole, &view)?.start.lo(), until)
        }),
        "granularity" => Box::new(move |arguments| {
            let [whole] = arguments else { return None };
            let Start::At(moment) = stretch(whole, &view)?.start else { return Some(Literal::from("range").into()) };
            Some(Literal::from(granularity(moment)).into())
        }),
        _ => return None,
    })
}

fn binary(view: View, answer: impl Fn(Extent, Extent) -> Option<Literal> + Send + Sync + 'static) -> Function {
    Box::new(move |arguments| {
        let [a, b] = arguments else { return None };
        answer(extent(a, &view)?, extent(b, &view)?).map(RdfTerm::from)
    })
}

/// The last instant of the reading position.
fn reading_instant(view: &View) -> Instant {
    let valid_at = view.as_of().valid_at;
    if valid_at.is_exact() { valid_at.lo() } else { valid_at.hi() }
}

fn extent(term: &RdfTerm, view: &View) -> Option<Extent> {
    let Stretch { start, end } = stretch(term, view)?;
    possible_extent(start, end)
}

/// What an argument says of time.
fn stretch(term: &RdfTerm, view: &View) -> Option<Stretch> {
    match term {
        RdfTerm::NamedNode(iri) => {
            if let Some(instant) = iri.as_str().strip_prefix(terms::INSTANT) {
                return Instant::parse(instant).ok().map(|at| Stretch::of(Moment::exact(at)));
            }
            if let Some(position) = Position::of_iri(iri.as_str()) {
                return Some(Stretch::of(position.ok()?.valid_at));
            }
            let fact = view.fact(terms::fact_id(iri.as_str())?).ok()?;
            Some(Stretch { start: fact.start, end: fact.end })
        }
        RdfTerm::Literal(literal) => {
            let text = literal.value();
            if text.contains('/') {
                let span = parse_span(Some(text), None, &Zone::UTC).ok()?;
                return Some(Stretch { start: span.start(), end: span.end() });
            }
            if let Ok(moment) = parse_moment(text, &Zone::UTC) {
                return Some(Stretch::of(moment));
            }
            match (parse_start(text, &Zone::UTC), parse_end(text, &Zone::UTC)) {
                (Ok(Some(start)), _) => Some(Stretch { start, end: End::Open }),
                (_, Ok(Some(end))) => Some(Stretch { start: Start::Unknown, end }),
                _ => None,
            }
        }
        RdfTerm::BlankNode(_) | RdfTerm::Triple(_) => None,
    }
}

impl Stretch {
    /// All of a moment: of a granule each instant, of an exact one itself.
    fn of(moment: Moment) -> Self {
        if moment.is_exact() {
            return Self { start: Start::At(moment), end: End::At(moment) };
        }
        // Its bounds, and not when something in it began: the start is kept as the moment, which says how precise it is.
        Self { start: Start::At(moment), end: End::At(Moment::exact(moment.hi())) }
    }
}

/// `xsd:dayTimeDuration` from one instant to another; `None` where either is missing.
fn duration(from: Instant, until: Instant) -> Option<RdfTerm> {
    if !from.is_civil() || !until.is_civil() {
        return None;
    }
    let micros = until.micros_since(from);
    let (sign, micros) = (if micros < 0 { "-" } else { "" }, micros.unsigned_abs());
    let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let decimals = format!("{fraction:06}");
    let decimals = decimals.trim_end_matches('0');
    let dot = if decimals.is_empty() { "" } else { "." };
    let part = |is_there: bool, text: String| if is_there { text } else { String::new() };
    let is_whole = rest == 0 && fraction == 0;
    let text = [
        format!("{sign}P"),
        part(days > 0 || is_whole, format!("{days}D")),
        part(!is_whole, "T".to_owned()),
        part(rest >= 3600, format!("{}H", rest / 3600)),
        part(rest / 60 % 60 > 0, format!("{}M", rest / 60 % 60)),
        part(rest % 60 > 0 || fraction > 0, format!("{}{dot}{decimals}S", rest % 60)),
    ]
    .concat();
    Some(terms::typed(text, vocab::XSD_DAY_TIME_DURATION))
}

/// How precise a moment is, from how it is written.
fn granularity(moment: Moment) -> &'static str {
    if moment.is_exact() {
        return "instant";
    }
    let text = moment.to_string();
    let date = text.strip_prefix(['-', 'Y', '+']).unwrap_or(&text);
    if date.starts_with('[') {
        return "range";
    }
    match date.split_once('T') {
        Some((_, time)) => match time.matches(':').count() {
            0 => "hour",
            1 => "minute",
            _ => "second",
        },
        None if date.ends_with("XX") => "century",
        None if date.ends_with('X') => "decade",
        None if date.contains('W') => "week",
        None if date.contains('Q') => "quarter",
        None => match date.split_once('-') {
            None => "year",
            Some((_, rest)) if rest.contains('-') => "day",
            Some((_, month)) if month.parse().is_ok_and(|month: u32| month > 12) => "season",
            Some(_) => "month",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        parse_moment(text, &Zone::UTC).unwrap()
    }

    #[test]
    fn granularity_is_how_a_moment_is_written() {
        for (text, expected) in [
            ("2019-06-03T10:00:00Z", "instant"),
            ("2019-06-03T10:30", "minute"),
            ("2019-06-03T10", "hour"),
            ("2019-06-03", "day"),
            ("2019-W23", "week"),
            ("2019-06", "month"),
            ("2019-Q2", "quarter"),
            ("2019", "year"),
            ("-0044", "year"),
            ("201X", "decade"),
            ("19XX", "century"),
            ("2019~", "range"),
        ] {
            assert_eq!(granularity(at(text)), expected, "{text} is {}", at(text));
        }
    }

    #[test]
    fn durations_are_written_as_the_schema_has_them() {
        let length = |from: &str, until: &str| {
            let parse = |text: &str| Instant::parse(text).unwrap();
            let Some(RdfTerm::Literal(literal)) = duration(parse(from), parse(until)) else { return None };
            Some(literal.value().to_owned())
        };
        let start = "2019-06-03T00:00:00Z";
        for (until, expected) in [
            ("2019-06-03T00:00:00Z", "P0D"),
            ("2019-06-05T00:00:00Z", "P2D"),
            ("2019-06-03T01:02:03.5Z", "PT1H2M3.5S"),
            ("2019-06-04T00:00:00.000001Z", "P1DT0.000001S"),
            ("2019-06-02T23:00:00Z", "-PT1H"),
        ] {
            assert_eq!(length(start, until).as_deref(), Some(expected), "{until}");
        }
        assert_eq!(duration(Instant::DISTANT_PAST, Instant::from_micros(0)), None);
    }
}
