//! What only writing has: headings that name a product and its version, and asides in brackets after a name.
//! Knows no phrasing of a relation.

use super::super::draft::Phase;
use super::clause::clauses;
use super::finding::Finding;
use super::reader::Reader;
use super::token::{Kind, Token};
use crate::time::expr::{Value, parse_one};
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
        // …（3月1日）：Rubyが要るように: what follows a colon is told under the heading.
        let colon = after.char_indices().find(|(_, c)| matches!(c, ':' | '：')).map(|(place, c)| version.end + place + c.len_utf8());
        let until = colon.map_or(at.end, |colon| colon - 1);
        let led = colon.is_some() && dated.and_then(|place| self.times.get(place)).is_some_and(|time| time.bytes.end <= until);
        let named = !name.is_empty() && name.chars().count() <= 30 && !name.contains(['は', 'を', '。', '、']);
        if !named || !(marked || only_date || notes || led || rest.is_empty()) || self.setting.author().is_some() {
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
        if let Some(colon) = colon.filter(|colon| led && self.text.get(*colon..at.end).is_some_and(|rest| !rest.trim().is_empty())) {
            self.sentence(colon..at.end);
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

    /// An age, or the dates of a birth and a death, in brackets after somebody's name; whether it was one.
    fn lifetime(&mut self, name: &str, tokens: &[Token]) -> bool {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return false };
        let at = first.at.start..last.at.end;
        let inside = self.text.get(at.clone()).unwrap_or_default().trim();
        let years = |text: &str| text.trim_end_matches(['歳', '才']).parse::<u8>().is_ok_and(|age| (1..=120).contains(&age));
        if years(inside) && self.is_person(name) {
            let age = inside.to_owned();
            self.add_named("age", name, &age, at);
            return true;
        }
        let marks = ['-', '–', '—', '―', '〜', '～', '−', 'ー'];
        // 1902年4月3日 - 1988年11月20日 is one stretch of time, if it is read as one.
        if let [Token { kind: Kind::Time(time), .. }] = tokens
            && self.is_person(name)
            && let Some((born, died)) = inside.split_once(marks)
            && let Some(Value::Span(_)) = self.times.get(*time).map(|time| time.value)
        {
            let dates = [("birth_date", born), ("died_on", died)];
            let read = dates.map(|(relation, date)| (relation, date.trim().to_owned(), parse_one(date.trim(), &self.setting.calendar)));
            for (relation, date, time) in read {
                let (Some(relation), Some(time)) = (self.relation(relation), time) else { continue };
                let place = self.times.len();
                self.times.push(time);
                let pattern = "lifetime".to_owned();
                self.add(Finding { times: vec![place], ..Finding::new(name.to_owned(), relation, date, at.clone(), pattern) });
            }
            return true;
        }
        let dates: Vec<usize> =
            tokens.iter().filter_map(|token| if let Kind::Time(time) = token.kind { Some(time) } else { None }).collect();
        let (Some(born), Some(died)) = (dates.first().copied(), dates.get(1).copied()) else { return false };
        if dates.len() != 2 || !inside.contains(marks) || !self.is_person(name) && name.chars().count() > 12 {
            return false;
        }
        for (relation, time) in [("birth_date", born), ("died_on", died)] {
            let date = self.times.get(time).and_then(|time| self.text.get(time.bytes.clone())).unwrap_or_default().to_owned();
            if let Some(relation) = self.relation(relation) {
                let pattern = "lifetime".to_owned();
                self.add(Finding { times: vec![time], ..Finding::new(name.to_owned(), relation, date, at.clone(), pattern) });
            }
        }
        true
    }

    /// Reads asides, each of the name that it stands after.
    pub(super) fn read_asides(&mut self, asides: Vec<Aside>) {
        for (name, tokens) in asides {
            let Some(name) = name.and_then(|name| self.text.get(name)) else { continue };
            let name = Self::bare_name(name);
            let number = tokens.first().zip(tokens.last()).and_then(|(first, last)| self.text.get(first.at.start..last.at.end));
            if let Some(number) = number.filter(|number| number.starts_with('#') && number.chars().skip(1).all(char::is_alphanumeric)) {
                self.numbered.push((name, number.to_owned()));
                continue;
            }
            if self.lifetime(&name, &tokens) {
                continue;
            }
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
            "# 雲海 3.4.0（2024-03-01）\n- データベースをMySQLからPostgreSQLに変更",
            &[
                "雲海 released 3.4.0 Happened",
                "雲海 version 3.4.0 Began",
                "雲海 uses_database MySQL Over ends",
                "雲海 uses_database PostgreSQL Began",
            ],
        );
    }

    #[test]
    fn an_aside_is_about_the_name_before_it() {
        check_written("川瀬工（1950年生まれ）は画家。", &["川瀬工 birth_date 1950年 Now", "川瀬工 job_title 画家 Now"]);
        check_written("川瀬千尋（41）は画家。", &["川瀬千尋 age 41 Now", "川瀬千尋 job_title 画家 Now"]);
        check_written("刃こぼれ（#12）は2.0.1で修正されました。", &["#12 fixed_in 2.0.1 Happened"]);
    }
}
