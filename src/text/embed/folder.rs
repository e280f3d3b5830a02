//! A folder with a model in it: its settings read within limits, and what is wrong with them told by file and field.
//!
//! Owns [`ModelError`] and which kind of model a folder holds. Knows nothing of what the settings mean.

use super::local::SentenceModel;
use super::static_model::StaticModel;
use super::{Embedder, tensors};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of settings is not longer.
const LONGEST_SETTINGS: u64 = 1 << 20;

/// What is wrong with a folder that a model is read from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file is missing or cannot be read.
    #[error("{file}: {reason}")]
    File {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// A file is longer than such a file can be.
    #[error("{file}: {bytes} bytes, of at most {most}")]
    TooLong {
        /// The file.
        file: String,
        /// How long it is.
        bytes: u64,
        /// How long it may be.
        most: u64,
    },
    /// A field says what cannot be, or what is not read here.
    #[error("{file}: {field}: {reason}")]
    Field {
        /// The file.
        file: String,
        /// The field, with the names above it, parted by dots; or the tensor.
        field: String,
        /// Why.
        reason: String,
    },
}

/// The model in a folder: of sentence-transformers if `config.json` says `"model_type": "bert"`, else static, as model2vec saves them.
///
/// # Errors
/// [`ModelError`] names the file and the field.
pub fn open_model(folder: &Path) -> Result<Arc<dyn Embedder>, ModelError> {
    let config = Folder::new(folder).settings("config.json")?;
    match config.word("model_type")? {
        Some("bert") => Ok(Arc::new(SentenceModel::open(folder)?)),
        Some("model2vec") | None => Ok(Arc::new(StaticModel::open(folder)?)),
        Some(other) => Err(config.wrong("model_type", format!("{other:?} is not read; \"bert\" and \"model2vec\" are"))),
    }
}

/// The folder, which knows where its files are.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A file of text of at most so many bytes; `None` if there is none.
    pub(super) fn text(&self, name: &str, most: u64) -> Result<Option<String>, ModelError> {
        let path = self.file(name);
        let unreadable = |error: std::io::Error| ModelError::File { file: path.display().to_string(), reason: error.to_string() };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error)),
        };
        let bytes = file.metadata().map_err(unreadable)?.len();
        if bytes > most {
            return Err(ModelError::TooLong { file: path.display().to_string(), bytes, most });
        }
        let mut text = String::new();
        file.take(most).read_to_string(&mut text).map_err(unreadable)?;
        Ok(Some(text))
    }

    /// A file of JSON of at most so many bytes; `None` if there is none.
    pub(super) fn json(&self, name: &str, most: u64) -> Result<Option<Settings>, ModelError> {
        let Some(text) = self.text(name, most)? else { return Ok(None) };
        let file = self.file(name).display().to_string();
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(Settings { file, value })),
            Err(error) => Err(ModelError::File { file, reason: format!("no JSON: {error}") }),
        }
    }

    /// A file of settings; `None` if there is none.
    pub(super) fn optional_settings(&self, name: &str) -> Result<Option<Settings>, ModelError> {
        self.json(name, LONGEST_SETTINGS)
    }

    /// A file of settings, which must be there.
    pub(super) fn settings(&self, name: &str) -> Result<Settings, ModelError> {
        self.optional_settings(name)?.ok_or_else(|| self.missing(name))
    }

    pub(super) fn missing(&self, name: &str) -> ModelError {
        ModelError::File { file: self.file(name).display().to_string(), reason: "there is no such file".to_owned() }
    }

    /// That the vocabulary has no such piece.
    pub(super) fn lacks_piece(&self, written: &str) -> ModelError {
        let name = if self.file("tokenizer.json").exists() { "tokenizer.json" } else { "vocab.txt" };
        let file = self.file(name).display().to_string();
        ModelError::Field { file, field: written.to_owned(), reason: "there is no such piece".to_owned() }
    }

    /// The weights.
    pub(super) fn tensors(&self) -> Result<tensors::Tensors, ModelError> {
        tensors::Tensors::open(&self.file("model.safetensors"))
    }
}

/// JSON with the name of the file that it comes from. A field is named with those above it, parted by dots.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    file: String,
    value: Value,
}

impl Settings {
    /// The whole.
    pub(super) fn root(&self) -> &Value {
        &self.value
    }

    /// A field; `None` if it is missing or null.
    pub(super) fn get(&self, field: &str) -> Option<&Value> {
        let found = field.split('.').try_fold(&self.value, |value, name| value.get(name));
        found.filter(|value| !value.is_null())
    }

    pub(super) fn wrong(&self, field: &str, reason: impl Into<String>) -> ModelError {
        ModelError::Field { file: self.file.clone(), field: field.to_owned(), reason: reason.into() }
    }

    pub(super) fn missing(&self, field: &str) -> ModelError {
        self.wrong(field, "it is missing")
    }

    pub(super) fn word(&self, field: &str) -> Result<Option<&str>, ModelError> {
        self.get(field).map(|value| value.as_str().ok_or_else(|| self.wrong(field, format!("{} is no text", short(value))))).transpose()
    }

    pub(super) fn flag(&self, field: &str) -> Result<Option<bool>, ModelError> {
        self.get(field)
            .map(|value| value.as_bool().ok_or_else(|| self.wrong(field, format!("{} is not true or false", short(value)))))
            .transpose()
    }

    /// A whole number between 1 and the most.
    pub(super) fn count(&self, field: &str, most: usize) -> Result<Option<usize>, ModelError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok()).filter(|count| (1..=most).contains(count));
        count.map(Some).ok_or_else(|| self.wrong(field, format!("{} is no number from 1 to {most}", short(value))))
    }

    /// The same of a field that must be there.
    pub(super) fn needed_count(&self, field: &str, most: usize) -> Result<usize, ModelError> {
        self.count(field, most)?.ok_or_else(|| self.missing(field))
    }
}

/// A value as a message shows it.
pub(super) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}
