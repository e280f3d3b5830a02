//! The files of the library are in one form, all of them are shipped, and nothing in a value is read as SPARQL.

use super::*;
use crate::time::{AsOf, KnownAt, Zone, parse_moment};
use oxrdf::{BlankNode, NamedNode, Term as RdfTerm};
use std::fs;
use std::path::Path;

fn reading() -> Reading {
    let at = AsOf { valid_at: parse_moment("2024-05-01", &Zone::UTC).unwrap(), known_at: KnownAt::Latest };
    Reading { at, zone: Zone::UTC }
}

fn shipped() -> Vec<NamedQuery> {
    names().into_iter().map(|name| NamedQuery::shipped(name).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

#[test]
fn every_file_is_shipped_says_what_it_asks_and_answers_in_an_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rq"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    assert_eq!(files, names(), "the folder and what is shipped");
    assert!(files.len() >= 20, "{} queries", files.len());
    for query in shipped() {
        let name = query.name();
        assert!(query.sentence().ends_with('.'), "{name}: {:?} is no sentence", query.sentence());
        assert!(query.reads().is_some_and(|reads| !reads.is_empty()), "{name} does not say which time it reads");
        assert!(query.text().contains("ORDER BY"), "{name} answers in no order");
        assert!(!query.parameters().is_empty(), "{name} has no parameters");
    }
}

#[test]
fn the_documentation_lists_every_query() {
    let docs = include_str!("../../../docs/RDF.md");
    for query in shipped() {
        let parameters: Vec<String> = query
            .parameters()
            .iter()
            .map(|parameter| {
                let plain = format!("`{}` {}", parameter.name, parameter.kind.word());
                if parameter.usual == Usual::Needed { plain } else { format!("[{plain}]") }
            })
            .collect();
        let line = format!("| `{}` | {} | {} |", query.name(), query.sentence(), parameters.join(", "));
        assert!(docs.contains(&line), "docs/RDF.md has no line\n{line}");
    }
}

#[test]
fn headers_are_read_and_what_is_wrong_with_them_is_told_with_its_line() {
    let body = "SELECT ?x { GRAPH ?at { ?who ?p ?x } }";
    let read = |header: &str| NamedQuery::read("mine", &format!("{header}\n{body}"));
    let query = read(
        "# Something.\n# reads now\n#\n# param who entity Somebody\n# param at time (default 2019-06)\n# param p relation (optional) Which",
    )
    .unwrap();
    assert_eq!((query.sentence(), query.reads()), ("Something.", Some("now")));
    let parameter = |name: &str, kind, usual, about: &str| Parameter { name: name.to_owned(), kind, usual, about: about.to_owned() };
    assert_eq!(
        query.parameters(),
        [
            parameter("who", ParameterKind::Entity, Usual::Needed, "Somebody"),
            parameter("at", ParameterKind::Time, Usual::Value("2019-06".to_owned()), ""),
            parameter("p", ParameterKind::Relation, Usual::Any, "Which"),
        ]
    );
    for (header, wrong) in [
        ("# A.\n# param who", "query \"mine\", line 2: a parameter is declared as `param NAME KIND`"),
        ("# A.\n# param who person", "line 2: \"person\" is no kind of parameter; there are entity, relation"),
        ("# A.\n# param ?who entity", "line 2: \"?who\" is no name of a parameter"),
        ("# A.\n# param who entity (perhaps)", "line 2: (perhaps) is neither (optional) nor (default …)"),
        ("# A.\n# param who entity (optional", "line 2: a bracket is not closed"),
        ("# param who entity\n# param who value", "line 2: parameter \"who\" is declared twice"),
        ("# A.\n# reads x\n# reads y", "line 3: it says twice what it reads"),
        ("# A.\n# and more", "line 2: \"and\" is neither `param` nor `reads`"),
        ("# param whom entity", "the query has no variable ?whom"),
    ] {
        let error = read(header).unwrap_err().to_string();
        assert!(error.contains(wrong), "{header}\n{error}");
    }
    let error = NamedQuery::read("mine", "SELECT {").unwrap_err().to_string();
    assert!(error.starts_with("line 1, column "), "{error}");
}

#[test]
fn parameters_that_are_unknown_missing_or_given_twice_are_named() {
    let query = NamedQuery::shipped("values").unwrap();
    let error = |given: &[(&str, Argument)]| query.with(given, reading()).unwrap_err().to_string();
    let who = || ("who", Argument::from("Ana"));
    assert_eq!(error(&[who()]), "query \"values\" needs \"relation\", a relation");
    assert_eq!(error(&[("whom", Argument::from("Ana"))]), "query \"values\" has no parameter \"whom\"");
    assert_eq!(error(&[who(), who()]), "parameter \"who\" is given twice");
    let error = NamedQuery::shipped("nonsense").unwrap_err().to_string();
    assert_eq!(error, "no query is called \"nonsense\"");
}

/// The term that a text is as a parameter of a kind.
fn term(kind: ParameterKind, value: impl Into<Argument>) -> Result<String, String> {
    let parameter = Parameter { name: "x".to_owned(), kind, usual: Usual::Needed, about: String::new() };
    parameter.term(&value.into(), reading()).map(|term| term.to_string()).map_err(|error| error.to_string())
}

#[test]
fn values_are_read_by_their_kind() {
    for (kind, text, expected) in [
        (ParameterKind::Entity, "Ana Lima", "<entity:Ana%20Lima>"),
        (ParameterKind::Entity, "<http://x/a>", "<http://x/a>"),
        (ParameterKind::Value, "\"text\"@en", "\"text\"@en"),
        (ParameterKind::Relation, "works at", "<relation:works%20at>"),
        (ParameterKind::Relation, "<http://x/p>", "<http://x/p>"),
        (ParameterKind::Time, "2019-06", "<asof:2019-06>"),
        (ParameterKind::Time, "now", "<asof:2024-05-01>"),
        (ParameterKind::Time, "2019/2020-01-01T00:00:00Z", "<asof:2019/2020-01-01T00:00:00Z>"),
        (ParameterKind::Known, "2020", "<asof:2024-05-01/2020-12-31T23:59:59.999999Z>"),
        (ParameterKind::Number, "3", "\"3\"^^<http://www.w3.org/2001/XMLSchema#integer>"),
        (ParameterKind::Text, "a \"b\"\nc", r#""a \"b\"\nc""#),
        (ParameterKind::Claim, "00000000000000000000000000000001.2", "<claim:00000000000000000000000000000001.2>"),
    ] {
        assert_eq!(term(kind, text).as_deref(), Ok(expected), "{kind}: {text}");
    }
    for (kind, text, wrong) in [
        (ParameterKind::Entity, "\"text\"", "parameter \"x\": \"\\\"text\\\"\" is not an entity: a literal is no entity"),
        (ParameterKind::Entity, "_:b", "is not an entity: a blank node cannot be named from outside"),
        (ParameterKind::Value, "_:b", "is not a value: a blank node cannot be named from outside"),
        (ParameterKind::Relation, " ", "is not a relation: it is empty"),
        (ParameterKind::Time, "soon", "parameter \"x\": \"soon\" is not a time: "),
        (ParameterKind::Known, "", "is not a time of knowledge: "),
        (ParameterKind::Number, "inf", "is not a number: write it as 3, -2 or 0.8"),
        (ParameterKind::Number, "1; DROP", "is not a number"),
        (ParameterKind::Fact, "12", "is not a fact's id"),
        (ParameterKind::Observation, "joined", "is not an observation's id"),
    ] {
        let error = term(kind, text).unwrap_err();
        assert!(error.contains(wrong), "{kind}: {text}\n{error}");
    }
    let blank: RdfTerm = BlankNode::new_unchecked("b").into();
    let iri: RdfTerm = NamedNode::new_unchecked("http://x/a").into();
    for (_, kind) in ParameterKind::ALL {
        assert!(term(kind, blank.clone()).is_err(), "{kind} takes a blank node, which a pattern would match with anything");
        let takes_iris = matches!(kind, ParameterKind::Entity | ParameterKind::Relation | ParameterKind::Value);
        assert_eq!(term(kind, iri.clone()).is_ok(), takes_iris, "{kind}");
    }
}
