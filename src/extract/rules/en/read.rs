//! Reading a text sentence by sentence: clauses are judged, patterns matched, and drafts made of what fits.
//! Knows the patterns only as data.

mod beside;
mod claims;
mod heads;
mod joined;
mod open;
mod silent;

use super::chunk::{Line, Tense, Vg};
use super::clause::{Clause, Mode, clauses};
use super::earnest;
use super::frame::Filled;
use super::judge::{Hints, Verdict, refused};
use super::mood;
use super::pack::{Effect, Grammar, Pattern, Piece, Sort, Subject, mark};
use super::scene::{Scene, Spoken};
use super::tag::{Word, tag};
use super::token::{Sentence, sentences, tokenize};
use super::turns::Reaching;
use super::words::Tag;
use crate::extract::RejectionKind;
use crate::extract::rules::draft::{Phase, Reading, Refusal, Setting, Tagged};
use crate::model::Polarity;
use std::ops::Range;

pub(super) use heads::Heads;
pub(super) use joined::gapped;
use silent::span_of;

/// The confidence of what is said outright.
pub(super) const PLAIN: f64 = 0.9;

/// How a claim is said: the verb group it stands by, its hints, its times, its place.
#[derive(Clone, Debug)]
pub(super) struct Saying<'g> {
    pub(super) group: Option<Vg<'g>>,
    pub(super) hints: Hints,
    /// A word before the noun says that it is over.
    pub(super) former: bool,
    /// The times of the clause are part of what is claimed.
    pub(super) timeless: bool,
    pub(super) times: Vec<usize>,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) denied: bool,
}

impl Saying<'_> {
    /// What a noun phrase says by itself: of no time.
    pub(super) fn of_noun(_: &Scene<'_, '_>, from: usize, to: usize, former: bool) -> Self {
        Self { group: None, hints: Hints::default(), former, timeless: true, times: Vec::new(), from, to, denied: false }
    }

    pub(super) fn negated(&self) -> bool {
        self.group.is_some_and(|group| group.negated)
    }
}

/// A pattern that fits a clause.
struct Match<'g> {
    pattern: &'g Pattern,
    found: super::frame::Found,
    pairs: Vec<(String, String)>,
    /// The tokens that its slots took.
    span: (usize, usize),
    weight: usize,
}

/// Heads with their tails, and the tokens that the slots took.
type Pairs = (Vec<(String, String)>, (usize, usize));

/// How much a pattern asks for: its words, and how narrow its slots are.
fn weight(pattern: &Pattern) -> usize {
    let words = pattern.pieces.iter().filter(|piece| matches!(piece, Piece::Word(_))).count();
    let narrow = |sort: &Sort| match sort {
        Sort::Any | Sort::Full | Sort::Rest | Sort::Bare | Sort::Thing | Sort::Org | Sort::Place | Sort::Person => 0,
        Sort::Class(_) | Sort::Date | Sort::Age | Sort::Phone | Sort::Email | Sort::Street | Sort::Version | Sort::Money | Sort::Times => 2,
        _ => 1,
    };
    let slots =
        pattern.pieces.iter().map(|piece| if let Piece::Tail(sort) | Piece::Head(sort) = piece { narrow(sort) } else { 0 }).sum::<usize>();
    words * 2 + slots
}

/// "an interview at Orb": an appointment is told by where and with whom it is.
fn with_whom(scene: &Scene<'_, '_>, pairs: Vec<(String, String)>, tails: &[Filled]) -> Vec<(String, String)> {
    let [only] = tails else { return pairs };
    let led = matches!(scene.line.lower(only.to), "at" | "with") && !(only.from..only.to).any(|at| scene.line.tag(at) == Some(Tag::Name));
    let Some((_, np)) = scene.np_at(only.to + 1).filter(|(_, np)| led && np.is_name() && np.from == only.to + 1) else { return pairs };
    let whole = scene.slice(only.from, np.to).to_owned();
    pairs.into_iter().map(|(head, tail)| if tail == only.text { (head, whole.clone()) } else { (head, tail) }).collect()
}

/// The marks of a clause's words, for telling fast which patterns cannot fit.
fn marks(scene: &Scene<'_, '_>, rest: (usize, usize)) -> u128 {
    let of_word = |at: usize| {
        let lower = scene.line.lower(at);
        let lemma = scene.line.verb(at).map_or(0, |(lemma, _)| mark(lemma));
        let one = if lower.len() > 3 { mark(&super::morph::singular(lower)) } else { 0 };
        // "there" stands for a place and what leads it.
        let led = if lower == "there" { mark("in") | mark("at") | mark("to") } else { 0 };
        mark(lower) | lemma | one | led
    };
    (rest.0..rest.1).map(of_word).fold(0, |all, one| all | one)
}

/// Reads one text.
pub(super) struct Reader<'a, 'g> {
    pub(super) grammar: &'g Grammar,
    pub(super) setting: &'a Setting<'a>,
    pub(super) reading: Reading,
    /// What was spoken of.
    pub(super) mentions: Spoken<'a, 'g>,
    /// What a heading named.
    pub(super) topic: Option<String>,
    /// The day a heading named, for changes that name none.
    pub(super) dateline: Option<usize>,
    /// What was last said to be somebody's, without what it is: "I changed my number".
    pub(super) held: Option<(String, String)>,
    /// What stood as subject last, for sentences that have none.
    pub(super) last_subject: Option<String>,
    /// What was begun that sentences go on with: a story, a text to be worked on.
    told_of: Option<Told>,
    /// The bytes that somebody else said.
    others: Vec<Range<usize>>,
    /// Sentences that gave neither claim nor refusal.
    unread: Vec<Range<usize>>,
}

/// What sentences after one go on with, which nobody claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// A text that something is to be done with: all that follows it.
    Text,
    /// A story: as long as it is told of those in it.
    Story,
}

impl<'a, 'g> Reader<'a, 'g> {
    pub(super) fn new(grammar: &'g Grammar, setting: &'a Setting<'a>) -> Self {
        Self {
            grammar,
            setting,
            reading: Reading::default(),
            mentions: Spoken::default(),
            topic: None,
            dateline: None,
            held: None,
            last_subject: None,
            told_of: None,
            others: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Reads a text to its end, with the turns before it where it needs them.
    pub(super) fn read(&mut self, text: &'a str) {
        self.mentions.reaching = Reaching::of(text, self.setting, self.grammar);
        self.leave_to_others(text);
        self.sentences_of(text);
        self.bind_open();
        if self.others.is_empty() {
            if self.reading.drafts.is_empty() {
                self.answer(text);
            }
            self.correction(text);
            self.take_back(text);
        }
        self.tell_unread(text);
    }

    /// Reads the sentences of a text.
    pub(super) fn sentences_of(&mut self, text: &str) {
        let tokens = tokenize(text, self.setting.times);
        let sentences = sentences(&tokens);
        let mut words: Vec<Word<'g>> = Vec::with_capacity(tokens.len());
        for (number, sentence) in sentences.iter().enumerate() {
            let Some(sentence) = &self.own_part(&tokens, *sentence) else { continue };
            while words.len() < sentence.from {
                words.push(Word { tag: Tag::Mark, verb: None });
            }
            if !sentence.is_readable() {
                let quote = span_of(&tokens, *sentence);
                let reason = format!("a sentence of {} words is too long to be read", sentence.to - sentence.from);
                self.reading.refused.push(Refusal { kind: RejectionKind::Malformed, quote, reason });
                continue;
            }
            tag(&tokens, *sentence, self.grammar, &mut words);
            let line = Line { tokens: &tokens, words: &words, end: sentence.to };
            if self.setting.traced {
                self.trace(&line, *sentence);
            }
            let known = self.reading.drafts.len() + self.reading.open.len() + self.reading.refused.len();
            self.sentence(text, line, *sentence, number + 1000);
            if known == self.reading.drafts.len() + self.reading.open.len() + self.reading.refused.len() {
                self.unread.push(span_of(&tokens, *sentence));
            }
        }
        self.settle();
    }

    fn trace(&mut self, line: &Line<'_, '_>, sentence: Sentence) {
        for at in sentence.from..sentence.to {
            if let (Some(token), Some(tag)) = (line.tokens.get(at), line.tag(at)) {
                let lemma = line.verb(at).map(|(lemma, form)| format!(" {lemma} {form:?}").to_lowercase()).unwrap_or_default();
                self.reading.tagged.push(Tagged { bytes: token.start..token.end, tag: format!("{}{lemma}", tag.name()) });
            }
        }
    }

    pub(super) fn refuse(&mut self, scene: &Scene<'_, '_>, from: usize, to: usize, kind: RejectionKind, reason: &str) {
        let quote = scene.bytes(from, to);
        let reason = format!("{reason}: {:?}", scene.slice(from, to));
        self.reading.refused.push(Refusal { kind, quote, reason });
    }

    fn sentence(&mut self, text: &str, line: Line<'_, 'g>, sentence: Sentence, number: usize) {
        let before = std::mem::take(&mut self.mentions);
        let setting = self.setting;
        let scene = Scene::new(text, line, sentence, self.grammar, setting, &before);
        let found = joined::lent(&scene, &clauses(&scene.line, &scene.chunks, sentence.asked));
        let told = mood::sentence(&scene, &found).or_else(|| earnest::staged(&scene, &found)).or_else(|| self.goes_on(&scene, &found));
        self.told_of = match told {
            Some((_, reason)) if reason == mood::TEXT => Some(Told::Text),
            Some((_, reason)) if reason == mood::STORY => Some(Told::Story),
            _ => None,
        };
        if let Some((kind, reason)) = told {
            self.refuse(&scene, sentence.from, sentence.to, kind, reason);
        } else {
            let (drafts, refused) = (self.reading.drafts.len(), self.reading.refused.len());
            let special = self.written(&scene, &found) || self.cleft(&scene, &found);
            if !special {
                // "I changed my number: it is …"
                if (sentence.from..sentence.to).any(|at| matches!(scene.line.lower(at), ":" | "–" | "—")) {
                    self.hold(&scene);
                }
                self.told(&scene, &found);
                self.hold(&scene);
                if !scene.setting.is_assistant() {
                    self.where_it_is(&scene);
                }
            }
            if !special || self.reading.drafts.len() == drafts {
                self.stated(&scene, drafts, refused);
            }
        }
        let new = if matches!(told, Some((RejectionKind::Joke | RejectionKind::Instruction, _))) {
            Vec::new()
        } else {
            scene.mentions(&found, number)
        };
        self.mentions = before;
        self.mentions.here.extend(new);
    }

    /// Whether a sentence goes on with a story or a text that the one before began.
    fn goes_on(&self, scene: &Scene<'_, '_>, found: &[Clause<'_>]) -> Option<(RejectionKind, &'static str)> {
        let subject = found.first().and_then(|clause| clause.subjects.first()).and_then(|subject| scene.np(*subject));
        let third = subject.is_some_and(|np| np.pronoun && matches!(scene.line.lower(np.from), "he" | "she" | "they" | "it"));
        match self.told_of? {
            Told::Text if !scene.sentence.asked => Some((RejectionKind::Quoted, mood::TEXT)),
            Told::Story if third => Some((RejectionKind::Quoted, mood::STORY)),
            Told::Text | Told::Story => None,
        }
    }

    /// A sentence that is said in earnest.
    pub(super) fn told(&mut self, scene: &Scene<'_, 'g>, found: &[Clause<'g>]) {
        let mut subjects: Vec<Vec<usize>> = Vec::with_capacity(found.len());
        for (at, clause) in found.iter().enumerate() {
            let own = if clause.shared {
                at.checked_sub(1).and_then(|before| subjects.get(before)).cloned().unwrap_or_default()
            } else {
                clause.subjects.clone()
            };
            subjects.push(Self::described(scene, clause, own, found, &subjects));
        }
        if !scene.setting.is_assistant() {
            self.named_relatives(scene);
            self.bracketed(scene);
            self.appositions(scene);
            self.as_somebody(scene);
        }
        let mut fired_before = false;
        for (at, clause) in found.iter().enumerate() {
            // "I'd rather you called me Bo": how it should be, not how it was.
            let rather = scene.line.lower(clause.from.wrapping_sub(1)) == "rather"
                && clause.group.tense == Tense::Past
                && scene.line.lower(clause.from) == "you";
            let wished = Clause { group: Vg { tense: Tense::Present, ..clause.group }, ..clause.clone() };
            let clause = if rather { &wished } else { clause };
            let to = clause.rest.1.max(clause.group.to);
            let hints = Hints::of(scene, clause.from, to.max(clause.rest.1) + 3);
            let mut times = scene.times(clause.from, to);
            let bracketed = scene.bracketed_times();
            times.retain(|time| !bracketed.contains(time));
            if times.is_empty() {
                times = joined::times_lent(scene, found, at);
            }
            let saying =
                Saying { group: Some(clause.group), hints, former: false, timeless: false, times, from: clause.from, to, denied: false };
            let subject = subjects.get(at).map_or(&[][..], Vec::as_slice);
            // "Neither Al nor Bo works there".
            let neither = subject.iter().any(|subject| {
                scene.np(*subject).and_then(|np| np.det).is_some_and(|det| matches!(scene.line.lower(det), "neither" | "no"))
            });
            let saying = Saying { denied: neither, ..saying };
            // "I'd choose tea over coffee" tells what is preferred.
            let chooses = clause.group.unreal
                && matches!(clause.group.lemma, "choose" | "pick" | "take" | "opt" | "go")
                && clause.mode == Mode::Told
                && (clause.rest.0..clause.rest.1).any(|at| scene.line.lower(at) == "over");
            let saying = if chooses { Saying { group: Some(Vg { unreal: false, ..clause.group }), ..saying } } else { saying };
            let no = refused(clause, hints)
                .filter(|_| !chooses)
                .or_else(|| mood::governed(scene, found, at))
                .or_else(|| earnest::unvouched(scene, found, at));
            // "I'll call when it is ready": it is not so yet.
            let coming = found.iter().any(|other| other.group.tense == Tense::Future || other.group.plan || other.mode == Mode::Ordered);
            let led = (scene.sentence.from..clause.from).rev().find(|at| !matches!(scene.line.tag(*at), Some(Tag::Adv | Tag::Time)));
            let awaited = [led, Some(clause.from)]
                .into_iter()
                .flatten()
                .any(|at| matches!(scene.line.lower(at), "when" | "once" | "until" | "whenever"));
            if coming && awaited && clause.group.tense == Tense::Present && !scene.setting.is_written() {
                self.refuse(scene, clause.from, to, RejectionKind::Hypothetical, "it is not so yet");
                continue;
            }
            if self.vowed(scene, found, at, &saying) || rather && self.wishes_for_answers(scene, clause, &saying) {
                continue;
            }
            if let Some((kind, reason)) = no {
                // "Here is a mail I got" asks nothing, "[mail]" orders nothing.
                let presents = kind == RejectionKind::Question
                    && !scene.sentence.asked
                    && matches!(scene.line.lower(scene.sentence.from), "here" | "there");
                let bracketed = kind == RejectionKind::Request && scene.line.lower(clause.group.from.wrapping_sub(1)) == "[";
                if presents || bracketed {
                    continue;
                }
                let wished =
                    matches!(kind, RejectionKind::Request | RejectionKind::Question) && self.wishes_for_answers(scene, clause, &saying);
                if !wished {
                    self.refuse(scene, clause.from, to, kind, reason);
                }
                continue;
            }
            if scene.setting.is_assistant() && !Self::reports_deed(scene, clause, subject) {
                self.refuse(scene, clause.from, to, RejectionKind::Echo, "the assistant repeats what it knows");
                continue;
            }
            if scene.setting.is_assistant() {
                self.deed(scene, clause, subject, &saying);
                continue;
            }
            let count = self.reading.drafts.len();
            let (saying, left) = Self::after_a_stay(scene, clause, saying);
            let fired = self.clause(scene, clause, subject, &saying);
            joined::ended_when(scene, found, at, self.reading.drafts.get_mut(count..).unwrap_or_default());
            if let Some(place) =
                left.filter(|_| self.reading.drafts.get(count..).is_some_and(|new| new.iter().any(|draft| draft.relation == "lives_in")))
            {
                let over = Verdict { phase: Phase::Over, polarity: Polarity::Ends };
                for head in self.heads(scene, subject) {
                    self.push(scene, "lives_in", 0, over, &head, &place, &saying);
                }
            }
            if !fired && !(clause.shared && fired_before) || self.only_hobbies(count) {
                self.habit(scene, clause, subject, &saying, count);
            }
            fired_before = fired;
        }
        if found.is_empty() {
            self.fragment(scene);
        }
    }

    /// Of a clause that describes what another clause says somebody is, the one it is said of: "She is the woman who founded it".
    fn described(scene: &Scene<'_, '_>, clause: &Clause<'_>, own: Vec<usize>, found: &[Clause<'_>], subjects: &[Vec<usize>]) -> Vec<usize> {
        if clause.mode != Mode::Relative {
            return own;
        }
        let Some(described) = own.first() else { return own };
        let holder = found.iter().zip(subjects).find(|(other, _)| {
            let place = scene.np(*described).map_or(0, |np| np.from);
            other.group.lemma == "be" && !other.group.passive && (other.rest.0..other.rest.1.max(other.rest.0 + 1)).contains(&place)
        });
        match holder {
            Some((other, subject)) if !subject.is_empty() => {
                // Only what the "is" itself introduces: "X is a film directed by Y", not "X is in a house owned by Y".
                let direct = scene.np(*described).is_some_and(|np| np.from == other.rest.0 && np.name != Some(np.core));
                if direct { subject.clone() } else { own }
            }
            _ => own,
        }
    }

    fn clause(&mut self, scene: &Scene<'_, 'g>, clause: &Clause<'g>, subjects: &[usize], saying: &Saying<'g>) -> bool {
        let heads = Heads::of(subjects);
        let pronoun = subjects.iter().filter_map(|subject| scene.np(*subject)).any(|np| np.pronoun);
        // In talk, whom "it" and "she" stand for is worked out only where something is said of them.
        let third = pronoun && !scene.setting.is_written() && !subjects.iter().any(|subject| Self::is_first_person(scene, *subject));
        if third {
            self.last_subject = None;
        } else if let Some(head) = heads.get(self, scene).first().filter(|_| !subjects.is_empty()) {
            self.last_subject = Some(head.clone());
        }
        let count = self.reading.drafts.len();
        let said = self.clause_of(scene, clause, subjects, &heads, saying);
        let said = self.open_ends(scene, clause, subjects, &heads, saying, count) || said;
        let unresolved = !said && pronoun && heads.are_sought_in_vain();
        if unresolved && self.grammar.patterns(clause.group.lemma, clause.group.passive).all(|pattern| pattern.subject != Subject::Any) {
            self.refuse(scene, clause.from, saying.to, RejectionKind::Unresolved, "nobody knows who is meant");
        }
        said
    }

    /// What a clause says of its heads; whether it says anything.
    fn clause_of(
        &mut self,
        scene: &Scene<'_, 'g>,
        clause: &Clause<'g>,
        subjects: &[usize],
        heads: &Heads<'_>,
        saying: &Saying<'g>,
    ) -> bool {
        let felt = matches!(clause.group.lemma, "be" | "feel" | "need" | "like" | "love" | "miss" | "hate" | "want");
        if clause.group.plan && (felt || !subjects.iter().all(|subject| Self::subject_fits(scene, *subject, Sort::Person))) {
            return false;
        }
        // "We were going to buy it": nothing came of it, for all that is said.
        if clause.group.plan && clause.group.tense == Tense::Past {
            return false;
        }
        if clause.group.plan && !clause.group.negated {
            let tail = scene.slice(clause.group.main, saying.to);
            for head in heads.get(self, scene) {
                let plain = Saying { timeless: true, group: None, ..saying.clone() };
                self.claim(scene, "plans_to", 0, Effect::Holds, head, tail, &plain);
            }
            return true;
        }
        if self.release(scene, clause, subjects, saying) {
            return true;
        }
        self.possession(scene, clause, heads, saying);
        let count = self.reading.drafts.len();
        if self.moved_noun(scene, clause, subjects, saying) || self.state_noun(scene, clause, subjects, saying) {
            return true;
        }
        if self.copula(scene, clause, subjects, saying) {
            self.introduced(scene, clause, heads, saying);
            return true;
        }
        if self.starting(clause, subjects, saying) {
            return true;
        }
        // "The page has been broken since Monday": a participle that names a state.
        let state = clause.group.passive && clause.group.tense == Tense::Present && !clause.group.got && !clause.group.reduced;
        if state && self.grammar.has_class(scene.line.lower(clause.group.main), "status") {
            let plain = clause.rest.0 == clause.rest.1 || matches!(scene.line.tag(clause.rest.0), Some(Tag::Time | Tag::Adv | Tag::Comma));
            let things = subjects.iter().all(|subject| Self::subject_fits(scene, *subject, Sort::Thing)) && !subjects.is_empty();
            if plain && things {
                let state = scene.slice(clause.group.main, clause.group.main + 1).to_owned();
                for head in heads.get(self, scene) {
                    self.claim(
                        scene,
                        "status",
                        0,
                        Effect::Holds,
                        head,
                        &state,
                        &Saying { group: Some(Vg { passive: false, ..clause.group }), ..saying.clone() },
                    );
                }
                return true;
            }
        }
        self.patterns(scene, clause.group.lemma, clause.group.passive, clause.rest, subjects, heads, saying);
        // "I gave up smoking in May"
        let vice = matches!(clause.group.lemma, "smoke" | "vape" | "gamble" | "drink");
        if vice && clause.group.aspect == Some(super::chunk::Aspect::Stop) && !clause.group.negated && self.reading.drafts.len() == count {
            let end = (clause.group.to..clause.rest.1)
                .find(|at| !matches!(scene.line.tag(*at), Some(Tag::Noun)))
                .unwrap_or(clause.rest.1.max(clause.group.to));
            for head in heads.get(self, scene) {
                self.claim(scene, "habit", 0, Effect::Holds, head, scene.slice(clause.group.main, end), saying);
            }
        }
        self.introduced(scene, clause, heads, saying);
        // "I'm 52 and 1.80 m tall": what is joined to a complement is one itself.
        if clause.group.lemma == "be" && !clause.group.passive {
            let line = &scene.line;
            let and = (clause.rest.0..clause.rest.1).find(|at| line.tag(*at) == Some(Tag::And) && line.tag(at + 1) == Some(Tag::Num));
            if let Some(and) = and {
                self.patterns(scene, "be", false, (and + 1, clause.rest.1), subjects, heads, saying);
            }
            self.feet(scene, clause, heads, saying);
        }
        self.reading.drafts.len() > count
    }

    /// "I'm six foot two", "she is 5 ft 9": how tall somebody is.
    fn feet(&mut self, scene: &Scene<'_, 'g>, clause: &Clause<'g>, heads: &Heads<'_>, saying: &Saying<'g>) {
        let (line, from) = (&scene.line, clause.rest.0);
        if line.tag(from) != Some(Tag::Num) || !matches!(line.lower(from + 1), "foot" | "feet" | "ft") {
            return;
        }
        let mut to = from + 2;
        while to < clause.rest.1 && (line.tag(to) == Some(Tag::Num) || matches!(line.lower(to), "inches" | "inch" | "in")) {
            to += 1;
        }
        for head in heads.get(self, scene) {
            self.claim(scene, "height", 0, Effect::Holds, head, scene.slice(from, to), saying);
        }
    }

    /// Whether the subjects are such as have a date: a meeting, a course.
    fn is_planned(&self, scene: &Scene<'_, '_>, subjects: &[usize]) -> bool {
        let planned = |subject: &usize| {
            scene.np(*subject).is_some_and(|np| {
                let noun = scene.noun_phrase(np);
                ["event", "appointment", "course", "show", "project", "ticket"].iter().any(|class| self.grammar.has_class(&noun, class))
            })
        };
        subjects.iter().all(planned)
    }

    /// Matches the patterns of a verb; of one relation, the first that fits with each effect counts.
    #[expect(clippy::too_many_arguments, reason = "a clause has that many parts that its patterns need")]
    pub(super) fn patterns(
        &mut self,
        scene: &Scene<'_, 'g>,
        lemma: &str,
        passive: bool,
        rest: (usize, usize),
        subjects: &[usize],
        heads: &Heads<'_>,
        saying: &Saying<'g>,
    ) {
        let grammar = self.grammar;
        let mut matched: Vec<Match<'g>> = Vec::new();
        let words = marks(scene, rest);
        for pattern in grammar.patterns(lemma, passive).filter(|pattern| pattern.may_fit(words)) {
            if matched.iter().any(|one| one.pattern.relation == pattern.relation && one.pattern.effect == pattern.effect) {
                continue;
            }
            // What somebody is said to be beside their name tells no more than the noun does.
            let described = saying.group.is_none() && pattern.pieces.iter().any(|piece| matches!(piece, Piece::Tail(Sort::Indefinite)));
            // In talk, "a great day" is a judgement and no sort of thing.
            let judged = !scene.setting.is_written() && pattern.pieces.iter().any(|piece| matches!(piece, Piece::Tail(Sort::Indefinite)));
            let it = subjects.first().and_then(|subject| scene.np(*subject)).is_some_and(|np| np.pronoun);
            let judged =
                judged || it && !scene.setting.is_written() && grammar.relation(pattern.relation).is_some_and(|one| one.name == "is_a");
            let elsewhere = !scene.setting.is_written() && grammar.relation(pattern.relation).is_some_and(|one| one.written);
            // "My son is at Ely": where somebody of the family is tells of no work.
            let stays = lemma == "be"
                && matches!(pattern.pieces.as_slice(), [Piece::Word(at), Piece::Tail(Sort::Name)] if at.iter().any(|at| at == "at"))
                && subjects.iter().filter_map(|subject| scene.np(*subject)).any(|np| grammar.has_class(&scene.noun_phrase(np), "kin"));
            if elsewhere || described || judged || stays || pattern.effect == Effect::Denied && !saying.negated() {
                continue;
            }
            // "It is summer": of nothing.
            let bare_date = lemma == "be" && matches!(pattern.pieces.as_slice(), [Piece::Tail(Sort::Date)]) && !scene.setting.is_written();
            if bare_date && (it || !self.is_planned(scene, subjects)) {
                continue;
            }
            let Some(found) = scene.matches(&pattern.pieces, rest.0, rest.1) else { continue };
            // "I'm in talks with Orb", "I'm on leave from Orb": only who is simply with them works there, or is simply from there.
            let with = lemma == "be"
                && matches!(pattern.pieces.as_slice(), [Piece::Word(words), Piece::Tail(_)] if words.iter().any(|word| word == "with" || word == "from"));
            let apart = found.literals.first().is_some_and(|with| (rest.0..*with).any(|at| scene.line.tag(at) != Some(Tag::Adv)));
            if with && apart {
                continue;
            }
            // "I haven't visited many islands" denies none of them.
            let counted = |filled: &Filled| {
                scene.np_at(filled.from).and_then(|(_, np)| np.det).is_some_and(|det| {
                    matches!(scene.line.lower(det), "many" | "most" | "all" | "every" | "few" | "several" | "both" | "each")
                })
            };
            if saying.negated() && found.tails.iter().any(counted) {
                continue;
            }
            // "puzzles that keep me busy": not all games.
            let tastes = matches!(
                grammar.relation(pattern.relation).map_or("", |one| one.name.as_str()),
                "likes" | "dislikes" | "prefers" | "interested_in" | "hobby"
            );
            let narrowed = |filled: &Filled| {
                scene.np_at(filled.from).is_some_and(|(_, np)| np.name.is_none())
                    && (matches!(scene.line.lower(filled.to), "that" | "which" | "who" | "where" | "when")
                        // "the progress I've made", "all the leaves"
                        || scene.line.tag(filled.to) == Some(Tag::Pron)
                            && matches!(scene.line.tag(filled.to + 1), Some(Tag::Verb | Tag::Have | Tag::Be | Tag::Modal))
                        || scene.line.lower(filled.from.wrapping_sub(1)) == "the" && scene.line.lower(filled.from.wrapping_sub(2)) == "all"
                        || scene.line.lower(filled.to) == "like" && scene.line.tag(filled.to) == Some(Tag::Prep))
            };
            // "They adore it": too little to go by in talk.
            let pointed = |filled: &Filled| scene.np_at(filled.from).is_some_and(|(_, np)| np.pronoun && np.from == filled.from);
            if tastes && !scene.setting.is_written() && found.tails.iter().any(pointed) {
                continue;
            }
            if tastes && found.tails.last().is_some_and(narrowed) {
                continue;
            }
            // "I used some tools": once, and no telling which.
            let nameless = found.tails.iter().all(|filled| !(filled.from..filled.to).any(|at| scene.line.tag(at) == Some(Tag::Name)));
            let past =
                saying.group.is_some_and(|group| group.tense == Tense::Past && !group.used_to && !group.progressive && !group.perfect);
            if nameless && past && matches!(lemma, "use" | "work") && saying.times.is_empty() && !scene.setting.is_written() {
                continue;
            }
            // "I learned some tricks": what was learned once is no field of study.
            let once = lemma == "learn" && saying.group.is_some_and(|group| !group.progressive && group.tense != Tense::Future);
            let field = |filled: &Filled| {
                let phrase = scene.line.phrase(filled.from, filled.to);
                ["language", "programming", "subject", "instrument", "sport", "pastime"]
                    .iter()
                    .any(|class| grammar.has_class(&phrase, class))
            };
            if once && !found.tails.iter().all(field) {
                continue;
            }
            if pattern.mutual && (saying.denied || heads.get(self, scene).len() < 2) {
                continue;
            }
            let Some((pairs, span)) = self.pairs(scene, pattern, &found.heads, &found.tails, subjects, heads) else { continue };
            let weight = weight(pattern);
            // Of two relations that read the same words, the one whose pattern asks for more is meant.
            // In written matter, one word alone names rather a firm, a tool or a place than a person: "Orb is based in Rome".
            let nameless = scene.setting.is_written()
                && subjects.iter().all(|subject| scene.np(*subject).is_some_and(|np| np.is_name() && np.to == np.core + 1));
            let human = |one: &Pattern| matches!(one.subject, Subject::Head(Sort::Person | Sort::Human));
            let alike = |one: &Match<'_>| {
                one.pattern.relation != pattern.relation && one.span == span && !matches!(one.pattern.subject, Subject::Any)
            };
            if nameless && human(pattern) && matched.iter().any(|one| alike(one) && !human(one.pattern)) {
                continue;
            }
            if nameless && !human(pattern) {
                matched.retain(|one| !(alike(one) && human(one.pattern)));
            }
            let rivals = |one: &Match<'_>| one.pattern.relation != pattern.relation && one.span.0 < span.1 && span.0 < one.span.1;
            // What is a word of the one's pattern is no value of the other's.
            let spells = |found: &super::frame::Found, span: (usize, usize)| found.literals.iter().any(|at| (span.0..span.1).contains(at));
            // "Low Tide is a poem by Ann": it is a poem, and hers.
            let sort = saying.group.is_some() && grammar.relation(pattern.relation).is_some_and(|one| one.name == "is_a");
            if matched.iter().any(|one| (rivals(one) || spells(&one.found, span) && !sort) && one.weight > weight) {
                continue;
            }
            let is_sort =
                |one: &Match<'_>| saying.group.is_some() && grammar.relation(one.pattern.relation).is_some_and(|one| one.name == "is_a");
            matched.retain(|one| !((rivals(one) || spells(&found, one.span) && !is_sort(one)) && one.weight < weight));
            matched.push(Match { pattern, found, pairs, span, weight });
        }
        // "I don't like it": it is disliked, not merely not liked.
        let negated = saying.group.is_some_and(|group| group.negated && !group.longer) && !saying.hints.anymore;
        let denied: Vec<(usize, usize)> = matched.iter().filter(|one| one.pattern.effect == Effect::Denied).map(|one| one.span).collect();
        matched.retain(|one| one.pattern.effect == Effect::Denied || !(negated && denied.contains(&one.span)));
        for Match { pattern, found, pairs, .. } in matched {
            let Some(relation) = grammar.relation(pattern.relation) else { continue };
            let inside = |time: &usize| {
                !relation.dated && found.tails.iter().chain(&found.heads).any(|filled| scene.times(filled.from, filled.to).contains(time))
            };
            let times = saying.times.iter().copied().filter(|time| !inside(time)).collect();
            let said = Saying {
                times,
                denied: saying.denied || found.denied,
                to: found.to.max(saying.group.map_or(0, |group| group.to)),
                ..saying.clone()
            };
            let count = self.reading.drafts.len();
            let pairs = if relation.name == "has_appointment" { with_whom(scene, pairs, &found.tails) } else { pairs };
            for (head, tail) in &pairs {
                // "a former teacher" was one.
                let before = ["former ", "retired ", "ex-"]
                    .iter()
                    .find_map(|lead| tail.strip_prefix(lead))
                    .filter(|_| matches!(relation.name.as_str(), "job_title" | "holds_position"));
                // "I'm a former member of the choir".
                let once = found.literals.iter().any(|at| {
                    scene.np_at(*at).is_some_and(|(_, np)| {
                        (np.core..*at)
                            .any(|place| matches!(scene.line.lower(place), "former" | "ex" | "onetime" | "one-time" | "erstwhile"))
                    })
                });
                let said = Saying { former: said.former || once || before.is_some(), ..said.clone() };
                let tail = before.unwrap_or(tail);
                let tail = if relation.name == "job_title" {
                    ["new ", "current ", "present "].iter().find_map(|lead| tail.strip_prefix(lead)).unwrap_or(tail)
                } else {
                    tail
                };
                if let Some((author, what)) = self.appointment(scene, &relation.name, subjects) {
                    let times = found.tails.iter().flat_map(|filled| scene.times(filled.from, filled.to)).collect();
                    self.claim(scene, "has_appointment", 0, Effect::Holds, &author, &what, &Saying { times, ..said });
                    continue;
                }
                self.claim(scene, &relation.name, pattern.number, pattern.effect, head, tail, &said);
            }
            // "I'm reading The Tin Boat by Ann Orr".
            if matches!(relation.name.as_str(), "reading" | "finished")
                && scene.line.lower(found.to) == "by"
                && let Some((_, author)) = scene.np_at(found.to + 1).filter(|(_, np)| np.is_name() && np.from == found.to + 1)
            {
                let by = Saying { group: None, timeless: true, to: author.to, ..said.clone() };
                let author = scene.slice(author.core, author.to).to_owned();
                for (_, tail) in &pairs {
                    self.claim(scene, "written_by", 0, Effect::Holds, tail, &author, &by);
                }
            }
            if self.reading.drafts.len() > count {
                self.instead(scene, pattern, relation, &pairs, found.to, rest.1, &said);
                self.in_place_of(scene, pattern, relation, &pairs, found.to, &said);
            }
        }
    }

    /// "My flight to Ely is on Friday": of one's own appointment, whose it is, and it with all that says what it is.
    fn appointment(&self, scene: &Scene<'_, '_>, relation: &str, subjects: &[usize]) -> Option<(String, String)> {
        let [subject] = subjects else { return None };
        let np = scene.np(*subject).filter(|_| relation == "scheduled_for" && !scene.setting.is_written())?;
        let own = matches!(&np.owner, Some(super::chunk::Owner::Word(at)) if matches!(scene.line.lower(*at), "my" | "our"));
        let noun = scene.noun_phrase(np);
        let known =
            ["appointment", "trip"].iter().any(|class| self.grammar.has_class(&noun, class)) && !self.grammar.has_class(&noun, "event");
        let verb =
            (np.to..scene.sentence.to).find(|at| matches!(scene.line.tag(*at), Some(Tag::Be | Tag::Verb | Tag::Have | Tag::Modal)))?;
        Some((self.setting.author().filter(|_| own && known)?.to_owned(), scene.slice(np.core, verb).to_owned()))
    }

    /// Heads and tails of a match, each with each, and the tokens that its slots took.
    fn pairs(
        &self,
        scene: &Scene<'_, '_>,
        pattern: &Pattern,
        in_heads: &[Filled],
        in_tails: &[Filled],
        subjects: &[usize],
        known: &Heads<'_>,
    ) -> Option<Pairs> {
        if pattern.mutual {
            let heads = known.get(self, scene);
            let author = self.setting.author();
            let first = heads.iter().position(|head| Some(head.as_str()) == author).unwrap_or(0);
            let head = heads.get(first)?;
            let pairs =
                heads.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, tail)| (head.clone(), Self::tail_of(tail))).collect();
            let from = subjects.iter().filter_map(|subject| scene.np(*subject)).map(|np| np.from).min()?;
            return Some((pairs, (from, from + 1)));
        }
        let slot = in_tails.first().or(in_heads.first())?;
        let last = in_tails.last().or(in_heads.last())?;
        let texts = |filled: &[Filled]| filled.iter().map(|filled| filled.text.clone()).collect::<Vec<_>>();
        let fits = |sort: Sort| subjects.iter().all(|subject| Self::subject_fits(scene, *subject, sort));
        let (heads, tails) = match pattern.subject {
            Subject::Head(sort) => {
                if !fits(sort) {
                    return None;
                }
                (known.get(self, scene).to_vec(), texts(in_tails))
            }
            Subject::Tail(sort) => {
                if subjects.is_empty() || !fits(sort) {
                    return None;
                }
                // "My manager approved my leave": a common noun alone is anybody's.
                let heads = texts(in_heads).into_iter().filter(|head| !self.is_anybodys_word(head));
                (heads.collect(), Self::as_tails(scene, subjects))
            }
            Subject::Any if in_heads.is_empty() && !pattern.has_head() => {
                if self.grammar.relation(pattern.relation).is_some_and(|relation| relation.name.starts_with("prefers_")) {
                    return None;
                }
                let you = subjects.iter().filter_map(|subject| scene.np(*subject)).any(|np| scene.line.lower(np.from) == "you");
                let name = self.grammar.relation(pattern.relation).map_or("", |relation| relation.name.as_str());
                // "Everyone calls me Bo" tells of a nickname, "you can call me Bo" of a wish.
                if name == "preferred_name" && !you && !subjects.is_empty() || name == "nickname" && you {
                    return None;
                }
                // "You can call me Bo", "everyone calls me Bo": never "I speak Danish" as a wish to be spoken to so.
                let others = |subject: &usize| {
                    scene.np(*subject).is_some_and(|np| {
                        let people = np.name.is_none()
                            && ["kin", "person_noun", "friend"].iter().any(|class| scene.grammar.has_class(&scene.noun_phrase(np), class));
                        np.pronoun && !matches!(scene.line.lower(np.from), "i" | "we" | "he" | "she" | "it")
                            || people
                            || scene.line.phrase(np.core, np.to) == "people"
                    })
                };
                if !subjects.iter().all(others) || subjects.is_empty() {
                    return None;
                }
                (self.setting.author().map(str::to_owned).into_iter().collect(), texts(in_tails))
            }
            Subject::Any => (texts(in_heads), texts(in_tails)),
        };
        let pairs: Vec<(String, String)> = heads
            .iter()
            .flat_map(|head| tails.iter().map(move |tail| (head.clone(), tail.clone())))
            .filter(|(head, tail)| !head.is_empty() && !tail.is_empty() && !head.eq_ignore_ascii_case(tail))
            .collect();
        (!pairs.is_empty()).then_some((pairs, (slot.from, last.to)))
    }

    /// A head as a tail: without whose it is.
    fn tail_of(head: &str) -> String {
        ["My ", "my ", "Our ", "our "].iter().find_map(|lead| head.strip_prefix(lead)).unwrap_or(head).to_owned()
    }

    /// Subjects as tails are recorded: without a possessive.
    fn as_tails(scene: &Scene<'_, '_>, subjects: &[usize]) -> Vec<String> {
        let tail = |subject: &usize| {
            let np = scene.np(*subject)?;
            if np.owner.is_some() && scene.name(*subject).is_none() && !np.pronoun {
                return Some(scene.slice(np.core, np.to).to_owned());
            }
            scene.denoted(*subject)
        };
        subjects.iter().filter_map(tail).collect()
    }

    fn subject_fits(scene: &Scene<'_, '_>, subject: usize, sort: Sort) -> bool {
        let Some(np) = scene.np(subject) else { return false };
        if np.pronoun {
            let lower = scene.line.lower(np.from);
            return match sort {
                Sort::Thing | Sort::Place | Sort::Org | Sort::Name => matches!(lower, "it" | "they" | "this"),
                Sort::Person | Sort::Human => !matches!(lower, "it" | "this"),
                _ => true,
            };
        }
        let phrase = scene.line.phrase(np.core, np.to);
        let noun = scene.noun_phrase(np);
        match sort {
            Sort::Person if np.is_name() => {
                !["company", "school", "bank", "institute", "org_noun"].iter().any(|class| scene.grammar.has_class(&phrase, class))
            }
            // A thing that does what people do is a firm or a pet; a plain noun is not.
            Sort::Person => {
                scene.name(subject).is_some()
                    || ["kin", "person_noun", "job", "animal", "friend"].iter().any(|class| scene.grammar.has_class(&noun, class))
            }
            Sort::Thing => {
                // "the billing job", "the mail server": things, for all that people are called so.
                let last = scene.line.lower(np.to.saturating_sub(1));
                if np.owner.is_none()
                    && matches!(last, "job" | "server" | "driver" | "model" | "controller" | "lead" | "printer" | "operator")
                {
                    return true;
                }
                let kin = ["kin", "person_noun", "job", "friend", "vague"].iter().any(|class| scene.grammar.has_class(&noun, class));
                !(kin && np.name != Some(np.core))
            }
            sort => scene.fits(sort, &phrase, scene.name(subject).is_some(), &noun),
        }
    }
}
