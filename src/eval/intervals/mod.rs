//! Real facts with years of beginning and end (the Wikidata12k form): do they go in whole, stay true, and answer questions?
//!
//! A line is `{"h", "r", "t", "from", "to"}` with dates such as `1926-##-##`, and `####-##-##` where none is known. The file
//! goes in through [`Tenant::remember`] into temporary memories, twice: with the defaults, and with one value at a time for
//! every relation. `scan` is the oracle: it reads the file by itself and knows nothing of the engine.
//!
//! **What counts as a wrong closure.** A row states a stretch: between its years where it gives both (certain inside, possible
//! at the edges), the year of beginning where it gives no end ("until further notice" claims nothing of later times), the time
//! up to its end where it gives no beginning. If its fact no longer holds somewhere in that stretch, the row is lost there. Where
//! the other rows that the same fact rests on, all of one triple, say so by themselves ("to 2012" beside "to 2013"), it is told
//! apart as *shortened by another row*; every other loss is a wrong closure.

mod scan;

use super::random::Random;
use super::source::{Reading, open, unreadable};
use super::{EvalError, Event};
use crate::graph::{Answer, ReadError, View};
use crate::memory::{Error, ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use crate::model::{Fact, FactId, FactStatus, ObservationId, Term};
use crate::observe::{Format, ObservedAt, ReadOptions};
use crate::time::{AsOf, Certainty, End, Instant, KnownAt, Moment, Start, Zone};
use scan::{Holds, Row, Scan, Stretch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// How many questions are asked.
const QUESTIONS: u64 = 10_000;

/// The file goes in in so many parts, so that questions can be asked as known after each.
const PARTS: usize = 8;

/// Rows are not dated; all are said to have been observed then.
const OBSERVED_AT: &str = "2020-01-01T00:00:00Z";

/// One hundred findings tell what is wrong; more only scroll.
const MAX_FINDINGS: u64 = 100;

/// The result, flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Intervals {
    /// Rows that went in, of the run with the defaults.
    pub facts: u64,
    /// Rows of both runs whose stated span another value took away.
    pub wrong_closures: u64,
    /// Contested facts of the run with one value at a time.
    pub contested: u64,
    /// Questions asked of the run with the defaults.
    pub questions: u64,
    /// Questions answered otherwise than a scan of the file does, and rows taken or refused against it.
    pub mismatches: u64,
}

/// What became of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Run {
    rows: u64,
    rejected: u64,
    facts: u64,
    contested: u64,
    wrong_closures: u64,
    /// Rows that another row about the same head, relation and tail shortens.
    restated: u64,
    /// Rows taken that should not have been, or the other way round.
    against_the_file: u64,
}

/// Runs the evaluation on a file (`.gz` is unpacked) with memories below `scratch`, which are removed again.
///
/// # Errors
/// [`EvalError`] if the file cannot be read, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, seed: u64, tell: &mut dyn FnMut(Event<'_>)) -> Result<Intervals, EvalError> {
    let rows = scan::read(path)?;
    let mut result = Intervals::default();
    for (name, policy) in [("defaults", None), ("one value at a time", Some("cardinality = \"one\""))] {
        let folder = scratch.join(if policy.is_none() { "many" } else { "one" });
        let feeding = Feeding::feed(path, &rows, &folder, name, policy, tell)?;
        let run = feeding.account(&rows, name, tell)?;
        result.wrong_closures += run.wrong_closures;
        result.mismatches += run.against_the_file;
        if policy.is_none() {
            result.facts = run.rows;
            (result.questions, result.mismatches) = (QUESTIONS, result.mismatches + feeding.ask(&rows, seed, tell)?);
        } else {
            result.contested = run.contested;
        }
        drop(feeding);
        fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
    }
    Ok(result)
}

/// A file that went in.
struct Feeding {
    tenant: Tenant,
    /// For each row, by its index: the observation it became; `None` if it was refused.
    observation_of: Vec<Option<ObservationId>>,
    /// After each part: how many rows of the file had been fed, and the transaction time.
    parts: Vec<(usize, Instant)>,
}

impl Feeding {
    fn feed(
        path: &Path,
        rows: &[Row],
        folder: &Path,
        name: &str,
        policy: Option<&str>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Self, EvalError> {
        let observed_at = Some(ObservedAt::parse(OBSERVED_AT, &Zone::UTC).map_err(Error::from)?);
        let options = ReadOptions { format: Format::Triples, observed_at, ..ReadOptions::default() };
        let reading = Reading::of(path, open(path)?, options)?;
        let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
        let options = MemoryOptions { clock: Arc::<ManualClock>::clone(&clock), memory_budget_bytes: 1 << 32, ..MemoryOptions::default() };
        let tenant = Memory::open_with(folder, options)?.tenant(&TenantId::new("intervals")?);
        if policy.is_some() {
            tenant.set_policy("*", policy)?;
        }
        let place: BTreeMap<u64, usize> = rows.iter().enumerate().map(|(index, row)| (row.line, index)).collect();
        let mut observation_of = vec![None; rows.len()];
        for incoming in &reading.incoming {
            if let Some(slot) = place.get(&incoming.line).and_then(|index| observation_of.get_mut(*index)) {
                *slot = Some(incoming.observation.id);
            }
        }
        let mut parts = Vec::with_capacity(PARTS);
        let size = reading.incoming.len().div_ceil(PARTS).max(1);
        let (mut fed, total) = (0, reading.incoming.len());
        for part in reading.incoming.chunks(size) {
            clock.set(Instant::from_micros(clock_micros(parts.len())));
            let receipt = tenant.remember(part.to_vec())?;
            fed += part.len();
            let rows_fed = part.last().and_then(|last| place.get(&last.line)).map_or(rows.len(), |index| index + 1);
            if let Some(tx) = receipt.tx {
                parts.push((rows_fed, tx));
            }
            tell(Event::Progress { stage: name, done: fed as u64, total: total as u64 });
        }
        Ok(Self { tenant, observation_of, parts })
    }

    fn view(&self, valid_at: Moment, known_at: KnownAt) -> Result<View, EvalError> {
        Ok(self.tenant.at(AsOf { valid_at, known_at })?)
    }

    /// Counts what became of every row: refused or taken as it should be, its own words still so or not.
    fn account(&self, rows: &[Row], name: &str, tell: &mut dyn FnMut(Event<'_>)) -> Result<Run, EvalError> {
        let mut run = Run::default();
        let view = self.view(Moment::exact(Instant::from_micros(0)), KnownAt::Latest)?;
        let mut fact_of: BTreeMap<ObservationId, Fact> = BTreeMap::new();
        let heads: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.head.as_str()).collect();
        for head in heads {
            let facts = match view.timeline(&Term::Name(head.to_owned()), None) {
                Ok(facts) => facts,
                Err(ReadError::UnknownEntity(_)) => continue,
                Err(error) => return Err(Error::from(error).into()),
            };
            for fact in facts {
                for claim in &fact.supported_by {
                    fact_of.insert(claim.observation, fact.clone());
                }
            }
        }
        let mut rows_of: BTreeMap<FactId, Vec<usize>> = BTreeMap::new();
        for (index, observation) in self.observation_of.iter().enumerate() {
            if let Some(fact) = observation.and_then(|observation| fact_of.get(&observation)) {
                rows_of.entry(fact.id).or_default().push(index);
            }
        }
        let mut findings = 0;
        let mut find = |text: String| {
            findings += 1;
            if findings <= MAX_FINDINGS {
                tell(Event::Finding(&text));
            }
        };
        for (index, row) in rows.iter().enumerate() {
            let taken = self.observation_of.get(index).copied().flatten();
            if taken.is_some() != row.is_consistent() {
                run.against_the_file += 1;
                find(format!("line {}: {row} was {}", row.line, if taken.is_some() { "taken" } else { "refused" }));
            }
            let Some(observation) = taken else {
                run.rejected += 1;
                continue;
            };
            run.rows += 1;
            let Some(fact) = fact_of.get(&observation) else {
                run.wrong_closures += 1;
                find(format!("line {}: {row} supports no fact", row.line));
                continue;
            };
            let stated = row.stated();
            if keeps(fact, stated) {
                continue;
            }
            // What remains of the row's words where the other rows that the fact rests on, all of its triple, say otherwise.
            let beside = rows_of.get(&fact.id).map_or(&[][..], Vec::as_slice);
            let together: Vec<Row> = beside.iter().filter_map(|index| rows.get(*index)).cloned().collect();
            let place = beside.iter().position(|other| *other == index).unwrap_or_default();
            if keeps(fact, stated.within(Scan::new(&together).told(place))) {
                run.restated += 1;
            } else {
                run.wrong_closures += 1;
                find(format!("line {}: {row} became {} {} from {} to {}", row.line, fact.relation, fact.tail, fact.start, fact.end));
            }
        }
        let stats = self.tenant.stats()?;
        run.facts = stats.facts;
        run.contested = stats.contested;
        tell(Event::Detail(&format!(
            "{name}: {} rows in, {} rejected; {} facts, {} contested; {} wrong closures; {} rows shortened by another row about the same head, relation and tail",
            run.rows, run.rejected, run.facts, run.contested, run.wrong_closures, run.restated
        )));
        Ok(run)
    }

    /// Asks random questions and returns how many were answered otherwise than a scan of the file does.
    fn ask(&self, rows: &[Row], seed: u64, tell: &mut dyn FnMut(Event<'_>)) -> Result<u64, EvalError> {
        let all = Scan::new(rows);
        let known: Vec<Scan<'_>> = self.parts.iter().map(|(fed, _)| Scan::new(rows.get(..*fed).unwrap_or(rows))).collect();
        let mut random = Random::new(seed);
        let mut mismatches = 0;
        for asked in 1..=QUESTIONS {
            let Some(row) = rows.get(random.below(rows.len())) else { break };
            let moment = scan::random_moment(row, &mut random);
            let part = random.below(self.parts.len() * 4);
            let (scan, known_at) = match (known.get(part), self.parts.get(part)) {
                (Some(scan), Some((_, tx))) => (scan, KnownAt::At(*tx)),
                _ => (&all, KnownAt::Latest),
            };
            let (lo, hi) = moment;
            let Ok(valid_at) = Moment::granule(Instant::from_micros(lo), Instant::from_micros(hi)) else { continue };
            let view = self.view(valid_at, known_at)?;
            let [head, relation, tail] = row.numbers;
            let name = |text: &str| Term::Name(text.to_owned());
            let (what, expected, answer) = match random.below(3) {
                0 => ("value", scan.holding(moment, |[h, r, _]| [h, r] == [head, relation]), view.values(&name(&row.head), &row.relation)),
                1 => {
                    ("holders", scan.holding(moment, |[_, r, t]| [r, t] == [relation, tail]), view.holders(&row.relation, &name(&row.tail)))
                }
                _ => (
                    "about",
                    scan.holding(moment, |[h, _, t]| h == head || t == head),
                    view.about(&name(&row.head)).map(|about| about.answer),
                ),
            };
            let got = match answer {
                Ok(answer) => as_the_scan_says(&answer),
                // Nothing recorded by then: an empty answer of the scan.
                Err(ReadError::UnknownEntity(_) | ReadError::UnknownRelation(_)) => Holds::default(),
                Err(error) => return Err(Error::from(error).into()),
            };
            if got != expected {
                mismatches += 1;
                if mismatches <= MAX_FINDINGS {
                    tell(Event::Finding(&format!(
                        "{what} of {row} at {valid_at}, {known_at:?}:\n  expected {expected:?}\n  got      {got:?}"
                    )));
                }
            }
            if asked % 500 == 0 {
                tell(Event::Progress { stage: "questions", done: asked, total: QUESTIONS });
            }
        }
        Ok(mismatches)
    }
}

/// One second a part, so that every part has a transaction time of its own.
fn clock_micros(part: usize) -> i64 {
    i64::try_from(part).unwrap_or(0).saturating_mul(1_000_000)
}

/// An answer in the scan's form.
fn as_the_scan_says(answer: &Answer) -> Holds {
    let mut facts: Vec<(String, String, String, bool)> = answer
        .facts
        .iter()
        .map(|held| {
            let fact = &held.fact;
            (fact.head.to_string(), fact.relation.to_lowercase(), fact.tail.to_string(), held.certainty == Certainty::Certain)
        })
        .collect();
    facts.sort();
    Holds { facts, suppressed: answer.suppressed }
}

/// Whether a fact holds wherever the stretch says: certain where it is certain, possible where it is possible, nowhere hidden.
fn keeps(fact: &Fact, stated: Stretch) -> bool {
    let (past, future) = (i64::MIN, i64::MAX);
    let (start_lo, start_hi) = match fact.start {
        Start::At(moment) => (moment.lo().micros(), moment.hi().micros()),
        Start::By(by) => (past, by.micros()),
        Start::Unknown => (past, future),
        Start::Always => (past, past),
    };
    let (end_lo, end_hi) = match fact.end {
        End::At(moment) => (moment.lo().micros(), moment.hi().micros()),
        End::By(by) => (past, by.micros()),
        End::Open => (future, future),
    };
    let inside = |(from, to): (i64, i64), (lo, hi): (i64, i64)| from >= to || (lo <= from && to <= hi);
    let FactStatus { hidden, .. } = &fact.status;
    let (from, to) = stated.possible;
    let hides = hidden.iter().any(|(lo, hi)| lo.micros() < to && from < hi.micros());
    inside(stated.possible, (start_lo, end_hi)) && inside(stated.certain, (start_hi, end_lo)) && !hides
}
