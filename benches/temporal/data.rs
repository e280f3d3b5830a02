//! The data set and its questions: read from a folder of the peers' harness, or generated with the same shape.
//!
//! Knows no store. Everything is integers: entities, relations and seconds since the epoch.

use std::fs;
use std::path::Path;

/// "Open" in the data: 2100-01-01, in seconds.
pub const OPEN: i64 = 4_102_444_800;
const FIRST: i64 = 1_262_304_000;
const LAST: i64 = 1_577_836_800;
/// Relations below this number hold one tail at a time.
pub const FUNCTIONAL: u32 = 25;
const RELATIONS: u32 = 50;

/// One fact of the data set, `[from, to)` in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub head: u32,
    pub relation: u32,
    pub tail: u32,
    pub from: i64,
    pub to: i64,
}

/// A data set with its questions.
pub struct Data {
    pub rows: Vec<Row>,
    /// Entities of high degree: reached, never walked through (unless a seed).
    pub hub: Vec<bool>,
    /// (head, relation, instant)
    pub point: Vec<(u32, u32, i64)>,
    /// (entity, instant)
    pub entity: Vec<(u32, i64)>,
    /// (seed, instant), two hops
    pub two_hop: Vec<(u32, i64)>,
    /// (seed, instant), three hops
    pub three_hop: Vec<(u32, i64)>,
    /// (head, relation, tail, instant): supersessions later than all data
    pub supersede: Vec<(u32, u32, u32, i64)>,
}

fn words(path: &Path, width: usize) -> Result<Vec<Vec<i64>>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let all: Vec<i64> = bytes.chunks_exact(8).map(|chunk| i64::from_le_bytes(chunk.try_into().expect("chunks of 8"))).collect();
    Ok(all.chunks_exact(width).map(<[i64]>::to_vec).collect())
}

fn small(value: i64) -> u32 {
    u32::try_from(value).expect("ids fit 32 bits")
}

/// Reads a folder that the harness' generator wrote.
pub fn read(folder: &Path) -> Result<Data, String> {
    let pairs =
        |name: &str| -> Result<Vec<(u32, i64)>, String> { Ok(words(&folder.join(name), 2)?.iter().map(|w| (small(w[0]), w[1])).collect()) };
    Ok(Data {
        rows: words(&folder.join("facts.bin"), 6)?
            .iter()
            .map(|w| Row { head: small(w[0]), relation: small(w[1]), tail: small(w[2]), from: w[3], to: w[4] })
            .collect(),
        hub: fs::read(folder.join("hub.bin")).map_err(|error| error.to_string())?.iter().map(|&b| b == 1).collect(),
        point: words(&folder.join("q_point.bin"), 3)?.iter().map(|w| (small(w[0]), small(w[1]), w[2])).collect(),
        entity: pairs("q_ent.bin")?,
        two_hop: pairs("q_2hop.bin")?,
        three_hop: pairs("q_3hop.bin")?,
        supersede: words(&folder.join("ins.bin"), 4)?.iter().map(|w| (small(w[0]), small(w[1]), small(w[2]), w[3])).collect(),
    })
}

/// A small deterministic generator (`SplitMix64`).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

struct PowerLaw {
    cumulative: Vec<f64>,
    order: Vec<u32>,
}

impl PowerLaw {
    fn new(n: u32, exponent: f64, dice: &mut Dice) -> Self {
        let mut sum = 0.0;
        let cumulative = (0..n)
            .map(|i| {
                sum += (f64::from(i) + 10.0).powf(-exponent);
                sum
            })
            .collect();
        let mut order: Vec<u32> = (0..n).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, dice.below(i as u64 + 1) as usize);
        }
        Self { cumulative, order }
    }
    fn draw(&self, dice: &mut Dice) -> u32 {
        let at = dice.unit() * self.cumulative.last().expect("not empty");
        self.order[self.cumulative.partition_point(|&c| c <= at).min(self.order.len() - 1)]
    }
}

/// Generates `facts` facts over `facts / 2` entities: half one-valued with about five versions a slot, half many-valued
/// (70 % of them open), heads and tails drawn by a power law.
pub fn generate(facts: usize) -> Data {
    let entities = small((facts / 2) as i64).max(1_000);
    let mut dice = Dice::new(20_260_101);
    let (heads, tails) = (PowerLaw::new(entities, 0.6, &mut dice), PowerLaw::new(entities, 0.8, &mut dice));
    let span = (LAST - FIRST) as u64;
    let mut rows = Vec::with_capacity(facts);
    let mut slots = std::collections::HashSet::new();
    while rows.len() < facts / 2 {
        let slot = (heads.draw(&mut dice), dice.below(u64::from(FUNCTIONAL)) as u32);
        if !slots.insert(slot) {
            continue;
        }
        let mut starts: Vec<i64> = (0..=dice.below(9)).map(|_| FIRST + dice.below(span) as i64).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut before = u32::MAX;
        for (i, &from) in starts.iter().enumerate() {
            let mut tail = tails.draw(&mut dice);
            if tail == before {
                tail = (tail + 1) % entities;
            }
            before = tail;
            rows.push(Row { head: slot.0, relation: slot.1, tail, from, to: starts.get(i + 1).copied().unwrap_or(OPEN) });
        }
    }
    let mut seen = std::collections::HashSet::new();
    while rows.len() < facts {
        let (head, tail) = (heads.draw(&mut dice), tails.draw(&mut dice));
        let relation = FUNCTIONAL + dice.below(u64::from(RELATIONS - FUNCTIONAL)) as u32;
        if head == tail || !seen.insert((head, relation, tail)) {
            continue;
        }
        let from = FIRST + dice.below(span) as i64;
        let length = (-(1.0 - dice.unit()).ln() * 31_553_280.0).max(86_400.0) as i64;
        let to = if dice.unit() < 0.7 { OPEN } else { from + length };
        rows.push(Row { head, relation, tail, from, to });
    }
    rows.truncate(facts);
    rows.sort_by_key(|row| (row.from, row.head, row.relation, row.tail));
    let mut degree = vec![0u32; entities as usize];
    for row in &rows {
        degree[row.head as usize] += 1;
        degree[row.tail as usize] += 1;
    }
    let asked_from = FIRST + (LAST - FIRST) / 3;
    let instant = |dice: &mut Dice| asked_from + dice.below((LAST - asked_from) as u64) as i64;
    let one: Vec<&Row> = rows.iter().filter(|row| row.relation < FUNCTIONAL).collect();
    let point = (0..4_000)
        .map(|_| {
            let row = one[dice.below(one.len() as u64) as usize];
            (row.head, row.relation, instant(&mut dice))
        })
        .collect();
    let entity = (0..2_000).map(|_| (rows[dice.below(rows.len() as u64) as usize].head, instant(&mut dice))).collect();
    let walkable: Vec<u32> = (0..entities).filter(|&e| (5..=100).contains(&degree[e as usize])).collect();
    let mut seeds = |n: usize| -> Vec<(u32, i64)> {
        (0..n).map(|_| (walkable[dice.below(walkable.len() as u64) as usize], instant(&mut dice))).collect()
    };
    let (two_hop, three_hop) = (seeds(1_000), seeds(500));
    let supersede = (0..20_000)
        .map(|i| {
            let row = one[dice.below(one.len() as u64) as usize];
            (row.head, row.relation, tails.draw(&mut dice), LAST + 86_400 + i * 60)
        })
        .collect();
    let hub = degree.iter().map(|&d| d > 100).collect();
    Data { rows, hub, point, entity, two_hop, three_hop, supersede }
}
