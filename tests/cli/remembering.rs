//! `remember` in every format, and what it says of what it did not take.

use crate::harness::Dir;
use serde_json::json;
use std::io::Write;
use std::path::Path;

fn sample(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/formats").join(name).display().to_string()
}

#[test]
fn every_sample_of_a_format_goes_in() {
    for (name, observations, claims, rejected) in [
        ("claims.jsonl", 5, 9, 0),
        ("chat.jsonl", 4, 1, 0),
        ("triples.jsonl", 4, 4, 0),
        ("triples.csv", 4, 4, 1),
        ("document.txt", 1, 0, 0),
    ] {
        let dir = Dir::new();
        let receipt = dir.run(&["remember", &sample(name), "--observed-at", "2024-08-01", "--json"]);
        receipt.exits(i32::from(rejected > 0));
        let receipt = receipt.json();
        assert_eq!(
            (&receipt["observations"], &receipt["claims"], &receipt["rejected_count"]),
            (&json!(observations), &json!(claims), &json!(rejected)),
            "{name}: {receipt}"
        );
        dir.run(&["verify"]).ok();
    }
}

#[test]
fn the_same_file_twice_changes_nothing_and_says_so() {
    let dir = Dir::new();
    dir.run(&["remember", &sample("claims.jsonl")]).ok().says(&["recorded 5 observations with 9 claims", "tenant default"]);
    let before = dir.json(&["stats"]);
    dir.run(&["remember", &sample("claims.jsonl")]).ok().says(&["nothing changed", "5 observations"]);
    assert_eq!(dir.json(&["stats"]), before);
    assert_eq!(dir.json(&["remember", &sample("claims.jsonl")])["duplicates"], 5);
}

#[test]
fn bad_lines_are_named_and_the_rest_goes_in() {
    let dir = Dir::new();
    dir.file(
        "mixed.jsonl",
        r#"{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Oslo","from":"2015"}
{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Oslo","from":"2019-13"}
{"head":"Ana","relation":"lives in","tail":"Oslo","from":"2019"}
{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Rome","from":"2019","to":"2018"}
{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Rome","confidence":NaN}
{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Rome","confidence":2}
not json at all
{"observed_at":"2024-01-01","head":"Ana","relation":"speaks","tail":"Norwegian"}
"#,
    );
    let ran = dir.run(&["remember", "mixed.jsonl"]);
    ran.exits(1).says(&[
        "recorded 2 observations with 2 claims",
        "6 lines or claims rejected",
        "line 2: from:",
        "2019-13",
        "line 3: observed_at:",
        "line 4: to:",
        "line 5:",
        "line 6: confidence:",
        "line 7:",
    ]);
    assert!(!ran.out.contains("line 1:") && !ran.out.contains("line 8:"), "{}", ran.out);
    dir.run(&["remember", "mixed.jsonl", "--keep-going"]).exits(0).says(&["nothing changed"]);

    let dir = Dir::new();
    dir.file("mixed.jsonl", "{}\n");
    dir.run(&["remember", "mixed.jsonl"]).exits(2).complains(&["cannot tell the format", "--format"]);
    let receipt = dir.run(&["remember", "mixed.jsonl", "--json", "--format", "claims"]);
    receipt.exits(1);
    let receipt = receipt.json();
    assert_eq!((&receipt["files"][0]["rejected"][0]["line"], &receipt["rejected_count"]), (&json!(1), &json!(1)));
}

#[test]
fn standard_input_and_compressed_files() {
    let line = r#"{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Oslo","from":"2015"}"#;
    let dir = Dir::new();
    dir.run_with(line, &["remember", "-"]).exits(0).says(&["recorded 1 observation with 1 claim"]);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(line.replace("Oslo", "Rome").as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    dir.file("a.jsonl.gz", &packed);
    dir.run(&["remember", "a.jsonl.gz"]).ok().says(&["recorded 1 observation"]);
    dir.file("cut.jsonl.gz", &packed[..packed.len() - 9]);
    dir.run(&["remember", "cut.jsonl.gz"]).complains(&["cut.jsonl.gz"]);
}

#[test]
fn several_files_are_told_apart_and_one_that_is_missing_stops_no_other() {
    let dir = Dir::new();
    let (claims, chat) = (sample("claims.jsonl"), sample("chat.jsonl"));
    let ran = dir.run(&["remember", &claims, "nowhere.jsonl", &chat]);
    ran.exits(3).says(&["claims.jsonl: recorded", "chat.jsonl: recorded"]).complains(&["nowhere.jsonl"]);
    dir.run(&["remember", "nowhere.jsonl", &chat, "--keep-going"]).exits(0).complains(&["nowhere.jsonl"]);
}

#[test]
fn flags_fill_in_what_lines_leave_out() {
    let dir = Dir::new();
    dir.file("t.csv", "head,relation,tail,from\nAna,lives in,Oslo,2015\n");
    dir.run(&["remember", "t.csv"]).exits(1).says(&["line 2: observed_at:"]);
    dir.run(&["remember", "t.csv", "--observed-at", "today", "--source", "curated:registry"]).ok();
    let why = dir.json(&["why", "Ana", "lives in"]);
    assert_eq!(why["sources"][0]["observation"]["source"], json!({ "authority": "curated", "name": "registry" }));
    let dir = Dir::new();
    dir.run_with("Ana lives in Oslo.", &["remember", "-", "--format", "text", "--observed-at", "2024-03-01T09:00:00+09:00"]).exits(0);
}

#[test]
fn undeclared_relations_are_reported_with_what_to_do() {
    let dir = Dir::new();
    dir.file("a.jsonl", r#"{"observed_at":"2024-01-01","head":"Ana","relation":"frobs","tail":"Oslo","from":"2015"}"#);
    dir.run(&["remember", "a.jsonl"]).ok().says(&["1 relation is undeclared", "frobs", "relations list --unknown"]);
    dir.run(&["relations", "list", "--unknown"]).ok().says(&["frobs", "1 claim", "relations set frobs cardinality=one"]);
}

#[test]
fn no_progress_and_no_colour_where_nobody_looks() {
    let dir = Dir::new();
    let line = |n: u32| {
        format!("{{\"observed_at\":\"2024-01-01\",\"head\":\"P{n}\",\"relation\":\"lives in\",\"tail\":\"Oslo\",\"from\":\"2015\"}}\n")
    };
    dir.file("long.jsonl", (0..20_000).map(line).collect::<String>());
    let ran = dir.run(&["remember", "long.jsonl"]).ok();
    assert!(!ran.out.contains('\u{1b}'));
    ran.says(&["recorded 20,000 observations"]);
}

#[test]
fn a_source_is_given_as_a_line_gives_it() {
    let dir = Dir::new();
    dir.file("t.csv", "head,relation,tail,from,observed_at\nAna,lives in,Oslo,2015,2024-01-01\n");
    for (number, (given, authority, name)) in [
        ("user", "user", json!("t.csv")),
        ("tool:x", "tool", json!("x")),
        ("document:the registry", "document", json!("the registry")),
        ("inference:", "inference", json!(null)),
    ]
    .into_iter()
    .enumerate()
    {
        let tenant = number.to_string();
        dir.run(&["remember", "t.csv", "--source", given, "--tenant", &tenant]).ok();
        let why = dir.json(&["why", "Ana", "lives in", "--tenant", &tenant]);
        assert_eq!(why["sources"][0]["observation"]["source"], json!({ "authority": authority, "name": name }), "{given}");
    }
    dir.run(&["remember", "t.csv", "--source", "registry"]).exits(2).complains(&["--source", "registry", "document:registry"]);
    // What a line says itself stands.
    dir.file("own.csv", "head,relation,tail,from,observed_at,source\nBea,lives in,Oslo,2015,2024-01-01,tool:page\n");
    dir.run(&["remember", "own.csv", "--source", "user"]).ok();
    assert_eq!(dir.json(&["why", "Bea", "lives in"])["sources"][0]["observation"]["source"]["authority"], "tool");
}
