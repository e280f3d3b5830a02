//! Clauses: the tokens of a sentence put together to noun phrases, each with its particle, before a predicate.
//!
//! Japanese puts the predicate last, so that a clause is what stands before one. Owns the grouping; knows no relation.

use super::form::{Flags, Form, Link};
use super::inflect::Class;
use super::lexicon::{Adverb, Call};
use super::pack::WordId;
use super::particle::Particle;
use super::script::{Script, script};
use super::token::{Kind, Token};
use nom::branch::alt;
use nom::{Err, IResult, Parser};
use std::ops::Range;

/// How a part of a noun phrase is joined to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// の
    Of,
    /// への, での, との: the next one is no name of this.
    Toward,
    /// という: this is the name of the next one.
    Names,
    /// こと: this is another name of the next one.
    Alias,
    /// Nothing follows.
    Last,
}

/// What a part of a noun phrase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Text,
    Quote,
    Time(usize),
}

/// A part of a noun phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its bytes; of a quotation, those inside.
    pub(super) at: Range<usize>,
    pub(super) sort: Sort,
    pub(super) joint: Joint,
    /// The clause that modifies it, by its place among the sentence's.
    pub(super) modifier: Option<usize>,
}

/// A noun phrase: parts joined by の.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) parts: Vec<Part>,
}

impl Item {
    /// Its bytes, from its first part to its last.
    pub(super) fn at(&self) -> Range<usize> {
        let from = self.parts.first().map_or(0, |part| part.at.start);
        from..self.parts.last().map_or(from, |part| part.at.end)
    }

    /// Whether it names nothing but times.
    pub(super) fn is_time(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| matches!(part.sort, Sort::Time(_)))
    }

    /// The times in it.
    pub(super) fn times(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|part| if let Sort::Time(time) = part.sort { Some(time) } else { None })
    }
}

/// Noun phrases with the particle that marks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arg {
    pub(super) items: Vec<Item>,
    pub(super) particle: Particle,
    pub(super) topic: bool,
    /// Whether か stood between its items: one of them is meant, and nobody knows which.
    pub(super) unsure: bool,
    /// Whether a comma alone stood between its items.
    pub(super) listed: bool,
}

/// What a clause predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Predicate {
    Verb(Vec<(WordId, Class, Form)>),
    /// A value with the copula, or with nothing where a sentence ends in a noun.
    Copula(Form, Arg),
    /// Nothing: a fragment.
    Missing,
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) args: Vec<Arg>,
    pub(super) predicate: Predicate,
    pub(super) adverbs: Vec<Adverb>,
    pub(super) calls: Vec<Call>,
    pub(super) at: Range<usize>,
    /// The bytes of its predicate.
    pub(super) verb: Range<usize>,
}

impl Clause {
    pub(super) fn form(&self) -> Form {
        match &self.predicate {
            Predicate::Verb(readings) => readings.first().map_or(Form { flags: Flags::NONE, link: Link::Whole }, |(.., form)| *form),
            Predicate::Copula(form, _) => *form,
            Predicate::Missing => Form { flags: Flags::NONE, link: Link::Whole },
        }
    }

    /// The same as a request.
    pub(super) fn requested(&self) -> Self {
        let mut clause = self.clone();
        if let Predicate::Verb(readings) = &mut clause.predicate {
            for (.., form) in readings {
                form.flags = form.flags.with(Flags::ASKED);
            }
        }
        clause
    }

    pub(super) fn says(&self, adverb: Adverb) -> bool {
        self.adverbs.contains(&adverb)
    }
}

type In<'i> = &'i [Token];
type Res<'i, O> = IResult<In<'i>, O, ()>;

fn token<'i, O>(of: impl Fn(&Token) -> Option<O>) -> impl Fn(In<'i>) -> Res<'i, O> {
    move |input: In<'i>| input.split_first().and_then(|(first, rest)| Some((rest, of(first)?))).ok_or(Err::Error(()))
}

/// One piece of a clause.
#[derive(Clone, Debug)]
enum Piece {
    Nominal(Vec<Part>),
    Particle(Particle, bool),
    Verb(Vec<(WordId, Class, Form)>, Range<usize>),
    Copula(Form, Range<usize>),
    Adverb(Adverb),
    Call(Call),
    Comma(usize),
    Colon,
}

fn part(input: In<'_>) -> Res<'_, Part> {
    token(|token| {
        let (at, sort) = match &token.kind {
            Kind::Text => (token.at.clone(), Sort::Text),
            Kind::Quote(inside) => (inside.clone(), Sort::Quote),
            Kind::Time(time) => (token.at.clone(), Sort::Time(*time)),
            Kind::Particle(..)
            | Kind::Predicate(_)
            | Kind::Copula(_)
            | Kind::Adverb(_)
            | Kind::Call(_)
            | Kind::Comma
            | Kind::Colon
            | Kind::Break => return None,
        };
        Some(Part { at, sort, joint: Joint::Last, modifier: None })
    })(input)
}

fn joint(input: In<'_>) -> Res<'_, Joint> {
    token(|token| {
        let Kind::Particle(particle, topic) = token.kind else { return None };
        let bare = token.at.len() == "の".len();
        if particle == Particle::Named {
            return Some(Joint::Names);
        }
        (particle == Particle::No && !topic).then_some(if bare { Joint::Of } else { Joint::Toward })
    })(input)
}

/// Parts joined by の or という; a joint that nothing follows is left.
fn nominal(input: In<'_>) -> Res<'_, Piece> {
    let (mut rest, first) = part(input)?;
    let mut parts = vec![first];
    while let Ok((after, joined)) = joint(rest)
        && let Ok((after, next)) = part(after)
    {
        if let Some(last) = parts.last_mut() {
            last.joint = joined;
        }
        parts.push(next);
        rest = after;
    }
    Ok((rest, Piece::Nominal(parts)))
}

fn other(input: In<'_>) -> Res<'_, Piece> {
    token(|token| {
        Some(match &token.kind {
            Kind::Particle(particle, topic) => Piece::Particle(*particle, *topic),
            Kind::Predicate(readings) => Piece::Verb(readings.clone(), token.at.clone()),
            Kind::Copula(form) => Piece::Copula(*form, token.at.clone()),
            Kind::Adverb(adverb) => Piece::Adverb(*adverb),
            Kind::Call(call) => Piece::Call(*call),
            Kind::Comma => Piece::Comma(token.at.end),
            Kind::Colon => Piece::Colon,
            Kind::Text | Kind::Quote(_) | Kind::Time(_) | Kind::Break => return None,
        })
    })(input)
}

/// The next piece; brackets and dashes say nothing.
fn piece(input: In<'_>) -> Res<'_, Piece> {
    let marks = input.iter().take_while(|token| token.kind == Kind::Break).count();
    alt((nominal, other)).parse(input.get(marks..).unwrap_or_default())
}

/// The clauses of a sentence's tokens, in order; the text tells a few joints that no token shows.
pub(super) fn clauses(text: &str, tokens: In<'_>) -> Vec<Clause> {
    let mut builder = Builder { text, ..Builder::default() };
    let mut rest = tokens;
    while let Ok((after, piece)) = piece(rest) {
        builder.take(piece, after);
        rest = after;
    }
    builder.finish(tokens.last().map_or(0, |token| token.at.end));
    builder.done
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that the last piece leaves open")]
struct Builder<'t> {
    text: &'t str,
    done: Vec<Clause>,
    args: Vec<Arg>,
    /// Noun phrases that wait for a particle.
    items: Vec<Item>,
    listed: bool,
    unsure: bool,
    adverbs: Vec<Adverb>,
    calls: Vec<Call>,
    from: Option<usize>,
    /// The clause that modifies the noun to come.
    modifier: Option<usize>,
    /// Whether the last piece was a particle that could be a copula before a comma.
    de: bool,
    /// Whether a noun phrase may go on after や or a comma.
    open: bool,
    /// Whether こと stood after another name.
    alias: bool,
    /// Where a quality of the noun to come begins: 新しい, 有名な.
    quality: Option<usize>,
    /// What was perhaps never done, with its arguments: "買ったことは" before "ない".
    tried: Option<Tried>,
}

/// A deed whose having been done is told by what follows.
struct Tried {
    readings: Vec<(WordId, Class, Form)>,
    args: Vec<Arg>,
    at: Range<usize>,
}

impl Builder<'_> {
    fn take(&mut self, piece: Piece, rest: In<'_>) {
        let was_de = std::mem::take(&mut self.de);
        match piece {
            Piece::Nominal(parts) => self.nominal(parts),
            Piece::Particle(particle, topic) => self.particle(particle, topic),
            Piece::Verb(readings, at) => self.verb(readings, at, rest),
            Piece::Copula(form, at) => {
                let named = rest.first().is_some_and(|next| matches!(next.kind, Kind::Text | Kind::Quote(_))) && form.link == Link::Whole;
                self.copula(if named { Form { link: Link::Of, ..form } } else { form }, at);
            }
            Piece::Adverb(adverb) => {
                // An adverb parts a noun phrase without a particle from what follows.
                if !self.open {
                    self.close_bare();
                }
                self.adverbs.push(adverb);
            }
            Piece::Call(call) => {
                self.close_bare();
                self.calls.push(call);
            }
            Piece::Comma(at) => {
                if was_de && self.items.is_empty() && !self.args.is_empty() {
                    self.comma_after_de(at);
                } else if !self.items.is_empty()
                    && self.args.iter().any(|arg| arg.topic || arg.particle == Particle::Ga)
                    && topic_follows(rest)
                {
                    // "身長は170センチ、体重は60キロ": a value with nothing after it.
                    self.copula(Form { flags: Flags::NONE, link: Link::And }, at..at);
                } else if !self.items.is_empty() {
                    let joins =
                        rest.first().is_some_and(|next| matches!(next.kind, Kind::Text | Kind::Quote(_) | Kind::Adverb(Adverb::Idle)));
                    if joins && !self.items.iter().all(Item::is_time) {
                        self.open = true;
                        self.listed = true;
                    } else {
                        self.close_bare();
                    }
                }
            }
            // What stands before a colon is a heading.
            Piece::Colon => {
                self.items.clear();
                self.args.clear();
                self.from = None;
            }
        }
    }

    fn particle(&mut self, particle: Particle, topic: bool) {
        if matches!(particle, Particle::Also | Particle::Or) {
            self.open = true;
            self.unsure |= particle == Particle::Or;
        } else if !(matches!(particle, Particle::No | Particle::Named) && self.items.is_empty()) {
            self.close(particle, topic);
            self.de = particle == Particle::De && !topic;
        }
    }

    fn nominal(&mut self, mut parts: Vec<Part>) {
        let start = parts.first().map_or(0, |part| part.at.start);
        self.from.get_or_insert(start);
        if let (Some(modifier), Some(first)) = (self.modifier.take(), parts.first_mut()) {
            first.modifier = Some(modifier);
        }
        alias(self.text, &mut parts);
        if let (Some(quality), Some(first)) = (self.quality.take(), parts.first_mut().filter(|part| part.sort == Sort::Text)) {
            first.at.start = quality;
        }
        if std::mem::take(&mut self.alias)
            && let Some(item) = self.items.last_mut()
        {
            item.parts.extend(parts);
            return;
        }
        if self.open {
            self.open = false;
            self.items.push(Item { parts });
            return;
        }
        // 「…」 directly after a name belongs to it; so does a name after a quotation that names it.
        if let Some(last) = self.items.last_mut().and_then(|item| item.parts.last_mut())
            && let Some(first) = parts.first()
        {
            let names = self.text.get(first.at.clone()).is_some_and(|text| text.starts_with("こと")) && !matches!(last.sort, Sort::Time(_));
            let glued = last.sort == Sort::Text && first.sort == Sort::Quote && last.at.end + 3 == first.at.start
                || last.sort == Sort::Quote && first.sort == Sort::Text && last.at.end + 3 == first.at.start && !names;
            if names {
                last.joint = Joint::Alias;
                if let Some(first) = parts.first_mut() {
                    first.at.start += "こと".len();
                }
                parts.retain(|part| !part.at.is_empty());
                self.alias = parts.is_empty();
                if let Some(item) = self.items.last_mut() {
                    item.parts.extend(parts);
                }
                return;
            }
            if glued {
                // 小説『…』: the work is named by what is quoted.
                if first.sort == Sort::Quote && self.text.get(last.at.clone()).is_some_and(|text| GENRES.contains(&text)) {
                    if let Some(item) = self.items.last_mut() {
                        item.parts.pop();
                        item.parts.extend(parts);
                    }
                    return;
                }
                let mark = |mark: Option<char>, sort: Sort| mark.filter(|_| sort == Sort::Quote).map_or(0, char::len_utf8);
                let before = self.text.get(..last.at.start).and_then(|text| text.chars().next_back());
                let after = self.text.get(first.at.end..).and_then(|text| text.chars().next());
                last.at = last.at.start - mark(before, last.sort)..first.at.end + mark(after, first.sort);
                last.sort = Sort::Text;
                last.joint = first.joint;
                let tail: Vec<Part> = parts.drain(1..).collect();
                if let Some(item) = self.items.last_mut() {
                    item.parts.extend(tail);
                }
                return;
            }
        }
        // 1985年生まれ: a time is part of the word that it stands before.
        if let Some(item) = self.items.last_mut()
            && let Some(last) = item.parts.last_mut()
            && matches!(last.sort, Sort::Time(_))
            && parts.first().is_some_and(|first| {
                first.at.start == last.at.end
                    && first.sort == Sort::Text
                    && self.text.get(first.at.clone()).is_some_and(|text| DATED.iter().any(|word| text.starts_with(word)))
            })
        {
            last.joint = Joint::Of;
            item.parts.extend(parts);
            return;
        }
        self.close_bare();
        self.items.push(Item { parts });
    }

    fn close(&mut self, particle: Particle, topic: bool) {
        self.open = false;
        if self.items.is_empty() {
            return;
        }
        let items = std::mem::take(&mut self.items);
        let (listed, unsure) = (std::mem::take(&mut self.listed), std::mem::take(&mut self.unsure));
        self.args.push(Arg { items, particle, topic: topic || particle == Particle::Topic, unsure, listed });
    }

    fn close_bare(&mut self) {
        self.close(Particle::Bare, false);
    }

    fn verb(&mut self, readings: Vec<(WordId, Class, Form)>, at: Range<usize>, rest: In<'_>) {
        let joint = rest.first().is_some_and(|next| matches!(next.kind, Kind::Particle(..) | Kind::Copula(_)));
        let link = readings.first().map_or(Link::Whole, |(.., form)| form.link);
        self.close_bare();
        self.from.get_or_insert(at.start);
        let modifies = link == Link::Of && !joint;
        if let Some(tried) = self.tried.take()
            && self
                .text
                .get(at.clone())
                .is_some_and(|text| ["ない", "なか", "無い", "無か", "あり", "ある"].iter().any(|word| text.starts_with(word)))
        {
            self.experience(tried, &readings, at);
            return;
        }
        // 静かな: a quality like those in い.
        let calm = self.text.get(at.clone()).is_some_and(|text| text.ends_with("かな"));
        if modifies
            && (calm || readings.iter().all(|(_, class, _)| *class == Class::Adjective))
            && rest.first().is_some_and(|next| next.kind == Kind::Text)
        {
            self.quality = Some(at.start);
            self.rejoin();
            return;
        }
        if link == Link::Thing {
            self.thing(readings, at);
            return;
        }
        let args = if modifies {
            // A topic belongs to the sentence, not to what modifies a noun of it.
            let cut = self.args.iter().rposition(|arg| arg.topic).map_or(0, |topic| topic + 1);
            self.args.split_off(cut)
        } else {
            std::mem::take(&mut self.args)
        };
        let from = if modifies {
            args.first().and_then(|arg| arg.items.first()).map_or(at.start, |item| item.at().start)
        } else {
            self.from.take().unwrap_or(at.start)
        };
        let clause = Clause {
            args,
            predicate: Predicate::Verb(readings),
            adverbs: if modifies { self.adverbs.clone() } else { std::mem::take(&mut self.adverbs) },
            calls: if modifies { Vec::new() } else { std::mem::take(&mut self.calls) },
            at: from..at.end,
            verb: at,
        };
        if modifies {
            self.modifier = Some(self.done.len());
            // みんなが知る店で働く: those who are not named are of the clause that modifies.
            self.adverbs.retain(|adverb| *adverb != Adverb::Unnamed);
        }
        self.done.push(clause);
    }

    /// What was done once or never: the noun that it was made of it is undone, and the deed takes the denial's endings.
    fn experience(&mut self, tried: Tried, denial: &[(WordId, Class, Form)], at: Range<usize>) {
        self.args.pop();
        self.args.extend(tried.args);
        let (negated, link) =
            denial.iter().fold((false, Link::Whole), |(negated, _), (.., form)| (negated || form.is(Flags::NEGATED), form.link));
        let lacking = self.text.get(at.clone()).is_some_and(|text| text.starts_with(['な', '無']));
        let mut says = Flags::TRIED_ONCE;
        if negated || lacking {
            says = says.with(Flags::NEGATED);
        }
        let readings =
            tried.readings.into_iter().map(|(word, class, form)| (word, class, Form { flags: form.flags.with(says), link })).collect();
        let from = self.from.take().unwrap_or(tried.at.start);
        self.done.push(Clause {
            args: std::mem::take(&mut self.args),
            predicate: Predicate::Verb(readings),
            adverbs: std::mem::take(&mut self.adverbs),
            calls: std::mem::take(&mut self.calls),
            at: from..at.end,
            verb: tried.at,
        });
    }

    /// "店の新しい主人": の before a quality joins what follows it.
    fn rejoin(&mut self) {
        if self.args.last().is_some_and(|arg| arg.particle == Particle::No)
            && let Some(mut arg) = self.args.pop()
        {
            if let Some(last) = arg.items.last_mut().and_then(|item| item.parts.last_mut()) {
                last.joint = Joint::Of;
            }
            self.items = arg.items;
            self.alias = true;
        }
    }

    /// のが, ことを: the clause is itself an argument.
    fn thing(&mut self, readings: Vec<(WordId, Class, Form)>, at: Range<usize>) {
        let cut = self.args.iter().rposition(|arg| arg.topic).map_or(0, |topic| topic + 1);
        let inside = self.args.split_off(cut);
        let from = inside.first().and_then(|arg| arg.items.first()).map_or(at.start, |item| item.at().start);
        let verb = self.text.get(at.clone()).unwrap_or_default();
        let ends = [
            ("のが", Particle::Ga),
            ("のを", Particle::Wo),
            ("のも", Particle::Too),
            ("ことが", Particle::Ga),
            ("ことを", Particle::Wo),
            ("ことは", Particle::Topic),
            ("ことに", Particle::Ni),
            ("ことも", Particle::Too),
            ("ことなんて", Particle::Topic),
            ("ことすら", Particle::Too),
        ];
        let Some((end, particle)) = ends.into_iter().find(|(end, _)| verb.ends_with(end)) else { return };
        let done = readings.first().is_some_and(|(.., form)| form.is(Flags::PAST) && !form.is(Flags::NEGATED));
        self.tried = (done && end.starts_with("こと")).then(|| Tried { readings, args: inside, at: at.clone() });
        let part = Part { at: from..at.end - end.len(), sort: Sort::Text, joint: Joint::Last, modifier: None };
        self.args.push(Arg {
            items: vec![Item { parts: vec![part] }],
            particle,
            topic: particle == Particle::Topic,
            unsure: false,
            listed: false,
        });
    }

    fn copula(&mut self, form: Form, at: Range<usize>) {
        if form.link == Link::Of && at.end - at.start > 'な'.len_utf8() {
            // 社長だった人: the value modifies the noun that follows.
            let cut = self.args.iter().rposition(|arg| arg.topic).map_or(0, |topic| topic + 1);
            let topics: Vec<Arg> = self.args.drain(..cut).collect();
            let (from, adverbs) = (self.from, self.adverbs.clone());
            let value =
                Arg { items: std::mem::take(&mut self.items), particle: Particle::Bare, topic: false, unsure: false, listed: false };
            if !value.items.is_empty() {
                self.modifier = Some(self.done.len());
                self.push_copula(form, value, at);
            }
            self.args = topics;
            self.from = from;
            self.adverbs = adverbs;
            return;
        }
        if form.link == Link::Of {
            // 有名な: a quality of the noun that follows.
            if let Some(item) = self.items.pop() {
                self.quality = Some(item.at().start);
            }
            self.rejoin();
            return;
        }
        let mut value = Arg {
            items: std::mem::take(&mut self.items),
            particle: Particle::Bare,
            topic: false,
            unsure: self.unsure,
            listed: self.listed,
        };
        self.unsure = false;
        self.listed = false;
        self.open = false;
        if value.items.is_empty() {
            let Some(last) = self.args.pop() else { return };
            value = last;
        }
        self.gather(&mut value);
        self.push_copula(form, value, at);
    }

    /// と before the last of several values.
    fn gather(&mut self, value: &mut Arg) {
        while self.args.last().is_some_and(|arg| arg.particle == Particle::To && !arg.topic) {
            if let Some(arg) = self.args.pop() {
                let mut items = arg.items;
                items.append(&mut value.items);
                value.items = items;
            }
        }
    }

    fn push_copula(&mut self, form: Form, value: Arg, at: Range<usize>) {
        let from = self.from.take().unwrap_or(at.start);
        self.done.push(Clause {
            args: std::mem::take(&mut self.args),
            predicate: Predicate::Copula(form, value),
            adverbs: std::mem::take(&mut self.adverbs),
            calls: std::mem::take(&mut self.calls),
            at: from..at.end,
            verb: at,
        });
    }

    /// "弟は医師で、": the copula, if a value stands there.
    fn comma_after_de(&mut self, at: usize) {
        let Some(mut value) = self.args.pop() else { return };
        if value.items.iter().all(Item::is_time) {
            self.args.push(value);
            return;
        }
        self.gather(&mut value);
        let form = Form { flags: Flags::NONE, link: Link::And };
        self.push_copula(form, value, at..at);
    }

    fn finish(&mut self, end: usize) {
        let form = Form { flags: Flags::NONE, link: Link::Bare };
        if !self.items.is_empty() {
            let value = Arg {
                items: std::mem::take(&mut self.items),
                particle: Particle::Bare,
                topic: false,
                unsure: self.unsure,
                listed: self.listed,
            };
            let mut value = value;
            self.gather(&mut value);
            self.push_copula(form, value, end..end);
        } else if !self.args.is_empty() || !self.calls.is_empty() || !self.adverbs.is_empty() {
            let from = self.from.take().unwrap_or(end);
            self.done.push(Clause {
                args: std::mem::take(&mut self.args),
                predicate: Predicate::Missing,
                adverbs: std::mem::take(&mut self.adverbs),
                calls: std::mem::take(&mut self.calls),
                at: from..end,
                verb: end..end,
            });
        }
    }
}

/// Words that a date stands directly before, as part of them.
const DATED: &[&str] = &[
    "生まれ",
    "うまれ",
    "生",
    "創業",
    "設立",
    "創立",
    "開業",
    "創設",
    "開館",
    "開校",
    "発足",
    "創刊",
    "開園",
    "結成",
    "開店",
    "没",
    "卒",
    "締め切り",
    "締切",
    "期限",
    "納期",
    "必着",
    "〆切",
    "誕生",
    "営業",
    "開館",
    "勤務",
    "出社",
    "出勤",
    "休み",
];
/// Sorts of works that stand before a title.
const GENRES: &[&str] = &[
    "小説",
    "映画",
    "漫画",
    "マンガ",
    "ドラマ",
    "アルバム",
    "絵本",
    "雑誌",
    "書籍",
    "舞台",
    "ゲーム",
    "曲",
    "詩集",
    "楽曲",
    "長編",
    "短編",
    "戯曲",
    "アニメ",
    "ミュージカル",
    "連載",
    "新作",
    "随筆",
    "歌集",
    "句集",
    "単行本",
    "本",
    "写真集",
    "番組",
    "バンド",
    "ロックバンド",
    "ユニット",
    "アイドルグループ",
    "劇団",
    "喫茶店",
    "カフェ",
    "居酒屋",
    "レストラン",
    "パン屋",
    "雑貨店",
    "シリーズ",
    "連載小説",
    "オペラ",
    "アプリ",
];

/// Whether a noun phrase with は or が follows.
fn topic_follows(rest: In<'_>) -> bool {
    let Ok((after, _)) = nominal(rest) else { return false };
    after.first().is_some_and(|next| matches!(next.kind, Kind::Particle(Particle::Topic | Particle::Ga | Particle::Too, _)))
}

/// A name with こと inside, which gives another name to what follows it, is taken apart.
fn alias(text: &str, parts: &mut Vec<Part>) {
    let Some(last) = parts.last_mut().filter(|part| part.sort == Sort::Text) else { return };
    let Some(inside) = text.get(last.at.clone()) else { return };
    let Some(found) = inside.find("こと") else { return };
    let (before, after) = (inside.get(..found).unwrap_or_default(), inside.get(found + "こと".len()..).unwrap_or_default());
    let name = |c: Option<char>| c.is_some_and(|c| !matches!(script(c), Script::Hiragana | Script::Mark | Script::Space));
    if name(before.chars().next_back()) && name(after.chars().next()) {
        let whole = last.at.clone();
        last.at.end = whole.start + found;
        last.joint = Joint::Alias;
        let at = whole.start + found + "こと".len()..whole.end;
        parts.push(Part { at, sort: Sort::Text, joint: Joint::Last, modifier: None });
    }
}

#[cfg(test)]
mod tests {
    use super::super::SHIPPED;
    use super::super::token::tokenize;
    use super::*;

    /// Each clause as its arguments with their particles, and its predicate.
    fn check(text: &str, expect: &[&str]) {
        let tokens = tokenize(text, 0..text.len(), &[], &SHIPPED.lexicon);
        let said = |item: &Item| text[item.at()].to_owned();
        let shown = clauses(text, &tokens).into_iter().map(|clause| {
            let args =
                clause.args.iter().map(|arg| format!("{}:{:?}", arg.items.iter().map(said).collect::<Vec<_>>().join("+"), arg.particle));
            let predicate = match &clause.predicate {
                Predicate::Verb(_) => text[clause.verb.clone()].to_owned(),
                Predicate::Copula(_, value) => format!("={}", value.items.iter().map(said).collect::<Vec<_>>().join("+")),
                Predicate::Missing => "-".to_owned(),
            };
            args.chain(std::iter::once(predicate)).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(shown.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn arguments_stand_before_their_predicate() {
        check("姉は小樽で医師をしていて、犬が好きだ", &["姉:Topic 小樽:De 医師:Wo していて", "犬:Ga 好きだ"]);
        check("弟は医師で、妹は画家です", &["弟:Topic =医師", "妹:Topic =画家"]);
        check("趣味は釣りと登山です", &["趣味:Topic =釣り+登山"]);
        check("身長は170センチ、体重は60キロ", &["身長:Topic =170センチ", "体重:Topic =60キロ"]);
    }

    #[test]
    fn clauses_that_modify_or_are_nouns_are_told_apart() {
        check("山を歩くのが好きです", &["山を歩く:Ga 好きです"]);
        check("小樽に住む姉は医師です", &["小樽:Ni 住む", "姉:Topic =医師"]);
        check("古い友達の聡です", &["=古い友達の聡"]);
    }
}
