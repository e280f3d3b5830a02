//! What a reader of expressions must know beside the text: when and where it was said, and by which conventions.
//! Knows nothing of words and reads no clock.

use super::lang::Language;
use super::symbol::DayPart;
use crate::time::{Instant, Zone};

/// What a reader of expressions must know beside the text.
///
/// Everything but the reference and the zone has a default that suits conversation; a data set that reads things otherwise is
/// another value of these fields.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// When the text was said or written.
    pub reference: Instant,
    /// Whose calendar and clock it means.
    pub zone: Zone,
    /// The language to read; `None` tries every one at each place and takes what reads furthest.
    pub language: Option<Language>,
    /// Which occurrence an expression means that names no year or no day.
    pub prefer: Prefer,
    /// The order of `3/4/2019`.
    pub date_order: DateOrder,
    /// The first day of the week, from 1 (Monday) to 7 (Sunday).
    pub week_start: u8,
    /// How the words of relative time are taken.
    pub conventions: Conventions,
}

impl Context {
    /// The default reading at a reference.
    #[must_use]
    pub const fn new(reference: Instant, zone: Zone) -> Self {
        Self {
            reference,
            zone,
            language: None,
            prefer: Prefer::Tense,
            date_order: DateOrder::MonthDay,
            week_start: 1,
            conventions: Conventions::CONVERSATION,
        }
    }

    /// The same, reading one language only.
    #[must_use]
    pub const fn in_language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// The same with another preference.
    #[must_use]
    pub const fn preferring(mut self, prefer: Prefer) -> Self {
        self.prefer = prefer;
        self
    }
}

/// Which occurrence an expression means that may mean several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The last one before the reference.
    Past,
    /// The first one after it.
    Future,
    /// The one nearer to it; the later one of two as near.
    Closest,
    /// The past one beside a verb in the past, else the future one. Where nothing tells, of dates and months the nearer one, the past one
    /// only by a margin, and of all else the future one; a month or a season that has begun comes before the last one.
    Tense,
}

/// The order of an all-numeric date that has no year in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// 3/4 is March 4, unless only the other order exists.
    MonthDay,
    /// 3/4 is April 3, unless only the other order exists.
    DayMonth,
}

/// What "this Friday" is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThisWeekday {
    /// The Friday of the week of the reference, though it be past.
    OfTheWeek,
    /// The first Friday to come.
    Coming,
}

/// What "next Friday" is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextWeekday {
    /// The Friday of next week.
    OfNextWeek,
    /// The first Friday after the day of the reference.
    Coming,
}

/// What "last Friday" is. The other reading is always offered as an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastWeekday {
    /// The Friday of last week.
    OfLastWeek,
    /// The last Friday before the day of the reference.
    MostRecent,
}

/// How wide a moment "two months ago" or "in an hour" is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftPrecision {
    /// As wide as its unit: some time in that month.
    Unit,
    /// As wide as the next finer unit.
    Finer,
    /// A day for units of days and more, else a second.
    Day,
}

/// What "the last nine weeks" are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Windows {
    /// Whole weeks of the calendar.
    Whole,
    /// The fourteen days before the day of the reference.
    Rolling,
}

/// Which weeks belong to a month or year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeeksOf {
    /// Those with most of their days inside, as ISO 8601 counts them.
    Majority,
    /// Those that lie inside with all their days.
    Whole,
}

/// When seasons begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seasons {
    /// In March, June, September and December, as meteorologists have them.
    Meteorological,
    /// At the equinoxes and solstices.
    Astronomical,
}

/// When a weekend begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeekendStart {
    /// With Saturday.
    Saturday,
    /// On Friday at 18:00.
    FridayEvening,
}

/// What "about" does to a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approximate {
    /// As much again on either side, as EDTF's `~`.
    Widen,
    /// Nothing; the mention says it was approximate.
    Keep,
}

/// What lies where in a granule: the first and last units (counted from 0, exclusive at the end) of its early, middle and late part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sections {
    /// Months of a year.
    pub year: [(u8, u8); 3],
    /// Days of a month; 31 is its end, however long it is.
    pub month: [(u8, u8); 3],
    /// Days of a week.
    pub week: [(u8, u8); 3],
    /// Whether "the end of this year", as against "the end of 2020", is its second half.
    pub halves_if_relative: bool,
}

/// From which hour to which each part of the day goes; beyond 24 is the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayParts {
    /// The morning.
    pub morning: (u8, u8),
    /// The early morning.
    pub early_morning: (u8, u8),
    /// The afternoon.
    pub afternoon: (u8, u8),
    /// The evening.
    pub evening: (u8, u8),
    /// The night.
    pub night: (u8, u8),
    /// Lunch.
    pub lunch: (u8, u8),
}

impl DayParts {
    pub(super) const fn hours(self, part: DayPart) -> (u8, u8) {
        match part {
            DayPart::Morning => self.morning,
            DayPart::Afternoon => self.afternoon,
            DayPart::Evening => self.evening,
            DayPart::Night => self.night,
            DayPart::Lunch => self.lunch,
            DayPart::LateNight => (23, 28),
            DayPart::Daytime => (8, 18),
            DayPart::Breakfast => (7, 10),
            DayPart::Dinner => (18, 21),
            DayPart::Dawn => (4, 7),
        }
    }
}

/// How the words of relative time are taken where people differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question with two answers, and they are independent")]
pub struct Conventions {
    /// Whether "Tuesday", said on a Tuesday, may be today.
    pub weekday_may_be_today: bool,
    /// What "this Friday" is.
    pub this_weekday: ThisWeekday,
    /// What "next Friday" is.
    pub next_weekday: NextWeekday,
    /// What "the following Friday" is, `次の金曜日`.
    pub following_weekday: NextWeekday,
    /// What "last Friday" is.
    pub last_weekday: LastWeekday,
    /// Whether "Friday, March 15" must be a Friday; where none is near, the weekday is taken for a slip.
    pub weekday_must_agree: bool,
    /// How wide "two months ago" is.
    pub shift_precision: ShiftPrecision,
    /// What "the last nine weeks" are.
    pub windows: Windows,
    /// Which weeks belong to a month.
    pub weeks_of: WeeksOf,
    /// When seasons begin.
    pub seasons: Seasons,
    /// When a weekend begins.
    pub weekend: WeekendStart,
    /// What is early and late in a granule.
    pub sections: Sections,
    /// The hours of the parts of the day.
    pub day_parts: DayParts,
    /// What "about" does.
    pub approximate: Approximate,
    /// Whether "at 5" is rather 17:00 than 5:00.
    pub waking_hours: bool,
    /// Whether "tonight at 1" is after midnight, on the next day of the calendar.
    pub night_goes_on: bool,
    /// Whether "the week" alone is this week.
    pub definite_unit: bool,
    /// Whether "the coming two weeks" is the second week to come, not both.
    pub coming_counts: bool,
    /// Whether "week 12" alone is that week of the calendar, rather than of some plan.
    pub numbered_weeks: bool,
    /// Whether what comes "after 2018" begins with 2019 and not within 2018.
    pub after_excludes: bool,
    /// The same of what holds from 2018 on, `2011年以降`.
    pub onward_excludes: bool,
}

impl Conventions {
    /// The default, for conversation between people.
    pub const CONVERSATION: Self = Self {
        weekday_may_be_today: false,
        this_weekday: ThisWeekday::OfTheWeek,
        next_weekday: NextWeekday::OfNextWeek,
        following_weekday: NextWeekday::Coming,
        last_weekday: LastWeekday::MostRecent,
        weekday_must_agree: true,
        shift_precision: ShiftPrecision::Unit,
        windows: Windows::Rolling,
        weeks_of: WeeksOf::Majority,
        seasons: Seasons::Meteorological,
        weekend: WeekendStart::Saturday,
        sections: Sections {
            year: [(0, 4), (4, 8), (8, 12)],
            month: [(0, 10), (10, 20), (20, 31)],
            week: [(0, 2), (2, 5), (4, 7)],
            halves_if_relative: false,
        },
        day_parts: DayParts {
            morning: (5, 12),
            early_morning: (4, 8),
            afternoon: (12, 18),
            evening: (17, 22),
            night: (20, 28),
            lunch: (11, 14),
        },
        approximate: Approximate::Widen,
        waking_hours: true,
        night_goes_on: true,
        definite_unit: false,
        coming_counts: false,
        numbered_weeks: false,
        after_excludes: true,
        onward_excludes: false,
    };
}
