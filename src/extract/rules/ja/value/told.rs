//! Values as a clause tells them: cut to what is meant, restated, answered, or standing alone. Knows no verb.

use super::super::super::draft::Phase;
use super::super::clause::{Arg, Item};
use super::super::pack::{Bears, RelationId};
use super::super::phrase::{Entity, Owner, Pending};
use super::super::reader::{Finding, Reader, Said, trim_date};
use super::{Told, front};
use crate::model::Polarity;

impl Reader<'_> {
    /// Tells what a value says by itself of whatever the clause is about.
    pub(super) fn tell_value(&mut self, subject: Option<&Entity>, item: &Item, old: &[Item], told: &Told) {
        // 福岡在住のデザイナー: two values.
        if item.parts.len() > 1
            && let Some(first) = item.parts.first().filter(|part| part.joint == super::super::clause::Joint::Of)
        {
            let front = Item { parts: vec![super::super::clause::Part { joint: super::super::clause::Joint::Last, ..first.clone() }] };
            let text = self.surface(&front, 0, 0);
            if self
                .suffix(&front, &text)
                .is_some_and(|(relation, ..)| matches!(self.relation_name(relation), "lives_in" | "born_in" | "grew_up_in" | "birth_date"))
                || self.item_is(&front, "age")
            {
                self.tell_value(subject, &front, &[], told);
                let rest = Item { parts: item.parts.iter().skip(1).cloned().collect() };
                self.tell_value(subject, &rest, old, told);
                return;
            }
        }
        if subject.is_some_and(|entity| entity.unresolved) {
            return;
        }
        let named = subject.filter(|entity| !entity.speaker).map(|entity| self.bare_name(&entity.text));
        let speaker = self.speaker();
        let person = match (&named, subject) {
            (Some(name), _) => Some(name.clone()),
            (None, Some(_)) => speaker.clone(),
            (None, None) => self.topic_of_attribute().or_else(|| speaker.clone()),
        };
        let about = named.clone().or_else(|| if subject.is_none() { self.topic() } else { None });
        let whole = self.surface(item, 0, item.parts.len().saturating_sub(1));
        // うちの猫はタマという名前です
        let naming =
            item.parts.len() > 1 && item.parts.iter().rev().nth(1).is_some_and(|part| part.joint == super::super::clause::Joint::Names);
        if naming && let Some(what) = named.clone().filter(|what| self.is(what, "pet")) {
            let name = self.entity(item).text;
            self.name_pet(&what, &name, &Owner::Default, told);
            return;
        }
        // "亮は私の弟", "森下薫は東雲鉄道の社長".
        let entity = self.entity(item);
        if let Some(pending) = entity.pending.clone().filter(Pending::is_role) {
            let explicit = pending.owner != Owner::Default;
            if explicit
                || named.is_some()
                    && pending.uses.iter().all(|(relation, bears)| *bears == Bears::Role && !self.thing(*relation))
                    && !self.setting.is_written()
            {
                if let Some(holder) = person.clone().filter(|holder| !holder.is_empty()) {
                    self.office(
                        &Pending { former: false, ..pending.clone() },
                        &holder,
                        &if pending.former { Told { phase: Phase::UsedTo, ..told.clone() } } else { told.clone() },
                    );
                    return;
                }
            }
        }
        if let Some((relation, stem, dated)) = self.suffix(item, &whole) {
            let head = if self.thing(relation) { about.clone() } else { person.clone() };
            let Some(head) = head else { return };
            let mut now = told.clone();
            if dated {
                now.times.extend(item.times());
            }
            if self.event(relation) && now.phase == Phase::Now {
                now.phase = if now.times.iter().any(|time| self.is_future(*time)) { Phase::Ahead } else { Phase::Happened };
            }
            let tail = self.stem_text(item, &stem, dated);
            for one in tail.split(['と', '、']).filter(|_| false).chain(std::iter::once(tail.as_str())) {
                self.tell_one(head.clone(), relation, one.to_owned(), &now, "suffix");
            }
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
        // 定例会議は火曜日
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
            self.tell_one(self.bare_name(&whole), relation, office, told, "office");
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
            && !self.is_quantity(&last)
            && told.polarity == Polarity::Holds
        {
            self.add_named("is_a", &head, &last, told.at.clone());
        }
    }

    /// The text before a suffix, without roles, the speaker or times in front.
    pub(super) fn stem_text(&mut self, item: &Item, stem: &str, dated: bool) -> String {
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
    pub(super) fn cleft(&mut self, said: &Said<'_>, item: &Item, polarity: Polarity, corrects: Option<String>) {
        let before = self.found.len();
        self.verb(said, Some(item));
        for finding in self.found.iter_mut().skip(before) {
            if polarity == Polarity::Never {
                finding.polarity = Polarity::Never;
            }
            finding.corrects.clone_from(&corrects);
        }
    }

    /// A value that puts right what was said before: the claim of the text or of a turn before that has the old one.
    pub(super) fn restate(&mut self, value: &Arg, told: &Told) -> bool {
        let Some(item) = value.items.last().cloned() else { return false };
        let text = self.value_text(&item);
        let dated = item.is_time();
        let known: Vec<&Finding> = self.before.iter().chain(&self.found).collect();
        let old = match &told.corrects {
            Some(old) => known.iter().rev().find(|finding| finding.tail.contains(old.as_str()) || old.contains(finding.tail.as_str())),
            None => known.iter().rev().find(|finding| {
                !dated || matches!(self.relation_name(finding.relation), "deadline" | "scheduled_for" | "birth_date" | "founding_date")
            }),
        };
        let Some(old) = old.map(|finding| (*finding).clone()) else { return false };
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
    pub(in crate::extract::rules::ja) fn fragment(&mut self, arg: &Arg, said: &Said<'_>) {
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
    pub(in crate::extract::rules::ja) fn is_asked(text: &str) -> bool {
        ["どこ", "どちら", "何", "なに", "なん", "誰", "だれ", "どなた", "いつ", "いくつ", "いくら", "どの", "どんな", "どれ", "どう", "幾"]
            .iter()
            .any(|word| text.starts_with(word))
            || text.ends_with('何')
    }
}
