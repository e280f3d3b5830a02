//! Others' words in a turn: lines with the name of somebody else in front, as in the record of a talk.
//!
//! Owns the look of such lines. Knows no grammar and not what the others claim.

use super::script::{Script, script};
use std::ops::Range;

/// Labels of lines that are no speaker's, beside the nouns of the pack.
const LABELS: &[&str] = &[
    "追記",
    "補足",
    "訂正",
    "修正",
    "注",
    "注意",
    "メモ",
    "備考",
    "結論",
    "要約",
    "要するに",
    "質問",
    "回答",
    "答え",
    "報告",
    "連絡",
    "お知らせ",
    "朗報",
    "悲報",
    "速報",
    "近況",
    "現状",
    "背景",
    "理由",
    "前提",
    "本題",
    "余談",
    "件名",
    "例",
    "自己紹介",
    "プロフィール",
    "ちなみに",
    "ポイント",
    "予定",
    "今日",
    "昨日",
    "明日",
    "最近",
    "現在",
    "過去",
    "以前",
    "その他",
    "重要",
    "私",
    "僕",
    "俺",
    "自分",
    "本人",
];

/// Words for whoever speaks.
const OWN: &[&str] = &["私", "僕", "俺", "わたし", "わたくし", "ぼく", "おれ", "あたし", "うち", "自分", "我が家", "わが家"];

/// What may follow a word for whoever speaks.
const AFTER_OWN: &[&str] =
    &["は", "の", "も", "が", "に", "を", "と", "、", "たち", "達", "ら", "って", "で", "なら", "には", "から", "より"];

/// How a name is addressed.
const ADDRESSES: &[&str] = &["さん", "くん", "君", "ちゃん", "氏", "様", "先生", "先輩"];

/// How a sentence ends that is spoken.
const SPOKEN: &[&str] = &["です", "ます", "ました", "でした", "ません", "よ", "ね", "の", "んだ", "だ", "た", "る", "さ", "わ"];

/// How many characters a name in front of a line has at most.
const LONGEST: usize = 12;

/// The lines of a turn that somebody else said, as bytes of it, in order and apart. `author` is whoever speaks the turn; `is_noun`
/// knows the words that label what is told.
///
/// # Complexity
/// Linear in the text.
pub(super) fn of_others(text: &str, author: Option<&str>, is_noun: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    if !text.contains([':', '：']) {
        return Vec::new();
    }
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push((at..at + line.len(), line.trim()));
        at += line.len();
    }
    let labelled: Vec<Option<(&str, &str)>> = lines.iter().map(|(_, line)| labelled(line).filter(|(name, _)| !is_noun(name))).collect();
    let mut names: Vec<&str> =
        labelled.iter().flatten().filter(|(name, said)| is_spoken(said) || is_author(name, author)).map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    // Two who speak in turn are a talk, whatever they say of themselves.
    let talk = names.len() > 1;
    let mut found = Vec::new();
    let mut other = false;
    for ((bytes, line), label) in lines.into_iter().zip(labelled) {
        other = match label {
            Some((name, _)) if is_author(name, author) => false,
            Some((name, said)) => {
                let addressed = ADDRESSES.iter().any(|end| name.ends_with(end));
                says_own(said) || is_spoken(said) && (talk || addressed)
            }
            None => other && talk && !line.is_empty(),
        };
        if other {
            found.push(bytes);
        }
    }
    found
}

/// The name in front of a line and what is said behind it: "［10:33］亮：僕は…".
fn labelled(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(['-', '*', '・', '•', ' ', '　']);
    let line = match line.strip_prefix(['[', '［']) {
        Some(rest) => rest.split_once([']', '］']).map_or(rest, |(_, rest)| rest),
        None => line.trim_start_matches(|c: char| c.is_numeric() || matches!(c, ':' | '：' | '/' | '.' | ' ' | '-')),
    };
    let (name, said) = line.split_once([':', '：'])?;
    let (name, said) = (name.trim(), said.trim());
    let named = |c: char| matches!(script(c), Script::Kanji | Script::Hiragana | Script::Katakana | Script::Letter | Script::Space);
    let is_name = !name.is_empty() && name.chars().count() <= LONGEST && name.chars().all(named) && name.chars().any(|c| !c.is_numeric());
    (is_name && !said.is_empty() && !LABELS.contains(&name)).then_some((name, said))
}

/// Whether a name is the author's, or a part of it, however addressed.
fn is_author(name: &str, author: Option<&str>) -> bool {
    let bare = ADDRESSES.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    !bare.is_empty() && author.is_some_and(|author| author == name || author.starts_with(bare) || author.ends_with(bare))
}

/// Whether words tell of whoever speaks them.
fn says_own(said: &str) -> bool {
    OWN.iter().any(|own| {
        said.match_indices(own).any(|(at, own)| {
            // 公私の別: a part of another word.
            let apart = said.get(..at).unwrap_or_default().chars().next_back().is_none_or(|c| script(c) != Script::Kanji);
            let after = said.get(at + own.len()..).unwrap_or_default();
            apart && AFTER_OWN.iter().any(|particle| after.starts_with(particle))
        })
    })
}

/// Whether words end as a sentence does that is spoken, and not as a value in a list.
fn is_spoken(said: &str) -> bool {
    let said = said.trim_end_matches(['。', '！', '？', '!', '?', '」', ' ', '…', 'ー', '〜']);
    SPOKEN.iter().any(|end| said.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let found: Vec<&str> = of_others(text, Some("浅井遥"), |name| name == "住所").into_iter().map(|bytes| text[bytes].trim()).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn lines_under_another_name_are_others_words() {
        check("亮：僕は堺で働いています。", &["亮：僕は堺で働いています。"]);
        check("［10:33］亮: うちの犬は白いよ。", &["［10:33］亮: うちの犬は白いよ。"]);
        check("遥：元気？\n野口さん：堺で働いています。\n来月までです。", &["野口さん：堺で働いています。", "来月までです。"]);
        check("亮：堺にいます。\n麻衣：呉にいるよ。\n浅井：私は津です。", &["亮：堺にいます。", "麻衣：呉にいるよ。"]);
    }

    #[test]
    fn labels_and_ones_own_lines_are_ones_own() {
        check("遥：私は堺で働いています。", &[]);
        check("追記：私は堺で働いています。", &[]);
        check("住所：私の家は堺です。", &[]);
        check("開始：午前9時", &[]);
        check("区分：公私の別", &[]);
        check("私は堺で働いています。", &[]);
    }
}
