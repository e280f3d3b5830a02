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
    "要約して",
    "言い換えて",
    "書き直して",
    "文を作って",
    "文章を書いて",
    "小説を書いて",
    "演じて",
    "なりきって",
    "メールを書いて",
    "詩を書いて",
    "直して",
    "チェックして",
];

/// Sorts of work with a text: a task where they are asked for, else somebody's trade or pastime.
const WORKS: &[&str] =
    &["翻訳", "添削", "校正", "例文", "英訳", "和訳", "物語", "ロールプレイ", "セリフ", "台詞", "下書き", "自己紹介文", "推敲"];

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
    "メモリ更新",
    "メモリー更新",
    "メモリの更新",
    "記憶の更新",
    "記憶更新",
    "記憶:",
    "記憶：",
    "記憶すること",
    "覚えること",
    "覚えておくこと",
    "保存すること",
    "記録すること",
    "とみなすこと",
    "として扱うこと",
    "必ず保存",
    "必ず記憶",
    "を保存：",
    "を保存:",
    "を記憶：",
    "を記憶:",
    "ユーザーへの回答では",
    "<!--",
];

/// Worlds in which what somebody is or does is made up.
const FICTION: &[&str] = &[
    "小説の中",
    "小説では",
    "ゲームの中",
    "ゲーム内",
    "ゲームでは",
    "漫画の中",
    "漫画では",
    "マンガの中",
    "アニメの中",
    "アニメでは",
    "ドラマの中",
    "ドラマでは",
    "映画の中",
    "物語の中",
    "芝居の中",
    "お芝居では",
    "劇の中",
    "劇中",
    "作中",
    "夢の中",
    "夢で、",
    "見た夢",
    "妄想",
    "空想",
    "という設定",
    "前世",
    "来世",
    "昔々",
    "むかしむかし",
    "昔むかし",
    "生まれ変わ",
];

/// What somebody thinks of a work is no part of it.
const TASTE: &[&str] = &["好き", "嫌い", "苦手", "おすすめ", "見た", "読んだ", "観た", "ハマ", "はまっ"];

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
            "夢だった",
            "夢でした",
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
            "るふり",
            "ふりをし",
            "ふりをす",
            "ふりして",
            "フリをし",
            "フリをす",
            "を装",
            "と偽",
            "だと偽",
            "になりすま",
            "に成りすま",
            "に見せかけ",
            "ように見せ",
            "を演じ",
            "役を演",
            "ごっこ",
            "もしかし",
            "と仮に",
            "みたいなもの",
            "ところだった",
            "ところでした",
            "そうになった",
            "そうになりました",
            "つもりはな",
            "つもりで話",
            "つもりで答",
            "つもりで返",
            "つもりになって",
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
            "という張り紙",
            "という貼り紙",
            "という看板",
            "という記事",
            "という投稿",
            "という書き込み",
            "というメール",
            "というメッセージ",
            "という手紙",
            "という言葉",
            "という声",
            "という話",
            "という意見",
            "というコメント",
            "というポスター",
            "という広告",
            "という返事",
            "という質問",
            "というセリフ",
            "の例：",
            "の例:",
            "登場人物",
            "主人公",
            "歌詞",
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
    if let Some(word) = found(FICTION).filter(|_| !written && !TASTE.iter().any(|word| sentence.contains(word))) {
        return Some((RejectionKind::Quoted, word));
    }
    SIGNS.iter().filter(|sign| !(written && sign.kind == RejectionKind::Quoted)).find_map(|sign| Some((sign.kind, found(sign.words)?)))
}

/// Why a sentence claims nothing of which nothing else speaks against: it greets, or there is nothing in it that is read.
pub(super) fn nothing_told(sentence: &str) -> (RejectionKind, &'static str) {
    const GREETINGS: &[&str] = &[
        "おはよう",
        "こんにちは",
        "こんにちわ",
        "こんばんは",
        "はじめまして",
        "初めまして",
        "ありがとう",
        "有難う",
        "どうも",
        "お疲れ",
        "おつかれ",
        "よろしく",
        "宜しく",
        "お久しぶり",
        "久しぶり",
        "おやすみ",
        "お休みなさい",
        "いってきます",
        "行ってきます",
        "いってらっしゃい",
        "ただいま",
        "おかえり",
        "さようなら",
        "さよなら",
        "またね",
        "じゃあね",
        "バイバイ",
        "お世話になって",
        "失礼します",
        "ごめんください",
        "もしもし",
        "おめでとう",
        "いただきます",
        "ごちそうさま",
    ];
    let sentence = sentence.trim_start();
    if GREETINGS.iter().any(|word| sentence.starts_with(word)) {
        return (RejectionKind::Greeting, "it greets or thanks");
    }
    (RejectionKind::Unread, "nothing in it is read as a claim")
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
    let works = WORKS.iter().filter_map(|word| sentence.split_once(word)).any(|(_, rest)| {
        // 校正をしています: who does it tells of it.
        let asked = rest.match_indices('て').any(|(at, _)| {
            let after = rest.get(at + 'て'.len_utf8()..).unwrap_or_default();
            !["い", "る", "お", "き", "た", "ま"].iter().any(|goes_on| after.starts_with(goes_on))
        });
        asked || rest.contains(['：', ':', '「']) || ["お願い", "頼", "せよ"].iter().any(|word| rest.contains(word)) || rest.is_empty()
    });
    works || TASKS.iter().any(|word| sentence.contains(word))
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
