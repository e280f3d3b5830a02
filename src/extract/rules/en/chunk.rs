//! Phrases: noun phrases with their owner and their name, verb groups with tense, aspect, voice and denial; parsers of tagged words on
//! nom's results. Knows no relation and no clause.

use super::tag::{Form, Word};
use super::token::{Kind, Token};
use super::words::Tag;
use nom::IResult;

/// The words that a phrase is read from: a stretch of the text's tokens with their tags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a, 'g> {
    pub(super) tokens: &'a [Token<'a>],
    pub(super) words: &'a [Word<'g>],
    /// The first place not to be read.
    pub(super) end: usize,
}

impl<'a, 'g> Line<'a, 'g> {
    pub(super) fn tag(&self, at: usize) -> Option<Tag> {
        if at < self.end { self.words.get(at).map(|word| word.tag) } else { None }
    }

    pub(super) fn verb(&self, at: usize) -> Option<(&'g str, Form)> {
        if at < self.end { self.words.get(at).and_then(|word| word.verb) } else { None }
    }

    pub(super) fn lower(&self, at: usize) -> &'a str {
        if at < self.end { self.tokens.get(at).map_or("", |token| token.lower.as_ref()) } else { "" }
    }

    /// The words of a stretch in lower case, one space between them.
    pub(super) fn phrase(&self, from: usize, to: usize) -> String {
        let mut phrase = String::new();
        for at in from..to.min(self.end) {
            if !phrase.is_empty() {
                phrase.push(' ');
            }
            phrase.push_str(self.lower(at));
        }
        phrase
    }
}

/// A place to read from.
pub(super) type At<'a, 'g> = (Line<'a, 'g>, usize);
type Read<'a, 'g, O> = IResult<At<'a, 'g>, O, ()>;

fn none<'a, 'g, O>() -> Read<'a, 'g, O> {
    Err(nom::Err::Error(()))
}

/// Whose something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The possessive at this place: "my", "her", "whose".
    Word(usize),
    /// "Ann's".
    Phrase(Box<Np>),
}

/// A noun phrase. Places are of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Np {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The first word after article and owner.
    pub(super) core: usize,
    pub(super) owner: Option<Owner>,
    /// The article or what stands in its place.
    pub(super) det: Option<usize>,
    /// Where the name begins that follows a common noun ("my brother |Wes"), or `core` of a phrase that is a name.
    pub(super) name: Option<usize>,
    /// It is a pronoun.
    pub(super) pronoun: bool,
}

impl Np {
    /// Whether all of it is a name.
    pub(super) fn is_name(&self) -> bool {
        self.name == Some(self.core) && !self.pronoun
    }

    /// The common noun: all but the name behind it.
    pub(super) fn noun(&self) -> (usize, usize) {
        (self.core, self.name.filter(|name| *name > self.core).unwrap_or(self.to))
    }
}

/// Reads a noun phrase.
pub(super) fn np<'a, 'g>((line, from): At<'a, 'g>) -> Read<'a, 'g, Np> {
    let mut at = from;
    let mut phrase = Np { from, to: from, core: from, owner: None, det: None, name: None, pronoun: false };
    match line.tag(at) {
        Some(Tag::Pron) => {
            // "someone", "you all": the pronoun alone.
            return Ok(((line, at + 1), Np { to: at + 1, pronoun: true, ..phrase }));
        }
        Some(Tag::Det | Tag::No) => {
            phrase.det = Some(at);
            at += 1;
            // "all my", "both the".
            if matches!(line.tag(at), Some(Tag::Det)) {
                at += 1;
            }
            if line.tag(at) == Some(Tag::Prep) && line.lower(at) == "of" && matches!(line.tag(at + 1), Some(Tag::Det | Tag::Poss)) {
                at += 1;
            }
        }
        _ => {}
    }
    if line.tag(at) == Some(Tag::Poss) {
        phrase.owner = Some(Owner::Word(at));
        at += 1;
    }
    // "a 1964 film", "a 34-year-old nurse", "a 19th-century painter": how old or of when says nothing of what.
    let dates = |at: usize| {
        let lower = line.lower(at);
        lower.len() == 4 && lower.bytes().all(|b| b.is_ascii_digit()) || lower.ends_with("-year-old") || lower.ends_with("-century")
    };
    if (phrase.det.is_some() || phrase.owner.is_some())
        && line.tag(at) == Some(Tag::Num)
        && dates(at)
        && matches!(line.tag(at + 1), Some(Tag::Noun | Tag::Name))
    {
        at += 1;
    }
    phrase.core = at;
    loop {
        match line.tag(at) {
            // A title in quotation marks is a phrase of its own: "calls her brother Al \"Tug\"".
            Some(Tag::Name)
                if at > phrase.core
                    && line.tokens.get(at).is_some_and(|token| token.kind == Kind::Title)
                    && line.tag(at - 1) == Some(Tag::Name) =>
            {
                break;
            }
            // "a fine time sailing them": what is done in it is no part of it.
            Some(Tag::Noun)
                if at > phrase.core
                    && matches!(line.verb(at), Some((_, Form::Ing)))
                    && matches!(
                        line.lower(at - 1),
                        "time"
                            | "fun"
                            | "blast"
                            | "trouble"
                            | "luck"
                            | "difficulty"
                            | "problems"
                            | "ball"
                            | "experience"
                            | "day"
                            | "summer"
                    ) =>
            {
                break;
            }
            // "to Ely 40000 days ago": what is counted behind a name is none of it.
            Some(Tag::Num)
                if at > phrase.core
                    && line.tag(at - 1) == Some(Tag::Name)
                    && matches!(line.lower(at + 1), "seconds" | "minutes" | "hours" | "days" | "weeks" | "months" | "years" | "times") =>
            {
                break;
            }
            Some(Tag::Noun | Tag::Name | Tag::Num) => at += 1,
            // "Ann's most famous work"
            Some(Tag::Det)
                if at == phrase.core && phrase.owner.is_some() && matches!(line.lower(at), "most" | "many" | "few" | "several" | "all") =>
            {
                at += 1;
            }
            // "a very old mill": an adverb inside.
            Some(Tag::Adv) if (phrase.det.is_some() || phrase.owner.is_some()) && matches!(line.tag(at + 1), Some(Tag::Noun)) => at += 1,
            // "Bank of Ely", "Isle of the Saints", "Mill and Sons" written large.
            Some(Tag::Prep | Tag::Det | Tag::And) if at > phrase.core && joins(&line, phrase.core, at) => at += 1,
            // "St. Mary's Hospital": a name with a possessor in it.
            Some(Tag::Gen) if at > phrase.core && line.tag(at - 1) == Some(Tag::Name) && is_house(&line, at + 1) => at += 1,
            // "at Marlow's": the shop goes by its owner.
            Some(Tag::Gen)
                if at > phrase.core
                    && line.tag(at - 1) == Some(Tag::Name)
                    && !matches!(line.tag(at + 1), Some(Tag::Noun | Tag::Name | Tag::Num | Tag::Adv)) =>
            {
                at += 1;
                break;
            }
            Some(Tag::Gen) if at > phrase.core => {
                let owner = Np { to: at, ..finish(&line, phrase.clone(), at) };
                phrase =
                    Np { from, to: at, core: at + 1, owner: Some(Owner::Phrase(Box::new(owner))), det: None, name: None, pronoun: false };
                at += 1;
            }
            _ => break,
        }
    }
    if at == phrase.core {
        return none();
    }
    Ok(((line, at), finish(&line, phrase, at)))
}

/// Whether a word written large is what institutions are called: "Hospital".
fn is_house(line: &Line<'_, '_>, at: usize) -> bool {
    const HOUSES: [&str; 24] = [
        "hospital",
        "church",
        "school",
        "college",
        "university",
        "cathedral",
        "academy",
        "house",
        "hall",
        "bakery",
        "café",
        "cafe",
        "pub",
        "park",
        "square",
        "wharf",
        "cross",
        "farm",
        "shop",
        "club",
        "bookshop",
        "books",
        "clinic",
        "inn",
    ];
    line.tag(at) == Some(Tag::Name) && HOUSES.contains(&line.lower(at))
}

/// Ends a phrase and finds where its name begins.
fn finish(line: &Line<'_, '_>, phrase: Np, to: usize) -> Np {
    let is_name = |at: &usize| {
        let numbered = line.tag(*at) == Some(Tag::Num) && *at > phrase.core && line.tag(at - 1) == Some(Tag::Name);
        numbered
            || matches!(line.tag(*at), Some(Tag::Name | Tag::Prep | Tag::Det | Tag::And))
            || line.tag(*at) == Some(Tag::Gen) && *at > phrase.core
    };
    let run = (phrase.core..to).rev().take_while(is_name).last();
    // A name does not begin with what joins names.
    let name = run.filter(|at| matches!(line.tag(*at), Some(Tag::Name)));
    Np { to, name, ..phrase }
}

/// Whether a small word joins two parts of a name.
fn joins(line: &Line<'_, '_>, core: usize, at: usize) -> bool {
    let (before, after) = (line.tag(at - 1), line.tag(at + 1));
    let small = line.lower(at);
    let named = |tag| matches!(tag, Some(Tag::Name));
    let proper = (core..at).all(|place| matches!(line.tag(place), Some(Tag::Name | Tag::Prep | Tag::Det | Tag::And)));
    match small {
        "of" => proper && named(before) && (named(after) || line.lower(at + 1) == "the" && named(line.tag(at + 2))),
        "the" => at >= 2 && line.lower(at - 1) == "of" && named(after) && proper,
        "&" => true,
        _ => false,
    }
}

/// When a verb group speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    Present,
    Past,
    Future,
    /// An order, an infinitive, a participle alone.
    None,
}

/// Whether an action is said to begin or to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aspect {
    Start,
    Stop,
}

/// A verb group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vg<'g> {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The place of the full verb, or of the last auxiliary that stands for one.
    pub(super) main: usize,
    pub(super) lemma: &'g str,
    pub(super) tense: Tense,
    pub(super) perfect: bool,
    pub(super) progressive: bool,
    pub(super) passive: bool,
    pub(super) negated: bool,
    /// "never".
    pub(super) never: bool,
    /// "no longer".
    pub(super) longer: bool,
    pub(super) used_to: bool,
    /// "might", "would", and the like.
    pub(super) unreal: bool,
    /// "can".
    pub(super) can: bool,
    /// "going to".
    pub(super) plan: bool,
    pub(super) aspect: Option<Aspect>,
    /// "got married": it happened, where "was married" was a state.
    pub(super) got: bool,
    /// It has nothing but auxiliaries.
    pub(super) bare: bool,
    /// A participle that describes the noun before it.
    pub(super) reduced: bool,
}

impl Vg<'_> {
    /// A group that begins at a place and says nothing yet.
    pub(super) const fn at(from: usize) -> Self {
        Self {
            from,
            to: from,
            main: from,
            lemma: "",
            tense: Tense::None,
            perfect: false,
            progressive: false,
            passive: false,
            negated: false,
            never: false,
            longer: false,
            used_to: false,
            unreal: false,
            can: false,
            plan: false,
            aspect: None,
            got: false,
            bare: true,
            reduced: false,
        }
    }
}

/// Reads a verb group.
pub(super) fn vg<'a, 'g>((line, from): At<'a, 'g>) -> Read<'a, 'g, Vg<'g>> {
    let mut group = Vg::at(from);
    let mut at = from;
    let mut last: Option<Tag> = None;
    loop {
        match line.tag(at) {
            Some(tag @ (Tag::Be | Tag::Have | Tag::Do | Tag::Modal)) if last.is_none() || chains(last, line.lower(at)) => {
                auxiliary(&line, at, tag, last, &mut group);
                last = Some(tag);
                group.main = at;
                at += 1;
                group.to = at;
            }
            Some(Tag::UsedTo) if last.is_none() => {
                group.used_to = true;
                group.tense = Tense::Past;
                at += 2;
                last = Some(Tag::UsedTo);
            }
            Some(Tag::Not) => {
                group.negated = true;
                group.never |= line.lower(at) == "never";
                group.longer |= line.lower(at) == "no";
                at += 1;
                if last.is_some() {
                    group.to = at;
                }
            }
            // "I'm now working": a time between the two parts of a verb.
            Some(Tag::Time) if last.is_some() && line.tag(at + 1) == Some(Tag::Verb) => at += 1,
            Some(Tag::Adv) if last.is_some() || at == from => at += 1,
            Some(Tag::Adv) => at += 1,
            Some(Tag::Verb) => {
                let Some((lemma, form)) = line.verb(at) else { return none() };
                return full_verb(line, at, lemma, form, last, group);
            }
            _ => break,
        }
        if at - from > 12 {
            break;
        }
    }
    if matches!(last, Some(Tag::UsedTo)) && line.lower(at) == "be" {
        group.lemma = "be";
        group.main = at;
        group.to = at + 1;
        return Ok(((line, at + 1), group));
    }
    let lemma = match last {
        Some(Tag::Be) => "be",
        Some(Tag::Have) => "have",
        Some(Tag::Do) => "do",
        Some(Tag::Modal) => "",
        _ => return none(),
    };
    group.lemma = lemma;
    // "is able to speak" is "can speak".
    if lemma == "be"
        && line.lower(group.to) == "able"
        && line.tag(group.to + 1) == Some(Tag::To)
        && let Some((verb, Form::Base)) = line.verb(group.to + 2)
    {
        let to = group.to + 3;
        return Ok(((line, to), Vg { lemma: verb, main: to - 1, to, can: true, bare: false, ..group }));
    }
    // "had to sell" is "sold": it was done.
    if lemma == "have"
        && group.tense == Tense::Past
        && !group.negated
        && line.tag(group.to) == Some(Tag::To)
        && let Some((verb, Form::Base)) = line.verb(group.to + 1)
    {
        let to = group.to + 2;
        return Ok(((line, to), Vg { lemma: verb, main: to - 1, to, bare: false, ..group }));
    }
    // Adverbs and denials right behind belong to the group: "is not", "am still".
    let mut end = group.to;
    while let Some(Tag::Adv | Tag::Not) = line.tag(end)
        && !matches!(line.lower(end), "together" | "back")
    {
        if line.tag(end) == Some(Tag::Not) {
            group.negated = true;
            group.never |= line.lower(end) == "never";
            group.longer |= line.lower(end) == "no";
        }
        end += 1;
    }
    group.to = end;
    Ok(((line, end), group))
}

/// Whether an auxiliary can follow another.
fn chains(last: Option<Tag>, lower: &str) -> bool {
    match last {
        Some(Tag::Modal) => matches!(lower, "be" | "have" | "do"),
        Some(Tag::Have) => matches!(lower, "been" | "had" | "done"),
        Some(Tag::Be) => matches!(lower, "being" | "having" | "doing" | "done"),
        Some(Tag::Do) => matches!(lower, "have" | "do" | "be"),
        Some(Tag::UsedTo) => matches!(lower, "be" | "have" | "do"),
        _ => false,
    }
}

fn auxiliary(line: &Line<'_, '_>, at: usize, tag: Tag, last: Option<Tag>, group: &mut Vg<'_>) {
    let lower = line.lower(at);
    if last.is_none() {
        group.tense = match lower {
            "was" | "were" | "had" | "did" => Tense::Past,
            "will" | "'ll" | "wo" | "shall" | "sha" => Tense::Future,
            "be" | "been" | "being" | "having" | "doing" | "done" => Tense::None,
            _ => Tense::Present,
        };
        if tag == Tag::Modal {
            group.unreal = !matches!(lower, "will" | "'ll" | "wo" | "shall" | "sha" | "can" | "ca" | "cannot");
            group.negated |= lower == "cannot";
            group.can |= matches!(lower, "can" | "ca" | "cannot");
        }
    }
    match (last, lower) {
        (Some(Tag::Have), "been" | "had" | "done") => group.perfect = true,
        (Some(Tag::Be), "being" | "having" | "doing") => group.progressive = true,
        _ => {}
    }
}

/// The verb that ends a group, and what hangs on it: "stop taking", "be going to move", "get married".
#[expect(clippy::unnecessary_wraps, reason = "it is a parser among parsers")]
fn full_verb<'a, 'g>(line: Line<'a, 'g>, at: usize, lemma: &'g str, form: Form, last: Option<Tag>, group: Vg<'g>) -> Read<'a, 'g, Vg<'g>> {
    let mut group = Vg { main: at, to: at + 1, lemma, bare: false, ..group };
    match (last, form) {
        (Some(Tag::Be), Form::Ing) => group.progressive = true,
        (Some(Tag::Be), Form::Participle | Form::Past) => group.passive = true,
        (Some(Tag::Have), Form::Participle | Form::Past | Form::Base) => group.perfect = true,
        // "I'd moved" is past; "I'd move" would be.
        (Some(Tag::Modal), Form::Participle | Form::Past) if line.lower(at.saturating_sub(1)) == "'d" => {
            group.tense = Tense::Past;
            group.perfect = true;
            group.unreal = false;
        }
        (None, Form::Past) => group.tense = Tense::Past,
        // Of forms that are both, those of what is done once are told of the past.
        (None, Form::Base) if matches!(lemma, "quit" | "split" | "shut" | "hit" | "bid" | "let") => group.tense = Tense::Past,
        (None, Form::Third | Form::Base) => group.tense = Tense::Present,
        (None, Form::Participle) => {
            group.passive = true;
            group.reduced = true;
        }
        _ => {}
    }
    // A regular past is a participle by its form alone; told apart by what stands before it.
    let next = at + 1;
    let after = skip_adverbs(&line, next);
    if lemma == "go" && group.progressive && line.tag(after) == Some(Tag::To) {
        if let Some((verb, Form::Base)) = line.verb(after + 1) {
            return Ok(((line, after + 2), Vg { plan: true, main: after + 1, to: after + 2, lemma: verb, progressive: false, ..group }));
        }
        let stands = match line.lower(after + 1) {
            "be" => "be",
            "have" => "have",
            "do" => "do",
            _ => "",
        };
        if !stands.is_empty() {
            return Ok(((line, after + 2), Vg { plan: true, main: after + 1, to: after + 2, lemma: stands, progressive: false, ..group }));
        }
    }
    // "managed to sell" is "sold".
    if lemma == "manage"
        && !group.negated
        && (group.tense == Tense::Past || group.perfect)
        && line.tag(after) == Some(Tag::To)
        && let Some((verb, Form::Base)) = line.verb(after + 1)
    {
        return Ok(((line, after + 2), Vg { main: after + 1, to: after + 2, lemma: verb, ..group }));
    }
    let aspect = match (lemma, line.lower(next)) {
        ("start" | "begin" | "resume", _) | ("take", "up") => Some((Aspect::Start, usize::from(lemma == "take"))),
        ("stop" | "quit" | "cease", _) | ("give", "up") => Some((Aspect::Stop, usize::from(lemma == "give"))),
        _ => None,
    };
    if let Some((aspect, skip)) = aspect {
        let place = skip_adverbs(&line, next + skip);
        if line.lower(place) == "being" {
            return Ok(((line, place + 1), Vg { aspect: Some(aspect), main: place, to: place + 1, lemma: "be", bare: true, ..group }));
        }
        if let Some((verb, Form::Ing)) = line.verb(place) {
            return Ok(((line, place + 1), Vg { aspect: Some(aspect), main: place, to: place + 1, lemma: verb, ..group }));
        }
        if line.tag(place) == Some(Tag::To)
            && let Some((verb, Form::Base)) = line.verb(place + 1)
        {
            return Ok(((line, place + 2), Vg { aspect: Some(aspect), main: place + 1, to: place + 2, lemma: verb, ..group }));
        }
    }
    if matches!(lemma, "keep" | "continue")
        && let Some((verb, Form::Ing)) = line.verb(after)
    {
        return Ok(((line, after + 1), Vg { main: after, to: after + 1, lemma: verb, ..group }));
    }
    if lemma == "get" {
        if let Some((verb, Form::Participle)) = line.verb(after).filter(|_| line.tag(after) == Some(Tag::Verb)) {
            return Ok(((line, after + 1), Vg { passive: true, got: true, main: after, to: after + 1, lemma: verb, ..group }));
        }
        if last == Some(Tag::Have) && group.perfect && group.tense == Tense::Present && line.lower(at) == "got" {
            return Ok(((line, next), Vg { lemma: "have", perfect: false, ..group }));
        }
    }
    Ok(((line, next), group))
}

fn skip_adverbs(line: &Line<'_, '_>, mut at: usize) -> usize {
    while line.tag(at) == Some(Tag::Adv) {
        at += 1;
    }
    at
}

/// A phrase, or a word that is none.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Chunk<'g> {
    Np(Np),
    Vg(Vg<'g>),
    /// Any other word.
    Word(usize),
}

impl Chunk<'_> {
    pub(super) fn from(&self) -> usize {
        match self {
            Self::Np(np) => np.from,
            Self::Vg(vg) => vg.from,
            Self::Word(at) => *at,
        }
    }

    pub(super) fn to(&self) -> usize {
        match self {
            Self::Np(np) => np.to,
            Self::Vg(vg) => vg.to,
            Self::Word(at) => at + 1,
        }
    }
}

/// Cuts a stretch of words into phrases.
pub(super) fn chunks<'g>(line: Line<'_, 'g>, from: usize) -> Vec<Chunk<'g>> {
    let mut chunks = Vec::new();
    let mut at = from;
    while at < line.end {
        let infinitive = line.tag(at) == Some(Tag::To);
        if infinitive {
            // The verb of an infinitive is no verb group: it has no subject and no tense.
            chunks.push(Chunk::Word(at));
            at += 1;
            if matches!(line.tag(at), Some(Tag::Verb | Tag::Be | Tag::Have | Tag::Do)) {
                chunks.push(Chunk::Word(at));
                at += 1;
            }
            continue;
        }
        let alone = line.tag(at) == Some(Tag::Verb) && matches!(line.verb(at), Some((_, Form::Ing)));
        if matches!(line.tag(at), Some(Tag::Be | Tag::Have | Tag::Do | Tag::Modal | Tag::UsedTo | Tag::Verb | Tag::Not | Tag::Adv))
            && !alone
            && let Ok(((_, after), group)) = vg((line, at))
        {
            at = after.max(at + 1);
            chunks.push(Chunk::Vg(group));
            continue;
        }
        if let Ok(((_, after), phrase)) = np((line, at)) {
            at = after.max(at + 1);
            chunks.push(Chunk::Np(phrase));
            continue;
        }
        chunks.push(Chunk::Word(at));
        at += 1;
    }
    chunks
}

/// What the tokens of a stretch are, for whoever looks a phrase up: whether it holds a name.
pub(super) fn is_time(line: &Line<'_, '_>, at: usize) -> Option<usize> {
    match line.tokens.get(at).map(|token| token.kind) {
        Some(Kind::Time(index)) if at < line.end => Some(index),
        _ => None,
    }
}
