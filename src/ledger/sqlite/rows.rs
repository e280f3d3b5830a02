//! From rows to records: the columns that are read, in their order, and what they say. Knows no question.

use super::codec::{
    Unreadable, authority, id, integer, kind, maybe_claim_id, maybe_integer, maybe_text, polarity, real, small, span, term, text,
};
use crate::ledger::{ExtractionStatus, RecordRow, Retractable, Seq, StoredExtraction, StoredRecord};
use crate::model::{Claim, ClaimId, Correction, Observation, ObservationId, Quote, READY, Source, TermRef};
use crate::time::{Instant, ZonedInstant};
use rusqlite::Row;

/// The columns of a claim in full.
pub(super) const CLAIM_IN_FULL: &str = "seq, observation, ordinal, polarity, head_kind, head, relation, tail_kind, tail, from_kind, from_lo, \
    from_hi, to_kind, to_lo, to_hi, confidence, importance, tail_datatype, tail_language, seen_at, context, corrects_observation, \
    corrects_ordinal, corrects_tail_kind, corrects_tail, corrects_tail_datatype, corrects_tail_language, quote_from, quote_to, extractor";
/// The columns of a claim as replay gives it. The kinds come as one number, 4 bits each, with a bit above them for anything
/// in the columns that are mostly empty: to ask for a column costs more than to compute this.
pub(super) const CLAIM: &str = "seq, observation, polarity | (head_kind << 4) | (tail_kind << 8) | (from_kind << 12) | (to_kind << 16) | \
    ((coalesce(seen_at, context, corrects_observation, corrects_tail_kind) IS NOT NULL) << 20), head, relation, tail, from_lo, from_hi, \
    to_lo, to_hi, confidence, importance, tail_datatype, tail_language, seen_at, context, corrects_observation, corrects_ordinal, \
    corrects_tail_kind, corrects_tail, corrects_tail_datatype, corrects_tail_language";
/// The columns of an observation as replay gives it.
pub(super) const OBSERVATION: &str = "seq, id, observed_at, authority";
/// The columns of an observation in full.
pub(super) const OBSERVATION_IN_FULL: &str =
    "seq, id, observed_at, authority, offset_minutes, kind, source, session, speaker, role, key, text";
/// The columns of a retraction or restoration.
pub(super) const BELIEF: &str = "seq, believed, observation, ordinal, because";
/// The columns of a policy override.
pub(super) const POLICY: &str = "seq, relation, toml";
/// The columns of an erasure.
pub(super) const ERASURE: &str = "seq, observations";

/// The columns of a merge or its end.
pub(super) const MERGE: &str = "seq, merged, from_kind, from_term, into_kind, into_term, because";
/// The columns of a setting.
pub(super) const SETTING: &str = "seq, name, value";
/// The columns of an extraction after the fact.
pub(super) const EXTRACTION: &str = "seq, observation, first, claims, extractor, failure";

/// The place of any row.
pub(super) fn seq(row: &Row<'_>) -> Result<Seq, Unreadable> {
    integer(row, 0, "seq").map(i64::cast_unsigned)
}

/// The place of a claim's observation.
pub(super) fn claim_observation(row: &Row<'_>) -> Result<Seq, Unreadable> {
    integer(row, 1, "observation").map(i64::cast_unsigned)
}

pub(super) fn observation_row<'r>(row: &'r Row<'_>, tx: Instant) -> Result<RecordRow<'r>, Unreadable> {
    Ok(RecordRow::Observation {
        seq: seq(row)?,
        tx,
        id: id(row, 1, "id")?,
        observed_at: Instant::from_micros(integer(row, 2, "observed_at")?),
        authority: authority(integer(row, 3, "authority")?)?,
    })
}

pub(super) fn claim_row<'r>(row: &'r Row<'_>, seq: Seq, tx: Instant, id: ClaimId) -> Result<RecordRow<'r>, Unreadable> {
    let kinds = integer(row, 2, "polarity")?;
    let kind = |shift: u32| (kinds >> shift) & 0xf;
    if kinds >> 21 != 0 {
        return Err(Unreadable::Value(format!("a column of kinds holds an unknown one ({kinds:#x} in all)")));
    }
    let mut seen_at = None;
    let mut context = None;
    let mut corrects_claim = None;
    let mut corrects_tail = None;
    if kinds >> 20 != 0 {
        seen_at = maybe_integer(row, 14, "seen_at")?.map(Instant::from_micros);
        context = maybe_text(row, 15, "context")?;
        corrects_claim = maybe_claim_id(row, 16, 17, "corrects_observation")?;
        if let Some(kind) = maybe_integer(row, 18, "corrects_tail_kind")? {
            corrects_tail = Some(term(row, kind, 19, Some(20), Some(21), "corrects_tail")?);
        }
    }
    Ok(RecordRow::Claim {
        seq,
        tx,
        id,
        head: term(row, kind(4), 3, None, None, "head")?,
        relation: text(row, 4, "relation")?,
        tail: term(row, kind(8), 5, Some(12), Some(13), "tail")?,
        polarity: polarity(kind(0))?,
        span: span(row, kind(12), 6, kind(16), 8)?,
        seen_at,
        confidence: real(row, 10, "confidence")?,
        importance: real(row, 11, "importance")?,
        context,
        corrects_claim,
        corrects_tail,
    })
}

/// The entities of a merge.
pub(super) fn merge_terms<'r>(row: &'r Row<'_>) -> Result<(TermRef<'r>, TermRef<'r>), Unreadable> {
    let from = term(row, integer(row, 2, "from_kind")?, 3, None, None, "from_term")?;
    let into = term(row, integer(row, 4, "into_kind")?, 5, None, None, "into_term")?;
    Ok((from, into))
}

pub(super) fn merge_row<'r>(row: &'r Row<'_>, tx: Instant) -> Result<RecordRow<'r>, Unreadable> {
    let (from, into) = merge_terms(row)?;
    Ok(RecordRow::Merge { seq: seq(row)?, tx, from, into, merged: integer(row, 1, "merged")? != 0 })
}

pub(super) fn setting_row<'r>(row: &'r Row<'_>, tx: Instant) -> Result<RecordRow<'r>, Unreadable> {
    Ok(RecordRow::Setting { seq: seq(row)?, tx, name: text(row, 1, "name")?, value: maybe_text(row, 2, "value")? })
}

/// Places that hold the claims of an observation, in a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The place before the first of them: the observation's own, or that of an extraction.
    pub(super) before: Seq,
    /// The place of the observation.
    pub(super) observation: Seq,
    /// The ordinal of the first.
    pub(super) first: u32,
    /// How many.
    pub(super) claims: u64,
}

impl Stretch {
    /// That of an extraction.
    pub(super) fn of(row: &Row<'_>) -> Result<Self, Unreadable> {
        let claims = integer(row, 3, "claims")?;
        Ok(Self {
            before: seq(row)?,
            observation: claim_observation(row)?,
            first: small(integer(row, 2, "first")?, "first")?,
            claims: u64::from(small(claims, "claims")?),
        })
    }

    /// The last place.
    pub(super) const fn through(self) -> Seq {
        self.before + self.claims
    }

    /// The ordinal of the claim at a place within it; `None` outside.
    pub(super) fn ordinal(self, place: Seq) -> Option<u32> {
        let nth = place.checked_sub(self.before + 1).filter(|nth| *nth < self.claims)?;
        u32::try_from(nth).ok().and_then(|nth| self.first.checked_add(nth))
    }
}

/// The id of the claim at a place whose observation is at another: claims follow their observation without a gap.
pub(super) fn claim_id(seq: Seq, observation: (Seq, ObservationId)) -> Result<ClaimId, Unreadable> {
    let (of, observation) = observation;
    match seq.checked_sub(of + 1).map(u32::try_from) {
        Some(Ok(ordinal)) => Ok(ClaimId { observation, ordinal }),
        _ => Err(Unreadable::Value(format!("it cannot be a claim of the observation at {of}"))),
    }
}

fn target(row: &Row<'_>) -> Result<Retractable, Unreadable> {
    let observation = id(row, 2, "observation")?;
    Ok(match maybe_integer(row, 3, "ordinal")? {
        Some(ordinal) => Retractable::Claim(ClaimId { observation, ordinal: small(ordinal, "ordinal")? }),
        None => Retractable::Observation(observation),
    })
}

pub(super) fn belief_row<'r>(row: &'r Row<'_>, tx: Instant) -> Result<RecordRow<'r>, Unreadable> {
    Ok(RecordRow::Belief { seq: seq(row)?, tx, target: target(row)?, believed: integer(row, 1, "believed")? != 0 })
}

pub(super) fn policy_row<'r>(row: &'r Row<'_>, tx: Instant) -> Result<RecordRow<'r>, Unreadable> {
    Ok(RecordRow::Policy { seq: seq(row)?, tx, relation: text(row, 1, "relation")?, toml: maybe_text(row, 2, "toml")? })
}

pub(super) fn erasure_row<'r>(row: &'r Row<'_>, tx: Instant) -> Result<RecordRow<'r>, Unreadable> {
    Ok(RecordRow::Erasure { seq: seq(row)?, tx, observations: integer(row, 1, "observations")?.cast_unsigned() })
}

/// A retraction or restoration in full.
pub(super) fn stored_belief(row: &Row<'_>, tx: Instant) -> Result<StoredRecord, Unreadable> {
    let because = text(row, 4, "because")?.to_owned();
    Ok(StoredRecord::Belief { seq: seq(row)?, tx, target: target(row)?, believed: integer(row, 1, "believed")? != 0, because })
}

/// A policy override in full.
pub(super) fn stored_policy(row: &Row<'_>, tx: Instant) -> Result<StoredRecord, Unreadable> {
    let toml = maybe_text(row, 2, "toml")?.map(str::to_owned);
    Ok(StoredRecord::Policy { seq: seq(row)?, tx, relation: text(row, 1, "relation")?.to_owned(), toml })
}

/// An erasure in full.
pub(super) fn stored_erasure(row: &Row<'_>, tx: Instant) -> Result<StoredRecord, Unreadable> {
    Ok(StoredRecord::Erasure { seq: seq(row)?, tx, observations: integer(row, 1, "observations")?.cast_unsigned() })
}

/// A merge, or its end, in full.
pub(super) fn stored_merge(row: &Row<'_>, tx: Instant) -> Result<StoredRecord, Unreadable> {
    let (from, into) = merge_terms(row)?;
    let (from, into) = (from.to_owned(), into.to_owned());
    let because = text(row, 6, "because")?.to_owned();
    Ok(StoredRecord::Merge { seq: seq(row)?, tx, from, into, merged: integer(row, 1, "merged")? != 0, because })
}

/// A setting in full.
pub(super) fn stored_setting(row: &Row<'_>, tx: Instant) -> Result<StoredRecord, Unreadable> {
    let value = maybe_text(row, 2, "value")?.map(str::to_owned);
    Ok(StoredRecord::Setting { seq: seq(row)?, tx, name: text(row, 1, "name")?.to_owned(), value })
}

/// An extraction of the observation with this id, without its claims.
pub(super) fn stored_extraction(row: &Row<'_>, tx: Instant, observation: ObservationId) -> Result<StoredExtraction, Unreadable> {
    Ok(StoredExtraction {
        seq: seq(row)?,
        tx,
        observation,
        extractor: text(row, 4, "extractor")?.to_owned(),
        claims: Vec::new(),
        status: ExtractionStatus::of(maybe_text(row, 5, "failure")?.map(str::to_owned)),
    })
}

/// An observation in full.
pub(super) fn observation(row: &Row<'_>) -> Result<Observation, Unreadable> {
    let owned = |column: usize, name: &str| maybe_text(row, column, name).map(|text| text.map(str::to_owned));
    let offset = integer(row, 4, "offset_minutes")?;
    Ok(Observation {
        id: id(row, 1, "id")?,
        kind: kind(integer(row, 5, "kind")?)?,
        observed_at: ZonedInstant {
            at: Instant::from_micros(integer(row, 2, "observed_at")?),
            offset_minutes: i16::try_from(offset)
                .map_err(|_out_of_range| Unreadable::Value(format!("column offset_minutes holds {offset}")))?,
        },
        source: Source { authority: authority(integer(row, 3, "authority")?)?, name: owned(6, "source")? },
        session: owned(7, "session")?,
        speaker: owned(8, "speaker")?,
        role: owned(9, "role")?,
        key: owned(10, "key")?,
        text: owned(11, "text")?,
    })
}

/// A claim in full.
pub(super) fn claim(row: &Row<'_>) -> Result<Claim, Unreadable> {
    let quote = match (maybe_integer(row, 27, "quote_from")?, maybe_integer(row, 28, "quote_to")?) {
        (Some(from), Some(to)) => Some(Quote { from: small(from, "quote_from")?, to: small(to, "quote_to")? }),
        _ => None,
    };
    let corrects = match (maybe_claim_id(row, 21, 22, "corrects_observation")?, maybe_integer(row, 23, "corrects_tail_kind")?) {
        (Some(id), _) => Some(Correction::Claim(id)),
        (None, Some(kind)) => Some(Correction::Tail(term(row, kind, 24, Some(25), Some(26), "corrects_tail")?.to_owned())),
        (None, None) => None,
    };
    Ok(Claim {
        head: term(row, integer(row, 4, "head_kind")?, 5, None, None, "head")?.to_owned(),
        relation: text(row, 6, "relation")?.to_owned(),
        tail: term(row, integer(row, 7, "tail_kind")?, 8, Some(17), Some(18), "tail")?.to_owned(),
        polarity: polarity(integer(row, 3, "polarity")?)?,
        span: span(row, integer(row, 9, "from_kind")?, 10, integer(row, 12, "to_kind")?, 13)?,
        seen_at: maybe_integer(row, 19, "seen_at")?.map(Instant::from_micros),
        confidence: real(row, 15, "confidence")?,
        importance: real(row, 16, "importance")?,
        context: maybe_text(row, 20, "context")?.map(str::to_owned),
        corrects,
        quote,
        extractor: maybe_text(row, 29, "extractor")?.unwrap_or(READY).to_owned(),
    })
}
