//! Whether an observation is still what its id was made of, and one that could have been remembered. Knows no ledger.

use crate::extract::claim_fault;
use crate::ledger::StoredObservation;
use crate::model::{Claim, ObservationId, READY};
use crate::observe::identify;

/// Why the observation and the claims recorded with it are not what its id was made of; `None` if they are.
///
/// The id covers every field of the observation and the claims that came in with it, in their order. Claims that were extracted from its
/// text are no part of it.
pub(super) fn misfit(stored: StoredObservation) -> Option<String> {
    let StoredObservation { seq, observation, claims, .. } = stored;
    let through = claims.last().map_or(seq, |(place, ..)| *place);
    let count = claims.len();
    let mut claims: Vec<Claim> = claims.into_iter().map(|(_, _, claim)| claim).collect();
    let found: ObservationId = identify(&observation, &claims);
    if found == observation.id {
        return None;
    }
    claims.retain(|claim| claim.extractor == READY);
    if claims.len() < count && identify(&observation, &claims) == observation.id {
        return None;
    }
    let of = match count {
        0 => "without a claim".to_owned(),
        1 => format!("with its claim at {through}"),
        _ => format!("with its {count} claims at {} to {through}", seq + 1),
    };
    Some(format!(
        "the observation {}, {of}, is not what its id was made of: a field of it or of a claim was changed, or a claim added or lost \
         (its content now has the id {found})",
        observation.id
    ))
}

/// The field of an observation, or of a claim of it, that no `remember` would have let in, and why; `None` if all is well.
pub(super) fn unfit(stored: &StoredObservation) -> Option<(String, String)> {
    let StoredObservation { observation, claims, .. } = stored;
    if observation.text.is_none() && claims.is_empty() {
        return Some(("observation".to_owned(), "has neither a text nor claims".to_owned()));
    }
    let characters = observation.text.as_deref().map_or(0, |text| text.chars().count());
    claims.iter().enumerate().find_map(|(ordinal, (_, _, claim))| {
        let (field, reason) = claim_fault(claim, characters)?;
        Some((format!("claims.{ordinal}.{field}"), reason))
    })
}
