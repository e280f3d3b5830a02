//! Verification from outside: what was changed, taken out or put into a ledger behind its back is found and named.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::Retractable;
use erstwhile::memory::{EraseTarget, Error, Tenant, TenantId};
use erstwhile::model::{ClaimId, ObservationId};
use memory_support::{Place, claim, fact, instant, place, said, text};

/// Five observations of eight claims (places 1 to 13), a retraction (14) and an override (15).
fn lived() -> (Place, Vec<ObservationId>) {
    let place = place();
    let mut ids = place.tenant.remember(vec![fact("Ana", "lives_in", "Oslo", "2019"), fact("Bo", "lives_in", "Lund", "2020")]).unwrap().ids;
    let three = vec![claim("Ana", "likes", "rye", "", ""), claim("Ana", "likes", "tea", "", ""), claim("Bo", "likes", "tea", "", "")];
    ids.extend(place.tenant.remember(vec![text("2024-01-01T00:00:00Z", "Ana", "Rye and tea. Bo: tea.", three)]).unwrap().ids);
    let two = vec![claim("Cy", "knows", "Ana", "2020", ""), claim("Cy", "knows", "Bo", "2020", "2023")];
    let last = said("2024-02-01T00:00:00Z", vec![claim("Di", "knows", "Bo", "2021", "")]);
    ids.extend(place.tenant.remember(vec![said("2024-01-02T00:00:00Z", two), last]).unwrap().ids);
    place.tenant.retract(Retractable::Claim(ClaimId { observation: ids[3], ordinal: 1 }), "no").unwrap();
    place.tenant.set_policy("rendered_with", Some("cardinality = \"one\"\n")).unwrap();
    (place, ids)
}

/// What verification says after these statements were run on the ledger.
fn after(statements: &str) -> (u64, Vec<String>) {
    let (place, _) = lived();
    if !statements.is_empty() {
        rusqlite::Connection::open(place.file()).unwrap().execute_batch(statements).unwrap();
    }
    let found = place.again().verify().unwrap();
    (found.records, found.problems)
}

fn says(problems: &[String], words: &[&str]) -> bool {
    problems.iter().any(|problem| words.iter().all(|word| problem.contains(word)))
}

#[test]
fn a_whole_ledger_is_sound_and_its_records_are_counted() {
    assert_eq!(after(""), (15, vec![]));
}

#[test]
fn a_changed_field_of_a_claim_or_an_observation_is_found_at_its_place() {
    for (change, at) in [
        ("UPDATE claims SET tail = 'Turin' WHERE seq = 2", 1),
        ("UPDATE claims SET tail_kind = 1 WHERE seq = 7", 5),
        ("UPDATE claims SET relation = 'Likes' WHERE seq = 8", 5),
        ("UPDATE claims SET from_lo = from_lo + 1 WHERE seq = 13", 12),
        ("UPDATE claims SET to_hi = to_hi - 1 WHERE seq = 11", 9),
        ("UPDATE claims SET confidence = 0.75 WHERE seq = 6", 5),
        ("UPDATE claims SET seen_at = 5 WHERE seq = 6", 5),
        ("UPDATE claims SET context = 'https://example.org/g' WHERE seq = 6", 5),
        ("UPDATE claims SET extractor = 'llm' WHERE seq = 6", 5),
        ("UPDATE observations SET text = 'Rye. Bo: tea.' WHERE seq = 5", 5),
        ("UPDATE observations SET observed_at = observed_at + 1 WHERE seq = 3", 3),
        ("UPDATE observations SET authority = 0 WHERE seq = 9", 9),
    ] {
        let (records, problems) = after(change);
        assert_eq!(records, 15);
        assert!(says(&problems, &[&format!("record {at}: the observation "), "not what its id was made of"]), "{change}: {problems:?}");
    }
}

#[test]
fn a_record_that_was_taken_out_leaves_a_place_that_is_named() {
    let (records, problems) = after("DELETE FROM claims WHERE seq = 2");
    assert_eq!(records, 14, "what is there is counted");
    assert!(says(&problems, &["places without a record", "1 (2)"]), "{problems:?}");
    assert!(says(&problems, &["record 1: the observation ", "without a claim"]), "{problems:?}");
    let (_, problems) = after("DELETE FROM claims WHERE seq = 7");
    assert!(says(&problems, &["1 (7)"]) && says(&problems, &["record 5: ", "2 claims at 6 to 8"]), "{problems:?}");
    // With everything that would tell, but for the places.
    let whole = "DELETE FROM claims WHERE seq BETWEEN 5 AND 8; DELETE FROM observations WHERE seq = 5; DELETE FROM index_blocks; \
                 DELETE FROM index_segments; UPDATE meta SET value = 0 WHERE name = 'indexed_to'";
    let (records, problems) = after(whole);
    assert_eq!((records, problems.len()), (11, 1), "{problems:?}");
    assert!(says(&problems, &["4 (5 to 8)"]), "{problems:?}");
    for (statement, place) in [("DELETE FROM beliefs", "1 (14)"), ("DELETE FROM policies", "1 (15)")] {
        assert!(says(&after(statement).1, &["places without a record", place]), "{statement}");
    }
}

#[test]
fn many_changes_are_counted() {
    let (place, _) = lived();
    place.tenant.remember((0..60).map(|n| fact(&format!("e{n}"), "likes", "tea", "2020")).collect()).unwrap();
    rusqlite::Connection::open(place.file()).unwrap().execute_batch("UPDATE claims SET tail = 'rye' WHERE seq > 15").unwrap();
    let problems = place.again().verify().unwrap().problems;
    assert!(says(&problems, &["40 more observations are not what their ids were made of"]), "{problems:?}");
}

#[test]
fn what_an_erasure_emptied_is_no_loss() {
    let (place, ids) = lived();
    for id in [ids[2], ids[3]] {
        place.tenant.erase(&EraseTarget::Observation(id)).unwrap();
    }
    let found = place.again().verify().unwrap();
    assert_eq!((found.records, found.problems), (15 - 4 - 3 - 1 + 2, vec![]), "the retraction of a claim went with it");
    // A record that is lost later is told apart from those.
    rusqlite::Connection::open(place.file()).unwrap().execute_batch("DELETE FROM claims WHERE seq = 13").unwrap();
    assert!(says(&place.again().verify().unwrap().problems, &["1 (13)"]));
}

#[test]
fn a_candidate_that_was_not_taken_does_not_count_for_the_id() {
    let place = place();
    let broken = erstwhile::model::Claim { confidence: 7.0, ..claim("Ana", "likes", "rye", "", "") };
    let incoming = || said("2024-01-01T00:00:00Z", vec![broken.clone(), claim("Ana", "likes", "tea", "", "")]);
    let receipt = place.tenant.remember(vec![incoming()]).unwrap();
    assert_eq!((receipt.claims, receipt.rejected_count), (1, 1));
    assert_eq!(place.tenant.verify().unwrap().problems, [""; 0]);
    assert_eq!(place.tenant.observation(receipt.ids[0]).unwrap().claims.len(), 1, "found under the id of the receipt");
    assert_eq!(place.tenant.remember(vec![incoming()]).unwrap().duplicates, 1);
}

fn exported(tenant: &Tenant) -> String {
    let mut out = Vec::new();
    tenant.export(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The lines that an import refuses, with the reasons; nothing of it is recorded.
fn refused(place: &Place, text: &str) -> Vec<String> {
    let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
    let Err(Error::BadImport { lines }) = copy.import(&mut text.as_bytes()) else { panic!("it was taken") };
    assert_eq!(copy.stats().map(|stats| stats.observations).unwrap_or_default(), 0);
    lines.iter().map(ToString::to_string).collect()
}

#[test]
fn an_import_refuses_what_its_id_does_not_fit_and_names_each_line() {
    let (place, _) = lived();
    let text = exported(&place.tenant);
    let lines = refused(&place, &text.replace("Oslo", "Paris").replace("Rye and tea", "Rye"));
    assert_eq!(lines.len(), 2, "{lines:?}");
    for (line, number) in lines.iter().zip([2, 4]) {
        assert!(line.starts_with(&format!("line {number}: observation.id: the observation ")), "{line}");
    }
    let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
    assert!(copy.import(&mut text.as_bytes()).is_ok(), "as it was it is taken");
}

#[test]
fn an_import_refuses_places_left_out_unless_an_erasure_may_have_emptied_them() {
    let (place, ids) = lived();
    let without = |text: &str, line: usize| -> String {
        let kept = text.lines().enumerate().filter(|(at, _)| at + 1 != line).map(|(_, line)| format!("{line}\n"));
        let records = text.lines().count() - 2;
        kept.collect::<String>().replace(&format!("{{\"end\":{records}}}"), &format!("{{\"end\":{}}}", records - 1))
    };
    let lines = refused(&place, &without(&exported(&place.tenant), 4));
    assert_eq!(lines, ["line 4: seq: places 5 to 8 are left out before it, and no erasure after that says why"]);
    place.clock.set(instant("2026-02-01T00:00:00Z"));
    place.tenant.erase(&EraseTarget::Observation(ids[3])).unwrap();
    place.tenant.remember(vec![fact("Ed", "likes", "tea", "2020"), fact("Fay", "likes", "tea", "2020")]).unwrap();
    let text = exported(&place.tenant);
    let copy = place.memory.tenant(&TenantId::new("erased").unwrap());
    copy.import(&mut text.as_bytes()).unwrap();
    assert_eq!(copy.verify().unwrap().problems, [""; 0], "which places the erasure emptied, an export does not say");
    let last = text.lines().count();
    let lines = refused(&place, &without(&text, last - 2));
    assert_eq!(lines, [format!("line {}: seq: places 17 to 18 are left out before it, and no erasure after that says why", last - 2)]);
    let file = place.folder.path().join("tenants").join("erased.sqlite");
    rusqlite::Connection::open(file)
        .unwrap()
        .execute_batch("DELETE FROM observations WHERE seq = 17; DELETE FROM claims WHERE seq = 18")
        .unwrap();
    assert!(says(&copy.verify().unwrap().problems, &["places without a record", "2 (17 to 18)"]));
}

#[test]
fn the_example_of_the_format_page_is_an_export() {
    let page = include_str!("../docs/FORMAT.md");
    let example = page.lines().filter(|line| line.starts_with("    {\"")).map(str::trim).collect::<Vec<_>>().join("\n");
    let place = place();
    place.clock.set(instant("2026-12-01T00:00:00Z"));
    let copy = place.memory.tenant(&TenantId::new("example").unwrap());
    assert_eq!(copy.import(&mut example.as_bytes()).unwrap(), 2);
    assert_eq!(copy.verify().unwrap().problems, [""; 0]);
}
