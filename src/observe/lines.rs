//! Lines of bounded length from any input, with their numbers. Knows no format.

use super::gzip::Excess;
use super::{Fault, ReadError};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// What a file written on some systems begins with; no part of the text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads lines one at a time; a line longer than the limit is skipped in bounded memory and told apart.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    line_bytes: usize,
    limit: u64,
    /// Lines read so far, those put back included.
    number: u64,
    /// Lines put back, to be read again before the input.
    again: VecDeque<Line>,
}

/// One line: its number from 1, and its bytes without the line end, or none if there were too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) too_long: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, line_bytes: usize, limit: u64) -> Self {
        Self { input, line_bytes, limit, number: 0, again: VecDeque::new() }
    }

    /// Reads the next line into `line`, whose memory is used again; `false` at the end.
    pub(super) fn read(&mut self, line: &mut Line) -> Result<bool, ReadError> {
        if let Some(again) = self.again.pop_front() {
            *line = again;
            return Ok(true);
        }
        line.bytes.clear();
        line.too_long = false;
        // Two more than the limit, so that a line of just that length still shows its end.
        let most = (self.line_bytes as u64).saturating_add(2);
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut line.bytes).map_err(|error| self.stopped(error))?;
        if read == 0 {
            return Ok(false);
        }
        if self.number >= self.limit {
            return Err(ReadError::TooManyLines { limit: self.limit });
        }
        let ended = line.bytes.last() == Some(&b'\n');
        if ended {
            line.bytes.pop();
            if line.bytes.last() == Some(&b'\r') {
                line.bytes.pop();
            }
        }
        if self.number == 0 && line.bytes.starts_with(BYTE_ORDER_MARK) {
            line.bytes.drain(..BYTE_ORDER_MARK.len());
        }
        if line.bytes.len() > self.line_bytes {
            if !ended {
                self.input.skip_until(b'\n').map_err(|error| self.stopped(error))?;
            }
            line.bytes.clear();
            line.too_long = true;
        }
        self.number += 1;
        line.number = self.number;
        Ok(true)
    }

    /// Puts lines back, to be read again in this order.
    pub(super) fn put_back(&mut self, lines: impl DoubleEndedIterator<Item = Line>) {
        for line in lines.rev() {
            self.again.push_front(line);
        }
    }

    /// Everything that is left, as one text without a byte order mark; `None` if it is longer than `most` bytes.
    pub(super) fn rest(&mut self, most: usize) -> Result<Option<Vec<u8>>, ReadError> {
        let mut bytes = Vec::new();
        let limit = (most as u64).saturating_add(1 + BYTE_ORDER_MARK.len() as u64);
        self.input.by_ref().take(limit).read_to_end(&mut bytes).map_err(|error| self.stopped(error))?;
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok((bytes.len() <= most).then_some(bytes))
    }

    fn stopped(&self, error: io::Error) -> ReadError {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<Excess>()) {
            Some(excess) => ReadError::TooLarge { limit: excess.limit },
            None => ReadError::Io { line: self.number, error },
        }
    }
}

impl Line {
    /// A place for lines to be read into.
    pub(super) const fn empty() -> Self {
        Self { number: 0, bytes: Vec::new(), too_long: false }
    }

    /// The line as text.
    pub(super) fn text(&self, line_bytes: usize) -> Result<&str, Fault> {
        if self.too_long {
            return Err(Fault::line(format!("the line is longer than {line_bytes} bytes")));
        }
        as_text(&self.bytes)
    }
}

/// Bytes as text.
pub(super) fn as_text(bytes: &[u8]) -> Result<&str, Fault> {
    str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or_default();
        Fault::line(format!("not UTF-8: byte {byte:#04x} at byte {at} (from 0)"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8], line_bytes: usize) -> Vec<(u64, Option<String>)> {
        let mut lines = Lines::new(input, line_bytes, 100);
        let (mut line, mut out) = (Line::empty(), Vec::new());
        while lines.read(&mut line).unwrap() {
            out.push((line.number, line.text(line_bytes).ok().map(str::to_owned)));
        }
        out
    }

    fn some(number: u64, text: &str) -> (u64, Option<String>) {
        (number, Some(text.to_owned()))
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_are_no_part_of_a_line() {
        assert_eq!(read(b"\xef\xbb\xbfa\r\n\nb\nc", 9), [some(1, "a"), some(2, ""), some(3, "b"), some(4, "c")]);
        assert_eq!(read(b"", 9), []);
        assert_eq!(read(b"a\rb\n", 9), [some(1, "a\rb")], "a lone carriage return is no line end");
    }

    #[test]
    fn a_line_beyond_the_limit_is_skipped_alone() {
        assert_eq!(read(b"abc\nabcd\nab\n", 3), [some(1, "abc"), (2, None), some(3, "ab")]);
        assert_eq!(read(b"abc\r\nabcdefgh\r\nab", 3), [some(1, "abc"), (2, None), some(3, "ab")]);
        assert_eq!(read(b"abcdefgh", 3), [(1, None)]);
        assert_eq!(read(b"a\xff\nb", 3), [(1, None), some(2, "b")], "and so is one that is no text");
    }

    #[test]
    fn more_lines_than_allowed_stop_reading() {
        let mut lines = Lines::new(&b"a\nb\nc\n"[..], 9, 2);
        let mut line = Line::empty();
        assert!(lines.read(&mut line).unwrap() && lines.read(&mut line).unwrap(), "two lines are allowed");
        assert!(matches!(lines.read(&mut line), Err(ReadError::TooManyLines { limit: 2 })), "the third is not");
    }
}
