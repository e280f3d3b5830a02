//! Reading Japanese questions: names, then from left to right nouns, predicates by their stems, and asking words. Knows no facts and no calendar.

use super::{Asks, Item, Lexicon, MAX_ITEMS, Name, NotRead, Order, Question, Sense, Setting, Time, moment_of};
use crate::extract::Rules;
use crate::extract::rules::phrases::{Effect, Phrase, Side};
use crate::time::expr::{self, Language};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::{Table, Value};

/// What only questions say.
const WORDS: &str = include_str!("japanese.toml");
/// A name has at most so many characters.
const MAX_NAME: usize = 40;

/// What words mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Meanings {
    /// Relations with the end that the noun is a word for.
    nouns: Vec<(String, Side)>,
    frames: Vec<Framed>,
    sort: Option<String>,
    asking: Option<String>,
    order: Option<String>,
    own: bool,
}

/// A predicate of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Framed {
    relation: String,
    literals: Vec<String>,
    head: Vec<&'static str>,
    tail: Vec<&'static str>,
    effect: Effect,
}

/// All words, by their text.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    known: BTreeMap<String, Meanings>,
    /// The longest one, in characters.
    longest: usize,
}

impl Words {
    /// The extractor's phrasings and what only questions say.
    pub(super) fn read(rules: &Rules) -> Result<Self, String> {
        let mut words = Self::default();
        for phrase in rules.japanese_phrases() {
            match phrase {
                Phrase::Noun { relation, noun, names } => words.at(&noun).nouns.push((relation, names)),
                Phrase::Frame { relation, stem, literals, head, tail, effect } if is_telling(&stem) || !literals.is_empty() => {
                    words.at(&stem).frames.push(Framed { relation, literals, head, tail, effect });
                }
                Phrase::Frame { .. } | Phrase::Verb { .. } => {}
            }
        }
        let table = WORDS.parse::<Table>().map_err(|error| error.to_string())?;
        let turned = table.get("turned").and_then(|table| table.get("verbs")).map(texts).transpose()?.unwrap_or_default();
        for (section, entries) in &table {
            for (key, value) in entries.as_table().into_iter().flatten() {
                for word in texts(value)? {
                    let meanings = words.at(&word);
                    match section.as_str() {
                        "noun" => meanings.nouns.push((key.clone(), Side::Tail)),
                        "holder" => meanings.nouns.push((key.clone(), Side::Head)),
                        "verb" => {
                            let (head, tail) = if turned.contains(key) {
                                (vec!["を"], vec!["が", "は"])
                            } else {
                                (Vec::new(), vec!["を", "に", "と", "で"])
                            };
                            let relation = key.clone();
                            meanings.frames.push(Framed { relation, literals: Vec::new(), head, tail, effect: Effect::Holds });
                        }
                        "sort" => meanings.sort = Some(key.clone()),
                        "asking" => meanings.asking = Some(key.clone()),
                        "order" => meanings.order = Some(key.clone()),
                        "self" => meanings.own = true,
                        "turned" => {}
                        other => return Err(format!("there is no section {other:?}")),
                    }
                }
            }
        }
        words.known.remove("");
        for relation in turned {
            words.known.remove(&relation);
        }
        words.longest = words.known.keys().map(|word| word.chars().count()).max().unwrap_or(0);
        Ok(words)
    }

    fn at(&mut self, word: &str) -> &mut Meanings {
        self.known.entry(word.to_owned()).or_default()
    }
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    let fault = || format!("{value} is no list of texts");
    value.as_array().ok_or_else(fault)?.iter().map(|one| one.as_str().map(str::to_owned).ok_or_else(fault)).collect()
}

/// Whether a stem says enough to be known by: it holds an ideograph, or three characters.
fn is_telling(stem: &str) -> bool {
    stem.chars().any(is_ideograph) || stem.chars().count() >= 3
}

const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3400}'..='\u{9fff}')
}

/// The script of a character, as far as names are parted by it.
fn script(c: char) -> u8 {
    match c {
        '\u{3041}'..='\u{309f}' => 1,
        '\u{30a0}'..='\u{30ff}' => 2,
        c if is_ideograph(c) => 3,
        c if c.is_alphanumeric() => 4,
        _ => 0,
    }
}

/// A piece of the question that was read.
enum Piece {
    Name(Name),
    Word(String, Meanings),
}

/// Reads a question, once for each name that it may start from.
pub(super) fn read(text: &str, lexicon: &Lexicon, setting: &Setting<'_>) -> Result<Vec<Question>, NotRead> {
    let calendar = expr::Context::new(setting.asked_at, setting.zone).in_language(Language::Japanese);
    let mut time = None;
    let mut timed: Vec<Range<usize>> = Vec::new();
    for mention in expr::find(text, &calendar) {
        if time.is_none()
            && let Some(moment) = moment_of(&mention)
            && !is_name(text, &mention.bytes, setting)
        {
            time = Some(Time { text: text.get(mention.bytes.clone()).unwrap_or_default().to_owned(), moment });
            timed.push(mention.bytes.clone());
        }
    }
    let (pieces, unread) = pieces(text, &timed, lexicon, setting);
    let names: Vec<(usize, &Name)> = pieces
        .iter()
        .enumerate()
        .filter_map(|(at, (_, piece))| match piece {
            Piece::Name(name) => Some((at, name)),
            Piece::Word(..) => None,
        })
        .collect();
    if names.is_empty() {
        return Err(NotRead::NoName(unread));
    }
    let order = order(text, &pieces);
    let ordering = match &order {
        Order::Before(name) | Order::After(name) if names.len() > 1 => Some(name.clone()),
        _ => None,
    };
    let asks = asks(text, &pieces, names.len());
    let wants: Vec<String> = pieces
        .iter()
        .filter_map(|(_, piece)| match piece {
            Piece::Word(_, Meanings { asking: Some(asking), .. }) if matches!(asking.as_str(), "person" | "place") => Some(asking.clone()),
            Piece::Word(..) | Piece::Name(_) => None,
        })
        .take(1)
        .collect();
    let says = pieces.iter().any(
        |(_, piece)| matches!(piece, Piece::Word(_, word) if !word.nouns.is_empty() || !word.frames.is_empty() || word.sort.is_some()),
    );
    if !says && wants.is_empty() {
        return Err(NotRead::NoRelation(unread));
    }
    let past = ["た", "だった", "でした"].iter().any(|end| text.trim_end_matches(['?', '？', '。', 'か', 'の']).ends_with(end));
    let question = |at: usize, from: &Name| {
        let mut near = Vec::new();
        let mut far = Vec::new();
        for (place, (bytes, piece)) in pieces.iter().enumerate() {
            let Piece::Word(word, meanings) = piece else { continue };
            if meanings.nouns.is_empty() && meanings.frames.is_empty() && meanings.sort.is_none() {
                continue;
            }
            let item = item(text, &pieces, place, bytes, word, meanings);
            if place < at { near.insert(0, item) } else { far.push(item) }
        }
        near.truncate(MAX_ITEMS);
        far.truncate(MAX_ITEMS);
        let others = names
            .iter()
            .filter(|(other, name)| *other != at && ordering.as_ref() != Some(*name))
            .map(|(_, name)| (*name).clone())
            .collect();
        Question {
            asks,
            from: from.clone(),
            others,
            near,
            far,
            wants: wants.clone(),
            order: order.clone(),
            time: time.clone(),
            past,
            unread_aim: !unread.is_empty(),
            unread: unread.clone(),
            language: Language::Japanese,
        }
    };
    let starts = names.iter().filter(|(_, name)| ordering.as_ref() != Some(*name));
    Ok(starts.map(|(at, name)| question(*at, name)).collect())
}

fn is_name(text: &str, bytes: &Range<usize>, setting: &Setting<'_>) -> bool {
    text.get(bytes.clone()).is_some_and(|text| (setting.is_known)(text))
}

/// Names and words from left to right, the longest first, and what says something and is neither.
fn pieces(text: &str, timed: &[Range<usize>], lexicon: &Lexicon, setting: &Setting<'_>) -> (Vec<(Range<usize>, Piece)>, Vec<String>) {
    let words = lexicon.japanese_words();
    let mut pieces = Vec::new();
    let mut unread: Vec<String> = Vec::new();
    let mut gap: Option<usize> = None;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some(time) = timed.iter().find(|time| time.start <= at && at < time.end) {
            close(text, &mut gap, at, &mut unread);
            at = time.end;
            continue;
        }
        let name = name_at(text, at, setting);
        let word = word_at(text, at, words, lexicon);
        let longer = |name: &Name| word.as_ref().is_none_or(|(bytes, _)| name.bytes.end >= bytes.end);
        if let Some(name) = name.filter(longer) {
            close(text, &mut gap, at, &mut unread);
            at = name.bytes.end;
            pieces.push((name.bytes.clone(), Piece::Name(name)));
            continue;
        }
        if let Some((bytes, meanings)) = word {
            close(text, &mut gap, at, &mut unread);
            at = bytes.end;
            let shown = text.get(bytes.clone()).unwrap_or_default().to_owned();
            if meanings.own && (setting.is_known)(setting.asker) {
                pieces.push((bytes.clone(), Piece::Name(Name { readings: vec![setting.asker.to_owned()], bytes })));
            } else {
                pieces.push((bytes, Piece::Word(shown, meanings)));
            }
            continue;
        }
        // Syllables of grammar part words and say nothing.
        match (script(c) > 1, gap) {
            (true, None) => gap = Some(at),
            (false, Some(_)) => close(text, &mut gap, at, &mut unread),
            (true, Some(_)) | (false, None) => {}
        }
        at += c.len_utf8();
    }
    close(text, &mut gap, text.len(), &mut unread);
    (pieces, unread)
}

fn close(text: &str, gap: &mut Option<usize>, at: usize, unread: &mut Vec<String>) {
    if let Some(from) = gap.take() {
        unread.extend(text.get(from..at).map(str::to_owned));
    }
}

/// The longest name that is known at a place and ends where a word may end; an honorific behind it is none of it.
fn name_at(text: &str, from: usize, setting: &Setting<'_>) -> Option<Name> {
    let rest = text.get(from..)?;
    let first = rest.chars().next()?;
    let before = text.get(..from)?.chars().next_back();
    if script(first) < 2 || before.is_some_and(|before| script(before) == script(first) && script(first) != 3) {
        return None;
    }
    let mut ends: Vec<usize> = rest.char_indices().map(|(at, c)| from + at + c.len_utf8()).take(MAX_NAME).collect();
    ends.reverse();
    ends.into_iter().find_map(|to| {
        let name = text.get(from..to)?;
        let (last, next) = (name.chars().next_back()?, text.get(to..)?.chars().next());
        let inside = next.is_some_and(|next| script(next) == script(last) && matches!(script(last), 2 | 4));
        if inside || name.chars().count() < 2 || !(setting.is_known)(name) {
            return None;
        }
        Some(Name { readings: vec![name.to_owned()], bytes: from..to })
    })
}

/// The longest word at a place.
fn word_at(text: &str, from: usize, words: &Words, lexicon: &Lexicon) -> Option<(Range<usize>, Meanings)> {
    let rest = text.get(from..)?;
    let mut ends: Vec<usize> = rest.char_indices().map(|(at, c)| from + at + c.len_utf8()).take(words.longest.max(12)).collect();
    ends.reverse();
    ends.into_iter().find_map(|to| {
        let word = text.get(from..to)?;
        let mut meanings = words.known.get(word).cloned().unwrap_or_default();
        // The wordings of policies: what ends in a particle of the topic is a noun.
        for (wording, relation) in &lexicon.japanese {
            let noun = wording.trim_end_matches('は');
            if noun == word && noun.chars().count() > 1 && is_telling(noun) && !meanings.nouns.iter().any(|(known, _)| known == relation) {
                meanings.nouns.push((relation.clone(), Side::Tail));
            }
        }
        (meanings != Meanings::default()).then_some((from..to, meanings))
    })
}

/// What a word means where it stands: whom its particles make head and tail.
fn item(text: &str, pieces: &[(Range<usize>, Piece)], place: usize, bytes: &Range<usize>, word: &str, meanings: &Meanings) -> Item {
    let mut senses: Vec<Sense> = Vec::new();
    let mut add = |sense: Sense| {
        if !senses.iter().any(|known| known.relation == sense.relation && known.answers == sense.answers && known.effect == sense.effect) {
            senses.push(sense);
        }
    };
    for (relation, names) in &meanings.nouns {
        add(Sense { relation: relation.clone(), answers: *names, effect: Effect::Holds, weight: 10 });
    }
    // The particle behind what the predicate is said of.
    let before = pieces
        .get(..place)
        .and_then(|before| before.iter().rev().find(|(_, piece)| !matches!(piece, Piece::Word(_, word) if word.asking.is_some())));
    let particle = before.and_then(|(known, _)| text.get(known.end..bytes.start)).unwrap_or_default();
    let particle = particle.trim_start_matches("さん").trim_start_matches('氏');
    let marks = |all: &[&'static str]| all.iter().filter(|mark| particle.starts_with(**mark)).map(|mark| mark.len()).max().unwrap_or(0);
    for frame in &meanings.frames {
        if !frame.literals.iter().all(|literal| text.get(..bytes.start).is_some_and(|before| before.contains(literal.as_str()))) {
            continue;
        }
        let subject = particle.is_empty() || particle.starts_with('が') || particle.starts_with('は') || particle.starts_with('も');
        let (head, tail) = (marks(&frame.head), marks(&frame.tail));
        let answers = match head.cmp(&tail) {
            std::cmp::Ordering::Greater => Side::Tail,
            std::cmp::Ordering::Less => Side::Head,
            std::cmp::Ordering::Equal if frame.head.is_empty() || !subject => Side::Tail,
            std::cmp::Ordering::Equal => Side::Head,
        };
        let weight = 10 + 4 * i32::try_from(frame.literals.len()).unwrap_or(0);
        add(Sense { relation: frame.relation.clone(), answers, effect: frame.effect, weight });
    }
    Item { text: word.to_owned(), noun: !meanings.nouns.is_empty(), senses, sort: meanings.sort.clone(), loose: false }
}

/// Which of several values is asked for.
fn order(text: &str, pieces: &[(Range<usize>, Piece)]) -> Order {
    for (at, (_, piece)) in pieces.iter().enumerate() {
        let Piece::Word(_, Meanings { order: Some(order), .. }) = piece else { continue };
        let named = at.checked_sub(1).and_then(|before| pieces.get(before)).and_then(|(known, piece)| match piece {
            Piece::Name(name) if pieces.get(at).is_some_and(|(bytes, _)| text.get(known.end..bytes.start).is_some_and(str::is_empty)) => {
                Some(name.clone())
            }
            Piece::Name(_) | Piece::Word(..) => None,
        });
        match (order.as_str(), named) {
            ("first", _) => return Order::First,
            ("last", _) => return Order::Last,
            ("before", Some(name)) => return Order::Before(name),
            ("after", Some(name)) => return Order::After(name),
            ("previous", _) => return Order::Previous,
            _ => {}
        }
    }
    Order::AsOf
}

fn asks(text: &str, pieces: &[(Range<usize>, Piece)], names: usize) -> Asks {
    let asking =
        |wanted: &str| pieces.iter().any(|(_, piece)| matches!(piece, Piece::Word(_, word) if word.asking.as_deref() == Some(wanted)));
    let any = ["person", "place", "when", "until", "long", "many", "what"].iter().any(|one| asking(one));
    let sorted = pieces.iter().any(|(_, piece)| matches!(piece, Piece::Word(_, word) if word.asking.is_some()));
    if asking("many") {
        Asks::HowMany
    } else if asking("long") {
        Asks::HowLong
    } else if asking("until") {
        Asks::WhenEnded
    } else if asking("when") {
        Asks::When
    } else if names > 1 && !any && !sorted && text.trim_end_matches(['?', '？', '。']).ends_with('か') {
        Asks::Whether
    } else {
        Asks::Value
    }
}
