//! What is read: mentions of times with their values. Knows nothing of words or of how they were resolved.

use super::calendar::{Grain, Granule};
use super::context::Conventions;
use super::lang::Language;
use super::recur::Recurrence;
use super::resolve::{Form, Hit};
use super::symbol::{Bound, Length, Node};
use crate::time::civil::{DAY, HOUR};
use crate::time::{End, Instant, Moment, Span, Start, Zone};
use std::ops::Range;

/// A temporal expression in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeMention {
    /// Where it stands, in characters.
    pub span: Range<usize>,
    /// Where it stands, in bytes.
    pub bytes: Range<usize>,
    /// What it means, of several readings the preferred one.
    pub value: Value,
    /// The other readings, at most three: another year, another Friday, the other half of the day.
    pub alternatives: Vec<Value>,
    /// How it bears on what it is said of.
    pub role: Role,
    /// What sort of time it names.
    pub sort: Sort,
    /// How fine it is; of a part of a decade or of a year ("mid-2018") how fine its ends are, so a month.
    pub grain: Grain,
    /// The moment that an open stretch ("since 2014") is measured from.
    pub anchor: Option<Moment>,
    /// Whether it was said to be approximate.
    pub approximate: bool,
    /// The language it was read in.
    pub language: Language,
}

impl TimeMention {
    /// The value and the alternatives, the preferred reading first.
    pub fn candidates(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.value).chain(&self.alternatives)
    }
}

/// What an expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A point in time, as wide as it was said: "2019", "last week", "5 pm".
    Moment(Moment),
    /// A stretch of time with a start and an end, or one of them: "from May to July", "since 2014".
    Span(Span),
    /// A length of time.
    Duration(Duration),
    /// A recurring time: no instant, but a rule.
    Set(Recurrence),
}

/// How an expression bears on what it is said of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Then.
    At,
    /// From one time to another.
    During,
    /// From then on.
    Since,
    /// Later than then.
    After,
    /// Up to then.
    Until,
    /// Earlier than then.
    Before,
    /// Not later than then.
    By,
    /// For so long.
    For,
    /// Each time.
    Every,
}

/// What sort of time an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// One day.
    Date,
    /// A longer granule, or a stretch of days.
    DateRange,
    /// A time of a day.
    DateTime,
    /// A part of a day, or a stretch between times of days.
    DateTimeRange,
    /// A time of an unnamed day.
    Time,
    /// A part of an unnamed day.
    TimeRange,
    /// A length.
    Duration,
    /// A recurring time.
    Set,
}

/// A length of time as it was said: months do not have a number of days, nor days of seconds where clocks are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Duration {
    /// Months; twelve a year.
    pub months: i64,
    /// Days; seven a week.
    pub days: i64,
    /// Microseconds.
    pub micros: i64,
}

impl From<Length> for Duration {
    fn from(length: Length) -> Self {
        Self { months: length.months, days: length.days, micros: length.micros }
    }
}

/// A hit as a value of the zone; `None` outside the civil years or where a range would end before it starts.
pub(super) fn value(hit: Hit, zone: Zone, conventions: &Conventions) -> Option<(Value, Role, Option<Moment>)> {
    let zone = hit.zone.unwrap_or(zone);
    let anchor = moment(hit.granule, zone)?;
    Some(match hit.form {
        Form::Point => (Value::Moment(anchor), Role::At, None),
        Form::Range(from, to) => {
            let span = Span::new(Start::At(moment(from, zone)?), End::At(moment(to, zone)?)).ok()?;
            (Value::Span(span), Role::During, None)
        }
        Form::Open(bound) => {
            let wide = hit.granule.grain >= Grain::Day && conventions.after_excludes;
            let beyond = hit.granule.width() > DAY && conventions.onward_excludes;
            let (start, end, role) = match bound {
                Bound::Onward if beyond => (Start::At(Moment::exact(anchor.hi())), End::Open, Role::Since),
                Bound::Since | Bound::Onward => (Start::At(anchor), End::Open, Role::Since),
                Bound::After if wide => (Start::At(Moment::exact(anchor.hi())), End::Open, Role::After),
                Bound::After => (Start::At(Moment::exact(anchor.lo())), End::Open, Role::After),
                Bound::Until => (Start::Unknown, End::At(anchor), Role::Until),
                Bound::Before => (Start::Unknown, End::By(anchor.lo()), Role::Before),
                Bound::By => (Start::Unknown, End::By(if hit.granule.grain >= Grain::Day { anchor.hi() } else { anchor.lo() }), Role::By),
            };
            (Value::Span(Span::new(start, end).ok()?), role, Some(anchor))
        }
    })
}

fn moment(granule: Granule, zone: Zone) -> Option<Moment> {
    if granule.from == granule.to {
        let at = Instant::from_micros(zone.instants(granule.from).0);
        return at.is_civil().then_some(Moment::exact(at));
    }
    zone.granule(granule.from, granule.to).ok()
}

/// The sort of a symbol, with what it came to mean.
pub(super) fn sort(node: &Node, hit: Hit) -> Sort {
    match node {
        Node::Open(_, of) | Node::Near(of) | Node::Zoned(of, _) | Node::Anaphora(of) => {
            let inner = sort(of, hit);
            let open = matches!(node, Node::Open(..));
            return match inner {
                Sort::Date if open => Sort::DateRange,
                Sort::DateTime if open => Sort::DateTimeRange,
                Sort::Time if open => Sort::TimeRange,
                sort => sort,
            };
        }
        _ => {}
    }
    let ranged = !matches!(hit.form, Form::Point);
    if !has_date(node) {
        return if ranged || node.grain() == Grain::DayPart { Sort::TimeRange } else { Sort::Time };
    }
    let clock = match hit.form {
        Form::Range(from, to) => from.grain.is_clock() || to.grain.is_clock(),
        Form::Point | Form::Open(_) => hit.granule.grain.is_clock(),
    };
    match (clock, ranged) {
        (true, true) => Sort::DateTimeRange,
        (true, false) if hit.granule.width() > HOUR => Sort::DateTimeRange,
        (true, false) => Sort::DateTime,
        (false, false) if hit.granule.grain == Grain::Day && hit.granule.width() <= DAY => Sort::Date,
        (false, _) => Sort::DateRange,
    }
}

/// Whether a symbol names a day, or more.
fn has_date(node: &Node) -> bool {
    match node {
        Node::Clock(_) | Node::Part(_) => false,
        Node::And(one, other) | Node::Range(one, other) => has_date(one) || has_date(other),
        Node::Section(_, of) | Node::Zoned(of, _) | Node::Near(of) => has_date(of),
        Node::Lasting { from, .. } => has_date(from),
        _ => true,
    }
}
