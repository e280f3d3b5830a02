//! The writer's side of the projection. (skeleton)

use super::Snapshot;
use crate::ledger::{RecordRow, Seq};
use crate::model::ObservationId;
use crate::policy::Policies;
use std::sync::Arc;

/// What a batch changed in the facts, counted over both times' latest state.
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
}

/// The writer's side of the projection of one tenant.
#[derive(Debug)]
pub struct Projection {}

impl Projection {
    /// An empty projection under these policies.
    #[must_use]
    pub fn new(policies: Arc<Policies>) -> Self {
        let _ = policies;
        unimplemented!()
    }

    /// Stages one row; nothing of it can be read before [`Projection::publish`]. Rows come in sequence order.
    pub fn stage(&mut self, row: RecordRow<'_>) {
        let _ = row;
        unimplemented!()
    }

    /// Derives every slot that staged rows touch; later snapshots see it.
    pub fn publish(&mut self) -> Applied {
        unimplemented!()
    }

    /// Forgets erased observations with their claims, in every belief state; derives what they touched anew.
    pub fn forget(&mut self, observations: &[ObservationId]) -> Applied {
        let _ = observations;
        unimplemented!()
    }

    /// Changes the policies and derives anew what they touch.
    pub fn set_policies(&mut self, policies: Arc<Policies>) -> Applied {
        let _ = policies;
        unimplemented!()
    }

    /// The last sequence number staged.
    #[must_use]
    pub fn last_seq(&self) -> Seq {
        unimplemented!()
    }

    /// An immutable snapshot of what is published: cheap, and never moved by later writes.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        unimplemented!()
    }
}
