//! What a ledger keeps: records in sequence, each with its transaction time.

use super::MergeError;
use crate::model::{Authority, Claim, ClaimId, Observation, ObservationId, Polarity, Term, TermRef};
use crate::time::{Instant, Span};
use std::path::PathBuf;

/// A record's place in its tenant's ledger; strictly increasing, never reused.
pub type Seq = u64;

/// What a retraction or a restoration names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Retractable {
    /// One claim.
    Claim(ClaimId),
    /// All claims of an observation.
    Observation(ObservationId),
}

/// How an extractor fared with an observation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExtractionStatus {
    /// What it says is read.
    #[default]
    Done,
    /// The extractor could not run, and why; the observation waits for its claims.
    Failed(String),
}

impl ExtractionStatus {
    /// Why the extractor could not run, if it could not.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        match self {
            Self::Done => None,
            Self::Failed(reason) => Some(reason),
        }
    }

    /// The status with this failure, or done.
    #[must_use]
    pub fn of(failure: Option<String>) -> Self {
        failure.map_or(Self::Done, Self::Failed)
    }
}

/// One record to append.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// An observation with the claims extracted from it; skipped as a duplicate where the id is already there.
    Observation {
        /// The observation.
        observation: Observation,
        /// Its claims, in ordinal order.
        claims: Vec<Claim>,
        /// Whether these are all of them, or more are to be read once an extractor can run.
        status: ExtractionStatus,
    },
    /// What an extractor made, later, of an observation that waits for its claims. Their ordinals go on after those that it has.
    /// Skipped where the observation does not wait, or no longer.
    Extracted {
        /// The observation.
        observation: ObservationId,
        /// Who read it.
        extractor: String,
        /// The claims, in ordinal order.
        claims: Vec<Claim>,
        /// Whether it still waits.
        status: ExtractionStatus,
    },
    /// Two entities are one from this transaction on: `from` is another name of `into`.
    Merge {
        /// The entity that becomes a name of the other one; no literal.
        from: Term,
        /// The entity that both are from here on; no literal.
        into: Term,
        /// Why, in somebody's words.
        because: String,
    },
    /// A merge is undone: the two are apart again from this transaction on.
    Unmerge {
        /// As it was merged.
        from: Term,
        /// As it was merged.
        into: Term,
        /// Why, in somebody's words.
        because: String,
    },
    /// A text of the tenant's under a name; of several of one name the last one counts, and `None` removes it.
    Setting {
        /// The name.
        name: String,
        /// The text.
        value: Option<String>,
    },
    /// The transaction time of what it names ends.
    Retract {
        /// What is retracted.
        target: Retractable,
        /// Why, in somebody's words.
        because: String,
    },
    /// What it names is believed again.
    Restore {
        /// What is restored.
        target: Retractable,
        /// Why, in somebody's words.
        because: String,
    },
    /// The tenant's override of one relation's policy, as TOML text of one `[relation.NAME]` table's body; `None` removes it.
    Policy {
        /// The relation.
        relation: String,
        /// The override.
        toml: Option<String>,
    },
}

/// What an append did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The transaction time given to every record of the batch.
    pub tx: Instant,
    /// For each record of the batch, its sequence number, or `None` where it was a duplicate and nothing was written.
    pub seqs: Vec<Option<Seq>>,
}

/// One record as it is read back, borrowed from the reader's buffers.
///
/// Replay gives an observation before its claims, and everything in sequence order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a row is borrowed for one call of a sink and most rows are claims")]
pub enum RecordRow<'a> {
    /// An observation, without its text (read on demand).
    Observation {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// Its id.
        id: ObservationId,
        /// When it was observed.
        observed_at: Instant,
        /// The rank of its source.
        authority: Authority,
    },
    /// A claim of the observation last given with this id.
    Claim {
        /// The claim's place (it shares its observation's transaction, or comes later when reprocessed).
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// Its id.
        id: ClaimId,
        /// Its head.
        head: TermRef<'a>,
        /// Its relation as stated.
        relation: &'a str,
        /// Its tail.
        tail: TermRef<'a>,
        /// Its polarity.
        polarity: Polarity,
        /// Its valid time.
        span: Span,
        /// See [`Claim::seen_at`].
        seen_at: Option<Instant>,
        /// See [`Claim::confidence`].
        confidence: f64,
        /// See [`Claim::importance`].
        importance: f64,
        /// See [`Claim::context`].
        context: Option<&'a str>,
        /// The claim it corrects, by id.
        corrects_claim: Option<ClaimId>,
        /// The tail it replaces.
        corrects_tail: Option<TermRef<'a>>,
    },
    /// A retraction (`believed: false`) or restoration (`believed: true`).
    Belief {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// What it names.
        target: Retractable,
        /// Whether it is believed from here on.
        believed: bool,
    },
    /// A policy override.
    Policy {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// The relation.
        relation: &'a str,
        /// The TOML body, or `None` where the override was removed.
        toml: Option<&'a str>,
    },
    /// An erasure: the named observations and their claims are gone. Says how many, never what they held.
    Erasure {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// How many observations were erased.
        observations: u64,
    },
    /// A merge of two entities (`merged: true`), or its end (`merged: false`).
    Merge {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// The entity that is another name of the other one.
        from: TermRef<'a>,
        /// The entity that both are.
        into: TermRef<'a>,
        /// Whether the two are one from here on.
        merged: bool,
    },
    /// A setting.
    Setting {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// The name.
        name: &'a str,
        /// The text, or `None` where it was removed.
        value: Option<&'a str>,
    },
    /// What an extractor made of an observation recorded before; its claims follow.
    Extraction {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// The observation.
        observation: ObservationId,
    },
}

impl RecordRow<'_> {
    /// Its place.
    #[must_use]
    pub const fn seq(&self) -> Seq {
        match self {
            Self::Observation { seq, .. }
            | Self::Claim { seq, .. }
            | Self::Belief { seq, .. }
            | Self::Policy { seq, .. }
            | Self::Erasure { seq, .. }
            | Self::Merge { seq, .. }
            | Self::Setting { seq, .. }
            | Self::Extraction { seq, .. } => *seq,
        }
    }
}

/// What can go wrong with a ledger.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The tenant does not exist (and this call does not create one).
    #[error("unknown tenant {tenant:?}")]
    UnknownTenant {
        /// The tenant asked for.
        tenant: String,
    },
    /// A tenant name that cannot be one.
    #[error("tenant name {tenant:?} is not usable: {reason}")]
    BadTenantName {
        /// The name given.
        tenant: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is not a ledger, or is damaged. It is left untouched.
    #[error("{path}: {reason}")]
    NotALedger {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// What stands in the place of a tenant's file is a link, is no file, or is known by another name too, under which its text would
    /// outlive every erasure. It is left untouched.
    #[error("{path}: {reason}")]
    NotAPlainFile {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// The file was written by a newer version. It is left untouched.
    #[error("{path}: written by ledger format {found}, this program reads up to {supported}")]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: u32,
        /// The highest version known here.
        supported: u32,
    },
    /// Another process held the write lock for longer than the bounded wait.
    #[error("{path}: another process has been writing for more than {waited_ms} ms")]
    Busy {
        /// The file.
        path: PathBuf,
        /// How long was waited.
        waited_ms: u64,
    },
    /// The disk is full, the folder read-only, or the system refused otherwise. Nothing of the batch was written.
    #[error("{path}: {reason}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A write failed in a way that leaves its outcome unsure; the handle refuses writes until reopened.
    #[error("{path}: refused: an earlier write failed ({reason}); reopen the memory")]
    Poisoned {
        /// The file.
        path: PathBuf,
        /// What happened then.
        reason: String,
    },
    /// The records of an erasure are gone, but bytes of them may remain in the files until it is repeated.
    #[error("{path}: erased, but its text may remain in the files until the erasure is repeated: {reason}")]
    ErasureIncomplete {
        /// The file.
        path: PathBuf,
        /// What stood in the way.
        reason: String,
    },
    /// A row holds what no version of this program writes: the file is damaged, or was changed by something else.
    #[error("{path}: record {seq} is damaged: {reason}")]
    DamagedRecord {
        /// The file.
        path: PathBuf,
        /// The record's place.
        seq: Seq,
        /// What makes no sense.
        reason: String,
    },
    /// A merge, or the end of one, that does not fit those before it. Nothing of the batch was written.
    #[error(transparent)]
    Merge(Box<MergeError>),
    /// A record that cannot be stored.
    #[error("record {seq}: {reason}")]
    BadRecord {
        /// Its place, 0 where it has none yet.
        seq: Seq,
        /// What is wrong with it.
        reason: String,
    },
}

impl From<MergeError> for LedgerError {
    fn from(error: MergeError) -> Self {
        Self::Merge(Box::new(error))
    }
}

/// An observation as stored, with everything, as `why` and `export` need it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredObservation {
    /// Its place.
    pub seq: Seq,
    /// Its transaction time.
    pub tx: Instant,
    /// The observation.
    pub observation: Observation,
    /// Its claims with their places and transaction times, in ordinal order.
    pub claims: Vec<(Seq, Instant, Claim)>,
    /// Whether its claims were all there when it was recorded.
    pub status: ExtractionStatus,
}

/// What an extractor made, later, of an observation, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredExtraction {
    /// Its place.
    pub seq: Seq,
    /// Its transaction time.
    pub tx: Instant,
    /// The observation.
    pub observation: ObservationId,
    /// Who read it.
    pub extractor: String,
    /// The claims, in ordinal order; each has the place after the one before it, the first the one after the extraction's own.
    pub claims: Vec<Claim>,
    /// Whether the observation still waits after it.
    pub status: ExtractionStatus,
}

/// One record as stored, with everything, as `export` writes it and `import` reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredRecord {
    /// An observation with its claims.
    Observation(StoredObservation),
    /// A retraction (`believed: false`) or restoration (`believed: true`).
    Belief {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// What it names.
        target: Retractable,
        /// Whether it is believed from here on.
        believed: bool,
        /// Why, in somebody's words.
        because: String,
    },
    /// A policy override.
    Policy {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// The relation.
        relation: String,
        /// The TOML body, or `None` where the override was removed.
        toml: Option<String>,
    },
    /// An erasure.
    Erasure {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// How many observations were erased.
        observations: u64,
    },
    /// A merge (`merged: true`), or its end (`merged: false`).
    Merge {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// The entity that is another name of the other one.
        from: Term,
        /// The entity that both are.
        into: Term,
        /// Whether the two are one from here on.
        merged: bool,
        /// Why, in somebody's words.
        because: String,
    },
    /// A setting.
    Setting {
        /// Its place.
        seq: Seq,
        /// Its transaction time.
        tx: Instant,
        /// The name.
        name: String,
        /// The text, or `None` where it was removed.
        value: Option<String>,
    },
    /// What an extractor made, later, of an observation.
    Extraction(StoredExtraction),
}

impl StoredRecord {
    /// Its place.
    #[must_use]
    pub const fn seq(&self) -> Seq {
        match self {
            Self::Observation(stored) => stored.seq,
            Self::Extraction(stored) => stored.seq,
            Self::Belief { seq, .. }
            | Self::Policy { seq, .. }
            | Self::Erasure { seq, .. }
            | Self::Merge { seq, .. }
            | Self::Setting { seq, .. } => *seq,
        }
    }

    /// The last place that it takes, with those of its claims.
    #[must_use]
    pub fn last_seq(&self) -> Seq {
        match self {
            Self::Observation(stored) => stored.claims.last().map_or(stored.seq, |(place, ..)| *place),
            Self::Extraction(stored) => stored.seq + stored.claims.len() as Seq,
            Self::Belief { seq, .. }
            | Self::Policy { seq, .. }
            | Self::Erasure { seq, .. }
            | Self::Merge { seq, .. }
            | Self::Setting { seq, .. } => *seq,
        }
    }

    /// Its transaction time.
    #[must_use]
    pub const fn tx(&self) -> Instant {
        match self {
            Self::Observation(stored) => stored.tx,
            Self::Extraction(stored) => stored.tx,
            Self::Belief { tx, .. }
            | Self::Policy { tx, .. }
            | Self::Erasure { tx, .. }
            | Self::Merge { tx, .. }
            | Self::Setting { tx, .. } => *tx,
        }
    }
}

/// A merge of two entities, and whether it was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// Its place.
    pub seq: Seq,
    /// Its transaction time: the two are one from here on.
    pub tx: Instant,
    /// The entity that is another name of the other one, as given.
    pub from: Term,
    /// The entity that both are, as given.
    pub into: Term,
    /// Why, in somebody's words.
    pub because: String,
    /// When it was undone, and why; `None` while it stands.
    pub undone: Option<(Instant, String)>,
}

/// An observation that waits for its claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingObservation {
    /// The observation.
    pub id: ObservationId,
    /// The transaction time of its record.
    pub since: Instant,
    /// How many times an extractor could not run, the first included.
    pub tries: u64,
    /// Why not, the last time.
    pub reason: String,
}

/// The words of one observation, borrowed from the reader's buffers; for looking through all texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words<'a> {
    /// Its place.
    pub seq: Seq,
    /// Its transaction time.
    pub tx: Instant,
    /// The observation.
    pub id: ObservationId,
    /// When it was observed.
    pub observed_at: Instant,
    /// The rank of its source.
    pub authority: Authority,
    /// The name of its source.
    pub source: Option<&'a str>,
    /// Its session.
    pub session: Option<&'a str>,
    /// Its speaker.
    pub speaker: Option<&'a str>,
    /// The speaker's role.
    pub role: Option<&'a str>,
    /// Its key.
    pub key: Option<&'a str>,
    /// Its text.
    pub text: Option<&'a str>,
}
