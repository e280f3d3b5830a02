//! Reading again what waits: observations whose extractor could not run when they came in.
//!
//! Knows no extractor by name; it runs the one that the memory was opened with.

use super::intake::Handling;
use super::tenant::Tenant;
use super::{Error, Receipt};
use crate::model::Claim;
use crate::observe::Incoming;

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
}
