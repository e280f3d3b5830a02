//! Cards whose figures are set apart as on no card: a group a line, figure by figure, in a list of numbers, with one sign here and another
//! there; and social security numbers with such a sign in them. Knows no other number.

use super::check::{is_card, us_ssn};
use super::{Label, MaskKind, Search};
use std::ops::Range;

/// The most signs between two groups.
const WIDEST: usize = 4;

/// The longest card, in figures.
const LONGEST: usize = 19;

/// What a card is read from: groups of figures with the same signs between each two.
struct Row {
    /// Where each group stands.
    groups: Vec<Range<usize>>,
}

/// Finds cards in rows of groups that have the same signs between them.
pub(super) fn cards(search: &mut Search<'_>) {
    let bytes = search.folded.bytes();
    let mut found = Vec::new();
    let mut social = Vec::new();
    let mut at = 0;
    while let Some(start) = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)).map(|offset| at + offset) {
        let row = Row::read(bytes, start);
        at = row.groups.last().map_or(start + 1, |last| last.end);
        if row.groups.len() < 3 {
            continue;
        }
        let label = search.label_before(start);
        if let Some(range) = row.card(bytes, label == Some(Label::Card)) {
            found.push(range);
        }
        if label == Some(Label::UsSsn)
            && let Some(range) = row.social_security(bytes)
        {
            social.push(range);
        }
    }
    uneven(bytes, &mut found);
    for range in found {
        search.add(MaskKind::Card, range);
    }
    for range in social {
        search.add(MaskKind::UsSsn, range);
    }
}

/// Four groups of four figures with blanks, commas and lines' ends between them in any order, and no more such figures beside them.
fn uneven(bytes: &[u8], found: &mut Vec<Range<usize>>) {
    const WIDE: usize = 3;
    let figures = |from: usize| bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
    let mut row: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    loop {
        let next = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)).map(|offset| at + offset);
        let joined = next.zip(row.last()).is_some_and(|(next, last)| {
            let gap = bytes.get(last.end..next).unwrap_or_default();
            (1..=WIDE).contains(&gap.len()) && gap.iter().all(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b',' | b'-'))
        });
        if !joined {
            if row.len() == 4 && row.iter().all(|group| group.len() == 4) {
                let digits: Vec<u8> =
                    row.iter().flat_map(Clone::clone).filter_map(|at| bytes.get(at).map(|byte| byte.wrapping_sub(b'0'))).collect();
                let (start, end) = (row.first().map_or(0, |first| first.start), row.last().map_or(0, |last| last.end));
                let touches = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
                if is_card(&digits) && !touches(start.checked_sub(1)) && !touches(Some(end)) {
                    found.push(start..end);
                }
            }
            row.clear();
        }
        let Some(start) = next else { return };
        let end = start + figures(start);
        row.push(start..end);
        at = end;
    }
}

/// The signs between two groups, without their blanks: what two gaps have in common.
fn sign(gap: &[u8]) -> ([u8; WIDEST], bool) {
    let mut signs = [0; WIDEST];
    for (place, byte) in signs.iter_mut().zip(gap.iter().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))) {
        *place = *byte;
    }
    (signs, gap.contains(&b'\n'))
}

impl Row {
    /// The groups from `start` on, for as long as the signs between them are the same.
    fn read(bytes: &[u8], start: usize) -> Self {
        let figures = |from: usize| bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        let mut end = start + figures(start);
        let mut groups = Vec::new();
        groups.push(start..end);
        let mut between = None;
        while let Some(rest) = bytes.get(end..) {
            let gap = rest.iter().take(WIDEST).take_while(|byte| !byte.is_ascii_alphanumeric() && byte.is_ascii()).count();
            let next = end + gap;
            let Some(signs) = rest.get(..gap).filter(|gap| !gap.is_empty()).map(sign) else { break };
            if figures(next) == 0 || *between.get_or_insert(signs) != signs {
                break;
            }
            end = next + figures(next);
            groups.push(next..end);
        }
        Self { groups }
    }

    /// The card that the row is; of one that is announced, the one it begins with, however its figures are grouped.
    fn card(&self, bytes: &[u8], labelled: bool) -> Option<Range<usize>> {
        let alone = |group: &Range<usize>| {
            let touches = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
            !touches(group.start.checked_sub(1)) && !touches(Some(group.end))
        };
        let mut digits = Vec::with_capacity(LONGEST);
        for (count, group) in (1..).zip(&self.groups) {
            digits.extend(bytes.get(group.clone())?.iter().map(|byte| byte.wrapping_sub(b'0')));
            if digits.len() > LONGEST {
                return None;
            }
            let whole = count == self.groups.len();
            let shaped = labelled || (whole && self.is_shaped());
            if shaped && digits.len() >= 13 && is_card(&digits) && alone(self.groups.first()?) && alone(group) {
                return Some(self.groups.first()?.start..group.end);
            }
        }
        None
    }

    /// The social security number that the row is.
    fn social_security(&self, bytes: &[u8]) -> Option<Range<usize>> {
        let [area, group, serial] = self.groups.as_slice() else { return None };
        let digits = || self.groups.iter().flat_map(Clone::clone).filter_map(|at| bytes.get(at).map(|byte| byte.wrapping_sub(b'0')));
        let digits: Vec<u8> = if (area.len(), group.len(), serial.len()) == (3, 2, 4) { digits().collect() } else { return None };
        us_ssn(&digits).then_some(area.start..serial.end)
    }

    /// Whether the groups are a card's, or single figures.
    fn is_shaped(&self) -> bool {
        let mut lengths = self.groups.iter().map(Range::len);
        let first = lengths.next();
        match first {
            Some(1) => lengths.all(|length| length == 1),
            Some(4) => {
                let rest: Vec<usize> = lengths.collect();
                matches!(rest.as_slice(), [4, 4, 4] | [6, 4 | 5])
            }
            _ => false,
        }
    }
}
