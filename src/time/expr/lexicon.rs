//! Lexicons: what the words of a language stand for, read once from its tables.
//! Knows no grammar: which word may follow which is for the language's parsers.

use super::calendar::Grain;
use super::holiday;
use super::symbol::{DayPart, SeasonName, Which};
use crate::time::Zone;
use rustc_hash::FxHashMap;

/// What a word or phrase stands for; a word may stand for several things ("second", "may").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    Month(u32),
    /// 1 (Monday) to 7.
    Weekday(u8),
    /// So many granules of the grain.
    Unit(Grain, i64),
    Cardinal(i64),
    Ordinal(i64),
    Which(Which),
    Part(DayPart),
    Season(SeasonName),
    /// Days from today.
    Day(i64),
    /// A zone of time.
    Zone(Zone),
    Holiday(usize),
    /// Whether after noon.
    Meridian(bool),
    /// Hour and minute of a named time of day.
    Clock(u32, u32),
    /// The first year of a calendar era.
    Era(i32),
    /// A granule so many on from the reference.
    Granule(Grain, i64),
    /// The same, from what was spoken of.
    Spoken(Grain, i64),
    /// A part of the day so many days from today.
    DayPart(i64, DayPart),
    /// The same, from what was spoken of.
    SpokenPart(i64, DayPart),
    /// Each granule.
    Set(Grain),
    /// A word of grammar, kept whole.
    Particle,
    /// An ordinary word that a word of time is only a part of.
    Plain,
    /// A span of history: its first year, and how many there are.
    Period(i32, u32),
    /// Not longer ago than so many granules.
    Lately(Grain, i64),
    /// Speaks of the past beside a time that does not say which it is.
    PastVerb,
    /// Speaks of the future.
    FutureVerb,
    /// A word that only the grammar knows, and that makes a time by itself.
    Phrase,
}

impl Atom {
    /// Whether a text without any such word has no time in it.
    pub(super) const fn is_temporal(self) -> bool {
        match self {
            Self::Ordinal(value) => value > 3,
            Self::Cardinal(value) => value > 4,
            Self::PastVerb | Self::FutureVerb | Self::Which(_) | Self::Particle | Self::Plain => false,
            _ => true,
        }
    }
}

/// An entry: the words after the first one, and what they stand for together with it.
#[derive(Debug)]
struct Entry {
    rest: Vec<String>,
    atoms: Vec<Atom>,
}

/// The words of a language.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// By first word (of scripts with spaces) or first character (of those without); longest first.
    entries: FxHashMap<String, Vec<Entry>>,
}

/// The entries of a table file, in order of their keys. What does not parse is empty, which a test would see.
pub(super) fn table(text: &str) -> Vec<(String, toml::Table)> {
    let table = text.parse::<toml::Table>().unwrap_or_default();
    table.into_iter().filter_map(|(key, value)| Some((key, value.as_table()?.clone()))).collect()
}

impl Lexicon {
    /// Reads tables of the form `[section] meaning = ["word", "two words"]`; `split` makes words of an entry.
    pub(super) fn read(texts: &[&str], split: impl Fn(&str) -> Vec<String>) -> Self {
        let mut lexicon = Self::default();
        for text in texts {
            for (section, meanings) in table(text) {
                for (meaning, words) in meanings {
                    let Some(atom) = atom(&section, &meaning) else { continue };
                    for word in words.as_array().into_iter().flatten().filter_map(toml::Value::as_str) {
                        lexicon.insert(split(word), atom);
                    }
                }
            }
        }
        lexicon
    }

    pub(super) fn insert(&mut self, words: Vec<String>, atom: Atom) {
        let mut words = words.into_iter();
        let Some(first) = words.next() else { return };
        let rest: Vec<String> = words.collect();
        let entries = self.entries.entry(first).or_default();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.rest == rest) {
            entry.atoms.push(atom);
        } else {
            entries.push(Entry { rest, atoms: vec![atom] });
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.rest.len()));
        }
    }

    /// The longest entry that begins with the word and goes on as `next` does, with how many words follow the first.
    ///
    /// `ends` says whether an entry may end after so many words.
    pub(super) fn longest(
        &self,
        first: &str,
        next: impl Fn(usize, &str) -> bool,
        ends: impl Fn(usize) -> bool,
    ) -> Option<(usize, &[Atom])> {
        let entries = self.entries.get(first)?;
        let fits = |entry: &&Entry| entry.rest.iter().enumerate().all(|(index, word)| next(index, word)) && ends(entry.rest.len());
        entries.iter().find(fits).map(|entry| (entry.rest.len(), entry.atoms.as_slice()))
    }
}

/// The first name of each holiday in a table of names.
pub(super) fn holiday_names(text: &str) -> FxHashMap<usize, String> {
    let named = |(id, names): (String, toml::Value)| {
        let name = names.as_array()?.first()?.as_str()?.to_owned();
        Some((holiday::index_of(&id)?, name))
    };
    table(text).into_iter().flat_map(|(_, names)| names).filter_map(named).collect()
}

/// What a meaning of a section of a table stands for.
pub(super) fn atom(section: &str, meaning: &str) -> Option<Atom> {
    let number = || meaning.parse::<i64>().ok();
    Some(match section {
        "months" => Atom::Month(meaning.parse().ok()?),
        "weekdays" => Atom::Weekday(meaning.parse().ok()?),
        "units" => {
            let (name, times) = meaning.split_once('*').unwrap_or((meaning, "1"));
            Atom::Unit(Grain::named(name)?, times.parse().ok()?)
        }
        "cardinals" => Atom::Cardinal(number()?),
        "ordinals" => Atom::Ordinal(number()?),
        "which" => Atom::Which(match meaning {
            "this" => Which::This,
            "next" => Which::Next,
            "last" => Which::Last,
            "past" => Which::Past,
            "coming" => Which::Coming,
            _ => return None,
        }),
        "parts" => Atom::Part(DayPart::named(meaning)?),
        "day_parts" | "spoken_parts" => {
            let (offset, part) = meaning.split_once(' ')?;
            let (offset, part) = (offset.parse().ok()?, DayPart::named(part)?);
            if section == "spoken_parts" { Atom::SpokenPart(offset, part) } else { Atom::DayPart(offset, part) }
        }
        "granules" | "spoken" => {
            let (name, offset) = meaning.split_once(' ')?;
            let (grain, offset) = (Grain::named(name)?, offset.parse().ok()?);
            if section == "spoken" { Atom::Spoken(grain, offset) } else { Atom::Granule(grain, offset) }
        }
        "sets" => Atom::Set(Grain::named(meaning)?),
        "particles" => Atom::Particle,
        "seasons" => Atom::Season(match meaning {
            "spring" => SeasonName::Spring,
            "summer" => SeasonName::Summer,
            "autumn" => SeasonName::Autumn,
            "winter" => SeasonName::Winter,
            _ => return None,
        }),
        "days" => Atom::Day(number()?),
        "zones" => Atom::Zone(match meaning.parse() {
            Ok(minutes) => Zone::fixed(minutes).ok()?,
            Err(_) => Zone::parse(meaning).ok()?,
        }),
        "holidays" => Atom::Holiday(holiday::index_of(meaning)?),
        "meridians" => Atom::Meridian(meaning == "pm"),
        "clocks" => {
            let (hour, minute) = meaning.split_once(':')?;
            Atom::Clock(hour.parse().ok()?, minute.parse().ok()?)
        }
        "eras" => Atom::Era(meaning.parse().ok()?),
        "periods" => {
            let (first, next) = meaning.split_once('-')?;
            let first: i32 = first.parse().ok()?;
            Atom::Period(first, u32::try_from(next.parse::<i32>().ok()? - first).ok()?)
        }
        "lately" => {
            let (name, count) = meaning.split_once(' ')?;
            Atom::Lately(Grain::named(name)?, count.parse().ok()?)
        }
        "plain" => Atom::Plain,
        "verbs" if meaning == "past" => Atom::PastVerb,
        "verbs" => Atom::FutureVerb,
        "phrases" => Atom::Phrase,
        _ => return None,
    })
}
