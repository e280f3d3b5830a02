//! How many facts a pattern will match: counted where that is quick, else estimated from a sample of the terms.
//!
//! Owns the numbers. What order follows from them is `order`'s.

use super::node::{Node, Predicate};
use super::view::RdfView;
use super::words::Word;
use crate::graph::{RelationId, TermId};
use oxrdf::Term as RdfTerm;
use rustc_hash::FxHashMap;

/// Facts of one term and relation that are counted one by one.
const COUNTED: usize = 256;
/// Terms of the sample.
const SAMPLE: u32 = 1024;
/// Facts of a term of the sample that are read; more are taken to be like them.
const SAMPLED_FACTS: usize = 128;

/// A position of a pattern as the plan has it.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// A term that the query gives.
    Given(Node),
    /// A variable that has a value by then.
    Bound,
    /// A variable that has none.
    Free,
}

/// How a relation's facts are spread.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    facts: f64,
    heads: f64,
    tails: f64,
}

impl Spread {
    fn per_head(self) -> f64 {
        self.facts / self.heads.max(1.0)
    }

    fn per_tail(self) -> f64 {
        self.facts / self.tails.max(1.0)
    }
}

/// What is known of the facts at a view.
#[derive(Debug, Default)]
pub(super) struct Sample {
    relations: FxHashMap<u32, Spread>,
    all: Spread,
    terms: f64,
}

impl Sample {
    /// Reads evenly spaced terms; all of them, where there are few.
    fn of(rdf: &RdfView) -> Self {
        let view = rdf.base();
        let terms = u32::try_from(view.terms().count()).unwrap_or(u32::MAX);
        let step = terms.div_ceil(SAMPLE).max(1);
        let weight = f64::from(step);
        let mut sample = Self { terms: f64::from(terms), ..Self::default() };
        let mut of_term: FxHashMap<(u32, bool), f64> = FxHashMap::default();
        for term in (0..terms).step_by(step as usize).map(TermId) {
            of_term.clear();
            let mut read = 0_usize;
            for edge in view.edges(term).take(SAMPLED_FACTS) {
                *of_term.entry((edge.relation.0, edge.outgoing)).or_default() += 1.0;
                read += 1;
            }
            let more = if read == SAMPLED_FACTS { ratio(view.degree(term), read) } else { 1.0 };
            let (mut is_head, mut is_tail) = (false, false);
            #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
            for ((relation, outgoing), facts) in &of_term {
                let spread = sample.relations.entry(*relation).or_default();
                if *outgoing {
                    spread.facts += facts * more * weight;
                    spread.heads += weight;
                    sample.all.facts += facts * more * weight;
                    is_head = true;
                } else {
                    spread.tails += weight;
                    is_tail = true;
                }
            }
            sample.all.heads += if is_head { weight } else { 0.0 };
            sample.all.tails += if is_tail { weight } else { 0.0 };
        }
        sample
    }

    /// A relation's spread; of one that the sample did not meet, that it is rare.
    fn spread(&self, relation: Option<RelationId>) -> Spread {
        let Some(relation) = relation else { return self.all };
        let rare = (self.all.facts / 1000.0).clamp(1.0, 100.0);
        self.relations.get(&relation.0).copied().unwrap_or(Spread { facts: rare, heads: rare, tails: rare })
    }
}

fn ratio(whole: usize, part: usize) -> f64 {
    f64::from(u32::try_from(whole).unwrap_or(u32::MAX)) / f64::from(u32::try_from(part.max(1)).unwrap_or(u32::MAX))
}

/// Estimates, with the sample as soon as one is wanted.
#[derive(Debug)]
pub(super) struct Counts<'a> {
    rdf: &'a RdfView,
    sample: Option<Sample>,
    /// Facts of a term, a relation and a direction that have been counted.
    counted: FxHashMap<(TermId, Option<RelationId>, bool), f64>,
}

impl<'a> Counts<'a> {
    pub(super) fn new(rdf: &'a RdfView) -> Self {
        Self { rdf, sample: None, counted: FxHashMap::default() }
    }

    pub(super) fn given(&self, term: &RdfTerm) -> Option<Slot> {
        self.rdf.intern(term.clone()).ok().map(Slot::Given)
    }

    /// Takes the sample: estimates before it take every relation to be alike.
    pub(super) fn take_sample(&mut self) {
        if self.sample.is_none() {
            self.sample = Some(Sample::of(self.rdf));
        }
    }

    /// How many matches a pattern has for each way in which its bound variables are bound.
    pub(super) fn matches(&mut self, subject: &Slot, predicate: &Slot, object: &Slot) -> f64 {
        let Predicate { relation, word } = match predicate {
            Slot::Given(node) => self.rdf.predicate(node),
            Slot::Bound | Slot::Free => return self.stored(None, subject, object),
        };
        let stored = match relation {
            Some((relation, false)) => self.stored(Some(relation), subject, object),
            Some((relation, true)) => self.stored(Some(relation), object, subject),
            None => 0.0,
        };
        stored + word.map_or(0.0, |word| self.derived(word, subject, object))
    }

    fn stored(&mut self, relation: Option<RelationId>, head: &Slot, tail: &Slot) -> f64 {
        let spread = self.spread(relation);
        let of_head = self.of_slot(head, relation, true);
        let of_tail = self.of_slot(tail, relation, false);
        let (fewest, heads, tails) = (spread.facts.min(1.0), spread.heads.max(1.0), spread.tails.max(1.0));
        match (head, tail) {
            (Slot::Free, Slot::Free) => spread.facts,
            (Slot::Given(_), Slot::Free) => of_head,
            (Slot::Free, Slot::Given(_)) => of_tail,
            (Slot::Bound, Slot::Free) => spread.per_head(),
            (Slot::Free, Slot::Bound) => spread.per_tail(),
            (Slot::Given(_), Slot::Given(_)) => of_head.min(of_tail).min(1.0),
            (Slot::Bound, Slot::Given(_)) => (of_tail / heads).min(1.0),
            (Slot::Given(_), Slot::Bound) => (of_head / tails).min(1.0),
            (Slot::Bound, Slot::Bound) => (spread.facts / heads / tails).min(fewest),
        }
    }

    fn spread(&self, relation: Option<RelationId>) -> Spread {
        match &self.sample {
            Some(sample) => sample.spread(relation),
            None => Spread { facts: 1e6, heads: 5e5, tails: 1e5 },
        }
    }

    /// The facts of a term that the query gives.
    fn of_slot(&mut self, slot: &Slot, relation: Option<RelationId>, outgoing: bool) -> f64 {
        let Slot::Given(node) = slot else { return 0.0 };
        let Some(term) = node.id() else { return 0.0 };
        let view = self.rdf.base();
        *self.counted.entry((term, relation, outgoing)).or_insert_with(|| {
            let counted = match relation {
                Some(relation) => {
                    let turned = view.goes_both_ways(relation).then(|| view.edges_of(term, relation, !outgoing).take(COUNTED).count());
                    view.edges_of(term, relation, outgoing).take(COUNTED).count() + turned.unwrap_or_default()
                }
                None => view.edges(term).filter(|edge| edge.outgoing == outgoing).take(COUNTED).count(),
            };
            ratio(if counted < COUNTED { counted } else { view.degree(term) }, 1)
        })
    }

    fn derived(&self, word: Word, subject: &Slot, object: &Slot) -> f64 {
        let all = self.sample.as_ref().map_or(1e6, |sample| sample.all.facts);
        let terms = self.sample.as_ref().map_or(1e6, |sample| sample.terms);
        let is_free = |slot: &Slot| matches!(slot, Slot::Free);
        match (word, is_free(subject), is_free(object)) {
            (_, false, _) | (Word::Reifies | Word::Label | Word::AltLabel | Word::SupportedBy, true, false) => 1.0,
            (Word::Label | Word::AltLabel, true, true) => terms,
            // Every fact is looked at, and more is derived than read.
            (_, true, false) => all * 10.0,
            (_, true, true) => all * 20.0,
        }
    }

    /// How many matches a path has: as many steps as a long one takes.
    pub(super) fn path(&mut self, subject: &Slot, object: &Slot) -> f64 {
        let spread = self.spread(None);
        match (subject, object) {
            (Slot::Free, Slot::Free) => spread.facts * 100.0,
            (Slot::Free, _) => spread.per_tail().max(2.0) * 50.0,
            (_, Slot::Free) => spread.per_head().max(2.0) * 50.0,
            _ => 1.0,
        }
    }
}
