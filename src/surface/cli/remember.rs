//! `remember`: files into observations, with progress for people who wait and every rejected line named. Knows no format.

use super::args::{self, Format};
use super::context::Context;
use super::fail::{DONE, FOUND, Failure};
use super::measure::{BYTES, COUNTS, progress};
use super::names;
use super::output::{Paint, Screen, clean, count};
use super::preview;
use super::read::{Outcome, merge, print_json};
use super::words::quoted;
use super::write::consequences;
use crate::extract::Cost;
use crate::memory::{BulkOptions, Receipt};
use crate::observe::{self, ObservedAt, ReadOptions, Reader, decoded};
use crate::surface::transfer;
use crate::time::ZonedInstant;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Unpacked input beyond this is a bomb rather than a memory.
pub(super) const UNPACKED_BYTES: u64 = 64 << 30;
/// Input longer than this gets a progress bar on a terminal.
const LONG_BYTES: u64 = 1 << 20;
/// No more rejected lines of a file than this are printed for people.
const PRINTED: usize = 20;

/// What became of one file.
#[derive(Debug, Default)]
pub(super) struct Fed {
    pub(super) name: String,
    pub(super) receipt: Receipt,
    /// Why it could not be read (to its end).
    pub(super) failure: Option<Failure>,
}

/// `remember FILE…`.
pub(super) fn remember(context: &Context, screen: &mut Screen<'_>, args: &args::Remember) -> Outcome {
    let observed_at = args.observed_at.as_deref().map(|text| observed_at(context, text)).transpose()?;
    let mut relations = BTreeSet::new();
    let mut fed = Vec::new();
    for file in &args.files {
        let mut options = if file == Path::new("-") { ReadOptions::default() } else { ReadOptions::for_file(file) };
        options.observed_at = observed_at;
        options.zone = context.zone;
        let named_after = options.source_name.clone();
        if let Some(source) = &args.source {
            let next =
                "write `user`, `curated`, `document`, `tool`, `assistant` or `inference`, and a name after a colon: `document:registry`";
            options.set_source(source).map_err(|error| Failure::given("--source", source, error.to_string(), next))?;
        }
        options.format = format(args.format, file, options.source_name != named_after);
        fed.push(feed(context, file, options, &mut relations, args.dry_run.then_some(&mut *screen))?);
    }
    let undeclared = undeclared(context, &relations, fed.iter().any(|one| one.receipt.observations > 0))?;
    if args.dry_run {
        // Each observation has been printed.
    } else if context.json {
        print_json(screen, context, "remember", None, as_json(&fed, &undeclared))?;
    } else {
        for one in &fed {
            report(context, screen, one, fed.len() > 1)?;
        }
        if let Some(first) = undeclared.first() {
            let more = count(undeclared.len() as u64, "relation is", "relations are");
            screen.pieces(&[(
                Paint::Dim,
                &format!(
                    "{more} undeclared and may have many values at a time, {} among them: {}",
                    quoted(&clean(first)),
                    context.paste.command("relations list --unknown")
                ),
            )])?;
        }
    }
    let complete = fed.iter().all(|one| one.receipt.rejected_count == 0 && one.failure.is_none());
    let mut code = if complete || args.keep_going { DONE } else { FOUND };
    for failure in fed.iter().filter_map(|one| one.failure.as_ref()) {
        failure.tell(context.json, &context.paste, &[]);
        if !args.keep_going && code == FOUND {
            code = failure.exit_code();
        }
    }
    Ok(code)
}

/// Reads one file to its end and records it batch by batch. What cannot be read is in the result; an error is the memory's.
fn feed(
    context: &Context,
    file: &Path,
    options: ReadOptions,
    relations: &mut BTreeSet<String>,
    dry: Option<&mut Screen<'_>>,
) -> Result<Fed, Failure> {
    let mut fed = Fed {
        name: if file == Path::new("-") { "standard input".to_owned() } else { clean(&file.display().to_string()) },
        ..Fed::default()
    };
    let (input, bar) = match open(context, file) {
        Ok(opened) => opened,
        Err(error) => {
            fed.failure = Some(Failure::file(file, error));
            return Ok(fed);
        }
    };
    let unreadable = |error: observe::ReadError| Failure::Input { path: file.to_owned(), source: error };
    let reader = match decoded(input, UNPACKED_BYTES)
        .map_err(|error| Failure::file(file, error))
        .and_then(|input| Reader::new(input, options).map_err(unreadable))
    {
        Ok(reader) => reader,
        Err(failure) => {
            bar.finish_and_clear();
            fed.failure = Some(failure);
            return Ok(fed);
        }
    };
    if let Some(screen) = dry {
        fed.receipt.rejected_count = preview::dry_run(context, screen, reader)?;
        return Ok(fed);
    }
    let mut stopped = None;
    let lines = reader.map_while(|item| match item {
        Ok(line) => Some(line),
        Err(error) => {
            stopped = Some(unreadable(error));
            None
        }
    });
    let lines = lines.inspect(|line| {
        for claim in line.iter().flat_map(|incoming| &incoming.ready) {
            if !relations.contains(&claim.relation) {
                relations.insert(claim.relation.clone());
            }
        }
    });
    fed.receipt = context.tenant.remember_all(lines, BulkOptions::default())?;
    fed.failure = stopped;
    bar.finish_and_clear();
    Ok(fed)
}

/// Opens a file or standard input, with a bar that follows it where it is long and somebody is there to look.
pub(super) fn open(context: &Context, file: &Path) -> io::Result<(Box<dyn BufRead>, ProgressBar)> {
    if file == Path::new("-") {
        return Ok((Box::new(BufReader::new(io::stdin())), ProgressBar::hidden()));
    }
    let opened = File::open(file)?;
    let about = opened.metadata()?;
    if about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "is a folder; name the files in it"));
    }
    let bar = progress(context.json || about.len() < LONG_BYTES, BYTES);
    bar.set_length(about.len());
    bar.set_message(clean(&file.display().to_string()));
    Ok((Box::new(BufReader::with_capacity(1 << 16, bar.wrap_read(opened))), bar))
}

pub(super) fn observed_at(context: &Context, text: &str) -> Result<ObservedAt, Failure> {
    let moment = context.moment("--observed-at", text)?;
    if moment.is_exact() && text.trim().eq_ignore_ascii_case("now") {
        let offset_minutes = i16::try_from(context.zone.offset_seconds(moment.lo()) / 60).unwrap_or_default();
        return Ok(ZonedInstant { at: moment.lo(), offset_minutes }.into());
    }
    // "today" is the day it names; everything else keeps the offset it was written with.
    let named = if text.trim().starts_with(|c: char| c.is_ascii_alphabetic()) {
        moment.display_in(&context.zone).to_string()
    } else {
        text.trim().to_owned()
    };
    Ok(ObservedAt::parse(&named, &context.zone)?)
}

/// The format asked for. Where a source is named, the file's name no longer tells the reader what it is, so it is told here.
fn format(asked: Format, file: &Path, source_named: bool) -> observe::Format {
    let by_name = || {
        let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit('.').next() {
            Some("csv") => observe::Format::Csv,
            Some("txt" | "text" | "md" | "markdown") => observe::Format::Text,
            Some(_) | None => observe::Format::Auto,
        }
    };
    match asked {
        Format::Auto if source_named => by_name(),
        Format::Auto => observe::Format::Auto,
        Format::Claims => observe::Format::Claims,
        Format::Chat => observe::Format::Chat,
        Format::Triples => observe::Format::Triples,
        Format::Csv => observe::Format::Csv,
        Format::Text => observe::Format::Text,
    }
}

/// `reprocess`.
pub(super) fn reprocess(context: &Context, screen: &mut Screen<'_>) -> Outcome {
    let bar = progress(context.json, COUNTS);
    let receipt = context.tenant.reprocess(&mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    if context.json {
        print_json(screen, context, "reprocess", None, transfer::receipt(&receipt))?;
    } else {
        screen.line(&format!("read {} from what waited", count(receipt.claims, "claim", "claims")))?;
        screen.line(&format!("  {}", consequences(&receipt.applied)))?;
        if receipt.pending > 0 {
            screen.line(&format!("  {} could not be read and still waits", count(receipt.pending, "observation", "observations")))?;
        }
    }
    Ok(if receipt.pending == 0 { DONE } else { FOUND })
}

/// The relations of this input that nothing declares, in name order.
fn undeclared(context: &Context, relations: &BTreeSet<String>, recorded: bool) -> Result<Vec<String>, Failure> {
    if !recorded {
        return Ok(Vec::new());
    }
    let policies = context.tenant.policies()?;
    let unknown: BTreeSet<String> = relations
        .iter()
        .map(|stated| policies.canonical(stated))
        .filter(|canonical| !canonical.known)
        .map(|canonical| canonical.relation.into_owned())
        .collect();
    Ok(unknown.into_iter().collect())
}

/// Says what became of one file.
pub(super) fn report(context: &Context, screen: &mut Screen<'_>, fed: &Fed, named: bool) -> Result<(), Failure> {
    let receipt = &fed.receipt;
    let name = if named { format!("{}: ", fed.name) } else { String::new() };
    let observations = count(receipt.observations, "observation", "observations");
    let into = clean(context.id.as_str());
    if receipt.observations > 0 {
        let claims = count(receipt.claims, "claim", "claims");
        screen.pieces(&[
            (Paint::Plain, &name),
            (Paint::Bold, &format!("recorded {observations} with {claims}")),
            (Paint::Plain, &format!(" in tenant {into}")),
        ])?;
        screen.line(&format!("  {}", consequences(&receipt.applied)))?;
        if receipt.duplicates > 0 {
            screen.line(&format!("  {} skipped: already there", count(receipt.duplicates, "duplicate", "duplicates")))?;
        }
    } else if receipt.duplicates > 0 {
        let what = if receipt.duplicates == 1 {
            "its 1 observation was".to_owned()
        } else {
            format!("all its {} were", count(receipt.duplicates, "observation", "observations"))
        };
        screen.pieces(&[
            (Paint::Plain, &name),
            (Paint::Bold, "nothing changed"),
            (Paint::Plain, &format!(": {what} in tenant {into} already")),
        ])?;
    } else {
        screen.pieces(&[(Paint::Plain, &name), (Paint::Bold, "nothing recorded")])?;
    }
    if receipt.masked > 0 {
        screen.line(&format!("  {} masked before anything was stored", count(receipt.masked, "value", "values")))?;
    }
    if receipt.withheld > 0 {
        screen.line(&format!("  {} not stored, as the write policy says", count(receipt.withheld, "observation", "observations")))?;
    }
    if receipt.pending > 0 {
        let waiting = count(receipt.pending, "observation could not be read and waits", "observations could not be read and wait");
        screen.line(&format!("  {waiting}: {}", context.paste.command("reprocess")))?;
    }
    if receipt.cost.calls > 0 {
        let Cost { calls, prompt_tokens, completion_tokens, micros } = receipt.cost;
        let tokens = super::output::thousands(prompt_tokens + completion_tokens);
        screen.line(&format!(
            "  the model was asked {calls} times: {tokens} tokens, {}.{} s",
            micros / 1_000_000,
            micros / 100_000 % 10
        ))?;
    }
    if !receipt.left_out.is_empty() {
        let reasons: Vec<String> = receipt.left_out.iter().map(|(reason, times)| format!("{times} {}", reason.replace('_', " "))).collect();
        screen.line(&format!("  left out: {}", reasons.join(", ")))?;
    }
    if receipt.merged > 0 {
        let names = count(receipt.merged, "name was merged", "names were merged");
        screen.line(&format!("  {names} with what they say without title or courtesy: {}", context.paste.command("merges")))?;
    }
    names::doubts(context, screen, &receipt.doubts)?;
    if receipt.rejected_count > 0 {
        screen.pieces(&[(Paint::Bad, &format!("  {} rejected", count(receipt.rejected_count, "line or claim", "lines or claims")))])?;
        for rejection in receipt.rejected.iter().take(PRINTED) {
            screen.line(&format!("    {}", clean(&rejection.to_string())))?;
        }
        let more = receipt.rejected_count.saturating_sub(PRINTED as u64);
        if more > 0 {
            screen.pieces(&[(
                Paint::Dim,
                &format!(
                    "    and {} more; --json lists the first {}",
                    super::output::thousands(more),
                    super::output::thousands(Receipt::MAX_LISTED as u64)
                ),
            )])?;
        }
    }
    Ok(())
}

/// What became of the files, as JSON.
pub(super) fn as_json(fed: &[Fed], undeclared: &[String]) -> Value {
    let files: Vec<Value> = fed
        .iter()
        .map(|one| {
            let mut file = json!({ "file": one.name });
            merge(&mut file, transfer::receipt(&one.receipt));
            merge(
                &mut file,
                json!({
                    "rejected": one.receipt.rejected.iter().map(transfer::rejection).collect::<Vec<_>>(),
                    "failure": one.failure.as_ref().map(ToString::to_string),
                }),
            );
            file
        })
        .collect();
    let sum = fed.iter().fold(Receipt::default(), |sum, one| Receipt {
        observations: sum.observations + one.receipt.observations,
        claims: sum.claims + one.receipt.claims,
        duplicates: sum.duplicates + one.receipt.duplicates,
        rejected_count: sum.rejected_count + one.receipt.rejected_count,
        masked: sum.masked + one.receipt.masked,
        cost: sum.cost.plus(one.receipt.cost),
        withheld: sum.withheld + one.receipt.withheld,
        pending: sum.pending + one.receipt.pending,
        merged: sum.merged + one.receipt.merged,
        doubts: sum.doubts.into_iter().chain(one.receipt.doubts.iter().cloned()).take(Receipt::MAX_LISTED).collect(),
        left_out: one.receipt.left_out.iter().fold(sum.left_out, |mut sum, (reason, times)| {
            *sum.entry(reason).or_default() += times;
            sum
        }),
        applied: sum.applied.plus(one.receipt.applied),
        tx: one.receipt.tx.or(sum.tx),
        ..Receipt::default()
    });
    let mut body = json!({ "files": files });
    merge(&mut body, transfer::receipt(&sum));
    merge(&mut body, json!({ "undeclared_relations": undeclared }));
    body
}
