//! The evaluations on real data, where `$ERSTWHILE_DATA` says where it is; reported as skipped with the reason elsewhere.

#![cfg(test)]

use erstwhile::eval::{Event, consolidation, conversations, intervals, resolution, stretches};
use erstwhile::extract::Rules;
use std::path::PathBuf;

/// The data set's path, or a visible word that the test was skipped.
fn data(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("ERSTWHILE_DATA") else {
        say(&format!("skipped: set ERSTWHILE_DATA to the folder that holds {name}"));
        return None;
    };
    let path = PathBuf::from(folder).join(name);
    assert!(path.is_file(), "{} is not there, though ERSTWHILE_DATA is set", path.display());
    Some(path)
}

/// Writes past the test runner, which would keep a passing test's words to itself.
fn say(words: &str) {
    use std::io::Write as _;
    writeln!(std::io::stderr().lock(), "{words}").expect("standard error");
}

fn tell(findings: &mut Vec<String>, event: Event<'_>) {
    match event {
        Event::Finding(text) => findings.push(text.to_owned()),
        Event::Detail(text) => say(text),
        Event::Progress { .. } => {}
    }
}

#[test]
fn real_intervals_go_in_whole_and_answer_as_a_scan_of_the_file_does() {
    let Some(path) = data("intervals_wikidata12k.jsonl.gz") else { return };
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let mut findings = Vec::new();
    let result = intervals::run(&path, scratch.path(), 1, &mut |event| tell(&mut findings, event)).expect("the evaluation runs");
    say(&format!("{result:?}"));
    assert_eq!(result.facts, 40_611, "rows that go in: all but the 10 whose end precedes their start");
    assert_eq!((result.wrong_closures, result.mismatches), (0, 0), "findings:\n{}", findings.join("\n"));
    assert!(result.contested > 0, "one value at a time must leave contested facts");
    assert_eq!(result.questions, 10_000, "every question is asked");
}

#[test]
fn real_conversations_go_in_whole_and_come_out_verbatim() {
    let Some(path) = data("locomo.jsonl.gz") else { return };
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let mut findings = Vec::new();
    let result = conversations::run(&path, scratch.path(), &mut |event| tell(&mut findings, event)).expect("the evaluation runs");
    say(&format!("{result:?}"));
    assert_eq!(result.conversations, 5, "conversations");
    assert!(result.turns > 1000, "only {} turns", result.turns);
    assert_eq!((result.observations, result.rejected, result.mismatches), (result.turns, 0, 0), "findings:\n{}", findings.join("\n"));
}

#[test]
fn records_of_one_person_are_found_among_a_thousand() {
    let Some(path) = data("febrl/dataset1.csv") else { return };
    let report = resolution::run(&path).expect("the evaluation runs");
    say(&report.to_table());
    assert!(report.sets["f1_febrl1"].f1() >= 0.99, "{}", report.to_misses());
}

#[test]
fn statements_close_what_they_replace_and_nothing_else() {
    let Some(path) = data("fact_consolidation.jsonl.gz") else { return };
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let mut findings = Vec::new();
    let report = consolidation::run(&path, scratch.path(), &mut |event| tell(&mut findings, event)).expect("the evaluation runs");
    say(&report.to_table());
    for (size, one) in &report.sizes {
        assert!(one.claims_share() >= 0.995, "{size}: {}", report.to_misses());
        assert_eq!(one.wrong_closed, 0, "{size}: {}", report.to_misses());
        assert!(one.closed * 1000 >= one.conflicts * 990, "{size}: {}", report.to_misses());
    }
}

#[test]
fn stated_stretches_are_read_as_they_are_stated() {
    let Some(path) = data("tempreason_l2.jsonl.gz") else { return };
    let report = stretches::run(&path, &Rules::default()).expect("the evaluation runs");
    say(&report.to_table());
    let missed = |of: usize, all: usize| (all - of) * 1000 > all * 2;
    assert!(!missed(report.claimed, report.sentences) && !missed(report.right, report.dated), "{}", report.to_misses());
}
