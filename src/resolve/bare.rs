//! A name without what courtesy and custom put around it, as far as the name alone says so. Knows no other name and no store.

use super::evidence::{Evidence, Sign};
use super::identity;
use super::lexicon::{Lexicon, Title};
use super::name::{is_unspaced, without_accents};
use crate::model::{TermRef, is_invisible};
use unicode_normalization::UnicodeNormalization;

/// A longer text is no name of a person.
const LONGEST: usize = 160;
/// The most words of a given name, and of a family name.
const MOST_WORDS: usize = 3;
/// The most letters of a Japanese or Chinese name written without a gap.
const MOST_LETTERS: usize = 6;
/// Something may stand around what stands around a name, but not for ever.
const MOST_STEPS: usize = 4;

/// The name that a mention is of, where it differs from it by nothing but what the mention itself tells to be no part of the name: a
/// title before two names ("Dr. Ana Lima"), a degree behind them, "Last, First" where it is clear which is which, an honorific that is
/// courtesy alone (さん, 様, 氏, "-san"), a gap in a Japanese, Chinese or Korean name, and the family name behind the given one there.
/// `None` where the mention is that name already, or does not say.
///
/// `person` says that the mention is of a person, as what is said with it tells (who has an employer is one); more is clear then. It makes
/// no difference to what the name is: the result without it is the result with it, or none.
///
/// This is the only thing besides spelling that one may merge by unasked. Since it looks at one name alone, it does not depend on what is
/// known, and so not on the order in which it became known. What takes a second name (an initial, a nickname, a misspelling, a part of a
/// name) is only ever proposed: see [`resolve`](super::resolve). So are titles that say "he" or "she" ("Mrs John Hale" need not be John
/// Hale), a title before a single name, legal forms, and honorifics that say what somebody is (部長, 先生).
///
/// ```
/// use erstwhile::resolve::bare_name;
/// let bare = |mention, person| bare_name(mention, person).map(|evidence| evidence.name);
/// assert_eq!(bare("田中さん", false).as_deref(), Some("田中"));
/// assert_eq!(bare("Prof. Dr. Ana Lima", false).as_deref(), Some("Ana Lima"));
/// assert_eq!(bare("Lima, Ana", true).as_deref(), Some("Ana Lima"));
/// assert_eq!(bare("太郎 田中", true).as_deref(), Some("田中太郎"));
/// assert_eq!(bare("Dr Hale", true), None); // There may be several.
/// assert_eq!(bare("お客さん", true), None); // No name.
/// assert_eq!(bare_name("田中さん", false).map(|evidence| evidence.to_string()).as_deref(), Some("\"田中さん\" for \"田中\": honorific; score 0.98"));
/// ```
///
/// # Complexity
/// Linear in the length of the mention.
#[must_use]
pub fn bare_name(mention: &str, person: bool) -> Option<Evidence> {
    if mention.len() > LONGEST {
        return None;
    }
    let visible: String = mention.nfkc().filter(|c| !is_invisible(*c)).collect();
    let mut at = Step { name: visible.split_whitespace().collect::<Vec<_>>().join(" "), personal: person };
    let mut signs = Vec::new();
    for _ in 0..MOST_STEPS {
        let next = if at.name.chars().any(is_unspaced) { unspaced(&at, &mut signs) } else { spaced(&at, &mut signs) };
        match next {
            Some(next) if next.name != at.name => at = next,
            _ => break,
        }
    }
    let of = |name: &str| {
        let mut own = String::new();
        identity(TermRef::Name(name), &mut own);
        own
    };
    (!signs.is_empty() && of(mention) != of(&at.name)).then(|| Evidence::new(mention, &at.name, signs))
}

/// What is left of a mention.
struct Step {
    name: String,
    /// Whether something says that it is of a person.
    personal: bool,
}

fn folded(word: &str) -> String {
    word.trim_end_matches('.').to_lowercase()
}

fn is_given(word: &str) -> bool {
    Lexicon::shipped().is_given(&without_accents(&word.to_lowercase()))
}

fn is_initial(word: &str) -> bool {
    let mut letters = word.trim_end_matches('.').chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

/// Whether a word is a degree; `surely` leaves out those that are names too ("Ma").
fn is_degree(word: &str, surely: bool) -> bool {
    let word = folded(word);
    let joined: String = word.chars().filter(|c| *c != '.').collect();
    [&word, &joined].into_iter().any(|word| Lexicon::shipped().is_degree(word, !surely))
}

/// Of a script with gaps between words.
fn spaced(at: &Step, signs: &mut Vec<Sign>) -> Option<Step> {
    if at.name.chars().any(char::is_numeric) {
        return None;
    }
    let mut personal = at.personal;
    let mut pieces: Vec<Vec<&str>> = at.name.split(',').map(|piece| piece.split_whitespace().collect()).collect();
    if pieces.iter().any(Vec::is_empty) {
        return None;
    }
    let mut found = Vec::new();
    while pieces.len() > 1
        && let Some(last) = pieces.last()
        && last.iter().all(|word| is_degree(word, false))
    {
        personal |= last.iter().all(|word| is_degree(word, true));
        pieces.pop();
        found.push(Sign::Punctuation);
    }
    if let [only] = pieces.as_mut_slice() {
        while only.len() > 2 && only.last().is_some_and(|word| is_degree(word, true)) {
            only.pop();
            personal = true;
            found.push(Sign::Punctuation);
        }
    }
    let is_title = |word: &&&str| Lexicon::shipped().title(&folded(word)) == Some(Title::Any);
    let titles = pieces.first().map_or(0, |piece| piece.iter().take_while(is_title).count());
    let names = pieces.iter().map(Vec::len).sum::<usize>().checked_sub(titles)?;
    let first = pieces.first_mut()?;
    if titles > 0 && names > 1 && titles < first.len() {
        first.drain(..titles);
        found.push(Sign::Title);
        let given = if pieces.len() == 2 { pieces.last() } else { pieces.first() };
        personal |= given.and_then(|given| given.first()).is_some_and(|given| is_given(given));
    }
    let mut words = match pieces.as_slice() {
        [words] => words.clone(),
        [family, given] => {
            let short = |words: &[&str]| words.len() <= MOST_WORDS;
            let is_first = given.first().is_some_and(|word| is_given(word) || is_initial(word));
            let is_last = family.last().is_some_and(|word| !is_given(word) && !is_initial(word));
            if !(short(family) && short(given) && is_first && is_last) {
                return None;
            }
            found.push(Sign::Comma);
            [given.as_slice(), family.as_slice()].concat()
        }
        _ => return None,
    };
    if let Some(stem) = without_romanised(&words) {
        let is_hyphenated = words.pop().is_some_and(|last| last.contains('-'));
        if is_hyphenated {
            words.push(stem);
        }
        personal = true;
        found.push(Sign::Honorific);
    }
    if !personal || found.is_empty() {
        return None;
    }
    signs.extend(found);
    Some(Step { name: words.join(" "), personal })
}

/// The last word of "Tanaka-san" and "Yuki Tanaka-san", or of "Tanaka san", without the honorific. What may be the end of a Korean given
/// name ("Ji-san") is none.
fn without_romanised<'w>(words: &[&'w str]) -> Option<&'w str> {
    let is_courtesy = |word: &str| matches!(word, "san" | "sama");
    let is_name = |word: &str, least: usize| word.chars().count() >= least && word.starts_with(char::is_uppercase);
    match words {
        [before @ .., name, last] if before.is_empty() && is_courtesy(last) && is_name(name, 3) => Some(name),
        [before @ .., last] => {
            let (stem, end) = last.rsplit_once('-')?;
            (is_courtesy(end) && is_name(stem, if before.is_empty() { 3 } else { 4 })).then_some(stem)
        }
        [] => None,
    }
}

fn is_katakana(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '\u{30a0}'..='\u{30ff}'))
}

/// Of a script without gaps, or with gaps that mean little.
fn unspaced(at: &Step, signs: &mut Vec<Sign>) -> Option<Step> {
    let lexicon = Lexicon::shipped();
    let mut personal = at.personal;
    let mut found = Vec::new();
    let mut name = at.name.as_str();
    if let Some((rest, courtesy)) = lexicon.split_courtesy(name)
        && is_addressed(rest.trim_end(), courtesy, at.personal)
    {
        name = rest.trim_end();
        personal = true;
        found.push(Sign::Honorific);
    }
    let parts: Vec<&str> = name.split([' ', '・', '=']).filter(|part| !part.is_empty()).collect();
    let told = |part: &&str| !part.is_empty() && part.chars().all(is_unspaced);
    let name = match parts.as_slice() {
        parts if parts.len() > 1 && parts.iter().all(|part| is_katakana(part)) => {
            if personal && name.contains([' ', '=']) {
                found.push(Sign::Punctuation);
                parts.join("・")
            } else {
                name.to_owned()
            }
        }
        [family, given] if told(family) && told(given) && lexicon.is_family(family) => {
            found.push(Sign::Punctuation);
            format!("{family}{given}")
        }
        [given, family] if personal && told(family) && told(given) && lexicon.is_family(family) => {
            found.push(Sign::Order);
            format!("{family}{given}")
        }
        _ => name.to_owned(),
    };
    if found.is_empty() {
        return None;
    }
    signs.extend(found);
    Some(Step { name, personal })
}

/// Whether what stands before a courtesy is somebody's name.
fn is_addressed(name: &str, courtesy: &str, person: bool) -> bool {
    let lexicon = Lexicon::shipped();
    let letters = name.chars().filter(|c| !c.is_whitespace()).count();
    if letters == 0 || lexicon.is_no_name(name) || name.starts_with(['お', 'ご', '御']) {
        return false;
    }
    let is_split = || letters <= MOST_LETTERS && lexicon.split_family(name).is_some();
    if courtesy == "씨" {
        return letters > 2 && (person || is_split());
    }
    if letters == 1 {
        return lexicon.is_family(name) && matches!(courtesy, "さん" | "氏");
    }
    let clear = lexicon.is_family(name) || is_split() || is_katakana(name) || !name.chars().any(is_unspaced) || name.contains([' ', '・']);
    clear || person
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::compare_names;
    use proptest::prelude::*;

    fn bare(mention: &str, person: bool) -> Option<String> {
        bare_name(mention, person).map(|evidence| evidence.name)
    }

    /// What is clear from the mention alone.
    fn clear(mention: &str, expect: &str) {
        assert_eq!(bare(mention, false).as_deref(), Some(expect), "{mention}");
        assert_eq!(bare(mention, true).as_deref(), Some(expect), "{mention} of a person");
    }

    /// What is clear of a person only.
    fn of_a_person(mention: &str, expect: &str) {
        assert_eq!(bare(mention, false), None, "{mention}");
        assert_eq!(bare(mention, true).as_deref(), Some(expect), "{mention} of a person");
    }

    fn unclear(mention: &str) {
        assert_eq!((bare(mention, false), bare(mention, true)), (None, None), "{mention}");
    }

    #[test]
    fn titles_and_degrees_come_off_two_names() {
        clear("Dr. Ana Lima", "Ana Lima");
        clear("Prof. Dr. Ana Lima", "Ana Lima");
        clear("DR ANA LIMA", "ANA LIMA");
        clear("Ｄｒ．　Ana Lima", "Ana Lima");
        clear("Ana Lima, Ph.D.", "Ana Lima");
        clear("Ana Lima PhD", "Ana Lima");
        clear("Dr. Lima, Ana", "Ana Lima");
        clear("доктор Ольга Чайкина", "Ольга Чайкина");
        of_a_person("Dr. Quillon Marrow", "Quillon Marrow");
        of_a_person("Quillon Marrow, MD", "Quillon Marrow");
        unclear("Dr. Hale");
        unclear("Dr Pepper");
        unclear("Mr Otto Brandt");
        unclear("Mrs John Hale");
        unclear("General Ana Lima");
        unclear("Otto Brandt Jr.");
        unclear("Quellmark Ltd.");
        unclear("Ana Lima");
        unclear("Dr");
        unclear("");
    }

    #[test]
    fn last_first_is_turned_where_it_is_clear_which_is_which() {
        of_a_person("Lima, Ana", "Ana Lima");
        of_a_person("Lima, A.", "A. Lima");
        unclear("Paris, France");
        unclear("Ana, Bob");
        unclear("Lima, Ana, Otto");
        unclear("Ana,");
        unclear("1, Ana");
    }

    #[test]
    fn courtesy_comes_off_and_what_somebody_is_stays() {
        clear("田中さん", "田中");
        clear("田中太郎様", "田中太郎");
        clear("田中 さん", "田中");
        clear("田中 太郎 様", "田中太郎");
        clear("林さん", "林");
        clear("王氏", "王");
        clear("ジョンさん", "ジョン");
        clear("Anaさん", "Ana");
        clear("김민수씨", "김민수");
        clear("Tanaka-san", "Tanaka");
        clear("Tanaka san", "Tanaka");
        clear("Yuki Tanaka-san", "Yuki Tanaka");
        of_a_person("花子さん", "花子");
        of_a_person("はなちゃん", "はな");
        for word in [
            "王様",
            "神様",
            "お客様",
            "お母さん",
            "たくさん",
            "皆さん",
            "マ",
            "さん",
            "田中部長",
            "田中先生",
            "王君",
            "마음씨",
            "손님",
            "Park Ji-san",
            "Kim San",
            "San",
        ] {
            unclear(word);
        }
    }

    #[test]
    fn gaps_and_order_of_names_written_without_gaps() {
        clear("田中 太郎", "田中太郎");
        clear("田中　太郎", "田中太郎");
        clear("王 芳", "王芳");
        clear("김 민수", "김민수");
        of_a_person("太郎 田中", "田中太郎");
        of_a_person("ジョン ハート", "ジョン・ハート");
        clear("太郎 田中さん", "田中太郎");
        unclear("田中太郎");
        unclear("ジョン・ハート");
        unclear("東京 大学");
    }

    #[test]
    fn the_evidence_says_what_came_off() {
        let said = |mention, person| bare_name(mention, person).map(|evidence| evidence.to_string()).unwrap_or_default();
        assert_eq!(said("Dr. Lima, Ana", true), "\"Dr. Lima, Ana\" for \"Ana Lima\": title, family name first; score 0.96");
        assert_eq!(said("太郎 田中さん", true), "\"太郎 田中さん\" for \"田中太郎\": honorific, order of words; score 0.88");
    }

    proptest! {
        #[test]
        fn a_name_is_bare_once_and_the_same_whoever_says_that_it_is_a_person(
            mention in "\\PC{0,16}|(Dr\\. |Prof |Mr )?(Ana|Otto|Quillon) (Lima|Hale)(, PhD| MD|-san)?|(Lima|Hale), (Ana|A\\.)|(田中|林|太郎|花子|王)[ 　・]?(田中|太郎|花子|ジョン)?(さん|様|氏|君|先生)?",
        ) {
            let person = bare(&mention, true);
            if let Some(name) = bare(&mention, false) {
                prop_assert_eq!(Some(&name), person.as_ref());
            }
            if let Some(name) = person {
                prop_assert_eq!(bare(&name, true), None, "{} of {}", name, mention);
            }
        }

        #[test]
        fn what_comes_to_one_name_is_never_told_apart_by_comparison(
            one in "(Dr\\. |Prof |Mr |Mrs )?(Ana|Otto) (Lima|Hale)(, PhD| Jr)?|(Lima|Hale), (Ana|Otto)|(田中|林) ?(太郎|花子)?(さん|様|氏)?|(太郎|花子) (田中|林)",
            two in "(Dr\\. |Prof |Mr |Mrs )?(Ana|Otto) (Lima|Hale)(, PhD| Jr)?|(Lima|Hale), (Ana|Otto)|(田中|林) ?(太郎|花子)?(さん|様|氏)?|(太郎|花子) (田中|林)",
        ) {
            let name = |mention: &str| bare(mention, true).unwrap_or_else(|| mention.to_owned());
            // Of "太郎 田中" and "田中太郎" a comparison alone does not know which is the family name.
            let turned = |mention: &str| bare_name(mention, true).is_some_and(|evidence| evidence.signs.contains(&Sign::Order));
            if name(&one) == name(&two) && !turned(&one) && !turned(&two) {
                prop_assert!(compare_names(&one, &two).is_some(), "{} and {}", one, two);
            }
        }
    }
}
