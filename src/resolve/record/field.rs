//! The fields of a record: what each holds, and how two values of it are compared. Knows no weights.

use crate::resolve::distance::{edits, share};
use crate::resolve::lexicon::Lexicon;
use std::fmt;
use unicode_normalization::UnicodeNormalization;

/// What a field holds, which decides how its values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldKind {
    /// A given name; may stand where the family name should, and may be a nickname.
    Given,
    /// A family name.
    Family,
    /// A date of birth, whatever separates its parts; slips of one digit and swaps of neighbours or of day and month are close.
    Birth,
    /// Another date.
    Date,
    /// A number or letters that are one person's alone: a passport, a social security number.
    Id,
    /// A number or letters that many share: a postcode.
    Code,
    /// A phone number: its last eight digits count.
    Phone,
    /// A house number.
    Number,
    /// A line of an address; lines next to each other may be swapped.
    Address,
    /// A name of a place, or other short text.
    Text,
    /// One of few values, such as a state: equal or not.
    Category,
    /// An address of electronic mail.
    Email,
}

/// A field that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, for evidence.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// Its place in a row, from 0.
    pub column: usize,
}

/// The fields of a record, in the order of its columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    fields: Vec<Field>,
}

/// What names of columns say of what stands in them: the first that is part of the name counts.
const COLUMNS: [(&str, FieldKind); 35] = [
    ("mail", FieldKind::Email),
    ("phone", FieldKind::Phone),
    ("mobile", FieldKind::Phone),
    ("fax", FieldKind::Phone),
    ("birth", FieldKind::Birth),
    ("dob", FieldKind::Birth),
    ("date", FieldKind::Date),
    ("given", FieldKind::Given),
    ("firstname", FieldKind::Given),
    ("forename", FieldKind::Given),
    ("surname", FieldKind::Family),
    ("lastname", FieldKind::Family),
    ("familyname", FieldKind::Family),
    ("postcode", FieldKind::Code),
    ("postal", FieldKind::Code),
    ("zip", FieldKind::Code),
    ("soc", FieldKind::Id),
    ("ssn", FieldKind::Id),
    ("passport", FieldKind::Id),
    ("nationalid", FieldKind::Id),
    ("licence", FieldKind::Id),
    ("license", FieldKind::Id),
    ("number", FieldKind::Number),
    ("house", FieldKind::Number),
    ("address", FieldKind::Address),
    ("street", FieldKind::Address),
    ("suburb", FieldKind::Text),
    ("city", FieldKind::Text),
    ("town", FieldKind::Text),
    ("state", FieldKind::Category),
    ("country", FieldKind::Category),
    ("sex", FieldKind::Category),
    ("gender", FieldKind::Category),
    ("title", FieldKind::Category),
    ("culture", FieldKind::Category),
];

impl Schema {
    /// A schema of these fields.
    #[must_use]
    pub fn new(fields: Vec<Field>) -> Self {
        Self { fields }
    }

    /// Reads what the columns hold from their names (`given_name`, "Last Name", `date_of_birth`, "postcode", …); a column whose name
    /// says nothing known is not compared, and neither is a record id.
    #[must_use]
    pub fn from_header<S: AsRef<str>>(columns: &[S]) -> Self {
        let field = |(column, name): (usize, &S)| {
            let name = name.as_ref().trim();
            let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
            let kind = COLUMNS.iter().find(|(part, _)| plain.contains(part)).map(|(_, kind)| *kind)?;
            Some(Field { name: name.to_owned(), kind, column })
        };
        Self { fields: columns.iter().enumerate().filter_map(field).collect() }
    }

    /// The fields, in the order in which they are compared.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The place of the field that may hold what belongs into this one: the family name's for the given name's and the other way
    /// round, and the next line of an address.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        let field = self.fields.get(at)?;
        match field.kind {
            FieldKind::Given => self.only(FieldKind::Given).and(self.only(FieldKind::Family)),
            FieldKind::Family => self.only(FieldKind::Family).and(self.only(FieldKind::Given)),
            FieldKind::Address => {
                let lines: Vec<usize> = self.of(FieldKind::Address).collect();
                let place = lines.iter().position(|line| *line == at)?;
                lines.get(place ^ 1).copied()
            }
            FieldKind::Birth
            | FieldKind::Date
            | FieldKind::Id
            | FieldKind::Code
            | FieldKind::Phone
            | FieldKind::Number
            | FieldKind::Text
            | FieldKind::Category
            | FieldKind::Email => None,
        }
    }

    fn of(&self, kind: FieldKind) -> impl Iterator<Item = usize> {
        self.fields.iter().enumerate().filter(move |(_, field)| field.kind == kind).map(|(at, _)| at)
    }

    /// The place of the one field of a kind; `None` if there is none or more than one.
    fn only(&self, kind: FieldKind) -> Option<usize> {
        let mut places = self.of(kind);
        places.next().filter(|_| places.next().is_none())
    }
}

/// How well two values of a field agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// One of them is missing: no evidence.
    Missing,
    /// They differ.
    Different,
    /// They are alike in part: some words, the year.
    Partial,
    /// A slip of the pen apart, or a nickname.
    Close,
    /// Equal but for case, marks and spaces.
    Exact,
}

impl Agreement {
    /// Those that are evidence, in ascending order.
    pub const WEIGHED: [Self; 4] = [Self::Different, Self::Partial, Self::Close, Self::Exact];

    /// The place among [`Agreement::WEIGHED`].
    pub(super) const fn place(self) -> Option<usize> {
        match self {
            Self::Missing => None,
            Self::Different => Some(0),
            Self::Partial => Some(1),
            Self::Close => Some(2),
            Self::Exact => Some(3),
        }
    }
}

/// "exact", "close", "partial", "different", "missing".
impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::Different => "different",
            Self::Partial => "partial",
            Self::Close => "close",
            Self::Exact => "exact",
        })
    }
}

/// A value made ready to be compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Value {
    /// Letters and digits alone, without marks and case; empty if missing.
    pub(super) letters: Vec<char>,
    /// How common it is: the share of the values given for the field that it has, as its binary logarithm.
    pub(super) share_bits: f64,
    /// One bit for each letter in it, several letters for a bit: values of few edits differ in few bits.
    mask: u64,
    /// The words, each so, in order of the letters.
    words: Vec<Vec<char>>,
}

impl Value {
    pub(super) fn read(kind: FieldKind, text: &str) -> Self {
        let plain = |c: &char| c.is_alphanumeric();
        let folded: String = text.nfkd().take(4 * MOST_LETTERS).flat_map(char::to_lowercase).collect();
        let split = |c: char| !(c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) || c == '\'');
        let mut words: Vec<Vec<char>> =
            folded.split(split).map(|word| word.chars().filter(plain).collect()).filter(|word: &Vec<char>| !word.is_empty()).collect();
        let mut letters: Vec<char> = words.concat();
        match kind {
            FieldKind::Phone => {
                letters.retain(char::is_ascii_digit);
                let from = letters.len().saturating_sub(8);
                letters = letters.split_off(from);
            }
            FieldKind::Email => letters = folded.trim().chars().collect(),
            FieldKind::Birth | FieldKind::Date => letters.retain(char::is_ascii_digit),
            FieldKind::Given
            | FieldKind::Family
            | FieldKind::Id
            | FieldKind::Code
            | FieldKind::Number
            | FieldKind::Address
            | FieldKind::Text
            | FieldKind::Category => {}
        }
        letters.truncate(MOST_LETTERS);
        words.truncate(MOST_LETTERS);
        words.sort();
        let mask = letters.iter().fold(0, |mask, letter| mask | 1 << (u32::from(*letter) % 64));
        Self { letters, share_bits: 0.0, mask, words }
    }

    /// The edits between two values, if they are at most so many.
    fn edits(&self, other: &Self, most: usize) -> Option<usize> {
        // An edit adds a letter, takes one away, or does both.
        let apart = (self.mask ^ other.mask).count_ones() as usize;
        if apart > 2 * most { None } else { edits(&self.letters, &other.letters, most) }
    }

    /// How alike two values are, from 0 to 1; 0 if less than [`PARTIAL`].
    fn likeness(&self, other: &Self) -> f64 {
        let longer = self.letters.len().max(other.letters.len());
        // Counted, not computed: rounding must not lose the last edit that is allowed.
        let most = (0..=longer).take_while(|edits| 1.0 - share(*edits, longer) >= PARTIAL).last().unwrap_or(0);
        self.edits(other, most).map_or(0.0, |edits| 1.0 - share(edits, longer))
    }

    pub(super) fn is_missing(&self) -> bool {
        self.letters.is_empty()
    }
}

/// So many letters and words of a value are compared; no field of a record needs more.
const MOST_LETTERS: usize = 80;
/// Words so alike are a slip of the pen apart: one letter of four.
const CLOSE: f64 = 0.75;
/// Words so alike have more in common than chance gives.
const PARTIAL: f64 = 0.55;

/// Compares two values of a field. Symmetric.
pub(super) fn compare(kind: FieldKind, left: &Value, right: &Value) -> Agreement {
    if left.is_missing() || right.is_missing() {
        return Agreement::Missing;
    }
    if left.letters == right.letters {
        return Agreement::Exact;
    }
    let slips = |most: usize| left.edits(right, most).is_some();
    match kind {
        FieldKind::Given | FieldKind::Family => {
            let alike = left.likeness(right);
            let nick = || kind == FieldKind::Given && Lexicon::shipped().related(&text(left), &text(right));
            if alike >= CLOSE || slips(1) || nick() {
                Agreement::Close
            } else if alike >= PARTIAL || initial(left, right) {
                Agreement::Partial
            } else {
                Agreement::Different
            }
        }
        FieldKind::Birth | FieldKind::Date => {
            if slips(1) || day_and_month_swapped(left, right) {
                Agreement::Close
            } else if slips(2) {
                Agreement::Partial
            } else {
                Agreement::Different
            }
        }
        FieldKind::Id | FieldKind::Code | FieldKind::Phone => {
            if left.letters.len().min(right.letters.len()) > 2 && slips(1) {
                Agreement::Close
            } else if left.letters.len().min(right.letters.len()) > 5 && slips(2) {
                Agreement::Partial
            } else {
                Agreement::Different
            }
        }
        FieldKind::Number => {
            if slips(1) {
                Agreement::Close
            } else {
                Agreement::Different
            }
        }
        FieldKind::Address | FieldKind::Text | FieldKind::Email => {
            let alike = left.likeness(right);
            if left.words == right.words || alike >= CLOSE {
                Agreement::Close
            } else if alike >= PARTIAL || contained(left, right) {
                Agreement::Partial
            } else {
                Agreement::Different
            }
        }
        FieldKind::Category => Agreement::Different,
    }
}

fn text(value: &Value) -> String {
    value.letters.iter().collect()
}

/// Whether one is a letter that the other begins with.
fn initial(left: &Value, right: &Value) -> bool {
    let (shorter, longer) = if left.letters.len() <= right.letters.len() { (left, right) } else { (right, left) };
    shorter.letters.len() == 1 && shorter.letters.first() == longer.letters.first()
}

/// Whether all words of one, and at least two, stand in the other.
fn contained(left: &Value, right: &Value) -> bool {
    let (shorter, longer) = if left.words.len() <= right.words.len() { (left, right) } else { (right, left) };
    shorter.words.len() >= 2 && shorter.words.iter().all(|word| longer.words.contains(word))
}

/// Whether two dates of eight digits, year first or year last, have day and month the other way round.
fn day_and_month_swapped(left: &Value, right: &Value) -> bool {
    let swapped = |value: &Value, year_first: bool| -> Option<Vec<char>> {
        let digits = &value.letters;
        if digits.len() != 8 {
            return None;
        }
        let (year, month, day) = if year_first { (0..4, 4..6, 6..8) } else { (4..8, 0..2, 2..4) };
        let (year, month, day) = (digits.get(year)?, digits.get(month)?, digits.get(day)?);
        Some(if year_first { [year, day, month].concat() } else { [day, month, year].concat() })
    };
    [true, false].into_iter().any(|year_first| swapped(left, year_first).is_some_and(|swapped| swapped == right.letters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [FieldKind; 12] = [
        FieldKind::Given,
        FieldKind::Family,
        FieldKind::Birth,
        FieldKind::Date,
        FieldKind::Id,
        FieldKind::Code,
        FieldKind::Phone,
        FieldKind::Number,
        FieldKind::Address,
        FieldKind::Text,
        FieldKind::Category,
        FieldKind::Email,
    ];

    fn check(kind: FieldKind, left: &str, right: &str, expect: Agreement) {
        assert_eq!(compare(kind, &Value::read(kind, left), &Value::read(kind, right)), expect, "{left:?} and {right:?} as {kind:?}");
    }

    #[test]
    fn values_agree_by_what_they_are() {
        check(FieldKind::Given, "Zoë", "ZOE", Agreement::Exact);
        check(FieldKind::Given, "Robert", "Bob", Agreement::Close);
        check(FieldKind::Given, "Tilda", "T.", Agreement::Partial);
        check(FieldKind::Given, "Tilda", "", Agreement::Missing);
        check(FieldKind::Family, "Okafor", "Okaofr", Agreement::Close);
        check(FieldKind::Family, "Okafor", "Visser", Agreement::Different);
        check(FieldKind::Birth, "1984-03-12", "19840321", Agreement::Close);
        check(FieldKind::Birth, "1984-03-12", "1984-12-03", Agreement::Close);
        check(FieldKind::Birth, "12/03/1984", "03/12/1984", Agreement::Close);
        check(FieldKind::Birth, "1984-03-12", "1959-11-30", Agreement::Different);
        check(FieldKind::Code, "4021", "4012", Agreement::Close);
        check(FieldKind::Phone, "+44 20 5550 0172", "020 5550 0172", Agreement::Exact);
        check(FieldKind::Address, "12 Mill Lane", "Mill Lane 12", Agreement::Close);
        check(FieldKind::Address, "Mill Lane", "Flat 3, Mill Lane", Agreement::Partial);
        check(FieldKind::Category, "nsw", "nws", Agreement::Different);
    }

    #[test]
    fn a_header_says_what_its_columns_hold() {
        let schema = Schema::from_header(&["rec_id", " given_name", "Last Name", "street_number", "address_1", "address_2", "DOB", "shoe"]);
        let kinds: Vec<(FieldKind, usize)> = schema.fields().iter().map(|field| (field.kind, field.column)).collect();
        let expect = [
            (FieldKind::Given, 1),
            (FieldKind::Family, 2),
            (FieldKind::Number, 3),
            (FieldKind::Address, 4),
            (FieldKind::Address, 5),
            (FieldKind::Birth, 6),
        ];
        assert_eq!(kinds, expect, "ids and unknown columns are left out");
        let partners: Vec<Option<usize>> = (0..6).map(|at| schema.partner(at)).collect();
        assert_eq!(partners, [Some(1), Some(0), None, Some(4), Some(3), None], "what may be swapped with what");
    }

    proptest! {
        #[test]
        fn comparing_is_symmetric_and_a_value_agrees_with_itself(left in "\\PC{0,12}", right in "\\PC{0,12}", kind in 0..KINDS.len()) {
            let kind = KINDS[kind];
            let (a, b) = (Value::read(kind, &left), Value::read(kind, &right));
            prop_assert_eq!(compare(kind, &a, &b), compare(kind, &b, &a));
            let alone = compare(kind, &a, &a);
            prop_assert_eq!(alone, if a.is_missing() { Agreement::Missing } else { Agreement::Exact });
        }
    }
}
