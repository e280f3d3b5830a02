//! Finding what must not be stored: cards, secrets, national ids, account numbers, mail addresses, telephone numbers.
//!
//! Owns the kinds and the finders. Knows no policy file, no consent and no observation: it is told which kinds to look for.

mod check;
mod contact;
mod number;
mod secret;
mod spread;
mod value;

pub(super) use value::PLACEHOLDER_LONGEST;

use super::words::{Folded, Hit, Phrases};
use std::fmt;
use std::ops::Range;

/// What sort of value was masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MaskKind {
    /// A payment card's number.
    Card,
    /// A payment card's security code.
    CardCode,
    /// A key or token that opens an interface.
    ApiKey,
    /// A private key's block.
    PrivateKey,
    /// A password, passphrase or PIN.
    Password,
    /// A United States social security or taxpayer number.
    UsSsn,
    /// A United Kingdom national insurance number.
    UkNino,
    /// A Japanese individual number.
    JpMyNumber,
    /// A passport's number.
    Passport,
    /// A bank account's international number.
    Iban,
    /// A bank account's number within its country, or its bank's.
    BankAccount,
    /// A driving licence's number.
    Licence,
    /// A mail address.
    Email,
    /// A telephone number.
    Phone,
    /// A sentence that speaks of a sensitive matter without consent.
    Withheld,
}

impl MaskKind {
    /// Every kind that a policy file has a table for, in the order of the shipped one.
    pub const ALL: [Self; 14] = [
        Self::Card,
        Self::CardCode,
        Self::ApiKey,
        Self::PrivateKey,
        Self::Password,
        Self::UsSsn,
        Self::UkNino,
        Self::JpMyNumber,
        Self::Passport,
        Self::Iban,
        Self::BankAccount,
        Self::Licence,
        Self::Email,
        Self::Phone,
    ];

    /// The name under which it is set and counted; it does not change from version to version.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::CardCode => "card_code",
            Self::ApiKey => "api_key",
            Self::PrivateKey => "private_key",
            Self::Password => "password",
            Self::UsSsn => "us_ssn",
            Self::UkNino => "uk_nino",
            Self::JpMyNumber => "jp_my_number",
            Self::Passport => "passport",
            Self::Iban => "iban",
            Self::BankAccount => "bank_account",
            Self::Licence => "licence",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Withheld => "withheld",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    const fn bit(self) -> u32 {
        1 << self as u16
    }
}

impl fmt::Display for MaskKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(u32);

/// That the text is an id, which is drawn by lot as a key is.
const IDS: u32 = 1 << 31;

impl Kinds {
    pub(super) fn with(self, kind: MaskKind) -> Self {
        Self(self.0 | kind.bit())
    }

    pub(super) const fn has(self, kind: MaskKind) -> bool {
        self.0 & kind.bit() != 0
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 & !IDS == 0
    }

    /// The same for a text that is an id: disorder alone makes no key of it.
    pub(super) const fn in_ids(self) -> Self {
        Self(self.0 | IDS)
    }

    const fn takes_disorder(self) -> bool {
        self.0 & IDS == 0
    }
}

/// What a word beside a value says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Label {
    Card,
    CardCode,
    ApiKey,
    /// Follows its word without any sign between ("Bearer …").
    Bearer,
    Password,
    /// A number that opens something ("PIN").
    Pin,
    /// Words that mean a secret only where it is assigned or looks like one ("token = …").
    Secret,
    /// Is followed by the words that restore a wallet or an account.
    Phrase,
    UsSsn,
    UkNino,
    JpMyNumber,
    Passport,
    Account,
    Licence,
    Phone,
    /// A number of another sort: an order, a parcel, a barcode.
    Other,
}

impl Label {
    pub(super) const ALL: [(Self, &'static str); 16] = [
        (Self::Card, "card"),
        (Self::CardCode, "card_code"),
        (Self::ApiKey, "api_key"),
        (Self::Bearer, "bearer"),
        (Self::Password, "password"),
        (Self::Pin, "pin"),
        (Self::Secret, "secret"),
        (Self::Phrase, "seed_phrase"),
        (Self::UsSsn, "us_ssn"),
        (Self::UkNino, "uk_nino"),
        (Self::JpMyNumber, "jp_my_number"),
        (Self::Passport, "passport"),
        (Self::Account, "bank_account"),
        (Self::Licence, "licence"),
        (Self::Phone, "phone"),
        (Self::Other, "other"),
    ];
}

/// The finders with their words.
#[derive(Clone, Debug)]
pub(super) struct Masker {
    pub(super) labels: Phrases<Label>,
    /// Beginnings of keys and tokens.
    pub(super) prefixes: Vec<String>,
    /// Placeholders without their last bracket: a word in one says nothing of what follows.
    pub(super) placeholders: Vec<String>,
}

/// A value found, in bytes of the folded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) kind: MaskKind,
}

/// What the finders read and where they put what they find.
struct Search<'s> {
    folded: &'s Folded<'s>,
    hits: &'s [Hit<Label>],
    kinds: Kinds,
    found: Vec<Found>,
}

/// Words that may stand between a label and its value.
const FILLERS: [&str; 30] = [
    "number", "numbers", "no", "nr", "num", "is", "was", "are", "the", "my", "your", "his", "her", "our", "their", "id", "code", "ending",
    "at", "on", "to", "for", "me", "us", "new", "home", "work", "office", "reads", "s",
];

impl Search<'_> {
    fn add(&mut self, kind: MaskKind, range: Range<usize>) {
        if self.kinds.has(kind) && !range.is_empty() {
            self.found.push(Found { range, kind });
        }
    }

    /// The label that a value beginning at `start` has before it on its line: the nearest, with nothing but fillers between.
    fn label_before(&self, start: usize) -> Option<Label> {
        const FARTHEST: usize = 28;
        let after = self.hits.partition_point(|hit| hit.end <= start);
        // Of labels that end at one place ("order" and "order number") any does; they are in order of their starts.
        let hit = self.hits.get(..after)?.iter().rev().take(4).max_by_key(|hit| hit.end)?;
        let between = self.folded.lower.get(hit.end..start)?;
        let apart = between.len() > FARTHEST
            || between.contains(['\n', ';', '。', '、', ',', '?', '!'])
            || between.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| !word.is_empty() && !FILLERS.contains(&word));
        (!apart).then_some(hit.what)
    }
}

impl Search<'_> {
    /// The label that a value ending at `end` has after it: "… is my social security number", "… (SSN)".
    fn label_after(&self, end: usize) -> Option<Label> {
        const FARTHEST: usize = 28;
        let next = self.hits.partition_point(|hit| hit.start < end);
        let hit = self.hits.get(next)?;
        let between = self.folded.lower.get(end..hit.start).filter(|between| between.len() <= FARTHEST)?.trim();
        let words = || between.split(' ').filter(|word| !word.is_empty());
        let told = matches!(between, "(" | "が" | "は") || words().next().is_some_and(|word| matches!(word, "is" | "was" | "as" | "="));
        (told && words().skip(1).all(|word| FILLERS.contains(&word))).then_some(hit.what)
    }
}

impl Masker {
    fn in_placeholder(&self, text: &str, start: usize) -> bool {
        let before = text.get(text.floor_char_boundary(start.saturating_sub(PLACEHOLDER_LONGEST))..start).unwrap_or_default();
        let open = before.rfind('[').map(|at| start - before.len() + at);
        let rest = open.and_then(|open| text.get(open..)).unwrap_or_default();
        self.placeholders.iter().any(|placeholder| rest.strip_prefix(placeholder.as_str()).is_some_and(|rest| rest.starts_with([']', ' '])))
    }

    /// The values of these kinds, in order and apart; where two overlap they are one, of the kind that begins first.
    ///
    /// # Complexity
    /// Linear in the text.
    pub(super) fn find(&self, folded: &Folded<'_>, kinds: Kinds) -> Vec<Found> {
        let mut hits = self.labels.find(folded);
        hits.retain(|hit| !self.in_placeholder(&folded.text, hit.start));
        let inner = nested(&folded.lower, &hits);
        if !inner.is_empty() {
            hits.extend(inner);
            hits.sort_by_key(|hit| (hit.start, hit.end));
        }
        let mut search = Search { folded, hits: &hits, kinds, found: Vec::new() };
        secret::private_keys(&mut search);
        secret::labelled(&mut search);
        secret::told_before(&mut search);
        secret::in_addresses(&mut search);
        secret::in_lines(&mut search);
        secret::webhooks(&mut search);
        secret::tokens(&mut search, &self.prefixes);
        number::all(&mut search);
        spread::cards(&mut search);
        contact::emails(&mut search);
        let mut found = search.found;
        found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end), one.kind));
        let mut apart: Vec<Found> = Vec::with_capacity(found.len());
        for one in found {
            match apart.last_mut() {
                Some(last) if one.range.start < last.range.end => last.range.end = last.range.end.max(one.range.end),
                _ => apart.push(one),
            }
        }
        apart
    }
}

/// Keys inside structured text that stand for the word before them: those of `"passport": {"number": …}`, and the second of
/// `"key": "password", "value": …`.
fn nested(lower: &str, hits: &[Hit<Label>]) -> Vec<Hit<Label>> {
    const WIDEST_OBJECT: usize = 240;
    const KEYS: [&str; 12] = ["number", "value", "val", "no", "num", "secret", "current", "new", "old", "plain", "text", "code"];
    let mut found = Vec::new();
    let accounts = lower.match_indices("account\"").map(|(start, word)| (start + word.len() - 1, Label::Account));
    let accounts: Vec<(usize, Label)> = if lower.contains(['{', '[']) { accounts.collect() } else { Vec::new() };
    for (end, what) in hits.iter().map(|hit| (hit.end, hit.what)).chain(accounts) {
        let rest = lower.get(end..lower.floor_char_boundary((end + WIDEST_OBJECT).min(lower.len()))).unwrap_or_default();
        let Some(behind) = rest.trim_start_matches('\\').strip_prefix('"').map(str::trim_start) else { continue };
        let inside = match (behind.strip_prefix(':').map(str::trim_start), behind.strip_prefix(',')) {
            (Some(value), _) if value.starts_with('{') => value.split('}').next().unwrap_or_default(),
            // The value of a key beside it is the next field.
            (_, Some(beside)) if beside.trim_start().trim_start_matches('\\').starts_with("\"val") => {
                beside.split(['}', '{']).next().unwrap_or_default()
            }
            _ => continue,
        };
        let from = end + (inside.as_ptr().addr() - rest.as_ptr().addr());
        for (at, _) in inside.match_indices(':') {
            let key = inside.get(..at).unwrap_or_default().trim_end();
            let Some(key) = key.strip_suffix('"').map(|key| key.trim_end_matches('\\')) else { continue };
            let name = key.rsplit('"').next().unwrap_or_default();
            if KEYS.contains(&name) {
                let stop = from + key.len();
                found.push(Hit { start: stop - name.len(), end: stop, what });
            }
        }
    }
    found
}

/// Whether a short text can hold anything that is looked for: cheap, and never wrongly no.
pub(super) fn may_hold(text: &str) -> bool {
    let (mut digits, mut parted) = (0_u32, false);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'a'..=b'z' | b'A'..=b'Z' => {}
            // Full-width forms begin with the last of these; so do few other characters.
            b'@' | b'=' | b':' | 0xef => return true,
            _ => parted = true,
        }
    }
    // A word that says what a value is stands apart from it; of values that need none the shortest in one piece has nine signs.
    if parted { digits >= 3 && text.len() >= 6 || text.len() >= 10 } else { digits >= 8 || text.len() >= 9 }
}

#[cfg(test)]
mod tests;
