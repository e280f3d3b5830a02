//! English inflections that no rule gives, and families of words near in meaning, as data.
//!
//! Owns the shipped table. Knows no text.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const SHIPPED: &str = include_str!("inflect.toml");

/// The table, by word.
#[derive(Debug, Default)]
struct Table {
    /// The base form of an irregular one.
    bases: FxHashMap<String, String>,
    /// For each word of a family all of its words, in the order of the file.
    families: FxHashMap<String, Vec<String>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| read(SHIPPED));

/// The base form of an irregular form ("went" is "go"); any other word is its own.
pub(super) fn base(word: &str) -> &str {
    TABLE.bases.get(word).map_or(word, String::as_str)
}

/// The other words of a base form's family.
pub(super) fn kin(word: &str) -> impl Iterator<Item = &'static str> {
    let family = TABLE.families.get(word).map(Vec::as_slice).unwrap_or_default();
    family.iter().map(String::as_str).filter(move |other| *other != word).collect::<Vec<_>>().into_iter()
}

/// Reads a table; lines that are none are left out, and a test holds that the shipped one has none of them.
fn read(toml: &str) -> Table {
    let mut table = Table::default();
    let parsed = toml.parse::<toml::Table>().unwrap_or_default();
    for (base, forms) in entries(&parsed, "forms") {
        for form in forms {
            table.bases.insert(form, base.clone());
        }
    }
    for (first, others) in entries(&parsed, "families") {
        let family: Vec<String> = std::iter::once(first).chain(others).collect();
        for word in &family {
            table.families.insert(word.clone(), family.clone());
        }
    }
    table
}

fn entries(table: &toml::Table, name: &str) -> Vec<(String, Vec<String>)> {
    let section = table.get(name).and_then(toml::Value::as_table);
    let words = |value: &toml::Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
    };
    section.into_iter().flatten().map(|(word, others)| (word.clone(), words(others))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irregular_forms_have_a_base_and_families_know_each_other() {
        assert_eq!(base("went"), "go");
        assert_eq!(base("children"), "child");
        assert_eq!(base("walked"), "walked");
        assert!(kin("mom").any(|word| word == "mother"));
        assert!(kin("mother").any(|word| word == "mom"));
        assert_eq!(kin("zebra").count(), 0);
    }

    #[test]
    fn the_shipped_table_is_read_whole() {
        let lines = SHIPPED.lines().filter(|line| line.contains(" = [")).count();
        let parsed = SHIPPED.parse::<toml::Table>().unwrap();
        assert_eq!(entries(&parsed, "forms").len() + entries(&parsed, "families").len(), lines);
        for (word, others) in entries(&parsed, "families") {
            assert!(!others.is_empty(), "{word} has no family");
            let twice = entries(&parsed, "families").iter().filter(|(first, rest)| *first == word || rest.contains(&word)).count();
            assert_eq!(twice, 1, "{word} is in two families");
        }
    }
}
