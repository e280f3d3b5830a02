//! Recorded answers of a language model: what a scenario's extractor says in its place. Knows no observation; it goes by the words asked.

use super::super::EvalError;
use super::super::source::{json_lines, malformed};
use crate::extract::Cost;
use crate::extract::llm::{ChatModel, Completion, Llm, ModelFailure, Request};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub(super) const REPLIES: &str = "replies.jsonl";

/// What is charged for any call: enough to see that one was made.
const CALL: Cost = Cost { calls: 1, prompt_tokens: 0, completion_tokens: 0, micros: 0 };

/// One line of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Words of the request that it answers; any request if it says nothing.
    #[serde(default)]
    asked: String,
    /// What the model says: a text as it stands, anything else as JSON.
    answer: Option<Value>,
    /// Why there is no answer.
    failure: Option<String>,
    /// How often it is given.
    #[serde(default = "once")]
    times: usize,
}

const fn once() -> usize {
    1
}

/// The recorded answers, each of which is given as often as it says, in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct Replies(Vec<Line>);

impl Replies {
    /// Reads the file; `None` where there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, EvalError> {
        if !path.is_file() {
            return Ok(None);
        }
        let lines = json_lines::<Line>(path)?;
        if let Some((number, _)) = lines.iter().find(|(_, line)| line.answer.is_some() == line.failure.is_some()) {
            return Err(malformed(path, *number, "it needs either \"answer\" or \"failure\""));
        }
        Ok(Some(Self(lines.into_iter().map(|(_, line)| line).collect())))
    }

    /// An extractor that goes by them, with a call for each observation.
    pub(super) fn extractor(&self) -> Llm<Recorded> {
        Llm::new(Recorded(Mutex::new(self.0.clone()))).in_batches_of(1)
    }
}

/// A model that says what was recorded, and fails where nothing was.
#[derive(Debug)]
pub(super) struct Recorded(Mutex<Vec<Line>>);

impl ChatModel for Recorded {
    fn complete(&self, request: &Request) -> Result<Completion, ModelFailure> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |reason: String| ModelFailure { reason, cost: CALL };
        let next = left.iter_mut().find(|line| line.times > 0 && request.user.contains(&line.asked));
        let line = next.ok_or_else(|| failed(format!("no answer is recorded in {REPLIES}")))?;
        line.times -= 1;
        match (line.answer.clone(), line.failure.clone()) {
            (Some(Value::String(text)), _) => Ok(Completion { text, cost: CALL }),
            (Some(json), _) => Ok(Completion { text: json.to_string(), cost: CALL }),
            (None, failure) => Err(failed(failure.unwrap_or_default())),
        }
    }
}
