//! SPARQL on a memory, side by side with Oxigraph's store in memory, which holds the facts of one position alone: the same text, from its
//! first byte to the last row, in one run. Every answer is compared; a difference ends the run with an error.
//!
//! `cargo bench --bench sparql --features oxigraph -- --facts 1000000`, or `--data DIR` for a data set of the peers' harness.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::missing_assert_message,
    clippy::doc_markdown,
    clippy::many_single_char_names,
    clippy::needless_pass_by_value,
    dead_code,
    unreachable_pub,
    reason = "a measuring program: it reads the clock, prints, and stops at the first surprise"
)]

#[path = "temporal/data.rs"]
mod data;
#[path = "temporal/measure.rs"]
mod measure;
#[path = "temporal/telling.rs"]
mod telling;

use data::{Data, Dice};
use erstwhile::graph::View;
use erstwhile::memory::{BulkOptions, Memory, TenantId};
use erstwhile::sparql::{Answer, Query, QueryOptions, RdfView};
use erstwhile::time::KnownAt;
use measure::seconds;
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use oxrdf::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// Where both read: after everything in the data began.
const AT: i64 = 1_590_000_000;
/// So often each question that reads much is asked.
const ROUNDS: usize = 9;

/// One kind of question: its texts, and how much slower than Oxigraph it may be.
struct Kind {
    name: &'static str,
    texts: Vec<String>,
    aim: f64,
    /// Columns that are compared; ties may come in any order.
    compared: usize,
}

fn main() {
    let (mut folder, mut facts) = (None, 100_000);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--data" => folder = words.next().map(PathBuf::from),
            "--facts" => facts = words.next().and_then(|n| n.parse().ok()).expect("--facts takes a number"),
            "--bench" => {}
            other => panic!("unknown option {other:?}"),
        }
    }
    let data = folder.map_or_else(|| data::generate(facts), |folder| data::read(&folder).expect("a data set"));
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let tenant = Memory::open(temporary.path()).unwrap().tenant(&TenantId::new("bench").unwrap());
    telling::one_valued(&tenant);
    let (took, _) = seconds(|| tenant.remember_all(telling::all(&data).into_iter().map(Ok), BulkOptions::default()).unwrap());
    let view = tenant.at(telling::as_of(AT, KnownAt::Latest)).unwrap();
    let (copied, store) = seconds(|| view.to_store().unwrap());
    println!("{} facts told in {took:.1} s; {} of them hold, copied in {copied:.1} s", data.rows.len(), store.len().unwrap());
    println!("| question | asked | ours (p50) | Oxigraph (p50) | ratio (aim) | first asked |\n|---|---:|---:|---:|---:|---:|");
    for kind in kinds(&data) {
        compare(&view, &store, &kind);
    }
    first_row(&view);
}

/// The questions on a data set.
fn kinds(data: &Data) -> Vec<Kind> {
    let (e, r) = (|number: u32| format!("<entity:e{number}>"), |number: u32| format!("<relation:r{number}>"));
    let mut relations: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for row in &data.rows {
        relations.entry(row.head).or_default().insert(row.relation);
    }
    let starry: Vec<(u32, Vec<u32>)> =
        relations.iter().filter(|(_, all)| all.len() >= 3).map(|(head, all)| (*head, all.iter().copied().take(3).collect())).collect();
    let mut dice = Dice::new(7);
    let star = |dice: &mut Dice| {
        let (head, all) = &starry[dice.below(starry.len() as u64) as usize];
        let [a, b, c] = [all[0], all[1], all[2]].map(r);
        format!("SELECT ?a ?b ?c {{ {} {a} ?a ; {b} ?b ; {c} ?c }}", e(*head))
    };
    let kind = |name, aim, texts| Kind { name, texts, aim, compared: usize::MAX };
    let one = |name, aim, text: &str| kind(name, aim, vec![text.to_owned(); ROUNDS]);
    vec![
        kind("point", 1.0, data.point.iter().take(1000).map(|(h, n, _)| format!("SELECT ?o {{ {} {} ?o }}", e(*h), r(*n))).collect()),
        kind("star-3", 1.0, (0..1000).map(|_| star(&mut dice)).collect()),
        kind(
            "2-hop",
            1.0,
            data.two_hop.iter().take(500).map(|(seed, _)| format!("SELECT ?b {{ {} ?p ?a . ?a ?q ?b }}", e(*seed))).collect(),
        ),
        kind(
            "2-hop by relation",
            1.0,
            data.two_hop.iter().take(500).map(|(seed, _)| format!("SELECT ?b {{ {} {}/{} ?b }}", e(*seed), r(30), r(31))).collect(),
        ),
        kind(
            "path+",
            1.0,
            data.two_hop
                .iter()
                .take(100)
                .map(|(seed, _)| format!("SELECT (COUNT(*) AS ?n) {{ {} ({}|{}|{})+ ?o }}", e(*seed), r(30), r(31), r(32)))
                .collect(),
        ),
        one("count of a relation", 1.0, "SELECT (COUNT(*) AS ?n) { ?s <relation:r30> ?o }"),
        one("count of all", 1.0, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"),
        one("join", 1.0, "SELECT (COUNT(*) AS ?n) { ?s <relation:r30> ?o . ?o <relation:r31> ?w }"),
        Kind {
            name: "top-10 group",
            texts: vec!["SELECT (COUNT(*) AS ?n) ?o { ?s <relation:r30> ?o } GROUP BY ?o ORDER BY DESC(?n) LIMIT 10".to_owned(); ROUNDS],
            aim: 1.3,
            compared: 1,
        },
        one("group by relation", 1.3, "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"),
    ]
}

fn compare(view: &View, store: &Store, kind: &Kind) {
    let texts: BTreeSet<&String> = kind.texts.iter().collect();
    let mut first = f64::NAN;
    for text in texts {
        let (took, mine) = seconds(|| ours(view, text));
        if first.is_nan() {
            first = took * 1e6;
        }
        assert_eq!(told(mine, kind.compared), told(theirs(store, text), kind.compared), "{text}");
    }
    let (mut mine, mut others) = (Vec::new(), Vec::new());
    for text in &kind.texts {
        // Each is asked of both in turn, so that what else the machine does slows both.
        let begun = Instant::now();
        std::hint::black_box(ours(view, text));
        mine.push(begun.elapsed().as_nanos() as u64);
        let begun = Instant::now();
        std::hint::black_box(theirs(store, text));
        others.push(begun.elapsed().as_nanos() as u64);
    }
    let (mine, others) = (middle(mine), middle(others));
    println!(
        "| {} | {} | {mine:.1} µs | {others:.1} µs | {:.2} ({:.1}) | {first:.0} µs |",
        kind.name,
        kind.texts.len(),
        mine / others,
        kind.aim
    );
}

/// The median in microseconds.
fn middle(mut nanoseconds: Vec<u64>) -> f64 {
    nanoseconds.sort_unstable();
    nanoseconds[nanoseconds.len() / 2] as f64 / 1_000.0
}

type Rows = Vec<Vec<Option<Term>>>;

fn ours(view: &View, text: &str) -> Rows {
    let rdf = RdfView::new(view.clone());
    let Answer::Solutions(rows) = Query::parse(text).unwrap().run(&rdf, &QueryOptions::default()).unwrap() else { panic!("{text}") };
    rows.map(|row| row.unwrap().values().to_vec()).collect()
}

fn theirs(store: &Store, text: &str) -> Rows {
    let results = SparqlEvaluator::new().parse_query(text).unwrap().on_store(store).execute().unwrap();
    let QueryResults::Solutions(rows) = results else { panic!("{text}") };
    rows.map(|row| row.unwrap().values().to_vec()).collect()
}

fn told(rows: Rows, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = rows.iter().map(|row| format!("{:?}", row.iter().take(columns).collect::<Vec<_>>())).collect();
    lines.sort_unstable();
    lines
}

/// From the text to the first row of an answer that has many.
fn first_row(view: &View) {
    for text in
        ["SELECT ?s ?o { ?s <relation:r30> ?o }", "SELECT * { ?s ?p ?o }", "SELECT * { ?s <relation:r30> ?o . ?o <relation:r31> ?w }"]
    {
        let mut took = Vec::new();
        for _ in 0..50 {
            let begun = Instant::now();
            let rdf = RdfView::new(view.clone());
            let Answer::Solutions(mut rows) = Query::parse(text).unwrap().run(&rdf, &QueryOptions::default()).unwrap() else { panic!() };
            std::hint::black_box(rows.next().unwrap().unwrap());
            took.push(begun.elapsed().as_nanos() as u64);
        }
        let slowest = *took.iter().max().unwrap() as f64 / 1_000.0;
        println!("first row of {text}: {:.0} µs, at most {slowest:.0} µs (aim 1000)", middle(took));
    }
}
