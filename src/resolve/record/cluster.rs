//! From pairs that agree to groups of records of one person, and why. Knows neither files nor truth.

use super::block::candidates;
use super::field::{Agreement, Schema, Value};
use super::model::{Model, Pair, compare_records, count_values};
use std::fmt;

/// How records are linked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkOptions {
    /// Two records are of one person if that is at least so likely.
    pub accept: f64,
    /// Two groups are joined only if their records, each with each, are of one person with at least this likelihood on average of
    /// their weights: what a chain of look-alikes would join, its ends keep apart.
    pub guard: f64,
}

impl Default for LinkOptions {
    /// More likely than not, for pairs and for groups.
    fn default() -> Self {
        Self { accept: 0.5, guard: 0.5 }
    }
}

/// What linking found.
#[derive(Clone, Debug, PartialEq)]
pub struct Linkage {
    /// Every record once, with those of the same person: places in ascending order, groups by their first.
    pub clusters: Vec<Vec<usize>>,
    /// Why groups were joined, one for each joining, the surest first.
    pub evidence: Vec<RecordEvidence>,
    /// The weights that were estimated.
    pub model: Model,
}

/// Why two records are held to be of one person.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordEvidence {
    /// The place of the one record, the smaller.
    pub left: usize,
    /// The place of the other.
    pub right: usize,
    /// For each field where neither is missing: its name, the agreement, and what it weighs in bits.
    pub fields: Vec<(String, Agreement, f64)>,
    /// How likely they are of one person, from 0 to 1.
    pub probability: f64,
}

/// "records 0 and 1: surname exact +6.1, postcode close +3.0, state different −0.9; probability 0.998".
impl fmt::Display for RecordEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "records {} and {}: ", self.left, self.right)?;
        for (index, (name, agreement, weight)) in self.fields.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {agreement} {weight:+.1}")?;
        }
        write!(f, "; probability {:.3}", self.probability)
    }
}

/// Groups rows by whom they describe; a row holds its values by the columns of the schema, those missing are empty.
///
/// The same rows give the same groups. Groups grow from the surest pair to the least sure one; those equally sure, in the order of
/// the rows.
///
/// # Complexity
/// O(n) keys and candidate pairs (see the bound per key), O(pairs log pairs) for the order; memory for the candidate pairs.
pub fn link<R, S>(schema: &Schema, rows: &[R], options: &LinkOptions) -> Linkage
where
    R: AsRef<[S]>,
    S: AsRef<str>,
{
    let read = |row: &R| -> Vec<Value> {
        let value = |column: usize| row.as_ref().get(column).map_or("", AsRef::as_ref);
        schema.fields().iter().map(|field| Value::read(field.kind, value(field.column))).collect()
    };
    let mut rows: Vec<Vec<Value>> = rows.iter().map(read).collect();
    count_values(schema, &mut rows);
    let pair = |left: usize, right: usize| -> Option<Pair> {
        Some(Pair { left, right, comparison: compare_records(schema, rows.get(left)?, rows.get(right)?) })
    };
    let pairs: Vec<Pair> = candidates(schema, &rows).into_iter().filter_map(|(left, right)| pair(left, right)).collect();
    let model = Model::estimate(schema, &rows, &pairs);

    let mut sure: Vec<(f64, &Pair)> = pairs.iter().map(|pair| (model.weight(&rows, pair), pair)).collect();
    sure.retain(|(weight, _)| model.probability(*weight) >= options.accept);
    sure.sort_by(|(a, one), (b, two)| b.total_cmp(a).then((one.left, one.right).cmp(&(two.left, two.right))));

    let mut groups = Groups::of(rows.len());
    let mut evidence = Vec::new();
    for (weight, joining) in sure {
        let (one, two) = (groups.of_record(joining.left), groups.of_record(joining.right));
        if one == two {
            continue;
        }
        let mut total = 0.0;
        let mut count = 0_u32;
        for left in groups.records(one) {
            for right in groups.records(two) {
                if let Some(pair) = pair(*left.min(right), *left.max(right)) {
                    total += model.weight(&rows, &pair);
                    count += 1;
                }
            }
        }
        if model.probability(total / f64::from(count.max(1))) < options.guard {
            continue;
        }
        groups.join(one, two);
        evidence.push(RecordEvidence {
            left: joining.left,
            right: joining.right,
            fields: schema
                .fields()
                .iter()
                .zip(&joining.comparison.agreements)
                .enumerate()
                .filter(|(_, (_, agreement))| **agreement != Agreement::Missing)
                .map(|(at, (field, agreement))| (field.name.clone(), *agreement, model.weight_of(&rows, joining, at)))
                .collect(),
            probability: model.probability(weight),
        });
    }
    Linkage { clusters: groups.into_sorted(), evidence, model }
}

/// Records in groups: each begins alone.
struct Groups {
    /// The group of each record.
    of: Vec<usize>,
    /// The records of each group; those of a joined one are empty.
    records: Vec<Vec<usize>>,
}

impl Groups {
    fn of(count: usize) -> Self {
        Self { of: (0..count).collect(), records: (0..count).map(|record| vec![record]).collect() }
    }

    fn of_record(&self, record: usize) -> usize {
        self.of.get(record).copied().unwrap_or(record)
    }

    fn records(&self, group: usize) -> &[usize] {
        self.records.get(group).map_or(&[], Vec::as_slice)
    }

    /// Moves the records of one group to the other; the larger one stays.
    fn join(&mut self, one: usize, two: usize) {
        let (into, from) = if self.records(one).len() >= self.records(two).len() { (one, two) } else { (two, one) };
        let moved = self.records.get_mut(from).map(std::mem::take).unwrap_or_default();
        for record in &moved {
            if let Some(group) = self.of.get_mut(*record) {
                *group = into;
            }
        }
        if let Some(records) = self.records.get_mut(into) {
            records.extend(moved);
        }
    }

    fn into_sorted(self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = self.records.into_iter().filter(|records| !records.is_empty()).collect();
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort_unstable();
        groups
    }
}
