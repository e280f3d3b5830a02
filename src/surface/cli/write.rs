//! The writing commands other than `remember`: judging and erasing. Each says exactly what it changed. Knows nothing of input formats.

use super::args::{Erase, Judge};
use super::context::{Context, is_id_prefix};
use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean, count};
use super::read::{Outcome, merge, print_json, print_object};
use super::words::{quoted, said_at, value};
use crate::graph::Applied;
use crate::ledger::{Retractable, StoredObservation};
use crate::memory::{EraseTarget, TenantId};
use crate::model::{ObservationId, Term};
use crate::surface::transfer::{self, Envelope, SCHEMA};
use serde_json::{Value, json};
use std::io::{self, BufRead, IsTerminal, Write};

/// Says what a write changed in the facts.
pub(super) fn changed(context: &Context, screen: &mut Screen<'_>, command: &str, applied: &Applied, done: &str, about: Value) -> Outcome {
    if context.json {
        let mut body = about;
        merge(&mut body, json!({ "facts": transfer::applied(applied) }));
        print_json(screen, context, command, None, body)?;
        return Ok(DONE);
    }
    screen.line(done)?;
    screen.pieces(&[(Paint::Dim, "  "), (Paint::Plain, &consequences(applied))])?;
    Ok(DONE)
}

/// What changed in the facts, in words.
pub(super) fn consequences(applied: &Applied) -> String {
    let parts: Vec<String> = [
        (applied.opened, "new fact", "new facts"),
        (applied.closed, "fact closed", "facts closed"),
        (applied.reopened, "fact open again", "facts open again"),
        (applied.contested, "fact contested now", "facts contested now"),
        (applied.changed, "fact with other dates", "facts with other dates"),
        (applied.withdrawn, "fact no longer known", "facts no longer known"),
    ]
    .into_iter()
    .filter(|(number, _, _)| *number > 0)
    .map(|(number, one, many)| count(number, one, many))
    .collect();
    if parts.is_empty() { "no fact changed".to_owned() } else { parts.join(", ") }
}

/// `retract` and `restore`.
pub(super) fn judge(context: &Context, screen: &mut Screen<'_>, judge: &Judge, believed: bool) -> Outcome {
    let target = context.retractable(&judge.target)?;
    let applied =
        if believed { context.tenant.restore(target, &judge.because)? } else { context.tenant.retract(target, &judge.because)? };
    let (kind, id) = match target {
        Retractable::Claim(id) => ("claim", id.to_string()),
        Retractable::Observation(id) => ("observation", id.to_string()),
    };
    let (command, word) = if believed { ("restore", "believed again") } else { ("retract", "no longer believed") };
    let undo = if believed { "retract" } else { "restore" };
    let code =
        changed(context, screen, command, &applied, &format!("{kind} {id} is {word}"), json!({ kind: id, "because": judge.because }))?;
    if !context.json {
        screen.pieces(&[(Paint::Dim, &format!("  to undo: erstwhile {undo} {} --because '…'", quoted(&judge.target)))])?;
    }
    Ok(code)
}

enum Doomed {
    Observation(ObservationId),
    Entity(Term),
    Tenant(TenantId),
}

/// `erase`.
pub(super) fn erase(context: &Context, screen: &mut Screen<'_>, erase: &Erase) -> Outcome {
    let doomed = match erase.what.as_slice() {
        [kind, target] => match kind.as_str() {
            "observation" => Doomed::Observation(context.observation(target)?),
            "entity" => Doomed::Entity(Context::term(target)?),
            "tenant" => Doomed::Tenant(TenantId::new(target)?),
            _ => {
                return Err(Failure::given(
                    "KIND",
                    kind,
                    "what to erase is an observation, an entity or a tenant",
                    "`erstwhile erase entity NAME`",
                ));
            }
        },
        [target] => guessed(context, target)?,
        _ => return Err(Failure::given("KIND", "", "nothing was named", "`erstwhile erase --help`")),
    };
    match doomed {
        Doomed::Observation(id) => {
            let stored = context.tenant.observation(id)?;
            agree(erase.yes, &describe(&stored))?;
            erased(context, screen, &EraseTarget::Observation(id), &format!("observation {id}"))
        }
        Doomed::Entity(term) => {
            let what = value(&term);
            agree(erase.yes, &format!("every observation that names {what}, with its text and all its claims"))?;
            erased(context, screen, &EraseTarget::Entity(term), &format!("entity {what}"))
        }
        Doomed::Tenant(id) => {
            let name = clean(id.as_str());
            let tenant = context.memory.tenant(&id);
            let stats = tenant.stats()?;
            let held = format!("{}, {}", count(stats.observations, "observation", "observations"), count(stats.claims, "claim", "claims"));
            agree(erase.yes, &format!("tenant {name} and its files: {held}"))?;
            context.memory.erase_tenant(&id)?;
            if context.json {
                let body = json!({ "observations": stats.observations, "claims": stats.claims, "files": true });
                print_object(screen, &Envelope { schema: SCHEMA, command: "erase", tenant: Some(id.as_str()), as_of: None, body })?;
            } else {
                screen.line(&format!("erased tenant {name}: {held}, and its files"))?;
            }
            Ok(DONE)
        }
    }
}

/// What a lone target means: an observation or an entity, where it cannot be both.
fn guessed(context: &Context, target: &str) -> Result<Doomed, Failure> {
    let observation = context.tenant.find_observation(target);
    let term = Context::term(target)?;
    let entity = context.tenant.at(context.tenant.now())?.about(&term).is_ok();
    match (observation, entity) {
        (Ok(id), false) => Ok(Doomed::Observation(id)),
        (Ok(_), true) => Err(Failure::given(
            "TARGET",
            target,
            "it is both an observation and an entity",
            "say which: `erstwhile erase observation …` or `erstwhile erase entity …`",
        )),
        (Err(_), true) => Ok(Doomed::Entity(term)),
        (Err(error), false) if is_id_prefix(target) => Err(error.into()),
        (Err(_), false) => Err(crate::memory::Error::NotFound { what: "observation or entity", name: target.to_owned() }.into()),
    }
}

fn describe(stored: &StoredObservation) -> String {
    let observation = &stored.observation;
    let text = observation.text.as_deref().map_or_else(String::new, |text| format!(" “{}”", super::output::shorten(&clean(text), 200)));
    format!(
        "observation {} of {}{text} and {}",
        observation.id,
        said_at(observation.observed_at),
        count(stored.claims.len() as u64, "claim", "claims")
    )
}

/// Asks on a terminal; elsewhere only `--yes` is an answer.
fn agree(yes: bool, what: &str) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Failure::NotAgreed("there is no terminal to ask on"));
    }
    let mut err = io::stderr().lock();
    write!(err, "This erases {what}.\nIt cannot be undone, and no copy is kept. Erase? [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") { Ok(()) } else { Err(Failure::NotAgreed("the answer was not yes")) }
}

fn erased(context: &Context, screen: &mut Screen<'_>, target: &EraseTarget, what: &str) -> Outcome {
    let erased = context.tenant.erase(target)?;
    if context.json {
        print_json(screen, context, "erase", None, json!({ "target": what, "erased": transfer::erased(&erased) }))?;
        return Ok(DONE);
    }
    screen.line(&format!(
        "erased {what}: {} with text, {}",
        count(erased.observations, "observation", "observations"),
        count(erased.claims, "claim", "claims")
    ))?;
    screen.pieces(&[(Paint::Dim, "  "), (Paint::Plain, &consequences(&erased.applied))])?;
    Ok(DONE)
}
