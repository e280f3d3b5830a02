//! What temporal expressions are read in running text, and what they come to mean: one table a topic, in both languages.
#![cfg(test)]

use erstwhile::time::expr::{Context, Conventions, DateOrder, Language, Prefer, Role, Value, find, parse_one};
use erstwhile::time::{Instant, Zone};

/// Thursday, 16 May 2024, ten in the morning.
fn said() -> Context {
    Context::new(Instant::parse("2024-05-16T10:00:00Z").unwrap(), Zone::UTC)
}

fn show(value: &Value) -> String {
    match value {
        Value::Moment(moment) => moment.to_string(),
        Value::Span(span) => span.to_string(),
        Value::Duration(duration) => format!("{}m{}d{}s", duration.months, duration.days, duration.micros / 1_000_000),
        Value::Set(set) => format!("every {} {:?}", set.interval, set.grain),
    }
}

/// Each expression of the text with its preferred value, as `words=value`.
fn read(text: &str, context: &Context) -> Vec<String> {
    find(text, context).iter().map(|mention| format!("{}={}", &text[mention.bytes.clone()], show(&mention.value))).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text, &said()), expected, "{text}");
}

#[test]
fn absolute_dates_are_read_in_their_orders() {
    check("She moved on 3 June 2019 to Lisbon.", &["3 June 2019=2019-06-03"]);
    check("She moved on June 3rd, 2019 to Lisbon.", &["June 3rd, 2019=2019-06-03"]);
    check("Signed 2019-06-03, paid 6/3/2019.", &["2019-06-03=2019-06-03", "6/3/2019=2019-06-03"]);
    check("The lease began 25/12/2018.", &["25/12/2018=2018-12-25"]);
    check("It opened in March 2015 and closed in 2018.", &["March 2015=2015-03", "2018=2018"]);
    check("Born on the twenty-first of April nineteen eighty four.", &["the twenty-first of April nineteen eighty four=1984-04-21"]);
    check("彼女は2019年6月3日に引っ越した。", &["2019年6月3日=2019-06-03"]);
    check("二〇一九年六月三日に契約した。", &["二〇一九年六月三日=2019-06-03"]);
    check("２０１９年６月３日（月）に契約。", &["２０１９年６月３日（月）=2019-06-03"]);
    let european = Context { date_order: DateOrder::DayMonth, ..said() };
    assert_eq!(read("Due 3/4/2025.", &european), ["3/4/2025=2025-04-03"]);
    assert_eq!(read("Due 3/4/2025.", &said()), ["3/4/2025=2025-03-04"]);
}

#[test]
fn wide_granules_are_read() {
    check("The band was big in the 1990s.", &["the 1990s=199X"]);
    check("A church of the 15th century.", &["the 15th century=14XX"]);
    check("Sales rose in Q2 2021.", &["Q2 2021=2021-Q2"]);
    check("They married in the summer of 2008.", &["the summer of 2008=2008-22"]);
    check("早くも2019年度は黒字だった。", &["2019年度=[2019-04-01T00:00:00Z, 2020-04-01T00:00:00Z)"]);
    check("1990年代の音楽と21世紀の音楽。", &["1990年代=199X", "21世紀=20XX"]);
    check("令和元年に開業、平成30年に着工。", &["令和元年=2019", "平成30年=2018"]);
    check("2021年の第3四半期に上場した。", &["2021年の第3四半期=2021-Q3"]);
}

#[test]
fn parts_of_granules_are_read() {
    check("It rained in early March 2023.", &["early March 2023=[2023-03-01T00:00:00Z, 2023-03-11T00:00:00Z)"]);
    check("We ship by the end of 2025.", &["by the end of 2025=/by 2025"]);
    check("2023年3月上旬に完成。", &["2023年3月上旬=[2023-03-01T00:00:00Z, 2023-03-11T00:00:00Z)"]);
    check("2023年3月下旬に完成。", &["2023年3月下旬=[2023-03-21T00:00:00Z, 2023-04-01T00:00:00Z)"]);
}

#[test]
fn relative_granules_are_seen_from_the_reference() {
    check("I met her yesterday and see her again tomorrow.", &["yesterday=2024-05-15", "tomorrow=2024-05-17"]);
    check("I saw it last week.", &["last week=2024-W19"]);
    check("I start the new job next month.", &["next month=2024-06"]);
    check("We moved here two years ago.", &["two years ago=2022"]);
    check("Come back in a fortnight.", &["in a fortnight=[2024-05-27T00:00:00Z, 2024-06-10T00:00:00Z)"]);
    check("It happened the day before yesterday.", &["the day before yesterday=2024-05-14"]);
    check("昨日会った。再来週また会う。", &["昨日=2024-05-15", "再来週=2024-W22"]);
    check("一昨日から雨だ。", &["一昨日から=2024-05-14/.."]);
    check("3日後に出発します。", &["3日後=2024-05-19"]);
    check("先月辞めました。", &["先月=2024-04"]);
}

#[test]
fn weekdays_follow_tense_and_convention() {
    check("We spoke on Monday.", &["Monday=2024-05-13"]);
    check("I will call on Monday.", &["Monday=2024-05-20"]);
    check("I ran a race last Saturday.", &["last Saturday=2024-05-11"]);
    check("The exam is next Tuesday.", &["next Tuesday=2024-05-21"]);
    check("来週の月曜日に行く。先週の金曜日は休んだ。", &["来週の月曜日=2024-05-20", "先週の金曜日=2024-05-10"]);
    let mention = find("We met last Tuesday.", &said()).remove(0);
    assert_eq!(show(&mention.value), "2024-05-14");
    assert_eq!(mention.alternatives.iter().map(show).collect::<Vec<_>>(), ["2024-05-07"]);
}

#[test]
fn times_of_day_are_read() {
    check("Dinner tomorrow at 7:30 pm.", &["tomorrow at 7:30 pm=2024-05-17T19:30Z"]);
    check("Call me tomorrow at noon.", &["tomorrow at noon=2024-05-17T12Z"]);
    check("明日の午後3時に会う。", &["明日の午後3時=2024-05-17T15Z"]);
    check("明日の朝八時半に出る。", &["明日の朝八時半=2024-05-17T08:30Z"]);
    check("The call is 3 June 2024 at 9 am PST.", &["3 June 2024 at 9 am PST=2024-06-03T17Z"]);
}

#[test]
fn durations_and_sets_are_no_moments() {
    check("He lived there for three years.", &["three years=36m0d0s"]);
    check("It took an hour and a half.", &["an hour and a half=0m0d5400s"]);
    check("I swim every Monday and read daily.", &["every Monday=every 1 Week", "daily=every 1 Day"]);
    check("3年間住んだ。毎週月曜日に泳ぐ。", &["3年間=36m0d0s", "毎週月曜日=every 1 Week"]);
    check("2週間ごとに集まる。", &["2週間ごとに=every 2 Week"]);
}

#[test]
fn ranges_and_open_stretches_are_spans() {
    check("I lived there from May 2015 to July 2018.", &["from May 2015 to July 2018=2015-05/2018-07"]);
    check("Open between June 3 and June 9, 2025.", &["between June 3 and June 9, 2025=2025-06-03/2025-06-09"]);
    check("She has worked here since 2014.", &["since 2014=2014/.."]);
    check("I stay until Friday.", &["until Friday=/2024-05-17"]);
    check("2015年5月から2018年7月まで住んだ。", &["2015年5月から2018年7月まで=2015-05/2018-07"]);
    check("2014年以降ここで働く。", &["2014年以降=2014/.."]);
    check("金曜日までに返す。", &["金曜日までに=/by 2024-05-17"]);
    let role = |text: &str| find(text, &said()).remove(0).role;
    assert_eq!(role("She has worked here since 2014."), Role::Since);
    assert_eq!(role("Pay by June 3, 2025."), Role::By);
    assert_eq!(role("It was built before 1900."), Role::Before);
}

#[test]
fn the_nth_and_holidays_are_computed() {
    check("They meet on the first Monday of June 2025.", &["the first Monday of June 2025=2025-06-02"]);
    check("Closed on Thanksgiving 2025.", &["Thanksgiving 2025=2025-11-27"]);
    check("He came at Easter 2019.", &["Easter 2019=2019-04-21"]);
    check("2025年6月の第2月曜日に集まる。", &["2025年6月の第2月曜日=2025-06-09"]);
    check("2025年の成人の日に会う。", &["2025年の成人の日=2025-01-13"]);
}

#[test]
fn what_was_spoken_of_before_is_the_anchor() {
    check("He left on 3 June 2019 and came back two days later.", &["3 June 2019=2019-06-03", "two days later=2019-06-05"]);
    check("We met in 2015 and married the following year.", &["2015=2015", "following year=2016"]);
    check("2015年に出会い、翌年結婚した。", &["2015年=2015", "翌年=2016"]);
}

#[test]
fn about_widens_a_moment() {
    let mention = find("It began around 1850.", &said()).remove(0);
    assert!(mention.approximate);
    assert_eq!(show(&mention.value), "[1849-01-01T00:00:00Z, 1852-01-01T00:00:00Z)");
}

#[test]
fn what_only_looks_like_time_is_left_alone() {
    for text in [
        "You may ask him.",
        "March on, he said, and wait a second.",
        "The Sunday Times reported it.",
        "Upgrade to version 1.85.0 or 2.10.3 first.",
        "That was the second one, at 16:9 and 1:1.",
        "I spent $2019 on 2000 pieces.",
        "Call 138-2010-2015 or write to item_2019_final.",
        "The first is best, the third is worse.",
        "Good morning, all!",
        "春日さんに今回も会った。",
        "十分に休んだ。",
    ] {
        check(text, &[]);
    }
}

#[test]
fn spans_are_characters_and_bytes() {
    let text = "«Zoë» は2019年に来た";
    let mention = find(text, &said()).remove(0);
    assert_eq!((mention.span.clone(), &text[mention.bytes.clone()]), (7..12, "2019年"));
    let chars: String = text.chars().skip(mention.span.start).take(mention.span.len()).collect();
    assert_eq!(chars, "2019年");
}

#[test]
fn a_whole_string_is_read_with_its_particles() {
    let one = |text: &str| parse_one(text, &said()).map(|mention| show(&mention.value));
    assert_eq!(one("on the 3rd of June 2019").as_deref(), Some("2019-06-03"));
    assert_eq!(one("2019年6月に").as_deref(), Some("2019-06"));
    assert_eq!(one("2019-06-03T10:00:00Z").as_deref(), Some("2019-06-03T10:00:00Z"));
    assert_eq!(one("201X").as_deref(), Some("201X"));
    assert_eq!(one("no time at all"), None);
    assert_eq!(one(""), None);
}

#[test]
fn the_preference_names_the_occurrence() {
    let one = |prefer| show(&parse_one("March 3", &said().preferring(prefer)).unwrap().value);
    assert_eq!(one(Prefer::Past), "2024-03-03");
    assert_eq!(one(Prefer::Future), "2025-03-03");
    assert_eq!(one(Prefer::Closest), "2024-03-03");
}

#[test]
fn a_context_of_one_language_reads_no_other() {
    let english = said().in_language(Language::English);
    assert_eq!(read("昨日 and yesterday", &english), ["yesterday=2024-05-15"]);
}

#[test]
fn conventions_are_fields_of_the_context() {
    let coming = Conventions { weekday_may_be_today: true, ..Conventions::CONVERSATION };
    let context = Context { conventions: coming, ..said().preferring(Prefer::Future) };
    assert_eq!(show(&parse_one("Thursday", &context).unwrap().value), "2024-05-16");
    assert_eq!(show(&parse_one("Thursday", &said().preferring(Prefer::Future)).unwrap().value), "2024-05-23");
}

#[test]
fn a_day_is_the_zones() {
    let zone = Zone::parse("Asia/Tokyo").unwrap();
    let late = Context::new(Instant::parse("2024-05-16T20:00:00Z").unwrap(), zone);
    let mention = parse_one("today", &late).unwrap();
    let Value::Moment(moment) = mention.value else { panic!("{mention:?}") };
    assert_eq!(moment.display_in(&zone).to_string(), "2024-05-17");
}
