//! Which words carry no content, and whether a text is English.
//!
//! Owns the list of function words. Knows no grammar.

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// English words of grammar, of asking and of small talk: as query words they match everything and say nothing.
const FUNCTION: &str = "a an the and or but if of to in on at for from with by as is are was were be been being am has have had having \
do does did doing done will would can could should shall may might must i me my mine myself you your yours yourself he him his himself \
she her hers herself it its itself we us our ours ourselves they them their theirs themselves this that these those who whom whose what \
which when where why how there here not no nor so than too very just about into onto also any some such out up down over then s t ll re \
ve d m don isn didn doesn wasn aren weren hasn haven hadn won wouldn couldn shouldn ca wo ain because while until upon per via oh yes yeah \
ok okay well please hey hi hello thanks wow really ever during after before both more most other others else get gets got getting gotten \
let lets much many lot lots thing things something anything everything someone anyone everyone one ones say says said saying tell told \
mention mentioned mentions kind kinds type types sort sorts way ways like likely might's dear still now";

/// Those that tell an English text from one in another language of the same letters.
const TELLING: &str = "the and of to is are was were my your his her their our with for from this that have has had it she they we you i not \
what when where who why how does did do will would about at be been an";

static FUNCTION_WORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| FUNCTION.split(' ').collect());
static TELLING_WORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| TELLING.split(' ').collect());

/// Whether a folded word is one of grammar in English.
pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.contains(word)
}

/// Counts what tells whether a text is English.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    words: u32,
    telling: u32,
    foreign: u32,
}

impl Tally {
    /// Takes a folded word into account.
    pub(super) fn see(&mut self, word: &str) {
        self.words += 1;
        self.telling += u32::from(TELLING_WORDS.contains(word));
        self.foreign += u32::from(!word.is_ascii());
    }

    /// Whether words also count by their beginnings: the text is of a language that English stemming does not serve.
    ///
    /// One word alone tells nothing; a name with an accent in an English sentence tells less than the sentence.
    pub(super) const fn is_other(self) -> bool {
        let telling = self.telling * 6;
        (self.foreign > 0 && telling < self.words) || (self.words >= 3 && self.telling == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_told_from_other_languages() {
        let is_other = |text: &str| {
            let mut tally = Tally::default();
            text.split(' ').for_each(|word| tally.see(word));
            tally.is_other()
        };
        for english in ["where does ana live", "žofie moved to brno with her dog", "oslo", "ana lima"] {
            assert!(!is_other(english), "{english}");
        }
        for other in ["missä liisa asuu", "liisa asuu nyt turussa", "wo wohnt ana jetzt", "где живёт ольга"] {
            assert!(is_other(other), "{other}");
        }
    }
}
