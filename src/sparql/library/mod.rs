//! The library of named queries: `queries/*.rq`, shipped inside the program, and files of users in the same form.
//!
//! Owns the header of such a file and which queries there are. How a parameter's value becomes a term is `parameter`'s. Knows no tenant
//! and no surface; what a query answers is [`Query`]'s.

mod parameter;
mod shipped;

pub use parameter::{Argument, Parameter, ParameterKind, Reading, Usual};

use super::error::SparqlError;
use super::query::Query;
use std::collections::BTreeMap;

/// Why a named query cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// There is no query of that name.
    #[error("no query is called {0:?}")]
    UnknownQuery(String),
    /// A line of a file's header is none.
    #[error("query {query:?}, line {line}: {reason}")]
    Header {
        /// The query.
        query: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A parameter is given that the query has not.
    #[error("query {query:?} has no parameter {name:?}")]
    UnknownParameter {
        /// The query.
        query: String,
        /// What was given.
        name: String,
        /// Those it has.
        known: Vec<String>,
    },
    /// A parameter is given more than once.
    #[error("parameter {0:?} is given twice")]
    Twice(String),
    /// A parameter is not given that has to be.
    #[error("query {query:?} needs {name:?}, {kind}")]
    Missing {
        /// The query.
        query: String,
        /// The parameter.
        name: String,
        /// What it is.
        kind: ParameterKind,
    },
    /// A value is not of its parameter's kind.
    #[error("parameter {name:?}: {value:?} is not {kind}: {reason}")]
    Value {
        /// The parameter.
        name: String,
        /// What was given.
        value: String,
        /// What it has to be.
        kind: ParameterKind,
        /// Why it is not that.
        reason: String,
    },
    /// The query itself is wrong.
    #[error(transparent)]
    Sparql(#[from] SparqlError),
}

/// A query with a name, a sentence and typed parameters.
///
/// A file begins with comments: a sentence that says what is asked, `# reads` and which time it reads, and for each parameter
/// `# param NAME KIND`, then `(default VALUE)` or `(optional)`, then words about it. What is optional and not given stays a variable.
///
/// ```
/// use erstwhile::sparql::library::{Argument, NamedQuery, Reading};
/// use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
///
/// let now = AsOf { valid_at: parse_moment("2024-05-01", &Zone::UTC)?, known_at: KnownAt::Latest };
/// let held = NamedQuery::shipped("holders")?;
/// let given = [("relation", Argument::from("works at")), ("value", Argument::from("Acme"))];
/// let query = held.with(&given, Reading { at: now, zone: Zone::UTC })?;
/// assert!(query.to_string().contains("?who"), "its parameters are bound beside its text");
///
/// let error = held.with(&[("value", Argument::from("Acme"))], Reading { at: now, zone: Zone::UTC }).unwrap_err();
/// assert_eq!(error.to_string(), r#"query "holders" needs "relation", a relation"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedQuery {
    name: String,
    text: String,
    sentence: String,
    reads: Option<String>,
    parameters: Vec<Parameter>,
    query: Query,
}

/// The names of the shipped queries, in their order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    shipped::QUERIES.iter().map(|(name, _)| *name).collect()
}

impl NamedQuery {
    /// The shipped query of a name.
    ///
    /// # Errors
    /// [`LibraryError::UnknownQuery`].
    pub fn shipped(name: &str) -> Result<Self, LibraryError> {
        let (name, text) =
            shipped::QUERIES.iter().find(|(known, _)| *known == name).ok_or_else(|| LibraryError::UnknownQuery(name.to_owned()))?;
        Self::read(name, text)
    }

    /// Reads a query of a user's own.
    ///
    /// # Errors
    /// [`LibraryError::Header`] for a header that is none, [`LibraryError::Sparql`] for a text that is none, a parameter that is not in it
    /// included.
    pub fn read(name: &str, text: &str) -> Result<Self, LibraryError> {
        let query = Query::parse(text)?;
        let mut read =
            Self { name: name.to_owned(), text: text.to_owned(), sentence: String::new(), reads: None, parameters: Vec::new(), query };
        for (number, line) in text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix('#') else { break };
            read.header(comment.trim()).map_err(|reason| LibraryError::Header { query: name.to_owned(), line: number + 1, reason })?;
        }
        for parameter in &read.parameters {
            if !read.query.has_variable(&parameter.name) {
                return Err(SparqlError::UnknownParameter(parameter.name.clone()).into());
            }
        }
        Ok(read)
    }

    fn header(&mut self, comment: &str) -> Result<(), String> {
        let (word, rest) = comment.split_once(char::is_whitespace).unwrap_or((comment, ""));
        match word {
            "" => Ok(()),
            "param" => {
                let parameter = Parameter::read(rest)?;
                if self.parameters.iter().any(|known| known.name == parameter.name) {
                    return Err(format!("parameter {:?} is declared twice", parameter.name));
                }
                self.parameters.push(parameter);
                Ok(())
            }
            "reads" => match self.reads.replace(rest.trim().to_owned()) {
                None => Ok(()),
                Some(_) => Err("it says twice what it reads".to_owned()),
            },
            _ if self.sentence.is_empty() => {
                comment.clone_into(&mut self.sentence);
                Ok(())
            }
            _ => Err(format!("{word:?} is neither `param` nor `reads`, and the sentence is one line")),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text, header included.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it asks, in a sentence; empty where its file says nothing.
    #[must_use]
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// Which time it reads, in words.
    #[must_use]
    pub fn reads(&self) -> Option<&str> {
        self.reads.as_deref()
    }

    /// Its parameters, in the order of its header.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The query with its parameters bound as terms: nothing in a value is ever read as SPARQL.
    ///
    /// # Errors
    /// [`LibraryError::UnknownParameter`], [`LibraryError::Twice`], [`LibraryError::Missing`], [`LibraryError::Value`].
    pub fn with(&self, given: &[(&str, Argument)], reading: Reading) -> Result<Query, LibraryError> {
        let mut values: BTreeMap<&str, &Argument> = BTreeMap::new();
        for (name, value) in given {
            if !self.parameters.iter().any(|parameter| parameter.name == *name) {
                let known = self.parameters.iter().map(|parameter| parameter.name.clone()).collect();
                return Err(LibraryError::UnknownParameter { query: self.name.clone(), name: (*name).to_owned(), known });
            }
            if values.insert(name, value).is_some() {
                return Err(LibraryError::Twice((*name).to_owned()));
            }
        }
        let mut query = self.query.clone();
        for parameter in &self.parameters {
            let term = match (values.get(parameter.name.as_str()), &parameter.usual) {
                (Some(value), _) => parameter.term(value, reading)?,
                (None, Usual::Value(text)) => parameter.term(&Argument::from(text.as_str()), reading)?,
                (None, Usual::Any) => continue,
                (None, Usual::Needed) => {
                    let (query, name) = (self.name.clone(), parameter.name.clone());
                    return Err(LibraryError::Missing { query, name, kind: parameter.kind });
                }
            };
            query.bind(&parameter.name, term)?;
        }
        Ok(query)
    }
}

#[cfg(test)]
mod tests;
