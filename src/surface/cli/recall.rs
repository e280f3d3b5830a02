//! `recall`: what to know before answering, as a block for a prompt, as Markdown or as JSON, with an explanation where it is asked for.
//! Knows no ranking.

use super::args::{Recall, RecallFormat};
use super::context::Context;
use super::fail::{DONE, FOUND, Failure};
use super::hand::written_by_hand;
use super::output::{Paint, Screen, clean, shorten};
use super::read::{Outcome, print_json};
use crate::retrieve::{Hit, Item, Query, Recalled, Weights, to_markdown, to_prompt};
use crate::surface::recalled;
use std::path::Path;

/// `recall QUESTION`. Exits with 1 where nothing is known.
pub(super) fn recall(context: &Context, screen: &mut Screen<'_>, asked: &Recall) -> Outcome {
    let as_of = context.position(("--at", asked.at.as_deref()), ("--known-at", asked.known_at.as_deref()))?;
    let query = Query {
        as_of: Some(as_of),
        zone: context.zone,
        limit: asked.limit,
        hops: asked.hops,
        budget: asked.budget,
        weights: asked.weights.as_deref().map_or_else(|| Ok(Weights::default()), weights)?,
        facts: !asked.no_facts,
        observations: !asked.no_observations,
        history: asked.history,
        whatever: asked.whatever,
        ..Query::new(&asked.question)
    };
    let found = context.tenant.recall(&query)?;
    let code = if found.knows_nothing() { FOUND } else { DONE };
    if context.json {
        print_json(screen, context, "recall", Some(as_of), recalled::recalled(&found))?;
        return Ok(code);
    }
    let text = match asked.format {
        RecallFormat::Prompt => to_prompt(&found, context.zone),
        RecallFormat::Markdown => to_markdown(&found, context.zone),
    };
    for line in text.lines() {
        screen.line(&clean(line))?;
    }
    if asked.explain {
        explain(screen, &found)?;
    }
    Ok(code)
}

/// Weights by the name of a preset, or from a file.
fn weights(given: &str) -> Result<Weights, Failure> {
    if let Some(preset) = Weights::preset(given) {
        return Ok(preset);
    }
    let path = Path::new(given);
    let wrong = |reason: String| {
        Failure::given(
            "--weights",
            given,
            reason,
            format!("a preset is one of {}, everything else a TOML file", Weights::PRESETS.join(", ")),
        )
    };
    if !path.exists() {
        return Err(wrong("there is no such preset and no such file".to_owned()));
    }
    Weights::read(&written_by_hand(path)?).map_err(|error| wrong(error.to_string()))
}

/// How the question was read, and for each hit the arms, the parts of its score, the path and the notes.
fn explain(screen: &mut Screen<'_>, found: &Recalled) -> Result<(), Failure> {
    let reading = &found.reading;
    screen.line("")?;
    let mut rows = vec![("words", reading.words.join(", ")), ("speakers", reading.speakers.join(", "))];
    rows.push(("entities", reading.seeds.iter().map(|seed| seed.entity.to_string()).collect::<Vec<_>>().join(", ")));
    rows.push(("times", reading.windows.iter().map(|window| window.surface.clone()).collect::<Vec<_>>().join(", ")));
    let (evidence, floor) = (found.basis.evidence, found.basis.floor);
    rows.push(("evidence", format!("{evidence:.2}, floor {floor:.2}")));
    for (what, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        screen.pieces(&[(Paint::Dim, &format!("{what:<9} ")), (Paint::Plain, &clean(&value))])?;
    }
    for (number, hit) in (1..).zip(&found.hits) {
        hit_explained(screen, number, hit)?;
    }
    for cut in &found.cut {
        let (observation, tokens) = (cut.observation, cut.tokens);
        screen.pieces(&[(Paint::Dim, &format!("cut by the budget: {observation}, {tokens} tokens"))])?;
    }
    Ok(())
}

fn hit_explained(screen: &mut Screen<'_>, number: usize, hit: &Hit) -> Result<(), Failure> {
    let what = match &hit.item {
        Item::Fact(held) => format!("{} {} {}", held.fact.head, held.fact.relation, held.fact.tail),
        Item::Observation(observation) => observation.text.clone().unwrap_or_default(),
    };
    let width = screen.width().saturating_sub(16);
    screen.pieces(&[(Paint::Bold, &format!("{number:>3}  {:.4}  ", hit.score)), (Paint::Plain, &shorten(&clean(&what), width))])?;
    let parts = hit.parts;
    let (relevance, importance, recency, credibility) = (parts.relevance, parts.importance, parts.recency, parts.credibility);
    let mut lines =
        vec![format!("{relevance:.4} relevance + {importance:.4} importance + {recency:.4} recency + {credibility:.4} credibility")];
    let arms: Vec<String> = hit.arms.iter().map(|(arm, rank, raw)| format!("{} {rank} ({raw:.3})", arm.name())).collect();
    if !arms.is_empty() {
        lines.push(format!("ranks: {}", arms.join(", ")));
    }
    if !hit.path.is_empty() {
        lines.push(format!("over: {}", hit.path.iter().map(|step| step.words.as_str()).collect::<Vec<_>>().join("; ")));
    }
    lines.extend(hit.notes.iter().map(recalled::noted));
    for line in lines {
        screen.pieces(&[(Paint::Dim, &format!("             {}", clean(&line)))])?;
    }
    Ok(())
}
