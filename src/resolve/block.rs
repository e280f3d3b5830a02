//! Which of many names are worth comparing with one: keys that names share if they may be of one thing. Knows no names of its own,
//! only numbers of entities, and decides nothing.

use super::compare::acronym;
use super::lexicon::Lexicon;
use super::name::{Name, Word};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The number a store gives an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub u32);

/// What names share that may be of one thing; a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockKey(u32);

impl BlockKey {
    fn new(sort: &str, parts: &[&str]) -> Self {
        let mut hasher = FxHasher::default();
        sort.hash(&mut hasher);
        parts.hash(&mut hasher);
        let hash = hasher.finish();
        #[expect(clippy::cast_possible_truncation, reason = "the upper half is folded into the lower one first")]
        let folded = (hash ^ (hash >> 32)) as u32;
        Self(folded)
    }
}

/// The most words of a name that are keyed for slips; of longer ones only the whole is.
const MOST_WORDS: usize = 4;

/// How much the names that meet under a key can have in common at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// All of it: what differs is around the names, between them, or a nickname.
    Whole,
    /// Most of it: an initial, a misspelling, first letters.
    Most,
    /// One name of several.
    Part,
}

/// The keys under which a name is kept.
///
/// Of "Robert Hale": the whole without gaps and accents; its words in any order, also with what a nickname stands for; initial and
/// other name, both ways round; each word by its first and by its last letters beside the others (one of the two outlives a slip);
/// each name alone. Of a single word instead every word that one letter less makes of it.
#[must_use]
pub fn kept_under(name: &Name) -> Vec<BlockKey> {
    let mut keys = whole(name);
    keys.extend(misspelt(name));
    if let [first, .., last] = name.words.as_slice() {
        for (word, other) in [(first, last), (last, first)] {
            keys.push(initial(word, other, word.initial().is_some()));
        }
        keys.push(BlockKey::new("part", &[first.plain()]));
        keys.push(BlockKey::new("part", &[last.plain()]));
        keys.extend(Lexicon::shipped().roots(first.plain()).iter().map(|root| BlockKey::new("part", &[root])));
        keys.extend(acronym(name).map(|letters| BlockKey::new("acronym", &[&letters])));
    } else if let Some(word) = name.words.first() {
        keys.push(BlockKey::new("single", &[word.plain()]));
        keys.extend(Lexicon::shipped().roots(word.plain()).iter().map(|root| BlockKey::new("single", &[root])));
        if name.acronym {
            keys.push(BlockKey::new("letters", &[word.plain()]));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The keys under which names that may be of the same thing are kept, those of a tier together, the surest tier first.
#[must_use]
pub fn asked_under(name: &Name) -> Vec<(Tier, BlockKey)> {
    let mut most = misspelt(name);
    let mut part = Vec::new();
    let lexicon = Lexicon::shipped();
    if let [first, .., last] = name.words.as_slice() {
        for (word, other) in [(first, last), (last, first)] {
            most.push(initial(word, other, true));
            if word.initial().is_some() {
                most.push(initial(word, other, false));
            }
        }
        most.extend(acronym(name).map(|letters| BlockKey::new("letters", &[&letters])));
        part.push(BlockKey::new("single", &[last.plain()]));
        part.push(BlockKey::new("single", &[first.plain()]));
        part.extend(lexicon.roots(first.plain()).iter().map(|root| BlockKey::new("single", &[root])));
    } else if let Some(word) = name.words.first() {
        if name.acronym {
            most.push(BlockKey::new("acronym", &[word.plain()]));
        }
        part.push(BlockKey::new("part", &[word.plain()]));
        part.extend(lexicon.roots(word.plain()).iter().map(|root| BlockKey::new("part", &[root])));
    }
    let tiers = [(Tier::Whole, whole(name)), (Tier::Most, most), (Tier::Part, part)];
    tiers.into_iter().flat_map(|(tier, keys)| keys.into_iter().map(move |key| (tier, key))).collect()
}

/// The keys of a name whose words are all there.
fn whole(name: &Name) -> Vec<BlockKey> {
    let mut keys = vec![BlockKey::new("whole", &[&name.compact()])];
    let words: Vec<&str> = name.words.iter().map(Word::plain).collect();
    let lexicon = Lexicon::shipped();
    let [first, .., last] = words.as_slice() else {
        if let Some(word) = words.first() {
            keys.push(BlockKey::new("words", &[word]));
            keys.extend(lexicon.roots(word).iter().map(|root| BlockKey::new("words", &[root])));
        }
        return keys;
    };
    if words.len() > 2 {
        let mut sorted = words.clone();
        sorted.sort_unstable();
        keys.push(BlockKey::new("words", &sorted));
    }
    let pair = |one: &str, other: &str| BlockKey::new("words", &[one.min(other), one.max(other)]);
    keys.push(pair(first, last));
    for (word, other) in [(first, last), (last, first)] {
        keys.extend(lexicon.roots(word).iter().map(|root| pair(root, other)));
    }
    keys
}

/// The first letter of a word beside another name; kept apart by whether the word is no more than that letter, so that full names
/// need not look at each other.
fn initial(word: &Word, other: &Word, is_initial: bool) -> BlockKey {
    let letter: String = word.plain().chars().take(1).collect();
    BlockKey::new(if is_initial { "initial" } else { "full" }, &[&letter, other.plain()])
}

/// The keys of a name that outlive a slip of the pen in it.
fn misspelt(name: &Name) -> Vec<BlockKey> {
    let words: Vec<&str> = name.words.iter().map(Word::plain).collect();
    let mut keys = Vec::new();
    match words.as_slice() {
        [word] => keys.extend(deletions(word)),
        words if words.len() <= MOST_WORDS => {
            for (place, word) in words.iter().enumerate() {
                let letters: Vec<char> = word.chars().collect();
                if letters.len() < 5 {
                    continue;
                }
                let mut others: Vec<&str> = words.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, word)| *word).collect();
                others.sort_unstable();
                // A slip may make a word longer or shorter: one of seven letters meets those of six and of eight.
                let lengths: &[usize] = match letters.len() {
                    5 | 6 => &[2],
                    7 => &[2, 3],
                    _ => &[3],
                };
                for length in lengths {
                    let start: String = letters.iter().take(*length).collect();
                    let end: String = letters.iter().skip(letters.len() - length).collect();
                    keys.push(BlockKey::new("start", &[&others[..], &[&start]].concat()));
                    keys.push(BlockKey::new("end", &[&others[..], &[&end]].concat()));
                }
            }
        }
        _ => {}
    }
    keys
}

/// A word, and every word that one letter less makes of it: two that are one edit apart share one.
fn deletions(word: &str) -> Vec<BlockKey> {
    let letters = word.chars().count();
    if !(5..=24).contains(&letters) {
        return Vec::new();
    }
    let without = |gap: usize| word.chars().enumerate().filter(|(at, _)| *at != gap).map(|(_, c)| c).collect::<String>();
    (0..=letters).map(|gap| BlockKey::new("slip", &[&without(gap)])).collect()
}

/// Entities by block key, in memory.
///
/// **Crowded keys.** A key holds at most [`BlockIndex::MOST`] entities, those with the smallest numbers, and counts the others. So
/// the work for a mention is bounded however common a name is. What is lost is little: a key of a common part of a name ("Hale") says
/// of all its entities the same, and a surer match (the whole, both names, initial and family name) has a key of its own. An entity
/// that leaves a crowded key makes no room for one that was only counted; building the index anew does.
///
/// # Complexity
/// About ten keys a name. Inserting O(keys); memory some 200 bytes a name.
#[derive(Clone, Debug, Default)]
pub struct BlockIndex {
    /// The one entity of a key, or, with the highest bit set, the place of its list.
    keys: FxHashMap<BlockKey, u32>,
    lists: Vec<List>,
}

#[derive(Clone, Debug, Default)]
struct List {
    /// Ascending.
    ids: Vec<u32>,
    /// Those that found no room.
    more: u32,
}

/// Set on the place of a list.
const LISTED: u32 = 1 << 31;

impl BlockIndex {
    /// The most entities a key holds.
    pub const MOST: usize = 64;

    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps an entity under the keys of a name; under several names, call it for each. Numbers from 2³¹ on are not kept.
    pub fn insert(&mut self, id: EntityId, name: &Name) {
        let id = id.0;
        if id >= LISTED {
            return;
        }
        for key in kept_under(name) {
            let Some(slot) = self.keys.get_mut(&key) else {
                self.keys.insert(key, id);
                continue;
            };
            if *slot & LISTED == 0 {
                if *slot != id {
                    let ids = vec![id.min(*slot), id.max(*slot)];
                    let place = u32::try_from(self.lists.len()).unwrap_or(u32::MAX);
                    self.lists.push(List { ids, more: 0 });
                    *slot = LISTED | place;
                }
            } else if let Some(list) = self.lists.get_mut((*slot & !LISTED) as usize) {
                list.insert(id);
            }
        }
    }

    /// Forgets an entity under the keys of a name.
    pub fn remove(&mut self, id: EntityId, name: &Name) {
        for key in kept_under(name) {
            let Some(slot) = self.keys.get(&key).copied() else { continue };
            if slot == id.0 {
                self.keys.remove(&key);
            } else if slot & LISTED != 0
                && let Some(list) = self.lists.get_mut((slot & !LISTED) as usize)
            {
                match list.ids.binary_search(&id.0) {
                    Ok(place) => drop(list.ids.remove(place)),
                    Err(_) => list.more = list.more.saturating_sub(1),
                }
            }
        }
    }

    /// The entities of a key, ascending; at most [`BlockIndex::MOST`].
    pub fn get(&self, key: BlockKey) -> impl Iterator<Item = EntityId> {
        let slot = self.keys.get(&key).copied();
        let list = slot.filter(|slot| slot & LISTED != 0).and_then(|slot| self.lists.get((slot & !LISTED) as usize));
        let one = slot.filter(|slot| slot & LISTED == 0);
        one.into_iter().chain(list.into_iter().flat_map(|list| list.ids.iter().copied())).map(EntityId)
    }

    /// Whether entities of a key found no room.
    #[must_use]
    pub fn is_crowded(&self, key: BlockKey) -> bool {
        let slot = self.keys.get(&key).copied().filter(|slot| slot & LISTED != 0);
        slot.and_then(|slot| self.lists.get((slot & !LISTED) as usize)).is_some_and(|list| list.more > 0)
    }
}

impl List {
    fn insert(&mut self, id: u32) {
        let Err(place) = self.ids.binary_search(&id) else { return };
        if self.ids.len() < BlockIndex::MOST {
            self.ids.insert(place, id);
            return;
        }
        self.more = self.more.saturating_add(1);
        if place < self.ids.len() {
            self.ids.insert(place, id);
            self.ids.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::compare_names;

    fn meet(one: &str, two: &str) -> bool {
        let (one, two) = (Name::read(one), Name::read(two));
        let kept = kept_under(&one);
        asked_under(&two).iter().any(|(_, key)| kept.contains(key))
    }

    #[test]
    fn what_matches_meets_under_a_key_both_ways() {
        let pairs = [
            ("Dr. Ana Lima", "Lima, Ana"),
            ("Zofie Dvorak", "Žofie Dvořák"),
            ("Brightloom", "Bright Loom"),
            ("A. Lima", "Ana Lima"),
            ("Lima Ana", "Ana Lima"),
            ("Bob Hale", "Robert Hale"),
            ("Bob Hale", "Rob Hale"),
            ("Robert Hale", "Robert J. Hale"),
            ("Bob Hale", "Robert James Hale"),
            ("Dr Hale", "Robert Hale"),
            ("Bob", "Robert Hale"),
            ("Bob", "Robert"),
            ("WBO", "World Badger Organization"),
            ("Globxe", "Globex"),
            ("Robert Okaofr", "Robert Okafor"),
            ("Jonathn Hale", "Jonathan Hale"),
            ("田中さん", "田中太郎"),
            ("太郎 田中", "田中 太郎"),
            ("オートメイション", "オートメーション"),
        ];
        for (one, two) in pairs {
            assert!(compare_names(one, two).is_some(), "{one} and {two} match");
            assert!(meet(one, two) && meet(two, one), "{one} and {two} meet");
        }
        assert!(!meet("Ana Lima", "Otto Brandt"), "nothing in common");
    }

    #[test]
    fn a_crowded_key_keeps_the_first_numbers_whatever_the_order() {
        let names: Vec<String> = (0..200_u32).map(|n| format!("{}{} Hale", char::from_u32(0x61 + n % 26).unwrap(), n / 26)).collect();
        let build = |order: &[usize]| {
            let mut index = BlockIndex::new();
            for at in order {
                index.insert(EntityId(u32::try_from(*at).unwrap()), &Name::read(&names[*at]));
            }
            index
        };
        let forward: Vec<usize> = (0..200).collect();
        let backward: Vec<usize> = (0..200).rev().collect();
        let key = BlockKey::new("part", &["hale"]);
        let ids = |index: &BlockIndex| index.get(key).map(|id| id.0).collect::<Vec<_>>();
        assert_eq!(ids(&build(&forward)), (0..64).collect::<Vec<_>>());
        assert_eq!(ids(&build(&backward)), (0..64).collect::<Vec<_>>());
        assert!(build(&forward).is_crowded(key), "it says that it is crowded");
    }

    #[test]
    fn what_is_removed_is_not_found() {
        let mut index = BlockIndex::new();
        let (one, two) = (Name::read("Ana Lima"), Name::read("Otto Lima"));
        index.insert(EntityId(1), &one);
        index.insert(EntityId(2), &two);
        let key = BlockKey::new("part", &["lima"]);
        assert_eq!(index.get(key).collect::<Vec<_>>(), [EntityId(1), EntityId(2)]);
        index.remove(EntityId(1), &one);
        assert_eq!(index.get(key).collect::<Vec<_>>(), [EntityId(2)]);
        assert_eq!(index.get(BlockKey::new("part", &["ana"])).count(), 0, "its own key");
    }
}
