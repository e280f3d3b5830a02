//! The whole grammar, from a text to drafts.

use super::*;

#[test]
fn the_shipped_packs_are_packs() {
    let shipped = Language::with(&[]);
    assert!(shipped.is_ok(), "{}", shipped.map(|_| String::new()).unwrap_or_else(|fault| fault.to_string()));
}
