//! What becomes of observations before they are recorded: screened by the write policy, read by an extractor, their claims judged.
//!
//! Owns the order of these steps and what each observation is read with: the turns before it, what is believed. Writes nothing.

use super::ends;
use super::news::Believed;
use super::results::{Receipt, Tally};
use super::rulebook::Rulebook;
use crate::extract::{Context, Cost, Extraction, Extractor, OpenEnd, ReadyClaims, RejectedCandidate, Turn, author};
use crate::ledger::{ExtractionStatus, Record};
use crate::model::{Claim, Correction, Observation, ObservationId, Term};
use crate::observe::{Incoming, Rejection, identify};
use crate::policy::{Fate, Judged, Kept, Masked, Refused, Rules, Screen, Screened, judge};
use crate::resolve::named_by_owner;
use crate::time::Instant;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Whether an observation is prose that an extractor reads: its claims did not come in ready.
    pub(super) const fn reads_prose(incoming: &Incoming) -> bool {
        incoming.ready.is_empty() && incoming.observation.text.is_some()
    }

    /// Whether nothing of it is stored: the policy says so, or it had no text and none of its claims is taken, so that nothing is left.
    #[must_use]
    pub const fn is_withheld(&self) -> bool {
        matches!(self.fate, Fate::Nothing(_)) || (self.observation.text.is_none() && self.kept.is_empty())
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
    /// The last turns of a session up to an instant, oldest first: at least [`TURNS_BEFORE`] of them, where there are so many, beside one
    /// that is read again.
    fn tail(&mut self, session: &str, until: Instant) -> Vec<Recalled>;
}

/// A turn of a session, and where it stands.
pub(super) struct Recalled {
    pub(super) id: ObservationId,
    pub(super) at: Instant,
    pub(super) turn: Turn,
}

/// Screens, reads and judges a batch in its order. What comes earlier in it is known to what comes later, as if it were recorded.
pub(super) fn handle(
    incoming: Vec<Incoming>,
    rulebook: &Rulebook,
    extractor: &dyn Extractor,
    transcript: &mut dyn Transcript,
    believed: &mut Believed<'_>,
) -> Vec<Handling> {
    let mut screen = Screen::new(&rulebook.policy, &rulebook.consents);
    let screened: Vec<Screened> = incoming.into_iter().map(|one| screen.run(one)).collect();
    let contexts = turns_before(&screened, transcript);
    let prose = read_prose(&screened, &contexts, rulebook, extractor);
    // What ready claims weigh does not depend on what is believed.
    let weighs = prose.iter().any(Option::is_some);
    let rules = Rules::new(&rulebook.policy, &rulebook.relations, &rulebook.consents);
    let mut handled = Vec::with_capacity(screened.len());
    for (screened, extraction) in screened.into_iter().zip(prose) {
        let Screened { incoming, fate, masked, .. } = screened;
        let (line, ready) = (incoming.line, incoming.ready.len());
        let (mut observation, Extraction { claims, open, mut rejected, failure, cost }) = match extraction {
            Some(extraction) => (incoming.observation, extraction),
            None if fate == Fate::Facts => {
                ReadyClaims.extract_from(incoming, &Context { before: &[], relations: Some(&*rulebook.relations) })
            }
            None => (incoming.observation, Extraction::default()),
        };
        let mut claims: Vec<Claim> =
            if ready > 0 { claims } else { claims.into_iter().map(|claim| of_speaker(claim, &observation)).collect() };
        if weighs {
            believed.now_at(observation.observed_at.at);
            if ready == 0 {
                let open = open.into_iter().map(|end| OpenEnd { claim: of_speaker(end.claim, &observation), ..end }).collect();
                ends::bind(open, &mut claims, &mut rejected, believed);
            }
        }
        let Judged { kept, refused } = judge(claims, &observation, &rules, believed);
        if weighs {
            believed.add(kept.iter().map(|kept| &kept.claim));
        }
        if ready > 0 && kept.len() < ready {
            // The id is that of what is recorded, so that it can be held against it.
            let left: Vec<Claim> = kept.iter().map(|kept| kept.claim.clone()).collect();
            observation.id = identify(&observation, &left);
        }
        handled.push(Handling {
            line,
            observation,
            fate,
            masked,
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

/// The claim with whoever is named by being the speaker's ("my mother") under the speaker's name: others have mothers, too.
fn of_speaker(claim: Claim, observation: &Observation) -> Claim {
    let Some(owner) = author(observation) else { return claim };
    let owned = |term: Term| match term {
        Term::Name(name) => Term::Name(named_by_owner(&name, owner).unwrap_or(name)),
        Term::Iri(_) | Term::Blank(_) | Term::Literal(_) => term,
    };
    let corrects = claim.corrects.map(|corrects| match corrects {
        Correction::Tail(tail) => Correction::Tail(owned(tail)),
        Correction::Claim(_) => corrects,
    });
    Claim { head: owned(claim.head), tail: owned(claim.tail), corrects, ..claim }
}

/// The turns before each observation of a batch, of its session and observed no later: those of the batch, wherever in it they stand, and
/// those recorded before.
fn turns_before(screened: &[Screened], transcript: &mut dyn Transcript) -> Vec<Vec<Turn>> {
    let mut sessions: BTreeMap<&str, Vec<&Observation>> = BTreeMap::new();
    for one in screened {
        let observation = &one.incoming.observation;
        if let Some(session) = observation.session.as_deref() {
            sessions.entry(session).or_default().push(observation);
        }
    }
    let lines: BTreeMap<&str, Vec<Recalled>> =
        sessions.into_iter().map(|(session, turns)| (session, in_order(session, &turns, transcript))).collect();
    let before = |one: &Screened| {
        let Observation { id, session, observed_at, .. } = &one.incoming.observation;
        let turns = session.as_deref().and_then(|session| lines.get(session)).map_or(&[][..], Vec::as_slice);
        // Nothing that stands after it was said before it.
        let said = turns.partition_point(|turn| turn.at <= observed_at.at);
        let own = turns.get(..said).and_then(|turns| turns.iter().position(|turn| turn.id == *id)).unwrap_or(said);
        let last = turns.get(own.saturating_sub(TURNS_BEFORE)..own).unwrap_or_default();
        last.iter().map(|recalled| recalled.turn.clone()).collect()
    };
    screened.iter().map(before).collect()
}

/// The turns of a session that a batch brings, among those recorded around them: by their time, then as they came.
fn in_order(session: &str, brought: &[&Observation], transcript: &mut dyn Transcript) -> Vec<Recalled> {
    let times = brought.iter().map(|observation| observation.observed_at.at);
    let (Some(first), Some(last)) = (times.clone().min(), times.max()) else { return Vec::new() };
    let mut turns = transcript.tail(session, first);
    if first < last {
        let known: BTreeSet<ObservationId> = turns.iter().map(|turn| turn.id).collect();
        turns.extend(transcript.tail(session, last).into_iter().filter(|turn| !known.contains(&turn.id)));
    }
    let known: BTreeSet<ObservationId> = turns.iter().map(|turn| turn.id).collect();
    for Observation { id, observed_at, speaker, source, text, .. } in brought {
        if let Some(text) = text.as_ref().filter(|_| !known.contains(id)) {
            let turn = Turn { speaker: speaker.clone(), authority: source.authority, text: text.clone() };
            turns.push(Recalled { id: *id, at: observed_at.at, turn });
        }
    }
    turns.sort_by_key(|turn| turn.at);
    turns
}

/// What an extractor makes of each observation of prose that is to be read, all together; `None` for the others.
fn read_prose(screened: &[Screened], contexts: &[Vec<Turn>], rulebook: &Rulebook, extractor: &dyn Extractor) -> Vec<Option<Extraction>> {
    let readable: Vec<_> = screened.iter().map(|one| if Handling::reads_prose(&one.incoming) { one.readable() } else { None }).collect();
    let jobs = readable
        .iter()
        .zip(contexts)
        .filter_map(|(one, before)| Some((one.as_deref()?, Context { before, relations: Some(&*rulebook.relations) })));
    let mut read = extractor.extract_all(&jobs.collect::<Vec<_>>()).into_iter();
    readable.iter().map(|one| one.as_ref().map(|_| read.next().unwrap_or_default())).collect()
}

/// A batch as it is to be recorded, with what is told of each record once it is, and of what is not recorded.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub(super) records: Vec<Record>,
    /// One for each record.
    pub(super) tallies: Vec<Tally>,
    /// Which records are of prose; ready claims name what they mean.
    pub(super) prose: Vec<usize>,
    /// The ids of the batch in its order (of what is not stored, that of what is left of it), and what needs no writing.
    pub(super) receipt: Receipt,
}

impl Prepared {
    pub(super) fn with_capacity(observations: usize) -> Self {
        let receipt = Receipt { ids: Vec::with_capacity(observations), ..Receipt::default() };
        Self { records: Vec::with_capacity(observations), tallies: Vec::with_capacity(observations), prose: Vec::new(), receipt }
    }

    pub(super) fn of(handled: Vec<Handling>) -> Self {
        let mut prepared = Self::with_capacity(handled.len());
        prepared.take(handled);
        prepared
    }

    /// Adds what observations were handled to.
    pub(super) fn take(&mut self, handled: Vec<Handling>) {
        for one in handled {
            let tally = Tally::of(&one);
            self.receipt.ids.push(one.observation.id);
            self.receipt.cost = self.receipt.cost.plus(one.cost);
            for bad in one.rejected.iter().filter(|_| one.ready) {
                let reason = format!("claim {}: {}", bad.ordinal, bad.reason);
                self.receipt.reject(Rejection { line: one.line, field: bad.field.clone(), reason });
            }
            let ready = one.ready;
            if let Some(record) = one.into_record() {
                if !ready {
                    self.prose.push(self.records.len());
                }
                self.records.push(record);
                self.tallies.push(tally);
            } else {
                self.receipt.withheld += 1;
                self.receipt.account(tally);
            }
        }
    }
}
