//! A writer that hands on what is written in chunks, so that an answer is seen while it is still computed. Knows no receiver.

use std::io::{self, Write};

/// The first chunk, in bytes; each is twice the one before, up to the last.
const FIRST_CHUNK: usize = 256;
const LAST_CHUNK: usize = 64 * 1024;

/// Hands on what it is given in chunks: small ones first, so that the first row is seen early. What has not filled a chunk goes with `flush`.
pub(super) struct Chunks<F: FnMut(Vec<u8>) -> io::Result<()>> {
    hand_on: F,
    chunk: Vec<u8>,
    full: usize,
}

impl<F: FnMut(Vec<u8>) -> io::Result<()>> Chunks<F> {
    pub(super) fn new(hand_on: F) -> Self {
        Self { hand_on, chunk: Vec::new(), full: FIRST_CHUNK }
    }

    fn send(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.full = (self.full * 2).min(LAST_CHUNK);
        (self.hand_on)(std::mem::take(&mut self.chunk))
    }
}

impl<F: FnMut(Vec<u8>) -> io::Result<()>> Write for Chunks<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunk.extend_from_slice(bytes);
        if self.chunk.len() >= self.full {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_chunk_is_small_and_the_rest_is_sent_at_the_end() {
        let mut sizes = Vec::new();
        let mut chunks = Chunks::new(|chunk: Vec<u8>| {
            sizes.push(chunk.len());
            Ok(())
        });
        for _ in 0..40 {
            chunks.write_all(&[b'x'; 30]).unwrap();
        }
        chunks.flush().unwrap();
        drop(chunks);
        assert_eq!(sizes, [270, 540, 390]);
    }

    #[test]
    fn a_receiver_who_leaves_stops_the_writing() {
        let error = Chunks::new(|_chunk| Err(io::ErrorKind::BrokenPipe.into())).write_all(&[b'x'; FIRST_CHUNK]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
