//! Scores of linking records of people: which of them describe the same person, against the truth that their ids hold.
//!
//! Owns the format: a CSV file with a header whose first column, `rec_id`, is `rec-N-org` or `rec-N-dup-K`; records of one person share
//! `N`. The linker is given the other columns by their names and never sees that one. Knows no weights and no thresholds: those of
//! [`crate::resolve::record`] are estimated from the records.
//!
//! **What counts.** Pairs of records: the right ones of those that were linked, and of those that should have been. A file
//! `datasetN.csv` (Febrl) scores as `f1_febrlN`, files `datasetNa.csv` and `datasetNb.csv` as one set, any other as `f1_` and its name.

use super::source::{EvalError, malformed, open, unreadable};
use crate::resolve::record::{LinkOptions, Schema, link};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What linking one set of records gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    /// Records read.
    pub records: usize,
    /// Pairs of one person.
    pub gold: u64,
    /// Pairs linked.
    pub linked: u64,
    /// Pairs linked that are of one person.
    pub right: u64,
    /// Pairs that were missed or linked wrongly, as lines for people.
    pub misses: Vec<String>,
}

impl Scores {
    /// The harmonic mean of precision and recall, from 0 to 1; where nothing was to be linked and nothing was, 1.
    #[must_use]
    pub fn f1(&self) -> f64 {
        let total = count(self.gold) + count(self.linked);
        if total == 0.0 { 1.0 } else { 2.0 * count(self.right) / total }
    }
}

#[expect(clippy::cast_precision_loss, reason = "pairs of records are far below 2^52")]
fn count(n: u64) -> f64 {
    n as f64
}

/// The scores by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolutionReport {
    /// In the order of the keys.
    pub sets: BTreeMap<String, Scores>,
}

impl ResolutionReport {
    /// The flat object of keys and scores, four decimals.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let score = |(key, scores): (&String, &Scores)| (key.clone(), serde_json::json!((scores.f1() * 10_000.0).round() / 10_000.0));
        serde_json::Value::Object(self.sets.iter().map(score).collect())
    }

    /// A table for people: one line a set.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut table = String::from("key              records   gold  linked   right  precision  recall     F1\n");
        for (key, scores) in &self.sets {
            let Scores { records, gold, linked, right, .. } = scores;
            let share = |of: u64| if of == 0 { 1.0 } else { count(*right) / count(of) };
            let (precision, recall, f1) = (share(*linked), share(*gold), scores.f1());
            let line = writeln!(table, "{key:<15} {records:>8} {gold:>6} {linked:>7} {right:>7} {precision:>10.4} {recall:>7.4} {f1:>6.4}");
            if line.is_err() {
                break;
            }
        }
        table
    }

    /// What was missed or linked wrongly, one pair a line, with its key.
    #[must_use]
    pub fn to_misses(&self) -> String {
        let lines = self.sets.iter().flat_map(|(key, scores)| scores.misses.iter().map(move |miss| format!("{key}\t{miss}\n")));
        lines.collect()
    }
}

/// Links the records of a file, or of every set that lies in a folder or in its folder `febrl`, and scores what was linked.
///
/// # Errors
/// [`EvalError::Unreadable`] if a file cannot be read or there is nothing to score, [`EvalError::Malformed`] for a row that is not of
/// the format.
pub fn run(path: &Path) -> Result<ResolutionReport, EvalError> {
    let mut sets: BTreeMap<String, Set> = BTreeMap::new();
    for file in files(path)? {
        sets.entry(key_of(&file)).or_default().read(&file)?;
    }
    if sets.is_empty() {
        return Err(unreadable(path, &"it holds no CSV file of records"));
    }
    Ok(ResolutionReport { sets: sets.into_iter().map(|(key, set)| (key, set.score())).collect() })
}

/// The CSV files of a folder in the order of their names, or the one file.
fn files(path: &Path) -> Result<Vec<PathBuf>, EvalError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let below = path.join("febrl");
    let folder = if below.is_dir() { below } else { path.to_owned() };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))? {
        let file = entry.map_err(|error| unreadable(&folder, &error))?.path();
        let is = |file: &Path, ending: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
        if is(&file, "csv") || (is(&file, "gz") && is(&file.with_extension(""), "csv")) {
            found.push(file);
        }
    }
    found.sort();
    Ok(found)
}

/// The key of a file.
fn key_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let number = stem.strip_prefix("dataset").map(|rest| rest.trim_end_matches(['a', 'b']));
    match number {
        Some(number) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => format!("f1_febrl{number}"),
        _ => format!("f1_{stem}"),
    }
}

/// The records of a set, and whom each describes.
#[derive(Debug, Default)]
struct Set {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    truth: Vec<String>,
}

impl Set {
    /// Adds the records of a file.
    fn read(&mut self, path: &Path) -> Result<(), EvalError> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(false).from_reader(open(path)?);
        let fault = |error: &csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            malformed(path, line, error)
        };
        let header: Vec<String> = reader.headers().map_err(|error| fault(&error))?.iter().map(str::to_owned).collect();
        if header.first().map(String::as_str) != Some("rec_id") {
            return Err(malformed(path, 1, "the first column must be rec_id"));
        }
        if !self.header.is_empty() && self.header != header {
            return Err(malformed(path, 1, "the columns are not those of the other file of the set"));
        }
        self.header = header;
        for record in reader.records() {
            let record = record.map_err(|error| fault(&error))?;
            let line = record.position().map_or(0, csv::Position::line);
            let id = record.get(0).unwrap_or_default();
            let person = id.strip_prefix("rec-").and_then(|rest| rest.split('-').next()).filter(|person| !person.is_empty());
            let person = person.ok_or_else(|| malformed(path, line, &format!("{id:?} is no id (rec-N-org, rec-N-dup-K)")))?;
            self.truth.push(person.to_owned());
            // The truth is in the id alone: the linker gets an empty one.
            let others = record.iter().skip(1).map(str::to_owned);
            self.rows.push(std::iter::once(String::new()).chain(others).collect());
        }
        Ok(())
    }

    fn score(&self) -> Scores {
        let schema = Schema::from_header(&self.header);
        let linkage = link(&schema, &self.rows, &LinkOptions::default());
        let mut found = vec![0_usize; self.rows.len()];
        for (cluster, places) in linkage.clusters.iter().enumerate() {
            for place in places {
                if let Some(of) = found.get_mut(*place) {
                    *of = cluster;
                }
            }
        }
        let mut scores = Scores { records: self.rows.len(), ..Scores::default() };
        let records: Vec<(&String, usize, String)> =
            self.truth.iter().zip(&found).zip(&self.rows).map(|((person, cluster), row)| (person, *cluster, row.join("|"))).collect();
        for (at, (person, cluster, row)) in records.iter().enumerate() {
            for (other, into, more) in records.iter().skip(at + 1) {
                let (same, linked) = (person == other, cluster == into);
                scores.gold += u64::from(same);
                scores.linked += u64::from(linked);
                scores.right += u64::from(same && linked);
                if same != linked {
                    let what = if same { "missed" } else { "wrong" };
                    scores.misses.push(format!("{what}\t{row}\t{more}"));
                }
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(name: &str, text: &str) -> Result<ResolutionReport, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        run(&path).map_err(|error| error.to_string())
    }

    const HEADER: &str = "rec_id, given_name, surname, postcode, date_of_birth, phone\n";

    #[test]
    fn pairs_are_counted_by_the_ids() {
        let rows = "rec-0-org, tilda, okafor, 4021, 19840312, 5550172\n\
            rec-1-org, bram, visser, 2203, 19910702, 5550119\n\
            rec-0-dup-0, okafor, tilda, 4021, 19840321, 5550172\n\
            rec-2-org, ruth, brandt, 7100, 19700930, 5550143\n\
            rec-1-dup-0, bram, viser, 2203, 19910702, 5550119\n";
        let report = score("dataset7.csv", &format!("{HEADER}{rows}")).unwrap();
        assert_eq!(report.to_json(), serde_json::json!({ "f1_febrl7": 1.0 }));
        let scores = &report.sets["f1_febrl7"];
        assert_eq!((scores.records, scores.gold, scores.linked, scores.right), (5, 2, 2, 2));
        assert!(report.to_misses().is_empty(), "nothing was missed");
    }

    #[test]
    fn the_truth_is_in_the_ids_alone() {
        let rows = "rec-0-org, tilda, okafor, 4021, 19840312, 5550172\nrec-1-org, tilda, okafor, 4021, 19840312, 5550172\n\
            rec-2-org, bram, visser, 2203, 19910702, 5550119\nrec-2-dup-0, ruth, brandt, 7100, 19700930, 5550143\n";
        let report = score("liars.csv", &format!("{HEADER}{rows}")).unwrap();
        let scores = &report.sets["f1_liars"];
        assert_eq!((scores.gold, scores.linked, scores.right), (1, 1, 0), "ids that lie are not followed");
        assert!(scores.f1().abs() < 1e-12, "nothing is right");
        assert_eq!(report.to_misses().lines().count(), 2, "one missed, one wrong");
    }

    #[test]
    fn what_is_not_of_the_format_is_refused_with_its_line() {
        let refused = |text: &str| score("x.csv", text).unwrap_err();
        assert!(refused("name, surname\na, b\n").contains("rec_id"), "no ids");
        assert!(refused("rec_id, surname\nrec-0-org, a\n17, b\n").contains(":3: \"17\" is no id"), "a broken id");
        assert!(refused("rec_id, surname\nrec-0-org\n").contains(":2:"), "a short row");
    }

    #[test]
    fn files_of_one_set_are_scored_together() {
        let of = |name: &str| key_of(Path::new(name));
        assert_eq!((of("dataset3.csv"), of("x/dataset4a.csv")), ("f1_febrl3".to_owned(), "f1_febrl4".to_owned()));
        assert_eq!((of("dataset4b.csv.gz"), of("people.csv")), ("f1_febrl4".to_owned(), "f1_people".to_owned()));
    }
}
