//! Reading a question: what it asks for, from whom or what it starts, along which relations, and at what time.
//!
//! The words of relations are those that statements are read by ([`Rules`](crate::extract::Rules)'s phrasings), the wordings of the
//! tenant's policies, and what only questions say (`english.toml`, `japanese.toml`). Reading decides nothing about what is known: where
//! words may mean several relations all are kept, and the answering side goes the way for which there are facts.
//! Owns tokens, the lexicon and both grammars. Knows no facts; which names are known it is told.

mod english;
mod japanese;
mod lexicon;
mod name;
mod sort;
mod token;

pub use lexicon::Lexicon;
pub(super) use name::variants;

use crate::extract::rules::phrases::{Effect, Side};
use crate::time::expr::{self, Language, Role, Value};
use crate::time::{Instant, Moment, Zone};
use std::fmt;
use std::ops::Range;

/// Longer questions are refused, in bytes.
pub const MAX_BYTES: usize = 2_000;

/// More phrases on one side of a name than this are not read.
const MAX_ITEMS: usize = 12;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Somebody or something: who, what, which, where.
    Value,
    /// When something was, or began.
    When,
    /// When something ended.
    WhenEnded,
    /// How long something lasted.
    HowLong,
    /// How many there are, or how often something was.
    HowMany,
    /// Whether something is so.
    Whether,
}

/// Which of several values in time is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that holds at the time of the question.
    AsOf,
    /// All, those too that are over.
    Ever,
    /// The first one.
    First,
    /// The last one.
    Last,
    /// The one before the last one.
    Previous,
    /// The one before another.
    Before(Name),
    /// The one after another.
    After(Name),
}

/// A name in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The ways in which it may be known: with and without an article.
    pub readings: Vec<String>,
    /// Where it stands, in bytes.
    pub bytes: Range<usize>,
}

impl Name {
    /// The name as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        self.readings.first().map_or("", String::as_str)
    }
}

/// A relation that words may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sense {
    /// The relation.
    pub relation: String,
    /// The end that is asked for, where the other one is known.
    pub answers: Side,
    /// What the words say of it.
    pub effect: Effect,
    /// How well they say it.
    pub weight: i32,
}

/// Words of a question that mean a relation, or what sort of thing something is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The words.
    pub text: String,
    /// The relations that they may mean.
    pub senses: Vec<Sense>,
    /// The sort of thing that they are a word for, by its name in the lexicon.
    pub sort: Option<String>,
    /// Whether it is a noun: what a noun says may not be passed over.
    pub noun: bool,
    /// Whether it says little: "associated with", "has".
    pub loose: bool,
}

/// A question that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked for.
    pub asks: Asks,
    /// The name that it starts from.
    pub from: Name,
    /// Further names.
    pub others: Vec<Name>,
    /// What is said on the one side of the name, the nearest first.
    pub near: Vec<Item>,
    /// What is said on the other side, the nearest first.
    pub far: Vec<Item>,
    /// The sorts that the asking word is for: "who" for persons.
    pub wants: Vec<String>,
    /// Which of several values.
    pub order: Order,
    /// The time that it is about, with its words.
    pub time: Option<Time>,
    /// Whether it is asked of the past.
    pub past: bool,
    /// Words that say something and were not read.
    pub unread: Vec<String>,
    /// Whether one of them stands where what is asked for is said.
    pub unread_aim: bool,
    /// The language.
    pub language: Language,
}

/// The time that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// The words.
    pub text: String,
    /// The moment (valid time): of a stretch its whole extent.
    pub moment: Moment,
}

/// Why a question was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRead {
    /// It is empty, or longer than [`MAX_BYTES`].
    Length(usize),
    /// It names nobody and nothing that is known; with the names that it seems to hold.
    NoName(Vec<String>),
    /// It says no relation that is known; with the words that were not read.
    NoRelation(Vec<String>),
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(0) => f.write_str("the question is empty"),
            Self::Length(bytes) => write!(f, "the question has {bytes} bytes, and more than {MAX_BYTES} are not read"),
            Self::NoName(names) if names.is_empty() => f.write_str("it names nobody and nothing"),
            Self::NoName(names) => write!(f, "nothing is known of {}", names.join(", ")),
            Self::NoRelation(words) if words.is_empty() => f.write_str("it says no relation"),
            Self::NoRelation(words) => write!(f, "no relation is known by: {}", words.join(", ")),
        }
    }
}

/// What a reader must know beside the words.
pub struct Setting<'s> {
    /// When it is asked.
    pub asked_at: Instant,
    /// In which zone its dates are read.
    pub zone: Zone,
    /// Who asks, as "I" and "my" mean them.
    pub asker: &'s str,
    /// Whether a name is known.
    pub is_known: &'s dyn Fn(&str) -> bool,
}

impl fmt::Debug for Setting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setting").field("asked_at", &self.asked_at).field("asker", &self.asker).finish_non_exhaustive()
    }
}

impl Question {
    /// Reads a question; of several ways to read it, one for each name that it may start from, the likeliest first.
    ///
    /// # Errors
    /// [`NotRead`] says what is missing. It is a value: a question that cannot be read is no fault.
    ///
    /// # Complexity
    /// Quadratic in the words, of which there are few, for names; linear in the phrasings of each word.
    pub fn read(text: &str, lexicon: &Lexicon, setting: &Setting<'_>) -> Result<Vec<Self>, NotRead> {
        if text.trim().is_empty() || text.len() > MAX_BYTES {
            return Err(NotRead::Length(text.trim().len()));
        }
        if language_of(text) == Language::Japanese { japanese::read(text, lexicon, setting) } else { english::read(text, lexicon, setting) }
    }
}

/// Japanese where a syllable or an ideograph of its writing stands beside a kana, else English.
fn language_of(text: &str) -> Language {
    let kana = text.chars().filter(|c| matches!(c, '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}')).count();
    let latin = text.chars().filter(char::is_ascii_lowercase).count();
    let hiragana = text.chars().any(|c| matches!(c, '\u{3041}'..='\u{309f}'));
    if hiragana && kana * 4 >= latin / 4 { Language::Japanese } else { Language::English }
}

/// The moment that a mention of a time is about; nothing of lengths and recurring times. "Before 2018" is the last instant before it.
fn moment_of(mention: &expr::TimeMention) -> Option<Moment> {
    let step = |at: Instant, micros: i64| Moment::exact(Instant::from_micros(at.micros().saturating_add(micros)));
    match (&mention.value, mention.role, mention.anchor) {
        (_, Role::Before, Some(anchor)) => Some(step(anchor.lo(), -1)),
        (_, Role::After, Some(anchor)) => Some(step(anchor.hi(), 0)),
        (_, Role::Since | Role::Until | Role::By, Some(anchor)) => Some(anchor),
        (Value::Moment(moment), ..) => Some(*moment),
        (Value::Span(span), Role::During, _) => Moment::granule(span.start().lo(), span.end().hi()).ok(),
        (Value::Span(_) | Value::Duration(_) | Value::Set(_), ..) => None,
    }
}
