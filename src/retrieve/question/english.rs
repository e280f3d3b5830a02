//! Reading English questions. Knows no facts and no calendar.

use super::lexicon::{GRAMMAR, NounPhrase, VerbPhrase};
use super::name::{Spotted, names};
use super::token::{Token, tokens};
use super::{Asks, Item, Lexicon, MAX_ITEMS, NotRead, Order, Question, Sense, Setting, Time, moment_of};
use crate::extract::rules::phrases::{Effect, Element, Side};
use crate::time::expr::{self, Language};
use std::ops::Range;

/// A word of a pattern is looked for so far behind the one before it.
const REACH: usize = 6;

/// Reads a question, once for each name that it may start from.
pub(super) fn read(text: &str, lexicon: &Lexicon, setting: &Setting<'_>) -> Result<Vec<Question>, NotRead> {
    let tokens = tokens(text);
    let calendar = expr::Context::new(setting.asked_at, setting.zone).in_language(Language::English);
    let times = expr::find(text, &calendar);
    let is_time = |at: usize| tokens.get(at).is_some_and(|token| times.iter().any(|time| within(token, time)));
    let (mut spotted, unknown) = names(text, &tokens, &is_time, lexicon, setting);
    let mut reader = Reader { text, tokens: &tokens, lexicon, taken: vec![false; tokens.len()] };
    let time = reader.time(&times, &mut spotted);
    for one in &spotted {
        reader.take(one.words.clone());
    }
    let order = reader.order(&mut spotted);
    if spotted.is_empty() || !unknown.is_empty() {
        return Err(NotRead::NoName(unknown));
    }
    let asks = reader.asks(&spotted);
    let wants = reader.wants();
    let items = reader.items(&spotted);
    let unread: Vec<usize> = reader.unread(&items);
    let words = |unread: &[usize]| unread.iter().map(|at| reader.lower(*at).to_owned()).collect::<Vec<String>>();
    if items.iter().all(|(_, item)| item.nouns.is_empty() && item.verbs.is_empty() && item.sort.is_none())
        && wants.is_empty()
        && asks == Asks::Value
    {
        return Err(NotRead::NoRelation(words(&unread)));
    }
    let past = tokens.iter().any(|token| lexicon.sorts().is("past", &token.lower));
    let question = |at: usize, from: &Spotted| {
        let mut near: Vec<Item> = Vec::new();
        let mut far: Vec<Item> = Vec::new();
        for (words, item) in &items {
            if words.start < from.words.start { near.insert(0, reader.before(item)) } else { far.push(reader.behind(words, item)) }
        }
        near.truncate(MAX_ITEMS);
        far.truncate(MAX_ITEMS);
        Question {
            asks,
            from: from.name.clone(),
            others: spotted.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other.name.clone()).collect(),
            near,
            far,
            wants: wants.clone(),
            order: order.clone(),
            time: time.clone(),
            past,
            unread: words(&unread),
            unread_aim: reader.misses_aim(&items, &from.words, &unread),
            language: Language::English,
        }
    };
    Ok(spotted.iter().enumerate().map(|(at, from)| question(at, from)).collect())
}

/// What words mean before it is known on which side of a name they stand.
#[derive(Clone, Debug)]
struct Found {
    text: String,
    nouns: Vec<(String, Side, i32)>,
    verbs: Vec<VerbSense>,
    sort: Option<String>,
    loose: bool,
    /// Whether a possessive stands before it: "X's wife".
    owned: bool,
}

/// A relation that a verb may mean, the end that its subject is, what it says of it, and how well.
type VerbSense = (String, Option<Side>, Effect, i32);

impl Found {
    fn says_nothing(&self) -> bool {
        self.nouns.is_empty() && self.verbs.is_empty()
    }

    /// Takes in what another word for it means.
    fn join(&mut self, other: Self) {
        self.nouns.extend(other.nouns);
        self.verbs.extend(other.verbs);
        self.sort = self.sort.take().or(other.sort);
        self.loose &= other.loose;
        self.text.push_str(", ");
        self.text.push_str(&other.text);
    }
}

struct Reader<'r> {
    text: &'r str,
    tokens: &'r [Token],
    lexicon: &'r Lexicon,
    /// Words that are names, times or tell the order.
    taken: Vec<bool>,
}

impl Reader<'_> {
    fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    fn is(&self, list: &str, at: usize) -> bool {
        self.lexicon.sorts().is(list, self.lower(at))
    }

    fn is_taken(&self, at: usize) -> bool {
        self.taken.get(at).copied().unwrap_or(true)
    }

    fn take(&mut self, words: Range<usize>) {
        for at in words {
            if let Some(taken) = self.taken.get_mut(at) {
                *taken = true;
            }
        }
    }

    /// The time that the question is about; a number that is a name and stands behind no preposition of time stays a name.
    fn time(&mut self, times: &[expr::TimeMention], spotted: &mut Vec<Spotted>) -> Option<Time> {
        for mention in times {
            let Some(moment) = moment_of(mention) else { continue };
            let inside = |token: &Token| within(token, mention);
            let Some(from) = self.tokens.iter().position(inside) else { continue };
            let to = self.tokens.iter().rposition(inside).map_or(from, |at| at + 1);
            let led = |at: usize| {
                matches!(self.lower(at), "in" | "on" | "at" | "since" | "during" | "before" | "after" | "until" | "by" | "around")
            };
            let is_led = led(from) || from > 0 && led(from - 1);
            let overlaps = |one: &Spotted| one.words.start < to && from < one.words.end;
            let covers = |one: &Spotted| from <= one.words.start && one.words.end <= to;
            if spotted.iter().any(|one| overlaps(one) && !(is_led && covers(one) && spotted.len() > 1)) {
                continue;
            }
            spotted.retain(|one| !overlaps(one));
            let lead = usize::from(!led(from) && from > 0 && led(from - 1));
            self.take(from - lead..to);
            return Some(Time { text: self.text.get(mention.bytes.clone()).unwrap_or_default().to_owned(), moment });
        }
        None
    }

    /// Which of several values is asked for; a name that only tells the order is taken out.
    fn order(&mut self, spotted: &mut Vec<Spotted>) -> Order {
        for at in 0..self.tokens.len() {
            if self.is_taken(at) {
                continue;
            }
            let word = self.lower(at).to_owned();
            let article =
                usize::from(matches!(self.lower(at + 1), "the" | "a" | "an") && !spotted.iter().any(|one| one.words.start == at + 1));
            let named = |spotted: &[Spotted]| spotted.iter().position(|one| one.words.start == at + 1 + article);
            if matches!(word.as_str(), "before" | "after" | "following" | "preceding")
                && spotted.len() > 1
                && let Some(other) = named(spotted)
            {
                let other = spotted.remove(other);
                self.take(at..other.words.end);
                return if matches!(word.as_str(), "before" | "preceding") { Order::Before(other.name) } else { Order::After(other.name) };
            }
            let bases = self.lexicon.verbs_of(&word);
            let base = |verb: &str| bases.iter().any(|(base, _)| *base == verb);
            if (base("succeed") || base("replace") || base("precede") || base("follow"))
                && spotted.len() > 1
                && let Some(other) = named(spotted)
            {
                let precedes = base("precede");
                let other = spotted.remove(other);
                self.take(at..other.words.end);
                return if precedes { Order::Before(other.name) } else { Order::After(other.name) };
            }
            // "his first wife", "the last owner": not "was first played".
            let leads = at > 0
                && (matches!(self.lower(at - 1), "the" | "'s" | "his" | "her" | "their" | "its" | "my" | "our") || self.is_taken(at - 1));
            for (list, order) in [("first", Order::First), ("last", Order::Last), ("previous", Order::Previous)] {
                // "where did she first live", and not "where was it first made".
                let does = self.helper(at + 1).is_some_and(|helper| matches!(helper, "did" | "do" | "does"))
                    && !self.verbs_at(at + 1).0.is_empty();
                if self.is(list, at) && (leads && self.says(at + 1) || does) {
                    self.take(at..at + 1);
                    return order;
                }
            }
        }
        Order::AsOf
    }

    /// Whether a relation or a sort is said at a word.
    fn says(&self, at: usize) -> bool {
        self.longest_noun(at).is_some() || self.sort_at(at).is_some()
    }

    fn asks(&self, spotted: &[Spotted]) -> Asks {
        let words: Vec<&str> = self.tokens.iter().map(|token| token.lower.as_str()).collect();
        let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
        if has(&["how", "many"]) || has(&["how", "often"]) {
            return Asks::HowMany;
        }
        if has(&["how", "long"]) {
            return Asks::HowLong;
        }
        let dated = ["what", "which"].iter().any(|asking| ["year", "date", "day", "month"].iter().any(|unit| has(&[asking, unit])));
        if dated
            || words.first() == Some(&"when")
            || has(&["since", "when"])
            || words.windows(2).any(|pair| matches!(pair, ["," | "and", "when"]))
        {
            return Asks::When;
        }
        let asking = self.tokens.iter().any(|token| self.lexicon.sorts().is("asking", &token.lower));
        if !asking && spotted.len() > 1 && words.first().is_some_and(|first| self.lexicon.sorts().is("auxiliary", first)) {
            return Asks::Whether;
        }
        Asks::Value
    }

    /// The sort that the asking word is for.
    fn wants(&self) -> Vec<String> {
        let mut wants = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            // "the man who": no asking word.
            let begins = at == 0 || at == 1 && self.is("preposition", 0) || matches!(self.lower(at - 1), "," | "and");
            match token.lower.as_str() {
                "who" | "whom" if begins => wants.push("person".to_owned()),
                "where" if begins => wants.push("place".to_owned()),
                _ => {}
            }
        }
        wants.truncate(1);
        wants
    }

    /// What the words between the names mean, in order.
    fn items(&mut self, spotted: &[Spotted]) -> Vec<(Range<usize>, Found)> {
        let mut items: Vec<(Range<usize>, Found)> = Vec::new();
        let mut used: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let skipped = self.is_taken(at) || used.contains(&at) || !self.tokens.get(at).is_some_and(|token| token.word);
            let Some((words, found, taken)) = (if skipped { None } else { self.item_at(at, spotted) }) else {
                at += 1;
                continue;
            };
            used.extend(taken);
            at = words.end.max(at + 1);
            // "the director or manager", "spoken, written or signed": one thing said in several words.
            if let Some((before, known)) = items.last_mut()
                && known.nouns.is_empty() == found.nouns.is_empty()
                && before.end < words.start
                && (before.end..words.start).all(|place| matches!(self.lower(place), "," | "or" | "and" | "/"))
                && (words.start - before.end > 1 || self.lower(before.end) != "," || before.len() == 1)
                && !known.says_nothing()
                && !found.says_nothing()
            {
                known.join(found);
                *before = before.start..words.end;
                continue;
            }
            items.push((words, found));
        }
        // What belongs to a word before it is read, too.
        for at in used {
            self.take(at..at + 1);
        }
        items
    }

    /// What is said at a word: the words that say it, what they mean, and words farther on that belong to them.
    fn item_at(&self, at: usize, spotted: &[Spotted]) -> Option<(Range<usize>, Found, Vec<usize>)> {
        let before = at.checked_sub(1).map_or("", |before| self.lower(before));
        let of_grammar =
            self.is("asking", at) || self.is("auxiliary", at) || self.is("preposition", at) || GRAMMAR.contains(&self.lower(at));
        // "where is X from".
        let stands_alone = self.lower(at) == "from" && self.is_stranded(at);
        let noun = self.longest_noun(at).filter(|(words, _)| (words.len() > 1 || !of_grammar) && !self.introduces(words));
        if self.is("adjective", at) && noun.is_none() && self.sort_at(at).is_none() {
            return None;
        }
        // "Tell me who", "name the author".
        let opens = at == 0 && matches!(self.lower(0), "tell" | "name" | "show" | "give" | "say" | "list" | "remind");
        if (of_grammar && noun.is_none() && !stands_alone) || self.is("adverb", at) || opens {
            return None;
        }
        let nominal = matches!(
            before,
            "the"
                | "a"
                | "an"
                | "of"
                | "'s"
                | "his"
                | "her"
                | "their"
                | "its"
                | "my"
                | "our"
                | "what"
                | "which"
                | "many"
                | "current"
                | "whose"
                | "'"
        ) || self.is("adjective", at.wrapping_sub(1));
        let sort = self.sort_at(at);
        let (verbs, taken) = self.verbs_at(at);
        let is_base = self.lexicon.verbs_of(self.lower(at)).iter().any(|(base, _)| *base == self.lower(at));
        let as_noun = nominal && (noun.is_some() || sort.is_some() || is_base)
            || verbs.is_empty()
            || noun.as_ref().is_some_and(|(words, _)| words.len() > 1);
        let loose = self.is_loose(at);
        let (words, nouns, verbs, taken, sort) = if as_noun {
            let (words, nouns) = noun.unwrap_or((at..at + 1, Vec::new()));
            // "place of work" is more than a place.
            let sort = sort.filter(|(shown, _)| shown.end >= words.end || nouns.is_empty());
            let words = sort.as_ref().map_or(words, |(shown, _)| shown.clone());
            (words, nouns, Vec::new(), Vec::new(), sort.map(|(_, sort)| sort))
        } else {
            let end = at + 1 + usize::from(self.is("preposition", at + 1) && !self.is_taken(at + 1));
            (at..end, Vec::new(), verbs, taken, None)
        };
        if nouns.is_empty() && verbs.is_empty() && sort.is_none() && !loose {
            return None;
        }
        let owned = matches!(before, "'s" | "his" | "her" | "their" | "its" | "'")
            || before == "my" && spotted.iter().any(|one| one.words.end == at);
        let loose = loose && taken.is_empty();
        Some((words.clone(), Found { text: self.slice(&words), nouns, verbs, sort, loose, owned }, taken))
    }

    /// "The title of head of state", "the person responsible for founding it": what follows says what is meant.
    fn introduces(&self, words: &Range<usize>) -> bool {
        let last = words.end.saturating_sub(1);
        let leads = self.lower(words.end) == "of" && self.is("titular", last) && self.longest_noun(words.end + 1).is_some();
        let does = self.lower(words.end) == "for" && self.lower(words.end + 1).ends_with("ing") && self.lower(last) == "responsible";
        leads || does
    }

    /// Whether a noun is what the name before it is: "is X the head of", and not "does X hold the office of".
    fn is_predicated(&self, at: usize) -> bool {
        let before = (0..at)
            .rev()
            .find(|place| !matches!(self.lower(*place), "a" | "an" | "the") && !self.is("adjective", *place) && !self.is("adverb", *place));
        before.is_some_and(|place| self.is_taken(place) || matches!(self.lower(place), "is" | "are" | "was" | "were" | "be" | "been"))
    }

    fn is_loose(&self, at: usize) -> bool {
        let lower = self.lower(at);
        self.lexicon.sorts().is("loose", lower)
            || self.lexicon.verbs_of(lower).iter().any(|(base, _)| self.lexicon.sorts().is("loose", base))
    }

    fn slice(&self, words: &Range<usize>) -> String {
        let from = self.tokens.get(words.start).map_or(0, |token| token.bytes.start);
        let to = self.tokens.get(words.end.saturating_sub(1)).map_or(from, |token| token.bytes.end);
        self.text.get(from..to).unwrap_or_default().to_owned()
    }

    /// Words that say something and mean nothing here.
    fn unread(&self, items: &[(Range<usize>, Found)]) -> Vec<usize> {
        let mut unread = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let read = items.iter().any(|(words, _)| words.contains(&at));
            let plain =
                ["asking", "auxiliary", "preposition", "filler", "adverb", "adjective", "relative", "speaker", "first", "last", "previous"]
                    .iter()
                    .any(|list| self.lexicon.sorts().is(list, &token.lower))
                    || GRAMMAR.contains(&token.lower.as_str());
            if token.word && !read && !plain && !self.is_taken(at) {
                unread.push(at);
            }
        }
        unread
    }

    /// Whether a word that was not read is farther from the name than every word that was: what is asked for is not known.
    fn misses_aim(&self, items: &[(Range<usize>, Found)], from: &Range<usize>, unread: &[usize]) -> bool {
        let says = |found: &Found| !found.nouns.is_empty() || !found.verbs.is_empty() || found.sort.is_some();
        let first = items.iter().filter(|(words, found)| words.start < from.start && says(found)).map(|(words, _)| words.start).min();
        let last = items.iter().filter(|(words, found)| words.start >= from.end && says(found)).map(|(words, _)| words.start).max();
        let before = unread.iter().any(|at| *at < first.unwrap_or(from.start));
        let behind = unread.iter().any(|at| *at > last.unwrap_or(from.end) && *at >= from.end);
        before || behind
    }

    /// The longest phrase with a noun that begins at a word, with all that it may mean. "The head of X's government" is one, too.
    fn longest_noun(&self, at: usize) -> Option<(Range<usize>, Vec<(String, Side, i32)>)> {
        let mut best: Option<(Range<usize>, usize, Vec<(String, Side, i32)>)> = None;
        let first = self.lower(at);
        let singular = singular(first);
        let keys = [Some(first.to_owned()), singular];
        for phrase in keys.iter().flatten().flat_map(|key| self.lexicon.nouns(key)) {
            let Some(end) = self.noun_end(at, phrase) else { continue };
            let sense = (phrase.relation.to_string(), phrase.names, phrase.weight + i32::try_from(phrase.words.len()).unwrap_or(1) - 1);
            match &mut best {
                Some((_, length, senses)) if *length == phrase.words.len() => {
                    if !senses.iter().any(|known| known.0 == sense.0 && known.1 == sense.1) {
                        senses.push(sense);
                    }
                }
                Some((_, length, _)) if *length > phrase.words.len() => {}
                _ => best = Some((at..end, phrase.words.len(), vec![sense])),
            }
        }
        best.map(|(words, _, senses)| (words, senses))
    }

    /// Where a noun phrase that begins at a word ends.
    fn noun_end(&self, at: usize, phrase: &NounPhrase) -> Option<usize> {
        let mut place = at;
        for (number, word) in phrase.words.iter().enumerate() {
            let fits =
                |place: usize| !self.is_taken(place) && (self.lower(place) == word || singular(self.lower(place)).as_deref() == Some(word));
            if !fits(place) {
                // "head of the Ostland government", "head of Ostland's government".
                let behind_of = number > 0 && phrase.words.get(number - 1).is_some_and(|before| before == "of");
                let mut beyond = place + usize::from(self.lower(place) == "the");
                let named = beyond;
                while self.is_taken(beyond) && beyond < self.tokens.len() {
                    beyond += 1;
                }
                if !behind_of || beyond == named {
                    return None;
                }
                beyond += usize::from(self.lower(beyond) == "'s");
                return (fits(beyond) && number + 1 == phrase.words.len()).then_some(place);
            }
            place += 1;
        }
        Some(place)
    }

    /// The longest word for a sort that begins at a word.
    fn sort_at(&self, at: usize) -> Option<(Range<usize>, String)> {
        (1..=3_usize).rev().find_map(|length| {
            let words: Vec<&str> = (at..at + length).map(|place| if self.is_taken(place) { "" } else { self.lower(place) }).collect();
            if words.iter().any(|word| word.is_empty()) || self.is("asking", at) {
                return None;
            }
            let sort = self.lexicon.sorts().of_word(&words.join(" "))?;
            Some((at..at + length, sort.to_owned()))
        })
    }

    /// What a verb, or another word that predicates, means at a place, and the words behind it that its best reading takes.
    fn verbs_at(&self, at: usize) -> (Vec<VerbSense>, Vec<usize>) {
        let lower = self.lower(at);
        let mut bases: Vec<(&str, bool)> = self.lexicon.verbs_of(lower);
        let is_verb = !bases.is_empty();
        if !bases.iter().any(|(base, _)| *base == lower) {
            bases.push((lower, false));
        }
        let mut senses: Vec<VerbSense> = Vec::new();
        let mut best: (i32, Vec<usize>) = (0, Vec::new());
        for (base, participle) in bases {
            let undergone = participle && self.must_be_passive(at, participle);
            for phrase in self.lexicon.verbs(base) {
                let Some((weight, words)) = self.verb_weight(at, phrase, is_verb, participle) else { continue };
                // "the school that was attended by X": what is done to it is its subject.
                let turned = undergone && !phrase.passive && !phrase.light && phrase.elements.first() == Some(&Element::Slot);
                let subject = if turned { phrase.subject.map(Side::other) } else { phrase.subject };
                if weight > best.0 {
                    best = (weight, words);
                }
                let sense = (phrase.relation.to_string(), subject, phrase.effect, weight);
                match senses.iter_mut().find(|known| known.0 == sense.0 && known.1 == sense.1 && known.2 == sense.2) {
                    Some(known) => known.3 = known.3.max(sense.3),
                    None => senses.push(sense),
                }
            }
        }
        if !best.1.is_empty() {
            senses.retain(|sense| sense.3 >= best.0 - 4);
        }
        (senses, best.1)
    }

    /// How well a phrasing fits at a word, with the words that say something behind it; `None` where it does not fit.
    fn verb_weight(&self, at: usize, phrase: &VerbPhrase, is_verb: bool, participle: bool) -> Option<(i32, Vec<usize>)> {
        let undergone = self.must_be_passive(at, participle);
        if phrase.passive && !(participle && self.may_be_passive(at)) {
            return None;
        }
        if !phrase.passive && !phrase.light && is_verb && undergone && phrase.elements.first() != Some(&Element::Slot) {
            return None;
        }
        let mut weight = phrase.weight - 2;
        let mut place = at + 1;
        let mut taken = Vec::new();
        for element in &phrase.elements {
            let Element::Words(words) = element else { continue };
            let fits = |place: usize| !self.is_taken(place) && self.fits(place, words);
            if words.iter().all(|word| GRAMMAR.contains(&word.as_str()) || self.lexicon.sorts().is("preposition", word)) {
                let of_place = words.iter().any(|word| self.lexicon.sorts().is("preposition", word));
                if fits(place) {
                    weight += 3;
                    place += 1;
                } else if self.fronted(words) {
                    weight += 2;
                } else if of_place && self.is("preposition", place) && !self.is_taken(place) {
                    return None;
                }
                continue;
            }
            let found = (place..(place + REACH).min(self.tokens.len())).find(|place| fits(*place))?;
            weight += 4;
            // A noun that means a relation itself is read for itself, too.
            if !self.longest_noun(found).is_some_and(|(_, nouns)| nouns.iter().any(|noun| *noun.0 == *phrase.relation)) {
                taken.push(found);
            }
            place = found + 1;
        }
        if phrase.elements.iter().all(|element| *element == Element::Slot)
            && self.is("preposition", place)
            && !self.is_taken(place)
            && !undergone
        {
            weight -= 3;
        }
        Some((weight, taken))
    }

    /// Whether a word of the question is one of a pattern's.
    fn fits(&self, at: usize, words: &[String]) -> bool {
        let lower = self.lower(at);
        words.iter().any(|word| word == lower)
            || singular(lower).is_some_and(|one| words.contains(&one))
            || self.lexicon.verbs_of(lower).iter().any(|(base, _)| words.iter().any(|word| word == base))
    }

    /// Whether one of some prepositions stands in front of an asking or relative word: "to which", "in which city".
    fn fronted(&self, words: &[String]) -> bool {
        (0..self.tokens.len())
            .any(|at| self.is("relative", at + 1) | self.is("asking", at + 1) && words.iter().any(|word| word == self.lower(at)))
    }

    /// Whether nothing but marks or a verb follows a preposition.
    fn is_stranded(&self, at: usize) -> bool {
        let next = at + 1;
        next >= self.tokens.len() || self.tokens.get(next).is_some_and(|token| !token.word) || self.is("auxiliary", next)
    }

    /// Whether a form of "be" governs a participle, or none has to: "the mill founded by", "the mill was founded".
    fn may_be_passive(&self, at: usize) -> bool {
        self.helper(at).is_none_or(|helper| !matches!(helper, "do" | "does" | "did"))
    }

    fn must_be_passive(&self, at: usize, participle: bool) -> bool {
        self.lower(at + 1) == "by" && !self.is_taken(at + 1)
            || participle && self.helper(at).is_some_and(|helper| matches!(helper, "is" | "are" | "was" | "were" | "be" | "been" | "being"))
    }

    /// The auxiliary that governs a verb: the nearest one before it, with names and small words between.
    fn helper(&self, at: usize) -> Option<&str> {
        for place in (0..at).rev() {
            if self.is_taken(place) {
                continue;
            }
            if self.is("auxiliary", place) {
                return Some(self.lower(place)).filter(|helper| *helper != "'s");
            }
            if matches!(self.lower(place), "who" | "which" | "that" | "where" | "what" | ",") && place > 0 {
                return None;
            }
        }
        None
    }

    /// What stands before the name: it is what a verb is done to, and whose a noun is.
    fn before(&self, found: &Found) -> Item {
        let nouns = found.nouns.iter().map(|(relation, names, weight)| sense(relation, *names, Effect::Holds, *weight));
        let verbs = found.verbs.iter().map(|(relation, subject, effect, weight)| {
            let answers = subject.unwrap_or(Side::Tail);
            sense(relation, answers, *effect, *weight)
        });
        item(found, nouns.chain(verbs).collect())
    }

    /// What stands behind the name: it is who does what a verb says. A noun is its own ("X's wife"), or what it is ("X the head of").
    fn behind(&self, words: &Range<usize>, found: &Found) -> Item {
        let fronted = self.lower(words.start.wrapping_sub(1)) == "the" && self.fronted(&["of".to_owned()]);
        let stranded = !found.owned
            && self.is_predicated(words.start)
            && (fronted || matches!(self.lower(words.end), "of" | "to" | "at" | "for" | "in") && self.is_stranded(words.end));
        let nouns = found
            .nouns
            .iter()
            .map(|(relation, names, weight)| sense(relation, if stranded { names.other() } else { *names }, Effect::Holds, *weight));
        let verbs = found
            .verbs
            .iter()
            .map(|(relation, subject, effect, weight)| sense(relation, subject.map_or(Side::Tail, Side::other), *effect, *weight));
        item(found, nouns.chain(verbs).collect())
    }
}

fn within(token: &Token, mention: &expr::TimeMention) -> bool {
    token.bytes.start >= mention.bytes.start && token.bytes.end <= mention.bytes.end
}

fn sense(relation: &str, answers: Side, effect: Effect, weight: i32) -> Sense {
    Sense { relation: relation.to_owned(), answers, effect, weight }
}

fn item(found: &Found, senses: Vec<Sense>) -> Item {
    Item {
        text: found.text.clone(),
        noun: !found.nouns.is_empty(),
        senses,
        sort: found.sort.clone(),
        loose: found.loose && found.nouns.is_empty(),
    }
}

/// A plural without its ending, if it has one.
fn singular(word: &str) -> Option<String> {
    if let Some(stem) = word.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    if word.ends_with("ches") || word.ends_with("shes") || word.ends_with("sses") {
        return word.strip_suffix("es").map(str::to_owned);
    }
    word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s') && !stem.ends_with('\'')).map(str::to_owned)
}
