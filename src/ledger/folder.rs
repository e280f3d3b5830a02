//! The folder of tenants: which file is whose, what there is, and its removal. Knows nothing of what a file holds.

use super::sqlite::{DRAFT, SqliteLedger, SqliteOptions, plain_file};
use super::{Holdings, LedgerError};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The ending of a tenant's file.
const ENDING: &str = ".sqlite";
/// The longest encoded name, in bytes: file systems take 255, and `SQLite` and drafts append to it.
const LONGEST: usize = 200;
/// Names that some systems keep for devices, whatever the ending.
const RESERVED: [&str; 26] = [
    "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt0", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "conin", "conout",
];

/// The file name of a tenant: lower-case ASCII letters, digits, `-` and `_` as they are, every other byte as `%xx`.
///
/// Different names have different file names, also where the file system ignores case; [`tenant_name`] reads them back.
///
/// # Errors
/// [`LedgerError::BadTenantName`] for an empty name, one with control characters, or one whose file name would be too long
/// (200 bytes, where a byte that is encoded counts three).
///
/// ```
/// use erstwhile::ledger::file_name;
/// assert_eq!(file_name("team-7")?, "team-7.sqlite");
/// assert_eq!(file_name("../Ada")?, "%2e%2e%2f%41da.sqlite");
/// # Ok::<(), erstwhile::ledger::LedgerError>(())
/// ```
pub fn file_name(tenant: &str) -> Result<String, LedgerError> {
    let refuse = |reason: &str| Err(LedgerError::BadTenantName { tenant: tenant.to_owned(), reason: reason.to_owned() });
    if tenant.is_empty() {
        return refuse("it is empty");
    }
    if tenant.chars().any(char::is_control) {
        return refuse("it has control characters");
    }
    let reserved = RESERVED.contains(&tenant);
    let mut name = String::new();
    for (index, byte) in tenant.bytes().enumerate() {
        if matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_') && !(reserved && index == 0) {
            name.push(char::from(byte));
        } else if write!(name, "%{byte:02x}").is_err() {
            return refuse("it cannot be written");
        }
    }
    if name.len() > LONGEST {
        return refuse(&format!("its file name would have {} bytes, more than {LONGEST}", name.len()));
    }
    name.push_str(ENDING);
    Ok(name)
}

/// The tenant whose file has this name, or `None` where [`file_name`] gives no such name.
#[must_use]
pub fn tenant_name(file: &str) -> Option<String> {
    let encoded = file.strip_suffix(ENDING)?;
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let value = 16 * digit(rest.next()?)? + digit(rest.next()?)?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let tenant = String::from_utf8(bytes).ok()?;
    (file_name(&tenant).ok()? == file).then_some(tenant)
}

/// The ledgers of a memory: one file per tenant in the memory's `tenants` folder.
#[derive(Clone, Debug)]
pub struct TenantFolder {
    folder: PathBuf,
    options: SqliteOptions,
}

impl TenantFolder {
    /// The tenants of the memory at `memory`, which need not exist yet. Touches nothing.
    pub fn new(memory: impl AsRef<Path>, options: SqliteOptions) -> Self {
        Self { folder: memory.as_ref().join("tenants"), options }
    }

    /// The file of a tenant, whether it exists or not; always directly inside the folder.
    ///
    /// # Errors
    /// [`LedgerError::BadTenantName`].
    pub fn file(&self, tenant: &str) -> Result<PathBuf, LedgerError> {
        Ok(self.folder.join(file_name(tenant)?))
    }

    /// Whether there is something in the place of the tenant's file.
    ///
    /// # Errors
    /// [`LedgerError::BadTenantName`]; [`LedgerError::Io`] if the folder cannot be asked.
    pub fn holds(&self, tenant: &str) -> Result<bool, LedgerError> {
        let file = self.file(tenant)?;
        match fs::symlink_metadata(&file) {
            Ok(_found) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(LedgerError::Io { path: file, reason: error.to_string() }),
        }
    }

    /// The tenants that exist, in name order; none where the folder does not exist.
    ///
    /// # Errors
    /// [`LedgerError::Io`] if the folder cannot be read.
    pub fn tenants(&self) -> Result<Vec<String>, LedgerError> {
        let mut tenants: Vec<String> = self.entries()?.iter().filter_map(|name| tenant_name(name.to_str()?)).collect();
        tenants.sort_unstable();
        Ok(tenants)
    }

    /// Opens the ledger of a tenant that exists.
    ///
    /// # Errors
    /// [`LedgerError::UnknownTenant`]; as [`SqliteLedger::open`].
    pub fn open(&self, tenant: &str) -> Result<SqliteLedger, LedgerError> {
        if !self.holds(tenant)? {
            return Err(LedgerError::UnknownTenant { tenant: tenant.to_owned() });
        }
        SqliteLedger::open(&self.file(tenant)?, self.options.clone())
    }

    /// Opens the ledger of a tenant, which is created if it does not exist.
    ///
    /// # Errors
    /// As [`SqliteLedger::open_or_create`].
    pub fn open_or_create(&self, tenant: &str) -> Result<SqliteLedger, LedgerError> {
        SqliteLedger::open_or_create(&self.file(tenant)?, self.options.clone())
    }

    /// Removes a tenant with every file of it, whatever is in them. Handles that are open on it, here or in other processes, can
    /// write no more. Returns what it held then, or `None` where that cannot be told: the file is damaged, or of a newer format.
    ///
    /// # Errors
    /// [`LedgerError::UnknownTenant`]; [`LedgerError::NotAPlainFile`] where a file of it would live on under another name, and nothing
    /// is removed then; [`LedgerError::Busy`] where somebody is writing; [`LedgerError::Io`].
    pub fn remove(&self, tenant: &str) -> Result<Option<Holdings>, LedgerError> {
        let file = self.file(tenant)?;
        if !self.holds(tenant)? {
            return Err(LedgerError::UnknownTenant { tenant: tenant.to_owned() });
        }
        plain_file(&file)?;
        let own = file.file_name().map(OsString::from).unwrap_or_default();
        for path in self.companions_of(&own)? {
            match plain_file(&path) {
                Ok(_plain) => {}
                Err(LedgerError::Io { .. }) if fs::symlink_metadata(&path).is_err() => {}
                Err(error) => return Err(error),
            }
        }
        let options = SqliteOptions { read_only: false, ..self.options.clone() };
        let held = match SqliteLedger::open(&file, options).and_then(SqliteLedger::close_for_ever) {
            Ok(held) => held,
            // Whatever it is, it goes.
            Err(LedgerError::NotALedger { .. } | LedgerError::NewerFormat { .. }) => None,
            Err(error) => return Err(error),
        };
        self.unlink(file, &own)?;
        Ok(held)
    }

    /// Removes a tenant in which nothing was ever recorded; says whether it was one.
    ///
    /// # Errors
    /// As [`TenantFolder::open`], and [`LedgerError::Busy`] where somebody is writing.
    pub(crate) fn remove_if_empty(&self, tenant: &str) -> Result<bool, LedgerError> {
        let file = self.file(tenant)?;
        let own = file.file_name().map(OsString::from).unwrap_or_default();
        let is_empty = self.open(tenant)?.close_for_ever_if_empty()?;
        if is_empty {
            self.unlink(file, &own)?;
        }
        Ok(is_empty)
    }

    fn unlink(&self, file: PathBuf, own: &OsString) -> Result<(), LedgerError> {
        // The file itself goes last: as long as it is there the tenant is listed, and the removal can be repeated.
        for path in self.companions_of(own)?.into_iter().chain([file]) {
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(LedgerError::Io { path, reason: error.to_string() }),
            }
        }
        Ok(())
    }

    /// The files that stand beside a tenant's.
    fn companions_of(&self, own: &OsString) -> Result<Vec<PathBuf>, LedgerError> {
        let entries = self.entries()?.into_iter();
        Ok(entries.filter(|name| name != own && is_companion(name, own)).map(|name| self.folder.join(name)).collect())
    }

    fn entries(&self) -> Result<Vec<OsString>, LedgerError> {
        let io = |error: std::io::Error| LedgerError::Io { path: self.folder.clone(), reason: error.to_string() };
        match fs::read_dir(&self.folder) {
            Ok(entries) => entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<_, _>>().map_err(io),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(io(error)),
        }
    }
}

/// Whether a file stands beside a tenant's: its write-ahead file, shared index, journal, or a draft of it.
fn is_companion(name: &OsString, own: &OsString) -> bool {
    let (name, own) = (name.to_string_lossy(), own.to_string_lossy());
    name.strip_prefix(own.as_ref()).is_some_and(|rest| ["-wal", "-shm", "-journal", DRAFT].iter().any(|part| rest.starts_with(part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_systems_keep_or_change_are_written_so_that_they_do_not() {
        for (tenant, file) in [
            ("default", "default.sqlite"),
            ("a-b_9", "a-b_9.sqlite"),
            ("con", "%63on.sqlite"),
            ("CON", "%43%4f%4e.sqlite"),
            ("console", "console.sqlite"),
            ("lpt9", "%6cpt9.sqlite"),
            ("..", "%2e%2e.sqlite"),
            ("trailing.", "trailing%2e.sqlite"),
            ("a b", "a%20b.sqlite"),
            ("100%", "100%25.sqlite"),
            ("/etc/passwd", "%2fetc%2fpasswd.sqlite"),
            ("a\\b:c*", "a%5cb%3ac%2a.sqlite"),
            ("ß", "%c3%9f.sqlite"),
        ] {
            assert_eq!(file_name(tenant).unwrap(), file);
            assert_eq!(tenant_name(file).as_deref(), Some(tenant));
        }
        for tenant in ["", "a\nb", "a\0", "\u{85}", &"x".repeat(201), &"é".repeat(40)] {
            assert!(matches!(file_name(tenant), Err(LedgerError::BadTenantName { .. })), "{tenant:?}");
        }
        assert!(file_name(&"x".repeat(200)).is_ok());
    }

    #[test]
    fn a_file_that_no_tenant_has_is_no_tenants() {
        for file in [
            "default",
            "default.sqlite-wal",
            "Default.sqlite",
            "con.sqlite",
            ".sqlite",
            "%41.sqlite",
            "%4A.sqlite",
            "%61.sqlite",
            "a%2.sqlite",
            "%ff.sqlite",
        ] {
            let expected = (file == "%41.sqlite").then_some("A");
            assert_eq!(tenant_name(file).as_deref(), expected, "{file}");
        }
    }

    proptest! {
        #[test]
        fn different_names_have_different_files_whatever_the_case_and_are_read_back(
            one in "[a-cA-C%.é0-1 /\\\\_-]{1,12}|.{1,20}|(?i:con|nul|com1)", two in "[a-cA-C%.é0-1 /\\\\_-]{1,12}|.{1,20}|(?i:con|nul|com1)"
        ) {
            if let (Ok(first), Ok(second)) = (file_name(&one), file_name(&two)) {
                prop_assert_eq!(one == two, first.to_lowercase() == second.to_lowercase());
                prop_assert_eq!(tenant_name(&first), Some(one.clone()));
                let path = TenantFolder::new("/memory", SqliteOptions::default()).file(&one).unwrap();
                prop_assert_eq!(path.parent(), Some(Path::new("/memory/tenants")));
                prop_assert!(first.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'%' | b'.')));
            }
        }
    }
}
