//! Facts, claims and observations in a scenario's own names. Knows how to say them, not what was expected.

use super::expect::certainty_word;
use super::scenario::Scenario;
use crate::memory::Tenant;
use crate::model::{ClaimId, Fact, ObservationId};
use crate::time::{Certainty, Zone};
use std::collections::BTreeSet;

/// Says things of one tenant in the scenario's names.
pub(super) struct Words<'a> {
    scenario: &'a Scenario,
    tenant: &'a Tenant,
    zone: Zone,
}

impl<'a> Words<'a> {
    pub(super) const fn new(scenario: &'a Scenario, tenant: &'a Tenant, zone: Zone) -> Self {
        Self { scenario, tenant, zone }
    }

    /// The zone that dates of the question are read in.
    pub(super) const fn zone(&self) -> Zone {
        self.zone
    }

    /// The name of a claim's observation.
    pub(super) fn observation(&self, claim: ClaimId) -> String {
        self.observation_of(claim.observation)
    }

    /// The name of an observation: the scenario's, else its key (the id of what was masked is not the scenario's), else its id.
    pub(super) fn observation_of(&self, id: ObservationId) -> String {
        let key = || self.tenant.observation(id).ok().and_then(|stored| stored.observation.key);
        self.scenario.name_of(id).or_else(key).unwrap_or_else(|| id.to_string())
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
        let mut parts = vec![format!("{} {} {}, from {} to {}", fact.head, fact.relation, fact.tail, fact.start, fact.end)];
        parts.extend(certainty.map(|certainty| certainty_word(certainty).to_owned()));
        if fact.status.contested {
            parts.push(format!("contested with {:?}", self.rivals(fact)));
        }
        parts.extend(fact.status.closed_by.map(|closer| format!("closed by {:?}", self.names_of_claim(closer, Some(fact)))));
        parts.extend(fact.status.challenged_from.map(|from| format!("challenged from {from}")));
        parts.extend(fact.status.hidden.iter().map(|(from, to)| format!("hidden from {from} to {to}")));
        parts.extend(fact.context.iter().map(|context| format!("in {context}")));
        parts.push(format!("support {:?}", self.support(fact)));
        parts.join(", ")
    }
}
