//! What changes in long chats with an assistant (the form of the BEAM set): is the evidence found, does the update stand above what it
//! replaced, and are both sides of a contradiction among the first ten?
//!
//! A line is a chat: `{"chat", "messages": [{"id", "role", "time", "text"}], "probes": {kind: [{"question", "source_chat_ids"}]}}`. The
//! user's messages go into a tenant of their own; the assistant's are neither candidates nor evidence. A time ("March-15-2024") is carried
//! forward, one second a message. Every other key is left unread.
//!
//! `r10` is the mean share of the evidence among the first ten, over all questions with any. `updated_first`: of questions of the kind
//! `knowledge_update`, the best-ranked updated message stands above the best-ranked original one; an update that is not found is a failure,
//! and questions whose ids overlap are skipped. `both_sides`: of the kind `contradiction_resolution`, either side has a message among the
//! first ten; questions that name one id on both sides are skipped. `moved_unrelated`: of 40 pairs of messages from different chats, put
//! alone into a memory and asked for together, those that were reordered for their dates.

use super::source::{json_lines, malformed, unreadable};
use super::{EvalError, Event};
use crate::memory::{Error, ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use crate::model::{Authority, ObservationId, ObservationKind, Source};
use crate::observe::Incoming;
use crate::retrieve::{Item, Noted, Query};
use crate::time::{AsOf, Instant, KnownAt, Moment, ZonedInstant};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Between a message and the next.
const SECOND: i64 = 1_000_000;
/// So many hits are ranked.
const RANKED: usize = 100;
/// So many pairs without a shared subject are put to the test.
const PAIRS: usize = 40;
/// Of each message of such a pair, so many words are asked for.
const ASKED_WORDS: usize = 12;

/// The result, flat; shares have four decimals.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Updates {
    /// Mean share of the evidence among the first ten.
    pub r10: f64,
    /// Share of updates that stand above what they replaced.
    pub updated_first: f64,
    /// Share of contradictions of which both sides are among the first ten.
    pub both_sides: f64,
    /// Pairs without a shared subject that were reordered, of 40.
    pub moved_unrelated: u64,
    /// Questions with evidence.
    pub questions: u64,
    /// Questions about updates.
    pub updates: u64,
    /// Questions about contradictions.
    pub contradictions: u64,
}

#[derive(Deserialize)]
struct Chat {
    #[serde(rename = "chat")]
    name: Value,
    messages: Vec<Message>,
    probes: BTreeMap<String, Vec<Probe>>,
}

#[derive(Deserialize)]
struct Message {
    id: u64,
    role: String,
    time: Option<String>,
    text: String,
}

#[derive(Deserialize)]
struct Probe {
    question: String,
    source_chat_ids: Option<Value>,
}

/// Counts while it runs.
#[derive(Default)]
struct Tally {
    share: f64,
    questions: u64,
    first: u64,
    updates: u64,
    both: u64,
    contradictions: u64,
}

/// Runs the evaluation on a file (`.gz` is unpacked) with memories below `scratch`, which are removed again.
///
/// # Errors
/// [`EvalError`] if the file cannot be read or holds no questions, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<Updates, EvalError> {
    let chats = json_lines::<Chat>(path)?;
    let folder = scratch.join("updates");
    let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
    let memory = Memory::open_with(&folder, MemoryOptions { clock, memory_budget_bytes: 1 << 30, ..MemoryOptions::default() })?;
    let mut tally = Tally::default();
    for (done, (line, chat)) in (1_u64..).zip(&chats) {
        let tenant = memory.tenant(&TenantId::new(&format!("chat-{done}"))?);
        let (ids, last) = ingest(&tenant, chat, path, *line)?;
        for (kind, probes) in &chat.probes {
            for probe in probes {
                let Some(named) = &probe.source_chat_ids else { continue };
                let order = order(&tenant, &probe.question, last)?;
                let missed = tally.add(kind, named, &ids, &order);
                if let Some(missed) = missed {
                    tell(Event::Finding(&format!("{}\t{missed}\t{}", chat.name, probe.question)));
                }
            }
        }
        tell(Event::Progress { stage: "chats", done, total: chats.len() as u64 });
    }
    let moved_unrelated = moved(&memory, &chats)?;
    fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
    if tally.questions == 0 {
        return Err(unreadable(path, &"it holds no questions"));
    }
    Ok(Updates {
        r10: share(tally.share, tally.questions),
        updated_first: share(whole(tally.first), tally.updates),
        both_sides: share(whole(tally.both), tally.contradictions),
        moved_unrelated,
        questions: tally.questions,
        updates: tally.updates,
        contradictions: tally.contradictions,
    })
}

/// Records the user's messages; gives their observations by id, and when the last one was said.
fn ingest(tenant: &Tenant, chat: &Chat, path: &Path, line: u64) -> Result<(BTreeMap<u64, ObservationId>, Instant), EvalError> {
    let mut at = Instant::parse("2024-01-01T00:00:00Z").map_err(Error::from)?;
    let mut ids = BTreeMap::new();
    let mut incoming = Vec::new();
    for message in &chat.messages {
        at = match message.time.as_deref() {
            Some(written) => spoken_day(written).ok_or_else(|| malformed(path, line, &format!("cannot read {written:?}")))?.max(at),
            None => at,
        }
        .saturating_add(SECOND);
        if message.role == "user" {
            let one = said(&message.text, at);
            ids.insert(message.id, one.observation.id);
            incoming.push(one);
        }
    }
    let handled = tenant.preview(incoming.clone())?;
    // What is masked on the way in has another id.
    let ids = ids.into_iter().zip(handled).map(|((message, _), handled)| (message, handled.observation.id)).collect();
    tenant.remember(incoming)?;
    Ok((ids, at))
}

fn said(text: &str, at: Instant) -> Incoming {
    let source = Source { authority: Authority::User, name: Some("user".to_owned()) };
    let mut incoming = Incoming::from_text(ObservationKind::Chat, ZonedInstant::utc(at), source, text);
    incoming.observation.session = Some("chat".to_owned());
    incoming.observation.role = Some("user".to_owned());
    Incoming::new(incoming.observation, incoming.ready)
}

/// The observations for a question, the best first.
fn order(tenant: &Tenant, question: &str, last: Instant) -> Result<Vec<ObservationId>, EvalError> {
    let as_of = AsOf { valid_at: Moment::exact(last), known_at: KnownAt::Latest };
    let query = Query { as_of: Some(as_of), facts: false, limit: RANKED, whatever: true, ..Query::new(question) };
    let id = |item: &Item| match item {
        Item::Observation(observation) => Some(observation.id),
        Item::Fact(_) => None,
    };
    Ok(tenant.recall(&query)?.hits.iter().filter_map(|hit| id(&hit.item)).collect())
}

impl Tally {
    /// Takes a question into account; says what it missed.
    fn add(&mut self, kind: &str, named: &Value, ids: &BTreeMap<u64, ObservationId>, order: &[ObservationId]) -> Option<String> {
        let of = |value: &Value| -> BTreeSet<ObservationId> { numbers(value).iter().filter_map(|id| ids.get(id).copied()).collect() };
        let evidence = of(named);
        let ten: BTreeSet<ObservationId> = order.iter().take(10).copied().collect();
        if !evidence.is_empty() {
            self.questions += 1;
            self.share += share(whole(evidence.intersection(&ten).count() as u64), evidence.len() as u64);
        }
        let best = |ids: &BTreeSet<ObservationId>| order.iter().position(|id| ids.contains(id));
        match kind {
            "knowledge_update" => {
                let (original, updated) = (of(named.get("original_info")?), of(named.get("updated_info")?));
                if original.is_empty() || updated.is_empty() || !original.is_disjoint(&updated) {
                    return None;
                }
                self.updates += 1;
                let (updated, original) = (best(&updated), best(&original));
                let first = updated.is_some_and(|updated| original.is_none_or(|original| updated < original));
                self.first += u64::from(first);
                (!first).then(|| format!("not updated first (updated {}, original {})", place(updated), place(original)))
            }
            "contradiction_resolution" => {
                let (one, other) = (of(named.get("first_statement")?), of(named.get("second_statement")?));
                if one.is_empty() || other.is_empty() || !one.is_disjoint(&other) {
                    return None;
                }
                self.contradictions += 1;
                let both = !one.is_disjoint(&ten) && !other.is_disjoint(&ten);
                self.both += u64::from(both);
                (!both).then(|| format!("not both sides ({} and {})", place(best(&one)), place(best(&other))))
            }
            _ => None,
        }
    }
}

/// A place as people count it.
fn place(place: Option<usize>) -> String {
    place.map_or_else(|| "not found".to_owned(), |place| (place + 1).to_string())
}

/// All numbers in a value, however deep.
fn numbers(value: &Value) -> Vec<u64> {
    match value {
        Value::Number(number) => number.as_u64().into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Object(fields) => fields.values().flat_map(numbers).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => Vec::new(),
    }
}

/// How many of the pairs without a shared subject are reordered.
fn moved(memory: &Memory, chats: &[(u64, Chat)]) -> Result<u64, EvalError> {
    let of = |chat: &Chat, nth: usize| -> Option<String> {
        let users: Vec<&Message> = chat.messages.iter().filter(|message| message.role == "user").collect();
        users.get(nth * 7 % users.len().max(1)).map(|message| message.text.clone())
    };
    let at = Instant::parse("2024-01-01T00:00:00Z").map_err(Error::from)?;
    let mut moved = 0;
    for pair in 0..PAIRS {
        let (one, other) = (chats.get(pair % chats.len().max(1)), chats.get((pair * 3 + 1) % chats.len().max(1)));
        let (Some((_, one)), Some((_, other))) = (one, other) else { continue };
        let (Some(one), Some(other)) = (of(one, pair), of(other, pair + 1)) else { continue };
        let tenant = memory.tenant(&TenantId::new(&format!("pair-{pair}"))?);
        let later = at.saturating_add(86_400 * SECOND);
        tenant.remember(vec![said(&one, at), said(&other, later)])?;
        let words = |text: &str| text.split_whitespace().take(ASKED_WORDS).collect::<Vec<_>>().join(" ");
        let as_of = AsOf { valid_at: Moment::exact(later), known_at: KnownAt::Latest };
        let query = Query { as_of: Some(as_of), facts: false, whatever: true, ..Query::new(format!("{} {}", words(&one), words(&other))) };
        let recalled = tenant.recall(&query)?;
        moved += u64::from(recalled.hits.iter().any(|hit| hit.notes.iter().any(|note| matches!(note, Noted::NewerThan(_)))));
    }
    Ok(moved)
}

/// "March-15-2024".
fn spoken_day(text: &str) -> Option<Instant> {
    const MONTHS: [&str; 12] =
        ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
    let mut parts = text.trim().split('-');
    let (month, day, year) = (parts.next()?.to_lowercase(), parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let month = u32::try_from(MONTHS.iter().position(|name| *name == month)?).ok()? + 1;
    Instant::from_date(year, month, day).ok()
}

#[expect(clippy::cast_precision_loss, reason = "counts of questions are small")]
const fn whole(count: u64) -> f64 {
    count as f64
}

fn share(sum: f64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { (sum / whole(of) * 10_000.0).round() / 10_000.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_that_is_not_found_is_a_failure_and_overlaps_are_skipped() {
        let id = |number: u8| ObservationId::from_bytes([number; 16]);
        let ids = BTreeMap::from([(1, id(1)), (2, id(2))]);
        let named = |original, updated| serde_json::json!({ "original_info": [original], "updated_info": [updated] });
        let mut tally = Tally::default();
        assert_eq!(tally.add("knowledge_update", &named(1, 2), &ids, &[id(2), id(1)]), None);
        assert_eq!(
            tally.add("knowledge_update", &named(1, 2), &ids, &[id(1), id(2)]).as_deref(),
            Some("not updated first (updated 2, original 1)")
        );
        assert_eq!(
            tally.add("knowledge_update", &named(1, 2), &ids, &[id(1)]).as_deref(),
            Some("not updated first (updated not found, original 1)")
        );
        assert_eq!(tally.add("knowledge_update", &named(1, 2), &ids, &[id(2)]), None);
        assert_eq!(tally.add("knowledge_update", &named(1, 1), &ids, &[]), None);
        assert_eq!((tally.first, tally.updates), (2, 4));
    }

    #[test]
    fn days_are_read_and_others_refused() {
        assert_eq!(spoken_day("March-15-2024"), Instant::parse("2024-03-15T00:00:00Z").ok());
        assert_eq!(spoken_day("Smarch-15-2024"), None);
    }
}
