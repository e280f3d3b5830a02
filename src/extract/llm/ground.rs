//! Whether a proposal stands on the observation: its quote occurs there, its ends are named there, its dates are said there. What does
//! not is rejected with the reason. Trusts nothing of a model.

use super::{LLM, Proposal};
use crate::extract::{Context, RejectionKind};
use crate::model::{Claim, Correction, Observation, Polarity, Quote, Term};
use crate::time::expr::{self, Value, find, parse_one};
use crate::time::{End, Moment, Span, Start, Zone, parse_moment};

/// Why a proposal is not taken.
type No = (RejectionKind, String);

/// The importance of a claim before the policy has weighed it.
const IMPORTANCE: f64 = 0.5;

/// The claim that a proposal makes, if the observation says so.
///
/// # Errors
/// [`RejectionKind::Ungrounded`] for words or a date that are not there; [`RejectionKind::Malformed`] for a claim that none can be.
pub(super) fn claim(proposal: &Proposal, observation: &Observation, context: &Context<'_>) -> Result<Claim, No> {
    let text = observation.text.as_deref().unwrap_or_default();
    let quote = place(text, &proposal.quote).ok_or_else(|| ungrounded("quote", &proposal.quote))?;
    named("head", &proposal.head, observation, context)?;
    named("tail", &proposal.tail, observation, context)?;
    let name = |field: &str, words: &str| {
        let term = Term::Name(words.to_owned());
        term.check().map_err(|error| (RejectionKind::Malformed, format!("{field}: {error}")))?;
        Ok::<Term, No>(term)
    };
    let (span, is_open) = span(proposal, observation, text)?;
    let observed = observation.observed_at.at;
    Ok(Claim {
        head: name("head", &proposal.head)?,
        relation: relation(&proposal.relation, context)?,
        tail: name("tail", &proposal.tail)?,
        polarity: proposal.polarity,
        span,
        seen_at: (proposal.polarity == Polarity::Holds && is_open && span.start().lo() <= observed).then_some(observed),
        confidence: proposal.confidence,
        importance: IMPORTANCE,
        context: None,
        corrects: proposal.corrects.as_deref().map(|tail| name("corrects", tail)).transpose()?.map(Correction::Tail),
        quote: Some(quote),
        extractor: LLM.to_owned(),
    })
}

fn ungrounded(field: &str, words: &str) -> No {
    (RejectionKind::Ungrounded, format!("{field}: {words:?} is not said there"))
}

/// The letters and digits of a text in small letters, which words are compared by, and for each of their bytes the character it comes from.
fn letters(text: &str) -> (String, Vec<usize>) {
    let (mut letters, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for (at, c) in text.chars().enumerate().filter(|(_, c)| c.is_alphanumeric()) {
        letters.extend(c.to_lowercase());
        places.resize(letters.len(), at);
    }
    (letters, places)
}

/// Where words stand in a text, whatever the case and what is between the letters; in characters.
fn place(text: &str, words: &str) -> Option<Quote> {
    let ((within, places), (wanted, _)) = (letters(text), letters(words));
    let at = within.find(&wanted).filter(|_| !wanted.is_empty())?;
    let (from, to) = (places.get(at)?, places.get(at + wanted.len() - 1)? + 1);
    Some(Quote { from: u32::try_from(*from).ok()?, to: u32::try_from(to).ok()? })
}

/// Holds that an end of a claim is named: in the text, as its speaker, or in the turns before.
fn named(field: &str, words: &str, observation: &Observation, context: &Context<'_>) -> Result<(), No> {
    let is_in = |text: Option<&str>| text.is_some_and(|text| place(text, words).is_some());
    let there = is_in(observation.text.as_deref())
        || is_in(observation.speaker.as_deref())
        || is_in(observation.source.name.as_deref())
        || context.before.iter().any(|turn| is_in(Some(&turn.text)) || is_in(turn.speaker.as_deref()));
    if there { Ok(()) } else { Err(ungrounded(field, words)) }
}

/// The relation by its declared name where its words mean one.
fn relation(words: &str, context: &Context<'_>) -> Result<String, No> {
    let name = context.relations.and_then(|relations| relations.canonical_name(words)).unwrap_or_else(|| words.to_owned());
    Term::Name(name.clone()).check().map_err(|error| (RejectionKind::Malformed, format!("relation: {error}")))?;
    Ok(name)
}

/// When it holds, and whether nobody says that it ended.
fn span(proposal: &Proposal, observation: &Observation, text: &str) -> Result<(Span, bool), No> {
    let observed = observation.observed_at.at;
    let from = proposal.from.as_deref().map(|words| moment("from", words, observation, text)).transpose()?;
    let to = proposal.to.as_deref().map(|words| moment("to", words, observation, text)).transpose()?;
    let (start, end) = match proposal.polarity {
        Polarity::Ends => (Start::Unknown, to.or(from).map_or(End::By(observed), End::At)),
        Polarity::Holds | Polarity::Never => (from.map_or(Start::By(observed), Start::At), to.map_or(End::Open, End::At)),
    };
    // What is said to have ended before it was said, and not when it began, began nobody knows when.
    let start = if end.hi() <= observed && from.is_none() { Start::Unknown } else { start };
    let span = Span::new(start, end).map_err(|error| (RejectionKind::Malformed, error.to_string()))?;
    Ok((span, to.is_none()))
}

/// The moment that words name: words of the text, or a date that the text names in other words.
fn moment(field: &str, words: &str, observation: &Observation, text: &str) -> Result<Moment, No> {
    let zone = Zone::fixed(observation.observed_at.offset_minutes).unwrap_or(Zone::UTC);
    let calendar = expr::Context::new(observation.observed_at.at, zone);
    if place(text, words).is_some() {
        let read = parse_one(words, &calendar).or_else(|| find(words, &calendar).into_iter().next());
        let said = read.and_then(|mention| moment_of(&mention));
        return said.ok_or_else(|| (RejectionKind::Ungrounded, format!("{field}: {words:?} names no moment")));
    }
    let dated = parse_moment(words, &zone).map_err(|_no_date| ungrounded(field, words))?;
    let is_said = find(text, &calendar).iter().filter_map(moment_of).any(|said| said == dated);
    if is_said { Ok(dated) } else { Err(ungrounded(field, words)) }
}

fn moment_of(mention: &expr::TimeMention) -> Option<Moment> {
    match mention.value {
        Value::Moment(moment) => Some(moment),
        Value::Span(span) => mention.anchor.or(match (span.start(), span.end()) {
            (Start::At(moment), _) | (_, End::At(moment)) => Some(moment),
            _ => None,
        }),
        Value::Duration(_) | Value::Set(_) => None,
    }
}
