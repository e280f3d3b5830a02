//! One input read to its end: format, lines, observations that span lines. Knows what a line is for, not what its fields mean.

use super::claim::{ClaimFields, Setting};
use super::field::{Field, Given};
use super::lines::{Line, Lines, as_text};
use super::options::{ReadError, ReadOptions};
use super::parts::{Parts, Resolved};
use super::{Fault, Format, Incoming, Rejection, csv, excerpt, identify, json};
use crate::model::{Claim, ObservationKind};
use std::collections::VecDeque;
use std::io::{BufRead, Chain, Cursor, Read};

/// The most that is looked at to tell a format.
const GLANCE_BYTES: u64 = 64 * 1024;

/// Reads an input as a stream of observations and rejections, in the order of its lines; nothing after a bad line is lost.
///
/// A line that is rejected changes nothing. An observation of several lines comes when its last one is read; rejections come at once.
/// After a [`ReadError`] there is nothing more.
///
/// ```
/// use erstwhile::observe::{ReadOptions, Reader};
/// let input = r#"{"head": "Ana", "relation": "lives_in", "tail": "Oslo", "from": "2015", "observed_at": "2024-03-01T09:00:00+01:00"}
/// {"head": "Ana", "relation": "lives_in", "tail": "Turin", "form": "2018", "observed_at": "2024-03-01T09:00:00+01:00"}"#;
/// let read: Vec<_> = Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<_, _>>()?;
/// let oslo = read[0].as_ref().unwrap();
/// assert_eq!(oslo.ready[0].span.to_string(), "2015/..");
/// assert_eq!(read[1].as_ref().unwrap_err().field.as_deref(), Some("form"));
/// # Ok::<(), erstwhile::observe::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<Chain<Cursor<Vec<u8>>, R>>,
    options: ReadOptions,
    format: Format,
    blank_suffix: Option<String>,
    /// The CSV header, once read.
    columns: Option<Vec<Field>>,
    line: Line,
    /// The observation whose lines are being read.
    open: Option<Open>,
    ready: VecDeque<Result<Incoming, Rejection>>,
    done: bool,
}

/// An observation that further lines may add to.
#[derive(Debug)]
struct Open {
    resolved: Resolved,
    claims: Vec<Claim>,
    line: u64,
}

impl<R: BufRead> Reader<R> {
    /// Begins to read. With [`Format::Auto`] the format is told so:
    ///
    /// 1. By the source's name, without `.gz`: `.csv` is CSV; `.txt`, `.text`, `.md` and `.markdown` are text.
    /// 2. Else by the first line that is not empty. A JSON object is a line of triples if it has `h` or `subject`, of claims if it has
    ///    `head` or `claims`, of a chat if it has `text` or `content`. A line that names CSV columns for head, relation and tail is a header.
    ///    Unless the name says that it is JSON lines (`.jsonl`, `.ndjson`, `.json`), anything else that does not open like an object is text.
    ///
    /// # Errors
    /// [`ReadError::UnknownFormat`], [`ReadError::Io`].
    pub fn new(mut input: R, options: ReadOptions) -> Result<Self, ReadError> {
        let mut glanced = Vec::new();
        let format = match options.format {
            Format::Auto => tell(&mut input, options.source_name.as_deref().unwrap_or_default(), &mut glanced)?,
            named @ (Format::Claims | Format::Chat | Format::Triples | Format::Csv | Format::Text) => named,
        };
        let blank_suffix = options.blank_scope.as_ref().map(|scope| blake3::hash(scope.as_bytes()).to_hex().chars().take(12).collect());
        Ok(Self {
            lines: Lines::new(Cursor::new(glanced).chain(input), options.limits.line_bytes, options.limits.lines),
            options,
            format,
            blank_suffix,
            columns: None,
            line: Line::empty(),
            open: None,
            ready: VecDeque::new(),
            done: false,
        })
    }

    /// The format that is read; never [`Format::Auto`].
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Reads one line, record or document; `false` at the end.
    fn step(&mut self) -> Result<bool, ReadError> {
        let mut line = std::mem::replace(&mut self.line, Line::empty());
        let step = match self.format {
            Format::Auto | Format::Claims | Format::Triples | Format::Chat => self.step_json(&mut line),
            Format::Csv => self.step_csv(&mut line),
            Format::Text => self.whole_text(),
        };
        self.line = line;
        step
    }

    fn step_json(&mut self, line: &mut Line) -> Result<bool, ReadError> {
        if !self.lines.read(line)? {
            return Ok(false);
        }
        let taken = match line.text(self.options.limits.line_bytes) {
            Ok(text) if text.trim().is_empty() => Ok(()),
            Ok(text) if self.format == Format::Chat => self.chat_line(text, line.number),
            Ok(text) => self.claims_line(text, line.number),
            Err(fault) => Err(fault),
        };
        self.note(line.number, taken);
        Ok(true)
    }

    fn step_csv(&mut self, record: &mut Line) -> Result<bool, ReadError> {
        let Some((number, whole)) = csv::read_record(&mut self.lines, record, self.options.limits.line_bytes)? else {
            return Ok(false);
        };
        let text = whole.and_then(|()| csv::record_text(record));
        let Some(columns) = self.columns.take() else {
            let bad = |reason: String| ReadError::BadHeader { line: number, reason };
            match text.map_err(|fault| bad(fault.reason))? {
                blank if blank.trim().is_empty() => {}
                header => self.columns = Some(csv::columns(header).map_err(bad)?),
            }
            return Ok(true);
        };
        let taken = match text {
            Ok(text) if text.trim().is_empty() => Ok(()),
            Ok(text) => self.csv_record(text, number, &columns),
            Err(fault) => Err(fault),
        };
        self.columns = Some(columns);
        self.note(number, taken);
        Ok(true)
    }

    fn note(&mut self, line: u64, taken: Result<(), Fault>) {
        if let Err(fault) = taken {
            self.ready.push_back(Err(fault.at(line)));
        }
    }

    fn fields<'a>(&self, text: &'a str) -> Result<json::Fields<'a>, Fault> {
        let depth = json::depth(text);
        if depth > self.options.limits.depth {
            return Err(Fault::line(format!("the JSON nests {depth} deep, more than the limit of {}", self.options.limits.depth)));
        }
        json::object(text)
    }

    fn chat_line(&mut self, text: &str, line: u64) -> Result<(), Fault> {
        let mut parts = Parts::default();
        for (name, raw) in self.fields(text)? {
            let field = Field::of_chat(&name).ok_or_else(|| unknown(&name))?;
            parts.take(field, &name, Given::Json(raw))?;
        }
        if parts.text.is_none() {
            return Err(Fault::of(Field::Text.name(), "is missing or empty"));
        }
        let resolved = parts.resolve(&self.options, ObservationKind::Chat)?;
        self.ready.push_back(Ok(finished(Open { resolved, claims: Vec::new(), line })));
        Ok(())
    }

    fn claims_line(&mut self, text: &str, line: u64) -> Result<(), Fault> {
        let (mut parts, mut flat, mut nested) = (Parts::default(), ClaimFields::default(), None);
        for (name, raw) in self.fields(text)? {
            match Field::of_claims(&name).ok_or_else(|| unknown(&name))? {
                Field::Claims => nested = Some(json::list(raw).map_err(|reason| Fault::of(&name, reason))?),
                field if field.is_of_observation() => parts.take(field, &name, Given::Json(raw))?,
                field => flat.take(field, &name, Given::Json(raw))?,
            }
        }
        let claims = match nested {
            None if flat.is_empty() => Vec::new(),
            None => vec![flat],
            Some(_) if !flat.is_empty() => {
                return Err(Fault::of(Field::Claims.name(), "a line has its one claim in its own fields, or a list of claims, not both"));
            }
            Some(items) => {
                let mut claims = Vec::with_capacity(items.len());
                for (at, item) in items.into_iter().enumerate() {
                    claims.push(nested_claim(item.get()).map_err(|fault| fault.inside(&format!("claims[{at}]")))?);
                }
                claims
            }
        };
        let listed = claims.len() != 1;
        self.add(line, parts, claims, listed)
    }

    fn csv_record(&mut self, text: &str, line: u64, columns: &[Field]) -> Result<(), Fault> {
        let cells = csv::cells(text);
        if cells.len() != columns.len() {
            return Err(Fault::line(format!("{} cells, but the header has {} columns", cells.len(), columns.len())));
        }
        let (mut parts, mut claim) = (Parts::default(), ClaimFields::default());
        for (field, cell) in columns.iter().zip(cells) {
            if cell.trim().is_empty() {
                continue;
            }
            if field.is_of_observation() {
                parts.take(*field, field.name(), Given::Cell(cell))?;
            } else {
                claim.take(*field, field.name(), Given::Cell(cell))?;
            }
        }
        self.add(line, parts, vec![claim], false)
    }

    /// Adds a line's claims to the observation that is open if it is of the same key, else opens one.
    fn add(&mut self, line: u64, parts: Parts<'_>, claims: Vec<ClaimFields<'_>>, listed: bool) -> Result<(), Fault> {
        let same = match (&self.open, &parts.key) {
            (Some(open), Some(key)) => open.resolved.observation.key.as_deref() == Some(key.as_ref()),
            _ => false,
        };
        let mut open = match self.open.take() {
            Some(open) if same => {
                if let Err(fault) = parts.agree_with(&open.resolved, &self.options) {
                    self.open = Some(open);
                    return Err(fault);
                }
                open
            }
            other => {
                self.open = other;
                if claims.is_empty() && parts.text.is_none() {
                    return Err(Fault::line("an observation needs claims or a text"));
                }
                Open { resolved: parts.resolve(&self.options, ObservationKind::Claims)?, claims: Vec::new(), line }
            }
        };
        let before = open.claims.len();
        let added = self.build(&mut open, claims, listed);
        if same {
            if added.is_err() {
                open.claims.truncate(before);
            }
            self.open = Some(open);
            return added;
        }
        added?;
        self.close();
        if open.resolved.observation.key.is_some() {
            self.open = Some(open);
        } else {
            self.ready.push_back(Ok(finished(open)));
        }
        Ok(())
    }

    fn build(&self, open: &mut Open, claims: Vec<ClaimFields<'_>>, listed: bool) -> Result<(), Fault> {
        let limit = self.options.limits.claims_per_observation;
        if open.claims.len() + claims.len() > limit {
            return Err(Fault::of(Field::Claims.name(), format!("more than {limit} claims in one observation")));
        }
        let setting = Setting {
            observed_at: open.resolved.observed_at,
            text: open.resolved.observation.text.as_deref(),
            zone: &self.options.zone,
            limits: &self.options.limits,
            blank_suffix: self.blank_suffix.as_deref(),
        };
        for (at, claim) in claims.into_iter().enumerate() {
            let built = claim.build(&setting);
            open.claims.push(built.map_err(|fault| if listed { fault.inside(&format!("claims[{at}]")) } else { fault })?);
        }
        Ok(())
    }

    /// The open observation is complete.
    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.ready.push_back(Ok(finished(open)));
        }
    }

    /// The whole input as one document.
    fn whole_text(&mut self) -> Result<bool, ReadError> {
        let limit = self.options.limits.text_bytes;
        let bytes = self.lines.rest(limit)?;
        let taken = match bytes.as_deref().map(as_text) {
            None => Err(Fault::of(Field::Text.name(), format!("the document is longer than {limit} bytes"))),
            Some(Err(fault)) => Err(fault),
            Some(Ok(text)) if text.trim().is_empty() => Err(Fault::of(Field::Text.name(), "the document is empty")),
            Some(Ok(text)) => {
                let parts = Parts::of_text(text);
                parts.resolve(&self.options, ObservationKind::Document).map(|resolved| {
                    self.ready.push_back(Ok(finished(Open { resolved, claims: Vec::new(), line: 1 })));
                })
            }
        };
        self.note(1, taken);
        Ok(false)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Result<Incoming, Rejection>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(Ok(item));
            }
            if self.done {
                return None;
            }
            match self.step() {
                Ok(true) => {}
                Ok(false) => {
                    self.done = true;
                    self.close();
                }
                Err(error) => {
                    // What is open may lack lines that were not read; half an observation is none.
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

fn unknown(name: &str) -> Fault {
    Fault::of(&excerpt(name), "unknown field")
}

fn nested_claim(text: &str) -> Result<ClaimFields<'_>, Fault> {
    let mut claim = ClaimFields::default();
    for (name, raw) in json::object(text)? {
        claim.take(Field::of_claims(&name).ok_or_else(|| unknown(&name))?, &name, Given::Json(raw))?;
    }
    Ok(claim)
}

fn finished(open: Open) -> Incoming {
    let mut observation = open.resolved.observation;
    observation.id = identify(&observation, &open.claims);
    Incoming { observation, ready: open.claims, line: open.line }
}

/// Tells the format, see [`Reader::new`]; what was looked at is left in `glanced`.
fn tell(input: &mut impl BufRead, name: &str, glanced: &mut Vec<u8>) -> Result<Format, ReadError> {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if ends(&[".csv"]) {
        return Ok(Format::Csv);
    }
    if ends(&[".txt", ".text", ".md", ".markdown"]) {
        return Ok(Format::Text);
    }
    let json_by_name = ends(&[".jsonl", ".ndjson", ".json"]);
    let mut number = 0;
    loop {
        let (start, left) = (glanced.len(), GLANCE_BYTES.saturating_sub(glanced.len() as u64));
        let read = input.by_ref().take(left).read_until(b'\n', glanced).map_err(|error| ReadError::Io { line: number, error })?;
        number += 1;
        let line = String::from_utf8_lossy(glanced.get(start..).unwrap_or_default());
        let line = line.trim_start_matches('\u{feff}').trim();
        if !line.is_empty() {
            return tell_line(line, json_by_name).map_err(|reason| ReadError::UnknownFormat { line: number, reason });
        }
        if read == 0 {
            // Nothing but white space: any format of lines finds nothing in it.
            return Ok(Format::Claims);
        }
    }
}

fn tell_line(line: &str, json_by_name: bool) -> Result<Format, String> {
    if !line.starts_with('{') {
        if csv::columns(line).is_ok() {
            return Ok(Format::Csv);
        }
        return if json_by_name { Err(format!("no JSON object: {:?}", excerpt(line))) } else { Ok(Format::Text) };
    }
    // A broken first line is rejected later; here it is enough that it names its fields.
    let names: Vec<String> = match json::object(line) {
        Ok(fields) => fields.into_iter().map(|(name, _)| name.into_owned()).collect(),
        Err(_broken) => line.split('"').skip(1).step_by(2).map(str::to_owned).collect(),
    };
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    if has(&["h", "subject"]) {
        Ok(Format::Triples)
    } else if has(&["head", "claims"]) {
        Ok(Format::Claims)
    } else if has(&["text", "content"]) {
        Ok(Format::Chat)
    } else {
        Err(format!("a JSON object with neither head, claims nor text: {:?}", excerpt(line)))
    }
}
