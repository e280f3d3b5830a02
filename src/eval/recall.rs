//! Recall from conversations (the form of the `LoCoMo` set): are the turns that answer a question among the first, and is nothing handed
//! out where nothing answers?
//!
//! A line is a conversation: `{"id", "turns": [{"id", "session", "date", "speaker", "text", "caption"}], "qa": [{"q", "cat", "evidence"}]}`.
//! Each goes into a tenant of its own through the same doors as everything else; a caption follows the text of its turn in brackets. Every
//! other key of a line is left unread.
//!
//! **Recall at k** is the mean over questions of categories 1 to 4 of the share of their evidence among the first k observations, with the
//! floor left out. Questions without evidence are skipped. `multi_hop` are those of category 1. Where there are more than two
//! conversations, the same is told of those after the second: the ranking was tuned on the first two.
//!
//! **Abstention** is the share of questions that get nothing, with the floor: `unrelated` are 40 questions of the other conversations for
//! each, evenly spaced, with the names of the speakers replaced by its own; `answerable` its own of category 4; `adversarial` those of
//! category 5, of which the evidence exists but does not say what they presume.

use super::conversations::spoken_date;
use super::source::{Reading, json_lines, malformed, unreadable};
use super::{EvalError, Event};
use crate::memory::{ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use crate::model::ObservationId;
use crate::observe::{Format, ReadOptions};
use crate::retrieve::{Item, Query};
use crate::time::{AsOf, Instant, KnownAt, Moment};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The ks at which recall is told.
const KS: [usize; 4] = [5, 10, 20, 50];

/// So many questions of others are put to each conversation.
const UNRELATED: usize = 40;

/// The ranking was tuned on so many conversations, the first ones.
const TUNED_ON: usize = 2;

/// Sums over questions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    questions: usize,
    found: [f64; 4],
}

impl Sums {
    fn add(&mut self, order: &[ObservationId], evidence: &BTreeSet<ObservationId>) {
        self.questions += 1;
        for (sum, k) in self.found.iter_mut().zip(KS) {
            *sum += share(order.iter().take(k).filter(|id| evidence.contains(id)).count(), evidence.len());
        }
    }

    fn plus(&mut self, other: &Self) {
        self.questions += other.questions;
        for (sum, more) in self.found.iter_mut().zip(other.found) {
            *sum += more;
        }
    }

    fn at(&self, place: usize) -> f64 {
        let sum = self.found.get(place).copied().unwrap_or_default();
        rounded(sum / f64::from(u32::try_from(self.questions.max(1)).unwrap_or(u32::MAX)))
    }
}

/// How many of how many got nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Silence {
    silent: usize,
    of: usize,
}

impl Silence {
    fn add(&mut self, silent: bool) {
        self.silent += usize::from(silent);
        self.of += 1;
    }

    fn share(self) -> f64 {
        rounded(share(self.silent, self.of))
    }
}

/// The results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecallReport {
    conversations: Vec<One>,
    misses: Vec<String>,
}

/// What one conversation came to.
#[derive(Clone, Debug, Default, PartialEq)]
struct One {
    id: String,
    all: Sums,
    multi_hop: Sums,
    by_category: BTreeMap<u64, Sums>,
    unrelated: Silence,
    answerable: Silence,
    adversarial: Silence,
}

impl RecallReport {
    /// The flat object: `r5`, `r10`, `r20`, `r50`, `multi_hop_r10`, `abstain_unrelated`, `abstain_answerable`, `abstain_adversarial`; and
    /// of the conversations that nothing was tuned on the same with `untuned_` before it. Four decimals.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let mut flat = serde_json::Map::new();
        write(&mut flat, "", &self.conversations);
        if let Some(untuned) = self.conversations.get(TUNED_ON..).filter(|rest| !rest.is_empty()) {
            write(&mut flat, "untuned_", untuned);
        }
        serde_json::Value::Object(flat)
    }

    /// A table for people: a line for each conversation, and one for each category.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut lines = vec!["conversation    questions    r5   r10   r20   r50  unrelated  answerable  adversarial".to_owned()];
        let mut categories: BTreeMap<u64, Sums> = BTreeMap::new();
        for one in &self.conversations {
            let [r5, r10, r20, r50] = [0, 1, 2, 3].map(|place| one.all.at(place));
            lines.push(format!(
                "{:<15} {:>9} {r5:>5.3} {r10:>5.3} {r20:>5.3} {r50:>5.3} {:>10.3} {:>11.3} {:>12.3}",
                one.id,
                one.all.questions,
                one.unrelated.share(),
                one.answerable.share(),
                one.adversarial.share()
            ));
            for (category, sums) in &one.by_category {
                categories.entry(*category).or_default().plus(sums);
            }
        }
        for (category, sums) in categories {
            let [r5, r10, r20, r50] = [0, 1, 2, 3].map(|place| sums.at(place));
            lines.push(format!("category {category:<6} {:>9} {r5:>5.3} {r10:>5.3} {r20:>5.3} {r50:>5.3}", sums.questions));
        }
        lines.join("\n") + "\n"
    }

    /// What was missed, one a line: the conversation, what it is and the question, tabs between.
    #[must_use]
    pub fn to_misses(&self) -> String {
        self.misses.iter().flat_map(|miss| [miss.as_str(), "\n"]).collect()
    }
}

fn write(flat: &mut serde_json::Map<String, serde_json::Value>, prefix: &str, conversations: &[One]) {
    let (mut all, mut multi_hop) = (Sums::default(), Sums::default());
    let mut silences = [Silence::default(); 3];
    for one in conversations {
        all.plus(&one.all);
        multi_hop.plus(&one.multi_hop);
        for (sum, silence) in silences.iter_mut().zip([one.unrelated, one.answerable, one.adversarial]) {
            (sum.silent, sum.of) = (sum.silent + silence.silent, sum.of + silence.of);
        }
    }
    for (place, k) in KS.iter().enumerate() {
        flat.insert(format!("{prefix}r{k}"), all.at(place).into());
    }
    flat.insert(format!("{prefix}multi_hop_r10"), multi_hop.at(1).into());
    for (name, silence) in ["unrelated", "answerable", "adversarial"].into_iter().zip(silences) {
        flat.insert(format!("{prefix}abstain_{name}"), silence.share().into());
    }
}

#[derive(Deserialize)]
struct Conversation {
    id: String,
    turns: Vec<Turn>,
    #[serde(default)]
    qa: Vec<Question>,
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    session: serde_json::Value,
    date: String,
    speaker: String,
    text: String,
    caption: Option<String>,
}

#[derive(Deserialize)]
struct Question {
    q: String,
    cat: u64,
    #[serde(default)]
    evidence: Vec<String>,
}

/// Runs the evaluation on a file (`.gz` is unpacked) with a memory below `scratch`, which is removed again.
///
/// # Errors
/// [`EvalError`] if the file cannot be read or holds no questions, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<RecallReport, EvalError> {
    let conversations = json_lines::<Conversation>(path)?;
    let folder = scratch.join("recall");
    let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
    let memory = Memory::open_with(&folder, MemoryOptions { clock, memory_budget_bytes: 1 << 30, ..MemoryOptions::default() })?;
    let mut report = RecallReport::default();
    let total = conversations.len() as u64;
    for (place, (line, conversation)) in conversations.iter().enumerate() {
        let tenant = memory.tenant(&TenantId::new(&conversation.id)?);
        let (turns, last) = ingest(&tenant, conversation, path, *line)?;
        let ask = Asking { tenant: &tenant, as_of: AsOf { valid_at: Moment::exact(last), known_at: KnownAt::Latest } };
        let mut one = One { id: conversation.id.clone(), ..One::default() };
        for question in &conversation.qa {
            let evidence: BTreeSet<ObservationId> = question.evidence.iter().filter_map(|id| turns.get(id).copied()).collect();
            if (1..=4).contains(&question.cat) && !evidence.is_empty() {
                let order = ask.whatever(&question.q)?;
                one.all.add(&order, &evidence);
                one.by_category.entry(question.cat).or_default().add(&order, &evidence);
                if question.cat == 1 {
                    one.multi_hop.add(&order, &evidence);
                }
                if order.iter().take(10).filter(|id| evidence.contains(id)).count() < evidence.len() {
                    report.misses.push(format!("{}\tnot in 10\t{}", conversation.id, question.q));
                }
            }
            if question.cat == 4 && !evidence.is_empty() {
                let silent = ask.gets_nothing(&question.q)?;
                one.answerable.add(silent);
                if silent {
                    report.misses.push(format!("{}\tsilent\t{}", conversation.id, question.q));
                }
            }
            if question.cat == 5 {
                one.adversarial.add(ask.gets_nothing(&question.q)?);
            }
        }
        for question in unrelated(&conversations, place) {
            let silent = ask.gets_nothing(&question)?;
            one.unrelated.add(silent);
            if !silent {
                report.misses.push(format!("{}\tnot silent\t{question}", conversation.id));
            }
        }
        report.conversations.push(one);
        tell(Event::Progress { stage: "conversations", done: place as u64 + 1, total });
    }
    fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
    if report.conversations.iter().all(|one| one.all.questions == 0) {
        return Err(unreadable(path, &"it holds no questions"));
    }
    Ok(report)
}

/// Records the turns; gives their observations by their ids, and when the last one was said.
fn ingest(
    tenant: &Tenant,
    conversation: &Conversation,
    path: &Path,
    line: u64,
) -> Result<(BTreeMap<String, ObservationId>, Instant), EvalError> {
    let mut input = String::new();
    for turn in &conversation.turns {
        let observed_at = spoken_date(&turn.date).ok_or_else(|| malformed(path, line, &format!("cannot read {:?}", turn.date)))?;
        let text = match &turn.caption {
            Some(caption) => format!("{} [{caption}]", turn.text),
            None => turn.text.clone(),
        };
        let fields = serde_json::json!({
            "observation": turn.id, "role": "user", "speaker": turn.speaker, "text": text, "session": turn.session.to_string(),
            "observed_at": observed_at,
        });
        input.push_str(&fields.to_string());
        input.push('\n');
    }
    let reading = Reading::of(path, input.as_bytes(), ReadOptions { format: Format::Chat, ..ReadOptions::default() })?;
    if let Some(rejection) = reading.rejected.first() {
        return Err(malformed(path, line, &format!("turn {}: {}", rejection.line, rejection.reason)));
    }
    let last = reading.incoming.iter().map(|incoming| incoming.observation.observed_at.at).max();
    tenant.remember(reading.incoming)?;
    let mut turns = BTreeMap::new();
    for turn in &conversation.turns {
        // A turn that the write policy leaves out cannot be found.
        if let Ok(id) = tenant.find_observation(&turn.id) {
            turns.insert(turn.id.clone(), id);
        }
    }
    Ok((turns, last.unwrap_or(Instant::from_micros(0))))
}

struct Asking<'t> {
    tenant: &'t Tenant,
    as_of: AsOf,
}

impl Asking<'_> {
    fn query(&self, question: &str) -> Query {
        Query { as_of: Some(self.as_of), facts: false, limit: 50, ..Query::new(question) }
    }

    /// The nearest observations, however far.
    fn whatever(&self, question: &str) -> Result<Vec<ObservationId>, EvalError> {
        let recalled = self.tenant.recall(&Query { whatever: true, ..self.query(question) })?;
        let id = |item: &Item| match item {
            Item::Observation(observation) => Some(observation.id),
            Item::Fact(_) => None,
        };
        Ok(recalled.hits.iter().filter_map(|hit| id(&hit.item)).collect())
    }

    /// Whether a question as users ask it, for facts and observations, gets nothing.
    fn gets_nothing(&self, question: &str) -> Result<bool, EvalError> {
        Ok(self.tenant.recall(&Query { facts: true, limit: 10, ..self.query(question) })?.knows_nothing())
    }
}

/// Questions of the other conversations, with the names of their speakers replaced by those of this one.
fn unrelated(conversations: &[(u64, Conversation)], place: usize) -> Vec<String> {
    let Some((_, this)) = conversations.get(place) else { return Vec::new() };
    let own = speakers(this);
    let mut all = Vec::new();
    for (_, other) in conversations.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, one)| one) {
        let theirs = speakers(other);
        for question in other.qa.iter().filter(|question| (1..=4).contains(&question.cat)) {
            all.push(renamed(&question.q, &theirs, &own));
        }
    }
    let count = UNRELATED.min(all.len());
    (0..count).filter_map(|nth| all.get(nth * all.len() / count).cloned()).collect()
}

fn speakers(conversation: &Conversation) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for turn in &conversation.turns {
        if !names.contains(&turn.speaker.as_str()) {
            names.push(&turn.speaker);
        }
    }
    names
}

/// A question with each name in place of that of the same number.
fn renamed(question: &str, theirs: &[&str], own: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = question;
    while !rest.is_empty() {
        let named = theirs.iter().zip(own.iter().cycle()).find(|(name, _)| {
            let ends = |after: &str| !after.starts_with(char::is_alphanumeric);
            rest.strip_prefix(**name).is_some_and(ends) && !out.ends_with(char::is_alphanumeric)
        });
        if let Some((name, own)) = named {
            out.push_str(own);
            rest = rest.strip_prefix(*name).unwrap_or_default();
        } else {
            let mut chars = rest.chars();
            out.extend(chars.next());
            rest = chars.as_str();
        }
    }
    out
}

#[expect(clippy::cast_precision_loss, reason = "counts of questions are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_as_whole_words() {
        assert_eq!(renamed("When did Ann see Bo's Anna?", &["Ann", "Bo"], &["Cid", "Dee"]), "When did Cid see Dee's Anna?");
    }

    #[test]
    fn recall_is_the_mean_share_of_the_evidence() {
        let id = |number: u8| ObservationId::from_bytes([number; 16]);
        let mut sums = Sums::default();
        sums.add(&[id(1), id(2), id(3), id(4), id(5), id(6)], &[id(1), id(6)].into());
        sums.add(&[], &[id(9)].into());
        assert_eq!((sums.at(0), sums.at(1)), (0.25, 0.5));
    }
}
