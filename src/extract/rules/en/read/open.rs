//! Ends that do not name what ends: "I quit my job", "we split up", "my dog died", "the appointment is off". What the same text or the
//! same speaker's turns before say is what ends; else it is handed on for whoever knows what is believed. Knows no relation.

use super::super::chunk::{Owner, Tense};
use super::super::clause::Clause;
use super::super::judge::{Case, Verdict, verdict};
use super::super::pack::{Effect, Open, Pattern, Sort, Subject};
use super::super::scene::Scene;
use super::super::words::Tag;
use super::{Heads, PLAIN, Reader, Saying};
use crate::extract::Which;
use crate::extract::rules::draft::{Draft, OpenDraft, Phase};
use crate::model::{Authority, Polarity};

/// What is over.
const OVER: Verdict = Verdict { phase: Phase::Over, polarity: Polarity::Ends };

impl<'g> Reader<'_, 'g> {
    /// What a clause ends without a name for it; `count` drafts were there before the clause.
    pub(super) fn open_ends(
        &mut self,
        scene: &Scene<'_, 'g>,
        clause: &Clause<'g>,
        subjects: &[usize],
        heads: &Heads<'_>,
        saying: &Saying<'g>,
        count: usize,
    ) -> bool {
        if scene.setting.is_written() {
            return false;
        }
        let before = self.reading.open.len();
        self.ended_beside(count);
        self.deaths(scene, clause, subjects, saying);
        let grammar = self.grammar;
        // "My boyfriend and I broke up": who that is was said.
        let parted = self.reading.drafts.get(count..).unwrap_or_default().iter().any(|draft| draft.polarity == Polarity::Ends)
            || self.reading.open.iter().any(|open| open.draft.quote == scene.bytes(saying.from, saying.to));
        for pattern in grammar.open_patterns(clause.group.lemma, clause.group.passive) {
            let (Some(open), Some(relation)) = (pattern.open, grammar.relation(pattern.relation)) else { continue };
            let Some(found) = scene.matches(&pattern.pieces, clause.rest.0, clause.rest.1) else { continue };
            let fits = |sort: Sort| subjects.iter().all(|subject| Self::subject_fits(scene, *subject, sort));
            if matches!(pattern.subject, Subject::Head(sort) if !fits(sort))
                || matches!(pattern.subject, Subject::Tail(sort) if open == Open::Ends && (subjects.is_empty() || !fits(sort)))
                || found.denied && open == Open::Ends
            {
                continue;
            }
            // "Quit" alone, and not "quit the search"; "my job", and not "my job hunt".
            let noun = found.literals.last().copied().filter(|at| open == Open::Ends && scene.line.tag(*at) == Some(Tag::Noun));
            let whole = match noun {
                Some(at) => scene.np_at(at).is_none_or(|(_, np)| np.to <= at + 1),
                None => is_closed(scene, found.to, clause.rest.1),
            };
            let told = self
                .reading
                .open
                .iter()
                .any(|open| open.draft.relation == relation.name && open.draft.quote == scene.bytes(saying.from, saying.to));
            if !whole || told || parted && open != Open::Cancels {
                continue;
            }
            let saying = Saying { times: saying.times.clone(), denied: found.denied, ..saying.clone() };
            if !self.tells_an_end(open, pattern.effect, &saying) {
                continue;
            }
            let begin = if clause.group.lemma == "be" { clause.rest.0 } else { clause.group.main };
            let said = scene.slice(begin, found.to.max(clause.group.to));
            if open == Open::Cancels {
                self.cancelled(scene, pattern, &relation.name, subjects, &found.tails, &saying);
                continue;
            }
            if let Subject::Tail(_) = pattern.subject {
                self.gone(scene, &relation.name, subjects, &saying);
                continue;
            }
            let which = if open == Open::Ends { Which::Only } else { Which::All };
            // "They let me go": who was let go.
            if !found.heads.is_empty() {
                for head in &found.heads {
                    self.over(scene, &relation.name, &head.text, said, which, &saying);
                }
                continue;
            }
            let heads = heads.get(self, scene);
            let own = heads.iter().find(|head| Some(head.as_str()) == self.setting.author());
            for head in own.map_or(heads, std::slice::from_ref) {
                self.over(scene, &relation.name, head, said, which, &saying);
            }
        }
        self.reading.open.len() > before
    }

    /// Whether tense and adverbs make an end of a pattern without a value.
    fn tells_an_end(&self, open: Open, effect: Effect, saying: &Saying<'_>) -> bool {
        let Some(group) = &saying.group else { return false };
        let times = self.times(&saying.times);
        let case = Case {
            group,
            hints: saying.hints,
            effect,
            event: false,
            denied: saying.denied,
            times: &times,
            now: self.setting.calendar.reference,
            written: false,
            lasting: false,
        };
        let Some(said) = verdict(&case) else { return false };
        let present = group.tense == Tense::Present || group.perfect;
        match open {
            // "I'm handing in my notice on Monday": it is not over yet.
            Open::Ends => said == OVER && (group.tense != Tense::Present || group.perfect),
            Open::Cancels => said == OVER || present && !saying.negated(),
            Open::Without { denied: false } => said.polarity == Polarity::Holds && (said.phase == Phase::Now || said.phase == Phase::Began),
            Open::Without { denied: true } => said == OVER || present && said.polarity == Polarity::Never,
        }
    }

    /// Hands an end on.
    pub(super) fn over(&mut self, scene: &Scene<'_, '_>, relation: &str, head: &str, said: &str, which: Which, saying: &Saying<'_>) {
        let beside = self.grammar.relation_named(relation).and_then(|at| self.grammar.relation(at)).map(|one| one.beside.clone());
        let mut times = self.times(&saying.times);
        times.retain(|time| !scene.text.get(time.bytes.clone()).is_some_and(|text| text.eq_ignore_ascii_case("now")));
        for time in &mut times {
            self.prefer_gone(time);
        }
        let draft = Draft {
            head: head.to_owned(),
            relation: relation.to_owned(),
            tail: said.to_owned(),
            polarity: Polarity::Ends,
            phase: Phase::Over,
            times,
            quote: scene.bytes(saying.from, saying.to),
            pattern: format!("en/{relation}/0"),
            confidence: PLAIN,
            corrects: None,
        };
        self.reading.open.push(OpenDraft { draft, which, beside: beside.unwrap_or_default() });
    }

    /// "My flatmate Bo moved out": who is gone is the value.
    fn gone(&mut self, scene: &Scene<'_, '_>, relation: &str, subjects: &[usize], saying: &Saying<'_>) {
        let Some(author) = self.setting.author().map(str::to_owned) else { return };
        for subject in subjects {
            let own = scene.np(*subject).is_some_and(|np| np.owner.is_some());
            let Some((from, to)) = scene.name(*subject) else {
                if let Some(np) = scene.np(*subject).filter(|_| own) {
                    self.over(scene, relation, &author, &scene.noun_phrase(np), Which::Only, saying);
                }
                continue;
            };
            let name = scene.slice(from, to);
            let same = |draft: &&mut Draft| draft.relation == relation && draft.head == author && draft.tail == name;
            let times = self.times(&saying.times);
            match self.reading.drafts.iter_mut().find(same) {
                Some(draft) => (draft.polarity, draft.phase, draft.times) = (Polarity::Ends, Phase::Over, times),
                None => self.over(scene, relation, &author, name, Which::Named, saying),
            }
        }
    }

    /// "The dentist's appointment is off", "I cancelled the dinner": what was to come will not be.
    fn cancelled(
        &mut self,
        scene: &Scene<'_, '_>,
        pattern: &Pattern,
        relation: &str,
        subjects: &[usize],
        tails: &[super::super::frame::Filled],
        saying: &Saying<'_>,
    ) {
        let Some(author) = self.setting.author().map(str::to_owned) else { return };
        let of_subject = |subject: &usize| {
            let np = scene.np(*subject)?;
            let noun = scene.noun_phrase(np);
            let own = !matches!(&np.owner, Some(Owner::Phrase(_)))
                && !matches!(&np.owner, Some(Owner::Word(at)) if !matches!(scene.line.lower(*at), "my" | "our"));
            let fits = matches!(pattern.subject, Subject::Tail(Sort::Class(bit)) if self.grammar.in_class(&noun, usize::from(bit)));
            let end = (np.to..scene.sentence.to)
                .find(|at| {
                    let timed = scene.line.tag(*at) == Some(Tag::Prep) && scene.line.tag(*at + 1) == Some(Tag::Time);
                    timed || matches!(scene.line.tag(*at), Some(Tag::Be | Tag::Verb | Tag::Have | Tag::Modal | Tag::Time))
                })
                .unwrap_or(np.to);
            (own && fits).then(|| scene.slice(np.core, end).to_owned())
        };
        let said: Vec<String> = if tails.is_empty() {
            subjects.iter().filter_map(of_subject).collect()
        } else {
            tails.iter().map(|tail| tail.text.clone()).collect()
        };
        for said in said {
            // "The appointment": the only one there is.
            let which = if said.eq_ignore_ascii_case("appointment") { Which::Only } else { Which::Named };
            // When it was called off says nothing of when it was to be.
            let timeless = Saying { times: Vec::new(), ..saying.clone() };
            self.over(scene, relation, &author, &said, which, &timeless);
            if let Some(open) = self.reading.open.last_mut() {
                (open.draft.polarity, open.draft.phase) = (Polarity::Never, Phase::Now);
            }
        }
    }

    /// "My dog died", "my husband Per passed away", "Rex died": what they were to somebody ends with them.
    fn deaths(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, subjects: &[usize], saying: &Saying<'_>) {
        let group = &clause.group;
        let word = |at: usize| scene.line.lower(at);
        let died = match group.lemma {
            "die" => !group.passive,
            "pass" => !group.passive && matches!(word(clause.rest.0), "away" | "on"),
            "put" => group.passive && (word(clause.rest.0) == "down" || word(clause.rest.0) == "to" && word(clause.rest.0 + 1) == "sleep"),
            _ => false,
        };
        let told = group.tense == Tense::Past || group.perfect;
        if !died || !told || group.negated || group.unreal || group.plan {
            return;
        }
        for subject in subjects {
            let Some(np) = scene.np(*subject) else { continue };
            let till_death: Vec<&str> = match (np.pronoun, &np.owner) {
                (false, Some(_)) => {
                    let frames = scene.noun(&scene.noun_phrase(np)).map(|(_, frames)| frames).unwrap_or_default();
                    let relations =
                        frames.iter().filter(|frame| frame.owner_is_head).filter_map(|frame| self.grammar.relation(frame.relation));
                    relations.filter(|relation| relation.till_death).map(|relation| relation.name.as_str()).collect()
                }
                _ => Vec::new(),
            };
            let name = scene.name(*subject).map(|(from, to)| scene.slice(from, to).to_owned());
            let owner = np.owner.as_ref().and_then(|owner| scene.owner(*subject, owner));
            match (owner, name) {
                (Some(owner), Some(name)) => {
                    for relation in till_death {
                        let same = |draft: &&mut Draft| draft.relation == relation && draft.head == owner && draft.tail == name;
                        let times = self.times(&saying.times);
                        match self.reading.drafts.iter_mut().find(same) {
                            Some(draft) => (draft.polarity, draft.phase, draft.times) = (Polarity::Ends, Phase::Over, times),
                            None => self.push(scene, relation, 0, OVER, &owner, &name, saying),
                        }
                    }
                }
                (Some(owner), None) => {
                    for relation in till_death {
                        let which = if relation == "has_pet" { Which::OfSort } else { Which::Only };
                        let said = scene.noun_phrase(np);
                        self.over(scene, relation, &owner, &said, which, saying);
                    }
                }
                (None, _) => {
                    // Whoever had them.
                    let Some(gone) = scene.denoted(*subject).filter(|_| np.owner.is_none() && (np.is_name() || np.pronoun)) else {
                        continue;
                    };
                    for relation in self.grammar.relations_till_death() {
                        self.over(scene, relation, &gone, &gone, Which::OfWhom, saying);
                    }
                }
            }
        }
    }

    /// What ends beside the ends that a clause names: living with whom somebody parted from.
    fn ended_beside(&mut self, count: usize) {
        let ends: Vec<Draft> =
            self.reading.drafts.get(count..).unwrap_or_default().iter().filter(|draft| draft.polarity == Polarity::Ends).cloned().collect();
        for end in ends {
            let relation = self.grammar.relation_named(&end.relation).and_then(|at| self.grammar.relation(at));
            for beside in relation.map(|one| one.beside.clone()).unwrap_or_default() {
                let draft = Draft { relation: beside, ..end.clone() };
                self.reading.open.push(OpenDraft { draft, which: Which::Named, beside: Vec::new() });
            }
        }
    }

    /// Lets what the text itself, or else an earlier turn of the speaker, says to hold be what an open end ends.
    pub(super) fn bind_open(&mut self) {
        let open = std::mem::take(&mut self.reading.open);
        for end in open {
            let plain = end.draft.polarity == Polarity::Ends && !matches!(end.which, Which::Named | Which::OfWhom);
            let mut values = if plain { held(&self.reading.drafts, &end.draft) } else { Vec::new() };
            if plain && values.is_empty() {
                values = self.said_before(&end.draft);
            }
            let known = match (end.which, values.as_slice()) {
                (Which::All, _) | (_, [_]) => values,
                _ => Vec::new(),
            };
            if known.is_empty() {
                self.reading.open.push(end);
                continue;
            }
            for tail in known {
                let bound = Draft { tail, ..end.draft.clone() };
                for beside in &end.beside {
                    let draft = Draft { relation: beside.clone(), ..bound.clone() };
                    self.reading.open.push(OpenDraft { draft, which: Which::Named, beside: Vec::new() });
                }
                self.reading.drafts.push(bound);
            }
        }
        self.settle();
    }

    /// What the last of the speaker's turns that tells of a head and a relation says to hold.
    fn said_before(&self, end: &Draft) -> Vec<String> {
        let own = |turn: &&crate::extract::Turn| turn.authority == Authority::User && turn.speaker == self.setting.observation.speaker;
        for turn in self.setting.before.iter().rev().filter(own) {
            let said = self.made(&turn.text, &end.quote);
            if said.iter().any(|draft| draft.relation == end.relation && draft.head == end.head) {
                return held(&said, &Draft { quote: end.quote.end..end.quote.end, ..end.clone() });
            }
        }
        Vec::new()
    }
}

/// The values that drafts before an end say to hold of its head and its relation.
fn held(drafts: &[Draft], end: &Draft) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for draft in drafts.iter().filter(|draft| draft.head == end.head && draft.relation == end.relation) {
        match draft.polarity {
            Polarity::Holds if matches!(draft.phase, Phase::Now | Phase::Began | Phase::SoFar) && draft.quote.start <= end.quote.start => {
                if !values.contains(&draft.tail) {
                    values.push(draft.tail.clone());
                }
            }
            _ => values.retain(|value| *value != draft.tail),
        }
    }
    values
}

/// Whether nothing follows that a verb could take: times, adverbs, and why or by whom it was.
fn is_closed(scene: &Scene<'_, '_>, from: usize, to: usize) -> bool {
    let line = &scene.line;
    match (from..to).find(|at| !matches!(line.tag(*at), Some(Tag::Adv | Tag::Time | Tag::Comma | Tag::Mark))) {
        None => true,
        Some(at) => {
            let timed = line.tag(at) == Some(Tag::Prep) && line.tag(at + 1) == Some(Tag::Time);
            timed
                || matches!(line.lower(at), "because" | "due" | "for" | "by" | "after" | "over" | "and" | "so" | "when" | "without" | "too")
        }
    }
}
