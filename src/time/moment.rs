//! Moments: exact instants and granules of possible instants, their constructors and their names. Knows nothing of starts and ends.

use super::civil::{self, HOUR, MINUTE, SECOND, Stretch};
use super::error::{Fault, TimeError};
use super::{Instant, Zone, parse_moment};
use chrono::Datelike;
use std::fmt;
use std::str::FromStr;

/// An exact instant, or a granule `[lo, hi)` of the instants it may be.
///
/// "2019" is the granule [2019-01-01, 2020-01-01): a date is not midnight.
/// Source: Dyreson & Snodgrass 1998, valid-time indeterminacy.
///
/// Displayed by its name in UTC where it has one that [`parse_moment`] reads back in UTC: `2019`, `201X`, `20XX`, `2019-06`,
/// `2019-Q2`, `2001-21` (spring 2001), `2019-W23`, `2019-06-03`, `2019-06-03T10Z`, `2019-06-03T10:30Z`; an exact
/// instant as RFC 3339, `2019-06-03T10:30:00Z`; any other granule as `[lo, hi)` with both instants.
///
/// ```
/// use erstwhile::time::{Moment, Zone};
///
/// let year = Moment::year(2019, &Zone::UTC)?;
/// assert_eq!(year.lo().to_string(), "2019-01-01T00:00:00Z");
/// assert_eq!(year.hi().to_string(), "2020-01-01T00:00:00Z");
/// assert_eq!(year.to_string(), "2019");
///
/// let tokyo = Zone::parse("Asia/Tokyo")?;
/// let day = Moment::day(2019, 6, 3, &tokyo)?;
/// assert_eq!(day.to_string(), "[2019-06-02T15:00:00Z, 2019-06-03T15:00:00Z)");
/// assert_eq!(day.display_in(&tokyo).to_string(), "2019-06-03");
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    lo: Instant,
    hi: Instant,
}

/// A quarter of the year by its weather, as the northern hemisphere has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Season {
    /// March to May.
    Spring,
    /// June to August.
    Summer,
    /// September to November.
    Autumn,
    /// December to February of the next year.
    Winter,
}

impl Season {
    /// Its first month.
    const fn month(self) -> u32 {
        match self {
            Self::Spring => 3,
            Self::Summer => 6,
            Self::Autumn => 9,
            Self::Winter => 12,
        }
    }
}

impl Moment {
    /// The exact instant `at`.
    #[must_use]
    pub const fn exact(at: Instant) -> Self {
        Self { lo: at, hi: at }
    }

    /// The granule `[lo, hi)`; exact where the two are equal.
    ///
    /// # Errors
    /// [`TimeError::Inconsistent`] if `hi` lies before `lo`.
    pub fn granule(lo: Instant, hi: Instant) -> Result<Self, TimeError> {
        if hi < lo {
            return Err(TimeError::Inconsistent { reason: format!("a granule cannot end ({hi}) before it begins ({lo})") });
        }
        Ok(Self { lo, hi })
    }

    /// `count` whole years from January of `first`, at least one: a year, a decade, a "20th century" of 1901 to 2000.
    ///
    /// # Errors
    /// [`TimeError::OutOfRange`] outside the years −9999 to 9999, to which it is clipped if it reaches over.
    pub fn years(first: i32, count: u32, zone: &Zone) -> Result<Self, TimeError> {
        let count = i32::try_from(count.max(1)).unwrap_or(i32::MAX);
        of(Ok(Stretch::years(first, count)), *zone, || format!("{count} years from {first:04}"))
    }

    /// A year of the zone's calendar.
    ///
    /// # Errors
    /// [`TimeError::OutOfRange`] outside the years −9999 to 9999.
    pub fn year(year: i32, zone: &Zone) -> Result<Self, TimeError> {
        of(Ok(Stretch::years(year, 1)), *zone, || format!("{year:04}"))
    }

    /// The ten years from a multiple of ten that `year` is among: 2010 to 2019, EDTF `201X`.
    ///
    /// # Errors
    /// As [`Moment::year`].
    pub fn decade(year: i32, zone: &Zone) -> Result<Self, TimeError> {
        Self::years(year.div_euclid(10).saturating_mul(10), 10, zone)
    }

    /// The hundred years from a multiple of a hundred that `year` is among: 1900 to 1999, EDTF `19XX`.
    ///
    /// # Errors
    /// As [`Moment::year`].
    pub fn century(year: i32, zone: &Zone) -> Result<Self, TimeError> {
        Self::years(year.div_euclid(100).saturating_mul(100), 100, zone)
    }

    /// A quarter (1 to 4) of a year.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] for another number; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn quarter(year: i32, quarter: u32, zone: &Zone) -> Result<Self, TimeError> {
        of(quarter_of(year, quarter), *zone, || format!("{year:04}-Q{quarter}"))
    }

    /// A season of a year; winter is the one that begins in it.
    ///
    /// # Errors
    /// As [`Moment::year`].
    pub fn season(year: i32, season: Season, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::months(year, season.month(), 3), *zone, || format!("{season:?} {year:04}"))
    }

    /// A month (1 to 12) of a year.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] for another number; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn month(year: i32, month: u32, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::months(year, month, 1), *zone, || format!("{year:04}-{month:02}"))
    }

    /// An ISO 8601 week, Monday to Sunday, of an ISO year.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] if the year has no such week; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn week(year: i32, week: u32, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::week(year, week), *zone, || format!("{year:04}-W{week:02}"))
    }

    /// A civil day: 23 or 25 hours where the zone's clock is moved.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] if there is no such date; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn day(year: i32, month: u32, day: u32, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::day(year, month, day), *zone, || format!("{year:04}-{month:02}-{day:02}"))
    }

    /// The civil day of the zone that an instant falls on ("today", of a `now` somebody else knows). A sentinel stays exact.
    #[must_use]
    pub fn day_of(at: Instant, zone: &Zone) -> Self {
        civil::split(zone.reading(at))
            .and_then(|(date, _)| zone.granule(civil::midnight(date), civil::midnight(date) + civil::DAY).ok())
            .unwrap_or(Self::exact(at))
    }

    /// An hour of a civil day.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] if there is no such date or hour; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn hour(year: i32, month: u32, day: u32, hour: u32, zone: &Zone) -> Result<Self, TimeError> {
        let stretch = time_stretch(year, month, day, [hour, 0, 0], HOUR);
        of(stretch, *zone, || format!("{year:04}-{month:02}-{day:02}T{hour:02}"))
    }

    /// A minute of a civil day.
    ///
    /// # Errors
    /// As [`Moment::hour`].
    pub fn minute(year: i32, month: u32, day: u32, hour: u32, minute: u32, zone: &Zone) -> Result<Self, TimeError> {
        let stretch = time_stretch(year, month, day, [hour, minute, 0], MINUTE);
        of(stretch, *zone, || format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"))
    }

    /// A second of a civil day, as a granule: text with seconds names an exact instant instead.
    ///
    /// # Errors
    /// As [`Moment::hour`].
    pub fn second(year: i32, month: u32, day: u32, hour: u32, minute: u32, second: u32, zone: &Zone) -> Result<Self, TimeError> {
        let stretch = time_stretch(year, month, day, [hour, minute, second], SECOND);
        of(stretch, *zone, || format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"))
    }

    /// The earliest instant it may be.
    #[must_use]
    pub const fn lo(self) -> Instant {
        self.lo
    }

    /// The end, exclusive, of the instants it may be; equal to [`Moment::lo`] where it is exact.
    #[must_use]
    pub const fn hi(self) -> Instant {
        self.hi
    }

    /// Whether it is one instant.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// Whether it may be the instant `at`.
    #[must_use]
    pub fn contains(self, at: Instant) -> bool {
        if self.is_exact() { at == self.lo } else { self.lo <= at && at < self.hi }
    }

    /// The moment as somebody in the zone names it, for display: `2019-06-03` for the day of that zone, an exact instant with its
    /// offset. Granules that the zone has no name for, and all text of [`Zone::UTC`], are as [`Moment`]'s own display.
    #[must_use]
    pub const fn display_in(self, zone: &Zone) -> MomentIn {
        MomentIn { moment: self, zone: *zone }
    }

    /// The widest of year, month and day in UTC that ends at `at`, for "by" and its like.
    pub(super) fn ending_at(at: Instant) -> Option<Self> {
        let (date, time) = civil::split(at.micros().checked_sub(1)?)?;
        if time != civil::DAY - 1 {
            return None;
        }
        Self::widest(date, |moment| moment.hi == at)
    }

    /// The widest of year, month and day in UTC that begins at `at`, for "before" and its like.
    pub(super) fn beginning_at(at: Instant) -> Option<Self> {
        let (date, time) = civil::split(at.micros())?;
        if time != 0 {
            return None;
        }
        Self::widest(date, |moment| moment.lo == at)
    }

    fn widest(date: chrono::NaiveDate, fits: impl Fn(Self) -> bool) -> Option<Self> {
        let (year, month, day) = (date.year(), date.month(), date.day());
        [Ok(Stretch::years(year, 1)), Stretch::months(year, month, 1), Stretch::day(year, month, day)]
            .into_iter()
            .filter_map(|stretch| place(stretch.ok()?, Zone::UTC).ok())
            .find(|&moment| fits(moment))
    }
}

/// The stretch as a moment of the zone.
pub(super) fn place(stretch: Stretch, zone: Zone) -> Result<Moment, Fault> {
    let (from, to) = stretch.bounds()?;
    zone.granule(from, to)
}

fn of(stretch: Result<Stretch, Fault>, zone: Zone, text: impl Fn() -> String) -> Result<Moment, TimeError> {
    stretch.and_then(|stretch| place(stretch, zone)).map_err(|fault| fault.of(&text()))
}

pub(super) fn quarter_of(year: i32, quarter: u32) -> Result<Stretch, Fault> {
    if !(1..=4).contains(&quarter) {
        return Err(Fault::Reason(format!("quarter {quarter} is not 1 to 4").into()));
    }
    Stretch::months(year, quarter * 3 - 2, 3)
}

fn time_stretch(year: i32, month: u32, day: u32, [hour, minute, second]: [u32; 3], width: i64) -> Result<Stretch, Fault> {
    let from = civil::date(year, month, day)? + civil::time_of_day(hour, minute, second, 0)?;
    Ok(Stretch::Micros { from, width })
}

/// The name of a granule: what is written before the precision ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// The years that share these leading digits: 1, 10, 100 or 1000 of them.
    Years {
        first: i32,
        count: i32,
    },
    Quarter(i32, u32),
    Season(i32, u32),
    Month(i32, u32),
    Week(i32, u32),
    Day(chrono::NaiveDate),
    /// The local time it begins at, and the offset there in minutes.
    Hour(i64, i16),
    /// As `Hour`.
    Minute(i64, i16),
}

impl Name {
    /// The only name of the zone that the granule can have, going by where it begins and how wide it is.
    fn candidate(moment: Moment, zone: Zone) -> Option<Self> {
        let local = zone.reading(moment.lo);
        let (date, time) = civil::split(local)?;
        let (year, month) = (date.year(), date.month());
        let width = moment.hi.micros().checked_sub(moment.lo.micros())?;
        // Rounded, since days are an hour or so shorter or longer where clocks are moved.
        match (width + civil::DAY / 2) / civil::DAY {
            // Text has no offsets with seconds, as local mean time has them.
            0 if width == MINUTE && time % MINUTE == 0 => Some(Self::Minute(local, civil::whole_minutes(zone.offset_seconds(moment.lo))?)),
            0 if width == HOUR && time % HOUR == 0 => Some(Self::Hour(local, civil::whole_minutes(zone.offset_seconds(moment.lo))?)),
            1 => Some(Self::Day(date)),
            7 => Some(Self::Week(date.iso_week().year(), date.iso_week().week())),
            28..=31 => Some(Self::Month(year, month)),
            89..=92 if month % 3 == 1 => Some(Self::Quarter(year, month / 3 + 1)),
            89..=92 if month % 3 == 0 => Some(Self::Season(year, month)),
            365 | 366 => Some(Self::Years { first: year, count: 1 }),
            3_650..=3_654 => Some(Self::Years { first: year, count: 10 }),
            36_520..=36_530 => Some(Self::Years { first: year, count: 100 }),
            365_240..=365_245 => Some(Self::Years { first: year, count: 1000 }),
            _ => None,
        }
    }

    /// The stretch it names; `None` for years that share no leading digits.
    fn stretch(self) -> Option<Stretch> {
        match self {
            Self::Years { first, count } => shared_digits(first, count).map(|_| Stretch::years(first, count)),
            Self::Quarter(year, quarter) => quarter_of(year, quarter).ok(),
            Self::Season(year, month) => Stretch::months(year, month, 3).ok(),
            Self::Month(year, month) => Stretch::months(year, month, 1).ok(),
            Self::Week(year, week) => Stretch::week(year, week).ok(),
            Self::Day(date) => Some(Stretch::Micros { from: civil::midnight(date), width: civil::DAY }),
            Self::Hour(from, _) => Some(Stretch::Micros { from, width: HOUR }),
            Self::Minute(from, _) => Some(Stretch::Micros { from, width: MINUTE }),
        }
    }

    fn of(moment: Moment, zone: Zone) -> Option<Self> {
        if moment.is_exact() || !moment.lo.is_civil() || !moment.hi.is_civil() {
            return None;
        }
        let name = Self::candidate(moment, zone)?;
        (place(name.stretch()?, zone).ok()? == moment).then_some(name)
    }

    fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Years { first, count: 1 } => civil::write_year(f, first),
            Self::Years { first, count } => {
                let digits = shared_digits(first, count).unwrap_or_default();
                f.write_str(if first < 0 { "-" } else { "" })?;
                match count {
                    10 => write!(f, "{digits:03}X"),
                    100 => write!(f, "{digits:02}XX"),
                    _ => write!(f, "{digits}XXX"),
                }
            }
            Self::Quarter(year, quarter) => {
                civil::write_year(f, year)?;
                write!(f, "-Q{quarter}")
            }
            Self::Season(year, month) => {
                civil::write_year(f, year)?;
                write!(f, "-{}", 20 + month / 3)
            }
            Self::Month(year, month) => {
                civil::write_year(f, year)?;
                write!(f, "-{month:02}")
            }
            Self::Week(year, week) => {
                civil::write_year(f, year)?;
                write!(f, "-W{week:02}")
            }
            Self::Day(date) => civil::write_date(f, date),
            Self::Hour(local, offset) | Self::Minute(local, offset) => {
                let Some((date, time)) = civil::split(local) else { return Err(fmt::Error) };
                civil::write_date(f, date)?;
                write!(f, "T{:02}", time / HOUR)?;
                if matches!(self, Self::Minute(..)) {
                    write!(f, ":{:02}", time / MINUTE % 60)?;
                }
                civil::write_offset(f, offset)
            }
        }
    }
}

/// The leading digits (without sign) that `count` years from `first` share and no other year has.
fn shared_digits(first: i32, count: i32) -> Option<i32> {
    let least = if first < 0 { -first - (count - 1) } else { first };
    (least >= 0 && least % count == 0).then_some(least / count)
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in(&Zone::UTC).fmt(f)
    }
}

impl FromStr for Moment {
    type Err = TimeError;

    /// Reads what [`parse_moment`] reads, in UTC.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        parse_moment(text, &Zone::UTC)
    }
}

/// A moment on its way to be displayed as a zone names it; see [`Moment::display_in`].
#[derive(Clone, Copy, Debug)]
pub struct MomentIn {
    moment: Moment,
    zone: Zone,
}

impl MomentIn {
    fn write_instant(self, f: &mut fmt::Formatter<'_>, at: Instant) -> fmt::Result {
        let offset = self.zone.offset_seconds(at);
        match civil::whole_minutes(offset) {
            Some(minutes) if minutes != 0 && !at.is_sentinel() => {
                civil::write_date_time(f, self.zone.reading(at))?;
                civil::write_offset(f, minutes)
            }
            _ => fmt::Display::fmt(&at, f),
        }
    }
}

impl fmt::Display for MomentIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { lo, hi } = self.moment;
        if lo == hi {
            return self.write_instant(f, lo);
        }
        if let Some(name) = Name::of(self.moment, self.zone) {
            return name.write(f);
        }
        f.write_str("[")?;
        self.write_instant(f, lo)?;
        f.write_str(", ")?;
        self.write_instant(f, hi)?;
        f.write_str(")")
    }
}
