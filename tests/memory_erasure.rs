//! Erasing: nothing of it is left in any byte of the folder or in any answer, and what it had closed is open again.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::Retractable;
use erstwhile::memory::{EraseTarget, Error, TenantId};
use erstwhile::model::{Literal, Term};
use memory_support::{claim, fact, files_hold, name, place, said, text, timeline, valid, values};

const CANARY: &str = "ZX-CANARY-7731";

#[test]
fn an_erased_canary_is_in_no_byte_and_in_no_answer() {
    let place = place();
    let tenant = &place.tenant;
    tenant.remember(vec![fact("Uma", "lives_in", "Lund", "2020"), fact("Uma", "employer", "Acme", "2021")]).unwrap();
    let planted = claim("Uma", "lives_in", &format!("Graz {CANARY}"), "2023", "");
    let mut literal = claim("Uma", "notes", "x", "2023", "");
    literal.tail = Term::Literal(Literal { lexical: format!("see {CANARY}"), datatype: None, language: None });
    literal.context = Some(format!("https://example.org/{CANARY}"));
    let mut planted = text("2023-02-01T00:00:00Z", CANARY, &format!("I moved to Graz, {CANARY}."), vec![planted, literal]);
    planted.observation.key = Some(format!("key {CANARY}"));
    planted.observation.session = Some(format!("session {CANARY}"));
    planted.observation.source.name = Some(format!("source {CANARY}"));
    let planted = erstwhile::observe::Incoming::new(planted.observation, planted.ready);
    let id = tenant.remember(vec![planted.clone()]).unwrap().ids[0];
    tenant.retract(Retractable::Observation(id), &format!("because of {CANARY}")).unwrap();
    tenant.restore(Retractable::Observation(id), &format!("no, {CANARY} is fine")).unwrap();
    assert_eq!(timeline(tenant, "Uma", "lives_in").len(), 2);
    assert!(!files_hold(place.folder.path(), CANARY.as_bytes()).is_empty(), "the scan finds what is there");
    let other = place.again();
    assert_eq!(timeline(&other, "Uma", "lives_in").len(), 2);

    let erased = tenant.erase(&EraseTarget::Observation(id)).unwrap();
    assert_eq!((erased.observations, erased.claims, erased.applied.reopened), (1, 2, 1), "{erased:?}");

    assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
    for reader in [tenant, &other, &place.again()] {
        assert_eq!(timeline(reader, "Uma", "lives_in"), ["Lund [2020, open)"]);
        let view = reader.at(valid("2026")).unwrap();
        assert!(view.about(&name(&format!("Graz {CANARY}"))).is_err(), "the entity is unknown");
        let mut exported = Vec::new();
        reader.export(&mut exported).unwrap();
        let answers = [
            format!("{:?} {:?}", view.about(&name("Uma")), view.timeline(&name("Uma"), None)),
            format!("{:?} {:?}", reader.observation(id), reader.find_observation(&format!("key {CANARY}"))),
            format!("{:?} {:?}", reader.stats().unwrap(), reader.verify().unwrap()),
            String::from_utf8(exported).unwrap(),
        ]
        .join("\n");
        assert_eq!(answers.matches(CANARY).count(), 1, "only the question itself names it: {answers}");
        assert!(matches!(reader.observation(id), Err(Error::NotFound { .. })));
        assert!(reader.verify().unwrap().problems.is_empty(), "all is well");
        assert!(reader.retract(Retractable::Observation(id), "again").is_err(), "there is nothing to retract");
    }
    assert!(matches!(tenant.erase(&EraseTarget::Observation(id)), Err(Error::NotFound { .. })));

    let again = tenant.remember(vec![planted]).unwrap();
    assert_eq!((again.observations, again.duplicates), (1, 0), "fed again it is new");
    assert_eq!(timeline(&other, "Uma", "lives_in").len(), 2, "and others see it");
}

#[test]
fn a_fact_stays_while_one_observation_supports_it() {
    let place = place();
    let first = place.tenant.remember(vec![said("2025-01-01T00:00:00Z", vec![claim("Ana", "likes", "tea", "2020", "")])]).unwrap().ids[0];
    let second = place.tenant.remember(vec![said("2025-01-02T00:00:00Z", vec![claim("Ana", "likes", "tea", "2020", "")])]).unwrap().ids[0];
    let supporters = || {
        let view = place.tenant.at(valid("2026")).unwrap();
        view.values(&name("Ana"), "likes").map(|answer| {
            answer.facts.iter().flat_map(|held| held.fact.supported_by.clone()).map(|claim| claim.observation).collect::<Vec<_>>()
        })
    };
    let mut both = supporters().unwrap();
    both.sort();
    let mut expected = vec![first, second];
    expected.sort();
    assert_eq!(both, expected);
    place.tenant.erase(&EraseTarget::Observation(first)).unwrap();
    assert_eq!(supporters().unwrap(), [second]);
    place.tenant.erase(&EraseTarget::Observation(second)).unwrap();
    assert!(supporters().is_err(), "nothing is known of Ana");
    assert_eq!(place.tenant.stats().unwrap().entities, 0, "no entity is left over");
}

#[test]
fn an_entity_goes_with_every_observation_that_names_it() {
    let place = place();
    let mut noted = claim("Bo", "notes", "x", "2020", "");
    noted.tail = Term::Literal(Literal { lexical: "lunch with Ana Lopes".to_owned(), datatype: None, language: None });
    let named = vec![
        fact("Ana Lopes", "employer", "Acme", "2020"),
        fact("Bo", "knows", "ANA  LOPES", "2020"),
        text("2025-01-01T00:00:00Z", "ana lopes", "It rains.", Vec::new()),
        text("2025-01-01T00:00:00Z", "Bo", "I saw Ana Lopes.", vec![claim("Bo", "likes", "rain", "2020", "")]),
        said("2025-01-01T00:00:00Z", vec![noted]),
    ];
    let unnamed = vec![
        fact("Ana Lopesova", "employer", "Acme", "2020"),
        text("2025-01-01T00:00:00Z", "Bo", "Anabel Lopes and Ana were here.", vec![claim("Bo", "likes", "tea", "2020", "")]),
        fact("Bo", "lives_in", "Lund", "2020"),
    ];
    let kept = place.tenant.remember(unnamed).unwrap().ids;
    place.tenant.remember(named).unwrap();
    let erased = place.tenant.erase(&EraseTarget::Entity(name("Ana Lopes"))).unwrap();
    assert_eq!((erased.observations, erased.claims), (5, 4));
    assert_eq!(place.tenant.stats().unwrap().observations, 3);
    for id in kept {
        assert!(place.tenant.observation(id).is_ok(), "{id} does not name her");
    }
    assert_eq!(values(&place.tenant, valid("2025"), "Bo", "likes"), ["tea"]);
    assert_eq!(files_hold(place.folder.path(), b"Ana Lopes."), [""; 0]);
    assert_eq!(files_hold(place.folder.path(), b"ANA  LOPES"), [""; 0]);
    assert!(matches!(place.tenant.erase(&EraseTarget::Entity(name("Ana Lopes"))), Err(Error::NotFound { .. })));
}

#[test]
fn an_erased_tenant_is_unknown_to_every_handle() {
    let place = place();
    place.tenant.remember(vec![fact("Uma", "lives_in", CANARY, "2020")]).unwrap();
    let other = place.again();
    assert_eq!(timeline(&other, "Uma", "lives_in").len(), 1);
    let id = TenantId::new("default").unwrap();
    place.memory.erase_tenant(&id).unwrap();
    assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
    assert!(place.memory.tenants().unwrap().is_empty(), "the folder is empty");
    assert!(place.tenant.at(valid("2026")).is_err(), "unknown to the handle that knew it");
    assert!(other.at(valid("2026")).is_err(), "and to another memory's");
    assert!(place.memory.erase_tenant(&id).is_err(), "there is nothing to erase");
    place.tenant.remember(vec![fact("Uma", "lives_in", "Graz", "2021")]).unwrap();
    for handle in [&place.tenant, &other] {
        assert_eq!(timeline(handle, "Uma", "lives_in"), ["Graz [2021, open)"], "written again, it is a new tenant");
    }
}

#[test]
fn a_tenant_removed_and_made_anew_elsewhere_is_never_taken_for_the_old_one() {
    let place = place();
    let elsewhere = memory_support::open(place.folder.path(), &place.clock);
    let id = TenantId::new("default").unwrap();
    let cold = place.again();
    let asked = |tenant: &erstwhile::Tenant| {
        let answer = tenant.at_slot(valid("2026"), &name("Uma"), Some("lives_in")).unwrap().values(&name("Uma"), "lives_in").unwrap();
        memory_support::tails(&answer)
    };
    // As many records each time, so that only the ledger itself can tell them apart.
    for town in ["Lund", "Graz", "Rome"] {
        elsewhere.tenant(&id).remember(vec![fact("Uma", "lives_in", town, "2020")]).unwrap();
        assert_eq!(values(&place.tenant, valid("2026"), "Uma", "lives_in"), [town], "by one that has all of it loaded");
        assert_eq!(asked(&cold), [town], "by one that reads slices");
        elsewhere.erase_tenant(&id).unwrap();
    }
}
