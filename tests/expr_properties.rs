//! What holds of reading any text: no panic, mentions in order and apart, characters and bytes that agree, and wordings that read back.
#![cfg(test)]

use erstwhile::time::expr::{
    Context, DayPart, Duration, Grain, Language, Prefer, Recurrence, Value, describe, describe_in, find, parse_one,
};
use erstwhile::time::{End, Instant, Moment, Season, Span, Start, Zone};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "next",
    "last",
    "the",
    "of",
    "two",
    "first",
    "Monday",
    "May",
    "week",
    "weeks",
    "before",
    "after",
    "from",
    "to",
    "in",
    "2019",
    "3",
    "12:30",
    "pm",
    "June",
    "between",
    "and",
    "every",
    "Christmas",
    "ago",
    "-",
    "/",
    ",",
    ".",
    "today",
    "at",
    "half",
    "past",
    "since",
    "end",
    "quarter",
    "'90s",
    "second",
    "来週",
    "の",
    "月曜日",
    "午後",
    "三",
    "時",
    "から",
    "まで",
    "前",
    "2020",
    "年",
    "月",
    "日",
    "間",
    "毎",
    "以降",
    "平成",
    "元",
    "半",
    "約",
    "ごろ",
    "年度",
    "末",
    "その",
    "後",
    "土日",
    "毎月",
    "第",
    "回",
    "さっき",
    "さん",
    "昭和",
    "年代",
    "98",
    "暮れ",
    "明け",
    "お盆",
    "夏休み",
    "末期",
    "深夜",
    "四半期",
    "に",
    "FY2023",
    "Q3",
    "century",
    "turn",
    "Mon-Fri",
    "Eve",
    "winter",
    "JST",
    "99999999999999999999",
];

fn said() -> Context {
    Context::new(Instant::parse("2024-05-16T10:00:00Z").unwrap(), Zone::UTC)
}

fn holds(text: &str, context: &Context) -> Result<(), TestCaseError> {
    let mut end = 0;
    for mention in find(text, context) {
        prop_assert!(mention.span.start >= end && mention.span.end > mention.span.start, "{text:?} {mention:?}");
        end = mention.span.end;
        let by_bytes = text.get(mention.bytes.clone());
        let by_chars: String = text.chars().skip(mention.span.start).take(mention.span.len()).collect();
        prop_assert_eq!(by_bytes, Some(by_chars.as_str()));
        prop_assert!(mention.alternatives.len() < 4 && !mention.alternatives.contains(&mention.value));
        for value in mention.candidates() {
            let words = describe_in(value, mention.language, &context.zone);
            let read = parse_one(&words, &context.in_language(mention.language)).map(|mention| mention.value);
            prop_assert_eq!(read, Some(*value), "{:?} of {:?} as {:?}", mention, text, words);
        }
    }
    let _read = parse_one(text, context);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_string_is_read_without_panic(text in any::<String>()) {
        holds(&text, &said())?;
    }

    #[test]
    fn any_row_of_words_is_read_without_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..24), glue in any::<bool>(), at in any::<i64>()) {
        let text = words.join(if glue { "" } else { " " });
        holds(&text, &said())?;
        for prefer in [Prefer::Past, Prefer::Closest] {
            holds(&text, &Context::new(Instant::from_micros(at), Zone::parse("Asia/Tokyo").unwrap()).preferring(prefer))?;
        }
    }

    #[test]
    fn a_described_value_reads_back(value in values(), zone in zones()) {
        let context = Context::new(Instant::from_micros(1_700_000_000_000_000), zone);
        for language in Language::ALL {
            let words = describe_in(&value, language, &zone);
            let read = parse_one(&words, &context.in_language(language)).map(|mention| mention.value);
            prop_assert_eq!(read, Some(value), "{}", words);
        }
    }
}

fn zones() -> impl Strategy<Value = Zone> {
    prop::sample::select(vec!["UTC", "Asia/Tokyo", "America/New_York"]).prop_map(|name| Zone::parse(name).unwrap())
}

fn moments() -> impl Strategy<Value = Moment> {
    let utc = Zone::UTC;
    prop_oneof![
        (1000..2999_i32).prop_map(move |year| Moment::year(year, &utc).unwrap()),
        (1000..2999_i32).prop_map(move |year| Moment::decade(year, &utc).unwrap()),
        (1000..2999_i32).prop_map(move |year| Moment::century(year, &utc).unwrap()),
        (1000..2999_i32, 1..=4_u32).prop_map(move |(year, quarter)| Moment::quarter(year, quarter, &utc).unwrap()),
        (1000..2999_i32).prop_map(move |year| Moment::season(year, Season::Summer, &utc).unwrap()),
        (1000..2999_i32, 1..=12_u32).prop_map(move |(year, month)| Moment::month(year, month, &utc).unwrap()),
        (1000..2999_i32, 1..=52_u32).prop_map(move |(year, week)| Moment::week(year, week, &utc).unwrap()),
        (1000..2999_i32, 1..=12_u32, 1..=28_u32).prop_map(move |(year, month, day)| Moment::day(year, month, day, &utc).unwrap()),
        (1000..2999_i32, 1..=12_u32, 1..=28_u32, 0..=23_u32)
            .prop_map(move |(year, month, day, hour)| Moment::hour(year, month, day, hour, &utc).unwrap()),
        (1000..2999_i32, 1..=12_u32, 0..=23_u32, 0..=59_u32)
            .prop_map(move |(year, month, hour, minute)| Moment::minute(year, month, 3, hour, minute, &utc).unwrap()),
        (-8_000_000_000_000_000_i64..30_000_000_000_000_000).prop_map(|at| Moment::exact(Instant::from_micros(at))),
    ]
}

fn sets() -> impl Strategy<Value = Recurrence> {
    let grains = [Grain::Minute, Grain::Hour, Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year];
    let parts = [DayPart::Morning, DayPart::Lunch, DayPart::Night];
    (
        (1..40_i64, prop::sample::select(grains.to_vec()), prop::collection::vec(1..=7_i8, 0..3), prop::option::of(1..=31_u32)),
        (
            prop::option::of(1..=12_u32),
            any::<bool>(),
            prop::option::of(prop::sample::select(parts.to_vec())),
            prop::option::of((0..24_u32, 0..60_u32)),
        ),
        (
            prop::collection::vec(prop::sample::select(vec![1_i8, 2, 3, 4, 5, -1]), 0..3),
            prop::option::of(1..9_u32),
            prop::option::of((0..24_u32, 0..60_u32)),
        ),
    )
        .prop_map(|((interval, grain, weekdays, day), (month, weekend, part, time), (nth, times, until))| Recurrence {
            weekdays: weekdays.into_iter().collect(),
            nth: nth.into_iter().collect(),
            times,
            day,
            month,
            weekend,
            part,
            time,
            until,
            ..Recurrence::every(interval, grain)
        })
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        moments().prop_map(Value::Moment),
        (0..40_i64, 0..400_i64, 0..100_000_000_000_i64).prop_map(|(months, days, micros)| Value::Duration(Duration {
            months,
            days,
            micros
        })),
        (moments(), moments())
            .prop_filter_map("an end before its start", |(from, to)| Span::new(Start::At(from), End::At(to)).ok().map(Value::Span)),
        moments().prop_map(|from| Value::Span(Span::new(Start::At(from), End::Open).unwrap())),
        moments().prop_map(|to| Value::Span(Span::new(Start::Unknown, End::At(to)).unwrap())),
        moments().prop_map(|to| Value::Span(Span::new(Start::Unknown, End::By(to.lo())).unwrap())),
        sets().prop_map(Value::Set),
    ]
}

#[test]
fn recurring_times_that_were_read_are_described_and_read_back() {
    for (language, texts) in [
        (
            Language::English,
            vec![
                "every day",
                "every Monday at 7:30 pm",
                "every 3 weeks",
                "every evening",
                "the 19th of every month",
                "every weekend",
                "the first and third Saturday of every month",
                "the last day of every month",
                "every weekday from 9 to 5",
                "every Monday, Wednesday and Friday",
                "four times a week",
                "every summer",
                "every year on 3 May",
            ],
        ),
        (Language::Japanese, vec!["毎日", "毎週月曜日午後7時30分", "3週間ごと", "毎晩", "毎月19日", "毎年"]),
    ] {
        for text in texts {
            let context = said().in_language(language);
            let value = parse_one(text, &context).unwrap_or_else(|| panic!("{text}")).value;
            let words = describe(&value, language);
            assert_eq!(parse_one(&words, &context).map(|mention| mention.value), Some(value), "{text} as {words}");
            assert!(!words.starts_with("R/"), "{text} as {words}");
        }
    }
}

#[test]
fn wordings_are_short() {
    let utc = Zone::UTC;
    let english = |value: Value| describe(&value, Language::English);
    let japanese = |value: Value| describe(&value, Language::Japanese);
    let month = |year, month| Moment::month(year, month, &utc).unwrap();
    assert_eq!(english(month(2019, 6).into()), "June 2019");
    assert_eq!(japanese(month(2019, 6).into()), "2019年6月");
    let span = Value::Span(Span::new(Start::At(month(2019, 6)), End::At(month(2020, 2))).unwrap());
    assert_eq!(english(span), "from June 2019 to February 2020");
    assert_eq!(japanese(span), "2019年6月から2020年2月まで");
    assert_eq!(english(Value::Duration(Duration { months: 38, days: 0, micros: 0 })), "3 years and 2 months");
    assert_eq!(english(Moment::minute(2019, 6, 3, 0, 5, &utc).unwrap().into()), "12:05 am on 3 June 2019");
    assert_eq!(english(Moment::decade(1990, &utc).unwrap().into()), "the 1990s");
}
