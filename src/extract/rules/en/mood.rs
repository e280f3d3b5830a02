//! What is not said in earnest, or not by the one who speaks: jokes, fiction, reports, texts to be worked on, orders to the memory.
//! Knows no relation.

use super::chunk::Tense;
use super::clause::{Clause, Mode};
use super::scene::Scene;
use super::token::{Kind, Token};
use super::words::Tag;
use crate::extract::RejectionKind;

/// Words that make a joke of a sentence.
const JOKES: [&str; 22] = [
    "haha",
    "hahaha",
    "hahahaha",
    "lol",
    "lmao",
    "rofl",
    "jk",
    "kidding",
    "joking",
    "hehe",
    "heh",
    "ha",
    "😂",
    "🤣",
    "😜",
    "😝",
    "😆",
    "😉",
    "jokingly",
    "figuratively",
    "sarcasm",
    "lolol",
];

/// Verbs whose object clause is what somebody wishes.
const WISHES: [&str; 8] = ["wish", "hope", "want", "dream", "imagine", "pretend", "fantasize", "suppose"];
/// Verbs whose object clause somebody else answers for.
const REPORTS: [&str; 20] = [
    "say", "tell", "claim", "announce", "mention", "report", "hear", "state", "argue", "suggest", "insist", "believe", "think", "read",
    "write", "ask", "wonder", "rumour", "rumor", "predict",
];
/// Of these, those that a speaker vouches for.
const OWN: [&str; 8] = ["say", "tell", "mention", "think", "believe", "state", "write", "announce"];

/// Things that have people and doings of their own.
const FICTIONS: [&str; 24] = [
    "novel",
    "story",
    "film",
    "movie",
    "book",
    "dream",
    "game",
    "play",
    "poem",
    "song",
    "script",
    "episode",
    "comic",
    "screenplay",
    "chapter",
    "scene",
    "character",
    "narrator",
    "protagonist",
    "sketch",
    "manga",
    "simulation",
    "roleplay",
    "lyrics",
];

/// What is to be done with a text that follows.
const WORK: [&str; 26] = [
    "translate",
    "write",
    "rewrite",
    "rephrase",
    "summarize",
    "summarise",
    "proofread",
    "correct",
    "edit",
    "paraphrase",
    "draft",
    "compose",
    "complete",
    "fix",
    "improve",
    "shorten",
    "analyze",
    "analyse",
    "format",
    "convert",
    "parse",
    "check",
    "say",
    "explain",
    "spell",
    "fill",
];

/// Why nothing in a sentence is a claim.
pub(super) fn sentence(scene: &Scene<'_, '_>, clauses: &[Clause<'_>]) -> Option<(RejectionKind, &'static str)> {
    let line = &scene.line;
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    let words = || (from..to).map(|at| line.lower(at));
    if words().any(|word| JOKES.contains(&word)) || joke_follows(scene) {
        return Some((RejectionKind::Joke, "it is said in jest"));
    }
    if words().any(|word| word == "basically" || word == "practically" || word == "literally")
        && scene.grammar.has_class(&scene.line.phrase(from, to), "contraption")
    {
        return Some((RejectionKind::Joke, "it is said of a thing as of a person"));
    }
    if orders_memory(scene) {
        return Some((RejectionKind::Instruction, "it gives orders to whoever reads it"));
    }
    let first = (from..to).find(|at| !matches!(line.tag(*at), Some(Tag::Adv | Tag::Comma | Tag::Mark)))?;
    let lead = line.lower(first);
    if matches!(lead, "suppose" | "imagine" | "pretend" | "assume" | "assuming" | "supposing" | "hypothetically" | "say")
        && clauses.len() > 1
        || lead == "what" && line.lower(first + 1) == "if"
        || lead == "let" && matches!(line.lower(first + 2), "say" | "pretend" | "assume" | "imagine")
        || lead == "if" && clauses.iter().any(|clause| clause.group.unreal)
    {
        return Some((RejectionKind::Hypothetical, "it is supposed"));
    }
    if lead == "if" && line.lower(first + 1) == "only"
        || words().any(|word| word == "would")
            && words().any(|word| {
                matches!(word, "lovely" | "nice" | "great" | "wonderful" | "love" | "like" | "amazing" | "dream" | "cool" | "fun")
            })
    {
        return Some((RejectionKind::Wish, "it is wished for"));
    }
    let works = WORK.contains(&lead)
        || matches!(lead, "can" | "could" | "please" | "help" | "how")
            && (first..(first + 5).min(to)).any(|at| WORK.contains(&line.lower(at)));
    let colon = (from..to).any(|at| line.lower(at) == ":");
    if works && (colon || (from..to).any(|at| line.tag(at) == Some(Tag::Speech))) {
        return Some((RejectionKind::Quoted, "it is a text to be worked on"));
    }
    if fiction(scene, from, to) {
        return Some((RejectionKind::Quoted, "it tells of a story"));
    }
    if lead == "according" {
        return Some((RejectionKind::Quoted, "somebody else says so"));
    }
    None
}

/// Whether the words right behind a sentence make a joke of it.
fn joke_follows(scene: &Scene<'_, '_>) -> bool {
    let after = scene.line.tokens.get(scene.sentence.to..).unwrap_or_default();
    let mut words = after.iter().filter(|token| token.kind != Kind::Break && !token.is_mark(".!…,;")).take(2);
    let is = |token: &Token<'_>| JOKES.contains(&token.lower.as_ref()) || token.is("just");
    match (words.next(), words.next()) {
        (Some(first), Some(second)) => is(first) && !first.is("just") || first.is("just") && JOKES.contains(&second.lower.as_ref()),
        (Some(first), None) => JOKES.contains(&first.lower.as_ref()),
        _ => false,
    }
}

/// "In my novel …", "the narrator says", "in last night's dream".
fn fiction(scene: &Scene<'_, '_>, from: usize, to: usize) -> bool {
    let line = &scene.line;
    let mut at = from;
    while at < to {
        if FICTIONS.contains(&line.lower(at)) {
            let led = (from..at).rev().take(4).any(|place| line.lower(place) == "in");
            let told = matches!(line.lower(at), "narrator" | "protagonist" | "character" | "roleplay");
            // "In the film she plays": the story is where it happens; "I work in film" is not.
            let owned = (from..at).rev().take(3).any(|place| matches!(line.tag(place), Some(Tag::Poss | Tag::Det | Tag::Gen)));
            let leads = (from..at).all(|place| !matches!(line.tag(place), Some(Tag::Verb | Tag::Be | Tag::Have)));
            if led && owned && leads || told && leads {
                return true;
            }
        }
        at += 1;
    }
    false
}

/// Orders to the memory or to the reader: in written matter any of them, from a person only those that are not about the person.
fn orders_memory(scene: &Scene<'_, '_>) -> bool {
    let line = &scene.line;
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    let spoken = (from..to).filter(|at| line.tag(*at) != Some(Tag::Speech)).map(|at| line.lower(at)).collect::<Vec<_>>();
    let phrase = spoken.join(" ");
    let has = |text: &str| phrase.contains(text);
    let names_reader = [
        "ai agent",
        "ai assistant",
        "language model",
        "llm",
        "the assistant",
        "chatbot",
        "system prompt",
        "the user",
        "your memory",
        "the memory",
        "dear ai",
        "ai :",
        "to assistant",
        "to the ai",
        "to ai",
        "for assistants",
        "for the ai",
        "assistant :",
        "assistants :",
        "ai agents",
        "llm agents",
        "dear assistant",
        "the bot",
        "to bot",
        "the model should",
        "this user",
    ]
    .iter()
    .any(|text| has(text));
    let instructs = ["ignore", "disregard", "forget", "override", "bypass"].iter().any(|verb| has(verb))
        && ["instruction", "rule", "prompt", "previous", "prior", "above", "guideline", "told"].iter().any(|noun| has(noun));
    let keeps = [
        "remember", "save", "store", "memorize", "memorise", "record", "note", "add", "update", "set", "treat", "consider", "assume",
        "must", "report", "tell", "believe", "log", "write",
    ]
    .iter()
    .any(|verb| line.words.get(from..to).is_some() && (from..to).any(|at| line.lower(at) == *verb));
    if scene.setting.is_written() {
        instructs
            || keeps
                && (names_reader
                    || (from..(from + 4).min(to))
                        .any(|at| matches!(line.lower(at), "remember" | "save" | "store" | "memorize" | "memorise")))
            || names_reader && has("should")
    } else {
        instructs && (has("instruction") || has("system prompt") || has("your rules"))
    }
}

/// What the clauses before one make of it: wished for, or said by somebody else.
pub(super) fn governed(scene: &Scene<'_, '_>, clauses: &[Clause<'_>], at: usize) -> Option<(RejectionKind, &'static str)> {
    let clause = clauses.get(at)?;
    for (place, governor) in clauses.iter().enumerate().take(at) {
        let lemma = governor.group.lemma;
        let wishes = WISHES.contains(&lemma) && matches!(governor.mode, Mode::Told | Mode::Ordered);
        let reports = REPORTS.contains(&lemma);
        if !(wishes || reports) || governor.mode == Mode::Relative || governor.group.passive {
            continue;
        }
        // The object clause follows at once; what a "but" or a mark parts from it does not hang on it.
        let gap = governor.rest.0..clause.from;
        let parted = gap.clone().any(|token| matches!(scene.line.tag(token), Some(Tag::But)) || scene.line.lower(token) == "because")
            || place + 1 < at && clauses.get(place + 1).is_some_and(|next| next.shared);
        if parted {
            continue;
        }
        if wishes {
            return Some((RejectionKind::Wish, "it is wished for"));
        }
        let own = governor
            .subjects
            .first()
            .and_then(|subject| scene.np(*subject))
            .is_some_and(|np| matches!(scene.line.lower(np.from), "i" | "we") && np.pronoun);
        let asked = matches!(lemma, "ask" | "wonder" | "hear" | "read" | "rumour" | "rumor" | "predict");
        if !(own && OWN.contains(&lemma) && !asked && !governor.group.negated) && governor.group.tense != Tense::None {
            return Some((RejectionKind::Quoted, "somebody else says so"));
        }
    }
    None
}
