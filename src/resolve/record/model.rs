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
    /// How often each value occurs among those given, by its letters.
    shares: FxHashMap<Vec<char>, f64>,
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
    let value = |row: &[Value], at: usize| -> Value { row.get(at).unwrap_or(&missing).clone() };
    let mut agreements = Vec::with_capacity(schema.fields().len());
    let mut crossed = Vec::with_capacity(schema.fields().len());
    for (at, field) in schema.fields().iter().enumerate() {
        let own = |at: usize, kind: FieldKind| compare(kind, left.get(at).unwrap_or(&missing), right.get(at).unwrap_or(&missing));
        let Some(partner) = schema.partner(at) else {
            agreements.push(own(at, field.kind));
            crossed.push(false);
            continue;
        };
        let (first, second) = (at.min(partner), at.max(partner));
        let kind = |at: usize| schema.fields().get(at).map_or(field.kind, |field| field.kind);
        let straight = [own(first, kind(first)), own(second, kind(second))];
        let across = [
            compare(kind(first), &value(left, first), &value(right, second)),
            compare(kind(second), &value(left, second), &value(right, first)),
        ];
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
    /// The number of expectation-maximisation steps; the weights stand still long before.
    const STEPS: usize = 25;
    /// So many pairs are taken without regard to their agreement, at most.
    const SAMPLE: usize = 200_000;
    /// What no pair has shown may still happen, this often.
    const NEVER_SEEN: f64 = 1e-4;

    /// Estimates the weights from candidate pairs; all others count as different people.
    ///
    /// # Complexity
    /// O(sample + steps · pairs), times the number of fields.
    pub(super) fn estimate(schema: &Schema, rows: &[Vec<Value>], pairs: &[Pair]) -> Self {
        let mut fields: Vec<FieldModel> = schema
            .fields()
            .iter()
            .enumerate()
            .map(|(at, field)| FieldModel {
                name: field.name.clone(),
                m: [0.05, 0.05, 0.1, 0.8],
                u: [0.25; LEVELS],
                shares: shares(rows, at, schema.partner(at)),
            })
            .collect();
        for (field, u) in fields.iter_mut().zip(by_chance(schema, rows)) {
            field.u = u;
        }
        let all = share(rows.len() * rows.len().saturating_sub(1), 2).max(1.0);
        let mut model = Self { fields, prior: (share(rows.len(), 1) / all).min(0.5) };
        for _ in 0..Self::STEPS {
            model.step(rows, pairs, all);
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
            field.m = seen.map(|count| (count / total).max(Self::NEVER_SEEN));
        }
        self.prior = (matches / all).clamp(1e-12, 0.5);
    }

    /// What one field's agreement weighs, in bits; of a value that is rarer than most, more.
    pub(super) fn weight_of(&self, rows: &[Vec<Value>], pair: &Pair, at: usize) -> f64 {
        let (Some(field), Some(agreement)) = (self.fields.get(at), pair.comparison.agreements.get(at)) else { return 0.0 };
        let Some(place) = agreement.place() else { return 0.0 };
        let (Some(m), Some(u)) = (field.m.get(place), field.u.get(place)) else { return 0.0 };
        let value = (*agreement == Agreement::Exact).then(|| rows.get(pair.left).and_then(|row| row.get(at))).flatten();
        let u = value.and_then(|value| field.shares.get(&value.letters)).copied().unwrap_or(*u);
        (m / u.max(f64::MIN_POSITIVE)).log2()
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

/// How common each value of a field is; those of a field and its partner are counted together.
fn shares(rows: &[Vec<Value>], at: usize, partner: Option<usize>) -> FxHashMap<Vec<char>, f64> {
    let mut counts: FxHashMap<Vec<char>, usize> = FxHashMap::default();
    let mut total = 0;
    for place in std::iter::once(at).chain(partner) {
        for value in rows.iter().filter_map(|row| row.get(place)).filter(|value| !value.is_missing()) {
            *counts.entry(value.letters.clone()).or_default() += 1;
            total += 1;
        }
    }
    counts.into_iter().map(|(value, count)| (value, share(count, total))).collect()
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
