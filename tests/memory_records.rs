//! Settings, and claims that are read later: told by every handle, exported and imported, verified, and erased.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::{ExtractionStatus, Retractable};
use erstwhile::memory::{EraseTarget, Error, ErrorKind, Tenant, TenantId};
use erstwhile::model::{Claim, ClaimId, Correction, ObservationId};
use memory_support::{Place, as_known, claim, fact, files_hold, instant, name, place, text, timeline, valid, values};

const CANARY: &str = "ZX-CANARY-9913";

/// A claim that a model has read.
fn read(head: &str, relation: &str, tail: &str, from: &str) -> Claim {
    Claim { extractor: "llm".to_owned(), ..claim(head, relation, tail, from, "") }
}

fn failed(reason: &str) -> ExtractionStatus {
    ExtractionStatus::Failed(reason.to_owned())
}

/// Two turns that wait (of the first one claim was read before the model stopped), and an observation that does not.
fn waiting() -> (Place, Vec<ObservationId>) {
    let place = place();
    let turns = ["Lund it was, then Graz.", "Tea, please."].map(|words| text("2025-01-01T00:00:00Z", "Uma", words, vec![]));
    let mut ids = place.tenant.remember_pending(turns.to_vec(), "no answer").unwrap().ids;
    place.tenant.record_extraction(ids[0], "llm", vec![read("Uma", "lives_in", "Lund", "2019")], failed("stopped")).unwrap();
    ids.extend(place.tenant.remember(vec![fact("Bo", "likes", "tea", "2020")]).unwrap().ids);
    place.clock.set(instant("2026-02-01T00:00:00Z"));
    (place, ids)
}

fn exported(tenant: &Tenant) -> String {
    let mut out = Vec::new();
    tenant.export(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_last_setting_of_a_name_counts_everywhere() {
    let place = place();
    let tenant = &place.tenant;
    assert!(matches!(tenant.setting("write"), Err(error) if error.kind() == ErrorKind::NotFound), "there is no tenant yet");
    assert!(tenant.set_setting("write", None).is_err(), "and none is made to take something away");
    assert!(tenant.set_setting("write", Some("keep = 'all'\n")).unwrap());
    assert!(tenant.set_setting("pack/ja", Some("値")).unwrap());
    assert!(tenant.set_setting("write", Some("keep = 'little'\n")).unwrap());
    let other = place.again();
    assert!(other.set_setting("gone", Some("x")).unwrap());
    assert!(other.set_setting("gone", None).unwrap());
    assert!(!tenant.set_setting("gone", None).unwrap(), "it is gone already");
    assert!(matches!(tenant.set_setting("\n", Some("x")), Err(Error::Term(_))));
    let expected = [("pack/ja".to_owned(), "値".to_owned()), ("write".to_owned(), "keep = 'little'\n".to_owned())];
    for reader in [tenant, &other, &place.again()] {
        assert_eq!(reader.settings().unwrap(), expected);
        assert_eq!(reader.setting("write").unwrap().as_deref(), Some("keep = 'little'\n"));
        assert_eq!(reader.setting("gone").unwrap(), None);
    }
    assert_eq!(tenant.verify().unwrap(), erstwhile::memory::Verification { records: 5, ..Default::default() });
    let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
    copy.import(&mut exported(tenant).as_bytes()).unwrap();
    assert_eq!(copy.settings().unwrap(), expected);
}

#[test]
fn a_setting_that_names_an_erased_entity_is_removed() {
    let place = place();
    let tenant = &place.tenant;
    tenant.remember(vec![fact("Uma", "likes", "rye", "2020")]).unwrap();
    tenant.set_setting("consent", Some(&format!("nobody, {CANARY}"))).unwrap();
    tenant.set_setting("consent", Some("Uma: health")).unwrap();
    tenant.set_setting("of Uma", Some("x")).unwrap();
    tenant.set_setting("of Umanda", Some("Umanda")).unwrap();
    assert_eq!(tenant.naming(&name("uma")).unwrap().settings, ["consent", "of Uma"]);
    let erased = tenant.erase(&EraseTarget::Entity(name("uma"))).unwrap();
    assert_eq!(erased.settings, ["consent", "of Uma"]);
    for reader in [tenant, &place.again()] {
        assert_eq!(reader.settings().unwrap(), [("of Umanda".to_owned(), "Umanda".to_owned())], "an older text does not come back");
        assert!(reader.verify().unwrap().problems.is_empty());
    }
    assert_eq!(files_hold(place.folder.path(), b"Uma:"), [""; 0]);
    assert_eq!(files_hold(place.folder.path(), b"of Uma\""), [""; 0]);
    let erased = tenant.erase(&EraseTarget::Entity(name(CANARY))).unwrap();
    assert_eq!((erased.observations, erased.settings), (0, vec!["consent".to_owned()]));
    assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
}

#[test]
fn claims_that_come_later_are_known_from_then_on() {
    let (place, ids) = waiting();
    let tenant = &place.tenant;
    let other = place.again();
    assert_eq!(timeline(&other, "Uma", "lives_in"), ["Lund [2019, open)"], "what was read is known at once");
    let waits = |tenant: &Tenant| -> Vec<(ObservationId, u64, String)> {
        tenant.pending().unwrap().into_iter().map(|one| (one.id, one.tries, one.reason)).collect()
    };
    assert_eq!(waits(&other), [(ids[0], 2, "stopped".to_owned()), (ids[1], 1, "no answer".to_owned())]);
    assert_eq!(other.pending().unwrap()[0].since, instant("2026-01-01T00:00:00Z"));

    let tried = tenant.record_extraction(ids[0], "llm", vec![], failed("busy")).unwrap();
    assert_eq!((tried.claims, tried.duplicates, tried.tx), (0, 0, Some(instant("2026-02-01T00:00:00Z"))));
    let half = tenant.record_extraction(ids[0], "llm", vec![read("Uma", "likes", "Graz", "2023")], failed("cut off")).unwrap();
    assert_eq!((half.claims, half.applied.opened), (1, 1));
    assert_eq!(waits(tenant), [(ids[0], 4, "cut off".to_owned()), (ids[1], 1, "no answer".to_owned())]);
    place.clock.set(instant("2026-03-01T00:00:00Z"));
    let bad = Claim { confidence: 7.0, ..read("Uma", "likes", "rye", "") };
    let mut graz = read("Uma", "lives_in", "Graz", "2023");
    graz.corrects = Some(Correction::Claim(ClaimId { observation: ids[0], ordinal: 1 }));
    let done = tenant.record_extraction(ids[0], "llm", vec![bad, graz.clone()], ExtractionStatus::Done).unwrap();
    assert_eq!((done.claims, done.rejected_count, done.applied.closed), (1, 1, 1), "{done:?}");
    let again = tenant.record_extraction(ids[0], "llm", vec![graz], ExtractionStatus::Done).unwrap();
    assert_eq!((again.claims, again.duplicates, again.tx), (0, 1, None), "once is enough");
    let over = tenant.record_extraction(ids[2], "llm", vec![read("Bo", "likes", "rye", "")], ExtractionStatus::Done).unwrap();
    assert_eq!((over.claims, over.duplicates), (0, 1), "it never waited");
    let unknown = ObservationId::from_bytes([3; 16]);
    assert!(matches!(tenant.record_extraction(unknown, "llm", vec![], ExtractionStatus::Done), Err(Error::NotFound { .. })));

    for reader in [tenant, &other, &place.again()] {
        assert_eq!(timeline(reader, "Uma", "lives_in"), ["Lund [2019, 2023)", "Graz [2023, open)"]);
        assert!(values(reader, valid("2025"), "Uma", "likes").is_empty(), "corrected by a later claim of the same turn");
        let then = reader.at(as_known("2025", "2026-02-15T00:00:00Z")).unwrap();
        assert_eq!(then.timeline(&name("Uma"), Some("lives_in")).unwrap().len(), 1, "not yet read then");
        assert_eq!(then.values(&name("Uma"), "likes").unwrap().facts.len(), 1);
        assert_eq!(waits(reader), [(ids[1], 1, "no answer".to_owned())]);
        let stored = reader.observation(ids[0]).unwrap();
        assert_eq!(stored.claims.iter().map(|(_, _, claim)| claim.tail.to_string()).collect::<Vec<_>>(), ["Lund", "Graz", "Graz"]);
        assert_eq!(stored.claims.iter().map(|(seq, ..)| *seq).collect::<Vec<_>>(), [4, 9, 11], "each at its place");
        let id = ClaimId { observation: ids[0], ordinal: 2 };
        assert_eq!(reader.find_claim(&format!("{}.2", ids[0])).unwrap(), id);
        assert_eq!(reader.why(valid("2025"), erstwhile::model::FactId(id)).unwrap().sources[0].words, "Lund it was, then Graz.");
        let cold = place.again().at_values(valid("2025"), &name("Uma"), "lives_in").unwrap();
        assert_eq!(cold.timeline(&name("Uma"), Some("lives_in")).unwrap().len(), 2);
        assert!(reader.verify().unwrap().problems.is_empty(), "{:?}", reader.verify().unwrap());
    }
}

#[test]
fn a_retraction_of_the_observation_takes_in_what_is_read_later() {
    let (place, ids) = waiting();
    place.tenant.retract(Retractable::Observation(ids[1]), "a joke").unwrap();
    place.tenant.record_extraction(ids[1], "llm", vec![read("Uma", "likes", "tea", "2020")], ExtractionStatus::Done).unwrap();
    assert!(place.tenant.at(valid("2025")).unwrap().values(&name("Uma"), "likes").unwrap().facts.is_empty());
    assert!(place.tenant.verify().unwrap().problems.is_empty());
    place.tenant.restore(Retractable::Observation(ids[1]), "").unwrap();
    assert_eq!(values(&place.tenant, valid("2025"), "Uma", "likes"), ["tea"]);
    assert!(place.tenant.verify().unwrap().problems.is_empty());
}

#[test]
fn an_export_brings_all_of_it_back() {
    let (place, ids) = waiting();
    let tenant = &place.tenant;
    tenant.record_extraction(ids[0], "llm", vec![read("Uma", "likes", "Graz", "2023")], failed("cut off")).unwrap();
    tenant.merge(&name("Uma"), &name("Uma Berg"), "one number").unwrap();
    place.clock.set(instant("2026-03-01T00:00:00Z"));
    tenant.record_extraction(ids[0], "llm", vec![read("Uma Berg", "lives_in", "Graz", "2023")], ExtractionStatus::Done).unwrap();
    tenant.record_extraction(ids[1], "llm", vec![], failed("busy")).unwrap();
    tenant.set_setting("write", Some("a\nb")).unwrap();
    place.clock.set(instant("2026-04-01T00:00:00Z"));
    tenant.unmerge(&name("Uma"), &name("Uma Berg"), "").unwrap();
    let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
    assert_eq!(copy.import(&mut exported(tenant).as_bytes()).unwrap(), 10);
    let lines = |tenant: &Tenant| exported(tenant).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&copy), lines(tenant));
    assert_eq!(copy.pending().unwrap(), tenant.pending().unwrap());
    assert_eq!(copy.merges().unwrap(), tenant.merges().unwrap());
    assert_eq!(copy.observation(ids[0]).unwrap(), tenant.observation(ids[0]).unwrap());
    for known in ["2026-01-15T00:00:00Z", "2026-02-15T00:00:00Z", "2026-03-15T00:00:00Z", "2026-04-15T00:00:00Z"] {
        let told = |tenant: &Tenant| {
            let view = tenant.at(as_known("2025", known)).unwrap();
            ["Uma", "Uma Berg", "Bo"].map(|who| format!("{:?} {:?}", view.about(&name(who)), view.names(&name(who))))
        };
        assert_eq!(told(&copy), told(tenant), "as known at {known}");
    }
    assert!(copy.verify().unwrap().problems.is_empty());
    // A line that does not fit those before it is refused, and nothing is taken.
    let last = r#","unmerge":{"from":"Uma","into":"Uma Berg","because":""}}"#;
    for (wrong, words) in [
        (last.replace("\"Uma\"", "\"Bo\""), "Bo is not merged into Uma Berg"),
        (format!(r#","extraction":{{"observation":"{}","extractor":"llm"}}}}"#, ids[2]), "did not come before, waiting for its claims"),
    ] {
        let text = exported(tenant).replace(last, &wrong);
        let refused = place.memory.tenant(&TenantId::new("refused").unwrap()).import(&mut text.as_bytes()).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

#[test]
fn an_erased_observation_takes_what_was_read_of_it_later() {
    let (place, ids) = waiting();
    let tenant = &place.tenant;
    let other = place.again();
    let secret = read("Uma", "lives_in", CANARY, "2023");
    tenant.retract(Retractable::Observation(ids[2]), "").unwrap();
    tenant.record_extraction(ids[0], "llm", vec![read("Uma", "likes", CANARY, "2023")], failed(&format!("at {CANARY}"))).unwrap();
    tenant.remember(vec![fact("Bo", "likes", "rye", "2020")]).unwrap();
    tenant.record_extraction(ids[0], "llm", vec![secret.clone(), read("Uma", "likes", "tea", "2020")], ExtractionStatus::Done).unwrap();
    assert_eq!(timeline(&other, "Uma", "lives_in").len(), 2);
    let erased = tenant.erase(&EraseTarget::Observation(ids[0])).unwrap();
    assert_eq!((erased.observations, erased.claims), (1, 4));
    assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
    for reader in [tenant, &other, &place.again()] {
        assert!(reader.at(valid("2025")).unwrap().about(&name("Uma")).is_err(), "nothing is known of her");
        assert_eq!(values(reader, valid("2025"), "Bo", "likes"), ["rye"]);
        assert_eq!(reader.pending().unwrap().iter().map(|one| one.id).collect::<Vec<_>>(), [ids[1]]);
        assert!(reader.verify().unwrap().problems.is_empty(), "{:?}", reader.verify().unwrap());
        assert!(exported(reader).contains("erasure"));
    }
    tenant.record_extraction(ids[1], "llm", vec![secret], failed(CANARY)).unwrap();
    let erased = tenant.erase(&EraseTarget::Entity(name(CANARY))).unwrap();
    assert_eq!((erased.observations, tenant.pending().unwrap().len()), (1, 0), "a claim that was read later names it, too");
    let waits =
        tenant.remember_pending(vec![text("2025-03-01T00:00:00Z", "Cy", "Hm.", vec![])], &format!("{CANARY} is down")).unwrap().ids[0];
    tenant.record_extraction(waits, "llm", vec![], failed(&format!("{CANARY} is still down"))).unwrap();
    let erased = tenant.erase(&EraseTarget::Entity(name(CANARY))).unwrap();
    assert_eq!((erased.observations, erased.reasons), (0, 2));
    assert_eq!((tenant.pending().unwrap()[0].tries, tenant.pending().unwrap()[0].reason.as_str()), (2, ""));
    assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
}

/// What verification says after these statements were run on a ledger with a merge (7), a setting (8) and three extractions (3, 9, 11).
fn after(statements: &str) -> Vec<String> {
    let (place, ids) = waiting();
    place.tenant.merge(&name("Uma"), &name("Uma Berg"), "").unwrap();
    place.tenant.set_setting("write", Some("x")).unwrap();
    place.tenant.record_extraction(ids[0], "llm", vec![read("Uma", "likes", "Graz", "2023")], failed("cut off")).unwrap();
    place.tenant.record_extraction(ids[0], "llm", vec![read("Uma", "likes", "tea", "2023")], ExtractionStatus::Done).unwrap();
    if !statements.is_empty() {
        rusqlite::Connection::open(place.file()).unwrap().execute_batch(statements).unwrap();
    }
    place.again().verify().unwrap().problems
}

#[test]
fn damage_to_any_of_it_is_found() {
    assert_eq!(after(""), [""; 0]);
    for (damage, words) in [
        ("DELETE FROM claims WHERE seq = 10", "record 9 cannot be read: it tells of 1 claims, and 0 follow it"),
        ("DELETE FROM extractions WHERE seq = 9", "out of their place"),
        ("UPDATE claims SET ordinal = 5 WHERE seq = 12", "out of their place"),
        ("UPDATE extractions SET first = 3 WHERE seq = 11", "do not go on after those before them"),
        ("UPDATE extractions SET first = 1 WHERE seq = 3", "do not go on after those before them"),
        ("UPDATE extractions SET first = 0 WHERE seq = 9", "do not go on after those before them"),
        ("UPDATE extractions SET failure = NULL WHERE seq = 9", "did not wait for one, or no longer"),
        ("DELETE FROM pending WHERE seq = 1", "did not wait for one, or no longer"),
        ("UPDATE pending SET waits = 1 WHERE seq = 1", "are said to wait and do not"),
        ("UPDATE pending SET waits = 0 WHERE seq = 2", "are said to wait and do not"),
        ("UPDATE merges SET merged = 0 WHERE seq = 7", "merges that do not fit those before them: 1 (7)"),
        ("UPDATE merges SET into_term = 'UMA' WHERE seq = 7", "merges that do not fit those before them: 1 (7)"),
        ("DELETE FROM merges WHERE seq = 7", "places without a record, which no erasure emptied: 1 (7)"),
        ("DELETE FROM settings WHERE seq = 8", "places without a record, which no erasure emptied: 1 (8)"),
        ("UPDATE settings SET seq = 7 WHERE seq = 8", "records of two sorts at one place: 1 (7)"),
        ("UPDATE settings SET seq = 70 WHERE seq = 8", "records that no commit holds: 1 (70)"),
    ] {
        let problems = after(damage);
        assert!(problems.iter().any(|problem| problem.contains(words)), "{damage}: {problems:?}");
    }
}
