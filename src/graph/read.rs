//! Reads by name: what holds, what is known, what changed and why, as owned facts.
//!
//! Owns how facts are put together and ordered. Which facts there are is read from records; their support and links are derived anew.

use super::adjacency::Window;
use super::record::{Detail, Packed, Past, Record};
use super::slots::{Derived, Deriver};
use super::view::{About, Answer, Diff, Held, ReadError, RelationId, TermId, View};
use crate::model::{AuthorityMode, ClaimId, Fact, FactId, FactStatus, Term};
use crate::time::{Certainty, End, Instant, Start};
use crate::timeline::EndCause;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A record that is known at a view, with the end of the belief in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// At its head or tail, as it was found.
    pub(super) record: Record,
    /// Number of the detail of a past record, see [`Past`].
    past: Option<Past>,
    pub(super) certainty: Option<Certainty>,
}

impl View {
    /// What the head has for the relation at the as-of.
    ///
    /// A relation that is the inverse of its canonical one is answered from the other direction: the head asked for is then the
    /// facts' tail. The facts of a symmetric relation are turned so that it is their head.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    pub fn values(&self, head: &Term, relation: &str) -> Result<Answer, ReadError> {
        self.related(head, relation, true)
    }

    /// Everything about an entity at the as-of, as head and as tail.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`].
    pub fn about(&self, entity: &Term) -> Result<About, ReadError> {
        let term = self.entity(entity)?;
        let mut answer = self.answer(self.known(term, 0, u128::MAX), term);
        answer.facts.sort_by(|left, right| left.fact.relation.cmp(&right.fact.relation).then_with(|| by_certainty(left, right)));
        Ok(About { entity: self.state.terms.owned(term.0), answer })
    }

    /// Which heads have this tail for the relation at the as-of.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    pub fn holders(&self, relation: &str, tail: &Term) -> Result<Answer, ReadError> {
        self.related(tail, relation, false)
    }

    /// What changed from this view to another of the same tenant, about one entity or all; each list by start, tail and id.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`] if neither view knows the entity.
    pub fn diff(&self, later: &Self, entity: Option<&Term>) -> Result<Diff, ReadError> {
        let (before, after) = match entity {
            None => (self.held_by_id(None), later.held_by_id(None)),
            Some(entity) => match (self.entity(entity), later.entity(entity)) {
                (Err(unknown), Err(_)) => return Err(unknown),
                (before, after) => {
                    let held =
                        |view: &Self, term: Result<TermId, ReadError>| term.map(|term| view.held_by_id(Some(term))).unwrap_or_default();
                    (held(self, before), held(later, after))
                }
            },
        };
        let (mut old_facts, mut new_facts) = (Deriver::new(&self.state, self.txs()), Deriver::new(&later.state, later.txs()));
        let mut diff = Diff::default();
        for (id, (head, known)) in &before {
            let Some(was) = self.held_fact(&mut old_facts, *head, *known) else { continue };
            match after.get(id) {
                None => diff.vanished.push(was),
                Some((_, now)) if self.seen(*known) == later.seen(*now) => {}
                Some((head, now)) => diff.changed.extend(later.held_fact(&mut new_facts, *head, *now).map(|now| (was, now))),
            }
        }
        for (_, (head, known)) in after.iter().filter(|(id, _)| !before.contains_key(id)) {
            diff.appeared.extend(later.held_fact(&mut new_facts, *head, *known));
        }
        diff.appeared.sort_by(by_place);
        diff.vanished.sort_by(by_place);
        diff.changed.sort_by(|left, right| by_place(&left.1, &right.1));
        Ok(diff)
    }

    /// A fact by its id or by any claim that supports it, as known at the view, whether it holds at its valid time or not.
    ///
    /// # Errors
    /// [`ReadError::UnknownFact`].
    pub fn fact(&self, id: FactId) -> Result<Fact, ReadError> {
        let mut deriver = Deriver::new(&self.state, self.txs());
        self.fact_of(&mut deriver, id.0).map(|(fact, _)| fact).ok_or(ReadError::UnknownFact(id))
    }

    /// The head, relation and tail of the fact that a claim supports, as known at the view, without deriving it; `None` of a claim that is
    /// not recorded there.
    ///
    /// # Complexity
    /// Constant, whatever the slot.
    pub fn said(&self, claim: ClaimId) -> Option<(Term, String, Term)> {
        let claim = self.state.merged.row_at(self.state.claims.find(claim)?, self.txs());
        let claim = Some(claim).filter(|claim| *claim < self.state.claims.recorded_by(self.txs()))?;
        let (row, _, relation) = self.state.claim(claim)?;
        Some((self.state.terms.owned(row.head), self.state.relations.name(relation).to_owned(), self.state.terms.owned(row.tail)))
    }

    /// The fact that a claim supports, and how it was derived.
    pub(super) fn fact_of(&self, deriver: &mut Deriver<'_>, claim: ClaimId) -> Option<(Fact, Derived)> {
        let claim = self.state.merged.row_at(self.state.claims.find(claim)?, self.txs());
        let claim = Some(claim).filter(|claim| *claim < self.state.claims.recorded_by(self.txs()))?;
        let (derived, _) = deriver.fact_of(claim)?;
        let known = self.known_fact(derived.first)?;
        let (row, ..) = self.state.claim(derived.first)?;
        self.fact_from(deriver, TermId(row.head), known).map(|fact| (fact, derived))
    }

    pub(super) fn entity(&self, entity: &Term) -> Result<TermId, ReadError> {
        self.term_id(entity.as_ref()).ok_or_else(|| ReadError::UnknownEntity(entity.clone()))
    }

    /// The canonical relation, if any claim has it, and whether it is asked for by its inverse.
    pub(super) fn asked_relation(&self, stated: &str) -> Result<Option<(RelationId, bool)>, ReadError> {
        let relation = self.relation_id(stated);
        if relation.is_none() && !self.state.relations.policies().canonical(stated).known {
            return Err(ReadError::UnknownRelation(stated.to_owned()));
        }
        Ok(relation)
    }

    fn related(&self, term: &Term, relation: &str, outgoing: bool) -> Result<Answer, ReadError> {
        let (known, term) = self.related_records(term, relation, outgoing)?;
        let mut answer = self.answer(known, term);
        answer.facts.sort_by(by_certainty);
        Ok(answer)
    }

    /// What is known of a term for a relation in a direction as stated; of a symmetric one in both.
    pub(super) fn related_records(&self, term: &Term, relation: &str, outgoing: bool) -> Result<(Vec<Known>, TermId), ReadError> {
        let term = self.entity(term)?;
        let Some((relation, inverted)) = self.asked_relation(relation)? else { return Ok((Vec::new(), term)) };
        let mut known = Vec::new();
        let symmetric = self.state.relations.standing(relation.0).is_some_and(|standing| standing.symmetric);
        for direction in [true, false] {
            if symmetric || direction == (outgoing != inverted) {
                let (low, high) = Record::keys_of(Record::run_of(relation.0, direction));
                let found = self.known(term, low, high).into_iter().filter(|known| self.state.relation_of(known.record) == relation.0);
                // A fact whose head is its tail is found once only.
                known.extend(found.filter(|known| direction || !symmetric || known.record.other != term.0));
            }
        }
        Ok((known, term))
    }

    /// The records of a term that are known at the view, whatever their valid time.
    pub(super) fn known(&self, term: TermId, low: u128, high: u128) -> Vec<Known> {
        let window = Window { from: i64::MIN, until: i64::MAX, ..self.window };
        let records = self.state.facts.of(term.0).slices(low, high, window).flatten();
        let mut known: Vec<Known> = records
            .filter(|record| self.is_known(record))
            .map(|record| Known { record: *record, past: None, certainty: self.holds(record) })
            .collect();
        if self.reads_past() {
            let past = self.state.past.of(term.0).slices(low, high, window).flatten().filter(|past| self.was_known(past));
            known.extend(past.map(|past| Known { record: past.record, past: Some(*past), certainty: self.held(past) }));
        }
        known
    }

    /// The record, at its head, of the fact known at the view whose first claim this is.
    pub(super) fn known_fact(&self, first: u32) -> Option<Known> {
        if let Some((_, record)) = self.state.fact(first)
            && self.is_known_anywhere(record)
        {
            return Some(Known { record, past: None, certainty: self.holds(&record) });
        }
        let (row, _, relation) = self.state.claim(first)?;
        let (low, high) = Record::keys_of(Record::run_of(relation, true));
        let window = Window { from: i64::MIN, until: i64::MAX, ..self.window };
        let mut past = self.state.past.of(row.head).slices(low, high, window).flatten();
        let txs = self.window.txs;
        let found = past.find(|past| past.record.claim == first && past.record.tx_from < txs && past.tx_to >= txs)?;
        Some(Known { record: found.record, past: Some(*found), certainty: self.held(found) })
    }

    fn is_known_anywhere(&self, record: Record) -> bool {
        record.tx_from < self.window.txs
    }

    /// The facts among records of a term that hold, and how many do not.
    fn answer(&self, mut known: Vec<Known>, term: TermId) -> Answer {
        // A fact whose head is its tail has two records.
        known.retain(|known| known.record.is_outgoing() || known.record.other != term.0);
        let mut deriver = Deriver::new(&self.state, self.txs());
        let denials = self.hidden_denials(&mut deriver, &known);
        let all = known.len();
        known.retain(|known| known.certainty.is_some());
        let suppressed = (all - known.len()) as u64 + denials;
        let held = known.into_iter().filter_map(|known| self.held_fact(&mut deriver, term, known));
        Answer { facts: held.collect(), suppressed }
    }

    pub(super) fn facts(&self, known: &[Known], term: TermId) -> Vec<Fact> {
        let mut deriver = Deriver::new(&self.state, self.txs());
        let own = known.iter().filter(|known| known.record.is_outgoing() || known.record.other != term.0);
        own.filter_map(|known| self.fact_from(&mut deriver, term, *known)).collect()
    }

    pub(super) fn held_fact(&self, deriver: &mut Deriver<'_>, term: TermId, known: Known) -> Option<Held> {
        Some(Held { certainty: known.certainty?, fact: self.fact_from(deriver, term, known)? })
    }

    /// Whether a source of lower rank says otherwise than a fact of a strict relation, which hides what that source says.
    pub(super) fn is_challenged_in_vain(&self, known: Known) -> bool {
        let detail = known.past.as_ref().map_or_else(|| self.state.detail(known.record), |past| self.state.past_detail(past));
        detail.is_some_and(|detail| detail.challenged_from.is_some())
            && self
                .state
                .relations
                .standing(self.state.relation_of(known.record))
                .is_some_and(|standing| standing.rules.authority == AuthorityMode::Strict)
    }

    pub(super) fn is_symmetric(&self, record: Record) -> bool {
        self.state.relations.standing(self.state.relation_of(record)).is_some_and(|standing| standing.symmetric)
    }

    /// The fact of a record of a term. That of a symmetric relation is turned so that the term is its head.
    fn fact_from(&self, deriver: &mut Deriver<'_>, term: TermId, known: Known) -> Option<Fact> {
        let state = &*self.state;
        let first = known.record.claim;
        let (row, kind, relation) = state.claim(first)?;
        let (derived, support) = self.linked(known).or_else(|| deriver.fact_of(first))?;
        let turned = row.head != term.0 && row.tail == term.0 && self.is_symmetric(known.record);
        let (head, tail) = if turned { (row.tail, row.head) } else { (row.head, row.tail) };
        let (mut confidence, mut importance) = (0.0_f64, 0.0_f64);
        let mut supported_by = Vec::with_capacity(support.len());
        for claim in support {
            let (_, kind, _) = state.claim(claim)?;
            confidence = confidence.max(f64::from_bits(kind.confidence));
            importance = importance.max(f64::from_bits(kind.importance));
            supported_by.extend(state.claims.id(claim));
        }
        supported_by.sort_unstable();
        let rivals = if derived.contested && state.is_short(first) {
            let told = deriver.notes(first);
            self.rivals(deriver, first, &told)
        } else {
            Vec::new()
        };
        let closed_by = match derived.cause {
            EndCause::ClosedBy(claim) => state.claims.id(claim),
            EndCause::Open | EndCause::Stated(_) | EndCause::Covered(_) | EndCause::Expired => None,
        };
        Some(Fact {
            id: FactId(state.claims.id(first)?),
            head: state.terms.owned(head),
            relation: state.relations.name(relation).to_owned(),
            tail: state.terms.owned(tail),
            context: state.claims.context(kind.context).map(str::to_owned),
            start: derived.start,
            end: derived.end,
            tx_from: state.tx_at(known.record.tx_from),
            tx_to: known.past.map(|past| state.tx_at(past.tx_to)),
            confidence,
            importance,
            status: FactStatus {
                contested: derived.contested,
                challenged_from: derived.challenged_from,
                hidden: derived.hidden,
                closed_by,
                rivals,
            },
            supported_by,
        })
    }

    /// What is kept of how a fact was derived.
    fn linked(&self, known: Known) -> Option<(Derived, Vec<u32>)> {
        let first = known.record.claim;
        if self.reads_past() || known.past.is_some() {
            return None;
        }
        let links = self.state.links.get(first)?;
        let (start, end, detail) = self.state.extent(known.record, None);
        let (challenged_from, hidden) = detail.map(|detail| (detail.challenged_from, detail.hidden.clone())).unwrap_or_default();
        let contested = known.record.is_contested();
        Some((Derived { first, start, end, cause: links.cause, contested, challenged_from, hidden }, links.support.to_vec()))
    }

    /// Everything that holds, of one term or of all, by the fact's id, with its head.
    fn held_by_id(&self, term: Option<TermId>) -> BTreeMap<FactId, (TermId, Known)> {
        let terms = term.map_or(0..self.state.published.terms, |term| term.0..term.0 + 1);
        let mut held = BTreeMap::new();
        for at in terms.map(TermId) {
            let known = self.known(at, 0, u128::MAX).into_iter().filter(|known| known.certainty.is_some());
            for known in known.filter(|known| known.record.is_outgoing() || term.is_some()) {
                if let Some(id) = self.state.claims.id(known.record.claim) {
                    held.insert(FactId(id), (at, known));
                }
            }
        }
        held
    }

    /// What of a fact is compared between two views.
    fn seen(&self, known: Known) -> Seen {
        let (start, end, detail) = self.state.extent(known.record, known.past.as_ref());
        let (challenged_from, hidden) = detail.map(|detail| (detail.challenged_from, detail.hidden.clone())).unwrap_or_default();
        (start, end, known.certainty, known.record.is_contested(), challenged_from, hidden)
    }
}

impl super::state::State {
    /// The valid time of a record, past or not, and what it has no room for.
    pub(super) fn extent(&self, record: Record, past: Option<&Past>) -> (Start, End, Option<&Detail>) {
        let detail = match past {
            Some(past) => self.past_detail(past),
            None => self.detail(record),
        };
        let packed: Packed = record.packed();
        if let Some(detail) = detail {
            return (detail.start, detail.end, Some(detail));
        }
        let (start, end) = self.claims.shapes.unpack(packed);
        (start, end, None)
    }
}

/// Valid time, certainty, whether contested, from where on challenged, and where hidden.
type Seen = (Start, End, Option<Certainty>, bool, Option<Instant>, Vec<(Instant, Instant)>);

/// By start in valid time: the earliest possible one first, then the surest.
fn by_start(left: &Fact, right: &Fact) -> Ordering {
    (left.start.lo(), left.start.hi()).cmp(&(right.start.lo(), right.start.hi()))
}

/// By start, tail and id.
fn by_place(left: &Held, right: &Held) -> Ordering {
    by_start(&left.fact, &right.fact).then_with(|| left.fact.tail.cmp(&right.fact.tail)).then_with(|| left.fact.id.cmp(&right.fact.id))
}

/// Certain before possible, then by start, tail and id.
fn by_certainty(left: &Held, right: &Held) -> Ordering {
    right.certainty.cmp(&left.certainty).then_with(|| by_place(left, right))
}
