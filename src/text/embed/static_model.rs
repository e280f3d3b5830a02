//! A folder of static embeddings: every piece has one vector, whatever stands around it, and a text has their mean.
//!
//! Owns the reading of what model2vec saves. Every vector has the length 1, or 0 where nothing of a text is known. Knows no context, so
//! it is some hundred times as fast as an encoder. Source: Tulkens & van Dongen 2024, model2vec.

use super::folder::{Folder, ModelError};
use super::wordpiece::WordPiece;
use super::{EmbedError, Embedder, normalise};
use std::fmt;
use std::path::Path;

/// The pieces of a text that count, where the folder does not say it.
const LONGEST: usize = 512;

/// Static embeddings in a folder: `config.json`, `tokenizer.json`, and `model.safetensors` with `embeddings` (or, as sentence-transformers
/// names it, `embedding.weight`), and where there are, `weights` of the pieces and a `mapping` of pieces to rows.
pub struct StaticModel {
    name: String,
    tokenizer: WordPiece,
    dimensions: usize,
    /// The rows one after the other.
    rows: Vec<f32>,
    /// For each piece its row; the number of the piece itself where there are none.
    mapping: Option<Vec<usize>>,
    /// For each piece how much it counts.
    weights: Option<Vec<f32>>,
    longest: usize,
}

impl fmt::Debug for StaticModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticModel").field("name", &self.name).field("dimensions", &self.dimensions).finish_non_exhaustive()
    }
}

impl StaticModel {
    /// The embeddings in a folder.
    ///
    /// # Errors
    /// [`ModelError`] names the file and the field.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let folder = Folder::new(folder);
        let config = folder.settings("config.json")?;
        let longest = config.count("max_length", 1 << 20)?.or(config.count("seq_length", 1 << 20)?).unwrap_or(LONGEST);
        let tokenizer = WordPiece::open(&folder)?;
        let pieces = tokenizer.bound();
        let mut tensors = folder.tensors()?;
        let name = if tensors.has("embedding.weight") { "embedding.weight" } else { "embeddings" };
        let shape = tensors.shape(name)?;
        let &[rows, dimensions] = shape.as_slice() else {
            return Err(tensors.wrong(name, format!("its shape is {shape:?}, and not that of a row for each piece")));
        };
        if dimensions == 0 {
            return Err(tensors.wrong(name, "its rows are empty"));
        }
        let mapping = match tensors.has("mapping") {
            true => Some(tensors.indices("mapping", &[pieces], rows)?),
            false if rows < pieces => return Err(tensors.wrong(name, format!("{rows} rows for {pieces} pieces, and no mapping"))),
            false => None,
        };
        let weights = if tensors.has("weights") { Some(tensors.numbers("weights", &[pieces])?) } else { None };
        let fingerprint = tensors.fingerprint().to_hex();
        let name_of_model = format!("static-{dimensions}@{}", fingerprint.get(..8).unwrap_or_default());
        let rows = tensors.numbers(name, &shape)?;
        Ok(Self { name: name_of_model, tokenizer, dimensions, rows, mapping, weights, longest })
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimensions];
        for piece in self.tokenizer.pieces(text, self.longest) {
            let piece_at = piece as usize;
            let row = self.mapping.as_ref().map_or(Some(piece_at), |mapping| mapping.get(piece_at).copied());
            let weight = self.weights.as_ref().map_or(Some(1.0), |weights| weights.get(piece_at).copied());
            let (Some(row), Some(weight)) = (row, weight.filter(|_| piece != self.tokenizer.unknown())) else { continue };
            let numbers = self.rows.get(row * self.dimensions..(row + 1) * self.dimensions).unwrap_or_default();
            vector.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += weight * number);
        }
        normalise(&mut vector);
        vector
    }
}

impl Embedder for StaticModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}
