//! From symbols to granules: which stretches of local time a symbol means, seen from a reference.
//! Knows nothing of words.

mod parts;

use crate::time::civil::{DAY, HOUR, MINUTE, SECOND, midnight};
use crate::time::expr::calendar::{self, Grain, Granule, add, date_of, floor, month_start};
use crate::time::expr::context::{Context, DateOrder, LastWeekday, NextWeekday, Prefer, ShiftPrecision, ThisWeekday};
use crate::time::expr::holiday;
use crate::time::expr::symbol::{Bound, Clock, DayPart, Fields, Length, Meridian, Node, Section, Which, Year};
use crate::time::{Instant, Zone};
use chrono::{Datelike, NaiveDate, Weekday};

/// One thing an expression may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// The granule; of a range, from the start of its first to the end of its last one; of an open stretch, its anchor.
    pub(super) granule: Granule,
    pub(super) form: Form,
    /// The zone whose clock reads it, if another than the reader's.
    pub(super) zone: Option<Zone>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Point,
    Range(Granule, Granule),
    Open(Bound),
}

type Window = (i64, i64);

const EVER: Window = (i64::MIN, i64::MAX);

/// The most readings that are offered of one expression.
pub(super) const MOST: usize = 4;

/// A reference with the conventions it is read by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolver<'c> {
    context: &'c Context,
    reference: i64,
    /// What "the next day" is next to, if something was said before.
    previous: Option<Granule>,
    prefer: Prefer,
    week_start: Weekday,
}

impl<'c> Resolver<'c> {
    pub(super) fn new(context: &'c Context, previous: Option<Granule>, prefer: Prefer) -> Self {
        let week_start = calendar::weekday(context.week_start);
        Self { context, reference: context.zone.reading(context.reference), previous, prefer, week_start }
    }

    /// What the symbol may mean, the preferred reading first; at most four, none twice.
    pub(super) fn readings(&self, node: &Node) -> Vec<Hit> {
        let mut hits = self.choose(node);
        let mut kept: Vec<Hit> = Vec::new();
        hits.truncate(MOST);
        for hit in hits {
            if !kept.contains(&hit) {
                kept.push(hit);
            }
        }
        kept
    }

    /// The first occurrence that has not ended before the granule began, if it is past.
    pub(super) fn after(&self, told: Granule, node: &Node) -> Option<Hit> {
        let seen = Self { reference: told.from, ..*self };
        let hit = seen.future(node)?;
        (hit.granule.to <= self.today() + DAY).then_some(hit)
    }

    /// What the reader's clock reads when that of the zone reads what was hit.
    fn own(&self, hit: Hit, zone: Zone) -> Hit {
        let own = |at: i64| self.context.zone.reading(Instant::from_micros(zone.instants(at).0));
        hit.mapped(own)
    }

    fn today(&self) -> i64 {
        self.reference - self.reference.rem_euclid(DAY)
    }

    fn choose(&self, node: &Node) -> Vec<Hit> {
        match node {
            Node::Open(bound, of) => {
                return self.choose(of).into_iter().map(|hit| Hit { form: Form::Open(*bound), ..hit }).collect();
            }
            Node::Near(of) => return self.near(self.choose(of)),
            // "Tomorrow at 5pm ET" is on the reader's tomorrow; "5pm ET" alone is the next time that clock reads it.
            Node::Zoned(of, zone) => {
                let there = self.context.zone.reading(self.context.reference) == self.reference && matches!(**of, Node::Clock(_));
                let reference = if there { zone.reading(self.context.reference) } else { self.reference };
                let hits = Self { reference, ..*self }.choose(of);
                return hits.into_iter().map(|hit| Hit { zone: Some(*zone), ..hit }).collect();
            }
            // "That December", of nothing said before, is as good as any.
            Node::Anaphora(of) if self.previous.is_none() => {
                if let Node::Rel(Which::This, of) = &**of
                    && !of.grain().is_clock()
                {
                    return self.choose(of);
                }
            }
            Node::Rel(Which::Last, of) => {
                if let Node::Date(fields) = &**of
                    && fields.is_bare_weekday()
                {
                    let mut hits = self.hits(node, EVER, MOST);
                    hits.extend(self.last_weekday(fields, self.context.conventions.last_weekday != LastWeekday::MostRecent));
                    return hits;
                }
            }
            Node::And(one, other) => {
                let shifted = matches!(**other, Node::Shift { .. });
                let (outer, inner) = if one.grain() >= other.grain() && !shifted { (one, other) } else { (other, one) };
                // "In 9 days at 6 pm": of that day, whatever the convention for how wide "in 7 days" is.
                if let Node::Shift { length, forward, base: None } = &**outer
                    && inner.grain().is_clock()
                {
                    let day = self.shift_now(*length, *forward, ShiftPrecision::Day);
                    let hits = day.into_iter().flat_map(|day| self.inside(day, inner, outer)).collect();
                    return self.waking(hits);
                }
                // "2 weeks after Easter on Sunday": the Sunday of that week.
                if let (Node::Shift { base: Some(_), .. }, Node::Date(_)) = (&**outer, &**inner) {
                    let week = |hit: Hit| Granule::holding(hit.granule.from, Grain::Week, self.week_start);
                    let weeks: Vec<Granule> = self.choose(outer).into_iter().filter_map(week).collect();
                    return weeks.into_iter().flat_map(|week| self.inside(week, inner, outer)).collect();
                }
                if inner.grain().is_clock() && !outer.grain().is_clock() && !inner.is_fixed() {
                    let midnight = parts::is_evening(outer).then(|| inner.at_midnight()).flatten();
                    let inner = midnight.as_ref().unwrap_or(inner);
                    let hits: Vec<Hit> = self.choose(outer).into_iter().flat_map(|day| self.inside(day.granule, inner, outer)).collect();
                    let written = matches!(inner, Node::Clock(Clock { meridian: Meridian::AmFirst, .. }));
                    return if written {
                        hits
                    } else if parts::is_evening(outer) {
                        self.later_half(hits, 12)
                    } else {
                        self.waking(hits)
                    };
                }
            }
            Node::Range(from, to) if !from.is_fixed() && !to.is_fixed() => return self.loose_range(from, to),
            // "A year ago" is that year, or about that month of it.
            Node::Shift { length, forward, base: None } if length.grain >= Grain::Month => {
                let precision = self.context.conventions.shift_precision;
                let mut hits = self.hits(node, EVER, 1);
                if precision == ShiftPrecision::Unit {
                    let finer = Length { grain: if length.grain > Grain::Month { Grain::Month } else { Grain::Day }, ..*length };
                    hits.extend(self.shift_now(finer, *forward, precision).map(Hit::point));
                }
                return hits;
            }
            _ => {}
        }
        if node.is_fixed() {
            let mut hits = self.hits(node, EVER, MOST);
            if let Node::Date(fields @ Fields { either_order: true, .. }) = node {
                hits.extend(self.other_orders(*fields).iter().flat_map(|fields| self.dates(*fields, EVER, MOST)));
            }
            return if node.grain().is_clock() { self.waking(hits) } else { hits };
        }
        self.around(node)
    }

    /// The last occurrence before, and the first after the reference, in the order of preference.
    fn around(&self, node: &Node) -> Vec<Hit> {
        let past = self.past(node);
        let mut future = self.future(node);
        // "Tuesday the 4th" is of this month if it fits, though it be past.
        if let Node::Date(Fields { weekday: Some(_), day: Some(_), month: None, .. }) = node
            && let Some(month) = self.this(Grain::Month, 0)
            && let Some(here) = self.hits(node, month.window(), 1).into_iter().next()
        {
            future = Some(here);
        }
        // The month or season that has begun is as good as the last one, beside a verb of the past too.
        let begun = self.context.prefer == Prefer::Tense && node.grain() > Grain::Weekend;
        let here = future.filter(|hit| begun && hit.granule.from <= self.today());
        let mut hits: Vec<Hit> = match self.prefer {
            Prefer::Past if here.is_some() => [here, past].into_iter().flatten().collect(),
            Prefer::Past => [past, future].into_iter().flatten().collect(),
            Prefer::Future | Prefer::Tense => [future, past].into_iter().flatten().collect(),
            Prefer::Closest => if self.is_nearer(past, future) { [past, future] } else { [future, past] }.into_iter().flatten().collect(),
        };
        // "She left on Thursday, July 18", though that is to come: no date years away that happens to be a Thursday.
        if self.context.prefer == Prefer::Tense
            && let [first, second, ..] = hits.as_slice()
            && matches!(node, Node::Date(Fields { weekday: Some(_), month: Some(_), .. }))
            && self.distance(Some(*first)) > 400 * DAY
            && self.distance(Some(*second)) < 400 * DAY
        {
            hits.swap(0, 1);
        }
        if matches!(node, Node::Date(Fields { month: Some(_), day: Some(_), .. })) && self.is_far_back(past, future) {
            hits.reverse();
        }
        // A time of day without a date: the other half of the day is an alternative.
        if let Node::Clock(Clock { meridian: Meridian::Either, .. }) = node
            && let Some(first) = hits.first().copied()
        {
            hits.push(first.moved(12 * HOUR));
            hits = self.waking(hits);
        }
        hits
    }

    /// Whether what is past is the nearer one, by a margin, for people plan ahead: of months and longer half as far, of days a sixth less.
    fn is_nearer(&self, past: Option<Hit>, future: Option<Hit>) -> bool {
        let wide = future.is_some_and(|hit| hit.granule.grain > Grain::Week);
        let (past, future) = (self.distance(past), self.distance(future));
        match self.context.prefer {
            Prefer::Tense if wide => past.saturating_mul(2) < future,
            Prefer::Tense => past.saturating_mul(6) / 5 < future,
            Prefer::Past | Prefer::Future | Prefer::Closest => past < future,
        }
    }

    /// "Had you a look at the plans for May 11?", said on May 3: what was ten months ago would have been said with its year.
    fn is_far_back(&self, past: Option<Hit>, future: Option<Hit>) -> bool {
        let told = self.context.prefer == Prefer::Tense && self.prefer == Prefer::Past;
        told && self.distance(past) > 300 * DAY && self.distance(future) < 31 * DAY
    }

    /// How far it lies from the reference; nothing lies farthest.
    fn distance(&self, hit: Option<Hit>) -> i64 {
        hit.map_or(i64::MAX, |hit| (hit.granule.from - self.reference).max(self.reference - hit.granule.to).max(0))
    }

    /// How far to look for an occurrence, in steps.
    fn reaches(node: &Node) -> &'static [i64] {
        const CLOCK: [i64; 2] = [2 * DAY, 400 * DAY];
        const WEEK: [i64; 2] = [15 * DAY, 400 * DAY];
        const YEARS: [i64; 3] = [400 * DAY, 3_300 * DAY, 40_000 * DAY];
        match node {
            Node::Clock(_) | Node::Part(_) => &CLOCK,
            Node::Date(fields) if fields.is_bare_weekday() => &WEEK,
            _ => &YEARS,
        }
    }

    fn future(&self, node: &Node) -> Option<Hit> {
        let start = self.future_start(node);
        Self::reaches(node).iter().find_map(|reach| {
            self.hits(node, (start, start.saturating_add(*reach)), usize::MAX).into_iter().find(|hit| hit.granule.to > start)
        })
    }

    fn future_start(&self, node: &Node) -> i64 {
        if node.grain().is_clock() {
            return self.reference;
        }
        let bare = match node {
            Node::Date(fields) => fields.is_bare_weekday(),
            _ => false,
        };
        if bare && !self.context.conventions.weekday_may_be_today { self.today() + DAY } else { self.today() }
    }

    fn past(&self, node: &Node) -> Option<Hit> {
        let clock = node.grain().is_clock();
        // "On May 1 we agreed", said on May 1, is today; a weekday is not.
        let bare = matches!(node, Node::Date(fields) if fields.is_bare_weekday());
        let today = self.prefer == Prefer::Past && !clock && !bare && node.grain() <= Grain::Day;
        let end = if clock { self.reference } else { self.today() + if today { DAY } else { 0 } };
        Self::reaches(node).iter().find_map(|reach| {
            let hits = self.hits(node, (end.saturating_sub(*reach), end), usize::MAX);
            hits.into_iter().rev().find(|hit| hit.granule.to <= end)
        })
    }

    /// A range whose ends name no year: the one that is under way or to come, and the one before.
    fn loose_range(&self, from: &Node, to: &Node) -> Vec<Hit> {
        let future = self.future(to).and_then(|end| {
            let start = self.last_before(from, end.granule)?;
            Some(Hit::range(start.granule, end.granule))
        });
        let past = self.past(from).and_then(|start| {
            let end = self.first_after(to, start.granule)?;
            Some(Hit::range(start.granule, end.granule))
        });
        if from.grain().is_clock() && to.grain().is_clock() {
            let window = (self.today(), self.today() + 2 * DAY);
            return self.waking(self.hits(&Node::Range(Box::new(from.clone()), Box::new(to.clone())), window, 2));
        }
        let nearer = self.prefer == Prefer::Closest && self.is_nearer(past, future);
        let order =
            if (self.prefer == Prefer::Past || nearer) && !self.is_far_back(past, future) { [past, future] } else { [future, past] };
        order.into_iter().flatten().collect()
    }

    fn last_before(&self, node: &Node, before: Granule) -> Option<Hit> {
        if node.is_fixed() {
            return self.hits(node, EVER, 1).into_iter().next();
        }
        Self::reaches(node).iter().find_map(|reach| {
            let hits = self.hits(node, (before.from.saturating_sub(*reach), before.to), usize::MAX);
            hits.into_iter().rev().find(|hit| hit.granule.from < before.to && hit.granule.to <= before.to)
        })
    }

    fn first_after(&self, node: &Node, after: Granule) -> Option<Hit> {
        if node.is_fixed() {
            return self.hits(node, EVER, 1).into_iter().next();
        }
        Self::reaches(node).iter().find_map(|reach| {
            let hits = self.hits(node, (after.from, after.from.saturating_add(*reach)), usize::MAX);
            hits.into_iter().find(|hit| hit.granule.from >= after.from && hit.granule.to > after.to.max(after.from))
        })
    }

    /// Puts the readings at waking hours first, if that is the convention.
    fn waking(&self, hits: Vec<Hit>) -> Vec<Hit> {
        self.later_half(hits, 7)
    }

    /// Puts the reading in the later half of a day first where that in the earlier one is before an hour, if waking hours are the convention.
    fn later_half(&self, mut hits: Vec<Hit>, hour: i64) -> Vec<Hit> {
        if self.context.conventions.waking_hours
            && let (Some(first), Some(second)) = (hits.first(), hits.get(1))
            && second.granule.from - first.granule.from == 12 * HOUR
            && first.granule.from.rem_euclid(DAY) < hour * HOUR
        {
            hits.swap(0, 1);
        }
        hits
    }

    /// The occurrences that overlap the window, in order of time; of a symbol that means one granule, that one.
    fn hits(&self, node: &Node, window: Window, max: usize) -> Vec<Hit> {
        let one = |granule: Option<Granule>| granule.map(Hit::point).into_iter().collect::<Vec<_>>();
        match node {
            Node::Now => one(Some(Granule { from: self.reference, to: self.reference, grain: Grain::Second })),
            Node::Lately(length) => {
                let to = if length.grain.is_clock() { self.reference } else { self.today() };
                one(shifted(to, *length, false).map(|from| Granule { from, to, grain: length.grain }))
            }
            Node::SeasonAway(away) => one(self.season_away(*away)),
            Node::This(grain, offset) => one(self.this(*grain, *offset)),
            Node::Years(first, count) => {
                let grain = if *count >= 100 { Grain::Century } else { Grain::Decade };
                let bounds = month_start(i64::from(*first) * 12).zip(month_start((i64::from(*first) + i64::from(*count)) * 12));
                one(bounds.map(|(from, to)| Granule { from, to, grain }))
            }
            Node::Date(fields) => self.dates(*fields, window, max),
            Node::ShortDecade(digits) => Self::yearly(window, max, |year| {
                (year.rem_euclid(100) == *digits)
                    .then(|| month_start(i64::from(year) * 12))
                    .flatten()
                    .and_then(|from| Granule::at(from, Grain::Decade))
            }),
            Node::Week(week) => Self::yearly(window, max, |year| {
                let monday = NaiveDate::from_isoywd_opt(year, *week, Weekday::Mon)?;
                Granule::at(midnight(monday), Grain::Week)
            }),
            Node::Quarter(quarter) => Self::yearly(window, max, |year| months_of(year, i64::from(*quarter) * 3 - 3, Grain::Quarter)),
            Node::Half(half) => Self::yearly(window, max, |year| months_of(year, i64::from(*half) * 6 - 6, Grain::Half)),
            Node::Season(season) => Self::yearly(window, max, |year| self.season(year, *season)),
            Node::Holiday(index) => Self::yearly(window, max, |year| holiday::in_year(*index, year)),
            Node::Weekend => self.weekly(window, max, |monday| self.weekend(monday)),
            Node::Clock(clock) => Self::clocks(*clock, window, max),
            Node::Part(part) => Self::daily(window, max, |day| Some(self.part(day, *part))),
            Node::And(a, b) => self.both(a, b, window, max),
            Node::Rel(which, of) => self.relative(*which, of),
            Node::Count(n, of, base) => one(self.count(*n, of, base.as_deref())),
            Node::Nth { n, count, unit, of } => {
                self.hits(of, window, usize::MAX).into_iter().filter_map(|hit| self.nth(*n, *count, unit, hit.granule)).take(max).collect()
            }
            Node::Section(section, of) => {
                let relative = matches!(**of, Node::This(..)) || **of == Node::any_year();
                let early = *section == Section::Early && of.day_part() == Some(DayPart::Morning);
                let part = |hit: Hit| {
                    let granule = if early { Some(self.early_morning(hit.granule)) } else { self.section(*section, hit.granule, relative) };
                    granule.map(Hit::point)
                };
                self.hits(of, window, max).into_iter().filter_map(part).collect()
            }
            Node::Shift { length, forward, base } => match base {
                None => one(self.shift_now(*length, *forward, self.context.conventions.shift_precision)),
                Some(base) => {
                    let moved = |hit: Hit| self.shift(hit.granule, *length, *forward).map(Hit::point);
                    self.hits(base, window, max).into_iter().filter_map(moved).collect()
                }
            },
            Node::Window { count, grain, which: Which::Coming } if self.context.conventions.coming_counts => one(self.this(*grain, *count)),
            Node::Window { count, grain, which } => {
                self.window(*count, *grain, matches!(which, Which::Next | Which::Coming)).into_iter().collect()
            }
            Node::Within { length, forward, base } => {
                let around = |from: i64| {
                    let to = shifted(from, *length, *forward)?;
                    let exact = |at: i64| Granule { from: at, to: at, grain: length.grain };
                    Some(if *forward { Hit::range(exact(from), exact(to)) } else { Hit::range(exact(to), exact(from)) })
                };
                match base {
                    None => {
                        let from = if length.grain.is_clock() { self.reference } else { self.today() };
                        around(from).into_iter().collect()
                    }
                    Some(base) => self.hits(base, window, max).into_iter().filter_map(|hit| around(hit.granule.from)).collect(),
                }
            }
            Node::Lasting { length, from } => {
                let lasting = |hit: Hit| {
                    let to = shifted(hit.granule.from, *length, true)?;
                    let end = Granule { from: to, to, grain: hit.granule.grain };
                    Some(Hit::range(hit.granule, end))
                };
                self.hits(from, window, max).into_iter().filter_map(lasting).collect()
            }
            Node::Range(from, to) => self.ranges(from, to, window, max),
            Node::Open(bound, of) => self.hits(of, window, max).into_iter().map(|hit| Hit { form: Form::Open(*bound), ..hit }).collect(),
            Node::WeekOf(of) => {
                let week = |hit: Hit| Granule::holding(hit.granule.from, Grain::Week, self.week_start).map(Hit::point);
                self.hits(of, window, max).into_iter().filter_map(week).collect()
            }
            Node::WeekendOf(of) => {
                self.hits(of, window, max).into_iter().filter_map(|hit| self.weekend_of(hit.granule)).map(Hit::point).collect()
            }
            Node::Closest(n, of, to) => self.closest(*n, of, to).into_iter().collect(),
            Node::Near(of) => self.near(self.hits(of, window, max)),
            Node::Zoned(of, zone) => self.hits(of, window, max).into_iter().map(|hit| self.own(hit, *zone)).collect(),
            Node::Anaphora(of) => {
                let anchor = self.previous.map_or(self.reference, |previous| previous.from);
                Self { reference: anchor, previous: None, ..*self }.hits(of, EVER, max)
            }
            Node::Fiscal(of) => self.fiscal(of, window, max),
            Node::Length(_) | Node::Times(_) | Node::Every { .. } => Vec::new(),
        }
    }

    fn this(&self, grain: Grain, offset: i64) -> Option<Granule> {
        if grain == Grain::Weekend {
            let monday = floor(self.reference, Grain::Week, Weekday::Mon)?;
            return self.weekend(add(monday, offset, Grain::Week)?);
        }
        let here = floor(self.reference, grain, self.week_start)?;
        Granule::at(add(here, offset, grain)?, grain)
    }

    fn dates(&self, mut fields: Fields, window: Window, max: usize) -> Vec<Hit> {
        if fields.either_order && self.context.date_order == DateOrder::DayMonth {
            std::mem::swap(&mut fields.month, &mut fields.day);
        }
        // "Tuesday, June 5" that no June 5 near the reference is: the day of the month counts, and the weekday was a slip.
        if fields.year.is_none() && fields.month.is_some() && fields.day.is_some() && !self.agrees_nearby(fields) {
            fields.weekday = None;
        }
        if fields.is_bare_weekday()
            && let Some(weekday) = fields.weekday
        {
            let ahead = i64::from(calendar::weekday(weekday).num_days_from_monday());
            return self.weekly(window, max, |monday| Granule::at(monday + ahead * DAY, Grain::Day));
        }
        let in_year = |year: i32| -> Vec<Granule> {
            let months = match fields.month {
                Some(month) => month..=month,
                None if fields.day.is_none() && fields.weekday.is_none() => {
                    return Granule::at(month_start(i64::from(year) * 12).unwrap_or(i64::MAX), Grain::Year).into_iter().collect();
                }
                None => 1..=12,
            };
            months.flat_map(|month| self.days_in(fields, year, month)).collect()
        };
        let mut hits = Vec::new();
        match fields.year {
            Some(year) => hits.extend(in_year(self.full_year(year)).into_iter().map(Hit::point)),
            None => {
                for year in years_in(window) {
                    hits.extend(in_year(year).into_iter().filter(|granule| granule.overlaps(window)).map(Hit::point));
                    if hits.len() >= max {
                        break;
                    }
                }
            }
        }
        hits.truncate(max);
        hits
    }

    /// Whether the day of the month is the weekday when it is near: in the year of the reference, the one before or the one after; where
    /// the tense decides, next to the reference on the side of the tense or on the nearer one.
    fn agrees_nearby(&self, fields: Fields) -> bool {
        let Some(year) = date_of(self.reference).map(|date| date.year()) else { return true };
        let (Some(weekday), Some(month), Some(day)) = (fields.weekday, fields.month, fields.day) else { return true };
        let falls = |at: i64| date_of(at).is_some_and(|date| date.weekday() == calendar::weekday(weekday));
        let days: Vec<i64> = (year - 1..=year + 1).filter_map(|year| Granule::day(year, month, day)).map(|day| day.from).collect();
        if self.context.prefer != Prefer::Tense {
            return days.into_iter().any(falls);
        }
        let today = self.today();
        let (last, next) = (days.iter().rev().find(|day| **day <= today), days.iter().find(|day| **day >= today));
        let nearest = days.iter().min_by_key(|day| (**day - today).abs());
        let told = match self.prefer {
            Prefer::Past => last,
            Prefer::Future => next,
            Prefer::Closest | Prefer::Tense => None,
        };
        [nearest, told].into_iter().flatten().any(|day| falls(*day))
    }

    /// The days of a month that have the fields, or the month itself.
    fn days_in(&self, fields: Fields, year: i32, month: u32) -> Vec<Granule> {
        match (fields.day, fields.weekday) {
            (None, None) => months_of(year, i64::from(month) - 1, Grain::Month).into_iter().collect(),
            (Some(day), weekday) => {
                let agrees = |granule: &Granule| {
                    let bound = self.context.conventions.weekday_must_agree || fields.month.is_none();
                    let named = weekday.filter(|_| bound && fields.year.is_none()).map(calendar::weekday);
                    named.is_none_or(|weekday| date_of(granule.from).is_some_and(|date| date.weekday() == weekday))
                };
                Granule::day(year, month, day).filter(agrees).into_iter().collect()
            }
            (None, Some(weekday)) => {
                let nth = |n| calendar::nth_weekday(year, month, calendar::weekday(weekday), n);
                (1..=5).filter_map(nth).filter_map(|date| Granule::at(midnight(date), Grain::Day)).collect()
            }
        }
    }

    /// A year of two digits is at most twenty years ahead, and otherwise the last one with these digits.
    fn full_year(&self, year: Year) -> i32 {
        match year {
            Year::Full(year) => year,
            Year::Short(digits) => {
                let now = date_of(self.reference).map_or(2000, |date| date.year());
                let latest = now + 20;
                let candidate = latest - latest.rem_euclid(100) + digits;
                if candidate > latest { candidate - 100 } else { candidate }
            }
        }
    }

    fn yearly(window: Window, max: usize, of: impl Fn(i32) -> Option<Granule>) -> Vec<Hit> {
        let mut hits = Vec::new();
        for year in years_in(window) {
            if let Some(granule) = of(year).filter(|granule| granule.overlaps(window)) {
                hits.push(Hit::point(granule));
                if hits.len() >= max {
                    break;
                }
            }
        }
        hits
    }

    fn weekly(&self, window: Window, max: usize, of: impl Fn(i64) -> Option<Granule>) -> Vec<Hit> {
        let (from, to) = self.bounded(window);
        let mut hits = Vec::new();
        let mut monday = floor(from, Grain::Week, Weekday::Mon);
        while let Some(start) = monday.filter(|start| *start < to && hits.len() < max) {
            hits.extend(of(start).filter(|granule| granule.overlaps((from, to))).map(Hit::point));
            monday = add(start, 1, Grain::Week);
        }
        hits
    }

    fn daily(window: Window, max: usize, of: impl Fn(i64) -> Option<Granule>) -> Vec<Hit> {
        let mut hits = Vec::new();
        if window == EVER {
            return hits;
        }
        let (from, to) = window;
        let mut day = from.saturating_sub(from.rem_euclid(DAY));
        while day < to && hits.len() < max.min(1_000) {
            hits.extend(of(day).filter(|granule| granule.from < to && granule.to > from).map(Hit::point));
            day = day.saturating_add(DAY);
        }
        hits
    }

    /// Without a window, four weeks around the reference.
    fn bounded(&self, window: Window) -> Window {
        if window == EVER { (self.today() - 14 * DAY, self.today() + 15 * DAY) } else { window }
    }

    fn clocks(clock: Clock, window: Window, max: usize) -> Vec<Hit> {
        let hours = hours(clock);
        let mut hits: Vec<Hit> = hours
            .into_iter()
            .flatten()
            .flat_map(|hour| Self::daily(window, max, move |day| clock_at(day, hour, clock)))
            .filter(|hit| window == EVER || hit.granule.from >= window.0 - window.0.rem_euclid(MINUTE))
            .collect();
        hits.sort_by_key(|hit| hit.granule.from);
        hits.truncate(max);
        hits
    }

    fn part(&self, day: i64, part: DayPart) -> Granule {
        let (from, to) = self.context.conventions.day_parts.hours(part);
        Granule { from: day + i64::from(from) * HOUR, to: day + i64::from(to) * HOUR, grain: Grain::DayPart }
    }

    fn both(&self, a: &Node, b: &Node, window: Window, max: usize) -> Vec<Hit> {
        let (outer, inner) = if a.grain() >= b.grain() && !matches!(b, Node::Shift { base: None, .. }) { (a, b) } else { (b, a) };
        if inner.is_fixed() && !matches!(inner, Node::And(..) | Node::Rel(Which::This, _) | Node::Open(..)) {
            return self.hits(inner, window, max);
        }
        let outers = match outer {
            // "Friday five weeks from now" is in that week, "June in a year" in that year.
            Node::Shift { length, forward, base: None } if !inner.grain().is_clock() => {
                let length = if length.grain == Grain::Day { Length { grain: Grain::Week, ..*length } } else { *length };
                let granule = self.shift_now(length, *forward, ShiftPrecision::Unit);
                granule.map(Hit::point).into_iter().collect()
            }
            Node::Shift { length, base: Some(_), .. } if matches!(inner, Node::Date(_)) && length.grain <= Grain::Week => {
                let week = |hit: Hit| Granule::holding(hit.granule.from, Grain::Week, self.week_start).map(Hit::point);
                self.hits(outer, window, max).into_iter().filter_map(week).collect()
            }
            Node::Shift { length, forward, base: None } if length.grain >= Grain::Day => {
                self.shift_now(*length, *forward, ShiftPrecision::Day).map(Hit::point).into_iter().collect()
            }
            _ => self.hits(outer, window, usize::MAX),
        };
        let mut hits = Vec::new();
        for hit in outers {
            hits.extend(self.inside(hit.granule, inner, outer));
            if hits.len() >= max {
                break;
            }
        }
        hits.truncate(max);
        hits
    }

    /// The occurrences of the finer inside a granule of the coarser.
    fn inside(&self, granule: Granule, inner: &Node, outer: &Node) -> Vec<Hit> {
        if let Node::Zoned(of, zone) = inner {
            return self.inside(granule, of, outer).into_iter().map(|hit| self.own(hit, *zone)).collect();
        }
        let part = outer.day_part();
        if let (Some(part), Node::Clock(clock)) = (part, inner) {
            let day = granule.from - granule.from.rem_euclid(DAY);
            // A night goes on after midnight, as far as its hours do; one that is of a day ("tonight", "Monday night") by convention.
            let bare = matches!(outer, Node::Part(_));
            let of_a_day = if bare { granule.to > day + DAY } else { self.context.conventions.night_goes_on };
            let small_hours = match clock.meridian {
                Meridian::Am => clock.hour % 12 < 5,
                Meridian::Either | Meridian::AmFirst => clock.hour < 5 || clock.hour == 0,
                Meridian::Pm | Meridian::Full => false,
            };
            let next = if of_a_day && small_hours && matches!(part, DayPart::Night | DayPart::LateNight) { DAY } else { 0 };
            return Self::clock_of_part(day + next, part, *clock).into_iter().map(Hit::point).collect();
        }
        if let (Some(part), Node::Range(from, to)) = (part, inner)
            && let (Node::Clock(from), Node::Clock(to)) = (&**from, &**to)
        {
            let day = granule.from - granule.from.rem_euclid(DAY);
            let end = |start: Granule| {
                let same = Self::clock_of_part(day, part, *to)?;
                if same.from > start.from { Some(same) } else { clock_at(day, hours(*to).into_iter().flatten().next()?, *to) }
            };
            let range = Self::clock_of_part(day, part, *from).and_then(|start| Some(Hit::range(start, end(start)?)));
            return range.into_iter().collect();
        }
        if let Node::And(part, rest) = inner
            && let (Some(_), true) = (part.day_part(), rest.grain().is_clock())
        {
            let parts = self.hits(part, granule.window(), 1);
            return parts.into_iter().flat_map(|hit| self.inside(hit.granule, rest, part)).collect();
        }
        // 24:00 is the end of its day.
        if let Node::Clock(clock @ Clock { hour: 24, .. }) = inner {
            return clock_at(granule.from - granule.from.rem_euclid(DAY), 24, *clock).map(Hit::point).into_iter().collect();
        }
        let begins = |hit: &Hit| hit.granule.from >= granule.from && hit.granule.from < granule.to;
        let hits = self.hits(inner, granule.window(), usize::MAX);
        // A holiday that goes into the next year is of the one it begins in.
        let begun = inner.grain().is_clock() || matches!(inner, Node::Holiday(_)) && outer.grain() == Grain::Year;
        match (inner, outer.grain()) {
            (Node::Week(_), Grain::Year) => parts::weeks_of_year(granule, hits),
            _ => hits.into_iter().filter(|hit| begins(hit) || !begun).collect(),
        }
    }

    /// "5 in the evening" is 17:00, "1 at night" is after midnight.
    fn clock_of_part(day: i64, part: DayPart, clock: Clock) -> Option<Granule> {
        let hour = match (clock.meridian, part) {
            (Meridian::Am | Meridian::Pm | Meridian::Full, _) => hours(clock).into_iter().flatten().next()?,
            (Meridian::Either, DayPart::Night | DayPart::LateNight) if clock.hour < 6 => clock.hour,
            (Meridian::Either, DayPart::Night | DayPart::LateNight | DayPart::Evening) if clock.hour == 12 => 24,
            (
                Meridian::Either,
                DayPart::Afternoon | DayPart::Evening | DayPart::Night | DayPart::LateNight | DayPart::Dinner | DayPart::Lunch,
            ) if clock.hour < 12 && !(part == DayPart::Lunch && clock.hour > 10) => clock.hour + 12,
            (Meridian::Either | Meridian::AmFirst, _) => clock.hour,
        };
        clock_at(day, hour, clock)
    }

    fn early_morning(&self, morning: Granule) -> Granule {
        let day = morning.from - morning.from.rem_euclid(DAY);
        let (from, to) = self.context.conventions.day_parts.early_morning;
        Granule { from: day + i64::from(from) * HOUR, to: day + i64::from(to) * HOUR, grain: Grain::DayPart }
    }

    fn ranges(&self, from: &Node, to: &Node, window: Window, max: usize) -> Vec<Hit> {
        if !from.is_fixed() && to.is_fixed() {
            let ends = self.hits(to, EVER, 1);
            let range = |end: Hit| Some(Hit::range(self.last_before(from, end.granule)?.granule, end.granule));
            return ends.into_iter().filter_map(range).collect();
        }
        let starts = self.hits(from, window, max);
        let range = |start: Hit| Some(Hit::range(start.granule, self.first_after(to, start.granule)?.granule));
        starts.into_iter().filter_map(range).collect()
    }

    fn relative(&self, which: Which, of: &Node) -> Vec<Hit> {
        let conventions = self.context.conventions;
        let one = |granule: Option<Granule>| granule.map(Hit::point).into_iter().collect::<Vec<_>>();
        match of {
            Node::Date(fields) if fields.is_bare_weekday() => {
                let ahead = fields.weekday.map_or(0, |weekday| i64::from(calendar::weekday(weekday).days_since(self.week_start)));
                let in_week = |offset: i64| {
                    let week = add(floor(self.reference, Grain::Week, self.week_start)?, offset, Grain::Week)?;
                    Granule::at(week + ahead * DAY, Grain::Day)
                };
                one(match which {
                    Which::This if conventions.this_weekday == ThisWeekday::OfTheWeek => in_week(0),
                    Which::Next if conventions.next_weekday == NextWeekday::OfNextWeek => in_week(1),
                    Which::Following if conventions.following_weekday == NextWeekday::OfNextWeek => in_week(1),
                    Which::This | Which::Coming | Which::Next | Which::Following => self.nth_from(1, of, self.today() + DAY),
                    Which::Last => return self.last_weekday(fields, conventions.last_weekday == LastWeekday::MostRecent),
                    Which::Past => self.nth_from(-1, of, self.today()),
                })
            }
            Node::Weekend => one(match which {
                Which::This => self.this(Grain::Weekend, 0),
                Which::Next | Which::Coming | Which::Following => self.next_weekend(which),
                Which::Last | Which::Past => self.nth_from(-1, of, self.today()),
            }),
            Node::Clock(_) | Node::Part(_) => {
                let offset = match which {
                    Which::This => 0,
                    Which::Next | Which::Coming | Which::Following => 1,
                    Which::Last | Which::Past => -1,
                };
                let day = Granule { from: self.today() + offset * DAY, to: self.today() + (offset + 1) * DAY, grain: Grain::Day };
                self.inside(day, of, of)
            }
            _ if of.is_fixed() => self.hits(of, EVER, MOST),
            _ => match which {
                Which::This => self.this_year(of).map_or_else(|| one(self.nth_from(1, of, self.today())), |hit| vec![hit]),
                Which::Next | Which::Coming | Which::Following => one(self.nth_from(1, of, self.today() + DAY)),
                Which::Last | Which::Past => one(self.nth_from(-1, of, self.today())),
            },
        }
    }

    /// The occurrences in the calendar seen three months earlier, three months later.
    fn fiscal(&self, of: &Node, (from, to): Window, max: usize) -> Vec<Hit> {
        const LATE: i64 = 3;
        let back = |at: i64| add(at, -LATE, Grain::Month);
        let Some(reference) = back(self.reference) else { return Vec::new() };
        let earlier = |granule: Granule| Some(Granule { from: back(granule.from)?, to: back(granule.to)?, ..granule });
        let calendar = Self { reference, previous: self.previous.and_then(earlier), ..*self };
        let window = (back(from).unwrap_or(i64::MIN), back(to).unwrap_or(i64::MAX));
        calendar.hits(of, window, max).into_iter().filter_map(|hit| hit.months_on(LATE)).collect()
    }

    /// The weekend after this one, unless this one is what is coming.
    fn next_weekend(&self, which: Which) -> Option<Granule> {
        let this = self.this(Grain::Weekend, 0)?;
        if which == Which::Coming && this.from > self.reference { Some(this) } else { self.this(Grain::Weekend, 1) }
    }

    /// "This May", "this Christmas": of the year of the reference; of a season, the one under way if any.
    fn this_year(&self, of: &Node) -> Option<Hit> {
        let year = Granule::holding(self.reference, Grain::Year, self.week_start)?;
        let hits = self.hits(of, year.window(), usize::MAX);
        let now = hits.iter().find(|hit| hit.granule.overlaps((self.today(), self.today() + DAY)));
        now.or_else(|| hits.iter().rev().find(|hit| hit.granule.from >= year.from)).copied()
    }

    fn last_weekday(&self, fields: &Fields, recent: bool) -> Vec<Hit> {
        let node = Node::Date(*fields);
        let end = if recent { Some(self.today()) } else { floor(self.reference, Grain::Week, self.week_start) };
        end.and_then(|end| self.nth_from(-1, &node, end)).map(Hit::point).into_iter().collect()
    }

    fn count(&self, n: i64, of: &Node, base: Option<&Node>) -> Option<Granule> {
        let (start, end) = match base {
            Some(base) => {
                let hit = self.choose(base).into_iter().next()?;
                (hit.granule.to, hit.granule.from)
            }
            None => (self.today() + DAY, self.today()),
        };
        self.nth_from(n, of, if n > 0 { start } else { end })
    }

    /// The `n`th occurrence that begins at or after the instant, or, negative, that has ended by it.
    fn nth_from(&self, n: i64, of: &Node, at: i64) -> Option<Granule> {
        let n = n.clamp(-1_000, 1_000);
        let wanted = usize::try_from(n.unsigned_abs()).ok()?.checked_sub(1)?;
        let span = [9 * DAY, 400 * DAY, 3_300 * DAY, 40_000 * DAY];
        span.into_iter().map(|span| span.saturating_mul(n.abs())).filter(|span| *span <= 40_000 * DAY).find_map(|span| {
            if n > 0 {
                let hits = self.hits(of, (at, at.saturating_add(span)), usize::MAX);
                hits.into_iter().filter(|hit| hit.granule.from >= at).nth(wanted)
            } else {
                let hits = self.hits(of, (at.saturating_sub(span), at), usize::MAX);
                hits.into_iter().rev().filter(|hit| hit.granule.to <= at).nth(wanted)
            }
            .map(|hit| hit.granule)
        })
    }

    fn closest(&self, n: i64, of: &Node, to: &Node) -> Option<Hit> {
        let target = self.choose(to).into_iter().next()?.granule;
        let window = (target.from.saturating_sub(4_000 * DAY), target.to.saturating_add(4_000 * DAY));
        let mut hits = self.hits(of, window, usize::MAX);
        let distance = |granule: Granule| (granule.from - target.from).abs();
        hits.sort_by_key(|hit| distance(hit.granule));
        hits.into_iter().nth(usize::try_from(n).ok()?.checked_sub(1)?)
    }
}

impl Hit {
    pub(super) const fn point(granule: Granule) -> Self {
        Self { granule, form: Form::Point, zone: None }
    }

    const fn range(from: Granule, to: Granule) -> Self {
        Self { granule: Granule { from: from.from, to: to.to, grain: from.grain }, form: Form::Range(from, to), zone: None }
    }

    fn months_on(self, months: i64) -> Option<Self> {
        let on = |granule: Granule| {
            Some(Granule { from: add(granule.from, months, Grain::Month)?, to: add(granule.to, months, Grain::Month)?, ..granule })
        };
        let form = match self.form {
            Form::Range(from, to) => Form::Range(on(from)?, on(to)?),
            form @ (Form::Point | Form::Open(_)) => form,
        };
        Some(Self { granule: on(self.granule)?, form, ..self })
    }

    fn moved(self, by: i64) -> Self {
        self.mapped(|at| at.saturating_add(by))
    }

    /// With its local times put through a function.
    fn mapped(self, of: impl Fn(i64) -> i64) -> Self {
        let moved = |granule: Granule| Granule { from: of(granule.from), to: of(granule.to), ..granule };
        let form = match self.form {
            Form::Range(from, to) => Form::Range(moved(from), moved(to)),
            form @ (Form::Point | Form::Open(_)) => form,
        };
        Self { granule: moved(self.granule), form, ..self }
    }
}

/// The years that a window touches, and the one before it for what reaches over; none of no window.
fn years_in((from, to): Window) -> std::ops::Range<i32> {
    let year = |at: i64| date_of(at).map(|date| date.year());
    match (year(from), year(to)) {
        (Some(from), Some(to)) => from - 1..to.min(from.saturating_add(200)) + 1,
        _ => 0..0,
    }
}

/// A granule that begins so many months into a year.
fn months_of(year: i32, first: i64, grain: Grain) -> Option<Granule> {
    Granule::at(month_start(i64::from(year) * 12 + first)?, grain)
}

pub(super) fn shifted(from: i64, length: Length, forward: bool) -> Option<i64> {
    let sign = if forward { 1 } else { -1 };
    let at = add(from, sign * length.months, Grain::Month)?;
    let at = add(at, sign * length.days, Grain::Day)?;
    at.checked_add(sign * length.micros)
}

/// The hours of a day that a clock time may mean.
fn hours(clock: Clock) -> [Option<u32>; 2] {
    match clock.meridian {
        Meridian::Full => [Some(clock.hour), None],
        Meridian::Am => [Some(clock.hour % 12), None],
        Meridian::Pm => [Some(clock.hour % 12 + 12), None],
        Meridian::Either | Meridian::AmFirst if clock.hour > 12 || clock.hour == 0 => [Some(clock.hour), None],
        Meridian::Either | Meridian::AmFirst => [Some(clock.hour % 12), Some(clock.hour % 12 + 12)],
    }
}

fn clock_at(day: i64, hour: u32, clock: Clock) -> Option<Granule> {
    let from = day + i64::from(hour) * HOUR + i64::from(clock.minute.unwrap_or(0)) * MINUTE + i64::from(clock.second.unwrap_or(0)) * SECOND;
    Granule::at(from, clock.grain())
}
