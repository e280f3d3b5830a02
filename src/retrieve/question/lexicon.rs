//! The words that questions are read by: phrasings of relations, by the word that each begins with, and sorts of things.
//!
//! Owns how phrasings are indexed and what follows from them ("founded by" gives "founder" and "who founded"). Knows no text.

use super::sort::Sorts;
use crate::extract::Rules;
use crate::extract::rules::PatternError;
use crate::extract::rules::phrases::{Effect, Element, Phrase, Side};
use crate::model::RelationKind;
use crate::policy::Policies;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// What only English questions say: patterns in the notation of the extractor's packs.
const ENGLISH: &str = include_str!("english.toml");
/// Sorts of things, and words with a use in questions.
const ENGLISH_SORTS: &str = include_str!("english-sorts.toml");

/// Verbs that say little alone: patterns that begin with one are known by what follows.
const LIGHT: [&str; 4] = ["be", "have", "get", "do"];

/// Words of grammar: a phrasing may lack them, and they alone make none.
pub(super) const GRAMMAR: [&str; 46] = [
    "a", "an", "the", "at", "in", "on", "of", "to", "for", "by", "with", "from", "as", "into", "under", "about", "through", "its", "his",
    "her", "their", "my", "your", "and", "or", "that", "this", "it", "be", "have", "do", "get", "out", "up", "over", "than", "off", "upon",
    "during", "within", "around", "toward", "towards", "against", "because", "not",
];

/// A phrasing with a verb, as it is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VerbPhrase {
    pub(super) relation: Arc<str>,
    /// What follows the word that it is known by.
    pub(super) elements: Vec<Element>,
    pub(super) passive: bool,
    /// Whether a form of "be" or "have" comes before the word that it is known by.
    pub(super) light: bool,
    pub(super) subject: Option<Side>,
    pub(super) effect: Effect,
    /// Less for one that was derived.
    pub(super) weight: i32,
}

/// A phrasing with a noun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NounPhrase {
    pub(super) relation: Arc<str>,
    /// Its words.
    pub(super) words: Vec<String>,
    pub(super) names: Side,
    pub(super) weight: i32,
}

/// All that questions are read by, for one tenant's policies.
#[derive(Clone, Debug)]
pub struct Lexicon {
    shipped: Arc<Shipped>,
    /// The wordings of the policies, by their first word.
    stated: BTreeMap<String, Vec<NounPhrase>>,
    stated_verbs: BTreeMap<String, Vec<VerbPhrase>>,
    /// Of each relation that a policy declares, the sorts of its heads and of its tails.
    ends: BTreeMap<String, (Vec<String>, Vec<String>)>,
    events: BTreeSet<String>,
    symmetric: BTreeSet<String>,
    /// Wordings in Japanese.
    pub(super) japanese: Vec<(String, String)>,
}

/// What does not depend on a tenant.
#[derive(Debug)]
struct Shipped {
    rules: Rules,
    nouns: BTreeMap<String, Vec<NounPhrase>>,
    verbs: BTreeMap<String, Vec<VerbPhrase>>,
    sorts: Sorts,
    japanese: super::japanese::Words,
}

impl Lexicon {
    /// The shipped words with the wordings of policies, and the names of relations that none of them declares.
    #[must_use]
    pub fn new<'r>(policies: &Policies, undeclared: impl IntoIterator<Item = &'r str>) -> Self {
        let mut lexicon = Self {
            shipped: shipped(),
            stated: BTreeMap::new(),
            stated_verbs: BTreeMap::new(),
            ends: BTreeMap::new(),
            events: BTreeSet::new(),
            symmetric: BTreeSet::new(),
            japanese: Vec::new(),
        };
        // A tenant may change how values compete and say nothing of what they are.
        for (relation, policy) in Policies::shipped().iter() {
            lexicon.ends.insert(relation.to_owned(), (policy.domain.clone(), policy.range.clone()));
            if policy.symmetric {
                lexicon.symmetric.insert(relation.to_owned());
            }
        }
        for (relation, policy) in policies.iter() {
            if !(policy.domain.is_empty() && policy.range.is_empty()) {
                lexicon.ends.insert(relation.to_owned(), (policy.domain.clone(), policy.range.clone()));
            }
            if policy.kind == RelationKind::Event {
                lexicon.events.insert(relation.to_owned());
            }
            if policy.symmetric {
                lexicon.symmetric.insert(relation.to_owned());
            }
            lexicon.state(relation, &relation.replace('_', " "));
            for (language, wordings) in &policy.aliases {
                for wording in wordings {
                    match language.as_str() {
                        "ja" => lexicon.japanese.push((wording.clone(), relation.to_owned())),
                        _ => lexicon.state(relation, wording),
                    }
                }
            }
        }
        for relation in undeclared {
            lexicon.state(relation, &relation.replace('_', " "));
        }
        lexicon
    }

    /// Takes a wording of a relation: what ends in a preposition or is said of the head is a verb, all else a noun.
    fn state(&mut self, relation: &str, wording: &str) {
        let words: Vec<String> = wording.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        if words.iter().any(|word| word.contains('…')) || wording.contains("://") {
            return;
        }
        let relation: Arc<str> = relation.into();
        let is_verb =
            |word: &str| matches!(word, "is" | "was" | "has" | "had") || self.verbs_of(word).iter().any(|(base, _)| *base != word);
        if words.len() > 1 && (is_verb(first) || GRAMMAR.contains(&last.as_str())) {
            let mut bases = words.iter().map(|word| self.base(word));
            let verb = bases.next().unwrap_or_default();
            let mut elements = vec![Element::Words(vec![verb])];
            elements.extend(bases.map(|word| Element::Words(vec![word])));
            elements.push(Element::Slot);
            let phrase =
                Phrase::Verb { relation: relation.to_string(), elements, passive: false, subject: Some(Side::Head), effect: Effect::Holds };
            let mut nouns = BTreeMap::new();
            index(&phrase, &self.shipped.rules, &mut nouns, &mut self.stated_verbs);
        } else if !is_verb(first) || words.len() == 1 {
            self.stated.entry(first.clone()).or_default().push(NounPhrase { relation, words, names: Side::Tail, weight: 9 });
        }
    }

    /// The base of a word: of a form of "be" or "have", of a verb, else the word.
    fn base(&self, word: &str) -> String {
        match word {
            "is" | "was" | "are" | "were" => "be".to_owned(),
            "has" | "had" => "have".to_owned(),
            _ => self.verbs_of(word).first().map_or(word, |(base, _)| base).to_owned(),
        }
    }

    /// The phrasings with a noun whose first word this is.
    pub(super) fn nouns(&self, first: &str) -> impl Iterator<Item = &NounPhrase> {
        let shipped = self.shipped.nouns.get(first).into_iter().flatten();
        shipped.chain(self.stated.get(first).into_iter().flatten())
    }

    /// The phrasings that are known by this word in its base form.
    pub(super) fn verbs(&self, base: &str) -> impl Iterator<Item = &VerbPhrase> {
        let shipped = self.shipped.verbs.get(base).into_iter().flatten();
        shipped.chain(self.stated_verbs.get(base).into_iter().flatten())
    }

    /// The verbs that a word in lower case may be a form of, and whether it may be their participle.
    pub(super) fn verbs_of(&self, lower: &str) -> Vec<(&str, bool)> {
        self.shipped.rules.english_verbs(lower)
    }

    pub(super) fn sorts(&self) -> &Sorts {
        &self.shipped.sorts
    }

    pub(super) fn japanese_words(&self) -> &super::japanese::Words {
        &self.shipped.japanese
    }

    /// Whether a relation is of events, which hold at their own time only.
    #[must_use]
    pub fn is_event(&self, relation: &str) -> bool {
        self.events.contains(relation)
    }

    /// Whether a relation is the same from either end.
    #[must_use]
    pub fn is_symmetric(&self, relation: &str) -> bool {
        self.symmetric.contains(relation)
    }

    /// The sorts of one end of a relation, as its policy has them; none where it says nothing.
    #[must_use]
    pub fn end_sorts(&self, relation: &str, side: Side) -> &[String] {
        self.ends.get(relation).map_or(&[], |(domain, range)| match side {
            Side::Head => domain,
            Side::Tail => range,
        })
    }

    /// Whether one end of a relation may be of a sort that questions speak of ("country"); `None` where nothing is known of either.
    #[must_use]
    pub fn may_be(&self, relation: &str, side: Side, sort: &str) -> Option<bool> {
        let sort = self.shipped.sorts.get(sort)?;
        if side == Side::Tail && sort.relations.iter().chain(&sort.values).any(|known| known == relation) {
            return Some(true);
        }
        let (mark, kept) = if side == Side::Head { ("^", true) } else { ("", false) };
        if sort.not.iter().any(|known| known.strip_prefix(mark).is_some_and(|known| known == relation) && known.starts_with('^') == kept) {
            return Some(false);
        }
        let ends = self.end_sorts(relation, side);
        if ends.is_empty() && side == Side::Tail && self.shipped.sorts.is_of_others(relation, sort) {
            return Some(false);
        }
        if ends.is_empty() || sort.of.is_empty() {
            return None;
        }
        Some(ends.iter().any(|end| sort.of.contains(end)))
    }

    /// The relations that a bare word for a sort asks for ("the country of X"), the likeliest first.
    #[must_use]
    pub fn relations_of_sort(&self, sort: &str) -> &[String] {
        self.shipped.sorts.get(sort).map_or(&[], |sort| &sort.relations)
    }

    /// The relations that lie between what is said and what is meant ("the continent of a person": that of the country).
    #[must_use]
    pub fn bridges(&self) -> &[(String, Side)] {
        &self.shipped.sorts.bridges
    }
}

#[expect(clippy::expect_used, reason = "the shipped words are part of the program, and a test reads them")]
fn shipped() -> Arc<Shipped> {
    static SHIPPED: OnceLock<Arc<Shipped>> = OnceLock::new();
    Arc::clone(SHIPPED.get_or_init(|| Arc::new(read().expect("the shipped words can be read"))))
}

/// Reads what is shipped; a test holds that it can be read.
fn read() -> Result<Shipped, PatternError> {
    let rules = Rules::with_english(&[ENGLISH])?;
    let (mut nouns, mut verbs) = (BTreeMap::new(), BTreeMap::new());
    for phrase in rules.english_phrases() {
        index(&phrase, &rules, &mut nouns, &mut verbs);
    }
    let sorts = Sorts::read(ENGLISH_SORTS).map_err(|reason| PatternError { of: "the sorts of questions".to_owned(), reason })?;
    let japanese =
        super::japanese::Words::read(&rules).map_err(|reason| PatternError { of: "the words of questions".to_owned(), reason })?;
    Ok(Shipped { rules, nouns, verbs, sorts, japanese })
}

/// Files a phrasing, and what follows from it, under the words that they are known by.
fn index(phrase: &Phrase, rules: &Rules, nouns: &mut BTreeMap<String, Vec<NounPhrase>>, verbs: &mut BTreeMap<String, Vec<VerbPhrase>>) {
    match phrase {
        Phrase::Noun { relation, noun, names } => {
            let words: Vec<String> = noun.split_whitespace().map(str::to_owned).collect();
            let Some(first) = words.first().cloned() else { return };
            nouns.entry(first).or_default().push(NounPhrase { relation: relation.as_str().into(), words, names: *names, weight: 10 });
        }
        Phrase::Verb { relation, elements, passive, subject, effect } => {
            let relation: Arc<str> = relation.as_str().into();
            let Some((Element::Words(first), rest)) = elements.split_first() else { return };
            for verb in first {
                if LIGHT.contains(&verb.as_str()) && !passive {
                    light(&relation, rest, *subject, *effect, verbs);
                    continue;
                }
                let phrase = VerbPhrase {
                    relation: Arc::clone(&relation),
                    elements: rest.to_vec(),
                    passive: *passive,
                    light: false,
                    subject: *subject,
                    effect: *effect,
                    weight: 10,
                };
                if *passive && *effect == Effect::Holds && by_agent(rest) && *subject == Some(Side::Head) {
                    // "X was founded by T": "T founded X", "the founder of X is T".
                    let active = VerbPhrase {
                        elements: vec![Element::Slot],
                        passive: false,
                        subject: Some(Side::Tail),
                        weight: 8,
                        ..phrase.clone()
                    };
                    verbs.entry(verb.clone()).or_default().push(active);
                    for agent in agents(verb, rules) {
                        nouns.entry(agent.clone()).or_default().push(NounPhrase {
                            relation: Arc::clone(&relation),
                            words: vec![agent],
                            names: Side::Tail,
                            weight: 8,
                        });
                    }
                }
                verbs.entry(verb.clone()).or_default().push(phrase);
            }
        }
        // Of Japanese, which is not indexed by words.
        Phrase::Frame { .. } => {}
    }
}

/// Files a pattern whose verb is "be" or "have" under its first word that says something: "be a citizen of T".
fn light(relation: &Arc<str>, rest: &[Element], subject: Option<Side>, effect: Effect, verbs: &mut BTreeMap<String, Vec<VerbPhrase>>) {
    let says = |element: &Element| match element {
        Element::Words(words) => words.iter().any(|word| !GRAMMAR.contains(&word.as_str()) || word == "from"),
        Element::Slot => false,
    };
    let Some(at) = rest.iter().position(says) else { return };
    let Some(Element::Words(keys)) = rest.get(at) else { return };
    // A slot in front of the word is what it is of: "be T's friend" is asked as "whose friend".
    if rest.iter().take(at).any(|element| *element == Element::Slot) {
        return;
    }
    let elements: Vec<Element> = rest.iter().skip(at + 1).cloned().collect();
    for key in keys {
        verbs.entry(key.clone()).or_default().push(VerbPhrase {
            relation: Arc::clone(relation),
            elements: elements.clone(),
            passive: false,
            light: true,
            subject,
            effect,
            weight: 10,
        });
    }
}

/// Whether all that follows a verb is "by" and a slot.
fn by_agent(rest: &[Element]) -> bool {
    matches!(rest, [Element::Words(words), Element::Slot] if words.iter().any(|word| word == "by"))
}

/// The nouns for who does what a verb says: "develop" gives "developer".
fn agents(verb: &str, rules: &Rules) -> BTreeSet<String> {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let all = [format!("{stem}er"), format!("{stem}or"), format!("{stem}ers"), format!("{stem}ors")];
    // What is a verb's form itself ("enter") is no agent.
    all.into_iter().filter(|noun| rules.english_verbs(noun).is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_can_be_read() {
        let read = read();
        assert!(read.is_ok(), "{:?}", read.err());
    }

    #[test]
    fn a_passive_gives_the_active_and_the_agent() {
        let lexicon = Lexicon::new(&Policies::shipped(), []);
        assert!(lexicon.nouns("developer").any(|noun| &*noun.relation == "produced_by" && noun.names == Side::Tail));
        assert!(lexicon.verbs("broadcast").any(|verb| &*verb.relation == "broadcast_by" && verb.subject == Some(Side::Tail)));
    }

    #[test]
    fn a_tenants_own_relation_is_a_wording() {
        let lexicon = Lexicon::new(&Policies::shipped(), ["ported_to", "favourite_boat"]);
        assert!(lexicon.verbs("port").any(|verb| &*verb.relation == "ported_to"));
        assert!(lexicon.nouns("favourite").any(|noun| &*noun.relation == "favourite_boat"));
    }
}
