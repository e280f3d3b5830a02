//! One relation's table: its TOML fields read, laid over a policy, and written. Knows no other relation.

use super::PackError;
use super::wording::relation_key;
use crate::model::{AuthorityMode, Cardinality, OnConflict, RelationKind, RelationPolicy};
use std::fmt::Write;
use toml::{Table, Value};

/// What a table says of a relation; `None` where it says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Patch {
    pub(super) cardinality: Option<Cardinality>,
    pub(super) inverse_cardinality: Option<Cardinality>,
    pub(super) symmetric: Option<bool>,
    pub(super) inverse_of: Option<Change<String>>,
    pub(super) excludes: Option<Vec<String>>,
    pub(super) domain: Option<Vec<String>>,
    pub(super) range: Option<Vec<String>>,
    pub(super) description: Option<String>,
    /// A language that is named replaces that language's wordings.
    pub(super) aliases: Vec<(String, Vec<String>)>,
    pub(super) shared: Shared,
}

/// What a table does to a field that a policy may lack.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change<T> {
    To(T),
    Away,
}

/// The part of a table that is true of a relation and of its inverse alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shared {
    pub(super) kind: Option<RelationKind>,
    pub(super) resumes: Option<bool>,
    pub(super) on_conflict: Option<OnConflict>,
    pub(super) authority: Option<AuthorityMode>,
    pub(super) ttl_micros: Option<Change<i64>>,
    pub(super) sensitive: Option<bool>,
}

/// The fields in the order they are written; an unknown one is answered with this list.
const FIELDS: &str = "cardinality, inverse_cardinality, symmetric, inverse_of, excludes, domain, range, kind, resumes, on_conflict, authority, ttl, \
                      sensitive, description, aliases";

const CARDINALITIES: [(&str, Cardinality); 2] = [("one", Cardinality::One), ("many", Cardinality::Many)];
const KINDS: [(&str, RelationKind); 3] =
    [("state", RelationKind::State), ("event", RelationKind::Event), ("permanent", RelationKind::Permanent)];
const CONFLICTS: [(&str, OnConflict); 2] = [("contest", OnConflict::Contest), ("newest", OnConflict::Newest)];
const AUTHORITIES: [(&str, AuthorityMode); 3] =
    [("ranked", AuthorityMode::Ranked), ("equal", AuthorityMode::Equal), ("strict", AuthorityMode::Strict)];

impl Patch {
    /// Reads the fields of one relation's table.
    pub(super) fn read(relation: &str, table: &Table) -> Result<Self, PackError> {
        let mut patch = Self::default();
        for (field, value) in table {
            patch.take(field, value).map_err(|reason| PackError::invalid(relation, field, reason))?;
        }
        Ok(patch)
    }

    fn take(&mut self, field: &str, value: &Value) -> Result<(), String> {
        match field {
            "cardinality" => self.cardinality = Some(one_of(value, &CARDINALITIES)?),
            "inverse_cardinality" => self.inverse_cardinality = Some(one_of(value, &CARDINALITIES)?),
            "symmetric" => self.symmetric = Some(boolean(value)?),
            "inverse_of" => {
                let inverse = text(value)?;
                self.inverse_of = Some(if inverse.is_empty() { Change::Away } else { Change::To(relation_key(inverse)) });
            }
            "excludes" => self.excludes = Some(texts(value)?.iter().map(|name| relation_key(name)).collect()),
            "domain" => self.domain = Some(texts(value)?),
            "range" => self.range = Some(texts(value)?),
            "kind" => self.shared.kind = Some(one_of(value, &KINDS)?),
            "resumes" => self.shared.resumes = Some(boolean(value)?),
            "on_conflict" => self.shared.on_conflict = Some(one_of(value, &CONFLICTS)?),
            "authority" => self.shared.authority = Some(one_of(value, &AUTHORITIES)?),
            "ttl" => self.shared.ttl_micros = Some(ttl(value)?),
            "sensitive" => self.shared.sensitive = Some(boolean(value)?),
            "description" => text(value)?.clone_into(self.description.get_or_insert_default()),
            "aliases" => {
                let languages = value.as_table().ok_or_else(|| format!("wants a list of wordings by language, not {}", shown(value)))?;
                for (language, wordings) in languages {
                    let wordings = texts(wordings).map_err(|reason| format!("{language}: {reason}"))?;
                    self.aliases.push((language.clone(), wordings));
                }
            }
            _ => return Err(format!("unknown field; the fields are {FIELDS}")),
        }
        Ok(())
    }

    /// Lays what the table says over `policy`.
    pub(super) fn lay_over(&self, policy: &mut RelationPolicy) {
        over(&mut policy.cardinality, self.cardinality);
        over(&mut policy.inverse_cardinality, self.inverse_cardinality);
        over(&mut policy.symmetric, self.symmetric);
        change(&mut policy.inverse_of, self.inverse_of.clone());
        over(&mut policy.excludes, self.excludes.clone());
        over(&mut policy.domain, self.domain.clone());
        over(&mut policy.range, self.range.clone());
        over(&mut policy.description, self.description.clone());
        for (language, wordings) in &self.aliases {
            policy.aliases.retain(|(known, _)| known != language);
            policy.aliases.push((language.clone(), wordings.clone()));
        }
        policy.aliases.sort();
        self.shared.lay_over(policy);
    }
}

impl Shared {
    /// Lays what it says over `policy`.
    pub(super) fn lay_over(&self, policy: &mut RelationPolicy) {
        over(&mut policy.kind, self.kind);
        over(&mut policy.resumes, self.resumes);
        over(&mut policy.on_conflict, self.on_conflict);
        over(&mut policy.authority, self.authority);
        change(&mut policy.ttl_micros, self.ttl_micros.clone());
        over(&mut policy.sensitive, self.sensitive);
    }
}

fn over<T>(field: &mut T, said: Option<T>) {
    if let Some(said) = said {
        *field = said;
    }
}

fn change<T>(field: &mut Option<T>, said: Option<Change<T>>) {
    match said {
        Some(Change::To(value)) => *field = Some(value),
        Some(Change::Away) => *field = None,
        None => {}
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 60 { format!("a {}", value.type_str()) } else { text.trim().to_owned() }
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("wants a text, not {}", shown(value)))
}

fn boolean(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("wants true or false, not {}", shown(value)))
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    let list = value.as_array().ok_or_else(|| format!("wants a list of texts, not {}", shown(value)))?;
    list.iter().map(|item| text(item).map(str::to_owned)).collect()
}

fn one_of<T: Copy>(value: &Value, known: &[(&str, T)]) -> Result<T, String> {
    let word = value.as_str();
    known.iter().find(|(name, _)| Some(*name) == word).map(|(_, meant)| *meant).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("{name:?}")).collect();
        format!("wants {}, not {}", names.join(" or "), shown(value))
    })
}

fn word_for<T: PartialEq>(value: &T, known: &[(&'static str, T)]) -> &'static str {
    known.iter().find(|(_, meant)| meant == value).map_or("", |(name, _)| name)
}

/// Microseconds in the units a ttl is written in, largest first.
const UNITS: [(&str, i64); 5] = [("w", 604_800_000_000), ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000)];

/// Reads "30d", "12h", "2w", "90m", "45s" or a number of seconds; "" or "none" is no ttl.
fn ttl(value: &Value) -> Result<Change<i64>, String> {
    let fault = || format!("wants a length such as \"30d\", \"12h\", \"2w\", \"none\" or seconds above 0, not {}", shown(value));
    let (count, unit) = match value {
        Value::Integer(seconds) => (*seconds, 1_000_000),
        Value::String(text) if text.is_empty() || text == "none" => return Ok(Change::Away),
        Value::String(text) => {
            let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
            let unit = if unit.is_empty() { "s" } else { unit };
            let (_, micros) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(fault)?;
            (digits.parse().map_err(|_not_a_number| fault())?, *micros)
        }
        Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => return Err(fault()),
    };
    count.checked_mul(unit).filter(|micros| *micros > 0).map(Change::To).ok_or_else(fault)
}

/// A ttl in the largest unit that divides it ("30d", "90m"), as packs write it.
#[must_use]
pub fn ttl_text(micros: i64) -> String {
    match UNITS.iter().find(|(_, unit)| micros % unit == 0) {
        Some((name, unit)) => format!("{}{name}", micros / unit),
        None => format!("{}s", micros / 1_000_000),
    }
}

/// The body of a relation's TOML table that gives exactly this policy, every field that has a value, in a fixed order.
///
/// Reading it back gives the same policy (a ttl counts whole seconds).
#[must_use]
pub fn policy_toml(policy: &RelationPolicy) -> String {
    let quoted = |text: &str| Value::String(text.to_owned()).to_string();
    let list = |texts: &[String]| format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "));
    let mut out = String::new();
    let mut line = |field: &str, value: String| {
        let written = writeln!(out, "{field} = {value}");
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    };
    line("cardinality", quoted(word_for(&policy.cardinality, &CARDINALITIES)));
    line("inverse_cardinality", quoted(word_for(&policy.inverse_cardinality, &CARDINALITIES)));
    line("symmetric", policy.symmetric.to_string());
    if let Some(inverse) = &policy.inverse_of {
        line("inverse_of", quoted(inverse));
    }
    for (field, texts) in [("excludes", &policy.excludes), ("domain", &policy.domain), ("range", &policy.range)] {
        if !texts.is_empty() {
            line(field, list(texts));
        }
    }
    line("kind", quoted(word_for(&policy.kind, &KINDS)));
    line("resumes", policy.resumes.to_string());
    line("on_conflict", quoted(word_for(&policy.on_conflict, &CONFLICTS)));
    line("authority", quoted(word_for(&policy.authority, &AUTHORITIES)));
    if let Some(micros) = policy.ttl_micros {
        line("ttl", quoted(&ttl_text(micros)));
    }
    line("sensitive", policy.sensitive.to_string());
    if !policy.description.is_empty() {
        line("description", quoted(&policy.description));
    }
    for (language, wordings) in &policy.aliases {
        line(&format!("aliases.{}", key(language)), list(wordings));
    }
    out
}

/// A TOML key, bare where it may be.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { name.to_owned() } else { Value::String(name.to_owned()).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str) -> Result<RelationPolicy, PackError> {
        let patch = Patch::read("r", &toml.parse::<Table>().unwrap())?;
        let mut policy = RelationPolicy::default();
        patch.lay_over(&mut policy);
        Ok(policy)
    }

    fn refuse(toml: &str, message: &str) {
        let error = read(toml).unwrap_err().to_string();
        assert!(error.contains(message), "{toml}: {error}");
    }

    #[test]
    fn every_field_is_read_and_written_back() {
        let toml = r#"cardinality = "one"
inverse_cardinality = "one"
symmetric = false
inverse_of = "q"
excludes = ["a", "b"]
domain = ["person"]
range = ["place", "text"]
kind = "permanent"
resumes = true
on_conflict = "newest"
authority = "strict"
ttl = "30d"
sensitive = true
description = 'A "quoted" one.'
aliases.en = ["works at", "joined"]
aliases.ja = ["勤務先は"]
"#;
        let policy = read(toml).unwrap();
        assert_eq!(policy_toml(&policy), toml);
        let plain = RelationPolicy::default();
        assert_eq!(read(&policy_toml(&plain)), Ok(plain));
    }

    #[test]
    fn a_ttl_is_a_length_above_zero() {
        let micros = |toml: &str| read(&format!("ttl = {toml}")).unwrap().ttl_micros;
        assert_eq!(micros("\"30d\""), Some(30 * 86_400_000_000));
        assert_eq!(micros("\"12h\""), Some(12 * 3_600_000_000));
        assert_eq!(micros("\"45\""), Some(45_000_000));
        assert_eq!(micros("90"), Some(90_000_000));
        assert_eq!(micros("\"none\""), None);
        for bad in ["0", "-5", "1.5", "\"30 d\"", "\"d\"", "\"1y\"", "\"-3d\"", "9223372036854775807", "true", "\"99999999999999999999d\""]
        {
            refuse(&format!("ttl = {bad}"), "relation \"r\", ttl: wants a length");
        }
        assert_eq!(ttl_text(90 * 60_000_000), "90m");
        assert_eq!(ttl_text(14 * 86_400_000_000), "2w");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_field_and_value() {
        refuse("cardinalty = \"one\"", "relation \"r\", cardinalty: unknown field; the fields are cardinality");
        refuse("cardinality = \"two\"", "cardinality: wants \"one\" or \"many\", not \"two\"");
        refuse("kind = 3", "kind: wants \"state\" or \"event\" or \"permanent\", not 3");
        refuse("symmetric = \"yes\"", "symmetric: wants true or false, not \"yes\"");
        refuse("excludes = \"a\"", "excludes: wants a list");
        refuse("domain = [1]", "domain: wants a text, not 1");
        refuse("aliases = [\"a\"]", "aliases: wants a list of wordings by language");
        refuse("aliases.en = \"a\"", "aliases: en: wants a list");
    }
}
