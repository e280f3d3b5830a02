//! What an agreement weighs: Fellegi-Sunter weights, estimated without any known match. Knows no clusters.

use super::field::{Agreement, FieldKind, Schema, Value, compare};
use crate::resolve::distance::share;
use rustc_hash::FxHashMap;

/// Levels of agreement that are evidence.
const LEVELS: usize = Agreement::WEIGHED.len();

/// How often a field agrees so well among records of one person (`m`) and of different ones (`u`).
#[derive(Clone, Debug, PartialEq)]
pub struct FieldModel {
    /// The field.
    pub name: String,
    /// By [`Agreement::WEIGHED`], among pairs of records of one person; sums to 1.
    pub m: [f64; LEVELS],
    /// The same among pairs of records of different people.
    pub u: [f64; LEVELS],
    /// The binary logarithms of `m` and `u`.
    m_bits: [f64; LEVELS],
    u_bits: [f64; LEVELS],
}

impl FieldModel {
    fn new(name: &str, m: [f64; LEVELS], u: [f64; LEVELS]) -> Self {
        Self { name: name.to_owned(), m, u, m_bits: m.map(f64::log2), u_bits: u.map(f64::log2) }
    }
}

/// The weights of a set of records.
///
/// Source: Fellegi & Sunter 1969, "A theory for record linkage"; Winkler 1988 for the estimation by expectation-maximisation, and
/// 1989 for weighing an agreement by how common its value is; `u` from pairs taken without regard to their agreement.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    fields: Vec<FieldModel>,
    /// The share of all pairs that are thought to be of one person.
    prior: f64,
}

/// How two records agree, field by field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) agreements: Vec<Agreement>,
    /// For each field, whether it agrees with its partner's value instead of its own.
    pub(super) crossed: Vec<bool>,
}

/// Compares two records. Symmetric. Where given and family name, or two lines of an address, agree better the other way round, they
/// are compared so.
pub(super) fn compare_records(schema: &Schema, left: &[Value], right: &[Value]) -> Comparison {
    let missing = Value::default();
    let mut agreements = Vec::with_capacity(schema.fields().len());
    let mut crossed = Vec::with_capacity(schema.fields().len());
    for (at, field) in schema.fields().iter().enumerate() {
        let of =
            |kind: FieldKind, one: usize, two: usize| compare(kind, left.get(one).unwrap_or(&missing), right.get(two).unwrap_or(&missing));
        let Some(partner) = schema.partner(at) else {
            agreements.push(of(field.kind, at, at));
            crossed.push(false);
            continue;
        };
        let (first, second) = (at.min(partner), at.max(partner));
        let kind = |at: usize| schema.fields().get(at).map_or(field.kind, |field| field.kind);
        let straight = [of(kind(first), first, first), of(kind(second), second, second)];
        let across = [of(kind(first), first, second), of(kind(second), second, first)];
        let gain = |pair: [Agreement; 2]| -> i32 { pair.into_iter().map(worth).sum() };
        let is_crossed = gain(across) > gain(straight);
        let [one, two] = if is_crossed { across } else { straight };
        agreements.push(if at == first { one } else { two });
        crossed.push(is_crossed);
    }
    Comparison { agreements, crossed }
}

/// What an agreement is worth when two arrangements are compared.
const fn worth(agreement: Agreement) -> i32 {
    match agreement {
        Agreement::Missing => 0,
        Agreement::Different => -1,
        Agreement::Partial => 1,
        Agreement::Close => 3,
        Agreement::Exact => 4,
    }
}

/// A pair that is looked at: its places in the rows, the left one first, and how it agrees.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) comparison: Comparison,
}

impl Model {
    /// The most steps of expectation-maximisation; the weights stand still before.
    const STEPS: usize = 25;
    /// So many pairs are taken without regard to their agreement, at most.
    const SAMPLE: usize = 50_000;
    /// What no pair has shown may still happen, this often.
    const NEVER_SEEN: f64 = 1e-4;

    /// Estimates the weights from candidate pairs; all others count as different people.
    ///
    /// # Complexity
    /// O(sample + steps · pairs), times the number of fields.
    pub(super) fn estimate(schema: &Schema, rows: &[Vec<Value>], pairs: &[Pair]) -> Self {
        // What one expects before having looked: four of five values are right.
        let expected = [0.05, 0.05, 0.1, 0.8];
        let by_chance = by_chance(schema, rows);
        let fields = schema.fields().iter().zip(by_chance).map(|(field, u)| FieldModel::new(&field.name, expected, u)).collect();
        let all = share(rows.len() * rows.len().saturating_sub(1), 2).max(1.0);
        let mut model = Self { fields, prior: (share(rows.len(), 1) / all).min(0.5) };
        for _ in 0..Self::STEPS {
            let before = model.prior;
            model.step(rows, pairs, all);
            if (model.prior - before).abs() < before * 1e-6 {
                break;
            }
        }
        model
    }

    /// One step: how likely each pair is a match by the weights so far, and the weights by how likely the pairs are.
    fn step(&mut self, rows: &[Vec<Value>], pairs: &[Pair], all: f64) {
        let mut seen = vec![[Self::NEVER_SEEN; LEVELS]; self.fields.len()];
        let mut matches = 0.0;
        for pair in pairs {
            let probability = self.probability(self.weight(rows, pair));
            matches += probability;
            for (agreement, seen) in pair.comparison.agreements.iter().zip(&mut seen) {
                if let Some(count) = agreement.place().and_then(|place| seen.get_mut(place)) {
                    *count += probability;
                }
            }
        }
        for (field, seen) in self.fields.iter_mut().zip(seen) {
            let total: f64 = seen.iter().sum();
            *field = FieldModel::new(&field.name, seen.map(|count| (count / total).max(Self::NEVER_SEEN)), field.u);
        }
        self.prior = (matches / all).clamp(1e-12, 0.5);
    }

    /// What one field's agreement weighs, in bits; of a value that is rarer than most, more.
    pub(super) fn weight_of(&self, rows: &[Vec<Value>], pair: &Pair, at: usize) -> f64 {
        let (Some(field), Some(agreement)) = (self.fields.get(at), pair.comparison.agreements.get(at)) else { return 0.0 };
        let Some(place) = agreement.place() else { return 0.0 };
        let (Some(m_bits), Some(u_bits)) = (field.m_bits.get(place), field.u_bits.get(place)) else { return 0.0 };
        let value = (*agreement == Agreement::Exact).then(|| rows.get(pair.left).and_then(|row| row.get(at))).flatten();
        m_bits - value.map_or(*u_bits, |value| value.share_bits)
    }

    /// What all fields weigh together, in bits.
    pub(super) fn weight(&self, rows: &[Vec<Value>], pair: &Pair) -> f64 {
        (0..self.fields.len()).map(|at| self.weight_of(rows, pair, at)).sum()
    }

    /// How likely two records of this weight are of one person.
    #[must_use]
    pub fn probability(&self, weight: f64) -> f64 {
        let odds = self.prior / (1.0 - self.prior) * weight.exp2();
        if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 }
    }

    /// The weights of the fields, in the order of the schema.
    #[must_use]
    pub fn fields(&self) -> &[FieldModel] {
        &self.fields
    }

    /// The share of all pairs that are thought to be of one person.
    #[must_use]
    pub const fn prior(&self) -> f64 {
        self.prior
    }
}

/// Notes how common each value is; those of a field and its partner are counted together.
pub(super) fn count_values(schema: &Schema, rows: &mut [Vec<Value>]) {
    for at in 0..schema.fields().len() {
        let mut counts: FxHashMap<&[char], usize> = FxHashMap::default();
        let mut total = 0;
        for place in std::iter::once(at).chain(schema.partner(at)) {
            for value in rows.iter().filter_map(|row| row.get(place)).filter(|value| !value.is_missing()) {
                *counts.entry(&value.letters).or_default() += 1;
                total += 1;
            }
        }
        let of = |row: &Vec<Value>| {
            row.get(at).and_then(|value| counts.get(value.letters.as_slice())).map_or(0.0, |count| share(*count, total).log2())
        };
        let shares: Vec<f64> = rows.iter().map(of).collect();
        for (row, share) in rows.iter_mut().zip(shares) {
            if let Some(value) = row.get_mut(at) {
                value.share_bits = share;
            }
        }
    }
}

/// The levels of agreement among pairs taken without regard to it: nearly all are of different people.
fn by_chance(schema: &Schema, rows: &[Vec<Value>]) -> Vec<[f64; LEVELS]> {
    let mut seen = vec![[0.5; LEVELS]; schema.fields().len()];
    let mut taken = 0;
    'sample: for distance in 1..rows.len() {
        // Pairs (i, i + distance) for distances spread over the rows, so that an order of the rows shows as little as possible.
        let distance = (distance * 7919) % rows.len();
        for (left, right) in rows.iter().zip(rows.iter().cycle().skip(distance)) {
            if distance == 0 || taken >= Model::SAMPLE {
                break 'sample;
            }
            taken += 1;
            for (agreement, seen) in compare_records(schema, left, right).agreements.iter().zip(&mut seen) {
                if let Some(count) = agreement.place().and_then(|place| seen.get_mut(place)) {
                    *count += 1.0;
                }
            }
        }
    }
    seen.into_iter()
        .map(|seen| {
            let total: f64 = seen.iter().sum();
            seen.map(|count| count / total)
        })
        .collect()
}
