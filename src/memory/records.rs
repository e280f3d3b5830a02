//! What a tenant is told beside observations: which entities are one, its settings, and what is read later of observations that wait.
//!
//! Knows no entity that is merely similar, no setting's meaning and no extractor.

use super::entities::{self, Meant};
use super::intake::Prepared;
use super::tenant::Tenant;
use super::{Error, Receipt};
use crate::extract::{Context, Extractor, ReadyClaims, Unavailable};
use crate::graph::Applied;
use crate::ledger::{ExtractionStatus, Ledger, Merge, PendingObservation, Record};
use crate::model::{Claim, ObservationId, Term};
use crate::observe::{Incoming, Rejection};

impl Tenant {
    /// Makes two entities one from this transaction on: `from` is another name of `into`, whose facts are told under the latter's name.
    ///
    /// What was said under either name, or will be, competes as if said of one entity; facts keep their ids, claims the names they state.
    /// At an earlier `known_at` the two are still apart. Entities that were merged into `from` before are merged with it. Either may be one
    /// that nothing is known of yet. Creates the tenant.
    ///
    /// # Errors
    /// [`Error::Ledger`] with a [`MergeError`](crate::ledger::MergeError): the two are one entity already, by their spelling or because
    /// `into` is merged into `from`; `from` is merged into something else; one of them is a literal. [`Error::Term`] for a name that can be
    /// none. Nothing is changed then.
    ///
    /// # Complexity
    /// Linear in the claims that name `from`, plus what it takes to derive their slots anew. The first merge sorts all claims by name once.
    ///
    /// ```
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::{Memory, TenantId, Term};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let tenant = Memory::open(folder.path())?.tenant(&TenantId::new("t")?);
    /// let input = r#"{"observed_at": "2024-05-01T09:00:00Z", "head": "Bob", "relation": "lives_in", "tail": "Oslo", "from": "2015"}
    ///                {"observed_at": "2024-05-01T09:00:00Z", "head": "Robert Lund", "relation": "lives_in", "tail": "Turin", "from": "2018"}"#;
    /// tenant.remember(Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())?;
    ///
    /// let (bob, robert) = (Term::Name("Bob".to_owned()), Term::Name("Robert Lund".to_owned()));
    /// let apart = tenant.at(tenant.now())?;
    /// assert_eq!(apart.values(&bob, "lives_in")?.facts[0].fact.tail.to_string(), "Oslo");
    ///
    /// let applied = tenant.merge(&bob, &robert, "he signs as both")?;
    /// assert_eq!(applied.closed, 1, "moving to Turin ended living in Oslo");
    /// let one = tenant.at(tenant.now())?;
    /// assert_eq!(one.values(&bob, "lives_in")?.facts[0].fact.tail.to_string(), "Turin");
    /// assert_eq!(one.names(&bob)?, [robert.clone(), bob.clone()]);
    ///
    /// tenant.unmerge(&bob, &robert, "two people after all")?;
    /// assert_eq!(tenant.at(tenant.now())?.values(&bob, "lives_in")?.facts, apart.values(&bob, "lives_in")?.facts.into_iter().map(|mut held| {
    ///     held.fact.tx_from = tenant.merges().unwrap()[0].undone.clone().unwrap().0; // Believed again from then on.
    ///     held
    /// }).collect::<Vec<_>>());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&self, from: &Term, into: &Term, because: &str) -> Result<Applied, Error> {
        from.check()?;
        into.check()?;
        let record = Record::Merge { from: from.clone(), into: into.clone(), because: because.to_owned() };
        Ok(self.append(true, &[record])?.applied)
    }

    /// Undoes a merge: from this transaction on the two are apart, each with what was said of it and of those merged into it. What is
    /// believed is what would be, had they never been merged.
    ///
    /// # Errors
    /// [`Error::Ledger`] with [`MergeError::Apart`](crate::ledger::MergeError::Apart) if `from` is not merged into `into` itself;
    /// as [`Tenant::at`].
    pub fn unmerge(&self, from: &Term, into: &Term, because: &str) -> Result<Applied, Error> {
        let record = Record::Unmerge { from: from.clone(), into: into.clone(), because: because.to_owned() };
        Ok(self.append(false, &[record])?.applied)
    }

    /// Every merge, in the order recorded, with why, since when, and whether and when it was undone. Names are as they were given.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn merges(&self) -> Result<Vec<Merge>, Error> {
        self.shared().read(|ledger| Ok(ledger.merges()?))
    }

    /// Sets a text under a name, or removes it. What it means is its readers' to know; the last one counts, and no fact changes. Setting one
    /// creates the tenant. Says whether that changed anything.
    ///
    /// # Errors
    /// [`Error::Term`] for a name without anything visible in it, or with control characters; [`Error::Ledger`].
    ///
    /// ```
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let tenant = Memory::open(folder.path())?.tenant(&TenantId::new("t")?);
    /// assert!(tenant.set_setting("consent.health", Some("given 2024-05-01"))?);
    /// assert!(!tenant.set_setting("consent.health", Some("given 2024-05-01"))?, "it is so already");
    /// assert_eq!(tenant.setting("consent.health")?.as_deref(), Some("given 2024-05-01"));
    ///
    /// tenant.set_setting("consent.health", None)?;
    /// assert_eq!((tenant.setting("consent.health")?, tenant.settings()?.len()), (None, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_setting(&self, name: &str, value: Option<&str>) -> Result<bool, Error> {
        Term::Name(name.to_owned()).check()?;
        self.write(value.is_some(), |loaded, ledger, now, let_go| {
            if ledger.setting(name).map_err(Error::from)?.as_deref() == value {
                return Ok(false);
            }
            let record = Record::Setting { name: name.to_owned(), value: value.map(str::to_owned) };
            loaded.append(ledger, &[record], now, let_go)?;
            Ok(true)
        })
    }

    /// The text set under a name, by whichever process; `None` where there is none.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    ///
    /// # Complexity
    /// One look-up in the ledger.
    pub fn setting(&self, name: &str) -> Result<Option<String>, Error> {
        self.shared().read(|ledger| Ok(ledger.setting(name)?))
    }

    /// Every setting with its text, in name order.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn settings(&self) -> Result<Vec<(String, String)>, Error> {
        self.shared().read(|ledger| Ok(ledger.settings()?))
    }

    /// Records observations as [`Tenant::remember`] does, with the claims that came ready, although an extractor that should have read more
    /// from them could not run: they are there and can be searched, and wait for [`Tenant::record_extraction`].
    ///
    /// # Errors
    /// As [`Tenant::remember`].
    pub fn remember_pending(&self, incoming: Vec<Incoming>, reason: &str) -> Result<Receipt, Error> {
        let unavailable = Unavailable { reason: reason.to_owned() };
        let mut handled = self.handle(incoming, &unavailable)?;
        // What came with ready claims may have more to read, too.
        for one in &mut handled {
            one.status = ExtractionStatus::Failed(reason.to_owned());
        }
        self.record(&mut Prepared::of(handled))
    }

    /// The observations that wait for their claims, in the order recorded.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    pub fn pending(&self) -> Result<Vec<PendingObservation>, Error> {
        self.shared().read(|ledger| Ok(ledger.pending()?))
    }

    /// Records what an extractor made, later, of an observation that waits. Its claims are known from this transaction on, and their ordinals
    /// go on after those that the observation has. With [`ExtractionStatus::Done`] it no longer waits; with
    /// [`ExtractionStatus::Failed`] it does, and has been tried once more.
    ///
    /// Nothing is recorded where the observation does not wait, or no longer: the receipt then counts a duplicate, whatever the claims. So
    /// two processes may read the same observation, and the first one counts. Candidates that no claim can be are left out, and listed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the observation is not there; [`Error::Ledger`].
    ///
    /// ```
    /// use erstwhile::ledger::ExtractionStatus;
    /// use erstwhile::model::{Authority, Claim, ObservationKind, Polarity, Source};
    /// use erstwhile::observe::Incoming;
    /// use erstwhile::time::{End, Instant, Span, Start, ZonedInstant};
    /// use erstwhile::{Memory, TenantId, Term};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let tenant = Memory::open(folder.path())?.tenant(&TenantId::new("t")?);
    /// let at = ZonedInstant { at: Instant::parse("2024-05-01T09:00:00Z")?, offset_minutes: 0 };
    /// let source = Source { authority: Authority::User, name: None };
    /// let turn = Incoming::from_text(ObservationKind::Chat, at, source, "I have been at Acme for ever.");
    /// let id = tenant.remember_pending(vec![turn], "no answer within 20 s")?.ids[0];
    /// assert_eq!(tenant.pending()?[0].tries, 1);
    ///
    /// let claim = Claim {
    ///     head: Term::Name("Ana".to_owned()), relation: "employer".to_owned(), tail: Term::Name("Acme".to_owned()),
    ///     polarity: Polarity::Holds, span: Span::new(Start::Always, End::Open)?, seen_at: None, confidence: 0.8, importance: 0.5,
    ///     context: None, corrects: None, quote: None, extractor: "llm".to_owned(),
    /// };
    /// let receipt = tenant.record_extraction(id, "llm", vec![claim.clone()], ExtractionStatus::Done)?;
    /// assert_eq!((receipt.claims, receipt.applied.opened), (1, 1));
    /// assert!(tenant.pending()?.is_empty());
    ///
    /// let again = tenant.record_extraction(id, "llm", vec![claim], ExtractionStatus::Done)?;
    /// assert_eq!((again.claims, again.duplicates), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record_extraction(
        &self,
        id: ObservationId,
        extractor: &str,
        claims: Vec<Claim>,
        status: ExtractionStatus,
    ) -> Result<Receipt, Error> {
        let (mut receipt, fresh) = self.write(false, |loaded, ledger, now, let_go| {
            let Some(stored) = ledger.observation(id).map_err(Error::from)? else {
                return Err(Error::NotFound { what: "observation", name: id.to_string() }.into());
            };
            let (_, extraction) =
                ReadyClaims.extract_from(Incoming { observation: stored.observation, ready: claims, line: 0 }, &Context::default());
            let mut receipt = Receipt { ids: vec![id], ..Receipt::default() };
            for bad in extraction.rejected {
                let reason = format!("claim {}: {}", bad.ordinal, bad.reason);
                receipt.reject(Rejection { line: 0, field: bad.field, reason });
            }
            let read = u64::try_from(extraction.claims.len()).unwrap_or(u64::MAX);
            let mentioned = entities::mentioned(extraction.claims.iter(), &loaded.policies);
            let Meant { mut merges, fresh } = entities::meant(mentioned, loaded, ledger)?;
            if !merges.is_empty() && ledger.pending().map_err(Error::from)?.iter().all(|waiting| waiting.id != id) {
                // Nothing of it will be recorded.
                merges.clear();
            }
            let merged = u64::try_from(merges.len()).unwrap_or(u64::MAX);
            let record = Record::Extracted { observation: id, extractor: extractor.to_owned(), claims: extraction.claims, status };
            let records: Vec<Record> = std::iter::once(record).chain(merges).collect();
            let written = loaded.append(ledger, &records, now, let_go)?;
            if written.commit.seqs.first().copied().flatten().is_some() {
                (receipt.claims, receipt.applied, receipt.tx) = (read, written.applied, Some(written.commit.tx));
                receipt.merged = merged;
            } else {
                receipt.duplicates = 1;
            }
            Ok((receipt, fresh))
        })?;
        receipt.doubts = self.doubts(&fresh)?;
        Ok(receipt)
    }
}
