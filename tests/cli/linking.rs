//! RDF in and out of the command line: `export --rdf`, `import` of every format, `update`.

use crate::harness::Dir;

const CLAIMS: &str = r#"{"observation":"acme","observed_at":"2020-01-20","source":"user","head":"Ida Renn","relation":"employer","tail":"Acme","from":"2020-01"}
{"observation":"globex","observed_at":"2023-06-05","source":"user","head":"Ida Renn","relation":"employer","tail":"Globex","from":"2023-06-01"}
{"observation":"bo","observed_at":"2022-01-01","source":"user","head":"Bo Lind","relation":"employer","tail":"Globex","from":"2018"}
"#;

/// The formats with the ends of their files' names.
const FORMATS: [(&str, &str); 6] =
    [("turtle", "ttl"), ("ntriples", "nt"), ("nquads", "nq"), ("trig", "trig"), ("jsonld", "jsonld"), ("rdfxml", "rdf")];

const WHERE: &str = "SELECT ?where { entity:ida%20renn relation:employer ?where }";

#[test]
fn facts_of_a_position_are_exported_in_every_format_and_come_back() {
    let dir = Dir::with(CLAIMS);
    for (format, end) in FORMATS {
        let file = format!("facts.{end}");
        dir.run(&["export", "--rdf", "--at", "2021", &file]).exits(0);
        let text = dir.read(&file);
        assert!(text.contains("entity:acme") && text.contains("certainty") && !text.contains("2023-06"), "{format}: {text}");
        let printed = dir.run(&["export", "--rdf", "--at", "2021", "--format", format]).ok();
        assert_eq!(printed.out, text, "{format} by its name and by its file's are the same bytes");
        let tenant = format!("from-{end}");
        dir.run(&["--tenant", &tenant, "import", &file]).exits(0);
        dir.run(&["--tenant", &tenant, "sparql", WHERE, "--at", "2021"]).ok().says(&["Acme", "1 row"]);
        dir.run(&["--tenant", &tenant, "sparql", WHERE, "--at", "2019"]).ok().says(&["0 rows"]);
    }
    let turtle = dir.run(&["export", "--rdf", "--at", "2021"]).ok();
    assert_eq!(turtle.out, dir.read("facts.ttl"), "Turtle, where nothing is said");
}

#[test]
fn a_history_is_exported_in_every_format_and_answers_the_same_in_both_times() {
    let dir = Dir::with(CLAIMS);
    let lines = dir.run(&["export"]).ok().out;
    for (format, end) in FORMATS {
        let file = format!("history.{end}");
        dir.run(&["export", "--rdf", "--history", &file]).exits(0);
        let tenant = format!("from-{end}");
        dir.run(&["--tenant", &tenant, "import", &file]).exits(0);
        let again = dir.run(&["--tenant", &tenant, "export"]).ok().out;
        assert_eq!(again.lines().count(), lines.lines().count(), "{format}");
        let without_tenant = |text: &str| text.replace(&tenant, "default");
        assert_eq!(without_tenant(&again), lines, "{format}: every record with both times");
        dir.run(&["--tenant", &tenant, "import", &file]).exits(2);
    }
    dir.run(&["export", "--rdf", "--history", "--at", "2021"]).exits(2);
    dir.run(&["export", "--history"]).exits(2);
}

#[test]
fn a_context_is_written_where_the_format_has_graphs() {
    let dir = Dir::new();
    dir.file("two.nq", "<http://x/a> <http://x/p> <http://x/b> .\n<http://x/a> <http://x/p> <http://x/c> <http://x/g> .\n");
    dir.run(&["import", "two.nq"]).exits(0);
    for (format, has_graphs) in FORMATS.map(|(format, _)| (format, matches!(format, "nquads" | "trig" | "jsonld"))) {
        let ran = dir.run(&["export", "--rdf", "--format", format]);
        if has_graphs {
            ran.exits(0).says(&["http://x/g"]);
        } else {
            ran.exits(2).complains(&["has no named graphs", "<http://x/g>"]);
            dir.run(&["export", "--rdf", "--format", format, "--context", "http://x/g"]).ok().says(&["http://x/c"]);
        }
    }
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_line() {
    let dir = Dir::new();
    let good = |end: &str| {
        match end {
        "jsonld" => "{\n\"@id\": \"http://x/a\",\n\"http://x/p\": {\"@id\": \"http://x/b\"}\n}".to_owned(),
        "rdf" => "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:x=\"http://x/\">\n<rdf:Description rdf:about=\"http://x/a\">\n<x:p rdf:resource=\"http://x/b\"/>\n</rdf:Description>\n</rdf:RDF>".to_owned(),
        _ => "<http://x/a> <http://x/p> <http://x/b> .\n".to_owned(),
    }
    };
    for (format, end) in FORMATS {
        let tenant = format!("good-{end}");
        dir.file(&format!("good.{end}"), good(end));
        dir.run(&["--tenant", &tenant, "import", &format!("good.{end}")]).exits(0);
        dir.run(&["--tenant", &tenant, "sparql", "ASK { <http://x/a> <http://x/p> <http://x/b> }"]).ok().says(&["yes"]);
        dir.run_with(good(end), &["--tenant", &format!("input-{end}"), "import", "-", "--format", format]).exits(0);
        let broken = match end {
            "rdf" => good(end).replace("/>", ">"),
            "jsonld" => good(end).replace("},", "").replace("}\n}", ""),
            _ => format!("{}<http://x/a> <http://x/p>\n", good(end)),
        };
        dir.file(&format!("broken.{end}"), broken);
        let ran = dir.run(&["--tenant", &format!("broken-{end}"), "import", &format!("broken.{end}")]);
        assert_ne!(ran.code, Some(0), "{format}: {}", ran.out);
        assert!(format!("{}{}", ran.out, ran.err).contains("line "), "{format}: {} {}", ran.out, ran.err);
        assert!(format!("{}{}", ran.out, ran.err).contains(&format!("broken.{end}")), "{format}: {} {}", ran.out, ran.err);
    }
    let lines =
        "<http://x/a> <http://x/p> <http://x/b> .\n<http://x/a> <http://x/p> \"x\"@en--ltr .\n<http://x/c> <http://x/p> <http://x/d> .\n";
    dir.file("one.nt", lines);
    let ran = dir.run(&["--tenant", "one", "import", "one.nt"]);
    ran.exits(1);
    assert!(format!("{}{}", ran.out, ran.err).contains("line 2"), "{} {}", ran.out, ran.err);
    dir.run(&["--tenant", "one", "sparql", "SELECT * { ?s ?p ?o }"]).ok().says(&["2 rows"]);
    dir.run(&["--tenant", "one-more", "import", "one.nt", "--keep-going"]).exits(0);
}

#[test]
fn annotated_and_plain_triples_are_read_into_intervals() {
    let dir = Dir::new();
    let text = "PREFIX erst: <erst:>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n<entity:ida> <relation:employer> <entity:acme> {| erst:validFrom '2020'^^xsd:gYear ; erst:validTo '2022'^^xsd:gYear |} .\n<entity:ida> <relation:likes> <entity:tea> .\n";
    dir.file("told.ttl", text);
    dir.run(&["import", "told.ttl", "--observed-at", "2024-03-01"]).exits(0);
    let both = "SELECT ?p ?o { entity:ida ?p ?o } ORDER BY ?p";
    dir.run(&["sparql", both, "--at", "2021"]).ok().says(&["Acme", "tea", "2 rows"].map(str::to_lowercase).each_ref().map(String::as_str));
    dir.run(&["sparql", both, "--at", "1950"]).ok().says(&["tea", "1 row"]);
    dir.run(&["--tenant", "by", "import", "told.ttl", "--observed-at", "2024-03-01", "--plain", "by"]).exits(0);
    dir.run(&["--tenant", "by", "sparql", both, "--at", "1950", "--certain"]).ok().says(&["0 rows"]);
    dir.run(&["--tenant", "by", "sparql", both, "--at", "2025", "--certain"]).ok().says(&["tea", "1 row"]);
    dir.run(&["import", "told.ttl", "--plain", "never"]).exits(2);
}

#[test]
fn an_update_changes_what_holds_and_keeps_what_was() {
    let dir = Dir::with(CLAIMS);
    let moved = "DELETE { ?who relation:employer entity:globex } INSERT { ?who relation:employer entity:initech } WHERE { ?who relation:employer entity:globex }";
    let receipt = dir.json(&["update", moved, "--at", "2024-02-01", "--because", "they were bought"]);
    assert_eq!((&receipt["asserted"], &receipt["ended"]), (&2.into(), &2.into()), "{receipt}");
    dir.run(&["sparql", WHERE, "--at", "2024-03"]).ok().says(&["initech", "1 row"]);
    dir.run(&["sparql", WHERE, "--at", "2023-12", "--certain"]).ok().says(&["Globex", "1 row"]);
    dir.file("more.ru", "INSERT DATA { entity:una relation:likes entity:rye }");
    dir.run(&["update", "more.ru", "--valid", "2010/2012", "--source", "document:notes"]).exits(0);
    dir.run(&["sparql", "ASK { entity:una relation:likes entity:rye }", "--at", "2011"]).ok().says(&["yes"]);
    dir.run(&["sparql", "ASK { entity:una relation:likes entity:rye }", "--at", "2014"]).ok().says(&["no"]);
    dir.run_with("INSERT DATA { entity:una relation:likes entity:oats }", &["update", "-"]).exits(0);
    for (text, says) in [
        ("CLEAR ALL", "CLEAR cannot be done here"),
        ("COPY DEFAULT TO <http://g/>", "COPY cannot be done here"),
        ("INSERT DATA { entity:a", "line 1, column "),
        ("INSERT DATA { entity:a erst:validFrom '2020' }", "derived"),
        ("INSERT DATA { entity:a relation:likes entity:b } ; DELETE WHERE { entity:a ?p ?o }", "send it as a request of its own"),
    ] {
        dir.run(&["update", text]).exits(2).complains(&[says]);
    }
    dir.run(&["update", "INSERT DATA { entity:a relation:b 1 }", "--valid", "soon"]).exits(2).complains(&["soon"]);
    dir.run(&["update", "missing.ru"]).exits(3).complains(&["missing.ru"]);
}
