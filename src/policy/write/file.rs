//! The write policy's file: its fields, how a tenant's own is laid over the shipped one, and how it is written. Knows no rule.

use super::WritePolicyError;
use super::mask::{Label, MaskKind, PLACEHOLDER_LONGEST};
use crate::model::Authority;
use serde::{Deserialize, Deserializer, Serialize, de};
use std::collections::BTreeMap;
use std::fmt;
use toml::{Table, Value};

/// A share between 0 and 1, or a change of one between −1 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct Share<const LOWEST: i8>(pub(super) f64);

impl<'de, const LOWEST: i8> Deserialize<'de> for Share<LOWEST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if (f64::from(LOWEST)..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(de::Error::custom(format!("{value} does not lie between {LOWEST} and 1")))
        }
    }
}

/// What is taken from a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Taken {
    #[default]
    Facts,
    Text,
    Nothing,
}

/// Where a value stands: in what sort of observation, or in a ready claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Where {
    Chat,
    Document,
    Tool,
    Claims,
}

/// What becomes of a text that speaks of a sensitive matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SensitiveText {
    #[default]
    Keep,
    Withhold,
}

/// Words by language.
pub(super) type Words = BTreeMap<String, Vec<String>>;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub(super) remember: Remember,
    pub(super) limits: Limits,
    pub(super) authority: Authorities,
    pub(super) source: BTreeMap<String, SourceRule>,
    pub(super) role: BTreeMap<String, Taken>,
    pub(super) recalled: Recalled,
    pub(super) orders: Orders,
    pub(super) importance: Importance,
    pub(super) sensitive: Sensitive,
    pub(super) mask: Mask,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "they are a file's fields, and nothing is made of two of them together")]
pub(super) struct Remember {
    pub(super) only: Vec<String>,
    pub(super) never: Vec<String>,
    pub(super) undeclared: bool,
    pub(super) guesses: bool,
    pub(super) echoes: bool,
    pub(super) check_terms: bool,
    pub(super) bare_names: bool,
    pub(super) least_importance: Share<0>,
    pub(super) guess_words: Words,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Limits {
    pub(super) text: usize,
    pub(super) read: usize,
    pub(super) term: usize,
    pub(super) prose_term: usize,
    pub(super) claims: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Authorities {
    pub(super) user: AuthorityRule,
    pub(super) curated: AuthorityRule,
    pub(super) document: AuthorityRule,
    pub(super) tool: AuthorityRule,
    pub(super) assistant: AuthorityRule,
    pub(super) inference: AuthorityRule,
}

impl Authorities {
    pub(super) fn of(&self, authority: Authority) -> &AuthorityRule {
        match authority {
            Authority::User => &self.user,
            Authority::Curated => &self.curated,
            Authority::Document => &self.document,
            Authority::Tool => &self.tool,
            Authority::Assistant => &self.assistant,
            Authority::Inference => &self.inference,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AuthorityRule {
    pub(super) take: Taken,
    pub(super) credibility: Share<0>,
    pub(super) least_confidence: Share<0>,
    pub(super) ask: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SourceRule {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) authority: Option<Rank>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) take: Option<Taken>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) credibility: Option<Share<0>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) least_confidence: Option<Share<0>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ask: Option<bool>,
}

/// An authority by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Rank {
    User,
    Curated,
    Document,
    Tool,
    Assistant,
    Inference,
}

impl Rank {
    pub(super) fn authority(self) -> Authority {
        match self {
            Self::User => Authority::User,
            Self::Curated => Authority::Curated,
            Self::Document => Authority::Document,
            Self::Tool => Authority::Tool,
            Self::Assistant => Authority::Assistant,
            Self::Inference => Authority::Inference,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Recalled {
    pub(super) names: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) openings: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Orders {
    pub(super) r#in: Vec<Where>,
    pub(super) roles: Words,
    pub(super) readers: Words,
    pub(super) notices: Words,
    pub(super) aside: Words,
    pub(super) rules: Words,
    pub(super) phrases: Words,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Importance {
    pub(super) incidental: Share<0>,
    pub(super) new: Share<-1>,
    pub(super) changed: Share<-1>,
    pub(super) known: Share<-1>,
    pub(super) passing: Share<-1>,
    pub(super) passing_words: Words,
    pub(super) class: BTreeMap<String, Class>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Class {
    pub(super) value: Share<0>,
    pub(super) relations: Vec<String>,
    pub(super) words: Words,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Sensitive {
    pub(super) ready_claims: bool,
    pub(super) text: SensitiveText,
    pub(super) category: BTreeMap<String, Category>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Category {
    pub(super) relations: Vec<String>,
    pub(super) words: Words,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Mask {
    pub(super) vault: bool,
    pub(super) never: Vec<String>,
    pub(super) kind: BTreeMap<Kind, KindRule>,
    pub(super) keys: Keys,
    pub(super) words: BTreeMap<LabelName, Vec<String>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct KindRule {
    pub(super) r#in: Vec<Where>,
    pub(super) r#as: Placeholder,
    pub(super) consent: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Keys {
    pub(super) prefixes: Vec<String>,
}

/// What stands in place of a value: a text in square brackets without figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct Placeholder(pub(super) String);

impl<'de> Deserialize<'de> for Placeholder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).filter(|inside| !inside.trim().is_empty());
        let plain = |c: char| !c.is_numeric() && !c.is_control() && !matches!(c, '[' | ']' | '@' | '=' | ':' | '"');
        match inside {
            Some(inside) if inside.chars().count() <= PLACEHOLDER_LONGEST && inside.chars().all(plain) => Ok(Self(text)),
            _ => Err(de::Error::custom(format!("{text:?} is no placeholder: write words in square brackets, without figures and signs"))),
        }
    }
}

/// A kind of mask as a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind(pub(super) MaskKind);

/// A label as a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LabelName(pub(super) Label);

fn named<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    what: &str,
    all: impl Iterator<Item = (T, &'static str)> + Clone,
) -> Result<T, D::Error> {
    let name = String::deserialize(deserializer)?;
    all.clone().find(|(_, known)| *known == name).map(|(meant, _)| meant).ok_or_else(|| {
        let names: Vec<&str> = all.map(|(_, name)| name).collect();
        de::Error::custom(format!("unknown {what} {name:?}; there are {}", names.join(", ")))
    })
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        named(deserializer, "kind of mask", MaskKind::ALL.into_iter().map(|kind| (kind, kind.name()))).map(Self)
    }
}

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for LabelName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        named(deserializer, "list of words", Label::ALL.into_iter()).map(Self)
    }
}

impl Serialize for LabelName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Label::ALL.into_iter().find(|(label, _)| *label == self.0).map_or("", |(_, name)| name))
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Facts => "facts",
            Self::Text => "text",
            Self::Nothing => "nothing",
        })
    }
}

/// Reads a file of its own accord, and lays it over `base`; a table is laid over a table, anything else replaces what was there.
pub(super) fn read(toml: &str, base: Option<&File>) -> Result<File, WritePolicyError> {
    let unreadable = |error: &toml::de::Error| {
        let line = error.span().map(|span| toml.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1);
        WritePolicyError { line, reason: error.message().trim().replace('\n', ", ") }
    };
    let alone: File = toml::from_str(toml).map_err(|error| unreadable(&error))?;
    let file = match base {
        None => alone,
        Some(base) => {
            let mut whole = Table::try_from(base).map_err(|error| WritePolicyError { line: None, reason: error.to_string() })?;
            lay_over(&mut whole, toml.parse().map_err(|error| unreadable(&error))?);
            whole.try_into().map_err(|error| unreadable(&error))?
        }
    };
    check(&file)?;
    Ok(file)
}

fn lay_over(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(base)), Value::Table(over)) => lay_over(base, over),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

/// What the fields' own forms do not show: categories that consents name must exist.
fn check(file: &File) -> Result<(), WritePolicyError> {
    let wrong = |reason: String| Err(WritePolicyError { line: None, reason });
    for (kind, rule) in &file.mask.kind {
        if !file.sensitive.category.contains_key(&rule.consent) {
            return wrong(format!(
                "mask.kind.{}: consent {:?} is no category; declare sensitive.category.{0:?}",
                kind.0.name(),
                rule.consent
            ));
        }
        if rule.r#as.0.is_empty() {
            return wrong(format!("mask.kind.{}: needs a placeholder: as = \"[…]\"", kind.0.name()));
        }
    }
    let misnamed = file.sensitive.category.keys().find(|name| !super::consent::is_category(name));
    if let Some(name) = misnamed {
        return wrong(format!("sensitive.category: {name:?} is no name of a category: write small letters, figures and low lines"));
    }
    Ok(())
}

/// The file's TOML, every field, in the order of the shipped one.
pub(super) fn write(file: &File) -> String {
    toml::to_string(file).unwrap_or_default()
}
