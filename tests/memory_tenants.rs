//! Tenants: nothing of one is ever seen through another, an unknown one is an error, and those not in use make room.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::{LedgerError, Retractable};
use erstwhile::memory::{EraseTarget, Error, ErrorKind, Memory, MemoryOptions, Tenant, TenantId};
use erstwhile::model::{ClaimId, FactId};
use memory_support::{fact, name, place, said, timeline, valid};

fn tenant(memory: &Memory, name: &str) -> Tenant {
    memory.tenant(&TenantId::new(name).unwrap())
}

#[test]
fn no_reading_call_shows_another_tenants_content() {
    let place = place();
    let (a, b) = (tenant(&place.memory, "a"), tenant(&place.memory, "b"));
    // The same name and relation in both, and one observation that only one of them has.
    a.remember(vec![fact("Ana", "employer", "Acme", "2020")]).unwrap();
    b.remember(vec![fact("Ana", "employer", "Globex", "2021"), fact("Bo", "likes", "tea", "2019")]).unwrap();
    let ids = b.remember(vec![said("2025-01-02T00:00:00Z", vec![memory_support::claim("Cy", "likes", "rye", "2020", "")])]).unwrap().ids;
    let foreign = ids[0];
    let claim = ClaimId { observation: foreign, ordinal: 0 };
    for as_of in [valid("2026"), valid("2020")] {
        // One as-of for two calls: nothing is carried over from one tenant to the other.
        assert_eq!(timeline(&a, "Ana", "employer"), ["Acme [2020, open)"]);
        assert_eq!(timeline(&b, "Ana", "employer"), ["Globex [2021, open)"]);
        let view = a.at(as_of).unwrap();
        assert!(view.about(&name("Bo")).is_err(), "unknown here");
        assert!(view.holders("likes", &name("tea")).is_err(), "unknown here");
        assert!(view.explain(FactId(claim)).is_err(), "unknown here");
        assert!(a.at_slot(as_of, &name("Bo"), Some("likes")).unwrap().values(&name("Bo"), "likes").is_err(), "unknown here");
        assert!(matches!(a.why(as_of, FactId(claim)), Err(Error::Read(_))));
    }
    assert!(matches!(a.observation(foreign), Err(Error::NotFound { .. })));
    assert!(matches!(a.find_observation(&foreign.to_string()), Err(Error::NotFound { .. })));
    assert!(matches!(a.find_claim(&foreign.to_string()), Err(Error::NotFound { .. })));
    assert!(matches!(a.retract(Retractable::Observation(foreign), ""), Err(Error::NotFound { .. })));
    assert!(matches!(a.restore(Retractable::Claim(claim), ""), Err(Error::NotFound { .. })));
    assert!(matches!(a.erase(&EraseTarget::Observation(foreign)), Err(Error::NotFound { .. })));
    assert!(matches!(a.erase(&EraseTarget::Entity(name("Cy"))), Err(Error::NotFound { .. })));
    assert_eq!(a.stats().unwrap().observations, 1);
    let mut exported = Vec::new();
    a.export(&mut exported).unwrap();
    let exported = String::from_utf8(exported).unwrap();
    assert!(!exported.contains("Globex") && !exported.contains("Cy"), "{exported}");
    assert!(b.observation(foreign).is_ok(), "and nothing happened to it where it is");
    b.set_policy("likes", Some("cardinality = \"one\"")).unwrap();
    assert_eq!(a.policies().unwrap().overrides().count(), 0, "policies are a tenant's own");
    assert_eq!(place.memory.tenants().unwrap(), [TenantId::new("a").unwrap(), TenantId::new("b").unwrap()]);
}

#[test]
fn an_unknown_tenant_is_an_error_in_every_reading_call() {
    let place = place();
    tenant(&place.memory, "known").remember(vec![fact("Ana", "employer", "Acme", "2020")]).unwrap();
    let ghost = tenant(&place.memory, "ghost");
    let unknown = |error: Error| {
        assert!(matches!(&error, Error::Ledger(LedgerError::UnknownTenant { tenant }) if tenant == "ghost"), "{error}");
        assert_eq!(error.kind(), ErrorKind::NotFound);
    };
    let id = fact("Ana", "employer", "Acme", "2020").observation.id;
    unknown(ghost.at(valid("2026")).map(|_| ()).unwrap_err());
    unknown(ghost.at_slot(valid("2026"), &name("Ana"), None).map(|_| ()).unwrap_err());
    unknown(ghost.why(valid("2026"), FactId(ClaimId { observation: id, ordinal: 0 })).map(|_| ()).unwrap_err());
    unknown(ghost.find_claim("0").unwrap_err());
    unknown(ghost.find_observation("0").unwrap_err());
    unknown(ghost.observation(id).map(|_| ()).unwrap_err());
    unknown(ghost.retract(Retractable::Observation(id), "").unwrap_err());
    unknown(ghost.restore(Retractable::Observation(id), "").unwrap_err());
    unknown(ghost.erase(&EraseTarget::Observation(id)).unwrap_err());
    unknown(ghost.policies().map(|_| ()).unwrap_err());
    unknown(ghost.stats().unwrap_err());
    unknown(ghost.verify().unwrap_err());
    unknown(ghost.export(&mut Vec::new()).unwrap_err());
    unknown(place.memory.erase_tenant(ghost.id()).unwrap_err());
    assert!(ghost.set_policy("likes", Some("nonsense = 1")).is_err(), "nonsense creates no tenant");
    assert_eq!(ghost.remember(Vec::new()).unwrap().observations, 0, "and nothing does not either");
    assert_eq!(place.memory.tenants().unwrap().len(), 1);
}

#[test]
fn names_that_would_escape_or_collide_are_tenants_like_any_other() {
    let place = place();
    let names = ["../escape", "a/b", "Case", "case", "con", "dot.", "ünï", "%41", "A"];
    for (year, name) in (2000..).zip(names) {
        tenant(&place.memory, name).remember(vec![fact("Ana", "employer", "Acme", &year.to_string())]).unwrap();
    }
    for (year, name) in (2000..).zip(names) {
        assert_eq!(timeline(&tenant(&place.memory, name), "Ana", "employer"), [format!("Acme [{year}, open)")], "{name}");
    }
    let mut sorted = names.map(str::to_owned).to_vec();
    sorted.sort();
    let listed: Vec<String> = place.memory.tenants().unwrap().iter().map(|id| id.as_str().to_owned()).collect();
    assert_eq!(listed, sorted);
    let outside: Vec<_> = std::fs::read_dir(place.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(outside, ["tenants"], "everything is inside the one folder");
}

#[test]
fn projections_that_are_not_in_use_make_room_and_come_back() {
    let place = place();
    for at in 0..6 {
        let incoming = (0..200).map(|head| fact(&format!("head {head}"), "likes", &format!("tail {at}"), "2020")).collect();
        tenant(&place.memory, &format!("t{at}")).remember(incoming).unwrap();
    }
    let one = tenant(&place.memory, "t0").stats().unwrap().bytes_in_memory;
    let options = MemoryOptions { memory_budget_bytes: 3 * one, ..MemoryOptions::default() };
    let small = Memory::open_with(place.folder.path(), options).unwrap();
    let handles: Vec<Tenant> = (0..6).map(|at| tenant(&small, &format!("t{at}"))).collect();
    let old = handles[0].at(valid("2026")).unwrap();
    for round in 0..2 {
        for (at, handle) in handles.iter().enumerate() {
            let held = handle.at(valid("2026")).unwrap().values(&name("head 7"), "likes").unwrap();
            assert_eq!(memory_support::tails(&held), [format!("tail {at}")], "round {round}");
        }
    }
    assert_eq!(old.values(&name("head 7"), "likes").unwrap().facts.len(), 1, "a view outlives its projection");
    handles[2].remember(vec![fact("head 7", "likes", "tail new", "2021")]).unwrap();
    assert_eq!(handles[2].at(valid("2026")).unwrap().values(&name("head 7"), "likes").unwrap().facts.len(), 2);
}
