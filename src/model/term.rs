//! Terms: what can stand as head or tail of a claim. Knows their identity and canonical text, not how mentions resolve.

use super::vocab;
use std::fmt;
use std::str::FromStr;

/// A head or a tail.
///
/// Names are mentions that `resolve` maps to entities; IRIs, blank nodes and literals are identical by sameTerm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// An entity by the name it was given.
    Name(String),
    /// An entity by its IRI.
    Iri(String),
    /// A blank node; the scope keeps those of different imports apart.
    Blank(String),
    /// A literal; a tail only.
    Literal(Literal),
}

/// A literal: lexical form kept as given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The text as given.
    pub lexical: String,
    /// The datatype IRI; `None` is xsd:string, or rdf:langString where a language is set.
    pub datatype: Option<String>,
    /// The language tag, lower case.
    pub language: Option<String>,
}

/// A borrowed [`Term`], so that rows can be read without allocating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermRef<'a> {
    /// See [`Term::Name`].
    Name(&'a str),
    /// See [`Term::Iri`].
    Iri(&'a str),
    /// See [`Term::Blank`].
    Blank(&'a str),
    /// See [`Term::Literal`].
    Literal {
        /// See [`Literal::lexical`].
        lexical: &'a str,
        /// See [`Literal::datatype`].
        datatype: Option<&'a str>,
        /// See [`Literal::language`].
        language: Option<&'a str>,
    },
}

impl Term {
    /// The same term, borrowed.
    #[must_use]
    pub fn as_ref(&self) -> TermRef<'_> {
        match self {
            Self::Name(name) => TermRef::Name(name),
            Self::Iri(iri) => TermRef::Iri(iri),
            Self::Blank(label) => TermRef::Blank(label),
            Self::Literal(literal) => {
                TermRef::Literal { lexical: &literal.lexical, datatype: literal.datatype.as_deref(), language: literal.language.as_deref() }
            }
        }
    }
}

impl TermRef<'_> {
    /// The same term, owned.
    #[must_use]
    pub fn to_owned(self) -> Term {
        match self {
            Self::Name(name) => Term::Name(name.to_owned()),
            Self::Iri(iri) => Term::Iri(iri.to_owned()),
            Self::Blank(label) => Term::Blank(label.to_owned()),
            Self::Literal { lexical, datatype, language } => Term::Literal(Literal {
                lexical: lexical.to_owned(),
                datatype: datatype.map(str::to_owned),
                language: language.map(str::to_owned),
            }),
        }
    }
}

/// Whether a character leaves no mark in a name: joiners, direction marks, variation selectors, soft hyphens.
///
/// Source: the default ignorable code points of Unicode that occur in ordinary text.
#[must_use]
pub const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

impl Literal {
    /// A plain text (xsd:string).
    #[must_use]
    pub fn text(lexical: impl Into<String>) -> Self {
        Self { lexical: lexical.into(), datatype: None, language: None }
    }

    /// A literal of a datatype; xsd:string is the same as none.
    #[must_use]
    pub fn typed(lexical: impl Into<String>, datatype: &str) -> Self {
        let datatype = (datatype != vocab::XSD_STRING).then(|| datatype.to_owned());
        Self { lexical: lexical.into(), datatype, language: None }
    }

    /// A text in a language; the tag is kept in lower case.
    #[must_use]
    pub fn in_language(lexical: impl Into<String>, language: &str) -> Self {
        Self { lexical: lexical.into(), datatype: None, language: Some(language.to_ascii_lowercase()) }
    }
}

impl Term {
    /// The most bytes [`Term::parse`] reads as one term.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// Reads the canonical text of a term: `<iri>`, `_:label`, `"lexical"`, `"lexical"@lang`, `"lexical"^^<datatype>` or
    /// `"lexical"^^xsd:type`; anything else is a name, kept as it is. White space around the whole is dropped.
    ///
    /// A name that looks like another form is written with a backslash before it. What opens like another form without
    /// being one (`<3`, `"Kit" Moreau`) is a name too, but a literal with a broken tag, a broken IRI in `<…>` and a broken `_:label` are errors.
    /// Inverse of [`Term`]'s `Display` for every term that [`Term::check`] accepts, but for white space around a name.
    ///
    /// ```
    /// use erstwhile::model::{Literal, Term};
    /// assert_eq!(Term::parse("Ana Lima")?, Term::Name("Ana Lima".to_owned()));
    /// assert_eq!(Term::parse("<urn:x:1>")?, Term::Iri("urn:x:1".to_owned()));
    /// let year = Term::parse(r#""2019"^^xsd:gYear"#)?;
    /// assert_eq!(year.to_string(), r#""2019"^^<http://www.w3.org/2001/XMLSchema#gYear>"#);
    /// # Ok::<(), erstwhile::model::TermError>(())
    /// ```
    ///
    /// # Errors
    /// [`TermError`] if the text is empty, longer than [`Term::MAX_BYTES`], or a broken IRI, label or literal.
    pub fn parse(text: &str) -> Result<Self, TermError> {
        if text.len() > Self::MAX_BYTES {
            return Err(TermError::new(text, format!("{} bytes are more than {}", text.len(), Self::MAX_BYTES)));
        }
        let trimmed = text.trim();
        let term = match other_form(trimmed) {
            Some(form) => form?,
            None => Self::Name(trimmed.strip_prefix('\\').filter(|rest| needs_backslash(rest)).unwrap_or(trimmed).to_owned()),
        };
        term.check()?;
        Ok(term)
    }

    /// Whether the term is well formed: a name with something visible in it and no control characters, an absolute IRI,
    /// a label and tags of the allowed characters.
    ///
    /// # Errors
    /// [`TermError`] naming what is wrong.
    pub fn check(&self) -> Result<(), TermError> {
        match self {
            Self::Name(name) => check_name(name).map_err(|reason| TermError::new(name, reason)),
            Self::Iri(iri) => check_iri(iri).map_err(|reason| TermError::new(iri, reason)),
            Self::Blank(label) => check_label(label).map_err(|reason| TermError::new(label, reason)),
            Self::Literal(literal) => {
                let fault = match (&literal.datatype, &literal.language) {
                    (Some(_), Some(_)) => Err("a literal has a datatype or a language, not both".to_owned()),
                    (Some(datatype), None) if datatype == vocab::RDF_LANG_STRING => Err("rdf:langString needs a language".to_owned()),
                    (Some(datatype), None) => check_iri(datatype).map_err(|reason| format!("datatype {datatype:?}: {reason}")),
                    (None, Some(language)) => check_language(language),
                    (None, None) => Ok(()),
                };
                fault.map_err(|reason| TermError::new(&literal.lexical, reason))
            }
        }
    }

    /// Whether it is a literal, which can only be a tail.
    #[must_use]
    pub const fn is_literal(&self) -> bool {
        matches!(self, Self::Literal(_))
    }
}

impl FromStr for Term {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Self, TermError> {
        Self::parse(text)
    }
}

fn check_name(name: &str) -> Result<(), String> {
    if let Some(c) = name.chars().find(|c| c.is_control() && !c.is_whitespace()) {
        return Err(format!("a name cannot hold the control character U+{:04X}", u32::from(c)));
    }
    if name.chars().all(|c| c.is_whitespace() || is_invisible(c)) {
        return Err("a name needs something visible".to_owned());
    }
    Ok(())
}

/// An absolute IRI: a scheme, a colon, and none of the characters that RFC 3987 and N-Triples forbid.
fn check_iri(iri: &str) -> Result<(), String> {
    let scheme = iri.split_once(':').map_or("", |(scheme, _)| scheme);
    let well_formed = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    if !well_formed {
        return Err("an IRI begins with a scheme and a colon".to_owned());
    }
    let forbidden =
        |c: char| c <= ' ' || c.is_control() || c.is_whitespace() || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\');
    match iri.chars().find(|c| forbidden(*c)) {
        Some(c) => Err(format!("an IRI cannot hold {c:?}")),
        None => Ok(()),
    }
}

fn check_label(label: &str) -> Result<(), String> {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if label.is_empty() || !label.chars().all(inner) || label.starts_with(['-', '.']) || label.ends_with('.') {
        return Err("a blank node's label is letters, digits, _, - and inner dots".to_owned());
    }
    Ok(())
}

fn check_language(language: &str) -> Result<(), String> {
    let mut parts = language.split('-');
    let primary = parts.next().unwrap_or_default();
    let subtag = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if (1..=8).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_lowercase()) && parts.all(subtag) {
        Ok(())
    } else {
        Err(format!("{language:?} is no language tag (letters, then -letters or digits; lower case)"))
    }
}

/// Reads `text` as an IRI, a blank node or a literal; `None` if it has none of these forms and so is a name.
fn other_form(text: &str) -> Option<Result<Term, TermError>> {
    if let Some(label) = text.strip_prefix("_:") {
        return Some(Ok(Term::Blank(label.to_owned())));
    }
    if let Some(iri) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        return Some(Ok(Term::Iri(iri.to_owned())));
    }
    let (lexical, tag) = split_literal(text.strip_prefix('"')?)?;
    let lexical = match unescape(lexical) {
        Ok(lexical) => lexical,
        Err(reason) => return Some(Err(TermError::new(text, reason))),
    };
    if tag.is_empty() {
        return Some(Ok(Term::Literal(Literal::text(lexical))));
    }
    if let Some(language) = tag.strip_prefix('@') {
        return Some(Ok(Term::Literal(Literal::in_language(lexical, language))));
    }
    let datatype = tag.strip_prefix("^^")?;
    if let Some(name) = datatype.strip_prefix("xsd:") {
        return Some(Ok(Term::Literal(Literal::typed(lexical, &format!("{}{name}", vocab::XSD)))));
    }
    Some(match datatype.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        Some(iri) => Ok(Term::Literal(Literal::typed(lexical, iri))),
        None => Err(TermError::new(text, format!("the datatype {datatype:?} is neither <iri> nor xsd:name"))),
    })
}

/// Splits what follows an opening quote at the closing one; `None` if nothing closes it.
fn split_literal(rest: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((rest.get(..at)?, rest.get(at + 1..)?)),
            _ => {}
        }
    }
    None
}

/// Undoes the escapes of N-Triples.
fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let escape = chars.next();
        out.push(match escape {
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('f') => '\u{c}',
            Some(c @ ('"' | '\'' | '\\')) => c,
            Some(c @ ('u' | 'U')) => {
                let digits: String = chars.by_ref().take(if c == 'u' { 4 } else { 8 }).collect();
                let code = (digits.len() == if c == 'u' { 4 } else { 8 }).then(|| u32::from_str_radix(&digits, 16).ok()).flatten();
                code.and_then(char::from_u32).ok_or_else(|| format!("\\{c}{digits} is no character"))?
            }
            Some(other) => return Err(format!("\\{other} is no escape")),
            None => return Err("the text ends in a lone backslash".to_owned()),
        });
    }
    Ok(out)
}

/// Whether a name's text would be read as something else, or would lose a backslash.
fn needs_backslash(name: &str) -> bool {
    other_form(name).is_some() || name.strip_prefix('\\').is_some_and(needs_backslash)
}

/// Canonical text: a name as it is (a backslash before one that looks like another form), `<iri>`, `_:label`, `"lexical"`, `"lexical"@lang` or `"lexical"^^<datatype>`
/// (escapes as in N-Triples). [`Term::parse`] reads it back.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) if needs_backslash(name) => write!(f, "\\{name}"),
            Self::Name(name) => f.write_str(name),
            Self::Iri(iri) => write!(f, "<{iri}>"),
            Self::Blank(label) => write!(f, "_:{label}"),
            Self::Literal(literal) => {
                f.write_str("\"")?;
                for c in literal.lexical.chars() {
                    match c {
                        '"' => f.write_str("\\\"")?,
                        '\\' => f.write_str("\\\\")?,
                        '\n' => f.write_str("\\n")?,
                        '\r' => f.write_str("\\r")?,
                        '\t' => f.write_str("\\t")?,
                        other => write!(f, "{other}")?,
                    }
                }
                f.write_str("\"")?;
                if let Some(language) = &literal.language {
                    write!(f, "@{language}")
                } else if let Some(datatype) = &literal.datatype {
                    write!(f, "^^<{datatype}>")
                } else {
                    Ok(())
                }
            }
        }
    }
}

/// A text that is no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read {text:?} as a term: {reason}")]
pub struct TermError {
    /// What was given.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl TermError {
    /// The longest piece of a refused text that is repeated in the error.
    const SHOWN_CHARS: usize = 80;

    fn new(text: &str, reason: impl Into<String>) -> Self {
        let mut shown: String = text.chars().take(Self::SHOWN_CHARS).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        Self { text: shown, reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expect: Term) {
        assert_eq!(Term::parse(text), Ok(expect), "{text}");
    }

    fn refuse(text: &str, reason: &str) {
        let error = Term::parse(text).expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }

    fn name(text: &str) -> Term {
        Term::Name(text.to_owned())
    }

    #[test]
    fn every_form_is_read() {
        check("Ana Lima", name("Ana Lima"));
        check("  Ana Lima ", name("Ana Lima"));
        check("#7-Alpha/b", name("#7-Alpha/b"));
        check("<http://example.org/a?b#c>", Term::Iri("http://example.org/a?b#c".to_owned()));
        check("_:b0.x-1", Term::Blank("b0.x-1".to_owned()));
        check("\"\"", Term::Literal(Literal::text("")));
        check(r#""a\"b\\\n\u00e9\U0001F600""#, Term::Literal(Literal::text("a\"b\\\né😀")));
        check(r#""chat"@FR-be"#, Term::Literal(Literal::in_language("chat", "fr-be")));
        check(r#""1"^^xsd:integer"#, Term::Literal(Literal::typed("1", vocab::XSD_INTEGER)));
        check(r#""1"^^<urn:t:x>"#, Term::Literal(Literal::typed("1", "urn:t:x")));
        check(r#""x"^^xsd:string"#, Term::Literal(Literal::text("x")));
    }

    #[test]
    fn what_only_opens_like_another_form_is_a_name() {
        for text in ["<3", "a <b>", "\"Kit\" Moreau", "\"unclosed", "_", "\\x"] {
            check(text, name(text));
        }
        check(r"\<urn:x:1>", name("<urn:x:1>"));
        check(r"\_:b", name("_:b"));
    }

    #[test]
    fn broken_terms_are_refused_with_the_reason() {
        refuse("", "something visible");
        refuse(" \u{200b} ", "something visible");
        refuse("a\u{0}b", "U+0000");
        refuse("<no scheme>", "scheme");
        refuse("<urn:a b>", "' '");
        refuse("_:", "label");
        refuse("_:a b", "label");
        refuse(r#""a"^^integer"#, "neither");
        refuse(r#""a"@"#, "language tag");
        refuse(r#""a"@e_n"#, "language tag");
        refuse(r#""a\q""#, "escape");
        refuse(r#""a\ud800""#, "no character");
        refuse(r#""a"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>"#, "needs a language");
        refuse(&"x".repeat(Term::MAX_BYTES + 1), "more than");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_and_reading_is_stable(text in "\\PC*|[<>_:\"\\\\@^a-z ]{0,12}") {
            if let Ok(term) = Term::parse(&text) {
                prop_assert_eq!(Term::parse(&term.to_string()), Ok(term));
            }
        }

        #[test]
        fn any_name_survives_its_canonical_text(text in "\\PC{1,12}|[<>_:\"\\\\@^a-z]{1,12}") {
            let term = Term::Name(text.trim().to_owned());
            prop_assume!(term.check().is_ok());
            prop_assert_eq!(Term::parse(&term.to_string()), Ok(term));
        }

        #[test]
        fn any_literal_survives_its_canonical_text(lexical in any::<String>(), tag in 0..3) {
            let literal = match tag {
                0 => Literal::text(lexical),
                1 => Literal::typed(lexical, vocab::XSD_DOUBLE),
                _ => Literal::in_language(lexical, "en-GB"),
            };
            let term = Term::Literal(literal);
            prop_assert_eq!(Term::parse(&term.to_string()), Ok(term));
        }
    }
}
