//! One input read to its end: format, lines, observations that span lines. Knows what a line is for, not what its fields mean.

use super::claim::{ClaimFields, Setting};
use super::field::{Field, Given};
use super::lines::{Line, Lines, as_text};
use super::options::{ReadError, ReadOptions};
use super::parts::{Parts, Resolved};
use super::{Fault, Format, Incoming, Rejection, csv, excerpt, identify, json, tell};
use crate::model::{Claim, ObservationKind};
use std::collections::VecDeque;
use std::io::{BufRead, Chain, Cursor, Read};

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
    ///    `head`, `claims` or `observation`, of a chat if it has `text` or `content`. A line that names CSV columns for head, relation and tail is a header.
    ///    Unless the name says that it is JSON lines (`.jsonl`, `.ndjson`, `.json`), anything else that does not open like an object is text.
    ///
    /// # Errors
    /// [`ReadError::UnknownFormat`], [`ReadError::Io`].
    pub fn new(mut input: R, options: ReadOptions) -> Result<Self, ReadError> {
        let mut glanced = Vec::new();
        let format = match options.format {
            Format::Auto => tell::tell(&mut input, options.source_name.as_deref().unwrap_or_default(), &mut glanced)?,
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
        let Some(csv::Outcome { number, whole }) = csv::read_record(&mut self.lines, record, self.options.limits.line_bytes)? else {
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
        let limit = self.options.limits.depth;
        let depth = json::depth(text, limit);
        if depth > limit {
            return Err(Fault::line(format!("the JSON nests {depth} deep, more than the limit of {limit}")));
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
            let field = Field::of_claims(&name).ok_or_else(|| unknown(&name))?;
            if field == Field::Claims {
                nested = Some(json::list(raw).map_err(|reason| Fault::of(&name, reason))?);
            } else if field.is_of_observation() {
                parts.take(field, &name, Given::Json(raw))?;
            } else {
                flat.take(field, &name, Given::Json(raw))?;
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

#[cfg(test)]
mod tests {
    use super::super::{Limits, ObservedAt};
    use super::*;
    use crate::model::{Authority, Correction, Literal, Polarity, Quote, Term};
    use crate::time::{Instant, Zone, ZonedInstant};
    use proptest::prelude::*;

    const AT: &str = "2024-03-01T09:00:00+01:00";

    fn options(format: Format) -> ReadOptions {
        ReadOptions { format, observed_at: Some(ZonedInstant::parse(AT).unwrap().into()), ..ReadOptions::default() }
    }

    fn read_with(input: &[u8], options: ReadOptions) -> Vec<Result<Incoming, Rejection>> {
        Reader::new(input, options).unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn read(input: &str, format: Format) -> Vec<Result<Incoming, Rejection>> {
        read_with(input.as_bytes(), options(format))
    }

    fn one(line: &str, format: Format) -> Incoming {
        let mut read = read(line, format);
        assert_eq!(read.len(), 1, "{line}");
        read.remove(0).unwrap_or_else(|rejection| panic!("{line}: {rejection}"))
    }

    /// A claim about Ana with these further fields.
    fn claim(fields: &str) -> Claim {
        let line = format!(r#"{{"head": "Ana", "relation": "lives_in", "tail": "Oslo"{fields}}}"#);
        one(&line, Format::Claims).ready.remove(0)
    }

    fn refuse(line: &str, format: Format, field: Option<&str>, reason: &str) {
        // A good line after it must come through.
        let good = match format {
            Format::Chat => r#"{"role": "user", "text": "hi"}"#,
            Format::Auto | Format::Claims | Format::Triples | Format::Csv | Format::Text => r#"{"h": "a", "r": "b", "t": "c"}"#,
        };
        let read = read(&format!("{line}\n{good}\n"), format);
        assert_eq!(read.len(), 2, "{line}: {read:?}");
        let rejection = read[0].as_ref().unwrap_err();
        assert_eq!((rejection.line, rejection.field.as_deref()), (1, field), "{line}: {rejection}");
        assert!(rejection.reason.contains(reason), "{line}: {rejection}");
        assert_eq!(read[1].as_ref().unwrap().line, 2, "{line}");
    }

    fn refuse_claim(fields: &str, field: &str, reason: &str) {
        let line = format!(r#"{{"head": "Ana", "relation": "lives_in", "tail": "Oslo"{fields}}}"#);
        refuse(&line, Format::Claims, Some(field), reason);
    }

    #[test]
    fn a_bare_claim_gets_the_documented_defaults() {
        let incoming = one(r#"{"head": "Ana", "relation": "lives in", "tail": "Oslo"}"#, Format::Claims);
        let observation = &incoming.observation;
        assert_eq!(observation.kind, ObservationKind::Claims);
        assert_eq!(observation.observed_at.to_string(), AT);
        assert_eq!((observation.source.authority, observation.source.name.as_deref()), (Authority::Document, None));
        let claim = &incoming.ready[0];
        assert_eq!(claim.relation, "lives in", "as stated");
        assert_eq!(claim.span.to_string(), "by 2024-03-01T08:00:00Z/..", "already so when it was observed");
        assert_eq!((claim.polarity, claim.seen_at, claim.confidence, claim.importance), (Polarity::Holds, None, 1.0, 0.5));
        assert_eq!(claim.extractor, "ready");
    }

    #[test]
    fn spans_are_read_from_their_bounds_or_as_one_interval() {
        for (fields, span) in [
            (r#", "from": "2015""#, "2015/.."),
            (r#", "from": 2015, "to": 2018"#, "2015/2018"),
            (r#", "from": "by 2021-05""#, "by 2021-05/.."),
            (r#", "from": "always""#, "../.."),
            (r#", "to": "2018""#, "/2018"),
            (r#", "from": "unknown", "to": "by 2024-03""#, "/by 2024-03"),
            (r#", "from": null, "to": """#, "by 2024-03-01T08:00:00Z/.."),
            (r#####", "from": "1926-##-##", "to": "####-##-##""#####, "1926/.."),
            (r#####", "from": "####-##-##", "to": "1929-##-##""#####, "/1929"),
            (r#####", "from": "####-##-##", "to": "####-##-##""#####, "by 2024-03-01T08:00:00Z/.."),
            (r#", "valid": "2015/2018""#, "2015/2018"),
            (r#", "valid": "../2018""#, "../2018"),
            (r#", "valid": "2015/..""#, "2015/.."),
            (r#", "valid": "/2018""#, "/2018"),
            (r#", "valid": "2015""#, "2015/2015"),
            (r#", "polarity": "ends", "to": "2019""#, "/2019"),
            (r#", "polarity": "ends", "valid": "2019""#, "/2019"),
            (r#", "polarity": "ends""#, "/by 2024-03-01T08:00:00Z"),
            (r#", "polarity": "never", "from": "2019", "to": "2020""#, "2019/2020"),
            (r#", "polarity": "never""#, "by 2024-03-01T08:00:00Z/.."),
        ] {
            assert_eq!(claim(fields).span.to_string(), span, "{fields}");
        }
    }

    #[test]
    fn a_date_alone_as_observed_at_stands_for_its_end() {
        let incoming = one(r#"{"head": "Ana", "relation": "r", "tail": "b", "observed_at": "2024-03-01"}"#, Format::Claims);
        assert_eq!(incoming.observation.observed_at.to_string(), "2024-03-01T23:59:59.999999Z");
        assert_eq!(incoming.ready[0].span.to_string(), "by 2024-03-01/..");
        let zone = Zone::parse("America/New_York").unwrap();
        let local = ObservedAt::parse("2024-03-10T12:00:00", &zone).unwrap();
        assert_eq!(local.at.to_string(), "2024-03-10T12:00:00-04:00");
        assert_eq!(local.by, local.at.at);
    }

    #[test]
    fn every_field_of_a_claim_is_read() {
        let line = r#"{"observation": "m-1", "observed_at": "2024-03-01T09:00:00+01:00", "source": {"authority": "user", "name": "Ana"},
            "session": "s1", "speaker": "Ana", "role": "user", "text": "Sorry, I live in Rome, not Oslo.", "head": {"iri": "urn:x:ana"},
            "relation": "lives_in", "tail": {"literal": "Rome", "language": "IT"}, "polarity": "holds", "from": "2020", "seen_at": "observed_at",
            "confidence": 0.75, "importance": 0.9, "context": "<urn:graph:1>", "corrects": "Oslo", "quote": "I live in Rome"}"#
            .replace('\n', " ");
        let incoming = one(&line, Format::Claims);
        let observation = &incoming.observation;
        assert_eq!((observation.source.authority, observation.source.name.as_deref()), (Authority::User, Some("Ana")));
        assert_eq!(observation.key.as_deref(), Some("m-1"));
        assert_eq!(
            (observation.session.as_deref(), observation.speaker.as_deref(), observation.role.as_deref()),
            (Some("s1"), Some("Ana"), Some("user"))
        );
        let claim = &incoming.ready[0];
        assert_eq!(claim.head, Term::Iri("urn:x:ana".to_owned()));
        assert_eq!(claim.tail, Term::Literal(Literal::in_language("Rome", "it")));
        assert_eq!(claim.seen_at, Some(Instant::parse("2024-03-01T08:00:00Z").unwrap()));
        assert_eq!((claim.confidence, claim.importance), (0.75, 0.9));
        assert_eq!(claim.context.as_deref(), Some("urn:graph:1"));
        assert_eq!(claim.corrects, Some(Correction::Tail(Term::Name("Oslo".to_owned()))));
        assert_eq!(claim.quote, Some(Quote { from: 7, to: 21 }));
    }

    #[test]
    fn corrections_name_a_claim_or_a_tail() {
        let id = "00112233445566778899aabbccddeeff.3";
        for fields in [format!(r#", "corrects": "{id}""#), format!(r#", "corrects": {{"claim": "{id}"}}"#)] {
            assert_eq!(claim(&fields).corrects, Some(Correction::Claim(id.parse().unwrap())), "{fields}");
        }
        let tail = |term: Term| Some(Correction::Tail(term));
        assert_eq!(claim(r#", "corrects": {"tail": "Rome"}"#).corrects, tail(Term::Name("Rome".to_owned())));
        assert_eq!(claim(r#", "corrects": {"iri": "urn:x"}"#).corrects, tail(Term::Iri("urn:x".to_owned())));
        assert_eq!(claim(r#", "corrects": 2020"#).corrects, tail(Term::Literal(Literal::typed("2020", crate::model::vocab::XSD_INTEGER))));
        assert_eq!(
            claim(&format!(r#", "corrects": {{"tail": "{id}"}}"#)).corrects,
            tail(Term::Name(id.to_owned())),
            "a tail may look like an id"
        );
    }

    #[test]
    fn quotes_count_characters_and_must_occur() {
        let text = r#", "text": "Žofie says 東京 twice", "quote""#;
        assert_eq!(claim(&format!("{text}: \"東京\"")).quote, Some(Quote { from: 11, to: 13 }));
        assert_eq!(claim(&format!("{text}: [11, 13]")).quote, Some(Quote { from: 11, to: 13 }));
        for bad in ["[13, 11]", "[0, 20]", "[5, 5]", "\"Tokyo\"", "[1]", "[1.5, 2]", "3"] {
            refuse_claim(&format!("{text}: {bad}"), "quote", "");
        }
        refuse_claim(r#", "quote": [0, 1]"#, "quote", "no text");
    }

    #[test]
    fn lines_that_share_a_key_in_a_row_are_one_observation() {
        let input = r#"{"observation": "a", "text": "Ana moved.", "session": "s"}
{"observation": "a", "head": "Ana", "relation": "lives_in", "tail": "Oslo", "quote": "moved"}
{"observation": "a", "head": "Ana", "relation": "lives_in", "tale": "Bergen"}
{"observation": "a", "session": "other", "head": "Ana", "relation": "lives_in", "tail": "Bergen"}

{"observation": "a", "session": "s", "head": "Ana", "relation": "works_at", "tail": "Acme"}
{"observation": "b", "claims": [{"head": "Bo", "relation": "lives_in", "tail": "Turin"}, {"head": "Bo", "relation": "r", "tail": 1}]}
{"head": "Cy", "relation": "lives_in", "tail": "Rome"}
{"observation": "a", "head": "Ana", "relation": "lives_in", "tail": "Oslo"}
"#;
        let read = read(input, Format::Claims);
        let shape: Vec<(u64, Option<&str>, Option<usize>)> = read
            .iter()
            .map(|item| match item {
                Ok(incoming) => (incoming.line, incoming.observation.key.as_deref(), Some(incoming.ready.len())),
                Err(rejection) => (rejection.line, rejection.field.as_deref(), None),
            })
            .collect();
        assert_eq!(
            shape,
            [
                (3, Some("tale"), None),
                (4, Some("session"), None),
                (1, Some("a"), Some(2)),
                (7, Some("b"), Some(2)),
                (8, None, Some(1)),
                (9, Some("a"), Some(1)),
            ]
        );
    }

    #[test]
    fn a_fault_inside_a_list_of_claims_rejects_the_line_and_names_the_claim() {
        let line =
            r#"{"claims": [{"head": "a", "relation": "r", "tail": "b"}, {"head": "a", "relation": "r", "tail": "b", "to": "2019-13"}]}"#;
        refuse(line, Format::Claims, Some("claims[1].to"), "2019-13");
        refuse(r#"{"claims": [{"head": "a", "session": "s"}]}"#, Format::Claims, Some("claims[0].session"), "belongs to the observation");
        refuse(r#"{"claims": [3]}"#, Format::Claims, Some("claims[0]"), "expected an object");
        refuse(r#"{"claims": [], "head": "a"}"#, Format::Claims, Some("claims"), "not both");
        refuse(r#"{"claims": []}"#, Format::Claims, None, "needs claims or a text");
    }

    #[test]
    fn nonsense_is_rejected_naming_the_field_and_the_value() {
        refuse_claim(r#", "form": "2015""#, "form", "unknown field");
        refuse_claim(r#", "from": "2019-13""#, "from", "\"2019-13\"");
        refuse_claim(r#", "from": "2019", "to": "2018""#, "to", "\"2018\" lies before from \"2019\"");
        refuse_claim(r#", "valid": "2019/2018""#, "valid", "2018");
        refuse_claim(r#", "valid": "2019", "from": "2019""#, "valid", "give it or them");
        refuse_claim(r#", "valid": "/""#, "valid", "says nothing");
        refuse_claim(r#", "from": "unknown""#, "from", "says nothing");
        refuse_claim(r#", "polarity": "ends", "from": "2015""#, "from", "not that it began 2015");
        refuse_claim(r#", "polarity": "ends", "to": "open""#, "to", "says nothing");
        refuse_claim(r#", "polarity": "maybe""#, "polarity", "\"maybe\"");
        refuse_claim(r#", "confidence": NaN"#, "confidence", "NaN");
        refuse_claim(r#", "confidence": 1e999"#, "confidence", "1e999");
        refuse_claim(r#", "confidence": -0.1"#, "confidence", "-0.1");
        refuse_claim(r#", "confidence": "high""#, "confidence", "\"high\"");
        refuse_claim(r#", "importance": 1.0001"#, "importance", "1.0001");
        refuse_claim(r#", "seen_at": "yesterday""#, "seen_at", "yesterday");
        refuse_claim(r#", "from": "2015", "seen_at": "2014-06-01""#, "seen_at", "before it began");
        refuse_claim(r#", "observed_at": "now-ish""#, "observed_at", "now-ish");
        refuse_claim(r#", "source": "gossip""#, "source", "\"gossip\"");
        refuse_claim(r#", "source": {"authority": "user", "nmae": "x"}"#, "source.nmae", "unknown field");
        refuse_claim(r#", "role": "narrator""#, "role", "\"narrator\"");
        refuse_claim(r#", "kind": "poem""#, "kind", "\"poem\"");
        refuse_claim(r#", "context": "novel""#, "context", "scheme");
        refuse_claim(r#", "corrects": {"claim": "7"}"#, "corrects", "\"7\"");
        refuse_claim(r#", "tail": "Rome""#, "tail", "twice");
        refuse_claim(r#", "t": "Rome""#, "t", "twice");
        for (line, field, reason) in [
            (r#"{"head": "a", "relation": "r"}"#, Some("tail"), "is missing"),
            (r#"{"head": "", "relation": "r", "tail": "b"}"#, Some("head"), "something visible"),
            (r#"{"head": 3, "relation": "r", "tail": "b"}"#, Some("head"), "only be a tail"),
            (r#"{"head": "a", "relation": " ", "tail": "b"}"#, Some("relation"), "something visible"),
            (r#"{"head": "a", "relation": 3, "tail": "b"}"#, Some("relation"), "wants a text, not 3"),
            (r#"{"head": "a", "relation": "r", "tail": null}"#, Some("tail"), "null"),
            (r#"{"head": "a", "relation": "r", "tail": {"iri": "b"}}"#, Some("tail"), "scheme"),
            (r#"{"head": "a\u0000", "relation": "r", "tail": "b"}"#, Some("head"), "U+0000"),
            (r#"["h", "r", "t"]"#, None, "expected an object"),
            ("head,relation,tail", None, "no JSON object"),
        ] {
            refuse(line, Format::Claims, field, reason);
        }
    }

    #[test]
    fn observed_at_is_never_guessed() {
        let options = ReadOptions { format: Format::Claims, ..ReadOptions::default() };
        let read = read_with(br#"{"head": "a", "relation": "r", "tail": "b"}"#, options.clone());
        assert_eq!(read[0].as_ref().unwrap_err().field.as_deref(), Some("observed_at"));
        let text = read_with(b"prose", ReadOptions { format: Format::Text, ..options });
        assert_eq!(text[0].as_ref().unwrap_err().field.as_deref(), Some("observed_at"));
    }

    #[test]
    fn bytes_that_are_no_text_long_lines_and_cut_off_ends_cost_their_line() {
        let good = r#"{"h": "a", "r": "b", "t": "c"}"#;
        let mut input = format!("\u{feff}{good}\r\n").into_bytes();
        input.extend_from_slice(b"{\"h\": \"\xff\", \"r\": \"b\", \"t\": \"c\"}\n");
        input.extend_from_slice(format!("{{\"h\": \"{}\"}}\n{good}\n{{\"h\": \"cut", "x".repeat(200)).as_bytes());
        let mut options = options(Format::Auto);
        options.limits.line_bytes = 100;
        let read = read_with(&input, options);
        let reasons: Vec<(u64, &str)> =
            read.iter().filter_map(|item| item.as_ref().err()).map(|rejection| (rejection.line, rejection.reason.as_str())).collect();
        assert_eq!(
            reasons,
            [
                (2, "not UTF-8: byte 0xff at byte 7 (from 0)"),
                (3, "the line is longer than 100 bytes"),
                (5, "the line ends inside its JSON value: cut off?"),
            ]
        );
        assert_eq!(read.iter().filter(|item| item.is_ok()).count(), 2);
    }

    #[test]
    fn sizes_beyond_the_limits_are_named() {
        let limited = |limits: Limits| ReadOptions { limits, ..options(Format::Claims) };
        let reason = |input: &str, limits: Limits| {
            let read = read_with(input.as_bytes(), limited(limits));
            let rejection = read.into_iter().find_map(Result::err).unwrap();
            (rejection.field.unwrap_or_default(), rejection.reason)
        };
        let line = r#"{"observation": "a", "head": "Ana", "relation": "r", "tail": "a long tail", "text": "some text"}"#;
        let (field, why) = reason(line, Limits { term_bytes: 8, ..Limits::default() });
        assert_eq!((field.as_str(), why.as_str()), ("tail", "11 bytes are more than the limit of 8"));
        let (field, why) = reason(line, Limits { text_bytes: 8, ..Limits::default() });
        assert_eq!((field.as_str(), why.as_str()), ("text", "9 bytes are more than the limit of 8"));
        let (field, why) = reason(&format!("{line}\n{line}\n{line}"), Limits { claims_per_observation: 2, ..Limits::default() });
        assert_eq!((field.as_str(), why.as_str()), ("claims", "more than 2 claims in one observation"));
        let (_, why) = reason(&"[".repeat(100_000), Limits::default());
        assert_eq!(why, "the JSON nests 100000 deep, more than the limit of 16");
    }

    #[test]
    fn chat_turns_are_kept_verbatim_with_the_authority_of_their_role() {
        for (fields, authority, kind) in [
            (r#""role": "user""#, Authority::User, ObservationKind::Chat),
            (r#""role": "Assistant""#, Authority::Assistant, ObservationKind::Chat),
            (r#""role": "tool""#, Authority::Tool, ObservationKind::ToolResult),
            (r#""role": "system""#, Authority::Document, ObservationKind::Chat),
            (r#""speaker": "Ana""#, Authority::User, ObservationKind::Chat),
            (r#""role": "user", "source": "curated""#, Authority::Curated, ObservationKind::Chat),
            (r#""role": "user", "source": "tool:weather""#, Authority::Tool, ObservationKind::Chat),
        ] {
            let incoming = one(&format!(r#"{{{fields}, "text": "  I moved to Oslo.\n", "session": "s", "id": "t-1"}}"#), Format::Chat);
            let observation = &incoming.observation;
            assert_eq!((observation.source.authority, observation.kind), (authority, kind), "{fields}");
            assert_eq!(observation.text.as_deref(), Some("  I moved to Oslo.\n"), "verbatim");
            assert_eq!((observation.key.as_deref(), incoming.ready.len()), (Some("t-1"), 0));
        }
        refuse(r#"{"role": "user", "text": ""}"#, Format::Chat, Some("text"), "missing or empty");
        refuse(r#"{"role": "user", "text": "a", "head": "b"}"#, Format::Chat, Some("head"), "unknown field");
        let twice = read("{\"id\": \"a\", \"text\": \"x\"}\n{\"id\": \"a\", \"text\": \"y\"}", Format::Chat);
        assert_eq!(twice.len(), 2, "each turn is an observation, whatever its id");
    }

    #[test]
    fn csv_rows_are_claims_with_terms_in_their_canonical_text() {
        let input = "head,relation,tail,from,to,source,confidence,observed_at\n\
            Ana,lives_in,\"Oslo, Norway\",2015,,user,0.5,2024-03-01T09:00:00Z\n\
            <urn:x:1>,works_on,#7-Alpha/b,,,,,\n\
            Ana,age,\"\"\"41\"\"^^xsd:integer\",2024,2024,tool:crm,,\n\
            Ana,lives_in,Oslo,2019,2018,,,\n\
            Ana,lives_in\n\
            Ana,lives_in,Oslo,,1929-##-##,,,\n";
        let read = read(input, Format::Csv);
        let ready: Vec<&Incoming> = read.iter().filter_map(|item| item.as_ref().ok()).collect();
        assert_eq!(ready.iter().map(|incoming| incoming.line).collect::<Vec<_>>(), [2, 3, 4, 7]);
        assert_eq!(ready[0].ready[0].tail, Term::Name("Oslo, Norway".to_owned()));
        assert_eq!((ready[0].ready[0].confidence, ready[0].observation.source.authority), (0.5, Authority::User));
        assert_eq!(ready[1].ready[0].head, Term::Iri("urn:x:1".to_owned()));
        assert_eq!(ready[1].ready[0].tail, Term::Name("#7-Alpha/b".to_owned()));
        assert_eq!(ready[2].ready[0].tail, Term::Literal(Literal::typed("41", crate::model::vocab::XSD_INTEGER)));
        assert_eq!(ready[2].observation.source.name.as_deref(), Some("crm"));
        assert_eq!(ready[3].ready[0].span.to_string(), "/1929", "a row with only an end has an unknown start");
        let refused: Vec<String> = read.iter().filter_map(|item| item.as_ref().err()).map(ToString::to_string).collect();
        assert_eq!(refused, ["line 5: to: \"2018\" lies before from \"2019\"", "line 6: 2 cells, but the header has 8 columns"]);
    }

    #[test]
    fn a_csv_without_a_usable_header_stops() {
        for (input, reason) in [("Ana,lives_in,Oslo\n", "unknown column \"Ana\""), ("head,relation\n", "no column for tail")] {
            let error = Reader::new(input.as_bytes(), options(Format::Csv)).unwrap().next().unwrap().unwrap_err();
            assert_eq!(error.to_string(), format!("line 1: header: {reason}"));
        }
        assert_eq!(read("", Format::Csv), []);
    }

    #[test]
    fn a_text_is_one_document_verbatim() {
        let incoming = one("\u{feff}First line.\r\n\r\nLast.", Format::Text);
        assert_eq!(incoming.observation.text.as_deref(), Some("First line.\r\n\r\nLast."));
        assert_eq!((incoming.observation.kind, incoming.line), (ObservationKind::Document, 1));
        assert_eq!(read("  \n", Format::Text)[0].as_ref().unwrap_err().reason, "the document is empty");
        let mut options = options(Format::Text);
        options.limits.text_bytes = 3;
        assert_eq!(read_with(b"abc", options.clone()).len(), 1);
        assert!(read_with(b"abcd", options)[0].is_err(), "too long");
    }

    #[test]
    fn what_was_looked_at_to_tell_the_format_is_read_again() {
        let glanced = read_with(b"\n{\"h\": \"a\", \"r\": \"b\", \"t\": \"c\"}", options(Format::Auto));
        assert_eq!(glanced[0].as_ref().unwrap().line, 2, "what was looked at is read again");
    }

    #[test]
    fn a_failing_input_gives_no_half_observation() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the wire is cut"))
            }
        }
        let lines = "{\"head\": \"z\", \"relation\": \"r\", \"tail\": \"b\"}\n{\"observation\": \"a\", \"head\": \"a\", \"relation\": \"r\", \"tail\": \"b\"}\n";
        let input = std::io::BufReader::new(lines.as_bytes().chain(Failing));
        let read: Vec<_> = Reader::new(input, options(Format::Claims)).unwrap().collect();
        assert_eq!(read.len(), 2, "{read:?}");
        assert!(read[0].as_ref().unwrap().is_ok(), "what was whole has come");
        assert_eq!(read[1].as_ref().unwrap_err().to_string(), "after line 2: the wire is cut");
    }

    #[test]
    fn the_defaults_of_a_file_do_not_depend_on_its_folder() {
        let line = br#"{"head": {"blank": "b0"}, "relation": "r", "tail": {"blank": "b0"}, "observed_at": "2024-03-01T00:00:00Z"}"#;
        let from = |path: &str| read_with(line, ReadOptions::for_file(path.as_ref())).remove(0).unwrap();
        assert_eq!(from("/a/facts.jsonl.gz"), from("facts.jsonl"));
        assert_ne!(from("facts.jsonl").ready[0].head, from("other.jsonl").ready[0].head, "blank nodes stay in their import");
        assert_eq!(from("facts.jsonl").ready[0].head, from("facts.jsonl").ready[0].tail, "and are one within it");
        assert_eq!(from("facts.jsonl").observation.source.name.as_deref(), Some("facts.jsonl"));
    }

    #[test]
    fn reading_again_gives_the_same_ids_and_only_a_changed_line_changes() {
        let input = "{\"h\": \"a\", \"r\": \"b\", \"t\": \"c\"}\n{\"h\": \"a\", \"r\": \"b\", \"t\": \"d\"}\n";
        let ids = |input: &str| read(input, Format::Triples).into_iter().map(|item| item.unwrap().observation.id).collect::<Vec<_>>();
        let (first, again, changed) = (ids(input), ids(&input.replace('\n', "\r\n\r\n")), ids(&input.replace("\"d\"", "\"e\"")));
        assert_eq!(first, again, "white space between lines is no content");
        assert_eq!(first[0], changed[0]);
        assert_ne!(first[1], changed[1]);
    }

    fn any_format() -> impl Strategy<Value = Format> {
        prop_oneof![
            Just(Format::Auto),
            Just(Format::Claims),
            Just(Format::Chat),
            Just(Format::Triples),
            Just(Format::Csv),
            Just(Format::Text)
        ]
    }

    /// Pieces that come near to what the formats are made of.
    fn near_miss() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"{\"head\": \"a\", \"relation\": \"r\", \"tail\": ".to_vec()),
            Just(b"{\"observation\": \"k\", \"claims\": [{\"h\": \"a\"".to_vec()),
            Just(b"head,relation,tail,from,to\n".to_vec()),
            Just(b"\"from\": \"by 2019\", ".to_vec()),
            Just(b"{\"iri\": \"urn:x\"}".to_vec()),
            Just(b"\"corrects\": {\"tail\": [".to_vec()),
            Just(b"}\n".to_vec()),
            Just(b"\"".to_vec()),
            Just(b"\\ud800".to_vec()),
            Just(b",".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\xef\xbb\xbf".to_vec()),
            "[0-9#/.~?X-]{1,10}".prop_map(String::into_bytes),
            any::<Vec<u8>>(),
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_bytes_make_any_reader_panic_or_lose_a_good_line(bytes in near_miss(), format in any_format(), line_bytes in 0_usize..200) {
            let mut options = options(format);
            options.limits.line_bytes = line_bytes;
            if let Ok(reader) = Reader::new(&bytes[..], options) {
                let lines = bytes.split(|byte| *byte == b'\n').count();
                let items = reader.count();
                prop_assert!(items <= lines + 1, "{} items from {} lines", items, lines);
            }
        }

        #[test]
        fn a_good_line_after_any_line_comes_through(noise in "\\PC{0,40}|\\{[\":,{}\\[\\]a-z0-9 ]{0,40}") {
            let input = format!("{noise}\n{{\"h\": \"a\", \"r\": \"b\", \"t\": \"c\"}}\n");
            let good = read(&input, Format::Claims).into_iter().filter_map(Result::ok).any(|incoming| incoming.line == 2);
            prop_assert!(good);
        }
    }
}
