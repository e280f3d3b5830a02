//! Text as it is searched: tokens, the index of passages, and the trait of what makes vectors of them.
//!
//! Owns what counts as a word in which script, the postings and their scores, the order of turns within a session. Knows nothing of
//! facts and of points in time that a question is asked at, and of no files but those of a model's folder.

mod corpus;
mod embed;
mod index;
mod inflect;
mod language;
mod split;
mod token;

pub use corpus::{Corpus, Document, Passage};
pub use embed::{EmbedError, Embedder, Vectors};
#[cfg(feature = "embed")]
pub use embed::{ModelError, SentenceModel, StaticModel, open_model};
pub use index::{Bm25, Index, Matches, Sought};
pub use token::{Key, Query, QueryWord, Tokenizer};
