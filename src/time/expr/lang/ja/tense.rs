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
    /// A numeral, which ends no verb.
    number: bool,
    /// It begins a noun that speaks of what is to come.
    noun: bool,
}

fn letters<'t>(tokens: impl Iterator<Item = &'t Token<'t>>) -> Vec<Letter> {
    let mut letters = Vec::new();
    for token in tokens {
        if letters.len() >= REACH {
            break;
        }
        match token.kind {
            Kind::Mark(c) => letters.push(Letter { c, number: false, noun: false }),
            Kind::Number { .. } | Kind::Word => letters.push(Letter { c: '0', number: true, noun: false }),
            Kind::Glyph => {
                let noun = token.atoms.contains(&Atom::FutureVerb);
                letters.extend(token.norm.chars().enumerate().map(|(at, c)| Letter { c, number: false, noun: noun && at == 0 }));
            }
        }
    }
    letters
}

/// What the first verb after an expression says; of those before it, only one that it is the date of ("来たのは5月3日").
pub(in crate::time::expr::lang) fn tense(before: In<'_>, after: In<'_>) -> Option<Prefer> {
    let ends = |token: &&Token<'_>| matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';' | '。'));
    let after = letters(after.iter().take_while(|token| !ends(token)));
    let verb = (0..after.len()).find_map(|at| verb_at(&after, at));
    if let Some(told) = verb {
        return told;
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

/// What a verb that ends with the letter says: `None` if none does, `Some(None)` if it is one that says nothing.
fn verb_at(letters: &[Letter], at: usize) -> Option<Option<Prefer>> {
    const I_ROW: &str = "いきぎしじちにひびみり";
    const E_ROW: &str = "えけげせぜてでねへべめれ";
    const U_ROW: &str = "うくぐすつぬぶむるゅ";
    let here = letters.get(at)?;
    let back = |n: usize| at.checked_sub(n).and_then(|at| letters.get(at)).filter(|letter| !letter.number).map(|letter| letter.c);
    let (one, two) = (back(1)?, back(2));
    let rest = letters.get(at + 1..).unwrap_or_default();
    let next = rest.first().map(|letter| letter.c);
    match here.c {
        'た' => {
            let stem = one == 'っ' || I_ROW.contains(one) || E_ROW.contains(one) || is_kanji(one);
            // たい wishes, たら and たり are no clause's end, たち are many.
            let goes_on = next.is_some_and(|next| "いくちらりろっさげぶくび".contains(next))
                || next == Some('が') && rest.get(1).is_some_and(|more| "るりっ".contains(more.c))
                || next == Some('ほ')
                || next == Some('方');
            (stem && !goes_on).then_some(Some(Prefer::Past))
        }
        // 読んだ, 急いだ; but のだ and 行くんだ say nothing.
        'だ' => {
            let stem = match one {
                'ん' => two.is_some_and(|two| is_kanji(two) || I_ROW.contains(two) && two != 'い'),
                'い' => two.is_some_and(is_kanji),
                _ => false,
            };
            (stem && !next.is_some_and(|next| "らりろっ".contains(next))).then_some(Some(Prefer::Past))
        }
        // ます, but not です; います may have been so for long.
        'す' if one == 'ま' => (!matches!(two, Some('い' | 'る'))).then_some(Some(Prefer::Future)),
        'ん' if one == 'せ' && two == Some('ま') => {
            // ませんでした
            (next != Some('で')).then_some(Some(Prefer::Future))
        }
        'す' if is_kanji(one) || "らかがたなわ".contains(one) => closes(rest).then_some(Some(Prefer::Future)),
        'う' if is_kanji(one) => {
            // 思う and 言う are said of what one thinks and says.
            closes(rest).then_some((!matches!(one, '思' | '言' | '違')).then_some(Prefer::Future))
        }
        // 行こう, しよう, だろう, ましょう
        'う' if matches!(one, 'よ' | 'ろ' | 'ょ') || "おこごそとのもぼ".contains(one) && two.is_some_and(is_kanji) => {
            closes(rest).then_some(Some(Prefer::Future))
        }
        // 早く and 近く are no verbs, 行く and 着く are.
        'く' if "行書聞着働歩開続届置引弾泣咲動描い".contains(one) && !(one == 'い' && two.is_some_and(is_kanji)) => {
            closes(rest).then_some(Some(Prefer::Future))
        }
        'ぐ' | 'つ' if is_kanji(one) => closes(rest).then_some(Some(Prefer::Future)),
        'む' | 'ぶ' if is_kanji(one) || one == 'し' => closes(rest).then_some(Some(Prefer::Future)),
        'る' if is_kanji(one) || I_ROW.contains(one) || E_ROW.contains(one) || "あかがさざたなばまわ".contains(one) || U_ROW.contains(one) => {
            let goes_on = one == 'い' && matches!(two, Some('て' | 'で')) || one == 'て' || one == 'い' && two.is_none();
            // である is but a copula.
            let copula = one == 'あ' && two == Some('で');
            (closes(rest) && !goes_on && !copula).then_some(Some(Prefer::Future))
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
        for past in ["に会った。", "に本を読んだ", "は寒かったです。", "に始めましたが、", "に泳いだよ", "に東京で開かれた会議"] {
            assert_eq!(told(past), Some(Prefer::Past), "{past}");
        }
        for future in ["に会う。", "まで休むよ", "に出ます。", "に行こう", "は帰りません。", "に始まる予定だ", "必着", "に届くので", "に食べる、そうだ"] {
            assert_eq!(told(future), Some(Prefer::Future), "{future}");
        }
        for nothing in ["です。", "に会いたい。", "にまた", "だ。", "に早く", "であると", "に住んでいる。", ""] {
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
