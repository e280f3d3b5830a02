//! Files that people write by hand (policies, packs, patterns): read whole, and never more than such a file can be.

use super::fail::Failure;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No file that somebody writes by hand is longer.
const LONGEST: u64 = 4 << 20;

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// [`Failure`] naming the file: what the system says, no UTF-8, or too long.
pub(super) fn written_by_hand(file: &Path) -> Result<String, Failure> {
    let read = |from: &mut dyn Read| -> io::Result<String> {
        let mut text = String::new();
        let bytes = from.take(LONGEST + 1).read_to_string(&mut text)?;
        if bytes as u64 > LONGEST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("is longer than {LONGEST} bytes")));
        }
        Ok(text)
    };
    let text = if file == Path::new("-") { read(&mut io::stdin()) } else { File::open(file).and_then(|mut file| read(&mut file)) };
    text.map_err(|error| Failure::file(file, error))
}
