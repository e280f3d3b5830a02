//! A sentence ready to be matched: its phrases, what they denote, and who the pronouns in it are.
//! Knows no pattern.

use super::chunk::{Chunk, Line, Np, Owner, chunks};
use super::clause::Clause;
use super::pack::{Grammar, NounFrame};
use super::token::{Kind, Sentence};
use super::turns::Reaching;
use super::words::Tag;
use crate::extract::rules::draft::Setting;

/// Verbs whose prepositions lead to people.
const SOCIAL: [&str; 26] = [
    "introduce",
    "talk",
    "speak",
    "write",
    "listen",
    "say",
    "hear",
    "bump",
    "run",
    "propose",
    "engage",
    "marry",
    "smile",
    "shout",
    "wave",
    "apologize",
    "apologise",
    "report",
    "lend",
    "show",
    "sell",
    "give",
    "reply",
    "explain",
    "turn",
    "receive",
];

/// What is known of somebody or something that was spoken of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) text: String,
    pub(super) sentence: usize,
    pub(super) subject: bool,
    pub(super) named: bool,
    /// A person, or not; `None` where nothing tells.
    pub(super) person: Option<bool>,
    /// A woman, or a man; `None` where nothing tells.
    pub(super) female: Option<bool>,
    pub(super) plural: bool,
    /// A place by how it was used.
    pub(super) place: bool,
    /// Something that can be pointed at: it has a name in it, or a noun of things.
    pub(super) concrete: bool,
    /// It was a subject, or has a name in it: talk goes on about it.
    pub(super) firm: bool,
    /// Of several who were named together, each.
    pub(super) members: Vec<String>,
}

/// What was spoken of before a sentence, the latest last.
///
/// Of most sentences nobody asks who a word in them stands for, and what a pronoun stands for is mostly in the turn just before: so
/// each earlier turn is read only once somebody looks as far back.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken<'a, 'g> {
    /// The turns before that pronouns may reach back into; `None` where none are to be read.
    pub(super) reaching: Option<Reaching<'a, 'g>>,
    /// What the text itself has spoken of so far.
    pub(super) here: Vec<Mention>,
}

impl Spoken<'_, '_> {
    /// All of it, the latest first.
    pub(super) fn latest(&self) -> impl Iterator<Item = &Mention> {
        self.here.iter().rev().chain(self.reaching.iter().flat_map(Reaching::latest))
    }
}

/// A sentence with its phrases.
#[derive(Debug)]
pub(super) struct Scene<'a, 'g> {
    pub(super) text: &'a str,
    pub(super) line: Line<'a, 'g>,
    pub(super) sentence: Sentence,
    pub(super) grammar: &'g Grammar,
    pub(super) setting: &'a Setting<'a>,
    pub(super) chunks: Vec<Chunk<'g>>,
    /// The chunk of each token, from the sentence's first on.
    owner_of: Vec<usize>,
    /// For each chunk, the name that it goes by: "my sister, |Ann|", "a dog called |Rex|".
    names: Vec<Option<(usize, usize)>>,
    /// What was spoken of before.
    pub(super) before: &'a Spoken<'a, 'g>,
}

impl<'a, 'g> Scene<'a, 'g> {
    pub(super) fn new(
        text: &'a str,
        line: Line<'a, 'g>,
        sentence: Sentence,
        grammar: &'g Grammar,
        setting: &'a Setting<'a>,
        before: &'a Spoken<'a, 'g>,
    ) -> Self {
        let line = Line { end: sentence.to, ..line };
        let chunks = chunks(line, sentence.from);
        let mut owner_of = vec![0; sentence.to - sentence.from];
        for (place, chunk) in chunks.iter().enumerate() {
            for at in chunk.from()..chunk.to() {
                if let Some(slot) = owner_of.get_mut(at - sentence.from) {
                    *slot = place;
                }
            }
        }
        let mut scene = Self { text, line, sentence, grammar, setting, chunks, owner_of, names: Vec::new(), before };
        scene.names = (0..scene.chunks.len()).map(|place| scene.name_of(place)).collect();
        scene
    }

    /// The chunk that a token belongs to.
    pub(super) fn chunk_at(&self, at: usize) -> Option<usize> {
        self.owner_of.get(at.checked_sub(self.sentence.from)?).copied()
    }

    pub(super) fn np(&self, chunk: usize) -> Option<&Np> {
        match self.chunks.get(chunk) {
            Some(Chunk::Np(np)) => Some(np),
            _ => None,
        }
    }

    /// The noun phrase that a token belongs to.
    pub(super) fn np_at(&self, at: usize) -> Option<(usize, &Np)> {
        let chunk = self.chunk_at(at)?;
        Some((chunk, self.np(chunk)?))
    }

    pub(super) fn word(&self, chunk: usize) -> Option<(usize, Tag)> {
        match self.chunks.get(chunk) {
            Some(Chunk::Word(at)) => Some((*at, self.line.tag(*at)?)),
            _ => None,
        }
    }

    /// The text of a stretch of tokens, as it stands.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        let tokens = self.line.tokens.get(from..to).unwrap_or_default();
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return "" };
        // A title is named without its quotation marks.
        if tokens.len() == 1 {
            return first.text;
        }
        self.text.get(first.start..last.end).unwrap_or_default()
    }

    /// The bytes of a stretch of tokens.
    pub(super) fn bytes(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        let tokens = self.line.tokens.get(from..to).unwrap_or_default();
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }

    /// The name that a noun phrase goes by, as places of tokens: its own, or the one beside it.
    pub(super) fn name(&self, chunk: usize) -> Option<(usize, usize)> {
        self.names.get(chunk).copied().flatten()
    }

    fn name_of(&self, chunk: usize) -> Option<(usize, usize)> {
        let np = self.np(chunk)?;
        if np.pronoun {
            return None;
        }
        // "the crash on start (#12)": what is tracked goes by its number.
        let open = np.to..(np.to + 5).min(self.sentence.to);
        if let Some(number) =
            open.clone().find(|at| self.line.tokens.get(*at).is_some_and(|token| token.text.starts_with('#') && token.text.len() > 1))
            && self.line.lower(number - 1) == "("
            && self.setting.is_written()
            && np.name != Some(np.core)
        {
            return Some((number, number + 1));
        }
        if let Some(name) = np.name {
            return Some((name, np.to));
        }
        // "a dog called Rex", "a sister named Ann".
        if let Some(Chunk::Vg(group)) = self.chunks.get(chunk + 1)
            && group.reduced
            && matches!(group.lemma, "call" | "name" | "nickname" | "title" | "dub")
        {
            let named = self.np(chunk + 2)?;
            return Some((named.core, named.to));
        }
        // "my sister, Ann, ..." and "this flatmate, Ann": a name alone between commas behind a phrase with an owner.
        let owned = np.owner.is_some() || np.det.is_some_and(|det| matches!(self.line.lower(det), "this" | "the" | "a" | "an"));
        let (_, comma) = self.word(chunk + 1)?;
        let noun = self.line.phrase(np.noun().0, np.noun().1);
        let marked = comma == Tag::Comma || matches!(self.line.lower(self.word(chunk + 1)?.0), "(" | "–" | "—");
        let known = || {
            self.noun(&noun).is_some()
                || np.owner.is_some() && (self.grammar.has_class(&noun, "person_noun") || self.grammar.has_class(&noun, "job"))
        };
        if owned && marked && known() && !super::morph::is_plural(&noun) {
            let named = self.np(chunk + 2).filter(|np| np.is_name() && np.owner.is_none() && np.det.is_none())?;
            let closed = self.word(chunk + 3).is_none_or(|(_, tag)| matches!(tag, Tag::Comma | Tag::Mark | Tag::Time | Tag::Adv));
            let goes_on = matches!(self.chunks.get(chunk + 3), None | Some(Chunk::Word(_)));
            return (closed && goes_on).then_some((named.core, named.to));
        }
        None
    }

    /// The relational noun that a phrase in lower case ends in, with the frames that are read in such matter.
    pub(super) fn noun(&self, phrase: &str) -> Option<(String, Vec<NounFrame>)> {
        let (known, mut frames) = self.grammar.noun(phrase)?;
        let written = self.setting.is_written();
        frames.retain(|frame| written || self.grammar.relation(frame.relation).is_some_and(|relation| !relation.written));
        (!frames.is_empty()).then_some((known, frames))
    }

    /// The words of a phrase in lower case that say what it is: without article, owner and name.
    pub(super) fn noun_phrase(&self, np: &Np) -> String {
        let (from, to) = np.noun();
        self.line.phrase(from, to)
    }

    /// Who a possessive stands for.
    pub(super) fn owner(&self, chunk: usize, owner: &Owner) -> Option<String> {
        match owner {
            Owner::Word(at) => match self.line.lower(*at) {
                "my" | "our" => self.setting.author().map(str::to_owned),
                "your" => self.listener(),
                "his" | "her" | "its" | "their" => self.resolve(self.line.lower(*at), *at),
                // "the isles, whose language is Manx".
                "whose" => {
                    let mut before = chunk.checked_sub(1)?;
                    if self.word(before).is_some_and(|(_, tag)| tag == Tag::Comma) {
                        before = before.checked_sub(1)?;
                    }
                    self.denoted(before)
                }
                _ => None,
            },
            Owner::Phrase(np) => self.denoted_np(np, None),
        }
    }

    /// Who "you" is: the person an assistant speaks to.
    fn listener(&self) -> Option<String> {
        if self.setting.is_assistant() { self.setting.addressee().map(str::to_owned) } else { None }
    }

    /// What a chunk denotes, as a head is recorded.
    pub(super) fn denoted(&self, chunk: usize) -> Option<String> {
        let np = self.np(chunk)?;
        let denoted = self.denoted_np(np, self.name(chunk))?;
        // "the price of oil", "the head of sales".
        if np.name.is_none()
            && !np.pronoun
            && self.name(chunk).is_none()
            && self.word(chunk + 1).is_some_and(|(at, _)| self.line.lower(at) == "of")
            && let Some(of) = self.np(chunk + 2)
            && !of.pronoun
        {
            return Some(format!("{denoted} of {}", self.slice(of.from, of.to)));
        }
        Some(denoted)
    }

    fn denoted_np(&self, np: &Np, name: Option<(usize, usize)>) -> Option<String> {
        if np.pronoun {
            return self.pronoun(np.from);
        }
        if let Some((from, to)) = name.or_else(|| Some((np.name?, np.to))) {
            let name = self.slice(from, to);
            // "My sister Ann", said by another Ann: not who speaks.
            let namesake = matches!(&np.owner, Some(Owner::Word(at)) if matches!(self.line.lower(*at), "my" | "our"))
                && from > np.core
                && self.setting.author().is_some_and(|author| author.eq_ignore_ascii_case(name));
            return Some(if namesake { self.slice(np.from, np.to.min(from)).to_owned() } else { name.to_owned() });
        }
        let noun = self.slice(np.core, np.to);
        if noun.is_empty() {
            return None;
        }
        let Some(owner) = &np.owner else {
            // "The company", "the town": what was named just before.
            const SORTS: [&str; 26] = [
                "company",
                "firm",
                "organisation",
                "organization",
                "club",
                "university",
                "institute",
                "town",
                "city",
                "village",
                "country",
                "film",
                "novel",
                "book",
                "album",
                "tool",
                "library",
                "product",
                "band",
                "museum",
                "startup",
                "start-up",
                "island",
                "region",
                "group",
                "agency",
            ];
            let definite = self.setting.is_written()
                && np.det.is_some_and(|det| self.line.lower(det) == "the")
                && SORTS.contains(&self.line.phrase(np.core, np.to).as_str());
            if definite
                && let Some(mention) = self.before.latest().find(|mention| mention.named && mention.person != Some(true) && mention.subject)
            {
                return Some(mention.text.clone());
            }
            // In talk it is left open, and never a name.
            const FIRMS: [&str; 9] =
                ["company", "firm", "organisation", "organization", "startup", "start-up", "agency", "corporation", "business"];
            let open = np.det.is_some_and(|det| matches!(self.line.lower(det), "the" | "this" | "that")) && FIRMS.contains(&noun);
            return (!open || self.setting.is_written()).then(|| noun.to_owned());
        };
        // A relative without a name keeps whose it is; a thing does not.
        let phrase = self.noun_phrase(np);
        let person = self.grammar.has_class(&phrase, "kin") || self.grammar.has_class(&phrase, "person_noun");
        match owner {
            Owner::Word(at) if person => match self.line.lower(*at) {
                "my" | "our" => Some(self.slice(np.from, np.to).to_owned()),
                "your" => None,
                word => Some(format!("{}'s {noun}", self.resolve(word, *at)?)),
            },
            Owner::Word(at) if self.line.lower(*at) == "your" => None,
            // Others have offices, too: in talk it keeps whose it is, where nothing else tells it from theirs.
            Owner::Word(at)
                if matches!(self.line.lower(*at), "my" | "our")
                    && !self.setting.is_written()
                    && noun.chars().all(|c| !c.is_uppercase()) =>
            {
                Some(self.slice(np.from, np.to).to_owned())
            }
            Owner::Word(_) => Some(noun.to_owned()),
            Owner::Phrase(_) => Some(self.slice(np.from, np.to).to_owned()),
        }
    }

    /// Those who "they" are, where two or more were named together last.
    pub(super) fn members(&self, chunk: usize) -> Vec<String> {
        let they = self.np(chunk).is_some_and(|np| np.pronoun && self.line.lower(np.from) == "they");
        if !they {
            return Vec::new();
        }
        let last = self.before.latest().find(|mention| mention.plural && mention.person != Some(false));
        last.filter(|mention| !mention.members.is_empty()).map(|mention| mention.members.clone()).unwrap_or_default()
    }

    /// Who a pronoun stands for.
    pub(super) fn pronoun(&self, at: usize) -> Option<String> {
        match self.line.lower(at) {
            "i" | "me" | "we" | "us" | "myself" | "mine" => self.setting.author().map(str::to_owned),
            "you" => self.listener(),
            word => self.resolve(word, at),
        }
    }

    /// The place or the organisation that "there" is.
    pub(super) fn there(&self) -> Option<String> {
        self.before.latest().find(|mention| mention.place && mention.named).map(|mention| mention.text.clone())
    }

    /// The latest that a pronoun of the third person can stand for.
    fn resolve(&self, word: &str, at: usize) -> Option<String> {
        let written = self.setting.is_written();
        let fits = |mention: &&Mention| match word {
            "he" | "him" | "his" => mention.person != Some(false) && mention.female != Some(true) && !mention.plural && !mention.place,
            "she" | "her" | "hers" => mention.person != Some(false) && mention.female != Some(false) && !mention.plural && !mention.place,
            "it" | "its" => {
                mention.person != Some(true) && !mention.plural && mention.concrete && (written || mention.firm && !mention.place)
            }
            "they" | "them" | "their" => {
                mention.plural && mention.members.is_empty() && (mention.person == Some(true) || mention.concrete && written)
            }
            _ => false,
        };
        let wants_person = !matches!(word, "it" | "its");
        let weight = |mention: &Mention| {
            let sure =
                if wants_person { mention.person == Some(true) || mention.named } else { mention.person == Some(false) || mention.named };
            (sure, mention.subject)
        };
        // A name in an earlier clause of the same sentence comes first.
        let here = self.named_before(at);
        if let Some(mention) = here.iter().rev().find(|mention| fits(mention)) {
            return Some(mention.text.clone());
        }
        // Of the latest sentence that has one, the likeliest; of equal ones the latest.
        let mut fitting = self.before.latest().filter(fits).peekable();
        let latest = fitting.peek().map(|mention| mention.sentence);
        let best = fitting
            .take_while(|mention| Some(mention.sentence) == latest)
            .reduce(|best, mention| if weight(mention) > weight(best) { mention } else { best });
        // "The version of Orb is 2, and it needs …": what a preposition leads, where there is nothing else.
        let led = || {
            let here = self.chunk_at(at)?;
            let mut found = Vec::new();
            (0..here).filter_map(|place| Some((place, self.np(place)?))).for_each(|(place, np)| {
                if !np.pronoun && self.name(place).is_some() {
                    self.mention_of(place, np, true, usize::MAX, &mut found);
                }
            });
            found.iter().rev().find(|mention| fits(mention)).map(|mention| mention.text.clone())
        };
        best.map(|best| best.text.clone()).or_else(|| if written { led() } else { None })
    }

    /// The names in the clauses before a place of this sentence that no preposition leads.
    fn named_before(&self, at: usize) -> Vec<Mention> {
        let Some(here) = self.chunk_at(at) else { return Vec::new() };
        let Some(verb) = (0..here).rev().find(|place| matches!(self.chunks.get(*place), Some(Chunk::Vg(_)))) else { return Vec::new() };
        let mut found = Vec::new();
        for place in 0..verb {
            let Some(np) = self.np(place).filter(|np| !np.pronoun && self.name(place).is_some() && np.to <= at) else { continue };
            if place > 0 && self.word(place - 1).is_some_and(|(_, tag)| tag == Tag::Prep) {
                continue;
            }
            self.mention_of(place, np, true, usize::MAX, &mut found);
        }
        found
    }

    /// What this sentence speaks of, for pronouns in the next ones.
    pub(super) fn mentions(&self, clauses: &[Clause<'g>], sentence: usize) -> Vec<Mention> {
        let mut found = Vec::new();
        for (place, chunk) in self.chunks.iter().enumerate() {
            let Chunk::Np(np) = chunk else { continue };
            if np.pronoun {
                continue;
            }
            let subject = clauses.iter().any(|clause| clause.subjects.contains(&place));
            let known = found.len();
            self.mention_of(place, np, subject, sentence, &mut found);
            // "My wife is called Ann": she goes by her name from here on.
            let called = |clause: &&Clause<'g>| {
                clause.subjects == [place] && clause.group.passive && !clause.group.negated && matches!(clause.group.lemma, "call" | "name")
            };
            if let Some(clause) = clauses.iter().find(called)
                && let Some((_, name)) = self.np_at(clause.rest.0).filter(|(_, name)| name.is_name() && name.from == clause.rest.0)
            {
                for mention in found.iter_mut().skip(known).filter(|mention| mention.person == Some(true)) {
                    self.slice(name.core, name.to).clone_into(&mut mention.text);
                    mention.named = true;
                }
            }
        }
        found.extend(self.named_together(clauses, sentence, &found));
        found
    }

    /// "Ann and Bo", for "they" in the next sentences.
    fn named_together(&self, clauses: &[Clause<'g>], sentence: usize, found: &[Mention]) -> Option<Mention> {
        let named = |place: usize| {
            let text = self.np(place).filter(|np| !np.pronoun && self.name(place).is_some()).and_then(|_| self.denoted(place))?;
            found.iter().any(|mention| mention.text == text && mention.person != Some(false)).then_some(text)
        };
        let (first, _) = (0..self.chunks.len()).filter_map(|place| Some((place, named(place)?))).find(|(place, _)| {
            self.word(place + 1).is_some_and(|(_, tag)| matches!(tag, Tag::And | Tag::Comma)) && named(place + 2).is_some()
        })?;
        let mut members = vec![named(first)?];
        let mut place = first;
        let mut joined = false;
        while let Some((_, tag @ (Tag::And | Tag::Comma))) = self.word(place + 1)
            && let Some(next) = named(place + 2)
        {
            joined |= tag == Tag::And;
            members.push(next);
            place += 2;
        }
        let subject = clauses.iter().any(|clause| clause.subjects.contains(&first));
        joined.then(|| Mention {
            text: members.join(" and "),
            sentence,
            subject,
            named: true,
            person: Some(true),
            female: None,
            plural: true,
            place: false,
            concrete: false,
            firm: true,
            members,
        })
    }

    fn mention_of(&self, place: usize, np: &Np, subject: bool, sentence: usize, found: &mut Vec<Mention>) {
        if let Some(Owner::Phrase(owner)) = &np.owner {
            self.mention_of(usize::MAX, owner, false, sentence, found);
        }
        let Some(text) = (if place == usize::MAX { self.denoted_np(np, None) } else { self.denoted(place) }) else { return };
        let name = if place == usize::MAX { np.name.map(|name| (name, np.to)) } else { self.name(place) };
        let noun = self.noun_phrase(np);
        let plain = name.is_none() || np.name != Some(np.core);
        let classes = self.grammar.classes_of(&noun);
        let is = |sort: u128| classes & sort != 0;
        let sorts = self.grammar.sorts();
        let kin = plain && is(sorts.people);
        let animal = plain && is(sorts.animals);
        let led = place.checked_sub(1).and_then(|before| self.word(before)).map_or("", |(at, _)| self.line.lower(at));
        // "I introduced you to Ann", "I ran into Bo", "a call from Cy": people, for all the preposition.
        let social = self
            .line
            .words
            .get(self.sentence.from..np.from)
            .and_then(|before| before.iter().rev().find_map(|word| word.verb))
            .is_some_and(|(lemma, _)| SOCIAL.contains(&lemma));
        let place_like = is(sorts.places) || name.is_some() && !social && matches!(led, "in" | "at" | "from" | "to" | "near" | "into");
        let org = is(sorts.organisations);
        let female = if is(sorts.women) {
            Some(true)
        } else if is(sorts.men) {
            Some(false)
        } else {
            None
        };
        let holds_name = (np.core..np.to).any(|at| self.line.tag(at) == Some(Tag::Name));
        // A capital that begins a sentence tells nothing.
        let midname = (np.core..np.to).any(|at| at > self.sentence.from && self.line.tag(at) == Some(Tag::Name));
        let vague = name.is_none() && !(holds_name && (midname || subject)) && (np.det.is_none() && np.owner.is_none() || is(sorts.vague));
        if vague
            || np.owner.as_ref().is_some_and(|owner| matches!(owner, Owner::Word(at) if self.line.lower(*at) == "your"))
                && name.is_none()
                && !self.setting.is_assistant()
        {
            return;
        }
        let person = if kin || animal {
            Some(true)
        } else if name.is_some() && !plain && !place_like && !org {
            None
        } else {
            Some(false)
        };
        let plural =
            name.is_none() && (super::morph::is_plural(&noun) || matches!(noun.as_str(), "family" | "team" | "folks" | "staff" | "people"));
        // A pet is he, she or it.
        let person = if animal { None } else { person };
        // Who is spoken to or speaks is no third person.
        let speaks = |speaker: Option<&str>| {
            speaker.is_some_and(|speaker| {
                speaker.eq_ignore_ascii_case(&text)
                    || speaker.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case(&text))
            })
        };
        let talks = speaks(self.setting.author())
            || speaks(self.setting.observation.speaker.as_deref())
            || self.setting.before.iter().any(|turn| speaks(turn.speaker.as_deref()));
        let called = name.is_some() && np.is_name() && !self.setting.is_written() && {
            let before = np.from.checked_sub(1).filter(|at| *at >= self.sentence.from).map(|at| self.line.tag(at));
            let after = if np.to < self.sentence.to { self.line.tag(np.to) } else { None };
            matches!(before, Some(Some(Tag::Comma | Tag::Adv))) && matches!(after, None | Some(Tag::Comma | Tag::Mark))
        };
        if talks || called {
            return;
        }
        let definite = np.owner.is_some() || np.det.is_some_and(|det| matches!(self.line.lower(det), "the" | "this" | "that"));
        // "the Delft Card": what has an article is no person.
        let person =
            if np.is_name() && np.det.is_some_and(|det| self.line.lower(det) == "the") && person.is_none() { Some(false) } else { person };
        // In talk a bare name is rather a person's.
        let concrete = if np.is_name() { self.setting.is_written() || person == Some(false) } else { holds_name || is(sorts.things) };
        found.push(Mention {
            text,
            sentence,
            subject,
            named: name.is_some(),
            person,
            female,
            plural,
            place: place_like,
            concrete,
            firm: subject || midname || definite && self.grammar.has_class(&noun, "artefact"),
            members: Vec::new(),
        });
    }

    /// The times in brackets that hold nothing else: "(1901–1977)".
    pub(super) fn bracketed_times(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = self.sentence.from;
        while at < self.sentence.to {
            if self.line.lower(at) == "(" && self.setting.is_written() {
                let close = (at..self.sentence.to).find(|place| self.line.lower(*place) == ")").unwrap_or(self.sentence.to);
                let plain = (at + 1..close).all(|place| matches!(self.line.tag(place), Some(Tag::Time | Tag::Num | Tag::Mark)));
                if plain {
                    found.extend(self.times(at, close));
                }
                at = close;
            }
            at += 1;
        }
        found
    }

    /// The times in a stretch of tokens.
    pub(super) fn times(&self, from: usize, to: usize) -> Vec<usize> {
        let time = |at: usize| match self.line.tokens.get(at).map(|token| token.kind) {
            Some(Kind::Time(index)) => Some(index),
            _ => None,
        };
        (from..to).filter_map(time).collect()
    }
}
