//! Tenant names, and whether a text names an entity. Knows how names are compared, not where they are stored.

use super::Error;
use crate::ledger::{LedgerError, file_name};
use crate::model::{Term, TermRef};
use crate::resolve;

/// The longest tenant name, in characters.
const TENANT_NAME_MAX_CHARS: usize = 200;

/// A tenant's name, checked: 1 to 200 characters, no control characters, and not too long for the name of a file.
///
/// Any other character goes: the file behind it is named by a percent-encoding that no name can escape. In it, lower-case ASCII
/// letters, digits, `-` and `_` count one byte and everything else three a byte; 200 is the limit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantId(String);

impl TenantId {
    /// Checks a name.
    ///
    /// # Errors
    /// [`LedgerError::BadTenantName`] for an empty name, one that is too long, or one with control characters.
    pub fn new(name: &str) -> Result<Self, Error> {
        let chars = name.chars().count();
        if chars > TENANT_NAME_MAX_CHARS {
            let reason = format!("it has {chars} characters, more than {TENANT_NAME_MAX_CHARS}");
            return Err(LedgerError::BadTenantName { tenant: name.to_owned(), reason }.into());
        }
        file_name(name)?;
        Ok(Self(name.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for TenantId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for TenantId {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::new(name)
    }
}

/// Recognises one entity: as a term by identity, and in running text as a whole word.
#[derive(Debug)]
pub(super) struct Naming {
    identity: String,
    /// The name as it reads once normalised; empty where nothing in a text could name it (a blank node).
    normalised: String,
    scratch: String,
}

impl Naming {
    pub(super) fn new(entity: &Term) -> Self {
        let mut identity = String::new();
        resolve::identity(entity.as_ref(), &mut identity);
        let words = match entity {
            Term::Name(name) | Term::Iri(name) => name.as_str(),
            Term::Literal(literal) => literal.lexical.as_str(),
            Term::Blank(_) => "",
        };
        let mut normalised = String::new();
        if !words.is_empty() {
            normalise(words, &mut normalised);
        }
        Self { identity, normalised, scratch: String::new() }
    }

    /// Whether the term is the entity, or a literal whose text names it.
    pub(super) fn is_named_by(&mut self, term: TermRef<'_>) -> bool {
        resolve::identity(term, &mut self.scratch);
        if self.scratch == self.identity {
            return true;
        }
        match term {
            TermRef::Literal { lexical, .. } => self.is_named_in(lexical),
            TermRef::Name(_) | TermRef::Iri(_) | TermRef::Blank(_) => false,
        }
    }

    /// Whether a text holds the name as a whole word, compared as names are: compatibility forms, case and white space do not count.
    ///
    /// A whole word has no letter or digit right before or after it. Scripts that are written without spaces between words, or with
    /// endings joined on (Han, kana, hangul, Thai, Lao, Khmer, Burmese), need no such border.
    pub(super) fn is_named_in(&mut self, text: &str) -> bool {
        if self.normalised.is_empty() {
            return false;
        }
        normalise(text, &mut self.scratch);
        let name = self.normalised.as_str();
        self.scratch.match_indices(name).any(|(at, _)| {
            let before = self.scratch.get(..at).and_then(|left| left.chars().next_back());
            let after = self.scratch.get(at + name.len()..).and_then(|right| right.chars().next());
            is_border(before, name.chars().next()) && is_border(name.chars().next_back(), after)
        })
    }
}

/// The text as names are compared: the identity of a name, without the mark of its kind.
fn normalise(text: &str, out: &mut String) {
    resolve::identity(TermRef::Name(text), out);
    let mark = out.chars().next().map_or(0, char::len_utf8);
    out.drain(..mark);
}

/// Whether a word may end between two characters.
fn is_border(left: Option<char>, right: Option<char>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => !(left.is_alphanumeric() && right.is_alphanumeric()) || is_unspaced(left) || is_unspaced(right),
        (None, _) | (_, None) => true,
    }
}

/// Whether a character belongs to a script whose words are not set apart by spaces.
const fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
            | '\u{1000}'..='\u{109F}' // Burmese
            | '\u{1100}'..='\u{11FF}' // hangul jamo
            | '\u{1780}'..='\u{17FF}' // Khmer
            | '\u{3040}'..='\u{30FF}' // kana
            | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}' // Han
            | '\u{AC00}'..='\u{D7AF}' // hangul syllables
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_name_is_checked() {
        for good in ["a", "Ünïcode name", "../../etc", "con", "a/b", &"x".repeat(200)] {
            assert_eq!(TenantId::new(good).unwrap().as_str(), good, "kept as given");
        }
        for (bad, says) in [("", "empty"), ("a\u{0}b", "control"), ("a\nb", "control"), (&"x".repeat(201), "201")] {
            let error = TenantId::new(bad).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
        }
    }

    fn check(name: &str, text: &str, expect: bool) {
        let mut naming = Naming::new(&Term::Name(name.to_owned()));
        assert_eq!(naming.is_named_in(text), expect, "{name:?} in {text:?}");
    }

    #[test]
    fn a_name_is_found_as_a_whole_word_only() {
        check("Ana", "I met Ana.", true);
        check("Ana", "ANA", true);
        check("Ana", "Ana's dog", true);
        check("Ana", "Anabel and Hosana", false);
        check("Mara", "from Samara", false);
        check("Ana", "Anabel, then ana", true);
        check("Bay 17", "at bay  17 today", true);
        check("Bay 17", "at bay 170", false);
        check("Ольга", "это ОЛЬГА!", true);
        check("王芳", "昨天王芳来了", true);
        check("Ana", "", false);
    }

    #[test]
    fn a_term_is_recognised_by_identity_and_a_literal_by_its_text() {
        let mut naming = Naming::new(&Term::Name("Ana Lopes".to_owned()));
        assert!(naming.is_named_by(TermRef::Name("ana  LOPES")), "names are normalised");
        assert!(!naming.is_named_by(TermRef::Iri("ana lopes")), "an iri is no name");
        assert!(
            naming.is_named_by(TermRef::Literal { lexical: "call Ana Lopes", datatype: None, language: None }),
            "a literal's text names it"
        );
        let mut blank = Naming::new(&Term::Blank("x".to_owned()));
        assert!(!blank.is_named_in("x"), "a blank node is named by no text");
        assert!(blank.is_named_by(TermRef::Blank("x")), "but by its label");
    }
}
