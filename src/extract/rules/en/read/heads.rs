//! Whom a clause speaks of: what its subjects stand for, and which stand for nobody in particular.
//! Knows no relation.

use super::super::chunk::Owner;
use super::super::scene::Scene;
use super::super::words::Tag;
use super::Reader;
use super::silent::is_share;
use crate::extract::rules::draft::Draft;
use crate::model::Polarity;
use std::cell::OnceCell;

/// Whom a clause speaks of, worked out once somebody asks: for a pronoun the turns before may have to be read.
pub(in super::super) struct Heads<'c> {
    subjects: &'c [usize],
    found: OnceCell<Vec<String>>,
}

impl<'c> Heads<'c> {
    pub(super) const fn of(subjects: &'c [usize]) -> Self {
        Self { subjects, found: OnceCell::new() }
    }

    /// One who is known.
    pub(in super::super) fn known(head: String) -> Self {
        Self { subjects: &[], found: OnceCell::from(vec![head]) }
    }

    pub(in super::super) fn get(&self, reader: &Reader<'_, '_>, scene: &Scene<'_, '_>) -> &[String] {
        self.found.get_or_init(|| reader.heads(scene, self.subjects))
    }

    /// Whether somebody asked, and there was nobody.
    pub(super) fn are_sought_in_vain(&self) -> bool {
        self.found.get().is_some_and(Vec::is_empty)
    }
}

impl Reader<'_, '_> {
    /// The heads that a clause's subject stands for.
    pub(super) fn heads(&self, scene: &Scene<'_, '_>, subjects: &[usize]) -> Vec<String> {
        if subjects.is_empty() {
            let implied = if self.setting.is_written() {
                self.topic.clone().or_else(|| self.last_subject.clone())
            } else {
                self.setting.author().map(str::to_owned)
            };
            return implied.into_iter().collect();
        }
        let heads = |subject: &usize| {
            // "a man who sells boats", "somebody's friend": nobody in particular.
            let vague = scene.np(*subject).is_some_and(|np| {
                np.det.is_some_and(|det| matches!(scene.line.lower(det), "a" | "an" | "any" | "every" | "each" | "some" | "another"))
                    && np.owner.is_none()
                    && scene.name(*subject).is_none()
                    && !(np.core..np.to).any(|at| scene.line.tag(at) == Some(Tag::Name))
                    || self.is_general(scene, *subject)
                    // "two of my friends", "none of us"
                    || np.to == np.core + 1
                        && scene.line.lower(np.to) == "of"
                        && (!np.pronoun && scene.line.tag(np.core) == Some(Tag::Num) || is_share(scene.line.lower(np.core)))
                    // "few of my friends"
                    || np.det.is_some_and(|det| is_share(scene.line.lower(det)) && scene.line.lower(det + 1) == "of")
                    || matches!(scene.line.lower(np.core), "none" | "nobody" | "noone" | "no-one" | "nothing")
                    || scene.line.lower(np.core) == "one" && scene.line.lower(np.from) == "no"
            });
            if vague || self.is_anybodys(scene, *subject) {
                return Vec::new();
            }
            if let Some(own) = self.named_elsewhere(scene, *subject).or_else(|| self.own_family(scene, *subject)) {
                return vec![own];
            }
            let members = scene.members(*subject);
            if !members.is_empty() {
                return members;
            }
            let listed = Self::listed_names(scene, *subject);
            if listed.is_empty() { scene.denoted(*subject).into_iter().collect() } else { listed }
        };
        subjects.iter().flat_map(heads).collect()
    }

    /// Whether in talk a subject is named by one common noun that anybody may mean something else by: "the office", "this game".
    fn is_anybodys(&self, scene: &Scene<'_, '_>, subject: usize) -> bool {
        let Some(np) = scene.np(subject).filter(|np| !np.pronoun && np.owner.is_none()) else { return false };
        let noun = scene.line.phrase(np.core, np.to);
        // "The new guy at work".
        let somebody = np.det.is_some() && self.grammar.has_class(&noun, "person_noun") && !self.grammar.has_class(&noun, "kin");
        let many = super::super::morph::is_plural(&noun) && np.det.is_some();
        if np.to > np.core + 1 && !somebody && !many || np.to == np.core {
            return false;
        }
        !scene.setting.is_written()
            && scene.name(subject).is_none()
            && (np.core..np.to).all(|at| scene.line.tag(at) == Some(Tag::Noun))
            && scene.line.lower(np.to) != "of"
            && (somebody || !["kin", "person_noun", "ticket"].iter().any(|class| self.grammar.has_class(&noun, class)))
    }

    /// Whether in talk a head is one common noun that is neither a person nor something with a number of its own.
    pub(super) fn is_anybodys_word(&self, head: &str) -> bool {
        let plain = !head.contains(' ') && head.chars().all(char::is_lowercase) && self.setting.author() != Some(head);
        plain
            && !self.setting.is_written()
            && !["kin", "person_noun", "ticket", "animal"].iter().any(|class| self.grammar.has_class(head, class))
    }

    /// "My mother", where this text or an earlier turn of the speaker says what she is called.
    fn named_elsewhere(&self, scene: &Scene<'_, '_>, subject: usize) -> Option<String> {
        let np = scene.np(subject).filter(|np| !np.pronoun && scene.name(subject).is_none() && !scene.setting.is_written())?;
        let own = matches!(&np.owner, Some(Owner::Word(at)) if matches!(scene.line.lower(*at), "my" | "our"));
        let noun = scene.noun_phrase(np);
        if !own || super::super::morph::is_plural(&noun) || !self.grammar.has_class(&noun, "kin") {
            return None;
        }
        let author = self.setting.author()?;
        let (_, frames) = scene.noun(&noun)?;
        let relations: Vec<usize> = frames.iter().filter(|frame| frame.owner_is_head).map(|frame| frame.relation).collect();
        let names = |draft: &&Draft| {
            let relation = self.grammar.relation_named(&draft.relation);
            let named = draft.tail.starts_with(char::is_uppercase) && draft.polarity == Polarity::Holds;
            named && draft.head == author && relation.is_some_and(|relation| relations.contains(&relation))
        };
        let says = |text: &str| {
            let lower = text.to_lowercase();
            lower.contains(&noun) && ["called", "named", "name"].iter().any(|word| lower.contains(word))
        };
        let here = self.reading.drafts.iter().rev().filter(names);
        let here = here.filter(|draft| scene.text.get(draft.quote.clone()).is_some_and(says)).map(|draft| draft.tail.clone()).next();
        here.or_else(|| {
            let speaker = &self.setting.observation.speaker;
            let turn = self.setting.before.iter().rev().find(|turn| turn.speaker == *speaker && says(&turn.text))?;
            let said = self.made(&turn.text, &(0..0));
            let mut named = said.iter().filter(names);
            // Of two parents who are named there, nobody knows which.
            let first = named.next()?;
            named.next().is_none().then(|| first.tail.clone())
        })
    }

    /// "The kids", "the wife": the speaker's, in talk.
    fn own_family(&self, scene: &Scene<'_, '_>, subject: usize) -> Option<String> {
        let np = scene.np(subject).filter(|np| !np.pronoun && np.owner.is_none() && np.to == np.core + 1)?;
        let the = np.det.is_some_and(|det| scene.line.lower(det) == "the");
        let own = the && !scene.setting.is_written() && scene.name(subject).is_none() && self.setting.author().is_some();
        let noun = scene.line.phrase(np.core, np.to);
        (own && self.grammar.has_class(&noun, "kin")).then(|| format!("my {noun}"))
    }

    /// Whether a subject is all of a sort or nobody in particular: "most people here", "dentists", "the average driver", "a few of us".
    fn is_general(&self, scene: &Scene<'_, '_>, subject: usize) -> bool {
        let Some(np) = scene.np(subject).filter(|np| !np.pronoun && np.name.is_none()) else { return false };
        if scene.name(subject).is_some() {
            return false;
        }
        let noun = scene.line.phrase(np.core, np.to);
        let lower = |at: usize| scene.line.lower(at);
        let counted = np.det.is_some_and(|det| matches!(lower(det), "most" | "many" | "few" | "several" | "all" | "both" | "such" | "no"))
            || matches!(lower(np.core), "most" | "many" | "few" | "several" | "average" | "typical" | "ordinary" | "certain");
        // "My ideal partner": nobody yet.
        if matches!(lower(np.core), "ideal" | "dream" | "perfect" | "future" | "imaginary" | "fictional" | "hypothetical" | "would-be") {
            return true;
        }
        let people = ["person_noun", "job", "animal", "kin", "friend"].iter().any(|class| self.grammar.has_class(&noun, class))
            || matches!(
                noun.as_str(),
                "people" | "folk" | "folks" | "guys" | "humans" | "person" | "man" | "woman" | "guy" | "adult" | "student"
            );
        if np.owner.is_some() {
            return false;
        }
        // "Dentists recommend": many of them, and no telling which.
        let plural = np.det.is_none() && (super::super::morph::is_plural(&noun) || matches!(noun.as_str(), "people" | "folk" | "folks"));
        people && (counted || plural)
    }

    /// Whether a subject is who speaks or is spoken to.
    pub(super) fn is_first_person(scene: &Scene<'_, '_>, subject: usize) -> bool {
        scene.np(subject).is_some_and(|np| np.pronoun && matches!(scene.line.lower(np.from), "i" | "we" | "you"))
    }
}
