//! What an expression says, before anybody knows when it was said: symbols that a grammar of any language builds.
//! Knows nothing of words, and nothing of which granule a symbol comes to mean.

use super::calendar::Grain;
use crate::time::Zone;
use crate::time::civil::{DAY, HOUR, MINUTE, SECOND};

/// A year, as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Year {
    /// With its century.
    Full(i32),
    /// The last two digits alone.
    Short(i32),
}

/// Calendar fields; each that is missing is left to the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) year: Option<Year>,
    pub(super) month: Option<u32>,
    pub(super) day: Option<u32>,
    pub(super) weekday: Option<u8>,
    /// Month and day were two numbers, and each order is a date.
    pub(super) either_order: bool,
}

/// Which half of the day an hour belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meridian {
    Am,
    Pm,
    /// Not said: 5 may be 17.
    Either,
    /// Not said, where the earlier half of the day is meant rather.
    AmFirst,
    /// A clock of 24 hours.
    Full,
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) hour: u32,
    pub(super) minute: Option<u32>,
    pub(super) second: Option<u32>,
    pub(super) meridian: Meridian,
}

impl Clock {
    pub(super) const fn grain(self) -> Grain {
        match (self.minute, self.second) {
            (_, Some(_)) => Grain::Second,
            (Some(_), None) => Grain::Minute,
            (None, None) => Grain::Hour,
        }
    }
}

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DayPart {
    /// The morning.
    Morning,
    /// The afternoon.
    Afternoon,
    /// The evening.
    Evening,
    /// The night that begins on the day.
    Night,
    /// The hours around midnight and after it, of the night that begins on the day.
    LateNight,
    /// The hours of daylight.
    Daytime,
    /// Around breakfast.
    Breakfast,
    /// Around lunch.
    Lunch,
    /// Around dinner.
    Dinner,
    /// Before sunrise.
    Dawn,
}

impl DayPart {
    /// Its name in English, as the tables of languages and the answers of programs write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Morning => "morning",
            Self::Afternoon => "afternoon",
            Self::Evening => "evening",
            Self::Night => "night",
            Self::LateNight => "late night",
            Self::Daytime => "daytime",
            Self::Breakfast => "breakfast",
            Self::Lunch => "lunch",
            Self::Dinner => "dinner",
            Self::Dawn => "dawn",
        }
    }

    /// The part of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        const ALL: [DayPart; 10] = [
            DayPart::Morning,
            DayPart::Afternoon,
            DayPart::Evening,
            DayPart::Night,
            DayPart::LateNight,
            DayPart::Daytime,
            DayPart::Breakfast,
            DayPart::Lunch,
            DayPart::Dinner,
            DayPart::Dawn,
        ];
        ALL.into_iter().find(|part| part.name() == name)
    }
}

/// A season of the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeasonName {
    Spring,
    Summer,
    Autumn,
    Winter,
}

/// How an occurrence stands to the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    This,
    Next,
    Last,
    /// "This past": the most recent, whatever "last" means.
    Past,
    /// "This coming": the first to come, whatever "next" means.
    Coming,
    /// "The following": the one after the day of the reference, or that of next week.
    Following,
}

/// A part of a granule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Early,
    Mid,
    Late,
    /// As nouns: they are parts on their own, and boundaries as the end of a range.
    Beginning,
    Middle,
    End,
    /// The first days, of a year those of its first month.
    Head,
    /// The last days, of a year those of its last month: 年末.
    Tail,
    /// The first, middle or last instant.
    Boundary(u8),
    /// The first half.
    FirstHalf,
    /// The second half.
    SecondHalf,
    /// What of it was before the reference, or its first half.
    Earlier,
    /// What of it is to come, or its second half.
    Later,
    /// From the reference to its end.
    Rest,
    /// From its start to the reference.
    ToDate,
    /// The last moment of it.
    Close,
    /// The days right after it: 連休明け.
    Wake,
    /// Some time in all of it.
    Some,
    /// A third of a month as Japanese counts them (1 to 10, 11 to 20, the rest).
    Third(u32),
}

/// On which side of its anchor an open stretch lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Since,
    /// From then on, perhaps without it.
    Onward,
    After,
    Until,
    Before,
    By,
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) micros: i64,
    /// The finest unit it was said in.
    pub(super) grain: Grain,
}

impl Length {
    /// `count` units, where `count` is in thousandths.
    pub(super) fn of(thousandths: i64, grain: Grain) -> Option<Self> {
        // Half a year is six months, and so wide.
        let finer = match grain {
            _ if thousandths % 1000 == 0 => grain,
            Grain::Century => Grain::Decade,
            Grain::Decade => Grain::Year,
            Grain::Year | Grain::Half | Grain::Quarter => Grain::Month,
            Grain::Month | Grain::Week | Grain::Fortnight | Grain::Weekend => Grain::Day,
            grain => grain,
        };
        let mut length = Self { months: 0, days: 0, micros: 0, grain: finer };
        if let Some(months) = grain.months() {
            let total = thousandths.checked_mul(months)?;
            length.months = total.div_euclid(1000);
            length.days = (total.rem_euclid(1000) * 30 + 500).div_euclid(1000);
        } else if grain >= Grain::Day {
            // Two weekends are two weeks apart.
            let grain = if grain == Grain::Weekend { Grain::Week } else { grain };
            let days = thousandths.checked_mul(grain.micros() / DAY)?;
            length.days = days.div_euclid(1000);
            length.micros = days.rem_euclid(1000) * (DAY / 1000);
        } else {
            let unit = match grain {
                Grain::Second => SECOND,
                Grain::Minute => MINUTE,
                _ => HOUR,
            };
            length.micros = thousandths.checked_mul(unit / 1000)?;
        }
        Some(length)
    }

    /// Whether it is no time at all: "0 days".
    pub(super) const fn is_nothing(self) -> bool {
        self.months == 0 && self.days == 0 && self.micros == 0
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            months: self.months.checked_add(other.months)?,
            days: self.days.checked_add(other.days)?,
            micros: self.micros.checked_add(other.micros)?,
            grain: self.grain.min(other.grain),
        })
    }
}

/// What an expression says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// The reference itself.
    Now,
    /// The granule of the grain that holds the reference, so many granules on.
    This(Grain, i64),
    /// Calendar fields.
    Date(Fields),
    /// So many years from one.
    Years(i32, u32),
    /// A decade without its century, by its first two digits.
    ShortDecade(i32),
    /// A week of the year.
    Week(u32),
    Quarter(u32),
    Half(u32),
    Season(SeasonName),
    /// An entry of the table of holidays.
    Holiday(usize),
    Weekend,
    Clock(Clock),
    Part(DayPart),
    /// The finer inside the coarser.
    And(Box<Node>, Box<Node>),
    Rel(Which, Box<Node>),
    /// The `n`th occurrence after (or, negative, before) the base or the reference.
    Count(i64, Box<Node>, Option<Box<Node>>),
    /// `count` units from the `n`th (negative: from the last) inside.
    Nth {
        n: i64,
        count: i64,
        unit: Box<Node>,
        of: Box<Node>,
    },
    Section(Section, Box<Node>),
    /// A length after (true) or before the base or the reference.
    Shift {
        length: Length,
        forward: bool,
        base: Option<Box<Node>>,
    },
    /// Some time in the length of time up to the reference: "the other day".
    Lately(Length),
    /// The season of the year that holds the reference, so many seasons on.
    SeasonAway(i64),
    /// So many units next to the reference.
    Window {
        count: i64,
        grain: Grain,
        which: Which,
    },
    /// A stretch of a length from (true) or up to the base or the reference.
    Within {
        length: Length,
        forward: bool,
        base: Option<Box<Node>>,
    },
    /// A stretch of a length that begins with the base.
    Lasting {
        length: Length,
        from: Box<Node>,
    },
    Range(Box<Node>, Box<Node>),
    Open(Bound, Box<Node>),
    /// The week, or the weekend, that something falls in.
    WeekOf(Box<Node>),
    WeekendOf(Box<Node>),
    /// The `n`th closest occurrence to something.
    Closest(i64, Box<Node>, Box<Node>),
    /// About.
    Near(Box<Node>),
    /// By the clock of a zone.
    Zoned(Box<Node>, Zone),
    /// Relative to what was said before.
    Anaphora(Box<Node>),
    /// In years that begin three months after those of the calendar: what is said of one, so much later.
    Fiscal(Box<Node>),
    Length(Length),
    /// So many times, of a set.
    Times(u32),
    /// Every `interval` units, on what.
    Every {
        interval: i64,
        grain: Grain,
        on: Option<Box<Node>>,
    },
}

impl Node {
    pub(super) const fn date(fields: Fields) -> Self {
        Self::Date(fields)
    }

    pub(super) fn month(month: u32) -> Self {
        Self::Date(Fields { month: Some(month), ..Fields::default() })
    }

    /// A year, whichever.
    pub(super) fn any_year() -> Self {
        Self::Date(Fields::default())
    }

    pub(super) fn year(year: Year) -> Self {
        Self::Date(Fields { year: Some(year), ..Fields::default() })
    }

    pub(super) fn weekday(weekday: u8) -> Self {
        Self::Date(Fields { weekday: Some(weekday), ..Fields::default() })
    }

    pub(super) fn day_of_month(day: u32) -> Self {
        Self::Date(Fields { day: Some(day), ..Fields::default() })
    }

    /// Both at once: fields are put together, anything else is the finer inside the coarser.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Every { interval, grain, on }, other) | (other, Self::Every { interval, grain, on }) => {
                let on = match on {
                    Some(on) => on.and(other),
                    None => other,
                };
                Self::Every { interval, grain, on: Some(Box::new(on)) }
            }
            (Self::Date(one), Self::Date(two)) if one.fits(two) => Self::Date(one.with(two)),
            // The zone is of the whole: "tomorrow at 5pm ET".
            (one, Self::Zoned(of, zone)) => Self::Zoned(Box::new(one.and(*of)), zone),
            (Self::Zoned(of, zone), other) => Self::Zoned(Box::new(of.and(other)), zone),
            (one, Self::Range(from, to)) if !one.grain().is_clock() && from.grain().is_clock() && to.grain().is_clock() => {
                Self::And(Box::new(one), Box::new(Self::Range(from, to)))
            }
            (one, Self::Open(bound, of)) => Self::Open(bound, Box::new(one.and(*of))),
            (Self::Open(bound, of), other) => Self::Open(bound, Box::new(of.and(other))),
            (Self::Near(one), other) | (other, Self::Near(one)) => Self::Near(Box::new(one.and(other))),
            (one, other) => Self::And(Box::new(one), Box::new(other)),
        }
    }

    /// Twelve o'clock as the end of its day, as an evening has it.
    pub(super) const fn at_midnight(&self) -> Option<Self> {
        match self {
            Self::Clock(clock @ Clock { hour: 12, meridian: Meridian::Either, .. }) => {
                Some(Self::Clock(Clock { hour: 24, meridian: Meridian::Full, ..*clock }))
            }
            _ => None,
        }
    }

    /// With years of two figures counted from the first year of an era, where that gives none after `last`; no era has had 65 years.
    pub(super) fn of_era(self, first: i32, last: i32) -> Self {
        const LONGEST: i32 = 64;
        let boxed = |of: Box<Self>| Box::new(of.of_era(first, last));
        match self {
            Self::Date(fields @ Fields { year: Some(Year::Short(n)), .. }) if (1..=LONGEST).contains(&n) && first + n - 1 <= last => {
                Self::Date(Fields { year: Some(Year::Full(first + n - 1)), ..fields })
            }
            Self::And(one, other) => Self::And(boxed(one), boxed(other)),
            Self::Range(one, other) => Self::Range(boxed(one), boxed(other)),
            Self::Section(section, of) => Self::Section(section, boxed(of)),
            Self::Open(bound, of) => Self::Open(bound, boxed(of)),
            Self::Near(of) => Self::Near(boxed(of)),
            Self::Fiscal(of) => Self::Fiscal(boxed(of)),
            other => other,
        }
    }

    /// How fine the granules are that it means.
    pub(super) fn grain(&self) -> Grain {
        match self {
            Self::Now | Self::Times(_) => Grain::Second,
            Self::This(grain, _) | Self::Window { grain, .. } | Self::Every { grain, .. } => *grain,
            Self::Date(fields) => fields.grain(),
            Self::Years(_, count) if *count >= 100 => Grain::Century,
            Self::Years(..) | Self::ShortDecade(_) => Grain::Decade,
            Self::Section(section, of) if *section != Section::Some && of.grain() <= Grain::Day && *section != Section::Wake => {
                Grain::DayPart
            }
            Self::Section(Section::Some, of)
            | Self::Rel(_, of)
            | Self::Count(_, of, _)
            | Self::Closest(_, of, _)
            | Self::Near(of)
            | Self::Zoned(of, _)
            | Self::Anaphora(of)
            | Self::Fiscal(of)
            | Self::Lasting { from: of, .. }
            | Self::Open(_, of) => of.grain(),
            Self::Week(_) | Self::WeekOf(_) | Self::Section(..) => Grain::Week,
            Self::Quarter(_) | Self::Season(_) | Self::SeasonAway(_) => Grain::Quarter,
            Self::Half(_) => Grain::Half,
            Self::Holiday(_) => Grain::Day,
            Self::Weekend | Self::WeekendOf(_) => Grain::Weekend,
            Self::Clock(clock) => clock.grain(),
            Self::Part(_) => Grain::DayPart,
            Self::And(one, other) | Self::Range(one, other) => one.grain().min(other.grain()),
            Self::Nth { unit, .. } => unit.grain(),
            Self::Shift { length, base: None, .. } | Self::Within { length, .. } | Self::Length(length) | Self::Lately(length) => {
                length.grain
            }
            Self::Shift { base: Some(base), length, .. } => base.grain().min(length.grain),
        }
    }

    /// The part of the day it is in, if it says one.
    pub(super) fn day_part(&self) -> Option<DayPart> {
        match self {
            Self::Part(part) => Some(*part),
            Self::Rel(_, of) | Self::Section(_, of) | Self::Anaphora(of) | Self::Near(of) => of.day_part(),
            Self::And(one, other) => one.day_part().or_else(|| other.day_part()),
            _ => None,
        }
    }

    /// Whether it means one granule, whatever the reader prefers.
    pub(super) fn is_fixed(&self) -> bool {
        match self {
            Self::Now
            | Self::This(..)
            | Self::Years(..)
            | Self::Lately(_)
            | Self::SeasonAway(_)
            | Self::Window { .. }
            | Self::Within { base: None, .. }
            | Self::Rel(..)
            | Self::Length(_)
            | Self::Times(_)
            | Self::Every { .. }
            | Self::Anaphora(_) => true,
            Self::Date(fields) => fields.year.is_some(),
            Self::ShortDecade(_)
            | Self::Week(_)
            | Self::Quarter(_)
            | Self::Half(_)
            | Self::Season(_)
            | Self::Holiday(_)
            | Self::Weekend
            | Self::Clock(_)
            | Self::Part(_) => false,
            Self::And(one, other) => one.is_fixed() || other.is_fixed(),
            Self::Range(from, to) => from.is_fixed() || to.is_fixed(),
            Self::Count(_, _, base) | Self::Shift { base, .. } | Self::Within { base, .. } => {
                base.as_ref().is_none_or(|base| base.is_fixed())
            }
            Self::Nth { of, .. }
            | Self::Section(_, of)
            | Self::Lasting { from: of, .. }
            | Self::Open(_, of)
            | Self::WeekOf(of)
            | Self::WeekendOf(of)
            | Self::Closest(_, _, of)
            | Self::Near(of)
            | Self::Fiscal(of)
            | Self::Zoned(of, _) => of.is_fixed(),
        }
    }
}

impl Fields {
    /// Whether no field is in both.
    fn fits(self, other: Self) -> bool {
        !(self.year.is_some() && other.year.is_some()
            || self.month.is_some() && other.month.is_some()
            || self.day.is_some() && other.day.is_some()
            || self.weekday.is_some() && other.weekday.is_some())
    }

    /// What is missing, taken from the other.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            year: self.year.or(other.year),
            month: self.month.or(other.month),
            day: self.day.or(other.day),
            weekday: self.weekday.or(other.weekday),
            either_order: self.either_order || other.either_order,
        }
    }

    fn grain(self) -> Grain {
        if self.day.is_some() || self.weekday.is_some() {
            Grain::Day
        } else if self.month.is_some() {
            Grain::Month
        } else {
            Grain::Year
        }
    }

    pub(super) fn is_bare_weekday(self) -> bool {
        self == Self { weekday: self.weekday, ..Self::default() }
    }
}

/// As the end of something, "the end of 2008" is the instant it ends at.
pub(super) fn boundary(node: Node) -> Node {
    match node {
        Node::Section(Section::Beginning | Section::Head, of) => Node::Section(Section::Boundary(0), of),
        Node::Section(Section::Middle, of) => Node::Section(Section::Boundary(1), of),
        Node::Section(Section::End | Section::Tail, of) => Node::Section(Section::Boundary(2), of),
        node => node,
    }
}

/// An open stretch.
pub(super) fn open(bound: Bound, of: Node) -> Node {
    Node::Open(bound, Box::new(boundary(of)))
}

/// A range, its ends completing each other: "13 to 15 July", "3 to 5 pm", "Nov–Feb 2017".
pub(super) fn range(from: Node, to: Node) -> Node {
    match (boundary(from), boundary(to)) {
        (Node::Date(mut one), Node::Date(mut two)) => {
            if one.month.is_none() && one.day.is_some() {
                one.month = two.month;
                one.year = one.year.or(two.year);
            } else if two.month.is_none() && two.day.is_some() && one.month.is_some() {
                let rolls = two.day < one.day;
                two.month = one.month.map(|month| if rolls { month % 12 + 1 } else { month });
                two.year = two.year.or(one.year);
                if let (true, Some(12), Some(Year::Full(year))) = (rolls, one.month, one.year) {
                    two.year = Some(Year::Full(year + 1));
                }
            }
            Node::Range(Box::new(Node::Date(one)), Box::new(Node::Date(two)))
        }
        (Node::Now, to) if to.grain() >= Grain::Day => Node::Range(Box::new(Node::This(Grain::Day, 0)), Box::new(to)),
        (from, Node::Now) if from.grain() >= Grain::Day => Node::Range(Box::new(from), Box::new(Node::This(Grain::Day, 0))),
        (Node::Zoned(from, one), Node::Zoned(to, two)) if one == two => Node::Zoned(Box::new(range(*from, *to)), one),
        // "From 3 to 5 pm ET": both are of the zone that was said of one.
        (from, Node::Zoned(to, zone)) if from.grain().is_clock() && !matches!(from, Node::Zoned(..)) => {
            Node::Zoned(Box::new(range(from, *to)), zone)
        }
        (Node::Zoned(from, zone), to) if to.grain().is_clock() && !matches!(to, Node::Zoned(..)) => {
            Node::Zoned(Box::new(range(*from, to)), zone)
        }
        (Node::Clock(mut one), Node::Clock(mut two)) => {
            meridians(&mut one, &mut two);
            Node::Range(Box::new(Node::Clock(one)), Box::new(Node::Clock(two)))
        }
        (Node::And(date, time), Node::Clock(two)) if time.grain().is_clock() => match *time {
            Node::Clock(one) => date.and(range(Node::Clock(one), Node::Clock(two))),
            Node::And(part, clock) if matches!(*part, Node::Part(_)) => date.and(*part).and(range(*clock, Node::Clock(two))),
            other => Node::Range(Box::new(date.and(other)), Box::new(Node::Clock(two))),
        },
        (Node::Clock(one), Node::And(date, time)) => match *time {
            Node::Clock(two) if !date.grain().is_clock() => date.and(range(Node::Clock(one), Node::Clock(two))),
            other => Node::Range(Box::new(Node::Clock(one)), Box::new(date.and(other))),
        },
        (Node::And(scope, inner), Node::Date(two)) if two.month.is_none() && two.weekday.is_none() && scope.grain() >= Grain::Month => {
            match *inner {
                Node::Date(one) if one.month.is_none() => scope.and(Node::Range(Box::new(Node::Date(one)), Box::new(Node::Date(two)))),
                other => Node::Range(Box::new(scope.and(other)), Box::new(Node::Date(two))),
            }
        }
        (Node::Date(one), Node::And(scope, inner)) if one.month.is_none() && one.weekday.is_none() && scope.grain() >= Grain::Month => {
            match *inner {
                Node::Date(two) if two.month.is_none() => scope.and(Node::Range(Box::new(Node::Date(one)), Box::new(Node::Date(two)))),
                other => Node::Range(Box::new(Node::Date(one)), Box::new(scope.and(other))),
            }
        }
        (from, to) => Node::Range(Box::new(from), Box::new(to)),
    }
}

/// "3 to 5 pm" is all afternoon, "11 to 2 pm" is not.
fn meridians(one: &mut Clock, two: &mut Clock) {
    for clock in [&mut *one, &mut *two] {
        if clock.meridian == Meridian::AmFirst {
            clock.meridian = Meridian::Either;
        }
    }
    let minutes = |clock: &Clock| clock.hour % 12 * 60 + clock.minute.unwrap_or(0);
    match (one.meridian, two.meridian) {
        (Meridian::Either, Meridian::Pm) => {
            one.meridian = if minutes(one) < minutes(two) { Meridian::Pm } else { Meridian::Am };
        }
        (Meridian::Either, Meridian::Am) => {
            one.meridian = if minutes(one) < minutes(two) { Meridian::Am } else { Meridian::Pm };
        }
        (Meridian::Am, Meridian::Either) => {
            two.meridian = if minutes(one) < minutes(two) { Meridian::Am } else { Meridian::Pm };
        }
        (Meridian::Pm, Meridian::Either) => {
            two.meridian = if minutes(one) < minutes(two) { Meridian::Pm } else { Meridian::Am };
        }
        // "Noon to 3" is all afternoon.
        (Meridian::Full, Meridian::Either) if one.hour == 12 && two.hour < 12 => two.meridian = Meridian::Pm,
        (Meridian::Full, Meridian::Either) => two.meridian = Meridian::Full,
        (Meridian::Either, Meridian::Full) => one.meridian = Meridian::Full,
        _ => {}
    }
}
