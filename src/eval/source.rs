//! Reading what is evaluated: text and gzipped text by line, with errors that name the file and the line.

use crate::memory::Error;
use crate::observe::{Incoming, ReadOptions, Reader, Rejection};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// What is longer is no line of a data set, but a device or a file of another sort.
const LONGEST_LINE_BYTES: u64 = 64 << 20;

/// What can go wrong with an evaluation itself; a wrong answer is a finding, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file or folder cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A line is not in the form it must have.
    #[error("{path}:{line}: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The memory under test failed.
    #[error(transparent)]
    Memory(#[from] Error),
}

/// Opens a file for reading by line; one whose name ends in `.gz` is unpacked on the way.
///
/// # Errors
/// [`EvalError::Unreadable`].
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>, EvalError> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        Ok(Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file))))
    } else {
        Ok(Box::new(BufReader::new(file)))
    }
}

/// The lines of a file that hold something (neither empty nor a `//` comment), numbered from 1.
///
/// # Errors
/// [`EvalError::Unreadable`]; [`EvalError::Malformed`] for a line of more than 64 MiB.
pub(super) fn lines(path: &Path) -> Result<Vec<(u64, String)>, EvalError> {
    let mut found = Vec::new();
    let mut input = open(path)?;
    for number in 1_u64.. {
        let mut line = String::new();
        let read = input.by_ref().take(LONGEST_LINE_BYTES + 1).read_line(&mut line).map_err(|error| unreadable(path, &error))?;
        if read == 0 {
            break;
        }
        if line.len() as u64 > LONGEST_LINE_BYTES {
            return Err(malformed(path, number, &format!("is longer than {LONGEST_LINE_BYTES} bytes")));
        }
        line.truncate(line.trim_end_matches(['\n', '\r']).len());
        let start = line.trim_start();
        if !start.is_empty() && !start.starts_with("//") {
            found.push((number, line));
        }
    }
    Ok(found)
}

/// The JSON value of every line that holds something, with its number.
///
/// # Errors
/// [`EvalError::Unreadable`], [`EvalError::Malformed`].
pub(super) fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<(u64, T)>, EvalError> {
    lines(path)?
        .into_iter()
        .map(|(number, line)| match serde_json::from_str(&line) {
            Ok(value) => Ok((number, value)),
            Err(error) => Err(malformed(path, number, &error)),
        })
        .collect()
}

/// The system's refusal, with the path.
pub(super) fn unreadable(path: &Path, reason: &impl ToString) -> EvalError {
    EvalError::Unreadable { path: path.to_owned(), reason: reason.to_string() }
}

/// A line's fault, with its place.
pub(super) fn malformed(path: &Path, line: u64, reason: &(impl ToString + ?Sized)) -> EvalError {
    EvalError::Malformed { path: path.to_owned(), line, reason: reason.to_string() }
}

/// An input as the product reads it, whole.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) incoming: Vec<Incoming>,
    pub(super) rejected: Vec<Rejection>,
}

impl Reading {
    /// Reads to the end; `path` is what errors name.
    ///
    /// # Errors
    /// [`EvalError::Unreadable`] with what stopped the reader.
    pub(super) fn of(path: &Path, input: impl BufRead, options: ReadOptions) -> Result<Self, EvalError> {
        let mut reading = Self::default();
        for read in Reader::new(input, options).map_err(|error| unreadable(path, &error))? {
            match read.map_err(|error| unreadable(path, &error))? {
                Ok(incoming) => reading.incoming.push(incoming),
                Err(rejection) => reading.rejected.push(rejection),
            }
        }
        Ok(reading)
    }
}
