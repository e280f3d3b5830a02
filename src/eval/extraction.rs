//! Scores of extraction on gold observations: which claims were read and right, by language and by what makes the line hard.
//!
//! Owns the format of the gold lines. Knows no grammar; it asks whatever [`Extractor`] it is given.
//!
//! **What counts.** A claim is right if head and tail (NFKC, case-folded), relation, polarity, and both bounds with their kinds are.
//! Each read claim counts for one gold claim. Of a symmetric relation, or one with an inverse, the mirrored claim is right too. A bound
//! is right at the granule it was given in: an `at` is that granule of the observation's own offset; a `by` any instant within the
//! granule or at its end, since what is so "by 2021" is so when 2021 is over. A gold `null` start is what nothing is said of: `Unknown`
//! or `Always`. The F1 is that of all claims of a language together. Silence is the share of lines without gold claims that give none.

use super::source::{EvalError, lines, malformed, unreadable};
use crate::extract::{Context, Extractor, Relations, Turn};
use crate::model::{Authority, Claim, Correction, Observation, ObservationId, ObservationKind, Polarity, Source, Term};
use crate::observe::Incoming;
use crate::policy::Policies;
use crate::time::{End, Instant, Moment, Start, Zone, ZonedInstant, parse_moment};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// Claims and lines of one language, or of one sort of line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Claims that are right.
    pub right: usize,
    /// Gold claims.
    pub gold: usize,
    /// Claims that were read.
    pub read: usize,
    /// Lines that must give nothing.
    pub silent: usize,
    /// Of those, the ones that gave nothing.
    pub kept_silent: usize,
    /// Lines.
    pub lines: usize,
}

impl Tally {
    /// The harmonic mean of precision and recall, from 0 to 1; of nothing at all, 1.
    #[must_use]
    pub fn f1(self) -> f64 {
        let total = count(self.gold) + count(self.read);
        if total == 0.0 { 1.0 } else { 2.0 * count(self.right) / total }
    }

    /// Right ones of those read, and of the gold ones.
    #[must_use]
    pub fn precision_recall(self) -> (f64, f64) {
        (share(self.right, self.read), share(self.right, self.gold))
    }

    /// The share of lines that must give nothing and do, from 0 to 1; of none, 1.
    #[must_use]
    pub fn silence(self) -> f64 {
        share(self.kept_silent, self.silent)
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.gold += other.gold;
        self.read += other.read;
        self.silent += other.silent;
        self.kept_silent += other.kept_silent;
        self.lines += other.lines;
    }
}

fn share(of: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { count(of) / count(all) }
}

#[expect(clippy::cast_precision_loss, reason = "counts of claims are small")]
fn count(n: usize) -> f64 {
    n as f64
}

/// One claim that was missed, or that was read and is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The line's name.
    pub line: String,
    /// What makes it hard.
    pub why_hard: String,
    /// Its text.
    pub text: String,
    /// The gold claim, or empty for one that is read and wrong.
    pub expected: String,
    /// The claim that was read, or empty.
    pub read: String,
}

/// The scores of the files that were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtractionReport {
    /// By language.
    pub languages: BTreeMap<String, Tally>,
    /// By language and what makes a line hard.
    pub hard: BTreeMap<(String, String), Tally>,
    /// What was missed or wrong, in the order of the files.
    pub misses: Vec<Miss>,
}

impl ExtractionReport {
    /// The flat object: `f1_xx` and `silence_xx` of each language, four decimals.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let round = |value: f64| serde_json::json!((value * 10_000.0).round() / 10_000.0);
        let f1 = self.languages.iter().map(|(language, tally)| (format!("f1_{language}"), round(tally.f1())));
        let silence = self.languages.iter().map(|(language, tally)| (format!("silence_{language}"), round(tally.silence())));
        serde_json::Value::Object(f1.chain(silence).collect())
    }

    /// A table for people: one line for each language and sort of line.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut table = String::from("lang  why hard                 lines   gold   read  right  precision  recall     F1  silence\n");
        let total = self.languages.iter().map(|(language, tally)| (language, "(all)", tally));
        let rows = total.chain(self.hard.iter().map(|((language, why), tally)| (language, why.as_str(), tally)));
        for (language, why, tally) in rows {
            let (precision, recall) = tally.precision_recall();
            let silence = if tally.silent == 0 { String::new() } else { format!("{:.3}", tally.silence()) };
            let Tally { right, gold, read, lines, .. } = tally;
            let f1 = tally.f1();
            let line = writeln!(
                table,
                "{language:<5} {why:<23} {lines:>6} {gold:>6} {read:>6} {right:>6} {precision:>10.3} {recall:>7.3} {f1:>6.3} {silence:>8}"
            );
            if line.is_err() {
                break;
            }
        }
        table
    }

    /// What was missed or wrong, one a line, tabs between line, sort, text, expected and read.
    #[must_use]
    pub fn to_misses(&self) -> String {
        let plain = |text: &str| text.replace(['\n', '\t'], " ");
        let line = |miss: &Miss| {
            format!("{}\t{}\t{}\t{}\t{}\n", miss.line, miss.why_hard, plain(&miss.text), plain(&miss.expected), plain(&miss.read))
        };
        self.misses.iter().map(line).collect()
    }
}

/// A gold line.
#[derive(Deserialize)]
struct Line {
    id: String,
    lang: String,
    observed_at: String,
    source: String,
    speaker: Option<String>,
    context: Vec<Said>,
    text: String,
    claims: Vec<Gold>,
    why_hard: String,
}

#[derive(Deserialize)]
struct Said {
    speaker: Option<String>,
    text: String,
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
    corrects: Option<String>,
}

/// Scores an extractor on a file of gold lines, or on every `.jsonl` that lies in a folder.
///
/// # Errors
/// [`EvalError::Unreadable`] if a file cannot be read or there is nothing to score, [`EvalError::Malformed`] if a line is no gold line.
pub fn run(path: &Path, extractor: &dyn Extractor) -> Result<ExtractionReport, EvalError> {
    let policies = Policies::shipped();
    let mut report = ExtractionReport::default();
    for file in files(path)? {
        for (number, text) in lines(&file)? {
            let line: Line = serde_json::from_str(&text).map_err(|error| malformed(&file, number, &error))?;
            score(&line, extractor, &policies, &mut report).map_err(|reason| malformed(&file, number, &reason))?;
        }
    }
    if report.languages.is_empty() {
        return Err(unreadable(path, &"it holds no gold observations"));
    }
    Ok(report)
}

/// The gold files of a folder in the order of their names, or the one file.
fn files(path: &Path) -> Result<Vec<PathBuf>, EvalError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| unreadable(path, &error))? {
        let file = entry.map_err(|error| unreadable(path, &error))?.path();
        if file.file_name().is_some_and(|name| name.to_string_lossy().contains(".jsonl")) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

fn score(line: &Line, extractor: &dyn Extractor, policies: &Policies, report: &mut ExtractionReport) -> Result<(), String> {
    let observed_at = ZonedInstant::parse(&line.observed_at).map_err(|error| error.to_string())?;
    let zone = Zone::fixed(observed_at.offset_minutes).map_err(|error| error.to_string())?;
    let authority = authority(&line.source).ok_or_else(|| format!("source {:?} is none there is", line.source))?;
    let before: Vec<Turn> = line
        .context
        .iter()
        .map(|said| Turn {
            speaker: said.speaker.clone(),
            authority: if said.speaker.as_deref() == Some("Assistant") { Authority::Assistant } else { Authority::User },
            text: said.text.clone(),
        })
        .collect();
    let observation = Observation {
        id: ObservationId::from_bytes([0; 16]),
        kind: match authority {
            Authority::User | Authority::Assistant | Authority::Inference => ObservationKind::Chat,
            Authority::Tool => ObservationKind::ToolResult,
            Authority::Document | Authority::Curated => ObservationKind::Document,
        },
        observed_at,
        source: Source { authority, name: None },
        session: Some(line.id.clone()),
        speaker: line.speaker.clone(),
        role: None,
        key: None,
        text: Some(line.text.clone()),
    };
    let incoming = Incoming::new(observation, Vec::new());
    let context = Context { before: &before, relations: Some(policies) };
    let read = extractor.extract(&incoming, &context).claims;
    let mut used = vec![false; read.len()];
    let mut right = 0;
    let why = &line.why_hard;
    let mut miss = |expected: String, read: String| {
        report.misses.push(Miss { line: line.id.clone(), why_hard: why.clone(), text: line.text.clone(), expected, read });
    };
    for gold in &line.claims {
        let found = read.iter().zip(&mut used).find(|(claim, used)| !**used && is_right(gold, claim, policies, zone));
        match found {
            Some((_, used)) => {
                *used = true;
                right += 1;
            }
            None => miss(show_gold(gold), String::new()),
        }
    }
    for (claim, _) in read.iter().zip(&used).filter(|(_, used)| !**used) {
        miss(String::new(), show(claim, zone));
    }
    let tally = Tally {
        right,
        gold: line.claims.len(),
        read: read.len(),
        silent: usize::from(line.claims.is_empty()),
        kept_silent: usize::from(line.claims.is_empty() && read.is_empty()),
        lines: 1,
    };
    report.languages.entry(line.lang.clone()).or_default().add(tally);
    report.hard.entry((line.lang.clone(), line.why_hard.clone())).or_default().add(tally);
    Ok(())
}

fn authority(source: &str) -> Option<Authority> {
    Some(match source {
        "user" => Authority::User,
        "curated" => Authority::Curated,
        "document" => Authority::Document,
        "tool" => Authority::Tool,
        "assistant" => Authority::Assistant,
        "inference" => Authority::Inference,
        _ => return None,
    })
}

/// The text by which two names are compared.
fn folded(text: &str) -> String {
    caseless::default_case_fold_str(&text.nfkc().collect::<String>())
}

fn text_of(term: &Term) -> &str {
    match term {
        Term::Name(text) | Term::Iri(text) | Term::Blank(text) => text,
        Term::Literal(literal) => &literal.lexical,
    }
}

fn is_right(gold: &Gold, claim: &Claim, policies: &Policies, zone: Zone) -> bool {
    let same = |one: &str, term: &Term| folded(one) == folded(text_of(term));
    let straight = gold.relation == claim.relation && same(&gold.head, &claim.head) && same(&gold.tail, &claim.tail);
    let policy = policies.policy(&gold.relation);
    let turned = policy.is_some_and(|policy| {
        policy.symmetric && gold.relation == claim.relation || policy.inverse_of.as_deref() == Some(claim.relation.as_str())
    });
    let mirrored = turned && same(&gold.head, &claim.tail) && same(&gold.tail, &claim.head);
    let polarity = match claim.polarity {
        Polarity::Holds => "holds",
        Polarity::Ends => "ends",
        Polarity::Never => "never",
    };
    let corrected = match (&gold.corrects, &claim.corrects) {
        (Some(gold), Some(Correction::Tail(tail))) => same(gold, tail),
        (Some(_), _) => false,
        (None, _) => true,
    };
    (straight || mirrored)
        && polarity == gold.polarity
        && corrected
        && start_is(gold.from.as_deref(), gold.from_kind.as_deref(), claim.span.start(), zone)
        && end_is(gold.to.as_deref(), gold.to_kind.as_deref(), claim.span.end(), zone)
}

/// Whether an instant lies in a granule or at its end.
fn within(at: Instant, granule: Moment) -> bool {
    granule.lo() <= at && at <= granule.hi()
}

fn start_is(gold: Option<&str>, kind: Option<&str>, start: Start, zone: Zone) -> bool {
    let Some(granule) = gold.and_then(|text| parse_moment(text, &zone).ok()) else {
        return gold.is_none() && matches!(start, Start::Unknown | Start::Always);
    };
    match (start, kind) {
        (Start::At(moment), Some("at")) => moment == granule,
        (Start::By(at), Some("by")) => within(at, granule),
        _ => false,
    }
}

fn end_is(gold: Option<&str>, kind: Option<&str>, end: End, zone: Zone) -> bool {
    let Some(granule) = gold.and_then(|text| parse_moment(text, &zone).ok()) else {
        return gold.is_none() && end == End::Open;
    };
    match (end, kind) {
        (End::At(moment), Some("at")) => moment == granule,
        (End::By(at), Some("by")) => within(at, granule),
        _ => false,
    }
}

fn show_gold(gold: &Gold) -> String {
    let bound = |at: &Option<String>, kind: &Option<String>| match (at, kind) {
        (Some(at), Some(kind)) => format!("{kind} {at}"),
        _ => "-".to_owned(),
    };
    let corrects = gold.corrects.as_ref().map(|tail| format!(" corrects {tail}")).unwrap_or_default();
    let (from, to) = (bound(&gold.from, &gold.from_kind), bound(&gold.to, &gold.to_kind));
    format!("{} | {} | {} | {} | {from} .. {to}{corrects}", gold.head, gold.relation, gold.tail, gold.polarity)
}

fn show(claim: &Claim, zone: Zone) -> String {
    let corrects = match &claim.corrects {
        Some(Correction::Tail(tail)) => format!(" corrects {}", text_of(tail)),
        _ => String::new(),
    };
    let polarity = format!("{:?}", claim.polarity).to_lowercase();
    let span = claim.span.describe_in(&zone);
    format!("{} | {} | {} | {polarity} | {span}{corrects}", text_of(&claim.head), claim.relation, text_of(&claim.tail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Extraction;
    use crate::time::Span;
    use std::io::Write as _;

    /// Reads "A lives in B." as it stands, and of every text that begins with "Hush" something it should not.
    #[derive(Debug)]
    struct Parrot;

    impl Extractor for Parrot {
        fn name(&self) -> &'static str {
            "parrot"
        }

        fn extract(&self, incoming: &Incoming, context: &Context<'_>) -> Extraction {
            let observed = incoming.observation.observed_at.at;
            let text = incoming.observation.text.as_deref().unwrap_or_default();
            assert_eq!(context.before.len(), usize::from(text.contains("there")));
            let words: Vec<&str> = text.trim_end_matches('.').split(' ').collect();
            let [head, .., tail] = words.as_slice() else { return Extraction::default() };
            let claim = Claim {
                head: Term::Name((*tail).to_owned()),
                relation: "friend_of".to_owned(),
                tail: Term::Name((*head).to_owned()),
                polarity: Polarity::Holds,
                span: Span::new(Start::By(observed), End::Open).unwrap(),
                seen_at: None,
                confidence: 1.0,
                importance: 0.5,
                context: None,
                corrects: None,
                quote: None,
                extractor: "parrot".to_owned(),
            };
            Extraction { claims: vec![claim], ..Extraction::default() }
        }
    }

    fn gold(id: &str, text: &str, context: &str, claims: &str) -> String {
        format!(
            r#"{{"id":"{id}","lang":"en","observed_at":"2024-03-11T09:00:00+01:00","source":"user","speaker":"Ann","context":[{context}],"text":"{text}","claims":[{claims}],"why_hard":"plain"}}"#
        )
    }

    const FRIENDS: &str = r#"{"head":"ann","relation":"friend_of","tail":"Bo","polarity":"holds","from":"2024-03-11","from_kind":"by","to":null,"to_kind":null,"kind":"state"}"#;

    #[test]
    fn mirrored_claims_are_right_and_lines_that_must_give_nothing_count_apart() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let turn = r#"{"speaker":"Assistant","text":"who?"}"#;
        for line in [
            gold("a", "Ann likes Bo.", "", FRIENDS),
            gold("b", "Hush there now", turn, ""),
            gold("c", "Hm", "", ""),
            gold("d", "Hm", "", FRIENDS),
        ] {
            writeln!(file, "{line}").unwrap();
        }
        let report = run(file.path(), &Parrot).unwrap();
        assert_eq!(report.languages["en"], Tally { right: 1, gold: 2, read: 2, silent: 2, kept_silent: 1, lines: 4 });
        assert_eq!(report.to_json(), serde_json::json!({"f1_en": 0.5, "silence_en": 0.5}));
        assert_eq!(report.misses.len(), 2);
        assert!(report.to_misses().contains("b\tplain\tHush there now\t\tnow | friend_of | Hush | holds"), "{}", report.to_misses());
        assert!(report.to_table().contains("plain"), "{}", report.to_table());
    }

    #[test]
    fn bounds_are_right_at_the_granule_they_were_said_in() {
        let zone = Zone::fixed(60).unwrap();
        let year = |text: &str| parse_moment(text, &zone).unwrap();
        assert!(start_is(Some("2019"), Some("at"), Start::At(year("2019")), zone));
        assert!(!start_is(Some("2019-01"), Some("at"), Start::At(year("2019")), zone));
        assert!(start_is(Some("2019"), Some("by"), Start::By(year("2019").hi()), zone));
        assert!(!start_is(Some("2019"), Some("by"), Start::By(year("2021").hi()), zone));
        assert!(start_is(None, None, Start::Unknown, zone) && !start_is(None, None, Start::At(year("2019")), zone));
        assert!(end_is(None, None, End::Open, zone) && end_is(Some("2019"), Some("by"), End::By(year("2019-05").lo()), zone));
    }

    #[test]
    fn what_is_no_gold_line_is_refused_with_its_place() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "{{\"id\":1}}").unwrap();
        let error = run(file.path(), &Parrot).unwrap_err().to_string();
        assert!(error.contains(":1: "), "{error}");
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert!(run(empty.path(), &Parrot).unwrap_err().to_string().contains("no gold observations"));
    }
}
