//! What becomes of observations before they are recorded: screened by the write policy, read by an extractor, their claims judged.
//!
//! Owns the order of these steps and what each observation is read with: the turns before it, what is believed. Writes nothing.

use super::news::Believed;
use super::rulebook::Rulebook;
use crate::extract::{Context, Cost, Extraction, Extractor, ReadyClaims, RejectedCandidate, Turn};
use crate::ledger::{ExtractionStatus, Record};
use crate::model::{Claim, Observation, ObservationId};
use crate::observe::{Incoming, identify};
use crate::policy::{Fate, Judged, Kept, Masked, Refused, Rules, Screened, judge, screen};
use crate::time::Instant;
use std::collections::{BTreeMap, VecDeque};

/// So many turns before an observation are read with it.
pub(super) const TURNS_BEFORE: usize = 8;

/// What became of one observation. From it alone one can tell what is kept, what is masked and what is left out, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Handling {
    /// The first line of the input it came from, from 1; 0 where there are no lines.
    pub line: u64,
    /// The observation as it is stored; without its text where it is not.
    pub observation: Observation,
    /// Whether it is stored and read, stored only, or not stored.
    pub fate: Fate,
    /// What was masked in it.
    pub masked: Vec<Masked>,
    /// The claims to record, in the order they are said, with what their importance comes from.
    pub kept: Vec<Kept>,
    /// The claims that the policy does not take.
    pub refused: Vec<Refused>,
    /// The candidates that the extractor itself left out.
    pub rejected: Vec<RejectedCandidate>,
    /// Whether its claims came in ready.
    pub ready: bool,
    /// Whether the extractor could run.
    pub status: ExtractionStatus,
    /// What reading it cost.
    pub cost: Cost,
}

impl Handling {
    /// Whether nothing of it is stored.
    #[must_use]
    pub const fn is_withheld(&self) -> bool {
        matches!(self.fate, Fate::Nothing(_))
    }

    /// The claims to record, without what they weigh.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.kept.iter().map(|kept| &kept.claim)
    }

    /// What is recorded of it; `None` if nothing is.
    pub(super) fn into_record(self) -> Option<Record> {
        if self.is_withheld() {
            return None;
        }
        let claims = self.kept.into_iter().map(|kept| kept.claim).collect();
        Some(Record::Observation { observation: self.observation, claims, status: self.status })
    }
}

/// Where the turns before an observation are looked up that are not in its batch.
pub(super) trait Transcript {
    /// The last turns of a session up to an instant, oldest first, at most [`TURNS_BEFORE`].
    fn tail(&mut self, session: &str, until: Instant) -> Vec<(Instant, Turn)>;
}

/// Screens, reads and judges a batch in its order. What comes earlier in it is known to what comes later, as if it were recorded.
pub(super) fn handle(
    incoming: Vec<Incoming>,
    rulebook: &Rulebook,
    extractor: &dyn Extractor,
    transcript: &mut dyn Transcript,
    believed: &mut Believed<'_>,
) -> Vec<Handling> {
    let screened: Vec<Screened> = incoming.into_iter().map(|one| screen(one, &rulebook.policy, &rulebook.consents)).collect();
    let contexts = turns_before(&screened, transcript);
    let extractions = read(&screened, &contexts, rulebook, extractor);
    let rules = Rules::new(&rulebook.policy, &rulebook.relations, &rulebook.consents);
    let mut handled = Vec::with_capacity(screened.len());
    for (screened, extraction) in screened.into_iter().zip(extractions) {
        let Extraction { claims, rejected, failure, cost } = extraction;
        let mut observation = screened.incoming.observation;
        let ready = screened.incoming.ready.len();
        believed.now_at(observation.observed_at.at);
        let Judged { kept, refused } = judge(claims, &observation, &rules, believed);
        believed.add(kept.iter().map(|kept| &kept.claim));
        if ready > 0 && kept.len() < ready {
            // The id is that of what is recorded, so that it can be held against it.
            let left: Vec<Claim> = kept.iter().map(|kept| kept.claim.clone()).collect();
            observation.id = identify(&observation, &left);
        }
        handled.push(Handling {
            line: screened.incoming.line,
            observation,
            fate: screened.fate,
            masked: screened.masked,
            kept,
            refused,
            rejected,
            ready: ready > 0,
            status: ExtractionStatus::of(failure),
            cost,
        });
    }
    handled
}

/// The turns before each observation of a batch, of its session and observed no later: those of the batch, and those recorded before.
fn turns_before(screened: &[Screened], transcript: &mut dyn Transcript) -> Vec<Vec<Turn>> {
    let mut sessions: BTreeMap<&str, VecDeque<(Instant, Turn)>> = BTreeMap::new();
    screened
        .iter()
        .map(|one| {
            let Observation { session, observed_at, speaker, source, text, .. } = &one.incoming.observation;
            let Some(session) = session.as_deref() else { return Vec::new() };
            let turns = sessions.entry(session).or_insert_with(|| transcript.tail(session, observed_at.at).into());
            let before = turns.iter().filter(|(at, _)| *at <= observed_at.at).map(|(_, turn)| turn.clone()).collect();
            if let Some(text) = text {
                turns.push_back((observed_at.at, Turn { speaker: speaker.clone(), authority: source.authority, text: text.clone() }));
                if turns.len() > TURNS_BEFORE {
                    turns.pop_front();
                }
            }
            before
        })
        .collect()
}

/// What an extractor makes of each observation that is to be read: ready claims are only checked, prose is read together.
fn read(screened: &[Screened], contexts: &[Vec<Turn>], rulebook: &Rulebook, extractor: &dyn Extractor) -> Vec<Extraction> {
    let readable: Vec<_> = screened.iter().map(Screened::readable).collect();
    let jobs = readable.iter().zip(contexts).filter_map(|(one, before)| {
        let one = one.as_deref().filter(|one| one.ready.is_empty() && one.observation.text.is_some())?;
        Some((one, Context { before, relations: Some(&*rulebook.relations) }))
    });
    let mut read = extractor.extract_all(&jobs.collect::<Vec<_>>()).into_iter();
    let of = |one: Option<&Incoming>| match one {
        None => Extraction::default(),
        Some(one) if one.ready.is_empty() && one.observation.text.is_some() => read.next().unwrap_or_default(),
        Some(one) => ReadyClaims.extract(one, &Context::default()),
    };
    readable.iter().map(|one| one.as_deref()).map(of).collect()
}

/// The ids under which a batch is recorded, in its order; of what is not stored, that of what is left of it.
pub(super) fn ids(handled: &[Handling]) -> Vec<ObservationId> {
    handled.iter().map(|one| one.observation.id).collect()
}
