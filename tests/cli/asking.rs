//! `sparql` and `query`: formats, positions, bounds, errors.

use crate::harness::Dir;

const CLAIMS: &str = r#"{"observation":"acme","observed_at":"2020-01-20","source":"user","head":"Ida Renn","relation":"employer","tail":"Acme","from":"2020-01"}
{"observation":"globex","observed_at":"2023-06-05","source":"user","head":"Ida Renn","relation":"employer","tail":"Globex","from":"2023-06-01"}
{"observation":"bo","observed_at":"2022-01-01","source":"user","head":"Bo Lind","relation":"employer","tail":"Globex","from":"2018"}
"#;

const EMPLOYERS: &str = "SELECT ?who ?where { ?who relation:employer ?where } ORDER BY ?who";

#[test]
fn a_query_reads_where_its_text_says_before_the_flags() {
    let dir = Dir::with(CLAIMS);
    let ran = dir.run(&["sparql", EMPLOYERS, "--at", "2021"]).ok();
    ran.says(&["who       where", "Bo Lind   Globex", "Ida Renn  Acme", "2 rows   at 2021"]);
    dir.run(&["sparql", "SELECT ?where FROM <asof:2021> { entity:ida%20renn relation:employer ?where }", "--at", "2024"])
        .ok()
        .says(&["Acme"]);
    let sure = "SELECT ?where ?c { entity:ida%20renn relation:employer ?where {| erst:certainty ?c |} }";
    dir.run(&["sparql", sure, "--at", "2023"]).ok().says(&["Acme", "Globex", "possible"]);
    dir.run(&["sparql", sure, "--at", "2023", "--certain"]).ok().says(&["0 rows"]);
    dir.run(&["sparql", "ASK { ?who relation:employer entity:acme }", "--at", "2024"]).ok().says(&["no   at 2024"]);
}

#[test]
fn a_query_comes_as_a_file_or_on_standard_input() {
    let dir = Dir::with(CLAIMS);
    dir.file("mine.rq", EMPLOYERS);
    dir.run(&["sparql", "mine.rq"]).ok().says(&["Bo Lind"]);
    dir.run_with(EMPLOYERS, &["sparql", "-"]).ok().says(&["Bo Lind"]);
    let missing = dir.run(&["sparql", "other.rq"]);
    missing.exits(3).complains(&["other.rq"]);
}

#[test]
fn answers_are_written_in_the_formats_of_their_kind() {
    let dir = Dir::with(CLAIMS);
    let rows = |format: &str| dir.run(&["sparql", EMPLOYERS, "--at", "2021", "--format", format]).ok().out;
    assert_eq!(rows("csv"), "who,where\r\nentity:bo%20lind,entity:globex\r\nentity:ida%20renn,entity:acme\r\n");
    assert!(rows("tsv").starts_with("?who\t?where\n<entity:bo%20lind>\t<entity:globex>\n"), "tab separated");
    assert!(rows("json").starts_with(r#"{"head":{"vars":["who","where"]}"#), "SPARQL results in JSON");
    assert!(rows("xml").contains("<uri>entity:bo%20lind</uri>"), "SPARQL results in XML");
    let graph = "CONSTRUCT WHERE { entity:bo%20lind relation:employer ?where }";
    for format in ["turtle", "ntriples", "jsonld", "trig", "nquads"] {
        let ran = dir.run(&["sparql", graph, "--format", format]).ok();
        assert!(ran.out.contains("globex"), "{format}: {}", ran.out);
    }
    dir.run(&["sparql", graph]).ok().says(&["subject  predicate  object", "Bo Lind  employer   Globex", "1 triple"]);
    let wrong = dir.run(&["sparql", graph, "--format", "csv"]);
    wrong.exits(2).complains(&["--format \"csv\": CONSTRUCT answers triples", "table, turtle, ntriples, jsonld, rdfxml, trig, nquads"]);
    dir.run(&["sparql", EMPLOYERS, "--format", "turtle"]).exits(2).complains(&["SELECT answers rows", "table, json, csv, tsv, xml"]);
    dir.run(&["sparql", EMPLOYERS, "--format", "csv", "--json"]).exits(2);
}

#[test]
fn the_json_answer_is_the_frame_and_sparql_results_in_one_object() {
    let dir = Dir::with(CLAIMS);
    let answer = dir.json(&["sparql", EMPLOYERS, "--at", "2021"]);
    assert_eq!(
        (&answer["schema"], &answer["command"], &answer["as_of"]["valid_at"]["text"]),
        (&1.into(), &"sparql".into(), &"2021".into())
    );
    assert_eq!(answer["results"]["bindings"][1]["where"]["value"], "entity:acme");
    assert_eq!(dir.json(&["sparql", "ASK { ?who ?what ?whom }"])["boolean"], true);
    let triples = dir.json(&["sparql", "CONSTRUCT WHERE { entity:bo%20lind relation:employer ?where }"]);
    assert_eq!(triples["results"]["bindings"][0]["object"]["value"], "entity:globex");
    let plan = dir.json(&["sparql", EMPLOYERS, "--explain"]);
    assert!(plan["plan"]["name"].is_string() && plan["query"].as_str().is_some_and(|query| query.starts_with("SELECT")), "{plan}");
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_what_to_do() {
    let dir = Dir::with(CLAIMS);
    let wrong = dir.run(&["sparql", "SELECT *\n{ ?s ?p }"]);
    wrong.exits(2).complains(&["line 2, column ", "the line is: { ?s ?p }"]);
    dir.run(&["sparql", "SELECT * { GRAPH <asof:soon> { ?s ?p ?o } }"]).exits(2).complains(&["<asof:soon> is no reading position"]);
    let more = dir.run(&["sparql", EMPLOYERS, "--limit", "1"]);
    more.exits(4).says(&["Bo Lind"]).complains(&["more than 1 rows", "`--limit` allows more"]);
    let values = "VALUES ?VAR { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 }";
    let many: String = ["a", "b", "c", "d", "e"].iter().map(|name| values.replace("VAR", name)).collect();
    let slow = dir.run(&[
        "sparql",
        &format!("SELECT (COUNT(*) AS ?n) {{ {many} ?s ?p ?o FILTER(?a + ?b + ?c + ?d + ?e < 0) }}"),
        "--timeout",
        "50ms",
    ]);
    slow.exits(4).complains(&["not answered within 50ms", "`--timeout` gives it longer"]);
}

#[test]
fn named_queries_are_asked_listed_and_shown() {
    let dir = Dir::with(CLAIMS);
    dir.run(&["query", "holders", "relation=works for", "value=Acme", "at=2021"]).ok().says(&["Ida Renn", "certain", "1 row"]);
    dir.run(&["query", "values", "who=Ida Renn", "relation=employer", "--at", "2021"]).ok().says(&["Acme"]);
    dir.run(&["query", "--list"]).ok().says(&[
        "holders",
        "Who has a value for a relation at a time.",
        "relation=RELATION value=VALUE [at=TIME]",
    ]);
    dir.run(&["query", "holders", "--show"]).ok().says(&["# param relation relation", "GRAPH ?at"]);
    assert_eq!(dir.json(&["query", "--list"])["queries"][0]["name"], "about");
    dir.file("mine.rq", "# Where somebody works.\n# param who entity\nSELECT ?where { ?who relation:employer ?where }");
    dir.run(&["query", "mine.rq", "who=Bo Lind"]).ok().says(&["Globex"]);
    dir.run(&["query", "values", "who=Bo Lint", "relation=employer"]).exits(3).complains(&["Bo Lint", "did you mean 'Bo Lind'"]);
    dir.run(&["query", "values", "who=Bo Lind"]).exits(2).complains(&["needs \"relation\", a relation", "query values --show"]);
    dir.run(&["query", "values", "who=Bo Lind", "relation=employer", "at=soon"]).exits(2).complains(&["\"soon\" is not a time"]);
    dir.run(&["query", "values", "whom=Bo Lind"]).exits(2).complains(&["no parameter \"whom\"", "its parameters are who, relation, at"]);
    dir.run(&["query", "nobody"]).exits(3).complains(&["no query is called \"nobody\"", "query --list"]);
    dir.run(&["query"]).exits(2);
}
