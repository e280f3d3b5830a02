//! The grammar's data: patterns keyed by relation, relational nouns, classes of words and the forms of every verb that is known.
//!
//! Owns the format of pattern packs, TOML with one table a relation (see [`Grammar::with`]). Knows no text.

use super::morph::{inflect, is_plural, regular_past, singular};
use super::pattern::{Raw, is_slot, pattern};
use super::tag::Form;
use crate::extract::rules::PatternError;
use nom::Parser;
use nom::combinator::all_consuming;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};
use toml::{Table, Value};

/// The shipped packs; what a later one says of a relation is added to what the ones before said.
const SHIPPED: [&str; 9] = [
    include_str!("person.toml"),
    include_str!("work.toml"),
    include_str!("people.toml"),
    include_str!("tastes.toml"),
    include_str!("health.toml"),
    include_str!("things.toml"),
    include_str!("world.toml"),
    include_str!("knowledge.toml"),
    include_str!("software.toml"),
];

/// The shipped classes of words.
const LEXICON: &str = include_str!("lexicon.toml");

/// The classes whose words may be names.
const PROPER: [&str; 14] = [
    "known_place",
    "language",
    "nationality",
    "religion",
    "programming",
    "database",
    "platform",
    "licence",
    "tool",
    "host",
    "device",
    "party",
    "medicine",
    "timezone",
];

/// What a slot wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// Any noun phrase that is about something.
    Any,
    /// A name.
    Name,
    /// A person's name, or a word for a person.
    Person,
    /// A place's name, or a word for a place.
    Place,
    /// An organisation's name, or a word for one.
    Org,
    /// Something with a name, or a sort of thing: no person.
    Thing,
    /// A time.
    Date,
    /// A number with its unit.
    Number,
    /// An amount of money.
    Money,
    /// A small number that stands alone.
    Age,
    /// A telephone number.
    Phone,
    /// A mail address.
    Email,
    /// An address of the web, a path.
    Address,
    /// A house and its street.
    Street,
    /// The number of a version.
    Version,
    /// Days and hours, all that is left of the clause.
    Times,
    /// Somebody who is surely a person: the speaker, a relative, he or she.
    Human,
    /// A person's name.
    PersonName,
    /// A place's name.
    PlaceName,
    /// An organisation's name.
    OrgName,
    /// A work's name.
    Title,
    /// Persons or a team of them.
    People,
    /// What something is: a noun with "a" or "an".
    Indefinite,
    /// A noun phrase with what hangs on it: "a flat in the old town".
    Full,
    /// All that is left of the clause, its times too.
    Rest,
    /// The same, without the times.
    Bare,
    /// A word of a class.
    Class(u8),
}

/// One element of a pattern after the verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// One of some words, by form or base.
    Word(Vec<String>),
    /// The same, which may be missing.
    Maybe(Vec<String>),
    /// The head.
    Head(Sort),
    /// The tail.
    Tail(Sort),
    /// A noun phrase that is neither.
    Other,
}

/// Who a pattern's subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Head(Sort),
    Tail(Sort),
    /// Somebody: "everyone calls her T".
    Any,
}

/// What a pattern does to its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It holds, or took place, as the tense says.
    Holds,
    /// It has held since it was done: "promised to", "was replaced by".
    Lasts,
    /// It begins then.
    Begins,
    /// It ends then.
    Ends,
    /// It holds because the verb is denied: "does not like".
    Denied,
}

/// How a pattern without a value ends one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// What it tells ends the value there is: "quit my job".
    Ends,
    /// Who is so has no value: "be unemployed"; with a "not" before the verb, who is not so: "not have a job".
    Without { denied: bool },
    /// What its tail goes by will not take place: "T be off".
    Cancels,
}

/// A way of saying a relation with a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) relation: usize,
    /// Its number among the relation's.
    pub(super) number: usize,
    /// Of two who do it together: "Ann and I got married".
    pub(super) mutual: bool,
    /// It has no value of its own.
    pub(super) open: Option<Open>,
    pub(super) effect: Effect,
    pub(super) subject: Subject,
    pub(super) pieces: Vec<Piece>,
    /// As it is written.
    pub(super) text: String,
    /// For each of its words, the marks of the forms that it may have.
    marks: Vec<u128>,
}

impl Pattern {
    /// Whether a clause whose words have these marks together may hold all its words; what may not, cannot.
    pub(super) fn may_fit(&self, words: u128) -> bool {
        self.marks.iter().all(|mark| mark & words != 0)
    }

    /// Whether some slot after the verb is the head.
    pub(super) fn has_head(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Head(_)))
    }
}

/// How a noun stands for a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NounFrame {
    pub(super) relation: usize,
    /// "my N is Y": whose it is, is the head; else Y is, as in "Y is the N of the mill".
    pub(super) owner_is_head: bool,
    /// Its number among the relation's.
    pub(super) number: usize,
}

/// A noun for the state itself: "my subscription to T".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StateNoun {
    pub(super) relation: usize,
    pub(super) noun: String,
    pub(super) prepositions: Vec<String>,
}

/// What is known of a relation's wording.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    /// It is an event: what is told in the present is none.
    pub(super) event: bool,
    /// What a head must be.
    pub(super) head: Sort,
    /// What a tail is unless a pattern says otherwise.
    pub(super) tail: Sort,
    /// The time in its tail is when it began: a birthday.
    pub(super) dated: bool,
    /// Names keep their "The": works.
    pub(super) article: bool,
    /// It came about once and stands since: told in the past, it is not over.
    pub(super) settled: bool,
    /// It is read in written matter only.
    pub(super) written: bool,
    /// It ends where one of the two dies.
    pub(super) till_death: bool,
    /// Relations that end with it where they have the same value.
    pub(super) beside: Vec<String>,
    patterns: usize,
}

/// Everything the grammar of English goes by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grammar {
    relations: Vec<Relation>,
    /// The number of each relation.
    relation_numbers: FxHashMap<String, usize>,
    patterns: Vec<Pattern>,
    by_verb: FxHashMap<String, Vec<usize>>,
    /// Those without a value.
    open_by_verb: FxHashMap<String, Vec<usize>>,
    nouns: FxHashMap<String, Vec<NounFrame>>,
    states: Vec<StateNoun>,
    /// Frames that every noun of a class has.
    noun_classes: Vec<(usize, NounFrame)>,
    verbs: FxHashMap<String, Vec<(String, Form)>>,
    passives: FxHashSet<String>,
    predicates: FxHashSet<String>,
    classes: Vec<String>,
    /// The number of each class.
    class_numbers: FxHashMap<String, usize>,
    /// The classes whose words may be names.
    proper: u128,
    /// The class of jobs, of which many are told by how their names end.
    job: Option<usize>,
    /// The class of doctors, who bear a title.
    doctor: Option<usize>,
    members: FxHashMap<String, u128>,
    sorts: Sorts,
}

/// Sets of classes that tell what is spoken of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sorts {
    /// Who is a person by a noun.
    pub(super) people: u128,
    pub(super) animals: u128,
    pub(super) women: u128,
    pub(super) men: u128,
    pub(super) places: u128,
    pub(super) organisations: u128,
    /// What nobody can point at.
    pub(super) vague: u128,
    /// What can be pointed at.
    pub(super) things: u128,
}

impl Grammar {
    /// The shipped grammar, read once.
    #[expect(clippy::expect_used, reason = "the shipped packs are part of the program, and a test reads them")]
    pub(crate) fn shipped() -> Arc<Self> {
        static SHIPPED_GRAMMAR: OnceLock<Arc<Grammar>> = OnceLock::new();
        Arc::clone(SHIPPED_GRAMMAR.get_or_init(|| Arc::new(Self::read(&SHIPPED).expect("the shipped packs are packs"))))
    }

    /// The shipped grammar with further packs laid over it.
    ///
    /// A pack has a table for each relation. `verbs`, `lasting`, `begins`, `ends`, `denials` hold patterns (a verb in its base form, then words,
    /// slots `H` and `T` with a sort after a colon, words in brackets that may be missing, and alternatives with `|`; a slot in front of
    /// the verb is its subject, else the subject is the head). `ends_open` ("quit job"), `without` ("be unemployed") and `cancels` ("T be off")
    /// end a value that they do not name, `beside` lists relations that end with it, `till_death` says that it ends with a life. `nouns` are those that the head has ("my N is T"), `holders` those that
    /// the head is ("H is the N of T"). `tail` and `head` give the sorts, `event`, `dated`, `article`, `settled` (told in the past, it is not
    /// over) and `written` (read in documents only, not in talk) are truth values.
    ///
    /// # Errors
    /// [`PatternError`] names the relation and what cannot be read.
    pub(crate) fn with(packs: &[&str]) -> Result<Self, PatternError> {
        let all: Vec<&str> = SHIPPED.iter().copied().chain(packs.iter().copied()).collect();
        Self::read(&all)
    }

    fn read(packs: &[&str]) -> Result<Self, PatternError> {
        let mut grammar = Self::default();
        grammar.read_lexicon(LEXICON)?;
        grammar.sort_classes();
        let mut tables = Vec::new();
        for pack in packs {
            tables.push(pack.parse::<Table>().map_err(|error| PatternError::unreadable("the pack", error.to_string()))?);
        }
        // Every verb first: whether "be based" is a passive depends on its being one.
        for (relation, value) in tables.iter().flatten() {
            for (_, texts) in lists(relation, value)? {
                for text in &texts {
                    grammar.learn_verb(text);
                }
            }
        }
        for (relation, value) in tables.iter().flatten() {
            grammar.add(relation, value)?;
        }
        Ok(grammar)
    }

    fn read_lexicon(&mut self, text: &str) -> Result<(), PatternError> {
        let table = text.parse::<Table>().map_err(|error| PatternError::unreadable("the lexicon", error.to_string()))?;
        for (class, value) in &table {
            let words =
                value.as_str().ok_or_else(|| PatternError::unreadable(class, "a class is one text of words with commas".to_owned()))?;
            let bit = self.classes.len();
            self.classes.push(class.clone());
            self.class_numbers.insert(class.clone(), bit);
            if PROPER.contains(&class.as_str()) {
                self.proper |= 1 << bit;
            }
            match class.as_str() {
                "job" => self.job = Some(bit),
                "doctor" => self.doctor = Some(bit),
                _ => {}
            }
            for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
                *self.members.entry(word.to_lowercase()).or_default() |= 1 << bit;
            }
            if class == "verb" {
                words.split(',').map(str::trim).filter(|word| !word.is_empty()).for_each(|verb| self.add_verb(verb));
            }
        }
        Ok(())
    }

    fn add_verb(&mut self, base: &str) {
        if matches!(base, "be" | "have" | "do") || self.verbs.get(base).is_some_and(|known| known.iter().any(|(lemma, _)| lemma == base)) {
            return;
        }
        let forms = inflect(base);
        let mut put = |form: String, kind: Form| self.verbs.entry(form).or_default().push((base.to_owned(), kind));
        put(base.to_owned(), Form::Base);
        put(forms.third, Form::Third);
        if let Some(regular) = regular_past(base) {
            put(regular.clone(), Form::Past);
            put(regular, Form::Participle);
        }
        put(forms.past, Form::Past);
        put(forms.participle, Form::Participle);
        put(forms.ing, Form::Ing);
    }

    /// Takes the verbs of a pattern into the lexicon; what follows "be" is a participle only of a verb known otherwise.
    fn learn_verb(&mut self, pattern: &str) {
        let mut words = pattern.split_whitespace().filter(|word| !is_slot(word) && *word != "not");
        for verb in words.next().unwrap_or_default().split('|') {
            if !matches!(verb, "be" | "have" | "do" | "get") && verb.chars().all(|c| c.is_ascii_lowercase()) {
                self.add_verb(verb);
            }
        }
    }

    fn add(&mut self, name: &str, value: &Value) -> Result<(), PatternError> {
        let table = value.as_table().ok_or_else(|| PatternError::unreadable(name, "a relation is a table".to_owned()))?;
        let at = self.relations.iter().position(|known| known.name == name).unwrap_or(self.relations.len());
        if at == self.relations.len() {
            let (head, tail) = (Sort::Any, Sort::Any);
            self.relation_numbers.insert(name.to_owned(), at);
            self.relations.push(Relation {
                name: name.to_owned(),
                event: false,
                head,
                tail,
                dated: false,
                article: false,
                settled: false,
                written: false,
                till_death: false,
                beside: Vec::new(),
                patterns: 0,
            });
        }
        for (key, value) in table {
            match key.as_str() {
                "head" | "tail" => {
                    let sort = value.as_str().and_then(|text| self.sort(text));
                    let sort = sort.ok_or_else(|| PatternError::unreadable(name, format!("{key} is no sort: {value}")))?;
                    if let Some(relation) = self.relations.get_mut(at) {
                        if key == "head" { relation.head = sort } else { relation.tail = sort }
                    }
                }
                "event" | "article" | "dated" | "settled" | "written" | "till_death" => {
                    let yes = value.as_bool().ok_or_else(|| PatternError::unreadable(name, format!("{key} is true or false")))?;
                    if let Some(relation) = self.relations.get_mut(at) {
                        match key.as_str() {
                            "event" => relation.event = yes,
                            "dated" => relation.dated = yes,
                            "settled" => relation.settled = yes,
                            "written" => relation.written = yes,
                            "till_death" => relation.till_death = yes,
                            _ => relation.article = yes,
                        }
                    }
                }
                "verbs" | "lasting" | "begins" | "ends" | "denials" | "mutual" | "mutual_begins" | "mutual_ends" | "states" | "nouns"
                | "holders" | "ends_open" | "without" | "cancels" => {}
                "beside" => {
                    let others = strings(name, Some(value))?.into_iter().map(str::to_owned).collect();
                    if let Some(relation) = self.relations.get_mut(at) {
                        relation.beside = others;
                    }
                }
                "noun_class" => {
                    let class = value.as_str().and_then(|class| self.classes.iter().position(|known| known == class));
                    let class = class.ok_or_else(|| PatternError::unreadable(name, format!("there is no class {value}")))?;
                    let number = self.next_number(at);
                    self.noun_classes.push((class, NounFrame { relation: at, owner_is_head: true, number }));
                }
                other => return Err(PatternError::unreadable(name, format!("there is no field {other:?}"))),
            }
        }
        for (key, texts) in lists(name, value)? {
            let effect = match key {
                "lasting" => Effect::Lasts,
                "begins" | "mutual_begins" => Effect::Begins,
                "ends" | "mutual_ends" | "ends_open" | "cancels" => Effect::Ends,
                "denials" => Effect::Denied,
                _ => Effect::Holds,
            };
            for text in texts {
                let plain = text.strip_prefix("not ").filter(|_| key == "without");
                let open = match key {
                    "ends_open" => Some(Open::Ends),
                    "without" => Some(Open::Without { denied: plain.is_some() }),
                    "cancels" => Some(Open::Cancels),
                    _ => None,
                };
                self.add_pattern(at, effect, key.starts_with("mutual"), open, plain.unwrap_or(text))?;
            }
        }
        for noun in strings(name, table.get("states"))? {
            let (nouns, prepositions) = noun.split_once(' ').unwrap_or((noun, "with"));
            for noun in nouns.split('|') {
                let prepositions = prepositions.split('|').map(str::to_owned).collect();
                self.states.push(StateNoun { relation: at, noun: noun.to_owned(), prepositions });
            }
        }
        for (key, owner_is_head) in [("nouns", true), ("holders", false)] {
            for noun in strings(name, table.get(key))? {
                let number = self.next_number(at);
                self.nouns.entry(noun.to_lowercase()).or_default().push(NounFrame { relation: at, owner_is_head, number });
            }
        }
        Ok(())
    }

    fn next_number(&mut self, relation: usize) -> usize {
        self.relations.get_mut(relation).map_or(0, |relation| {
            relation.patterns += 1;
            relation.patterns
        })
    }

    fn add_pattern(&mut self, relation: usize, effect: Effect, mutual: bool, open: Option<Open>, text: &str) -> Result<(), PatternError> {
        let fault =
            |reason: &str| PatternError::unreadable(self.relations.get(relation).map_or("", |one| &one.name), format!("{text:?} {reason}"));
        let Ok((_, raw)) = all_consuming(pattern).parse(text) else { return Err(fault("is no pattern")) };
        let mut pieces = Vec::with_capacity(raw.len());
        let (default_head, default_tail) = self.relations.get(relation).map_or((Sort::Any, Sort::Any), |one| (one.head, one.tail));
        for piece in raw {
            pieces.push(match piece {
                Raw::Words(words) => Piece::Word(words),
                Raw::Maybe(words) => Piece::Maybe(words),
                Raw::Other => Piece::Other,
                Raw::Slot(slot, sort) => {
                    let sort = match sort {
                        Some(sort) => Some(self.sort(sort).ok_or_else(|| fault("has a slot of no sort there is"))?),
                        None => None,
                    };
                    if slot == 'H' { Piece::Head(sort.unwrap_or(default_head)) } else { Piece::Tail(sort.unwrap_or(default_tail)) }
                }
            });
        }
        let mut pieces = pieces.into_iter().peekable();
        let subject = match pieces.next_if(|piece| !matches!(piece, Piece::Word(_) | Piece::Maybe(_))) {
            Some(Piece::Head(sort)) => Subject::Head(sort),
            Some(Piece::Tail(sort)) => Subject::Tail(sort),
            Some(_) => Subject::Any,
            None => Subject::Head(default_head),
        };
        let Some(Piece::Word(verbs)) = pieces.next() else { return Err(fault("has no verb")) };
        let mut pieces: Vec<Piece> = pieces.collect();
        let slots = |head: bool, pieces: &[Piece]| {
            pieces.iter().filter(|piece| matches!((piece, head), (Piece::Head(_), true) | (Piece::Tail(_), false))).count()
        };
        let heads = slots(true, &pieces) + usize::from(matches!(subject, Subject::Head(_)));
        let tails = slots(false, &pieces) + usize::from(matches!(subject, Subject::Tail(_)));
        // Nobody named as head is the one who speaks: "call me T".
        let heads = if heads == 0 && subject == Subject::Any { 1 } else { heads };
        if !mutual && open.is_none() && (heads != 1 || tails != 1) {
            return Err(fault("needs one head and one tail"));
        }
        let number = self.next_number(relation);
        let mut keys: Vec<String> = Vec::new();
        for verb in &verbs {
            let participles = match (verb.as_str(), pieces.first()) {
                ("be" | "get", Some(Piece::Word(words))) => {
                    let lemma = |word: &String| {
                        let forms = self.verbs.get(word)?;
                        forms.iter().find(|(_, form)| *form == Form::Participle).map(|(lemma, _)| lemma.clone())
                    };
                    words.iter().map(lemma).collect::<Option<Vec<String>>>()
                }
                _ => None,
            };
            if let Some(lemmas) = participles {
                keys.extend(lemmas.iter().map(|lemma| format!("+{lemma}")));
                self.passives.extend(lemmas);
            } else {
                if verb == "be"
                    && let Some(Piece::Word(words) | Piece::Maybe(words)) = pieces.first()
                {
                    self.predicates.extend(words.iter().cloned());
                }
                keys.push(verb.clone());
            }
        }
        if keys.iter().all(|key| key.starts_with('+')) {
            pieces.remove(0);
        }
        let at = self.patterns.len();
        let of_piece = |piece: &Piece| match piece {
            Piece::Word(words) => Some(words.iter().map(|word| mark(word)).fold(0, |all, one| all | one)),
            Piece::Maybe(_) | Piece::Head(_) | Piece::Tail(_) | Piece::Other => None,
        };
        let marks = pieces.iter().filter_map(of_piece).collect();
        self.patterns.push(Pattern { relation, number, mutual, open, effect, subject, pieces, text: text.to_owned(), marks });
        let by_verb = if open.is_some() { &mut self.open_by_verb } else { &mut self.by_verb };
        for key in keys {
            by_verb.entry(key).or_default().push(at);
        }
        Ok(())
    }

    fn sort(&self, text: &str) -> Option<Sort> {
        Some(match text {
            "any" => Sort::Any,
            "name" => Sort::Name,
            "person" => Sort::Person,
            "place" => Sort::Place,
            "org" => Sort::Org,
            "thing" => Sort::Thing,
            "date" => Sort::Date,
            "number" => Sort::Number,
            "money" => Sort::Money,
            "age" => Sort::Age,
            "phone" => Sort::Phone,
            "email" => Sort::Email,
            "address" => Sort::Address,
            "street" => Sort::Street,
            "version" => Sort::Version,
            "times" => Sort::Times,
            "human" => Sort::Human,
            "personname" => Sort::PersonName,
            "placename" => Sort::PlaceName,
            "orgname" => Sort::OrgName,
            "title" => Sort::Title,
            "people" => Sort::People,
            "indefinite" => Sort::Indefinite,
            "full" => Sort::Full,
            "rest" => Sort::Rest,
            "bare" => Sort::Bare,
            class => Sort::Class(u8::try_from(self.classes.iter().position(|known| known == class)?).ok()?),
        })
    }

    /// The patterns of a verb.
    pub(super) fn patterns(&self, lemma: &str, passive: bool) -> impl Iterator<Item = &Pattern> {
        let key = if passive { std::borrow::Cow::Owned(format!("+{lemma}")) } else { std::borrow::Cow::Borrowed(lemma) };
        self.by_verb.get(key.as_ref()).into_iter().flatten().filter_map(|at| self.patterns.get(*at))
    }

    /// The patterns of a verb that end a value they do not name.
    pub(super) fn open_patterns(&self, lemma: &str, passive: bool) -> impl Iterator<Item = &Pattern> {
        let key = if passive { std::borrow::Cow::Owned(format!("+{lemma}")) } else { std::borrow::Cow::Borrowed(lemma) };
        self.open_by_verb.get(key.as_ref()).into_iter().flatten().filter_map(|at| self.patterns.get(*at))
    }

    /// What a relational noun stands for, by its phrase in lower case or its last words.
    pub(super) fn noun(&self, phrase: &str) -> Option<(String, Vec<NounFrame>)> {
        let mut rest = phrase;
        loop {
            let one = singular(rest);
            for known in [rest, &*one] {
                if let Some(frames) = self.nouns.get(known) {
                    return Some((known.to_owned(), frames.clone()));
                }
            }
            match rest.split_once(' ') {
                Some((_, after)) => rest = after,
                None => break,
            }
        }
        let (_, frame) = self.noun_classes.iter().find(|(class, _)| self.in_class(phrase, *class))?;
        Some((singular(phrase).into_owned(), vec![*frame]))
    }

    /// The relational nouns with what they stand for, in no order.
    pub(super) fn relational_nouns(&self) -> impl Iterator<Item = (&str, &NounFrame)> {
        self.nouns.iter().flat_map(|(noun, frames)| frames.iter().map(move |frame| (noun.as_str(), frame)))
    }

    /// The patterns with the verbs that begin them, and whether those are passive, in the order of the packs.
    pub(super) fn verb_patterns(&self) -> impl Iterator<Item = (Vec<String>, bool, &Pattern)> {
        let mut verbs: Vec<[Vec<String>; 2]> = vec![<[Vec<String>; 2]>::default(); self.patterns.len()];
        let mut keys: Vec<(&String, &Vec<usize>)> = self.by_verb.iter().collect();
        keys.sort_unstable();
        for (key, patterns) in keys {
            let (verb, passive) = key.strip_prefix('+').map_or((key.as_str(), false), |verb| (verb, true));
            for at in patterns {
                if let Some([active, participle]) = verbs.get_mut(*at) {
                    if passive { participle } else { active }.push(verb.to_owned());
                }
            }
        }
        let both = self.patterns.iter().zip(verbs);
        both.flat_map(|(pattern, [active, passive])| {
            [(active, false, pattern), (passive, true, pattern)].into_iter().filter(|(verbs, ..)| !verbs.is_empty())
        })
    }

    /// What a noun is the state of, by its last word.
    pub(super) fn states_of<'s>(&'s self, noun: &'s str) -> impl Iterator<Item = &'s StateNoun> {
        self.states.iter().filter(move |state| state.noun == noun)
    }

    /// The relations that end where one of the two dies.
    pub(super) fn relations_till_death(&self) -> impl Iterator<Item = &str> {
        self.relations.iter().filter(|relation| relation.till_death).map(|relation| relation.name.as_str())
    }

    pub(super) fn relation(&self, at: usize) -> Option<&Relation> {
        self.relations.get(at)
    }

    /// The number of a relation, by name.
    pub(super) fn relation_named(&self, name: &str) -> Option<usize> {
        self.relation_numbers.get(name).copied()
    }

    /// The bases and forms that a word in lower case may be.
    pub(super) fn verb<'g>(&'g self, lower: &str) -> Vec<(&'g str, Form)> {
        self.verbs.get(lower).map(|known| known.iter().map(|(lemma, form)| (lemma.as_str(), *form)).collect()).unwrap_or_default()
    }

    /// The base of a verb that nobody knows.
    #[expect(clippy::unused_self, reason = "the grammar answers for its verbs, known or not")]
    pub(super) const fn unknown(&self, _: &str) -> &'static str {
        "?"
    }

    /// Whether a verb's participle is used as a predicate in some pattern.
    pub(super) fn is_passive(&self, lemma: &str) -> bool {
        self.passives.contains(lemma)
    }

    /// Whether a word follows "be" in some pattern.
    pub(super) fn is_predicate(&self, lower: &str) -> bool {
        self.predicates.contains(lower)
    }

    /// Whether a word is known as something that is no name.
    pub(super) fn is_common(&self, lower: &str) -> bool {
        self.members.get(lower).is_some_and(|bits| bits & !self.proper != 0)
            || self.nouns.contains_key(lower)
            || self.verbs.contains_key(lower)
            || is_plural(lower) && self.members.contains_key(&*singular(lower))
    }

    /// Whether a word names a role, though it be written large.
    pub(super) fn is_role(&self, lower: &str) -> bool {
        self.members.contains_key(lower) && self.has_class(lower, "rank")
    }

    /// Whether a noun looks like a plural.
    pub(super) fn is_plural_word(&self, lower: &str) -> bool {
        is_plural(lower) && !self.has_class(lower, "mass")
    }

    /// A phrase parted behind its first word, where that is of a class: "Danish cellist".
    pub(super) fn led_by_class<'p>(&self, phrase: &'p str, class: &str) -> Option<(&'p str, &'p str)> {
        let (first, rest) = phrase.split_once(' ')?;
        let capital = first.starts_with(char::is_uppercase);
        (capital && self.has_class(&first.to_lowercase(), class)).then_some((first, rest))
    }

    /// Whether a phrase in lower case, or its last words, is of a class.
    pub(super) fn has_class(&self, phrase: &str, class: &str) -> bool {
        self.class_numbers.get(class).is_some_and(|bit| self.in_class(phrase, *bit))
    }

    /// Whether a noun is the word for a class: "language", "native language".
    pub(super) fn names_class(&self, noun: &str, bit: usize) -> bool {
        self.classes.get(bit).is_some_and(|class| noun.rsplit(' ').next() == Some(class))
    }

    /// Whether just this phrase is listed as one of a class.
    pub(super) fn is_member(&self, phrase: &str, bit: usize) -> bool {
        self.members.get(phrase).is_some_and(|classes| classes & (1 << bit) != 0)
    }

    /// Whether only what has a name is of a class: firms and institutes that somebody heads.
    pub(super) fn class_wants_name(&self, bit: usize) -> bool {
        self.classes.get(bit).is_some_and(|class| matches!(class.as_str(), "company" | "institute" | "team"))
    }

    /// Whether a phrase with a name is of a class by its noun: "my doctor, Ann", "the ferry Aurora".
    pub(super) fn class_goes_by_noun(&self, bit: usize) -> bool {
        let of_nouns = ["doctor", "animal", "job", "vehicle", "ownable", "event", "club", "appointment", "ticket", "project"];
        self.classes.get(bit).is_some_and(|class| of_nouns.contains(&class.as_str()))
    }

    /// The same by the class's number; "Museum of Glass" is of the class that "museum" is of.
    pub(super) fn in_class(&self, phrase: &str, bit: usize) -> bool {
        self.classes_of(phrase) & (1 << bit) != 0
    }

    /// The classes that a phrase in lower case is of, or its last words, as a set of their bits.
    pub(super) fn classes_of(&self, phrase: &str) -> u128 {
        let whole = self.classes_of_end(phrase);
        if !phrase.contains(' ') {
            return whole;
        }
        match phrase.split_once(" of ") {
            Some((before, _)) => whole | self.classes_of_end(before),
            None => whole,
        }
    }

    /// The set of some classes.
    fn classes_named(&self, names: &[&str]) -> u128 {
        names.iter().filter_map(|name| self.class_numbers.get(*name)).fold(0, |all, bit| all | 1 << bit)
    }

    /// The sets of classes that tell what is spoken of.
    pub(super) const fn sorts(&self) -> &Sorts {
        &self.sorts
    }

    fn sort_classes(&mut self) {
        const THINGS: [&str; 21] = [
            "artefact",
            "ownable",
            "vehicle",
            "place_noun",
            "org_noun",
            "event",
            "work_noun",
            "ticket",
            "project",
            "instrument",
            "animal",
            "title_noun",
            "school",
            "club",
            "company",
            "host",
            "database",
            "platform",
            "course",
            "visitable",
            "appointment",
        ];
        self.sorts = Sorts {
            people: self.classes_named(&["kin", "person_noun", "job"]),
            animals: self.classes_named(&["animal"]),
            women: self.classes_named(&["female"]),
            men: self.classes_named(&["male"]),
            places: self.classes_named(&["place_noun"]),
            organisations: self.classes_named(&["org_noun"]),
            vague: self.classes_named(&["vague"]),
            things: self.classes_named(&THINGS),
        };
    }

    fn classes_of_end(&self, phrase: &str) -> u128 {
        let named = |phrase: &str| self.members.get(phrase).copied().unwrap_or_default();
        let marked = |class: Option<usize>| class.map_or(0, |bit| 1_u128 << bit);
        // "Apache License 2.0": the number behind does not count.
        let mut classes = match phrase.rsplit_once(' ') {
            Some((before, last)) if last.starts_with(|c: char| c.is_ascii_digit()) => self.classes_of_end(before),
            _ => 0,
        };
        let mut rest = phrase;
        loop {
            classes |= named(rest);
            let one = singular(rest);
            if one != rest {
                classes |= named(&one);
            }
            if rest.split(' ').next().is_some_and(|lead| matches!(lead, "dr" | "dr.")) {
                classes |= marked(self.doctor);
            }
            match rest.split_once(' ') {
                Some((_, after)) => rest = after,
                None => break,
            }
        }
        if by_trade(rest) { classes | marked(self.job) } else { classes }
    }
}

/// One bit of 128 for a word: two words may share it, one word has always the same.
pub(super) fn mark(word: &str) -> u128 {
    let sum = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    1 << ((sum >> 57) & 127)
}

/// Whether a word in lower case names a trade by its end: "cardiologist", "silversmith".
fn by_trade(word: &str) -> bool {
    const ENDS: [&str; 14] = [
        "ologist", "ologists", "ographer", "iatrist", "atrician", "smith", "wright", "monger", "tician", "nomist", "logian", "keeper",
        "herder", "metrist",
    ];
    word.len() > 7 && ENDS.iter().any(|end| word.ends_with(end))
}

/// The lists of patterns of a relation.
fn lists<'v>(name: &str, value: &'v Value) -> Result<Vec<(&'static str, Vec<&'v str>)>, PatternError> {
    ["verbs", "lasting", "begins", "ends", "denials", "mutual", "mutual_begins", "mutual_ends", "ends_open", "without", "cancels"]
        .into_iter()
        .map(|key| Ok((key, strings(name, value.get(key))?)))
        .collect()
}

fn strings<'v>(name: &str, value: Option<&'v Value>) -> Result<Vec<&'v str>, PatternError> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let fault = || PatternError::unreadable(name, format!("{value} is no list of texts"));
    value.as_array().ok_or_else(fault)?.iter().map(|one| one.as_str().ok_or_else(fault)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shipped_pack_is_one_and_says_something() {
        let all = Grammar::with(&[]);
        assert!(all.is_ok(), "{}", all.map_or_else(|fault| fault.to_string(), |_| String::new()));
        for pack in SHIPPED {
            let alone = Grammar::read(&[pack]).unwrap();
            assert!(!alone.relations.is_empty() && alone.patterns.len() + alone.nouns.len() > 0, "{pack}");
        }
        assert!(Grammar::shipped().classes.len() > 10, "the lexicon has classes of words");
    }
}
