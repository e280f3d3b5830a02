//! The words of all names and literals of a tenant, so that a question's words lead to terms. Knows no fact.

use crate::graph::{TermId, View};
use crate::model::TermRef;
use crate::text::{Index, Key, Tokenizer};

/// No more bytes of a literal are indexed.
const LONGEST: usize = 2_048;

/// An index of a projection's terms by their words; the document numbers are those of the terms.
///
/// # Complexity
/// Linear in the names.
#[derive(Debug, Default)]
pub struct Names {
    tokenizer: Tokenizer,
    index: Index,
    through: u32,
}

impl Names {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the terms that are new in a view. Every view is one of the same projection.
    pub fn follow(&mut self, view: &View) {
        let mut tokens: Vec<Key> = Vec::new();
        for number in self.through..view.term_count() {
            tokens.clear();
            if let Some(text) = view.shown(TermId(number)).and_then(words_of) {
                let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default();
                self.tokenizer.passage(text, &mut tokens);
            }
            self.index.insert(number, &mut tokens);
        }
        self.through = self.through.max(view.term_count());
    }

    /// How many terms it has looked at.
    #[must_use]
    pub const fn through(&self) -> u32 {
        self.through
    }

    /// The index.
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// Bytes held, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.index.bytes()
    }
}

/// The words of a term: a name, a literal's text, the last part of an IRI.
fn words_of(term: TermRef<'_>) -> Option<&str> {
    match term {
        TermRef::Name(name) => Some(name),
        TermRef::Literal { lexical, .. } => Some(lexical),
        TermRef::Iri(iri) => iri.rsplit(['/', '#', ':']).next(),
        TermRef::Blank(_) => None,
    }
}
