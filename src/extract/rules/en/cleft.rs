//! Sentences that pick one part of a plain one and put it behind "is": "the firm that I work for is Orb", "Rome is where she was born".
//!
//! They are read as the plain sentence: "I work for Orb", "she was born in Rome". Knows no relation.

use super::chunk::Chunk;
use super::clause::Clause;
use super::read::Reader;
use super::scene::Scene;
use super::words::Tag;

/// What leads the plain sentence's part that is missing from the clause behind a noun.
#[derive(Clone, Copy)]
enum Gap {
    /// Its subject.
    Subject,
    /// Its object, or what its last preposition leads.
    Object,
    /// A phrase that this preposition leads.
    Led(&'static str),
    /// Its subject, and the "is" of its participle.
    Passive,
}

/// The prepositions that lead a relative clause.
const LEADS: [&str; 8] = ["in", "at", "on", "for", "of", "by", "from", "with"];

/// A clause behind a noun, the place of what fills its gap, and the gap.
struct Cleft {
    clause: (usize, usize),
    filler: (usize, usize),
    gap: Gap,
}

impl<'g> Reader<'_, 'g> {
    /// Reads a cleft as the plain sentence that it means; false where it is none, or says nothing known.
    pub(super) fn cleft(&mut self, scene: &Scene<'_, 'g>, found: &[Clause<'g>]) -> bool {
        if scene.sentence.asked || scene.setting.is_assistant() {
            return false;
        }
        let Some(plain) = government(scene)
            .or_else(|| Self::unnamed(scene))
            .or_else(|| support(scene))
            .or_else(|| news(scene, found))
            .or_else(|| super::read::gapped(scene))
            .or_else(|| plain(scene, found))
        else {
            return false;
        };
        let drafts = self.made(&plain, &scene.bytes(scene.sentence.from, scene.sentence.to));
        let fired = !drafts.is_empty();
        self.reading.drafts.extend(drafts);
        fired
    }

    /// "The name of the boss is Bo", "one of Ann's children is Cy": without what says nothing.
    fn unnamed(scene: &Scene<'_, 'g>) -> Option<String> {
        let (from, to) = (scene.sentence.from, scene.sentence.to);
        let line = &scene.line;
        let first = from + usize::from(line.lower(from) == "the");
        let leads = matches!(line.lower(first), "name" | "one") && line.lower(first + 1) == "of";
        let of_name = line.lower(first) == "name" && first > from && line.lower(first + 2) == "the";
        let of_several = line.lower(first) == "one" && scene.np_at(first + 2).is_some_and(|(_, np)| np.owner.is_some());
        let rest = scene.slice(first + 2, to);
        (leads && (of_name || of_several) && scene.setting.is_written() && !rest.is_empty()).then(|| capital(rest))
    }
}

/// "Support for X was added to Orb": Orb supports X.
fn support(scene: &Scene<'_, '_>) -> Option<String> {
    let line = &scene.line;
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    let leads = scene.setting.is_written() && line.lower(from) == "support" && matches!(line.lower(from + 1), "for" | "of");
    let verb = (from + 2..to).find(|at| line.tag(*at) == Some(Tag::Verb)).filter(|_| leads)?;
    let be = (from + 2..verb).find(|at| matches!(line.tag(*at), Some(Tag::Be | Tag::Have)))?;
    let lead = (verb + 1..to).find(|at| matches!(line.lower(*at), "to" | "in" | "from"))?;
    let (_, np) = scene.np_at(lead + 1).filter(|(_, np)| np.name.is_some())?;
    let (what, whose, rest) = (scene.slice(from + 2, be), scene.slice(np.core, np.to), scene.slice(np.to, to));
    let verb = match line.verb(verb)?.0 {
        "add" | "introduce" | "include" | "implement" => "added",
        "drop" | "remove" | "discontinue" | "end" | "withdraw" => "dropped",
        _ => return None,
    };
    Some(format!("{whose} {verb} support for {what} {rest}."))
}

/// "The head of the Ely government is Ann", "the government of Ely is led by Ann": who heads the government of what.
fn government(scene: &Scene<'_, '_>) -> Option<String> {
    let text = scene.slice(scene.sentence.from, scene.sentence.to);
    if !scene.setting.is_written() || !text.contains(" government") && !text.to_lowercase().contains("government of ") {
        return None;
    }
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    let cut = |from: usize, to: usize| text.get(from..to).map(str::trim).filter(|part| !part.is_empty());
    if let Some(at) = lower.find("head of the ")
        && let Some(end) = lower.find(" government is ").filter(|end| *end > at)
    {
        let (place, who) = (cut(at + 12, end)?, cut(end + 15, text.len())?);
        return Some(format!("The head of government of {place} is {who}."));
    }
    let led = [" is headed by ", " is led by ", " is run by "].iter().find_map(|verb| Some((lower.find(verb)?, verb.len())));
    if let Some((at, length)) = led
        && let Some(place) = lower.strip_prefix("the government of ").map(|_| cut(18, at))
    {
        return Some(format!("The head of government of {} is {}.", place?, cut(at + length, text.len())?));
    }
    if let Some((at, length)) = [" is the current head of the ", " is the head of the ", " is head of the "]
        .iter()
        .find_map(|verb| Some((lower.find(verb)?, verb.len())))
        && let Some(place) = lower.strip_suffix(" government").and_then(|rest| cut(at + length, rest.len()))
    {
        return Some(format!("The head of government of {place} is {}.", cut(0, at)?));
    }
    let heads = [" heads the government of ", " leads the government of ", " runs the government of "]
        .iter()
        .find_map(|verb| Some((lower.find(verb)?, verb.len())));
    let (at, length) = heads?;
    Some(format!("The head of government of {} is {}.", cut(at + length, text.len())?, cut(0, at)?))
}

/// Offices that a firm's own report names without naming the firm again.
const OFFICES: [&str; 12] = [
    "chief executive officer",
    "chief executive",
    "ceo",
    "managing director",
    "chairperson",
    "chairwoman",
    "chairman",
    "president",
    "head coach",
    "coach",
    "director",
    "chair",
];

/// "Orb said on Monday that Ann will succeed Bo as chief executive": what a firm reports of itself, with its name, and who goes.
fn news(scene: &Scene<'_, '_>, found: &[Clause<'_>]) -> Option<String> {
    let line = &scene.line;
    let to = scene.sentence.to;
    if !scene.setting.is_written() {
        return None;
    }
    let first = found.first()?;
    let reports = matches!(first.group.lemma, "say" | "announce" | "confirm" | "report" | "reveal" | "disclose") && !first.group.negated;
    let firm = first.subjects.first().and_then(|subject| scene.np(*subject)).filter(|np| np.name.is_some());
    let told = match firm.filter(|_| reports) {
        Some(np) => {
            let mut at = first.group.to;
            while at < to
                && (matches!(line.tag(at), Some(Tag::Time | Tag::Adv | Tag::Comma))
                    || line.tag(at) == Some(Tag::Prep) && line.tag(at + 1) == Some(Tag::Time))
            {
                at += 1;
            }
            at += usize::from(line.lower(at) == "that");
            at_office(scene.slice(at, to), scene.slice(np.core, np.to)).replace(" would ", " will ")
        }
        None => scene.slice(scene.sentence.from, to).to_owned(),
    };
    let swapped = [
        (" will succeed ", "will become", "will step down"),
        (" will replace ", "will become", "will step down"),
        (" succeeded ", "became", "stepped down"),
        (" replaced ", "became", "stepped down"),
        (" has succeeded ", "has become", "has stepped down"),
        (" has replaced ", "has become", "has stepped down"),
        (" succeeds ", "has become", "has stepped down"),
        (" replaces ", "has become", "has stepped down"),
    ]
    .iter()
    .find_map(|(verb, comes, goes)| {
        let (new, rest) = told.split_once(verb)?;
        let (old, office) = rest.split_once(" as ")?;
        let known =
            OFFICES.iter().any(|known| office.to_lowercase().trim_start_matches("the ").trim_start_matches("its ").starts_with(known));
        let named = old.split_whitespace().all(|word| word.starts_with(char::is_uppercase)) && old.split_whitespace().count() <= 4;
        (known && named && office.contains(" of ")).then(|| format!("{new} {comes} {office}. {old} {goes} as {office}."))
    });
    swapped.or_else(|| firm.filter(|_| reports && !told.is_empty()).map(|_| format!("{}.", capital(&told))))
}

/// A text with "of" a firm behind the first office in it that nobody is said to have it of.
fn at_office(text: &str, firm: &str) -> String {
    let lower = text.to_lowercase();
    let place = OFFICES.iter().find_map(|office| {
        let at = lower.find(&format!(" {office}"))? + 1 + office.len();
        let after = lower.get(at..)?;
        (!after.starts_with(char::is_alphabetic) && !after.starts_with(" of ") && !after.starts_with(" at ")).then_some(at)
    });
    match place.and_then(|at| Some((text.get(..at)?, text.get(at..)?))) {
        Some((before, after)) if lower.len() == text.len() => format!("{before} of {firm}{after}"),
        _ => text.to_owned(),
    }
}

/// The plain sentence of a cleft.
fn plain(scene: &Scene<'_, '_>, found: &[Clause<'_>]) -> Option<String> {
    let cleft = noun_first(scene).or_else(|| filler_first(scene, found))?;
    let clause = scene.slice(cleft.clause.0, cleft.clause.1);
    let filler = scene.slice(cleft.filler.0, cleft.filler.1);
    if clause.is_empty() || filler.is_empty() {
        return None;
    }
    Some(match cleft.gap {
        Gap::Subject => format!("{} {clause}.", capital(filler)),
        Gap::Passive => format!("{} is {clause}.", capital(filler)),
        Gap::Object => format!("{} {filler}.", capital(clause)),
        Gap::Led(word) => format!("{} {word} {filler}.", capital(clause)),
    })
}

/// "The town where she was born is Ely".
fn noun_first(scene: &Scene<'_, '_>) -> Option<Cleft> {
    let line = &scene.line;
    // "What she is known for is …"
    if line.lower(scene.sentence.from) == "what" && scene.setting.is_written() && matches!(scene.chunks.get(1), Some(Chunk::Np(_))) {
        return filled(scene, scene.sentence.from + 1, Gap::Object);
    }
    let Some(Chunk::Np(np)) = scene.chunks.first() else { return None };
    let described = np.det.is_some_and(|det| line.lower(det) == "the") && np.owner.is_none();
    if described && let Some((noun, from)) = contact(scene, 0) {
        return Some(noun).filter(|noun| is_thing(scene, noun)).and_then(|_| filled(scene, from, Gap::Object));
    }
    if np.name.is_some() || np.pronoun || np.owner.is_some() || np.det.is_none_or(|det| line.lower(det) != "the") {
        return None;
    }
    let mut last = np;
    let mut chunk = 1;
    // "the type of music that …"
    while scene.word(chunk).is_some_and(|(at, _)| line.lower(at) == "of")
        && let Some(of) = scene.np(chunk + 1)
    {
        if let Some((_, from)) = contact(scene, chunk + 1) {
            return filled(scene, from, Gap::Object);
        }
        if of.name.is_some() {
            break;
        }
        // "The type of music that she plays is fado": a sort, and no piece that she performs.
        if matches!(line.phrase(np.core, np.to).as_str(), "type" | "kind" | "sort" | "style" | "genre")
            && line.phrase(of.core, of.to) == "music"
            && scene.setting.is_written()
        {
            return None;
        }
        last = of;
        chunk += 2;
    }
    let noun = line.phrase(np.core, np.to);
    let where_to =
        matches!(noun.as_str(), "place" | "country" | "city" | "town" | "person" | "man" | "woman" | "one") && scene.setting.is_written();
    if !where_to && !is_telling(scene, &noun) && !is_telling(scene, &line.phrase(last.core, last.to)) {
        return None;
    }
    let (from, gap) = link(scene, chunk, &noun)?;
    filled(scene, from, gap)
}

/// The filler behind the last "is", for a clause that begins at a place.
fn filled(scene: &Scene<'_, '_>, from: usize, gap: Gap) -> Option<Cleft> {
    let line = &scene.line;
    let to = scene.sentence.to;
    // The "is" that parts the clause from its filler: the last one with nothing but a phrase behind it.
    let be = (from + 1..to).rev().find(|at| line.tag(*at) == Some(Tag::Be) && matches!(line.lower(*at), "is" | "was" | "are" | "were"))?;
    let plain_phrase = (be + 1..to).all(|at| {
        !matches!(line.tag(at), Some(Tag::Verb | Tag::Be | Tag::Have | Tag::Do | Tag::Modal | Tag::Wh | Tag::Sub | Tag::Mark | Tag::Not))
    });
    let spoken = (from..be).any(|at| matches!(line.tag(at), Some(Tag::Verb | Tag::Have | Tag::Be)));
    (plain_phrase && spoken).then_some(Cleft { clause: (from, be), filler: (be + 1, to), gap })
}

/// Of a noun with a name behind it whose verb follows, "the sport Ann plays": the noun, and where the name begins.
fn contact(scene: &Scene<'_, '_>, chunk: usize) -> Option<(String, usize)> {
    let np = scene.np(chunk)?;
    let name = np.name.filter(|name| *name > np.core)?;
    matches!(scene.chunks.get(chunk + 1), Some(Chunk::Vg(_))).then(|| (scene.line.phrase(np.core, name), name))
}

/// Whether a noun before a name is no title of the one who is named.
fn is_thing(scene: &Scene<'_, '_>, noun: &str) -> bool {
    noun == "person"
        || !["kin", "job", "person_noun", "rank", "work_noun", "org_noun", "team", "company"]
            .iter()
            .any(|class| scene.grammar.has_class(noun, class))
            && scene.setting.is_written()
}

/// "Ely is where she was born", "Ely is the town in which she was born".
fn filler_first(scene: &Scene<'_, '_>, found: &[Clause<'_>]) -> Option<Cleft> {
    let line = &scene.line;
    let first = found.first()?;
    let [subject] = first.subjects.as_slice() else { return None };
    let np = scene.np(*subject)?;
    if first.group.lemma != "be" || first.group.negated || np.pronoun || np.name.is_none() && !scene.setting.is_written() {
        return None;
    }
    let at = first.rest.0;
    // "Latvian is the language Ann speaks"
    if let Some((chunk, _)) = scene.np_at(at).filter(|(_, described)| described.from == at && described.det.is_some())
        && let Some((_, from)) = contact(scene, chunk).filter(|(noun, _)| is_thing(scene, noun))
    {
        return Some(Cleft { clause: (from, scene.sentence.to), filler: (np.from, first.group.from), gap: Gap::Object });
    }
    let (chunk, noun) = match scene.np_at(at) {
        Some((chunk, described)) if described.from == at && described.name.is_none() => {
            (chunk + 1, line.phrase(described.core, described.to))
        }
        _ => (scene.chunk_at(at)?, String::new()),
    };
    let (from, gap) = link(scene, chunk, &noun)?;
    // What the phrase itself does is read where it stands.
    if matches!(gap, Gap::Subject | Gap::Passive) || from >= scene.sentence.to {
        return None;
    }
    Some(Cleft { clause: (from, scene.sentence.to), filler: (np.from, first.group.from), gap })
}

/// What links a clause to the noun before it: where the clause begins, and what is missing from it.
fn link(scene: &Scene<'_, '_>, chunk: usize, noun: &str) -> Option<(usize, Gap)> {
    let line = &scene.line;
    match scene.chunks.get(chunk)? {
        // "the language spoken by her": the clause has lost its "is".
        Chunk::Vg(group) if group.reduced && !noun.is_empty() => Some((group.from, Gap::Passive)),
        Chunk::Vg(_) => None,
        // "the firm she works for"
        Chunk::Np(np) if !noun.is_empty() && matches!(scene.chunks.get(chunk + 1), Some(Chunk::Vg(_))) => Some((np.from, Gap::Object)),
        Chunk::Np(_) => None,
        Chunk::Word(at) => {
            let word = line.lower(*at);
            let subject = matches!(scene.chunks.get(chunk + 1), Some(Chunk::Vg(_)));
            match word {
                "that" | "which" | "who" if subject => Some((at + 1, Gap::Subject)),
                "that" | "which" | "whom" if !noun.is_empty() => Some((at + 1, Gap::Object)),
                "where" => {
                    let house = ["school", "company", "org_noun", "institute", "bank", "club"];
                    let within =
                        house.iter().any(|class| scene.grammar.has_class(noun, class)) && !scene.grammar.has_class(noun, "place_noun");
                    Some((at + 1, Gap::Led(if within { "at" } else { "in" })))
                }
                _ if matches!(line.lower(at + 1), "which" | "whom") => {
                    LEADS.iter().find(|lead| **lead == word).map(|lead| (at + 2, Gap::Led(lead)))
                }
                _ => None,
            }
        }
    }
}

/// Whether what a noun stands for can be told of as such: in talk, "the thing that I love" says too little.
fn is_telling(scene: &Scene<'_, '_>, noun: &str) -> bool {
    let known = ["school", "company", "org_noun", "place_noun", "bank", "club", "institute", "team", "person_noun"];
    if scene.setting.is_written() {
        !scene.grammar.has_class(noun, "vague")
    } else {
        known.iter().any(|class| scene.grammar.has_class(noun, class))
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
