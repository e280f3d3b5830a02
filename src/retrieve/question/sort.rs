//! Sorts of things that questions speak of ("country", "team"), and small lists of words with a use in questions, read from TOML.
//!
//! Owns the format. Knows no text.

use crate::extract::rules::phrases::Side;
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

/// A sort of thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sort {
    /// The sorts of policies' domains and ranges that it is of.
    pub(super) of: Vec<String>,
    /// The relations that a bare word for it asks for, the likeliest first.
    pub(super) relations: Vec<String>,
    /// Relations whose values are of it, though the bare word does not ask for them.
    pub(super) values: Vec<String>,
    /// Relations whose ends are not of it, whatever their policies say.
    pub(super) not: Vec<String>,
}

/// All sorts and lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorts {
    sorts: BTreeMap<String, Sort>,
    /// Words, in lower case, by their sort.
    words: BTreeMap<String, String>,
    lists: BTreeMap<String, BTreeSet<String>>,
    /// Relations that lie between, with the end that they lead to.
    pub(super) bridges: Vec<(String, Side)>,
}

impl Sorts {
    /// Reads tables `[sort.NAME]` with `words`, `of`, `relations`, `values` and `not`, a list `bridges` (a relation, with `^` before it where it leads to
    /// its head), and lists of words in `[list]`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let table = text.parse::<Table>().map_err(|error| error.to_string())?;
        let mut sorts = Self::default();
        for (name, value) in table.get("sort").and_then(Value::as_table).into_iter().flatten() {
            let list = |key: &str| value.get(key).map_or_else(|| Ok(Vec::new()), |value| texts(name, value));
            for word in list("words")? {
                sorts.words.insert(word, name.clone());
            }
            sorts
                .sorts
                .insert(name.clone(), Sort { of: list("of")?, values: list("values")?, relations: list("relations")?, not: list("not")? });
        }
        for (name, value) in table.get("list").and_then(Value::as_table).into_iter().flatten() {
            sorts.lists.insert(name.clone(), texts(name, value)?.into_iter().collect());
        }
        for relation in table.get("bridges").map_or_else(|| Ok(Vec::new()), |value| texts("bridges", value))? {
            let to_head = relation.strip_prefix('^').map(|relation| (relation.to_owned(), Side::Head));
            sorts.bridges.push(to_head.unwrap_or((relation, Side::Tail)));
        }
        Ok(sorts)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Sort> {
        self.sorts.get(name)
    }

    /// Whether a relation's values are said to be of sorts, none of which shares anything with this one.
    pub(super) fn is_of_others(&self, relation: &str, sort: &Sort) -> bool {
        let mut of =
            self.sorts.values().filter(|other| other.relations.iter().chain(&other.values).any(|known| known == relation)).peekable();
        of.peek().is_some() && of.all(|other| other != sort && !other.of.iter().any(|one| sort.of.contains(one)))
    }

    /// The sort that a word in lower case is for.
    pub(super) fn of_word(&self, word: &str) -> Option<&str> {
        self.words.get(word).map(String::as_str)
    }

    /// Whether a word in lower case is in a list.
    pub(super) fn is(&self, list: &str, word: &str) -> bool {
        self.lists.get(list).is_some_and(|words| words.contains(word))
    }
}

fn texts(name: &str, value: &Value) -> Result<Vec<String>, String> {
    let fault = || format!("{name}: {value} is no list of texts");
    value.as_array().ok_or_else(fault)?.iter().map(|one| one.as_str().map(str::to_owned).ok_or_else(fault)).collect()
}
