//! Histories: all that is known of a term whatever its valid time, as it reads from that term, and what is denied of it.
//!
//! Owns which way round a fact is told. Which facts there are is read as in `read`.

use super::read::Known;
use super::slots::Deriver;
use super::view::{Denial, ReadError, TermId, View};
use crate::model::{Fact, Polarity, Term};
use crate::time::{End, Instant, Start};
use crate::timeline::Note;
use std::collections::BTreeSet;

impl View {
    /// All facts of a head (and a relation) known at the as-of's transaction time, whatever their valid time;
    /// by relation, then the instant they are first known from, then id.
    ///
    /// Without a relation, facts that are stored the other way round are told from this head, too: those of a symmetric relation, and
    /// those of a relation with an inverse, under the inverse (`parent_of` for a stored `child_of`). With one, the facts are told under
    /// their canonical relation, as in [`View::values`].
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    pub fn timeline(&self, head: &Term, relation: Option<&str>) -> Result<Vec<Fact>, ReadError> {
        let (known, term) = if let Some(relation) = relation {
            self.related_records(head, relation, true)?
        } else {
            let term = self.entity(head)?;
            (self.own(term).filter(|known| self.reads_from_end(*known)).collect(), term)
        };
        let mut facts = self.facts(&known, term);
        if relation.is_none() {
            for fact in &mut facts {
                self.turn(fact, term);
            }
        }
        in_order(&mut facts);
        Ok(facts)
    }

    /// All facts that have a term as their tail (for a relation) known at the as-of's transaction time, whatever their valid time, without
    /// those that [`View::timeline`] tells of it as a head; by relation, then the instant they are first known from, then id.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    pub fn incoming(&self, tail: &Term, relation: Option<&str>) -> Result<Vec<Fact>, ReadError> {
        let (known, term) = self.incoming_records(tail, relation)?;
        let mut facts = self.facts(&known, term);
        in_order(&mut facts);
        Ok(facts)
    }

    /// How many facts [`View::incoming`] gives.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    ///
    /// # Complexity
    /// Linear in the facts of the term; none is derived.
    pub fn count_incoming(&self, tail: &Term, relation: Option<&str>) -> Result<u64, ReadError> {
        Ok(self.incoming_records(tail, relation)?.0.len() as u64)
    }

    /// What is denied of a term (for a relation): the `Never` claims believed at the as-of's transaction time that have it as head or
    /// tail, whatever their valid time; by relation, then the instant they are first known from, then id. A denial is no fact; it hides facts, or is overruled by them.
    ///
    /// # Errors
    /// [`ReadError::UnknownEntity`], [`ReadError::UnknownRelation`].
    ///
    /// # Complexity
    /// Linear in the claims of the snapshot.
    pub fn denials(&self, entity: &Term, relation: Option<&str>) -> Result<Vec<Denial>, ReadError> {
        let term = self.entity(entity)?;
        let asked = match relation.map(|stated| self.asked_relation(stated)).transpose()? {
            Some(None) => return Ok(Vec::new()),
            asked => asked.flatten(),
        };
        let state = &*self.state;
        let mut denials = Vec::new();
        for claim in 0..state.claims.recorded_by(self.txs()) {
            let Some(row) = state.claims.row(claim).filter(|row| row.head == term.0 || row.tail == term.0) else { continue };
            let kind = state.claims.kind(row);
            let (relation, _) = state.relations.canonical(kind.stated);
            let is_asked = asked.is_none_or(|(asked, _)| asked.0 == relation);
            if kind.polarity != Polarity::Never || !is_asked || !self.reads_context(kind.context) || !state.is_believed(claim, self.txs()) {
                continue;
            }
            let Some(id) = state.claims.id(claim) else { continue };
            let symmetric = state.relations.standing(relation).is_some_and(|standing| standing.symmetric);
            let as_tail = row.head != term.0 && !symmetric;
            let inverse = self.inverse_of(relation).filter(|_| as_tail && asked.is_none());
            let turned = row.head != term.0 && (symmetric || inverse.is_some());
            let (head, tail) = if turned { (row.tail, row.head) } else { (row.head, row.tail) };
            let (start, end) = state.claims.span(row, &kind);
            denials.push(Denial {
                claim: id,
                head: state.terms.owned(head),
                relation: inverse.unwrap_or_else(|| state.relations.name(relation)).to_owned(),
                tail: state.terms.owned(tail),
                start,
                end,
                authority: kind.authority,
                // Asked by an inverse, the entity is the head of what was said where it is the tail of what is stored.
                incoming: match asked {
                    Some((_, true)) => row.tail != term.0 && !symmetric,
                    Some((_, false)) => as_tail,
                    None => as_tail && inverse.is_none(),
                },
            });
        }
        denials.sort_by(|left, right| {
            let place = |denial: &Denial| known_from(denial.start, denial.end);
            left.relation.cmp(&right.relation).then_with(|| place(left).cmp(&place(right))).then(left.claim.cmp(&right.claim))
        });
        Ok(denials)
    }

    /// How many denials of these facts a strict relation hides, because what they deny has a source that ranks higher.
    pub(super) fn hidden_denials(&self, deriver: &mut Deriver<'_>, known: &[Known]) -> u64 {
        let mut hidden: BTreeSet<u32> = BTreeSet::new();
        for first in known.iter().filter(|known| self.is_challenged_in_vain(**known)).map(|known| known.record.claim) {
            let Some((row, kind, relation)) = self.state.claim(first) else { continue };
            // Deriving is worth it only where something is denied.
            let denies = |claim: &u32| self.state.claim(*claim).is_some_and(|(_, kind, _)| kind.polarity == Polarity::Never);
            if self.state.pair(row.head, relation, row.tail, kind.context).iter().any(denies) {
                let told = deriver.notes(first);
                let challengers = told.iter().filter(|(_, note)| matches!(note, Note::Challenged { .. }));
                hidden.extend(challengers.filter_map(|(_, note)| note.claim()).filter(denies));
            }
        }
        hidden.len() as u64
    }

    /// The records of a term that are known, without the second one of a fact whose head is its tail.
    fn own(&self, term: TermId) -> impl Iterator<Item = Known> {
        self.known(term, 0, u128::MAX).into_iter().filter(move |known| known.record.is_outgoing() || known.record.other != term.0)
    }

    fn incoming_records(&self, tail: &Term, relation: Option<&str>) -> Result<(Vec<Known>, TermId), ReadError> {
        let Some(relation) = relation else {
            let term = self.entity(tail)?;
            return Ok((self.own(term).filter(|known| !self.reads_from_end(*known)).collect(), term));
        };
        let (mut known, term) = self.related_records(tail, relation, false)?;
        // Of a symmetric relation all facts are told of either end as the head; so is a fact whose head is its tail.
        known.retain(|known| !self.is_symmetric(known.record) && known.record.other != term.0);
        Ok((known, term))
    }

    /// Whether a fact reads from the end at which this record of it is.
    fn reads_from_end(&self, known: Known) -> bool {
        let record = known.record;
        record.is_outgoing() || self.is_symmetric(record) || self.inverse_of(self.state.relation_of(record)).is_some()
    }

    /// The name by which a canonical relation reads from its tail.
    fn inverse_of(&self, relation: u32) -> Option<&str> {
        let policies = self.state.relations.policies();
        policies.canonical(self.state.relations.name(relation)).policy.inverse_of.as_deref()
    }

    /// Tells a fact under the inverse of its relation if only so the term is its head.
    fn turn(&self, fact: &mut Fact, term: TermId) {
        let head = self.term_id(fact.head.as_ref());
        let Some((relation, _)) = self.relation_id(&fact.relation).filter(|_| head != Some(term)) else { return };
        if let Some(inverse) = self.inverse_of(relation.0) {
            inverse.clone_into(&mut fact.relation);
            std::mem::swap(&mut fact.head, &mut fact.tail);
        }
    }
}

/// By relation, then the instant they are first known from, then id.
fn in_order(facts: &mut [Fact]) {
    facts.sort_by(|left, right| {
        let place = |fact: &Fact| known_from(fact.start, fact.end);
        left.relation.cmp(&right.relation).then_with(|| place(left).cmp(&place(right))).then(left.id.cmp(&right.id))
    });
}

/// Where something stands in a history (valid time): where it may have begun, else the first instant at which it is known to hold or to
/// be over; then where it has certainly begun.
fn known_from(start: Start, end: End) -> (Instant, Instant) {
    let first = match (start, end) {
        (Start::At(moment), _) => moment.lo(),
        (Start::By(held), _) => held,
        (Start::Unknown, End::At(_) | End::By(_)) => end.hi(),
        (Start::Unknown, End::Open) | (Start::Always, _) => Instant::DISTANT_PAST,
    };
    (first, start.hi())
}
