//! Statements that replace each other: does each become a claim, and does the later of two that conflict close the earlier one?
//!
//! A line is `{"size", "facts": ["The capital of Eastland is Marl.", …]}`, one sentence a fact, in the order in which they were said; every
//! other key is left unread. Each line's sentences go as documents, a minute apart, into a temporary memory of their own, through the
//! same extractor and the same rules as everything else. Only the tenant's policies are set: every relation takes one value at a time and
//! is functional in one direction (from tail to head where the shipped pack says that a tail has one head, as with a firm and its chief;
//! else from head to tail), a state, in no bond with another relation, and no source ranks above another.
//!
//! **What is a conflict** is read from the text alone, by code that knows no extractor, no relation and no wording. Two sentences conflict
//! if they are equal up to their object. A sentence's object is the last thing that it names: its last run of words written large, with
//! the small words that names have inside; where it ends in small letters, the words behind the last one of grammar ("of", "is", "by").
//! Of "Marl is the capital of Eastland" and "Marl is Eastland's capital" it is what stands before the verb, since "the capital of
//! Eastland" describes one thing. How long an object is may be read differently in two sentences ("Ann Lee de la Cour"), so that the
//! shorter beginning of the two decides: what begins with all of another sentence but its object is about the same. Of an active
//! sentence the first name is taken for what it is about. Sentences that say one thing in two ways are not seen to conflict.
//!
//! **What is right.** A sentence is closed if a fact that it supports is closed by another sentence's claim. That is right if a later
//! sentence conflicts with it, and wrong otherwise.

use super::Event;
use super::source::{EvalError, json_lines, unreadable};
use crate::graph::{ReadError, View};
use crate::memory::{Error, ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use crate::model::{Authority, Cardinality, Fact, ObservationId, ObservationKind, Source, Term};
use crate::observe::Incoming;
use crate::policy::{OTHER, Policies, WritePolicy};
use crate::time::{AsOf, Instant, KnownAt, Moment, ZonedInstant};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The first sentence is said then.
const FIRST_SAID: &str = "2020-01-01T00:00:00Z";

/// Between a sentence and the next.
const APART_MICROS: i64 = 60_000_000;

/// What became of one line's sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consolidated {
    /// Sentences.
    pub sentences: usize,
    /// Of those, the ones that became a claim.
    pub claimed: usize,
    /// Sentences that a later one conflicts with.
    pub conflicts: usize,
    /// Of those, the ones whose fact was closed.
    pub closed: usize,
    /// Sentences whose fact was closed though none conflicts with them.
    pub wrong_closed: usize,
    /// What was missed or wrong, in the order of the sentences: what it is and the sentence, a tab between.
    pub misses: Vec<String>,
}

impl Consolidated {
    /// Sentences that became a claim, from 0 to 1; of none, 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of sentences are small")]
    pub fn claims_share(&self) -> f64 {
        if self.sentences == 0 { 1.0 } else { self.claimed as f64 / self.sentences as f64 }
    }

    fn add(&mut self, other: Self) {
        self.sentences += other.sentences;
        self.claimed += other.claimed;
        self.conflicts += other.conflicts;
        self.closed += other.closed;
        self.wrong_closed += other.wrong_closed;
        self.misses.extend(other.misses);
    }
}

/// The results by size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConsolidationReport {
    /// In the order of the sizes' names; lines of one size count together.
    pub sizes: BTreeMap<String, Consolidated>,
}

impl ConsolidationReport {
    /// The flat object: `claims_share_SIZE` (four decimals), `closed_SIZE` and `wrong_closed_SIZE` for each size.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let mut flat = serde_json::Map::new();
        for (size, one) in &self.sizes {
            flat.insert(format!("claims_share_{size}"), serde_json::json!((one.claims_share() * 10_000.0).round() / 10_000.0));
            flat.insert(format!("closed_{size}"), one.closed.into());
            flat.insert(format!("wrong_closed_{size}"), one.wrong_closed.into());
        }
        serde_json::Value::Object(flat)
    }

    /// A table for people: one line a size.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut table = String::from("size     sentences  claimed  conflicts  closed  wrongly\n");
        for (size, one) in &self.sizes {
            let Consolidated { sentences, claimed, conflicts, closed, wrong_closed, .. } = one;
            if writeln!(table, "{size:<8} {sentences:>9} {claimed:>8} {conflicts:>10} {closed:>7} {wrong_closed:>8}").is_err() {
                break;
            }
        }
        table
    }

    /// What was missed or wrong, one a line: the size, what it is and the sentence, tabs between.
    #[must_use]
    pub fn to_misses(&self) -> String {
        self.sizes.iter().flat_map(|(size, one)| one.misses.iter().map(move |miss| format!("{size}\t{miss}\n"))).collect()
    }
}

#[derive(Deserialize)]
struct Line {
    size: serde_json::Value,
    facts: Vec<String>,
}

/// Runs the evaluation on a file (`.gz` is unpacked) with memories below `scratch`, which are removed again.
///
/// # Errors
/// [`EvalError`] if the file cannot be read or holds no sentences, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<ConsolidationReport, EvalError> {
    let mut report = ConsolidationReport::default();
    let lines = json_lines::<Line>(path)?;
    let total = lines.len() as u64;
    for (done, (_, line)) in (1_u64..).zip(lines) {
        let size = line.size.as_str().map_or_else(|| line.size.to_string(), str::to_owned);
        let folder = scratch.join(format!("consolidation-{done}"));
        let result = consolidate(&line.facts, &folder)?;
        report.sizes.entry(size).or_default().add(result);
        fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
        tell(Event::Progress { stage: "sizes", done, total });
    }
    if report.sizes.is_empty() {
        return Err(unreadable(path, &"it holds no sentences"));
    }
    Ok(report)
}

fn consolidate(sentences: &[String], folder: &Path) -> Result<Consolidated, EvalError> {
    let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
    let memory = Memory::open_with(folder, MemoryOptions { clock, memory_budget_bytes: 1 << 30, ..MemoryOptions::default() })?;
    let tenant = memory.tenant(&TenantId::new("consolidation")?);
    functional(&tenant)?;
    let first = Instant::parse(FIRST_SAID).map_err(Error::from)?;
    let source = Source { authority: Authority::Document, name: None };
    let incoming: Vec<Incoming> = (0_i64..)
        .zip(sentences)
        .map(|(minute, sentence)| {
            let said = Instant::from_micros(first.micros() + minute * APART_MICROS);
            Incoming::from_text(ObservationKind::Document, ZonedInstant::utc(said), source.clone(), sentence.clone())
        })
        .collect();
    let ids = tenant.remember(incoming)?.ids;
    let mut heads: BTreeSet<Term> = BTreeSet::new();
    let mut claimed: BTreeSet<ObservationId> = BTreeSet::new();
    for id in &ids {
        for (_, _, claim) in tenant.observation(*id)?.claims {
            heads.insert(claim.head);
            claimed.insert(*id);
        }
    }
    let view = tenant.at(AsOf { valid_at: Moment::exact(first), known_at: KnownAt::Latest })?;
    let closed = closed(&view, &heads)?;
    let replaced = replaced(sentences);
    let mut result =
        Consolidated { sentences: sentences.len(), conflicts: replaced.iter().filter(|one| **one).count(), ..Consolidated::default() };
    for ((sentence, id), replaced) in sentences.iter().zip(&ids).zip(replaced) {
        result.claimed += usize::from(claimed.contains(id));
        let is_closed = closed.contains(id);
        result.closed += usize::from(is_closed && replaced);
        result.wrong_closed += usize::from(is_closed && !replaced);
        let miss = match (claimed.contains(id), is_closed, replaced) {
            (false, _, _) => "no claim",
            (true, false, true) => "not closed",
            (true, true, false) => "wrongly closed",
            _ => continue,
        };
        result.misses.push(format!("{miss}\t{sentence}"));
    }
    Ok(result)
}

/// Sets the policies that the evaluation is about, and consents to whatever the sentences tell.
pub(super) fn functional(tenant: &Tenant) -> Result<(), EvalError> {
    const STATE: &str =
        "kind = \"state\"\nresumes = false\non_conflict = \"contest\"\nauthority = \"equal\"\nttl = \"none\"\nsensitive = false\n";
    const APART: &str = "symmetric = false\ninverse_of = \"\"\nexcludes = []\ndomain = []\nrange = []\n";
    const HEAD_HAS_ONE: &str = "cardinality = \"one\"\ninverse_cardinality = \"many\"\n";
    const TAIL_HAS_ONE: &str = "cardinality = \"many\"\ninverse_cardinality = \"one\"\n";
    let shipped = Policies::shipped();
    let mut policies: Vec<(&str, String)> = vec![("*", format!("{HEAD_HAS_ONE}{STATE}"))];
    for (relation, policy) in shipped.iter() {
        let of_tail = policy.inverse_cardinality == Cardinality::One && !policy.symmetric;
        policies.push((relation, format!("{}{STATE}{APART}", if of_tail { TAIL_HAS_ONE } else { HEAD_HAS_ONE })));
    }
    let given: Vec<(&str, Option<&str>)> = policies.iter().map(|(relation, toml)| (*relation, Some(toml.as_str()))).collect();
    tenant.set_policies(&given)?;
    for category in WritePolicy::shipped().categories().chain([OTHER]) {
        tenant.consent(None, category, true)?;
    }
    Ok(())
}

/// The observations of which a fact was closed by another one's claim.
fn closed(view: &View, heads: &BTreeSet<Term>) -> Result<BTreeSet<ObservationId>, EvalError> {
    let mut closed = BTreeSet::new();
    for head in heads {
        let facts: Vec<Fact> = match view.timeline(head, None) {
            Ok(facts) => facts,
            Err(ReadError::UnknownEntity(_)) => continue,
            Err(error) => return Err(Error::from(error).into()),
        };
        for fact in facts {
            let Some(closer) = fact.status.closed_by else { continue };
            closed.extend(fact.supported_by.iter().map(|claim| claim.observation).filter(|one| *one != closer.observation));
        }
    }
    Ok(closed)
}

/// Of each sentence, whether a later one conflicts with it.
fn replaced(sentences: &[String]) -> Vec<bool> {
    let about: Vec<Option<About>> = sentences.iter().map(|sentence| About::of(sentence)).collect();
    let beginnings: BTreeSet<&str> = about
        .iter()
        .flatten()
        .filter_map(|about| match about {
            About::Beginning(words) => Some(words.as_str()),
            About::Ending(_) => None,
        })
        .collect();
    // The shortest beginning that some sentence has before its object.
    let shared = |sentence: &str| {
        let mut ends = sentence.match_indices(' ').map(|(at, _)| at);
        ends.find_map(|end| beginnings.get(sentence.get(..end)?)).copied()
    };
    let texts: Vec<String> = sentences.iter().map(|sentence| words(sentence).join(" ")).collect();
    let mut later: BTreeMap<(bool, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut replaced = vec![false; sentences.len()];
    for ((about, text), replaced) in about.iter().zip(&texts).zip(&mut replaced).rev() {
        let key = match about {
            None => continue,
            Some(About::Beginning(words)) => (true, shared(text).unwrap_or(words)),
            Some(About::Ending(words)) => (false, words.as_str()),
        };
        let others = later.entry(key).or_default();
        *replaced = others.len() > usize::from(others.contains(text.as_str()));
        others.insert(text);
    }
    replaced
}

/// A sentence without its object.
#[derive(Clone, Debug, PartialEq, Eq)]
enum About {
    /// The object stands behind it.
    Beginning(String),
    /// The object stands before it.
    Ending(String),
}

/// Words that names have inside.
const INNER: [&str; 45] = [
    "of", "the", "and", "in", "on", "at", "to", "for", "from", "with", "by", "a", "an", "or", "de", "der", "den", "des", "du", "da", "di",
    "do", "dos", "del", "della", "la", "le", "les", "el", "al", "von", "van", "zu", "zur", "af", "av", "y", "e", "i", "bin", "ibn", "upon",
    "&", "-", "–",
];

/// Words of grammar, behind the last of which an object in small letters begins.
const GRAMMAR: [&str; 34] = [
    "of", "the", "a", "an", "and", "or", "in", "on", "at", "to", "for", "from", "with", "by", "as", "is", "are", "was", "were", "be",
    "been", "has", "have", "had", "that", "who", "which", "whom", "whose", "where", "into", "about", "between", "than",
];

impl About {
    /// Reads a sentence; `None` if it names nothing but its object.
    fn of(sentence: &str) -> Option<Self> {
        let words = words(sentence);
        let inner = |word: &&str| is_name(word) || INNER.contains(word);
        if let Some(verb) = words.iter().position(|word| matches!(*word, "is" | "was" | "are" | "were"))
            && let Some((before, after)) = words.split_at_checked(verb)
            && before.first().is_some_and(|word| is_name(word))
            && before.iter().all(inner)
        {
            let described = matches!(after, [_, "the", noun, ..] if !is_name(noun));
            let held = after.last().is_some_and(|last| !is_name(last))
                && after.iter().any(|word| is_name(word) && ["'s", "’s", "s'", "s’"].iter().any(|sign| word.ends_with(sign)));
            if described || held {
                return Some(Self::Ending(after.join(" ")));
            }
        }
        let object = if words.last().is_some_and(|last| is_name(last)) { named_object(&words) } else { plain_object(&words) };
        let beginning = words.get(..object)?;
        (!beginning.is_empty()).then(|| Self::Beginning(beginning.join(" ")))
    }
}

/// Where the last run of words written large begins; the small words of names count where a name stands before them.
fn named_object(words: &[&str]) -> usize {
    let mut from = words.len().saturating_sub(1);
    loop {
        let before = words.get(..from).unwrap_or_default();
        let small = before.iter().rev().take_while(|word| INNER.contains(word) && !is_name(word)).count();
        let name = before.len().checked_sub(small + 1).filter(|at| before.get(*at).is_some_and(|word| is_name(word)));
        match name {
            Some(at) => from = at,
            None => return from,
        }
    }
}

/// Where the words behind the last word of grammar begin, or behind the verb that follows the name in front.
fn plain_object(words: &[&str]) -> usize {
    let named = words.iter().take_while(|word| is_name(word) || INNER.contains(word)).count();
    let least = named + 1;
    let mut from = words.len().saturating_sub(1);
    while from > least && words.get(from - 1).is_some_and(|word| !GRAMMAR.contains(word)) {
        from -= 1;
    }
    from
}

/// Whether a word is written as names are.
fn is_name(word: &str) -> bool {
    word.chars().any(|c| c.is_uppercase() || c.is_numeric())
}

/// The words of a sentence without the mark that ends it.
fn words(sentence: &str) -> Vec<&str> {
    let text = sentence.trim();
    text.strip_suffix(['.', '!']).unwrap_or(text).split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflicts(sentences: &[&str]) -> Vec<bool> {
        replaced(&sentences.iter().map(|sentence| (*sentence).to_owned()).collect::<Vec<_>>())
    }

    fn check(one: &str, other: &str, conflict: bool) {
        assert_eq!(conflicts(&[one, other]), [conflict, false], "{one} {other}");
        assert_eq!(conflicts(&[other, one]), [conflict, false], "{other} {one}");
    }

    #[test]
    fn sentences_conflict_that_are_equal_up_to_their_object() {
        check("The harbour master of Brod is Una Falk.", "The harbour master of Brod is Ivo Marr, Earl of Sund.", true);
        check("Una Falk was raised in the town of Brod.", "Una Falk was raised in the town of Sund on the Lake.", true);
        check("Una Falk plays the part of sweeper.", "Una Falk plays the part of left wing.", true);
        check("Una Falk plays sweeper.", "Una Falk plays inner left wing.", true);
        check("Songs of the Mill was sung by Una Falk.", "Songs of the Mill was sung by de Haan.", true);
        check("Songs of the Mill is sung in old Marric.", "Songs of the Mill is sung in Sundish.", true);
        check("Brod's mayor is Una Falk.", "Brod's mayor is Ivo Marr.", true);
        check("Una Falk is the mayor of Brod.", "Ivo Marr is the mayor of Brod.", true);
        check("Una Falk is Brod's mayor.", "Ivo Marr is Brod's mayor.", true);
    }

    #[test]
    fn sentences_that_differ_in_more_or_elsewhere_do_not() {
        check("The harbour master of Brod is Una Falk.", "The harbour master of Sund is Una Falk.", false);
        check("The harbour master of Brod is Una Falk.", "The harbour master of Sund is Ivo Marr.", false);
        check("Una Falk lives in the town of Brod.", "Una Falk was born in the town of Sund.", false);
        check("Una Falk is a citizen of Eastland.", "Ivo Marr is a citizen of Eastland.", false);
        check("Una Falk is married to Ivo Marr.", "Una Falk is employed by Brod Mills.", false);
        check("Una Falk is the mayor of Brod.", "Una Falk is the mayor of Sund.", false);
        check("Brod is old.", "Brod is old.", false);
    }

    #[test]
    fn of_several_values_each_but_the_last_is_replaced() {
        let said = ["The mayor of Brod is Una.", "The mayor of Sund is Ivo.", "The mayor of Brod is Ada.", "The mayor of Brod is Jon."];
        assert_eq!(conflicts(&said), [true, false, true, false]);
    }

    #[test]
    fn what_a_later_sentence_replaces_is_closed_and_nothing_else() {
        let lines = concat!(
            r#"{"size": "tiny", "facts": ["The capital of Eastland is Marl.", "Una Falk was born in the city of Marl.", "The capital of Eastland is Brod.","#,
            r#" "Una Falk was born in the city of Sund.", "Ivo Marr is a citizen of Eastland.", "Una Falk is a citizen of Eastland."], "x": 1}"#,
            "\n",
            r#"{"size": 2, "facts": ["Hush now.", "Una Falk is a citizen of Eastland."]}"#
        );
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("said.jsonl");
        fs::write(&path, lines).unwrap();
        let report = run(&path, scratch.path(), &mut |_| ()).unwrap();
        let flat = serde_json::json!({
            "claims_share_2": 0.5, "closed_2": 0, "wrong_closed_2": 0, "claims_share_tiny": 1.0, "closed_tiny": 2, "wrong_closed_tiny": 0,
        });
        assert_eq!(report.to_json(), flat, "{}", report.to_misses());
        assert_eq!(report.to_misses(), "2\tno claim\tHush now.\n");
        assert_eq!(report.to_table().lines().count(), 3, "a line a size");
        fs::write(&path, "{\"size\": 3}").unwrap();
        assert!(run(&path, scratch.path(), &mut |_| ()).unwrap_err().to_string().contains(":1: "), "a line without sentences is named");
    }
}
