//! Writes that fail: nothing of them is ever seen, what was there before is, and the tenant goes on.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::{LedgerError, SqliteOptions, TenantFolder, WritePoint};
use erstwhile::memory::{EraseTarget, Error, ErrorKind, Memory, MemoryOptions, Tenant, TenantId};
use erstwhile::observe::Incoming;
use memory_support::{fact, place, timeline};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Set, this is a process that stops at the point it names, in the folder after it.
const STOP: &str = "ERSTWHILE_TEST_MEMORY_STOP";

/// Points of a write before it is durable, and one after.
const POINTS: [(&str, WritePoint, bool); 4] = [
    ("begun", WritePoint::Begun, false),
    ("half written", WritePoint::HalfWritten, false),
    ("before commit", WritePoint::BeforeCommit, false),
    ("committed", WritePoint::Committed, true),
];

fn over(folder: &Path, options: SqliteOptions) -> Tenant {
    Memory::over(TenantFolder::new(folder, options), MemoryOptions::default()).tenant(&TenantId::new("default").unwrap())
}

/// A tenant whose writes die at a point while the switch is on.
fn dying(folder: &Path, at: WritePoint, switch: &Arc<AtomicBool>) -> Tenant {
    let switch = Arc::clone(switch);
    let observer = Arc::new(move |point| assert!(point != at || !switch.load(Ordering::Acquire), "a planned fault at {point:?}"));
    over(folder, SqliteOptions { observer: Some(observer), ..SqliteOptions::default() })
}

/// Ends what Ana has, and fills the batch up to a size that is written and staged side by side, or not.
fn closing(filling: usize) -> Vec<Incoming> {
    let mut incoming: Vec<_> = (0..filling).map(|at| fact(&format!("filler {at}"), "likes", "tea", "2020")).collect();
    incoming.push(fact("Ana", "lives_in", "Graz", "2023"));
    incoming
}

const OLD: [&str; 1] = ["Lund [2020, open)"];
const NEW: [&str; 2] = ["Lund [2020, 2023)", "Graz [2023, open)"];

#[test]
fn a_write_that_dies_leaves_the_old_fact_open_or_all_of_the_new() {
    for filling in [0, 3_000] {
        for (name, point, durable) in POINTS {
            let place = place();
            place.tenant.remember(vec![fact("Ana", "lives_in", "Lund", "2020")]).unwrap();
            let switch = Arc::new(AtomicBool::new(false));
            let tenant = dying(place.folder.path(), point, &switch);
            assert_eq!(timeline(&tenant, "Ana", "lives_in"), OLD);
            let view = tenant.at(memory_support::valid("2026")).unwrap();
            switch.store(true, Ordering::Release);
            let died = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tenant.remember(closing(filling))));
            assert!(died.is_err(), "it dies {name}");
            switch.store(false, Ordering::Release);
            let expected: &[&str] = if durable { &NEW } else { &OLD };
            for reader in [&tenant, &place.tenant, &place.again()] {
                assert_eq!(timeline(reader, "Ana", "lives_in"), expected, "{name}, {filling} beside it");
            }
            assert_eq!(view.timeline(&memory_support::name("Ana"), None).unwrap().len(), 1, "a view stands still");
            // The same handle goes on, and once is enough.
            let again = tenant.remember(closing(filling)).unwrap();
            assert_eq!(again.observations == 0, durable, "{again:?}");
            assert_eq!(timeline(&tenant, "Ana", "lives_in"), NEW);
            assert_eq!(tenant.verify().unwrap().problems, [""; 0]);
        }
    }
}

#[test]
fn a_process_that_is_killed_leaves_the_old_fact_open_or_all_of_the_new() {
    if let Ok(order) = std::env::var(STOP) {
        let (stop_at, folder) = order.split_once('\n').unwrap();
        let (_, at, _) = POINTS.into_iter().find(|(name, ..)| *name == stop_at).unwrap();
        let observer = Arc::new(move |point| {
            if point == at {
                std::process::abort();
            }
        });
        let tenant = over(Path::new(folder), SqliteOptions { observer: Some(observer), ..SqliteOptions::default() });
        tenant.remember(closing(0)).unwrap();
        return;
    }
    for (name, _, durable) in POINTS {
        let place = place();
        place.tenant.remember(vec![fact("Ana", "lives_in", "Lund", "2020")]).unwrap();
        let ended = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_process_that_is_killed_leaves_the_old_fact_open_or_all_of_the_new", "--nocapture"])
            .env(STOP, format!("{name}\n{}", place.folder.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(!ended.success(), "it is stopped {name}");
        let expected: &[&str] = if durable { &NEW } else { &OLD };
        for reader in [&place.tenant, &place.again()] {
            assert_eq!(timeline(reader, "Ana", "lives_in"), expected, "{name}");
        }
        let again = place.tenant.remember(closing(0)).unwrap();
        assert_eq!(again.observations == 0, durable, "{again:?}");
        assert_eq!(timeline(&place.tenant, "Ana", "lives_in"), NEW);
        assert_eq!(place.tenant.verify().unwrap().problems, [""; 0]);
    }
}

#[test]
fn a_write_that_cannot_get_its_turn_changes_nothing_and_can_be_repeated() {
    for filling in [0, 3_000] {
        let place = place();
        place.tenant.remember(vec![fact("Ana", "lives_in", "Lund", "2020")]).unwrap();
        let hasty = over(place.folder.path(), SqliteOptions { busy_timeout: Duration::from_millis(50), ..SqliteOptions::default() });
        assert_eq!(timeline(&hasty, "Ana", "lives_in"), OLD);
        let holder = rusqlite::Connection::open(place.file()).unwrap();
        holder.execute_batch("BEGIN IMMEDIATE").unwrap();
        let error = hasty.remember(closing(filling)).unwrap_err();
        assert!(matches!(error, Error::Ledger(LedgerError::Busy { .. })), "{error}");
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert_eq!(timeline(&hasty, "Ana", "lives_in"), OLD, "reads go on");
        assert!(hasty.set_policy("lives_in", Some("cardinality = \"many\"")).is_err(), "nobody writes now");
        assert!(hasty.erase(&EraseTarget::Entity(memory_support::name("Ana"))).is_err(), "nobody erases now");
        assert_eq!(timeline(&hasty, "Ana", "lives_in"), OLD, "reads go on");
        holder.execute_batch("ROLLBACK").unwrap();
        assert_eq!(hasty.remember(closing(filling)).unwrap().duplicates, 0);
        assert_eq!(timeline(&hasty, "Ana", "lives_in"), NEW);
        assert_eq!(hasty.verify().unwrap().problems, [""; 0]);
    }
}

#[test]
fn a_read_only_memory_answers_and_refuses_to_write() {
    let place = place();
    place.tenant.remember(vec![fact("Ana", "lives_in", "Lund", "2020")]).unwrap();
    let reader = over(place.folder.path(), SqliteOptions { read_only: true, ..SqliteOptions::default() });
    assert_eq!(timeline(&reader, "Ana", "lives_in"), OLD);
    let error = reader.remember(closing(0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert_eq!(timeline(&reader, "Ana", "lives_in"), OLD);
    place.tenant.remember(closing(0)).unwrap();
    assert_eq!(timeline(&reader, "Ana", "lives_in"), NEW, "it still follows");
}

#[test]
fn what_is_no_ledger_is_named_and_left_alone() {
    let place = place();
    std::fs::create_dir_all(place.file().parent().unwrap()).unwrap();
    std::fs::write(place.file(), b"not a ledger at all").unwrap();
    let error = place.tenant.at(memory_support::valid("2026")).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
    assert_eq!(place.tenant.remember(closing(0)).unwrap_err().kind(), ErrorKind::Corrupt);
    assert_eq!(std::fs::read(place.file()).unwrap(), b"not a ledger at all");
}
