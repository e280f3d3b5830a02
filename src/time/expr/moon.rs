//! Sun and moon, and the calendars that follow them: Islamic months, the lunar months of India, the Chinese new year.
//! Knows the sky to a few minutes for some centuries around the present.

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

/// Degrees of a circle, from 0 up to 360.
fn circle(degrees: f64) -> f64 {
    degrees.rem_euclid(360.0)
}

/// Julian centuries since 2000 of a Julian day.
fn centuries(day: f64) -> f64 {
    (day - 2_451_545.0) / 36_525.0
}

/// The longitude of the sun in degrees. Source: Meeus, chapter 25, to a hundredth of a degree.
fn sun(day: f64) -> f64 {
    let t = centuries(day);
    let anomaly = (357.529_11 + 35_999.050_29 * t).to_radians();
    let centre = 1.914_602 * anomaly.sin() + 0.019_993 * (2.0 * anomaly).sin() + 0.000_289 * (3.0 * anomaly).sin();
    circle(280.466_46 + 36_000.769_83 * t + centre)
}

/// The longitude of the moon in degrees. Source: Meeus, chapter 47, the terms above a two-hundredth of a degree.
fn moon(day: f64) -> f64 {
    /// Multiples of the elongation, the sun's anomaly, the moon's anomaly and its argument of latitude, and the size in degrees.
    const TERMS: [(f64, f64, f64, f64, f64); 22] = [
        (0.0, 0.0, 1.0, 0.0, 6.288_774),
        (2.0, 0.0, -1.0, 0.0, 1.274_027),
        (2.0, 0.0, 0.0, 0.0, 0.658_314),
        (0.0, 0.0, 2.0, 0.0, 0.213_618),
        (0.0, 1.0, 0.0, 0.0, -0.185_116),
        (0.0, 0.0, 0.0, 2.0, -0.114_332),
        (2.0, 0.0, -2.0, 0.0, 0.058_793),
        (2.0, -1.0, -1.0, 0.0, 0.057_066),
        (2.0, 0.0, 1.0, 0.0, 0.053_322),
        (2.0, -1.0, 0.0, 0.0, 0.045_758),
        (0.0, 1.0, -1.0, 0.0, -0.040_923),
        (1.0, 0.0, 0.0, 0.0, -0.034_720),
        (0.0, 1.0, 1.0, 0.0, -0.030_383),
        (2.0, 0.0, 0.0, -2.0, 0.015_327),
        (0.0, 0.0, 1.0, 2.0, -0.012_528),
        (0.0, 0.0, 1.0, -2.0, 0.010_980),
        (4.0, 0.0, -1.0, 0.0, 0.010_675),
        (0.0, 0.0, 3.0, 0.0, 0.010_034),
        (4.0, 0.0, -2.0, 0.0, 0.008_548),
        (2.0, 1.0, -1.0, 0.0, -0.007_888),
        (2.0, 1.0, 0.0, 0.0, -0.006_766),
        (1.0, 0.0, -1.0, 0.0, -0.005_163),
    ];
    let t = centuries(day);
    let elongation = 297.850_192_1 + 445_267.111_403_4 * t;
    let suns = 357.529_109_2 + 35_999.050_290_9 * t;
    let moons = 134.963_396_4 + 477_198.867_505_5 * t;
    let latitude = 93.272_095_0 + 483_202.017_523_3 * t;
    let term =
        |(d, s, m, f, size): &(f64, f64, f64, f64, f64)| size * (d * elongation + s * suns + m * moons + f * latitude).to_radians().sin();
    circle(218.316_447_7 + 481_267.881_234_21 * t + TERMS.iter().map(term).sum::<f64>())
}

/// The longitude of the sun among the stars, as Indian calendars reckon it (the ayanamsa of Lahiri).
fn sidereal_sun(day: f64) -> f64 {
    circle(sun(day) - 23.853 - 1.397 * centuries(day))
}

/// The Julian day of an hour of a civil day in India.
fn in_india(day: i64, hour: f64) -> f64 {
    days(day) + UNIX_EPOCH + (hour - 5.5) / 24.0
}

/// The lunation whose new moon is the first in a year or shortly before.
fn first_lunation(year: i32) -> f64 {
    ((f64::from(year) - 2000.0) * 12.368_5).floor() - 1.0
}

/// A lunar day (1 to 15 waxing, 16 to 30 waning) of an Indian lunar month (1 is Chaitra, months ending at the new moon) that prevails
/// at an hour of the day and lies in a year, as local midnight. The extra month of a leap year is passed over.
pub(super) fn indian(year: i32, month: i64, lunar_day: i64, hour: f64) -> Option<i64> {
    let sign = |at: f64| whole((sidereal_sun(at) / 30.0).floor());
    let first = first_lunation(year);
    (0..15).find_map(|count| {
        let (begins, ends) = (new_moon(first + days(count)), new_moon(first + days(count + 1)));
        // A month is named by the sign that the sun is in at its new moon; where it stays in it to the next one, the month is extra.
        if sign(begins) == sign(ends) || (sign(begins) + 1) % 12 + 1 != month {
            return None;
        }
        let start = whole((begins - UNIX_EPOCH).floor());
        let prevails = |day: i64| {
            let at = in_india(day, hour);
            let passed = if at < begins { 0 } else { whole((circle(moon(at) - sun(at)) / 12.0).floor()) + 1 };
            if at >= ends { 31 } else { passed }
        };
        let day = (start..start + 33).find(|day| prevails(*day) >= lunar_day)?;
        // One that begins and ends between two such hours is kept on the day it begins.
        let day = if prevails(day) > lunar_day { day - 1 } else { day };
        let day = day * DAY;
        calendar::date_of(day).filter(|date| chrono::Datelike::year(date) == year).map(|_| day)
    })
}

/// The day in a year on which the sun comes to a sign of the stars before sunset in India, else the day after.
pub(super) fn sankranti(year: i32, sign: i64) -> Option<i64> {
    let begins = calendar::month_start(i64::from(year) * 12)? / DAY;
    let beyond = |day: &i64| circle(sidereal_sun(in_india(*day, 18.0)) - 30.0 * days(sign)) < 15.0;
    (begins..begins + 366).find(|day| beyond(day) && !beyond(&(day - 1))).map(|day| day * DAY)
}

/// The first day of the Chinese year that begins in a year: of the second month after the one with the winter solstice, or of the
/// third if one between is extra, which is the first month of a year of thirteen in which the sun comes to no new sign.
pub(super) fn chinese_new_year(year: i32) -> Option<i64> {
    let first = first_lunation(year) - 2.0;
    // Months begin with the day of the new moon, and signs are counted by days, by the clocks of China.
    let start = |count: i64| whole((new_moon(first + days(count)) - UNIX_EPOCH + 8.0 / 24.0).floor());
    let sign = |day: i64| whole((sun(days(day) + UNIX_EPOCH - 8.0 / 24.0) / 30.0).floor());
    let solstice = |count: &i64| (6..9).contains(&sign(start(*count))) && (9..12).contains(&sign(start(*count + 1)));
    let eleventh = (0..6).find(solstice)?;
    let long = (eleventh + 12..eleventh + 14).find(solstice)? == eleventh + 13;
    let extra = (eleventh + 1..eleventh + 3).any(|count| sign(start(count)) == sign(start(count + 1)));
    let begins = start(eleventh + if long && extra { 3 } else { 2 }) * DAY;
    calendar::date_of(begins).filter(|date| chrono::Datelike::year(date) == year).map(|_| begins)
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
    fn lunar_days_of_india_fall_where_its_almanacs_have_them() {
        let day = |year, month, lunar_day, hour| calendar::date_of(indian(year, month, lunar_day, hour).unwrap()).unwrap().to_string();
        assert_eq!(day(2024, 7, 30, 18.0), "2024-10-31", "the new moon of the lamps");
        assert_eq!(day(2023, 7, 30, 18.0), "2023-11-12", "in a year with an extra month");
        assert_eq!(day(2024, 5, 15, 6.0), "2024-08-19", "the full moon of Shravana");
        assert_eq!(day(2025, 1, 1, 6.0), "2025-03-30", "the first of Chaitra");
        assert_eq!(day(2024, 1, 9, 12.0), "2024-04-17", "the ninth of Chaitra");
    }

    #[test]
    fn the_sun_comes_to_the_goat_in_mid_january() {
        let day = |year| calendar::date_of(sankranti(year, 9).unwrap()).unwrap().to_string();
        assert_eq!([day(2022), day(2024)], ["2022-01-14", "2024-01-15"]);
    }

    #[test]
    fn chinese_years_begin_in_late_winter() {
        let day = |year| calendar::date_of(chinese_new_year(year).unwrap()).unwrap().to_string();
        assert_eq!([day(1985), day(2015), day(2023)], ["1985-02-20", "2015-02-19", "2023-01-22"]);
        assert_eq!([day(2024), day(2033), day(2034)], ["2024-02-10", "2033-01-31", "2034-02-19"]);
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
