//! Which day the lines of a schedule are of: a date that heads a list, or that a line begins with, is that of the times beneath it.
//! Knows nothing of words; it looks at marks, at the ends of lines and at where dates stand in them.

use super::calendar::{Grain, Granule, date_of};
use super::token::{Kind, Token};
use crate::time::civil::DAY;
use chrono::{Datelike, Weekday};

/// How many tokens of a line are looked at.
const REACH: usize = 12;

/// The longest stretch of days whose weekdays are told apart.
const LONGEST: i64 = 14 * DAY;

/// The day that heads what is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heading {
    day: Option<Granule>,
    /// The days that head the lines: a week that a plan is for.
    days: Option<Granule>,
    /// The day is of its own line only: "5 May: lunch at 1 pm".
    of_line: bool,
    /// Where the line begins, as a token.
    line: usize,
    /// The line of the day, if it has one.
    of: Option<usize>,
}

impl Heading {
    /// The day of a time that names none.
    pub(super) const fn day(&self) -> Option<Granule> {
        self.day
    }

    /// The weekday of a plan's line that names no date.
    pub(super) fn weekday(&self, weekday: Weekday) -> Option<Granule> {
        let days = self.days?;
        let back = i64::from(date_of(days.from)?.weekday().days_since(Weekday::Mon));
        let ahead = (i64::from(weekday.num_days_from_monday()) - back).rem_euclid(7);
        Granule::at(days.from.checked_add(ahead * DAY)?, Grain::Day).filter(|day| day.within(days.window()))
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
        if prose {
            *self = Self { line: self.line, ..Self::default() };
        } else if self.of_line {
            self.day = None;
        }
    }

    /// A day, or a stretch of days, that was read from a token on to another.
    pub(super) fn hear(&mut self, tokens: &[Token<'_>], from: usize, to: usize, day: Granule) {
        let several = day.width() > DAY;
        if day.width() > LONGEST {
            return;
        }
        let (Some(before), Some(after)) = (tokens.get(self.line..from.min(self.line + REACH)), tokens.get(to..)) else { return };
        let near = from < self.line + REACH;
        let dressed = |token: &Token<'_>| matches!(token.kind, Kind::Mark('*' | '_' | '#' | '-' | '>' | '|' | '(' | '•' | '.'));
        let line: Vec<&Token<'_>> = after.iter().take(REACH).take_while(|token| !token.is_mark('\n')).collect();
        let whole = line.len() < REACH;
        let told = |token: &&&Token<'_>| !token.is_mark('*') && !token.is_mark('_');
        let (next, last) = (line.iter().find(told), line.iter().rev().find(told));
        let opens = near && before.iter().all(|token| dressed(token) || token.number().is_some());
        // "Date: 5 May"
        let words = before.iter().filter(|token| !dressed(token)).count();
        let labelled = near && words <= 3 && before.iter().rev().find(|token| !dressed(token)).is_some_and(|label| label.is_mark(':'));
        let alone = whole && line.iter().all(|token| dressed(token) || matches!(token.kind, Kind::Mark(':' | ')' | ',')));
        // "Monday and Friday:" are two, and neither is the day of what is beneath.
        let bracketed = next.is_none_or(|next| matches!(next.kind, Kind::Mark(':' | '(' | '-')));
        let second = !several && !self.of_line && self.of == Some(self.line);
        if second || opens && !several && !bracketed && last.is_some_and(|last| last.is_mark(':')) {
            self.day = None;
            return;
        }
        let heads = tokens.get(self.line).is_some_and(|first| first.is_mark('#'))
            || alone && (opens || labelled)
            || opens && bracketed && whole && last.is_some_and(|last| last.is_mark(':'));
        if several {
            // "Week 2 (4 to 10 May)"
            if alone && near && words <= 4 {
                *self = Self { days: Some(day), line: self.line, ..Self::default() };
            }
            return;
        }
        let leads = opens && next.is_some_and(|next| matches!(next.kind, Kind::Mark(':' | '|')));
        if heads || leads {
            (self.day, self.of_line, self.of) = (Some(day), !heads, Some(self.line));
        }
    }
}
