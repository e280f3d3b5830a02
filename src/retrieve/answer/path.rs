//! The search: which way along facts the words of a question mean.
//!
//! A state is a set of entities and how many words on either side of the name have been taken. Words are taken from the name outwards;
//! some that stand beside each other, or on either side, may mean one step together. A step that has no facts goes nowhere.
//! Owns the weights. Knows no words.

use crate::extract::rules::phrases::{Effect, Side};
use crate::graph::{RelationId, TermId, View};
use crate::model::{Fact, FactId, Term, TermRef};
use crate::retrieve::question::{Asks, Item, Lexicon, Order, Question, variants};
use crate::time::Certainty;
use std::collections::{BTreeMap, BTreeSet};

/// At most so many ways are followed at once.
const BEAM: usize = 200;
/// At most so many entities at one step.
const MAX_ENTITIES: usize = 64;
/// At most so many steps.
const MAX_STEPS: usize = 6;
/// How many words on the one side and on the other may mean one step.
const GROUPS: [(usize, usize); 9] = [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2), (2, 2), (3, 0)];

// What words are worth. A noun that is read is worth 10, a verb with its preposition as much.
/// To pass over words that say little.
const LOOSE: i32 = -1;
/// To pass over the word for a sort ("the person").
const SORT: i32 = -4;
/// To pass over a verb.
const PASSED_VERB: i32 = -14;
/// Words that say the same.
const TOGETHER: i32 = 2;
/// The word for a sort beside a relation whose values are of it.
const SAME_SORT: i32 = 12;
/// The same beside words that say little.
const SORT_ALONE: i32 = 4;
/// A verb that says little.
const LOOSE_VERB: i32 = 5;
/// The bare word for a sort as a relation ("the country of X").
const BARE_SORT: i32 = 9;
/// A step that nobody said.
const BRIDGE: i32 = -6;
/// A word that was not read; and one that stands where what is asked for is said.
const UNREAD: i32 = -3;
const UNREAD_AIM: i32 = -12;
/// A name that has no part in the answer.
const OTHER_NAME: i32 = -14;
/// What is reached is of the sort that the asking word is for, or is not.
const WANTED: i32 = 3;
const UNWANTED: i32 = -6;
/// How much less well a way may fit that counts beside the best one where an order in time is asked for.
const ORDERED: i32 = 12;
/// A further step by words that say little alone.
const ONWARD: i32 = -3;
/// What is reached cannot be of the sort that is asked for.
const OTHER_SORT: i32 = -30;
/// What only held at another time.
const NOT_THEN: i32 = -4;
/// Less than this is no reading.
const LEAST: i32 = 6;

/// One step of a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) relation: String,
    pub(super) answers: Side,
    pub(super) effect: Effect,
    /// The words that say it.
    pub(super) said: Vec<String>,
    /// Whether nobody said it.
    pub(super) bridge: bool,
}

/// An entity that was reached, and the facts that led to it.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub(super) term: TermId,
    pub(super) path: Vec<Fact>,
    pub(super) certainty: Option<Certainty>,
}

/// What the search found: the ways that fit equally well.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) score: i32,
    pub(super) ways: Vec<Way>,
}

/// One way, with where it led.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) steps: Vec<Step>,
    pub(super) reached: Vec<Reached>,
    score: i32,
    near: usize,
    far: usize,
    /// Whether the word for what is asked for was passed over.
    aimless: bool,
}

pub(super) struct Search<'s> {
    view: &'s View,
    lexicon: &'s Lexicon,
    question: &'s Question,
}

/// What some words mean together.
struct Meaning {
    step: Step,
    score: i32,
}

impl<'s> Search<'s> {
    pub(super) const fn new(view: &'s View, lexicon: &'s Lexicon, question: &'s Question) -> Self {
        Self { view, lexicon, question }
    }

    /// The ways that fit best, or what was looked for where there are no facts.
    pub(super) fn run(&self) -> Result<Found, Vec<String>> {
        let mut tried = BTreeSet::new();
        let seeds: Vec<TermId> = self.question.from.readings.iter().filter_map(|name| self.view.term_id(TermRef::Name(name))).collect();
        let first = self.search(&seeds, self.needs_history(), &mut tried);
        let found = match first {
            Some(found) => Some(found),
            None if self.needs_history() || self.question.time.is_some() => None,
            // What is over is told as that where nothing holds.
            None => self.search(&seeds, true, &mut tried),
        };
        found.ok_or_else(|| tried.into_iter().collect())
    }

    /// Whether what is over counts as much as what holds.
    fn needs_history(&self) -> bool {
        self.question.order != Order::AsOf || matches!(self.question.asks, Asks::When | Asks::WhenEnded | Asks::HowLong | Asks::HowMany)
    }

    fn search(&self, seeds: &[TermId], history: bool, tried: &mut BTreeSet<String>) -> Option<Found> {
        let reached = seeds.iter().map(|term| Reached { term: *term, path: Vec::new(), certainty: Some(Certainty::Certain) }).collect();
        let start = Way { steps: Vec::new(), reached, score: 0, near: 0, far: 0, aimless: false };
        let (near, far) = (self.question.near.len(), self.question.far.len());
        let mut levels: BTreeMap<usize, Vec<Way>> = BTreeMap::from([(0, vec![start])]);
        let mut ended: Vec<Way> = Vec::new();
        for level in 0..=near + far {
            let mut ways = levels.remove(&level).unwrap_or_default();
            ways.sort_by_key(|way| std::cmp::Reverse(way.score));
            ways.truncate(BEAM);
            for way in ways {
                if way.near == near && way.far == far {
                    ended.push(way);
                    continue;
                }
                for next in self.onward(&way, history, tried) {
                    levels.entry(next.near + next.far).or_default().push(next);
                }
            }
        }
        if ended.iter().all(|way| way.steps.is_empty()) {
            ended = ended.into_iter().flat_map(|way| self.by_asking_word(&way, history, tried)).collect();
        }
        let mut ended: Vec<Way> = ended.into_iter().filter(|way| !way.steps.is_empty()).map(|way| self.weighed(way)).collect();
        ended.retain(|way| way.score >= LEAST && !way.reached.is_empty());
        let score = ended.iter().map(|way| way.score).max()?;
        // What somebody was before and after may be told by relations that mean almost the same.
        let slack = if self.question.order == Order::AsOf { 0 } else { ORDERED };
        let steps = ended.iter().filter(|way| way.score == score).map(|way| way.steps.len()).min();
        ended.retain(|way| way.score == score || way.score + slack >= score && Some(way.steps.len()) == steps);
        ended.dedup_by(|one, other| one.steps == other.steps);
        Some(Found { score, ways: ended })
    }

    /// The ways on from one.
    fn onward(&self, way: &Way, history: bool, tried: &mut BTreeSet<String>) -> Vec<Way> {
        let (near, far) = (self.rest(&self.question.near, way.near), self.rest(&self.question.far, way.far));
        let mut next = Vec::new();
        for (take_near, take_far) in GROUPS {
            let (Some(ones), Some(others)) = (near.get(..take_near), far.get(..take_far)) else { continue };
            let items: Vec<&Item> = ones.iter().chain(others).collect();
            let (at_near, at_far) = (way.near + take_near, way.far + take_far);
            let is_last = !self.says_more(at_near, at_far);
            for mut meaning in self.meanings(&items) {
                // "The seat of X is located in": what says little adds no step to what was said.
                if !way.steps.is_empty() && items.iter().all(|item| item.loose) {
                    meaning.score = ONWARD;
                }
                // There and back again leads to whatever shares the value.
                let back =
                    way.steps.last().is_some_and(|last| last.relation == meaning.step.relation && last.answers != meaning.step.answers);
                if way.steps.len() >= MAX_STEPS || back {
                    continue;
                }
                let to = |from: &Way, score: i32, reached: Vec<Reached>| {
                    let mut steps = from.steps.clone();
                    steps.push(meaning.step.clone());
                    Way { steps, reached, score: from.score + score, near: at_near, far: at_far, aimless: from.aimless }
                };
                let reached = self.follow(&way.reached, &meaning.step, history && is_last);
                if !reached.is_empty() {
                    next.push(to(way, meaning.score, reached));
                    continue;
                }
                let direct = self.tell(&way.steps, &meaning.step);
                let mut bridged = false;
                for bridge in self.bridges(way) {
                    if bridge.steps.last().is_some_and(|last| last.relation == meaning.step.relation) {
                        continue;
                    }
                    let reached = self.follow(&bridge.reached, &meaning.step, history && is_last);
                    if !reached.is_empty() {
                        bridged = true;
                        next.push(to(&bridge, meaning.score, reached));
                    }
                }
                if !bridged && (tried.len() < 20) {
                    tried.insert(direct);
                }
            }
        }
        for (items, at_near, at_far) in [(near, way.near + 1, way.far), (far, way.near, way.far + 1)] {
            let Some(cost) = items.first().and_then(passed) else { continue };
            let aimless = way.aimless || at_near > way.near && at_near == self.question.near.len();
            next.push(Way { score: way.score + cost, near: at_near, far: at_far, aimless, ..way.clone() });
        }
        next
    }

    #[expect(clippy::unused_self, reason = "it is about the question's words")]
    fn rest<'i>(&self, items: &'i [Item], from: usize) -> &'i [Item] {
        items.get(from..).unwrap_or_default()
    }

    /// Whether words are left that say a relation.
    fn says_more(&self, near: usize, far: usize) -> bool {
        let says = |item: &Item| item.noun || !item.senses.is_empty() && !item.loose;
        self.rest(&self.question.near, near).iter().any(says) || self.rest(&self.question.far, far).iter().any(says)
    }

    /// What words may mean as one step: a relation that each of them says, or whose values are of the sort that it names.
    fn meanings(&self, items: &[&Item]) -> Vec<Meaning> {
        let mut meanings: Vec<Meaning> = Vec::new();
        let mut seen: BTreeSet<(String, Side, Effect)> = BTreeSet::new();
        let said: Vec<String> = items.iter().map(|item| item.text.clone()).collect();
        for sense in items.iter().flat_map(|item| &item.senses) {
            if !seen.insert((sense.relation.clone(), sense.answers, sense.effect)) {
                continue;
            }
            let mut score = -TOGETHER;
            // Whether a word says the relation that means more than "comes from" or "is located in".
            let mut said_so = false;
            let mut sorts = 0;
            let fits = items.iter().all(|item| {
                let same =
                    item.senses.iter().filter(|other| other.relation == sense.relation && (other.answers == sense.answers || item.loose));
                if let Some(weight) = same.map(|other| other.weight).max() {
                    said_so |= !item.loose;
                    score += if item.loose { weight.min(LOOSE_VERB) } else { weight } + TOGETHER;
                    return true;
                }
                match item.sort.as_deref().map(|sort| self.lexicon.may_be(&sense.relation, sense.answers, sort)) {
                    Some(Some(true)) => sorts += 1,
                    Some(None) => score += 1,
                    Some(Some(false)) => return false,
                    None if item.loose && items.len() > 1 => score += LOOSE,
                    None => return false,
                }
                true
            });
            score += sorts * if said_so { SAME_SORT } else { SORT_ALONE };
            if fits {
                let step = Step {
                    relation: sense.relation.clone(),
                    answers: sense.answers,
                    effect: sense.effect,
                    said: said.clone(),
                    bridge: false,
                };
                meanings.push(Meaning { step, score });
            }
        }
        if let [item] = items
            && let Some(sort) = &item.sort
        {
            for (place, relation) in (0..).zip(self.lexicon.relations_of_sort(sort)) {
                if seen.insert((relation.clone(), Side::Tail, Effect::Holds)) {
                    let step =
                        Step { relation: relation.clone(), answers: Side::Tail, effect: Effect::Holds, said: said.clone(), bridge: false };
                    meanings.push(Meaning { step, score: BARE_SORT - 2 * place });
                }
            }
        }
        meanings
    }

    /// The ways over a relation that nobody said.
    fn bridges(&self, way: &Way) -> Vec<Way> {
        if way.steps.iter().filter(|step| step.bridge).count() > 0 || way.steps.len() + 1 >= MAX_STEPS {
            return Vec::new();
        }
        let across = |(relation, answers): &(String, Side)| {
            let step = Step { relation: relation.clone(), answers: *answers, effect: Effect::Holds, said: Vec::new(), bridge: true };
            let reached = self.follow(&way.reached, &step, false);
            if reached.is_empty() || way.steps.last().is_some_and(|last| last.relation == step.relation) {
                return None;
            }
            let mut steps = way.steps.clone();
            steps.push(step);
            Some(Way { steps, reached, score: way.score + BRIDGE, near: way.near, far: way.far, aimless: way.aimless })
        };
        self.lexicon.bridges().iter().filter_map(across).collect()
    }

    /// "Where is X": no word but the asking one says what is meant.
    fn by_asking_word(&self, way: &Way, history: bool, tried: &mut BTreeSet<String>) -> Vec<Way> {
        let mut ways = Vec::new();
        for sort in &self.question.wants {
            for (place, relation) in (0..).zip(self.lexicon.relations_of_sort(sort)) {
                let step = Step { relation: relation.clone(), answers: Side::Tail, effect: Effect::Holds, said: Vec::new(), bridge: false };
                let reached = self.follow(&way.reached, &step, history);
                if reached.is_empty() {
                    tried.insert(self.tell(&way.steps, &step));
                    continue;
                }
                ways.push(Way { steps: vec![step], reached, score: way.score + BARE_SORT - 2 * place, ..way.clone() });
            }
        }
        ways
    }

    /// What the whole reading is worth.
    fn weighed(&self, mut way: Way) -> Way {
        let unread = i32::try_from(self.question.unread.len()).unwrap_or(i32::MAX);
        way.score = way.score.saturating_add(unread.saturating_mul(UNREAD));
        if self.question.unread_aim {
            way.score += UNREAD_AIM;
        }
        if let Some(last) = way.steps.last() {
            for sort in &self.question.wants {
                match self.lexicon.may_be(&last.relation, last.answers, sort) {
                    Some(true) => way.score += WANTED,
                    Some(false) => way.score += UNWANTED,
                    None => {}
                }
            }
            // "Which city …": what cannot be a city is no answer.
            if let Some(sort) = self.question.near.last().and_then(|item| item.sort.as_deref())
                && way.aimless
                && self.lexicon.may_be(&last.relation, last.answers, sort) != Some(true)
            {
                way.score += OTHER_SORT;
            }
            if self.question.asks == Asks::When && self.lexicon.end_sorts(&last.relation, last.answers).iter().any(|sort| sort == "date") {
                way.score += 3 * TOGETHER;
            }
        }
        if !way.reached.iter().any(|one| one.certainty.is_some()) && !self.needs_history() {
            way.score += NOT_THEN;
        }
        for other in &self.question.others {
            let ids: Vec<TermId> = other.readings.iter().filter_map(|name| self.view.term_id(TermRef::Name(name))).collect();
            let named = |term: &Term| self.view.term_id(term.as_ref()).is_some_and(|id| ids.contains(&id));
            let takes_part = |one: &Reached| one.path.iter().any(|fact| named(&fact.head) || named(&fact.tail));
            if way.reached.iter().any(takes_part) {
                way.reached.retain(takes_part);
            } else if self.question.asks == Asks::Value {
                way.score += OTHER_NAME;
            } else {
                way.reached.clear();
            }
        }
        way
    }

    /// What is reached by a step: at the time that is read, or at all times.
    fn follow(&self, from: &[Reached], step: &Step, ever: bool) -> Vec<Reached> {
        let Some((relation, inverted)) = self.view.relation_id(&step.relation) else { return Vec::new() };
        let answers = if inverted { step.answers.other() } else { step.answers };
        let reached = self.follow_side(from, step, relation, answers, ever);
        // Of a relation that is the same from either end, what is said from this end comes first.
        if reached.is_empty() && self.lexicon.is_symmetric(&step.relation) {
            return self.follow_side(from, step, relation, answers.other(), ever);
        }
        reached
    }

    fn follow_side(&self, from: &[Reached], step: &Step, relation: RelationId, side: Side, ever: bool) -> Vec<Reached> {
        let ever = ever || self.lexicon.is_event(&step.relation) && self.question.time.is_none();
        let mut reached: Vec<Reached> = Vec::new();
        for one in from {
            for term in self.alike(one.term) {
                if ever {
                    self.histories(one, term, relation, side, &mut reached);
                    continue;
                }
                for edge in self.view.edges_of(term, relation, side == Side::Tail) {
                    let id = self.view.fact_id(edge);
                    if reached.len() >= MAX_ENTITIES || reached.iter().any(|known| same_fact(known, id)) {
                        continue;
                    }
                    let Some(fact) = id.and_then(|id| self.view.fact(id).ok()) else { continue };
                    let mut path = one.path.clone();
                    path.push(fact);
                    let certainty = one.certainty.map(|before| before.min(edge.certainty));
                    reached.push(Reached { term: edge.other, path, certainty });
                }
            }
        }
        reached
    }

    /// What is reached at any time, with whether it holds at the one that is read.
    fn histories(&self, one: &Reached, term: TermId, relation: RelationId, side: Side, reached: &mut Vec<Reached>) {
        let (Some(named), Some(relation)) = (self.view.term(term), self.view.relation(relation)) else { return };
        let facts = match side {
            Side::Tail => self.view.timeline(&named, Some(relation)),
            Side::Head => self.view.incoming(&named, Some(relation)),
        };
        for fact in facts.unwrap_or_default() {
            let other = if self.view.term_id(fact.head.as_ref()) == Some(term) { &fact.tail } else { &fact.head };
            let Some(other) = self.view.term_id(other.as_ref()) else { continue };
            if reached.len() >= MAX_ENTITIES || reached.iter().any(|known| same_fact(known, Some(fact.id))) {
                continue;
            }
            let certainty = crate::time::certainty(fact.start, fact.end, self.view.as_of().valid_at);
            let mut path = one.path.clone();
            path.push(fact);
            reached.push(Reached { term: other, path, certainty });
        }
    }

    /// An entity, and those that have its name with an article, or with a point behind it.
    fn alike(&self, term: TermId) -> Vec<TermId> {
        let mut all = vec![term];
        if let Some(Term::Name(name)) = self.view.term(term) {
            for variant in variants(&name) {
                if let Some(id) = self.view.term_id(TermRef::Name(&variant))
                    && !all.contains(&id)
                {
                    all.push(id);
                }
            }
        }
        all
    }

    /// A way in words: "X → author → spouse".
    fn tell(&self, steps: &[Step], last: &Step) -> String {
        let mut told = self.question.from.text().to_owned();
        for step in steps.iter().chain([last]) {
            told.push_str(if step.answers == Side::Tail { " → " } else { " ← " });
            told.push_str(&step.relation);
        }
        told
    }
}

fn same_fact(known: &Reached, fact: Option<FactId>) -> bool {
    known.path.last().map(|known| known.id) == fact
}

/// What it costs to pass over words; `None` where they may not be passed over.
fn passed(item: &Item) -> Option<i32> {
    match (item.noun, item.loose, &item.sort, item.senses.is_empty()) {
        (_, true, ..) => Some(LOOSE),
        (false, _, Some(_), _) => Some(SORT),
        // "the religious affiliation": a noun for a sort that says no more than another word does.
        (true, _, Some(_), _) => Some(2 * SORT),
        (true, _, None, _) => None,
        (false, _, None, false) => Some(PASSED_VERB),
        (false, _, None, true) => Some(LOOSE),
    }
}
