//! `names`, `resolve`, `merge`, `unmerge` and `merges`: which entities are one, and which may be. Knows nothing of how one tells.

use super::args::{Pair, When};
use super::context::Context;
use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean, count};
use super::read::{Outcome, print_json};
use super::words::{quoted, short_instant, value};
use super::write::{changed, consequences};
use crate::graph::{Applied, ReadError};
use crate::memory::{Doubt, Likely, Proposal};
use crate::model::Term;
use crate::resolve::Evidence;
use crate::surface::transfer;
use serde_json::{Value, json};

/// `names ENTITY`.
pub(super) fn names(context: &Context, screen: &mut Screen<'_>, entity: &str, when: &When) -> Outcome {
    let view = context.view(when)?;
    let term = Context::term(entity)?;
    let likely = match &term {
        Term::Name(name) => context.tenant.candidates(name)?,
        Term::Iri(_) | Term::Blank(_) | Term::Literal(_) => Vec::new(),
    };
    let names = match view.names(&term) {
        Err(ReadError::UnknownEntity(_)) if !likely.is_empty() => Vec::new(),
        names => names?,
    };
    if context.json {
        let names: Vec<Value> = names.iter().map(transfer::term).collect();
        let likely: Vec<Value> = likely.iter().map(transfer::likely).collect();
        print_json(screen, context, "names", Some(view.as_of()), json!({ "names": names, "candidates": likely }))?;
        return Ok(DONE);
    }
    for (at, name) in names.iter().enumerate() {
        screen.pieces(&[(if at == 0 { Paint::Bold } else { Paint::Plain }, &value(name))])?;
    }
    if names.is_empty() {
        screen.line(&format!("nothing is known of {}; it may be another name of", value(&term)))?;
    } else if !likely.is_empty() {
        screen.line("it may be the same as")?;
    }
    let rows: Vec<_> = likely
        .iter()
        .map(|Likely { entity, evidence }| vec![(Paint::Bold, value(entity)), (Paint::Dim, signs(evidence)), (Paint::Dim, score(evidence))])
        .collect();
    screen.table(2, &rows)?;
    Ok(DONE)
}

/// What two names have in common, in words.
fn signs(evidence: &Evidence) -> String {
    evidence.signs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn score(evidence: &Evidence) -> String {
    format!("{:.2}", evidence.score)
}

/// No more new names of a file that may mean others than this are printed for people.
const PRINTED: usize = 5;

/// Tells of new names that may mean entities known by other names.
pub(super) fn doubts(context: &Context, screen: &mut Screen<'_>, doubts: &[Doubt]) -> Result<(), Failure> {
    for Doubt { mention, likely } in doubts.iter().take(PRINTED) {
        let meant: Vec<String> =
            likely.iter().map(|one| format!("{} ({}; {})", value(&one.entity), signs(&one.evidence), score(&one.evidence))).collect();
        screen.line(&format!("  {} is new, and may be {}", value(mention), meant.join(", or ")))?;
    }
    if doubts.len() > PRINTED {
        let more = count((doubts.len() - PRINTED) as u64, "more new name", "more new names");
        screen.line(&format!("  and {more} that may mean others: {}", context.paste.command("resolve")))?;
    }
    Ok(())
}

/// `resolve`.
pub(super) fn resolve(context: &Context, screen: &mut Screen<'_>, least: f64, apply: bool) -> Outcome {
    if !(0.0..=1.0).contains(&least) {
        return Err(Failure::given(
            "--least",
            &least.to_string(),
            "a score lies between 0 and 1",
            "0.9 leaves out initials and misspellings",
        ));
    }
    let proposals = context.tenant.proposals(least)?;
    let mut applied = Applied::default();
    let mut merged = 0;
    for Proposal { from, into, evidence, .. } in proposals.iter().filter(|proposal| apply && proposal.only) {
        applied = applied.plus(context.tenant.merge(from, into, &evidence.to_string())?);
        merged += 1;
    }
    if context.json {
        let proposals: Vec<Value> = proposals.iter().map(transfer::proposal).collect();
        let body = json!({ "proposals": proposals, "merged": merged, "facts": transfer::applied(&applied) });
        print_json(screen, context, "resolve", None, body)?;
        return Ok(DONE);
    }
    if proposals.is_empty() {
        screen.line("no two entities look like one")?;
        return Ok(DONE);
    }
    let done = |only: bool| match (only, apply) {
        (true, true) => (Paint::Good, "merged".to_owned()),
        (true, false) => (Paint::Plain, String::new()),
        (false, _) => (Paint::Warn, "one of several: not merged".to_owned()),
    };
    let rows: Vec<_> = proposals
        .iter()
        .map(|Proposal { from, into, evidence, only }| {
            vec![
                (Paint::Plain, value(from)),
                (Paint::Dim, "may be".to_owned()),
                (Paint::Bold, value(into)),
                (Paint::Dim, signs(evidence)),
                (Paint::Dim, score(evidence)),
                done(*only),
            ]
        })
        .collect();
    screen.table(0, &rows)?;
    if apply {
        screen.line(&format!("{}; {}", count(merged, "merge", "merges"), consequences(&applied)))?;
    } else if let Some(Proposal { from, into, .. }) = proposals.first() {
        let one = context.paste.command(&format!("merge {} {} --because '…'", quoted(&value(from)), quoted(&value(into))));
        let all = context.paste.command("resolve --apply");
        screen.pieces(&[(Paint::Dim, &format!("to merge one: {one}; all but those of several: {all}"))])?;
    }
    Ok(DONE)
}

/// `merge FROM INTO` and `unmerge FROM INTO`.
pub(super) fn pair(context: &Context, screen: &mut Screen<'_>, pair: &Pair, merged: bool) -> Outcome {
    let (from, into) = (Context::term(&pair.from)?, Context::term(&pair.into)?);
    let (command, applied, done) = if merged {
        let applied = context.tenant.merge(&from, &into, &pair.because)?;
        ("merge", applied, format!("{} is another name of {} now", value(&from), value(&into)))
    } else {
        let applied = context.tenant.unmerge(&from, &into, &pair.because)?;
        ("unmerge", applied, format!("{} and {} are apart again", value(&from), value(&into)))
    };
    changed(context, screen, command, &applied, &done, json!({ "from": transfer::term(&from), "into": transfer::term(&into) }))
}

/// `merges`.
pub(super) fn merges(context: &Context, screen: &mut Screen<'_>) -> Outcome {
    let merges = context.tenant.merges()?;
    if context.json {
        let listed: Vec<Value> = merges
            .iter()
            .map(|merge| {
                json!({
                    "from": transfer::term(&merge.from),
                    "into": transfer::term(&merge.into),
                    "because": merge.because,
                    "tx": transfer::instant(merge.tx),
                    "undone": merge.undone.as_ref().map(|(tx, because)| json!({ "tx": transfer::instant(*tx), "because": because })),
                })
            })
            .collect();
        print_json(screen, context, "merges", None, json!({ "merges": listed }))?;
        return Ok(DONE);
    }
    if merges.is_empty() {
        screen.line("no entities were ever merged")?;
    }
    let rows: Vec<_> = merges
        .iter()
        .map(|merge| {
            let undone = merge.undone.as_ref();
            let undone = undone.map_or_else(String::new, |(tx, because)| format!("undone {}: {}", short_instant(*tx), clean(because)));
            vec![
                (Paint::Plain, value(&merge.from)),
                (Paint::Dim, "is".to_owned()),
                (Paint::Bold, value(&merge.into)),
                (Paint::Dim, format!("since {}: {}", short_instant(merge.tx), clean(&merge.because))),
                (Paint::Warn, undone),
            ]
        })
        .collect();
    screen.table(0, &rows)?;
    Ok(DONE)
}
