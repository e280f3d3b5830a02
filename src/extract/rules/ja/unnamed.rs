//! What is said of people of whom none is named: 誰も, 家族全員, 弟は二人とも. It is nobody's.
//! Knows no relation.

use super::clause::{Arg, Clause, Predicate};
use super::lexicon::Adverb;
use super::particle::Particle;
use super::reader::Reader;
use crate::extract::RejectionKind;

/// How words for people end of whom none is named.
pub(super) const UNNAMED: &[&str] = &["全員", "一同", "みんな", "誰か", "何人か", "誰", "の大半", "の大多数", "の一部"];

impl Reader<'_> {
    /// People who are the subject of a clause though none of them is named: 誰も, 家族全員.
    fn unnamed(&self, clause: &Clause) -> Option<String> {
        if clause.says(Adverb::Unnamed) {
            return Some("nobody who is named".to_owned());
        }
        let subjects = clause.args.iter().filter(|arg| {
            arg.topic || matches!(arg.particle, Particle::Topic | Particle::Ga | Particle::Too | Particle::Bare | Particle::Only)
        });
        // 弟は二人とも: which of them are there, nobody says.
        let value = if let Predicate::Copula(_, value) = &clause.predicate { Some(value) } else { None };
        let both = clause.args.iter().chain(value).flat_map(|arg| &arg.items).find(|item| {
            self.text.get(item.at()).is_some_and(|text| Self::is_quantity(text) && text.ends_with(['人', '名']))
                && self.text.get(item.at().end..).is_some_and(|rest| rest.starts_with("とも"))
        });
        let of_role =
            |arg: &Arg| arg.topic && arg.items.iter().any(|item| self.text.get(item.at()).is_some_and(|text| self.is_relative(text)));
        if let Some(both) = both.filter(|_| clause.args.iter().any(of_role)) {
            return self.text.get(both.at()).map(|text| format!("{text}とも"));
        }
        let texts = subjects.flat_map(|arg| &arg.items).filter_map(|item| self.text.get(item.at()));
        texts.filter(|text| UNNAMED.iter().any(|end| text.ends_with(end))).map(str::to_owned).next()
    }

    /// Whether a clause is about people of whom none is named; it is refused then.
    pub(super) fn is_of_nobody(&mut self, clause: &Clause) -> bool {
        let Some(who) = self.unnamed(clause).filter(|_| !self.asking) else { return false };
        self.refuse(RejectionKind::Unresolved, clause.at.clone(), format!("it is said of {who}"));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn what_is_said_of_nobody_in_particular_is_nobodys() {
        check("家族は誰も泳げません。", &[]);
        check("姉は三人とも看護師です。", &[]);
        check("姉は看護師です。", &["姉 job_title 看護師 Now"]);
    }
}
