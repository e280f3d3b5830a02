//! The languages that expressions are read in: for each a lexicon, a grammar and the words it describes values with.
//! Knows nothing of references and granules.

mod digits;
pub(super) mod en;
pub(super) mod ja;
pub(super) mod parse;

use super::calendar::Grain;
use super::context::Prefer;
use super::lexicon::Lexicon;
use super::recur::Recurrence;
use super::symbol::Node;
use super::token::Token;
use super::wording::{Piece, Stretch, Within};
use parse::In;
use std::sync::LazyLock;

/// A language that expressions are read and described in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English.
    English,
    /// Japanese.
    Japanese,
}

static ENGLISH: LazyLock<Lexicon> = LazyLock::new(en::lexicon);
static JAPANESE: LazyLock<Lexicon> = LazyLock::new(ja::lexicon);

/// What a grammar read: the symbol, how many tokens it took, and of them how many at the start only lead in.
#[derive(Clone, Debug)]
pub(super) struct Parse {
    pub(super) node: Node,
    pub(super) tokens: usize,
}

impl Language {
    /// Every language there is, in the order they are tried.
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// The language of a tag: `en`, `ja-JP`, `English`.
    #[must_use]
    pub fn parse(tag: &str) -> Option<Self> {
        let tag = tag.trim().to_ascii_lowercase();
        match tag.split(['-', '_']).next()? {
            "en" | "eng" | "english" => Some(Self::English),
            "ja" | "jpn" | "japanese" => Some(Self::Japanese),
            _ => None,
        }
    }

    /// Its ISO 639-1 code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    pub(super) fn lexicon(self) -> &'static Lexicon {
        match self {
            Self::English => &ENGLISH,
            Self::Japanese => &JAPANESE,
        }
    }

    /// Whether its script puts spaces between words.
    pub(super) const fn has_spaces(self) -> bool {
        match self {
            Self::English => true,
            Self::Japanese => false,
        }
    }

    /// The longest expression that begins with the first token, seen with the tokens before it.
    pub(super) fn read(self, before: &[Token<'_>], tokens: In<'_>, rules: Rules) -> Option<Parse> {
        match self {
            Self::English => en::read(before, tokens, rules),
            Self::Japanese => ja::read(before, tokens, rules),
        }
    }

    /// Whether a token may stand before a whole expression without being of it: "on", "in".
    pub(super) fn leads(self, token: &Token<'_>) -> bool {
        match self {
            Self::English => en::leads(token),
            Self::Japanese => ja::leads(token),
        }
    }

    /// Whether a token may stand after a whole expression without being of it: a full stop, に.
    pub(super) fn trails(self, token: &Token<'_>) -> bool {
        match self {
            Self::English => en::trails(token),
            Self::Japanese => ja::trails(token),
        }
    }

    /// Whether a token not in the lexicon is a verb of the past by its form, seen with the token before it.
    pub(super) fn is_past(self, before: Option<&Token<'_>>, token: &Token<'_>) -> bool {
        match self {
            Self::English => en::is_past(before, token),
            Self::Japanese => false,
        }
    }

    /// Whether a word that the lexicon has as a verb of the future is one after the token before it, and no noun.
    pub(super) fn is_future(self, before: Option<&Token<'_>>, token: &Token<'_>) -> bool {
        match self {
            Self::English => en::is_future(before, token),
            Self::Japanese => true,
        }
    }

    /// Whether a form of the past leaves it open when something is: a passive by the token before it ("to be opened", "it is held"), or
    /// what is done now for another time by the token that leads to the time ("booked for May 3", "moved to May 3").
    pub(super) fn leaves_open(self, before: Option<&Token<'_>>, verb: &Token<'_>, lead: Option<&Token<'_>>) -> bool {
        let is = |token: Option<&Token<'_>>, words: &[&str]| token.is_some_and(|token| words.iter().any(|word| token.is(word)));
        match self {
            Self::English => {
                is(before, &["be", "is", "are", "being", "gets", "get"])
                    || is(lead, &["for"])
                    || verb.is("moved") && is(lead, &["to", "from"])
            }
            Self::Japanese => false,
        }
    }

    /// Whether a verb of the future is one of planning, beside which what is planned for need not be to come.
    pub(super) fn is_plan(self, token: &Token<'_>) -> bool {
        match self {
            Self::English => {
                ["plan", "planning", "hope", "hoping", "let", "schedule", "remind", "book", "arrange"].iter().any(|word| token.is(word))
            }
            Self::Japanese => false,
        }
    }

    /// What the verb of the clause says of an expression in it, where the language tells by more than the token: seen with the tokens
    /// before the expression and after it.
    pub(super) fn tense(self, before: In<'_>, after: In<'_>) -> Option<Prefer> {
        match self {
            Self::English => None,
            Self::Japanese => ja::tense(before, after),
        }
    }

    /// Whether the verb stands at the end of its clause.
    pub(super) const fn verb_is_last(self) -> bool {
        match self {
            Self::English => false,
            Self::Japanese => true,
        }
    }

    /// Whether a token bounds what has been going on until the reference: "since".
    pub(super) fn looks_back(self, token: &Token<'_>) -> bool {
        match self {
            Self::English => token.is("since"),
            Self::Japanese => token.is("以来"),
        }
    }

    /// A granule in words.
    pub(super) fn word(self, piece: Piece) -> String {
        match self {
            Self::English => en::words::piece(piece),
            Self::Japanese => ja::words::piece(piece),
        }
    }

    /// A stretch in words.
    pub(super) fn word_stretch(self, stretch: Stretch) -> String {
        match self {
            Self::English => en::words::stretch(stretch),
            Self::Japanese => ja::words::stretch(stretch),
        }
    }

    /// What lies in or around a granule in words, if there are short ones.
    pub(super) fn word_within(self, within: Within, of: &str) -> Option<String> {
        match self {
            Self::English => en::words::within(within, of),
            Self::Japanese => ja::words::within(within, of),
        }
    }

    /// A duration in words, if there are short ones.
    pub(super) fn word_duration(self, parts: &[(i64, Grain)]) -> Option<String> {
        match self {
            Self::English => en::words::duration(parts),
            Self::Japanese => ja::words::duration(parts),
        }
    }

    /// A recurring time in words, if there are short ones.
    pub(super) fn word_set(self, set: Recurrence) -> Option<String> {
        match self {
            Self::English => en::words::set(set),
            Self::Japanese => ja::words::set(set),
        }
    }

    /// Whether a token may begin an expression at all.
    pub(super) fn may_begin(self, token: &Token<'_>) -> bool {
        match self {
            Self::English => en::may_begin(token),
            Self::Japanese => ja::may_begin(token),
        }
    }
}

/// What a grammar needs to know of the context.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question with two answers, and they are independent")]
pub(super) struct Rules {
    pub(super) definite_unit: bool,
    pub(super) numbered_weeks: bool,
    /// The whole text is to be one expression.
    pub(super) whole: bool,
    /// No other language is read.
    pub(super) only: bool,
}
