//! The floor: a static adjacency array, immutable, valid time only, no names, no durability.

use super::data::{Data, OPEN};

#[derive(Clone, Copy, Default)]
struct Record {
    other: u32,
    from: u32,
    to: u32,
    /// relation, and 1 << 16 where the entity is the tail
    relation: u32,
}

/// Adjacency of all entities in one array, each entity's records sorted by (direction, relation, from).
pub struct Floor {
    offsets: Vec<u32>,
    records: Vec<Record>,
    hub: Vec<bool>,
    seen: Vec<u32>,
    stamp: u32,
}

const BASE: i64 = 1_262_304_000;

fn short(seconds: i64) -> u32 {
    if seconds == OPEN { u32::MAX } else { u32::try_from(seconds - BASE).expect("data begins in 2010") }
}

impl Floor {
    pub fn build(data: &Data) -> Self {
        let n = data.hub.len();
        let mut offsets = vec![0u32; n + 1];
        for row in &data.rows {
            offsets[row.head as usize + 1] += 1;
            offsets[row.tail as usize + 1] += 1;
        }
        for i in 0..n {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut records = vec![Record::default(); data.rows.len() * 2];
        for row in &data.rows {
            let (from, to) = (short(row.from), short(row.to));
            for (entity, other, relation) in [(row.head, row.tail, row.relation), (row.tail, row.head, row.relation | 1 << 16)] {
                records[next[entity as usize] as usize] = Record { other, from, to, relation };
                next[entity as usize] += 1;
            }
        }
        for i in 0..n {
            records[offsets[i] as usize..offsets[i + 1] as usize].sort_unstable_by_key(|r| (r.relation, r.from));
        }
        Self { offsets, records, hub: data.hub.clone(), seen: vec![0; n], stamp: 0 }
    }

    fn block(&self, entity: u32) -> &[Record] {
        &self.records[self.offsets[entity as usize] as usize..self.offsets[entity as usize + 1] as usize]
    }

    pub fn point(&self, head: u32, relation: u32, at: i64) -> i64 {
        let at = short(at);
        let block = self.block(head);
        let after = block.partition_point(|r| (r.relation, r.from) <= (relation, at));
        match after.checked_sub(1).map(|i| block[i]) {
            Some(r) if r.relation == relation && at < r.to => i64::from(r.other),
            _ => -1,
        }
    }

    pub fn entity(&self, entity: u32, at: i64) -> (u64, u64) {
        let at = short(at);
        self.block(entity)
            .iter()
            .filter(|r| r.from <= at && at < r.to)
            .fold((0, 0), |(count, sum), r| (count + 1, sum + super::mix(r.other, r.relation & 0xFFFF, r.relation >> 16 == 0)))
    }

    pub fn hops(&mut self, seed: u32, at: i64, hops: u32) -> (u64, u64) {
        let at = short(at);
        self.stamp += 1;
        self.seen[seed as usize] = self.stamp;
        let (mut frontier, mut next, mut count, mut sum) = (vec![seed], Vec::new(), 0, 0);
        for _ in 0..hops {
            for &entity in &frontier {
                if entity != seed && self.hub[entity as usize] {
                    continue;
                }
                let (from, to) = (self.offsets[entity as usize] as usize, self.offsets[entity as usize + 1] as usize);
                for r in &self.records[from..to] {
                    if r.from <= at && at < r.to && self.seen[r.other as usize] != self.stamp {
                        self.seen[r.other as usize] = self.stamp;
                        next.push(r.other);
                        count += 1;
                        sum += u64::from(r.other);
                    }
                }
            }
            std::mem::swap(&mut frontier, &mut next);
            next.clear();
        }
        (count, sum)
    }
}
