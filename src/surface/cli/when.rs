//! `when`: the temporal expressions of a text, underlined and said in plain words. Opens no memory.

use super::args::{Global, WhenText};
use super::context::{moment_said, zone_of};
use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean};
use super::read::{Outcome, print_object};
use crate::memory::{Clock, SystemClock};
use crate::surface::transfer::{self, SCHEMA};
use crate::time::expr::{Context, DayPart, Language, Role, Sort, TimeMention, Value, describe_in, find};
use crate::time::{Season, Zone};
use serde_json::json;
use std::io::{self, Read};
use std::iter::Peekable;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// `when TEXT`.
pub(super) fn when(global: &Global, screen: &mut Screen<'_>, asked: &WhenText) -> Outcome {
    let zone = zone_of(global)?;
    let context = context(asked, zone)?;
    let text = asked.text.join(" ");
    let text = if text == "-" { standard_input()? } else { text };
    let mentions = find(&text, &context);
    if global.json {
        let mentions: Vec<_> = mentions.iter().map(|mention| object(&text, mention, zone)).collect();
        print_object(
            screen,
            &json!({ "schema": SCHEMA, "command": "when", "reference": transfer::instant(context.reference), "mentions": mentions }),
        )?;
    } else {
        underline(screen, &text, &mentions)?;
        table(screen, &text, &mentions, zone)?;
    }
    Ok(DONE)
}

/// The text on standard input.
fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| Failure::file(std::path::Path::new("-"), error))?;
    String::from_utf8(bytes).map_err(|error| {
        let reason = format!("is no UTF-8 from byte {} on", error.utf8_error().valid_up_to());
        Failure::given("the text", "-", reason, "convert it to UTF-8 first")
    })
}

/// The context that the flags name; without a reference, the reference is now.
fn context(asked: &WhenText, zone: Zone) -> Result<Context, Failure> {
    let reference = match asked.reference.as_deref() {
        Some(text) => moment_said("--ref", text, zone, SystemClock.now())?.lo(),
        None => SystemClock.now(),
    };
    let context = Context::new(reference, zone);
    match asked.lang.as_deref() {
        Some(name) => {
            let codes: Vec<&str> = Language::ALL.iter().map(|language| language.code()).collect();
            let next = format!("the languages are {}", codes.join(" and "));
            let language = Language::parse(name).ok_or_else(|| Failure::given("--lang", name, "there is no grammar for it", next))?;
            Ok(context.in_language(language))
        }
        None => Ok(context),
    }
}

/// Each line of the text, with a line beneath it that marks what was read.
fn underline(screen: &mut Screen<'_>, text: &str, mentions: &[TimeMention]) -> io::Result<()> {
    let mut left = mentions.iter().map(|mention| mention.bytes.clone()).peekable();
    let mut start = 0;
    for line in text.split('\n') {
        screen.line(&clean(line.trim_end_matches('\r')))?;
        let marks = marks(text, start..start + line.len(), &mut left);
        if !marks.is_empty() {
            screen.pieces(&[(Paint::Good, &marks)])?;
        }
        start += line.len() + 1;
    }
    Ok(())
}

/// What is drawn beneath a line of the text to mark those of the stretches that lie in it; those that end in it are taken.
///
/// # Complexity
/// Linear in the line: every byte of it is measured once.
fn marks(text: &str, line: Range<usize>, left: &mut Peekable<impl Iterator<Item = Range<usize>>>) -> String {
    let columns = |from: usize, to: usize| text.get(from..to).map_or(0, |part| clean(part).width());
    let mut marks = String::new();
    // How far the text and the marks have come, in columns.
    let (mut at, mut column, mut drawn) = (line.start, 0, 0);
    while let Some(bytes) = left.next_if(|bytes| bytes.start < line.end) {
        let (from, to) = (bytes.start.max(line.start), bytes.end.min(line.end));
        if from < to {
            column += columns(at, from);
            let (before, width) = (column.saturating_sub(drawn), columns(from, to));
            // Marks touch where mentions do, so each begins with a corner.
            marks.push_str(&" ".repeat(before));
            marks.push('╰');
            marks.push_str(&"─".repeat(width.saturating_sub(1)));
            drawn += before + width.max(1);
            (at, column) = (to, column + width);
        }
        if bytes.end > line.end {
            break;
        }
    }
    marks
}

/// A row for each mention: its words, how it bears, what it means, what else it may mean.
fn table(screen: &mut Screen<'_>, text: &str, mentions: &[TimeMention], zone: Zone) -> io::Result<()> {
    if mentions.is_empty() {
        return screen.pieces(&[(Paint::Dim, "no temporal expression")]);
    }
    let row = |mention: &TimeMention| {
        let said = |value: &Value| describe_in(value, mention.language, &zone);
        let others: Vec<String> = mention.alternatives.iter().map(said).collect();
        let others = if others.is_empty() { String::new() } else { format!("or {}", others.join(", or ")) };
        // A moment's wording says so itself.
        let about = if mention.approximate && !matches!(mention.value, Value::Moment(_)) { "about " } else { "" };
        vec![
            (Paint::Bold, clean(text.get(mention.bytes.clone()).unwrap_or_default())),
            (Paint::Dim, role(mention.role).to_owned()),
            (Paint::Plain, format!("{about}{}", said(&mention.value))),
            (Paint::Dim, others),
        ]
    };
    screen.table(0, &mentions.iter().map(row).collect::<Vec<_>>())
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::At => "at",
        Role::During => "during",
        Role::Since => "since",
        Role::After => "after",
        Role::Until => "until",
        Role::Before => "before",
        Role::By => "by",
        Role::For => "for",
        Role::Every => "every",
    }
}

const fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Date => "date",
        Sort::DateRange => "date_range",
        Sort::DateTime => "date_time",
        Sort::DateTimeRange => "date_time_range",
        Sort::Time => "time",
        Sort::TimeRange => "time_range",
        Sort::Duration => "duration",
        Sort::Set => "set",
    }
}

fn object(text: &str, mention: &TimeMention, zone: Zone) -> serde_json::Value {
    let value = |value: &Value| value_object(value, mention.language, zone);
    json!({
        "text": text.get(mention.bytes.clone()),
        "start": mention.span.start,
        "end": mention.span.end,
        "sort": sort(mention.sort),
        "role": role(mention.role),
        "grain": mention.grain.name(),
        "approximate": mention.approximate,
        "language": mention.language.code(),
        "value": value(&mention.value),
        "alternatives": mention.alternatives.iter().map(value).collect::<Vec<_>>(),
    })
}

fn value_object(value: &Value, language: Language, zone: Zone) -> serde_json::Value {
    let words = describe_in(value, language, &zone);
    let clock = |(hour, minute): (u32, u32)| format!("{hour:02}:{minute:02}");
    match value {
        Value::Moment(moment) => json!({
            "kind": "moment", "lo": transfer::instant(moment.lo()), "hi": transfer::instant(moment.hi()),
            "text": moment.display_in(&zone).to_string(), "words": words,
        }),
        Value::Span(span) => json!({
            "kind": "span", "from": transfer::start(span.start()), "to": transfer::end(span.end()), "words": words,
        }),
        Value::Duration(length) => json!({
            "kind": "duration", "months": length.months, "days": length.days, "micros": length.micros, "words": words,
        }),
        Value::Set(set) => json!({
            "kind": "set", "interval": set.interval, "grain": set.grain.name(), "times": set.times,
            "weekdays": set.weekdays.iter().collect::<Vec<_>>(), "nth": set.nth.iter().collect::<Vec<_>>(), "day": set.day, "month": set.month,
            "season": set.season.map(Season::name),            "weekend": set.weekend, "part": set.part.map(DayPart::name),
            "time": set.time.map(clock), "until": set.until.map(clock), "words": words,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marks of each line of a text in which the given words were read.
    fn drawn(text: &str, words: &[&str]) -> Vec<String> {
        let mut at = 0;
        let found: Vec<Range<usize>> = words
            .iter()
            .map(|word| {
                let start = at + text[at..].find(word).unwrap();
                at = start + word.len();
                start..at
            })
            .collect();
        let mut left = found.into_iter().peekable();
        let mut start = 0;
        text.split('\n')
            .map(|line| {
                let marks = marks(text, start..start + line.len(), &mut left);
                start += line.len() + 1;
                marks
            })
            .collect()
    }

    #[test]
    fn marks_stand_beneath_what_was_read_on_every_line() {
        assert_eq!(drawn("a 2019 b 5pm", &["2019", "5pm"]), ["  ╰───   ╰──"]);
        assert_eq!(drawn("春5pm5pm\n\n去年 x", &["5pm", "5pm", "去年"]), ["  ╰──╰──", "", "╰───"]);
        assert_eq!(drawn("no\n2019", &["2019"]), ["", "╰───"]);
    }

    #[test]
    fn what_goes_on_in_the_next_line_is_marked_in_both() {
        assert_eq!(drawn("in 3\nMay x 5pm", &["3\nMay", "5pm"]), ["   ╰", "      ╰──"]);
    }

    /// Counts how often it is asked for an element.
    struct Counted<'c>(std::vec::IntoIter<Range<usize>>, &'c std::cell::Cell<usize>);

    impl Iterator for Counted<'_> {
        type Item = Range<usize>;

        fn next(&mut self) -> Option<Range<usize>> {
            self.1.set(self.1.get() + 1);
            self.0.next()
        }
    }

    #[test]
    fn each_stretch_is_looked_at_once_however_many_lines_there_are() {
        let asked = |lines: usize| {
            let text = "5pm\n".repeat(lines);
            let stretches: Vec<Range<usize>> = (0..lines).map(|line| line * 4..line * 4 + 3).collect();
            let count = std::cell::Cell::new(0);
            let mut left = Counted(stretches.into_iter(), &count).peekable();
            for line in 0..lines {
                assert_eq!(marks(&text, line * 4..line * 4 + 3, &mut left), "╰──");
            }
            count.get()
        };
        assert!(asked(2_000) <= 2 * asked(1_000) + 2);
    }
}
