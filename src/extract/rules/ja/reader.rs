//! Reading a text sentence by sentence: what each clause asserts, when, and of whom.
//!
//! Owns the order of the steps and what was spoken of so far. Knows no phrasing of a relation.

use super::super::draft::{Draft, Phase, Reading, Refusal, Setting, Tagged};
use super::Language;
use super::clause::{Arg, Clause, Item, Predicate, clauses};
use super::form::{Flags, Form, Link};
use super::frames::{Filled, Match, is_chained};
use super::lexicon::{Adverb, Call};
use super::mood;
use super::pack::{RelationId, Sort};
use super::particle::Particle;
use super::phrase::{Entity, Owner, Pending};
use super::token::{Kind, Token, tokenize};
use crate::extract::RejectionKind;
use crate::model::Polarity;
use crate::time::expr::{Role, TimeMention, Value, parse_one};
use std::ops::Range;

/// A claim found in a text, before it is placed in time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    pub(super) head: String,
    pub(super) relation: RelationId,
    pub(super) tail: String,
    pub(super) polarity: Polarity,
    pub(super) phase: Phase,
    /// Its times, by their places among the text's.
    pub(super) times: Vec<usize>,
    pub(super) at: Range<usize>,
    /// The phrasing that fired.
    pub(super) pattern: String,
    pub(super) corrects: Option<String>,
    /// How sure the phrasing is.
    pub(super) confidence: f64,
    /// Whether it begins on the day it is said: "from now on".
    pub(super) today: bool,
}

impl Finding {
    pub(super) fn new(head: String, relation: RelationId, tail: String, at: Range<usize>, pattern: String) -> Self {
        Self { head, relation, tail, polarity: Polarity::Holds, phase: Phase::Now, times: Vec::new(), at, pattern, corrects: None, confidence: 0.8, today: false }
    }
}

/// What was spoken of so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    /// What the sentences are about.
    pub(super) topic: Option<String>,
    /// Whether that is a thing.
    pub(super) thing: bool,
    /// A role that somebody has who is not named yet, and where it was said.
    pub(super) unnamed: Option<Pending>,
    /// People and things named, the latest last.
    pub(super) people: Vec<String>,
    pub(super) things: Vec<String>,
}

/// How many claims and names back something is remembered.
const NEAR: usize = 64;

/// Reads one text.
pub(super) struct Reader<'a> {
    pub(super) language: &'a Language,
    pub(super) text: &'a str,
    pub(super) times: &'a [TimeMention],
    pub(super) setting: &'a Setting<'a>,
    pub(super) found: Vec<Finding>,
    pub(super) refused: Vec<Refusal>,
    pub(super) tagged: Vec<Tagged>,
    pub(super) spoken: Spoken,
    pub(super) people: Vec<String>,
    /// Whether a tail may be missing: the words of an answer, whose question holds it.
    pub(super) elliptic: bool,
    /// Whether the text is a question put before, read for what it asks.
    pub(super) asking: bool,
    /// What turns before claim, and what the last one asks.
    pub(super) before: Vec<Finding>,
    pub(super) questions: Vec<Finding>,
    /// Whether it was asked since when.
    pub(super) since_when: bool,
    /// Whether something was just taken back.
    pub(super) correcting: bool,
    /// Whether it is a turn before that is read.
    recalling: bool,
    /// The time of a heading, at which all that is told under it changed.
    pub(super) dated: Option<usize>,
    bounds: Vec<Range<usize>>,
    author: Option<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(language: &'a Language, text: &'a str, times: &'a [TimeMention], setting: &'a Setting<'a>) -> Self {
        let author = if setting.is_assistant() { setting.addressee() } else { setting.author() };
        Self {
            language,
            text,
            times,
            setting,
            found: Vec::new(),
            refused: Vec::new(),
            tagged: Vec::new(),
            spoken: Spoken::default(),
            people: Vec::new(),
            elliptic: false,
            asking: false,
            before: Vec::new(),
            questions: Vec::new(),
            since_when: false,
            correcting: false,
            recalling: false,
            dated: None,
            bounds: times.iter().map(|time| time.bytes.clone()).collect(),
            author: author.map(str::to_owned),
        }
    }

    pub(super) fn speaker(&self) -> Option<String> {
        self.author.clone()
    }

    /// Reads as if this person spoke.
    pub(super) fn speak_as(&mut self, author: Option<&str>) {
        self.author = author.map(str::to_owned);
    }

    pub(super) fn relation(&self, name: &str) -> Option<RelationId> {
        let place = self.language.pack.relations.iter().position(|relation| &*relation.name == name)?;
        RelationId::try_from(place).ok()
    }

    pub(super) fn relation_name(&self, relation: RelationId) -> &str {
        self.language.pack.relations.get(usize::from(relation)).map_or("", |relation| &relation.name)
    }

    pub(super) fn thing(&self, relation: RelationId) -> bool {
        self.language.pack.relations.get(usize::from(relation)).is_some_and(|relation| relation.thing)
    }

    pub(super) fn event(&self, relation: RelationId) -> bool {
        self.language.pack.relations.get(usize::from(relation)).is_some_and(|relation| relation.event)
    }

    pub(super) fn permanent(&self, relation: RelationId) -> bool {
        matches!(self.relation_name(relation), "parent_of" | "child_of" | "sibling_of" | "relative_of" | "founded_by" | "directed_by" | "written_by" | "produced_by" | "birth_date" | "born_in" | "founding_date" | "blood_type" | "has_degree" | "died_on" | "grew_up_in")
    }

    pub(super) fn topic(&self) -> Option<String> {
        self.spoken.topic.clone()
    }

    pub(super) fn topic_is_thing(&self) -> bool {
        self.spoken.thing && self.spoken.topic.is_some()
    }

    /// Whose an attribute is that names no owner: what is spoken of, where it is somebody else.
    pub(super) fn topic_of_attribute(&self) -> Option<String> {
        self.spoken.topic.clone().filter(|_| !self.spoken.thing || self.author.is_none())
    }

    pub(super) fn last_person(&self) -> Option<String> {
        let author = self.author.as_ref();
        self.spoken.people.iter().rev().find(|name| Some(*name) != author).cloned()
    }

    pub(super) fn last_thing(&self) -> Option<String> {
        self.spoken.things.last().cloned()
    }

    /// Notes that somebody or something was named.
    pub(super) fn mention(&mut self, name: &str) {
        if name.is_empty() || Self::is_vague(name) || Some(name) == self.author.as_deref() || self.is_quantity(name) {
            return;
        }
        let list = if self.is_person(name) { &mut self.spoken.people } else { &mut self.spoken.things };
        list.retain(|known| known != name);
        list.push(name.to_owned());
        if list.len() > NEAR {
            list.remove(0);
        }
    }

    pub(super) fn add(&mut self, finding: Finding) {
        let mut finding = finding;
        if let Some(dated) = self.dated.filter(|_| finding.times.is_empty() && matches!(finding.phase, Phase::Began | Phase::Over | Phase::Happened)) {
            finding.times.push(dated);
        }
        let asked = self.asking && Self::is_asked(&finding.tail);
        if finding.head.is_empty() || Self::is_vague(&finding.tail) && !asked || finding.head == finding.tail || Self::is_asked(&finding.tail) && !self.asking {
            return;
        }
        let same = |other: &Finding| other.head == finding.head && other.relation == finding.relation && other.tail == finding.tail && other.polarity == finding.polarity;
        // What ended is not claimed to be so for being named by it: "彼氏の翔太とは別れた".
        if finding.polarity == Polarity::Ends {
            let named = |other: &Finding| other.head == finding.head && other.relation == finding.relation && other.tail == finding.tail && other.pattern.starts_with("role ") && other.phase == Phase::Now;
            self.found.retain(|other| !named(other));
        }
        if !self.found.iter().rev().take(NEAR).any(same) {
            self.found.push(finding);
        }
    }

    fn refuse(&mut self, kind: RejectionKind, at: Range<usize>, reason: impl Into<String>) {
        self.refused.push(Refusal { kind, quote: at, reason: reason.into() });
    }

    /// Reads a turn before for what it asks and names.
    pub(super) fn recall(&mut self) {
        self.recalling = true;
        self.read();
    }

    /// Takes over what a turn before names, and what it asks if it was the last one.
    pub(super) fn take_up(&mut self, turn: Reader<'_>, asks: bool, other: bool) {
        for (ours, theirs) in [(&mut self.spoken.people, turn.spoken.people), (&mut self.spoken.things, turn.spoken.things)] {
            for name in theirs {
                ours.retain(|known| *known != name);
                ours.push(name);
            }
        }
        // Times of another text mean nothing here.
        let findings = turn.found.into_iter().map(|finding| Finding { times: Vec::new(), at: 0..0, ..finding });
        if asks {
            self.since_when = turn.text.contains("いつ");
            self.questions = findings.collect();
            self.elliptic = !self.questions.is_empty();
        } else if !other {
            self.before.extend(findings);
        }
    }

    /// Reads the whole text.
    pub(super) fn read(&mut self) {
        let written = self.setting.is_written() && !self.recalling;
        let mut tasked = false;
        let sentences = sentences(self.text);
        for (index, at) in sentences.iter().enumerate() {
            let sentence = self.text.get(at.clone()).unwrap_or_default();
            if written && index == 0 && self.heading(at) {
                continue;
            }
            if tasked {
                self.refuse(RejectionKind::Quoted, at.clone(), "it stands beside a task with a text");
                continue;
            }
            if mood::is_task(sentence) {
                self.refuse(RejectionKind::Quoted, at.clone(), "a text to work on is not what somebody says");
                tasked = true;
                continue;
            }
            if self.setting.is_assistant() && !self.recalling && (mood::is_echo(sentence) || !self.reports(sentence)) {
                self.refuse(RejectionKind::Echo, at.clone(), "an assistant repeats or answers");
                continue;
            }
            if mood::is_jest(sentence) {
                if let Some(last) = index.checked_sub(1).and_then(|before| sentences.get(before)) {
                    self.found.retain(|finding| finding.at.start < last.start);
                }
                self.refuse(RejectionKind::Joke, at.clone(), "it was said in jest");
                continue;
            }
            if let Some((kind, word)) = mood::of_sentence(sentence, written) {
                self.refuse(kind, at.clone(), format!("{word} speaks against it"));
                continue;
            }
            self.sentence(at.clone());
        }
    }

    /// Whether an assistant's sentence tells of something that it did.
    fn reports(&self, sentence: &str) -> bool {
        ["ました", "済みです", "完了です", "いたしました", "完了しています"].iter().any(|end| sentence.trim_end_matches(['。', '！', '!', ' ', '\n']).ends_with(end))
    }

    fn sentence(&mut self, at: Range<usize>) {
        let tokens = tokenize(self.text, at.clone(), &self.bounds, &self.language.lexicon);
        if self.setting.traced {
            self.trace(&tokens);
        }
        let (tokens, asides) = self.asides(tokens);
        if self.setting.is_written() {
            self.read_asides(asides);
        }
        let clauses = clauses(self.text, &tokens);
        if std::env::var("JADBG").is_ok() {
            for t in &tokens { eprintln!("      {:?} {:?}", &self.text[t.at.clone()], t.kind); }
            for c in &clauses { eprintln!("   clause {:?} {:?} link {:?} {:?} {:?}", &self.text[c.at.clone()], c.args.iter().map(|a| (a.particle, a.topic, a.items.iter().map(|i| &self.text[i.at()]).collect::<Vec<_>>())).collect::<Vec<_>>(), c.form().link, c.form().flags, c.adverbs); }
        }
        let asked = self.text.get(at.end..).is_some_and(|rest| rest.starts_with(['?', '？'])) || self.text.get(at).is_some_and(|sentence| sentence.ends_with(['?', '？']));
        self.sentence_of(&clauses, asked);
    }

    fn trace(&mut self, tokens: &[Token]) {
        for token in tokens {
            let tag = match &token.kind {
                Kind::Text => "noun".to_owned(),
                Kind::Quote(_) => "quotation".to_owned(),
                Kind::Time(_) => "time".to_owned(),
                Kind::Particle(particle, topic) => format!("particle {particle:?}{}", if *topic { " (topic)" } else { "" }),
                Kind::Predicate(readings) => {
                    let words: Vec<&str> = readings.iter().map(|(word, ..)| self.language.pack.dictionary(*word).unwrap_or("unknown")).collect();
                    format!("predicate {}", words.join(", "))
                }
                Kind::Copula(_) => "copula".to_owned(),
                Kind::Adverb(adverb) => format!("adverb {adverb:?}"),
                Kind::Call(call) => format!("interjection {call:?}"),
                Kind::Comma | Kind::Colon | Kind::Break => "mark".to_owned(),
            };
            self.tagged.push(Tagged { bytes: token.at.clone(), tag });
        }
    }

    /// Reads the clauses of a sentence. What the last one of a chain is (a question, a wish) all before it in the chain are.
    pub(super) fn sentence_of(&mut self, clauses: &[Clause], asked: bool) {
        let mut group = 0;
        let mut first = true;
        while group < clauses.len() {
            let end = (group..clauses.len()).find(|place| clauses.get(*place).is_some_and(|clause| clause.form().link.is_own())).map_or(clauses.len(), |place| place + 1);
            let last_group = end == clauses.len();
            let Some(chain) = clauses.get(group..end) else { break };
            let last = chain.last().map_or(Form { flags: Flags::NONE, link: Link::Whole }, Clause::form);
            // が、けど before a question only lead to it: they are said.
            let kind = mood::of(last, asked && last_group);
            // でしょう of a value in a document is as good as said; と思う of the speaker's own plan is a plan.
            let suppose = chain.iter().any(|clause| clause.says(Adverb::Suppose));
            let kind = kind.or_else(|| suppose.then_some(RejectionKind::Hypothetical));
            let kind = kind.filter(|kind| !(*kind == RejectionKind::Hypothetical && last.is(Flags::WILLED)));
            let times = chain_times(chain);
            let mut carried: Option<(Clause, bool)> = None;
            for (place, clause) in chain.iter().enumerate() {
                let form = clause.form();
                if form.link == Link::Of {
                    // Read with the noun that it modifies.
                    continue;
                }
                if form.link == Link::Cleft {
                    carried = Some((clause.clone(), false));
                    self.presuppose(clause);
                    continue;
                }
                // What leads to a plan is part of it.
                let meant = last.any(Flags::PLANNED.with(Flags::WILLED)) && place + 1 < chain.len() && matches!(form.link, Link::Te | Link::Stem);
                if meant {
                    self.presuppose(clause);
                    continue;
                }
                let own = mood::of(form, false).filter(|kind| !(*kind == RejectionKind::Hypothetical && form.is(Flags::WILLED)));
                // 教えて: a request, where nothing follows.
                let asked_clause;
                let asks = form.link == Link::Te && group + place + 1 == clauses.len() && !form.is(Flags::ONGOING) && matches!(clause.predicate, Predicate::Verb(_));
                let own = own.or_else(|| asks.then_some(RejectionKind::Request));
                let clause = if asks {
                    asked_clause = clause.requested();
                    &asked_clause
                } else {
                    clause
                };
                let own = own.or_else(|| (form.link == Link::Quote && !self.asserts_quoted(chain.get(place + 1))).then_some(RejectionKind::Hypothetical));
                let before = self.found.len();
                let refusal = kind.or(own);
                // What is so only if something else is.
                let depends = chain.get(..place).is_some_and(|before| before.iter().any(|clause| matches!(clause.form().link, Link::If | Link::Quote))) && !(form.is(Flags::PAST) && !form.is(Flags::ONGOING) && form.link == Link::Whole);
                let own = own.or_else(|| depends.then_some(RejectionKind::Hypothetical));
                let read = Said { clause, clauses, chain: last, times: &times, place: group + place };
                if first {
                    self.answer(clause, refusal.is_none());
                }
                first = false;
                match refusal {
                    None => {
                        self.modifiers(clause, clauses);
                        if self.said(&read, carried.take().map(|(clause, _)| clause).as_ref()) {
                            continue;
                        }
                    }
                    Some(kind) => {
                        self.asked_of(&read, kind);
                        if self.found.len() == before {
                            self.refuse(kind, clause.at.clone(), "its endings say so");
                        }
                    }
                }
            }
            group = end;
        }
    }

    /// Whether what is said to be so in a clause is as good as said: a document announces it.
    fn asserts_quoted(&self, next: Option<&Clause>) -> bool {
        const ANNOUNCE: &[&str] = &["発表する", "明らかにする", "報じる", "報告する", "公表する", "伝える", "述べる", "決定する", "合意する", "発表される", "報じられる", "なる"];
        let Some(Clause { predicate: Predicate::Verb(readings), .. }) = next else { return false };
        self.setting.is_written() && readings.iter().any(|(word, ..)| self.language.pack.dictionary(*word).is_some_and(|word| ANNOUNCE.contains(&word)))
    }

    /// What a clause that asserts nothing still takes for granted, and what a request asks to be done from now on.
    fn asked_of(&mut self, said: &Said<'_>, kind: RejectionKind) {
        let clause = said.clause;
        if self.asking {
            self.said(said, None);
            return;
        }
        if kind == RejectionKind::Request && self.preference(said) {
            return;
        }
        self.modifiers(clause, said.clauses);
        self.presuppose(clause);
    }

    /// The claims that the noun phrases of a clause make by themselves.
    fn presuppose(&mut self, clause: &Clause) {
        for arg in clause.args.iter().chain(match &clause.predicate {
            Predicate::Copula(_, value) => Some(value),
            Predicate::Verb(_) | Predicate::Missing => None,
        }) {
            for item in &arg.items {
                let entity = self.entity(item);
                self.mention(&entity.text);
            }
        }
    }

    /// The claims of clauses that modify the nouns of a clause: "卵が苦手な娘の凛", "大阪に住む弟".
    fn modifiers(&mut self, clause: &Clause, clauses: &[Clause]) {
        let items: Vec<Item> = clause
            .args
            .iter()
            .chain(if let Predicate::Copula(_, value) = &clause.predicate { Some(value) } else { None })
            .flat_map(|arg| arg.items.iter().cloned())
            .collect();
        for item in items {
            let Some(modifier) = item.parts.iter().find_map(|part| part.modifier) else { continue };
            let Some(inner) = clauses.get(modifier) else { continue };
            // A common noun alone is what is asked for or told, not somebody.
            let text = self.text.get(item.at()).unwrap_or_default();
            if mood::of(inner.form(), false).is_some() {
                continue;
            }
            let topic = clause.args.iter().find(|arg| arg.topic).and_then(|arg| arg.items.first()).cloned();
            let is_value = matches!(&clause.predicate, Predicate::Copula(_, value) if value.items.contains(&item));
            let gap = if is_value && self.setting.is_written() { topic.or(Some(item.clone())) } else { Some(item.clone()) };
            if self.is(text, "generic") && !(is_value && self.setting.is_written()) {
                continue;
            }
            if let (Predicate::Copula(form, value), Some(gap)) = (&inner.predicate, &gap) {
                // 社長だった人
                let subject = Item { parts: gap.parts.iter().map(|part| super::clause::Part { modifier: None, ..part.clone() }).collect() };
                let topic = Arg { items: vec![subject], particle: Particle::Topic, topic: true, unsure: false, listed: false };
                let args = inner.args.iter().filter(|arg| !arg.topic).cloned().chain(std::iter::once(topic)).collect();
                let told = Clause { args, predicate: Predicate::Copula(Form { link: Link::Whole, ..*form }, value.clone()), ..inner.clone() };
                self.copula(&Said { clause: &told, clauses: std::slice::from_ref(&told), chain: told.form(), times: &[], place: 0 }, None);
                continue;
            }
            let said = Said { clause: inner, clauses, chain: inner.form(), times: &[], place: modifier };
            let before = self.found.len();
            self.verb(&said, gap.as_ref());
            // What is broken or done tells what is meant, not how things stand.
            let status = self.relation("status");
            let mut place = 0;
            self.found.retain(|finding| {
                place += 1;
                place <= before || Some(finding.relation) != status
            });
        }
    }

    /// Reads a clause that asserts something; whether anything came of it.
    fn said(&mut self, said: &Said<'_>, cleft: Option<&Clause>) -> bool {
        let before = self.found.len();
        match &said.clause.predicate {
            Predicate::Verb(_) => {
                if !(self.pleases(said.clause) && self.preference(said)) && !self.planned(said) && !self.named_verb(said) {
                    self.verb(said, None);
                }
            }
            Predicate::Copula(..) => self.copula(said, cleft),
            Predicate::Missing => {
                if self.is_fragment(said.clause) {
                    self.presuppose(said.clause);
                    if let Some(arg) = said.clause.args.last().filter(|_| said.place == 0).cloned() {
                        self.fragment(&arg, said);
                    }
                }
            }
        }
        if said.clause.calls.contains(&Call::Correction) || said.clause.form().link == Link::NotBut {
            self.refute(said);
        }
        self.note(said.clause);
        self.found.len() > before
    }

    /// Whether a clause asks politely: お願いします.
    fn pleases(&self, clause: &Clause) -> bool {
        matches!(&clause.predicate, Predicate::Verb(readings) if readings.iter().any(|(word, ..)| matches!(self.language.pack.dictionary(*word), Some("お願いする" | "希望する"))))
    }

    fn is_fragment(&self, clause: &Clause) -> bool {
        clause.args.iter().any(|arg| !arg.items.is_empty())
    }

    /// Notes what a clause was about.
    fn note(&mut self, clause: &Clause) {
        let topic = clause.args.iter().find(|arg| arg.topic && !arg.items.iter().all(Item::is_time)).or_else(|| {
            clause.args.iter().find(|arg| arg.particle == Particle::Ga && self.setting.is_written() && self.spoken.topic.is_none())
        });
        for arg in &clause.args {
            for item in &arg.items {
                if !item.is_time() {
                    let entity = self.entity(item);
                    if entity.pending.is_none() {
                        self.mention(&entity.text);
                    }
                }
            }
        }
        if let Some(item) = topic.and_then(|arg| arg.items.first()) {
            let entity = self.entity(item);
            if entity.speaker {
                self.spoken.topic = None;
            } else {
                let owner = match &entity.pending {
                    None => Some(entity.text.clone()),
                    Some(pending) => match &pending.owner {
                        Owner::Named(owner) => Some(owner.clone()),
                        Owner::Speaker => {
                            self.spoken.topic = None;
                            None
                        }
                        Owner::Default if pending.is_role() && !self.setting.is_written() && pending.uses.iter().all(|(relation, bears)| *bears == super::pack::Bears::Role && !self.thing(*relation)) => Some(entity.text.clone()),
                        Owner::Default => None,
                    },
                };
                if let Some(owner) = owner.filter(|owner| !Self::is_vague(owner)) {
                    self.spoken.thing = !self.is_person(&owner) && !self.found.iter().any(|finding| finding.tail == owner && !self.thing(finding.relation) && self.relation_name(finding.relation).ends_with("_of"));
                    // What the speaker likes or lacks is no topic that others are about.
                    let told = self.found.iter().any(|finding| finding.head == owner);
                    if told || self.setting.is_written() || !self.spoken.thing && self.spoken.people.contains(&owner) {
                        self.spoken.topic = Some(owner);
                    }
                }
            }
        }
    }

    /// Reads the predicate of a clause by the frames; `gap` is a noun that the clause modifies.
    pub(super) fn verb(&mut self, said: &Said<'_>, gap: Option<&Item>) {
        let clause = said.clause;
        let matches = self.matches(clause, gap);
        if matches.is_empty() {
            if gap.is_none() && self.by_copula(said) {
                return;
            }
            self.presuppose(clause);
            self.existence(clause);
            return;
        }
        for found in matches {
            self.claim(said, &found, gap);
        }
    }

    /// A noun that some frame takes for its predicate ("学生だ"), where it is but a value.
    fn by_copula(&mut self, said: &Said<'_>) -> bool {
        let clause = said.clause;
        let Predicate::Verb(readings) = &clause.predicate else { return false };
        let Some((word, form)) = readings.iter().find_map(|(word, class, form)| (*class == super::inflect::Class::Nominal).then_some((*word, *form))) else { return false };
        let Some(stem) = self.language.pack.dictionary(word).map(|word| word.strip_suffix('だ').unwrap_or(word)) else { return false };
        let start = clause.verb.start;
        let part = super::clause::Part { at: start..start + stem.len(), sort: super::clause::Sort::Text, joint: super::clause::Joint::Last, modifier: None };
        let mut args = clause.args.clone();
        let mut item = Item { parts: vec![part] };
        // 大学の学生だ
        if args.last().is_some_and(|arg| arg.particle == Particle::No)
            && let Some(mut owner) = args.pop().and_then(|arg| arg.items.into_iter().last())
        {
            if let Some(last) = owner.parts.last_mut() {
                last.joint = super::clause::Joint::Of;
            }
            owner.parts.append(&mut item.parts);
            item = owner;
        }
        let value = Arg { items: vec![item], particle: Particle::Bare, topic: false, unsure: false, listed: false };
        let clause = Clause { args, predicate: Predicate::Copula(form, value), ..clause.clone() };
        let before = self.found.len();
        self.copula(&Said { clause: &clause, ..*said }, None);
        self.found.len() > before
    }

    /// "娘がいて": somebody has a role and no name yet.
    fn existence(&mut self, clause: &Clause) {
        for arg in clause.args.iter().filter(|arg| matches!(arg.particle, Particle::Ga | Particle::Too | Particle::Topic)) {
            let Some(item) = arg.items.last() else { continue };
            let entity = self.entity(item);
            let Some(pending) = entity.pending else { continue };
            if pending.is_role() {
                self.spoken.unnamed = Some(pending);
            } else if self.asking
                && let Some(&(relation, _)) = pending.uses.first()
                && let Some(owner) = self.owner(&pending.owner, relation)
            {
                // アレルギーはありますか: which, if any.
                self.add(Finding::new(owner, relation, "何".to_owned(), clause.at.clone(), "question".to_owned()));
            }
        }
    }

    fn claim(&mut self, said: &Said<'_>, found: &Match, gap: Option<&Item>) {
        let clause = said.clause;
        let relation = found.frame.relation;
        let mut tails = self.fillers(clause, found.tail.as_ref(), gap);
        if !found.affix.is_empty() {
            for tail in &mut tails {
                let stem = tail.text.strip_suffix(&*found.affix).unwrap_or(&tail.text);
                tail.text = stem.strip_suffix('の').unwrap_or(stem).to_owned();
            }
        }
        if tails.is_empty() && self.relation_name(relation) != "status" {
            // An answer leaves out what was asked about.
            let asked = self.questions.iter().find(|asked| asked.relation == relation && !Self::is_asked(&asked.tail));
            let Some(asked) = asked else { return };
            tails.push(Entity { text: asked.tail.clone(), ..Entity::default() });
        }
        let heads = match &found.head {
            Some(filled) => self.fillers(clause, Some(filled), gap),
            None => Vec::new(),
        };
        let from = self.fillers(clause, found.from.as_ref(), gap);
        let head = match heads.first() {
            Some(head) if head.unresolved => {
                self.refuse(RejectionKind::Unresolved, clause.at.clone(), format!("{} stands for nobody known", head.text));
                return;
            }
            // "予約は3時にある" tells of no thing.
            Some(head) if self.thing(relation) && head.pending.as_ref().is_some_and(|pending| !pending.is_role()) => return,
            // エディタはVimを使う: an attribute is no subject.
            Some(head) if head.pending.as_ref().is_some_and(|pending| !pending.is_role()) && !self.thing(relation) => self.speaker(),
            Some(head) if !self.thing(relation) && !self.setting.is_written() && self.is_plain_thing(&head.text) => self.speaker(),
            Some(head) => Some(self.name_of(head)),
            None if self.thing(relation) => self.topic(),
            None => self.topic_of_attribute().filter(|topic| !self.is_about_speaker(clause) && !topic.is_empty()).or_else(|| self.speaker()),
        };
        let Some(head) = head else { return };
        if heads.is_empty() && self.thing(relation) && Some(&head) == self.speaker().as_ref() {
            return;
        }
        let heads: Vec<String> = if heads.len() > 1 { heads.iter().map(|head| self.name_of(head)).collect() } else { vec![head] };
        let mut times = self.clause_times(clause, found, &tails);
        if times.is_empty() {
            times = said.times.to_vec();
        }
        if self.relation_name(relation) == "blocked_by" {
            for tail in &mut tails {
                tail.text = tail.text.strip_suffix("待ち").filter(|text| !text.is_empty()).unwrap_or(&tail.text).to_owned();
            }
        }
        if self.relation_name(relation) == "port" {
            for tail in &mut tails {
                tail.text.retain(char::is_numeric);
            }
        }
        if matches!(self.relation_name(relation), "version" | "fixed_in" | "released") {
            for tail in &mut tails {
                tail.text = tail.text.trim_start_matches("バージョン").trim().to_owned();
            }
        }
        let Some((phase, polarity)) = self.phase(said, found, &times) else { return };
        // Not to like is to dislike.
        let (relation, polarity) = match self.relation_name(relation) {
            "likes" if polarity == Polarity::Never => (self.relation("dislikes").unwrap_or(relation), Polarity::Holds),
            _ => (relation, polarity),
        };
        // 会社を辞めた: which one, nobody says.
        if matches!(self.relation_name(relation), "employer" | "studies_at" | "treated_by" | "graduated_from") {
            tails.retain(|tail| !self.is(&tail.text, "common") && !self.is(&tail.text, "belonging"));
            if tails.is_empty() {
                return;
            }
        }
        let pattern = format!("{}: {}", self.relation_name(relation), found.frame.text);
        let corrects = self.denied_before(said).map(|(old, _)| old);
        let unsure = found.tail.as_ref().is_some_and(|filled| matches!(filled, Filled::Arg(place, _) if clause.args.get(*place).is_some_and(|arg| arg.unsure)));
        if unsure {
            self.refuse(RejectionKind::Hypothetical, clause.at.clone(), "one of several, and it is not said which");
            return;
        }
        for head in &heads {
            for old in &from {
                self.add(Finding {
                    polarity: Polarity::Ends,
                    phase: Phase::Over,
                    times: times.clone(),
                    ..Finding::new(head.clone(), relation, old.text.clone(), clause.at.clone(), pattern.clone())
                });
            }
            let status = tails.is_empty() && self.relation_name(relation) == "status";
            if status {
                let word = self.status_word(clause);
                self.add(Finding { phase, polarity, times: times.clone(), ..Finding::new(head.clone(), relation, word, clause.at.clone(), pattern.clone()) });
            }
            for tail in &tails {
                if tail.unresolved {
                    self.refuse(RejectionKind::Unresolved, clause.at.clone(), format!("{} stands for nobody known", tail.text));
                    continue;
                }
                self.add(Finding {
                    phase,
                    polarity,
                    times: times.clone(),
                    corrects: corrects.clone(),
                    today: clause.says(Adverb::FromNowOn) && times.is_empty() && phase == Phase::Now,
                    ..Finding::new(head.clone(), relation, tail.text.clone(), clause.at.clone(), pattern.clone())
                });
                if self.relation_name(relation) == "has_pet" {
                    self.spoken.unnamed = Some(Pending { owner: Owner::Named(head.clone()), uses: Vec::new(), former: false, naming: None, of: Some(tail.text.clone()), noun: tail.text.clone() });
                }
            }
        }
    }

    /// Whether a text is a word for a thing that is never somebody.
    fn is_plain_thing(&self, text: &str) -> bool {
        let honoured = ["さん", "くん", "君", "ちゃん", "氏"].iter().any(|end| text.ends_with(end));
        !honoured && ["hobby", "instrument", "vehicle", "device", "event", "subject", "language", "place", "belonging", "generic"].iter().any(|class| self.is(text, class)) && !self.spoken.people.iter().any(|known| known == text)
    }

    /// Whether a clause names the speaker as its subject.
    fn is_about_speaker(&self, clause: &Clause) -> bool {
        clause.args.iter().any(|arg| arg.topic && arg.items.iter().any(|item| self.text.get(item.at()).is_some_and(|text| matches!(text, "私" | "僕" | "俺" | "わたし" | "ぼく" | "自分"))))
    }

    fn name_of(&self, entity: &Entity) -> String {
        if entity.speaker { self.speaker().unwrap_or_else(|| entity.text.clone()) } else { self.bare_name(&entity.text) }
    }

    /// The word of a state that a verbal noun names.
    fn status_word(&self, clause: &Clause) -> String {
        let verb = self.text.get(clause.verb.clone()).unwrap_or_default();
        let Predicate::Verb(readings) = &clause.predicate else { return verb.to_owned() };
        let word = readings.iter().find_map(|(word, ..)| self.language.pack.dictionary(*word)).unwrap_or(verb);
        word.strip_suffix("する").or_else(|| word.strip_suffix("される")).or_else(|| word.strip_suffix('だ')).unwrap_or(word).to_owned()
    }

    /// What fills a slot, coordinated ones each.
    fn fillers(&mut self, clause: &Clause, filled: Option<&Filled>, gap: Option<&Item>) -> Vec<Entity> {
        match filled {
            None => Vec::new(),
            Some(Filled::Gap) => gap.map(|item| self.plain(item)).into_iter().collect(),
            Some(Filled::Arg(place, left)) => {
                let Some(arg) = clause.args.get(*place) else { return Vec::new() };
                let mut items: Vec<Item> = Vec::new();
                // と before it that no slot took: several of a kind.
                let mut before = *place;
                while before > 0 && clause.args.get(before - 1).is_some_and(|arg| arg.particle == Particle::To && !arg.topic) {
                    // 友達と京都に: not of a kind.
                    let kind = |arg: &Arg| arg.items.last().is_some_and(|item| self.is_surely_somebody(item));
                    if clause.args.get(before - 1).is_some_and(|other| kind(other) != kind(arg)) || arg.particle == Particle::De {
                        break;
                    }
                    before -= 1;
                    if let Some(arg) = clause.args.get(before) {
                        items.splice(0..0, arg.items.iter().cloned());
                    }
                }
                items.extend(arg.items.iter().cloned());
                // も … も
                if arg.particle == Particle::Too {
                    let others = clause.args.iter().enumerate().filter(|(other, arg)| other != place && arg.particle == Particle::Too);
                    let mut all: Vec<Item> = others.flat_map(|(_, arg)| arg.items.clone()).collect();
                    all.append(&mut items);
                    items = all;
                }
                if *left > 0 && let Some(last) = items.last_mut() {
                    last.parts.truncate(last.parts.len().saturating_sub(*left));
                }
                // In a list, a common noun is explained by the name after it.
                if arg.listed && items.len() > 1 {
                    let kept: Vec<Item> = items.iter().filter(|item| !self.is(self.text.get(item.at()).unwrap_or_default(), "generic")).cloned().collect();
                    if !kept.is_empty() {
                        items = kept;
                    }
                }
                items.iter().map(|item| self.plain(item)).collect()
            }
        }
    }

    /// An entity that stands for itself, whatever role it has.
    pub(super) fn plain(&mut self, item: &Item) -> Entity {
        let mut entity = self.entity(item);
        if item.is_time() {
            entity.text = trim_date(&self.surface(item, 0, item.parts.len().saturating_sub(1))).to_owned();
        }
        entity
    }

    /// The times of a clause that no slot took.
    pub(super) fn clause_times(&self, clause: &Clause, found: &Match, tails: &[Entity]) -> Vec<usize> {
        let mut times: Vec<usize> = Vec::new();
        for (place, arg) in clause.args.iter().enumerate() {
            let taken = [&found.tail, &found.head, &found.from].into_iter().flatten().any(|filled| matches!(filled, Filled::Arg(used, 0) if *used == place));
            for item in &arg.items {
                if item.is_time() && !taken {
                    times.extend(item.times());
                } else if !item.is_time() {
                    times.extend(item.times().filter(|time| self.is_moment(*time)));
                }
            }
        }
        for tail in tails {
            times.extend(tail.times.iter().copied());
        }
        // The date of a birth is a tail and a time.
        if let Some(Filled::Arg(place, _)) = &found.tail
            && (self.permanent(found.frame.relation) || found.frame.sort == Sort::Did)
            && let Some(arg) = clause.args.get(*place)
        {
            times.extend(arg.items.iter().filter(|item| item.is_time()).flat_map(|item| item.times().collect::<Vec<_>>()));
        }
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Phase and polarity of a frame in a clause; `None` where the clause tells of nothing that is or was.
    fn phase(&self, said: &Said<'_>, found: &Match, times: &[usize]) -> Option<(Phase, Polarity)> {
        use Polarity::{Ends, Holds, Never};
        let clause = said.clause;
        let form = found.form;
        let chained = is_chained(form.link) || form.link == Link::Bare;
        let flags = if chained { form.flags.with(if said.chain.is(Flags::PAST) { Flags::PAST } else { Flags::NONE }) } else { form.flags };
        let has = |flag: Flags| flags.has(flag);
        let formerly = clause.says(Adverb::Formerly);
        let bare = form.link == Link::Bare;
        let timed = !times.is_empty();
        let negated = form.is(Flags::NEGATED);
        let planned = flags.any(Flags::PLANNED.with(Flags::WILLED));
        let sort = found.frame.sort;
        if self.asking {
            return Some((if has(Flags::PAST) && !has(Flags::ONGOING) { Phase::Happened } else { Phase::Now }, Holds));
        }
        if negated {
            if form.is(Flags::TRIED_ONCE) || clause.says(Adverb::NotOnce) {
                return Some((Phase::SoFar, Never));
            }
            return match sort {
                Sort::Say if clause.says(Adverb::Already) && !has(Flags::PAST) => Some((Phase::Over, Ends)),
                Sort::Say if has(Flags::PAST) && !chained => Some((if timed { Phase::Past } else { Phase::SoFar }, Never)),
                Sort::Say if form.is(Flags::BEGAN) => Some((Phase::Over, Ends)),
                Sort::Say => Some((Phase::Now, Never)),
                Sort::Did if has(Flags::PAST) => Some((Phase::Happened, Never)),
                Sort::Did if has(Flags::ONGOING) => Some((Phase::SoFar, Never)),
                Sort::Begin if has(Flags::ONGOING) => Some((Phase::SoFar, Never)),
                Sort::Did | Sort::Begin | Sort::End => None,
            };
        }
        match sort {
            Sort::Say => {
                if self.event(found.frame.relation) {
                    // A booking is an event whenever it is told.
                    return Some((if has(Flags::PAST) { Phase::Happened } else { Phase::Ahead }, Holds));
                }
                if form.is(Flags::TRIED_ONCE) {
                    return Some((Phase::UsedTo, Holds));
                }
                if form.is(Flags::BEGAN) {
                    return Some((Phase::Began, Holds));
                }
                if form.is(Flags::FINISHED) {
                    return Some((Phase::Over, Ends));
                }
                if planned {
                    return None;
                }
                if formerly {
                    return Some((if timed { Phase::Past } else { Phase::UsedTo }, Holds));
                }
                if has(Flags::PAST) && !bare {
                    let open = self.since(times);
                    let passive = found.frame.text.ends_with("られる") || found.frame.text.ends_with("される") || found.frame.text.ends_with("れる") && matches!(self.relation_name(found.frame.relation), "assigned_to" | "replaced_by" | "deployed_to");
                    let stands = passive && !has(Flags::ONGOING) || found.frame.text.contains("診断") || found.frame.text.contains("される") && !has(Flags::ONGOING);
                    if stands && !chained || form.is(Flags::DECIDED) {
                        return Some((Phase::Began, Holds));
                    }
                    return Some((if open { Phase::Now } else if timed { Phase::Past } else { Phase::UsedTo }, Holds));
                }
                if clause.says(Adverb::FromNowOn) {
                    return Some((Phase::Now, Holds));
                }
                let future = times.iter().any(|time| self.is_future(*time));
                Some((if future { Phase::Ahead } else { Phase::Now }, Holds))
            }
            Sort::Begin => {
                if has(Flags::PAST) || has(Flags::ONGOING) || form.is(Flags::DONE) || form.link == Link::Te && !planned || bare && !times.iter().any(|time| self.is_future(*time)) {
                    if form.is(Flags::DECIDED) {
                        return timed.then_some((Phase::Ahead, Holds));
                    }
                    return Some((if formerly && !timed { Phase::UsedTo } else { Phase::Began }, Holds));
                }
                (timed && (!planned || self.setting.is_written())).then_some((Phase::Ahead, Holds))
            }
            Sort::End => {
                if has(Flags::PAST) && !form.is(Flags::DECIDED) || form.is(Flags::DONE) || bare || has(Flags::ONGOING) {
                    return Some((Phase::Over, Ends));
                }
                // What is to end still holds till then.
                (timed && !planned).then_some((Phase::Over, Ends))
            }
            Sort::Did => {
                if has(Flags::PAST) || bare || form.is(Flags::TRIED_ONCE) || form.is(Flags::DONE) {
                    return Some((Phase::Happened, Holds));
                }
                if has(Flags::ONGOING) && (timed || self.permanent(found.frame.relation)) && !times.iter().all(|time| !self.is_moment(*time)) {
                    return Some((Phase::Happened, Holds));
                }
                (self.permanent(found.frame.relation) && !planned || self.setting.is_written() && timed && !planned).then_some((Phase::Ahead, Holds))
            }
        }
    }

    pub(super) fn is_future(&self, time: usize) -> bool {
        let now = self.setting.calendar.reference;
        self.times.get(time).is_some_and(|time| match time.value {
            Value::Moment(moment) => moment.lo() > now,
            Value::Span(span) => span.start().lo() > now && span.start() != crate::time::Start::Unknown,
            Value::Duration(_) | Value::Set(_) => false,
        })
    }

    fn since(&self, times: &[usize]) -> bool {
        times.iter().any(|time| self.times.get(*time).is_some_and(|time| matches!(time.role, Role::Since)))
    }

    /// A time with the role that a particle after it gives, of a booking or date to come the reading that is to come.
    fn time(&self, place: usize, relation: RelationId) -> Option<TimeMention> {
        let mut time = self.times.get(place)?.clone();
        let after = self.text.get(time.bytes.end..).unwrap_or_default();
        if time.role == Role::At {
            if ["から", "以来", "以降", "より"].iter().any(|word| after.starts_with(word)) {
                time.role = Role::Since;
            } else if after.starts_with("まで") && !after.starts_with("までに") {
                time.role = Role::Until;
            }
        }
        let now = self.setting.calendar.reference;
        let to_come = matches!(self.relation_name(relation), "has_appointment" | "scheduled_for" | "deadline");
        if to_come && let Value::Moment(moment) = time.value && moment.hi() < now {
            let other = time.alternatives.iter().find(|value| matches!(value, Value::Moment(moment) if moment.lo() > now)).copied();
            if let Some(other) = other {
                time.value = other;
            }
        }
        Some(time)
    }

    /// When whoever had a trade died, so that it ended then.
    fn death_of(&self, finding: &Finding) -> Option<TimeMention> {
        if !(finding.phase == Phase::Now && finding.polarity == Polarity::Holds && matches!(self.relation_name(finding.relation), "job_title" | "nationality")) {
            return None;
        }
        let died = self.relation("died_on");
        let death = self.found.iter().find(|other| Some(other.relation) == died && other.head == finding.head)?;
        let time = self.times.get(*death.times.first()?)?.clone();
        Some(TimeMention { role: Role::Until, ..time })
    }

    /// The drafts of what was found.
    pub(super) fn finish(self) -> Reading {
        let today = self.found.iter().any(|finding| finding.today).then(|| parse_one("今日", &self.setting.calendar)).flatten();
        let today = today.map(|time| TimeMention { role: Role::Since, ..time });
        let drafts = self
            .found
            .iter()
            .map(|finding| (finding, self.death_of(finding)))
            .map(|(finding, death)| Draft {
                head: finding.head.clone(),
                relation: self.relation_name(finding.relation).to_owned(),
                tail: finding.tail.clone(),
                polarity: finding.polarity,
                phase: if death.is_some() { Phase::UsedTo } else { finding.phase },
                times: death.into_iter().chain(finding.times.iter().filter_map(|time| self.time(*time, finding.relation)).chain(today.iter().filter(|_| finding.today).cloned())).collect(),
                quote: finding.at.clone(),
                pattern: format!("ja/{}", finding.pattern),
                confidence: finding.confidence,
                corrects: finding.corrects.clone(),
            })
            .collect();
        Reading { drafts, refused: self.refused, tagged: self.tagged }
    }
}

/// A clause with what stands around it.
#[derive(Clone, Copy)]
pub(super) struct Said<'c> {
    pub(super) clause: &'c Clause,
    pub(super) clauses: &'c [Clause],
    /// The form of the last clause of its chain, whose tense it shares.
    pub(super) chain: Form,
    /// The times of its chain, for a clause without any.
    pub(super) times: &'c [usize],
    pub(super) place: usize,
}

/// The times that clauses of a chain share: those of its only dated clause.
fn chain_times(chain: &[Clause]) -> Vec<usize> {
    if !chain.last().is_some_and(|last| last.form().is(Flags::PAST) && !last.form().is(Flags::ONGOING)) {
        return Vec::new();
    }
    let of = |clause: &Clause| -> Vec<usize> { clause.args.iter().flat_map(|arg: &Arg| arg.items.iter()).filter(|item| item.is_time()).flat_map(|item| item.times().collect::<Vec<_>>()).collect() };
    let mut dated = chain.iter().filter(|clause| clause.form().link != Link::Of).map(of).filter(|times| !times.is_empty());
    match (dated.next(), dated.next()) {
        (Some(times), None) => times,
        _ => Vec::new(),
    }
}

/// A date without the particles that belong to its clause.
pub(super) fn trim_date(text: &str) -> &str {
    let mut text = text;
    for end in ["までに", "まで", "から", "より", "付で", "付け", "に", "ごろ", "頃"] {
        text = text.strip_suffix(end).unwrap_or(text);
    }
    text
}

/// How far the mark is looked for that closes a quotation.
pub(super) const LONGEST: usize = 300;

/// The sentences of a text; a mark inside quotation marks ends none.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut quotes: Vec<char> = Vec::new();
    for (at, c) in text.char_indices() {
        if quotes.last() == Some(&c) {
            quotes.pop();
            continue;
        }
        // Straight marks open and close alike.
        let inside = text.get(at + c.len_utf8()..).unwrap_or_default();
        if let Some(close) = super::script::closing(c).filter(|close| inside.chars().take(LONGEST).any(|c| c == *close)) {
            quotes.push(close);
            continue;
        }
        let ends = c == '\n' || quotes.is_empty() && matches!(c, '。' | '！' | '？' | '!' | '?' | '．' | '♪');
        if ends {
            quotes.clear();
            if text.get(from..at).is_some_and(|sentence| !sentence.trim().is_empty()) {
                all.push(from..at);
            }
            from = at + c.len_utf8();
        }
    }
    if text.get(from..).is_some_and(|sentence| !sentence.trim().is_empty()) {
        all.push(from..text.len());
    }
    all
}
