//! `sparql`: a query is run on a thread of its own, and its answer is written as it comes.
//!
//! Owns formats, the table, the time limit and the thread. Knows no syntax and no plan beyond what it prints.

use super::args::{AnswerFormat, Asking, Sparql};
use super::cells::Cells;
use super::context::Context;
use super::fail::{DONE, Failure};
use super::hand::written_by_hand;
use super::output::{Paint, Screen, clean, count, pad, shorten};
use super::read::{Outcome, print_json};
use super::words::position;
use crate::graph::View;
use crate::sparql::{Answer, Query, QueryKind, QueryOptions, RdfView, STACK_BYTES, SparqlError};
use crate::surface::chunks::Chunks;
use crate::surface::transfer::{self, Envelope, SCHEMA};
use crate::time::AsOf;
use oxrdf::{Term as RdfTerm, Variable};
use oxrdfio::RdfFormat;
use serde_json::{Value, json};
use sparesults::{QueryResultsFormat, QueryResultsSerializer};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthStr;

/// The columns of a table are as wide as its first rows need.
const FIRST_ROWS: usize = 64;
/// So long the first row waits for those that come with it.
const PATIENCE: Duration = Duration::from_millis(250);
/// Rows or chunks that are computed ahead of what is written.
const AHEAD: usize = 64;
/// How wide a pattern is shown in a plan.
const PATTERN_COLUMNS: usize = 72;

/// `sparql QUERY`.
pub(super) fn sparql(context: &Context, screen: &mut Screen<'_>, asked: &Sparql) -> Outcome {
    let text = text_of(&asked.query)?;
    let query = Query::parse(&text).map_err(|error| Failure::query(error, &text))?;
    ask(context, screen, "sparql", &query, &asked.how)
}

/// The text of a query that is given as such, in a file or on standard input. A text without a blank cannot be a query.
fn text_of(given: &str) -> Result<String, Failure> {
    if given == "-" || Path::new(given).is_file() || !given.contains(char::is_whitespace) {
        written_by_hand(Path::new(given))
    } else {
        Ok(given.to_owned())
    }
}

/// Where a query reads: a position in its text comes before one given beside it.
pub(super) fn where_it_reads(context: &Context, query: &Query, how: &Asking) -> Result<AsOf, Failure> {
    Ok(query.as_of(context.position(("--at", how.at.as_deref()), ("--known-at", how.known_at.as_deref()))?))
}

/// Runs a query and writes its answer, or how it would be run.
pub(super) fn ask(context: &Context, screen: &mut Screen<'_>, command: &str, query: &Query, how: &Asking) -> Outcome {
    let as_of = where_it_reads(context, query, how)?;
    let form = form(context, command, query.kind(), as_of, how)?;
    let view = context.tenant.at(as_of)?;
    let options = QueryOptions { max_rows: how.limit, now: Some(context.now()), ..QueryOptions::default() };
    let shows_table = matches!(form, Form::Table) && !how.explain;
    let job = Job { query: query.clone(), view: view.clone(), certain: how.certain, options, form, explain: how.explain };
    let mut show = Show { context, command, as_of, table: Table::new(Cells::new(context, &view)) };
    let ended = run(job, how.timeout, &mut |piece| show.piece(screen, piece))?;
    if let Err(error) = ended {
        show.table.flush(screen)?;
        return Err(match (error, how.timeout) {
            (SparqlError::Stopped, Some(after)) => Failure::TimedOut { after },
            (error, _) => Failure::query(error, ""),
        });
    }
    if shows_table {
        show.end(screen, query.kind())?;
    }
    Ok(DONE)
}

/// How an answer is written.
enum Form {
    Table,
    Results(QueryResultsFormat),
    Graph(RdfFormat),
    /// One object on one line that is SPARQL results in JSON, too; this is what stands before them.
    Envelope(String),
}

/// The form that was asked for, if the kind of answer has it.
fn form(context: &Context, command: &str, kind: QueryKind, as_of: AsOf, how: &Asking) -> Result<Form, Failure> {
    if context.json {
        return match how.format {
            None | Some(AnswerFormat::Json) => Ok(Form::Envelope(before_results(context, command, as_of)?)),
            Some(other) => {
                let next = "leave `--json` out, or leave the format out";
                Err(Failure::given("--format", word_of(other), "`--json` writes one JSON object", next))
            }
        };
    }
    let format = how.format.unwrap_or(AnswerFormat::Table);
    if how.explain {
        let next = "`--explain` is written for people, and with `--json` as JSON";
        return if format == AnswerFormat::Table {
            Ok(Form::Table)
        } else {
            Err(Failure::given("--format", word_of(format), "a plan is no answer", next))
        };
    }
    let (asks, is_graph) = match kind {
        QueryKind::Select => ("SELECT answers rows", false),
        QueryKind::Ask => ("ASK answers yes or no", false),
        QueryKind::Construct => ("CONSTRUCT answers triples", true),
        QueryKind::Describe => ("DESCRIBE answers triples", true),
    };
    let form = match format {
        AnswerFormat::Table => return Ok(Form::Table),
        AnswerFormat::Json => Form::Results(QueryResultsFormat::Json),
        AnswerFormat::Csv => Form::Results(QueryResultsFormat::Csv),
        AnswerFormat::Tsv => Form::Results(QueryResultsFormat::Tsv),
        AnswerFormat::Xml => Form::Results(QueryResultsFormat::Xml),
        AnswerFormat::Turtle => Form::Graph(RdfFormat::Turtle),
        AnswerFormat::Ntriples => Form::Graph(RdfFormat::NTriples),
        AnswerFormat::Jsonld => Form::Graph(RdfFormat::from_extension("jsonld").unwrap_or(RdfFormat::NTriples)),
        AnswerFormat::Rdfxml => Form::Graph(RdfFormat::RdfXml),
        AnswerFormat::Trig => Form::Graph(RdfFormat::TriG),
        AnswerFormat::Nquads => Form::Graph(RdfFormat::NQuads),
    };
    if matches!(form, Form::Graph(_)) == is_graph {
        return Ok(form);
    }
    let fits = if is_graph { "table, turtle, ntriples, jsonld, rdfxml, trig, nquads" } else { "table, json, csv, tsv, xml" };
    Err(Failure::given("--format", word_of(format), format!("{asks}, which it does not hold"), format!("what does: {fits}")))
}

fn word_of(format: AnswerFormat) -> &'static str {
    match format {
        AnswerFormat::Table => "table",
        AnswerFormat::Json => "json",
        AnswerFormat::Csv => "csv",
        AnswerFormat::Tsv => "tsv",
        AnswerFormat::Xml => "xml",
        AnswerFormat::Turtle => "turtle",
        AnswerFormat::Ntriples => "ntriples",
        AnswerFormat::Jsonld => "jsonld",
        AnswerFormat::Rdfxml => "rdfxml",
        AnswerFormat::Trig => "trig",
        AnswerFormat::Nquads => "nquads",
    }
}

/// The frame of every JSON answer, up to where the results begin.
fn before_results(context: &Context, command: &str, as_of: AsOf) -> Result<String, Failure> {
    let tenant = Some(context.id.as_str());
    let envelope = Envelope { schema: SCHEMA, command, tenant, as_of: Some(transfer::as_of(as_of)), body: json!({}) };
    let mut frame = serde_json::to_string(&envelope).map_err(io::Error::from)?;
    frame.pop();
    frame.push(',');
    Ok(frame)
}

/// A query that is ready to be run on another thread.
struct Job {
    query: Query,
    view: View,
    certain: bool,
    options: QueryOptions,
    form: Form,
    explain: bool,
}

/// What the thread of a query has to tell.
enum Piece {
    Columns(Vec<String>),
    Row(Vec<Option<RdfTerm>>),
    Truth(bool),
    Bytes(Vec<u8>),
    Plan(Explained),
}

/// A plan as it is printed.
struct Explained {
    steps: Vec<(usize, String, f64)>,
    query: String,
    evaluation: Value,
}

/// Runs a job on a thread with the stack that queries need, and shows what it tells, `None` standing for a while in which it told nothing.
/// What the query itself ended with is the answer. One that is stopped and goes on computing is left behind: it ends with the program.
fn run(
    job: Job,
    timeout: Option<Duration>,
    show: &mut dyn FnMut(Option<Piece>) -> Result<(), Failure>,
) -> Result<Result<(), SparqlError>, Failure> {
    let cancel = job.options.cancel.clone();
    let (to, from) = sync_channel(AHEAD);
    let answering = thread::Builder::new().name("query".to_owned()).stack_size(STACK_BYTES);
    let answering = answering.spawn(move || job.answer(&to)).map_err(Failure::Thread)?;
    let ended = receive(&from, timeout, &|| cancel.cancel(), show);
    // Where the rest could not be shown, nobody waits for it.
    cancel.cancel();
    drop(from);
    match ended? {
        Ended::Told => Ok(answering.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        Ended::Late => Ok(Err(SparqlError::Stopped)),
    }
}

/// How the telling of a query came to its end.
enum Ended {
    /// It has told everything.
    Told,
    /// It was stopped because of its time, and had not ended a while later.
    Late,
}

#[expect(clippy::disallowed_methods, reason = "how long a query takes is measured; no answer depends on it")]
fn receive(
    from: &Receiver<Piece>,
    timeout: Option<Duration>,
    stop: &dyn Fn(),
    show: &mut dyn FnMut(Option<Piece>) -> Result<(), Failure>,
) -> Result<Ended, Failure> {
    let began = Instant::now();
    loop {
        let spent = began.elapsed();
        let left = timeout.map(|timeout| timeout.saturating_sub(spent));
        if left == Some(Duration::ZERO) {
            stop();
            if timeout.is_some_and(|timeout| spent >= timeout.saturating_add(PATIENCE)) {
                return Ok(Ended::Late);
            }
        }
        let wait = left.filter(|left| !left.is_zero()).map_or(PATIENCE, |left| left.min(PATIENCE));
        match from.recv_timeout(wait) {
            Ok(piece) => show(Some(piece))?,
            Err(RecvTimeoutError::Timeout) => show(None)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Told),
        }
    }
}

/// A reader who has gone away is told as such.
fn gone<T>(_unsent: T) -> SparqlError {
    SparqlError::Write(io::ErrorKind::BrokenPipe.into())
}

impl Job {
    fn answer(&self, to: &SyncSender<Piece>) -> Result<(), SparqlError> {
        let rdf = RdfView::new(self.view.clone()).certain_only(self.certain);
        if self.explain {
            return to.send(Piece::Plan(self.plan(&rdf)?)).map_err(gone);
        }
        let answer = self.query.run(&rdf, &self.options)?;
        match &self.form {
            Form::Table => rows(answer, to),
            Form::Results(format) => told(to, |out| answer.write_results(*format, out).map(drop)),
            Form::Graph(format) => told(to, |out| answer.write_graph(*format, out).map(drop)),
            Form::Envelope(frame) => told(to, |out| enveloped(answer, frame, out)),
        }
    }

    fn plan(&self, rdf: &RdfView) -> Result<Explained, SparqlError> {
        let plan = self.query.explain(rdf, &self.options)?;
        let mut evaluation = Vec::new();
        plan.evaluation.write_in_json(&mut evaluation)?;
        let mut evaluation: Value = serde_json::from_slice(&evaluation).map_err(io::Error::from)?;
        Ok(Explained {
            steps: plan.steps.into_iter().map(|step| (step.group, step.pattern, step.rows)).collect(),
            query: plan.query,
            evaluation: evaluation.get_mut("plan").map(Value::take).unwrap_or_default(),
        })
    }
}

/// The columns that triples have where rows are written.
const TRIPLE: [&str; 3] = ["subject", "predicate", "object"];

/// Sends an answer row by row; triples as rows of three columns.
fn rows(answer: Answer<'_>, to: &SyncSender<Piece>) -> Result<(), SparqlError> {
    match answer {
        Answer::Boolean(truth) => to.send(Piece::Truth(truth)).map_err(gone),
        Answer::Solutions(rows) => {
            let columns = rows.variables().to_vec();
            to.send(Piece::Columns(columns.iter().map(|column| column.as_str().to_owned()).collect())).map_err(gone)?;
            for row in rows {
                let row = row?;
                to.send(Piece::Row(columns.iter().map(|column| row.get(column).cloned()).collect())).map_err(gone)?;
            }
            Ok(())
        }
        Answer::Graph(triples) => {
            to.send(Piece::Columns(TRIPLE.map(str::to_owned).to_vec())).map_err(gone)?;
            for triple in triples {
                let triple = triple?;
                let row = vec![Some(triple.subject.into()), Some(triple.predicate.into()), Some(triple.object)];
                to.send(Piece::Row(row)).map_err(gone)?;
            }
            Ok(())
        }
    }
}

/// Writes an answer inside the frame: SPARQL results in JSON without the bracket that opens them.
fn enveloped(answer: Answer<'_>, frame: &str, out: &mut dyn Write) -> Result<(), SparqlError> {
    out.write_all(frame.as_bytes())?;
    let mut results = WithoutFirst { inner: &mut *out, began: false };
    match answer {
        Answer::Graph(triples) => {
            let columns = TRIPLE.map(Variable::new_unchecked);
            let json = QueryResultsSerializer::from_format(QueryResultsFormat::Json);
            let mut writer = json.serialize_solutions_to_writer(&mut results, columns.to_vec())?;
            let [subject, predicate, object] = &columns;
            for triple in triples {
                let triple = triple?;
                let row: [(&Variable, RdfTerm); 3] =
                    [(subject, triple.subject.into()), (predicate, triple.predicate.into()), (object, triple.object)];
                writer.serialize(row.iter().map(|(column, term)| (*column, term)))?;
            }
            writer.finish()?;
        }
        rows @ (Answer::Boolean(_) | Answer::Solutions(_)) => {
            rows.write_results(QueryResultsFormat::Json, &mut results)?;
        }
    }
    Ok(out.write_all(b"\n")?)
}

/// A writer that leaves out the first byte.
struct WithoutFirst<W> {
    inner: W,
    began: bool,
}

impl<W: Write> Write for WithoutFirst<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.split_first() {
            Some((_, rest)) if !self.began => {
                self.inner.write_all(rest)?;
                self.began = true;
                Ok(bytes.len())
            }
            Some(_) | None => self.inner.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Writes an answer in chunks to whoever shows them. What was written before it failed is still the reader's.
fn told(to: &SyncSender<Piece>, write: impl FnOnce(&mut dyn Write) -> Result<(), SparqlError>) -> Result<(), SparqlError> {
    let mut out = Chunks::new(|chunk| to.send(Piece::Bytes(chunk)).map_err(|_gone| io::ErrorKind::BrokenPipe.into()));
    let written = write(&mut out);
    let rest = out.flush();
    written?;
    Ok(rest?)
}

/// What is shown of one query.
struct Show<'a> {
    context: &'a Context,
    command: &'a str,
    as_of: AsOf,
    table: Table<'a>,
}

impl Show<'_> {
    fn piece(&mut self, screen: &mut Screen<'_>, piece: Option<Piece>) -> Result<(), Failure> {
        match piece {
            None => self.table.flush(screen)?,
            Some(Piece::Columns(columns)) => self.table.columns = columns,
            Some(Piece::Row(row)) => self.table.row(screen, &row)?,
            Some(Piece::Truth(truth)) => {
                let (paint, word) = if truth { (Paint::Good, "yes") } else { (Paint::Warn, "no") };
                screen.pieces(&[(paint, word), (Paint::Plain, "   "), (Paint::Dim, &self.position())])?;
            }
            Some(Piece::Bytes(bytes)) => {
                screen.raw().write_all(&bytes)?;
                screen.raw().flush()?;
            }
            Some(Piece::Plan(plan)) => self.plan(screen, &plan)?,
        }
        Ok(())
    }

    fn position(&self) -> String {
        position(self.as_of, self.context.zone, self.context.now())
    }

    /// What stands below a table.
    fn end(&mut self, screen: &mut Screen<'_>, kind: QueryKind) -> Result<(), Failure> {
        self.table.flush(screen)?;
        let counted = match kind {
            QueryKind::Ask => return Ok(()),
            QueryKind::Select => count(self.table.rows, "row", "rows"),
            QueryKind::Construct | QueryKind::Describe => count(self.table.rows, "triple", "triples"),
        };
        // A named query may read elsewhere: its parameters say where.
        let position = if self.command == "query" { String::new() } else { self.position() };
        Ok(screen.pieces(&[(Paint::Plain, &counted), (Paint::Plain, "   "), (Paint::Dim, &position)])?)
    }

    fn plan(&self, screen: &mut Screen<'_>, plan: &Explained) -> Result<(), Failure> {
        if self.context.json {
            let step = |(group, pattern, rows): &(usize, String, f64)| json!({ "group": group, "pattern": pattern, "rows": rows });
            let steps: Vec<Value> = plan.steps.iter().map(step).collect();
            let body = json!({ "steps": steps, "query": plan.query, "plan": plan.evaluation });
            return print_json(screen, self.context, self.command, Some(self.as_of), body);
        }
        screen.pieces(&[(Paint::Bold, "order"), (Paint::Plain, "   "), (Paint::Dim, &self.position())])?;
        let cell = |paint: Paint, text: String| (paint, text);
        let steps: Vec<Vec<(Paint, String)>> = plan
            .steps
            .iter()
            .map(|(group, pattern, rows)| {
                vec![
                    cell(Paint::Dim, format!("group {}", group + 1)),
                    cell(Paint::Plain, shorten(&clean(pattern), PATTERN_COLUMNS)),
                    cell(Paint::Bold, estimate(*rows)),
                ]
            })
            .collect();
        screen.table(2, &steps)?;
        if steps.is_empty() {
            screen.line("  nothing to order")?;
        }
        screen.pieces(&[(Paint::Bold, "query")])?;
        screen.line(&format!("  {}", clean(&plan.query)))?;
        screen.pieces(&[(Paint::Bold, "plan")])?;
        // A stack rather than recursion: nodes wait with their depth, the first child on top.
        let mut waiting = vec![(&plan.evaluation, 1)];
        while let Some((node, depth)) = waiting.pop() {
            let name = node.get("name").and_then(Value::as_str).unwrap_or_default();
            screen.line(&format!("{}{}", "  ".repeat(depth), clean(name)))?;
            let children = node.get("children").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            waiting.extend(children.iter().rev().map(|child| (child, depth + 1)));
        }
        Ok(())
    }
}

/// An expected number of rows, as coarse as it is known.
fn estimate(rows: f64) -> String {
    if rows < 1.0 { "under 1 row".to_owned() } else { format!("about {rows:.0} {}", if rows < 1.5 { "row" } else { "rows" }) }
}

/// Rows for people: the first ones wait for each other, so that the columns are as wide as they need, and the others follow as they come.
struct Table<'a> {
    cells: Cells<'a>,
    columns: Vec<String>,
    widths: Vec<usize>,
    waiting: Vec<Vec<(Paint, String)>>,
    began: bool,
    rows: u64,
}

impl<'a> Table<'a> {
    fn new(cells: Cells<'a>) -> Self {
        Self { cells, columns: Vec::new(), widths: Vec::new(), waiting: Vec::new(), began: false, rows: 0 }
    }

    fn row(&mut self, screen: &mut Screen<'_>, row: &[Option<RdfTerm>]) -> Result<(), Failure> {
        let cells = row.iter().map(|term| self.cells.cell(term.as_ref())).collect();
        self.rows += 1;
        self.waiting.push(cells);
        if self.began || self.waiting.len() >= FIRST_ROWS { self.flush(screen) } else { Ok(()) }
    }

    /// Writes what waits; the columns' names before the first row.
    fn flush(&mut self, screen: &mut Screen<'_>) -> Result<(), Failure> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        if !self.began {
            self.began = true;
            let widest = |at: usize| self.waiting.iter().filter_map(|row| row.get(at)).map(|(_, text)| text.width()).max().unwrap_or(0);
            self.widths = self.columns.iter().enumerate().map(|(at, column)| widest(at).max(column.width())).collect();
            let columns = self.columns.iter().map(|column| (Paint::Bold, column.clone())).collect();
            self.waiting.insert(0, columns);
        }
        for row in self.waiting.drain(..) {
            let mut pieces = vec![(Paint::Plain, "  ".to_owned())];
            for ((paint, text), width) in row.into_iter().zip(&self.widths) {
                pieces.push((paint, pad(&text, *width)));
                pieces.push((Paint::Plain, "  ".to_owned()));
            }
            let pieces: Vec<(Paint, &str)> = pieces.iter().map(|(paint, text)| (*paint, text.as_str())).collect();
            screen.pieces(&pieces)?;
        }
        Ok(screen.raw().flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_written_into_the_frame_without_their_first_bracket() {
        let mut out = Vec::new();
        let mut rest = WithoutFirst { inner: &mut out, began: false };
        rest.write_all(b"{").unwrap();
        rest.write_all(b"\"head\":{}}").unwrap();
        assert_eq!(out, b"\"head\":{}}");
    }

    #[test]
    fn texts_are_told_from_files() {
        assert_eq!(text_of("ASK {}").unwrap(), "ASK {}");
        assert!(matches!(text_of("queries/no-such-file.rq"), Err(Failure::File { .. })));
    }
}
