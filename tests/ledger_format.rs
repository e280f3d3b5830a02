//! Files written by earlier versions open forever: each of `fixtures/format` was written once and is never written again.
#![cfg(test)]

mod ledger_support;

use erstwhile::ledger::{ExtractionStatus, Ledger, LedgerError, Record, Retractable, SqliteLedger, SqliteOptions, StoredRecord};
use erstwhile::model::{ClaimId, Term};
use erstwhile::time::Instant;
use ledger_support::{Numbers, claim, everything, id, ids, observation, rows};
use std::fs;
use std::path::{Path, PathBuf};

fn sample(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/format/v{format}/sample.sqlite"))
}

/// A copy to open: opening for writing turns on the write-ahead file, and the sample stays as it is.
fn copy_of(format: u32, folder: &Path) -> PathBuf {
    let copy = folder.join(format!("v{format}.sqlite"));
    fs::copy(sample(format), &copy).unwrap();
    copy
}

fn format_of(path: &Path) -> i64 {
    rusqlite::Connection::open(path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

/// What was written into the sample of format 2: the sorts of records that came with it, an erasure of some, a segment and a rest after it.
fn write_second_sample(ledger: &mut dyn Ledger) {
    let now = |n: i64| Instant::from_micros(1_800_000_000_000_000 + n);
    let waits = |n: u64, claims| {
        let Record::Observation { observation, claims, .. } = observation(n, Some("words"), claims) else { panic!("it is one") };
        Record::Observation { observation, claims, status: ExtractionStatus::Failed("no answer".to_owned()) }
    };
    let extracted = |n: u64, claims, status| Record::Extracted { observation: id(n), extractor: "llm".to_owned(), claims, status };
    let name = |name: &str| Term::Name(name.to_owned());
    let merge = |from: &str, into: Term, because: &str| Record::Merge { from: name(from), into, because: because.to_owned() };
    let setting = |value: Option<&str>| Record::Setting { name: "write".to_owned(), value: value.map(str::to_owned) };
    let late = || vec![claim("Bob", "likes", "tea"), claim("Bob", "likes", "rye")];
    let batch = [
        waits(5_000, vec![claim("Bob", "r", "x")]),
        waits(5_001, vec![]),
        waits(5_002, vec![]),
        merge("Bob", name("Robert"), "one man"),
        setting(Some("keep")),
        extracted(5_000, late(), ExtractionStatus::Failed("cut off".to_owned())),
    ];
    ledger.append(&batch, now(0)).unwrap();
    let undone = Record::Unmerge { from: name("bob"), into: name("ROBERT"), because: "two".to_owned() };
    ledger.append(&[undone, merge("BOB", Term::Iri("https://example.org/bob".to_owned()), "")], now(1)).unwrap();
    ledger.append(&[extracted(5_000, late(), ExtractionStatus::Done), extracted(5_001, late(), ExtractionStatus::Done)], now(2)).unwrap();
    ledger.append(&[setting(None), setting(Some("all"))], now(3)).unwrap();
    ledger.erase(&[id(5_001)], now(4)).unwrap();
    ledger.append(&(6_000..7_100).map(|n| observation(n, None, vec![])).collect::<Vec<_>>(), now(5)).unwrap();
    ledger.append(&[extracted(5_002, late(), ExtractionStatus::Failed("busy".to_owned()))], now(6)).unwrap();
}

/// What was written into the sample of format 1: every sort of record, every field at play, a segment and a rest after it.
fn write_sample(ledger: &mut dyn Ledger) {
    let now = |n: i64| Instant::from_micros(1_700_000_000_000_000 + n);
    let mut numbers = Numbers(2026);
    let records: Vec<Record> = (0..120).map(|n| numbers.observation(n)).collect();
    ledger.append(&records, now(0)).unwrap();
    ledger.append(&(1_000..3_100).map(|n| observation(n, None, vec![])).collect::<Vec<_>>(), now(1)).unwrap();
    let claim = ClaimId { observation: id(3), ordinal: 0 };
    ledger
        .append(
            &[
                Record::Policy { relation: "r".to_owned(), toml: Some("cardinality = \"one\"\n".to_owned()) },
                Record::Retract { target: Retractable::Claim(claim), because: "mistaken".to_owned() },
                Record::Restore { target: Retractable::Observation(id(4)), because: "not so".to_owned() },
                Record::Policy { relation: "r".to_owned(), toml: None },
            ],
            now(-9),
        )
        .unwrap();
    ledger.erase(&(1_001..3_100).map(id).collect::<Vec<_>>(), now(7)).unwrap();
    ledger.append(&(120..125).map(|n| numbers.observation(n)).collect::<Vec<_>>(), now(8)).unwrap();
}

#[test]
fn the_sample_of_format_1_opens_and_says_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut fresh = SqliteLedger::open_or_create(&folder.path().join("fresh.sqlite"), SqliteOptions::default()).unwrap();
    write_sample(&mut fresh);
    let expected = everything(&mut fresh);
    let copy = copy_of(1, folder.path());
    let mut ledger = SqliteLedger::open(&copy, SqliteOptions::default()).unwrap();
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    assert_eq!(everything(&mut ledger), expected);
    assert_eq!(ledger.position().unwrap(), fresh.position().unwrap());
    for n in [0, 77, 124, 1_000] {
        assert!(ledger.observation(id(n)).unwrap().is_some(), "found through the stored index");
    }
    assert_eq!(ids(&mut ledger).len(), 126);
    let sorts = |wanted: fn(&StoredRecord) -> bool| expected.iter().filter(|record| wanted(record)).count();
    assert_eq!(sorts(|record| matches!(record, StoredRecord::Belief { .. })), 2);
    assert_eq!(sorts(|record| matches!(record, StoredRecord::Policy { .. })), 2);
    assert_eq!(sorts(|record| matches!(record, StoredRecord::Erasure { observations: 2_099, .. })), 1);
    assert_eq!(ledger.append(&[observation(1_000, None, vec![])], Instant::from_micros(0)).unwrap().seqs, [None]);
}

#[test]
fn the_sample_of_format_2_opens_and_says_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut fresh = SqliteLedger::open_or_create(&folder.path().join("fresh.sqlite"), SqliteOptions::default()).unwrap();
    write_second_sample(&mut fresh);
    let expected = everything(&mut fresh);
    if std::env::var_os("ERSTWHILE_WRITE_FORMAT_SAMPLE").is_some() && !sample(2).exists() {
        fs::create_dir_all(sample(2).parent().unwrap()).unwrap();
        fresh.backup(&sample(2)).unwrap();
    }
    let mut ledger = SqliteLedger::open(&copy_of(2, folder.path()), SqliteOptions::default()).unwrap();
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    assert_eq!(everything(&mut ledger), expected);
    assert_eq!(rows(&mut ledger, 0), rows(&mut fresh, 0));
    assert_eq!(ledger.position().unwrap(), fresh.position().unwrap());
    assert_eq!(ledger.merges().unwrap(), fresh.merges().unwrap());
    assert_eq!(ledger.merges().unwrap().iter().map(|merge| merge.undone.is_some()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(ledger.settings().unwrap(), [("write".to_owned(), "all".to_owned())]);
    let pending = ledger.pending().unwrap();
    assert_eq!((pending.len(), pending[0].id, pending[0].tries, pending[0].reason.as_str()), (1, id(5_002), 2, "busy"));
    assert_eq!(ledger.observation(id(5_000)).unwrap().unwrap().claims.len(), 5);
    let sorts = |wanted: fn(&StoredRecord) -> bool| expected.iter().filter(|record| wanted(record)).count();
    assert_eq!(sorts(|record| matches!(record, StoredRecord::Merge { .. })), 3);
    assert_eq!(sorts(|record| matches!(record, StoredRecord::Setting { .. })), 3);
    assert_eq!(sorts(|record| matches!(record, StoredRecord::Extraction(_))), 3);
}

#[test]
fn a_file_of_format_1_is_read_as_it_is_and_grows_with_the_first_write() {
    let folder = tempfile::tempdir().unwrap();
    let copy = copy_of(1, folder.path());
    let mut reader = SqliteLedger::open(&copy, SqliteOptions { read_only: true, ..SqliteOptions::default() }).unwrap();
    let mut writer = SqliteLedger::open(&copy, SqliteOptions::default()).unwrap();
    let before = everything(&mut reader);
    for ledger in [&mut reader, &mut writer] {
        assert_eq!(everything(ledger), before);
        assert_eq!((ledger.merges().unwrap(), ledger.settings().unwrap(), ledger.pending().unwrap()), (vec![], vec![], vec![]));
        assert!(!ledger.has_merges().unwrap());
        assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    }
    assert_eq!(format_of(&copy), 1, "reading changes nothing");
    let refused = reader.append(&[Record::Setting { name: "a".to_owned(), value: None }], Instant::from_micros(0));
    assert!(matches!(refused, Err(LedgerError::Io { .. })), "{refused:?}");
    assert_eq!(everything(&mut reader), before, "and is read on");

    let position = writer.position().unwrap();
    let setting = Record::Setting { name: "a".to_owned(), value: Some("b".to_owned()) };
    let (from, into) = (Term::Name("Bob".to_owned()), Term::Name("Robert".to_owned()));
    writer.append(&[setting, Record::Merge { from, into, because: String::new() }], Instant::from_micros(0)).unwrap();
    assert_eq!(format_of(&copy), 2);
    let all = everything(&mut writer);
    assert_eq!(all.len(), before.len() + 2);
    let mut late = SqliteLedger::open(&copy, SqliteOptions::default()).unwrap();
    for ledger in [&mut reader, &mut writer, &mut late] {
        assert_eq!(rows(ledger, position.seq + 1).len(), 2, "whoever had it open before sees it, too");
        assert_eq!(everything(ledger), all);
        assert_eq!(ledger.setting("a").unwrap().as_deref(), Some("b"));
        assert_eq!(ledger.merges().unwrap().len(), 1);
        assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn two_that_write_to_a_file_of_format_1_make_it_grow_once() {
    let folder = tempfile::tempdir().unwrap();
    let copy = copy_of(1, folder.path());
    let mut ledgers = [(); 2].map(|()| SqliteLedger::open(&copy, SqliteOptions::default()).unwrap());
    for (number, ledger) in ["one", "two"].iter().zip(&mut ledgers) {
        ledger.append(&[Record::Setting { name: (*number).to_owned(), value: Some("x".to_owned()) }], Instant::from_micros(0)).unwrap();
    }
    for ledger in &mut ledgers {
        assert_eq!(ledger.settings().unwrap().len(), 2);
        assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    }
}
