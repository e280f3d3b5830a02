//! The extractor of claims that came in ready: each is checked again and passed on. Reads no prose.

use super::{Context, Extraction, Extractor, RejectedCandidate, RejectionKind, Relations};
use crate::model::{Claim, Correction, Observation, Polarity, READY, Term};
use crate::observe::Incoming;
use crate::time::{Instant, Start};

/// Passes ready claims on, and leaves out those that no claim can be, whoever built them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadyClaims;

impl Extractor for ReadyClaims {
    fn name(&self) -> &'static str {
        READY
    }

    fn extract(&self, incoming: &Incoming, context: &Context<'_>) -> Extraction {
        self.extract_from(incoming.clone(), context).1
    }

    fn extract_from(&self, incoming: Incoming, context: &Context<'_>) -> (Observation, Extraction) {
        let Incoming { observation, ready, .. } = incoming;
        let text = observation.text.as_deref();
        let characters = if ready.iter().any(|claim| claim.quote.is_some()) { text.map_or(0, |text| text.chars().count()) } else { 0 };
        let mut rejected = Vec::new();
        let mut ordinal = 0;
        let mut claims = ready;
        claims.retain(|claim| {
            let fault = fault(claim, characters).or_else(|| mirrored(claim, context.relations?));
            if let Some((field, reason)) = &fault {
                let (field, reason) = (Some((*field).to_owned()), reason.clone());
                rejected.push(RejectedCandidate { ordinal, field, kind: RejectionKind::Malformed, reason });
            }
            ordinal += 1;
            fault.is_none()
        });
        (observation, Extraction { claims, rejected, ..Extraction::default() })
    }
}

/// The field that is wrong with a claim, and why; its observation's text has so many characters.
pub(crate) fn fault(claim: &Claim, characters: usize) -> Option<(&'static str, String)> {
    let wrong = |field: &'static str, reason: String| Some((field, reason));
    let broken = |term: &Term| term.check().err().map(|error| error.to_string());
    if claim.head.is_literal() {
        return wrong("head", format!("{} is a literal, which can only be a tail", claim.head));
    }
    if let Some(reason) = broken(&claim.head) {
        return wrong("head", reason);
    }
    if let Some(reason) = broken(&Term::Name(claim.relation.clone())) {
        return wrong("relation", reason);
    }
    if let Some(reason) = broken(&claim.tail) {
        return wrong("tail", reason);
    }
    if let Some(reason) = claim.context.as_ref().and_then(|context| broken(&Term::Iri(context.clone()))) {
        return wrong("context", reason);
    }
    if let Some(Correction::Tail(tail)) = &claim.corrects
        && let Some(reason) = broken(tail)
    {
        return wrong("corrects", reason);
    }
    for (field, share) in [("confidence", claim.confidence), ("importance", claim.importance)] {
        if !(0.0..=1.0).contains(&share) {
            return wrong(field, format!("{share} does not lie between 0 and 1"));
        }
    }
    if claim.polarity == Polarity::Ends && claim.span.start() != Start::Unknown {
        return wrong("from", format!("an end says only when it ended, not that it began {}", claim.span.start()));
    }
    if let Some(seen_at) = claim.seen_at.filter(|seen_at| !Instant::is_civil(*seen_at)) {
        return wrong("seen_at", format!("{seen_at} is no civil instant"));
    }
    if let (Start::At(start), Some(seen_at)) = (claim.span.start(), claim.seen_at)
        && seen_at < start.lo()
    {
        return wrong("seen_at", format!("{seen_at} is before the start, {}", claim.span.start()));
    }
    if let Some(quote) = claim.quote.filter(|quote| quote.from >= quote.to || quote.to as usize > characters) {
        return wrong("quote", format!("[{}, {}] is no stretch of a text of {characters} characters", quote.from, quote.to));
    }
    None
}

/// A relation that is read both ways makes a head of its tail, which a literal cannot be.
fn mirrored(claim: &Claim, relations: &dyn Relations) -> Option<(&'static str, String)> {
    if !claim.tail.is_literal() {
        return None;
    }
    let name = relations.canonical_name(&claim.relation)?;
    let policy = relations.policy(&name)?;
    let way = match &policy.inverse_of {
        Some(inverse) => format!("has the inverse {inverse:?}"),
        None if policy.symmetric => "is symmetric".to_owned(),
        None => return None,
    };
    Some(("tail", format!("{} is a literal; {name:?} {way}, so its tail is a head too", claim.tail)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Authority, Literal, Quote, Source};
    use crate::time::{End, Span, ZonedInstant};

    fn claim() -> Claim {
        Claim {
            head: Term::Name("Ana".to_owned()),
            relation: "lives_in".to_owned(),
            tail: Term::Name("Oslo".to_owned()),
            polarity: Polarity::Holds,
            span: Span::new(Start::Always, End::Open).unwrap(),
            seen_at: None,
            confidence: 1.0,
            importance: 0.5,
            context: None,
            corrects: None,
            quote: None,
            extractor: "ready".to_owned(),
        }
    }

    fn incoming(ready: Vec<Claim>) -> Incoming {
        let source = Source { authority: Authority::User, name: None };
        Incoming::from_claims(ZonedInstant { at: Instant::from_micros(0), offset_minutes: 0 }, source, ready)
    }

    #[test]
    fn sound_claims_pass_in_order_and_unsound_ones_are_named() {
        type Breaks = (&'static str, fn(&mut Claim));
        let broken: [Breaks; 12] = [
            ("head", |claim| claim.head = Term::Literal(Literal::text("Ana"))),
            ("head", |claim| claim.head = Term::Name(" ".to_owned())),
            ("relation", |claim| claim.relation.clear()),
            ("tail", |claim| claim.tail = Term::Iri("no iri".to_owned())),
            ("context", |claim| claim.context = Some("novel".to_owned())),
            ("corrects", |claim| claim.corrects = Some(Correction::Tail(Term::Blank(String::new())))),
            ("confidence", |claim| claim.confidence = f64::NAN),
            ("importance", |claim| claim.importance = 1.5),
            ("from", |claim| claim.polarity = Polarity::Ends),
            ("seen_at", |claim| claim.seen_at = Some(Instant::DISTANT_FUTURE)),
            ("seen_at", |claim| {
                claim.span = Span::new(Start::At(crate::time::Moment::exact(Instant::from_micros(9))), End::Open).unwrap();
                claim.seen_at = Some(Instant::from_micros(8));
            }),
            ("quote", |claim| claim.quote = Some(Quote { from: 0, to: 1 })),
        ];
        let mut ready = vec![claim()];
        ready.extend(broken.map(|(_, breaks)| {
            let mut claim = claim();
            breaks(&mut claim);
            claim
        }));
        ready.push(claim());
        let extraction = ReadyClaims.extract(&incoming(ready), &Context::default());
        assert_eq!(extraction.claims, [claim(), claim()]);
        let fields: Vec<(u32, &str)> = extraction.rejected.iter().map(|one| (one.ordinal, one.field.as_deref().unwrap())).collect();
        let expected: Vec<(u32, &str)> = (1..).zip(broken.map(|(field, _)| field)).collect();
        assert_eq!(fields, expected);
    }

    #[test]
    fn prose_alone_gives_nothing() {
        let observation = incoming(Vec::new());
        assert_eq!(ReadyClaims.extract(&observation, &Context::default()), Extraction::default());
        assert_eq!(ReadyClaims.name(), "ready");
    }
}
