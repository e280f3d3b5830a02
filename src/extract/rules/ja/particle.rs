//! The particles that mark what a noun phrase is to its predicate. Knows no word that they mark.

/// A particle, or what does its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Particle {
    Ga,
    Wo,
    Ni,
    He,
    De,
    To,
    Kara,
    Made,
    Yori,
    No,
    /// As: として.
    As,
    /// By: によって.
    Through,
    /// About: について.
    About,
    /// Named: という.
    Named,
    /// や, とか, および: another one follows.
    Also,
    /// か between nouns: one of them.
    Or,
    /// The topic alone: は, って, なら.
    Topic,
    /// も alone.
    Too,
    /// しか: nothing but.
    Only,
    /// No particle at all.
    Bare,
}

/// Every particle as it is written, whether it makes a topic, and what it marks.
const TABLE: &[(&str, bool, Particle)] = &[
    ("は", true, Particle::Topic),
    ("って", true, Particle::Topic),
    ("が", false, Particle::Ga),
    ("を", false, Particle::Wo),
    ("に", false, Particle::Ni),
    ("には", true, Particle::Ni),
    ("にも", false, Particle::Ni),
    ("にて", false, Particle::De),
    ("へ", false, Particle::He),
    ("へは", true, Particle::He),
    ("で", false, Particle::De),
    ("では", true, Particle::De),
    ("でも", false, Particle::De),
    ("じゃ", true, Particle::De),
    ("でしか", false, Particle::De),
    ("と", false, Particle::To),
    ("とは", true, Particle::To),
    ("とも", false, Particle::To),
    ("と一緒に", false, Particle::To),
    ("といっしょに", false, Particle::To),
    ("とともに", false, Particle::To),
    ("から", false, Particle::Kara),
    ("からは", false, Particle::Kara),
    ("まで", false, Particle::Made),
    ("までは", false, Particle::Made),
    ("までに", false, Particle::Made),
    ("より", false, Particle::Yori),
    ("よりも", false, Particle::Yori),
    ("よりは", false, Particle::Yori),
    ("の", false, Particle::No),
    ("との", false, Particle::No),
    ("での", false, Particle::No),
    ("への", false, Particle::No),
    ("からの", false, Particle::Kara),
    ("として", false, Particle::As),
    ("としては", true, Particle::As),
    ("としての", false, Particle::As),
    ("によって", false, Particle::Through),
    ("により", false, Particle::Through),
    ("をもって", false, Particle::De),
    ("を以て", false, Particle::De),
    ("をもちまして", false, Particle::De),
    ("による", false, Particle::Through),
    ("について", false, Particle::About),
    ("に関して", false, Particle::About),
    ("に関する", false, Particle::About),
    ("に対して", false, Particle::Ni),
    ("に対する", false, Particle::Ni),
    ("において", false, Particle::De),
    ("における", false, Particle::De),
    ("という", false, Particle::Named),
    ("っていう", false, Particle::Named),
    ("といった", false, Particle::Named),
    ("と呼ばれる", false, Particle::Named),
    ("や", false, Particle::Also),
    ("とか", false, Particle::Also),
    ("および", false, Particle::Also),
    ("及び", false, Particle::Also),
    ("ならびに", false, Particle::Also),
    ("か", false, Particle::Or),
    ("または", false, Particle::Or),
    ("も", false, Particle::Too),
    ("しか", false, Particle::Only),
    ("だけは", true, Particle::Topic),
    ("だけが", false, Particle::Ga),
    ("だけを", false, Particle::Wo),
    ("などは", true, Particle::Topic),
    ("などが", false, Particle::Ga),
    ("などを", false, Particle::Wo),
    ("などの", false, Particle::No),
    ("なども", false, Particle::Too),
    ("のことが", false, Particle::Ga),
    ("のことを", false, Particle::Wo),
    ("のことは", true, Particle::Topic),
];

impl Particle {
    /// What a particle of a frame marks.
    pub(super) fn of(written: &str) -> Option<Self> {
        if written.is_empty() {
            return Some(Self::Bare);
        }
        TABLE.iter().find(|(letters, ..)| *letters == written).map(|(.., particle)| *particle)
    }

    /// The ways in which a particle is written.
    pub(super) fn written(self) -> impl Iterator<Item = &'static str> {
        TABLE.iter().filter(move |(.., particle)| *particle == self).map(|(letters, ..)| *letters)
    }

    /// A word and the particle it ends in.
    pub(super) fn strip(written: &str) -> (&str, Option<Self>) {
        let longest = TABLE.iter().filter(|(letters, ..)| written.ends_with(letters)).max_by_key(|(letters, ..)| letters.len());
        match longest.and_then(|(letters, _, particle)| Some((written.strip_suffix(letters)?, *particle))) {
            Some((word, particle)) if !word.is_empty() => (word, Some(particle)),
            _ => (written, None),
        }
    }

    /// The particle that a text begins with: its bytes, whether it makes a topic, and what it marks; each that fits, the longest last.
    pub(super) fn at(text: &str) -> impl Iterator<Item = (usize, bool, Self)> {
        TABLE.iter().filter(|(letters, ..)| text.starts_with(letters)).map(|(letters, topic, particle)| (letters.len(), *topic, *particle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_particle_is_stripped() {
        assert_eq!(Particle::strip("机から"), ("机", Some(Particle::Kara)));
        assert_eq!(Particle::strip("机"), ("机", None));
        assert_eq!(Particle::strip("から"), ("から", None));
        assert_eq!(Particle::at("には家").map(|(bytes, ..)| bytes).max(), Some("には".len()));
    }
}
