//! Where the sentences of a text begin and end, without the marks of lists and labels in front of them.
//! Knows no word of a clause.

use std::ops::Range;

/// How far the mark is looked for that closes a quotation.
pub(super) const LONGEST: usize = 300;

/// The sentences of a text; a mark inside quotation marks ends none.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut quotes: Vec<char> = Vec::new();
    for (at, c) in text.char_indices() {
        if quotes.last() == Some(&c) {
            quotes.pop();
            continue;
        }
        // Straight marks open and close alike.
        let inside = text.get(at + c.len_utf8()..).unwrap_or_default();
        if let Some(close) = super::script::closing(c).filter(|close| inside.chars().take(LONGEST).any(|c| c == *close)) {
            quotes.push(close);
            continue;
        }
        let ends = c == '\n' || quotes.is_empty() && matches!(c, '。' | '！' | '？' | '!' | '?' | '．' | '♪');
        if ends {
            quotes.clear();
            if text.get(from..at).is_some_and(|sentence| !sentence.trim().is_empty()) {
                all.push(unbulleted(text, from..at));
            }
            from = at + c.len_utf8();
        }
    }
    if text.get(from..).is_some_and(|sentence| !sentence.trim().is_empty()) {
        all.push(unbulleted(text, from..text.len()));
    }
    all
}

/// A sentence without the mark of a list in front.
fn unbulleted(text: &str, at: Range<usize>) -> Range<usize> {
    let line = text.get(at.clone()).unwrap_or_default();
    // 【議事録】: a label in front.
    let line = match line.trim_start().strip_prefix('【').and_then(|rest| rest.split_once('】')) {
        Some((_, rest)) if !rest.trim().is_empty() => rest,
        _ => line,
    };
    let rest = line.trim_start().trim_start_matches(['-', '*', '・', '•', '○', '□', '■', '●', '◆', '▶']);
    let bare = line.trim_start().len() == rest.len();
    at.end - if bare { line.len() } else { rest.trim_start().len() }..at.end
}

/// Whether a line of minutes is somebody's task.
pub(super) fn is_action(line: &str) -> bool {
    const LABELS: &[&str] =
        &["アクション", "宿題", "TODO", "ToDo", "Todo", "タスク", "対応事項", "アクションアイテム", "AI", "次のアクション", "決定事項"];
    line.trim().split_once([':', '：', '】']).is_some_and(|(label, _)| LABELS.contains(&label.trim_start_matches(['【', '[']).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_inside_quotation_marks_ends_no_sentence() {
        let text = "- 「海へ。」を読んだ。今日は晴れ！";
        let all: Vec<&str> = sentences(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(all, ["「海へ。」を読んだ", "今日は晴れ"]);
        assert!(is_action("アクション：西が送る") && !is_action("結論：延期する"), "a task has its label");
    }
}
