//! Whether two names may be of one thing, and why. Knows no store.

use super::distance::edits;
use super::evidence::{Evidence, Sign};
use super::lexicon::{Lexicon, Title};
use super::name::{Name, Word};

/// The least letters of a word that can be a slip of another; of scripts with more letters to tell words apart by, more.
const SHORTEST_SLIP: usize = 5;
/// The same of scripts that are not Latin.
const SHORTEST_OTHER_SLIP: usize = 6;
/// From so many letters on, two slips are allowed.
const LONG_WORD: usize = 9;
/// A longer word is compared as it is: nobody writes such a name.
const LONGEST_BYTES: usize = 128;

/// Compares two names of which nothing else is known; `None` if they are of different things, as far as names can say.
///
/// Symmetric, but for which of them is called the mention. A substring is no evidence; names with different numbers ("Bay 17" and
/// "Bay 18"), with titles of different sex, or with different known given names never match.
///
/// ```
/// use erstwhile::resolve::compare_names;
/// let score = |a, b| compare_names(a, b).map(|evidence| evidence.score);
/// assert_eq!(score("Bay 17", "Bay 18"), None);
/// assert_eq!(score("Mara", "Samara"), None);
/// assert!(score("Dr Ana Lima", "Lima, Ana") > score("A. Lima", "Ana Lima"));
/// ```
#[must_use]
pub fn compare_names(mention: &str, name: &str) -> Option<Evidence> {
    signs(&Name::read(mention), &Name::read(name), true).map(|signs| Evidence::new(mention, name, signs))
}

/// What two names have in common; `None` if they are of different things. Symmetric. What only people have (initials, nicknames, parts
/// of names) counts only where `person` says that both may be people.
pub(super) fn signs(one: &Name, two: &Name, person: bool) -> Option<Vec<Sign>> {
    if one.identity == two.identity {
        return Some(vec![Sign::Identical]);
    }
    let sex = |name: &Name, sex: Title| name.titles.iter().any(|(_, title)| *title == sex);
    let sexes_differ = (sex(one, Title::Male) && sex(two, Title::Female)) || (sex(one, Title::Female) && sex(two, Title::Male));
    let generations_differ = one.generation.is_some() && two.generation.is_some() && one.generation != two.generation;
    if one.numbers != two.numbers || sexes_differ || generations_differ || one.words.is_empty() || two.words.is_empty() {
        return None;
    }
    let mut signs = affixes(one, two);
    let rest = if one.unspaced || two.unspaced { unspaced(one, two, person)? } else { spaced(one, two, person)? };
    signs.extend(rest);
    if signs.is_empty() {
        signs.push(Sign::Punctuation);
    }
    Some(signs)
}

/// What differs around the words.
fn affixes(one: &Name, two: &Name) -> Vec<Sign> {
    let mut signs = Vec::new();
    if one.titles != two.titles {
        // Before a single name it says little: there are many of that name.
        let alone = one.words.len() == 1 && two.words.len() == 1 && !one.unspaced;
        signs.push(if alone { Sign::LoneTitle } else { Sign::Title });
    }
    if one.honorific != two.honorific {
        signs.push(Sign::Honorific);
    }
    if one.generation != two.generation {
        signs.push(Sign::Generation);
    }
    if one.article != two.article {
        signs.push(Sign::Article);
    }
    if one.comma != two.comma {
        signs.push(Sign::Comma);
    }
    if one.legal != two.legal {
        signs.push(if one.legal.is_empty() || two.legal.is_empty() { Sign::LegalForm } else { Sign::OtherLegalForm });
    }
    signs
}

/// Names of scripts written without gaps: no slips but in long words of letters, no initials, no nicknames.
fn unspaced(one: &Name, two: &Name, person: bool) -> Option<Vec<Sign>> {
    if same_letters(one, two, Word::plain) {
        return Some(Vec::new());
    }
    let (left, right) = (one.compact(), two.compact());
    if let ([a, b], [c, d]) = (one.words.as_slice(), two.words.as_slice())
        && (a.text(), b.text()) == (d.text(), c.text())
        && !one.split
        && !two.split
    {
        return Some(vec![Sign::Order]);
    }
    if person && part(one, two) {
        return Some(vec![Sign::Part]);
    }
    let is_kana = |text: &str| text.chars().all(|c| matches!(c, '\u{3040}'..='\u{30ff}'));
    if one.words.len() == 1 && two.words.len() == 1 && is_kana(&left) && is_kana(&right) {
        return slip(&left, &right, false).map(|edits| vec![Sign::Spelling(edits)]);
    }
    None
}

/// Whether two names are the same but for the gaps between their words.
fn same_letters(one: &Name, two: &Name, of: impl Fn(&Word) -> &str) -> bool {
    one.words.iter().flat_map(|word| of(word).chars()).eq(two.words.iter().flat_map(|word| of(word).chars()))
}

fn spaced(one: &Name, two: &Name, person: bool) -> Option<Vec<Sign>> {
    if one.words.iter().map(Word::text).eq(two.words.iter().map(Word::text)) {
        return Some(Vec::new());
    }
    if same_letters(one, two, Word::text) {
        return Some(vec![Sign::Gaps]);
    }
    if same_letters(one, two, Word::plain) {
        let same_gaps = one.words.iter().map(Word::plain).eq(two.words.iter().map(Word::plain));
        return Some(if same_gaps { vec![Sign::Accents] } else { vec![Sign::Accents, Sign::Gaps] });
    }
    if is_acronym_of(one, two) || is_acronym_of(two, one) {
        return Some(vec![Sign::Acronym]);
    }
    let personal = person && (one.is_personal() || two.is_personal());
    if one.words.len() == 1 || two.words.len() == 1 {
        return lone(one, two, personal);
    }
    let (left, right): (Vec<&Word>, Vec<&Word>) = (one.words.iter().collect(), two.words.iter().collect());
    if let Some(signs) = aligned(&left, &right, personal) {
        return Some(signs);
    }
    // The family name first or last: each is turned to stand as the other does, since only the last word is no given name.
    let mut best: Option<(f64, Vec<Sign>)> = None;
    for (turning, other) in [(&left, &right), (&right, &left)] {
        for by in [1, turning.len() - 1] {
            let mut turned = turning.clone();
            turned.rotate_left(by);
            let Some(mut signs) = aligned(&turned, other, personal) else { continue };
            signs.push(Sign::Order);
            signs.sort();
            let score: f64 = signs.iter().map(Sign::score).product();
            if best.as_ref().is_none_or(|(best, known)| score.total_cmp(best).then_with(|| known.cmp(&signs)).is_gt()) {
                best = Some((score, signs));
            }
        }
    }
    best.map(|(_, signs)| signs)
}

/// Whether one is a single word that is the first or the last of the other's, where something says that they are people.
fn part(one: &Name, two: &Name) -> bool {
    let (shorter, longer) = if one.words.len() <= two.words.len() { (one, two) } else { (two, one) };
    let ([word], [first, .., last]) = (shorter.words.as_slice(), longer.words.as_slice()) else { return false };
    (one.is_personal() || two.is_personal()) && (word.plain() == first.plain() || word.plain() == last.plain())
}

/// At least one name of a single word.
fn lone(one: &Name, two: &Name, personal: bool) -> Option<Vec<Sign>> {
    let (shorter, longer) = if one.words.len() <= two.words.len() { (one, two) } else { (two, one) };
    let [word] = shorter.words.as_slice() else { return None };
    if let [other] = longer.words.as_slice() {
        return related(word, other, true, personal).map(|sign| sign.into_iter().collect());
    }
    if !personal {
        return None;
    }
    if part(one, two) {
        return Some(vec![Sign::Part]);
    }
    let first = longer.words.first()?;
    let nickname = nickname(word, first)?;
    Some(vec![Sign::Part, nickname])
}

/// Whether a word in capitals is the first letters of the other's words.
fn is_acronym_of(short: &Name, long: &Name) -> bool {
    let [word] = short.words.as_slice() else { return false };
    short.acronym && long.words.len() > 2 && acronym(long).is_some_and(|letters| letters == word.plain())
}

/// The first letters of three to six words; small words ("of") are left out.
pub(super) fn acronym(name: &Name) -> Option<String> {
    let main = name.words.iter().map(Word::plain).filter(|word| !matches!(*word, "of" | "and" | "the" | "for" | "de" | "in"));
    let letters: String = main.filter_map(|word| word.chars().next()).collect();
    (3..=6).contains(&letters.chars().count()).then_some(letters)
}

/// Word by word: the first and the last with each other, those between in order; a person's may be left out.
fn aligned(one: &[&Word], two: &[&Word], personal: bool) -> Option<Vec<Sign>> {
    let (shorter, longer) = if one.len() <= two.len() { (one, two) } else { (two, one) };
    let ([first, between @ .., last], [long_first, long_between @ .., long_last]) = (shorter, longer) else { return None };
    if shorter.len() != longer.len() && !personal {
        return None;
    }
    let mut signs: Vec<Sign> = Vec::new();
    let mut equal = 0;
    let mut take = |sign: Option<Sign>, word: &Word| match sign {
        Some(sign) => signs.push(sign),
        None => equal += usize::from(word.initial().is_none()),
    };
    take(related(first, long_first, true, personal)?, first);
    let mut rest = long_between.iter();
    let mut omitted = 0;
    for word in between {
        loop {
            let other = rest.next()?;
            if let Some(sign) = related(word, other, true, personal) {
                take(sign, word);
                break;
            }
            if !personal {
                return None;
            }
            omitted += 1;
        }
    }
    omitted += rest.len();
    take(related(last, long_last, false, personal)?, last);
    if omitted > 0 {
        if longer.len() - shorter.len() != omitted {
            return None;
        }
        signs.push(Sign::Omitted);
    }
    // One slip, and not beside an initial: something has to be sure.
    let slips = signs.iter().filter(|sign| matches!(sign, Sign::Spelling(_))).count();
    let initials = signs.iter().filter(|sign| matches!(sign, Sign::Initial)).count();
    let sure = equal > 0 || signs.iter().any(|sign| matches!(sign, Sign::Accents));
    (sure && slips <= 1 && (slips == 0 || initials == 0)).then_some(signs)
}

/// Whether two words may stand for each other; `Some(None)` if they are the same.
#[expect(clippy::option_option, reason = "no match, a match that needs no sign, a match with one")]
fn related(one: &Word, two: &Word, given: bool, personal: bool) -> Option<Option<Sign>> {
    if one.text() == two.text() {
        return Some(None);
    }
    if one.plain() == two.plain() {
        return Some(Some(Sign::Accents));
    }
    if given && personal {
        let initial = |short: &Word, long: &Word| short.initial().is_some_and(|letter| long.plain().starts_with(letter));
        if initial(one, two) || initial(two, one) {
            return Some(Some(Sign::Initial));
        }
        if let Some(nickname) = nickname(one, two) {
            return Some(Some(nickname));
        }
    }
    slip(one.plain(), two.plain(), given).map(|edits| Some(Sign::Spelling(edits)))
}

fn nickname(one: &Word, two: &Word) -> Option<Sign> {
    let (one, two) = (one.plain().min(two.plain()), one.plain().max(two.plain()));
    Lexicon::shipped().related(one, two).then(|| Sign::Nickname(one.to_owned(), two.to_owned()))
}

/// Whether one word is a slip of the pen for the other, and by how many edits.
///
/// Words shorter than five letters, other first letters, endings ("Mario" and "Maria"), and a word inside the other are no slips;
/// neither are two known given names. Of given names that nobody knows only a swap or a doubled letter is one: anything else may be
/// another name.
fn slip(one: &str, two: &str, given: bool) -> Option<usize> {
    // First what costs nothing: most words differ in their first two letters or in length.
    let starts = |word: &str| word.chars().next();
    let second = |word: &str| word.chars().nth(1);
    let begins = starts(one) == starts(two) || (starts(one) == second(two) && second(one) == starts(two));
    if one.len().max(two.len()) > LONGEST_BYTES || one.len().abs_diff(two.len()) > 8 || !begins {
        return None;
    }
    let (left, right): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let (shorter, longer) = if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
    let least = if one.is_ascii() && two.is_ascii() { SHORTEST_SLIP } else { SHORTEST_OTHER_SLIP };
    let letters = |word: &[char]| word.iter().all(|c| c.is_alphabetic() || *c == 'ー');
    if shorter.len() < least || !letters(shorter) || !letters(longer) {
        return None;
    }
    let most = if shorter.len() >= LONG_WORD { 2 } else { 1 };
    let edits = edits(&left, &right, most)?;
    let kind = Slip::between(shorter, longer);
    let lexicon = Lexicon::shipped();
    let (one_known, two_known) = (lexicon.is_given(one), lexicon.is_given(two));
    if one_known && two_known {
        return None;
    }
    let allowed = match kind {
        Slip::Swap | Slip::Doubled => true,
        Slip::Ending | Slip::Beginning => false,
        Slip::Inside => !given || one_known || two_known,
    };
    allowed.then_some(edits)
}

/// Where two words differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// Two neighbouring letters are swapped.
    Swap,
    /// One has a letter twice.
    Doubled,
    /// In the first letter, or one is the end of the other.
    Beginning,
    /// In the last letter, or one is the beginning of the other.
    Ending,
    /// Elsewhere.
    Inside,
}

impl Slip {
    fn between(shorter: &[char], longer: &[char]) -> Self {
        let same = shorter.iter().zip(longer).take_while(|(a, b)| a == b).count();
        let same_end = shorter.iter().rev().zip(longer.iter().rev()).take_while(|(a, b)| a == b).count();
        if shorter.len() == longer.len()
            && same + same_end + 2 == shorter.len()
            && let (Some([a, b]), Some([c, d])) = (shorter.get(same..same + 2), longer.get(same..same + 2))
            && (a, b) == (d, c)
        {
            return Self::Swap;
        }
        if longer.len() == shorter.len() + 1
            && same + same_end >= shorter.len()
            && let Some(extra) = longer.get(same)
            && same.checked_sub(1).and_then(|before| longer.get(before)) == Some(extra)
        {
            return Self::Doubled;
        }
        if same == 0 || same_end == shorter.len() {
            Self::Beginning
        } else if same + 1 >= longer.len() || same == shorter.len() {
            Self::Ending
        } else {
            Self::Inside
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The signs, as text; both ways round.
    fn of(one: &str, two: &str) -> Option<String> {
        let show = |evidence: Evidence| evidence.signs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let there = compare_names(one, two).map(show);
        assert_eq!(there, compare_names(two, one).map(show), "{one} {two}: the same the other way round");
        there
    }

    fn same(one: &str, two: &str, signs: &str) {
        assert_eq!(of(one, two).as_deref(), Some(signs), "{one} and {two}");
    }

    fn apart(one: &str, two: &str) {
        assert_eq!(of(one, two), None, "{one} and {two}");
    }

    #[test]
    fn spelling_of_the_same_words() {
        same("ОЛЬГА", "Ольга", "same name");
        same("O'Hara", "O’Hara", "punctuation");
        same("Ana-Sofia Lima", "Ana Sofia Lima", "punctuation");
        same("Brightloom", "Bright Loom", "gaps");
        same("Zofie Dvorak", "Žofie Dvořák", "accents");
        same("ジョン・ハート", "ジョンハート", "punctuation");
        same("田中 太郎", "田中太郎", "punctuation");
    }

    #[test]
    fn what_stands_around_a_name() {
        same("Dr. Ana Lima", "Ana Lima", "title");
        same("Ana Lima, PhD", "Ana Lima", "punctuation");
        same("田中さん", "田中", "honorific");
        same("田中太郎様", "田中 太郎", "honorific");
        same("Tanaka-san", "Tanaka", "honorific");
        same("Quellmark Ltd.", "Quellmark", "legal form");
        same("Quellmark Limited", "Quellmark Ltd", "punctuation");
        same("Quellmark GmbH", "Quellmark Inc.", "other legal form");
        same("株式会社ひばり", "ひばり", "legal form");
        same("The Heron Works", "Heron Works", "article");
        same("Otto Brandt Jr.", "Otto Brandt", "generation");
        apart("Otto Brandt Jr.", "Otto Brandt Sr.");
        apart("Mr Brandt", "Mrs Brandt");
    }

    #[test]
    fn orders_initials_and_nicknames() {
        same("Lima, Ana", "Ana Lima", "family name first");
        same("Lima Ana", "Ana Lima", "order of words");
        same("太郎 田中", "田中 太郎", "order of words");
        same("A. Lima", "Ana Lima", "initial");
        same("Lima, A.", "Ana Lima", "family name first, initial");
        same("J. R. Hale", "John Robert Hale", "initial");
        same("Bob Hale", "Robert Hale", "nickname (bob, robert)");
        same("Bob Hale", "Rob Hale", "nickname (bob, rob)");
        same("Маша Чайкина", "Мария Чайкина", "nickname (мария, маша)");
        same("Ольга Чайкина", "Ольга Петровна Чайкина", "middle name left out");
        same("Robert Hale", "Robert J. Hale", "middle name left out");
        same("Dr Hale", "Robert Hale", "title, part of the name");
        same("Bob", "Robert Hale", "nickname (bob, robert), part of the name");
        same("WBO", "World Badger Organization", "first letters");
        apart("B. Lima", "Ana Lima");
        apart("Robert A. Hale", "Robert B. Hale");
        apart("Robert Hale", "Richard Hale");
        apart("Robert", "Hale Robertson");
    }

    #[test]
    fn slips_of_the_pen() {
        same("Globxe", "Globex", "spelling (1)");
        same("Robert Okaofr", "Robert Okafor", "spelling (1)");
        same("Jonathn Hale", "Jonathan Hale", "spelling (1)");
        same("Brightlom Works", "Brightloom Works", "spelling (1)");
        same("オートメイション", "オートメーション", "spelling (1)");
    }

    #[test]
    fn what_is_merely_similar_stays_apart() {
        apart("Bay 17", "Bay 18");
        apart("Bay 17", "Bay");
        apart("v1.2", "v1.3");
        apart("Release 1.2", "Release 12");
        apart("Apollo XI", "Apollo XII");
        apart("Mara", "Samara");
        apart("Amaryllis", "Maryllis");
        apart("Maria Lopez", "Mario Lopez");
        apart("Daniel Stone", "Daniela Stone");
        apart("Marta Reed", "Marla Reed");
        apart("Xiaomin Wang", "Xiaoming Wang");
        apart("王芳", "王方");
        apart("田中", "田口");
        apart("北村さん", "北川さん");
        apart("C", "C++");
        apart("Team A", "Team B");
        apart("Heron", "Herons");
        apart("North Bridge", "South Bridge");
        apart("Ana", "Anatol");
        apart("New York Times", "New Times");
    }

    #[test]
    fn a_long_text_is_read_and_compared_in_time_that_grows_as_it_does() {
        for word in ["san ", "jr ", "dr ", "株式会社", "a,", "é", "x", "ii "] {
            let text = word.repeat(4_000);
            let other = format!("{text}y");
            let score = |one: &str, two: &str| compare_names(one, two).map(|found| found.score);
            assert_eq!(score(&text, &other), score(&other, &text), "{word:?}");
        }
    }

    proptest! {
        #[test]
        fn scores_are_symmetric_and_within_bounds(
            one in "(Dr |Mrs )?[A-Za-zé]{1,7}[ ,.-]{0,2}[A-Za-z]{0,7}( Jr| 17)?|[田中林太郎さん王芳ー]{1,6}",
            two in "(Dr |Mr )?[A-Za-zé]{1,7}[ ,.-]{0,2}[A-Za-z]{0,7}( Sr| 17| Ltd)?|[田中林太郎さん王芳ー]{1,6}",
        ) {
            let (there, back) = (compare_names(&one, &two), compare_names(&two, &one));
            prop_assert_eq!(there.as_ref().map(|found| found.score), back.as_ref().map(|found| found.score));
            prop_assert_eq!(there.as_ref().map(|found| &found.signs), back.as_ref().map(|found| &found.signs));
            prop_assert!(there.is_none_or(|found| found.score > 0.0 && found.score <= 1.0));
            prop_assert_eq!(compare_names(&one, &one).map(|found| found.signs), Some(vec![Sign::Identical]));
        }

        #[test]
        fn related_words_score_the_same_both_ways(
            first in "(bob|robert|rob|r|jonathan|jonathn|maria)", last in "(hale|okafor|okaofr|lima)",
            other in "(bob|robert|rob|r|jonathan|jonathn|maria)", end in "(hale|okafor|okaofr|lima)", turned in any::<bool>(), middle in "( x| xavier)?",
        ) {
            let one = format!("{first}{middle} {last}");
            let two = if turned { format!("{end} {other}") } else { format!("{other} {end}") };
            let score = |one: &str, two: &str| compare_names(one, two).map(|found| found.score);
            prop_assert_eq!(score(&one, &two), score(&two, &one));
        }

        #[test]
        fn no_text_breaks_it(one in "\\PC{0,20}", two in "\\PC{0,20}") {
            let score = |one: &str, two: &str| compare_names(one, two).map(|found| found.score);
            prop_assert_eq!(score(&one, &two), score(&two, &one));
        }
    }
}
