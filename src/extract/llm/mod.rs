//! A language model as an extractor: it proposes, and never disposes.
//!
//! Owns what is asked of a model, how its answer is read, and what of it is taken: a claim must quote the observation, and date itself by
//! words that stand there. Knows no wire; whoever carries the request is a [`ChatModel`]. What a model proposes goes the way of every
//! other claim: the write policy judges it, and the timeline rules alone decide what holds.

mod ground;
mod prompt;
mod reply;

pub use reply::{Proposal, Quarantined, Reply, read_reply};

use super::{Context, Cost, Extraction, Extractor, RejectedCandidate, RejectionKind};
use crate::observe::Incoming;
use std::sync::Mutex;
use std::{fmt, sync::PoisonError};

/// The name of the extractor, as claims record it.
pub const LLM: &str = "llm";

/// What is asked of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it is to do, and the relations there are.
    pub system: String,
    /// The observations, as JSON.
    pub user: String,
    /// The JSON schema of the answer, as JSON.
    pub schema: String,
}

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Its words.
    pub text: String,
    /// What they cost.
    pub cost: Cost,
}

/// Why a model did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFailure {
    /// Why, naming the endpoint.
    pub reason: String,
    /// What was spent all the same.
    pub cost: Cost,
}

/// Carries a request to a model and brings its answer back.
pub trait ChatModel: Send + Sync {
    /// Asks once; retries of the same request are its own business and in the cost.
    ///
    /// # Errors
    /// [`ModelFailure`] where there is no answer.
    fn complete(&self, request: &Request) -> Result<Completion, ModelFailure>;
}

/// How much may be spent before nothing more is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Tokens, of requests and answers together.
    pub tokens: u64,
    /// Microseconds of waiting.
    pub micros: u64,
}

impl Default for Budget {
    /// Two million tokens, an hour.
    fn default() -> Self {
        Self { tokens: 2_000_000, micros: 3_600_000_000 }
    }
}

/// Reads observations through a model: at most one call for each, and one for several where they fit.
///
/// What it finds is only proposed: see [`Extractor`]. Where the model does not answer, or the budget is spent, the extraction says so
/// ([`Extraction::failure`]), and the observation waits.
///
/// ```
/// use erstwhile::extract::llm::{ChatModel, Completion, Llm, ModelFailure, Request};
/// use erstwhile::extract::{Context, Extractor};
/// use erstwhile::model::{Authority, ObservationKind, Source};
/// use erstwhile::time::ZonedInstant;
/// use erstwhile::Incoming;
///
/// struct Recorded(&'static str);
/// impl ChatModel for Recorded {
///     fn complete(&self, _request: &Request) -> Result<Completion, ModelFailure> {
///         Ok(Completion { text: self.0.to_owned(), ..Completion::default() })
///     }
/// }
///
/// let user = Source { authority: Authority::User, name: Some("Ida".to_owned()) };
/// let turn = Incoming::from_text(ObservationKind::Chat, ZonedInstant::parse("2024-05-01T09:00:00Z")?, user, "We moved to Basel in March.");
/// let answer = r#"Here you are: {"claims": [
///     {"observation": 0, "head": "Ida", "relation": "lives_in", "tail": "Basel", "quote": "moved to Basel", "from": "in March"},
///     {"observation": 0, "head": "Ida", "relation": "lives_in", "tail": "Bonn", "quote": "moved to Bonn"},]}"#;
/// let extraction = Llm::new(Recorded(answer)).extract(&turn, &Context::default());
/// assert_eq!(extraction.claims.len(), 1);
/// assert_eq!(extraction.claims[0].span.to_string(), "2024-03/..");
/// assert!(extraction.rejected[0].reason.contains("moved to Bonn")); // Nobody said so.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Llm<M> {
    model: M,
    budget: Budget,
    batch: usize,
    spent: Mutex<Cost>,
}

impl<M> fmt::Debug for Llm<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Llm").field("budget", &self.budget).field("batch", &self.batch).finish_non_exhaustive()
    }
}

/// So many characters of text go into one request; what is longer goes alone.
const REQUEST_CHARACTERS: usize = 12_000;

impl<M: ChatModel> Llm<M> {
    /// Reads through a model, with the default budget, up to eight observations a call.
    pub fn new(model: M) -> Self {
        Self { model, budget: Budget::default(), batch: 8, spent: Mutex::default() }
    }

    /// The same with another budget, which counts from the first request of this value.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same with up to so many observations a call.
    #[must_use]
    pub fn in_batches_of(self, batch: usize) -> Self {
        Self { batch: batch.max(1), ..self }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Cost {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing more may be asked, if so.
    fn exhausted(&self) -> Option<String> {
        let spent = self.spent();
        let tokens = spent.prompt_tokens + spent.completion_tokens;
        if tokens >= self.budget.tokens {
            return Some(format!("the budget of {} tokens is spent ({tokens})", self.budget.tokens));
        }
        (spent.micros >= self.budget.micros).then(|| format!("the budget of {} s is spent", self.budget.micros / 1_000_000))
    }

    fn pay(&self, cost: Cost) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent = spent.plus(cost);
    }

    /// Reads what one request holds.
    fn read(&self, jobs: &[(&Incoming, Context<'_>)]) -> Vec<Extraction> {
        let failed = |reason: String, cost: Cost| {
            let cost = |at: usize| if at == 0 { cost } else { Cost::default() };
            (0..jobs.len()).map(|at| Extraction { failure: Some(reason.clone()), cost: cost(at), ..Extraction::default() }).collect()
        };
        if let Some(reason) = self.exhausted() {
            return failed(reason, Cost::default());
        }
        let completion = match self.model.complete(&prompt::request(jobs)) {
            Ok(completion) => completion,
            Err(ModelFailure { reason, cost }) => {
                self.pay(cost);
                return failed(reason, cost);
            }
        };
        self.pay(completion.cost);
        let reply = match read_reply(&completion.text) {
            Ok(reply) => reply,
            Err(reason) => return failed(format!("the model's answer cannot be read: {reason}"), completion.cost),
        };
        let mut extractions = vec![Extraction::default(); jobs.len()];
        if let Some(first) = extractions.first_mut() {
            first.cost = completion.cost;
        }
        for proposal in reply.proposals {
            if let (Some((incoming, context)), Some(extraction)) =
                (jobs.get(proposal.observation), extractions.get_mut(proposal.observation))
            {
                match ground::claim(&proposal, &incoming.observation, context) {
                    Ok(claim) if extraction.claims.contains(&claim) => {}
                    Ok(claim) => extraction.claims.push(claim),
                    Err((kind, reason)) => reject(extraction, kind, reason),
                }
            } else {
                let reason = format!("there is no observation {}: {proposal}", proposal.observation);
                extractions.first_mut().into_iter().for_each(|first| reject(first, RejectionKind::Malformed, reason.clone()));
            }
        }
        for bad in reply.quarantined {
            extractions.first_mut().into_iter().for_each(|first| reject(first, RejectionKind::Malformed, bad.to_string()));
        }
        extractions
    }
}

fn reject(extraction: &mut Extraction, kind: RejectionKind, reason: String) {
    let ordinal = u32::try_from(extraction.claims.len() + extraction.rejected.len()).unwrap_or(u32::MAX);
    extraction.rejected.push(RejectedCandidate { ordinal, field: None, kind, reason });
}

impl<M: ChatModel> Extractor for Llm<M> {
    fn name(&self) -> &'static str {
        LLM
    }

    fn extract(&self, incoming: &Incoming, context: &Context<'_>) -> Extraction {
        self.extract_all(&[(incoming, *context)]).pop().unwrap_or_default()
    }

    fn extract_all(&self, jobs: &[(&Incoming, Context<'_>)]) -> Vec<Extraction> {
        let mut extractions = Vec::with_capacity(jobs.len());
        let mut rest = jobs;
        while !rest.is_empty() {
            let mut characters = 0;
            let fits = |(incoming, _): &&(&Incoming, Context<'_>)| {
                characters += incoming.observation.text.as_deref().map_or(0, str::len);
                characters <= REQUEST_CHARACTERS
            };
            let many = rest.iter().take(self.batch).take_while(fits).count().max(1);
            let (now, later) = rest.split_at(many);
            extractions.extend(self.read(now));
            rest = later;
        }
        extractions
    }
}

#[cfg(test)]
mod tests;
