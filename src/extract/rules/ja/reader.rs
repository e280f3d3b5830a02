//! Reading a text sentence by sentence: what each clause asserts, when, and of whom.
//!
//! Owns the order of the steps and what was spoken of so far. Knows no phrasing of a relation.

use super::super::draft::{Draft, Phase, Reading, Refusal, Setting, Tagged};
use super::Language;
use super::clause::{Arg, Clause, Item, Part, Predicate, clauses};
use super::dates::{chain_times, month_of, parted, refined};
use super::finding::{Finding, Spoken};
use super::form::{Flags, Form, Link};
use super::lexicon::{Adverb, Call};
use super::mood;
use super::pack::{Bears, RelationId};
use super::particle::Particle;
use super::phrase::Owner;
use super::sentence::{is_action, sentences};
use super::token::{Kind, Token, tokenize};
use super::value::Told;
use crate::extract::RejectionKind;
use crate::model::{Authority, Polarity};
use crate::time::expr::{Role, TimeMention, parse_one};
use std::ops::Range;

/// How many claims and names back something is remembered.
const NEAR: usize = 64;

/// Reads one text.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is known of the text read so far")]
pub(super) struct Reader<'a> {
    pub(super) language: &'a Language,
    pub(super) text: &'a str,
    pub(super) times: Vec<TimeMention>,
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
    /// Ends whose value is not said.
    pub(super) lost: Vec<super::lost::Lost>,
    /// What the last turn of the same person claims.
    pub(super) last_own: Vec<Finding>,
    /// Whether it was asked since when.
    pub(super) since_when: bool,
    /// Whether something was just taken back.
    pub(super) correcting: bool,
    /// Whether it is a turn before that is read.
    pub(super) recalling: bool,
    /// Names with the numbers that stand in brackets after them: "不具合（#12）".
    pub(super) numbered: Vec<(String, String)>,
    /// Whether the sentence is a task of the minutes: "アクション：…".
    pub(super) action: bool,
    /// How many claims were told so far, one that is told twice counted twice.
    pub(super) told: usize,
    /// The time of a heading, at which all that is told under it changed.
    pub(super) dated: Option<usize>,
    bounds: Vec<Range<usize>>,
    author: Option<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(language: &'a Language, text: &'a str, times: &[TimeMention], setting: &'a Setting<'a>) -> Self {
        let author = if setting.is_assistant() { setting.addressee() } else { setting.author() };
        let times = parted(text, times, &setting.calendar);
        Self {
            language,
            text,
            times: refined(text, &times, &setting.calendar),
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
            lost: Vec::new(),
            last_own: Vec::new(),
            since_when: false,
            correcting: false,
            recalling: false,
            numbered: Vec::new(),
            action: false,
            told: 0,
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
        matches!(
            self.relation_name(relation),
            "parent_of"
                | "child_of"
                | "sibling_of"
                | "relative_of"
                | "founded_by"
                | "directed_by"
                | "written_by"
                | "produced_by"
                | "birth_date"
                | "born_in"
                | "founding_date"
                | "blood_type"
                | "has_degree"
                | "died_on"
                | "grew_up_in"
        )
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
        if name.is_empty() || Self::is_vague(name) || Some(name) == self.author.as_deref() || Self::is_quantity(name) {
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
        if let Some(dated) =
            self.dated.filter(|_| finding.times.is_empty() && matches!(finding.phase, Phase::Began | Phase::Over | Phase::Happened))
        {
            finding.times.push(dated);
        }
        // 誰, 社員の誰か: a name for nobody.
        if !self.asking
            && !finding.head.is_empty()
            && (Self::is_vague(&finding.head) || super::unnamed::UNNAMED.iter().any(|end| finding.head.ends_with(end)))
        {
            self.refuse(RejectionKind::Unresolved, finding.at, format!("{} names nobody", finding.head));
            return;
        }
        // あの映画, この本: which, nobody says.
        let shown = ["あの", "その", "この", "あんな", "そんな", "こんな"].iter().find_map(|word| finding.tail.strip_prefix(word));
        if shown.is_some_and(|rest| self.whole(rest, "generic")) {
            self.refuse(RejectionKind::Unresolved, finding.at, format!("{} stands for nothing named", finding.tail));
            return;
        }
        let asked = self.asking && Self::is_asked(&finding.tail);
        if finding.head.is_empty()
            || Self::is_vague(&finding.tail) && !asked
            || finding.head == finding.tail
            || Self::is_asked(&finding.tail) && !self.asking
        {
            return;
        }
        self.told += 1;
        let same = |other: &Finding| {
            other.head == finding.head
                && other.relation == finding.relation
                && other.tail == finding.tail
                && other.polarity == finding.polarity
                // Twice at different times is twice.
                && (other.times == finding.times || other.times.is_empty() || finding.times.is_empty())
        };
        // What ended is not claimed to be so for being named by it: "彼氏の翔太とは別れた".
        if finding.polarity == Polarity::Ends {
            let named = |other: &Finding| {
                other.head == finding.head
                    && other.relation == finding.relation
                    && other.tail == finding.tail
                    && other.pattern.starts_with("role ")
                    && other.phase == Phase::Now
            };
            self.found.retain(|other| !named(other));
        }
        let over = |other: &Finding| {
            other.polarity == Polarity::Ends
                && finding.polarity == Polarity::Holds
                && finding.phase == Phase::Now
                && finding.pattern.starts_with("role ")
                && (&other.head, other.relation, &other.tail) == (&finding.head, finding.relation, &finding.tail)
        };
        if !self.found.iter().rev().take(NEAR).any(|other| same(other) || over(other)) {
            self.found.push(finding);
        }
    }

    pub(super) fn refuse(&mut self, kind: RejectionKind, at: Range<usize>, reason: impl Into<String>) {
        self.refused.push(Refusal { kind, quote: at, reason: reason.into() });
    }

    /// Reads a turn before for what it asks and names.
    pub(super) fn recall(&mut self) {
        self.recalling = true;
        self.read();
    }

    /// Takes over what a turn before names, and what it asks if it was the last one.
    pub(super) fn take_up(&mut self, turn: Reader<'_>, asks: bool, other: bool) {
        // Times of another text mean nothing here, but for their year and role.
        let zone = self.setting.calendar.zone;
        let dated = |finding: &Finding| {
            let mut times = finding.times.iter().filter_map(|time| turn.time(*time, finding.relation));
            times.find_map(|time| {
                let (year, month) = month_of(&time, zone)?;
                Some((year, month, time.role))
            })
        };
        let told = |finding: &Finding| Finding { dated: dated(finding), times: Vec::new(), at: 0..0, ..finding.clone() };
        let found: Vec<Finding> = turn.found.iter().map(told).collect();
        if asks {
            self.since_when = turn.text.contains("いつ");
            self.questions = found;
            self.elliptic = !self.questions.is_empty();
        } else if !other {
            self.before.extend(found);
        }
        for (ours, theirs) in [(&mut self.spoken.people, turn.spoken.people), (&mut self.spoken.things, turn.spoken.things)] {
            for name in theirs {
                ours.retain(|known| *known != name);
                ours.push(name);
            }
        }
    }

    /// Reads the whole text.
    pub(super) fn read(&mut self) {
        let written = self.setting.is_written() && !self.recalling;
        let (mut tasked, mut ordered) = (false, false);
        let mut taken: Option<Range<usize>> = None;
        let sentences = sentences(self.text);
        let others = self.leave_to_others();
        for (index, at) in sentences.iter().enumerate() {
            let sentence = self.text.get(at.clone()).unwrap_or_default();
            if others.iter().any(|other| other.contains(&at.start)) {
                continue;
            }
            if written && (index == 0 && self.heading(at) || mood::is_label(sentence)) {
                continue;
            }
            if tasked {
                self.refuse(RejectionKind::Quoted, at.clone(), "it stands beside a task with a text");
                continue;
            }
            if ordered {
                self.refuse(RejectionKind::Instruction, at.clone(), "an order to remember stands before it");
                continue;
            }
            if mood::is_task(sentence) {
                self.refuse(RejectionKind::Quoted, at.clone(), "a text to work on is not what somebody says");
                tasked = true;
                continue;
            }
            if self.setting.is_assistant() && !self.recalling && (mood::is_echo(sentence) || !Self::reports(sentence)) {
                self.refuse(RejectionKind::Echo, at.clone(), "an assistant repeats or answers");
                continue;
            }
            if index == 0 && self.takes_back(sentence) {
                taken = Some(at.clone());
                let kind = if mood::is_jest(sentence) { RejectionKind::Joke } else { RejectionKind::Request };
                self.refuse(kind, at.clone(), "it takes back what was said before");
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
                ordered = kind == RejectionKind::Instruction && mood::announces(sentence);
                self.refuse(kind, at.clone(), format!("{word} speaks against it"));
                continue;
            }
            let before = (self.told, self.refused.len());
            self.sentence(at.clone());
            if before == (self.told, self.refused.len()) && !self.recalling {
                let (kind, reason) = mood::nothing_told(sentence);
                self.refuse(kind, at.clone(), reason);
            }
        }
        if let Some(at) = taken {
            self.take_back(&at);
        }
    }

    /// Refuses what somebody else said in a person's turn: lines under another name; where those stand.
    fn leave_to_others(&mut self) -> Vec<Range<usize>> {
        if self.setting.observation.source.authority != Authority::User {
            return Vec::new();
        }
        let others = super::voices::of_others(self.text, self.author.as_deref(), |name| self.noun(name).is_some());
        if !self.recalling {
            for other in &others {
                self.refuse(RejectionKind::Quoted, other.clone(), "somebody else says so");
            }
        }
        others
    }

    /// Whether an assistant's sentence tells of something that it did.
    fn reports(sentence: &str) -> bool {
        ["ました", "済みです", "完了です", "いたしました", "完了しています"]
            .iter()
            .any(|end| sentence.trim_end_matches(['。', '！', '!', ' ', '\n']).ends_with(end))
    }

    pub(super) fn sentence(&mut self, at: Range<usize>) {
        let tokens = tokenize(self.text, at.clone(), &self.bounds, &self.language.lexicon);
        if self.setting.traced {
            self.trace(&tokens);
        }
        let (tokens, asides) = self.asides(tokens);
        if self.setting.is_written() {
            self.read_asides(asides);
        }
        self.action = self.setting.is_written() && self.text.get(at.clone()).is_some_and(is_action);
        let clauses: Vec<Clause> = clauses(self.text, &tokens).into_iter().map(|clause| self.with_topic(clause)).collect();
        let asked = self.text.get(at.end..).is_some_and(|rest| rest.starts_with(['?', '？']))
            || self.text.get(at).is_some_and(|sentence| sentence.ends_with(['?', '？']));
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
                    let words: Vec<&str> =
                        readings.iter().map(|(word, ..)| self.language.pack.dictionary(*word).unwrap_or("unknown")).collect();
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
            let end = (group..clauses.len())
                .find(|place| clauses.get(*place).is_some_and(|clause| clause.form().link.is_own()))
                .map_or(clauses.len(), |place| place + 1);
            let last_group = end == clauses.len();
            let Some(chain) = clauses.get(group..end) else { break };
            let last = chain.last().map_or(Form { flags: Flags::NONE, link: Link::Whole }, Clause::form);
            // が、けど before a question only lead to it: they are said.
            let kind = mood::of(last, asked && last_group);
            let kind = kind.filter(|kind| !(*kind == RejectionKind::Question && !asked && self.is_soft(chain)));
            // でしょう of a value in a document is as good as said; と思う of the speaker's own plan is a plan.
            let suppose = chain.iter().any(|clause| clause.says(Adverb::Suppose));
            let kind = kind.or_else(|| suppose.then_some(RejectionKind::Hypothetical));
            let kind = kind.filter(|kind| !(*kind == RejectionKind::Hypothetical && last.is(Flags::WILLED)));
            let kind_of_chain = kind;
            let times = chain_times(chain);
            let mut carried: Option<&Clause> = None;
            for (place, clause) in chain.iter().enumerate() {
                let form = clause.form();
                if form.link == Link::Of {
                    // Read with the noun that it modifies.
                    continue;
                }
                if form.link == Link::Cleft {
                    carried = Some(clause);
                    self.presuppose(clause);
                    continue;
                }
                // What leads to a plan is part of it.
                let meant =
                    last.any(Flags::PLANNED.with(Flags::WILLED)) && place + 1 < chain.len() && matches!(form.link, Link::Te | Link::Stem);
                if meant {
                    self.presuppose(clause);
                    continue;
                }
                // 勤めて七年になる: how long tells since when.
                let counted = chain.get(place + 1).filter(|_| form.link == Link::Te).map(|next| self.lengths(next)).unwrap_or_default();
                let counts = place.checked_sub(1).and_then(|before| chain.get(before)).is_some_and(|before| before.form().link == Link::Te);
                if counts && !self.lengths(clause).is_empty() {
                    continue;
                }
                let times: &[usize] = if counted.is_empty() { &times } else { &counted };
                let own = mood::of(form, false)
                    .filter(|kind| *kind != RejectionKind::Question || kind_of_chain.is_some() || !self.is_soft(chain));
                let own = own.filter(|kind| !(*kind == RejectionKind::Hypothetical && form.is(Flags::WILLED)));
                // 教えて: a request, where nothing follows.
                let asked_clause;
                let asks = form.link == Link::Te
                    && group + place + 1 == clauses.len()
                    && !form.is(Flags::ONGOING)
                    && matches!(clause.predicate, Predicate::Verb(_));
                let own = own.or_else(|| asks.then_some(RejectionKind::Request));
                let clause = if asks {
                    asked_clause = clause.requested();
                    &asked_clause
                } else {
                    clause
                };
                let own = own.or_else(|| {
                    (form.link == Link::Quote && !self.asserts_quoted(chain.get(place + 1))).then_some(RejectionKind::Hypothetical)
                });
                let before = self.found.len();
                // What is so only if something else is.
                let depends = chain
                    .get(..place)
                    .is_some_and(|before| {
                        before.iter().any(|clause| matches!(clause.form().link, Link::If | Link::Quote) && !self.precedes(clause))
                    })
                    // 冬になったら仕込もうと思う: a plan for then.
                    && !last.any(Flags::PLANNED.with(Flags::WILLED))
                    && !(form.is(Flags::PAST) && !form.is(Flags::ONGOING) && form.link == Link::Whole);
                // 趣味は釣りで、特技はないかな: whoever wonders at the end has said what stands before it.
                let kind =
                    kind.filter(|kind| !(*kind == RejectionKind::Question && !asked && place + 1 < chain.len() && self.wonders(chain)));
                let refusal = kind.or(own).or_else(|| depends.then_some(RejectionKind::Hypothetical));
                let read = Said { clause, clauses, chain: if counted.is_empty() { last } else { form }, times, place: group + place };
                if first {
                    self.answer(clause, refusal.is_none());
                }
                first = false;
                match refusal {
                    None => {
                        self.modifiers(clause, clauses);
                        let cleft = carried.filter(|_| form.link != Link::NotBut);
                        if form.link != Link::NotBut {
                            carried = None;
                        }
                        self.said(&read, cleft);
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
        const ANNOUNCE: &[&str] = &[
            "発表する",
            "明らかにする",
            "報じる",
            "報告する",
            "公表する",
            "伝える",
            "述べる",
            "決定する",
            "合意する",
            "発表される",
            "報じられる",
            "なる",
        ];
        let Some(Clause { predicate: Predicate::Verb(readings), .. }) = next else { return false };
        self.setting.is_written()
            && readings.iter().any(|(word, ..)| self.language.pack.dictionary(*word).is_some_and(|word| ANNOUNCE.contains(&word)))
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
    pub(super) fn presuppose(&mut self, clause: &Clause) {
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

    /// 寝る前に: it tells when, and supposes nothing.
    pub(super) fn precedes(&self, clause: &Clause) -> bool {
        self.text.get(clause.verb.clone()).is_some_and(|text| text.ends_with("前に"))
    }

    /// 好きな食べ物はお好み焼きかな: who tells of themselves with かな asks nobody.
    fn is_soft(&self, chain: &[Clause]) -> bool {
        let Some(last) = chain.last() else { return false };
        // 最近ハマってるのは将棋かな
        if self.wonders(chain)
            && chain.iter().any(|clause| clause.form().link == Link::Cleft)
            && matches!(last.predicate, Predicate::Copula(..))
        {
            return true;
        }
        let Predicate::Copula(_, value) = &last.predicate else { return false };
        let said = self.text.get(last.verb.clone()).unwrap_or_default();
        let attribute = |item: &Item| {
            let noun = item.parts.last().and_then(|part| self.text.get(part.at.clone())).and_then(|text| self.noun(text));
            item.parts.len() == 1
                && noun.is_some_and(|(uses, _)| uses.iter().all(|(relation, bears)| *bears == Bears::Value && !self.thing(*relation)))
        };
        let of = last.args.iter().filter(|arg| arg.topic).flat_map(|arg| &arg.items).any(attribute);
        let asks = value.items.iter().filter_map(|item| self.text.get(item.at())).any(Self::is_asked);
        of && !asks && said.trim_end_matches(['あ', 'ぁ', 'ー']).ends_with("かな")
    }

    /// Whether a chain ends in かな, which asks nobody.
    fn wonders(&self, chain: &[Clause]) -> bool {
        let said = chain.last().and_then(|last| self.text.get(last.verb.clone())).unwrap_or_default();
        said.trim_end_matches(['あ', 'ぁ', 'ー', '〜']).ends_with("かな")
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
            let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or_default();
            // 大阪に住んでいる友人: one of several, and not named.
            let unnamed = item.parts.len() == 1
                && self.noun(last).is_some_and(|(uses, _)| {
                    uses.iter().any(|(relation, _)| matches!(self.relation_name(*relation), "friend_of" | "colleague_of" | "neighbour_of"))
                });
            if self.is_of_nobody(inner) || ABSTRACT.contains(&last) || unnamed {
                continue;
            }
            // A common noun alone is what is asked for or told, not somebody.
            let text = self.text.get(item.at()).unwrap_or_default();
            if mood::of(inner.form(), false).is_some() {
                continue;
            }
            let topic = clause.args.iter().find(|arg| arg.topic).and_then(|arg| arg.items.first()).cloned();
            let is_value = matches!(&clause.predicate, Predicate::Copula(_, value) if value.items.contains(&item));
            // 私は大工をしている者です: whom it is said of.
            let nobody = matches!(text, "者" | "人間" | "身");
            let gap = if is_value && nobody {
                topic
            } else if is_value && self.setting.is_written() {
                topic.or(Some(item.clone()))
            } else {
                Some(item.clone())
            };
            if self.is(text, "generic") && !(is_value && self.setting.is_written()) {
                continue;
            }
            if let (Predicate::Copula(form, value), Some(gap)) = (&inner.predicate, &gap) {
                // 社長だった人
                let subject = Item { parts: gap.parts.iter().map(|part| Part { modifier: None, ..part.clone() }).collect() };
                let topic = Arg { items: vec![subject], particle: Particle::Topic, topic: true, unsure: false, listed: false };
                let args = inner.args.iter().filter(|arg| !arg.topic).cloned().chain(std::iter::once(topic)).collect();
                let told =
                    Clause { args, predicate: Predicate::Copula(Form { link: Link::Whole, ..*form }, value.clone()), ..inner.clone() };
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

    /// Reads a clause that asserts something.
    fn said(&mut self, said: &Said<'_>, cleft: Option<&Clause>) {
        if self.is_of_nobody(said.clause) {
            self.presuppose(said.clause);
            return;
        }
        self.look_ahead(said.clause);
        self.keeps(said.clause);
        // 姉は秋田じゃなくて山形に住んでいる: whom the denial is about.
        let (told, whole);
        let mut said = said;
        if let (Predicate::Verb(_), Some((_, args))) = (&said.clause.predicate, self.denied_before(said))
            && !said.clause.args.iter().any(|arg| arg.topic)
        {
            let topics = args.into_iter().filter(|arg| arg.topic && !arg.items.iter().all(Item::is_time));
            let args = topics.chain(said.clause.args.iter().cloned()).collect();
            told = Clause { args, ..said.clause.clone() };
            whole = Said { clause: &told, ..*said };
            said = &whole;
        }
        // お酒は弱いけど好きです, 将棋は飽きてやめた: what the clauses before are about.
        let (about, spoken);
        if let Some(clause) = self.about_the_same(said) {
            about = clause;
            spoken = Said { clause: &about, ..*said };
            said = &spoken;
        }
        match &said.clause.predicate {
            Predicate::Verb(_) => {
                let other = self.pleases(said.clause) && self.preference(said) || self.planned(said) || self.named_verb(said);
                if !other {
                    self.verb(said, None);
                }
            }
            Predicate::Copula(..) => self.copula(said, cleft),
            Predicate::Missing => {
                if Self::is_fragment(said.clause) {
                    self.presuppose(said.clause);
                    if self.mistaken(said) {
                        return;
                    }
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
    }

    /// 2021年の間違いでした: what was said before is put right by a value with nothing told of it; whether it was one.
    fn mistaken(&mut self, said: &Said<'_>) -> bool {
        let clause = said.clause;
        let value = clause.args.last().filter(|arg| arg.particle == Particle::No && clause.calls.contains(&Call::Correction)).cloned();
        // さっきの間違い, 私の勘違い: what is meant follows.
        let shown = |text: &str| {
            Self::is_vague(text)
                || ["さっき", "先ほど", "さきほど", "前", "今", "上", "私", "僕", "俺", "こっち", "こちら", "漢字", "入力", "変換"]
                    .contains(&text)
        };
        let shown = value.as_ref().and_then(|arg| arg.items.last()).and_then(|item| self.text.get(item.at())).is_none_or(shown);
        let Some(value) = value.filter(|_| !shown) else { return false };
        let told = Told { phase: Phase::Now, polarity: Polarity::Holds, times: Vec::new(), at: clause.at.clone(), corrects: None };
        if !self.restate(&value, &told) && !self.recalling {
            self.refuse(RejectionKind::Unresolved, clause.at.clone(), "it puts right something that was not said before");
        }
        true
    }

    /// Whether a clause asks politely: お願いします.
    fn pleases(&self, clause: &Clause) -> bool {
        matches!(&clause.predicate, Predicate::Verb(readings) if readings.iter().any(|(word, ..)| matches!(self.language.pack.dictionary(*word), Some("お願いする" | "希望する"))))
    }

    fn is_fragment(clause: &Clause) -> bool {
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
                    // 葵の弁当: whose it is was named too.
                    if item.parts.len() > 1 {
                        let owner = self.surface(item, 0, 0);
                        if self.is_person(&owner) && self.noun(&owner).is_none() {
                            self.mention(&owner);
                        }
                    }
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
                        Owner::Default
                            if pending.is_role()
                                && !self.setting.is_written()
                                && pending.uses.iter().all(|(relation, bears)| *bears == Bears::Role && !self.thing(*relation)) =>
                        {
                            Some(entity.text.clone())
                        }
                        Owner::Default => None,
                    },
                };
                if let Some(owner) = owner.filter(|owner| !Self::is_vague(owner)) {
                    self.spoken.thing = !self.is_person(&owner)
                        && !self.found.iter().any(|finding| {
                            finding.tail == owner && !self.thing(finding.relation) && self.relation_name(finding.relation).ends_with("_of")
                        });
                    // What the speaker likes or lacks is no topic that others are about.
                    let told = self.found.iter().any(|finding| finding.head == owner);
                    let of = |tail: &str| tail == owner || tail.strip_prefix(owner.as_str()).is_some_and(|rest| rest.starts_with('を'));
                    let liked = !told
                        && self.found.iter().any(|finding| of(&finding.tail) && !self.relation_name(finding.relation).ends_with("_of"));
                    if liked && !self.setting.is_written() {
                        return;
                    }
                    if told || self.setting.is_written() || !self.spoken.thing && self.spoken.people.contains(&owner) {
                        self.spoken.topic = Some(owner);
                    }
                }
            }
        }
    }

    /// The drafts of what was found.
    pub(super) fn finish(self) -> Reading {
        let today = self.found.iter().any(|finding| finding.today).then(|| parse_one("今日", &self.setting.calendar)).flatten();
        let today = today.map(|time| TimeMention { role: Role::Since, ..time });
        let draft = |finding: &Finding| {
            let death = self.death_of(finding);
            Draft {
                head: finding.head.clone(),
                relation: self.relation_name(finding.relation).to_owned(),
                tail: finding.tail.clone(),
                polarity: finding.polarity,
                phase: if death.is_some() { Phase::UsedTo } else { finding.phase },
                times: death
                    .into_iter()
                    .chain(
                        finding
                            .times
                            .iter()
                            .filter_map(|time| self.time(*time, finding.relation))
                            .chain(today.iter().filter(|_| finding.today).cloned()),
                    )
                    .collect(),
                quote: finding.at.clone(),
                pattern: format!("ja/{}", finding.pattern),
                confidence: finding.confidence,
                corrects: finding.corrects.clone(),
            }
        };
        let drafts = self.found.iter().map(draft).collect();
        let open = self.lost.iter().map(|lost| lost.drafted(draft(&lost.finding))).collect();
        Reading { drafts, open, refused: self.refused, tagged: self.tagged }
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

/// Nouns of which a clause says nothing that stands before them: it tells their content.
const ABSTRACT: &[&str] = &[
    "ほう",
    "方",
    "ふり",
    "フリ",
    "うわさ",
    "噂",
    "話",
    "夢",
    "理由",
    "場合",
    "可能性",
    "様子",
    "気分",
    "つもり",
    "設定",
    "役",
    "こと",
    "手紙",
    "感じ",
    "訳",
    "わけ",
    "必要",
    "気",
    "前提",
    "状況",
    "経験",
    "記憶",
    "後",
    "前",
    "間",
    "ため",
    "意味",
];
