//! Recall from a tenant: the index of its passages and names, kept in step with the ledger, and the questions put to it.
//!
//! Owns when the index is built and what it follows. Knows no ranking.

use super::shared::{Published, Shared};
use super::tenant::Tenant;
use super::{Error, Receipt};
use crate::graph::Snapshot;
use crate::ledger::{Ledger, Seq};
use crate::model::{Observation, ObservationId};
use crate::retrieve::{self, Names, Query, Recalled, Sources, Texts};
use crate::text::{Corpus, Passage};
use std::sync::{Arc, PoisonError};

/// From so many records on, what is new is read on a connection of its own, so that short readings need not wait.
const APART_FROM: u64 = 10_000;

/// What recall searches, as of a place in the ledger.
#[derive(Debug)]
pub(super) struct RecallIndex {
    /// The projection whose terms are numbered in `names`.
    lineage: Arc<()>,
    through: Seq,
    corpus: Corpus,
    names: Names,
}

impl RecallIndex {
    fn of(lineage: &Arc<()>) -> Self {
        Self { lineage: Arc::clone(lineage), through: 0, corpus: Corpus::new(), names: Names::new() }
    }

    fn is_current(&self, published: &Published) -> bool {
        Arc::ptr_eq(&self.lineage, &published.lineage) && self.through >= published.seq
    }

    /// Takes in what is new in the ledger, and lets go of what is erased.
    fn read(&mut self, ledger: &mut dyn Ledger, published: &Published) -> Result<(), Error> {
        let from = self.through + 1;
        let position = ledger.position()?.seq;
        if self.through > 0 && !ledger.erased_since(from)?.is_empty() {
            let Self { corpus, .. } = self;
            let left = left(ledger, &published.snapshot, position == published.seq)?;
            corpus.retain(left);
        }
        let corpus = &mut self.corpus;
        ledger.words(from, &mut |words| {
            corpus.add(&Passage {
                seq: words.seq,
                tx: words.tx,
                id: words.id,
                observed_at: words.observed_at,
                authority: words.authority,
                session: words.session,
                speaker: words.speaker,
                key: words.key,
                text: words.text,
            });
        })?;
        self.through = position.max(self.corpus.last_seq());
        Ok(())
    }
}

/// What tells whether an observation is still there: the snapshot where it is of the ledger's end, else the ledger.
fn left(ledger: &mut dyn Ledger, snapshot: &Snapshot, is_end: bool) -> Result<Box<dyn Fn(ObservationId) -> bool>, Error> {
    if is_end {
        let snapshot = snapshot.clone();
        return Ok(Box::new(move |id| snapshot.has_observation(id)));
    }
    let mut ids = std::collections::BTreeSet::new();
    ledger.observation_ids(&mut |_, id| {
        ids.insert(id);
    })?;
    Ok(Box::new(move |id| ids.contains(&id)))
}

/// Reads the words of observations from the ledger.
struct Read<'t>(&'t Shared);

impl Texts for Read<'_> {
    type Error = Error;

    fn observation(&mut self, id: ObservationId) -> Result<Option<Observation>, Error> {
        self.0.read(|ledger| Ok(ledger.observation(id)?.map(|stored| stored.observation)))
    }
}

impl Tenant {
    /// What an agent should be handed before it answers a question: facts and verbatim observations, the best first, each with an
    /// explanation; or nothing, where nothing that is known answers to it.
    ///
    /// Reads at the query's point of both times, now if it names none. Shows what was written before the call. The first call reads all
    /// texts into an index; a tenant that is never recalled from pays nothing for it.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    ///
    /// # Complexity
    /// Some milliseconds, whatever the size of the tenant; the first call is linear in its texts.
    ///
    /// ```
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::retrieve::{Item, Query};
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// let input = r#"
    ///     {"observed_at": "2024-05-01T09:00:00Z", "text": "We keep the spare keys in the blue tin.", "speaker": "Ana"}
    ///     {"observed_at": "2024-05-02T09:00:00Z", "text": "The herons are back on the pond.", "speaker": "Bo"}"#;
    /// ana.remember_all(Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?, Default::default())?;
    ///
    /// let recalled = ana.recall(&Query::new("Where are the spare keys?"))?;
    /// let Item::Observation(best) = &recalled.hits[0].item else { panic!("an observation") };
    /// assert_eq!(best.text.as_deref(), Some("We keep the spare keys in the blue tin."));
    ///
    /// assert!(ana.recall(&Query::new("What is the melting point of tungsten?"))?.knows_nothing());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recall(&self, query: &Query) -> Result<Recalled, Error> {
        let published = self.current()?;
        let view = published.snapshot.at(query.as_of.unwrap_or_else(|| self.now()));
        self.follow_recall(&published)?;
        let shared = self.shared();
        let index = shared.recall_index().read().unwrap_or_else(PoisonError::into_inner);
        let empty = RecallIndex::of(&published.lineage);
        let index = index.as_ref().unwrap_or(&empty);
        let sources =
            Sources { view: &view, corpus: &index.corpus, through: published.seq, names: &index.names, policies: &published.policies };
        retrieve::recall(sources, query, &mut Read(shared))
    }

    /// Brings the index of recall up to what is published.
    fn follow_recall(&self, published: &Published) -> Result<(), Error> {
        let shared = self.shared();
        let is_current = |index: &Option<RecallIndex>| index.as_ref().is_some_and(|index| index.is_current(published));
        if is_current(&shared.recall_index().read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(());
        }
        let mut held = shared.recall_index().write().unwrap_or_else(PoisonError::into_inner);
        if is_current(&held) {
            return Ok(());
        }
        if held.as_ref().is_some_and(|index| !Arc::ptr_eq(&index.lineage, &published.lineage)) {
            *held = None;
        }
        let index = held.get_or_insert_with(|| RecallIndex::of(&published.lineage));
        let outcome = if published.seq - index.through > APART_FROM {
            shared.read_apart(|ledger| index.read(ledger, published))
        } else {
            shared.read(|ledger| index.read(ledger, published))
        };
        index.names.follow(&published.snapshot.at(self.now()));
        if outcome.is_err() {
            // Rows may be in it that would be read again.
            *held = None;
        }
        outcome
    }

    /// Where there is an index of recall, takes a write into it at once, so that the next question need not.
    pub(super) fn written(&self) -> Result<(), Error> {
        if self.shared().recall_index().read().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Ok(());
        }
        match self.shared().loaded() {
            Some(published) => self.follow_recall(&published),
            None => Ok(()),
        }
    }

    /// What a write did, once recall knows of it too.
    pub(super) fn told(&self, receipt: Receipt) -> Result<Receipt, Error> {
        self.written()?;
        Ok(receipt)
    }
}
