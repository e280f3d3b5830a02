//! `ask`: a question in words, answered exactly or with why it is not. Knows nothing of how it is read.

use super::args::When;
use super::context::Context;
use super::fail::{DONE, FOUND};
use super::output::{Paint, Screen, clean};
use super::read::{Outcome, print_json, title};
use super::words::{Names, interval};
use crate::graph::View;
use crate::model::Fact;
use crate::retrieve::answer::{Answer, Answers, Outcome as Told, Query};
use crate::retrieve::question::{Asks, MAX_BYTES};
use crate::surface::transfer;
use serde_json::{Value, json};

/// `ask QUESTION`. The exit code is 1 where there is no answer.
pub(super) fn answered(context: &Context, screen: &mut Screen<'_>, text: &str, asker: &str, explain: bool, when: &When) -> Outcome {
    let as_of = context.as_of(when)?;
    let query = Query { text, asked_at: context.now(), zone: context.zone, asker };
    let told = context.tenant.ask(as_of, &query)?;
    let read_at = match &told {
        Told::Answered(answers) => answers.as_of,
        Told::NothingKnown(_) | Told::NotUnderstood(_) => as_of,
    };
    let code = if matches!(told, Told::Answered(_)) { DONE } else { FOUND };
    if context.json {
        print_json(screen, context, "ask", Some(read_at), body(context, text, &told))?;
        return Ok(code);
    }
    let view = context.tenant.at(read_at)?;
    let shown = text.get(..MAX_BYTES.min(text.len())).unwrap_or_default();
    title(screen, context, &clean(shown), &view)?;
    match &told {
        Told::Answered(answers) => answer(context, screen, &view, answers, explain)?,
        Told::NothingKnown(looked) => {
            screen.line("  nothing known")?;
            for line in looked.iter().filter(|_| explain) {
                screen.pieces(&[(Paint::Dim, &format!("  looked for {}", clean(line)))])?;
            }
        }
        Told::NotUnderstood(why) => screen.line(&format!("  not understood: {}", clean(&why.to_string())))?,
    }
    Ok(code)
}

fn answer(context: &Context, screen: &mut Screen<'_>, view: &View, answers: &Answers, explain: bool) -> Result<(), super::fail::Failure> {
    let mut names = Names::new(&context.tenant, view, context.zone);
    names.know(answers.answers.iter().filter_map(Answer::fact));
    if answers.asks != Asks::Value {
        for said in answers.said(&context.zone) {
            screen.pieces(&[(Paint::Plain, "  "), (Paint::Bold, &clean(&said))])?;
        }
    }
    let rows: Vec<_> = answers.answers.iter().filter_map(|answer| Some(row(context, &mut names, answer, answer.fact()?))).collect();
    screen.table(2, &rows)?;
    if explain {
        for line in &answers.read_as {
            screen.pieces(&[(Paint::Dim, &format!("  read as: {}", clean(line)))])?;
        }
        for fact in answers.answers.iter().flat_map(|answer| &answer.path) {
            let (from, to) = interval(fact, context.zone);
            let told = format!("  by {} {} {} ({})", fact.head, fact.relation, fact.tail, [from, to].join(" ").trim());
            screen.pieces(&[(Paint::Dim, &clean(&told))])?;
        }
    }
    Ok(())
}

/// An answer as a row: what it is, whether it surely holds, its interval, what else is to be known of it, its claim.
fn row(context: &Context, names: &mut Names<'_>, answer: &Answer, fact: &Fact) -> Vec<(Paint, String)> {
    let (from, to) = interval(fact, context.zone);
    let holds = match answer.certainty {
        Some(certainty) => (Paint::Good, transfer::certainty(certainty).to_owned()),
        None => (Paint::Dim, "not then".to_owned()),
    };
    let shown = (Paint::Bold, clean(&answer.term.to_string()));
    vec![shown, holds, (Paint::Plain, from), (Paint::Plain, to), (Paint::Warn, names.flags(fact)), (Paint::Dim, names.claim(fact.id.0))]
}

fn body(context: &Context, text: &str, told: &Told) -> Value {
    match told {
        Told::Answered(answers) => json!({
            "question": text,
            "outcome": "answered",
            "said": answers.said(&context.zone),
            "answers": answers.answers.iter().map(|answer| json!({
                "answer": transfer::term(&answer.term),
                "certainty": answer.certainty.map(transfer::certainty),
                "contested": answer.is_contested(),
                "path": answer.path.iter().map(transfer::fact).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "count": answers.count,
            "read_as": answers.read_as,
        }),
        Told::NothingKnown(looked) => {
            json!({ "question": text, "outcome": "nothing known", "said": [], "answers": [], "looked_for": looked })
        }
        Told::NotUnderstood(why) => {
            json!({ "question": text, "outcome": "not understood", "said": [], "answers": [], "reason": why.to_string() })
        }
    }
}
