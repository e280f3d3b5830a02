//! New moons, and the Islamic months that begin with them. Knows the sky to a few minutes for some centuries around the present.

use super::calendar;
use crate::time::civil::DAY;

/// Days from noon of 1 January 4713 BC, where Julian days are counted from, to the Unix epoch.
const UNIX_EPOCH: f64 = 2_440_587.5;
/// A synodic month in days.
const MONTH: f64 = 29.530_588_861;
/// The new moon of January 2000, which lunations are counted from, as a Julian day.
const FIRST: f64 = 2_451_550.097_66;

/// The Julian day of a new moon, in dynamical time.
///
/// Source: Meeus, *Astronomical Algorithms*, chapter 49, without the terms below half a minute.
fn new_moon(lunation: f64) -> f64 {
    let t = lunation / 1_236.85;
    let e = 1.0 - 0.002_516 * t;
    let angle = |at: f64, rate: f64, square: f64| (at + rate * lunation + square * t * t).to_radians();
    let sun = angle(2.5534, 29.105_356_7, -0.000_001_4);
    let moon = angle(201.5643, 385.816_935_28, 0.010_758_2);
    let latitude = angle(160.7108, 390.670_502_84, -0.001_611_8);
    let node = angle(124.7746, -1.563_755_88, 0.002_067_2);
    let terms = [
        (-0.407_20, moon),
        (0.172_41 * e, sun),
        (0.016_08, 2.0 * moon),
        (0.010_39, 2.0 * latitude),
        (0.007_39 * e, moon - sun),
        (-0.005_14 * e, moon + sun),
        (0.002_08 * e * e, 2.0 * sun),
        (-0.001_11, moon - 2.0 * latitude),
        (-0.000_57, moon + 2.0 * latitude),
        (0.000_56 * e, 2.0 * moon + sun),
        (-0.000_42, 3.0 * moon),
        (0.000_42 * e, sun + 2.0 * latitude),
        (0.000_38 * e, sun - 2.0 * latitude),
        (-0.000_17, node),
    ];
    FIRST + MONTH * lunation + 0.000_154_37 * t * t + terms.iter().map(|(size, angle)| size * angle.sin()).sum::<f64>()
}

/// A date of the Islamic calendar, as local midnight: a month begins on the day after the new moon, or on the day after that if
/// the moon is new only after sunset in Mecca, as the calendar of Umm al-Qura has it.
pub(super) fn islamic(year: i64, month: i64, day: i64) -> i64 {
    // The tabular calendar is never more than two days off, which tells the lunation.
    let tabular = calendar::islamic_table(year, month, 1) / DAY;
    let about = (days(tabular) + UNIX_EPOCH - 1.0 - FIRST) / MONTH;
    let new = new_moon(about.round()) - UNIX_EPOCH;
    // Sunset in Mecca is about 15:00 in UTC.
    let evening = new + 9.0 / 24.0;
    (whole(evening.floor()) + day) * DAY
}

#[expect(clippy::cast_precision_loss, reason = "days of civil years are far below 2^52")]
const fn days(days: i64) -> f64 {
    days as f64
}

#[expect(clippy::cast_possible_truncation, reason = "days of civil years are far below 2^63")]
const fn whole(days: f64) -> i64 {
    days as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(year: i64, month: i64, day: i64, expected: &str) {
        assert_eq!(calendar::date_of(islamic(year, month, day)).unwrap().to_string(), expected, "{year}-{month}-{day}");
    }

    #[test]
    fn months_begin_where_umm_al_qura_has_them() {
        check(1445, 10, 1, "2024-04-10");
        check(1445, 12, 10, "2024-06-16");
        check(1446, 1, 1, "2024-07-07");
        check(1446, 9, 1, "2025-03-01");
        check(1440, 9, 1, "2019-05-06");
    }
}
