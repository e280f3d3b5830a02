//! Personalised `PageRank` over the facts that hold at a view, by forward push.
//!
//! Owns the spreading of weight from seeds. Knows no question.

use crate::graph::{TermId, View};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How weight is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The share of its weight that a term keeps; the rest goes on to its neighbours in equal parts.
    pub keep: f64,
    /// A term passes weight on while what has come to it is more than this for each of its facts.
    pub least: f64,
    /// Terms with more facts than this pass nothing on, seeds excepted.
    pub hub_limit: usize,
    /// At most so many terms pass weight on.
    pub most: usize,
}

impl Default for Spread {
    /// `HippoRAG`'s damping (a half is kept, so that weight stays near the seeds), within bounds that keep it to some milliseconds.
    fn default() -> Self {
        Self { keep: 0.5, least: 1e-5, hub_limit: 2_000, most: 4_000 }
    }
}

/// The weight that comes to each term from seeds with theirs, over facts in both directions: an approximation from below of
/// personalised `PageRank`, the most first, of equals the lower number.
///
/// Source: Andersen, Chung and Lang 2006, "Local graph partitioning using `PageRank` vectors"; its use for recall, Gutiérrez et al. 2024,
/// "`HippoRAG`".
///
/// # Complexity
/// At most `1 / (keep × least)` facts are looked at for a weight of 1, however large the graph.
#[must_use]
pub fn spread(view: &View, seeds: &[(TermId, f64)], how: Spread) -> Vec<(TermId, f64)> {
    let mut kept: FxHashMap<TermId, f64> = FxHashMap::default();
    let mut waiting: FxHashMap<TermId, f64> = FxHashMap::default();
    let mut queue: VecDeque<TermId> = VecDeque::new();
    for (seed, weight) in seeds {
        let due = waiting.entry(*seed).or_default();
        if *due == 0.0 {
            queue.push_back(*seed);
        }
        *due += weight;
    }
    let is_seed = |term: TermId| seeds.iter().any(|(seed, _)| *seed == term);
    let mut passed = 0;
    while let Some(term) = queue.pop_front() {
        let Some(due) = waiting.remove(&term) else { continue };
        *kept.entry(term).or_default() += due * how.keep;
        let degree = view.degree(term);
        if degree == 0 || (degree > how.hub_limit && !is_seed(term)) || passed >= how.most {
            continue;
        }
        let neighbours: Vec<TermId> = view.edges(term).map(|edge| edge.other).filter(|other| *other != term).collect();
        if neighbours.is_empty() {
            continue;
        }
        passed += 1;
        #[expect(clippy::cast_precision_loss, reason = "no term has billions of facts")]
        let share = due * (1.0 - how.keep) / neighbours.len() as f64;
        for neighbour in neighbours {
            #[expect(clippy::cast_precision_loss, reason = "no term has billions of facts")]
            let enough = how.least * view.degree(neighbour).max(1) as f64;
            let coming = waiting.entry(neighbour).or_default();
            let was = *coming;
            *coming += share;
            if was <= enough && *coming > enough {
                queue.push_back(neighbour);
            }
        }
    }
    // What is left waiting is too little to pass on; of it a term keeps its part.
    let mut left: Vec<(TermId, f64)> = waiting.into_iter().collect();
    left.sort_unstable_by_key(|(term, _)| *term);
    for (term, due) in left {
        *kept.entry(term).or_default() += due * how.keep;
    }
    let mut kept: Vec<(TermId, f64)> = kept.into_iter().collect();
    kept.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Projection;
    use crate::ledger::RecordRow;
    use crate::model::{Authority, ClaimId, ObservationId, Polarity, TermRef};
    use crate::policy::Policies;
    use crate::time::{AsOf, Instant, KnownAt, Moment, Zone, parse_span};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn view(edges: &[(u8, u8)]) -> View {
        let mut projection = Projection::new(Arc::new(Policies::shipped()));
        let tx = Instant::from_micros(1);
        for (number, (head, tail)) in (1_u8..).zip(edges) {
            let id = ObservationId::from_bytes([number; 16]);
            projection.stage(RecordRow::Observation { seq: 1, tx, id, observed_at: tx, authority: Authority::User });
            projection.stage(RecordRow::Claim {
                seq: 1,
                tx,
                id: ClaimId { observation: id, ordinal: 0 },
                head: TermRef::Name(&format!("t{head}")),
                relation: "leads_to",
                tail: TermRef::Name(&format!("t{tail}")),
                polarity: Polarity::Holds,
                span: parse_span(Some("2015"), None, &Zone::UTC).unwrap(),
                seen_at: None,
                confidence: 1.0,
                importance: 0.5,
                context: None,
                corrects_claim: None,
                corrects_tail: None,
            });
        }
        projection.publish();
        let now = Moment::exact(Instant::parse("2024-01-01T00:00:00Z").unwrap());
        projection.snapshot().at(AsOf { valid_at: now, known_at: KnownAt::Latest })
    }

    /// Personalised `PageRank` by repeated multiplication.
    #[expect(clippy::cast_precision_loss, reason = "a handful of neighbours")]
    fn power(view: &View, seed: TermId, keep: f64) -> BTreeMap<TermId, f64> {
        let (mut rank, mut flowing) = (BTreeMap::new(), BTreeMap::from([(seed, 1.0)]));
        for _ in 0..200 {
            let mut next: BTreeMap<TermId, f64> = BTreeMap::new();
            for (term, weight) in flowing {
                *rank.entry(term).or_insert(0.0) += weight * keep;
                let neighbours: Vec<TermId> = view.edges(term).map(|edge| edge.other).filter(|other| *other != term).collect();
                for other in &neighbours {
                    *next.entry(*other).or_insert(0.0) += weight * (1.0 - keep) / neighbours.len() as f64;
                }
            }
            flowing = next;
        }
        rank
    }

    proptest! {
        #[test]
        fn pushing_agrees_with_power_iteration(edges in prop::collection::btree_set((0_u8..12, 0_u8..12), 1..40)) {
            let edges: Vec<(u8, u8)> = edges.into_iter().filter(|(head, tail)| head != tail).collect();
            prop_assume!(!edges.is_empty());
            let view = view(&edges);
            let seed = view.term_id(TermRef::Name(&format!("t{}", edges[0].0))).unwrap();
            let exact = power(&view, seed, 0.5);
            let pushed = spread(&view, &[(seed, 1.0)], Spread { least: 1e-9, most: usize::MAX, ..Spread::default() });
            for (term, weight) in pushed {
                let expected = exact.get(&term).copied().unwrap_or_default();
                prop_assert!((weight - expected).abs() < 1e-5, "{term:?}: {weight} is not {expected}");
            }
        }
    }

    #[test]
    fn nearer_terms_have_more_and_hubs_pass_nothing_on() {
        let view = view(&[(0, 1), (1, 2), (2, 3)]);
        let of = |name: &str| view.term_id(TermRef::Name(name)).unwrap();
        let weight = |how: Spread, name: &str| {
            spread(&view, &[(of("t0"), 1.0)], how).into_iter().find(|(term, _)| *term == of(name)).map_or(0.0, |(_, weight)| weight)
        };
        let how = Spread::default();
        assert!(weight(how, "t0") > weight(how, "t1") && weight(how, "t1") > weight(how, "t2") && weight(how, "t3") > 0.0);
        assert!(weight(Spread { hub_limit: 1, ..how }, "t2") == 0.0);
    }
}
