//! Plans and tables: which day the lines beneath a date are of, and what a date heads no more.
#![cfg(test)]

use erstwhile::time::expr::{Context, Language, describe_in, find};
use erstwhile::time::{Instant, Zone};

/// Each expression of the text with its preferred value, as `words=value`, said on Thursday, 14 March 2024.
fn check(text: &str, expected: &[&str]) {
    let context = Context::new(Instant::parse("2024-03-14T10:00:00Z").unwrap(), Zone::UTC);
    let show = |value| describe_in(value, Language::English, &context.zone);
    let read: Vec<String> =
        find(text, &context).iter().map(|mention| format!("{}={}", &text[mention.bytes.clone()], show(&mention.value))).collect();
    assert_eq!(read, expected, "{text}");
}

#[test]
fn a_date_heads_the_times_beneath_it() {
    check(
        "#### May 12, 2024\n- **2:00 PM:** film\n- 4 PM - 5 PM: tea\n\nSee you at 7 PM.",
        &[
            "May 12, 2024=12 May 2024",
            "2:00 PM=2:00 pm on 12 May 2024",
            "4 PM - 5 PM=from 4 pm on 12 May 2024 to 5 pm on 12 May 2024",
            "7 PM=7 pm on 14 March 2024",
        ],
    );
    check("**Date:** 18 April 2024\n**Time:** 10:00 AM", &["18 April 2024=18 April 2024", "10:00 AM=10:00 am on 18 April 2024"]);
    check(
        "**Date and Time**: 18 April 2024, 9 AM\n1. Opening (9:15 AM)",
        &["18 April 2024, 9 AM=9 am on 18 April 2024", "9:15 AM=9:15 am on 18 April 2024"],
    );
    check("- **Tuesday:**\n  - Evening: rest", &["Tuesday=19 March 2024", "Evening=the evening of 19 March 2024"]);
}

#[test]
fn a_date_that_begins_a_line_is_that_of_the_line() {
    check(
        "- April 8: lunch at 1 PM\n- at 3 PM we rest",
        &["April 8=8 April 2024", "1 PM=1 pm on 8 April 2024", "3 PM=3 pm on 14 March 2024"],
    );
    check("| Mar 20 | 7:00 PM | tired |", &["Mar 20=20 March 2024", "7:00 PM=7:00 pm on 20 March 2024"]);
}

#[test]
fn a_heading_ends_what_is_not_above_it() {
    check(
        "### 11 May 2024\n#### 2 PM: film\n### Hints\n- Sleep by 9 PM",
        &["11 May 2024=11 May 2024", "2 PM=2 pm on 11 May 2024", "by 9 PM=before 9 pm on 14 March 2024"],
    );
    // Of two days that are named together neither is meant.
    check("**Saturday and Sunday:**\n- 11 AM: rest", &["Saturday=16 March 2024", "Sunday=17 March 2024", "11 AM=11 am on 14 March 2024"]);
}

#[test]
fn a_week_heads_the_weekdays_beneath_it() {
    check(
        "- **Week 2 (April 8 - April 14)**\n  - **Monday**: draft\n  - **Tuesday to Thursday**: rest\n  - Friday 9 AM: call",
        &[
            "April 8 - April 14=from 8 April 2024 to 14 April 2024",
            "Monday=8 April 2024",
            "Tuesday to Thursday=from 9 April 2024 to 11 April 2024",
            "Friday 9 AM=9 am on 12 April 2024",
        ],
    );
    check(
        "### Plan (Starting April 22, 2024)\n- **Monday:**\n  - 9 AM: write, plan next day",
        &["Starting April 22, 2024=since 22 April 2024", "Monday=22 April 2024", "9 AM=9 am on 22 April 2024", "next day=23 April 2024"],
    );
}

#[test]
fn a_weekday_beside_its_date_in_a_table_says_nothing_more() {
    check("| March 9, 2023 | Thu | ok |", &["March 9, 2023=9 March 2023"]);
    check("| Thu | 2023-03-09 | ok |", &["2023-03-09=9 March 2023"]);
    check("**May 6 (Next Day)**: rest", &["May 6=6 May 2024", "Next Day=6 May 2024"]);
}
