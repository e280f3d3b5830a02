//! The tour tells what its input says and nothing else.

use crate::harness::Dir;
use erstwhile::memory::{Clock, SystemClock};
use erstwhile::surface::cli::{Look, Story, tour};

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
