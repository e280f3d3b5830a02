//! `when`: what is underlined, what it is said to mean, and what programs get.

use crate::harness::Dir;
use serde_json::json;

const SAID: [&str; 2] = ["--ref", "2024-05-16T10:00:00Z"];

#[test]
fn what_was_read_is_underlined_and_told() {
    let ran = Dir::new().run(&["when", "We met last Tuesday and moved in 2019.", SAID[0], SAID[1]]).ok();
    ran.says(&["We met last Tuesday and moved in 2019.", "       ╰───────────              ╰───", "14 May 2024", "2019"]);
}

#[test]
fn wide_characters_are_underlined_in_full_and_other_readings_are_named() {
    let ran = Dir::new().run(&["when", "3/4に会う、\n去年は夏", SAID[0], SAID[1]]).ok();
    ran.says(&["╰──\n", "╰───", "2025年3月4日", "or 2024年3月4日", "2023年"]);
}

#[test]
fn programs_get_places_values_and_words() {
    let answer = Dir::new().json(&["when", "é: every Monday at 9, for two weeks, since 2014", SAID[0], SAID[1]]);
    assert_eq!((&answer["schema"], &answer["command"]), (&json!(1), &json!("when")));
    assert_eq!(answer["reference"], "2024-05-16T10:00:00Z");
    let mentions = answer["mentions"].as_array().unwrap();
    let texts: Vec<_> = mentions.iter().map(|mention| (mention["text"].as_str().unwrap(), mention["start"].as_u64().unwrap())).collect();
    assert_eq!(texts, [("every Monday at 9", 3), ("two weeks", 26), ("since 2014", 37)]);
    assert_eq!(mentions[0]["value"]["kind"], "set");
    assert_eq!((&mentions[0]["value"]["weekdays"], &mentions[0]["value"]["time"]), (&json!([1]), &json!("09:00")));
    assert_eq!((&mentions[1]["role"], &mentions[1]["value"]["days"]), (&json!("for"), &json!(14)));
    assert_eq!(mentions[2]["value"]["from"]["lo"], "2014-01-01T00:00:00Z");
    assert_eq!(mentions[2]["value"]["to"]["kind"], "open");
}

#[test]
fn the_zone_and_the_language_are_taken_from_the_flags() {
    let dir = Dir::new();
    let tokyo = dir.json(&["when", "today", "--ref", "2024-05-16T20:00:00Z", "--zone", "Asia/Tokyo"]);
    assert_eq!(tokyo["mentions"][0]["value"]["lo"], "2024-05-16T15:00:00Z");
    let japanese = dir.json(&["when", "today, 今日", SAID[0], SAID[1], "--lang", "ja"]);
    assert_eq!(japanese["mentions"].as_array().unwrap().len(), 1);
    assert_eq!(japanese["mentions"][0]["language"], "ja");
}

#[test]
fn text_without_a_time_and_wrong_flags_are_told_plainly() {
    let dir = Dir::new();
    dir.run(&["when", "March on, he may.", SAID[0], SAID[1]]).ok().says(&["no temporal expression"]);
    let ran = dir.run(&["when", "today", "--lang", "tlh"]);
    ran.exits(2).complains(&["--lang", "\"tlh\"", "en and ja"]);
    let ran = dir.run(&["when", "today", "--ref", "soonish"]);
    ran.exits(2).complains(&["--ref", "soonish"]);
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let ran = Dir::new().run_with("see you tomorrow\n", &["when", "-", SAID[0], SAID[1]]).ok();
    ran.says(&["        ╰───────", "17 May 2024"]);
}

#[test]
fn scores_are_one_flat_object_and_misses_are_listed_when_asked_for() {
    let dir = Dir::new();
    let line = |text: &str, from: usize, to: usize, value: &str| {
        let gold = json!({ "text": text.get(from..=to), "start": from, "end": to, "type": "date", "values": [{ "value": value }] });
        json!({ "lang": "English", "input": text, "reference": "2024-05-16T10:00:00", "results": [gold] }).to_string()
    };
    let lines = [line("we leave on 3 June 2024", 12, 22, "2024-06-03"), line("we leave on 4 June 2024", 12, 22, "2024-06-05")].join("\n");
    dir.file("time_own.jsonl", lines);
    for data in ["time_own.jsonl", "."] {
        let ran = dir.run(&["eval", "time", "--data", data, "--json"]).ok();
        assert_eq!(ran.out.trim_end(), r#"{"recognizers_en_date":0.5}"#);
    }
    let ran = dir.run(&["eval", "time", "--data", "time_own.jsonl", "--misses"]);
    ran.exits(0).complains(&["recognizers_en_date\twe leave on 4 June 2024\t[4 June 2024] 2024-06-05\t"]);
    dir.file("empty.jsonl", "{}");
    dir.run(&["eval", "time", "--data", "empty.jsonl"]).exits(2).complains(&["empty.jsonl:1", "none of the collections"]);
}

#[test]
fn records_of_one_person_are_linked_without_their_ids() {
    let dir = Dir::new();
    let rows = [
        "rec_id, given_name, surname, postcode, date_of_birth, phone",
        "rec-0-org, tilda, okafor, 4021, 19840312, 5550172",
        "rec-1-org, bram, visser, 2203, 19910702, 5550119",
        "rec-0-dup-0, okafor, tilda, 4021, 19840321, 5550172",
        "rec-1-dup-0, ruth, brandt, 7100, 19700930, 5550143",
    ];
    dir.file("dataset8.csv", rows.join("\n"));
    // One of two pairs is of one person by everything but its id.
    for data in ["dataset8.csv", "."] {
        let ran = dir.run(&["eval", "resolution", "--data", data, "--json"]).ok();
        assert_eq!(ran.out.trim_end(), r#"{"f1_febrl8":0.6667}"#);
    }
    let ran = dir.run(&["eval", "resolution", "--data", "dataset8.csv", "--misses"]);
    ran.exits(0).complains(&["f1_febrl8\tmissed\t|bram|visser|"]);
    dir.run(&["eval", "resolution", "--data", "nowhere"]).exits(3).complains(&["nowhere"]);
}

#[test]
fn statements_that_replace_each_other_are_counted_by_size() {
    let dir = Dir::new();
    let facts = ["The capital of Eastland is Marl.", "The capital of Eastland is Brod.", "Hush now."];
    dir.file("said.jsonl", json!({ "size": "3", "facts": facts }).to_string());
    let ran = dir.run(&["eval", "consolidation", "--data", "said.jsonl", "--json"]).ok();
    assert_eq!(ran.out.trim_end(), r#"{"claims_share_3":0.6667,"closed_3":1,"wrong_closed_3":0}"#);
    dir.run(&["eval", "consolidation", "--data", "said.jsonl", "--misses"]).exits(0).complains(&["3\tno claim\tHush now."]);
    let ran = dir.run(&["eval", "extraction", "--data", "said.jsonl", "--json"]).ok();
    assert_eq!(ran.out.trim_end(), r#"{"claims_share":0.6667,"interval_share":1.0}"#);
}
