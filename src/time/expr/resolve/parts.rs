//! Parts of granules: the nth unit inside, seasons and weekends, early and late, and what lies about them or so long before or after.
//! Knows nothing of which reading of an expression is preferred.

use super::{Form, Hit, Resolver, shifted};
use crate::time::civil::{DAY, HOUR, MINUTE, SECOND};
use crate::time::expr::calendar::{self, Grain, Granule, add, date_of, floor, month_start};
use crate::time::expr::context::{Approximate, DateOrder, Seasons, ShiftPrecision, WeekendStart, WeeksOf, Windows};
use crate::time::expr::holiday;
use crate::time::expr::symbol::{Fields, Length, Node, SeasonName, Section, Year};
use chrono::{Datelike, Weekday};

impl Resolver<'_> {
    /// What is about something: as much again on either side, if that is the convention.
    pub(super) fn near(&self, hits: Vec<Hit>) -> Vec<Hit> {
        if self.context.conventions.approximate == Approximate::Keep {
            return hits;
        }
        let wide = |hit: Hit| {
            if hit.form != Form::Point {
                return hit;
            }
            let granule = hit.granule;
            let bounds = if granule.grain.months().is_some() {
                add(granule.from, -1, granule.grain).zip(add(granule.to, 1, granule.grain))
            } else {
                let width = granule.width().max(MINUTE);
                granule.from.checked_sub(width).zip(granule.to.checked_add(width))
            };
            bounds.map_or(hit, |(from, to)| Hit { granule: Granule { from, to, ..granule }, ..hit })
        };
        hits.into_iter().map(wide).collect()
    }

    pub(super) fn nth(&self, n: i64, count: i64, unit: &Node, of: Granule) -> Option<Hit> {
        let units: Vec<Granule> = match unit {
            Node::This(grain, _) => self.units(*grain, of),
            Node::Weekend => {
                let hits = self.hits(unit, of.window(), usize::MAX);
                hits.into_iter().map(|hit| hit.granule).filter(|weekend| weekend.from >= of.from && weekend.from < of.to).collect()
            }
            _ => self.hits(unit, of.window(), usize::MAX).into_iter().map(|hit| hit.granule).collect(),
        };
        let len = i64::try_from(units.len()).ok()?;
        let first = if n > 0 { n - 1 } else { len + n - (count - 1) };
        let start = units.get(usize::try_from(first).ok()?)?;
        let end = units.get(usize::try_from(first + count - 1).ok()?)?;
        Some(if count == 1 { Hit::point(*start) } else { Hit::range(start.edge(start.from), end.edge(end.to)) })
    }

    /// The units that lie in a granule.
    pub(super) fn units(&self, grain: Grain, of: Granule) -> Vec<Granule> {
        let mut units = Vec::new();
        let mut next = floor(of.from, grain, self.week_start);
        while let Some(from) = next.filter(|from| *from < of.to && units.len() < 400) {
            let Some(unit) = Granule::at(from, grain) else { break };
            let inside = match grain {
                Grain::Week if self.context.conventions.weeks_of == WeeksOf::Majority => {
                    let middle = from + 3 * DAY;
                    of.from <= middle && middle < of.to
                }
                Grain::Hour | Grain::Minute | Grain::Second => unit.overlaps(of.window()),
                _ => unit.within(of.window()),
            };
            if inside {
                units.push(unit);
            }
            next = add(from, 1, grain);
        }
        units
    }

    /// A date in digits, read in the orders that its own is not: 10/11/12 with the day first, and with the year first.
    pub(super) fn other_orders(&self, fields: Fields) -> Vec<Fields> {
        let (month, day) =
            if self.context.date_order == DateOrder::DayMonth { (fields.day, fields.month) } else { (fields.month, fields.day) };
        let swapped = Fields { month: day, day: month, either_order: false, ..fields };
        let year_first = match (fields.month.and_then(|first| i32::try_from(first).ok()), fields.day, fields.year) {
            (Some(year), Some(month), Some(Year::Short(day))) => u32::try_from(day)
                .ok()
                .filter(|day| (1..=31).contains(day) && month <= 12)
                .map(|day| Fields { year: Some(Year::Short(year)), month: Some(month), day: Some(day), either_order: false, ..fields }),
            _ => None,
        };
        std::iter::once(swapped).chain(year_first).collect()
    }

    pub(super) fn season(&self, year: i32, season: SeasonName) -> Option<Granule> {
        let number = match season {
            SeasonName::Spring => 0,
            SeasonName::Summer => 1,
            SeasonName::Autumn => 2,
            SeasonName::Winter => 3,
        };
        match self.context.conventions.seasons {
            Seasons::Meteorological => {
                let from = month_start(i64::from(year) * 12 + 2 + number * 3)?;
                Some(Granule { from, to: add(from, 3, Grain::Month)?, grain: Grain::Quarter })
            }
            Seasons::Astronomical => {
                let starts = [(3, 20), (6, 21), (9, 23), (12, 21), (3, 20)];
                let bound = |at: i64, year: i32| {
                    let (month, day) = starts.get(usize::try_from(at).ok()?)?;
                    Some(Granule::day(year, *month, *day)?.from)
                };
                let to = if number == 3 { bound(4, year + 1)? + DAY } else { bound(number + 1, year)? + DAY };
                Some(Granule { from: bound(number, year)?, to, grain: Grain::Quarter })
            }
        }
    }

    /// The season that holds the day of the reference, so many seasons on.
    pub(super) fn season_away(&self, away: i64) -> Option<Granule> {
        let year = date_of(self.reference)?.year();
        let names = [SeasonName::Spring, SeasonName::Summer, SeasonName::Autumn, SeasonName::Winter];
        // A winter begins in the year before.
        let here = (year - 1..=year)
            .flat_map(|year| names.map(|name| (year, name)))
            .position(|(year, name)| self.season(year, name).is_some_and(|season| season.contains(self.today())))?;
        let place = i64::try_from(here).ok()? + away;
        let at = |place: i64| {
            let year = i64::from(year) - 1 + place.div_euclid(4);
            self.season(i32::try_from(year).ok()?, *names.get(usize::try_from(place.rem_euclid(4)).ok()?)?)
        };
        // Seasons that follow each other do not overlap.
        Some(Granule { to: at(place + 1)?.from, ..at(place)? })
    }

    /// The weekend of the week that begins on the Monday.
    pub(super) fn weekend(&self, monday: i64) -> Option<Granule> {
        let from = match self.context.conventions.weekend {
            WeekendStart::Saturday => monday.checked_add(5 * DAY)?,
            WeekendStart::FridayEvening => monday.checked_add(4 * DAY + 18 * HOUR)?,
        };
        Some(Granule { from, to: monday.checked_add(7 * DAY)?, grain: Grain::Weekend })
    }

    /// The weekend nearest to a day, stretched to it if it is the Thursday, Friday or Monday beside it.
    pub(super) fn weekend_of(&self, day: Granule) -> Option<Granule> {
        let date = date_of(day.from)?;
        let monday = floor(day.from, Grain::Week, Weekday::Mon)?;
        let mut weekend = match date.weekday() {
            Weekday::Mon | Weekday::Tue => self.weekend(add(monday, -1, Grain::Week)?)?,
            _ => self.weekend(monday)?,
        };
        if matches!(date.weekday(), Weekday::Mon) {
            weekend.to = day.to;
        } else if matches!(date.weekday(), Weekday::Thu | Weekday::Fri) {
            weekend.from = weekend.from.min(day.from);
        }
        Some(weekend)
    }

    pub(super) fn section(&self, section: Section, of: Granule, relative: bool) -> Option<Granule> {
        let sections = self.context.conventions.sections;
        let half = || -> Option<i64> {
            match of.grain.months() {
                Some(1) => Some(of.from + 15 * DAY),
                Some(months) => month_start(calendar::month_index(of.from)? + months / 2),
                None if of.grain >= Grain::Week => Some(of.from + DAY * 3),
                None => Some(of.from + of.width() / 2),
            }
        };
        let cut = |index: usize| -> Option<(i64, i64)> {
            let at = |(from, to): (u8, u8), unit: Grain| {
                Some((add(of.from, i64::from(from), unit)?, add(of.from, i64::from(to), unit)?.min(of.to)))
            };
            match of.grain {
                Grain::Year => at(*sections.year.get(index)?, Grain::Month),
                Grain::Month => at(*sections.month.get(index)?, Grain::Day).map(|(from, to)| (from, if index == 2 { of.to } else { to })),
                Grain::Week => at(*sections.week.get(index)?, Grain::Day),
                // A reign or a period has thirds of its own, and its end is the last half of the last one.
                Grain::Decade | Grain::Century if add(of.from, 1, of.grain) != Some(of.to) => {
                    let year = |at: i64| floor(at, Grain::Year, self.week_start);
                    let ends = index == 2 && matches!(section, Section::End | Section::Tail);
                    let from = i64::try_from(index).ok()? * 2 + i64::from(ends);
                    let to = if index == 2 { of.to } else { year(of.from + of.width() * (from + 2) / 6)? };
                    Some((if index == 0 { of.from } else { year(of.from + of.width() * from / 6)? }, to))
                }
                Grain::Decade => at(*[(0, 4), (4, 7), (7, 10)].get(index)?, Grain::Year),
                Grain::Century => at(*[(0, 34), (34, 67), (67, 100)].get(index)?, Grain::Year),
                Grain::DayPart | Grain::Day => {
                    let width = of.width();
                    let (from, to) = *[(0, 2), (1, 3), (2, 4)].get(index)?;
                    let quarter = if of.grain == Grain::Day { [0, 12, 12, 24] } else { [0, 1, 2, 3] };
                    if of.grain == Grain::Day && index != 1 {
                        let at = |i: usize| quarter.get(i).map(|hour| of.from + hour * HOUR);
                        return if index == 0 { at(0).zip(at(1)) } else { at(2).zip(at(3)) };
                    }
                    Some((of.from + width * from / 4, of.from + width * to / 4))
                }
                _ => {
                    let width = of.width();
                    let index = i64::try_from(index).ok()?;
                    let day = |at: i64| at - at.rem_euclid(DAY);
                    Some((day(of.from + width * index / 3), if index == 2 { of.to } else { day(of.from + width * (index + 1) / 3) }))
                }
            }
        };
        let halves = relative && sections.halves_if_relative && of.grain > Grain::Day;
        let (from, to) = match section {
            Section::FirstHalf => (of.from, half()?),
            Section::SecondHalf => (half()?, of.to),
            Section::Early | Section::Beginning | Section::Head if halves => (of.from, half()?),
            Section::Late | Section::End | Section::Tail if halves => (half()?, of.to),
            Section::Head | Section::Tail if matches!(of.grain, Grain::Quarter | Grain::Half | Grain::Year) => {
                let first = if section == Section::Head { of.from } else { add(of.to, -1, Grain::Month)? };
                return self.section(section, Granule::at(first, Grain::Month)?, false);
            }
            Section::Early | Section::Beginning | Section::Head => cut(0)?,
            Section::Mid | Section::Middle => cut(1)?,
            Section::Late | Section::End | Section::Tail => cut(2)?,
            Section::Earlier => {
                (of.from, if of.grain > Grain::Day && of.contains(self.today()) { half()?.min(self.today()) } else { half()? })
            }
            Section::Later => (if of.grain > Grain::Day && of.contains(self.today()) { half()?.max(self.today()) } else { half()? }, of.to),
            Section::Rest => (self.today().clamp(of.from, of.to), of.to),
            Section::ToDate => (of.from, self.today().clamp(of.from, of.to)),
            Section::Boundary(0) => (of.from, of.from),
            Section::Boundary(1) => {
                let middle = of.from + of.width() / 2;
                let middle = middle - middle.rem_euclid(DAY);
                (middle, middle)
            }
            Section::Boundary(_) => (of.to, of.to),
            Section::Close if of.grain <= Grain::Day => (of.to - SECOND, of.to),
            Section::Close => return self.section(Section::Late, of, relative),
            Section::Some => return Some(of),
            Section::Wake => (of.to, add(of.to, 7, Grain::Day)?),
            Section::Third(third) => {
                let from = of.from + i64::from(third) * 10 * DAY;
                (from, if third == 2 { of.to } else { from + 10 * DAY })
            }
        };
        let grain = if of.grain <= Grain::Day && section != Section::Wake { Grain::DayPart } else { Grain::Week };
        let grain = if section == Section::Close { Grain::Second } else { grain };
        (from <= to).then_some(Granule { from, to, grain })
    }

    pub(super) fn shift_now(&self, length: Length, forward: bool, precision: ShiftPrecision) -> Option<Granule> {
        let at = shifted(self.reference, length, forward)?;
        let grain = match precision {
            ShiftPrecision::Day if length.grain.is_clock() => return Some(Granule { from: at, to: at, grain: Grain::Second }),
            ShiftPrecision::Day => Grain::Day,
            ShiftPrecision::Unit if length.grain.is_clock() => Grain::Minute.min(length.grain),
            ShiftPrecision::Unit => length.grain,
            ShiftPrecision::Finer => match length.grain {
                Grain::Second | Grain::Minute => return Some(Granule { from: at, to: at, grain: Grain::Second }),
                Grain::Hour => Grain::Minute,
                Grain::Day | Grain::DayPart | Grain::Fortnight => Grain::Hour,
                Grain::Week | Grain::Weekend | Grain::Month | Grain::Quarter | Grain::Half => Grain::Day,
                Grain::Year => Grain::Month,
                Grain::Decade | Grain::Century => Grain::Year,
            },
        };
        if grain == Grain::Weekend {
            let monday = floor(at, Grain::Week, Weekday::Mon)?;
            return self.weekend(monday);
        }
        Granule::holding(at, grain, self.week_start)
    }

    /// A granule so much later or earlier, no finer than it was.
    pub(super) fn shift(&self, base: Granule, length: Length, forward: bool) -> Option<Granule> {
        let from = shifted(base.from, length, forward)?;
        if base.from == base.to || length.grain.is_clock() {
            if base.from == base.to && length.grain >= Grain::Day {
                if base.from == self.reference {
                    return self.shift_now(length, forward, self.context.conventions.shift_precision);
                }
                // "Three days before the end of March": the day so far from the boundary.
                return Granule::holding(from, Grain::Day, self.week_start);
            }
            return Some(Granule { from, to: from, grain: Grain::Second });
        }
        if base.grain > Grain::Day && length.grain < base.grain {
            let to = shifted(if forward { base.to } else { base.from }, length, forward)?;
            let at = if forward { to } else { from };
            return Granule::holding(at, Grain::Day, self.week_start);
        }
        if base.grain == Grain::Week || base.grain.months().is_some() {
            return Granule::at(from, base.grain);
        }
        Some(Granule { from, to: from.checked_add(base.width())?, grain: base.grain })
    }

    pub(super) fn window(&self, count: i64, grain: Grain, forward: bool) -> Option<Hit> {
        if grain == Grain::Weekend {
            let (one, other) = (self.this(grain, if forward { 1 } else { -count })?, self.this(grain, if forward { count } else { -1 })?);
            return Some(Hit::range(one.edge(one.from), other.edge(other.to)));
        }
        let whole = self.context.conventions.windows == Windows::Whole || matches!(grain, Grain::Quarter | Grain::Half | Grain::Decade);
        let (from, to) = if whole {
            let here = floor(self.reference, grain, self.week_start)?;
            if forward { (add(here, 1, grain)?, add(here, count.checked_add(1)?, grain)?) } else { (add(here, -count, grain)?, here) }
        } else if grain.is_clock() {
            if forward {
                (self.reference, add(self.reference, count, grain)?)
            } else {
                (add(self.reference, -count, grain)?, self.reference)
            }
        } else if forward {
            let tomorrow = self.today() + DAY;
            (tomorrow, add(tomorrow, count, grain)?)
        } else {
            (add(self.today(), -count, grain)?, self.today())
        };
        let exact = |at: i64| Granule { from: at, to: at, grain };
        Some(Hit::range(exact(from), exact(to)))
    }
}

/// The weeks that a year has: of one at its turn, the year has it that has its Thursday.
pub(super) fn weeks_of_year(year: Granule, weeks: Vec<Hit>) -> Vec<Hit> {
    weeks.into_iter().filter(|week| year.contains(week.granule.from + 3 * DAY)).collect()
}

/// Whether it is a holiday that is kept in the evening.
pub(super) fn is_evening(node: &Node) -> bool {
    match node {
        Node::Holiday(index) => holiday::is_evening(*index),
        Node::And(one, other) => is_evening(one) || is_evening(other),
        Node::Rel(_, of) => is_evening(of),
        _ => false,
    }
}

impl Granule {
    /// The instant, as an edge of this granule.
    const fn edge(self, at: i64) -> Self {
        Self { from: at, to: at, grain: self.grain }
    }

    const fn contains(self, at: i64) -> bool {
        self.from <= at && at < self.to
    }
}
