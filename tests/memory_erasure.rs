//! Erasing: nothing of it is left in any byte of the folder or in any answer, and what it had closed is open again.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::{LedgerError, Retractable};
use erstwhile::memory::{EraseTarget, Erased, Error, ErrorKind, MemoryOptions, TenantId};
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

#[test]
fn the_name_goes_from_reasons_overrides_relations_iris_and_other_spellings() {
    let place = place();
    let tenant = &place.tenant;
    let erased = name("Canaryx Double");
    let mut iri = claim("Bo", "page", "x", "2020", "");
    iri.tail = Term::Iri("https://example.org/canaryx_double/me".to_owned());
    let mut graph = claim("Bo", "notes", "y", "2020", "");
    graph.context = Some("https://example.org/?of=CANARYX%20double".to_owned());
    let mut role = text("2025-01-01T00:00:00Z", "Bo", "It rains.", Vec::new());
    role.observation.role = Some("canaryx-double".to_owned());
    tenant
        .remember(vec![
            said("2025-01-01T00:00:00Z", vec![iri]),
            said("2025-01-01T00:00:00Z", vec![graph]),
            erstwhile::observe::Incoming::new(role.observation, Vec::new()),
            fact("Bo", "Canaryx double", "z", "2020"),
            fact("CANARYX-DOUBLE", "likes", "tea", "2020"),
            text("2025-01-01T00:00:00Z", "Bo", "I saw canaryx_double.", Vec::new()),
        ])
        .unwrap();
    let kept =
        tenant.remember(vec![fact("Bo", "lives_in", "Lund", "2020"), fact("Bo", "knows", "Canaryx Double Junior", "2020")]).unwrap().ids;
    tenant.retract(Retractable::Observation(kept[0]), "Canaryx double told me so").unwrap();
    tenant.set_policy("admires", Some("cardinality = \"one\"\ndescription = \"what Canaryx Double admires\"")).unwrap();
    tenant
        .set_policy(
            "admires",
            Some("cardinality = \"one\"\ndescription = \"plain\"\naliases = { en = [\"looks up to\", \"fan of Canaryx-Double\"] }"),
        )
        .unwrap();
    tenant.set_policy("old", Some("description = \"said Canaryx Double\"")).unwrap();
    tenant.set_policy("old", None).unwrap();
    tenant.set_policy("canaryx double", Some("cardinality = \"one\"")).unwrap();
    let other = place.again();
    assert_eq!(other.policies().unwrap().overrides().count(), 2);
    assert!(other.at(valid("2025")).is_ok(), "another process has it all loaded");

    let named = tenant.naming(&erased).unwrap();
    assert_eq!((named.observations.len(), named.reasons), (6, 1), "{named:?}");
    assert_eq!(named.overrides, ["admires", "canaryx double", "old"]);
    assert_eq!(named.others, ["Canaryx Double Junior"], "another's name is told of");
    assert!(!files_hold(place.folder.path(), b"Canaryx Double").is_empty(), "to ask removes nothing");

    let done = tenant.erase(&EraseTarget::Entity(erased.clone())).unwrap();
    assert_eq!((done.observations, done.claims, done.reasons), (6, 4, 1), "{done:?}");
    assert_eq!((&done.overrides, &done.others), (&named.overrides, &named.others));
    tenant.erase(&EraseTarget::Entity(name("Canaryx Double Junior"))).unwrap();
    for spelling in ["anaryx", "ANARYX"] {
        assert_eq!(files_hold(place.folder.path(), spelling.as_bytes()), [""; 0], "{spelling}");
    }
    for reader in [tenant, &other, &place.again()] {
        let policies = reader.policies().unwrap();
        assert_eq!(policies.overrides().map(|(relation, _)| relation).collect::<Vec<_>>(), ["admires"]);
        assert_eq!(policies.canonical("looks up to").relation, "admires", "what does not name it stays");
        assert!(reader.verify().unwrap().problems.is_empty(), "all is well");
        assert!(timeline(reader, "Bo", "lives_in").is_empty(), "what was retracted stays so");
        let mut exported = Vec::new();
        reader.export(&mut exported).unwrap();
        let again = erstwhile::Memory::open(tempfile::tempdir().unwrap().path().join("m")).unwrap().tenant(&TenantId::new("copy").unwrap());
        again.import(&mut exported.as_slice()).unwrap();
    }
    assert!(matches!(tenant.erase(&EraseTarget::Entity(erased)), Err(Error::NotFound { .. })));
}

#[test]
fn an_erasure_that_overrides_cannot_bear_removes_nothing() {
    let place = place();
    let tenant = &place.tenant;
    tenant.remember(vec![fact("Ana Lopes", "likes", "tea", "2020")]).unwrap();
    tenant.set_policy("ana lopes", Some("cardinality = \"one\"")).unwrap();
    tenant.set_policy("is_of", Some("inverse_of = \"anaLopes\"")).unwrap();
    let before = tenant.stats().unwrap();
    let error = tenant.erase(&EraseTarget::Entity(name("Ana Lopes"))).unwrap_err();
    assert!(matches!(&error, Error::Pack(_)) && error.to_string().contains("is_of"), "{error}");
    assert_eq!(tenant.stats().unwrap(), before);
    tenant.set_policy("is_of", None).unwrap();
    let done = tenant.erase(&EraseTarget::Entity(name("Ana Lopes"))).unwrap();
    assert_eq!((done.observations, done.overrides), (1, vec!["ana lopes".to_owned()]));
    assert!(place.again().verify().unwrap().problems.is_empty(), "all is well");
}

#[test]
fn an_incomplete_erasure_is_completed_by_the_next_and_says_so() {
    let place = place();
    let files = erstwhile::ledger::TenantFolder::new(
        place.folder.path(),
        erstwhile::ledger::SqliteOptions { busy_timeout: std::time::Duration::from_millis(200), ..Default::default() },
    );
    let open = || erstwhile::Memory::over(files.clone(), MemoryOptions::default()).tenant(&TenantId::new("default").unwrap());
    open().remember(vec![fact("Uma", "lives_in", CANARY, "2020"), fact("Bo", "lives_in", "Lund", "2020")]).unwrap();
    let uma = EraseTarget::Entity(name("Uma"));
    let reader = rusqlite::Connection::open(place.file()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM claims").unwrap();
    for _again in 0..2 {
        let error = open().erase(&uma).unwrap_err();
        assert!(matches!(error, Error::Ledger(LedgerError::ErasureIncomplete { .. })), "{error}");
    }
    assert_eq!(open().remember(vec![fact("Cy", "lives_in", "Graz", "2020")]).unwrap().observations, 1, "writing goes on");
    reader.execute_batch("COMMIT").unwrap();
    let done = open().erase(&uma).unwrap();
    assert_eq!(done, Erased { completed: true, ..Erased::default() });
    assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
    let tenant = open();
    assert_eq!(tenant.erase(&uma).unwrap_err().kind(), ErrorKind::NotFound, "and nothing is left to complete");
    assert!(!tenant.complete_erasure().unwrap(), "so it says");
}

#[test]
fn a_write_that_fails_leaves_no_tenant_behind() {
    let place = place();
    let header = "{\"erstwhile_export\":1,\"tenant\":\"default\"}\n";
    assert!(place.tenant.import(&mut format!("{header}{{\"seq\":1}}\n").as_bytes()).is_err(), "a bad line");
    assert!(place.tenant.set_policy("likes", None).is_err(), "there is nothing to take away");
    assert!(place.memory.tenants().unwrap().is_empty(), "no tenant was made");
    assert_eq!(place.tenant.stats().unwrap_err().kind(), ErrorKind::NotFound);
    place.tenant.remember(vec![fact("Uma", "lives_in", "Lund", "2020")]).unwrap();
    assert!(place.tenant.import(&mut format!("{header}{{\"end\":0}}\n").as_bytes()).is_err(), "not empty");
    assert_eq!(timeline(&place.again(), "Uma", "lives_in").len(), 1, "what was there stays");
    let empty = place.memory.tenant(&TenantId::new("empty").unwrap());
    empty.import(&mut format!("{header}{{\"end\":0}}\n").as_bytes()).unwrap();
    assert!(empty.import(&mut "nonsense".as_bytes()).is_err(), "a bad header");
    assert_eq!(place.memory.tenants().unwrap().len(), 2, "a tenant that was there before stays, empty as it is");
}

#[test]
fn a_tenant_is_erased_whatever_its_file_holds_and_says_what_it_held() {
    let place = place();
    let id = TenantId::new("default").unwrap();
    let erase = || place.memory.erase_tenant(&id);
    place.tenant.remember(vec![fact("Uma", "lives_in", CANARY, "2020")]).unwrap();
    let held = erase().unwrap().unwrap();
    assert_eq!((held.observations, held.claims), (1, 1));
    let change = |sql: &str| rusqlite::Connection::open(place.file()).unwrap().execute_batch(sql).unwrap();
    let spoil: [&dyn Fn(); 4] = [
        &|| change("PRAGMA user_version = 99"),
        &|| change("DROP TABLE beliefs"),
        &|| std::fs::write(place.file(), "not a ledger").unwrap(),
        &|| std::fs::OpenOptions::new().write(true).open(place.file()).unwrap().set_len(5_000).unwrap(),
    ];
    for spoil in spoil {
        place.again().remember(vec![fact("Uma", "lives_in", CANARY, "2020")]).unwrap();
        // A copy of the file alone, as a backup would have left it.
        change("PRAGMA wal_checkpoint(TRUNCATE)");
        spoil();
        assert_eq!(place.again().stats().unwrap_err().kind(), ErrorKind::Corrupt);
        assert_eq!(erase().unwrap(), None, "what it held cannot be told");
        assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
        assert!(place.memory.tenants().unwrap().is_empty(), "it is gone");
    }
}
