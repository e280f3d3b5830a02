//! The copula, and the verbs that only say that a value is, begins or ends: なる, 就任する, 変更する, いう.
//!
//! Owns their tense and which argument is the subject, the value and the one before. Knows nothing of how a value is told.

use super::super::draft::Phase;
use super::clause::{Arg, Clause, Item, Predicate};
use super::form::{Flags, Form, Link};
use super::lexicon::{Adverb, Call};
use super::particle::Particle;
use super::phrase::{Entity, Owner, Pending};
use super::reader::{Reader, Said};
use super::value::Told;
use crate::model::Polarity;

/// Verbs by which a value begins.
const BEGIN: &[&str] = &[
    "なる",
    "就任する",
    "就く",
    "着任する",
    "変更する",
    "変わる",
    "変える",
    "切り替える",
    "更新する",
    "交代する",
    "代わる",
    "移る",
    "改める",
    "決まる",
    "決定する",
    "昇格する",
    "昇進する",
    "任命される",
    "選ばれる",
    "選出される",
    "変更される",
    "決定される",
    "更新される",
    "設定される",
    "設定する",
    "抜擢される",
    "移す",
    "ずれる",
    "延びる",
    "延期する",
    "延期される",
    "切り替わる",
    "修正する",
    "替える",
    "引き継ぐ",
    "引き継がれる",
    "移管する",
    "移管される",
    "切り替えられる",
    "当選する",
    "指名される",
    "移行する",
    "改定される",
    "改定する",
    "引き上げる",
    "上がる",
    "下がる",
    "変更となる",
    "引き上げられる",
    "移転する",
    "差し替える",
    "減る",
    "増える",
];
/// Verbs by which it is.
const BE: &[&str] = &[
    "務める",
    "つとめる",
    "兼任する",
    "兼務する",
    "担当する",
    "担う",
    "いう",
    "言う",
    "申す",
    "する",
    "やる",
    "呼ぶ",
    "行う",
    "ある",
    "置かれる",
    "置く",
];
/// Verbs by which it ends.
const END: &[&str] =
    &["退任する", "辞任する", "退く", "降りる", "辞める", "離任する", "解任される", "退職する", "引退する", "失職する", "やめる"];

impl Reader<'_> {
    /// The relation's claims that the copula makes; `cleft` is the clause that asks for the value: "住んでいるのは".
    pub(super) fn copula(&mut self, said: &Said<'_>, cleft: Option<&Clause>) {
        let Predicate::Copula(form, value) = &said.clause.predicate else { return };
        let mut value = value.clone();
        let mut args = said.clause.args.clone();
        let mut corrects = None;
        // AじゃなくてB, A、いや、B
        if let Some((old, subject)) = self.denied_before(said) {
            corrects = Some(old);
            if args.iter().all(|arg| !arg.topic) {
                args.splice(0..0, subject);
            }
        }
        // さっきの函館は間違いで、小樽です
        let wrong = |arg: &Arg| arg.particle == Particle::De && arg.items.iter().any(|item| self.text.get(item.at()).is_some_and(is_wrong));
        if (said.clause.calls.contains(&Call::Correction) || args.iter().any(wrong))
            && let Some(place) = args.iter().position(|arg| arg.topic && !arg.items.iter().all(Item::is_time))
            && let Some(part) = args.get(place).and_then(|arg| arg.items.last()).and_then(|item| item.parts.last())
            && let Some(old) = self.text.get(part.at.clone())
            && self.before.iter().chain(&self.found).any(|known| known.tail == old)
        {
            corrects = Some(old.to_owned());
            args.clear();
        }
        // さっきの函館は間違いでした。
        if value.items.iter().any(|item| self.text.get(item.at()).is_some_and(is_wrong)) && !self.setting.is_written() {
            self.correcting = true;
            return;
        }
        if form.link == Link::NotBut && said.clauses.get(said.place + 1).is_some_and(|next| !matches!(next.predicate, Predicate::Missing)) {
            self.presuppose_value(&value);
            return;
        }
        // 5日でした: a date alone in the past puts right the one told before.
        let dated_anew = form.is(Flags::PAST)
            && said.clauses.len() == 1
            && args.is_empty()
            && self.questions.is_empty()
            && value.items.len() == 1
            && value.items.iter().all(Item::is_time);
        let correcting = std::mem::take(&mut self.correcting) || dated_anew || said.clause.calls.contains(&Call::Correction);
        if correcting
            && let Some(place) = args.iter().rposition(|arg| {
                arg.particle == Particle::Bare
                    && !arg.topic
                    && arg.items.iter().any(|item| !item.is_time() || value.items.iter().all(Item::is_time))
            })
        {
            let old = args.remove(place);
            if let Some(item) = old.items.last() {
                corrects = Some(self.plain(item).text);
            }
        }
        if value.unsure {
            return;
        }
        if value.listed && value.items.len() > 1 {
            let kept: Vec<Item> =
                value.items.iter().filter(|item| !self.is(self.text.get(item.at()).unwrap_or_default(), "generic")).cloned().collect();
            if !kept.is_empty() {
                value.items = kept;
            }
        }
        let Some((phase, polarity)) = self.tense(said, *form) else {
            self.presuppose_value(&value);
            return;
        };
        if let Some(cleft) = cleft {
            for item in value.items.clone() {
                let told = Said { clause: cleft, times: &[], ..*said };
                let before = self.found.len();
                self.cleft(&told, &item, polarity, corrects.as_deref());
                if self.found.len() == before {
                    let text = self.plain(&item).text;
                    if let Some(speaker) = self.speaker().filter(|_| is_address(&text)) {
                        self.add_named("email", &speaker, &text, said.clause.at.clone());
                    }
                }
            }
            return;
        }
        let mut times: Vec<usize> = args
            .iter()
            .flat_map(|arg| arg.items.iter())
            .filter(|item| item.is_time())
            .flat_map(|item| item.times().collect::<Vec<_>>())
            .collect();
        times.dedup();
        let told = Told { phase, polarity, times, at: said.clause.at.clone(), corrects };
        let subjects: Vec<&Arg> = args
            .iter()
            .filter(|arg| {
                (arg.topic || matches!(arg.particle, Particle::Ga | Particle::Too | Particle::Topic))
                    && !arg.items.iter().all(Item::is_time)
            })
            .collect();
        // 会社員、趣味は登山: values without a copula before a subject.
        let mut loose: Vec<Item> = Vec::new();
        if let Some(first) = subjects.first().filter(|arg| arg.listed && arg.items.len() > 1)
            && let Some(last) = first.items.last().cloned()
            && self.entity(&last).pending.is_some_and(|pending| !pending.is_role())
        {
            loose.extend(first.items.iter().take(first.items.len() - 1).cloned());
        }
        for item in loose {
            self.tell_value(None, &item, &[], &told);
        }
        if !self.setting.is_written() && self.household(&args, &value, &told) {
            return;
        }
        let subject = self.subject(&subjects);
        let before = self.found.len();
        if (subject.is_none() || self.is_spoken_of(subject.as_ref(), &told))
            && (correcting || told.corrects.is_some())
            && self.restate(&value, &told)
        {
            return;
        }
        if subject.is_none() && said.place == 0 && self.answered(&value, &told) {
            return;
        }
        if subject.is_none()
            && let Some((bare, rest)) = self.bare_subject(&args)
        {
            let told = Told { times: rest, ..told.clone() };
            self.tell(Some(&bare), &value, &[], &told);
        } else {
            self.tell(subject.as_ref(), &value, &[], &told);
        }
        if self.found.len() == before {
            self.presuppose_value(&value);
        }
        if correcting {
            self.put_right(before);
        }
        self.by_whom(&args, &value, &told);
    }

    /// Whether an attribute without an owner is the one whose old value was told before: "担当は原さんではなく西さんです".
    fn is_spoken_of(&self, subject: Option<&Entity>, told: &Told) -> bool {
        let Some(pending) = subject.and_then(|subject| subject.pending.as_ref()) else { return false };
        pending.owner == Owner::Default
            && told.corrects.as_ref().is_some_and(|old| {
                self.before.iter().any(|known| known.tail == *old && pending.uses.iter().any(|(relation, _)| *relation == known.relation))
            })
    }

    /// What is told anew in a correction takes the place of the one value of the same relation that was told before.
    fn put_right(&mut self, from: usize) {
        let before = std::mem::take(&mut self.before);
        for finding in self.found.iter_mut().skip(from).filter(|finding| finding.corrects.is_none()) {
            let mut same = before
                .iter()
                .filter(|known| known.head == finding.head && known.relation == finding.relation && known.tail != finding.tail);
            if let (Some(old), None) = (same.next(), same.next()) {
                finding.corrects = Some(old.tail.clone());
            }
        }
        self.before = before;
    }

    /// "鳥居恵による長編小説": whose work it is.
    fn by_whom(&mut self, args: &[Arg], value: &Arg, told: &Told) {
        const WRITTEN: &[&str] = &[
            "小説",
            "漫画",
            "マンガ",
            "絵本",
            "詩集",
            "随筆",
            "戯曲",
            "エッセイ",
            "短編集",
            "歌集",
            "句集",
            "ノンフィクション",
            "自伝",
            "童話",
            "脚本",
            "著書",
        ];
        const DIRECTED: &[&str] = &["映画", "ドラマ", "アニメ", "ドキュメンタリー", "舞台", "ミュージカル"];
        let by = args.iter().find(|arg| arg.particle == Particle::Through).and_then(|arg| arg.items.last()).cloned();
        let topic = args.iter().find(|arg| arg.topic).and_then(|arg| arg.items.last()).cloned();
        let (Some(by), Some(topic), Some(last)) = (by, topic, value.items.last()) else { return };
        let text = self.text.get(last.at()).unwrap_or_default();
        let relation = if WRITTEN.iter().any(|end| text.ends_with(end)) {
            "written_by"
        } else if DIRECTED.iter().any(|end| text.ends_with(end)) {
            "directed_by"
        } else {
            return;
        };
        let (work, who) = (self.entity(&topic).text, self.value_text(&by));
        self.add_named(relation, &work, &who, told.at.clone());
    }

    /// The value that the clause before denies in favour of this one's, with that clause's arguments.
    pub(super) fn denied_before(&mut self, said: &Said<'_>) -> Option<(String, Vec<Arg>)> {
        let before = said.clauses.get(said.place.checked_sub(1)?)?;
        let Predicate::Copula(_, value) = &before.predicate else { return None };
        let item = value.items.last()?.clone();
        if before.form().link != Link::NotBut {
            return None;
        }
        let old = self.plain(&item).text;
        Some((old, before.args.clone()))
    }

    fn tense(&self, said: &Said<'_>, form: Form) -> Option<(Phase, Polarity)> {
        let chained = matches!(form.link, Link::And | Link::Bare | Link::Te);
        let past = form.is(Flags::PAST)
            || chained
                && form.link != Link::Bare
                && said.chain.is(Flags::PAST)
                && !said.chain.is(Flags::ONGOING)
                && said.clause.says(Adverb::Formerly);
        let negated = form.is(Flags::NEGATED);
        if self.asking {
            return Some((Phase::Now, Polarity::Holds));
        }
        Some(match (negated, past) {
            (true, _) if said.clause.says(Adverb::Already) => (Phase::Over, Polarity::Ends),
            (true, true) => (Phase::SoFar, Polarity::Never),
            (true, false) if form.link == Link::NotBut => (Phase::Now, Polarity::Never),
            (true, false) => (Phase::Now, Polarity::Never),
            // 水曜日でした puts right what was said.
            (false, true)
                if said.clause.calls.contains(&Call::Correction)
                    || said.place > 0 && said.clauses.get(said.place - 1).is_some_and(|before| before.form().link == Link::NotBut) =>
            {
                (Phase::Now, Polarity::Holds)
            }
            (false, true) => (Phase::UsedTo, Polarity::Holds),
            (false, false) if form.is(Flags::PLANNED) => return None,
            (false, false) if said.clause.says(Adverb::Formerly) => (Phase::UsedTo, Polarity::Holds),
            (false, false) => (Phase::Now, Polarity::Holds),
        })
    }

    /// What a verb tells that only says that a value is, begins or ends; whether it was one.
    pub(super) fn named_verb(&mut self, said: &Said<'_>) -> bool {
        let clause = said.clause;
        let Predicate::Verb(readings) = &clause.predicate else { return false };
        let word = readings.iter().find_map(|(word, ..)| {
            let word = self.language.pack.dictionary(*word)?;
            [BEGIN, BE, END].iter().enumerate().find_map(|(sort, words)| words.contains(&word).then_some((sort, word)))
        });
        let Some((sort, word)) = word.map(|(sort, word)| (sort, word.to_owned())) else { return false };
        let form = clause.form();
        if form.is(Flags::ASKED) {
            return false;
        }
        let chain_past = said.chain.is(Flags::PAST) && form.link != Link::Whole;
        let past = form.is(Flags::PAST) || chain_past || matches!(form.link, Link::Bare | Link::Te);
        let subjects: Vec<&Arg> = clause
            .args
            .iter()
            .filter(|arg| (arg.topic || matches!(arg.particle, Particle::Topic | Particle::Too)) && !arg.items.iter().all(Item::is_time))
            .collect();
        let agent = clause.args.iter().find(|arg| arg.particle == Particle::Ga && !arg.items.iter().all(Item::is_time));
        let object = clause.args.iter().find(|arg| arg.particle == Particle::Wo);
        let goal = clause.args.iter().rev().find(|arg| {
            matches!(arg.particle, Particle::Ni | Particle::He | Particle::To | Particle::As)
                && (!arg.items.iter().all(Item::is_time) || self.wants_date(clause))
        });
        let old = clause
            .args
            .iter()
            .find(|arg| arg.particle == Particle::Kara && (!arg.items.iter().all(Item::is_time) || self.wants_date(clause)));
        let topic = self.subject(&subjects).map(|subject| self.lying(subject, &word));
        let used: Vec<usize> = [goal, old]
            .into_iter()
            .flatten()
            .flat_map(|arg| arg.items.iter())
            .filter(|item| item.is_time())
            .flat_map(|item| item.times().collect::<Vec<_>>())
            .collect();
        let mut times: Vec<usize> = clause
            .args
            .iter()
            .flat_map(|arg| arg.items.iter())
            .filter(|item| item.is_time())
            .flat_map(|item| item.times().collect::<Vec<_>>())
            .filter(|time| !used.contains(time))
            .collect();
        if times.is_empty() {
            times.extend_from_slice(said.times);
        }
        self.announced(clause, &mut times);
        let negated = form.is(Flags::NEGATED);
        let future = !past && !form.is(Flags::ONGOING);
        let (phase, polarity) = match sort {
            0 if negated => return false,
            0 if form.is(Flags::DECIDED) => (Phase::Ahead, Polarity::Holds),
            0 if future => (Phase::Ahead, Polarity::Holds),
            0 => (Phase::Began, Polarity::Holds),
            1 if negated && clause.says(Adverb::Already) => (Phase::Over, Polarity::Ends),
            1 if negated => (Phase::Now, Polarity::Never),
            1 if past => (if times.is_empty() { Phase::UsedTo } else { Phase::Past }, Polarity::Holds),
            1 => (Phase::Now, Polarity::Holds),
            _ if negated => return false,
            _ => (Phase::Over, Polarity::Ends),
        };
        let told = Told { phase, polarity, times, at: clause.at.clone(), corrects: None };
        let before = self.found.len();
        let attribute = |entity: &Option<Entity>| entity.as_ref().is_some_and(|entity| entity.pending.is_some());
        // 担当は西に変更: an attribute gets another value.
        if attribute(&topic) {
            let value = if sort == 1 && !matches!(word.as_str(), "いう" | "言う" | "申す" | "呼ぶ" | "ある" | "置かれる" | "置く")
            {
                agent
            } else {
                goal.or(agent.filter(|_| sort == 1))
            };
            if matches!(word.as_str(), "する" | "やる") || word == "ある" && !goal.is_some_and(|arg| arg.particle == Particle::Ni) {
                return false;
            }
            if let Some(value) = value.cloned() {
                let old: Vec<Item> = old.map(|arg| arg.items.clone()).unwrap_or_default();
                self.tell(topic.as_ref(), &value, &old, &told);
                return self.found.len() > before;
            }
            return false;
        }
        // うちの猫はタマといいます
        if matches!(word.as_str(), "いう" | "言う" | "申す" | "呼ぶ")
            && let Some(what) = topic.as_ref().map(|entity| entity.text.clone()).filter(|what| self.is(what, "pet"))
            && let Some(item) = goal.and_then(|arg| arg.items.last()).cloned()
        {
            let name = self.value_text(&item);
            self.name_pet(&what, &name, &Owner::Default, &told);
            return true;
        }
        // 息子が二人いて、工と聡といいます
        if matches!(word.as_str(), "いう" | "言う")
            && topic.is_none()
            && let Some(known) = self.spoken.unnamed.clone().filter(Pending::is_role)
        {
            let named: Vec<Item> =
                clause.args.iter().filter(|arg| arg.particle == Particle::To).flat_map(|arg| arg.items.clone()).collect();
            for item in named {
                let name = self.value_text(&item);
                self.role(&known, &name, told.at.clone());
            }
            self.spoken.unnamed = None;
            return self.found.len() > before;
        }
        if matches!(word.as_str(), "いう" | "言う" | "申す" | "呼ぶ" | "する" | "やる" | "行う" | "ある") {
            return false;
        }
        // 担当が西に代わった, 予算を5万円に引き上げた
        if sort == 0
            && let (Some(changed), Some(value)) = (object.or(agent), goal)
        {
            let Some(item) = changed.items.last().cloned() else { return false };
            let mut entity = self.entity(&item);
            if let Some(pending) = &mut entity.pending {
                if pending.owner == Owner::Default
                    && let Some(topic) = topic.as_ref().filter(|topic| topic.pending.is_none() && !topic.speaker)
                {
                    pending.owner = Owner::Named(Self::bare_name(&topic.text));
                }
                let old: Vec<Item> = old.map(|arg| arg.items.clone()).unwrap_or_default();
                let value = value.clone();
                self.tell(Some(&entity), &value, &old, &told);
                return self.found.len() > before;
            }
        }
        // 川瀬氏が社長に就任した, 院長を務める
        let place = if sort == 0 { goal } else { object.or(goal.filter(|arg| arg.particle == Particle::As)) };
        let Some(place) = place.cloned() else { return false };
        let Some(item) = place.items.last().cloned() else { return false };
        let office = self.entity(&item);
        let subject = match agent.and_then(|arg| arg.items.last()).cloned() {
            Some(item) => {
                let agent = self.entity(&item);
                // The topic is where the office is.
                if let (Some(topic), Some(pending)) = (&topic, &office.pending)
                    && pending.owner == Owner::Default
                    && !topic.speaker
                {
                    let mut pending = pending.clone();
                    pending.owner = Owner::Named(Self::bare_name(&topic.text));
                    self.office(&pending, &agent.text, &told);
                    return self.found.len() > before;
                }
                Some(agent)
            }
            None => topic,
        };
        let old: Vec<Item> = old.map(|arg| arg.items.clone()).unwrap_or_default();
        if let Some(pending) = office.pending.as_ref().filter(|pending| pending.is_role() && matches!(pending.owner, Owner::Named(_))) {
            let holder = subject
                .as_ref()
                .map(|entity| if entity.speaker { self.speaker().unwrap_or_default() } else { Self::bare_name(&entity.text) })
                .or_else(|| self.topic().filter(|_| self.setting.is_written()))
                .or_else(|| self.speaker());
            if let Some(holder) = holder {
                self.office(pending, &holder, &told);
            }
            return self.found.len() > before;
        }
        if sort == 1 && !self.is_title(&office.text) || sort == 2 && !self.is_title(&office.text) {
            return false;
        }
        self.tell(subject.as_ref(), &place, &old, &told);
        self.found.len() > before
    }

    /// What stands somewhere is a place or an account: "会社は品川にある" names no employer.
    fn lying(&self, mut subject: Entity, word: &str) -> Entity {
        const PLACED: &[&str] = &[
            "headquartered_in",
            "located_in",
            "lives_in",
            "banks_with",
            "repository",
            "deployed_to",
            "uses_database",
            "born_in",
            "home_address",
        ];
        if matches!(word, "ある" | "置かれる" | "置く")
            && let Some(pending) = &mut subject.pending
            && pending.uses.iter().any(|(_, bears)| *bears == super::pack::Bears::Value)
        {
            pending.uses.retain(|(relation, _)| PLACED.contains(&self.relation_name(*relation)));
        }
        subject
    }

    /// Of the dates of what is announced, those to come: the others tell when it was announced.
    pub(super) fn announced(&self, clause: &Clause, times: &mut Vec<usize>) {
        if !self.setting.is_written() || clause.form().link != Link::Quote {
            return;
        }
        if times.len() > 1 && times.iter().any(|time| self.is_future(*time)) {
            times.retain(|time| self.is_future(*time));
        }
        // 星空運輸は21日、…を買収したと発表した: the date after whoever announces it is when they did.
        let first = clause.args.get(1).filter(|arg| arg.particle == Particle::Bare && clause.args.first().is_some_and(|arg| arg.topic));
        let first: Vec<usize> = first
            .into_iter()
            .flat_map(|arg| &arg.items)
            .filter(|item| item.is_time())
            .flat_map(|item| item.times().collect::<Vec<_>>())
            .collect();
        let named =
            |time: &usize| self.times.get(*time).and_then(|time| self.text.get(time.bytes.clone())).is_some_and(|text| text.contains('付'));
        times.retain(|time| !first.contains(time) || self.is_future(*time) || named(time));
    }

    /// Whether what a clause changes has dates for values.
    fn wants_date(&self, clause: &Clause) -> bool {
        clause.args.iter().any(|arg| {
            matches!(arg.particle, Particle::Topic | Particle::Ga | Particle::Wo)
                && arg.items.last().and_then(|item| item.parts.last()).and_then(|part| self.text.get(part.at.clone())).is_some_and(|text| {
                    self.noun(text).is_some_and(|(uses, _)| {
                        uses.iter().any(|(relation, _)| matches!(self.relation_name(*relation), "deadline" | "scheduled_for"))
                    })
                })
        })
    }
}

/// Whether a word says of what was said that it is wrong.
fn is_wrong(text: &str) -> bool {
    matches!(text, "間違い" | "勘違い" | "誤り" | "嘘" | "うそ" | "ウソ")
}

/// Whether a text is an address of electronic mail.
fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.')) && text.is_ascii() && !text.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_written};

    #[test]
    fn a_value_begins_is_and_ends() {
        check("部長になりました。", &["わたなべ job_title 部長 Began"]);
        check_written("倉庫の担当は原から辻に変更した。", &["倉庫 assigned_to 原 Over ends", "倉庫 assigned_to 辻 Began"]);
        check_written("星空美術館の館長は川瀬工が務める。", &["川瀬工 director_of 星空美術館 Now"]);
    }

    #[test]
    fn a_cleft_asks_for_its_value() {
        check("笛を吹いているのは姉の千尋です。", &["わたなべ sibling_of 千尋 Now", "千尋 plays_instrument 笛 Now"]);
        check("今勤めているのは星空運輸です。", &["わたなべ employer 星空運輸 Now"]);
    }
}
