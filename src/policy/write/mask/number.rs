//! Numbers in groups: cards, national ids, telephone numbers; and account numbers, which begin with letters.

use super::check::{iban, iban_length, is_card, my_number, nino_prefix, us_ssn};
use super::{Label, MaskKind, Search};
use crate::policy::write::words::{is_unspaced, is_word};
use std::ops::Range;

/// What stands between two groups of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Blank,
    Dash,
    Dot,
    /// One of a pair of brackets, with a blank or a dash or without.
    Bracket,
}

/// Between two groups: the longest first.
const GAPS: [(&[u8], Gap); 10] = [
    (b" - ", Gap::Dash),
    (b") ", Gap::Bracket),
    (b")-", Gap::Bracket),
    (b" (", Gap::Bracket),
    (b"  ", Gap::Blank),
    (b" ", Gap::Blank),
    (b"-", Gap::Dash),
    (b".", Gap::Dot),
    (b"(", Gap::Bracket),
    (b")", Gap::Bracket),
];

/// A group of figures, with what stands before it.
#[derive(Clone, Debug)]
struct Group {
    range: Range<usize>,
    /// `None` for the first of its run.
    gap: Option<Gap>,
}

impl Group {
    fn len(&self) -> usize {
        self.range.len()
    }
}

/// How far before a number its letters are looked at; hashes are hardly longer.
const HASH: usize = 64;

/// The most groups of one number.
const MOST_GROUPS: usize = 6;

/// Finds every number that is looked for.
pub(super) fn all(search: &mut Search<'_>) {
    let bytes = search.folded.bytes();
    let unspaced = search.folded.text.chars().any(is_unspaced);
    let mut found = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 0;
    while let Some(start) = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)).map(|offset| at + offset) {
        at = read_run(bytes, start, &mut groups);
        let run = Run { search, groups: &groups, unspaced };
        let mut index = 0;
        while index < groups.len() {
            let Some((kind, range, over)) = run.at(index) else {
                index += 1;
                continue;
            };
            found.push((kind, range.clone()));
            // What began with letters may end inside a later run.
            if range.end > at {
                at = range.end;
                break;
            }
            index += over.max(1);
        }
    }
    for (kind, range) in found {
        search.add(kind, range);
    }
}

/// Reads the run of groups that begins at `start`; answers where it ends.
fn read_run(bytes: &[u8], start: usize, groups: &mut Vec<Group>) -> usize {
    let figures = |from: usize| bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
    groups.clear();
    let mut end = start + figures(start);
    groups.push(Group { range: start..end, gap: None });
    while let Some((gap, from)) = GAPS.iter().find_map(|(sign, gap)| {
        let from = end + sign.len();
        (bytes.get(end..from) == Some(*sign) && bytes.get(from).is_some_and(u8::is_ascii_digit)).then_some((*gap, from))
    }) {
        end = from + figures(from);
        groups.push(Group { range: from..end, gap: Some(gap) });
    }
    end
}

struct Run<'r, 's> {
    search: &'r Search<'s>,
    groups: &'r [Group],
    /// Whether the text has words in a script without blanks: then twelve figures may be an individual number without saying so.
    unspaced: bool,
}

impl Run<'_, '_> {
    /// The number that begins with this group, and how many groups it takes.
    fn at(&self, index: usize) -> Option<(MaskKind, Range<usize>, usize)> {
        if let Some(lettered) = self.lettered(index) {
            return Some(lettered);
        }
        let first = self.groups.get(index)?;
        let label = self.search.label_before(self.opening(first.range.start));
        let kinds = self.search.kinds;
        for count in (1..=MOST_GROUPS.min(self.groups.len() - index)).rev() {
            let window = self.groups.get(index..index + count)?;
            let alone = self.stands_alone(index, count, false);
            let kind = if kinds.has(MaskKind::Card) && self.card(window, label) && self.is_whole(index, count, label) {
                Some(MaskKind::Card)
            } else if !alone {
                None
            } else if kinds.has(MaskKind::JpMyNumber) && self.my_number(window, label) {
                Some(MaskKind::JpMyNumber)
            } else if kinds.has(MaskKind::UsSsn) && self.ssn(window, label) {
                Some(MaskKind::UsSsn)
            } else {
                None
            };
            if let Some(kind) = kind {
                return Some((kind, span(window)?, count));
            }
        }
        if kinds.has(MaskKind::Phone) {
            for count in (1..=MOST_GROUPS.min(self.groups.len() - index)).rev() {
                let window = self.groups.get(index..index + count)?;
                if self.stands_alone(index, count, false)
                    && let Some(start) = self.phone(window, label)
                {
                    return Some((MaskKind::Phone, start..span(window)?.end, count));
                }
            }
        }
        None
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.search.folded.bytes().get(at).copied()
    }

    /// The byte before a place.
    fn before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|at| self.byte(at))
    }

    /// Where a number begins with the "+" or the bracket before its first group.
    fn opening(&self, start: usize) -> usize {
        let mut start = start;
        while matches!(self.before(start), Some(b'(' | b'+')) {
            start -= 1;
        }
        start
    }

    /// Whether neither a letter nor more of the same number touches the window; what is told by its checksum may have other numbers beside it.
    fn stands_alone(&self, index: usize, count: usize, checked: bool) -> bool {
        let Some(window) = self.groups.get(index..index + count) else { return false };
        let (Some(first), Some(last)) = (window.first(), window.last()) else { return false };
        let inner = window.get(1).and_then(|group| group.gap);
        let before = match first.gap {
            None => {
                let (before, _) = self.search.folded.around(first.range.start);
                let letter_dash = matches!(before, Some('-' | '.' | '_' | '/')) && {
                    let (earlier, _) = self.search.folded.around(first.range.start - 1);
                    earlier.is_some_and(is_word)
                };
                let thousands =
                    before == Some(',') && self.search.folded.around(first.range.start - 1).0.is_some_and(|c| c.is_ascii_digit());
                !before.is_some_and(is_word) && !letter_dash && !thousands
            }
            Some(gap) => gap == Gap::Blank && (checked || inner != Some(Gap::Blank)),
        };
        let after = match self.groups.get(index + count).and_then(|next| next.gap) {
            None => {
                let (_, after) = self.search.folded.around(last.range.end);
                let (_, later) = self.search.folded.around((last.range.end + 1).min(self.search.folded.text.len()));
                let dash = matches!(after, Some('-' | '_')) && later.is_some_and(is_word);
                !after.is_some_and(is_word) && after != Some('%') && !dash
            }
            Some(gap) => gap == Gap::Blank && (checked || inner != Some(Gap::Blank)),
        };
        before && after
    }

    /// Whether a card's number is all of its number. Its checksum tells it where letters touch it, but for names of other things: `id_4111…`,
    /// `ORD4111…`, and hashes.
    fn is_whole(&self, index: usize, count: usize, label: Option<Label>) -> bool {
        if self.stands_alone(index, count, true) {
            return true;
        }
        let Some(window) = self.groups.get(index..index + count) else { return false };
        let (Some(first), Some(last)) = (window.first(), window.last()) else { return false };
        let bytes = self.search.folded.bytes();
        let run = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let reversed: Vec<u8> =
            bytes.get(first.range.start.saturating_sub(HASH)..first.range.start).unwrap_or_default().iter().rev().copied().collect();
        let (before, after) = (run(&reversed), run(bytes.get(last.range.end..).unwrap_or_default()));
        let lead = reversed.get(..before).unwrap_or_default();
        let follow = bytes.get(last.range.end..last.range.end + after).unwrap_or_default();
        let announced = label == Some(Label::Card);
        let begins = match first.gap {
            Some(gap) => gap == Gap::Blank,
            None if before > 0 => {
                let code = (2..=4).contains(&before) && lead.iter().all(u8::is_ascii_uppercase);
                let joined = reversed.get(before).is_some_and(|byte| matches!(byte, b'_' | b'-'));
                !lead.iter().any(u8::is_ascii_digit) && (announced || !(code || joined))
            }
            // "no.4111": a point after a figure is a decimal one.
            None => match (reversed.first(), reversed.get(1)) {
                (Some(b'.' | b','), Some(earlier)) => !earlier.is_ascii_digit(),
                (Some(b'-' | b'_' | b'/'), Some(earlier)) => announced || !earlier.is_ascii_alphanumeric(),
                _ => true,
            },
        };
        let ends = if let Some(gap) = self.groups.get(index + count).and_then(|next| next.gap) {
            gap == Gap::Blank
        } else {
            let joined = matches!(follow, []) && matches!(self.byte(last.range.end), Some(b'-' | b'_' | b'%'));
            !joined || announced
        };
        let hash =
            before + window.iter().map(Group::len).sum::<usize>() + after >= 24 && lead.iter().chain(follow).all(u8::is_ascii_hexdigit);
        begins && ends && !hash
    }

    fn digits(&self, window: &[Group]) -> Option<([u8; 19], usize)> {
        let mut digits = [0; 19];
        let mut count = 0;
        for byte in window.iter().flat_map(|group| group.range.clone()).map(|at| self.byte(at)) {
            *digits.get_mut(count)? = byte?.wrapping_sub(b'0');
            count += 1;
        }
        Some((digits, count))
    }

    fn card(&self, window: &[Group], label: Option<Label>) -> bool {
        let lengths = Lengths::of(window);
        let total = lengths.total();
        let bracketed = window.iter().any(|group| group.gap == Some(Gap::Bracket));
        let grouped = window.len() > 1;
        let shaped = match lengths.as_slice() {
            [_] | [4, 6, 4 | 5] | [8, 8] => true,
            [fours @ .., last] => fours.iter().all(|length| *length == 4) && (1..=4).contains(last) && fours.len() >= 3,
            [] => false,
        };
        let another_sort = label == Some(Label::Other) && !grouped;
        let after_plus = window.first().is_some_and(|first| self.before(first.range.start) == Some(b'+'));
        let shaped = shaped || (label == Some(Label::Card) && grouped);
        shaped
            && !bracketed
            && (13..=19).contains(&total)
            && !another_sort
            && !after_plus
            && self.digits(window).is_some_and(|(digits, count)| digits.get(..count).is_some_and(is_card))
    }

    fn my_number(&self, window: &[Group], label: Option<Label>) -> bool {
        let lengths = Lengths::of(window);
        let grouped = match lengths.as_slice() {
            [12] => false,
            [4, 4, 4] => matches!(even_gap(window), Some(Gap::Blank | Gap::Dash)),
            _ => return false,
        };
        let announced = match label.or_else(|| self.search.label_after(span(window).map_or(0, |range| range.end))) {
            Some(Label::JpMyNumber) => true,
            Some(Label::Other | Label::Phone | Label::Card) => false,
            _ => grouped || self.unspaced,
        };
        announced && self.digits(window).is_some_and(|(digits, count)| digits.get(..count).is_some_and(my_number))
    }

    fn ssn(&self, window: &[Group], label: Option<Label>) -> bool {
        let lengths = Lengths::of(window);
        if !matches!(lengths.as_slice(), [9] | [3, 2, 4]) {
            return false;
        }
        let label = label.or_else(|| self.search.label_after(span(window).map_or(0, |range| range.end)));
        let shaped = match lengths.as_slice() {
            [9] => label == Some(Label::UsSsn),
            [3, 2, 4] => {
                let gap = even_gap(window);
                gap == Some(Gap::Dash) || gap == Some(Gap::Blank) || (gap == Some(Gap::Dot) && label == Some(Label::UsSsn))
            }
            _ => false,
        };
        shaped && label != Some(Label::Other) && self.digits(window).is_some_and(|(digits, count)| digits.get(..count).is_some_and(us_ssn))
    }

    /// Where a telephone number begins that this window is.
    fn phone(&self, window: &[Group], label: Option<Label>) -> Option<usize> {
        let first = window.first()?;
        let opening = self.opening(first.range.start);
        let international = self.before(first.range.start) == Some(b'+');
        let closes = window.get(1).is_some_and(|group| group.gap == Some(Gap::Bracket));
        let bracketed = closes && opening < first.range.start;
        let start = if bracketed { opening } else { first.range.start - usize::from(international) };
        let lengths = Lengths::of(window);
        let total = lengths.total();
        let (digits, _) = self.digits(window)?;
        let lead = digits.first().copied()?;
        let dotted = window.iter().any(|group| group.gap == Some(Gap::Dot));
        if international {
            return (lead != 0 && (8..=15).contains(&total)).then_some(start);
        }
        if label == Some(Label::Other) {
            return None;
        }
        let date = matches!(lengths.as_slice(), [4, 1 | 2, 1 | 2, ..] | [1 | 2, 1 | 2, 4]);
        let labelled = label == Some(Label::Phone) && (7..=15).contains(&total) && !date;
        let even = even_gap(window).is_some() || window.iter().any(|group| group.gap == Some(Gap::Bracket)) || bracketed;
        // Three groups with blanks between are any numbers; with anything else between them, or a label, they are not.
        let apart = bracketed || window.iter().skip(1).any(|group| group.gap != Some(Gap::Blank));
        let north_american = |lengths: &[usize], digits: &[u8]| apart && matches!((lengths, digits), ([3, 3, 4], [2..=9, _, _, 2..=9, ..]));
        let shaped = match lengths.as_slice() {
            [3, 3, 4] if lead != 0 => north_american(lengths.as_slice(), &digits),
            [1, rest @ ..] if lead == 1 => digits.get(1..).is_some_and(|digits| north_american(rest, digits)),
            // Japan: 03-1234-5678, 090-1234-5678, 0120-123-456; the first two figures of a trunk prefix are never 00.
            [2..=5, 1..=4, 3 | 4] if lead == 0 => !dotted && (10..=11).contains(&total) && digits.get(1) != Some(&0),
            // Britain: 020 7946 0123, 07700 900123.
            [5, 6] if lead == 0 => total == 11 && digits.get(1) != Some(&0),
            // France: 01 23 45 67 89.
            [2, 2, 2, 2, 2] if lead == 0 => digits.get(1) != Some(&0),
            [11] => lead == 0 && self.unspaced && matches!(digits.get(1..3), Some([7..=9, 0])),
            _ => false,
        };
        (labelled || (shaped && even)).then_some(start)
    }

    /// An account number or a national insurance number whose first figures these are.
    fn lettered(&self, index: usize) -> Option<(MaskKind, Range<usize>, usize)> {
        let first = self.groups.get(index)?.range.start;
        let start = [2, 3].into_iter().find_map(|back| {
            let start = first.checked_sub(back)?;
            let letters = self.byte(start)?.is_ascii_alphabetic() && self.byte(start + 1)?.is_ascii_alphabetic();
            let tight = back == 2 || self.byte(start + 2) == Some(b' ');
            let (before, _) = self.search.folded.around(start);
            (letters && tight && !before.is_some_and(is_word)).then_some(start)
        })?;
        let (one, two) = (self.byte(start)?, self.byte(start + 1)?);
        let kinds = self.search.kinds;
        if kinds.has(MaskKind::Iban)
            && let Some(length) = iban_length(one, two)
            && let Some((letters, end)) = self.gather(start, length)
            && letters.get(2..4).is_some_and(|check| check.iter().all(u8::is_ascii_digit))
            && iban(&letters)
        {
            return Some((MaskKind::Iban, start..end, 1));
        }
        if kinds.has(MaskKind::UkNino) && nino_prefix(one, two) {
            let label = self.search.label_before(start);
            let labelled = label == Some(Label::UkNino);
            let (letters, end) = self.gather(start, 9)?;
            let figures = letters.get(2..8)?.iter().all(u8::is_ascii_digit);
            let suffix = letters.get(8)?.to_ascii_uppercase();
            let upper = one.is_ascii_uppercase() && two.is_ascii_uppercase() && letters.get(8)?.is_ascii_uppercase();
            if figures && (b'A'..=b'D').contains(&suffix) && (labelled || (upper && label != Some(Label::Other))) {
                return Some((MaskKind::UkNino, start..end, 1));
            }
        }
        None
    }

    /// So many letters and figures from `start`, single blanks and dashes between them left out, if a word ends there.
    fn gather(&self, start: usize, count: usize) -> Option<(Vec<u8>, usize)> {
        let mut letters = Vec::with_capacity(count);
        let mut at = start;
        while letters.len() < count {
            match self.byte(at)? {
                byte if byte.is_ascii_alphanumeric() => letters.push(byte),
                b' ' | b'-' if self.before(at).is_some_and(|byte| byte.is_ascii_alphanumeric()) => {}
                _ => return None,
            }
            at += 1;
        }
        let (_, after) = self.search.folded.around(at);
        (!after.is_some_and(is_word)).then_some((letters, at))
    }
}

/// The gap of a window whose gaps are all the same; of one group, none to speak of is a blank.
fn even_gap(window: &[Group]) -> Option<Gap> {
    let mut gaps = window.iter().skip(1).map(|group| group.gap);
    let Some(first) = gaps.next() else { return Some(Gap::Blank) };
    gaps.all(|gap| gap == first).then_some(first).flatten()
}

fn span(window: &[Group]) -> Option<Range<usize>> {
    Some(window.first()?.range.start..window.last()?.range.end)
}

/// How many figures each group has.
struct Lengths {
    lengths: [usize; MOST_GROUPS],
    count: usize,
}

impl Lengths {
    fn of(window: &[Group]) -> Self {
        let mut lengths = [0; MOST_GROUPS];
        for (length, group) in lengths.iter_mut().zip(window) {
            *length = group.len();
        }
        Self { lengths, count: window.len().min(MOST_GROUPS) }
    }

    fn as_slice(&self) -> &[usize] {
        self.lengths.get(..self.count).unwrap_or_default()
    }

    fn total(&self) -> usize {
        self.as_slice().iter().sum()
    }
}
