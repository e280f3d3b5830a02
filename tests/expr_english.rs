//! What English says of times beside plain dates, and what only looks like it: one table a topic, each value in words or in the formal
//! notation.
#![cfg(test)]

use erstwhile::time::expr::{Context, Grain, Language, Role, Value, describe_in, find, parse_one};
use erstwhile::time::{Instant, Zone};

/// Thursday, 14 March 2024, ten in the morning.
fn said() -> Context {
    Context::new(Instant::parse("2024-03-14T10:00:00Z").unwrap(), Zone::UTC)
}

/// Each expression of the text with its preferred value, as `words=value`.
fn read(text: &str, context: &Context) -> Vec<String> {
    let show = |value: &Value| describe_in(value, Language::English, &context.zone);
    find(text, context).iter().map(|mention| format!("{}={}", &text[mention.bytes.clone()], show(&mention.value))).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text, &said()), expected, "{text}");
}

fn leaves(texts: &[&str]) {
    for text in texts {
        check(text, &[]);
    }
}

#[test]
fn ages_and_degrees_are_no_decades() {
    leaves(&["He is in his forties and she in her late fifties.", "My thirties were kind to me.", "Highs reached the 90s by then."]);
    check("The seventies were loud.", &["The seventies=the 1970s"]);
    check("Fashion of the early 80s was bold.", &["early 80s=the early 1980s"]);
}

#[test]
fn counts_are_no_times_of_day() {
    leaves(&["Carry 3 to 5 bags up.", "We hired 5 to 10 cooks.", "Ten to twenty guests came.", "The index dropped from 9 to 5."]);
    check("It is ten to six.", &["ten to six=5:50 pm on 14 March 2024"]);
    check("Call me at 10 to 7.", &["10 to 7=6:50 pm on 14 March 2024"]);
    check("It rang at five to midnight on 9 March.", &["five to midnight on 9 March=11:55 pm on 9 March 2024"]);
    check("The ferry left at 06:45 on 2 March.", &["06:45 on 2 March=6:45 am on 2 March 2024"]);
}

#[test]
fn bare_hours_are_a_range_where_they_fall_or_something_is_open() {
    check("Our office works 8 to 4.", &["8 to 4=from 8 am on 14 March 2024 to 4 pm on 14 March 2024"]);
    check("I answer mail from 9 to 5.", &["from 9 to 5=from 9 am on 14 March 2024 to 5 pm on 14 March 2024"]);
    check("The clinic is open from 8 to 12.", &["from 8 to 12=from 8 am on 14 March 2024 to 12 pm on 14 March 2024"]);
    check("She teaches tomorrow from 2 to 4pm.", &["tomorrow from 2 to 4pm=from 2 pm on 15 March 2024 to 4 pm on 15 March 2024"]);
    leaves(&["Pick a number from 1 to 10.", "They won 9 to 5.", "A 9-5 record is poor."]);
}

#[test]
fn the_nth_of_every_month_is_a_set() {
    check("Standup is on the first Monday of every month.", &["the first Monday of every month=the 1st Monday of every month"]);
    check("Bins go out every second Wednesday of the month.", &["every second Wednesday of the month=the 2nd Wednesday of every month"]);
    check(
        "The market is on the first and third Saturday of each month.",
        &["the first and third Saturday of each month=the 1st and 3rd Saturday of every month"],
    );
    check("Rent is due the last Friday of every month.", &["the last Friday of every month=the last Friday of every month"]);
    check("I am paid on the last day of every month.", &["the last day of every month=the last day of every month"]);
    check("We meet on the last Friday of March 2024.", &["the last Friday of March 2024=29 March 2024"]);
}

#[test]
fn sets_have_days_times_and_counts() {
    check("We jog on Mondays and Thursdays at 7 am.", &["Mondays and Thursdays at 7 am=every Monday and Thursday at 7:00 am"]);
    check("We rehearse every Tuesday and Friday.", &["every Tuesday and Friday=every Tuesday and Friday"]);
    check("My alarm rings on weekdays at 6:30 am.", &["weekdays at 6:30 am=every weekday at 6:30 am"]);
    check("She walks in every weekday.", &["every weekday=every weekday"]);
    check("The gym is open every day from 6am to 10pm.", &["every day from 6am to 10pm=every day from 6:00 am to 10:00 pm"]);
    check("She swims four times a week, naps twice a day.", &["four times a week=4 times every week", "twice a day=2 times every day"]);
    check("The board meets every year on 3 May.", &["every year on 3 May=every year on 3 May"]);
    check("Each year in June we sail.", &["Each year in June=every June"]);
    check("We camp every summer and fast every Christmas.", &["every summer=every summer", "every Christmas=every year on 25 December"]);
    check(
        "Call every other Tuesday, and on alternate Fridays.",
        &["every other Tuesday=every other Tuesday", "alternate Fridays=every other Friday"],
    );
    check("Water it every third day.", &["every third day=every 3 days"]);
}

#[test]
fn what_was_told_before_is_the_anchor() {
    check("In April 2012 we moved. The next year we sold the car.", &["April 2012=April 2012", "next year=2013"]);
    check("In 1988 he sold it. Four years earlier he had built it.", &["1988=1988", "Four years earlier=1984"]);
    check("In 2003 it opened. Ten years on, it closed.", &["2003=2003", "Ten years on=2013"]);
    check("They met on 2 May 2020 and parted six days after that.", &["2 May 2020=2 May 2020", "six days after that=8 May 2020"]);
    check("I came in 2011. The year before, I had been ill.", &["2011=2011", "The year before=2010"]);
    check("He called at 9 am. Three hours later he came.", &["9 am=9 am on 14 March 2024", "Three hours later=12:00 pm on 14 March 2024"]);
    check("We came in May 2010 and left that November.", &["May 2010=May 2010", "that November=November 2010"]);
    check("We met on 5 May 2020. The next morning I left.", &["5 May 2020=5 May 2020", "next morning=the morning of 6 May 2020"]);
    check("The next month will be hard.", &["next month=April 2024"]);
}

#[test]
fn a_month_or_day_is_of_the_year_that_its_sentence_told() {
    check("We landed in March 2019, and in November we left.", &["March 2019=March 2019", "November=November 2019"]);
    check("She was born on 2 July 1990 and he on the 9th.", &["2 July 1990=2 July 1990", "the 9th=9 July 1990"]);
    check("It began in October 2015 and ended in February.", &["October 2015=October 2015", "February=February 2016"]);
    // What is to come is not of a past year, and another sentence has its own.
    check("I was hired in May 2019 and in August I will retire.", &["May 2019=May 2019", "August=August 2024"]);
    check("I was hired in May 2019. We meet in April.", &["May 2019=May 2019", "April=April 2024"]);
}

#[test]
fn formal_notations_are_read_in_prose() {
    check("We ship in 2025-W10.", &["2025-W10=week 10 of 2025"]);
    check("Due 2020-W53-5 at the latest.", &["2020-W53-5=1 January 2021"]);
    check("The warranty is P1Y6M.", &["P1Y6M=1 year and 6 months"]);
    check("Valid 1985/.. as stated.", &["1985/..=since 1985"]);
    check("Sometime in 198X.", &["198X=the 1980s"]);
}

#[test]
fn eras_are_counted_from_either_side() {
    let years = |text: &str| {
        let Value::Moment(moment) = parse_one(text, &said()).unwrap().value else { panic!("{text}") };
        (moment.lo().to_string(), moment.hi().to_string())
    };
    let span = |from: &str, to: &str| (format!("{from}-01-01T00:00:00Z"), format!("{to}-01-01T00:00:00Z"));
    assert_eq!(years("the first century BC"), span("-0099", "0001"));
    assert_eq!(years("the fourth century BC"), span("-0399", "-0299"));
    assert_eq!(years("in AD 122"), span("0122", "0123"));
    leaves(&["The second ad 79 people saw."]);
}

#[test]
fn a_night_goes_on_after_midnight() {
    check("Lights out at midnight tonight.", &["midnight tonight=12 am on 15 March 2024"]);
    check("The bar closes at 2 am tonight.", &["2 am tonight=2 am on 15 March 2024"]);
    check("It ends at 24:00 on 5 May 2024.", &["24:00 on 5 May 2024=12:00 am on 6 May 2024"]);
}

#[test]
fn a_year_before_a_noun_names_it() {
    check("The 2011 earthquake was strong.", &["2011=2011"]);
    check("My 2018 laptop is slow.", &["2018=2018"]);
    check("A 2020 study found it.", &["2020=2020"]);
    leaves(&[
        "The 2000 copies were sold.",
        "Some 2015 units were left.",
        "Over 2000 of them came.",
        "I took about 2000 steps.",
        "Room 2019 is upstairs.",
        "Flat 1984 is empty.",
        "It cost EUR 2010.",
        "After 2000 votes it was clear.",
    ]);
}

#[test]
fn zones_are_what_their_clocks_read() {
    check("We talk at 3pm ET on 10 July 2024.", &["3pm ET on 10 July 2024=7 pm on 10 July 2024"]);
    check("We talk at 3pm ET on 10 January 2024.", &["3pm ET on 10 January 2024=8 pm on 10 January 2024"]);
    check("We start at 9am Tokyo time on 3 June 2024.", &["9am Tokyo time on 3 June 2024=12 am on 3 June 2024"]);
    check("Start 2 May 2024 10:00 UTC-03:30.", &["2 May 2024 10:00 UTC-03:30=1:30 pm on 2 May 2024"]);
    // The hour that clocks there read twice: which of the two was said.
    let zone = Zone::parse("America/New_York").unwrap();
    let there = Context::new(Instant::parse("2024-03-14T10:00:00Z").unwrap(), zone);
    let at = |text: &str| {
        let Value::Moment(moment) = parse_one(text, &there).unwrap().value else { panic!("{text}") };
        moment.lo().to_string()
    };
    assert_eq!(at("3 November 2024 at 1:30 am EST"), "2024-11-03T06:30:00Z");
    assert_eq!(at("3 November 2024 at 1:30 am EDT"), "2024-11-03T05:30:00Z");
}

#[test]
fn names_of_persons_are_no_months() {
    leaves(&[
        "I met June at the station.",
        "April told me a joke.",
        "August Vogel painted it.",
        "Jan paints boats.",
        "My cousin April is late.",
        "April is my boss.",
    ]);
    check("April was rainy.", &["April=April 2023"]);
    check("In June Google released it.", &["June=June 2024"]);
    check("In May he may march.", &["May=May 2024"]);
    check("April and May were hot.", &["April=April 2023", "May=May 2023"]);
    check("I moved on Sat. and rest on Sun.", &["Sat.=9 March 2024", "Sun.=17 March 2024"]);
    check("Read the Dec report.", &["Dec=December 2023"]);
}

#[test]
fn numbers_titles_and_verses_are_left_alone() {
    leaves(&[
        "Install release 2024.1.3 of it.",
        "Then 12/4=3 follows.",
        "See Romans 8:28 for this.",
        "Dilute it, the ratio is 1:20.",
        "The score was 12:10 in the third set.",
        "The Night Garden is a book.",
        "We sat in the sun.",
        "My dec is broken.",
        "That spring broke.",
        "Please excuse what that may cause.",
    ]);
    check("She turned 21 in March.", &["March=March 2024"]);
    check("He is 30 in June.", &["June=June 2024"]);
    check("Wait in line two tomorrow.", &["tomorrow=15 March 2024"]);
}

#[test]
fn less_than_a_unit_is_said_in_a_finer_one() {
    check("Half a year ago I quit.", &["Half a year ago=September 2023"]);
    check("It was a year and a half ago.", &["a year and a half ago=September 2022"]);
}

#[test]
fn ranges_end_where_they_say() {
    check("I lived in Oslo 2010-15.", &["2010-15=from 2010 to 2015"]);
    check("It ran from 1999 to present.", &["from 1999 to present=from 1999 to 14 March 2024"]);
    check("The band (2019-present) tours.", &["2019-present=from 2019 to 14 March 2024"]);
    check("He led it since 2001 until 2005.", &["since 2001 until 2005=from 2001 to 2005"]);
    check("We are away from the 20th to the 27th.", &["from the 20th to the 27th=from 20 March 2024 to 27 March 2024"]);
    check("From tomorrow I rest.", &["From tomorrow=since 15 March 2024"]);
    check("It was the first half of June 2020.", &["first half of June 2020=the first half of June 2020"]);
}

#[test]
fn weeks_are_counted_from_days() {
    check("See you a week on Monday.", &["a week on Monday=25 March 2024"]);
    check("See you Monday week.", &["Monday week=25 March 2024"]);
    check("See you tomorrow week.", &["tomorrow week=22 March 2024"]);
    check("It was three years before 2010.", &["three years before 2010=2007"]);
    check("He left day before Thanksgiving 2023.", &["day before Thanksgiving 2023=22 November 2023"]);
    check("We went there two summers ago.", &["two summers ago=summer 2022"]);
    check("Land at 1800 hours tomorrow.", &["1800 hours tomorrow=6:00 pm on 15 March 2024"]);
}

#[test]
fn seasons_are_units_of_the_year_and_not_of_sports() {
    check("I am away this season.", &["this season=spring 2024"]);
    leaves(&["The team did well this season.", "I watched the last season of it.", "Who won at basketball? Last season we did."]);
}

#[test]
fn approximations_and_parts_have_words() {
    check("It began around 1985.", &["around 1985=around 1985"]);
    check("He came in early June 2021.", &["early June 2021=early June 2021"]);
    check("We met yesterday morning.", &["yesterday morning=the morning of 13 March 2024"]);
    check("She worked there since about 1990.", &["since about 1990=since around 1990"]);
    check("It ships before 2026.", &["before 2026=before 2026"]);
    check("Nothing worked after 2018.", &["after 2018=after 2018"]);
    assert_eq!(find("Pay by Friday.", &said()).remove(0).role, Role::By);
}

#[test]
fn a_full_stop_ends_the_sentence_and_no_whole_word() {
    check("I have been here since last May.", &["since last May=since May 2023"]);
    check("I love June.", &["June=June 2024"]);
    check("I came in Oct. 2019.", &["Oct. 2019=October 2019"]);
}

#[test]
fn what_is_invisible_hides_no_word() {
    check("We leave to\u{ad}morrow.", &["to\u{ad}morrow=15 March 2024"]);
}

#[test]
fn holidays_of_other_years_fall_by_the_law_of_those() {
    check("It was the early May bank holiday 2020.", &["early May bank holiday 2020=8 May 2020"]);
    check("It was Spring bank holiday 2022.", &["Spring bank holiday 2022=2 June 2022"]);
}

#[test]
fn what_is_called_after_a_day_is_no_day() {
    leaves(&[
        "We finished The Friday Supper Circle.",
        "The Winter Garden is a novel.",
        "I joined the Sunday Cycling Collective.",
        "They sang \"In Summer\" twice.",
        "She works at the Quiet Now Foundation.",
        "We plan with Monday.com.",
    ]);
    check("The Monday meeting ran long.", &["Monday=11 March 2024"]);
    check("The Saturday Morning walk is on.", &["Saturday Morning=the morning of 16 March 2024"]);
}

#[test]
fn shares_are_no_dates() {
    leaves(&[
        "Energy level: 3/5",
        "I rated it 4/5.",
        "The chance of a six is 1/6.",
        "It is 1:4 or 1/4 of them.",
        "So height = 3 * 20 / 5 here.",
        "Not red (11/12)",
    ]);
    check("Lunch on 4/5 suits me.", &["4/5=5 April 2024"]);
    check("We meet on 4/2, 4/9 or 4/12.", &["4/2=2 April 2024", "4/9=9 April 2024", "4/12=12 April 2024"]);
    check("- 4/5: dentist", &["4/5=5 April 2024"]);
    check("Party 3/25 at ours.", &["3/25=25 March 2024"]);
}

#[test]
fn a_weekday_that_does_not_agree_gives_way_to_the_date() {
    // 9 April 2024 is a Tuesday; the next year in which it is a Friday is 2027.
    check("Join us on Friday, April 9, at 10 AM.", &["Friday, April 9, at 10 AM=10 am on 9 April 2024"]);
    check("Join us on Tuesday, April 9.", &["Tuesday, April 9=9 April 2024"]);
    check("April 9 (Sunday): rest.", &["April 9 (Sunday)=9 April 2024"]);
    // A year that is named keeps its date whatever the weekday.
    check("It was Friday, April 9, 2024.", &["Friday, April 9, 2024=9 April 2024"]);
}

#[test]
fn the_month_or_season_that_has_begun_comes_first() {
    check("The trip is for March, we have got no dates yet.", &["March=March 2024"]);
    check("I started a scarf in spring.", &["spring=spring 2024"]);
    check("We drew plans for Q1.", &["Q1=Q1 2024"]);
    assert!(!find("We met in March.", &said()).remove(0).alternatives.is_empty());
    leaves(&["I read on winter evenings.", "It rains during the summer months.", "I like the town's winter climate."]);
}

#[test]
fn the_nearer_date_comes_first_where_no_verb_tells() {
    check("Her advice on March 12 about free will still helps.", &["March 12=12 March 2024"]);
    check("Since you plan to discuss what came up on March 1, be ready.", &["March 1=1 March 2024"]);
    check("The talk is held on April Fool's Day.", &["April Fool's Day=1 April 2024"]);
    check("Did you look at what she had for March 20?", &["March 20=20 March 2024"]);
    check("Had you time to look at our days from March 20 to 22?", &["from March 20 to 22=from 20 March 2024 to 22 March 2024"]);
    check("I met him on June 20.", &["June 20=20 June 2023"]);
    // Far off, people plan ahead.
    check("- October: hand it in", &["October=October 2024"]);
    check("We will meet on March 1.", &["March 1=1 March 2025"]);
}

#[test]
fn lengths_of_an_agenda_are_no_stretches_of_time() {
    check("- Last 45 minutes: feedback", &["Last 45 minutes=45 minutes"]);
    check("1. **Next 20 minutes:** demo", &["Next 20 minutes=20 minutes"]);
    check("First 10 minutes: coffee", &["10 minutes=10 minutes"]);
    check("In the last 45 minutes I slept.", &["last 45 minutes=2024-03-14T09:15:00Z/2024-03-14T10:00:00Z"]);
    check("Last 30 days: three alerts", &["Last 30 days=the 30 days from 13 February 2024"]);
}

#[test]
fn parts_of_days_in_the_plural_are_sets() {
    check("I think best in the mornings.", &["in the mornings=every morning"]);
    check("She paints evenings.", &["evenings=every evening"]);
    check("We train on Tuesday and Thursday evenings.", &["Tuesday and Thursday evenings=every Tuesday and Thursday evening"]);
    check("Stretch at 3 PM daily.", &["3 PM daily=every day at 3:00 pm"]);
    leaves(&["Such mornings are rare.", "I do it in everyday life.", "I have three office workdays per week."]);
}

#[test]
fn units_in_the_plural_are_some_of_them() {
    check("I travel in the coming weeks.", &["coming weeks=the 21 days from 15 March 2024"]);
    check("The past months were hard.", &["past months=the 3 months from 14 December 2023"]);
    check("Last years party was fun.", &["Last years=2023"]);
}

#[test]
fn an_amount_is_no_deadline() {
    check("The tool cut it by 15 days.", &["15 days=15 days"]);
    check("We are done by 15 April.", &["by 15 April=before 16 April 2024"]);
    check("You have 22 days from May 2 to May 24.", &["22 days=22 days", "from May 2 to May 24=from 2 May 2024 to 24 May 2024"]);
    check("It won a prize within three months.", &["within three months=3 months"]);
    check("Finish within two weeks.", &["within two weeks=the 14 days from 14 March 2024"]);
    check("Talks that last about 2 hours are long.", &["about 2 hours=2 hours"]);
    check("Work in 2-hour blocks.", &["2-hour=2 hours"]);
    leaves(&["Choose another day for it.", "The ball was thrown by the boy."]);
}

#[test]
fn what_is_moved_has_two_dates_and_no_stretch() {
    check("I moved the call from April 4 to April 6.", &["April 4=4 April 2024", "April 6=6 April 2024"]);
    check("I booked a table for April 4.", &["April 4=4 April 2024"]);
    check("I am away from April 4 to April 6.", &["from April 4 to April 6=from 4 April 2024 to 6 April 2024"]);
    check("I like the 7 PM class.", &["7 PM=7 pm on 14 March 2024"]);
}

#[test]
fn a_weekend_of_some_kind_is_no_date() {
    leaves(&["I want to host a board game weekend.", "It became a reading weekend.", "Our family film weekend was a success."]);
    check("See you on the weekend.", &["the weekend=the weekend of 16 March 2024"]);
}

#[test]
fn code_tells_no_time() {
    leaves(&["if (now - before > 5)", "Reach out to Dawn.", "Do it on the morning of your race.", "Count until the 23rd guest."]);
    leaves(&["x = datetime.date.today().month", "const now = clock.read()", "node: ['18'.x]", "\"Now, let us begin.\""]);
}

#[test]
fn more_formal_notations_are_read_in_prose() {
    check("It opened on 2023-060.", &["2023-060=1 March 2023"]);
    check("See case 2023-060.", &[]);
    check("It dates from 2004-06-XX.", &["2004-06-XX=June 2004"]);
    check("Built 2004-XX-XX.", &["2004-XX-XX=2004"]);
    check("Made in 1950~.", &["1950~=around 1950"]);
    check("Sometime in 19XX.", &["19XX=the 20th century"]);
    check("It ran 2004-06/2006-08.", &["2004-06/2006-08=from June 2004 to August 2006"]);
    check("FY2022 was poor and fiscal 2023 good.", &["FY2022=2022", "fiscal 2023=2023"]);
}

#[test]
fn hours_after_a_run_of_weekdays_are_of_each_of_them() {
    check("The shop is open Mon-Fri 9-5.", &["Mon-Fri 9-5=every weekday from 9:00 am to 5:00 pm"]);
    check("Desk staffed Tue-Thu, 9:30-17:00", &["Tue-Thu, 9:30-17:00=every Tuesday, Wednesday and Thursday from 9:30 am to 5:00 pm"]);
    check(
        "Monday to Saturday 10 to 18:30",
        &["Monday to Saturday 10 to 18:30=every Monday, Tuesday, Wednesday, Thursday, Friday and Saturday from 10:00 am to 6:30 pm"],
    );
    check("We hike Mon-Fri 13-17 May", &["Mon-Fri=from 11 March 2024 to 15 March 2024", "13-17 May=from 13 May 2024 to 17 May 2024"]);
}

#[test]
fn a_bare_quarter_has_been_or_is_under_way_unless_it_is_to_come() {
    check("Turnover of the fourth quarter", &["fourth quarter=Q4 2023"]);
    check("Figures for Q1", &["Q1=Q1 2024"]);
    check("We will open a depot in the second quarter.", &["second quarter=Q2 2024"]);
}

#[test]
fn a_quarter_may_be_of_a_fiscal_year() {
    for text in ["Q2 FY2022", "FY2022 Q2", "Q2 of fiscal 2022", "second quarter of FY22"] {
        check(text, &[&format!("{text}=Q2 2022")]);
    }
}

#[test]
fn an_hour_of_an_eve_is_in_its_evening() {
    check("The gala is on New Year's Eve at 8.", &["New Year's Eve at 8=8 pm on 31 December 2024"]);
    check("We meet on Christmas Eve at 6.", &["Christmas Eve at 6=6 pm on 24 December 2024"]);
    check("Fireworks on New Year's Eve at 12", &["New Year's Eve at 12=12 am on 1 January 2025"]);
    check("We meet on Christmas at 8.", &["Christmas at 8=8 am on 25 December 2024"]);
    check("It ends on New Year's Eve at 11 am.", &["New Year's Eve at 11 am=11 am on 31 December 2024"]);
}

#[test]
fn a_week_from_a_weekday_takes_a_time() {
    check("The hearing is Tuesday week at noon.", &["Tuesday week at noon=12 pm on 26 March 2024"]);
    check("Dinner is tomorrow week at 7 pm.", &["tomorrow week at 7 pm=7 pm on 22 March 2024"]);
}

#[test]
fn an_event_named_with_its_day_is_counted_from() {
    check("He resigned two days before the vote on 9 June 2018.", &["two days before the vote on 9 June 2018=7 June 2018"]);
    check("A month after our move of May 2, 2020 we left.", &["A month after our move of May 2, 2020=2 June 2020"]);
    check("two days before my exam on Friday", &["two days=2 days", "Friday=15 March 2024"]);
}

#[test]
fn all_the_days_before_a_day_are_a_stretch() {
    check("It rained the three days before 8 March 2020.", &["the three days before 8 March 2020=the 3 days from 5 March 2020"]);
    check("The ten days from 3 May 2019 were dry.", &["The ten days from 3 May 2019=the 10 days from 3 May 2019"]);
    check("It rained three days before 8 March 2020.", &["three days before 8 March 2020=5 March 2020"]);
}

#[test]
fn a_century_turns_about_its_first_year() {
    check("It was built around the turn of the century.", &["around the turn of the century=around 2000"]);
    check("At the turn of the 19th century it burnt.", &["the turn of the 19th century=around 1800"]);
    check("Since the turn of the millennium", &["Since the turn of the millennium=since around 2000"]);
    leaves(&["It is your turn of the wheel."]);
}

#[test]
fn a_day_of_a_year_beyond_all_is_not_of_this_one() {
    leaves(&["It expires December 31, 9999.", "the day after 31 December 9999", "valid until 1 January 4000"]);
    check("On May 3, 5000 people came.", &["May 3=3 May 2023"]);
}

#[test]
fn what_is_next_to_a_day_that_nobody_named_is_not_to_come_where_it_has_been() {
    leaves(&["The next day he quit.", "The following week she moved out.", "Two days later they left."]);
    check("In May 2021 he fell ill. The next day he quit.", &["May 2021=May 2021"]);
    check("On 4 May 2021 he fell ill; the next day he quit.", &["4 May 2021=4 May 2021", "the next day=5 May 2021"]);
}

#[test]
fn what_begins_again_from_a_time_is_so_since() {
    check("Employed again from January 2020.", &["from January 2020=since January 2020"]);
    check("The pass is valid from 3 May 2025.", &["from 3 May 2025=since 3 May 2025"]);
    check("The photo from January 2020 is blurred.", &["January 2020=January 2020"]);
}

#[test]
fn a_long_row_of_numbers_has_no_date_in_it() {
    leaves(&["1/2/3/4/5/6/7/8/9/10/11/12", "10.0.3.4.5.6.7.8", "1:2:3:4:5:6:07:08"]);
    check("Signed 3/4/2021/ paid 5/6/2021", &["3/4/2021=4 March 2021", "5/6/2021=6 May 2021"]);
}

#[test]
fn a_week_at_the_turn_of_a_year_is_of_the_year_with_its_thursday() {
    check("Sprint of 2023-W52", &["2023-W52=week 52 of 2023"]);
    check("week 1 of 2020", &["week 1 of 2020=week 1 of 2020"]);
    check("2020-W53", &["2020-W53=week 53 of 2020"]);
}

#[test]
fn every_nought_days_is_never() {
    leaves(&["It runs every 0 days."]);
}

#[test]
fn the_grain_of_a_part_is_that_of_its_ends() {
    let grain = |text: &str| find(text, &said()).first().map(|mention| mention.grain);
    assert_eq!(grain("the late eighties"), Some(Grain::Year));
    assert_eq!(grain("mid-2018"), Some(Grain::Month));
    assert_eq!(grain("early 18th century"), Some(Grain::Decade));
    assert_eq!(grain("early March 2019"), Some(Grain::Week));
}

#[test]
fn ordinary_wordings_come_before_the_formal_notation() {
    check("last winter", &["last winter=winter 2023/24"]);
    check("every other morning", &["every other morning=every other morning"]);
    check("It ran until mid-2018.", &["until mid-2018=until mid-2018"]);
    check("the late eighties", &["late eighties=the late 1980s"]);
    check("the first half of May 2021", &["first half of May 2021=the first half of May 2021"]);
    check("Kwanzaa 2019", &["Kwanzaa 2019=Kwanzaa 2019"]);
}

#[test]
fn hours_before_their_days_are_of_each_of_them() {
    check("We open 9am to 5pm on weekdays.", &["9am to 5pm on weekdays=every weekday from 9:00 am to 5:00 pm"]);
    check("Desk hours: 10-18 Tue-Sat", &["10-18 Tue-Sat=every Tuesday, Wednesday, Thursday, Friday and Saturday from 10:00 am to 6:00 pm"]);
    check("Brunch noon to 3 on Sundays", &["noon to 3 on Sundays=every Sunday from 12:00 pm to 3:00 pm"]);
    check("Take 1 to 2 daily.", &["daily=every day"]);
    check("Open from 11 to 7 daily.", &["from 11 to 7 daily=every day from 11:00 am to 7:00 pm"]);
}

#[test]
fn a_night_between_two_days_is_that_of_the_first() {
    check("the night of 3 to 4 August 2021", &["the night of 3 to 4 August 2021=the night of 3 August 2021"]);
    check("the night of 31 May to 1 June 2021", &["the night of 31 May to 1 June 2021=the night of 31 May 2021"]);
}

#[test]
fn so_long_before_a_month_to_come_is_the_same_month() {
    check("We married six years ago this April.", &["six years ago this April=April 2018"]);
}

#[test]
fn an_hour_or_so_is_an_hour_where_something_says_so() {
    check("Drop in at 4ish.", &["4ish=around 4 pm on 14 March 2024"]);
    leaves(&["A crowd of 4ish people."]);
}

#[test]
fn figures_without_an_order_have_all_their_readings() {
    let mention = find("5/6/07", &said()).remove(0);
    let words: Vec<String> = std::iter::once(&mention.value)
        .chain(&mention.alternatives)
        .map(|value| describe_in(value, Language::English, &Zone::UTC))
        .collect();
    assert_eq!(words, ["6 May 2007", "5 June 2007", "7 June 2005"]);
}

#[test]
fn what_a_day_does_and_what_never_closes_is_no_time() {
    leaves(&["Tomorrow never sleeps", "Yesterday always lingers.", "It is a 24-hour garage.", "She drove in the 24 Hours of Spa."]);
    check("a 24-hour delay", &["24-hour=24 hours"]);
}

#[test]
fn what_has_no_name_has_words_that_read_back() {
    check("the other day", &["the other day=some time between 7 March 2024 and 13 March 2024"]);
    check("Done by the end of next quarter", &["by the end of next quarter=before July 2024"]);
    check("the end of next quarter", &["end of next quarter=late Q2 2024"]);
    check("It runs until the end of May.", &["until the end of May=until the end of May 2024"]);
}
