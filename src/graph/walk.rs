//! Walks: which terms lie within some hops of others, over the facts that hold at a view.
//!
//! Owns the scratch space and the order of what is reached. Knows no weights and no relevance.

use super::adjacency::List;
use super::read::Known;
use super::record::Record;
use super::slots::Deriver;
use super::view::{Hops, Neighbour, Neighbourhood, ReadError, TermId, View};
use crate::model::Term;
use crate::time::Certainty;
use rustc_hash::{FxHashMap, FxHashSet};

/// Scratch space of walks over one tenant; kept from walk to walk, so that a walk allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// For each term the last walk that reached it.
    seen: Vec<u32>,
    stamp: u32,
    reached: Vec<TermId>,
    /// Where each hop's terms end in `reached`.
    ends: Vec<usize>,
}

impl Walk {
    /// Scratch space for a first walk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The terms reached by the last walk: the seeds, then nearest first.
    #[must_use]
    pub fn reached(&self) -> &[TermId] {
        &self.reached
    }

    /// The terms that the last walk reached in exactly so many hops; 0 are the seeds.
    #[must_use]
    pub fn at(&self, hops: usize) -> &[TermId] {
        let start = hops.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.and_then(|start| self.ends.get(hops).map(|end| start..*end));
        range.and_then(|range| self.reached.get(range)).unwrap_or_default()
    }

    fn begin(&mut self, terms: usize) {
        if self.seen.len() < terms {
            self.seen.resize(terms, 0);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.seen.fill(0);
            self.stamp = 1;
        }
        self.reached.clear();
        self.ends.clear();
    }

    #[inline]
    fn reach(&mut self, term: u32) -> bool {
        match self.seen.get_mut(term as usize) {
            Some(seen) if *seen != self.stamp => {
                *seen = self.stamp;
                self.reached.push(TermId(term));
                true
            }
            Some(_) | None => false,
        }
    }
}

/// How a term was reached in a walk by name.
#[derive(Clone, Copy, Debug)]
struct Link {
    term: TermId,
    from: TermId,
    known: Known,
}

impl View {
    /// Walks from the seeds over facts that hold at the as-of, in both directions, up to `hops` hops; what was reached is in `walk`.
    ///
    /// Terms with more than `hub_limit` facts (of all valid times) are reached but not walked through, unless they are seeds;
    /// neither are literals. The order within a hop is that of the terms walked from, then that of [`View::edges`].
    ///
    /// # Complexity
    /// Linear in the facts of the terms walked through.
    pub fn reach(&self, seeds: &[TermId], hops: u32, hub_limit: u32, walk: &mut Walk) {
        walk.begin(self.state.published.terms as usize);
        for seed in seeds {
            walk.reach(seed.0);
        }
        walk.ends.push(walk.reached.len());
        let mut from = 0;
        for hop in 0..hops {
            let until = walk.reached.len();
            while from < until {
                let Some(term) = walk.reached.get(from).copied() else { break };
                from += 1;
                self.step(term, hop == 0, hub_limit, walk);
            }
            walk.ends.push(walk.reached.len());
            if until == walk.reached.len() {
                break;
            }
        }
    }

    #[inline]
    fn step(&self, term: TermId, is_seed: bool, hub_limit: u32, walk: &mut Walk) {
        if self.reads_past() {
            if is_seed || !self.is_hub(term, hub_limit) {
                let mut edges = self.edges(term);
                while let Some((record, _)) = edges.next_record() {
                    walk.reach(record.other);
                }
            }
            return;
        }
        let list = self.state.facts.of(term.0);
        if !is_seed && list.len() > hub_limit as usize {
            return;
        }
        if !is_seed && is_literal(&list) {
            return;
        }
        match list {
            List::Short(records) => {
                for record in records {
                    if self.holds(record).is_some() {
                        walk.reach(record.other);
                    }
                }
            }
            List::Long(_) => {
                for record in list.slices(0, u128::MAX, self.window).flatten() {
                    if self.holds(record).is_some() {
                        walk.reach(record.other);
                    }
                }
            }
        }
    }

    /// Whether a term has more facts, of all valid times, than the limit.
    fn is_hub(&self, term: TermId, limit: u32) -> bool {
        let most = self.state.facts.of(term.0).len() + if self.reads_past() { self.state.past.of(term.0).len() } else { 0 };
        most > limit as usize && (!self.reads_past() || self.known(term, 0, u128::MAX).len() > limit as usize)
    }

    /// The entities within some hops of the seeds over facts that hold at the as-of, in both directions.
    ///
    /// The seeds come first, as given; then nearest first, and of one hop those first whose fact began last (ties: by the fact's id).
    /// `limit` counts what is reached beside the seeds. Literals are reached and not walked through.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`] for a seed that nothing names.
    pub fn neighbourhood(&self, seeds: &[Term], how: Hops) -> Result<Neighbourhood, ReadError> {
        let mut found = Neighbourhood::default();
        let mut deriver = Deriver::new(&self.state, self.txs());
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut frontier = Vec::new();
        for seed in seeds {
            let term = self.entity(seed)?;
            if seen.insert(term) {
                found.reached.push(Neighbour { entity: self.state.terms.owned(term.0), hops: 0, through: None });
                frontier.push(term);
            }
        }
        let mut left = how.limit as usize;
        for hop in 1..=how.hops {
            let mut links: FxHashMap<TermId, Link> = FxHashMap::default();
            for from in &frontier {
                if !self.state.terms.is_entity(from.0) && hop > 1 {
                    continue;
                }
                if hop > 1 && self.is_hub(*from, how.hub_limit) {
                    found.stopped_at.push(self.state.terms.owned(from.0));
                    continue;
                }
                let known = self.known(*from, 0, u128::MAX).into_iter().filter(|known| known.certainty.is_some());
                for known in known {
                    let link = Link { term: TermId(known.record.other), from: *from, known };
                    if !seen.contains(&link.term) {
                        let best = links.entry(link.term).or_insert(link);
                        if self.by_newest(&link, best).is_lt() {
                            *best = link;
                        }
                    }
                }
            }
            let mut links: Vec<Link> = links.into_values().collect();
            links.sort_unstable_by(|left, right| self.by_newest(left, right));
            found.cut |= links.len() > left;
            links.truncate(left);
            left -= links.len();
            frontier.clear();
            for link in links {
                seen.insert(link.term);
                frontier.push(link.term);
                let through = self.held_fact(&mut deriver, link.from, link.known);
                found.reached.push(Neighbour { entity: self.state.terms.owned(link.term.0), hops: hop, through });
            }
            if left == 0 {
                // Whether more lies beyond is not asked: the walk is cut if anything is left to walk from.
                found.cut |= hop < how.hops && !frontier.is_empty();
                break;
            }
        }
        found.stopped_at.sort_unstable();
        Ok(found)
    }

    /// The latest start first, then certain before possible, then by the fact's id, then by the term.
    fn by_newest(&self, left: &Link, right: &Link) -> std::cmp::Ordering {
        let rank = |link: &Link| (std::cmp::Reverse(link.known.record.start), link.known.certainty != Some(Certainty::Certain));
        rank(left)
            .cmp(&rank(right))
            .then_with(|| self.state.claims.cmp(left.known.record.claim, right.known.record.claim))
            .then_with(|| self.state.terms.cmp(left.term.0, right.term.0))
    }
}

/// Whether a list is that of a literal, all of whose facts come in and say so.
#[inline]
fn is_literal(list: &List<'_, Record>) -> bool {
    list.first().is_some_and(|record| record.has_literal() && !record.is_outgoing())
}
