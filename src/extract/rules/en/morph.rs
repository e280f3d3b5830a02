//! The forms of English verbs and nouns: inflecting a verb, and the singular of a noun. Knows which verbs are irregular, and no meaning.

use std::borrow::Cow;

/// The forms of a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Forms {
    /// "works"
    pub(super) third: String,
    /// "worked"
    pub(super) past: String,
    /// "worked", "written"
    pub(super) participle: String,
    /// "working"
    pub(super) ing: String,
}

/// Base, past and participle where they do not follow the rule.
const IRREGULAR: &str = "arise arose arisen|awake awoke awoken|bear bore born|beat beat beaten|become became become|begin began begun|\
bend bent bent|bet bet bet|bid bid bid|bind bound bound|bite bit bitten|bleed bled bled|blow blew blown|break broke broken|\
breed bred bred|bring brought brought|broadcast broadcast broadcast|build built built|burn burnt burnt|buy bought bought|\
catch caught caught|choose chose chosen|come came come|cost cost cost|cut cut cut|deal dealt dealt|dig dug dug|do did done|\
draw drew drawn|dream dreamt dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|\
fight fought fought|find found found|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got got|\
give gave given|go went gone|grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|\
hurt hurt hurt|keep kept kept|kneel knelt knelt|know knew known|lay laid laid|lead led led|learn learnt learnt|leave left left|\
lend lent lent|let let let|lie lay lain|lose lost lost|make made made|mean meant meant|meet met met|overcome overcame overcome|\
oversee oversaw overseen|pay paid paid|put put put|quit quit quit|read read read|ride rode ridden|ring rang rung|rise rose risen|\
run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|\
shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sit sat sat|\
sleep slept slept|smell smelt smelt|speak spoke spoken|spell spelt spelt|spend spent spent|spill spilt spilt|split split split|\
spread spread spread|stand stood stood|steal stole stolen|stick stuck stuck|strike struck struck|swear swore sworn|sweep swept swept|\
swim swam swum|take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|\
understand understood understood|undergo underwent undergone|wake woke woken|wear wore worn|weave wove woven|wed wed wed|win won won|\
withdraw withdrew withdrawn|write wrote written|rewrite rewrote rewritten|rebuild rebuilt rebuilt|outsource outsourced outsourced";

/// Verbs of several syllables that double their last letter.
const DOUBLING: [&str; 20] = [
    "program", "travel", "commit", "prefer", "refer", "admit", "transfer", "begin", "forget", "label", "model", "cancel", "control",
    "occur", "regret", "permit", "submit", "equip", "snowboar", "rebut",
];

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}

fn doubles(base: &str) -> bool {
    if DOUBLING.contains(&base) {
        return true;
    }
    let letters: Vec<char> = base.chars().collect();
    let [.., a, b, c] = letters.as_slice() else { return false };
    let vowels = letters.iter().filter(|c| is_vowel(**c)).count();
    vowels == 1 && !is_vowel(*a) && is_vowel(*b) && !is_vowel(*c) && !matches!(c, 'w' | 'x' | 'y')
}

/// Inflects a verb by its base form.
pub(super) fn inflect(base: &str) -> Forms {
    let irregular = IRREGULAR.split('|').find_map(|entry| {
        let mut words = entry.split_whitespace();
        (words.next() == Some(base)).then(|| (words.next().unwrap_or(base), words.next().unwrap_or(base)))
    });
    let stem = base.strip_suffix('y').filter(|stem| stem.chars().next_back().is_some_and(|c| !is_vowel(c)));
    let third = match (base, stem) {
        ("have", _) => "has".to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (base, None) if ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| base.ends_with(end)) => format!("{base}es"),
        (base, None) => format!("{base}s"),
    };
    let doubled = doubles(base).then(|| base.chars().next_back()).flatten();
    let regular = match (stem, doubled) {
        (Some(stem), _) => format!("{stem}ied"),
        (None, _) if base.ends_with('e') => format!("{base}d"),
        (None, Some(last)) => format!("{base}{last}ed"),
        (None, None) => format!("{base}ed"),
    };
    let ing = if let Some(stem) = base.strip_suffix("ie") {
        format!("{stem}ying")
    } else if let Some(stem) = base.strip_suffix('e').filter(|stem| !stem.ends_with(['e', 'o', 'y']) && stem.len() > 1) {
        format!("{stem}ing")
    } else if let Some(last) = doubled {
        format!("{base}{last}ing")
    } else {
        format!("{base}ing")
    };
    let (past, participle) = irregular.map_or((regular.clone(), regular), |(past, participle)| (past.to_owned(), participle.to_owned()));
    Forms { third, past, participle, ing }
}

/// The regular past of verbs that have an irregular one too: "learned" beside "learnt".
pub(super) fn regular_past(base: &str) -> Option<String> {
    matches!(base, "learn" | "burn" | "dream" | "spell" | "spill" | "smell" | "kneel" | "quit" | "wed" | "cost")
        .then(|| format!("{base}ed"))
}

/// Plurals that do not end in a plain `s`.
const PLURALS: [(&str, &str); 14] = [
    ("children", "child"),
    ("people", "person"),
    ("men", "man"),
    ("women", "woman"),
    ("wives", "wife"),
    ("feet", "foot"),
    ("mice", "mouse"),
    ("geese", "goose"),
    ("fiancées", "fiancée"),
    ("lives", "life"),
    ("knives", "knife"),
    ("leaves", "leaf"),
    ("kids", "kid"),
    ("cookies", "cookie"),
];

/// The singular of a noun in lower case, or the noun itself if it is none of the plurals there are.
pub(super) fn singular(noun: &str) -> Cow<'_, str> {
    if let Some((_, one)) = PLURALS.iter().find(|(many, _)| *many == noun) {
        return Cow::Borrowed(one);
    }
    if let Some(stem) = noun.strip_suffix("men").filter(|stem| stem.len() > 3) {
        return Cow::Owned(format!("{stem}man"));
    }
    if let Some(stem) = noun.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return Cow::Owned(format!("{stem}y"));
    }
    if let Some(stem) = noun.strip_suffix("es")
        && ["s", "x", "z", "ch", "sh"].iter().any(|end| stem.ends_with(end))
        && !stem.ends_with("us")
    {
        return Cow::Borrowed(stem);
    }
    match noun.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i', '\'']) => Cow::Borrowed(stem),
        _ => Cow::Borrowed(noun),
    }
}

/// Whether a noun in lower case looks like a plural.
pub(super) fn is_plural(noun: &str) -> bool {
    singular(noun) != noun
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, expect: [&str; 4]) {
        let Forms { third, past, participle, ing } = inflect(base);
        assert_eq!([third, past, participle, ing], expect, "{base}");
    }

    #[test]
    fn verbs_follow_the_rules_of_spelling_or_their_own() {
        check("work", ["works", "worked", "worked", "working"]);
        check("study", ["studies", "studied", "studied", "studying"]);
        check("stop", ["stops", "stopped", "stopped", "stopping"]);
        check("write", ["writes", "wrote", "written", "writing"]);
        check("teach", ["teaches", "taught", "taught", "teaching"]);
        check("lie", ["lies", "lay", "lain", "lying"]);
        check("play", ["plays", "played", "played", "playing"]);
        check("program", ["programs", "programmed", "programmed", "programming"]);
        check("listen", ["listens", "listened", "listened", "listening"]);
    }

    #[test]
    fn nouns_find_their_singular() {
        for (many, one) in [("daughters", "daughter"), ("children", "child"), ("hobbies", "hobby"), ("bosses", "boss"), ("bus", "bus")] {
            assert_eq!(singular(many), one);
        }
        assert!(is_plural("dogs") && !is_plural("chess") && !is_plural("analysis"));
    }
}
