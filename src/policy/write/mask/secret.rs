//! Secrets: keys and tokens by their beginnings, their disorder or their labels; passwords by theirs; blocks of private keys.

use super::check::entropy;
use super::value::{Tie, Value, after, listed};
use super::{Label, MaskKind, Search};
use crate::policy::write::words::is_unspaced;
use std::ops::Range;

/// Blocks of private keys, from their first line to their last; one without an end goes on to the end of the text.
pub(super) fn private_keys(search: &mut Search<'_>) {
    const BEGIN: &str = "-----BEGIN ";
    const KEY: &str = "PRIVATE KEY";
    let text = search.folded.text.as_ref();
    let mut from = 0;
    let mut blocks: Vec<Range<usize>> = Vec::new();
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(BEGIN)).map(|at| from + at) {
        from = start + BEGIN.len();
        let head = text.get(from..).unwrap_or_default();
        let head = head.get(..head.floor_char_boundary(60)).unwrap_or_default();
        let Some(label) = head.split_once("-----").map(|(label, _)| label).filter(|label| label.contains(KEY)) else { continue };
        let end_line = format!("-----END {label}-----");
        let end = text.get(from..).and_then(|rest| rest.find(&end_line)).map_or(text.len(), |at| from + at + end_line.len());
        blocks.push(start..end);
        from = end;
    }
    for block in blocks {
        search.add(MaskKind::PrivateKey, block);
    }
}

/// Values that a word before them calls a secret.
pub(super) fn labelled(search: &mut Search<'_>) {
    let text = search.folded.text.as_ref();
    let mut values = Vec::new();
    for hit in search.hits {
        let kind = match hit.what {
            Label::Password | Label::Pin | Label::Phrase => MaskKind::Password,
            Label::ApiKey | Label::Bearer | Label::Secret => MaskKind::ApiKey,
            Label::CardCode => MaskKind::CardCode,
            Label::Passport => MaskKind::Passport,
            Label::Account => MaskKind::BankAccount,
            Label::Licence => MaskKind::Licence,
            Label::Card | Label::UsSsn | Label::UkNino | Label::JpMyNumber | Label::Phone | Label::Other => continue,
        };
        if !search.kinds.has(kind) {
            continue;
        }
        if hit.what == Label::Password {
            changed(search.folded.lower.as_str(), text, hit.end, &mut values);
        }
        let Some(value) = after(search.folded, hit.end) else { continue };
        let said = text.get(value.range.clone()).unwrap_or_default();
        if said.is_empty() {
            continue;
        }
        if hit.what == Label::Account {
            accounts(search, value.range.start, &mut values);
            continue;
        }
        if matches!(hit.what, Label::Phrase | Label::Password)
            && let Some(length) = words_of_a_phrase(text, &value, hit.what)
        {
            values.push((kind, value.range.start..value.range.start + length));
            continue;
        }
        if is_no_value(said) {
            continue;
        }
        // `--password X`: an option of a command is assigned without a sign.
        let option = value.tie == Tie::Bare && is_option(text, hit.start);
        let taken = match hit.what {
            Label::Password => option || is_password(said, &value) || (value.tie == Tie::Bare && is_bare_password(said)),
            Label::Phrase => value.quoted && said.split_whitespace().count() >= FEWEST_OF_A_SEED,
            Label::Pin => {
                // "PIN 4821", but no pin of a row of them.
                let word = text.get(hit.start..hit.end).unwrap_or_default();
                // "PIN 4821", "gate code 4410"
                let plain = value.tie != Tie::Bare || word.contains(' ') || !word.bytes().any(|byte| byte.is_ascii_lowercase());
                let most = if value.tie == Tie::Bare { 6 } else { 12 };
                let figures = said.bytes().filter(u8::is_ascii_digit).count();
                let opens = said.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'#' | b'*'));
                plain && (4..=most).contains(&figures) && opens
            }
            Label::ApiKey => option || (value.tie != Tie::Bare && is_key(said)),
            Label::Bearer => said.len() >= 16 && is_key(said),
            Label::Secret => match value.tie {
                Tie::Assigned | Tie::Colon | Tie::Told => is_key(said),
                Tie::Bare => (option && is_key(said)) || is_drawn(said),
            },
            Label::Licence => is_licence(said),
            Label::CardCode => (3..=4).contains(&said.len()) && said.bytes().all(|byte| byte.is_ascii_digit()),
            Label::Passport => is_passport(said),
            Label::Account | Label::Card | Label::UsSsn | Label::UkNino | Label::JpMyNumber | Label::Phone | Label::Other => false,
        };
        if taken {
            if value.quoted && value.tie == Tie::Assigned {
                values.extend(
                    in_list(search.folded.lower.as_str(), &value)
                        .then(|| listed(search.folded, value.range.end))
                        .into_iter()
                        .flatten()
                        .map(|range| (kind, range)),
                );
            }
            values.push((kind, value.range));
        }
    }
    for (kind, range) in values {
        search.add(kind, range);
    }
}

/// Whether a value in marks is the first of a list.
fn in_list(lower: &str, value: &Value) -> bool {
    let before = lower.get(..value.range.start).unwrap_or_default();
    before.trim_end_matches(['"', '\'', '\\']).trim_end_matches([' ', '\n', '\t']).ends_with('[')
}

/// The two values of "password from X to Y".
fn changed(lower: &str, text: &str, end: usize, values: &mut Vec<(MaskKind, Range<usize>)>) {
    let rest = lower.get(end..).unwrap_or_default();
    let Some(old) = rest.strip_prefix(" from ") else { return };
    let word = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        let length = rest.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(rest.len());
        at..at + rest.get(..length).map_or(0, |word| word.trim_end_matches('.').len())
    };
    let first = word(lower.len() - old.len());
    let second = lower.get(first.end..).and_then(|rest| rest.strip_prefix(" to ")).map(|new| word(lower.len() - new.len()));
    for range in std::iter::once(first).chain(second) {
        let said = text.get(range.clone()).unwrap_or_default();
        let mixed =
            holds(said, |byte| byte.is_ascii_alphabetic()) && holds(said, |byte| byte.is_ascii_digit() || b"!@#$%^&*+=~".contains(&byte));
        if mixed && said.len() >= 5 && !is_no_value(said) {
            values.push((MaskKind::Password, range));
        }
    }
}

/// Passwords that commands take (`curl -u name:password`, `mysql -ppassword`), that follow a login's name ("the login is admin / …"), and
/// the keys of networks.
pub(super) fn in_lines(search: &mut Search<'_>) {
    const LONGEST_LINE: usize = 512;
    let (text, lower) = (search.folded.text.as_ref(), search.folded.lower.as_str());
    let mut values = Vec::new();
    let mut at = 0;
    for line in lower.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.get(..line.floor_char_boundary(LONGEST_LINE)).unwrap_or_default();
        let mut take = |from: usize, said: &str| {
            let said = said.trim_end_matches(['.', ',', ';', ')', '"', '\'', '`']);
            if said.len() >= 4 && !is_no_value(said) {
                values.push(start + from..start + from + said.len());
            }
        };
        let word = |from: usize| line.get(from..).unwrap_or_default().split(char::is_whitespace).next().unwrap_or_default();
        let behind = |sign: &str| line.find(sign).map(|found| found + sign.len());
        if line.contains("curl ")
            && let Some(from) = behind(" -u ").or_else(|| behind(" --user "))
            && let Some((name, password)) = word(from).split_once(':')
            && !password.starts_with("//")
        {
            take(from + name.len() + 1, password);
        }
        if (line.contains("mysql") || line.contains("mariadb") || line.contains("sshpass"))
            && let Some(from) = behind(" -p")
            && text.get(..start + from).is_some_and(|before| before.ends_with('p'))
        {
            let from = if line.contains("sshpass") {
                from + line.get(from..).map_or(0, |rest| rest.len() - rest.trim_start().len())
            } else {
                from
            };
            take(from, word(from));
        }
        let strong = |said: &str| {
            said.len() >= 6
                && holds(said, |byte| byte.is_ascii_alphabetic())
                && holds(said, |byte| byte.is_ascii_digit())
                && !said.contains('/')
        };
        if let Some(login) = ["login", "credentials", "log-in", "sign-in", "log in", "sign in"].iter().find_map(|word| line.find(word))
            && let Some(slash) = line.get(login..).and_then(|rest| rest.find(" / ")).map(|found| login + found)
            && line
                .get(login..slash)
                .is_some_and(|between| between.len() <= 64 && [" is ", ": ", " are ", " with "].iter().any(|sign| between.contains(sign)))
            && strong(word(slash + 3))
        {
            take(slash + 3, word(slash + 3));
        }
        if let Some(net) = ["wifi", "wi-fi", "wlan"].iter().find_map(|word| line.find(word))
            && let Some(key) = line.get(net..).and_then(|rest| {
                let signs = [
                    " key ",
                    " key: ",
                    " key is ",
                    " code ",
                    " code: ",
                    " code is ",
                    " pass ",
                    " pass: ",
                    " pass is ",
                    "のパスは",
                    "のパスは ",
                    "のパス: ",
                ];
                signs.iter().filter_map(|sign| rest.find(sign).map(|found| found + sign.len())).max()
            })
            && strong(word(net + key))
        {
            take(net + key, word(net + key));
        }
    }
    for range in values {
        if text.get(range.clone()).is_some() {
            search.add(MaskKind::Password, range);
        }
    }
}

/// Addresses that whoever knows them may post to: their last parts are the key.
pub(super) fn webhooks(search: &mut Search<'_>) {
    const HOOKS: [&str; 5] = [
        "hooks.slack.com/services/",
        "hooks.slack.com/workflows/",
        "/api/webhooks/",
        "webhook.office.com/webhookb2/",
        "hooks.zapier.com/hooks/catch/",
    ];
    let lower = search.folded.lower.as_str();
    let mut found = Vec::new();
    for hook in HOOKS {
        for (at, _) in lower.match_indices(hook) {
            let from = at + hook.len();
            let rest = lower.get(from..).unwrap_or_default();
            let length = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | ')' | ',')).unwrap_or(rest.len());
            let path = rest.get(..length).unwrap_or_default().trim_end_matches(['.', '\\']);
            if path.len() >= 16 && path.contains('/') && holds(path, |byte| byte.is_ascii_digit()) {
                found.push(from..from + path.len());
            }
        }
    }
    for range in found {
        search.add(MaskKind::ApiKey, range);
    }
}

/// The numbers of accounts from `start` on: one, and another that is said to be one right after it.
fn accounts(search: &Search<'_>, start: usize, values: &mut Vec<(MaskKind, Range<usize>)>) {
    let lower = search.folded.lower.as_str();
    let mut at = start;
    loop {
        let Some(rest) = lower.get(at..) else { return };
        let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-')).count();
        let number = rest.get(..length).unwrap_or_default().trim_end_matches([' ', '-']);
        let figures = number.bytes().filter(u8::is_ascii_digit).count();
        let glued = rest.get(number.len()..).and_then(|rest| rest.chars().next()).is_some_and(crate::policy::write::words::is_word);
        let groups: Vec<usize> = number.split([' ', '-']).map(str::len).collect();
        let date = matches!(groups.as_slice(), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 4]);
        if !(6..=17).contains(&figures) || glued || date {
            return;
        }
        values.push((MaskKind::BankAccount, at..at + number.len()));
        // "routing 021000021, account 12345678"
        let after = rest.get(number.len()..).unwrap_or_default();
        let begin = after.trim_start_matches([' ', ',', ';', '/', '\n']);
        let Some(next) = ["and account", "account", "acct", "a/c"].iter().find_map(|word| begin.strip_prefix(word)) else { return };
        let next = next.trim_start_matches([' ', '.', ':', '#', '=']);
        let next =
            next.strip_prefix("number").or_else(|| next.strip_prefix("no")).unwrap_or(next).trim_start_matches([' ', '.', ':', '#', '=']);
        at = lower.len() - next.len();
        if !next.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
    }
}

/// The fewest words that restore a wallet.
const FEWEST_OF_A_SEED: usize = 6;

/// The length of the words that a value begins, if they are a phrase that opens something: words in small letters to the end of the
/// clause, none of which only joins others.
fn words_of_a_phrase(text: &str, value: &Value, label: Label) -> Option<usize> {
    const LONGEST: usize = 320;
    let fewest = match (label, value.tie) {
        _ if value.quoted => return None,
        (Label::Phrase, Tie::Colon | Tie::Told | Tie::Assigned) => FEWEST_OF_A_SEED,
        (Label::Phrase, Tie::Bare) => 2 * FEWEST_OF_A_SEED,
        (_, Tie::Colon | Tie::Assigned) => 3,
        (_, Tie::Told) => 4,
        (_, Tie::Bare) => return None,
    };
    let rest = text.get(value.range.start..)?;
    let clause = rest.get(..rest.floor_char_boundary(LONGEST))?.split(['\n', '.', ',', ';', '!', '?', '"', '<', '(']).next()?.trim_end();
    let words: Vec<&str> = clause.split([' ', '-']).collect();
    let plain = |word: &&str| (2..=14).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_joint(word);
    let most = if label == Label::Phrase { 40 } else { 12 };
    // The rest of a clause may be about the words; those of a wallet are so many.
    // The lists that wallets draw from have words that join others, and none of two letters.
    let drawn = |word: &&&str| (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let all = if label == Label::Phrase { words.iter().take(4 * FEWEST_OF_A_SEED).take_while(drawn).count() } else { 0 };
    let taken = if all >= 2 * FEWEST_OF_A_SEED { all } else { words.iter().take(most + 1).take_while(|word| plain(word)).count() };
    let whole = taken == words.len() || (label == Label::Phrase && taken >= 2 * FEWEST_OF_A_SEED);
    let length = words.iter().take(taken).map(|word| word.len() + 1).sum::<usize>().saturating_sub(1);
    (whole && (fewest..=most).contains(&taken)).then_some(length)
}

/// Whether a word joins others, or tells of a password, so that a row of words with it is a sentence.
fn is_joint(word: &str) -> bool {
    const WORDS: &str = "the an and or but of to in on at by for from with without as is are was were be been being am do does did has have had \
        can could will would shall should must may might need needs not no nor this that these those it its they them their you your we our my \
        me he she his her who which what when where how why if then than so too very really quite still already again now soon always never \
        often every each any all some both time times please try ask see use used using change changed reset contact check enter type click \
        here there minimum maximum least most characters character letters digits numbers symbols long length required incorrect wrong invalid \
        expired forgotten stored protected about after before until while into over under just only also";
    WORDS.split_ascii_whitespace().any(|joint| joint == word)
}

/// Whether a word right behind "password" is one: figures among letters, and no name of a method.
fn is_bare_password(said: &str) -> bool {
    const METHODS: [&str; 12] = ["sha", "md5", "argon", "pbkdf", "bcrypt", "scrypt", "oauth", "base", "utf", "http", "v", "iso"];
    let lower = said.to_ascii_lowercase();
    let letters = holds(said, |byte| byte.is_ascii_alphabetic());
    let digits = holds(said, |byte| byte.is_ascii_digit());
    let plain = said.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%^&*+=~?_".contains(&byte));
    plain && letters && digits && said.len() >= 7 && !METHODS.iter().any(|method| lower.starts_with(method))
}

/// Whether a text that nothing ties to its word is a key for all that: long, in both cases or full of figures, and drawn by lot.
fn is_drawn(said: &str) -> bool {
    let has = |what: fn(&u8) -> bool| said.bytes().filter(what).count();
    let (upper, lower, digits) = (has(u8::is_ascii_uppercase), has(u8::is_ascii_lowercase), has(u8::is_ascii_digit));
    let mixed = (upper >= 2 && lower >= 2 && digits >= 1) || (digits >= 4 && upper + lower >= 4 && !said.contains(['-', '/', '.']));
    said.len() >= 16 && mixed && is_key(said) && entropy(said.as_bytes()) >= 3.2
}

/// Six to eighteen letters and figures with four figures at least: what the world's driving licences have.
fn is_licence(said: &str) -> bool {
    let digits = said.bytes().filter(u8::is_ascii_digit).count();
    (6..=18).contains(&said.len()) && digits >= 4 && said.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') && !is_year(said)
}

fn is_year(said: &str) -> bool {
    matches!(said.as_bytes(), [b'1' | b'2', _, _, _, b'-', ..])
}

/// Values that are said before their word: "… is my password", 「…がパスワードです」.
pub(super) fn told_before(search: &mut Search<'_>) {
    let (text, lower) = (search.folded.text.as_ref(), search.folded.lower.as_str());
    let mut values = Vec::new();
    for hit in search.hits {
        let kind = match hit.what {
            Label::Password | Label::Pin => MaskKind::Password,
            Label::ApiKey | Label::Secret => MaskKind::ApiKey,
            Label::CardCode => MaskKind::CardCode,
            Label::Passport => MaskKind::Passport,
            Label::Licence => MaskKind::Licence,
            Label::Account => MaskKind::BankAccount,
            Label::Bearer
            | Label::Phrase
            | Label::Card
            | Label::UsSsn
            | Label::UkNino
            | Label::JpMyNumber
            | Label::Phone
            | Label::Other => continue,
        };
        if !search.kinds.has(kind) || !ends_a_clause(lower.get(hit.end..).unwrap_or_default()) {
            continue;
        }
        let Some(range) = before(text, lower, hit.start) else { continue };
        let said = text.get(range.clone()).unwrap_or_default();
        let letters = holds(said, |byte| byte.is_ascii_alphabetic());
        let digits = holds(said, |byte| byte.is_ascii_digit());
        let figures = !said.is_empty() && said.bytes().all(|byte| byte.is_ascii_digit());
        let taken = match hit.what {
            Label::Password => said.len() >= 6 && letters && digits && said.is_ascii() && !is_no_value(said),
            Label::Pin => figures && (4..=12).contains(&said.len()),
            Label::CardCode => figures && (3..=4).contains(&said.len()),
            Label::ApiKey | Label::Secret => is_key(said),
            Label::Passport => is_passport(said),
            Label::Licence => is_licence(said),
            Label::Account => figures && (6..=17).contains(&said.len()),
            Label::Bearer
            | Label::Phrase
            | Label::Card
            | Label::UsSsn
            | Label::UkNino
            | Label::JpMyNumber
            | Label::Phone
            | Label::Other => false,
        };
        if taken {
            values.push((kind, range));
        }
    }
    for (kind, range) in values {
        search.add(kind, range);
    }
}

/// Whether nothing follows a word that makes it the first part of another one ("password manager").
fn ends_a_clause(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '"', ')', '」']);
    let next = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    next.is_empty()
        || matches!(next, "for" | "to" | "of" | "on" | "at" | "and" | "but" | "so" | "there" | "now" | "here" | "number" | "code" | "again")
}

/// The word before "is my …", where nothing but a few words stands between it and `end`.
fn before(text: &str, lower: &str, end: usize) -> Option<Range<usize>> {
    const FARTHEST: usize = 40;
    const MOST_WORDS: usize = 4;
    let begin = lower.floor_char_boundary(end.saturating_sub(FARTHEST + 64));
    let window = lower.get(begin..end)?;
    let line = window.rsplit('\n').next()?;
    let mut rest = line.trim_end();
    // 「Xが家のWi-Fiのパスワードです」
    for particle in ['が', 'は'] {
        if let Some((value, between)) = rest.rsplit_once(particle)
            && between.chars().count() <= 12
            && (between.is_empty() || between.ends_with('の'))
        {
            return last_word(text, value, end - (line.len() - value.len()));
        }
    }
    for _ in 0..=MOST_WORDS {
        let (earlier, word) = rest.rsplit_once(' ')?;
        rest = earlier.trim_end();
        if matches!(word, "that's" | "thats" | "it's") {
            // "X - that's my password"
            rest = rest.trim_end_matches([' ', '-', ',', '.', ';', ':']);
            return last_word(text, rest, end - (line.len() - rest.len()));
        }
        if matches!(word, "is" | "was" | "=" | "as") {
            return last_word(text, rest, end - (line.len() - rest.len()));
        }
        if !word.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'\'')) {
            return None;
        }
    }
    None
}

/// The last word of a text that ends at a place of the whole one.
fn last_word(text: &str, before: &str, end: usize) -> Option<Range<usize>> {
    let trimmed = before.trim_end_matches([' ', '"', '\'', '`', '」']);
    let end = end - (before.len() - trimmed.len());
    let word = trimmed.rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '(' | '「') || is_unspaced(c)).next()?;
    text.get(end - word.len()..end).map(|_| end - word.len()..end)
}

/// Whether the word at `start` belongs to an option of a command ("--db-password").
fn is_option(text: &str, start: usize) -> bool {
    let before = text.get(text.floor_char_boundary(start.saturating_sub(24))..start).unwrap_or_default();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.starts_with("--") && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// What stands where a value would, and is none: words of forms and programs, and references to where the value is.
fn is_no_value(said: &str) -> bool {
    const WORDS: [&str; 44] = [
        "null",
        "none",
        "nil",
        "true",
        "false",
        "undefined",
        "string",
        "str",
        "text",
        "required",
        "optional",
        "invalid",
        "incorrect",
        "wrong",
        "missing",
        "empty",
        "expired",
        "changed",
        "reset",
        "needed",
        "hidden",
        "secret",
        "secrets",
        "password",
        "passwords",
        "passwd",
        "redacted",
        "masked",
        "unknown",
        "same",
        "not",
        "the",
        "stored",
        "protected",
        "your-password",
        "your_password",
        "changeme",
        "example",
        "token",
        "key",
        "code",
        "card",
        "withheld",
        "api",
    ];
    let lower = said.to_ascii_lowercase();
    WORDS.contains(&lower.as_str())
        || lower.bytes().all(|byte| b"x*.-_#".contains(&byte))
        || said.starts_with(['<', '$', '{', '[', '%', '*', '('])
        || ["os.", "process.", "getenv", "env.", "config.", "settings.", "self.", "..."].iter().any(|start| lower.starts_with(start))
        || lower
            .split_once('(')
            .is_some_and(|(call, _)| call.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'.' | b':')))
}

fn holds(said: &str, what: impl Fn(u8) -> bool) -> bool {
    said.bytes().any(what)
}

/// Whether a word tied to "password" is one, and not the rest of a sentence about passwords.
fn is_password(said: &str, value: &Value) -> bool {
    let letters = holds(said, |byte| byte.is_ascii_alphabetic());
    let digits = holds(said, |byte| byte.is_ascii_digit());
    let signs = holds(said, |byte| b"!@#$%^&*+=~|\\?_".contains(&byte));
    let mixed = said.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()) && holds(said, |byte| byte.is_ascii_lowercase());
    let figures = digits && said.len() >= 6 && said.bytes().all(|byte| byte.is_ascii_digit());
    let foreign = !said.is_ascii();
    if said.chars().count() < 4 {
        return false;
    }
    match value.tie {
        Tie::Assigned => value.quoted || !is_expression(said),
        Tie::Colon | Tie::Told if value.quoted => true,
        Tie::Colon => (letters && (digits || signs)) || figures || mixed || (value.last && !foreign),
        Tie::Told => (letters && (digits || signs)) || figures || mixed || (value.last && !foreign && !is_judgement(said)),
        Tie::Bare => false,
    }
}

/// Whether a text is code that leads to a value: names joined by low lines or dots, or what begins an index or a call.
fn is_expression(said: &str) -> bool {
    match said.split_once(['[', '(']) {
        Some((path, _)) => !path.is_empty() && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':')),
        None => said.contains(['_', '.']) && said.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.')),
    }
}

/// Whether a word says what a password is like ("strong", "expired"), as the last word of a sentence about one often does.
fn is_judgement(said: &str) -> bool {
    const WORDS: [&str; 34] = [
        "strong",
        "weak",
        "long",
        "short",
        "safe",
        "secure",
        "insecure",
        "simple",
        "complex",
        "easy",
        "hard",
        "unique",
        "good",
        "fine",
        "correct",
        "okay",
        "different",
        "here",
        "there",
        "gone",
        "lost",
        "known",
        "public",
        "private",
        "visible",
        "random",
        "temporary",
        "default",
        "blank",
        "case-sensitive",
        "below",
        "above",
        "mandatory",
        "enough",
    ];
    let lower = said.to_ascii_lowercase();
    WORDS.contains(&lower.as_str()) || ["ed", "ing", "able", "ible", "ly", "n"].iter().any(|end| lower.ends_with(end))
}

/// Whether a text has the disorder of a key: letters and figures mixed, or long and unlike a word.
fn is_key(said: &str) -> bool {
    let plain = said.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~+/=:".contains(&byte));
    let letters = holds(said, |byte| byte.is_ascii_alphabetic());
    let digits = holds(said, |byte| byte.is_ascii_digit());
    plain && letters && digits && said.len() >= 8 && entropy(said.as_bytes()) >= 2.5
}

/// Six to nine letters and figures, figures for the most part, as the world's passports have them.
fn is_passport(said: &str) -> bool {
    let digits = said.bytes().filter(u8::is_ascii_digit).count();
    (6..=9).contains(&said.len()) && digits >= 5 && said.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Passwords in addresses: `scheme://user:password@host`.
pub(super) fn in_addresses(search: &mut Search<'_>) {
    let text = search.folded.text.as_ref();
    let mut values = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find("://")).map(|at| from + at + 3) {
        from = start;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '<' | '>' | '?' | '#')).unwrap_or(rest.len());
        let authority = rest.get(..length).unwrap_or_default();
        from += length;
        let Some((user, _host)) = authority.rsplit_once('@') else { continue };
        let Some((name, password)) = user.split_once(':') else { continue };
        if !password.is_empty() && !is_no_value(password) {
            let at = start + name.len() + 1;
            values.push(at..at + password.len());
        }
    }
    for range in values {
        search.add(MaskKind::Password, range);
    }
}

/// The shortest key, its beginning included, in bytes.
const SHORTEST: usize = 20;

/// Keys and tokens that no word announces.
pub(super) fn tokens(search: &mut Search<'_>, prefixes: &[String]) {
    if !search.kinds.has(MaskKind::ApiKey) {
        return;
    }
    let bytes = search.folded.bytes();
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let mut values = Vec::new();
    let mut beside = false;
    let mut at = 0;
    while let Some(offset) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| is_token(*byte))) {
        let start = at + offset;
        let run = |from: usize| bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| is_token(**byte)).count());
        let mut end = start + run(start);
        // Short words are many, and none of them is a key unless more parts follow.
        if end - start < 12 && bytes.get(end) != Some(&b'.') {
            at = end;
            continue;
        }
        let Some(prefix) = prefixes.iter().find(|prefix| bytes.get(start..).is_some_and(|rest| rest.starts_with(prefix.as_bytes()))) else {
            at = end;
            let whole = if search.kinds.takes_disorder() { disorder(bytes, start, end) } else { None };
            if let Some(whole) = whole {
                at = whole.end.max(end);
                values.push(whole);
            }
            continue;
        };
        // Some tokens are made of parts with dots between.
        if prefix.ends_with('.') || prefix == "eyJ" {
            while bytes.get(end) == Some(&b'.') && run(end + 1) > 0 {
                end += 1 + run(end + 1);
            }
        }
        let rest = bytes.get(start + prefix.len()..end).unwrap_or_default();
        if end - start >= SHORTEST && is_random(rest) {
            values.push(start..end);
            beside |= matches!(prefix.as_str(), "AKIA" | "ASIA");
        }
        at = end;
    }
    if beside {
        halves(bytes, &mut values);
    }
    for range in values {
        search.add(MaskKind::ApiKey, range);
    }
}

/// The other half of a key whose first half ("AKIA…") the text has: forty letters, figures and signs in both cases, wherever they stand.
fn halves(bytes: &[u8], values: &mut Vec<Range<usize>>) {
    const LENGTH: usize = 40;
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut at = 0;
    while let Some(start) = bytes.get(at..).and_then(|rest| rest.iter().position(is_base64)).map(|offset| at + offset) {
        let length = bytes.get(start..).map_or(0, |rest| rest.iter().take_while(|byte| is_base64(byte)).count());
        at = start + length;
        let text = bytes.get(start..at).unwrap_or_default();
        let mixed =
            text.iter().any(u8::is_ascii_uppercase) && text.iter().any(u8::is_ascii_lowercase) && text.iter().any(u8::is_ascii_digit);
        if length == LENGTH && mixed && entropy(text) >= 3.5 {
            values.push(start..at);
        }
    }
}

/// Whether the rest of a token is drawn by lot, and not made of words.
fn is_random(rest: &[u8]) -> bool {
    let longest = rest.split(|byte| !byte.is_ascii_alphanumeric()).map(<[u8]>::len).max().unwrap_or(0);
    let digits = rest.iter().any(u8::is_ascii_digit);
    let letters = rest.iter().any(u8::is_ascii_alphabetic);
    digits && letters && longest >= 10 && entropy(rest) >= 3.0
}

/// A long text of letters in both cases, figures and signs, as keys without a label are; no hash (those are in one case), and
/// nothing in an address.
fn disorder(bytes: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
    const LENGTHS: std::ops::RangeInclusive<usize> = 40..=128;
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    // Only the first part of a whole looks at it, so that the text is read once.
    let goes_on = |byte: &u8| is_base64(byte) || matches!(byte, b'.' | b':' | b'@' | b'%');
    if start > 0 && bytes.get(start - 1).is_some_and(goes_on) {
        return None;
    }
    let length = end - start + bytes.get(end..).map_or(0, |rest| rest.iter().take_while(|byte| is_base64(byte)).count());
    let text = bytes.get(start..start + length)?;
    let padding = bytes.get(start + length..).map_or(0, |rest| rest.iter().take(2).take_while(|byte| **byte == b'=').count());
    let whole = start..start + length + padding;
    let has = |what: fn(&u8) -> bool| text.iter().filter(|byte| what(byte)).count();
    let mixed = has(u8::is_ascii_uppercase) >= 3 && has(u8::is_ascii_lowercase) >= 3 && has(u8::is_ascii_digit) >= 3;
    // Names of files and of hashes have their parts set apart.
    let parts = text.split(|byte| matches!(byte, b'/' | b'-' | b'_')).map(<[u8]>::len).max().unwrap_or(0);
    let is_hash = text.starts_with(b"sha") || bytes.get(end) == Some(&b':');
    (LENGTHS.contains(&length) && mixed && parts >= 16 && !is_hash && entropy(text) >= 4.4).then_some(whole)
}
