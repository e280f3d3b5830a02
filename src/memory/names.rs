//! Tenant names, and whether a text names an entity. Knows how names are compared, not where they are stored.

use super::Error;
use crate::ledger::{LedgerError, file_name};
use crate::model::{Term, TermRef};
use crate::resolve;
use std::borrow::Cow;

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

/// Recognises one entity: as a term, and in running text as a whole word or sequence of words.
///
/// Spellings are one where they differ in compatibility forms, case, and what joins the words of a name: white space, hyphens and
/// dashes, low lines, apostrophes and middle dots ("Ana-Lopes", "ANA LOPES").
#[derive(Debug)]
pub(super) struct Naming {
    identity: String,
    /// The name folded; empty where nothing in a text could name it (a blank node).
    folded: String,
    /// Whether it is an IRI, which other IRIs may begin with.
    is_iri: bool,
    scratch: String,
    text: String,
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
        let (mut folded, mut scratch) = (String::new(), String::new());
        fold(words, &mut scratch, &mut folded);
        Self { identity, folded, is_iri: matches!(entity, Term::Iri(_)), scratch, text: String::new() }
    }

    /// Whether the term is the entity or a spelling of its name, or a literal, an IRI or a label whose text names it.
    ///
    /// A name that merely contains the entity's is another's. An IRI is told from other IRIs by identity.
    pub(super) fn is_named_by(&mut self, term: TermRef<'_>) -> bool {
        resolve::identity(term, &mut self.scratch);
        if self.scratch == self.identity {
            return true;
        }
        match term {
            TermRef::Name(name) => self.is_name(name),
            TermRef::Literal { lexical, .. } => self.is_named_in(lexical),
            TermRef::Iri(iri) => !self.is_iri && self.is_named_in(&spelled_out(iri)),
            TermRef::Blank(label) => self.is_named_in(label),
        }
    }

    /// Whether a name, as a whole, is a spelling of the entity's.
    pub(super) fn is_name(&mut self, name: &str) -> bool {
        if self.folded.is_empty() {
            return false;
        }
        fold(name, &mut self.scratch, &mut self.text);
        self.text == self.folded
    }

    /// Whether a text holds a spelling of the name as whole words.
    ///
    /// A whole word has no letter or digit right before or after it. Scripts that are written without spaces between words, or with
    /// endings joined on (Han, kana, hangul, Thai, Lao, Khmer, Burmese), need no such border.
    pub(super) fn is_named_in(&mut self, text: &str) -> bool {
        if self.folded.is_empty() {
            return false;
        }
        fold(text, &mut self.scratch, &mut self.text);
        let name = self.folded.as_str();
        self.text.match_indices(name).any(|(at, _)| {
            let before = self.text.get(..at).and_then(|left| left.chars().next_back());
            let after = self.text.get(at + name.len()..).and_then(|right| right.chars().next());
            is_border(before, name.chars().next()) && is_border(name.chars().next_back(), after)
        })
    }
}

/// The text as names are compared, with every run of what joins words as one space.
fn fold(text: &str, scratch: &mut String, out: &mut String) {
    resolve::identity(TermRef::Name(text), scratch);
    out.clear();
    let mut gap = false;
    // The first character is the mark of the kind.
    for c in scratch.chars().skip(1) {
        if is_joiner(c) {
            gap = true;
            continue;
        }
        if gap && !out.is_empty() {
            out.push(' ');
        }
        gap = false;
        out.push(c);
    }
}

/// Whether a character may stand between the words of a name, any one for any other.
const fn is_joiner(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '-' | '_' | '\'' | '\u{B7}' | '\u{2010}'..='\u{2015}' | '\u{2018}' | '\u{2019}' | '\u{2212}' | '\u{30A0}' | '\u{30FB}'
        )
}

/// An IRI with its percent-encoded bytes as the characters they stand for, and `+` as the space it often stands for.
fn spelled_out(iri: &str) -> Cow<'_, str> {
    if !iri.contains(['%', '+']) {
        return Cow::Borrowed(iri);
    }
    let mut bytes = Vec::with_capacity(iri.len());
    let mut rest = iri.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = tail;
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (byte, tail) {
            (b'%', [high, low, after @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(16 * high + low);
                    rest = after;
                }
                _ => bytes.push(b'%'),
            },
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*byte),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
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
    fn what_joins_the_words_of_a_name_does_not_matter_and_what_else_stands_in_it_does() {
        for text in ["ana-lopes", "Ana_Lopes", "ANA \u{2013} LOPES", "seen with Ana\u{a0}Lopes.", "ana\nlopes", "Ana·Lopes's"] {
            check("Ana Lopes", text, true);
            check("Ana-Lopes", text, true);
        }
        check("Ana Lopes", "Ana. Lopes was there", false);
        check("Ana Lopes", "AnaLopes", false);
        check("O'Brien", "Miss O\u{2019}Brien", true);
        check("ジョン・スミス", "昨日ジョン スミスが", true);
        check("C++", "c is older than c++", true);
        check("C++", "c is old", false);
        check("-", "a - b", false);
    }

    #[test]
    fn a_term_is_recognised_by_identity_and_a_literal_by_its_text() {
        let mut naming = Naming::new(&Term::Name("Ana Lopes".to_owned()));
        assert!(naming.is_named_by(TermRef::Name("ana  LOPES")), "names are normalised");
        assert!(naming.is_named_by(TermRef::Name("Ana-Lopes")), "so spelled too");
        assert!(!naming.is_named_by(TermRef::Name("Ana Lopes Silva")), "another's name");
        assert!(naming.is_named_by(TermRef::Iri("https://example.org/ana_lopes#me")), "an iri is a text");
        assert!(naming.is_named_by(TermRef::Iri("https://example.org/?q=Ana%20Lopes")), "so encoded");
        assert!(naming.is_named_by(TermRef::Iri("https://example.org/?q=Ana+Lopes%")), "or so");
        assert!(!naming.is_named_by(TermRef::Iri("https://example.org/anabel_lopes")), "of whole words");
        assert!(naming.is_named_by(TermRef::Blank("ana-lopes-1")), "a label is a text");
        let mut iri = Naming::new(&Term::Iri("https://example.org/ana".to_owned()));
        assert!(iri.is_named_by(TermRef::Iri("https://example.org/ana")), "itself");
        assert!(!iri.is_named_by(TermRef::Iri("https://example.org/ana/b")), "iris are told apart by identity");
        assert!(
            naming.is_named_by(TermRef::Literal { lexical: "call Ana Lopes", datatype: None, language: None }),
            "a literal's text names it"
        );
        let mut blank = Naming::new(&Term::Blank("x".to_owned()));
        assert!(!blank.is_named_in("x"), "a blank node is named by no text");
        assert!(blank.is_named_by(TermRef::Blank("x")), "but by its label");
    }
}
