//! The tour tells what its input says and nothing else.

use crate::harness::Dir;
use erstwhile::memory::{Clock, SystemClock};
use erstwhile::memory::{ManualClock, MemoryOptions};
use erstwhile::observe::{ReadOptions, Reader};
use erstwhile::surface::cli::{Look, Story, tour};
use erstwhile::{Incoming, Instant, Memory, TenantId};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

const LOOK: Look = Look { colour: false, width: 100 };

fn told(observations: &str, steps: &str) -> String {
    let mut out = Vec::new();
    tour(Story { observations, steps }, LOOK, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_shipped_tour_is_short_and_quick() {
    let dir = Dir::new();
    let begun = SystemClock.now();
    let ran = dir.run(&["tour"]).ok();
    let took = SystemClock.now().micros_since(begun) / 1_000;
    assert!(took < 10_000, "{took} ms, where even an unoptimised build on a busy machine should take one or two seconds");
    let lines = ran.out.lines().count();
    assert!((30..=70).contains(&lines), "{lines} lines:\n{}", ran.out);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 120), "a line is too wide:\n{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "no colours into a pipe");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "its memory is gone");
    insta::assert_snapshot!(crate::harness::without_ids(&ran.out));
}

#[test]
fn another_date_in_the_input_is_another_story() {
    let Story { observations, steps } = Story::shipped();
    let before = told(observations, steps);
    let moved = observations.replace(r#""from":"2023-06-01""#, r#""from":"2022-02-01""#);
    assert_ne!(moved, observations);
    let after = told(&moved, steps);
    assert!(before.contains("2023-06-01") && !before.contains("2022-02-01"), "{before}");
    assert!(after.contains("2022-02-01") && !after.contains("until 2023-06-01"), "{after}");

    // Without the late one there is nothing to split: no second stay in Oslo.
    let kept = observations.replace(r#""from":"2018""#, r#""from":"2023""#).replace(r#""from":"2017-03""#, r#""from":"2022-03""#);
    assert_ne!(told(&kept, steps), before);
}

#[test]
fn a_story_that_names_what_is_not_there_says_which_line() {
    let mut out = Vec::new();
    let story = Story { observations: Story::shipped().observations, steps: "\n{\"remember\":[\"nobody\"]}" };
    let error = tour(story, LOOK, &mut out).unwrap_err();
    assert!(error.to_string().contains("line 2") && error.to_string().contains("nobody"), "{error}");
}

/// What the tour records before it erases, as an export. `ERSTWHILE_BLESS=1` writes the shipped one anew.
#[test]
fn the_shipped_record_is_what_the_tour_records() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
    let options = MemoryOptions { clock: Arc::<ManualClock>::clone(&clock), ..MemoryOptions::default() };
    let tenant = Memory::open_with(folder.path(), options).unwrap().tenant(&TenantId::new("tour").unwrap());
    let reader = Reader::new(Story::shipped().observations.as_bytes(), ReadOptions::default()).unwrap();
    let said: Vec<Incoming> = reader.map(|line| line.unwrap().unwrap()).collect();
    for step in Story::shipped().steps.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if let Some(at) = step["clock"].as_str() {
            clock.set(Instant::parse(at).unwrap());
        }
        for key in step["remember"].as_array().into_iter().flatten() {
            let batch = said.iter().filter(|one| one.observation.key.as_deref() == key.as_str()).cloned().collect();
            tenant.remember(batch).unwrap();
        }
    }
    let mut export = Vec::new();
    tenant.export(&mut export).unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour/recorded.jsonl");
    if std::env::var_os("ERSTWHILE_BLESS").is_some() {
        std::fs::write(&shipped, &export).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&shipped).unwrap(), String::from_utf8(export).unwrap());
}

#[test]
fn readme_shows_what_was_believed_before_the_correction() {
    let readme = include_str!("../../README.md");
    let row = readme.lines().find(|line| line.contains("What was believed before the correction?")).unwrap();
    let commands: Vec<&str> = row.split('`').filter_map(|part| part.strip_prefix("erstwhile ")).collect();
    let [import, diff] = commands[..] else { panic!("two commands: {commands:?}") };
    let dir = Dir::new();
    let here = |command: &str| command.replace("/tmp/", "").replace("fixtures/", &format!("{}/fixtures/", env!("CARGO_MANIFEST_DIR")));
    dir.run(&here(import).split(' ').collect::<Vec<_>>()).ok();
    let answer = dir.json(&here(diff).split(' ').collect::<Vec<_>>());
    let tails = |field: &str| answer[field].as_array().unwrap().iter().map(|held| held["tail"].clone()).collect::<Vec<_>>();
    assert_eq!((tails("vanished"), tails("appeared")), (vec!["Oslo".into()], vec!["Turin".into()]), "{answer}");
}
