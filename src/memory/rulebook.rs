//! What a tenant takes observations in by: its write policy, the consents given, its relations. Read from its settings, kept until they change.
//!
//! Knows what the settings are called; what they mean is the policy's.

use super::Error;
use crate::policy::{Consents, Policies, WritePolicy};
use std::sync::Arc;

/// The setting that holds the tenant's own write policy, as TOML laid over the shipped one.
pub(super) const WRITE_POLICY: &str = "write-policy";
/// The setting that holds the consents given, as TOML.
pub(super) const CONSENTS: &str = "consents";

/// The rules in force for what comes in.
#[derive(Clone, Debug)]
pub(super) struct Rulebook {
    pub(super) policy: WritePolicy,
    pub(super) consents: Consents,
    pub(super) relations: Arc<Policies>,
}

impl Rulebook {
    /// Makes the rules of a tenant's settings; a setting that is not there is the shipped one.
    ///
    /// # Errors
    /// [`Error::Setting`] for one that cannot be read.
    pub(super) fn new(policy: Option<&str>, consents: Option<&str>, relations: Arc<Policies>) -> Result<Self, Error> {
        let unreadable = |name: &'static str| move |error: crate::policy::WritePolicyError| Error::Setting { name, reason: error.to_string() };
        Ok(Self {
            policy: policy.map_or_else(|| Ok(WritePolicy::shipped()), WritePolicy::parse).map_err(unreadable(WRITE_POLICY))?,
            consents: consents.map_or_else(|| Ok(Consents::default()), Consents::parse).map_err(unreadable(CONSENTS))?,
            relations,
        })
    }
}
