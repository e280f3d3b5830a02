//! CSV records (RFC 4180) over bounded lines: quoted fields may span lines, and a quote that never closes costs one line, not the rest.
//! Knows columns by their names, not what they mean.

use super::Fault;
use super::field::Field;
use super::lines::{Line, Lines, as_text};
use super::options::ReadError;
use std::borrow::Cow;
use std::io::BufRead;

/// Where between two characters of a record one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the beginning of a field.
    Fresh,
    /// Inside a field without quotes.
    Bare,
    /// Inside a quoted field.
    Quoted,
    /// After a quote that closes a field, or is the first of a doubled one.
    Closed,
}

/// Follows the quotes of one line; an error is the byte at which no record can go on.
fn follow(mut state: State, bytes: &[u8]) -> Result<State, usize> {
    for (at, byte) in bytes.iter().enumerate() {
        state = match (state, byte) {
            (State::Quoted, b'"') => State::Closed,
            (State::Fresh | State::Closed, b'"') | (State::Quoted, _) => State::Quoted,
            (State::Fresh | State::Bare | State::Closed, b',') => State::Fresh,
            (State::Bare, b'"') | (State::Closed, _) => return Err(at),
            (State::Fresh | State::Bare, _) => State::Bare,
        };
    }
    Ok(state)
}

/// What came of reading a record.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The number of its first line.
    pub(super) number: u64,
    /// Whether it is a record at all.
    pub(super) whole: Result<(), Fault>,
}

/// Reads one record, of one line or several, into `record`; `None` at the end.
///
/// Of a record that cannot be, only the first line is used up.
pub(super) fn read_record<R: BufRead>(lines: &mut Lines<R>, record: &mut Line, line_bytes: usize) -> Result<Option<Outcome>, ReadError> {
    if !lines.read(record)? {
        return Ok(None);
    }
    let number = record.number;
    if record.too_long {
        return Ok(Some(Outcome { number, whole: record.text(line_bytes).map(|_| ()) }));
    }
    let mut state = match follow(State::Fresh, &record.bytes) {
        Ok(state) => state,
        Err(at) => return Ok(Some(Outcome { number, whole: Err(stray(at)) })),
    };
    // The lines after the first, in case they have to be read again.
    let mut taken: Vec<Line> = Vec::new();
    while state == State::Quoted {
        let mut next = Line::empty();
        let whole = lines.read(&mut next)?;
        let fits = whole && !next.too_long && record.bytes.len() + next.bytes.len() < line_bytes;
        let followed = if fits { follow(state, &next.bytes).ok() } else { None };
        if whole {
            taken.push(next);
        }
        let Some(after) = followed else {
            lines.put_back(taken.into_iter());
            return Ok(Some(Outcome { number, whole: Err(Fault::line(unclosed(line_bytes))) }));
        };
        record.bytes.push(b'\n');
        record.bytes.extend(taken.last().into_iter().flat_map(|line| &line.bytes));
        state = after;
    }
    Ok(Some(Outcome { number, whole: Ok(()) }))
}

fn stray(at: usize) -> Fault {
    Fault::line(format!("a quote inside or right after a field, at byte {at} (from 0): quote the whole field and double the quotes in it"))
}

fn unclosed(line_bytes: usize) -> String {
    format!("a quoted field is not closed by a quote and a comma or line end within {line_bytes} bytes")
}

/// The cells of a record that [`read_record`] has let through.
pub(super) fn cells(record: &str) -> Vec<Cow<'_, str>> {
    let mut cells = Vec::with_capacity(8);
    let mut rest = record;
    loop {
        let (cell, after) = rest.strip_prefix('"').map_or_else(|| bare(rest), quoted);
        cells.push(cell);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => return cells,
        }
    }
}

/// A cell without quotes, and what follows it.
fn bare(rest: &str) -> (Cow<'_, str>, &str) {
    let (cell, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
    (Cow::Borrowed(cell), after)
}

/// A quoted cell, from after its opening quote, and what follows its closing one.
fn quoted(inner: &str) -> (Cow<'_, str>, &str) {
    let mut from = 0;
    while let Some(at) = inner.get(from..).and_then(|rest| rest.find('"')).map(|at| from + at) {
        let after = inner.get(at + 1..).unwrap_or_default();
        if !after.starts_with('"') {
            let cell = inner.get(..at).unwrap_or_default();
            let cell = if from == 0 { Cow::Borrowed(cell) } else { Cow::Owned(cell.replace("\"\"", "\"")) };
            return (cell, after);
        }
        from = at + 2;
    }
    (Cow::Borrowed(inner), "")
}

/// The columns that a header names, in any order and case.
pub(super) fn columns(header: &str) -> Result<Vec<Field>, String> {
    let mut columns = Vec::new();
    for cell in cells(header) {
        let name = cell.trim().to_ascii_lowercase();
        let field = Field::of_claims(&name).filter(|field| *field != Field::Claims);
        let field = field.ok_or_else(|| format!("unknown column {:?}", cell.trim()))?;
        if columns.contains(&field) {
            return Err(format!("two columns for {}", field.name()));
        }
        columns.push(field);
    }
    for wanted in [Field::Head, Field::Relation, Field::Tail] {
        if !columns.contains(&wanted) {
            return Err(format!("no column for {}", wanted.name()));
        }
    }
    Ok(columns)
}

/// A record's line as text.
pub(super) fn record_text(record: &Line) -> Result<&str, Fault> {
    as_text(&record.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str, line_bytes: usize) -> Vec<(u64, Option<Vec<String>>)> {
        let mut lines = Lines::new(input.as_bytes(), line_bytes, 1000);
        let (mut record, mut out) = (Line::empty(), Vec::new());
        while let Some(outcome) = read_record(&mut lines, &mut record, line_bytes).unwrap() {
            let text = str::from_utf8(&record.bytes).unwrap();
            out.push((outcome.number, outcome.whole.ok().map(|()| cells(text).into_iter().map(Cow::into_owned).collect())));
        }
        out
    }

    fn record(number: u64, cells: &[&str]) -> (u64, Option<Vec<String>>) {
        (number, Some(cells.iter().map(|cell| (*cell).to_owned()).collect()))
    }

    #[test]
    fn records_split_at_commas_outside_quotes() {
        assert_eq!(
            read("a,,c\n\"a,b\",\"say \"\"hi\"\"\",\"\"\r\n#x, y ,\"\"\"q\"\"\"\n,\n", 99),
            [record(1, &["a", "", "c"]), record(2, &["a,b", "say \"hi\"", ""]), record(3, &["#x", " y ", "\"q\""]), record(4, &["", ""]),]
        );
        assert_eq!(read("a,\"two\nlines\",c\nd\n", 99), [record(1, &["a", "two\nlines", "c"]), record(3, &["d"])]);
    }

    #[test]
    fn a_bad_quote_costs_its_line_and_no_other() {
        assert_eq!(read("a,b\"c\nd,e\n", 99), [(1, None), record(2, &["d", "e"])]);
        assert_eq!(read("\"a\"b\nd,e\n", 99), [(1, None), record(2, &["d", "e"])]);
        assert_eq!(read("\"never closed,b\nd,e\nf,g", 99), [(1, None), record(2, &["d", "e"]), record(3, &["f", "g"])]);
        assert_eq!(read("\"open\n\"d\",e\n", 99), [(1, None), record(2, &["d", "e"])], "the next line's quote shows it");
        assert_eq!(read("\"too\nlong\ntogether\"\nx\n", 12), [(1, None), record(2, &["long"]), (3, None), record(4, &["x"])]);
    }

    #[test]
    fn headers_name_known_columns_once() {
        assert_eq!(columns("Subject, predicate ,OBJECT,to"), Ok(vec![Field::Head, Field::Relation, Field::Tail, Field::To]));
        assert_eq!(columns("h,r,t,colour"), Err("unknown column \"colour\"".to_owned()));
        assert_eq!(columns("h,r,t,head"), Err("two columns for head".to_owned()));
        assert_eq!(columns("h,r"), Err("no column for tail".to_owned()));
        assert_eq!(columns("h,r,t,claims"), Err("unknown column \"claims\"".to_owned()));
    }
}
