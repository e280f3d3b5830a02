//! How a pattern after a verb is written: its words, its words in brackets, its slots.
//!
//! Knows no relation and no class of words.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, space0};
use nom::combinator::{map, opt};
use nom::multi::{many1, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// Whether a word of a pattern is a slot.
pub(super) fn is_slot(word: &str) -> bool {
    matches!(word.split(':').next(), Some("H" | "T" | "S" | "O"))
}

/// An element as it is written.
pub(super) enum Raw<'p> {
    Words(Vec<String>),
    Maybe(Vec<String>),
    Slot(char, Option<&'p str>),
    Other,
}

/// The elements of a pattern.
pub(super) fn pattern(input: &str) -> IResult<&str, Vec<Raw<'_>>> {
    many1(terminated(element, space0)).parse(input)
}

fn element(input: &str) -> IResult<&str, Raw<'_>> {
    alt((slot, map(delimited(char('('), words, char(')')), Raw::Maybe), map(words, Raw::Words))).parse(input)
}

fn slot(input: &str) -> IResult<&str, Raw<'_>> {
    let (rest, (letter, sort)) = (
        alt((tag("H"), tag("T"), tag("S"), tag("O"))),
        opt(preceded(char(':'), take_while1(|c: char| c.is_ascii_lowercase() || c == '_'))),
    )
        .parse(input)?;
    if rest.starts_with(|c: char| c.is_alphanumeric()) {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify)));
    }
    Ok((
        rest,
        match letter {
            "H" => Raw::Slot('H', sort),
            "T" => Raw::Slot('T', sort),
            _ => Raw::Other,
        },
    ))
}

fn words(input: &str) -> IResult<&str, Vec<String>> {
    let letters = take_while1(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '&' | '.' | '/' | '%'));
    map(separated_list1(char('|'), letters), |words: Vec<&str>| words.into_iter().map(str::to_owned).collect()).parse(input)
}
