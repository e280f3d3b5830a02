//! Erstwhile under the same questions: through a tenant for writes, through a view for reads.

use super::data::{Data, Dice, OPEN};
use super::measure::{Latencies, ask, resident, seconds};
use super::telling::{all, as_of, incoming, instant, name, one_valued, relation};
use super::{Report, mix};
use erstwhile::graph::{Edge, Projection, RelationId, Snapshot, TermId, Walk};
use erstwhile::ledger::{RecordRow, Retractable};
use erstwhile::memory::{Memory, Tenant, TenantId};
use erstwhile::model::{Authority, ClaimId, ObservationId, Polarity, Term, TermRef};
use erstwhile::policy::Policies;
use erstwhile::time::{End, Instant, KnownAt, Moment, Span, Start};
use std::path::Path;
use std::sync::Arc;

/// A loaded tenant, and the numbers of the data set as interned ids.
pub struct Ours {
    folder: std::path::PathBuf,
    tenant: Tenant,
    snapshot: Snapshot,
    terms: Vec<Option<TermId>>,
    numbers: Vec<u32>,
    relations: Vec<Option<RelationId>>,
    written: u32,
}

/// Opens the tenant from cold in a new handle: from the file to the first answer.
pub fn open(folder: &Path, report: &mut Report) {
    let (took, ()) = seconds(|| {
        let memory = Memory::open(folder).unwrap();
        let tenant = memory.tenant(&TenantId::new("bench").unwrap());
        let view = tenant.at(as_of(1_500_000_000, KnownAt::Latest)).unwrap();
        assert!(view.relation_id("r0").is_some());
    });
    report.put("open", took, "s");
}

impl Ours {
    /// Parsed claims to durable and readable, observations included.
    pub fn load(data: &Data, folder: &Path, report: &mut Report) -> Self {
        let memory = Memory::open(folder).unwrap();
        let tenant = memory.tenant(&TenantId::new("bench").unwrap());
        one_valued(&tenant);
        let input = all(data);
        let before = resident();
        let (took, receipt) =
            seconds(|| tenant.remember_all(input.into_iter().map(Ok), erstwhile::memory::BulkOptions::default()).unwrap());
        assert_eq!(receipt.observations, data.rows.len() as u64);
        report.put("load_ours", data.rows.len() as f64 / took, "facts/s");
        report.put("load_ours_resident_growth", resident().saturating_sub(before) as f64 / (1u64 << 20) as f64, "MiB");
        let ours = Self::over(data, folder, tenant);
        let counts = ours.snapshot.counts();
        report.put("memory_per_claim", counts.bytes as f64 / counts.claims as f64, "bytes");
        report.put("memory_strings_per_claim", counts.string_bytes as f64 / counts.claims as f64, "bytes");
        ours
    }

    fn over(data: &Data, folder: &Path, tenant: Tenant) -> Self {
        let snapshot = tenant.at(as_of(0, KnownAt::Latest)).unwrap().snapshot();
        let view = snapshot.at(as_of(0, KnownAt::Latest));
        let terms: Vec<Option<TermId>> = (0..data.hub.len()).map(|entity| view.term_id(TermRef::Name(&name(entity as u32)))).collect();
        let mut numbers = vec![u32::MAX; terms.len() + 1];
        for (number, term) in terms.iter().enumerate() {
            if let Some(term) = term {
                if numbers.len() <= term.0 as usize {
                    numbers.resize(term.0 as usize + 1, u32::MAX);
                }
                numbers[term.0 as usize] = number as u32;
            }
        }
        let relations = (0..50).map(|number| view.relation_id(&relation(number)).map(|(id, _)| id)).collect();
        Self { folder: folder.to_owned(), tenant, snapshot, terms, numbers, relations, written: 0 }
    }

    fn number(&self, term: TermId) -> u32 {
        self.numbers[term.0 as usize]
    }

    pub fn point(&self, data: &Data) -> (Vec<i64>, Latencies) {
        let questions: Vec<_> =
            data.point.iter().map(|&(h, r, t)| (self.terms[h as usize].unwrap(), self.relations[r as usize].unwrap(), t)).collect();
        let (answers, latencies) = ask(&questions, |&(h, r, t)| self.snapshot.at(as_of(t, KnownAt::Latest)).point(h, r));
        (answers.iter().map(|edge| edge.map_or(-1, |edge| i64::from(self.number(edge.other)))).collect(), latencies)
    }

    pub fn entity(&self, data: &Data) -> (Vec<(u64, u64)>, Latencies) {
        let questions: Vec<_> = data.entity.iter().map(|&(e, t)| (self.terms[e as usize], t)).collect();
        let (answers, latencies) = ask(&questions, |&(e, t)| -> Vec<Edge> {
            e.map_or_else(Vec::new, |e| self.snapshot.at(as_of(t, KnownAt::Latest)).edges(e).collect())
        });
        let sum = |edges: &Vec<Edge>| {
            edges.iter().fold((0, 0), |(count, sum), edge| {
                let relation = self.relations.iter().position(|r| *r == Some(edge.relation)).unwrap();
                (count + 1, sum + mix(self.number(edge.other), relation as u32, edge.outgoing))
            })
        };
        (answers.iter().map(sum).collect(), latencies)
    }

    pub fn hops(&self, questions: &[(u32, i64)], hops: u32) -> (Vec<(u64, u64)>, Latencies) {
        let mut walk = Walk::new();
        let questions: Vec<_> = questions.iter().map(|&(e, t)| (self.terms[e as usize].unwrap(), t)).collect();
        // The sum over interned ids is taken inside the time, as the others take theirs; it is told in the data set's numbers after.
        let (answers, latencies) = ask(&questions, |&(e, t)| {
            self.snapshot.at(as_of(t, KnownAt::Latest)).reach(&[e], hops, 100, &mut walk);
            walk.reached().len()
        });
        let told = questions.iter().zip(answers).map(|(&(e, t), count)| {
            self.snapshot.at(as_of(t, KnownAt::Latest)).reach(&[e], hops, 100, &mut walk);
            assert_eq!(count, walk.reached().len());
            (count as u64 - 1, walk.reached()[1..].iter().map(|&term| u64::from(self.number(term))).sum())
        });
        (told.collect(), latencies)
    }

    /// The same point question by name, through resolution and with the whole fact.
    pub fn by_name(&self, data: &Data, report: &mut Report) {
        let questions: Vec<_> = data.point.iter().map(|&(h, r, t)| (Term::Name(name(h)), relation(r), t)).collect();
        let (_, latencies) = ask(&questions, |(h, r, t)| self.snapshot.at(as_of(*t, KnownAt::Latest)).values(h, r).unwrap().facts.len());
        report.latencies("value_by_name", &latencies);
        let (_, latencies) = ask(&questions, |(h, _, t)| self.snapshot.at(as_of(*t, KnownAt::Latest)).term_id(h.as_ref()));
        report.latencies("resolve_name", &latencies);
    }

    /// One durable write: a supersession.
    pub fn insert_one(&mut self, head: u32, relation_number: u32, tail: u32, from: i64) {
        self.written += 1;
        let receipt = self.tenant.remember(vec![incoming(1, head, relation_number, tail, from, OPEN)]).unwrap();
        assert_eq!(receipt.observations, 1);
    }

    /// Whole processes from the shell.
    pub fn shell(&self, data: &Data, report: &mut Report) {
        let (head, relation_number, at) = data.point[0];
        let (head, relation_name) = (name(head), relation(relation_number));
        let at = instant(at).to_string();
        for (label, words) in [
            ("shell_value", vec!["value", &head, &relation_name, "--at", &at]),
            ("shell_timeline", vec!["timeline", &head, &relation_name]),
            ("shell_why", vec!["why", &head, &relation_name, "--at", &at]),
        ] {
            let mut times: Vec<f64> = (0..11)
                .map(|_| {
                    let (took, output) = seconds(|| {
                        std::process::Command::new(env!("CARGO_BIN_EXE_erstwhile"))
                            .args(["--memory".as_ref(), self.folder.as_os_str(), "--tenant".as_ref(), "bench".as_ref()])
                            .args(&words)
                            .output()
                            .unwrap()
                    });
                    assert!(output.status.success(), "{label}: {}", String::from_utf8_lossy(&output.stderr));
                    took * 1_000.0
                })
                .collect();
            times.sort_by(f64::total_cmp);
            report.put(format!("{label}_median"), times[times.len() / 2], "ms");
        }
    }
}

/// Reads at an earlier `known_at`: the data in 100 batches, with one claim in a hundred retracted, K uniform over the batches.
pub fn known_at(data: &Data, folder: &Path, report: &mut Report) {
    let memory = Memory::open(folder).unwrap();
    let tenant = memory.tenant(&TenantId::new("bench").unwrap());
    one_valued(&tenant);
    let mut dice = Dice::new(7);
    let mut input = all(data);
    let mut steps: Vec<Instant> = Vec::new();
    // For each row: recorded at step, retracted at step.
    let mut believed: Vec<(usize, usize)> = vec![(0, usize::MAX); input.len()];
    let size = input.len().div_ceil(100);
    let mut at = 0;
    while !input.is_empty() {
        let rest = input.split_off(size.min(input.len()));
        let batch = std::mem::replace(&mut input, rest);
        let ids: Vec<ObservationId> = batch.iter().map(|incoming| incoming.observation.id).collect();
        let receipt = tenant.remember(batch).unwrap();
        for row in &mut believed[at..at + ids.len()] {
            row.0 = steps.len();
        }
        steps.push(receipt.tx.unwrap());
        for _ in 0..ids.len() / 100 {
            let row = at + dice.below(ids.len() as u64) as usize;
            if believed[row].1 == usize::MAX {
                tenant.retract(Retractable::Observation(ids[row - at]), "a slip").unwrap();
                believed[row].1 = steps.len();
            }
        }
        at += ids.len();
    }
    let ours = Ours::over(data, folder, tenant);
    let mut of: std::collections::HashMap<u32, Vec<usize>> = std::collections::HashMap::new();
    for (i, row) in data.rows.iter().enumerate() {
        of.entry(row.head).or_default().push(i);
        of.entry(row.tail).or_default().push(i);
    }
    let mut step = || dice.below(steps.len() as u64) as usize;
    let questions: Vec<(u32, u32, i64, usize)> = data.point.iter().map(|&(h, r, t)| (h, r, t, step())).collect();
    let expected: Vec<Vec<u32>> = questions
        .iter()
        .map(|&(h, r, t, k)| {
            let rows = of.get(&h).map(Vec::as_slice).unwrap_or_default();
            let mut tails: Vec<u32> = rows
                .iter()
                .filter(|&&i| {
                    let row = &data.rows[i];
                    // Retractions of step k are recorded before step k's successor and after step k itself.
                    row.head == h && row.relation == r && row.from <= t && t < row.to && believed[i].0 <= k && k < believed[i].1
                })
                .map(|&i| data.rows[i].tail)
                .collect();
            tails.sort_unstable();
            tails
        })
        .collect();
    let asked: Vec<_> =
        questions.iter().map(|&(h, r, t, k)| (ours.terms[h as usize].unwrap(), ours.relations[r as usize].unwrap(), t, steps[k])).collect();
    let (answers, earlier) = ask(&asked, |&(h, r, t, k)| ours.snapshot.at(as_of(t, KnownAt::At(k))).point(h, r));
    for (answer, expected) in answers.iter().zip(&expected) {
        let tail = answer.map(|edge| ours.number(edge.other));
        assert!(tail.map_or(expected.is_empty(), |tail| expected.contains(&tail)), "known_at: got {tail:?}, expected one of {expected:?}");
    }
    let (_, now) = ask(&asked, |&(h, r, t, _)| ours.snapshot.at(as_of(t, KnownAt::Latest)).point(h, r));
    report.latencies("known_at_point_now", &now);
    report.latencies("known_at_point_earlier", &earlier);
    report.put("known_at_point_earlier_to_now", earlier.p50() / now.p50(), "ratio");
    let entities: Vec<_> = data.entity.iter().map(|&(e, t)| (ours.terms[e as usize], t, steps[step()])).collect();
    let (_, now) = ask(&entities, |&(e, t, _)| e.map_or(0, |e| ours.snapshot.at(as_of(t, KnownAt::Latest)).edges(e).count()));
    let (_, earlier) = ask(&entities, |&(e, t, k)| e.map_or(0, |e| ours.snapshot.at(as_of(t, KnownAt::At(k))).edges(e).count()));
    report.put("known_at_entity_earlier_to_now", earlier.p50() / now.p50(), "ratio");
    let mut walk = Walk::new();
    for (name, list, hops) in [("two_hop", &data.two_hop, 2), ("three_hop", &data.three_hop, 3)] {
        let seeds: Vec<_> = list.iter().map(|&(e, t)| (ours.terms[e as usize].unwrap(), t, steps[step()])).collect();
        let (_, now) = ask(&seeds, |&(e, t, _)| ours.snapshot.at(as_of(t, KnownAt::Latest)).reach(&[e], hops, 100, &mut walk));
        let (_, earlier) = ask(&seeds, |&(e, t, k)| ours.snapshot.at(as_of(t, KnownAt::At(k))).reach(&[e], hops, 100, &mut walk));
        report.put(format!("known_at_{name}_earlier_to_now"), earlier.p50() / now.p50(), "ratio");
    }
}

/// A projection under one-valued `r0`, fed without a ledger.
struct Feed {
    projection: Projection,
    fed: u64,
}

impl Feed {
    fn new() -> Self {
        let mut policies = Policies::shipped();
        policies.set("r0", Some("cardinality = \"one\"")).unwrap();
        Self { projection: Projection::new(Arc::new(policies)), fed: 0 }
    }

    fn stage(&mut self, head: &str, relation: &str, tail: &str, from: Moment) {
        self.fed += 1;
        let mut bytes = [0; 16];
        bytes[8..].copy_from_slice(&self.fed.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes());
        let id = ObservationId::from_bytes(bytes);
        let (seq, tx) = (self.fed * 2, Instant::from_micros(self.fed as i64));
        self.projection.stage(RecordRow::Observation { seq, tx, id, observed_at: from.lo(), authority: Authority::User });
        self.projection.stage(RecordRow::Claim {
            seq: seq + 1,
            tx,
            id: ClaimId { observation: id, ordinal: 0 },
            head: TermRef::Name(head),
            relation,
            tail: TermRef::Name(tail),
            polarity: Polarity::Holds,
            span: Span::new(Start::At(from), End::Open).unwrap(),
            seen_at: None,
            confidence: 1.0,
            importance: 0.5,
            context: None,
            corrects_claim: None,
            corrects_tail: None,
        });
    }
}

/// The tail of the `i`-th claim of a slot.
type Tail = fn(i: u64) -> String;
/// The moment at which a claim of a slot begins, in tenths of the step between two.
type Begins = fn(tenths: i64) -> Moment;

fn seconds_apart(tenths: i64) -> Moment {
    Moment::exact(instant(1_000 + tenths))
}

/// Days, of which each follows another.
fn days(tenths: i64) -> Moment {
    let day = |n: i64| instant(n * 86_400);
    Moment::granule(day(tenths / 10), day(tenths / 10 + 1)).unwrap()
}

/// Inserts into slots of 100 and of 100,000 claims: versions following each other, by the instant or by the day, and one value seen
/// again and again.
pub fn slots(report: &mut Report) {
    let version = |i: u64| format!("v{i}");
    let same = |_| "v".to_owned();
    let shapes: [(&str, Tail, Begins); 4] =
        [("versions", version, seconds_apart), ("one_value", same, seconds_apart), ("days", version, days), ("one_value_days", same, days)];
    for (name, tail, begins) in shapes {
        let medians: Vec<f64> = [100u64, 100_000]
            .into_iter()
            .map(|size| {
                let mut feed = Feed::new();
                for i in 0..size {
                    feed.stage("head", "r0", &tail(i), begins(10 * i as i64));
                }
                feed.projection.publish();
                let mut dice = Dice::new(11);
                // Never more than a tenth of the small slot's size, so that it stays small.
                let mut took: Vec<u64> = Vec::new();
                for round in 0..10u64 {
                    feed.stage("head", "r0", &tail(size + round), begins(3 + 10 * dice.below(size) as i64));
                    let begin = std::time::Instant::now();
                    feed.projection.publish();
                    took.push(begin.elapsed().as_nanos() as u64);
                }
                took.sort_unstable();
                took[took.len() / 2] as f64 / 1_000.0
            })
            .collect();
        report.put(format!("slot_insert_{name}_100"), medians[0], "us");
        report.put(format!("slot_insert_{name}_100000"), medians[1], "us");
        report.put(format!("slot_insert_{name}_ratio"), medians[1] / medians[0], "ratio");
    }
}

/// A head with 200,000 facts: inserting them one by one must not grow worse than linearly.
pub fn hub(report: &mut Report) {
    let mut feed = Feed::new();
    let mut took = Vec::new();
    for round in 0..2u64 {
        let (seconds, ()) = seconds(|| {
            for i in round * 100_000..(round + 1) * 100_000 {
                feed.stage("hub", "r1", &format!("spoke {i}"), seconds_apart(i as i64));
                feed.projection.publish();
            }
        });
        took.push(seconds);
    }
    report.put("hub_first_100000_inserts", took[0], "s");
    report.put("hub_second_100000_inserts", took[1], "s");
    report.put("hub_second_to_first", took[1] / took[0], "ratio");
}
