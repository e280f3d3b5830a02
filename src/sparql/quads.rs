//! Quads out of a file in any RDF format, one after the other, each with the line by which it was read.
//!
//! Owns the limits of a file, the places of its faults and the labels of its blank nodes. Knows nothing of what the quads mean.

use oxrdf::{BlankNode, GraphName, NamedOrBlankNode, Quad, Term as RdfTerm, Triple};
use oxrdfio::{RdfFormat, RdfParseError, RdfParser, ReaderQuadParser};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// The limits of a file of RDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RdfLimits {
    /// The longest line of N-Triples and N-Quads, in bytes; a longer one is skipped and rejected. Default 1 MiB.
    pub line_bytes: usize,
    /// The longest IRI, label or text of a literal, in bytes; what has a longer one is rejected. Default 8 KiB.
    pub term_bytes: usize,
    /// The most lines. Reading stops there. Default 1,000,000,000.
    pub lines: u64,
}

impl Default for RdfLimits {
    fn default() -> Self {
        Self { line_bytes: 1 << 20, term_bytes: 8 << 10, lines: 1_000_000_000 }
    }
}

/// What stops the reading of a file: nothing after it was read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RdfReadError {
    /// It is not written as its format wants.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: u64,
        /// The column in characters, from 1; 0 where the format's reader does not tell it.
        column: u64,
        /// What is wrong.
        reason: String,
    },
    /// The system refused, or the compressed input is damaged.
    #[error("after line {line}: {error}")]
    Io {
        /// The last line read.
        line: u64,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// It has more lines than the limit allows.
    #[error("the file has more than {0} lines")]
    TooManyLines(u64),
}

impl RdfReadError {
    /// The line that it is about, from 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        match self {
            Self::Syntax { line, .. } | Self::Io { line, .. } | Self::TooManyLines(line) => *line,
        }
    }
}

/// A quad with the line by which it was read, or why that line cannot be taken.
pub type ReadQuad = (u64, Result<Quad, String>);

/// Reads the quads of a file as a stream.
///
/// N-Triples and N-Quads are read line by line, and a line that is wrong costs no other. In the other formats nothing can be told after a
/// fault, so that reading stops there. Blank nodes without a label are named in the order in which they come: the same file gives the same
/// names.
pub struct QuadReader {
    inner: Inner,
    lines: Rc<Cell<Place>>,
    limits: RdfLimits,
    /// The numbers of the blank nodes that have no label of their own.
    unlabelled: FxHashMap<u128, u64>,
    done: bool,
}

enum Inner {
    /// One statement on each line.
    Lines { input: Box<dyn BufRead>, parser: Box<RdfParser>, text: Vec<u8> },
    /// Whatever else.
    Whole(Box<ReaderQuadParser<Counted>>),
}

/// How far a file has been read.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Line ends read.
    ended: u64,
    /// Whether anything comes after the last of them.
    begun: bool,
}

impl Place {
    fn line(self) -> u64 {
        self.ended + u64::from(self.begun)
    }
}

impl QuadReader {
    /// Begins to read; relative IRIs are read against `base`.
    ///
    /// # Errors
    /// [`RdfReadError::Syntax`] if the base is no IRI.
    pub fn new(format: RdfFormat, base: Option<&str>, limits: RdfLimits, input: Box<dyn BufRead>) -> Result<Self, RdfReadError> {
        let mut parser = RdfParser::from_format(format);
        if let Some(base) = base {
            let fault =
                |error: oxiri::IriParseError| RdfReadError::Syntax { line: 1, column: 0, reason: format!("the base {base:?}: {error}") };
            parser = parser.with_base_iri(base).map_err(fault)?;
        }
        let lines = Rc::new(Cell::new(Place::default()));
        let inner = if matches!(format, RdfFormat::NTriples | RdfFormat::NQuads) {
            Inner::Lines { input, parser: Box::new(parser), text: Vec::new() }
        } else {
            Inner::Whole(Box::new(parser.for_reader(Counted { input, lines: Rc::clone(&lines), limit: limits.lines })))
        };
        Ok(Self { inner, lines, limits, unlabelled: FxHashMap::default(), done: false })
    }

    /// The next quad; `None` at the end, and after an error.
    ///
    /// # Errors
    /// [`RdfReadError`].
    pub fn next_quad(&mut self) -> Result<Option<ReadQuad>, RdfReadError> {
        if self.done {
            return Ok(None);
        }
        let read = match &mut self.inner {
            Inner::Lines { input, parser, text } => next_line(input, parser, text, &self.lines, self.limits),
            Inner::Whole(parser) => {
                parser.next().transpose().map(|quad| quad.map(Ok)).map_err(|error| failed(error, &self.lines, self.limits))
            }
        };
        let Some(quad) = read.inspect_err(|_| self.done = true)? else {
            self.done = true;
            return Ok(None);
        };
        let line = self.lines.get().line();
        Ok(Some((line, quad.map(|quad| self.labelled(quad)).and_then(|quad| self.within(quad)))))
    }

    /// The quad with a name for each blank node that came without: `b0.`, which is no label that a file can write.
    fn labelled(&mut self, mut quad: Quad) -> Quad {
        if matches!(self.inner, Inner::Lines { .. }) {
            return quad;
        }
        match &mut quad.subject {
            NamedOrBlankNode::BlankNode(node) => self.label(node),
            NamedOrBlankNode::NamedNode(_) => {}
        }
        self.label_term(&mut quad.object);
        match &mut quad.graph_name {
            GraphName::BlankNode(node) => self.label(node),
            GraphName::NamedNode(_) | GraphName::DefaultGraph => {}
        }
        quad
    }

    fn label_term(&mut self, term: &mut RdfTerm) {
        match term {
            RdfTerm::BlankNode(node) => self.label(node),
            RdfTerm::Triple(triple) => {
                match &mut triple.subject {
                    NamedOrBlankNode::BlankNode(node) => self.label(node),
                    NamedOrBlankNode::NamedNode(_) => {}
                }
                self.label_term(&mut triple.object);
            }
            RdfTerm::NamedNode(_) | RdfTerm::Literal(_) => {}
        }
    }

    fn label(&mut self, node: &mut BlankNode) {
        if let Some(id) = node.as_ref().unique_id() {
            let next = self.unlabelled.len() as u64;
            let number = *self.unlabelled.entry(id).or_insert(next);
            *node = BlankNode::new_unchecked(format!("b{number}."));
        }
    }

    fn within(&self, quad: Quad) -> Result<Quad, String> {
        let limit = self.limits.term_bytes;
        let graph = match &quad.graph_name {
            GraphName::NamedNode(node) => node.as_str().len(),
            GraphName::BlankNode(_) | GraphName::DefaultGraph => 0,
        };
        let longest = longest(&quad.subject, quad.predicate.as_str(), &quad.object).max(graph);
        if longest > limit {
            return Err(format!("a term of {longest} bytes is longer than the limit of {limit}"));
        }
        Ok(quad)
    }
}

impl std::fmt::Debug for QuadReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuadReader").field("lines", &self.lines.get()).field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The bytes of the longest term of a statement.
fn longest(subject: &NamedOrBlankNode, predicate: &str, object: &RdfTerm) -> usize {
    let subject = match subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str().len(),
        NamedOrBlankNode::BlankNode(node) => node.as_str().len(),
    };
    let object = match object {
        RdfTerm::NamedNode(node) => node.as_str().len(),
        RdfTerm::BlankNode(node) => node.as_str().len(),
        RdfTerm::Literal(literal) => literal.value().len().max(literal.datatype().as_str().len()),
        RdfTerm::Triple(triple) => {
            let Triple { subject, predicate, object } = &**triple;
            longest(subject, predicate.as_str(), object)
        }
    };
    subject.max(predicate.len()).max(object)
}

/// The quad of the next line that has one.
fn next_line(
    input: &mut Box<dyn BufRead>,
    parser: &RdfParser,
    text: &mut Vec<u8>,
    lines: &Cell<Place>,
    limits: RdfLimits,
) -> Result<Option<Result<Quad, String>>, RdfReadError> {
    loop {
        text.clear();
        let ended = lines.get().ended;
        let failed = |error| RdfReadError::Io { line: ended, error };
        // One more than the limit, so that a line of just that length still shows its end.
        let most = (limits.line_bytes as u64).saturating_add(1);
        if input.by_ref().take(most).read_until(b'\n', text).map_err(failed)? == 0 {
            return Ok(None);
        }
        if ended >= limits.lines {
            return Err(RdfReadError::TooManyLines(limits.lines));
        }
        lines.set(Place { ended: ended + 1, begun: false });
        if text.last() != Some(&b'\n') && text.len() > limits.line_bytes {
            let read = skip_line(input).map_err(failed)?;
            let length = text.len() as u64 + read;
            return Ok(Some(Err(format!("the line has {length} bytes, more than the limit of {}", limits.line_bytes))));
        }
        let mut quads = parser.clone().for_slice(&*text);
        match quads.next() {
            None => {}
            Some(Ok(quad)) => {
                return Ok(Some(match quads.next() {
                    None => Ok(quad),
                    Some(_) => Err("more than one statement on a line".to_owned()),
                }));
            }
            Some(Err(error)) => {
                let column = error.location().map_or(0, |place| place.start.column + 1);
                return Ok(Some(Err(format!("column {column}: {}", without_place(&error.to_string())))));
            }
        }
    }
}

/// Reads to the end of a line without keeping it; how many bytes.
fn skip_line(input: &mut Box<dyn BufRead>) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let buffer = input.fill_buf()?;
        let (read, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(read);
        skipped += read as u64;
        if ended {
            return Ok(skipped);
        }
    }
}

/// The parser's message without the place, which is told beside it.
fn without_place(message: &str) -> &str {
    let told = message.strip_prefix("Parser error at ").and_then(|rest| rest.split_once(": "));
    told.map_or(message, |(_, reason)| reason)
}

fn failed(error: RdfParseError, lines: &Cell<Place>, limits: RdfLimits) -> RdfReadError {
    let line = lines.get().line();
    match error {
        RdfParseError::Io(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
            drop(error);
            RdfReadError::TooManyLines(limits.lines)
        }
        RdfParseError::Io(error) => RdfReadError::Io { line, error },
        RdfParseError::Syntax(error) => {
            let place = error.location().map(|place| place.start);
            let reason = without_place(&error.to_string()).to_owned();
            let (line, column) = place.map_or((line, 0), |place| (place.line + 1, place.column + 1));
            RdfReadError::Syntax { line, column, reason }
        }
    }
}

/// A reader that hands out one line at a time and counts them, so that what was read by a line is known to be.
struct Counted {
    input: Box<dyn BufRead>,
    lines: Rc<Cell<Place>>,
    limit: u64,
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let buffer = self.input.fill_buf()?;
        let most = buffer.len().min(into.len());
        let Place { ended, .. } = self.lines.get();
        let (length, ends) = match buffer.iter().take(most).position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (most, false),
        };
        if length > 0 && ended >= self.limit {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        for (to, from) in into.iter_mut().zip(buffer.iter().take(length)) {
            *to = *from;
        }
        self.input.consume(length);
        if length > 0 {
            self.lines.set(Place { ended: ended + u64::from(ends), begun: !ends });
        }
        Ok(length)
    }
}
