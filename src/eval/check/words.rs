//! Facts, claims and observations in a scenario's own names. Knows how to say them, not what was expected.

use super::expect::certainty_word;
use super::scenario::Scenario;
use crate::memory::Tenant;
use crate::model::{ClaimId, Fact};
use crate::time::{Certainty, Zone};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Says things of one tenant in the scenario's names.
pub(super) struct Words<'a> {
    scenario: &'a Scenario,
    tenant: &'a Tenant,
    zone: &'a Zone,
}

impl<'a> Words<'a> {
    pub(super) const fn new(scenario: &'a Scenario, tenant: &'a Tenant, zone: &'a Zone) -> Self {
        Self { scenario, tenant, zone }
    }

    /// The zone that dates of the question are read in.
    pub(super) const fn zone(&self) -> &Zone {
        self.zone
    }

    /// The name of a claim's observation.
    pub(super) fn observation(&self, claim: ClaimId) -> String {
        self.scenario.name_of(claim.observation).unwrap_or_else(|| claim.observation.to_string())
    }

    /// Every name a person may use for a claim: its observation's, its tail's and its head's, without those that say
    /// nothing because the fact it is seen from has them too.
    pub(super) fn names_of_claim(&self, claim: ClaimId, seen_from: Option<&Fact>) -> BTreeSet<String> {
        let mut names = BTreeSet::from([self.observation(claim)]);
        if let Ok(stored) = self.tenant.observation(claim.observation)
            && let Some((_, _, claim)) = usize::try_from(claim.ordinal).ok().and_then(|index| stored.claims.get(index))
        {
            let shared = |name: &String| seen_from.is_some_and(|fact| *name == fact.head.to_string() || *name == fact.tail.to_string());
            names.extend([claim.tail.to_string(), claim.head.to_string()].into_iter().filter(|name| !shared(name)));
        }
        names
    }

    /// The observations that support a fact.
    pub(super) fn support(&self, fact: &Fact) -> BTreeSet<String> {
        fact.supported_by.iter().map(|claim| self.observation(*claim)).collect()
    }

    /// The other values a fact is contested with: tails, or heads where the tail is the same.
    pub(super) fn rivals(&self, fact: &Fact) -> BTreeSet<String> {
        let mut rivals = BTreeSet::new();
        for rival in &fact.status.rivals {
            if let Ok(stored) = self.tenant.observation(rival.0.observation)
                && let Some((_, _, claim)) = usize::try_from(rival.0.ordinal).ok().and_then(|index| stored.claims.get(index))
            {
                rivals.insert(if claim.tail == fact.tail { claim.head.to_string() } else { claim.tail.to_string() });
            }
        }
        rivals
    }

    /// A fact in a line, with everything that can be expected of it.
    pub(super) fn fact(&self, fact: &Fact, certainty: Option<Certainty>) -> String {
        let mut text = format!("{} {} {}", fact.head, fact.relation, fact.tail);
        let _ = write!(text, ", from {} to {}", fact.start, fact.end);
        if let Some(certainty) = certainty {
            let _ = write!(text, ", {}", certainty_word(certainty));
        }
        if fact.status.contested {
            let _ = write!(text, ", contested with {:?}", self.rivals(fact));
        }
        if let Some(closer) = fact.status.closed_by {
            let _ = write!(text, ", closed by {:?}", self.names_of_claim(closer, Some(fact)));
        }
        if let Some(from) = fact.status.challenged_from {
            let _ = write!(text, ", challenged from {from}");
        }
        for (from, to) in &fact.status.hidden {
            let _ = write!(text, ", hidden from {from} to {to}");
        }
        if let Some(context) = &fact.context {
            let _ = write!(text, ", in {context}");
        }
        let _ = write!(text, ", support {:?}", self.support(fact));
        text
    }
}
