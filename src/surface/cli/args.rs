//! The command line as people type it: commands, flags and their help. Knows nothing of what the commands do.

use super::paste::{DEFAULT_MEMORY, DEFAULT_TENANT};
use crate::extract::rules::RULES;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
#[cfg(feature = "sparql")]
use std::time::Duration;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "erstwhile",
    version,
    about = "Remembers when things were true, and when it came to believe them",
    after_help = "Start with `erstwhile tour`. Times are `2019`, `2019-06`, `2019-06-01`, `2019-06-01T12:00:00Z`, `now` or `today`.\n\
                  Heads and tails are names; `<iri>`, `\"text\"`, `\"text\"@en`, `\"1.5\"^^xsd:decimal` and `_:label` say otherwise.",
    max_term_width = 100
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Flags that every command takes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(super) struct Global {
    /// The folder of the memory
    #[arg(long, global = true, value_name = "FOLDER", env = "ERSTWHILE_MEMORY", default_value = DEFAULT_MEMORY)]
    pub(super) memory: PathBuf,
    /// Whose memory
    #[arg(long, global = true, value_name = "NAME", default_value = DEFAULT_TENANT)]
    pub(super) tenant: String,
    /// What reads prose: `rules`, or `llm`, a language model behind the endpoint that `ERSTWHILE_LLM_URL`, `ERSTWHILE_LLM_MODEL` and
    /// `ERSTWHILE_LLM_KEY` name
    #[arg(long, global = true, value_name = "NAME", env = "ERSTWHILE_EXTRACTOR", default_value = RULES)]
    pub(super) extractor: String,
    /// Print one JSON object (docs/CLI.md has the schema)
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// The time zone that dates are read in: an IANA name or an offset such as +09:00
    #[arg(long, global = true, value_name = "ZONE", default_value = "UTC", allow_hyphen_values = true)]
    pub(super) zone: String,
}

/// Where to read, on both times.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "When")]
pub(super) struct When {
    /// Valid time: what was true then
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) at: Option<String>,
    /// Transaction time: as believed then (a date or a year: by its last microsecond)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) known_at: Option<String>,
    /// A named graph to read instead of the default one (`<iri>`, or bare)
    #[arg(long, value_name = "IRI")]
    pub(super) context: Option<String>,
}

/// Everything one can do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Tell a story of two times, in a temporary memory
    Tour,
    /// Record observations from files
    Remember(Remember),
    /// What HEAD has for RELATION
    Value {
        /// An entity
        head: String,
        /// A relation, or a wording of one
        relation: String,
        #[command(flatten)]
        when: When,
    },
    /// Everything about an entity
    About {
        /// An entity
        entity: String,
        #[command(flatten)]
        when: When,
    },
    /// Answer a question in words, exactly, with its interval; or say that nothing is known
    Ask {
        /// The question, in one argument or in several
        #[arg(required = true, num_args = 1..)]
        text: Vec<String>,
        /// Who asks: whom "I" and "my" mean
        #[arg(long, value_name = "NAME", default_value = "user")]
        asker: String,
        /// Also say how the question was read, and the facts on the way
        #[arg(long)]
        explain: bool,
        #[command(flatten)]
        when: When,
    },
    /// Who has TAIL for RELATION
    Holders {
        /// A relation, or a wording of one
        relation: String,
        /// A value
        tail: String,
        #[command(flatten)]
        when: When,
    },
    /// The whole history of an entity, drawn and listed
    Timeline {
        /// An entity
        head: String,
        /// Only this relation
        relation: Option<String>,
        /// Also the facts that have it as their tail
        #[arg(long)]
        incoming: bool,
        #[command(flatten)]
        when: When,
    },
    /// What to know before answering QUESTION: facts and what was said, the best first; or that nothing is known
    Recall(Recall),
    /// What changed between two points
    Diff(Diff),
    /// Why a fact holds, and what closed it
    Why {
        /// A fact or claim id (or its first digits); or HEAD RELATION; or HEAD RELATION TAIL
        #[arg(required = true, num_args = 1..=3, value_names = ["FACT | HEAD", "RELATION", "TAIL"])]
        what: Vec<String>,
        #[command(flatten)]
        when: When,
    },
    /// What is within some hops of an entity, as a tree
    #[command(alias = "neighbors")]
    Neighbours {
        /// An entity
        entity: String,
        /// How far to go
        #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
        hops: u32,
        /// Entities with more facts than this are reached and not walked through
        #[arg(long, value_name = "N", default_value_t = 1_000)]
        hub_limit: u32,
        /// Reach at most so many entities, nearest first
        #[arg(long, value_name = "N", default_value_t = 200)]
        limit: u32,
        #[command(flatten)]
        when: When,
    },
    /// Stop believing a claim or an observation; history keeps it
    Retract(Judge),
    /// Believe again what was retracted or corrected
    Restore(Judge),
    /// Remove for good: no file, index or history keeps it
    Erase(Erase),
    /// Relations and how their values compete
    Relations {
        #[command(subcommand)]
        what: Relations,
    },
    /// Count what is there
    Stats {
        /// And what the rules in force leave out of the stored prose, by reason; reads all of it again
        #[arg(long)]
        left_out: bool,
    },
    /// Write every record as JSON lines, with both times; or with `--rdf` the facts, or every record, as RDF
    Export(Export),
    /// Read an export into an empty tenant, recorded times and all; or the triples of RDF as claims
    Import(Import),
    /// Change the memory by SPARQL Update: what is inserted is asserted, what is deleted ends, nothing is lost
    #[cfg(feature = "sparql")]
    Update(Update),
    /// Check the ledger, and that everything derived equals a rebuild
    Verify,
    /// What is remembered and what not, what is masked, and whose consent is recorded
    Policy {
        #[command(subcommand)]
        what: PolicyWhat,
    },
    /// The tenant's own patterns for reading prose, laid over the shipped ones
    Patterns {
        #[command(subcommand)]
        what: Patterns,
    },
    /// The names that an entity is known by, and what else a name may mean
    Names {
        /// An entity, or any name
        entity: String,
        #[command(flatten)]
        when: When,
    },
    /// List entities that may be one, with the evidence; nothing is merged unless it is asked for
    Resolve {
        /// Merge those of which neither is as likely to be a third one
        #[arg(long)]
        apply: bool,
        /// The least score, from 0 to 1
        #[arg(long, value_name = "SCORE", default_value_t = 0.8)]
        least: f64,
    },
    /// Make two entities one: FROM is another name of INTO
    Merge(Pair),
    /// Undo a merge: the two are apart again
    Unmerge(Pair),
    /// List the merges, those undone too
    Merges,
    /// Read again what waits because its extractor could not run
    Reprocess,
    /// Show what would be read from a text, by which patterns; nothing is recorded
    Extract(Extract),
    /// Find the times that a text speaks of, underline them, and say what they mean
    When(WhenText),
    /// Ask in SPARQL, at any point of both times
    #[cfg(feature = "sparql")]
    Sparql(Sparql),
    /// Ask one of the named queries, or a file with parameters of your own
    #[cfg(feature = "sparql")]
    Query(Query),
    /// Answer SPARQL over HTTP, for every tenant of this memory (docs/HTTP.md)
    #[cfg(feature = "http")]
    Serve(Serve),
    /// List the tenants of this memory
    Tenants,
    /// Run the cases of a folder: observations, questions and expected answers
    Check {
        /// A folder with `observations.jsonl` and `questions.jsonl`, or a folder of such folders
        dir: PathBuf,
    },
    /// Measure against a data set
    Eval {
        /// Which: `timeline`, `intervals`, `conversations`, `time`, `extraction`, `consolidation`, `policy`, `resolution`, `recall`, `updates` or `hops`
        name: String,
        /// Its data; `.gz` is unpacked, and `time` and `policy` take a folder of its files too
        #[arg(long, value_name = "PATH")]
        data: PathBuf,
        /// `time`, `extraction`, `policy`, `resolution`: list what was missed, masked or refused on standard error, with tabs between its parts
        #[arg(long)]
        misses: bool,
        /// Chooses the random questions
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// `recall`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Recall {
    /// The question, or words to look for
    pub(super) question: String,
    /// Valid time: what was true and had been said then (default: now)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) at: Option<String>,
    /// Transaction time: as believed then (a date or a year: by its last microsecond)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) known_at: Option<String>,
    /// How far to walk from the entities that the question names
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=6))]
    pub(super) hops: u32,
    /// At most so many hits
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) limit: usize,
    /// About so many tokens of a prompt at most
    #[arg(long, value_name = "TOKENS")]
    pub(super) budget: Option<usize>,
    /// What makes one hit worth more than another: `default`, `memory-engine`, `generative-agents`, `vector-store`, or a TOML file
    #[arg(long, value_name = "PRESET | FILE")]
    pub(super) weights: Option<String>,
    /// Also what no longer holds, with its intervals
    #[arg(long)]
    pub(super) history: bool,
    /// The nearest, however far: leave out the floor below which nothing is handed out
    #[arg(long)]
    pub(super) whatever: bool,
    /// Only what was said
    #[arg(long, conflicts_with = "no_observations")]
    pub(super) no_facts: bool,
    /// Only facts
    #[arg(long)]
    pub(super) no_observations: bool,
    /// How the question was read, and why each hit stands where it does
    #[arg(long)]
    pub(super) explain: bool,
    /// As what
    #[arg(long, value_enum, default_value_t = RecallFormat::Prompt)]
    pub(super) format: RecallFormat,
}

/// The forms of what was recalled, beside JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RecallFormat {
    /// A block for a prompt, in a tag that marks it as recalled
    Prompt,
    /// Markdown
    Markdown,
}

/// `export`.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// Where to (`-` is standard output); a device or a pipe is written to as it stands
    #[arg(default_value = "-")]
    pub(super) file: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    pub(super) force: bool,
    /// Write the facts that hold then as RDF, each with its interval and its sources
    #[arg(long)]
    pub(super) rdf: bool,
    /// Write every claim and every other record as RDF, with both times; `import` brings it back
    #[arg(long, requires = "rdf", conflicts_with_all = ["at", "known_at", "context"])]
    pub(super) history: bool,
    /// The format of RDF (default: told by the file's name, else `turtle`)
    #[arg(long, value_enum, requires = "rdf")]
    pub(super) format: Option<RdfFormat>,
    #[command(flatten)]
    pub(super) when: When,
}

/// `import`.
#[derive(Debug, Args)]
pub(super) struct Import {
    /// Where from (`-` is standard input); `.ttl`, `.nt`, `.nq`, `.trig`, `.jsonld` and `.rdf` are RDF, `.gz` is unpacked
    #[arg(default_value = "-")]
    pub(super) file: PathBuf,
    /// It is RDF in this format
    #[arg(long, value_enum)]
    pub(super) format: Option<RdfFormat>,
    /// RDF: when a triple holds of which nothing is said: `permanent` (always) or `by` (so when it was observed, and from some time before)
    #[arg(long, value_enum, default_value_t = PlainTriples::Permanent)]
    pub(super) plain: PlainTriples,
    /// RDF: when the file was observed (default: when it was last changed; of standard input, now)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) observed_at: Option<String>,
    /// RDF: what relative IRIs are read against
    #[arg(long, value_name = "IRI")]
    pub(super) base: Option<String>,
    /// RDF: exit with 0 even if some triples were rejected
    #[arg(long)]
    pub(super) keep_going: bool,
}

/// `update`.
#[cfg(feature = "sparql")]
#[derive(Debug, Args)]
pub(super) struct Update {
    /// The update, or a file `….ru` of it, or `-` for standard input
    #[arg(value_name = "UPDATE")]
    pub(super) text: String,
    /// Valid time: when what is inserted holds, as `2020`, `2020/2023-06` or `2020/..`, where the text does not tell
    #[arg(long, value_name = "FROM[/TO]", allow_hyphen_values = true)]
    pub(super) valid: Option<String>,
    /// Valid time: where WHERE reads, and when what is deleted ended (default: now)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) at: Option<String>,
    /// Who says so: `user`, `curated`, `document`, `tool`, `assistant` or `inference`, and a name after a colon
    #[arg(long, value_name = "RANK[:NAME]", default_value = "curated")]
    pub(super) source: String,
    /// Why, for those who ask later
    #[arg(long, value_name = "REASON")]
    pub(super) because: Option<String>,
}

/// When a triple holds of which nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PlainTriples {
    /// Always
    Permanent,
    /// So when it was observed, and from some time before
    By,
}

/// The formats of RDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RdfFormat {
    /// Turtle
    Turtle,
    /// N-Triples
    Ntriples,
    /// N-Quads
    Nquads,
    /// Turtle with named graphs
    Trig,
    /// JSON-LD
    Jsonld,
    /// RDF/XML
    Rdfxml,
}

/// `remember`.
#[derive(Debug, Args)]
pub(super) struct Remember {
    /// Files to read; `-` is standard input, `.gz` is unpacked
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// How to read them
    #[arg(long, value_enum, default_value_t = Format::Auto)]
    pub(super) format: Format,
    /// When it was said, where a line does not tell
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) observed_at: Option<String>,
    /// Who said it, where a line does not tell: `user`, `curated`, `document`, `tool`, `assistant` or `inference`, and a name after a
    /// colon (`tool:calendar`), as in the field `source` of a line
    #[arg(long, value_name = "RANK[:NAME]")]
    pub(super) source: Option<String>,
    /// Show what would be kept, masked and left out, and why; nothing is written
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Exit with 0 even if some lines were rejected
    #[arg(long)]
    pub(super) keep_going: bool,
}

/// The formats of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Told by the first line and the file's name
    Auto,
    /// JSON lines of claims
    Claims,
    /// JSON lines of chat turns
    Chat,
    /// JSON lines of triples with from and to
    Triples,
    /// CSV of triples with from and to
    Csv,
    /// One document of plain text
    Text,
}

/// `when`.
#[derive(Debug, Args)]
pub(super) struct WhenText {
    /// The text, in one argument or in several; `-` is standard input, and after `--` it may begin with a hyphen
    #[arg(required = true, num_args = 1..)]
    pub(super) text: Vec<String>,
    /// When it was said: `2019-06-01T12:00:00Z`, a day, `now` or `today` (default: now)
    #[arg(long = "ref", value_name = "TIME", allow_hyphen_values = true)]
    pub(super) reference: Option<String>,
    /// Read one language only: `en` or `ja`
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) lang: Option<String>,
}

/// `sparql`.
#[cfg(feature = "sparql")]
#[derive(Debug, Args)]
pub(super) struct Sparql {
    /// The query, or a file that holds it; `-` is standard input
    #[arg(value_name = "QUERY | FILE")]
    pub(super) query: String,
    #[command(flatten)]
    pub(super) how: Asking,
}

/// `query`.
#[cfg(feature = "sparql")]
#[derive(Debug, Args)]
pub(super) struct Query {
    /// Its name, as `--list` has it, or a file (`.rq`) in the same form
    #[arg(value_name = "NAME | FILE", required_unless_present = "list")]
    pub(super) name: Option<String>,
    /// Its parameters: `who='Ana Lima' relation=employer at=2019`
    #[arg(value_name = "KEY=VALUE")]
    pub(super) parameters: Vec<String>,
    /// List the named queries: what each asks, and its parameters
    #[arg(long, conflicts_with = "name")]
    pub(super) list: bool,
    /// Print its text; nothing is asked
    #[arg(long)]
    pub(super) show: bool,
    #[command(flatten)]
    pub(super) how: Asking,
}

/// Where a query reads, how it is bounded and how its answer is written.
#[cfg(feature = "sparql")]
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading and answering")]
pub(super) struct Asking {
    /// Valid time: what was true then, where the query does not say it itself
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) at: Option<String>,
    /// Transaction time: as believed then (a date or a year: by its last microsecond)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) known_at: Option<String>,
    /// Only facts that are certain where they are read; those that are possible are left out
    #[arg(long)]
    pub(super) certain: bool,
    /// How the answer is written: rows as a table, `json`, `csv`, `tsv` or `xml`, triples as a table or in a syntax of RDF
    #[arg(long, value_enum)]
    pub(super) format: Option<AnswerFormat>,
    /// Show how it would be run: the order of its patterns with the rows expected, and the plan; nothing is answered
    #[arg(long)]
    pub(super) explain: bool,
    /// Stop it after so long: `500ms`, `30s`, `5m`
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(super) timeout: Option<Duration>,
    /// Fail where the answer has more rows or triples; those are still written
    #[arg(long, value_name = "ROWS", default_value_t = 1_000_000)]
    pub(super) limit: u64,
}

/// `serve`.
#[cfg(feature = "http")]
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// The SPARQL 1.1 Protocol at `/TENANT/sparql`
    #[arg(long, required = true)]
    pub(super) sparql: bool,
    /// Where to listen; port 0 is a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7878")]
    pub(super) bind: std::net::SocketAddr,
    /// Let other machines ask, too: whoever reaches the address reads every tenant
    #[arg(long)]
    pub(super) allow_remote: bool,
    /// Take updates
    #[arg(long)]
    pub(super) update: bool,
    /// Stop what takes longer: `500ms`, `30s`, `5m`
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "30s")]
    pub(super) timeout: Duration,
    /// The most rows or triples of an answer
    #[arg(long, value_name = "ROWS", default_value_t = 1_000_000)]
    pub(super) limit: u64,
    /// The most bytes of an answer
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    pub(super) max_bytes: u64,
    /// The most facts that one query reads
    #[arg(long, value_name = "FACTS", default_value_t = 5_000_000)]
    pub(super) max_read: u64,
    /// How many requests are computed at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) at_once: u16,
}

/// The formats of a query's answer.
#[cfg(feature = "sparql")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AnswerFormat {
    /// For people
    Table,
    /// Rows as SPARQL results in JSON
    Json,
    /// Rows as CSV
    Csv,
    /// Rows as TSV
    Tsv,
    /// Rows as SPARQL results in XML
    Xml,
    /// Triples
    Turtle,
    /// Triples, one a line
    Ntriples,
    /// Triples as JSON-LD
    Jsonld,
    /// Triples as RDF/XML
    Rdfxml,
    /// Triples as `TriG`, in its default graph
    Trig,
    /// Triples as N-Quads, in its default graph
    Nquads,
}

/// A length of time as people type it: a number with `ms`, `s`, `m` or `h`; without a unit, seconds.
#[cfg(feature = "sparql")]
fn duration(text: &str) -> Result<Duration, String> {
    let unit = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let millis = match unit {
        "ms" => 1,
        "" | "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    let whole = number.parse::<u64>().ok().and_then(|number| number.checked_mul(millis)).filter(|millis| *millis > 0);
    whole.map(Duration::from_millis).ok_or_else(|| "write a length of time as 500ms, 30s, 5m or 1h".to_owned())
}

/// `policy`.
#[derive(Debug, Subcommand)]
pub(super) enum PolicyWhat {
    /// Print the policy in force, as TOML
    Show {
        /// The shipped one, with its comments
        #[arg(long)]
        shipped: bool,
    },
    /// Lay a file over the shipped policy, for this tenant
    Set {
        /// A TOML file; `-` is standard input
        file: PathBuf,
    },
    /// Say whether a file is a policy; nothing is set
    Check {
        /// A TOML file; `-` is standard input
        file: PathBuf,
    },
    /// Take this tenant's policy back: the shipped one is in force
    Unset,
    /// List the consents that are recorded
    Consents,
    /// Record a consent to remember a sensitive category, or take it back
    Consent {
        /// The category, such as `health`; `policy show` lists them
        category: String,
        /// Who consents; without it, everyone
        #[arg(long = "for", value_name = "NAME")]
        subject: Option<String>,
        /// Take it back
        #[arg(long)]
        withdraw: bool,
    },
}

/// `patterns`.
#[derive(Debug, Subcommand)]
pub(super) enum Patterns {
    /// Print the tenant's own patterns
    Show {
        /// The language that they read
        #[arg(long = "lang", value_name = "LANGUAGE", value_parser = ["en", "ja"])]
        language: String,
    },
    /// Lay a pack of patterns over the shipped ones; `extract --explain TEXT` tells what they read
    Set {
        /// The language that they read
        #[arg(long = "lang", value_name = "LANGUAGE", value_parser = ["en", "ja"])]
        language: String,
        /// A TOML file; `-` is standard input
        file: PathBuf,
    },
    /// Take the tenant's own patterns back
    Unset {
        /// The language that they read
        #[arg(long = "lang", value_name = "LANGUAGE", value_parser = ["en", "ja"])]
        language: String,
    },
}

/// `merge` and `unmerge`.
#[derive(Debug, Args)]
pub(super) struct Pair {
    /// The entity that is another name
    pub(super) from: String,
    /// The entity that both are
    pub(super) into: String,
    /// Why, for those who ask later
    #[arg(long, value_name = "REASON", required = true)]
    pub(super) because: String,
}

/// `extract`.
#[derive(Debug, Args)]
pub(super) struct Extract {
    /// The text, in one argument or in several; `-` is standard input, and after `--` it may begin with a hyphen
    #[arg(required = true, num_args = 1..)]
    pub(super) text: Vec<String>,
    /// Also show the words as they were taken, the patterns that fired, and why others did not
    #[arg(long)]
    pub(super) explain: bool,
    /// When it was said (default: now)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) observed_at: Option<String>,
    /// Who says it
    #[arg(long, value_name = "NAME")]
    pub(super) speaker: Option<String>,
    /// How far its source is believed: `user`, `curated`, `document`, `tool`, `assistant` or `inference`
    #[arg(long, value_name = "RANK", default_value = "user")]
    pub(super) source: String,
}

/// `diff`.
#[derive(Debug, Args)]
pub(super) struct Diff {
    /// Only about this entity
    pub(super) entity: Option<String>,
    /// The earlier point of valid time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) from: Option<String>,
    /// The later point of valid time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) to: Option<String>,
    /// The earlier point of transaction time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) known_from: Option<String>,
    /// The later point of transaction time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) known_to: Option<String>,
    /// A named graph to read instead of the default one (`<iri>`, or bare)
    #[arg(long, value_name = "IRI")]
    pub(super) context: Option<String>,
}

/// `retract` and `restore`.
#[derive(Debug, Args)]
pub(super) struct Judge {
    /// A claim id (`1f2e3d4c.0`) or an observation id or key (its first digits are enough)
    pub(super) target: String,
    /// Why, for those who ask later
    #[arg(long, value_name = "REASON", required = true)]
    pub(super) because: String,
}

/// `erase`.
#[derive(Debug, Args)]
pub(super) struct Erase {
    /// `observation ID`, `entity NAME` or `tenant NAME`; an observation or an entity alone will do where it can only be one of them
    #[arg(required = true, num_args = 1..=2, value_names = ["KIND | TARGET", "TARGET"])]
    pub(super) what: Vec<String>,
    /// Do not ask
    #[arg(long, short = 'y')]
    pub(super) yes: bool,
}

/// `relations`.
#[derive(Debug, Subcommand)]
pub(super) enum Relations {
    /// All relations, declared or in use
    List {
        /// Only those in use that nothing declares
        #[arg(long)]
        unknown: bool,
    },
    /// One relation's policy
    Show {
        /// Its name or a wording of it
        name: String,
    },
    /// Override a policy for this tenant; every fact is derived anew, no data changes
    Set {
        /// Its name or a wording of it; `*` is every relation that nothing declares
        name: String,
        /// Fields, such as `cardinality=one` or `excludes=likes,loves` (docs/CLI.md lists them)
        #[arg(required = true, value_name = "KEY=VALUE")]
        fields: Vec<String>,
    },
    /// Override many policies at once, from a file of `[relation.NAME]` tables
    Load {
        /// A TOML file; `-` is standard input
        file: PathBuf,
    },
    /// Remove this tenant's override
    Unset {
        /// Its name or a wording of it, or `*`
        name: String,
    },
}

#[cfg(all(test, feature = "sparql"))]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_with_their_units() {
        for (text, millis) in [("500ms", 500), ("30s", 30_000), ("7", 7_000), ("5m", 300_000), ("1h", 3_600_000)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "0", "0s", "-1s", "1.5s", "s", "5 m", "9d", "99999999999999999999s", "18446744073709551615h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
