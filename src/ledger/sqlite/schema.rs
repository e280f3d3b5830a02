//! The tables of a tenant's file, their creation, and the marks that tell such a file. docs/FORMAT.md explains each column.
//! Knows no record.

/// `application_id`: "Erst" in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x4572_7374;

/// `user_version`: the format written here, and the highest one read.
pub(super) const FORMAT: i64 = 2;

/// How many tables format 1 has.
pub(super) const FIRST_TABLES: i64 = 10;

/// Names of rows of `meta`.
pub(super) mod meta {
    /// Every record up to this place is in the index segments.
    pub(in super::super) const INDEXED_TO: &str = "indexed_to";
    /// The version of the index numbers.
    pub(in super::super) const KEY_VERSION: &str = "key_version";
    /// How far an erasure has come that removed records: see `scrub`.
    pub(in super::super) const SCRUB_PENDING: &str = "scrub_pending";
}

/// Values of `scrub_pending`.
pub(super) mod scrub {
    /// Nothing is left of what was erased.
    pub(in super::super) const DONE: i64 = 0;
    /// The records are gone; the file is to be written anew.
    pub(in super::super) const ROWS_REMOVED: i64 = 1;
    /// The file is written anew; the write-ahead file is to be emptied.
    pub(in super::super) const REWRITTEN: i64 = 2;
}

/// The tables that format 2 added, with their columns.
pub(super) const ADDED: [(&str, &str); 4] = [
    // Two entities are one from here on (merged 1), or no longer (0).
    (
        "merges",
        "seq INTEGER PRIMARY KEY, merged INTEGER NOT NULL, from_number INTEGER NOT NULL, from_kind INTEGER NOT NULL, \
         from_term TEXT NOT NULL, into_kind INTEGER NOT NULL, into_term TEXT NOT NULL, because TEXT NOT NULL",
    ),
    ("settings", "seq INTEGER PRIMARY KEY, name TEXT NOT NULL, value TEXT"),
    // Observations that were recorded without their claims, by their places.
    ("pending", "seq INTEGER PRIMARY KEY, waits INTEGER NOT NULL, failure TEXT NOT NULL"),
    // What was read of them later: claims from the ordinal `first` on, at the places that follow.
    (
        "extractions",
        "seq INTEGER PRIMARY KEY, observation INTEGER NOT NULL, first INTEGER NOT NULL, claims INTEGER NOT NULL, \
         extractor TEXT NOT NULL, failure TEXT",
    ),
];

/// The indexes on them.
pub(super) const ADDED_INDEXES: &str = "
CREATE INDEX merges_from ON merges (from_number);
CREATE INDEX observations_of ON observations (session, observed_at) WHERE session IS NOT NULL;
CREATE INDEX settings_name ON settings (name);
CREATE INDEX pending_waiting ON pending (seq) WHERE waits = 1;
CREATE INDEX extractions_of ON extractions (observation);
";

/// Tables, indexes and views of format 1.
pub(super) const SCHEMA: &str = "
CREATE TABLE meta (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
) WITHOUT ROWID;

-- One row per append: records seq to last_seq have this transaction time.
CREATE TABLE commits (
  seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  tx INTEGER NOT NULL
);

CREATE TABLE observations (
  seq INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  kind INTEGER NOT NULL,
  observed_at INTEGER NOT NULL,
  offset_minutes INTEGER NOT NULL,
  authority INTEGER NOT NULL,
  source TEXT,
  session TEXT,
  speaker TEXT,
  role TEXT,
  key TEXT,
  text TEXT
);

CREATE TABLE claims (
  seq INTEGER PRIMARY KEY,
  observation INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  polarity INTEGER NOT NULL,
  head_kind INTEGER NOT NULL,
  head TEXT NOT NULL,
  relation TEXT NOT NULL,
  tail_kind INTEGER NOT NULL,
  tail TEXT NOT NULL,
  from_kind INTEGER NOT NULL,
  from_lo INTEGER,
  from_hi INTEGER,
  to_kind INTEGER NOT NULL,
  to_lo INTEGER,
  to_hi INTEGER,
  confidence NOT NULL,
  importance NOT NULL,
  tail_datatype TEXT,
  tail_language TEXT,
  seen_at INTEGER,
  context TEXT,
  corrects_observation BLOB,
  corrects_ordinal INTEGER,
  corrects_tail_kind INTEGER,
  corrects_tail TEXT,
  corrects_tail_datatype TEXT,
  corrects_tail_language TEXT,
  quote_from INTEGER,
  quote_to INTEGER,
  extractor TEXT
);
CREATE INDEX claims_correcting ON claims (corrects_observation) WHERE corrects_observation IS NOT NULL;

CREATE TABLE beliefs (
  seq INTEGER PRIMARY KEY,
  believed INTEGER NOT NULL,
  observation BLOB NOT NULL,
  ordinal INTEGER,
  because TEXT NOT NULL
);
CREATE INDEX beliefs_naming ON beliefs (observation);

CREATE TABLE policies (
  seq INTEGER PRIMARY KEY,
  relation TEXT NOT NULL,
  toml TEXT
);

CREATE TABLE erasures (
  seq INTEGER PRIMARY KEY,
  observations INTEGER NOT NULL
);
CREATE TABLE erased_places (
  erasure INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (erasure, seq)
) WITHOUT ROWID;

CREATE TABLE index_segments (
  segment INTEGER PRIMARY KEY,
  family INTEGER NOT NULL,
  entries INTEGER NOT NULL
);
CREATE TABLE index_blocks (
  segment INTEGER NOT NULL,
  first_key INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (segment, first_key, first_seq)
) WITHOUT ROWID;

CREATE VIEW observations_readable AS
SELECT
  o.seq,
  lower(hex(o.id)) AS id,
  CASE o.kind WHEN 0 THEN 'chat' WHEN 1 THEN 'document' WHEN 2 THEN 'tool_result' ELSE 'claims' END AS kind,
  strftime('%Y-%m-%dT%H:%M:%SZ', o.observed_at / 1000000.0, 'unixepoch') AS observed_at,
  (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', c.tx / 1000000.0, 'unixepoch') FROM commits c WHERE c.seq <= o.seq ORDER BY c.seq DESC LIMIT 1)
    AS recorded_at,
  CASE o.authority WHEN 0 THEN 'inference' WHEN 1 THEN 'assistant' WHEN 2 THEN 'tool' WHEN 3 THEN 'document' WHEN 4 THEN 'curated'
    ELSE 'user' END AS authority,
  o.source, o.session, o.speaker, o.role, o.key, o.text
FROM observations o;

CREATE VIEW claims_readable AS
SELECT
  c.seq,
  lower(hex(o.id)) || '.' || c.ordinal AS id,
  CASE c.polarity WHEN 0 THEN 'holds' WHEN 1 THEN 'ends' ELSE 'never' END AS polarity,
  CASE c.head_kind WHEN 1 THEN '<' || c.head || '>' WHEN 2 THEN '_:' || c.head ELSE c.head END AS head,
  c.relation,
  CASE c.tail_kind WHEN 1 THEN '<' || c.tail || '>' WHEN 2 THEN '_:' || c.tail
    WHEN 3 THEN '\"' || c.tail || '\"' || coalesce('@' || c.tail_language, '^^<' || c.tail_datatype || '>', '') ELSE c.tail END AS tail,
  CASE c.from_kind WHEN 0 THEN 'at' WHEN 1 THEN 'by' WHEN 2 THEN 'unknown' ELSE 'always' END AS from_kind,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.from_lo / 1000000.0, 'unixepoch') AS valid_from,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.from_hi / 1000000.0, 'unixepoch') AS valid_from_before,
  CASE c.to_kind WHEN 0 THEN 'at' WHEN 1 THEN 'by' ELSE 'open' END AS to_kind,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.to_lo / 1000000.0, 'unixepoch') AS valid_to,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.to_hi / 1000000.0, 'unixepoch') AS valid_to_before,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.seen_at / 1000000.0, 'unixepoch') AS seen_at,
  strftime('%Y-%m-%dT%H:%M:%SZ', o.observed_at / 1000000.0, 'unixepoch') AS observed_at,
  (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', m.tx / 1000000.0, 'unixepoch') FROM commits m WHERE m.seq <= c.seq ORDER BY m.seq DESC LIMIT 1)
    AS recorded_at,
  c.confidence, c.importance, c.context,
  lower(hex(c.corrects_observation)) || '.' || c.corrects_ordinal AS corrects_claim, c.corrects_tail,
  c.quote_from, c.quote_to, coalesce(c.extractor, 'ready') AS extractor
FROM claims c JOIN observations o ON o.seq = c.observation;
";
