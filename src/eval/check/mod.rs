//! Fixtures: observations, questions and the answers a person expects, in files that anybody can write.
//!
//! Owns the runner: it feeds a scenario into an empty memory, in one order or in all, asks the questions and tells the
//! differences in words. `scenario` reads the files, `question` asks and compares, `words` writes facts down.
//! The format is described in `fixtures/README.md`. Knows only what a user of the library knows.

mod expect;
#[cfg(feature = "sparql")]
mod library;
mod question;
mod replies;
mod scenario;
mod words;

use super::EvalError;
use super::orders::orders;
use super::source::unreadable;
use crate::extract::{Extractor, Rules};
use crate::graph::Applied;
use crate::ledger::Retractable;
use crate::memory::{EraseTarget, Error, ManualClock, Memory, MemoryOptions, Receipt, Tenant, TenantId};
use crate::model::{ClaimId, ObservationId, Term};
use scenario::{Action, Orders, Scenario, Step};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Every order of up to six observations is tried, and so many of more.
const ORDERS: usize = 720;

/// Memory under test needs no budget of its own.
const BUDGET_BYTES: u64 = 1 << 30;

/// What a scenario came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The scenario's folder.
    pub scenario: PathBuf,
    /// What it is about, in its own words.
    pub about: Option<String>,
    /// How many orders and batchings of its observations were fed.
    pub runs: u64,
    /// How many questions were asked over all runs.
    pub asked: u64,
    /// What differed, in the words of [`check`](self): question, expected, got, the timeline. At most one order's worth.
    pub failures: Vec<String>,
}

impl Outcome {
    /// Whether every answer was as expected.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// The scenario folders at or below `folder`, in name order: those that hold `questions.jsonl`.
///
/// # Errors
/// [`EvalError::Unreadable`] if a folder cannot be read, or if there is no scenario.
pub fn scenarios(folder: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        if folder.join(scenario::QUESTIONS).is_file() {
            found.push(folder);
            continue;
        }
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
        for entry in entries {
            let path = entry.map_err(|error| unreadable(&folder, &error))?.path();
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    if found.is_empty() {
        return Err(unreadable(folder, &format!("no scenario here: none of its folders holds {}", scenario::QUESTIONS)));
    }
    found.sort();
    Ok(found)
}

/// Runs one scenario in memories below `scratch`, which are removed again.
///
/// # Errors
/// [`EvalError`] if the scenario's files cannot be read or are malformed, or if `scratch` cannot be written. What the memory
/// under test refuses is a finding.
pub fn run(folder: &Path, scratch: &Path) -> Result<Outcome, EvalError> {
    let scenario = Scenario::read(folder)?;
    let mut outcome = Outcome { scenario: folder.to_owned(), about: scenario.about.clone(), ..Outcome::default() };
    for plan in plans(&scenario) {
        outcome.runs += 1;
        let memory_folder = scratch.join(format!("run-{}", outcome.runs));
        let failures = run_once(&scenario, &plan, &memory_folder, &mut outcome.asked);
        if memory_folder.exists() {
            fs::remove_dir_all(&memory_folder).map_err(|error| unreadable(&memory_folder, &error))?;
        }
        let failures = failures?;
        if !failures.is_empty() {
            outcome.failures = failures.into_iter().map(|failure| format!("{}{failure}", plan.describe(&scenario))).collect();
            break;
        }
    }
    Ok(outcome)
}

/// How many observations go into one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Batching {
    Each,
    Halves,
    Together,
}

/// One way to feed a scenario.
#[derive(Clone, Debug)]
struct Plan {
    /// The steps by their index, in the order they are taken.
    order: Vec<usize>,
    batching: Batching,
    /// Whether this is the scenario as written: then receipts and `known_at` mean what the file says.
    as_written: bool,
}

impl Plan {
    fn describe(&self, scenario: &Scenario) -> String {
        if self.as_written {
            return String::new();
        }
        let names: Vec<String> = self.order.iter().filter_map(|index| scenario.steps.get(*index)).map(Step::name).collect();
        let batching = match self.batching {
            Batching::Each => "one at a time",
            Batching::Halves => "in two batches",
            Batching::Together => "in one batch",
        };
        format!("fed as {}, {batching}:\n", names.join(", "))
    }
}

/// The scenario as written, then every other order and batching it asks for.
fn plans(scenario: &Scenario) -> Vec<Plan> {
    let given: Vec<usize> = (0..scenario.steps.len()).collect();
    let mut plans = vec![Plan { order: given.clone(), batching: Batching::Each, as_written: true }];
    if scenario.orders == Orders::Given {
        return plans;
    }
    let observed: Vec<usize> = given.iter().copied().filter(|index| scenario.steps.get(*index).is_some_and(Step::is_observation)).collect();
    for (number, order) in orders(observed.len(), ORDERS, 1).into_iter().enumerate() {
        // Actions keep their places; the observations change theirs.
        let mut rest = order.into_iter().filter_map(|place| observed.get(place).copied());
        let order: Vec<usize> =
            given.iter().filter_map(|index| if observed.contains(index) { rest.next() } else { Some(*index) }).collect();
        if !scenario.names_what_is_there(&order) {
            continue;
        }
        // Few observations are fed in every batching; of many, each order takes its turn.
        let turns = [Batching::Each, Batching::Together, Batching::Halves];
        let chosen = if observed.len() <= 3 { &turns[..] } else { turns.get(number % 3..=number % 3).unwrap_or(&turns) };
        plans.extend(chosen.iter().map(|batching| Plan { order: order.clone(), batching: *batching, as_written: false }));
    }
    plans
}

/// A memory under test, with what the scenario's names stand for in it.
struct Bench<'a> {
    scenario: &'a Scenario,
    memory: Memory,
    clock: Arc<ManualClock>,
}

/// Feeds and asks once; the failures in words.
fn run_once(scenario: &Scenario, plan: &Plan, folder: &Path, asked: &mut u64) -> Result<Vec<String>, EvalError> {
    let clock = Arc::new(ManualClock::new(scenario.first_recorded_at()));
    let extractor: Arc<dyn Extractor> = match &scenario.replies {
        Some(replies) => Arc::new(replies.extractor()),
        None => Arc::new(Rules::default()),
    };
    let options = MemoryOptions { clock: Arc::<ManualClock>::clone(&clock), extractor, memory_budget_bytes: BUDGET_BYTES };
    let bench = Bench { scenario, memory: Memory::open_with(folder, options)?, clock };
    let mut failures = bench.feed(plan)?;
    bench.clock.set(scenario.now);
    for question in scenario.questions.iter().filter(|question| plan.as_written || !question.asks_what_was_known()) {
        *asked += 1;
        failures.extend(bench.ask(question)?);
    }
    for tenant in bench.memory.tenants()? {
        for problem in bench.memory.tenant(&tenant).verify()?.problems {
            failures.push(format!("verify of tenant {}: {problem}\n", tenant.as_str()));
        }
    }
    Ok(failures)
}

impl Bench<'_> {
    fn tenant(&self, name: Option<&str>) -> Result<Tenant, EvalError> {
        Ok(self.memory.tenant(&TenantId::new(name.unwrap_or(scenario::DEFAULT_TENANT))?))
    }

    /// Takes the plan's steps; what was refused or answered otherwise than the file says comes back in words.
    fn feed(&self, plan: &Plan) -> Result<Vec<String>, EvalError> {
        let mut failures = Vec::new();
        let mut tenants: Vec<Option<&str>> = self.scenario.steps.iter().map(Step::tenant).collect();
        tenants.sort_unstable();
        tenants.dedup();
        for name in tenants {
            let tenant = self.tenant(name)?;
            for (relation, body) in &self.scenario.relations {
                tenant.set_policy(relation, Some(body))?;
            }
            if let Some(toml) = &self.scenario.write_policy {
                tenant.set_write_policy(Some(toml))?;
            }
        }
        let steps: Vec<&Step> = plan.order.iter().filter_map(|index| self.scenario.steps.get(*index)).collect();
        for stretch in steps.chunk_by(|one, next| one.is_observation() && next.is_observation() && one.tenant() == next.tenant()) {
            let size = match plan.batching {
                Batching::Each => 1,
                Batching::Halves => stretch.len().div_ceil(2),
                Batching::Together => stretch.len(),
            };
            for batch in stretch.chunks(size.max(1)) {
                failures.extend(self.take(plan, batch)?);
            }
        }
        Ok(failures)
    }

    /// Takes steps that go into one call: observations of one tenant, or one action.
    fn take(&self, plan: &Plan, batch: &[&Step]) -> Result<Vec<String>, EvalError> {
        let Some(last) = batch.last() else { return Ok(Vec::new()) };
        if plan.as_written
            && let Some(recorded_at) = last.recorded_at()
        {
            self.clock.set(recorded_at);
        }
        let tenant = self.tenant(last.tenant())?;
        let done = match last {
            Step::Action { action, .. } => self.act(&tenant, action),
            Step::Observation { .. } => {
                tenant.remember(batch.iter().flat_map(|step| step.incoming().iter().cloned()).collect()).map(|receipt| counts(&receipt))
            }
        };
        let line = last.line();
        let mut failures = Vec::new();
        match (done, last.expected()) {
            (Ok(counts), Some(expected)) if plan.as_written => {
                for (name, wanted) in expected {
                    let got = counts.get(name.as_str());
                    if name == "error" || got != Some(wanted) {
                        let got = got.map_or_else(|| format!("it has no {name:?}"), Value::to_string);
                        failures.push(format!("observations.jsonl:{line}: expected {name} {wanted}, got {got}\n"));
                    }
                }
            }
            (Ok(_), _) => {}
            (Err(error), expected) => {
                let wanted = expected.and_then(|expected| expected.get("error")).and_then(Value::as_str);
                if !wanted.is_some_and(|wanted| question::error_fits(&error, wanted)) {
                    failures.push(format!("observations.jsonl:{line}: {error}\n"));
                }
            }
        }
        Ok(failures)
    }

    fn act(&self, tenant: &Tenant, action: &Action) -> Result<Counts, Error> {
        let target = |key: &str, claim: Option<u32>| -> Result<Retractable, Error> {
            let observation = self.id_of(tenant, key)?;
            Ok(match claim {
                Some(ordinal) => Retractable::Claim(ClaimId { observation, ordinal }),
                None => Retractable::Observation(observation),
            })
        };
        let mut counts = Counts::new();
        let name = |text: &String| Term::Name(text.clone());
        let applied = match action {
            Action::Retract { observation, claim, because } => tenant.retract(target(observation, *claim)?, because)?,
            Action::Restore { observation, claim, because } => tenant.restore(target(observation, *claim)?, because)?,
            Action::Policy { relation, toml } => tenant.set_policy(relation, toml.as_deref())?,
            Action::Again { observation } => {
                let incoming = self.scenario.incoming(observation).to_vec();
                return tenant.remember(incoming).map(|receipt| crate::eval::check::counts(&receipt));
            }
            Action::Erase { observation, entity } => {
                let target = match (observation, entity) {
                    (_, Some(entity)) => EraseTarget::Entity(entity.clone()),
                    (key, None) => EraseTarget::Observation(self.id_of(tenant, key.as_deref().unwrap_or_default())?),
                };
                let erased = tenant.erase(&target)?;
                counts.insert("observations", erased.observations.into());
                counts.insert("claims", erased.claims.into());
                counts.insert("merges", erased.merges.into());
                erased.applied
            }
            Action::Merge { from, into, because } => tenant.merge(&name(from), &name(into), because)?,
            Action::Unmerge { from, into, because } => tenant.unmerge(&name(from), &name(into), because)?,
            Action::Resolve { least } => {
                let mut applied = Applied::default();
                for proposal in tenant.proposals(*least)?.iter().filter(|proposal| proposal.only) {
                    applied = applied.plus(tenant.merge(&proposal.from, &proposal.into, &proposal.evidence.to_string())?);
                }
                applied
            }
            Action::Consent { category, subject } => {
                tenant.consent(subject.as_deref(), category, true)?;
                return Ok(counts);
            }
            Action::Reprocess => return tenant.reprocess(&mut |_done, _all| {}).map(|receipt| crate::eval::check::counts(&receipt)),
            Action::EraseTenant => {
                self.memory.erase_tenant(&TenantId::new(scenario::DEFAULT_TENANT)?)?;
                return Ok(counts);
            }
        };
        counts.extend(changes(applied));
        Ok(counts)
    }

    /// The id behind a scenario's name for an observation: what its content gives, else what the memory knows by that name (of what was
    /// masked, or left without some of its claims, only the memory knows the content).
    fn id_of(&self, tenant: &Tenant, key: &str) -> Result<ObservationId, Error> {
        let Some(incoming) = self.scenario.incoming(key).first() else { return tenant.find_observation(key) };
        let id = incoming.observation.id;
        if tenant.observation(id).is_ok() {
            return Ok(id);
        }
        // What is known by neither is told by the call that it was for.
        tenant.find_observation(key).or(Ok(id))
    }
}

/// What a step answers, by name.
type Counts = BTreeMap<&'static str, Value>;

/// What changed in the facts.
fn changes(applied: Applied) -> [(&'static str, Value); 7] {
    let Applied { opened, closed, reopened, contested, changed, withdrawn, unmet } = applied;
    [
        ("opened", opened.into()),
        ("closed", closed.into()),
        ("reopened", reopened.into()),
        ("contested", contested.into()),
        ("changed", changed.into()),
        ("withdrawn", withdrawn.into()),
        ("unmet", unmet.into()),
    ]
}

/// A receipt's counts by name.
fn counts(receipt: &Receipt) -> Counts {
    let mut counts = Counts::from(changes(receipt.applied));
    counts.extend([
        ("observations", receipt.observations.into()),
        ("claims", receipt.claims.into()),
        ("duplicates", receipt.duplicates.into()),
        ("masked", receipt.masked.into()),
        ("withheld", receipt.withheld.into()),
        ("pending", receipt.pending.into()),
        ("merged", receipt.merged.into()),
        ("calls", receipt.cost.calls.into()),
        ("left_out", json!(receipt.left_out)),
        ("doubts", receipt.doubts.iter().map(|doubt| doubt.mention.to_string()).collect::<Vec<_>>().into()),
    ]);
    counts
}

/// All outcomes in words: a line for each scenario, the differences of those that failed, and a closing count.
#[must_use]
pub fn report(outcomes: &[Outcome]) -> String {
    let mut lines = Vec::new();
    for outcome in outcomes {
        let name =
            outcome.scenario.file_name().map_or_else(|| outcome.scenario.display().to_string(), |name| name.to_string_lossy().into_owned());
        let mark = if outcome.passed() { "ok  " } else { "FAIL" };
        let runs = if outcome.runs == 1 { String::new() } else { format!(" in {} orders and batchings", outcome.runs) };
        lines.push(format!("{mark} {name}: {} answers{runs}", outcome.asked));
        lines.extend(outcome.failures.iter().flat_map(|failure| failure.lines()).map(|line| format!("     {line}")));
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.passed()).count();
    let scenarios = if outcomes.len() == 1 { "scenario" } else { "scenarios" };
    lines.push(format!("{} {scenarios}: {} passed, {failed} failed", outcomes.len(), outcomes.len() - failed));
    lines.join("\n")
}
