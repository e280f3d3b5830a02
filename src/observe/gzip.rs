//! Compressed input, told by its first bytes. Knows no format of what is inside.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// What a gzip member begins with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The input as it is, or unpacked if it begins as gzip does (several members after each other too). Reads at most two bytes ahead.
///
/// Unpacked input ends in an error beyond `limit` bytes, which [`super::Reader`] reports as [`super::ReadError::TooLarge`].
///
/// # Errors
/// What the system says when the first bytes are read.
pub fn decoded<'r>(mut input: impl BufRead + 'r, limit: u64) -> io::Result<Box<dyn BufRead + 'r>> {
    let mut start = Vec::with_capacity(MAGIC.len());
    input.by_ref().take(2).read_to_end(&mut start)?;
    let packed = start == MAGIC;
    let whole = Cursor::new(start).chain(input);
    if packed {
        Ok(Box::new(BufReader::new(Bounded { inner: MultiGzDecoder::new(whole), left: limit, limit })))
    } else {
        Ok(Box::new(whole))
    }
}

/// Unpacked input beyond its limit, inside an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("the input unpacks to more than {limit} bytes")]
pub(super) struct Excess {
    pub(super) limit: u64,
}

struct Bounded<R> {
    inner: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| io::Error::other(Excess { limit: self.limit }))?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8], limit: u64) -> io::Result<String> {
        let mut text = String::new();
        decoded(bytes, limit)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn packed_and_plain_input_read_alike() {
        for text in ["", "a", "line\nline\n"] {
            assert_eq!(read(text.as_bytes(), 100).unwrap(), text);
            assert_eq!(read(&packed(text), 100).unwrap(), text);
        }
        let twice = [packed("one\n"), packed("two\n")].concat();
        assert_eq!(read(&twice, 100).unwrap(), "one\ntwo\n", "members after each other");
    }

    #[test]
    fn a_bomb_and_a_damaged_file_are_errors() {
        let bomb = packed(&"x".repeat(10_000));
        assert_eq!(read(&bomb, 10_000).unwrap().len(), 10_000);
        assert_eq!(read(&bomb, 9_999).unwrap_err().to_string(), "the input unpacks to more than 9999 bytes");
        assert!(read(&bomb[..bomb.len() / 2], 100_000).is_err(), "truncated");
    }
}
