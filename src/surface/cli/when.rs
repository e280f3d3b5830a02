//! `when`: the temporal expressions of a text, underlined and said in plain words. Opens no memory.

use super::args::{Global, WhenText};
use super::fail::{DONE, Failure};
use super::output::{Paint, Screen, clean};
use super::read::{Outcome, print_object};
use crate::memory::{Clock, SystemClock};
use crate::surface::transfer::{self, SCHEMA};
use crate::time::expr::{Context, DayPart, Language, Role, Sort, TimeMention, Value, describe_in, find};
use crate::time::{Zone, parse_moment};
use serde_json::json;
use std::io::{self, Read};
use unicode_width::UnicodeWidthStr;

/// `when TEXT`.
pub(super) fn when(global: &Global, screen: &mut Screen<'_>, asked: &WhenText) -> Outcome {
    let zone = Zone::parse(&global.zone)?;
    let context = context(asked, zone)?;
    let text = if asked.text == "-" {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map_err(|error| Failure::file(std::path::Path::new("-"), error))?;
        text
    } else {
        asked.text.clone()
    };
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

/// The context that the flags name; without a reference, the reference is now.
fn context(asked: &WhenText, zone: Zone) -> Result<Context, Failure> {
    let reference = match asked.reference.as_deref() {
        Some(text) => {
            let next = "write a time as 2019-06-01 or 2019-06-01T12:00:00Z";
            parse_moment(text, &zone).map_err(|error| Failure::given("--ref", text, error.to_string(), next))?.lo()
        }
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
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        screen.line(&clean(line.trim_end_matches('\r')))?;
        let mut marks = String::new();
        for mention in mentions.iter().filter(|mention| mention.bytes.start < end && mention.bytes.end > start) {
            let (from, to) = (mention.bytes.start.max(start), mention.bytes.end.min(end));
            let columns = |from: usize, to: usize| text.get(from..to).map_or(0, |part| clean(part).width());
            // Marks touch where mentions do, so each begins with a corner.
            let before = columns(start, from).saturating_sub(marks.width());
            marks.push_str(&" ".repeat(before));
            marks.push('╰');
            marks.push_str(&"─".repeat(columns(from, to).saturating_sub(1)));
        }
        if !marks.is_empty() {
            screen.pieces(&[(Paint::Good, &marks)])?;
        }
        start = end + 1;
    }
    Ok(())
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
        let about = if mention.approximate { "about " } else { "" };
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
            "weekend": set.weekend, "part": set.part.map(DayPart::name),
            "time": set.time.map(clock), "until": set.until.map(clock), "words": words,
        }),
    }
}
