//! What clauses and phrases that are joined lend each other: complements, modals and times; gaps where a verb is not repeated; places
//! that a "where" goes on about; how somebody introduces themselves. Knows no pattern.

use super::super::chunk::{Chunk, Tense, Vg};
use super::super::clause::Clause;
use super::super::pack::Effect;
use super::super::scene::Scene;
use super::super::tag::Form;
use super::super::words::Tag;
use super::{Heads, Reader, Saying};
use crate::extract::rules::draft::Draft;
use crate::time::End;
use crate::time::expr::{Role, Value};

/// The clauses of a sentence, each with what it shares with a neighbour.
pub(super) fn lent<'g>(scene: &Scene<'_, 'g>, found: &[Clause<'g>]) -> Vec<Clause<'g>> {
    let line = &scene.line;
    let mut clauses: Vec<Clause<'g>> = Vec::with_capacity(found.len());
    for (at, clause) in found.iter().enumerate() {
        let mut clause = clause.clone();
        // "written and directed by Ann": the first has the doer of the second.
        if clause.group.passive
            && clause.rest.0 >= clause.rest.1
            && let Some(next) = found.get(at + 1).filter(|next| next.shared && next.group.passive)
            && (clause.group.to..next.group.from).all(|between| line.tag(between) == Some(Tag::And))
        {
            clause.rest = next.rest;
        }
        // "I might move to Ely and work there", "I want to move and work there": the second is no surer than the first.
        let bare = clause.shared && clause.group.main == clause.group.from && matches!(line.verb(clause.group.main), Some((_, Form::Base)));
        let joined = line.tag(clause.from) == Some(Tag::And);
        if let Some(before) = clauses.last().filter(|_| bare && joined) {
            let hangs =
                (before.rest.0..clause.from).any(|at| line.tag(at) == Some(Tag::To) && matches!(line.verb(at + 1), Some((_, Form::Base))));
            if before.group.unreal || before.group.plan || hangs {
                clause.group.unreal = true;
            } else if before.group.tense == Tense::Future {
                clause.group.tense = Tense::Future;
            }
        }
        clauses.push(clause);
    }
    clauses
}

/// The times of a clause that has none of its own: those in front of the first that shares its subject ("in 2018 I left and moved"), or
/// those of the next ("I left Orb and joined Mill in May").
pub(super) fn times_lent(scene: &Scene<'_, '_>, found: &[Clause<'_>], at: usize) -> Vec<usize> {
    let Some(clause) = found.get(at) else { return Vec::new() };
    if clause.shared
        && let Some(first) = found.first()
    {
        let led = scene.times(first.from, first.group.from);
        return if led.is_empty() {
            at.checked_sub(1).and_then(|before| found.get(before)).map_or(led, |before| exchanged(scene, before, clause))
        } else {
            led
        };
    }
    if let Some(time) = time_of_when(scene, clause) {
        return vec![time];
    }
    let leaves = matches!(clause.group.lemma, "leave" | "quit" | "resign" | "drop" | "ditch" | "abandon");
    let next =
        found.get(at + 1).filter(|next| leaves && next.shared && next.group.tense == Tense::Past && clause.group.tense == Tense::Past);
    let Some(next) = next else { return Vec::new() };
    let later = |at: usize| {
        scene.line.lower(at).ends_with("later")
            || matches!(scene.line.lower(at), "after" | "afterwards" | "then" | "before" | "finally" | "eventually")
    };
    if (clause.group.to..next.rest.1).any(later) { Vec::new() } else { scene.times(next.from, next.rest.1) }
}

/// The times of a clause that gives something up, for the one joined to it that takes up another: "I sold the van in May and bought a bike".
fn exchanged(scene: &Scene<'_, '_>, before: &Clause<'_>, clause: &Clause<'_>) -> Vec<usize> {
    let gives = matches!(
        before.group.lemma,
        "sell" | "leave" | "quit" | "resign" | "drop" | "ditch" | "abandon" | "cancel" | "stop" | "return" | "scrap"
    );
    let takes = matches!(
        clause.group.lemma,
        "buy" | "join" | "start" | "begin" | "move" | "get" | "take" | "switch" | "adopt" | "become" | "lease"
    );
    let past = before.group.tense == Tense::Past && clause.group.tense == Tense::Past;
    let at_once = scene.line.tag(clause.from) == Some(Tag::And)
        && !(clause.from..clause.group.from).any(|at| matches!(scene.line.lower(at), "then" | "later" | "after" | "eventually" | "soon"));
    if gives && takes && past && at_once { scene.times(before.from, clause.from) } else { Vec::new() }
}

/// The time that a "when" right behind it tells more of: "until 2020, when I joined Orb".
fn time_of_when(scene: &Scene<'_, '_>, clause: &Clause<'_>) -> Option<usize> {
    let when = [clause.from, clause.from.wrapping_sub(1)].into_iter().find(|at| scene.line.lower(*at) == "when")?;
    let before = when.checked_sub(1).filter(|before| *before >= scene.sentence.from)?;
    let time = if scene.line.tag(before) == Some(Tag::Comma) { before.checked_sub(1)? } else { before };
    scene.times(time, time + 1).first().copied()
}

/// What a "when" behind an "until" tells of came about at the end: the drafts of such a clause begin there.
pub(super) fn ended_when(scene: &Scene<'_, '_>, found: &[Clause<'_>], at: usize, drafts: &mut [Draft]) {
    if drafts.is_empty() || found.get(at).is_none_or(|clause| time_of_when(scene, clause).is_none()) {
        return;
    }
    for time in drafts.iter_mut().flat_map(|draft| &mut draft.times).filter(|time| time.role == Role::Until) {
        if let Value::Span(span) = time.value
            && let End::At(moment) = span.end()
        {
            time.value = Value::Moment(moment);
        }
        time.role = Role::At;
    }
}

/// Two sentences that share a verb, each in full: "Al works at Orb and Bo at Mill".
pub(in super::super) fn gapped(scene: &Scene<'_, '_>) -> Option<String> {
    let [Chunk::Np(first), Chunk::Vg(verb), Chunk::Word(lead), Chunk::Np(object), rest @ ..] = scene.chunks.as_slice() else { return None };
    let rest = if let [Chunk::Word(comma), rest @ ..] = rest
        && scene.line.tag(*comma) == Some(Tag::Comma)
    {
        rest
    } else {
        rest
    };
    let [Chunk::Word(and), Chunk::Np(second), Chunk::Word(again), Chunk::Np(other), tail @ ..] = rest else { return None };
    let line = &scene.line;
    let led = line.tag(*lead) == Some(Tag::Prep) && matches!(line.tag(*again), Some(Tag::Prep));
    let joined = matches!(line.lower(*and), "and" | "while" | "but");
    let named = second.is_name() && first.to <= verb.from && object.name.is_some() && other.name.is_some();
    let ended = tail.iter().all(|chunk| matches!(chunk, Chunk::Word(_)));
    (led && joined && named && ended).then(|| {
        let one = scene.slice(first.from, object.to);
        let two = [scene.slice(second.from, second.to), scene.slice(verb.from, verb.to), scene.slice(*again, scene.sentence.to)].join(" ");
        format!("{one}. {two}.")
    })
}

impl<'g> Reader<'_, 'g> {
    /// "… near Ely, where I live": what is told of a place behind its name.
    pub(super) fn where_it_is(&mut self, scene: &Scene<'_, 'g>) {
        let line = &scene.line;
        for chunk in 0..scene.chunks.len() {
            let Some((from, to)) = scene.name(chunk) else { continue };
            let comma = usize::from(scene.word(chunk + 1).is_some_and(|(_, tag)| tag == Tag::Comma));
            let next = chunk + 1 + comma;
            if scene.word(next).is_none_or(|(at, _)| line.lower(at) != "where") {
                continue;
            }
            let (Some(who), Some(Chunk::Vg(verb))) = (scene.np(next + 1), scene.chunks.get(next + 2)) else { continue };
            let Vg { lemma, unreal, negated, .. } = *verb;
            let lead = match lemma {
                "live" | "grow" | "bear" | "reside" => "in",
                "work" | "teach" | "study" => "at",
                _ => continue,
            };
            let end = (verb.to..scene.sentence.to)
                .find(|at| matches!(line.tag(*at), Some(Tag::Comma | Tag::Mark | Tag::And | Tag::But | Tag::Sub)))
                .unwrap_or(scene.sentence.to);
            let mut times = verb.to;
            while times < end && (line.lower(times) == "up" || !matches!(line.tag(times), Some(Tag::Time | Tag::Prep))) {
                times += 1;
            }
            // "where I work as a cook" says more of the work than of the place.
            let plain = (times..end).all(|at| matches!(line.tag(at), Some(Tag::Time | Tag::Adv)) || line.tag(at + 1) == Some(Tag::Time));
            if unreal || negated || !plain {
                continue;
            }
            let said = [scene.slice(who.from, times), lead, scene.slice(from, to), scene.slice(times, end)].join(" ");
            let drafts = self.made(&format!("{}.", said.trim()), &scene.bytes(from, end));
            self.reading.drafts.extend(drafts);
        }
    }

    /// "I'm Ann, 36, a nurse from Ely": what follows a name, one after the other; and "a 34-year-old nurse", how old.
    pub(super) fn introduced(&mut self, scene: &Scene<'_, 'g>, clause: &Clause<'g>, heads: &Heads<'_>, saying: &Saying<'g>) {
        let told = clause.group.lemma == "be" && !clause.group.passive && !clause.group.negated && clause.group.tense == Tense::Present;
        let Some((_, np)) = scene.np_at(clause.rest.0).filter(|(_, np)| told && np.from == clause.rest.0 && !np.pronoun) else { return };
        let [head] = heads.get(self, scene) else { return };
        let line = &scene.line;
        let mut at = if np.is_name() && !scene.setting.is_written() { np.to } else { np.from };
        let begin = at;
        while at < scene.sentence.to {
            if matches!(line.tag(at), Some(Tag::Comma | Tag::And)) {
                at += 1;
                continue;
            }
            let closed = |at: usize| at >= scene.sentence.to || matches!(line.tag(at), Some(Tag::Comma | Tag::And | Tag::Mark | Tag::Prep));
            let behind = at > begin;
            if line.tag(at) == Some(Tag::Num) && behind && closed(at + 1) && line.lower(at).len() <= 12 {
                self.first(scene, "age", head, scene.slice(at, at + 1), saying);
                at += 1;
            } else if line.lower(at) == "from"
                && behind
                && let Some((_, place)) = scene.np_at(at + 1).filter(|(_, place)| place.is_name() && place.from == at + 1)
            {
                self.first(scene, "born_in", head, scene.slice(place.core, place.to), saying);
                at = place.to;
            } else if let Some((_, what)) = scene.np_at(at).filter(|(_, what)| {
                what.from == at && what.det.is_some_and(|det| matches!(line.lower(det), "a" | "an")) && what.name.is_none()
            }) {
                let age = (what.from..what.core).find_map(|place| line.lower(place).strip_suffix("-year-old"));
                let job = scene.grammar.has_class(&line.phrase(what.core, what.to), "job");
                if let Some(age) = age {
                    self.first(scene, "age", head, age, saying);
                }
                if !job {
                    return;
                }
                if behind {
                    self.first(scene, "job_title", head, scene.slice(what.core, what.to), saying);
                }
                at = what.to;
            } else {
                return;
            }
        }
    }

    /// Claims what nothing has claimed yet.
    fn first(&mut self, scene: &Scene<'_, '_>, relation: &str, head: &str, tail: &str, saying: &Saying<'_>) {
        let said = |draft: &Draft| draft.relation == relation && draft.head == head && draft.tail == tail;
        if !self.reading.drafts.iter().any(said) {
            let present = Saying { group: None, timeless: true, ..saying.clone() };
            self.claim(scene, relation, 0, Effect::Holds, head, tail, &present);
        }
    }
}
