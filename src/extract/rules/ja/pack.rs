//! The pattern pack: how each relation is put into Japanese words, read from TOML.
//!
//! A table is a relation; its lists are phrasings:
//! - `say` (a state), `begin` (a state that begins), `end` (one that ends), `did` (an event) and `off` (an event that is called off), `lost` and `lost_all` (what ends, with its value not said) hold frames such as
//!   `tailに 住む` or `?fromから tailに 引っ越す`: slots with the particles that mark them, words that must be there (`興味が`), and
//!   the predicate in its dictionary form. A slot may ask for a class of words (`tail:schoolに`) or refuse one (`tail:!placeで`);
//!   What stands between a slot and its particle (`tailアレルギーが`) ends the argument and is left out. `?` makes it optional; `/` parts particles that do equally; `:ongoing` or `:asked` after the predicate asks for ている or for a request.
//! - `noun`: what it is of has it as a value ("OWNERの職業はTAIL"); `role`: the value is somebody ("OWNERの弟のTAIL");
//!   `role_of`: somebody of that role is the head ("TAILの社長のHEAD").
//! - `suffix`: a value that ends in it ("TAIL在住"); with `:class` before it, only where what precedes is of the class.
//! - `value`: the classes of values that the copula alone claims ("HEADは看護師だ").
//! - `thing = true`: the head is never a person who speaks.
//!
//! Classes are joined by `|`; what stands behind `^` is left out of them (`tail:org^clubに`).
//!
//! A table `[class-NAME]` is a class of words: `whole` ones, `endings` and `beginnings`; `[words]` are predicates without a relation.
//!
//! Owns the notation. Knows nothing of sentences.

use super::super::PatternError;
use super::inflect::{At, Class, stems};
use super::particle::Particle;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A place in a list of relations.
pub(super) type RelationId = u16;
/// A predicate by its dictionary form.
pub(super) type WordId = u32;

/// A predicate that no pattern knows.
pub(super) const OTHER: WordId = 0;

/// What a frame tells of its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Say,
    Begin,
    End,
    Did,
    /// What was to be is called off.
    Off,
    /// A state ends, and its value is not said: "仕事を辞めた".
    Lost,
    /// The same of all that anybody has: "失業した".
    LostAll,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Head,
    Tail,
    /// The tail that ends as another begins.
    From,
    /// Something that may be there and is not claimed.
    Any,
}

/// An argument that a frame takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) holds: Holds,
    pub(super) particles: Vec<Particle>,
    /// The class asked for, or refused.
    pub(super) class: Option<(Box<str>, bool)>,
    pub(super) optional: bool,
    /// What the argument must end in, and its tail does not keep: アレルギー of `tailアレルギーが`.
    pub(super) affix: Box<str>,
}

/// In what form a frame's predicate must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Any,
    /// ている
    Ongoing,
    /// てください, てほしい
    Asked,
}

/// A way to say a relation with a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) relation: RelationId,
    pub(super) sort: Sort,
    pub(super) mode: Mode,
    pub(super) slots: Vec<Slot>,
    /// Words that must be there, each with a particle or none.
    pub(super) literals: Vec<(Box<str>, Option<Particle>)>,
    /// The frame as it is written.
    pub(super) text: Box<str>,
}

/// How a noun bears on a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bears {
    /// Its owner is the head, a value the tail.
    Value,
    /// Its owner is the head, somebody the tail.
    Role,
    /// Its owner is the tail, somebody the head.
    RoleOf,
}

/// What is known of a relation beside its phrasings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RelationWords {
    pub(super) name: Box<str>,
    pub(super) thing: bool,
    pub(super) event: bool,
    pub(super) values: Vec<Box<str>>,
}

/// A suffix that makes a value: what stands before it is the tail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Suffix {
    pub(super) relation: RelationId,
    pub(super) class: Option<(Box<str>, bool)>,
    pub(super) word: Box<str>,
}

/// The classes that the shape of a text tells, beside those that packs list.
const SHAPES: [&str; 11] = ["date", "dateset", "hours", "money", "count", "age", "version", "port", "address", "blood", "person"];

/// A class of words: whole ones, endings by their last characters, and beginnings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) whole: FxHashSet<Box<str>>,
    endings: FxHashMap<char, Vec<Box<str>>>,
    beginnings: Vec<Box<str>>,
}

impl Words {
    /// Whether a text is one of the endings, and nothing before it.
    pub(super) fn is_ending(&self, text: &str) -> bool {
        let endings = text.chars().next_back().and_then(|last| self.endings.get(&last));
        endings.is_some_and(|endings| endings.iter().any(|ending| **ending == *text))
    }
}

/// The phrasings of all relations.
#[derive(Clone, Debug, Default)]
pub(super) struct Pack {
    pub(super) relations: Vec<RelationWords>,
    pub(super) frames: FxHashMap<WordId, Vec<Frame>>,
    pub(super) nouns: FxHashMap<Box<str>, Vec<(RelationId, Bears)>>,
    /// By their last characters.
    pub(super) suffixes: FxHashMap<char, Vec<Suffix>>,
    pub(super) classes: FxHashMap<Box<str>, Words>,
    /// Dictionary forms; a word's id is its place, from 1.
    pub(super) words: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, WordId>,
    /// The classes that phrasings ask for, each with its relation and phrasing.
    asked: Vec<(Box<str>, Box<str>, Box<str>)>,
}

impl Pack {
    /// Lays the tables of a text over what is there: phrasings add up.
    pub(super) fn lay(&mut self, text: &str) -> Result<(), PatternError> {
        let tables: BTreeMap<String, BTreeMap<String, toml::Value>> = toml::from_str(text)
            .map_err(|error| PatternError { of: "a pack of Japanese".to_owned(), reason: format!("it is no TOML: {}", error.message()) })?;
        for (name, table) in &tables {
            if let Some(class) = name.strip_prefix("class-") {
                let words = self.classes.entry(class.into()).or_default();
                for (key, value) in table {
                    let entries = strings(name, key, value)?;
                    match key.as_str() {
                        "whole" => words.whole.extend(entries),
                        "beginnings" => words.beginnings.extend(entries),
                        "endings" => {
                            for ending in entries {
                                if let Some(last) = ending.chars().next_back() {
                                    words.endings.entry(last).or_default().push(ending);
                                }
                            }
                        }
                        _ => return Err(PatternError { of: name.clone(), reason: format!("no class has {key}") }),
                    }
                }
                continue;
            }
            if name == "words" {
                for (key, value) in table {
                    for word in strings(name, key, value)? {
                        self.word(&word);
                    }
                }
                continue;
            }
            self.relation(name, table)?;
        }
        Ok(())
    }

    /// Whether every class that a phrasing asks for is one, once all packs are laid.
    ///
    /// # Errors
    /// [`PatternError`] names the relation and the phrasing that asks for another.
    pub(super) fn check(&self) -> Result<(), PatternError> {
        for (relation, phrasing, classes) in &self.asked {
            if let Some(class) = classes.split(['|', '^']).find(|class| !SHAPES.contains(class) && !self.classes.contains_key(*class)) {
                return Err(PatternError { of: relation.to_string(), reason: format!("{phrasing:?}: there is no class {class:?}") });
            }
        }
        Ok(())
    }

    /// A class as a phrasing of a relation asks for it, and whether it is wanted or refused.
    fn asked(&mut self, relation: &str, phrasing: &str, class: &str) -> (Box<str>, bool) {
        let (class, wanted) = class.strip_prefix('!').map_or((class, true), |class| (class, false));
        self.asked.push((relation.into(), phrasing.into(), class.into()));
        (class.into(), wanted)
    }

    fn relation(&mut self, name: &str, table: &BTreeMap<String, toml::Value>) -> Result<(), PatternError> {
        let id = self.id(name);
        for (key, value) in table {
            match key.as_str() {
                "thing" | "event" => {
                    let Some(known) = self.relations.get_mut(usize::from(id)) else { continue };
                    let set = value.as_bool().unwrap_or(false);
                    *(if key == "thing" { &mut known.thing } else { &mut known.event }) = set;
                }
                "value" => {
                    let values = strings(name, key, value)?;
                    for class in &values {
                        self.asked(name, class, class);
                    }
                    if let Some(known) = self.relations.get_mut(usize::from(id)) {
                        known.values.extend(values);
                    }
                }
                "noun" | "role" | "role_of" => {
                    let bears = match key.as_str() {
                        "noun" => Bears::Value,
                        "role" => Bears::Role,
                        _ => Bears::RoleOf,
                    };
                    for noun in strings(name, key, value)? {
                        self.nouns.entry(noun).or_default().push((id, bears));
                    }
                }
                "suffix" => {
                    for entry in strings(name, key, value)? {
                        let (class, word) = match entry.split_once(':') {
                            Some((class, word)) => (Some(class), word),
                            None => (None, &*entry),
                        };
                        let class = class.map(|class| self.asked(name, &entry, class));
                        if let Some(last) = word.chars().next_back() {
                            self.suffixes.entry(last).or_default().push(Suffix { relation: id, class, word: word.into() });
                        }
                    }
                }
                "say" | "begin" | "end" | "did" | "off" | "lost" | "lost_all" => {
                    let sort = match key.as_str() {
                        "say" => Sort::Say,
                        "begin" => Sort::Begin,
                        "end" => Sort::End,
                        "off" => Sort::Off,
                        "lost" => Sort::Lost,
                        "lost_all" => Sort::LostAll,
                        _ => Sort::Did,
                    };
                    for entry in strings(name, key, value)? {
                        self.frame(name, id, sort, &entry)?;
                    }
                }
                _ => return Err(PatternError { of: name.to_owned(), reason: format!("no relation has {key}") }),
            }
        }
        Ok(())
    }

    fn id(&mut self, name: &str) -> RelationId {
        let known = self.relations.iter().position(|relation| &*relation.name == name);
        let place = known.unwrap_or_else(|| {
            self.relations.push(RelationWords { name: name.into(), ..RelationWords::default() });
            self.relations.len() - 1
        });
        RelationId::try_from(place).unwrap_or(RelationId::MAX)
    }

    /// The id of a dictionary form.
    pub(super) fn word(&mut self, word: &str) -> WordId {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        self.words.push(word.into());
        let id = WordId::try_from(self.words.len()).unwrap_or(OTHER);
        self.ids.insert(word.into(), id);
        id
    }

    /// Whether a dictionary form is known.
    pub(super) fn has(&self, word: &str) -> bool {
        self.ids.contains_key(word)
    }

    /// The dictionary form of an id.
    pub(super) fn dictionary(&self, id: WordId) -> Option<&str> {
        self.words.get((id as usize).checked_sub(1)?).map(|word| &**word)
    }

    fn frame(&mut self, name: &str, relation: RelationId, sort: Sort, text: &str) -> Result<(), PatternError> {
        let fault = |reason: &str| PatternError { of: name.to_owned(), reason: format!("{text:?}: {reason}") };
        let mut parts: Vec<&str> = text.split_whitespace().collect();
        let predicate = parts.pop().ok_or_else(|| fault("it is empty"))?;
        let (predicate, mode) = match predicate.split_once(':') {
            None => (predicate, Mode::Any),
            Some((predicate, "ongoing")) => (predicate, Mode::Ongoing),
            Some((predicate, "asked")) => (predicate, Mode::Asked),
            Some(_) => return Err(fault("its predicate has an unknown form")),
        };
        let mut slots = Vec::new();
        let mut literals = Vec::new();
        for part in parts {
            let (optional, part) = part.strip_prefix('?').map_or((false, part), |part| (true, part));
            let holds = [("tail", Holds::Tail), ("head", Holds::Head), ("from", Holds::From), ("any", Holds::Any)];
            let slot = holds.into_iter().find_map(|(word, holds)| Some((holds, part.strip_prefix(word)?)));
            let Some((holds, rest)) = slot else {
                let (word, particle) = Particle::strip(part);
                literals.push((word.into(), particle));
                continue;
            };
            let (class, marks) = match rest.strip_prefix(':') {
                Some(rest) => {
                    let end = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
                    let (class, marks) = rest.split_at(end);
                    (Some(self.asked(name, text, class)), marks)
                }
                None => (None, rest),
            };
            let (affix, marks) = if marks.split('/').all(|mark| Particle::of(mark).is_some()) {
                ("", marks)
            } else {
                let (affix, particle) = Particle::strip(marks);
                if particle.is_none() {
                    return Err(fault("a slot ends in no particle"));
                }
                marks.split_at(affix.len())
            };
            let particles: Option<Vec<Particle>> = marks.split('/').map(Particle::of).collect();
            let particles = particles.ok_or_else(|| fault("a slot has an unknown particle"))?;
            slots.push(Slot { holds, particles, class, optional, affix: affix.into() });
        }
        let word = self.word(predicate);
        self.frames.entry(word).or_default().push(Frame { relation, sort, mode, slots, literals, text: text.into() });
        Ok(())
    }

    /// The stems of every dictionary form.
    pub(super) fn stems(&self) -> impl Iterator<Item = (String, WordId, At, Class)> {
        self.words.iter().zip(1..).flat_map(|(word, id)| {
            let (class, all) = stems(word);
            all.into_iter().map(move |(stem, at)| (stem, id, at, class))
        })
    }

    /// Whether a text is of a class: one of its words, or longer than one of its endings and ending in it.
    pub(super) fn is(&self, text: &str, class: &str) -> bool {
        let Some((words, last)) = self.classes.get(class).zip(text.chars().next_back()) else { return false };
        words.whole.contains(text)
            || words.endings.get(&last).is_some_and(|endings| endings.iter().any(|end| text.len() > end.len() && text.ends_with(&**end)))
            || words.beginnings.iter().any(|front| text.len() > front.len() && text.starts_with(&**front))
    }
}

fn strings(relation: &str, key: &str, value: &toml::Value) -> Result<Vec<Box<str>>, PatternError> {
    let fault = || PatternError { of: relation.to_owned(), reason: format!("{key} = {value} is no list of texts") };
    let list = value.as_array().ok_or_else(fault)?;
    list.iter().map(|entry| entry.as_str().map(Box::from).ok_or_else(fault)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a text is what a slot or suffix asks for.
    fn fits(pack: &Pack, text: &str, class: Option<&(Box<str>, bool)>) -> bool {
        class.is_none_or(|(class, wanted)| class.split('|').any(|class| pack.is(text, class)) == *wanted)
    }

    #[test]
    fn a_table_is_read_into_frames_nouns_and_suffixes() {
        let mut pack = Pack::default();
        pack.lay("[keeps]\nsay = ['tail:beastを 養う', '?fromから tailに/へ 移す', '世話を tailの する']\nnoun = ['家畜']\nsuffix = ['!beast:持ち']\n[class-beast]\nwhole = ['牛']\n").unwrap();
        let word = pack.word("養う");
        let frame = &pack.frames[&word][0];
        assert_eq!((frame.sort, frame.slots.len(), frame.slots[0].holds), (Sort::Say, 1, Holds::Tail));
        assert!(
            fits(&pack, "牛", frame.slots[0].class.as_ref()) && !fits(&pack, "車", frame.slots[0].class.as_ref()),
            "a slot asks for its class"
        );
        let moved = pack.word("移す");
        assert!(pack.frames[&moved][0].slots[0].optional, "? makes a slot optional");
        assert_eq!(pack.frames[&moved][0].slots[1].particles, [Particle::Ni, Particle::He]);
        assert_eq!(pack.nouns["家畜"], [(0, Bears::Value)]);
        assert!(
            fits(&pack, "車", pack.suffixes[&'ち'][0].class.as_ref()) && !fits(&pack, "牛", pack.suffixes[&'ち'][0].class.as_ref()),
            "! refuses"
        );
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| Pack::default().lay(text).unwrap_err().to_string();
        assert!(fault("[keeps]\nsays = []").contains("says"), "an unknown list is named");
        assert!(fault("[keeps]\nsay = ['tailヌ 養う']").contains("particle"), "an unknown particle is named");
        assert!(fault("[keeps").contains("TOML"), "a broken text is named");
    }
}
