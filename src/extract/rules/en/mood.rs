//! What is not said in earnest, or not by the one who speaks: fiction, reports, texts to be worked on, orders to the memory.
//! Knows no relation.

use super::chunk::Tense;
use super::clause::{Clause, Mode};
use super::jest;
use super::scene::Scene;
use super::tag::Form;
use super::words::{Tag, subject_pronoun};
use crate::extract::RejectionKind;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Why a text that something is to be done with claims nothing.
pub(super) const TEXT: &str = "it is a text to be worked on";
/// Why a story claims nothing.
pub(super) const STORY: &str = "it tells of a story";

/// Verbs whose object clause is what somebody wishes.
const WISHES: [&str; 8] = ["wish", "hope", "want", "dream", "imagine", "pretend", "fantasize", "suppose"];
/// Verbs whose object clause somebody else answers for.
const REPORTS: [&str; 33] = [
    "swear",
    "reckon",
    "assume",
    "suspect",
    "guess",
    "bet",
    "boast",
    "whisper",
    "assert",
    "deny",
    "allege",
    "speculate",
    "dispute",
    "say",
    "tell",
    "claim",
    "announce",
    "mention",
    "report",
    "hear",
    "state",
    "argue",
    "suggest",
    "insist",
    "believe",
    "think",
    "read",
    "write",
    "ask",
    "wonder",
    "rumour",
    "rumor",
    "predict",
];
/// Of these, those that a speaker vouches for.
const OWN: [&str; 12] = ["say", "tell", "mention", "think", "believe", "state", "write", "announce", "swear", "reckon", "guess", "boast"];

/// Turns by which a speaker disowns what follows them.
const DISOWNED: [&str; 43] = [
    "be lying if",
    "no truth to",
    "no truth in",
    "forget that i said",
    "forget i said",
    "ignore that i said",
    "joke when i said",
    "kidding when i said",
    "joking when i said",
    "only said i",
    "only said that i",
    "only told them i",
    "falsely claimed",
    "falsely said",
    "falsely told",
    "i lied when",
    "i lied about",
    "i lied that",
    "i lied by saying",
    "was lying when",
    "was lying that",
    "is lying when",
    "lied when i said",
    "lied when she said",
    "lied when he said",
    "lied when they said",
    "refuse to believe",
    "refuses to believe",
    "refused to believe",
    "refuse to accept",
    "find it hard to believe",
    "hard to believe that",
    "do n't buy that",
    "do not buy that",
    "not convinced that",
    "n't convinced that",
    "made it up that",
    "made up that",
    "only pretending that",
    "was pretending that",
    "'m pretending that",
    "am pretending that",
    "pretended that",
];

/// What is said of a clause that is not so: "it is false that …".
const FALSE: [&str; 19] = [
    "false",
    "untrue",
    "lie",
    "lies",
    "myth",
    "nonsense",
    "rubbish",
    "bullshit",
    "bs",
    "rumour",
    "rumor",
    "fiction",
    "hoax",
    "joke",
    "incorrect",
    "wrong",
    "inaccurate",
    "misconception",
    "gossip",
];

/// What is said of a clause that is so, and denied of one that is not: "it isn't true that …".
const TRUE: [&str; 8] = ["true", "case", "right", "correct", "fact", "accurate", "like", "truth"];

/// Behind a comma, who else says what stands before it.
const SAYS_WHO: [&str; 33] = [
    "they tell",
    "they claim",
    "he says",
    "she says",
    "he claims",
    "she claims",
    "if you believe",
    "if you trust",
    "if we believe",
    "said me",
    "says me",
    "said my",
    "says his",
    "according to",
    "or so they",
    "or so i",
    "or so he",
    "or so she",
    "or so the",
    "so they say",
    "so i hear",
    "so i heard",
    "so i 'm told",
    "they say",
    "people say",
    "i hear",
    "i heard",
    "i 'm told",
    "i am told",
    "i 've heard",
    "says my",
    "says the",
    "says her",
];

/// Worlds that are played in.
const GAMES: [&str; 23] = [
    "stardew",
    "hogwarts",
    "narnia",
    "minecraft",
    "fortnite",
    "roblox",
    "skyrim",
    "zelda",
    "monopoly",
    "catan",
    "pokemon",
    "pokémon",
    "warcraft",
    "starfield",
    "runescape",
    "simcity",
    "d&d",
    "dnd",
    "gta",
    "valorant",
    "tetris",
    "sims",
    "warhammer",
];

/// What is done by those who play somebody.
const PLAYING: [&str; 8] = ["playing", "pretending", "rehearsing", "roleplaying", "role-playing", "cosplaying", "improvising", "larping"];

/// Things that have people and doings of their own.
const FICTIONS: [&str; 38] = [
    "role-play",
    "scenario",
    "skit",
    "musical",
    "opera",
    "sitcom",
    "anime",
    "cartoon",
    "fanfic",
    "fanfiction",
    "tale",
    "nightmare",
    "daydream",
    "rpg",
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
const WORK: [&str; 30] = [
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
    "redo",
    "reword",
    "transcribe",
    "generate",
];

/// Turns by which a sentence leaves the world as it is: "in another life", "in a perfect world".
const ELSEWHERE: [&str; 41] = [
    "in this simulation",
    "in the simulation",
    "in this game",
    "in our game",
    "in this story",
    "in this roleplay",
    "in this role-play",
    "in this exercise",
    "for this exercise",
    "in our campaign",
    "in this scenario",
    "on stage",
    "onstage",
    "in character",
    "in-game",
    "in a past life",
    "in a former life",
    "in a previous life",
    "in my past life",
    "in my head",
    "in my mind",
    "in another life",
    "in a different life",
    "in my next life",
    "in a next life",
    "in another world",
    "in another universe",
    "in another timeline",
    "in a parallel universe",
    "in a parallel world",
    "in an alternate universe",
    "in an alternate reality",
    "in an ideal world",
    "in a perfect world",
    "in my dreams",
    "in your dreams",
    "in theory",
    "in my imagination",
    "if i were you",
    "for the sake of argument",
    "for argument's sake",
];

/// Turns by which a speaker does not answer for what follows.
const UNSURE: [&str; 44] = [
    "'s not like",
    "is not like",
    "is n't like",
    "not as if",
    "n't as if",
    "not as though",
    "n't as though",
    "no one said",
    "no one says",
    "the rumour is",
    "the rumor is",
    "word on the street",
    "a little bird told",
    "or so i 'm told",
    "there is a chance",
    "there 's a chance",
    "chances are",
    "it is possible that",
    "it 's possible that",
    "it could be that",
    "it may be that",
    "it might be that",
    "who knows",
    "for all i know",
    "not sure yet",
    "not sure if",
    "not sure whether",
    "no idea if",
    "no idea whether",
    "i doubt",
    "i have a feeling",
    "i have a hunch",
    "i 've a feeling",
    "i 've got a feeling",
    "my guess is",
    "there is a rumour",
    "there 's a rumour",
    "there is a rumor",
    "there 's a rumor",
    "rumour has it",
    "rumor has it",
    "legend has it",
    "word has it",
    "word is that",
];

/// What a word may be a sign of, so that of most sentences hardly anything need be looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Signs(u8);

impl Signs {
    const JOKE: Self = Self(1);
    const FICTION: Self = Self(2);
    const GAME: Self = Self(4);
    const TURN: Self = Self(8);
    const DISOWNED: Self = Self(16);

    /// The signs that the words of a stretch are.
    fn of(scene: &Scene<'_, '_>, from: usize, to: usize) -> Self {
        static SIGNS: LazyLock<FxHashMap<&str, u8>> = LazyLock::new(|| {
            let mut signs = FxHashMap::default();
            let words = [(&jest::JOKES[..], Signs::JOKE), (&FICTIONS, Signs::FICTION), (&GAMES, Signs::GAME)];
            for (words, sign) in words {
                for word in words {
                    *signs.entry(*word).or_default() |= sign.0;
                }
            }
            // Of a turn, its longest word.
            for (turns, sign) in [(&ELSEWHERE[..], Signs::TURN), (&UNSURE, Signs::TURN), (&DISOWNED, Signs::DISOWNED)] {
                let longest = turns.iter().filter_map(|turn| turn.split(' ').max_by_key(|word| word.len()));
                longest.for_each(|word| *signs.entry(word).or_default() |= sign.0);
            }
            signs
        });
        Self((from..to).fold(0, |all, at| all | SIGNS.get(scene.line.lower(at)).copied().unwrap_or_default()))
    }

    const fn has(self, sign: Self) -> bool {
        self.0 & sign.0 != 0
    }
}

/// Why nothing in a sentence is a claim.
pub(super) fn sentence(scene: &Scene<'_, '_>, clauses: &[Clause<'_>]) -> Option<(RejectionKind, &'static str)> {
    let line = &scene.line;
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    let words = || (from..to).map(|at| line.lower(at));
    let signs = Signs::of(scene, from, to);
    if signs.has(Signs::JOKE) || jest::joke_follows(scene) {
        return Some((RejectionKind::Joke, "it is said in jest"));
    }
    if jest::taken_back(scene) {
        return Some((RejectionKind::Joke, "it is taken back in the same breath"));
    }
    if words().any(|word| word == "basically" || word == "practically" || word == "literally")
        && scene.grammar.has_class(&scene.line.phrase(from, to), "contraption")
    {
        return Some((RejectionKind::Joke, "it is said of a thing as of a person"));
    }
    if scene.setting.is_written() && is_code(scene.slice(from, to)) {
        return Some((RejectionKind::Quoted, "it is a program's text"));
    }
    if let Some(jest) = jest::jest(scene, clauses) {
        return Some((RejectionKind::Joke, jest));
    }
    if orders_memory(scene) {
        return Some((RejectionKind::Instruction, "it gives orders to whoever reads it"));
    }
    let first = (from..to).find(|at| !matches!(line.tag(*at), Some(Tag::Adv | Tag::Comma | Tag::Mark)))?;
    let lead = line.lower(first);
    let spoken = if signs.has(Signs::TURN) { spoken(scene) } else { String::new() };
    let says = |turns: &[&str]| signs.has(Signs::TURN) && turns.iter().any(|turn| holds_turn(&spoken, turn));
    if says(&ELSEWHERE) {
        return Some((RejectionKind::Hypothetical, "it is so in another world"));
    }
    if says(&UNSURE) {
        return Some((RejectionKind::Hypothetical, "nobody answers for it"));
    }
    if matches!(lead, "suppose" | "imagine" | "pretend" | "assume" | "assuming" | "supposing" | "hypothetically" | "say")
        && clauses.len() > 1
        || lead == "what" && line.lower(first + 1) == "if"
        || lead == "let" && matches!(line.lower(first + 2), "say" | "pretend" | "assume" | "imagine")
        || lead == "if" && clauses.iter().any(|clause| clause.group.unreal)
        // "Had I stayed, we would have moved", "Were I to join", "Should I ever own one": an "if" without its word.
        || matches!(lead, "had" | "were" | "should")
            && !scene.sentence.asked
            && subject_pronoun(line.lower(first + 1)).is_some()
            && clauses.len() > 1
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
    let mark = (from..to).find(|at| line.lower(*at) == ":");
    let colon = mark.is_some();
    // "Turn this into a list: …"; but "remember this: …" is told.
    let heeds = matches!(
        lead,
        "remember" | "note" | "know" | "save" | "keep" | "store" | "listen" | "hear" | "get" | "consider" | "mind" | "see" | "take"
    );
    let works = works
        || matches!(line.verb(first), Some((_, Form::Base)))
            && !heeds
            && mark.is_some_and(|mark| {
                (first..mark).any(|at| matches!(line.lower(at), "this" | "these" | "following" | "dummy" | "sample" | "example"))
            });
    // "Give me a sentence with …", "How do you say … in Danish?"
    let works = works
        || matches!(lead, "give" | "make" | "show" | "create" | "invent")
            && (first..(first + 6).min(to)).any(|at| {
                matches!(
                    line.lower(at),
                    "sentence" | "sentences" | "example" | "examples" | "character" | "persona" | "data" | "caption" | "slogan" | "text"
                )
            });
    if works && (colon || (from..to).any(|at| line.tag(at) == Some(Tag::Speech))) {
        return Some((RejectionKind::Quoted, TEXT));
    }
    if signs.has(Signs::FICTION) && fiction(scene, from, to) || played(scene, from, to, signs) {
        return Some((RejectionKind::Quoted, STORY));
    }
    if lead == "according" || !scene.setting.is_written() && says_who(scene, from, to) {
        return Some((RejectionKind::Quoted, "somebody else says so"));
    }
    None
}

/// Whether a line is a program's: it begins with a word of programs and has their marks, or sets a name to a quoted value.
fn is_code(line: &str) -> bool {
    const LEADS: [&str; 24] = [
        "class", "def", "return", "import", "const", "let", "var", "fn", "func", "function", "public", "private", "static", "async",
        "await", "for", "if", "while", "print", "select", "insert", "update", "delete", "create",
    ];
    let lead = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let shouted = lead.chars().all(char::is_uppercase)
        && matches!(lead.to_lowercase().as_str(), "select" | "insert" | "update" | "delete" | "create");
    let marks = line.contains(['{', '}', ';', '=']) || line.contains("():") || line.contains("):") || line.contains("->");
    let sets = [" = '", " = \"", " == ", " => ", "self.", "();"].iter().any(|mark| line.contains(mark));
    LEADS.contains(&lead) && marks || shouted && line.contains(['(', '*', '>', '=']) || sets
}

/// The words of a sentence without its marks, one space between them.
pub(super) fn spoken(scene: &Scene<'_, '_>) -> String {
    let mut spoken = String::new();
    for at in scene.sentence.from..scene.sentence.to {
        if !matches!(scene.line.tag(at), Some(Tag::Mark | Tag::Comma | Tag::Speech)) {
            if !spoken.is_empty() {
                spoken.push(' ');
            }
            spoken.push_str(scene.line.lower(at));
        }
    }
    spoken
}

/// Whether a turn of phrase stands in a sentence as whole words.
fn holds_turn(spoken: &str, turn: &str) -> bool {
    spoken.match_indices(turn).any(|(at, _)| {
        let (before, after) = (spoken.get(..at).unwrap_or_default(), spoken.get(at + turn.len()..).unwrap_or_default());
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}

/// Whether a sentence ends in who else says so: "…, according to the paper".
fn says_who(scene: &Scene<'_, '_>, from: usize, to: usize) -> bool {
    let commas = (from..to).filter(|at| scene.line.tag(*at) == Some(Tag::Comma));
    commas
        .map(|comma| scene.line.phrase(comma + 1, (comma + 5).min(to)))
        .any(|behind| SAYS_WHO.iter().any(|turn| behind.strip_prefix(turn).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))))
}

/// "We're playing shop: I'm the baker", "in Minecraft I own a castle".
fn played(scene: &Scene<'_, '_>, from: usize, to: usize, signs: Signs) -> bool {
    let line = &scene.line;
    let game = (from..to).find(|at| signs.has(Signs::GAME) && GAMES.contains(&line.lower(*at)));
    let within = game.is_some_and(|game| {
        let led = (from..game).rev().take(3).any(|at| line.lower(at) == "in");
        led && (from..game).all(|at| !matches!(line.tag(at), Some(Tag::Verb | Tag::Be | Tag::Have)))
    });
    let mark = (from..to).find(|at| line.lower(*at) == ":");
    let plays = |at: usize| {
        PLAYING.contains(&line.lower(at))
            || matches!(line.lower(at), "play" | "pretend" | "role-play" | "roleplay") && matches!(line.lower(from), "let" | "let's")
    };
    // "The hero of the book is …"
    let verb = (from..to).find(|at| matches!(line.tag(*at), Some(Tag::Verb | Tag::Be | Tag::Have))).unwrap_or(to);
    let hero = (from..verb).find(|at| matches!(line.lower(*at), "hero" | "heroine" | "villain" | "character" | "protagonist" | "lead"));
    let told = hero.is_some_and(|hero| (hero..verb).any(|at| FICTIONS.contains(&line.lower(at))));
    // "For Halloween I'm …"
    let dressed =
        line.lower(from) == "for" && (from..verb).any(|at| matches!(line.lower(at), "halloween" | "carnival" | "costume" | "cosplay"));
    within || told || dressed && line.tag(verb) == Some(Tag::Be) || mark.is_some_and(|mark| (from..mark).any(plays))
}

/// "In my novel …", "the narrator says", "in last night's dream".
fn fiction(scene: &Scene<'_, '_>, from: usize, to: usize) -> bool {
    let line = &scene.line;
    let mut at = from;
    while at < to {
        if FICTIONS.contains(&line.lower(at)) {
            let played = matches!(
                line.lower(at),
                "sketch" | "scene" | "play" | "skit" | "musical" | "opera" | "roleplay" | "role-play" | "scenario"
            );
            let led = (from..at).rev().take(4).any(|place| line.lower(place) == "in" || line.lower(place) == "for" && played);
            let told = matches!(line.lower(at), "narrator" | "protagonist" | "character" | "roleplay");
            // "In the film she plays": the story is where it happens; "I work in film" is not.
            let owned = (from..at).rev().take(3).any(|place| matches!(line.tag(place), Some(Tag::Poss | Tag::Det | Tag::Gen | Tag::Time)));
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
    if !scene.setting.is_written() {
        return (has("instruction") || has("system prompt") || has("your rules")) && instructs(&phrase);
    }
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
        "user's",
        "user 's",
        "to memory",
        "in memory",
        "into memory",
        "user profile",
        "every user",
        "dear model",
        "the customer",
        "ai reading",
        "whoever reads",
        "assistant ,",
        "[ ai",
        "[ assistant",
    ]
    .iter()
    .any(|text| has(text));
    let keeps = [
        "remember", "save", "store", "memorize", "memorise", "record", "note", "add", "update", "set", "treat", "consider", "assume",
        "must", "report", "tell", "believe", "log", "write", "memorise", "inform", "mark", "pretend", "act",
    ]
    .iter()
    .any(|verb| line.words.get(from..to).is_some() && (from..to).any(|at| line.lower(at) == *verb));
    instructs(&phrase)
        || keeps
            && (names_reader
                || (from..(from + 4).min(to)).any(|at| matches!(line.lower(at), "remember" | "save" | "store" | "memorize" | "memorise")))
        || names_reader && has("should")
}

/// Whether a sentence tells its reader to leave aside what they were told.
fn instructs(phrase: &str) -> bool {
    let has = |text: &str| phrase.contains(text);
    ["ignore", "disregard", "forget", "override", "bypass"].iter().any(|verb| has(verb))
        && ["instruction", "rule", "prompt", "previous", "prior", "above", "guideline", "told"].iter().any(|noun| has(noun))
}

/// What the clauses before one make of it: wished for, or said by somebody else.
pub(super) fn governed(scene: &Scene<'_, '_>, clauses: &[Clause<'_>], at: usize) -> Option<(RejectionKind, &'static str)> {
    let clause = clauses.get(at)?;
    if at > 0 && disowned(scene, clause) {
        return Some((RejectionKind::Hypothetical, "it is disowned"));
    }
    for (place, governor) in clauses.iter().enumerate().take(at) {
        let lemma = governor.group.lemma;
        if untrue(scene, governor, clause) {
            return Some((RejectionKind::Hypothetical, "it is said not to be so"));
        }
        // "We're playing shop and I'm the baker"
        let own = |clause: &Clause<'_>| {
            clause.subjects.first().and_then(|subject| scene.np(*subject)).is_some_and(|np| scene.line.lower(np.from) == "i")
        };
        let role = matches!(lemma, "play" | "pretend" | "rehearse") && governor.group.progressive && clause.group.lemma == "be";
        if role && place + 1 == at && own(clause) && (clause.rest.0..clause.rest.1).any(|at| scene.line.lower(at) == "the") {
            return Some((RejectionKind::Quoted, STORY));
        }
        // "I've been told that Al lives here"; but what somebody was told of themselves, a doctor may have told them.
        let of_self = clause
            .subjects
            .first()
            .and_then(|subject| scene.np(*subject))
            .is_some_and(|np| matches!(scene.line.lower(np.from), "i" | "we" | "my" | "our"));
        if lemma == "tell" && governor.group.passive && !of_self && !scene.setting.is_written() && place + 1 == at {
            return Some((RejectionKind::Quoted, "somebody else says so"));
        }
        let wishes = WISHES.contains(&lemma) && matches!(governor.mode, Mode::Told | Mode::Ordered);
        // "Guess what, I got a puppy" is told.
        let reports = REPORTS.contains(&lemma) && !(lemma == "guess" && governor.mode == Mode::Ordered);
        // "It was denied that …", "it is claimed that …"
        let doubted = matches!(lemma, "deny" | "allege" | "claim" | "speculate" | "dispute" | "rumour" | "rumor" | "suggest");
        if !(wishes || reports) || governor.mode == Mode::Relative || governor.group.passive && !doubted {
            continue;
        }
        // The object clause follows at once; what a "but" or a mark parts from it does not hang on it.
        let gap = governor.rest.0..clause.from;
        let parted = gap.clone().any(|token| matches!(scene.line.tag(token), Some(Tag::But)) || scene.line.lower(token) == "because")
            || place + 1 < at && clauses.get(place + 1).is_some_and(|next| next.shared);
        if parted {
            continue;
        }
        if wishes && lemma == "dream" && governor.group.tense == Tense::Past {
            return Some((RejectionKind::Hypothetical, "it was dreamt"));
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

/// Whether a turn before a clause disowns it: "I lied when I said …".
fn disowned(scene: &Scene<'_, '_>, clause: &Clause<'_>) -> bool {
    if !Signs::of(scene, scene.sentence.from, clause.from + 1).has(Signs::DISOWNED) {
        return false;
    }
    let before = scene.line.phrase(scene.sentence.from, clause.from + 1);
    DISOWNED.iter().any(|turn| {
        before.rfind(turn).is_some_and(|at| {
            let between = before.get(at + turn.len()..).unwrap_or_default();
            !between.split(' ').any(|word| matches!(word, "but" | "because" | "so" | ";" | "actually"))
        })
    })
}

/// Whether one clause says of another that it is not so: "it is false that …", "it isn't true that …".
fn untrue(scene: &Scene<'_, '_>, governor: &Clause<'_>, clause: &Clause<'_>) -> bool {
    let line = &scene.line;
    if governor.group.lemma != "be" || governor.group.passive || governor.mode == Mode::Relative {
        return false;
    }
    let words = if governor.group.negated { &TRUE[..] } else { &FALSE[..] };
    // "It's not that I live there": the "that" follows at once.
    let at_once = governor.group.negated && matches!(line.lower(governor.rest.0), "that" | "like") && governor.rest.0 <= clause.from;
    let said = (governor.rest.0..clause.from).find(|at| words.contains(&line.lower(*at)));
    let hangs = |said: usize| {
        (said + 1..=clause.from).any(|at| line.lower(at) == "that") && !(said..clause.from).any(|at| line.tag(at) == Some(Tag::But))
    };
    at_once || said.is_some_and(hangs)
}
