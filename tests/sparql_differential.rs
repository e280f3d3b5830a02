//! Random queries over random memories answer as they do over a plain set of triples of the same slice.

#![cfg(test)]

mod sparql_support;

use erstwhile::model::{Literal, Term};
use erstwhile::sparql::{Answer, Query, QueryOptions, RdfView};
use erstwhile::time::{End, Instant, Moment, Span, Start};
use oxrdf::{Dataset, GraphName, Quad};
use proptest::prelude::*;
use spareval::{QueryEvaluator, QueryResults, QueryableDataset};
use spargebra::SparqlParser;
use sparql_support::{Told, at};

const RELATIONS: [&str; 5] = ["http://x/p", "http://x/q", "employer", "married_to", "likes"];

#[derive(Clone, Debug)]
struct Said {
    head: u8,
    relation: usize,
    tail: u8,
    from: i64,
    width: i64,
    until: Option<i64>,
    context: bool,
}

fn said() -> impl Strategy<Value = Said> {
    (0..6_u8, 0..RELATIONS.len(), 0..9_u8, 0..20_i64, 0..4_i64, prop::option::of(1..20_i64), prop::bool::weighted(0.2))
        .prop_map(|(head, relation, tail, from, width, until, context)| Said { head, relation, tail, from, width, until, context })
}

fn term(number: u8) -> Term {
    match number {
        0..=2 => Term::Iri(format!("http://x/{number}")),
        3..=5 => Term::Name(format!("Name {number}")),
        6 => Term::Literal(Literal::text("six")),
        7 => Term::Literal(Literal::in_language("six", "en")),
        _ => Term::Literal(Literal::typed("7", "http://www.w3.org/2001/XMLSchema#integer")),
    }
}

fn told(claims: &[Said]) -> Told {
    let day = |day: i64| Instant::from_date(2020, 1, 1).unwrap().saturating_add(day * 86_400_000_000);
    let mut told = Told::new();
    for claim in claims {
        let start = Start::At(Moment::granule(day(claim.from), day(claim.from + claim.width)).unwrap());
        let end = claim.until.map_or(End::Open, |until| End::At(Moment::exact(day(claim.from + claim.width + until))));
        let span = Span::new(start, end).unwrap();
        told.claim(&term(claim.head), RELATIONS[claim.relation], &term(claim.tail), span, claim.context.then_some("http://g/"));
    }
    told.projection.publish();
    told
}

/// A position of a pattern: a variable or a term.
fn position(terms: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![3 => "[abc]".prop_map(|name| format!("?{name}")), 2 => prop::sample::select(terms).prop_map(str::to_owned)]
}

fn triple() -> impl Strategy<Value = String> {
    let subject = position(&["<http://x/0>", "<http://x/1>", "<entity:name%203>", "<entity:name%204>"]);
    let predicate = position(&[
        "<http://x/p>",
        "<http://x/q>",
        "<relation:employer>",
        "<relation:married_to>",
        "<http://x/p>+",
        "<http://x/p>/<relation:likes>",
        "^<relation:married_to>",
    ]);
    let object = position(&["<http://x/1>", "<http://x/2>", "<entity:name%203>", "\"six\"", "\"six\"@en", "7"]);
    (subject, predicate, object).prop_map(|(s, p, o)| format!("{s} {p} {o} . "))
}

fn query() -> impl Strategy<Value = String> {
    let group = || prop::collection::vec(triple(), 1..4).prop_map(|triples| triples.concat());
    let pattern = prop_oneof![
        4 => group(),
        1 => (group(), group()).prop_map(|(a, b)| format!("{a} OPTIONAL {{ {b} }}")),
        1 => (group(), group()).prop_map(|(a, b)| format!("{{ {a} }} UNION {{ {b} }}")),
        1 => (group(), group()).prop_map(|(a, b)| format!("{a} FILTER NOT EXISTS {{ {b} }}")),
        1 => (group(), group()).prop_map(|(a, b)| format!("{a} MINUS {{ {b} }}")),
        1 => group().prop_map(|a| format!("{a} FILTER(?a != ?b)")),
        1 => (group(), group()).prop_map(|(a, b)| format!("GRAPH ?g {{ {a} }} {b}")),
        1 => (group(), group()).prop_map(|(a, b)| format!("VALUES ?a {{ <http://x/0> <entity:name%203> \"six\" }} {a} {{ SELECT DISTINCT ?b {{ {b} }} }}")),
    ];
    pattern.prop_map(|pattern| format!("SELECT ?a ?b ?c ?g (COUNT(*) AS ?n) {{ {pattern} }} GROUP BY ?a ?b ?c ?g"))
}

/// The quads of the dataset, read through its own door.
fn copy(rdf: &RdfView) -> Dataset {
    let mut dataset = Dataset::new();
    let mut add = |graph: Option<Option<&_>>| {
        for quad in rdf.internal_quads_for_pattern(None, None, None, graph) {
            let quad = quad.unwrap();
            let external = |node| (&rdf).externalize_term(node).unwrap();
            let (oxrdf::Term::NamedNode(predicate), subject) = (external(quad.predicate), external(quad.subject)) else {
                panic!("a predicate is an IRI")
            };
            let subject: oxrdf::NamedOrBlankNode = match subject {
                oxrdf::Term::NamedNode(node) => node.into(),
                oxrdf::Term::BlankNode(node) => node.into(),
                other @ (oxrdf::Term::Literal(_) | oxrdf::Term::Triple(_)) => panic!("{other} is no subject"),
            };
            let name = quad.graph_name.map_or(GraphName::DefaultGraph, |name| match external(name) {
                oxrdf::Term::NamedNode(name) => name.into(),
                other @ (oxrdf::Term::BlankNode(_) | oxrdf::Term::Literal(_) | oxrdf::Term::Triple(_)) => panic!("{other} names no graph"),
            });
            let quad = Quad::new(subject, predicate, external(quad.object), name);
            assert!(dataset.insert(&quad), "{quad} comes twice");
        }
    };
    add(Some(None));
    add(None);
    dataset
}

fn rows(results: QueryResults<'_>) -> Vec<String> {
    let QueryResults::Solutions(solutions) = results else { panic!("rows") };
    let mut rows: Vec<String> = solutions.map(|row| format!("{:?}", row.unwrap().values())).collect();
    rows.sort();
    rows
}

#[cfg(feature = "oxigraph")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn a_view_answers_as_an_oxigraph_store_of_its_slice_does(claims in prop::collection::vec(said(), 1..25), text in query(), day in 1..31_u8, whole in any::<bool>()) {
        let told = told(&claims);
        let view = told.projection.snapshot().at(at(&if whole { "2020".to_owned() } else { format!("2020-01-{day:02}T12:00:00Z") }));
        let store = view.to_store().unwrap();
        let answered = oxigraph::sparql::SparqlEvaluator::new().parse_query(&text).unwrap().on_store(&store).execute().unwrap();
        let expected = rows(answered);
        let rdf = RdfView::new(view);
        let query = Query::parse(&text).unwrap();
        let Answer::Solutions(found) = query.run(&rdf, &QueryOptions::default()).unwrap() else { panic!("rows") };
        let mut found: Vec<String> = found.map(|row| format!("{:?}", row.unwrap().values())).collect();
        found.sort();
        prop_assert_eq!(&found, &expected, "{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn a_view_answers_as_a_copy_of_its_slice_does(claims in prop::collection::vec(said(), 1..25), text in query(), day in 1..31_u8, whole in any::<bool>()) {
        let told = told(&claims);
        let valid_at = if whole { "2020".to_owned() } else { format!("2020-01-{day:02}T12:00:00Z") };
        let rdf = RdfView::new(told.projection.snapshot().at(at(&valid_at)));
        let copied = copy(&rdf);
        let parsed = SparqlParser::new().parse_query(&text).unwrap();
        let expected = rows(QueryEvaluator::new().prepare(&parsed).execute(&copied).unwrap());
        for ordered in [true, false] {
            let options = QueryOptions { ordered, ..QueryOptions::default() };
            let query = Query::parse(&text).unwrap();
            let Answer::Solutions(found) = query.run(&rdf, &options).unwrap() else { panic!("rows") };
            let mut found: Vec<String> = found.map(|row| format!("{:?}", row.unwrap().values())).collect();
            found.sort();
            prop_assert_eq!(&found, &expected, "{} (ordered {})", text, ordered);
        }
    }
}
