//! What the shipped write policy makes of gold observations: what it masks, keeps and refuses of them, counted.
//!
//! Owns the counts and the reading of gold lines as far as they are needed. Knows no extractor: the gold claims themselves are judged, so
//! that what is refused is the policy's doing alone.
//!
//! **What counts.** Each line is screened, and its gold claims are judged as claims read from its text by an empty memory, with full
//! confidence; once without any consent, and once with all of them. A placeholder in the place of a gold claim's words is a mask like any.

use super::source::{EvalError, json_lines, malformed, unreadable};
use crate::model::{Authority, Claim, Observation, ObservationKind, Polarity, Source, Term};
use crate::observe::Incoming;
use crate::policy::{Consents, Fate, MaskKind, NothingKnown, Policies, Refusal, Rules, Screened, WritePolicy, judge, screen};
use crate::time::{End, Span, Start, Zone, ZonedInstant, parse_moment};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the policy made of the lines that were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyReport {
    /// Observations.
    pub lines: u64,
    /// Those in whose text something was masked.
    pub masked_lines: u64,
    /// Those from which nothing is read.
    pub unread_lines: u64,
    /// Gold claims.
    pub claims: u64,
    /// Those kept without any consent recorded.
    pub kept: u64,
    /// Those kept with every consent recorded.
    pub kept_with_consent: u64,
    /// Masks, by kind.
    pub masks: BTreeMap<MaskKind, u64>,
    /// Claims refused without consent, by reason.
    pub refusals: BTreeMap<Refusal, u64>,
    /// Claims kept without consent, by importance class.
    pub classes: BTreeMap<String, u64>,
    /// The importance of all those, added up.
    pub importance: f64,
    /// What was masked and refused, one finding each, in the order of the lines: the line's id, what became of it, and why.
    pub findings: Vec<String>,
}

impl PolicyReport {
    /// The flat object of counts: `lines`, `masked_lines`, `unread_lines`, `claims`, `kept`, `kept_with_consent`, `mean_importance` (of those
    /// kept, three decimals), and `masked_KIND`, `refused_REASON`, `class_NAME` for each there is.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let mut counts = vec![
            ("lines".to_owned(), self.lines),
            ("masked_lines".to_owned(), self.masked_lines),
            ("unread_lines".to_owned(), self.unread_lines),
            ("claims".to_owned(), self.claims),
            ("kept".to_owned(), self.kept),
            ("kept_with_consent".to_owned(), self.kept_with_consent),
        ];
        counts.extend(self.masks.iter().map(|(kind, count)| (format!("masked_{kind}"), *count)));
        counts.extend(self.refusals.iter().map(|(why, count)| (format!("refused_{why}"), *count)));
        counts.extend(self.classes.iter().map(|(class, count)| (format!("class_{class}"), *count)));
        let mut flat: serde_json::Map<String, serde_json::Value> = counts.into_iter().map(|(key, count)| (key, count.into())).collect();
        flat.insert("mean_importance".to_owned(), serde_json::json!(((self.importance / count(self.kept)) * 1000.0).round() / 1000.0));
        serde_json::Value::Object(flat)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of lines are small")]
fn count(n: u64) -> f64 {
    n.max(1) as f64
}

/// Judges a file of gold observations, or every `.jsonl` file in a folder, under the shipped policy and relations.
///
/// # Errors
/// [`EvalError::Unreadable`] if a file cannot be read or there is nothing to judge, [`EvalError::Malformed`] if a line is no gold line.
pub fn run(path: &Path) -> Result<PolicyReport, EvalError> {
    let policy = WritePolicy::shipped();
    let relations = Policies::shipped();
    let mut all = Consents::default();
    for category in policy.categories().chain(["other"]) {
        all.grant(None, category).map_err(|error| unreadable(path, &error))?;
    }
    let none = Consents::default();
    let rules = [Rules::new(&policy, &relations, &none), Rules::new(&policy, &relations, &all)];
    let mut report = PolicyReport::default();
    for file in files(path)? {
        for (number, line) in json_lines::<Line>(&file)? {
            let incoming = line.incoming().map_err(|reason| malformed(&file, number, &reason))?;
            let claims =
                line.claims.iter().map(Gold::claim).collect::<Result<Vec<_>, _>>().map_err(|reason| malformed(&file, number, &reason))?;
            tell(&line.id, screen(incoming, &policy, &none), claims, &rules, &mut report);
        }
    }
    if report.lines == 0 {
        return Err(unreadable(path, &"it holds no gold observations"));
    }
    Ok(report)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, EvalError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| unreadable(path, &error))? {
        let file = entry.map_err(|error| unreadable(path, &error))?.path();
        if file.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Counts what became of a line; the rules are without any consent, and with every one.
fn tell(id: &str, screened: Screened, claims: Vec<Claim>, [without, with]: &[Rules<'_>; 2], report: &mut PolicyReport) {
    let Screened { incoming, fate, masked, .. } = screened;
    let observation = &incoming.observation;
    report.lines += 1;
    report.masked_lines += u64::from(!masked.is_empty());
    report.unread_lines += u64::from(fate != Fate::Facts);
    if let Fate::Text(why) | Fate::Nothing(why) = fate {
        report.findings.push(format!("{id}\tunread\t{why}"));
    }
    for mask in masked {
        *report.masks.entry(mask.kind).or_default() += 1;
        report.findings.push(format!("{id}\tmasked\t{}", mask.kind));
    }
    report.claims += claims.len() as u64;
    report.kept_with_consent += judge(claims.clone(), observation, with, &NothingKnown).kept.len() as u64;
    let judged = judge(claims, observation, without, &NothingKnown);
    report.kept += judged.kept.len() as u64;
    for kept in judged.kept {
        report.importance += kept.claim.importance;
        let class = kept.weight.and_then(|weight| weight.class).unwrap_or_else(|| "incidental".to_owned());
        *report.classes.entry(class).or_default() += 1;
    }
    for refused in judged.refused {
        *report.refusals.entry(refused.why).or_default() += 1;
        report.findings.push(format!("{id}\trefused {}\t{}", refused.why, refused.reason));
    }
}

/// A gold line, as far as the policy looks at it.
#[derive(Deserialize)]
struct Line {
    id: String,
    observed_at: String,
    source: String,
    speaker: Option<String>,
    text: String,
    claims: Vec<Gold>,
}

impl Line {
    fn incoming(&self) -> Result<Incoming, String> {
        let at = ZonedInstant::parse(&self.observed_at).map_err(|error| error.to_string())?;
        let (kind, authority) = match self.source.as_str() {
            "user" => (ObservationKind::Chat, Authority::User),
            "assistant" => (ObservationKind::Chat, Authority::Assistant),
            "document" => (ObservationKind::Document, Authority::Document),
            "tool" => (ObservationKind::ToolResult, Authority::Tool),
            other => return Err(format!("source {other:?} is none of user, assistant, document, tool")),
        };
        let read = Incoming::from_text(kind, at, Source { authority, name: None }, self.text.as_str());
        Ok(Incoming::new(Observation { speaker: self.speaker.clone(), ..read.observation }, Vec::new()))
    }
}

#[derive(Deserialize)]
struct Gold {
    head: String,
    relation: String,
    tail: String,
    polarity: String,
    from: Option<String>,
    from_kind: Option<String>,
    to: Option<String>,
    to_kind: Option<String>,
}

impl Gold {
    fn claim(&self) -> Result<Claim, String> {
        let moment = |text: &str| parse_moment(text, &Zone::UTC).map_err(|error| error.to_string());
        let start = match (self.from.as_deref(), self.from_kind.as_deref()) {
            (Some(from), Some("by")) => Start::By(moment(from)?.hi()),
            (Some(from), _) => Start::At(moment(from)?),
            (None, _) => Start::Unknown,
        };
        let end = match (self.to.as_deref(), self.to_kind.as_deref()) {
            (Some(to), Some("by")) => End::By(moment(to)?.hi()),
            (Some(to), _) => End::At(moment(to)?),
            (None, _) => End::Open,
        };
        let polarity = match self.polarity.as_str() {
            "holds" => Polarity::Holds,
            "ends" => Polarity::Ends,
            "never" => Polarity::Never,
            other => return Err(format!("polarity {other:?} is none of holds, ends, never")),
        };
        Ok(Claim {
            head: Term::Name(self.head.clone()),
            relation: self.relation.clone(),
            tail: Term::Name(self.tail.clone()),
            polarity,
            span: Span::new(start, end).map_err(|error| error.to_string())?,
            seen_at: None,
            confidence: 1.0,
            importance: 0.5,
            context: None,
            corrects: None,
            quote: None,
            extractor: "gold".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file(lines: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(lines.as_bytes()).unwrap();
        file
    }

    #[test]
    fn masks_consents_and_reasons_are_counted() {
        let claim = |relation: &str, tail: &str| {
            format!(
                r#"{{"head": "Ivo", "relation": "{relation}", "tail": "{tail}", "polarity": "holds", "from": "2024-05-01", "from_kind": "by", "to": null, "to_kind": null, "kind": "state"}}"#
            )
        };
        let line = |source: &str, text: &str, claims: &[String]| {
            let claims = claims.join(", ");
            format!(
                r#"{{"id": "t", "lang": "en", "observed_at": "2024-05-01T09:00:00Z", "source": "{source}", "speaker": "Ivo", "context": [], "text": "{text}", "claims": [{claims}], "why_hard": "x"}}"#
            )
        };
        let lines = [
            line("user", "Remember that I live in Graz.", &[claim("lives_in", "Graz")]),
            line("user", "I have asthma and work at Monday.", &[claim("has_condition", "asthma"), claim("employer", "Monday")]),
            line("document", "Ask ivo@lantern.example.", &[]),
        ];
        let report = run(file(&lines.join("\n")).path()).unwrap();
        assert_eq!((report.lines, report.masked_lines, report.claims, report.kept, report.kept_with_consent), (3, 1, 3, 1, 2));
        assert_eq!(report.masks, BTreeMap::from([(MaskKind::Email, 1)]));
        assert_eq!(report.refusals, BTreeMap::from([(Refusal::Consent, 1), (Refusal::Range, 1)]));
        assert_eq!(report.findings.len(), 3);
        let flat = report.to_json();
        assert_eq!((&flat["class_asked"], &flat["refused_range"], &flat["mean_importance"]), (&1.into(), &1.into(), &1.0.into()));
    }

    #[test]
    fn what_is_no_gold_line_is_named() {
        let error = run(file("{\"id\": 3}").path()).unwrap_err().to_string();
        assert!(error.contains(":1: "), "{error}");
        let error = run(file("").path()).unwrap_err().to_string();
        assert!(error.contains("no gold observations"), "{error}");
    }
}
