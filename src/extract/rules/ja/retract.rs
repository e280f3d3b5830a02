//! Taking back: sentences that do nothing but say that what their speaker said before does not count, and what becomes of that.
//!
//! "さっきのは冗談です。", "今の話は取り消してください。" Knows no relation.

use super::super::draft::Phase;
use super::finding::Finding;
use super::reader::Reader;
use crate::model::{Authority, Polarity};
use std::ops::Range;

/// What leads to a word of taking back, or follows it, and says nothing by itself.
const ASIDES: &[&str] = &[
    "すみません",
    "すいません",
    "ごめん",
    "ごめんね",
    "ごめんなさい",
    "申し訳ない",
    "申し訳ありません",
    "失礼",
    "失礼しました",
    "あ",
    "あっ",
    "いや",
    "いやいや",
    "えっと",
    "やっぱり",
    "やっぱ",
    "ちょっと",
    "なんて",
    "実は",
    "本当は",
    "悪い",
    "待って",
];

/// Words that point at what was said.
const POINTERS: &[&str] =
    &["さっき", "先ほど", "さきほど", "今", "いま", "前", "直前", "最後", "上", "それ", "これ", "あれ", "その", "この", "あの", "全部"];

/// What was done with words.
const SAID: &[&str] = &[
    "言ったこと",
    "書いたこと",
    "話したこと",
    "送ったの",
    "話",
    "発言",
    "メッセージ",
    "内容",
    "こと",
    "件",
    "やつ",
    "投稿",
    "情報",
    "文",
    "返事",
    "答え",
];

/// What something said is that does not count.
const FALSE: &[&str] =
    &["嘘", "うそ", "ウソ", "冗談", "ジョーク", "間違い", "勘違い", "誤り", "でたらめ", "デタラメ", "作り話", "事実じゃない"];

/// Of those, the ones that say so without a word that points.
const JOKES: &[&str] = &["嘘", "うそ", "ウソ", "冗談", "ジョーク"];

/// How such a word ends a sentence.
const ENDS: &[&str] = &[
    "",
    "です",
    "だ",
    "でした",
    "だった",
    "だよ",
    "ですよ",
    "だったよ",
    "でしたね",
    "なんだ",
    "なんです",
    "だけど",
    "ですけど",
    "だからね",
];

/// What is asked for of what was said.
const UNSAID: &[&str] =
    &["取り消し", "取消", "撤回し", "忘れて", "無視して", "なかったことに", "無かったことに", "なしで", "無しで", "消して", "削除して"];

/// How such a request goes on.
const ASKS: &[&str] = &[
    "て",
    "ます",
    "たい",
    "させて",
    "してくだ",
    "して",
    "でお願い",
    "お願い",
    "ください",
    "下さい",
    "ね",
    "くれ",
    "ほしい",
    "欲しい",
    "いい",
    "もらえ",
    "いただ",
    "頂",
];

impl Reader<'_> {
    /// Denies what the same person affirmed in their turn before, but for what this turn puts in its place.
    pub(super) fn take_back(&mut self, at: &Range<usize>) {
        for old in std::mem::take(&mut self.last_own) {
            let same = |finding: &&mut Finding| {
                finding.head == old.head && finding.relation == old.relation && finding.polarity == Polarity::Holds
            };
            if let Some(new) = self.found.iter_mut().find(same) {
                new.corrects.get_or_insert_with(|| old.tail.clone());
                continue;
            }
            if old.polarity != Polarity::Holds {
                continue;
            }
            self.found.push(Finding {
                polarity: Polarity::Never,
                phase: Phase::Now,
                times: Vec::new(),
                at: at.clone(),
                corrects: Some(old.tail.clone()),
                today: false,
                dated: None,
                ..old
            });
        }
    }

    /// Whether a person's sentence does nothing but take back what they said.
    pub(super) fn takes_back(&self, sentence: &str) -> bool {
        self.setting.observation.source.authority == Authority::User && !self.recalling && takes_back(sentence)
    }
}

fn takes_back(sentence: &str) -> bool {
    const LONGEST: usize = 40;
    if sentence.chars().count() > LONGEST {
        return false;
    }
    let parts = sentence.split(['、', ',', '，', '。', '！', '!', '…', '　', ' ', '（', '(']).map(str::trim);
    let told: String = parts.filter(|part| !ASIDES.contains(part) && !part.starts_with('笑')).collect();
    !told.is_empty() && is_taking(&told)
}

/// Whether words without asides take something back.
fn is_taking(part: &str) -> bool {
    let (rest, pointed) = after_pointer(part);
    let judged = FALSE.iter().filter(|word| pointed || JOKES.contains(word)).filter_map(|word| rest.strip_prefix(*word));
    if judged.into_iter().any(|end| ENDS.contains(&end.trim_end_matches(['よ', 'ね', 'w', 'ｗ', '～', 'ー']))) {
        return true;
    }
    let undone = |word: &str| {
        let Some(end) = rest.strip_prefix(word) else { return false };
        let asks = ASKS.iter().any(|ask| end.starts_with(ask)) || end.is_empty() && word.ends_with(['て', 'で', 'に']);
        // 忘れてた, 忘れていい店: nothing is asked for.
        let plain = end.chars().all(|c| matches!(c, 'ぁ'..='ゖ' | '願' | '下' | '致' | '頂' | '欲'));
        asks && plain && !end.contains("ない") && !end.contains("ません") && !end.contains("ました")
    };
    UNSAID.iter().any(|word| undone(word))
}

/// What follows the words that point at what was said, and whether there were any.
fn after_pointer(part: &str) -> (&str, bool) {
    let Some(rest) = POINTERS.iter().find_map(|word| part.strip_prefix(*word)) else { return (part, false) };
    let rest = rest.strip_prefix('の').unwrap_or(rest);
    let rest = SAID.iter().find_map(|word| rest.strip_prefix(*word)).unwrap_or(rest);
    let rest =
        ["については", "のことは", "は", "も", "を", "って", "なら"].iter().find_map(|word| rest.strip_prefix(*word)).unwrap_or(rest);
    (rest.trim_start_matches("全部"), true)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_after};
    use super::*;

    #[test]
    fn sentences_that_only_take_back_are_known() {
        for sentence in [
            "取り消してください",
            "さっきのは嘘でした",
            "冗談です",
            "ごめん、冗談",
            "今の話は忘れて",
            "すみません、先ほどの発言は撤回します",
            "それ、間違いでした",
            "全部なかったことにしてください",
        ] {
            assert!(takes_back(sentence), "{sentence}");
        }
        for sentence in [
            "宿題を忘れてた",
            "父は冗談が好きです",
            "予約を取り消しました",
            "嘘みたいに晴れた",
            "忘れていないよ",
            "間違い探しをした",
            "今の会社は忘れられない",
        ] {
            assert!(!takes_back(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_was_said_before_is_denied_or_put_right() {
        let before = "函館に住んでいます。";
        check_after(false, before, "さっきのは嘘でした。", &["わたなべ lives_in 函館 Now never not 函館"]);
        check_after(false, before, "今のは忘れてください。", &["わたなべ lives_in 函館 Now never not 函館"]);
        check_after(false, before, "さっきのは冗談です。小樽に住んでいます。", &["わたなべ lives_in 小樽 Now not 函館"]);
        check_after(false, before, "さっきの函館は間違いで、小樽です。", &["わたなべ lives_in 小樽 Now not 函館"]);
        check_after(true, before, "冗談です。", &[]);
        check("取り消してください。", &[]);
    }

    #[test]
    fn a_date_alone_in_the_past_puts_the_one_before_right() {
        check_after(false, "納品の期限は6月3日です。", "5日でした。", &["納品 deadline 6月5日 Now not 6月3日"]);
        check_after(false, "6月3日に歯医者の予約があります。", "あ、5日だった。", &["わたなべ has_appointment 歯医者 Ahead not 歯医者"]);
        check_after(false, "朝会は火曜日です。", "水曜でした。", &["朝会 scheduled_for 水曜 Now not 火曜日"]);
        check("5日でした。", &[]);
    }
}
