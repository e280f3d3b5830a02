//! What only writing has: headings that name a product and its version, and asides in brackets after a name.
//! Knows no phrasing of a relation.

use super::super::draft::Phase;
use super::clause::clauses;
use super::reader::{Finding, Reader};
use super::token::{Kind, Token};
use std::ops::Range;

/// An aside: the name that it stands after, and its tokens.
type Aside = (Option<Range<usize>>, Vec<Token>);

impl Reader<'_> {
    /// Reads a heading that names a product with a version, and perhaps a date; what follows is about the product, at that date.
    pub(super) fn heading(&mut self, at: &Range<usize>) -> bool {
        let line = self.text.get(at.clone()).unwrap_or_default();
        let marked = line.trim_start().starts_with('#');
        let mut offset = at.start;
        let mut version: Option<Range<usize>> = None;
        for word in line.split_inclusive([' ', '　', '（', '(', '）', ')', ':', '：', '】']) {
            let plain = word.trim_end_matches([' ', '　', '（', '(', '）', ')', ':', '：', '】']);
            let number = plain.trim_start_matches("バージョン").trim_start_matches(['v', 'V']);
            let shaped = number.contains('.')
                && number.starts_with(|c: char| c.is_ascii_digit())
                && number.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
            if shaped {
                let from = offset + plain.len() - number.len();
                version = Some(from..offset + plain.len());
                break;
            }
            offset += word.len();
        }
        let Some(version) = version else { return false };
        let name = self.text.get(at.start..version.start).unwrap_or_default();
        let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '【' | '】' | '「' | '」' | 'v' | 'V' | '■'));
        let name = name.strip_suffix("バージョン").unwrap_or(name).trim();
        let after = self.text.get(version.end..at.end).unwrap_or_default();
        let rest = after.trim_matches(|c: char| !c.is_alphanumeric());
        let dated = self.times.iter().position(|time| time.bytes.start >= version.end && time.bytes.end <= at.end);
        let only_date = dated.and_then(|place| self.times.get(place)).is_some_and(|time| self.text.get(time.bytes.clone()) == Some(rest));
        let notes = ["リリース", "変更", "更新", "公開", "Release", "release"].iter().any(|word| rest.starts_with(word));
        let named = !name.is_empty() && name.chars().count() <= 30 && !name.contains(['は', 'を', '。', '、']);
        if !named || !(marked || only_date || notes || rest.is_empty()) || self.setting.author().is_some() {
            return false;
        }
        let name = name.to_owned();
        let number = self.text.get(version).unwrap_or_default().to_owned();
        self.spoken.topic = Some(name.clone());
        self.spoken.thing = true;
        self.dated = dated;
        let times: Vec<usize> = dated.into_iter().collect();
        for (relation, phase) in [("released", Phase::Happened), ("version", Phase::Began)] {
            if let Some(relation) = self.relation(relation) {
                self.add(Finding {
                    phase,
                    times: times.clone(),
                    ..Finding::new(name.clone(), relation, number.clone(), at.clone(), "heading".to_owned())
                });
            }
        }
        true
    }

    /// Takes what stands in brackets out of a sentence's tokens.
    pub(super) fn asides(&self, tokens: Vec<Token>) -> (Vec<Token>, Vec<Aside>) {
        let is = |token: &Token, marks: [&str; 2]| {
            token.kind == Kind::Break && self.text.get(token.at.clone()).is_some_and(|text| marks.contains(&text))
        };
        if !tokens.iter().any(|token| is(token, ["（", "("])) {
            return (tokens, Vec::new());
        }
        let mut outer: Vec<Token> = Vec::new();
        let mut asides: Vec<Aside> = Vec::new();
        let mut inside = false;
        for token in tokens {
            if is(&token, ["（", "("]) {
                inside = true;
                let name = outer
                    .last()
                    .filter(|last| matches!(last.kind, Kind::Text | Kind::Quote(_)))
                    .map(|last| if let Kind::Quote(inner) = &last.kind { inner.clone() } else { last.at.clone() });
                asides.push((name, Vec::new()));
            } else if is(&token, ["）", ")"]) {
                inside = false;
            } else if inside {
                if let Some((_, tokens)) = asides.last_mut() {
                    tokens.push(token);
                }
            } else {
                outer.push(token);
            }
        }
        (outer, asides)
    }

    /// Reads asides, each of the name that it stands after.
    pub(super) fn read_asides(&mut self, asides: Vec<Aside>) {
        for (name, tokens) in asides {
            let Some(name) = name.and_then(|name| self.text.get(name)) else { continue };
            let name = self.bare_name(name);
            let thing = !self.is_person(&name)
                && !tokens
                    .iter()
                    .any(|token| self.text.get(token.at.clone()).is_some_and(|text| text.contains("生まれ") || text.ends_with('没')));
            let before = (self.spoken.topic.replace(name), std::mem::replace(&mut self.spoken.thing, thing));
            let clauses = clauses(self.text, &tokens);
            self.sentence_of(&clauses, false);
            (self.spoken.topic, self.spoken.thing) = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_written;

    #[test]
    fn a_heading_names_what_the_lines_under_it_are_about() {
        check_written(
            "# 雲海 2.1.0（2024-03-01）\n- データベースをMySQLからPostgreSQLに変更",
            &[
                "雲海 released 2.1.0 Happened",
                "雲海 version 2.1.0 Began",
                "雲海 uses_database MySQL Over ends",
                "雲海 uses_database PostgreSQL Began",
            ],
        );
    }

    #[test]
    fn an_aside_is_about_the_name_before_it() {
        check_written("川瀬工（1950年生まれ）は画家。", &["川瀬工 birth_date 1950年 Now", "川瀬工 job_title 画家 Now"]);
    }
}
