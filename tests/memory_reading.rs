//! What a memory answers: at any point of both times, whatever the order things came in, and while others write.

#![cfg(test)]

mod memory_support;

use erstwhile::memory::Error;
use erstwhile::model::{Claim, Correction, Polarity, Quote};
use erstwhile::time::{Span, Start};
use memory_support::{as_known, claim, fact, instant, name, place, said, tails, text, timeline, valid, values};
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn a_correction_moves_belief_and_leaves_what_was_believed_then() {
    let place = place();
    place.clock.set(instant("2026-01-01T00:00:00Z"));
    place.tenant.remember(vec![said("2026-01-01T00:00:00Z", vec![claim("Kai", "job_title", "VP", "2020", "")])]).unwrap();
    place.clock.set(instant("2026-01-05T00:00:00Z"));
    let mut corrected = claim("Kai", "job_title", "VP", "2021", "");
    corrected.corrects = Some(Correction::Tail(name("VP")));
    place.tenant.remember(vec![said("2026-01-05T00:00:00Z", vec![corrected])]).unwrap();
    assert_eq!(values(&place.tenant, as_known("2020-06", "2026-01-03T00:00:00Z"), "Kai", "job_title"), ["VP"]);
    assert_eq!(values(&place.tenant, as_known("2020-06", "2026-01-06T00:00:00Z"), "Kai", "job_title"), [""; 0]);
    assert_eq!(values(&place.tenant, valid("2022"), "Kai", "job_title"), ["VP"]);
}

#[test]
fn a_corrected_end_leaves_the_beginning_in_either_order() {
    let said_at = |day: &str, one| said(day, vec![one]);
    let began = said_at("2024-01-01T00:00:00Z", claim("Bo", "employer", "Kelt", "2015", ""));
    let ended = |year: &str| {
        let span = Span::new(Start::Unknown, claim("Bo", "employer", "Kelt", "", year).span.end()).unwrap();
        Claim { polarity: Polarity::Ends, span, ..claim("Bo", "employer", "Kelt", "", year) }
    };
    let left = ended("2019");
    let rather = Claim { corrects: Some(Correction::Tail(name("Kelt"))), ..ended("2020") };
    let (left, rather) = (said_at("2024-01-02T00:00:00Z", left), said_at("2024-01-03T00:00:00Z", rather));
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let place = place();
        for one in order.map(|at| [&began, &left, &rather][at].clone()) {
            place.tenant.remember(vec![one]).unwrap();
        }
        assert_eq!(timeline(&place.tenant, "Bo", "employer"), ["Kelt [2015, 2020)"], "order {order:?}");
    }
}

#[test]
fn the_order_of_arrival_is_never_seen() {
    let stays = [("Oslo", "2015"), ("Turin", "2018"), ("Oslo", "2021")];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for order in orders {
        for one_batch in [true, false] {
            let place = place();
            let incoming: Vec<_> = order.iter().map(|at| fact("Bea", "lives_in", stays[*at].0, stays[*at].1)).collect();
            if one_batch {
                place.tenant.remember(incoming).unwrap();
            } else {
                for one in incoming {
                    place.tenant.remember(vec![one]).unwrap();
                }
            }
            assert_eq!(
                timeline(&place.tenant, "Bea", "lives_in"),
                ["Oslo [2015, 2018)", "Turin [2018, 2021)", "Oslo [2021, open)"],
                "order {order:?}, one batch: {one_batch}"
            );
        }
    }
}

#[test]
fn the_same_input_again_changes_nothing_and_says_so() {
    let place = place();
    let input = || vec![fact("Ana", "employer", "Acme", "2020-01"), fact("Ana", "employer", "Globex", "2023-06")];
    let first = place.tenant.remember(input()).unwrap();
    assert_eq!((first.observations, first.claims, first.duplicates), (2, 2, 0));
    assert!(!first.changed_nothing(), "the first time is new");
    let before = place.tenant.stats().unwrap();
    let again = place.tenant.remember(input()).unwrap();
    assert_eq!((again.observations, again.claims, again.duplicates), (0, 0, 2));
    assert!(again.changed_nothing() && again.is_complete(), "{again:?}");
    assert_eq!(again.ids, first.ids, "the same content has the same ids");
    assert_eq!(again.tx, None, "nothing was written");
    assert_eq!(place.tenant.stats().unwrap(), before, "nothing moved");
    let mut twice = input();
    twice.extend(input());
    twice.push(fact("Ana", "employer", "Initech", "2024"));
    twice.push(fact("Ana", "employer", "Initech", "2024"));
    let mixed = place.tenant.remember(twice).unwrap();
    assert_eq!((mixed.observations, mixed.duplicates, mixed.ids.len()), (1, 5, 6));
}

#[test]
fn a_receipt_tells_what_closed() {
    let place = place();
    let first = place.tenant.remember(vec![fact("Ana", "employer", "Acme", "2020-01")]).unwrap();
    assert_eq!((first.applied.opened, first.applied.closed), (1, 0));
    let second = place.tenant.remember(vec![fact("Ana", "employer", "Globex", "2023-06")]).unwrap();
    assert_eq!((second.applied.opened, second.applied.closed), (1, 1));
    let late = place.tenant.remember(vec![fact("Ana", "employer", "Globex", "2022-06")]).unwrap();
    assert_eq!(late.duplicates, 0, "another date is another observation");
}

#[test]
fn why_gives_the_sentences() {
    let place = place();
    let mut joined = claim("Ana", "employer", "Acme", "2020-01", "");
    joined.quote = Some(Quote { from: 7, to: 26 });
    place.tenant.remember(vec![text("2020-02-01T09:00:00Z", "Ana", "Hello! I work at Acme now. Bye.", vec![joined])]).unwrap();
    place
        .tenant
        .remember(vec![text("2023-06-02T09:00:00Z", "Ana", "New job.", vec![claim("Ana", "employer", "Globex", "2023-06", "")])])
        .unwrap();
    place.tenant.remember(vec![fact("Ana", "employer", "Acme", "2021")]).unwrap();
    let fact = place.tenant.at(valid("2026")).unwrap().timeline(&name("Ana"), Some("employer")).unwrap().remove(0);
    let why = place.tenant.why(valid("2026"), fact.id).unwrap();
    assert_eq!(why.explanation.fact.tail, name("Acme"));
    assert!(why.explanation.ended.is_some(), "{why:?}");
    let mut words: Vec<&str> = why.sources.iter().map(|source| source.words.as_str()).collect();
    assert_eq!(words.pop(), Some("New job."), "what closed it comes last");
    words.sort_unstable();
    assert_eq!(words, ["Ana employer Acme from 2021", "I work at Acme now."]);
    let any_claim_names_it = erstwhile::model::FactId(why.sources[1].claim);
    assert_eq!(place.tenant.why(valid("2026"), any_claim_names_it).unwrap().explanation.fact.id, fact.id);
}

#[test]
fn claims_and_observations_are_found_by_the_beginning_of_their_ids() {
    let place = place();
    let mut keyed = said("2025-01-01T00:00:00Z", vec![claim("Ana", "likes", "tea", "2020", ""), claim("Ana", "likes", "rye", "2020", "")]);
    keyed.observation.key = Some("note/7".to_owned());
    let keyed = erstwhile::observe::Incoming::new(keyed.observation, keyed.ready);
    let ids = place.tenant.remember(vec![keyed, fact("Ana", "employer", "Acme", "2020")]).unwrap().ids;
    let (two, one) = (ids[0].to_string(), ids[1].to_string());
    assert_eq!(place.tenant.find_observation("note/7").unwrap(), ids[0]);
    assert_eq!(place.tenant.find_observation(&one).unwrap(), ids[1]);
    assert_eq!(place.tenant.find_observation(&one[..12]).unwrap(), ids[1]);
    assert!(matches!(place.tenant.find_observation("note/8"), Err(Error::NotFound { .. })));
    assert!(matches!(place.tenant.find_observation("zz"), Err(Error::NotFound { .. })));
    assert_eq!(place.tenant.find_claim(&one[..12]).unwrap().ordinal, 0);
    assert_eq!(place.tenant.find_claim(&format!("{two}.1")).unwrap().ordinal, 1);
    assert_eq!(place.tenant.find_claim(&format!("{}.1", &two[..10])).unwrap().ordinal, 1);
    assert!(matches!(place.tenant.find_claim(&two), Err(Error::Ambiguous { count: 2, .. })));
    assert!(matches!(place.tenant.find_claim(&format!("{two}.2")), Err(Error::NotFound { .. })));
    assert!(matches!(place.tenant.find_observation(""), Err(Error::Ambiguous { count: 2, .. })));
}

#[test]
fn retract_and_restore_move_belief_and_keep_history() {
    use erstwhile::ledger::Retractable;
    let place = place();
    let acme = place.tenant.remember(vec![fact("Ana", "employer", "Acme", "2020-01")]).unwrap();
    place.clock.set(instant("2026-02-01T00:00:00Z"));
    let globex = place.tenant.remember(vec![fact("Ana", "employer", "Globex", "2023-06")]).unwrap();
    place.clock.set(instant("2026-03-01T00:00:00Z"));
    let applied = place.tenant.retract(Retractable::Observation(globex.ids[0]), "misread").unwrap();
    assert_eq!(applied.reopened, 1, "{applied:?}");
    assert_eq!(timeline(&place.tenant, "Ana", "employer"), ["Acme [2020-01, open)"]);
    assert_eq!(values(&place.tenant, as_known("2024", "2026-02-15T00:00:00Z"), "Ana", "employer"), ["Globex"]);
    place.clock.set(instant("2026-04-01T00:00:00Z"));
    place.tenant.restore(Retractable::Observation(globex.ids[0]), "it was right").unwrap();
    assert_eq!(timeline(&place.tenant, "Ana", "employer"), ["Acme [2020-01, 2023-06)", "Globex [2023-06, open)"]);
    assert_eq!(values(&place.tenant, as_known("2024", "2026-03-15T00:00:00Z"), "Ana", "employer"), ["Acme"]);
    let claim = place.tenant.find_claim(&acme.ids[0].to_string()).unwrap();
    let nowhere = erstwhile::model::ClaimId { ordinal: 9, ..claim };
    assert!(matches!(place.tenant.retract(Retractable::Claim(nowhere), ""), Err(Error::NotFound { .. })));
}

#[test]
fn a_changed_policy_derives_anew_and_loses_nothing() {
    let place = place();
    place.tenant.remember(vec![fact("job-4", "rendered_with", "Perl", "2019"), fact("job-4", "rendered_with", "Rust", "2024")]).unwrap();
    let many = timeline(&place.tenant, "job-4", "rendered_with");
    assert_eq!(many, ["Perl [2019, open)", "Rust [2024, open)"]);
    assert_eq!(place.tenant.stats().unwrap().unknown_relations, [("rendered_with".to_owned(), 2)]);
    let applied = place.tenant.set_policy("rendered_with", Some("cardinality = \"one\"")).unwrap();
    assert_eq!(applied.closed, 1, "{applied:?}");
    let one = timeline(&place.tenant, "job-4", "rendered_with");
    assert_eq!(one, ["Perl [2019, 2024)", "Rust [2024, open)"]);
    assert_eq!(timeline(&place.again(), "job-4", "rendered_with"), one, "it is recorded");
    assert!(place.tenant.policies().unwrap().get("rendered_with").is_some(), "and in force");
    assert!(place.tenant.set_policy("rendered_with", Some("cardinality = \"three\"")).is_err(), "nonsense is refused");
    place.tenant.set_policy("rendered_with", None).unwrap();
    assert_eq!(timeline(&place.tenant, "job-4", "rendered_with"), many);
}

#[test]
fn a_view_stands_still_while_a_writer_goes_on() {
    let place = place();
    place.tenant.remember(vec![fact("Ana", "lives_in", "town 0", "2000-01-01")]).unwrap();
    let still = place.tenant.at(valid("2026")).unwrap();
    let before = still.timeline(&name("Ana"), Some("lives_in")).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = 1;
                    while !done.load(Ordering::Acquire) {
                        let now = place.tenant.at(valid("2026")).unwrap().timeline(&name("Ana"), Some("lives_in")).unwrap().len();
                        assert!(now >= seen, "a reader went back from {seen} facts to {now}");
                        seen = now;
                        assert_eq!(still.timeline(&name("Ana"), Some("lives_in")).unwrap(), before, "the view does not move");
                    }
                })
            })
            .collect();
        for year in 1..40 {
            place.tenant.remember(vec![fact("Ana", "lives_in", &format!("town {year}"), &format!("{}-01-01", 2000 + year))]).unwrap();
            // Read-your-writes: the writer sees each of its writes at once.
            assert_eq!(timeline(&place.tenant, "Ana", "lives_in").len(), year + 1);
        }
        done.store(true, Ordering::Release);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    assert_eq!(still.timeline(&name("Ana"), Some("lives_in")).unwrap(), before);
}

#[test]
fn about_shows_what_holds_and_counts_the_rest() {
    let place = place();
    place.tenant.set_policy("assigned_to", Some("cardinality = \"one\"")).unwrap();
    place
        .tenant
        .remember(vec![fact("Odd", "assigned_to", "Heron", "2024-01-10"), fact("Odd", "assigned_to", "Lark", "2024-06-01")])
        .unwrap();
    let about = place.tenant.at(valid("2025")).unwrap().about(&name("odd")).unwrap();
    assert_eq!(tails(&about.answer), ["Lark"]);
    assert_eq!(about.answer.suppressed, 1);
    assert_eq!(about.entity, name("Odd"));
}
