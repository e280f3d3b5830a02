//! Explanations: which rules made a run what it is. Knows nothing of how claims are named.

use super::conflict::{Reach, conflict};
use super::derive::{Derived, derive};
use super::note::{Hiding, Note, Sink};
use super::runs::Draft;
use super::{SlotClaim, SlotRules, TieOrder};
use crate::model::OnConflict;

/// Keeps the notes on one run, and those on claims that may turn out to be its own.
struct About {
    run: u32,
    notes: Vec<Note>,
}

impl Sink for About {
    const ON: bool = true;

    fn note(&mut self, make: impl FnOnce() -> Note) {
        let note = make();
        if note.run().is_none_or(|run| run == self.run) {
            self.notes.push(note);
        }
    }
}

/// Why the run named `first` (see [`Run::first`](super::Run::first)) is what it is: a note for each rule that applied, in the order of the
/// rules. Empty if no run has that name.
///
/// Its rivals, the other side of the conflicts it is in, are those of its [`Note::Contested`] and [`Note::Challenged`].
///
/// # Complexity
/// As [`derive_slot`](super::derive_slot).
pub fn explain(claims: &[SlotClaim], rules: &SlotRules, ties: &impl TieOrder, first: u32) -> Vec<Note> {
    let mut about = About { run: first, notes: Vec::new() };
    let Derived { holds, drafts, .. } = derive(claims, rules, ties, &mut about);
    let Some(draft) = drafts.iter().find(|draft| draft.first == first) else { return Vec::new() };
    let own = holds.get(draft.holds.clone()).unwrap_or_default();
    let mut notes = about.notes;
    notes.retain(|note| {
        let (Note::Refined { claim, .. } | Note::StartNarrowed { claim, .. }) = note else { return true };
        own.iter().any(|placed| placed.claim == *claim)
    });
    notes.extend(contests(draft, &drafts, rules));
    // Runs conflict in the order of their values' numbers, which says nothing: by content, it is the same however claims came.
    for conflicts in notes.chunk_by_mut(|left, right| is_conflict(left) && is_conflict(right)) {
        conflicts.sort_by(|left, right| match (left.claim(), right.claim()) {
            (Some(left), Some(right)) => ties.cmp_claims(left, right),
            (left, right) => left.is_some().cmp(&right.is_some()),
        });
    }
    notes
}

/// Whether a note tells of another run that says otherwise.
const fn is_conflict(note: &Note) -> bool {
    matches!(note, Note::Contested { .. } | Note::Challenged { .. } | Note::Hidden { why: Hiding::Overruled(_) | Hiding::Outranked(_), .. })
}

/// The conflicts that leave a run contested.
fn contests<'a>(draft: &'a Draft, drafts: &'a [Draft], rules: &'a SlotRules) -> impl Iterator<Item = Note> + 'a {
    let others = drafts.iter().filter(|other| draft.standing.contested && draft.rank <= other.rank);
    others.filter_map(move |other| {
        let how = conflict(draft, other, Reach::End)?;
        let decided =
            rules.on_conflict == OnConflict::Newest && draft.rank == other.rank && draft.standing.observed_at != other.standing.observed_at;
        (!decided).then_some(Note::Contested { run: draft.first, rival: other.first, how })
    })
}
