//! Whether a clause of talk is said in earnest: nothing that hangs on another clause is claimed unless that clause vouches for it,
//! and nothing behind a label or a subject that belongs to an invented world is claimed at all. Knows no relation.

use super::chunk::Chunk;
use super::clause::{Clause, Mode};
use super::mood::{STORY, TEXT};
use super::scene::Scene;
use super::words::{Tag, subject_pronoun};
use crate::extract::RejectionKind;

type Refusal = (RejectionKind, &'static str);

/// Verbs that take for granted what they govern, whoever does them and even where they are denied.
const GRANTS: [&str; 25] = [
    "know",
    "remember",
    "realise",
    "realize",
    "learn",
    "notice",
    "discover",
    "find",
    "forget",
    "recall",
    "regret",
    "appreciate",
    "see",
    "understand",
    "love",
    "like",
    "hate",
    "enjoy",
    "mind",
    "turn",
    "happen",
    "mean",
    "prove",
    "confirm",
    "explain",
];

/// Verbs by which a speaker answers for what they say of themselves: of anybody else they are a report.
const ANSWERS: [&str; 22] = [
    "say", "tell", "mention", "think", "believe", "state", "write", "announce", "swear", "reckon", "guess", "boast", "admit", "confess",
    "add", "note", "feel", "promise", "share", "report", "figure", "declare",
];

/// What "the news is that …" and "it's great that …" vouch with.
const ASSURES: [&str; 40] = [
    "news",
    "truth",
    "true",
    "fact",
    "thing",
    "reason",
    "problem",
    "point",
    "best",
    "worst",
    "upside",
    "downside",
    "bonus",
    "trouble",
    "issue",
    "catch",
    "good",
    "great",
    "nice",
    "lucky",
    "fortunate",
    "sad",
    "shame",
    "pity",
    "clear",
    "obvious",
    "secret",
    "funny",
    "weird",
    "amazing",
    "important",
    "because",
    "difference",
    "relief",
    "coincidence",
    "wonder",
    "surprise",
    "surprising",
    "official",
    "cool",
];

/// What somebody is of a thing that they do not vouch for.
const DOUBTS: [&str; 9] = ["unsure", "doubtful", "sceptical", "skeptical", "unconvinced", "suspicious", "afraid", "worried", "scared"];

/// Labels of texts that are nobody's own words.
const LABELS: [&str; 42] = [
    "example",
    "sentence",
    "scenario",
    "exercise",
    "prompt",
    "riddle",
    "motto",
    "caption",
    "lyrics",
    "headline",
    "quote",
    "quiz",
    "puzzle",
    "dictation",
    "template",
    "sample",
    "placeholder",
    "dialogue",
    "dialog",
    "joke",
    "story",
    "plot",
    "premise",
    "synopsis",
    "tagline",
    "slogan",
    "moral",
    "translation",
    "transcript",
    "twister",
    "proverb",
    "lyric",
    "verse",
    "excerpt",
    "passage",
    "textbook",
    "homework",
    "worksheet",
    "flashcard",
    "persona",
    "character",
    "backstory",
];

/// Words that invent what they describe or name: a phrase with one, in front of the verb, is of no real person or place.
const INVENTED: [&str; 46] = [
    "fake",
    "imaginary",
    "fictional",
    "fictitious",
    "pretend",
    "made-up",
    "invented",
    "hypothetical",
    "mythical",
    "make-believe",
    "in-game",
    "avatar",
    "alias",
    "persona",
    "alter",
    "costume",
    "fancy-dress",
    "npc",
    "npcs",
    "sim",
    "sims",
    "cosplay",
    "elf",
    "elven",
    "dwarf",
    "dwarven",
    "orc",
    "paladin",
    "wizard",
    "sorcerer",
    "sorceress",
    "warlock",
    "druid",
    "goblin",
    "necromancer",
    "halfling",
    "mage",
    "gnome",
    "vampire",
    "werewolf",
    "superhero",
    "supervillain",
    "villain",
    "protagonist",
    "antihero",
    "doppelganger",
];

/// Why nothing in a sentence of talk is said in earnest, by what stands in front of its verb.
pub(super) fn staged(scene: &Scene<'_, '_>, clauses: &[Clause<'_>]) -> Option<Refusal> {
    if scene.setting.is_written() {
        return None;
    }
    let line = &scene.line;
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    if let Some(mark) = (from..to).find(|at| line.lower(*at) == ":") {
        let label = || (from..mark).map(|at| line.lower(at));
        let own = || label().any(|word| matches!(word, "my" | "me" | "i" | "our" | "we"));
        // "Picture this: …"
        if matches!(line.lower(from), "picture" | "imagine" | "envision" | "visualise" | "visualize" | "fancy") {
            return Some((RejectionKind::Hypothetical, "it is supposed"));
        }
        // "Example sentence: …"; "My story: …" is told.
        if label().any(|word| LABELS.contains(&word)) && !own() {
            return Some((RejectionKind::Quoted, TEXT));
        }
    }
    // "No one said I live here": the two words that are nobody.
    if line.lower(from) == "no" && line.lower(from + 1) == "one" && line.verb(from + 2).is_some_and(|(lemma, _)| ANSWERS.contains(&lemma)) {
        return Some((RejectionKind::Quoted, "nobody says so"));
    }
    // "We acted like we were rich"
    let alike = |at: usize| {
        line.lower(at) == "like" && line.tag(at - 1) == Some(Tag::Verb) && subject_pronoun(line.lower(at + 1)).is_some() && at + 2 < to
    };
    if (from + 1..to).any(alike) {
        return Some((RejectionKind::Hypothetical, "it is only as if"));
    }
    let verb = clauses.iter().find(|clause| clause.mode != Mode::Relative)?;
    let begins = verb.subjects.first().and_then(|subject| scene.chunks.get(*subject)).map_or(verb.group.from, Chunk::from);
    // "Pretend for a second that I live in Rome", "as though I were a chef"
    let supposes = matches!(line.lower(from), "pretend" | "imagine" | "picture" | "suppose" | "assume" | "envision")
        && begins > from
        && line.lower(begins - 1) == "that";
    let as_if = line.lower(from) == "as" && matches!(line.lower(from + 1), "if" | "though") && begins == from + 2;
    if supposes || as_if {
        return Some((RejectionKind::Hypothetical, "it is supposed"));
    }
    // "On the show, Claire is married to Phil"
    let shown = matches!(line.lower(from), "on" | "in")
        && matches!(line.tag(from + 1), Some(Tag::Det | Tag::Poss))
        && (from + 2..(from + 4).min(begins))
            .any(|at| matches!(line.lower(at), "show" | "series" | "sitcom" | "soap" | "sequel" | "remake"));
    if shown {
        return Some((RejectionKind::Quoted, STORY));
    }
    // "I own nine million mugs"
    let countless = |at: usize| matches!(line.lower(at), "million" | "billion" | "trillion" | "zillion" | "gazillion" | "bazillion");
    let owns = matches!(verb.group.lemma, "own" | "have" | "know" | "speak" | "read" | "visit" | "drink" | "eat");
    if owns && (verb.rest.0..verb.rest.1).any(|at| countless(at) && line.tag(at + 1) == Some(Tag::Noun)) {
        return Some((RejectionKind::Joke, "nobody counts that many"));
    }
    // "As Hamlet I live in Denmark"
    let guised = line.lower(from) == "as" && line.tag(from + 1) == Some(Tag::Name) && begins > from + 1 && from + 4 > begins;
    if guised && subject_pronoun(line.lower(begins)).is_some() {
        return Some((RejectionKind::Quoted, STORY));
    }
    let invents = |at: usize| {
        // "my Sims family" plays; "Molly Sims" is called so.
        let called = line.tag(at) == Some(Tag::Name) && !matches!(line.tag(at.wrapping_sub(1)), Some(Tag::Det | Tag::Poss));
        INVENTED.contains(&line.lower(at)) && !called || line.lower(at) == "dress" && line.lower(at.wrapping_sub(1)) == "fancy"
    };
    let open = (from..verb.group.from).find(|at| invents(*at))?;
    // "As a vampire I own a castle", "my elf ranger lives …", "on my fake profile …"
    let apart = (open..verb.group.from).any(|at| matches!(line.tag(at), Some(Tag::And | Tag::But)) || line.lower(at) == ":");
    (!apart).then_some((RejectionKind::Quoted, STORY))
}

/// Why a clause of talk is not claimed: it hangs on another that does not vouch for it.
pub(super) fn unvouched(scene: &Scene<'_, '_>, clauses: &[Clause<'_>], at: usize) -> Option<Refusal> {
    let clause = clauses.get(at)?;
    if scene.setting.is_written() || clause.mode != Mode::Told || clause.shared {
        return None;
    }
    let line = &scene.line;
    let begins = clause.subjects.first().and_then(|subject| scene.chunks.get(*subject)).map_or(clause.group.from, Chunk::from);
    // "It feels like I live here", "we acted like we were rich": it is as if, not so.
    let last = line.lower(begins.wrapping_sub(1));
    if last == "like" && begins > scene.sentence.from + 2 && !matches!(line.tag(begins - 2), Some(Tag::Comma | Tag::Mark)) {
        return Some((RejectionKind::Hypothetical, "it is only as if"));
    }
    let governor = clauses.iter().take(at).rev().find(|governor| governor.mode != Mode::Relative && governor.group.to <= begins)?;
    let between = governor.group.to..begins;
    let parted = between.clone().any(|at| {
        matches!(line.tag(at), Some(Tag::Comma | Tag::And | Tag::But | Tag::Mark | Tag::Speech))
            || matches!(
                line.lower(at),
                "because" | "so" | "since" | "although" | "though" | "while" | "when" | "where" | "as" | "now" | "given"
            )
    });
    if parted {
        return None;
    }
    let lemma = governor.group.lemma;
    // "I said I live here", "nobody said I live here"
    let bare = between.is_empty() && ANSWERS.contains(&lemma);
    let hangs = bare || between.clone().next_back().is_some() && last == "that";
    let tells = matches!(lemma, "tell" | "convince" | "persuade" | "inform" | "assure" | "fool" | "trick");
    if !hangs && !tells {
        return None;
    }
    let subject = governor.subjects.first().and_then(|subject| scene.np(*subject));
    let own = subject.is_some_and(|np| np.pronoun && matches!(line.lower(np.from), "i" | "we"));
    let said = |words: &[&str]| between.clone().any(|at| words.contains(&line.lower(at)));
    let vouches = if GRANTS.contains(&lemma) || matches!(governor.mode, Mode::Ordered) && lemma != "say" && !tells {
        true
    } else if tells && own && !governor.group.passive {
        // What one tells somebody else is for them; what one was told, its teller answers for.
        lemma == "tell" && !between.clone().any(|at| !matches!(line.lower(at), "you" | "that" | "already" | "before" | "earlier"))
    } else if lemma == "be" && own {
        !governor.group.negated && !said(&DOUBTS)
    } else if lemma == "be" {
        !governor.group.negated && (governor.from..begins).any(|at| ASSURES.contains(&line.lower(at)))
    } else if own {
        ANSWERS.contains(&lemma) && !governor.group.negated
    } else {
        governor.group.passive && own
    };
    (!vouches).then_some((RejectionKind::Quoted, "what it hangs on does not vouch for it"))
}
