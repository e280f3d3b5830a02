//! Consents: which sensitive matters may be remembered of whom. Knows no ledger; whoever records them keeps their TOML.

use super::WritePolicyError;
use crate::model::TermRef;
use crate::resolve::identity;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The consents that are recorded: categories granted for everyone, and for single subjects.
///
/// A subject is known by its name as entities are: case, width and blanks do not matter. Nothing is granted unless it says so.
///
/// ```
/// use erstwhile::policy::Consents;
/// let mut consents = Consents::default();
/// consents.grant(Some("Ana Lima"), "health")?;
/// assert!(consents.allow("ana  lima", "health") && !consents.allow("Kai", "health"));
/// assert_eq!(consents.to_toml(), "[subject]\n\"Ana Lima\" = [\"health\"]\n");
/// assert_eq!(Consents::parse(&consents.to_toml())?, consents);
/// # Ok::<(), erstwhile::policy::WritePolicyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consents {
    everyone: BTreeSet<String>,
    /// By identity: the name as first given, and what is granted.
    subjects: BTreeMap<String, (String, BTreeSet<String>)>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    everyone: BTreeSet<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    subject: BTreeMap<String, BTreeSet<String>>,
}

/// Whether a text can be the name of a category.
pub(super) fn is_category(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

impl Consents {
    /// Reads what [`Consents::to_toml`] writes: `everyone = ["health"]`, and `[subject]` with a list of categories for each name.
    ///
    /// # Errors
    /// [`WritePolicyError`] with the line for what is no TOML or an unknown field, and for a category that cannot be one.
    pub fn parse(toml: &str) -> Result<Self, WritePolicyError> {
        let file: File = toml::from_str(toml).map_err(|error| {
            let line = error.span().map(|span| toml.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1);
            WritePolicyError { line, reason: error.message().trim().replace('\n', ", ") }
        })?;
        let mut consents = Self::default();
        for category in &file.everyone {
            consents.grant(None, category)?;
        }
        for (subject, categories) in &file.subject {
            for category in categories {
                consents.grant(Some(subject), category)?;
            }
        }
        Ok(consents)
    }

    /// The consents as TOML, in the order of the names.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let subject = self.subjects.values().cloned().collect();
        toml::to_string(&File { everyone: self.everyone.clone(), subject }).unwrap_or_default()
    }

    /// Grants a category for a subject, or for everyone; says whether that is new.
    ///
    /// # Errors
    /// [`WritePolicyError`] if `category` is not made of small letters, figures and low lines, or the subject is blank.
    pub fn grant(&mut self, subject: Option<&str>, category: &str) -> Result<bool, WritePolicyError> {
        let wrong = |reason: String| Err(WritePolicyError { line: None, reason });
        if !is_category(category) {
            return wrong(format!("{category:?} is no name of a category: write small letters, figures and low lines"));
        }
        match subject {
            None => Ok(self.everyone.insert(category.to_owned())),
            Some(subject) if subject.trim().is_empty() => wrong(format!("{subject:?} names nobody")),
            Some(subject) => {
                let (_, granted) = self.subjects.entry(key(subject)).or_insert_with(|| (subject.trim().to_owned(), BTreeSet::new()));
                Ok(granted.insert(category.to_owned()))
            }
        }
    }

    /// Takes a consent back; says whether there was one. What was stored under it stays until it is erased.
    pub fn withdraw(&mut self, subject: Option<&str>, category: &str) -> bool {
        let Some(subject) = subject else { return self.everyone.remove(category) };
        let key = key(subject);
        let Some((_, granted)) = self.subjects.get_mut(&key) else { return false };
        let was = granted.remove(category);
        if granted.is_empty() {
            self.subjects.remove(&key);
        }
        was
    }

    /// Whether a category is granted for the subject, by itself or for everyone.
    #[must_use]
    pub fn allow(&self, subject: &str, category: &str) -> bool {
        self.everyone.contains(category)
            || (!self.subjects.is_empty() && self.subjects.get(&key(subject)).is_some_and(|(_, granted)| granted.contains(category)))
    }

    /// Whether a category is granted for everyone.
    #[must_use]
    pub fn allow_everyone(&self, category: &str) -> bool {
        self.everyone.contains(category)
    }

    /// Every consent, those for everyone (`None`) first, then by name; categories in order.
    pub fn iter(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        let everyone = self.everyone.iter().map(|category| (None, category.as_str()));
        let subjects = self.subjects.values();
        everyone.chain(subjects.flat_map(|(name, granted)| granted.iter().map(move |category| (Some(name.as_str()), category.as_str()))))
    }
}

fn key(subject: &str) -> String {
    let mut key = String::new();
    identity(TermRef::Name(subject), &mut key);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consents_are_granted_withdrawn_and_written() {
        let mut consents = Consents::default();
        assert!(consents.grant(Some("Noor"), "health").unwrap());
        assert!(!consents.grant(Some("ＮＯＯＲ "), "health").unwrap(), "one subject in two spellings");
        assert!(consents.grant(None, "religion").unwrap());
        assert!(consents.allow("noor", "health") && consents.allow("anybody", "religion"));
        assert!(!consents.allow("Noor's sister", "health") && !consents.allow_everyone("health"));
        let text = consents.to_toml();
        assert_eq!(text, "everyone = [\"religion\"]\n\n[subject]\nNoor = [\"health\"]\n");
        assert_eq!(Consents::parse(&text).unwrap(), consents);
        assert_eq!(consents.iter().collect::<Vec<_>>(), [(None, "religion"), (Some("Noor"), "health")]);
        assert!(consents.withdraw(Some("noor"), "health") && !consents.withdraw(Some("noor"), "health"));
        assert!(consents.withdraw(None, "religion"));
        assert_eq!(consents, Consents::default());
        assert_eq!(Consents::parse("").unwrap(), consents);
    }

    #[test]
    fn what_is_no_consent_is_named() {
        for (toml, message) in [
            ("everybody = ['health']", "line 1: unknown field `everybody`"),
            ("\neveryone = 'health'", "line 2: invalid type"),
            ("everyone = ['Health!']", "\"Health!\" is no name of a category"),
            ("subject.' ' = ['health']", "\" \" names nobody"),
        ] {
            let error = Consents::parse(toml).unwrap_err().to_string();
            assert!(error.contains(message), "{toml}: {error}");
        }
    }
}
