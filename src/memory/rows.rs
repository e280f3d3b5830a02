//! A record as the projection reads it: the rows that the ledger will replay, made of what is about to be written.
//! Knows neither store nor projection.

use crate::ledger::{Record, RecordRow, Seq};
use crate::model::{Claim, ClaimId, Correction, ObservationId};
use crate::time::Instant;

/// Gives the rows of a record that gets the place `seq`, and returns the place after them. The first claim of a later extraction has
/// the ordinal `first`.
///
/// An observation takes one place, and each of its claims one after it; so does an extraction.
pub(super) fn rows(record: &Record, seq: Seq, tx: Instant, first: u32, mut sink: impl FnMut(RecordRow<'_>)) -> Seq {
    match record {
        Record::Observation { observation, claims, .. } => {
            sink(RecordRow::Observation {
                seq,
                tx,
                id: observation.id,
                observed_at: observation.observed_at.at,
                authority: observation.source.authority,
            });
            return claim_rows(observation.id, claims, 0, seq, tx, sink);
        }
        Record::Extracted { observation, claims, .. } => {
            sink(RecordRow::Extraction { seq, tx, observation: *observation });
            return claim_rows(*observation, claims, first, seq, tx, sink);
        }
        Record::Retract { target, .. } => sink(RecordRow::Belief { seq, tx, target: *target, believed: false }),
        Record::Restore { target, .. } => sink(RecordRow::Belief { seq, tx, target: *target, believed: true }),
        Record::Policy { relation, toml } => sink(RecordRow::Policy { seq, tx, relation, toml: toml.as_deref() }),
        Record::Merge { from, into, .. } => sink(RecordRow::Merge { seq, tx, from: from.as_ref(), into: into.as_ref(), merged: true }),
        Record::Unmerge { from, into, .. } => sink(RecordRow::Merge { seq, tx, from: from.as_ref(), into: into.as_ref(), merged: false }),
        Record::Setting { name, value } => sink(RecordRow::Setting { seq, tx, name, value: value.as_deref() }),
    }
    seq + 1
}

/// Gives the rows of claims at the places after one, and returns the place after them.
fn claim_rows(observation: ObservationId, claims: &[Claim], first: u32, seq: Seq, tx: Instant, mut sink: impl FnMut(RecordRow<'_>)) -> Seq {
    let mut place = seq;
    for (claim, ordinal) in claims.iter().zip(first..) {
        place += 1;
        let (corrects_claim, corrects_tail) = match &claim.corrects {
            None => (None, None),
            Some(Correction::Claim(id)) => (Some(*id), None),
            Some(Correction::Tail(tail)) => (None, Some(tail.as_ref())),
        };
        sink(RecordRow::Claim {
            seq: place,
            tx,
            id: ClaimId { observation, ordinal },
            head: claim.head.as_ref(),
            relation: &claim.relation,
            tail: claim.tail.as_ref(),
            polarity: claim.polarity,
            span: claim.span,
            seen_at: claim.seen_at,
            confidence: claim.confidence,
            importance: claim.importance,
            context: claim.context.as_deref(),
            corrects_claim,
            corrects_tail,
        });
    }
    place + 1
}
