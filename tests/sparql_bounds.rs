//! What bounds a query: parameters as terms, limits on text, reading and answers, and being stopped; and what its order gains.

#![cfg(test)]

mod sparql_support;

use erstwhile::graph::View;
use erstwhile::sparql::{Query, QueryOptions, STACK_BYTES, SearchHit, SearchService, SparqlError, TextLimits, terms};
use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term as RdfTerm, Triple};
use sparesults::QueryResultsFormat;
use spareval::CancellationToken;
use sparql_support::{Told, at, lines};
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn entity(name: &str) -> RdfTerm {
    NamedNode::new(terms::entity_iri(name)).unwrap().into()
}

fn crowd() -> Told {
    crowd_of(300)
}

fn crowd_of(people: u32) -> Told {
    let mut told = Told::new();
    for number in 0..people {
        told.say(&format!("P{number}"), "lives_in", &format!("City {}", number % 3), "2015", None);
        told.say(&format!("P{number}"), "likes", &format!("Thing {}", number % 50), "2015", None);
    }
    told
}

fn refused(told: &Told, query: &str, options: &QueryOptions) -> String {
    let query = Query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let rdf = told.rdf("2024");
    query.run(&rdf, options).and_then(lines).expect_err("it is refused").to_string()
}

#[test]
fn parameters_are_terms_wherever_they_stand_and_never_text() {
    let told = crowd();
    let run = |text: &str, parameters: &[(&str, RdfTerm)]| {
        let mut query = Query::parse(text).unwrap();
        for (name, term) in parameters {
            query.bind(name, term.clone()).unwrap();
        }
        let rdf = told.rdf("2024");
        lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap()
    };
    assert_eq!(run("SELECT ?where { ?who relation:lives_in ?where }", &[("who", entity("P7"))]), ["city%201"]);
    assert_eq!(run("SELECT ?who ?where { ?who relation:lives_in ?where }", &[("?who", entity("P7"))]), ["p7 city%201"], "it is shown");
    let nested = "SELECT ?n { { SELECT (COUNT(*) AS ?n) { ?x relation:lives_in ?where FILTER(?x != ?who) OPTIONAL { ?who ?p ?where } } } }";
    assert_eq!(run(nested, &[("who", entity("P7")), ("where", entity("City 1"))]), ["\"99\""]);
    let table = "SELECT ?who { VALUES (?who ?k) { (entity:p1 1) (entity:p2 2) } }";
    assert_eq!(run(table, &[("who", entity("p2"))]), ["p2"]);
    assert_eq!(
        run("SELECT ?p { ?who ?p ?o }", &[("who", entity("P7")), ("p", NamedNode::new("relation:likes").unwrap().into())]),
        ["likes"]
    );
    let attack = "x> ?p ?o } ; DROP ALL # \" } UNION { ?s ?p ?o";
    assert_eq!(run("SELECT ?o { ?who relation:lives_in ?o }", &[("who", entity(attack))]), [""; 0]);
    assert_eq!(run("SELECT ?w { BIND(?text AS ?w) }", &[("text", Literal::from(attack).into())]), [Literal::from(attack).to_string()]);
    let mut query = Query::parse("SELECT * { ?s ?p ?o }").unwrap();
    assert_eq!(query.bind("who", entity("x")).unwrap_err().to_string(), "the query has no variable ?who");
    assert_eq!(query.bind("a b", entity("x")).unwrap_err().to_string(), "\"a b\" is no name of a variable");
    let text = query.bind("p", Literal::from("x").into()).unwrap_err().to_string();
    assert_eq!(text, "?p stands for a relation or a graph, and \"x\" is no IRI");
    let blank: NamedOrBlankNode = BlankNode::new_unchecked("b1").into();
    let quoted = Triple::new(blank.clone(), NamedNode::new_unchecked("relation:likes"), Literal::from(1));
    for (term, shown) in [(RdfTerm::from(blank), "_:b1"), (quoted.into(), "<<( _:b1 ")] {
        let text = query.bind("s", term).unwrap_err().to_string();
        assert!(text.starts_with(&format!("?s cannot be {shown}")) && text.ends_with("stands for anything, and names nothing"), "{text}");
    }
}

#[test]
fn errors_of_syntax_name_the_line_and_the_column() {
    let error = Query::parse("SELECT ?s {\n  ?s ?p ?o .\n} LIMIT é").unwrap_err();
    assert!(matches!(error, SparqlError::Syntax { line: 3, column: 9, .. }), "{error:?}");
    assert!(error.to_string().starts_with("line 3, column 9: expected "), "{error}");
}

#[test]
fn reading_and_answering_are_bounded() {
    let told = crowd();
    let few = QueryOptions { max_read: 100, ..QueryOptions::default() };
    assert_eq!(refused(&told, "SELECT * { ?s ?p ?o }", &few), "the query has read more than 100 facts");
    let rows = QueryOptions { max_rows: 10, ..QueryOptions::default() };
    assert_eq!(refused(&told, "SELECT * { ?s ?p ?o }", &rows), "the answer has more than 10 rows");
    let product = "SELECT (COUNT(DISTINCT *) AS ?n) { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f }";
    let limit = QueryOptions { max_read: 200_000, ..QueryOptions::default() };
    assert_eq!(refused(&told, product, &limit), "the query has read more than 200000 facts", "a product is read row by row");
    let tables = format!(
        "SELECT (COUNT(*) AS ?n) {{ {} }}",
        ["?a", "?b", "?c", "?d"].map(|v| format!("VALUES {v} {{ {} }}", "1 ".repeat(200))).join(" ")
    );
    let error = refused(&told, &tables, &QueryOptions::default());
    assert_eq!(error, "the query's tables make 1600000000 rows, more than 50000000");
    let query = Query::parse("SELECT * { ?s ?p ?o }").unwrap();
    let rdf = told.rdf("2024");
    let bytes = QueryOptions { max_bytes: 1000, ..QueryOptions::default() };
    let written = query.run(&rdf, &bytes).unwrap().write_results(QueryResultsFormat::Json, Vec::new());
    assert_eq!(written.unwrap_err().to_string(), "the answer has more than 1000 bytes");
}

#[test]
fn a_stopped_query_stops() {
    let told = crowd();
    let cancel = CancellationToken::new();
    let options = QueryOptions { cancel: cancel.clone(), ..QueryOptions::default() };
    let query = Query::parse("SELECT * { ?s ?p ?o }").unwrap();
    let rdf = told.rdf("2024");
    let erstwhile::sparql::Answer::Solutions(mut rows) = query.run(&rdf, &options).unwrap() else { panic!("rows") };
    assert!(rows.next().unwrap().is_ok());
    cancel.cancel();
    assert!(matches!(rows.next(), Some(Err(SparqlError::Stopped))));
}

#[test]
fn what_would_overflow_or_explode_is_refused_or_answered_quickly() {
    let run = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(extremes).unwrap();
    run.join().unwrap();
}

fn extremes() {
    let told = crowd();
    let deep = format!("SELECT * {{ FILTER({}1{}) }}", "(".repeat(5000), ")".repeat(5000));
    assert!(matches!(Query::parse(&deep), Err(SparqlError::TooDeep { line: 1, .. })));
    let nested = format!("SELECT * {{ {} ?s ?p ?o {} }}", "{".repeat(30), "}".repeat(30));
    assert!(Query::parse(&nested).is_ok(), "as deep as the limit");
    let doubled = (0..28).fold("?x".to_owned(), |inner, _| format!("SUBSTR({inner}, 1)"));
    assert!(matches!(Query::parse(&format!("ASK {{ FILTER({doubled} = 1) }}")), Err(SparqlError::TooEntangled { line: 1, .. })));
    let limits = TextLimits::default();
    let chain = format!("SELECT * {{ FILTER(1{}) }}", "+1".repeat(limits.parts - 2));
    let query = Query::parse(&chain).unwrap();
    let rdf = told.rdf("2024");
    assert_eq!(lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap().len(), 1, "as long as the limit");
    let optional = format!("SELECT * {{ {} }}", "OPTIONAL { ?s ?p ?o } ".repeat(100));
    let query = Query::parse(&optional).unwrap();
    assert_eq!(
        query.run(&rdf, &QueryOptions { max_rows: 5, ..QueryOptions::default() }).and_then(lines).unwrap_err().to_string(),
        "the answer has more than 5 rows"
    );
    let regex = format!(
        "SELECT * {{ ?s relation:likes ?o FILTER(regex(str(?s), \"(a*)*(a*)*(a*)*$\") || regex(\"{}\", \"(x+x+)+y\")) }}",
        "x".repeat(5000)
    );
    let query = Query::parse(&regex).unwrap();
    assert_eq!(lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap().len(), 300, "expressions do not backtrack");
    let doubling = (0..40).map(|n| format!("BIND(CONCAT(?x{n}, ?x{n}) AS ?x{})", n + 1)).collect::<Vec<_>>().join(" ");
    let query = Query::parse(&format!("SELECT ?x40 {{ BIND(\"xxxxxxxx\" AS ?x0) {doubling} }}")).unwrap();
    let answer = query.run(&rdf, &QueryOptions::default()).and_then(lines);
    assert!(answer.as_ref().is_err() || answer.as_ref().is_ok_and(|rows| rows.iter().all(|row| row.len() < 10)), "{answer:?}");
}

/// Rows of a subquery that the evaluator has to keep before it joins them.
fn kept(name: &str) -> String {
    format!("{{ SELECT ?{name} ?c {{ ?{name} relation:lives_in ?c }} ORDER BY ?{name} }}")
}

/// The same without anything that it shares with others.
fn apart(name: &str) -> String {
    format!("{{ SELECT ?{name} {{ ?{name} relation:lives_in ?city }} ORDER BY ?{name} }}")
}

#[test]
fn what_is_joined_without_being_read_is_counted() {
    let told = crowd();
    let all = ["a", "b", "d", "e"].map(apart).join(" ");
    let limit = QueryOptions { max_read: 20_000, ..QueryOptions::default() };
    for query in [
        format!("SELECT (COUNT(*) AS ?n) {{ {all} }}"),
        format!("SELECT DISTINCT ?a ?b ?d {{ {all} }}"),
        format!("SELECT ?a {{ {all} }} ORDER BY ?a ?b"),
        format!("SELECT (COUNT(*) AS ?n) {{ {} }}", ["a", "b", "d"].map(kept).join(" ")),
        format!("SELECT (COUNT(*) AS ?n) {{ {} OPTIONAL {} OPTIONAL {} }}", kept("a"), kept("b"), apart("d")),
        "SELECT (COUNT(*) AS ?n) { ?a relation:lives_in ?c OPTIONAL { ?b relation:lives_in ?d } }".to_owned(),
        "SELECT ?s { ?s relation:lives_in ?c FILTER NOT EXISTS { ?a ?p ?b . ?d ?q ?e FILTER(?b = 1 + ?e) } }".to_owned(),
        format!("SELECT (COUNT(*) AS ?n) {{ {{ {} }} UNION {{ {} }} {} }}", kept("a"), kept("b"), apart("d")),
    ] {
        assert_eq!(refused(&told, &query, &limit), "the query has read more than 20000 facts", "{query}");
    }
    let counted = "SELECT (COUNT(*) AS ?n) { { SELECT ?a ?c { ?a relation:lives_in ?c } ORDER BY ?a } { SELECT ?b ?c { ?b relation:lives_in ?c } ORDER BY ?b } }";
    assert_eq!(told.ask("2024", counted), ["\"30000\""], "what fits is answered");
    let minus = format!("SELECT (COUNT(*) AS ?n) {{ {} MINUS {{ {} FILTER(?a != entity:p1) }} }}", apart("a"), apart("a"));
    assert_eq!(told.ask("2024", &minus), ["\"1\""], "the columns that count rows do not show");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how long a query goes on is what is tested")]
fn what_computes_on_tables_stops_when_it_is_told_to() {
    let told = crowd();
    let all = ["a", "b", "d", "e"].map(apart).join(" ");
    let many = |name: &str| format!("VALUES ?{name} {{ {} }}", (0..3000).map(|n| n.to_string()).collect::<Vec<_>>().join(" "));
    // Nothing of it can be known before all of its variables are.
    let never = |names: &str| {
        let all = names.chars().map(|name| format!("STR(?{name})")).collect::<Vec<_>>().join(", ");
        format!("FILTER(STRLEN(CONCAT({all})) < 0)")
    };
    for query in [
        format!("SELECT * {{ {all} {} }}", never("abde")),
        format!("SELECT * {{ {all} MINUS {{ {} FILTER(?a != 1) }} {} }}", apart("a"), never("abde")),
        format!("SELECT * {{ {} FILTER NOT EXISTS {{ {} {} FILTER(?x + ?y + ?z < 0) }} FILTER(?x < 0) }}", many("x"), many("y"), many("z")),
        format!("SELECT * {{ {} OPTIONAL {{ {all} {} }} }}", apart("f"), never("abde")),
        format!("SELECT * {{ ?a (relation:lives_in|^relation:lives_in|relation:likes|^relation:likes)* ?b {} }}", never("ab")),
    ] {
        let cancel = CancellationToken::new();
        let options = QueryOptions { cancel: cancel.clone(), max_read: u64::MAX, ..QueryOptions::default() };
        let timer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            cancel.cancel();
        });
        let parsed = Query::parse(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let rdf = told.rdf("2024");
        let begun = Instant::now();
        let answer = parsed.run(&rdf, &options).and_then(lines);
        let took = begun.elapsed();
        timer.join().unwrap();
        assert!(matches!(answer, Err(SparqlError::Stopped)), "{query}: {answer:?}");
        assert!(took < Duration::from_secs(5), "{query} went on for {took:?}");
    }
}

#[test]
fn texts_do_not_grow_beyond_a_megabyte_on_the_way() {
    let told = crowd_of(60);
    let nest = |text: &str, times: usize, replacement: &str| {
        (0..times).fold(format!("\"{text}\""), |inner, _| format!("REPLACE({inner}, \".\", \"{replacement}\")"))
    };
    let long = "x".repeat(2000);
    for expression in [
        nest("x", 6, &"$0".repeat(50)),
        nest("x", 4, &"y".repeat(500)),
        nest("x", 10, "$0$0$0$0$0$0"),
        format!("REPLACE(REPLACE(\"{long}\", \".\", \"{long}\"), \".\", ?text)"),
        format!("CONCAT({})", vec!["?text"; 5000].join(",")),
        format!("CONCAT({})", vec![nest(&long, 1, &"y".repeat(200)); 30].join(",")),
    ] {
        let query = format!("SELECT ?grown {{ BIND(\"{long}\" AS ?text) BIND({expression} AS ?grown) }}");
        let told_of = refused(&told, &query, &QueryOptions::default());
        assert!(told_of.starts_with("the query makes a text of ") && told_of.ends_with("more than 1048576"), "{told_of}");
    }
    let asked = format!("ASK {{ FILTER(STRLEN({}) > 0) }}", nest("x", 4, &"y".repeat(500)));
    assert!(refused(&told, &asked, &QueryOptions::default()).starts_with("the query makes a text of "), "no is no answer either");
    let joined = format!("SELECT (GROUP_CONCAT(\"{long}\") AS ?all) {{ ?s ?p ?o . ?t ?q ?r }}");
    assert!(refused(&told, &joined, &QueryOptions::default()).starts_with("the query makes a text of "));
    let longer = "x".repeat(8000);
    let groups = format!("SELECT ?s (GROUP_CONCAT(\"{longer}\") AS ?all) {{ ?s ?p ?o . ?t ?q ?r }} GROUP BY ?s ?p");
    assert!(refused(&told, &groups, &QueryOptions::default()).starts_with("the query makes a text of "), "nor all groups together");
    let kept = format!("SELECT (COUNT(DISTINCT CONCAT(\"{long}\", STR(?s), STR(?t))) AS ?n) {{ ?s ?p ?o . ?t ?q ?r }}");
    let limit = QueryOptions { max_read: 100_000, ..QueryOptions::default() };
    assert_eq!(refused(&told, &kept, &limit), "the query has read more than 100000 facts", "what is kept counts by its length");
    assert_eq!(told.ask("2024", "SELECT (GROUP_CONCAT(?t; separator='+') AS ?all) { VALUES ?t { 'a' 'b'@en } }"), ["\"a+b\""]);
    assert_eq!(told.ask("2024", "SELECT (GROUP_CONCAT(?t) AS ?all) { VALUES ?t { 'a' 1 } }"), ["-"], "a number is no text");
    assert_eq!(told.ask("2024", "SELECT (GROUP_CONCAT(?t) AS ?all) { VALUES ?t { } }"), ["\"\""]);
    assert_eq!(told.ask("2024", "SELECT (REPLACE('aXa', 'X', ?with) AS ?all) { VALUES ?with { 'bb' } }"), ["\"abba\""]);
    assert_eq!(
        told.ask("2024", "SELECT (CONCAT('a'@en, 'b'@en, 'c'@en, 'd'@en, 'e'@en, 'f'@en, 'g'@en, 'h'@en, 'i'@en) AS ?all) {}"),
        ["\"abcdefghi\"@en"]
    );
}

#[test]
fn our_order_reads_ten_times_less_than_guesses_do() {
    // A common value and a rare one, told in the unlucky order: guesses take the two to be alike.
    let mut told = Told::new();
    for number in 0..2000 {
        told.say(&format!("P{number}"), "lives_in", "Oslo", "2015", None);
    }
    told.say("P7", "blood_type", "\"AB\"", "2015", None);
    let read = |ordered: bool| {
        let query = Query::parse("SELECT ?who { ?who relation:lives_in entity:oslo . ?who relation:blood_type ?type }").unwrap();
        let rdf = told.rdf("2024");
        let options = QueryOptions { ordered, ..QueryOptions::default() };
        assert_eq!(lines(query.run(&rdf, &options).unwrap()).unwrap(), ["p7"]);
        (rdf.read(), query.explain(&rdf, &options).unwrap().steps)
    };
    let ((ours, steps), (guessed, _)) = (read(true), read(false));
    assert!(ours * 10 <= guessed, "{ours} facts read in our order, {guessed} in the guessed one");
    assert_eq!(steps.len(), 2);
    assert!(steps[0].pattern.contains("blood_type") && steps[0].rows <= 2.0, "{steps:?}");
}

#[derive(Debug)]
struct Found;

impl SearchService for Found {
    fn search(&self, view: &View, words: &str, limit: usize) -> Result<Vec<SearchHit>, Box<dyn Error + Send + Sync>> {
        if view.as_of() != at("2024") {
            return Err("another position".into());
        }
        let hits = (0..limit).map(|number| SearchHit { found: entity(&format!("P{number}")), score: 1.0, text: Some(words.to_owned()) });
        Ok(hits.collect())
    }
}

#[test]
fn search_is_a_service_that_joins() {
    let told = crowd();
    let query = "SELECT ?hit ?text ?where { SERVICE <erst:search> { ?hit erst:matches \"fjord\" ; erst:score ?s ; erst:text ?text ; erst:limit 2 } ?hit relation:lives_in ?where }";
    let options = QueryOptions { search: Some(Arc::new(Found)), ..QueryOptions::default() };
    let parsed = Query::parse(query).unwrap();
    let rdf = told.rdf("2024");
    assert_eq!(lines(parsed.run(&rdf, &options).unwrap()).unwrap(), ["p0 \"fjord\" city%200", "p1 \"fjord\" city%201"]);
    assert_eq!(refused(&told, query, &QueryOptions::default()), "the service <erst:search> is not to be had here");
    let wrong = "SELECT * { SERVICE <erst:search> { ?hit erst:matches ?words } }";
    assert!(
        refused(&told, wrong, &options).contains("SERVICE <erst:search> cannot be read: it knows"),
        "{}",
        refused(&told, wrong, &options)
    );
    assert_eq!(refused(&told, "SELECT * { SERVICE <http://x/> { ?s ?p ?o } }", &options), "the service <http://x/> is not to be had here");
}
