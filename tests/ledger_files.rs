//! The ledger's files: what is no ledger stays untouched, refused writes leave nothing, erased text is nowhere.
#![cfg(test)]

mod ledger_support;

use erstwhile::ledger::{Ledger, LedgerError, Record, Retractable, SqliteLedger, SqliteOptions, StoredRecord, TenantFolder, WritePoint};
use erstwhile::model::{ClaimId, Literal, Observation, Term};
use erstwhile::time::Instant;
use ledger_support::{claim, everything, id, ids, observation, rows};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const NOW: Instant = Instant::from_micros(1_700_000_000_000_000);

fn impatient() -> SqliteOptions {
    SqliteOptions { busy_timeout: Duration::from_millis(60), ..SqliteOptions::default() }
}

/// A ledger with some records, closed.
fn written(folder: &Path) -> PathBuf {
    let path = folder.join("t.sqlite");
    let mut ledger = SqliteLedger::open_or_create(&path, impatient()).unwrap();
    let batch: Vec<Record> = (0..500).map(|n| observation(n, Some("some text"), vec![claim("a", "r", "b")])).collect();
    ledger.append(&batch, NOW).unwrap();
    path
}

/// Every file of a folder, with its bytes.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn refused_untouched(folder: &Path, path: &Path, expect: &dyn Fn(&LedgerError) -> bool) {
    let before = bytes(folder);
    for read_only in [false, true] {
        let error = SqliteLedger::open_or_create(path, SqliteOptions { read_only, ..impatient() }).unwrap_err();
        assert!(expect(&error), "{error}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "it names the file: {error}");
    }
    assert_eq!(bytes(folder), before);
}

#[test]
fn a_file_that_is_no_ledger_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t %?.sqlite");
    for content in [b"".to_vec(), b"short".to_vec(), vec![b'x'; 20_000], b"SQLite format 3\0".to_vec()] {
        fs::write(&path, &content).unwrap();
        refused_untouched(folder.path(), &path, &|error| matches!(error, LedgerError::NotALedger { .. }));
    }
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)").unwrap();
    refused_untouched(folder.path(), &path, &|error| error.to_string().contains("another program"));
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE mine (x)").unwrap();
    refused_untouched(folder.path(), &path, &|error| error.to_string().contains("another program"));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let error = SqliteLedger::open_or_create(&path, impatient()).unwrap_err();
    assert!(error.to_string().ends_with("is not a file"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_file_that_has_another_name_is_refused_by_name_and_nothing_of_it_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let files = TenantFolder::new(folder.path(), impatient());
    let tenants = folder.path().join("tenants");
    fs::create_dir(&tenants).unwrap();
    let real = written(folder.path());
    let place = files.file("t").unwrap();
    let refused = |because: &str| {
        let before = (bytes(&tenants), fs::read(&real).unwrap());
        for error in [files.open("t").unwrap_err(), files.open_or_create("t").unwrap_err(), files.remove("t").unwrap_err()] {
            assert!(matches!(error, LedgerError::NotAPlainFile { .. }), "{error}");
            assert!(error.to_string().starts_with(place.to_str().unwrap()) && error.to_string().contains(because), "{error}");
        }
        assert_eq!((bytes(&tenants), fs::read(&real).unwrap()), before);
        assert_eq!(files.tenants().unwrap(), ["t"], "it is told of");
    };
    std::os::unix::fs::symlink(&real, &place).unwrap();
    refused("is a link to");
    fs::remove_file(&place).unwrap();
    fs::hard_link(&real, &place).unwrap();
    refused("2 names");
    fs::remove_file(&place).unwrap();

    let aside = folder.path().join("aside");
    fs::copy(&real, &place).unwrap();
    fs::write(&aside, "words").unwrap();
    fs::hard_link(&aside, tenants.join("t.sqlite-wal")).unwrap();
    let error = files.remove("t").unwrap_err();
    assert!(matches!(error, LedgerError::NotAPlainFile { .. }) && error.to_string().contains("-wal"), "{error}");
    fs::remove_file(tenants.join("t.sqlite-wal")).unwrap();

    for make in ["mkdir", "mkfifo"] {
        fs::remove_file(&place).unwrap();
        assert!(Command::new(make).arg(&place).status().unwrap().success());
        for error in [files.open("t").unwrap_err(), files.remove("t").unwrap_err()] {
            assert!(error.to_string().ends_with("t.sqlite: is not a file"), "{error}");
        }
        assert!(!fs::symlink_metadata(&place).unwrap().is_file(), "{make}: it is still there");
        if make == "mkdir" {
            fs::remove_dir(&place).unwrap();
            fs::write(&place, "").unwrap();
        }
    }

    // A link to nothing is listed, and refused like any other.
    fs::remove_file(&place).unwrap();
    std::os::unix::fs::symlink("gone", &place).unwrap();
    assert!(files.open("t").unwrap_err().to_string().contains("is a link to gone"));

    // The maker of a file was cut off just before it would have taken the draft's name away.
    fs::remove_file(&place).unwrap();
    fs::rename(&real, &place).unwrap();
    let draft = tenants.join("t.sqlite.new-1-0");
    fs::hard_link(&place, &draft).unwrap();
    assert_eq!(ids(&mut files.open("t").unwrap()).len(), 500);
    assert!(!draft.exists(), "the draft is taken away");
    files.remove("t").unwrap();
    assert!(bytes(&tenants).is_empty());
}

#[test]
fn a_file_of_a_newer_format_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 7").unwrap();
    refused_untouched(folder.path(), &path, &|error| matches!(error, LedgerError::NewerFormat { found: 7, supported: 2, .. }));
}

#[test]
fn a_file_cut_short_anywhere_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let whole = fs::read(&path).unwrap();
    for len in [1, 99, 512, 4096, 4097, whole.len() / 2, whole.len() - 4096, whole.len() - 1] {
        fs::write(&path, &whole[..len]).unwrap();
        refused_untouched(folder.path(), &path, &|error| matches!(error, LedgerError::NotALedger { .. }));
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(ids(&mut SqliteLedger::open(&path, impatient()).unwrap()).len(), 500);
}

#[test]
fn damage_inside_is_an_error_or_a_problem_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let whole = fs::read(&path).unwrap();
    let mut noticed = 0;
    for page in 1..whole.len() / 4096 {
        let mut damaged = whole.clone();
        damaged[page * 4096 + 3..page * 4096 + 200].fill(0xa5);
        fs::write(&path, &damaged).unwrap();
        let problems = SqliteLedger::open(&path, impatient()).and_then(|mut ledger| {
            let _outcome = ledger.replay(0, &mut |_| {});
            ledger.check()
        });
        noticed += usize::from(!matches!(problems, Ok(problems) if problems.is_empty()));
    }
    assert_eq!(noticed, whole.len() / 4096 - 1, "every damaged page is noticed");
}

#[test]
fn check_names_what_was_changed_by_hand() {
    let changes = [
        ("DELETE FROM observations WHERE seq = 9", "without their observation"),
        ("UPDATE claims SET ordinal = 4 WHERE seq = 10", "out of their place"),
        ("UPDATE commits SET tx = 5 WHERE seq > 1", "commits out of order"),
        ("UPDATE commits SET last_seq = 900 WHERE seq = 1", "no commit holds"),
        ("UPDATE claims SET head = 'somebody else' WHERE seq = 10", "the index of Ends lacks"),
        ("UPDATE observations SET id = (SELECT id FROM observations WHERE seq = 3) WHERE seq = 1", "recorded twice"),
        ("UPDATE observations SET kind = 9 WHERE seq = 1", "cannot be read"),
        ("UPDATE claims SET tail_kind = 8 WHERE seq = 2", "cannot be read"),
        ("UPDATE claims SET from_kind = 2, from_lo = NULL WHERE seq = 2", "cannot be read"),
        ("UPDATE claims SET confidence = 'high' WHERE seq = 2", "cannot be read"),
        ("DELETE FROM index_blocks WHERE first_seq = (SELECT min(first_seq) FROM index_blocks)", "lacks"),
        ("INSERT INTO beliefs VALUES (5000, 0, x'00', NULL, '')", "name nothing recorded"),
        ("INSERT INTO policies VALUES (1, 'r', NULL)", "two sorts"),
        ("UPDATE meta SET value = 1 WHERE name = 'scrub_pending'", "erasure is incomplete"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let mut ledger = SqliteLedger::open_or_create(&path, impatient()).unwrap();
    for from in [0, 1_500] {
        let batch: Vec<Record> = (from..from + 1_500).map(|n| observation(n, None, vec![claim("a", "r", "b")])).collect();
        ledger.append(&batch, NOW).unwrap();
    }
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    drop(ledger);
    let whole = fs::read(&path).unwrap();
    for (sql, word) in changes {
        fs::write(&path, &whole).unwrap();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let mut ledger = SqliteLedger::open(&path, SqliteOptions { read_only: true, ..impatient() }).unwrap();
        let problems = ledger.check().unwrap();
        assert!(problems.iter().any(|problem| problem.contains(word)), "{sql}: {problems:?}");
    }
}

#[test]
fn a_row_that_makes_no_sense_is_damage_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let whole = fs::read(&path).unwrap();
    for sql in [
        "UPDATE observations SET authority = 46 WHERE seq = 7",
        "UPDATE claims SET from_kind = 0, from_lo = 9, from_hi = 3 WHERE seq = 8",
        "UPDATE claims SET head = x'ff' WHERE seq = 8",
        "UPDATE claims SET from_lo = 'soon' WHERE seq = 8",
        "UPDATE claims SET polarity = 9 WHERE seq = 8",
    ] {
        fs::write(&path, &whole).unwrap();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
        let error = ledger.replay(0, &mut |_row| {}).unwrap_err();
        assert!(matches!(&error, LedgerError::DamagedRecord { seq: 7 | 8, .. }), "{sql}: {error:?}");
        assert!(error.to_string().starts_with(path.to_str().unwrap()) && error.to_string().contains("record"), "{error}");
        assert!(matches!(ledger.export(&mut |_record| Ok(())), Err(LedgerError::DamagedRecord { .. })), "{sql}");
        assert!(!ledger.check().unwrap().is_empty(), "{sql}: it is a problem, not a failure");
    }
}

#[test]
fn an_index_under_other_numbers_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let mut ledger = SqliteLedger::open_or_create(&path, impatient()).unwrap();
    let batch: Vec<Record> = (0..3_000).map(|n| observation(n, None, vec![claim("a", "r", "b")])).collect();
    ledger.append(&batch, NOW).unwrap();
    drop(ledger);
    let spoil = "UPDATE meta SET value = 0 WHERE name = 'key_version'; UPDATE index_blocks SET entries = zeroblob(length(entries))";
    Connection::open(&path).unwrap().execute_batch(spoil).unwrap();
    let mut reader = SqliteLedger::open(&path, SqliteOptions { read_only: true, ..impatient() }).unwrap();
    assert!(reader.observation(id(7)).unwrap().is_some(), "a reader does without");
    drop(reader);
    let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
    assert!(ledger.observation(id(7)).unwrap().is_some());
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_writer_waits_for_another_for_a_bounded_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = ledger.append(&[observation(900, None, vec![])], NOW).unwrap_err();
    assert!(matches!(error, LedgerError::Busy { waited_ms: 60, .. }), "{error}");
    assert_eq!(ids(&mut ledger).len(), 500, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    ledger.append(&[observation(900, None, vec![])], NOW).unwrap();
}

#[test]
fn a_read_only_handle_reads_and_refuses_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let mut ledger = SqliteLedger::open(&path, SqliteOptions { read_only: true, ..impatient() }).unwrap();
    assert_eq!(ids(&mut ledger).len(), 500);
    for _ in 0..2 {
        let error = ledger.append(&[observation(900, None, vec![])], NOW).unwrap_err();
        assert!(matches!(&error, LedgerError::Io { reason, .. } if reason.contains("read-only")), "{error}");
    }
    assert!(matches!(ledger.erase(&[id(1)], NOW), Err(LedgerError::Io { .. })));
    assert_eq!(ids(&mut ledger).len(), 500);
}

/// A batch whose text fills pages: `n` observations of 10,000 bytes.
fn large(n: u64) -> Vec<Record> {
    (1_000..1_000 + n).map(|n| observation(n, Some(&"x".repeat(10_000)), vec![])).collect()
}

#[test]
fn a_file_that_may_not_grow_takes_nothing_of_a_batch_and_the_next_one_that_fits() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let before = everything(&mut SqliteLedger::open(&path, impatient()).unwrap());
    // The limit is set through the hook that sees each write begin, on the ledger's own connection it cannot be; so the
    // file system sets it instead where it can, and elsewhere a limit on the size of files does.
    let status = Command::new("sh")
        .arg("-c")
        .arg("ulimit -f 1000; trap '' XFSZ; exec \"$0\" \"$@\"")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_outgrows_its_limit", "--nocapture"])
        .env("LEDGER_TEST_FILE", &path)
        .status()
        .unwrap();
    assert!(status.success());
    let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
    let mut after = everything(&mut ledger);
    assert!(matches!(after.pop(), Some(StoredRecord::Observation(stored)) if stored.observation.id == id(900)));
    assert_eq!(after, before, "nothing lost, nothing half-written");
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

/// Runs under a limit on the size of files (the test above starts it so); by itself it shows that without one it all goes in.
#[test]
fn child_that_outgrows_its_limit() {
    let limited = std::env::var_os("LEDGER_TEST_FILE").map(PathBuf::from);
    let folder = tempfile::tempdir().unwrap();
    let path = limited.clone().unwrap_or_else(|| written(folder.path()));
    let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
    let result = ledger.append(&large(400), NOW);
    if limited.is_none() {
        assert_eq!(result.unwrap().seqs.len(), 400);
        return;
    }
    assert!(matches!(result, Err(LedgerError::Io { .. })), "{result:?}");
    assert_eq!(ids(&mut ledger).len(), 500);
    match ledger.append(&[observation(900, None, vec![])], NOW) {
        Ok(_commit) => {}
        // Where the outcome was unsure the handle says so, and a new one goes on.
        Err(LedgerError::Poisoned { .. }) => {
            let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
            ledger.append(&[observation(900, None, vec![])], NOW).unwrap();
        }
        Err(error) => panic!("{error}"),
    }
}

/// Mounts a small file system, or says why it cannot be: only the administrator may.
fn small_disk(at: &Path, options: &str) -> Result<(), String> {
    let output = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn a_full_disk_is_named_and_takes_nothing_of_a_batch() {
    let folder = tempfile::tempdir().unwrap();
    if let Err(reason) = small_disk(folder.path(), "size=3m") {
        println!("skipped: no file system can be mounted here: {reason}");
        return;
    }
    let unmount = || Command::new("umount").arg(folder.path()).status().unwrap();
    let outcome = std::panic::catch_unwind(|| {
        let path = written(folder.path());
        let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
        let before = rows(&mut ledger, 0);
        let error = ledger.append(&large(400), NOW).unwrap_err();
        assert!(matches!(&error, LedgerError::Io { reason, .. } if reason.contains("full")), "{error}");
        assert_eq!(rows(&mut ledger, 0), before);
        let mut again = SqliteLedger::open(&path, impatient()).unwrap();
        assert_eq!(rows(&mut again, 0), before);
        drop(ledger);
        again.append(&[observation(900, None, vec![])], NOW).unwrap();
        assert_eq!(again.check().unwrap(), Vec::<String>::new());
    });
    assert!(unmount().success());
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn a_read_only_disk_is_named_and_nothing_on_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    if let Err(reason) = small_disk(folder.path(), "size=8m") {
        println!("skipped: no file system can be mounted here: {reason}");
        return;
    }
    let outcome = std::panic::catch_unwind(|| {
        let path = written(folder.path());
        assert!(Command::new("mount").args(["-o", "remount,ro"]).arg(folder.path()).status().unwrap().success());
        let before = bytes(folder.path());
        assert!(before.keys().all(|file| *file == path), "no write-ahead file is there: {:?}", before.keys());
        let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
        assert_eq!(ids(&mut ledger).len(), 500, "it is read as it stands");
        assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
        let error = ledger.append(&[observation(900, None, vec![])], NOW).unwrap_err();
        assert!(matches!(&error, LedgerError::Io { reason, .. } if reason.contains("read-only")), "{error}");
        assert!(matches!(ledger.erase(&[id(3)], NOW), Err(LedgerError::Io { .. })));
        let made = SqliteLedger::open_or_create(&folder.path().join("new.sqlite"), impatient());
        assert!(matches!(made, Err(LedgerError::Io { .. })), "{made:?}");
        assert_eq!(bytes(folder.path()), before);
    });
    assert!(Command::new("umount").arg(folder.path()).status().unwrap().success());
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

const CANARY: &str = "Xyzzy-Canary-7431";

/// An observation with the canary in every text it has.
fn canary(n: u64) -> Record {
    let mut claims = vec![claim(CANARY, CANARY, "b"), claim("a", "r", CANARY)];
    claims[0].context = Some(format!("http://{CANARY}"));
    claims[0].extractor = CANARY.to_owned();
    claims[1].tail = Term::Literal(Literal { lexical: CANARY.to_owned(), datatype: Some(CANARY.to_owned()), language: None });
    let mut record = observation(n, Some(&format!("{} {CANARY}", "long ".repeat(2_000))), claims);
    if let Record::Observation { observation: Observation { source, session, speaker, role, key, .. }, .. } = &mut record {
        source.name = Some(CANARY.to_owned());
        for field in [session, speaker, role, key] {
            *field = Some(CANARY.to_owned());
        }
    }
    record
}

fn canaries(folder: &Path) -> usize {
    let canary = CANARY.as_bytes();
    bytes(folder).values().map(|bytes| bytes.windows(canary.len()).filter(|window| *window == canary).count()).sum()
}

/// Ordinary observations among which canaries stand, with a retraction that tells of one.
fn with_canaries(ledger: &mut dyn Ledger, folder: &Path) {
    for round in 0..6 {
        let batch: Vec<Record> = (round * 600..round * 600 + 600)
            .map(|n| if n % 50 == 3 { canary(n) } else { observation(n, Some("words"), vec![claim("a", "r", "b")]) })
            .collect();
        ledger.append(&batch, NOW).unwrap();
    }
    let target = Retractable::Claim(ClaimId { observation: id(53), ordinal: 1 });
    ledger.append(&[Record::Retract { target, because: CANARY.to_owned() }], NOW).unwrap();
    assert!(canaries(folder) > 700);
}

#[test]
fn erased_text_is_in_no_byte_of_the_folder_and_in_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let mut ledger = SqliteLedger::open_or_create(&path, impatient()).unwrap();
    let mut other = SqliteLedger::open(&path, impatient()).unwrap();
    with_canaries(&mut ledger, folder.path());
    // One by one and together: erasing makes pages balance, and copies of what is still there move.
    let doomed: Vec<_> = (0..3_600).filter(|n| n % 50 == 3).map(id).collect();
    assert_eq!(ledger.erase(&doomed[..1], NOW).unwrap().claims, 2);
    assert_eq!(ledger.erase(&doomed[1..3], NOW).unwrap().observations.len(), 2);
    let removed = ledger.erase(&doomed, NOW).unwrap();
    assert_eq!((removed.observations.len(), removed.claims), (doomed.len() - 3, 2 * (doomed.len() as u64 - 3)));
    assert_eq!(canaries(folder.path()), 0, "with all handles open");
    for ledger in [&mut ledger, &mut other] {
        assert!(rows(ledger, 0).iter().all(|row| !row.contains(CANARY)));
        assert!(everything(ledger).iter().all(|record| !format!("{record:?}").contains(CANARY)));
        assert_eq!(ledger.observation(id(3)).unwrap(), None);
        assert!(ledger.observations_by_key(CANARY).unwrap().is_empty());
        assert_eq!(ledger.holdings().unwrap().beliefs, 0);
        assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    }
    // What others need to drop the same: places (of an observation, its two claims, and one retraction), and no content.
    let erasure = removed.seq.unwrap();
    assert_eq!(other.erased_since(erasure).unwrap().len(), 3 * removed.observations.len());
    assert_eq!(other.erased_since(0).unwrap().len(), 3 * doomed.len() + 1);
    assert_eq!(other.erased_since(erasure + 1).unwrap(), Vec::<u64>::new());
    // Erased and fed again is new; nothing to erase is no record.
    assert!(other.append(&[canary(3)], NOW).unwrap().seqs[0].is_some());
    assert_eq!(other.erase(&[id(53)], NOW).unwrap(), erstwhile::ledger::Removed::default());
    drop((ledger, other));
    assert!(canaries(folder.path()) > 0);
    SqliteLedger::open(&path, impatient()).unwrap().erase(&[id(3)], NOW).unwrap();
    assert_eq!(canaries(folder.path()), 0, "with no handle open");
}

#[test]
fn a_reader_in_the_way_makes_an_erasure_say_that_it_is_incomplete_until_it_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let mut ledger = SqliteLedger::open_or_create(&path, impatient()).unwrap();
    with_canaries(&mut ledger, folder.path());
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM claims").unwrap();
    let doomed: Vec<_> = (0..3_600).filter(|n| n % 50 == 3).map(id).collect();
    let error = ledger.erase(&doomed, NOW).unwrap_err();
    assert!(matches!(error, LedgerError::ErasureIncomplete { .. }), "{error}");
    assert!(ids(&mut ledger).iter().all(|id| !doomed.contains(id)), "the records are gone");
    assert!(ledger.check().unwrap().iter().any(|problem| problem.contains("incomplete")));
    assert!(matches!(ledger.erase(&[], NOW), Err(LedgerError::ErasureIncomplete { .. })));
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(ledger.erase(&[], NOW).unwrap().seq, None);
    assert_eq!(canaries(folder.path()), 0);
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how long it waits is what is tested")]
fn an_incomplete_erasure_holds_nobody_up_for_longer_than_one_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let waiting = SqliteOptions { busy_timeout: Duration::from_secs(5), ..SqliteOptions::default() };
    let mut ledger = SqliteLedger::open_or_create(&path, waiting.clone()).unwrap();
    with_canaries(&mut ledger, folder.path());
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM claims").unwrap();
    let timed = |work: &mut dyn FnMut()| {
        let begun = std::time::Instant::now();
        work();
        begun.elapsed()
    };
    let erasing = timed(&mut || assert!(matches!(ledger.erase(&[id(3)], NOW), Err(LedgerError::ErasureIncomplete { .. }))));
    assert!(erasing >= Duration::from_secs(4), "it waits: {erasing:?}");
    let again = timed(&mut || assert!(matches!(ledger.erase(&[], NOW), Err(LedgerError::ErasureIncomplete { .. }))));
    assert!(again < Duration::from_secs(9), "once, and not for every part of it: {again:?}");
    let mut writer = None;
    let opening = timed(&mut || writer = Some(SqliteLedger::open(&path, waiting.clone()).unwrap()));
    assert!(opening < Duration::from_secs(4), "to open it waits for nobody: {opening:?}");
    let mut writer = writer.unwrap();
    assert!(!writer.has_completed_erasure(), "the reader is still there");
    writer.append(&[observation(9_000, None, vec![])], NOW).unwrap();
    reader.execute_batch("COMMIT").unwrap();
    assert!(SqliteLedger::open(&path, waiting.clone()).unwrap().has_completed_erasure(), "the next one completes it");
    assert!(!SqliteLedger::open(&path, waiting).unwrap().has_completed_erasure(), "and then it is complete");
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
fn what_a_maker_that_was_cut_off_has_left_goes_with_the_next_file_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let left = |name: &str, age_seconds: u64| {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        let now = file.metadata().unwrap().modified().unwrap();
        file.set_modified(now - Duration::from_secs(age_seconds)).unwrap();
    };
    left("t.sqlite.new-1-0", 3_600);
    left("t.sqlite.new-2-0", 5);
    left("t.sqlite.other", 3_600);
    drop(SqliteLedger::open_or_create(&path, impatient()).unwrap());
    let names: Vec<String> = bytes(folder.path()).keys().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["t.sqlite", "t.sqlite.new-2-0", "t.sqlite.other"], "one that is being made now is left alone");
}

#[test]
fn an_erasure_cut_off_is_completed_by_the_next_handle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    with_canaries(&mut SqliteLedger::open_or_create(&path, impatient()).unwrap(), folder.path());
    let armed = Arc::new(AtomicBool::new(true));
    let observer = {
        let armed = Arc::clone(&armed);
        move |point| assert!(!(armed.load(Ordering::Relaxed) && point == WritePoint::BeforeScrub), "cut off")
    };
    let options = SqliteOptions { observer: Some(Arc::new(observer)), ..impatient() };
    let mut ledger = SqliteLedger::open(&path, options).unwrap();
    let doomed: Vec<_> = (0..3_600).filter(|n| n % 50 == 3).map(id).collect();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ledger.erase(&doomed, NOW))).unwrap_err();
    drop(ledger);
    let mut ledger = SqliteLedger::open(&path, impatient()).unwrap();
    assert_eq!(canaries(folder.path()), 0);
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
fn people_can_read_it_with_everyday_tools() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let shell = Connection::open(&path).unwrap();
    let line: String = shell
        .query_row(
            "SELECT head || ' ' || relation || ' ' || tail || ' from ' || valid_from || ' ' || to_kind || ', recorded ' || recorded_at || ', ' \
             || polarity || ', ' || extractor FROM claims_readable WHERE seq = 2",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(line, "a r b from 1970-01-01T00:00:01Z open, recorded 2023-11-14T22:13:20Z, holds, ready");
    let line: String = shell
        .query_row(
            "SELECT id || ' ' || kind || ' ' || authority || ' ' || observed_at || ' ' || text FROM observations_readable LIMIT 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(line, format!("{} claims document 1970-01-01T00:00:00Z some text", id(0)));
}
