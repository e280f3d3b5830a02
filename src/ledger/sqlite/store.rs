//! The connection to one file: opening with care, transactions, and what the store's errors mean. Knows no record.

use super::SqliteOptions;
use super::schema::{ADDED, ADDED_INDEXES, APPLICATION_ID, FIRST_TABLES, FORMAT, SCHEMA, meta, scrub};
use crate::ledger::LedgerError;
use crate::ledger::key::KEY_VERSION;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use std::cell::Cell;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A point of a write, for tests that stop a process there.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WritePoint {
    /// The write lock is held, nothing is written yet.
    Begun,
    /// Half of a batch's rows are written.
    HalfWritten,
    /// All is written, nothing is committed.
    BeforeCommit,
    /// It is committed and not yet acknowledged.
    Committed,
    /// An erasure has removed its rows and not yet committed.
    RowsErased,
    /// An erasure is committed, the files are not yet scrubbed.
    BeforeScrub,
    /// The file is written anew, the write-ahead file still holds what was.
    BeforeCheckpoint,
    /// The write-ahead file is copied back and not yet emptied.
    HalfCheckpointed,
}

/// One open file.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    pub(super) options: SqliteOptions,
    /// Whether the segments stand under other numbers than this program's, and are of no use until made anew.
    pub(super) index_is_foreign: bool,
    /// Whether the file was of an earlier format when last looked at: empty tables of this connection's own then stand in for those that
    /// it lacks.
    is_old: Cell<bool>,
}

/// How a file is read.
#[derive(Clone, Copy)]
enum Access {
    /// With locks and companion files, together with whoever else has it open.
    Locked,
    /// As it stands: nothing can be written where it lies.
    Still,
}

/// What a transaction's work comes to.
pub(super) enum Outcome<T> {
    /// Commit it.
    Write(T),
    /// There was nothing to write.
    Nothing(T),
}

fn io_error(path: &Path, error: &io::Error) -> LedgerError {
    LedgerError::Io { path: path.to_owned(), reason: error.to_string() }
}

/// What the name of a draft has after the name of the file it is to become.
pub(in crate::ledger) const DRAFT: &str = ".new-";

/// A draft is made in a moment; one that is older by so much than a new one has no maker any more.
const ABANDONED: Duration = Duration::from_mins(1);

/// What an error of the store means to whoever called.
fn failure(path: &Path, options: &SqliteOptions, error: &rusqlite::Error) -> LedgerError {
    let path = path.to_owned();
    let io = |reason: String| LedgerError::Io { path: path.clone(), reason };
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            LedgerError::Busy { path, waited_ms: u64::try_from(options.busy_timeout.as_millis()).unwrap_or(u64::MAX) }
        }
        Some(ErrorCode::DatabaseCorrupt) => LedgerError::NotALedger { path, reason: format!("is damaged or cut short ({error})") },
        Some(ErrorCode::NotADatabase) => LedgerError::NotALedger { path, reason: "is not an SQLite file".to_owned() },
        Some(ErrorCode::DiskFull) => io("the disk is full".to_owned()),
        Some(ErrorCode::ReadOnly) => io("cannot be written: the file, its folder or this handle is read-only".to_owned()),
        Some(ErrorCode::CannotOpen) => io(format!(
            "cannot be opened with its write-ahead file ({error}); where its folder cannot be written, copy the memory to where it can"
        )),
        Some(_) if error.to_string().contains("no such table") => {
            LedgerError::NotALedger { path, reason: format!("is not, or no longer, a whole ledger ({error})") }
        }
        Some(_) | None => io(error.to_string()),
    }
}

/// Makes a new, empty ledger at `path`, with every mark in place before it can be seen. Whoever comes second finds the first's.
pub(super) fn create(path: &Path, options: &SqliteOptions) -> Result<(), LedgerError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| io_error(folder, &error))?;
    let draft = draft_name(path).map_err(|DraftError(draft, error)| io_error(&draft, &error))?;
    sweep(path, &draft);
    let made = make(&draft).map_err(|error| failure(&draft, options, &error));
    let placed = made.and_then(|()| place(&draft, path));
    for suffix in ["", "-wal", "-shm", "-journal"] {
        // A draft holds nothing; one that cannot be removed harms nobody.
        drop(fs::remove_file(with_suffix(&draft, suffix)));
    }
    placed
}

/// Takes away drafts whose makers were cut off: those made long before this one.
fn sweep(path: &Path, draft: &Path) {
    let made = |draft: &Path| fs::symlink_metadata(draft).and_then(|found| found.modified());
    let Ok(now) = made(draft) else { return };
    for other in drafts_of(path) {
        if made(&other).is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age > ABANDONED)) {
            drop(fs::remove_file(other));
        }
    }
}

/// A name for a draft that nobody else uses: reserved by creating it.
fn draft_name(path: &Path) -> Result<PathBuf, DraftError> {
    for attempt in 0..u32::MAX {
        let draft = with_suffix(path, &format!("{DRAFT}{}-{attempt}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&draft) {
            Ok(_reserved) => return Ok(draft),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(DraftError(draft, error)),
        }
    }
    Err(DraftError(path.to_owned(), io::Error::other("no name is left for a draft beside it")))
}

/// A draft that could not be made, and why.
struct DraftError(PathBuf, io::Error);

fn make(draft: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(draft)?;
    connection.execute_batch("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL; BEGIN IMMEDIATE;")?;
    connection.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"))?;
    connection.execute_batch(SCHEMA)?;
    add_tables(&connection, "TABLE")?;
    connection.execute_batch(ADDED_INDEXES)?;
    for (name, value) in [(meta::INDEXED_TO, 0), (meta::KEY_VERSION, KEY_VERSION), (meta::SCRUB_PENDING, scrub::DONE)] {
        connection.execute("INSERT INTO meta (name, value) VALUES (?1, ?2)", params![name, value])?;
    }
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL;")?;
    connection.close().map_err(|(_connection, error)| error)
}

/// Makes the tables that came after format 1, of this sort.
fn add_tables(connection: &Connection, sort: &str) -> rusqlite::Result<()> {
    ADDED.iter().try_for_each(|(table, columns)| connection.execute_batch(&format!("CREATE {sort} {table} ({columns})")))
}

/// Gives the draft its name unless that is taken already.
fn place(draft: &Path, path: &Path) -> Result<(), LedgerError> {
    match fs::hard_link(draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        Ok(()) => {}
        // Some file systems have no hard links: there the name is taken first and filled then.
        Err(_no_links) => match OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
            Err(error) => return Err(io_error(path, &error)),
            Ok(mut file) => File::open(draft)
                .and_then(|mut made| io::copy(&mut made, &mut file))
                .and_then(|_bytes| file.sync_all())
                .map_err(|error| io_error(path, &error))?,
        },
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    // The name is durable once its folder is; not every system can open a folder.
    if let Ok(folder) = File::open(folder) {
        folder.sync_all().map_err(|error| io_error(path, &error))?;
    }
    Ok(())
}

/// The path with something appended to its last part.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The file as an `SQLite` URI to read it as it stands: no lock taken, no companion file made or read.
fn untouched_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            other => {
                uri.push('%');
                uri.extend([other >> 4, other & 15].into_iter().filter_map(|digit| char::from_digit(u32::from(digit), 16)));
            }
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// What is known of a file that is one, under this name alone: text erased through a link, or from a file with two names, would
/// live on elsewhere.
///
/// # Errors
/// [`LedgerError::NotAPlainFile`]; [`LedgerError::Io`] if there is none.
pub(in crate::ledger) fn plain_file(path: &Path) -> Result<Metadata, LedgerError> {
    let refuse = |reason: String| Err(LedgerError::NotAPlainFile { path: path.to_owned(), reason });
    let look = || fs::symlink_metadata(path).map_err(|error| io_error(path, &error));
    let mut found = look()?;
    if found.is_symlink() {
        let to = fs::read_link(path).map_err(|error| io_error(path, &error))?;
        return refuse(format!("is a link to {}, not a file of its own", to.display()));
    }
    if !found.is_file() {
        return refuse("is not a file".to_owned());
    }
    loop {
        let names = names_of(&found);
        // A file that was just made, or whose maker was cut off then, is still known by its draft's name.
        if names <= 1 || names.saturating_sub(drop_drafts_of(path, &found)) <= 1 {
            return Ok(found);
        }
        let again = look()?;
        if names_of(&again) == names {
            return refuse(format!("is one file under {names} names (hard links); what is erased here would stay under the others"));
        }
        found = again;
    }
}

/// How many names a file has.
#[cfg(unix)]
fn names_of(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

/// How many names a file has, where that can be told.
#[cfg(not(unix))]
const fn names_of(_found: &Metadata) -> u64 {
    1
}

/// Takes a file's drafts away, and says how many were this very file. What cannot be taken away does no harm.
#[cfg(unix)]
fn drop_drafts_of(path: &Path, file: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let mut own = 0;
    for draft in drafts_of(path) {
        if fs::symlink_metadata(&draft).is_ok_and(|found| (found.dev(), found.ino()) == (file.dev(), file.ino())) {
            own += 1;
            drop(fs::remove_file(draft));
        }
    }
    own
}

#[cfg(not(unix))]
const fn drop_drafts_of(_path: &Path, _file: &Metadata) -> u64 {
    0
}

/// The drafts that stand beside a file.
fn drafts_of(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let begins = with_suffix(Path::new(path.file_name().unwrap_or_default()), DRAFT);
    let begins = begins.to_string_lossy();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    entries.filter(|name| name.to_string_lossy().starts_with(begins.as_ref())).map(|name| folder.join(name)).collect()
}

/// Reads the marks of a file without touching it or anything beside it.
fn vet(path: &Path, options: &SqliteOptions) -> Result<(), LedgerError> {
    // Another process may be copying its write-ahead file back just now, which passes; damage stays.
    vet_once(path, options).or_else(|_first| vet_once(path, options)).or_else(|_second| vet_once(path, options))
}

/// Goes through `SQLite`: to open and close the file by hand would drop the locks this process holds on it.
fn vet_once(path: &Path, options: &SqliteOptions) -> Result<(), LedgerError> {
    let found = plain_file(path)?;
    let refuse = |reason: String| Err(LedgerError::NotALedger { path: path.to_owned(), reason });
    if found.len() == 0 {
        return refuse("is empty (0 bytes)".to_owned());
    }
    let read = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(untouched_uri(path), flags)?;
        let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
        Ok::<_, rusqlite::Error>((marks(&connection)?, pragma("page_count")?, pragma("page_size")?))
    };
    match read() {
        Ok((marks, pages, page)) => {
            judge(path, marks)?;
            let bytes = pages.saturating_mul(page).cast_unsigned();
            if found.len() < bytes && !has_log(path) {
                return refuse(format!("is cut short ({} of {bytes} bytes)", found.len()));
            }
            Ok(())
        }
        // After a crash the write-ahead file may hold what the main file lacks; only opening in earnest tells.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) && has_log(path) => Ok(()),
        Err(error) => Err(failure(path, options, &error)),
    }
}

/// Whether a file lies where nothing can be written, by anybody: a disk mounted read-only, a medium that cannot be written.
fn stands_still(path: &Path) -> bool {
    match draft_name(path) {
        Ok(draft) => {
            drop(fs::remove_file(draft));
            false
        }
        Err(DraftError(_, error)) => error.kind() == ErrorKind::ReadOnlyFilesystem,
    }
}

fn has_log(path: &Path) -> bool {
    fs::metadata(with_suffix(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

fn marks(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let application = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let format = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok((application, format))
}

fn judge(path: &Path, (application, format): (i64, i64)) -> Result<(), LedgerError> {
    if application != APPLICATION_ID {
        let reason = format!("is an SQLite file of another program (application id {application:#x})");
        return Err(LedgerError::NotALedger { path: path.to_owned(), reason });
    }
    if format > FORMAT {
        let number = |format: i64| u32::try_from(format).unwrap_or(u32::MAX);
        return Err(LedgerError::NewerFormat { path: path.to_owned(), found: number(format), supported: number(FORMAT) });
    }
    if format < 1 {
        return Err(LedgerError::NotALedger { path: path.to_owned(), reason: format!("has the ledger format {format}, which never was") });
    }
    Ok(())
}

impl Store {
    /// Opens a ledger that exists. Nothing is written before its marks are known.
    pub(super) fn open(path: &Path, options: SqliteOptions) -> Result<Self, LedgerError> {
        vet(path, &options)?;
        match Self::connect(path, options.clone(), Access::Locked) {
            // Without a write-ahead file beside it, what stands in the file is all there is, and where nothing can be written nobody
            // adds to it.
            Err(refused @ LedgerError::Io { .. }) if !has_log(path) && stands_still(path) => {
                Self::connect(path, SqliteOptions { read_only: true, ..options }, Access::Still).map_err(|_still| refused)
            }
            outcome => outcome,
        }
    }

    fn connect(path: &Path, options: SqliteOptions, access: Access) -> Result<Self, LedgerError> {
        let mode = if options.read_only { OpenFlags::SQLITE_OPEN_READ_ONLY } else { OpenFlags::SQLITE_OPEN_READ_WRITE };
        let connection = match access {
            Access::Locked => Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX),
            Access::Still => {
                Connection::open_with_flags(untouched_uri(path), mode | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            }
        };
        let connection = connection.map_err(|error| failure(path, &options, &error))?;
        let mut store = Self { connection, path: path.to_owned(), options, index_is_foreign: false, is_old: Cell::new(false) };
        store.prepare().map_err(|error| store.fail(&error))?;
        let marks = marks(&store.connection).map_err(|error| store.fail(&error))?;
        judge(path, marks)?;
        store.settle(marks.1)?;
        store.index_is_foreign = store.meta(meta::KEY_VERSION)? != Some(KEY_VERSION);
        Ok(store)
    }

    /// The settings of the connection alone.
    fn prepare(&self) -> rusqlite::Result<()> {
        self.connection.busy_timeout(self.options.busy_timeout)?;
        // Else a statement is planned anew whenever one of its parameters changes, which costs more than most lookups.
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        self.connection.set_prepared_statement_cache_capacity(64);
        self.connection.execute_batch(
            "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -65536;
             PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;",
        )
    }

    /// What may write: the journal mode (a backup comes without it), and an index under other numbers.
    fn settle(&self, format: i64) -> Result<(), LedgerError> {
        let added = ADDED.len().try_into().unwrap_or(i64::MAX);
        let (wanted, mut names) = match format {
            FORMAT.. => (FIRST_TABLES + added, ADDED.map(|(table, _)| format!("'{table}'")).to_vec()),
            _ => (FIRST_TABLES, Vec::new()),
        };
        names.push(
            "'meta', 'commits', 'observations', 'claims', 'beliefs', 'policies', 'erasures', 'erased_places', 'index_segments', \
             'index_blocks'"
                .to_owned(),
        );
        let count = format!("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ({})", names.join(", "));
        let tables: i64 = self.connection.query_row(&count, [], |row| row.get(0)).map_err(|error| self.fail(&error))?;
        if tables != wanted {
            let reason = format!("has {tables} of a ledger's {wanted} tables");
            return Err(LedgerError::NotALedger { path: self.path.clone(), reason });
        }
        if format < FORMAT {
            self.stand_in()?;
        }
        if self.options.read_only {
            return Ok(());
        }
        let mode: String = self.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).map_err(|error| self.fail(&error))?;
        if mode != "wal" {
            let mode: String =
                self.connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(|error| self.fail(&error))?;
            if mode != "wal" {
                return Err(LedgerError::Io {
                    path: self.path.clone(),
                    reason: format!("no write-ahead file can be used here (mode {mode})"),
                });
            }
        }
        Ok(())
    }

    /// Lets empty tables of the connection stand in for those that an earlier format lacks.
    fn stand_in(&self) -> Result<(), LedgerError> {
        add_tables(&self.connection, "TEMP TABLE").map_err(|error| self.fail(&error))?;
        self.is_old.set(true);
        Ok(())
    }

    fn stand_aside(&self) -> Result<(), LedgerError> {
        self.is_old.set(false);
        let drop = |(table, _): &(&str, &str)| self.connection.execute_batch(&format!("DROP TABLE temp.{table}"));
        ADDED.iter().try_for_each(drop).map_err(|error| self.fail(&error))
    }

    /// Looks whether somebody has brought a file of an earlier format to this one; says whether that is so. In the caller's transaction.
    pub(super) fn has_grown(&self) -> Result<bool, LedgerError> {
        if !self.is_old.get() {
            return Ok(false);
        }
        let (_, format) = marks(&self.connection).map_err(|error| self.fail(&error))?;
        Ok(format >= FORMAT)
    }

    /// Reads its own tables of a file that has grown. Outside of any transaction, which would take the step back.
    pub(super) fn grow(&self) -> Result<(), LedgerError> {
        self.stand_aside()
    }

    /// Brings a file of an earlier format to this one, before anything is appended to it.
    pub(super) fn upgrade(&self) -> Result<(), LedgerError> {
        if !self.is_old.get() {
            return Ok(());
        }
        self.stand_aside()?;
        let run = || -> rusqlite::Result<()> {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            if marks(&self.connection)?.1 < FORMAT {
                add_tables(&self.connection, "TABLE")?;
                self.connection.execute_batch(ADDED_INDEXES)?;
                self.connection.execute_batch(&format!("PRAGMA user_version = {FORMAT}"))?;
            }
            self.connection.execute_batch("COMMIT")
        };
        let Err(error) = run() else { return Ok(()) };
        let said = self.fail(&error);
        self.roll_back().map_err(|error| self.fail(&error))?;
        self.stand_in()?;
        Err(said)
    }

    /// Runs work that gives up on others after `patience`.
    pub(super) fn with_patience<T>(
        &self,
        patience: Duration,
        work: impl FnOnce(&Self) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        self.connection.busy_timeout(patience).map_err(|error| self.fail(&error))?;
        let result = work(self);
        self.connection.busy_timeout(self.options.busy_timeout).map_err(|error| self.fail(&error))?;
        result
    }

    /// What an error of the store means.
    pub(super) fn fail(&self, error: &rusqlite::Error) -> LedgerError {
        failure(&self.path, &self.options, error)
    }

    /// Tells an observer, if there is one, that a write has come to this point.
    pub(super) fn reach(&self, point: WritePoint) {
        if let Some(observer) = &self.options.observer {
            observer(point);
        }
    }

    /// Executes one statement without parameters.
    pub(super) fn execute(&self, sql: &str) -> Result<(), LedgerError> {
        let run = || self.connection.prepare_cached(sql)?.execute([]);
        run().map(|_rows| ()).map_err(|error| self.fail(&error))
    }

    /// A number of `meta`.
    pub(super) fn meta(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        let read =
            || self.connection.prepare_cached("SELECT value FROM meta WHERE name = ?1")?.query_row([name], |row| row.get(0)).optional();
        read().map_err(|error| self.fail(&error))
    }

    /// Sets a number of `meta`. In the caller's transaction.
    pub(super) fn set_meta(&self, name: &str, value: i64) -> Result<(), LedgerError> {
        let write =
            || self.connection.prepare_cached("INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)")?.execute(params![name, value]);
        write().map(|_rows| ()).map_err(|error| self.fail(&error))
    }

    /// Undoes the transaction that is open, if one is.
    ///
    /// # Errors
    /// What the store said; the outcome is unsure then.
    pub(super) fn roll_back(&self) -> rusqlite::Result<()> {
        if self.connection.is_autocommit() { Ok(()) } else { self.connection.execute_batch("ROLLBACK") }
    }
}
