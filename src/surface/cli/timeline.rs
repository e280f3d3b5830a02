//! `timeline`: a history drawn as aligned bars, and listed. Knows nothing of other commands.

use super::args::When;
use super::bars::{Axis, Ink};
use super::context::Context;
use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean, count, pad, shorten, thousands};
use super::read::{Outcome, merge, print_json, title};
use super::words::{Names, from_tail, interval, standing, typed, value};
use crate::graph::{Denial, View};
use crate::model::{Fact, Term};
use crate::surface::transfer;
use crate::time::{End, Instant};
use serde_json::json;
use unicode_width::UnicodeWidthStr;

/// The widest label beside a bar.
const LABEL_COLUMNS: usize = 26;
/// No more bars than this are drawn; the table lists every fact.
const BARS: usize = 60;

/// `timeline HEAD [RELATION] [--incoming]`.
pub(super) fn timeline(
    context: &Context,
    screen: &mut Screen<'_>,
    head: &str,
    relation: Option<&str>,
    incoming: bool,
    when: &When,
) -> Outcome {
    let term = Context::term(head)?;
    let view = match relation {
        Some(relation) if !incoming => context.values(when, &term, relation)?,
        _ => context.slice(when, &term, relation)?,
    };
    let facts = view.timeline(&term, relation)?;
    let mut denials = view.denials(&term, relation)?;
    denials.retain(|denial| incoming || !denial.incoming);
    let as_tail = if incoming { view.incoming(&term, relation)? } else { Vec::new() };
    if context.json {
        let mut body = json!({
            "head": transfer::term(&term),
            "relation": relation,
            "facts": facts.iter().map(transfer::fact).collect::<Vec<_>>(),
            "denials": denials.iter().map(transfer::denial).collect::<Vec<_>>(),
        });
        if incoming {
            merge(&mut body, json!({ "incoming": as_tail.iter().map(transfer::fact).collect::<Vec<_>>() }));
        }
        print_json(screen, context, "timeline", Some(view.as_of()), body)?;
        return Ok(DONE);
    }
    let asked = relation.map_or_else(|| value(&term), |relation| format!("{}  {}", value(&term), clean(relation)));
    title(screen, context, &asked, &view)?;
    // Of one relation the facts that come in are asked for by themselves: to count them, they would have to be loaded.
    let unlisted = if incoming || relation.is_some() { 0 } else { view.count_incoming(&term, None)? };
    let mut names = Names::new(&context.tenant, &view, context.zone);
    names.know(facts.iter().chain(&as_tail));
    if facts.is_empty() {
        screen.line(&format!("  {}", nothing_known(denials.len() as u64, unlisted > 0 || !as_tail.is_empty())))?;
    } else {
        history(screen, &mut names, &view, &term, &facts, relation.is_none())?;
    }
    if !as_tail.is_empty() {
        screen.line("")?;
        screen.pieces(&[(Paint::Bold, &format!("as the tail of {}", count(as_tail.len() as u64, "fact", "facts")))])?;
        history(screen, &mut names, &view, &term, &as_tail, relation.is_none())?;
    }
    denied(screen, &mut names, &view, &term, &denials)?;
    if unlisted > 0 {
        let known = count(unlisted, "more fact has", "more facts have");
        screen.pieces(&[(
            Paint::Dim,
            &format!("{known} it as the tail: {}", context.history(&format!("{} --incoming", typed(&term)), when)),
        )])?;
    }
    Ok(DONE)
}

/// What to say where no fact has the entity as its head.
fn nothing_known(denials: u64, incoming: bool) -> String {
    match (denials, incoming) {
        (0, false) => "nothing was known of it then".to_owned(),
        (0, true) => "no fact was known then of which it is the head".to_owned(),
        (denials, false) => format!("no fact was known of it then, only {}", count(denials, "denial", "denials")),
        (denials, true) => format!("no fact was known then of which it is the head, only {}", count(denials, "denial", "denials")),
    }
}

/// Facts drawn, and listed with their relations where no relation was asked for.
fn history(
    screen: &mut Screen<'_>,
    names: &mut Names<'_>,
    view: &View,
    term: &Term,
    facts: &[Fact],
    relations: bool,
) -> Result<(), Failure> {
    screen.line("")?;
    let as_of = view.as_of();
    let drawing = drawn(screen, view, term, facts, as_of.valid_at.lo())?;
    drawing.marker(screen)?;
    drawing.legend(screen, true)?;
    screen.line("")?;
    listed(screen, names, view, term, facts, relations)
}

/// What is denied, as a table: what, from, to, by whom, id.
fn denied(screen: &mut Screen<'_>, names: &mut Names<'_>, view: &View, term: &Term, denials: &[Denial]) -> Result<(), Failure> {
    if denials.is_empty() {
        return Ok(());
    }
    screen.line("")?;
    screen.pieces(&[(Paint::Bold, &count(denials.len() as u64, "denial", "denials"))])?;
    let me = view.term_id(term.as_ref());
    let mut rows = Vec::with_capacity(denials.len());
    for denial in denials {
        let (relation, what) = if view.term_id(denial.head.as_ref()) == me {
            (format!("not {}", clean(&denial.relation)), value(&denial.tail))
        } else {
            (format!("is not {} of", clean(&denial.relation)), value(&denial.head))
        };
        rows.push(vec![
            (Paint::Dim, relation),
            (Paint::Bold, what),
            (Paint::Plain, denial.start.describe_in(&names.zone)),
            (Paint::Plain, if denial.end == End::Open { String::new() } else { denial.end.describe_in(&names.zone) }),
            (Paint::Warn, format!("says {}", transfer::authority(denial.authority))),
            (Paint::Dim, names.claim(denial.claim)),
        ]);
    }
    Ok(screen.table(2, &rows)?)
}

/// What a fact is called beside its bar, seen from `head`.
fn labels(view: &View, head: &Term, fact: &Fact) -> (String, String) {
    let me = view.term_id(head.as_ref());
    if me.is_some() && view.term_id(fact.head.as_ref()) != me {
        (from_tail(&fact.relation), value(&fact.head))
    } else {
        (clean(&fact.relation), value(&fact.tail))
    }
}

/// What a drawing used, for the lines under it.
pub(super) struct Drawing {
    signs: Vec<Ink>,
    /// How far right the cursor stands, margin included, where it is in sight.
    cursor: Option<usize>,
}

impl Drawing {
    /// The line that shows where it is read.
    pub(super) fn marker(&self, screen: &mut Screen<'_>) -> Result<(), Failure> {
        match self.cursor {
            Some(column) => Ok(screen.pieces(&[(Paint::Plain, &" ".repeat(column)), (Paint::Dim, "▲")])?),
            None => Ok(()),
        }
    }

    /// What the signs mean; of the cursor only where `marked`.
    pub(super) fn legend(&self, screen: &mut Screen<'_>, marked: bool) -> Result<(), Failure> {
        let mut signs: Vec<String> =
            self.signs.iter().filter(|ink| !ink.meaning().is_empty()).map(|ink| format!("{} {}", ink.glyph(), ink.meaning())).collect();
        if marked && self.cursor.is_some() {
            signs.push("▲ where it is read".to_owned());
        }
        Ok(screen.pieces(&[(Paint::Plain, "  "), (Paint::Dim, &signs.join("   "))])?)
    }
}

/// The bars over their axis, grouped by relation; the axis reaches to the cursor where facts do.
pub(super) fn drawn(screen: &mut Screen<'_>, view: &View, head: &Term, facts: &[Fact], cursor: Instant) -> Result<Drawing, Failure> {
    let shown = facts.get(..facts.len().min(BARS)).unwrap_or(facts);
    let rows: Vec<(String, String)> = shown.iter().map(|fact| labels(view, head, fact)).collect();
    let one_relation = rows.windows(2).all(|pair| matches!(pair, [a, b] if a.0 == b.0));
    let relation_columns = if one_relation { 0 } else { rows.iter().map(|row| row.0.width()).max().unwrap_or(0).min(LABEL_COLUMNS) + 2 };
    let value_columns = rows.iter().map(|row| row.1.width()).max().unwrap_or(0).min(LABEL_COLUMNS) + 2;
    let left = 2 + relation_columns + value_columns;
    let Some(axis) = Axis::over(shown, Some(cursor), screen.width().saturating_sub(left + 1)) else {
        screen.pieces(&[(Paint::Dim, "  no dates are known: nothing to draw")])?;
        return Ok(Drawing { signs: Vec::new(), cursor: None });
    };
    let margin = " ".repeat(left);
    let (dates, ticks) = axis.labels();
    screen.pieces(&[(Paint::Plain, &margin), (Paint::Dim, &dates)])?;
    screen.pieces(&[(Paint::Plain, &margin), (Paint::Dim, &ticks)])?;
    let mut used: Vec<Ink> = Vec::new();
    let mut last = None;
    for (fact, (relation, tail)) in shown.iter().zip(&rows) {
        let relation_label = if one_relation || last == Some(relation) { String::new() } else { shorten(relation, LABEL_COLUMNS) };
        last = Some(relation);
        let mut pieces: Vec<(Paint, String)> = vec![
            (Paint::Plain, "  ".to_owned()),
            (Paint::Dim, pad(&relation_label, relation_columns)),
            (Paint::Bold, pad(&shorten(tail, LABEL_COLUMNS), value_columns)),
        ];
        for ink in axis.bar(fact) {
            if !used.contains(&ink) {
                used.push(ink);
            }
            match pieces.last_mut() {
                Some((paint, text)) if *paint == ink.paint() => text.push_str(ink.glyph()),
                Some(_) | None => pieces.push((ink.paint(), ink.glyph().to_owned())),
            }
        }
        let pieces: Vec<(Paint, &str)> = pieces.iter().map(|(paint, text)| (*paint, text.as_str())).collect();
        screen.pieces(&pieces)?;
    }
    if facts.len() > shown.len() {
        screen.pieces(&[(
            Paint::Dim,
            &format!("  the first {} of {} are drawn", thousands(shown.len() as u64), thousands(facts.len() as u64)),
        )])?;
    }
    used.sort_unstable();
    Ok(Drawing { signs: used, cursor: axis.shows(cursor).then(|| left + axis.column(cursor)) })
}

/// The facts as a table: the relation where it is wanted, what, from, to, how it stands at the as-of, flags, id.
fn listed(
    screen: &mut Screen<'_>,
    names: &mut Names<'_>,
    view: &View,
    head: &Term,
    facts: &[Fact],
    relations: bool,
) -> Result<(), Failure> {
    let mut rows = Vec::with_capacity(facts.len());
    for fact in facts {
        let (relation, what) = labels(view, head, fact);
        let (from, to) = interval(fact, names.zone);
        let stands = standing(fact, view.as_of().valid_at).unwrap_or_default();
        rows.push(vec![
            (Paint::Dim, if relations { relation } else { String::new() }),
            (Paint::Bold, what),
            (Paint::Plain, from),
            (Paint::Plain, to),
            (Paint::Good, stands.to_owned()),
            (Paint::Warn, names.flags(fact)),
            (Paint::Dim, names.claim(fact.id.0)),
        ]);
    }
    Ok(screen.table(2, &rows)?)
}
