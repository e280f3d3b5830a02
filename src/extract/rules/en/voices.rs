//! Others' words in a turn: quoted lines, fenced text, transcripts, letters and what somebody says they were sent.
//!
//! Owns the marks by which people paste what they did not say. Knows no grammar, and does not tell what the others claim: who is quoted
//! is seldom said, and never surely.

use std::ops::Range;

/// Labels of lines that are no speaker's: "Note: …".
const LABELS: [&str; 44] = [
    "note",
    "notes",
    "update",
    "edit",
    "ps",
    "p.s",
    "fyi",
    "btw",
    "tldr",
    "tl;dr",
    "question",
    "answer",
    "reminder",
    "summary",
    "fact",
    "facts",
    "address",
    "email",
    "mail",
    "phone",
    "name",
    "job",
    "work",
    "employer",
    "city",
    "home",
    "age",
    "birthday",
    "allergies",
    "diet",
    "pets",
    "hobbies",
    "family",
    "important",
    "remember",
    "warning",
    "context",
    "background",
    "correction",
    "status",
    "today",
    "news",
    "me",
    "conclusion",
];

/// What somebody gets or passes on that others wrote.
const LETTERS: [&str; 27] = [
    "email",
    "e-mail",
    "mail",
    "message",
    "letter",
    "text",
    "post",
    "tweet",
    "review",
    "comment",
    "reply",
    "article",
    "transcript",
    "excerpt",
    "quote",
    "bio",
    "profile",
    "ad",
    "advert",
    "dm",
    "voicemail",
    "chat",
    "conversation",
    "thread",
    "snippet",
    "passage",
    "invitation",
];

/// How it came to them.
const CAME: [&str; 22] = [
    "got",
    "get",
    "received",
    "receive",
    "found",
    "saw",
    "sent",
    "forwarded",
    "wrote",
    "writes",
    "says",
    "said",
    "posted",
    "copied",
    "pasted",
    "texted",
    "emailed",
    "messaged",
    "reads",
    "below",
    "following",
    "from",
];

/// Words of people who write of themselves.
const OWN_WORDS: [&str; 11] = ["i", "i'm", "i've", "i'll", "i'd", "my", "we", "we're", "we've", "our", "me"];

/// What a letter ends with.
const FAREWELLS: [&str; 17] = [
    "regards",
    "best regards",
    "kind regards",
    "warm regards",
    "best",
    "best wishes",
    "sincerely",
    "yours sincerely",
    "yours faithfully",
    "yours truly",
    "yours",
    "cheers",
    "love",
    "thanks",
    "many thanks",
    "warmly",
    "respectfully",
];

/// The stretches of a turn that somebody else said, as bytes of it, in order and apart. `author` is whoever speaks the turn.
///
/// # Complexity
/// Linear in the text.
pub(super) fn of_others(text: &str, author: Option<&str>) -> Vec<Range<usize>> {
    if !text.contains(['\n', '>', ':', '`', '~']) {
        return Vec::new();
    }
    let lines = lines(text);
    let mut others = quoted(&lines);
    others.extend(fenced(&lines, text.len()));
    others.extend(transcribed(&lines, author));
    others.extend(letter(&lines, author));
    others.extend(mailed(&lines, text.len()));
    others.extend(passed_on(text));
    others.sort_by_key(|other| (other.start, other.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(others.len());
    for other in others {
        match apart.last_mut() {
            Some(last) if other.start <= last.end => last.end = last.end.max(other.end),
            _ => apart.push(other),
        }
    }
    apart
}

/// A line with where it stands.
struct Row<'t> {
    text: &'t str,
    bytes: Range<usize>,
}

fn lines(text: &str) -> Vec<Row<'_>> {
    let mut at = 0;
    let row = |line: &'_ str| {
        let start = at;
        at += line.len();
        start..at
    };
    let bytes: Vec<Range<usize>> = text.split_inclusive('\n').map(row).collect();
    bytes.into_iter().map(|bytes| Row { text: text.get(bytes.clone()).unwrap_or_default().trim(), bytes }).collect()
}

/// "> …"; but not ">:(" and ">50 people".
fn quoted(lines: &[Row<'_>]) -> Vec<Range<usize>> {
    let is_quoted = |line: &&Row<'_>| {
        line.text
            .strip_prefix('>')
            .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_alphabetic() || matches!(c, '>' | '"' | '“' | '*' | '_')))
    };
    lines.iter().filter(is_quoted).map(|line| line.bytes.clone()).collect()
}

/// What stands between fences, or behind one that nothing closes.
fn fenced(lines: &[Row<'_>], end: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for line in lines {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.text.starts_with(mark));
        match (open, mark) {
            // "```x```" opens and closes on one line.
            (None, Some(mark)) if line.text.get(mark.len()..).is_some_and(|rest| rest.contains(mark)) => found.push(line.bytes.clone()),
            (None, Some(mark)) => open = Some((line.bytes.start, mark)),
            (Some((from, opened)), Some(mark)) if mark == opened => {
                found.push(from..line.bytes.end);
                open = None;
            }
            _ => {}
        }
    }
    found.extend(open.map(|(from, _)| from..end));
    found
}

/// Lines that begin with another speaker's name, and those between two of them: "Bo: I live in Ghent".
fn transcribed(lines: &[Row<'_>], author: Option<&str>) -> Vec<Range<usize>> {
    let voices: Vec<Option<bool>> = lines.iter().map(|line| speaker(line.text).map(|name| is_author(name, author))).collect();
    let last = voices.iter().rposition(Option::is_some).unwrap_or_default();
    let mut found = Vec::new();
    let mut other = false;
    for (at, line) in lines.iter().enumerate() {
        let labelled = voices.get(at).copied().flatten();
        let goes_on = at < last && !line.text.is_empty();
        other = match labelled {
            Some(own) => !own,
            None => other && goes_on,
        };
        if other {
            found.push(line.bytes.clone());
        }
    }
    found
}

/// Whether a name is the author's, in full or its first word.
fn is_author(name: &str, author: Option<&str>) -> bool {
    let first = |name: &str| name.split_whitespace().next().unwrap_or_default().to_lowercase();
    name.eq_ignore_ascii_case("me") || author.is_some_and(|author| author.eq_ignore_ascii_case(name) || first(author) == first(name))
}

/// The name in front of a line that somebody says of themselves: "[10:33] Bo Lind: I …".
fn speaker(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['-', '*', '•', ' ']);
    let line = match line.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(_, rest)| rest).trim_start(),
        None => line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '/' | '.' | ',' | ' ' | '-' | '–')),
    };
    let (label, said) = line.split_once(':')?;
    let label = label.split_once(" (").map_or(label, |(name, _)| name).trim_matches(['*', '_', ' ']);
    let words: Vec<&str> = label.split_whitespace().collect();
    let named = (1..=3).contains(&words.len()) && words.iter().all(|word| word.starts_with(char::is_uppercase));
    let labels = words.iter().any(|word| LABELS.contains(&word.to_lowercase().trim_end_matches('.')));
    let lower = said.to_lowercase().replace('’', "'");
    let own = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| OWN_WORDS.contains(&word));
    (named && !labels && own && said.starts_with(' ')).then_some(label)
}

/// A letter that somebody else signed, from its salutation to its signature.
fn letter(lines: &[Row<'_>], author: Option<&str>) -> Option<Range<usize>> {
    let greets = |line: &Row<'_>| {
        let first = line.text.split([' ', ',']).next().unwrap_or_default();
        matches!(first, "Dear" | "Hi" | "Hello" | "Hey" | "To") && line.text.len() < 48 && line.text.ends_with([',', ':', '!', '-'])
    };
    let from = lines.iter().find(|line| greets(line))?.bytes.start;
    let (at, farewell) = lines.iter().enumerate().rev().find_map(|(at, line)| {
        let lead = line.text.split([',', '!']).next().unwrap_or_default().to_lowercase();
        FAREWELLS.contains(&lead.as_str()).then_some((at, line))
    })?;
    // "Regards, Bo", or the name on the next line.
    let behind = farewell.text.split_once([',', '!']).map_or("", |(_, name)| name.trim());
    let next = lines.get(at + 1..).into_iter().flatten().find(|line| !line.text.is_empty());
    let (name, to) = if behind.is_empty() { next.map(|line| (line.text, line.bytes.end))? } else { (behind, farewell.bytes.end) };
    let signed = name.starts_with(char::is_uppercase) && name.split_whitespace().count() <= 4;
    (from < farewell.bytes.start && signed && author.is_some_and(|author| !is_author(name.trim_end_matches('.'), Some(author))))
        .then_some(from..to)
}

/// How many bytes before a colon may tell what follows it.
const LONGEST_LEAD: usize = 240;

/// What a mail program puts above what it quotes or passes on, and all below it: "On Mon, Bo wrote:", "Forwarded message".
fn mailed(lines: &[Row<'_>], end: usize) -> Option<Range<usize>> {
    let heads = |line: &Row<'_>| {
        let said = line.text.trim_matches(['-', '*', '_', ' ', ':', '>']).to_lowercase();
        let writer = said.strip_suffix(" wrote").and_then(|who| who.split_whitespace().last());
        let replied = line.text.ends_with(':') && writer.is_some_and(|who| !matches!(who, "i" | "we" | "you" | "also" | "just"));
        replied || matches!(said.as_str(), "forwarded message" | "begin forwarded message" | "original message" | "forwarded")
    };
    lines.iter().find(|line| line.text.len() <= LONGEST_LEAD && heads(line)).map(|line| line.bytes.start..end)
}

/// What follows "Here is an email I got:", to the end.
fn passed_on(text: &str) -> Option<Range<usize>> {
    for (colon, _) in text.match_indices(':') {
        let before = text.get(text.floor_char_boundary(colon.saturating_sub(LONGEST_LEAD))..colon).unwrap_or_default();
        let sentence = before.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default().to_lowercase();
        let words: Vec<&str> =
            sentence.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'').filter(|word| !word.is_empty()).collect();
        let letter = words.iter().any(|word| LETTERS.contains(word));
        let came = words.iter().any(|word| CAME.contains(word));
        // "I wrote this message: …" is one's own.
        let own = words.windows(2).any(|pair| {
            matches!(
                pair,
                [
                    "i" | "i've" | "we",
                    "wrote" | "sent" | "posted" | "made" | "texted" | "emailed" | "said" | "messaged" | "forwarded" | "copied"
                ]
            )
        });
        let rest = text.get(colon + 1..).unwrap_or_default();
        if letter && came && !own && words.len() > 2 && rest.starts_with([' ', '\n', '\r']) && !rest.trim().is_empty() {
            return Some(colon + 1..text.len());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let found: Vec<&str> = of_others(text, Some("Kim Orr")).into_iter().map(|bytes| text[bytes].trim()).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn quoted_lines_and_fences_are_others_words() {
        check("> I live in Ghent.\n> I row.\n\nMe too.", &["> I live in Ghent.\n> I row."]);
        check("See:\n```\nI live in Ghent.\n```\nWhat now?", &["```\nI live in Ghent.\n```"]);
        check("~~~\nI live in Ghent.", &["~~~\nI live in Ghent."]);
        check(">:( I live in Ghent.\n>50 people came.", &[]);
    }

    #[test]
    fn lines_of_a_transcript_are_those_of_the_speaker_they_name() {
        check("Bo: I live in Ghent.\nKim: I live in Bruges.", &["Bo: I live in Ghent."]);
        check("[10:33] Bo Lind: I row.\nand I swim.\nKim: I don't.", &["[10:33] Bo Lind: I row.\nand I swim."]);
        check("Update: I live in Ghent.\nAllergies: nuts\nMe: I row.", &[]);
        check("Bo: a friend of Al", &[]);
    }

    #[test]
    fn letters_are_whose_who_signs_them() {
        check("Hi Kim,\nI live in Ghent.\nRegards, Bo", &["Hi Kim,\nI live in Ghent.\nRegards, Bo"]);
        check("Dear all,\nI live in Ghent.\n\nBest wishes,\nKim", &[]);
        check("Here's a message I got: I live in Ghent.", &["I live in Ghent."]);
        check("I wrote this message: I live in Ghent.", &[]);
        check("Sure.\nOn Mon, Bo wrote:\nI live in Ghent.", &["On Mon, Bo wrote:\nI live in Ghent."]);
        let forwarded = "---------- Forwarded message ---------\nFrom: Bo\n\nI live in Ghent.";
        check(forwarded, &[forwarded]);
        check("Last year I wrote:\na book.", &[]);
        check("My email: kim@orr.example", &[]);
    }
}
