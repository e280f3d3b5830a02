//! From the fields of structured text to claims: which key names the head and which relation a key stands for, as data.
//!
//! A mapping is TOML: `heads`, the keys that name what a record is about, the first that is there counting, and a table for each
//! relation with `keys` (the value is the tail; `person_keys` where the record is about a person), `holders` (the value is the head and the record's thing the tail) and `dated`
//! (the value is a date from which it holds) and `many` (commas part values). `people` are the heads that name persons, `signs` keys
//! that only a person's record has. The default mapping serves every tool that has none of its own. Knows no syntax.

use super::PatternError;
use super::draft::{Draft, Phase, Reading, Setting};
use super::structure::{Field, StructuredRecord};
use crate::model::Polarity;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use toml::{Table, Value};
use unicode_normalization::UnicodeNormalization;

/// The shipped mapping.
const SHIPPED: &str = include_str!("mapping.toml");

/// The confidence of a field.
const FIELD: f64 = 0.9;

/// Longer values are prose, not fields.
const LONGEST_VALUE: usize = 120;

/// What a key stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    relation: String,
    /// The value is the head.
    holder: bool,
    dated: bool,
    /// Several values may stand in one field, with commas between them.
    many: bool,
}

/// Which keys of a tool's results mean what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    heads: Vec<String>,
    /// The heads that name persons, and the keys that only persons have.
    people: Vec<String>,
    signs: Vec<String>,
    keys: FxHashMap<String, Meaning>,
    /// What keys mean where the record is about a person.
    of_people: FxHashMap<String, Meaning>,
}

impl Mapping {
    /// The shipped mapping, read once.
    #[expect(clippy::expect_used, reason = "the shipped mapping is part of the program, and a test reads it")]
    pub(super) fn shipped() -> Arc<Self> {
        static SHIPPED_MAPPING: OnceLock<Arc<Mapping>> = OnceLock::new();
        Arc::clone(SHIPPED_MAPPING.get_or_init(|| Arc::new(Self::read(SHIPPED).expect("the shipped mapping is a mapping"))))
    }

    /// Reads a mapping.
    ///
    /// # Errors
    /// [`PatternError`] names the relation or the field that cannot be read.
    pub(super) fn read(text: &str) -> Result<Self, PatternError> {
        let table = text.parse::<Table>().map_err(|error| PatternError::unreadable("the mapping", error.to_string()))?;
        let mut mapping = Self::default();
        for (name, value) in &table {
            let list = match name.as_str() {
                "heads" => Some(&mut mapping.heads),
                "people" => Some(&mut mapping.people),
                "signs" => Some(&mut mapping.signs),
                _ => None,
            };
            if let Some(list) = list {
                *list = texts(name, value)?.into_iter().map(normal).collect();
                continue;
            }
            let fields = value.as_table().ok_or_else(|| PatternError::unreadable(name, "a relation is a table".to_owned()))?;
            let yes = |field: &str| fields.get(field).and_then(Value::as_bool).unwrap_or(false);
            let (dated, many) = (yes("dated"), yes("many"));
            for (field, value) in fields {
                let holder = match field.as_str() {
                    "keys" | "person_keys" => false,
                    "holders" => true,
                    "dated" | "many" => continue,
                    other => return Err(PatternError::unreadable(name, format!("there is no field {other:?}"))),
                };
                for key in texts(name, value)? {
                    let meanings = if field == "person_keys" { &mut mapping.of_people } else { &mut mapping.keys };
                    meanings.insert(normal(key), Meaning { relation: name.clone(), holder, dated, many });
                }
            }
        }
        Ok(mapping)
    }

    /// Drafts what the fields of records say.
    pub(super) fn drafts(&self, records: &[StructuredRecord], setting: &Setting<'_>) -> Reading {
        let mut reading = Reading::default();
        for record in records {
            let Some((at, head)) = self.head(record) else { continue };
            let person = self.people.contains(&normal(&head.key)) || record.iter().any(|field| self.signs.contains(&normal(&field.key)));
            for (place, field) in record.iter().enumerate().filter(|(place, _)| *place != at) {
                let key = normal(&field.key);
                let meaning = self.of_people.get(&key).filter(|_| person).or_else(|| self.keys.get(&key));
                let Some(meaning) = meaning.filter(|_| is_value(&field.value)) else { continue };
                for part in parts(field, meaning.many) {
                    reading.drafts.push(draft(meaning, head, &part, place, setting));
                }
            }
        }
        reading
    }

    /// The field that names what a record is about.
    fn head<'r>(&self, record: &'r StructuredRecord) -> Option<(usize, &'r Field)> {
        let is = |key: &str| record.iter().position(|field| normal(&field.key) == key && is_value(&field.value));
        let at = self.heads.iter().find_map(|key| is(key))?;
        Some((at, record.get(at)?))
    }
}

/// The values of a field: itself, or the several that stand in it.
fn parts(field: &Field, many: bool) -> Vec<Field> {
    if !many {
        return vec![field.clone()];
    }
    let mut from = field.bytes.start;
    let mut found = Vec::new();
    // "[redis, vault]"
    let bare = field.value.trim_start_matches(['[', '(']);
    from += field.value.len() - bare.len();
    for part in bare.trim_end_matches([']', ')']).split_inclusive([',', '、', '・', ';', '/']) {
        let bare = part.trim_end_matches([',', '、', '・', ';', '/']);
        let lead = bare.len() - bare.trim_start().len();
        let value = bare.trim().to_owned();
        if !value.is_empty() {
            let start = from + lead;
            found.push(Field { key: field.key.clone(), bytes: start..start + value.len(), value });
        }
        from += part.len();
    }
    // What was written otherwise than it reads has no places inside it.
    if field.bytes.len() != field.value.len() {
        for part in &mut found {
            part.bytes = field.bytes.clone();
        }
    }
    found
}

/// Whether a value is one, and no prose.
fn is_value(value: &str) -> bool {
    let empty = matches!(
        value.to_lowercase().as_str(),
        "" | "null" | "none" | "n/a" | "na" | "-" | "unknown" | "tbd" | "なし" | "未定" | "不明" | "未設定"
    );
    !empty && value.chars().count() <= LONGEST_VALUE && !value.contains('\n')
}

fn draft(meaning: &Meaning, head: &Field, field: &Field, place: usize, setting: &Setting<'_>) -> Draft {
    let (from, to) = if meaning.holder { (&field.value, &head.value) } else { (&head.value, &field.value) };
    let inside = |time: &&crate::time::expr::TimeMention| field.bytes.start <= time.bytes.start && time.bytes.end <= field.bytes.end;
    let times = if meaning.dated { setting.times.iter().filter(inside).cloned().collect() } else { Vec::new() };
    Draft {
        head: from.clone(),
        relation: meaning.relation.clone(),
        tail: to.clone(),
        polarity: Polarity::Holds,
        phase: Phase::Now,
        times,
        quote: field.bytes.clone(),
        pattern: format!("field/{}/{place}", meaning.relation),
        confidence: FIELD,
        corrects: None,
    }
}

/// A key without case, width, spaces and joiners.
fn normal(key: &str) -> String {
    key.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

fn texts<'v>(name: &str, value: &'v Value) -> Result<Vec<&'v str>, PatternError> {
    let fault = || PatternError::unreadable(name, format!("{value} is no list of texts"));
    value.as_array().ok_or_else(fault)?.iter().map(|one| one.as_str().ok_or_else(fault)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_mapping_is_one_and_maps_something() {
        let mapping = Mapping::read(SHIPPED);
        assert!(mapping.is_ok(), "{:?}", mapping.err());
        let mapping = Mapping::shipped();
        assert!(!mapping.heads.is_empty() && !mapping.people.is_empty() && !mapping.signs.is_empty(), "{:?}", mapping.heads);
        assert!(!mapping.keys.is_empty() && !mapping.of_people.is_empty(), "{} keys", mapping.keys.len());
    }

    #[test]
    fn a_mapping_that_cannot_be_read_names_the_relation() {
        let fault = Mapping::read("[employer]\nkey = ['firm']").unwrap_err();
        assert_eq!((fault.of.as_str(), fault.reason.contains("key")), ("employer", true), "{fault}");
    }
}
