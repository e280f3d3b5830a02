//! From the fields of structured text to claims: which key names the head and which relation a key stands for, as data.
//!
//! A mapping is TOML: `heads`, the keys that name what a record is about, the first that is there counting, and a table for each
//! relation with `keys` (the value is the tail; `person_keys` where the record is about a person), `holders` (the value is the head and the record's thing the tail) and `dated`
//! (the value is a date from which it holds), `date` (the value is a time), `counted` (the value is no number below nought) and `many`
//! (commas part values). `since` and `until` are keys that say when what stands beside them began and ended, and `lasting` the relations
//! they say it of, those of one thing together. `people` are the heads that name persons, `signs` keys
//! that only a person's record has. The default mapping serves every tool that has none of its own. Knows no syntax.

use super::PatternError;
use super::draft::{Draft, Phase, Reading, Refusal, Setting};
use super::structure::{Field, StructuredRecord};
use crate::extract::RejectionKind;
use crate::model::Polarity;
use crate::time::expr::{self, Role, TimeMention};
use crate::time::parse_moment;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use toml::{Table, Value};
use unicode_normalization::UnicodeNormalization;

/// The shipped mapping.
const SHIPPED: &str = include_str!("mapping.toml");

/// The confidence of a field.
const FIELD: f64 = 0.9;

/// The confidence of a field that only persons have, where the record may be another thing's.
const GUESSED: f64 = 0.6;

/// Longer values are prose, not fields.
const LONGEST_VALUE: usize = 120;

/// What a key stands for.
#[expect(clippy::struct_excessive_bools, reason = "each is one line of the mapping's file about the key")]
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    relation: String,
    /// The value is the head.
    holder: bool,
    dated: bool,
    /// Several values may stand in one field, with commas between them.
    many: bool,
    /// The value is a time.
    date: bool,
    /// The value is no number below nought.
    counted: bool,
}

/// Which keys of a tool's results mean what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    heads: Vec<String>,
    /// The heads that name persons, and the keys that only persons have.
    people: Vec<String>,
    signs: Vec<String>,
    /// Heads that name persons where nothing speaks against it.
    names: Vec<String>,
    /// Words of what is called otherwise than a person.
    things: Vec<String>,
    since: Vec<String>,
    until: Vec<String>,
    /// Relations that `since` and `until` date together.
    lasting: Vec<Vec<String>>,
    keys: FxHashMap<String, Meaning>,
    /// What keys mean where the record is about a person.
    of_people: FxHashMap<String, Meaning>,
}

/// The field of a record that says when, with its times.
fn times_of(record: &StructuredRecord, keys: &[String], setting: &Setting<'_>) -> Option<(usize, Vec<TimeMention>)> {
    let at = record.iter().position(|field| !field.overruled && keys.contains(&normal(&field.key)))?;
    let times = inside(record.get(at)?, setting);
    (!times.is_empty()).then_some((at, times))
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
                "names" => Some(&mut mapping.names),
                "things" => Some(&mut mapping.things),
                "since" => Some(&mut mapping.since),
                "until" => Some(&mut mapping.until),
                _ => None,
            };
            if let Some(list) = list {
                *list = texts(name, value)?.into_iter().map(normal).collect();
                continue;
            }
            if name == "lasting" {
                let groups = value.as_array().ok_or_else(|| PatternError::unreadable(name, format!("{value} is no list of lists")))?;
                let group = |group: &Value| Ok(texts(name, group)?.into_iter().map(str::to_owned).collect());
                mapping.lasting = groups.iter().map(group).collect::<Result<_, PatternError>>()?;
                continue;
            }
            let fields = value.as_table().ok_or_else(|| PatternError::unreadable(name, "a relation is a table".to_owned()))?;
            let yes = |field: &str| fields.get(field).and_then(Value::as_bool).unwrap_or(false);
            let (dated, many, counted) = (yes("dated"), yes("many"), yes("counted"));
            let date = dated || yes("date");
            for (field, value) in fields {
                let holder = match field.as_str() {
                    "keys" | "person_keys" => false,
                    "holders" => true,
                    "dated" | "many" | "date" | "counted" => continue,
                    other => return Err(PatternError::unreadable(name, format!("there is no field {other:?}"))),
                };
                for key in texts(name, value)? {
                    let meanings = if field == "person_keys" { &mut mapping.of_people } else { &mut mapping.keys };
                    meanings.insert(normal(key), Meaning { relation: name.clone(), holder, dated, many, date, counted });
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
            let said = self.people.contains(&normal(&head.key)) || record.iter().any(|field| self.signs.contains(&normal(&field.key)));
            let guessed = !said && self.reads_as_a_person(record, head);
            let person = said || guessed;
            let since = times_of(record, &self.since, setting);
            let until = times_of(record, &self.until, setting);
            for (place, field) in record.iter().enumerate().filter(|(place, _)| *place != at) {
                let key = normal(&field.key);
                let of_person = self.of_people.get(&key).filter(|_| person);
                let Some(meaning) = of_person.or_else(|| self.keys.get(&key)).filter(|_| is_value(&field.value)) else { continue };
                if let Some(reason) = fault(meaning, field, setting) {
                    reading.refused.push(Refusal { kind: RejectionKind::Unfit, quote: field.bytes.clone(), reason });
                    continue;
                }
                let began = self.of(record, place, meaning, since.as_ref());
                let ended = self.of(record, place, meaning, until.as_ref());
                for part in parts(field, meaning.many) {
                    let mut draft = draft(meaning, head, &part, place, setting);
                    lay(&mut draft, began, ended, setting);
                    if guessed && of_person.is_some() {
                        draft.confidence = GUESSED;
                    }
                    reading.drafts.push(draft);
                }
            }
        }
        if reading.drafts.is_empty() && reading.refused.is_empty() {
            reading.refused.push(self.nothing(records));
        }
        reading
    }

    /// Why records say nothing: of prose among their values, that it is; else what they lack.
    fn nothing(&self, records: &[StructuredRecord]) -> Refusal {
        const FEWEST_WORDS: usize = 3;
        let fields = || records.iter().flatten();
        let is_prose = |value: &str| value.split_whitespace().count() >= FEWEST_WORDS || value.ends_with(['.', '。', '!', '！', '?', '？']);
        let prose = fields().find(|field| !self.keys.contains_key(&normal(&field.key)) && is_prose(&field.value));
        let (quote, reason) = match (prose, fields().next()) {
            (Some(field), _) => {
                (field.bytes.clone(), format!("the value of {:?} is prose, and of what is structured fields are read", field.key))
            }
            (None, Some(field)) if records.iter().any(|record| self.head(record).is_some()) => {
                (field.bytes.clone(), "no field beside the name has a value that says something".to_owned())
            }
            (None, Some(field)) => (field.bytes.clone(), "no field names what the others are about".to_owned()),
            (None, None) => (0..0, "no field has a value".to_owned()),
        };
        Refusal { kind: RejectionKind::Unread, quote, reason }
    }

    /// Whether a record's name is a person's for all it says: words of letters, none of which is a thing's, and beside it only what persons
    /// have.
    fn reads_as_a_person(&self, record: &StructuredRecord, head: &Field) -> bool {
        let named = self.names.contains(&normal(&head.key));
        let mut words = head.value.split_whitespace();
        let lettered = |word: &str| word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '.' | '・'));
        let begins = |word: &str| word.chars().next().is_some_and(|c| !c.is_lowercase());
        let is_thing = |word: &str| {
            let word = word.to_lowercase();
            self.things.iter().any(|thing| *thing == word || (!thing.is_ascii() && word.ends_with(thing.as_str())))
        };
        named
            && head.value.split_whitespace().count() <= 3
            && words.all(|word| lettered(word) && begins(word) && !is_thing(word))
            && record.iter().all(|field| {
                let key = normal(&field.key);
                // What things have beside a name has a meaning of its own.
                key == normal(&head.key) || self.of_people.contains_key(&key) || !self.keys.contains_key(&key) || self.since.contains(&key)
            })
    }

    /// The times that date the field at `place`: those of the relations that stand nearest before them, or nearest after.
    fn of<'t>(
        &self,
        record: &StructuredRecord,
        place: usize,
        meaning: &Meaning,
        times: Option<&'t (usize, Vec<TimeMention>)>,
    ) -> Option<&'t [TimeMention]> {
        let (at, times) = times?;
        let group = |relation: &str| self.lasting.iter().position(|group| group.iter().any(|one| one == relation));
        let meant = |field: &Field| {
            let key = normal(&field.key);
            self.keys.get(&key).or_else(|| self.of_people.get(&key)).and_then(|meaning| group(&meaning.relation))
        };
        let own = group(&meaning.relation)?;
        let before = record.iter().take(*at).rev().find_map(meant);
        let nearest = before.or_else(|| record.iter().skip(*at).find_map(meant))?;
        (own == nearest && place != *at).then_some(times.as_slice())
    }

    /// The field that names what a record is about.
    fn head<'r>(&self, record: &'r StructuredRecord) -> Option<(usize, &'r Field)> {
        let is = |key: &str| record.iter().position(|field| !field.overruled && normal(&field.key) == key && is_value(&field.value));
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
            found.push(Field { key: field.key.clone(), bytes: start..start + value.len(), value, overruled: false });
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
    let times = if meaning.dated { inside(field, setting) } else { Vec::new() };
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

/// The times that a field's value names.
fn inside(field: &Field, setting: &Setting<'_>) -> Vec<TimeMention> {
    let inside = |time: &&TimeMention| field.bytes.start <= time.bytes.start && time.bytes.end <= field.bytes.end;
    setting.times.iter().filter(inside).cloned().collect()
}

/// Places a draft by when it is said to have begun and ended.
fn lay(draft: &mut Draft, began: Option<&[TimeMention]>, ended: Option<&[TimeMention]>, setting: &Setting<'_>) {
    let as_role = |times: &[TimeMention], role: Role| -> Vec<TimeMention> {
        times.iter().take(1).map(|time| TimeMention { role, ..time.clone() }).collect()
    };
    let over = |times: &[TimeMention]| {
        times.first().is_some_and(|time| matches!(time.value, expr::Value::Moment(moment) if moment.hi() <= setting.calendar.reference))
    };
    match (began, ended) {
        (Some(began), Some(ended)) => {
            draft.times = as_role(began, Role::Since);
            draft.times.extend(as_role(ended, Role::Until));
        }
        (Some(began), None) => {
            draft.phase = Phase::Began;
            draft.times = as_role(began, Role::At);
        }
        (None, Some(ended)) if over(ended) => {
            (draft.polarity, draft.phase) = (Polarity::Ends, Phase::Over);
            draft.times = as_role(ended, Role::At);
        }
        (None, Some(ended)) => draft.times = as_role(ended, Role::Until),
        (None, None) => {}
    }
}

/// What is wrong with a value, if something is.
fn fault(meaning: &Meaning, field: &Field, setting: &Setting<'_>) -> Option<String> {
    let Field { key, value, .. } = field;
    if field.overruled {
        return Some(format!("{key:?} is there again, and the last one counts"));
    }
    if is_markup(value) {
        return Some(format!("the value of {key:?} is markup"));
    }
    let no_date = || Some(format!("{value:?} is no date, as {key:?} is to be"));
    if meaning.date {
        let day = value
            .get(..10)
            .filter(|day| day.bytes().enumerate().all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }));
        if day.is_some_and(|day| parse_moment(day, &setting.calendar.zone).is_err()) {
            return no_date();
        }
        if !value.chars().any(char::is_numeric) && inside(field, setting).is_empty() {
            return no_date();
        }
    }
    let below = value.strip_prefix(['-', '−']).is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    (meaning.counted && below).then(|| format!("{value:?} is below nought, which {key:?} cannot be"))
}

/// Whether a value has a tag.
fn is_markup(value: &str) -> bool {
    value
        .split('<')
        .skip(1)
        .any(|inside| inside.contains('>') && inside.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!')))
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

    use crate::extract::{Context, Extractor, Rules};
    use crate::model::{Authority, ObservationKind, Source};
    use crate::observe::Incoming;
    use crate::time::ZonedInstant;

    /// What a tool's result says, a claim a line, and why it says no more.
    fn said(text: &str) -> (Vec<String>, Vec<String>) {
        let at = ZonedInstant::parse("2024-05-16T10:00:00Z").unwrap();
        let result = Incoming::from_text(ObservationKind::ToolResult, at, Source { authority: Authority::Tool, name: None }, text);
        let read = Rules::default().extract(&result, &Context::default());
        let claim = |claim: &crate::model::Claim| {
            let span = claim.span;
            let end = if claim.polarity == Polarity::Ends { " ends" } else { "" };
            format!("{} {} {}{end}, {} to {}", claim.head, claim.relation, claim.tail, span.start(), span.end())
        };
        (read.claims.iter().map(claim).collect(), read.rejected.iter().map(|one| format!("{}: {}", one.kind, one.reason)).collect())
    }

    #[test]
    fn a_record_that_reads_as_a_persons_says_where_they_live() {
        let first = |text: &str| said(text).0.first().map(|claim| claim.split(',').next().unwrap().to_owned());
        for (text, expect) in [
            (r#"{"name":"Bo","city":"Rome"}"#, Some("Bo lives_in Rome")),
            (r#"{"name":"Bo Lind","city":"Rome"}"#, Some("Bo Lind lives_in Rome")),
            (r#"{"name":"Bo","title":"CEO"}"#, Some("Bo job_title CEO")),
            (r#"{"name":"Harbour Hotel","city":"Rome"}"#, None),
            (r#"{"name":"api-7","city":"Rome"}"#, None),
        ] {
            assert_eq!(first(text).as_deref(), expect, "{text}");
        }
    }

    #[test]
    fn a_name_says_what_a_record_is_about_whatever_system_it_is_of() {
        for (text, expect) in [
            (r#"{"name":"Bo","system":"Linux","employer":"Orb"}"#, "Bo employer Orb"),
            (r#"{"name":"Cy","employer":"Orb","service":"billing"}"#, "Cy employer Orb"),
            (r#"{"service":"billing","owner":"Cy"}"#, "billing owned_by Cy"),
        ] {
            let (claims, _) = said(text);
            assert!(claims.iter().any(|claim| claim.starts_with(expect)), "{text}: {claims:?}");
        }
    }

    #[test]
    fn what_says_nothing_says_why() {
        for (text, reason) in [
            (r#"{"content":"Bo works at Orb."}"#, "unread: the value of \"content\" is prose, and of what is structured fields are read"),
            (
                r#"{"result":{"text":"Bo works at Orb"}}"#,
                "unread: the value of \"text\" is prose, and of what is structured fields are read",
            ),
            (r#"{"name":"Bo","employer":null,"city":""}"#, "unread: no field beside the name has a value that says something"),
            (r#"{"colour":"red"}"#, "unread: no field names what the others are about"),
            ("{}", "unread: no field has a value"),
        ] {
            assert_eq!(said(text), (Vec::new(), vec![reason.to_owned()]), "{text}");
        }
    }

    #[test]
    fn since_and_until_date_what_stands_beside_them() {
        let (claims, _) = said(r#"[{"name":"Ann","employer":"Orb","since":"2019"},{"name":"Bo","employer":"Orb","end date":"2020-05"}]"#);
        assert!(claims[0].starts_with("Ann employer Orb, ") && claims[0].contains("2019") && !claims[0].contains("2024"), "{claims:?}");
        assert!(claims[1].starts_with("Bo employer Orb ends") && claims[1].contains("2020"), "{claims:?}");
        let (claims, _) =
            said(r#"{"user":"Ann","city":"Oslo","employer":"Orb","job title":"cook","joined":"March 2021","email":"a@b.example"}"#);
        let dated: Vec<bool> = claims.iter().map(|claim| claim.contains("2021")).collect();
        assert_eq!(dated, [false, true, true, false], "{claims:?}");
    }

    #[test]
    fn values_that_cannot_be_are_refused_with_a_reason() {
        for (text, reason) in [
            (r#"{"event":"Fair","start":"not a date"}"#, "unfit: \"not a date\" is no date, as \"start\" is to be"),
            (r#"{"user":"Bo","birth_date":"1980-02-30"}"#, "unfit: \"1980-02-30\" is no date, as \"birth_date\" is to be"),
            (r#"{"user":"Bo","age":-5}"#, "unfit: \"-5\" is below nought, which \"age\" cannot be"),
            (r#"{"user":"Bo","city":"<script>alert(1)</script>"}"#, "unfit: the value of \"city\" is markup"),
        ] {
            assert_eq!(said(text), (Vec::new(), vec![reason.to_owned()]), "{text}");
        }
        let (claims, refused) = said(r#"{"user":"Bo","employer":"Orb","employer":"Kelt"}"#);
        assert!(claims.len() == 1 && claims[0].starts_with("Bo employer Kelt"), "{claims:?}");
        assert_eq!(refused, ["unfit: \"employer\" is there again, and the last one counts"]);
        let (claims, refused) = said(r#"{"user":"Bo","birth_date":"1980-02-29","age":44}"#);
        assert_eq!((claims.len(), refused.len()), (2, 0), "{claims:?} {refused:?}");
    }
}
