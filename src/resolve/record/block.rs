//! Which pairs of records are worth comparing. Knows no weights.

use super::field::{FieldKind, Schema, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A key that more records share tells nobody apart, and is skipped: its records meet under finer keys, or not at all.
const MOST_PER_KEY: usize = 32;

/// The pairs of records that agree in a value few others have, or in two values together, or nearly so. Ascending, each once, the
/// smaller place first.
///
/// The values of a field are its letters, of names and addresses those of its partner too, of codes and dates also all but one of
/// their digits (so that a slip in one still meets), of words also their first letters.
///
/// # Complexity
/// O(rows · keys²) for the keys of a row (some twenty), and at most [`MOST_PER_KEY`] pairs for each of them.
pub(super) fn candidates(schema: &Schema, rows: &[Vec<Value>]) -> Vec<(usize, usize)> {
    let mut blocks: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (place, row) in rows.iter().enumerate() {
        for key in keys(schema, row) {
            let block = blocks.entry(key).or_default();
            if block.len() <= MOST_PER_KEY {
                block.push(place);
            }
        }
    }
    let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
    let mut order: Vec<(u64, Vec<usize>)> = blocks.into_iter().filter(|(_, block)| (2..=MOST_PER_KEY).contains(&block.len())).collect();
    order.sort_unstable_by_key(|(key, _)| *key);
    for (_, block) in &order {
        for (at, left) in block.iter().enumerate() {
            pairs.extend(block.iter().skip(at + 1).map(|right| (*left.min(right), *left.max(right))));
        }
    }
    let mut pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    pairs
}

/// The keys of a record: each of its values, and every two of different fields.
fn keys(schema: &Schema, row: &[Value]) -> Vec<u64> {
    let mut values: Vec<(usize, u64)> = Vec::new();
    for (at, (field, value)) in schema.fields().iter().zip(row).enumerate() {
        if value.is_missing() {
            continue;
        }
        // What may be swapped with its partner is keyed as if both were one field.
        let group = schema.partner(at).map_or(at, |partner| partner.min(at));
        values.push((at, hash(&(group, &value.letters))));
        match field.kind {
            FieldKind::Given | FieldKind::Family | FieldKind::Address | FieldKind::Text => {
                values.push((at, hash(&(group, "start", value.letters.get(..3)))));
            }
            FieldKind::Birth | FieldKind::Date | FieldKind::Id | FieldKind::Code | FieldKind::Phone => {
                let half = value.letters.len() / 2;
                values.push((at, hash(&(group, "first half", value.letters.get(..half)))));
                values.push((at, hash(&(group, "second half", value.letters.get(half..)))));
            }
            FieldKind::Number | FieldKind::Category | FieldKind::Email => {}
        }
    }
    let mut keys: Vec<u64> = values.iter().map(|(_, value)| *value).collect();
    for (index, (field, value)) in values.iter().enumerate() {
        for (other, more) in values.iter().skip(index + 1) {
            if field != other {
                keys.push(hash(&(value.min(more), value.max(more))));
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
