//! The writer's side: rows are staged, published one transaction after the other, forgotten, and judged anew under other policies.
//!
//! Owns the order of these steps. What a transaction changes in the facts is [`Settling`]'s to find out.

use super::Snapshot;
use super::adjacency::Change;
use super::belief::Beliefs;
use super::claims::{ClaimCodes, Kind, Row, Seen};
use super::intake::{Entry, Intake, Waiting};
use super::merged::Naming;
use super::relations::Relations;
use super::settle::{Scope, Settling, compare};
use super::slots::{Engines, Slot, stand};
use super::state::{Published, State, Step};
use super::terms::{Mention, Mentions};
use crate::ledger::{RecordRow, Retractable, Seq, Unions};
use crate::model::{Authority, ClaimId, ObservationId, TermRef};
use crate::policy::Policies;
use crate::time::Instant;
use std::sync::Arc;

/// A slot with more claims than this has an engine, if nothing else is said.
const LONG: usize = 128;

/// What a batch changed in the facts, counted over the latest state of belief.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Facts that did not exist before.
    pub opened: u64,
    /// Facts that were open (or new) and now end because another value superseded them, or because an end was told of them.
    pub closed: u64,
    /// Facts that had ended and are open again.
    pub reopened: u64,
    /// Facts that are contested now and were not before.
    pub contested: u64,
    /// Facts that hold over another time than before, or are no longer contested, and neither closed nor open again.
    pub changed: u64,
    /// Facts that are no longer known: nothing that is believed says them.
    pub withdrawn: u64,
    /// Corrections in the write that name nothing recorded so far. They still take belief from it should it be recorded later.
    pub unmet: u64,
}

impl Applied {
    /// The changes of two writes together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            opened: self.opened + other.opened,
            closed: self.closed + other.closed,
            reopened: self.reopened + other.reopened,
            contested: self.contested + other.contested,
            changed: self.changed + other.changed,
            withdrawn: self.withdrawn + other.withdrawn,
            unmet: self.unmet + other.unmet,
        }
    }
}

/// The writer's side of the projection of one tenant: a pure function of the rows it was given and of the policies.
///
/// The order and the batches in which observations came do not show in the latest facts; each belief is dated by the
/// transaction that brought it.
#[derive(Debug)]
pub struct Projection {
    state: State,
    codes: ClaimCodes,
    beliefs: Beliefs,
    engines: Engines,
    /// How many claims a slot may have without an engine.
    long: usize,
    /// Retractions and restorations staged: transaction and claims named.
    told: Vec<(u32, Vec<u32>)>,
    /// Rows that wait to be recorded.
    intake: Intake,
    mentions: Mentions,
    /// Scratch space of the intake.
    found: Vec<u32>,
    /// The observation last staged.
    current: Option<(ObservationId, u32, Authority)>,
    last_seq: Seq,
    merging: Merging,
}

/// What the writer keeps of merges.
#[derive(Debug, Default)]
struct Merging {
    /// The merges that stand, by terms.
    unions: Unions<u32>,
    /// The terms whose canonical one may have changed in the transaction at hand.
    changed: Vec<u32>,
    /// The places of merges and their ends, in order.
    places: Vec<Seq>,
    naming: Naming,
    /// The claims below this number are filed as the merges have it.
    filed_to: u32,
}

impl Projection {
    /// An empty projection under these policies.
    #[must_use]
    pub fn new(policies: Arc<Policies>) -> Self {
        Self {
            state: State::new(Relations::new(policies)),
            codes: ClaimCodes::default(),
            beliefs: Beliefs::default(),
            engines: Engines::default(),
            long: LONG,
            told: Vec::new(),
            intake: Intake::default(),
            mentions: Mentions::default(),
            found: Vec::new(),
            current: None,
            last_seq: 0,
            merging: Merging::default(),
        }
    }

    /// The same projection, that keeps an engine for each slot with more than so many claims (128 if nothing is said).
    ///
    /// An engine takes memory and makes a write into its slot cheap; what follows from the rows does not depend on it.
    #[must_use]
    pub fn with_engines_above(mut self, claims: usize) -> Self {
        self.long = claims;
        self
    }

    /// Stages one row; nothing of it can be read before [`Projection::publish`]. Rows come in sequence order.
    ///
    /// Only observations, claims, beliefs and merges matter here: policies are set by [`Projection::set_policies`], and what was erased
    /// is named to [`Projection::forget`]. A claim of an observation that was never given, a belief in something that was never given, and
    /// a merge that does not fit those before it, are passed over.
    pub fn stage(&mut self, row: RecordRow<'_>) {
        match row {
            RecordRow::Observation { seq, tx, id, observed_at, authority } => {
                self.last_seq = seq;
                self.intake.entries.push(Entry::Observation { tx, id, observed_at, authority });
            }
            RecordRow::Claim {
                seq,
                tx,
                id,
                head,
                relation,
                tail,
                polarity,
                span,
                seen_at,
                confidence,
                importance,
                context,
                corrects_claim: corrects,
                corrects_tail,
            } => {
                self.last_seq = seq;
                let stated = match self.state.relations.find(relation) {
                    Some(stated) => stated,
                    None => Arc::make_mut(&mut self.state.relations).intern(relation),
                };
                let context = context.map_or(0, |name| self.state.claims.context_number(&mut self.codes, name));
                let (head, tail) = (self.intake.mention(head), self.intake.mention(tail));
                let corrected = corrects_tail.map(|tail| self.intake.mention(tail));
                let waiting =
                    Waiting { tx, id, head, tail, corrected, stated, context, polarity, span, seen_at, confidence, importance, corrects };
                self.intake.entries.push(Entry::Claim(self.intake.claims.len()));
                self.intake.claims.push(waiting);
            }
            RecordRow::Belief { seq, tx, target, believed } => {
                self.last_seq = seq;
                self.intake.entries.push(Entry::Belief { tx, target, believed });
            }
            RecordRow::Merge { seq, tx, from, into, merged } => {
                self.last_seq = seq;
                self.merging.places.push(seq);
                let (from, into) = (self.intake.mention(from), self.intake.mention(into));
                self.intake.entries.push(Entry::Merge { tx, from, into, merged });
            }
            RecordRow::Policy { seq, .. }
            | RecordRow::Erasure { seq, .. }
            | RecordRow::Setting { seq, .. }
            | RecordRow::Extraction { seq, .. } => self.last_seq = seq,
        }
        if self.intake.is_full() {
            self.take_in();
        }
    }

    /// Derives every slot that staged rows touch, one transaction after the other; later snapshots see it.
    pub fn publish(&mut self) -> Applied {
        self.take_in();
        self.refile();
        self.state.terms.count(&mut self.mentions);
        let told = std::mem::take(&mut self.told);
        let next = self.state.published.claims;
        let first = if next < self.state.claims.len() { self.state.claims.tx_of(next) } else { self.state.claims.txs() };
        let first = told.first().map_or(first, |(tx, _)| first.min(*tx));
        let mut applied = Applied::default();
        self.replay(first, next, told, &mut applied);
        let unmet = self.beliefs.correctors_from(next).filter(|claim| self.beliefs.hit_by(&self.state, *claim).is_empty());
        applied.unmet = unmet.count() as u64;
        applied
    }

    /// Makes a relation known although no claim that is staged has it.
    pub fn know_relation(&mut self, stated: &str) {
        if self.state.relations.find(stated).is_none() {
            Arc::make_mut(&mut self.state.relations).intern(stated);
        }
    }

    /// Displays a term in this form although the claims staged say otherwise, or none mentions it; until another claim mentions it.
    pub fn show(&mut self, term: TermRef<'_>) {
        self.take_in();
        self.state.terms.count(&mut self.mentions);
        self.state.terms.show(term, &mut self.mentions);
    }

    /// Whether the observation is staged or published, and not forgotten.
    #[must_use]
    pub fn has_observation(&self, id: ObservationId) -> bool {
        self.state.claims.observation(id).is_some()
    }

    /// How many claims of an observation are staged or published: the ordinal that its next one has.
    pub fn claims_of(&mut self, id: ObservationId) -> u32 {
        self.take_in();
        let claims = self.state.claims.observation(id).map_or(0, |observation| self.state.claims.claims_of(observation).count());
        u32::try_from(claims).unwrap_or(u32::MAX)
    }

    /// Whether a merge or its end was staged with one of these places. A projection cannot forget those: it is to be made anew where they
    /// are erased.
    #[must_use]
    pub fn has_merge_at(&self, places: &[Seq]) -> bool {
        places.iter().any(|place| self.merging.places.binary_search(place).is_ok())
    }

    /// Forgets erased observations with their claims, in every belief state; derives what they touched anew, as if they had never been.
    ///
    /// # Complexity
    /// Linear in the claims of the slots that are touched, history included.
    pub fn forget(&mut self, observations: &[ObservationId]) -> Applied {
        self.take_in();
        self.refile();
        let before = self.state.clone();
        let gone: Vec<u32> = observations.iter().filter_map(|id| self.state.claims.observation(*id)).collect();
        let claims: Vec<u32> = gone.iter().flat_map(|observation| self.state.claims.claims_of(*observation)).collect();
        // What stands in a slot with an erased claim, or with one that an erased claim took belief from.
        let hit = claims.iter().flat_map(|claim| self.beliefs.hit_by(&self.state, *claim));
        let touched: Vec<u32> = claims.iter().copied().chain(hit).flat_map(|claim| self.state.merged.rows_of(claim)).collect();
        let mut group = self.fellows(&touched);
        for claim in &group {
            for slot in self.state.slots_of_claim(*claim) {
                self.engines.remove(&slot);
            }
        }
        Settling::new(&mut self.state, &mut self.codes, &mut self.engines, self.long).withdraw(&group);
        for claim in &claims {
            let corrected = self.beliefs.corrected_tail(*claim);
            self.beliefs.forget(&self.state, *claim);
            self.erase_claim(*claim, corrected);
        }
        for observation in gone {
            self.beliefs.forget_observation(observation);
            self.state.claims.erase_observation(observation);
        }
        self.current = None;
        let known = group.clone();
        group.retain(|claim| self.state.claims.row(*claim).is_some());
        for claim in &group {
            self.set_steps(*claim);
        }
        // Their facts change with those claims, too, that share another slot with them.
        let concerned = self.fellows(&group);
        let mut settling = Settling::new(&mut self.state, &mut self.codes, &mut self.engines, self.long);
        settling.go_through(&concerned, Some(&group), &mut Applied::default());
        compare(&before, &self.state, &known)
    }

    /// Changes the policies and derives everything anew.
    pub fn set_policies(&mut self, policies: Arc<Policies>) -> Applied {
        self.publish();
        let before = self.state.clone();
        let state = State::new(self.state.relations.under(policies));
        let State { terms, claims, merged, published, .. } = std::mem::replace(&mut self.state, state);
        (self.state.terms, self.state.claims, self.state.merged, self.state.published) = (terms, claims, merged, published);
        self.beliefs.dismiss();
        self.engines.clear();
        for claim in 0..self.state.claims.len() {
            self.orient(claim);
        }
        self.replay(0, 0, self.all_told(), &mut Applied::default());
        let claims: Vec<u32> = (0..self.state.claims.len()).collect();
        compare(&before, &self.state, &claims)
    }

    /// The last sequence number staged.
    #[must_use]
    pub fn last_seq(&self) -> Seq {
        self.last_seq
    }

    /// An immutable snapshot of what is published: cheap, and never moved by later writes.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.state.clone())
    }

    /// The policies in force.
    #[must_use]
    pub fn policies(&self) -> &Arc<Policies> {
        self.state.relations.policies()
    }

    /// Records what waits, in order.
    fn take_in(&mut self) {
        let intake = std::mem::take(&mut self.intake);
        self.state.terms.fetch(&intake.mentions, &self.mentions, &mut self.found);
        self.state.claims.fetch(intake.entries.iter().filter_map(|entry| match entry {
            Entry::Observation { id, .. } => Some(*id),
            Entry::Claim(_) | Entry::Belief { .. } | Entry::Merge { .. } => None,
        }));
        for entry in &intake.entries {
            match entry {
                Entry::Observation { tx, id, observed_at, authority } => {
                    self.begin(*tx);
                    self.current = Some((*id, self.state.claims.observe(*id, *observed_at, *authority), *authority));
                }
                Entry::Claim(at) => {
                    if let Some(waiting) = intake.claims.get(*at) {
                        self.record(waiting, &intake);
                    }
                }
                Entry::Belief { tx, target, believed } => {
                    let tx = self.begin(*tx);
                    self.record_belief(tx, *target, *believed);
                }
                Entry::Merge { tx, from, into, merged } => {
                    self.begin(*tx);
                    let mut hold = |at| self.state.terms.hold(at, &intake, &mut self.mentions);
                    let (from, into) = (hold(*from), hold(*into));
                    self.record_merge(from, into, *merged);
                }
            }
        }
        self.intake = intake;
        self.intake.clear();
    }

    fn record(&mut self, waiting: &Waiting, intake: &Intake) {
        let Some((observation, authority)) = self.observation_of(waiting.id) else { return };
        self.begin(waiting.tx);
        let claim = self.state.claims.len();
        let mut mention = |at, mention| self.state.terms.mention(at, intake, claim, mention, &mut self.mentions);
        let (head, tail) = (mention(waiting.head, Mention::Head), mention(waiting.tail, Mention::Tail));
        let corrected = waiting.corrected.map(|tail| mention(tail, Mention::Corrected));
        let packed = self.state.claims.shapes.pack(&mut self.codes.shapes, waiting.span.start(), waiting.span.end());
        let seen = match waiting.seen_at {
            None => Seen::Never,
            Some(seen_at) if seen_at == self.state.claims.observed_at(observation) => Seen::Observed,
            Some(_) => Seen::Apart,
        };
        let turned = self.is_turned(waiting.stated, head, tail);
        let (head, tail) = if turned { (tail, head) } else { (head, tail) };
        let kind = Kind {
            stated: waiting.stated,
            code: packed.code,
            context: waiting.context,
            polarity: waiting.polarity,
            seen,
            authority,
            turned,
            literal: intake.is_literal(waiting.tail),
            confidence: waiting.confidence.to_bits(),
            importance: waiting.importance.to_bits(),
        };
        let kind = self.state.claims.kind_number(&mut self.codes, kind);
        let row = Row { start: packed.start, end: packed.end, head, tail, kind, observation };
        self.state.claims.push(row, waiting.id.ordinal, waiting.seen_at.filter(|_| seen == Seen::Apart));
        self.beliefs.note(claim, waiting.corrects, corrected);
    }

    /// The observation that a claim belongs to, and its rank; `None` if it was never given, or if the claim was given before.
    fn observation_of(&self, id: ClaimId) -> Option<(u32, Authority)> {
        let (observation, authority) = match self.current {
            Some((current, number, authority)) if current == id.observation => (number, authority),
            _ => {
                let number = self.state.claims.observation(id.observation)?;
                (number, self.state.claims.authority(number))
            }
        };
        let next = self.state.claims.is_next(observation, id.ordinal);
        if !next && self.state.claims.find(id).is_some() { None } else { Some((observation, authority)) }
    }

    fn record_belief(&mut self, tx: u32, target: Retractable, believed: bool) {
        let recorded = self.state.claims.len();
        match target {
            Retractable::Claim(id) => {
                let Some(claim) = self.state.claims.find(id) else { return };
                self.beliefs.tell_claim(claim, recorded, tx, believed);
                self.told.push((tx, vec![claim]));
            }
            Retractable::Observation(id) => {
                let Some(observation) = self.state.claims.observation(id) else { return };
                self.beliefs.tell_observation(observation, recorded, tx, believed);
                self.told.push((tx, self.state.claims.claims_of(observation).collect()));
            }
        }
    }

    /// The transaction of a row, new or not. What the merges make of the one before is complete then.
    fn begin(&mut self, tx: Instant) -> u32 {
        if !self.merging.places.is_empty() && self.state.claims.is_later(tx) {
            self.refile();
        }
        self.state.claims.tx(tx)
    }

    fn record_merge(&mut self, from: u32, into: u32, merged: bool) {
        let unions = &mut self.merging.unions;
        let fits = if merged { unions.merge(from, into) } else { unions.unmerge(&from, &into) };
        if fits.is_ok() {
            self.merging.changed.extend(unions.below(&from));
        }
    }

    /// Files the claims that name merged terms as it is after the last transaction.
    fn refile(&mut self) {
        let Some(tx) = self.state.claims.txs().checked_sub(1).filter(|_| !self.merging.places.is_empty()) else { return };
        let mut changed = std::mem::take(&mut self.merging.changed);
        let unions = &self.merging.unions;
        changed.retain(|term| self.state.merged.set(*term, tx, *unions.canonical(term)));
        let State { claims, merged, .. } = &self.state;
        let mut affected = if changed.is_empty() { Vec::new() } else { self.merging.naming.claims(claims, merged, &changed) };
        let is_merged = |term: u32| merged.canonical(term, u32::MAX) != term;
        let names = |claim: &u32| claims.row(*claim).is_some_and(|row| is_merged(row.head) || is_merged(row.tail));
        affected.extend((self.merging.filed_to..claims.len()).filter(|claim| !merged.is_further(*claim)).filter(names));
        affected.sort_unstable();
        affected.dedup();
        changed.sort_unstable();
        let corrected = if changed.is_empty() { Vec::new() } else { self.beliefs.corrected_tails() };
        let is_changed = |(_, tail): &(u32, u32)| changed.binary_search(tail).is_ok();
        let mut named: Vec<u32> = corrected.into_iter().filter(is_changed).map(|(claim, _)| claim).collect();
        named.extend(affected.into_iter().filter(|claim| self.refile_claim(*claim, tx)));
        if !named.is_empty() {
            self.told.push((tx, named));
        }
        self.merging.filed_to = self.state.claims.len();
    }

    /// Files a claim under the terms that its head and tail now are; says whether that is elsewhere than before.
    fn refile_claim(&mut self, claim: u32, tx: u32) -> bool {
        let stated = |row: u32| {
            let (row, kind, _) = self.state.claim(row)?;
            Some(if kind.turned { (row.tail, row.head) } else { (row.head, row.tail) })
        };
        let Some((head, tail)) = stated(claim) else { return false };
        let canonical = |term| self.state.merged.canonical(term, u32::MAX);
        let wanted = (canonical(head), canonical(tail));
        let old = self.state.merged.row_at(claim, u32::MAX);
        if stated(old) == Some(wanted) {
            return false;
        }
        let known = self.state.merged.rows_of(claim).find(|row| stated(*row) == Some(wanted));
        let Some(new) = known.or_else(|| self.add_row(claim, wanted)) else { return false };
        self.state.merged.refile(claim, tx, old, new);
        true
    }

    /// Adds a row of a claim under another head and tail than it states.
    fn add_row(&mut self, claim: u32, (head, tail): (u32, u32)) -> Option<u32> {
        let (row, kind, _) = self.state.claim(claim)?;
        let turned = self.is_turned(kind.stated, head, tail);
        let (head, tail) = if turned { (tail, head) } else { (head, tail) };
        let kind = self.state.claims.kind_number(&mut self.codes, Kind { turned, ..kind });
        Some(self.state.claims.push_further(claim, Row { head, tail, kind, ..row }))
    }

    /// Everything that was told of belief and of where claims are filed: transaction and claims named, in transaction order.
    fn all_told(&self) -> Vec<(u32, Vec<u32>)> {
        let mut told = self.beliefs.told(&self.state.claims);
        let merged = &self.state.merged;
        told.extend(merged.filings().flat_map(|(row, steps)| steps.iter().map(move |step| (step.tx, vec![merged.origin(row)]))));
        let corrected = if merged.is_empty() { Vec::new() } else { self.beliefs.corrected_tails() };
        for (claim, tail) in corrected {
            told.extend(merged.history(tail).iter().map(|since| (since.tx, vec![claim])));
        }
        told.sort_unstable();
        told
    }

    /// Brings in the claims from number `next` on and what was told of belief, one transaction after the other from `first` on.
    fn replay(&mut self, first: u32, mut next: u32, told: Vec<(u32, Vec<u32>)>, applied: &mut Applied) {
        if next == 0 {
            self.state.terms.pack();
            self.state.claims.pack();
            self.open(applied);
            return self.mark_published();
        }
        let mut told = told.into_iter().peekable();
        for tx in first..self.state.claims.txs() {
            let until = self.state.claims.recorded_by(tx + 1);
            let mut named = Vec::new();
            while let Some((_, claims)) = told.next_if(|(of, _)| *of == tx) {
                named.extend(claims);
            }
            self.transact(tx, next..until, &named, applied);
            next = until;
        }
        self.mark_published();
    }

    /// Brings in all claims there are, where no fact is derived yet: what is believed when is set for all of them before any slot is told.
    fn open(&mut self, applied: &mut Applied) {
        let claims = 0..self.state.claims.len();
        let mut changes = Vec::with_capacity(claims.len());
        for claim in claims.clone() {
            self.stand(claim, &mut changes);
        }
        self.state.standings.apply(&mut changes);
        drop(changes);
        if !self.beliefs.is_empty() || !self.state.merged.is_empty() {
            for claim in claims.clone() {
                self.beliefs.enlist(&self.state, claim);
            }
            for row in self.doubted(claims) {
                self.set_steps(row);
            }
        }
        let mut settling = Settling::new(&mut self.state, &mut self.codes, &mut self.engines, self.long);
        let left = settling.begin(applied);
        settling.go_through(&left, None, applied);
    }

    /// All rows of the claims that may be doubted, or are filed anew, because of what has come in with these rows.
    fn doubted(&self, rows: impl Iterator<Item = u32>) -> Vec<u32> {
        let merged = &self.state.merged;
        let mut doubted = Vec::new();
        for claim in rows.map(|row| merged.origin(row)) {
            if merged.is_refiled(claim) || self.beliefs.concerns(&self.state, claim) {
                doubted.push(claim);
            }
            doubted.extend(self.beliefs.hit_by(&self.state, claim));
        }
        doubted.sort_unstable();
        doubted.dedup();
        doubted.into_iter().flat_map(|claim| merged.rows_of(claim)).collect()
    }

    /// The claims that share a slot with one of these, these included, in number order.
    fn fellows(&self, claims: &[u32]) -> Vec<u32> {
        let slots = claims.iter().flat_map(|claim| self.state.slots_of_claim(*claim));
        let mut slots: Vec<Slot> = slots.collect();
        slots.sort_unstable();
        slots.dedup();
        let mut fellows: Vec<u32> = slots.into_iter().flat_map(|slot| self.state.members(slot)).collect();
        fellows.sort_unstable();
        fellows.dedup();
        fellows
    }

    /// Records the claims of one transaction in the slots, sets what is believed, and derives what changed.
    fn transact(&mut self, tx: u32, claims: std::ops::Range<u32>, named: &[u32], applied: &mut Applied) {
        let fresh = claims.start;
        let mut changes = Vec::with_capacity(claims.len());
        for claim in claims.clone() {
            self.stand(claim, &mut changes);
        }
        self.state.standings.apply(&mut changes);
        let mut touched: Vec<u32> = claims.clone().collect();
        let mut moves = false;
        if !self.beliefs.is_empty() || !self.state.merged.is_empty() {
            for claim in claims {
                self.beliefs.enlist(&self.state, claim);
            }
            for claim in named.iter().filter(|_| !self.state.merged.is_empty()) {
                self.beliefs.enlist_anew(&self.state, *claim);
            }
            for row in self.doubted(touched.iter().chain(named).copied()) {
                let changed = self.set_steps(row);
                let steps = self.state.steps.get(row);
                // An earlier transaction may have seen this step coming.
                if changed || steps.is_some_and(|steps| steps.iter().any(|step| step.tx == tx)) {
                    touched.push(row);
                }
                moves |= self.state.merged.filed(row).iter().any(|step| step.tx == tx);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let scope = Scope { tx, fresh, only: None };
        let settling = Settling::new(&mut self.state, &mut self.codes, &mut self.engines, self.long);
        settling.moving(moves).settle(&touched, scope, applied);
    }

    /// Sets when what a row says is believed: while its claim is, and is filed there; says whether that changed.
    fn set_steps(&mut self, claim: u32) -> bool {
        let believed = self.beliefs.steps(&self.state, self.state.merged.origin(claim));
        let filed = self.state.merged.filed(claim);
        let steps = if filed.is_empty() { believed } else { both(&believed, filed) };
        let before = self.state.steps.get(claim);
        if before.map_or(&[][..], |steps| steps) == steps {
            return false;
        }
        if steps.is_empty() {
            self.state.steps.remove(claim);
        } else {
            self.state.steps.set(claim, steps.into());
        }
        true
    }

    /// Puts a claim where its slots look for it.
    fn stand(&self, claim: u32, changes: &mut Vec<Change<u64>>) {
        let Some((row, _, relation)) = self.state.claim(claim) else { return };
        changes.push(Change { term: row.head, entry: stand(true, relation, row.tail, claim), put: true });
        if self.state.relations.standing(relation).is_some_and(super::relations::Standing::lists_tails) {
            changes.push(Change { term: row.tail, entry: stand(false, relation, row.head, claim), put: true });
        }
    }

    /// Whether a claim with this head and tail, as stated, is turned.
    fn is_turned(&self, stated: u32, head: u32, tail: u32) -> bool {
        let (canonical, inverted) = self.state.relations.canonical(stated);
        let symmetric = self.state.relations.standing(canonical).is_some_and(|standing| standing.symmetric);
        if symmetric { self.state.terms.cmp(tail, head).is_lt() } else { inverted }
    }

    /// Turns a claim as the policies now have it.
    fn orient(&mut self, claim: u32) {
        let Some((row, kind, _)) = self.state.claim(claim) else { return };
        let (head, tail) = if kind.turned { (row.tail, row.head) } else { (row.head, row.tail) };
        if self.is_turned(kind.stated, head, tail) != kind.turned {
            self.state.claims.turn(&mut self.codes, claim);
        }
    }

    fn erase_claim(&mut self, claim: u32, corrected: Option<u32>) {
        let Some((row, kind, _)) = self.state.claim(claim) else { return };
        for further in self.state.merged.forget(claim) {
            self.erase_row(further);
        }
        let (head, tail) = if kind.turned { (row.tail, row.head) } else { (row.head, row.tail) };
        self.state.terms.release(head, claim, Mention::Head, &mut self.mentions);
        self.state.terms.release(tail, claim, Mention::Tail, &mut self.mentions);
        if let Some(corrected) = corrected {
            self.state.terms.release(corrected, claim, Mention::Corrected, &mut self.mentions);
        }
        self.state.terms.unsay(claim);
        self.erase_row(claim);
    }

    fn erase_row(&mut self, row: u32) {
        let mut changes = Vec::with_capacity(2);
        self.stand(row, &mut changes);
        for change in &mut changes {
            change.put = false;
        }
        self.state.standings.apply(&mut changes);
        self.state.steps.remove(row);
        self.state.claims.erase(row);
    }

    fn mark_published(&mut self) {
        self.state.published = Published {
            terms: u32::try_from(self.state.terms.len()).unwrap_or(u32::MAX),
            relations: u32::try_from(self.state.relations.len()).unwrap_or(u32::MAX),
            claims: self.state.claims.len(),
            txs: self.state.claims.txs(),
        };
    }
}

/// When both of two things are so, each true before its first step.
fn both(left: &[Step], right: &[Step]) -> Vec<Step> {
    let mut txs: Vec<u32> = left.iter().chain(right).map(|step| step.tx).collect();
    txs.sort_unstable();
    txs.dedup();
    let at = |steps: &[Step], tx: u32| steps.iter().rfind(|step| step.tx <= tx).is_none_or(|step| step.believed);
    let mut before = true;
    let steps = txs.into_iter().map(|tx| Step { tx, believed: at(left, tx) && at(right, tx) });
    steps.filter(|step| std::mem::replace(&mut before, step.believed) != step.believed).collect()
}
