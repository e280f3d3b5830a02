//! The words that stand around names, and the names that are known: tables read once. Knows no mention.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// What a title says of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Title {
    /// A man's ("Mr").
    Male,
    /// A woman's ("Frau").
    Female,
    /// Anybody's ("Dr").
    Any,
    /// Anybody's, by a word that stands in other names too ("General").
    Plain,
}

/// The tables.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    titles: FxHashMap<String, Title>,
    generations: FxHashMap<String, String>,
    /// Degrees, and whether they are names as well.
    degrees: FxHashMap<String, bool>,
    legal: FxHashMap<String, String>,
    /// Honorifics, the longest first.
    honorifics: Vec<String>,
    romanised: FxHashSet<String>,
    /// Honorifics that are courtesy alone, the longest first.
    courtesy: Vec<String>,
    /// What is left of ordinary words without what looks like an honorific.
    not_names: FxHashSet<String>,
    /// For each short form, the names it is short for, in the order of the table.
    roots: FxHashMap<String, Vec<String>>,
    given: FxHashSet<String>,
    /// Family names of scripts without gaps.
    family: FxHashSet<String>,
    /// Words for people by whose they are.
    kin: FxHashSet<String>,
    /// What stands before such a word where it is the speaker's own, in scripts without gaps.
    own: Vec<String>,
    /// What stands before such a word where it was so once, or is so by marriage or by blood, in those scripts.
    former: Vec<String>,
}

static SHIPPED: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    for (section, kind, words) in entries(include_str!("words.toml")) {
        let words = words.split_whitespace().map(str::to_owned);
        match (section.as_str(), kind.as_str()) {
            ("titles", kind) => {
                let title = match kind {
                    "male" => Title::Male,
                    "female" => Title::Female,
                    "plain" => Title::Plain,
                    _ => Title::Any,
                };
                lexicon.titles.extend(words.map(|word| (word, title)));
            }
            ("generations", kind) => lexicon.generations.extend(words.map(|word| (word, kind.to_owned()))),
            ("degrees", kind) => lexicon.degrees.extend(words.map(|word| (word, kind == "names"))),
            ("legal", kind) => lexicon.legal.extend(words.map(|word| (word, kind.to_owned()))),
            ("honorifics", _) => lexicon.honorifics.extend(words),
            ("romanised", _) => lexicon.romanised.extend(words),
            ("courtesy", _) => lexicon.courtesy.extend(words),
            ("kin", _) => lexicon.kin.extend(words),
            ("former", _) => lexicon.former.extend(words),
            ("own", _) => lexicon.own.extend(words),
            ("not_names", _) => lexicon.not_names.extend(words),
            _ => {}
        }
    }
    for honorifics in [&mut lexicon.honorifics, &mut lexicon.courtesy] {
        honorifics.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    }
    for (_, name, forms) in entries(include_str!("nicknames.toml")) {
        for form in forms.split_whitespace() {
            let roots = lexicon.roots.entry(form.to_owned()).or_default();
            if !roots.contains(&name) {
                roots.push(name.clone());
            }
            lexicon.given.insert(form.to_owned());
        }
        lexicon.given.insert(name);
    }
    for (section, _, names) in entries(include_str!("names.toml")) {
        let names = names.split_whitespace().map(str::to_owned);
        if section == "given" { lexicon.given.extend(names) } else { lexicon.family.extend(names) }
    }
    lexicon
});

/// The entries of a file of tables: section, key, text. What does not parse is empty, which a test would see.
fn entries(text: &str) -> Vec<(String, String, String)> {
    let table = text.parse::<toml::Table>().unwrap_or_default();
    let sections = table.into_iter().filter_map(|(section, value)| Some((section, value.as_table()?.clone())));
    let entries = sections.flat_map(|(section, table)| {
        table.into_iter().filter_map(move |(key, value)| Some((section.clone(), key, value.as_str()?.to_owned())))
    });
    entries.collect()
}

impl Lexicon {
    /// The tables that are shipped.
    pub(super) fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Whether a word alone, in lower case, names a person by whose they are ("mum", 母).
    pub(super) fn is_kin(&self, word: &str) -> bool {
        self.kin.contains(word)
    }

    /// What says "my" before a noun in scripts without gaps.
    pub(super) fn own(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(String::as_str)
    }

    /// What says "former", "by marriage" or "late" before such a noun in scripts without gaps.
    pub(super) fn former(&self) -> impl Iterator<Item = &str> {
        self.former.iter().map(String::as_str)
    }

    pub(super) fn title(&self, word: &str) -> Option<Title> {
        self.titles.get(word).copied()
    }

    /// "jr" and "junior" are one.
    pub(super) fn generation(&self, word: &str) -> Option<&str> {
        self.generations.get(word).map(String::as_str)
    }

    /// Whether a word is a degree; one that is a name as well ("Ma") is one only behind a comma.
    pub(super) fn is_degree(&self, word: &str, behind_comma: bool) -> bool {
        self.degrees.get(word).is_some_and(|is_name| behind_comma || !is_name)
    }

    /// "ltd" and "limited" are one.
    pub(super) fn legal_form(&self, word: &str) -> Option<&str> {
        self.legal.get(word).map(String::as_str)
    }

    /// The legal form a text without gaps begins or ends with, and the rest.
    pub(super) fn attached_legal_form<'t>(&self, text: &'t str) -> Option<(&str, &'t str)> {
        let starts = text.char_indices().map(|(at, _)| at).skip(1);
        for at in starts {
            let Some((before, after)) = text.split_at_checked(at) else { continue };
            if let Some(form) = self.legal_form(before).filter(|_| !before.is_ascii()) {
                return Some((form, after));
            }
            if let Some(form) = self.legal_form(after).filter(|_| !after.is_ascii()) {
                return Some((form, before));
            }
        }
        None
    }

    pub(super) fn is_honorific(&self, word: &str) -> bool {
        self.honorifics.iter().any(|honorific| honorific == word)
    }

    /// A text without the honorific it ends with; something has to be left.
    pub(super) fn without_honorific<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = |honorific: &String| {
            let rest = text.strip_suffix(honorific.as_str())?;
            let letters = rest.chars().count();
            (letters >= 2 || (letters == 1 && self.is_family(rest))).then_some(rest)
        };
        self.honorifics.iter().find_map(rest)
    }

    /// A text as what stands before a courtesy that it ends with, and the courtesy.
    pub(super) fn split_courtesy<'t>(&self, text: &'t str) -> Option<(&'t str, &str)> {
        self.courtesy.iter().find_map(|courtesy| text.strip_suffix(courtesy.as_str()).map(|rest| (rest, courtesy.as_str())))
    }

    /// Whether a text is no name, although what is written to it looks like an honorific.
    pub(super) fn is_no_name(&self, text: &str) -> bool {
        self.not_names.contains(text)
    }

    pub(super) fn is_romanised_honorific(&self, word: &str) -> bool {
        self.romanised.contains(word)
    }

    /// The names that a form is short for, not counting itself.
    pub(super) fn roots(&self, form: &str) -> &[String] {
        self.roots.get(form).map_or(&[], Vec::as_slice)
    }

    /// Whether two different given names may be of one person: one is a form of the other, or both are forms of one name.
    pub(super) fn related(&self, left: &str, right: &str) -> bool {
        if left == right {
            return false;
        }
        let (of_left, of_right) = (self.roots(left), self.roots(right));
        of_left.iter().any(|root| root == right || of_right.contains(root)) || of_right.iter().any(|root| root == left)
    }

    pub(super) fn is_given(&self, word: &str) -> bool {
        self.given.contains(word)
    }

    pub(super) fn is_family(&self, text: &str) -> bool {
        self.family.contains(text)
    }

    /// A name without a gap as family name and the rest: the longest family name that leaves a given name, unless the whole is one.
    pub(super) fn split_family<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        if self.is_family(text) {
            return None;
        }
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).take(3).collect();
        let split = |at: &usize| text.split_at_checked(*at).filter(|(family, given)| self.is_family(family) && !given.is_empty());
        cuts.iter().rev().find_map(split)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read() {
        let lexicon = Lexicon::shipped();
        assert_eq!(lexicon.title("frau"), Some(Title::Female));
        assert_eq!(lexicon.title("general"), Some(Title::Plain));
        assert_eq!(lexicon.generation("jnr"), Some("junior"));
        assert_eq!(lexicon.legal_form("limited"), lexicon.legal_form("ltd"));
        assert!(lexicon.is_degree("phd", false) && lexicon.is_degree("ma", true) && !lexicon.is_degree("ma", false), "degrees");
        assert!(lexicon.given.len() > 1500, "{} given names", lexicon.given.len());
        assert!(lexicon.family.len() > 500, "{} family names", lexicon.family.len());
        assert!(lexicon.roots.len() > 700, "{} short forms", lexicon.roots.len());
        assert!(lexicon.honorifics.len() > 30 && lexicon.romanised.len() > 5, "honorifics");
        assert_eq!(lexicon.split_courtesy("田中ちゃん"), Some(("田中", "ちゃん")));
        assert_eq!(lexicon.split_courtesy("田中部長"), None, "says what he is");
        assert!(lexicon.is_no_name("たく") && lexicon.courtesy.len() > 5, "courtesies");
    }

    #[test]
    fn no_full_name_is_a_form_of_itself() {
        let mut forms: Vec<&String> =
            Lexicon::shipped().roots.iter().filter(|(form, roots)| roots.contains(form)).map(|(form, _)| form).collect();
        forms.sort();
        assert_eq!(forms, Vec::<&String>::new());
    }

    #[test]
    fn short_forms_lead_to_their_names_and_to_each_other() {
        let lexicon = Lexicon::shipped();
        let check = |left: &str, right: &str, expect: bool| {
            assert_eq!(lexicon.related(left, right), expect, "{left} {right}");
            assert_eq!(lexicon.related(right, left), expect, "{right} {left}");
        };
        check("robert", "bob", true);
        check("rob", "bob", true);
        check("маша", "мария", true);
        check("alexander", "alexandra", false);
        check("robert", "robert", false);
        check("robert", "richard", false);
    }

    #[test]
    fn names_without_gaps_are_split_and_freed_of_honorifics() {
        let lexicon = Lexicon::shipped();
        assert_eq!(lexicon.split_family("長谷川美咲"), Some(("長谷川", "美咲")));
        assert_eq!(lexicon.split_family("小林太郎"), Some(("小林", "太郎")), "the longer family name");
        assert_eq!(lexicon.split_family("王芳"), Some(("王", "芳")));
        assert_eq!(lexicon.split_family("王"), None, "no given name");
        assert_eq!(lexicon.split_family("田中"), None, "a family name with one in it");
        assert_eq!(lexicon.without_honorific("田中さん"), Some("田中"));
        assert_eq!(lexicon.without_honorific("田中先生"), Some("田中"));
        assert_eq!(lexicon.without_honorific("林様"), Some("林"));
        assert_eq!(lexicon.without_honorific("さん"), None, "nothing left");
        assert_eq!(lexicon.attached_legal_form("株式会社ひかり製作所"), Some(("kabushiki", "ひかり製作所")));
        assert_eq!(lexicon.attached_legal_form("ひかり製作所株式会社"), Some(("kabushiki", "ひかり製作所")));
    }
}
