//! Moments: exact instants and granules of possible instants, their constructors and their names. Knows nothing of starts and ends.

use super::civil::{self, HOUR, MINUTE, SECOND, Stretch, Year};
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
    /// All of them, in the order of the year.
    pub const ALL: [Self; 4] = [Self::Spring, Self::Summer, Self::Autumn, Self::Winter];

    /// Its first month.
    const fn month(self) -> u32 {
        match self {
            Self::Spring => 3,
            Self::Summer => 6,
            Self::Autumn => 9,
            Self::Winter => 12,
        }
    }

    const fn beginning_in(month: u32) -> Option<Self> {
        match month {
            3 => Some(Self::Spring),
            6 => Some(Self::Summer),
            9 => Some(Self::Autumn),
            12 => Some(Self::Winter),
            _ => None,
        }
    }

    /// Its name in English, as the answers of programs write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spring => "spring",
            Self::Summer => "summer",
            Self::Autumn => "autumn",
            Self::Winter => "winter",
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
        of(Ok(Stretch::years(first, count)), *zone, || format!("{count} years from {}", Year(first)))
    }

    /// A year of the zone's calendar.
    ///
    /// # Errors
    /// [`TimeError::OutOfRange`] outside the years −9999 to 9999.
    pub fn year(year: i32, zone: &Zone) -> Result<Self, TimeError> {
        of(Ok(Stretch::years(year, 1)), *zone, || format!("{}", Year(year)))
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
        of(quarter_of(year, quarter), *zone, || format!("{}-Q{quarter}", Year(year)))
    }

    /// A season of a year; winter is the one that begins in it.
    ///
    /// # Errors
    /// As [`Moment::year`].
    pub fn season(year: i32, season: Season, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::months(year, season.month(), 3), *zone, || format!("{} {}", season.name(), Year(year)))
    }

    /// A month (1 to 12) of a year.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] for another number; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn month(year: i32, month: u32, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::months(year, month, 1), *zone, || format!("{}-{month:02}", Year(year)))
    }

    /// An ISO 8601 week, Monday to Sunday, of an ISO year.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] if the year has no such week; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn week(year: i32, week: u32, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::week(year, week), *zone, || format!("{}-W{week:02}", Year(year)))
    }

    /// A civil day: 23 or 25 hours where the zone's clock is moved.
    ///
    /// # Errors
    /// [`TimeError::Unreadable`] if there is no such date; [`TimeError::OutOfRange`] as [`Moment::year`].
    pub fn day(year: i32, month: u32, day: u32, zone: &Zone) -> Result<Self, TimeError> {
        of(Stretch::day(year, month, day), *zone, || format!("{}-{month:02}-{day:02}", Year(year)))
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
        of(stretch, *zone, || format!("{}-{month:02}-{day:02}T{hour:02}", Year(year)))
    }

    /// A minute of a civil day.
    ///
    /// # Errors
    /// As [`Moment::hour`].
    pub fn minute(year: i32, month: u32, day: u32, hour: u32, minute: u32, zone: &Zone) -> Result<Self, TimeError> {
        let stretch = time_stretch(year, month, day, [hour, minute, 0], MINUTE);
        of(stretch, *zone, || format!("{}-{month:02}-{day:02}T{hour:02}:{minute:02}", Year(year)))
    }

    /// A second of a civil day, as a granule: text with seconds names an exact instant instead.
    ///
    /// # Errors
    /// As [`Moment::hour`].
    pub fn second(year: i32, month: u32, day: u32, hour: u32, minute: u32, second: u32, zone: &Zone) -> Result<Self, TimeError> {
        let stretch = time_stretch(year, month, day, [hour, minute, second], SECOND);
        of(stretch, *zone, || format!("{}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}", Year(year)))
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

    /// The widest of year, month and day of the zone that ends at `at`, for "by" and its like.
    pub(super) fn ending_at(at: Instant, zone: Zone) -> Option<Self> {
        Self::widest(at.saturating_sub(1), zone, |moment| moment.hi == at)
    }

    /// The widest of year, month and day of the zone that begins at `at`, for "before" and its like.
    pub(super) fn beginning_at(at: Instant, zone: Zone) -> Option<Self> {
        Self::widest(at, zone, |moment| moment.lo == at)
    }

    fn widest(inside: Instant, zone: Zone, fits: impl Fn(Self) -> bool) -> Option<Self> {
        let (date, _) = civil::split(zone.reading(inside))?;
        let (year, month, day) = (date.year(), date.month(), date.day());
        [Ok(Stretch::years(year, 1)), Stretch::months(year, month, 1), Stretch::day(year, month, day)]
            .into_iter()
            .filter_map(|stretch| place(stretch.ok()?, zone).ok())
            .find(|&moment| fits(moment))
    }

    /// The moment as [`Moment::display_in`] has it, but with the season's name where it is one: `spring 2001`.
    pub(super) fn words(self, zone: Zone) -> String {
        match Name::of(self, zone) {
            Some(Name::Season(year, season)) => format!("{} {}", season.name(), Year(year)),
            _ => self.display_in(&zone).to_string(),
        }
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
    Season(i32, Season),
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
            89..=92 => Some(Self::Season(year, Season::beginning_in(month)?)),
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
            Self::Season(year, season) => Stretch::months(year, season.month(), 3).ok(),
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
            Self::Years { first, count: 1 } => write!(f, "{}", Year(first)),
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
                write!(f, "{}-Q{quarter}", Year(year))
            }
            Self::Season(year, season) => write!(f, "{}-{}", Year(year), 20 + season.month() / 3),
            Self::Month(year, month) => {
                write!(f, "{}-{month:02}", Year(year))
            }
            Self::Week(year, week) => {
                write!(f, "{}-W{week:02}", Year(year))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(moment: Result<Moment, TimeError>, lo: &str, hi: &str, name: &str) {
        let moment = moment.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((moment.lo().to_string(), moment.hi().to_string()), (lo.to_owned(), hi.to_owned()), "{name}");
        assert_eq!(moment.to_string(), name);
        assert_eq!(name.parse(), Ok(moment), "{name} does not read back");
    }

    #[test]
    fn granules_have_their_bounds_and_names() {
        let utc = &Zone::UTC;
        let midnight = |date: &str| format!("{date}T00:00:00Z");
        let days = |moment, lo: &str, hi: &str, name| check(moment, &midnight(lo), &midnight(hi), name);
        days(Moment::year(2019, utc), "2019-01-01", "2020-01-01", "2019");
        days(Moment::year(0, utc), "0000-01-01", "0001-01-01", "0000");
        days(Moment::year(-44, utc), "-0044-01-01", "-0043-01-01", "-0044");
        days(Moment::year(-9999, utc), "-9999-01-01", "-9998-01-01", "-9999");
        days(Moment::year(9999, utc), "9999-01-01", "+10000-01-01", "9999");
        days(Moment::decade(2019, utc), "2010-01-01", "2020-01-01", "201X");
        days(Moment::decade(9, utc), "0000-01-01", "0010-01-01", "000X");
        days(Moment::century(1999, utc), "1900-01-01", "2000-01-01", "19XX");
        days(Moment::years(2000, 1000, utc), "2000-01-01", "3000-01-01", "2XXX");
        days(Moment::years(-2019, 10, utc), "-2019-01-01", "-2009-01-01", "-201X");
        days(Moment::years(-9, 10, utc), "-0009-01-01", "0001-01-01", "-000X");
        days(Moment::years(1901, 100, utc), "1901-01-01", "2001-01-01", "[1901-01-01T00:00:00Z, 2001-01-01T00:00:00Z)");
        days(Moment::decade(-5, utc), "-0010-01-01", "0000-01-01", "[-0010-01-01T00:00:00Z, 0000-01-01T00:00:00Z)");
        days(Moment::quarter(2019, 2, utc), "2019-04-01", "2019-07-01", "2019-Q2");
        days(Moment::season(2001, Season::Spring, utc), "2001-03-01", "2001-06-01", "2001-21");
        days(Moment::season(2001, Season::Winter, utc), "2001-12-01", "2002-03-01", "2001-24");
        days(Moment::month(2024, 2, utc), "2024-02-01", "2024-03-01", "2024-02");
        days(Moment::month(2019, 12, utc), "2019-12-01", "2020-01-01", "2019-12");
        days(Moment::week(2019, 23, utc), "2019-06-03", "2019-06-10", "2019-W23");
        days(Moment::week(2021, 1, utc), "2021-01-04", "2021-01-11", "2021-W01");
        days(Moment::week(2020, 53, utc), "2020-12-28", "2021-01-04", "2020-W53");
        days(Moment::day(2024, 2, 29, utc), "2024-02-29", "2024-03-01", "2024-02-29");
        days(Moment::day(9999, 12, 31, utc), "9999-12-31", "+10000-01-01", "9999-12-31");
        check(Moment::hour(2019, 6, 3, 10, utc), "2019-06-03T10:00:00Z", "2019-06-03T11:00:00Z", "2019-06-03T10Z");
        check(Moment::minute(2019, 6, 3, 10, 30, utc), "2019-06-03T10:30:00Z", "2019-06-03T10:31:00Z", "2019-06-03T10:30Z");
        check(
            Moment::second(2019, 6, 3, 10, 30, 15, utc),
            "2019-06-03T10:30:15Z",
            "2019-06-03T10:30:16Z",
            "[2019-06-03T10:30:15Z, 2019-06-03T10:30:16Z)",
        );
        let exact = Instant::from_civil(2019, 6, 3, 10, 0, 0, 0).map(Moment::exact);
        check(exact, "2019-06-03T10:00:00Z", "2019-06-03T10:00:00Z", "2019-06-03T10:00:00Z");
    }

    #[test]
    fn what_does_not_exist_is_rejected() {
        let utc = &Zone::UTC;
        for moment in [
            Moment::month(2019, 0, utc),
            Moment::month(2019, 13, utc),
            Moment::quarter(2019, 0, utc),
            Moment::quarter(2019, u32::MAX, utc),
            Moment::week(2019, 53, utc),
            Moment::week(2019, 0, utc),
            Moment::day(2019, 2, 29, utc),
            Moment::hour(2019, 2, 28, 25, utc),
            Moment::minute(2019, 2, 28, 24, 1, utc),
        ] {
            assert!(matches!(moment, Err(TimeError::Unreadable { .. })), "{moment:?}");
        }
        for moment in [
            Moment::year(10_000, utc),
            Moment::year(-10_000, utc),
            Moment::year(i32::MAX, utc),
            Moment::year(i32::MIN, utc),
            Moment::decade(i32::MIN, utc),
            Moment::century(i32::MAX, utc),
            Moment::years(0, u32::MAX, utc),
            Moment::season(i32::MIN, Season::Winter, utc),
            Moment::day(10_000, 1, 1, utc),
        ] {
            assert!(matches!(moment, Err(TimeError::OutOfRange { .. })), "{moment:?}");
        }
        let error = Moment::granule(Instant::MAX, Instant::MIN).unwrap_err().to_string();
        assert_eq!(error, "a granule cannot end (-9999-01-01T00:00:00Z) before it begins (+10000-01-01T00:00:00Z)");
    }

    #[test]
    fn a_granule_that_reaches_over_the_civil_years_is_clipped() {
        let east = Zone::parse("+14:00").unwrap();
        assert_eq!(Moment::day(-9999, 1, 1, &east).unwrap().lo(), Instant::MIN);
        let west = Zone::parse("-11:00").unwrap();
        assert_eq!(Moment::year(9999, &west).unwrap().hi(), Instant::MAX);
        assert!(Moment::minute(9999, 12, 31, 23, 0, &west).is_err());
    }

    #[test]
    fn a_moment_contains_what_it_may_be() {
        let day = Moment::day(2019, 6, 3, &Zone::UTC).unwrap();
        assert!(day.contains(day.lo()) && !day.contains(day.hi()) && day.contains(day.hi().saturating_sub(1)));
        let exact = Moment::exact(day.lo());
        assert!(exact.contains(day.lo()) && !exact.contains(day.lo().saturating_add(1)));
        assert_eq!(Moment::day_of(day.hi().saturating_sub(1), &Zone::UTC), day);
        assert_eq!(Moment::day_of(Instant::DISTANT_FUTURE, &Zone::UTC), Moment::exact(Instant::DISTANT_FUTURE));
    }

    #[test]
    fn a_missing_bound_is_shown() {
        let before = Moment::granule(Instant::DISTANT_PAST, Instant::MIN).unwrap();
        assert_eq!(before.to_string(), "[-∞, -9999-01-01T00:00:00Z)");
    }
}
