//! An embedder at an OpenAI-compatible endpoint. Owns what goes into one request and how its answer is read. Knows no passage.

use super::wire::{EndpointError, Named, Variables, Wire};
use crate::text::{EmbedError, Embedder};
use serde::Deserialize;
use serde_json::json;
use std::fmt;
use std::time::{Duration, Instant};

const VARIABLES: Variables = Variables { url: "ERSTWHILE_EMBED_URL", model: "ERSTWHILE_EMBED_MODEL", key: "ERSTWHILE_EMBED_KEY" };

/// So many texts go into one request.
const REQUEST_TEXTS: usize = 64;
/// So many characters of text go into one request; a longer text goes alone.
const REQUEST_CHARACTERS: usize = 64_000;
/// What is longer is cut: endpoints refuse a request with a text that is too long for the model, 8,192 tokens as a rule.
const TEXT_CHARACTERS: usize = 8_000;
/// A vector does not have more numbers.
const MOST_DIMENSIONS: usize = 1 << 14;
/// 64 vectors of 16,384 numbers, as text.
const LONGEST_ANSWER: u64 = 32 << 20;

/// An OpenAI-compatible endpoint for embeddings: `OpenAI`'s own, Ollama, vLLM, llama.cpp, text-embeddings-inference and others. The key
/// is never printed.
///
/// ```no_run
/// use erstwhile::surface::EmbeddingEndpoint;
/// use erstwhile::text::Embedder;
///
/// let endpoint = EmbeddingEndpoint::new("http://localhost:11434/v1", "all-minilm", None)?.connect(None)?;
/// assert_eq!(endpoint.embed(&["Ana moved to Turin."])?[0].len(), endpoint.dimensions());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EmbeddingEndpoint {
    wire: Wire,
    model: String,
    /// How long the texts of one call may take, requests and waits together.
    within: Duration,
    /// 0 until it is known.
    dimensions: usize,
}

impl fmt::Debug for EmbeddingEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddingEndpoint").field("url", &self.wire.url()).field("model", &self.model).finish_non_exhaustive()
    }
}

impl EmbeddingEndpoint {
    /// An endpoint at a base URL (`https://api.openai.com/v1`), for a model. Each request has three tries of 60 s, and what one call needs
    /// may take ten minutes. To be connected before it is used.
    ///
    /// # Errors
    /// [`EndpointError`] if the URL is none of HTTP, or the model is not named.
    pub fn new(base_url: &str, model: &str, key: Option<String>) -> Result<Self, EndpointError> {
        let Named { base_url, model } = VARIABLES.check(base_url, model)?;
        let wire = Wire::new(format!("{base_url}/embeddings"), key).reading(LONGEST_ANSWER);
        Ok(Self { wire, model, within: Duration::from_mins(10), dimensions: 0 })
    }

    /// The endpoint that the environment names: `ERSTWHILE_EMBED_URL`, `ERSTWHILE_EMBED_MODEL` and, where one is needed,
    /// `ERSTWHILE_EMBED_KEY`; `None` if there is no URL. To be connected before it is used.
    ///
    /// # Errors
    /// As [`EmbeddingEndpoint::new`].
    pub fn from_environment() -> Result<Option<Self>, EndpointError> {
        let Some(url) = Variables::given(VARIABLES.url) else { return Ok(None) };
        let model = Variables::given(VARIABLES.model).unwrap_or_default();
        Self::new(&url, &model, Variables::given(VARIABLES.key)).map(Some)
    }

    /// The same, waiting so long for the answer to one request.
    #[must_use]
    pub fn waiting(self, timeout: Duration) -> Self {
        Self { wire: self.wire.waiting(timeout), ..self }
    }

    /// The same, trying each request so often.
    #[must_use]
    pub fn trying(self, tries: u32) -> Self {
        Self { wire: self.wire.trying(tries), ..self }
    }

    /// The same, giving up on the texts of one call after so long.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// The same, knowing how many numbers a vector has: as given, or else asked for with one short text.
    ///
    /// # Errors
    /// [`EmbedError`] if the endpoint does not answer, or the number is not between 1 and 16,384.
    pub fn connect(self, dimensions: Option<usize>) -> Result<Self, EmbedError> {
        let dimensions = match dimensions {
            Some(dimensions) => dimensions,
            None => self.ask(&["dimensions"], self.within)?.first().map_or(0, Vec::len),
        };
        if !(1..=MOST_DIMENSIONS).contains(&dimensions) {
            return Err(self.failed(format!("vectors of {dimensions} numbers, and not of 1 to {MOST_DIMENSIONS}")));
        }
        Ok(Self { dimensions, ..self })
    }

    fn failed(&self, reason: impl fmt::Display) -> EmbedError {
        EmbedError { embedder: self.model.clone(), reason: format!("{}: {reason}", self.wire.url()) }
    }

    /// The vectors of one request, in the order of the texts.
    fn ask(&self, texts: &[&str], within: Duration) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = json!({ "model": self.model, "input": texts, "encoding_format": "float" });
        let text = self.wire.post(&body, Some(within)).answer.map_err(|reason| self.failed(reason))?;
        let answer: Answer =
            serde_json::from_str(&text).map_err(|error| self.failed(format!("its answer is no list of embeddings: {error}")))?;
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts.len()];
        for (at, one) in answer.data.into_iter().enumerate() {
            let at = one.index.unwrap_or(at);
            match vectors.get_mut(at) {
                Some(place @ None) => *place = Some(one.embedding),
                Some(Some(_)) => return Err(self.failed(format!("it gave two vectors for text {at}"))),
                None => return Err(self.failed(format!("it gave a vector for text {at} of {}", texts.len()))),
            }
        }
        let complete = vectors.into_iter().enumerate().map(|(at, vector)| {
            let vector = vector.ok_or_else(|| self.failed(format!("it gave no vector for text {at} of {}", texts.len())))?;
            if self.dimensions > 0 && vector.len() != self.dimensions {
                return Err(self.failed(format!("it gave {} numbers for text {at}, and not {}", vector.len(), self.dimensions)));
            }
            Ok(vector)
        });
        complete.collect()
    }
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<One>,
}

#[derive(Deserialize)]
struct One {
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Embedder for EmbeddingEndpoint {
    fn name(&self) -> &str {
        &self.model
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    #[expect(clippy::disallowed_methods, reason = "how long to wait for others; no fact depends on it")]
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let began = Instant::now();
        let sent: Vec<&str> = texts.iter().map(|text| sendable(text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = sent.as_slice();
        while !rest.is_empty() {
            let (request, after) = rest.split_at(request_length(rest));
            let left = self.within.saturating_sub(began.elapsed());
            if left.is_zero() {
                let seconds = self.within.as_secs_f64();
                return Err(self.failed(format!("{seconds} s are spent, with vectors for {} of {} texts", vectors.len(), texts.len())));
            }
            vectors.extend(self.ask(request, left)?);
            rest = after;
        }
        Ok(vectors)
    }
}

/// A text as it is sent: not too long, and never empty, since endpoints refuse both.
fn sendable(text: &str) -> &str {
    let end = text.char_indices().nth(TEXT_CHARACTERS).map_or(text.len(), |(end, _)| end);
    let cut = text.get(..end).unwrap_or(text);
    if cut.is_empty() { " " } else { cut }
}

/// How many of the texts go into the next request: at least one.
fn request_length(texts: &[&str]) -> usize {
    let mut characters = 0;
    let fit = texts.iter().take(REQUEST_TEXTS).take_while(|text| {
        characters += text.chars().count();
        characters <= REQUEST_CHARACTERS
    });
    fit.count().max(1).min(texts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_sent_short_enough_and_never_empty() {
        assert_eq!((sendable(""), sendable("京")), (" ", "京"));
        assert_eq!(sendable(&"京".repeat(9_000)).chars().count(), TEXT_CHARACTERS);
    }

    #[test]
    fn a_request_holds_so_many_texts_and_so_many_characters_and_at_least_one_text() {
        assert_eq!(request_length(&["a"; 100]), REQUEST_TEXTS);
        let long = "a".repeat(30_000);
        assert_eq!(request_length(&[&long, &long, &long]), 2);
        let longer = "a".repeat(70_000);
        assert_eq!(request_length(&[&longer, &long]), 1);
        assert_eq!(request_length(&[]), 0);
    }
}
