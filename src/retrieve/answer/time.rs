//! From what was reached to answers: which of several values in time is asked for, when it was, how long, how often.
//!
//! Owns the order of answers. Knows no words.

use super::path::{Found, Reached, Way};
use super::{Answer, Answers, MAX_ANSWERS, Query};
use crate::extract::rules::phrases::{Effect, Side};
use crate::graph::View;
use crate::model::{Fact, TermRef};
use crate::retrieve::question::{Asks, Lexicon, Name, Order, Question};
use crate::time::End;
use std::cmp::Reverse;

/// Answers of what the search found.
///
/// # Errors
/// What was looked for, where there is no such value.
pub(super) fn settle(view: &View, lexicon: &Lexicon, question: &Question, found: Found, query: &Query<'_>) -> Result<Answers, Vec<String>> {
    let read_as = read_as(question, &found.ways);
    let asks = match found.ways.first().and_then(|way| way.steps.last()) {
        Some(step) if question.asks == Asks::When && step.effect == Effect::Ends => Asks::WhenEnded,
        _ => question.asks,
    };
    let dated =
        |way: &Way| way.steps.last().is_some_and(|last| lexicon.end_sorts(&last.relation, last.answers).iter().any(|sort| sort == "date"));
    let is_dated = found.ways.first().is_some_and(dated);
    let mut reached: Vec<Reached> = Vec::new();
    for one in found.ways.into_iter().flat_map(|way| way.reached) {
        if !reached.iter().any(|known| known.path.last().map(|fact| fact.id) == one.path.last().map(|fact| fact.id)) {
            reached.push(one);
        }
    }
    let mut reached = in_order(view, question, reached);
    if asks == Asks::WhenEnded {
        reached.retain(|one| one.path.last().is_some_and(|fact| fact.end != End::Open));
    }
    if asks == Asks::Value && question.order == Order::AsOf && reached.iter().any(|one| one.certainty.is_some()) {
        reached.retain(|one| one.certainty.is_some());
    }
    if reached.is_empty() {
        return Err(read_as);
    }
    let count = (asks == Asks::HowMany).then_some(reached.len() as u64);
    let lasted = if asks == Asks::HowLong { reached.iter().filter_map(|one| lasted(one.path.last()?, query)).next() } else { None };
    let answers: Vec<Answer> = reached
        .into_iter()
        .take(MAX_ANSWERS)
        .filter_map(|one| Some(Answer { term: view.term(one.term)?, path: one.path, certainty: one.certainty }))
        .collect();
    Ok(Answers { asks, answers, as_of: view.as_of(), count, lasted, is_past: question.past, is_dated, read_as })
}

/// How the question was read.
fn read_as(question: &Question, ways: &[Way]) -> Vec<String> {
    let mut lines = vec![format!("from {}", question.from.text())];
    if let Some(way) = ways.first() {
        for step in &way.steps {
            let arrow = if step.answers == Side::Tail { "→" } else { "←" };
            let words = if step.bridge { "implied".to_owned() } else { format!("{:?}", step.said.join(" … ")) };
            lines.push(format!("{arrow} {} ({words})", step.relation));
        }
    }
    let order = match &question.order {
        Order::AsOf => None,
        Order::Ever => Some("at any time".to_owned()),
        Order::First => Some("the first".to_owned()),
        Order::Last => Some("the last".to_owned()),
        Order::Previous => Some("the one before the last".to_owned()),
        Order::Before(name) => Some(format!("the one before {}", name.text())),
        Order::After(name) => Some(format!("the one after {}", name.text())),
    };
    lines.extend(order);
    lines.extend(question.time.as_ref().map(|time| format!("at {} ({})", time.text, time.moment)));
    lines
}

/// The values that are asked for, in the order in which they answer.
fn in_order(view: &View, question: &Question, mut reached: Vec<Reached>) -> Vec<Reached> {
    let start = |one: &Reached| one.path.last().map(|fact| (fact.start.lo(), fact.start.hi()));
    let chosen = match &question.order {
        Order::AsOf | Order::Ever => {
            reached.sort_by_key(|one| (Reverse(one.certainty.is_some()), Reverse(one.certainty), Reverse(start(one))));
            return reached;
        }
        Order::First => reached.iter().filter_map(start).min(),
        Order::Last => reached.iter().filter_map(start).max(),
        Order::Previous => {
            let last = reached.iter().filter_map(start).max();
            reached.iter().filter_map(start).filter(|one| Some(*one) < last).max()
        }
        Order::Before(name) => return beside(view, name, reached, true),
        Order::After(name) => return beside(view, name, reached, false),
    };
    reached.retain(|one| start(one) == chosen);
    reached
}

/// The values before or after another one: the nearest of those that do not overlap it, else the nearest that began on that side.
fn beside(view: &View, name: &Name, reached: Vec<Reached>, before: bool) -> Vec<Reached> {
    let ids: Vec<_> = name.readings.iter().filter_map(|reading| view.term_id(TermRef::Name(reading))).collect();
    let spans = |one: &Reached| one.path.last().map(extent);
    let (others, mut rest): (Vec<Reached>, Vec<Reached>) = reached.into_iter().partition(|one| ids.contains(&one.term));
    let all = others.iter().filter_map(spans);
    let Some((from, to)) = (if before { all.min() } else { all.max() }) else { return Vec::new() };
    let (apart, near): (Vec<_>, Vec<_>) =
        rest.iter().filter_map(spans).partition(|span| if before { span.1 <= from } else { span.0 >= to });
    let chosen = if before {
        let key = |span: &(i64, i64)| (span.1, span.0);
        apart
            .into_iter()
            .max_by_key(key)
            .or_else(|| near.into_iter().filter(|span| span.0 <= from && (span.0, span.1) != (from, to)).max_by_key(key))
    } else {
        apart.into_iter().min().or_else(|| near.into_iter().filter(|span| span.0 >= from && (span.0, span.1) != (from, to)).min())
    };
    rest.retain(|one| chosen.is_some() && spans(one) == chosen);
    rest
}

/// The earliest start and end of a fact that its granules allow, in microseconds.
fn extent(fact: &Fact) -> (i64, i64) {
    (fact.start.lo().micros(), fact.end.lo().micros())
}

/// How long a fact lasted: for sure, and at most where its start and end are bounded, in microseconds; until now where it is open.
fn lasted(fact: &Fact, query: &Query<'_>) -> Option<(i64, Option<i64>)> {
    let now = query.asked_at.micros();
    let (least_end, last_end) = if fact.end == End::Open { (now, now) } else { (fact.end.lo().micros(), fact.end.hi().micros()) };
    let least = least_end.saturating_sub(fact.start.hi().micros()).max(0);
    let most = matches!(fact.start, crate::time::Start::At(_)).then(|| last_end.saturating_sub(fact.start.lo().micros()).max(least));
    Some((least, most))
}
