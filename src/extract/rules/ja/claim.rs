//! What a clause with a predicate claims: its frames' slots filled with names, placed by its tense and aspect.
//! Knows nothing of the order of sentences.

use super::super::draft::Phase;
use super::clause::{Arg, Clause, Item, Joint, Part, Predicate, Sort as PartSort};
use super::dates::trim_date;
use super::finding::Finding;
use super::form::{Flags, Link};
use super::frames::{Filled, Match, is_chained};
use super::inflect::Class;
use super::lexicon::Adverb;
use super::pack::{RelationId, Sort};
use super::particle::Particle;
use super::phrase::{Entity, Owner, Pending};
use super::reader::{Reader, Said};
use super::value::Told;
use crate::extract::RejectionKind;
use crate::model::Polarity;
use crate::time::Start;
use crate::time::expr::{Role, Value};

impl Reader<'_> {
    /// Reads the predicate of a clause by the frames; `gap` is a noun that the clause modifies.
    pub(super) fn verb(&mut self, said: &Said<'_>, gap: Option<&Item>) {
        let clause = said.clause;
        if gap.is_none() {
            self.outlived(said);
        }
        let matches = self.matches(clause, gap);
        if matches.is_empty() {
            if gap.is_none() && (self.by_copula(said) || self.given_up(said) || self.stopped(said)) {
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
        let Some((word, form)) = readings.iter().find_map(|(word, class, form)| (*class == Class::Nominal).then_some((*word, *form)))
        else {
            return false;
        };
        let Some(stem) = self.language.pack.dictionary(word).map(|word| word.strip_suffix('だ').unwrap_or(word)) else { return false };
        let start = clause.verb.start;
        let part = Part { at: start..start + stem.len(), sort: PartSort::Text, joint: Joint::Last, modifier: None };
        let mut args = clause.args.clone();
        let mut item = Item { parts: vec![part] };
        // 阪神ファンだ
        if args.last().is_some_and(|arg| arg.particle == Particle::Bare && arg.items.last().is_some_and(|item| item.at().end == start))
            && let Some(mut front) = args.pop().and_then(|arg| arg.items.into_iter().last())
            && let Some(last) = front.parts.last_mut()
        {
            last.at.end = start + stem.len();
            item = front;
        }
        // 大学の学生だ
        if args.last().is_some_and(|arg| arg.particle == Particle::No)
            && let Some(mut owner) = args.pop().and_then(|arg| arg.items.into_iter().last())
        {
            if let Some(last) = owner.parts.last_mut() {
                last.joint = Joint::Of;
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

    /// 万吉が死にました, 夫が亡くなりました: who kept the pet or was married, as told before, is no longer.
    fn outlived(&mut self, said: &Said<'_>) {
        const DIE: &[&str] = &["亡くなる", "死ぬ", "他界する", "死去する", "逝去する", "永眠する"];
        const BONDS: &[&str] = &["has_pet", "married_to", "partner_of", "engaged_to"];
        let clause = said.clause;
        let Predicate::Verb(readings) = &clause.predicate else { return };
        let dies = readings.iter().any(|(word, ..)| self.language.pack.dictionary(*word).is_some_and(|word| DIE.contains(&word)));
        let form = clause.form();
        if !dies || !form.any(Flags::PAST.with(Flags::DONE)) || form.is(Flags::NEGATED) || self.setting.is_written() {
            return;
        }
        let Some(item) = clause.args.iter().find(|arg| arg.topic || arg.particle == Particle::Ga).and_then(|arg| arg.items.last()).cloned()
        else {
            return;
        };
        let who = self.entity(&item);
        let role = who.pending.as_ref().filter(|pending| pending.is_role()).map(|pending| pending.uses.clone());
        let known = self.before.iter().chain(&self.found).rev();
        let bond =
            known.filter(|known| known.polarity == Polarity::Holds && BONDS.contains(&self.relation_name(known.relation))).find(|known| {
                known.tail == who.text
                    || Some(&known.head) == self.speaker().as_ref()
                        && role.as_ref().is_some_and(|uses| uses.iter().any(|(relation, _)| *relation == known.relation))
            });
        let Some(bond) = bond.cloned() else { return };
        let times: Vec<usize> = clause
            .args
            .iter()
            .flat_map(|arg| &arg.items)
            .filter(|item| item.is_time())
            .flat_map(|item| item.times().collect::<Vec<_>>())
            .collect();
        self.add(Finding {
            polarity: Polarity::Ends,
            phase: Phase::Over,
            times,
            ..Finding::new(bond.head, bond.relation, bond.tail, clause.at.clone(), "outlived".to_owned())
        });
    }

    /// "娘がいて": somebody has a role and no name yet.
    fn existence(&mut self, clause: &Clause) {
        for arg in clause.args.iter().filter(|arg| matches!(arg.particle, Particle::Ga | Particle::Too | Particle::Topic)) {
            let Some(item) = arg.items.last() else { continue };
            // 彼女ができた: somebody new, and nobody spoken of.
            if let Some(noun) = self.text.get(item.at()).filter(|text| matches!(*text, "彼女" | "彼"))
                && let Some((uses, former)) = self.noun(noun)
            {
                let noun = noun.to_owned();
                self.spoken.unnamed = Some(Pending { owner: Owner::Default, uses, former, naming: None, of: None, noun });
                continue;
            }
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
        let lost = matches!(found.frame.sort, Sort::Lost | Sort::LostAll);
        if tails.is_empty() && !lost && self.relation_name(relation) != "status" {
            // An answer leaves out what was asked about.
            let asked = self.questions.iter().find(|asked| asked.relation == relation && !Self::is_asked(&asked.tail));
            let Some(asked) = asked else { return };
            tails.push(Entity { text: asked.tail.clone(), ..Entity::default() });
        }
        let heads = match &found.head {
            Some(filled) => self.fillers(clause, Some(filled), gap),
            None => self.each_subject(clause, found),
        };
        let from = self.fillers(clause, found.from.as_ref(), gap);
        if matches!(self.relation_name(relation), "employer" | "studies_at" | "treated_by" | "member_of" | "graduated_from")
            && let Some(Filled::Arg(place, 0)) = &found.tail
        {
            let items = clause.args.get(*place).map(|arg| arg.items.clone()).unwrap_or_default();
            for item in items {
                if let Some((town, seat)) = self.seated(&item) {
                    self.add_named("located_in", &seat, &town, item.at());
                    tails.iter_mut().filter(|tail| tail.text.ends_with(&seat)).for_each(|tail| tail.text.clone_from(&seat));
                }
            }
        }
        let head = match heads.first() {
            Some(head) if head.unresolved => {
                self.refuse(RejectionKind::Unresolved, clause.at.clone(), format!("{} stands for nobody known", head.text));
                return;
            }
            // 猫が死んだ: nobody who is known died.
            Some(head) if self.relation_name(relation) == "died_on" && self.is_plain_thing(&head.text) => return,
            // "予約は3時にある" tells of no thing.
            Some(head) if self.thing(relation) && head.pending.as_ref().is_some_and(|pending| !pending.is_role()) => return,
            // エディタはVimを使う: an attribute is no subject.
            Some(head) if head.pending.as_ref().is_some_and(|pending| !pending.is_role()) && !self.thing(relation) => self.speaker(),
            Some(head) if !self.thing(relation) && !self.setting.is_written() && self.is_plain_thing(&head.text) => self.speaker(),
            // 不具合（#12）: a fault is known by its number.
            Some(head) if self.thing(relation) && self.numbered.iter().any(|(name, _)| head.text.ends_with(name.as_str())) => {
                self.numbered.iter().find(|(name, _)| head.text.ends_with(name.as_str())).map(|(_, number)| number.clone())
            }
            Some(head) => Some(self.name_of(head)),
            None if self.thing(relation) => self.topic(),
            None => {
                let other =
                    |topic: &String| !self.is_about_speaker(clause) && !topic.is_empty() && tails.iter().all(|tail| tail.text != *topic);
                self.topic_of_attribute().filter(other).or_else(|| self.speaker())
            }
        };
        let Some(head) = head else { return };
        // 娘が一人暮らしを始めた: nothing was founded.
        let firm = |head: &str| ["org", "shop", "school", "clinic", "group", "project", "event"].iter().any(|class| self.is(head, class));
        if self.relation_name(relation) == "founded_by"
            && !self.setting.is_written()
            && !firm(&head)
            && !head.contains(|c: char| c.is_ascii_alphanumeric() || matches!(c, 'ァ'..='ヺ'))
        {
            return;
        }
        // 金沢に事務所がある: where some office stands is told of nobody's office.
        let common = ["home", "org", "shop", "generic", "common", "belonging"].iter().any(|class| self.whole(&head, class));
        if self.relation_name(relation) == "located_in" && common && !self.setting.is_written() {
            return;
        }
        if heads.is_empty() && self.thing(relation) && Some(&head) == self.speaker().as_ref() {
            return;
        }
        let heads: Vec<String> = if heads.len() > 1 { heads.iter().map(|head| self.name_of(head)).collect() } else { vec![head] };
        let mut times = self.clause_times(clause, found, &tails);
        if times.is_empty() && self.relation_name(relation) != "grew_up_in" {
            // 月曜から水曜に変更した: the dates that are values tell not when that was.
            let own = |time: &usize| {
                let filled = [&found.tail, &found.from];
                let mut places =
                    filled.into_iter().flatten().filter_map(|filled| if let Filled::Arg(place, 0) = filled { Some(*place) } else { None });
                places.any(|place| {
                    clause
                        .args
                        .get(place)
                        .is_some_and(|arg| arg.items.iter().any(|item| item.is_time() && item.times().any(|one| one == *time)))
                })
            };
            times = said.times.iter().copied().filter(|time| !own(time)).collect();
        }
        // 膝を手術した, 膝の手術をした
        if self.relation_name(relation) == "had_procedure" && found.frame.text.starts_with("tailを ") {
            let deed = found.frame.text.split_whitespace().last().and_then(|word| word.strip_suffix("する")).unwrap_or_default().to_owned();
            for tail in &mut tails {
                if !deed.is_empty() && !tail.text.ends_with(&deed) && !self.language.pack.is(&tail.text, "procedure") {
                    tail.text = format!("{}の{deed}", tail.text);
                }
            }
        }
        if self.relation_name(relation) == "blocked_by" {
            for tail in &mut tails {
                tail.text = tail.text.strip_suffix("待ち").filter(|text| !text.is_empty()).unwrap_or(&tail.text).to_owned();
            }
        }
        // 花粉症の薬ではなく薬を飲む: which, nobody says.
        if self.relation_name(relation) == "takes_medication" {
            tails.retain(|tail| !matches!(&*tail.text, "薬" | "お薬" | "クスリ"));
            if tails.is_empty() {
                return;
            }
        }
        // 車の免許を持つ
        if self.relation_name(relation) == "has_degree" && found.frame.text.starts_with("tailの 免許") {
            for tail in tails.iter_mut().filter(|tail| self.is(&tail.text, "vehicle") || tail.text == "車") {
                tail.text.push_str("の免許");
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
        if (lost || found.frame.sort == Sort::End) && polarity == Polarity::Holds {
            for time in &times {
                if let Some(time) = self.times.get_mut(*time) {
                    time.role = Role::Until;
                }
            }
        }
        if lost {
            self.lose(said, found, &heads, &Told { phase, polarity, times, at: clause.at.clone(), corrects: None });
            return;
        }
        // 英語は得意じゃない: that it is spoken badly says not that it is never.
        if self.relation_name(relation) == "speaks"
            && polarity == Polarity::Never
            && ["得意だ", "流暢だ", "堪能だ", "ペラペラだ"].iter().any(|verb| found.frame.text.ends_with(verb))
        {
            return;
        }
        // Not to like is to dislike.
        let (relation, polarity) = match self.relation_name(relation) {
            "likes" if polarity == Polarity::Never => (self.relation("dislikes").unwrap_or(relation), Polarity::Holds),
            _ => (relation, polarity),
        };
        // 会社を辞めた: which one, nobody says.
        if matches!(self.relation_name(relation), "employer" | "studies_at" | "treated_by" | "graduated_from") {
            tails.retain(|tail| !self.is(&tail.text, "common") && !self.whole(&tail.text, "belonging"));
            // 町の郵便局で窓口を担当する
            if found.frame.sort == Sort::Say && is_duty(&found.frame.text) {
                tails.retain(|tail| self.is_named_place(&tail.text));
            }
            if tails.is_empty() && found.frame.sort == Sort::End {
                tails.extend(heads.first().and_then(|head| self.known_tail(head, relation)));
                if tails.is_empty() {
                    self.quit(said, phase, polarity);
                }
            }
            if tails.is_empty() {
                return;
            }
        }
        let pattern = format!("{}: {}", self.relation_name(relation), found.frame.text);
        let corrects = self.denied_before(said).map(|(old, _)| old);
        let off = found.frame.sort == Sort::Off;
        if off {
            times.clear();
        }
        let unsure = found
            .tail
            .as_ref()
            .is_some_and(|filled| matches!(filled, Filled::Arg(place, _) if clause.args.get(*place).is_some_and(|arg| arg.unsure)));
        if unsure {
            self.refuse(RejectionKind::Hypothetical, clause.at.clone(), "one of several, and it is not said which");
            return;
        }
        self.announced(clause, &mut times);
        let spells = self.spells(&times);
        let minutes = phase == Phase::Began && times.is_empty() && self.is_minutes();
        for head in &heads {
            for old in &from {
                self.add(Finding {
                    polarity: Polarity::Ends,
                    phase: Phase::Over,
                    times: times.clone(),
                    today: minutes,
                    ..Finding::new(head.clone(), relation, old.text.clone(), clause.at.clone(), pattern.clone())
                });
            }
            let status = tails.is_empty() && self.relation_name(relation) == "status";
            if status {
                let word = self.status_word(clause);
                self.add(Finding {
                    phase,
                    polarity,
                    times: times.clone(),
                    ..Finding::new(head.clone(), relation, word, clause.at.clone(), pattern.clone())
                });
            }
            for (tail, times) in tails.iter().flat_map(|tail| spells.iter().map(move |times| (tail, times))) {
                if tail.unresolved {
                    self.refuse(RejectionKind::Unresolved, clause.at.clone(), format!("{} stands for nobody known", tail.text));
                    continue;
                }
                self.add(Finding {
                    phase,
                    polarity,
                    times: times.clone(),
                    // What is called off will not have been.
                    corrects: if off { Some(tail.text.clone()) } else { corrects.clone() },
                    today: minutes || clause.says(Adverb::FromNowOn) && times.is_empty() && phase == Phase::Now,
                    ..Finding::new(head.clone(), relation, tail.text.clone(), clause.at.clone(), pattern.clone())
                });
                if self.relation_name(relation) == "has_pet" {
                    self.spoken.unnamed = Some(Pending {
                        owner: Owner::Named(head.clone()),
                        uses: Vec::new(),
                        former: false,
                        naming: None,
                        of: Some(tail.text.clone()),
                        noun: tail.text.clone(),
                    });
                }
            }
        }
    }

    /// What somebody has by a relation, as far as it was told before: the firm that "the company" is.
    pub(super) fn known_tail(&self, head: &str, relation: RelationId) -> Option<Entity> {
        let known = self.before.iter().chain(&self.found).rev();
        let mut known = known.filter(|known| known.head == head && known.relation == relation && known.polarity == Polarity::Holds);
        Some(Entity { text: known.next()?.tail.clone(), ..Entity::default() })
    }

    /// 六月に会社を辞めます: which one, nobody says; that it is to be done is a plan.
    pub(super) fn quit(&mut self, said: &Said<'_>, phase: Phase, polarity: Polarity) {
        if phase == Phase::Now && polarity == Polarity::Holds && !self.setting.is_written() {
            let tail = self.words_of(said, said.place);
            self.intend(said, "plans_to", tail);
        }
    }

    /// Whether a text for a firm or office says more than what sort it is: 郵便局, 町の工場.
    fn is_named_place(&self, text: &str) -> bool {
        let last = text.rsplit('の').next().unwrap_or(text);
        let endings = self.language.pack.classes.get("org");
        !endings.is_some_and(|words| words.is_ending(last))
    }

    /// Those of whom the same is told: "亮も恵子も働いている". Where も marks the values, it is told of nobody there.
    fn each_subject(&mut self, clause: &Clause, found: &Match) -> Vec<Entity> {
        let too = |arg: &Arg| arg.particle == Particle::Too && !arg.items.iter().all(Item::is_time);
        let places: Vec<usize> = (0..clause.args.len()).filter(|place| clause.args.get(*place).is_some_and(too)).collect();
        if places.len() < 2 || places.iter().any(|place| found.used.contains(place)) || self.thing(found.frame.relation) {
            return Vec::new();
        }
        let items: Vec<Item> = places.iter().filter_map(|place| clause.args.get(*place)).flat_map(|arg| arg.items.clone()).collect();
        items.iter().map(|item| self.plain(item)).collect()
    }

    /// The times of each spell where there were several: "2001年から2003年までと、2006年から".
    fn spells(&self, times: &[usize]) -> Vec<Vec<usize>> {
        let lasts =
            |time: &usize| self.times.get(*time).is_some_and(|time| matches!(time.value, Value::Span(_)) || time.role == Role::Since);
        if times.len() > 1 && times.iter().all(lasts) { times.iter().map(|time| vec![*time]).collect() } else { vec![times.to_vec()] }
    }

    /// A firm or school with the town that it is in: "小樽の星空運輸".
    pub(super) fn seated(&self, item: &Item) -> Option<(String, String)> {
        let [front @ .., first, last] = item.parts.as_slice() else { return None };
        if front.iter().any(|part| !matches!(part.sort, PartSort::Time(_))) || first.joint != Joint::Of {
            return None;
        }
        let (town, seat) = (self.text.get(first.at.clone())?, self.text.get(last.at.clone())?);
        let is_seat = ["org", "school", "clinic", "shop"].iter().any(|class| self.is(seat, class))
            && !["common", "generic"].iter().any(|class| self.is(seat, class));
        (self.is(town, "place") && !self.is(town, "common") && is_seat || self.is(town, "place") && last.sort == PartSort::Quote)
            .then(|| (town.to_owned(), seat.to_owned()))
    }

    /// Whether a text is a word for a thing that is never somebody.
    fn is_plain_thing(&self, text: &str) -> bool {
        let text = text.strip_prefix('お').filter(|rest| rest.chars().count() > 1).unwrap_or(text);
        let honoured = ["さん", "くん", "君", "ちゃん", "氏"].iter().any(|end| text.ends_with(end));
        !honoured
            && ([
                "hobby",
                "instrument",
                "vehicle",
                "device",
                "app",
                "software",
                "event",
                "subject",
                "language",
                "place",
                "belonging",
                "generic",
            ]
            .iter()
            .any(|class| self.is(text, class))
                || ["日", "時", "とき", "頃", "ころ", "間", "うち", "普段", "最近"].iter().any(|end| text.ends_with(end)))
            && !self.spoken.people.iter().any(|known| known == text)
            && !self
                .noun(text)
                .is_some_and(|(uses, _)| uses.iter().all(|(relation, bears)| *bears == super::pack::Bears::Role && !self.thing(*relation)))
    }

    /// Whether a clause names the speaker as its subject.
    fn is_about_speaker(&self, clause: &Clause) -> bool {
        clause.args.iter().any(|arg| {
            arg.topic
                && arg.items.iter().any(|item| {
                    self.text.get(item.at()).is_some_and(|text| matches!(text, "私" | "僕" | "俺" | "わたし" | "ぼく" | "自分"))
                })
        })
    }

    fn name_of(&self, entity: &Entity) -> String {
        if entity.speaker { self.speaker().unwrap_or_else(|| entity.text.clone()) } else { Self::bare_name(&entity.text) }
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
                if *left > 0
                    && let Some(last) = items.last_mut()
                {
                    last.parts.truncate(last.parts.len().saturating_sub(*left));
                }
                // In a list, a common noun is explained by the name after it.
                if arg.listed && items.len() > 1 {
                    let kept: Vec<Item> =
                        items.iter().filter(|item| !self.is(self.text.get(item.at()).unwrap_or_default(), "generic")).cloned().collect();
                    if !kept.is_empty() {
                        items = kept;
                    }
                }
                // あの映画、二回も観た: how often is no value beside one.
                if items.len() > 1 {
                    items.retain(|item| !Self::is_quantity(self.text.get(item.at()).unwrap_or_default()));
                }
                items.iter().map(|item| self.plain(item)).collect()
            }
        }
    }

    /// An entity that stands for itself, whatever role it has.
    pub(super) fn plain(&mut self, item: &Item) -> Entity {
        let mut entity = self.entity(item);
        if item.is_time() {
            trim_date(&self.surface(item, 0, item.parts.len().saturating_sub(1))).clone_into(&mut entity.text);
        }
        entity
    }

    /// The times of a clause that no slot took.
    pub(super) fn clause_times(&self, clause: &Clause, found: &Match, tails: &[Entity]) -> Vec<usize> {
        let mut times: Vec<usize> = Vec::new();
        for (place, arg) in clause.args.iter().enumerate() {
            let taken = [&found.tail, &found.head, &found.from]
                .into_iter()
                .flatten()
                .any(|filled| matches!(filled, Filled::Arg(used, 0) if *used == place));
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
                Sort::Did | Sort::Begin if has(Flags::ONGOING) => Some((Phase::SoFar, Never)),
                Sort::Did | Sort::Begin | Sort::End | Sort::Off | Sort::Lost | Sort::LostAll => None,
            };
        }
        match sort {
            Sort::Off => (has(Flags::PAST) || form.is(Flags::DONE) || bare || has(Flags::ONGOING)).then_some((Phase::Now, Never)),
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
                // 冷蔵庫が壊れた: and it is.
                if has(Flags::PAST) && !has(Flags::ONGOING) && !bare && !formerly && self.relation_name(found.frame.relation) == "status" {
                    return Some((Phase::Began, Holds));
                }
                if has(Flags::PAST) && !bare {
                    let open = self.since(times);
                    let passive = found.frame.text.ends_with("られる")
                        || found.frame.text.ends_with("される")
                        || found.frame.text.ends_with("れる")
                            && matches!(self.relation_name(found.frame.relation), "assigned_to" | "replaced_by" | "deployed_to");
                    let stands = passive && !has(Flags::ONGOING)
                        || found.frame.text.contains("診断")
                        || found.frame.text.contains("される") && !has(Flags::ONGOING);
                    if stands && !chained || form.is(Flags::DECIDED) {
                        return Some((Phase::Began, Holds));
                    }
                    return Some((
                        if open {
                            Phase::Now
                        } else if timed {
                            Phase::Past
                        } else {
                            Phase::UsedTo
                        },
                        Holds,
                    ));
                }
                if clause.says(Adverb::FromNowOn) {
                    return Some((Phase::Now, Holds));
                }
                let future = times.iter().any(|time| self.is_future(*time));
                Some((if future { Phase::Ahead } else { Phase::Now }, Holds))
            }
            Sort::Begin => {
                if has(Flags::PAST)
                    || has(Flags::ONGOING)
                    || form.is(Flags::DONE)
                    || form.link == Link::Te && !planned
                    || bare && !times.iter().any(|time| self.is_future(*time))
                {
                    if form.is(Flags::DECIDED) {
                        return timed.then_some((Phase::Ahead, Holds));
                    }
                    return Some((if formerly && !timed { Phase::UsedTo } else { Phase::Began }, Holds));
                }
                if !timed && !planned && self.is_minutes() {
                    return Some((Phase::Began, Holds));
                }
                (timed && (!planned || self.setting.is_written())).then_some((Phase::Ahead, Holds))
            }
            Sort::End | Sort::Lost | Sort::LostAll => {
                let then = form.link == Link::Te && said.chain.any(Flags::PAST.with(Flags::ONGOING));
                if has(Flags::PAST) && !form.is(Flags::DECIDED) || form.is(Flags::DONE) || bare || has(Flags::ONGOING) || then {
                    return Some((Phase::Over, Ends));
                }
                // What is to end still holds till then.
                let ahead = times.iter().any(|time| self.is_future(*time));
                (timed && !planned).then_some(if ahead { (Phase::Now, Holds) } else { (Phase::Over, Ends) })
            }
            Sort::Did => {
                if has(Flags::PAST) || bare || form.is(Flags::TRIED_ONCE) || form.is(Flags::DONE) {
                    return Some((Phase::Happened, Holds));
                }
                if has(Flags::ONGOING)
                    && (timed || self.permanent(found.frame.relation))
                    && !times.iter().all(|time| !self.is_moment(*time))
                {
                    return Some((Phase::Happened, Holds));
                }
                if self.permanent(found.frame.relation) && !planned {
                    return Some((Phase::Now, Holds));
                }
                (self.setting.is_written() && timed && !planned).then_some((Phase::Ahead, Holds))
            }
        }
    }

    pub(super) fn is_future(&self, time: usize) -> bool {
        let now = self.setting.calendar.reference;
        self.times.get(time).is_some_and(|time| match time.value {
            Value::Moment(moment) => moment.lo() > now,
            Value::Span(span) => span.start().lo() > now && span.start() != Start::Unknown,
            Value::Duration(_) | Value::Set(_) => false,
        })
    }

    fn since(&self, times: &[usize]) -> bool {
        times.iter().any(|time| self.times.get(*time).is_some_and(|time| matches!(time.role, Role::Since)))
    }
}

/// Whether a frame tells what somebody does for a firm.
fn is_duty(frame: &str) -> bool {
    ["担当する", "受け持つ", "手がける"].iter().any(|verb| frame.ends_with(verb))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_written};

    #[test]
    fn several_of_a_kind_are_claimed_each() {
        check("桃と梨が好きです。", &["わたなべ likes 桃 Now", "わたなべ likes 梨 Now"]);
        check("友達の工と小樽に行った。", &["わたなべ visited 小樽 Happened", "わたなべ friend_of 工 Now"]);
    }

    #[test]
    fn not_to_like_is_to_dislike() {
        check("梅干しは好きじゃない。", &["わたなべ dislikes 梅干し Now"]);
    }

    #[test]
    fn a_thing_does_what_only_things_do() {
        check_written("配送基盤は停止しています。", &["配送基盤 status 停止 Now"]);
        check("停止しています。", &[]);
    }
}
