//! The wire: an OpenAI-compatible chat endpoint over HTTP, with retries. Knows no claim.

use crate::extract::Cost;
use crate::extract::llm::{ChatModel, Completion, ModelFailure, Request};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::StatusCode;

/// An answer is not longer.
const LONGEST_ANSWER: u64 = 4 << 20;
/// The longest wait between two tries.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What is wrong with the settings of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointError {
    /// The variable that says it.
    pub variable: &'static str,
    /// What is wrong with its value.
    pub reason: String,
}

impl fmt::Display for EndpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.variable, self.reason)
    }
}

impl std::error::Error for EndpointError {}

/// An OpenAI-compatible chat endpoint: `OpenAI`'s own, Ollama, vLLM, llama.cpp and others. The key is never printed.
#[derive(Clone)]
pub struct Endpoint {
    agent: Agent,
    url: String,
    model: String,
    key: Option<String>,
    tries: u32,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("url", &self.url).field("model", &self.model).finish_non_exhaustive()
    }
}

impl Endpoint {
    /// An endpoint at a base URL (`https://api.openai.com/v1`, `http://localhost:11434/v1`), for a model. Waits 60 s for an answer and tries
    /// three times.
    ///
    /// # Errors
    /// [`EndpointError`] if the URL is none of HTTP, or the model is not named.
    pub fn new(base_url: &str, model: &str, key: Option<String>) -> Result<Self, EndpointError> {
        let base = base_url.trim().trim_end_matches('/');
        if !(base.starts_with("http://") || base.starts_with("https://")) {
            return Err(EndpointError { variable: URL, reason: format!("{base_url:?} does not begin with http:// or https://") });
        }
        if model.trim().is_empty() {
            return Err(EndpointError { variable: MODEL, reason: "no model is named".to_owned() });
        }
        let this = Self {
            agent: agent(Duration::from_mins(1)),
            url: format!("{base}/chat/completions"),
            model: model.trim().to_owned(),
            key,
            tries: 3,
        };
        Ok(this)
    }

    /// The endpoint that the environment names: `ERSTWHILE_LLM_URL`, `ERSTWHILE_LLM_MODEL` and, where one is needed, `ERSTWHILE_LLM_KEY`;
    /// `None` if there is no URL.
    ///
    /// # Errors
    /// As [`Endpoint::new`].
    pub fn from_environment() -> Result<Option<Self>, EndpointError> {
        let given = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let Some(url) = given(URL) else { return Ok(None) };
        Self::new(&url, &given(MODEL).unwrap_or_default(), given(KEY)).map(Some)
    }

    /// The same, waiting so long for an answer.
    #[must_use]
    pub fn waiting(self, timeout: Duration) -> Self {
        Self { agent: agent(timeout), ..self }
    }

    /// The same, trying so often.
    #[must_use]
    pub fn trying(self, tries: u32) -> Self {
        Self { tries: tries.max(1), ..self }
    }

    /// One try; whether another one may help is in the error.
    fn ask(&self, body: &Value) -> Result<Answer, (bool, String)> {
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut response = request.send(body.to_string()).map_err(|error| (true, error.to_string()))?;
        let status = response.status();
        let text = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_string().map_err(|error| (true, error.to_string()))?;
        if !status.is_success() {
            let again = status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
            return Err((again, format!("it answered {}: {}", status.as_u16(), text.chars().take(200).collect::<String>())));
        }
        serde_json::from_str(&text).map_err(|error| (false, format!("its answer is no chat completion: {error}")))
    }
}

const URL: &str = "ERSTWHILE_LLM_URL";
const MODEL: &str = "ERSTWHILE_LLM_MODEL";
const KEY: &str = "ERSTWHILE_LLM_KEY";

fn agent(timeout: Duration) -> Agent {
    Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false).build().into()
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
        let mut wait = Duration::from_millis(500);
        let mut calls = 0;
        loop {
            calls += 1;
            let answer = self.ask(&body);
            let cost = Cost { calls, micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX), ..Cost::default() };
            match answer {
                Ok(Answer { choices, usage }) => {
                    let Usage { prompt_tokens, completion_tokens } = usage.unwrap_or_default();
                    let cost = Cost { prompt_tokens, completion_tokens, ..cost };
                    let text = choices.into_iter().find_map(|choice| choice.message.content);
                    return text
                        .map(|text| Completion { text, cost })
                        .ok_or_else(|| ModelFailure { reason: format!("{} answered without words", self.url), cost });
                }
                Err((again, _)) if again && calls < u64::from(self.tries) => {
                    std::thread::sleep(wait);
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
                Err((_, reason)) => return Err(ModelFailure { reason: format!("{}: {reason}", self.url), cost }),
            }
        }
    }
}
