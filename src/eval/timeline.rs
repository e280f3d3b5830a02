//! Claim sets of one slot with their exact facts: does the timeline function give them, in every order?
//!
//! A line is a case: `{"case", "claims": [{"id", "value", "polarity", "start", "end", "seen"}], "facts": [[value, start, end,
//! closed_by, contested, [ids]]]}`. Instants are small integers. A moment is `[t, t]` (exact) or `[lo, hi]` (a granule);
//! `[null, t]` is "by t"; `null` is an unknown start or an open end. Values exclude each other, sources are equal.
//!
//! Knows the rules only through [`crate::timeline`]; what it compares with comes from the file.

use super::orders::orders;
use super::source::{json_lines, malformed};
use super::{EvalError, Event};
use crate::model::{Authority, Polarity};
use crate::time::{End, Instant, Moment, Span, Start, TimeError};
use crate::timeline::{EndCause, SlotClaim, SlotRules, SlotTimeline, TieOrder, derive_slot};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::Path;

/// Every order of up to five claims is tried, and so many of more.
const ORDERS: usize = 120;

/// The result, flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// Cases read.
    pub cases: u64,
    /// Cases in which some order of the claims gave other facts than the file says.
    pub mismatches: u64,
}

/// A moment as the file writes it: one bound may be missing.
type Bounds = Option<(Option<i64>, i64)>;

/// A fact as the file writes it: value, start, end, the value that closed it, contested, supporting claims.
type FactLine = (String, Bounds, Bounds, Option<String>, bool, Vec<u32>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "case")]
    name: serde_json::Value,
    claims: Vec<ClaimLine>,
    facts: Vec<FactLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimLine {
    id: u32,
    value: String,
    polarity: Said,
    start: Bounds,
    end: Bounds,
    seen: Option<i64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Holds,
    Ends,
    Never,
}

/// Claims and values by their numbers, which the case gives in content order.
struct ByNumber;

impl TieOrder for ByNumber {
    fn cmp_values(&self, left: u32, right: u32) -> Ordering {
        left.cmp(&right)
    }

    fn cmp_claims(&self, left: u32, right: u32) -> Ordering {
        left.cmp(&right)
    }
}

/// Runs every case of a file (`.gz` is unpacked); `tell` gets each mismatch as a finding: the case, its claims, what was
/// expected and what came out.
///
/// # Errors
/// [`EvalError::Unreadable`], or [`EvalError::Malformed`] where a line is no case.
pub fn run(path: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<Timeline, EvalError> {
    let mut result = Timeline::default();
    for (line, case) in json_lines::<Case>(path)? {
        result.cases += 1;
        if let Some(mismatch) = check(&case).map_err(|reason| malformed(path, line, &reason))? {
            result.mismatches += 1;
            tell(Event::Finding(&mismatch));
        }
    }
    Ok(result)
}

/// The first order of the case's claims that gives other facts than expected, in words; `None` where all agree.
fn check(case: &Case) -> Result<Option<String>, String> {
    let values: BTreeSet<&str> = case.claims.iter().map(|claim| claim.value.as_str()).collect();
    let values: Vec<&str> = values.into_iter().collect();
    let mut claims = Vec::with_capacity(case.claims.len());
    for claim in &case.claims {
        claims.push(slot_claim(claim, &values).map_err(|error| format!("claim {}: {error}", claim.id))?);
    }
    let rules = SlotRules { exclusive: true, ..SlotRules::default() };
    let mut expected = case.facts.clone();
    for fact in &mut expected {
        fact.5.sort_unstable();
    }
    expected.sort();
    for order in orders(claims.len(), ORDERS, 1) {
        let fed: Vec<SlotClaim> = order.iter().filter_map(|index| claims.get(*index).copied()).collect();
        let got = facts(&derive_slot(&fed, &rules, &ByNumber), &fed, &values);
        if got != expected {
            return Ok(Some(describe(case, &fed, &expected, &got)));
        }
    }
    Ok(None)
}

fn slot_claim(claim: &ClaimLine, values: &[&str]) -> Result<SlotClaim, TimeError> {
    let at = Instant::from_micros;
    let start = match claim.start {
        Some((Some(lo), hi)) => Start::At(Moment::granule(at(lo), at(hi))?),
        Some((None, by)) => Start::By(at(by)),
        None => Start::Unknown,
    };
    let end = match claim.end {
        Some((Some(lo), hi)) => End::At(Moment::granule(at(lo), at(hi))?),
        Some((None, by)) => End::By(at(by)),
        None => End::Open,
    };
    Ok(SlotClaim {
        claim: claim.id,
        value: values.iter().zip(0..).find_map(|(value, number)| (*value == claim.value).then_some(number)).unwrap_or(u32::MAX),
        polarity: match claim.polarity {
            Said::Holds => Polarity::Holds,
            Said::Ends => Polarity::Ends,
            Said::Never => Polarity::Never,
        },
        span: Span::new(start, end)?,
        seen_at: claim.seen.map(at),
        observed_at: at(0),
        authority: Authority::User,
    })
}

/// What came out, in the file's form and sorted.
fn facts(timeline: &SlotTimeline, claims: &[SlotClaim], values: &[&str]) -> Vec<FactLine> {
    let name = |number: u32| usize::try_from(number).ok().and_then(|index| values.get(index)).map_or_else(String::new, ToString::to_string);
    let mut found: Vec<FactLine> = (0..)
        .zip(&timeline.runs)
        .map(|(index, run)| {
            let mut ids: Vec<u32> =
                claims.iter().zip(&timeline.run_of).filter(|(_, of)| **of == Some(index)).map(|(claim, _)| claim.claim).collect();
            ids.sort_unstable();
            let closed_by = match run.cause {
                EndCause::ClosedBy(closer) => claims.iter().find(|claim| claim.claim == closer).map(|claim| name(claim.value)),
                EndCause::Open | EndCause::Stated(_) | EndCause::Covered(_) | EndCause::Expired => None,
            };
            let granule = |moment: Moment| Some((Some(moment.lo().micros()), moment.hi().micros()));
            let start = match run.start {
                Start::At(moment) => granule(moment),
                Start::By(by) => Some((None, by.micros())),
                Start::Unknown => None,
                Start::Always => Some((None, i64::MIN)),
            };
            let end = match run.end {
                End::At(moment) => granule(moment),
                End::By(by) => Some((None, by.micros())),
                End::Open => None,
            };
            (name(run.value), start, end, closed_by, run.contested, ids)
        })
        .collect();
    found.sort();
    found
}

fn describe(case: &Case, fed: &[SlotClaim], expected: &[FactLine], got: &[FactLine]) -> String {
    let mut lines = vec![format!("case {}", case.name)];
    for fed in fed {
        if let Some(claim) = case.claims.iter().find(|claim| claim.id == fed.claim) {
            let seen = claim.seen.map_or_else(String::new, |seen| format!(", seen {seen}"));
            let said = format!("{:?}", claim.polarity).to_lowercase();
            lines.push(format!("  claim {}: {} {said} {} to {}{seen}", claim.id, claim.value, bounds(claim.start), bounds(claim.end)));
        }
    }
    for (what, mark, facts, others) in [("expected", '-', expected, got), ("got", '+', got, expected)] {
        for fact in facts {
            let mark = if others.contains(fact) { ' ' } else { mark };
            let (value, start, end, closed_by, contested, ids) = fact;
            let closer = closed_by.as_ref().map_or_else(String::new, |closer| format!(", closed by {closer}"));
            let contested = if *contested { ", contested" } else { "" };
            lines.push(format!("{mark} {what}: {value} {} to {}{closer}{contested}, from claims {ids:?}", bounds(*start), bounds(*end)));
        }
    }
    lines.join("\n")
}

fn bounds(bounds: Bounds) -> String {
    match bounds {
        Some((Some(lo), hi)) if lo == hi => lo.to_string(),
        Some((Some(lo), hi)) => format!("[{lo}, {hi})"),
        Some((None, by)) => format!("by {by}"),
        None => "-".to_owned(),
    }
}
