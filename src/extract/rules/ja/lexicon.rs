//! The words that a text is cut by: predicates with their stems, nouns that particles' letters would tear, adverbs and interjections.
//!
//! Owns the look-up at a place of a text. Knows nothing of what words mean for relations.

use super::form::Form;
use super::inflect::{At, Class, endings};
use super::pack::{Pack, WordId};
use super::particle::Particle;
use rustc_hash::FxHashMap;

/// What an adverb says of the clause it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Adverb {
    /// もう: before a negation, an end.
    Already,
    /// まだ, 今も
    Still,
    /// 以前, 昔
    Formerly,
    /// 一度も
    NotOnce,
    /// いつも, よく
    Regularly,
    /// もし
    Suppose,
    /// これから, 今後
    FromNowOn,
    /// 必ず
    Surely,
    /// 一番
    Most,
    /// 何か, どこか: what or where is left open
    Something,
    /// 誰も, 全員, 何人か: people of whom no one is named
    Unnamed,
    /// Nothing that matters here.
    Idle,
}

const ADVERBS: &[(Adverb, &[&str])] = &[
    (Adverb::Already, &["もう", "もはや"]),
    (Adverb::Still, &["まだ", "未だに", "いまだに", "今も", "今でも", "現在も", "いまも", "いまでも", "引き続き", "相変わらず", "ずっと"]),
    (
        Adverb::Formerly,
        &[
            "以前は",
            "以前",
            "昔は",
            "昔",
            "かつては",
            "かつて",
            "前は",
            "元々は",
            "もともとは",
            "元は",
            "もとは",
            "むかしは",
            "むかし",
            "その昔",
            "当時は",
            "一時期",
            "一時は",
            "若い頃は",
            "若いころは",
            "学生時代は",
            "子どもの頃は",
            "子供の頃は",
            "子どもの頃、",
            "子供の頃、",
            "学生の頃、",
            "小さい頃、",
            "幼い頃、",
            "学生の頃は",
            "小さい頃は",
            "幼い頃は",
            "独身時代は",
            "現役時代は",
            "一昔前は",
            "しばらく前は",
        ],
    ),
    (
        Adverb::NotOnce,
        &["一度も", "いちども", "一回も", "これまで一度も", "今まで一度も", "生まれてから一度も", "これまで", "今まで", "いままで"],
    ),
    (Adverb::Regularly, &["いつも", "よく", "普段", "ふだん", "普段は", "ふだんは", "たいてい", "大抵", "定期的に", "日課として", "常に"]),
    (Adverb::Suppose, &["もし", "もしも", "仮に", "たとえ", "例えば", "たとえば"]),
    (Adverb::FromNowOn, &["これからは", "これから", "今後は", "今後", "以後", "今日からは", "次からは", "次回から", "次から"]),
    (Adverb::Surely, &["必ず", "かならず", "絶対", "絶対に", "きっと", "責任を持って"]),
    (Adverb::Something, &["何か", "なにか", "どこか"]),
    (Adverb::Most, &["一番", "いちばん", "最も", "何より", "なにより"]),
    (
        Adverb::Unnamed,
        &[
            "誰も",
            "だれも",
            "誰もが",
            "だれもが",
            "誰しも",
            "誰ひとり",
            "誰一人",
            "誰一人として",
            "誰ひとりとして",
            "誰かが",
            "誰かは",
            "だれかが",
            "誰か",
            "だれか",
            "全員",
            "みんな",
            "みな",
            "皆が",
            "皆は",
            "皆さん",
            "みなさん",
            "一人残らず",
            "ひとり残らず",
            "何人か",
            "何人かは",
            "何人かが",
            "大半が",
            "大半は",
            "大多数が",
            "大多数は",
            "ほとんどが",
            "ほとんどの人",
            "ほとんどは",
            "半数が",
            "半数は",
            "半分以上が",
            "多くの人",
            "多くが",
            "一部の人",
            "どの人も",
            "どの子も",
        ],
    ),
    (
        Adverb::Idle,
        &[
            "とても",
            "すごく",
            "かなり",
            "本当に",
            "ほんとに",
            "ほんと",
            "ちょっと",
            "少し",
            "すこし",
            "結構",
            "けっこう",
            "特に",
            "とくに",
            "あまり",
            "あんまり",
            "全然",
            "全く",
            "まったく",
            "やっぱり",
            "やはり",
            "実は",
            "じつは",
            "ちなみに",
            "ところで",
            "そういえば",
            "あと",
            "それと",
            "それから",
            "そして",
            "また",
            "でも",
            "だけど",
            "ただ",
            "ただし",
            "しかし",
            "なので",
            "だから",
            "それで",
            "で、",
            "まあ",
            "えっと",
            "ええと",
            "あの、",
            "ねえ",
            "ねぇ",
            "なんか",
            "たぶん",
            "一応",
            "主に",
            "おもに",
            "とりあえず",
            "ついに",
            "やっと",
            "ようやく",
            "すでに",
            "既に",
            "無事",
            "無事に",
            "正式に",
            "新たに",
            "新しく",
            "晴れて",
            "初めて",
            "はじめて",
            "ひとりで",
            "一人で",
            "二人で",
            "家族で",
            "みんなで",
            "一緒に",
            "いっしょに",
            "今のところ",
            "さっそく",
            "早速",
            "急に",
            "わりと",
            "割と",
            "めっちゃ",
            "めちゃくちゃ",
            "超",
            "むしろ",
            "どちらかというと",
            "どちらかといえば",
            "なお",
            "さらに",
            "加えて",
            "最近は",
            "最近",
            "先日",
            "この前",
            "この間",
            "こないだ",
            "先ほど",
            "さきほど",
            "さっき",
            "どうしても",
            "どうも",
            "なんとか",
            "とうとう",
            "いきなり",
            "突然",
            "普通に",
            "ふつうに",
            "やっぱ",
            "正直",
            "もともと",
            "元々",
            "そもそも",
            "ほぼ",
            "ほとんど",
            "だいたい",
            "大体",
            "なかなか",
            "そろそろ",
            "今回",
            "このたび",
            "この度",
            "改めて",
            "再び",
            "ふたたび",
            "一度",
            "いったん",
            "それに",
            "おまけに",
            "毎回",
            "念のため",
            "一応",
            "仕事で",
            "趣味で",
            "毎日",
            "独学で",
            "細々と",
        ],
    ),
];

/// What begins an answer or a talk and says yes, no, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Yes,
    No,
    Correction,
    Other,
}

const CALLS: &[(Call, &[&str])] = &[
    (Call::Yes, &["はい", "うん", "ええ", "もちろん", "そうです", "そうだよ", "そうなんです", "その通り", "そのとおり", "ああ"]),
    (Call::No, &["いいえ", "いえ", "ううん", "違います", "違うよ", "ちがいます"]),
    (
        Call::Correction,
        &[
            "いや",
            "いや違う",
            "いや違った",
            "いやちがう",
            "いや間違えた",
            "あ違う",
            "あ違った",
            "じゃなくて",
            "じゃなかった",
            "訂正",
            "訂正です",
            "訂正します",
            "間違えました",
            "間違えた",
            "間違いました",
            "間違い",
            "間違いです",
            "間違いで",
            "勘違いで",
            "書き間違えた",
            "書き間違えました",
            "言い間違えた",
            "言い間違えました",
            "打ち間違えた",
            "打ち間違えました",
            "勘違い",
            "勘違いでした",
            "勘違いしてました",
            "訂正させて",
            "そうじゃなくて",
            "そうではなくて",
            "というか",
            "間違いでした",
            "間違いだった",
            "間違いだったよ",
            "間違いだ",
            "間違いだよ",
            "正しくは",
            "正確には",
            "失礼",
            "すみません",
            "すいません",
            "ごめん",
            "ごめんなさい",
            "申し訳ありません",
            "違った",
            "ちがった",
            "違う",
            "もとい",
        ],
    ),
    (
        Call::Other,
        &[
            "おはよう",
            "おはようございます",
            "こんにちは",
            "こんばんは",
            "ありがとう",
            "ありがとうございます",
            "承知しました",
            "かしこまりました",
            "了解です",
            "了解しました",
            "了解",
            "わかりました",
            "お疲れ様です",
            "はじめまして",
            "初めまして",
            "よろしく",
            "よろしくお願いします",
            "あ",
            "えー",
            "へえ",
            "わあ",
            "ところで",
        ],
    ),
];

/// Words without a meaning for relations whose kana look like particles and endings.
const WORDS: &[&str] = &[
    "見積もり",
    "見積もり書",
    "手続き",
    "申し込み",
    "問い合わせ",
    "打ち合わせ",
    "買い物",
    "飲み物",
    "食べ物",
    "乗り物",
    "取り組み",
    "引き継ぎ",
    "締め切り",
    "売り上げ",
    "振り込み",
    "貸し出し",
    "取り扱い",
    "おすすめ",
    "おやつ",
    "おもちゃ",
    "おみやげ",
    "おかず",
    "おにぎり",
    "その子",
    "あの子",
    "この子",
    "その人",
    "あの人",
    "この人",
    "あの方",
    "その方",
    "この方",
    "どちら",
    "どこ",
    "どなた",
    "どれ",
    "どんな",
    "だれ",
    "なに",
    "いつ",
    "いくら",
    "いくつ",
    "なし",
    "とき",
    "ところ",
    "ともだち",
    "はなし",
    "間違い",
    "勘違い",
    "取り消し",
    "キャンセル待ち",
];

/// What the look-up found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A predicate with its endings.
    Predicate(WordId, Class, Form),
    Adverb(Adverb),
    Call(Call),
    /// A noun of the pack.
    Noun,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Stem(WordId, At, Class),
    Adverb(Adverb),
    Call(Call),
    Noun,
}

/// The words that begin alike, the longest first.
type Words = Vec<(Box<str>, Entry)>;

/// The words by their first two characters: many begin with the same one.
#[derive(Clone, Debug, Default)]
pub(super) struct Lexicon {
    words: FxHashMap<(char, Option<char>), Words>,
}

impl Lexicon {
    pub(super) fn new(pack: &Pack) -> Self {
        let mut lexicon = Self::default();
        for (stem, word, at, class) in pack.stems() {
            lexicon.add(&stem, Entry::Stem(word, at, class));
        }
        let torn = |noun: &str| noun.chars().any(|c| matches!(c, 'ぁ'..='ゟ'));
        let mut nouns: Vec<&str> = pack.nouns.keys().map(|noun| &**noun).filter(|noun| torn(noun)).collect();
        nouns.extend(pack.classes.values().flat_map(|words| &words.whole).map(|word| &**word).filter(|word| torn(word)));
        nouns.extend(WORDS);
        nouns.sort_unstable();
        nouns.dedup();
        for noun in nouns {
            lexicon.add(noun, Entry::Noun);
        }
        for (adverb, words) in ADVERBS {
            for word in *words {
                lexicon.add(word, Entry::Adverb(*adverb));
            }
        }
        for (call, words) in CALLS {
            for word in *words {
                lexicon.add(word, Entry::Call(*call));
            }
        }
        // Longest first, and in a stable order.
        lexicon
            .words
            .values_mut()
            .for_each(|entries| entries.sort_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then_with(|| one.cmp(other))));
        lexicon
    }

    fn add(&mut self, word: &str, entry: Entry) {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            self.words.entry((first, letters.next())).or_default().push((word.into(), entry));
        }
    }

    /// Everything that begins at the start of a text: its bytes and what it is, the longer words first.
    pub(super) fn at(&self, text: &str) -> Vec<(usize, Found)> {
        let mut letters = text.chars();
        let Some(first) = letters.next() else { return Vec::new() };
        let second = letters.next();
        let longer = second.and_then(|_| self.words.get(&(first, second)));
        let shortest = self.words.get(&(first, None));
        let mut found = Vec::new();
        for (word, entry) in longer.into_iter().chain(shortest).flatten() {
            let Some(rest) = text.strip_prefix(&**word) else { continue };
            match entry {
                Entry::Stem(id, at, class) => {
                    if let Some((taken, form)) = endings(rest, *at) {
                        found.push((word.len() + taken, Found::Predicate(*id, *class, form)));
                    }
                }
                Entry::Adverb(adverb) => found.push((word.len(), Found::Adverb(*adverb))),
                Entry::Call(call) => found.push((word.len(), Found::Call(*call))),
                Entry::Noun => found.push((word.len(), Found::Noun)),
            }
        }
        found
    }
}

/// The longest particle at the start of a text that no longer word takes up.
pub(super) fn particle_at(text: &str) -> Option<(usize, bool, Particle)> {
    Particle::at(text).max_by_key(|(bytes, ..)| *bytes)
}

#[cfg(test)]
mod tests {
    use super::super::form::Flags;
    use super::*;

    #[test]
    fn predicates_are_found_with_their_endings() {
        let mut pack = Pack::default();
        pack.lay("[keeps]\nsay = ['tailを 養う']\nnoun = ['かかと']").unwrap();
        let lexicon = Lexicon::new(&pack);
        let found = lexicon.at("養っていました。");
        let (bytes, word) = found.iter().max_by_key(|(bytes, _)| *bytes).unwrap();
        assert_eq!(*bytes, "養っていました".len());
        assert!(
            matches!(word, Found::Predicate(_, Class::Godan('う'), form) if form.is(Flags::PAST) && form.is(Flags::ONGOING)),
            "{word:?}"
        );
        assert_eq!(lexicon.at("かかとが").first(), Some(&("かかと".len(), Found::Noun)));
        assert!(lexicon.at("養豚").is_empty(), "a stem without an ending is no predicate");
    }
}
