//! Identity strings of terms, and the normal form of names. Knows no store and no entity.

use crate::model::{TermRef, is_invisible, vocab};
use caseless::Caseless;
use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// Writes the identity of a term into `out` (cleared first): equal strings mean the same entity or literal.
///
/// A name is normalised: compatibility forms (full width, ligatures) and composition are unified, case is folded in full
/// (`ß` is `ss`), invisible characters are dropped, and white space is trimmed and collapsed. IRIs, blank nodes and literals keep
/// their exact form (sameTerm); xsd:string and no datatype are the same. The first character tells the kinds apart (`n` name,
/// `i` IRI, `b` blank node, `l` literal), so that no name can collide with an IRI or a literal.
///
/// Source: Unicode Standard 3.13, D146 (compatibility caseless match), composed (NFKC).
///
/// ```
/// use erstwhile::{model::TermRef, resolve::identity};
/// let (mut a, mut b) = (String::new(), String::new());
/// identity(TermRef::Name("Ｏlga  Strauß"), &mut a);
/// identity(TermRef::Name("OLGA STRAUSS"), &mut b);
/// assert_eq!(a, b);
/// ```
///
/// # Complexity
/// Linear in the length of the term; ASCII names are copied byte by byte without Unicode tables.
pub fn identity(term: TermRef<'_>, out: &mut String) {
    out.clear();
    match term {
        TermRef::Name(name) => {
            out.push('n');
            normalise(name, out);
        }
        TermRef::Iri(iri) => {
            out.push('i');
            out.push_str(iri);
        }
        TermRef::Blank(label) => {
            out.push('b');
            out.push_str(label);
        }
        TermRef::Literal { lexical, datatype, language } => {
            let (sort, tag) = match (datatype.filter(|datatype| *datatype != vocab::XSD_STRING), language) {
                (_, Some(language)) => ('@', language),
                (Some(datatype), None) => ('^', datatype),
                (None, None) => ('"', ""),
            };
            out.push('l');
            out.push(sort);
            // The length keeps a tag and the text after it from running into each other.
            let written = write!(out, "{}:{tag}{lexical}", tag.len());
            debug_assert!(written.is_ok(), "writing to a string cannot fail");
        }
    }
}

/// Appends the normal form of a name.
fn normalise(name: &str, out: &mut String) {
    let start = out.len();
    if name.is_ascii() {
        collapse(name.chars().map(|c| c.to_ascii_lowercase()), out, start);
    } else {
        let visible = name.chars().filter(|c| !is_invisible(*c));
        collapse(visible.nfd().default_case_fold().nfkd().default_case_fold().nfkc(), out, start);
    }
}

/// Appends characters with white space trimmed and collapsed to one space each.
fn collapse(chars: impl Iterator<Item = char>, out: &mut String, start: usize) {
    let mut gap = false;
    for c in chars {
        if c.is_whitespace() {
            gap = true;
            continue;
        }
        if gap && out.len() > start {
            out.push(' ');
        }
        gap = false;
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Literal, Term};
    use proptest::prelude::*;

    fn of(term: &Term) -> String {
        let mut out = "left over".to_owned();
        identity(term.as_ref(), &mut out);
        out
    }

    fn name(text: &str) -> String {
        of(&Term::Name(text.to_owned()))
    }

    fn same(a: &str, b: &str) {
        assert_eq!(name(a), name(b), "{a} and {b} are one");
    }

    fn apart(a: &str, b: &str) {
        assert_ne!(name(a), name(b), "{a} and {b} are two");
    }

    #[test]
    fn case_width_composition_and_white_space_do_not_tell_names_apart() {
        same("ОЛЬГА", "Ольга");
        same("王芳", "王芳");
        same("Žofie Dvořák", "Z\u{30c}ofie Dvor\u{30c}a\u{301}k");
        same("ŽOFIE DVOŘÁK", "žofie dvořák");
        same("Ａｎａ　Ｌｉｍａ", "Ana Lima");
        same("ｱｲﾃﾑ", "アイテム");
        same("Straße", "STRASSE");
        same("ΟΔΥΣΣΕΥΣ", "οδυσσευς");
        same("ﬁle", "FILE");
        same("  Ana\t\n Lima\u{a0}", "ana lima");
        same("An\u{200b}a\u{feff}", "Ana");
        same("é\u{ad}t\u{200d}é", "été");
        assert_eq!(name("  Ana   LIMA "), "nana lima", "the ascii path has the same normal form");
    }

    #[test]
    fn what_is_merely_similar_stays_apart() {
        apart("Bay 17", "Bay 18");
        apart("Mara", "Samara");
        apart("Jose", "José");
        apart("AnaLima", "Ana Lima");
        apart("王芳", "王方");
        apart("Olga", "Ольга");
    }

    #[test]
    fn kinds_never_collide() {
        let texts = ["a", "urn:a", "urn:A", "_:a", "\"a\"", "1:a", "@2:ena", "nname"];
        let mut seen = std::collections::BTreeMap::new();
        for text in texts {
            for term in [
                Term::Name(text.to_owned()),
                Term::Iri(text.to_owned()),
                Term::Blank(text.to_owned()),
                Term::Literal(Literal::text(text)),
                Term::Literal(Literal::in_language(text, "en")),
                Term::Literal(Literal::typed(text, vocab::XSD_INTEGER)),
            ] {
                // Names fold their case; the two that differ by nothing else are one.
                let key = match &term {
                    Term::Name(name) => format!("name {}", name.to_lowercase()),
                    Term::Iri(_) | Term::Blank(_) | Term::Literal(_) => format!("{term:?}"),
                };
                if let Some(earlier) = seen.insert(of(&term), key.clone()) {
                    assert_eq!(earlier, key, "two terms share an identity");
                }
            }
        }
        assert_eq!(seen.len(), texts.len() * 6 - 1, "all but urn:a and urn:A as names");
    }

    #[test]
    fn literals_keep_their_exact_form_and_their_tags_cannot_run_into_the_text() {
        let literal = |lexical: &str, datatype: Option<&str>, language: Option<&str>| {
            let mut out = String::new();
            identity(TermRef::Literal { lexical, datatype, language }, &mut out);
            out
        };
        assert_ne!(literal("1", Some(vocab::XSD_INTEGER), None), literal("01", Some(vocab::XSD_INTEGER), None), "lexical form counts");
        assert_ne!(literal("Rome", None, None), literal("rome", None, None), "case counts");
        assert_ne!(literal("x", None, Some("en")), literal("enx", None, None), "a tag is no text");
        assert_ne!(literal("bc", Some("urn:a"), None), literal("c", Some("urn:ab"), None), "the tag ends where it ends");
        assert_eq!(literal("x", Some(vocab::XSD_STRING), None), literal("x", None, None), "xsd:string is the default");
    }

    proptest! {
        #[test]
        fn the_normal_form_is_stable_and_blind_to_composition(text in "\\PC{0,16}|[ßẞİıΣσςǅŽ\u{345}\u{30c}ﬁ①Ａ\u{3000} ]{0,8}") {
            let once = name(&text);
            prop_assert_eq!(&once, &name(once.strip_prefix('n').unwrap()), "normalising twice is normalising once");
            prop_assert_eq!(&once, &name(&text.nfd().collect::<String>()), "decomposed");
            prop_assert_eq!(&once, &name(&text.nfc().collect::<String>()), "composed");
        }

        #[test]
        fn ascii_names_take_the_fast_path_to_the_same_place(text in "[ -~\t\n]{0,24}") {
            let mut slow = "n".to_owned();
            collapse(text.nfd().default_case_fold().nfkd().default_case_fold().nfkc(), &mut slow, 1);
            prop_assert_eq!(name(&text), slow);
        }
    }
}
