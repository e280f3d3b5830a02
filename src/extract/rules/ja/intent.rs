//! What somebody means to do, does regularly, has promised, and how they want to be answered: tails in the speaker's own words.
//! Knows no frame of the pack.

use super::super::draft::Phase;
use super::clause::{Clause, Item, Predicate};
use super::finding::Finding;
use super::form::{Flags, Link};
use super::lexicon::{Adverb, Call};
use super::pack::OTHER;
use super::particle::Particle;
use super::phrase::Owner;
use super::reader::{Reader, Said};
use crate::model::Polarity;
use crate::time::expr::Value;

/// Verbs that make a promise or a resolution of the clause before them.
const PROMISE: &[&str] = &["約束する", "誓う", "引き受ける", "請け合う"];
const RESOLVE: &[&str] = &["決める", "決心する", "決意する", "計画する", "予定する"];
const AIM: &[&str] = &["目指す", "めざす"];
/// Verbs of answering.
const ANSWER: &[&str] = &[
    "答える",
    "回答する",
    "返事する",
    "返信する",
    "応答する",
    "話す",
    "返す",
    "説明する",
    "書く",
    "出力する",
    "表示する",
    "使う",
    "教える",
    "やめる",
    "控える",
    "伝える",
    "まとめる",
    "付ける",
    "つける",
    "省く",
    "入れる",
    "表記する",
    "する",
    "しゃべる",
    "示す",
];
/// What is answered: a topic of these makes a wish for how it is done.
const ANSWERS: &[&str] = &[
    "回答",
    "返事",
    "返答",
    "答え",
    "説明",
    "返信",
    "文章",
    "出力",
    "受け答え",
    "文体",
    "口調",
    "話し方",
    "トーン",
    "答え方",
    "語尾",
    "文面",
];
/// What an answer may be made of: who asks to leave it out asks for good.
const STYLE: &[&str] = &[
    "敬語",
    "絵文字",
    "顔文字",
    "専門用語",
    "箇条書き",
    "見出し",
    "記号",
    "略語",
    "カタカナ語",
    "タメ口",
    "ため口",
    "です・ます",
    "丁寧語",
    "マークダウン",
    "Markdown",
    "表形式",
    "前置き",
    "お世辞",
    "結論",
];
/// What is asked for this one time.
const ONCE: &[&str] = &[
    "今回だけ",
    "今回は",
    "今日だけ",
    "今だけ",
    "一度だけ",
    "一回だけ",
    "1回だけ",
    "今度だけ",
    "今回に限",
    "この質問",
    "この回答",
    "この返事",
    "次の質問",
    "次の回答",
    "これだけは",
];

/// Units and formats.
const UNITS: &[&str] = &[
    "メートル",
    "メートル法",
    "センチ",
    "キロ",
    "キロメートル",
    "キログラム",
    "グラム",
    "マイル",
    "フィート",
    "インチ",
    "ポンド",
    "オンス",
    "ヤード",
    "摂氏",
    "華氏",
    "24時間",
    "24時間制",
    "24時間表記",
    "12時間制",
    "和暦",
    "西暦",
    "リットル",
    "円",
    "ドル",
    "ユーロ",
    "坪",
    "平方メートル",
    "ヤード・ポンド法",
    "２４時間制",
    "二十四時間制",
];

impl Reader<'_> {
    /// A plan, promise, aim or habit; whether the clause was one.
    pub(super) fn planned(&mut self, said: &Said<'_>) -> bool {
        if self.asking {
            return false;
        }
        let clause = said.clause;
        let Predicate::Verb(readings) = &clause.predicate else { return false };
        let form = clause.form();
        let words: Vec<String> = readings.iter().filter_map(|(word, ..)| self.language.pack.dictionary(*word)).map(str::to_owned).collect();
        let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        // と約束した, ことを引き受けた
        if let Some(before) = said.place.checked_sub(1).and_then(|place| said.clauses.get(place))
            && before.form().link == Link::Quote
            && form.any(Flags::PAST.with(Flags::ONGOING).with(Flags::NONE))
        {
            let relation = if is(PROMISE) {
                Some("committed_to")
            } else if is(RESOLVE) {
                Some("plans_to")
            } else {
                None
            };
            if let Some(relation) = relation {
                let tail = self.words_of(said, said.place - 1);
                return self.intend(said, relation, tail);
            }
        }
        if self.deed(said) {
            return true;
        }
        // 毎朝走る習慣があります
        let kept = clause.args.iter().flat_map(|arg| &arg.items).find(|item| {
            item.parts.len() == 1 && self.text.get(item.at()).is_some_and(|text| matches!(text, "習慣" | "日課" | "癖" | "くせ"))
        });
        if is(&["ある", "持つ"])
            && !form.any(Flags::PAST.with(Flags::NEGATED).with(Flags::ASKED))
            && let Some(place) = kept.and_then(|item| item.parts.first()).and_then(|part| part.modifier)
        {
            let tail = said.clauses.get(place).and_then(|inner| self.text.get(inner.at.clone())).map(str::to_owned);
            return self.intend(said, "habit", tail);
        }
        // 友人と会う約束があります
        let due = clause.args.iter().flat_map(|arg| &arg.items).find_map(|item| match self.text.get(item.at())? {
            "予定" | "計画" => Some((item.parts.first()?.modifier?, "plans_to")),
            "約束" => Some((item.parts.first()?.modifier?, "committed_to")),
            _ => None,
        });
        if is(&["ある"])
            && !form.any(Flags::PAST.with(Flags::NEGATED).with(Flags::ASKED))
            && !self.setting.is_written()
            && let Some((place, relation)) = due
        {
            let tail = said.clauses.get(place).and_then(|inner| self.text.get(inner.at.clone())).map(str::to_owned);
            return self.intend(said, relation, tail);
        }
        for (list, relation) in [(PROMISE, "committed_to"), (RESOLVE, "plans_to"), (AIM, "goal")] {
            if is(list) && form.any(Flags::PAST.with(Flags::ONGOING)) || is(AIM) && relation == "goal" {
                let object = clause.args.iter().find(|arg| {
                    matches!(arg.particle, Particle::Wo | Particle::Bare | Particle::Ni)
                        && arg
                            .items
                            .iter()
                            .any(|item| self.text.get(item.at()).is_some_and(|text| text.chars().count() > 1) && !item.is_time())
                });
                let whole = object.filter(|arg| arg.particle == Particle::Wo).and_then(|arg| arg.items.last()).map(Item::at);
                if let Some(at) = whole {
                    let tail = self.text.get(at).map(str::to_owned);
                    return self.intend(said, relation, tail);
                }
            }
        }
        if form.any(Flags::NEGATED.with(Flags::PASSIVE)) && !form.is(Flags::PLANNED) {
            return false;
        }
        let meant = form.is(Flags::PLANNED) && !form.is(Flags::PAST)
            || form.is(Flags::WILLED) && form.is(Flags::GUESSED) && !form.is(Flags::PAST)
            || form.is(Flags::DECIDED) && self.moments(clause).is_empty()
            || form.is(Flags::DECIDED)
                && self.moments(clause).iter().any(|time| self.is_future(*time))
                && self.matches(clause, None).is_empty();
        if meant && !self.setting.is_written() {
            let tail = self.words_of(said, said.place);
            return self.intend(said, "plans_to", tail);
        }
        // 必ず送ります, 私がやっておきます
        let own = self.is_own(clause);
        let sure = clause.says(Adverb::Surely)
            && !self.often(said)
            && form.link.is_own()
            && !form.any(Flags::PAST.with(Flags::ONGOING).with(Flags::ASKED).with(Flags::NEGATED));
        let deed = sure || form.is(Flags::PREPARED) && !form.any(Flags::PAST.with(Flags::ONGOING).with(Flags::ASKED)) && form.link.is_own();
        if !self.setting.is_written() && (deed || own && !form.any(Flags::PAST.with(Flags::ONGOING)) && form.link.is_own()) {
            let tail = self.words_of(said, said.place);
            return self.intend(said, "committed_to", tail);
        }
        // アクション：水野が見積もりを送る
        let agent = clause
            .args
            .iter()
            .any(|arg| matches!(arg.particle, Particle::Ga | Particle::Topic) && arg.items.iter().any(|item| self.is_somebody(item)));
        if self.action && agent && !form.any(Flags::PAST.with(Flags::NEGATED)) {
            let tail = self.words_of(said, said.place);
            return self.intend(said, "committed_to", tail);
        }
        // 来週、大阪へ出張します: a deed to come is a plan.
        if !self.setting.is_written()
            && !form.any(Flags::PAST.with(Flags::ONGOING).with(Flags::ASKED).with(Flags::WISHED).with(Flags::DECIDED))
            && form.link.is_own()
            && self.moments(clause).iter().any(|time| self.is_future(*time))
            && !self.often(said)
            && self
                .matches(clause, None)
                .first()
                .is_some_and(|found| found.frame.sort == super::pack::Sort::Did && !self.permanent(found.frame.relation))
        {
            let tail = self.words_of(said, said.place);
            return self.intend(said, "plans_to", tail);
        }
        self.habit(said)
    }

    /// What somebody no longer takes, or never did: "もうコーヒーは飲みません"; whether it was told.
    pub(super) fn given_up(&mut self, said: &Said<'_>) -> bool {
        const TAKE: &[&str] = &["飲む", "のむ", "吸う", "食べる", "たべる", "嗜む", "たしなむ"];
        let clause = said.clause;
        let form = clause.form();
        let Predicate::Verb(readings) = &clause.predicate else { return false };
        let word = readings.iter().filter_map(|(word, ..)| self.language.pack.dictionary(*word)).find(|word| TAKE.contains(word));
        let Some(word) = word.map(str::to_owned).filter(|_| form.is(Flags::NEGATED) && !self.asking && !self.setting.is_written()) else {
            return false;
        };
        let (phase, polarity) = if form.is(Flags::TRIED_ONCE) || clause.says(Adverb::NotOnce) {
            (Phase::SoFar, Polarity::Never)
        } else if clause.says(Adverb::Already) && (!form.is(Flags::PAST) || form.is(Flags::DECIDED)) {
            (Phase::Over, Polarity::Ends)
        } else if abstains(clause) {
            (Phase::Now, Polarity::Never)
        } else {
            return false;
        };
        let object = clause.args.iter().rev().find(|arg| {
            matches!(arg.particle, Particle::Topic | Particle::Wo | Particle::Too | Particle::Bare)
                && arg.items.iter().all(|item| !item.is_time() && !self.is_surely_somebody(item))
        });
        let items: Vec<Item> = object.map(|arg| arg.items.clone()).unwrap_or_default();
        let other = |arg: &&super::clause::Arg| {
            (arg.topic || arg.particle == Particle::Ga) && arg.items != items && arg.items.iter().all(|item| !item.is_time())
        };
        let head = if clause.args.iter().any(|arg| other(&arg)) { self.intender(said) } else { self.topic().or_else(|| self.speaker()) };
        let (Some(relation), Some(head)) = (self.relation("habit"), head) else { return false };
        let before = self.found.len();
        for item in items {
            let what = self.value_text(&item);
            if Self::is_vague(&what) || Some(&what) == self.speaker().as_ref() {
                continue;
            }
            let pattern = "habit: given up".to_owned();
            let finding = Finding::new(head.clone(), relation, format!("{what}を{word}"), clause.at.clone(), pattern);
            self.add(Finding { polarity, phase, ..finding });
        }
        self.found.len() > before
    }

    /// "タバコをやめました", "先月から禁煙しています": a habit of taking something ends; whether one did.
    pub(super) fn stopped(&mut self, said: &Said<'_>) -> bool {
        const SMOKES: &[&str] = &["タバコ", "たばこ", "煙草", "電子タバコ", "葉巻"];
        const DRINKS: &[&str] =
            &["酒", "お酒", "アルコール", "ビール", "コーヒー", "ワイン", "日本酒", "焼酎", "カフェイン", "炭酸", "コーラ", "晩酌"];
        const EATEN: &[&str] = &["肉", "お肉", "甘いもの", "間食", "夜食", "砂糖", "お菓子", "牛乳", "小麦", "揚げ物", "スイーツ"];
        let clause = said.clause;
        let form = clause.form();
        let Predicate::Verb(readings) = &clause.predicate else { return false };
        let words: Vec<&str> = readings.iter().filter_map(|(word, ..)| self.language.pack.dictionary(*word)).collect();
        let done = form.any(Flags::PAST.with(Flags::ONGOING).with(Flags::DONE)) && !form.any(Flags::NEGATED.with(Flags::ASKED));
        if !done || self.asking || self.setting.is_written() {
            return false;
        }
        let habit = |what: &str| {
            let takes = [(SMOKES, "吸う"), (DRINKS, "飲む"), (EATEN, "食べる")];
            takes.iter().find(|(list, _)| list.contains(&what)).map(|(_, verb)| format!("{what}を{verb}"))
        };
        let tail = if words.iter().any(|word| matches!(*word, "やめる" | "止める" | "断つ" | "卒業する")) {
            let objects =
                clause.args.iter().filter(|arg| matches!(arg.particle, Particle::Wo | Particle::Topic | Particle::Bare | Particle::Too));
            objects.flat_map(|arg| &arg.items).filter_map(|item| self.text.get(item.at())).find_map(habit)
        } else if words.contains(&"禁煙する") {
            Some("タバコを吸う".to_owned())
        } else if words.contains(&"禁酒する") {
            Some("お酒を飲む".to_owned())
        } else {
            None
        };
        let (Some(tail), Some(relation)) = (tail, self.relation("habit")) else { return false };
        let subject = clause
            .args
            .iter()
            .find(|arg| arg.topic && arg.items.iter().any(|item| self.is_surely_somebody(item)))
            .and_then(|arg| arg.items.last());
        let head = match subject.cloned() {
            Some(item) => Some(self.entity(&item)).filter(|entity| !entity.unresolved).map(|entity| Self::bare_name(&entity.text)),
            None => self.speaker(),
        };
        let Some(head) = head else { return false };
        let times = self.moments(clause);
        let finding = Finding::new(head, relation, tail, clause.at.clone(), "habit: given up".to_owned());
        self.add(Finding { polarity: Polarity::Ends, phase: Phase::Over, times, ..finding });
        true
    }

    /// "目標は海を泳いで渡ることです": a deed that an aim, plan, promise or habit is; whether it was one.
    fn deed(&mut self, said: &Said<'_>) -> bool {
        let clause = said.clause;
        let form = clause.form();
        if !form.is(Flags::NOUN) || form.any(Flags::NEGATED.with(Flags::PAST)) || self.setting.is_written() {
            return false;
        }
        let topic =
            said.clauses.get(..=said.place).unwrap_or_default().iter().flat_map(|clause| &clause.args).find(|arg| arg.topic).cloned();
        let Some(item) = topic.and_then(|arg| arg.items.last().cloned()) else { return false };
        let Some(pending) = self.entity(&item).pending.filter(|pending| matches!(pending.owner, Owner::Default | Owner::Speaker)) else {
            return false;
        };
        let relation = pending.uses.iter().map(|(relation, _)| self.relation_name(*relation).to_owned());
        let Some(relation) =
            relation.into_iter().find(|name| matches!(name.as_str(), "goal" | "plans_to" | "committed_to" | "habit" | "hobby" | "likes"))
        else {
            return false;
        };
        let end = item.at().end;
        let rest = self.text.get(end..clause.verb.end).unwrap_or_default();
        let rest = rest.strip_prefix('は').or_else(|| rest.strip_prefix("って")).unwrap_or(rest).trim_start_matches(['、', ' ']);
        let Some((tail, _)) = rest.rsplit_once("こと").filter(|(tail, _)| tail.chars().count() > 1) else { return false };
        let (tail, head) = (tail.to_owned(), self.speaker());
        let (Some(id), Some(head)) = (self.relation(&relation), head) else { return false };
        self.add(Finding::new(head, id, tail, clause.at.clone(), format!("{relation}: own words")));
        true
    }

    fn moments(&self, clause: &Clause) -> Vec<usize> {
        clause
            .args
            .iter()
            .flat_map(|arg| arg.items.iter())
            .flat_map(|item| item.times().collect::<Vec<_>>())
            .filter(|time| self.is_moment(*time))
            .collect()
    }

    /// Something done each day or week, that no frame takes for something else.
    fn habit(&mut self, said: &Said<'_>) -> bool {
        let clause = said.clause;
        let form = clause.form();
        let often = self.often(said);
        if !often
            || self.setting.is_written()
            || form.any(Flags::PAST.with(Flags::NEGATED).with(Flags::ASKED).with(Flags::PASSIVE))
            || !matches!(form.link, Link::Whole | Link::But | Link::Because | Link::And | Link::Te)
        {
            return false;
        }
        if matches!(form.link, Link::Te | Link::Stem | Link::And)
            && said.place + 1 < said.clauses.len()
            && self.matches(clause, None).is_empty()
        {
            return true;
        }
        // 普段はVimを使っている: that it is used each day says no more.
        let set = |item: &Item| item.times().any(|time| self.times.get(time).is_some_and(|time| matches!(time.value, Value::Set(_))));
        let timed = clause.args.iter().flat_map(|arg| &arg.items).any(set);
        let claimed = self.matches(clause, None).iter().any(|found| {
            let relation = self.relation_name(found.frame.relation);
            matches!(found.frame.sort, super::pack::Sort::Say)
                && (relation == "uses" && !timed || !matches!(relation, "hobby" | "likes" | "uses" | "studies"))
        });
        if claimed {
            return false;
        }
        let tail = self.words_of(said, said.place);
        self.intend(said, "habit", tail)
    }

    /// Whether the speaker is the one who does it: 私が.
    fn is_own(&self, clause: &Clause) -> bool {
        let first = |item: &Item| self.text.get(item.at()).is_some_and(|text| matches!(text, "私" | "僕" | "俺" | "わたし" | "ぼく"));
        clause.args.iter().any(|arg| arg.particle == Particle::Ga && arg.items.iter().any(first))
    }

    /// Whether a clause, or one that leads to it, says how often.
    fn often(&self, said: &Said<'_>) -> bool {
        let form = said.clause.form();
        let mut first = said.place;
        while first
            .checked_sub(1)
            .and_then(|place| said.clauses.get(place))
            .is_some_and(|before| matches!(before.form().link, Link::Te | Link::Stem))
        {
            first -= 1;
        }
        let chain = said.clauses.get(first..=said.place).unwrap_or_default();
        chain.iter().any(|clause| clause.says(Adverb::Regularly))
            || form.is(Flags::REGULAR)
            || chain
                .iter()
                .flat_map(|clause| &clause.args)
                .flat_map(|arg| &arg.items)
                .flat_map(|item| item.times().collect::<Vec<_>>())
                .any(|time| self.times.get(time).is_some_and(|time| matches!(time.value, Value::Set(_))))
    }

    pub(super) fn intend(&mut self, said: &Said<'_>, relation: &str, tail: Option<String>) -> bool {
        let (Some(relation), Some(tail)) = (self.relation(relation), tail.filter(|tail| tail.chars().count() > 1)) else { return false };
        let head = self.intender(said);
        let Some(head) = head else { return false };
        let at = said.clause.at.clone();
        let pattern = format!("{}: own words", self.relation_name(relation));
        let polarity = if said.clause.form().is(Flags::NEGATED) { Polarity::Never } else { Polarity::Holds };
        if polarity == Polarity::Never {
            return true;
        }
        self.add(Finding { phase: Phase::Now, polarity, ..Finding::new(head, relation, tail, at, pattern) });
        true
    }

    /// Who means to: the topic, if it is somebody, else the speaker.
    pub(super) fn intender(&mut self, said: &Said<'_>) -> Option<String> {
        if self.is_own(said.clause) {
            return self.speaker();
        }
        let topic = said
            .clauses
            .iter()
            .take(said.place + 1)
            .flat_map(|clause| &clause.args)
            .find(|arg| (arg.topic || arg.particle == Particle::Ga) && !arg.items.iter().all(Item::is_time));
        let item = topic.and_then(|arg| arg.items.last()).cloned();
        if let Some(item) = item {
            let entity = self.entity(&item);
            // コーヒーは苦手なので、いつも紅茶を飲む: what the speaker likes or has drinks nothing.
            let valued = |known: &Finding| known.tail == entity.text && !self.relation_name(known.relation).ends_with("_of");
            if entity.speaker || entity.pending.is_none() && self.found.iter().any(valued) {
                return self.speaker();
            }
            if entity.pending.as_ref().is_none_or(super::phrase::Pending::is_role) && self.is_person(&entity.text) && !entity.unresolved {
                return Some(Self::bare_name(&entity.text));
            }
            if entity.unresolved {
                return None;
            }
        }
        self.speaker()
    }

    /// The words of a clause in its dictionary form, with the clauses that lead to it, without whom it is of.
    pub(super) fn words_of(&mut self, said: &Said<'_>, place: usize) -> Option<String> {
        let clause = said.clauses.get(place)?;
        let mut first = place;
        let meant = clause.form().any(Flags::PLANNED.with(Flags::WILLED));
        while let Some(before) = first.checked_sub(1).and_then(|before| said.clauses.get(before))
            && ((meant || self.precedes(before)) && before.form().link == Link::If
                || matches!(before.form().link, Link::Te | Link::Stem | Link::Of)
                || before.form().link == Link::And && !matches!(before.predicate, Predicate::Copula(..)))
        {
            first -= 1;
        }
        let opening = said.clauses.get(first)?;
        let mut from = opening.at.start;
        // 資料は私が作る: what it is about is made.
        let own = self.is_own(clause);
        let object = clause.args.iter().find(|arg| own && arg.particle == Particle::Topic && arg.items.iter().all(|item| !item.is_time()));
        let object = object.and_then(|arg| arg.items.last()).map(Item::at).and_then(|at| self.text.get(at)).unwrap_or_default();
        for clause in said.clauses.get(first..=place)? {
            for arg in &clause.args {
                let person = arg.topic || matches!(arg.particle, Particle::Ga | Particle::Topic);
                let text = arg.items.last().map(Item::at).and_then(|at| self.text.get(at)).unwrap_or_default();
                let told = arg.items.iter().all(|item| !item.is_time())
                    && (self.is_person(text) || matches!(text, "私" | "僕" | "俺" | "わたし" | "ぼく" | "自分"));
                let end = arg.items.last().map_or(0, |item| item.at().end);
                if person && told && end > from && arg.items.first().is_some_and(|item| item.at().start <= from + 6) {
                    let rest = self.text.get(end..clause.verb.start).unwrap_or_default();
                    from =
                        end + ["には", "は", "が", "も", "って"].iter().find(|word| rest.starts_with(**word)).map_or(0, |word| word.len());
                }
                // 母と約束した: with whom is no part of what.
            }
        }
        if own
            && let Some(me) = clause.args.iter().find(|arg| arg.particle == Particle::Ga).and_then(|arg| arg.items.last())
            && me.at().end > from
        {
            from = me.at().end + 'が'.len_utf8();
        }
        let lead = self.text.get(from..clause.verb.start)?.trim_start_matches(['、', ' ', '　']);
        let lead = ["必ず", "絶対", "絶対に", "これから", "今後は", "いつも", "よく", "きっと"]
            .iter()
            .filter(|word| !matches!(**word, "いつも" | "よく"))
            .find_map(|word| lead.strip_prefix(*word))
            .unwrap_or(lead);
        let lead = if object.is_empty() { lead.to_owned() } else { format!("{object}を{lead}") };
        let Predicate::Verb(readings) = &clause.predicate else { return None };
        let surface = self.text.get(clause.verb.clone())?;
        // What ends in a noun of intention is in its dictionary form before it.
        for noun in ["予定", "つもり", "計画", "ことに", "ことを", "こと", "見込み"] {
            if let Some((verb, _)) = surface.split_once(noun).filter(|(verb, _)| !verb.is_empty()) {
                return Some(format!("{lead}{verb}"));
            }
        }
        let form = clause.form();
        // 買ってあげると約束した: the words as they are, where they are in dictionary form.
        let quoted = surface.strip_suffix('と').or_else(|| surface.strip_suffix("って"));
        if let Some(plain) =
            quoted.filter(|plain| form.link == Link::Quote && plain.ends_with(['う', 'く', 'ぐ', 'す', 'つ', 'ぬ', 'ぶ', 'む', 'る']))
            && !plain.ends_with("ます")
        {
            return Some(format!("{lead}{plain}"));
        }
        let word = readings.iter().find(|(word, ..)| *word != OTHER).and_then(|(word, ..)| self.language.pack.dictionary(*word));
        if let Some(word) = word {
            let negated = form.is(Flags::NEGATED);
            if negated {
                return None;
            }
            // A frame's word may be written in another way than here: keep the writing.
            return Some(format!("{lead}{word}"));
        }
        let plain = ["んです", "のです", "んだ", "よ", "ね", "と", "し", "けど", "が", "ので", "から"]
            .iter()
            .fold(surface, |text, end| text.strip_suffix(end).unwrap_or(text));
        let dictionary = plain.chars().next_back().is_some_and(|last| "うくぐすつぬぶむる".contains(last)) && !plain.ends_with("ます");
        dictionary.then(|| format!("{lead}{plain}"))
    }

    /// How somebody asks to be answered from now on, or called; whether a request was one.
    pub(super) fn preference(&mut self, said: &Said<'_>) -> bool {
        let clause = said.clause;
        let before = self.found.len();
        let Predicate::Verb(readings) = &clause.predicate else { return false };
        // 今回だけ: what is asked for once is no preference.
        let lead = self.text.get(..clause.at.start).unwrap_or_default();
        let opening = lead.rfind(['。', '！', '？', '\n']).unwrap_or(0);
        let whole = self.text.get(opening..clause.at.end).unwrap_or_default();
        if ONCE.iter().any(|word| whole.contains(word)) {
            return false;
        }
        // と呼んでください
        let asked: Vec<_> = self.matches(clause, None);
        if asked.iter().any(|found| found.frame.mode == super::pack::Mode::Asked) {
            self.verb(said, None);
            return self.found.len() > before;
        }
        let words: Vec<String> = readings.iter().filter_map(|(word, ..)| self.language.pack.dictionary(*word)).map(str::to_owned).collect();
        let please = words.iter().any(|word| matches!(word.as_str(), "お願いする" | "頼む" | "希望する" | "いい"));
        if !please && !words.iter().any(|word| ANSWER.contains(&word.as_str())) {
            return false;
        }
        let mut first = said.place;
        while let Some(earlier) = first.checked_sub(1).and_then(|place| said.clauses.get(place))
            && matches!(earlier.form().link, Link::Te | Link::And | Link::Stem | Link::Of | Link::NotBut)
        {
            first -= 1;
        }
        let Some(chain) = said.clauses.get(first..=said.place) else { return false };
        let onward = chain.iter().any(|clause| clause.says(Adverb::FromNowOn) || clause.says(Adverb::Regularly));
        let texts = |particle: Particle| -> Vec<String> {
            chain
                .iter()
                .flat_map(|clause| &clause.args)
                .filter(|arg| arg.particle == particle)
                .flat_map(|arg| &arg.items)
                .filter_map(|item| self.text.get(item.at()))
                .map(str::to_owned)
                .collect()
        };
        let topics: Vec<String> = chain
            .iter()
            .flat_map(|clause| &clause.args)
            .filter(|arg| arg.topic)
            .flat_map(|arg| &arg.items)
            .filter_map(|item| self.text.get(item.at()))
            .map(str::to_owned)
            .collect();
        let objects = texts(Particle::Wo);
        let about_answers =
            topics.iter().chain(&objects).any(|text| ANSWERS.iter().any(|word| text == word || text.ends_with(&format!("の{word}"))));
        let answering = words
            .iter()
            .any(|word| matches!(word.as_str(), "答える" | "回答する" | "返事する" | "返信する" | "応答する" | "話す" | "しゃべる"));
        let by: Vec<String> = texts(Particle::De).into_iter().chain(texts(Particle::Bare)).collect();
        let at = clause.at.clone();
        let Some(head) = self.speaker() else { return false };
        let topical = |list: &[&str]| topics.iter().any(|text| list.iter().any(|word| text == word));
        if let Some(language) = by.iter().find(|text| self.is(text, "language")).cloned()
            && (answering || please || about_answers || onward)
        {
            self.prefer(&head, "prefers_language", &language, at, onward);
            return true;
        }
        let unit = by
            .iter()
            .chain(&objects)
            .chain(&texts(Particle::Ni))
            .find(|text| {
                UNITS.contains(&text.as_str())
                    || UNITS.iter().any(|unit| text.ends_with(&format!("{unit}表記")) || text.ends_with(&format!("{unit}単位")))
            })
            .cloned();
        if let Some(unit) = unit.filter(|_| {
            please
                || onward
                || answering
                || topical(&["単位", "気温", "温度", "距離", "時刻", "長さ", "重さ", "日付", "価格", "表記"])
                || words.iter().any(|word| matches!(word.as_str(), "表記する" | "表示する" | "使う" | "する" | "示す"))
        }) {
            self.prefer(&head, "prefers_units", &unit, at, onward);
            return true;
        }
        let styled = topics.iter().chain(&objects).chain(&by).any(|text| STYLE.iter().any(|word| text.contains(word)));
        if !(about_answers || answering || onward || styled) {
            return false;
        }
        // How: what stands between the topic and the request.
        let mut from = chain.first().map_or(at.start, |clause| clause.at.start);
        for arg in chain.iter().flat_map(|clause| &clause.args) {
            let end = arg.items.last().map_or(0, |item| item.at().end);
            let text = arg.items.last().and_then(|item| self.text.get(item.at())).unwrap_or_default();
            if end > from
                && (arg.topic || arg.particle == Particle::Wo)
                && (ANSWERS.iter().any(|word| text.ends_with(word)) || arg.items.iter().all(Item::is_time))
            {
                let rest = self.text.get(end..).unwrap_or_default();
                from = end + ["には", "は", "を", "って"].iter().find(|word| rest.starts_with(**word)).map_or(0, |word| word.len());
            }
        }
        let how = self.text.get(from..clause.verb.start).unwrap_or_default().trim_matches(['、', ' ', '　']);
        let how = [
            "これからは",
            "今後は",
            "これから",
            "今後",
            "次から",
            "次からは",
            "必ず",
            "いつも",
            "もっと",
            "できるだけ",
            "なるべく",
            "私には",
            "僕には",
        ]
        .iter()
        .fold(how, |how, word| how.strip_prefix(word).unwrap_or(how))
        .trim_start_matches('、');
        let dictionary = if please
            || answering
            || words.iter().any(|word| matches!(word.as_str(), "する" | "説明する" | "書く" | "返す" | "教える" | "まとめる" | "出力する"))
        {
            None
        } else {
            words.first()
        };
        let negated = clause.form().is(Flags::NEGATED);
        let tail = match dictionary {
            None if negated => return false,
            None => how.strip_suffix('で').or_else(|| how.strip_suffix('に')).unwrap_or(how).to_owned(),
            Some(word) if !negated => format!("{how}{word}"),
            Some(_) => {
                let verb = self.text.get(clause.verb.clone()).unwrap_or_default();
                let plain = verb.find("ない").map_or(verb, |end| verb.get(..end + "ない".len()).unwrap_or(verb));
                format!("{how}{plain}")
            }
        };
        if tail.chars().count() < 2 {
            return false;
        }
        self.prefer(&head, "prefers_answer_style", &tail, at, onward);
        self.found.len() > before
    }

    fn prefer(&mut self, head: &str, relation: &str, tail: &str, at: std::ops::Range<usize>, onward: bool) {
        if let Some(relation) = self.relation(relation) {
            let pattern = format!("{}: request", self.relation_name(relation));
            let phase = if onward { Phase::Began } else { Phase::Now };
            self.add(Finding { phase, today: onward, ..Finding::new(head.to_owned(), relation, tail.to_owned(), at, pattern) });
        }
    }

    /// A unit alone, after a question about units; whether it was one.
    pub(super) fn unit(&mut self, text: &str, at: std::ops::Range<usize>) -> bool {
        let (Some(head), true) = (self.speaker(), UNITS.contains(&text)) else { return false };
        self.prefer(&head, "prefers_units", text, at, false);
        true
    }

    /// はい and いいえ to what was asked.
    pub(super) fn answer(&mut self, clause: &Clause, asserts: bool) {
        if !asserts || self.questions.is_empty() {
            return;
        }
        let yes = clause.calls.contains(&Call::Yes);
        let no = clause.calls.contains(&Call::No);
        if !(yes || no) {
            return;
        }
        for asked in self.questions.clone() {
            // Whether one has a pet is no name of one.
            if Self::is_asked(&asked.tail) || self.noun(&asked.tail).is_some() {
                continue;
            }
            let mut finding = asked;
            finding.at = clause.at.clone();
            finding.times.clear();
            if yes {
                let ended = clause.says(Adverb::Already) && clause.form().is(Flags::NEGATED);
                if ended {
                    continue;
                }
            } else if matches!(clause.predicate, Predicate::Missing) {
                finding.polarity = Polarity::Never;
            } else {
                // What follows says it.
                continue;
            }
            self.add(finding);
        }
    }

    /// What a clause takes back of what was said before without saying anything new.
    pub(super) fn refute(&mut self, said: &Said<'_>) {
        let taken_back =
            said.clause.calls.contains(&Call::Correction) && matches!(said.clause.predicate, Predicate::Missing) && said.clauses.len() == 1;
        if taken_back {
            self.correcting = true;
        }
    }
}

/// タバコは吸いません: what is never taken, and not only today.
fn abstains(clause: &Clause) -> bool {
    let form = clause.form();
    let plain = !form.any(
        Flags::PAST
            .with(Flags::ONGOING)
            .with(Flags::ABLE)
            .with(Flags::PASSIVE)
            .with(Flags::DECIDED)
            .with(Flags::GUESSED)
            .with(Flags::WISHED),
    );
    let timed = clause.args.iter().flat_map(|arg| &arg.items).any(Item::is_time);
    let spoken_of = clause.args.iter().any(|arg| arg.topic || matches!(arg.particle, Particle::Topic | Particle::Too));
    plain && !timed && spoken_of && form.link.is_own() && !clause.says(Adverb::Still)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_after};

    #[test]
    fn plans_promises_and_habits_keep_their_words() {
        check("夏に佐渡を走る予定です。", &["わたなべ plans_to 夏に佐渡を走る Now"]);
        check("舟を作ろうと思っています。", &["わたなべ plans_to 舟を作る Now"]);
        check("月曜までに返すと約束しました。", &["わたなべ committed_to 月曜までに返す Now"]);
        check("毎晩日記を書いています。", &["わたなべ habit 毎晩日記を書く Now"]);
        check("目標は舟を自分で作ることです。", &["わたなべ goal 舟を自分で作る Now"]);
        check("孫に舟を作ってあげると約束した。", &["わたなべ committed_to 孫に舟を作ってあげる Now"]);
    }

    #[test]
    fn wishes_for_answers_are_told_from_requests() {
        check("返事は手短にお願いします。", &["わたなべ prefers_answer_style 手短 Now"]);
        check("これからはフランス語で返事してください。", &["わたなべ prefers_language フランス語 Began"]);
        check("距離はマイルでお願いします。", &["わたなべ prefers_units マイル Now"]);
        check("窓を開けてお願い。", &[]);
    }

    #[test]
    fn yes_affirms_what_was_asked() {
        check_after(true, "亀を飼っていますか。", "はい。", &["わたなべ has_pet 亀 Now"]);
    }
}
