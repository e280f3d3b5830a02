//! The write policy: what is remembered and what is not, what is masked before it is stored, whose consent it takes, and how important
//! a claim is.
//!
//! [`screen`] comes before storage: it masks, and says what may become of an observation. [`judge`] comes after extraction: it keeps or
//! refuses each claim, and weighs it. Both are pure and take linear time. Knows no store (what is believed is asked through
//! [`Novelty`]) and no clock.

mod consent;
mod escape;
mod file;
mod judge;
mod mask;
mod orders;
mod recalled;
mod rewrite;
mod screen;
mod sorts;
mod unread;
mod vault;
mod words;

pub use consent::Consents;
pub use judge::{Judged, Kept, News, NothingKnown, Novelty, OTHER, Refused, Rules, Weight, judge};
pub use mask::MaskKind;
pub use screen::{Fate, Masked, Place, Screen, Screened, screen, screen_into};
pub use vault::{Vault, reveal};

use crate::model::{Authority, Observation, Source};
use file::{File, SensitiveText, SourceRule, Taken, Words};
use mask::{Kinds, Label, Masker};
use std::fmt;
use std::sync::{Arc, OnceLock};
use words::Phrases;

/// The shipped policy's text, with its comments.
const SHIPPED: &str = include_str!("default.toml");

/// What is wrong with a policy file or with consents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritePolicyError {
    /// The line, from 1, where one is to blame.
    pub line: Option<usize>,
    /// What is wrong, naming the field and the value.
    pub reason: String,
}

impl fmt::Display for WritePolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for WritePolicyError {}

/// Why something is not remembered, as something that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// Nothing is taken from that source or authority.
    Source,
    /// Nothing is taken from that chat role.
    Role,
    /// It stands in a block that this memory handed out.
    Recalled,
    /// A page orders it, or speaks as the user.
    Instruction,
    /// The assistant said what is believed already.
    Echo,
    /// Nothing is left of it but a mask.
    Masked,
    /// It takes a consent that is not recorded.
    Consent,
    /// Its head is evidently no sort the relation takes.
    Domain,
    /// Its tail is evidently no sort the relation takes.
    Range,
    /// The policy does not take the relation.
    Relation,
    /// It was said as a guess.
    Guess,
    /// Its confidence is below what its source needs.
    Confidence,
    /// Its importance is below what the policy asks.
    Importance,
    /// It, or the text it stands in, is longer than the policy allows.
    TooLong,
    /// The observation made more claims than the policy allows.
    TooMany,
    /// The observation said it before.
    Duplicate,
}

impl Refusal {
    /// Every reason, in the order of their declaration.
    pub const ALL: [Self; 16] = [
        Self::Source,
        Self::Role,
        Self::Recalled,
        Self::Instruction,
        Self::Echo,
        Self::Masked,
        Self::Consent,
        Self::Domain,
        Self::Range,
        Self::Relation,
        Self::Guess,
        Self::Confidence,
        Self::Importance,
        Self::TooLong,
        Self::TooMany,
        Self::Duplicate,
    ];

    /// The name under which it is counted; it does not change from version to version.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Role => "role",
            Self::Recalled => "recalled",
            Self::Instruction => "instruction",
            Self::Echo => "echo",
            Self::Masked => "masked",
            Self::Consent => "consent",
            Self::Domain => "domain",
            Self::Range => "range",
            Self::Relation => "relation",
            Self::Guess => "guess",
            Self::Confidence => "confidence",
            Self::Importance => "importance",
            Self::TooLong => "too_long",
            Self::TooMany => "too_many",
            Self::Duplicate => "duplicate",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a tenant remembers, and what not: the shipped file with the tenant's own laid over it, made ready for use.
///
/// Cheap to clone. Two policies are equal if their fields are.
#[derive(Clone, Debug)]
pub struct WritePolicy(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    file: File,
    masker: Masker,
    /// Importance classes and what else words in a sentence tell.
    cues: Phrases<Cue>,
    /// Categories, by their place in the file.
    sensitive: Phrases<u16>,
    recalled: recalled::Names,
    orders: Phrases<Order>,
}

/// What a word has to do with orders that a page gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Order {
    /// Somebody who speaks in a chat.
    Role,
    /// Whoever reads: an assistant, its memory.
    Reader,
    /// That a message follows.
    Notice,
    /// To set aside.
    Aside,
    /// What is set aside.
    Rule,
    /// Is an order wherever it is said.
    Whole,
}

/// What a phrase in a sentence tells of the claims in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    Guess,
    Passing,
    /// An importance class, by its place in the file; whether it is that of what one is asked to remember.
    Class(u16, bool),
}

/// The importance class whose words are a request, and count only where they are one ("remember that", not "I remember that").
const ASKED: &str = "asked";

impl PartialEq for WritePolicy {
    fn eq(&self, other: &Self) -> bool {
        self.0.file == other.0.file
    }
}

impl Default for WritePolicy {
    fn default() -> Self {
        Self::shipped()
    }
}

impl WritePolicy {
    /// The shipped policy.
    ///
    /// ```
    /// use erstwhile::{model::Authority, policy::{WritePolicy, write_policy_toml}};
    /// let shipped = WritePolicy::shipped();
    /// let own = WritePolicy::parse("[authority.tool]\ncredibility = 0.2\n")?;
    /// assert_eq!((shipped.credibility_of(Authority::Tool), own.credibility_of(Authority::Tool)), (0.6, 0.2));
    /// assert_eq!(WritePolicy::parse(&write_policy_toml(&own))?, own);
    /// let error = WritePolicy::parse("[limits]\ntxt = 5").unwrap_err();
    /// assert!(error.to_string().starts_with("line 2: unknown field `txt`"));
    /// # Ok::<(), erstwhile::policy::WritePolicyError>(())
    /// ```
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "it cannot: the embedded policy is part of the program, and a test reads it")]
    pub fn shipped() -> Self {
        static POLICY: OnceLock<WritePolicy> = OnceLock::new();
        #[expect(clippy::expect_used, reason = "the embedded policy is part of the program; a test reads it")]
        let shipped = POLICY.get_or_init(|| Self::compile(file::read(SHIPPED, None).expect("the shipped write policy is well formed")));
        shipped.clone()
    }

    /// The shipped policy's TOML with its comments, for whoever writes their own.
    #[must_use]
    pub fn shipped_toml() -> &'static str {
        SHIPPED
    }

    /// A tenant's own file laid over the shipped one: it says only what differs. A table is laid over a table; a value or a list
    /// replaces the shipped one.
    ///
    /// # Errors
    /// [`WritePolicyError`] with the line: what is no TOML, an unknown field, a value of the wrong sort or outside its bounds.
    pub fn parse(toml: &str) -> Result<Self, WritePolicyError> {
        let shipped = Self::shipped();
        Ok(Self::compile(file::read(toml, Some(&shipped.0.file))?))
    }

    /// Whether a name with a title or a courtesy around it, mentioned in prose, is merged with the name alone: see
    /// [`bare_name`](crate::resolve::bare_name).
    #[must_use]
    pub fn merges_bare_names(&self) -> bool {
        self.file().remember.bare_names
    }

    /// How far what such a source says is believed when it is weighed: 0 to 1.
    #[must_use]
    pub fn credibility_of(&self, authority: Authority) -> f64 {
        self.0.file.authority.of(authority).credibility.0
    }

    /// How far a source is believed when what it says is weighed, by its name if the policy names it: 0 to 1.
    #[must_use]
    pub fn credibility(&self, source: &Source) -> f64 {
        let named = self.source(source).and_then(|rule| rule.credibility);
        named.map_or_else(|| self.credibility_of(source.authority), |share| share.0)
    }

    /// The names of the categories that take consent, in order. [`OTHER`] goes beside them.
    pub fn categories(&self) -> impl Iterator<Item = &str> {
        self.0.file.sensitive.category.keys().map(String::as_str)
    }

    fn source(&self, source: &Source) -> Option<&SourceRule> {
        let name = source.name.as_deref()?;
        self.0.file.source.get(name)
    }

    fn file(&self) -> &File {
        &self.0.file
    }

    /// Whether what a source asks to be remembered is more important for it.
    fn may_ask(&self, source: &Source) -> bool {
        self.source(source).and_then(|rule| rule.ask).unwrap_or(self.0.file.authority.of(source.authority).ask)
    }

    /// Whether an observation is a page, whose orders are none.
    fn is_page(&self, observation: &Observation) -> bool {
        let spoken = matches!(observation.source.authority, Authority::User | Authority::Curated);
        !spoken && self.file().orders.r#in.contains(&screen::place_of(observation))
    }

    /// Whether masked values are to be offered to a [`Vault`]: `mask.vault`. Without one that a program passes to [`screen_into`] the values
    /// are gone as they are without the setting.
    #[must_use]
    pub fn wants_vault(&self) -> bool {
        self.file().mask.vault
    }

    fn least_confidence(&self, source: &Source) -> f64 {
        let named = self.source(source).and_then(|rule| rule.least_confidence);
        named.unwrap_or(self.0.file.authority.of(source.authority).least_confidence).0
    }

    /// What is taken from an observation by where it comes from; with why, where that is not everything. The role counts for prose only.
    fn taken(&self, observation: &Observation, prose: bool) -> (Taken, Option<Refusal>) {
        let file = self.file();
        let by_source = self.source(&observation.source).and_then(|rule| rule.take);
        let source = by_source.unwrap_or(file.authority.of(observation.source.authority).take);
        let role = observation
            .role
            .as_deref()
            .filter(|_| prose)
            .and_then(|role| file.role.get(role).or_else(|| file.role.get(&role.trim().to_ascii_lowercase())));
        let strictness = |taken: Taken| match taken {
            Taken::Facts => 0,
            Taken::Text => 1,
            Taken::Nothing => 2,
        };
        match role {
            Some(role) if strictness(*role) > strictness(source) => (*role, Some(Refusal::Role)),
            _ if source == Taken::Facts => (source, None),
            _ => (source, Some(Refusal::Source)),
        }
    }

    /// The kinds that are masked in such a place, and which consents leave them be.
    fn masks(&self, place: file::Where, subject: Option<&str>, consents: &Consents) -> Kinds {
        let allowed = |category: &str| subject.map_or_else(|| consents.allow_everyone(category), |name| consents.allow(name, category));
        let wanted = self.file().mask.kind.iter().filter(|(_, rule)| rule.r#in.contains(&place) && !allowed(&rule.consent));
        wanted.fold(Kinds::default(), |kinds, (kind, _)| kinds.with(kind.0))
    }

    fn compile(file: File) -> Self {
        fn all(words: &Words) -> impl Iterator<Item = &str> {
            words.values().flatten().map(String::as_str)
        }
        let labels = file.mask.words.iter().flat_map(|(label, words)| words.iter().map(|word| (word.as_str(), label.0)));
        let placeholders = file.mask.kind.values().map(|rule| rule.r#as.0.trim_end_matches(']').to_owned()).collect();
        let masker = Masker { labels: Phrases::<Label>::new(labels), prefixes: file.mask.keys.prefixes.clone(), placeholders };
        let classes = (0..).zip(&file.importance.class).flat_map(|(place, (name, class)): (u16, _)| {
            let cue = Cue::Class(place, name == ASKED);
            all(&class.words).map(move |word| (word, cue))
        });
        let guesses = all(&file.remember.guess_words).map(|word| (word, Cue::Guess));
        let passing = all(&file.importance.passing_words).map(|word| (word, Cue::Passing));
        let cues = Phrases::new(classes.chain(guesses).chain(passing));
        let categories = (0..)
            .zip(&file.sensitive.category)
            .flat_map(|(place, (_, category)): (u16, _)| all(&category.words).map(move |word| (word, place)));
        let sensitive = Phrases::new(categories);
        let recalled = recalled::Names::new(&file.recalled);
        let lists = [
            (&file.orders.roles, Order::Role),
            (&file.orders.readers, Order::Reader),
            (&file.orders.notices, Order::Notice),
            (&file.orders.aside, Order::Aside),
            (&file.orders.rules, Order::Rule),
            (&file.orders.phrases, Order::Whole),
        ];
        let orders = Phrases::new(lists.into_iter().flat_map(|(words, order)| all(words).map(move |word| (word, order))));
        Self(Arc::new(Compiled { file, masker, cues, sensitive, recalled, orders }))
    }

    fn withholds(&self) -> bool {
        self.file().sensitive.text == SensitiveText::Withhold
    }
}

/// The TOML of a policy in force, every field; reading it back gives the same policy.
#[must_use]
pub fn write_policy_toml(policy: &WritePolicy) -> String {
    file::write(policy.file())
}

#[cfg(test)]
mod tests;
