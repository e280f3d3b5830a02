//! Reading again: what waits since its extractor could not run when it came in, and all of it, to count what is left out.
//!
//! Knows no extractor by name; it runs the one that the memory was opened with.

use super::intake::Handling;
use super::results::Tally;
use super::tenant::{AT_ONCE, Tenant};
use super::{Error, Receipt};
use crate::extract::Rules;
use crate::ledger::Ledger as _;
use crate::model::{Claim, ObservationId, READY};
use crate::observe::Incoming;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Tenant {
    /// Reads every observation that waits, in the order recorded, with the turns before it and by the rules now in force, and records what is
    /// found: each is a transaction of its own. What cannot be read still waits, with one try more. `progress` is told after each, with how
    /// many are done and how many there were.
    ///
    /// # Errors
    /// As [`Tenant::remember`]; what was recorded before stays.
    ///
    /// ```
    /// use erstwhile::model::{Authority, ObservationKind, Source};
    /// use erstwhile::time::ZonedInstant;
    /// use erstwhile::{Incoming, Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// let at = ZonedInstant::parse("2024-05-01T09:00:00Z")?;
    /// let user = Source { authority: Authority::User, name: Some("Ana".to_owned()) };
    /// let turn = Incoming::from_text(ObservationKind::Chat, at, user, "What a day!");
    /// ana.remember_pending(vec![turn], "no answer within 20 s")?;
    ///
    /// let receipt = ana.reprocess(&mut |_done, _all| {})?;
    /// assert_eq!((receipt.pending, ana.pending()?.len()), (0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reprocess(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Receipt, Error> {
        let (waiting, extractor) = (self.pending()?, self.extractor()?);
        let all = u64::try_from(waiting.len()).unwrap_or(u64::MAX);
        let mut receipt = Receipt::default();
        for (one, done) in waiting.into_iter().zip(1..) {
            // Erased since, or read by somebody else.
            if let Ok(stored) = self.observation(one.id) {
                let incoming = Incoming { observation: stored.observation, ready: Vec::new(), line: 0 };
                for handled in self.handle(vec![incoming], &*extractor)? {
                    let Handling { kept, status, cost, .. } = handled;
                    receipt.cost = receipt.cost.plus(cost);
                    let claims: Vec<Claim> = kept.into_iter().map(|kept| kept.claim).collect();
                    receipt.pending += u64::from(status.failure().is_some());
                    receipt.absorb(self.record_extraction(one.id, extractor.name(), claims, status)?);
                }
            }
            progress(done, all);
        }
        Ok(receipt)
    }

    /// What the rules in force leave out of the prose that is stored, by the reason's name, in name order: what the extractor took for no
    /// claim (`question`, `wish`), and what the write policy does not take (`consent`, `guess`). Reads every text again, with the turns before
    /// it, and writes nothing; what came with ready claims, and what waits for a model, is not counted. `progress` is told how many observations
    /// are looked at, and how many there are.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    ///
    /// # Complexity
    /// As remembering all of it once more.
    ///
    /// ```
    /// use erstwhile::model::{Authority, ObservationKind, Source};
    /// use erstwhile::time::ZonedInstant;
    /// use erstwhile::{Incoming, Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let ana = Memory::open(folder.path())?.tenant(&TenantId::new("ana")?);
    /// let at = ZonedInstant::parse("2024-05-01T09:00:00Z")?;
    /// let user = Source { authority: Authority::User, name: Some("Ana".to_owned()) };
    /// ana.remember(vec![Incoming::from_text(ObservationKind::Chat, at, user, "Do you live in Oslo?")])?;
    ///
    /// let left_out = ana.left_out(&mut |_done, _all| {})?;
    /// assert_eq!(left_out.into_iter().collect::<Vec<_>>(), [("question", 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn left_out(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<BTreeMap<&'static str, u64>, Error> {
        let (extractor, ids) = (self.reads_by(Arc::new(Rules::default()))?, self.observation_ids()?);
        let mut receipt = Receipt::default();
        for (few, done) in ids.chunks(AT_ONCE).zip(1..) {
            let stored = few.iter().filter_map(|id| self.observation(*id).ok());
            let read = stored.filter(|stored| stored.claims.iter().all(|(_, _, claim)| claim.extractor != READY));
            let incoming = read.map(|stored| Incoming { observation: stored.observation, ready: Vec::new(), line: 0 });
            for handled in self.handle(incoming.collect(), &*extractor)? {
                receipt.account(Tally::of(&handled));
            }
            progress((done * AT_ONCE).min(ids.len()) as u64, ids.len() as u64);
        }
        Ok(receipt.left_out)
    }

    /// The ids of all observations, in the order recorded.
    fn observation_ids(&self) -> Result<Vec<ObservationId>, Error> {
        let mut ids = Vec::new();
        self.shared().read(|ledger| {
            ids.clear();
            Ok(ledger.observation_ids(&mut |_, id| ids.push(id))?)
        })?;
        Ok(ids)
    }
}
