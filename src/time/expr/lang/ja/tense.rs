//! What the verb of a Japanese clause says of its time: past or not. Knows no dates.
//!
//! The verb ends its clause, so it stands after the time it is said of, and its last kana tell: た and だ the past, a plain form, ます,
//! a volitional or a noun such as 予定 what is not.

use super::super::parse::In;
use crate::time::expr::context::Prefer;
use crate::time::expr::lexicon::Atom;
use crate::time::expr::token::{Kind, Token};

/// How many characters after a time its verb may end.
const REACH: usize = 48;

/// A character of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letter {
    c: char,
    /// Of a number, a foreign word or a time, none of which ends a verb.
    other: bool,
    /// Of a noun that speaks of what is to come.
    noun: bool,
}

fn letters<'t>(tokens: impl Iterator<Item = &'t Token<'t>>) -> Vec<Letter> {
    let mut letters = Vec::new();
    for token in tokens {
        if letters.len() >= REACH {
            break;
        }
        let noun = token.atoms.contains(&Atom::FutureVerb);
        let other = token.is_temporal() || token.kind == Kind::Word;
        match token.kind {
            Kind::Mark(c) => letters.push(Letter { c, other, noun }),
            Kind::Number { .. } | Kind::Word => letters.push(Letter { c: '0', other, noun }),
            Kind::Glyph => letters.extend(token.norm.chars().map(|c| Letter { c, other, noun })),
        }
    }
    letters
}

/// What the first verb after an expression says; of those before it, only one that it is the date of ("来たのは5月3日").
pub(in crate::time::expr::lang) fn tense(before: In<'_>, after: In<'_>) -> Option<Prefer> {
    let ends = |token: &&Token<'_>| matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';' | '。'));
    let after = letters(after.iter().take_while(|token| !ends(token)));
    match (0..after.len()).find_map(|at| verb_at(&after, at)) {
        Some(Verb::Past) => return Some(Prefer::Past),
        Some(Verb::Future) => return Some(Prefer::Future),
        Some(Verb::Neither) => return None,
        None => {}
    }
    if after.iter().any(|letter| letter.noun) {
        return Some(Prefer::Future);
    }
    let open = before.iter().rposition(|token| ends(&token)).map_or(0, |at| at + 1);
    let before = letters(before.get(open..).unwrap_or_default().iter());
    let cleft = ["たのは", "だのは", "たのが", "だのが"].iter().any(|text| end_with(&before, text));
    cleft.then_some(Prefer::Past)
}

/// Whether the letters end with the text.
fn end_with(letters: &[Letter], text: &str) -> bool {
    let count = text.chars().count();
    letters.len() >= count && letters.iter().rev().zip(text.chars().rev()).all(|(letter, c)| letter.c == c)
}

const fn is_kanji(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '々')
}

/// Whether a form that ends here may be the last of its clause: what follows is nothing, a mark, or a particle that closes one.
fn closes(after: &[Letter]) -> bool {
    const CLOSING: [&str; 13] = ["よ", "ね", "わ", "ぞ", "けど", "けれど", "から", "ので", "のに", "し、", "が、", "つもり", "予定"];
    let Some(first) = after.first() else { return true };
    let starts = |word: &str| word.chars().enumerate().all(|(at, c)| after.get(at).is_some_and(|letter| letter.c == c));
    matches!(first.c, '、' | ',' | ')' | '」' | '…' | '~') || CLOSING.iter().any(|word| starts(word))
}

/// What a verb says of the time of its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Past,
    /// Present in form, which of what has a date is to come.
    Future,
    /// A verb, but one of saying or thinking.
    Neither,
}

/// What the verb says that ends with the letter, if one does.
fn verb_at(letters: &[Letter], at: usize) -> Option<Verb> {
    const I_ROW: &str = "いきぎしじちにひびみり";
    const E_ROW: &str = "えけげせぜてでねへべめれ";
    const BEFORE_RU: &str = "あかがさざたなばまわうくぐすつぬぶむ";
    let here = letters.get(at).filter(|letter| !letter.other)?;
    let back = |n: usize| at.checked_sub(n).and_then(|at| letters.get(at)).filter(|letter| !letter.other).map(|letter| letter.c);
    let (one, two) = (back(1)?, back(2));
    let rest = letters.get(at + 1..).unwrap_or_default();
    let next = rest.first().map(|letter| letter.c);
    let plain = |verb: bool| (verb && closes(rest)).then_some(Verb::Future);
    match here.c {
        'た' => {
            let stem = one == 'っ' || I_ROW.contains(one) || E_ROW.contains(one) || "見来出着寝似煮得経観診".contains(one);
            // たい wishes, たら and たり are no clause's end, たち are many, いただく and いたす other verbs.
            let goes_on = next.is_some_and(|next| "いくちらりるろっさすずげぶび方ほ".contains(next))
                || next == Some('が') && rest.get(1).is_some_and(|more| "るりっ".contains(more.c))
                || one == 'い' && next.is_some_and(|next| "しだわん".contains(next));
            (stem && !goes_on).then_some(Verb::Past)
        }
        // 読んだ, 急いだ; but のだ and 行くんだ say nothing.
        'だ' => {
            let stem = match one {
                'ん' => two.is_some_and(|two| is_kanji(two) || I_ROW.contains(two) && two != 'い'),
                'い' => two.is_some_and(is_kanji),
                _ => false,
            };
            (stem && !next.is_some_and(|next| "らりろっ".contains(next))).then_some(Verb::Past)
        }
        // ます, but not です; ています may have been so for long.
        'す' if one == 'ま' => (!matches!(two, Some('い' | 'て'))).then_some(Verb::Future),
        'す' => plain(is_kanji(one) || "らかがたなわ".contains(one)),
        // ません, but not ませんでした
        'ん' if one == 'せ' && two == Some('ま') => (next != Some('で')).then_some(Verb::Future),
        'う' if matches!(one, '思' | '言' | '違') => closes(rest).then_some(Verb::Neither),
        // 会う; 行こう, しよう, だろう
        'う' => plain(is_kanji(one) || matches!(one, 'よ' | 'ろ' | 'ょ') || "おこごそとのもぼ".contains(one) && two.is_some_and(is_kanji)),
        // 早く and 近く are no verbs, 行く and 着く are.
        'く' => plain("行書聞着働歩開続届置引弾泣咲動描".contains(one) || one == 'い' && !two.is_some_and(is_kanji)),
        'ぐ' | 'つ' => plain(is_kanji(one)),
        'む' | 'ぶ' => plain(is_kanji(one) || one == 'し'),
        // Not ている, nor である.
        'る' => {
            let lasts = one == 'て' || one == 'い' && matches!(two, None | Some('て' | 'で')) || one == 'あ' && two == Some('で');
            plain(!lasts && (is_kanji(one) || I_ROW.contains(one) || E_ROW.contains(one) || BEFORE_RU.contains(one)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::expr::token::tokenize;

    fn told(after: &str) -> Option<Prefer> {
        tense(&[], &tokenize(after))
    }

    #[test]
    fn the_verb_at_the_end_of_the_clause_tells() {
        for past in ["に会った。", "に本を読んだ", "は寒かったです。", "に始めましたが、", "に泳いだよ", "に東京で開かれた会議"]
        {
            assert_eq!(told(past), Some(Prefer::Past), "{past}");
        }
        for future in [
            "に会う。",
            "まで休むよ",
            "にご連絡いたします",
            "に出ます。",
            "に行こう",
            "は帰りません。",
            "に始まる予定だ",
            "必着",
            "に届くので",
            "に食べる、そうだ",
        ] {
            assert_eq!(told(future), Some(Prefer::Future), "{future}");
        }
        for nothing in
            ["です。", "に会いたい。", "かあした", "に新たに", "にいただく方", "にまた", "だ。", "に早く", "であると", "に住んでいる。", ""]
        {
            assert_eq!(told(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_cleft_has_its_verb_before() {
        let tokens = tokenize("彼が来たのは");
        assert_eq!(tense(&tokens, &[]), Some(Prefer::Past));
        let tokens = tokenize("先に終わった。でも");
        assert_eq!(tense(&tokens, &[]), None);
    }
}
