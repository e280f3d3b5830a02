//! SPARQL at points of both times: graphs of other positions, reifiers, names, aliases, contexts, functions.

#![cfg(test)]

mod sparql_support;

use erstwhile::model::Term;
use erstwhile::sparql::{Query, QueryOptions, RdfView};
use erstwhile::time::{Zone, parse_span};
use sparql_support::{Told, at, lines};

/// Olga was at Acme, then at Globex; Globex has a boss; Zoe and Yan are married.
fn told() -> Told {
    let mut told = Told::new();
    told.say("Olga", "employer", "Acme", "2020-01", None);
    told.say("Olga", "employer", "Globex", "2023-06", None);
    told.say("Globex", "headquartered_in", "Turin", "2019", None);
    told.say("Zoe", "married_to", "Yan", "2020", None);
    told.say("Olga", "born_in", "Oslo", "1990", None);
    told
}

#[test]
fn the_default_graph_is_the_reading_position() {
    let told = told();
    let query = "SELECT ?where { entity:olga relation:employer ?where }";
    assert_eq!(told.ask("2022", query), ["acme"]);
    assert_eq!(told.ask("2024", query), ["globex"]);
    assert_eq!(told.ask("2019", query), [""; 0]);
    assert_eq!(told.ask("2023", query), ["acme", "globex"], "over the year either is possible");
    assert_eq!(told.ask("2024", "ASK { entity:olga relation:employer/relation:headquartered_in entity:turin }"), ["true"]);
}

#[test]
fn a_query_reads_several_points_of_both_times() {
    let told = told();
    let both = "SELECT ?old ?new { GRAPH <asof:2022> { entity:olga relation:employer ?old } GRAPH <asof:2024> { entity:olga relation:employer ?new } }";
    assert_eq!(told.ask("1900", both), ["acme globex"]);
    let years = "SELECT ?g ?where { VALUES ?g { <asof:2021> <asof:2024> } GRAPH ?g { ?who relation:employer ?where } }";
    assert_eq!(told.ask("2024", years), ["asof:2021 acme", "asof:2024 globex"]);
    let known = "SELECT ?where { GRAPH <asof:2024/1970-01-01T00:00:00.000001Z> { entity:olga relation:employer ?where } }";
    assert_eq!(told.ask("2024", known), ["acme"], "as known after the first transaction");
    let history = "SELECT ?where { GRAPH <history:> { entity:olga relation:employer ?where } }";
    assert_eq!(told.ask("1900", history), ["acme", "globex"]);
    assert_eq!(told.ask("2024", "SELECT ?w FROM <asof:2022> { entity:olga relation:employer ?w }"), ["acme"], "the text comes first");
    assert_eq!(told.ask("2024", "SELECT ?w FROM <asof:2022> FROM <asof:2024-02> { entity:olga relation:employer ?w }"), ["acme", "globex"]);
    let wrong = Query::parse("SELECT * FROM <asof:nonsense> { ?s ?p ?o }").unwrap_err().to_string();
    assert!(wrong.starts_with("<asof:nonsense> is no reading position: cannot read \"nonsense\""), "{wrong}");
    let query = Query::parse("SELECT * { GRAPH <asof:soon> { ?s ?p ?o } }").unwrap();
    let rdf = told.rdf("2024");
    let wrong = query.run(&rdf, &QueryOptions::default()).and_then(lines).unwrap_err().to_string();
    assert!(wrong.starts_with("<asof:soon> is no reading position"), "{wrong}");
}

#[test]
fn reifiers_tell_both_times_and_provenance() {
    let told = told();
    let intervals = "SELECT ?where ?from ?to { GRAPH <history:> { entity:olga relation:employer ?where {| erst:validFrom ?from |} OPTIONAL { ?f rdf:reifies <<( entity:olga relation:employer ?where )>> ; erst:validTo ?to } } }";
    assert_eq!(
        told.ask("2024", intervals),
        ["acme \"2020-01-01T00:00:00Z\" \"2023-07-01T00:00:00Z\"", "globex \"2023-06-01T00:00:00Z\" -"]
    );
    let written = "SELECT ?start ?end ?status { ?f rdf:reifies <<( ?who relation:employer entity:globex )>> ; erst:start ?start ; erst:end ?end ; erst:status ?status }";
    assert_eq!(told.ask("2024", written), ["\"2023-06\"^^<erst:moment> \"open\"^^<erst:moment> erst:Open"]);
    let why = "SELECT ?claim ?observation ?by { GRAPH <history:> { ?f rdf:reifies <<( entity:olga relation:employer entity:acme )>> ; erst:supportedBy ?claim ; prov:wasDerivedFrom ?observation ; erst:closedBy ?by } ?claim prov:hadPrimarySource ?observation }";
    let id = |number: u32| format!("{number:032x}");
    assert_eq!(told.ask("2024", why), [format!("claim:{}.0 observation:{} claim:{}.0", id(1), id(1), id(2))]);
    let owl =
        "SELECT ?t { ?f rdf:reifies <<( entity:olga relation:employer entity:globex )>> ; time:hasBeginning/time:inXSDDateTimeStamp ?t }";
    assert_eq!(told.ask("2024", owl), ["\"2023-06-01T00:00:00Z\"^^<http://www.w3.org/2001/XMLSchema#dateTimeStamp>"]);
    let sure = "SELECT ?where ?c { entity:olga relation:employer ?where {| erst:certainty ?c |} }";
    assert_eq!(told.ask("2023", sure), ["acme erst:Possible", "globex erst:Possible"]);
    assert_eq!(told.ask("2024", sure), ["globex erst:Certain"]);
}

#[test]
fn what_is_derived_answers_only_where_its_predicate_is_given() {
    let told = told();
    assert_eq!(told.ask("2024", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"), ["\"5\""], "four facts, one of them in both directions");
    assert_eq!(told.ask("2024", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . FILTER(?s = entity:olga) }").len(), 2);
    assert_eq!(told.ask("2024", "SELECT ?l { entity:olga rdfs:label ?l }"), ["\"Olga\""]);
    assert_eq!(told.ask("2024", "SELECT ?e ?w { ?e rdfs:label \"Olga\" ; relation:employer ?w }"), ["olga globex"]);
    assert_eq!(told.ask("2024", "ASK { entity:olga a erst:Entity }"), ["true"]);
    assert_eq!(told.ask("2024", "SELECT (COUNT(*) AS ?n) { ?f a erst:Fact }"), ["\"4\""]);
    let all = told.ask("2024", "SELECT DISTINCT ?p { GRAPH <meta:> { ?s ?p ?o } }");
    for expected in ["erst:validFrom", "erst:supportedBy", "http://www.w3.org/2000/01/rdf-schema#label"] {
        assert!(all.iter().any(|found| found == expected), "{expected} in {all:?}");
    }
    assert!(!all.iter().any(|found| found == "employer"), "facts are not about facts: {all:?}");
}

#[test]
fn every_spelling_alias_and_inverse_is_one_term() {
    let told = told();
    assert_eq!(told.ask("2024", "SELECT ?w { <entity:OLGA> <relation:works%20at> ?w }"), ["globex"]);
    assert_eq!(told.ask("2024", "SELECT ?x ?y { ?x relation:married_to ?y }"), ["yan zoe", "zoe yan"]);
    assert_eq!(told.ask("2024", "SELECT ?y { entity:yan ?p ?y }"), ["zoe"], "whether the predicate is given or not");
    let mut told = told;
    told.say("Ann", "manages", "Bob", "2020", None);
    assert_eq!(told.ask("2024", "SELECT ?who { entity:ann relation:manages ?who }"), ["bob"]);
    assert_eq!(told.ask("2024", "SELECT ?who { ?who relation:reports_to entity:ann }"), ["bob"]);
    let since = "SELECT ?from { entity:ann relation:manages entity:bob {| erst:validFrom ?from |} }";
    assert_eq!(told.ask("2024", since), ["\"2020-01-01T00:00:00Z\""], "an annotation follows the inverse");
    let turned = "SELECT ?from { entity:yan relation:married_to entity:zoe {| erst:validFrom ?from |} }";
    assert_eq!(told.ask("2024", turned), ["\"2020-01-01T00:00:00Z\""]);
}

#[test]
fn contexts_are_named_graphs_and_an_unbound_name_ranges_over_them_alone() {
    let mut told = told();
    let always = parse_span(Some("always"), None, &Zone::UTC).unwrap();
    let iri = |iri: &str| Term::Iri(iri.to_owned());
    told.claim(&iri("http://x/a"), "http://x/P", &iri("http://x/b"), always, Some("http://g/1"));
    told.claim(&iri("http://x/a"), "<x:Q>", &Term::parse("\"7\"^^xsd:integer").unwrap(), always, Some("http://g/2"));
    told.projection.publish();
    let all = "SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }";
    assert_eq!(told.ask("2024", all), ["http://g/1 http://x/a http://x/P http://x/b", "http://g/2 http://x/a x:Q \"7\""]);
    assert_eq!(told.ask("2024", "SELECT ?o { GRAPH <http://g/1> { ?s ?p ?o } }"), ["http://x/b"]);
    assert_eq!(told.ask("2024", "SELECT ?g { GRAPH ?g { } }"), ["http://g/1", "http://g/2"]);
    assert_eq!(told.ask("2024", "SELECT ?o { <http://x/a> ?p ?o }"), [""; 0], "the default graph holds none of it");
    assert_eq!(told.ask("2024", "SELECT ?o FROM <http://g/2> { ?s <x:Q> ?o }"), ["\"7\""]);
    assert_eq!(told.ask("2024", "SELECT ?t { GRAPH <http://g/1> { ?s ?p ?o } GRAPH <history:> { ?who relation:born_in ?t } }"), ["oslo"]);
}

#[test]
fn certain_facts_alone_can_be_asked_for() {
    let told = told();
    let query = Query::parse("SELECT ?where { entity:olga relation:employer ?where }").unwrap();
    let rdf = told.rdf("2023").certain_only(true);
    assert_eq!(lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap(), [""; 0]);
    let rdf = told.rdf("2024").certain_only(true);
    assert_eq!(lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap(), ["globex"]);
}

#[test]
fn functions_read_dates_partial_dates_and_facts() {
    let told = told();
    let value = |expression: &str| told.ask("2024-01-01", &format!("SELECT ?v {{ BIND({expression} AS ?v) }}")).join("");
    assert_eq!(value("erst:allen(\"2019\", \"2020\")"), "\"meets\"");
    assert_eq!(value("time:intervalDuring(\"2019-06\", \"2019\")"), "\"true\"^^<http://www.w3.org/2001/XMLSchema#boolean>");
    assert_eq!(value("erst:contains(\"2004/2006-08\", \"2006-08-31\"^^xsd:date)"), "\"true\"^^<http://www.w3.org/2001/XMLSchema#boolean>");
    assert_eq!(value("erst:granularity(\"201X\")"), "\"decade\"");
    assert_eq!(value("erst:duration(\"2019\")"), "\"P365D\"^^<http://www.w3.org/2001/XMLSchema#dayTimeDuration>");
    assert_eq!(value("erst:duration(\"banana\")"), "-");
    let age = "SELECT ?age { entity:olga relation:employer ?w . ?f rdf:reifies <<( entity:olga relation:employer ?w )>> BIND(erst:age(?f) AS ?age) }";
    assert_eq!(told.ask("2024-01-01T00:00:00Z", age), ["\"P214D\"^^<http://www.w3.org/2001/XMLSchema#dayTimeDuration>"]);
    let met = "SELECT ?a ?b { GRAPH <history:> { ?f rdf:reifies <<( entity:olga relation:employer ?a )>> . ?g rdf:reifies <<( entity:olga relation:employer ?b )>> } FILTER(?f != ?g && erst:overlaps(?f, ?g)) }";
    assert_eq!(told.ask("2024", met), ["acme globex"]);
    let unknown = Query::parse("SELECT * { FILTER(erst:banana(1)) }").unwrap();
    let rdf = told.rdf("2024");
    assert_eq!(unknown.run(&rdf, &QueryOptions::default()).unwrap_err().to_string(), "unknown function <erst:banana>");
}

#[test]
fn a_position_in_the_text_keeps_the_known_at_given() {
    let told = told();
    let query = Query::parse("SELECT ?w FROM <asof:2024> { entity:olga relation:employer ?w }").unwrap();
    let given = erstwhile::time::AsOf { known_at: erstwhile::time::KnownAt::At(erstwhile::time::Instant::from_micros(1)), ..at("2020-02") };
    let rdf = RdfView::new(told.projection.snapshot().at(query.as_of(given)));
    assert_eq!(lines(query.run(&rdf, &QueryOptions::default()).unwrap()).unwrap(), ["acme"]);
}
