//! The oracle of the interval evaluation: reads the file by itself and answers by scanning every row.
//!
//! Restates, for years and for rows about one triple, what follows from "from", "to" and their absence. Uses neither
//! `timeline` nor `graph`, and no code of `time`: a year's bounds are counted in days here.

use super::super::EvalError;
use super::super::random::Random;
use super::super::source::{json_lines, malformed};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Microseconds since 1970, the sentinels being −∞ and ∞; `[from, to)`.
pub(super) type Range = (i64, i64);

const PAST: i64 = i64::MIN;
const FUTURE: i64 = i64::MAX;

/// One row of the file.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) head: String,
    pub(super) relation: String,
    pub(super) tail: String,
    /// Head, relation and tail by number, so that scanning every row for every question stays quick; an entity has one number
    /// as head and as tail.
    pub(super) numbers: [usize; 3],
    from: Option<i64>,
    to: Option<i64>,
}

/// Where something is certain and where it is possible; empty ranges where it is neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) certain: Range,
    pub(super) possible: Range,
}

/// What holds at a moment: head, relation, tail and whether certainly, sorted; and how many facts do not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Holds {
    pub(super) facts: Vec<(String, String, String, bool)>,
    pub(super) suppressed: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    h: String,
    r: String,
    t: String,
    from: String,
    to: String,
}

/// Reads every row.
pub(super) fn read(path: &Path) -> Result<Vec<Row>, EvalError> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = |name: &str| {
        let next = numbers.len();
        *numbers.entry(name.to_owned()).or_insert(next)
    };
    json_lines::<Line>(path)?
        .into_iter()
        .map(|(line, fields)| {
            let year = |text: &str| {
                let digits = text.strip_suffix("-##-##").ok_or_else(|| malformed(path, line, &format!("{text:?} is no year")))?;
                if digits == "####" {
                    Ok(None)
                } else {
                    digits.parse().map(Some).map_err(|error| malformed(path, line, &format!("{text:?}: {error}")))
                }
            };
            let numbers = [number(&fields.h), number(&fields.r), number(&fields.t)];
            Ok(Row { line, numbers, from: year(&fields.from)?, to: year(&fields.to)?, head: fields.h, relation: fields.r, tail: fields.t })
        })
        .collect()
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = |year: Option<i64>| year.map_or_else(|| "?".to_owned(), |year| year.to_string());
        write!(f, "{} {} {} ({} to {})", self.head, self.relation, self.tail, year(self.from), year(self.to))
    }
}

impl Row {
    /// Whether it says something that can be so: an end not before its start, and one of the two.
    pub(super) fn is_consistent(&self) -> bool {
        match (self.from, self.to) {
            (Some(from), Some(to)) => from <= to,
            (None, None) => false,
            _ => true,
        }
    }

    /// What the row's own words claim. One with both years: certain between them, possible in them. One that only began:
    /// possible in that year, for "until further notice" claims nothing of later times. One that only ended: possible up to
    /// the end of that year.
    pub(super) fn stated(&self) -> Stretch {
        match (self.from, self.to) {
            (Some(from), Some(to)) => Stretch { certain: (year(from + 1), year(to)), possible: (year(from), year(to + 1)) },
            (Some(from), None) => Stretch { certain: (0, 0), possible: (year(from), year(from + 1)) },
            (None, Some(to)) => Stretch { certain: (0, 0), possible: (PAST, year(to + 1)) },
            (None, None) => Stretch { certain: (0, 0), possible: (0, 0) },
        }
    }
}

impl Stretch {
    /// What of it lies within another.
    pub(super) fn within(self, other: Self) -> Self {
        let meet = |(a, b): Range, (c, d): Range| (a.max(c), b.min(d));
        Self { certain: meet(self.certain, other.certain), possible: meet(self.possible, other.possible) }
    }
}

/// All that rows say of one triple in one go, and the rows that say it.
#[derive(Clone, Debug)]
struct Told<'a> {
    row: &'a Row,
    stretch: Stretch,
}

/// The rows of a file (or of its beginning) put together by triple.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    told: Vec<Told<'a>>,
    /// For each row, by its index, its place in `told`.
    place: Vec<Option<usize>>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(rows: &'a [Row]) -> Self {
        let mut triples: BTreeMap<[usize; 3], Vec<usize>> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.is_consistent()) {
            triples.entry(row.numbers).or_default().push(index);
        }
        let mut scan = Self { told: Vec::new(), place: vec![None; rows.len()] };
        for indexes in triples.values() {
            scan.tell(rows, indexes);
        }
        scan
    }

    /// What the rows about row `index`'s triple say together of its stretch; nothing for a row that says what cannot be.
    pub(super) fn told(&self, index: usize) -> Stretch {
        let place = self.place.get(index).copied().flatten();
        place.and_then(|place| self.told.get(place)).map_or(Stretch { certain: (0, 0), possible: (0, 0) }, |told| told.stretch)
    }

    /// Every stretch of the rows that are asked for, by whether it holds at the moment.
    pub(super) fn holding(&self, moment: Range, asked: impl Fn([usize; 3]) -> bool) -> Holds {
        let mut holds = Holds::default();
        let (lo, hi) = moment;
        for told in self.told.iter().filter(|told| asked(told.row.numbers)) {
            let Stretch { certain, possible } = told.stretch;
            // An instant is inside where it is not before the start and before the end; a granule touches from inside.
            let exact = lo == hi;
            let surely = certain.0 < certain.1 && certain.0 <= lo && if exact { lo < certain.1 } else { hi <= certain.1 };
            let maybe =
                if exact { possible.0 <= lo && lo < possible.1 } else { possible.0 < possible.1 && possible.0 < hi && lo < possible.1 };
            if surely || maybe {
                holds.facts.push((told.row.head.clone(), told.row.relation.to_lowercase(), told.row.tail.clone(), surely));
            } else {
                holds.suppressed += 1;
            }
        }
        holds.facts.sort();
        holds
    }

    /// Puts together the rows of one triple. A row goes on from the ones before it, unless one of them (or a row that only
    /// tells an end) says that it was over in between. An end that lies before what the others still assert says nothing.
    fn tell(&mut self, rows: &'a [Row], indexes: &[usize]) {
        let mut begun: Vec<(i64, i64, Option<i64>, usize)> = Vec::new();
        let mut ended: Vec<(i64, usize)> = Vec::new();
        for index in indexes {
            match rows.get(*index).map(|row| (row.from, row.to)) {
                Some((Some(from), to)) => begun.push((from, to.unwrap_or(from), to, *index)),
                Some((None, Some(to))) => ended.push((to, *index)),
                Some((None, None)) | None => {}
            }
        }
        begun.sort_unstable();
        ended.sort_unstable();
        let mut runs: Vec<Together> = Vec::new();
        for (from, asserted, to, index) in begun {
            let goes_on = runs.last().is_some_and(|run| {
                let between = |over: i64| run.asserted <= over && over <= from;
                from < run.asserted
                    || !(run.ends.iter().any(|end| between(end + 1)) || ended.iter().any(|(end, _)| between(end + 1) && run.from < end + 1))
            });
            match runs.last_mut() {
                Some(run) if goes_on => {
                    run.asserted = run.asserted.max(asserted);
                    run.ends.extend(to);
                    run.rows.push(index);
                }
                _ => runs.push(Together { from, asserted, ends: to.into_iter().collect(), rows: vec![index] }),
            }
        }
        let mut never_begun = Together { from: FUTURE, asserted: PAST, ends: Vec::new(), rows: Vec::new() };
        for (end, index) in ended {
            let run = runs.iter_mut().rev().find(|run| run.from < end + 1).unwrap_or(&mut never_begun);
            run.ends.push(end);
            run.rows.push(index);
        }
        for run in runs.into_iter().chain(Some(never_begun)).filter(|run| !run.rows.is_empty()) {
            let place = self.told.len();
            for index in &run.rows {
                if let Some(slot) = self.place.get_mut(*index) {
                    *slot = Some(place);
                }
            }
            if let Some(row) = run.rows.first().and_then(|index| rows.get(*index)) {
                self.told.push(Told { row, stretch: run.stretch() });
            }
        }
    }
}

/// Rows of one triple that go on from each other, in years.
struct Together {
    /// The first year; ∞ where none is told.
    from: i64,
    /// The last year whose first day some row still asserts.
    asserted: i64,
    ends: Vec<i64>,
    rows: Vec<usize>,
}

impl Together {
    fn stretch(&self) -> Stretch {
        let asserted = self.ends.iter().copied().max().unwrap_or(PAST).max(self.asserted);
        // "Ended in 1969" is over by the first day of 1970; that counts unless something is asserted of a later day.
        let end = self.ends.iter().copied().filter(|end| end + 1 >= asserted).min();
        let (over_lo, over_hi) = match end {
            Some(end) => (year(end.max(asserted)), year(end + 1)),
            None => (FUTURE, FUTURE),
        };
        if self.from == FUTURE {
            return Stretch { certain: (0, 0), possible: (PAST, over_hi) };
        }
        Stretch { certain: (year(self.from + 1).min(over_hi), over_lo), possible: (year(self.from), over_hi) }
    }
}

/// A moment near a row's years: an instant, a day, a month or a year.
pub(super) fn random_moment(row: &Row, random: &mut Random) -> Range {
    let from = row.from.or(row.to).unwrap_or(2000);
    let to = row.to.or(row.from).unwrap_or(2000).max(from);
    let chosen = random.between(from - 3, to + 3);
    let month = random.between(1, 12);
    let day = random.between(1, 28);
    let midnight = midnight(chosen, month, day);
    match random.below(5) {
        0 => (year(chosen), year(chosen + 1)),
        1 => (self::midnight(chosen, month, 1), if month == 12 { year(chosen + 1) } else { self::midnight(chosen, month + 1, 1) }),
        2 => (midnight, midnight + DAY),
        // The boundary itself is where half-open intervals show.
        3 => (year(chosen), year(chosen)),
        _ => {
            let instant = midnight + random.between(0, DAY - 1);
            (instant, instant)
        }
    }
}

const DAY: i64 = 86_400_000_000;

fn year(year: i64) -> i64 {
    midnight(year, 1, 1)
}

/// Midnight UTC of a day of the proleptic Gregorian calendar.
/// Source: Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
fn midnight(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (era * 146_097 + day_of_era - 719_468) * DAY
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(from: Option<i64>, to: Option<i64>) -> Row {
        Row { line: 1, head: "h".to_owned(), relation: "r".to_owned(), tail: "t".to_owned(), numbers: [0, 1, 2], from, to }
    }

    fn check(rows: &[(Option<i64>, Option<i64>)], expected: &[(Range, Range)]) {
        let rows: Vec<Row> = rows.iter().map(|(from, to)| row(*from, *to)).collect();
        let scan = Scan::new(&rows);
        let got: Vec<(Range, Range)> = scan.told.iter().map(|told| (told.stretch.certain, told.stretch.possible)).collect();
        assert_eq!(got, expected, "what {rows:?} say together");
    }

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        assert_eq!(midnight(1970, 1, 1), 0, "the epoch");
        assert_eq!(midnight(2000, 3, 1), 951_868_800_000_000, "the day after a leap day");
        assert_eq!(midnight(1600, 1, 1), -11_676_096_000_000_000, "long ago");
    }

    #[test]
    fn rows_with_both_years_hold_between_them() {
        check(&[(Some(2000), Some(2005))], &[((year(2001), year(2005)), (year(2000), year(2006)))]);
        check(&[(Some(2000), Some(2005)), (Some(2003), Some(2009))], &[((year(2001), year(2009)), (year(2000), year(2010)))]);
    }

    #[test]
    fn a_gap_makes_two_stretches_and_a_shared_year_does_not() {
        check(&[(Some(2000), Some(2005)), (Some(2005), Some(2009))], &[((year(2001), year(2009)), (year(2000), year(2010)))]);
        check(
            &[(Some(2000), Some(2005)), (Some(2006), Some(2009))],
            &[((year(2001), year(2005)), (year(2000), year(2006))), ((year(2007), year(2009)), (year(2006), year(2010)))],
        );
    }

    #[test]
    fn a_year_of_three_digits_comes_before_one_of_four() {
        assert!(row(Some(927), Some(1707)).is_consistent(), "927 comes before 1707, though its text does not");
        assert!(!row(Some(2009), Some(2005)).is_consistent(), "an end before its start");
        assert!(!row(None, None).is_consistent(), "neither year says nothing");
    }

    #[test]
    fn an_end_without_a_beginning_ends_what_had_begun() {
        check(&[(Some(2000), None), (None, Some(2005))], &[((year(2001), year(2005)), (year(2000), year(2006)))]);
        check(&[(None, Some(1974)), (None, Some(1969))], &[((0, 0), (PAST, year(1975)))]);
    }
}
