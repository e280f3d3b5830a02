//! The normal form of relation names and wordings. Knows no relation.

use crate::model::TermRef;
use crate::resolve::identity;
use unicode_normalization::UnicodeNormalization;

/// The normal form of a relation as stated: `snake_case`, so that "Works at", `works_at`, `works-at` and `worksAt` are one.
///
/// Case, width and composition are folded as for names. An IRI (in angle brackets, with `://`, or a `urn:`) is kept exactly.
pub(super) fn relation_key(stated: &str) -> String {
    let stated = stated.trim();
    if let Some(iri) = stated.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        return iri.to_owned();
    }
    if stated.contains("://") || stated.starts_with("urn:") {
        return stated.to_owned();
    }
    let mut spaced = String::with_capacity(stated.len() + 4);
    let mut after_lower = false;
    // Composed first: a wide or small hyphen is one, too.
    for c in stated.nfkc() {
        let separator = matches!(c, '_' | '-' | '\u{2010}' | '\u{2011}');
        if separator || (after_lower && c.is_ascii_uppercase()) {
            spaced.push(' ');
        }
        if !separator {
            spaced.push(c);
        }
        after_lower = c.is_ascii_lowercase();
    }
    let mut folded = String::with_capacity(spaced.len() + 1);
    identity(TermRef::Name(&spaced), &mut folded);
    folded.chars().skip(1).map(|c| if c == ' ' { '_' } else { c }).collect()
}

/// Whether a relation as stated already is its own normal form and plainly so: lower-case ASCII letters, digits and single inner `_`.
pub(super) fn is_plain_key(stated: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    !stated.is_empty() && stated.bytes().all(plain) && !stated.starts_with('_') && !stated.ends_with('_') && !stated.contains("__")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(stated: &str, expect: &str) {
        assert_eq!(relation_key(stated), expect, "{stated}");
    }

    #[test]
    fn wordings_fold_to_snake_case_and_iris_stay() {
        for stated in [
            "works_at",
            "Works at",
            "  works   at ",
            "works-at",
            "worksAt",
            "WORKS_AT",
            "Ｗorks at",
            "_works__at_",
            "works﹣at",
            "works＿at",
        ] {
            check(stated, "works_at");
        }
        check("P39", "p39");
        check("hasURL", "has_url");
        check("に引っ越した", "に引っ越した");
        check("is … years old", "is_..._years_old");
        check("<urn:x:worksAt>", "urn:x:worksAt");
        check("urn:x:worksAt", "urn:x:worksAt");
        check("http://example.org/worksAt", "http://example.org/worksAt");
        check("", "");
    }

    proptest! {
        #[test]
        fn the_normal_form_is_stable_and_plain_keys_are_their_own(stated in "\\PC{0,16}|[a-zA-Z_ -]{0,12}") {
            let key = relation_key(&stated);
            prop_assert_eq!(relation_key(&key), key.clone());
            if is_plain_key(&stated) {
                prop_assert_eq!(key, stated);
            }
        }
    }
}
