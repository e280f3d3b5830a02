//! What the tests of the W3C's suites share: where the suites are, how their manifests and files are read. Knows no test.

#![cfg(test)]
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of this")]

use oxrdf::vocab::{rdf, rdfs};
use oxrdf::{Graph, GraphName, NamedNode, NamedOrBlankNode, Quad, Term, TermRef, Triple};
use oxrdfio::{RdfFormat, RdfParser};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

pub const MF: &str = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#";

/// The folder of the suites for SPARQL; see [`suites_of`].
pub fn suites() -> Option<PathBuf> {
    suites_of("sparql")
}

/// The folder of some suites; without one it says that the test is skipped.
///
/// # Panics
/// Where the data that `$ERSTWHILE_DATA` names has no such suites: a folder that is missing is no reason to pass.
pub fn suites_of(what: &str) -> Option<PathBuf> {
    let Some(data) = std::env::var_os("ERSTWHILE_DATA") else {
        eprintln!("skipped: $ERSTWHILE_DATA names no folder with w3c/{what}");
        return None;
    };
    let folder = PathBuf::from(data).join("w3c").join(what);
    assert!(folder.is_dir(), "{}: there is no such folder", folder.display());
    Some(folder)
}

pub fn url(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub fn path(iri: &str) -> PathBuf {
    PathBuf::from(iri.strip_prefix("file://").unwrap_or(iri).replace("%20", " "))
}

pub fn quads(file: &Path, graph: &GraphName) -> Result<Vec<Quad>, String> {
    let format = RdfFormat::from_extension(file.extension().and_then(|name| name.to_str()).unwrap_or_default()).ok_or("no RDF")?;
    let parser = RdfParser::from_format(format).with_base_iri(url(file)).map_err(|error| error.to_string())?;
    let parser = parser.with_default_graph(graph.clone()).rename_blank_nodes();
    let read = BufReader::new(File::open(file).map_err(|error| format!("{}: {error}", file.display()))?);
    parser.for_reader(read).collect::<Result<_, _>>().map_err(|error| format!("{}: {error}", file.display()))
}

pub fn graph(file: &Path) -> Result<Graph, String> {
    Ok(quads(file, &GraphName::DefaultGraph)?.into_iter().map(Triple::from).collect())
}

pub fn node(iri: &str) -> NamedNode {
    NamedNode::new_unchecked(iri)
}

pub fn object(graph: &Graph, subject: &NamedOrBlankNode, property: &str) -> Option<Term> {
    graph.object_for_subject_predicate(subject, &node(property)).map(TermRef::into_owned)
}

pub fn resource(term: &Term) -> Option<NamedOrBlankNode> {
    match term {
        Term::NamedNode(node) => Some(node.clone().into()),
        Term::BlankNode(node) => Some(node.clone().into()),
        Term::Literal(_) | Term::Triple(_) => None,
    }
}

pub fn list(graph: &Graph, first: Option<&Term>) -> Vec<Term> {
    let mut found = Vec::new();
    let mut at = first.and_then(resource);
    while let Some(cell) = at {
        found.extend(object(graph, &cell, rdf::FIRST.as_str()));
        at = object(graph, &cell, rdf::REST.as_str()).as_ref().and_then(resource);
    }
    found
}

pub fn file_of(term: &Term) -> Option<PathBuf> {
    if let Term::NamedNode(node) = term { Some(path(node.as_str())) } else { None }
}

/// Each test of a manifest and of those it includes, in their order, with the graph that tells of it.
pub fn each_entry(manifest: &Path, take: &mut impl FnMut(&Graph, &NamedOrBlankNode)) {
    let graph = graph(manifest).unwrap();
    for subject in graph.subjects_for_predicate_object(rdf::TYPE, &node(&format!("{MF}Manifest"))) {
        for included in list(&graph, object(&graph, &subject.into_owned(), &format!("{MF}include")).as_ref()) {
            each_entry(&file_of(&included).unwrap(), take);
        }
        for entry in list(&graph, object(&graph, &subject.into_owned(), &format!("{MF}entries")).as_ref()) {
            take(&graph, &resource(&entry).unwrap());
        }
    }
}

/// What kind of test an entry is.
pub fn kind_of(graph: &Graph, entry: &NamedOrBlankNode) -> Option<String> {
    let Term::NamedNode(kind) = object(graph, entry, rdf::TYPE.as_str())? else { return None };
    kind.as_str().strip_prefix(MF).map(str::to_owned)
}

/// The files of named graphs that a resource tells of, each with the name of its graph: that of the file unless it has a label.
pub fn named_graphs(graph: &Graph, holder: &NamedOrBlankNode, data: &str, file: &str) -> Option<Vec<(String, PathBuf)>> {
    let told = graph.objects_for_subject_predicate(holder, &node(data)).map(TermRef::into_owned);
    told.map(|told| {
        if let Term::NamedNode(name) = &told {
            return Some((name.as_str().to_owned(), path(name.as_str())));
        }
        let holder = resource(&told)?;
        let Term::Literal(label) = object(graph, &holder, rdfs::LABEL.as_str())? else { return None };
        Some((label.value().to_owned(), file_of(&object(graph, &holder, file)?)?))
    })
    .collect()
}
