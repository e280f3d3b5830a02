//! The projection by content, to be compared: no number of it shows.
//!
//! Owns one form of text. Knows nothing of how what it writes came about.

use super::adjacency::Window;
use super::record::{Past, Record};
use super::state::State;
use super::view::Snapshot;
use super::writer::Projection;
use std::fmt::Write;

impl Projection {
    /// Every fact of every state of belief, by content and sorted: equal for equal rows and policies, however they came in.
    ///
    /// One line a version of a fact: head, relation, tail, context, first claim, valid time, flags, transaction time.
    #[must_use]
    pub fn dump(&self) -> Vec<String> {
        self.snapshot().dump()
    }
}

impl Snapshot {
    /// See [`Projection::dump`].
    ///
    /// # Complexity
    /// O(n log n), and as much memory as the text takes.
    #[must_use]
    pub fn dump(&self) -> Vec<String> {
        let state = self.state();
        let mut lines = Vec::new();
        for head in 0..state.published.terms {
            let now = state.facts.of(head).slices(0, u128::MAX, Window::ALL).flatten().map(|record| (*record, None));
            let past = state.past.of(head).slices(0, u128::MAX, Window::ALL).flatten().map(|past| (past.record, Some(*past)));
            lines.extend(now.chain(past).filter(|(record, _)| record.is_outgoing()).map(|(record, past)| line(state, head, record, past)));
        }
        lines.sort_unstable();
        lines
    }
}

fn line(state: &State, head: u32, record: Record, past: Option<Past>) -> String {
    let (start, end, detail) = state.extent(record, past.as_ref());
    let relation = state.relations.name(state.relation_of(record));
    let mut line = format!("{} | {relation} | {}", state.terms.owned(head), state.terms.owned(record.other));
    let context = state.claim(record.claim).and_then(|(_, kind, _)| state.claims.context(kind.context));
    let first = state.claims.id(record.claim).map(|id| id.to_string()).unwrap_or_default();
    let mut written = write!(line, " | {} | {first} | {start:?} {end:?}", context.unwrap_or("-"));
    if record.is_contested() {
        written = written.and_then(|()| write!(line, " contested"));
    }
    if let Some(detail) = detail {
        written = written.and_then(|()| write!(line, " challenged {:?} hidden {:?}", detail.challenged_from, detail.hidden));
    }
    let believed_to = past.map(|past| state.tx_at(past.tx_to));
    written = written.and_then(|()| write!(line, " | {:?} to {believed_to:?}", state.tx_at(record.tx_from)));
    debug_assert!(written.is_ok(), "writing to a string cannot fail");
    line
}
