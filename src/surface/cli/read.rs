//! The reading commands: each asks the facade one question and prints the answer for people or as JSON.
//! Knows nothing of writing.

use super::args::{Diff, When};
use super::context::{Context, is_id_prefix};
use super::fail::{DONE, FOUND, Failure};
use super::measure::{COUNTS, progress};
use super::output::{Paint, Screen, bytes, clean, count, thousands};
use super::paste::Paste;
use super::words::{
    Names, certainty, dates, from_tail, interval, position, quoted, said_at, short_instant, standing, suppressed, typed, value,
};
use crate::graph::{Held, Hops, Neighbour, Neighbourhood, ReadError, View};
use crate::memory::{Error, Why, WhySource};
use crate::model::{Fact, FactId, Term};
use crate::surface::transfer::{self, Envelope, SCHEMA};
use crate::time::{AsOf, Zone};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a command gives: its exit code, or why it could not.
pub(super) type Outcome = Result<u8, Failure>;

/// Prints one JSON object on one line.
pub(super) fn print_json(
    screen: &mut Screen<'_>,
    context: &Context,
    command: &str,
    as_of: Option<AsOf>,
    body: Value,
) -> Result<(), Failure> {
    let envelope = Envelope { schema: SCHEMA, command, tenant: Some(context.id.as_str()), as_of: as_of.map(transfer::as_of), body };
    print_object(screen, &envelope)
}

/// Prints one serialisable object on one line.
pub(super) fn print_object(screen: &mut Screen<'_>, object: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(object).map_err(std::io::Error::from)?;
    Ok(screen.line(&text)?)
}

/// The first line of an answer: what was asked, and where it is read.
pub(super) fn title(screen: &mut Screen<'_>, context: &Context, what: &str, view: &View) -> Result<(), Failure> {
    Ok(screen.pieces(&[(Paint::Bold, what), (Paint::Plain, "   "), (Paint::Dim, &position(view.as_of(), context.zone, context.now()))])?)
}

/// One held fact as a row: certainty, what it is, interval, flags, id.
fn row(names: &mut Names<'_>, held: &Held, what: Vec<String>) -> Vec<(Paint, String)> {
    let (from, to) = interval(&held.fact, names.zone);
    let mut cells: Vec<(Paint, String)> = what.into_iter().map(|cell| (Paint::Bold, cell)).collect();
    cells.push(certainty(held));
    cells.push((Paint::Plain, from));
    cells.push((Paint::Plain, to));
    cells.push((Paint::Warn, names.flags(&held.fact)));
    cells.push((Paint::Dim, names.claim(held.fact.id.0)));
    cells
}

fn nothing(screen: &mut Screen<'_>, text: &str) -> Result<(), Failure> {
    Ok(screen.line(&format!("  {text}"))?)
}

/// `value HEAD RELATION`.
pub(super) fn value_of(context: &Context, screen: &mut Screen<'_>, head: &str, relation: &str, when: &When) -> Outcome {
    let term = Context::term(head)?;
    let view = context.values(when, &term, relation)?;
    let answer = view.values(&term, relation)?;
    if context.json {
        let mut body = json!({ "head": transfer::term(&term), "relation": relation });
        merge(&mut body, transfer::answer(&answer));
        print_json(screen, context, "value", Some(view.as_of()), body)?;
        return Ok(DONE);
    }
    title(screen, context, &format!("{}  {}", value(&term), clean(relation)), &view)?;
    let mut names = Names::new(&context.tenant, &view, context.zone);
    names.know(answer.facts.iter().map(|held| &held.fact));
    let rows: Vec<_> = answer.facts.iter().map(|held| row(&mut names, held, vec![value(other_end(&held.fact, &term, &view))])).collect();
    if rows.is_empty() {
        nothing(screen, "nothing certain or possible then")?;
    }
    screen.table(2, &rows)?;
    let history = context.history(&format!("{} {}", typed(&term), quoted(&clean(relation))), when);
    suppressed(screen, answer.suppressed, &history)?;
    Ok(DONE)
}

/// The end of the fact that is not `asked`: its head where it was asked from the tail's side (an inverse or symmetric relation).
fn other_end<'f>(fact: &'f Fact, asked: &Term, view: &View) -> &'f Term {
    let asked = view.term_id(asked.as_ref());
    if asked.is_some() && view.term_id(fact.head.as_ref()) != asked && view.term_id(fact.tail.as_ref()) == asked {
        &fact.head
    } else {
        &fact.tail
    }
}

/// `about ENTITY`.
pub(super) fn about(context: &Context, screen: &mut Screen<'_>, entity: &str, when: &When) -> Outcome {
    let term = Context::term(entity)?;
    let view = context.slice(when, &term, None)?;
    let about = view.about(&term)?;
    if context.json {
        let mut body = json!({ "entity": transfer::term(&about.entity) });
        merge(&mut body, transfer::answer(&about.answer));
        print_json(screen, context, "about", Some(view.as_of()), body)?;
        return Ok(DONE);
    }
    title(screen, context, &value(&about.entity), &view)?;
    let mut names = Names::new(&context.tenant, &view, context.zone);
    names.know(about.answer.facts.iter().map(|held| &held.fact));
    let me = view.term_id(term.as_ref());
    let rows: Vec<_> = about
        .answer
        .facts
        .iter()
        .map(|held| {
            let what = if view.term_id(held.fact.head.as_ref()) == me {
                vec![clean(&held.fact.relation), value(&held.fact.tail)]
            } else {
                vec![from_tail(&held.fact.relation), value(&held.fact.head)]
            };
            row(&mut names, held, what)
        })
        .collect();
    if rows.is_empty() {
        nothing(screen, "nothing certain or possible then")?;
    }
    screen.table(2, &rows)?;
    suppressed(screen, about.answer.suppressed, &context.history(&format!("{} --incoming", typed(&term)), when))?;
    Ok(DONE)
}

/// `holders RELATION TAIL`.
pub(super) fn holders(context: &Context, screen: &mut Screen<'_>, relation: &str, tail: &str, when: &When) -> Outcome {
    let term = Context::term(tail)?;
    let view = context.holders(when, relation, &term)?;
    let answer = view.holders(relation, &term)?;
    if context.json {
        let mut body = json!({ "relation": relation, "tail": transfer::term(&term) });
        merge(&mut body, transfer::answer(&answer));
        print_json(screen, context, "holders", Some(view.as_of()), body)?;
        return Ok(DONE);
    }
    title(screen, context, &format!("{}  {}", clean(relation), value(&term)), &view)?;
    let mut names = Names::new(&context.tenant, &view, context.zone);
    names.know(answer.facts.iter().map(|held| &held.fact));
    let tail_id = view.term_id(term.as_ref());
    let rows: Vec<_> = answer
        .facts
        .iter()
        .map(|held| {
            let tail_side = view.term_id(held.fact.tail.as_ref()) == tail_id;
            row(&mut names, held, vec![value(if tail_side { &held.fact.head } else { &held.fact.tail })])
        })
        .collect();
    if rows.is_empty() {
        nothing(screen, "nobody, certainly or possibly, then")?;
    }
    screen.table(2, &rows)?;
    suppressed(screen, answer.suppressed, &context.history(&format!("{} {} --incoming", typed(&term), quoted(&clean(relation))), when))?;
    Ok(DONE)
}

/// `diff --from T --to T [ENTITY]`.
pub(super) fn diff(context: &Context, screen: &mut Screen<'_>, asked: &Diff) -> Outcome {
    if asked.from.is_none() && asked.known_from.is_none() {
        return Err(Failure::given(
            "--from",
            "",
            "a diff needs where to start",
            "give `--from TIME` (what was true then) or `--known-from TIME` (what was believed then)",
        ));
    }
    let earlier = context.position(
        ("--from", asked.from.as_deref().or(asked.to.as_deref())),
        ("--known-from", asked.known_from.as_deref().or(asked.known_to.as_deref())),
    )?;
    let later_at = asked.to.as_deref().or(if asked.known_from.is_some() { asked.from.as_deref() } else { None });
    let later = context.position(("--to", later_at), ("--known-to", asked.known_to.as_deref()))?;
    let [before, after] = [earlier, later].map(|as_of| context.graph(context.tenant.at(as_of)?, asked.context.as_deref()));
    let (before, after) = (before?, after?);
    let entity = asked.entity.as_deref().map(Context::term).transpose()?;
    let diff = before.diff(&after, entity.as_ref())?;
    if context.json {
        let mut body =
            json!({ "from": transfer::as_of(earlier), "to": transfer::as_of(later), "entity": entity.as_ref().map(transfer::term) });
        merge(&mut body, transfer::diff(&diff));
        print_json(screen, context, "diff", None, body)?;
        return Ok(DONE);
    }
    let about = entity.as_ref().map_or_else(|| "everything".to_owned(), value);
    let place = |as_of: AsOf| position(as_of, context.zone, context.now()).trim_start_matches("at ").to_owned();
    screen.pieces(&[
        (Paint::Bold, &about),
        (Paint::Dim, "   from "),
        (Paint::Dim, &place(earlier)),
        (Paint::Dim, "   to "),
        (Paint::Dim, &place(later)),
    ])?;
    let mut now_names = Names::new(&context.tenant, &after, context.zone);
    let mut then_names = Names::new(&context.tenant, &before, context.zone);
    let three = |fact: &Fact| vec![value(&fact.head), clean(&fact.relation), value(&fact.tail)];
    let mut rows: Vec<Vec<(Paint, String)>> = Vec::new();
    for held in &diff.vanished {
        rows.push(signed(Paint::Bad, "-", row(&mut then_names, held, three(&held.fact))));
    }
    for held in &diff.appeared {
        rows.push(signed(Paint::Good, "+", row(&mut now_names, held, three(&held.fact))));
    }
    for (was, is) in &diff.changed {
        rows.push(signed(Paint::Warn, "~", row(&mut then_names, was, three(&was.fact))));
        rows.push(signed(Paint::Warn, ">", row(&mut now_names, is, three(&is.fact))));
    }
    if rows.is_empty() {
        nothing(screen, "nothing changed")?;
    }
    screen.table(2, &rows)?;
    if !rows.is_empty() {
        let legend = "- no longer   + new   ~ before, > after a change of dates, certainty or flags";
        screen.pieces(&[(Paint::Dim, legend)])?;
    }
    Ok(DONE)
}

fn signed(paint: Paint, sign: &str, mut row: Vec<(Paint, String)>) -> Vec<(Paint, String)> {
    row.insert(0, (paint, sign.to_owned()));
    row
}

/// `why FACT` or `why HEAD RELATION [TAIL]`.
pub(super) fn why(context: &Context, screen: &mut Screen<'_>, what: &[String], when: &When) -> Outcome {
    let as_of = context.as_of(when)?;
    let (fact, others) = match what {
        [id] => {
            if !id.split('.').next().is_some_and(is_id_prefix) {
                return Err(Failure::given(
                    "FACT",
                    id,
                    "it is no id",
                    "give an id as `timeline` lists them, or a head and a relation: `erstwhile why HEAD RELATION`",
                ));
            }
            context.graph_is_known(when)?;
            (FactId(context.claim(id)?), Vec::new())
        }
        [head, relation] => chosen(context, when, head, relation, None)?,
        [head, relation, tail, ..] => chosen(context, when, head, relation, Some(tail))?,
        [] => return Err(Failure::given("FACT", "", "nothing was asked for", "`erstwhile why --help`")),
    };
    let why = match context.tenant.why(as_of, fact) {
        Err(Error::Read(ReadError::UnknownFact(_))) if what.len() == 1 => return disbelieved(context, screen, as_of, fact),
        why => why?,
    };
    if context.json {
        let mut body = transfer::why(&why);
        merge(&mut body, json!({ "others": others.iter().map(ToString::to_string).collect::<Vec<_>>() }));
        print_json(screen, context, "why", Some(as_of), body)?;
        return Ok(DONE);
    }
    let view = context.tenant.at_values(as_of, &why.explanation.fact.head, &why.explanation.fact.relation)?;
    let mut names = Names::new(&context.tenant, &view, context.zone);
    tell_why(screen, &mut names, &why, as_of, &context.paste)?;
    if !others.is_empty() {
        let ids: Vec<String> = others.iter().take(5).map(|id| names.claim(id.0)).collect();
        let more = if others.len() > ids.len() { " …" } else { "" };
        screen.pieces(&[(
            Paint::Dim,
            &format!("{} so asked for: {}{more}", count(others.len() as u64, "more fact is", "more facts are"), ids.join(" ")),
        )])?;
    }
    Ok(DONE)
}

/// A claim that supports no fact there, because it was retracted: who said it, and who took it back and why.
fn disbelieved(context: &Context, screen: &mut Screen<'_>, as_of: AsOf, fact: FactId) -> Outcome {
    let beliefs = context.tenant.beliefs(fact.0)?;
    if beliefs.told.is_empty() {
        return Err(Error::Read(ReadError::UnknownFact(fact)).into());
    }
    if context.json {
        print_json(screen, context, "why", Some(as_of), transfer::beliefs(&beliefs))?;
        return Ok(DONE);
    }
    let view = context.tenant.at_values(as_of, &beliefs.claim.head, &beliefs.claim.relation)?;
    let mut names = Names::new(&context.tenant, &view, context.zone);
    screen.pieces(&[(Paint::Warn, "supports no fact "), (Paint::Dim, &position(as_of, context.zone, names.now()))])?;
    sources(screen, &mut names, &[&beliefs.source])?;
    for told in &beliefs.told {
        let (paint, what) = if told.believed { (Paint::Good, "restored ") } else { (Paint::Warn, "retracted ") };
        let whole = if told.whole { " with its whole observation" } else { "" };
        let because = if told.because.is_empty() { String::new() } else { format!(": {}", clean(&told.because)) };
        screen.pieces(&[(paint, what), (Paint::Plain, &format!("{}{whole}{because}", short_instant(told.tx)))])?;
    }
    let retracted = beliefs.told.last().filter(|told| !told.believed);
    if let Some(told) = retracted {
        let id = if told.whole { names.observation(fact.0.observation) } else { names.claim(fact.0) };
        let restore = context.paste.command(&format!("restore {id} --because '…'"));
        screen.pieces(&[(Paint::Dim, &format!("to believe it again: {restore}"))])?;
    }
    Ok(DONE)
}

/// The fact a question by words means: the one that holds at the as-of (certain before possible), else the one that ended last; and
/// the others that fit.
fn chosen(context: &Context, when: &When, head: &str, relation: &str, tail: Option<&str>) -> Result<(FactId, Vec<FactId>), Failure> {
    let head_term = Context::term(head)?;
    let view = context.values(when, &head_term, relation)?;
    let as_of = view.as_of();
    let mut facts = view.timeline(&head_term, Some(relation))?;
    if let Some(tail) = tail {
        let wanted = Context::term(tail)?;
        let id = view.term_id(wanted.as_ref());
        let head_id = view.term_id(head_term.as_ref());
        let is = |term: &Term| id.is_some() && view.term_id(term.as_ref()) == id;
        facts.retain(|fact| is(&fact.tail) || (is(&fact.head) && view.term_id(fact.tail.as_ref()) == head_id));
    }
    // `max_by_key` keeps the last of equals: of those that do not hold, the one that began last.
    let rank = |fact: &Fact| match standing(fact, as_of.valid_at) {
        Some("certain") => 2,
        Some("possible") => 1,
        Some(_) | None => 0,
    };
    let best = facts.iter().max_by_key(|fact| (rank(fact), fact.start.lo())).map(|fact| fact.id).ok_or_else(|| {
        let asked = match tail {
            Some(tail) => format!("{head} {relation} {tail}"),
            None => format!("{head} {relation}"),
        };
        Failure::Memory(Error::NotFound { what: "fact", name: asked })
    })?;
    Ok((best, facts.iter().map(|fact| fact.id).filter(|id| *id != best).collect()))
}

/// The fact, what ended it, and every sentence behind it.
pub(super) fn tell_why(screen: &mut Screen<'_>, names: &mut Names<'_>, why: &Why, as_of: AsOf, paste: &Paste) -> Result<(), Failure> {
    let explanation = &why.explanation;
    let fact = &explanation.fact;
    screen.pieces(&triple(names, fact).each_ref().map(|(paint, text)| (*paint, text.as_str())))?;
    let position = position(as_of, names.zone, names.now());
    let standing = match standing(fact, as_of.valid_at) {
        Some(standing) => format!("{standing} {position}"),
        None => format!("does not hold {position}"),
    };
    screen.pieces(&[(Paint::Plain, "  "), (Paint::Dim, &standing)])?;
    let (supporting, others): (Vec<&WhySource>, Vec<&WhySource>) =
        why.sources.iter().partition(|source| fact.supported_by.contains(&source.claim));
    let (closing, others): (Vec<&WhySource>, Vec<&WhySource>) =
        others.into_iter().partition(|source| Some(source.claim) == explanation.ended_by);
    if let Some(ended) = &explanation.ended {
        screen.pieces(&[(Paint::Warn, "ended: "), (Paint::Plain, &clean(ended))])?;
        sources(screen, names, &closing)?;
    }
    screen.pieces(&[(Paint::Good, "because: ")])?;
    sources(screen, names, &supporting)?;
    for (note, _) in &explanation.notes {
        screen.pieces(&[(Paint::Warn, "also: "), (Paint::Plain, &clean(note))])?;
    }
    sources(screen, names, &others)?;
    for rival in &explanation.rivals {
        let mut pieces = vec![(Paint::Warn, "contested with: ".to_owned())];
        pieces.extend(triple(names, rival));
        let pieces: Vec<(Paint, &str)> = pieces.iter().map(|(paint, text)| (*paint, text.as_str())).collect();
        screen.pieces(&pieces)?;
    }
    if let Some(claim) = explanation.undo {
        let undo = paste.command(&format!("retract {} --because '…'", names.claim(claim)));
        screen.pieces(&[(Paint::Dim, &format!("to undo: {undo}"))])?;
    }
    Ok(())
}

/// A fact in one line: what, when, id.
fn triple(names: &mut Names<'_>, fact: &Fact) -> [(Paint, String); 3] {
    [
        (Paint::Bold, format!("{}  {}  {}", value(&fact.head), clean(&fact.relation), value(&fact.tail))),
        (Paint::Plain, format!("   {}   ", dates(fact, names.zone))),
        (Paint::Dim, names.claim(fact.id.0)),
    ]
}

fn sources(screen: &mut Screen<'_>, names: &mut Names<'_>, sources: &[&WhySource]) -> Result<(), Failure> {
    for source in sources {
        let observation = &source.observation.observation;
        let who = observation
            .speaker
            .as_deref()
            .or(observation.source.name.as_deref())
            .map_or_else(String::new, |name| format!("{}, ", clean(name)));
        let said = format!("{who}{}, {}", transfer::authority(observation.source.authority), said_at(observation.observed_at));
        let id = names.claim(source.claim);
        screen.pieces(&[
            (Paint::Plain, "  “"),
            (Paint::Plain, &clean(&source.words)),
            (Paint::Plain, "”  "),
            (Paint::Dim, &said),
            (Paint::Dim, "  "),
            (Paint::Dim, &id),
        ])?;
    }
    Ok(())
}

/// `neighbours ENTITY --hops K`.
pub(super) fn neighbours(context: &Context, screen: &mut Screen<'_>, entity: &str, how: Hops, when: &When) -> Outcome {
    let term = Context::term(entity)?;
    let view = context.view(when)?;
    let found = view.neighbourhood(std::slice::from_ref(&term), how)?;
    if context.json {
        let mut body = json!({ "entity": transfer::term(&term), "hops": how.hops });
        merge(&mut body, transfer::neighbourhood(&found));
        print_json(screen, context, "neighbours", Some(view.as_of()), body)?;
        return Ok(DONE);
    }
    let root = found.reached.iter().find(|one| one.through.is_none()).map_or_else(|| term.clone(), |one| one.entity.clone());
    title(screen, context, &value(&root), &view)?;
    branches(screen, &found, &root, context.zone)?;
    let reached = found.reached.iter().filter(|one| one.through.is_some()).count() as u64;
    if reached == 0 {
        nothing(screen, "no neighbours, certain or possible, then")?;
    }
    if found.cut {
        screen.pieces(&[(Paint::Dim, &format!("only the nearest {} are shown: --limit shows more", thousands(u64::from(how.limit))))])?;
    }
    Ok(DONE)
}

/// The reached entities as a tree, each under the one it was first reached from.
fn branches(screen: &mut Screen<'_>, found: &Neighbourhood, root: &Term, zone: Zone) -> Result<(), Failure> {
    let parent = |one: &Neighbour| -> Option<Term> {
        let fact = &one.through.as_ref()?.fact;
        Some(if fact.head == one.entity && fact.tail != one.entity { fact.tail.clone() } else { fact.head.clone() })
    };
    let mut children: BTreeMap<Term, Vec<&Neighbour>> = BTreeMap::new();
    for one in &found.reached {
        if let Some(parent) = parent(one) {
            children.entry(parent).or_default().push(one);
        }
    }
    // A stack rather than recursion: what to draw next, the lines beside it, and whether it is the last of its parent.
    let mut under = |entity: &Term, stem: &str| -> Vec<(&Neighbour, String, bool)> {
        let mut below = children.remove(entity).unwrap_or_default();
        below.reverse();
        below.into_iter().enumerate().map(|(at, one)| (one, stem.to_owned(), at == 0)).collect()
    };
    let mut waiting = under(root, "");
    while let Some((one, stem, is_last)) = waiting.pop() {
        let Some(held) = &one.through else { continue };
        let outgoing = held.fact.tail == one.entity;
        let arrow = if outgoing { format!("{} → ", clean(&held.fact.relation)) } else { format!("{} ← ", clean(&held.fact.relation)) };
        let (paint, certainty) = certainty(held);
        let contested = if held.fact.status.contested { ", contested" } else { "" };
        let stopped = if found.stopped_at.contains(&one.entity) { "  (a hub: not walked through)" } else { "" };
        let rest = format!(", {}{contested}{stopped}", dates(&held.fact, zone));
        screen.pieces(&[
            (Paint::Dim, &stem),
            (Paint::Dim, if is_last { "└─ " } else { "├─ " }),
            (Paint::Plain, &arrow),
            (Paint::Bold, &value(&one.entity)),
            (Paint::Plain, "   "),
            (paint, &certainty),
            (Paint::Dim, &rest),
        ])?;
        waiting.extend(under(&one.entity, &format!("{stem}{}", if is_last { "   " } else { "│  " })));
    }
    Ok(())
}

/// `stats`.
pub(super) fn stats(context: &Context, screen: &mut Screen<'_>, with_left_out: bool) -> Outcome {
    let stats = context.tenant.stats()?;
    let left_out = if with_left_out { Some(left_out(context)?) } else { None };
    if context.json {
        let mut body = transfer::stats(&stats);
        if let Some(left_out) = left_out {
            merge(&mut body, json!({ "left_out": left_out }));
        }
        print_json(screen, context, "stats", None, body)?;
        return Ok(DONE);
    }
    screen.pieces(&[(Paint::Bold, &format!("tenant {}", clean(context.id.as_str())))])?;
    let line = |what: &str, number: String, more: String| vec![(Paint::Plain, what.to_owned()), (Paint::Bold, number), (Paint::Dim, more)];
    let unknown = stats.unknown_relations.len() as u64;
    screen.table(
        2,
        &[
            line("observations", thousands(stats.observations), String::new()),
            line(
                "claims",
                thousands(stats.claims),
                if stats.retracted > 0 { format!("{} not believed now", thousands(stats.retracted)) } else { String::new() },
            ),
            line("facts", thousands(stats.facts), format!("{} open, {} contested", thousands(stats.open), thousands(stats.contested))),
            line("entities", thousands(stats.entities), String::new()),
            line(
                "relations",
                thousands(stats.relations),
                if unknown > 0 {
                    format!("{} undeclared: {}", thousands(unknown), context.paste.command("relations list --unknown"))
                } else {
                    String::new()
                },
            ),
            line("on disk", bytes(stats.bytes_on_disk), String::new()),
            line("in memory", bytes(stats.bytes_in_memory), "beside strings".to_owned()),
        ],
    )?;
    if let Some(left_out) = left_out {
        screen.line("left out of the stored prose, by the rules in force")?;
        let rows: Vec<_> = left_out.iter().map(|(reason, times)| line(reason, thousands(*times), String::new())).collect();
        screen.table(2, &rows)?;
    }
    Ok(DONE)
}

fn left_out(context: &Context) -> Result<BTreeMap<&'static str, u64>, Failure> {
    let bar = progress(context.json, COUNTS);
    let left_out = context.tenant.left_out(&mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    Ok(left_out)
}

/// `verify`.
pub(super) fn verify(context: &Context, screen: &mut Screen<'_>) -> Outcome {
    let found = context.tenant.verify()?;
    let code = if found.problems.is_empty() { DONE } else { FOUND };
    if context.json {
        print_json(screen, context, "verify", None, transfer::verification(&found))?;
        return Ok(code);
    }
    let checked = format!("{}, {}", count(found.records, "record", "records"), count(found.facts, "fact", "facts"));
    if found.problems.is_empty() {
        screen.pieces(&[
            (Paint::Good, "sound"),
            (Paint::Plain, &format!(": {checked}; the ledger is whole, and what is derived equals a rebuild")),
        ])?;
    } else {
        screen.pieces(&[
            (Paint::Bad, &count(found.problems.len() as u64, "problem", "problems")),
            (Paint::Plain, &format!(" in {checked}")),
        ])?;
        for problem in &found.problems {
            screen.line(&format!("  {}", clean(problem)))?;
        }
    }
    Ok(code)
}

/// `tenants`.
pub(super) fn tenants(context: &Context, screen: &mut Screen<'_>) -> Outcome {
    let tenants = context.memory.tenants()?;
    if context.json {
        let names: Vec<&str> = tenants.iter().map(crate::memory::TenantId::as_str).collect();
        print_object(
            screen,
            &Envelope { schema: SCHEMA, command: "tenants", tenant: None, as_of: None, body: json!({ "tenants": names }) },
        )?;
        return Ok(DONE);
    }
    for tenant in &tenants {
        screen.line(&clean(tenant.as_str()))?;
    }
    if tenants.is_empty() {
        screen.pieces(&[(Paint::Dim, &context.paste.fill("no tenants yet: `erstwhile remember FILE` makes one"))])?;
    }
    Ok(DONE)
}

/// Adds the fields of one object to another.
pub(super) fn merge(into: &mut Value, more: Value) {
    if let (Some(into), Value::Object(more)) = (into.as_object_mut(), more) {
        into.extend(more);
    }
}
