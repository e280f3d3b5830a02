//! What the grammars of all languages are made of: parsers of tokens, on nom's traits.
//! Knows no language.

use crate::time::Zone;
use crate::time::expr::calendar::Grain;
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{DayPart, Node, SeasonName, Which};
use crate::time::expr::token::{Kind, Token};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The tokens still to be read.
pub(in crate::time::expr) type In<'i> = &'i [Token<'i>];
/// What a parser gives: the tokens left, and what it read.
pub(in crate::time::expr) type Res<'i, O> = IResult<In<'i>, O, ()>;

/// A rule of a grammar.
pub(in crate::time::expr) type Rule<O> = for<'i> fn(In<'i>) -> Res<'i, O>;

/// No parse.
pub(in crate::time::expr) fn fail<O>(input: In<'_>) -> Res<'_, O> {
    Err({
        let _: () = <()>::from_error_kind(input, ErrorKind::Verify);
        Err::Error(())
    })
}

/// `Some` as a parse, `None` as none.
pub(in crate::time::expr) fn some<O>(rest: In<'_>, value: Option<O>) -> Res<'_, O> {
    match value {
        Some(value) => Ok((rest, value)),
        None => fail(rest),
    }
}

/// One token of which something can be said.
pub(in crate::time::expr) fn token<'i, O>(of: impl Fn(&Token<'i>) -> Option<O>) -> impl Fn(In<'i>) -> Res<'i, O> {
    move |input| match input.split_first().and_then(|(first, rest)| Some((rest, of(first)?))) {
        Some(read) => Ok(read),
        None => fail(input),
    }
}

/// One of some words.
pub(in crate::time::expr) fn word<'i>(words: &'static [&'static str]) -> impl Fn(In<'i>) -> Res<'i, ()> {
    token(move |token| words.iter().any(|word| token.is(word)).then_some(()))
}

/// One of some marks.
pub(in crate::time::expr) fn mark<'i>(marks: &'static str) -> impl Fn(In<'i>) -> Res<'i, char> {
    token(move |token| match token.kind {
        Kind::Mark(mark) if marks.contains(mark) => Some(mark),
        _ => None,
    })
}

/// A rule at a place: where the tokens begin, and how many there are.
type Place = (u8, usize, usize);
/// What a rule gave: how many tokens it took, and what they say.
type Given = Option<(usize, Node)>;

thread_local! {
    /// What rules gave in the tokens that are being read.
    static GIVEN: RefCell<FxHashMap<Place, Given>> = RefCell::default();
}

/// Forgets what rules gave; to be called before other tokens are read.
pub(in crate::time::expr) fn forget() {
    GIVEN.with_borrow_mut(|given| {
        if !given.is_empty() {
            given.clear();
        }
    });
}

/// What a rule gives at a place, found once: rules of every kind begin with the same dates and times. `rule` tells the rules apart.
pub(in crate::time::expr) fn once(rule: u8, parser: Rule<Node>, input: In<'_>) -> Res<'_, Node> {
    let place = (rule, input.as_ptr().addr(), input.len());
    let known = GIVEN.with_borrow(|given| given.get(&place).cloned());
    let found = known.unwrap_or_else(|| {
        let found = parser(input).ok().map(|(rest, node)| (input.len() - rest.len(), node));
        GIVEN.with_borrow_mut(|given| given.insert(place, found.clone()));
        found
    });
    match found {
        Some((taken, node)) => Ok((input.get(taken..).unwrap_or_default(), node)),
        None => fail(input),
    }
}

/// What is there if the parser reads it, else nothing, always a parse.
pub(in crate::time::expr) fn maybe<'i, O>(parser: impl Fn(In<'i>) -> Res<'i, O>, input: In<'i>) -> (In<'i>, Option<O>) {
    match parser(input) {
        Ok((rest, value)) => (rest, Some(value)),
        Err(_) => (input, None),
    }
}

/// The parse that reaches furthest; of several, the first.
pub(in crate::time::expr) fn longest<'i, O>(parsers: &[Rule<O>], input: In<'i>) -> Res<'i, O> {
    let mut best: Option<(In<'i>, O)> = None;
    for parser in parsers {
        if let Ok((rest, value)) = parser(input)
            && best.as_ref().is_none_or(|(left, _)| rest.len() < left.len())
        {
            best = Some((rest, value));
        }
    }
    best.map_or_else(|| fail(input), Ok)
}

pub(in crate::time::expr) fn month(input: In<'_>) -> Res<'_, u32> {
    token(|token| token.find(|atom| if let Atom::Month(month) = atom { Some(month) } else { None }))(input)
}

pub(in crate::time::expr) fn weekday(input: In<'_>) -> Res<'_, u8> {
    token(|token| token.find(|atom| if let Atom::Weekday(weekday) = atom { Some(weekday) } else { None }))(input)
}

pub(in crate::time::expr) fn unit(input: In<'_>) -> Res<'_, (Grain, i64)> {
    token(|token| token.find(|atom| if let Atom::Unit(grain, times) = atom { Some((grain, times)) } else { None }))(input)
}

pub(in crate::time::expr) fn which(input: In<'_>) -> Res<'_, Which> {
    token(|token| token.find(|atom| if let Atom::Which(which) = atom { Some(which) } else { None }))(input)
}

pub(in crate::time::expr) fn part(input: In<'_>) -> Res<'_, DayPart> {
    token(|token| token.find(|atom| if let Atom::Part(part) = atom { Some(part) } else { None }))(input)
}

pub(in crate::time::expr) fn season(input: In<'_>) -> Res<'_, SeasonName> {
    token(|token| token.find(|atom| if let Atom::Season(season) = atom { Some(season) } else { None }))(input)
}

pub(in crate::time::expr) fn day_word(input: In<'_>) -> Res<'_, i64> {
    token(|token| token.find(|atom| if let Atom::Day(offset) = atom { Some(offset) } else { None }))(input)
}

pub(in crate::time::expr) fn holiday(input: In<'_>) -> Res<'_, usize> {
    token(|token| token.find(|atom| if let Atom::Holiday(index) = atom { Some(index) } else { None }))(input)
}

pub(in crate::time::expr) fn meridian(input: In<'_>) -> Res<'_, bool> {
    token(|token| token.find(|atom| if let Atom::Meridian(pm) = atom { Some(pm) } else { None }))(input)
}

pub(in crate::time::expr) fn named_clock(input: In<'_>) -> Res<'_, (u32, u32)> {
    token(|token| token.find(|atom| if let Atom::Clock(hour, minute) = atom { Some((hour, minute)) } else { None }))(input)
}

pub(in crate::time::expr) fn zone(input: In<'_>) -> Res<'_, Zone> {
    token(|token| token.find(|atom| if let Atom::Zone(zone) = atom { Some(zone) } else { None }))(input)
}

pub(in crate::time::expr) fn cardinal_word(input: In<'_>) -> Res<'_, i64> {
    token(|token| token.find(|atom| if let Atom::Cardinal(value) = atom { Some(value) } else { None }))(input)
}

pub(in crate::time::expr) fn ordinal_word(input: In<'_>) -> Res<'_, i64> {
    token(|token| token.find(|atom| if let Atom::Ordinal(value) = atom { Some(value) } else { None }))(input)
}

/// A number in digits, with how many.
pub(in crate::time::expr) fn digits(input: In<'_>) -> Res<'_, (i64, u8)> {
    token(Token::number)(input)
}

/// A number in digits within bounds.
pub(in crate::time::expr) fn digits_in<'i>(least: i64, most: i64, longest: u8) -> impl Fn(In<'i>) -> Res<'i, i64> {
    token(move |token| {
        token.number().filter(|(value, count)| *count <= longest && least <= *value && *value <= most).map(|(value, _)| value)
    })
}

/// Whether the next token follows without a space.
pub(in crate::time::expr) fn is_glued(input: In<'_>) -> bool {
    input.first().is_some_and(|token| token.glued)
}

/// A month, a day or another small number as the calendar's type.
pub(in crate::time::expr) fn small(value: i64) -> Option<u32> {
    u32::try_from(value).ok()
}
