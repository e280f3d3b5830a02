//! Two names of one entity: merged, undone, read at both times, told by every handle, and erased together.

#![cfg(test)]

mod memory_support;

use erstwhile::graph::Applied;
use erstwhile::ledger::{LedgerError, MergeError, Retractable};
use erstwhile::memory::{EraseTarget, Error, ErrorKind, Tenant, TenantId};
use erstwhile::model::{FactId, Literal, Term};
use erstwhile::time::KnownAt;
use memory_support::{Place, as_known, claim, fact, files_hold, instant, name, place, said, text, timeline, valid, values};

const CANARY: &str = "ZX-CANARY-4410";

/// Bob and Robert Lund before anybody knows that they are one man: seven facts, four of his.
fn told() -> (Place, Vec<FactId>) {
    let place = place();
    let incoming = vec![
        fact("Bob", "lives_in", "Oslo", "2015"),
        fact("Robert Lund", "lives_in", "Turin", "2018"),
        fact("Eva", "married_to", "Bob", "2019"),
        fact("Eva", "married_to", "Cem", "2010"),
        fact("Nordbank", "employs", "Robert Lund", "2020"),
        fact("Dag", "reports_to", "Bob", "2021"),
        fact("Ida", "knows", "Cem", "2022"),
    ];
    place.tenant.set_policy("employs", Some("inverse_of = \"employer\"")).unwrap();
    let ids = place.tenant.remember(incoming).unwrap().ids;
    place.clock.set(instant("2026-02-01T00:00:00Z"));
    (place, ids.into_iter().map(|observation| FactId(erstwhile::model::ClaimId { observation, ordinal: 0 })).collect())
}

/// The facts that hold and those that held, by id, with their extents; what a merge or its end may not lose.
fn facts(tenant: &Tenant, ids: &[FactId]) -> Vec<String> {
    let view = tenant.at(valid("2026")).unwrap();
    ids.iter()
        .map(|id| {
            let fact = view.fact(*id).unwrap();
            assert_eq!(fact.id, *id);
            format!("{} {} {} {:?} {:?} {:?}", fact.head, fact.relation, fact.tail, fact.start, fact.end, fact.supported_by)
        })
        .collect()
}

#[test]
fn merged_names_are_one_entity_from_then_on_and_two_again_once_undone() {
    let (place, ids) = told();
    let tenant = &place.tenant;
    let (bob, robert) = (name("bob"), name("Robert Lund"));
    let before = facts(tenant, &ids);
    let applied = tenant.merge(&bob, &robert, "one signature").unwrap();
    // Turin ended Oslo; three more are told of Robert now, and say the same.
    assert_eq!(applied, Applied { closed: 1, ..Applied::default() });
    for reader in [tenant, &place.again()] {
        assert_eq!(timeline(reader, "Bob", "lives_in"), ["Oslo [2015, 2018)", "Turin [2018, open)"]);
        assert_eq!(values(reader, valid("2025"), "BOB", "married_to"), ["Eva"], "symmetric, and asked by the other name");
        assert_eq!(values(reader, valid("2025"), "Robert Lund", "married_to"), ["Eva"]);
        assert_eq!(values(reader, valid("2025"), "Bob", "employer"), ["Nordbank"], "by the inverse");
        let view = reader.at(valid("2025")).unwrap();
        let under = view.holders("reports_to", &robert).unwrap().facts;
        assert_eq!(under.iter().map(|held| held.fact.head.to_string()).collect::<Vec<_>>(), ["Dag"]);
        assert_eq!(view.names(&bob).unwrap(), [robert.clone(), name("Bob")]);
        assert_eq!(view.names(&name("Eva")).unwrap(), [name("Eva")]);
        let about = view.about(&bob).unwrap();
        assert_eq!((about.entity.clone(), about.answer.facts.len()), (robert.clone(), 4));
        assert_eq!(reader.find_claim(&ids[0].0.observation.to_string()).unwrap(), ids[0].0, "claims keep their ids");
        let why = reader.why(valid("2026"), ids[0]).unwrap();
        assert_eq!(why.explanation.ended_by, Some(ids[1].0));
        assert_eq!(why.sources[0].observation.claims[0].2.head, name("Bob"), "and the names they state");
        // As it was known before, they are two.
        let then = reader.at(as_known("2025", "2026-01-15T00:00:00Z")).unwrap();
        assert_eq!(then.values(&bob, "lives_in").unwrap().facts[0].fact.tail, name("Oslo"));
        assert_eq!(then.names(&bob).unwrap(), [name("Bob")]);
        assert_eq!(then.fact(ids[0]).unwrap().head, name("Bob"));
        assert_eq!(reader.stats().unwrap().entities, 8, "Bob counts no more");
        assert!(reader.verify().unwrap().problems.is_empty());
    }
    place.clock.set(instant("2026-03-01T00:00:00Z"));
    let applied = tenant.unmerge(&bob, &robert, "two people").unwrap();
    assert_eq!(applied, Applied { reopened: 1, ..Applied::default() });
    assert_eq!(facts(tenant, &ids), before, "the exact state before");
    for reader in [tenant, &place.again()] {
        assert_eq!(timeline(reader, "Bob", "lives_in"), ["Oslo [2015, open)"]);
        let then = reader.at(as_known("2025", "2026-02-15T00:00:00Z")).unwrap();
        assert_eq!(then.values(&bob, "lives_in").unwrap().facts[0].fact.tail, name("Turin"), "they were one then");
        assert_eq!(then.names(&robert).unwrap(), [robert.clone(), name("Bob")]);
        let merges = reader.merges().unwrap();
        assert_eq!(merges.len(), 1);
        assert_eq!((merges[0].tx, &merges[0].from, &merges[0].into), (instant("2026-02-01T00:00:00Z"), &bob, &robert));
        assert_eq!(merges[0].because, "one signature");
        assert_eq!(merges[0].undone, Some((instant("2026-03-01T00:00:00Z"), "two people".to_owned())));
        assert!(reader.verify().unwrap().problems.is_empty());
    }
}

#[test]
fn one_question_from_cold_is_answered_by_all_names() {
    let (place, ids) = told();
    place.tenant.merge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    place.clock.set(instant("2026-03-01T00:00:00Z"));
    place.tenant.merge(&name("Robert Lund"), &Term::Iri("https://example.org/people/7".to_owned()), "").unwrap();
    place.tenant.merge(&name("Cem"), &name("Cemal"), "").unwrap();
    let terms = ["Bob", "Robert Lund", "Eva", "Cem", "Cemal", "Dag"].map(name);
    let questions =
        terms.iter().flat_map(|term| ["lives_in", "married_to", "employer", "reports_to", "knows"].map(|relation| (term, relation)));
    for known_at in [KnownAt::Latest, KnownAt::At(instant("2026-02-15T00:00:00Z")), KnownAt::At(instant("2026-01-15T00:00:00Z"))] {
        let as_of = erstwhile::time::AsOf { known_at, ..valid("2025") };
        let whole = place.tenant.at(as_of).unwrap();
        for (term, relation) in questions.clone() {
            let cold = place.again().at_slot(as_of, term, Some(relation)).unwrap();
            let told = |view: &erstwhile::View| {
                format!("{:#?} {:#?} {:#?}", view.values(term, relation), view.holders(relation, term), view.timeline(term, Some(relation)))
            };
            assert_eq!(told(&cold), told(&whole), "{term} {relation} at {known_at:?}");
            assert_eq!(cold.names(term).unwrap(), whole.names(term).unwrap(), "{term} at {known_at:?}");
        }
        let why = |tenant: &Tenant| format!("{:?}", tenant.why(as_of, ids[0]).unwrap());
        assert_eq!(why(&place.again()), why(&place.tenant));
    }
}

#[test]
fn claims_under_either_name_arrive_where_both_are_one() {
    let (place, _) = told();
    place.tenant.merge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    let receipt =
        place.tenant.remember(vec![fact("Bob", "lives_in", "Paris", "2022"), fact("Robert Lund", "lives_in", "Rome", "2024")]).unwrap();
    assert_eq!((receipt.applied.opened, receipt.applied.closed), (2, 2));
    assert_eq!(
        timeline(&place.tenant, "Bob", "lives_in"),
        ["Oslo [2015, 2018)", "Turin [2018, 2022)", "Paris [2022, 2024)", "Rome [2024, open)"]
    );
    place.tenant.retract(Retractable::Observation(receipt.ids[1]), "a holiday").unwrap();
    assert_eq!(timeline(&place.tenant, "Robert Lund", "lives_in").last().map(String::as_str), Some("Paris [2022, open)"));
    place.tenant.unmerge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    assert_eq!(timeline(&place.tenant, "Bob", "lives_in"), ["Oslo [2015, 2022)", "Paris [2022, open)"]);
    assert_eq!(timeline(&place.tenant, "Robert Lund", "lives_in"), ["Turin [2018, open)"], "Rome stays retracted");
    place.tenant.restore(Retractable::Observation(receipt.ids[1]), "").unwrap();
    assert_eq!(timeline(&place.tenant, "Robert Lund", "lives_in"), ["Turin [2018, 2024)", "Rome [2024, open)"]);
    assert!(place.tenant.verify().unwrap().problems.is_empty());
}

#[test]
fn chains_hold_step_by_step_and_what_does_not_fit_is_refused_by_name() {
    let (place, _) = told();
    let tenant = &place.tenant;
    let (bob, robert, boss) = (name("Bob"), name("Robert Lund"), name("The Boss"));
    tenant.merge(&bob, &robert, "").unwrap();
    tenant.merge(&robert, &boss, "").unwrap();
    assert_eq!(timeline(tenant, "the boss", "lives_in"), ["Oslo [2015, 2018)", "Turin [2018, open)"]);
    assert_eq!(tenant.at(valid("2026")).unwrap().names(&bob).unwrap(), [boss.clone(), bob.clone(), robert.clone()]);

    let refused = |outcome: Result<Applied, Error>, kind: ErrorKind, words: &str| {
        let error = outcome.unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (kind, words.to_owned()));
        assert!(matches!(error, Error::Ledger(LedgerError::Merge(_))));
    };
    let invalid = ErrorKind::InvalidInput;
    refused(
        tenant.merge(&name("ROBERT lund"), &robert, ""),
        invalid,
        "ROBERT lund cannot be merged into Robert Lund: the two names are one entity already, by their spelling",
    );
    refused(tenant.merge(&bob, &name("Eva"), ""), invalid, "Bob is merged into Robert Lund already: undo that first, or merge Robert Lund");
    refused(tenant.merge(&boss, &bob, ""), invalid, "The Boss cannot be merged into Bob, which is itself merged into The Boss");
    refused(tenant.unmerge(&bob, &boss, ""), ErrorKind::NotFound, "Bob is not merged into The Boss");
    let literal = Term::Literal(Literal::text("Bob"));
    refused(tenant.merge(&literal, &boss, ""), invalid, "the literal \"Bob\" is no entity, and cannot be merged");
    assert!(matches!(tenant.merge(&name(" "), &boss, ""), Err(Error::Term(_))));
    assert_eq!(tenant.merges().unwrap().len(), 2, "nothing of it is recorded");

    tenant.unmerge(&robert, &boss, "").unwrap();
    assert_eq!(tenant.at(valid("2026")).unwrap().names(&bob).unwrap(), [robert.clone(), bob.clone()], "the other step stands");
    assert!(tenant.at(valid("2026")).unwrap().values(&boss, "lives_in").unwrap().facts.is_empty());
    let nobody = place.memory.tenant(&TenantId::new("nobody").unwrap());
    assert!(matches!(nobody.unmerge(&bob, &robert, ""), Err(Error::Ledger(LedgerError::UnknownTenant { .. }))));
    let error = nobody.merge(&literal, &boss, "");
    assert!(matches!(&error, Err(Error::Ledger(LedgerError::Merge(unfit))) if **unfit == MergeError::Literal(literal.clone())));
    assert!(!place.folder.path().join("tenants/nobody.sqlite").exists(), "nonsense makes no tenant");
}

#[test]
fn a_merge_that_is_told_twice_at_once_counts_once() {
    let (place, _) = told();
    let other = place.again();
    assert_eq!(timeline(&other, "Bob", "lives_in"), ["Oslo [2015, open)"]);
    place.tenant.merge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    let again = other.merge(&name("Robert Lund"), &name("Bob"), "");
    assert!(again.unwrap_err().to_string().contains("which is itself merged into"), "it has not read the first one yet");
    assert_eq!(timeline(&other, "Bob", "lives_in").len(), 2);
    assert!(other.verify().unwrap().problems.is_empty());
}

#[test]
fn a_correction_reaches_what_was_said_under_the_other_name() {
    let place = place();
    place.tenant.remember(vec![fact("Bob", "lives_in", "Oslo", "2015")]).unwrap();
    let mut rome = claim("Robert Lund", "lives_in", "Rome", "2015", "");
    rome.corrects = Some(erstwhile::model::Correction::Tail(name("Oslo")));
    place.tenant.remember(vec![said("2025-02-01T00:00:00Z", vec![rome])]).unwrap();
    place.tenant.merge(&name("Oslo"), &name("Oslo, Norway"), "").unwrap();
    assert_eq!(timeline(&place.tenant, "Bob", "lives_in"), ["Oslo, Norway [2015, open)"], "said of somebody else");
    place.tenant.merge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    assert_eq!(timeline(&place.tenant, "Bob", "lives_in"), ["Rome [2015, open)"]);
    assert_eq!(place.tenant.stats().unwrap().retracted, 1);
    place.tenant.unmerge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    assert_eq!(timeline(&place.tenant, "Bob", "lives_in"), ["Oslo, Norway [2015, open)"]);
    assert!(place.tenant.verify().unwrap().problems.is_empty());
}

#[test]
fn a_policy_that_changes_finds_merged_names_as_they_are() {
    let (place, ids) = told();
    place.tenant.merge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    place.tenant.set_policy("lives_in", Some("cardinality = \"many\"")).unwrap();
    assert_eq!(timeline(&place.tenant, "Bob", "lives_in"), ["Oslo [2015, open)", "Turin [2018, open)"]);
    place.tenant.set_policy("lives_in", None).unwrap();
    assert_eq!(timeline(&place.tenant, "Bob", "lives_in"), ["Oslo [2015, 2018)", "Turin [2018, open)"]);
    place.tenant.unmerge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    place.tenant.set_policy("married_to", Some("symmetric = false")).unwrap();
    assert_eq!(timeline(&place.tenant, "Eva", "married_to").len(), 2);
    assert_eq!(facts(&place.tenant, &ids).len(), 7);
    assert!(place.tenant.verify().unwrap().problems.is_empty());
}

#[test]
fn an_erased_observation_is_gone_under_both_names() {
    let (place, ids) = told();
    let (bob, robert) = (name("Bob"), name("Robert Lund"));
    place.tenant.merge(&bob, &robert, "").unwrap();
    let erased = place.tenant.erase(&EraseTarget::Observation(ids[1].0.observation)).unwrap();
    assert_eq!((erased.claims, erased.merges, erased.applied.reopened), (1, 0, 1));
    assert_eq!(timeline(&place.tenant, "Bob", "lives_in"), ["Oslo [2015, open)"], "and what it had closed is open");
    assert!(place.tenant.verify().unwrap().problems.is_empty());
    for id in [0, 2, 4, 5] {
        place.tenant.erase(&EraseTarget::Observation(ids[id].0.observation)).unwrap();
        assert!(place.tenant.verify().unwrap().problems.is_empty());
    }
    let view = place.tenant.at(valid("2026")).unwrap();
    assert_eq!(view.names(&bob).unwrap(), [robert.clone(), bob.clone()], "the merge tells of both");
    assert!(view.about(&bob).unwrap().answer.facts.is_empty());
    place.tenant.unmerge(&bob, &robert, "").unwrap();
    assert!(place.tenant.verify().unwrap().problems.is_empty());
}

#[test]
fn an_erased_entity_goes_with_all_its_names_and_merges() {
    let (place, _) = told();
    let tenant = &place.tenant;
    let alias = format!("Agent {CANARY}");
    tenant.remember(vec![fact(&alias, "lives_in", "Lyon", "2023"), fact("Ida", "likes", "tea", "2020")]).unwrap();
    tenant.remember(vec![text("2025-05-01T00:00:00Z", "Ida", &format!("{alias}?"), Vec::new())]).unwrap();
    let other = place.again();
    // One that was undone names it too, and let Ida be somebody else for a time.
    tenant.merge(&name("Ida"), &name(&alias), &format!("they say so, {CANARY}")).unwrap();
    assert_eq!(timeline(&other, "Ida", "likes"), ["tea [2020, open)"]);
    assert_eq!(timeline(&other, "Ida", "lives_in"), ["Lyon [2023, open)"]);
    place.clock.set(instant("2026-03-01T00:00:00Z"));
    tenant.unmerge(&name("Ida"), &name(&alias), "").unwrap();
    tenant.merge(&name(&alias), &name("Robert Lund"), "").unwrap();
    tenant.merge(&name("Bob"), &name("Robert Lund"), "").unwrap();
    tenant.merge(&name("Cem"), &name("Cemal"), &format!("says {alias}")).unwrap();

    let named = tenant.naming(&name("Bob")).unwrap();
    assert_eq!(named.names, [name(&alias), name("Robert Lund")]);
    assert_eq!((named.observations.len(), named.merges, named.reasons), (7, 4, 1), "{named:?}");
    let erased = tenant.erase(&EraseTarget::Entity(name("Bob"))).unwrap();
    assert_eq!((erased.observations, erased.claims, erased.merges, erased.reasons), (7, 6, 4, 1), "{erased:?}");
    assert_eq!(files_hold(place.folder.path(), CANARY.as_bytes()), [""; 0]);
    assert_eq!(files_hold(place.folder.path(), b"Bob"), [""; 0]);
    for reader in [tenant, &other, &place.again()] {
        let view = reader.at(valid("2026")).unwrap();
        for gone in ["Bob", "Robert Lund", alias.as_str()] {
            assert!(view.about(&name(gone)).is_err(), "{gone} is unknown");
        }
        let merges = reader.merges().unwrap();
        assert_eq!((merges.len(), &merges[0].from, merges[0].because.as_str()), (1, &name("Cem"), ""));
        // What was believed under the erased merge is gone with it.
        let then = reader.at(as_known("2026", "2026-02-15T00:00:00Z")).unwrap();
        assert_eq!(then.names(&name("Ida")).unwrap(), [name("Ida")]);
        assert_eq!(then.timeline(&name("Ida"), Some("likes")).unwrap().len(), 1);
        assert_eq!(timeline(reader, "Ida", "likes"), ["tea [2020, open)"]);
        assert_eq!(values(reader, valid("2025"), "Cem", "married_to"), ["Eva"]);
        assert!(reader.verify().unwrap().problems.is_empty(), "{:?}", reader.verify().unwrap());
    }
    assert!(matches!(tenant.erase(&EraseTarget::Entity(name("Bob"))), Err(Error::NotFound { .. })));
}
