//! What a query's text may be before it is read, and its tables before they are joined: reading and joining them would cost more than
//! any answer is worth.
//!
//! Owns the limits and how they are measured. Knows no grammar beyond brackets, quotes, comments and operators.

use super::error::SparqlError;
use spargebra::algebra::GraphPattern;

/// Limits on a query before it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLimits {
    /// The most bytes of the text.
    pub bytes: usize,
    /// How deep brackets may lie in each other.
    pub depth: usize,
    /// The most operators and groups: each lies in the next one once they are read.
    pub parts: usize,
}

/// A quarter of a megabyte, 32 deep, 256 operators: many times what people write, and little enough for [`STACK_BYTES`].
impl Default for TextLimits {
    fn default() -> Self {
        Self { bytes: 256 * 1024, depth: 32, parts: 256 }
    }
}

/// The stack that a thread needs to run any query within the usual limits: the evaluator takes up to 25 KiB for each operator that lies
/// in another one. A thread's usual two megabytes do for what people write by hand; who runs queries of strangers gives them this.
pub const STACK_BYTES: usize = 16 << 20;

/// The words that put what stands before them into a new group.
const WORDS: [&str; 6] = ["OPTIONAL", "UNION", "MINUS", "FILTER", "BIND", "LATERAL"];

/// The functions whose arguments the parser reads once for each number that there may be of them: each that lies in another one is read
/// twice as often.
const READ_TWICE: [&str; 4] = ["GROUP_CONCAT", "REGEX", "REPLACE", "SUBSTR"];
/// How often all of the longest text may be read.
const READINGS: usize = 16;

impl TextLimits {
    /// Whether a text may be read.
    pub(super) fn check(&self, text: &str) -> Result<(), SparqlError> {
        if text.len() > self.bytes {
            return Err(SparqlError::TooLong { bytes: text.len(), limit: self.bytes });
        }
        let (mut parts, mut read) = (0_usize, 0_usize);
        // For each open bracket how often what is in it is read.
        let mut open: Vec<usize> = Vec::new();
        let mut is_read_twice = false;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let at = text.len() - rest.len();
            let times = open.last().copied().unwrap_or(1);
            let after_name = is_read_twice;
            is_read_twice &= c.is_whitespace();
            let skipped = match c {
                '#' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
                '"' | '\'' => quoted(rest, c),
                '<' => iri(rest).unwrap_or(1),
                '{' | '(' | '[' => {
                    if open.len() >= self.depth {
                        let (line, column) = place(text, at);
                        return Err(SparqlError::TooDeep { line, column, limit: self.depth });
                    }
                    open.push(times.saturating_mul(if after_name { 2 } else { 1 }));
                    1
                }
                '}' | ')' | ']' => {
                    open.pop();
                    1
                }
                '+' | '-' | '*' | '/' | '|' | '&' | '^' | '=' | '!' | '>' => {
                    parts += 1;
                    1
                }
                c if c.is_alphabetic() => {
                    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                    let after = rest.get(word..).unwrap_or_default();
                    if after.starts_with(':') {
                        // A prefixed name may hold what elsewhere is an operator.
                        word + after
                            .find(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '_' | '-' | '.' | '%'))
                            .unwrap_or(after.len())
                    } else {
                        let is_one_of = |known: &[&str]| {
                            rest.get(..word).is_some_and(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)))
                        };
                        parts += usize::from(is_one_of(&WORDS));
                        is_read_twice = is_one_of(&READ_TWICE);
                        word
                    }
                }
                c => c.len_utf8(),
            };
            let skipped = skipped.max(c.len_utf8());
            read = read.saturating_add(skipped.saturating_mul(times));
            if read > self.bytes.saturating_mul(READINGS) {
                let (line, column) = place(text, at);
                return Err(SparqlError::TooEntangled { line, column });
            }
            rest = rest.get(skipped..).unwrap_or_default();
        }
        if parts > self.parts { Err(SparqlError::TooManyParts { limit: self.parts }) } else { Ok(()) }
    }
}

/// How long a quoted text is, its quotes included; three quotes may hold single ones.
pub(super) fn quoted(text: &str, quote: char) -> usize {
    let one = quote.len_utf8();
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let (opening, is_long) = if text.starts_with(&long) { (3 * one, true) } else { (one, false) };
    let mut escaped = false;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < opening) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => {
                if !is_long {
                    return at + one;
                }
                if text.get(at..).is_some_and(|rest| rest.starts_with(&long)) {
                    return at + 3 * one;
                }
            }
            '\n' | '\r' if !is_long => return at,
            _ => {}
        }
    }
    text.len()
}

/// How long an IRI in angle brackets is; `None` where the bracket is an operator.
pub(super) fn iri(text: &str) -> Option<usize> {
    let end = text.find('>')?;
    let inner = text.get(1..end)?;
    let is_iri = !inner.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '"' | '{' | '}' | '|' | '^' | '`'));
    is_iri.then_some(end + 1)
}

/// The line and the column of a byte, from 1, in characters.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// How many rows a pattern's tables make by themselves: what reads facts counts as one, since that is stopped and counted as it reads.
pub(super) fn table_rows(pattern: &GraphPattern) -> u64 {
    match pattern {
        GraphPattern::Values { bindings, .. } => u64::try_from(bindings.len()).unwrap_or(u64::MAX),
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => table_rows(left).saturating_mul(table_rows(right)),
        GraphPattern::LeftJoin { left, right, .. } => table_rows(left).saturating_mul(table_rows(right).max(1)),
        GraphPattern::Union { left, right } => table_rows(left).saturating_add(table_rows(right)),
        GraphPattern::Minus { left, .. } => table_rows(left),
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Graph { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Group { inner, .. }
        | GraphPattern::Service { inner, .. }
        | GraphPattern::Slice { inner, .. } => table_rows(inner),
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_counted_where_they_are_brackets() {
        let limits = TextLimits { depth: 2, ..TextLimits::default() };
        for text in [
            "SELECT * { { ?s ?p ?o } }",
            "SELECT * { ?s ?p \"((((\" } # ((((",
            "SELECT * { ?s ?p '''(((''(' ''' }",
            "SELECT * { <http://x/(((> ?p ?o FILTER(?o < 3 && ?o >1) }",
            "SELECT * { ?s ?p \"\\\"(((\" }",
        ] {
            assert!(limits.check(text).is_ok(), "{text}");
        }
        let error = limits.check("SELECT *\n{ é { {").unwrap_err().to_string();
        assert_eq!(error, "line 2, column 7: brackets lie 2 deep, and none may lie deeper");
    }

    #[test]
    fn long_texts_and_chains_are_refused() {
        let limits = TextLimits::default();
        assert!(matches!(limits.check(&" ".repeat(300_000)), Err(SparqlError::TooLong { .. })));
        assert!(matches!(limits.check(&format!("ASK {{ FILTER(1{}) }}", "+1".repeat(300))), Err(SparqlError::TooManyParts { .. })));
        assert!(matches!(limits.check(&"OPTIONAL {} ".repeat(300)), Err(SparqlError::TooManyParts { .. })));
        let nested = |times: usize| (0..times).fold("?x".to_owned(), |inner, _| format!("replace ({inner}, 'a', 'b')"));
        assert!(limits.check(&nested(10)).is_ok());
        assert_eq!(
            limits.check(&nested(28)).unwrap_err().to_string(),
            "line 1, column 170: GROUP_CONCAT, REGEX, REPLACE and SUBSTR lie too deep in each other to be read"
        );
        assert!(limits.check(&format!("SELECT * {{ VALUES ?x {{ {} }} }}", "ex:a-b ".repeat(20_000))).is_ok());
        assert!(limits.check(&format!("SELECT * {{ VALUES ?x {{ {} }} }}", "\"a-b\" ".repeat(20_000))).is_ok());
    }
}
