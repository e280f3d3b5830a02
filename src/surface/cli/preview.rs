//! `remember --dry-run` and `extract`: what would be kept of a text, masked in it and left out of it, and why. Writes nothing.

use super::args;
use super::context::Context;
use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean, shorten};
use super::read::{Outcome, merge, print_json};
use super::words::value;
use crate::ledger::LedgerError;
use crate::memory::{Error, Handling};
use crate::model::{Authority, Claim, Observation, ObservationId, ObservationKind, Polarity, Source};
use crate::observe::{Incoming, ReadOptions, Reader, Rejection};
use crate::policy::{Fate, Masked, Place};
use crate::surface::transfer;
use crate::time::{Zone, ZonedInstant};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read};

/// So many observations are looked at together.
const BATCH: usize = 1_000;
/// A text to extract from is no longer.
const LONGEST_TEXT: u64 = 4 << 20;
/// A text of a preview is not shown wider.
const SHOWN_COLUMNS: usize = 400;

/// What a file would become, printed as it is read; gives how many lines were rejected.
///
/// # Errors
/// What the memory or the reader says.
pub(super) fn dry_run<R: BufRead>(context: &Context, screen: &mut Screen<'_>, reader: Reader<R>) -> Result<u64, Failure> {
    let mut rejected = 0;
    let mut batch = Vec::new();
    for item in reader {
        match item.map_err(|source| Failure::Input { path: "-".into(), source })? {
            Ok(incoming) => batch.push(incoming),
            Err(rejection) => {
                rejected += 1;
                refused_line(context, screen, &rejection)?;
            }
        }
        if batch.len() >= BATCH {
            tell(context, screen, std::mem::take(&mut batch))?;
        }
    }
    tell(context, screen, batch)?;
    Ok(rejected)
}

fn tell(context: &Context, screen: &mut Screen<'_>, batch: Vec<Incoming>) -> Result<(), Failure> {
    for handled in context.tenant.preview(batch)? {
        let known = is_recorded(context, handled.observation.id)?;
        if context.json {
            let mut body = object(&handled);
            merge(&mut body, json!({ "recorded_already": known }));
            print_json(screen, context, "remember --dry-run", None, body)?;
        } else {
            printed(screen, &handled, context.zone)?;
            if known {
                screen.pieces(&[(Paint::Dim, "  recorded already: it would change nothing")])?;
            }
        }
    }
    Ok(())
}

fn is_recorded(context: &Context, id: ObservationId) -> Result<bool, Failure> {
    match context.tenant.observation(id) {
        Ok(_) => Ok(true),
        Err(Error::NotFound { .. } | Error::Ledger(LedgerError::UnknownTenant { .. })) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn refused_line(context: &Context, screen: &mut Screen<'_>, rejection: &Rejection) -> Result<(), Failure> {
    if context.json {
        return print_json(screen, context, "remember --dry-run", None, transfer::rejection(rejection));
    }
    Ok(screen.pieces(&[(Paint::Bad, "rejected "), (Paint::Plain, &clean(&rejection.to_string()))])?)
}

/// `extract TEXT`.
pub(super) fn extract(context: &Context, screen: &mut Screen<'_>, asked: &args::Extract) -> Outcome {
    let text = asked.text.join(" ");
    let text = if text == "-" {
        let mut text = String::new();
        io::stdin().lock().take(LONGEST_TEXT).read_to_string(&mut text).map_err(|error| Failure::file("-".as_ref(), error))?;
        text
    } else {
        text
    };
    let incoming = incoming(context, asked, text)?;
    let explanation = if asked.explain { context.tenant.explain_extraction(&incoming)? } else { None };
    for handled in context.tenant.preview(vec![incoming])? {
        if context.json {
            let mut body = object(&handled);
            if let (Some(explanation), Some(map)) = (&explanation, body.as_object_mut()) {
                let words: Vec<String> = explanation.words.iter().map(ToString::to_string).collect();
                let patterns: Vec<_> = explanation.claims.iter().map(|one| json!({ "pattern": one.pattern, "said": one.said })).collect();
                map.insert("words".to_owned(), json!(words));
                map.insert("patterns".to_owned(), json!(patterns));
            }
            print_json(screen, context, "extract", None, body)?;
        } else {
            printed(screen, &handled, context.zone)?;
            for line in explanation.iter().flat_map(|explanation| explanation.to_string().lines().map(str::to_owned).collect::<Vec<_>>()) {
                screen.line(&clean(&line))?;
            }
        }
    }
    Ok(DONE)
}

fn incoming(context: &Context, asked: &args::Extract, text: String) -> Result<Incoming, Failure> {
    let mut options = ReadOptions::default();
    let next = "write `user`, `curated`, `document`, `tool`, `assistant` or `inference`";
    options.set_source(&asked.source).map_err(|error| Failure::given("--source", &asked.source, error.to_string(), next))?;
    let at = match asked.observed_at.as_deref() {
        Some(text) => context.moment("--observed-at", text)?.lo(),
        None => context.now(),
    };
    let offset_minutes = i16::try_from(context.zone.offset_seconds(at) / 60).unwrap_or_default();
    let source = Source { authority: options.authority.unwrap_or(Authority::User), name: options.source_name };
    let kind = match source.authority {
        Authority::Document | Authority::Curated => ObservationKind::Document,
        Authority::Tool => ObservationKind::ToolResult,
        Authority::User | Authority::Assistant | Authority::Inference => ObservationKind::Chat,
    };
    let read = Incoming::from_text(kind, ZonedInstant { at, offset_minutes }, source, text);
    Ok(Incoming::new(Observation { speaker: asked.speaker.clone(), ..read.observation }, Vec::new()))
}

/// One observation for people: what is stored, then each claim, mask, refusal.
fn printed(screen: &mut Screen<'_>, handled: &Handling, zone: Zone) -> Result<(), Failure> {
    let line = if handled.line > 0 { format!("line {}  ", handled.line) } else { String::new() };
    let fate = match handled.fate {
        Fate::Facts if handled.is_withheld() => "  not stored: nothing of it is taken".to_owned(),
        Fate::Facts => String::new(),
        Fate::Text(why) => format!("  stored, not read: {why}"),
        Fate::Nothing(why) => format!("  not stored: {why}"),
    };
    let text = handled.observation.text.as_deref().map_or_else(String::new, |text| shorten(&clean(text), SHOWN_COLUMNS));
    screen.pieces(&[(Paint::Dim, &line), (Paint::Bold, &text), (Paint::Warn, &fate)])?;
    let claims: Vec<_> = handled.kept.iter().map(|kept| claim_row(&kept.claim, zone)).collect();
    screen.table(2, &claims)?;
    for masked in &handled.masked {
        screen.pieces(&[(Paint::Warn, "  masked  "), (Paint::Plain, &format!("{}{}", masked.kind.name(), place(masked)))])?;
    }
    for refused in &handled.refused {
        let reason = format!("{}: {}", refused.why, clean(&refused.reason));
        screen.pieces(&[(Paint::Warn, "  left out  "), (Paint::Plain, &reason)])?;
    }
    for rejected in &handled.rejected {
        let reason = format!("{}: {}", rejected.kind, clean(&rejected.reason));
        screen.pieces(&[(Paint::Dim, "  no claim  "), (Paint::Dim, &reason)])?;
    }
    if let Some(failure) = handled.status.failure() {
        screen.pieces(&[(Paint::Bad, "  waits  "), (Paint::Plain, &clean(failure))])?;
    }
    Ok(())
}

fn claim_row(claim: &Claim, zone: Zone) -> Vec<(Paint, String)> {
    let (from, to) = (claim.span.start().describe_in(&zone), claim.span.end().describe_in(&zone));
    let when = match claim.polarity {
        Polarity::Holds => format!("{from}, {to}"),
        Polarity::Ends => format!("ended {to}"),
        Polarity::Never => format!("never: {from}, {to}"),
    };
    vec![
        (Paint::Bold, value(&claim.head)),
        (Paint::Plain, clean(&claim.relation)),
        (Paint::Bold, value(&claim.tail)),
        (Paint::Plain, when),
        (Paint::Dim, format!("confidence {:.2}, importance {:.2}", claim.confidence, claim.importance)),
    ]
}

fn place(masked: &Masked) -> String {
    match masked.place {
        Place::Text(quote) => format!(" at characters {} to {}", quote.from, quote.to),
        Place::Field(field) => format!(" in {field}"),
        Place::Claim { ordinal, field } => format!(" in the {field} of claim {ordinal}"),
    }
}

fn object(handled: &Handling) -> Value {
    let (fate, why) = match handled.fate {
        Fate::Facts if handled.is_withheld() => ("nothing", None),
        Fate::Facts => ("facts", None),
        Fate::Text(why) => ("text", Some(why.name())),
        Fate::Nothing(why) => ("nothing", Some(why.name())),
    };
    let claims: Vec<Value> = handled
        .kept
        .iter()
        .map(|kept| {
            let claim = &kept.claim;
            json!({
                "head": transfer::term(&claim.head),
                "relation": claim.relation,
                "tail": transfer::term(&claim.tail),
                "polarity": transfer::polarity(claim.polarity),
                "from": transfer::start(claim.span.start()),
                "to": transfer::end(claim.span.end()),
                "confidence": claim.confidence,
                "importance": claim.importance,
                "quote": claim.quote.map(|quote| [quote.from, quote.to]),
                "extractor": claim.extractor,
            })
        })
        .collect();
    json!({
        "line": handled.line,
        "observation": handled.observation.id.to_string(),
        "text": handled.observation.text,
        "stored_as": fate,
        "because": why,
        "claims": claims,
        "masked": handled.masked.iter().map(|masked| json!({ "kind": masked.kind.name(), "place": place(masked).trim() })).collect::<Vec<_>>(),
        "left_out": handled.refused.iter().map(|refused| json!({ "reason": refused.why.name(), "says": refused.reason })).collect::<Vec<_>>(),
        "no_claim": handled.rejected.iter().map(|one| json!({ "reason": one.kind.name(), "says": one.reason })).collect::<Vec<_>>(),
        "waits": handled.status.failure(),
    })
}
