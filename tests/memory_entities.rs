//! Who is meant by the names in prose: merged where a name says so alone, told where it takes another one, the same in every order.

#![cfg(test)]

mod memory_support;

use erstwhile::extract::{Context, Extraction, Extractor};
use erstwhile::ledger::ExtractionStatus;
use erstwhile::memory::{EraseTarget, ManualClock, Memory, MemoryOptions, Tenant, TenantId};
use erstwhile::model::{Authority, Claim, ObservationKind, Source, TermRef};
use erstwhile::observe::Incoming;
use erstwhile::time::ZonedInstant;
use memory_support::{claim, fact, files_hold, instant, name, said, timeline, valid, values};
use std::sync::Arc;

const CANARY: &str = "Zxcanary";

/// Reads "head | relation | tail", from 2020 on, one a line.
struct Plain;

impl Extractor for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn extract(&self, incoming: &Incoming, _context: &Context<'_>) -> Extraction {
        let lines = incoming.observation.text.as_deref().unwrap_or_default().lines();
        let claims = lines.map(|line| {
            let parts: Vec<&str> = line.split(" | ").collect();
            Claim { extractor: self.name().to_owned(), ..claim(parts[0], parts[1], parts[2], "2020", "") }
        });
        Extraction { claims: claims.collect(), ..Extraction::default() }
    }
}

struct Place {
    folder: tempfile::TempDir,
    tenant: Tenant,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(instant("2026-01-01T00:00:00Z")));
    let options = MemoryOptions { clock, extractor: Arc::new(Plain), ..MemoryOptions::default() };
    let tenant = Memory::open_with(folder.path(), options).unwrap().tenant(&TenantId::new("default").unwrap());
    Place { folder, tenant }
}

fn prose(text: &str) -> Incoming {
    let user = Source { authority: Authority::User, name: Some("Ada".to_owned()) };
    Incoming::from_text(ObservationKind::Chat, ZonedInstant { at: instant("2025-01-01T12:00:00Z"), offset_minutes: 0 }, user, text)
}

/// Everything that is told of some entities, and which merges stand.
fn told(tenant: &Tenant, of: &[&str]) -> Vec<String> {
    let view = tenant.at(valid("2026")).unwrap();
    let mut told = Vec::new();
    for entity in of {
        for held in view.about(&name(entity)).unwrap().answer.facts {
            told.push(format!("{entity}: {} {} {}", held.fact.head, held.fact.relation, held.fact.tail));
        }
        told.push(format!("{entity}: {:?}", view.names(&name(entity)).unwrap()));
    }
    let mut merges: Vec<String> = tenant.merges().unwrap().iter().map(|merge| merge.because.clone()).collect();
    merges.sort();
    told.extend(merges);
    told
}

#[test]
fn the_same_turns_in_any_order_give_the_same_entities() {
    let turns =
        ["田中さん | lives_in | 大阪", "田中 | employer | 青葉商事", "Dr. Ana Lima | knows | 田中 さん", "Lima, Ana | employer | Lark"];
    let entities = ["田中", "田中さん", "Ana Lima", "Lima, Ana", "Dr. Ana Lima"];
    let mut first: Option<Vec<String>> = None;
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1], [3, 0, 1, 2]] {
        for together in [true, false] {
            let place = place();
            let incoming: Vec<Incoming> = order.iter().map(|at| prose(turns[*at])).collect();
            if together {
                place.tenant.remember(incoming).unwrap();
            } else {
                for one in incoming {
                    place.tenant.remember(vec![one]).unwrap();
                }
            }
            let told = told(&place.tenant, &entities);
            assert!(told.contains(&"田中: 田中 employer 青葉商事".to_owned()), "{told:#?}");
            assert!(told.contains(&"田中さん: 田中 lives_in 大阪".to_owned()), "{told:#?}");
            assert!(told.contains(&"Lima, Ana: Ana Lima knows 田中".to_owned()), "{told:#?}");
            assert_eq!(*first.get_or_insert(told.clone()), told, "order {order:?}, together: {together}");
            assert_eq!(place.tenant.verify().unwrap().problems, Vec::<String>::new());
        }
    }
}

#[test]
fn a_merge_by_name_has_its_evidence_and_once_parted_is_not_made_again() {
    let place = place();
    let receipt = place.tenant.remember(vec![prose("Dr. Ana Lima | lives_in | Porto")]).unwrap();
    assert_eq!((receipt.merged, receipt.claims, receipt.doubts.len()), (1, 1, 0));
    let merge = &place.tenant.merges().unwrap()[0];
    assert_eq!((&merge.from, &merge.into), (&name("Dr. Ana Lima"), &name("Ana Lima")));
    assert_eq!(merge.because, "\"Dr. Ana Lima\" for \"Ana Lima\": title; score 0.98");
    assert_eq!(values(&place.tenant, valid("2026"), "Ana Lima", "lives_in"), ["Porto"], "a name that nobody has mentioned");
    assert_eq!(place.tenant.remember(vec![prose("Dr. Ana Lima | knows | Otto")]).unwrap().merged, 0, "it is one already");

    place.tenant.unmerge(&name("Dr. Ana Lima"), &name("Ana Lima"), "her mother").unwrap();
    let again = place.tenant.remember(vec![prose("DR ANA LIMA | employer | Lark"), prose("Ana Lima | employer | Heron")]).unwrap();
    assert_eq!(again.merged, 1, "another spelling is another name");
    assert_eq!(timeline(&place.tenant, "Dr. Ana Lima", "employer"), [""; 0]);
    let receipt = place.tenant.remember(vec![prose("Dr. Ana Lima | employer | Lark")]).unwrap();
    assert_eq!(receipt.merged, 0, "somebody knows better");
    assert_eq!(timeline(&place.tenant, "Dr. Ana Lima", "employer"), ["Lark [2020, open)"]);
}

#[test]
fn ready_claims_and_a_policy_that_says_so_merge_nothing() {
    let place = place();
    let receipt =
        place.tenant.remember(vec![fact("田中さん", "lives_in", "大阪", "2020"), fact("Bob Hale", "knows", "田中", "2020")]).unwrap();
    assert_eq!((receipt.merged, receipt.doubts.len()), (0, 0));
    let receipt = place.tenant.remember(vec![fact("Robert Hale", "knows", "田中", "2020")]).unwrap();
    assert_eq!(receipt.doubts, [], "ready claims name what they mean");
    place.tenant.set_write_policy(Some("[remember]\nbare_names = false")).unwrap();
    assert_eq!(place.tenant.remember(vec![prose("田中さん | employer | 青葉商事")]).unwrap().merged, 0);
    place.tenant.set_write_policy(None).unwrap();
    assert_eq!(place.tenant.remember(vec![prose("田中さん | knows | Otto")]).unwrap().merged, 1, "a sentence about the same name");
    assert_eq!(values(&place.tenant, valid("2026"), "田中", "lives_in"), ["大阪"]);
}

#[test]
fn what_may_be_meant_is_told_and_changes_nothing() {
    let place = place();
    place.tenant.remember(vec![prose("Robert Hale | lives_in | Leeds\nBay 17 | part_of | Quay\nSamara | lives_in | Turin")]).unwrap();
    let receipt = place
        .tenant
        .remember(vec![prose("Bob Hale | employer | Lark\nBay 18 | part_of | Quay\nMara | lives_in | Turin\nrunning | is_a | sport")])
        .unwrap();
    let doubts: Vec<String> = receipt.doubts.iter().map(|doubt| format!("{} {}", doubt.mention, doubt.likely[0].evidence)).collect();
    assert_eq!(doubts, ["Bob Hale \"Bob Hale\" for \"Robert Hale\": nickname (bob, robert); score 0.90"]);
    assert_eq!(receipt.doubts[0].likely[0].entity, name("Robert Hale"));
    assert_eq!(timeline(&place.tenant, "Robert Hale", "employer"), [""; 0]);
    assert_eq!(place.tenant.merges().unwrap(), []);
    assert_eq!(place.tenant.remember(vec![prose("Bob Hale | speaks | French")]).unwrap().doubts, [], "it is no new name any more");

    let proposals = place.tenant.proposals(0.8).unwrap();
    assert_eq!(proposals.len(), 1, "{proposals:#?}");
    assert_eq!((&proposals[0].from, &proposals[0].into, proposals[0].only), (&name("Bob Hale"), &name("Robert Hale"), true));
    place.tenant.merge(&proposals[0].from, &proposals[0].into, &proposals[0].evidence.to_string()).unwrap();
    assert_eq!(place.tenant.proposals(0.0).unwrap(), [], "they are one");
    assert_eq!(place.tenant.candidates("R. Hale").unwrap().len(), 1, "each entity once, by any of its names");
    place.tenant.unmerge(&name("Bob Hale"), &name("Robert Hale"), "two").unwrap();
    assert_eq!(place.tenant.proposals(0.0).unwrap(), [], "and parted for good");
}

#[test]
fn sorts_that_exclude_each_other_are_no_candidates() {
    let place = place();
    place.tenant.remember(vec![said("2025-01-01T12:00:00Z", vec![claim("Ada", "lives_in", "Jordan Creek", "2020", "")])]).unwrap();
    let receipt = place.tenant.remember(vec![prose("J. Creek | employer | Lark")]).unwrap();
    assert_eq!(receipt.doubts, [], "a person and a place");
}

#[test]
fn names_known_since_or_from_elsewhere_are_candidates_too() {
    let place = place();
    place.tenant.remember(vec![prose("Robert Hale | lives_in | Leeds")]).unwrap();
    assert_eq!(place.tenant.candidates("Bob Hale").unwrap().len(), 1);
    place.tenant.remember(vec![fact("Roberta Hale", "lives_in", "York", "2020"), fact("Robin Hale", "lives_in", "York", "2020")]).unwrap();
    let before: Vec<String> = place.tenant.candidates("R. Hale").unwrap().iter().map(|one| one.entity.to_string()).collect();
    assert_eq!(before, ["Robert Hale", "Roberta Hale", "Robin Hale"]);
    place.tenant.erase(&EraseTarget::Entity(name("Robin Hale"))).unwrap();
    let after: Vec<String> = place.tenant.candidates("R. Hale").unwrap().iter().map(|one| one.entity.to_string()).collect();
    assert_eq!(after, ["Robert Hale", "Roberta Hale"], "what is erased is no candidate");
}

#[test]
fn a_merge_by_name_goes_with_the_last_observation_that_mentions_the_name() {
    let place = place();
    let titled = format!("Dr. Ana {CANARY}");
    let ids = place
        .tenant
        .remember(vec![
            prose(&format!("{titled} | lives_in | Porto")),
            prose(&format!("{titled} | employer | Lark")),
            prose("Dr. Otto Brandt | lives_in | Lund"),
        ])
        .unwrap()
        .ids;
    assert_eq!(place.tenant.merges().unwrap().len(), 2);
    assert_eq!(place.tenant.erase(&EraseTarget::Observation(ids[0])).unwrap().merges, 0, "another one mentions it");
    assert_eq!(values(&place.tenant, valid("2026"), &format!("Ana {CANARY}"), "employer"), ["Lark"]);
    assert_eq!(place.tenant.erase(&EraseTarget::Observation(ids[1])).unwrap().merges, 1);
    let view = place.tenant.at(valid("2026")).unwrap();
    assert!(view.term_id(TermRef::Name(&titled)).is_none(), "it is not known any more");
    assert_eq!(place.tenant.merges().unwrap().len(), 1, "the other one stands");
    assert_eq!(place.tenant.verify().unwrap().problems, Vec::<String>::new());
    drop(view);
    let Place { folder, tenant } = place;
    drop(tenant);
    assert_eq!(files_hold(folder.path(), CANARY.as_bytes()), Vec::<String>::new());
}

#[test]
fn what_is_read_later_is_resolved_as_well() {
    let place = place();
    let ids = place.tenant.remember_pending(vec![prose("田中さん | lives_in | 大阪")], "not now").unwrap().ids;
    assert_eq!(place.tenant.merges().unwrap(), []);
    let receipt = place.tenant.reprocess(&mut |_done, _all| {}).unwrap();
    assert_eq!((receipt.claims, receipt.merged), (1, 1));
    assert_eq!(values(&place.tenant, valid("2026"), "田中", "lives_in"), ["大阪"]);
    let late = vec![claim("佐藤さん", "lives_in", "京都", "2020", "")];
    let receipt = place.tenant.record_extraction(ids[0], "late", late, ExtractionStatus::Done).unwrap();
    assert_eq!((receipt.duplicates, place.tenant.merges().unwrap().len()), (1, 1), "it no longer waits, and nothing is recorded of it");
}
