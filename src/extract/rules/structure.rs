//! Structured text: JSON, lines of "key: value" and lists of "key=value", as records of fields with their places.
//! Knows no key's meaning.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, multispace0};
use nom::combinator::{map, recognize, value};
use nom::multi::separated_list0;
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{IResult, Parser};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// One value under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// The key as written.
    pub(super) key: String,
    /// The value as text.
    pub(super) value: String,
    /// Where the value stands, in bytes.
    pub(super) bytes: Range<usize>,
    /// Whether its key is there again in the same object, so that the last one counts.
    pub(super) overruled: bool,
}

/// The fields that belong to one thing, in their order; a list under a key is a field for each of its items.
pub(super) type StructuredRecord = Vec<Field>;

/// Nothing is nested deeper than this in what a tool returns to be read.
const DEEPEST: usize = 24;

/// The records of a text that is structured as a whole, or `None` where it is prose.
///
/// # Complexity
/// Linear in the text.
pub(super) fn records(text: &str) -> Option<Vec<StructuredRecord>> {
    let trimmed = text.trim_start();
    if trimmed.starts_with(['{', '[']) {
        let start = text.len() - trimmed.len();
        let (rest, json) = json(trimmed, 0).ok()?;
        if !rest.trim().is_empty() {
            return None;
        }
        let mut records = Vec::new();
        let place = |part: &str| {
            let from = part.as_ptr().addr() - text.as_ptr().addr();
            from..from + part.len()
        };
        debug_assert!(start <= text.len(), "the text begins before its first mark");
        gather(&json, "", &mut Vec::new(), &mut records, &place);
        return Some(records.into_iter().filter(|record| !record.is_empty()).collect());
    }
    lines(text).or_else(|| pairs(text)).or_else(|| table(text))
}

/// A JSON value that knows where it stands.
enum Json<'t> {
    /// Text, with what it reads as.
    Text(&'t str, Cow<'t, str>),
    /// A number.
    Number(&'t str),
    /// `true`, `false` or `null`: what says nothing by itself.
    Word,
    List(Vec<Self>),
    Object(Vec<(Cow<'t, str>, Self)>),
}

fn json(input: &str, depth: usize) -> IResult<&str, Json<'_>> {
    if depth > DEEPEST {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::TooLarge)));
    }
    let list = |input| {
        let items = separated_list0(char(','), |input| json(input, depth + 1));
        map(delimited(char('['), items, preceded(multispace0, char(']'))), Json::List).parse(input)
    };
    let object = |input| {
        let key = delimited(multispace0, map(text, |(_, read)| read), multispace0);
        let pair = separated_pair(key, char(':'), |input| json(input, depth + 1));
        let pairs = separated_list0(char(','), pair);
        map(delimited(char('{'), pairs, preceded(multispace0, char('}'))), Json::Object).parse(input)
    };
    let number = map(take_while1(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E')), Json::Number);
    let word = value((), alt((tag("true"), tag("false"), tag("null"))));
    let scalar = alt((map(text, |(raw, read)| Json::Text(raw, read)), number, map(word, |()| Json::Word)));
    delimited(multispace0, alt((list, object, scalar)), multispace0).parse(input)
}

/// A text in quotation marks: as written inside them, and as it reads.
fn text(input: &str) -> IResult<&str, (&str, Cow<'_, str>)> {
    let (rest, _) = char('"').parse(input)?;
    let mut escaped = false;
    let end = rest.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    let Some((end, _)) = end else {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Char)));
    };
    let (raw, after) = rest.split_at(end);
    let read = if raw.contains('\\') { Cow::Owned(unescaped(raw)) } else { Cow::Borrowed(raw) };
    Ok((after.get(1..).unwrap_or_default(), (raw, read)))
}

fn unescaped(raw: &str) -> String {
    let mut read = String::with_capacity(raw.len());
    let mut units: Vec<u16> = Vec::new();
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        let escape = if c == '\\' { chars.next() } else { None };
        if escape == Some('u') {
            let digits: String = chars.by_ref().take(4).collect();
            units.extend(u16::from_str_radix(&digits, 16));
            continue;
        }
        read.extend(char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        match escape {
            Some('n') => read.push('\n'),
            Some('t') => read.push('\t'),
            Some('r' | 'b' | 'f') => read.push(' '),
            Some(other) => read.push(other),
            None => read.push(c),
        }
    }
    read.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    read
}

/// Lays a value's fields into the record at hand; objects in lists are records of their own.
fn gather(
    json: &Json<'_>,
    key: &str,
    record: &mut StructuredRecord,
    records: &mut Vec<StructuredRecord>,
    place: &impl Fn(&str) -> Range<usize>,
) {
    match json {
        Json::Text(raw, read) => {
            record.push(Field { key: key.to_owned(), value: read.trim().to_owned(), bytes: place(raw), overruled: false });
        }
        Json::Number(raw) => record.push(Field { key: key.to_owned(), value: (*raw).to_owned(), bytes: place(raw), overruled: false }),
        Json::Word => {}
        Json::List(items) => {
            for item in items {
                if matches!(item, Json::Object(_)) {
                    gather(item, "", &mut Vec::new(), records, place);
                } else {
                    gather(item, key, record, records, place);
                }
            }
        }
        Json::Object(pairs) => {
            // An object inside an object is of the same thing, unless it says whose it is: then it stands for its key, too.
            let mut own = Vec::new();
            let last: FxHashMap<&str, usize> = pairs.iter().zip(0..).map(|((key, _), at)| (key.as_ref(), at)).collect();
            for ((key, value), at) in pairs.iter().zip(0..) {
                let from = own.len();
                gather(value, key, &mut own, records, place);
                let overruled = last.get(key.as_ref()) != Some(&at);
                own.iter_mut().skip(from).for_each(|field| field.overruled |= overruled);
            }
            if key.is_empty() {
                records.push(own);
            } else {
                let named =
                    own.iter().find(|field| matches!(field.key.to_lowercase().as_str(), "name" | "id" | "login" | "username" | "title"));
                if let Some(named) = named {
                    record.push(Field { key: key.to_owned(), ..named.clone() });
                    records.push(own);
                } else {
                    record.append(&mut own);
                }
            }
        }
    }
}

/// The key of what names a record without saying so: a heading, or the first of several values.
pub(super) const HEADING: &str = "heading";

/// "key: value" on every line; an empty line begins another record. A short line in front names what the record is about.
fn lines(text: &str) -> Option<Vec<StructuredRecord>> {
    const LONGEST_HEADING: usize = 6;
    let mut records: Vec<StructuredRecord> = vec![Vec::new()];
    let (mut keyed, mut other) = (0, 0);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if bare.is_empty() || matches!(bare, "---" | "..." | "```") {
            records.push(Vec::new());
            continue;
        }
        let Some(record) = records.last_mut() else { break };
        if let Some((key, value)) = key_value(line.trim_end()) {
            keyed += 1;
            record.push(field(key, value, start, line));
        } else {
            other += 1;
            let heading = bare.trim_start_matches(['#', ' ', '*', '[', '【']).trim_end_matches([':', '：', '*', ']', '】']);
            let short =
                heading.split_whitespace().count() <= LONGEST_HEADING && !heading.is_empty() && !heading.ends_with(['.', '!', '?', '。']);
            if record.is_empty() && short {
                record.push(field(HEADING, heading, start, line));
            }
        }
    }
    records.retain(|record| record.len() > 1 || record.first().is_some_and(|field| field.key != HEADING));
    (keyed >= 2 && other * 3 <= keyed + 2).then_some(records)
}

/// A field whose value is a part of a line that begins at a byte of the text.
fn field(key: &str, value: &str, start: usize, line: &str) -> Field {
    let from = start + (value.as_ptr().addr() - line.as_ptr().addr());
    Field { key: key.to_owned(), value: value.to_owned(), bytes: from..from + value.len(), overruled: false }
}

fn key_value(line: &str) -> Option<(&str, &str)> {
    const LONGEST_KEY: usize = 32;
    let line = line.trim_start_matches(['-', '*', '•', ' ', '|', '\t', '・']);
    let cut = line.find([':', '：', '=']).filter(|at| *at > 0)?;
    let (key, rest) = line.split_at(cut);
    let value = rest.trim_start_matches([':', '：', '=']).trim().trim_matches(['"', '*', '|', ' ']);
    let key = key.trim().trim_matches(['"', '*', '`']);
    let plain =
        key.chars().count() <= LONGEST_KEY && key.split_whitespace().count() <= 4 && !key.contains(['.', ',', '!', '?', '。', '、', '/']);
    (plain && !value.is_empty() && !rest.starts_with("://")).then_some((key, value))
}

/// "key=value; key=value", with bars, commas or spaces between; the first may be a value alone, which names the record.
fn pairs(text: &str) -> Option<Vec<StructuredRecord>> {
    let trimmed = text.trim();
    if trimmed.contains('\n') {
        return None;
    }
    [&[';', '；'][..], &['|'], &[',', '、'], &[' ']].into_iter().find_map(|marks| parted(text, trimmed, marks))
}

fn parted(text: &str, trimmed: &str, marks: &[char]) -> Option<Vec<StructuredRecord>> {
    fn key(input: &str) -> IResult<&str, &str> {
        let letters = recognize(take_while1(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ')));
        terminated(letters, alt((tag("="), tag(":"), tag("："), tag("＝")))).parse(input)
    }
    fn pair(input: &str) -> IResult<&str, (&str, &str)> {
        (preceded(multispace0, key), take_while(|c| c != '\n')).parse(input)
    }
    if !trimmed.contains(marks) {
        return None;
    }
    // Between spaces and commas only "key=value" is plain enough.
    let loose = marks.iter().any(|mark| matches!(mark, ' ' | ',' | '、'));
    let place = |value: &str| {
        let from = value.as_ptr().addr() - text.as_ptr().addr();
        from..from + value.len()
    };
    let mut fields = Vec::new();
    for (number, part) in trimmed.split(marks).filter(|part| !part.trim().is_empty()).enumerate() {
        match pair(part) {
            Ok((_, (key, value))) if !loose || part.contains(['=', '＝']) => {
                let value = value.trim().trim_matches('"');
                if !value.is_empty() {
                    fields.push(Field { key: key.trim().to_owned(), value: value.to_owned(), bytes: place(value), overruled: false });
                }
            }
            _ if number == 0 && !loose => {
                let value = part.trim();
                fields.push(Field { key: HEADING.to_owned(), value: value.to_owned(), bytes: place(value), overruled: false });
            }
            _ => return None,
        }
    }
    (fields.len() >= 2).then(|| vec![fields])
}

/// A table with its keys in the first line: cells parted by commas, tabs or bars.
fn table(text: &str) -> Option<Vec<StructuredRecord>> {
    let cells = |line: &str, mark: char| -> Vec<Range<usize>> {
        let start = line.as_ptr().addr() - text.as_ptr().addr();
        let inner = if mark == '|' { line.trim().trim_matches('|') } else { line };
        let offset = inner.as_ptr().addr() - line.as_ptr().addr();
        let mut at = start + offset;
        inner
            .split(mark)
            .map(|cell| {
                let from = at + (cell.len() - cell.trim_start().len());
                let range = from..from + cell.trim().len();
                at += cell.len() + mark.len_utf8();
                range
            })
            .collect()
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let head = lines.next()?;
    let mark = ['|', '\t', ','].into_iter().find(|mark| head.trim().trim_matches('|').contains(*mark))?;
    let keys = cells(head, mark);
    let is_key = |range: &Range<usize>| {
        text.get(range.clone())
            .is_some_and(|key| !key.is_empty() && key.split_whitespace().count() <= 3 && !key.contains(['.', ':', '=', '"']))
    };
    if keys.len() < 2 || !keys.iter().all(is_key) {
        return None;
    }
    let mut records = Vec::new();
    for line in lines {
        if line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '+')) {
            continue;
        }
        let values = cells(line, mark);
        if values.len() != keys.len() {
            return None;
        }
        let field = |(key, value): (&Range<usize>, Range<usize>)| {
            let text_of = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
            Field { key: text_of(key), value: text_of(&value), bytes: value, overruled: false }
        };
        records.push(keys.iter().zip(values).map(field).filter(|field| !field.value.is_empty()).collect());
    }
    (!records.is_empty()).then_some(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<Vec<(String, String)>> {
        let records = records(text).unwrap_or_default();
        for field in records.iter().flatten() {
            assert!(text.get(field.bytes.clone()).is_some(), "{field:?} lies in the text");
        }
        records.into_iter().map(|record| record.into_iter().map(|field| (field.key, field.value)).collect()).collect()
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn json_gives_a_record_for_each_thing() {
        assert_eq!(
            shown(r#"{"user": "bo", "age": 31, "admin": true, "tags": ["a", "b"]}"#),
            [[pair("user", "bo"), pair("age", "31"), pair("tags", "a"), pair("tags", "b")]]
        );
        assert_eq!(shown(r#"{"results": [{"id": "A-1"}, {"id": "A-2"}]}"#), [[pair("id", "A-1")], [pair("id", "A-2")]]);
        assert_eq!(shown(r#"{"name": "Mill", "address": {"city": "Ely"}}"#), [[pair("name", "Mill"), pair("city", "Ely")]]);
        assert_eq!(
            shown(r#"{"ticket": "A-1", "assignee": {"name": "Bo", "email": "b@x.example"}}"#),
            vec![vec![pair("name", "Bo"), pair("email", "b@x.example")], vec![pair("ticket", "A-1"), pair("assignee", "Bo")]]
        );
        assert_eq!(shown("{\"a\": \"\\u00e9\\n\"}"), [[pair("a", "é")]]);
    }

    #[test]
    fn lines_and_pairs_are_records_and_prose_is_none() {
        assert_eq!(shown("status: open\nowner: Bo\n"), [[pair("status", "open"), pair("owner", "Bo")]]);
        assert_eq!(shown("a=1; b=2"), [[pair("a", "1"), pair("b", "2")]]);
        assert_eq!(shown("a=1 b=2"), [[pair("a", "1"), pair("b", "2")]]);
        assert_eq!(shown("A-1 | status: open"), [[pair(HEADING, "A-1"), pair("status", "open")]]);
        assert_eq!(shown("Job 7\nstatus: open\nowner: Bo"), [[pair(HEADING, "Job 7"), pair("status", "open"), pair("owner", "Bo")]]);
        assert_eq!(shown("name,role\nBo,cook\n"), [[pair("name", "Bo"), pair("role", "cook")]]);
        assert_eq!(shown("| name | role |\n|---|---|\n| Bo | cook |"), [[pair("name", "Bo"), pair("role", "cook")]]);
        assert_eq!(records("Note: we left at noon."), None);
        assert_eq!(records("I like tea; it is good."), None);
        assert_eq!(records("{not json"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,60}|[\\[\\]{}\":,a-z0-9 \n\\\\=;]{0,60}") {
            for field in records(&text).unwrap_or_default().iter().flatten() {
                prop_assert!(text.get(field.bytes.clone()).is_some());
            }
        }
    }
}
