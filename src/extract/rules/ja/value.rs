//! What a value says of a subject: attributes ("担当は西"), suffixes ("京都在住"), values of a class ("看護師").
//!
//! Knows neither tense nor predicate: it is told how the value is told.

use super::super::draft::Phase;
use super::clause::{Arg, Item, Joint};
use super::dates::trim_date;
use super::finding::Finding;
use super::pack::{Bears, RelationId};
use super::particle::Particle;
use super::phrase::{Entity, Owner, Pending};
use super::reader::{Reader, Said};
use crate::model::Polarity;
use std::ops::Range;

/// How a value is told: when, whether, and instead of what.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) phase: Phase,
    pub(super) polarity: Polarity,
    pub(super) times: Vec<usize>,
    pub(super) at: Range<usize>,
    pub(super) corrects: Option<String>,
}

impl Reader<'_> {
    /// A subject without any particle: "趣味、釣り" and "職業 看護師".
    pub(super) fn bare_subject(&mut self, args: &[Arg]) -> Option<(Entity, Vec<usize>)> {
        let item = args.iter().find(|arg| arg.particle == Particle::Bare && !arg.items.iter().all(Item::is_time))?.items.last()?.clone();
        let entity = self.entity(&item);
        entity.pending.is_some().then_some((entity, Vec::new()))
    }

    pub(super) fn presuppose_value(&mut self, value: &Arg) {
        for item in value.items.clone() {
            let entity = self.entity(&item);
            self.mention(&entity.text);
        }
    }

    /// The subject of a value: of several, the one with an attribute ("彼は趣味が釣り"), belonging to the one before it.
    pub(super) fn subject(&mut self, args: &[&Arg]) -> Option<Entity> {
        let mut best: Option<Entity> = None;
        for arg in args {
            let Some(item) = arg.items.last().cloned() else { continue };
            // 二十代のころは: a time of life is no subject.
            let text = self.text.get(item.at()).unwrap_or_default();
            if ["頃", "ころ", "時代", "とき", "当時", "の日"].iter().any(|end| text.ends_with(end)) && !self.setting.is_written()
            {
                continue;
            }
            let mut entity = self.entity(&item);
            if let (Some(pending), Some(before)) = (&mut entity.pending, &best)
                && pending.owner == Owner::Default
                && before.pending.as_ref().is_none_or(Pending::is_role)
            {
                pending.owner = if before.speaker { Owner::Speaker } else { Owner::Named(Self::bare_name(&before.text)) };
                best = Some(entity);
            } else if best.is_none() {
                best = Some(entity);
            }
        }
        best
    }

    pub(super) fn is_title(&self, text: &str) -> bool {
        self.is(text, "title") || self.is(text, "office")
    }

    /// Somebody holds an office that names its place.
    pub(super) fn office(&mut self, pending: &Pending, holder: &str, told: &Told) {
        let Some(&(relation, bears)) = self.choose(pending, holder) else { return };
        let Some(owner) = self.owner(&pending.owner, relation) else { return };
        let (head, tail) = if bears == Bears::RoleOf { (holder.to_owned(), owner) } else { (owner, holder.to_owned()) };
        self.tell_one(head, relation, tail, told, &pending.noun);
    }

    fn tell_one(&mut self, head: String, relation: RelationId, tail: String, told: &Told, pattern: &str) {
        // 母は料理が上手です: what somebody is good at, or is just now, is no trade.
        if self.relation_name(relation) == "job_title"
            && self.is_quality(&tail)
            && !["教師", "先生"].iter().any(|end| tail.ends_with(end))
            && !self.whole(&tail, "occupation")
            && !self.whole(&tail, "title")
        {
            return;
        }
        // 星空運輸の部長: whose office it is employs whoever has it.
        if self.relation_name(relation) == "job_title"
            && let Some((firm, title)) = tail.rsplit_once('の')
            && let Some(employer) = self.firm(firm, title)
        {
            let (firm, title) = (firm.to_owned(), title.to_owned());
            self.tell_one(head.clone(), employer, firm, &Told { corrects: None, ..told.clone() }, pattern);
            self.tell_one(head, relation, title, told, pattern);
            return;
        }
        // 星空運輸の営業担当: likewise.
        if self.relation_name(relation) == "works_on"
            && let Some((firm, duty)) = tail.rsplit_once('の')
            && let Some(employer) = self.relation("employer").filter(|_| self.is_firm(firm))
        {
            let (firm, duty) = (firm.to_owned(), duty.to_owned());
            self.tell_one(head.clone(), employer, firm, &Told { corrects: None, ..told.clone() }, pattern);
            self.tell_one(head, relation, duty, told, pattern);
            return;
        }
        let pattern = format!("{}: {pattern}", self.relation_name(relation));
        let mut times = told.times.clone();
        let permanent = self.permanent(relation);
        let phase = if permanent && told.phase == Phase::UsedTo { Phase::Now } else { told.phase };
        if phase == Phase::Now && !self.asking && times.iter().any(|time| self.is_future(*time)) {
            times.retain(|time| self.is_moment(*time));
        }
        let finding = Finding {
            phase,
            polarity: told.polarity,
            times,
            corrects: told.corrects.clone(),
            ..Finding::new(head, relation, tail, told.at.clone(), pattern)
        };
        self.add(finding);
    }

    /// The relation of a firm to whoever has a title or trade there, if it is a firm and no common word for one.
    pub(super) fn firm(&self, firm: &str, title: &str) -> Option<RelationId> {
        let role =
            ["occupation", "title"].iter().any(|class| self.is(title, class)) && !self.is(title, "generic") && !title.ends_with("学生");
        self.relation("employer").filter(|_| role && self.is_firm(firm))
    }

    /// Whether a text is the name of a firm and no common word for one.
    fn is_firm(&self, firm: &str) -> bool {
        let named = ["org", "shop", "school", "clinic"].iter().any(|class| self.is(firm, class));
        // 隣の部署
        let last = firm.rsplit('の').next().unwrap_or(firm);
        named
            && !["common", "generic"].iter().any(|class| self.whole(last, class))
            && !["common", "generic", "place"].iter().any(|class| self.is(firm, class))
            && self.is_proper(firm)
    }

    /// Whether a text is more than one of the words of a class by itself.
    fn is_proper(&self, text: &str) -> bool {
        !["org", "shop", "school", "clinic", "group", "worksite"].iter().any(|class| self.whole(text, class))
    }

    /// Tells a value of a subject, each way that the pack knows; a value before it ends.
    pub(super) fn tell(&mut self, subject: Option<&Entity>, value: &Arg, old: &[Item], told: &Told) {
        let pending = subject.and_then(|entity| entity.pending.clone());
        if let Some(pending) = pending {
            if subject.is_some_and(|entity| entity.unresolved) {
                return;
            }
            if self.tell_attribute(&pending, value, old, told) || !pending.is_role() {
                return;
            }
        }
        for item in value.items.clone() {
            self.tell_value(subject, &item, old, told);
        }
    }

    /// "趣味は釣り", "弟は亮", "犬の名前はコロ".
    fn tell_attribute(&mut self, pending: &Pending, value: &Arg, old: &[Item], told: &Told) -> bool {
        let names = pending.uses.is_empty();
        if names {
            return self.tell_name(pending, value, told);
        }
        let role = pending.is_role();
        let mut any = false;
        for item in value.items.clone() {
            let text = self.surface(&item, 0, item.parts.len().saturating_sub(1));
            let personal = pending.uses.iter().any(|(relation, _)| !self.thing(*relation));
            if role && personal && self.describes(&item, &text) && !self.titled(pending, &text) {
                continue;
            }
            // 家は駅から10分です, 職場は人間関係が大変でした: how it is, and no value of it.
            let kept = ["lives_in", "located_in", "employer", "studies_at", "job_title", "works_on"];
            let told_of = pending.uses.iter().any(|(relation, _)| kept.contains(&self.relation_name(*relation)));
            let until = text.contains("から") || value.items.iter().all(Item::is_time);
            if told_of && !self.setting.is_written() && (self.is_quality(&text) || until || Self::is_quantity(&text)) {
                continue;
            }
            // ポジションはガードです: on a field.
            if pending.noun == "ポジション" && !["occupation", "title"].iter().any(|class| self.item_is(&item, class)) {
                continue;
            }
            let tail = self.value_text(&item);
            let Some((relation, bears)) = self.choose(pending, &tail).copied() else { continue };
            // 歯医者の予約は6月3日です: what is booked, and for when.
            if self.relation_name(relation) == "has_appointment" && item.is_time() {
                let booked = match &pending.owner {
                    Owner::Named(what) if self.is(what, "appointment") || !self.is_person(what) => what.clone(),
                    Owner::Named(_) | Owner::Speaker | Owner::Default => continue,
                };
                let Some(head) = self.speaker() else { continue };
                let phase = if told.phase == Phase::UsedTo { Phase::Happened } else { Phase::Ahead };
                let booking = Told { phase, times: item.times().collect(), ..told.clone() };
                self.tell_one(head, relation, booked, &booking, &pending.noun);
                any = true;
                continue;
            }
            let Some(owner) = self.owner(&pending.owner, relation) else { continue };
            if self.thing(relation) && Some(&owner) == self.speaker().as_ref() {
                continue;
            }
            let (head, own_tail) = if bears == Bears::RoleOf { (tail.clone(), owner.clone()) } else { (owner.clone(), tail.clone()) };
            let phase = if pending.former && !self.permanent(relation) { Phase::UsedTo } else { told.phase };
            let mut times = told.times.clone();
            if self.permanent(relation) {
                // 誕生日は3月3日: the day of each year is no beginning.
                times.extend(item.times().filter(|time| self.relation_name(relation) != "birth_date" || !self.is_yearless(*time)));
            }
            let minutes = self.is_minutes() && told.phase == Phase::Began && told.times.is_empty();
            let now = Told { phase, times, ..told.clone() };
            for before in old {
                let before = self.value_text(before);
                let (head, tail) = if bears == Bears::RoleOf { (before, owner.clone()) } else { (owner.clone(), before) };
                let over = Told { phase: Phase::Over, polarity: Polarity::Ends, ..now.clone() };
                self.tell_one(head, relation, tail, &over, &pending.noun);
                self.mark_now(minutes);
            }
            self.tell_one(head, relation, own_tail, &now, &pending.noun);
            self.mark_now(minutes);
            if relation_is_person(self.relation_name(relation)) {
                self.people.push(tail.clone());
            }
            any = true;
        }
        any
    }

    /// Whether a value is a name with a title, of a role in which people have titles: "上司は中村課長".
    fn titled(&self, pending: &Pending, text: &str) -> bool {
        let official = pending.uses.iter().any(|(relation, _)| {
            matches!(
                self.relation_name(*relation),
                "reports_to" | "treated_by" | "mentored_by" | "assigned_to" | "owned_by" | "reviewed_by" | "emergency_contact"
            )
        });
        let title = [
            "課長",
            "部長",
            "係長",
            "主任",
            "社長",
            "店長",
            "室長",
            "先生",
            "医師",
            "教授",
            "リーダー",
            "マネージャー",
            "次長",
            "専務",
            "常務",
        ]
        .iter()
        .find_map(|title| text.strip_suffix(title));
        official
            && title.is_some_and(|name| {
                !name.is_empty()
                    && !["営業", "総務", "人事", "開発", "経理", "企画", "技術", "情報", "製造", "広報"]
                        .iter()
                        .any(|word| name.ends_with(word) || name.ends_with('部'))
            })
    }

    fn mark_now(&mut self, minutes: bool) {
        if minutes && let Some(last) = self.found.last_mut() {
            last.today = true;
        }
    }

    /// Whether a text is the minutes of a meeting: what is changed there is changed on that day.
    pub(super) fn is_minutes(&self) -> bool {
        self.setting.is_written()
            && ["議事録", "会議メモ", "議事メモ", "決定事項", "打ち合わせメモ", "定例メモ", "会議録"]
                .iter()
                .any(|word| self.text.contains(word))
    }

    /// "犬の名前はコロ", "夫の名は工".
    fn tell_name(&mut self, pending: &Pending, value: &Arg, told: &Told) -> bool {
        let Some(item) = value.items.last().cloned() else { return false };
        let name = self.value_text(&item);
        if let Some(inner) = &pending.naming {
            let known = self.found.len();
            // 母は…。母の名前は和子です: still the speaker's own, and what was told of 母 was told of 和子.
            let again = inner.owner == Owner::Default && self.topic().is_some_and(|topic| topic == inner.noun);
            let inner = if again { &Pending { owner: Owner::Speaker, ..(**inner).clone() } } else { &**inner };
            self.role(inner, &name, told.at.clone());
            for finding in self.found.iter_mut().skip(known) {
                finding.corrects.clone_from(&told.corrects);
            }
            for finding in self.found.iter_mut().take(known).filter(|finding| again && finding.head == inner.noun) {
                finding.head.clone_from(&name);
            }
            self.spoken.thing = false;
            self.spoken.topic = Some(name);
            return true;
        }
        if told.corrects.is_some() && self.restate(value, told) {
            return true;
        }
        // 私の名前は和也ではなく和哉です
        if told.corrects.is_some()
            && pending.of.is_none()
            && (pending.owner == Owner::Speaker
                || pending.owner == Owner::Default && self.topic().is_none() && self.spoken.unnamed.is_none())
            && let (Some(relation), Some(speaker)) = (self.relation("preferred_name"), self.speaker())
        {
            self.tell_one(speaker, relation, name, told, &pending.noun);
            return true;
        }
        let unnamed = self.spoken.unnamed.take();
        if let Some(what) = &pending.of {
            if self.is(what, "pet") {
                self.name_pet(what, &name, &pending.owner, told);
                return true;
            }
            if self.setting.is_written() || !self.is_person(what) {
                self.add_named("official_name", what, &name, told.at.clone());
            }
            return true;
        }
        // 祖母は…、名前はキヨ
        let spoken = self.topic().and_then(|topic| self.noun(&topic)).map(|(uses, former)| Pending {
            owner: Owner::Speaker,
            uses,
            former,
            naming: None,
            of: None,
            noun: "名前".to_owned(),
        });
        if let Some(known) = unnamed.or_else(|| spoken.filter(Pending::is_role)) {
            if known.uses.is_empty() {
                let what = known.noun.clone();
                self.name_pet(&what, &name, &known.owner, told);
            } else {
                self.role(&known, &name, told.at.clone());
            }
        }
        true
    }

    /// A pet gets its name: it takes the place of the word for what it is.
    pub(super) fn name_pet(&mut self, what: &str, name: &str, owner: &Owner, told: &Told) {
        let Some(relation) = self.relation("has_pet") else { return };
        let owner = match owner {
            Owner::Named(owner) => Some(owner.clone()),
            Owner::Default | Owner::Speaker => self.speaker(),
        };
        if let Some(known) = self.found.iter_mut().find(|finding| finding.relation == relation && finding.tail == what) {
            name.clone_into(&mut known.tail);
        } else if let Some(owner) = owner {
            self.add(Finding::new(owner, relation, name.to_owned(), told.at.clone(), "has_pet: 名前".to_owned()));
        }
        if what != name {
            self.add_named("is_a", name, what, told.at.clone());
        }
    }

    /// The text of a value: a name without its roles, a date without particles.
    pub(super) fn value_text(&mut self, item: &Item) -> String {
        if item.is_time() {
            return trim_date(&self.surface(item, 0, item.parts.len().saturating_sub(1))).to_owned();
        }
        let entity = self.entity(item);
        let whole = self.surface(item, 0, item.parts.len().saturating_sub(1));
        // Only a role in front of a name is left out.
        if entity.speaker || whole.ends_with(&entity.text) && entity.text != whole && entity.pending.is_none() {
            return entity.text;
        }
        let whole = whole.strip_suffix("まで").unwrap_or(&whole);
        Self::bare_name(whole)
    }

    /// Whether a value says how somebody or something is, in words that are no name: 上手, いい人, 受験生, 3人兄弟, 小学校の先生.
    fn is_quality(&self, text: &str) -> bool {
        let kana = |c: char| matches!(c, 'ぁ'..='ゖ');
        // いい人, 厳しい人
        let kind_of_person = text.strip_suffix('人').and_then(|front| front.chars().next_back()).is_some_and(kana);
        kind_of_person || text.starts_with(|c: char| c.is_numeric() && !c.is_alphabetic()) || self.is(text, "quality")
    }

    /// Whether a value says what somebody is, and is no name.
    fn describes(&self, item: &Item, text: &str) -> bool {
        let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or(text);
        let classes = ["occupation", "title", "nationality", "faith", "diet", "condition", "generic", "common"];
        if self.is_quality(text) {
            return true;
        }
        let named = ["さん", "くん", "ちゃん", "氏", "君", "先生"].iter().any(|end| text.ends_with(end))
            // 川瀬工: a short name may end as the word for a trade does.
            || item.parts.len() == 1
                && (2..=5).contains(&text.chars().count())
                && text.chars().all(|c| super::script::script(c) == super::script::Script::Kanji)
                && text.ends_with(['工', '生', '番', '手', '家', '業', '職', '役', '係'])
                && !classes.iter().any(|class| self.whole(text, class));
        !named
            && (classes.iter().any(|class| self.is(last, class))
                || self.item_is(item, "age|blood|date")
                || Self::is_quantity(text)
                || self.suffix(item, text).is_some()
                || item.parts.len() > 1 && self.noun(last).is_some())
    }

    /// The suffix that a value ends in, with what stands before it.
    pub(super) fn suffix(&self, item: &Item, text: &str) -> Option<(RelationId, String, bool)> {
        if ["occupation", "title"].iter().any(|class| self.whole(text, class)) {
            return None;
        }
        let pack = &self.language.pack;
        let mut best: Option<(usize, RelationId, String, bool)> = None;
        let last = text.chars().next_back().and_then(|last| pack.suffixes.get(&last));
        for suffix in last.into_iter().flatten() {
            let Some(stem) = text.strip_suffix(&*suffix.word) else { continue };
            let stem = stem.strip_suffix('の').unwrap_or(stem).trim();
            if stem.is_empty() || Self::is_vague(stem) || best.as_ref().is_some_and(|(longest, ..)| *longest >= suffix.word.len()) {
                continue;
            }
            let front = front(item, stem.len());
            let fits = suffix.class.as_ref().is_none_or(|(classes, wanted)| {
                let is = self.item_is(&front, classes)
                    || classes.split('|').any(|class| self.is(stem, class))
                    || classes.split('|').any(|class| class == "date") && front.is_time();
                is == *wanted
            });
            if fits {
                best = Some((suffix.word.len(), suffix.relation, stem.to_owned(), front.is_time()));
            }
        }
        best.map(|(_, relation, stem, dated)| (relation, stem, dated))
    }

    /// Tells what a value says by itself of whatever the clause is about.
    pub(super) fn tell_value(&mut self, subject: Option<&Entity>, item: &Item, old: &[Item], told: &Told) {
        // 福岡在住のデザイナー, 1958年創業のメーカー: two values.
        let taken = if item.parts.first().is_some_and(|part| matches!(part.sort, super::clause::Sort::Time(_))) { 2 } else { 1 };
        if item.parts.len() > taken
            && item.parts.get(taken - 1).is_some_and(|part| part.joint == Joint::Of)
            && let Some(front) = item.parts.get(..taken)
        {
            let mut front = Item { parts: front.to_vec() };
            if let Some(last) = front.parts.last_mut() {
                last.joint = Joint::Last;
            }
            let text = self.surface(&front, 0, taken - 1);
            if self.suffix(&front, &text).is_some_and(|(relation, ..)| {
                matches!(self.relation_name(relation), "lives_in" | "born_in" | "grew_up_in" | "birth_date" | "founding_date" | "has_pet")
            }) || self.item_is(&front, "age")
            {
                self.tell_value(subject, &front, &[], told);
                let rest = Item { parts: item.parts.iter().skip(taken).cloned().collect() };
                self.tell_value(subject, &rest, old, told);
                return;
            }
        }
        if subject.is_some_and(|entity| entity.unresolved) {
            return;
        }
        let named = subject.filter(|entity| !entity.speaker).map(|entity| Self::bare_name(&entity.text));
        // うちの猫はタマという名前です
        let naming = item.parts.len() > 1 && item.parts.iter().rev().nth(1).is_some_and(|part| part.joint == Joint::Names);
        // 実家は農家, 家族は妻と娘: what belongs to somebody is nobody.
        if !self.setting.is_written() && named.as_ref().is_some_and(|name| self.is(name, "belonging")) && !item.is_time() && !naming {
            return;
        }
        let speaker = self.speaker();
        let person = match (&named, subject) {
            (Some(name), _) => Some(name.clone()),
            (None, Some(_)) => speaker.clone(),
            (None, None) => self.topic_of_attribute().or_else(|| speaker.clone()),
        };
        let about = named.clone().or_else(|| if subject.is_none() { self.topic() } else { None });
        let whole = self.surface(item, 0, item.parts.len().saturating_sub(1));
        if naming && let Some(what) = named.clone().filter(|what| self.is(what, "pet")) {
            let name = self.entity(item).text;
            self.name_pet(&what, &name, &Owner::Default, told);
            return;
        }
        // "亮は私の弟", "川瀬工は星空運輸の社長".
        let entity = self.entity(item);
        if let Some(pending) = entity.pending.clone().filter(Pending::is_role) {
            // 母は小学校の先生でした: whoever teaches others has it for a trade.
            let of_somebody = match &pending.owner {
                Owner::Speaker => true,
                Owner::Named(owner) => {
                    !["school", "subject", "language", "instrument", "hobby", "org"].iter().any(|class| self.is(owner, class))
                }
                Owner::Default => false,
            };
            let teaches = ["先生", "講師", "コーチ", "トレーナー", "インストラクター", "担任", "家庭教師"].contains(&pending.noun.as_str());
            if teaches
                && !of_somebody
                && let (Some(relation), Some(holder)) = (self.relation("job_title"), person.clone().filter(|holder| !holder.is_empty()))
            {
                self.tell_one(holder, relation, whole, told, "先生");
                return;
            }
            let explicit = pending.owner != Owner::Default;
            if (explicit
                || named.is_some()
                    && pending.uses.iter().all(|(relation, bears)| *bears == Bears::Role && !self.thing(*relation))
                    && !self.setting.is_written())
                && let Some(holder) = person.clone().filter(|holder| !holder.is_empty())
            {
                self.office(
                    &Pending { former: false, ..pending.clone() },
                    &holder,
                    &if pending.former { Told { phase: Phase::UsedTo, ..told.clone() } } else { told.clone() },
                );
                return;
            }
        }
        if let Some((relation, stem, dated)) = self.suffix(item, &whole) {
            let head = if self.thing(relation) { about.clone() } else { person.clone() };
            let Some(head) = head else { return };
            let mut now = told.clone();
            if dated {
                now.times.extend(item.times().filter(|time| self.relation_name(relation) != "birth_date" || !self.is_yearless(*time)));
            }
            if self.event(relation) && now.phase == Phase::Now {
                now.phase = if now.times.iter().any(|time| self.is_future(*time)) { Phase::Ahead } else { Phase::Happened };
            }
            let tail = self.stem_text(item, &stem, dated);
            self.tell_one(head, relation, tail, &now, "suffix");
            return;
        }
        // 釣りが趣味です, 完走するのが目標です
        if let Some(pending) = entity.pending.clone().filter(|pending| !pending.is_role() && !pending.uses.is_empty())
            && let Some(subject) = subject.filter(|subject| !subject.speaker && subject.pending.as_ref().is_none_or(Pending::is_role))
        {
            if let Some(&(relation, _)) = self.choose(&pending, &subject.text) {
                let subject_text = subject.text.clone();
                if let Some(owner) = self.owner(&pending.owner, relation) {
                    self.tell_one(owner, relation, subject_text, told, &pending.noun);
                }
            }
            return;
        }
        // 朝会は木曜日
        if item.is_time()
            && let Some(event) = about.clone().filter(|about| ["event", "appointment"].iter().any(|class| self.is(about, class)))
            && let Some(relation) = self.relation("scheduled_for")
        {
            let date = self.value_text(item);
            for before in old {
                let before = self.value_text(before);
                self.tell_one(
                    event.clone(),
                    relation,
                    before,
                    &Told { phase: Phase::Over, polarity: Polarity::Ends, ..told.clone() },
                    "date",
                );
            }
            self.tell_one(event, relation, date, told, "date");
            return;
        }
        let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or_default().to_owned();
        let relations: Vec<(RelationId, bool)> = self
            .language
            .pack
            .relations
            .iter()
            .zip(0..)
            .filter(|(relation, _)| relation.values.iter().any(|class| self.item_is(item, class) || self.is(&last, class)))
            .map(|(relation, id)| (id, relation.thing))
            .collect();
        let is_thing = about.as_ref().is_some_and(|about| !self.is_person(about));
        let chosen = relations
            .iter()
            .find(|(_, thing)| *thing == is_thing)
            .or_else(|| relations.iter().find(|(_, thing)| !thing || about.is_some()));
        if let Some(&(relation, thing)) = chosen {
            let head = if thing { about } else { person };
            if let Some(head) = head.filter(|head| !head.is_empty()) {
                let text = self.value_text(item);
                let former = text.strip_prefix('元').filter(|rest| rest.chars().count() > 1).map(str::to_owned);
                if let Some(text) = former.filter(|_| !thing) {
                    self.tell_one(head, relation, text, &Told { phase: Phase::UsedTo, ..told.clone() }, "value");
                    return;
                }
                // 日本の作曲家: the country is no part of the trade.
                let abroad = item.parts.len() == 2
                    && item.parts.first().is_some_and(|part| self.text.get(part.at.clone()).is_some_and(|text| self.is(text, "place")))
                    && self.relation_name(relation) == "job_title"
                    && self.setting.is_written();
                let text = if abroad { last.clone() } else { text };
                let text = if self.relation_name(relation) == "age" || entity.pending.is_some() || entity.text.is_empty() {
                    whole.clone()
                } else {
                    text
                };
                for before in old {
                    let before = self.value_text(before);
                    self.tell_one(
                        head.clone(),
                        relation,
                        before,
                        &Told { phase: Phase::Over, polarity: Polarity::Ends, ..told.clone() },
                        "value",
                    );
                }
                self.tell_one(head, relation, text, told, "value");
            }
            return;
        }
        // 市長は岩田浩
        if let Some(office) = named.clone().filter(|name| self.is(name, "office") && self.is_person(&whole) && !self.is(&whole, "office"))
            && let Some(relation) = self.relation("holds_position")
        {
            self.tell_one(Self::bare_name(&whole), relation, office, told, "office");
            return;
        }
        // In writing, and of what is known to be a thing, the copula says what sort of thing it is.
        let about_pet = named.as_ref().is_some_and(|name| {
            self.found.iter().any(|finding| finding.tail == *name && self.relation_name(finding.relation) == "has_pet")
        });
        if let Some(head) = named
            && (self.setting.is_written() && !item.is_time() && subject.is_some_and(|entity| entity.pending.is_none())
                || about_pet
                || self.is(&last, "pet"))
            && !last.is_empty()
            && !Self::is_quantity(&last)
            && told.polarity == Polarity::Holds
            && told.phase == Phase::Now
        {
            self.add_named("is_a", &head, &last, told.at.clone());
        }
    }

    /// The text before a suffix, without roles, the speaker or times in front.
    fn stem_text(&mut self, item: &Item, stem: &str, dated: bool) -> String {
        if dated {
            return trim_date(stem).to_owned();
        }
        let front = front(item, stem.len());
        if front.parts.len() > 1 {
            let entity = self.entity(&front);
            if entity.pending.is_none() && !entity.text.is_empty() {
                return entity.text;
            }
        }
        stem.to_owned()
    }

    /// Claims what a cleft asks for, with the value that it gets.
    pub(super) fn cleft(&mut self, said: &Said<'_>, item: &Item, polarity: Polarity, corrects: Option<&str>) {
        let before = self.found.len();
        self.verb(said, Some(item));
        for finding in self.found.iter_mut().skip(before) {
            if polarity == Polarity::Never {
                finding.polarity = Polarity::Never;
            }
            finding.corrects = corrects.map(str::to_owned);
        }
    }

    /// A value that puts right what was said before: the claim of the text or of a turn before that has the old one.
    pub(super) fn restate(&mut self, value: &Arg, told: &Told) -> bool {
        let Some(item) = value.items.last().cloned() else { return false };
        let text = self.value_text(&item);
        let dated = item.is_time();
        let known: Vec<&Finding> = self.before.iter().chain(&self.found).collect();
        // 2001年じゃなくて2003年から, 2003年の間違いでした: when it began is put right.
        let date_tail = |finding: &&&Finding| {
            matches!(self.relation_name(finding.relation), "deadline" | "scheduled_for" | "birth_date" | "founding_date" | "died_on")
        };
        let by_tail = match &told.corrects {
            Some(old) => known.iter().any(|finding| finding.tail.contains(old.as_str())),
            None => known.iter().rev().take(1).any(|finding| date_tail(&finding)),
        };
        let of = |finding: &&&Finding| {
            finding.polarity != Polarity::Never && (told.corrects.is_some() || finding.dated.is_some() || !finding.times.is_empty())
        };
        if dated
            && !by_tail
            && let Some(known) = known.iter().rev().find(of).map(|finding| (*finding).clone())
        {
            let pattern = format!("{}: correction", self.relation_name(known.relation));
            let times: Vec<usize> = item.times().collect();
            for time in &times {
                self.put_like(*time, known.dated);
            }
            self.found.retain(|finding| !(finding.head == known.head && finding.relation == known.relation && finding.tail == known.tail));
            let phase = if known.phase == Phase::UsedTo { Phase::Now } else { known.phase };
            // The same value with the wrong date was told before. What ended, and what happens now and then, was perhaps told of another time too.
            let moves = !self.event(known.relation) || self.relation_name(known.relation) == "has_appointment";
            let alone = known.polarity == Polarity::Holds && moves && self.before.contains(&known);
            self.add(Finding {
                phase,
                polarity: known.polarity,
                times,
                corrects: alone.then(|| known.tail.clone()),
                ..Finding::new(known.head, known.relation, known.tail, told.at.clone(), pattern)
            });
            return true;
        }
        let old = match &told.corrects {
            Some(old) => known.iter().rev().find(|finding| finding.tail.contains(old.as_str()) || old.contains(finding.tail.as_str())),
            None => known.iter().rev().find(|finding| {
                !dated || matches!(self.relation_name(finding.relation), "deadline" | "scheduled_for" | "birth_date" | "founding_date")
            }),
        };
        let Some(old) = old.map(|finding| (*finding).clone()) else { return false };
        // 6月3日, 5日でした: in the same month.
        let month =
            old.tail.find('月').filter(|_| dated && super::dates::is_monthless(&text)).and_then(|at| old.tail.get(..at + '月'.len_utf8()));
        let text = month.map_or(text.clone(), |month| format!("{month}{text}"));
        self.found.retain(|finding| !(finding.head == old.head && finding.relation == old.relation && finding.tail == old.tail));
        let pattern = format!("{}: correction", self.relation_name(old.relation));
        self.add(Finding {
            phase: if old.phase == Phase::UsedTo { Phase::Now } else { old.phase },
            corrects: Some(old.tail.clone()),
            times: if old.times.is_empty() || self.before.contains(&old) { told.times.clone() } else { old.times.clone() },
            ..Finding::new(old.head, old.relation, text, told.at.clone(), pattern)
        });
        true
    }

    /// A value alone after a question: it is what was asked for.
    pub(super) fn answered(&mut self, value: &Arg, told: &Told) -> bool {
        // いつから, and a date
        if value.items.iter().all(Item::is_time)
            && let Some(mut known) = self.before.last().cloned().filter(|_| self.since_when)
        {
            known.times = value.items.iter().flat_map(|item| item.times().collect::<Vec<_>>()).collect();
            known.at = told.at.clone();
            known.phase = Phase::Began;
            self.add(known);
            return true;
        }
        let Some(asked) = self.questions.iter().find(|finding| Self::is_asked(&finding.tail)).cloned() else { return false };
        let mut any = false;
        for item in value.items.clone() {
            let text = self.value_text(&item);
            let whole = self.surface(&item, 0, item.parts.len().saturating_sub(1));
            let text = self.suffix(&item, &whole).filter(|(relation, ..)| *relation == asked.relation).map_or(text, |(_, stem, _)| stem);
            if Self::is_vague(&text) || told.polarity != Polarity::Holds {
                continue;
            }
            let mut finding = asked.clone();
            finding.tail = text;
            finding.at = told.at.clone();
            finding.times.clone_from(&told.times);
            if self.permanent(finding.relation) {
                finding.times.extend(item.times());
            }
            self.add(finding);
            any = true;
        }
        any
    }

    /// A noun phrase without a predicate, after a question.
    pub(super) fn fragment(&mut self, arg: &Arg, said: &Said<'_>) {
        let text = arg.items.last().map(Item::at).and_then(|at| self.text.get(at)).unwrap_or_default().to_owned();
        if self
            .setting
            .before
            .last()
            .is_some_and(|turn| ["単位", "表示", "表記", "どちらで", "どっちで"].iter().any(|word| turn.text.contains(word)))
            && self.unit(&text, said.clause.at.clone())
        {
            return;
        }
        let told = Told { phase: Phase::Now, polarity: Polarity::Holds, times: Vec::new(), at: said.clause.at.clone(), corrects: None };
        self.answered(arg, &told);
    }

    /// Whether a text asks for a value: どこ, 何.
    pub(super) fn is_asked(text: &str) -> bool {
        ["どこ", "どちら", "何", "なに", "なん", "誰", "だれ", "どなた", "いつ", "いくつ", "いくら", "どの", "どんな", "どれ", "どう", "幾"]
            .iter()
            .any(|word| text.starts_with(word))
            || text.ends_with('何')
    }
}

/// The front of a phrase, so many bytes long.
fn front(item: &Item, bytes: usize) -> Item {
    let from = item.at().start;
    let end = from + bytes;
    let mut parts = Vec::new();
    for part in &item.parts {
        if part.at.start >= end {
            break;
        }
        let mut part = part.clone();
        if part.at.end > end {
            part.at.end = end;
        }
        parts.push(part);
    }
    Item { parts }
}

fn relation_is_person(name: &str) -> bool {
    matches!(
        name,
        "married_to"
            | "engaged_to"
            | "partner_of"
            | "parent_of"
            | "child_of"
            | "sibling_of"
            | "relative_of"
            | "friend_of"
            | "reports_to"
            | "colleague_of"
            | "mentored_by"
            | "emergency_contact"
            | "lives_with"
            | "neighbour_of"
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_after, check_written};

    #[test]
    fn attributes_take_values() {
        for quality in
            ["母は料理が上手です。", "上司はいい人です。", "家は駅から10分です。", "前の職場は人間関係が大変でした。", "弟は受験生です。"]
        {
            check(quality, &[]);
        }
        check("職業は画家で、趣味は凧揚げです。", &["わたなべ job_title 画家 Now", "わたなべ hobby 凧揚げ Now"]);
        check("亀を飼っています。名前は万吉です。", &["わたなべ has_pet 万吉 Now", "万吉 is_a 亀 Now"]);
        check("水泳が趣味です。", &["わたなべ hobby 水泳 Now"]);
    }

    #[test]
    fn suffixes_and_classes_make_values() {
        check("小樽在住の画家です。", &["わたなべ lives_in 小樽 Now", "わたなべ job_title 画家 Now"]);
        check("桃アレルギーではありません。", &["わたなべ allergic_to 桃 Now never"]);
        check_written(
            "雲原町は風見郡にある町だ。人口は900人。",
            &["雲原町 located_in 風見郡 Now", "雲原町 is_a 町 Now", "雲原町 population 900人 Now"],
        );
    }

    #[test]
    fn a_value_puts_right_the_one_before() {
        check("趣味は将棋じゃなくて囲碁です。", &["わたなべ hobby 囲碁 Now not 将棋"]);
        check("住んでいるのは函館、いや、小樽です。", &["わたなべ lives_in 小樽 Now not 函館"]);
        check_after(false, "妹の千尋が来ます。", "すみません、千尋ではなく千秋でした。", &["わたなべ sibling_of 千秋 Now not 千尋"]);
    }
}
