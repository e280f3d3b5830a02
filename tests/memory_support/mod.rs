//! What the tests of the facade share: a memory in a temporary folder under a manual clock, and short ways to say claims.
//! Knows no test.

#![cfg(test)]
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of this")]

use erstwhile::extract::{Context, Extraction, Extractor};
use erstwhile::graph::Answer;
use erstwhile::memory::{ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use erstwhile::model::{Authority, Claim, ObservationKind, Polarity, Source, Term};
use erstwhile::observe::Incoming;
use erstwhile::time::{AsOf, End, Instant, KnownAt, Moment, Span, Start, Zone, ZonedInstant, parse_moment};
use std::path::Path;
use std::sync::Arc;

/// A memory in a folder of its own.
pub struct Place {
    pub folder: tempfile::TempDir,
    pub clock: Arc<ManualClock>,
    pub memory: Memory,
    pub tenant: Tenant,
}

pub fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(instant("2026-01-01T00:00:00Z")));
    let memory = open(folder.path(), &clock);
    let tenant = memory.tenant(&TenantId::new("default").unwrap());
    Place { folder, clock, memory, tenant }
}

impl Place {
    /// Another memory on the same folder, as another process would open it.
    pub fn again(&self) -> Tenant {
        open(self.folder.path(), &self.clock).tenant(&TenantId::new("default").unwrap())
    }

    /// The ledger file of the tenant.
    pub fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("tenants").join("default.sqlite")
    }
}

pub fn open(path: &Path, clock: &Arc<ManualClock>) -> Memory {
    let clock = Arc::clone(clock);
    Memory::open_with(path, MemoryOptions { clock, extractor: Arc::new(Silent), ..MemoryOptions::default() }).unwrap()
}

/// Reads nothing: what these tests are about came in ready.
struct Silent;

impl Extractor for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    fn extract(&self, _incoming: &Incoming, _context: &Context<'_>) -> Extraction {
        Extraction::default()
    }
}

pub fn instant(text: &str) -> Instant {
    Instant::parse(text).unwrap()
}

pub fn moment(text: &str) -> Moment {
    parse_moment(text, &Zone::UTC).unwrap()
}

pub fn name(name: &str) -> Term {
    Term::Name(name.to_owned())
}

/// A claim that holds from `from` (nothing: always) to `to` (nothing: open).
pub fn claim(head: &str, relation: &str, tail: &str, from: &str, to: &str) -> Claim {
    let start = if from.is_empty() { Start::Always } else { Start::At(moment(from)) };
    let end = if to.is_empty() { End::Open } else { End::At(moment(to)) };
    Claim {
        head: name(head),
        relation: relation.to_owned(),
        tail: name(tail),
        polarity: Polarity::Holds,
        span: Span::new(start, end).unwrap(),
        seen_at: None,
        confidence: 1.0,
        importance: 0.5,
        context: None,
        corrects: None,
        quote: None,
        extractor: "ready".to_owned(),
    }
}

/// An observation by the user, made at `at`.
pub fn said(at: &str, claims: Vec<Claim>) -> Incoming {
    by(Authority::User, at, claims)
}

pub fn by(authority: Authority, at: &str, claims: Vec<Claim>) -> Incoming {
    let at = ZonedInstant { at: instant(at), offset_minutes: 0 };
    Incoming::from_claims(at, Source { authority, name: None }, claims)
}

/// An observation of one claim, made at noon of the day it begins.
pub fn fact(head: &str, relation: &str, tail: &str, from: &str) -> Incoming {
    said("2025-01-01T12:00:00Z", vec![claim(head, relation, tail, from, "")])
}

/// An observation with a text, and claims that were read from it.
pub fn text(at: &str, speaker: &str, text: &str, claims: Vec<Claim>) -> Incoming {
    let mut incoming = said(at, claims);
    incoming.observation.kind = ObservationKind::Chat;
    incoming.observation.speaker = Some(speaker.to_owned());
    incoming.observation.text = Some(text.to_owned());
    Incoming::new(incoming.observation, incoming.ready)
}

/// Valid at, everything known.
pub fn valid(at: &str) -> AsOf {
    AsOf { valid_at: moment(at), known_at: KnownAt::Latest }
}

/// Valid at, as known at.
pub fn as_known(at: &str, known: &str) -> AsOf {
    AsOf { valid_at: moment(at), known_at: KnownAt::At(instant(known)) }
}

/// The tails of an answer, in its order.
pub fn tails(answer: &Answer) -> Vec<String> {
    answer.facts.iter().map(|held| held.fact.tail.to_string()).collect()
}

/// The tails that hold.
pub fn values(tenant: &Tenant, as_of: AsOf, head: &str, relation: &str) -> Vec<String> {
    tails(&tenant.at(as_of).unwrap().values(&name(head), relation).unwrap())
}

/// Every fact of a head, each as `tail [from, to)`.
pub fn timeline(tenant: &Tenant, head: &str, relation: &str) -> Vec<String> {
    let facts = tenant.at(valid("2026")).unwrap().timeline(&name(head), Some(relation)).unwrap();
    facts
        .iter()
        .map(|fact| {
            let start = match fact.start {
                Start::At(moment) => moment.to_string(),
                other @ (Start::By(_) | Start::Unknown | Start::Always) => other.describe(),
            };
            let end = match fact.end {
                End::At(moment) => moment.to_string(),
                other @ (End::By(_) | End::Open) => other.describe(),
            };
            format!("{} [{start}, {end})", fact.tail)
        })
        .collect()
}

/// Whether any file below a folder holds the bytes.
pub fn files_hold(folder: &Path, needle: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read(&path).unwrap().windows(needle.len()).any(|window| window == needle) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}
