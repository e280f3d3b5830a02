//! What recall found as JSON. Knows no terminal and no network.

use super::transfer::{authority, held, instant, kind, moment, term};
use crate::model::Observation;
use crate::retrieve::{Cut, Hit, Item, Noted, Recalled, Window};
use serde_json::{Value, json};

/// `question` (how it was read), `nothing_known`, `evidence`, `floor`, `hits`, `suppressed` and `cut`.
#[must_use]
pub fn recalled(found: &Recalled) -> Value {
    let reading = &found.reading;
    json!({
        "question": {
            "words": reading.words,
            "speakers": reading.speakers,
            "seeds": reading
                .seeds
                .iter()
                .map(|seed| json!({ "words": seed.surface, "entity": term(&seed.entity), "whole": seed.is_whole }))
                .collect::<Vec<_>>(),
            "times": reading.windows.iter().map(window).collect::<Vec<_>>(),
            "past": reading.is_past,
        },
        "nothing_known": found.knows_nothing(),
        "evidence": rounded(found.basis.evidence),
        "floor": rounded(found.basis.floor),
        "hits": found.hits.iter().map(hit).collect::<Vec<_>>(),
        "suppressed": found.suppressed,
        "cut": found.cut.iter().map(cut).collect::<Vec<_>>(),
    })
}

fn window(window: &Window) -> Value {
    json!({
        "words": window.surface,
        "from": window.from.map(instant),
        "until": window.until.map(instant),
        "moment": window.moment.map(moment),
    })
}

/// A hit: the fact or the observation, its score with its parts, the arms, the path and the notes.
fn hit(hit: &Hit) -> Value {
    let (sort, item) = match &hit.item {
        Item::Fact(fact) => ("fact", held(fact)),
        Item::Observation(observation) => ("observation", said(observation)),
    };
    let arms: Vec<Value> =
        hit.arms.iter().map(|(arm, rank, raw)| json!({ "arm": arm.name(), "rank": rank, "raw": rounded(*raw) })).collect();
    let mut object = json!({
        "score": rounded(hit.score),
        "parts": {
            "relevance": rounded(hit.parts.relevance),
            "importance": rounded(hit.parts.importance),
            "recency": rounded(hit.parts.recency),
            "credibility": rounded(hit.parts.credibility),
        },
        "arms": arms,
        "path": hit.path.iter().map(|step| json!({ "fact": step.fact.0.to_string(), "words": step.words })).collect::<Vec<_>>(),
        "notes": hit.notes.iter().map(noted).collect::<Vec<_>>(),
        "tokens": hit.tokens,
    });
    if let Some(map) = object.as_object_mut() {
        map.insert(sort.to_owned(), item);
    }
    object
}

fn said(observation: &Observation) -> Value {
    json!({
        "id": observation.id.to_string(),
        "kind": kind(observation.kind),
        "observed_at": observation.observed_at.to_string(),
        "source": { "authority": authority(observation.source.authority), "name": observation.source.name },
        "session": observation.session,
        "speaker": observation.speaker,
        "role": observation.role,
        "key": observation.key,
        "text": observation.text,
    })
}

fn cut(cut: &Cut) -> Value {
    json!({
        "observation": cut.observation.to_string(),
        "fact": cut.fact.map(|fact| fact.0.to_string()),
        "score": rounded(cut.score),
        "tokens": cut.tokens,
    })
}

/// A note in words.
#[must_use]
pub fn noted(noted: &Noted) -> String {
    match noted {
        Noted::Contested => "contested".to_owned(),
        Noted::Ended => "does not hold then".to_owned(),
        Noted::Superseded => "what it states no longer holds".to_owned(),
        Noted::NewerThan(older) => format!("newer than {older} on the same subject"),
        Noted::InTime(words) => format!("within {words:?}"),
        Noted::Copies(1) => "a near-copy is folded into it".to_owned(),
        Noted::Copies(count) => format!("{count} near-copies are folded into it"),
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
