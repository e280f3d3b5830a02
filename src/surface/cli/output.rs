//! The terminal as a place to write to: a locked writer that returns errors, colours, widths and aligned tables.
//! Knows nothing of facts.

use std::io::{self, IsTerminal, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How wide a line may be where there is no terminal to ask.
pub(super) const DEFAULT_WIDTH: usize = 100;

/// A colour or weight; nothing is told by it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Bold,
    Dim,
    Good,
    Warn,
    Bad,
}

impl Paint {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "\u{1b}[1m",
            Self::Dim => "\u{1b}[2m",
            Self::Good => "\u{1b}[36m",
            Self::Warn => "\u{1b}[33m",
            Self::Bad => "\u{1b}[31m",
        }
    }
}

/// Somewhere to write for people or programs.
pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
    colour: bool,
    width: usize,
}

impl<'a> Screen<'a> {
    /// Writes to `out`, with or without colours, in lines of about `width` columns.
    pub(super) fn new(out: &'a mut dyn Write, colour: bool, width: usize) -> Self {
        Self { out, colour, width }
    }

    /// The columns of a line.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    /// Where bytes go, for what is not written in lines.
    pub(super) fn raw(&mut self) -> &mut dyn Write {
        self.out
    }

    /// One line. Text from outside must have passed through [`clean`].
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// One line in pieces of their own colour; blanks at its end are left out.
    pub(super) fn pieces(&mut self, pieces: &[(Paint, &str)]) -> io::Result<()> {
        let last = pieces.iter().rposition(|(_, text)| !text.trim_end().is_empty());
        for (at, (paint, text)) in pieces.iter().enumerate() {
            match last {
                Some(last) if at < last => self.piece(*paint, text)?,
                Some(last) if at == last => self.piece(*paint, text.trim_end())?,
                Some(_) | None => {}
            }
        }
        self.out.write_all(b"\n")
    }

    fn piece(&mut self, paint: Paint, text: &str) -> io::Result<()> {
        let painted = self.colour && paint != Paint::Plain && !text.trim().is_empty();
        if painted {
            self.out.write_all(paint.code().as_bytes())?;
        }
        self.out.write_all(text.as_bytes())?;
        if painted {
            self.out.write_all(b"\x1b[0m")?;
        }
        Ok(())
    }

    /// Rows of cells, each column as wide as its widest cell, two blanks between; columns that are empty throughout are left out.
    pub(super) fn table(&mut self, indent: usize, rows: &[Vec<(Paint, String)>]) -> io::Result<()> {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> =
            (0..columns).map(|at| rows.iter().filter_map(|row| row.get(at)).map(|(_, cell)| cell.width()).max().unwrap_or(0)).collect();
        for row in rows {
            let mut pieces = vec![(Paint::Plain, " ".repeat(indent))];
            for ((paint, cell), width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
                pieces.push((*paint, cell.clone()));
                pieces.push((Paint::Plain, " ".repeat(width - cell.width() + 2)));
            }
            let pieces: Vec<(Paint, &str)> = pieces.iter().map(|(paint, text)| (*paint, text.as_str())).collect();
            self.pieces(&pieces)?;
        }
        Ok(())
    }
}

/// The width to write in and whether to colour, for standard output.
pub(super) fn stdout_manners() -> (bool, usize) {
    let terminal = io::stdout().is_terminal();
    let plain =
        std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let width = if terminal { terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)) } else { None };
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    (terminal && !plain, width.or(told).unwrap_or(DEFAULT_WIDTH).clamp(40, 240))
}

/// `text` without control characters, so that what was remembered cannot command the terminal; line ends and tabs become blanks.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' => ' ',
            // Bidirectional overrides reorder what stands around them.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// The first columns of `text`, with `…` where something was cut.
pub(super) fn shorten(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide + 1 > columns {
            break;
        }
        used += wide;
        short.push(c);
    }
    short.push('…');
    short
}

/// `text` filled with blanks to `columns`.
pub(super) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// `1,234,567`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 fact`, `2,000 facts`; the plural is given where it is not an added `s`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// Bytes in the unit that reads best.
pub(super) fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number;
    let mut tenths = 0;
    let mut at = 0;
    while value >= 1024 && at + 1 < UNITS.len() {
        tenths = (value % 1024) * 10 / 1024;
        value /= 1024;
        at += 1;
    }
    match UNITS.get(at) {
        Some(unit) if at > 0 => format!("{value}.{tenths} {unit}"),
        Some(_) | None => format!("{} bytes", thousands(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_aligns_wide_characters_and_leaves_empty_columns_out() {
        let mut out = Vec::new();
        let cell = |text: &str| (Paint::Plain, text.to_owned());
        Screen::new(&mut out, false, 80)
            .table(2, &[vec![cell("東京"), cell(""), cell("certain")], vec![cell("Oslo"), cell(""), cell("possible")], vec![cell("X")]])
            .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "  東京  certain\n  Oslo  possible\n  X\n");
    }

    #[test]
    fn colours_are_only_written_where_they_are_wanted() {
        for (colour, expected) in [(false, "a b\n"), (true, "a \u{1b}[1mb\u{1b}[0m\n")] {
            let mut out = Vec::new();
            Screen::new(&mut out, colour, 80).pieces(&[(Paint::Plain, "a "), (Paint::Bold, "b"), (Paint::Dim, "  ")]).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn remembered_text_cannot_command_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\nc\u{202e}d"), "a\u{fffd}[2Jb c\u{fffd}d");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1023, 1536, 5 << 30].map(bytes), ["0 bytes", "1,023 bytes", "1.5 KiB", "5.0 GiB"]);
        assert_eq!(count(1, "fact", "facts"), "1 fact");
    }

    #[test]
    fn shortening_counts_columns() {
        assert_eq!(shorten("東京都庁", 5), "東京…");
        assert_eq!(shorten("Oslo", 4), "Oslo");
    }
}
