//! Mail addresses: where they begin and end, and what only looks like one. Knows no other kind of value.

use super::{MaskKind, Search};
use crate::policy::write::words::is_word;

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
        let before = text.get(taken..at).unwrap_or_default();
        let start = at - before.chars().rev().take_while(|c| local(*c)).map(char::len_utf8).sum::<usize>();
        let start = start + text.get(start..at).map_or(0, |local| local.len() - local.trim_start_matches(['.', '-']).len());
        let after = text.get(at + 1..).unwrap_or_default();
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
        if start < at && is_domain && !is_place {
            found.push(start..at + 1 + domain.len());
        }
        taken = at + 1 + domain.len();
    }
    for range in found {
        search.add(MaskKind::Email, range);
    }
}
