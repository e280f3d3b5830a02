//! The reader's side: a snapshot read at a point of both times.
//!
//! Owns what a reader gets, and the reads by number. Reads by name are `read`'s, walks `walk`'s.

use super::adjacency::{Slices, Window};
use super::record::{Past, Record};
use super::state::State;
use crate::model::{Authority, ClaimId, Fact, FactId, ObservationId, Term, TermRef};
use crate::resolve::identity;
use crate::time::{AsOf, Certainty, End, KnownAt, Start};
use std::sync::Arc;

/// An interned term (entity or literal) of one projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// An interned canonical relation of one projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

/// An immutable, cheaply cloned state of the projection.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: Arc<State>,
}

/// The memory read at one point of both times. Owns its snapshot; `Send + Sync + 'static`.
///
/// A reference to it is a graph to petgraph: nodes are terms, edges are the facts that hold, from head to tail. petgraph's own
/// algorithms run on it as of the instant, without a copy:
///
/// ```
/// use erstwhile::graph::Projection;
/// use erstwhile::ledger::RecordRow;
/// use erstwhile::model::{Authority, ClaimId, ObservationId, Polarity, TermRef};
/// use erstwhile::policy::Policies;
/// use erstwhile::time::{AsOf, Instant, KnownAt, Zone, parse_moment, parse_span};
/// use petgraph::algo::{dijkstra, tarjan_scc};
/// use petgraph::visit::Bfs;
///
/// let mut projection = Projection::new(std::sync::Arc::new(Policies::shipped()));
/// let tx = Instant::from_micros(1);
/// let said = [("Ann", "Bob", "2015", None), ("Bob", "Cid", "2016", Some("2019")), ("Cid", "Ann", "2017", None)];
/// for (number, (head, tail, from, to)) in (1_u8..).zip(said) {
///     let id = ObservationId::from_bytes([number; 16]);
///     projection.stage(RecordRow::Observation { seq: 1, tx, id, observed_at: tx, authority: Authority::User });
///     projection.stage(RecordRow::Claim {
///         seq: 1, tx, id: ClaimId { observation: id, ordinal: 0 },
///         head: TermRef::Name(head), relation: "mentors", tail: TermRef::Name(tail), polarity: Polarity::Holds,
///         span: parse_span(Some(from), to, &Zone::UTC)?, seen_at: None, confidence: 1.0, importance: 0.5,
///         context: None, corrects_claim: None, corrects_tail: None,
///     });
/// }
/// projection.publish();
///
/// let at = |year| Ok::<_, erstwhile::time::TimeError>(AsOf { valid_at: parse_moment(year, &Zone::UTC)?, known_at: KnownAt::Latest });
/// let (then, now) = (projection.snapshot().at(at("2018")?), projection.snapshot().at(at("2024")?));
/// let ann = then.term_id(TermRef::Name("ann")).unwrap();
/// let cid = then.term_id(TermRef::Name("cid")).unwrap();
///
/// assert_eq!(dijkstra(&then, ann, Some(cid), |_| 1)[&cid], 2);
/// assert!(!dijkstra(&now, ann, Some(cid), |_| 1).contains_key(&cid), "Bob no longer mentors Cid");
///
/// let mut reached = Bfs::new(&then, ann);
/// assert_eq!(std::iter::from_fn(|| reached.next(&then)).count(), 3);
///
/// assert_eq!(tarjan_scc(&then).len(), 1, "a circle");
/// assert_eq!(tarjan_scc(&now).len(), 3, "broken");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct View {
    pub(super) state: Arc<State>,
    as_of: AsOf,
    pub(super) window: Window,
    /// Whether only what is believed now is asked for.
    latest: bool,
    /// The number of the named graph that is read; 0 is the default graph, and `u32::MAX` one without claims.
    context: u32,
}

/// How much there is in a snapshot, in the latest state of belief.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Observations recorded and not erased.
    pub observations: u64,
    /// Claims recorded and not erased.
    pub claims: u64,
    /// Claims that are not believed now (retracted or corrected).
    pub unbelieved: u64,
    /// Facts in all.
    pub facts: u64,
    /// Facts that have not ended.
    pub open: u64,
    /// Facts that are contested.
    pub contested: u64,
    /// Terms that are no literals; those that are merged count once.
    pub entities: u64,
    /// Canonical relations in use.
    pub relations: u64,
    /// Canonical relations in use that no pack declares, in name order, with the number of their claims.
    pub unknown_relations: Vec<(String, u64)>,
    /// Bytes of the projection, without strings.
    pub bytes: u64,
    /// Bytes of the strings.
    pub string_bytes: u64,
}

/// One fact seen from one of its ends, at the view's as-of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The term at the other end.
    pub other: TermId,
    /// The relation.
    pub relation: RelationId,
    /// Whether the term asked for is the head.
    pub outgoing: bool,
    /// Whether it surely holds.
    pub certainty: Certainty,
    /// Whether it is contested.
    pub contested: bool,
    /// The fact's number in this snapshot (its first claim's).
    pub fact: u32,
}

/// A fact that holds at the view's as-of.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The fact.
    pub fact: Fact,
    /// Whether it surely holds.
    pub certainty: Certainty,
}

/// What holds, and how much was left out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The facts that hold: certain before possible, then by start, tail and id.
    pub facts: Vec<Held>,
    /// How much is known of the same question and not shown: the facts that do not hold at the as-of or are hidden there, and the
    /// denials that a strict relation hides because what they deny has a source that ranks higher.
    pub suppressed: u64,
}

/// A `Never` claim: what somebody says does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Denial {
    /// The claim.
    pub claim: ClaimId,
    /// The head as displayed.
    pub head: Term,
    /// The relation.
    pub relation: String,
    /// The tail as displayed.
    pub tail: Term,
    /// From when on (valid time).
    pub start: Start,
    /// Until when (valid time).
    pub end: End,
    /// The rank of its source.
    pub authority: Authority,
    /// Whether the entity that was asked about is only its tail.
    pub incoming: bool,
}

/// What is known of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// The entity as displayed.
    pub entity: Term,
    /// Facts of which it is the head or the tail, ordered by relation, then as in [`Answer`].
    pub answer: Answer,
}

/// What changed between two views.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// Facts that hold at the second and not at the first.
    pub appeared: Vec<Held>,
    /// Facts that hold at the first and not at the second.
    pub vanished: Vec<Held>,
    /// Facts that hold at both, with another interval, certainty or status: before and after.
    pub changed: Vec<(Held, Held)>,
}

/// Why a fact holds and why it ended. Text of observations is added above, by `memory`.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The fact.
    pub fact: Fact,
    /// The rule that ended it, in one sentence with the dates; `None` while it is open.
    pub ended: Option<String>,
    /// The claim that did it, if one did.
    pub ended_by: Option<ClaimId>,
    /// The claim to retract so that the fact does not end there: what closed it, or an end that was told of it. `None` where nothing ended
    /// it but its own words, or time (an event, a value said from one time to another, a time to live).
    pub undo: Option<ClaimId>,
    /// The facts it is contested with.
    pub rivals: Vec<Fact>,
    /// Further sentences: what joined, was overruled, denied or challenged, each with the claim.
    pub notes: Vec<(String, Option<ClaimId>)>,
}

/// How to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hops {
    /// How many hops, at least 1.
    pub hops: u32,
    /// Entities with more facts than this (over all times) are reached but not walked through, unless they are seeds.
    pub hub_limit: u32,
    /// At most so many entities are reached (nearest first, then newest `valid_from`, then id).
    pub limit: u32,
}

/// One entity reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// The entity as displayed.
    pub entity: Term,
    /// How many hops from the nearest seed.
    pub hops: u32,
    /// The fact it was first reached by; `None` for a seed.
    pub through: Option<Held>,
}

/// What a walk reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbourhood {
    /// Nearest first.
    pub reached: Vec<Neighbour>,
    /// Hubs that were reached and not walked through.
    pub stopped_at: Vec<Term>,
    /// Whether `limit` cut the walk.
    pub cut: bool,
}

/// What can be wrong with a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No claim names this entity at any time.
    #[error("nothing is known of {0}")]
    UnknownEntity(Term),
    /// No claim has this relation and no policy declares it.
    #[error("unknown relation {0:?}")]
    UnknownRelation(String),
    /// No fact has this id at this as-of.
    #[error("no fact {0} at this point of both times")]
    UnknownFact(FactId),
}

impl Snapshot {
    pub(super) fn of(state: State) -> Self {
        Self { state: Arc::new(state) }
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// The snapshot read at one point of both times, in the default graph.
    #[must_use]
    pub fn at(&self, as_of: AsOf) -> View {
        let (lo, hi) = (as_of.valid_at.lo().micros(), as_of.valid_at.hi().micros());
        let until = if lo == hi { hi.saturating_add(1) } else { hi };
        let published = self.state.published.txs;
        let known = match as_of.known_at {
            KnownAt::Latest => published,
            KnownAt::At(instant) => self.state.claims.txs_by(instant).min(published),
        };
        let latest = known == published;
        let window = Window { from: lo, until, txs: if latest { u32::MAX } else { known } };
        View { state: Arc::clone(&self.state), as_of, window, latest, context: 0 }
    }

    /// Whether the observation was recorded and not erased.
    #[must_use]
    pub fn has_observation(&self, id: ObservationId) -> bool {
        self.state.claims.observation(id).is_some()
    }

    /// The observations that were recorded and not erased, in the order in which they came.
    #[must_use]
    pub fn observation_ids(&self) -> Vec<ObservationId> {
        self.state.claims.observation_ids()
    }

    /// Whether the claim was recorded and not erased.
    #[must_use]
    pub fn has_claim(&self, id: ClaimId) -> bool {
        self.claim(id).is_some()
    }

    /// Whether the claim is believed in the latest state of belief; `None` if it is not recorded.
    #[must_use]
    pub fn is_believed(&self, id: ClaimId) -> Option<bool> {
        self.claim(id).map(|claim| self.state.is_believed_now(claim))
    }

    /// The named graphs that claims are in, by IRI, sorted.
    #[must_use]
    pub fn contexts(&self) -> Vec<String> {
        self.state.claims.context_names(self.state.published.claims)
    }

    /// How much there is.
    ///
    /// # Complexity
    /// Linear in the claims.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let state = &*self.state;
        let mut claims_of: std::collections::BTreeMap<u32, u64> = std::collections::BTreeMap::new();
        let mut unbelieved = 0;
        for claim in (0..state.published.claims).filter(|claim| !state.merged.is_further(*claim)) {
            if let Some((_, _, relation)) = state.claim(claim) {
                *claims_of.entry(relation).or_default() += 1;
                unbelieved += u64::from(!state.is_believed_now(claim));
            }
        }
        let unknown = claims_of.iter().filter(|(relation, _)| !state.relations.is_known(**relation));
        let mut unknown_relations: Vec<(String, u64)> =
            unknown.map(|(relation, claims)| (state.relations.name(*relation).to_owned(), *claims)).collect();
        unknown_relations.sort_unstable();
        Counts {
            observations: state.claims.live_observations() as u64,
            claims: (state.claims.live() - state.merged.further_rows()) as u64,
            unbelieved,
            facts: state.tally.facts,
            open: state.tally.open,
            contested: state.tally.contested,
            entities: (0..state.published.terms)
                .filter(|term| state.terms.is_entity(*term) && state.merged.canonical(*term, state.published.txs) == *term)
                .count() as u64,
            relations: claims_of.len() as u64,
            unknown_relations,
            bytes: state.bytes() as u64,
            string_bytes: state.terms.string_bytes() as u64,
        }
    }

    /// Bytes held, without those of strings: the capacities of everything that grows with the data.
    #[must_use]
    pub fn bytes_in_memory(&self) -> u64 {
        self.state.bytes() as u64
    }

    fn claim(&self, id: ClaimId) -> Option<u32> {
        self.state.claims.find(id).filter(|claim| *claim < self.state.published.claims)
    }
}

impl View {
    /// Where it reads.
    #[must_use]
    pub fn as_of(&self) -> AsOf {
        self.as_of
    }

    /// The snapshot it reads, to read it elsewhere too.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: Arc::clone(&self.state) }
    }

    /// The same point of both times in a named graph (an IRI), or in the default one. Reads never cross graphs.
    #[must_use]
    pub fn in_context(mut self, context: Option<&str>) -> Self {
        self.context = context.map_or(0, |name| self.state.claims.find_context(name).unwrap_or(u32::MAX));
        self
    }

    /// The interned id of a term, by resolution for names and by sameTerm otherwise; of one that is merged into another as known at the
    /// view, that of the other.
    #[must_use]
    pub fn term_id(&self, term: TermRef<'_>) -> Option<TermId> {
        let mut key = String::new();
        identity(term, &mut key);
        let found = self.state.terms.find(&key).filter(|term| *term < self.state.published.terms)?;
        Some(TermId(self.state.merged.canonical(found, self.txs())))
    }

    /// The term that one is, as known at the view: the one that it is merged into, over all steps, or itself.
    #[must_use]
    pub fn entity_of(&self, id: TermId) -> TermId {
        TermId(self.state.merged.canonical(id.0, self.txs()))
    }

    /// The names that an entity is known by: first the one that its facts are told under, then those merged into it as known at the view,
    /// in the order of their identities. One that was never merged has one name.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`].
    ///
    /// # Complexity
    /// Linear in the terms that were ever merged.
    pub fn names(&self, entity: &Term) -> Result<Vec<Term>, ReadError> {
        let canonical = self.entity(entity)?.0;
        let terms = &self.state.terms;
        let mut others: Vec<u32> = self.state.merged.names_of(canonical, self.txs()).collect();
        others.sort_by(|left, right| terms.cmp(*left, *right));
        Ok(std::iter::once(canonical).chain(others).map(|term| terms.owned(term)).collect())
    }

    /// The term as displayed: by its most frequent surface, then the least.
    #[must_use]
    pub fn term(&self, id: TermId) -> Option<Term> {
        self.state.terms.shown(id.0).filter(|_| id.0 < self.state.published.terms).map(TermRef::to_owned)
    }

    /// The canonical relation a stated one means, and whether head and tail change places; `None` if no claim has it.
    #[must_use]
    pub fn relation_id(&self, stated: &str) -> Option<(RelationId, bool)> {
        self.state.relations.meant(stated).filter(|(relation, _)| relation.0 < self.state.published.relations)
    }

    /// The name of a canonical relation.
    #[must_use]
    pub fn relation(&self, id: RelationId) -> Option<&str> {
        if id.0 < self.state.published.relations { Some(self.state.relations.name(id.0)) } else { None }
    }

    /// The id of the fact that an edge stands for.
    #[must_use]
    pub fn fact_id(&self, edge: Edge) -> Option<FactId> {
        self.state.claims.id(edge.fact).map(FactId)
    }

    /// All facts of a term that hold at the as-of, outgoing first, then by relation, start (valid time) and the fact's number;
    /// at an earlier `known_at`, those still believed come before those no longer believed.
    ///
    /// # Complexity
    /// O(1) to find the term, then linear in its facts; of more than 128 only those parts that may hold are read.
    #[inline]
    #[must_use]
    pub fn edges(&self, term: TermId) -> Edges<'_> {
        Edges::new(self, term, 0, u128::MAX)
    }

    /// The facts of a term for one relation in one direction that hold at the as-of, by start (valid time) and the fact's number.
    #[inline]
    #[must_use]
    pub fn edges_of(&self, term: TermId, relation: RelationId, outgoing: bool) -> Edges<'_> {
        let (low, high) = Record::keys_of(Record::run_of(relation.0, outgoing));
        let mut edges = Edges::new(self, term, low, high);
        edges.relation = Some(relation).filter(|relation| relation.0 >= super::record::MANY_RELATIONS);
        edges
    }

    /// The facts of a term in one direction that hold at the as-of, in the order of [`View::edges`].
    #[must_use]
    pub fn edges_directed(&self, term: TermId, outgoing: bool) -> Edges<'_> {
        let (first, _) = Record::keys_of(Record::run_of(0, false));
        let (low, high) = if outgoing { (0, first - 1) } else { (first, u128::MAX) };
        Edges::new(self, term, low, high)
    }

    /// What the head has for the relation at the as-of: of several facts a certain one, then the one that started last,
    /// then the one numbered last.
    ///
    /// # Complexity
    /// As [`View::edges_of`]: O(log n) where the facts of the relation follow each other in time.
    #[inline]
    #[must_use]
    pub fn point(&self, head: TermId, relation: RelationId) -> Option<Edge> {
        let mut edges = self.edges_of(head, relation, true);
        let mut best: Option<(Record, Certainty)> = None;
        while let Some((record, certainty)) = edges.next_record() {
            let rank = |record: Record, certainty: Certainty| (certainty, record.start, record.claim);
            if edges.is_asked(record) && best.is_none_or(|(other, sure)| rank(other, sure) <= rank(record, certainty)) {
                best = Some((record, certainty));
            }
        }
        best.map(|(record, certainty)| self.edge(record, certainty))
    }

    /// Whether a record that is believed now is in the graph that is read and holds.
    #[inline]
    pub(super) fn holds(&self, record: &Record) -> Option<Certainty> {
        if !record.meets(self.window.from, self.window.until) || record.tx_from >= self.window.txs || !self.is_here(*record) {
            return None;
        }
        if record.is_detailed()
            && let Some(detail) = self.state.details.get(record.claim)
        {
            return detail.certainty(self.window.from, self.window.until);
        }
        Some(record.certainty(&self.state.claims.shapes, self.window.from, self.window.until))
    }

    /// Whether a record that was believed once is known at the view, in the graph that is read, and holds.
    pub(super) fn held(&self, past: &Past) -> Option<Certainty> {
        if !past.record.meets(self.window.from, self.window.until) || !self.was_known(past) {
            return None;
        }
        if let Some(detail) = self.state.past_detail(past) {
            return detail.certainty(self.window.from, self.window.until);
        }
        Some(past.record.certainty(&self.state.claims.shapes, self.window.from, self.window.until))
    }

    /// Whether a record that is believed now was known at the view, whatever its valid time.
    pub(super) fn is_known(&self, record: &Record) -> bool {
        record.tx_from < self.window.txs && self.is_here(*record)
    }

    /// Whether a record that was believed once was so at the view, whatever its valid time.
    pub(super) fn was_known(&self, past: &Past) -> bool {
        past.record.tx_from < self.window.txs && past.tx_to >= self.window.txs && !self.latest && self.is_here(past.record)
    }

    /// Whether past beliefs count.
    pub(super) fn reads_past(&self) -> bool {
        !self.latest
    }

    /// How many transactions are known.
    pub(super) fn txs(&self) -> u32 {
        self.window.txs.min(self.state.published.txs)
    }

    /// Whether claims in the graph of this number are read.
    pub(super) fn reads_context(&self, context: u32) -> bool {
        context == self.context
    }

    /// Whether a record is in the graph that is read.
    #[inline]
    fn is_here(&self, record: Record) -> bool {
        if !record.is_in_context() {
            return self.context == 0;
        }
        self.context != 0 && self.state.claim(record.claim).is_some_and(|(_, kind, _)| kind.context == self.context)
    }

    #[inline]
    pub(super) fn edge(&self, record: Record, certainty: Certainty) -> Edge {
        Edge {
            other: TermId(record.other),
            relation: RelationId(self.state.relation_of(record)),
            outgoing: record.is_outgoing(),
            certainty,
            contested: record.is_contested(),
            fact: record.claim,
        }
    }
}

/// The facts of a term that hold at a view. See [`View::edges`].
#[derive(Debug)]
pub struct Edges<'a> {
    view: &'a View,
    records: std::slice::Iter<'a, Record>,
    more: Slices<'a, Record>,
    past: Option<(std::slice::Iter<'a, Past>, Slices<'a, Past>)>,
    /// The relation, where the records' key does not tell it.
    relation: Option<RelationId>,
}

impl<'a> Edges<'a> {
    #[inline]
    fn new(view: &'a View, term: TermId, low: u128, high: u128) -> Self {
        let mut more = view.state.facts.of(term.0).slices(low, high, view.window);
        let records = more.next().unwrap_or_default().iter();
        let past = view.reads_past().then(|| {
            let mut more = view.state.past.of(term.0).slices(low, high, view.window);
            (more.next().unwrap_or_default().iter(), more)
        });
        Self { view, records, more, past, relation: None }
    }
}

impl Edges<'_> {
    /// Whether a record has the relation asked for, which its key says of all but very many relations.
    #[inline]
    fn is_asked(&self, record: Record) -> bool {
        self.relation.is_none_or(|relation| relation.0 == self.view.state.relation_of(record))
    }

    /// The next record that holds, at its term.
    #[inline]
    pub(super) fn next_record(&mut self) -> Option<(Record, Certainty)> {
        loop {
            for record in self.records.by_ref() {
                if let Some(certainty) = self.view.holds(record) {
                    return Some((*record, certainty));
                }
            }
            match self.more.next() {
                Some(slice) => self.records = slice.iter(),
                None => break,
            }
        }
        let (records, more) = self.past.as_mut()?;
        loop {
            for past in records.by_ref() {
                if let Some(certainty) = self.view.held(past) {
                    return Some((past.record, certainty));
                }
            }
            *records = more.next()?.iter();
        }
    }
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        loop {
            let (record, certainty) = self.next_record()?;
            if self.is_asked(record) {
                return Some(self.view.edge(record, certainty));
            }
        }
    }
}
