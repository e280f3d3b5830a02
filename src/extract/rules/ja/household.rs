//! Who lives together: "妻と5歳の娘の3人暮らし", "母と二人暮らし".
//! Knows no other way to say so.

use super::clause::{Arg, Item, Joint};
use super::finding::Finding;
use super::particle::Particle;
use super::reader::Reader;
use super::value::Told;

impl Reader<'_> {
    /// Whom a value that counts a household names to live there; whether it was one.
    pub(super) fn household(&mut self, args: &[Arg], value: &Arg, told: &Told) -> bool {
        let Some(item) = value.items.last() else { return false };
        let last = item.parts.last().and_then(|part| self.text.get(part.at.clone())).unwrap_or_default();
        if !is_household(last) {
            return false;
        }
        let mut front = item.clone();
        front.parts.pop();
        if let Some(part) = front.parts.last_mut() {
            part.joint = Joint::Last;
        }
        let with = args.iter().filter(|arg| arg.particle == Particle::To && !arg.topic).flat_map(|arg| arg.items.clone());
        let listed = value.items.iter().take(value.items.len() - 1).cloned();
        let members: Vec<Item> = with.chain(listed).chain(Some(front).filter(|front| !front.parts.is_empty())).collect();
        let (Some(relation), Some(head)) = (self.relation("lives_with"), self.topic_of_attribute().or_else(|| self.speaker())) else {
            return true;
        };
        for member in members {
            if !self.is_surely_somebody(&member) {
                continue;
            }
            let who = self.entity(&member);
            if who.speaker || who.unresolved {
                continue;
            }
            let finding =
                Finding::new(head.clone(), relation, Self::bare_name(&who.text), told.at.clone(), "lives_with: 暮らし".to_owned());
            self.add(Finding { phase: told.phase, polarity: told.polarity, times: told.times.clone(), ..finding });
        }
        true
    }
}

/// Whether a text counts those who live together.
fn is_household(text: &str) -> bool {
    let count = ["暮らし", "ぐらし", "家族"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or_default();
    matches!(count, "一人" | "ひとり" | "独り" | "二人" | "ふたり" | "親子" | "夫婦") || Reader::is_quantity(count) && count.ends_with('人')
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn a_household_is_no_place() {
        check("夫と4歳の娘の三人暮らしです。", &["わたなべ lives_with 夫 Now", "娘 age 4歳 Now", "わたなべ lives_with 娘 Now"]);
        check("両親と弟の4人暮らしです。", &["わたなべ lives_with 両親 Now", "わたなべ lives_with 弟 Now"]);
        check("一人暮らしです。", &[]);
        check("5人家族です。", &[]);
    }
}
