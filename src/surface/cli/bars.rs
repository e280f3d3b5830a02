//! Facts drawn as bars over one axis of valid time. Knows terminals only as columns of characters.

use super::output::Paint;
use crate::model::Fact;
use crate::time::{End, Instant, Start};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike};
use unicode_width::UnicodeWidthStr;

/// How many columns stand for "began, or ended, at some unknown time".
const FADE: usize = 3;

/// What a column of a bar says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ink {
    Nothing,
    Hidden,
    Possible,
    Certain,
    Contested,
    Point,
    Before,
    After,
}

impl Ink {
    /// Its character.
    pub(super) const fn glyph(self) -> &'static str {
        match self {
            Self::Nothing => " ",
            Self::Hidden => "┄",
            Self::Possible => "░",
            Self::Certain => "█",
            Self::Contested => "▓",
            Self::Point => "◆",
            Self::Before => "◀",
            Self::After => "▶",
        }
    }

    /// Its colour.
    pub(super) const fn paint(self) -> Paint {
        match self {
            Self::Nothing => Paint::Plain,
            Self::Hidden | Self::Possible => Paint::Dim,
            Self::Certain | Self::Point | Self::Before | Self::After => Paint::Good,
            Self::Contested => Paint::Warn,
        }
    }

    /// What it means, for the legend.
    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Hidden => "hidden or denied",
            Self::Possible => "possible",
            Self::Certain => "certain",
            Self::Contested => "contested",
            Self::Point => "shorter than a column",
            Self::Before => "no known beginning",
            Self::After => "open",
        }
    }
}

/// The stretch of valid time that a drawing shows, over so many columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    from: i64,
    to: i64,
    columns: usize,
}

impl Axis {
    /// An axis wide enough for every known bound of the facts, and for `cursor` where it is not far from them; `None` if
    /// there is no bound at all.
    pub(super) fn over(facts: &[Fact], cursor: Option<Instant>, columns: usize) -> Option<Self> {
        let mut marks: Vec<i64> = facts
            .iter()
            .flat_map(|fact| {
                let hidden = fact.status.hidden.iter().flat_map(|(from, to)| [*from, *to]);
                [fact.start.lo(), fact.start.hi(), fact.end.lo(), fact.end.hi()]
                    .into_iter()
                    .chain(hidden)
                    .chain(fact.status.challenged_from)
            })
            .filter(|at| at.is_civil())
            .map(Instant::micros)
            .collect();
        let (first, last) = (*marks.iter().min()?, *marks.iter().max()?);
        if let Some(cursor) = cursor.filter(|cursor| cursor.is_civil()) {
            let at = cursor.micros();
            let reach = (last - first) / 2;
            let open = facts.iter().any(|fact| fact.end == End::Open);
            if (at >= first - reach && at <= last + reach) || (open && at > last) {
                marks.push(at);
            }
        }
        let (first, last) = (*marks.iter().min()?, *marks.iter().max()?);
        let room = ((last - first) / 16).max(if first == last { 86_400_000_000 } else { 1 });
        // No bound is known on the left of an open beginning, nor on the right of an open end: leave room to say so.
        let columns = columns.max(2 * FADE + 2);
        Some(Self { from: first - room, to: last + room, columns })
    }

    /// The instant at which a column begins.
    fn begins(&self, column: usize) -> i64 {
        let width = i128::from(self.to) - i128::from(self.from);
        let at = i128::from(self.from) + width * column as i128 / self.columns as i128;
        i64::try_from(at).unwrap_or(self.to)
    }

    /// The column of an instant, held inside the drawing.
    pub(super) fn column(&self, at: Instant) -> usize {
        let width = i128::from(self.to) - i128::from(self.from);
        let place = (i128::from(at.micros()) - i128::from(self.from)) * self.columns as i128 / width.max(1);
        usize::try_from(place.max(0)).unwrap_or(0).min(self.columns - 1)
    }

    /// Whether the drawing shows an instant.
    pub(super) const fn shows(&self, at: Instant) -> bool {
        self.from <= at.micros() && at.micros() < self.to
    }

    /// One fact's bar: as many columns as the axis has.
    pub(super) fn bar(&self, fact: &Fact) -> Vec<Ink> {
        let left = |bound: Instant| if bound == Instant::DISTANT_PAST { self.from } else { bound.micros() };
        let right = |bound: Instant| if bound == Instant::DISTANT_FUTURE { self.to } else { bound.micros() };
        let possible = (left(fact.start.lo()), right(fact.end.hi()));
        let certain = (left(fact.start.hi()), right(fact.end.lo()));
        let certain_ink = if fact.status.contested { Ink::Contested } else { Ink::Certain };
        let mut bar: Vec<Ink> = (0..self.columns)
            .map(|column| {
                let (from, to) = (self.begins(column), self.begins(column + 1));
                let middle = from + (to - from) / 2;
                let inside = |(from, to): (i64, i64)| from <= middle && middle < to;
                if fact.status.hidden.iter().any(|(from, to)| inside((left(*from), right(*to)))) && inside(possible) {
                    Ink::Hidden
                } else if inside(certain) && fact.start != Start::Unknown {
                    certain_ink
                } else if inside(possible) {
                    Ink::Possible
                } else {
                    Ink::Nothing
                }
            })
            .collect();
        self.unknown_beginning(fact, &mut bar);
        if fact.end == End::Open
            && let Some(last) = bar.last_mut()
        {
            *last = Ink::After;
        }
        if bar.iter().all(|ink| *ink == Ink::Nothing) {
            let at = if fact.start.hi().is_civil() { fact.start.hi() } else { fact.end.hi() };
            let narrow = if at.is_civil() { at } else { fact.start.lo() };
            if let Some(ink) = bar.get_mut(self.column(narrow)) {
                *ink = Ink::Point;
            }
        }
        bar
    }

    /// A beginning that nobody told is drawn short: the bar would otherwise claim the whole past in grey.
    fn unknown_beginning(&self, fact: &Fact, bar: &mut [Ink]) {
        let known_from = match fact.start {
            Start::At(_) => return,
            Start::By(at) => self.column(at).saturating_sub(FADE),
            Start::Unknown if fact.end.hi().is_civil() => self.column(fact.end.hi()).saturating_sub(FADE),
            Start::Always | Start::Unknown => 0,
        };
        for ink in bar.iter_mut().take(known_from) {
            *ink = Ink::Nothing;
        }
        if let Some(ink) = bar.get_mut(known_from) {
            *ink = Ink::Before;
        }
    }

    /// The line of labels above the bars and the line of ticks under them.
    pub(super) fn labels(&self) -> (String, String) {
        let step = STEPS.iter().find(|step| self.fits(**step)).or(STEPS.last());
        let ticks = step.map(|step| self.ticks(*step)).unwrap_or_default();
        let mut labels = String::new();
        let mut marks = vec!['─'; self.columns];
        for (at, label) in ticks {
            let column = self.column(Instant::from_micros(at));
            if let Some(mark) = marks.get_mut(column) {
                *mark = '┬';
            }
            let used = labels.width();
            if (used == 0 || used < column) && column + label.width() <= self.columns + 4 {
                labels.push_str(&" ".repeat(column - used));
                labels.push_str(&label);
            }
        }
        (labels, marks.into_iter().collect())
    }

    fn fits(&self, step: Step) -> bool {
        let span = i128::from(self.to) - i128::from(self.from);
        let ticks = span / step.micros() + 1;
        ticks * (step.label_columns() as i128 + 2) <= self.columns as i128
    }

    fn ticks(&self, step: Step) -> Vec<(i64, String)> {
        let Some(begin) = DateTime::from_timestamp_micros(self.from).map(|at| at.naive_utc()) else { return Vec::new() };
        let mut ticks = Vec::new();
        let mut next = match step {
            Step::Months(months) => {
                i64::from(begin.year()) * 12 + i64::from(begin.month0()) - (i64::from(begin.year()) * 12).rem_euclid(months) - months
            }
            Step::Micros(micros) => self.from.div_euclid(micros),
        };
        // More than the axis can hold are never wanted: a bound, should a step be mistaken.
        while ticks.len() <= self.columns {
            let at = match step {
                Step::Months(months) => {
                    let year = i32::try_from(next.div_euclid(12)).ok();
                    let month = u32::try_from(next.rem_euclid(12) + 1).ok();
                    let aligned = next.rem_euclid(months) == 0;
                    next += if aligned { months } else { 1 };
                    if !aligned {
                        continue;
                    }
                    year.zip(month)
                        .and_then(|(year, month)| NaiveDate::from_ymd_opt(year, month, 1))
                        .map(|day| day.and_time(chrono::NaiveTime::MIN))
                }
                Step::Micros(micros) => {
                    next += 1;
                    next.checked_sub(1)
                        .and_then(|tick| tick.checked_mul(micros))
                        .and_then(DateTime::from_timestamp_micros)
                        .map(|at| at.naive_utc())
                }
            };
            let Some(at) = at else { break };
            let micros = at.and_utc().timestamp_micros();
            if micros >= self.to {
                break;
            }
            if micros >= self.from {
                ticks.push((micros, step.label(at)));
            }
        }
        ticks
    }
}

/// The distance between two ticks.
#[derive(Clone, Copy, Debug)]
enum Step {
    Months(i64),
    Micros(i64),
}

const SECOND: i64 = 1_000_000;
const STEPS: [Step; 25] = [
    Step::Micros(SECOND),
    Step::Micros(10 * SECOND),
    Step::Micros(60 * SECOND),
    Step::Micros(300 * SECOND),
    Step::Micros(900 * SECOND),
    Step::Micros(3_600 * SECOND),
    Step::Micros(3 * 3_600 * SECOND),
    Step::Micros(12 * 3_600 * SECOND),
    Step::Micros(86_400 * SECOND),
    Step::Micros(2 * 86_400 * SECOND),
    Step::Micros(7 * 86_400 * SECOND),
    Step::Months(1),
    Step::Months(3),
    Step::Months(6),
    Step::Months(12),
    Step::Months(24),
    Step::Months(60),
    Step::Months(120),
    Step::Months(240),
    Step::Months(600),
    Step::Months(1_200),
    Step::Months(2_400),
    Step::Months(6_000),
    Step::Months(12_000),
    Step::Months(60_000),
];

impl Step {
    /// At least so long.
    const fn micros(self) -> i128 {
        match self {
            Self::Months(months) => months as i128 * 28 * 86_400 * SECOND as i128,
            Self::Micros(micros) => micros as i128,
        }
    }

    const fn label_columns(self) -> usize {
        match self {
            Self::Months(months) if months % 12 == 0 => 4,
            Self::Months(_) => 7,
            Self::Micros(micros) if micros % (86_400 * SECOND) == 0 => 10,
            Self::Micros(micros) if micros % (60 * SECOND) == 0 => 16,
            Self::Micros(_) => 19,
        }
    }

    fn label(self, at: NaiveDateTime) -> String {
        let year = at.year();
        let year = if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") };
        let (month, day) = (at.month(), at.day());
        match self {
            Self::Months(months) if months % 12 == 0 => year,
            Self::Months(_) => format!("{year}-{month:02}"),
            Self::Micros(micros) if micros % (86_400 * SECOND) == 0 => format!("{year}-{month:02}-{day:02}"),
            Self::Micros(micros) if micros % (60 * SECOND) == 0 => {
                format!("{year}-{month:02}-{day:02} {:02}:{:02}", at.hour(), at.minute())
            }
            Self::Micros(_) => format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02}", at.hour(), at.minute(), at.second()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClaimId, FactId, FactStatus, ObservationId, Term};
    use crate::time::Moment;

    fn year(year: i32) -> Instant {
        Instant::from_micros(NaiveDate::from_ymd_opt(year, 1, 1).unwrap().and_time(chrono::NaiveTime::MIN).and_utc().timestamp_micros())
    }

    fn in_year(number: i32) -> Moment {
        Moment::granule(year(number), year(number + 1)).unwrap()
    }

    fn fact(start: Start, end: End, status: FactStatus) -> Fact {
        let claim = ClaimId { observation: ObservationId::from_bytes([7; 16]), ordinal: 0 };
        Fact {
            id: FactId(claim),
            head: Term::Name("Ines".to_owned()),
            relation: "lives_in".to_owned(),
            tail: Term::Name("Oslo".to_owned()),
            context: None,
            start,
            end,
            tx_from: year(2020),
            tx_to: None,
            confidence: 1.0,
            importance: 0.5,
            status,
            supported_by: vec![claim],
        }
    }

    fn draw(facts: &[Fact], columns: usize) -> Vec<String> {
        let axis = Axis::over(facts, None, columns).unwrap();
        facts.iter().map(|fact| axis.bar(fact).into_iter().map(Ink::glyph).collect::<String>()).collect()
    }

    #[test]
    fn bars_of_one_history_share_their_axis() {
        let exact = |at| Moment::exact(year(at));
        let facts = [
            fact(Start::At(exact(2010)), End::At(exact(2014)), FactStatus::default()),
            fact(Start::At(in_year(2014)), End::At(in_year(2018)), FactStatus { contested: true, ..FactStatus::default() }),
            fact(Start::At(exact(2018)), End::Open, FactStatus::default()),
            fact(
                Start::By(year(2014)),
                End::At(exact(2018)),
                FactStatus { hidden: vec![(year(2016), year(2018))], ..FactStatus::default() },
            ),
            fact(Start::Unknown, End::By(year(2016)), FactStatus::default()),
            fact(Start::Always, End::At(exact(2012)), FactStatus::default()),
            fact(Start::At(exact(2012)), End::At(exact(2012)), FactStatus::default()),
        ];
        assert_eq!(
            draw(&facts, 40),
            [
                "  ████████████████                      ",
                "                  ░░░░▓▓▓▓▓▓▓▓▓▓▓▓░░░░  ",
                "                                  █████▶",
                "               ◀░░████████┄┄┄┄┄┄┄┄      ",
                "                      ◀░░░              ",
                "◀█████████                              ",
                "          ◆                             ",
            ],
            "certain, fuzzy on both sides and contested, open, hidden, ended and never told to begin, always, a point"
        );
    }

    #[test]
    fn labels_stand_at_round_times_and_never_run_into_each_other() {
        for (from, to, columns) in [(2010, 2018, 40), (-3000, 2020, 60), (1999, 2000, 50), (2020, 2020, 45), (1, 9999, 30)] {
            let facts = [fact(Start::At(Moment::exact(year(from))), End::At(Moment::exact(year(to))), FactStatus::default())];
            let axis = Axis::over(&facts, None, columns).unwrap();
            let (labels, marks) = axis.labels();
            assert_eq!(marks.width(), columns, "{labels}");
            assert!(!labels.trim().is_empty(), "no label from {from} to {to}");
            assert!(labels.width() <= columns + 4, "{labels:?} is too wide");
            assert!(labels.split_whitespace().count() <= marks.matches('┬').count() * 2, "{labels:?} over {marks:?}");
        }
    }

    #[test]
    fn facts_without_any_bound_have_no_axis() {
        assert_eq!(Axis::over(&[fact(Start::Always, End::Open, FactStatus::default())], None, 40), None);
    }
}
