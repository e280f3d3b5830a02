//! The rarer records of a ledger (merges, settings, extractions): replayed from any place, sliced, indexed, whole or absent.

#![cfg(test)]

mod ledger_support;

use erstwhile::ledger::{
    ClaimEnd, ExtractionStatus, Ledger, LedgerError, MergeError, Record, RecordRow, SliceKey, SqliteLedger, SqliteOptions,
};
use erstwhile::model::{ClaimId, Term};
use erstwhile::time::Instant;
use ledger_support::{Numbers, claim, everything, id, import, observation, place, rows};
use std::collections::BTreeSet;
use std::path::Path;

fn open(folder: &Path) -> SqliteLedger {
    SqliteLedger::open_or_create(&folder.join("t.sqlite"), SqliteOptions::default()).unwrap()
}

fn later(n: i64) -> Instant {
    Instant::from_micros(1_700_000_000_000_000 + n)
}

fn name(name: &str) -> Term {
    Term::Name(name.to_owned())
}

fn merge(from: &str, into: &str) -> Record {
    Record::Merge { from: name(from), into: name(into), because: "so".to_owned() }
}

fn unmerge(from: &str, into: &str) -> Record {
    Record::Unmerge { from: name(from), into: name(into), because: String::new() }
}

fn waiting(n: u64, claims: Vec<erstwhile::model::Claim>) -> Record {
    let Record::Observation { observation, claims, .. } = observation(n, None, claims) else { panic!("it is one") };
    Record::Observation { observation, claims, status: ExtractionStatus::Failed("no answer".to_owned()) }
}

fn extracted(n: u64, tails: &[&str], status: ExtractionStatus) -> Record {
    let claims = tails.iter().map(|tail| claim("a", "r", tail)).collect();
    Record::Extracted { observation: id(n), extractor: "llm".to_owned(), claims, status }
}

fn failed() -> ExtractionStatus {
    ExtractionStatus::Failed("busy".to_owned())
}

#[test]
fn every_sort_is_given_in_sequence_from_any_place_and_comes_back_through_an_import() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let first = [waiting(1, vec![claim("a", "r", "b")]), waiting(2, vec![]), merge("a", "c"), extracted(1, &["d", "e"], failed())];
    let commit = ledger.append(&first, later(0)).unwrap();
    assert_eq!(commit.seqs, [Some(1), Some(3), Some(4), Some(5)]);
    let second = [
        extracted(2, &["x"], ExtractionStatus::Done),
        unmerge("A", "C"),
        Record::Setting { name: "s".to_owned(), value: None },
        extracted(1, &["f"], ExtractionStatus::Done),
        extracted(1, &["never"], ExtractionStatus::Done),
        waiting(1, vec![]),
    ];
    let commit = ledger.append(&second, later(1)).unwrap();
    assert_eq!(commit.seqs, [Some(8), Some(10), Some(11), Some(12), None, None], "what does not wait any more is skipped");
    let all = rows(&mut ledger, 0);
    let mut ids = Vec::new();
    let mut places = Vec::new();
    ledger
        .replay(0, &mut |row| {
            places.push(row.seq());
            if let RecordRow::Claim { id, tail, tx, .. } = row {
                ids.push((id, format!("{tail:?}"), tx));
            }
        })
        .unwrap();
    assert_eq!(places, (1..14).collect::<Vec<_>>());
    let told = |n, ordinal, tail: &str, at| (ClaimId { observation: id(n), ordinal }, format!("Name({tail:?})"), later(at));
    assert_eq!(ids, [told(1, 0, "b", 0), told(1, 1, "d", 0), told(1, 2, "e", 0), told(2, 0, "x", 1), told(1, 3, "f", 1)]);
    for from in 0..14 {
        let kept = places.iter().filter(|place| **place >= from).count();
        assert_eq!(rows(&mut ledger, from), all[all.len() - kept..], "from {from}, also from the middle of an extraction");
    }
    let stored = ledger.observation(id(1)).unwrap().unwrap();
    assert_eq!(
        stored.claims.iter().map(|(seq, tx, _)| (*seq, *tx)).collect::<Vec<_>>(),
        [(2, later(0)), (6, later(0)), (7, later(0)), (13, later(1))]
    );
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    let elsewhere = tempfile::tempdir().unwrap();
    let mut copy = open(elsewhere.path());
    let records = everything(&mut ledger);
    assert_eq!(import(&mut copy, records.clone()).unwrap(), 8);
    assert_eq!((everything(&mut copy), rows(&mut copy, 0)), (records, all));
    assert_eq!(copy.check().unwrap(), Vec::<String>::new());
}

type Fits = fn(&MergeError) -> bool;

#[test]
fn a_batch_with_one_record_that_does_not_fit_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    ledger.append(&[merge("a", "b"), merge("b", "c"), merge("x", "c")], later(0)).unwrap();
    let refuse = |ledger: &mut SqliteLedger, batch: &[Record]| ledger.append(batch, later(9)).unwrap_err();
    let unfit: [(&[Record], Fits); 6] = [
        (&[merge("A", "a ")], |error| matches!(error, MergeError::Itself { .. })),
        (&[merge("a", "d")], |error| matches!(error, MergeError::Merged { current, .. } if *current == name("b"))),
        (&[merge("c", "a")], |error| matches!(error, MergeError::Circular { .. })),
        (&[unmerge("a", "c")], |error| matches!(error, MergeError::Apart { .. })),
        (&[merge("d", "a"), merge("c", "D")], |error| matches!(error, MergeError::Circular { .. })),
        (&[unmerge("a", "b"), unmerge("a", "b")], |error| matches!(error, MergeError::Apart { .. })),
    ];
    for (batch, fits) in unfit {
        let error = refuse(&mut ledger, batch);
        assert!(matches!(&error, LedgerError::Merge(unfit) if fits(unfit)), "{batch:?}: {error}");
    }
    let unknown = refuse(&mut ledger, &[merge("y", "z"), extracted(7, &[], failed())]);
    assert!(unknown.to_string().contains("is named and not recorded here"), "{unknown}");
    let bad = refuse(
        &mut ledger,
        &[waiting(8, vec![]), {
            let mut record = extracted(8, &["t"], failed());
            if let Record::Extracted { claims, .. } = &mut record {
                claims[0].confidence = 2.0;
            }
            record
        }],
    );
    assert!(bad.to_string().contains("confidence 2"), "{bad}");
    assert_eq!(ledger.position().unwrap().seq, 3);
    assert_eq!(ledger.append(&[merge("c", "d"), unmerge("a", "b"), merge("d", "a")], later(10)).unwrap().seqs, [4, 5, 6].map(Some));
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
}

#[test]
fn later_claims_are_in_the_index_and_in_slices_wherever_they_lie() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let mut numbers = Numbers(11);
    let mut expected: BTreeSet<ClaimId> = BTreeSet::new();
    let mut waits: Vec<(u64, u32)> = Vec::new();
    let mut known = 0;
    // Batches small and large, so that claims stand in segments and after them, with extractions before, between and after.
    for (round, size) in [40_u64, 900, 3, 1_500, 500, 7].into_iter().enumerate() {
        let mut batch = vec![merge(&format!("m{round}"), "hub")];
        for _ in 0..size {
            let named = |numbers: &mut Numbers| ["e1", "e2", "e3", "E1"][usize::try_from(numbers.next(4)).unwrap()];
            if numbers.next(3) > 0 || waits.is_empty() {
                let heads = (0..numbers.next(3)).map(|_| named(&mut numbers)).collect::<Vec<_>>();
                for (head, ordinal) in heads.iter().zip(0..) {
                    if head.eq_ignore_ascii_case("e1") {
                        expected.insert(ClaimId { observation: id(known), ordinal });
                    }
                }
                waits.push((known, u32::try_from(heads.len()).unwrap()));
                batch.push(waiting(known, heads.iter().map(|head| claim(head, "r", "t")).collect()));
                known += 1;
            } else {
                let at = usize::try_from(numbers.next(waits.len() as u64)).unwrap();
                let (n, first) = waits[at];
                let heads = (0..numbers.next(3)).map(|_| named(&mut numbers)).collect::<Vec<_>>();
                for (head, ordinal) in heads.iter().zip(first..) {
                    if head.eq_ignore_ascii_case("e1") {
                        expected.insert(ClaimId { observation: id(n), ordinal });
                    }
                }
                waits[at].1 += u32::try_from(heads.len()).unwrap();
                let claims = heads.iter().map(|head| claim(head, "r", "t")).collect();
                let status = if numbers.next(2) == 0 { failed() } else { ExtractionStatus::Done };
                if status == ExtractionStatus::Done {
                    waits.swap_remove(at);
                }
                batch.push(Record::Extracted { observation: id(n), extractor: "llm".to_owned(), claims, status });
            }
        }
        ledger.append(&batch, later(i64::try_from(round).unwrap())).unwrap();
        assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
        let all: BTreeSet<String> = rows(&mut ledger, 0).into_iter().collect();
        let key = SliceKey { entity: name("E1"), end: ClaimEnd::Head, relations: vec!["R".to_owned()], other: None };
        let (mut found, mut merges, mut before) = (BTreeSet::new(), 0, 0);
        ledger
            .slice(&[key], &mut |row| {
                assert!(all.contains(&format!("{row:?}")), "as replay gives it");
                assert!(place(&row) > before, "in sequence");
                before = place(&row);
                if let RecordRow::Claim { id, .. } = row {
                    assert!(found.insert(id), "once");
                }
                merges += usize::from(matches!(row, RecordRow::Merge { .. }));
            })
            .unwrap();
        assert_eq!((&found, merges), (&expected, round + 1));
    }
    let pending = ledger.pending().unwrap();
    assert_eq!(pending.len(), waits.len());
    let gone: Vec<_> = (0..known).filter(|n| n % 3 == 0).map(id).collect();
    let removed = ledger.erase(&gone, later(100)).unwrap();
    assert_eq!(removed.observations.len(), gone.len());
    assert_eq!(ledger.check().unwrap(), Vec::<String>::new());
    let left = everything(&mut ledger);
    let elsewhere = tempfile::tempdir().unwrap();
    let mut copy = open(elsewhere.path());
    import(&mut copy, left.clone()).unwrap();
    assert_eq!(everything(&mut copy), left);
    assert_eq!(copy.check().unwrap(), Vec::<String>::new());
}

#[test]
fn settings_are_found_by_their_exact_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let set = |name: &str, value: Option<&str>| Record::Setting { name: name.to_owned(), value: value.map(str::to_owned) };
    ledger
        .append(&[set("b", Some("1")), set("a", Some("")), set("B", Some("2")), set("b", Some("3")), set("c", Some("4"))], later(0))
        .unwrap();
    ledger.append(&[set("c", None)], later(1)).unwrap();
    let listed: Vec<(String, String)> = ledger.settings().unwrap();
    let expected = [("B", "2"), ("a", ""), ("b", "3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(listed, expected);
    let texts = ["a", "b", "B", "c", "d"].map(|name| ledger.setting(name).unwrap());
    assert_eq!(texts.each_ref().map(Option::as_deref), [Some(""), Some("3"), Some("2"), None, None]);
}
