//! SPARQL Update as claims: what is inserted is asserted, what is deleted ends, and nothing that was believed is lost.

#![cfg(test)]

mod memory_support;

use erstwhile::memory::{Error, Tenant, UpdateRequest, Updated};
use erstwhile::sparql::{Answer, Query, QueryOptions, RdfView, SparqlError};
use erstwhile::time::{AsOf, Span};
use memory_support::{Place, as_known, instant, place, timeline, valid};

fn request(at: &str) -> UpdateRequest {
    UpdateRequest::at(AsOf { ..valid(at) })
}

fn update(tenant: &Tenant, at: &str, text: &str) -> Updated {
    tenant.update(text, &request(at)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The rows of a query, sorted.
fn ask(tenant: &Tenant, as_of: AsOf, query: &str) -> Vec<String> {
    let rdf = RdfView::new(tenant.at(as_of).unwrap());
    let Answer::Solutions(rows) = Query::parse(query).unwrap().run(&rdf, &QueryOptions::default()).unwrap() else { panic!("{query}") };
    let mut told: Vec<String> =
        rows.map(|row| row.unwrap().iter().map(|(_, term)| term.to_string()).collect::<Vec<_>>().join(" ")).collect();
    told.sort();
    told
}

const ALL: &str = "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }";

fn set_out() -> Place {
    let place = place();
    update(
        &place.tenant,
        "2026-01-01T00:00:00Z",
        "INSERT DATA {
            entity:ana relation:employer entity:acme {| erst:validFrom '2020'^^xsd:gYear |} .
            entity:bo relation:lives_in entity:oslo .
            entity:bo relation:age 41 .
            GRAPH <http://g/> { entity:bo relation:likes 'thé'@fr }
        }",
    );
    place
}

#[test]
fn what_is_inserted_holds_from_its_annotation_or_the_parameter_or_by_now() {
    let place = set_out();
    let tenant = &place.tenant;
    assert_eq!(timeline(tenant, "Ana", "employer"), ["acme [2020, open)"]);
    assert_eq!(timeline(tenant, "Bo", "lives_in"), ["oslo [by 2025, open)"], "by the end of the year before is by now");
    let valid_from = UpdateRequest { valid: Some("2010/2012".parse::<Span>().unwrap()), ..request("2026-01-01T00:00:00Z") };
    tenant.update("INSERT DATA { entity:ana relation:lives_in entity:lund }", &valid_from).unwrap();
    assert_eq!(timeline(tenant, "Ana", "lives_in"), ["lund [2010, 2012)"]);
    let now = valid("2026-02");
    assert_eq!(ask(tenant, now, "SELECT ?o { entity:bo relation:age ?o }"), ["\"41\"^^<http://www.w3.org/2001/XMLSchema#integer>"]);
    assert_eq!(ask(tenant, now, "SELECT ?g ?o { GRAPH ?g { entity:bo relation:likes ?o } }"), ["<http://g/> \"thé\"@fr"]);
}

#[test]
fn what_is_deleted_ends_then_and_every_earlier_position_answers_as_before() {
    let place = set_out();
    let tenant = &place.tenant;
    let positions = || {
        let mut answers = Vec::new();
        for known in ["2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z"] {
            for at in ["2019-06-01", "2021-06-01", "2026-01-01T06:00:00Z", "2026-01-05"] {
                answers.push(ask(tenant, as_known(at, known), ALL));
            }
        }
        answers
    };
    let before = positions();
    assert!(before[2].len() == 4 && before[0].len() < 4, "{before:?}");
    place.clock.set(instant("2026-01-03T00:00:00Z"));
    let done = update(
        tenant,
        "2026-01-03T00:00:00Z",
        "DELETE DATA { entity:ana relation:employer entity:acme . entity:ana relation:likes entity:tea }",
    );
    assert_eq!((done.asserted, done.ended, done.absent), (0, 1, 1));
    let done = update(
        tenant,
        "2026-01-03T00:00:00Z",
        "DELETE { ?who ?how entity:oslo } INSERT { ?who ?how entity:turin . GRAPH <http://g/> { ?who ?how entity:turin } } WHERE { ?who ?how entity:oslo }",
    );
    assert_eq!((done.asserted, done.ended, done.receipt.observations), (2, 1, 1), "one transaction");
    update(tenant, "2026-01-03T00:00:00Z", "DELETE DATA { GRAPH <http://g/> { entity:bo relation:likes 'thé'@fr } }");
    assert_eq!(positions(), before, "history is as it was");
    assert_eq!(timeline(tenant, "Ana", "employer"), ["acme [2020, 2026-01-03T00:00:00Z)"]);
    let now = valid("2026-01-04");
    assert_eq!(ask(tenant, now, "SELECT ?o { entity:bo relation:lives_in ?o }"), ["<entity:turin>"]);
    assert_eq!(ask(tenant, now, "SELECT ?o { GRAPH <http://g/> { ?s ?p ?o } }"), ["<entity:turin>"]);
    let the_day_before = RdfView::new(tenant.at(valid("2026-01-02")).unwrap()).certain_only(true);
    let still = "ASK { entity:bo relation:lives_in entity:oslo FILTER NOT EXISTS { entity:bo relation:lives_in entity:turin } }";
    let answer = Query::parse(still).unwrap().run(&the_day_before, &QueryOptions::default()).unwrap();
    assert!(matches!(answer, Answer::Boolean(true)), "at an earlier valid time it surely holds, and what came after does not");
}

#[test]
fn an_update_is_one_observation_with_its_text_and_reason() {
    let place = set_out();
    let reason = UpdateRequest { because: Some("she\nsaid so".to_owned()), ..request("2026-01-02T00:00:00Z") };
    let text = "INSERT DATA { entity:uma relation:likes entity:rye } ; DELETE DATA { entity:uma relation:likes entity:rye } ; \
                INSERT DATA { entity:uma relation:likes entity:oats , _:some . _:some relation:is entity:oats }";
    let done = place.tenant.update(text, &reason).unwrap();
    assert_eq!((done.asserted, done.ended), (3, 0), "what one operation inserts and a later one deletes is neither");
    let stored = place.tenant.observation(done.receipt.ids[0]).unwrap();
    assert_eq!(stored.observation.text.as_deref(), Some(format!("# she said so\n{text}").as_str()));
    assert_eq!(stored.claims.len(), 3);
    let again = place.tenant.update(text, &reason).unwrap();
    assert_eq!((again.receipt.duplicates, again.asserted), (1, 3), "said again at the same instant it is the same, blank nodes and all");
}

#[test]
fn what_would_lose_history_or_is_derived_is_refused_and_nothing_is_recorded() {
    let place = set_out();
    let before = place.tenant.stats().unwrap().observations;
    for (text, says) in [
        ("CLEAR ALL", "CLEAR"),
        ("DROP GRAPH <http://g/>", "DROP"),
        ("CREATE GRAPH <http://h/>", "CREATE"),
        ("LOAD <http://x/>", "LOAD"),
        ("COPY DEFAULT TO <http://h/>", "COPY"),
        ("MOVE <http://g/> TO DEFAULT", "MOVE"),
        ("PREFIX add: <http://add/> ADD <http://g/> TO DEFAULT", "ADD"),
        ("INSERT DATA { GRAPH <asof:2020> { entity:a relation:likes entity:b } }", "nothing can be written"),
        ("INSERT DATA { GRAPH <history:> { entity:a relation:likes entity:b } }", "nothing can be written"),
        ("DELETE DATA { GRAPH <meta:> { entity:a relation:likes entity:b } }", "nothing can be written"),
        ("INSERT DATA { entity:a erst:validFrom 'x' }", "derived"),
        ("INSERT DATA { <fact:0.0> relation:likes entity:b }", "derived"),
        ("DELETE WHERE { ?f erst:confidence ?c }", "derived"),
        ("INSERT DATA { entity:a relation:likes <<( entity:a relation:likes entity:b )>> }", "triple as object"),
        ("INSERT DATA { entity:a relation:likes entity:b } ; DELETE WHERE { entity:a ?p ?o }", "send it as a request of its own"),
        ("INSERT DATA { entity:a relation:likes entity:b", "line 1, column"),
    ] {
        let error = place.tenant.update(text, &request("2026-01-02T00:00:00Z")).unwrap_err();
        assert!(matches!(error, Error::Sparql(_)) && error.to_string().contains(says), "{text}: {error}");
    }
    assert_eq!(place.tenant.stats().unwrap().observations, before);
    let named = update(&place.tenant, "2026-01-02T00:00:00Z", "PREFIX add: <http://add/> INSERT DATA { add:copy add:move 'ADD' }");
    assert_eq!(named.asserted, 1, "a name is no operation");
    let nothing = update(&place.tenant, "2026-01-02T00:00:00Z", "DELETE WHERE { entity:nobody ?p ?o }");
    assert_eq!(nothing, Updated::default());
    let error = place.tenant.update("CLEAR ALL", &request("2026")).unwrap_err();
    assert!(matches!(&error, Error::Sparql(inner) if matches!(**inner, SparqlError::NoOperation("CLEAR"))), "{error}");
}
