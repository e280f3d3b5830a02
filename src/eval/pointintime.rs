//! Questions about what held at a time, or before or after something else: is the answer exactly what held then?
//!
//! A line is `{"q", "a": ["answer", …], "facts": ["Ann Orr plays for Brod F.C. from Jan, 2011 to Mar, 2013.", …]}`. Each line's sentences
//! go as documents into a temporary memory of their own, with the shipped policies, through the extractor; the question is asked through
//! [`Tenant::ask`](crate::memory::Tenant::ask). **What is right:** the first answer given is one of the expected ones, both in small
//! letters without marks and articles. Lines whose question names another value behind "before" or "after" count as `l3`, all others as `l2`.

use super::Event;
use super::answers::{Asked, ask, plain, told};
use super::source::{EvalError, json_lines, unreadable};
use crate::retrieve::answer::Outcome;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The results by kind of question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointInTimeReport {
    /// `l2` at a time, `l3` before or after another value.
    pub kinds: BTreeMap<String, Asked>,
}

impl PointInTimeReport {
    /// One flat object: the share of right answers of each kind.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let fields = self.kinds.iter().map(|(kind, asked)| (kind.clone(), json!(asked.share())));
        Value::Object(fields.collect::<Map<String, Value>>())
    }

    /// A row for each kind.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut table = format!("{:<6} {:>9} {:>6} {:>6} {:>6}\n", "kind", "questions", "right", "wrong", "share");
        for (kind, asked) in &self.kinds {
            writeln!(table, "{kind:<6} {:>9} {:>6} {:>6} {:>6.3}", asked.questions, asked.right, asked.wrong, asked.share()).ok();
        }
        table
    }

    /// What was not right, a line each: the kind, the question, what was expected and what was answered, tabs between.
    #[must_use]
    pub fn to_misses(&self) -> String {
        self.kinds.iter().flat_map(|(kind, asked)| asked.misses.iter().map(move |miss| format!("{kind}\t{miss}\n"))).collect()
    }
}

#[derive(Deserialize)]
struct Line {
    q: String,
    a: Vec<String>,
    facts: Vec<String>,
}

/// Runs the evaluation on a file (`.gz` is unpacked) with memories below `scratch`, which are removed again.
///
/// # Errors
/// [`EvalError`] if the file cannot be read or holds no questions, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<PointInTimeReport, EvalError> {
    let mut report = PointInTimeReport::default();
    let lines = json_lines::<Line>(path)?;
    let total = lines.len() as u64;
    for (done, (_, line)) in (1_u64..).zip(lines) {
        let folder = scratch.join(format!("pointintime-{done}"));
        let outcome: Outcome = ask(&told(&line.facts, &folder, false)?, &line.q, line.facts.len())?;
        fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
        let beside = [" before ", " after "].iter().any(|word| line.q.contains(word));
        let asked = report.kinds.entry(if beside { "l3" } else { "l2" }.to_owned()).or_default();
        asked.count(&line.q, &line.a, &outcome, |answer| line.a.iter().any(|one| plain(one) == plain(answer)));
        tell(Event::Progress { stage: "questions", done, total });
    }
    if report.kinds.is_empty() {
        return Err(unreadable(path, &"it holds no questions"));
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_held_then_and_what_came_next_are_right() {
        let facts = r#""facts": ["Una Falk plays for Brod Rovers from Jan, 2001 to Mar, 2004.", "Una Falk plays for Sund United from Mar, 2004 to May, 2009."]"#;
        let lines = [
            format!(r#"{{"q": "Which team did Una Falk play for in Feb, 2003?", "a": ["Brod Rovers"], {facts}}}"#),
            format!(r#"{{"q": "Which team did Una Falk play for in Feb, 2005?", "a": ["Brod Rovers"], {facts}}}"#),
            format!(r#"{{"q": "Which team did Una Falk play for after Brod Rovers?", "a": ["Sund United"], {facts}}}"#),
        ];
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("asked.jsonl");
        fs::write(&path, lines.join("\n")).unwrap();
        let report = run(&path, scratch.path(), &mut |_| ()).unwrap();
        assert_eq!(report.to_json(), json!({ "l2": 0.5, "l3": 1.0 }), "{}", report.to_misses());
        assert_eq!(report.to_misses().lines().count(), 1, "a line a miss");
    }
}
