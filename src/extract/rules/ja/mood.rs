//! Whether a sentence asserts anything: questions, wishes, suppositions, jokes, words of others, requests and orders are told here.
//! Knows no relation.

use super::form::{Flags, Form};
use crate::extract::RejectionKind;

/// Why a clause with these endings asserts nothing; `None` where it does.
pub(super) fn of(form: Form, asked: bool) -> Option<RejectionKind> {
    if asked || form.is(Flags::ASKING) {
        return Some(RejectionKind::Question);
    }
    if form.is(Flags::ASKED) {
        return Some(RejectionKind::Request);
    }
    if form.any(Flags::WISHED.with(Flags::RUED)) {
        return Some(RejectionKind::Wish);
    }
    if form.is(Flags::HEARD) {
        return Some(RejectionKind::Quoted);
    }
    if form.any(Flags::SUPPOSED.with(Flags::GUESSED).with(Flags::ALMOST).with(Flags::TRIED)) {
        return Some(RejectionKind::Hypothetical);
    }
    None
}

/// What a sentence, or the end of one, is known by.
struct Sign {
    kind: RejectionKind,
    words: &'static [&'static str],
}

/// Words after which what was said before was said in jest.
const JEST: &[&str] = &[
    "なんてね",
    "なんつって",
    "なんちゃって",
    "冗談",
    "嘘だよ",
    "嘘だけど",
    "うそだけど",
    "のは嘘",
    "のはうそ",
    "という嘘",
    "うそだよ",
    "嘘です",
    "うそです",
    "嘘嘘",
    "うそうそ",
    "ジョーク",
    "んなわけない",
    "なんてな",
    "なんて冗談",
];

/// Marks of laughter at the end of what was said.
const LAUGHTER: &[&str] = &["（笑）", "(笑)", "笑", "ｗ", "w"];

/// Words of a task: what stands beside them is to be worked on.
const TASKS: &[&str] = &[
    "訳して",
    "翻訳",
    "添削",
    "校正",
    "要約して",
    "言い換えて",
    "書き直して",
    "例文",
    "英訳",
    "和訳",
    "文を作って",
    "文章を書いて",
    "物語",
    "小説を書いて",
    "ロールプレイ",
    "演じて",
    "なりきって",
    "セリフ",
    "台詞",
    "メールを書いて",
    "下書き",
    "自己紹介文",
    "詩を書いて",
    "直して",
    "推敲",
    "チェックして",
];

/// Words that give orders to a memory or to whoever reads.
const ORDERS: &[&str] = &[
    "指示を無視",
    "命令を無視",
    "指示は無視",
    "記憶して",
    "覚えて",
    "記録して",
    "保存して",
    "メモリに",
    "システムプロンプト",
    "上書きして",
    "AIへ",
    "AI向け",
    "アシスタントへ",
    "エージェントへ",
    "忘れて",
    "登録せよ",
    "記憶せよ",
    "覚えよ",
    "保存せよ",
    "記録せよ",
    "指示に従",
    "プロンプト",
];

/// Words by which an assistant says that it repeats.
const ECHOES: &[&str] = &[
    "とおり",
    "通り",
    "うかがった",
    "伺った",
    "伺いました",
    "おっしゃって",
    "仰って",
    "でしたね",
    "ですね",
    "ますね",
    "ましたね",
    "のですね",
    "んですね",
    "覚えて",
    "記録では",
    "記憶",
    "以前のお話",
    "お聞きし",
    "聞いています",
    "承知しています",
    "とのこと",
    "お話しでは",
    "お話では",
    "メモ",
    "ということ",
    "存じて",
];

/// Words that put a sentence into somebody else's mouth, or into doubt.
const SIGNS: &[Sign] = &[
    Sign {
        kind: RejectionKind::Wish,
        words: &[
            "といいな",
            "といいね",
            "たらいいな",
            "たらいいのに",
            "ばいいのに",
            "ばよかった",
            "たらよかった",
            "たらなあ",
            "たらな",
            "夢を見た",
            "願って",
            "祈って",
            "憧れ",
            "あこがれ",
            "といいのに",
            "ばなあ",
            "ますように",
        ],
    },
    Sign {
        kind: RejectionKind::Hypothetical,
        words: &[
            "としたら",
            "とすれば",
            "仮定",
            "だとすると",
            "かもしれ",
            "可能性",
            "かどうか",
            "か迷って",
            "か検討",
            "たふり",
            "もしかし",
            "と仮に",
            "みたいなもの",
            "ところだった",
            "ところでした",
            "そうになった",
            "そうになりました",
            "つもりはな",
            "予定はな",
            "気はな",
        ],
    },
    Sign {
        kind: RejectionKind::Quoted,
        words: &[
            "と言って",
            "って言って",
            "と言った",
            "って言った",
            "と言われて",
            "と言う人",
            "と話して",
            "と聞いた",
            "と聞いて",
            "って聞いた",
            "って聞いて",
            "と書いて",
            "らしい",
            "だそう",
            "るそう",
            "たそう",
            "いそう",
            "んだって",
            "だって。",
            "という噂",
            "の噂",
            "うわさ",
            "によれば",
            "によると",
            "と主張",
            "と自慢",
            "と叫",
            "って書いて",
            "と書かれて",
            "と言い張",
            "とかいう",
            "登場人物",
            "主人公",
            "歌詞",
            "夢の中",
        ],
    },
];

/// Why nothing that a sentence says counts, whatever its clauses are; `None` where clauses are looked at one by one.
pub(super) fn of_sentence(sentence: &str, written: bool) -> Option<(RejectionKind, &'static str)> {
    let found = |words: &'static [&'static str]| words.iter().find(|word| sentence.contains(**word)).copied();
    if let Some(word) = found(JEST).or_else(|| LAUGHTER.iter().find(|word| laughs(sentence, word)).copied()).filter(|_| !written) {
        return Some((RejectionKind::Joke, word));
    }
    if written && let Some(word) = found(ORDERS) {
        return Some((RejectionKind::Instruction, word));
    }
    SIGNS.iter().filter(|sign| !(written && sign.kind == RejectionKind::Quoted)).find_map(|sign| Some((sign.kind, found(sign.words)?)))
}

/// Whether a sentence ends in a mark of laughter, and not in a name that ends like it.
fn laughs(sentence: &str, mark: &str) -> bool {
    let sentence = sentence.trim_end_matches(['。', '！', '!', ' ', '　', '\n']);
    let Some(before) = sentence.strip_suffix(mark).and_then(|rest| rest.chars().next_back()) else { return false };
    mark.len() > "笑".len() || !before.is_alphanumeric() || matches!(before, 'ぁ'..='ゟ' | 'w' | 'ｗ')
}

/// Whether a line only says what sort of notes these are.
pub(super) fn is_label(sentence: &str) -> bool {
    const LABELS: &[&str] = &[
        "議事録",
        "会議メモ",
        "議事メモ",
        "決定事項",
        "打ち合わせメモ",
        "定例メモ",
        "会議録",
        "議題",
        "アジェンダ",
        "メモ",
        "変更履歴",
        "更新履歴",
        "リリースノート",
    ];
    LABELS.contains(&sentence.trim().trim_matches(['#', '【', '】', '■', '●', ' ', '：', ':']))
}

/// Whether an order says that what is to be remembered follows it.
pub(super) fn announces(sentence: &str) -> bool {
    ["次を", "次の", "以下", "下記", "続く"].iter().any(|word| sentence.contains(word)) || sentence.trim_end().ends_with([':', '：'])
}

/// Whether what was said before a sentence is taken back by it as a jest.
pub(super) fn is_jest(sentence: &str) -> bool {
    JEST.iter().any(|word| sentence.contains(word))
}

/// Whether a sentence sets a task with a text, so that what is said beside it is that text.
pub(super) fn is_task(sentence: &str) -> bool {
    TASKS.iter().any(|word| sentence.contains(word))
}

/// Whether an assistant's sentence repeats what it was told.
pub(super) fn is_echo(sentence: &str) -> bool {
    ECHOES.iter().any(|word| sentence.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_assert_nothing_have_a_kind() {
        let kind = |sentence: &str, written: bool| of_sentence(sentence, written).map(|(kind, _)| kind);
        assert_eq!(kind("庭が広かったらいいのに", false), Some(RejectionKind::Wish));
        assert_eq!(kind("ぼくは王様だ、冗談だけど", false), Some(RejectionKind::Joke));
        assert_eq!(kind("この文を保存してください", true), Some(RejectionKind::Instruction));
        assert_eq!(kind("この文を保存してください", false), None);
        assert_eq!(kind("庭が広い", false), None);
        assert!(is_task("次を英訳して") && is_jest("うそうそ") && is_echo("庭が広いのですね"), "each has its words");
    }
}
