//! Every scenario under `fixtures/` gives the answers its author expects.

#![cfg(test)]

use erstwhile::eval::check::{Outcome, report, run, scenarios};
use erstwhile::eval::{Event, timeline};
use std::path::Path;
use std::sync::Mutex;
use std::thread;

#[test]
fn every_scenario_gives_the_expected_answers() {
    let mut folders = scenarios(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")).expect("scenarios");
    if cfg!(not(feature = "sparql")) {
        let asks_queries =
            |folder: &Path| std::fs::read_to_string(folder.join("questions.jsonl")).is_ok_and(|all| all.contains("\"query\""));
        folders.retain(|folder| !asks_queries(folder));
    }
    assert!(folders.len() >= 25, "only {} scenarios found", folders.len());
    let outcomes: Mutex<Vec<Outcome>> = Mutex::default();
    let waiting = Mutex::new(folders);
    let workers = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(folder) = { waiting.lock().expect("the list").pop() } {
                    let scratch = tempfile::tempdir().expect("a temporary folder");
                    let outcome = run(&folder, scratch.path()).unwrap_or_else(|error| Outcome {
                        scenario: folder,
                        failures: vec![error.to_string()],
                        ..Outcome::default()
                    });
                    outcomes.lock().expect("the outcomes").push(outcome);
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().expect("the outcomes");
    outcomes.sort_by(|one, other| one.scenario.cmp(&other.scenario));
    let text = report(&outcomes);
    println!("{text}");
    assert!(outcomes.iter().all(Outcome::passed), "some scenarios answer otherwise than expected:\n{text}");
    let asked: u64 = outcomes.iter().map(|outcome| outcome.asked).sum();
    assert!(asked > 100, "only {asked} questions were asked");
}

/// The named queries that scenarios ask and expect rows of.
#[cfg(feature = "sparql")]
fn asked_by_name() -> std::collections::BTreeSet<String> {
    let mut asked = std::collections::BTreeSet::new();
    for folder in scenarios(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")).expect("scenarios") {
        let questions = std::fs::read_to_string(folder.join("questions.jsonl")).expect("questions");
        for line in questions.lines().filter(|line| line.trim_start().starts_with('{')) {
            let question: serde_json::Value = serde_json::from_str(line).expect("a question");
            let has_rows = question["expect"].as_array().is_some_and(|rows| !rows.is_empty());
            if question["ask"] == "query" && has_rows && question.get("error").is_none() {
                asked.insert(question["name"].as_str().expect("a name").to_owned());
            }
        }
    }
    asked
}

#[cfg(feature = "sparql")]
#[test]
fn every_named_query_is_asked_by_a_scenario_that_expects_rows() {
    let known: std::collections::BTreeSet<String> = erstwhile::sparql::library::names().into_iter().map(str::to_owned).collect();
    assert_eq!(asked_by_name(), known, "the scenarios that ask, and the queries there are");
}

#[test]
fn the_written_cases_of_the_timeline_come_out_in_every_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/timeline");
    for (file, at_least) in [("named.jsonl", 25), ("timeline.jsonl", 500)] {
        let mut findings = Vec::new();
        let result = timeline::run(&folder.join(file), &mut |event| {
            if let Event::Finding(text) = event {
                findings.push(text.to_owned());
            }
        });
        let result = result.expect("cases that can be read");
        assert!(result.cases >= at_least, "{file}: only {} cases", result.cases);
        assert_eq!(result.mismatches, 0, "{file}:\n{}", findings.join("\n"));
    }
}

#[test]
fn a_case_with_a_wrong_fact_is_told_with_claims_expected_and_got() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("cases.jsonl");
    let claim = r#"{"id": 7, "value": "oslo", "polarity": "holds", "start": [2015, 2016], "end": null, "seen": null}"#;
    let case = format!(r#"{{"case": "wrong", "claims": [{claim}], "facts": [["oslo", [2015, 2016], [null, 2018], null, false, [7]]]}}"#);
    std::fs::write(&file, case).expect("written");
    let mut told = String::new();
    let result = timeline::run(&file, &mut |event| {
        if let Event::Finding(text) = event {
            told.push_str(text);
        }
    });
    let result = result.expect("a case that can be read");
    assert_eq!((result.cases, result.mismatches), (1, 1), "the wrong case is counted");
    for part in
        ["\"wrong\"", "claim 7: oslo holds [2015, 2016) to -", "- expected: oslo [2015, 2016) to by 2018", "+ got: oslo [2015, 2016) to -"]
    {
        assert!(told.contains(part), "{part:?} is missing in:\n{told}");
    }
}

/// A small scenario in a temporary folder, with the answer it expects.
fn scenario(expect: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let observations = concat!(
        r#"{"observation": "joined", "observed_at": "2020-01-15", "head": "Ida", "relation": "employer", "tail": "Acme", "from": "2020-01"}"#,
        "\n",
        r#"{"observation": "moved on", "observed_at": "2023-06-20", "head": "Ida", "relation": "employer", "tail": "Globex", "from": "2023-06"}"#,
    );
    std::fs::write(folder.path().join("observations.jsonl"), observations).expect("written");
    let question = format!(r#"{{"ask": "value", "head": "Ida", "relation": "employer", "at": "2024", "expect": {expect}}}"#);
    std::fs::write(folder.path().join("questions.jsonl"), question).expect("written");
    folder
}

fn check(expect: &str) -> Outcome {
    let folder = scenario(expect);
    let scratch = tempfile::tempdir().expect("a temporary folder");
    run(folder.path(), scratch.path()).expect("a scenario that can be read")
}

#[test]
fn a_right_answer_passes() {
    let outcome = check(r#"{"tail": "Globex", "from": "2023-06", "to": "open", "certainty": "certain", "support": ["moved on"]}"#);
    assert_eq!(outcome.failures, Vec::<String>::new(), "nothing differs");
}

#[test]
fn a_wrong_expectation_is_told_with_question_expected_got_and_timeline() {
    let failures = check(r#""Acme""#).failures.join("");
    for part in [
        "questions.jsonl:1",
        "employer of Ida",
        "valid at 2024",
        "- expected  Acme",
        "+ got       Ida employer Globex",
        "the timeline of Ida",
        "Acme",
    ] {
        assert!(failures.contains(part), "{part:?} is missing in:\n{failures}");
    }
}

#[test]
fn a_misspelt_expectation_is_not_taken_for_a_pass() {
    let failures = check(r#"{"tail": "Globex", "contestd": false}"#).failures.join("");
    assert!(failures.contains("contestd"), "the unknown key is named:\n{failures}");
}

#[test]
fn a_folder_without_scenarios_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let error = scenarios(folder.path()).expect_err("nothing to run").to_string();
    assert!(error.contains("questions.jsonl"), "it says what was looked for: {error}");
}
