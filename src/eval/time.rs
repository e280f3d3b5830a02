//! Scores of reading temporal expressions on published collections: what was found and right, per type and language.
//!
//! Owns the formats of the collections and the conventions each follows, as values of [`Context`]. Knows no grammar.
//!
//! **What counts.** A mention is right if its character span is exact and its value equals one of the expected ones; of a past and a
//! future reading that are both listed, the one that the context prefers has to be among them. Missed and spurious mentions both count.
//! *Recognizers*: `date`, `datetime` and `daterange` are scored, each with its own F1; a spurious mention counts against the type it
//! was read as; a mention at a gold span counts for the type of the gold. Types without a key (`time`, `timerange`, `datetimerange`,
//! `duration`, `set`) are found and shown, and are neither missed nor spurious in any key. Values that the collection leaves unresolved
//! (fiscal years, seasons, dates that do not exist) are right if found.
//! *Duckling*: each line is one whole expression with one value.
//! *`LoCoMo`*: of the questions on time whose answer is a day, a month or a year, how often the answer is among at most two candidates
//! read from the turns that are its evidence, the day of a turn being one where no expression gives two; a candidate that lies inside
//! the answer is the answer.

use super::source::{EvalError, lines, malformed, unreadable};
use crate::time::expr::{
    Approximate, Context, Conventions, DayParts, Grain, Language, LastWeekday, NextWeekday, Prefer, Role, Seasons, Sections,
    ShiftPrecision, Sort, ThisWeekday, TimeMention, Value, WeekendStart, WeeksOf, Windows, find, parse_one,
};
use crate::time::{End, Instant, Moment, Start, Zone};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Hits and misses of one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Gold mentions found with the right value.
    pub right: usize,
    /// Gold mentions.
    pub gold: usize,
    /// Mentions read that count for the key.
    pub read: usize,
    /// Gold mentions found at their span, whatever the value.
    pub spans: usize,
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
        let share = |of: usize| if of == 0 { 1.0 } else { count(self.right) / count(of) };
        (share(self.read), share(self.gold))
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of lines are small")]
fn count(n: usize) -> f64 {
    n as f64
}

/// One thing that was missed or read wrongly, for whoever works on the grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The key it counts for.
    pub key: String,
    /// The text it stands in.
    pub text: String,
    /// What was expected, or empty for a spurious one.
    pub expected: String,
    /// What was read, or empty.
    pub read: String,
}

/// The scores of the collections that were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeReport {
    /// By key, in the order of the keys.
    pub tallies: BTreeMap<String, Tally>,
    /// What was missed, in the order of the files.
    pub misses: Vec<Miss>,
}

impl TimeReport {
    /// The flat object of keys and scores, four decimals.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let score = |(key, tally): (&String, &Tally)| (key.clone(), serde_json::json!((tally.f1() * 10_000.0).round() / 10_000.0));
        serde_json::Value::Object(self.tallies.iter().map(score).collect())
    }

    /// A table for people: one line a key.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut table = String::from("key                          gold   read  spans  right  precision  recall     F1\n");
        for (key, tally) in &self.tallies {
            let (precision, recall) = tally.precision_recall();
            let Tally { gold, read, spans, right } = tally;
            let f1 = tally.f1();
            let line = writeln!(table, "{key:<26} {gold:>6} {read:>6} {spans:>6} {right:>6} {precision:>10.3} {recall:>7.3} {f1:>6.3}");
            if line.is_err() {
                break;
            }
        }
        table
    }

    /// What was missed, one a line, tabs between key, text, expected and read.
    #[must_use]
    pub fn to_misses(&self) -> String {
        let line = |miss: &Miss| format!("{}\t{}\t{}\t{}\n", miss.key, miss.text.replace(['\n', '\t'], " "), miss.expected, miss.read);
        self.misses.iter().map(line).collect()
    }

    fn tally(&mut self, key: &str) -> &mut Tally {
        self.tallies.entry(key.to_owned()).or_default()
    }

    fn miss(&mut self, key: &str, text: &str, expected: String, read: String) {
        self.misses.push(Miss { key: key.to_owned(), text: text.to_owned(), expected, read });
    }
}

/// Scores a file of one of the collections, or every one that lies in a folder; gzipped or plain JSON lines.
///
/// # Errors
/// [`EvalError::Unreadable`] if a file cannot be read or there is nothing to score, [`EvalError::Malformed`] if a line is of none of
/// the formats.
pub fn run(path: &Path) -> Result<TimeReport, EvalError> {
    let files = collections(path, &["time_", "locomo"])?;
    let mut report = TimeReport::default();
    for file in &files {
        score_file(file, &mut report)?;
    }
    if report.tallies.is_empty() {
        return Err(unreadable(path, &"it holds no collection of temporal expressions"));
    }
    Ok(report)
}

/// The files of a folder whose names begin so, in the order of their names; or the one file.
fn collections(path: &Path, prefixes: &[&str]) -> Result<Vec<PathBuf>, EvalError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| unreadable(path, &error))? {
        let file = entry.map_err(|error| unreadable(path, &error))?.path();
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if prefixes.iter().any(|prefix| name.starts_with(prefix)) && name.contains(".jsonl") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

fn score_file(path: &Path, report: &mut TimeReport) -> Result<(), EvalError> {
    for (number, line) in lines(path)? {
        let fault = |error: serde_json::Error| malformed(path, number, &error);
        match serde_json::from_str(&line).map_err(fault)? {
            Shape { results: Some(_), .. } => recognizers(&serde_json::from_str(&line).map_err(fault)?, report),
            Shape { turns: Some(_), .. } => locomo(&serde_json::from_str(&line).map_err(fault)?, report),
            Shape { section: Some(_), .. } => duckling(&serde_json::from_str(&line).map_err(fault)?, report),
            _ => return Err(malformed(path, number, "it is a line of none of the collections")),
        }
    }
    Ok(())
}

/// What tells the collections apart.
#[derive(Deserialize)]
struct Shape {
    results: Option<serde::de::IgnoredAny>,
    turns: Option<serde::de::IgnoredAny>,
    section: Option<serde::de::IgnoredAny>,
}

/// A line of the Recognizers collection.
#[derive(Deserialize)]
struct Sentence {
    lang: String,
    input: String,
    reference: Option<String>,
    results: Vec<Gold>,
}

#[derive(Deserialize)]
struct Gold {
    text: String,
    start: Option<usize>,
    end: Option<usize>,
    r#type: String,
    values: Option<Vec<GoldValue>>,
}

#[derive(Deserialize)]
struct GoldValue {
    value: Option<serde_json::Value>,
    start: Option<String>,
    end: Option<String>,
}

/// The conventions of the Recognizers collection.
#[must_use]
pub fn recognizers_context(reference: Instant) -> Context {
    let conventions = Conventions {
        weekday_may_be_today: true,
        following_weekday: NextWeekday::OfNextWeek,
        last_weekday: LastWeekday::OfLastWeek,
        weekday_must_agree: false,
        shift_precision: ShiftPrecision::Day,
        windows: Windows::Rolling,
        sections: Sections {
            year: [(0, 4), (4, 8), (8, 12)],
            month: [(0, 15), (9, 20), (15, 31)],
            week: [(0, 3), (2, 5), (3, 7)],
            halves_if_relative: true,
        },
        day_parts: DayParts {
            morning: (8, 12),
            early_morning: (8, 10),
            afternoon: (12, 16),
            evening: (16, 20),
            night: (20, 24),
            lunch: (11, 13),
        },
        approximate: Approximate::Keep,
        waking_hours: false,
        night_goes_on: false,
        definite_unit: true,
        numbered_weeks: true,
        onward_excludes: true,
        ..Conventions::CONVERSATION
    };
    Context { conventions, ..Context::new(reference, Zone::UTC).preferring(Prefer::Future) }
}

/// The conventions of the Duckling corpus; its reference is 2013-02-12T04:30 at −02:00.
#[must_use]
pub fn duckling_context() -> Option<Context> {
    let zone = Zone::fixed(-120).ok()?;
    let reference = Instant::from_civil(2013, 2, 12, 6, 30, 0, 0).ok()?;
    let conventions = Conventions {
        weekday_may_be_today: false,
        this_weekday: ThisWeekday::Coming,
        last_weekday: LastWeekday::MostRecent,
        shift_precision: ShiftPrecision::Finer,
        windows: Windows::Whole,
        weeks_of: WeeksOf::Whole,
        seasons: Seasons::Astronomical,
        weekend: WeekendStart::FridayEvening,
        sections: Sections {
            year: [(0, 3), (4, 8), (8, 12)],
            month: [(0, 10), (10, 20), (20, 31)],
            week: [(0, 3), (2, 5), (4, 7)],
            halves_if_relative: false,
        },
        day_parts: DayParts {
            morning: (0, 12),
            early_morning: (0, 9),
            afternoon: (12, 19),
            evening: (18, 24),
            night: (18, 24),
            lunch: (12, 14),
        },
        approximate: Approximate::Keep,
        waking_hours: false,
        definite_unit: true,
        numbered_weeks: true,
        coming_counts: true,
        after_excludes: false,
        ..Conventions::CONVERSATION
    };
    Some(Context { conventions, ..Context::new(reference, zone).preferring(Prefer::Future) })
}

fn recognizers(sentence: &Sentence, report: &mut TimeReport) {
    let Some(language) = Language::parse(&sentence.lang) else { return };
    let reference = sentence.reference.as_deref().and_then(|text| Instant::parse(&format!("{text}Z")).ok());
    let reference = reference.unwrap_or_else(|| Instant::from_micros(0));
    let context = recognizers_context(reference).in_language(language);
    let mentions = find(&sentence.input, &context);
    let key = |name: &str| format!("recognizers_{}_{name}", language.code());
    let scored = |name: &str| matches!(name, "date" | "datetime" | "daterange");
    let length = sentence.input.chars().count();
    let mut used = vec![false; mentions.len()];
    let mut places = Vec::new();
    for gold in &sentence.results {
        let at = match (gold.start, gold.end) {
            (Some(start), Some(end)) => Some(start..(end + 1).min(length)),
            _ => place(&sentence.input, &gold.text, &places),
        };
        places.extend(at.clone());
        let found = mentions
            .iter()
            .enumerate()
            .find(|(index, mention)| Some(&mention.span) == at.as_ref() && !used.get(*index).copied().unwrap_or(true));
        if let Some((index, _)) = found
            && let Some(used) = used.get_mut(index)
        {
            *used = true;
        }
        if !scored(&gold.r#type) {
            continue;
        }
        let right = found.is_some_and(|(_, mention)| recognizers_right(gold, mention));
        let tally = report.tally(&key(&gold.r#type));
        tally.gold += 1;
        tally.read += usize::from(found.is_some());
        tally.spans += usize::from(found.is_some());
        tally.right += usize::from(right);
        if !right {
            let expected = format!("[{}] {}", gold.text, gold_values(gold));
            let read = found.map(|(_, mention)| show(mention)).or_else(|| {
                let at = at.clone()?;
                let near = mentions.iter().find(|mention| mention.span.start < at.end && at.start < mention.span.end)?;
                Some(format!("span {:?} {}", slice(&sentence.input, near), show(near)))
            });
            report.miss(&key(&gold.r#type), &sentence.input, expected, read.unwrap_or_default());
        }
    }
    for (mention, used) in mentions.iter().zip(&used) {
        let name = match mention.sort {
            Sort::Date => "date",
            Sort::DateTime => "datetime",
            Sort::DateRange => "daterange",
            Sort::DateTimeRange | Sort::Time | Sort::TimeRange | Sort::Duration | Sort::Set => continue,
        };
        if !used {
            report.tally(&key(name)).read += 1;
            let read = format!("{:?} {}", slice(&sentence.input, mention), show(mention));
            report.miss(&key(name), &sentence.input, String::new(), read);
        }
    }
}

/// Where a gold text without a place stands: its first occurrence that is not yet taken.
fn place(text: &str, gold: &str, taken: &[std::ops::Range<usize>]) -> Option<std::ops::Range<usize>> {
    let lower: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let gold: Vec<char> = gold.chars().flat_map(char::to_lowercase).collect();
    let starts = lower.windows(gold.len().max(1)).enumerate().filter(|(_, window)| **window == *gold);
    starts.map(|(start, _)| start..start + gold.len()).find(|range| !taken.contains(range))
}

fn slice<'t>(text: &'t str, mention: &TimeMention) -> &'t str {
    text.get(mention.bytes.clone()).unwrap_or_default()
}

fn show(mention: &TimeMention) -> String {
    let one = |value: &Value| match value {
        Value::Moment(moment) => moment.to_string(),
        Value::Span(span) => span.to_string(),
        Value::Duration(duration) => format!("{duration:?}"),
        Value::Set(set) => format!("{set:?}"),
    };
    let values: Vec<String> = mention.candidates().map(one).collect();
    format!("{:?} {:?} {}", mention.sort, mention.role, values.join(" | "))
}

fn gold_values(gold: &Gold) -> String {
    let one = |value: &GoldValue| match &value.value {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => format!("({}, {})", value.start.as_deref().unwrap_or("-"), value.end.as_deref().unwrap_or("-")),
    };
    gold.values.iter().flatten().map(one).collect::<Vec<_>>().join(" | ")
}

/// The bounds as the collection writes them: of a range, where its first and its last granule begin.
fn recognizers_bounds(mention: &TimeMention, value: &Value) -> (Option<Instant>, Option<Instant>) {
    match value {
        Value::Moment(moment) => (Some(moment.lo()), Some(moment.hi())),
        Value::Span(span) => {
            // What a day bounds is written with that day, what a longer granule bounds with where it ends.
            let wide = |anchor: Moment| anchor.hi().micros_since(anchor.lo()) > 86_400_000_000;
            match (mention.role, mention.anchor) {
                (Role::After, Some(_)) => {
                    let Start::At(start) = span.start() else { return (None, None) };
                    let day = 86_400_000_000;
                    let wide = mention.anchor.is_some_and(wide);
                    let of_day = mention.grain == Grain::Day && !wide;
                    (Some(if of_day { start.lo().saturating_sub(day) } else { start.lo() }), None)
                }
                (Role::By, Some(_)) => {
                    let End::By(over) = span.end() else { return (None, None) };
                    let of_day = mention.grain == Grain::Day;
                    (None, Some(if of_day { over.saturating_sub(86_400_000_000) } else { over }))
                }
                _ => {
                    let start = match span.start() {
                        Start::At(moment) => Some(moment.lo()),
                        Start::By(_) | Start::Unknown | Start::Always => None,
                    };
                    let end = match span.end() {
                        End::At(moment) => Some(moment.lo()),
                        End::By(instant) => Some(instant),
                        End::Open => None,
                    };
                    (start, end)
                }
            }
        }
        Value::Duration(_) | Value::Set(_) => (None, None),
    }
}

fn recognizers_right(gold: &Gold, mention: &TimeMention) -> bool {
    let instant = |text: &str| -> Option<Instant> {
        let text = text.replace(' ', "T");
        Instant::parse(&if text.contains('T') { format!("{text}Z") } else { format!("{text}T00:00:00Z") }).ok()
    };
    let value = &mention.value;
    gold.values.iter().flatten().any(|expected| {
        if let Some(serde_json::Value::String(text)) = &expected.value {
            if text == "not resolved" {
                return true;
            }
            let at = instant(text);
            return match value {
                Value::Moment(moment) => {
                    at == Some(moment.lo()) && (gold.r#type != "date" || moment.hi().micros_since(moment.lo()) == 86_400_000_000)
                }
                Value::Span(_) | Value::Duration(_) | Value::Set(_) => false,
            };
        }
        let bounds = (expected.start.as_deref().and_then(instant), expected.end.as_deref().and_then(instant));
        recognizers_bounds(mention, value) == bounds
    })
}

/// A line of the Duckling corpus.
#[derive(Deserialize)]
struct Example {
    lang: String,
    text: String,
    kind: String,
    value: Option<String>,
    end: Option<String>,
    grain: Option<String>,
}

fn duckling(example: &Example, report: &mut TimeReport) {
    let (Some(language), Some(context)) = (Language::parse(&example.lang), duckling_context()) else { return };
    let key = format!("duckling_{}", language.code());
    let context = context.in_language(language);
    let mention = parse_one(&example.text, &context);
    let read = mention.is_some() || !find(&example.text, &context).is_empty();
    let right = mention.as_ref().is_some_and(|mention| duckling_right(example, mention, &context));
    let tally = report.tally(&key);
    tally.gold += 1;
    tally.read += usize::from(read);
    tally.spans += usize::from(mention.is_some());
    tally.right += usize::from(right);
    if !right {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let expected = format!("{} {} {} {}", example.kind, text(&example.value), text(&example.end), text(&example.grain));
        report.miss(&key, &example.text, expected, mention.as_ref().map(show).unwrap_or_default());
    }
}

fn duckling_right(example: &Example, mention: &TimeMention, context: &Context) -> bool {
    let local = |text: &Option<String>| text.as_deref().and_then(|text| Instant::parse(&format!("{text}-02:00")).ok());
    let (start, end) = (local(&example.value), local(&example.end));
    let width = |moment: Moment| moment.hi().micros_since(moment.lo());
    let days = |moment: Moment| width(moment) / 86_400_000_000;
    match (example.kind.as_str(), mention.value) {
        ("instant", Value::Moment(moment)) => {
            let wide = match example.grain.as_deref() {
                Some("day") => days(moment) == 1,
                Some("week") => days(moment) == 7,
                Some("month") => (28..=31).contains(&days(moment)),
                Some("quarter") => (89..=92).contains(&days(moment)),
                Some("year") => (365..=366).contains(&days(moment)),
                _ => days(moment) == 0,
            };
            start == Some(moment.lo()) && wide
        }
        ("interval", Value::Moment(moment)) => start == Some(moment.lo()) && end == Some(moment.hi()),
        ("interval", Value::Span(span)) => match (span.start(), span.end()) {
            // The last granule counts, as fine as the finer end: 9:30 to 11 ends at 11:01.
            (Start::At(from), End::At(to)) => {
                // Months and years of different lengths are as fine as each other.
                let same = from.is_exact() || width(to) <= width(from) + width(from) / 5;
                let finer = if same { width(to) } else { width(from) };
                start == Some(from.lo()) && end == Some(to.lo().saturating_add(finer))
            }
            // "By" runs from the reference.
            (_, End::By(over)) if mention.role == Role::By => start == Some(context.reference) && end == Some(over),
            _ => false,
        },
        ("open-after", Value::Span(span)) => matches!(span.start(), Start::At(from) if start == Some(from.lo())) && span.end() == End::Open,
        ("open-before", Value::Span(span)) => {
            let over = match span.end() {
                End::At(moment) => Some(moment.lo()),
                End::By(instant) if mention.role == Role::By => mention.anchor.map(Moment::lo).or(Some(instant)),
                End::By(instant) => Some(instant),
                End::Open => None,
            };
            start == over && !matches!(span.start(), Start::At(_))
        }
        _ => false,
    }
}

/// A conversation of the `LoCoMo` collection.
#[derive(Deserialize)]
struct Conversation {
    turns: Vec<Turn>,
    qa: Vec<Question>,
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    date: String,
    text: String,
}

#[derive(Deserialize)]
struct Question {
    q: String,
    #[serde(default)]
    a: serde_json::Value,
    cat: u8,
    #[serde(default)]
    evidence: Vec<String>,
}

fn locomo(conversation: &Conversation, report: &mut TimeReport) {
    let key = "locomo_dates";
    let turns: BTreeMap<&str, &Turn> = conversation.turns.iter().map(|turn| (turn.id.as_str(), turn)).collect();
    for question in conversation.qa.iter().filter(|question| question.cat == 2) {
        let answer = question.a.as_str().map_or_else(|| question.a.to_string(), str::to_owned);
        let Some(expected) = answer_moment(&answer) else { continue };
        let candidates = candidates(question, &turns);
        let right = candidates.iter().any(|candidate| expected.lo() <= candidate.lo() && candidate.hi() <= expected.hi());
        let tally = report.tally(key);
        tally.gold += 1;
        tally.read += 1;
        tally.spans += 1;
        tally.right += usize::from(right);
        if !right {
            let said: Vec<String> = question
                .evidence
                .iter()
                .filter_map(|id| turns.get(id.as_str()))
                .map(|turn| format!("({}) {}", turn.date, turn.text))
                .collect();
            let read: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            report.miss(key, &format!("{} {}", question.q, said.join(" // ")), answer, read.join(" | "));
        }
    }
}

/// An answer that is a day, a month or a year.
fn answer_moment(answer: &str) -> Option<Moment> {
    let context = Context::new(Instant::from_date(2023, 6, 15).ok()?, Zone::UTC).in_language(Language::English);
    let mention = parse_one(answer, &context)?;
    let explicit = answer.chars().filter(char::is_ascii_digit).count() >= 4 && mention.alternatives.is_empty() && !mention.approximate;
    match mention.value {
        Value::Moment(moment) if explicit && matches!(mention.grain, Grain::Day | Grain::Month | Grain::Year) => {
            let relative = answer
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| matches!(word.to_ascii_lowercase().as_str(), "before" | "after" | "week" | "weekend" | "ago"));
            (!relative).then_some(moment)
        }
        Value::Moment(_) | Value::Span(_) | Value::Duration(_) | Value::Set(_) => None,
    }
}

/// At most two moments that the evidence turns speak of.
fn candidates(question: &Question, turns: &BTreeMap<&str, &Turn>) -> Vec<Moment> {
    let mut ranked: Vec<(usize, Moment)> = Vec::new();
    let mut days: Vec<Moment> = Vec::new();
    for turn in question.evidence.iter().filter_map(|id| turns.get(id.as_str())) {
        let Some(reference) = turn_time(&turn.date) else { continue };
        let context = Context::new(reference, Zone::UTC).in_language(Language::English);
        days.push(Moment::day_of(reference, &Zone::UTC));
        let mentions = find(&turn.text, &context);
        for mention in &mentions {
            let vague = matches!(mention.grain, Grain::Second | Grain::Minute | Grain::Quarter | Grain::Decade | Grain::Century);
            let moments: Vec<Moment> = match mention.value {
                Value::Moment(moment) if !matches!(mention.sort, Sort::Time | Sort::TimeRange) => vec![moment],
                Value::Span(span) => match (span.start(), span.end()) {
                    (Start::At(from), _) => vec![from],
                    _ => vec![],
                },
                // "for 10 years": since about then.
                Value::Duration(duration) => match parse_one(&ago(duration), &context).map(|mention| mention.value) {
                    Some(Value::Moment(moment)) => vec![moment],
                    _ => vec![],
                },
                Value::Moment(_) | Value::Set(_) => vec![],
            };
            ranked.extend(moments.into_iter().map(|moment| (usize::from(vague), moment)));
            let others =
                mention.alternatives.iter().filter_map(|value| if let Value::Moment(moment) = value { Some(*moment) } else { None });
            ranked.extend(others.map(|moment| (2, moment)));
        }
    }
    ranked.extend(days.into_iter().map(|day| (3, day)));
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut found: Vec<Moment> = Vec::new();
    for (_, moment) in ranked {
        if !found.contains(&moment) && found.len() < 2 {
            found.push(moment);
        }
    }
    found
}

fn ago(duration: crate::time::expr::Duration) -> String {
    if duration.months >= 12 {
        format!("{} years ago", duration.months / 12)
    } else if duration.months > 0 {
        format!("{} months ago", duration.months)
    } else {
        format!("{} days ago", duration.days)
    }
}

/// "1:56 pm on 8 May, 2023".
fn turn_time(date: &str) -> Option<Instant> {
    let context = Context::new(Instant::from_date(2023, 1, 1).ok()?, Zone::UTC).in_language(Language::English);
    match parse_one(date, &context)?.value {
        Value::Moment(moment) => Some(moment.lo()),
        Value::Span(_) | Value::Duration(_) | Value::Set(_) => None,
    }
}
