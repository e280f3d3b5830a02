//! A record as the projection reads it: the rows that the ledger will replay, made of what is about to be written.
//! Knows neither store nor projection.

use crate::ledger::{Record, RecordRow, Seq};
use crate::model::{ClaimId, Correction};
use crate::time::Instant;

/// Gives the rows of a record that gets the place `seq`, and returns the place after them.
///
/// An observation takes one place, and each of its claims one after it.
pub(super) fn rows(record: &Record, seq: Seq, tx: Instant, mut sink: impl FnMut(RecordRow<'_>)) -> Seq {
    match record {
        Record::Observation { observation, claims } => {
            sink(RecordRow::Observation {
                seq,
                tx,
                id: observation.id,
                observed_at: observation.observed_at.at,
                authority: observation.source.authority,
            });
            let mut place = seq;
            for (claim, ordinal) in claims.iter().zip(0_u32..) {
                place += 1;
                let (corrects_claim, corrects_tail) = match &claim.corrects {
                    None => (None, None),
                    Some(Correction::Claim(id)) => (Some(*id), None),
                    Some(Correction::Tail(tail)) => (None, Some(tail.as_ref())),
                };
                sink(RecordRow::Claim {
                    seq: place,
                    tx,
                    id: ClaimId { observation: observation.id, ordinal },
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
            return place + 1;
        }
        Record::Retract { target, .. } => sink(RecordRow::Belief { seq, tx, target: *target, believed: false }),
        Record::Restore { target, .. } => sink(RecordRow::Belief { seq, tx, target: *target, believed: true }),
        Record::Policy { relation, toml } => sink(RecordRow::Policy { seq, tx, relation, toml: toml.as_deref() }),
    }
    seq + 1
}
