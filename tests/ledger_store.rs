//! The embedded ledger through its trait: what goes in comes out, in sequence, once, and is found again.
#![cfg(test)]

mod ledger_support;

use erstwhile::ledger::{
    ClaimEnd, Ledger, LedgerError, Record, RecordRow, Retractable, SliceKey, SqliteLedger, SqliteOptions, StoredRecord, TenantFolder,
};
use erstwhile::model::{Claim, ClaimId, Correction, Term};
use erstwhile::time::Instant;
use ledger_support::{Numbers, claim, everything, id, ids, import, observation, place, rows};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

const NOW: Instant = Instant::from_micros(1_700_000_000_000_000);

fn later(n: i64) -> Instant {
    Instant::from_micros(NOW.micros() + n)
}

fn open(folder: &Path) -> SqliteLedger {
    SqliteLedger::open_or_create(&folder.join("t.sqlite"), SqliteOptions::default()).unwrap()
}

#[test]
fn every_field_comes_back_as_it_went_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let mut numbers = Numbers(7);
    let records: Vec<Record> = (0..600).map(|n| numbers.observation(n)).collect();
    let commit = ledger.append(&records, NOW).unwrap();
    assert_eq!(commit.tx, NOW);
    let stored = everything(&mut ledger);
    assert_eq!(stored.len(), records.len());
    for ((record, stored), seq) in records.iter().zip(&stored).zip(&commit.seqs) {
        let (Record::Observation { observation, claims, .. }, StoredRecord::Observation(stored)) = (record, stored) else {
            panic!("{record:?} came back as {stored:?}")
        };
        assert_eq!(Some(stored.seq), *seq);
        assert_eq!(observation, &stored.observation);
        assert_eq!(stored.claims.len(), claims.len());
        for (claim, (_, tx, stored)) in claims.iter().zip(&stored.claims) {
            assert_eq!(claim, stored);
            assert_eq!(claim.confidence.to_bits(), stored.confidence.to_bits(), "to the last bit, and the sign of zero");
            assert_eq!(*tx, NOW);
        }
        assert_eq!(ledger.observation(observation.id).unwrap().as_ref(), Some(stored));
    }
    // Borrowed rows say the same as owned ones.
    let mut given = 0;
    let by_id: BTreeMap<_, _> = records
        .iter()
        .filter_map(|record| match record {
            Record::Observation { observation, claims, .. } => Some((observation.id, claims)),
            Record::Retract { .. }
            | Record::Restore { .. }
            | Record::Policy { .. }
            | Record::Extracted { .. }
            | Record::Merge { .. }
            | Record::Unmerge { .. }
            | Record::Setting { .. } => None,
        })
        .collect();
    ledger
        .replay(0, &mut |row| {
            if let RecordRow::Claim { id, head, relation, tail, polarity, span, seen_at, context, corrects_claim, corrects_tail, .. } = row
            {
                given += 1;
                let claim = &by_id[&id.observation][usize::try_from(id.ordinal).unwrap()];
                assert_eq!((head, relation, tail), (claim.head.as_ref(), claim.relation.as_str(), claim.tail.as_ref()));
                assert_eq!((polarity, span, seen_at, context), (claim.polarity, claim.span, claim.seen_at, claim.context.as_deref()));
                let (by_claim, by_tail) = match &claim.corrects {
                    Some(Correction::Claim(id)) => (Some(*id), None),
                    Some(Correction::Tail(tail)) => (None, Some(tail.as_ref())),
                    None => (None, None),
                };
                assert_eq!((corrects_claim, corrects_tail), (by_claim, by_tail));
            }
        })
        .unwrap();
    assert_eq!(given, by_id.values().map(|claims| claims.len()).sum::<usize>());
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_batch_has_one_time_later_than_every_earlier_one_and_places_only_rise() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    assert_eq!(ledger.position().unwrap().seq, 0);
    assert_eq!(ledger.position().unwrap().tx, None);
    let one = ledger.append(&[observation(1, None, vec![claim("a", "r", "b")]), observation(2, None, vec![])], NOW).unwrap();
    assert_eq!((one.tx, one.seqs), (NOW, vec![Some(1), Some(3)]));
    let backwards = ledger.append(&[observation(3, None, vec![])], later(-5_000_000)).unwrap();
    assert_eq!((backwards.tx, backwards.seqs), (later(1), vec![Some(4)]));
    let forwards = ledger.append(&[observation(4, None, vec![])], later(10)).unwrap();
    assert_eq!(forwards.tx, later(10));
    ledger.erase(&[id(4)], later(0)).unwrap();
    let after = ledger.append(&[observation(4, None, vec![])], later(0)).unwrap();
    assert_eq!((after.tx, after.seqs), (later(12), vec![Some(7)]), "the erased observation's place is not given again");
    let position = ledger.position().unwrap();
    assert_eq!((position.seq, position.tx), (7, Some(later(12))));
}

#[test]
fn what_is_there_already_is_skipped_in_the_ledger_and_in_the_batch() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let first = ledger.append(&[observation(1, None, vec![claim("a", "r", "b")]), observation(1, None, vec![])], NOW).unwrap();
    assert_eq!(first.seqs, vec![Some(1), None]);
    let again = ledger.append(&[observation(1, None, vec![])], later(9)).unwrap();
    assert_eq!((again.tx, again.seqs), (NOW, vec![None]), "nothing was written, so no time has passed");
    assert_eq!(ledger.position().unwrap().seq, 2);
    let mixed =
        ledger.append(&[observation(2, None, vec![]), observation(1, None, vec![]), observation(3, None, vec![])], later(9)).unwrap();
    assert_eq!(mixed.seqs, vec![Some(3), None, Some(4)]);
    // The same through a filter and segments: large batches, some of it known, from this handle and from another.
    let batch = |from: u64, to: u64| (from..to).map(|n| observation(n, None, vec![claim(&format!("e{n}"), "r", "x")])).collect::<Vec<_>>();
    ledger.append(&batch(10, 5_000), later(10)).unwrap();
    let mut other = open(folder.path());
    other.append(&batch(5_000, 8_000), later(11)).unwrap();
    for ledger in [&mut ledger, &mut other] {
        let none = ledger.append(&batch(10, 8_000), later(12)).unwrap();
        assert!(none.seqs.iter().all(Option::is_none));
    }
    let some = ledger.append(&batch(7_990, 8_010), later(13)).unwrap();
    assert_eq!(some.seqs.iter().map(Option::is_some).collect::<Vec<_>>(), [[false; 10], [true; 10]].concat());
    let all = ids(&mut other);
    assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len());
    assert_eq!(other.check().unwrap(), Vec::<String>::new());
}

#[test]
fn replay_gives_everything_from_a_place_on_in_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    ledger.append(&[observation(1, None, vec![claim("a", "r", "b"), claim("a", "r", "c")])], NOW).unwrap();
    let claim_id = ClaimId { observation: id(1), ordinal: 1 };
    ledger
        .append(
            &[
                Record::Policy { relation: "r".to_owned(), toml: Some("cardinality = \"one\"".to_owned()) },
                Record::Retract { target: Retractable::Claim(claim_id), because: "typo".to_owned() },
                observation(2, None, vec![claim("x", "r", "y")]),
                Record::Restore { target: Retractable::Observation(id(2)), because: String::new() },
                Record::Policy { relation: "r".to_owned(), toml: None },
            ],
            later(5),
        )
        .unwrap();
    ledger.append(&[observation(3, None, vec![])], later(7)).unwrap();
    ledger.erase(&[id(3)], later(8)).unwrap();
    let mut places = Vec::new();
    let mut sorts = Vec::new();
    let position = ledger
        .replay(0, &mut |row| {
            places.push(place(&row));
            sorts.push(match row {
                RecordRow::Observation { tx, .. } => ("observation", tx),
                RecordRow::Claim { tx, .. } => ("claim", tx),
                RecordRow::Belief { tx, target, believed, .. } => {
                    assert_eq!(believed, target == Retractable::Observation(id(2)));
                    ("belief", tx)
                }
                RecordRow::Policy { tx, .. } => ("policy", tx),
                RecordRow::Merge { tx, .. } => ("merge", tx),
                RecordRow::Setting { tx, .. } => ("setting", tx),
                RecordRow::Extraction { tx, .. } => ("extraction", tx),
                RecordRow::Erasure { tx, observations, .. } => {
                    assert_eq!(observations, 1);
                    ("erasure", tx)
                }
            });
        })
        .unwrap();
    assert_eq!(position.seq, 11);
    assert_eq!(places, [1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
    let (one, two) = (NOW, later(5));
    let expected =
        [("observation", one), ("claim", one), ("claim", one), ("policy", two), ("belief", two), ("observation", two), ("claim", two)];
    assert_eq!(sorts[..7], expected);
    assert_eq!(sorts[7..], [("belief", two), ("policy", two), ("erasure", later(8))]);
    let all = rows(&mut ledger, 0);
    for from in 0..13 {
        let kept = places.iter().filter(|place| **place >= from).count();
        assert_eq!(rows(&mut ledger, from), all[all.len() - kept..], "from {from}, also from the middle of an observation");
    }
}

#[test]
fn a_long_replay_says_what_short_ones_say_and_survives_a_sink_that_panics() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let mut numbers = Numbers(5);
    for round in 0..7_u64 {
        let mut batch: Vec<Record> = (round * 2_000..round * 2_000 + 2_000).map(|n| numbers.observation(n)).collect();
        batch.push(Record::Policy { relation: format!("r{round}"), toml: (round % 2 == 0).then(|| "x".to_owned()) });
        batch.push(Record::Retract { target: Retractable::Observation(id(round * 2_000)), because: String::new() });
        ledger.append(&batch, NOW).unwrap();
    }
    ledger.erase(&[id(77)], NOW).unwrap();
    let end = ledger.position().unwrap().seq;
    assert!(end > 30_000, "long enough for two threads");
    let long = rows(&mut ledger, 0);
    let late = rows(&mut ledger, end - 15_000);
    assert_eq!(long[long.len() - late.len()..], late);
    // The rest against what a short replay says of the same records in a ledger without the later ones.
    let early: Vec<StoredRecord> = everything(&mut ledger).into_iter().take_while(|record| record.seq() < 15_000).collect();
    let mut copy = SqliteLedger::open_or_create(&folder.path().join("copy.sqlite"), SqliteOptions::default()).unwrap();
    import(&mut copy, early).unwrap();
    let short = rows(&mut copy, 0);
    assert!(short.len() > 10_000);
    assert_eq!(long[..short.len()], short);
    let mut given = 0;
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        ledger.replay(0, &mut |_| {
            given += 1;
            assert!(given < 5_000, "enough");
        })
    }))
    .unwrap_err();
    assert_eq!(rows(&mut ledger, 0), long);
}

#[test]
fn what_cannot_be_stored_is_refused_and_nothing_of_its_batch_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    ledger.append(&[observation(1, None, vec![])], NOW).unwrap();
    let before = rows(&mut ledger, 0);
    let mut bad = Vec::new();
    for value in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        let mut claim = claim("a", "r", "b");
        claim.confidence = value;
        bad.push((observation(3, None, vec![claim.clone()]), "confidence"));
        claim.confidence = 1.0;
        claim.importance = value;
        bad.push((observation(3, None, vec![claim]), "importance"));
    }
    let mut literal = claim("a", "r", "b");
    literal.head = Term::Literal(erstwhile::model::Literal { lexical: "7".to_owned(), datatype: None, language: None });
    bad.push((observation(3, None, vec![literal]), "head"));
    bad.push((Record::Retract { target: Retractable::Observation(id(9)), because: String::new() }, "not recorded"));
    for (record, word) in bad {
        let error = ledger.append(&[observation(2, None, vec![]), record], later(1)).unwrap_err();
        assert!(matches!(&error, LedgerError::BadRecord { .. }) && error.to_string().contains(word), "{error}");
        assert_eq!(rows(&mut ledger, 0), before);
    }
    // A retraction may name what stands before it in its batch, and not what comes after.
    let retract = Record::Retract { target: Retractable::Observation(id(4)), because: String::new() };
    ledger.append(&[retract.clone(), observation(4, None, vec![])], later(1)).unwrap_err();
    ledger.append(&[observation(4, None, vec![]), retract], later(1)).unwrap();
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
fn another_handles_writes_show_in_the_position_and_replay_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (open(folder.path()), open(folder.path()));
    one.append(&[observation(1, None, vec![])], NOW).unwrap();
    let seen = two.position().unwrap().seq;
    assert_eq!(seen, 1);
    two.append(&[observation(2, None, vec![claim("a", "r", "b")])], later(-50)).unwrap();
    assert_eq!(one.position().unwrap().seq, 3);
    assert_eq!(one.position().unwrap().tx, Some(later(1)), "time does not run backwards from one process to another");
    assert_eq!(rows(&mut one, seen + 1).len(), 2);
}

/// Whether a claim is asked for.
type Fits<'a> = &'a dyn Fn(&Claim) -> bool;

/// What a slice must hold, told from all rows by plain comparison.
fn expected_slice(ledger: &mut dyn Ledger, fits: Fits<'_>) -> BTreeSet<u64> {
    let all = everything(ledger);
    let mut claims: BTreeMap<ClaimId, (u64, u64)> = BTreeMap::new();
    let each = || {
        all.iter().filter_map(|record| match record {
            StoredRecord::Observation(stored) => Some(stored),
            StoredRecord::Belief { .. }
            | StoredRecord::Policy { .. }
            | StoredRecord::Erasure { .. }
            | StoredRecord::Merge { .. }
            | StoredRecord::Setting { .. }
            | StoredRecord::Extraction(_) => None,
        })
    };
    for stored in each() {
        for (ordinal, (seq, _, claim)) in (0..).zip(&stored.claims) {
            if fits(claim) {
                claims.insert(ClaimId { observation: stored.observation.id, ordinal }, (*seq, stored.seq));
            }
        }
    }
    let mut grown = true;
    while grown {
        grown = false;
        for stored in each() {
            for (ordinal, (seq, _, claim)) in (0..).zip(&stored.claims) {
                if matches!(claim.corrects, Some(Correction::Claim(corrected)) if claims.contains_key(&corrected)) {
                    let own = ClaimId { observation: stored.observation.id, ordinal };
                    grown |= claims.insert(own, (*seq, stored.seq)).is_none();
                }
            }
        }
    }
    let mut places: BTreeSet<u64> = claims.values().flat_map(|(seq, observation)| [*seq, *observation]).collect();
    for record in &all {
        match record {
            StoredRecord::Belief { seq, target: Retractable::Claim(named), .. } if claims.contains_key(named) => {
                places.insert(*seq);
            }
            StoredRecord::Belief { seq, target: Retractable::Observation(named), .. }
                if claims.keys().any(|claim| claim.observation == *named) =>
            {
                places.insert(*seq);
            }
            StoredRecord::Policy { seq, .. } | StoredRecord::Merge { seq, .. } => {
                places.insert(*seq);
            }
            StoredRecord::Observation(_)
            | StoredRecord::Belief { .. }
            | StoredRecord::Erasure { .. }
            | StoredRecord::Setting { .. }
            | StoredRecord::Extraction(_) => {}
        }
    }
    places
}

#[test]
fn a_slice_has_what_its_keys_need_and_no_row_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let mut numbers = Numbers(3);
    let mut known = 0_u64;
    // Batches small and large, so that claims stand in segments of several levels and after them.
    for (round, size) in [5_u64, 3_000, 700, 700, 700, 700, 900, 2_500, 40].into_iter().enumerate() {
        let mut batch = vec![Record::Policy { relation: format!("r{round}"), toml: None }];
        for _ in 0..size {
            let mut claims = Vec::new();
            for _ in 0..=numbers.next(2) {
                let mut claim =
                    claim(&format!("e{}", numbers.next(400)), &format!("r{}", numbers.next(6)), &format!("e{}", numbers.next(400)));
                match numbers.next(12) {
                    0 => claim.tail = Term::Iri(format!("http://x/{}", numbers.next(50))),
                    1 => claim.corrects = Some(Correction::Tail(Term::Name(format!("e{}", numbers.next(400))))),
                    2 if known > 0 => {
                        let ordinal = u32::try_from(numbers.next(2)).unwrap();
                        claim.corrects = Some(Correction::Claim(ClaimId { observation: id(numbers.next(known)), ordinal }));
                    }
                    _ => {}
                }
                claims.push(claim);
            }
            batch.push(observation(known, None, claims));
            known += 1;
            if numbers.next(20) == 0 {
                let named = id(numbers.next(known));
                let target = match numbers.next(3) {
                    0 => Retractable::Observation(named),
                    n => Retractable::Claim(ClaimId { observation: named, ordinal: u32::try_from(n).unwrap() - 1 }),
                };
                batch.push(Record::Retract { target, because: "no".to_owned() });
            }
        }
        ledger.append(&batch, later(i64::try_from(round).unwrap())).unwrap();
    }
    ledger.erase(&(0..known).step_by(97).map(id).collect::<Vec<_>>(), later(99)).unwrap();
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    let all = rows(&mut ledger, 0).into_iter().collect::<BTreeSet<_>>();
    for entity in ["e0", "E7", "e33", "e399", "e1000"] {
        let name = Term::Name(entity.to_owned());
        let same = |term: &Term| matches!(term, Term::Name(name) if name.eq_ignore_ascii_case(entity));
        let tails = |claim: &Claim| same(&claim.tail) || matches!(&claim.corrects, Some(Correction::Tail(tail)) if same(tail));
        let head = |relations: &[&str]| SliceKey {
            entity: name.clone(),
            end: ClaimEnd::Head,
            relations: relations.iter().map(|relation| (*relation).to_owned()).collect(),
            other: None,
        };
        let tail = |relations: &[&str]| SliceKey { end: ClaimEnd::Tail, ..head(relations) };
        let e33 = |term: &Term| *term == Term::Name("e33".to_owned());
        let pair = |key: SliceKey| SliceKey { other: Some(Term::Name("E33".to_owned())), ..key };
        let questions: [(Vec<SliceKey>, Fits<'_>); 6] = [
            (vec![pair(head(&["r1", "r2", "r3", "r4"]))], &|claim| {
                let is_tail = e33(&claim.tail) || matches!(&claim.corrects, Some(Correction::Tail(tail)) if e33(tail));
                same(&claim.head) && is_tail && ["r1", "r2", "r3", "r4"].contains(&claim.relation.as_str())
            }),
            (vec![pair(tail(&["r5"])), pair(tail(&["r0"])), head(&["r0"])], &|claim| {
                let is_head = e33(&claim.head) && ["r0", "r5"].contains(&claim.relation.as_str());
                is_head && tails(claim) || same(&claim.head) && claim.relation == "r0"
            }),
            (vec![head(&[])], &|claim| same(&claim.head)),
            (vec![head(&["R3", "r5"])], &|claim| same(&claim.head) && ["r3", "r5"].contains(&claim.relation.as_str())),
            (vec![tail(&["r1"])], &|claim| tails(claim) && claim.relation == "r1"),
            (vec![head(&[]), tail(&[]), head(&["r1"])], &|claim| same(&claim.head) || tails(claim)),
        ];
        for (keys, fits) in questions {
            let expected = expected_slice(&mut ledger, fits);
            let mut given = Vec::new();
            let mut seen = BTreeSet::new();
            ledger
                .slice(&keys, &mut |row| {
                    given.push(place(&row));
                    assert!(all.contains(&format!("{row:?}")), "as replay gives it");
                    match row {
                        RecordRow::Observation { id, .. } => assert!(seen.insert(id)),
                        RecordRow::Claim { id, .. } => assert!(seen.contains(&id.observation), "after its observation"),
                        RecordRow::Belief { .. }
                        | RecordRow::Policy { .. }
                        | RecordRow::Erasure { .. }
                        | RecordRow::Merge { .. }
                        | RecordRow::Setting { .. }
                        | RecordRow::Extraction { .. } => {}
                    }
                })
                .unwrap();
            assert!(given.is_sorted_by(|left, right| left < right), "in sequence, each once");
            assert_eq!(given.into_iter().collect::<BTreeSet<_>>(), expected, "{keys:?}");
        }
    }
    let iri = SliceKey { entity: Term::Iri("http://x/7".to_owned()), end: ClaimEnd::Tail, relations: vec![], other: None };
    let expected = expected_slice(&mut ledger, &|claim| claim.tail == Term::Iri("http://x/7".to_owned()));
    assert!(expected.len() > 20, "the question is worth asking");
    let mut given = BTreeSet::new();
    ledger.slice(&[iri], &mut |row| assert!(given.insert(place(&row)))).unwrap();
    assert_eq!(given, expected);
}

#[test]
fn observations_are_found_by_prefix_and_by_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let batch = |from: u64, to: u64| {
        (from..to)
            .map(|n| {
                let mut record = observation(n, None, vec![]);
                if let Record::Observation { observation, .. } = &mut record {
                    observation.key = Some(format!("key {}", n % 1000));
                }
                record
            })
            .collect::<Vec<_>>()
    };
    ledger.append(&batch(0, 3_000), NOW).unwrap();
    ledger.append(&batch(3_000, 3_100), later(1)).unwrap();
    for n in [0, 1, 2_999, 3_050] {
        let whole = id(n).to_string();
        assert_eq!(ledger.observations_by_prefix(&whole, 9).unwrap(), [id(n)]);
        assert_eq!(ledger.observations_by_prefix(&whole[..20].to_uppercase(), 9).unwrap(), [id(n)]);
        let mut expected: Vec<_> = (0..3_100).map(id).filter(|id| id.to_string().starts_with(&whole[..2])).collect();
        expected.sort_unstable();
        assert_eq!(ledger.observations_by_prefix(&whole[..2], 9_999).unwrap(), expected);
        assert_eq!(ledger.observations_by_prefix(&whole[..2], 2).unwrap(), expected[..2]);
    }
    assert!(ledger.observations_by_prefix("no id", 9).unwrap().is_empty());
    let asked: Vec<_> = [0, 1, 2_999, 3_050].map(id).to_vec();
    let lengths = ledger.short_ids(&asked, 2).unwrap();
    for (one, length) in asked.iter().zip(lengths) {
        let written = one.to_string();
        let mut alone = |digits: usize| ledger.observations_by_prefix(&written[..digits], 9).map(|found| found == [*one]);
        assert!(alone(length).unwrap(), "{written} by {length} digits");
        assert!(length == 2 || !alone(length - 4).unwrap(), "{written} by fewer than {length} digits");
    }
    let mut expected = [id(42), id(1042), id(2042), id(3042)];
    expected.sort_unstable();
    assert_eq!(ledger.observations_by_key("key 42").unwrap(), expected);
    assert!(ledger.observations_by_key("key").unwrap().is_empty());
    let mut keys = 0;
    ledger.words(0, &mut |words| keys += usize::from(words.key.is_some() && words.text.is_none())).unwrap();
    assert_eq!(keys, 3_100);
}

#[test]
fn no_short_id_is_anothers_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let keyed = |n: u64, key: String| {
        let mut record = observation(n, None, vec![]);
        if let Record::Observation { observation, .. } = &mut record {
            observation.key = Some(key);
        }
        record
    };
    let short = |of: u64| id(of).to_string()[..8].to_owned();
    // One key that is like an id of its own observation, and one that is like another's; indexed and, in the second batch, not yet.
    for (first, tx) in [(0, NOW), (5_000, later(1))] {
        let count = if first == 0 { 3_000 } else { 10 };
        let mut batch: Vec<_> = (first + 2..first + count).map(|n| observation(n, None, vec![])).collect();
        batch.push(keyed(first, short(first)));
        batch.push(keyed(first + 1, short(first + 2)));
        ledger.append(&batch, tx).unwrap();
        assert_eq!(ledger.short_ids(&[first, first + 1, first + 2].map(id), 8).unwrap(), [8, 8, 12], "from {first}");
    }
}

#[test]
fn an_export_goes_into_an_empty_ledger_with_places_and_times_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let mut numbers = Numbers(11);
    for n in 0..30 {
        let batch: Vec<Record> = (n * 100..n * 100 + 100).map(|n| numbers.observation(n)).collect();
        ledger.append(&batch, later(i64::try_from(n).unwrap() * 3)).unwrap();
    }
    let retract = Record::Retract { target: Retractable::Observation(id(5)), because: "wrong\nperson".to_owned() };
    let policy = Record::Policy { relation: "*".to_owned(), toml: Some("cardinality = \"one\"".to_owned()) };
    ledger.append(&[retract, policy], later(500)).unwrap();
    ledger.erase(&[id(7), id(2_999)], later(600)).unwrap();
    let exported = everything(&mut ledger);
    let mut copy = SqliteLedger::open_or_create(&folder.path().join("copy.sqlite"), SqliteOptions::default()).unwrap();
    assert_eq!(import(&mut copy, exported.clone()).unwrap(), exported.len() as u64);
    assert_eq!(everything(&mut copy), exported);
    assert_eq!(rows(&mut copy, 0), rows(&mut ledger, 0));
    assert_eq!(copy.position().unwrap(), ledger.position().unwrap());
    assert_eq!(copy.check().unwrap(), Vec::<String>::new());
    assert!(matches!(import(&mut copy, exported.clone()), Err(LedgerError::BadRecord { .. })), "it is not empty any more");
    assert_eq!(copy.append(&[observation(5, None, vec![])], NOW).unwrap().seqs, [None], "what was imported is known");
    copy.append(&[observation(70_000, None, vec![])], later(700)).unwrap();

    // All or nothing: a record out of order, a retraction of nothing, an error of the source.
    let mut fresh = SqliteLedger::open_or_create(&folder.path().join("fresh.sqlite"), SqliteOptions::default()).unwrap();
    let mut turned = exported.clone();
    turned.swap(3, 9);
    let belief = exported.iter().find(|record| matches!(record, StoredRecord::Belief { .. })).unwrap().clone();
    let mut twice = exported.clone();
    twice.push(exported[0].clone());
    for bad in [turned, vec![belief], twice] {
        assert!(matches!(import(&mut fresh, bad), Err(LedgerError::BadRecord { .. })));
    }
    let mut left = exported.clone().into_iter().take(9);
    let failed = fresh.import(&mut || match left.next() {
        Some(record) => Ok(Some(record)),
        None => Err(LedgerError::BadRecord { seq: 77, reason: "the source broke off".to_owned() }),
    });
    assert!(matches!(failed, Err(LedgerError::BadRecord { seq: 77, .. })));
    assert_eq!(fresh.holdings().unwrap().observations, 0);
    assert_eq!(import(&mut fresh, exported.clone()).unwrap(), exported.len() as u64);
}

#[test]
fn a_backup_is_a_ledger_of_the_same_state_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let batch: Vec<Record> = (0..3_000).map(|n| observation(n, Some("text"), vec![claim("a", "r", "b")])).collect();
    ledger.append(&batch, NOW).unwrap();
    let to = folder.path().join("backup %?#.sqlite");
    ledger.backup(&to).unwrap();
    ledger.append(&[observation(9_000, None, vec![])], later(1)).unwrap();
    let before = fs::read(&to).unwrap();
    assert!(matches!(ledger.backup(&to), Err(LedgerError::Io { .. })));
    assert_eq!(fs::read(&to).unwrap(), before);
    let mut copy = SqliteLedger::open(&to, SqliteOptions::default()).unwrap();
    assert_eq!(rows(&mut copy, 0), rows(&mut ledger, 0)[..6_000]);
    assert_eq!(copy.check().unwrap(), Vec::<String>::new());
    copy.append(&[observation(9_001, None, vec![])], later(1)).unwrap();
}

#[test]
fn a_tenant_is_one_file_that_is_made_by_the_first_writer_and_goes_whole() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions { busy_timeout: Duration::from_millis(50), ..SqliteOptions::default() };
    let tenants = TenantFolder::new(folder.path(), options);
    assert_eq!(tenants.tenants().unwrap(), Vec::<String>::new());
    for tenant in ["default", "Ada", "../escape", "ada", "東京"] {
        assert!(matches!(tenants.open(tenant), Err(LedgerError::UnknownTenant { .. })));
        assert!(matches!(tenants.remove(tenant), Err(LedgerError::UnknownTenant { .. })));
    }
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "asking makes nothing");
    for tenant in ["default", "Ada", "../escape", "ada", "東京"] {
        tenants.open_or_create(tenant).unwrap().append(&[observation(1, None, vec![])], NOW).unwrap();
    }
    assert_eq!(tenants.tenants().unwrap(), ["../escape", "Ada", "ada", "default", "東京"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "all inside the folder");
    fs::write(folder.path().join("tenants/notes.txt"), "mine").unwrap();
    let mut open_elsewhere = tenants.open("Ada").unwrap();
    tenants.remove("Ada").unwrap();
    assert_eq!(tenants.tenants().unwrap(), ["../escape", "ada", "default", "東京"]);
    let error = open_elsewhere.append(&[observation(2, None, vec![])], NOW).unwrap_err();
    assert!(matches!(error, LedgerError::NotALedger { .. }), "no write into a removed file is acknowledged: {error}");
    drop(open_elsewhere);
    for tenant in ["../escape", "ada", "default", "東京"] {
        tenants.remove(tenant).unwrap();
    }
    let left: Vec<_> = fs::read_dir(folder.path().join("tenants")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.txt"]);
}

/// How often each surface of each name (white space and case folded) is used.
fn surfaces(ledger: &mut dyn Ledger) -> BTreeMap<String, BTreeMap<String, u64>> {
    let mut surfaces: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for record in everything(ledger) {
        let StoredRecord::Observation(stored) = record else { continue };
        for (_, _, claim) in stored.claims {
            let corrected = claim.corrects.and_then(|corrects| match corrects {
                Correction::Tail(tail) => Some(tail),
                Correction::Claim(_) => None,
            });
            for term in [Some(claim.head), Some(claim.tail), corrected].into_iter().flatten() {
                let Term::Name(name) = term else { continue };
                let folded = name.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
                *surfaces.entry(folded).or_default().entry(name).or_default() += 1;
            }
        }
    }
    surfaces
}

#[test]
fn a_name_is_displayed_by_the_surface_that_most_claims_use_also_after_an_erasure() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let mut numbers = Numbers(11);
    let spelt = |numbers: &mut Numbers| {
        let name = format!("Name {}", numbers.next(30));
        [name.clone(), name.to_uppercase(), name.to_lowercase(), name.replace(' ', "  ")][usize::try_from(numbers.next(4)).unwrap()].clone()
    };
    let mut known = 0_u64;
    // Into segments of several levels, some merged, and after them.
    for size in [5_u64, 1_500, 1_200, 1_200, 1_200, 1_200, 1_200, 1_200, 1_200, 1_200, 1_200, 60] {
        let mut batch = Vec::new();
        for _ in 0..size {
            let (head, tail) = (spelt(&mut numbers), spelt(&mut numbers));
            let mut claim = claim(&head, "r", &tail);
            match numbers.next(9) {
                0 => claim.corrects = Some(Correction::Tail(Term::Name(spelt(&mut numbers)))),
                1 => claim.tail = Term::Iri(format!("http://x/{}", numbers.next(4))),
                _ => {}
            }
            batch.push(observation(known, None, vec![claim]));
            known += 1;
        }
        ledger.append(&batch, later(1)).unwrap();
    }
    ledger.append(&[observation(known, None, vec![claim("Alone", "r", "AlonE"), claim("once", "r", "Alone")])], later(2)).unwrap();
    let check = |ledger: &mut SqliteLedger| {
        let surfaces = surfaces(ledger);
        assert!(surfaces.len() > 20, "{surfaces:?}");
        let asked: Vec<Term> = surfaces.keys().map(|name| Term::Name(name.clone())).collect();
        let expected: Vec<Option<Term>> = surfaces
            .values()
            .map(|used| {
                used.iter().max_by(|left, right| left.1.cmp(right.1).then(right.0.cmp(left.0))).map(|(name, _)| Term::Name(name.clone()))
            })
            .collect();
        assert_eq!(ledger.displayed(&asked).unwrap(), expected);
        for one in asked.iter().zip(&expected) {
            assert_eq!(ledger.displayed(std::slice::from_ref(one.0)).unwrap(), std::slice::from_ref(one.1), "alone as together");
        }
        assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    };
    check(&mut ledger);
    let iri = |n: u64| Term::Iri(format!("http://x/{n}"));
    assert_eq!(ledger.displayed(&[iri(3), iri(9), Term::Name("nobody".to_owned())]).unwrap(), [Some(iri(3)), None, None]);
    ledger.erase(&(0..known).filter(|n| n % 3 > 0).map(id).collect::<Vec<_>>(), later(3)).unwrap();
    check(&mut ledger);
    ledger.erase(&[id(known)], later(4)).unwrap();
    assert_eq!(ledger.displayed(&[Term::Name("alone".to_owned())]).unwrap(), [None], "nothing is left of it");
    check(&mut ledger);
}
