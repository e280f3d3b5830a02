//! RDF on the command line: which format a file is in, a file of it into the memory, and updates in SPARQL. Knows no triple.

use super::args::{self, PlainTriples, RdfFormat as Named};
use super::context::Context;
use super::fail::{DONE, FOUND, Failure};
use super::output::{Screen, clean, count};
use super::read::{Outcome, print_json};
use super::remember::{Fed, UNPACKED_BYTES, as_json, observed_at, open, report};
use super::write::consequences;
use crate::memory::{BulkOptions, UpdateRequest};
use crate::model::{Authority, Source};
use crate::observe::{ObservedAt, ReadOptions, decoded};
use crate::sparql::{Annotations, HistoryReader, Plain, QuadReader, RdfClaims, RdfLimits, RdfOptions, RdfReadError};
use crate::surface::transfer;
use crate::time::{Instant, Moment, ZonedInstant, parse_span};
use indicatif::ProgressBar;
use oxrdfio::{JsonLdProfileSet, RdfFormat};
use serde_json::json;
use std::fs;
use std::io::{self, BufReader};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The longest term of a history: the longest text of an observation, written with escapes.
const HISTORY_TERM_BYTES: usize = 16 << 20;

/// `import FILE` of RDF.
pub(super) fn import(context: &Context, screen: &mut Screen<'_>, args: &args::Import, format: RdfFormat) -> Outcome {
    let file = args.file.as_path();
    // A file is read twice, and standard input only comes once.
    let spooled = if file == Path::new("-") { Some(spool(file)?) } else { None };
    let path = spooled.as_ref().map_or(file, tempfile::NamedTempFile::path);
    let quads = |limits: RdfLimits| -> Result<(QuadReader, ProgressBar), Failure> {
        let (input, bar) = open(context, path).map_err(|error| Failure::file(file, error))?;
        let input = decoded(input, UNPACKED_BYTES).map_err(|error| Failure::file(file, error))?;
        let reader = QuadReader::new(format, args.base.as_deref(), limits, Box::new(input)).map_err(|error| unreadable(file, error))?;
        Ok((reader, bar))
    };
    let (mut first, bar) = quads(RdfLimits::default())?;
    if let Ok(Some((_, Ok(quad)))) = first.next_quad()
        && HistoryReader::begins(&quad)
    {
        bar.finish_and_clear();
        let (quads, bar) = quads(RdfLimits { term_bytes: HISTORY_TERM_BYTES, line_bytes: HISTORY_TERM_BYTES, ..RdfLimits::default() })?;
        let records = context.tenant.import_history(quads)?;
        bar.finish_and_clear();
        if context.json {
            print_json(screen, context, "import", None, json!({ "records": records }))?;
        } else {
            screen.line(&format!("imported {} into tenant {}", count(records, "record", "records"), clean(context.id.as_str())))?;
        }
        return Ok(DONE);
    }
    drop(first);
    bar.finish_and_clear();
    let (mut first, bar) = quads(RdfLimits::default())?;
    let annotations = Annotations::read(&mut first).map_err(|error| unreadable(file, error))?;
    bar.finish_and_clear();
    let (second, bar) = quads(RdfLimits::default())?;
    let mut fed = Fed { name: clean(&file.display().to_string()), ..Fed::default() };
    let mut stopped = None;
    let claims = RdfClaims::new(second, annotations, options(context, args, path)?).map_while(|read| match read {
        Ok(read) => Some(read),
        Err(error) => {
            stopped = Some(unreadable(file, error));
            None
        }
    });
    fed.receipt = context.tenant.remember_all(claims, BulkOptions::default())?;
    fed.failure = stopped;
    bar.finish_and_clear();
    if context.json {
        print_json(screen, context, "import", None, as_json(std::slice::from_ref(&fed), &[]))?;
    } else {
        report(context, screen, &fed, false)?;
    }
    if let Some(failure) = &fed.failure {
        failure.tell(context.json, &context.paste, &[]);
        return Ok(failure.exit_code());
    }
    Ok(if fed.receipt.is_complete() || args.keep_going { DONE } else { FOUND })
}

/// Standard input as a file.
fn spool(file: &Path) -> Result<tempfile::NamedTempFile, Failure> {
    let fail = |error: io::Error| Failure::file(file, error);
    let mut spooled = tempfile::NamedTempFile::new().map_err(fail)?;
    io::copy(&mut BufReader::new(io::stdin()), spooled.as_file_mut()).map_err(fail)?;
    Ok(spooled)
}

/// How the triples of a file become claims.
fn options(context: &Context, args: &args::Import, path: &Path) -> Result<RdfOptions, Failure> {
    let file = args.file.as_path();
    let given = if file == Path::new("-") { ReadOptions::default() } else { ReadOptions::for_file(file) };
    let observed_at = match &args.observed_at {
        Some(text) => observed_at(context, text)?,
        None => changed_at(context, path),
    };
    Ok(RdfOptions {
        observed_at,
        source: Source { authority: Authority::Document, name: given.source_name },
        plain: match args.plain {
            PlainTriples::Permanent => Plain::Permanent,
            PlainTriples::By => Plain::By,
        },
        blank_scope: given.blank_scope.unwrap_or_default(),
    })
}

/// When a file was last changed, so that the same file read again is the same observations; where the system does not tell, now.
fn changed_at(context: &Context, path: &Path) -> ObservedAt {
    let changed = fs::metadata(path).and_then(|about| about.modified()).ok();
    let micros =
        changed.and_then(|changed| changed.duration_since(UNIX_EPOCH).ok()).and_then(|since| i64::try_from(since.as_micros()).ok());
    let at = micros.map_or(context.now(), Instant::from_micros);
    let offset_minutes = i16::try_from(context.zone.offset_seconds(at) / 60).unwrap_or_default();
    ZonedInstant { at, offset_minutes }.into()
}

/// What stops the reading of a file, with its name.
fn unreadable(file: &Path, error: RdfReadError) -> Failure {
    match error {
        RdfReadError::Io { error, .. } => Failure::file(file, error),
        source @ (RdfReadError::Syntax { .. } | RdfReadError::TooManyLines(_)) => Failure::Rdf { path: file.to_owned(), source },
    }
}

/// The format that was named, or else the one of a file's name without `.gz`.
pub(super) fn format(named: Option<Named>, file: &Path) -> Option<RdfFormat> {
    match named {
        Some(Named::Turtle) => Some(RdfFormat::Turtle),
        Some(Named::Ntriples) => Some(RdfFormat::NTriples),
        Some(Named::Nquads) => Some(RdfFormat::NQuads),
        Some(Named::Trig) => Some(RdfFormat::TriG),
        Some(Named::Jsonld) => Some(RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() }),
        Some(Named::Rdfxml) => Some(RdfFormat::RdfXml),
        None => of_name(file),
    }
}

fn of_name(file: &Path) -> Option<RdfFormat> {
    let name = file.file_name()?.to_string_lossy().to_lowercase();
    let extension = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1.to_owned();
    match extension.as_str() {
        "ttl" => Some(RdfFormat::Turtle),
        "nt" => Some(RdfFormat::NTriples),
        "nq" => Some(RdfFormat::NQuads),
        "trig" => Some(RdfFormat::TriG),
        "jsonld" => Some(RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() }),
        "rdf" | "owl" | "xml" => Some(RdfFormat::RdfXml),
        _ => None,
    }
}

/// `update`.
pub(super) fn update(context: &Context, screen: &mut Screen<'_>, args: &args::Update) -> Outcome {
    let mut options = ReadOptions::default();
    let next = "write `user`, `curated`, `document`, `tool`, `assistant` or `inference`, and a name after a colon: `user:Ana`";
    options.set_source(&args.source).map_err(|error| Failure::given("--source", &args.source, error.to_string(), next))?;
    let valid = args.valid.as_deref().map(|text| {
        let next = "write an interval as 2020, 2020/2023-06 or 2020/..";
        parse_span(Some(text), None, &context.zone).map_err(|error| Failure::given("--valid", text, error.to_string(), next))
    });
    let at = args.at.as_deref().map(|text| context.moment("--at", text)).transpose()?;
    let request = UpdateRequest {
        // Of a day the first instant: what ended on it no longer holds there.
        at: at.map_or_else(|| context.now(), Moment::lo),
        valid: valid.transpose()?,
        source: Source { authority: options.authority.unwrap_or(Authority::Curated), name: options.source_name },
        because: args.because.clone(),
    };
    let done = context.tenant.update(&update_text(&args.text)?, &request)?;
    if context.json {
        print_json(screen, context, "update", None, transfer::updated(&done))?;
        return Ok(DONE);
    }
    let asserted = count(done.asserted, "claim asserted", "claims asserted");
    screen.line(&format!("{asserted}, {} ended, in tenant {}", super::output::thousands(done.ended), clean(context.id.as_str())))?;
    screen.line(&format!("  {}", consequences(&done.receipt.applied)))?;
    if done.absent > 0 {
        screen.line(&format!("  {} to delete did not hold then", count(done.absent, "triple", "triples")))?;
    }
    for (reason, times) in &done.receipt.left_out {
        screen.line(&format!("  left out: {times} {}", reason.replace('_', " ")))?;
    }
    for rejection in &done.receipt.rejected {
        screen.line(&format!("  rejected: {}", clean(&rejection.reason)))?;
    }
    Ok(if done.receipt.is_complete() { DONE } else { FOUND })
}

/// The text of an update that is given, or that is in a file.
fn update_text(given: &str) -> Result<String, Failure> {
    let file = Path::new(given);
    if given == "-" {
        return Ok(io::read_to_string(io::stdin())?);
    }
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ru")) {
        return fs::read_to_string(file).map_err(|error| Failure::file(file, error));
    }
    Ok(given.to_owned())
}
