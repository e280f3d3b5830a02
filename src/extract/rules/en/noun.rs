//! Relational nouns: "my sister Ann", "Ann's boss is Bo", "Bo is the head of the mill", "a dog called Rex".
//! Knows the relations only as the grammar's data names them.

use super::chunk::{Np, Owner};
use super::clause::Clause;
use super::pack::{Effect, NounFrame, Sort};
use super::read::{Heads, Reader, Saying};
use super::scene::Scene;
use super::words::Tag;

/// Words before a noun that say that it is over.
const FORMER: [&str; 8] = ["ex", "former", "previous", "old", "then", "erstwhile", "late", "onetime"];
/// Words before a noun that make it something else.
const OTHER: [&str; 11] = ["spirit", "inner", "power", "future", "would-be", "possible", "potential", "next", "imaginary", "fake", "dream"];

/// Nouns for who is over somebody that stand in titles, too.
const TITLES: [&str; 6] = ["manager", "supervisor", "chief", "director", "assistant", "secretary"];
/// Words before a noun that only judge it.
const JUDGING: [&str; 16] = [
    "new",
    "current",
    "direct",
    "immediate",
    "great",
    "good",
    "best",
    "own",
    "present",
    "favourite",
    "favorite",
    "nice",
    "lovely",
    "dear",
    "line",
    "strict",
];

/// A noun's frames, and how its phrase colours them.
struct Noun {
    word: String,
    frames: Vec<NounFrame>,
    former: bool,
    /// It was named before, and is "it" here.
    held: bool,
    /// It takes up an "of" and a further noun: "date of birth".
    of: bool,
}

/// The relational noun that a phrase ends in; `ex-` and the like taken off.
fn noun_of(scene: &Scene<'_, '_>, np: &Np) -> Option<Noun> {
    let phrase = scene.noun_phrase(np);
    let ahead = |word: &str| phrase.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    if OTHER.iter().any(|word| ahead(word)) && !phrase.starts_with("next door") {
        return None;
    }
    let plain = phrase.strip_prefix("ex-").unwrap_or(&phrase);
    let former = plain.len() < phrase.len() || FORMER.iter().any(|word| plain.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')));
    // "date of birth", "head of state": a noun that is one only with what hangs on it.
    if np.name.is_none()
        && scene.line.lower(np.to) == "of"
        && let Some((known, frames)) = (np.to + 2..np.to + 4).find_map(|to| {
            let long = format!("{plain} of {}", scene.line.phrase(np.to + 1, to));
            scene.noun(&long).filter(|(known, _)| long.ends_with(known.as_str()) && known.contains(" of "))
        })
    {
        return Some(Noun { word: known, frames, former, held: false, of: true });
    }
    let (known, mut frames) = scene.noun(plain)?;
    // "our office manager" has a title; "our manager" has us.
    if plain.len() > known.len() && TITLES.contains(&known.as_str()) {
        let lead = plain.get(..plain.len() - known.len()).unwrap_or_default().trim();
        let judged = lead.split(' ').all(|word| JUDGING.contains(&word) || FORMER.contains(&word));
        if !judged {
            frames.retain(|frame| !frame.owner_is_head);
        }
    }
    if frames.is_empty() {
        return None;
    }
    // "old friend" is a friend still.
    let former = former && !(plain.starts_with("old ") && scene.grammar.has_class(&known, "friend"));
    Some(Noun { word: known, frames, former, held: false, of: false })
}

impl Reader<'_, '_> {
    /// Names beside relational nouns with an owner, wherever they stand: "for my hamster Bo".
    pub(super) fn named_relatives(&mut self, scene: &Scene<'_, '_>) {
        for chunk in 0..scene.chunks.len() {
            let Some(np) = scene.np(chunk) else { continue };
            self.named_relative(scene, chunk, np);
            // "Ann's mother's house": what owns may be a relative with a name itself.
            let mut inner = np.owner.as_ref();
            while let Some(Owner::Phrase(owner)) = inner {
                self.named_relative(scene, chunk, owner);
                inner = owner.owner.as_ref();
            }
        }
        self.names_before_relatives(scene);
    }

    fn named_relative(&mut self, scene: &Scene<'_, '_>, chunk: usize, np: &Np) {
        let Some(owner_of) = &np.owner else { return };
        let listed = if scene.np(chunk) == Some(np) { Self::listed_names(scene, chunk) } else { Vec::new() };
        if !listed.is_empty()
            && let Some(noun) = noun_of(scene, np)
            && let Some(owner) = scene.owner(chunk, owner_of)
        {
            let saying = Saying::of_noun(scene, np.from, np.to, noun.former);
            self.frames(scene, &noun, &owner, &listed, &saying, true);
            for value in &listed {
                self.sort_of_pet(scene, &noun, value, scene.sentence.to, &saying);
            }
            return;
        }
        let whole = scene.np(chunk) == Some(np);
        let name = if whole { scene.name(chunk) } else { np.name.map(|name| (name, np.to)) };
        let Some((from, to)) = name.filter(|(from, _)| *from > np.core || Some(*from) != np.name) else { return };
        if np.is_name() {
            return;
        }
        let Some(noun) = noun_of(scene, np) else {
            // "our project lead, Ann, …"
            let ours = matches!(owner_of, Owner::Word(at) if matches!(scene.line.lower(*at), "our" | "my" | "their"));
            if ours && scene.grammar.has_class(&scene.noun_phrase(np), "job") {
                let (title_from, title_to) = np.noun();
                let saying = Saying::of_noun(scene, np.from, to, false);
                self.claim(scene, "job_title", 0, Effect::Holds, scene.slice(from, to), scene.slice(title_from, title_to), &saying);
            }
            return;
        };
        let Some(owner) = scene.owner(chunk, owner_of) else { return };
        let value = scene.slice(from, to).to_owned();
        let saying = Saying::of_noun(scene, np.from, to, noun.former);
        self.frames(scene, &noun, &owner, std::slice::from_ref(&value), &saying, true);
        self.sort_of_pet(scene, &noun, &value, to, &saying);
    }

    /// "Ann, my sister, …" and "Ann, the head of the mill, …".
    fn names_before_relatives(&mut self, scene: &Scene<'_, '_>) {
        for chunk in 0..scene.chunks.len() {
            let Some(name) = scene.np(chunk).filter(|np| np.is_name() && np.owner.is_none()) else { continue };
            if scene.word(chunk + 1).is_none_or(|(_, tag)| tag != Tag::Comma) {
                continue;
            }
            let Some(np) = scene.np(chunk + 2).filter(|np| np.name.is_none() && !np.pronoun) else { continue };
            if scene.word(chunk.wrapping_sub(1)).is_some_and(|(_, tag)| matches!(tag, Tag::And | Tag::Comma)) {
                continue;
            }
            let Some(noun) = noun_of(scene, np) else {
                // "Ann, our CTO, …": a title among us.
                let ours = matches!(&np.owner, Some(Owner::Word(at)) if matches!(scene.line.lower(*at), "our" | "my" | "their"));
                let closed = scene.word(chunk + 3).is_none_or(|(_, tag)| matches!(tag, Tag::Comma | Tag::Mark));
                if ours && closed && scene.grammar.has_class(&scene.noun_phrase(np), "job") {
                    let (head, title) = (scene.slice(name.core, name.to).to_owned(), scene.slice(np.core, np.to).to_owned());
                    let saying = Saying::of_noun(scene, name.from, np.to, false);
                    self.claim(scene, "job_title", 0, Effect::Holds, &head, &title, &saying);
                }
                continue;
            };
            let Some((owner, after)) = Self::possessor(scene, chunk + 2, np) else { continue };
            // "head of the mill since 2012,": the time belongs to it.
            let mut after = after;
            while scene.word(after).is_some_and(|(_, tag)| matches!(tag, Tag::Time))
                || scene.word(after + 1).is_some_and(|(_, tag)| tag == Tag::Time)
                    && scene.word(after).is_some_and(|(_, tag)| tag == Tag::Prep)
            {
                after += 1;
            }
            let closed = scene.word(after).is_none_or(|(_, tag)| matches!(tag, Tag::Comma | Tag::Mark | Tag::But | Tag::Sub));
            if !closed {
                continue;
            }
            let end = scene.chunks.get(after).map_or(scene.sentence.to, super::chunk::Chunk::from);
            let times = scene.times(np.from, end);
            let saying = Saying { timeless: times.is_empty(), times, ..Saying::of_noun(scene, name.from, np.to, noun.former) };
            let value = scene.slice(name.core, name.to).to_owned();
            self.frames(scene, &noun, &owner, &[value], &saying, true);
        }
    }

    /// Whose a phrase is, by its possessive or by the "of" behind it, and the chunk after both.
    fn possessor(scene: &Scene<'_, '_>, chunk: usize, np: &Np) -> Option<(String, usize)> {
        let of = noun_of(scene, np).is_some_and(|noun| noun.of);
        // "the date of birth of Ann": behind what belongs to the noun itself.
        let chunk = if of { chunk + 2 } else { chunk };
        if let Some(owner) = &np.owner {
            return Some((scene.owner(chunk, owner)?, chunk + 1));
        }
        let (at, _) = scene.word(chunk + 1)?;
        if !(matches!(scene.line.lower(at), "of" | "for" | "at") || of && scene.line.lower(at) == "in") {
            return None;
        }
        let of = scene.np(chunk + 2)?;
        if scene.line.lower(at) == "at" && of.name.is_none() {
            return None;
        }
        // "a friend of mine", "the price of it".
        Some((scene.denoted(chunk + 2)?, chunk + 3))
    }

    /// "My sister is Ann", "Ann is my sister", "the head of the mill is Bo".
    pub(super) fn copula(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, subjects: &[usize], saying: &Saying<'_>) -> bool {
        let naming = clause.group.passive && matches!(clause.group.lemma, "call" | "name");
        let stays = matches!(clause.group.lemma, "stay" | "remain" | "stand")
            && scene.line.lower(clause.rest.0) == "at"
            && scene.setting.is_written();
        let located =
            clause.group.passive && matches!(clause.group.lemma, "locate" | "situate" | "find" | "base") && scene.setting.is_written();
        let serves =
            matches!(clause.group.lemma, "serve" | "act" | "function") && scene.line.lower(clause.rest.0) == "as" && !clause.group.passive;
        if self.office(scene, clause, subjects, saying) {
            return true;
        }
        let lists = clause.group.lemma == "include" && !clause.group.passive;
        if !naming && !stays && !lists && !located && !serves && (clause.group.lemma != "be" || clause.group.passive) {
            return false;
        }
        // "our goals, which is great": said of all that came before.
        if clause.mode == super::clause::Mode::Relative
            && subjects.iter().all(|subject| scene.np(*subject).is_none_or(|np| np.from < clause.from))
        {
            return false;
        }
        let mut fired = false;
        let at = Self::skip(scene, clause.rest.0 + usize::from(stays || serves), clause.rest.1);
        // "My dream is that they speak Manx", "my aim is that one": a clause is no value, nor is what is pointed at.
        if scene.line.tag(at) == Some(Tag::Sub) || scene.line.lower(at) == "that" {
            return false;
        }
        // "I changed my number; it is …": what is somebody's was named just before.
        let it = subjects.first().and_then(|subject| scene.np(*subject)).is_some_and(|np| np.pronoun && scene.line.lower(np.from) == "it");
        if let (true, Some((word, owner))) = (it, self.held.clone())
            && let Some((word, frames)) = scene.noun(&word)
        {
            let noun = Noun { word, frames, former: false, held: true, of: false };
            if self.values(scene, clause, &noun, &owner, at, saying) {
                return true;
            }
        }
        for subject in subjects {
            let Some(np) = scene.np(*subject).filter(|np| !np.pronoun && !np.is_name()) else { continue };
            // "My sister's name is Ann": the sister is Ann.
            if let Some(Owner::Phrase(owned)) = &np.owner
                && matches!(scene.noun_phrase(np).as_str(), "name" | "first name" | "full name" | "names")
                && let (Some(noun), Some(owner)) =
                    (noun_of(scene, owned), owned.owner.as_ref().and_then(|owner| scene.owner(*subject, owner)))
                && owned.name.is_none()
            {
                let count = self.reading.drafts.len();
                fired |= self.values(scene, clause, &noun, &owner, at, &Saying { group: None, ..saying.clone() });
                if let Some(value) = self.reading.drafts.get(count).map(|draft| draft.tail.clone()) {
                    self.sort_of_pet(scene, &noun, &value, clause.rest.1, saying);
                }
                continue;
            }
            let Some(noun) = noun_of(scene, np) else { continue };
            let seat =
                noun.frames.iter().any(|frame| scene.grammar.relation(frame.relation).is_some_and(|one| one.name == "headquartered_in"));
            if located && !seat {
                continue;
            }
            let named = scene.name(*subject).is_some();
            // In written matter, what has no owner is that of the thing at hand: "Priority is high".
            let at_hand = || {
                self.at_hand()
                    .filter(|_| scene.setting.is_written() && np.owner.is_none() && np.det.is_none_or(|det| scene.line.lower(det) == "the"))
            };
            // "In Ely, the official language is Manx".
            let within = || {
                let leads = scene.setting.is_written() && scene.line.lower(scene.sentence.from) == "in" && np.owner.is_none();
                let place = scene.np_at(scene.sentence.from + 1).filter(|(_, place)| place.is_name() && place.to < np.from);
                place.filter(|_| leads).and_then(|(chunk, _)| scene.denoted(chunk))
            };
            // "These days home is Ely": one's own.
            let home = || {
                let own = !scene.setting.is_written() && np.det.is_none() && np.owner.is_none() && scene.noun_phrase(np) == "home";
                self.setting.author().filter(|_| own).map(str::to_owned)
            };
            let owner = Self::possessor(scene, *subject, np).map(|(owner, _)| owner).or_else(within).or_else(at_hand).or_else(home);
            let Some(owner) = owner.filter(|_| !named) else { continue };
            let count = self.reading.drafts.len();
            fired |= self.values(scene, clause, &noun, &owner, at, saying);
            if let Some(value) = self.reading.drafts.get(count).map(|draft| draft.tail.clone()) {
                self.sort_of_pet(scene, &noun, &value, clause.rest.1, saying);
            }
        }
        if fired {
            return true;
        }
        if located {
            return false;
        }
        if self.last_day(scene, clause, subjects, saying) {
            return true;
        }
        // The noun on the other side.
        let Some((chunk, np)) = scene.np_at(at).filter(|(_, np)| np.from == at && np.name.is_none() && !np.pronoun) else { return false };
        let Some(noun) = noun_of(scene, np) else { return false };
        let Some((owner, _)) = Self::possessor(scene, chunk, np) else { return false };
        // "I'm head of sales at the mill" has a title; an institution that is headed has a name.
        let heads = |frame: &NounFrame| {
            scene.grammar.relation(frame.relation).is_some_and(|one| matches!(one.name.as_str(), "director_of" | "ceo_of"))
        };
        let small = owner.chars().all(|c| !c.is_uppercase());
        let noun = Noun { frames: noun.frames.into_iter().filter(|frame| !(small && heads(frame))).collect(), ..noun };
        if noun.frames.is_empty() {
            return false;
        }
        let mut values = Vec::new();
        for subject in subjects {
            let Some(subject_np) = scene.np(*subject) else { continue };
            // "Winning a cup is my goal": what is done, not the cup.
            let deed = subject_np.from.checked_sub(1).filter(|at| {
                *at == scene.sentence.from
                    && matches!(scene.line.verb(*at), Some((_, super::tag::Form::Ing)))
                    && scene.line.verb(*at).is_some()
            });
            let text = match deed {
                Some(at) => Some(scene.slice(at, clause.group.from).to_owned()),
                None if subject_np.pronoun => scene.pronoun(subject_np.from),
                None => scene.denoted(*subject),
            };
            values.extend(text);
        }
        let saying = Saying { former: saying.former || noun.former, ..saying.clone() };
        self.frames(scene, &noun, &owner, &values, &saying, false)
    }

    /// "The Prime Minister of Ely is Ann Orr", "Ely's mayor is Ann Orr": an office, and who holds it.
    fn office(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, subjects: &[usize], saying: &Saying<'_>) -> bool {
        let [subject] = subjects else { return false };
        let Some(np) = scene
            .np(*subject)
            .filter(|np| !np.pronoun && clause.group.lemma == "be" && !clause.group.passive && scene.setting.is_written())
        else {
            return false;
        };
        let office = scene.line.phrase(np.core, np.to);
        let known = scene.grammar.has_class(office.trim_start_matches("current "), "office") && !office.contains("head of");
        let of = scene.word(subject + 1).filter(|(at, _)| scene.line.lower(*at) == "of").and_then(|_| scene.np(subject + 2));
        let tail = match (&np.owner, of) {
            (Some(Owner::Phrase(owner)), _) => format!("{} of {}", scene.slice(np.core, np.to), scene.slice(owner.core, owner.to)),
            (None, None) if office.contains(" of ") => scene.slice(np.core, np.to).to_owned(),
            (None, Some(of)) if of.name.is_some() => scene.slice(np.core, of.to).to_owned(),
            _ => return false,
        };
        let tail = tail.strip_prefix("current ").unwrap_or(&tail).to_owned();
        let holder = scene.np_at(clause.rest.0).filter(|(_, holder)| holder.is_name() && holder.from == clause.rest.0);
        let Some((_, holder)) = holder.filter(|_| known) else { return false };
        let head = scene.slice(holder.core, holder.to).to_owned();
        self.claim(scene, "holds_position", 0, Effect::Holds, &head, &tail, &Saying { to: holder.to, ..saying.clone() });
        true
    }

    /// "My last day at the mill is 30 June": the work there goes on until then.
    fn last_day(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, subjects: &[usize], saying: &Saying<'_>) -> bool {
        let Some((chunk, np)) = subjects.first().and_then(|subject| Some((*subject, scene.np(*subject)?))) else { return false };
        let led = scene.word(chunk + 1).is_some_and(|(at, _)| matches!(scene.line.lower(at), "at" | "with"));
        if scene.noun_phrase(np) != "last day" || !led || saying.times.is_empty() {
            return false;
        }
        let owner = np.owner.as_ref().and_then(|owner| scene.owner(chunk, owner));
        let (Some(owner), Some(place)) = (owner, scene.denoted(chunk + 2)) else { return false };
        // "My last day was Friday" tells of an end, "is Friday" of one to come.
        let over = clause.group.tense == super::chunk::Tense::Past;
        let said = if over {
            super::judge::Verdict { phase: crate::extract::rules::draft::Phase::Over, polarity: crate::model::Polarity::Ends }
        } else {
            super::judge::Verdict { phase: crate::extract::rules::draft::Phase::Now, polarity: crate::model::Polarity::Holds }
        };
        let count = self.reading.drafts.len();
        self.push(scene, "employer", 0, said, &owner, &place, &Saying { to: clause.rest.1, ..saying.clone() });
        for draft in self.reading.drafts.iter_mut().skip(count).filter(|_| !over) {
            draft.times.iter_mut().for_each(|time| time.role = crate::time::expr::Role::Until);
        }
        true
    }

    /// "The mill's seat moved from Ely to Rome", "her salary rose to 40,000": a value that a noun has changes.
    pub(super) fn moved_noun(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, subjects: &[usize], saying: &Saying<'_>) -> bool {
        const CHANGES: [&str; 22] = [
            "move", "change", "switch", "shift", "relocate", "rise", "increase", "fall", "drop", "grow", "go", "raise", "cut", "reduce",
            "lower", "transfer", "climb", "shrink", "update", "extend", "postpone", "bump",
        ];
        if !CHANGES.contains(&clause.group.lemma) {
            return false;
        }
        let Some((chunk, np)) =
            subjects.first().and_then(|subject| Some((*subject, scene.np(*subject)?))).filter(|(_, np)| !np.pronoun && np.name.is_none())
        else {
            return false;
        };
        let (Some(noun), Some((owner, _))) = (noun_of(scene, np), Self::possessor(scene, chunk, np)) else { return false };
        let count = self.reading.drafts.len();
        // Whoever moves may be meant: "my wife moved from Ely to Rome" tells where she lives, and nothing of whom one married.
        let moves = matches!(clause.group.lemma, "move" | "relocate" | "go" | "transfer" | "shift" | "switch");
        for frame in noun.frames.iter().filter(|frame| frame.owner_is_head) {
            let Some(relation) = scene.grammar.relation(frame.relation) else { continue };
            if moves && !is_position(relation.tail) {
                continue;
            }
            for (word, effect) in [("to", Effect::Begins), ("from", Effect::Ends)] {
                let pieces = [super::pack::Piece::Word(vec![word.to_owned()]), super::pack::Piece::Tail(relation.tail)];
                let Some(found) = scene.matches(&pieces, clause.rest.0, clause.rest.1) else { continue };
                let inside: Vec<usize> = found.tails.iter().flat_map(|filled| scene.times(filled.from, filled.to)).collect();
                let times = saying.times.iter().copied().filter(|time| !inside.contains(time)).collect();
                let saying = Saying { times, ..saying.clone() };
                for filled in &found.tails {
                    self.claim(scene, &relation.name, frame.number, effect, &owner, &filled.text, &saying);
                }
            }
        }
        self.reading.drafts.len() > count
    }

    /// What stands in brackets or behind a colon beside a noun: "Ely (population 20,000)", "Opening hours: 9 to 5".
    pub(super) fn labelled(&mut self, scene: &Scene<'_, '_>, owner: &str, from: usize, to: usize) -> bool {
        let Some(value) = (from + 1..(from + 4).min(to))
            .find(|at| scene.noun(&scene.line.phrase(from, *at)).is_some_and(|(known, _)| known == scene.line.phrase(from, *at)))
        else {
            return false;
        };
        let Some((word, frames)) = scene.noun(&scene.line.phrase(from, value)) else { return false };
        let at = if matches!(scene.line.lower(value), ":" | "-" | "of" | "=") { value + 1 } else { value };
        let noun = Noun { word, frames, former: false, held: false, of: false };
        let mut fired = false;
        for frame in noun.frames.iter().filter(|frame| frame.owner_is_head) {
            let Some(relation) = scene.grammar.relation(frame.relation) else { continue };
            let Some(found) = scene.matches(&[super::pack::Piece::Tail(relation.tail)], at, to) else { continue };
            let saying = Saying::of_noun(scene, from, found.to, false);
            for filled in &found.tails {
                self.claim(scene, &relation.name, frame.number, Effect::Holds, owner, &filled.text, &saying);
                fired = true;
            }
        }
        fired
    }

    /// "Ann Orr (3 May 1901 – 9 June 1977)", "Ann Orr (1901–1977)", "Ann Orr (born 1931)": of people, when they were born and died.
    fn life(&mut self, scene: &Scene<'_, '_>, chunk: usize, open: usize) {
        let Some(owner) = scene.denoted(chunk).filter(|_| scene.setting.is_written()) else { return };
        let inner: Vec<usize> = (open + 1..scene.sentence.to).take_while(|at| scene.line.lower(*at) != ")").collect();
        // Nothing but times and what parts them; of a firm, one year in brackets is no birth.
        let plain = inner.iter().all(|at| {
            scene.line.tag(*at) == Some(Tag::Time)
                || scene.line.tag(*at) == Some(Tag::Num)
                || matches!(scene.line.lower(*at), "–" | "-" | "—" | "†")
        });
        let (Some(first), Some(last)) = (inner.first(), inner.last()) else { return };
        let text = scene.slice(*first, last + 1).trim();
        let Some((born, died)) = [" – ", " - ", " — ", "–", "—"].iter().find_map(|mark| text.split_once(mark)).filter(|_| plain)
        else {
            return;
        };
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count() >= 4;
        if !digits(born) || !digits(died) {
            return;
        }
        let quote = scene.bytes(open, last + 1);
        for (relation, when) in [("birth_date", born.trim()), ("died_on", died.trim())] {
            let found = crate::time::expr::find(when, &self.setting.calendar);
            let Some(time) =
                found.into_iter().next().map(|time| crate::time::expr::TimeMention { role: crate::time::expr::Role::At, ..time })
            else {
                continue;
            };
            self.reading.drafts.push(crate::extract::rules::draft::Draft {
                head: owner.clone(),
                relation: relation.to_owned(),
                tail: when.to_owned(),
                polarity: crate::model::Polarity::Holds,
                phase: crate::extract::rules::draft::Phase::Happened,
                times: vec![time],
                quote: quote.clone(),
                pattern: format!("en/{relation}/0"),
                confidence: super::read::PLAIN,
                corrects: None,
            });
        }
    }

    /// Names with something in brackets behind them that labels itself.
    pub(super) fn bracketed(&mut self, scene: &Scene<'_, '_>) {
        for chunk in 0..scene.chunks.len() {
            let Some(np) = scene.np(chunk).filter(|np| np.is_name()) else { continue };
            if scene.line.lower(np.to) != "(" {
                continue;
            }
            self.life(scene, chunk, np.to);
            let close = (np.to..scene.sentence.to).find(|at| scene.line.lower(*at) == ")").unwrap_or(scene.sentence.to);
            if let Some(owner) = scene.denoted(chunk) {
                self.labelled(scene, &owner, np.to + 1, close);
            }
        }
    }

    /// "My subscription to the Byte ended", "my contract with the mill runs until May": what a noun is the state of.
    pub(super) fn state_noun(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, subjects: &[usize], saying: &Saying<'_>) -> bool {
        let Some((chunk, np)) =
            subjects.first().and_then(|subject| Some((*subject, scene.np(*subject)?))).filter(|(_, np)| !np.pronoun && np.name.is_none())
        else {
            return false;
        };
        let last = scene.line.lower(np.to - 1);
        let over = scene.line.lower(clause.rest.0) == "over" || scene.line.lower(clause.rest.0) == "up";
        let effect = match clause.group.lemma {
            "end" | "expire" | "lapse" | "finish" | "stop" | "terminate" | "cease" | "cancel" => Effect::Ends,
            "be" if over => Effect::Ends,
            "run" | "come" if matches!(scene.line.lower(clause.rest.0), "out" | "to") => Effect::Ends,
            "start" | "begin" | "commence" => Effect::Begins,
            "run" | "last" | "continue" | "go" => Effect::Holds,
            _ => return false,
        };
        let Some(owner) = np.owner.as_ref().and_then(|owner| scene.owner(chunk, owner)) else { return false };
        let states: Vec<_> = scene.grammar.states_of(last).cloned().collect();
        for state in states {
            let led = scene.word(chunk + 1).is_some_and(|(at, _)| state.prepositions.iter().any(|word| word == scene.line.lower(at)));
            let before = (np.core < np.to - 1).then(|| scene.slice(np.core, np.to - 1).to_owned());
            let tail = if led { scene.denoted(chunk + 2).map(|tail| tail.trim_start_matches("my ").to_owned()) } else { before };
            let (Some(tail), Some(relation)) = (tail, scene.grammar.relation(state.relation)) else { continue };
            // "is over" and "ended" are of the past; "ends on 3 May" is an end to come.
            let group =
                saying.group.map(|group| super::chunk::Vg { tense: if over { super::chunk::Tense::Past } else { group.tense }, ..group });
            let ahead = effect == Effect::Ends
                && group.is_some_and(|group| group.tense == super::chunk::Tense::Present && !group.perfect && !group.passive);
            let effect = if ahead { Effect::Holds } else { effect };
            let count = self.reading.drafts.len();
            self.claim(scene, &relation.name, 0, effect, &owner, &tail, &Saying { group, ..saying.clone() });
            if ahead {
                let new = self.reading.drafts.iter_mut().skip(count);
                new.flat_map(|draft| draft.times.iter_mut()).for_each(|time| time.role = crate::time::expr::Role::Until);
            }
            return self.reading.drafts.len() > count;
        }
        false
    }

    /// The names that stand beside a plural: "my parents, Ruth and David,".
    pub(super) fn listed_names(scene: &Scene<'_, '_>, chunk: usize) -> Vec<String> {
        let Some(np) = scene.np(chunk).filter(|np| np.owner.is_some() && np.name.is_none()) else { return Vec::new() };
        let many = super::morph::is_plural(&scene.noun_phrase(np)) && noun_of(scene, np).is_some();
        let marked = scene.line.tag(np.to) == Some(Tag::Comma) || matches!(scene.line.lower(np.to), ":" | "(" | "–" | "—");
        if !many || !marked {
            return Vec::new();
        }
        let found = scene.matches(&[super::pack::Piece::Tail(Sort::Name)], np.to + 1, scene.sentence.to);
        found
            .map(|found| found.tails.into_iter().map(|filled| filled.text).collect())
            .filter(|names: &Vec<String>| names.len() > 1)
            .unwrap_or_default()
    }

    /// Keeps what is said to be somebody's without saying what it is.
    pub(super) fn hold(&mut self, scene: &Scene<'_, '_>) {
        let held = |chunk: usize| {
            let np = scene.np(chunk).filter(|np| np.name.is_none())?;
            let owner = np.owner.as_ref()?;
            Some((noun_of(scene, np)?.word, scene.owner(chunk, owner)?))
        };
        if let Some(last) = (0..scene.chunks.len()).rev().find_map(held) {
            self.held = Some(last);
        }
    }

    fn skip(scene: &Scene<'_, '_>, mut at: usize, end: usize) -> usize {
        while at < end && matches!(scene.line.tag(at), Some(Tag::Adv)) {
            at += 1;
        }
        at
    }

    /// What a relational noun is said to be: as many values as are joined there.
    fn values(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, noun: &Noun, owner: &str, at: usize, saying: &Saying<'_>) -> bool {
        let mut fired = false;
        let saying = Saying { former: saying.former || noun.former, ..saying.clone() };
        for frame in &noun.frames {
            let Some(relation) = scene.grammar.relation(frame.relation) else { continue };
            let sort = if frame.owner_is_head { relation.tail } else { relation.head };
            // "It is …" of what was named before: only what has a form of its own.
            if noun.held
                && !matches!(
                    sort,
                    Sort::Phone | Sort::Email | Sort::Number | Sort::Name | Sort::Date | Sort::Address | Sort::Version | Sort::Class(_)
                )
            {
                continue;
            }
            // Of a noun that owns, what it is has to be named; of an amount or a text, anything goes.
            let piece = [super::pack::Piece::Tail(sort)];
            // "is called Ann", "is named Ann" stand for a name.
            // "the head office is in Ely": the place itself.
            let within = sort == Sort::Place && matches!(scene.line.lower(at), "in" | "at" | "on") && relation.name == "headquartered_in";
            let place = if matches!(scene.line.lower(at), "called" | "named") || within { at + 1 } else { at };
            let country = [super::pack::Piece::Tail(Sort::PlaceName)];
            let found = scene.matches(&piece, place, clause.rest.1);
            let Some(found) =
                found.or_else(|| (relation.name == "nationality").then(|| scene.matches(&country, place, clause.rest.1)).flatten())
            else {
                continue;
            };
            // "My phone is dead" names no phone.
            let told = |at: usize| {
                scene.np_at(at).is_none_or(|(_, np)| {
                    np.name.is_some()
                        || np.det.is_some()
                        || ["tool", "device", "database", "platform"]
                            .iter()
                            .any(|class| scene.grammar.has_class(&scene.line.phrase(np.core, np.to), class))
                })
            };
            if relation.name == "uses" && !found.tails.iter().all(|filled| told(filled.from)) {
                continue;
            }
            // "My cat is a menace" names no cat.
            let named = |at: usize| scene.np_at(at).is_none_or(|(_, np)| np.name.is_some());
            if relation.name == "has_pet" && !found.tails.iter().all(|filled| named(filled.from)) {
                continue;
            }
            // "Ada, Finn and Rue": among names, what is a people elsewhere is one, too.
            let listed = found.tails.len() > 2;
            let values: Vec<String> = found
                .tails
                .into_iter()
                .filter(|filled| listed || Self::is_value(scene, sort, filled.from))
                .map(|filled| filled.text)
                .collect();
            if values.is_empty() {
                continue;
            }
            // A birthday without its year says nothing of when somebody was born.
            let yearly = relation.dated
                && !scene.slice(place, found.to).chars().collect::<Vec<_>>().windows(4).any(|four| four.iter().all(char::is_ascii_digit));
            let inside: Vec<usize> = if relation.dated && !yearly { Vec::new() } else { scene.times(place, found.to) };
            let times = saying.times.iter().copied().filter(|time| !inside.contains(time)).collect();
            let saying = Saying { times, to: found.to, ..saying.clone() };
            let one = Noun { word: noun.word.clone(), frames: vec![*frame], former: noun.former, held: noun.held, of: noun.of };
            fired |= self.frames(scene, &one, owner, &values, &saying, false);
        }
        fired
    }

    /// Whether a phrase can be what a relational noun is: "my sister is a nurse" says nothing of who she is.
    fn is_value(scene: &Scene<'_, '_>, sort: Sort, at: usize) -> bool {
        let Some((_, np)) = scene.np_at(at) else { return true };
        let indefinite = np.det.is_some_and(|det| matches!(scene.line.lower(det), "a" | "an" | "no"));
        match sort {
            // "My aunt's husband is Danish" names nobody.
            Sort::Person | Sort::PersonName
                if ["nationality", "religion", "diet"]
                    .iter()
                    .any(|class| scene.grammar.has_class(&scene.line.phrase(np.core, np.to), class)) =>
            {
                false
            }
            Sort::Person | Sort::PersonName | Sort::Org | Sort::OrgName | Sort::Place => {
                let of_name =
                    sort == Sort::Place && scene.line.lower(np.to) == "of" && scene.np_at(np.to + 1).is_some_and(|(_, of)| of.is_name());
                np.name.is_some() && !indefinite || np.owner.is_some() || of_name
            }
            _ => true,
        }
    }

    /// "have a dog called Rex", "have this flatmate, Ann".
    pub(super) fn possession(&mut self, scene: &Scene<'_, '_>, clause: &Clause<'_>, owners: &Heads<'_>, saying: &Saying<'_>) {
        if clause.group.lemma != "have" && clause.group.lemma != "own" && clause.group.lemma != "adopt" || clause.group.passive {
            return;
        }
        let mut at = Self::skip(scene, clause.rest.0, clause.rest.1);
        while let Some((chunk, np)) = scene.np_at(at).filter(|(_, np)| np.from == at && !np.pronoun && at < clause.rest.1) {
            let noun = noun_of(scene, np);
            // "two brothers, Max and Paul", "three children: …".
            let many = super::morph::is_plural(&scene.noun_phrase(np)) && np.name.is_none() && np.owner.is_none();
            let listed = many
                && (scene.line.tag(np.to) == Some(Tag::Comma)
                    || matches!(scene.line.tokens.get(np.to).map(|token| token.text), Some(":" | "-" | "–" | "—" | "(")));
            if listed
                && let Some(noun) = &noun
                && let Some(found) = scene.matches(&[super::pack::Piece::Tail(Sort::Name)], np.to + 1, scene.sentence.to)
            {
                let values: Vec<String> = found.tails.iter().map(|filled| filled.text.clone()).collect();
                for owner in owners.get(self, scene) {
                    self.frames(scene, noun, owner, &values, saying, true);
                }
                for value in &values {
                    self.sort_of_pet(scene, noun, value, scene.sentence.to, saying);
                }
                return;
            }
            // "I have no dog" denies one; "no pets" denies none in particular.
            let no = np.det.is_some_and(|det| scene.line.tag(det) == Some(Tag::No));
            let saying = &Saying { denied: saying.denied || no, ..saying.clone() };
            let any = matches!(scene.noun_phrase(np).as_str(), "pet" | "pets" | "animal" | "animals");
            let pet = scene.grammar.has_class(&scene.noun_phrase(np), "animal") && np.owner.is_none() && !(any && (no || saying.negated()));
            if let (Some(noun), Some((from, to)), None) = (&noun, scene.name(chunk), &np.owner)
                && !np.is_name()
            {
                let value = scene.slice(from, to).to_owned();
                for owner in owners.get(self, scene) {
                    self.frames(scene, noun, owner, std::slice::from_ref(&value), saying, true);
                }
                self.sort_of_pet(scene, noun, &value, to, saying);
            } else if pet
                && scene.name(chunk).is_none()
                && let Some(noun) = &noun
            {
                let value = scene.slice(np.core, np.to).to_owned();
                for owner in owners.get(self, scene) {
                    self.frames(scene, noun, owner, std::slice::from_ref(&value), saying, true);
                }
            }
            let mut next = np.to;
            if let Some((_, to)) = scene.name(chunk) {
                next = next.max(to);
            }
            while next < clause.rest.1 && matches!(scene.line.tag(next), Some(Tag::Comma | Tag::And)) {
                next += 1;
            }
            if next == at || next <= np.to && scene.name(chunk).is_none_or(|(_, to)| next <= to) {
                break;
            }
            at = next;
        }
    }

    /// What sort of animal a pet is: said by its noun, or by the apposition behind its name.
    fn sort_of_pet(&mut self, scene: &Scene<'_, '_>, noun: &Noun, value: &str, after: usize, saying: &Saying<'_>) {
        let pets =
            noun.frames.iter().any(|frame| scene.grammar.relation(frame.relation).is_some_and(|relation| relation.name == "has_pet"));
        if !pets || saying.negated() {
            return;
        }
        const LOOKS: [&str; 23] = [
            "old",
            "new",
            "little",
            "young",
            "big",
            "small",
            "black",
            "white",
            "grey",
            "gray",
            "brown",
            "cute",
            "lovely",
            "sweet",
            "tiny",
            "adorable",
            "beautiful",
            "elderly",
            "own",
            "first",
            "second",
            "ginger",
            "pet",
        ];
        let mut sort = noun.word.clone();
        while let Some((first, rest)) = sort.split_once(' ').filter(|(first, _)| LOOKS.contains(first)) {
            let _ = first;
            sort = rest.to_owned();
        }
        if scene.line.tag(after) == Some(Tag::Comma)
            && let Some((_, np)) = scene.np_at(after + 1)
            && np.det.is_some_and(|det| matches!(scene.line.lower(det), "a" | "an"))
        {
            scene.slice(np.core, np.to).clone_into(&mut sort);
        } else if matches!(sort.as_str(), "pet" | "baby" | "fur baby") {
            return;
        }
        let present = Saying { group: None, former: false, timeless: true, ..saying.clone() };
        self.claim(scene, "is_a", 0, Effect::Holds, value, &sort, &present);
    }

    /// Claims every frame of a noun between an owner and its values.
    fn frames(&mut self, scene: &Scene<'_, '_>, noun: &Noun, owner: &str, values: &[String], saying: &Saying<'_>, by_name: bool) -> bool {
        let mut fired = false;
        for frame in &noun.frames {
            let Some(relation) = scene.grammar.relation(frame.relation) else { continue };
            let wants_name = matches!(
                if frame.owner_is_head { relation.tail } else { relation.head },
                Sort::Date | Sort::Number | Sort::Rest | Sort::Bare | Sort::Phone
            );
            if by_name && wants_name {
                continue;
            }
            for value in values {
                let (head, tail) = if frame.owner_is_head { (owner, value.as_str()) } else { (value.as_str(), owner) };
                if head.eq_ignore_ascii_case(tail) {
                    continue;
                }
                // "We adopted a dog called Rex": from then on.
                let begins = saying.group.is_some_and(|group| group.lemma == "adopt");
                let effect = if begins { Effect::Begins } else { Effect::Holds };
                self.claim(scene, &relation.name, frame.number, effect, head, tail, saying);
                fired = true;
            }
        }
        fired
    }
}

/// Whether a value of a sort lies on a scale or a map, so that it can move itself.
const fn is_position(sort: Sort) -> bool {
    matches!(
        sort,
        Sort::Place
            | Sort::PlaceName
            | Sort::Street
            | Sort::Address
            | Sort::Date
            | Sort::Times
            | Sort::Number
            | Sort::Money
            | Sort::Age
            | Sort::Version
    )
}
