//! The store measured side by side, in one run, on one data set: Erstwhile, native SQLite with covering indexes, and a
//! static adjacency array as the floor. Every answer is compared; a difference ends the run with an error.
//!
//! `cargo bench --bench temporal -- --facts 1000000 [--json]`, or `--data DIR` for a data set of the peers' harness.
//! Sections can be chosen: `--only load,read,known,slots,commits,shell`. `--folder DIR` keeps what was loaded there, and
//! `--only open` with it opens that again.

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
    unreachable_pub,
    reason = "a measuring program: it reads the clock, prints, and stops at the first surprise"
)]

mod data;
mod floor;
mod measure;
mod ours;
mod sqlite;
mod telling;

use data::Data;
use measure::{Latencies, ask, seconds};
use std::path::PathBuf;

/// The checksum of one fact of an entity.
fn mix(other: u32, relation: u32, outgoing: bool) -> u64 {
    u64::from(other) * 101 + u64::from(relation) + if outgoing { 0 } else { 7_919 }
}

/// One line of the result: a name, a number, a unit.
#[derive(Default)]
struct Report(Vec<(String, f64, &'static str)>);

impl Report {
    fn put(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        let name = name.into();
        eprintln!("{name:<44} {value:>14.3} {unit}");
        self.0.push((name, value, unit));
    }

    fn latencies(&mut self, name: &str, latencies: &Latencies) {
        self.put(format!("{name}_p50"), latencies.p50(), "us");
        self.put(format!("{name}_p99"), latencies.p99(), "us");
    }

    fn print(&self, json: bool) {
        if json {
            let fields: serde_json::Map<String, serde_json::Value> =
                self.0.iter().map(|(name, value, unit)| (format!("{name}_{unit}"), serde_json::json!(value))).collect();
            println!("{}", serde_json::Value::Object(fields));
        } else {
            println!("| measure | value | unit |\n|---|---:|---|");
            for (name, value, unit) in &self.0 {
                println!("| {name} | {value:.3} | {unit} |");
            }
        }
    }
}

struct Options {
    data: Option<PathBuf>,
    facts: usize,
    json: bool,
    only: Option<Vec<String>>,
    folder: Option<PathBuf>,
}

fn options() -> Options {
    let mut options = Options { data: None, facts: 100_000, json: false, only: None, folder: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--data" => options.data = words.next().map(PathBuf::from),
            "--facts" => options.facts = words.next().and_then(|n| n.parse().ok()).expect("--facts takes a number"),
            "--json" => options.json = true,
            "--only" => options.only = words.next().map(|list| list.split(',').map(str::to_owned).collect()),
            "--folder" => options.folder = words.next().map(PathBuf::from),
            "--bench" => {}
            other => panic!("unknown option {other:?}"),
        }
    }
    options
}

impl Options {
    fn wants(&self, section: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|word| word == section))
    }
}

fn main() {
    let options = options();
    let data = options.data.as_ref().map_or_else(|| data::generate(options.facts), |folder| data::read(folder).expect("a data set"));
    let mut report = Report::default();
    report.put("facts", data.rows.len() as f64, "facts");
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = options.folder.as_deref().unwrap_or(temporary.path());
    std::fs::create_dir_all(folder).expect("the folder can be made");
    if options.only.as_ref().is_some_and(|only| only.iter().any(|word| word == "open")) {
        ours::open(&folder.join("memory"), &mut report);
    }
    if options.wants("load") || options.wants("read") || options.wants("shell") || options.wants("commits") {
        let (mut sqlite, sqlite_rate) = load_sqlite(&data, folder, &mut report);
        let mut ours = ours::Ours::load(&data, &folder.join("memory"), &mut report);
        report.put("load_ours_to_sqlite", report_value(&report, "load_ours") / sqlite_rate, "ratio");
        ours::open(&folder.join("memory"), &mut report);
        if options.wants("read") {
            read(&data, &sqlite, &ours, &mut report);
        }
        if options.wants("shell") {
            ours.shell(&data, &mut report);
        }
        if options.wants("commits") {
            commits(&data, &mut sqlite, &mut ours, &mut report);
        }
    }
    if options.wants("known") {
        ours::known_at(&data, &folder.join("known"), &mut report);
    }
    if options.wants("slots") {
        ours::slots(&mut report);
        ours::hub(&mut report);
    }
    report.print(options.json);
}

fn report_value(report: &Report, name: &str) -> f64 {
    report.0.iter().find(|(known, ..)| known == name).map_or(f64::NAN, |(_, value, _)| *value)
}

fn load_sqlite(data: &Data, folder: &std::path::Path, report: &mut Report) -> (sqlite::Sqlite, f64) {
    let n = data.rows.len() as f64;
    let mut best: Option<(sqlite::Sqlite, f64)> = None;
    for (indexes_first, name) in [(true, "load_sqlite_indexes_first"), (false, "load_sqlite_indexes_last")] {
        let path = folder.join(format!("{name}.sqlite"));
        let mut sqlite = sqlite::Sqlite::create(&path, indexes_first);
        let (took, ()) = seconds(|| sqlite.load(data, indexes_first));
        report.put(name, n / took, "facts/s");
        if best.as_ref().is_none_or(|(_, rate)| *rate < n / took) {
            best = Some((sqlite, n / took));
        }
    }
    best.expect("two were made")
}

fn compare<A: PartialEq + std::fmt::Debug>(what: &str, left: &[A], right: &[A]) {
    for (i, (l, r)) in left.iter().zip(right).enumerate() {
        assert_eq!(l, r, "{what}: question {i} is answered differently");
    }
}

fn read(data: &Data, sqlite: &sqlite::Sqlite, ours: &ours::Ours, report: &mut Report) {
    let mut floor = floor::Floor::build(data);
    let mut sql = sqlite.questions();

    let (floor_answers, floor_point) = ask(&data.point, |&(h, r, t)| floor.point(h, r, t));
    let (sql_answers, sql_point) = ask(&data.point, |&(h, r, t)| sql.point(h, r, t));
    let (our_answers, our_point) = ours.point(data);
    compare("point: sqlite and floor", &sql_answers, &floor_answers);
    compare("point: ours and floor", &our_answers, &floor_answers);
    side_by_side(report, "point", &our_point, &sql_point, &floor_point);

    let (floor_answers, floor_entity) = ask(&data.entity, |&(e, t)| floor.entity(e, t));
    let (sql_answers, sql_entity) = ask(&data.entity, |&(e, t)| sql.entity(e, t));
    let (our_answers, our_entity) = ours.entity(data);
    compare("entity: sqlite and floor", &sql_answers, &floor_answers);
    compare("entity: ours and floor", &our_answers, &floor_answers);
    side_by_side(report, "entity", &our_entity, &sql_entity, &floor_entity);

    for (name, questions, hops) in [("two_hop", &data.two_hop, 2), ("three_hop", &data.three_hop, 3)] {
        let (floor_answers, floor_hops) = ask(questions, |&(e, t)| floor.hops(e, t, hops));
        let (sql_answers, sql_hops) = ask(questions, |&(e, t)| sql.hops(&data.hub, e, t, hops));
        let (our_answers, our_hops) = ours.hops(questions, hops);
        compare("hops: sqlite and floor", &sql_answers, &floor_answers);
        compare("hops: ours and floor", &our_answers, &floor_answers);
        side_by_side(report, name, &our_hops, &sql_hops, &floor_hops);
    }
    ours.by_name(data, report);
}

fn side_by_side(report: &mut Report, name: &str, ours: &Latencies, sqlite: &Latencies, floor: &Latencies) {
    report.latencies(&format!("{name}_ours"), ours);
    report.latencies(&format!("{name}_sqlite"), sqlite);
    report.latencies(&format!("{name}_floor"), floor);
    report.put(format!("{name}_ours_to_floor"), ours.p50() / floor.p50(), "ratio");
    report.put(format!("{name}_sqlite_to_ours"), sqlite.p50() / ours.p50(), "ratio");
}

/// Single durable writes, in turn, so that both meet the same disk.
fn commits(data: &Data, sqlite: &mut sqlite::Sqlite, ours: &mut ours::Ours, report: &mut Report) {
    let questions = &data.supersede[..data.supersede.len().min(4_000)];
    let (mut sqlite_took, mut ours_took, mut ratios) = (0.0, 0.0, Vec::new());
    for chunk in questions.chunks(200) {
        let (theirs, ()) = seconds(|| chunk.iter().for_each(|&(h, r, t, from)| sqlite.insert_one(h, r, t, from)));
        let (mine, ()) = seconds(|| chunk.iter().for_each(|&(h, r, t, from)| ours.insert_one(h, r, t, from)));
        sqlite_took += theirs;
        ours_took += mine;
        ratios.push(theirs / mine);
    }
    ratios.sort_by(f64::total_cmp);
    report.put("durable_writes_sqlite", questions.len() as f64 / sqlite_took, "commits/s");
    report.put("durable_writes_ours", questions.len() as f64 / ours_took, "commits/s");
    report.put("durable_writes_ours_to_sqlite_median", ratios[ratios.len() / 2], "ratio");
}
