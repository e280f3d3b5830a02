//! Explanations: why a fact holds, what ended it and whom it is contested with, in sentences.
//!
//! Owns how claims are named in them. Which rule did what, and its wording, are asked of `timeline`.

use super::slots::{Derived, Deriver, Slot, Sort, Ties};
use super::state::State;
use super::view::{Explanation, ReadError, View};
use crate::model::{ClaimId, Fact, FactId, Polarity};
use crate::time::{Span, Start};
use crate::timeline::{EndCause, Note, SlotClaim, explain};

impl View {
    /// Why a fact holds, and what ended it. Any claim of the fact names it.
    ///
    /// # Errors
    /// [`ReadError::UnknownFact`].
    ///
    /// # Complexity
    /// That of deriving the fact's slots.
    pub fn explain(&self, fact: FactId) -> Result<Explanation, ReadError> {
        let mut deriver = Deriver::new(&self.state, self.txs());
        let (mut fact, derived) = self.fact_of(&mut deriver, fact.0).ok_or(ReadError::UnknownFact(fact))?;
        let told = deriver.notes(derived.first);
        let (ended, ended_by) = self.state.ending(&derived, &told);
        let further = told.iter().filter(|(_, note)| !ends(note, derived.cause));
        let mut notes: Vec<(String, Option<ClaimId>)> = further
            .map(|(slot, note)| (self.state.sentence(*slot, note), note.claim().and_then(|claim| self.state.claims.id(claim))))
            .collect();
        notes.dedup();
        fact.status.rivals = self.rivals(&mut deriver, derived.first, &told);
        let rivals: Vec<Fact> =
            fact.status.rivals.iter().filter_map(|rival| self.fact_of(&mut deriver, rival.0).map(|(fact, _)| fact)).collect();
        let undo = ended_by.filter(|_| !self.state.ends_of_itself(derived.cause));
        Ok(Explanation { fact, ended, ended_by, undo, rivals, notes })
    }

    /// The facts that a fact is contested with, by id.
    pub(super) fn rivals(&self, deriver: &mut Deriver<'_>, first: u32, told: &[(Slot, Note)]) -> Vec<FactId> {
        let runs = told.iter().filter_map(|told| match told {
            (_, Note::Contested { rival, .. }) => Some(*rival),
            _ => None,
        });
        let runs: Vec<u32> = runs.collect();
        let facts = runs.into_iter().filter_map(|run| deriver.fact_of(run)).map(|(derived, _)| derived.first).filter(|fact| *fact != first);
        let mut rivals: Vec<FactId> = facts.filter_map(|fact| self.state.claims.id(fact)).map(FactId).collect();
        rivals.sort_unstable();
        rivals.dedup();
        rivals
    }
}

impl Deriver<'_> {
    /// What the rules did to the runs of the fact with this first claim, slot by slot.
    pub(super) fn notes(&mut self, first: u32) -> Vec<(Slot, Note)> {
        let state = self.state();
        let mut notes = Vec::new();
        for slot in state.slots_of_claim(first) {
            let told = self.told(slot);
            let Some((_, run)) = told.run_of(first) else { continue };
            let claims: Vec<SlotClaim> = told.claims.iter().filter_map(|claim| state.slot_claim(slot, *claim)).collect();
            let found = explain(&claims, &state.rules(slot), &Ties { state, sort: slot.sort }, run.first);
            notes.extend(found.into_iter().map(|note| (slot, note)));
        }
        notes
    }
}

impl State {
    /// Why a fact ended, in one sentence, and the claim that did it; nothing while it is open.
    fn ending(&self, derived: &Derived, told: &[(Slot, Note)]) -> (Option<String>, Option<ClaimId>) {
        let by = match derived.cause {
            EndCause::Open => return (None, None),
            EndCause::Stated(claim) | EndCause::ClosedBy(claim) | EndCause::Covered(claim) => Some(claim),
            EndCause::Expired => None,
        };
        let end = derived.end.describe();
        let words = match told.iter().find(|(_, note)| ends(note, derived.cause)) {
            Some((slot, note)) => format!("{end}: {}", self.sentence(*slot, note)),
            None => end,
        };
        (Some(words), by.and_then(|claim| self.claims.id(claim)))
    }

    /// Whether a fact ends because one of the claims that tell of its beginning tells of its end, too.
    fn ends_of_itself(&self, cause: EndCause) -> bool {
        let EndCause::Stated(claim) = cause else { return false };
        self.claim(claim).is_some_and(|(row, kind, _)| {
            let (start, _) = self.claims.span(&row, &kind);
            kind.polarity == Polarity::Holds && start != Start::Unknown
        })
    }

    fn sentence(&self, slot: Slot, note: &Note) -> String {
        note.sentence(&|claim| self.value_in_words(slot, claim))
    }

    /// What of a claim competes in a slot, as displayed, and when: `Acme (since 2015)`.
    fn value_in_words(&self, slot: Slot, claim: u32) -> String {
        let Some((row, kind, relation)) = self.claim(claim) else { return String::new() };
        let value = match slot.sort {
            Sort::Class => self.relations.name(relation).to_owned(),
            Sort::Head if row.head != slot.term => self.terms.owned(row.head).to_string(),
            Sort::Tail => self.terms.owned(row.head).to_string(),
            Sort::Head | Sort::Pair => self.terms.owned(row.tail).to_string(),
        };
        let (start, end) = self.claims.span(&row, &kind);
        let when = Span::new(start, end).map(Span::describe).unwrap_or_default();
        let never = if kind.polarity == Polarity::Never { "never " } else { "" };
        format!("{never}{value} ({when})")
    }
}

/// Whether a note tells of the end with this cause.
fn ends(note: &Note, cause: EndCause) -> bool {
    match (note, cause) {
        (Note::EventEnds { .. }, EndCause::Stated(_)) | (Note::Expired { .. }, EndCause::Expired) => true,
        (Note::EndCounts { end, .. }, EndCause::Stated(claim)) => *end == claim,
        (Note::Cut { by, .. }, EndCause::ClosedBy(claim)) | (Note::Covered { by, .. }, EndCause::Covered(claim)) => *by == claim,
        _ => false,
    }
}
