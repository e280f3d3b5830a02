//! What is not said in earnest, or not by the one who speaks: jokes, fiction, reports, texts to be worked on, orders to the memory.
//! Knows no relation.

use super::chunk::Tense;
use super::clause::{Clause, Mode};
use super::scene::Scene;
use super::tag::Form;
use super::token::{Kind, Token};
use super::words::{Tag, subject_pronoun};
use crate::extract::RejectionKind;

/// Why a text that something is to be done with claims nothing.
pub(super) const TEXT: &str = "it is a text to be worked on";
/// Why a story claims nothing.
pub(super) const STORY: &str = "it tells of a story";

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
const DISOWNED: [&str; 40] = [
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

/// Words that stand alone behind a sentence, or end it behind a comma, and take it back.
const RETORTS: [&str; 25] = [
    "not",
    "not really",
    "as if",
    "yeah right",
    "yeah sure",
    "in my dreams",
    "in your dreams",
    "in my head",
    "in my imagination",
    "in my mind",
    "dream on",
    "if only",
    "i wish",
    "said no one ever",
    "said nobody ever",
    "says no one ever",
    "psych",
    "gotcha",
    "april fools",
    "april fool",
    "/s",
    "/ s",
    "/j",
    "/jk",
    "in a parallel universe",
];

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
const FICTIONS: [&str; 37] = [
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
const UNSURE: [&str; 33] = [
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

/// Turns at the head of a sentence by which its speaker means the reverse.
const SARCASM: [&str; 14] = [
    "oh great",
    "oh joy",
    "oh sure",
    "oh perfect",
    "oh fantastic",
    "oh wonderful",
    "oh lovely",
    "yeah right",
    "yeah sure",
    "as if",
    "just what i needed",
    "great just what",
    "thanks for nothing",
    "said no one ever",
];

/// Nobody who speaks is one of these.
const THRONES: [&str; 22] = [
    "king",
    "queen",
    "emperor",
    "empress",
    "pope",
    "tsar",
    "sultan",
    "pharaoh",
    "god",
    "goddess",
    "santa",
    "santa claus",
    "batman",
    "superman",
    "penguin",
    "houseplant",
    "goldfish",
    "vampire",
    "wizard",
    "unicorn",
    "robot",
    "zombie",
];

/// What nobody takes a degree in.
const VICES: [&str; 16] = [
    "procrastination",
    "procrastinating",
    "overthinking",
    "sarcasm",
    "napping",
    "naps",
    "sleeping",
    "worrying",
    "complaining",
    "nonsense",
    "laziness",
    "snacking",
    "swearing",
    "gossip",
    "daydreaming",
    "shopping",
];

/// Why nothing in a sentence is a claim.
pub(super) fn sentence(scene: &Scene<'_, '_>, clauses: &[Clause<'_>]) -> Option<(RejectionKind, &'static str)> {
    let line = &scene.line;
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    let words = || (from..to).map(|at| line.lower(at));
    if words().any(|word| JOKES.contains(&word)) || joke_follows(scene) {
        return Some((RejectionKind::Joke, "it is said in jest"));
    }
    if taken_back(scene) {
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
    if let Some(jest) = jest(scene, clauses) {
        return Some((RejectionKind::Joke, jest));
    }
    if orders_memory(scene) {
        return Some((RejectionKind::Instruction, "it gives orders to whoever reads it"));
    }
    let first = (from..to).find(|at| !matches!(line.tag(*at), Some(Tag::Adv | Tag::Comma | Tag::Mark)))?;
    let lead = line.lower(first);
    let spoken = spoken(scene);
    let says = |turns: &[&str]| turns.iter().any(|turn| holds_turn(&spoken, turn));
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
    if fiction(scene, from, to) || played(scene, from, to) {
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
fn spoken(scene: &Scene<'_, '_>) -> String {
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

/// Whether what is said cannot be so of the one it is said of: sarcasm, a throne of one's own, a degree in a vice, a cat with an office.
fn jest(scene: &Scene<'_, '_>, clauses: &[Clause<'_>]) -> Option<&'static str> {
    let line = &scene.line;
    if scene.setting.is_written() {
        return None;
    }
    let spoken = spoken(scene);
    let leads = |turn: &str| spoken.strip_prefix(turn).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let first = line.lower(scene.sentence.from);
    // "Sure, and I'm the queen": agreement with a clause that nobody asked for.
    let granted = matches!(first, "sure" | "right" | "yeah" | "yep" | "ok" | "okay" | "oh")
        && line.tag(scene.sentence.from + 1) == Some(Tag::Comma)
        && line.lower(scene.sentence.from + 2) == "and";
    if granted || SARCASM.iter().any(|turn| leads(turn)) {
        return Some("it means the reverse");
    }
    for clause in clauses {
        let subject = clause.subjects.first().and_then(|subject| scene.np(*subject));
        let own = subject.is_some_and(|np| np.pronoun && matches!(line.lower(np.from), "i" | "we"));
        let said = (clause.rest.0..clause.rest.1.min(clause.rest.0 + 3)).find_map(|at| scene.np_at(at)).map(|(_, np)| np);
        if clause.group.lemma == "be" && !clause.group.passive && !clause.group.negated {
            let noun = said.map(|np| line.phrase(np.core, np.to)).unwrap_or_default();
            // "I'm the head of losing keys": an office of doings.
            let doings = said.is_some_and(|np| {
                line.lower(np.to) == "of"
                    && matches!(line.verb(np.to + 1), Some((_, Form::Ing)))
                    && line.tag(np.to + 2).is_some()
                    && !scene.grammar.has_class(line.lower(np.to + 1), "subject")
            });
            if own && clause.mode == Mode::Told && (doings || THRONES.contains(&noun.as_str())) {
                return Some("nobody is that");
            }
            // "My cat is the boss of this house": a beast or a thing with an office.
            let beast = subject.is_some_and(|np| {
                let what = scene.noun_phrase(np);
                let small = ["toddler", "baby", "newborn"].iter().any(|child| what.split(' ').any(|word| word == *child));
                !np.pronoun
                    && np.name.is_none()
                    && (small || ["animal", "contraption", "device", "vehicle"].iter().any(|class| scene.grammar.has_class(&what, class)))
            });
            let office = !noun.is_empty()
                && said.is_some_and(|np| np.name != Some(np.core))
                && (["job", "rank", "person_noun", "office", "kin"].iter().any(|class| scene.grammar.has_class(&noun, class))
                    || noun.split(' ').any(|word| matches!(word, "member" | "fan" | "citizen" | "resident" | "employee" | "owner")));
            if beast && office {
                return Some("it is said of a beast or a thing as of a person");
            }
        }
        // "My phone and I are a couple"
        let with_thing = clause.subjects.iter().filter_map(|subject| scene.np(*subject)).any(|np| {
            !np.pronoun
                && np.name.is_none()
                && ["contraption", "device", "ownable", "vehicle"]
                    .iter()
                    .any(|class| scene.grammar.has_class(&scene.noun_phrase(np), class))
        });
        let paired = clause.subjects.len() > 1 && with_thing && clause.group.lemma == "be";
        let pairs = ["relationship", "couple", "married", "friends", "partners", "together"];
        if paired && (clause.rest.0..clause.rest.1).any(|at| pairs.contains(&line.lower(at))) {
            return Some("it is said of a thing as of a person");
        }
        let degree =
            |at: usize| matches!(line.lower(at), "phd" | "degree" | "masters" | "doctorate" | "diploma" | "belt" | "master's" | "expert");
        // "a degree in losing keys": what nobody teaches.
        let taught = |at: usize| {
            ["subject", "job", "programming"].iter().any(|class| scene.grammar.has_class(line.lower(at), class))
                || matches!(line.lower(at), "teaching" | "engineering" | "marketing" | "nursing" | "accounting" | "computing" | "writing")
        };
        let deed = |at: usize| {
            line.lower(at.wrapping_sub(1)) == "in"
                && line.lower(at).ends_with("ing")
                && !taught(at)
                && matches!(line.tag(at + 1), Some(Tag::Noun))
                && !scene.grammar.verb(line.lower(at)).is_empty()
        };
        let vice = |at: usize| VICES.contains(&line.lower(at)) || deed(at);
        let range = clause.rest.0..clause.rest.1;
        if own && range.clone().any(degree) && range.clone().any(vice) {
            return Some("nobody takes a degree in that");
        }
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

/// Whether what ends a sentence, or stands alone behind it, takes it back: "…, not.", "… As if."
fn taken_back(scene: &Scene<'_, '_>) -> bool {
    let line = &scene.line;
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    if scene.setting.is_written() || scene.sentence.asked {
        return false;
    }
    let parts = |at: usize| matches!(line.tag(at), Some(Tag::Comma)) || matches!(line.lower(at), "–" | "—" | "-" | "…" | "(");
    let close = (from..to).rev().find(|at| line.lower(*at) != ")").map_or(to, |last| last + 1);
    let ends = (from..close).rev().find(|at| parts(*at)).is_some_and(|mark| RETORTS.contains(&line.phrase(mark + 1, close).as_str()));
    let marked = matches!(line.lower(to.wrapping_sub(2)), "/") && matches!(line.lower(to.wrapping_sub(1)), "s" | "j" | "jk");
    let shouted = close > from + 1 && line.tokens.get(close - 1).is_some_and(|token| token.text == "NOT");
    ends || marked || shouted || retorted(scene)
}

/// Whether the next sentence does nothing but take back the one before it.
fn retorted(scene: &Scene<'_, '_>) -> bool {
    const LONGEST: usize = 5;
    let after = scene.line.tokens.get(scene.sentence.to..).unwrap_or_default();
    let mut next = String::new();
    let mut words = 0;
    for token in after.iter().skip_while(|token| token.kind == Kind::Break || token.is_mark(".!…;")) {
        if token.kind == Kind::Break || token.is_mark(".!…?;") {
            // "As if? No": a question takes nothing back.
            return words > 0 && !token.is_mark("?") && RETORTS.contains(&next.as_str());
        }
        if token.is_mark(",") {
            continue;
        }
        words += 1;
        if words > LONGEST {
            return false;
        }
        if !next.is_empty() && !(token.glued && next.ends_with('/')) {
            next.push(' ');
        }
        next.push_str(&token.lower);
    }
    RETORTS.contains(&next.as_str())
}

/// Whether a sentence ends in who else says so: "…, according to the paper".
fn says_who(scene: &Scene<'_, '_>, from: usize, to: usize) -> bool {
    let commas = (from..to).filter(|at| scene.line.tag(*at) == Some(Tag::Comma));
    commas
        .map(|comma| scene.line.phrase(comma + 1, (comma + 5).min(to)))
        .any(|behind| SAYS_WHO.iter().any(|turn| behind.strip_prefix(turn).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))))
}

/// "We're playing shop: I'm the baker", "in Minecraft I own a castle".
fn played(scene: &Scene<'_, '_>, from: usize, to: usize) -> bool {
    let line = &scene.line;
    let game = (from..to).find(|at| GAMES.contains(&line.lower(*at)));
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
            let played = matches!(line.lower(at), "sketch" | "scene" | "play" | "skit" | "musical" | "opera" | "roleplay" | "scenario");
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
    let instructs = ["ignore", "disregard", "forget", "override", "bypass"].iter().any(|verb| has(verb))
        && ["instruction", "rule", "prompt", "previous", "prior", "above", "guideline", "told"].iter().any(|noun| has(noun));
    let keeps = [
        "remember", "save", "store", "memorize", "memorise", "record", "note", "add", "update", "set", "treat", "consider", "assume",
        "must", "report", "tell", "believe", "log", "write", "memorise", "inform", "mark", "pretend", "act",
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
    let at_once = governor.group.negated && line.lower(governor.rest.0) == "that" && governor.rest.0 <= clause.from;
    let said = (governor.rest.0..clause.from).find(|at| words.contains(&line.lower(*at)));
    let hangs = |said: usize| {
        (said + 1..=clause.from).any(|at| line.lower(at) == "that") && !(said..clause.from).any(|at| line.tag(at) == Some(Tag::But))
    };
    at_once || said.is_some_and(hangs)
}
