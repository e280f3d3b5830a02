//! Records in writing: lines of a key and a value, the first of which names what they are about.
//! Knows nothing of sentences.

use super::super::draft::Phase;
use super::pack::Bears;
use super::phrase::{Owner, Pending};
use super::reader::{Finding, Reader};
use super::reader::trim_date;

/// Keys that name what a record is about.
const SUBJECTS: &[&str] = &[
    "課題", "案件", "チケット", "件名", "タイトル", "名称", "製品", "製品名", "商品", "商品名", "サービス", "サービス名", "プロジェクト", "プロジェクト名", "対象", "項目", "名前", "氏名", "施設", "施設名",
    "店名", "会社", "会社名", "会議", "会議名", "イベント", "イベント名", "タスク", "タスク名", "パッケージ", "案件名", "お名前", "利用者", "顧客", "ユーザー", "患者", "社員", "題名", "作品", "書名", "ソフト", "アプリ",
    "システム", "システム名", "企業名", "団体名", "件", "題目", "作業", "チケット番号", "課題番号", "管理番号", "プロダクト", "ライブラリ", "名", "課題名", "顧客名", "患者名", "利用者名", "リポジトリ名", "モジュール", "場所名", "ツール名", "ライブラリ名", "ホスト", "店舗", "店舗名", "学校名", "issue", "ticket", "name", "title", "project",
];

impl Reader<'_> {
    /// Reads a record, if the text is one.
    pub(super) fn record(&mut self) -> bool {
        let mut lines: Vec<(usize, &str, &str)> = Vec::new();
        let mut from = 0;
        let mut others = 0;
        let text = self.text;
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim().trim_start_matches(['-', '*', '・', '■', '●', '◆', ' ', '【', '"', '{']);
            let split = trimmed.split_once([':', '：']).filter(|(key, value)| {
                let key = key.trim();
                !key.is_empty() && key.chars().count() <= 16 && !value.trim().is_empty() && !value.starts_with("//") && !key.contains('。')
            });
            match split {
                Some((key, value)) => {
                    let key = key.trim().trim_matches(['"', '】', ' ']);
                    let value = value.trim().trim_end_matches([',', '}']).trim().trim_matches('"');
                    lines.push((from, key, value));
                }
                None if trimmed.trim().is_empty() || trimmed.trim() == "}" => {}
                None => others += 1,
            }
            from += line.len();
        }
        let known = lines.iter().filter(|(_, key, _)| SUBJECTS.contains(key) || self.noun(key).is_some()).count();
        if lines.len() < 2 || known < 2 || others > lines.len() {
            return false;
        }
        let subject = lines.iter().position(|(_, key, _)| SUBJECTS.contains(key));
        let Some(subject) = subject else { return false };
        let Some(head) = lines.get(subject).map(|(_, _, value)| self.bare_name(value)) else { return false };
        self.speak_as(None);
        for (place, (at, key, value)) in lines.iter().enumerate() {
            let quote = *at..at + self.text.get(*at..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
            if place == subject {
                continue;
            }
            let Some((uses, former)) = self.noun(key) else { continue };
            let pending = Pending { owner: Owner::Named(head.clone()), uses, former, naming: None, of: None, noun: (*key).to_owned() };
            let Some(&(relation, bears)) = self.choose(&pending, value) else { continue };
            let value = trim_date(value);
            let value = if bears == Bears::Value { value.to_owned() } else { self.bare_name(value) };
            let values: Vec<String> = if bears == Bears::Value { vec![value] } else { value.split(['、', ',']).map(|one| one.trim().to_owned()).collect() };
            for value in values {
                let (head, tail) = if bears == Bears::RoleOf { (value, head.clone()) } else { (head.clone(), value) };
                let pattern = format!("{}: {key}", self.relation_name(relation));
                let times: Vec<usize> = if self.permanent(relation) { self.times.iter().enumerate().filter(|(_, time)| time.bytes.start >= quote.start && time.bytes.end <= quote.end).map(|(place, _)| place).collect() } else { Vec::new() };
                self.add(Finding { phase: if former { Phase::UsedTo } else { Phase::Now }, times, ..Finding::new(head, relation, tail, quote.clone(), pattern) });
            }
        }
        true
    }
}
