//! Telling the format of an input by its name and its first line. Reads nothing further.

use super::{Format, ReadError, csv, excerpt, json};
use std::io::{BufRead, Read};

/// The most that is looked at to tell a format.
const GLANCE_BYTES: u64 = 64 * 1024;

/// Tells the format, see [`super::Reader::new`]; what was looked at is left in `glanced`.
pub(super) fn tell(input: &mut impl BufRead, name: &str, glanced: &mut Vec<u8>) -> Result<Format, ReadError> {
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
        if line.strip_prefix('[').is_some_and(|rest| matches!(rest.trim_start().chars().next(), None | Some('{' | '[' | ']'))) {
            return Err(format!("a JSON array; JSON lines have one object a line: {:?}", excerpt(line)));
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
    } else if has(&["head", "claims", "observation"]) {
        Ok(Format::Claims)
    } else if has(&["text", "content"]) {
        Ok(Format::Chat)
    } else {
        Err(format!("a JSON object with neither head, claims nor text: {:?}", excerpt(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_told_by_the_name_or_the_first_line() {
        let told = |name: &str, input: &str| {
            let (mut rest, mut glanced) = (input.as_bytes(), Vec::new());
            let format = tell(&mut rest, name, &mut glanced);
            assert_eq!([&glanced[..], rest].concat(), input.as_bytes(), "nothing that was looked at is lost");
            format
        };
        for (name, input, format) in [
            ("facts.csv", "", Format::Csv),
            ("facts.CSV.gz", "{}", Format::Csv),
            ("notes.md", "{\"head\": 1}", Format::Text),
            ("", "\n  \n{\"head\": \"a\"}", Format::Claims),
            ("", "{\"claims\": []}", Format::Claims),
            ("", "{\"observation\": \"k\", \"text\": \"first the words\"}", Format::Claims),
            ("", "{\"h\": \"a\"}", Format::Triples),
            ("", "{\"role\": \"user\", \"text\": \"hi\"}", Format::Chat),
            ("", "{\"text\": \"x\", \"head\": \"a\"}", Format::Claims),
            ("", "{\"role\": \"user\", \"text\": \"cut", Format::Chat),
            ("", "subject,predicate,object\n", Format::Csv),
            ("", "\u{feff}h,r,t", Format::Csv),
            ("", "Dear diary,", Format::Text),
            ("", "", Format::Claims),
            ("x.jsonl", "\n\n", Format::Claims),
        ] {
            assert_eq!(told(name, input).unwrap(), format, "{name} {input}");
        }
        assert!(matches!(told("x.jsonl", "Dear diary,"), Err(ReadError::UnknownFormat { line: 1, .. })), "the name says JSON lines");
        for array in ["[", "[{\"head\": \"a\"}]", "[ {"] {
            let error = told("", array).unwrap_err().to_string();
            assert!(error.contains("a JSON array"), "{error}");
        }
        assert_eq!(told("", "[2024] A diary").unwrap(), Format::Text);
        assert!(matches!(told("", "\n{\"a\": 1}"), Err(ReadError::UnknownFormat { line: 2, .. })), "no known field");
    }
}
