//! Export and import: nothing is lost in either time, a bad file is refused whole, and every bad line is named.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::Retractable;
use erstwhile::memory::{EraseTarget, Error, ErrorKind, Tenant, TenantId};
use erstwhile::model::{Correction, Literal, Term};
use memory_support::{as_known, claim, fact, instant, name, place, said, text, timeline, valid, values};

fn exported(tenant: &Tenant) -> String {
    let mut out = Vec::new();
    let records = tenant.export(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count() as u64, records + 2, "a header, the records, and their number");
    text
}

/// A memory with every kind of record, over several days.
fn lived() -> (memory_support::Place, Tenant) {
    let place = place();
    let tenant = place.tenant.clone();
    tenant.remember(vec![fact("Kai", "job_title", "VP", "2020"), fact("Uma", "lives_in", "Lund", "2020")]).unwrap();
    place.clock.set(instant("2026-01-02T00:00:00Z"));
    let mut second = claim("Uma", "lives_in", "Graz", "2023-05", "");
    second.quote = Some(erstwhile::model::Quote { from: 0, to: 5 });
    second.confidence = 0.1 + 0.2;
    let mut literal = claim("Uma", "age", "x", "2023", "2024");
    literal.tail = Term::Literal(Literal {
        lexical: "41".to_owned(),
        datatype: Some("http://www.w3.org/2001/XMLSchema#integer".to_owned()),
        language: None,
    });
    literal.context = Some("https://example.org/g".to_owned());
    let graz = tenant
        .remember(vec![text("2023-06-01T00:00:00Z", "Uma", "Wir sind nach Graz gezogen — endlich!", vec![second, literal])])
        .unwrap()
        .ids[0];
    place.clock.set(instant("2026-01-03T00:00:00Z"));
    let doomed = tenant.remember(vec![fact("Bo", "likes", "rye", "2020")]).unwrap().ids[0];
    tenant.erase(&EraseTarget::Observation(doomed)).unwrap();
    tenant.set_policy("rendered_with", Some("cardinality = \"one\"\n")).unwrap();
    place.clock.set(instant("2026-01-05T00:00:00Z"));
    let mut corrected = claim("Kai", "job_title", "VP", "2021", "");
    corrected.corrects = Some(Correction::Tail(name("VP")));
    tenant.remember(vec![said("2026-01-05T00:00:00Z", vec![corrected])]).unwrap();
    place.clock.set(instant("2026-01-06T00:00:00Z"));
    tenant.retract(Retractable::Observation(graz), "she said \"no\"").unwrap();
    place.clock.set(instant("2026-01-07T00:00:00Z"));
    tenant.restore(Retractable::Observation(graz), "").unwrap();
    tenant.set_policy("seats_on", Some("cardinality = \"one\"")).unwrap();
    tenant.set_policy("seats_on", None).unwrap();
    (place, tenant)
}

#[test]
fn an_export_comes_back_the_same_in_both_times() {
    let (place, tenant) = lived();
    let text = exported(&tenant);
    let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
    let records = copy.import(&mut text.as_bytes()).unwrap();
    assert_eq!(records + 2, text.lines().count() as u64);
    assert_eq!(exported(&copy).lines().skip(1).collect::<Vec<_>>(), text.lines().skip(1).collect::<Vec<_>>());
    for known in ["2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z", "2026-01-05T12:00:00Z", "2026-01-06T12:00:00Z", "2026-01-08T00:00:00Z"] {
        for (head, relation) in [("Kai", "job_title"), ("Uma", "lives_in")] {
            let read = |tenant: &Tenant| values(tenant, as_known("2024-06", known), head, relation);
            assert_eq!(read(&copy), read(&tenant), "{head} {relation} as known at {known}");
        }
    }
    assert_eq!(copy.stats().unwrap().facts, tenant.stats().unwrap().facts);
    assert_eq!(copy.policies().unwrap(), tenant.policies().unwrap());
    for tenant in [&tenant, &copy] {
        assert_eq!(tenant.verify().unwrap().problems, [""; 0]);
    }
    // It goes on from there, and knows what it has.
    assert_eq!(copy.remember(vec![fact("Uma", "lives_in", "Lund", "2020")]).unwrap().duplicates, 1);
    place.clock.set(instant("2020-01-01T00:00:00Z"));
    let later = copy.remember(vec![fact("Uma", "lives_in", "Rome", "2025")]).unwrap();
    assert!(later.tx.unwrap() > instant("2026-01-07T00:00:00Z"), "time never runs backwards");
}

#[test]
fn what_the_write_policy_leaves_nothing_of_is_not_stored_and_the_export_comes_back() {
    let place = place();
    let tenant = place.tenant.clone();
    tenant.set_write_policy(Some("[sensitive]\nready_claims = true\n")).unwrap();
    let refused = || fact("Uma", "has_condition", "asthma", "2020");
    let receipt = tenant.remember(vec![refused(), fact("Uma", "lives_in", "Graz", "2020")]).unwrap();
    assert_eq!((receipt.observations, receipt.claims, receipt.withheld), (1, 1, 1));
    assert_eq!(receipt.left_out.get("consent"), Some(&1), "why nothing is left of it is told");
    assert_eq!(tenant.remember(vec![refused()]).unwrap().withheld, 1, "nor does it count as known when it comes again");
    let text = exported(&tenant);
    let again = place.memory.tenant(&TenantId::new("again").unwrap());
    again.import(&mut text.as_bytes()).unwrap();
    assert!(exported(&again).lines().skip(1).eq(text.lines().skip(1)));
}

#[test]
fn an_import_needs_an_empty_tenant() {
    let (_place, tenant) = lived();
    let before = exported(&tenant);
    let error = tenant.import(&mut before.as_bytes()).unwrap_err();
    assert!(matches!(error, Error::NotEmpty { .. }), "{error}");
    assert_eq!(exported(&tenant), before);
}

#[test]
fn a_bad_import_is_refused_whole_and_every_bad_line_is_named() {
    let (place, tenant) = lived();
    let good = exported(&tenant);
    let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
    let refused = |text: &str, expect: &[(u64, &str)]| {
        let error = copy.import(&mut text.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
        let Error::BadImport { lines } = error else { panic!("{error}") };
        assert_eq!(lines.len(), expect.len(), "{lines:?}");
        for (bad, (line, says)) in lines.iter().zip(expect) {
            assert_eq!(bad.line, *line, "{lines:?}");
            assert!(bad.to_string().contains(says), "{bad}");
        }
        if let Ok(stats) = copy.stats() {
            assert_eq!((stats.observations, stats.facts), (0, 0), "nothing of it is there");
        }
    };
    let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
    refused("", &[(1, "header")]);
    refused("nonsense", &[(1, "header")]);
    refused(&good.replacen("\"erstwhile_export\":2", "\"erstwhile_export\":99", 1), &[(1, "99")]);
    assert!(place.memory.tenants().unwrap().iter().all(|id| id.as_str() != "copy"), "what is no export creates no tenant");
    let cut = lines[..lines.len() - 1].join("\n");
    refused(&cut, &[(lines.len() as u64 - 1, "cut off")]);
    refused(&format!("{good}{}\n", lines[1]), &[(lines.len() as u64 + 1, "after the last line")]);
    let fewer: Vec<&str> = good.lines().enumerate().filter(|(at, _)| *at != 2).map(|(_, line)| line).collect();
    refused(&fewer.join("\n"), &[(fewer.len() as u64, "records")]);
    lines[2] = lines[2].replace("\"always\"", "\"alwyas\"").replace("\"confidence\":1.0", "\"confidence\":7.5");
    lines[4] = "{\"seq\":".to_owned();
    refused(&lines.join("\n"), &[(3, "confidence"), (5, "EOF")]);
    let swapped: Vec<&str> = [0, 2, 1].into_iter().chain(3..good.lines().count()).map(|at| good.lines().nth(at).unwrap()).collect();
    refused(&swapped.join("\n"), &[(3, "")]);
    assert!(copy.import(&mut good.as_bytes()).is_ok(), "and after all that it takes a good one");
    assert_eq!(timeline(&copy, "Uma", "lives_in"), ["Lund [2020, 2023-05)", "Graz [2023-05, open)"]);
    assert_eq!(values(&copy, valid("2022"), "Kai", "job_title"), ["VP"]);
}

#[test]
fn places_that_repeat_or_leave_no_room_are_refused_by_line() {
    let (place, tenant) = lived();
    let text = exported(&tenant);
    let lines: Vec<&str> = text.lines().collect();
    let refused = |lines: &[String], reason: &str| {
        let into = place.memory.tenant(&TenantId::new("copy").unwrap());
        match into.import(&mut lines.join("\n").as_bytes()) {
            Err(Error::BadImport { lines }) => {
                assert!(lines.iter().any(|bad| bad.field.as_deref() == Some("seq") && bad.reason.contains(reason)), "{lines:?}");
            }
            other => panic!("{reason}: {other:?}"),
        }
        assert!(into.at(valid("2024")).is_err(), "nothing was made");
    };
    let end = lines.len() - 1;
    let last = lines[end - 1];
    let seq: serde_json::Value = serde_json::from_str(last).unwrap();
    let seq = seq["seq"].as_u64().unwrap();
    let renumbered = |to: u64| last.replacen(&format!("\"seq\":{seq}"), &format!("\"seq\":{to}"), 1);
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for high in [u64::MAX >> 1, (1 << 48) - 1] {
        changed[end - 1] = renumbered(high);
        refused(&changed, "nothing could be recorded after it");
    }
    changed[end - 1] = lines[end - 2].to_owned();
    refused(&changed, "does not come after");
}

#[test]
fn records_of_times_to_come_are_not_imported() {
    let (place, tenant) = lived();
    let text = exported(&tenant);
    let line = text.lines().find(|line| line.contains("\"tx\"")).unwrap();
    let tx = line.split("\"tx\":\"").nth(1).unwrap().split('"').next().unwrap();
    let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
    let Err(Error::BadImport { lines }) = copy.import(&mut text.replace(tx, "2199-01-01T00:00:00Z").as_bytes()) else {
        panic!("it was taken")
    };
    assert!(lines.iter().any(|bad| bad.field.as_deref() == Some("tx") && bad.reason.contains("still to come")), "{lines:?}");
}

#[test]
fn what_could_not_be_remembered_is_not_imported_either() {
    let (place, tenant) = lived();
    let text = exported(&tenant);
    let refused = |from: &str, to: &str, field: &str| {
        assert!(text.contains(from), "{from} is in the export");
        let copy = place.memory.tenant(&TenantId::new("copy").unwrap());
        let Err(Error::BadImport { lines }) = copy.import(&mut text.replace(from, to).as_bytes()) else { panic!("{to} was taken") };
        assert!(lines.iter().any(|bad| bad.field.as_deref().is_some_and(|named| named.ends_with(field))), "{field}: {lines:?}");
    };
    refused("\"Lund\"", "\" \"", ".tail");
    refused("\"lives_in\"", "\"lives\\u0007in\"", ".relation");
    refused("https://example.org/g", "nope", ".context");
    refused("[0,5]", "[0,999]", ".quote");
}

#[test]
fn a_writer_that_fails_is_told_apart_from_a_ledger_that_does() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| std::io::Error::other("no room"))?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (_place, tenant) = lived();
    for room in [0, 10, 300, 900] {
        let error = tenant.export(&mut Full(room)).unwrap_err();
        assert!(matches!(error, Error::Stream { .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::Io);
    }
}
