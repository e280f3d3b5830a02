//! Questions about statements that replace each other: is the current value what is answered, over one step and over several?
//!
//! A line is `{"size", "facts": ["…"], "sh": [["question", ["answer", …]], …], "mh": […]}`: `facts` are read as
//! [`consolidation`](super::consolidation) reads them, with the same policies; `sh` are questions of one step, `mh` of several. Each is
//! asked through [`Tenant::ask`], after the last sentence. **What is right:** one of the expected answers is contained in the first answer
//! given, both in small letters without marks and articles. A question that is not understood, or of which nothing is known, is wrong.

use super::Event;
use super::consolidation::functional;
use super::source::{EvalError, json_lines, unreadable};
use crate::memory::{Error, ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use crate::model::{Authority, ObservationKind, Source};
use crate::observe::Incoming;
use crate::retrieve::answer::{Outcome, Query};
use crate::time::{AsOf, Instant, KnownAt, Moment, Zone, ZonedInstant};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The first sentence is said then.
const FIRST_SAID: &str = "2020-01-01T00:00:00Z";

/// Between a sentence and the next.
const APART_MICROS: i64 = 60_000_000;

/// Questions asked, and how many were answered rightly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Questions.
    pub questions: usize,
    /// Of those, the ones with the right answer.
    pub right: usize,
    /// Of those, the ones with an answer that is not right.
    pub wrong: usize,
    /// What was not right, in the order of the questions: the question, what was expected and what was answered, tabs between.
    pub misses: Vec<String>,
}

impl Asked {
    /// Questions answered rightly, from 0 to 1; of none, 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of questions are small")]
    pub fn share(&self) -> f64 {
        if self.questions == 0 { 1.0 } else { self.right as f64 / self.questions as f64 }
    }

    /// Counts an outcome; `is_right` says whether the first answer is.
    pub(super) fn count(&mut self, question: &str, expected: &[String], outcome: &Outcome, is_right: impl Fn(&str) -> bool) {
        self.questions += 1;
        let first = match outcome {
            Outcome::Answered(answers) => answers.answers.first().map(|answer| answer.term.to_string()),
            Outcome::NothingKnown(_) | Outcome::NotUnderstood(_) => None,
        };
        if first.as_deref().is_some_and(&is_right) {
            self.right += 1;
            return;
        }
        self.wrong += usize::from(first.is_some());
        self.misses.push(format!("{question}\t{}\t{}", expected.join(" | "), first.unwrap_or_else(|| outcome.to_string())));
    }
}

/// The results by kind of question and size, as `single_hop_6k`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswersReport {
    /// By kind and size.
    pub kinds: BTreeMap<String, Asked>,
}

impl AnswersReport {
    /// One flat object: the share of right answers of each kind and size.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let fields = self.kinds.iter().map(|(kind, asked)| (kind.clone(), json!(asked.share())));
        Value::Object(fields.collect::<Map<String, Value>>())
    }

    /// A row for each kind and size.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut table = format!("{:<18} {:>9} {:>6} {:>6} {:>6}\n", "kind", "questions", "right", "wrong", "share");
        for (kind, asked) in &self.kinds {
            writeln!(table, "{kind:<18} {:>9} {:>6} {:>6} {:>6.3}", asked.questions, asked.right, asked.wrong, asked.share()).ok();
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
    size: Value,
    facts: Vec<String>,
    #[serde(default)]
    sh: Vec<(String, Vec<String>)>,
    #[serde(default)]
    mh: Vec<(String, Vec<String>)>,
}

/// Runs the evaluation on a file (`.gz` is unpacked) with memories below `scratch`, which are removed again.
///
/// # Errors
/// [`EvalError`] if the file cannot be read or holds no questions, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<AnswersReport, EvalError> {
    let mut report = AnswersReport::default();
    let lines = json_lines::<Line>(path)?;
    let total = lines.len() as u64;
    for (done, (_, line)) in (1_u64..).zip(lines) {
        let size = line.size.as_str().map_or_else(|| line.size.to_string(), str::to_owned);
        let folder = scratch.join(format!("answers-{done}"));
        let tenant = told(&line.facts, &folder, true)?;
        for (kind, questions) in [("single_hop", &line.sh), ("multi_hop", &line.mh)] {
            let asked = report.kinds.entry(format!("{kind}_{size}")).or_default();
            for (question, expected) in questions {
                let outcome = ask(&tenant, question, line.facts.len())?;
                let contains = |answer: &str| expected.iter().any(|one| plain(answer).contains(&plain(one)));
                asked.count(question, expected, &outcome, contains);
            }
        }
        drop(tenant);
        fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
        tell(Event::Progress { stage: "sizes", done, total });
    }
    if report.kinds.values().all(|asked| asked.questions == 0) {
        return Err(unreadable(path, &"it holds no questions"));
    }
    Ok(report)
}

/// A new memory that was told the sentences as documents, a minute apart; with each relation functional, or with the shipped policies.
pub(super) fn told(sentences: &[String], folder: &Path, is_functional: bool) -> Result<Tenant, EvalError> {
    let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
    let memory = Memory::open_with(folder, MemoryOptions { clock, memory_budget_bytes: 1 << 30, ..MemoryOptions::default() })?;
    let tenant = memory.tenant(&TenantId::new("answers")?);
    if is_functional {
        functional(&tenant)?;
    }
    let source = Source { authority: Authority::Document, name: None };
    let incoming = (0_i64..).zip(sentences).map(|(minute, sentence)| {
        let said = ZonedInstant::utc(instant(minute)?);
        Ok(Incoming::from_text(ObservationKind::Document, said, source.clone(), sentence.clone()))
    });
    tenant.remember(incoming.collect::<Result<Vec<_>, Error>>()?)?;
    Ok(tenant)
}

/// Asks a question some minutes after the first sentence.
pub(super) fn ask(tenant: &Tenant, question: &str, minutes: usize) -> Result<Outcome, EvalError> {
    let asked_at = instant(i64::try_from(minutes).unwrap_or(i64::MAX))?;
    let as_of = AsOf { valid_at: Moment::exact(asked_at), known_at: KnownAt::Latest };
    Ok(tenant.ask(as_of, &Query { text: question, asked_at, zone: Zone::UTC, asker: "user" })?)
}

fn instant(minutes: i64) -> Result<Instant, Error> {
    let first = Instant::parse(FIRST_SAID).map_err(Error::from)?;
    Ok(Instant::from_micros(first.micros().saturating_add(minutes.saturating_mul(APART_MICROS))))
}

/// A text in small letters without marks and articles.
pub(super) fn plain(text: &str) -> String {
    let letters: String = text.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    letters.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_value_is_right_and_what_it_replaced_is_not() {
        let line = concat!(
            r#"{"size": "tiny", "facts": ["The capital of Eastland is Marl.", "Una Falk is a citizen of Eastland.", "The capital of Eastland is Brod."],"#,
            r#" "sh": [["What is the capital of Eastland?", ["Brod"]], ["Who is the mayor of Marl?", ["Una"]]],"#,
            r#" "mh": [["What is the capital of the country that Una Falk is a citizen of?", ["Brod", "Brod City"]], ["What is the capital of Una Falk's country?", ["Marl"]]]}"#,
        );
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("asked.jsonl");
        fs::write(&path, line).unwrap();
        let report = run(&path, scratch.path(), &mut |_| ()).unwrap();
        assert_eq!(report.to_json(), json!({ "multi_hop_tiny": 0.5, "single_hop_tiny": 0.5 }), "{}", report.to_misses());
        assert_eq!(
            (report.kinds["single_hop_tiny"].wrong, report.kinds["multi_hop_tiny"].wrong),
            (0, 1),
            "nothing known is not a wrong answer"
        );
        assert_eq!(report.to_table().lines().count(), 3, "a line a kind");
        fs::write(&path, r#"{"size": 1, "facts": []}"#).unwrap();
        assert!(run(&path, scratch.path(), &mut |_| ()).is_err(), "a file without questions is none");
    }

    #[test]
    fn answers_are_compared_without_marks_and_articles() {
        assert_eq!(plain("The Port of St. Una"), plain("port of st una"));
    }
}
