//! Killed processes and processes at once: every acknowledged write is there, no half-written one is.
#![cfg(test)]

mod ledger_support;

use erstwhile::ledger::{Ledger, Record, SqliteLedger, SqliteOptions, StoredRecord, WritePoint};
use erstwhile::model::{Observation, ObservationId};
use erstwhile::time::Instant;
use ledger_support::{Numbers, claim, everything, id, ids, observation};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const NOW: Instant = Instant::from_micros(1_700_000_000_000_000);

/// Where a child is to stop: what it writes, the point, and how often it passes it first.
const POINTS: [(&str, WritePoint); 10] = [
    ("begun", WritePoint::Begun),
    ("half-written", WritePoint::HalfWritten),
    ("before-commit", WritePoint::BeforeCommit),
    ("committed", WritePoint::Committed),
    ("rows-erased", WritePoint::RowsErased),
    ("erasure-before-commit", WritePoint::BeforeCommit),
    ("erasure-committed", WritePoint::Committed),
    ("before-scrub", WritePoint::BeforeScrub),
    ("before-checkpoint", WritePoint::BeforeCheckpoint),
    ("half-checkpointed", WritePoint::HalfCheckpointed),
];

/// Observations a batch has; its number is told by theirs.
const BATCH: u64 = 40;

/// The observations of a batch, with enough text that the write-ahead file is copied back every few batches.
fn batch(writer: u64, nth: u64) -> Vec<Record> {
    (0..BATCH)
        .map(|n| {
            let number = (writer << 32) + nth * BATCH + n;
            let name = format!("e{}", number % 17);
            let mut record = observation(number, Some(&"some words ".repeat(40)), vec![claim(&name, "r", "b"), claim(&name, "s", "c")]);
            if let Record::Observation { observation: Observation { key, .. }, .. } = &mut record {
                *key = Some(format!("{writer}/{nth}"));
            }
            record
        })
        .collect()
}

/// Appends batch after batch and acknowledges each on standard output, until it is killed; erases one of each eighth batch.
fn child_writes(path: &Path, writer: u64, batches: u64, stop: Option<(&str, u64)>) {
    let passed = Arc::new(AtomicU64::new(0));
    let erasing = Arc::new(AtomicU64::new(0));
    let point = stop.map(|(name, times)| (name.to_owned(), POINTS.iter().find(|(point, _)| *point == name).unwrap().1, times));
    let observer = {
        let erasing = Arc::clone(&erasing);
        move |reached| {
            let Some((name, point, times)) = &point else { return };
            let in_erasure = erasing.load(Ordering::Relaxed) == 1;
            if reached != *point
                || name.starts_with("erasure") != in_erasure && matches!(point, WritePoint::BeforeCommit | WritePoint::Committed)
            {
                return;
            }
            if passed.fetch_add(1, Ordering::Relaxed) + 1 == *times {
                say(&format!("reached {name}"));
                loop {
                    std::thread::park();
                }
            }
        }
    };
    let options = SqliteOptions { observer: Some(Arc::new(observer)), ..SqliteOptions::default() };
    let mut ledger = SqliteLedger::open_or_create(path, options).unwrap();
    for nth in 0..batches {
        say(&format!("writing {nth}"));
        let commit = ledger.append(&batch(writer, nth), NOW).unwrap();
        assert!(commit.seqs.iter().all(Option::is_some));
        say(&format!("written {nth}"));
        if nth % 8 == 7 {
            let doomed = id((writer << 32) + nth * BATCH);
            say(&format!("erasing {nth}"));
            erasing.store(1, Ordering::Relaxed);
            ledger.erase(&[doomed], NOW).unwrap();
            erasing.store(0, Ordering::Relaxed);
            say(&format!("erased {nth}"));
        }
    }
}

/// Appends observations one by one, then waits until another writer's are there too.
fn child_writes_singly(path: &Path, writer: u64, singles: u64) {
    let mut ledger = SqliteLedger::open_or_create(path, SqliteOptions::default()).unwrap();
    for n in 0..singles {
        let commit = ledger.append(&[observation((writer << 32) + n, Some("words"), vec![claim("a", "r", "b")])], NOW).unwrap();
        assert!(commit.seqs[0].is_some());
    }
    for _ in 0..600 {
        let seen = ids(&mut ledger).len() as u64;
        if seen == 2 * singles {
            say(&format!("sees {seen}"));
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Writes a line that whoever reads it has before this process can die.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

/// The process that the tests below start and kill; by itself it writes two batches into a folder of its own.
#[test]
fn child_process() {
    let argument = |name: &str| std::env::var(format!("LEDGER_TEST_{name}")).ok();
    if let Some(path) = argument("FILE") {
        let number = |name: &str| argument(name).and_then(|text| text.parse().ok());
        let stop = argument("STOP");
        if let Some(singles) = number("SINGLES") {
            child_writes_singly(Path::new(&path), number("WRITER").unwrap_or(0), singles);
            return;
        }
        child_writes(
            Path::new(&path),
            number("WRITER").unwrap_or(0),
            number("BATCHES").unwrap_or(u64::MAX),
            stop.as_deref().map(|stop| (stop, number("TIMES").unwrap_or(1))),
        );
    } else {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.sqlite");
        child_writes(&path, 0, 2, None);
        assert_eq!(ids(&mut SqliteLedger::open(&path, SqliteOptions::default()).unwrap()).len(), 2 * 40);
    }
}

fn start(path: &Path, settings: &[(&str, String)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child_process", "--nocapture"]).env("LEDGER_TEST_FILE", path).stdout(Stdio::piped()).stderr(Stdio::null());
    for (name, value) in settings {
        command.env(format!("LEDGER_TEST_{name}"), value);
    }
    command.spawn().unwrap()
}

/// What a child said before it ended.
#[derive(Debug, Default)]
struct Heard {
    written: Vec<u64>,
    writing: Option<u64>,
    erased: Vec<u64>,
    erasing: Option<u64>,
    reached: Option<String>,
}

fn hear(line: &str, heard: &mut Heard) {
    let Some((word, rest)) = line.split_once(' ') else { return };
    match (word, rest.parse::<u64>()) {
        ("writing", Ok(nth)) => heard.writing = Some(nth),
        ("written", Ok(nth)) => heard.written.push(nth),
        ("erasing", Ok(nth)) => heard.erasing = Some(nth),
        ("erased", Ok(nth)) => heard.erased.push(nth),
        ("reached", _) => heard.reached = Some(rest.to_owned()),
        _ => {}
    }
}

/// What must hold of a file whose writer was killed.
fn verify(path: &Path, writer: u64, heard: &Heard) {
    if !path.exists() {
        assert!(heard.written.is_empty(), "an acknowledged write is gone with its file");
        return;
    }
    let mut ledger = SqliteLedger::open(path, SqliteOptions::default()).unwrap();
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    let mut found: BTreeMap<u64, Vec<ObservationId>> = BTreeMap::new();
    for record in everything(&mut ledger) {
        let StoredRecord::Observation(stored) = record else { continue };
        assert_eq!(stored.claims.len(), 2);
        let (of, nth) = stored.observation.key.as_deref().unwrap().split_once('/').unwrap();
        if of == writer.to_string() {
            found.entry(nth.parse().unwrap()).or_default().push(stored.observation.id);
        }
    }
    for nth in &heard.written {
        assert!(found.contains_key(nth), "the acknowledged batch {nth} is there: {heard:?}");
    }
    for (nth, ids) in found {
        assert!(heard.writing.is_some_and(|last| nth <= last));
        let whole = (0..BATCH).map(|n| id((writer << 32) + nth * BATCH + n)).collect::<Vec<_>>();
        let rest = &whole[1..];
        let first_is_there = ids.len() == whole.len();
        assert_eq!(ids, if first_is_there { &whole[..] } else { rest }, "batch {nth} is there as a whole: {heard:?}");
        if heard.erased.contains(&nth) {
            assert!(!first_is_there, "what was erased is gone");
        } else if heard.erasing != Some(nth) {
            assert!(first_is_there, "what nobody erased is there");
        }
    }
    if let Some(nth) = heard.erasing
        && heard
            .reached
            .as_deref()
            .is_some_and(|point| ["erasure-committed", "before-scrub", "before-checkpoint", "half-checkpointed"].contains(&point))
    {
        let erased = id((writer << 32) + nth * BATCH).bytes();
        let files = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
        let left = files.into_iter().any(|bytes| bytes.windows(16).any(|window| window == erased));
        assert!(!left, "an erasure that was cut off is completed on opening, down to the bytes of the id");
    }
    // Goes on as if nothing had been: what is fed again is known or new, and nothing is there twice.
    let next = heard.writing.unwrap_or(0);
    ledger.append(&batch(writer, next), NOW).unwrap();
    ledger.append(&batch(writer, next + 1), NOW).unwrap();
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_writer_killed_at_any_named_point_leaves_whole_batches_and_every_acknowledged_one() {
    for (name, _) in POINTS {
        for times in [1, 3] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t.sqlite");
            let mut child = start(&path, &[("STOP", name.to_owned()), ("TIMES", times.to_string())]);
            let mut heard = Heard::default();
            for line in BufReader::new(child.stdout.take().unwrap()).lines() {
                hear(&line.unwrap(), &mut heard);
                if heard.reached.is_some() {
                    break;
                }
            }
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(heard.reached.as_deref(), Some(name), "the point was reached");
            verify(&path, 0, &heard);
        }
    }
}

#[test]
fn a_writer_killed_at_any_time_leaves_whole_batches_and_every_acknowledged_one() {
    let mut numbers = Numbers(20_261);
    let mut written = 0;
    for _ in 0..25 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.sqlite");
        let mut child = start(&path, &[]);
        let out = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut heard = Heard::default();
            // The last line may be cut off by the kill: what is not whole was not acknowledged.
            BufReader::new(out).lines().map_while(Result::ok).for_each(|line| hear(&line, &mut heard));
            heard
        });
        std::thread::sleep(Duration::from_micros(20_000 + numbers.next(600_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let heard = reader.join().unwrap();
        written += heard.written.len();
        verify(&path, 0, &heard);
    }
    assert!(written > 25, "the kills came late enough to mean something: {written}");
}

#[test]
fn two_processes_write_at_once_and_both_see_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let mut watcher = SqliteLedger::open_or_create(&path, SqliteOptions::default()).unwrap();
    let observations = 500_usize;
    let batches = observations as u64 / BATCH;
    let settings = |writer: u64| [("WRITER", writer.to_string()), ("BATCHES", batches.to_string())];
    let children = [start(&path, &settings(1)), start(&path, &settings(2))];
    // This process writes too, one observation a time, and reads on as the others write.
    let mut seen = 0;
    for n in 0..observations as u64 {
        watcher.append(&[observation((7 << 32) + n, None, vec![])], NOW).unwrap();
        seen = watcher.replay(seen + 1, &mut |_| {}).unwrap().seq;
    }
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let erased = 2 * (batches / 8);
    let expected = 2 * batches * BATCH - erased + observations as u64;
    assert_eq!(ids(&mut watcher).len() as u64, expected);
    assert_eq!(watcher.holdings().unwrap().observations, expected);
    assert_eq!(watcher.check().unwrap(), Vec::<String>::new());
    let mut times: Vec<Instant> = everything(&mut watcher).iter().map(StoredRecord::tx).collect();
    assert!(times.is_sorted(), "transaction time rises with the places, whoever wrote");
    times.dedup();
    assert_eq!(times.len() as u64, 2 * batches + erased + observations as u64, "each write has its own");
}

#[test]
fn two_processes_writing_500_observations_each_make_1000_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let children = [1, 2].map(|writer: u64| start(&path, &[("WRITER", writer.to_string()), ("SINGLES", "500".to_owned())]));
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("sees 1000"), "{said}");
    }
    let mut ledger = SqliteLedger::open(&path, SqliteOptions::default()).unwrap();
    assert_eq!(ids(&mut ledger).len(), 1_000);
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}
