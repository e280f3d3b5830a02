//! Mail addresses: where they begin and end, and what only looks like one. Knows no other kind of value.

use super::{MaskKind, Search};
use crate::policy::write::words::is_word;
use std::ops::Range;

/// Endings of file names, which a name with an "@" in it may have ("icon@2x.png").
const FILES: [&str; 14] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "ts", "json", "md", "txt", "pdf", "html"];

/// Finds mail addresses by their "@".
pub(super) fn emails(search: &mut Search<'_>) {
    if !search.kinds.has(MaskKind::Email) {
        return;
    }
    let text = search.folded.text.as_ref();
    let mut found = Vec::new();
    let mut taken = 0;
    for (at, _) in text.match_indices('@') {
        let local = |c: char| is_word(c) || matches!(c, '.' | '_' | '%' | '+' | '-');
        let (near, far) = apart(text, taken, at);
        let before = text.get(taken..near).unwrap_or_default();
        let start = near - before.chars().rev().take_while(|c| local(*c)).map(char::len_utf8).sum::<usize>();
        let start = start + text.get(start..near).map_or(0, |local| local.len() - local.trim_start_matches(['.', '-']).len());
        let after = text.get(far..).unwrap_or_default();
        let length = after.find(|c: char| !(is_word(c) || matches!(c, '.' | '-'))).unwrap_or(after.len());
        let domain = after.get(..length).unwrap_or_default().trim_end_matches(['.', '-']);
        let follows = after.get(domain.len()..).unwrap_or_default();
        let Some((name, top)) = domain.rsplit_once('.') else { continue };
        let is_domain = !name.is_empty()
            && !domain.contains("..")
            && top.chars().count() >= 2
            && top.chars().all(char::is_alphabetic)
            && !FILES.contains(&top.to_ascii_lowercase().as_str());
        // `git@host:path` and `user:password@host/path` name places on machines.
        let is_place = follows.strip_prefix(':').is_some_and(|path| path.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/'))
            || text.get(..start).is_some_and(|before| before.ends_with("://") || before.ends_with(':') && before.contains("://"));
        // With blanks around the sign only a name with a point in it is one: "dinner @ noma.dk".
        let blank = near < at && text.get(near..at) == Some(" ");
        let pointed = text.get(start..near).is_some_and(|local| {
            local
                .split_once('.')
                .is_some_and(|(first, last)| first.starts_with(char::is_alphabetic) && last.starts_with(char::is_alphabetic))
        });
        if start < near && is_domain && !is_place && (!blank || pointed) {
            found.push(start..far + domain.len());
        }
        taken = far + domain.len();
    }
    spelt(search.folded.lower.as_str(), &mut found);
    for range in found {
        search.add(MaskKind::Email, range);
    }
}

/// Where what is in front of an "@" ends and what is behind it begins: beside it, or with a blank or a place to break at on both sides.
fn apart(text: &str, from: usize, at: usize) -> (usize, usize) {
    const BREAK: &str = "<wbr>";
    let before = text.get(from..at).unwrap_or_default();
    let after = text.get(at + 1..).unwrap_or_default();
    if before.ends_with(' ') && after.starts_with(' ') {
        return (at - 1, at + 2);
    }
    let near = if before.ends_with(BREAK) { at - BREAK.len() } else { at };
    (near, if after.starts_with(BREAK) { at + 1 + BREAK.len() } else { at + 1 })
}

/// Endings of domains that are plain enough where the signs are words without brackets.
const TOPS: [&str; 22] = [
    "com", "org", "net", "edu", "gov", "info", "io", "co", "dev", "app", "ai", "me", "jp", "uk", "de", "fr", "eu", "us", "no", "nl", "ca",
    "example",
];

/// Addresses with words for their signs: "noor [at] mail [dot] example", "noor at mail dot example".
fn spelt(lower: &str, found: &mut Vec<Range<usize>>) {
    const BRACKETS: [char; 8] = ['[', ']', '(', ')', '{', '}', '<', '>'];
    let local = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
    // A word for a sign in brackets, or bare with blanks around it: what it takes, and whether it is in brackets.
    let sign = |rest: &str, word: &str| -> Option<(usize, bool)> {
        let begin = rest.trim_start_matches(' ');
        let inside = begin.trim_start_matches(BRACKETS);
        let bracketed = inside.len() < begin.len();
        let after = inside.trim_start_matches(' ').strip_prefix(word)?;
        let end = if bracketed { after.trim_start_matches(' ').trim_start_matches(BRACKETS) } else { after };
        let closed = if bracketed { end.len() < after.len() } else { begin.len() < rest.len() && after.starts_with(' ') };
        let end = end.trim_start_matches(' ');
        closed.then_some((rest.len() - end.len(), bracketed))
    };
    let mut from = 0;
    while let Some(at) = lower.get(from..).and_then(|rest| rest.find("at")).map(|at| from + at) {
        from = at + 2;
        let head = lower.get(..at).unwrap_or_default();
        let gap = head.trim_end_matches(|c: char| c == ' ' || BRACKETS.contains(&c));
        if gap.len() == head.len() || head.len() - gap.len() > 4 {
            continue;
        }
        let name = gap.len() - gap.chars().rev().take_while(|c| local(*c)).count();
        let Some((length, bracketed)) = lower.get(gap.len()..).and_then(|rest| sign(rest, "at")).filter(|_| name < gap.len()) else {
            continue;
        };
        let mut end = gap.len() + length;
        let mut dots = 0;
        loop {
            let part =
                lower.get(end..).map_or(0, |rest| rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count());
            if part == 0 {
                dots = 0;
                break;
            }
            end += part;
            let rest = lower.get(end..).unwrap_or_default();
            let point = rest.strip_prefix('.').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric())).map(|_| 1);
            let Some(dot) = point.filter(|_| bracketed).or_else(|| sign(rest, "dot").map(|(length, _)| length)) else {
                let top = lower.get(end - part..end).unwrap_or_default();
                let known = bracketed || TOPS.contains(&top);
                dots = if part >= 2 && known && top.bytes().all(|byte| byte.is_ascii_alphabetic()) { dots } else { 0 };
                break;
            };
            dots += 1;
            end += dot;
        }
        if dots > 0 {
            found.push(name..end);
            from = end;
        }
    }
}
