//! Matching: whether a pattern fits a clause, and what its slots take: sorts, coordination, and the surface that is recorded.
//! Knows no tense.

use super::chunk::Chunk;
use super::pack::{Piece, Sort};
use super::scene::Scene;
use super::tag::Form;
use super::token::Kind;
use super::words::Tag;

/// What a slot took: as it is recorded, and the tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filled {
    pub(super) text: String,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// What a pattern found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) heads: Vec<Filled>,
    pub(super) tails: Vec<Filled>,
    /// The tokens that were words of the pattern itself.
    pub(super) literals: Vec<usize>,
    /// The first token after what it used.
    pub(super) to: usize,
    /// A "no" stood before a noun of the pattern.
    pub(super) denied: bool,
}

/// Words that may stand before an amount.
const ABOUT: [&str; 12] =
    ["about", "around", "over", "nearly", "almost", "roughly", "approximately", "some", "under", "just", "more", "only"];
/// Words that belong to an amount.
const MAGNITUDES: [&str; 8] = ["hundred", "thousand", "million", "billion", "trillion", "k", "m", "bn"];
/// What makes an amount of something uncountable of what follows.
const PORTIONS: [&str; 12] = ["bit", "little", "lot", "lots", "couple", "kind", "sort", "pair", "number", "few", "plenty", "type"];

impl Scene<'_, '_> {
    /// Matches the pieces of a pattern in a stretch of tokens.
    pub(super) fn matches(&self, pieces: &[Piece], from: usize, to: usize) -> Option<Found> {
        self.pieces(pieces, from, to, Found { to: from, ..Found::default() })
    }

    fn pieces(&self, pieces: &[Piece], at: usize, end: usize, found: Found) -> Option<Found> {
        let Some((piece, rest)) = pieces.split_first() else { return Some(found) };
        // "She lives there": the place that was spoken of last.
        if let (Piece::Word(words), [Piece::Tail(Sort::Place | Sort::PlaceName | Sort::Org), after @ ..]) = (piece, rest)
            && words.iter().any(|word| matches!(word.as_str(), "in" | "at" | "to"))
            && let Some(there) = (at..end).find(|place| self.line.lower(*place) == "there")
            && !(at..there).any(|place| matches!(self.line.tag(place), Some(Tag::Prep | Tag::Noun | Tag::Name)))
            && let Some(text) = self.there()
        {
            let filled = Filled { text, from: there, to: there + 1 };
            return self.pieces(after, there + 1, end, Found { tails: vec![filled], to: there + 1, ..found });
        }
        match piece {
            Piece::Word(words) => self.literal(words, rest, at, end, &found),
            Piece::Maybe(words) => {
                let with = self.literal(words, rest, at, end, &found);
                with.or_else(|| self.pieces(rest, at, end, found))
            }
            Piece::Tail(sort) => {
                let stop = rest.first().and_then(|piece| if let Piece::Word(words) = piece { Some(words.as_slice()) } else { None });
                let (mut tails, after) = self.fill(*sort, at, end, stop)?;
                // "asthma and a nut allergy": the last one alone is what the allergy is to.
                if let (Some(_), [.., last]) = (stop, tails.as_slice())
                    && tails.len() > 1
                    && self.np_at(last.from).is_some_and(|(_, np)| np.det.is_some() && np.to > last.to)
                {
                    tails = vec![last.clone()];
                }
                let no = tails
                    .first()
                    .and_then(|first| self.np_at(first.from))
                    .and_then(|(_, np)| np.det)
                    .is_some_and(|det| self.line.tag(det) == Some(Tag::No));
                self.pieces(rest, after, end, Found { tails, to: after, denied: found.denied || no, ..found })
            }
            Piece::Head(sort) => {
                let stop = rest.first().and_then(|piece| if let Piece::Word(words) = piece { Some(words.as_slice()) } else { None });
                let (heads, after) = self.fill(*sort, at, end, stop)?;
                self.pieces(rest, after, end, Found { heads, to: after, ..found })
            }
            Piece::Other => {
                let at = self.skip_light(at, end);
                let (_, np) = self.np_at(at)?;
                self.pieces(rest, np.to, end, Found { to: np.to, ..found })
            }
        }
    }

    fn literal(&self, words: &[String], rest: &[Piece], at: usize, end: usize, found: &Found) -> Option<Found> {
        let is = |place: usize| {
            let lower = self.line.lower(place);
            // "any more" is no "more".
            if lower == "more" && self.line.lower(place.wrapping_sub(1)) == "any" {
                return false;
            }
            let base = self.line.verb(place).map_or("", |(lemma, _)| lemma);
            words.iter().any(|word| word == lower || word == base || word.len() > 3 && super::morph::singular(lower) == *word)
        };
        let leads = words.iter().any(|word| matches!(super::words::closed(word), Some(Tag::Prep | Tag::To)));
        let mut denied = found.denied;
        for place in at..end {
            // "a job interview" is no "job" that something could follow "at".
            let inner = !leads
                && matches!(rest.first(), Some(Piece::Word(words)) if words.iter().any(|word| matches!(super::words::closed(word), Some(Tag::Prep | Tag::To))))
                && self.np_at(place).is_some_and(|(_, np)| np.to > place + 1 && self.line.tag(place) == Some(Tag::Noun));
            if is(place) && inner {
                return None;
            }
            if is(place) {
                let mut literals = found.literals.clone();
                literals.push(place);
                let next = Found { to: place + 1, denied, literals, ..found.clone() };
                if let Some(found) = self.pieces(rest, place + 1, end, next) {
                    return Some(found);
                }
                if !leads {
                    return None;
                }
            }
            let tag = self.line.tag(place)?;
            // "plan to go on Friday" is no plan on Friday: what is meant to be done follows at once.
            if leads && matches!(rest, [Piece::Tail(Sort::Rest)]) && !matches!(tag, Tag::Adv | Tag::Time | Tag::Comma) {
                return None;
            }
            denied |= tag == Tag::No;
            // "moved the files to Rome" is no move of somebody's: a preposition right behind the verb skips no object.
            let object = leads
                && place == at
                && found.literals.is_empty()
                && found.tails.is_empty()
                && found.heads.is_empty()
                && matches!(tag, Tag::Det | Tag::Poss | Tag::Noun | Tag::Name | Tag::Num | Tag::Pron | Tag::No);
            if object {
                return None;
            }
            let light = matches!(tag, Tag::Det | Tag::Poss | Tag::Adv | Tag::Time | Tag::No | Tag::Not);
            let inside =
                matches!(tag, Tag::Noun | Tag::Name | Tag::Num) && self.np_at(place).is_some_and(|(_, np)| (place + 1..np.to).any(is));
            if !(leads || light || inside) {
                return None;
            }
            // "work on a site for a mill": the mill has the site, not the worker.
            if leads && tag == Tag::Prep && self.line.lower(place) == "on" && words.iter().any(|word| word == "for") {
                return None;
            }
            // A preposition's phrase may come after others of its verb, but not after another clause's words.
            if leads && tag == Tag::To && self.line.verb(place + 1).is_some() {
                return None;
            }
            if leads && matches!(tag, Tag::Mark | Tag::Speech | Tag::Wh | Tag::Sub) {
                return None;
            }
        }
        None
    }

    fn skip_light(&self, mut at: usize, end: usize) -> usize {
        while at < end && (matches!(self.line.tag(at), Some(Tag::Adv | Tag::Time)) || self.line.lower(at) == "being") {
            at += 1;
        }
        at
    }

    /// What a slot takes at a place, coordinated phrases each for itself, and the place after it.
    fn fill(&self, sort: Sort, at: usize, end: usize, stop: Option<&[String]>) -> Option<(Vec<Filled>, usize)> {
        match sort {
            Sort::Rest | Sort::Bare => {
                // "O negative in case you need it".
                let case = (at..end).find(|at| self.line.lower(*at) == "in" && matches!(self.line.lower(*at + 1), "case"));
                let end = case.filter(|case| *case > at).unwrap_or(end);
                let mut to = end;
                if sort == Sort::Bare {
                    to = (at..end).find(|place| matches!(self.line.tag(*place), Some(Tag::Time))).unwrap_or(end);
                    while to > at && matches!(self.line.tag(to - 1), Some(Tag::Prep | Tag::Comma | Tag::And)) {
                        to -= 1;
                    }
                }
                // What leads on to the next clause is no part of it: "release a demo soon so", "run again - even".
                let leads_on = |at: usize| {
                    matches!(self.line.tag(at), Some(Tag::Comma | Tag::Mark | Tag::And | Tag::Sub | Tag::But))
                        || matches!(self.line.lower(at), "please" | "so" | "even" | "especially" | "then" | "just")
                };
                while to > at && leads_on(to - 1) {
                    to -= 1;
                }
                // What a preposition leads is not left off where another verb begins: "the joy of being out".
                if sort == Sort::Rest && to > at && self.line.tag(to - 1) == Some(Tag::Prep) && to < self.sentence.to {
                    to = (to..self.sentence.to)
                        .find(|place| matches!(self.line.tag(*place), Some(Tag::Mark | Tag::But | Tag::Comma)))
                        .unwrap_or(self.sentence.to);
                }
                let mut from = at;
                while from < to
                    && matches!(self.line.tag(from), Some(Tag::Det | Tag::Poss | Tag::Adv))
                    && !matches!(self.line.lower(from), "every" | "each" | "all")
                {
                    from += 1;
                }
                // "my goal is to run": what is aimed at is the running.
                if self.line.tag(from) == Some(Tag::To) && from + 1 < to {
                    from += 1;
                }
                let text = self.slice(from, to);
                let text = text.strip_prefix("the ").unwrap_or(text);
                (from < to).then(|| (vec![Filled { text: text.to_owned(), from, to }], to))
            }
            Sort::Date => {
                let at = if matches!(self.line.tag(at), Some(Tag::Prep | Tag::Det)) { at + 1 } else { at };
                let vague = matches!(self.line.lower(at), "now" | "currently" | "at the moment" | "right now" | "these days" | "nowadays")
                    || self.is_lasting(at);
                (at < end && self.line.tag(at) == Some(Tag::Time) && !vague)
                    .then(|| (vec![Filled { text: self.dated(at), from: at, to: at + 1 }], at + 1))
            }
            Sort::Number | Sort::Money | Sort::Age | Sort::Phone | Sort::Email | Sort::Address | Sort::Street | Sort::Version => {
                let filled = self.formed(sort, at, end, stop)?;
                let to = filled.to;
                Some((vec![filled], to))
            }
            Sort::Times => {
                let (rest, to) = self.fill(Sort::Rest, at, end, None)?;
                let rhythm = |at: usize| {
                    matches!(
                        self.line.lower(at),
                        "nights" | "days" | "weekends" | "mornings" | "weekdays" | "daily" | "evenings" | "afternoons"
                    )
                };
                let timed = rest.iter().any(|filled| (filled.from..filled.to).any(|at| self.is_clock_or_weekday(at) || rhythm(at)));
                let led = matches!(self.line.tag(at), Some(Tag::Time | Tag::Num | Tag::Adv | Tag::Det)) || rhythm(at);
                // "from 8 to 4" is recorded without what leads it.
                let stripped =
                    |filled: Filled| Filled { text: filled.text.strip_prefix("from ").unwrap_or(&filled.text).to_owned(), ..filled };
                (timed && led).then(|| (rest.into_iter().map(stripped).collect(), to))
            }
            Sort::Any
            | Sort::Name
            | Sort::Person
            | Sort::PersonName
            | Sort::Human
            | Sort::Place
            | Sort::PlaceName
            | Sort::Org
            | Sort::OrgName
            | Sort::Thing
            | Sort::Title
            | Sort::People
            | Sort::Indefinite
            | Sort::Full
            | Sort::Class(_) => self.several(sort, at, end, stop),
        }
    }

    /// A time without the word that leads it.
    fn dated(&self, at: usize) -> String {
        let text = self.slice(at, at + 1);
        // "moved from Tuesday to Thursday": to the latter.
        if let Some((first, last)) = text.split_once(" to ").filter(|(first, _)| first.to_lowercase().starts_with("from ")) {
            let _ = first;
            return last.to_owned();
        }
        let leads = ["on ", "in ", "at ", "by ", "since ", "until ", "from "];
        let lower = text.to_lowercase();
        let lead = leads.iter().find(|lead| lower.starts_with(**lead)).map_or(0, |lead| lead.len());
        let text = text.get(lead..).unwrap_or(text);
        text.strip_prefix("the ").unwrap_or(text).to_owned()
    }

    /// What is told by its form: amounts, numbers, addresses.
    fn formed(&self, sort: Sort, at: usize, end: usize, stop: Option<&[String]>) -> Option<Filled> {
        let kind = |at: usize| self.line.tokens.get(at).filter(|_| at < end).map(|token| token.kind);
        let text = |at: usize| self.line.tokens.get(at).filter(|_| at < end).map_or("", |token| token.text);
        let one = |at: usize| Some(Filled { text: self.slice(at, at + 1).to_owned(), from: at, to: at + 1 });
        match sort {
            Sort::Money => {
                let filled = self.amount(at, end, stop)?;
                let money = (filled.from..filled.to).any(|at| {
                    matches!(text(at), "$" | "€" | "£" | "¥")
                        || self.grammar.has_class(self.line.lower(at), "currency")
                        || text(at).ends_with(['k', 'K'])
                });
                money.then_some(filled)
            }
            Sort::Age => {
                let spelt =
                    self.line.tag(at) == Some(Tag::Num) && text(at).chars().all(char::is_alphabetic) && self.line.lower(at) != "one";
                let short = spelt || text(at).len() <= 3 && text(at).parse::<u8>().is_ok_and(|age| age < 125);
                let alone =
                    matches!(self.line.tag(at + 1), None | Some(Tag::Comma | Tag::And | Tag::Mark | Tag::But | Tag::Time | Tag::Adv))
                        && self.line.lower(at + 1) != "%";
                if short && alone { one(at) } else { None }
            }
            Sort::Phone => {
                let mut to = at;
                while to < end
                    && (matches!(kind(to), Some(Kind::Number)) || matches!(text(to), "+" | "(" | ")" | "-") || self.is_numeric_time(to))
                {
                    to += 1;
                }
                let slice = self.slice(at, to);
                let digits = slice.chars().filter(char::is_ascii_digit).count();
                (digits >= 6).then(|| Filled { text: slice.trim_end_matches('-').to_owned(), from: at, to })
            }
            Sort::Email => {
                if text(at).contains('@') && text(at).contains('.') {
                    one(at)
                } else {
                    None
                }
            }
            Sort::Address => {
                let shaped = kind(at) == Some(Kind::Address)
                    || text(at).contains('/')
                    || text(at).contains('.') && text(at).len() > 4 && !text(at).starts_with(|c: char| c.is_ascii_digit());
                if shaped { one(at) } else { None }
            }
            Sort::Version => {
                let at = if matches!(self.line.lower(at), "version" | "v" | "release") { at + 1 } else { at };
                let digits = text(at).trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit());
                let dotted = text(at).contains('.') || text(at).starts_with(['v', 'V']) || self.line.lower(at.wrapping_sub(1)) == "version";
                if digits && dotted { one(at) } else { None }
            }
            Sort::Street => {
                let (rest, _) = self.fill(Sort::Bare, at, end, None)?;
                let filled = rest.into_iter().next()?;
                // "to Ely 40000 days ago": what is counted is no house.
                let counts =
                    |at: usize| self.line.tag(at) == Some(Tag::Noun) && self.line.tag(at - 1) == Some(Tag::Num) && at > filled.from + 1;
                let long = |at: usize| self.line.lower(at).chars().filter(char::is_ascii_digit).count() > 5;
                let numbered = (filled.from..filled.to).any(|at| self.line.tag(at) == Some(Tag::Num) && !long(at))
                    && !(filled.from + 1..=filled.to).any(counts);
                let named = (filled.from..filled.to).any(|at| self.line.tag(at) == Some(Tag::Name));
                (numbered && named).then_some(filled)
            }
            _ => self.amount(at, end, stop),
        }
    }

    /// Whether a token is a length of time or what recurs, and so no date.
    fn is_lasting(&self, at: usize) -> bool {
        use crate::time::expr::Value;
        let Some(Kind::Time(index)) = self.line.tokens.get(at).map(|token| token.kind) else { return false };
        self.setting.times.get(index).is_some_and(|time| matches!(time.value, Value::Duration(_) | Value::Set(_)))
    }

    /// Whether a token is a time of day, a weekday or what recurs: what schedules are made of.
    fn is_clock_or_weekday(&self, at: usize) -> bool {
        use crate::time::expr::Sort as TimeSort;
        let Some(Kind::Time(index)) = self.line.tokens.get(at).map(|token| token.kind) else { return false };
        let sort = self.setting.times.get(index).map(|time| time.sort);
        matches!(sort, Some(TimeSort::Time | TimeSort::TimeRange | TimeSort::Set)) || self.line.lower(at).contains("day")
    }

    /// A number that was taken for a time.
    fn is_numeric_time(&self, at: usize) -> bool {
        self.line.tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Time(_)) && token.text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | ' ' | '.'))
        })
    }

    fn amount(&self, from: usize, end: usize, stop: Option<&[String]>) -> Option<Filled> {
        let mut at = from;
        while at < end && self.line.tag(at) != Some(Tag::Num) {
            let lower = self.line.lower(at);
            let lead = ABOUT.contains(&lower) || lower == "than" || matches!(self.line.tag(at), Some(Tag::Det));
            if !lead {
                return None;
            }
            at += 1;
        }
        let start = if at > from && matches!(self.line.tag(from), Some(Tag::Det)) && !ABOUT.contains(&self.line.lower(from)) {
            from + 1
        } else {
            from
        };
        if at >= end {
            return None;
        }
        let stops = |at: usize| {
            stop.is_some_and(|words| {
                words.iter().any(|word| word == self.line.lower(at) || super::morph::singular(self.line.lower(at)) == *word)
            })
        };
        while at < end && !stops(at) {
            let tag = self.line.tag(at);
            let per = matches!(self.line.lower(at), "a" | "an" | "per" | "each" | "every" | "/")
                && at + 1 < end
                && matches!(self.line.tag(at + 1), Some(Tag::Noun | Tag::Time | Tag::Name));
            let goes_on = matches!(tag, Some(Tag::Num | Tag::Noun))
                || MAGNITUDES.contains(&self.line.lower(at))
                || per
                || tag == Some(Tag::Name) && self.line.lower(at).len() <= 3
                || tag == Some(Tag::Time)
                    && at > from
                    && (matches!(self.line.lower(at - 1), "a" | "an" | "per")
                        || ["a ", "an ", "per ", "every ", "each "].iter().any(|lead| self.line.lower(at).starts_with(lead))
                        || matches!(self.line.lower(at), "monthly" | "yearly" | "weekly" | "annually"));
            if !goes_on {
                break;
            }
            at += 1;
        }
        let text = self.slice(start, at);
        (!text.is_empty()).then(|| Filled { text: text.to_owned(), from: start, to: at })
    }

    /// One noun phrase or several that are joined by commas and "and".
    fn several(&self, sort: Sort, at: usize, end: usize, stop: Option<&[String]>) -> Option<(Vec<Filled>, usize)> {
        let at = self.skip_light(at, end);
        let (first, mut after) = self.one(sort, at, end, stop)?;
        let mut first = first;
        // "War and Peace", "Pride & Prejudice": a title of two names.
        if sort == Sort::Title
            && self.line.tag(after) == Some(Tag::And)
            && let Some((_, np)) = self.np_at(after + 1).filter(|(_, np)| np.is_name() && np.from == after + 1 && np.to <= end)
        {
            first = Filled { text: self.slice(first.from, np.to).to_owned(), from: first.from, to: np.to };
            after = np.to;
        }
        let mut found = vec![first];
        let mut pending: Vec<Filled> = Vec::new();
        let mut pending_after = after;
        let mut place = after;
        loop {
            let mut next = place;
            let mut joined = false;
            let mut comma = false;
            while next < end {
                match self.line.tag(next) {
                    Some(Tag::Comma) => comma = true,
                    Some(Tag::And) => joined = true,
                    Some(Tag::Adv) if joined || comma => {}
                    Some(Tag::But) if self.line.lower(next) != "so" && self.line.lower(next + 1) == "also" => joined = true,
                    // "in Rust, and lately in Zig".
                    Some(Tag::Prep) if joined && at > 0 && self.line.lower(next) == self.line.lower(at - 1) => {}
                    Some(Tag::Prep) if self.line.lower(next) == "as" && self.line.lower(next + 1) == "well" => joined = true,
                    _ => break,
                }
                next += 1;
                if joined && self.line.lower(next) == "well" {
                    next += 1;
                    if self.line.lower(next) == "as" {
                        next += 1;
                    }
                }
            }
            if !(joined || comma) || next >= end {
                break;
            }
            // "teaching chords and scales": one thing that is done, not two that are liked.
            let gerund = |at: usize| self.line.verb(at).is_some_and(|(_, form)| form == Form::Ing);
            let Some(led) = found.first().or(pending.first()).map(|first| first.from) else { break };
            if gerund(led) && found.last().is_some_and(|last| last.to > last.from + 1) && !gerund(next) {
                break;
            }
            // "bought a lamp and refurbished my desk": a verb that nobody knows, with an object of its own.
            let does = joined
                && self.line.tag(next) == Some(Tag::Noun)
                && self.line.lower(next).ends_with("ed")
                && matches!(self.line.tag(next + 1), Some(Tag::Det | Tag::Poss | Tag::Pron));
            if does {
                break;
            }
            let Some((filled, to)) = self.one(sort, next, end, stop) else {
                // "asthma, eczema and a nut allergy": the "and" closes a list, whatever its last part is.
                if joined {
                    found.append(&mut pending);
                    after = pending_after;
                }
                break;
            };
            // What a verb follows is that verb's subject; what has an article behind a mere comma describes what came before.
            let is_subject = self
                .chunk_at(to.saturating_sub(1))
                .is_some_and(|chunk| matches!(self.chunks.get(chunk + 1), Some(Chunk::Vg(group)) if !group.reduced));
            let article = |at: usize| self.np_at(at).and_then(|(_, np)| np.det).map_or("", |det| self.line.lower(det));
            // "the drums, the bass and the flute"
            let alike = article(next) == "the"
                && article(led) == "the"
                && (to..end)
                    .take_while(|at| matches!(self.line.tag(*at), Some(Tag::And | Tag::Comma)))
                    .any(|at| self.line.tag(at) == Some(Tag::And));
            let describes = !joined && !alike && self.np_at(next).is_some_and(|(_, np)| np.det.is_some() || np.owner.is_some());
            if is_subject || describes {
                break;
            }
            // "choral and organ music": one kind of thing, told by two words.
            let adjective = |text: &str| {
                !text.contains(' ')
                    && ["ic", "al", "ous", "ive", "ish", "ern", "ful", "ese", "an"].iter().any(|end| text.ends_with(end))
                    && text.chars().all(char::is_lowercase)
            };
            if joined
                && pending.is_empty()
                && let [only] = found.as_mut_slice()
                && adjective(&only.text)
                && filled.text.contains(' ')
            {
                *only = Filled { text: self.slice(only.from, filled.to).to_owned(), from: only.from, to: filled.to };
                after = to;
                place = to;
                continue;
            }
            if joined {
                found.append(&mut pending);
                found.push(filled);
                after = to;
                place = to;
            } else {
                pending.push(filled);
                pending_after = to;
                place = to;
            }
        }
        // Three and more names in a row need no "and"; two with a comma are a place in a place.
        if pending.len() >= 2 {
            found.append(&mut pending);
            after = pending_after;
        }
        Some((found, after))
    }

    fn one(&self, sort: Sort, at: usize, end: usize, stop: Option<&[String]>) -> Option<(Filled, usize)> {
        let (chunk, np) = self.np_at(at)?;
        if np.from < at && np.core > at {
            return None;
        }
        if np.pronoun {
            let text = self.pronoun(np.from)?;
            let word = self.line.lower(np.from);
            let fits = match sort {
                Sort::Thing => word == "it",
                Sort::PersonName => matches!(word, "him" | "her" | "he" | "she"),
                Sort::Person | Sort::Human => matches!(word, "him" | "her" | "them" | "me" | "us" | "he" | "she" | "i" | "we" | "you"),
                Sort::Any => matches!(word, "it" | "him" | "her" | "them" | "me" | "us" | "you"),
                _ => false,
            };
            return fits.then_some((Filled { text, from: np.from, to: np.to }, np.to));
        }
        let mut from = np.core.max(at);
        let mut to = np.to.min(end);
        let mut chunk = chunk;
        // "a bit of Polish", "a couple of friends".
        if PORTIONS.contains(&self.line.lower(to.saturating_sub(1)))
            && self.line.lower(to) == "of"
            && let Some((inner, of)) = self.np_at(to + 1)
            && !of.pronoun
        {
            (from, to, chunk) = (of.core, of.to.min(end), inner);
        }
        // "a little Japanese", "some French".
        if matches!(sort, Sort::Class(_))
            && from + 1 < to
            && matches!(
                self.line.lower(from),
                "little"
                    | "bit"
                    | "basic"
                    | "some"
                    | "fluent"
                    | "broken"
                    | "decent"
                    | "good"
                    | "conversational"
                    | "rusty"
                    | "passable"
                    | "perfect"
                    | "practising"
                    | "practicing"
                    | "devout"
                    | "strict"
                    | "observant"
                    | "committed"
                    | "lifelong"
                    | "staunch"
                    | "registered"
                    | "proud"
            )
        {
            from += 1;
        }
        // "my Byte subscription" where the pattern goes on with "subscription".
        if let Some(words) = stop
            && let Some(place) = (from + 1..to).find(|place| words.iter().any(|word| word == self.line.lower(*place)))
        {
            to = place;
        }
        let np = self.np(chunk)?;
        let indefinite = np.det.is_some_and(|det| matches!(self.line.lower(det), "a" | "an"));
        if sort == Sort::Indefinite && !(indefinite && np.name.is_none()) {
            return None;
        }
        let owner_is_listener = matches!(&np.owner, Some(super::chunk::Owner::Word(word)) if self.line.lower(*word) == "your");
        if owner_is_listener && from <= np.core && !self.setting.is_assistant()
            || np.det.is_some_and(|det| {
                matches!(self.line.lower(det), "this" | "that" | "these" | "those" | "any" | "such")
                    && !(matches!(sort, Sort::Full | Sort::Class(_)) && self.line.lower(det) == "this")
            })
        {
            return None;
        }
        let name = self.name(chunk).filter(|(_, name_to)| *name_to <= end);
        // "an Orb FC supporter": what stands before the pattern's own word is a name.
        let cut = to < np.to.min(end) && name.is_none() && (from..to).all(|at| self.line.tag(at) == Some(Tag::Name));
        let name = if cut { Some((from, to)) } else { name };
        let phrase = self.line.phrase(from, to);
        // "the Ombra docks": a name in front makes a place or a firm of any noun that is not a person's.
        let leads = matches!(sort, Sort::Org | Sort::Place)
            && name.is_none()
            && self.line.tag(from) == Some(Tag::Name)
            && !["job", "person_noun", "kin"].iter().any(|class| self.grammar.has_class(&phrase, class));
        if !self.fits(sort, &phrase, name.is_some() || leads, self.noun_phrase(np).as_str()) {
            return None;
        }
        let unknown = name.is_none()
            && to == from + 1
            && self.line.tag(from) == Some(Tag::Noun)
            && self.line.lower(from).len() > 5
            && self.line.lower(from).ends_with("ing")
            && !self.grammar.is_common(self.line.lower(from))
            && np.det.is_none();
        let gerund = unknown || self.line.verb(from).is_some_and(|(_, form)| form == Form::Ing);
        let name = name.filter(|(name_from, _)| !gerund || *name_from == from);
        let np_to = np.to;
        let named = name.filter(|(name_from, _)| {
            *name_from > from && (*name_from >= np_to || !matches!(sort, Sort::Class(_) | Sort::Full | Sort::Number))
        });
        if let Some((name_from, name_to)) = named {
            let filled = Filled { text: self.slice(name_from, name_to).to_owned(), from, to: name_to };
            return Some((filled, name_to));
        }
        // What hangs on a common noun belongs to it: "head of sales"; a gerund has an object of its own.
        if name.is_none()
            && matches!(self.line.lower(to), "of")
            && to < end
            && let Some((_, of)) = self.np_at(to + 1)
            && !of.pronoun
            && (sort != Sort::Place
                || of.is_name()
                    && self.grammar.has_class(&phrase, "place_noun")
                    && !matches!(
                        phrase.as_str(),
                        "city" | "town" | "village" | "outskirts" | "suburbs" | "country" | "state" | "continent" | "nation"
                    ))
        {
            to = of.to.min(end);
        }
        // "the devotion to detail"
        if name.is_none()
            && !gerund
            && sort == Sort::Any
            && matches!(self.line.lower(to), "to" | "between" | "with")
            && self.line.tag(to) == Some(Tag::Prep)
            && (self.line.lower(to - 1).ends_with("tion") || self.line.lower(to - 1).ends_with("ship"))
            && let Some((_, other)) = self.np_at(to + 1).filter(|(_, other)| !other.pronoun && to + 1 < end)
        {
            to = other.to.min(end);
        }
        if gerund && matches!(sort, Sort::Any | Sort::Full) {
            to = self.object_of_gerund(to, end);
            // "love getting …" without its object says nothing.
            let light = matches!(
                self.line.verb(from),
                Some((
                    "play"
                        | "push"
                        | "work"
                        | "help"
                        | "learn"
                        | "try"
                        | "watch"
                        | "listen"
                        | "look"
                        | "spend"
                        | "bring"
                        | "put"
                        | "come"
                        | "meet"
                        | "get"
                        | "talk"
                        | "be"
                        | "have"
                        | "make"
                        | "see"
                        | "go"
                        | "do"
                        | "share"
                        | "take"
                        | "give"
                        | "find"
                        | "know"
                        | "hear"
                        | "keep"
                        | "feel"
                        | "use",
                    _
                ))
            );
            if light && to == from + 1 {
                return None;
            }
            // "building a dry, airy shed": the phrase goes on behind its comma.
            let parted = self.line.tag(to) == Some(Tag::Comma)
                && self.line.tag(to + 1) == Some(Tag::Noun)
                && self.line.verb(to + 1).is_none_or(|(_, form)| form == Form::Ing);
            let single = self.np_at(to - 1).is_some_and(|(_, np)| np.det.is_some() && np.name.is_none() && np.to == np.core + 1);
            if parted && single {
                return None;
            }
            // "amusing oneself", "seeing them": what is done is said only with whom.
            if self.line.tag(to) == Some(Tag::Pron) && to < end {
                return None;
            }
            // "wrapping up", "heading out": not the sport, not a head.
            if matches!(self.line.lower(to), "up" | "out" | "down" | "off") && to < end {
                return None;
            }
        }
        if gerund && sort == Sort::Thing {
            return None;
        }
        if sort == Sort::Full {
            to = self.with_places(to, end);
        }
        // "on the outskirts of Ely": a part of a town is in the town.
        const PARTS: [&str; 19] = [
            "outskirts",
            "suburbs",
            "edge",
            "heart",
            "centre",
            "center",
            "middle",
            "north",
            "south",
            "east",
            "west",
            "city",
            "town",
            "village",
            "outside",
            "area",
            "continent",
            "nation",
            "country",
        ];
        if sort == Sort::Place
            && name.is_none()
            && PARTS.contains(&self.line.lower(to - 1))
            && self.line.lower(to) == "of"
            && let Some((_, place)) = self.np_at(to + 1).filter(|(_, place)| place.is_name() && to + 1 < end)
        {
            let filled = Filled { text: self.slice(place.core, place.to).to_owned(), from, to: place.to };
            return Some((filled, place.to));
        }
        // "a house in Ely": one of many is told by its place.
        if name.is_none()
            && matches!(sort, Sort::Any | Sort::Thing | Sort::Class(_))
            && self.line.lower(to) == "in"
            && to + 1 < end
            && self.grammar.has_class(&phrase, "dwelling")
            && let Some((_, place)) = self.np_at(to + 1).filter(|(_, place)| place.is_name() && place.from == to + 1)
        {
            to = place.to.min(end);
        }
        // "in a small flat in Bergen": the place is the one with a name.
        if sort == Sort::Place
            && name.is_none()
            && to + 1 < end
            && matches!(self.line.lower(to), "in" | "near" | "outside")
            && let Some((_, place)) = self.np_at(to + 1).filter(|(_, np)| np.is_name() && np.from == to + 1)
        {
            let filled = Filled { text: self.slice(place.core, place.to).to_owned(), from, to: place.to };
            return Some((filled, place.to));
        }
        // "Ann's wedding": another's stays that other's.
        let whose = matches!(&np.owner, Some(super::chunk::Owner::Phrase(_))) && name.is_none() && from == np.core;
        let first = match &np.owner {
            Some(super::chunk::Owner::Phrase(owner)) if whose => owner.core,
            _ => from,
        };
        let text = self.slice(first, to);
        (!text.is_empty()).then(|| (Filled { text: text.to_owned(), from, to }, to))
    }

    fn object_of_gerund(&self, mut to: usize, end: usize) -> usize {
        let noun = |at: usize| {
            self.np_at(at).is_some_and(|(_, np)| {
                np.from == at
                    && !np.pronoun
                    && !matches!(&np.owner, Some(super::chunk::Owner::Word(word)) if self.line.lower(*word) == "your")
            })
        };
        while to < end {
            match self.line.tag(to) {
                Some(Tag::Prep | Tag::To) if to + 1 < end && noun(to + 1) => to += 1,
                // "heading out on a raft"
                Some(Tag::Prep)
                    if matches!(self.line.lower(to), "up" | "out" | "down" | "off" | "over" | "around" | "away")
                        && to + 2 < end
                        && self.line.tag(to + 1) == Some(Tag::Prep)
                        && noun(to + 2) =>
                {
                    to += 2;
                }
                Some(Tag::Verb) if self.line.verb(to).is_some_and(|(_, form)| form == Form::Participle) => to += 1,
                Some(Tag::Det | Tag::Poss | Tag::Noun | Tag::Name | Tag::Num | Tag::Gen) if noun(to) => match self.np_at(to) {
                    Some((_, np)) => to = np.to.min(end).max(to + 1),
                    None => break,
                },
                _ => break,
            }
        }
        to
    }

    /// A phrase with the places that hang on it.
    fn with_places(&self, mut to: usize, end: usize) -> usize {
        while to < end
            && matches!(self.line.tag(to), Some(Tag::Prep))
            && matches!(self.line.lower(to), "in" | "on" | "near" | "at" | "with" | "for" | "of" | "by")
        {
            match self.np_at(to + 1) {
                Some((_, np)) if to + 1 < end && !np.pronoun => to = np.to.min(end),
                _ => break,
            }
        }
        to
    }

    /// Whether a phrase is what a slot wants; `noun` is it without its name.
    pub(super) fn fits(&self, sort: Sort, phrase: &str, named: bool, noun: &str) -> bool {
        let grammar = self.grammar;
        let last = phrase.rsplit(' ').next().unwrap_or_default();
        if phrase.is_empty() || last.len() == 1 && last.chars().all(char::is_alphabetic) && !named {
            return false;
        }
        let vague = !named && grammar.has_class(phrase, "vague");
        let human = grammar.has_class(noun, "kin") || grammar.has_class(noun, "person_noun");
        match sort {
            Sort::Name => named,
            Sort::Person => {
                !vague
                    && (named && !grammar.has_class(phrase, "org_noun") && !grammar.has_class(phrase, "place_noun")
                        || human
                        || grammar.has_class(noun, "job"))
            }
            Sort::Human => human,
            Sort::PersonName => named && !human_conflict(grammar, phrase),
            Sort::PlaceName => named && !human,
            Sort::OrgName => named && !(human && noun != phrase),
            Sort::Title => !vague && (named || grammar.has_class(phrase, "title_noun")),
            Sort::People => !vague && (named || human || grammar.has_class(noun, "team") || phrase.ends_with(" people")),
            Sort::Indefinite => !vague,
            Sort::Place => !vague && !human && (named || grammar.has_class(phrase, "place_noun") || grammar.has_class(phrase, "org_noun")),
            Sort::Org => {
                !vague
                    && !(human && !named)
                    && (named
                        || ["org_noun", "team", "company", "school", "bank", "club"].iter().any(|class| grammar.has_class(phrase, class)))
            }
            Sort::Thing => !vague && !human,
            Sort::Class(bit) if !named && grammar.class_wants_name(usize::from(bit)) => false,
            // "Orb Music" is no music: a name of several words is a subject only as a whole.
            Sort::Class(bit) if named && phrase.contains(' ') && grammar.names_class("subject", usize::from(bit)) => {
                grammar.is_member(phrase, usize::from(bit))
            }
            Sort::Class(bit) => {
                let by_noun = noun != phrase && grammar.class_goes_by_noun(usize::from(bit));
                grammar.in_class(phrase, usize::from(bit)) || by_noun && grammar.in_class(noun, usize::from(bit))
            }
            Sort::Any | Sort::Full => !vague,
            Sort::Number
            | Sort::Money
            | Sort::Age
            | Sort::Phone
            | Sort::Email
            | Sort::Address
            | Sort::Street
            | Sort::Version
            | Sort::Times
            | Sort::Date
            | Sort::Rest
            | Sort::Bare => true,
        }
    }
}

/// Whether a name is plainly that of an organisation or of a place.
fn human_conflict(grammar: &super::pack::Grammar, phrase: &str) -> bool {
    ["org_noun", "place_noun", "company", "language", "sport", "programming", "animal"].iter().any(|class| grammar.has_class(phrase, class))
}
