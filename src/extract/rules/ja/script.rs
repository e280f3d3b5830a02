//! What a character is written in. Knows no word.

/// The script of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Kanji,
    Hiragana,
    Katakana,
    /// Letters of any other script, and digits.
    Letter,
    Space,
    /// Everything else.
    Mark,
}

/// The script of a character; the mark of a long vowel and the middle dot count as katakana, the mark of repetition as kanji.
pub(super) fn script(c: char) -> Script {
    match c {
        'ぁ'..='ゟ' => Script::Hiragana,
        'ァ'..='ヺ' | 'ー' | '・' | 'ｦ'..='ﾟ' => Script::Katakana,
        '々' | '〆' | '〇' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Script::Kanji,
        _ if c.is_whitespace() => Script::Space,
        _ if c.is_alphanumeric() => Script::Letter,
        _ => Script::Mark,
    }
}

/// The mark that closes what this one opens, for quotation marks.
pub(super) const fn closing(open: char) -> Option<char> {
    Some(match open {
        '「' => '」',
        '『' => '』',
        '“' => '”',
        '"' => '"',
        '《' => '》',
        _ => return None,
    })
}

/// Whether a character is a numeral, of any width or in kanji.
pub(super) fn is_numeral(c: char) -> bool {
    c.is_numeric() || "〇一二三四五六七八九十百千万億兆何数".contains(c)
}

#[cfg(test)]
mod tests {
    use super::Script::{Hiragana, Kanji, Katakana, Letter, Mark, Space};
    use super::*;

    #[test]
    fn scripts_are_told_apart() {
        let read: Vec<Script> = "亜々あアーaＡ7 。".chars().map(script).collect();
        assert_eq!(read, [Kanji, Kanji, Hiragana, Katakana, Katakana, Letter, Letter, Letter, Space, Mark]);
        assert_eq!((closing('『'), closing('(')), (Some('』'), None));
    }
}
