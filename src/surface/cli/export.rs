//! `export` and `import`: a whole tenant out to a file or a stream, and back. Knows what a file may be replaced with, not what is in it.

use super::args::{Export, Import};
use super::context::Context;
use super::fail::{DONE, Failure};
use super::output::{Screen, clean, count};
use super::read::{Outcome, print_json};
use super::remember::UNPACKED_BYTES;
use crate::memory::Error;
use crate::observe::decoded;
use serde_json::json;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What writes an export, and says how many records or facts went out.
type Writing<'a> = dyn Fn(&mut dyn Write) -> Result<u64, Error> + 'a;

/// `export [FILE]`.
pub(super) fn export(context: &Context, screen: &mut Screen<'_>, args: &Export) -> Outcome {
    let Export { file, force, rdf, .. } = args;
    if *rdf {
        return export_rdf(context, screen, args);
    }
    write_out(context, screen, file, *force, ("record", "records"), &|out| context.tenant.export(out))
}

/// `export --rdf [FILE]`.
#[cfg(feature = "sparql")]
fn export_rdf(context: &Context, screen: &mut Screen<'_>, args: &Export) -> Outcome {
    let Export { file, force, history, format, when, .. } = args;
    let format = super::rdf::format(*format, file).unwrap_or(oxrdfio::RdfFormat::Turtle);
    if *history {
        return write_out(context, screen, file, *force, ("record", "records"), &|out| context.tenant.export_history(format, out));
    }
    let as_of = context.as_of(when)?;
    context.graph_is_known(when)?;
    let graph = when.context.as_deref().map(|given| {
        let bare = given.trim();
        bare.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(bare)
    });
    write_out(context, screen, file, *force, ("fact", "facts"), &|out| context.tenant.export_facts(as_of, graph, format, out))
}

#[cfg(not(feature = "sparql"))]
fn export_rdf(_context: &Context, _screen: &mut Screen<'_>, _args: &Export) -> Outcome {
    Err(Failure::given("--rdf", "", "this program was built without RDF", "build it with `--features sparql`"))
}

/// Writes to where an export goes, and says how much went there.
fn write_out(
    context: &Context,
    screen: &mut Screen<'_>,
    file: &Path,
    force: bool,
    (one, many): (&str, &str),
    writing: &Writing<'_>,
) -> Outcome {
    let written = match Place::of(context, file, force)? {
        Place::Stdout => {
            let mut out = BufWriter::new(screen.raw());
            writing(&mut out).map_err(out_of_pipe)?;
            return Ok(DONE);
        }
        Place::Stream => {
            let opened = OpenOptions::new().append(true).open(file).map_err(|error| Failure::file(file, error))?;
            let mut out = BufWriter::new(opened);
            writing(&mut out).map_err(|error| of_file(file, error))?
        }
        Place::File { path, replaces } => whole(writing, file, &path, replaces)?,
    };
    if context.json {
        print_json(screen, context, "export", None, json!({ many: written, "file": file.display().to_string() }))?;
    } else {
        screen.line(&format!("exported {} to {}", count(written, one, many), clean(&file.display().to_string())))?;
    }
    Ok(DONE)
}

/// Where an export goes.
enum Place {
    /// Standard output.
    Stdout,
    /// A device, a pipe or a descriptor: it is written to as it stands, never replaced.
    Stream,
    /// A file, by the path that no link stands in for any more.
    File {
        path: PathBuf,
        /// The permissions of the file it takes the place of.
        replaces: Option<Permissions>,
    },
}

impl Place {
    /// What `file` is. Nothing is opened, nothing changes.
    fn of(context: &Context, file: &Path, force: bool) -> Result<Self, Failure> {
        if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| file == Path::new(name)) {
            return Ok(Self::Stdout);
        }
        let found = met(file).map_err(|error| Failure::file(file, error))?;
        let is_descriptor = file == Path::new("/dev/stderr") || file.starts_with("/dev/fd") || file.starts_with("/proc/self/fd");
        if let Some(found) = &found
            && !found.is_dir()
            && (is_descriptor || !found.is_file())
        {
            return Ok(Self::Stream);
        }
        let path = without_links(file, found.is_some()).map_err(|error| Failure::file(file, error))?;
        let refuse = |reason: &str, next: &str| Err(Failure::given("FILE", &file.display().to_string(), reason, next));
        if fs::canonicalize(&context.folder).is_ok_and(|folder| path.starts_with(folder)) {
            return refuse("it lies in the folder of the memory itself", "name a file outside of it, or `-`");
        }
        match found {
            Some(found) if found.is_dir() => refuse("it is a folder", "name a file in it"),
            Some(_) if !force => refuse("it is there already", "name another file, or replace it with `--force`"),
            found => Ok(Self::File { path, replaces: found.map(|found| found.permissions()) }),
        }
    }
}

/// What is known of a file, links followed; `None` where there is none.
fn met(file: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(file) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::symlink_metadata(file) {
            Ok(_link) => Err(io::Error::new(io::ErrorKind::NotFound, "it is a link to nothing")),
            Err(_nothing) => Ok(None),
        },
        Err(error) => Err(error),
    }
}

/// The path of a file, or of one that is to be, without any link in it.
fn without_links(file: &Path, is_there: bool) -> io::Result<PathBuf> {
    if is_there {
        return fs::canonicalize(file);
    }
    let name = file.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it is no name of a file"))?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(name))
}

/// Exports to a file that gets its name when it is whole: one that fails half-way must not look like a whole one.
fn whole(writing: &Writing<'_>, file: &Path, path: &Path, replaces: Option<Permissions>) -> Result<u64, Failure> {
    let fail = |error: io::Error| Failure::file(file, error);
    let mut draft = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new("."))).map_err(fail)?;
    let mut out = BufWriter::new(draft.as_file_mut());
    let records = writing(&mut out).map_err(|error| of_file(file, error))?;
    drop(out);
    draft.as_file().sync_all().map_err(fail)?;
    match replaces {
        Some(permissions) => {
            draft.as_file().set_permissions(permissions).map_err(fail)?;
            draft.persist(path).map_err(|error| fail(error.error))?;
        }
        // Whoever has taken the name meanwhile keeps it.
        None => drop(draft.persist_noclobber(path).map_err(|error| fail(error.error))?),
    }
    Ok(records)
}

/// The error under an export to a file, with the file's name.
fn of_file(file: &Path, error: Error) -> Failure {
    if let Error::Stream { source, .. } = error { Failure::file(file, source) } else { error.into() }
}

/// The error under an export to standard output, so that a reader who leaves is recognised.
fn out_of_pipe(error: Error) -> Failure {
    if let Error::Stream { source, .. } = error { Failure::Output(source) } else { error.into() }
}

/// Reads an export, unpacked if it is compressed.
fn import_from(context: &Context, file: &Path, input: impl BufRead) -> Result<u64, Failure> {
    let mut input = decoded(input, UNPACKED_BYTES).map_err(|error| Failure::file(file, error))?;
    Ok(context.tenant.import(&mut input)?)
}

/// `import [FILE]`.
pub(super) fn import(context: &Context, screen: &mut Screen<'_>, args: &Import) -> Outcome {
    #[cfg(feature = "sparql")]
    if let Some(format) = super::rdf::format(args.format, &args.file) {
        return super::rdf::import(context, screen, args, format);
    }
    if let Some(format) = args.format {
        let given = format!("{format:?}");
        return Err(Failure::given("--format", &given, "this program was built without RDF", "build it with `--features sparql`"));
    }
    let file = args.file.as_path();
    let records = if file == Path::new("-") {
        import_from(context, file, BufReader::new(io::stdin()))?
    } else {
        let opened = File::open(file).map_err(|error| Failure::file(file, error))?;
        import_from(context, file, BufReader::new(opened))?
    };
    if context.json {
        print_json(screen, context, "import", None, json!({ "records": records }))?;
    } else {
        screen.line(&format!("imported {} into tenant {}", count(records, "record", "records"), clean(context.id.as_str())))?;
    }
    Ok(DONE)
}
