//! Time as text: whatever is displayed reads back the same, no text is a panic, and EDTF means what EDTF's own reader says.
#![cfg(test)]

use edtf_core::{Bound, BoundDate, Edtf};
use erstwhile::time::{
    End, Instant, Moment, Season, Span, Start, TimeError, Zone, ZonedInstant, parse_end, parse_moment, parse_span, parse_start,
};
use proptest::prelude::*;

const ZONES: [&str; 10] = [
    "UTC",
    "+05:45",
    "-18:00",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "Europe/London",
    "Pacific/Apia",
];

fn zone() -> impl Strategy<Value = Zone> {
    prop::sample::select(&ZONES[..]).prop_map(|name| Zone::parse(name).unwrap())
}

/// Civil instants: any, and those on whole seconds, hours and days.
fn instant() -> impl Strategy<Value = Instant> {
    let micros = Instant::MIN.micros()..=Instant::MAX.micros();
    (micros, prop::sample::select(&[1, 1_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000_i64][..]))
        .prop_map(|(micros, unit)| Instant::from_micros(micros.div_euclid(unit) * unit).max(Instant::MIN))
}

/// Granules that have a name, in a zone.
fn named(zone: Zone) -> impl Strategy<Value = Moment> {
    let (year, month, day) = (-9998..9998_i32, 1..=12_u32, 1..=28_u32);
    (0..12, year, month, day, 0..24_u32, 0..60_u32).prop_map(move |(kind, year, month, day, hour, minute)| {
        match kind {
            0 => Moment::year(year, &zone),
            1 => Moment::decade(year.abs(), &zone),
            2 => Moment::century(year.abs(), &zone),
            3 => Moment::years(year.abs() / 1000 * 1000, 1000, &zone),
            4 => Moment::quarter(year, month.div_ceil(3), &zone),
            5 => {
                let seasons = [Season::Spring, Season::Summer, Season::Autumn, Season::Winter];
                Moment::season(year, seasons[month as usize % 4], &zone)
            }
            6 => Moment::week(year, month * 4, &zone),
            7 => Moment::month(year, month, &zone),
            8 | 9 => Moment::day(year, month, day, &zone),
            10 => Moment::hour(year, month, day, hour, &zone),
            _ => Moment::minute(year, month, day, hour, minute, &zone),
        }
        .unwrap()
    })
}

fn moment() -> impl Strategy<Value = Moment> {
    let range = (instant(), instant()).prop_map(|(a, b)| Moment::granule(a.min(b), a.max(b)).unwrap());
    prop_oneof![instant().prop_map(Moment::exact), range, named(Zone::UTC), zone().prop_flat_map(named)]
}

fn start() -> impl Strategy<Value = Start> {
    let by_end = moment().prop_map(|moment| Start::By(moment.hi()));
    prop_oneof![4 => moment().prop_map(Start::At), 2 => by_end, 1 => Just(Start::Unknown), 1 => Just(Start::Always)]
}

fn end() -> impl Strategy<Value = End> {
    let by_end = moment().prop_map(|moment| End::By(moment.hi()));
    prop_oneof![4 => moment().prop_map(End::At), 2 => by_end, 1 => Just(End::Open)]
}

/// Text made of the pieces that dates are made of, so that much of it is nearly right.
fn dateish() -> impl Strategy<Value = String> {
    let pieces = [
        "2019", "-0044", "201X", "####", "##", "-", "06", "03", "13", "21", "30", "T", "10", ":", "24:00", ".5", "Z", "+02:00", "~", "?",
        "%", "/", "..", "W23", "Q2", "Y", "E9", "by ", "always", "unknown", "open", "[", ", ", ")", " ", "é", "9999", "0000", "9",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_instant_reads_back(at in instant(), offset_minutes in -1080..=1080_i16) {
        prop_assert_eq!(at.to_string().parse(), Ok(at));
        let zoned = ZonedInstant { at, offset_minutes };
        prop_assert_eq!(ZonedInstant::parse(&zoned.to_string()), Ok(zoned));
    }

    #[test]
    fn a_moment_reads_back_in_utc(moment in moment()) {
        prop_assert_eq!(moment.to_string().parse(), Ok(moment));
    }

    #[test]
    fn a_moment_reads_back_in_any_zone(moment in moment(), zone in zone()) {
        let text = moment.display_in(&zone).to_string();
        prop_assert_eq!(parse_moment(&text, &zone), Ok(moment), "{} in {}", text, zone);
    }

    #[test]
    fn a_granule_of_a_zone_has_a_name_there((zone, moment) in zone().prop_flat_map(|zone| (Just(zone), named(zone)))) {
        let text = moment.display_in(&zone).to_string();
        // Hours and minutes that a clock skips or reads twice, and those of local mean time, have no name that is theirs alone.
        prop_assert!(!text.starts_with('[') || moment.hi().micros_since(moment.lo()) < 3 * 3_600_000_000, "{} in {}", text, zone);
    }

    #[test]
    fn a_start_an_end_and_their_span_read_back(start in start(), end in end()) {
        prop_assert_eq!(parse_start(&start.to_string(), &Zone::UTC), Ok(Some(start)));
        prop_assert_eq!(parse_end(&end.to_string(), &Zone::UTC), Ok(Some(end)));
        if let Ok(span) = Span::new(start, end) {
            prop_assert_eq!(span.to_string().parse(), Ok(span));
            let (from, to) = (start.to_string(), end.to_string());
            prop_assert_eq!(parse_span(Some(&from), Some(&to), &Zone::UTC), Ok(span));
        }
    }

    #[test]
    fn the_day_of_an_instant_and_its_minute_contain_it(at in instant(), zone in zone()) {
        let day = Moment::day_of(at, &zone);
        prop_assert!(day.contains(at) || at == Instant::MAX, "{} in {}", at, zone);
        let reading = Moment::exact(at).display_in(&zone).to_string();
        if let (Some(minute), false) = (reading.get(..reading.len() - 9), reading.ends_with('Z'))
            && minute.len() == 16
        {
            let minute = parse_moment(minute, &zone).unwrap();
            prop_assert!(minute.contains(at), "{} in {}", at, zone);
            prop_assert!(day.lo() <= minute.lo() && minute.hi() <= day.hi(), "{} in {}", at, zone);
        }
    }

    #[test]
    fn any_text_is_read_or_rejected(text in prop_oneof![any::<String>(), dateish(), "[0-9#X:TZ+./~ W-]{0,32}"], zone in zone()) {
        if let Ok(moment) = parse_moment(&text, &zone) {
            prop_assert!(moment.lo() <= moment.hi() && moment.lo().is_civil() && moment.hi().is_civil());
            let shown = moment.display_in(&zone).to_string();
            prop_assert_eq!(parse_moment(&shown, &zone), Ok(moment), "{} as {}", text, shown);
        }
        for parsed in [parse_span(Some(&text), None, &zone), parse_span(None, Some(&text), &zone), parse_span(Some(&text), Some(&text), &zone)] {
            match parsed {
                Ok(span) => prop_assert!(span.start().lo() <= span.end().hi()),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
        let error = |parsed: Result<(), TimeError>| parsed.err().map_or(0, |error| error.to_string().len());
        prop_assert!(error(Instant::parse(&text).map(drop)) < 1_000);
        prop_assert!(error(Zone::parse(&text).map(drop)) < 1_000);
    }

    #[test]
    fn what_edtf_reads_too_means_the_same(text in edtf_text()) {
        compare_with_edtf(&text)?;
    }
}

/// Levels 0 and 1, with fields that need not exist.
fn edtf_text() -> impl Strategy<Value = String> {
    let date = prop_oneof![
        (-9999..=9999_i32, 1..=13_u32, 1..=31_u32).prop_map(|(year, month, day)| {
            let sign = if year < 0 { "-" } else { "" };
            format!("{sign}{:04}-{month:02}-{day:02}", year.abs())
        }),
        (0..=9999_u32, 1..=41_u32).prop_map(|(year, month)| format!("{year:04}-{month:02}")),
        (-9999..=9999_i32).prop_map(|year| if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") }),
        "[0-9]{3}X",
        "[0-9]{2}XX",
        "[0-9]{4}-XX",
        "[0-9]{4}-XX-XX",
        "[0-9]{4}-(0[1-9]|1[0-2])-XX",
        "Y[0-9]{4,6}",
    ];
    let time = prop_oneof![8 => Just(String::new()), 1 => "T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](Z|([+]0[0-9]|-0[1-9])(:[0-5][0-9])?)?"];
    let bound = (date, time).prop_map(|(date, time)| if date.len() >= 10 { date + &time } else { date }).boxed();
    let open = prop_oneof![6 => bound.clone(), 1 => Just("..".to_owned()), 1 => Just(String::new())];
    prop_oneof![bound, (open.clone(), open).prop_map(|(from, to)| format!("{from}/{to}"))]
}

fn midnight(date: BoundDate) -> Option<Instant> {
    Instant::from_date(i32::try_from(date.year).ok()?, date.month.into(), date.day.into()).ok()
}

/// The first instant after the day, clipped to the civil years as granules are.
fn day_end(date: BoundDate) -> Option<Instant> {
    Some(midnight(date)?.saturating_add(86_400_000_000).min(Instant::MAX))
}

fn compare_with_edtf(text: &str) -> Result<(), TestCaseError> {
    let theirs = Edtf::parse(text);
    if let Ok(Edtf::DateTime(written)) = &theirs {
        let ours = parse_moment(text, &Zone::UTC);
        prop_assert!(ours.as_ref().is_ok_and(|moment| moment.is_exact()), "{}: {:?} against {:?}", text, ours, written);
        return Ok(());
    }
    if text.contains('/') {
        let ours = parse_span(Some(text), None, &Zone::UTC);
        let Ok(theirs) = theirs else { return Ok(()) };
        let Ok(span) = ours else {
            // What EDTF reads and we do not: nothing said, and years that end outside ours.
            let silent = matches!(text, "/" | "/.." | "../" | "..");
            let bounds = theirs.bounds();
            let far = [bounds.earliest, bounds.latest].iter().any(|&bound| matches!(bound, Bound::Date(date) if midnight(date).is_none()));
            prop_assert!(silent || far || text.contains('T'), "{}: {:?}", text, ours);
            return Ok(());
        };
        if text.contains('T') {
            return Ok(());
        }
        match theirs.bounds().earliest {
            Bound::Date(date) => prop_assert_eq!(Some(span.start().lo()), midnight(date), "{}", text),
            Bound::NegativeInfinity => prop_assert_eq!(span.start(), Start::Always, "{}", text),
            Bound::Unknown | Bound::PositiveInfinity => prop_assert_eq!(span.start(), Start::Unknown, "{}", text),
        }
        match theirs.bounds().latest {
            Bound::Date(date) => prop_assert_eq!(Some(span.end().hi()), day_end(date), "{}", text),
            Bound::PositiveInfinity | Bound::Unknown | Bound::NegativeInfinity => prop_assert_eq!(span.end(), End::Open, "{}", text),
        }
        return Ok(());
    }
    match (parse_moment(text, &Zone::UTC), theirs) {
        (Ok(moment), Ok(theirs)) => {
            let (Bound::Date(earliest), Bound::Date(latest)) = (theirs.bounds().earliest, theirs.bounds().latest) else {
                return Err(TestCaseError::fail(format!("{text} has no bounds")));
            };
            prop_assert_eq!(Some(moment.lo()), midnight(earliest), "{}", text);
            let hi = day_end(latest).unwrap_or(Instant::MAX);
            prop_assert_eq!(moment.hi(), hi, "{}", text);
            for sign in ["~", "?", "%"] {
                let widened = parse_moment(&format!("{text}{sign}"), &Zone::UTC).unwrap();
                prop_assert!(widened.lo() <= moment.lo() && moment.hi() <= widened.hi(), "{}{}", text, sign);
                prop_assert!(Edtf::parse(&format!("{text}{sign}")).is_ok(), "{}{}", text, sign);
            }
        }
        (Err(TimeError::OutOfRange { .. }), Ok(theirs)) => {
            let far =
                matches!(theirs.bounds().latest, Bound::Date(date) if midnight(date).is_none()) || theirs.bounds().latest == Bound::Unknown;
            prop_assert!(far, "{}", text);
        }
        (Err(_), Err(_)) => {}
        // Wider than EDTF on purpose: after a Y, fewer than five digits and leading zeros; a time of day in a year below 0.
        (Ok(_), Err(_)) => {
            let wider = text.starts_with('Y') || text.starts_with('-') && text.contains('T');
            prop_assert!(wider, "{} is no EDTF", text);
        }
        (Err(error), Ok(_)) => return Err(TestCaseError::fail(format!("{text} is EDTF, but {error}"))),
    }
    Ok(())
}

/// The examples of the standard, so that the comparison does not rest on what a generator happens to write.
#[test]
fn the_examples_of_edtf_mean_what_edtf_says() {
    for text in [
        "1985-04-12",
        "1985-04",
        "1985",
        "1985-04-12T23:20:30",
        "1985-04-12T23:20:30Z",
        "1985-04-12T23:20:30-04",
        "1985-04-12T23:20:30+04:30",
        "1964/2008",
        "2004-06/2006-08",
        "2004-02-01/2005-02-08",
        "2004-02-01/2005-02",
        "2004-02-01/2005",
        "2005/2006-02",
        "Y170000002",
        "Y-170000002",
        "2001-21",
        "2001-22",
        "2001-23",
        "2001-24",
        "201X",
        "20XX",
        "2004-XX",
        "1985-04-XX",
        "1985-XX-XX",
        "1985-04-12/..",
        "1985-04/..",
        "1985/..",
        "../1985-04-12",
        "../1985-04",
        "../1985",
        "1985-04-12/",
        "1985-04/",
        "1985/",
        "/1985-04-12",
        "/1985-04",
        "/1985",
        "-1985",
        "-0044-03-15",
    ] {
        assert!(Edtf::parse(text).is_ok(), "{text}");
        compare_with_edtf(text).unwrap_or_else(|error| panic!("{error}"));
    }
}
