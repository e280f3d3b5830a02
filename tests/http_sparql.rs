//! SPARQL over HTTP on the loopback: the protocol, its limits, and clients that misbehave.

#![cfg(test)]

mod memory_support;

use erstwhile::memory::UpdateRequest;
use erstwhile::surface::http::{Limits, ServeError, ServeOptions, Server, Stopper};
use memory_support::{Place, place, timeline, valid};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const JSON: &str = "application/sparql-results+json";
const FORM: &str = "application/x-www-form-urlencoded";

/// A server over a memory of its own, which ends with it.
struct Served {
    place: Place,
    address: SocketAddr,
    stopper: Stopper,
    running: Option<JoinHandle<Result<(), ServeError>>>,
}

/// What came back.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
    /// Whether the body came to its end.
    whole: bool,
}

impl Served {
    fn with(change: impl FnOnce(&mut ServeOptions)) -> Self {
        let place = place();
        let text = "INSERT DATA {
            entity:ana relation:employer entity:acme {| erst:validFrom '2020'^^xsd:gYear ; erst:validTo '2023'^^xsd:gYear |} .
            entity:ana relation:employer entity:globex {| erst:validFrom '2023'^^xsd:gYear |} .
            entity:bo relation:likes 'thé'@fr {| erst:validFrom '2020'^^xsd:gYear |} .
            GRAPH <http://g/> { entity:bo relation:likes 'tea' {| erst:validFrom '2020'^^xsd:gYear |} }
        }";
        place.tenant.update(text, &UpdateRequest::at(valid("2026-01-01T00:00:00Z"))).unwrap();
        let mut options = ServeOptions { address: SocketAddr::from(([127, 0, 0, 1], 0)), ..ServeOptions::default() };
        change(&mut options);
        let server = Server::bind(place.memory.clone(), options).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        Self { place, address, stopper, running: Some(thread::spawn(move || server.run())) }
    }

    fn new() -> Self {
        Self::with(|_| ())
    }

    /// Limits that a flood meets soon.
    fn narrow() -> Self {
        Self::with(|options| options.limits = Limits { timeout: Duration::from_secs(1), at_once: 2, ..Limits::default() })
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = self.connect();
        stream.write_all(self.head(method, path, headers, body.len()).as_bytes()).unwrap();
        // Who is refused early may find the door closed before everything is said.
        stream.write_all(body.as_bytes()).ok();
        read(&mut stream)
    }

    fn head(&self, method: &str, path: &str, headers: &[(&str, &str)], length: usize) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {length}\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            write!(head, "host: {}\r\n", self.address).unwrap();
        }
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        head + "\r\n"
    }

    fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "")
    }

    /// Asks a query of the tenant `default` by GET, with more fields.
    fn ask(&self, query: &str, fields: &[(&str, &str)], accept: &str) -> Reply {
        let mut path = format!("/default/sparql?query={}", encoded(query));
        for (name, value) in fields {
            write!(path, "&{name}={}", encoded(value)).unwrap();
        }
        self.send("GET", &path, &[("accept", accept)], "")
    }

    /// The lines of an answer in CSV.
    fn csv(&self, query: &str, fields: &[(&str, &str)]) -> Vec<String> {
        let reply = self.ask(query, fields, "text/csv");
        assert_eq!(reply.status, 200, "{query}: {}", reply.body);
        reply.body.lines().skip(1).map(str::to_owned).collect()
    }

    /// Posts a form to an endpoint of the tenant `default`.
    fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let form: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        self.send("POST", path, &[("content-type", FORM)], &form.join("&"))
    }

    fn answers(&self) {
        assert_eq!(self.csv("SELECT ?o { entity:bo relation:likes ?o }", &[]), ["thé"], "the server answers the next query");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stopper.stop();
        let ended = self.running.take().map(JoinHandle::join);
        if !thread::panicking() {
            assert!(matches!(ended, Some(Ok(Ok(())))), "the server ends when it is told to: {ended:?}");
        }
    }
}

/// Percent-encodes everything that is not a letter or a digit.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() { out.push(char::from(byte)) } else { write!(out, "%{byte:02X}").unwrap() }
    }
    out
}

fn read(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    let mut whole = stream.read_to_end(&mut bytes).is_ok();
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        // What is broken off at once may not even have begun to be sent.
        return Reply { status: 0, headers: BTreeMap::new(), body: String::new(), whole: false };
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: BTreeMap<String, String> =
        lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let mut rest = &bytes[end + 4..];
    let mut body = rest.to_vec();
    if headers.get("transfer-encoding").is_some_and(|how| how == "chunked") {
        body.clear();
        whole = false;
        while let Some(line) = rest.windows(2).position(|two| two == b"\r\n") {
            let length = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
            if length == 0 {
                whole = true;
                break;
            }
            let chunk = &rest[line + 2..];
            body.extend(&chunk[..length.min(chunk.len())]);
            rest = chunk.get(length + 2..).unwrap_or_default();
        }
    }
    Reply { status, headers, body: String::from_utf8_lossy(&body).into_owned(), whole }
}

#[expect(clippy::disallowed_methods, reason = "how long an answer takes is what these tests are about")]
fn now() -> Instant {
    Instant::now()
}

const EMPLOYER: &str = "SELECT ?o { entity:ana relation:employer ?o }";

#[test]
fn a_query_is_asked_in_three_ways() {
    let served = Served::new();
    let by_get = served.ask(EMPLOYER, &[], "*/*");
    let by_form = served.post("/default/sparql", &[("query", EMPLOYER)]);
    let as_text = served.send("POST", "/default/sparql", &[("content-type", "application/sparql-query; charset=utf-8")], EMPLOYER);
    for reply in [&by_get, &by_form, &as_text] {
        assert_eq!((reply.status, reply.headers["content-type"].as_str(), reply.whole), (200, JSON, true), "{reply:?}");
        assert!(reply.body.contains("entity:globex") && !reply.body.contains("acme"), "{}", reply.body);
    }
    assert_eq!((&by_form.body, &as_text.body), (&by_get.body, &by_get.body));
    let head = served.send("HEAD", &format!("/default/sparql?query={}", encoded(EMPLOYER)), &[], "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[test]
fn a_request_says_where_it_reads_and_the_text_comes_first() {
    let served = Served::new();
    assert_eq!(served.csv(EMPLOYER, &[("at", "2021")]), ["entity:acme"]);
    assert_eq!(served.csv(EMPLOYER, &[("at", "now"), ("known-at", "now")]), ["entity:globex"]);
    assert_eq!(served.csv(EMPLOYER, &[("known-at", "2025")]), [""; 0], "nothing was known then");
    assert_eq!(served.csv(EMPLOYER, &[("default-graph-uri", "asof:2021"), ("at", "2024")]), ["entity:acme"]);
    let from = "SELECT ?o FROM <asof:2024> { entity:ana relation:employer ?o }";
    assert_eq!(served.csv(from, &[("at", "2021")]), ["entity:globex"]);
    assert_eq!(
        served.csv(from, &[("default-graph-uri", "asof:2021")]),
        ["entity:acme"],
        "the protocol's graphs come before those of the text"
    );
    let ordered = "SELECT ?o { entity:ana relation:employer ?o } ORDER BY ?o";
    let both = [("default-graph-uri", "asof:2021"), ("default-graph-uri", "asof:2024")];
    assert_eq!(served.csv(ordered, &both), ["entity:acme", "entity:globex"]);
    assert_eq!(served.csv("SELECT ?o { entity:bo ?p ?o }", &[("default-graph-uri", "http://g/")]), ["tea"]);
    assert_eq!(served.csv("SELECT ?o { GRAPH ?g { entity:bo ?p ?o } }", &[("named-graph-uri", "http://g/")]), ["tea"]);
    assert_eq!(served.csv(ordered, &[("at", "2023")]), ["entity:acme", "entity:globex"], "somewhere in that year one followed the other");
    assert_eq!(served.csv(ordered, &[("at", "2023"), ("certain", "true")]), [""; 0]);
}

#[test]
fn what_a_request_says_wrong_is_named() {
    let served = Served::new();
    for (fields, named) in [
        (("at", "yesterday"), "at \"yesterday\""),
        (("known-at", "2021-13"), "known-at \"2021-13\""),
        (("certain", "maybe"), "certain \"maybe\""),
        (("default-graph-uri", "asof:never"), "asof:never"),
        (("default-graph-uri", "http://nowhere/"), "default-graph-uri \"http://nowhere/\""),
        (("named-graph-uri", "no iri"), "named-graph-uri \"no iri\""),
        (("query", "ASK {}"), "`query`"),
        (("update", "INSERT DATA {}"), "more than one"),
    ] {
        let reply = served.ask(EMPLOYER, &[fields], "*/*");
        assert_eq!(reply.status, 400, "{fields:?}: {}", reply.body);
        assert!(reply.body.contains(named) && reply.headers["content-type"].starts_with("text/plain"), "{fields:?}: {}", reply.body);
    }
    let syntax = served.ask("SELECT *\n{ ?s ?p }", &[], "*/*");
    assert_eq!(syntax.status, 400);
    assert!(syntax.body.starts_with("line 2, column "), "{}", syntax.body);
    let function = served.ask("SELECT (<urn:f>(1) AS ?x) {}", &[], "*/*");
    assert!(function.status == 400 && function.body.contains("urn:f"), "{function:?}");
    let service = served.ask("SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }", &[], "*/*");
    assert!(service.status == 400 && service.body.contains("http://example.org/"), "nothing outside is reached: {service:?}");
    assert_eq!(served.get("/default/sparql?query=%zz").status, 400);
}

#[test]
fn what_is_not_there_is_told_by_name() {
    let served = Served::new();
    for path in ["/nobody/sparql", "/nobody/sparql?query=ASK%20%7B%7D", "/nobody/void", "/%2e%2e/sparql?query=broken"] {
        let reply = served.get(path);
        assert_eq!(reply.status, 404, "{path}: {}", reply.body);
        assert!(reply.body.starts_with("there is no tenant \""), "{path}: {}", reply.body);
    }
    assert_eq!(served.place.memory.tenants().unwrap().len(), 1, "asking makes no tenant");
    assert_eq!(served.get("/sparql").status, 404);
    let put = served.send("PUT", "/default/sparql", &[], "");
    assert_eq!((put.status, put.headers["allow"].as_str()), (405, "GET, HEAD, POST"));
    assert_eq!(served.send("POST", "/default/sparql", &[("content-type", "text/plain")], "ASK {}").status, 415);
    assert_eq!(served.post("/default/sparql", &[("nothing", "")]).status, 400);
}

#[test]
fn an_answer_comes_in_the_format_that_is_accepted() {
    let served = Served::new();
    let construct = "CONSTRUCT { ?s ?p ?o } WHERE { entity:ana relation:employer ?o . ?s ?p ?o }";
    for (query, accept, media, piece) in [
        (EMPLOYER, "application/sparql-results+xml", "application/sparql-results+xml", "<uri>entity:globex</uri>"),
        (EMPLOYER, "text/csv;q=0.2, text/tab-separated-values", "text/tab-separated-values", "<entity:globex>"),
        (EMPLOYER, "application/json", JSON, "\"entity:globex\""),
        ("ASK { entity:ana ?p ?o }", "text/*;q=0.1, application/sparql-results+json", JSON, "true"),
        (construct, "*/*", "text/turtle", "entity:globex"),
        (construct, "application/n-triples", "application/n-triples", "<entity:ana> <relation:employer> <entity:globex> ."),
        (construct, "application/rdf+xml", "application/rdf+xml", "rdf:Description"),
        (construct, "application/ld+json", "application/ld+json", "entity:globex"),
        ("DESCRIBE entity:ana", "application/trig", "application/trig", "entity:globex"),
        ("DESCRIBE entity:ana", "application/n-quads", "application/n-quads", "<entity:globex> ."),
    ] {
        let reply = served.ask(query, &[], accept);
        assert_eq!((reply.status, reply.headers["content-type"].as_str()), (200, media), "{query}: {}", reply.body);
        assert!(reply.body.contains(piece), "{accept}: {}", reply.body);
    }
    let refused = served.ask(EMPLOYER, &[], "image/png, text/turtle");
    assert_eq!(refused.status, 406);
    for media in [JSON, "application/sparql-results+xml", "text/csv", "text/tab-separated-values"] {
        assert!(refused.body.contains(media), "{}", refused.body);
    }
}

#[test]
fn updates_are_taken_where_they_are_allowed() {
    let insert = "INSERT DATA { entity:cy relation:employer entity:acme }";
    let closed = Served::new();
    let refused = closed.post("/default/sparql", &[("update", insert)]);
    assert!(refused.status == 403 && refused.body.contains("--update"), "{refused:?}");

    let served = Served::with(|options| options.update = true);
    let receipt = served.post("/default/sparql", &[("update", insert), ("valid", "2019/2022"), ("because", "she said so")]);
    assert_eq!((receipt.status, receipt.headers["content-type"].as_str()), (200, "application/json"), "{}", receipt.body);
    let told: serde_json::Value = serde_json::from_str(&receipt.body).unwrap();
    assert_eq!(
        (&told["command"], &told["tenant"], &told["asserted"], &told["ended"]),
        (&"update".into(), &"default".into(), &1.into(), &0.into())
    );
    assert_eq!(timeline(&served.place.tenant, "Cy", "employer"), ["acme [2019, 2022)"]);
    let delete = "DELETE WHERE { entity:ana relation:employer ?o }";
    let ended = served.send("POST", "/default/update?at=2025-05", &[("content-type", "application/sparql-update")], delete);
    assert!(ended.status == 200 && ended.body.contains("\"ended\":1"), "{ended:?}");
    assert_eq!(served.csv(EMPLOYER, &[]), [""; 0]);
    assert_eq!(served.csv(EMPLOYER, &[("at", "2024")]), ["entity:globex"], "what was is not lost");

    for (fields, status, named) in [
        (vec![("update", insert), ("using-graph-uri", "http://g/")], 400, "using-graph-uri"),
        (vec![("update", insert), ("valid", "soon")], 400, "valid \"soon\""),
        (vec![("update", "CLEAR ALL")], 400, "CLEAR"),
        (vec![("update", "INSERT DATA {")], 400, "line 1"),
        (vec![("query", "ASK {}")], 405, "POST"),
    ] {
        let reply = served.post("/default/update", &fields);
        assert!(reply.status == status && reply.body.contains(named), "{fields:?}: {reply:?}");
    }
    assert_eq!(served.get(&format!("/default/update?update={}", encoded(insert))).status, 405, "a link changes nothing");
    assert_eq!(served.post("/nobody/update", &[("update", insert)]).status, 404);
}

#[test]
fn a_service_says_what_it_can_do_and_how_much_there_is() {
    let served = Served::new();
    let about = served.get("/default/sparql");
    assert_eq!((about.status, about.headers["content-type"].as_str()), (200, "text/turtle"));
    let endpoint = format!("<http://{}/default/sparql>", served.address);
    for piece in [endpoint.as_str(), "sd:SPARQL11Query", "formats:SPARQL_Results_JSON", "<http://g/>"] {
        assert!(about.body.contains(piece), "{piece}: {}", about.body);
    }
    assert!(!about.body.contains("SPARQL11Update"), "updates are not taken: {}", about.body);
    assert!(Served::with(|options| options.update = true).get("/default/sparql").body.contains("SPARQL11Update"));
    assert_eq!(served.send("GET", "/default/sparql", &[("accept", "text/csv")], "").status, 406);

    let counts = |path: &str| {
        let reply = served.send("GET", path, &[("accept", "application/n-triples")], "");
        let told = |name: &str| {
            let line = reply.body.lines().find(|line| line.starts_with("_:dataset ") && line.contains(&format!("void#{name}>")));
            line.and_then(|line| line.split('"').nth(1)).unwrap_or_default().to_owned()
        };
        ["triples", "properties", "distinctSubjects", "distinctObjects"].map(told)
    };
    assert_eq!(counts("/default/void"), ["2", "2", "2", "2"]);
    assert_eq!(counts("/default/void?at=2019"), ["0", "0", "0", "0"]);

    let root = served.get("/");
    assert!(root.status == 200 && root.body.contains("/TENANT/sparql") && !root.body.contains("default"), "{root:?}");
    assert_eq!(served.get("/healthz").body, "ok\n");
}

#[test]
fn only_this_machine_is_listened_to_unless_it_is_allowed() {
    let place = place();
    let everywhere = ServeOptions { address: SocketAddr::from(([0, 0, 0, 0], 0)), ..ServeOptions::default() };
    let error = Server::bind(place.memory.clone(), everywhere).unwrap_err();
    assert!(matches!(error, ServeError::Remote(_)), "{error}");
    let server = Server::bind(place.memory.clone(), ServeOptions { allow_remote: true, ..everywhere }).unwrap();
    assert_ne!(server.address().port(), 0);

    let served = Served::new();
    let path = format!("/default/sparql?query={}", encoded(EMPLOYER));
    let rebound = served.send("GET", &path, &[("host", "example.org")], "");
    assert_eq!(rebound.status, 421, "a page may have brought its name to this address: {rebound:?}");
    let page = served.send("GET", &path, &[("origin", "http://example.org")], "");
    assert_eq!(page.status, 403, "{page:?}");
    let own = format!("http://{}", served.address);
    assert_eq!(served.send("GET", &path, &[("origin", &own)], "").status, 200);
}

/// A query that makes a hundred million rows out of tables and facts.
fn flood(what: &str) -> String {
    let tables: Vec<String> = (0..8).map(|n| format!("VALUES ?v{n} {{ 1 2 3 4 5 6 7 8 }}")).collect();
    let facts: Vec<String> = (0..24).map(|n| format!("?s{n} ?p{n} ?o{n} .")).collect();
    format!("SELECT {what} {{ {} {} }}", facts.join(" "), tables[..2].join(" "))
}

#[test]
fn a_flood_is_stopped_and_the_server_goes_on() {
    let served = Served::narrow();
    let began = now();
    let counted = served.ask(&flood("(COUNT(*) AS ?n)"), &[], "*/*");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert!(matches!(counted.status, 422 | 503), "{counted:?}");
    served.answers();
    let began = now();
    let rows = served.ask(&flood("*"), &[], "text/csv");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert!(rows.status != 200 || !rows.whole, "a part is not the whole");
    served.answers();
    // Many at once: each is answered or told to come later, and none is forgotten.
    let began = now();
    let statuses: Vec<u16> = thread::scope(|scope| {
        let asking: Vec<_> = (0..12).map(|_| scope.spawn(|| served.ask(&flood("(COUNT(*) AS ?n)"), &[], "*/*").status)).collect();
        asking.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(statuses.iter().all(|status| matches!(status, 422 | 503)), "{statuses:?}");
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
    served.answers();
}

#[test]
fn what_never_looks_up_is_left_behind() {
    let served = Served::with(|options| {
        options.limits = Limits { timeout: Duration::from_secs(1), at_once: 1, read: 50_000_000, ..Limits::default() };
    });
    // Tables alone: nothing is read in between, and the evaluator does not see that it was told to stop.
    let tables: Vec<String> = (0..7).map(|n| format!("VALUES ?v{n} {{ 1 2 3 4 5 6 7 8 9 10 }}")).collect();
    let sum: Vec<String> = (0..7).map(|n| format!("?v{n}")).collect();
    let query = format!("SELECT (COUNT(*) AS ?n) {{ {} FILTER({} < 0) }}", tables.join(" "), sum.join(" + "));
    let began = now();
    let reply = served.ask(&query, &[], "*/*");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert!(reply.status == 503 && reply.body.contains("within 1s") && reply.headers.contains_key("retry-after"), "{reply:?}");
    served.answers();
}

#[test]
fn a_client_that_leaves_makes_room() {
    let served = Served::with(|options| {
        options.limits = Limits { timeout: Duration::from_mins(1), at_once: 1, read: u64::MAX, rows: u64::MAX, ..Limits::default() };
    });
    for what in ["(COUNT(*) AS ?n)", "*"] {
        let mut stream = served.connect();
        let path = format!("/default/sparql?query={}", encoded(&flood(what)));
        stream.write_all(served.head("GET", &path, &[], 0).as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(300));
        let busy = served.ask(EMPLOYER, &[], "*/*");
        assert_eq!(busy.status, 503, "the one place is taken: {busy:?}");
        drop(stream);
        let began = now();
        while served.ask(EMPLOYER, &[], "*/*").status != 200 {
            assert!(began.elapsed() < Duration::from_secs(5), "the query of a client that has left goes on");
        }
    }
}

#[test]
fn texts_that_are_too_long_or_too_deep_are_refused() {
    let served = Served::narrow();
    let deep = format!("SELECT * {{ {} ?s ?p ?o {} }}", "{".repeat(20_000), "}".repeat(20_000));
    let reply = served.post("/default/sparql", &[("query", &deep)]);
    assert!(reply.status == 422 && reply.body.contains("deep"), "{reply:?}");
    let parts = format!("ASK {{ FILTER(1{}) }}", "+1".repeat(10_000));
    assert_eq!(served.post("/default/sparql", &[("query", &parts)]).status, 422);
    let values = format!("SELECT * {{ VALUES ?x {{ {} }} }}", "1 ".repeat(200_000));
    assert_eq!(served.send("POST", "/default/sparql", &[("content-type", "application/sparql-query")], &values).status, 413);
    assert_eq!(served.post("/default/sparql", &[("query", &values)]).status, 413, "a form is no way round it");
    let huge = served.send("POST", "/default/sparql", &[("content-type", FORM)], &"x".repeat(2 << 20));
    assert_eq!(huge.status, 413);
    let most = format!("SELECT (COUNT(*) AS ?n) {{ VALUES ?x {{ {} }} }}", "1 ".repeat(100_000));
    let reply = served.post("/default/sparql", &[("query", &most)]);
    assert!(reply.status == 200 && reply.body.contains("\"100000\""), "{reply:?}");
    let tables = "VALUES ?x { 1 2 3 4 5 6 7 8 9 }".repeat(40);
    let combined: String = (0..40).map(|n| tables[..31].replace("?x", &format!("?x{n}"))).collect();
    assert_eq!(served.ask(&format!("SELECT * {{ {combined} }}"), &[], "*/*").status, 422);
    served.answers();
}

#[test]
fn an_answer_that_is_too_long_is_broken_off() {
    let many = "SELECT ?a ?b { VALUES ?a { 1 2 3 4 5 6 7 8 9 10 } VALUES ?b { 1 2 3 4 5 6 7 8 9 10 } }";
    let few_rows = Served::with(|options| options.limits.rows = 3);
    let reply = few_rows.ask(many, &[], "text/csv");
    assert!(reply.status == 422 && reply.body.contains("more than 3 rows"), "nothing was sent yet: {reply:?}");
    let few_bytes = Served::with(|options| options.limits.bytes = 2_000);
    let reply = few_bytes.ask(many, &[], JSON);
    assert!(matches!(reply.status, 0 | 200) && !reply.whole, "what was sent is not taken for the whole: {reply:?}");
    few_bytes.answers();
}
