//! Several memories on one folder, in threads and in processes: both see all, whatever the other one does.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::Retractable;
use erstwhile::memory::{EraseTarget, Memory, Tenant, TenantId};
use memory_support::{fact, name, place, timeline, valid};
use std::process::{Command, Stdio};

/// Set, this is the other process, and works on this folder.
const FOLDER: &str = "ERSTWHILE_TEST_MEMORY_FOLDER";

#[test]
fn two_memories_on_one_folder_see_each_others_writes() {
    let place = place();
    let (here, there) = (&place.tenant, &place.again());
    let acme = here.remember(vec![fact("Ana", "employer", "Acme", "2020")]).unwrap().ids[0];
    assert_eq!(timeline(there, "Ana", "employer"), ["Acme [2020, open)"]);
    let globex = there.remember(vec![fact("Ana", "employer", "Globex", "2021")]).unwrap();
    assert_eq!(globex.applied.closed, 1, "it is derived from what the other one wrote");
    let both = ["Acme [2020, 2021)", "Globex [2021, open)"];
    assert_eq!(timeline(here, "Ana", "employer"), both);
    here.retract(Retractable::Observation(globex.ids[0]), "").unwrap();
    assert_eq!(timeline(there, "Ana", "employer"), ["Acme [2020, open)"]);
    there.restore(Retractable::Observation(globex.ids[0]), "").unwrap();
    assert_eq!(timeline(here, "Ana", "employer"), both);
    there.set_policy("employer", Some("cardinality = \"many\"")).unwrap();
    assert_eq!(timeline(here, "Ana", "employer"), ["Acme [2020, open)", "Globex [2021, open)"]);
    here.set_policy("employer", None).unwrap();
    assert_eq!(timeline(there, "Ana", "employer"), both);
    there.erase(&EraseTarget::Observation(acme)).unwrap();
    assert_eq!(timeline(here, "Ana", "employer"), ["Globex [2021, open)"]);
    here.erase(&EraseTarget::Observation(globex.ids[0])).unwrap();
    assert!(there.at(valid("2026")).unwrap().about(&name("Ana")).is_err(), "nothing is left of her");
    // Erased, fed again and erased again while the other one does not look.
    there.remember(vec![fact("Ana", "employer", "Acme", "2020")]).unwrap();
    there.erase(&EraseTarget::Observation(acme)).unwrap();
    there.remember(vec![fact("Ana", "employer", "Acme", "2020"), fact("Bo", "employer", "Acme", "2020")]).unwrap();
    assert_eq!(timeline(here, "Ana", "employer"), ["Acme [2020, open)"]);
    for tenant in [here, there] {
        assert_eq!(tenant.verify().unwrap().problems, [""; 0]);
    }
}

#[test]
fn an_observation_erased_and_fed_again_by_others_counts_once() {
    let place = place();
    let here = &place.tenant;
    let id = here.remember(vec![fact("Ana", "employer", "Acme", "2020"), fact("Ana", "employer", "Globex", "2021")]).unwrap().ids[0];
    assert_eq!(timeline(here, "Ana", "employer").len(), 2);
    let there = place.again();
    there.erase(&EraseTarget::Observation(id)).unwrap();
    there.remember(vec![fact("Ana", "employer", "Acme", "2020")]).unwrap();
    assert_eq!(timeline(here, "Ana", "employer"), ["Acme [2020, 2021)", "Globex [2021, open)"]);
    assert_eq!(here.verify().unwrap().problems, [""; 0]);
    assert_eq!(here.stats().unwrap().observations, 2);
}

#[test]
fn large_batches_that_meet_are_all_there_and_derived_right() {
    const EACH: u32 = 2_500;
    let place = place();
    place.tenant.remember(vec![fact("seed", "likes", "tea", "2020")]).unwrap();
    let batch = |who: u32| -> Vec<_> {
        (0..EACH)
            .map(|at| {
                fact(&format!("head {}", at % 500), "lives_in", &format!("town {who} {at}"), &format!("{}", 1000 + at / 500 * 2 + who))
            })
            .collect()
    };
    let others = place.again();
    std::thread::scope(|scope| {
        let writers = [(&place.tenant, 0), (&others, 1)].map(|(tenant, who)| scope.spawn(move || tenant.remember(batch(who)).unwrap()));
        for writer in writers {
            let receipt = writer.join().unwrap();
            assert_eq!((receipt.observations, receipt.duplicates), (u64::from(EACH), 0));
        }
    });
    for tenant in [&place.tenant, &others, &place.again()] {
        assert_eq!(tenant.stats().unwrap().observations, u64::from(2 * EACH) + 1);
        assert_eq!(timeline(tenant, "head 3", "lives_in").len(), 10);
    }
    assert_eq!(place.tenant.verify().unwrap().problems, [""; 0]);
}

fn write_500(tenant: &Tenant, who: &str) {
    for at in 0..500 {
        let receipt = tenant
            .remember(vec![fact(&format!("{who} {}", at % 50), "lives_in", &format!("town {at}"), &format!("{}", 1000 + at / 50))])
            .unwrap();
        assert_eq!(receipt.observations, 1);
        // Read-your-writes, whatever the other one is at.
        assert_eq!(timeline(tenant, &format!("{who} {}", at % 50), "lives_in").len(), at / 50 + 1);
    }
}

#[test]
fn two_processes_write_500_each_and_both_see_all() {
    if let Ok(folder) = std::env::var(FOLDER) {
        return write_500(&Memory::open(folder).unwrap().tenant(&TenantId::new("default").unwrap()), "other");
    }
    let place = place();
    let mut other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "two_processes_write_500_each_and_both_see_all", "--nocapture"])
        .env(FOLDER, place.folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    write_500(&place.tenant, "own");
    assert!(other.wait().unwrap().success(), "the other process");
    assert_eq!(place.tenant.stats().unwrap().observations, 1_000);
    for tenant in [&place.tenant, &place.again()] {
        for who in ["own 7", "other 7"] {
            assert_eq!(timeline(tenant, who, "lives_in").len(), 10);
        }
    }
    assert_eq!(place.tenant.verify().unwrap().problems, [""; 0]);
}
