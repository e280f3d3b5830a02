//! Records in writing: lines of a key and a value, the first of which names what they are about.
//! Knows nothing of sentences.

use super::super::draft::Phase;
use super::pack::Bears;
use super::phrase::{Owner, Pending};
use super::reader::{Finding, Reader, trim_date};
use std::ops::Range;

/// Keys that name what a record is about.
const SUBJECTS: &[&str] = &[
    "課題",
    "案件",
    "チケット",
    "件名",
    "タイトル",
    "名称",
    "製品",
    "製品名",
    "商品",
    "商品名",
    "サービス",
    "サービス名",
    "プロジェクト",
    "プロジェクト名",
    "対象",
    "項目",
    "名前",
    "氏名",
    "施設",
    "施設名",
    "店名",
    "会社",
    "会社名",
    "会議",
    "会議名",
    "イベント",
    "イベント名",
    "タスク",
    "タスク名",
    "パッケージ",
    "案件名",
    "お名前",
    "利用者",
    "顧客",
    "ユーザー",
    "患者",
    "社員",
    "題名",
    "作品",
    "書名",
    "ソフト",
    "アプリ",
    "システム",
    "システム名",
    "企業名",
    "団体名",
    "件",
    "題目",
    "作業",
    "チケット番号",
    "課題番号",
    "管理番号",
    "プロダクト",
    "ライブラリ",
    "名",
    "課題名",
    "顧客名",
    "患者名",
    "利用者名",
    "リポジトリ名",
    "モジュール",
    "場所名",
    "ツール名",
    "ライブラリ名",
    "ホスト",
    "店舗",
    "店舗名",
    "学校名",
    "issue",
    "ticket",
    "name",
    "title",
    "project",
];

/// Keys in Latin letters that tools use, as the nouns they mean.
const LATIN: &[(&str, &str)] = &[
    ("status", "状態"),
    ("state", "状態"),
    ("assignee", "担当者"),
    ("owner", "所有者"),
    ("due", "期限"),
    ("due_date", "期限"),
    ("deadline", "期限"),
    ("version", "バージョン"),
    ("environment", "稼働環境"),
    ("env", "稼働環境"),
    ("database", "データベース"),
    ("db", "データベース"),
    ("email", "メール"),
    ("phone", "電話番号"),
    ("timezone", "タイムゾーン"),
    ("priority", "優先度"),
    ("repo", "リポジトリ"),
    ("repository", "リポジトリ"),
    ("maintainers", "メンテナー"),
    ("maintainer", "メンテナー"),
    ("license", "ライセンス"),
    ("licence", "ライセンス"),
    ("port", "ポート"),
    ("price", "価格"),
    ("city", "居住地"),
    ("when", "日時"),
    ("date", "日時"),
    ("where", "場所"),
    ("location", "場所"),
    ("budget", "予算"),
    ("address", "住所"),
    ("role", "役職"),
    ("title", "役職"),
    ("company", "勤務先"),
    ("employer", "勤務先"),
    ("manager", "上司"),
    ("language", "実装言語"),
    ("birthday", "誕生日"),
];
/// Keys of the time from which a row holds.
const SINCE: &[&str] = &["since", "開始", "開始日", "入社", "入居", "から", "適用開始", "開始年月"];

/// A key and a value with the places of the value.
struct Pair<'t> {
    key: &'t str,
    value: &'t str,
}

impl<'a> Reader<'a> {
    /// Reads a record, if the text is one.
    pub(super) fn record(&mut self) -> bool {
        let text = self.text;
        let rows =
            pairs_of_json(text).or_else(|| self.pairs_of_lines()).or_else(|| pairs_of_fields(text)).or_else(|| self.pairs_of_table());
        let Some(rows) = rows else { return false };
        let known = |row: &[Pair<'_>]| {
            row.iter().any(|pair| self.is_subject(pair.key))
                && row.iter().filter(|pair| self.is_subject(pair.key) || self.key(pair.key).is_some()).count() >= 2
        };
        if !rows.iter().any(|row| known(row)) {
            // Data that names nothing is still no prose.
            return text.trim_start().starts_with(['{', '[']);
        }
        self.speak_as(None);
        for row in &rows {
            self.row(row);
        }
        true
    }

    fn is_subject(&self, key: &str) -> bool {
        SUBJECTS.contains(&key)
            || ["user", "service", "event", "account", "product", "id", "package", "task", "host", "customer"]
                .contains(&key.to_lowercase().as_str())
            || SUBJECTS.contains(&key.to_lowercase().as_str())
    }

    /// The uses of a key as a noun.
    fn key(&self, key: &str) -> Option<(Vec<(super::pack::RelationId, Bears)>, bool)> {
        let lower = key.to_lowercase();
        let noun = LATIN.iter().find(|(latin, _)| *latin == lower).map_or(key, |(_, noun)| noun);
        self.noun(noun)
    }

    fn row(&mut self, row: &[Pair<'_>]) {
        let Some(subject) = row.iter().position(|pair| self.is_subject(pair.key)) else { return };
        let Some(head) = row.get(subject).map(|pair| self.bare_name(pair.value)) else { return };
        let since: Vec<usize> = row
            .iter()
            .find(|pair| SINCE.contains(&pair.key))
            .map(|pair| self.place(pair.value))
            .map(|at| self.times_in(&at))
            .unwrap_or_default();
        for (place, pair) in row.iter().enumerate() {
            if place == subject {
                continue;
            }
            let Some((uses, former)) = self.key(pair.key) else { continue };
            let pending = Pending { owner: Owner::Named(head.clone()), uses, former, naming: None, of: None, noun: pair.key.to_owned() };
            let list = pair.value.trim_matches(['[', ']']);
            let Some(&(relation, bears)) = self.choose(&pending, list) else { continue };
            let quote = self.place(pair.value);
            let several = bears != Bears::Value || matches!(self.relation_name(relation), "depends_on" | "supports" | "official_language");
            let values: Vec<&str> = if several {
                list.split(['、', ',', '，']).map(|one| one.trim().trim_matches('"')).collect()
            } else {
                vec![trim_date(list)]
            };
            for value in values
                .into_iter()
                .filter(|value| !value.is_empty() && !matches!(*value, "なし" | "未定" | "-" | "null" | "不明" | "N/A" | "未設定"))
            {
                let value = if bears == Bears::Value { value.to_owned() } else { self.bare_name(value) };
                let (head, tail) = if bears == Bears::RoleOf { (value, head.clone()) } else { (head.clone(), value) };
                let pattern = format!("{}: {}", self.relation_name(relation), pair.key);
                let times = if self.permanent(relation) || self.event(relation) { self.times_in(&quote) } else { since.clone() };
                let phase = if former {
                    Phase::UsedTo
                } else if times.is_empty() {
                    Phase::Now
                } else {
                    Phase::Began
                };
                self.add(Finding { phase, times, ..Finding::new(head, relation, tail, quote.clone(), pattern) });
            }
        }
    }

    /// Where a piece of the text stands.
    fn place(&self, piece: &str) -> Range<usize> {
        let start = piece.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        if self.text.get(start..start + piece.len()) == Some(piece) { start..start + piece.len() } else { 0..self.text.len() }
    }

    fn times_in(&self, at: &Range<usize>) -> Vec<usize> {
        self.times
            .iter()
            .enumerate()
            .filter(|(_, time)| time.bytes.start >= at.start && time.bytes.end <= at.end)
            .map(|(place, _)| place)
            .collect()
    }

    /// Lines of a key, a colon and a value.
    fn pairs_of_lines(&self) -> Option<Vec<Vec<Pair<'a>>>> {
        let mut row = Vec::new();
        let mut others = 0;
        for line in self.text.lines() {
            let trimmed = line.trim().trim_start_matches(['-', '*', '・', '■', '●', '◆', '○', '□', ' ', '【']);
            match pair(trimmed, &[':', '：', '】', '\t']) {
                Some(pair) => row.push(pair),
                None if trimmed.is_empty() || trimmed.chars().all(|c| !c.is_alphanumeric()) => {}
                None => others += 1,
            }
        }
        (row.len() >= 2 && others <= row.len()).then(|| vec![row])
    }

    /// A head line of keys and rows of values, parted by commas, tabs or bars.
    fn pairs_of_table(&self) -> Option<Vec<Vec<Pair<'a>>>> {
        let text = self.text;
        let mut lines = text.lines().filter(|line| line.chars().any(char::is_alphanumeric));
        let head = lines.next()?;
        let mark = [',', '\t', '|', '，'].into_iter().find(|mark| head.trim_matches('|').contains(*mark))?;
        let cells = |line: &'a str| -> Vec<&'a str> { line.trim().trim_matches('|').split(mark).map(str::trim).collect() };
        let keys = cells(head);
        if keys.len() < 2 || keys.iter().any(|key| key.chars().count() > 12 || key.is_empty()) {
            return None;
        }
        let rows: Vec<Vec<Pair<'a>>> = lines
            .map(cells)
            .filter(|values| values.len() == keys.len())
            .map(|values| keys.iter().zip(values).map(|(key, value)| Pair { key, value }).collect())
            .collect();
        (!rows.is_empty()).then_some(rows)
    }
}

/// A key and its value, where a short key stands before one of the marks.
fn pair<'t>(text: &'t str, marks: &[char]) -> Option<Pair<'t>> {
    let (key, value) = text.split_once(marks)?;
    let key = key.trim().trim_matches(['"', '【', ' ', '*']);
    let value = value.trim().trim_end_matches([',', '}']).trim().trim_matches('"');
    let sound =
        !key.is_empty() && key.chars().count() <= 16 && !value.is_empty() && !value.starts_with("//") && !key.contains(['。', '、']);
    sound.then_some(Pair { key, value })
}

/// Fields on one line: `鍵=値; 鍵=値`, or with bars or commas between.
fn pairs_of_fields(text: &str) -> Option<Vec<Vec<Pair<'_>>>> {
    if text.trim().lines().count() > 1 {
        return None;
    }
    [';', '；', '|', '｜', '／', '、', ',', '，', ' ', '　'].into_iter().find_map(|mark| {
        let fields: Vec<&str> = text.split(mark).map(str::trim).filter(|field| !field.is_empty()).collect();
        let row: Vec<Pair<'_>> = fields.iter().filter_map(|field| pair(field, &['=', '＝', ':', '：'])).collect();
        (row.len() >= 2 && row.len() == fields.len()).then(|| vec![row])
    })
}

/// The members of a JSON object, or of each object of an array; nested ones are left out.
fn pairs_of_json(text: &str) -> Option<Vec<Vec<Pair<'_>>>> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) || serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
        return None;
    }
    let mut rows = Vec::new();
    let mut row: Vec<Pair<'_>> = Vec::new();
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut from = 0;
    let mut list = 0_usize;
    let mut key: Option<&str> = None;
    let clean = |piece: &'_ str| -> (usize, usize) { (piece.len() - piece.trim_start().len(), piece.trim_end().len()) };
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        let piece = text.get(from..at).unwrap_or_default();
        match c {
            '"' => quoted = true,
            '{' => {
                depth += 1;
                from = at + 1;
                key = None;
            }
            '[' => list += 1,
            ']' => list = list.saturating_sub(1),
            ':' if depth > 0 && list < 2 && key.is_none() => {
                key = Some(piece);
                from = at + 1;
            }
            ',' | '}' if depth > 0 && (c == '}' || list == 0 || list == 1 && text.starts_with('[')) => {
                if let Some(key) = key.take() {
                    let ((key_from, key_to), (value_from, value_to)) = (clean(key), clean(piece));
                    let key = key.get(key_from..key_to).unwrap_or_default().trim_matches('"');
                    let value = piece.get(value_from..value_to).unwrap_or_default().trim_matches('"');
                    row.push(Pair { key, value });
                }
                from = at + 1;
                if c == '}' {
                    depth -= 1;
                    if !row.is_empty() {
                        rows.push(std::mem::take(&mut row));
                    }
                }
            }
            _ => {}
        }
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: Option<Vec<Vec<Pair<'_>>>>, expect: &[&[(&str, &str)]]) {
        let rows = rows.unwrap_or_default();
        let read: Vec<Vec<(&str, &str)>> = rows.iter().map(|row| row.iter().map(|pair| (pair.key, pair.value)).collect()).collect();
        assert_eq!(read, expect);
    }

    #[test]
    fn records_are_read_in_their_notations() {
        check(
            pairs_of_json(r#"{"件名": "倉庫の棚", "担当": ["川", "谷"], "数": 3}"#),
            &[&[("件名", "倉庫の棚"), ("担当", r#"["川", "谷"]"#), ("数", "3")]],
        );
        check(pairs_of_json(r#"[{"a": "x:y"}, {"a": "z"}]"#), &[&[("a", "x:y")], &[("a", "z")]]);
        check(pairs_of_json("{broken"), &[]);
        check(pairs_of_fields("件名=棚; 状態=済み"), &[&[("件名", "棚"), ("状態", "済み")]]);
        check(pairs_of_fields("棚を直した。"), &[]);
    }
}
