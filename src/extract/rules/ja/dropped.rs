//! What talk leaves out: the particle behind whoever a clause is about ("妹、来月結婚する", "うちの犬、もう十歳だ").
//! Knows no relation's phrasing.

use super::clause::{Arg, Clause, Item, Predicate};
use super::finding::Finding;
use super::form::Link;
use super::pack::{Bears, Sort};
use super::particle::Particle;
use super::reader::{Reader, Said};

/// Words by which people are called rather than spoken of.
const CALLED: &[&str] = &["さん", "ちゃん", "ママ", "パパ", "先生", "様"];
/// Words for the speaker.
const SELF: &[&str] = &["私", "僕", "俺", "わたし", "ぼく", "おれ", "あたし", "自分"];

impl Reader<'_> {
    /// A clause whose first words name whom it is about, without a particle or in a row with what follows them, with its topic marked.
    pub(super) fn with_topic(&self, mut clause: Clause) -> Clause {
        if self.setting.is_written() || clause.args.iter().any(|arg| arg.topic) {
            return clause;
        }
        let topic = |items: Vec<Item>| Arg { items, particle: Particle::Topic, topic: true, unsure: false, listed: false };
        match clause.args.first_mut() {
            // 妹、来月結婚する
            Some(first) if first.particle == Particle::Bare && first.items.len() == 1 => {
                if first.items.first().is_some_and(|item| self.is_about(item)) {
                    *first = topic(std::mem::take(&mut first.items));
                }
            }
            // 私、早起きが苦手です
            Some(first) if first.listed && self.leads(&first.items) => {
                let about = first.items.remove(0);
                clause.args.insert(0, topic(vec![about]));
            }
            Some(_) => {}
            // 私、看護師です
            None => {
                if let Predicate::Copula(_, value) = &mut clause.predicate
                    && value.listed
                    && self.leads(&value.items)
                {
                    let about = value.items.remove(0);
                    clause.args.push(topic(vec![about]));
                }
            }
        }
        clause
    }

    /// A clause that is liked or ended without saying what, with the topic of a clause before it in its place.
    pub(super) fn about_the_same(&self, said: &Said<'_>) -> Option<Clause> {
        let clause = said.clause;
        let free = clause.args.iter().all(|arg| arg.items.iter().all(Item::is_time));
        if !matches!(clause.predicate, Predicate::Verb(_)) || !free || self.setting.is_written() {
            return None;
        }
        let before = said
            .clauses
            .get(..said.place)?
            .iter()
            .rev()
            .take_while(|before| matches!(before.form().link, Link::Te | Link::But | Link::Stem));
        let topic =
            before.flat_map(|clause| &clause.args).find(|arg| arg.particle == Particle::Topic && !arg.items.iter().all(Item::is_time))?;
        let text = |item: &Item| self.text.get(item.at()).unwrap_or_default();
        if topic
            .items
            .iter()
            .any(|item| self.is_about(item) || self.is_relative(text(item)) || CALLED.iter().any(|end| text(item).ends_with(end)))
        {
            return None;
        }
        let mut whole = clause.clone();
        whole.args.insert(0, topic.clone());
        let found = self.matches(&whole, None);
        let best = found.first()?;
        let liked = matches!(self.relation_name(best.frame.relation), "likes" | "dislikes");
        (liked || best.frame.sort == Sort::End).then_some(whole)
    }

    /// うちの猫: that somebody speaks of it as theirs says that they keep it.
    pub(super) fn keeps(&mut self, clause: &Clause) {
        let value = if let Predicate::Copula(_, value) = &clause.predicate { Some(value) } else { None };
        let items: Vec<Item> = clause.args.iter().chain(value).flat_map(|arg| arg.items.clone()).collect();
        for item in items {
            let [own, pet] = item.parts.as_slice() else { continue };
            let text = |part: &super::clause::Part| self.text.get(part.at.clone()).unwrap_or_default();
            let what = text(pet).to_owned();
            if !matches!(text(own), "うち" | "ウチ" | "我が家" | "わが家") || !self.whole(&what, "pet") || self.setting.is_written()
            {
                continue;
            }
            let (Some(relation), Some(owner)) = (self.relation("has_pet"), self.speaker()) else { continue };
            let known = |finding: &Finding| finding.relation == relation && finding.head == owner;
            if !self.found.iter().chain(&self.before).any(known) && !self.asking {
                self.add(Finding::new(owner, relation, what, item.at(), "role うちの".to_owned()));
            }
        }
    }

    /// Whether the first of several is whom something is said of, and no value among others.
    fn leads(&self, items: &[Item]) -> bool {
        let [first, rest @ ..] = items else { return false };
        !rest.is_empty() && self.is_about(first) && !rest.iter().any(|item| self.is_about(item) || self.is_surely_somebody(item))
    }

    /// Whether a phrase names the speaker, a relative or a pet of theirs, and calls none of them.
    fn is_about(&self, item: &Item) -> bool {
        let text = |place: usize| item.parts.get(place).and_then(|part| self.text.get(part.at.clone())).unwrap_or_default();
        let own = matches!(text(0), "うち" | "ウチ" | "私" | "僕" | "俺" | "わたし");
        match item.parts.len() {
            1 => SELF.contains(&text(0)) || self.is_relative(text(0)) && !CALLED.iter().any(|end| text(0).ends_with(end)),
            2 => own && (self.is_relative(text(1)) || self.is(text(1), "pet")),
            _ => false,
        }
    }

    /// Whether a word is a role that a person has to another one, and nothing else: 妹, 旦那, 上司.
    pub(super) fn is_relative(&self, text: &str) -> bool {
        self.noun(text).is_some_and(|(uses, _)| uses.iter().all(|(relation, bears)| *bears == Bears::Role && !self.thing(*relation)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn what_was_spoken_of_is_what_is_liked_or_ended() {
        check("紅茶は高いけど好きです。", &["わたなべ likes 紅茶 Now"]);
        check("将棋は飽きてやめた。", &["わたなべ hobby 将棋 Over ends"]);
        check("妹は明るいけど苦手です。", &[]);
    }

    #[test]
    fn whom_a_clause_is_about_needs_no_particle() {
        check("妹、函館に住んでいる。", &["妹 lives_in 函館 Now"]);
        check("うちの弟、茄子が大嫌いなんだ。", &["弟 dislikes 茄子 Now"]);
        check("私、長電話が苦手なんです。", &["わたなべ dislikes 長電話 Now"]);
        check("私、看護師です。", &["わたなべ job_title 看護師 Now"]);
        check("うちの亀、もう12歳なんだ。", &["わたなべ has_pet 亀 Now", "亀 age 12歳 Now"]);
        check("桃、梨が好きです。", &["わたなべ likes 桃 Now", "わたなべ likes 梨 Now"]);
    }
}
