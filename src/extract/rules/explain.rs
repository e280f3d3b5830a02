//! Why a text gave the claims it gave: its words as they were taken, the pattern behind each claim, and what was left out.
//! Knows no grammar.

use crate::extract::{OpenEnd, RejectedCandidate};
use crate::model::{Claim, Term};
use crate::time::Zone;
use std::fmt;

/// How the rules read one text. Displayed as lines for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The words, in order; empty where the text was read as the fields of a record.
    pub words: Vec<ExplainedWord>,
    /// The claims, each with the pattern that fired.
    pub claims: Vec<ExplainedClaim>,
    /// The ends that do not say of what.
    pub open: Vec<OpenEnd>,
    /// What was left out, and why.
    pub rejected: Vec<RejectedCandidate>,
    /// Whose days the claims are shown in.
    pub zone: Zone,
}

/// A word and what it was taken for. Displayed as `word/tag`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedWord {
    /// As it stands in the text.
    pub text: String,
    /// What it was taken for; a verb with its base and form.
    pub tag: String,
}

/// A claim and the pattern that gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedClaim {
    /// The claim.
    pub claim: Claim,
    /// Language, relation and number of the pattern within its pack: `en/lives_in/2`; `field/…` where it is a record's field.
    pub pattern: String,
    /// The words that say so.
    pub said: String,
}

impl fmt::Display for ExplainedWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.text, self.tag)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |term: &Term| match term {
            Term::Name(text) => text.clone(),
            other @ (Term::Iri(_) | Term::Blank(_) | Term::Literal(_)) => other.to_string(),
        };
        if !self.words.is_empty() {
            let words: Vec<String> = self.words.iter().map(ToString::to_string).collect();
            writeln!(f, "words     {}", words.join("  "))?;
        }
        for ExplainedClaim { claim, pattern, said } in &self.claims {
            let polarity = format!("{:?}", claim.polarity).to_lowercase();
            let (head, tail, span) = (name(&claim.head), name(&claim.tail), claim.span.describe_in(&self.zone));
            writeln!(f, "claim     {head} | {} | {tail} | {polarity} | {span}", claim.relation)?;
            writeln!(f, "  by      {pattern}, confidence {:.2}, in {said:?}", claim.confidence)?;
        }
        for OpenEnd { claim, .. } in &self.open {
            let (head, tail, span) = (name(&claim.head), name(&claim.tail), claim.span.describe_in(&self.zone));
            writeln!(f, "open      {head} | {} | whatever is believed, said as {tail:?} | {span}", claim.relation)?;
        }
        for RejectedCandidate { kind, reason, .. } in &self.rejected {
            writeln!(f, "rejected  {kind}: {reason}")?;
        }
        Ok(())
    }
}
