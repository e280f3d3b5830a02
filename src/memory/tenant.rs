//! One tenant as its users hold it: the handle every read and write goes through, and the order of the steps of each.
//!
//! Knows no file and no lock.

use super::bulk::{self, BulkOptions};
use super::cold::Asked;
use super::engine::{Failed, Loaded, Written, overrides};
use super::entities::{self, Meant};
use super::folder::MemoryState;
use super::intake::{self, Handling, Prepared, Recalled, TURNS_BEFORE, Transcript};
use super::mentions::{self, Mentions};
use super::news::Believed;
use super::results::{Beliefs, EraseTarget, Erased, Named, Receipt, Stats, Told, Verification, Why, WhySource};
use super::rulebook::Rulebook;
use super::shared::{Published, Shared};
use super::transfer::{self, Import, JsonLines};
use super::{Error, TenantId, verify, words};
use crate::extract::rules::Explanation as Reading;
use crate::extract::{Context, Extractor, Turn};
use crate::graph::{Applied, Explanation, ReadError, Snapshot, View};
use crate::ledger::{ClaimEnd, Doomed, Ledger, LedgerError, Record, Retractable, StoredObservation, StoredRecord};
use crate::model::{ClaimId, FactId, Observation, ObservationId, Term};
use crate::observe::{Incoming, Rejection};
use crate::policy::Policies;
use crate::time::{AsOf, Instant, KnownAt, Moment};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::sync::Arc;

/// One tenant: the handle every read and write goes through. A clone is another handle on the same tenant; handles may be used
/// from several threads at once.
///
/// # Who sees what, and who waits
/// A write is durable before it is acknowledged, and seen by every read that begins after that, in this process and in others.
/// Nothing is seen before it is durable. Writers of one tenant wait for each other. A read waits for no writer's disk: while a write
/// of its own process is under way it answers from the state before it, which holds all that others had written when that write began.
/// (Only where nobody has read since the last write may a read have to wait until a small batch is derived, in memory.)
/// A [`View`] never moves, whatever is written or erased later.
///
/// A write that fails changes nothing, and reads go on. After a failure that leaves it open what reached the disk, further writes
/// are refused with [`Poisoned`](crate::ledger::LedgerError::Poisoned) until the memory is opened anew.
#[derive(Clone, Debug)]
pub struct Tenant {
    memory: Arc<MemoryState>,
    shared: Arc<Shared>,
}

impl Tenant {
    pub(super) const fn new(memory: Arc<MemoryState>, shared: Arc<Shared>) -> Self {
        Self { memory, shared }
    }

    /// Which tenant it is.
    #[must_use]
    pub fn id(&self) -> &TenantId {
        self.shared.id()
    }

    /// Records observations with the claims extracted from them: one ledger transaction with one transaction time, then every slot
    /// they touch is derived. All or nothing; an observation that is there already is skipped, and counted.
    ///
    /// The receipt lists candidate claims that could not be taken; their observation is recorded without them, under the id of what is
    /// left. Creates the tenant.
    ///
    /// # Errors
    /// [`Error::Ledger`]; nothing of the batch is recorded then.
    ///
    /// # Complexity
    /// Linear in the observations, plus what it takes to derive the touched slots anew.
    ///
    /// ```
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// let input = r#"
    ///     {"observed_at": "2020-02-01T09:00:00Z", "head": "Ana", "relation": "employer", "tail": "Acme", "from": "2020-01"}
    ///     {"observed_at": "2023-06-02T09:00:00Z", "head": "Ana", "relation": "employer", "tail": "Globex", "from": "2023-06"}"#;
    /// let incoming = || -> Result<Vec<_>, erstwhile::observe::ReadError> {
    ///     Ok(Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    /// };
    ///
    /// let receipt = ana.remember(incoming()?)?;
    /// assert_eq!((receipt.observations, receipt.claims), (2, 2));
    /// assert_eq!(receipt.applied.closed, 1); // Globex ended Acme.
    ///
    /// let again = ana.remember(incoming()?)?;
    /// assert!(again.changed_nothing());
    /// assert_eq!(again.duplicates, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remember(&self, incoming: Vec<Incoming>) -> Result<Receipt, Error> {
        self.record(&mut self.prepare(incoming)?)
    }

    /// All of [`Tenant::remember`] but the writing.
    pub(super) fn prepare(&self, mut incoming: Vec<Incoming>) -> Result<Prepared, Error> {
        let (extractor, rulebook) = (self.extractor()?, self.rulebook()?);
        if incoming.iter().any(Handling::reads_prose) {
            return Ok(Prepared::of(self.handle_by(&rulebook, incoming, &*extractor)?));
        }
        // What comes in ready depends on nothing beside it: a few at a time, while they are near at hand.
        let mut prepared = Prepared::with_capacity(incoming.len());
        let mut rest = incoming.drain(..);
        loop {
            let few: Vec<Incoming> = rest.by_ref().take(AT_ONCE).collect();
            if few.is_empty() {
                return Ok(prepared);
            }
            prepared.take(self.handle_by(&rulebook, few, &*extractor)?);
        }
    }

    /// What [`Tenant::remember`] would make of a batch: what is kept of it, masked, left out, and why. Writes nothing.
    ///
    /// # Errors
    /// As [`Tenant::remember`].
    ///
    /// ```
    /// use erstwhile::model::{Authority, ObservationKind, Source};
    /// use erstwhile::time::ZonedInstant;
    /// use erstwhile::{Incoming, Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// let user = Source { authority: Authority::User, name: Some("Ana".to_owned()) };
    /// let at = ZonedInstant::parse("2024-05-01T09:00:00Z")?;
    /// let turn = Incoming::from_text(ObservationKind::Chat, at, user, "My card is 4111 1111 1111 1111.");
    ///
    /// let preview = ana.preview(vec![turn])?;
    /// assert_eq!(preview[0].observation.text.as_deref(), Some("My card is [card]."));
    /// assert!(ana.stats().is_err(), "nothing was written");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn preview(&self, incoming: Vec<Incoming>) -> Result<Vec<Handling>, Error> {
        self.handle(incoming, &*self.extractor()?)
    }

    /// How the extractor in force reads an observation, word by word, with the patterns that fired and what was left out; `None` where it
    /// cannot tell. Writes nothing.
    ///
    /// # Errors
    /// As [`Tenant::remember`].
    pub fn explain_extraction(&self, incoming: &Incoming) -> Result<Option<Reading>, Error> {
        let rulebook = self.rulebook()?;
        let context = Context { before: &[], relations: Some(&*rulebook.relations) };
        Ok(self.extractor()?.explain(incoming, &context))
    }

    /// Screens, reads and judges a batch by the rules in force.
    pub(super) fn handle(&self, incoming: Vec<Incoming>, extractor: &dyn Extractor) -> Result<Vec<Handling>, Error> {
        self.handle_by(&self.rulebook()?, incoming, extractor)
    }

    fn handle_by(&self, rulebook: &Rulebook, incoming: Vec<Incoming>, extractor: &dyn Extractor) -> Result<Vec<Handling>, Error> {
        let snapshot = if incoming.iter().any(Handling::reads_prose) { self.snapshot_if_there()? } else { None };
        let mut believed = Believed::new(snapshot.as_ref(), &rulebook.relations);
        let mut transcript = Recorded { tenant: self, failed: None };
        let handled = intake::handle(incoming, rulebook, extractor, &mut transcript, &mut believed);
        match transcript.failed {
            Some(error) => Err(error),
            None => Ok(handled),
        }
    }

    /// The state that is read now; `None` where the tenant does not exist yet.
    fn snapshot_if_there(&self) -> Result<Option<Snapshot>, Error> {
        match self.snapshot() {
            Ok(snapshot) => Ok(Some(snapshot)),
            Err(Error::Ledger(LedgerError::UnknownTenant { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Records a batch.
    pub(super) fn record(&self, prepared: &mut Prepared) -> Result<Receipt, Error> {
        let mut receipt = std::mem::take(&mut prepared.receipt);
        let Prepared { records, tallies, prose, .. } = prepared;
        if records.is_empty() {
            return Ok(receipt);
        }
        let (Written { commit, applied }, fresh) = self.write(true, |loaded, ledger, now, let_go| {
            let read = prose.iter().filter_map(|at| {
                let Some(Record::Observation { observation, claims, .. }) = records.get(*at) else { return None };
                (!loaded.projection.has_observation(observation.id)).then_some(claims)
            });
            let mentioned = entities::mentioned(read.flatten(), &loaded.policies);
            let Meant { merges, fresh } = entities::meant(mentioned, loaded, ledger)?;
            receipt.merged = u64::try_from(merges.len()).unwrap_or(u64::MAX);
            records.extend(merges);
            Ok((loaded.append(ledger, records, now, let_go)?, fresh))
        })?;
        receipt.doubts = self.doubts(&fresh)?;
        receipt.doubts.truncate(Receipt::MAX_LISTED);
        for ((record, tally), seq) in records.iter().zip(tallies.drain(..)).zip(&commit.seqs) {
            match (record, seq) {
                (Record::Observation { claims, status, .. }, Some(_)) => {
                    receipt.observations += 1;
                    receipt.claims += u64::try_from(claims.len()).unwrap_or(u64::MAX);
                    receipt.pending += u64::from(status.failure().is_some());
                    receipt.account(tally);
                }
                _ => receipt.duplicates += 1,
            }
        }
        receipt.applied = applied;
        receipt.tx = (receipt.observations > 0).then_some(commit.tx);
        self.told(receipt)
    }

    /// Records a long input in batches, each as [`Tenant::remember`] does: memory stays bounded, and what is acknowledged to
    /// `progress` is durable.
    ///
    /// Every line that can be taken is taken. A bad line is counted and listed in the receipt (the first
    /// [`Receipt::MAX_LISTED`] of them) and never keeps a good one out, before it or after it: whoever wants to treat an incomplete
    /// input as a failure asks [`Receipt::is_complete`], mends the lines and feeds the whole input again.
    ///
    /// # Errors
    /// [`Error::Interrupted`] where a batch cannot be written: the receipt in it tells what the batches before it did. Feeding the same
    /// input again goes on from there, since what is recorded already is skipped.
    pub fn remember_all<I>(&self, input: I, options: BulkOptions<'_>) -> Result<Receipt, Error>
    where
        I: IntoIterator<Item = Result<Incoming, Rejection>>,
    {
        bulk::remember_all(self, input.into_iter(), options)
    }

    /// Valid time now, everything known.
    #[must_use]
    pub fn now(&self) -> AsOf {
        AsOf { valid_at: Moment::exact(self.shared.now()), known_at: KnownAt::Latest }
    }

    /// The memory read at one point of both times. The view stands still: it holds what was recorded when it was taken.
    ///
    /// # Errors
    /// [`UnknownTenant`](crate::ledger::LedgerError::UnknownTenant) if the tenant does not exist.
    ///
    /// # Complexity
    /// Constant once the tenant is loaded, plus what others have written since; the first read loads the whole tenant.
    ///
    /// ```
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
    /// use erstwhile::{Memory, TenantId, Term};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let kai = Memory::open(folder.path())?.tenant(&TenantId::new("kai")?);
    /// let input = r#"{"observed_at": "2024-05-01T09:00:00Z", "head": "Kai", "relation": "lives_in", "tail": "Oslo", "from": "2015"}
    ///                {"observed_at": "2024-05-01T09:00:00Z", "head": "Kai", "relation": "lives_in", "tail": "Turin", "from": "2018-09"}"#;
    /// let incoming = Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
    /// kai.remember(incoming.into_iter().flatten().collect())?;
    ///
    /// let in_2016 = AsOf { valid_at: parse_moment("2016", &Zone::UTC)?, known_at: KnownAt::Latest };
    /// let answer = kai.at(in_2016)?.values(&Term::Name("Kai".to_owned()), "lives_in")?;
    /// assert_eq!(answer.facts[0].fact.tail, Term::Name("Oslo".to_owned()));
    /// assert_eq!(answer.suppressed, 1); // Turin is known, and does not hold then.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, as_of: AsOf) -> Result<View, Error> {
        Ok(self.snapshot()?.at(as_of))
    }

    /// The state that is read now: many views of it, at different points of both times, see the same records.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        Ok(self.current()?.snapshot)
    }

    /// A view for one question about `entity` (and `relation`, at either end of it), cheap from cold: where the tenant is not loaded, only
    /// what `values`, `holders`, `timeline`, `about` and `explain` about it touch is read. They answer as they would on [`Tenant::at`];
    /// questions about anything else are not to be asked of it.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    ///
    /// # Complexity
    /// From cold, linear in the claims of the slots in the answer, however many claims name its entities elsewhere; a question that would
    /// touch most of the tenant loads it.
    pub fn at_slot(&self, as_of: AsOf, entity: &Term, relation: Option<&str>) -> Result<View, Error> {
        self.at_asked(as_of, &Asked { entity: entity.clone(), relation: relation.map(str::to_owned), end: None })
    }

    /// The same for a question about what `head` has for the relation: `values` and `timeline`, and `explain` for their facts. Who has
    /// `head` for it is not read.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn at_values(&self, as_of: AsOf, head: &Term, relation: &str) -> Result<View, Error> {
        self.at_asked(as_of, &Asked { entity: head.clone(), relation: Some(relation.to_owned()), end: Some(ClaimEnd::Head) })
    }

    /// The same for a question about who has `tail` for the relation: `holders`, and `explain` for its facts. What `tail` has for it is
    /// not read.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn at_holders(&self, as_of: AsOf, relation: &str, tail: &Term) -> Result<View, Error> {
        self.at_asked(as_of, &Asked { entity: tail.clone(), relation: Some(relation.to_owned()), end: Some(ClaimEnd::Tail) })
    }

    fn at_asked(&self, as_of: AsOf, asked: &Asked) -> Result<View, Error> {
        if self.shared.loaded().is_none()
            && let Some(snapshot) = self.shared.sliced(asked)?
        {
            return Ok(snapshot.at(as_of));
        }
        self.at(as_of)
    }

    /// Why a fact holds or ended, with the sentences that say so. Any claim of the fact names it.
    ///
    /// # Errors
    /// [`ReadError::UnknownFact`]; as [`Tenant::at`].
    ///
    /// ```
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::{Memory, TenantId, Term};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// let input = r#"{"observed_at": "2020-02-01T09:00:00Z", "text": "I joined Acme.", "head": "Ana", "relation": "employer", "tail": "Acme", "from": "2020-01"}
    ///                {"observed_at": "2023-06-02T09:00:00Z", "text": "I am at Globex now.", "head": "Ana", "relation": "employer", "tail": "Globex", "from": "2023-06"}"#;
    /// let incoming = Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
    /// ana.remember(incoming.into_iter().flatten().collect())?;
    ///
    /// let timeline = ana.at(ana.now())?.timeline(&Term::Name("Ana".to_owned()), Some("employer"))?;
    /// let why = ana.why(ana.now(), timeline[0].id)?;
    /// let words: Vec<&str> = why.sources.iter().map(|source| source.words.as_str()).collect();
    /// assert_eq!(words, ["I joined Acme.", "I am at Globex now."]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn why(&self, as_of: AsOf, fact: FactId) -> Result<Why, Error> {
        let view = if self.shared.loaded().is_some() {
            self.at(as_of)?
        } else {
            let stored = self.shared.read(|ledger| Ok(ledger.observation(fact.0.observation)?))?;
            let claim = stored.as_ref().and_then(|stored| claim_of(stored, fact.0)).ok_or(ReadError::UnknownFact(fact))?;
            self.at_values(as_of, &claim.head, &claim.relation)?
        };
        let explanation = view.explain(fact)?;
        let sources = self.sources(&explanation)?;
        Ok(Why { explanation, sources })
    }

    /// What a claim says and what was told of the belief in it, whether it is believed now or not.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such claim; as [`Tenant::at`].
    ///
    /// ```
    /// use erstwhile::ledger::Retractable;
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// let input = r#"{"observed_at": "2020-02-01T09:00:00Z", "text": "I joined Acme.", "head": "Ana", "relation": "employer", "tail": "Acme"}"#;
    /// let incoming = Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
    /// let id = ana.remember(incoming.into_iter().flatten().collect())?.ids[0];
    /// ana.retract(Retractable::Observation(id), "she never signed")?;
    ///
    /// let beliefs = ana.beliefs(ana.find_claim(&id.to_string())?)?;
    /// assert_eq!(beliefs.source.words, "I joined Acme.");
    /// assert_eq!((beliefs.told[0].believed, beliefs.told[0].because.as_str()), (false, "she never signed"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn beliefs(&self, claim: ClaimId) -> Result<Beliefs, Error> {
        let (stored, beliefs) =
            self.shared.read(|ledger| Ok((ledger.observation(claim.observation)?, ledger.beliefs(claim.observation)?)))?;
        let missing = || Error::NotFound { what: "claim", name: claim.to_string() };
        let observation = stored.ok_or_else(missing)?;
        let said = claim_of(&observation, claim).ok_or_else(missing)?.clone();
        let words = words::sentence(&observation, &said);
        let told = |record: StoredRecord| {
            let StoredRecord::Belief { tx, target, believed, because, .. } = record else { return None };
            let whole = matches!(target, Retractable::Observation(_));
            (whole || target == Retractable::Claim(claim)).then_some(Told { tx, believed, whole, because })
        };
        let told = beliefs.into_iter().filter_map(told).collect();
        Ok(Beliefs { claim: said, source: WhySource { claim, observation, words }, told })
    }

    /// The claims behind an explanation with their observations, each once.
    fn sources(&self, explanation: &Explanation) -> Result<Vec<WhySource>, Error> {
        let noted = explanation.notes.iter().filter_map(|(_, claim)| *claim);
        let behind = explanation.fact.supported_by.iter().copied().chain(explanation.ended_by).chain(noted);
        let mut seen = BTreeSet::new();
        let mut sources = Vec::new();
        for claim in behind {
            if !seen.insert(claim) {
                continue;
            }
            // Erased since the view was taken: there is nothing left to quote.
            let Some(observation) = self.shared.read(|ledger| Ok(ledger.observation(claim.observation)?))? else { continue };
            let Some(said) = claim_of(&observation, claim) else { continue };
            let words = words::sentence(&observation, said);
            sources.push(WhySource { claim, observation, words });
        }
        Ok(sources)
    }

    /// The one claim whose id begins so: the beginning of an observation's id where that has one claim, or that with a dot and the
    /// claim's ordinal. Any claim of a fact names the fact.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Ambiguous`].
    pub fn find_claim(&self, prefix: &str) -> Result<ClaimId, Error> {
        let (digits, ordinal) = match prefix.split_once('.') {
            Some((digits, ordinal)) => (digits, Some(ordinal)),
            None => (prefix, None),
        };
        let found = self.shared.read(|ledger| {
            let mut found = Vec::new();
            for id in ledger.observations_by_prefix(digits, MOST_FOUND)? {
                let claims = ledger.observation(id)?.map_or(0, |stored| stored.claims.len());
                let claims = (0..u32::try_from(claims).unwrap_or(u32::MAX)).map(|ordinal| ClaimId { observation: id, ordinal });
                found.extend(claims.filter(|claim| ordinal.is_none_or(|wanted| wanted == claim.ordinal.to_string())));
            }
            Ok(found)
        })?;
        only_one("claim", prefix, &found)
    }

    /// The one observation whose key is exactly so, or whose id begins so. What is shorter than six digits is a key where
    /// it is one: only from there on could it have been meant as an id.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Ambiguous`].
    pub fn find_observation(&self, prefix_or_key: &str) -> Result<ObservationId, Error> {
        let found = self.shared.read(|ledger| {
            let mut found = ledger.observations_by_key(prefix_or_key)?;
            if found.is_empty() || prefix_or_key.len() >= KEY_LIKE_ID {
                found.extend(ledger.observations_by_prefix(prefix_or_key, MOST_FOUND)?);
                found.sort_unstable();
                found.dedup();
            }
            Ok(found)
        })?;
        only_one("observation", prefix_or_key, &found)
    }

    /// For each observation the shortest form of its id, of at least so many digits, that [`Tenant::find_observation`] takes for it
    /// alone; in the order given.
    ///
    /// # Errors
    /// [`Error::Ledger`].
    pub fn short_ids(&self, ids: &[ObservationId], digits: usize) -> Result<Vec<String>, Error> {
        let lengths = self.shared.read(|ledger| Ok(ledger.short_ids(ids, digits)?))?;
        let shortened = ids.iter().zip(lengths).map(|(id, length)| {
            let mut written = id.to_string();
            written.truncate(length);
            written
        });
        Ok(shortened.collect())
    }

    /// An observation in full.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn observation(&self, id: ObservationId) -> Result<StoredObservation, Error> {
        let stored = self.shared.read(|ledger| Ok(ledger.observation(id)?))?;
        stored.ok_or_else(|| Error::NotFound { what: "observation", name: id.to_string() })
    }

    /// Ends the transaction time of a claim or of an observation's claims: "we were wrong". What was believed until now can still be
    /// read at an earlier `known_at`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was never recorded, or is erased.
    pub fn retract(&self, target: Retractable, because: &str) -> Result<Applied, Error> {
        self.believe(target, Record::Retract { target, because: because.to_owned() })
    }

    /// Believes again what was retracted or corrected.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was never recorded, or is erased.
    pub fn restore(&self, target: Retractable, because: &str) -> Result<Applied, Error> {
        self.believe(target, Record::Restore { target, because: because.to_owned() })
    }

    fn believe(&self, target: Retractable, record: Record) -> Result<Applied, Error> {
        let id = match target {
            Retractable::Claim(claim) => claim.observation,
            Retractable::Observation(observation) => observation,
        };
        let written = self.write(false, |loaded, ledger, now, let_go| {
            let stored = ledger.observation(id).map_err(Error::from)?;
            let named = match target {
                Retractable::Claim(claim) => stored.as_ref().and_then(|stored| claim_of(stored, claim)).map(|_| ()),
                Retractable::Observation(_) => stored.as_ref().map(|_| ()),
            };
            if named.is_none() {
                let (what, name) = match target {
                    Retractable::Claim(claim) => ("claim", claim.to_string()),
                    Retractable::Observation(observation) => ("observation", observation.to_string()),
                };
                return Err(Error::NotFound { what, name }.into());
            }
            loaded.append(ledger, &[record], now, let_go)
        })?;
        Ok(written.applied)
    }

    /// Removes observations physically, with every claim, retraction, index entry and byte of them in the tenant's files; every
    /// slot they stood in is derived anew, so that what they had closed is open again. A fact that others support stays with those.
    ///
    /// [`EraseTarget::Entity`] names an observation if
    /// - a claim of it has the entity as its head, its tail or the tail it corrects, or its name as the relation, in any spelling;
    /// - its text, speaker, role, session, source or key, or a literal, an IRI, a blank node's label or the named graph of a claim, holds
    ///   the name as whole words: no letter or digit right before or after it (except in scripts that do not set words apart).
    ///
    /// Spellings are one where they differ in compatibility forms, case, or what joins the words: white space, hyphens and dashes, low
    /// lines, apostrophes, middle dots. An IRI is told from other IRIs by identity, and looked for in all other texts. Nothing names a
    /// blank node but itself.
    ///
    /// So "Ana" takes with it what says "ANA's dog", and not what says "Anabel". Whoever is known by two names is erased by both, and
    /// another entity whose name contains this one ("Ana's dog" as a head) stays, and is told of in [`Erased::others`].
    ///
    /// An entity is erased under all its names: what names one that it is merged with, in either direction and over any steps, by merges
    /// that stand, names the entity; and every merge, undone or not, that names one of them goes. What was believed under an erased merge
    /// can no longer be read.
    ///
    /// A merge that follows from a name alone ([`bare_name`](crate::resolve::bare_name)) goes with the last observation that mentions the
    /// name.
    ///
    /// Words that stand beside observations are cleaned: the reason of a retraction, restoration, merge or failed extraction that names the
    /// entity is emptied; of policy overrides, those in force and those of history, every description, wording or relation that names it is
    /// taken out, and an override of a relation so named is removed; a setting whose text names it loses the text, and one whose name does
    /// is removed. [`Tenant::naming`] tells beforehand.
    ///
    /// A [`View`] taken before keeps what it holds until it is dropped.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is nothing to erase, and no earlier erasure that was incomplete and is complete now
    /// ([`Erased::completed`]); [`Error::Pack`] where the overrides would contradict each other without the
    /// words that name the entity (nothing is erased then); [`ErasureIncomplete`](crate::ledger::LedgerError::ErasureIncomplete) where the
    /// records are gone but bytes may remain in the files until the call is repeated, because somebody reads an older state.
    pub fn erase(&self, target: &EraseTarget) -> Result<Erased, Error> {
        let erased = self.write(false, |loaded, ledger, now, _let_go| {
            let Mentions { doomed, overrides, settings, others, .. } = match target {
                EraseTarget::Observation(id) => {
                    let records = entities::left_alone(ledger, *id)?;
                    Mentions { doomed: Doomed { observations: vec![*id], records, ..Doomed::default() }, ..Mentions::default() }
                }
                EraseTarget::Entity(entity) => mentions::of(ledger, entity)?,
            };
            let (removed, applied) = loaded.erase(ledger, &doomed, now)?;
            let completed = removed.completed || self.shared.take_completed();
            if removed.seq.is_none() && completed {
                return Ok(Erased { completed, ..Erased::default() });
            }
            if removed.seq.is_none() {
                let (what, name) = match target {
                    EraseTarget::Observation(id) => ("observation", id.to_string()),
                    EraseTarget::Entity(entity) => ("entity", entity.to_string()),
                };
                return Err(Error::NotFound { what, name }.into());
            }
            let observations = u64::try_from(removed.observations.len()).unwrap_or(u64::MAX);
            Ok(Erased {
                observations,
                claims: removed.claims,
                reasons: removed.reasons,
                overrides,
                settings,
                merges: removed.merges,
                others,
                completed,
                applied,
            })
        })?;
        self.written()?;
        Ok(erased)
    }

    /// Completes an erasure that was incomplete, if one is; says whether one was, and is complete since this handle's memory was opened.
    ///
    /// # Errors
    /// [`ErasureIncomplete`](crate::ledger::LedgerError::ErasureIncomplete) where somebody still reads an older state.
    pub fn complete_erasure(&self) -> Result<bool, Error> {
        self.write(false, |loaded, ledger, now, _let_go| {
            let (removed, _nothing) = loaded.erase(ledger, &Doomed::default(), now)?;
            Ok(removed.completed || self.shared.take_completed())
        })
    }

    /// What names an entity: what [`Tenant::erase`] of it would remove, and what it would leave.
    ///
    /// # Errors
    /// As [`Tenant::erase`], but for [`Error::NotFound`]: of what nothing names, the result is empty.
    pub fn naming(&self, entity: &Term) -> Result<Named, Error> {
        let Mentions { doomed, overrides, settings, merges, names, others } =
            self.shared.read_apart(|ledger| mentions::of(ledger, entity))?;
        let reasons = u64::try_from(doomed.reasons.len()).unwrap_or(u64::MAX);
        Ok(Named { observations: doomed.observations, reasons, overrides, settings, merges, names, others })
    }

    /// The policies in force.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn policies(&self) -> Result<Arc<Policies>, Error> {
        match self.shared.loaded() {
            Some(_) => Ok(self.current()?.policies),
            None => self.shared.read(|ledger| Ok(Arc::new(overrides(ledger)?))),
        }
    }

    /// Sets or removes an override (TOML body of one relation's table; `*` is every unknown relation). It is in force at every point of
    /// transaction time: facts are derived anew, and no claim is lost. Setting one creates the tenant.
    ///
    /// # Errors
    /// [`Error::Pack`] naming the field; nothing is changed then.
    pub fn set_policy(&self, relation: &str, toml: Option<&str>) -> Result<Applied, Error> {
        self.set_policies(&[(relation, toml)])
    }

    /// Sets or removes several overrides at once, in this order, as [`Tenant::set_policy`] does each; only the outcome has to agree with
    /// itself, so relations that name each other can be declared together.
    ///
    /// # Errors
    /// As [`Tenant::set_policy`]; nothing is changed then.
    pub fn set_policies(&self, given: &[(&str, Option<&str>)]) -> Result<Applied, Error> {
        // Nonsense must not create a tenant.
        let mut known = match self.policies() {
            Err(Error::Ledger(LedgerError::UnknownTenant { .. })) => Policies::shipped(),
            known => (*known?).clone(),
        };
        known.set_together(given.iter().copied())?;
        // Nor must taking away what cannot be there.
        self.write(given.iter().any(|(_, toml)| toml.is_some()), |loaded, ledger, now, _let_go| {
            (*loaded.policies).clone().set_together(given.iter().copied()).map_err(Error::from)?;
            let record = |(relation, toml): &(&str, Option<&str>)| Record::Policy {
                relation: (*relation).to_owned(),
                toml: toml.map(str::to_owned),
            };
            // Everything is derived anew: readers keep what they have until then.
            loaded.append(ledger, &given.iter().map(record).collect::<Vec<_>>(), now, &|| {})?;
            // Read back, because others may have set one in between.
            let policies = overrides(ledger)?;
            Ok(loaded.set_policies(Arc::new(policies)))
        })
    }

    /// Counts.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn stats(&self) -> Result<Stats, Error> {
        let current = self.current()?;
        let holdings = self.shared.read(|ledger| Ok(ledger.holdings()?))?;
        let counts = current.snapshot.counts();
        Ok(Stats {
            observations: counts.observations,
            claims: counts.claims,
            retracted: counts.unbelieved,
            facts: counts.facts,
            open: counts.open,
            contested: counts.contested,
            entities: counts.entities,
            relations: counts.relations,
            unknown_relations: counts.unknown_relations,
            bytes_on_disk: holdings.bytes,
            bytes_in_memory: counts.bytes,
        })
    }

    /// Checks the ledger, that every observation with its claims is what its id was made of, and that the projection equals a rebuild.
    ///
    /// # Errors
    /// [`Error::Ledger`] if the ledger cannot be read at all; what is wrong in it is in the result.
    ///
    /// # Complexity
    /// Reads and derives the whole tenant once more, beside the projection that is loaded.
    pub fn verify(&self) -> Result<Verification, Error> {
        verify::verify(self)
    }

    /// Writes every record as JSON lines, with both times (docs/FORMAT.md, "Export"): one consistent state, whatever is written
    /// meanwhile. Returns how many records.
    ///
    /// # Errors
    /// [`Error::Ledger`]; [`Error::Stream`] if `out` fails.
    pub fn export(&self, out: &mut dyn Write) -> Result<u64, Error> {
        self.shared.read_apart(|ledger| transfer::export(ledger, self.id(), &mut JsonLines { out }))
    }

    /// Reads an export into this tenant, which must be empty; recorded places and times are restored. All or nothing. Returns how
    /// many records. Creates the tenant, but not where a line is bad.
    ///
    /// # Errors
    /// [`Error::BadImport`] naming every bad line; [`Error::NotEmpty`]; [`Error::Stream`] if `input` fails; [`Error::Ledger`].
    pub fn import(&self, input: &mut dyn BufRead) -> Result<u64, Error> {
        self.restore_export(Import::begin(input, self.shared.now())?)
    }

    /// Reads an export, whatever form its lines have.
    pub(super) fn restore_export(&self, mut import: Import<'_>) -> Result<u64, Error> {
        self.write(true, |loaded, ledger, _now, _let_go| {
            if loaded.seq > 0 {
                let tenant = self.id().as_str().to_owned();
                return Err(Error::NotEmpty { tenant, records: loaded.seq }.into());
            }
            let count = match ledger.import(&mut || import.next()) {
                Ok(count) => count,
                Err(said) => return Err(import.refusal(said).into()),
            };
            loaded.follow(ledger, None)?;
            Ok(count)
        })
    }

    /// The state that readers read now.
    pub(super) fn current(&self) -> Result<Published, Error> {
        self.memory.note_use(&self.shared);
        let was_loaded = self.shared.loaded().is_some();
        let current = self.shared.current()?;
        if !was_loaded {
            self.memory.make_room(&self.shared);
        }
        Ok(current)
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// What reads prose here.
    pub(super) fn extractor(&self) -> Result<Arc<dyn Extractor>, Error> {
        self.reads_by(self.memory.extractor())
    }

    pub(super) fn append(&self, create: bool, records: &[Record]) -> Result<Written, Error> {
        self.write(create, |loaded, ledger, now, let_go| loaded.append(ledger, records, now, let_go))
    }

    pub(super) fn write<T>(
        &self,
        create: bool,
        work: impl FnOnce(&mut Loaded, &mut dyn Ledger, Instant, &dyn Fn()) -> Result<T, Failed>,
    ) -> Result<T, Error> {
        self.memory.note_use(&self.shared);
        let outcome = self.shared.write(create, |loaded, ledger, now, let_go| work(loaded, ledger, now, let_go));
        self.memory.make_room(&self.shared);
        outcome
    }
}

/// The turns that the ledger has. What it cannot read is told when the batch is through.
struct Recorded<'t> {
    tenant: &'t Tenant,
    failed: Option<Error>,
}

impl Transcript for Recorded<'_> {
    fn tail(&mut self, session: &str, until: Instant) -> Vec<Recalled> {
        match self.tenant.shared.read(|ledger| Ok(ledger.session_tail(session, until, TURNS_BEFORE + 1)?)) {
            Ok(observations) => observations.into_iter().filter_map(recalled).collect(),
            Err(Error::Ledger(LedgerError::UnknownTenant { .. })) => Vec::new(),
            Err(error) => {
                self.failed.get_or_insert(error);
                Vec::new()
            }
        }
    }
}

fn recalled(observation: Observation) -> Option<Recalled> {
    let Observation { id, observed_at, source, speaker, text, .. } = observation;
    Some(Recalled { id, at: observed_at.at, turn: Turn { speaker, authority: source.authority, text: text? } })
}

/// How many ids that begin alike are told apart before one gives up.
const MOST_FOUND: usize = 1_000;

/// So many observations whose claims came in ready are prepared together.
pub(super) const AT_ONCE: usize = 1_024;

/// From so many digits on, a key that an id begins with too could have been meant as that id.
const KEY_LIKE_ID: usize = 6;

/// How many of them an error lists.
const MOST_LISTED: usize = 4;

fn only_one<T: Copy + ToString>(what: &'static str, asked: &str, found: &[T]) -> Result<T, Error> {
    match found {
        [] => Err(Error::NotFound { what, name: asked.to_owned() }),
        [one] => Ok(*one),
        several => Err(Error::Ambiguous {
            prefix: asked.to_owned(),
            count: several.len(),
            first: several.iter().take(MOST_LISTED).map(T::to_string).collect(),
        }),
    }
}

fn claim_of(stored: &StoredObservation, id: ClaimId) -> Option<&crate::model::Claim> {
    stored.claims.get(usize::try_from(id.ordinal).ok()?).map(|(_, _, claim)| claim)
}
