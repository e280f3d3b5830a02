//! The writing commands other than `remember`: judging and erasing. Each says exactly what it changed. Knows nothing of input formats.

use super::args::{Erase, Judge};
use super::context::{Context, is_id_prefix};
use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean, count};
use super::read::{Outcome, merge, print_json, print_object};
use super::words::{quoted, said_at, value};
use crate::graph::Applied;
use crate::ledger::{Retractable, StoredObservation};
use crate::memory::{EraseTarget, Erased, ErrorKind, Named, TenantId};
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
        (applied.changed, "fact with other dates or flags", "facts with other dates or flags"),
        (applied.withdrawn, "fact no longer known", "facts no longer known"),
    ]
    .into_iter()
    .filter(|(number, _, _)| *number > 0)
    .map(|(number, one, many)| count(number, one, many))
    .collect();
    let changes = if parts.is_empty() { "no fact changed".to_owned() } else { parts.join(", ") };
    match applied.unmet {
        0 => changes,
        unmet => format!("{changes}; {} nothing recorded so far", count(unmet, "correction names", "corrections name")),
    }
}

/// `retract` and `restore`.
pub(super) fn judge(context: &Context, screen: &mut Screen<'_>, judge: &Judge, believed: bool) -> Outcome {
    let because = judge.because.trim();
    if because.is_empty() || because.len() > REASON_MAX_BYTES {
        let reason = if because.is_empty() {
            "there is no reason in it".to_owned()
        } else {
            format!("it has {} bytes, more than {REASON_MAX_BYTES}", because.len())
        };
        let shown: String = because.chars().take(40).collect();
        return Err(Failure::given("--because", &shown, reason, "say in a sentence why, for those who ask later"));
    }
    let target = context.retractable(&judge.target)?;
    let observation = match target {
        Retractable::Claim(claim) => claim.observation,
        Retractable::Observation(observation) => observation,
    };
    named_clearly(observation, judge.target.split('.').next().unwrap_or_default())?;
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
        let undo = context.paste.command(&format!("{undo} {} --because '…'", quoted(&judge.target)));
        screen.pieces(&[(Paint::Dim, &format!("  to undo: {undo}"))])?;
    }
    Ok(code)
}

/// So many are shown one by one; the rest is counted.
const SHOWN: usize = 10;
/// With fewer digits of an id nothing is changed.
const FEWEST_DIGITS: usize = 4;
/// The longest reason, in bytes.
const REASON_MAX_BYTES: usize = 10_000;

enum Doomed {
    Observation(ObservationId),
    Entity(Term),
    Tenant(TenantId),
}

/// `erase`.
pub(super) fn erase(context: &Context, screen: &mut Screen<'_>, erase: &Erase) -> Outcome {
    match erase_now(context, screen, erase) {
        // The records were gone already, and what was left of them may have been why it was asked for once more.
        Err(Failure::Memory(error)) if error.kind() == ErrorKind::NotFound && completed(context)? => {
            let done = Erased { completed: true, ..Erased::default() };
            erased(context, screen, &erase.what.join(" "), &done)
        }
        outcome => outcome,
    }
}

/// Completes an erasure of an existing tenant that was incomplete; says whether one was.
fn completed(context: &Context) -> Result<bool, Failure> {
    match context.tenant.complete_erasure() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        outcome => Ok(outcome?),
    }
}

fn erase_now(context: &Context, screen: &mut Screen<'_>, erase: &Erase) -> Outcome {
    let doomed = match erase.what.as_slice() {
        [kind, target] => match kind.as_str() {
            "observation" => Doomed::Observation(named_clearly(context.observation(target)?, target)?),
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
            let done = context.tenant.erase(&EraseTarget::Observation(id))?;
            erased(context, screen, &format!("observation {id}"), &done)
        }
        Doomed::Entity(term) => {
            let what = value(&term);
            if !erase.yes {
                let named = context.tenant.naming(&term)?;
                if !context.json {
                    foretell(context, screen, &what, &named)?;
                }
                agree(false, &format!("every observation that names {what}, with its text and all its claims"))?;
            }
            let done = context.tenant.erase(&EraseTarget::Entity(term))?;
            erased(context, screen, &format!("entity {what}"), &done)
        }
        Doomed::Tenant(id) => erase_tenant(context, screen, &id, erase.yes),
    }
}

fn erase_tenant(context: &Context, screen: &mut Screen<'_>, id: &TenantId, yes: bool) -> Outcome {
    let name = clean(id.as_str());
    let held = |holds: Option<(u64, u64)>| match holds {
        Some((observations, claims)) => {
            format!("{}, {}", count(observations, "observation", "observations"), count(claims, "claim", "claims"))
        }
        None => "what it held cannot be read".to_owned(),
    };
    if !yes {
        let holds = match context.memory.tenant(id).stats() {
            Ok(stats) => Some((stats.observations, stats.claims)),
            Err(error) if error.kind() == ErrorKind::Corrupt => None,
            Err(error) => return Err(error.into()),
        };
        agree(false, &format!("tenant {name} and its files: {}", held(holds)))?;
    }
    let holds = context.memory.erase_tenant(id)?.map(|holdings| (holdings.observations, holdings.claims));
    if context.json {
        let erased = json!({ "observations": holds.map(|held| held.0), "claims": holds.map(|held| held.1), "files": true });
        let body = json!({ "target": format!("tenant {}", id.as_str()), "erased": erased });
        print_object(screen, &Envelope { schema: SCHEMA, command: "erase", tenant: Some(id.as_str()), as_of: None, body })?;
    } else {
        screen.line(&format!("erased tenant {name}: {}, and its files", held(holds)))?;
    }
    Ok(DONE)
}

/// Shows what an erasure of an entity would remove, and what it would leave.
fn foretell(context: &Context, screen: &mut Screen<'_>, what: &str, named: &Named) -> Result<(), Failure> {
    let total = named.observations.len() as u64;
    screen.line(&format!("{what} is named by {}", count(total, "observation", "observations")))?;
    for id in named.observations.iter().take(SHOWN) {
        screen.line(&format!("  {}", describe(&context.tenant.observation(*id)?)))?;
    }
    if named.observations.len() > SHOWN {
        screen.line(&format!("  and {} more", total - SHOWN as u64))?;
    }
    besides(screen, named.reasons, &named.overrides, &named.others)?;
    Ok(screen.raw().flush()?)
}

/// What is cleaned beside observations, and what stays.
fn besides(screen: &mut Screen<'_>, reasons: u64, overrides: &[String], others: &[String]) -> Result<(), Failure> {
    if reasons > 0 {
        let reasons = count(reasons, "retraction or restoration", "retractions and restorations");
        screen.line(&format!("  the reason of {reasons} of something else names it, and is emptied"))?;
    }
    if !overrides.is_empty() {
        let overrides = listed(overrides);
        screen.line(&format!(
            "  words that name it are taken out of the overrides of {overrides}: `erstwhile relations show` tells what is in force"
        ))?;
    }
    if !others.is_empty() {
        screen.line(&format!("  not erased: {} (other names that contain it; erase them by name)", listed(others)))?;
    }
    Ok(())
}

/// The first names of a list, and how many there are besides.
fn listed(names: &[String]) -> String {
    let text = names.iter().take(SHOWN).map(|name| quoted(&clean(name))).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{text} and {} more", names.len() - SHOWN) } else { text }
}

/// An observation, unless so few digits of its id were given that another one may have been meant.
fn named_clearly(id: ObservationId, target: &str) -> Result<ObservationId, Failure> {
    if target.len() < FEWEST_DIGITS && id.to_string().starts_with(&target.to_lowercase()) {
        let reason = format!("fewer than {FEWEST_DIGITS} digits of an id do not say clearly what is to be changed");
        return Err(Failure::given("TARGET", target, reason, "give more digits of the id, or the observation's key"));
    }
    Ok(id)
}

/// What a lone target means: an observation or an entity, where it cannot be both.
fn guessed(context: &Context, target: &str) -> Result<Doomed, Failure> {
    let observation = context.tenant.find_observation(target);
    let term = Context::term(target)?;
    let entity = context.tenant.at(context.tenant.now())?.about(&term).is_ok();
    match (observation, entity) {
        // It is an observation's name already, and of which one is not clear.
        (Err(error @ crate::memory::Error::Ambiguous { .. }), _) => Err(error.into()),
        (Ok(id), false) => Ok(Doomed::Observation(named_clearly(id, target)?)),
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

fn erased(context: &Context, screen: &mut Screen<'_>, what: &str, erased: &Erased) -> Outcome {
    if context.json {
        print_json(screen, context, "erase", None, json!({ "target": what, "erased": transfer::erased(erased) }))?;
        return Ok(DONE);
    }
    let is_nothing = erased.observations == 0 && erased.reasons == 0 && erased.overrides.is_empty();
    if !is_nothing {
        screen.line(&format!(
            "erased {what}: {}, {}",
            count(erased.observations, "observation", "observations"),
            count(erased.claims, "claim", "claims")
        ))?;
        besides(screen, erased.reasons, &erased.overrides, &erased.others)?;
        screen.pieces(&[(Paint::Dim, "  "), (Paint::Plain, &consequences(&erased.applied))])?;
    }
    if erased.completed {
        screen.line("an earlier erasure was incomplete, and is complete now: no text of it is left in the files")?;
    }
    if is_nothing {
        screen.line(&format!("nothing more is there of {}", clean(what)))?;
    }
    Ok(DONE)
}
