//! Holds the house rules that no compiler holds: the order of the rooms, the head of every file, who may read a clock or
//! derive serde, the length of files, a stated reason for every dependency, and complete fixtures.
//!
//! Reads the sources as text; knows nothing of what they do.

#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, in order: a module uses only itself and those before it (docs/ARCHITECTURE.md).
const ROOMS: [&str; 16] = [
    "time",
    "model",
    "timeline",
    "observe",
    "extract",
    "resolve",
    "policy",
    "ledger",
    "text",
    "graph",
    "sparql",
    "retrieve",
    "lifecycle",
    "memory",
    "eval",
    "surface",
];

/// Rooms with transfer types: serde is theirs alone.
const SERDE_ROOMS: [&str; 5] = ["observe", "policy", "ledger", "eval", "surface"];

/// Rooms that may know what time it is.
const CLOCK_ROOMS: [&str; 2] = ["memory", "surface"];

const CLOCK_READS: [&str; 4] = ["SystemTime::now", "Instant::now", "Utc::now", "Local::now"];

/// At most so many lines before a file's own tests.
const MAX_LINES: usize = 900;

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// The room a file below `src` belongs to; `None` for the crate's roots.
    fn room(&self) -> Option<&str> {
        let below = self.path.strip_prefix(root().join("src")).ok()?;
        let first = below.components().next()?.as_os_str().to_str()?;
        Some(first.strip_suffix(".rs").unwrap_or(first)).filter(|room| ROOMS.contains(room))
    }

    /// Whether the module above declares this file as tests only.
    fn is_tests_only(&self) -> bool {
        let name = self.path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let above = self.path.with_file_name("mod.rs");
        fs::read_to_string(above).is_ok_and(|text| text.contains(&format!("#[cfg(test)]\nmod {name};")))
    }

    /// The lines outside the file's own tests, numbered from 1, without their comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.product().map(|(number, line)| (number, line.split("//").next().unwrap_or(""))).filter(|(_, line)| !line.trim().is_empty())
    }

    /// The lines before the file's own tests, numbered from 1.
    fn product(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = self.text.find("\n#[cfg(test)]\nmod ").unwrap_or(self.text.len());
        self.text[..end].lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, found: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable source");
            found.push(Source { path, text });
        }
    }
}

fn sources(folders: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for folder in folders {
        rust_files(&root().join(folder), &mut found);
    }
    found.retain(|source| !source.is_tests_only() || !source.path.starts_with(root().join("src")));
    assert!(!found.is_empty(), "no sources under {folders:?}");
    found
}

/// The room names after each `crate::` of a file, with their lines; groups (`use crate::{a::…, b}`) included.
fn rooms_used(source: &Source) -> Vec<(usize, String)> {
    let code: Vec<(usize, &str)> = source.code().collect();
    let mut used = Vec::new();
    for (index, (number, line)) in code.iter().enumerate() {
        for (at, _) in line.match_indices("crate::") {
            let before = line[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
                continue;
            }
            let rest = &line[at + "crate::".len()..];
            if !rest.starts_with('{') {
                used.push((*number, leading_name(rest)));
                continue;
            }
            // A group: the names at depth one, which may go on over the next lines.
            let group: String = std::iter::once(rest).chain(code[index + 1..].iter().map(|(_, next)| *next)).collect::<Vec<_>>().join(" ");
            let mut depth = 0_usize;
            let mut expect_name = false;
            for (offset, c) in group.char_indices() {
                match c {
                    '{' => {
                        depth += 1;
                        expect_name = depth == 1;
                    }
                    '}' => {
                        depth -= 1;
                        if depth == 0 {
                            break;
                        }
                    }
                    ',' => expect_name = depth == 1,
                    c if expect_name && !c.is_whitespace() => {
                        used.push((*number, leading_name(&group[offset..])));
                        expect_name = false;
                    }
                    _ => {}
                }
            }
        }
    }
    used
}

fn leading_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn order(room: &str) -> Option<usize> {
    ROOMS.iter().position(|known| *known == room)
}

/// Fails with every complaint on a line of its own.
fn hold(rule: &str, complaints: &[String]) {
    assert!(complaints.is_empty(), "{rule}:\n  {}", complaints.join("\n  "));
}

fn at(source: &Source, line: usize) -> String {
    let path = source.path.strip_prefix(root()).unwrap_or(&source.path);
    format!("{}:{line}", path.display())
}

#[test]
fn a_module_uses_only_modules_before_it() {
    let mut complaints = Vec::new();
    let mut seen = 0;
    for source in sources(&["src"]) {
        let Some(room) = source.room() else { continue };
        for (line, used) in rooms_used(&source) {
            seen += 1;
            match order(&used) {
                Some(position) if Some(position) <= order(room) => {}
                Some(_) => complaints.push(format!("{}: `{room}` uses `{used}`, which comes after it", at(&source, line))),
                None => complaints.push(format!("{}: `crate::{used}` is no room", at(&source, line))),
            }
        }
    }
    assert!(seen > 30, "the scan found only {seen} uses: it does not see the sources");
    hold("the order of the rooms", &complaints);
}

#[test]
fn the_scan_of_uses_sees_groups_and_paths() {
    let source = Source {
        path: root().join("src/time/mod.rs"),
        text: "use crate::{\n  graph::{View, Snapshot},\n  model,\n};\nlet x = crate::ledger::Seq::MIN; // crate::eval\nlet y = my_crate::z;\n".to_owned(),
    };
    let used: Vec<String> = rooms_used(&source).into_iter().map(|(_, name)| name).collect();
    assert_eq!(used, ["graph", "model", "ledger"], "the names after crate::, in order");
}

#[test]
fn every_folder_of_src_is_a_room() {
    let mut complaints = Vec::new();
    for entry in fs::read_dir(root().join("src")).expect("src") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() && order(&name).is_none() {
            complaints.push(format!("src/{name} is in no list of rooms"));
        }
    }
    hold("the rooms", &complaints);
}

#[test]
fn every_file_says_what_it_owns() {
    let complaints: Vec<String> = sources(&["src", "tests", "benches", "examples"])
        .iter()
        .filter(|source| !source.text.starts_with("//! ") || source.text.lines().next().is_none_or(|line| line.len() < 20))
        .map(|source| format!("{} does not begin with `//!` and a sentence", at(source, 1)))
        .collect();
    hold("heads of files", &complaints);
}

#[test]
fn there_is_no_utils() {
    let complaints: Vec<String> = sources(&["src", "tests", "benches", "examples"])
        .iter()
        .filter(|source| {
            source
                .path
                .components()
                .any(|part| matches!(part.as_os_str().to_str(), Some("utils.rs" | "util.rs" | "utils" | "util" | "helpers.rs" | "misc.rs")))
        })
        .map(|source| format!("{}: what it holds belongs to whoever owns its noun", at(source, 1)))
        .collect();
    hold("names of files", &complaints);
}

#[test]
fn serde_stays_in_the_rooms_of_transfer_types() {
    let mut complaints = Vec::new();
    for source in sources(&["src"]) {
        let Some(room) = source.room() else { continue };
        if SERDE_ROOMS.contains(&room) {
            continue;
        }
        for (line, code) in source.code() {
            // What tools and models hand over is JSON, which extraction has to read, and so are the settings of a model that makes vectors;
            // neither derives anything.
            let is_read = matches!(room, "extract" | "text") && !code.contains("derive");
            // `Serializer` is a word of the RDF crates too; serde's own comes in by `serde::`.
            let code = code.replace("Serializer", "");
            let any = |words: &[&str]| words.iter().any(|word| code.contains(word));
            if !is_read && any(&["serde::", "serde_json", "Serialize", "Deserialize"]) {
                complaints.push(format!("{}: {}", at(&source, line), code.trim()));
            }
        }
    }
    hold("serde outside observe, policy, ledger, eval and surface", &complaints);
}

#[test]
fn only_memory_and_surface_know_the_time() {
    let mut complaints = Vec::new();
    for source in sources(&["src"]) {
        if source.room().is_some_and(|room| CLOCK_ROOMS.contains(&room)) {
            continue;
        }
        for (line, code) in source.code() {
            if CLOCK_READS.iter().any(|read| code.contains(read)) {
                complaints.push(format!("{}: {}", at(&source, line), code.trim()));
            }
        }
    }
    hold("reading a clock outside memory and surface", &complaints);
}

#[test]
fn files_stay_short_enough_to_own_one_thing() {
    let complaints: Vec<String> = sources(&["src"])
        .iter()
        .map(|source| (source, source.product().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(source, lines)| format!("{}: {lines} lines before its tests, of at most {MAX_LINES}", at(source, 1)))
        .collect();
    hold("length of files", &complaints);
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let design = fs::read_to_string(root().join("docs/DESIGN.md")).expect("docs/DESIGN.md");
    let mut complaints = Vec::new();
    let mut table = "";
    let mut seen = 0;
    for line in manifest.lines() {
        if line.starts_with('[') {
            table = line.trim();
        } else if matches!(table, "[dependencies]" | "[dev-dependencies]")
            && let Some((name, _)) = line.split_once('=')
        {
            seen += 1;
            let name = name.trim();
            let row = format!("| `{name}` |");
            if !design.lines().any(|line| line.starts_with(&row)) {
                complaints.push(format!("`{name}`: docs/DESIGN.md has no row beginning {row:?}"));
            }
        }
    }
    assert!(seen > 5, "only {seen} dependencies found: the scan does not see Cargo.toml");
    hold("a reason for each dependency", &complaints);
}

#[test]
fn every_invariant_is_held_by_a_test_that_exists() {
    let map = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("docs/ARCHITECTURE.md");
    let mut complaints = Vec::new();
    let mut seen = 0;
    for line in map.lines().filter(|line| line.ends_with("` |")) {
        let Some((before, file)) = line.trim_end_matches("` |").rsplit_once("` in `") else { continue };
        seen += 1;
        let test = before.rsplit('`').next().unwrap_or_default();
        let text = fs::read_to_string(root().join(file)).unwrap_or_default();
        if !text.contains(&format!("fn {test}(")) {
            complaints.push(format!("{file} has no test {test}"));
        }
    }
    assert!(seen >= 20, "only {seen} invariants found in docs/ARCHITECTURE.md");
    hold("invariants", &complaints);
}

#[test]
fn every_scenario_asks_something() {
    let mut complaints = Vec::new();
    let mut folders = vec![root().join("fixtures")];
    while let Some(folder) = folders.pop() {
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).expect("fixtures") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
                names.push(name.to_owned());
            }
        }
        let has = |name: &str| names.iter().any(|known| known == name);
        let asks = || {
            let questions = fs::read_to_string(folder.join("questions.jsonl")).unwrap_or_default();
            questions.lines().any(|line| line.trim_start().starts_with('{'))
        };
        // The tour tells its story by other means.
        let is_scenario = has("observations.jsonl") && !folder.ends_with("fixtures/tour");
        if is_scenario && !asks() {
            complaints.push(format!("{}: observations without questions", folder.display()));
        }
    }
    hold("fixtures", &complaints);
}
