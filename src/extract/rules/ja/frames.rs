//! Which frames of the pack a clause fills: arguments to slots by particle and class, the most telling frame first.
//! Knows nothing of tense.

use super::clause::{Arg, Clause, Item, Sort as PartSort};
use super::form::{Flags, Form, Link};
use super::inflect::Class;
use super::pack::{Frame, Holds, Mode, Slot, Sort};
use super::particle::Particle;
use super::reader::Reader;
use super::script::is_numeral;
use crate::time::expr::{Grain, Value};

/// A frame that a clause fills.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) frame: Frame,
    pub(super) form: Form,
    pub(super) head: Option<Filled>,
    pub(super) tail: Option<Filled>,
    pub(super) from: Option<Filled>,
    /// The arguments that it uses.
    pub(super) used: Vec<usize>,
    /// What the tail ends in and does not keep.
    pub(super) affix: Box<str>,
    score: i32,
}

/// What fills a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filled {
    /// An argument, by its place, without so many of its last parts.
    Arg(usize, usize),
    /// What the clause modifies, or what is told of it.
    Gap,
}

impl Reader<'_> {
    /// The frames that a clause fills, best first; those that claim the same argument after better ones are left out.
    pub(super) fn matches(&self, clause: &Clause, gap: Option<&Item>) -> Vec<Match> {
        let super::clause::Predicate::Verb(readings) = &clause.predicate else { return Vec::new() };
        let mut all: Vec<Match> = Vec::new();
        for (word, class, form) in readings {
            let Some(frames) = self.language.pack.frames.get(word) else { continue };
            for frame in frames {
                if let Some(found) = self.fill(frame, clause, *class, *form, gap) {
                    all.push(found);
                }
            }
        }
        // What an answer leaves out is what was asked about.
        all.retain(|found| {
            found.tail.is_some()
                || !found.frame.slots.iter().any(|slot| slot.holds == Holds::Tail)
                || self.questions.iter().any(|asked| asked.relation == found.frame.relation)
        });
        // サポートを終了した: what is done to something is no state of whoever does it.
        let object = clause.args.iter().any(|arg| arg.particle == Particle::Wo);
        let lost = |found: &Match| matches!(found.frame.sort, Sort::Lost | Sort::LostAll);
        all.retain(|found| !object || lost(found) || found.frame.slots.iter().any(|slot| slot.holds != Holds::Head));
        // 不具合は2.0.3で修正された: of what, nobody says.
        all.retain(|found| found.head.is_some() || !self.thing(found.frame.relation) || self.topic().is_some());
        // ポスターに…とあった: in kana it is rather that something is there than that one met it.
        all.retain(|found| {
            let item = |place: &usize| clause.args.get(*place).and_then(|arg| arg.items.last());
            let met = matches!(&found.tail, Some(Filled::Arg(place, _)) if item(place).is_some_and(|item| self.is_surely_somebody(item)));
            met || !found.frame.text.ends_with("あう")
        });
        let unsure = gap.is_some_and(|item| !self.is_surely_somebody(item));
        all.sort_by_key(|found| {
            let guessed =
                unsure && found.form.link == Link::Cleft && found.tail == Some(Filled::Gap) && self.of_people(found.frame.relation);
            (std::cmp::Reverse(found.score), guessed)
        });
        let mut kept: Vec<Match> = Vec::new();
        for found in all {
            let place = |filled: &Option<Filled>| if let Some(Filled::Arg(place, _)) = filled { Some(*place) } else { None };
            let shares = |other: &Match| {
                found.used.iter().any(|used| other.used.contains(used) && Some(*used) != place(&other.head))
                    || place(&found.tail).is_some_and(|tail| place(&other.tail) == Some(tail) || other.used.contains(&tail))
            };
            let gaps = |one: &Match| [&one.head, &one.tail].into_iter().any(|filled| *filled == Some(Filled::Gap));
            let clashes = kept.iter().any(|other| {
                shares(other)
                    || gaps(other) && gaps(&found) && !(other.head == Some(Filled::Gap) && found.head == Some(Filled::Gap))
                    || other.tail == found.tail
                    || found.frame.relation == other.frame.relation
                    || !found.frame.literals.is_empty()
                    || found.tail.is_some() && found.tail == other.from
                    || found.from.is_some()
            });
            if !clashes {
                kept.push(found);
            }
        }
        kept
    }

    fn fill(&self, frame: &Frame, clause: &Clause, class: Class, form: Form, gap: Option<&Item>) -> Option<Match> {
        let passive = form.is(Flags::PASSIVE) && class != Class::Ichidan;
        if passive || form.is(Flags::CAUSED) {
            return None;
        }
        let fits_mode = match frame.mode {
            Mode::Any => true,
            Mode::Ongoing => form.any(Flags::ONGOING.with(Flags::LASTING)),
            Mode::Asked => form.is(Flags::ASKED),
        };
        if !fits_mode || form.is(Flags::ASKED) && frame.mode != Mode::Asked {
            return None;
        }
        let mut found =
            Match { frame: frame.clone(), form, head: None, tail: None, from: None, used: Vec::new(), affix: "".into(), score: 0 };
        // Words that must be there, with what they belong to.
        let mut owned: Option<(usize, usize)> = None;
        for (word, particle) in &frame.literals {
            let place = clause.args.iter().position(|arg| {
                arg.items.last().and_then(|item| item.parts.last()).is_some_and(|part| self.text.get(part.at.clone()) == Some(word))
                    && particle.is_none_or(|particle| {
                        // 購読はやめた: what is spoken of loses its particle.
                        accepts(particle, arg) || arg.particle == Particle::Topic && matches!(particle, Particle::Wo | Particle::Ga)
                    })
            });
            let place = place?;
            found.score += 6;
            found.used.push(place);
            if clause.args.get(place).and_then(|arg| arg.items.last()).is_some_and(|item| item.parts.len() > 1) {
                owned = Some((place, 1));
            }
        }
        let mut gap_left = gap.is_some();
        for slot in &frame.slots {
            // が marks the head only where it does not mark the tail.
            let tail_by_ga = slot.holds == Holds::Head
                && frame.slots.iter().any(|other| other.holds == Holds::Tail && other.particles.contains(&Particle::Ga));
            let filled = self.find(slot, clause, &found, owned, false);
            let by_ga = |filled: &Filled| matches!(filled, Filled::Arg(place, _) if clause.args.get(*place).is_some_and(|arg| arg.particle == Particle::Ga));
            if let Some(filled) = filled.filter(|filled| !(tail_by_ga && by_ga(filled))) {
                found.score += if slot.holds == Holds::Head { 2 } else { 4 };
                if let Some((_, wanted)) = &slot.class {
                    found.score += if *wanted { 3 } else { 1 };
                }
                if !slot.affix.is_empty() {
                    found.score += 5;
                    found.affix.clone_from(&slot.affix);
                }
                if let Filled::Arg(place, left) = filled {
                    if left == 0 {
                        found.used.push(place);
                    } else {
                        owned = None;
                    }
                }
                put(&mut found, slot.holds, filled);
            }
        }
        // Topics and bare nouns fill what is still missing.
        for slot in &frame.slots {
            let missing = match slot.holds {
                Holds::Tail => found.tail.is_none(),
                Holds::Head => found.head.is_none(),
                Holds::From | Holds::Any => false,
            };
            if !missing || slot.optional {
                continue;
            }
            // 父は退職した: whom it is said of is nothing that only things are.
            let somebody = |filled: &Filled| {
                let Filled::Arg(place, _) = filled else { return false };
                let item = clause.args.get(*place).and_then(|arg| arg.items.last());
                let last = item.and_then(|item| item.parts.last()).and_then(|part| self.text.get(part.at.clone()));
                slot.holds == Holds::Tail && !self.of_people(frame.relation) && last.is_some_and(|last| self.is_relative(last))
            };
            if let Some(filled) = self.find(slot, clause, &found, None, true).filter(|filled| !somebody(filled)) {
                found.score += 2 + i32::from(slot.class.as_ref().is_some_and(|(_, wanted)| *wanted)) * 2;
                if !slot.affix.is_empty() {
                    found.score += 5;
                    found.affix.clone_from(&slot.affix);
                }
                if let Filled::Arg(place, _) = filled {
                    found.used.push(place);
                }
                put(&mut found, slot.holds, filled);
            } else if gap_left
                && gap.is_some_and(|item| {
                    // 住んでいるのは小山です: what is asked for looks like a name, and is one only with a title.
                    let asked = form.link == Link::Cleft;
                    let somebody = if asked { self.is_surely_somebody(item) } else { self.is_somebody(item) };
                    let people = self.of_people(frame.relation);
                    self.item_fits(item, slot)
                        && (slot.holds == Holds::Head || !somebody || people)
                        && !(asked && people && !self.is_somebody(item))
                })
            {
                gap_left = false;
                found.score += 2 + i32::from(slot.class.as_ref().is_some_and(|(_, wanted)| *wanted)) * 2;
                put(&mut found, slot.holds, Filled::Gap);
            } else if slot.holds == Holds::Tail {
                found.score -= 4;
            }
        }
        let any_missing = frame.slots.iter().any(|slot| {
            slot.holds == Holds::Any
                && !slot.optional
                && !found.used.iter().any(|place| clause.args.get(*place).is_some_and(|arg| slot.particles.contains(&arg.particle)))
        });
        let no_tail = found.tail.is_none() && frame.slots.iter().any(|slot| slot.holds == Holds::Tail);
        if any_missing || no_tail && !self.elliptic {
            return None;
        }
        if found.head.is_none() {
            let head = frame.slots.iter().find(|slot| slot.holds == Holds::Head);
            let fits = |place: &usize| {
                head.is_none_or(|slot| {
                    clause.args.get(*place).and_then(|arg| arg.items.last()).is_some_and(|item| self.item_fits(item, slot))
                })
            };
            let subject = subject(clause, &found).filter(fits);
            if let Some(place) = subject {
                found.head = Some(Filled::Arg(place, 0));
                found.used.push(place);
            } else if gap_left && found.tail.is_some() && gap.is_some_and(|item| !item.is_time()) {
                found.head = Some(Filled::Gap);
            }
        }
        Some(found)
    }

    /// The argument for a slot; `loose` takes topics and nouns without a particle too.
    fn find(&self, slot: &Slot, clause: &Clause, found: &Match, owned: Option<(usize, usize)>, loose: bool) -> Option<Filled> {
        let free = |place: &usize| !found.used.contains(place) && !matches!(&found.tail, Some(Filled::Arg(used, _)) if used == place);
        if slot.particles.contains(&Particle::No)
            && let Some((place, left)) = owned
        {
            let item = clause.args.get(place)?.items.last()?;
            let head = Item { parts: item.parts.get(..item.parts.len().saturating_sub(left))?.to_vec() };
            return self.item_fits(&head, slot).then_some(Filled::Arg(place, left));
        }
        let mut places: Vec<usize> = (0..clause.args.len()).filter(free).collect();
        // A tail stands nearest to its predicate, a head farthest.
        if slot.holds != Holds::Head {
            places.reverse();
        }
        places.into_iter().find_map(|place| {
            let arg = clause.args.get(place)?;
            let exact = slot.particles.iter().any(|particle| accepts(*particle, arg));
            let topic =
                arg.topic || matches!(arg.particle, Particle::Topic | Particle::Too | Particle::Only | Particle::Bare | Particle::Also);
            // ジム、先月で退会した: only times stand between.
            let near = clause.args.get(place + 1..).unwrap_or_default().iter().all(|arg| arg.items.iter().all(Item::is_time));
            let bare_ok = arg.particle != Particle::Bare || near || slot.holds == Holds::Head && place == 0;
            let by_topic = loose
                && topic
                && bare_ok
                && (matches!(arg.particle, Particle::Topic | Particle::Too | Particle::Only | Particle::Also)
                    && slot
                        .particles
                        .iter()
                        .any(|particle| matches!(particle, Particle::Ga | Particle::Wo | Particle::Topic | Particle::Bare))
                    || arg.particle == Particle::Bare
                        && slot.particles.iter().any(|particle| {
                            matches!(particle, Particle::Ga | Particle::Wo | Particle::Ni | Particle::He | Particle::Topic | Particle::Bare)
                        }));
            // 陶芸の勉強をする
            let owner = arg.particle == Particle::No
                && slot.holds == Holds::Tail
                && slot.particles.iter().any(|particle| matches!(particle, Particle::Wo | Particle::Ni));
            if !(exact || by_topic || owner) {
                return None;
            }
            let item = arg.items.last()?;
            let text = self.text.get(item.at()).unwrap_or_default();
            let ends = slot.affix.is_empty() || text.len() > slot.affix.len() && text.ends_with(&*slot.affix);
            if !ends {
                return None;
            }
            let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or(text);
            if matches!(arg.particle, Particle::Bare | Particle::De)
                && (Self::is_quantity(text) || Self::is_quantity(last))
                && !slot.class.as_ref().is_some_and(|(_, wanted)| *wanted)
            {
                return None;
            }
            self.item_fits(item, slot).then_some(Filled::Arg(place, 0))
        })
    }

    /// Whether a noun phrase is what a slot asks for.
    pub(super) fn item_fits(&self, item: &Item, slot: &Slot) -> bool {
        // 夏が好き: a season can be liked.
        let season = slot.holds == Holds::Tail
            && slot.particles.contains(&Particle::Ga)
            && self.text.get(item.at()).is_some_and(|text| SEASONS.contains(&text));
        // 小さい頃に習った: a time of life is nothing that anybody has.
        let aged = slot.particles.iter().any(|particle| matches!(particle, Particle::Ni | Particle::De | Particle::Bare | Particle::Topic))
            && self
                .text
                .get(item.at())
                .is_some_and(|text| ["頃", "ころ", "時", "とき", "当時", "時代"].iter().any(|end| text.ends_with(end)));
        if aged && slot.class.is_none() {
            return false;
        }
        let Some((classes, wanted)) = &slot.class else { return season || !item.is_time() };
        let dated = classes.split('|').any(|class| matches!(class, "date" | "dateset" | "hours"));
        if item.is_time() && !(dated && *wanted) {
            return false;
        }
        self.item_is(item, classes) == *wanted
    }

    /// Whether a noun phrase is of one of some classes: those of the pack, and the shapes of dates, amounts and versions.
    pub(super) fn item_is(&self, item: &Item, classes: &str) -> bool {
        let text = self.text.get(item.at()).unwrap_or_default();
        let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or_default();
        let (classes, but) = classes.split_once('^').unwrap_or((classes, ""));
        let of = |classes: &str| {
            let mut classes = classes.split('|').filter(|class| !class.is_empty());
            classes.any(|class| self.shaped(item, text, class) || self.is(text, class) || self.is(last, class))
        };
        of(classes) && !of(but)
    }

    fn shaped(&self, item: &Item, text: &str, class: &str) -> bool {
        let times = || item.times().filter_map(|time| self.times.get(time));
        let digits = text.chars().any(is_numeral);
        match class {
            "date" => item.is_time() && times().any(|time| matches!(time.value, Value::Moment(_) | Value::Span(_))),
            "dateset" => {
                text.contains("曜")
                    || text.contains("平日")
                    || text.contains("週末")
                    || times().any(|time| matches!(time.value, Value::Set(_)))
                    || text.starts_with('週')
            }
            "hours" => {
                item.parts.iter().any(|part| matches!(part.sort, PartSort::Time(_)))
                    && times().any(|time| time.grain < Grain::Day)
                    && text.contains(['時', ':', '：'])
                    || text.contains('時') && digits
            }
            "money" => {
                digits && ["円", "ドル", "ユーロ", "ポンド", "元", "ウォン", "万", "億"].iter().any(|unit| text.contains(unit))
                    || text.starts_with(['¥', '￥', '$', '€'])
                    || text == "無料"
            }
            "count" => digits && (text.contains('人') || text.contains('名') || text.ends_with("世帯")),
            "age" => digits && ["歳", "才", "さい"].iter().any(|unit| text.ends_with(unit)),
            "version" => {
                let plain = text.trim_start_matches("バージョン").trim_start_matches(['v', 'V', 'ｖ']).trim_start_matches("er.").trim();
                plain.starts_with(|c: char| c.is_numeric())
                    && (plain.contains('.') || plain.len() < text.len() || plain.ends_with(['系', '版']))
                    && plain.chars().all(|c| c.is_ascii_graphic() || c.is_numeric() || c == '系' || c == '版')
            }
            "port" => {
                text.chars().filter(|c| c.is_numeric()).count() >= 2 && text.chars().all(|c| c.is_numeric() || "番ポートで".contains(c))
            }
            "address" => text.contains('/') || text.contains("GitHub") || text.contains("GitLab") || text.contains("://"),
            "blood" => text.ends_with('型') && text.chars().next().is_some_and(|c| "ABOＡＢＯ".contains(c)) && text.chars().count() <= 6,
            "person" => self.is_person(text),
            _ => false,
        }
    }

    /// Whether a noun phrase is a person: by a role, or by a name.
    pub(super) fn is_somebody(&self, item: &Item) -> bool {
        let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or_default();
        self.noun(last).is_some_and(|(uses, _)| uses.iter().any(|(_, bears)| *bears == super::pack::Bears::Role))
            || self.is_person(last) && !self.is(last, "generic")
    }

    /// Whether a noun phrase is a person by a role or title, not only by the look of a name.
    pub(super) fn is_surely_somebody(&self, item: &Item) -> bool {
        let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or_default();
        let role = |part: &super::clause::Part| {
            self.text
                .get(part.at.clone())
                .and_then(|text| self.noun(text))
                .is_some_and(|(uses, _)| uses.iter().all(|(relation, bears)| *bears == super::pack::Bears::Role && !self.thing(*relation)))
        };
        item.parts.iter().rev().take(2).any(role)
            || ["さん", "くん", "君", "ちゃん", "氏", "先生", "様"].iter().any(|end| last.ends_with(end))
            || self.spoken.people.iter().any(|known| known == last)
    }

    /// Whether a relation's tails are people.
    fn of_people(&self, relation: super::pack::RelationId) -> bool {
        matches!(
            self.relation_name(relation),
            "met"
                | "married_to"
                | "engaged_to"
                | "partner_of"
                | "friend_of"
                | "lives_with"
                | "neighbour_of"
                | "colleague_of"
                | "mentored_by"
                | "treated_by"
                | "manages"
                | "reports_to"
                | "parent_of"
                | "child_of"
                | "sibling_of"
                | "founded_by"
                | "written_by"
                | "directed_by"
                | "has_pet"
        )
    }

    /// Whether a time is a length or rule rather than a moment.
    pub(super) fn is_moment(&self, time: usize) -> bool {
        self.times.get(time).is_some_and(|time| !matches!(time.value, Value::Set(_)) && time.grain != Grain::DayPart)
    }
}

fn put(found: &mut Match, holds: Holds, filled: Filled) {
    match holds {
        Holds::Head => found.head = Some(filled),
        Holds::Tail => found.tail = Some(filled),
        Holds::From => found.from = Some(filled),
        Holds::Any => {}
    }
}

/// Times that somebody can like.
const SEASONS: &[&str] = &[
    "春",
    "夏",
    "秋",
    "冬",
    "朝",
    "夜",
    "夕方",
    "週末",
    "正月",
    "お正月",
    "クリスマス",
    "月曜日",
    "月曜",
    "金曜日",
    "日曜日",
    "ハロウィン",
    "梅雨",
];

/// Whether an argument's particle is the one a frame asks for.
fn accepts(particle: Particle, arg: &Arg) -> bool {
    if particle == arg.particle {
        return particle != Particle::Bare;
    }
    matches!(
        (particle, arg.particle),
        (Particle::Ni, Particle::He) | (Particle::He, Particle::Ni) | (Particle::Topic, Particle::Too | Particle::Ga)
    ) || matches!(particle, Particle::Ga | Particle::Wo) && arg.particle == Particle::Only
}

/// The argument that says whom the clause is about.
fn subject(clause: &Clause, found: &Match) -> Option<usize> {
    let free = |place: &usize| !found.used.contains(place);
    let of = |particles: &[Particle]| {
        (0..clause.args.len()).filter(free).find(|place| {
            clause.args.get(*place).is_some_and(|arg| particles.contains(&arg.particle) && !arg.items.iter().all(Item::is_time))
        })
    };
    // 犬も猫も: of several with も, none is whom it is about.
    let too = clause.args.iter().filter(|arg| arg.particle == Particle::Too).count();
    of(&[Particle::Topic]).or_else(|| of(&[Particle::Ga])).or_else(|| if too > 1 { None } else { of(&[Particle::Too]) })
}

/// Whether a link leaves a clause without a tense of its own.
pub(super) const fn is_chained(link: Link) -> bool {
    matches!(link, Link::Te | Link::Stem | Link::And | Link::NotBut)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_written};

    #[test]
    fn the_class_of_an_argument_chooses_the_frame() {
        check("太鼓を叩いています。", &["わたなべ plays_instrument 太鼓 Now"]);
        check("星空大学に通っています。", &["わたなべ studies_at 星空大学 Now"]);
        check("星空眼科に通っています。", &["わたなべ treated_by 星空眼科 Now"]);
    }

    #[test]
    fn what_needs_a_thing_takes_nothing_from_what_needs_somebody() {
        check("仙台に引っ越しました。", &["わたなべ lives_in 仙台 Began"]);
        check("本の帯に「海へ」とあった。", &[]);
        check("きのう水野さんにあった。", &["わたなべ met 水野さん Happened"]);
    }

    #[test]
    fn each_argument_is_claimed_once() {
        check("星空運輸で運転手として働いています。", &["わたなべ employer 星空運輸 Now", "わたなべ job_title 運転手 Now"]);
        check("犬も亀も飼っています。", &["わたなべ has_pet 犬 Now", "わたなべ has_pet 亀 Now"]);
        check("紅茶より緑茶の方が好きです。", &["わたなべ prefers 緑茶 Now"]);
    }

    #[test]
    fn the_passive_turns_head_and_tail_around() {
        check_written("配送基盤は鶴班により保守されている。", &["配送基盤 maintained_by 鶴班 Now"]);
        check_written("鶴班が配送基盤を保守している。", &["配送基盤 maintained_by 鶴班 Now"]);
    }
}
