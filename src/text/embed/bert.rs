//! The encoder of the BERT family: from the pieces of texts to a vector for each piece.
//!
//! Owns the weights and the arithmetic. Texts of a batch lie one behind the other, without padding. Knows nothing of words, nor of what
//! is made of the vectors. Source: Devlin et al. 2019, BERT: pre-training of deep bidirectional transformers.

use super::folder::{ModelError, Settings};
use super::tensors::Tensors;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayBase, Axis, Ix2, RawData};
use std::ops::Range;

/// The encoder.
#[derive(Debug)]
pub(super) struct Bert {
    hidden: usize,
    heads: usize,
    epsilon: f32,
    words: Array2<f32>,
    /// Each position's vector, with that of the only segment there is.
    positions: Array2<f32>,
    embedded: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Queries, keys and values side by side.
    attention: Linear,
    attended: Linear,
    attention_norm: Norm,
    widened: Linear,
    narrowed: Linear,
    output_norm: Norm,
}

/// A product with a bias.
#[derive(Debug)]
struct Linear {
    /// A row for each number that comes in.
    weights: Array2<f32>,
    bias: Vec<f32>,
}

#[derive(Debug)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

impl Bert {
    /// The encoder that `config.json` describes, with its weights.
    pub(super) fn read(config: &Settings, tensors: &mut Tensors) -> Result<Self, ModelError> {
        match config.word("hidden_act")? {
            None | Some("gelu") => {}
            Some(other) => return Err(config.wrong("hidden_act", format!("{other:?} is not read; \"gelu\" is"))),
        }
        match config.word("position_embedding_type")? {
            None | Some("absolute") => {}
            Some(other) => return Err(config.wrong("position_embedding_type", format!("{other:?} is not read; \"absolute\" is"))),
        }
        let hidden = config.needed_count("hidden_size", 1 << 14)?;
        let heads = config.needed_count("num_attention_heads", hidden)?;
        if hidden % heads != 0 {
            return Err(config.wrong("num_attention_heads", format!("{heads} do not divide a hidden_size of {hidden}")));
        }
        let inner = config.needed_count("intermediate_size", 1 << 16)?;
        let layers = config.needed_count("num_hidden_layers", 256)?;
        let words = config.needed_count("vocab_size", 1 << 23)?;
        let positions = config.needed_count("max_position_embeddings", 1 << 16)?;
        let segments = config.count("type_vocab_size", 1 << 10)?.unwrap_or(2);
        let epsilon = match config.get("layer_norm_eps") {
            None => 1e-12,
            Some(value) => value
                .as_f64()
                .filter(|epsilon| (0.0..1.0).contains(epsilon))
                .ok_or_else(|| config.wrong("layer_norm_eps", format!("{value} does not lie between 0 and 1")))?,
        };
        let mut weights = Weights { prefix: if tensors.has("bert.embeddings.word_embeddings.weight") { "bert." } else { "" }, tensors };
        let words = weights.matrix("embeddings.word_embeddings", words, hidden)?;
        let mut positions = weights.matrix("embeddings.position_embeddings", positions, hidden)?;
        let segments = weights.matrix("embeddings.token_type_embeddings", segments, hidden)?;
        if let Some(only) = segments.axis_iter(Axis(0)).next() {
            positions += &only;
        }
        let embedded = weights.norm("embeddings.LayerNorm", hidden)?;
        let layers = (0..layers).map(|layer| Layer::read(&mut weights, layer, hidden, inner)).collect::<Result<_, _>>()?;
        #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
        let epsilon = epsilon as f32;
        Ok(Self { hidden, heads, epsilon, words, positions, embedded, layers })
    }

    /// How many numbers a vector has.
    pub(super) fn hidden(&self) -> usize {
        self.hidden
    }

    /// How many layers there are.
    pub(super) fn layers(&self) -> usize {
        self.layers.len()
    }

    /// How many pieces there are vectors for.
    pub(super) fn vocabulary(&self) -> usize {
        self.words.nrows()
    }

    /// A text may have so many pieces.
    pub(super) fn longest(&self) -> usize {
        self.positions.nrows()
    }

    /// A vector for each piece of each text, text after text. Pieces that there are no vectors for, and what is longer than a text may
    /// be, stand for zeros.
    ///
    /// # Complexity
    /// Linear in the pieces, and in the square of each text's.
    pub(super) fn encode(&self, texts: &[Vec<u32>]) -> Array2<f32> {
        let mut places: Vec<Range<usize>> = Vec::with_capacity(texts.len());
        for text in texts {
            let begin = places.last().map_or(0, |place| place.end);
            places.push(begin..begin + text.len());
        }
        let mut states = Array2::zeros((places.last().map_or(0, |place| place.end), self.hidden));
        let pieces = texts.iter().flat_map(|text| text.iter().enumerate());
        for ((at, piece), mut state) in pieces.zip(states.rows_mut()) {
            if let (Some(word), Some(position)) = (row(&self.words, *piece as usize), row(&self.positions, at)) {
                state.assign(&word);
                state += &position;
            }
        }
        self.embedded.apply(&mut states, self.epsilon);
        for layer in &self.layers {
            layer.apply(&mut states, &places, self.heads, self.epsilon);
        }
        states
    }
}

fn row(matrix: &Array2<f32>, at: usize) -> Option<ndarray::ArrayView1<'_, f32>> {
    (at < matrix.nrows()).then(|| matrix.row(at))
}

impl Layer {
    fn read(weights: &mut Weights<'_>, layer: usize, hidden: usize, inner: usize) -> Result<Self, ModelError> {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let mut asked = Vec::new();
        for part in ["query", "key", "value"] {
            asked.push(weights.linear(&name(&format!("attention.self.{part}")), hidden, hidden)?);
        }
        Ok(Self {
            attention: Linear::side_by_side(&asked),
            attended: weights.linear(&name("attention.output.dense"), hidden, hidden)?,
            attention_norm: weights.norm(&name("attention.output.LayerNorm"), hidden)?,
            widened: weights.linear(&name("intermediate.dense"), hidden, inner)?,
            narrowed: weights.linear(&name("output.dense"), inner, hidden)?,
            output_norm: weights.norm(&name("output.LayerNorm"), hidden)?,
        })
    }

    fn apply(&self, states: &mut Array2<f32>, texts: &[Range<usize>], heads: usize, epsilon: f32) {
        let asked = self.attention.apply(states);
        *states += &self.attended.apply(&attend(&asked, texts, heads));
        self.attention_norm.apply(states, epsilon);
        let mut widened = self.widened.apply(states);
        widened.iter_mut().for_each(|x| *x = gelu(*x));
        *states += &self.narrowed.apply(&widened);
        self.output_norm.apply(states, epsilon);
    }
}

/// For each piece the mean of the values of its text's pieces, weighted by how well their keys fit its query; head by head.
fn attend(asked: &Array2<f32>, texts: &[Range<usize>], heads: usize) -> Array2<f32> {
    let hidden = asked.ncols() / 3;
    let width = hidden / heads;
    #[expect(clippy::cast_precision_loss, reason = "a head has some tens or hundreds of numbers")]
    let scale = 1.0 / (width as f32).sqrt();
    let mut attended = Array2::zeros((asked.nrows(), hidden));
    for text in texts {
        let mut fits = Array2::zeros((text.len(), text.len()));
        for head in 0..heads {
            let part = |which: usize| {
                let begin = which * hidden + head * width;
                block(asked.view(), text.clone(), begin..begin + width)
            };
            general_mat_mul(scale, &part(0), &part(1).t(), 0.0, &mut fits);
            fits.rows_mut().into_iter().for_each(|mut row| row.as_slice_mut().into_iter().for_each(softmax));
            let mut into = block(attended.view_mut(), text.clone(), head * width..(head + 1) * width);
            general_mat_mul(1.0, &fits, &part(2), 0.0, &mut into);
        }
    }
    attended
}

/// A part of a matrix.
pub(super) fn block<S: RawData>(mut of: ArrayBase<S, Ix2>, rows: Range<usize>, columns: Range<usize>) -> ArrayBase<S, Ix2> {
    of.slice_axis_inplace(Axis(0), rows.into());
    of.slice_axis_inplace(Axis(1), columns.into());
    of
}

/// Makes shares of a row that add up to 1.
fn softmax(row: &mut [f32]) {
    let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for x in row.iter_mut() {
        *x = (*x - greatest).exp();
    }
    let sum: f32 = row.iter().sum();
    for x in row {
        *x /= sum;
    }
}

/// The Gaussian error linear unit. Source: Hendrycks & Gimpel 2016.
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, to about seven digits, by a quotient of polynomials that compilers turn into vector instructions.
/// Source: the approximation that Eigen, XLA and others use for single precision.
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let above = [-2.726_142_3e-10_f32, 2.770_681_4e-8, -2.101_024e-6, -5.692_506_4e-5, -7.349_906_3e-4, -2.954_6e-3, -1.609_603_3e-2];
    let below = [-1.456_607_2e-5_f32, -2.133_740_6e-4, -1.682_827e-3, -7.373_329_2e-3, -1.426_473_9e-2];
    let polynomial = |coefficients: &[f32]| coefficients.iter().fold(0.0, |sum, coefficient| sum * square + coefficient);
    x * polynomial(&above) / polynomial(&below)
}

impl Linear {
    fn side_by_side(parts: &[Self]) -> Self {
        let rows = parts.first().map_or(0, |part| part.weights.nrows());
        let columns = parts.iter().map(|part| part.weights.ncols()).sum();
        let mut weights = Array2::zeros((rows, columns));
        let mut begin = 0;
        for part in parts {
            let end = begin + part.weights.ncols();
            block(weights.view_mut(), 0..rows, begin..end).assign(&part.weights);
            begin = end;
        }
        Self { weights, bias: parts.iter().flat_map(|part| part.bias.iter().copied()).collect() }
    }

    fn apply(&self, states: &Array2<f32>) -> Array2<f32> {
        let mut made = Array2::zeros((states.nrows(), self.bias.len()));
        for mut row in made.rows_mut() {
            row.iter_mut().zip(&self.bias).for_each(|(x, bias)| *x = *bias);
        }
        general_mat_mul(1.0, states, &self.weights, 1.0, &mut made);
        made
    }
}

impl Norm {
    /// Gives each row the mean 0 and the variance 1, then scale and shift. Source: Ba, Kiros & Hinton 2016.
    fn apply(&self, states: &mut Array2<f32>, epsilon: f32) {
        #[expect(clippy::cast_precision_loss, reason = "a row has some hundreds of numbers")]
        let length = self.scale.len() as f32;
        for mut row in states.rows_mut() {
            let mean = row.sum() / length;
            let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / length;
            let factor = 1.0 / (variance + epsilon).sqrt();
            let numbers = row.iter_mut().zip(self.scale.iter().zip(&self.shift));
            numbers.for_each(|(x, (scale, shift))| *x = (*x - mean) * factor * scale + shift);
        }
    }
}

/// The weights under the names that they have in the file.
struct Weights<'a> {
    prefix: &'static str,
    tensors: &'a mut Tensors,
}

impl Weights<'_> {
    fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Array2<f32>, ModelError> {
        let name = format!("{}{name}.weight", self.prefix);
        let numbers = self.tensors.numbers(&name, &[rows, columns])?;
        Array2::from_shape_vec((rows, columns), numbers).map_err(|error| self.tensors.wrong(&name, error.to_string()))
    }

    /// The file has a row for each number that goes out.
    fn linear(&mut self, name: &str, from: usize, to: usize) -> Result<Linear, ModelError> {
        let weights = self.matrix(name, to, from)?.t().as_standard_layout().into_owned();
        Ok(Linear { weights, bias: self.tensors.numbers(&format!("{}{name}.bias", self.prefix), &[to])? })
    }

    fn norm(&mut self, name: &str, length: usize) -> Result<Norm, ModelError> {
        Ok(Norm {
            scale: self.tensors.numbers(&format!("{}{name}.weight", self.prefix), &[length])?,
            shift: self.tensors.numbers(&format!("{}{name}.bias", self.prefix), &[length])?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error function by its series, in double precision.
    fn series(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn the_error_function_is_that_of_its_series() {
        for step in -400..=400 {
            let x = f64::from(step) / 100.0;
            #[expect(clippy::cast_possible_truncation, reason = "the same number, rounded")]
            let fast = f64::from(erf(x as f32));
            assert!((fast - series(x)).abs() < 5e-7, "erf({x}) is {} and not {fast}", series(x));
        }
        assert!((erf(30.0) - 1.0).abs() < 1e-6 && (erf(-30.0) + 1.0).abs() < 1e-6, "beyond the polynomials");
    }

    #[test]
    fn shares_add_up_to_one_however_great_the_numbers() {
        let mut row = [1000.0, 1000.0, -1000.0];
        softmax(&mut row);
        assert_eq!(row.map(f32::to_bits), [0.5_f32, 0.5, 0.0].map(f32::to_bits));
    }
}
