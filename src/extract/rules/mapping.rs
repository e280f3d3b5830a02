//! From the fields of structured text to claims: which key names the head and which relation a key stands for, as data.
//!
//! A mapping is TOML: `heads`, the keys that name what a record is about, the first that is there counting, and a table for each
//! relation with `keys` (the value is the tail), `holders` (the value is the head and the record's thing the tail) and `dated`
//! (the value is a date from which it holds). The default mapping serves every tool that has none of its own. Knows no syntax.

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
}

/// Which keys of a tool's results mean what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    heads: Vec<String>,
    keys: FxHashMap<String, Meaning>,
}

impl Mapping {
    /// The shipped mapping, read once.
    pub(super) fn shipped() -> Arc<Self> {
        static SHIPPED_MAPPING: OnceLock<Arc<Mapping>> = OnceLock::new();
        Arc::clone(SHIPPED_MAPPING.get_or_init(|| Arc::new(Self::read(SHIPPED).unwrap_or_default())))
    }

    /// Reads a mapping.
    ///
    /// # Errors
    /// [`PatternError`] names the relation or the field that cannot be read.
    pub(super) fn read(text: &str) -> Result<Self, PatternError> {
        let table = text.parse::<Table>().map_err(|error| PatternError::unreadable("the mapping", error.to_string()))?;
        let mut mapping = Self::default();
        for (name, value) in &table {
            if name == "heads" {
                mapping.heads = texts(name, value)?.into_iter().map(normal).collect();
                continue;
            }
            let fields = value.as_table().ok_or_else(|| PatternError::unreadable(name, "a relation is a table".to_owned()))?;
            let dated = fields.get("dated").and_then(Value::as_bool).unwrap_or(false);
            for (field, value) in fields {
                let holder = match field.as_str() {
                    "keys" => false,
                    "holders" => true,
                    "dated" => continue,
                    other => return Err(PatternError::unreadable(name, format!("there is no field {other:?}"))),
                };
                for key in texts(name, value)? {
                    mapping.keys.insert(normal(key), Meaning { relation: name.clone(), holder, dated });
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
            for (place, field) in record.iter().enumerate().filter(|(place, _)| *place != at) {
                if let Some(meaning) = self.keys.get(&normal(&field.key)).filter(|_| is_value(&field.value)) {
                    reading.drafts.push(draft(meaning, head, field, place, setting));
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
