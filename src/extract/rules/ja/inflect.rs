//! How Japanese predicates inflect: the stems of a word given in its dictionary form, and what the endings after a stem say.
//!
//! Owns conjugation and the chain of auxiliaries, as tables that a small machine walks. Knows no word's meaning and no relation.

use super::form::{Flags, Form, Link};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// How a predicate inflects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    /// Five-row verbs, with the last kana of the dictionary form.
    Godan(char),
    /// 行く, which is a five-row verb but for its euphonic form.
    Iku,
    /// One-row verbs.
    Ichidan,
    /// する and nouns with it.
    Suru,
    /// 来る.
    Kuru,
    /// Adjectives in い.
    Adjective,
    /// Nouns and adjectives that take the copula.
    Nominal,
}

/// What may follow at a place of an inflected word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum At {
    /// 住ま
    Irrealis,
    /// 住み
    Continuative,
    /// 住む
    Terminal,
    /// 住め
    Hypothetical,
    /// 住も
    Volitional,
    /// 住んで
    Te,
    /// 住んだ
    Ta,
    /// 住ん
    Euphonic,
    /// 食べ
    Ichidan,
    /// 転職 (する), 勉強
    Action,
    /// 高, and the な of ない
    Adjective,
    /// 高く
    Adverbial,
    /// まし
    Polite,
    /// After a noun.
    Copula,
    /// では, before what denies.
    Negating,
    /// The な of ない, which denies ある.
    Lacking,
    /// と思, where a thought is put after a predicate.
    Thinking,
    /// Where a predicate is whole.
    End,
    /// Where a connective closed it.
    Linked(Link),
}

/// Classes of dictionary forms that the last kana does not tell: one-row verbs look like five-row ones.
fn class_of(word: &str) -> (Class, &str) {
    if let Some(stem) = word.strip_suffix("する") {
        return (Class::Suru, stem);
    }
    if let Some(stem) = word.strip_suffix("くる").or_else(|| word.strip_suffix("来る")) {
        return (Class::Kuru, stem);
    }
    if let Some(stem) = word.strip_suffix('だ') {
        return (Class::Nominal, stem);
    }
    if let Some(stem) = word.strip_suffix("行く").or_else(|| word.strip_suffix("いく")) {
        return (Class::Iku, stem);
    }
    if let Some(stem) = word.strip_suffix('い') {
        return (Class::Adjective, stem);
    }
    if let Some(stem) = word.strip_suffix('る') {
        let ichidan = stem.chars().next_back().is_some_and(|last| {
            "いきしちにひみりぎじびえけせてねへめれげぜでべぺ".contains(last)
                || matches!(last, '見' | '観' | '着' | '居' | '得' | '寝' | '出' | '経')
        });
        // Five-row verbs that end as one-row ones do.
        let exception = [
            "入る",
            "走る",
            "知る",
            "切る",
            "帰る",
            "要る",
            "減る",
            "参る",
            "はいる",
            "はしる",
            "しる",
            "かえる",
            "まいる",
            "至る",
            "裏切る",
            "仕切る",
            "乗り切る",
        ];
        let five = exception.contains(&word) || ["に入る", "気に入る", "取り仕切る", "横切る"].contains(&word);
        return (if ichidan && !five { Class::Ichidan } else { Class::Godan('る') }, stem);
    }
    match word.char_indices().next_back() {
        Some((at, last)) if "うくぐすつぬぶむ".contains(last) => (Class::Godan(last), word.get(..at).unwrap_or_default()),
        _ => (Class::Nominal, word),
    }
}

/// The row of a five-row verb: the four vowels before its endings, its euphonic stem and whether that voices what follows.
fn row(last: char) -> Option<([&'static str; 4], &'static str, bool)> {
    Some(match last {
        'う' => (["わ", "い", "え", "お"], "っ", false),
        'く' => (["か", "き", "け", "こ"], "い", false),
        'ぐ' => (["が", "ぎ", "げ", "ご"], "い", true),
        'す' => (["さ", "し", "せ", "そ"], "し", false),
        'つ' => (["た", "ち", "て", "と"], "っ", false),
        'ぬ' => (["な", "に", "ね", "の"], "ん", true),
        'ぶ' => (["ば", "び", "べ", "ぼ"], "ん", true),
        'む' => (["ま", "み", "め", "も"], "ん", true),
        'る' => (["ら", "り", "れ", "ろ"], "っ", false),
        _ => return None,
    })
}

/// What all forms of a dictionary form begin with.
pub(super) fn stem(word: &str) -> &str {
    class_of(word).1
}

/// The stems of a dictionary form, each with what may follow it, and the word's class.
///
/// A word in だ, or without any ending, is a noun or adjective that takes the copula.
pub(super) fn stems(word: &str) -> (Class, Vec<(String, At)>) {
    let (class, stem) = class_of(word);
    let with = |ending: &str| format!("{stem}{ending}");
    let five = |last: char, euphonic: Option<&str>| {
        let Some(([a, i, e, o], own, voiced)) = row(last) else { return Vec::new() };
        let (te, ta) = if voiced { ("で", "だ") } else { ("て", "た") };
        let euphonic = euphonic.unwrap_or(own);
        vec![
            (with(a), At::Irrealis),
            (with(i), At::Continuative),
            (with(&last.to_string()), At::Terminal),
            (with(e), At::Hypothetical),
            (with(o), At::Volitional),
            (format!("{stem}{euphonic}{te}"), At::Te),
            (format!("{stem}{euphonic}{ta}"), At::Ta),
            (with(euphonic), At::Euphonic),
        ]
    };
    let stems = match class {
        Class::Godan(last) if word == "ある" => {
            let mut all = five(last, None);
            all.extend([("な".to_owned(), At::Lacking), ("無".to_owned(), At::Lacking)]);
            all
        }
        Class::Godan(last) => five(last, None),
        Class::Iku => iku(word.strip_suffix('く').unwrap_or(word)),
        Class::Ichidan => vec![(stem.to_owned(), At::Ichidan)],
        Class::Suru => {
            let mut all = suru(stem);
            if !stem.is_empty() {
                all.push((stem.to_owned(), At::Action));
                // 勉強をする, 勉強はする.
                all.extend(suru(&format!("{stem}を")));
            }
            all
        }
        Class::Kuru => vec![
            (with("来る"), At::Terminal),
            (with("来"), At::Ichidan),
            (with("くる"), At::Terminal),
            (with("き"), At::Ichidan),
            (with("こ"), At::Irrealis),
        ],
        Class::Adjective => vec![(stem.to_owned(), At::Adjective)],
        Class::Nominal => vec![(stem.to_owned(), At::Copula)],
    };
    (class, stems)
}

fn iku(full: &str) -> Vec<(String, At)> {
    let with = |ending: &str| format!("{full}{ending}");
    vec![
        (with("か"), At::Irrealis),
        (with("き"), At::Continuative),
        (with("く"), At::Terminal),
        (with("け"), At::Hypothetical),
        (with("こ"), At::Volitional),
        (with("って"), At::Te),
        (with("った"), At::Ta),
        (with("っ"), At::Euphonic),
    ]
}

fn suru(stem: &str) -> Vec<(String, At)> {
    let with = |ending: &str| format!("{stem}{ending}");
    vec![
        (with("し"), At::Ichidan),
        (with("する"), At::Terminal),
        (with("すれ"), At::Hypothetical),
        (with("せず"), At::Linked(Link::And)),
        (with("さ"), At::Irrealis),
        (with("でき"), At::Ichidan),
        (with("出来"), At::Ichidan),
        (with("いたし"), At::Continuative),
        (with("なさ"), At::Irrealis),
    ]
}

/// One step of the machine: at a place, these letters lead to that place and say this.
type Step = (At, &'static str, At, Flags);

const N: Flags = Flags::NONE;

/// The endings that are not themselves verbs. Of several that fit, each is tried and the longest whole reading wins.
const STEPS: &[Step] = &[
    (At::Irrealis, "な", At::Adjective, Flags::NEGATED),
    (At::Irrealis, "ねえ", At::End, Flags::NEGATED),
    (At::Irrealis, "ねー", At::End, Flags::NEGATED),
    (At::Irrealis, "ず", At::Linked(Link::And), Flags::NEGATED),
    (At::Irrealis, "ずに", At::Linked(Link::And), Flags::NEGATED),
    (At::Irrealis, "れ", At::Ichidan, Flags::PASSIVE),
    (At::Irrealis, "せ", At::Ichidan, Flags::CAUSED),
    (At::Continuative, "ます", At::End, N),
    (At::Continuative, "まし", At::Polite, N),
    (At::Continuative, "ません", At::End, Flags::NEGATED),
    (At::Continuative, "ませんでした", At::End, Flags::NEGATED.with(Flags::PAST)),
    (At::Continuative, "ましょう", At::End, Flags::WILLED),
    (At::Continuative, "た", At::Adjective, Flags::WISHED),
    (At::Continuative, "たが", At::Irrealis, Flags::WISHED),
    (At::Continuative, "ながら", At::Linked(Link::And), N),
    (At::Continuative, "つつ", At::Linked(Link::And), N),
    (At::Continuative, "そう", At::Copula, Flags::GUESSED),
    (At::Continuative, "すぎ", At::Ichidan, N),
    (At::Continuative, "過ぎ", At::Ichidan, N),
    (At::Continuative, "始め", At::Ichidan, Flags::BEGAN),
    (At::Continuative, "はじめ", At::Ichidan, Flags::BEGAN),
    (At::Continuative, "続け", At::Ichidan, Flags::LASTING),
    (At::Continuative, "つづけ", At::Ichidan, Flags::LASTING),
    (At::Continuative, "終え", At::Ichidan, Flags::FINISHED),
    (At::Continuative, "終わ", At::Irrealis, Flags::FINISHED),
    (At::Continuative, "終わり", At::Continuative, Flags::FINISHED),
    (At::Continuative, "終わった", At::Ta, Flags::FINISHED),
    (At::Continuative, "終わって", At::Te, Flags::FINISHED),
    (At::Continuative, "なさい", At::End, Flags::ASKED),
    (At::Continuative, "やす", At::Adjective, N),
    (At::Continuative, "にく", At::Adjective, N),
    (At::Continuative, "つつあり", At::Continuative, Flags::ONGOING),
    (At::Continuative, "つつある", At::Terminal, Flags::ONGOING),
    (At::Continuative, "", At::Linked(Link::Stem), N),
    (At::Polite, "た", At::Ta, N),
    (At::Polite, "て", At::Te, N),
    (At::Polite, "たら", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Terminal, "", At::End, N),
    (At::Terminal, "な", At::End, Flags::ASKED),
    (At::Hypothetical, "ば", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Hypothetical, "る", At::Terminal, Flags::ABLE),
    (At::Hypothetical, "ます", At::End, Flags::ABLE),
    (At::Hypothetical, "まし", At::Polite, Flags::ABLE),
    (At::Hypothetical, "ません", At::End, Flags::ABLE.with(Flags::NEGATED)),
    (At::Hypothetical, "な", At::Adjective, Flags::ABLE.with(Flags::NEGATED)),
    (At::Hypothetical, "て", At::Te, Flags::ABLE),
    (At::Hypothetical, "た", At::Ta, Flags::ABLE),
    (At::Volitional, "う", At::End, Flags::WILLED),
    (At::Ta, "", At::End, Flags::PAST),
    (At::Ta, "ら", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Ta, "り", At::Linked(Link::And), N),
    (At::Euphonic, "ちゃった", At::Ta, N),
    (At::Euphonic, "ちゃって", At::Te, N),
    (At::Euphonic, "ちゃい", At::Continuative, N),
    (At::Euphonic, "ちゃう", At::Terminal, N),
    (At::Euphonic, "じゃった", At::Ta, N),
    (At::Euphonic, "じゃって", At::Te, N),
    (At::Euphonic, "じゃう", At::Terminal, N),
    (At::Euphonic, "とい", At::Euphonic, N),
    (At::Euphonic, "とき", At::Continuative, Flags::PREPARED),
    (At::Euphonic, "とく", At::Terminal, Flags::PREPARED),
    (At::Euphonic, "どき", At::Continuative, N),
    (At::Euphonic, "どく", At::Terminal, N),
    (At::Ichidan, "る", At::Terminal, N),
    (At::Ichidan, "れ", At::Hypothetical, N),
    (At::Ichidan, "よ", At::Volitional, N),
    (At::Ichidan, "て", At::Te, N),
    (At::Ichidan, "た", At::Ta, N),
    (At::Ichidan, "ろ", At::End, Flags::ASKED),
    (At::Ichidan, "ちゃった", At::Ta, N),
    (At::Ichidan, "ちゃって", At::Te, N),
    (At::Ichidan, "ちゃい", At::Continuative, N),
    (At::Ichidan, "ちゃう", At::Terminal, N),
    (At::Ichidan, "とい", At::Euphonic, N),
    (At::Ichidan, "とき", At::Continuative, Flags::PREPARED),
    (At::Ichidan, "とく", At::Terminal, Flags::PREPARED),
    (At::Ichidan, "られ", At::Ichidan, Flags::PASSIVE),
    (At::Ichidan, "させ", At::Ichidan, Flags::CAUSED),
    (At::Action, "中", At::Copula, Flags::ONGOING),
    (At::Action, "済み", At::Copula, Flags::DONE),
    (At::Action, "済", At::Copula, Flags::DONE),
    (At::Action, "ずみ", At::Copula, Flags::DONE),
    (At::Action, "", At::Linked(Link::Bare), N),
    (At::Adjective, "い", At::End, N),
    (At::Adjective, "かった", At::Ta, N),
    (At::Adjective, "く", At::Adverbial, N),
    (At::Adjective, "くて", At::Te, N),
    (At::Adjective, "いで", At::Te, N),
    (At::Adjective, "ければ", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Adjective, "かったら", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Adjective, "さそう", At::Copula, Flags::GUESSED),
    (At::Adjective, "そう", At::Copula, Flags::GUESSED),
    (At::Adverbial, "な", At::Adjective, Flags::NEGATED),
    (At::Adverbial, "はな", At::Adjective, Flags::NEGATED),
    (At::Adverbial, "ありません", At::End, Flags::NEGATED),
    (At::Adverbial, "はありません", At::End, Flags::NEGATED),
    (At::Adverbial, "", At::Linked(Link::And), N),
    (At::Te, "い", At::Ichidan, Flags::ONGOING),
    (At::Te, "居", At::Ichidan, Flags::ONGOING),
    (At::Te, "はい", At::Ichidan, Flags::ONGOING),
    (At::Te, "る", At::Terminal, Flags::ONGOING),
    (At::Te, "た", At::Ta, Flags::ONGOING),
    (At::Te, "て", At::Te, Flags::ONGOING),
    (At::Te, "ます", At::End, Flags::ONGOING),
    (At::Te, "まし", At::Polite, Flags::ONGOING),
    (At::Te, "ません", At::End, Flags::ONGOING.with(Flags::NEGATED)),
    (At::Te, "な", At::Adjective, Flags::ONGOING.with(Flags::NEGATED)),
    (At::Te, "れば", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Te, "んだ", At::End, Flags::ONGOING),
    (At::Te, "んです", At::End, Flags::ONGOING),
    (At::Te, "おり", At::Continuative, Flags::ONGOING),
    (At::Te, "おる", At::Terminal, Flags::ONGOING),
    (At::Te, "おらず", At::Linked(Link::And), Flags::ONGOING.with(Flags::NEGATED)),
    (At::Te, "いらっしゃい", At::Continuative, Flags::ONGOING),
    (At::Te, "いらっしゃる", At::Terminal, Flags::ONGOING),
    (At::Te, "あり", At::Continuative, Flags::ONGOING),
    (At::Te, "ある", At::Terminal, Flags::ONGOING),
    (At::Te, "しまい", At::Continuative, N),
    (At::Te, "しまう", At::Terminal, N),
    (At::Te, "しまった", At::Ta, N),
    (At::Te, "しまって", At::Te, N),
    (At::Te, "おき", At::Continuative, Flags::PREPARED),
    (At::Te, "おく", At::Terminal, Flags::PREPARED),
    (At::Te, "おい", At::Euphonic, Flags::PREPARED),
    (At::Te, "おいて", At::Te, Flags::PREPARED),
    (At::Te, "おいた", At::Ta, Flags::PREPARED),
    (At::Te, "み", At::Ichidan, Flags::TRIED),
    (At::Te, "き", At::Ichidan, N),
    (At::Te, "来", At::Ichidan, N),
    (At::Te, "くる", At::Terminal, N),
    (At::Te, "来る", At::Terminal, N),
    (At::Te, "いき", At::Continuative, N),
    (At::Te, "いく", At::Terminal, N),
    (At::Te, "いった", At::Ta, N),
    (At::Te, "いって", At::Te, N),
    (At::Te, "いただき", At::Continuative, Flags::FAVOUR),
    (At::Te, "いただく", At::Terminal, Flags::FAVOUR),
    (At::Te, "いただい", At::Euphonic, Flags::FAVOUR),
    (At::Te, "いただいて", At::Te, Flags::FAVOUR),
    (At::Te, "いただいた", At::Ta, Flags::FAVOUR),
    (At::Te, "いただけ", At::Ichidan, Flags::ASKED),
    (At::Te, "もらい", At::Continuative, Flags::FAVOUR),
    (At::Te, "もらう", At::Terminal, Flags::FAVOUR),
    (At::Te, "もらって", At::Te, Flags::FAVOUR),
    (At::Te, "もらった", At::Ta, Flags::FAVOUR),
    (At::Te, "もらえ", At::Ichidan, Flags::ASKED),
    (At::Te, "くれ", At::Ichidan, Flags::FAVOUR),
    (At::Te, "くれ", At::End, Flags::ASKED),
    (At::Te, "くださ", At::Irrealis, Flags::ASKED),
    (At::Te, "ください", At::End, Flags::ASKED),
    (At::Te, "下さい", At::End, Flags::ASKED),
    (At::Te, "くださいませ", At::End, Flags::ASKED),
    (At::Te, "頂き", At::Continuative, Flags::FAVOUR),
    (At::Te, "頂け", At::Ichidan, Flags::ASKED),
    (At::Te, "頂戴", At::End, Flags::ASKED),
    (At::Te, "ちょうだい", At::End, Flags::ASKED),
    (At::Te, "あげ", At::Ichidan, N),
    (At::Te, "ほし", At::Adjective, Flags::ASKED),
    (At::Te, "欲し", At::Adjective, Flags::ASKED),
    (At::Te, "よ", At::End, Flags::ASKED),
    (At::Te, "ね", At::End, Flags::ASKED),
    (At::Te, "も", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Te, "から", At::Linked(Link::And), N),
    (At::Te, "は", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Te, "", At::Linked(Link::Te), N),
    (At::Copula, "", At::Linked(Link::Bare), N),
    (At::Copula, "なのは", At::Linked(Link::Cleft), N),
    (At::Copula, "なのが", At::Linked(Link::Thing), N),
    (At::Copula, "だと", At::Linked(Link::Quote), N),
    (At::Copula, "かもしれ", At::Irrealis, Flags::GUESSED),
    (At::Copula, "かもしれません", At::End, Flags::GUESSED),
    (At::Copula, "かも", At::End, Flags::GUESSED),
    (At::Copula, "だろう", At::End, Flags::GUESSED),
    (At::Copula, "でしょう", At::End, Flags::GUESSED),
    (At::Copula, "でしょ", At::End, Flags::GUESSED),
    (At::Copula, "らし", At::Adjective, Flags::HEARD),
    (At::Copula, "みたい", At::Copula, Flags::GUESSED),
    (At::Copula, "のよう", At::Copula, Flags::GUESSED),
    (At::Copula, "のはず", At::Copula, Flags::GUESSED),
    (At::Copula, "っぽ", At::Adjective, Flags::GUESSED),
    (At::Copula, "とのこと", At::Copula, Flags::HEARD),
    (At::Copula, "の予定", At::Copula, Flags::PLANNED),
    (At::Copula, "のつもり", At::Copula, Flags::PLANNED),
    (At::Copula, "か", At::End, Flags::ASKING),
    (At::Copula, "よ", At::End, N),
    (At::Copula, "ね", At::End, N),
    (At::Copula, "って", At::Linked(Link::Quote), N),
    (At::Copula, "だ", At::End, N),
    (At::Copula, "です", At::End, N),
    (At::Copula, "っす", At::End, N),
    (At::Copula, "でした", At::Ta, N),
    (At::Copula, "だった", At::Ta, N),
    (At::Copula, "である", At::End, N),
    (At::Copula, "であります", At::End, N),
    (At::Copula, "でございます", At::End, N),
    (At::Copula, "であった", At::Ta, N),
    (At::Copula, "であり", At::Linked(Link::And), N),
    (At::Copula, "で", At::Linked(Link::And), N),
    (At::Copula, "でして", At::Linked(Link::And), N),
    (At::Copula, "だったら", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Copula, "なら", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Copula, "ならば", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Copula, "であれば", At::Linked(Link::If), Flags::SUPPOSED),
    (At::Copula, "な", At::Linked(Link::Of), N),
    (At::Copula, "なん", At::End, N),
    (At::Copula, "なんだ", At::End, N),
    (At::Copula, "なの", At::End, N),
    (At::Copula, "なので", At::Linked(Link::Because), N),
    (At::Copula, "なのに", At::Linked(Link::But), N),
    (At::Copula, "では", At::Negating, N),
    (At::Copula, "じゃ", At::Negating, N),
    (At::Copula, "とかでは", At::Negating, N),
    (At::Copula, "でも", At::Negating, N),
    (At::Copula, "じゃあ", At::Negating, N),
    (At::Lacking, "", At::Adjective, Flags::NEGATED),
    (At::Negating, "な", At::Adjective, Flags::NEGATED),
    (At::Negating, "ねえ", At::End, Flags::NEGATED),
    (At::Negating, "ありません", At::End, Flags::NEGATED),
    (At::Negating, "ありませんでした", At::End, Flags::NEGATED.with(Flags::PAST)),
    (At::Negating, "なく", At::Linked(Link::NotBut), Flags::NEGATED),
    (At::Negating, "なくて", At::Linked(Link::NotBut), Flags::NEGATED),
    (At::Negating, "ございません", At::End, Flags::NEGATED),
    (At::End, "んだ", At::End, N),
    (At::End, "んです", At::End, N),
    (At::End, "んっす", At::End, N),
    (At::End, "んす", At::End, N),
    (At::End, "のだ", At::End, N),
    (At::End, "のです", At::End, N),
    (At::End, "のである", At::End, N),
    (At::End, "んだった", At::End, Flags::RUED),
    (At::End, "のでした", At::End, N),
    (At::End, "んで", At::Linked(Link::Because), N),
    (At::End, "です", At::End, N),
    (At::End, "っす", At::End, N),
    (At::End, "でしょう", At::End, Flags::GUESSED),
    (At::End, "でしょ", At::End, Flags::GUESSED),
    (At::End, "だろう", At::End, Flags::GUESSED),
    (At::End, "だろ", At::End, Flags::GUESSED),
    (At::End, "かもしれ", At::Irrealis, Flags::GUESSED),
    (At::End, "かもしれません", At::End, Flags::GUESSED),
    (At::End, "かもしれない", At::End, Flags::GUESSED),
    (At::End, "かも", At::End, Flags::GUESSED),
    (At::End, "らし", At::Adjective, Flags::HEARD),
    (At::End, "みたい", At::Copula, Flags::GUESSED),
    (At::End, "よう", At::Copula, Flags::GUESSED),
    (At::End, "はず", At::Copula, Flags::GUESSED),
    (At::End, "そう", At::Copula, Flags::HEARD),
    (At::End, "とのこと", At::Copula, Flags::HEARD),
    (At::End, "とか", At::End, Flags::HEARD),
    (At::End, "に違いな", At::Adjective, Flags::GUESSED),
    (At::End, "べき", At::Copula, Flags::WISHED),
    (At::End, "と思", At::Thinking, N),
    (At::End, "とおも", At::Thinking, N),
    (At::End, "と考え", At::Thinking, N),
    (At::End, "気がする", At::End, Flags::GUESSED),
    (At::End, "気がします", At::End, Flags::GUESSED),
    (At::Thinking, "う", At::End, Flags::GUESSED),
    (At::Thinking, "い", At::Continuative, Flags::GUESSED),
    (At::Thinking, "って", At::Te, Flags::GUESSED),
    (At::Thinking, "った", At::Ta, Flags::GUESSED),
    (At::Thinking, "る", At::End, Flags::GUESSED),
    (At::Thinking, "て", At::Te, Flags::GUESSED),
    (At::Thinking, "ます", At::End, Flags::GUESSED),
    (At::Thinking, "ました", At::End, Flags::GUESSED),
    (At::End, "つもり", At::Copula, Flags::PLANNED),
    (At::End, "予定", At::Copula, Flags::PLANNED),
    (At::End, "計画", At::Copula, Flags::PLANNED),
    (At::End, "見込み", At::Copula, Flags::PLANNED),
    (At::End, "ことになり", At::Continuative, Flags::DECIDED),
    (At::End, "ことになった", At::Ta, Flags::DECIDED),
    (At::End, "ことになって", At::Te, Flags::DECIDED),
    (At::End, "ことに決まり", At::Continuative, Flags::DECIDED),
    (At::End, "ことに決まった", At::Ta, Flags::DECIDED),
    (At::End, "ことにし", At::Ichidan, Flags::DECIDED),
    (At::End, "ことに決め", At::Ichidan, Flags::DECIDED),
    (At::End, "ようになり", At::Continuative, Flags::BEGAN),
    (At::End, "ようになった", At::Ta, Flags::BEGAN),
    (At::End, "ようになって", At::Te, Flags::BEGAN),
    (At::End, "ようにし", At::Ichidan, Flags::REGULAR),
    (At::End, "ことにして", At::Te, Flags::REGULAR),
    (At::End, "ことがあり", At::Continuative, Flags::TRIED_ONCE),
    (At::End, "ことがある", At::Terminal, Flags::TRIED_ONCE),
    (At::End, "ことあり", At::Continuative, Flags::TRIED_ONCE),
    (At::End, "ことある", At::Terminal, Flags::TRIED_ONCE),
    (At::End, "ことがな", At::Adjective, Flags::TRIED_ONCE.with(Flags::NEGATED)),
    (At::End, "ことはな", At::Adjective, Flags::TRIED_ONCE.with(Flags::NEGATED)),
    (At::End, "ことな", At::Adjective, Flags::TRIED_ONCE.with(Flags::NEGATED)),
    (At::End, "ことはあり", At::Continuative, Flags::TRIED_ONCE),
    (At::End, "ことはある", At::Terminal, Flags::TRIED_ONCE),
    (At::End, "ことはありません", At::End, Flags::TRIED_ONCE.with(Flags::NEGATED)),
    (At::End, "ことも", At::Linked(Link::Thing), N),
    (At::End, "ことができ", At::Ichidan, Flags::ABLE),
    (At::End, "ことを", At::Linked(Link::Thing), N),
    (At::End, "ことが", At::Linked(Link::Thing), N),
    (At::End, "ことは", At::Linked(Link::Thing), N),
    (At::End, "ことに", At::Linked(Link::Thing), N),
    (At::End, "こと", At::Copula, Flags::NOUN),
    (At::End, "わけでは", At::Negating, N),
    (At::End, "わけじゃ", At::Negating, N),
    (At::End, "ばかり", At::Copula, N),
    (At::End, "ばっかり", At::Copula, N),
    (At::End, "ことなんて", At::Linked(Link::Thing), N),
    (At::End, "ことすら", At::Linked(Link::Thing), N),
    (At::End, "ことが決まり", At::Continuative, Flags::DECIDED),
    (At::End, "ことが決まった", At::Ta, Flags::DECIDED),
    (At::End, "ことが決まって", At::Te, Flags::DECIDED),
    (At::End, "ところ", At::Linked(Link::Bare), N),
    (At::End, "ところは", At::Linked(Link::Cleft), N),
    (At::End, "場所は", At::Linked(Link::Cleft), N),
    (At::End, "ところです", At::End, N),
    (At::End, "ところだよ", At::End, N),
    (At::End, "ところだね", At::End, N),
    (At::End, "とこです", At::End, N),
    (At::End, "とこだよ", At::End, N),
    (At::End, "最中です", At::End, N),
    (At::End, "最中だ", At::End, N),
    (At::End, "ところでした", At::End, Flags::ALMOST),
    (At::End, "ところだった", At::End, Flags::ALMOST),
    (At::End, "とこだった", At::End, Flags::ALMOST),
    (At::End, "とこでした", At::End, Flags::ALMOST),
    (At::End, "か", At::End, Flags::ASKING),
    (At::End, "かな", At::End, Flags::ASKING),
    (At::End, "かしら", At::End, Flags::ASKING),
    (At::End, "かい", At::End, Flags::ASKING),
    (At::End, "っけ", At::End, Flags::ASKING),
    (At::End, "じゃん", At::End, N),
    (At::End, "の", At::End, N),
    (At::End, "よ", At::End, N),
    (At::End, "ね", At::End, N),
    (At::End, "な", At::End, N),
    (At::End, "なあ", At::End, N),
    (At::End, "なぁ", At::End, N),
    (At::End, "さ", At::End, N),
    (At::End, "わ", At::End, N),
    (At::End, "ぞ", At::End, N),
    (At::End, "ぜ", At::End, N),
    (At::End, "もん", At::End, N),
    (At::End, "ー", At::End, N),
    (At::End, "〜", At::End, N),
    (At::End, "～", At::End, N),
    (At::End, "けど", At::Linked(Link::But), N),
    (At::End, "けども", At::Linked(Link::But), N),
    (At::End, "けれど", At::Linked(Link::But), N),
    (At::End, "けれども", At::Linked(Link::But), N),
    (At::End, "が", At::Linked(Link::But), N),
    (At::End, "し", At::Linked(Link::And), N),
    (At::End, "から", At::Linked(Link::Because), N),
    (At::End, "ので", At::Linked(Link::Because), N),
    (At::End, "もので", At::Linked(Link::Because), N),
    (At::End, "もんで", At::Linked(Link::Because), N),
    (At::End, "ため", At::Linked(Link::Because), N),
    (At::End, "のに", At::Linked(Link::But), N),
    (At::End, "と", At::Linked(Link::Quote), N),
    (At::End, "って", At::Linked(Link::Quote), N),
    (At::End, "だって", At::Linked(Link::Quote), Flags::HEARD),
    (At::End, "という", At::Linked(Link::Of), N),
    (At::End, "なら", At::Linked(Link::If), Flags::SUPPOSED),
    (At::End, "のは", At::Linked(Link::Cleft), N),
    (At::End, "のが", At::Linked(Link::Thing), N),
    (At::End, "のを", At::Linked(Link::Thing), N),
    (At::End, "のも", At::Linked(Link::Thing), N),
    (At::End, "ほど", At::Linked(Link::And), N),
    (At::End, "まで", At::Linked(Link::If), N),
    (At::End, "前に", At::Linked(Link::If), N),
];

/// What follows a stem: how many bytes of it are endings, and what they say. The longest whole reading; `None` where there is none.
pub(super) fn endings(rest: &str, at: At) -> Option<(usize, Form)> {
    const DEEPEST: u8 = 12;
    walk(rest, at, Flags::NONE, DEEPEST).map(|(taken, flags, link)| (taken, Form { flags, link }))
}

fn walk(rest: &str, at: At, flags: Flags, left: u8) -> Option<(usize, Flags, Link)> {
    if let At::Linked(link) = at {
        return Some((0, flags, link));
    }
    let mut best = (at == At::End).then_some((0, flags, Link::Whole));
    if left == 0 {
        return best;
    }
    for (_, letters, to, says) in steps(at, rest) {
        if let Some(after) = rest.strip_prefix(letters)
            && let Some((taken, flags, link)) = walk(after, *to, flags.with(*says), left - 1)
        {
            let taken = taken + letters.len();
            if best.is_none_or(|(most, ..)| taken > most) {
                best = Some((taken, flags, link));
            }
        }
    }
    // A one-row stem is its own irrealis and continuative.
    if at == At::Ichidan {
        for other in [At::Irrealis, At::Continuative] {
            if let Some(read) = walk(rest, other, flags, left - 1)
                && best.is_none_or(|(most, ..)| read.0 > most)
            {
                best = Some(read);
            }
        }
    }
    best
}

/// The steps from a place whose letters may begin a text, the longest first.
fn steps(at: At, rest: &str) -> impl Iterator<Item = &'static Step> {
    // Of readings that take the same letters, the one in the fewest steps is meant: のが, not の and が.
    let index = INDEX.get_or_init(|| {
        let mut sorted: Vec<&Step> = STEPS.iter().collect();
        sorted.sort_by_key(|(_, letters, ..)| std::cmp::Reverse(letters.len()));
        let mut index = StepIndex::default();
        for step in sorted {
            index.entry((step.0, step.1.chars().next())).or_default().push(*step);
        }
        index
    });
    let begun = rest.chars().next().and_then(|first| index.get(&(at, Some(first))));
    begun.into_iter().chain(index.get(&(at, None))).flatten()
}

/// The steps by where they begin and their first letter; `None` of those without letters.
type StepIndex = FxHashMap<(At, Option<char>), Vec<Step>>;

static INDEX: OnceLock<StepIndex> = OnceLock::new();

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads an inflected word of a dictionary form; the flags and the link of the longest reading that takes all of it.
    fn read(dictionary: &str, word: &str) -> Option<Form> {
        let (_, stems) = stems(dictionary);
        let reading = |(stem, at): &(String, At)| {
            let rest = word.strip_prefix(stem.as_str())?;
            let (taken, form) = endings(rest, *at)?;
            (taken == rest.len()).then_some(form)
        };
        stems.iter().find_map(reading)
    }

    fn check(dictionary: &str, word: &str, flags: &[Flags], link: Link) {
        let form = read(dictionary, word).unwrap_or_else(|| panic!("{word} was not read as {dictionary}"));
        let all = flags.iter().fold(Flags::NONE, |all, flag| all.with(*flag));
        assert_eq!((form.flags, form.link), (all, link), "{word}");
    }

    #[test]
    fn five_row_verbs_are_read_in_every_row() {
        check("歩く", "歩いています", &[Flags::ONGOING], Link::Whole);
        check("泳ぐ", "泳いでた", &[Flags::ONGOING, Flags::PAST], Link::Whole);
        check("貸す", "貸した", &[Flags::PAST], Link::Whole);
        check("待つ", "待たない", &[Flags::NEGATED], Link::Whole);
        check("遊ぶ", "遊んだら", &[Flags::SUPPOSED], Link::If);
        check("頼む", "頼まれた", &[Flags::PASSIVE, Flags::PAST], Link::Whole);
        check("売る", "売りませんでした", &[Flags::NEGATED, Flags::PAST], Link::Whole);
        check("行く", "行ったことがない", &[Flags::PAST, Flags::TRIED_ONCE, Flags::NEGATED], Link::Whole);
    }

    #[test]
    fn other_classes_are_read_and_their_links_told() {
        check("食べる", "食べられるので", &[Flags::PASSIVE], Link::Because);
        check("出張する", "出張をしていたけど", &[Flags::ONGOING, Flags::PAST], Link::But);
        check("得意だ", "得意じゃなくて", &[Flags::NEGATED], Link::NotBut);
        check("寒い", "寒くなかった", &[Flags::NEGATED, Flags::PAST], Link::Whole);
        check("歌う", "歌おうと思っています", &[Flags::WILLED, Flags::GUESSED, Flags::ONGOING], Link::Whole);
        check("直す", "直してもらえますか", &[Flags::ASKED, Flags::ASKING], Link::Whole);
    }

    #[test]
    fn what_is_no_ending_is_not_taken() {
        assert_eq!(endings("っぽけ", At::Terminal).map(|(taken, _)| taken), Some(0));
        assert_eq!(endings("犬", At::Adjective), None);
        assert_eq!(read("歩く", "歩みた"), None);
    }
}
