//! `check` and `eval`: a user's own cases and data sets, run in temporary memories and reported. Knows no format of theirs.

use super::fail::{DONE, FOUND, Failure};
use super::output::{Paint, Screen, clean, thousands};
use super::read::{Outcome, print_object};
use crate::eval::{
    Event, answers, check, consolidation, conversations, extraction, hops, intervals, pointintime, policy, recall, resolution, stretches,
    time, timeline, updates,
};
use crate::extract::Rules;
use crate::surface::transfer::SCHEMA;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// A bar over things that are counted.
pub(super) const COUNTS: &str = "{wide_bar} {human_pos}/{human_len} {msg}";
/// A bar over a file.
pub(super) const BYTES: &str = "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left  {msg}";

/// The evaluations there are.
const NAMES: &str =
    "timeline, intervals, conversations, time, extraction, consolidation, answers, pointintime, policy, resolution, recall, updates, hops";

/// `check DIR`.
pub(super) fn run_check(screen: &mut Screen<'_>, dir: &Path, as_json: bool) -> Outcome {
    let scratch = tempfile::tempdir().map_err(|error| Failure::file(&std::env::temp_dir(), error))?;
    let scenarios = check::scenarios(dir)?;
    let bar = progress(as_json, COUNTS);
    bar.set_length(scenarios.len() as u64);
    let mut outcomes = Vec::with_capacity(scenarios.len());
    for (number, scenario) in scenarios.iter().enumerate() {
        bar.set_message(clean(&scenario.display().to_string()));
        outcomes.push(check::run(scenario, &scratch.path().join(number.to_string()))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let failed = outcomes.iter().filter(|outcome| !outcome.passed()).count();
    if as_json {
        let scenarios: Vec<Value> = outcomes
            .iter()
            .map(|outcome| {
                json!({
                    "scenario": outcome.scenario.display().to_string(),
                    "about": outcome.about,
                    "passed": outcome.passed(),
                    "runs": outcome.runs,
                    "asked": outcome.asked,
                    "failures": outcome.failures,
                })
            })
            .collect();
        print_object(
            screen,
            &json!({ "schema": SCHEMA, "command": "check", "scenarios": scenarios, "passed": outcomes.len() - failed, "failed": failed }),
        )?;
    } else {
        for line in check::report(&outcomes).lines() {
            screen.line(&clean(line))?;
        }
    }
    Ok(if failed == 0 { DONE } else { FOUND })
}

/// `eval NAME --data PATH`.
pub(super) fn run_eval(screen: &mut Screen<'_>, name: &str, data: &Path, seed: u64, misses: bool, as_json: bool) -> Outcome {
    let scratch = tempfile::tempdir().map_err(|error| Failure::file(&std::env::temp_dir(), error))?;
    let bar = progress(as_json, COUNTS);
    let mut details = Vec::new();
    let mut tell = |event: Event<'_>| match event {
        Event::Progress { stage, done, total } => {
            bar.set_message(stage.to_owned());
            bar.set_length(total);
            bar.set_position(done);
        }
        // Findings go to standard error, so that the result stays one object or one table.
        Event::Finding(finding) => bar.suspend(|| {
            writeln!(io::stderr().lock(), "{finding}").ok();
        }),
        Event::Detail(detail) => details.push(detail.to_owned()),
    };
    let result = match name {
        "timeline" => flat(&timeline::run(data, &mut tell)?),
        "intervals" => flat(&intervals::run(data, scratch.path(), seed, &mut tell)?),
        "time" => expressions(data, misses, &mut tell),
        "extraction" => extracted(data, misses, &mut tell),
        "consolidation" => consolidated(data, scratch.path(), misses, &mut tell),
        "answers" => answered(data, scratch.path(), misses, &mut tell),
        "pointintime" => then(data, scratch.path(), misses, &mut tell),
        "policy" => admission(data, misses, &mut tell),
        "resolution" => records(data, misses, &mut tell),
        "recall" => recalled(data, scratch.path(), misses, &mut tell),
        "updates" => flat(&updates::run(data, scratch.path(), &mut tell)?),
        "hops" => flat(&hops::run(data, scratch.path(), &mut tell)?),
        "conversations" => flat(&conversations::run(data, scratch.path(), &mut tell)?),
        _ => return Err(Failure::given("NAME", name, "there is no such evaluation", format!("the evaluations are {NAMES}"))),
    }?;
    bar.finish_and_clear();
    let failed = ["mismatches", "wrong_closures"].iter().any(|field| result.get(*field).and_then(Value::as_u64).unwrap_or(0) > 0);
    if as_json {
        print_object(screen, &result)?;
    } else {
        for detail in &details {
            screen.pieces(&[(Paint::Dim, &clean(detail))])?;
        }
        let rows: Vec<_> = result
            .as_object()
            .into_iter()
            .flatten()
            .map(|(field, value)| {
                let shown = value.as_u64().map_or_else(|| value.to_string(), thousands);
                vec![(Paint::Plain, field.replace('_', " ")), (Paint::Bold, shown)]
            })
            .collect();
        screen.table(0, &rows)?;
    }
    Ok(if failed { FOUND } else { DONE })
}

/// `eval time`: a row of counts for each key, and what was missed if that was asked for.
fn expressions(data: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    let report = time::run(data)?;
    for line in report.to_table().lines() {
        tell(Event::Detail(line));
    }
    for line in report.to_misses().lines().filter(|_| misses) {
        tell(Event::Finding(line));
    }
    Ok(report.to_json())
}

/// `eval consolidation`: a row of counts for each size, and what was missed or wrong if that was asked for.
fn consolidated(data: &Path, scratch: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    let report = consolidation::run(data, scratch, tell)?;
    for line in report.to_table().lines() {
        tell(Event::Detail(line));
    }
    for line in report.to_misses().lines().filter(|_| misses) {
        tell(Event::Finding(line));
    }
    Ok(report.to_json())
}

/// `eval answers`: a row of counts for each kind of question and size, and what was not right if that was asked for.
fn answered(data: &Path, scratch: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    let report = answers::run(data, scratch, tell)?;
    for line in report.to_table().lines() {
        tell(Event::Detail(line));
    }
    for line in report.to_misses().lines().filter(|_| misses) {
        tell(Event::Finding(line));
    }
    Ok(report.to_json())
}

/// `eval pointintime`: a row of counts for each kind of question, and what was not right if that was asked for.
fn then(data: &Path, scratch: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    let report = pointintime::run(data, scratch, tell)?;
    for line in report.to_table().lines() {
        tell(Event::Detail(line));
    }
    for line in report.to_misses().lines().filter(|_| misses) {
        tell(Event::Finding(line));
    }
    Ok(report.to_json())
}

/// `eval recall`: a row for each conversation and category, and what was missed if that was asked for.
fn recalled(data: &Path, scratch: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    let report = recall::run(data, scratch, tell)?;
    for line in report.to_table().lines() {
        tell(Event::Detail(line));
    }
    for line in report.to_misses().lines().filter(|_| misses) {
        tell(Event::Finding(line));
    }
    Ok(report.to_json())
}

/// `eval extraction`: a row for each reason why a line is hard, and the misses if they were asked for; of sentences that say from when to
/// when, their counts.
fn extracted(data: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    if stretches::recognises(data)? {
        let report = stretches::run(data, &Rules::default())?;
        for line in report.to_table().lines() {
            tell(Event::Detail(line));
        }
        for line in report.to_misses().lines().filter(|_| misses) {
            tell(Event::Finding(line));
        }
        return Ok(report.to_json());
    }
    let report = extraction::run(data, &Rules::default())?;
    for line in report.to_table().lines() {
        tell(Event::Detail(line));
    }
    for line in report.to_misses().lines().filter(|_| misses) {
        tell(Event::Finding(line));
    }
    Ok(report.to_json())
}

/// `eval policy`: counts, and each mask and refusal if that was asked for.
fn admission(data: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    let report = policy::run(data)?;
    for finding in report.findings.iter().filter(|_| misses) {
        tell(Event::Finding(finding));
    }
    Ok(report.to_json())
}

/// `eval resolution`: a row of counts for each set of records, and the wrong pairs if they were asked for.
fn records(data: &Path, misses: bool, tell: &mut impl FnMut(Event<'_>)) -> Result<Value, Failure> {
    let report = resolution::run(data)?;
    for line in report.to_table().lines() {
        tell(Event::Detail(line));
    }
    for line in report.to_misses().lines().filter(|_| misses) {
        tell(Event::Finding(line));
    }
    Ok(report.to_json())
}

fn flat(result: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(result).map_err(|error| Failure::Output(error.into()))
}

/// A bar on standard error where somebody can see it, else none.
pub(super) fn progress(quiet: bool, template: &str) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
