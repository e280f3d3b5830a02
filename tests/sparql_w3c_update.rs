//! The W3C's update suites through a memory: each case's data is imported as claims, the update is run, and what the memory then shows is
//! compared with what is expected. What the mapping has no operation for is listed here with the refusal that it has to give.
//!
//! Runs where `$ERSTWHILE_DATA` names a folder with the suites; elsewhere it says that it was skipped.

#![cfg(test)]

mod memory_support;
mod w3c_support;

use erstwhile::ledger::LedgerError;
use erstwhile::memory::{BulkOptions, Error, UpdateRequest};
use erstwhile::model::{Authority, Source};
use erstwhile::sparql::{
    Annotations, Answer, Plain, QuadReader, Query, QueryOptions, RdfClaims, RdfLimits, RdfOptions, RdfView, SparqlError, Update,
};
use erstwhile::time::ZonedInstant;
use memory_support::{Place, instant, place, valid};
use oxrdf::dataset::CanonicalizationAlgorithm;
use oxrdf::{Dataset, Graph, GraphName, NamedOrBlankNode, Quad, Term, TermRef};
use oxrdfio::{RdfFormat, RdfSerializer};
use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use w3c_support::{MF, each_entry, file_of, kind_of, named_graphs, node, object, quads, resource, suites, url};

const UT: &str = "http://www.w3.org/2009/sparql/tests/test-update#";

/// What a case's data or result is: files, each in its graph.
type Files = Vec<(GraphName, PathBuf)>;

/// A test of a manifest, named by its manifest's folder and its own name.
#[derive(Debug)]
struct Case {
    name: String,
    kind: String,
    request: PathBuf,
    data: Files,
    result: Files,
}

fn cases(manifest: &Path) -> Vec<Case> {
    let mut found = Vec::new();
    each_entry(manifest, &mut |graph, entry| {
        let kind = kind_of(graph, entry).unwrap_or_else(|| panic!("{entry} is of no kind"));
        // Queries are `sparql_w3c`'s.
        if kind.contains("Update") {
            found.push(case(graph, entry, kind).unwrap_or_else(|| panic!("{entry} cannot be read")));
        }
    });
    found
}

fn case(graph: &Graph, entry: &NamedOrBlankNode, kind: String) -> Option<Case> {
    let name = entry.to_string();
    let mut parts = name.trim_matches(['<', '>']).rsplit('/');
    let (last, folder) = (parts.next()?, parts.next()?);
    let name = format!("{folder}#{}", last.rsplit('#').next()?);
    let action = object(graph, entry, &format!("{MF}action"))?;
    if let Some(request) = file_of(&action) {
        return Some(Case { name, kind, request, data: Vec::new(), result: Vec::new() });
    }
    let action = resource(&action)?;
    let result = resource(&object(graph, entry, &format!("{MF}result"))?)?;
    let request = file_of(&object(graph, &action, &format!("{UT}request"))?)?;
    Some(Case { name, kind, request, data: files(graph, &action)?, result: files(graph, &result)? })
}

fn files(graph: &Graph, holder: &NamedOrBlankNode) -> Option<Files> {
    let plain = graph.objects_for_subject_predicate(holder, &node(&format!("{UT}data"))).map(TermRef::into_owned);
    let mut files: Files = plain.map(|file| Some((GraphName::DefaultGraph, file_of(&file)?))).collect::<Option<_>>()?;
    for (name, file) in named_graphs(graph, holder, &format!("{UT}graphData"), &format!("{UT}graph"))? {
        files.push((node(&name).into(), file));
    }
    Some(files)
}

/// The quads of files.
fn dataset(files: &Files) -> Dataset {
    files.iter().flat_map(|(graph, file)| quads(file, graph).unwrap()).collect()
}

/// A memory that was told every quad by an import.
fn remembering(data: &Dataset) -> Place {
    let place = place();
    let mut writer = RdfSerializer::from_format(RdfFormat::NQuads).for_writer(Vec::new());
    for quad in data {
        writer.serialize_quad(quad).unwrap();
    }
    let text = writer.finish().unwrap();
    let read = || QuadReader::new(RdfFormat::NQuads, None, RdfLimits::default(), Box::new(Cursor::new(text.clone()))).unwrap();
    let annotations = Annotations::read(&mut read()).unwrap();
    let options = RdfOptions {
        observed_at: ZonedInstant::utc(instant("2025-12-01T00:00:00Z")).into(),
        source: Source { authority: Authority::Document, name: None },
        plain: Plain::Permanent,
        blank_scope: String::new(),
    };
    let claims = RdfClaims::new(read(), annotations, options).map(Result::unwrap);
    let receipt = place.tenant.remember_all(claims, BulkOptions::default()).unwrap();
    assert!(receipt.is_complete(), "{receipt:?}");
    place
}

/// What the default graph and the contexts of a memory show after its updates.
fn shown(place: &Place) -> Dataset {
    let view = match place.tenant.at(valid("2026-01-03T00:00:00Z")) {
        // A tenant that was told nothing yet is none.
        Err(Error::Ledger(LedgerError::UnknownTenant { .. })) => return Dataset::new(),
        view => view.unwrap(),
    };
    let rdf = RdfView::new(view);
    let query = Query::parse("SELECT ?s ?p ?o ?g { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }").unwrap();
    let Answer::Solutions(rows) = query.run(&rdf, &QueryOptions::default()).unwrap() else { unreachable!() };
    rows.map(|row| {
        let row = row.unwrap();
        let value = |name: &str| row.get(name).cloned();
        let named = |term: Term| if let Term::NamedNode(node) = term { node } else { panic!("{term} is no IRI") };
        let subject = NamedOrBlankNode::try_from(value("s").unwrap()).unwrap();
        let graph = value("g").map_or(GraphName::DefaultGraph, |name| named(name).into());
        Quad::new(subject, named(value("p").unwrap()), value("o").unwrap(), graph)
    })
    .collect()
}

/// The update, its relative IRIs against its file.
fn text(case: &Case) -> String {
    format!("BASE <{}>\n{}", url(&case.request), fs::read_to_string(&case.request).unwrap())
}

fn told(mut dataset: Dataset) -> Vec<String> {
    dataset.canonicalize(CanonicalizationAlgorithm::Unstable);
    let mut lines: Vec<String> = dataset.iter().map(|quad| quad.to_string()).collect();
    lines.sort();
    lines
}

/// What a case comes to: nothing where it passes, and else why not.
#[expect(clippy::panic_in_result_fn, reason = "the result is what a case comes to, and not whether it could be run")]
fn evaluate(case: &Case) -> Result<(), String> {
    let place = remembering(&dataset(&case.data));
    let before = told(shown(&place));
    place.clock.set(instant("2026-01-02T00:00:00Z"));
    match place.tenant.update(&text(case), &UpdateRequest::at(valid("2026-01-02T00:00:00Z"))) {
        Ok(_) => {
            let (ours, theirs) = (told(shown(&place)), told(dataset(&case.result)));
            if ours == theirs { Ok(()) } else { Err(format!("{ours:#?}\n  and not {theirs:#?}")) }
        }
        Err(Error::Sparql(error)) => {
            assert_eq!(told(shown(&place)), before, "{}: what is refused changes nothing", case.name);
            Err(refusal(&error))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The refusal that an error is, without what it says for people.
fn refusal(error: &SparqlError) -> String {
    if let SparqlError::NoOperation(word) = error { (*word).to_owned() } else { error.to_string() }
}

fn syntax(case: &Case, is_good: bool) -> Result<(), String> {
    match (Update::parse(&text(case)), is_good) {
        (Ok(_), true) | (Err(SparqlError::Syntax { .. }), false) => Ok(()),
        (Err(error), _) => Err(refusal(&error)),
        (Ok(_), false) => Err("it is read".to_owned()),
    }
}

/// What the mapping has no operation for, by the refusal that each gives: the operation's name, or the whole error.
/// Of the tests of syntax these are read, and refused for what they ask for.
const REFUSED: [(&str, &[&str]); 8] = [
    (
        "ADD",
        &[
            "add#add01",
            "add#add02",
            "add#add03",
            "add#add04",
            "add#add05",
            "add#add06",
            "add#add07",
            "add#add08",
            "update-silent#add-silent",
            "update-silent#add-to-default-silent",
        ],
    ),
    (
        "COPY",
        &[
            "copy#copy01",
            "copy#copy02",
            "copy#copy03",
            "copy#copy04",
            "copy#copy06",
            "copy#copy07",
            "update-silent#copy-silent",
            "update-silent#copy-to-default-silent",
        ],
    ),
    (
        "DROP",
        &[
            "basic-update#insert-05a",
            "basic-update#insert-data-same-bnode",
            "basic-update#insert-where-same-bnode",
            "basic-update#insert-where-same-bnode2",
            "drop#dawg-drop-all-01",
            "drop#dawg-drop-default-01",
            "drop#dawg-drop-graph-01",
            "drop#dawg-drop-named-01",
            "syntax-update-1#test_10",
            "syntax-update-1#test_11",
            "syntax-update-1#test_12",
            "syntax-update-1#test_5",
            "syntax-update-1#test_6",
            "syntax-update-1#test_7",
            "syntax-update-1#test_8",
            "syntax-update-1#test_9",
            "update-silent#drop-default-silent",
            "update-silent#drop-silent",
        ],
    ),
    (
        "LOAD",
        &[
            "syntax-update-1#test_1",
            "syntax-update-1#test_2",
            "syntax-update-1#test_3",
            "syntax-update-1#test_4",
            "update-silent#load-into-silent",
            "update-silent#load-silent",
        ],
    ),
    (
        "MOVE",
        &[
            "move#move01",
            "move#move02",
            "move#move03",
            "move#move04",
            "move#move06",
            "move#move07",
            "update-silent#move-silent",
            "update-silent#move-to-default-silent",
        ],
    ),
    (
        "CLEAR",
        &[
            "clear#dawg-clear-all-01",
            "clear#dawg-clear-default-01",
            "clear#dawg-clear-graph-01",
            "clear#dawg-clear-named-01",
            "syntax-update-1#test_15",
            "syntax-update-1#test_16",
            "syntax-update-1#test_17",
            "syntax-update-1#test_18",
            "syntax-update-1#test_19",
            "syntax-update-1#test_20",
            "syntax-update-1#test_21",
            "syntax-update-1#test_22",
            "update-silent#clear-default-silent",
            "update-silent#clear-silent",
        ],
    ),
    ("CREATE", &["syntax-update-1#test_13", "syntax-update-1#test_14", "syntax-update-1#test_37", "update-silent#create-silent"]),
    (
        "an operation with WHERE comes after one that changes something, and cannot see it: send it as a request of its own",
        &["delete-insert#dawg-delete-insert-01b", "delete-insert#dawg-delete-insert-01c"],
    ),
];

/// What of SPARQL 1.2 no claim can hold: another property of a statement than those of its interval.
const REFUSED_12: (&str, &[&str]) = (
    "<http://example/source> is said of a statement, and no claim can hold that",
    &["eval-triple-terms#update-1", "eval-triple-terms#update-2", "eval-triple-terms#update-3"],
);

/// Runs the tests of a manifest: how many there are of evaluation and of syntax, and what those come to that do not pass, by name.
fn run(manifest: &Path) -> ((usize, usize), BTreeMap<String, String>) {
    let (mut evaluated, mut read, mut failed) = (0, 0, BTreeMap::new());
    for case in cases(manifest) {
        let outcome = match case.kind.as_str() {
            "UpdateEvaluationTest" => evaluate(&case),
            "PositiveUpdateSyntaxTest" | "PositiveUpdateSyntaxTest11" => syntax(&case, true),
            "NegativeUpdateSyntaxTest" | "NegativeUpdateSyntaxTest11" => syntax(&case, false),
            kind => panic!("{}: {kind} is no kind of test", case.name),
        };
        if case.kind == "UpdateEvaluationTest" {
            evaluated += 1;
        } else {
            read += 1;
        }
        if let Err(why) = outcome {
            assert!(failed.insert(case.name.clone(), why).is_none(), "{} twice", case.name);
        }
    }
    let passed = evaluated + read - failed.len();
    eprintln!("{}: {evaluated} evaluated, {read} of syntax: {passed} passed, {} refused", manifest.display(), failed.len());
    ((evaluated, read), failed)
}

#[test]
fn updates_pass_through_a_memory_or_are_refused_by_name() {
    let Some(folder) = suites() else { return };
    let (tests, failed) = run(&folder.join("sparql11/manifest-sparql11-update.ttl"));
    assert_eq!(tests, (94, 55));
    let refused = REFUSED.iter().flat_map(|(refusal, names)| names.iter().map(|name| ((*name).to_owned(), (*refusal).to_owned())));
    assert_eq!(failed, refused.collect::<BTreeMap<_, _>>());
}

#[test]
fn updates_of_sparql_12_pass_as_far_as_claims_can_hold_what_they_write() {
    let Some(folder) = suites() else { return };
    let (tests, failed) = run(&folder.join("sparql12/manifest.ttl"));
    assert_eq!(tests, (3, 20));
    let (refusal, names) = REFUSED_12;
    assert_eq!(failed, names.iter().map(|name| ((*name).to_owned(), refusal.to_owned())).collect::<BTreeMap<_, _>>());
}
