//! Everything a snapshot reads: roots that are shared until written.
//!
//! Owns which parts there are, and the tallies over them. Knows no order of writing.

use super::adjacency::{List, Lists};
use super::claims::{Claims, Kind, Row};
use super::merged::Merged;
use super::pvec::{ARC, PVec, Sparse};
use super::record::{Detail, Past, Record};
use super::relations::Relations;
use super::terms::Terms;
use crate::time::Instant;
use crate::timeline::EndCause;
use std::sync::Arc;

/// From this transaction on a claim is believed, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) tx: u32,
    pub(super) believed: bool,
}

/// What a fact rests on, and why it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Links {
    pub(super) cause: EndCause,
    pub(super) support: Box<[u32]>,
}

/// How many of what is published, in the latest belief.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) facts: u64,
    pub(super) open: u64,
    pub(super) contested: u64,
}

/// The projection as readers see it.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) terms: Terms,
    pub(super) relations: Arc<Relations>,
    pub(super) claims: Claims,
    /// Which terms are one, and where the claims that name them are filed.
    pub(super) merged: Merged,
    /// Claims that were not always believed since they were recorded.
    pub(super) steps: Sparse<Arc<[Step]>>,
    /// Where claims stand in slots: for each head by relation and tail, and for each tail whose slots need it.
    pub(super) standings: Lists<u64>,
    /// The facts believed now.
    pub(super) facts: Lists<Record>,
    /// What the records of the facts believed now have no room for, by first claim.
    pub(super) details: Sparse<Arc<Detail>>,
    /// The starts of the facts that do not start where their first claim does, by first claim.
    pub(super) moved: Sparse<i64>,
    /// What the facts of long slots rest on, by first claim; for others it is derived when asked for.
    pub(super) links: Sparse<Arc<Links>>,
    /// The facts believed in the past.
    pub(super) past: Lists<Past>,
    pub(super) past_details: PVec<Option<Arc<Detail>>, 16>,
    pub(super) tally: Tally,
    /// Numbers from here on are staged and not published.
    pub(super) published: Published,
}

/// How far what is numbered is published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Published {
    pub(super) terms: u32,
    pub(super) relations: u32,
    pub(super) claims: u32,
    pub(super) txs: u32,
}

impl State {
    pub(super) fn new(relations: Relations) -> Self {
        Self {
            terms: Terms::default(),
            relations: Arc::new(relations),
            claims: Claims::default(),
            merged: Merged::default(),
            steps: Sparse::default(),
            standings: Lists::default(),
            facts: Lists::default(),
            details: Sparse::default(),
            moved: Sparse::default(),
            links: Sparse::default(),
            past: Lists::default(),
            past_details: PVec::default(),
            tally: Tally::default(),
            published: Published::default(),
        }
    }

    /// Whether a claim is believed when so many transactions have been; it was recorded by then.
    pub(super) fn is_believed(&self, claim: u32, txs: u32) -> bool {
        let Some(steps) = self.steps.get(claim) else { return true };
        steps.iter().take_while(|step| step.tx < txs).last().is_none_or(|step| step.believed)
    }

    /// Whether a claim, however it is filed, is believed in the latest belief.
    pub(super) fn is_believed_now(&self, claim: u32) -> bool {
        self.is_believed(self.merged.row_at(claim, self.published.txs), u32::MAX)
    }

    /// The row and kind of a claim, with its canonical relation.
    pub(super) fn claim(&self, claim: u32) -> Option<(Row, Kind, u32)> {
        let row = self.claims.row(claim)?;
        let kind = self.claims.kind(row);
        Some((*row, kind, self.relations.canonical(kind.stated).0))
    }

    /// The canonical relation of a record.
    pub(super) fn relation_of(&self, record: Record) -> u32 {
        if record.relation() < super::record::MANY_RELATIONS {
            return record.relation();
        }
        self.claim(record.claim).map_or(u32::MAX, |(_, _, relation)| relation)
    }

    /// The record, at its head, of the fact believed now whose first claim this is.
    pub(super) fn fact(&self, claim: u32) -> Option<(u32, Record)> {
        let (row, _, relation) = self.claim(claim)?;
        let list = self.facts.of(row.head);
        let found = match list {
            List::Short(records) => records.iter().find(|record| record.claim == claim && record.is_outgoing()).copied(),
            List::Long(_) => {
                let start = self.moved.get(claim).copied().unwrap_or(row.start);
                let key = Record { start, claim, meta: 0, ..Record::default() }.key_in(Record::run_of(relation, true));
                list.find(key, |_| true)
            }
        };
        found.map(|record| (row.head, record))
    }

    /// What a record of a fact believed now has no room for.
    pub(super) fn detail(&self, record: Record) -> Option<&Arc<Detail>> {
        if record.is_detailed() { self.details.get(record.claim) } else { None }
    }

    /// What a record of a fact believed in the past has no room for.
    pub(super) fn past_detail(&self, past: &Past) -> Option<&Arc<Detail>> {
        (past.detail as usize).checked_sub(1).and_then(|at| self.past_details.get(at)?.as_ref())
    }

    /// When a transaction was; `None` for one to come.
    pub(super) fn tx_at(&self, tx: u32) -> Instant {
        self.claims.tx_at(tx)
    }

    /// Bytes held, without those of strings.
    pub(super) fn bytes(&self) -> usize {
        let steps = self.steps.iter().map(|(_, steps)| ARC + steps.len() * size_of::<Step>());
        let detail = |detail: &Arc<Detail>| ARC + size_of::<Detail>() + detail.hidden.capacity() * size_of::<(Instant, Instant)>();
        let links = self.links.iter().map(|(_, links)| ARC + size_of::<Links>() + links.support.len() * size_of::<u32>());
        self.terms.bytes()
            + self.claims.bytes()
            + self.merged.bytes()
            + self.steps.bytes()
            + steps.sum::<usize>()
            + self.standings.bytes()
            + self.facts.bytes()
            + self.details.bytes()
            + self.details.iter().map(|(_, found)| detail(found)).sum::<usize>()
            + self.moved.bytes()
            + self.links.bytes()
            + links.sum::<usize>()
            + self.past.bytes()
            + self.past_details.bytes()
            + self.past_details.iter().flatten().map(detail).sum::<usize>()
    }
}
