//! What surfaces hand out: the JSON forms of answers, one schema for all of them. Knows no transport.
//!
//! docs/CLI.md is the reference; [`SCHEMA`] is its version, in every object. Times are RFC 3339, UTC.

use crate::graph::{Answer, Applied, Denial, Diff, Held, Neighbourhood};
use crate::ledger::StoredObservation;
use crate::memory::{Beliefs, Doubt, Erased, Likely, Proposal, Receipt, Stats, Verification, Why};
use crate::model::{
    Authority, AuthorityMode, Cardinality, Fact, Literal, ObservationKind, OnConflict, Polarity, RelationKind, RelationPolicy, Term,
};
use crate::observe::Rejection;
use crate::resolve::Evidence;
use crate::time::{AsOf, Certainty, End, Instant, KnownAt, Moment, Start};
use serde::Serialize;
use serde_json::{Value, json};

/// The version of the schema. A new field does not change it; a changed or removed one does.
pub const SCHEMA: u32 = 1;

/// The frame around every answer.
#[derive(Debug, Serialize)]
pub struct Envelope<'a, T> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The command that answers.
    pub command: &'a str,
    /// The tenant it was asked of; absent where no tenant is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<&'a str>,
    /// Where it was read; absent for writes and counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Value>,
    /// The answer's own fields.
    #[serde(flatten)]
    pub body: T,
}

/// A term: a string for a name, else an object that says its kind.
#[must_use]
pub fn term(term: &Term) -> Value {
    match term {
        Term::Name(name) => Value::String(name.clone()),
        Term::Iri(iri) => json!({ "iri": iri }),
        Term::Blank(label) => json!({ "blank": label }),
        Term::Literal(Literal { lexical, datatype, language }) => {
            let mut object = json!({ "literal": lexical });
            if let Some(map) = object.as_object_mut() {
                if let Some(datatype) = datatype {
                    map.insert("datatype".to_owned(), json!(datatype));
                }
                if let Some(language) = language {
                    map.insert("language".to_owned(), json!(language));
                }
            }
            object
        }
    }
}

/// An instant, or `null` for a missing bound.
#[must_use]
pub fn instant(instant: Instant) -> Value {
    if instant == Instant::DISTANT_PAST || instant == Instant::DISTANT_FUTURE { Value::Null } else { json!(instant.to_string()) }
}

/// A moment: its bounds `[lo, hi)` and its text.
#[must_use]
pub fn moment(moment: Moment) -> Value {
    json!({ "lo": instant(moment.lo()), "hi": instant(moment.hi()), "text": moment.to_string() })
}

/// A start: kind, bounds `[lo, hi)` and its text.
#[must_use]
pub fn start(start: Start) -> Value {
    let kind = match start {
        Start::At(_) => "at",
        Start::By(_) => "by",
        Start::Unknown => "unknown",
        Start::Always => "always",
    };
    json!({ "kind": kind, "lo": instant(start.lo()), "hi": instant(start.hi()), "text": start.describe() })
}

/// An end: kind, bounds `[lo, hi)` and its text.
#[must_use]
pub fn end(end: End) -> Value {
    let kind = match end {
        End::At(_) => "at",
        End::By(_) => "by",
        End::Open => "open",
    };
    json!({ "kind": kind, "lo": instant(end.lo()), "hi": instant(end.hi()), "text": end.describe() })
}

/// A reading position.
#[must_use]
pub fn as_of(as_of: AsOf) -> Value {
    let known_at = match as_of.known_at {
        KnownAt::Latest => json!("latest"),
        KnownAt::At(at) => instant(at),
    };
    json!({ "valid_at": moment(as_of.valid_at), "known_at": known_at })
}

/// "certain" or "possible".
#[must_use]
pub const fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Possible => "possible",
    }
}

/// A fact, whatever its valid time.
#[must_use]
pub fn fact(fact: &Fact) -> Value {
    let ids = |ids: Vec<String>| json!(ids);
    json!({
        "id": fact.id.to_string(),
        "head": term(&fact.head),
        "relation": fact.relation,
        "tail": term(&fact.tail),
        "context": fact.context,
        "from": start(fact.start),
        "to": end(fact.end),
        "tx_from": instant(fact.tx_from),
        "tx_to": fact.tx_to.map_or(Value::Null, instant),
        "confidence": fact.confidence,
        "importance": fact.importance,
        "contested": fact.status.contested,
        "rivals": ids(fact.status.rivals.iter().map(ToString::to_string).collect()),
        "challenged_from": fact.status.challenged_from.map_or(Value::Null, instant),
        "hidden": fact.status.hidden.iter().map(|(from, to)| json!({ "from": instant(*from), "to": instant(*to) })).collect::<Vec<_>>(),
        "closed_by": fact.status.closed_by.map(|claim| claim.to_string()),
        "supported_by": ids(fact.supported_by.iter().map(ToString::to_string).collect()),
    })
}

/// A denial, whatever its valid time; `incoming` where the entity asked about is only its tail.
#[must_use]
pub fn denial(denial: &Denial) -> Value {
    json!({
        "claim": denial.claim.to_string(),
        "head": term(&denial.head),
        "relation": denial.relation,
        "tail": term(&denial.tail),
        "from": start(denial.start),
        "to": end(denial.end),
        "authority": authority(denial.authority),
        "incoming": denial.incoming,
    })
}

/// A fact that holds at the as-of: a [`fact`] with `certainty`.
#[must_use]
pub fn held(held: &Held) -> Value {
    let mut object = fact(&held.fact);
    if let Some(map) = object.as_object_mut() {
        map.insert("certainty".to_owned(), json!(certainty(held.certainty)));
    }
    object
}

/// `facts` and `suppressed`.
#[must_use]
pub fn answer(answer: &Answer) -> Value {
    json!({ "facts": answer.facts.iter().map(held).collect::<Vec<_>>(), "suppressed": answer.suppressed })
}

/// `appeared`, `vanished`, and `changed` as pairs of `before` and `after`.
#[must_use]
pub fn diff(diff: &Diff) -> Value {
    json!({
        "appeared": diff.appeared.iter().map(held).collect::<Vec<_>>(),
        "vanished": diff.vanished.iter().map(held).collect::<Vec<_>>(),
        "changed": diff.changed.iter().map(|(before, after)| json!({ "before": held(before), "after": held(after) })).collect::<Vec<_>>(),
    })
}

/// `reached`, `stopped_at` and `cut`.
#[must_use]
pub fn neighbourhood(found: &Neighbourhood) -> Value {
    json!({
        "reached": found
            .reached
            .iter()
            .map(|one| json!({ "entity": term(&one.entity), "hops": one.hops, "through": one.through.as_ref().map(held) }))
            .collect::<Vec<_>>(),
        "stopped_at": found.stopped_at.iter().map(term).collect::<Vec<_>>(),
        "cut": found.cut,
    })
}

/// An observation as recorded, without its claims.
#[must_use]
pub fn observation(stored: &StoredObservation) -> Value {
    let observation = &stored.observation;
    json!({
        "id": observation.id.to_string(),
        "kind": kind(observation.kind),
        "observed_at": observation.observed_at.to_string(),
        "recorded_at": instant(stored.tx),
        "source": { "authority": authority(observation.source.authority), "name": observation.source.name },
        "session": observation.session,
        "speaker": observation.speaker,
        "role": observation.role,
        "key": observation.key,
        "text": observation.text,
    })
}

/// `fact`, `ended`, `ended_by`, `rivals`, `notes` and `sources`.
#[must_use]
pub fn why(why: &Why) -> Value {
    let explanation = &why.explanation;
    json!({
        "fact": fact(&explanation.fact),
        "ended": explanation.ended,
        "ended_by": explanation.ended_by.map(|claim| claim.to_string()),
        "undo": explanation.undo.map(|claim| claim.to_string()),
        "rivals": explanation.rivals.iter().map(fact).collect::<Vec<_>>(),
        "notes": explanation
            .notes
            .iter()
            .map(|(text, claim)| json!({ "text": text, "claim": claim.map(|claim| claim.to_string()) }))
            .collect::<Vec<_>>(),
        "sources": why
            .sources
            .iter()
            .map(|source| {
                json!({
                    "claim": source.claim.to_string(),
                    "supports": explanation.fact.supported_by.contains(&source.claim),
                    "words": source.words,
                    "observation": observation(&source.observation),
                })
            })
            .collect::<Vec<_>>(),
    })
}

/// `fact` (null), `source` and `told`, of a claim that supports no fact.
#[must_use]
pub fn beliefs(beliefs: &Beliefs) -> Value {
    let source = &beliefs.source;
    json!({
        "fact": null,
        "source": { "claim": source.claim.to_string(), "words": source.words, "observation": observation(&source.observation) },
        "told": beliefs
            .told
            .iter()
            .map(|told| json!({ "at": instant(told.tx), "believed": told.believed, "whole": told.whole, "because": told.because }))
            .collect::<Vec<_>>(),
    })
}

/// What a write changed in the facts.
#[must_use]
pub fn applied(applied: &Applied) -> Value {
    json!({
        "opened": applied.opened,
        "closed": applied.closed,
        "reopened": applied.reopened,
        "contested": applied.contested,
        "changed": applied.changed,
        "withdrawn": applied.withdrawn,
        "unmet": applied.unmet,
    })
}

/// The part of a receipt that does not name a file.
#[must_use]
pub fn receipt(receipt: &Receipt) -> Value {
    json!({
        "observations": receipt.observations,
        "claims": receipt.claims,
        "duplicates": receipt.duplicates,
        "rejected_count": receipt.rejected_count,
        "masked": receipt.masked,
        "withheld": receipt.withheld,
        "pending": receipt.pending,
        "left_out": receipt.left_out,
        "merged": receipt.merged,
        "doubts": receipt.doubts.iter().map(doubt).collect::<Vec<_>>(),
        "cost": {
            "calls": receipt.cost.calls,
            "prompt_tokens": receipt.cost.prompt_tokens,
            "completion_tokens": receipt.cost.completion_tokens,
            "micros": receipt.cost.micros,
        },
        "facts": applied(&receipt.applied),
        "tx": receipt.tx.map_or(Value::Null, instant),
    })
}

/// What an update in SPARQL did.
#[cfg(feature = "sparql")]
#[must_use]
pub fn updated(done: &crate::memory::Updated) -> Value {
    let mut told = json!({ "asserted": done.asserted, "ended": done.ended, "absent": done.absent });
    if let (Some(told), Value::Object(receipt)) = (told.as_object_mut(), receipt(&done.receipt)) {
        told.extend(receipt);
    }
    told
}

/// A mention that may mean entities known by other names.
#[must_use]
pub fn doubt(doubt: &Doubt) -> Value {
    json!({ "mention": term(&doubt.mention), "candidates": doubt.likely.iter().map(likely).collect::<Vec<_>>() })
}

/// An entity that a mention may mean.
#[must_use]
pub fn likely(likely: &Likely) -> Value {
    let Evidence { name, signs, score, .. } = &likely.evidence;
    json!({ "entity": term(&likely.entity), "name": name, "score": score, "why": signs.iter().map(ToString::to_string).collect::<Vec<_>>() })
}

/// Two entities that may be one.
#[must_use]
pub fn proposal(proposal: &Proposal) -> Value {
    let Proposal { from, into, evidence, only } = proposal;
    json!({
        "from": term(from),
        "into": term(into),
        "score": evidence.score,
        "why": evidence.signs.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "only": only,
    })
}

/// A line or claim that was not taken.
#[must_use]
pub fn rejection(rejection: &Rejection) -> Value {
    json!({ "line": rejection.line, "field": rejection.field, "reason": rejection.reason })
}

/// What an erasure removed.
#[must_use]
pub fn erased(erased: &Erased) -> Value {
    json!({
        "observations": erased.observations,
        "claims": erased.claims,
        "reasons": erased.reasons,
        "overrides": erased.overrides,
        "others": erased.others,
        "completed_earlier": erased.completed,
        "facts": applied(&erased.applied),
    })
}

/// Counts.
#[must_use]
pub fn stats(stats: &Stats) -> Value {
    json!({
        "observations": stats.observations,
        "claims": stats.claims,
        "retracted": stats.retracted,
        "facts": stats.facts,
        "open": stats.open,
        "contested": stats.contested,
        "entities": stats.entities,
        "relations": stats.relations,
        "unknown_relations": stats.unknown_relations.iter().map(|(name, claims)| json!({ "name": name, "claims": claims })).collect::<Vec<_>>(),
        "bytes_on_disk": stats.bytes_on_disk,
        "bytes_in_memory": stats.bytes_in_memory,
    })
}

/// What `verify` found.
#[must_use]
pub fn verification(found: &Verification) -> Value {
    json!({ "ok": found.problems.is_empty(), "records": found.records, "facts": found.facts, "problems": found.problems })
}

/// A relation's policy.
#[must_use]
pub fn policy(policy: &RelationPolicy) -> Value {
    json!({
        "cardinality": cardinality(policy.cardinality),
        "inverse_cardinality": cardinality(policy.inverse_cardinality),
        "symmetric": policy.symmetric,
        "inverse_of": policy.inverse_of,
        "excludes": policy.excludes,
        "domain": policy.domain,
        "range": policy.range,
        "kind": relation_kind(policy.kind),
        "resumes": policy.resumes,
        "on_conflict": on_conflict(policy.on_conflict),
        "authority": authority_mode(policy.authority),
        "ttl_seconds": policy.ttl_micros.map(|micros| micros / 1_000_000),
        "sensitive": policy.sensitive,
        "description": policy.description,
        "aliases": policy.aliases.iter().map(|(language, aliases)| (language.clone(), json!(aliases))).collect::<serde_json::Map<_, _>>(),
    })
}

/// The word for a cardinality.
#[must_use]
pub const fn cardinality(cardinality: Cardinality) -> &'static str {
    match cardinality {
        Cardinality::One => "one",
        Cardinality::Many => "many",
    }
}

/// The word for a relation's kind.
#[must_use]
pub const fn relation_kind(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::State => "state",
        RelationKind::Event => "event",
        RelationKind::Permanent => "permanent",
    }
}

/// The word for what becomes of a conflict.
#[must_use]
pub const fn on_conflict(on_conflict: OnConflict) -> &'static str {
    match on_conflict {
        OnConflict::Contest => "contest",
        OnConflict::Newest => "newest",
    }
}

/// The word for how ranks count.
#[must_use]
pub const fn authority_mode(mode: AuthorityMode) -> &'static str {
    match mode {
        AuthorityMode::Ranked => "ranked",
        AuthorityMode::Equal => "equal",
        AuthorityMode::Strict => "strict",
    }
}

/// The word for a source's rank.
#[must_use]
pub const fn authority(authority: Authority) -> &'static str {
    match authority {
        Authority::Inference => "inference",
        Authority::Assistant => "assistant",
        Authority::Tool => "tool",
        Authority::Document => "document",
        Authority::Curated => "curated",
        Authority::User => "user",
    }
}

/// The word for a polarity.
#[must_use]
pub const fn polarity(polarity: Polarity) -> &'static str {
    match polarity {
        Polarity::Holds => "holds",
        Polarity::Ends => "ends",
        Polarity::Never => "never",
    }
}

/// The word for a kind of observation.
#[must_use]
pub const fn kind(kind: ObservationKind) -> &'static str {
    match kind {
        ObservationKind::Chat => "chat",
        ObservationKind::Document => "document",
        ObservationKind::ToolResult => "tool_result",
        ObservationKind::Claims => "claims",
    }
}
