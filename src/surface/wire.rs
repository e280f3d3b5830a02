//! The wire: JSON posted to an endpoint over HTTP, with retries, limits and a key that is never printed. Knows nothing of what is asked.

use serde_json::Value;
use std::fmt;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::StatusCode;

/// The first wait between two tries; each later one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);
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

/// The variables that name an endpoint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variables {
    pub(super) url: &'static str,
    pub(super) model: &'static str,
    pub(super) key: &'static str,
}

/// A model at an endpoint, as the environment or a program names it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// Without a slash at its end.
    pub(super) base_url: String,
    pub(super) model: String,
}

impl Variables {
    /// A variable's value, if there is one.
    pub(super) fn given(name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.trim().is_empty())
    }

    /// Holds that the URL is one of HTTP and that the model is named.
    pub(super) fn check(self, base_url: &str, model: &str) -> Result<Named, EndpointError> {
        let base = base_url.trim().trim_end_matches('/');
        if !(base.starts_with("http://") || base.starts_with("https://")) {
            return Err(EndpointError { variable: self.url, reason: format!("{base_url:?} does not begin with http:// or https://") });
        }
        if model.trim().is_empty() {
            return Err(EndpointError { variable: self.model, reason: "no model is named".to_owned() });
        }
        Ok(Named { base_url: base.to_owned(), model: model.trim().to_owned() })
    }
}

/// Where requests go, and how patiently.
#[derive(Clone)]
pub(super) struct Wire {
    agent: Agent,
    url: String,
    key: Option<String>,
    /// How long one try may take.
    timeout: Duration,
    /// How often one request is tried.
    tries: u32,
    /// How long an answer may be, in bytes.
    longest_answer: u64,
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wire").field("url", &self.url).finish_non_exhaustive()
    }
}

/// What came of a request, and after how many tries.
#[derive(Clone, Debug)]
pub(super) struct Posted {
    pub(super) tries: u32,
    /// The answer's text, or why there is none.
    pub(super) answer: Result<String, String>,
}

impl Wire {
    /// To a URL, three tries of a minute each, for an answer of at most 4 MiB.
    pub(super) fn new(url: String, key: Option<String>) -> Self {
        let agent = Agent::config_builder().http_status_as_error(false).build().into();
        Self { agent, url, key, timeout: Duration::from_mins(1), tries: 3, longest_answer: 4 << 20 }
    }

    /// The same, waiting so long for one try.
    pub(super) fn waiting(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The same, trying so often.
    pub(super) fn trying(self, tries: u32) -> Self {
        Self { tries: tries.max(1), ..self }
    }

    /// The same, for an answer of so many bytes.
    pub(super) fn reading(self, longest_answer: u64) -> Self {
        Self { longest_answer, ..self }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Posts until there is an answer, no further try can help, or the tries or the time are spent. Waits between tries.
    #[expect(clippy::disallowed_methods, reason = "how long to wait for others; no fact depends on it")]
    pub(super) fn post(&self, body: &Value, within: Option<Duration>) -> Posted {
        let began = Instant::now();
        let left = || within.map_or(Duration::MAX, |within| within.saturating_sub(began.elapsed()));
        let body = body.to_string();
        let mut wait = FIRST_WAIT;
        for tries in 1.. {
            match self.try_once(&body, self.timeout.min(left())) {
                Err((true, _)) if tries < self.tries && wait < left() => {
                    std::thread::sleep(wait);
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
                answer => return Posted { tries, answer: answer.map_err(|(_, reason)| reason) },
            }
        }
        Posted { tries: u32::MAX, answer: Err("every try is spent".to_owned()) }
    }

    /// One try; whether another one may help is in the error.
    fn try_once(&self, body: &str, timeout: Duration) -> Result<String, (bool, String)> {
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let request = request.config().timeout_global(Some(timeout)).build();
        let mut response = request.send(body).map_err(|error| (true, error.to_string()))?;
        let status = response.status();
        let read = response.body_mut().with_config().limit(self.longest_answer).read_to_string();
        let text = read.map_err(|error| (!matches!(error, ureq::Error::BodyExceedsLimit(_)), error.to_string()))?;
        if status.is_success() {
            return Ok(text);
        }
        let again = status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        Err((again, format!("it answered {}: {}", status.as_u16(), text.chars().take(200).collect::<String>())))
    }
}
