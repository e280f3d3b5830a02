//! Terms: what can stand as head or tail of a claim. Knows their identity and canonical text, not how mentions resolve.

use std::fmt;

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

/// Canonical text: a name as it is, `<iri>`, `_:label`, `"lexical"`, `"lexical"@lang` or `"lexical"^^<datatype>`
/// (escapes as in N-Triples). [`Term::parse`] reads it back.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
