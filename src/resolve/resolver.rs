//! From a mention to an entity: what is sure, what may be, or something new. Knows stores only through [`Lookup`], and changes none.

use super::block::{BlockIndex, BlockKey, EntityId, Tier, asked_under};
use super::compare::signs;
use super::evidence::{Evidence, Sign};
use super::identity;
use super::name::Name;
use crate::model::TermRef;
use rustc_hash::{FxHashMap, FxHashSet};

/// What resolution asks of a store of entities.
pub trait Lookup {
    /// The entity with this identity (see [`identity`](super::identity())), if there is one.
    fn by_identity(&self, identity: &str) -> Option<EntityId>;

    /// The entities of which this identity is a recorded alias, ascending.
    fn by_alias(&self, identity: &str) -> Vec<EntityId>;

    /// Adds the entities kept under a key to those found, at most [`BlockIndex::MOST`] of them.
    fn by_block(&self, key: BlockKey, found: &mut Vec<EntityId>);

    /// Calls with every name of an entity as it was written, aliases included, in a fixed order.
    fn names(&self, id: EntityId, visit: &mut dyn FnMut(&str));

    /// The sorts an entity is known to be of ("person", "organization", … as the relation pack has them); none if nothing is known.
    fn sorts(&self, id: EntityId) -> Vec<String>;
}

/// A name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention<'a> {
    /// The name as written.
    pub text: &'a str,
    /// The sorts that the text leaves for it ("person"); none if it says nothing.
    pub sorts: &'a [&'a str],
}

impl<'a> Mention<'a> {
    /// A mention of which nothing but the name is known.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text, sorts: &[] }
    }
}

/// How sure resolution has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// A single candidate with at least this score is the entity.
    pub accept: f64,
    /// The next candidate must be so much below it.
    pub margin: f64,
    /// Candidates with less are not returned.
    pub floor: f64,
    /// So many candidates are returned at most.
    pub limit: usize,
    /// So many entities of a tier of keys are compared at most: those that share the most keys with the mention first, then those with
    /// the smallest numbers.
    pub compared: usize,
}

impl Default for Options {
    /// Accepted is what leaves no doubt: punctuation, and up to two of title, honorific, legal form and "Last, First". Accents, an
    /// initial, a nickname, a misspelling or a part of a name gives candidates.
    fn default() -> Self {
        Self { accept: 0.95, margin: 0.05, floor: 0.45, limit: 8, compared: 32 }
    }
}

/// An entity that a mention may mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Which.
    pub id: EntityId,
    /// From 0 to 1; what two candidates' scores say is which is likelier, not how likely it is.
    pub score: f64,
    /// Why.
    pub evidence: Evidence,
}

/// What a mention means.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution {
    /// This entity.
    Known(Candidate),
    /// One of these, the likeliest first (ties: by name, then by number), or none of them: somebody has to say.
    Candidates(Vec<Candidate>),
    /// No entity that is known.
    New,
}

impl Resolution {
    /// The entity, if there is no doubt.
    #[must_use]
    pub fn known(&self) -> Option<EntityId> {
        match self {
            Self::Known(candidate) => Some(candidate.id),
            Self::Candidates(_) | Self::New => None,
        }
    }
}

/// Says which entity a mention means.
///
/// In this order: the same identity; a recorded alias (of several entities: all of them are candidates); names that differ in what
/// stands around them, in order, initials, nicknames or spelling, compared under the guards of [`compare_names`](super::compare_names)
/// and only where the sorts agree. Ambiguity is a value: nothing is guessed.
///
/// The same identity counts whatever the sorts: the memory holds one entity of a name.
///
/// ```
/// use erstwhile::resolve::{Directory, Mention, Options, Resolution, resolve};
/// let mut known = Directory::new();
/// let ana = known.add("Ana Lima", &["person"]);
/// known.add("Bay 17", &[]);
/// let of = |text| resolve(Mention::new(text), &known, &Options::default());
/// assert_eq!(of("ANA LIMA").known(), Some(ana));
/// assert_eq!(of("Dr. Lima, Ana").known(), Some(ana));
/// let Resolution::Candidates(candidates) = of("A. Lima") else { panic!("no candidates") };
/// assert_eq!((candidates.len(), candidates[0].id), (1, ana)); // Nobody else, but it may be somebody new.
/// assert_eq!(of("Bay 18"), Resolution::New);
/// ```
///
/// # Complexity
/// One look-up for an exact name. Otherwise a look-up for each of some ten keys and at most [`Options::compared`] comparisons for each
/// of three tiers, whatever the number of entities.
#[must_use]
pub fn resolve(mention: Mention<'_>, lookup: &dyn Lookup, options: &Options) -> Resolution {
    let mut key = String::new();
    identity(TermRef::Name(mention.text), &mut key);
    if let Some(id) = lookup.by_identity(&key) {
        return Resolution::Known(candidate(id, mention.text, &first_name(lookup, id), vec![Sign::Identical]));
    }
    let aliased = lookup.by_alias(&key);
    if !aliased.is_empty() {
        let mut found: Vec<Candidate> =
            aliased.into_iter().map(|id| candidate(id, mention.text, &first_name(lookup, id), vec![Sign::Alias])).collect();
        if found.len() == 1
            && let Some(only) = found.pop()
        {
            return Resolution::Known(only);
        }
        return Resolution::Candidates(in_order(found, options));
    }
    let name = Name::read(mention.text);
    let found = similar(mention, &name, lookup, options);
    let mut found = in_order(found, options);
    let next = found.get(1).map_or(0.0, |next| next.score);
    match found.first() {
        None => Resolution::New,
        Some(best) if best.score >= options.accept && best.score - next >= options.margin => Resolution::Known(found.swap_remove(0)),
        Some(_) => Resolution::Candidates(found),
    }
}

fn candidate(id: EntityId, mention: &str, name: &str, signs: Vec<Sign>) -> Candidate {
    let evidence = Evidence::new(mention, name, signs);
    Candidate { id, score: evidence.score, evidence }
}

fn first_name(lookup: &dyn Lookup, id: EntityId) -> String {
    let mut first: Option<String> = None;
    lookup.names(id, &mut |name| {
        first.get_or_insert_with(|| name.to_owned());
    });
    first.unwrap_or_default()
}

/// The likeliest first, none below the floor, no more than asked for.
fn in_order(mut found: Vec<Candidate>, options: &Options) -> Vec<Candidate> {
    found.retain(|candidate| candidate.score >= options.floor);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.evidence.name.cmp(&b.evidence.name)).then(a.id.cmp(&b.id)));
    found.truncate(options.limit);
    found
}

/// The entities that share a key with the mention and do not contradict it, each with its best name.
///
/// Keys are asked tier by tier: what the whole name decides needs no look at what it might be a misspelling of, and a part of a name
/// is no evidence where more of it is found.
fn similar(mention: Mention<'_>, name: &Name, lookup: &dyn Lookup, options: &Options) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut seen: FxHashSet<EntityId> = FxHashSet::default();
    let mut ids = Vec::new();
    let keys = asked_under(name);
    for keys in keys.chunk_by(|(one, _), (other, _)| one == other) {
        let decided = |candidate: &Candidate| candidate.score >= options.accept;
        let enough = match keys.first().map(|(tier, _)| *tier) {
            Some(Tier::Most) => found.iter().any(decided),
            Some(Tier::Part) => !found.is_empty(),
            Some(Tier::Whole) | None => false,
        };
        if enough {
            break;
        }
        // How many of the tier's keys an entity shares.
        let mut shared: FxHashMap<EntityId, u32> = FxHashMap::default();
        for (_, key) in keys {
            ids.clear();
            lookup.by_block(*key, &mut ids);
            for id in ids.iter().filter(|id| !seen.contains(id)) {
                *shared.entry(*id).or_default() += 1;
            }
        }
        let mut nearest: Vec<(u32, EntityId)> = shared.into_iter().map(|(id, keys)| (keys, id)).collect();
        nearest.sort_unstable_by(|(a, one), (b, other)| b.cmp(a).then(one.cmp(other)));
        nearest.truncate(options.compared);
        for (_, id) in nearest {
            seen.insert(id);
            found.extend(compared(mention, name, lookup, id).filter(|candidate| candidate.score >= options.floor));
        }
    }
    found
}

/// An entity as a candidate, by the name of it that the mention is nearest to; `None` if it contradicts the mention.
fn compared(mention: Mention<'_>, name: &Name, lookup: &dyn Lookup, id: EntityId) -> Option<Candidate> {
    let sorts = lookup.sorts(id);
    if !compatible(mention.sorts, &sorts) {
        return None;
    }
    let person = may_be_person(mention.sorts.iter().copied()) && may_be_person(sorts.iter().map(String::as_str));
    let mut best: Option<Candidate> = None;
    lookup.names(id, &mut |written| {
        let Some(signs) = signs(name, &Name::read(written), person) else { return };
        let next = candidate(id, mention.text, written, signs);
        if best.as_ref().is_none_or(|best| next.score > best.score) {
            best = Some(next);
        }
    });
    best
}

/// What says nothing of what a thing is.
fn is_vague(sort: &str) -> bool {
    matches!(sort, "thing" | "text")
}

/// Whether something may be of both: nothing is known of one, or they share a sort.
fn compatible(one: &[&str], two: &[String]) -> bool {
    let known = |sort: &&str| !is_vague(sort);
    let mut wanted = one.iter().copied().filter(known).peekable();
    let has = |sort: &str| two.iter().any(|other| other == sort);
    wanted.peek().is_none() || two.iter().all(|sort| is_vague(sort)) || wanted.any(has)
}

fn may_be_person<'a>(sorts: impl Iterator<Item = &'a str>) -> bool {
    let mut known = sorts.filter(|sort| !is_vague(sort)).peekable();
    known.peek().is_none() || known.any(|sort| sort == "person")
}

/// Entities by their names, in memory.
///
/// A [`Lookup`] for whoever has no store: tests, tools, a batch of names. Numbers are given in the order of adding.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    by_identity: FxHashMap<Box<str>, EntityId>,
    by_alias: FxHashMap<Box<str>, Vec<EntityId>>,
    entities: Vec<Entry>,
    blocks: BlockIndex,
}

#[derive(Clone, Debug)]
struct Entry {
    name: Box<str>,
    aliases: Vec<Box<str>>,
    sorts: Vec<String>,
}

impl Directory {
    /// An empty directory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entity, or finds the one with the same identity; sorts it is known to be of are added to it.
    pub fn add(&mut self, name: &str, sorts: &[&str]) -> EntityId {
        let mut key = String::new();
        identity(TermRef::Name(name), &mut key);
        let next = EntityId(u32::try_from(self.entities.len()).unwrap_or(u32::MAX));
        let id = *self.by_identity.entry(key.into_boxed_str()).or_insert(next);
        if id == next {
            self.entities.push(Entry { name: name.into(), aliases: Vec::new(), sorts: Vec::new() });
            self.blocks.insert(id, &Name::read(name));
        }
        if let Some(entry) = self.entry_mut(id) {
            for sort in sorts {
                if !entry.sorts.iter().any(|known| known == sort) {
                    entry.sorts.push((*sort).to_owned());
                }
            }
        }
        id
    }

    /// Records another name of an entity.
    pub fn alias(&mut self, id: EntityId, name: &str) {
        let mut key = String::new();
        identity(TermRef::Name(name), &mut key);
        let Some(entry) = self.entry_mut(id) else { return };
        entry.aliases.push(name.into());
        let ids = self.by_alias.entry(key.into_boxed_str()).or_default();
        if let Err(place) = ids.binary_search(&id) {
            ids.insert(place, id);
        }
        self.blocks.insert(id, &Name::read(name));
    }

    /// How many entities there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    fn entry(&self, id: EntityId) -> Option<&Entry> {
        self.entities.get(id.0 as usize)
    }

    fn entry_mut(&mut self, id: EntityId) -> Option<&mut Entry> {
        self.entities.get_mut(id.0 as usize)
    }
}

impl Lookup for Directory {
    fn by_identity(&self, identity: &str) -> Option<EntityId> {
        self.by_identity.get(identity).copied()
    }

    fn by_alias(&self, identity: &str) -> Vec<EntityId> {
        self.by_alias.get(identity).cloned().unwrap_or_default()
    }

    fn by_block(&self, key: BlockKey, found: &mut Vec<EntityId>) {
        found.extend(self.blocks.get(key));
    }

    fn names(&self, id: EntityId, visit: &mut dyn FnMut(&str)) {
        if let Some(entry) = self.entry(id) {
            visit(&entry.name);
            entry.aliases.iter().for_each(|alias| visit(alias));
        }
    }

    fn sorts(&self, id: EntityId) -> Vec<String> {
        self.entry(id).map(|entry| entry.sorts.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn directory(names: &[&str]) -> Directory {
        let mut directory = Directory::new();
        for name in names {
            directory.add(name, &[]);
        }
        directory
    }

    /// What a mention comes to: the known name, or the names of the candidates with their scores.
    fn of(directory: &Directory, mention: Mention<'_>) -> String {
        match resolve(mention, directory, &Options::default()) {
            Resolution::Known(found) => format!("= {}", found.evidence.name),
            Resolution::Candidates(found) => {
                found.iter().map(|found| format!("{} {:.2}", found.evidence.name, found.score)).collect::<Vec<_>>().join("; ")
            }
            Resolution::New => "new".to_owned(),
        }
    }

    fn check(names: &[&str], mention: &str, expect: &str) {
        assert_eq!(of(&directory(names), Mention::new(mention)), expect, "{mention} among {names:?}");
    }

    #[test]
    fn the_same_name_told_twice_among_many_others_is_one_entity() {
        let mut directory = Directory::new();
        for number in 0..40 {
            directory.add(&format!("Zdeněk Dvořák the {number}th"), &["person"]);
        }
        for (first, again) in [("Jiří Šťastný", "JIRI\u{301}\u{30c} ŠŤASTNÝ"), ("李娜", "李娜"), ("ЮЛИЯ", "Юлия"), ("ﬁona", "FIONA")]
        {
            let before = directory.len();
            let id = directory.add(first, &[]);
            if first != "Jiří Šťastný" {
                assert_eq!(resolve(Mention::new(again), &directory, &Options::default()).known(), Some(id), "{again}");
                assert_eq!(directory.add(again, &[]), id, "{again}");
                assert_eq!(directory.len(), before + 1, "one entity for {first}");
            }
        }
        let composed = directory.add("Jiří", &[]);
        assert_eq!(directory.add("Jir\u{30c}i\u{301}", &[]), composed, "composed or not");
    }

    #[test]
    fn numbered_and_contained_names_are_entities_of_their_own() {
        let mut directory = Directory::new();
        for name in ["Dock 4", "Dock 5", "Dock 45", "Lina", "Melina", "Release 2.1", "Release 2.2", "Hall II", "Hall III"] {
            assert_eq!(resolve(Mention::new(name), &directory, &Options::default()), Resolution::New, "{name}");
            directory.add(name, &[]);
        }
        assert_eq!(directory.len(), 9);
    }

    #[test]
    fn what_leaves_no_doubt_is_known() {
        check(&["Ana Lima", "Otto Brandt"], "Dr. Ana Lima", "= Ana Lima");
        check(&["Ana Lima"], "Lima, Ana", "= Ana Lima");
        check(&["田中"], "田中さん", "= 田中");
        check(&["田中 太郎"], "田中太郎", "= 田中 太郎");
        check(&["Quellmark"], "Quellmark Ltd.", "= Quellmark");
        check(&["Coral-Reef Labs"], "Coral Reef Labs", "= Coral-Reef Labs");
    }

    #[test]
    fn doubt_gives_candidates_in_order() {
        check(&["Robert Hale", "Ruth Hale"], "Bob Hale", "Robert Hale 0.90");
        check(&["Robert Hale", "Ruth Hale"], "R. Hale", "Robert Hale 0.85; Ruth Hale 0.85");
        check(&["Robert Hale", "Ruth Hale"], "Mr Hale", "Robert Hale 0.59; Ruth Hale 0.59");
        check(&["田中太郎", "田中花子"], "田中さん", "田中太郎 0.59; 田中花子 0.59");
        check(&["Zofie Dvorak"], "Žofie Dvořák", "Zofie Dvorak 0.94");
        check(&["Quellmark GmbH", "Quellmark Inc"], "Quellmark", "Quellmark GmbH 0.98; Quellmark Inc 0.98");
        check(&["Ana Lima", "A. Lima"], "Lima, A", "= A. Lima");
        check(&["Otto Brandt"], "Anja Brandt", "new");
        check(&["Maria Lopez"], "Mario Lopez", "new");
    }

    #[test]
    fn aliases_come_before_what_is_similar() {
        let mut directory = directory(&["Robert Hale", "Bo Stern"]);
        let stern = directory.add("Bo Stern", &[]);
        directory.alias(stern, "Bob Hale");
        assert_eq!(of(&directory, Mention::new("bob  HALE")), "= Bo Stern");
        let hale = directory.add("Robert Hale", &[]);
        directory.alias(hale, "Bob Hale");
        assert_eq!(of(&directory, Mention::new("Bob Hale")), "Bo Stern 0.99; Robert Hale 0.99", "of two");
        assert_eq!(of(&directory, Mention::new("Dr Bob Hale")), "Bob Hale 0.98; Bob Hale 0.98", "an alias with a title");
    }

    #[test]
    fn sorts_that_exclude_each_other_never_match() {
        let mut directory = Directory::new();
        directory.add("Jordan Creek", &["place"]);
        directory.add("J. Marsh", &["person"]);
        let mention = |text, sorts| of(&directory, Mention { text, sorts });
        assert_eq!(mention("Mr Jordan Creek", &["person"]), "new", "a person and a place");
        assert_eq!(mention("J. Creek", &["place"]), "new", "places have no initials");
        assert_eq!(mention("Jane Marsh", &["person"]), "J. Marsh 0.85");
        assert_eq!(mention("Jane Marsh", &["thing"]), "J. Marsh 0.85", "a thing may be anything");
        assert_eq!(mention("jordan creek", &["person"]), "= Jordan Creek", "the same name is the same entity");
    }

    #[test]
    fn candidates_are_the_same_whatever_the_order_of_adding() {
        let names = ["Robert Hale", "Ruth Hale", "Rob Hale", "Rolf Hale", "R Hale"];
        let forward = of(&directory(&names), Mention::new("Roberta Hale"));
        let mut names = names;
        names.reverse();
        assert_eq!(of(&directory(&names), Mention::new("Roberta Hale")), forward);
    }

    proptest! {
        #[test]
        fn any_mention_is_resolved_and_always_the_same_way(
            names in proptest::collection::vec("[A-Z][a-z]{1,6} [A-Z][a-z]{1,6}|\\PC{1,8}|[田中林太郎さん]{1,4}", 0..12), mention in "\\PC{0,16}|[A-Z][a-z]{1,6} [A-Z][a-z]{1,6}",
        ) {
            let mut directory = Directory::new();
            for name in &names {
                directory.add(name, &[]);
            }
            let first = resolve(Mention::new(&mention), &directory, &Options::default());
            prop_assert_eq!(&first, &resolve(Mention::new(&mention), &directory, &Options::default()));
            if let Resolution::Candidates(found) = &first {
                prop_assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
            }
            for name in &names {
                prop_assert!(resolve(Mention::new(name), &directory, &Options::default()).known().is_some(), "{} is known", name);
            }
        }
    }
}
