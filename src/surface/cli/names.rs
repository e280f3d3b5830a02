//! `names`, `merge`, `unmerge` and `merges`: which entities are one. Knows nothing of how one tells.

use super::args::{Pair, When};
use super::context::Context;
use super::fail::DONE;
use super::output::{Paint, Screen, clean};
use super::read::{Outcome, print_json};
use super::words::{short_instant, value};
use super::write::changed;
use crate::surface::transfer;
use serde_json::{Value, json};

/// `names ENTITY`.
pub(super) fn names(context: &Context, screen: &mut Screen<'_>, entity: &str, when: &When) -> Outcome {
    let view = context.view(when)?;
    let names = view.names(&Context::term(entity)?)?;
    if context.json {
        let names: Vec<Value> = names.iter().map(transfer::term).collect();
        print_json(screen, context, "names", Some(view.as_of()), json!({ "names": names }))?;
        return Ok(DONE);
    }
    for (at, name) in names.iter().enumerate() {
        screen.pieces(&[(if at == 0 { Paint::Bold } else { Paint::Plain }, &value(name))])?;
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
