//! What ends without its value being said: "仕事を辞めました", "離婚しました". Whoever knows what is believed says what it was.
//! Knows no relation's phrasing.

use super::super::draft::{Draft, OpenDraft};
use super::finding::Finding;
use super::frames::Match;
use super::pack::Sort;
use super::reader::{Reader, Said};
use super::value::Told;
use crate::extract::Which;
use crate::model::Polarity;

/// An end whose value is not said; its tail is the words that stand for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lost {
    pub(super) finding: Finding,
    all: bool,
    /// Whether those who part no longer live together.
    parted: bool,
}

impl Lost {
    /// The open end that it makes.
    pub(super) fn drafted(&self, draft: Draft) -> OpenDraft {
        let beside = if self.parted { vec!["lives_with".to_owned()] } else { Vec::new() };
        OpenDraft { draft, which: if self.all { Which::All } else { Which::Only }, beside }
    }
}

impl Reader<'_> {
    /// Ends what this text or the turns before tell of each head, or leaves open what it is.
    pub(super) fn lose(&mut self, said: &Said<'_>, found: &Match, heads: &[String], told: &Told) {
        let relation = found.frame.relation;
        for head in heads.iter().filter(|head| !head.is_empty()) {
            let known = self.known_tail(head, relation).map(|entity| entity.text);
            let words = self.text.get(told.at.clone()).unwrap_or_default().trim().to_owned();
            let pattern = format!("{}: {}", self.relation_name(relation), found.frame.text);
            let bound = known.is_some();
            let finding = Finding {
                polarity: told.polarity,
                phase: told.phase,
                times: told.times.clone(),
                ..Finding::new(head.clone(), relation, known.unwrap_or(words), told.at.clone(), pattern)
            };
            if bound {
                self.add(finding);
            } else if told.polarity != Polarity::Ends {
                self.quit(said, told.phase, told.polarity);
            } else if !self.recalling && !self.setting.is_written() {
                let parted = matches!(self.relation_name(relation), "married_to" | "partner_of");
                self.told += 1;
                self.lost.push(Lost { finding, all: found.frame.sort == Sort::LostAll, parted });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_after, reading};
    use crate::extract::Which;
    use crate::model::Authority;

    /// Head, relation and which of the open ends of a text.
    fn open(text: &str) -> Vec<(String, String, Which)> {
        let open = reading(Authority::User, &[], text).open;
        open.into_iter().map(|open| (open.draft.head, open.draft.relation, open.which)).collect()
    }

    #[test]
    fn an_end_without_a_value_is_left_open() {
        let only = |head: &str, relation: &str| vec![(head.to_owned(), relation.to_owned(), Which::Only)];
        assert_eq!(open("仕事を辞めました。"), only("わたなべ", "employer"));
        assert_eq!(open("母は会社を辞めました。"), only("母", "employer"));
        assert_eq!(open("離婚しました。"), only("わたなべ", "married_to"));
        assert_eq!(open("彼氏と別れた。"), only("わたなべ", "partner_of"));
        assert_eq!(open("去年、失業しました。"), vec![("わたなべ".to_owned(), "employer".to_owned(), Which::All)]);
        assert_eq!(open("仕事を辞めたい。"), vec![]);
        assert_eq!(open("仕事は辞めていません。"), vec![]);
        check("夫の工と離婚しました。", &["わたなべ married_to 工 Over ends"]);
    }

    #[test]
    fn what_was_told_before_is_what_ends() {
        check_after(false, "星空運輸で働いています。", "仕事を辞めました。", &["わたなべ employer 星空運輸 Over ends"]);
    }
}
