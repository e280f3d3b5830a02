//! Plain statements: a written sentence that is one clause between two names, read as a whole.
//!
//! Owns the wide reading of names. Works of reference name things by phrases that a grammar of phrases takes apart: "A Castle in the
//! Fog", "Adela von Hagen, Countess of Brod", "Mud and Stars". Here the clause is cut at its verb instead, and what stands before it,
//! and behind the words of a pattern, is a name to its end as long as it can be one. Three turns of phrase are undone first: the noun of
//! a relation ("the N of X is Y", "Y is X's N"), the clause that asks for what is missing in it ("the town where X was born is Y", "the
//! firm that built X is Y") and the active voice of a pattern that is passive. Knows patterns only as data, and no tense.

use super::chunk::{Tense, Vg, vg};
use super::judge::Hints;
use super::pack::{Effect, Grammar, NounFrame, Pattern, Piece, Sort, Subject};
use super::read::{Reader, Saying};
use super::scene::Scene;
use super::tag::Form;
use super::token::Kind;
use super::words::{Tag, closed};
use crate::extract::rules::draft::{Draft, Phase};
use crate::model::Polarity;

/// What a sentence states.
struct Stated<'g> {
    relation: usize,
    number: usize,
    effect: Effect,
    head: String,
    tail: String,
    group: Vg<'g>,
    times: Vec<usize>,
    weight: usize,
    /// Its tail is one name with "and" inside, by the noun at its end: "Marl and Brod Railway".
    joint: bool,
}

/// A name, or a common noun in its place.
#[derive(Clone, Debug)]
struct Slot {
    text: String,
    /// The noun that says what it is: "the |city| of Ely".
    sort: Option<String>,
    /// Something in it is written large.
    named: bool,
    /// It begins with small letters that an "of" joins to what is written large.
    held: bool,
}

/// A stretch of tokens.
type Stretch = (usize, usize);

/// A relation's noun with whose it is.
struct Held {
    noun: String,
    frames: Vec<NounFrame>,
    owner: Slot,
}

/// Small words inside names.
const JOINERS: [&str; 53] = [
    "of", "the", "and", "in", "on", "at", "to", "for", "from", "with", "by", "a", "an", "or", "de", "der", "den", "des", "du", "da", "di",
    "do", "dos", "del", "della", "la", "le", "les", "el", "al", "von", "van", "zu", "zur", "af", "av", "y", "e", "i", "bin", "ibn", "st",
    "upon", "am", "im", "sur", "sous", "et", "und", "og", "och", "as", "without",
];

/// Small words that names begin with.
const PARTICLES: [&str; 12] = ["de", "von", "van", "du", "di", "da", "del", "la", "le", "el", "al", "ter"];

/// Words before a noun by which it is no longer what it says: "the former mayor".
const OTHERWISE: [&str; 26] = [
    "former",
    "ex",
    "late",
    "previous",
    "past",
    "deputy",
    "vice",
    "assistant",
    "associate",
    "honorary",
    "future",
    "designate",
    "alleged",
    "second",
    "third",
    "last",
    "next",
    "foster",
    "step",
    "grand",
    "would-be",
    "interim",
    "supposed",
    "fake",
    "co",
    "ex-",
];

/// Words before a noun that only say which of several is meant: "the current head", "its first name".
const WHICH: [&str; 16] = [
    "current",
    "present",
    "incumbent",
    "serving",
    "acting",
    "actual",
    "original",
    "sole",
    "main",
    "primary",
    "principal",
    "official",
    "new",
    "first",
    "latest",
    "own",
];

/// Prepositions of places.
const PLACED: [&str; 4] = ["in", "at", "on", "near"];

/// Nouns of places where people are taught.
const SCHOOLS: [&str; 6] = ["university", "college", "institute", "academy", "faculty", "school"];

/// Offices and institutions that are named by their tasks.
const OFFICES: [&str; 29] = [
    "ministry",
    "minister",
    "secretary",
    "department",
    "commissioner",
    "committee",
    "council",
    "institute",
    "school",
    "academy",
    "bureau",
    "agency",
    "commission",
    "board",
    "office",
    "directorate",
    "secretariat",
    "faculty",
    "undersecretary",
    "ministers",
    "society",
    "chamber",
    "centre",
    "center",
    "union",
    "association",
    "federation",
    "confederation",
    "guild",
];

/// Titles of nobles, which are borne behind a name.
const NOBLE: [&str; 24] = [
    "duke",
    "duchess",
    "earl",
    "count",
    "countess",
    "prince",
    "princess",
    "baron",
    "baroness",
    "viscount",
    "viscountess",
    "marquess",
    "marquis",
    "marchioness",
    "margrave",
    "landgrave",
    "king",
    "queen",
    "emperor",
    "empress",
    "lord",
    "lady",
    "archduke",
    "baronet",
];

/// What begins a clause with something missing in it.
const GAPS: [&str; 5] = ["that", "which", "who", "whom", "where"];

impl<'g> Reader<'_, 'g> {
    /// Reads a plain statement of written matter. What the clauses gave, from `drafts` and `refused` on, gives way to it unless it says the
    /// same, or more.
    pub(super) fn stated(&mut self, scene: &Scene<'_, 'g>, drafts: usize, refused: usize) {
        if !scene.setting.is_written() || scene.sentence.asked {
            return;
        }
        let Some(stated) = statement(scene) else { return };
        let Some(relation) = scene.grammar.relation(stated.relation) else { return };
        if closed(&stated.head.to_lowercase()) == Some(Tag::Pron) {
            return;
        }
        if keeps(self.reading.drafts.get(drafts..).unwrap_or_default(), &relation.name, &stated) {
            return;
        }
        let hints = Hints::of(scene, scene.sentence.from, scene.sentence.to);
        if hints.maybe || hints.almost {
            return;
        }
        let told = self.reading.drafts.split_off(drafts);
        let saying = Saying {
            group: Some(stated.group),
            hints,
            former: false,
            timeless: false,
            times: stated.times,
            from: scene.sentence.from,
            to: scene.sentence.to,
            denied: false,
        };
        self.claim(scene, &relation.name, stated.number, stated.effect, &stated.head, &stated.tail, &saying);
        if self.reading.drafts.len() == drafts {
            self.reading.drafts.extend(told);
        } else {
            self.reading.refused.truncate(refused);
            self.last_subject = Some(stated.head);
        }
    }
}

/// Whether what the clauses gave stays: it is the same, or a list, or no plain statement.
fn keeps(told: &[Draft], relation: &str, stated: &Stated<'_>) -> bool {
    let bare = |text: &str| text.strip_prefix("The ").unwrap_or(text).to_lowercase();
    // Of the same two, the clauses know better what they are to each other, unless the noun of several words is said: "official language".
    let sure = stated.weight > 4;
    let past = |one: &Draft| one.phase == Phase::Past && stated.effect == Effect::Lasts;
    let same = |one: &Draft| {
        let straight = bare(&one.head) == bare(&stated.head) && bare(&one.tail) == bare(&stated.tail);
        let turned = bare(&one.head) == bare(&stated.tail) && bare(&one.tail) == bare(&stated.head);
        !past(one) && (straight && (one.relation == relation || !sure) || turned && one.relation != relation && !sure)
    };
    let listed = !enumerates_tasks(&stated.tail)
        && !stated.joint
        && told.len() > 1
        && told.iter().all(|one| bare(&one.head) == bare(&stated.head))
        && told.iter().all(|one| one.relation == relation)
        && told.iter().any(|one| told.first().is_some_and(|first| first.tail != one.tail));
    // "Ann Orr (1901–1977) was …", "Founded in 1987, Orb is …": what stands beside the name tells something of its own.
    let beside = told.iter().any(|one| one.relation != relation && one.phase != Phase::Now);
    let aside = beside && stated.head.contains(['(', ',']) && told.iter().all(|one| stated.head.contains(&one.head));
    told.iter().any(|one| same(one) || one.corrects.is_some() || one.polarity == Polarity::Ends) || listed || aside
}

/// "Ministry of Trade, Ports and Roads": what follows the noun and "of" are its tasks, and all of it is one name.
fn enumerates_tasks(name: &str) -> bool {
    let words: Vec<String> = name.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let led = words.windows(2).position(|pair| {
        pair.iter()
            .zip([true, false])
            .all(|(word, noun)| if noun { OFFICES.contains(&word.as_str()) } else { matches!(word.as_str(), "of" | "for") })
    });
    led.is_some_and(|at| {
        words.iter().skip(at + 2).any(|word| word == "and") && words.iter().skip(at + 1).all(|word| !OFFICES.contains(&word.as_str()))
    })
}

/// "Marl and Brod Railway": one noun of an organisation stands behind both, so that, of one stretch of time, they are one name.
fn is_joint(grammar: &Grammar, name: &str) -> bool {
    let Some((before, behind)) = name.split_once(" and ") else { return false };
    let is_organisation = |text: &str| {
        let noun = text.rsplit(' ').next().unwrap_or_default().to_lowercase();
        ["org_noun", "school", "sort_noun"].iter().any(|class| grammar.has_class(&noun, class))
    };
    behind.contains(' ') && !behind.contains(" and ") && !before.contains(',') && is_organisation(behind) && !is_organisation(before)
}

/// The statement of a sentence that asks for most of its words; of equal ones the first that the packs have.
fn statement<'g>(scene: &Scene<'_, 'g>) -> Option<Stated<'g>> {
    let reading = Wide { scene };
    let (from, to) = (scene.sentence.from, scene.sentence.to);
    let mut best: Option<Stated<'g>> = None;
    for at in from..to {
        let Some(group) = reading.verb_at(at) else { continue };
        for found in reading.clause((from, at), group, to) {
            if best.as_ref().is_none_or(|best| found.weight > best.weight) {
                best = Some(found);
            }
        }
    }
    best
}

/// A sentence as it is read here.
struct Wide<'s, 'a, 'g> {
    scene: &'s Scene<'a, 'g>,
}

impl<'g> Wide<'_, '_, 'g> {
    fn lower(&self, at: usize) -> &str {
        self.scene.line.lower(at)
    }

    /// Whether a token is written as names are.
    fn is_large(&self, at: usize) -> bool {
        self.scene.line.tokens.get(at).is_some_and(|token| match token.kind {
            // "in July" is no part of a name; "1984" and "Friday" may be.
            Kind::Time(_) if closed(token.lower.split(' ').next().unwrap_or_default()).is_some() => false,
            Kind::Word | Kind::Time(_) => {
                let dotted = token.text.trim_matches('.').contains('.');
                dotted || token.text.chars().any(|c| c.is_uppercase() || c.is_numeric() || !c.is_lowercase() && c.is_alphabetic())
            }
            Kind::Number | Kind::Title | Kind::Address => true,
            Kind::Mark(_) | Kind::Break | Kind::Speech => false,
        })
    }

    fn is_time(&self, at: usize) -> bool {
        self.scene.line.tag(at) == Some(Tag::Time)
    }

    /// The finite verb group that begins at a word, if it affirms something.
    fn verb_at(&self, at: usize) -> Option<Vg<'g>> {
        let token = self.scene.line.tokens.get(at)?;
        if token.kind != Kind::Word || self.is_large(at) {
            return None;
        }
        let forms = self.scene.grammar.verb(self.lower(at));
        let finite = forms.iter().find(|(_, form)| matches!(form, Form::Third | Form::Past)).copied();
        let group = match self.scene.line.tag(at)? {
            Tag::Be | Tag::Have | Tag::Verb => vg((self.scene.line, at)).ok()?.1,
            _ => {
                let (lemma, form) = finite?;
                let tense = if form == Form::Past { Tense::Past } else { Tense::Present };
                Vg { lemma, tense, bare: false, to: at + 1, ..Vg::at(at) }
            }
        };
        let affirms = !(group.negated || group.never || group.longer || group.unreal || group.plan || group.used_to || group.got);
        if !affirms || group.aspect.is_some() || group.tense == Tense::Future {
            return None;
        }
        // "Ann founded it": a participle that stands alone behind a subject is a past.
        if group.reduced {
            let (lemma, _) = finite?;
            return Some(Vg { lemma, tense: Tense::Past, passive: false, reduced: false, ..group });
        }
        (group.tense != Tense::None).then_some(group)
    }

    /// What a clause states whose subject, verb and end are given.
    fn clause(&self, subject: Stretch, group: Vg<'g>, to: usize) -> Vec<Stated<'g>> {
        let mut times = Vec::new();
        let subject = self.behind_times(subject, &mut times);
        let mut undated = times.clone();
        let rest = self.without_times((group.to, to), &mut undated);
        let found = self.stated_by(subject, group, rest, &undated);
        // "Known for 90 Days": what reads like a time may be a name.
        let large = (rest.1..to)
            .find(|at| self.is_time(*at))
            .and_then(|at| self.scene.line.tokens.get(at))
            .is_some_and(|token| !token.text.starts_with(char::is_lowercase));
        if found.is_empty() && rest.1 < to && large { self.stated_by(subject, group, (group.to, to), &times) } else { found }
    }

    fn stated_by(&self, subject: Stretch, group: Vg<'g>, rest: Stretch, times: &[usize]) -> Vec<Stated<'g>> {
        let mut found = Vec::new();
        let mut add = |pairs: Vec<(usize, usize, Effect, String, String, usize)>| {
            found.extend(pairs.into_iter().filter(|(_, _, _, head, tail, _)| !head.eq_ignore_ascii_case(tail)).map(
                |(relation, number, effect, head, tail, weight)| Stated {
                    relation,
                    number,
                    effect,
                    joint: !times.is_empty() && is_joint(self.scene.grammar, &tail),
                    head,
                    tail,
                    group,
                    times: times.to_vec(),
                    weight,
                },
            ));
        };
        let copula = group.lemma == "be" && !group.passive;
        let named = self.slot(subject, true);
        // What a noun of a relation leads is no name, but what somebody has.
        if let Some(name) = named.as_ref().filter(|name| !name.held || !copula) {
            add(self.by_patterns(name, &group, rest));
        }
        if copula {
            let value = self.slot(rest, false);
            if let Some(value) = &value {
                add(self.held(subject).iter().chain(&self.office(subject)).flat_map(|held| of_noun(held, value)).collect());
                add(self.gap(subject, value));
            }
            if let Some(subject) = &named {
                add(self.held(rest).iter().flat_map(|held| of_noun(held, subject)).collect());
                add(self.gap(rest, subject));
            }
            // "It was Ann who founded the mill".
            if subject.1 == subject.0 + 1
                && self.lower(subject.0) == "it"
                && let Some(gap) = (rest.0..rest.1).find(|at| GAPS.contains(&self.lower(*at)))
                && let Some(value) = self.slot((rest.0, gap), false)
            {
                add(self.gap_clause(None, "", (gap + 1, rest.1), &value));
            }
        }
        // "Ann serves as the head of the mill".
        if matches!(group.lemma, "serve" | "act" | "work" | "function")
            && self.lower(rest.0) == "as"
            && let Some(subject) = &named
        {
            add(self.held((rest.0 + 1, rest.1)).iter().flat_map(|held| of_noun(held, subject)).collect());
        }
        // "The seat of X is located in Y": the place of a thing is its value.
        if group.passive
            && matches!(group.lemma, "locate" | "situate" | "base" | "find")
            && let Some(value) = self.literal(&PLACED.map(str::to_owned), rest.0, rest.1).and_then(|at| self.slot((at + 1, rest.1), false))
        {
            add(self.held(subject).iter().flat_map(|held| of_noun(held, &value)).collect());
        }
        found
    }

    /// A subject behind the times in front of it.
    fn behind_times(&self, (from, to): Stretch, times: &mut Vec<usize>) -> Stretch {
        if self.is_time(from) && !self.is_large(from) && from + 1 < to {
            times.extend(self.scene.times(from, from + 1));
            return self.behind_times((from + 1 + usize::from(self.scene.line.tag(from + 1) == Some(Tag::Comma)), to), times);
        }
        let comma = (from..to).find(|at| self.scene.line.tag(*at) == Some(Tag::Comma)).filter(|comma| *comma > from);
        // "In 2019, Orb Works", "After the merger, Orb Works": what a preposition leads is no part of the name behind its comma.
        let led = from == self.scene.sentence.from && matches!(closed(self.lower(from)), Some(Tag::Prep | Tag::Sub));
        if let Some(comma) = comma.filter(|comma| led && *comma + 1 < to && !matches!(self.lower(from), "of" | "like")) {
            times.extend(self.scene.times(from, comma));
            return (comma + 1, to);
        }
        match comma.filter(|comma| (from..*comma).all(|at| self.is_time(at))) {
            Some(comma) => {
                times.extend(self.scene.times(from, comma));
                (comma + 1, to)
            }
            None => (from, to),
        }
    }

    /// A stretch without the times and adverbs at its end, unless that is all there is.
    fn without_times(&self, (from, mut to): Stretch, times: &mut Vec<usize>) -> Stretch {
        let whole = (from, to);
        loop {
            let adverb = to > from && matches!(self.scene.line.tag(to - 1), Some(Tag::Adv)) && !self.is_large(to - 1);
            // "in |July|": what leads a time goes with it.
            let lead = to > from && to < whole.1 && self.is_time(to) && matches!(self.scene.line.tag(to - 1), Some(Tag::Prep | Tag::Sub));
            // "Brod Rovers |1912| from 2001 to 2004": the year that a club bears.
            let borne = to < whole.1
                && to > from + 1
                && self.is_large(to - 2)
                && !self.is_time(to - 2)
                && self
                    .scene
                    .line
                    .tokens
                    .get(to - 1)
                    .is_some_and(|token| token.lower.len() == 4 && token.lower.bytes().all(|byte| byte.is_ascii_digit()));
            if borne {
                break;
            }
            if to > from && self.is_time(to - 1) || adverb || lead {
                to -= 1;
            } else if to > from && to < whole.1 && matches!(self.scene.line.tag(to - 1), Some(Tag::Comma)) {
                to -= 1;
            } else {
                break;
            }
        }
        if from >= to {
            return whole;
        }
        times.extend(self.scene.times(to, whole.1));
        (from, to)
    }

    /// A stretch as one name: words written large with the small words and marks that names have inside, or a few plain nouns.
    fn slot(&self, (mut from, mut to): Stretch, is_subject: bool) -> Option<Slot> {
        while from < to && matches!(self.scene.line.tag(from), Some(Tag::Adv)) && !self.is_large(from) {
            from += 1;
        }
        let leads = matches!(self.lower(from), "the" | "a" | "an" | "its" | "his" | "her" | "their");
        // An article written large inside a sentence belongs to the name.
        let title = matches!(self.lower(from), "a" | "an")
            && self.is_large(from + 1)
            && (from + 1..to).all(|at| self.is_large(at) || JOINERS.contains(&self.lower(at)));
        if leads && (!self.is_large(from) || from == self.scene.sentence.from && !title) {
            from += 1;
        }
        if !is_subject {
            to = self.before_comma(from, to);
        }
        // "It first aired", "she originally wrote".
        while is_subject
            && to > from + 1
            && !self.is_large(to - 1)
            && (self.scene.line.tag(to - 1) == Some(Tag::Adv) || self.lower(to - 1) == "first")
        {
            to -= 1;
        }
        if let Some((sort, name)) = self.sorted((from, to)) {
            let slot = self.slot((name, to), is_subject)?;
            return Some(Slot { sort: Some(sort), ..slot });
        }
        let last = to.checked_sub(1).filter(|last| *last >= from)?;
        let named = (from..to).any(|at| self.is_large(at));
        let fits = |at: usize| {
            let inner = at > from && at < last;
            let Some(token) = self.scene.line.tokens.get(at) else { return false };
            match token.kind {
                _ if self.is_large(at) => true,
                // "Don't Look", "Zap'd": what is written together with a name is of it.
                Kind::Word if self.lower(at).contains('\'') && token.glued => at > from && named,
                Kind::Word if at == from && PARTICLES.contains(&self.lower(at)) => self.is_large(at + 1),
                Kind::Word if self.lower(at) == "of" => inner,
                Kind::Word if JOINERS.contains(&self.lower(at)) => inner && named,
                Kind::Word => closed(self.lower(at)).is_none() && !self.is_finite(at),
                Kind::Mark(',') => inner && self.is_large(at + 1),
                Kind::Mark(mark) => at > from && (inner && ":&-–/'’.!?+(".contains(mark) || ".!)".contains(mark)),
                _ => false,
            }
        };
        // "No Two Alike" may be a title; "no Orb engine" is none.
        let denies = closed(self.lower(from)) == Some(Tag::No) && !(from..to).all(|at| self.is_large(at));
        let plain = (named || to - from <= 4) && !denies;
        let enclosed = !is_subject || !self.enumerates(from, to);
        let held = named && !self.is_large(from) && (from..to).any(|at| self.lower(at) == "of");
        (plain && enclosed && (from..to).all(fits)).then(|| Slot { text: self.scene.slice(from, to).to_owned(), sort: None, named, held })
    }

    /// "Ann, Bo and Cy": several, not one name with a title behind it.
    fn enumerates(&self, from: usize, to: usize) -> bool {
        let comma = (from..to).any(|at| self.scene.line.tag(at) == Some(Tag::Comma));
        let and = (from..to).any(|at| matches!(self.lower(at), "and" | "or"));
        // "Ann and Bo are": of a title the verb would be in the singular.
        let plural = and && matches!(self.lower(to), "are" | "were" | "have");
        comma && and || plural
    }

    /// The end of what is named before a comma; what belongs to a firm's or a person's name goes with it.
    fn before_comma(&self, from: usize, to: usize) -> usize {
        let parts = |at: &usize| {
            self.scene.line.tag(*at) == Some(Tag::Comma)
                && !matches!(self.lower(at + 1), "inc" | "inc." | "ltd" | "jr" | "jr." | "sr" | "llc")
                && !self.bears(from, *at, to)
        };
        (from + 1..to).find(parts).unwrap_or(to)
    }

    /// Whether what follows a comma is the rest of a name: the title of a noble ("Ada Marr, 2nd Countess of Brod"), the letters of a
    /// district ("Sund, N.B."), the seat of a school of many ("University of Ostland, Brod").
    fn bears(&self, from: usize, comma: usize, to: usize) -> bool {
        let first = comma + 1;
        let large = |at: usize| self.is_large(at) || JOINERS.contains(&self.lower(at)) || self.lower(at) == ".";
        if enumerates_tasks(self.scene.slice(from, to)) && (first..to).all(|at| large(at) || self.lower(at) == ",") {
            return true;
        }
        if first >= to || !(first..to).all(large) {
            return false;
        }
        let numbered = usize::from(self.lower(first).starts_with(|c: char| c.is_ascii_digit()));
        let letters = self.scene.slice(first, to).trim_end_matches('.');
        let is_district = letters.contains('.') && letters.split('.').all(|one| one.chars().count() == 1);
        // "University of Ostland, Brod", "Academy of Arts, Brod", "Old Hall, University of Brod": the seat, or what it belongs to.
        let teaches = |from: usize, to: usize| (from..to).any(|at| SCHOOLS.contains(&self.lower(at)));
        let named = self.scene.grammar.has_class(&self.scene.line.phrase(first, to), "known_place");
        let is_seat = teaches(from, comma) && (first + 1 == to && !named || teaches(first, to))
            || teaches(first, to) && self.lower(first + 1) == "of";
        NOBLE.contains(&self.lower(first + numbered)) || is_district || is_seat
    }

    /// Whether a word is a verb that its sentence could stand on.
    fn is_finite(&self, at: usize) -> bool {
        let forms = self.scene.grammar.verb(self.lower(at));
        let finite = forms.iter().any(|(_, form)| matches!(form, Form::Third | Form::Past | Form::Participle));
        finite && (self.scene.line.tag(at) == Some(Tag::Verb) || forms.iter().all(|(_, form)| *form != Form::Base && *form != Form::Third))
    }

    /// "city of Ely", "river Tay": the noun that says what the name behind it is, and where that begins.
    fn sorted(&self, (from, to): Stretch) -> Option<(String, usize)> {
        let small = |at: &usize| !self.is_large(*at) && self.scene.line.tokens.get(*at).is_some_and(|token| token.kind == Kind::Word);
        let nouns = (from..to).take_while(small).count().min(6);
        let is = |end: usize, classes: &[&str]| {
            let phrase = self.scene.line.phrase(from, end);
            classes.iter().any(|class| self.scene.grammar.has_class(&phrase, class))
        };
        let is_sort = |end: usize| is(end, &["sort_noun"]);
        let of = (from + 1..from + nouns).find(|at| matches!(self.lower(*at), "of" | "called" | "named") && is_sort(*at));
        if let Some(of) = of.filter(|of| of + 1 < to) {
            return Some((self.scene.line.phrase(from, of), of + 1));
        }
        let name = from + nouns;
        (nouns > 0 && name < to && is(name, &["sort_noun", "job", "person_noun", "org_noun"]))
            .then(|| (self.scene.line.phrase(from, name), name))
    }

    /// What the patterns of a verb make of its subject and of what follows it.
    fn by_patterns(&self, subject: &Slot, group: &Vg<'g>, rest: Stretch) -> Vec<(usize, usize, Effect, String, String, usize)> {
        let mut found = Vec::new();
        for pattern in self.scene.grammar.patterns(group.lemma, group.passive).filter(|pattern| is_plain(pattern)) {
            let Some(other) = self.anchored(&pattern.pieces, rest) else { continue };
            match pattern.subject {
                Subject::Head(sort) if self.fits(sort, subject) => found.push(triple(self, pattern, subject, &other)),
                Subject::Tail(sort) if self.fits(sort, subject) => found.push(triple(self, pattern, &other, subject)),
                _ => {}
            }
        }
        if !group.passive {
            let object = self.slot(rest, false);
            for pattern in self.scene.grammar.patterns(group.lemma, true).filter(|pattern| is_plain(pattern)) {
                if let (Some(object), Subject::Head(sort), Some(agent)) = (&object, pattern.subject, agent(pattern))
                    && self.fits(sort, object)
                    && self.fits(agent, subject)
                    && object.named
                {
                    let (relation, number, effect, head, tail, _) = triple(self, pattern, object, subject);
                    found.push((relation, number, effect, head, tail, 0));
                }
            }
        }
        found
    }

    /// Matches all of a stretch with the pieces behind a verb; what the one slot among them takes.
    fn anchored(&self, pieces: &[Piece], (mut at, to): Stretch) -> Option<Slot> {
        let mut filled = None;
        let mut pieces = pieces.iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Word(words) => at = self.literal(words, at, to)? + 1,
                Piece::Maybe(words) => at = self.literal(words, at, to).map_or(at, |at| at + 1),
                Piece::Head(sort) | Piece::Tail(sort) => {
                    let end = match pieces.peek() {
                        None => to,
                        Some(Piece::Word(words)) => (at + 1..to).find(|place| self.spells(words, *place))?,
                        Some(_) => return None,
                    };
                    filled = Some(self.slot((at, end), false).filter(|slot| self.fits(*sort, slot))?);
                    at = end;
                }
                Piece::Other => return None,
            }
        }
        filled.filter(|_| at == to)
    }

    fn spells(&self, words: &[String], at: usize) -> bool {
        let lower = self.lower(at);
        let base = self.scene.line.verb(at).map_or("", |(lemma, _)| lemma);
        words.iter().any(|word| word == lower || word == base)
    }

    /// Where one of some words stands, with nothing before it but what can be left out.
    fn literal(&self, words: &[String], from: usize, to: usize) -> Option<usize> {
        for at in from..to {
            if self.spells(words, at) {
                return Some(at);
            }
            let light = matches!(self.scene.line.tag(at), Some(Tag::Det | Tag::Poss | Tag::Adv | Tag::Time)) && !self.is_large(at);
            if !light && !WHICH.contains(&self.lower(at)) && !self.is_time(at) {
                return None;
            }
        }
        None
    }

    /// Whether a name can stand in a slot. What is told by its form is left to the clauses.
    fn fits(&self, sort: Sort, slot: &Slot) -> bool {
        let phrase = slot.text.to_lowercase();
        match sort {
            Sort::Any | Sort::Full => true,
            Sort::Class(bit) => {
                let bit = usize::from(bit);
                slot.sort.as_ref().is_some_and(|noun| self.scene.grammar.in_class(noun, bit) || self.scene.grammar.names_class(noun, bit))
                    || self.scene.grammar.in_class(&phrase, bit)
            }
            // A noun that nobody knows may well be a person's calling.
            Sort::Person => slot.named || !phrase.contains(' ') && !self.scene.grammar.is_common(&phrase) || self.is_human(&phrase),
            Sort::Name | Sort::PersonName | Sort::PlaceName | Sort::OrgName | Sort::Title | Sort::Place | Sort::Org => slot.named,
            Sort::Thing | Sort::People => true,
            _ => false,
        }
    }

    fn is_human(&self, phrase: &str) -> bool {
        ["kin", "person_noun", "job", "position"].iter().any(|class| self.scene.grammar.has_class(phrase, class))
    }

    /// "The N of X", "X's N", with or without "the name of": the relation's noun and whose it is, in every way it can be cut.
    fn held(&self, stretch: Stretch) -> Vec<Held> {
        let (from, to) = self.without_name(stretch);
        let mut found = Vec::new();
        let read = |noun: Stretch, owner: Stretch| {
            let owner = self.slot(owner, true).filter(|owner| owner.named)?;
            let (known, frames) = self.scene.grammar.noun(&self.scene.line.phrase(noun.0, noun.1))?;
            self.covers(&known, noun).then_some(Held { noun: known, frames, owner })
        };
        let noun_from = self.noun_from(from, to);
        for of in noun_from + 1..to {
            // "The CEO of Orb": initials are no name.
            let initials = self.scene.line.tokens.get(of - 1).is_some_and(|token| token.text.chars().all(char::is_uppercase));
            if self.is_large(of - 1) && !initials {
                break;
            }
            if !matches!(self.lower(of), "of" | "in" | "for" | "at" | "behind") {
                continue;
            }
            found.extend(read((noun_from, of), (of + 1, to)));
            // "The head of the Eastland government".
            if of + 2 < to && self.lower(to - 1) == "government" {
                let owner = (of + 1, to - 1);
                let phrase = format!("{} of government", self.scene.line.phrase(noun_from, of));
                if let Some(owner) = self.slot(owner, true).filter(|owner| owner.named)
                    && let Some((known, frames)) = self.scene.grammar.noun(&phrase).filter(|(known, _)| *known == phrase)
                {
                    found.push(Held { noun: known, frames, owner });
                }
            }
        }
        for gen_at in from + 1..to.saturating_sub(1) {
            if self.scene.line.tag(gen_at) == Some(Tag::Gen) || self.lower(gen_at) == "'s" {
                let noun = (self.noun_from(gen_at + 1, to), to);
                let plain = !(noun.0..to).any(|at| self.is_large(at));
                found.extend(read(noun, (from, gen_at)).filter(|_| plain));
            }
        }
        found
    }

    /// "The Mayor of Ely": an office, written large, which somebody holds.
    fn office(&self, (from, to): Stretch) -> Option<Held> {
        let from = if self.lower(from) == "the" { from + 1 } else { return None };
        let of = (from + 1..to)
            .find(|at| !self.is_large(*at))
            .filter(|at| self.is_large(from) && matches!(self.lower(*at), "of" | "for" | "in"))?;
        let noun = self.scene.line.phrase(from, of);
        let relation = self.scene.grammar.relation_named("holds_position").filter(|_| self.scene.grammar.has_class(&noun, "office"))?;
        let owner = self.slot((from, to), true)?;
        Some(Held { noun, frames: vec![NounFrame { relation, owner_is_head: false, number: 0 }], owner })
    }

    /// Whether a noun that is known is all of a stretch but for a word that says which one.
    fn covers(&self, known: &str, (from, to): Stretch) -> bool {
        let before = to.saturating_sub(known.split(' ').count());
        let which = |at: usize| closed(self.lower(at)).is_none() && !OTHERWISE.contains(&self.lower(at)) && !self.is_large(at);
        before <= from + 1 && (from..before).all(which)
    }

    /// Behind "the name of".
    fn without_name(&self, (from, to): Stretch) -> Stretch {
        let at = from + usize::from(self.lower(from) == "the");
        if self.lower(at) == "name" && self.lower(at + 1) == "of" && at + 2 < to { (at + 2, to) } else { (from, to) }
    }

    /// Where a noun begins behind its article.
    fn noun_from(&self, from: usize, to: usize) -> usize {
        (from..to).find(|at| !matches!(self.lower(*at), "the" | "a" | "an")).unwrap_or(to)
    }

    /// "The town where X was born": what the clause says of the value that is missing in it.
    fn gap(&self, (from, to): Stretch, value: &Slot) -> Vec<(usize, usize, Effect, String, String, usize)> {
        let noun_from = self.noun_from(from, to);
        let Some(wh) = (noun_from + 1..to).take_while(|at| !self.is_large(*at)).find(|at| GAPS.contains(&self.lower(*at))) else {
            return Vec::new();
        };
        let led = matches!(self.lower(wh), "which" | "whom") && self.scene.line.tag(wh - 1) == Some(Tag::Prep);
        let noun_to = if led { wh - 1 } else { wh };
        if noun_to <= noun_from {
            return Vec::new();
        }
        let noun = self.scene.line.phrase(noun_from, noun_to);
        let value = Slot { sort: value.sort.clone().or(Some(noun)), ..value.clone() };
        let led = led.then(|| self.lower(wh - 1));
        self.gap_clause(led, self.lower(wh), (wh + 1, to), &value)
    }

    fn gap_clause(
        &self,
        led: Option<&str>,
        wh: &str,
        (from, to): Stretch,
        value: &Slot,
    ) -> Vec<(usize, usize, Effect, String, String, usize)> {
        let to = self.without_times((from, to), &mut Vec::new()).1;
        let mut found = Vec::new();
        // What is missing is the subject.
        if let Some(group) = self.verb_at(from).filter(|_| led.is_none() && wh != "where") {
            return self.by_patterns(value, &group, (group.to, to));
        }
        for at in from + 1..to {
            let Some(group) = self.verb_at(at) else { continue };
            let Some(subject) = self.slot((from, at), true) else { continue };
            for pattern in self.scene.grammar.patterns(group.lemma, group.passive).filter(|pattern| is_plain(pattern)) {
                let Subject::Head(sort) = pattern.subject else { continue };
                let Some((Piece::Tail(tail), before)) = pattern.pieces.split_last() else { continue };
                if self.fits(sort, &subject) && self.fits(*tail, value) && self.is_gap(before, led, wh, value, (group.to, to)) {
                    found.push(triple(self, pattern, &subject, value));
                }
            }
        }
        found
    }

    /// Whether the words of a pattern before its tail are those of a clause that lacks it.
    fn is_gap(&self, before: &[Piece], led: Option<&str>, wh: &str, value: &Slot, rest: Stretch) -> bool {
        let spelt = |pieces: &[Piece]| {
            let mut at = rest.0;
            for piece in pieces {
                match piece {
                    Piece::Word(words) => match self.literal(words, at, rest.1) {
                        Some(place) => at = place + 1,
                        None => return false,
                    },
                    Piece::Maybe(words) => at = self.literal(words, at, rest.1).map_or(at, |place| place + 1),
                    Piece::Head(_) | Piece::Tail(_) | Piece::Other => return false,
                }
            }
            at == rest.1
        };
        let asks = |words: &[String], of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
        match before.split_last() {
            // "The post that she holds": the pattern names the noun itself.
            Some((Piece::Word(of), [most @ .., Piece::Word(noun)])) if asks(of, &["of", "called"]) => {
                let sort = value.sort.as_deref().unwrap_or_default();
                noun.iter().any(|noun| sort.rsplit(' ').next() == Some(noun)) && (spelt(most) || Self::lacks(most, led, wh, &spelt))
            }
            _ => spelt(before) || Self::lacks(before, led, wh, &spelt),
        }
    }

    /// Whether only the preposition is missing, which stands before the clause or in its "where".
    fn lacks(before: &[Piece], led: Option<&str>, wh: &str, spelt: &dyn Fn(&[Piece]) -> bool) -> bool {
        let Some((Piece::Word(words), most)) = before.split_last() else { return false };
        let said = match led {
            Some(led) => words.iter().any(|word| word == led),
            None => wh == "where" && words.iter().any(|word| matches!(word.as_str(), "in" | "at" | "on" | "near")),
        };
        said && spelt(most)
    }
}

/// Whether a pattern says that something holds, of one and of another.
fn is_plain(pattern: &Pattern) -> bool {
    !pattern.mutual && matches!(pattern.effect, Effect::Holds | Effect::Lasts) && pattern.subject != Subject::Any
}

/// What the doer is in a passive pattern that has nothing else: "be founded by T".
fn agent(pattern: &Pattern) -> Option<Sort> {
    match pattern.pieces.as_slice() {
        [Piece::Word(words), Piece::Tail(sort)] if words.iter().any(|word| word == "by") => Some(*sort),
        _ => None,
    }
}

/// Cases of a pattern's words that ask for something: not a noun that only says what the name behind it is.
fn asks(wide: &Wide<'_, '_, '_>, pattern: &Pattern) -> usize {
    let is_sort = |words: &[String]| words.iter().all(|word| wide.scene.grammar.has_class(word, "sort_noun"));
    let mut words = 0;
    for (at, piece) in pattern.pieces.iter().enumerate() {
        let Piece::Word(these) = piece else { continue };
        let next = pattern.pieces.get(at + 1);
        let sort = is_sort(these) && matches!(next, Some(Piece::Word(of)) if of.iter().all(|of| of == "of"));
        words += usize::from(!sort && these.iter().any(|word| word != "of" && word != "a" && word != "the"));
    }
    words * 2
}

fn triple(wide: &Wide<'_, '_, '_>, pattern: &Pattern, head: &Slot, tail: &Slot) -> (usize, usize, Effect, String, String, usize) {
    let weight = asks(wide, pattern);
    (pattern.relation, pattern.number, pattern.effect, head.text.clone(), tail.text.clone(), weight)
}

/// What a relation's noun states of its owner and a value.
fn of_noun(held: &Held, value: &Slot) -> Vec<(usize, usize, Effect, String, String, usize)> {
    let weight = held.noun.split(' ').count() * 2 + 1;
    let state = |frame: &NounFrame| {
        let (head, tail) = if frame.owner_is_head { (&held.owner, value) } else { (value, &held.owner) };
        (frame.relation, frame.number, Effect::Holds, head.text.clone(), tail.text.clone(), weight)
    };
    held.frames.iter().map(state).collect()
}

#[cfg(test)]
mod tests {
    use crate::Incoming;
    use crate::extract::{Context, Extractor, Rules};
    use crate::model::{Authority, ObservationKind, Source};
    use crate::policy::Policies;
    use crate::time::ZonedInstant;

    /// Claims of a sentence in a document as "head | relation | tail | span", said at noon of 15 May 2024 (NOW).
    fn read(sentence: &str) -> Vec<String> {
        let said = ZonedInstant::parse("2024-05-15T12:00:00Z").unwrap();
        let source = Source { authority: Authority::Document, name: None };
        let incoming = Incoming::from_text(ObservationKind::Document, said, source, sentence);
        let policies = Policies::shipped();
        let claims = Rules::default().extract(&incoming, &Context { before: &[], relations: Some(&policies) }).claims;
        let show = |claim: &crate::model::Claim| {
            format!("{} | {} | {} | {}", claim.head, claim.relation, claim.tail, claim.span.describe())
                .replace("2024-05-15T12:00:00Z", "NOW")
        };
        claims.iter().map(show).collect()
    }

    fn check(sentence: &str, expect: &str) {
        assert_eq!(read(sentence), [expect], "{sentence}");
    }

    #[test]
    fn names_stay_in_one_piece() {
        check(
            "A Castle in the Fog was written by Adela von Hagen.",
            "A Castle in the Fog | written_by | Adela von Hagen | since before NOW",
        );
        check("Mud and Stars was written by Una K. de Witt.", "Mud and Stars | written_by | Una K. de Witt | since before NOW");
        check("Adela, Countess of Brod is married to Ivo Marr.", "Adela, Countess of Brod | married_to | Ivo Marr | since before NOW");
        check("The founder of Marl & Sons, Ely is Ivo Marr.", "Marl & Sons, Ely | founded_by | Ivo Marr | since before NOW");
        check("Una Falk plays for Marl F.C. from May, 2011 to June, 2013.", "Una Falk | plays_for | Marl F.C | from 2011-05 until 2013-06");
        check("Una Falk is employed by A.B. Marl.", "Una Falk | employer | A.B. Marl | since before NOW");
    }

    #[test]
    fn nouns_before_a_name_say_what_it_is() {
        check("Una Falk was born in the town of Sund.", "Una Falk | born_in | Sund | since before NOW");
        check("Una Falk speaks the language of Marric.", "Una Falk | speaks | Marric | since before NOW");
    }

    #[test]
    fn turns_of_phrase_are_undone() {
        check("The name of the capital of Eastland is Brod.", "Brod | capital_of | Eastland | since before NOW");
        check("Eastland's capital is Brod.", "Brod | capital_of | Eastland | since before NOW");
        check(
            "The headquarters of Marl of the Lake is located in the city of Brod.",
            "Marl of the Lake | headquartered_in | Brod | since before NOW",
        );
        check("The town where Una von Falk was born is Sund.", "Una von Falk | born_in | Sund | since before NOW");
        check("Una von Falk founded Mud and Stars.", "Mud and Stars | founded_by | Una von Falk | since before NOW");
    }

    #[test]
    fn times_are_no_part_of_names() {
        check(
            "From 1961 to 1979 Una Falk chaired Marl and Sons Club.",
            "Marl and Sons Club | chaired_by | Una Falk | from 1961 until 1979",
        );
        let dated = read("Marl Foods was founded by Una von Falk in July 1999.");
        assert!(dated.contains(&"Marl Foods | founded_by | Una von Falk | since 1999-07".to_owned()), "{dated:?}");
    }

    #[test]
    fn what_is_no_plain_statement_is_left_to_the_clauses() {
        assert!(read("Is Una Falk the founder of Marl Mills?").is_empty(), "asked");
        assert!(read("The former capital of Eastland is an old town.").iter().all(|claim| !claim.contains("capital_of")), "no more");
        let listed = read("Marl Mills was founded by Una Falk and Ivo Marr.");
        assert_eq!(listed.len(), 2, "{listed:?}");
    }
}
