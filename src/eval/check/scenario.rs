//! A scenario as its files say it: settings, relation policies, steps and questions. Knows the files, asks nothing.

use super::super::EvalError;
use super::super::source::{Reading, json_lines, malformed, unreadable};
use super::question::Question;
use super::replies::{REPLIES, Replies};
use crate::memory::Error;
use crate::model::{ClaimId, Term};
use crate::observe::{Incoming, ObservedAt, ReadOptions, Rejection};
use crate::time::{Instant, Zone, parse_moment};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

pub(super) const OBSERVATIONS: &str = "observations.jsonl";
pub(super) const QUESTIONS: &str = "questions.jsonl";
const RELATIONS: &str = "relations.toml";
const SETTINGS: &str = "scenario.toml";
const WRITE_POLICY: &str = "policy.toml";
/// A line is fed no more often than this.
const MOST_REPEATED: u64 = 10_000;
pub(super) const DEFAULT_TENANT: &str = "default";

/// Where a scenario stands in time unless it says otherwise.
const NOW: &str = "2026-01-01T00:00:00Z";

/// Which orders of the observations are fed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Orders {
    /// The one written.
    #[default]
    Given,
    /// That one, and every other in several batchings.
    All,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    about: Option<String>,
    #[serde(default)]
    orders: Orders,
    zone: Option<String>,
    now: Option<String>,
    observed_at: Option<String>,
}

/// Everything a scenario's folder says.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) about: Option<String>,
    pub(super) orders: Orders,
    pub(super) zone: Zone,
    /// When the questions are asked, on both times, unless they say otherwise.
    pub(super) now: Instant,
    /// Policy overrides: the relation and its table's body as TOML.
    pub(super) relations: Vec<(String, String)>,
    /// The tenants' write policy, as TOML.
    pub(super) write_policy: Option<String>,
    /// What a model says of prose; without any, it is read by rules.
    pub(super) replies: Option<Replies>,
    pub(super) steps: Vec<Step>,
    pub(super) questions: Vec<Question>,
}

/// One thing that is done to the memory.
#[derive(Debug)]
pub(super) enum Step {
    /// An observation goes in (or is refused).
    Observation {
        at: Place,
        name: String,
        /// Empty where the line says that it is refused.
        incoming: Vec<Incoming>,
    },
    /// Something is done about earlier ones.
    Action { at: Place, action: Action },
}

/// What a line says beside its content.
#[derive(Debug, Default)]
pub(super) struct Place {
    line: u64,
    tenant: Option<String>,
    recorded_at: Option<Instant>,
    expect: Option<Map<String, Value>>,
}

/// What can be done about observations.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Action {
    /// "We were wrong."
    Retract {
        observation: String,
        claim: Option<u32>,
        #[serde(default)]
        because: String,
    },
    /// "We were right after all."
    Restore {
        observation: String,
        claim: Option<u32>,
        #[serde(default)]
        because: String,
    },
    /// Physical removal of an observation or of everything about an entity.
    Erase {
        observation: Option<String>,
        #[serde(default, deserialize_with = "super::expect::optional_term")]
        entity: Option<Term>,
    },
    /// Physical removal of the tenant.
    EraseTenant,
    /// Another policy; no `toml` removes the override.
    Policy { relation: String, toml: Option<String> },
    /// The same observation once more.
    Again { observation: String },
    /// One entity is another name of the other.
    Merge {
        from: String,
        into: String,
        #[serde(default)]
        because: String,
    },
    /// It is not, after all.
    Unmerge {
        from: String,
        into: String,
        #[serde(default)]
        because: String,
    },
    /// Entities of which neither is as likely to be a third one are merged.
    Resolve {
        #[serde(default)]
        least: f64,
    },
    /// Somebody (or everybody) consents to the memory of a category.
    Consent {
        category: String,
        #[serde(rename = "for")]
        subject: Option<String>,
    },
    /// What waits is read again.
    Reprocess,
}

impl Step {
    const fn at(&self) -> &Place {
        match self {
            Self::Observation { at, .. } | Self::Action { at, .. } => at,
        }
    }

    pub(super) const fn line(&self) -> u64 {
        self.at().line
    }

    pub(super) fn tenant(&self) -> Option<&str> {
        self.at().tenant.as_deref()
    }

    pub(super) const fn recorded_at(&self) -> Option<Instant> {
        self.at().recorded_at
    }

    /// The counts (or the error) that the step shall answer with.
    pub(super) const fn expected(&self) -> Option<&Map<String, Value>> {
        self.at().expect.as_ref()
    }

    pub(super) const fn is_observation(&self) -> bool {
        matches!(self, Self::Observation { .. })
    }

    pub(super) fn incoming(&self) -> &[Incoming] {
        match self {
            Self::Observation { incoming, .. } => incoming,
            Self::Action { .. } => &[],
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Observation { name, .. } => name.clone(),
            Self::Action { action, .. } => match action.needs() {
                Some(observation) => format!("({} {observation})", action.verb()),
                None => format!("({})", action.verb()),
            },
        }
    }
}

impl Action {
    const fn verb(&self) -> &'static str {
        match self {
            Self::Retract { .. } => "retract",
            Self::Restore { .. } => "restore",
            Self::Erase { .. } => "erase",
            Self::EraseTenant => "erase tenant",
            Self::Policy { .. } => "policy",
            Self::Again { .. } => "again",
            Self::Merge { .. } => "merge",
            Self::Unmerge { .. } => "unmerge",
            Self::Resolve { .. } => "resolve",
            Self::Consent { .. } => "consent",
            Self::Reprocess => "reprocess",
        }
    }

    /// The observation that must have come in before.
    fn needs(&self) -> Option<&str> {
        match self {
            Self::Retract { observation, .. } | Self::Restore { observation, .. } | Self::Again { observation } => Some(observation),
            Self::Erase { observation, .. } => observation.as_deref(),
            Self::Policy { .. }
            | Self::EraseTenant
            | Self::Merge { .. }
            | Self::Unmerge { .. }
            | Self::Resolve { .. }
            | Self::Consent { .. }
            | Self::Reprocess => None,
        }
    }

    /// Whether what comes in afterwards escapes it, so that nothing may change sides.
    const fn divides(&self) -> bool {
        matches!(
            self,
            Self::Erase { entity: Some(_), .. } | Self::EraseTenant | Self::Resolve { .. } | Self::Consent { .. } | Self::Reprocess
        )
    }
}

impl Scenario {
    pub(super) fn read(folder: &Path) -> Result<Self, EvalError> {
        let settings = read_settings(&folder.join(SETTINGS))?;
        let zone = match &settings.zone {
            Some(name) => Zone::parse(name).map_err(Error::from)?,
            None => Zone::UTC,
        };
        let now = instant(settings.now.as_deref().unwrap_or(NOW), zone)?;
        let questions = json_lines::<Question>(&folder.join(QUESTIONS))?
            .into_iter()
            .map(|(line, mut question)| {
                question.line = line;
                question
            })
            .collect();
        Ok(Self {
            relations: read_relations(&folder.join(RELATIONS))?,
            write_policy: read_text(&folder.join(WRITE_POLICY))?,
            replies: Replies::read(&folder.join(REPLIES))?,
            steps: Lines::read(&folder.join(OBSERVATIONS), settings.observed_at.as_deref(), zone)?.steps()?,
            about: settings.about,
            orders: settings.orders,
            zone,
            now,
            questions,
        })
    }

    /// Where the clock stands when the first step is taken.
    pub(super) fn first_recorded_at(&self) -> Instant {
        self.steps.iter().find_map(Step::recorded_at).unwrap_or(self.now)
    }

    /// What an observation line of this name holds; empty if there is none.
    pub(super) fn incoming(&self, name: &str) -> &[Incoming] {
        self.steps.iter().find(|step| step.is_observation() && step.name() == name).map_or(&[], Step::incoming)
    }

    /// The name of the observation with this id.
    pub(super) fn name_of(&self, id: crate::model::ObservationId) -> Option<String> {
        self.steps.iter().find(|step| step.incoming().iter().any(|incoming| incoming.observation.id == id)).map(Step::name)
    }

    /// Whether, in this order, every action finds the observation it names, and nothing changes sides of one that divides.
    pub(super) fn names_what_is_there(&self, order: &[usize]) -> bool {
        let mut before = BTreeSet::new();
        for (place, index) in order.iter().enumerate() {
            match self.steps.get(*index) {
                Some(Step::Observation { .. }) => {
                    before.insert(*index);
                }
                Some(Step::Action { action, .. }) => {
                    let there = |name: &str| before.iter().any(|index| self.steps.get(*index).is_some_and(|step| step.name() == name));
                    let written: BTreeSet<usize> =
                        (0..place).filter(|index| self.steps.get(*index).is_some_and(Step::is_observation)).collect();
                    if action.needs().is_some_and(|name| !there(name)) || (action.divides() && before != written) {
                        return false;
                    }
                }
                None => {}
            }
        }
        true
    }
}

fn instant(text: &str, zone: Zone) -> Result<Instant, EvalError> {
    Ok(parse_moment(text, &zone).map_err(Error::from)?.lo())
}

/// What a file holds; `None` where there is none.
fn read_text(path: &Path) -> Result<Option<String>, EvalError> {
    if !path.is_file() {
        return Ok(None);
    }
    fs::read_to_string(path).map(Some).map_err(|error| unreadable(path, &error))
}

fn read_settings(path: &Path) -> Result<Settings, EvalError> {
    let Some(text) = read_text(path)? else { return Ok(Settings::default()) };
    toml::from_str(&text).map_err(|error| malformed(path, 1, &error))
}

/// `[relation.NAME]` tables, each as the body a tenant's override takes. `[relation."*"]` is every unknown relation.
fn read_relations(path: &Path) -> Result<Vec<(String, String)>, EvalError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pack {
        relation: toml::Table,
    }
    let Some(text) = read_text(path)? else { return Ok(Vec::new()) };
    let pack: Pack = toml::from_str(&text).map_err(|error| malformed(path, 1, &error))?;
    pack.relation.into_iter().map(|(name, body)| Ok((name, toml::to_string(&body).map_err(|error| malformed(path, 1, &error))?))).collect()
}

/// The lines of `observations.jsonl`, before those that name claims of others can be read.
struct Lines<'a> {
    path: &'a Path,
    /// How the product is to read them.
    options: ReadOptions,
    all: Vec<Line>,
}

struct Line {
    at: Place,
    name: String,
    content: Content,
}

enum Content {
    /// Lines of one observation, as the product reads them.
    Observation(Vec<Map<String, Value>>),
    /// A line the product shall refuse, and words of the reason.
    Refused(Map<String, Value>, String),
    Action(Action),
}

impl<'a> Lines<'a> {
    fn read(path: &'a Path, observed_at: Option<&str>, zone: Zone) -> Result<Self, EvalError> {
        let observed_at = observed_at.map(|text| ObservedAt::parse(text, &zone)).transpose().map_err(Error::from)?;
        let options = ReadOptions { observed_at, zone, ..ReadOptions::default() };
        let mut lines: Vec<Line> = Vec::new();
        for (number, mut fields) in json_lines::<Map<String, Value>>(path)? {
            let mut at = Place { line: number, ..Place::default() };
            if let Some(recorded_at) = fields.remove("recorded_at") {
                let text = recorded_at.as_str().ok_or_else(|| malformed(path, number, "recorded_at is no text"))?;
                at.recorded_at = Some(instant(text, zone)?);
            }
            at.tenant = fields.remove("tenant").and_then(|tenant| tenant.as_str().map(str::to_owned));
            at.expect = match fields.remove("expect") {
                Some(Value::Object(expect)) => Some(expect),
                Some(_) => return Err(malformed(path, number, "expect is no object of counts")),
                None => None,
            };
            let repeat = fields.remove("repeat");
            let key = fields.get("observation").and_then(Value::as_str).map(str::to_owned);
            let name = key.clone().unwrap_or_else(|| format!("line {number}"));
            let content = if fields.contains_key("do") {
                Content::Action(serde_json::from_value(Value::Object(fields)).map_err(|error| malformed(path, number, &error))?)
            } else if let Some(refused) = fields.remove("rejected") {
                let words = refused.as_str().ok_or_else(|| malformed(path, number, "rejected is no text"))?.to_owned();
                Content::Refused(fields, words)
            } else if let Some(times) = repeat {
                let times = times.as_u64().filter(|times| *times <= MOST_REPEATED);
                let times = times.ok_or_else(|| malformed(path, number, &format!("repeat is no number up to {MOST_REPEATED}")))?;
                Content::Observation((1..=times).map(|nth| numbered(&fields, nth)).collect())
            } else {
                // Neighbouring lines that share `observation` are one observation.
                if let (Some(key), Some(last)) = (&key, lines.last_mut())
                    && last.name == *key
                    && let Content::Observation(fed) = &mut last.content
                {
                    fed.push(fields);
                    continue;
                }
                Content::Observation(vec![fields])
            };
            lines.push(Line { at, name, content });
        }
        let mut latest = None;
        for line in &lines {
            if let Some(recorded_at) = line.at.recorded_at {
                if latest.is_some_and(|latest| recorded_at < latest) {
                    return Err(malformed(path, line.at.line, "recorded_at goes back; transaction time cannot"));
                }
                latest = Some(recorded_at);
            }
        }
        Ok(Self { path, options, all: lines })
    }

    /// Reads every line as the product does. Ids come from content, so lines that correct a claim by id wait for its line,
    /// wherever that stands.
    fn steps(self) -> Result<Vec<Step>, EvalError> {
        let mut read_by_name: BTreeMap<String, Vec<Incoming>> = BTreeMap::new();
        let mut waiting: Vec<&Line> = self.all.iter().filter(|line| matches!(line.content, Content::Observation(_))).collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for line in waiting {
                let Content::Observation(fed) = &line.content else { continue };
                match Self::with_claim_ids(fed, &read_by_name) {
                    Some(fed) => {
                        let reading = self.as_the_product(&fed)?;
                        if let Some(rejection) = reading.rejected.first() {
                            return Err(malformed(self.path, line.at.line, &describe(rejection)));
                        }
                        if read_by_name.insert(line.name.clone(), reading.incoming).is_some() {
                            return Err(malformed(self.path, line.at.line, &format!("another observation is called {:?}", line.name)));
                        }
                    }
                    None => still.push(line),
                }
            }
            if still.len() == before {
                let line = still.first().map_or(0, |line| line.at.line);
                return Err(malformed(self.path, line, "corrects names an observation that is not here"));
            }
            waiting = still;
        }
        let mut steps = Vec::with_capacity(self.all.len());
        for line in &self.all {
            if let Content::Refused(fields, words) = &line.content {
                let reading = self.as_the_product(std::slice::from_ref(fields))?;
                match reading.rejected.first().map(describe) {
                    Some(reason) if reason.contains(words.as_str()) => {}
                    Some(reason) => {
                        return Err(malformed(self.path, line.at.line, &format!("rejected, but not because of {words:?}: {reason}")));
                    }
                    None => {
                        return Err(malformed(self.path, line.at.line, &format!("was to be rejected because of {words:?}, but was taken")));
                    }
                }
            }
        }
        for line in self.all {
            match line.content {
                Content::Action(action) => steps.push(Step::Action { at: line.at, action }),
                Content::Observation(_) => {
                    let incoming = read_by_name.remove(&line.name).unwrap_or_default();
                    steps.push(Step::Observation { at: line.at, name: line.name, incoming });
                }
                Content::Refused(..) => {}
            }
        }
        Ok(steps)
    }

    /// The lines with `"corrects": {"observation": …, "claim": …}` replaced by that claim's id; `None` if it is not read yet.
    fn with_claim_ids(fed: &[Map<String, Value>], known: &BTreeMap<String, Vec<Incoming>>) -> Option<Vec<Map<String, Value>>> {
        fed.iter()
            .map(|fields| {
                let mut fields = fields.clone();
                if let Some(Value::Object(named)) = fields.get("corrects")
                    && let Some(observation) = named.get("observation").and_then(Value::as_str)
                {
                    let ordinal = named.get("claim").and_then(Value::as_u64).and_then(|ordinal| u32::try_from(ordinal).ok()).unwrap_or(0);
                    let observation = known.get(observation)?.first()?.observation.id;
                    let id = ClaimId { observation, ordinal };
                    fields.insert("corrects".to_owned(), Value::String(id.to_string()));
                }
                Some(fields)
            })
            .collect()
    }

    /// What the product makes of lines.
    fn as_the_product(&self, fed: &[Map<String, Value>]) -> Result<Reading, EvalError> {
        let text: Vec<String> = fed.iter().map(|fields| Value::Object(fields.clone()).to_string()).collect();
        Reading::of(self.path, text.join("\n").as_bytes(), self.options.clone())
    }
}

/// A line with `{n}` in its texts replaced by a number.
fn numbered(fields: &Map<String, Value>, nth: u64) -> Map<String, Value> {
    let replaced = |(key, value): (&String, &Value)| {
        let text = value.as_str().map(|text| Value::String(text.replace("{n}", &nth.to_string())));
        (key.clone(), text.unwrap_or_else(|| value.clone()))
    };
    fields.iter().map(replaced).collect()
}

/// A rejection without its line, which counts from another beginning here.
fn describe(rejection: &Rejection) -> String {
    rejection.field.as_ref().map_or_else(|| rejection.reason.clone(), |field| format!("{field}: {}", rejection.reason))
}
