//! Reading a question for recall: which words to look for, whom it names, which time it means.
//!
//! Owns seeds, windows and the weight of each word. Knows no arm.

use super::names::Names;
use super::recalled::{Reading, Seed, Window};
use super::tuning::{TERMS, TERMS_MATCHED};
use crate::graph::{TermId, View};
use crate::model::TermRef;
use crate::text::{Corpus, Key, Sought};
use crate::time::expr::{Context, Prefer, Role, Value, find};
use crate::time::{Instant, Moment, Zone};
use std::ops::Range;

/// Names of at most so many words are looked for.
const LONGEST_NAME: usize = 6;
/// Names of scripts without spaces have at most so many characters.
const LONGEST_RUN: usize = 12;
/// A part of a name seeds the walk where at most so many entities have it.
const FEW: usize = 3;
/// What a name in small letters counts for as a seed.
const COMMON: f64 = 0.25;
/// So many words have a bit.
const BITS: usize = 64;

/// One word that is looked for.
#[expect(clippy::struct_excessive_bools, reason = "four things that may each be so of a word")]
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) keys: Vec<(Key, f32)>,
    pub(super) bit: u8,
    /// How much finding it says, by the rarest of its tokens.
    pub(super) says: f32,
    /// Whether nothing in the corpus has it.
    pub(super) is_unknown: bool,
    /// Whether it belongs to a time.
    pub(super) is_time: bool,
    pub(super) is_literal: bool,
    pub(super) is_specific: bool,
}

/// A seed by number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) term: TermId,
    pub(super) weight: f64,
    /// Whether it is the name of a speaker, who stands behind most of what was said.
    pub(super) is_speaker: bool,
}

/// A question, read.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) reading: Reading,
    /// Content words other than names of speakers.
    pub(super) words: Vec<Word>,
    /// Speakers whom it names.
    pub(super) speakers: Vec<u32>,
    pub(super) starts: Vec<Start>,
    pub(super) windows: Vec<(Option<Instant>, Option<Instant>)>,
}

impl Asked {
    /// Everything that is looked for in passages.
    pub(super) fn sought(&self) -> Vec<Sought> {
        let sought = |word: &Word| {
            let bit = word.bit;
            word.keys.iter().map(move |(key, weight)| Sought { key: *key, weight: *weight, word: bit }).collect::<Vec<_>>()
        };
        self.words.iter().flat_map(sought).collect()
    }

    /// How much a set of words says in all.
    pub(super) fn says(&self, bits: u64) -> f32 {
        self.words.iter().filter(|word| bits >> word.bit & 1 == 1).map(|word| word.says).sum()
    }
}

/// Reads a question against what is known at a view.
pub(super) fn read(text: &str, view: &View, corpus: &Corpus, names: &Names, zone: Zone) -> Asked {
    let mut asked = Asked::default();
    let query = corpus.tokenizer().query(text);
    let times = times(text, view, zone, &mut asked);
    let mut is_name = vec![false; query.words.len()];
    seeds(text, &query.words.iter().map(|word| (word.at.clone(), word.is_function)).collect::<Vec<_>>(), view, &mut asked, &mut is_name);
    for (word, is_name) in query.words.iter().zip(&is_name) {
        let Some((first, _)) = word.keys.first() else { continue };
        let speakers = corpus.speakers_named(*first);
        let is_time = times.iter().any(|range| range.start < word.at.end && word.at.start < range.end);
        if !speakers.is_empty() && !word.is_function && !is_time {
            asked.speakers.extend(speakers);
            asked.reading.speakers.push(word.surface.clone());
            continue;
        }
        if word.is_function {
            continue;
        }
        // Each pair of characters of a run is a word of its own.
        let is_run = word.keys.iter().all(|(_, weight)| *weight >= 1.0) && word.keys.len() > 1;
        let groups: Vec<Vec<(Key, f32)>> = if is_run { word.keys.iter().map(|key| vec![*key]).collect() } else { vec![word.keys.clone()] };
        for keys in groups {
            let known = |key: Key| corpus.index().count(key) + names.index().count(key) > 0;
            if asked.words.iter().any(|other| other.keys == keys) {
                continue;
            }
            let Some(bit) = u8::try_from(asked.words.len()).ok().filter(|bit| usize::from(*bit) < BITS) else { break };
            let says = keys
                .iter()
                .filter(|(key, _)| known(*key))
                .map(|(key, weight)| weight * corpus.index().weight_of(*key))
                .fold(f32::NEG_INFINITY, f32::max);
            let is_unknown = says == f32::NEG_INFINITY;
            let says = if is_unknown { keys.first().map_or(0.0, |(key, _)| corpus.index().weight_of(*key)) } else { says };
            asked.words.push(Word {
                keys,
                bit,
                says,
                is_unknown,
                is_time,
                is_literal: word.is_literal,
                is_specific: word.is_specific || *is_name,
            });
        }
        asked.reading.words.push(word.surface.clone());
    }
    asked.speakers.sort_unstable();
    asked.speakers.dedup();
    part_names(view, names, &mut asked);
    for (start, seed) in asked.starts.iter_mut().zip(&asked.reading.seeds) {
        let words = corpus.tokenizer().query(&seed.surface).words;
        let is_speakers = |(key, _): &(Key, f32)| !corpus.speakers_named(*key).is_empty();
        start.is_speaker = !words.is_empty() && words.iter().all(|word| word.keys.first().is_some_and(is_speakers));
    }
    asked.reading.is_past |= is_past(text);
    asked
}

/// The times that the question names, read from the reading position backwards; gives where they stand.
fn times(text: &str, view: &View, zone: Zone, asked: &mut Asked) -> Vec<Range<usize>> {
    let context = Context::new(view.as_of().valid_at.lo(), zone).preferring(Prefer::Past);
    let mut found = Vec::new();
    for mention in find(text, &context) {
        let surface = text.get(mention.bytes.clone()).unwrap_or_default().to_owned();
        for value in mention.candidates() {
            let (from, until, moment) = match value {
                Value::Moment(moment) => match mention.role {
                    Role::Before | Role::Until | Role::By => (None, Some(moment.hi()), None),
                    Role::After | Role::Since => (Some(moment.lo()), None, None),
                    Role::At | Role::During | Role::For | Role::Every => (Some(moment.lo()), Some(moment.hi()), Some(*moment)),
                },
                Value::Span(span) => {
                    let (lo, hi) = (span.start().lo(), span.end().hi());
                    (Some(lo).filter(|at| !at.is_sentinel()), Some(hi).filter(|at| !at.is_sentinel()), Moment::granule(lo, hi).ok())
                }
                Value::Duration(_) | Value::Set(_) => continue,
            };
            if moment.is_some_and(|moment| moment.contains(view.as_of().valid_at.lo())) && mention.bytes.len() < 8 && from == until {
                continue;
            }
            asked.windows.push((from, until));
            asked.reading.windows.push(Window { surface: surface.clone(), from, until, moment });
        }
        found.push(mention.bytes);
    }
    let now = view.as_of().valid_at.lo();
    asked.reading.is_past |= asked.windows.iter().any(|(_, until)| until.is_some_and(|until| until <= now));
    found
}

/// The entities whose whole names stand in the question, the longest first at each place.
fn seeds(text: &str, words: &[(Range<usize>, bool)], view: &View, asked: &mut Asked, is_name: &mut [bool]) {
    let mut at = 0;
    while at < words.len() {
        let longest = (at + 1..=words.len().min(at + LONGEST_NAME)).rev().find_map(|end| {
            let (first, last) = (words.get(at)?, words.get(end - 1)?);
            // A word of grammar alone names nobody.
            if end == at + 1 && first.1 {
                return None;
            }
            let surface = text.get(first.0.start..last.0.end)?;
            let trimmed = ["'s", "’s"].iter().find_map(|ending| surface.strip_suffix(ending)).unwrap_or(surface);
            named(trimmed, view).map(|term| (end, trimmed, term))
        });
        if let Some((end, surface, term)) = longest {
            // A thing that is written like any word is named by most of what is said of it.
            let weight = if surface.contains(|c: char| c.is_uppercase() || c.is_numeric()) { 1.0 } else { COMMON };
            add(asked, view, surface, term, weight, true);
            is_name.iter_mut().take(end).skip(at).for_each(|name| *name = true);
            at = end;
            continue;
        }
        let run = words.get(at).and_then(|(range, _)| text.get(range.clone())).unwrap_or_default();
        if !run.is_ascii() {
            inside(run, view, asked);
        }
        at += 1;
    }
}

/// Names inside a run of a script without spaces.
fn inside(run: &str, view: &View, asked: &mut Asked) {
    let ends: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    let mut at = 0;
    while at + 1 < ends.len() {
        let longest = (at + 2..=(ends.len() - 1).min(at + LONGEST_RUN)).rev().find_map(|end| {
            let surface = run.get(*ends.get(at)?..*ends.get(end)?)?;
            named(surface, view).map(|term| (end, surface, term))
        });
        match longest {
            Some((end, surface, term)) => {
                add(asked, view, surface, term, 1.0, true);
                at = end;
            }
            None => at += 1,
        }
    }
}

/// The entity of a name, if it has any fact.
fn named(surface: &str, view: &View) -> Option<TermId> {
    let term = view.term_id(TermRef::Name(surface)).or_else(|| view.term_id(TermRef::Iri(surface)))?;
    (view.degree(term) > 0).then_some(term)
}

/// Entities whose names have a word of the question that few others have: seeds of less weight.
fn part_names(view: &View, names: &Names, asked: &mut Asked) {
    let mut parts = Vec::new();
    for word in asked.words.iter().filter(|word| !word.is_time && !word.is_unknown) {
        let Some((key, _)) = word.keys.first() else { continue };
        let having = names.index().count(*key);
        if having == 0 || having as usize > FEW * 8 {
            continue;
        }
        let sought = [Sought { key: *key, weight: 1.0, word: 0 }];
        let found = names.index().search(&sought, TERMS, TERMS_MATCHED, &|term| view.degree(TermId(term)) > 0);
        let mut terms: Vec<TermId> = found.found.iter().map(|term| view.entity_of(TermId(*term))).collect();
        terms.sort_unstable();
        terms.dedup();
        #[expect(clippy::cast_precision_loss, reason = "a few")]
        let weight = 0.5 / terms.len().max(1) as f64;
        if terms.len() <= FEW || word.is_specific {
            parts.extend(terms.into_iter().take(FEW * 4).map(|term| (term, weight)));
        }
    }
    for (term, weight) in parts {
        let surface = view.term(term).map(|term| term.to_string()).unwrap_or_default();
        add(asked, view, &surface, term, weight, false);
    }
}

fn add(asked: &mut Asked, view: &View, surface: &str, term: TermId, weight: f64, is_whole: bool) {
    if asked.starts.iter().any(|start| start.term == term) {
        return;
    }
    let Some(entity) = view.term(term) else { return };
    asked.starts.push(Start { term, weight, is_speaker: false });
    asked.reading.seeds.push(Seed { surface: surface.to_owned(), entity, is_whole });
}

/// Whether a question asks what was: by a verb in the past, or a word for it.
fn is_past(text: &str) -> bool {
    const PAST: [&str; 14] = [
        "did",
        "was",
        "were",
        "had",
        "used",
        "formerly",
        "previously",
        "previous",
        "former",
        "before",
        "earlier",
        "history",
        "ago",
        "once",
    ];
    const PAST_JA: [&str; 8] = ["ました", "でした", "かつて", "以前", "昔", "前に", "いつ", "だった"];
    let lowered = text.to_lowercase();
    lowered.split(|c: char| !c.is_alphanumeric()).any(|word| PAST.contains(&word)) || PAST_JA.iter().any(|word| lowered.contains(word))
}
