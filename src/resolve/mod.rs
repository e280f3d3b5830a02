//! From mention to entity: the identity of a term. Knows no store: what is already known is asked through [`Lookup`].

use crate::model::TermRef;

/// Writes the identity of a term into `out` (cleared first): equal strings mean the same entity or literal.
///
/// A name is normalised (NFKC, case folded, width, white space); IRIs, blank nodes and literals keep their exact form.
/// The first character tells the kinds apart, so that no name can collide with an IRI or a literal.
pub fn identity(term: TermRef<'_>, out: &mut String) {
    let _ = (term, out);
    unimplemented!()
}
