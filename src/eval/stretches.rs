//! Sentences that say from when to when something was so: does each become a claim, with just that stretch?
//!
//! Owns the form of the `TempReason` set: a line is `{"facts": ["Ann works for Acme from Jan, 2011 to Mar, 2013.", …]}`; every other key is
//! left unread, and a sentence that several lines have counts once. Each is read as a document by whatever [`Extractor`] is given.
//!
//! **What is right** is read from the sentence by itself, by code that knows no extractor and no calendar but months and years: the two
//! dates of its last "from … to …". A sentence is right if it becomes at least one claim and each of its claims begins in the granule of
//! the one and ends in that of the other. Of a sentence without the two dates only the claim is asked for.

use super::source::{EvalError, lines, malformed, unreadable};
use crate::extract::{Context, Extractor};
use crate::model::{Authority, ObservationKind, Source};
use crate::observe::Incoming;
use crate::policy::Policies;
use crate::time::{End, Moment, Start, Zone, ZonedInstant, parse_moment};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// The sentences are not dated; all are said to have been observed then.
const OBSERVED_AT: &str = "2024-01-01T00:00:00Z";

/// What became of the sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StretchReport {
    /// Distinct sentences.
    pub sentences: usize,
    /// Of those, the ones that became a claim.
    pub claimed: usize,
    /// Sentences that give both dates.
    pub dated: usize,
    /// Of those, the ones whose claims have that stretch.
    pub right: usize,
    /// What was missed or wrong, in the order of the sentences: the sentence and what was read, a tab between.
    pub misses: Vec<String>,
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences are small")]
fn share(of: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { of as f64 / all as f64 }
}

impl StretchReport {
    /// The flat object: `claims_share` and `interval_share`, four decimals.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
        let (claims, intervals) = (share(self.claimed, self.sentences), share(self.right, self.dated));
        serde_json::json!({ "claims_share": round(claims), "interval_share": round(intervals) })
    }

    /// A line for people.
    #[must_use]
    pub fn to_table(&self) -> String {
        let Self { sentences, claimed, dated, right, .. } = self;
        let mut table = String::from("sentences  claimed   dated   right\n");
        writeln!(table, "{sentences:>9} {claimed:>8} {dated:>7} {right:>7}").ok();
        table
    }

    /// What was missed or wrong, one a line, a tab between the sentence and what was read.
    #[must_use]
    pub fn to_misses(&self) -> String {
        self.misses.iter().flat_map(|miss| [miss.as_str(), "\n"]).collect()
    }
}

#[derive(Deserialize)]
struct Line {
    facts: Vec<String>,
}

/// Whether the first line of a file is of this form; never so of a folder.
///
/// # Errors
/// [`EvalError::Unreadable`].
pub fn recognises(path: &Path) -> Result<bool, EvalError> {
    if path.is_dir() {
        return Ok(false);
    }
    let first = lines(path)?.into_iter().next();
    Ok(first.is_some_and(|(_, text)| serde_json::from_str::<Line>(&text).is_ok()))
}

/// Scores an extractor on the sentences of a file (`.gz` is unpacked).
///
/// # Errors
/// [`EvalError::Unreadable`] if the file cannot be read or there is nothing to score, [`EvalError::Malformed`] for a line without
/// sentences.
pub fn run(path: &Path, extractor: &dyn Extractor) -> Result<StretchReport, EvalError> {
    let policies = Policies::shipped();
    let observed_at = ZonedInstant::parse(OBSERVED_AT).map_err(|error| unreadable(path, &error))?;
    let source = Source { authority: Authority::Document, name: None };
    let context = Context { before: &[], relations: Some(&policies) };
    let mut report = StretchReport::default();
    let mut known = BTreeSet::new();
    for (number, text) in lines(path)? {
        let line: Line = serde_json::from_str(&text).map_err(|error| malformed(path, number, &error))?;
        for sentence in line.facts {
            if !known.insert(sentence.clone()) {
                continue;
            }
            let incoming = Incoming::from_text(ObservationKind::Document, observed_at, source.clone(), sentence.clone());
            let claims = extractor.extract(&incoming, &context).claims;
            let stretch = stretch(&sentence);
            let is_right = |from: Moment, to: Moment| {
                !claims.is_empty() && claims.iter().all(|claim| claim.span.start() == Start::At(from) && claim.span.end() == End::At(to))
            };
            let right = stretch.is_some_and(|(from, to)| is_right(from, to));
            report.sentences += 1;
            report.claimed += usize::from(!claims.is_empty());
            report.dated += usize::from(stretch.is_some());
            report.right += usize::from(right);
            if claims.is_empty() || stretch.is_some() && !right {
                let read: Vec<String> =
                    claims.iter().map(|claim| format!("{} | {} | {} | {}", claim.head, claim.relation, claim.tail, claim.span)).collect();
                report.misses.push(format!("{sentence}\t{}", read.join("; ")));
            }
        }
    }
    if report.sentences == 0 {
        return Err(unreadable(path, &"it holds no sentences"));
    }
    Ok(report)
}

/// The two dates of a sentence's last "from … to …".
fn stretch(sentence: &str) -> Option<(Moment, Moment)> {
    let text = sentence.trim().trim_end_matches(['.', '!']);
    let (_, dates) = text.rsplit_once(" from ")?;
    let (from, to) = dates.split_once(" to ")?;
    Some((date(from)?, date(to)?))
}

/// A year, with its month in words or figures or without: "2011", "Jan, 2011", "January 2011", "2011-01".
fn date(text: &str) -> Option<Moment> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let text = text.trim();
    let year = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let written = match text.split_once([' ', ',']) {
        None => text.to_owned(),
        Some((word, rest)) => {
            let rest = rest.trim_start_matches([' ', ',']);
            let word = word.trim_end_matches('.').to_lowercase();
            let month = MONTHS.iter().position(|month| word.starts_with(month) && word.chars().all(char::is_alphabetic))? + 1;
            format!("{}-{month:02}", Some(rest).filter(|rest| year(rest))?)
        }
    };
    let shaped = year(&written) || written.split_once('-').is_some_and(|(first, month)| year(first) && month.len() == 2);
    parse_moment(&written, &Zone::UTC).ok().filter(|_| shaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Rules;

    #[test]
    fn stretches_are_read_from_the_words() {
        let month = |text: &str| parse_moment(text, &Zone::UTC).unwrap();
        for (sentence, expect) in [
            ("Una rows for Brod from Jan, 2011 to Mar, 2013.", Some(("2011-01", "2013-03"))),
            ("Una rows for Tales from Sund from May 2011 to Sept. 2011.", Some(("2011-05", "2011-09"))),
            ("Una rows for Brod from 1907 to 1908-02", Some(("1907", "1908-02"))),
            ("Una came from Brod to Sund.", None),
            ("Una rows for Brod from Janus, 2011 to 13.", None),
            ("Una rows for Brod.", None),
        ] {
            assert_eq!(stretch(sentence), expect.map(|(from, to)| (month(from), month(to))), "{sentence}");
        }
    }

    #[test]
    fn each_sentence_counts_once_and_must_have_its_stretch() {
        let lines = concat!(
            r#"{"q": "?", "facts": ["Una Falk works for Brod Mills from Jan, 2011 to Mar, 2013.", "Hush now from 2011 to 2012."]}"#,
            "\n",
            r#"{"facts": ["Una Falk works for Brod Mills from Jan, 2011 to Mar, 2013.", "Una Falk works for Sund Mills."]}"#
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("said.jsonl");
        std::fs::write(&path, lines).unwrap();
        assert!(recognises(&path).unwrap(), "it has facts");
        let report = run(&path, &Rules::default()).unwrap();
        assert_eq!((report.sentences, report.claimed, report.dated, report.right), (3, 2, 2, 1), "{}", report.to_misses());
        assert_eq!(report.to_json(), serde_json::json!({ "claims_share": 0.6667, "interval_share": 0.5 }));
        std::fs::write(&path, r#"{"id": "1", "claims": []}"#).unwrap();
        assert!(!recognises(&path).unwrap(), "gold lines are others");
        assert!(run(&path, &Rules::default()).unwrap_err().to_string().contains(":1: "), "a line without sentences is named");
    }
}
