//! Recall: from a question to what an agent should be handed before it answers.
//!
//! Owns the order of the steps: read, find by each arm, fuse, weigh, leave out what no longer holds, order, fold, pack, explain. Knows no
//! store: words of observations come through [`Texts`].

use super::asked::{self, Asked};
use super::diverse::copies;
use super::facts::{self, Candidate, Found};
use super::floor::{self, FLOOR};
use super::fuse::{Fused, Ranked, fuse};
use super::names::Names;
use super::order::{Placed, newest_first};
use super::overlap::overlap;
use super::pack::{fits, tokens_of};
use super::recalled::{Arm, Basis, Cut, Hit, Item, Noted, Parts, Recalled, Step};
use super::tuning::{FACT_WORDS_WEIGHT, FUSED, GRAPH_WEIGHT, LITERAL_WEIGHT, PASSAGE_SEED, PASSAGES_AS_SEEDS, READ, TIME_WEIGHT};
use super::turns::{self, Turn};
use super::weights::{Relevance, Weights};
use crate::graph::{Held, Said, TermId, View};
use crate::model::{Authority, Cardinality, FactId, Observation, ObservationId, Polarity};
use crate::policy::Policies;
use crate::text::{Corpus, Key};
use crate::time::{AsOf, Instant, KnownAt, Zone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What is asked of a memory.
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The question, or the words to look for; of more than 16 KiB the beginning counts.
    pub text: String,
    /// Where to read, in both times; `None` is now.
    pub as_of: Option<AsOf>,
    /// The zone in which the question means its dates.
    pub zone: Zone,
    /// At most so many hits.
    pub limit: usize,
    /// Over so many facts the graph is walked from the entities that the question names.
    pub hops: u32,
    /// About how many tokens of a prompt the hits may take; `None` is no limit.
    pub budget: Option<usize>,
    /// What makes one hit worth more than another.
    pub weights: Weights,
    /// Whether facts are wanted.
    pub facts: bool,
    /// Whether observations are wanted.
    pub observations: bool,
    /// Whether what no longer holds follows, with its intervals.
    pub history: bool,
    /// Whether the floor is left out: the nearest is handed out, however far.
    pub whatever: bool,
}

impl Query {
    /// Ten hits of both kinds, two hops, no budget, the default weights, now.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            as_of: None,
            zone: Zone::UTC,
            limit: 10,
            hops: 2,
            budget: None,
            weights: Weights::default(),
            facts: true,
            observations: true,
            history: false,
            whatever: false,
        }
    }

    /// Most hits that may be asked for.
    pub const MOST: usize = 1_000;
    /// Most hops.
    pub const MOST_HOPS: u32 = 6;
}

/// What recall reads.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The facts, at the point of both times that is asked for.
    pub view: &'a View,
    /// The passages. It may have more of them than the view knows.
    pub corpus: &'a Corpus,
    /// The place in the ledger up to which the view knows.
    pub through: u64,
    /// The names of the view's projection.
    pub names: &'a Names,
    /// The wordings of relations.
    pub policies: &'a Policies,
}

/// Where the words of observations are read.
pub trait Texts {
    /// What can go wrong.
    type Error;

    /// The observation in full; `None` if it is not there any more.
    ///
    /// # Errors
    /// What keeps it from being read.
    fn observation(&mut self, id: ObservationId) -> Result<Option<Observation>, Self::Error>;
}

/// A hit in the making.
struct Draft {
    what: What,
    parts: Parts,
    arms: Vec<(Arm, usize, f64)>,
    notes: Vec<Noted>,
}

enum What {
    Said { turn: Option<Turn>, observation: Box<Observation>, said: Vec<Said>, tokens: BTreeSet<Key> },
    Fact { fact: Box<Held>, candidate: Option<Candidate> },
}

/// Finds what answers a question at a view.
///
/// # Errors
/// What [`Texts`] says.
///
/// # Complexity
/// That of the search for the question's words, plus bounded work on what is found: 800 turns, 200 facts of each arm and 60 texts.
pub fn recall<T: Texts>(sources: Sources<'_>, query: &Query, texts: &mut T) -> Result<Recalled, T::Error> {
    let Sources { view, corpus, names, .. } = sources;
    let asked = asked::read(&query.text, view, corpus, names, query.zone);
    let turns = if query.observations { turns::rank(&asked, corpus, &admits(sources)) } else { Vec::new() };
    let then = view_then(view, &asked);
    let facts_view = then.as_ref().unwrap_or(view);
    let passage_seeds = passage_seeds(view, corpus, &turns);
    let found = facts::find(&asked, facts_view, names, sources.policies, query.hops.min(Query::MOST_HOPS), &passage_seeds);
    let evidence_of_turns = floor::of_turns(&asked, corpus, &turns);
    let evidence_of_facts = evidence_of_facts(&asked, &found);
    let basis = Basis { evidence: evidence_of_turns.max(evidence_of_facts), floor: if query.whatever { 0.0 } else { FLOOR } };
    let mut recalled =
        Recalled { as_of: view.as_of(), reading: asked.reading.clone(), hits: Vec::new(), suppressed: 0, cut: Vec::new(), basis };
    if !basis.is_enough() {
        return Ok(recalled);
    }
    let mut work = Work { sources, query, asked: &asked, facts_view, found: &found, suppressed: 0 };
    let mut drafts = Vec::new();
    if query.observations {
        drafts.extend(work.observations(&turns, texts)?);
    }
    if query.facts {
        drafts.extend(work.facts());
    }
    work.weigh(&mut drafts);
    let drafts = work.arrange(drafts);
    let mut hits: Vec<Hit> = drafts.into_iter().map(|draft| work.hit(draft)).collect();
    hits.truncate(query.limit.min(Query::MOST));
    let kept = fits(&hits.iter().map(|hit| hit.tokens).collect::<Vec<_>>(), query.budget);
    for (hit, kept) in hits.into_iter().zip(kept) {
        if kept {
            recalled.hits.push(hit);
        } else {
            recalled.cut.push(cut(&hit));
        }
    }
    recalled.suppressed = work.suppressed + work.suppressed_facts(&recalled.hits);
    Ok(recalled)
}

/// How well the best fact answers.
fn evidence_of_facts(asked: &Asked, found: &Found) -> f64 {
    let evidence = |candidate: &Candidate| floor::of_fact(asked, found.words_to(candidate), candidate.at_seed);
    found.candidates.values().map(evidence).fold(0.0, f64::max)
}

/// Which passages are known at the view, and were observed by then.
fn admits(sources: Sources<'_>) -> impl Fn(u32) -> bool {
    let AsOf { valid_at, known_at } = sources.view.as_of();
    move |number| {
        let Some(document) = sources.corpus.document(number) else { return false };
        let known = match known_at {
            KnownAt::Latest => document.seq <= sources.through,
            KnownAt::At(instant) => document.seq <= sources.through && document.tx <= instant,
        };
        let observed = document.observed_at < valid_at.hi() || (valid_at.is_exact() && document.observed_at == valid_at.lo());
        known && observed && !document.is_gone
    }
}

/// The view at the one moment that the question names, where that lies before the reading position.
fn view_then(view: &View, asked: &Asked) -> Option<View> {
    let now = view.as_of();
    let moment = asked.reading.windows.first()?.moment?;
    (moment.hi() <= now.valid_at.lo()).then(|| view.snapshot().at(AsOf { valid_at: moment, known_at: now.known_at }))
}

/// What the best passages speak of, as seeds of little weight.
fn passage_seeds(view: &View, corpus: &Corpus, turns: &[Turn]) -> Vec<(TermId, f64)> {
    let best = turns.first().map_or(1.0, |turn| turn.score).max(f32::MIN_POSITIVE);
    let mut seeds = Vec::new();
    for turn in turns.iter().take(PASSAGES_AS_SEEDS) {
        let Some(document) = corpus.document(turn.document) else { continue };
        let said = view.said_by(document.id);
        let terms: BTreeSet<TermId> = said.iter().flat_map(|said| [said.head, said.tail]).collect();
        #[expect(clippy::cast_precision_loss, reason = "a passage has few claims")]
        let share = PASSAGE_SEED * f64::from(turn.score / best) / terms.len().max(1) as f64;
        seeds.extend(terms.into_iter().map(|term| (term, share)));
    }
    seeds
}

/// What is at hand while hits are made.
struct Work<'a> {
    sources: Sources<'a>,
    query: &'a Query,
    asked: &'a Asked,
    facts_view: &'a View,
    found: &'a Found,
    suppressed: u64,
}

impl Work<'_> {
    /// The observations by every arm, with their words.
    fn observations<T: Texts>(&mut self, turns: &[Turn], texts: &mut T) -> Result<Vec<Draft>, T::Error> {
        let by_document: FxHashMap<u32, Turn> = turns.iter().map(|turn| (turn.document, *turn)).collect();
        let literal = self.asked.words.iter().filter(|word| word.is_literal).fold(0_u64, |bits, word| bits | 1 << word.bit);
        let scored = |turn: &Turn| (turn.document, f64::from(turn.score));
        let admits = admits(self.sources);
        let from_facts = |list: &[(ObservationId, f64)]| -> Vec<(u32, f64)> {
            list.iter()
                .filter_map(|(id, score)| Some((self.sources.corpus.number(*id)?, *score)))
                .filter(|(number, _)| admits(*number))
                .collect()
        };
        let lists = [
            Ranked { arm: Arm::Words, weight: 1.0, list: turns.iter().take(FUSED).map(scored).collect() },
            Ranked { arm: Arm::Graph, weight: GRAPH_WEIGHT * self.certainty_of_seeds(), list: from_facts(&self.found.observations) },
            Ranked {
                arm: Arm::Literal,
                weight: LITERAL_WEIGHT,
                list: turns.iter().filter(|turn| turn.words & literal != 0).take(FUSED).map(scored).collect(),
            },
            Ranked {
                arm: Arm::Time,
                weight: TIME_WEIGHT,
                list: turns.iter().filter(|turn| turn.is_in_time).take(FUSED).map(scored).collect(),
            },
        ];
        let wanted = READ.max(self.query.limit + self.query.limit / 4);
        let mut drafts = Vec::new();
        for Fused { what, relevance, arms } in fuse(&lists).into_iter().take(wanted) {
            let Some(id) = self.sources.corpus.document(what).map(|document| document.id) else { continue };
            let Some(observation) = texts.observation(id)?.filter(|observation| observation.text.is_some()) else { continue };
            let said = self.sources.view.said_by(id);
            if self.is_superseded(&said) && !self.asked.reading.is_past {
                if !self.query.history {
                    self.suppressed += 1;
                    continue;
                }
                drafts.push(self.said(by_document.get(&what).copied(), observation, said, relevance, arms, vec![Noted::Superseded]));
                continue;
            }
            drafts.push(self.said(by_document.get(&what).copied(), observation, said, relevance, arms, Vec::new()));
        }
        Ok(drafts)
    }

    fn said(
        &self,
        turn: Option<Turn>,
        observation: Observation,
        said: Vec<Said>,
        relevance: f64,
        arms: Vec<(Arm, usize, f64)>,
        notes: Vec<Noted>,
    ) -> Draft {
        let mut tokens: Vec<Key> = Vec::new();
        let text = observation.text.as_deref().unwrap_or_default();
        self.sources.corpus.tokenizer().passage(text, &mut tokens);
        let relevance = self.relevance(relevance, text);
        let importance = said.iter().map(|said| said.importance).fold(f64::NEG_INFINITY, f64::max);
        let parts = Parts {
            relevance,
            importance: if importance.is_finite() { importance } else { UNJUDGED },
            recency: self.query.weights.recency_of(self.age(observation.observed_at.at)),
            credibility: credibility(observation.source.authority),
        };
        let observation = Box::new(observation);
        Draft { what: What::Said { turn, observation, said, tokens: tokens.into_iter().collect() }, parts, arms, notes }
    }

    /// Whether all that an observation states no longer holds, and something else of the same slots does.
    fn is_superseded(&self, said: &[Said]) -> bool {
        let view = self.sources.view;
        let mut stated = said.iter().filter(|said| said.polarity == Polarity::Holds).peekable();
        stated.peek().is_some() && stated.all(|said| said.held.is_none() && view.edges_of(said.head, said.relation, true).next().is_some())
    }

    /// How sure it is whom the question names: of one that is meant by a part of its name less, and of speakers alone least, since they
    /// stand behind most of what was said.
    fn certainty_of_seeds(&self) -> f64 {
        let named = self.asked.starts.iter().filter(|start| !start.is_speaker);
        named.map(|start| start.weight).fold(UNNAMED, f64::max)
    }

    /// The facts by every arm.
    fn facts(&mut self) -> Vec<Draft> {
        let in_time: Vec<(u32, f64)> = self.found.by_words.iter().filter(|(fact, _)| self.begins_in_time(*fact)).copied().collect();
        let lists = [
            Ranked { arm: Arm::FactWords, weight: FACT_WORDS_WEIGHT, list: self.found.by_words.clone() },
            Ranked { arm: Arm::Graph, weight: GRAPH_WEIGHT, list: self.found.by_walk.clone() },
            Ranked { arm: Arm::Time, weight: TIME_WEIGHT, list: in_time },
        ];
        let mut drafts = Vec::new();
        for Fused { what, relevance, arms } in fuse(&lists).into_iter().take(READ) {
            let Some(candidate) = self.found.candidates.get(&what).copied() else { continue };
            // A fact that has nothing of the question but an entity is context, and comes after what answers.
            let answers = floor::of_fact(self.asked, self.found.words_to(&candidate), candidate.at_seed);
            if let Some(draft) = self.fact(candidate, relevance * (0.25 + 0.75 * answers), arms) {
                drafts.push(draft);
            }
        }
        drafts
    }

    fn fact(&self, candidate: Candidate, relevance: f64, arms: Vec<(Arm, usize, f64)>) -> Option<Draft> {
        let id = self.facts_view.fact_id(candidate.edge)?;
        let fact = self.facts_view.fact(id).ok()?;
        let held = Held { certainty: candidate.edge.certainty, fact };
        let mut notes = Vec::new();
        if candidate.edge.contested {
            notes.push(Noted::Contested);
        }
        if let Some(window) = self.asked.reading.windows.iter().find(|window| window.moment.is_some())
            && self.facts_view.as_of() != self.sources.view.as_of()
        {
            notes.push(Noted::InTime(window.surface.clone()));
        }
        Some(self.fact_draft(held, Some(candidate), relevance, arms, notes))
    }

    fn fact_draft(
        &self,
        held: Held,
        candidate: Option<Candidate>,
        relevance: f64,
        arms: Vec<(Arm, usize, f64)>,
        notes: Vec<Noted>,
    ) -> Draft {
        let first = held.fact.id.0.observation;
        let document = self.sources.corpus.number(first).and_then(|number| self.sources.corpus.document(number));
        let parts = Parts {
            relevance: self.relevance(relevance, &words_of(&held)),
            importance: held.fact.importance,
            recency: document.map_or(0.0, |document| self.query.weights.recency_of(self.age(document.observed_at))),
            credibility: document.map_or(0.5, |document| credibility(document.authority)),
        };
        Draft { what: What::Fact { fact: Box::new(held), candidate }, parts, arms, notes }
    }

    /// Whether a fact begins within a time that the question names.
    fn begins_in_time(&self, fact: u32) -> bool {
        let Some(start) = self.facts_view.fact_name(fact).and_then(|id| self.facts_view.fact(id).ok()).map(|fact| fact.start) else {
            return false;
        };
        self.asked
            .windows
            .iter()
            .any(|(from, until)| from.is_none_or(|from| start.hi() > from) && until.is_none_or(|until| start.lo() < until))
    }

    fn relevance(&self, fused: f64, text: &str) -> f64 {
        match self.query.weights.measure {
            Relevance::Fused | Relevance::Stretched => fused,
            #[expect(clippy::cast_precision_loss, reason = "a count of words")]
            Relevance::Overlap => overlap(&self.query.text, text) as f64,
        }
    }

    fn age(&self, at: Instant) -> i64 {
        self.sources.view.as_of().valid_at.lo().micros_since(at)
    }

    /// Multiplies the parts with their weights.
    fn weigh(&self, drafts: &mut [Draft]) {
        if self.query.weights.measure == Relevance::Stretched {
            stretch(drafts, |parts| &mut parts.relevance);
            stretch(drafts, |parts| &mut parts.importance);
            stretch(drafts, |parts| &mut parts.recency);
        }
        let weights = &self.query.weights;
        for Draft { parts, .. } in drafts {
            parts.relevance *= weights.relevance;
            parts.importance *= weights.importance;
            parts.recency *= weights.recency;
            parts.credibility *= weights.credibility;
        }
    }

    /// Orders by score; then of two on one subject the newer first, rivals beside each other, copies folded, history behind.
    fn arrange(&mut self, mut drafts: Vec<Draft>) -> Vec<Draft> {
        drafts.sort_by(|left, right| right.parts.total().total_cmp(&left.parts.total()).then_with(|| left.key().cmp(&right.key())));
        let drafts = self.newest_first(drafts);
        let drafts = self.with_rivals(fold(drafts));
        if self.query.history { self.with_history(drafts) } else { drafts }
    }

    /// Whether the head of a claim has one value at a time for its relation.
    fn is_single(&self, said: &Said) -> bool {
        let policy = self.sources.view.relation(said.relation).and_then(|name| self.sources.policies.get(name));
        policy.is_some_and(|policy| policy.cardinality == Cardinality::One)
    }

    fn newest_first(&self, drafts: Vec<Draft>) -> Vec<Draft> {
        let placed: Vec<(usize, Placed)> =
            drafts.iter().enumerate().filter_map(|(place, draft)| Some((place, draft.placed(|said| self.is_single(said))?))).collect();
        let order = newest_first(self.asked, &placed.iter().map(|(_, placed)| placed.clone()).collect::<Vec<_>>());
        let ids: Vec<Option<ObservationId>> = drafts.iter().map(|draft| draft.observation().map(|observation| observation.id)).collect();
        let places: Vec<usize> = placed.iter().map(|(place, _)| *place).collect();
        let mut slots: Vec<Option<Draft>> = drafts.into_iter().map(Some).collect();
        let moved: Vec<Option<Draft>> = order
            .iter()
            .map(|(from, above)| {
                let mut draft = slots.get_mut(*places.get(*from)?)?.take()?;
                if let Some(older) = above.and_then(|above| places.get(above)).and_then(|place| ids.get(*place).copied().flatten()) {
                    draft.notes.push(Noted::NewerThan(older));
                }
                Some(draft)
            })
            .collect();
        for (place, draft) in places.into_iter().zip(moved) {
            if let Some(slot) = slots.get_mut(place) {
                *slot = draft;
            }
        }
        slots.into_iter().flatten().collect()
    }

    /// Both sides of a contest, one after the other.
    fn with_rivals(&self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut there: FxHashSet<FactId> = FxHashSet::default();
        let mut waiting: Vec<Option<Draft>> = drafts.into_iter().map(Some).collect();
        let places: FxHashMap<FactId, usize> =
            waiting.iter().enumerate().filter_map(|(place, draft)| Some((draft.as_ref()?.fact()?.fact.id, place))).collect();
        let mut arranged = Vec::with_capacity(waiting.len());
        for place in 0..waiting.len() {
            let Some(draft) = waiting.get_mut(place).and_then(Option::take) else { continue };
            let rivals = draft.fact().map(|held| held.fact.status.rivals.clone()).unwrap_or_default();
            let relevance = draft.parts.relevance;
            if let Some(held) = draft.fact() {
                there.insert(held.fact.id);
            }
            arranged.push(draft);
            for rival in rivals.into_iter().take(MOST_RIVALS).filter(|rival| !there.contains(rival)).collect::<Vec<_>>() {
                let known = places.get(&rival).and_then(|place| waiting.get_mut(*place)).and_then(Option::take);
                if let Some(draft) = known.or_else(|| self.rival(rival, relevance)) {
                    there.insert(rival);
                    arranged.push(draft);
                }
            }
        }
        arranged
    }

    fn rival(&self, id: FactId, relevance: f64) -> Option<Draft> {
        let number = self.facts_view.fact_number(id)?;
        let (_, edge) = self.facts_view.edge_of(number)?;
        let held = Held { certainty: edge.certainty, fact: self.facts_view.fact(id).ok()? };
        let mut draft = self.fact_draft(held, None, 0.0, Vec::new(), vec![Noted::Contested]);
        draft.parts.relevance = relevance;
        Some(draft)
    }

    /// After each fact what its slot held before.
    fn with_history(&self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut there: FxHashSet<FactId> = drafts.iter().filter_map(|draft| Some(draft.fact()?.fact.id)).collect();
        let mut arranged = Vec::new();
        for draft in drafts {
            let ended = draft.fact().map(|held| {
                let known = self.facts_view.timeline(&held.fact.head, Some(&held.fact.relation)).unwrap_or_default();
                known.into_iter().filter(|fact| there.insert(fact.id)).collect::<Vec<_>>()
            });
            let relevance = draft.parts.relevance;
            arranged.push(draft);
            for fact in ended.unwrap_or_default().into_iter().rev().take(MOST_HISTORY) {
                let certainty = crate::time::Certainty::Possible;
                let mut draft = self.fact_draft(Held { fact, certainty }, None, 0.0, Vec::new(), vec![Noted::Ended]);
                draft.parts.relevance = relevance;
                arranged.push(draft);
            }
        }
        arranged
    }

    /// How many facts of the slots in the answer are known and do not hold.
    fn suppressed_facts(&self, hits: &[Hit]) -> u64 {
        if self.query.history {
            return 0;
        }
        let mut slots: BTreeSet<(String, String)> = BTreeSet::new();
        let mut suppressed = 0;
        for hit in hits {
            let Item::Fact(held) = &hit.item else { continue };
            if slots.insert((held.fact.head.to_string(), held.fact.relation.clone())) {
                let answer = self.facts_view.values(&held.fact.head, &held.fact.relation);
                suppressed += answer.map_or(0, |answer| answer.suppressed);
            }
        }
        suppressed
    }

    fn hit(&self, draft: Draft) -> Hit {
        let Draft { what, parts, arms, mut notes } = draft;
        let score = parts.total();
        match what {
            What::Said { turn, observation, .. } => {
                if turn.is_some_and(|turn| turn.is_in_time)
                    && let Some(window) = self.asked.reading.windows.first()
                {
                    notes.push(Noted::InTime(window.surface.clone()));
                }
                let path = self.path_to(&observation);
                let tokens = tokens_of(observation.text.as_deref().unwrap_or_default()) + FRAME;
                Hit { item: Item::Observation(observation), score, parts, arms, path, notes, tokens }
            }
            What::Fact { fact, candidate } => {
                let path = candidate.map(|candidate| self.path(candidate.head, candidate.edge.other)).unwrap_or_default();
                let tokens = tokens_of(&words_of(&fact)) + FRAME;
                Hit { item: Item::Fact(fact), score, parts, arms, path, notes, tokens }
            }
        }
    }

    /// How what an observation says hangs together with a seed.
    fn path_to(&self, observation: &Observation) -> Vec<Step> {
        let said = self.sources.view.said_by(observation.id);
        said.iter().map(|said| self.path(said.head, said.tail)).find(|path| !path.is_empty()).unwrap_or_default()
    }

    /// The facts from a seed to the nearer end of a fact, that fact not included.
    fn path(&self, head: TermId, tail: TermId) -> Vec<Step> {
        let trail = |term: TermId| -> Option<Vec<u32>> {
            let mut at = term;
            let mut facts = Vec::new();
            while !self.asked.starts.iter().any(|start| start.term == at) {
                let (from, fact) = self.found.reached_over.get(&at)?;
                facts.push(*fact);
                at = *from;
                if facts.len() > Query::MOST_HOPS as usize {
                    return None;
                }
            }
            facts.reverse();
            Some(facts)
        };
        let nearer = [trail(head), trail(tail)].into_iter().flatten().min_by_key(Vec::len).unwrap_or_default();
        let step = |fact: u32| {
            let id = self.facts_view.fact_name(fact)?;
            let fact = self.facts_view.fact(id).ok()?;
            Some(Step { fact: id, words: format!("{} {} {}", fact.head, fact.relation, fact.tail) })
        };
        nearer.into_iter().filter_map(step).collect()
    }
}

/// What the walk counts for where the question names nobody but speakers.
const UNNAMED: f64 = 0.15;
/// The importance of what nobody has judged.
const UNJUDGED: f64 = 0.5;
/// So many rivals of one fact are shown.
const MOST_RIVALS: usize = 4;
/// So many earlier facts of one slot are shown.
const MOST_HISTORY: usize = 10;
/// Tokens of what stands around a hit in a prompt: its date, its speaker.
const FRAME: usize = 12;

/// A fact in words.
fn words_of(held: &Held) -> String {
    format!(
        "{} {} {} ({}, {})",
        held.fact.head,
        held.fact.relation.replace('_', " "),
        held.fact.tail,
        held.fact.start.describe(),
        held.fact.end.describe()
    )
}

fn credibility(authority: Authority) -> f64 {
    f64::from(authority.rank()) / f64::from(Authority::User.rank().max(1))
}

fn cut(hit: &Hit) -> Cut {
    let (observation, fact) = match &hit.item {
        Item::Observation(observation) => (observation.id, None),
        Item::Fact(held) => (held.fact.id.0.observation, Some(held.fact.id)),
    };
    Cut { observation, fact, score: hit.score, tokens: hit.tokens }
}

/// Stretches one part to 0 to 1.
fn stretch(drafts: &mut [Draft], part: impl Fn(&mut Parts) -> &mut f64) {
    let mut bounds = (f64::INFINITY, f64::NEG_INFINITY);
    for draft in drafts.iter_mut() {
        let value = *part(&mut draft.parts);
        bounds = (bounds.0.min(value), bounds.1.max(value));
    }
    let wide = bounds.1 - bounds.0;
    for draft in drafts {
        let value = part(&mut draft.parts);
        *value = if wide > 0.0 { (*value - bounds.0) / wide } else { 1.0 };
    }
}

/// Near-copies of observations are folded into the first of them.
fn fold(drafts: Vec<Draft>) -> Vec<Draft> {
    let empty = BTreeSet::new();
    let texts: Vec<BTreeSet<Key>> = drafts.iter().map(|draft| draft.tokens().unwrap_or(&empty).clone()).collect();
    let copies = copies(&texts);
    let mut counts = vec![0_usize; drafts.len()];
    for of in copies.iter().flatten() {
        if let Some(count) = counts.get_mut(*of) {
            *count += 1;
        }
    }
    let kept = drafts.into_iter().zip(copies).zip(counts).filter(|((_, copy), _)| copy.is_none());
    kept.map(|((mut draft, _), count)| {
        if count > 0 {
            draft.notes.push(Noted::Copies(count));
        }
        draft
    })
    .collect()
}

impl Draft {
    fn observation(&self) -> Option<&Observation> {
        match &self.what {
            What::Said { observation, .. } => Some(observation),
            What::Fact { .. } => None,
        }
    }

    fn fact(&self) -> Option<&Held> {
        match &self.what {
            What::Fact { fact, .. } => Some(fact),
            What::Said { .. } => None,
        }
    }

    fn tokens(&self) -> Option<&BTreeSet<Key>> {
        match &self.what {
            What::Said { tokens, .. } => Some(tokens),
            What::Fact { .. } => None,
        }
    }

    /// What orders equals: facts before observations, then by content.
    fn key(&self) -> (bool, ObservationId, u32) {
        match &self.what {
            What::Fact { fact, .. } => (false, fact.fact.id.0.observation, fact.fact.id.0.ordinal),
            What::Said { observation, .. } => (true, observation.id, 0),
        }
    }

    /// As it is placed among others; `is_single` says of which relations a head has one value at a time.
    fn placed(&self, is_single: impl Fn(&Said) -> bool) -> Option<Placed> {
        let What::Said { turn, observation, said, .. } = &self.what else { return None };
        Some(Placed {
            at: observation.observed_at.at,
            words: turn.map_or(0, |turn| turn.words),
            slots: said.iter().filter(|said| is_single(said)).map(|said| (said.head.0, said.relation.0)).collect(),
        })
    }
}
