//! The grammar's patterns as phrasings that others can go by. Knows no text.

use super::pack::{Effect, Grammar, Pattern, Piece, Subject};
use super::tag::Form;
use crate::extract::rules::phrases::{self, Element, Phrase, Side};

impl Grammar {
    /// All phrasings, nouns in the order of their text and then verbs in the order of the packs.
    pub(in crate::extract::rules) fn phrases(&self) -> Vec<Phrase> {
        let mut nouns: Vec<(&str, &super::pack::NounFrame)> = self.relational_nouns().collect();
        nouns.sort_by_key(|(noun, frame)| (*noun, frame.relation, frame.number));
        let nouns = nouns.into_iter().filter_map(|(noun, frame)| {
            let names = if frame.owner_is_head { Side::Tail } else { Side::Head };
            Some(Phrase::Noun { relation: self.relation(frame.relation)?.name.clone(), noun: noun.to_owned(), names })
        });
        nouns.chain(self.verb_patterns().filter_map(|(verbs, passive, pattern)| self.verb_phrase(verbs, passive, pattern))).collect()
    }

    /// The verbs that a word in lower case may be a form of, and whether it may be their participle.
    pub(in crate::extract::rules) fn bases(&self, lower: &str) -> Vec<(&str, bool)> {
        let mut bases: Vec<(&str, bool)> = Vec::new();
        for (base, form) in self.verb(lower) {
            let participle = form == Form::Participle;
            match bases.iter_mut().find(|known| known.0 == base) {
                Some(known) => known.1 |= participle,
                None => bases.push((base, participle)),
            }
        }
        bases
    }

    fn verb_phrase(&self, verbs: Vec<String>, passive: bool, pattern: &Pattern) -> Option<Phrase> {
        let relation = self.relation(pattern.relation)?.name.clone();
        let effect = match pattern.effect {
            Effect::Holds | Effect::Lasts => phrases::Effect::Holds,
            Effect::Begins => phrases::Effect::Begins,
            Effect::Ends => phrases::Effect::Ends,
            // "does not like": nobody asks so.
            Effect::Denied => return None,
        };
        let subject = match pattern.subject {
            Subject::Head(_) => Some(Side::Head),
            Subject::Tail(_) => Some(Side::Tail),
            Subject::Any => None,
        };
        let elements = pattern.pieces.iter().filter_map(|piece| match piece {
            Piece::Word(words) => Some(Element::Words(words.clone())),
            Piece::Maybe(_) => None,
            Piece::Head(_) | Piece::Tail(_) | Piece::Other => Some(Element::Slot),
        });
        let elements = std::iter::once(Element::Words(verbs)).chain(elements).collect();
        Some(Phrase::Verb { relation, elements, passive, subject, effect })
    }
}
