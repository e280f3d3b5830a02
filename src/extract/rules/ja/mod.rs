//! Japanese: the door of its grammar. A text is cut into sentences and tokens, tokens are put together to clauses, and clauses are
//! read by the phrasings of the pack.
//!
//! There is no dictionary of names: predicates with their endings, particles and the change of scripts part the words.

mod claim;
mod clause;
mod copula;
mod dates;
mod dropped;
mod finding;
mod form;
mod frames;
mod household;
mod inflect;
mod intent;
mod lexicon;
mod lost;
mod mood;
mod pack;
mod particle;
mod phrase;
mod phrases;
mod reader;
mod retract;
mod script;
mod sentence;
mod token;
mod unnamed;
mod value;
mod voices;
mod written;

use super::PatternError;
use super::draft::{Reading, Setting};
use crate::time::expr;
use lexicon::Lexicon;
use pack::Pack;
use reader::Reader;
use std::sync::{Arc, LazyLock};

/// The shipped phrasings.
const PACKS: &[&str] = &[
    include_str!("relations/classes.toml"),
    include_str!("relations/people.toml"),
    include_str!("relations/work.toml"),
    include_str!("relations/taste.toml"),
    include_str!("relations/body.toml"),
    include_str!("relations/goods.toml"),
    include_str!("relations/world.toml"),
    include_str!("relations/project.toml"),
    include_str!("relations/verbs.toml"),
];

/// A pack with the words that texts are cut by.
#[derive(Clone, Debug)]
pub(super) struct Language {
    pack: Pack,
    lexicon: Lexicon,
}

impl Language {
    /// Packs laid over each other, in order.
    ///
    /// # Errors
    /// [`PatternError`] names the relation and the phrasing that cannot be read.
    fn new<'p>(packs: impl IntoIterator<Item = &'p str>) -> Result<Self, PatternError> {
        let mut pack = Pack::default();
        for text in packs {
            pack.lay(text)?;
        }
        pack.check()?;
        let lexicon = Lexicon::new(&pack);
        Ok(Self { pack, lexicon })
    }

    /// The shipped phrasings with a tenant's own laid over them.
    ///
    /// # Errors
    /// [`PatternError`] names the relation and the phrasing that cannot be read.
    pub(super) fn with(packs: &[&str]) -> Result<Self, PatternError> {
        Self::new(PACKS.iter().chain(packs).copied())
    }

    /// The shipped phrasings, read once.
    pub(super) fn shipped() -> Arc<Self> {
        Arc::clone(&SHIPPED)
    }
}

#[expect(clippy::expect_used, reason = "the shipped packs are part of the program, and a test reads them")]
static SHIPPED: LazyLock<Arc<Language>> = LazyLock::new(|| Arc::new(Language::with(&[]).expect("the shipped packs are packs")));

/// How many turns before an observation are looked at.
const TURNS: usize = 4;

/// Reads a Japanese text.
///
/// # Complexity
/// Linear in the text.
pub(super) fn read(text: &str, setting: &Setting<'_>, language: &Language) -> Reading {
    let mut reader = Reader::new(language, text, setting.times, setting);
    if !setting.before.is_empty() && looks_back(text) {
        recall(language, &mut reader, setting);
    }
    reader.read();
    reader.finish()
}

/// Whether a text may depend on what was said before it.
fn looks_back(text: &str) -> bool {
    const SIGNS: &[&str] = &[
        "彼",
        "あの",
        "その",
        "この",
        "それ",
        "これ",
        "そこ",
        "あそこ",
        "ここ",
        "そちら",
        "あいつ",
        "同",
        "うん",
        "はい",
        "ええ",
        "いいえ",
        "いえ",
        "いや",
        "まだ",
        "もう",
        "すみません",
        "すいません",
        "ごめん",
        "訂正",
        "じゃなく",
        "ではなく",
        "正しく",
        "間違",
        "失礼",
        "そう",
        "もちろん",
        "違",
        "嘘",
        "冗談",
        "取り消",
        "忘れて",
        "さっき",
        "先ほど",
    ];
    const SHORT: usize = 90;
    text.len() <= SHORT || SIGNS.iter().any(|sign| text.contains(sign))
}

/// Reads the turns before for what they ask, and whom and what they name.
fn recall(language: &Language, reader: &mut Reader<'_>, setting: &Setting<'_>) {
    let skipped = setting.before.len().saturating_sub(TURNS);
    let turns = setting.before.get(skipped..).unwrap_or_default();
    for (place, turn) in turns.iter().enumerate() {
        let times = expr::find(&turn.text, &setting.calendar);
        let mut before = Reader::new(language, &turn.text, &times, setting);
        let own = turn.authority == crate::model::Authority::User;
        let last = place + 1 == turns.len();
        if own {
            before.speak_as(turn.speaker.as_deref().or(setting.author()));
        } else {
            before.speak_as(setting.author().or(setting.addressee()));
        }
        before.asking = !own;
        before.recall();
        if own && turn.speaker == setting.observation.speaker {
            reader.last_own.clone_from(&before.found);
        }
        reader.take_up(before, last && !own, !own);
    }
}

#[cfg(test)]
mod tests;
