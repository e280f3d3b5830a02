//! The arms over facts: the question's words in their sentences, and walks from the seeds; and which observations they lead to.
//!
//! Owns what a fact's sentence is. Knows no text of an observation.

use super::asked::{Asked, Start};
use super::names::Names;
use super::spread::{Spread, spread};
use super::tuning::{FACTS_OF_TERM, FUSED, HOP_DECAY, HUB_LIMIT, TERMS, TERMS_MATCHED};
use crate::graph::{Edge, RelationId, TermId, View};
use crate::model::ObservationId;
use crate::policy::Policies;
use crate::text::{Key, Matches, Tokenizer};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many terms that weight was spread to lead to observations, over so many facts each.
const SPREAD_TERMS: usize = 400;
const SPREAD_FACTS: usize = 64;

/// A path is followed over so many facts.
const MOST_STEPS: usize = 6;

/// A fact with the term from which it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) head: TermId,
    pub(super) edge: Edge,
    /// The question's words in its sentence.
    pub(super) words: u64,
    /// Those that its relation alone has.
    pub(super) of_relation: u64,
    /// Whether it stands at a seed.
    pub(super) at_seed: bool,
}

/// What the arms over facts found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) candidates: FxHashMap<u32, Candidate>,
    /// By words, the best first.
    pub(super) by_words: Vec<(u32, f64)>,
    /// By the walk, the best first.
    pub(super) by_walk: Vec<(u32, f64)>,
    /// Observations by the weight that came to what they say, the most first.
    pub(super) observations: Vec<(ObservationId, f64)>,
    /// The fact over which each term was reached, and from which term.
    pub(super) reached_over: FxHashMap<TermId, (TermId, u32)>,
}

impl Found {
    /// The question's words in a fact and in those that lead from it to a seed.
    pub(super) fn words_to(&self, candidate: &Candidate) -> u64 {
        let mut words = candidate.words;
        for end in [candidate.head, candidate.edge.other] {
            let mut at = end;
            for _ in 0..MOST_STEPS {
                let Some((from, fact)) = self.reached_over.get(&at) else { break };
                words |= self.candidates.get(fact).map_or(0, |candidate| candidate.words);
                at = *from;
            }
        }
        words
    }
}

/// Finds facts that hold at a view.
pub(super) fn find(asked: &Asked, view: &View, names: &Names, policies: &Policies, hops: u32, passage_seeds: &[(TermId, f64)]) -> Found {
    let admits = |term: u32| view.degree(TermId(term)) > 0;
    let matches = names.index().search(&asked.sought(), TERMS, TERMS_MATCHED * 8, &admits);
    let mut finder = Finder { asked, view, policies, matches, relations: FxHashMap::default(), found: Found::default() };
    finder.by_words();
    finder.by_walk(hops);
    finder.observations(passage_seeds, hops);
    finder.found
}

struct Finder<'a> {
    asked: &'a Asked,
    view: &'a View,
    policies: &'a Policies,
    matches: Matches,
    /// The question's words in the name of a relation and its wordings.
    relations: FxHashMap<RelationId, u64>,
    found: Found,
}

impl Finder<'_> {
    /// The question's words in a term's name, whichever of its names.
    fn words_of(&self, term: TermId) -> u64 {
        self.matches.words(term.0)
    }

    fn words_of_relation(&mut self, relation: RelationId) -> u64 {
        if let Some(known) = self.relations.get(&relation) {
            return *known;
        }
        let tokenizer = Tokenizer::new();
        let mut tokens: Vec<Key> = Vec::new();
        if let Some(name) = self.view.relation(relation) {
            tokenizer.passage(&name.replace('_', " "), &mut tokens);
            for (_, wordings) in self.policies.get(name).map(|policy| policy.aliases.as_slice()).unwrap_or_default() {
                for wording in wordings {
                    tokenizer.passage(&wording.replace('_', " "), &mut tokens);
                }
            }
        }
        let has = |keys: &[(Key, f32)]| keys.iter().any(|(key, _)| tokens.contains(key));
        let bits = self.asked.words.iter().filter(|word| has(&word.keys)).fold(0, |bits, word| bits | 1_u64 << word.bit);
        self.relations.insert(relation, bits);
        bits
    }

    /// The facts of a term that are looked at.
    fn edges(&mut self, term: TermId) -> Vec<Edge> {
        let view = self.view;
        if view.degree(term) <= FACTS_OF_TERM {
            return view.edges(term).collect();
        }
        // Of very many facts, those for relations that the question speaks of; then the first of all.
        let mut edges = Vec::new();
        for relation in (0..view.relation_count().min(4_096)).map(RelationId) {
            if view.relation(relation).is_some() && self.words_of_relation(relation) != 0 {
                let both = [true, false].into_iter().flat_map(|outgoing| view.edges_of(term, relation, outgoing));
                edges.extend(both.take(FACTS_OF_TERM));
            }
        }
        edges.extend(view.edges(term).take(FACTS_OF_TERM / 4));
        edges
    }

    fn take(&mut self, term: TermId, edge: Edge, at_seed: bool) -> Candidate {
        let of_relation = self.words_of_relation(edge.relation);
        let words = self.words_of(term) | self.words_of(edge.other) | of_relation;
        let head = if edge.outgoing { term } else { edge.other };
        let candidate = self.found.candidates.entry(edge.fact).or_insert(Candidate { head, edge, words, of_relation, at_seed });
        candidate.at_seed |= at_seed;
        *candidate
    }

    /// The facts at seeds and at terms that have the question's words, by the words in their sentences.
    fn by_words(&mut self) {
        let starts: Vec<Start> = self.asked.starts.clone();
        let mut terms: Vec<(TermId, f64)> = starts.iter().map(|start| (start.term, start.weight)).collect();
        let mut matched = self.matches.found.clone();
        matched.sort_by(|left, right| self.matches.score(*right).total_cmp(&self.matches.score(*left)).then(left.cmp(right)));
        for term in matched.into_iter().take(TERMS_MATCHED) {
            let entity = self.view.entity_of(TermId(term));
            if terms.iter().all(|(known, _)| *known != entity) {
                terms.push((entity, 0.0));
            }
        }
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for (term, weight) in terms {
            for edge in self.edges(term) {
                let candidate = self.take(term, edge, weight > 0.0);
                let score = f64::from(self.asked.says(candidate.words)) + f64::from(self.asked.says(candidate.of_relation)) + 2.0 * weight;
                let best = scores.entry(edge.fact).or_default();
                *best = best.max(score);
            }
        }
        self.found.by_words = in_order(scores);
    }

    /// Facts within some hops of the seeds, each hop for less.
    fn by_walk(&mut self, hops: u32) {
        let starts: Vec<Start> = self.asked.starts.clone();
        let total = f64::from(self.asked.says(u64::MAX)).max(1.0);
        let mut seen: FxHashSet<TermId> = starts.iter().map(|start| start.term).collect();
        let mut frontier: Vec<(TermId, f64)> = starts.iter().map(|start| (start.term, start.weight)).collect();
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for hop in 0..hops {
            let mut next = Vec::new();
            for (term, weight) in frontier {
                if hop > 0 && self.view.degree(term) > HUB_LIMIT {
                    continue;
                }
                for edge in self.edges(term) {
                    let candidate = self.take(term, edge, hop == 0);
                    let words = f64::from(self.asked.says(candidate.words)) / total;
                    let score = weight * (0.2 + words);
                    let best = scores.entry(edge.fact).or_default();
                    *best = best.max(score);
                    if seen.insert(edge.other) {
                        self.found.reached_over.insert(edge.other, (term, edge.fact));
                        next.push((edge.other, weight * HOP_DECAY));
                    }
                }
            }
            frontier = next;
            if frontier.len() > FACTS_OF_TERM {
                frontier.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
                frontier.truncate(FACTS_OF_TERM);
            }
        }
        self.found.by_walk = in_order(scores);
    }

    /// Observations by the weight that spreads from the seeds, and from what the best passages speak of, to what they say.
    fn observations(&mut self, passage_seeds: &[(TermId, f64)], hops: u32) {
        let named = self.asked.starts.iter().map(|start| (start.term, start.weight));
        let seeds: Vec<(TermId, f64)> = named.chain(passage_seeds.iter().copied()).collect();
        if seeds.is_empty() || hops == 0 {
            return;
        }
        let mut weights: FxHashMap<ObservationId, f64> = FxHashMap::default();
        for (term, weight) in spread(self.view, &seeds, Spread::default()).into_iter().take(SPREAD_TERMS) {
            let facts: Vec<Edge> = self.view.edges(term).take(SPREAD_FACTS).collect();
            #[expect(clippy::cast_precision_loss, reason = "at most 64")]
            let share = weight / facts.len().max(1) as f64;
            for edge in facts {
                if let Some(fact) = self.view.fact_id(edge) {
                    *weights.entry(fact.0.observation).or_default() += share;
                }
            }
        }
        let mut observations: Vec<(ObservationId, f64)> = weights.into_iter().collect();
        observations.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        observations.truncate(FUSED);
        self.found.observations = observations;
    }
}

fn in_order(scores: FxHashMap<u32, f64>) -> Vec<(u32, f64)> {
    let mut list: Vec<(u32, f64)> = scores.into_iter().filter(|(_, score)| *score > 0.0).collect();
    // Of equals the fact that came in last: its number is greater.
    list.sort_by(|left, right| right.1.total_cmp(&left.1).then(right.0.cmp(&left.0)));
    list.truncate(FUSED);
    list
}
