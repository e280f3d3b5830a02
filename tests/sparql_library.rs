//! Named queries on a memory: whatever stands in a parameter is compared with what is remembered, and never read as SPARQL.

#![cfg(test)]

mod sparql_support;

use erstwhile::sparql::library::{Argument, LibraryError, NamedQuery, Reading};
use erstwhile::sparql::{Query, QueryOptions, RdfView};
use erstwhile::time::Zone;
use sparql_support::{Told, at, lines};
use std::collections::BTreeSet;

/// Texts that would end a string, a group, a query or an IRI, were they pasted.
const HOSTILE: [&str; 16] = [
    r#"x" } UNION { ?who ?p ?o } #"#,
    r#"x\" } #"#,
    r"x\",
    "x' } UNION { ?who ?p ?o } #",
    r#"""" } #"#,
    "''' } #",
    "} }",
    "{",
    "# everything",
    "?who",
    "$value",
    "<http://x/> } #",
    "a > b } UNION { ?who ?p ?o",
    "; SELECT * { ?s ?p ?o }",
    "%22%20%7D",
    "entity:ana",
];

fn ask(told: &Told, name: &str, given: &[(&str, Argument)]) -> Result<Vec<String>, LibraryError> {
    let query = NamedQuery::shipped(name)?.with(given, Reading { at: at("2024"), zone: Zone::UTC })?;
    let rdf = RdfView::new(told.projection.snapshot().at(query.as_of(at("2024"))));
    Ok(lines(query.run(&rdf, &QueryOptions::default())?)?)
}

/// What Ana likes: one hostile name; and other things that must never come with it.
fn told(name: &str) -> Told {
    let mut told = Told::new();
    told.say("Ana", "likes", &format!("\\{name}"), "2020", None);
    told.say("Bo", "likes", "tea", "2020", None);
    told.say("Bo", "employer", "Acme", "2020", None);
    told
}

#[test]
fn every_query_is_asked_by_a_scenario() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut asked = BTreeSet::new();
    for scenario in std::fs::read_dir(fixtures).unwrap() {
        let Ok(questions) = std::fs::read_to_string(scenario.unwrap().path().join("questions.jsonl")) else { continue };
        for line in questions.lines().filter(|line| line.trim_start().starts_with('{')) {
            let question: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            if question["ask"] == "query" && !question["expect"].is_null() {
                asked.extend(question["name"].as_str().map(str::to_owned));
            }
        }
    }
    let unasked: Vec<_> = erstwhile::sparql::library::names().into_iter().filter(|name| !asked.contains(*name)).collect();
    assert!(unasked.is_empty(), "no scenario asks {unasked:?}");
}

#[test]
fn a_hostile_name_is_a_name() {
    for name in HOSTILE {
        let Ok(term) = erstwhile::Term::parse(name) else { continue };
        let told = told(name.trim_start_matches('\\'));
        let given = [("relation", Argument::from("likes")), ("value", Argument::from(name))];
        let found = ask(&told, "holders", &given).unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_remembered = told.projection.snapshot().at(at("2024")).term_id(term.as_ref()).is_some();
        let expected = usize::from(is_remembered);
        assert_eq!(found.len(), expected, "{name}: {found:?}");
        assert!(found.iter().all(|row| row.starts_with("ana ")), "{name}: {found:?}");
        let others = ask(&told, "values", &[("who", Argument::from(name)), ("relation", Argument::from("likes"))]).unwrap();
        assert_eq!(others, [""; 0], "{name} likes nothing");
    }
}

#[test]
fn a_hostile_relation_is_a_relation_that_nobody_has() {
    for name in HOSTILE {
        let found = ask(&told("x"), "values", &[("who", Argument::from("Bo")), ("relation", Argument::from(name))]);
        assert_eq!(found.unwrap_or_else(|error| panic!("{name}: {error}")), [""; 0], "{name}");
    }
}

#[test]
fn hostile_times_numbers_and_ids_are_refused_by_their_parameters_names() {
    for value in HOSTILE.into_iter().chain(["2024> { ?s ?p ?o } #", "2024\n} UNION {", "1 || true", "1) || (1 = 1"]) {
        let relation = || ("relation", Argument::from("likes"));
        for (query, parameter, given) in [
            ("values", "at", vec![("who", Argument::from("Ana")), relation(), ("at", Argument::from(value))]),
            ("learnt", "since", vec![("since", Argument::from(value))]),
            ("by-confidence", "most", vec![("most", Argument::from(value))]),
            ("said-by", "source", vec![("source", Argument::from(value))]),
        ] {
            let error = ask(&told("x"), query, &given).unwrap_err().to_string();
            assert!(error.starts_with(&format!("parameter {parameter:?}: ")), "{query} {value}: {error}");
        }
    }
}

#[test]
fn iris_that_would_end_early_are_refused() {
    for value in ["<http://x/> ?p ?o . <http://y>", "<http://x/a b>", "<http://x/\">", "<http://x/{y}>", "<>"] {
        for (query, name) in [("values", "who"), ("by-type", "type")] {
            let mut given = vec![(name, Argument::from(value))];
            if query == "values" {
                given.push(("relation", Argument::from("likes")));
            }
            let error = ask(&told("x"), query, &given).unwrap_err().to_string();
            assert!(error.starts_with(&format!("parameter {name:?}: ")), "{value}: {error}");
        }
    }
}

#[test]
fn a_text_of_any_characters_is_compared_as_it_stands() {
    let named = NamedQuery::read(
        "mine",
        "# Whether a text is another.\n# param text text\n# param other text\nSELECT ?same { BIND(?text = ?other AS ?same) }",
    )
    .unwrap();
    let told = told("x");
    let rdf = RdfView::new(told.projection.snapshot().at(at("2024")));
    for text in HOSTILE.into_iter().chain(["a\nb", "a\r\n} #", "\u{0}", "\\u0022", ""]) {
        for (other, same) in [(text, true), ("another", false)] {
            let given = [("text", Argument::from(text)), ("other", Argument::from(other))];
            let query: Query = named.with(&given, Reading { at: at("2024"), zone: Zone::UTC }).unwrap();
            let found = lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap().join("");
            assert!(found.contains(if same { "true" } else { "false" }), "{text:?} and {other:?}: {found}");
        }
    }
}

#[test]
fn a_name_in_any_spelling_is_told_from_others() {
    let mut told = told("x");
    told.say("Cleo", "employer", "Acme", "2021", None);
    let found = ask(&told, "co-holders", &[("who", Argument::from("BO"))]).unwrap();
    assert_eq!(found, ["cleo employer acme"]);
}

#[test]
fn a_time_that_is_given_is_where_it_reads_and_now_is_where_the_reader_stands() {
    let mut told = Told::new();
    told.say("Ana", "lives_in", "Oslo", "2015", None);
    told.say("Ana", "lives_in", "Turin", "2018-09", None);
    let who = || ("who", Argument::from("Ana"));
    let relation = || ("relation", Argument::from("lives in"));
    let first = |rows: Vec<String>| rows.iter().map(|row| row.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(first(ask(&told, "values", &[who(), relation()]).unwrap()), ["turin"]);
    assert_eq!(first(ask(&told, "values", &[who(), relation(), ("at", Argument::from("2016"))]).unwrap()), ["oslo"]);
}
