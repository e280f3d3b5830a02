//! Erstwhile: a temporal knowledge-graph memory for AI agents.
//!
//! It remembers *when* things were true and *when it came to believe them*, and answers at any point of both times.
//!
//! What comes in are **observations**: chat turns, documents, ready-made triples. From them come **claims**: "head, relation, tail,
//! from, to". **Facts** are never stored: they are derived, by one pure function, from the claims that are recorded and not retracted.
//! So the order of arrival does not matter, what an erased observation had closed is open again, and what was believed at an earlier
//! time can still be read.
//!
//! ```
//! use erstwhile::observe::{ReadOptions, Reader};
//! use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
//! use erstwhile::{Memory, TenantId, Term};
//!
//! let folder = tempfile::tempdir()?;
//! let memory = Memory::open(folder.path())?;
//! let ana = memory.tenant(&TenantId::new("ana")?);
//!
//! let input = r#"
//!     {"observed_at": "2024-05-01T09:00:00Z", "head": "Ana", "relation": "lives_in", "tail": "Oslo", "from": "2015"}
//!     {"observed_at": "2024-05-01T09:00:00Z", "head": "Ana", "relation": "lives_in", "tail": "Turin", "from": "2018-09"}"#;
//! let read = Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
//! let receipt = ana.remember_all(read, Default::default())?;
//! assert_eq!((receipt.claims, receipt.applied.closed), (2, 1)); // Moving to Turin ended living in Oslo.
//!
//! let in_2016 = AsOf { valid_at: parse_moment("2016", &Zone::UTC)?, known_at: KnownAt::Latest };
//! let answer = ana.at(in_2016)?.values(&Term::Name("Ana".to_owned()), "lives_in")?;
//! assert_eq!(answer.facts[0].fact.tail, Term::Name("Oslo".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//! - [`Memory`] is a folder of tenants; [`Tenant`] is the handle every read and write goes through.
//! - [`View`] is a tenant read at one point of both times ([`AsOf`]): it never moves, and it implements petgraph's traits.
//! - [`observe`] reads input, [`time`] reads dates, [`policy`] says how relations compete, [`timeline`] derives.
//!
//! A module uses only those before it in this order: `time`, `model`, `timeline`, `observe`, `extract`, `resolve`, `policy`, `ledger`,
//! `text`, `graph`, `sparql`, `retrieve`, `memory`, `eval`, `surface`.

pub mod eval;
pub mod extract;
pub mod graph;
pub mod ledger;
pub mod memory;
pub mod model;
pub mod observe;
pub mod policy;
pub mod resolve;
pub mod retrieve;
#[cfg(feature = "sparql")]
pub mod sparql;
pub mod surface;
pub mod text;
pub mod time;
pub mod timeline;

pub use graph::View;
pub use memory::{Error, ErrorKind, Memory, MemoryOptions, Tenant, TenantId};
pub use model::{Claim, Fact, Observation, Term};
pub use observe::Incoming;
pub use time::{AsOf, Instant, KnownAt, Moment};
