//! The command line: arguments in, answers for people or one JSON object out, an exit code.
//!
//! Owns everything a terminal sees: wording, tables, bars, colours, the one mapping from error kinds to exit codes.
//! Knows the facade only.

mod args;
#[cfg(feature = "sparql")]
mod ask;
mod bars;
#[cfg(feature = "sparql")]
mod cells;
mod context;
mod export;
mod fail;
mod hand;
mod measure;
mod names;
mod near;
mod output;
mod paste;
mod policy;
mod preview;
#[cfg(feature = "sparql")]
mod query;
mod question;
#[cfg(feature = "sparql")]
mod rdf;
mod read;
mod recall;
mod relations;
mod remember;
#[cfg(feature = "http")]
mod serve;
mod timeline;
mod tour;
mod when;
mod words;
mod write;

use crate::graph::Hops;
use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use context::Context;
use fail::{DONE, Failure};
use output::Screen;
use paste::Paste;
use read::Outcome;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

pub use tour::{Look, Story, TourError, tour};

/// Runs the command line of this process.
///
/// Answers go to standard output, errors and progress to standard error. A reader of standard output who leaves early ends the
/// program quietly with exit code 0; the other exit codes are in docs/CLI.md.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers (0), everything else is wrong usage (2); clap prints both where they belong.
            if error.use_stderr() && wants_json(std::env::args_os()) {
                Failure::usage(&error).tell(true, &Paste::default(), &[]);
            } else {
                error.print().ok();
            }
            return ExitCode::from(if error.use_stderr() { 2 } else { DONE });
        }
    };
    let json = cli.global.json;
    let (colour, width) = output::stdout_manners();
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let outcome = run(&cli, &mut Screen::new(&mut stdout, colour, width)).and_then(|code| {
        stdout.flush()?;
        Ok(code)
    });
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(failure) if failure.is_broken_pipe() => ExitCode::from(DONE),
        Err(failure) => {
            // What was answered before it failed is still the reader's.
            stdout.flush().ok();
            failure.tell(json, &Paste::of(&cli.global), &near::to_failure(&cli.global, &failure));
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Whether a command line that the parser refuses asks for JSON: what stands after `--` are no flags.
fn wants_json(args: impl Iterator<Item = OsString>) -> bool {
    args.take_while(|arg| arg != "--").any(|arg| arg == "--json")
}

fn run(cli: &Cli, screen: &mut Screen<'_>) -> Outcome {
    let open = || Context::open(&cli.global);
    match &cli.command {
        Command::Tour => tour::told(screen),
        Command::Remember(args) => remember::remember(&open()?, screen, args),
        Command::Value { head, relation, when } => read::value_of(&open()?, screen, head, relation, when),
        Command::About { entity, when } => read::about(&open()?, screen, entity, when),
        Command::Holders { relation, tail, when } => read::holders(&open()?, screen, relation, tail, when),
        Command::Timeline { head, relation, incoming, when } => {
            timeline::timeline(&open()?, screen, head, relation.as_deref(), *incoming, when)
        }
        Command::Ask { text, asker, explain, when } => question::answered(&open()?, screen, &text.join(" "), asker, *explain, when),
        Command::Diff(asked) => read::diff(&open()?, screen, asked),
        Command::Why { what, when } => read::why(&open()?, screen, what, when),
        Command::Neighbours { entity, hops, hub_limit, limit, when } => {
            let how = Hops { hops: *hops, hub_limit: *hub_limit, limit: *limit };
            read::neighbours(&open()?, screen, entity, how, when)
        }
        Command::Retract(judge) => write::judge(&open()?, screen, judge, false),
        Command::Restore(judge) => write::judge(&open()?, screen, judge, true),
        Command::Erase(erase) => write::erase(&open()?, screen, erase),
        Command::Relations { what } => relations::relations(&open()?, screen, what),
        Command::Stats { left_out } => read::stats(&open()?, screen, *left_out),
        Command::Policy { what } => policy::policy(&open()?, screen, what),
        Command::Patterns { what } => policy::patterns(&open()?, screen, what),
        Command::Names { entity, when } => names::names(&open()?, screen, entity, when),
        Command::Resolve { apply, least } => names::resolve(&open()?, screen, *least, *apply),
        Command::Merge(pair) => names::pair(&open()?, screen, pair, true),
        Command::Unmerge(pair) => names::pair(&open()?, screen, pair, false),
        Command::Merges => names::merges(&open()?, screen),
        Command::Reprocess => remember::reprocess(&open()?, screen),
        Command::Extract(asked) => preview::extract(&open()?, screen, asked),
        Command::Export(asked) => export::export(&open()?, screen, asked),
        Command::Import(asked) => export::import(&open()?, screen, asked),
        #[cfg(feature = "sparql")]
        Command::Update(asked) => rdf::update(&open()?, screen, asked),
        Command::Verify => read::verify(&open()?, screen),
        Command::When(asked) => when::when(&cli.global, screen, asked),
        #[cfg(feature = "sparql")]
        Command::Sparql(asked) => ask::sparql(&open()?, screen, asked),
        #[cfg(feature = "sparql")]
        Command::Query(asked) => query::query(open, &cli.global, screen, asked),
        #[cfg(feature = "http")]
        Command::Serve(asked) => serve::serve(open()?, screen, asked),
        Command::Recall(asked) => recall::recall(&open()?, screen, asked),
        Command::Tenants => read::tenants(&open()?, screen),
        Command::Check { dir } => measure::run_check(screen, dir, cli.global.json),
        Command::Eval { name, data, misses, seed } => measure::run_eval(screen, name, data, *seed, *misses, cli.global.json),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "erstwhile", &mut script);
            screen.raw().write_all(&script)?;
            Ok(DONE)
        }
    }
}
