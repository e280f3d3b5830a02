//! From the fields of a line to one ready claim: defaults, checks and the span. Knows no file format.

use super::field::{Field, Given, QuoteGiven, fill};
use super::options::{Limits, ObservedAt};
use super::{Fault, excerpt};
use crate::model::{Claim, Correction, Polarity, Quote, READY, Term};
use crate::time::{End, Instant, Span, Start, Zone, parse_end, parse_moment, parse_start};
use std::borrow::Cow;

/// The confidence of a claim that states none.
const CONFIDENCE: f64 = 1.0;
/// The importance of a claim that states none.
const IMPORTANCE: f64 = 0.5;

/// The fields of one claim as given, nothing decided yet.
#[derive(Debug, Default)]
pub(super) struct ClaimFields<'a> {
    head: Option<Term>,
    relation: Option<Cow<'a, str>>,
    tail: Option<Term>,
    polarity: Option<Cow<'a, str>>,
    from: Option<Cow<'a, str>>,
    to: Option<Cow<'a, str>>,
    valid: Option<Cow<'a, str>>,
    seen_at: Option<Cow<'a, str>>,
    confidence: Option<f64>,
    importance: Option<f64>,
    context: Option<Cow<'a, str>>,
    corrects: Option<Correction>,
    quote: Option<QuoteGiven<'a>>,
}

/// What a claim's fields are read against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'s> {
    pub(super) observed_at: ObservedAt,
    pub(super) text: Option<&'s str>,
    pub(super) zone: &'s Zone,
    pub(super) limits: &'s Limits,
    /// What is added to the labels of blank nodes.
    pub(super) blank_suffix: Option<&'s str>,
}

impl<'a> ClaimFields<'a> {
    /// Takes one field, called `name` in the input; a field of the observation is none of this.
    pub(super) fn take(&mut self, field: Field, name: &str, given: Given<'a>) -> Result<(), Fault> {
        let fault = |reason: String| Fault::of(name, reason);
        match field {
            Field::Head => fill(&mut self.head, name, Some(given.term().map_err(fault)?)),
            Field::Relation => fill(&mut self.relation, name, given.text().map_err(fault)?),
            Field::Tail => fill(&mut self.tail, name, Some(given.term().map_err(fault)?)),
            Field::Polarity => fill(&mut self.polarity, name, given.text().map_err(fault)?),
            Field::From => fill(&mut self.from, name, given.time().map_err(fault)?),
            Field::To => fill(&mut self.to, name, given.time().map_err(fault)?),
            Field::Valid => fill(&mut self.valid, name, given.time().map_err(fault)?),
            Field::SeenAt => fill(&mut self.seen_at, name, given.time().map_err(fault)?),
            Field::Confidence => fill(&mut self.confidence, name, given.share().map_err(fault)?),
            Field::Importance => fill(&mut self.importance, name, given.share().map_err(fault)?),
            Field::Context => fill(&mut self.context, name, given.text().map_err(fault)?),
            Field::Corrects => fill(&mut self.corrects, name, given.correction().map_err(fault)?),
            Field::Quote => fill(&mut self.quote, name, given.quote().map_err(fault)?),
            Field::Observation
            | Field::ObservedAt
            | Field::Kind
            | Field::Source
            | Field::Session
            | Field::Speaker
            | Field::Role
            | Field::Text
            | Field::Claims => Err(Fault::of(name, "belongs to the observation, not to one of its claims")),
        }
    }

    /// Whether nothing of a claim was given.
    pub(super) const fn is_empty(&self) -> bool {
        self.head.is_none()
            && self.relation.is_none()
            && self.tail.is_none()
            && self.polarity.is_none()
            && self.from.is_none()
            && self.to.is_none()
            && self.valid.is_none()
            && self.seen_at.is_none()
            && self.confidence.is_none()
            && self.importance.is_none()
            && self.context.is_none()
            && self.corrects.is_none()
            && self.quote.is_none()
    }

    /// The claim, with everything checked.
    pub(super) fn build(mut self, setting: &Setting<'_>) -> Result<Claim, Fault> {
        let missing = |field: Field| move || Fault::of(field.name(), "is missing");
        let head = setting.term(Field::Head, self.head.take().ok_or_else(missing(Field::Head))?)?;
        if head.is_literal() {
            return Err(Fault::of(Field::Head.name(), format!("{head} is a literal, which can only be a tail")));
        }
        let relation = setting.relation(&self.relation.take().ok_or_else(missing(Field::Relation))?)?;
        let tail = setting.term(Field::Tail, self.tail.take().ok_or_else(missing(Field::Tail))?)?;
        let corrects = match self.corrects.take() {
            Some(Correction::Tail(tail)) => Some(Correction::Tail(setting.term(Field::Corrects, tail)?)),
            other => other,
        };
        let polarity = self.polarity.as_deref().map_or(Ok(Polarity::Holds), polarity)?;
        let context = self.context.take().map(|context| setting.context(&context)).transpose()?;
        let span = self.span(polarity, setting)?;
        Ok(Claim {
            head,
            relation,
            tail,
            polarity,
            span,
            seen_at: self.seen_at(span, setting)?,
            confidence: self.confidence.unwrap_or(CONFIDENCE),
            importance: self.importance.unwrap_or(IMPORTANCE),
            context,
            corrects,
            quote: self.quote.as_ref().map(|quote| setting.quote(quote)).transpose()?,
            extractor: READY.to_owned(),
        })
    }

    /// The span of `from` and `to`, or of the EDTF interval `valid`.
    ///
    /// With neither bound a claim says what is so as it is observed (start `By`, open), and an end says "over by now".
    /// An end without a start is "until then", the start unknown.
    fn span(&self, polarity: Polarity, setting: &Setting<'_>) -> Result<Span, Fault> {
        let (from, to, from_field, to_field) = match &self.valid {
            None => (self.from.as_deref(), self.to.as_deref(), Field::From, Field::To),
            Some(_) if self.from.is_some() || self.to.is_some() => {
                return Err(Fault::of(Field::Valid.name(), "stands for from and to; give it or them"));
            }
            Some(valid) => {
                let bounds = match valid.split_once('/') {
                    Some((from, to)) if from.trim().is_empty() && to.trim().is_empty() => {
                        return Err(Fault::of(Field::Valid.name(), format!("{:?} says nothing", excerpt(valid))));
                    }
                    Some((from, to)) => (Some(from), Some(to)),
                    // One moment: within it, it began and ended; an end only ended.
                    None => ((polarity != Polarity::Ends).then_some(valid.as_ref()), Some(valid.as_ref())),
                };
                (bounds.0, bounds.1, Field::Valid, Field::Valid)
            }
        };
        let at = |field: Field| move |error: crate::time::TimeError| Fault::of(field.name(), error.to_string());
        let start = parse_start(from.unwrap_or_default(), setting.zone).map_err(at(from_field))?;
        let end = parse_end(to.unwrap_or_default(), setting.zone).map_err(at(to_field))?;
        let by = setting.observed_at.by;
        let (start, end) = match (polarity, start, end) {
            (Polarity::Ends, None | Some(Start::Unknown), None) => (Start::Unknown, End::By(by)),
            (Polarity::Ends, None | Some(Start::Unknown), Some(end)) => (Start::Unknown, end),
            (Polarity::Ends, Some(start), _) => {
                return Err(Fault::of(from_field.name(), format!("an end says only when it ended, not that it began {start}")));
            }
            (_, None, None | Some(End::Open)) => (Start::By(by), End::Open),
            (_, None, Some(end)) => (Start::Unknown, end),
            (_, Some(start), end) => (start, end.unwrap_or(End::Open)),
        };
        Span::new(start, end).map_err(|error| match (start, end) {
            (Start::Unknown, End::Open) if polarity == Polarity::Ends => Fault::of(to_field.name(), "an end that is open says nothing"),
            (Start::Unknown, End::Open) => Fault::of(from_field.name(), error.to_string()),
            _ if to_field == Field::Valid => Fault::of(to_field.name(), error.to_string()),
            _ => Fault::of(
                to_field.name(),
                format!("{:?} lies before from {:?}", excerpt(to.unwrap_or_default()), excerpt(from.unwrap_or_default())),
            ),
        })
    }

    /// The last instant the claim speaks for: of a granule the first instant, which is all that can be said for certain.
    fn seen_at(&self, span: Span, setting: &Setting<'_>) -> Result<Option<Instant>, Fault> {
        let Some(text) = &self.seen_at else { return Ok(None) };
        let fault = |reason: String| Fault::of(Field::SeenAt.name(), reason);
        let seen_at = match text.trim() {
            "observed_at" => setting.observed_at.at.at,
            text => parse_moment(text, setting.zone).map_err(|error| fault(error.to_string()))?.lo(),
        };
        if matches!(span.start(), Start::At(_)) && seen_at < span.start().lo() {
            return Err(fault(format!("{:?} lies before it began ({})", excerpt(text), span.start())));
        }
        Ok(Some(seen_at))
    }
}

fn polarity(word: &str) -> Result<Polarity, Fault> {
    match word.trim() {
        "holds" => Ok(Polarity::Holds),
        "ends" => Ok(Polarity::Ends),
        "never" => Ok(Polarity::Never),
        other => Err(Fault::of(Field::Polarity.name(), format!("wants holds, ends or never, not {:?}", excerpt(other)))),
    }
}

impl Setting<'_> {
    /// A term within its limit, well formed, a blank node with its scope.
    fn term(&self, field: Field, term: Term) -> Result<Term, Fault> {
        let fault = |reason: String| Fault::of(field.name(), reason);
        let bytes = match &term {
            Term::Name(text) | Term::Iri(text) | Term::Blank(text) => text.len(),
            Term::Literal(literal) => literal.lexical.len().max(literal.datatype.as_ref().map_or(0, String::len)),
        };
        self.short(field, bytes)?;
        term.check().map_err(|error| fault(error.to_string()))?;
        Ok(match (term, self.blank_suffix) {
            (Term::Blank(label), Some(suffix)) => Term::Blank(format!("{label}.{suffix}")),
            (term, _) => term,
        })
    }

    fn relation(&self, relation: &str) -> Result<String, Fault> {
        self.short(Field::Relation, relation.len())?;
        let name = Term::Name(relation.trim().to_owned());
        name.check().map_err(|error| Fault::of(Field::Relation.name(), error.to_string()))?;
        let Term::Name(relation) = name else { return Err(Fault::of(Field::Relation.name(), "is missing")) };
        Ok(relation)
    }

    /// A named graph's IRI, in angle brackets or bare.
    fn context(&self, context: &str) -> Result<String, Fault> {
        self.short(Field::Context, context.len())?;
        let context = context.trim();
        let iri = context.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(context);
        Term::Iri(iri.to_owned()).check().map_err(|error| Fault::of(Field::Context.name(), error.to_string()))?;
        Ok(iri.to_owned())
    }

    fn short(&self, field: Field, bytes: usize) -> Result<(), Fault> {
        if bytes > self.limits.term_bytes {
            return Err(Fault::of(field.name(), format!("{bytes} bytes are more than the limit of {}", self.limits.term_bytes)));
        }
        Ok(())
    }

    /// Where the observation's text says so, in characters.
    fn quote(&self, given: &QuoteGiven<'_>) -> Result<Quote, Fault> {
        let fault = |reason: String| Fault::of(Field::Quote.name(), reason);
        let text = self.text.ok_or_else(|| fault("the observation has no text to quote".to_owned()))?;
        let too_long = |_too_many| fault("the text is too long to quote from".to_owned());
        match given {
            QuoteGiven::Range(from, to) => {
                let characters = u32::try_from(text.chars().count()).map_err(too_long)?;
                if from >= to || *to > characters {
                    return Err(fault(format!("[{from}, {to}] is no stretch of a text of {characters} characters")));
                }
                Ok(Quote { from: *from, to: *to })
            }
            QuoteGiven::Words(words) => {
                let before = text.split_once(words.as_ref()).filter(|_| !words.is_empty()).map(|(before, _)| before);
                let before = before.ok_or_else(|| fault(format!("{:?} does not occur in the text", excerpt(words))))?;
                let from = u32::try_from(before.chars().count()).map_err(too_long)?;
                let length = u32::try_from(words.chars().count()).map_err(too_long)?;
                Ok(Quote { from, to: from.saturating_add(length) })
            }
        }
    }
}
