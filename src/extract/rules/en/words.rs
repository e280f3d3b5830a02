//! The closed classes of English words: what can be listed once for all. Knows no content word.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a word does in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// An article or a word in its place: "the", "some", "each".
    Det,
    /// "no" before a noun.
    No,
    /// A possessive before its noun: "my", "whose".
    Poss,
    /// A pronoun that stands for a noun phrase.
    Pron,
    /// A preposition.
    Prep,
    /// "to" before a verb.
    To,
    /// "and", "or".
    And,
    /// A conjunction that begins a clause of its own: "but", "so".
    But,
    /// A conjunction that begins a dependent clause.
    Sub,
    /// A relative or interrogative word.
    Wh,
    /// A form of "be".
    Be,
    /// A form of "have".
    Have,
    /// A form of "do".
    Do,
    /// A modal verb.
    Modal,
    /// "used" of "used to".
    UsedTo,
    /// "not", "n't", "never".
    Not,
    /// An adverb, or another word that can be left out.
    Adv,
    /// A verb.
    Verb,
    /// A noun, an adjective, or any word that is not known.
    Noun,
    /// A name.
    Name,
    /// A number.
    Num,
    /// A time.
    Time,
    /// A comma.
    Comma,
    /// The sign of a possessor: "'s".
    Gen,
    /// A mark that parts clauses.
    Mark,
    /// Speech, which is left alone.
    Speech,
}

impl Tag {
    /// The tag as explanations show it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Det | Self::No => "det",
            Self::Poss => "poss",
            Self::Pron => "pron",
            Self::Prep => "prep",
            Self::To => "to",
            Self::And | Self::But => "conj",
            Self::Sub => "sub",
            Self::Wh => "wh",
            Self::Be | Self::Have | Self::Do => "aux",
            Self::Modal | Self::UsedTo => "modal",
            Self::Not => "not",
            Self::Adv => "adv",
            Self::Verb => "verb",
            Self::Noun => "noun",
            Self::Name => "name",
            Self::Num => "num",
            Self::Time => "time",
            Self::Comma | Self::Mark => "mark",
            Self::Gen => "gen",
            Self::Speech => "speech",
        }
    }
}

/// The closed classes, a word in one of them; where two name a word, the first does.
const CLOSED: &[(Tag, &str)] = &[
    (Tag::Det, "a an the this these those each every some any another both all several many few most such either"),
    (Tag::No, "no neither"),
    (Tag::Poss, "my your our their its his her whose"),
    (
        Tag::Pron,
        "i me we us you he him she it they them mine ours yours hers theirs myself yourself himself herself itself \
          ourselves themselves someone somebody anyone anybody everyone everybody nobody something anything everything \
          nothing",
    ),
    (
        Tag::Prep,
        "in on at by for from of with without into onto about through during under over between among against towards \
          toward near behind beside besides within across along around via per upon than as like off out up down \
          throughout outside inside above below beyond despite except round regarding",
    ),
    (Tag::To, "to"),
    (Tag::And, "and or nor plus"),
    (Tag::But, "but so yet"),
    (
        Tag::Sub,
        "if because although though while whereas unless since after before until till once whether when whenever where \
          wherever",
    ),
    (Tag::Wh, "who whom which what how why"),
    (Tag::Be, "am is are was were be been being 'm 're isn ain"),
    (Tag::Have, "have has had having 've"),
    (Tag::Do, "do does did doing done"),
    (Tag::Modal, "will would can could may might shall should must ought 'll 'd ca wo sha cannot"),
    (Tag::Not, "not n't never"),
    (
        Tag::Adv,
        "also too just now still already again always often usually sometimes rarely ever here there then very really \
          quite rather pretty actually basically currently presently lately recently formerly previously originally \
          finally eventually probably definitely certainly maybe perhaps almost nearly only even mostly mainly primarily \
          officially anymore anyway instead together soon later well back away please yes yeah yep no nope oh hey hi \
          hello ok okay nowadays meanwhile otherwise twice thrice alone though however thus therefore yet",
    ),
];

/// The tag of a word of a closed class; words that are of several are told apart by their neighbours elsewhere.
pub(super) fn closed(lower: &str) -> Option<Tag> {
    static TAGS: LazyLock<FxHashMap<&str, Tag>> = LazyLock::new(|| {
        let mut tags = FxHashMap::default();
        for (tag, words) in CLOSED {
            words.split_whitespace().for_each(|word| {
                tags.entry(word).or_insert(*tag);
            });
        }
        tags
    });
    TAGS.get(lower).copied().or_else(|| is_adverb(lower).then_some(Tag::Adv))
}

/// Whether an open word is an adverb by its end.
fn is_adverb(lower: &str) -> bool {
    const NO_ADVERBS: [&str; 42] = [
        "molly",
        "polly",
        "sally",
        "billy",
        "kelly",
        "beverly",
        "kimberly",
        "shelly",
        "nelly",
        "dolly",
        "tilly",
        "willy",
        "carly",
        "wally",
        "reilly",
        "everly",
        "family",
        "reply",
        "supply",
        "apply",
        "july",
        "italy",
        "bully",
        "ally",
        "assembly",
        "belly",
        "jelly",
        "lily",
        "fly",
        "rely",
        "holly",
        "emily",
        "daily",
        "early",
        "only",
        "lovely",
        "friendly",
        "elderly",
        "butterfly",
        "monopoly",
        "silly",
        "ugly",
    ];
    lower.len() > 4 && lower.ends_with("ly") && !NO_ADVERBS.contains(&lower)
}

/// Whether a pronoun is a subject's form, and whether it wants the third person's verb.
pub(super) fn subject_pronoun(lower: &str) -> Option<bool> {
    match lower {
        "i" | "we" | "you" | "they" => Some(false),
        "he" | "she" | "it" | "someone" | "somebody" | "everyone" | "everybody" | "nobody" | "anyone" | "this" | "that" => Some(true),
        _ => None,
    }
}
