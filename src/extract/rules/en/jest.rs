//! Jests: words that make a joke of a sentence, what takes it back in the same breath, and what cannot be so of the one it is said of.
//! Knows no relation.

use super::chunk::Np;
use super::clause::{Clause, Mode};
use super::mood::spoken;
use super::scene::Scene;
use super::tag::Form;
use super::token::{Kind, Token};
use super::words::Tag;

/// Words that make a joke of a sentence.
pub(super) const JOKES: [&str; 22] = [
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

/// Whether what is said cannot be so of the one it is said of: sarcasm, a throne of one's own, a degree in a vice, a cat with an office.
pub(super) fn jest(scene: &Scene<'_, '_>, clauses: &[Clause<'_>]) -> Option<&'static str> {
    let line = &scene.line;
    if scene.setting.is_written() {
        return None;
    }
    let first = line.lower(scene.sentence.from);
    let may_lead = matches!(first, "oh" | "yeah" | "as" | "just" | "great" | "thanks" | "said");
    let spoken = if may_lead { spoken(scene) } else { String::new() };
    let leads = |turn: &str| spoken.strip_prefix(turn).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
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
            let beast = subject.is_some_and(|np| is_beast(scene, np));
            let office = !noun.is_empty()
                && said.is_some_and(|np| np.name != Some(np.core))
                && (["job", "rank", "person_noun", "office", "kin"].iter().any(|class| scene.grammar.has_class(&noun, class))
                    || noun.split(' ').any(|word| matches!(word, "member" | "fan" | "citizen" | "resident" | "employee" | "owner")));
            if beast && office {
                return Some("it is said of a beast or a thing as of a person");
            }
        }
        // "My cat owns the flat": a beast or a thing with a deed of people.
        let deed_of_people = ["own", "marry", "hire", "employ", "rent", "vote", "graduate", "invest", "drive", "study"];
        if deed_of_people.contains(&clause.group.lemma) && !clause.group.passive && subject.is_some_and(|np| is_beast(scene, np)) {
            return Some("it is said of a beast or a thing as of a person");
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

/// Whether a phrase is of a beast, a thing or an infant without a name.
fn is_beast(scene: &Scene<'_, '_>, np: &Np) -> bool {
    let what = scene.noun_phrase(np);
    let small = ["toddler", "baby", "newborn"].iter().any(|child| what.split(' ').any(|word| word == *child));
    !np.pronoun
        && np.name.is_none()
        && (small || ["animal", "contraption", "device", "vehicle"].iter().any(|class| scene.grammar.has_class(&what, class)))
}

/// Whether the words right behind a sentence make a joke of it.
pub(super) fn joke_follows(scene: &Scene<'_, '_>) -> bool {
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
pub(super) fn taken_back(scene: &Scene<'_, '_>) -> bool {
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
