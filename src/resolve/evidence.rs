//! Why two names may be of one thing: what was found, and how much it says. Knows neither names nor stores.

use std::fmt;

/// One thing that two names have in common, or that tells them apart without making them different.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// The same normal form.
    Identical,
    /// Recorded as another name of it.
    Alias,
    /// Only punctuation differs.
    Punctuation,
    /// Only the gaps between words differ.
    Gaps,
    /// Only accents differ.
    Accents,
    /// One has an article before it.
    Article,
    /// One has a title, or another one.
    Title,
    /// The same before a single name.
    LoneTitle,
    /// One has an honorific.
    Honorific,
    /// One has a legal form.
    LegalForm,
    /// Both have one, and they differ.
    OtherLegalForm,
    /// One says "Jr" or the like.
    Generation,
    /// One is written family name first, with a comma.
    Comma,
    /// The words stand the other way round.
    Order,
    /// An initial for a given name.
    Initial,
    /// Two forms of a given name, in alphabetical order.
    Nickname(String, String),
    /// One leaves out a name between the first and the last.
    Omitted,
    /// One is the given or the family name alone.
    Part,
    /// The first letters of the other's words.
    Acronym,
    /// A word is misspelt by so many edits.
    Spelling(usize),
}

impl Sign {
    /// How much is left of a match's score with this sign, from 0 to 1. Signs that come together multiply.
    ///
    /// The numbers are an order more than a measure: what says who it is (punctuation, a title before two names) stays above what
    /// [`Options::accept`](super::Options::accept) takes without asking, what several people may share (an initial, a nickname, a
    /// misspelling) stays below it.
    #[must_use]
    pub const fn score(&self) -> f64 {
        match self {
            Self::Identical => 1.0,
            Self::Alias | Self::Punctuation => 0.99,
            Self::Comma | Self::Title | Self::Honorific | Self::LegalForm => 0.98,
            Self::Accents | Self::Article => 0.94,
            Self::LoneTitle => 0.92,
            Self::Gaps | Self::Nickname(..) | Self::Omitted | Self::Order => 0.9,
            Self::Initial | Self::Spelling(0 | 1) => 0.85,
            Self::Generation | Self::Acronym | Self::Spelling(_) => 0.75,
            Self::Part => 0.6,
            Self::OtherLegalForm => 0.5,
        }
    }
}

/// "nickname (bob, robert)", "title", "spelling (1)".
impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Identical => f.write_str("same name"),
            Self::Alias => f.write_str("recorded alias"),
            Self::Punctuation => f.write_str("punctuation"),
            Self::Gaps => f.write_str("gaps"),
            Self::Accents => f.write_str("accents"),
            Self::Article => f.write_str("article"),
            Self::Title => f.write_str("title"),
            Self::LoneTitle => f.write_str("title before a single name"),
            Self::Honorific => f.write_str("honorific"),
            Self::LegalForm => f.write_str("legal form"),
            Self::OtherLegalForm => f.write_str("other legal form"),
            Self::Generation => f.write_str("generation"),
            Self::Comma => f.write_str("family name first"),
            Self::Order => f.write_str("order of words"),
            Self::Initial => f.write_str("initial"),
            Self::Nickname(one, other) => write!(f, "nickname ({one}, {other})"),
            Self::Omitted => f.write_str("middle name left out"),
            Self::Part => f.write_str("part of the name"),
            Self::Acronym => f.write_str("first letters"),
            Self::Spelling(edits) => write!(f, "spelling ({edits})"),
        }
    }
}

/// Why a mention may mean an entity.
///
/// Its text is what a merge is recorded with:
///
/// ```
/// use erstwhile::resolve::compare_names;
/// let evidence = compare_names("Bob Hale", "Robert Hale").expect("a nickname");
/// assert_eq!(evidence.to_string(), "\"Bob Hale\" for \"Robert Hale\": nickname (bob, robert); score 0.90");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The mention, as written.
    pub mention: String,
    /// The name of the entity that it was compared with, as written.
    pub name: String,
    /// What was found, in ascending order, each once.
    pub signs: Vec<Sign>,
    /// How much it says, from 0 to 1.
    pub score: f64,
}

impl Evidence {
    /// Evidence of these signs: their scores multiplied.
    pub(super) fn new(mention: &str, name: &str, mut signs: Vec<Sign>) -> Self {
        signs.sort();
        signs.dedup();
        let score = signs.iter().map(Sign::score).product();
        Self { mention: mention.to_owned(), name: name.to_owned(), signs, score }
    }
}

/// "\"Bob Hale\" for \"Robert Hale\": nickname (bob, robert); score 0.90".
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} for {:?}: ", self.mention, self.name)?;
        for (index, sign) in self.signs.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{sign}")?;
        }
        write!(f, "; score {:.2}", self.score)
    }
}
