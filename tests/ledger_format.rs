//! Files written by earlier versions open forever: `fixtures/format/v1` was written once and is never written again.
#![cfg(test)]

mod ledger_support;

use erstwhile::ledger::{Ledger, Record, Retractable, SqliteLedger, SqliteOptions, StoredRecord};
use erstwhile::model::ClaimId;
use erstwhile::time::Instant;
use ledger_support::{Numbers, everything, id, ids, observation};
use std::fs;
use std::path::{Path, PathBuf};

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/format/v1/sample.sqlite")
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
    if std::env::var_os("ERSTWHILE_WRITE_FORMAT_SAMPLE").is_some() && !sample().exists() {
        fs::create_dir_all(sample().parent().unwrap()).unwrap();
        fresh.backup(&sample()).unwrap();
    }
    // Opened as a copy: opening for writing turns on the write-ahead file, and the sample stays as it is.
    let copy = folder.path().join("copy.sqlite");
    fs::copy(sample(), &copy).unwrap();
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
