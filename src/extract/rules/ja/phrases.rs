//! The pack's phrasings in a form that others can go by. Knows no text.

use super::Language;
use super::inflect::stem;
use super::pack::{Bears, Frame, Holds, Sort};
use crate::extract::rules::phrases::{Effect, Phrase, Side};

impl Language {
    /// All phrasings: nouns in the order of their text, then frames in that of theirs.
    pub(in crate::extract::rules) fn phrases(&self) -> Vec<Phrase> {
        let name = |relation: u16| self.pack.relations.get(usize::from(relation)).map(|known| known.name.to_string());
        let mut nouns: Vec<(&str, u16, Bears)> =
            self.pack.nouns.iter().flat_map(|(noun, all)| all.iter().map(move |(relation, bears)| (&**noun, *relation, *bears))).collect();
        nouns.sort_by_key(|(noun, relation, _)| (*noun, *relation));
        let nouns = nouns.into_iter().filter_map(|(noun, relation, bears)| {
            let names = match bears {
                Bears::Value | Bears::Role => Side::Tail,
                Bears::RoleOf => Side::Head,
            };
            Some(Phrase::Noun { relation: name(relation)?, noun: noun.to_owned(), names })
        });
        let mut frames: Vec<(u32, &Frame)> =
            self.pack.frames.iter().flat_map(|(word, frames)| frames.iter().map(move |frame| (*word, frame))).collect();
        frames.sort_by_key(|(word, frame)| (*word, &frame.text));
        let frames = frames.into_iter().filter_map(|(word, frame)| {
            let marks = |holds: Holds| {
                let slots = frame.slots.iter().filter(move |slot| slot.holds == holds);
                slots.flat_map(|slot| slot.particles.iter().flat_map(|particle| particle.written())).collect::<Vec<&'static str>>()
            };
            let effect = match frame.sort {
                Sort::Say | Sort::Did => Effect::Holds,
                Sort::Begin => Effect::Begins,
                Sort::End | Sort::Off | Sort::Lost | Sort::LostAll => Effect::Ends,
            };
            Some(Phrase::Frame {
                relation: name(frame.relation)?,
                stem: stem(self.pack.dictionary(word)?).to_owned(),
                literals: frame.literals.iter().map(|(word, _)| word.to_string()).collect(),
                head: marks(Holds::Head),
                tail: marks(Holds::Tail),
                effect,
            })
        });
        nouns.chain(frames).collect()
    }
}
