//! How a command fails: what went wrong, what to do next, and the exit code. The one mapping from error kinds to exit codes.

use super::paste::Paste;
use crate::eval::EvalError;
use crate::graph::ReadError;
use crate::ledger::LedgerError;
use crate::memory::{Error, ErrorKind};
use crate::observe;
#[cfg(feature = "sparql")]
use crate::sparql::library::{LibraryError, ParameterKind};
#[cfg(feature = "sparql")]
use crate::sparql::{DatasetError, SparqlError};
#[cfg(feature = "http")]
use crate::surface::http::ServeError;
use crate::surface::transfer::SCHEMA;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A command that did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The memory says no.
    #[error(transparent)]
    Memory(#[from] Error),
    /// A file to read or write.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An input file that reads as none of the formats, or stops half-way.
    #[error("{path}: {source}")]
    Input {
        /// The file.
        path: PathBuf,
        /// What stopped it.
        source: observe::ReadError,
    },
    /// A file that is no RDF of its format, or stops half-way.
    #[cfg(feature = "sparql")]
    #[error("{path}: {source}")]
    Rdf {
        /// The file.
        path: PathBuf,
        /// What stopped it.
        source: crate::sparql::RdfReadError,
    },
    /// Standard output.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// Something given on the command line.
    #[error("{what} {value:?}: {reason}")]
    Given {
        /// Which argument.
        what: &'static str,
        /// What was given.
        value: String,
        /// What is wrong with it.
        reason: String,
        /// What to do next.
        next: String,
    },
    /// A case or a data set that cannot be run.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A named graph that no claim is in.
    #[error("no claim is in the named graph {iri:?}")]
    UnknownGraph {
        /// The graph asked for.
        iri: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A query that cannot be read, or not be answered to its end.
    #[cfg(feature = "sparql")]
    #[error("{source}")]
    Query {
        /// What is wrong with it.
        source: SparqlError,
        /// The line of its text that the error names.
        line: Option<String>,
    },
    /// A named query that cannot be asked so.
    #[cfg(feature = "sparql")]
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A query that took longer than it was given.
    #[cfg(feature = "sparql")]
    #[error("the query was not answered within {after:?}")]
    TimedOut {
        /// How long it was given.
        after: std::time::Duration,
    },
    /// The thread that queries run on.
    #[cfg(feature = "sparql")]
    #[error("cannot start a thread for the query: {0}")]
    Thread(io::Error),
    /// A memory that cannot be served.
    #[cfg(feature = "http")]
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The command line as a whole cannot be read.
    #[error("{message}")]
    Usage {
        /// What is wrong with it.
        message: String,
        /// How it is written.
        next: String,
    },
    /// Nothing was done because nobody agreed.
    #[error("nothing was erased: {0}")]
    NotAgreed(&'static str),
}

impl From<crate::time::TimeError> for Failure {
    fn from(error: crate::time::TimeError) -> Self {
        Self::Memory(error.into())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Memory(error.into())
    }
}

/// No more named graphs than this are listed.
const GRAPHS: usize = 5;

/// All that was asked was done.
pub(super) const DONE: u8 = 0;
/// It was done, and it found something: rejected lines, failed cases, problems.
pub(super) const FOUND: u8 = 1;

/// The exit code of a kind of error.
const fn exit_code_of(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::InvalidInput => 2,
        ErrorKind::NotFound => 3,
        ErrorKind::Limit => 4,
        ErrorKind::Io => 5,
        ErrorKind::Corrupt => 6,
        ErrorKind::Unavailable => 7,
        ErrorKind::Bug => 70,
    }
}

/// The word of a kind of error, for JSON.
const fn word_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidInput => "invalid_input",
        ErrorKind::NotFound => "not_found",
        ErrorKind::Limit => "limit",
        ErrorKind::Io => "io",
        ErrorKind::Corrupt => "corrupt",
        ErrorKind::Unavailable => "unavailable",
        ErrorKind::Bug => "bug",
    }
}

impl Failure {
    /// An argument that cannot be used.
    pub(super) fn given(what: &'static str, value: &str, reason: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Given { what, value: value.to_owned(), reason: reason.into(), next: next.into() }
    }

    /// A query whose text, or answer, is wrong.
    #[cfg(feature = "sparql")]
    pub(super) fn query(source: SparqlError, text: &str) -> Self {
        let line = if let SparqlError::Syntax { line, .. } | SparqlError::TooDeep { line, .. } = source {
            text.lines().nth(line.saturating_sub(1))
        } else {
            None
        };
        Self::Query { source, line: line.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()) }
    }

    /// A file that cannot be used.
    pub(super) fn file(path: &Path, source: io::Error) -> Self {
        Self::File { path: path.to_owned(), source }
    }

    /// Whether the reader of standard output has gone away, which is no failure of ours.
    pub(super) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn kind(&self) -> ErrorKind {
        match self {
            Self::File { source, .. } if source.kind() == io::ErrorKind::NotFound => ErrorKind::NotFound,
            Self::File { source, .. } if source.kind() == io::ErrorKind::InvalidData => ErrorKind::InvalidInput,
            Self::Input { source, .. } => match source {
                observe::ReadError::TooManyLines { .. } | observe::ReadError::TooLarge { .. } => ErrorKind::Limit,
                observe::ReadError::UnknownFormat { .. } | observe::ReadError::BadHeader { .. } => ErrorKind::InvalidInput,
                observe::ReadError::Io { .. } => ErrorKind::Io,
            },
            #[cfg(feature = "sparql")]
            Self::Rdf { source: crate::sparql::RdfReadError::TooManyLines(_), .. } => ErrorKind::Limit,
            #[cfg(feature = "sparql")]
            Self::Rdf { .. } => ErrorKind::InvalidInput,
            Self::File { .. } | Self::Output(_) => ErrorKind::Io,
            #[cfg(feature = "sparql")]
            Self::Query { source, .. } => ErrorKind::of_query(source),
            #[cfg(feature = "sparql")]
            Self::Library(error) => match error {
                LibraryError::UnknownQuery(_) => ErrorKind::NotFound,
                LibraryError::Sparql(error) => ErrorKind::of_query(error),
                LibraryError::Header { .. }
                | LibraryError::UnknownParameter { .. }
                | LibraryError::Twice(_)
                | LibraryError::Missing { .. }
                | LibraryError::Value { .. } => ErrorKind::InvalidInput,
            },
            #[cfg(feature = "sparql")]
            Self::TimedOut { .. } => ErrorKind::Limit,
            #[cfg(feature = "sparql")]
            Self::Thread(_) => ErrorKind::Io,
            #[cfg(feature = "http")]
            Self::Serve(ServeError::Remote(_)) => ErrorKind::InvalidInput,
            #[cfg(feature = "http")]
            Self::Serve(ServeError::Bind { .. } | ServeError::Run(_)) => ErrorKind::Io,
            Self::Memory(error) | Self::Eval(EvalError::Memory(error)) => error.kind(),
            Self::Eval(EvalError::Unreadable { .. }) | Self::UnknownGraph { .. } => ErrorKind::NotFound,
            Self::Eval(EvalError::Malformed { .. }) | Self::Given { .. } | Self::Usage { .. } | Self::NotAgreed(_) => {
                ErrorKind::InvalidInput
            }
        }
    }

    /// The exit code.
    pub(super) fn exit_code(&self) -> u8 {
        exit_code_of(self.kind())
    }

    /// What to do next, if there is something.
    fn next(&self) -> Option<String> {
        match self {
            Self::Given { next, .. } | Self::Usage { next, .. } => Some(next.clone()),
            Self::UnknownGraph { known, .. } if known.is_empty() => {
                Some("there are no named graphs here: leave `--context` out".to_owned())
            }
            Self::UnknownGraph { known, .. } => {
                let listed: Vec<&str> = known.iter().take(GRAPHS).map(String::as_str).collect();
                let more = known.len().saturating_sub(GRAPHS);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                Some(format!("the named graphs here are {}{more}", listed.join(", ")))
            }
            Self::NotAgreed(_) => Some("`--yes` erases without asking".to_owned()),
            Self::Memory(error) | Self::Eval(EvalError::Memory(error)) => next_for(error),
            Self::Input { source, .. } => match source {
                observe::ReadError::UnknownFormat { .. } => Some("name it: `--format claims|chat|triples|csv|text`".to_owned()),
                observe::ReadError::BadHeader { .. } => {
                    Some("the columns are head, relation, tail, from, to and those in docs/CLI.md".to_owned())
                }
                observe::ReadError::Io { .. } | observe::ReadError::TooManyLines { .. } | observe::ReadError::TooLarge { .. } => {
                    Some("what came before it went in; the same input fed again goes on from there".to_owned())
                }
            },
            #[cfg(feature = "sparql")]
            Self::Query { source, line } => next_for_query(source, line.as_deref()),
            #[cfg(feature = "sparql")]
            Self::Library(error) => next_for_library(error),
            #[cfg(feature = "sparql")]
            Self::TimedOut { .. } => Some("`--timeout` gives it longer; `--explain` shows what it would read first".to_owned()),
            #[cfg(feature = "sparql")]
            Self::Thread(_) => None,
            #[cfg(feature = "http")]
            Self::Serve(ServeError::Remote(_)) => {
                Some("`--allow-remote` lets them; put what asks for a password and speaks TLS before it".to_owned())
            }
            #[cfg(feature = "http")]
            Self::Serve(ServeError::Bind { .. }) => Some("`--bind 127.0.0.1:0` takes a free port".to_owned()),
            #[cfg(feature = "http")]
            Self::Serve(ServeError::Run(_)) => None,
            #[cfg(feature = "sparql")]
            Self::Rdf { .. } => Some("mend the file, or name its format: `--format turtle|ntriples|nquads|trig|jsonld|rdfxml`".to_owned()),
            Self::Eval(_) | Self::File { .. } | Self::Output(_) => None,
        }
    }

    /// A command line that the parser refuses, in its words.
    pub(super) fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let mut parts =
            text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|part| !part.is_empty());
        let message = parts.next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
        Self::Usage { message, next: parts.collect::<Vec<_>>().join("; ") }
    }

    /// Tells it on standard error: a few lines for people, one object for programs. What may have been meant is told too, and commands
    /// get the flags that they have to repeat.
    pub(super) fn tell(&self, as_json: bool, paste: &Paste, near: &[String]) {
        let mut err = io::stderr().lock();
        let meant = if near.is_empty() { None } else { Some(format!("did you mean {}?", near.join(" or "))) };
        let next = self.next().map(|next| paste.fill(&next));
        let next = match (meant, next) {
            (Some(meant), Some(next)) => Some(format!("{meant} {next}")),
            (meant, next) => meant.or(next),
        };
        let told = if as_json {
            let error = json!({ "kind": word_of(self.kind()), "message": self.to_string(), "next": next });
            writeln!(err, "{}", json!({ "schema": SCHEMA, "error": error }))
        } else {
            writeln!(err, "erstwhile: {}", super::output::clean(&self.to_string())).and_then(|()| match next {
                Some(next) => writeln!(err, "  next: {}", super::output::clean(&next)),
                None => Ok(()),
            })
        };
        // Where standard error is closed there is nobody left to tell.
        told.ok();
    }
}

#[cfg(feature = "sparql")]
fn next_for_query(error: &SparqlError, line: Option<&str>) -> Option<String> {
    let next = match error {
        SparqlError::Syntax { .. } | SparqlError::TooDeep { .. } | SparqlError::TooEntangled { .. } => {
            return line.map(|line| format!("the line is: {}", super::output::shorten(line, 120)));
        }
        SparqlError::Position { .. } | SparqlError::Dataset(DatasetError::Position { .. }) => {
            "write one as <asof:2023>, <asof:2023-11-18> or <asof:2023-11-18/2024-01-01>, the second part being what was known then"
        }
        SparqlError::UnknownFunction(_) => "docs/RDF.md lists the functions over time; those of SPARQL are written without a prefix",
        SparqlError::UnknownService(_) => "leave it out: a query reaches nothing outside of the memory",
        SparqlError::TooMuchAnswered { what: "bytes", .. } => "ask for less: `LIMIT` and `OFFSET` in the query answer it in parts",
        SparqlError::TooMuchAnswered { .. } => "`--limit` allows more; `LIMIT` in the query asks for no more than so many",
        SparqlError::Dataset(_) => "bind more of its patterns; `--explain` shows what it reads first",
        SparqlError::NoIri { .. } => "a relation is a name or `<iri>`, and a time is one as 2019-06-01",
        SparqlError::TooLong { .. }
        | SparqlError::TooManyParts { .. }
        | SparqlError::TooManyCombined { .. }
        | SparqlError::BadParameter(_)
        | SparqlError::BlankParameter { .. }
        | SparqlError::UnknownParameter(_)
        | SparqlError::NoOperation(_)
        | SparqlError::Unwritable(_)
        | SparqlError::TooLate
        | SparqlError::Format(_)
        | SparqlError::Evaluation(_)
        | SparqlError::Stopped
        | SparqlError::Write(_) => return None,
        #[cfg(feature = "oxigraph")]
        SparqlError::Store(_) => return None,
    };
    Some(next.to_owned())
}

#[cfg(feature = "sparql")]
fn next_for_library(error: &LibraryError) -> Option<String> {
    match error {
        LibraryError::UnknownQuery(_) => Some("`erstwhile query --list` shows them; the name of a file ends with .rq".to_owned()),
        LibraryError::UnknownParameter { known, .. } if known.is_empty() => Some("it takes no parameters".to_owned()),
        LibraryError::UnknownParameter { known, .. } => Some(format!("its parameters are {}", known.join(", "))),
        LibraryError::Missing { query, name, .. } => {
            Some(format!("write `{name}=…`; `erstwhile query {query} --show` tells its parameters"))
        }
        LibraryError::Value { kind: ParameterKind::Time | ParameterKind::Known, .. } => {
            Some("write a time as 2019, 2019-06, 2019-06-01, 2019-06-01T12:00:00Z or now".to_owned())
        }
        LibraryError::Value { kind: ParameterKind::Entity | ParameterKind::Value, .. } => {
            Some("write a name, or `<iri>`; a value may be a literal, too: `\"text\"`".to_owned())
        }
        LibraryError::Header { .. } => Some("docs/RDF.md has the form of such a file".to_owned()),
        LibraryError::Sparql(error) => next_for_query(error, None),
        LibraryError::Value { .. } | LibraryError::Twice(_) => None,
    }
}

fn next_for(error: &Error) -> Option<String> {
    let next = match error {
        Error::Ledger(LedgerError::UnknownTenant { .. }) => {
            "`erstwhile tenants` lists those of this memory; `--memory` names another one, and `remember` creates a tenant"
        }
        Error::Ledger(LedgerError::Busy { .. }) => "try again when the other process is done; nothing was written",
        Error::Ledger(LedgerError::NewerFormat { .. }) => {
            "read it with the version that wrote it, or with a newer one; the file was not touched"
        }
        Error::Ledger(LedgerError::NotALedger { .. }) => "restore it from a backup or an export; the file was not touched",
        Error::Ledger(LedgerError::DamagedRecord { .. }) => {
            "`erstwhile verify` looks through the rest; restore the file from a backup or an export"
        }
        Error::Ledger(LedgerError::NotAPlainFile { .. }) => {
            "put a file of its own in its place (`cp`, never a link), and see to what else the text is known by; nothing was touched"
        }
        Error::Ledger(LedgerError::Io { .. }) => "check the folder, its permissions and the free space; nothing was written",
        Error::Read(ReadError::UnknownEntity(_)) => "check the spelling and `--tenant`; an IRI is written `<…>` and a literal `\"…\"`",
        Error::Read(ReadError::UnknownRelation(_)) => "`erstwhile relations list` shows those that are declared or in use",
        Error::Read(ReadError::UnknownFact(_)) => {
            "`erstwhile timeline HEAD` lists the facts of a head with their ids; `--known-at` may lie before it was known"
        }
        Error::Ambiguous { .. } => "give more digits of the id, or the whole of it; of observations that share a key, the id of one",
        Error::Id(_) => "ids are listed by `timeline`, `about` and `why`; their first digits are enough",
        Error::Time(_) => "write a time as 2019, 2019-06, 2019-06-01, 2019-06-01T12:00:00Z, now or today",
        Error::Pack(_) => "`erstwhile relations show NAME` prints the fields and their values",
        Error::Setting { name: "consents", .. } => "`erstwhile policy consents` shows them, `erstwhile policy consent` sets them",
        Error::Setting { name: "patterns-en" | "patterns-ja", .. } => {
            "`erstwhile patterns show --lang LANGUAGE` shows the tenant's own, `erstwhile patterns set FILE --lang LANGUAGE` replaces them"
        }
        Error::Setting { .. } => "`erstwhile policy set FILE` replaces it, `erstwhile policy unset` takes it back",
        #[cfg(feature = "sparql")]
        Error::Sparql(error) if matches!(**error, SparqlError::Format(_)) => {
            "another `--format` may hold it: `nquads` and `trig` hold everything"
        }
        #[cfg(feature = "sparql")]
        Error::Sparql(_) => return None,
        Error::NotEmpty { .. } => "import into another tenant: `--tenant NAME`",
        Error::Interrupted { source, .. } => {
            return Some(format!(
                "{}feeding the same input again goes on from there",
                next_for(source).map(|next| format!("{next}; ")).unwrap_or_default()
            ));
        }
        Error::Ledger(LedgerError::ErasureIncomplete { .. }) => "run it again when nobody else reads the tenant",
        Error::NotFound { .. } => "ids are listed by `timeline`, `about` and `why`",
        Error::Ledger(
            LedgerError::BadTenantName { .. } | LedgerError::BadRecord { .. } | LedgerError::Merge(_) | LedgerError::Poisoned { .. },
        )
        | Error::Term(_)
        | Error::Input(_)
        | Error::BadImport { .. }
        | Error::Stream { .. }
        | Error::TooLarge { .. } => return None,
    };
    Some(next.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own_exit_code() {
        let kinds = [
            ErrorKind::InvalidInput,
            ErrorKind::NotFound,
            ErrorKind::Limit,
            ErrorKind::Io,
            ErrorKind::Corrupt,
            ErrorKind::Unavailable,
            ErrorKind::Bug,
        ];
        let mut codes: Vec<u8> = kinds.map(exit_code_of).to_vec();
        codes.extend([DONE, FOUND]);
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), kinds.len() + 2);
    }

    #[test]
    fn a_reader_who_leaves_is_no_failure() {
        assert!(Failure::Output(io::ErrorKind::BrokenPipe.into()).is_broken_pipe());
        assert!(!Failure::Output(io::ErrorKind::StorageFull.into()).is_broken_pipe());
    }
}
