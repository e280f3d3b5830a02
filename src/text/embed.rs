//! Vectors of passages: the trait of what makes them, and an exact search among them.
//!
//! Owns how they are kept: one byte a dimension. Knows no model and no file.

#[cfg(feature = "embed")]
mod bert;
#[cfg(feature = "embed")]
mod folder;
#[cfg(feature = "embed")]
mod local;
#[cfg(feature = "embed")]
mod static_model;
#[cfg(feature = "embed")]
mod tensors;
#[cfg(feature = "embed")]
mod wordpiece;

#[cfg(feature = "embed")]
pub use folder::{ModelError, open_model};
#[cfg(feature = "embed")]
pub use local::SentenceModel;
#[cfg(feature = "embed")]
pub use static_model::StaticModel;

use std::fmt;

/// Why a text could not be made into a vector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("embedder {embedder}: {reason}")]
pub struct EmbedError {
    /// Which embedder.
    pub embedder: String,
    /// What went wrong.
    pub reason: String,
}

/// Makes vectors of texts; texts that mean alike have vectors with a small angle between them.
pub trait Embedder: fmt::Debug + Send + Sync {
    /// The name of the model; vectors of different models are never compared.
    fn name(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// One vector for each text, in order.
    ///
    /// # Errors
    /// [`EmbedError`]; none of the texts has a vector then.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Vectors by document number, of one byte a dimension, searched exactly.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    dimensions: usize,
    rows: Vec<i8>,
    /// What a row's numbers are multiplied with; 0 where a document has no vector.
    scales: Vec<f32>,
}

impl Vectors {
    /// None yet, for vectors of so many numbers.
    #[must_use]
    pub const fn new(dimensions: usize) -> Self {
        Self { dimensions, rows: Vec::new(), scales: Vec::new() }
    }

    /// How many document numbers are taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Adds the vector of the next document number; one of another length, or of length 0, is none.
    pub fn push(&mut self, vector: &[f32]) {
        let (row, scale) = quantised(vector, self.dimensions);
        self.rows.extend(row);
        self.scales.push(scale);
    }

    /// Overwrites the vector of a document.
    pub fn remove(&mut self, document: u32) {
        let at = document as usize;
        if let Some(scale) = self.scales.get_mut(at) {
            *scale = 0.0;
            if let Some(row) = self.rows.get_mut(at * self.dimensions..(at + 1) * self.dimensions) {
                row.fill(0);
            }
        }
    }

    /// The cosine between a vector and that of every admitted document, the `limit` greatest first.
    ///
    /// # Complexity
    /// Linear in the vectors: 100,000 of 384 dimensions take about 6 ms.
    #[must_use]
    pub fn nearest(&self, vector: &[f32], limit: usize, admits: &dyn Fn(u32) -> bool) -> Vec<(u32, f32)> {
        let (asked, asked_scale) = quantised(vector, self.dimensions);
        if asked_scale == 0.0 || self.dimensions == 0 {
            return Vec::new();
        }
        let rows = self.rows.chunks_exact(self.dimensions).zip(&self.scales);
        let mut near: Vec<(u32, f32)> = (0_u32..)
            .zip(rows)
            .filter(|(document, (_, scale))| **scale != 0.0 && admits(*document))
            .map(|(document, (row, scale))| (document, dot(row, &asked) * scale * asked_scale))
            .collect();
        let by_nearness = |left: &(u32, f32), right: &(u32, f32)| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0));
        if near.len() > limit && limit > 0 {
            near.select_nth_unstable_by(limit - 1, by_nearness);
        }
        near.truncate(limit);
        near.sort_unstable_by(by_nearness);
        near
    }
}

/// A vector of length 1 in bytes, and what they are multiplied with.
fn quantised(vector: &[f32], dimensions: usize) -> (Vec<i8>, f32) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    let greatest = vector.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    if vector.len() != dimensions || !length.is_finite() || greatest <= 0.0 {
        return (vec![0; dimensions], 0.0);
    }
    #[expect(clippy::cast_possible_truncation, reason = "between -127 and 127 by the division")]
    let row = vector.iter().map(|x| (x / greatest * 127.0).round() as i8).collect();
    (row, greatest / 127.0 / length)
}

/// Gives a vector the length 1, unless it has none.
#[cfg(feature = "embed")]
fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        for x in vector {
            *x /= length;
        }
    }
}

/// A product that compilers turn into vector instructions.
fn dot(left: &[i8], right: &[i8]) -> f32 {
    let sum: i32 = left.iter().zip(right).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum();
    #[expect(clippy::cast_precision_loss, reason = "the bytes it is made of have two digits")]
    let sum = sum as f32;
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nearness_is_the_cosine(
            vectors in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 32), 1..20),
            asked in prop::collection::vec(-1.0_f32..1.0, 32),
        ) {
            let mut kept = Vectors::new(32);
            for vector in &vectors {
                kept.push(vector);
            }
            for (document, near) in kept.nearest(&asked, 20, &|_| true) {
                let other = &vectors[document as usize];
                let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
                let cosine = other.iter().zip(&asked).map(|(a, b)| a * b).sum::<f32>() / length(other) / length(&asked);
                prop_assert!((near - cosine).abs() < 0.02, "{near} is not {cosine}");
            }
        }
    }

    #[test]
    fn the_nearest_come_first_and_those_not_admitted_or_removed_not_at_all() {
        let mut kept = Vectors::new(2);
        for vector in [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [-1.0, 0.0]] {
            kept.push(&vector);
        }
        let near = |kept: &Vectors, admits: &dyn Fn(u32) -> bool| {
            kept.nearest(&[1.0, 0.0], 2, admits).into_iter().map(|(document, _)| document).collect::<Vec<_>>()
        };
        assert_eq!(near(&kept, &|_| true), [0, 1]);
        assert_eq!(near(&kept, &|document| document != 0), [1, 2]);
        kept.remove(0);
        assert_eq!(near(&kept, &|_| true), [1, 2]);
    }

    #[test]
    fn a_vector_of_another_length_is_none() {
        let mut kept = Vectors::new(2);
        kept.push(&[1.0, 0.0, 0.0]);
        kept.push(&[0.0, 0.0]);
        assert!(kept.nearest(&[1.0, 0.0], 5, &|_| true).is_empty());
    }
}
