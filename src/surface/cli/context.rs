//! What the commands share: the opened memory, the tenant, the zone, and how arguments become terms, times and ids.
//! Knows nothing of what is printed.

use super::args::{Global, When};
use super::fail::Failure;
use super::paste::Paste;
use crate::extract::rules::RULES;
use crate::extract::{Extractor, Rules, llm};
use crate::graph::View;
use crate::ledger::Retractable;
use crate::memory::{Memory, MemoryOptions, Tenant, TenantId};
use crate::model::{ClaimId, ObservationId, Term};
#[cfg(feature = "llm")]
use crate::surface::Endpoint;
use crate::time::{AsOf, Instant, KnownAt, Moment, Zone, parse_moment};
use std::path::PathBuf;
use std::sync::Arc;

/// An opened memory with the global flags.
pub(super) struct Context {
    /// The memory's folder, as it was named.
    pub(super) folder: PathBuf,
    pub(super) memory: Memory,
    pub(super) id: TenantId,
    pub(super) tenant: Tenant,
    pub(super) zone: Zone,
    pub(super) json: bool,
    /// What a printed command has to repeat.
    pub(super) paste: Paste,
}

/// What reads prose, by its name.
fn extractor(name: &str) -> Result<Arc<dyn Extractor>, Failure> {
    match name {
        RULES => Ok(Arc::new(Rules::default())),
        llm::LLM => model(),
        _ => Err(Failure::given("--extractor", name, "there is no such extractor", format!("write `{RULES}` or `{}`", llm::LLM))),
    }
}

#[cfg(feature = "llm")]
fn model() -> Result<Arc<dyn Extractor>, Failure> {
    let next = "set ERSTWHILE_LLM_URL (as http://localhost:11434/v1), ERSTWHILE_LLM_MODEL and, where one is needed, ERSTWHILE_LLM_KEY";
    let endpoint = Endpoint::from_environment().map_err(|error| Failure::given("--extractor", llm::LLM, error.to_string(), next))?;
    let endpoint = endpoint.ok_or_else(|| Failure::given("--extractor", llm::LLM, "no endpoint is named", next))?;
    Ok(Arc::new(llm::Llm::new(endpoint)))
}

#[cfg(not(feature = "llm"))]
fn model() -> Result<Arc<dyn Extractor>, Failure> {
    Err(Failure::given("--extractor", llm::LLM, "this program was built without language models", "build it with `--features llm`"))
}

/// The zone that `--zone` names.
pub(super) fn zone_of(global: &Global) -> Result<Zone, Failure> {
    Zone::parse(&global.zone)
        .map_err(|error| Failure::given("--zone", &global.zone, error.to_string(), "name a zone as Europe/Oslo, or an offset as +09:00"))
}

/// A time as people say it: "now", "today", or any form of [`parse_moment`], in a zone.
pub(super) fn moment_said(what: &'static str, text: &str, zone: Zone, now: Instant) -> Result<Moment, Failure> {
    let text = text.trim();
    let today = Moment::day_of(now, &zone);
    let moment = match text.to_lowercase().as_str() {
        "now" => Ok(Moment::exact(now)),
        "today" => Ok(today),
        "yesterday" => Ok(Moment::day_of(today.lo().saturating_sub(1), &zone)),
        "tomorrow" => Ok(Moment::day_of(today.hi(), &zone)),
        _ => parse_moment(text, &zone),
    };
    moment.map_err(|error| {
        Failure::given(what, text, error.to_string(), "write a time as 2019, 2019-06, 2019-06-01, 2019-06-01T12:00:00Z, now or today")
    })
}

impl Context {
    /// Opens what the flags name. Nothing is created.
    pub(super) fn open(global: &Global) -> Result<Self, Failure> {
        let zone = zone_of(global)?;
        let id = TenantId::new(&global.tenant)?;
        let options = MemoryOptions { extractor: extractor(&global.extractor)?, ..MemoryOptions::default() };
        let memory = Memory::open_with(&global.memory, options)?;
        let tenant = memory.tenant(&id);
        Ok(Self { folder: global.memory.clone(), memory, id, tenant, zone, json: global.json, paste: Paste::of(global) })
    }

    /// A time as people say it: "now", "today", or any form of [`parse_moment`], in the zone of `--zone`.
    pub(super) fn moment(&self, what: &'static str, text: &str) -> Result<Moment, Failure> {
        moment_said(what, text, self.zone, self.tenant.now().valid_at.lo())
    }

    /// A reading position. Without `--at` it is now; without `--known-at` all that is known. A day or a year of transaction time
    /// means its last instant.
    pub(super) fn as_of(&self, when: &When) -> Result<AsOf, Failure> {
        self.position(("--at", when.at.as_deref()), ("--known-at", when.known_at.as_deref()))
    }

    /// The memory read where the flags say.
    pub(super) fn view(&self, when: &When) -> Result<View, Failure> {
        self.graph(self.tenant.at(self.as_of(when)?)?, when.context.as_deref())
    }

    /// The same for what a head has for a relation, so that no more than that is loaded.
    pub(super) fn values(&self, when: &When, head: &Term, relation: &str) -> Result<View, Failure> {
        self.graph(self.tenant.at_values(self.as_of(when)?, head, relation)?, when.context.as_deref())
    }

    /// The same for who has a tail for a relation.
    pub(super) fn holders(&self, when: &When, relation: &str, tail: &Term) -> Result<View, Failure> {
        self.graph(self.tenant.at_holders(self.as_of(when)?, relation, tail)?, when.context.as_deref())
    }

    /// The same for a question about either end.
    pub(super) fn slice(&self, when: &When, head: &Term, relation: Option<&str>) -> Result<View, Failure> {
        self.graph(self.tenant.at_slot(self.as_of(when)?, head, relation)?, when.context.as_deref())
    }

    /// Now, by the clock of the memory.
    pub(super) fn now(&self) -> Instant {
        self.tenant.now().valid_at.lo()
    }

    /// The command that shows the history of `what`, to be pasted.
    pub(super) fn history(&self, what: &str, when: &When) -> String {
        self.paste.reading(&format!("timeline {what}"), when.context.as_deref())
    }

    /// Holds that the named graph of the flags is there, for what is read by an id that says its graph itself.
    pub(super) fn graph_is_known(&self, when: &When) -> Result<(), Failure> {
        match when.context {
            Some(_) => self.view(when).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The view in the named graph that was asked for; one that no claim is in is an error, not an empty answer.
    pub(super) fn graph(&self, view: View, context: Option<&str>) -> Result<View, Failure> {
        let Some(given) = context else { return Ok(view) };
        let bare = given.trim();
        let iri = bare.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(bare);
        Term::Iri(iri.to_owned()).check().map_err(|error| {
            Failure::given("--context", given, error.to_string(), "a named graph is an IRI: `--context https://example.org/census`")
        })?;
        // A slice knows the graphs of what it holds; only where it has not this one are all of them looked through.
        if !view.snapshot().contexts().iter().any(|known| known == iri) {
            let known = self.tenant.snapshot()?.contexts();
            if !known.iter().any(|known| known == iri) {
                return Err(Failure::UnknownGraph { iri: iri.to_owned(), known });
            }
        }
        Ok(view.in_context(Some(iri)))
    }

    /// A reading position from two named flags.
    pub(super) fn position(&self, at: (&'static str, Option<&str>), known_at: (&'static str, Option<&str>)) -> Result<AsOf, Failure> {
        let valid_at = match at.1 {
            Some(text) => self.moment(at.0, text)?,
            None => self.tenant.now().valid_at,
        };
        let known_at = match known_at.1 {
            Some(text) if !text.trim().eq_ignore_ascii_case("now") => KnownAt::At(last_instant(self.moment(known_at.0, text)?)),
            Some(_) | None => KnownAt::Latest,
        };
        Ok(AsOf { valid_at, known_at })
    }

    /// A term as typed.
    pub(super) fn term(text: &str) -> Result<Term, Failure> {
        Term::parse(text).map_err(|error| Failure::Memory(error.into()))
    }

    /// A claim by its id, or by the first digits of its observation's id and its number (`1f2e3d4c.0`).
    pub(super) fn claim(&self, text: &str) -> Result<ClaimId, Failure> {
        if let Ok(id) = text.parse() {
            return Ok(id);
        }
        if let Some((observation, ordinal)) = text.split_once('.')
            && let Ok(ordinal) = ordinal.parse()
            && is_id_prefix(observation)
        {
            return Ok(ClaimId { observation: self.tenant.find_observation(observation)?, ordinal });
        }
        Ok(self.tenant.find_claim(text)?)
    }

    /// A claim or an observation, by id, by the first digits of one, or by the observation's key.
    pub(super) fn retractable(&self, text: &str) -> Result<Retractable, Failure> {
        let claim = text
            .split_once('.')
            .is_some_and(|(observation, ordinal)| is_id_prefix(observation) && ordinal.bytes().all(|b| b.is_ascii_digit()));
        if claim { self.claim(text).map(Retractable::Claim) } else { self.observation(text).map(Retractable::Observation) }
    }

    /// An observation, by id, by its first digits, or by key.
    pub(super) fn observation(&self, text: &str) -> Result<ObservationId, Failure> {
        Ok(self.tenant.find_observation(text)?)
    }
}

/// Whether a text looks like (the beginning of) an id rather than a name.
pub(super) fn is_id_prefix(text: &str) -> bool {
    (4..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The last instant of a moment: `[lo, hi)` for a granule, itself for an exact one.
fn last_instant(moment: Moment) -> Instant {
    if moment.is_exact() { moment.lo() } else { Instant::from_micros(moment.hi().micros() - 1) }
}
