//! Questions over several passages (the form of the `MuSiQue` set with ready triples): are the passages that answer among the first, and
//! does walking the graph help?
//!
//! The data is a folder with `musique_corpus_triples.jsonl` and `musique_questions.jsonl`, or either of the two, gzipped or not; the other
//! is looked for beside it. A passage is `{"id", "title", "text", "triples": [[head, relation, tail]]}` and goes in as a document with its
//! triples as claims that always hold; a question is `{"q", "gold": [passage ids]}`. Every other key is left unread.
//!
//! `r5` and `r20` are the mean shares of the gold passages among the first; `graph_gain` is how much of `r20` the walk adds.

use super::source::{json_lines, unreadable};
use super::{EvalError, Event};
use crate::memory::{ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use crate::model::{Authority, Claim, ObservationId, ObservationKind, Polarity, Source, Term};
use crate::observe::Incoming;
use crate::retrieve::{Item, Query};
use crate::time::{AsOf, End, Instant, KnownAt, Moment, Span, Start, ZonedInstant};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PASSAGES: &str = "musique_corpus_triples.jsonl";
const QUESTIONS: &str = "musique_questions.jsonl";

/// The result, flat; shares have four decimals.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hops {
    /// Share of the gold passages among the first 5.
    pub r5: f64,
    /// Share of the gold passages among the first 20.
    pub r20: f64,
    /// What the walk adds to `r20`.
    pub graph_gain: f64,
    /// The first 5 without the walk.
    pub r5_without_graph: f64,
    /// The first 20 without the walk.
    pub r20_without_graph: f64,
    /// Passages recorded.
    pub passages: u64,
    /// Questions asked.
    pub questions: u64,
}

#[derive(Deserialize)]
struct Passage {
    id: u64,
    title: String,
    text: String,
    triples: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct Question {
    q: String,
    gold: Vec<u64>,
}

/// Runs the evaluation with a memory below `scratch`, which is removed again.
///
/// # Errors
/// [`EvalError`] if the files cannot be read, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<Hops, EvalError> {
    let passages = json_lines::<Passage>(&beside(path, PASSAGES)?)?;
    let questions = json_lines::<Question>(&beside(path, QUESTIONS)?)?;
    let folder = scratch.join("hops");
    let at = Instant::from_micros(1_700_000_000_000_000);
    let clock = Arc::new(ManualClock::new(at));
    let memory = Memory::open_with(&folder, MemoryOptions { clock, memory_budget_bytes: 1 << 30, ..MemoryOptions::default() })?;
    let tenant = memory.tenant(&TenantId::new("passages")?);
    let mut incoming = Vec::new();
    let mut ids = BTreeMap::new();
    for (_, passage) in &passages {
        let one = document(passage, at);
        ids.insert(passage.id, one.observation.id);
        incoming.push(one);
    }
    tenant.remember(incoming)?;
    let mut sums = [[0.0_f64; 2]; 2];
    for (done, (_, question)) in (1_u64..).zip(&questions) {
        let gold: BTreeSet<ObservationId> = question.gold.iter().filter_map(|id| ids.get(id).copied()).collect();
        for (sum, hops) in sums.iter_mut().zip([0, 2]) {
            let order = order(&tenant, &question.q, at, hops)?;
            for (sum, k) in sum.iter_mut().zip([5, 20]) {
                *sum += share(order.iter().take(k).filter(|id| gold.contains(id)).count(), gold.len());
            }
        }
        tell(Event::Progress { stage: "questions", done, total: questions.len() as u64 });
    }
    fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
    let count = f64::from(u32::try_from(questions.len().max(1)).unwrap_or(u32::MAX));
    let [[r5_off, r20_off], [r5, r20]] = sums.map(|sums| sums.map(|sum| rounded(sum / count)));
    Ok(Hops {
        r5,
        r20,
        graph_gain: rounded(r20 - r20_off),
        r5_without_graph: r5_off,
        r20_without_graph: r20_off,
        passages: passages.len() as u64,
        questions: questions.len() as u64,
    })
}

/// A file of this name in a folder or beside a file, gzipped or not.
fn beside(path: &Path, name: &str) -> Result<PathBuf, EvalError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let candidates = [folder.join(name), folder.join(format!("{name}.gz"))];
    candidates.into_iter().find(|file| file.is_file()).ok_or_else(|| unreadable(&folder.join(name), &"it is not there"))
}

fn document(passage: &Passage, at: Instant) -> Incoming {
    let text = format!("{}\n{}", passage.title, passage.text);
    let source = Source { authority: Authority::Document, name: None };
    let mut incoming = Incoming::from_text(ObservationKind::Document, ZonedInstant::utc(at), source, text);
    incoming.observation.key = Some(passage.id.to_string());
    let claims = passage.triples.iter().filter_map(|triple| claim(triple)).collect();
    Incoming::new(incoming.observation, claims)
}

fn claim(triple: &[String]) -> Option<Claim> {
    let [head, relation, tail] = triple else { return None };
    let (head, tail) = (Term::Name(head.trim().to_owned()), Term::Name(tail.trim().to_owned()));
    if head.check().is_err() || tail.check().is_err() || relation.trim().is_empty() {
        return None;
    }
    Some(Claim {
        head,
        relation: relation.trim().to_owned(),
        tail,
        polarity: Polarity::Holds,
        span: Span::new(Start::Always, End::Open).ok()?,
        seen_at: None,
        confidence: 1.0,
        importance: 0.5,
        context: None,
        corrects: None,
        quote: None,
        extractor: crate::model::READY.to_owned(),
    })
}

/// The passages for a question, the best first; without the walk where `hops` is 0.
fn order(tenant: &Tenant, question: &str, at: Instant, hops: u32) -> Result<Vec<ObservationId>, EvalError> {
    let as_of = AsOf { valid_at: Moment::exact(at), known_at: KnownAt::Latest };
    let query = Query { as_of: Some(as_of), facts: false, limit: 20, hops, whatever: true, history: true, ..Query::new(question) };
    let id = |item: &Item| match item {
        Item::Observation(observation) => Some(observation.id),
        Item::Fact(_) => None,
    };
    Ok(tenant.recall(&query)?.hits.iter().filter_map(|hit| id(&hit.item)).collect())
}

#[expect(clippy::cast_precision_loss, reason = "counts of passages are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
