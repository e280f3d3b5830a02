//! Recorded answers read, held against what was said, and a model that fails.

use super::*;
use crate::model::{Authority, ObservationKind, Polarity, Source};
use crate::time::ZonedInstant;
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Answers in turn with what was recorded, and counts how often it was asked.
struct Recorded {
    answers: Vec<Result<Completion, ModelFailure>>,
    asked: AtomicU64,
}

impl Recorded {
    fn new(answers: &[&str]) -> Self {
        let cost = Cost { calls: 1, prompt_tokens: 100, completion_tokens: 20, micros: 1_000 };
        let answers = answers.iter().map(|text| Ok(Completion { text: (*text).to_owned(), cost })).collect();
        Self { answers, asked: AtomicU64::new(0) }
    }

    fn failing() -> Self {
        let failure = ModelFailure { reason: "nobody listens".to_owned(), cost: Cost { calls: 3, ..Cost::default() } };
        Self { answers: vec![Err(failure)], asked: AtomicU64::new(0) }
    }
}

impl ChatModel for Recorded {
    fn complete(&self, _request: &Request) -> Result<Completion, ModelFailure> {
        let asked = usize::try_from(self.asked.fetch_add(1, Ordering::Relaxed)).unwrap();
        self.answers[asked % self.answers.len()].clone()
    }
}

fn turn(text: &str) -> Incoming {
    let source = Source { authority: Authority::User, name: Some("Ida".to_owned()) };
    Incoming::from_text(ObservationKind::Chat, ZonedInstant::parse("2024-05-01T09:00:00+02:00").unwrap(), source, text)
}

fn said(text: &str, answer: &str) -> Extraction {
    Llm::new(Recorded::new(&[answer])).extract(&turn(text), &Context::default())
}

#[test]
fn answers_are_read_in_whatever_they_are_wrapped() {
    let claim = r#"{"head": "Ida", "relation": "lives_in", "tail": "Basel", "quote": "I live in Basel"}"#;
    for answer in [
        format!("{{\"claims\": [{claim}]}}"),
        format!("[{claim}]"),
        claim.to_owned(),
        format!("```json\n{{\"claims\": [{claim}]}}\n```"),
        format!("Of course! Here are the claims: {{\"claims\": [{claim},]}} I hope this helps."),
        format!("{{\"claims\": [{claim}"),
        format!("{{\"claims\": [{}]}}", claim.replace('"', "\u{201d}")),
        format!("{{\"claims\": [ // one\n{claim}]}}"),
        format!("{{\"facts\": [{}]}}", claim.replace("head", "subject").replace("relation", "predicate").replace("tail", "object")),
    ] {
        let extraction = said("I live in Basel.", &answer);
        assert_eq!((extraction.claims.len(), extraction.rejected.len(), &extraction.failure), (1, 0, &None), "{answer}");
        assert_eq!(extraction.claims[0].quote, Some(crate::model::Quote { from: 0, to: 15 }));
        assert_eq!(extraction.claims[0].extractor, LLM);
    }
    for (answer, reason) in [("", "empty"), ("I would rather not.", "no JSON"), ("{\"claims\": 7}", "no list"), ("{\"x\": 1}", "claims")] {
        let extraction = said("I live in Basel.", answer);
        assert!(extraction.failure.as_deref().is_some_and(|failure| failure.contains(reason)), "{answer}: {extraction:?}");
    }
}

#[test]
fn what_cannot_be_a_claim_is_put_aside_and_the_rest_is_taken() {
    let answer = r#"{"claims": [
        {"head": "Ida", "relation": "lives_in", "tail": "Basel", "quote": "I live in Basel", "polarity": "perhaps"},
        {"head": "Ida", "relation": "lives_in", "tail": "Basel"},
        {"head": ["Ida"], "relation": "lives_in", "tail": "Basel", "quote": "I live in Basel"},
        {"head": "Ida", "relation": "lives_in", "tail": "Basel", "quote": "I live in Basel", "confidence": 7},
        {"observation": 9, "head": "Ida", "relation": "lives_in", "tail": "Basel", "quote": "I live in Basel"},
        {"observation": -1, "head": "Ida", "relation": "lives_in", "tail": "Basel", "quote": "I live in Basel"},
        "Basel",
        {"observation": "0", "head": "Ida", "relation": "age", "tail": 41, "quote": "I am 41", "confidence": "0.9"}]}"#;
    let extraction = said("I live in Basel. I am 41.", answer);
    assert_eq!(extraction.claims.len(), 1, "{extraction:?}");
    assert_eq!((extraction.claims[0].tail.to_string(), extraction.claims[0].confidence), ("41".to_owned(), 0.9));
    let reasons: Vec<&str> = extraction.rejected.iter().map(|one| one.reason.as_str()).collect();
    assert_eq!(reasons.len(), 7, "{reasons:#?}");
    for named in [
        "polarity: \"perhaps\"",
        "quote is missing",
        "head: [\"Ida\"]",
        "confidence: 7",
        "no observation 9",
        "observation: -1",
        "\"Basel\" is no claim",
    ] {
        assert!(reasons.iter().any(|reason| reason.contains(named)), "{named}: {reasons:#?}");
    }
}

#[test]
fn a_claim_stands_on_words_and_dates_of_the_observation_or_falls() {
    let text = "I moved to Basel in March. Before that I was in Bonn until 2019.";
    let claim = |tail: &str, quote: &str, dates: &str| {
        format!(r#"{{"claims": [{{"head": "Ida", "relation": "lives_in", "tail": "{tail}", "quote": "{quote}"{dates}}}]}}"#)
    };
    let span = |dates: &str| {
        let extraction = said(text, &claim("Basel", "moved to Basel", dates));
        extraction.claims.first().map(|claim| claim.span.to_string()).ok_or_else(|| extraction.rejected[0].reason.clone())
    };
    assert_eq!(span(r#", "from": "in March""#).unwrap(), "[2024-02-29T22:00:00Z, 2024-03-31T22:00:00Z)/..");
    assert_eq!(span(r#", "from": "2024-03""#).unwrap(), span(r#", "from": "March""#).unwrap(), "the same date in other words");
    assert!(span(r#", "from": "2021""#).unwrap_err().contains("2021"), "nobody said so");
    assert!(span(r#", "from": "a while ago""#).unwrap_err().contains("from"));
    for (tail, quote) in [("Bern", "moved to Basel"), ("Basel", "moved to Bern")] {
        let extraction = said(text, &claim(tail, quote, ""));
        assert_eq!((extraction.claims.len(), extraction.rejected[0].kind), (0, RejectionKind::Ungrounded), "{tail}, {quote}");
    }
    let ended = said(text, &claim("Bonn", "in Bonn until 2019", r#", "polarity": "ends", "to": "until 2019""#));
    assert_eq!(ended.claims[0].polarity, Polarity::Ends, "{ended:?}");
    assert_eq!(ended.claims[0].seen_at, None);
}

#[test]
fn several_observations_go_into_one_call_and_never_more_than_one_each() {
    let turns = [turn("I live in Basel."), turn("I live in Bonn."), turn("I live in Bern.")];
    let jobs: Vec<_> = turns.iter().map(|turn| (turn, Context::default())).collect();
    let answer = r#"{"claims": [{"observation": 1, "head": "Ida", "relation": "lives_in", "tail": "Bonn", "quote": "live in Bonn"}]}"#;
    let llm = Llm::new(Recorded::new(&[answer]));
    let extractions = llm.extract_all(&jobs);
    assert_eq!(extractions.iter().map(|one| one.claims.len()).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(llm.model.asked.load(Ordering::Relaxed), 1);
    assert_eq!(llm.spent(), Cost { calls: 1, prompt_tokens: 100, completion_tokens: 20, micros: 1_000 });
    let alone = Llm::new(Recorded::new(&["[]"])).in_batches_of(1);
    alone.extract_all(&jobs);
    assert_eq!(alone.model.asked.load(Ordering::Relaxed), 3);
}

#[test]
fn a_model_that_fails_and_a_budget_that_is_spent_leave_the_observation_waiting() {
    let failing = Llm::new(Recorded::failing());
    let extraction = failing.extract(&turn("I live in Basel."), &Context::default());
    assert_eq!((extraction.failure.as_deref(), extraction.cost.calls), (Some("nobody listens"), 3));
    let spent = Llm::new(Recorded::new(&["[]"])).with_budget(Budget { tokens: 100, ..Budget::default() });
    assert_eq!(spent.extract(&turn("Hello."), &Context::default()).failure, None);
    let extraction = spent.extract(&turn("Hello again."), &Context::default());
    assert!(extraction.failure.is_some_and(|failure| failure.contains("100 tokens")), "the first call spent it");
    assert_eq!(spent.model.asked.load(Ordering::Relaxed), 1, "and nothing more was asked");
}

proptest! {
    #[test]
    fn no_answer_makes_it_panic(answer in "\\PC{0,80}|[\\[\\]{}\",:a-z0-9\u{201c}\u{201d}/\\\\\n]{0,80}", text in "\\PC{0,40}") {
        let extraction = said(&text, &answer);
        prop_assert!(extraction.claims.iter().all(|claim| claim.quote.is_some()));
    }
}
