//! A language model at an OpenAI-compatible chat endpoint. Knows no claim.

use super::wire::{EndpointError, Named, Posted, Variables, Wire};
use crate::extract::Cost;
use crate::extract::llm::{ChatModel, Completion, ModelFailure, Request};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt;
use std::time::{Duration, Instant};

const VARIABLES: Variables = Variables { url: "ERSTWHILE_LLM_URL", model: "ERSTWHILE_LLM_MODEL", key: "ERSTWHILE_LLM_KEY" };

/// An OpenAI-compatible chat endpoint: `OpenAI`'s own, Ollama, vLLM, llama.cpp and others. The key is never printed.
#[derive(Clone)]
pub struct Endpoint {
    wire: Wire,
    model: String,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("url", &self.wire.url()).field("model", &self.model).finish_non_exhaustive()
    }
}

impl Endpoint {
    /// An endpoint at a base URL (`https://api.openai.com/v1`, `http://localhost:11434/v1`), for a model. Waits 60 s for an answer and tries
    /// three times.
    ///
    /// # Errors
    /// [`EndpointError`] if the URL is none of HTTP, or the model is not named.
    pub fn new(base_url: &str, model: &str, key: Option<String>) -> Result<Self, EndpointError> {
        let Named { base_url, model } = VARIABLES.check(base_url, model)?;
        Ok(Self { wire: Wire::new(format!("{base_url}/chat/completions"), key), model })
    }

    /// The endpoint that the environment names: `ERSTWHILE_LLM_URL`, `ERSTWHILE_LLM_MODEL` and, where one is needed, `ERSTWHILE_LLM_KEY`;
    /// `None` if there is no URL.
    ///
    /// # Errors
    /// As [`Endpoint::new`].
    pub fn from_environment() -> Result<Option<Self>, EndpointError> {
        let Some(url) = Variables::given(VARIABLES.url) else { return Ok(None) };
        let model = Variables::given(VARIABLES.model).unwrap_or_default();
        Self::new(&url, &model, Variables::given(VARIABLES.key)).map(Some)
    }

    /// The same, waiting so long for an answer.
    #[must_use]
    pub fn waiting(self, timeout: Duration) -> Self {
        Self { wire: self.wire.waiting(timeout), ..self }
    }

    /// The same, trying so often.
    #[must_use]
    pub fn trying(self, tries: u32) -> Self {
        Self { wire: self.wire.trying(tries), ..self }
    }
}

#[derive(Deserialize)]
struct Answer {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    prompt_tokens: u64,
    completion_tokens: u64,
}

impl ChatModel for Endpoint {
    #[expect(clippy::disallowed_methods, reason = "how long an answer took is part of its cost; no fact depends on it")]
    fn complete(&self, request: &Request) -> Result<Completion, ModelFailure> {
        let began = Instant::now();
        let schema: Value = serde_json::from_str(&request.schema).unwrap_or_default();
        let body = json!({
            "model": self.model,
            "temperature": 0,
            "messages": [{ "role": "system", "content": request.system }, { "role": "user", "content": request.user }],
            "response_format": { "type": "json_schema", "json_schema": { "name": "claims", "strict": true, "schema": schema } },
        });
        let Posted { tries, answer } = self.wire.post(&body, None);
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let cost = Cost { calls: u64::from(tries), micros, ..Cost::default() };
        let failed = |reason: String, cost: Cost| ModelFailure { reason: format!("{}: {reason}", self.wire.url()), cost };
        let text = answer.map_err(|reason| failed(reason, cost))?;
        let Answer { choices, usage } =
            serde_json::from_str(&text).map_err(|error| failed(format!("its answer is no chat completion: {error}"), cost))?;
        let Usage { prompt_tokens, completion_tokens } = usage.unwrap_or_default();
        let cost = Cost { prompt_tokens, completion_tokens, ..cost };
        let text = choices.into_iter().find_map(|choice| choice.message.content);
        text.map(|text| Completion { text, cost }).ok_or_else(|| failed("it answered without words".to_owned(), cost))
    }
}
