//! The words that are answered without being stored: what is known about facts, entities, claims and observations.
//!
//! Owns which word has which IRI. How a word is answered is `meta`'s.

use crate::model::vocab;

macro_rules! words {
    ($($(#[$doc:meta])* $word:ident = $iri:expr,)*) => {
        /// A word of the vocabulary that is answered from what is derived.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Word { $($(#[$doc])* $word,)* }

        impl Word {
            /// All of them.
            pub(super) const ALL: &'static [Self] = &[$(Self::$word,)*];

            /// Its IRI.
            pub(super) const fn iri(self) -> &'static str {
                match self { $(Self::$word => $iri,)* }
            }
        }
    };
}

words! {
    /// From a fact's reifier to the triple.
    Reifies = vocab::RDF_REIFIES,
    /// The class of an entity, fact, claim or observation.
    Type = vocab::RDF_TYPE,
    /// The name that an entity or relation is shown by.
    Label = vocab::RDFS_LABEL,
    /// The further names of an entity.
    AltLabel = vocab::SKOS_ALT_LABEL,
    /// Valid time: the first instant at which the fact may hold.
    ValidFrom = "erst:validFrom",
    /// Valid time: the end of the instants at which it may hold.
    ValidTo = "erst:validTo",
    /// Valid time: the first instant at which it surely holds.
    CertainFrom = "erst:certainFrom",
    /// Valid time: the end of the instants at which it surely holds.
    CertainTo = "erst:certainTo",
    /// Valid time: the start as it is known.
    Start = "erst:start",
    /// Valid time: the end as it is known.
    End = "erst:end",
    /// Transaction time: since when it is believed so.
    TxFrom = "erst:txFrom",
    /// Transaction time: until when it was believed so.
    TxTo = "erst:txTo",
    /// What the rules left on it.
    Status = "erst:status",
    /// Whether it surely holds at the reading position.
    Certainty = "erst:certainty",
    /// The best confidence among its claims.
    Confidence = "erst:confidence",
    /// The highest importance among its claims.
    Importance = "erst:importance",
    /// The claim that ended it.
    ClosedBy = "erst:closedBy",
    /// The claims it rests on.
    SupportedBy = "erst:supportedBy",
    /// The facts it is contested with.
    ContestedWith = "erst:contestedWith",
    /// When an observation was made.
    ObservedAt = "erst:observedAt",
    /// OWL-Time: the instant at which the fact may begin.
    HasBeginning = vocab::TIME_HAS_BEGINNING,
    /// OWL-Time: the instant at which it is over.
    HasEnd = vocab::TIME_HAS_END,
    /// OWL-Time: an instant's date and time.
    InDateTime = vocab::TIME_IN_DATE_TIME,
    /// PROV-O: the observations that a fact was derived from.
    DerivedFrom = vocab::PROV_DERIVED_FROM,
    /// PROV-O: the observation that makes a claim.
    PrimarySource = vocab::PROV_PRIMARY_SOURCE,
}

/// The class of entities that are known by name.
pub(super) const ENTITY: &str = "erst:Entity";
/// The class of facts' reifiers.
pub(super) const FACT: &str = "erst:Fact";
/// The class of claims.
pub(super) const CLAIM: &str = "erst:Claim";
/// The class of observations.
pub(super) const OBSERVATION: &str = "erst:Observation";
/// The datatype of a start or an end as it is known: `2019`, `by 2024-03`, `open`.
pub(super) const MOMENT: &str = "erst:moment";
/// Certain at the reading position.
pub(super) const CERTAIN: &str = "erst:Certain";
/// Possible at the reading position, not certain.
pub(super) const POSSIBLE: &str = "erst:Possible";
/// A fact that has not ended.
pub(super) const OPEN: &str = "erst:Open";
/// A fact that has ended.
pub(super) const ENDED: &str = "erst:Ended";
/// A fact that another one contests.
pub(super) const CONTESTED: &str = "erst:Contested";
/// A fact that a source of lower rank denies or replaces.
pub(super) const CHALLENGED: &str = "erst:Challenged";

impl Word {
    /// The word with this IRI.
    pub(super) fn of(iri: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.iri() == iri)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_an_iri_of_its_own_and_the_ontology_tells_of_it() {
        let ontology = include_str!("../../queries/erstwhile.ttl");
        for word in Word::ALL {
            assert_eq!(Word::of(word.iri()), Some(*word));
            if let Some(name) = word.iri().strip_prefix("erst:") {
                assert!(ontology.contains(&format!("\nerst:{name} a ")), "queries/erstwhile.ttl does not define erst:{name}");
            }
        }
        for class in [ENTITY, FACT, CLAIM, OBSERVATION, MOMENT, CERTAIN, POSSIBLE, OPEN, ENDED, CONTESTED, CHALLENGED] {
            assert!(ontology.contains(&format!("\n{class} a ")), "queries/erstwhile.ttl does not define {class}");
        }
    }
}
