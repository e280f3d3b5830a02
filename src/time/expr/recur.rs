//! Recurring times: how often, and on which of the days, months and hours. Knows nothing of words or of instants.

use super::calendar::Grain;
use super::holiday;
use super::symbol::{Clock, DayPart, Fields, Meridian, Node, SeasonName};
use crate::time::Season;

/// A few small whole numbers, each at most once: weekdays from 1 (Monday) to 7, or which of several, from 1 (the first) to 5 and from
/// -1 (the last) to -5.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Numbers(u16);

impl Numbers {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// These and one more; a number below -5 or above 7 is not kept.
    #[must_use]
    pub const fn with(self, number: i8) -> Self {
        if number < -5 || number > 7 { self } else { Self(self.0 | 1 << (number + 5)) }
    }

    /// Whether the number is one of them.
    #[must_use]
    pub const fn has(self, number: i8) -> bool {
        number >= -5 && number <= 7 && self.0 & 1 << (number + 5) != 0
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The numbers as one counts: 1, 2, …, then from the end, -1, -2, ….
    pub fn iter(self) -> impl Iterator<Item = i8> {
        (0..=7).chain((-5..=-1).rev()).filter(move |number| self.has(*number))
    }
}

impl FromIterator<i8> for Numbers {
    fn from_iter<I: IntoIterator<Item = i8>>(numbers: I) -> Self {
        numbers.into_iter().fold(Self::NONE, Self::with)
    }
}

impl std::fmt::Debug for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A recurring time: each `interval` grains, on what of them was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recurrence {
    /// Every so many grains; at least 1.
    pub interval: i64,
    /// The grain that recurs.
    pub grain: Grain,
    /// How many times in each, where that was said: "three times a week".
    pub times: Option<u32>,
    /// The weekdays, from 1 (Monday) to 7; none if none was said.
    pub weekdays: Numbers,
    /// Which of those weekdays inside the grain (of the weekends or of the days, where no weekday was said), from 1 (the first) and from
    /// -1 (the last); none means all of them.
    pub nth: Numbers,
    /// The day of the month.
    pub day: Option<u32>,
    /// The month of the year.
    pub month: Option<u32>,
    /// The season of the year.
    pub season: Option<Season>,
    /// Whether on weekends.
    pub weekend: bool,
    /// The part of the day.
    pub part: Option<DayPart>,
    /// Hour and minute.
    pub time: Option<(u32, u32)>,
    /// Hour and minute at which it ends, where it goes from one time of day to another; not after `time` where it ends on the next day.
    pub until: Option<(u32, u32)>,
}

impl Recurrence {
    /// Each `interval` grains (at least 1), with nothing said of when in them.
    #[must_use]
    pub const fn every(interval: i64, grain: Grain) -> Self {
        Self {
            interval: if interval < 1 { 1 } else { interval },
            grain,
            times: None,
            weekdays: Numbers::NONE,
            nth: Numbers::NONE,
            day: None,
            month: None,
            season: None,
            weekend: false,
            part: None,
            time: None,
            until: None,
        }
    }

    pub(super) fn new(interval: i64, grain: Grain, on: Option<&Node>) -> Self {
        let mut set = Self::every(interval, grain);
        if let Some(on) = on {
            set.add(on);
        }
        set
    }

    fn add(&mut self, node: &Node) {
        match node {
            Node::Date(Fields { weekday, day, month, .. }) => {
                self.weekdays = weekday.iter().filter_map(|weekday| i8::try_from(*weekday).ok()).fold(self.weekdays, Numbers::with);
                self.day = self.day.or(*day);
                self.month = self.month.or(*month);
            }
            Node::Nth { n, unit, .. } => {
                self.nth = i8::try_from(*n).map_or(self.nth, |n| self.nth.with(n));
                self.add(unit);
            }
            Node::Season(name) => self.season = self.season.or(Some(Season::from(*name))),
            Node::Holiday(index) => {
                if let Some((month, day)) = holiday::date(*index) {
                    self.month = self.month.or(Some(month));
                    self.day = self.day.or(Some(day));
                }
            }
            Node::Times(times) => self.times = self.times.or(Some(*times)),
            Node::Weekend => self.weekend = true,
            Node::Part(part) => self.part = self.part.or(Some(*part)),
            Node::Clock(clock) => self.time = self.time.or(Some(self.clock(*clock))),
            Node::Range(from, to) => match (&**from, &**to) {
                (Node::Clock(from), Node::Clock(to)) => {
                    let (from, mut to) = (self.clock(*from), (self.clock(*to), to.meridian));
                    // "From 9 to 5" ends in the afternoon.
                    if to.1 == Meridian::Either && to.0 <= from && to.0.0 < 12 {
                        to.0.0 += 12;
                    }
                    (self.time, self.until) = (Some(from), Some(to.0));
                }
                (Node::Date(Fields { weekday: Some(from), .. }), Node::Date(Fields { weekday: Some(to), .. })) => {
                    let days = (0..7).map(|ahead| (from - 1 + ahead) % 7 + 1);
                    let last = days.clone().position(|day| day == *to).unwrap_or(0);
                    self.weekdays = days.take(last + 1).filter_map(|day| i8::try_from(day).ok()).fold(self.weekdays, Numbers::with);
                }
                _ => {}
            },
            Node::And(one, other) => {
                let (outer, inner) = if one.grain() >= other.grain() { (one, other) } else { (other, one) };
                self.add(outer);
                self.add(inner);
            }
            Node::Near(of) | Node::Zoned(of, _) => self.add(of),
            _ => {}
        }
    }

    /// Hour and minute of a time of day, in the half of the day that was said.
    fn clock(&self, Clock { hour, minute, meridian, .. }: Clock) -> (u32, u32) {
        let hour = match (meridian, self.part) {
            (Meridian::Pm, _) => hour % 12 + 12,
            (Meridian::Am, _) => hour % 12,
            (Meridian::Either, Some(DayPart::LateNight)) if hour < 6 => hour,
            (Meridian::Either, Some(DayPart::Afternoon | DayPart::Evening | DayPart::Night | DayPart::LateNight)) if hour < 12 => hour + 12,
            _ => hour,
        };
        (hour, minute.unwrap_or(0))
    }
}

impl From<SeasonName> for Season {
    fn from(name: SeasonName) -> Self {
        match name {
            SeasonName::Spring => Self::Spring,
            SeasonName::Summer => Self::Summer,
            SeasonName::Autumn => Self::Autumn,
            SeasonName::Winter => Self::Winter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_a_set_that_counts_from_either_end() {
        let numbers: Numbers = [3, -1, 1, 3, 9, -6].into_iter().collect();
        assert_eq!(numbers.iter().collect::<Vec<_>>(), [1, 3, -1]);
        assert_eq!((numbers.len(), numbers.is_empty(), numbers.has(3), numbers.has(2)), (3, false, true, false));
        assert!(Numbers::NONE.is_empty());
        assert!(!numbers.has(-100) && !numbers.has(100));
    }

    #[test]
    fn what_was_said_of_a_set_is_gathered() {
        let nth = |n| Node::Nth { n, count: 1, unit: Box::new(Node::weekday(6)), of: Box::new(Node::This(Grain::Month, 0)) };
        let set = Recurrence::new(1, Grain::Month, Some(&nth(1).and(nth(3))));
        assert_eq!(
            set,
            Recurrence { weekdays: Numbers::NONE.with(6), nth: [1, 3].into_iter().collect(), ..Recurrence::every(1, Grain::Month) }
        );
        let two = Recurrence::new(1, Grain::Week, Some(&Node::weekday(2).and(Node::weekday(4))));
        assert_eq!(two.weekdays.iter().collect::<Vec<_>>(), [2, 4]);
        let days = Node::Range(Box::new(Node::weekday(6)), Box::new(Node::weekday(1)));
        assert_eq!(Recurrence::new(1, Grain::Week, Some(&days)).weekdays.iter().collect::<Vec<_>>(), [1, 6, 7]);
        let at = |hour| Node::Clock(Clock { hour, minute: None, second: None, meridian: Meridian::Either });
        let hours = Recurrence::new(1, Grain::Day, Some(&Node::Range(Box::new(at(9)), Box::new(at(5)))));
        assert_eq!((hours.time, hours.until), (Some((9, 0)), Some((17, 0))));
        assert_eq!(Recurrence::new(0, Grain::Week, Some(&Node::Times(3))).times, Some(3));
    }
}
