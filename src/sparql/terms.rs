//! How what the memory names is written in RDF, and read back: entities, relations, observations, claims, facts and tenants as IRIs.
//!
//! Owns the schemes and their percent-encoding. Knows no view: which number a term has is the dataset's.

use crate::model::{ClaimId, FactId, Literal, ObservationId, Term, TermRef, vocab};
use oxrdf::{BlankNode, Literal as RdfLiteral, NamedNode, Term as RdfTerm};
use std::fmt::Write;

/// The scheme of an entity that is known by a name: `entity:ana%20lima`.
pub const ENTITY: &str = "entity:";
/// The scheme of a relation that is known by a name: `relation:employer`.
pub const RELATION: &str = "relation:";
/// The scheme of an observation: `observation:` and 32 hexadecimal digits.
pub const OBSERVATION: &str = "observation:";
/// The scheme of a claim: `claim:`, its observation's digits, a dot and its place.
pub const CLAIM: &str = "claim:";
/// The scheme of a fact's reifier, written as the claim that names the fact.
pub const FACT: &str = "fact:";
/// The scheme of an instant as OWL-Time has it: `instant:2023-06-01T00:00:00Z`.
pub const INSTANT: &str = "instant:";
/// The scheme of a tenant: `tenant:acme`.
pub const TENANT: &str = "tenant:";
/// The scheme under which an imported IRI is kept that would be read as one of the others: `iri:entity%3Ax`.
pub const KEPT: &str = "iri:";
/// The scheme of a record of an exported history: `record:17`, and `record:17.0` for a claim of an extraction.
pub const RECORD: &str = "record:";
/// The namespace of the memory's own vocabulary.
pub const VOCABULARY: &str = "erst:";

/// The scheme and local part of an IRI of ours for anything: what is no letter, digit, `-`, `.`, `_` or `~` is written as the bytes
/// of its UTF-8, each as `%` and two hexadecimal digits. [`decode`] reads the local part back.
///
/// ```
/// use erstwhile::sparql::terms::{ENTITY, decode, encode};
/// let iri = encode(ENTITY, "ana lima");
/// assert_eq!(iri, "entity:ana%20lima");
/// assert_eq!(decode(ENTITY, &iri).as_deref(), Some("ana lima"));
/// ```
#[must_use]
pub fn encode(scheme: &str, text: &str) -> String {
    let mut iri = String::with_capacity(scheme.len() + text.len() + 8);
    iri.push_str(scheme);
    let mut bytes = [0; 4];
    for c in text.chars() {
        if is_plain(c) {
            iri.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut bytes).bytes() {
            let written = write!(iri, "%{byte:02X}");
            debug_assert!(written.is_ok(), "writing to a string cannot fail");
        }
    }
    iri
}

/// What an IRI of a scheme stands for; `None` where the scheme is another, or the escapes are no UTF-8. Letters may be escaped, too.
#[must_use]
pub fn decode(scheme: &str, iri: &str) -> Option<String> {
    let local = iri.strip_prefix(scheme)?;
    let mut bytes = Vec::with_capacity(local.len());
    let mut rest = local.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok().filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// Letters and digits that every IRI may hold as they are (RFC 3987, `iunreserved`).
fn is_plain(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' | '~' => true,
        '\u{a0}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}'
        | '\u{fdf0}'..='\u{ffef}'
        | '\u{10000}'..='\u{1fffd}'
        | '\u{20000}'..='\u{2fffd}'
        | '\u{30000}'..='\u{3fffd}' => c.is_alphanumeric(),
        _ => false,
    }
}

/// The IRI of an entity by name. Two names are one entity, and have one IRI in answers, where `resolve` says so; as a query's constant
/// every spelling means it.
#[must_use]
pub fn entity_iri(name: &str) -> String {
    encode(ENTITY, name)
}

/// The IRI of a relation: its name, if that is an IRI, or one of the scheme [`RELATION`].
///
/// ```
/// use erstwhile::sparql::terms::{relation_iri, relation_name};
/// assert_eq!(relation_iri("works at"), "relation:works%20at");
/// assert_eq!(relation_iri("http://xmlns.com/foaf/0.1/knows"), "http://xmlns.com/foaf/0.1/knows");
/// assert_eq!(relation_name("relation:works%20at"), "works at");
/// ```
#[must_use]
pub fn relation_iri(name: &str) -> String {
    if is_iri(name) && !is_ours(name) { name.to_owned() } else { encode(RELATION, name) }
}

/// The wording by which a claim or a reader names the relation that an IRI is of. [`relation_iri`] of what it means is the IRI again. An IRI
/// that does not look like one by itself comes in angle brackets, in which wordings keep it.
#[must_use]
pub fn relation_name(iri: &str) -> String {
    match decode(RELATION, iri).filter(|name| !name.is_empty()) {
        Some(name) if is_ours(&name) => format!("<{name}>"),
        Some(name) => name,
        None if iri.contains("://") || iri.starts_with("urn:") => iri.to_owned(),
        None => format!("<{iri}>"),
    }
}

/// The IRI of an observation.
#[must_use]
pub fn observation_iri(id: ObservationId) -> String {
    format!("{OBSERVATION}{id}")
}

/// The IRI of a claim.
#[must_use]
pub fn claim_iri(id: ClaimId) -> String {
    format!("{CLAIM}{id}")
}

/// The IRI of a fact's reifier.
#[must_use]
pub fn fact_iri(id: FactId) -> String {
    format!("{FACT}{id}")
}

/// The IRI of a tenant.
#[must_use]
pub fn tenant_iri(name: &str) -> String {
    encode(TENANT, name)
}

/// The RDF term of a term as it is kept. A name is written as given: to write an entity as answers do, give its identity.
///
/// Inverse of [`from_rdf`] for every term that [`Term::check`] accepts.
#[must_use]
pub fn to_rdf(term: TermRef<'_>) -> RdfTerm {
    match term {
        TermRef::Name(name) => NamedNode::new_unchecked(entity_iri(name)).into(),
        TermRef::Iri(iri) if is_kept(iri) => NamedNode::new_unchecked(encode(KEPT, iri)).into(),
        TermRef::Iri(iri) => NamedNode::new_unchecked(iri).into(),
        TermRef::Blank(label) => BlankNode::new_unchecked(label).into(),
        TermRef::Literal { lexical, language: Some(language), .. } => {
            RdfLiteral::new_language_tagged_literal_unchecked(lexical, language).into()
        }
        TermRef::Literal { lexical, datatype: Some(datatype), .. } => {
            RdfLiteral::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
        }
        TermRef::Literal { lexical, .. } => RdfLiteral::new_simple_literal(lexical).into(),
    }
}

/// The term that an RDF term is kept as: `entity:` IRIs as names, other IRIs, blank nodes and literals as they are. `None` of what
/// cannot stand in a claim: a triple term, and a text with a base direction.
#[must_use]
pub fn from_rdf(term: &RdfTerm) -> Option<Term> {
    match term {
        RdfTerm::NamedNode(node) => Some(from_iri(node.as_str())),
        RdfTerm::BlankNode(node) => Some(Term::Blank(node.as_str().to_owned())),
        RdfTerm::Literal(literal) if literal.direction().is_some() => None,
        RdfTerm::Literal(literal) => Some(Term::Literal(match literal.language() {
            Some(language) => Literal::in_language(literal.value(), language),
            None => Literal::typed(literal.value(), literal.datatype().as_str()),
        })),
        RdfTerm::Triple(_) => None,
    }
}

/// The entity that an IRI is kept as.
#[must_use]
pub fn from_iri(iri: &str) -> Term {
    if let Some(name) = decode(ENTITY, iri).map(Term::Name).filter(|name| name.check().is_ok()) {
        return name;
    }
    match decode(KEPT, iri).filter(|kept| is_kept(kept)) {
        Some(kept) => Term::Iri(kept),
        None => Term::Iri(iri.to_owned()),
    }
}

/// The fact whose reifier an IRI is.
#[must_use]
pub fn fact_id(iri: &str) -> Option<FactId> {
    iri.strip_prefix(FACT)?.parse().ok().map(FactId)
}

/// The claim that an IRI is of.
#[must_use]
pub fn claim_id(iri: &str) -> Option<ClaimId> {
    iri.strip_prefix(CLAIM)?.parse().ok()
}

/// The observation that an IRI is of.
#[must_use]
pub fn observation_id(iri: &str) -> Option<ObservationId> {
    iri.strip_prefix(OBSERVATION)?.parse().ok()
}

/// Whether an imported IRI would be read back as something else.
fn is_kept(iri: &str) -> bool {
    iri.starts_with(ENTITY) || iri.starts_with(KEPT)
}

/// Whether an IRI is of the scheme that names of relations are written in.
fn is_ours(iri: &str) -> bool {
    iri.starts_with(RELATION)
}

/// Whether a relation's name is an IRI: it is written `scheme:rest` without spaces, or it would be no predicate of RDF.
fn is_iri(name: &str) -> bool {
    name.contains(':') && Term::Iri(name.to_owned()).check().is_ok()
}

/// The datatype IRI that a literal without one has.
#[must_use]
pub fn plain_text(lexical: &str) -> RdfTerm {
    RdfLiteral::new_simple_literal(lexical).into()
}

/// A literal of one of the datatypes of [`vocab`].
#[must_use]
pub fn typed(lexical: impl Into<String>, datatype: &str) -> RdfTerm {
    debug_assert!(datatype != vocab::RDF_LANG_STRING, "a text in a language has no datatype of its own");
    RdfLiteral::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policies;
    use proptest::prelude::*;

    fn terms() -> impl Strategy<Value = Term> {
        prop_oneof![
            any::<String>().prop_map(Term::Name),
            "[a-z]{1,8}:[a-zA-Z0-9%/#:.é]{0,12}".prop_map(Term::Iri),
            "(entity|iri|relation|claim|fact):[a-z%0-9:]{0,8}".prop_map(Term::Iri),
            "[a-zA-Z0-9_][a-zA-Z0-9_-]{0,6}".prop_map(Term::Blank),
            any::<String>().prop_map(|text| Term::Literal(Literal::text(text))),
            (any::<String>(), "[a-z]{2}(-[a-z]{2})?").prop_map(|(text, tag)| Term::Literal(Literal::in_language(text, &tag))),
            (any::<String>(), "[a-z]{1,8}:[a-z]{1,8}").prop_map(|(text, datatype)| Term::Literal(Literal::typed(text, &datatype))),
        ]
    }

    proptest! {
        #[test]
        fn any_text_is_read_back_and_is_an_iri(text in any::<String>()) {
            for scheme in [ENTITY, RELATION, TENANT, KEPT] {
                let iri = encode(scheme, &text);
                prop_assert_eq!(decode(scheme, &iri), Some(text.clone()));
                prop_assert!(NamedNode::new(iri.clone()).is_ok(), "{} is no IRI", iri);
            }
        }

        #[test]
        fn any_relation_is_read_back(stated in "\\PC{1,20}|<?(relation|entity|http|urn|Ex)://?[a-zA-Z%:]{0,9}>?") {
            let policies = Policies::shipped();
            let meant = policies.canonical(&stated).relation.into_owned();
            prop_assume!(!meant.is_empty());
            let iri = relation_iri(&meant);
            prop_assert!(NamedNode::new(iri.clone()).is_ok() || iri == meant, "{} is no IRI", iri);
            let named = relation_name(&iri);
            let again = policies.canonical(&named).relation.into_owned();
            prop_assert_eq!(again, meant);
        }

        #[test]
        fn any_term_is_read_back_and_no_two_meet(left in terms(), right in terms()) {
            prop_assume!(left.check().is_ok() && right.check().is_ok());
            prop_assert_eq!(from_rdf(&to_rdf(left.as_ref())), Some(left.clone()));
            prop_assert_eq!(to_rdf(left.as_ref()) == to_rdf(right.as_ref()), left == right);
        }
    }

    #[test]
    fn what_is_no_escape_is_kept_as_an_iri() {
        for iri in ["entity:%FF", "entity:%4", "entity:", "entity:%20", "iri:http%3A%2F%2Fx", "http://x/%zz"] {
            assert_eq!(from_iri(iri), Term::Iri(iri.to_owned()), "{iri}");
        }
        assert_eq!(from_iri("entity:a%62c"), Term::Name("abc".to_owned()));
        assert_eq!(fact_id("fact:x"), None);
    }

    #[test]
    fn ids_are_read_back() {
        let claim = ClaimId { observation: ObservationId::from_bytes([7; 16]), ordinal: 3 };
        assert_eq!(claim_id(&claim_iri(claim)), Some(claim));
        assert_eq!(fact_id(&fact_iri(FactId(claim))), Some(FactId(claim)));
        assert_eq!(observation_id(&observation_iri(claim.observation)), Some(claim.observation));
    }
}
