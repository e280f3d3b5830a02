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

/// How deep a line is that is no heading by its marks: any heading ends what it heads.
const LIST: usize = usize::MAX;

/// The days that head what is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heading {
    day: Option<Headed>,
    /// The week that a plan is for.
    days: Option<Headed>,
    /// Where the line begins, as a token.
    line: usize,
}

/// What heads the lines beneath.
#[derive(Clone, Copy, Debug)]
struct Headed {
    granule: Granule,
    /// How many marks of a heading its line begins with.
    depth: usize,
    /// The line it was said in.
    line: usize,
    /// It is of that line only: "5 May: lunch at 1 pm".
    alone: bool,
}

impl Heading {
    /// The day of a time that names none.
    pub(super) fn day(&self) -> Option<Granule> {
        self.day.map(|headed| headed.granule)
    }

    /// The weekday of a plan's line that names no date.
    pub(super) fn weekday(&self, weekday: Weekday) -> Option<Granule> {
        let days = self.days?.granule;
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
        // Prose after an empty line is of no list any more.
        let empty = at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| before.is_mark('\n'));
        if empty && tokens.get(at + 1).is_some_and(|next| matches!(next.kind, Kind::Word | Kind::Glyph)) {
            (self.day, self.days) = (None, None);
            return;
        }
        // A heading ends what is not above it.
        let depth = depth(tokens, self.line);
        let goes_on = |headed: &Headed| !headed.alone && (depth == LIST || depth > headed.depth);
        self.day = self.day.filter(goes_on);
        self.days = self.days.filter(goes_on);
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
        let labelled = near && words <= 4 && before.iter().rev().find(|token| !dressed(token)).is_some_and(|label| label.is_mark(':'));
        let alone = whole && line.iter().all(|token| dressed(token) || matches!(token.kind, Kind::Mark(':' | ')' | ',')));
        // "Monday and Friday:" are two, and neither is the day of what is beneath.
        let bracketed = next.is_none_or(|next| matches!(next.kind, Kind::Mark(':' | '(' | '-')));
        let second = !several && self.day.is_some_and(|headed| !headed.alone && headed.line == self.line);
        if second || opens && !several && !bracketed && last.is_some_and(|last| last.is_mark(':')) {
            self.day = None;
            return;
        }
        let headed = Headed { granule: day, depth: depth(tokens, self.line), line: self.line, alone: false };
        if several {
            // "Week 2 (4 to 10 May)"
            if alone && near && words <= 4 {
                (self.day, self.days) = (None, Some(headed));
            }
            return;
        }
        let heads = headed.depth != LIST
            || alone && (opens || labelled)
            || opens && bracketed && whole && last.is_some_and(|last| last.is_mark(':'));
        let leads = opens && next.is_some_and(|next| matches!(next.kind, Kind::Mark(':' | '|')));
        if heads || leads {
            self.day = Some(Headed { alone: !heads, ..headed });
        }
    }
}

/// How many marks of a heading a line begins with.
fn depth(tokens: &[Token<'_>], line: usize) -> usize {
    const DEEPEST: usize = 7;
    match tokens.get(line..).unwrap_or_default().iter().take(DEEPEST).take_while(|token| token.is_mark('#')).count() {
        0 => LIST,
        depth => depth,
    }
}
