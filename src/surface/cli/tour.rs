//! The tour: a story told by a memory. The input is data; every fact printed is what the facade returned.
//! Knows the facade and the terminal's wording.

use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean, pad};
use super::paste::Paste;
use super::read::{Outcome, tell_why};
use super::timeline::drawn;
use super::words::{Names, said_at, short_moment, value};
use super::write::consequences;
use crate::memory::{EraseTarget, Error, ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use crate::model::{FactId, Term};
use crate::observe::{Format, Incoming, ReadOptions, Reader};
use crate::time::{AsOf, Certainty, Instant, KnownAt, Moment, Zone, parse_moment};
use serde::Deserialize;
use std::io::{self, Write};
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// What a tour tells: observations in the ordinary claims format, and the steps of the story.
#[derive(Clone, Copy, Debug)]
pub struct Story<'a> {
    /// JSON lines of claims, each with an `observation` key.
    pub observations: &'a str,
    /// JSON lines of steps; fixtures/tour/story.jsonl shows them all.
    pub steps: &'a str,
}

impl Story<'static> {
    /// The story that ships.
    #[must_use]
    pub const fn shipped() -> Self {
        Self {
            observations: include_str!("../../../fixtures/tour/observations.jsonl"),
            steps: include_str!("../../../fixtures/tour/story.jsonl"),
        }
    }
}

/// How the tour looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether to write ANSI colours.
    pub colour: bool,
    /// Columns of a line.
    pub width: usize,
}

/// What can go wrong with a tour.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TourError {
    /// A line of the story that cannot be read, or that names what is not there.
    #[error("line {line} of the story: {reason}")]
    Story {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A line of the observations that was not taken.
    #[error("line {line} of the observations: {reason}")]
    Observations {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The memory refused.
    #[error(transparent)]
    Memory(#[from] Error),
    /// There is nowhere to keep the memory for a while, or nowhere to write to.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// One step. Everything in it is optional; what is there is done in the order of the fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    title: Option<String>,
    say: Option<String>,
    clock: Option<String>,
    #[serde(default)]
    remember: Vec<String>,
    ask: Option<(String, String)>,
    #[serde(default)]
    at: Vec<String>,
    #[serde(default)]
    known_at: Vec<String>,
    why: Option<(String, String, String)>,
    erase: Option<String>,
    timeline: Option<Vec<String>>,
    #[serde(default)]
    next: Vec<(String, String)>,
}

/// `tour` on the command line.
pub(super) fn told(screen: &mut Screen<'_>) -> Outcome {
    tell(Story::shipped(), screen).map_err(|error| match error {
        TourError::Memory(error) => Failure::Memory(error),
        TourError::Io(error) => Failure::Output(error),
        TourError::Story { .. } | TourError::Observations { .. } => {
            Failure::given("the story", "fixtures/tour/story.jsonl", error.to_string(), "please report it: the shipped story is tested")
        }
    })?;
    Ok(DONE)
}

/// Tells a story to `out`, in a memory that is kept in a temporary folder and removed again. The story's clock is its own: the
/// machine's is not asked.
///
/// # Errors
/// [`TourError::Story`] naming the line; [`TourError::Memory`] if the memory refuses; [`TourError::Io`] if `out` or the temporary
/// folder does.
pub fn tour(story: Story<'_>, look: Look, out: &mut dyn Write) -> Result<(), TourError> {
    tell(story, &mut Screen::new(out, look.colour, look.width))
}

fn tell(story: Story<'_>, screen: &mut Screen<'_>) -> Result<(), TourError> {
    let folder = tempfile::tempdir()?;
    let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
    let options = MemoryOptions { clock: Arc::<ManualClock>::clone(&clock), ..MemoryOptions::default() };
    let memory = Memory::open_with(folder.path(), options)?;
    let tenant = memory.tenant(&TenantId::new("tour")?);
    let observations = observations(story.observations)?;
    let mut teller = Teller { clock, tenant, observations, chapter: 0, screen };
    for (number, line) in story.steps.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let refused = |reason: String| TourError::Story { line: number + 1, reason };
        let step: Step = serde_json::from_str(line).map_err(|error| refused(error.to_string()))?;
        teller.step(&step).map_err(|failure| match failure {
            Failure::Memory(error) => TourError::Memory(error),
            Failure::Output(error) | Failure::File { source: error, .. } => TourError::Io(error),
            #[cfg(feature = "sparql")]
            Failure::Rdf { .. } => refused(failure.to_string()),
            Failure::Given { .. }
            | Failure::Usage { .. }
            | Failure::UnknownGraph { .. }
            | Failure::NotAgreed(_)
            | Failure::Input { .. }
            | Failure::Eval(_) => refused(failure.to_string()),
            #[cfg(feature = "http")]
            Failure::Serve(_) => refused(failure.to_string()),
            #[cfg(feature = "sparql")]
            Failure::Query { .. } | Failure::Library(_) | Failure::TimedOut { .. } | Failure::Thread(_) => refused(failure.to_string()),
        })?;
    }
    Ok(())
}

/// The story's observations, read as `remember` reads a file of claims.
fn observations(text: &str) -> Result<Vec<Incoming>, TourError> {
    let refused = |line: u64, reason: String| TourError::Observations { line, reason };
    let options = ReadOptions { format: Format::Claims, source_name: Some("tour".to_owned()), ..ReadOptions::default() };
    Reader::new(text.as_bytes(), options)
        .map_err(|error| refused(1, error.to_string()))?
        .map(|item| match item {
            Ok(Ok(incoming)) => Ok(incoming),
            Ok(Err(rejection)) => Err(refused(rejection.line, rejection.to_string())),
            Err(error) => Err(refused(0, error.to_string())),
        })
        .collect()
}

struct Teller<'a, 'w> {
    clock: Arc<ManualClock>,
    tenant: Tenant,
    observations: Vec<Incoming>,
    chapter: u32,
    screen: &'a mut Screen<'w>,
}

impl Teller<'_, '_> {
    fn step(&mut self, step: &Step) -> Result<(), Failure> {
        if let Some(title) = &step.title {
            if self.chapter > 0 {
                self.screen.line("")?;
            }
            self.chapter += 1;
            self.screen.pieces(&[(Paint::Dim, &format!("{}. ", self.chapter)), (Paint::Bold, title)])?;
        }
        if let Some(say) = &step.say {
            self.screen.line(&format!("   {say}"))?;
        }
        if let Some(clock) = &step.clock {
            self.clock.set(Instant::parse(clock)?);
        }
        if !step.remember.is_empty() {
            self.remember(&step.remember)?;
        }
        if let Some((head, relation)) = &step.ask {
            self.ask(head, relation, &step.at, &step.known_at)?;
        }
        if let Some((head, relation, tail)) = &step.why {
            self.why(head, relation, tail)?;
        }
        if let Some(key) = &step.erase {
            self.erase(key)?;
        }
        match step.timeline.as_deref() {
            Some([head]) => self.timeline(head, None)?,
            Some([head, relation, ..]) => self.timeline(head, Some(relation))?,
            Some([]) | None => {}
        }
        let commands = step.next.iter().map(|(command, _)| command.width()).max().unwrap_or(0);
        for (command, what) in &step.next {
            self.screen.pieces(&[(Paint::Plain, "   "), (Paint::Good, &pad(command, commands + 2)), (Paint::Dim, what)])?;
        }
        Ok(())
    }

    fn term(text: &str) -> Result<Term, Failure> {
        Term::parse(text).map_err(|error| Failure::Memory(error.into()))
    }

    /// Records the observations of these keys and repeats what the memory now holds of them.
    fn remember(&mut self, keys: &[String]) -> Result<(), Failure> {
        let mut batch = Vec::new();
        for key in keys {
            let found: Vec<Incoming> =
                self.observations.iter().filter(|one| one.observation.key.as_deref() == Some(key)).cloned().collect();
            if found.is_empty() {
                return Err(Failure::given("observation", key, "the input has none of that key", "name one that is there"));
            }
            batch.extend(found);
        }
        let receipt = self.tenant.remember(batch)?;
        for id in &receipt.ids {
            let stored = self.tenant.observation(*id)?;
            let said = stored.observation.text.as_deref().unwrap_or("(no text)");
            let when = said_at(stored.observation.observed_at);
            self.screen.pieces(&[
                (Paint::Dim, "   said "),
                (Paint::Dim, &when),
                (Paint::Plain, "  “"),
                (Paint::Plain, &clean(said)),
                (Paint::Plain, "”"),
            ])?;
        }
        let recorded = receipt
            .tx
            .map_or_else(|| "nothing new".to_owned(), |tx| format!("recorded {}", short_moment(Moment::day_of(tx, &Zone::UTC), Zone::UTC)));
        self.screen.pieces(&[(Paint::Dim, &format!("   {recorded}: {}", consequences(&receipt.applied)))])?;
        Ok(())
    }

    fn timeline(&mut self, head: &str, relation: Option<&str>) -> Result<(), Failure> {
        let term = Self::term(head)?;
        let now = self.tenant.now();
        let view = self.tenant.at(now)?;
        let facts = view.timeline(&term, relation)?;
        let drawing = drawn(self.screen, &view, &term, &facts, now.valid_at.lo())?;
        // The signs are explained once, where the first history is drawn.
        if relation.is_none() {
            drawing.legend(self.screen, false)?;
        }
        Ok(())
    }

    /// One question at every pair of points: a row for each point of valid time, a column for each of transaction time.
    fn ask(&mut self, head: &str, relation: &str, at: &[String], known_at: &[String]) -> Result<(), Failure> {
        let term = Self::term(head)?;
        let mut header = vec![(Paint::Dim, format!("{}  {}", value(&term), clean(relation)))];
        let mut columns = Vec::new();
        for known in known_at {
            if known == "now" {
                header.push((Paint::Dim, "believed now".to_owned()));
                columns.push(KnownAt::Latest);
            } else {
                let moment = parse_moment(known, &Zone::UTC)?;
                header.push((Paint::Dim, format!("believed by {}", short_moment(moment, Zone::UTC))));
                columns.push(KnownAt::At(if moment.is_exact() { moment.lo() } else { moment.hi().saturating_sub(1) }));
            }
        }
        let mut rows = vec![header];
        for at in at {
            let valid_at = parse_moment(at, &Zone::UTC)?;
            let mut row = vec![(Paint::Plain, format!("in {}", short_moment(valid_at, Zone::UTC)))];
            for known_at in &columns {
                let answer = self.tenant.at(AsOf { valid_at, known_at: *known_at })?.values(&term, relation)?;
                let values: Vec<String> = answer
                    .facts
                    .iter()
                    .map(|held| match held.certainty {
                        Certainty::Certain => value(&held.fact.tail),
                        Certainty::Possible => format!("possibly {}", value(&held.fact.tail)),
                    })
                    .collect();
                row.push((Paint::Bold, if values.is_empty() { "nothing".to_owned() } else { values.join(", ") }));
            }
            rows.push(row);
        }
        Ok(self.screen.table(3, &rows)?)
    }

    fn why(&mut self, head: &str, relation: &str, tail: &str) -> Result<(), Failure> {
        let (term, tail_term) = (Self::term(head)?, Self::term(tail)?);
        let as_of = self.tenant.now();
        let view = self.tenant.at(as_of)?;
        let wanted = view.term_id(tail_term.as_ref());
        let facts = view.timeline(&term, Some(relation))?;
        let fact: Option<FactId> = facts.iter().find(|fact| view.term_id(fact.tail.as_ref()) == wanted).map(|fact| fact.id);
        let Some(fact) = fact else {
            return Err(Failure::given("fact", &format!("{head} {relation} {tail}"), "there is none", "name one that is there"));
        };
        let why = self.tenant.why(as_of, fact)?;
        tell_why(self.screen, &mut Names::new(&self.tenant, &view, Zone::UTC), &why, as_of, &Paste::default())
    }

    fn erase(&mut self, key: &str) -> Result<(), Failure> {
        let id = self.tenant.find_observation(key)?;
        let erased = self.tenant.erase(&EraseTarget::Observation(id))?;
        let now = short_moment(Moment::day_of(self.tenant.now().valid_at.lo(), &Zone::UTC), Zone::UTC);
        self.screen.pieces(&[(
            Paint::Dim,
            &format!(
                "   erased {now}: {} with {}; {}",
                super::output::count(erased.observations, "observation", "observations"),
                super::output::count(erased.claims, "claim", "claims"),
                consequences(&erased.applied)
            ),
        )])?;
        Ok(())
    }
}
