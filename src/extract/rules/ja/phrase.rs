//! What a noun phrase names: somebody by a role ("妻の千尋の母"), something by a name, or an attribute that waits for its value.
//!
//! Owns roles, apposition and pronouns. Knows no predicate.

use super::super::draft::Phase;
use super::clause::{Item, Joint, Sort};
use super::finding::Finding;
use super::pack::{Bears, RelationId};
use super::reader::Reader;
use super::script::{Script, script};
use crate::model::Polarity;
use std::ops::Range;

/// What a noun phrase names.
#[derive(Clone, Debug, Default)]
pub(super) struct Entity {
    /// As it is to be recorded.
    pub(super) text: String,
    /// A role or attribute that nothing fills yet.
    pub(super) pending: Option<Pending>,
    /// Times in front of it.
    pub(super) times: Vec<usize>,
    /// Whether it is the speaker.
    pub(super) speaker: bool,
    /// Whether it is a pronoun that stands for nobody known.
    pub(super) unresolved: bool,
    pub(super) at: Range<usize>,
}

/// A role or attribute without its value: "弟", "趣味".
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) owner: Owner,
    pub(super) uses: Vec<(RelationId, Bears)>,
    /// 元, 前の
    pub(super) former: bool,
    /// Whether it is 名前: what it is of gets its name.
    pub(super) naming: Option<Box<Pending>>,
    /// What is named, where it is no role: "犬" of "犬の名前".
    pub(super) of: Option<String>,
    /// The noun itself.
    pub(super) noun: String,
}

impl Pending {
    pub(super) fn is_role(&self) -> bool {
        self.uses.iter().any(|(_, bears)| *bears != Bears::Value)
    }
}

/// Whose role or attribute it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Nobody is named: the speaker, or what is spoken of.
    Default,
    Speaker,
    Named(String),
}

const FIRST: &[&str] = &[
    "私",
    "僕",
    "俺",
    "わたし",
    "わたくし",
    "ぼく",
    "おれ",
    "あたし",
    "自分",
    "うち",
    "我が家",
    "わが家",
    "私達",
    "私たち",
    "僕たち",
    "僕ら",
    "俺たち",
    "当方",
    "小生",
    "我々",
    "われわれ",
    "オレ",
    "ボク",
    "ウチ",
    "拙者",
    "わし",
    "私ども",
    "うちら",
];
const PEOPLE: &[&str] = &[
    "彼",
    "彼女",
    "あの人",
    "この人",
    "その人",
    "あいつ",
    "こいつ",
    "そいつ",
    "あの子",
    "その子",
    "この子",
    "あの方",
    "この方",
    "その方",
    "同氏",
    "かれ",
    "かのじょ",
    "本人",
    "ご本人",
    "あのひと",
];
const THINGS: &[&str] = &[
    "そこ",
    "それ",
    "これ",
    "あれ",
    "あそこ",
    "ここ",
    "そちら",
    "あちら",
    "同社",
    "同市",
    "同校",
    "同町",
    "同店",
    "同館",
    "同作",
    "当社",
    "弊社",
    "本製品",
    "同製品",
    "本作",
    "こちら",
    "そっち",
    "同県",
    "同村",
    "同団体",
    "同サービス",
];
const FORMER: &[&str] = &["前", "以前", "元", "昔", "かつて", "もと", "旧", "先代", "前任", "初代"];
const PASSING: &[&str] =
    &["新人", "現職", "元職", "新顔", "ベテラン", "若手", "次回", "今回", "今度", "次", "今", "現在", "現", "毎回", "当日", "最新"];
const NAMES: &[&str] = &["名前", "名", "氏名", "お名前", "本名", "なまえ", "フルネーム", "名まえ"];
const VAGUE: &[&str] = &[
    "何か",
    "誰か",
    "どこか",
    "何",
    "誰",
    "どこ",
    "いつ",
    "どれ",
    "何も",
    "誰も",
    "どちら",
    "なに",
    "だれ",
    "いつか",
    "みんな",
    "皆",
    "全部",
    "やつ",
    "奴",
    "の",
    "ん",
    "こと",
    "もの",
    "ところ",
    "わけ",
    "はず",
    "つもり",
    "ため",
    "まま",
    "必要",
    "よう",
    "そう",
    "人",
    "方",
    "ほう",
    "感じ",
    "気",
    "一つ",
    "ひとつ",
    "ふたつ",
    "二つ",
    "どっち",
    "なん",
    "自身",
    "お互い",
    "互い",
    "結局",
    "本当",
    "ほんと",
    "最高",
    "大丈夫",
    "無理",
    "別",
    "駄目",
    "たくさん",
    "いっぱい",
    "少し",
    "全て",
    "すべて",
    "一人",
    "ひとり",
    "二人",
    "これ",
    "それ",
    "あれ",
    "ここ",
    "そこ",
    "いくつか",
    "推し",
    "いろいろ",
    "色々",
    "様々",
];

impl Reader<'_> {
    /// A text's uses as a noun of the pack, with whether a former one is meant.
    pub(super) fn noun(&self, text: &str) -> Option<(Vec<(RelationId, Bears)>, bool)> {
        let nouns = &self.language.pack.nouns;
        if let Some(uses) = nouns.get(text) {
            return Some((uses.clone(), text == "前職" || text.starts_with("元カ") || text.starts_with("元彼")));
        }
        for prefix in ["元", "前", "旧"] {
            if let Some(uses) = text.strip_prefix(prefix).and_then(|rest| nouns.get(rest)) {
                return Some((uses.clone(), true));
            }
        }
        for prefix in ["現", "新", "お", "ご", "今の", "うちの", "双子の", "現在の", "新しい", "主な", "最近の", "今"]
        {
            if let Some(uses) = text.strip_prefix(prefix).and_then(|rest| nouns.get(rest)) {
                return Some((uses.clone(), false));
            }
        }
        for (at, c) in text.char_indices().filter(|(_, c)| matches!(c, 'い' | 'な')) {
            if let Some(uses) = text.get(at + c.len_utf8()..).filter(|_| at > 0).and_then(|rest| nouns.get(rest)) {
                return Some((uses.clone(), false));
            }
        }
        for suffix in ["さん", "ちゃん", "たち", "達", "様", "殿", "くん", "ら"] {
            if let Some(uses) = text.strip_suffix(suffix).and_then(|rest| nouns.get(rest)) {
                return Some((uses.clone(), false));
            }
        }
        None
    }

    pub(super) fn is(&self, text: &str, class: &str) -> bool {
        self.language.pack.is(text, class)
    }

    /// Whether a text says too little to be a value.
    pub(super) fn is_vague(text: &str) -> bool {
        VAGUE.contains(&text) || text.is_empty() || text.chars().count() == 1 && text.chars().all(|c| script(c) == Script::Hiragana)
    }

    /// What a phrase names; the claims that it makes by itself are added to the findings.
    pub(super) fn entity(&mut self, item: &Item) -> Entity {
        // 卵アレルギーの娘の凛: what is said of somebody in front of their name.
        if let Some((relation, tail, rest)) = self.described(item) {
            let entity = self.entity(&rest);
            if !entity.speaker && !entity.unresolved && !entity.text.is_empty() {
                let (head, at) = (entity.text.clone(), item.at());
                self.add(Finding::new(head, relation, tail, at, "apposition".to_owned()));
            }
            return entity;
        }
        self.named(item)
    }

    /// A quality in front of somebody's role, with its relation and value, and what follows it.
    fn described(&self, item: &Item) -> Option<(RelationId, String, Item)> {
        let (first, rest) = item.parts.split_first()?;
        let next = self.text.get(rest.first()?.at.clone())?;
        let roled =
            self.noun(next).is_some_and(|(uses, _)| uses.iter().all(|(relation, bears)| *bears == Bears::Role && !self.thing(*relation)));
        if first.joint != Joint::Of || first.sort != Sort::Text || !roled {
            return None;
        }
        let front = Item { parts: vec![super::clause::Part { joint: Joint::Last, ..first.clone() }] };
        let rest_of = || Item { parts: rest.to_vec() };
        if self.item_is(&front, "age") {
            return Some((self.relation("age")?, self.surface(&front, 0, 0), rest_of()));
        }
        let (relation, tail, dated) = self.suffix(&front, self.text.get(first.at.clone())?)?;
        let fits = matches!(self.relation_name(relation), "allergic_to" | "lives_in" | "born_in" | "grew_up_in" | "has_condition");
        (fits && !dated).then(|| (relation, tail, rest_of()))
    }

    fn named(&mut self, item: &Item) -> Entity {
        let mut owner = Owner::Default;
        let mut former = false;
        // Where the phrase begins that is named, and where the words begin that belong to the next part.
        let mut start = 0;
        let mut from = 0;
        // Whom a pronoun in front stands for.
        let mut standing: Option<String> = None;
        let mut entity = Entity { at: item.at(), ..Entity::default() };
        let texts: Vec<String> =
            item.parts.iter().map(|part| self.text.get(part.at.clone()).unwrap_or_default().trim().to_owned()).collect();
        let last = item.parts.len().saturating_sub(1);
        let mut place = 0;
        while let (Some(part), Some(text)) = (item.parts.get(place), texts.get(place)) {
            let next = texts.get(place + 1);
            if let Sort::Time(time) = part.sort
                && place < last
            {
                entity.times.push(time);
                from = place + 1;
                start = from;
                place += 1;
                continue;
            }
            if place == start && FIRST.contains(&text.as_str()) && part.sort == Sort::Text {
                if last == place {
                    entity.speaker = true;
                    entity.text = self.speaker().unwrap_or_else(|| text.clone());
                    return entity;
                }
                owner = Owner::Speaker;
                from = place + 1;
                start = from;
                place += 1;
                continue;
            }
            if place == from
                && let Some(known) = self.pronoun(text, last > place)
            {
                match known {
                    Some(known) if place == last => {
                        entity.text = known;
                        return entity;
                    }
                    Some(known) => {
                        standing = Some(known.clone());
                        owner = Owner::Named(known);
                    }
                    None if place == last => {
                        entity.text.clone_from(text);
                        entity.unresolved = true;
                        return entity;
                    }
                    None => {
                        entity.unresolved = true;
                    }
                }
                from = place + 1;
                place += 1;
                continue;
            }
            if place < last && place == start && PASSING.contains(&text.as_str()) {
                from = place + 1;
                start = from;
                place += 1;
                continue;
            }
            if place < last && FORMER.contains(&text.as_str()) {
                former = true;
                from = place + 1;
                place += 1;
                continue;
            }
            // 亮という弟, コロという犬, ゆきこと雪江
            if part.joint == Joint::Names
                && let Some(next) = next
            {
                let named = self.surface(item, from, place);
                if NAMES.contains(&next.as_str())
                    && let Some(what) = texts.get(place + 2)
                {
                    self.call(&owner, what, &named, former, &entity);
                } else {
                    self.call(&owner, &next.clone(), &named, former, &entity);
                }
                entity.text = named;
                return entity;
            }
            if part.joint == Joint::Alias
                && let Some(next) = next
            {
                let other = next.clone();
                self.nickname(&other, text, item);
                entity.text.clone_from(&other);
                owner = Owner::Named(other);
                from = place + 2;
                place += 2;
                continue;
            }
            let noun = if part.sort == Sort::Quote { None } else { self.noun(text) };
            if let Some((uses, once)) = noun {
                former |= once;
                let role = uses.iter().any(|(_, bears)| *bears != Bears::Value);
                let pending = Pending { owner: owner.clone(), uses, former, naming: None, of: None, noun: text.clone() };
                if place == last {
                    entity.text = match &standing {
                        Some(known) => format!("{known}の{}", self.surface(item, from.min(place), place)),
                        None => self.surface(item, start.min(place), place),
                    };
                    entity.pending = Some(pending);
                    return entity;
                }
                let Some(next) = next else { break };
                if NAMES.contains(&next.as_str()) && place + 1 == last {
                    entity.text = self.surface(item, from, last);
                    let noun = next.clone();
                    entity.pending =
                        Some(Pending { owner, uses: Vec::new(), former: false, naming: Some(Box::new(pending)), of: None, noun });
                    return entity;
                }
                if role && part.joint == Joint::Of && self.noun(next).is_none() {
                    // A name in apposition, perhaps with another name before it.
                    let alias = item.parts.get(place + 1).is_some_and(|part| part.joint == Joint::Alias);
                    let name_at = if alias { place + 2 } else { place + 1 };
                    let personal = pending.uses.iter().any(|(relation, bears)| *bears == Bears::RoleOf || !self.thing(*relation));
                    if let Some(name) = texts
                        .get(name_at)
                        .filter(|name| {
                            self.may_name(name)
                                && (!personal
                                    || self.may_be_somebody(name)
                                    || item.parts.get(name_at).is_some_and(|part| part.sort == Sort::Quote))
                        })
                        .cloned()
                    {
                        let name = Self::bare_name(&name);
                        if alias {
                            self.nickname(&name, next, item);
                        }
                        let at = item.at();
                        self.role(&pending, &name, at);
                        entity.text.clone_from(&name);
                        if name_at >= last {
                            return entity;
                        }
                        owner = Owner::Named(name);
                        start = name_at;
                        from = name_at + 1;
                        place = name_at + 1;
                        former = false;
                        continue;
                    }
                }
                // 叔母の犬の名前
                if role && self.is(next, "pet") {
                    owner = Owner::Named(self.surface_of_owner(item, &owner, from, place));
                    from = place + 1;
                    place += 1;
                    former = false;
                    continue;
                }
                if self.noun(next).is_some() && role {
                    owner = Owner::Named(self.surface_of_owner(item, &owner, from, place));
                    from = place + 1;
                    place += 1;
                    former = false;
                    continue;
                }
                place += 1;
                continue;
            }
            if place < last
                && let Some(next) = next
            {
                if NAMES.contains(&next.as_str()) && place + 1 == last {
                    entity.text = self.surface(item, from, last);
                    let of = Some(self.surface(item, from, place));
                    entity.pending = Some(Pending { owner, uses: Vec::new(), former: false, naming: None, of, noun: next.clone() });
                    return entity;
                }
                if let Some((uses, _)) = self.noun(next) {
                    let text = self.surface(item, from, place);
                    // 高校の友人: where they met, not whose friend it is.
                    let personal = uses.iter().all(|(relation, bears)| *bears == Bears::Role && !self.thing(*relation));
                    let no_owner = self.is(&text, "common")
                        || ["頃", "ころ", "時代", "当時"].iter().any(|end| text.ends_with(end))
                        || Self::is_quantity(&text)
                        || self.item_is(&Item { parts: item.parts.get(from..=place).unwrap_or_default().to_vec() }, "age")
                        || personal && ["place", "school", "org", "generic", "hobby", "group"].iter().any(|class| self.is(&text, class));
                    if !no_owner {
                        owner = Owner::Named(Self::bare_name(&text));
                    }
                    from = place + 1;
                    place += 1;
                    continue;
                }
                // 柴犬のコロ, うちの猫のシロの爪
                if self.is(text, "pet") && self.may_name(next) && self.noun(next).is_none() && !self.is(next, "belonging") {
                    let at = item.at();
                    let name = next.clone();
                    self.keep(&owner, &name, at.clone());
                    self.add_named("is_a", &name, text, at);
                    if place + 1 == last {
                        entity.text = name;
                        return entity;
                    }
                    owner = Owner::Named(name);
                    start = place + 1;
                    from = place + 2;
                    place += 2;
                    continue;
                }
            }
            // 看護師の水野さん
            if place + 1 == last
                && place == from
                && let Some(next) = next
                && part.sort == Sort::Text
                && (self.is(text, "occupation") || self.is(text, "title"))
                && !self.is(text, "generic")
                && ["さん", "氏", "くん", "君", "ちゃん"].iter().any(|end| next.ends_with(end))
                && self.noun(next).is_none()
            {
                let (name, at) = (Self::bare_name(next), item.at());
                self.add_named("job_title", &name, text, at);
                entity.text = name;
                return entity;
            }
            if place == last {
                if NAMES.contains(&text.as_str()) {
                    entity.pending =
                        Some(Pending { owner: owner.clone(), uses: Vec::new(), former: false, naming: None, of: None, noun: text.clone() });
                }
                let surface = self.surface(item, from, last);
                entity.text = if from == start && last > start { surface } else { Self::bare_name(&surface) };
                return entity;
            }
            place += 1;
        }
        if entity.text.is_empty() {
            entity.text = self.surface(item, from.min(last), last);
        }
        entity
    }

    /// The text of a phrase from one part to another.
    pub(super) fn surface(&self, item: &Item, from: usize, to: usize) -> String {
        let (Some(first), Some(last)) = (item.parts.get(from), item.parts.get(to)) else { return String::new() };
        self.text.get(first.at.start..last.at.end).unwrap_or_default().trim().to_owned()
    }

    fn surface_of_owner(&self, item: &Item, owner: &Owner, from: usize, to: usize) -> String {
        let own = self.surface(item, from, to);
        match owner {
            Owner::Named(name) => format!("{name}の{own}"),
            Owner::Speaker | Owner::Default => own,
        }
    }

    /// A name without 氏 after it.
    pub(super) fn bare_name(name: &str) -> String {
        let name = name.strip_suffix('氏').filter(|rest| rest.chars().count() > 1 && !rest.ends_with('彼')).unwrap_or(name);
        // FW井川蓮: where a player stands is no part of the name.
        let player = ["FW", "MF", "DF", "GK", "ＦＷ", "ＭＦ", "ＤＦ", "ＧＫ"].iter().find_map(|place| name.strip_prefix(place));
        player.filter(|rest| rest.chars().next().is_some_and(|c| script(c) != Script::Letter)).unwrap_or(name).trim_start().to_owned()
    }

    /// Whether a text may be a name: not a common noun of some class, nor a number of things.
    pub(super) fn may_name(&self, text: &str) -> bool {
        let count = text.chars().count();
        !Self::is_vague(text)
            && (1..=30).contains(&count)
            && !NAMES.contains(&text)
            && !FIRST.contains(&text)
            && !Self::is_quantity(text)
            && !["generic", "common", "hobby", "subject"].iter().any(|class| self.is(text, class))
    }

    /// Whether a text may be somebody's name: no word for a thing that somebody has.
    fn may_be_somebody(&self, text: &str) -> bool {
        let honoured = ["さん", "くん", "君", "ちゃん", "氏", "様", "先生"].iter().any(|end| text.ends_with(end));
        let things = [
            "belonging",
            "org",
            "shop",
            "school",
            "place",
            "event",
            "occupation",
            "clinic",
            "vehicle",
            "home",
            "condition",
            "procedure",
            "project",
            "instrument",
            "award",
            "group",
        ];
        // One character is rather a name: 愛, 恵.
        let deed = text.chars().count() > 1 && self.language.pack.has(&format!("{text}する"));
        honoured || !deed && !things.iter().any(|class| self.is(text, class) && (text.chars().count() > 2 || self.whole(text, class)))
    }

    /// Whether a text is one of the whole words of a class.
    pub(super) fn whole(&self, text: &str, class: &str) -> bool {
        self.language.pack.classes.get(class).is_some_and(|words| words.whole.contains(text))
    }

    /// A role that somebody of that name fills.
    pub(super) fn role(&mut self, pending: &Pending, name: &str, at: Range<usize>) {
        let Some(&(relation, bears)) = self.choose(pending, name) else { return };
        // 部長の堀内さん: of what, nobody says.
        let of_nobody =
            bears == Bears::RoleOf && (pending.owner == Owner::Speaker || pending.owner == Owner::Default && !self.topic_is_thing());
        if of_nobody && !self.setting.is_written() {
            let named = ["さん", "氏", "くん", "君", "ちゃん", "様"].iter().any(|end| name.ends_with(end));
            if named && (self.is(&pending.noun, "title") || self.is(&pending.noun, "occupation")) {
                self.add_named("job_title", name, &pending.noun, at);
            }
            return;
        }
        // 3人兄弟の長男: of how many, and of nobody.
        if name.starts_with(|c: char| c.is_numeric() && !c.is_alphabetic()) {
            return;
        }
        // 近所の公園: not everything near is a neighbour.
        if self.relation_name(relation) == "neighbour_of"
            && !["さん", "くん", "ちゃん", "君", "夫妻", "一家", "氏"].iter().any(|end| name.ends_with(end))
        {
            return;
        }
        // 大学時代の先輩: they never worked together.
        let school = ["大学", "高校", "中学", "学生", "学校", "部活", "サークル", "ゼミ"];
        if self.relation_name(relation) == "colleague_of"
            && self.text.get(at.clone()).is_some_and(|said| school.iter().any(|word| said.starts_with(word)))
        {
            return;
        }
        if bears == Bears::Role && !self.thing(relation) {
            self.mention(name);
        }
        let Some(owner) = self.owner(&pending.owner, relation) else { return };
        let (head, tail) = if bears == Bears::RoleOf { (name.to_owned(), owner) } else { (owner, name.to_owned()) };
        if head == tail {
            return;
        }
        let phase = if pending.former && !self.permanent(relation) { Phase::UsedTo } else { Phase::Now };
        self.add(Finding { phase, ..Finding::new(head, relation, tail, at, format!("role {}", pending.noun)) });
    }

    /// The use of a noun that suits its owner and value.
    pub(super) fn choose<'p>(&self, pending: &'p Pending, value: &str) -> Option<&'p (RelationId, Bears)> {
        let about_thing = match &pending.owner {
            Owner::Named(owner) => !self.is_person(owner),
            Owner::Speaker => false,
            Owner::Default => self.speaker().is_none() || self.topic_is_thing(),
        };
        let fits = |(relation, _): &&(RelationId, Bears)| {
            let known = self.language.pack.relations.get(usize::from(*relation));
            known.is_some_and(|known| match &*known.name {
                "email" => value.contains('@'),
                "phone" => value.chars().filter(|c| c.is_numeric()).count() >= 3 && !value.contains('@'),
                // A side has a coach, a work a director.
                "coaches" => {
                    !matches!(&pending.owner, Owner::Named(owner) if self.is(owner, "work"))
                        && (!about_thing
                            || self
                                .owner_text(pending)
                                .is_none_or(|owner| ["team", "group", "org", "school"].iter().any(|class| self.is(&owner, class))))
                }
                "directed_by" => self
                    .owner_text(pending)
                    .is_none_or(|owner| !["team", "group", "org", "school"].iter().any(|class| self.is(&owner, class))),
                "employee_count" | "population" => value.chars().any(super::script::is_numeral),
                "official_language" | "prefers_language" | "speaks" => self.is(value, "language") || self.is(value, "code"),
                "implemented_in" | "programs_in" => self.is(value, "code"),
                // 改修の担当は西田: in the minutes it is somebody who is in charge.
                "works_on" => !(self.setting.is_written() && self.is_person(value)),
                _ => true,
            })
        };
        let matching = |(relation, _): &&(RelationId, Bears)| self.thing(*relation) == about_thing;
        pending.uses.iter().filter(fits).find(matching).or_else(|| pending.uses.iter().find(fits))
    }

    /// The text of what a role is of, where it is known.
    fn owner_text(&self, pending: &Pending) -> Option<String> {
        match &pending.owner {
            Owner::Named(owner) => Some(owner.clone()),
            Owner::Default => self.topic(),
            Owner::Speaker => None,
        }
    }

    /// Whom an owner means; `None` where nobody is known.
    pub(super) fn owner(&self, owner: &Owner, relation: RelationId) -> Option<String> {
        match owner {
            Owner::Named(name) => Some(name.clone()),
            Owner::Speaker => self.speaker(),
            Owner::Default => {
                if self.thing(relation) {
                    return self.topic().filter(|topic| Some(topic) != self.speaker().as_ref());
                }
                self.topic_of_attribute().or_else(|| self.speaker())
            }
        }
    }

    fn nickname(&mut self, name: &str, other: &str, item: &Item) {
        let at = item.at();
        self.add_named("nickname", name, other, at);
    }

    /// Gives a name to what is called something: a role, a pet.
    fn call(&mut self, owner: &Owner, what: &str, name: &str, former: bool, entity: &Entity) {
        let at = entity.at.clone();
        if let Some((uses, once)) = self.noun(what) {
            let pending = Pending { owner: owner.clone(), uses, former: former || once, naming: None, of: None, noun: what.to_owned() };
            if pending.is_role() {
                self.role(&pending, name, at);
            }
        } else if self.is(what, "pet") {
            self.add_named("is_a", name, what, at);
        }
    }

    /// Somebody keeps a pet of that name, where it is said or taken for granted whose it is.
    fn keep(&mut self, owner: &Owner, name: &str, at: Range<usize>) {
        let owner = match owner {
            Owner::Named(owner) => Some(owner.clone()),
            Owner::Speaker => self.speaker(),
            Owner::Default => self.speaker().filter(|_| !self.setting.is_written()),
        };
        if let Some(owner) = owner {
            self.add_named("has_pet", &owner, name, at);
        }
    }

    /// A claim of a relation by name, if the pack has it.
    pub(super) fn add_named(&mut self, relation: &str, head: &str, tail: &str, at: Range<usize>) {
        if let Some(relation) = self.relation(relation) {
            self.add(Finding {
                polarity: Polarity::Holds,
                ..Finding::new(head.to_owned(), relation, tail.to_owned(), at, "apposition".to_owned())
            });
        }
    }

    /// Whom a pronoun means: `None` if it is no pronoun, `Some(None)` if nobody is known.
    #[expect(clippy::option_option, reason = "no pronoun, a pronoun for nobody known, and one for somebody")]
    fn pronoun(&self, text: &str, goes_on: bool) -> Option<Option<String>> {
        if PEOPLE.contains(&text) {
            let known = self.last_person();
            // 彼女 is a role where nobody was spoken of.
            return if known.is_none() && goes_on && matches!(text, "彼女" | "彼") { None } else { Some(known) };
        }
        if THINGS.contains(&text) {
            return Some(self.last_thing());
        }
        let rest = ["その", "この", "あの"].iter().find_map(|word| text.strip_prefix(word))?;
        if self.noun(rest).is_some_and(|(uses, _)| uses.iter().any(|(_, bears)| *bears != Bears::Value)) || rest.is_empty() {
            return None;
        }
        Some(self.last_thing())
    }

    /// Whether a text counts things and names none: "2匹", "三人".
    pub(super) fn is_quantity(text: &str) -> bool {
        let rest = text.trim_start_matches(super::script::is_numeral);
        rest.len() < text.len()
            && [
                "匹",
                "頭",
                "羽",
                "人",
                "名",
                "冊",
                "本",
                "台",
                "個",
                "つ",
                "枚",
                "回",
                "度",
                "軒",
                "杯",
                "種類",
                "か国",
                "カ国",
                "ヶ国",
                "人兄弟",
                "人きょうだい",
                "年",
                "代目",
                "足",
                "着",
                "件",
                "泊",
                "回目",
                "周",
                "問",
                "往復",
                "歳",
                "機",
            ]
            .contains(&rest)
    }

    /// Whether a name is more likely a person's than a thing's.
    pub(super) fn is_person(&self, name: &str) -> bool {
        const THINGS_OF: &[&str] = &[
            "org",
            "school",
            "place",
            "shop",
            "system",
            "project",
            "group",
            "team",
            "clinic",
            "event",
            "env",
            "database",
            "software",
            "home",
            "vehicle",
            "device",
            "instrument",
            "award",
            "degree",
        ];
        if ["さん", "くん", "君", "ちゃん", "氏", "様", "先生", "先輩"].iter().any(|end| name.ends_with(end))
            || self.people.iter().any(|known| known == name)
        {
            return true;
        }
        if THINGS_OF.iter().any(|class| self.is(name, class)) {
            return false;
        }
        let role = self
            .noun(name.rsplit('の').next().unwrap_or(name))
            .is_some_and(|(uses, _)| uses.iter().any(|(_, bears)| *bears != Bears::Value));
        let count = name.chars().count();
        if ["occupation", "title", "hobby", "generic", "belonging"].iter().any(|class| self.whole(name, class)) {
            return false;
        }
        let scripts = |wanted: Script| name.chars().all(|c| script(c) == wanted);
        role || scripts(Script::Kanji) && count <= 5 || scripts(Script::Hiragana) && count <= 5 || scripts(Script::Katakana) && count <= 6
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_written};

    #[test]
    fn roles_in_front_of_names_are_claims() {
        check("妻の千尋の父は工といいます。", &["わたなべ married_to 千尋 Now", "千尋 child_of 工 Now"]);
        check("友達の「ゆき」こと雪江は画家です。", &["雪江 nickname ゆき Now", "わたなべ friend_of 雪江 Now", "雪江 job_title 画家 Now"]);
        check("元夫の工に会った。", &["わたなべ married_to 工 UsedTo", "わたなべ met 工 Happened"]);
    }

    #[test]
    fn what_somebody_has_is_nobody() {
        check("妻の転勤で忙しい。", &[]);
        check("友人の結婚式に出席した。", &["わたなべ attended 友人の結婚式 Happened"]);
    }

    #[test]
    fn an_unnamed_relative_keeps_the_words_for_it() {
        check("姉の夫は医師です。", &["姉の夫 job_title 医師 Now"]);
        check_written("星空運輸の社長は川瀬工。", &["川瀬工 ceo_of 星空運輸 Now"]);
    }
}
