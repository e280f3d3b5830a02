//! JSON as input lines use it: objects whose fields are looked at one by one, with duplicates, depth and faults told by field.
//! Knows no field by name, and keeps numbers as they were written.

use super::{Fault, excerpt};
use crate::model::{Literal, Term, vocab};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The fields of an object in the order written, each with its value unread.
pub(super) type Fields<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// A value looked at one level deep.
#[derive(Debug)]
pub(super) enum Json<'a> {
    Null,
    Bool(bool),
    /// As written.
    Number(&'a str),
    Text(Cow<'a, str>),
    List,
    Object(&'a RawValue),
}

/// The fields of the object that is the whole of `text`.
pub(super) fn object(text: &str) -> Result<Fields<'_>, Fault> {
    let mut fields = Fields::with_capacity(12);
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = FieldsSeed { fields: &mut fields }.deserialize(&mut reader).and_then(|doubled| reader.end().map(|()| doubled));
    match read {
        Ok(None) => Ok(fields),
        Ok(Some(doubled)) => Err(Fault::of(&doubled, "the field is there twice")),
        Err(error) => Err(no_json(text, &fields, &error)),
    }
}

/// Names what is wrong with a line that is no JSON object, as near to the place as can be told.
fn no_json(text: &str, fields: &Fields<'_>, error: &serde_json::Error) -> Fault {
    if error.is_eof() {
        return Fault::line("the line ends inside its JSON value: cut off?");
    }
    // The column counts bytes, from 1.
    let start = (0..error.column()).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let near = excerpt(text.get(start..).unwrap_or_default());
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let reason = format!("no JSON object: {message}, near {near:?}");
    // The fault lies in the value of the field after the last one read whole.
    let read = fields.last().map_or(0, |(_, value)| value.get().as_ptr() as usize + value.get().len() - text.as_ptr() as usize);
    match text.get(read..).map(str::trim_start).filter(|rest| !rest.starts_with('}')).and_then(next_key) {
        Some(key) => Fault::of(key, reason),
        None => Fault::line(reason),
    }
}

/// The next quoted key with a colon after it.
fn next_key(text: &str) -> Option<&str> {
    let (key, rest) = text.split_once('"')?.1.split_once('"')?;
    rest.trim_start().starts_with(':').then_some(key)
}

struct FieldsSeed<'f, 'a> {
    fields: &'f mut Fields<'a>,
}

impl<'a> DeserializeSeed<'a> for FieldsSeed<'_, 'a> {
    /// The name of a field that is there twice.
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for FieldsSeed<'_, 'a> {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut doubled = None;
        while let Some(key) = map.next_key_seed(KeySeed)? {
            let value = map.next_value::<&'a RawValue>()?;
            if self.fields.iter().any(|(known, _)| *known == key) {
                doubled.get_or_insert(key.into_owned());
            } else {
                self.fields.push((key, value));
            }
        }
        Ok(doubled)
    }
}

struct KeySeed;

impl<'a> DeserializeSeed<'a> for KeySeed {
    type Value = Cow<'a, str>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for KeySeed {
    type Value = Cow<'a, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text))
    }
}

/// How deep the text nests, without reading it further: brackets and braces outside strings. Exact beyond `enough`, else some number up to it.
pub(super) fn depth(text: &str, enough: usize) -> usize {
    // What opens so seldom cannot nest deeper, whatever stands in strings.
    let opening = text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
    if opening <= enough {
        return opening;
    }
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Looks at a value one level deep.
pub(super) fn value(raw: &RawValue) -> Result<Json<'_>, String> {
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'"') => match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|inner| !inner.contains('\\')) {
            Some(inner) => Json::Text(Cow::Borrowed(inner)),
            // Only half a surrogate pair can still be wrong with a string that has been passed over once.
            None => Json::Text(Cow::Owned(
                serde_json::from_str(text).map_err(|_half_a_pair| format!("{} is no text: half a surrogate pair", excerpt(text)))?,
            )),
        },
        Some(b'{') => Json::Object(raw),
        Some(b'[') => Json::List,
        Some(b't') => Json::Bool(true),
        Some(b'f') => Json::Bool(false),
        Some(b'n') | None => Json::Null,
        Some(_) => Json::Number(text),
    })
}

/// What a value looks like in a reason.
pub(super) fn shown(raw: &RawValue) -> String {
    excerpt(raw.get())
}

/// A text; `None` for null.
pub(super) fn optional_text(raw: &RawValue) -> Result<Option<Cow<'_, str>>, String> {
    match value(raw)? {
        Json::Null => Ok(None),
        Json::Text(text) => Ok(Some(text)),
        Json::Bool(_) | Json::Number(_) | Json::List | Json::Object(_) => Err(format!("wants a text, not {}", shown(raw))),
    }
}

/// The items of a list, unread.
pub(super) fn list(raw: &RawValue) -> Result<Vec<&RawValue>, String> {
    serde_json::from_str(raw.get()).map_err(|_no_list| format!("wants a list, not {}", shown(raw)))
}

/// A term: a text is a name, a number or truth value a typed literal, and an object says which it is by its key
/// (`name`, `iri`, `blank`, or `literal` with `datatype` or `language`).
pub(super) fn term(raw: &RawValue) -> Result<Term, String> {
    Ok(match value(raw)? {
        Json::Text(text) => Term::Name(text.trim().to_owned()),
        Json::Bool(truth) => Term::Literal(Literal::typed(truth.to_string(), vocab::XSD_BOOLEAN)),
        Json::Number(lexical) => {
            let datatype = if lexical.contains(['e', 'E']) {
                vocab::XSD_DOUBLE
            } else if lexical.contains('.') {
                vocab::XSD_DECIMAL
            } else {
                vocab::XSD_INTEGER
            };
            Term::Literal(Literal::typed(lexical, datatype))
        }
        Json::Object(raw) => term_object(raw)?,
        Json::Null | Json::List => {
            return Err(format!("wants a name, a number, or an object with iri, name, literal or blank, not {}", shown(raw)));
        }
    })
}

fn term_object(raw: &RawValue) -> Result<Term, String> {
    let fields = object(raw.get()).map_err(|fault| match fault.field {
        Some(field) => format!("{field}: {}", fault.reason),
        None => fault.reason,
    })?;
    let (mut kind, mut datatype, mut language) = (None, None, None);
    for (field, raw) in &fields {
        let text = optional_text(raw).map_err(|reason| format!("{field}: {reason}"))?;
        let slot = match field.as_ref() {
            "datatype" => &mut datatype,
            "language" => &mut language,
            "iri" | "name" | "literal" | "blank" => {
                let Some(text) = text else { return Err(format!("{field}: wants a text, not null")) };
                if let Some((other, _)) = kind.replace((field.as_ref(), text)) {
                    return Err(format!("is one of iri, name, literal and blank, not both {other} and {field}"));
                }
                continue;
            }
            _ => return Err(format!("unknown field {field:?}; a term has iri, name, blank, or literal with datatype or language")),
        };
        *slot = text;
    }
    let tagged = datatype.is_some() || language.is_some();
    match kind {
        Some((sort, _)) if tagged && sort != "literal" => Err(format!("only a literal has a datatype or a language, not {}", shown(raw))),
        Some(("iri", iri)) => Ok(Term::Iri(iri.into_owned())),
        Some(("name", name)) => Ok(Term::Name(name.trim().to_owned())),
        Some(("blank", label)) => Ok(Term::Blank(label.into_owned())),
        Some((_, lexical)) => match (datatype, language) {
            (Some(datatype), Some(language)) if datatype != vocab::RDF_LANG_STRING => {
                Err(format!("has a datatype ({datatype}) or a language ({language}), not both"))
            }
            (_, Some(language)) => Ok(Term::Literal(Literal::in_language(lexical, &language))),
            (Some(datatype), None) => Ok(Term::Literal(Literal::typed(lexical, &expanded(&datatype)))),
            (None, None) => Ok(Term::Literal(Literal::text(lexical))),
        },
        None => Err(format!("wants one of iri, name, literal and blank, not {}", shown(raw))),
    }
}

/// A datatype with its `xsd:` prefix written out.
fn expanded(datatype: &str) -> Cow<'_, str> {
    match datatype.strip_prefix("xsd:") {
        Some(name) => Cow::Owned(format!("{}{name}", vocab::XSD)),
        None => Cow::Borrowed(datatype),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuse(text: &str, field: Option<&str>, reason: &str) {
        let fault = object(text).unwrap_err();
        assert_eq!(fault.field.as_deref(), field, "{text}: {}", fault.reason);
        assert!(fault.reason.contains(reason), "{text}: {}", fault.reason);
    }

    fn one(text: &str) -> Result<Term, String> {
        term(&serde_json::from_str::<Box<RawValue>>(text).unwrap())
    }

    #[test]
    fn fields_come_in_order_with_escapes_undone_in_their_names() {
        let fields = object(r#" {"a": 1, "b\u0063": [1, {"x": "}"}], "d" : null } "#).unwrap();
        let read: Vec<(&str, &str)> = fields.iter().map(|(key, value)| (key.as_ref(), value.get())).collect();
        assert_eq!(read, [("a", "1"), ("bc", r#"[1, {"x": "}"}]"#), ("d", "null")]);
    }

    #[test]
    fn a_line_that_is_no_object_names_the_place() {
        refuse(r#"{"a": 1, "confidence": NaN}"#, Some("confidence"), "near \"NaN}\"");
        refuse(r#"{"confidence": Infinity}"#, Some("confidence"), "near \"Infinity}\"");
        refuse(r#"{"a": 1, "b": 01}"#, Some("b"), "invalid number");
        refuse(r#"{"a": 1, "a": 2}"#, Some("a"), "twice");
        refuse(r#"{"a": 1, "b": "cut"#, None, "cut off");
        refuse(r#"{"a": 1"#, None, "cut off");
        refuse("", None, "cut off");
        refuse(r"[1]", None, "expected an object");
        refuse(r#"{"a": 1} {"b": 2}"#, None, "trailing characters");
        refuse("{\"a\": \"tab\there\"}", Some("a"), "control character");
    }

    #[test]
    fn depth_counts_what_is_outside_strings() {
        assert_eq!(depth(r#"{"a": "[[[", "b": [{"c": "\"["}]}"#, 2), 3);
        assert_eq!(depth(&"[".repeat(5_000), 16), 5_000);
        assert_eq!(depth(&"[]".repeat(5_000), 16), 1);
        assert_eq!(depth("plain", 16), 0);
    }

    #[test]
    fn terms_of_every_kind_keep_their_lexical_form() {
        let typed = |lexical: &str, datatype: &str| Ok(Term::Literal(Literal::typed(lexical, datatype)));
        assert_eq!(one(r#"" Ana ""#), Ok(Term::Name("Ana".to_owned())));
        assert_eq!(one(r#""<urn:x>""#), Ok(Term::Name("<urn:x>".to_owned())), "a text is a name whatever it looks like");
        assert_eq!(one("1.50"), typed("1.50", vocab::XSD_DECIMAL));
        assert_eq!(one("-12345678901234567890123"), typed("-12345678901234567890123", vocab::XSD_INTEGER));
        assert_eq!(one("1e3"), typed("1e3", vocab::XSD_DOUBLE));
        assert_eq!(one("true"), typed("true", vocab::XSD_BOOLEAN));
        assert_eq!(one(r#"{"iri": "urn:x:1"}"#), Ok(Term::Iri("urn:x:1".to_owned())));
        assert_eq!(one(r#"{"blank": "b0"}"#), Ok(Term::Blank("b0".to_owned())));
        assert_eq!(one(r#"{"name": "42"}"#), Ok(Term::Name("42".to_owned())));
        assert_eq!(one(r#"{"literal": "chat", "language": "FR"}"#), Ok(Term::Literal(Literal::in_language("chat", "fr"))));
        assert_eq!(one(r#"{"literal": "2019", "datatype": "xsd:gYear"}"#), typed("2019", "http://www.w3.org/2001/XMLSchema#gYear"));
        assert_eq!(one(r#"{"literal": "x", "datatype": null}"#), Ok(Term::Literal(Literal::text("x"))));
    }

    #[test]
    fn broken_terms_say_what_they_want() {
        for (text, reason) in [
            ("null", "wants a name"),
            ("[1]", "wants a name"),
            ("{}", "wants one of iri"),
            (r#"{"iri": "urn:a", "name": "b"}"#, "not both iri and name"),
            (r#"{"iri": "urn:a", "datatype": "urn:b"}"#, "only a literal"),
            (r#"{"literal": "a", "datatype": "urn:b", "language": "en"}"#, "not both"),
            (r#"{"uri": "urn:a"}"#, "unknown field \"uri\""),
            (r#"{"iri": 3}"#, "iri: wants a text, not 3"),
            (r#""\ud800""#, "half a surrogate pair"),
        ] {
            let error = one(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
