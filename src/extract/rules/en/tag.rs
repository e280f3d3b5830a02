//! Tagging: what each word does in its sentence, from closed classes, the forms of known verbs, capitals and neighbours.
//! Knows no relation.

use super::pack::Grammar;
use super::token::{Kind, Sentence, Token};
use super::words::{Tag, closed, subject_pronoun};

/// A form of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Base,
    Third,
    Past,
    Participle,
    Ing,
}

/// A word with what it was taken for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'g> {
    pub(super) tag: Tag,
    /// Of a verb (or of a gerund that was taken for a noun), its base and the form it has here.
    pub(super) verb: Option<(&'g str, Form)>,
}

/// Verbs that take another verb's "-ing" as the action that begins, goes on or ends.
pub(super) const ASPECTUAL: [&str; 12] =
    ["start", "begin", "stop", "quit", "cease", "keep", "continue", "finish", "resume", "give", "take", "go"];

/// Verbs whose object is often a clause without "that".
const GOVERNING: [&str; 16] = [
    "think", "believe", "know", "say", "guess", "hope", "wish", "suppose", "claim", "mention", "realize", "remember", "swear", "assume",
    "imagine", "hear",
];

/// The halves of numbers like "twenty-nine".
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ONES: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// Tags the words of a sentence; the words that come before it are already tagged.
pub(super) fn tag<'g>(tokens: &[Token<'_>], sentence: Sentence, grammar: &'g Grammar, words: &mut Vec<Word<'g>>) {
    let mut tagger = Tagger { tokens, sentence, grammar, words, has_verb: false, relative: false, finite: None };
    for at in sentence.from..sentence.to {
        let word = tagger.word(at);
        match word.tag {
            Tag::Verb | Tag::Be | Tag::Have | Tag::Do | Tag::Modal => {
                // "I think Ann works there": a clause of its own follows.
                let governs = word.verb.is_some_and(|(lemma, _)| GOVERNING.contains(&lemma));
                tagger.has_verb = !governs;
                tagger.relative &= word.tag != Tag::Verb;
                if let Some((_, form)) = word.verb {
                    tagger.finite = tagger.finite.or(Some(form));
                }
            }
            Tag::But | Tag::Sub | Tag::Wh | Tag::Mark | Tag::Speech => {
                tagger.has_verb = false;
                tagger.relative = matches!(word.tag, Tag::Wh) || matches!(tokens.get(at).map(|token| token.lower.as_ref()), Some("where"));
            }
            _ => {}
        }
        tagger.words.push(word);
    }
}

struct Tagger<'a, 'g> {
    tokens: &'a [Token<'a>],
    sentence: Sentence,
    grammar: &'g Grammar,
    words: &'a mut Vec<Word<'g>>,
    /// The clause has a verb.
    has_verb: bool,
    /// A relative word began a clause that has no verb yet.
    relative: bool,
    /// The form of the sentence's first full verb, which verbs that are coordinated with it share.
    finite: Option<Form>,
}

impl<'g> Tagger<'_, 'g> {
    fn lower(&self, at: usize) -> &str {
        if at < self.sentence.from || at >= self.sentence.to {
            return "";
        }
        self.tokens.get(at).map_or("", |token| token.lower.as_ref())
    }

    fn next_lower(&self, at: usize) -> &str {
        self.lower(at + 1)
    }

    /// The tag of the nearest word before that is no adverb, and its place.
    fn before(&self, at: usize) -> Option<(usize, Tag)> {
        let mut place = at;
        while place > self.sentence.from {
            place -= 1;
            let tag = self.words.get(place)?.tag;
            if !matches!(tag, Tag::Adv | Tag::Not | Tag::Time) {
                return Some((place, tag));
            }
        }
        None
    }

    fn word(&self, at: usize) -> Word<'g> {
        let plain = |tag| Word { tag, verb: None };
        let Some(token) = self.tokens.get(at) else { return plain(Tag::Mark) };
        match token.kind {
            Kind::Number => plain(Tag::Num),
            Kind::Address | Kind::Title => plain(Tag::Name),
            Kind::Speech => plain(Tag::Speech),
            Kind::Time(_) => plain(Tag::Time),
            Kind::Mark(',') => plain(Tag::Comma),
            Kind::Mark('&') if self.words.last().is_some_and(|word| word.tag == Tag::Name) => plain(Tag::Name),
            Kind::Mark('$' | '€' | '£' | '¥' | '~') => plain(Tag::Num),
            Kind::Mark('%' | '°') => plain(Tag::Noun),
            Kind::Mark(_) | Kind::Break => plain(Tag::Mark),
            Kind::Word => self.spelt(at, token),
        }
    }

    fn spelt(&self, at: usize, token: &Token<'_>) -> Word<'g> {
        let lower = token.lower.as_ref();
        let plain = |tag| Word { tag, verb: None };
        if let Some(word) = self.by_neighbours(at, token) {
            return word;
        }
        let first = self.is_first(at);
        let next_large = self.tokens.get(at + 1).is_some_and(Token::is_capital);
        // "Dr Orr": a title belongs to the name; so do the small words of "Maria de la Cruz".
        let titles = [
            "professor",
            "doctor",
            "captain",
            "king",
            "queen",
            "prince",
            "princess",
            "pope",
            "saint",
            "dr",
            "dr.",
            "prof",
            "prof.",
            "mr",
            "mr.",
            "mrs",
            "mrs.",
            "ms",
            "ms.",
            "sir",
            "dame",
            "lord",
            "lady",
            "rev",
            "rev.",
        ];
        if token.is_capital() && next_large && titles.contains(&lower) {
            return plain(Tag::Name);
        }
        let joins = matches!(
            lower,
            "de" | "da"
                | "del"
                | "della"
                | "di"
                | "van"
                | "von"
                | "der"
                | "den"
                | "la"
                | "le"
                | "dos"
                | "bin"
                | "ibn"
                | "ter"
                | "du"
                | "al"
        );
        let particle = joins
            && self.tokens.get(at + 1).is_some_and(|next| next.is_capital() || matches!(next.lower.as_ref(), "la" | "der" | "den" | "los"))
            || token.text.starts_with(['d', 'l']) && token.text.contains(['\'', '’']) && token.text.chars().any(char::is_uppercase);
        if particle && self.words.last().is_some_and(|word| word.tag == Tag::Name) {
            return plain(Tag::Name);
        }
        // "twenty-nine"
        if lower.split_once('-').is_some_and(|(tens, ones)| TENS.contains(&tens) && ONES.contains(&ones)) {
            return plain(Tag::Num);
        }
        // "Issue #12 was closed": what has a number is no order.
        if first && self.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Address && next.text.starts_with('#')) {
            return plain(Tag::Noun);
        }
        // "The Tin Boat": an article written large inside a sentence belongs to a title; "Will" and "May" may be people.
        let large = token.is_capital() && !first && lower != "i" && !is_shouted(token, self.tokens.get(at + 1));
        let adverbial = large && lower.ends_with("ly") && closed(lower) == Some(Tag::Adv) && !matches!(lower, "only" | "really");
        // "Mill plc", "Mill gmbh": the form of a firm is part of its name.
        let firm = matches!(lower, "plc" | "gmbh" | "ltd" | "inc" | "llc" | "corp" | "ag" | "s.a" | "bv" | "oy" | "ab" | "srl" | "pty");
        if firm && self.words.last().is_some_and(|word| word.tag == Tag::Name) {
            return plain(Tag::Name);
        }
        // "macOS", "iPhone"
        let inner = token.text.len() > 3
            && token.text.starts_with(char::is_lowercase)
            && token.text.chars().skip(1).any(char::is_uppercase)
            && token.text.chars().all(char::is_alphanumeric);
        if inner {
            return plain(Tag::Name);
        }
        if let Some(tag) = closed(lower).filter(|_| !adverbial) {
            let names = large && token.text.len() > 1 && self.tokens.get(at + 1).is_some_and(Token::is_capital) && lower == "the";
            let person = large && matches!(lower, "will" | "may" | "per") && self.before(at).is_none_or(|(_, tag)| tag != Tag::Pron);
            return plain(if names || person { Tag::Name } else { tag });
        }
        if token.text.chars().any(|c| c.is_ascii_digit()) && !token.text.chars().any(|c| c.is_ascii_uppercase()) {
            return plain(Tag::Num);
        }
        if large {
            let titled = self.before(at).is_some_and(|(_, tag)| matches!(tag, Tag::Name));
            let short = token.text.len() > 1 && token.text.chars().all(char::is_uppercase) && self.grammar.noun(lower).is_some();
            return plain(if (short || self.grammar.is_role(lower)) && !titled { Tag::Noun } else { Tag::Name });
        }
        // "Wow", "Thanks Ann": no names and no verbs.
        if first && self.grammar.has_class(lower, "interjection") && !(lower == "speaking" && next_is_language(self.tokens.get(at + 1))) {
            return plain(Tag::Adv);
        }
        // "Speak Danish to me": an order, and a language.
        let spoken = first
            && self.before(at).is_none()
            && matches!(lower, "speak" | "use" | "write" | "answer" | "talk")
            && next_is_language(self.tokens.get(at + 1))
            && self.grammar.has_class(self.next_lower(at), "language");
        if spoken && let Some(verb) = self.grammar.verb(lower).into_iter().find(|(_, form)| *form == Form::Base) {
            return Word { tag: Tag::Verb, verb: Some(verb) };
        }
        let compound = first && token.is_capital() && self.tokens.get(at + 1).is_some_and(Token::is_capital) && self.next_lower(at) != "i";
        if compound && !self.grammar.has_class(lower, "job") && !self.grammar.has_class(lower, "rank") && self.before(at).is_none() {
            return plain(Tag::Name);
        }
        if compound && self.before(at).is_none() {
            return plain(Tag::Noun);
        }
        if let Some(word) = self.verb(at, token) {
            return word;
        }
        if token.is_capital() && first && !self.grammar.is_common(lower) && lower != "i" {
            return plain(Tag::Name);
        }
        Word { tag: Tag::Noun, verb: self.grammar.verb(lower).iter().find(|(_, form)| *form == Form::Ing).copied() }
    }

    /// Whether the sentence begins with a word for sorts: "the type of …".
    fn is_of_a_sort(&self) -> bool {
        let from = self.sentence.from;
        let sort = matches!(self.lower(from + 1), "type" | "kind" | "sort" | "style" | "genre" | "category");
        self.lower(from) == "the" && sort && self.lower(from + 2) == "of"
    }

    fn is_first(&self, at: usize) -> bool {
        let before = (self.sentence.from..at).rev().find(|place| self.words.get(*place).is_some_and(|word| word.tag != Tag::Adv));
        before.is_none_or(|place| self.words.get(place).is_some_and(|word| matches!(word.tag, Tag::Mark | Tag::Speech)))
            && self.tokens.get(at).is_some_and(|token| !token.text.chars().skip(1).any(char::is_uppercase))
    }

    /// Words that are of several classes.
    fn by_neighbours(&self, at: usize, token: &Token<'_>) -> Option<Word<'g>> {
        let lower = token.lower.as_ref();
        let next = self.next_lower(at);
        let before = self.before(at).map(|(_, tag)| tag);
        let plain = |tag| Some(Word { tag, verb: None });
        let next_names = self.tokens.get(at + 1).is_some_and(|next| next.is_capital() || matches!(next.kind, Kind::Title | Kind::Number));
        let next_closed = closed(next);
        let next_verbs = |form: Form| self.grammar.verb(next).iter().any(|(_, known)| *known == form);
        match lower {
            "a" if token.text == "A" && matches!(next, "positive" | "negative" | "rhesus" | "pos" | "neg") => plain(Tag::Name),
            // "I was let go": one verb.
            "go" if self.lower(at.wrapping_sub(1)) == "let"
                && matches!(self.lower(at.wrapping_sub(2)), "was" | "were" | "been" | "got" | "be" | "being") =>
            {
                plain(Tag::Adv)
            }
            "used" if next == "to" && before != Some(Tag::Be) => plain(Tag::UsedTo),
            // "I was once a cook"
            "once" if matches!(before, Some(Tag::Be | Tag::Pron | Tag::Name)) && !self.clause_follows(at) => plain(Tag::Adv),
            "'s" => plain(self.clitic_s(at)),
            "'" => plain(Tag::Gen),
            "her" => {
                let noun = next_names
                    || !next.is_empty() && next_closed.is_none() && !self.tokens.get(at + 1).is_some_and(|token| token.kind != Kind::Word);
                plain(if noun { Tag::Poss } else { Tag::Pron })
            }
            "his" if next_closed.is_some() && !next_names => plain(Tag::Pron),
            "that" | "this" => {
                let noun =
                    !next.is_empty() && next_closed.is_none() && self.tokens.get(at + 1).is_some_and(|token| token.kind == Kind::Word);
                match before {
                    Some(Tag::Noun | Tag::Name | Tag::Gen) if lower == "that" => plain(Tag::Wh),
                    // "all that matters"
                    Some(Tag::Det) if lower == "that" && matches!(self.lower(at.wrapping_sub(1)), "all" | "those") => plain(Tag::Wh),
                    _ if matches!(next_closed, Some(Tag::Be | Tag::Modal | Tag::Have | Tag::Do)) || next == "'s" => plain(Tag::Pron),
                    Some(Tag::Verb) if lower == "that" && (next_names || next_closed.is_some()) => plain(Tag::Sub),
                    _ if noun && !next_names => plain(Tag::Det),
                    _ if next_names && lower == "this" => plain(Tag::Det),
                    _ if lower == "that" && (next_closed.is_some() || next_names) => plain(Tag::Sub),
                    _ => plain(Tag::Pron),
                }
            }
            "like" => {
                let object = self.before(at).is_some_and(|(place, _)| {
                    matches!(self.lower(place), "me" | "us" | "him" | "them" | "myself" | "himself")
                        || matches!(self.lower(place), "her" | "it" | "you") && self.has_verb && self.inverts(place).is_none()
                });
                let verbs = matches!(before, Some(Tag::Pron | Tag::Do | Tag::Modal | Tag::To)) && !object
                    || before == Some(Tag::Noun) && !self.has_verb;
                if verbs { Some(Word { tag: Tag::Verb, verb: Some(("like", Form::Base)) }) } else { plain(Tag::Prep) }
            }
            "to" => {
                let base = next_verbs(Form::Base) || matches!(next, "be" | "have" | "do");
                let noun = matches!(next, "work" | "bed" | "school" | "sleep" | "lunch") && self.motion(at);
                // "promoted to shift supervisor": a title that begins with what could be a verb.
                let titled =
                    self.words.get(..at).and_then(|before| before.iter().rev().find_map(|word| word.verb)).is_some_and(|(lemma, _)| {
                        matches!(lemma, "promote" | "demote" | "appoint" | "upgrade" | "rise" | "step" | "advance" | "elevate")
                    }) && (self.grammar.has_class(self.lower(at + 2), "job") || self.lower(at + 1) == "head" && self.lower(at + 2) == "of");
                let noun = noun || titled;
                let prep = next_names || matches!(next_closed, Some(Tag::Det | Tag::Poss | Tag::Pron | Tag::No)) || !base || noun;
                plain(if prep { Tag::Prep } else { Tag::To })
            }
            "first" | "originally"
                if matches!(before, Some(Tag::Name | Tag::Noun | Tag::Pron)) && (next_verbs(Form::Past) || next_verbs(Form::Third)) =>
            {
                plain(Tag::Adv)
            }
            "no" if next == "longer" => plain(Tag::Not),
            "longer" if self.lower(at.wrapping_sub(1)) == "no" => plain(Tag::Adv),
            "more" | "longer" if matches!(self.lower(at.wrapping_sub(1)), "any") => plain(Tag::Adv),
            "any" if matches!(next, "more" | "longer") => plain(Tag::Adv),
            "no" if matches!(self.tokens.get(at + 1).map(|token| token.kind), Some(Kind::Mark(_)) | None) => plain(Tag::Adv),
            "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" | "eleven" | "twelve" | "thirteen"
            | "fourteen" | "fifteen" | "sixteen" | "seventeen" | "eighteen" | "nineteen" | "twenty" | "thirty" | "forty" | "fifty"
            | "sixty" | "seventy" | "eighty" | "ninety" => plain(Tag::Num),
            "so" if next_closed.is_none() && !next_names && self.has_verb => plain(Tag::Adv),
            "before" | "after" | "until" | "till" | "since" if !self.clause_follows(at) => plain(Tag::Prep),
            "then" | "now" if before == Some(Tag::Poss) => plain(Tag::Noun),
            "well" | "back" if matches!(before, Some(Tag::Poss | Tag::Det)) => plain(Tag::Noun),
            "down" | "up" | "off" | "out" | "over"
                if before == Some(Tag::Be) && !next_names && !matches!(next_closed, Some(Tag::Det | Tag::Poss)) =>
            {
                plain(Tag::Noun)
            }
            "in" if before == Some(Tag::Name) && self.tokens.get(at).is_some_and(Token::is_capital) && next_names => plain(Tag::Name),
            _ => None,
        }
    }

    /// Whether a subject with its verb follows, not a mere noun phrase.
    fn clause_follows(&self, at: usize) -> bool {
        if subject_pronoun(self.next_lower(at)).is_some() {
            return true;
        }
        let later = (at + 2..(at + 7).min(self.sentence.to))
            .take_while(|place| self.tokens.get(*place).is_some_and(|token| !token.is_mark(",;:.")));
        later.into_iter().any(|place| {
            let lower = self.lower(place);
            matches!(closed(lower), Some(Tag::Be | Tag::Have | Tag::Modal | Tag::Do))
                || self.grammar.verb(lower).iter().any(|(_, form)| matches!(form, Form::Past | Form::Third))
        })
    }

    /// Whether a comma closes what another one opened with a participle: "Quill, released in May,".
    fn closes_participle(&self, close: usize) -> bool {
        let comma = |at: &usize| self.words.get(*at).is_some_and(|word| word.tag == Tag::Comma);
        let Some(open) = (self.sentence.from..close).rev().find(comma) else { return false };
        let participle = |word: &Word<'_>| word.tag == Tag::Verb && matches!(word.verb, Some((_, Form::Participle | Form::Past)));
        self.words.get(open + 1).is_some_and(participle)
            && self
                .words
                .get(self.sentence.from..open)
                .is_some_and(|before| !before.iter().any(|word| matches!(word.tag, Tag::Verb | Tag::Be | Tag::Have)))
    }

    /// Whether the verb before is one of going.
    fn motion(&self, at: usize) -> bool {
        let verb = self.words.get(..at).and_then(|before| before.iter().rev().find_map(|word| word.verb));
        verb.is_some_and(|(lemma, _)| matches!(lemma, "go" | "get" | "come" | "walk" | "drive" | "commute" | "return" | "cycle" | "bike"))
    }

    /// "'s" as "is", "has" or the sign of a possessor.
    fn clitic_s(&self, at: usize) -> Tag {
        let before = self.words.last().map(|word| word.tag);
        let said = self.lower(at.wrapping_sub(1));
        let mut after = at + 1;
        while matches!(closed(self.lower(after)), Some(Tag::Adv | Tag::Not)) {
            after += 1;
        }
        let next = self.lower(after);
        let forms = self.grammar.verb(next);
        let participle = forms.iter().any(|(_, form)| matches!(form, Form::Participle));
        let had = matches!(next, "been" | "got" | "had") || participle && forms.iter().any(|(lemma, _)| !self.grammar.is_passive(lemma));
        if before == Some(Tag::Pron) || before == Some(Tag::Wh) || matches!(said, "that" | "there" | "here" | "where" | "when" | "who") {
            return if had { Tag::Have } else { Tag::Be };
        }
        if next == "been" || next == "got" {
            return Tag::Have;
        }
        let ing = forms.iter().any(|(_, form)| matches!(form, Form::Ing));
        let noun = self.grammar.is_common(next) && !next.ends_with("ed") || self.grammar.noun(next).is_some();
        // "Ely's official language": what follows is somebody's.
        let noun = noun
            || self.grammar.noun(self.lower(after + 1)).is_some() && closed(next).is_none()
            || self.grammar.noun(self.lower(after + 2)).is_some()
                && closed(self.lower(after + 1)).is_none()
                && closed(next).is_none()
                && !self.lower(after + 1).is_empty();
        let predicate = self.grammar.is_predicate(next) && !noun && !self.has_verb;
        match closed(next) {
            _ if (participle || ing || predicate) && !self.has_verb => {
                if had && !ing && !predicate {
                    Tag::Have
                } else {
                    Tag::Be
                }
            }
            Some(Tag::Det | Tag::Prep | Tag::Not | Tag::Adv | Tag::Poss | Tag::Pron | Tag::To | Tag::No) if !self.has_verb => Tag::Be,
            _ => Tag::Gen,
        }
    }

    /// A word that has the form of a known verb, where a verb can stand.
    fn verb(&self, at: usize, token: &Token<'_>) -> Option<Word<'g>> {
        let lower = token.lower.as_ref();
        let readings = self.grammar.verb(lower);
        let pick = |forms: &[Form]| {
            let found = forms.iter().find_map(|form| readings.iter().find(|(_, known)| known == form)).copied();
            found.map(|verb| Word { tag: Tag::Verb, verb: Some(verb) })
        };
        let unknown = |form: Form| Some(Word { tag: Tag::Verb, verb: Some((self.grammar.unknown(lower), form)) });
        let next = self.next_lower(at);
        let next_tag = closed(next);
        // "From now on, answer in Manx": a time in front of an order.
        let led = self.before(at).filter(|(place, tag)| !(*tag == Tag::Comma && self.before(*place).is_none()));
        let Some((place, before)) = led else {
            // The first word: an order, or a report without its subject.
            let noun = matches!(next_tag, Some(Tag::Be | Tag::Have | Tag::Modal | Tag::Do)) && next != "be"
                || next_tag.is_none()
                    && self.grammar.verb(next).iter().any(|(_, form)| matches!(form, Form::Past | Form::Third))
                    && self.grammar.verb(next).iter().all(|(_, form)| !matches!(form, Form::Base));
            return if noun { None } else { pick(&[Form::Base, Form::Past, Form::Third]) };
        };
        let said = self.lower(place);
        match before {
            Tag::Det | Tag::Poss | Tag::No | Tag::Gen | Tag::Num | Tag::Prep | Tag::Time => {
                // "both work at": of them, not the sort of work.
                // "The bowls I sold on Monday please them".
                if before == Tag::Time && matches!(next, "me" | "us" | "him" | "them") {
                    return pick(&[Form::Base, Form::Past, Form::Third]);
                }
                // "Quill 1.8 drops support": a version belongs to the name before the verb.
                let versioned = before == Tag::Num
                    && place > self.sentence.from
                    && self.words.get(place - 1).is_some_and(|word| word.tag == Tag::Name)
                    && self.tokens.get(place).is_some_and(|token| token.text.contains('.') || token.text.starts_with('v'));
                if versioned && !self.has_verb {
                    return pick(&[Form::Third, Form::Past]);
                }
                let of_all = matches!(said, "both" | "all") && subject_pronoun(self.lower(place.wrapping_sub(1))).is_some();
                if of_all { pick(&[Form::Base, Form::Past]) } else { None }
            }
            Tag::To | Tag::Modal | Tag::Do => {
                pick(&[Form::Base]).or_else(|| if readings.is_empty() && before == Tag::Modal { unknown(Form::Base) } else { None })
            }
            Tag::UsedTo => None,
            // "The type of music that she plays is swing jazz": a sort does nothing.
            Tag::Be if self.is_of_a_sort() && subject_pronoun(self.lower(place.wrapping_sub(1))).is_none() => pick(&[Form::Participle]),
            Tag::Be => pick(&[Form::Ing, Form::Participle]),
            Tag::Have => pick(&[Form::Participle]),
            Tag::Pron if self.inverts(place).is_some() => self.inverts(place).and_then(|aux| match aux {
                Tag::Be => pick(&[Form::Ing, Form::Participle]),
                Tag::Have => pick(&[Form::Participle]),
                _ => pick(&[Form::Base]),
            }),
            Tag::Pron => {
                let third = subject_pronoun(said)?;
                let finite: &[Form] = if third { &[Form::Third, Form::Past] } else { &[Form::Base, Form::Past] };
                // "help us do it": a subject's form it is not.
                pick(finite).or_else(|| {
                    let looks = lower.ends_with("ed") || third && lower.ends_with('s') && lower.len() > 3 || !third && readings.is_empty();
                    (looks && !self.has_verb && readings.is_empty())
                        .then(|| unknown(if lower.ends_with("ed") { Form::Past } else { Form::Base }))?
                })
            }
            Tag::Wh => pick(&[Form::Third, Form::Past, Form::Base]),
            Tag::Noun | Tag::Name if self.inverts(self.phrase_start(place)).is_some() => {
                self.inverts(self.phrase_start(place)).and_then(|aux| match aux {
                    Tag::Be => pick(&[Form::Ing, Form::Participle]),
                    Tag::Have => pick(&[Form::Participle]),
                    _ => pick(&[Form::Base]),
                })
            }
            Tag::Noun | Tag::Name | Tag::Verb if self.has_verb => self.later_verb(at, before, &readings, next_tag),
            Tag::Noun | Tag::Name => {
                let many = before == Tag::Noun && self.grammar.is_plural_word(said) || self.is_joined(place);
                // "The Rovers play rugby": a side of several.
                let side = before == Tag::Name
                    && said.ends_with('s')
                    && (self.grammar.has_class(said, "team") || matches!(next_tag, Some(Tag::Prep)) && !self.grammar.is_plural_word(lower));
                let base_follows = (many || side) && !matches!(next_tag, Some(Tag::Be | Tag::Have | Tag::Modal));
                let followed = matches!(next_tag, Some(Tag::Be | Tag::Modal)) && next != "be";
                // "the language Ann speaks is": the verb of what describes the noun before the name.
                let start = self.phrase_start(place);
                let contact = before == Tag::Name
                    && (start..place).any(|at| self.words.get(at).is_some_and(|word| word.tag == Tag::Noun))
                    && readings.iter().any(|(_, form)| *form == Form::Third);
                if followed && !self.relative && !contact {
                    return None;
                }
                let naming = self.tokens.get(at + 1).is_some_and(|next| next.is_capital() || next.kind == Kind::Title)
                    && readings
                        .iter()
                        .any(|(lemma, form)| *form == Form::Participle && matches!(*lemma, "call" | "name" | "nickname" | "title"));
                // "The mill named Ann Orr director": a name and a role are what is named, not the namer.
                let role = self.tokens.get(at + 1..self.sentence.to).unwrap_or_default().iter().find(|token| !token.is_capital());
                let appoints = role.is_some_and(|token| {
                    let lower = token.lower.as_ref();
                    ["job", "rank", "office"].iter().any(|class| self.grammar.has_class(lower, class))
                        || matches!(lower, "as" | "chief" | "its" | "head" | "managing" | "new")
                });
                if naming && appoints {
                    return pick(&[Form::Past]);
                }
                if naming {
                    return pick(&[Form::Participle]);
                }
                if base_follows { pick(&[Form::Base, Form::Past]) } else { pick(&[Form::Third, Form::Past, Form::Participle]) }
            }
            Tag::Verb => self.later_verb(at, before, &readings, next_tag),
            // "Quill, released in May, adds support": behind what a participle described, the verb.
            Tag::Comma if self.closes_participle(place) => pick(&[Form::Third, Form::Past]),
            Tag::And | Tag::Comma if self.has_verb => {
                let goes_on = self.tokens.get(at + 1).is_some_and(|next| !matches!(next.kind, Kind::Mark(_) | Kind::Break))
                    && at + 1 < self.sentence.to;
                let wanted = match self.finite {
                    Some(Form::Third) => [Form::Third, Form::Past],
                    Some(Form::Base) => [Form::Base, Form::Past],
                    Some(Form::Participle) => [Form::Participle, Form::Past],
                    Some(Form::Ing) => [Form::Ing, Form::Ing],
                    Some(Form::Past) | None => [Form::Past, Form::Third],
                };
                let coordinated = goes_on && !matches!(next_tag, Some(Tag::And | Tag::But | Tag::Be | Tag::Modal));
                let passive = readings.iter().any(|(lemma, form)| *form == Form::Participle && self.grammar.is_passive(lemma));
                let object = matches!(next_tag, Some(Tag::Det | Tag::Poss | Tag::Pron))
                    || self.tokens.get(at + 1).is_some_and(|next| next.is_capital() && next_tag.is_none());
                let wanted =
                    if wanted == [Form::Participle, Form::Past] && (!passive || object) { [Form::Past, Form::Past] } else { wanted };
                let found = if coordinated { pick(&wanted) } else { None };
                // "I work here and live there"; after "I am ..." the first full verb tells nothing.
                // "I was raised here and now work there": what is so now stands in the present, whatever came before.
                let present = matches!(self.lower(at.wrapping_sub(1)), "now" | "currently" | "still" | "also" | "then" | "just" | "today");
                let third = object || matches!(next_tag, Some(Tag::Prep)) && self.finite.is_some();
                found
                    .or_else(|| if coordinated && (self.finite.is_none() || present) { pick(&[Form::Base]) } else { None })
                    .or_else(|| if coordinated && (third || present) { pick(&[Form::Third]) } else { None })
            }
            Tag::And => pick(&[Form::Past]),
            // "Exley, renamed Ely, is": a participle where one comma stands; behind a second one the verb goes on.
            Tag::Comma => {
                let commas =
                    (self.sentence.from..at).filter(|place| self.words.get(*place).is_some_and(|word| word.tag == Tag::Comma)).count();
                let later = self.tokens.get(at..self.sentence.to).unwrap_or_default();
                let closes = later.iter().any(|token| token.is_mark(","));
                if commas == 1 && closes { pick(&[Form::Participle, Form::Third]) } else { pick(&[Form::Third, Form::Past]) }
            }
            Tag::Mark if said == "(" => pick(&[Form::Participle, Form::Past]),
            Tag::But | Tag::Sub | Tag::Mark | Tag::Speech => {
                let noun = matches!(next_tag, Some(Tag::Be | Tag::Have | Tag::Modal | Tag::Do)) && next != "be"
                    || next_tag.is_none()
                        && self.grammar.verb(next).iter().any(|(_, form)| matches!(form, Form::Past | Form::Third))
                        && self.grammar.verb(next).iter().all(|(_, form)| !matches!(form, Form::Base));
                if noun { None } else { pick(&[Form::Base, Form::Past, Form::Third]) }
            }
            Tag::Not | Tag::Adv => None,
        }
    }

    /// A verb's form after a noun or a verb, where the clause has its verb already: a participle that describes, or the second of two verbs.
    fn later_verb(&self, at: usize, before: Tag, readings: &[(&'g str, Form)], next_tag: Option<Tag>) -> Option<Word<'g>> {
        let taken = |verb: (&'g str, Form)| Some(Word { tag: Tag::Verb, verb: Some(verb) });
        let find = |form: Form| readings.iter().find(|(_, known)| *known == form).copied();
        // "The bowls I sold on Monday please them".
        if self.words.last().is_some_and(|word| word.tag == Tag::Time) && matches!(self.next_lower(at), "me" | "us" | "him" | "them") {
            return find(Form::Base).or_else(|| find(Form::Third)).and_then(taken);
        }
        // "sharing the things I cook makes me glad": behind a clause that describes the subject, its verb.
        let describes = before == Tag::Verb
            && self.words.get(at.wrapping_sub(2)).is_some_and(|word| word.tag == Tag::Pron)
            && self.words.get(at.wrapping_sub(3)).is_some_and(|word| matches!(word.tag, Tag::Noun | Tag::Name));
        if describes && let Some(verb) = find(Form::Third).filter(|_| self.grammar.noun(self.lower(at)).is_none()) {
            return taken(verb);
        }
        if before == Tag::Verb {
            let matrix =
                self.words.get(..at).and_then(|before| before.iter().rev().find_map(|word| word.verb)).map_or("", |(lemma, _)| lemma);
            if matches!(matrix, "let" | "help") {
                return find(Form::Base).and_then(taken);
            }
            if matrix == "get" {
                return find(Form::Participle).and_then(taken);
            }
            return if ASPECTUAL.contains(&matrix) { find(Form::Ing).and_then(taken) } else { None };
        }
        let named = self.tokens.get(at + 1).is_some_and(|next| next.is_capital() || next.kind == Kind::Title);
        if named
            && let Some(verb) =
                find(Form::Participle).filter(|(lemma, _)| matches!(*lemma, "call" | "name" | "nickname" | "title" | "rename"))
        {
            return taken(verb);
        }
        // "I play and my sister sings songs": another subject, with its own verb.
        let start = self.phrase_start(at - 1);
        let joined = start > self.sentence.from
            && self.words.get(start - 1).is_some_and(|word| matches!(word.tag, Tag::And | Tag::Comma | Tag::But));
        let subject = self.words.get(start).is_some_and(|word| matches!(word.tag, Tag::Poss | Tag::Det | Tag::Name));
        let goes_on = at + 1 < self.sentence.to;
        if joined && subject && goes_on && !matches!(next_tag, Some(Tag::Be | Tag::Modal | Tag::And)) {
            let many = self.words.get(at - 1).is_some_and(|word| word.tag == Tag::Noun) && self.grammar.is_plural_word(self.lower(at - 1));
            let verb = if many { find(Form::Base) } else { find(Form::Third) };
            if let Some(verb) = verb.or_else(|| find(Form::Past).filter(|(lemma, _)| !self.grammar.is_passive(lemma))) {
                return taken(verb);
            }
        }
        let described = matches!(next_tag, Some(Tag::Prep)) || self.next_lower(at) == "to";
        // "a night watch for the mill": a noun that looks like a participle.
        let plain = find(Form::Base).is_some();
        if described && let Some(verb) = find(Form::Participle).filter(|_| !plain) {
            return taken(verb);
        }
        // "the sister I have works": not in a plain clause, whose object a noun in "-s" belongs to.
        None
    }

    /// Where the noun phrase begins that a word belongs to.
    fn phrase_start(&self, place: usize) -> usize {
        let inside = |at: &usize| {
            self.words.get(*at).is_some_and(|word| matches!(word.tag, Tag::Det | Tag::Poss | Tag::Noun | Tag::Name | Tag::Num | Tag::Gen))
        };
        (self.sentence.from..=place).rev().take_while(inside).last().unwrap_or(place)
    }

    /// The auxiliary right before a subject, where the clause begins with it: "did she", "are your parents".
    fn inverts(&self, place: usize) -> Option<Tag> {
        let mut at = place;
        while at > self.sentence.from {
            at -= 1;
            match self.words.get(at)?.tag {
                Tag::Adv | Tag::Not => {}
                tag @ (Tag::Be | Tag::Have | Tag::Do | Tag::Modal) => {
                    let before = self.before(at).map(|(_, tag)| tag);
                    return matches!(before, None | Some(Tag::Wh | Tag::Sub | Tag::But | Tag::And | Tag::Comma | Tag::Mark)).then_some(tag);
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether the noun phrase that ends at a word is one of several that share a verb.
    fn is_joined(&self, place: usize) -> bool {
        (self.sentence.from..place).rev().take(6).any(|at| self.words.get(at).is_some_and(|word| word.tag == Tag::And))
    }
}

/// Whether a word written large follows, as after "speaking".
fn next_is_language(next: Option<&Token<'_>>) -> bool {
    next.is_some_and(Token::is_capital)
}

/// Whether a word in capitals is only shouted, as its neighbour is.
fn is_shouted(token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    let shouts = |token: &Token<'_>| token.text.len() > 3 && token.text.chars().all(|c| !c.is_lowercase());
    shouts(token) && next.is_some_and(shouts)
}
