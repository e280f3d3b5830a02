//! Which day the lines of a schedule are of: a date that heads a list, or that a line begins with, is that of the times beneath it.
//! Knows nothing of words; it looks at marks, at the ends of lines and at where dates stand in them.

use super::calendar::Granule;
use super::token::{Kind, Token};

/// How many tokens of a line are looked at.
const REACH: usize = 12;

/// The day that heads what is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heading {
    day: Option<Granule>,
    /// It is of its own line only: "5 May: lunch at 1 pm".
    of_line: bool,
    /// Where the line begins, as a token.
    line: usize,
}

impl Heading {
    /// The day of a time that names none.
    pub(super) const fn day(&self) -> Option<Granule> {
        self.day
    }

    /// A token that is of no expression.
    pub(super) fn pass(&mut self, tokens: &[Token<'_>], at: usize) {
        if !tokens.get(at).is_some_and(|token| token.is_mark('\n')) {
            return;
        }
        self.line = at + 1;
        // Prose after an empty line is of no list any more, and a heading without a date begins another.
        let empty = at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| before.is_mark('\n'));
        let prose = tokens.get(at + 1).is_some_and(|next| next.is_mark('#') || empty && matches!(next.kind, Kind::Word | Kind::Glyph));
        if self.of_line || prose {
            *self = Self { line: self.line, ..Self::default() };
        }
    }

    /// A day that was read from a token on to another.
    pub(super) fn hear(&mut self, tokens: &[Token<'_>], from: usize, to: usize, day: Granule) {
        let (Some(before), Some(after)) = (tokens.get(self.line..from), tokens.get(to..)) else { return };
        let dressed = |token: &Token<'_>| matches!(token.kind, Kind::Mark('*' | '_' | '#' | '-' | '>' | '|' | '(' | '•' | '.'));
        let line: Vec<&Token<'_>> = after.iter().take(REACH).take_while(|token| !token.is_mark('\n')).collect();
        let whole = line.len() < REACH;
        let told = |token: &&&Token<'_>| !token.is_mark('*') && !token.is_mark('_');
        let (next, last) = (line.iter().find(told), line.iter().rev().find(told));
        let opens = before.len() < REACH && before.iter().all(|token| dressed(token) || token.number().is_some());
        // "Date: 5 May"
        let labelled = before.len() < REACH
            && before.iter().rev().find(|token| !dressed(token)).is_some_and(|label| label.is_mark(':'));
        let alone = whole && line.iter().all(|token| dressed(token) || matches!(token.kind, Kind::Mark(':' | ')' | ',')));
        let heads = tokens.get(self.line).is_some_and(|first| first.is_mark('#'))
            || alone && (opens || labelled)
            || opens && whole && last.is_some_and(|last| last.is_mark(':'));
        let leads = opens && next.is_some_and(|next| matches!(next.kind, Kind::Mark(':' | '|')));
        if heads || leads {
            *self = Self { day: Some(day), of_line: !heads, line: self.line };
        }
    }
}
