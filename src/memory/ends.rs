//! Ends that do not say of what: "I quit my job", "we got divorced", "the dentist's appointment is off". What is believed when they come
//! in says what they end.
//!
//! Owns that rule. What is told later than such an end, of a time before it, is not ended by it: nobody knew then what was meant.

use super::news::{Believed, Held, named};
use crate::extract::{OpenEnd, RejectedCandidate, RejectionKind, Which};
use crate::model::{Claim, Polarity, Term};
use crate::policy::Novelty as _;
use crate::time::{Instant, Start};
use std::collections::BTreeMap;

/// Adds to the claims of an observation those that its open ends come to, and says of each end that comes to none why.
///
/// An end that is told of several relations ("we split up": spouses, or a couple) has a reason only where none of them has a value.
pub(super) fn bind(open: Vec<OpenEnd>, claims: &mut Vec<Claim>, rejected: &mut Vec<RejectedCandidate>, believed: &Believed<'_>) {
    for claim in claims.iter_mut() {
        by_sort(claim, believed);
    }
    let mut bound: Vec<Claim> = Vec::new();
    let mut vain: Vec<(OpenEnd, String)> = Vec::new();
    for end in open {
        if end.which == Which::OfWhom {
            let Claim { relation, tail, .. } = &end.claim;
            bound.extend(believed.holders(relation, tail).into_iter().map(|head| Claim { head, ..end.claim.clone() }));
            continue;
        }
        match values(&end, claims, believed) {
            Ok(tails) => {
                for tail in tails {
                    let beside = end.beside.iter().filter(|relation| believed.held(&end.claim.head, relation).contains_key(&named(&tail)));
                    let beside = beside.map(|relation| Claim { relation: relation.clone(), tail: tail.clone(), ..end.claim.clone() });
                    let all: Vec<Claim> = beside.collect();
                    bound.push(Claim { tail, ..end.claim.clone() });
                    bound.extend(all);
                }
            }
            Err(reason) => vain.push((end, reason)),
        }
    }
    // One that is named only beside another end is none by itself.
    vain.retain(|(end, _)| {
        let told = |claim: &Claim| claim.quote == end.claim.quote && claim.head == end.claim.head;
        let beside = end.which == Which::Named && claims.iter().any(|claim| told(claim) && claim.tail == end.claim.tail);
        !(bound.iter().any(told) || beside)
    });
    vain.dedup_by(|(later, _), (first, _)| later.claim.quote == first.claim.quote && later.claim.head == first.claim.head);
    for (_, reason) in vain {
        let ordinal = rejected.last().map_or(0, |last| last.ordinal + 1);
        rejected.push(RejectedCandidate { ordinal, field: Some("tail".to_owned()), kind: RejectionKind::Unresolved, reason });
    }
    for claim in bound {
        let same = |known: &Claim| {
            known.polarity == claim.polarity
                && known.relation == claim.relation
                && named(&known.head) == named(&claim.head)
                && named(&known.tail) == named(&claim.tail)
        };
        if !claims.iter().any(same) {
            claims.push(claim);
        }
    }
}

/// The values that an open end ends.
///
/// # Errors
/// Why it ends none, in words.
fn values(end: &OpenEnd, claims: &[Claim], believed: &Believed<'_>) -> Result<Vec<Term>, String> {
    let Claim { head, relation, tail, polarity, span, .. } = &end.claim;
    let mut held = if *polarity == Polarity::Ends { believed.held(head, relation) } else { believed.to_come(head, relation) };
    // What began after the end, or is told to hold beside it, did not end.
    if *polarity == Polarity::Ends {
        held.retain(|_, one| begun(one.start) < span.end().hi());
    }
    let stays = |claim: &&Claim| claim.polarity == Polarity::Holds && claim.relation == *relation && claim.head == *head;
    for claim in claims.iter().filter(stays) {
        held.remove(&named(&claim.tail));
    }
    let (said, whose) = (words(tail), words(head));
    if held.is_empty() {
        return Err(format!("nothing is known of {whose:?} and {relation} that could end as {said:?}"));
    }
    match end.which {
        Which::All => Ok(held.into_values().map(|one| one.tail).collect()),
        Which::Only if held.len() == 1 => Ok(held.into_values().map(|one| one.tail).collect()),
        Which::OfSort if held.len() == 1 && held.values().all(|one| believed.sorts(&one.tail).is_empty()) => {
            Ok(held.into_values().map(|one| one.tail).collect())
        }
        Which::Only | Which::Named | Which::OfSort | Which::OfWhom => match meant(&said, &held, believed) {
            Some(tail) => Ok(vec![tail]),
            None => Err(format!("{said:?} is none of the {} values of {whose:?} and {relation}, or one of several", held.len())),
        },
    }
}

/// By when it had begun, for all that is said.
const fn begun(start: Start) -> Instant {
    match start {
        Start::At(moment) => moment.lo(),
        Start::By(instant) => instant,
        Start::Unknown | Start::Always => Instant::DISTANT_PAST,
    }
}

/// The one value that goes by some words: by name, by sort, or by the words they share.
fn meant(said: &str, held: &BTreeMap<String, Held>, believed: &Believed<'_>) -> Option<Term> {
    if let Some(one) = held.get(&named(&Term::Name(said.to_owned()))) {
        return Some(one.tail.clone());
    }
    let of_sort: Vec<&Held> = held.values().filter(|one| is_of_sort(one, said, believed)).collect();
    if let [one] = of_sort.as_slice() {
        return Some(one.tail.clone());
    }
    let mut fitting = held.values().filter(|one| shares(said, &words(&one.tail)));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => Some(one.tail.clone()),
        _ => None,
    }
}

/// Whether two phrases may mean one thing: one has all words of the other, or both have two in common, and no names that differ.
fn shares(said: &str, value: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2).map(str::to_owned).collect()
    };
    let (said, value) = (parts(said), parts(value));
    let within = |word: &&String, others: &[String]| others.iter().any(|other| other.to_lowercase() == word.to_lowercase());
    let shared = said.iter().filter(|word| within(word, &value)).count();
    let large = |words: &[String]| words.iter().any(|word| word.starts_with(char::is_uppercase));
    let differ = large(&value) && said.iter().any(|word| word.starts_with(char::is_uppercase) && !within(&word, &value));
    shared > 0 && !differ && (shared > 1 || shared == said.len() || shared == value.len())
}

/// Of an end that names only a sort ("I sold the car"), the one value that is known to be of that sort, where there is one.
fn by_sort(claim: &mut Claim, believed: &Believed<'_>) {
    let Term::Name(said) = &claim.tail else { return };
    let plain = claim.polarity == Polarity::Ends && !said.chars().any(char::is_uppercase);
    if !plain {
        return;
    }
    let held = believed.held(&claim.head, &claim.relation);
    if held.is_empty() || held.contains_key(&named(&claim.tail)) {
        return;
    }
    let of_sort: Vec<&Held> = held.values().filter(|one| is_of_sort(one, said, believed)).collect();
    if let [one] = of_sort.as_slice() {
        claim.tail = one.tail.clone();
    }
}

/// Whether a value is known to be of a sort, or ends in its word: "red car".
fn is_of_sort(one: &Held, sort: &str, believed: &Believed<'_>) -> bool {
    let value = words(&one.tail);
    let ends = value.strip_suffix(sort).is_some_and(|lead| lead.ends_with(' '));
    ends || believed.sorts(&one.tail).iter().any(|known| known == sort)
}

/// A term as people write it.
fn words(term: &Term) -> String {
    match term {
        Term::Name(name) => name.clone(),
        Term::Iri(_) | Term::Blank(_) | Term::Literal(_) => term.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Authority, ObservationKind, Source};
    use crate::time::{AsOf, KnownAt, Moment, ZonedInstant};
    use crate::{Incoming, Memory, Tenant, TenantId, Term};

    /// A memory that was told some turns of "Ana", each on the day before it.
    fn told(turns: &[(&str, &str)]) -> (tempfile::TempDir, Tenant) {
        let folder = tempfile::tempdir().unwrap();
        let tenant = Memory::open(folder.path()).unwrap().tenant(&TenantId::new("ana").unwrap());
        for (day, text) in turns {
            tell(&tenant, day, text);
        }
        (folder, tenant)
    }

    fn tell(tenant: &Tenant, day: &str, text: &str) -> std::collections::BTreeMap<&'static str, u64> {
        let at = ZonedInstant::parse(&format!("{day}T09:00:00Z")).unwrap();
        let mut turn = Incoming::from_text(ObservationKind::Chat, at, Source { authority: Authority::User, name: None }, text);
        turn.observation.speaker = Some("Ana".to_owned());
        tenant.remember(vec![turn]).unwrap().left_out
    }

    fn holds(tenant: &Tenant, day: &str, head: &str, relation: &str) -> Vec<String> {
        let at = ZonedInstant::parse(&format!("{day}T09:00:00Z")).unwrap().at;
        let view = tenant.at(AsOf { valid_at: Moment::exact(at), known_at: KnownAt::Latest }).unwrap();
        let answer = view.values(&Term::Name(head.to_owned()), relation).map(|answer| answer.facts).unwrap_or_default();
        answer.into_iter().map(|held| held.fact.tail.to_string()).collect()
    }

    #[test]
    fn a_job_that_is_quit_ends_whatever_it_was() {
        for said in
            ["I quit my job yesterday.", "I got laid off.", "I'm unemployed now.", "I'm between jobs.", "I don't have a job any more."]
        {
            let (_folder, tenant) = told(&[("2024-01-10", "I work at Orb."), ("2024-05-16", said)]);
            assert_eq!(holds(&tenant, "2024-03-01", "Ana", "employer"), ["Orb"], "{said}");
            assert_eq!(holds(&tenant, "2024-06-01", "Ana", "employer"), [""; 0], "{said}");
        }
    }

    #[test]
    fn what_nobody_knows_does_not_end_and_says_so() {
        let (_folder, tenant) = told(&[("2024-01-10", "I live in Oslo.")]);
        let left = tell(&tenant, "2024-05-16", "I quit my job.");
        assert_eq!(left.into_iter().collect::<Vec<_>>(), [("unresolved", 1)]);
        // A job that is told later, and of later, goes on.
        tell(&tenant, "2024-05-20", "I work at Orb.");
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "employer"), ["Orb"]);
    }

    #[test]
    fn of_two_jobs_nobody_knows_which_was_quit() {
        let (_folder, tenant) = told(&[("2024-01-10", "I teach at Ely College and at Orb College.")]);
        assert_eq!(holds(&tenant, "2024-03-01", "Ana", "employer").len(), 2);
        assert_eq!(tell(&tenant, "2024-05-16", "I quit my job.").get("unresolved"), Some(&1));
        tell(&tenant, "2024-05-17", "I'm unemployed.");
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "employer"), [""; 0]);
    }

    #[test]
    fn spouses_who_part_no_longer_live_together() {
        let (_folder, tenant) = told(&[
            ("2024-01-10", "I'm married to Bo Orr."),
            ("2024-01-11", "I live with Bo Orr."),
            ("2024-01-12", "I live with Cy Lund."),
            ("2024-05-16", "We got divorced."),
        ]);
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "married_to"), [""; 0]);
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "lives_with"), ["Cy Lund"]);
    }

    #[test]
    fn the_dead_are_nobodys_any_longer() {
        let (_folder, tenant) = told(&[
            ("2024-01-10", "I have a dog called Rex. I have a cat called Tom. My husband is called Bo."),
            ("2024-05-16", "My dog died."),
        ]);
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "has_pet"), ["Tom"]);
        tell(&tenant, "2024-06-02", "Tom died yesterday.");
        assert_eq!(holds(&tenant, "2024-06-03", "Ana", "has_pet"), [""; 0]);
        tell(&tenant, "2024-06-04", "My husband passed away.");
        assert_eq!(holds(&tenant, "2024-06-05", "Ana", "married_to"), [""; 0]);
    }

    #[test]
    fn turns_that_come_out_of_order_take_back_what_was_said_last() {
        let (_folder, tenant) = told(&[]);
        let turn = |minute: u32, text: &str| {
            let at = ZonedInstant::parse(&format!("2024-05-16T09:{minute:02}:00Z")).unwrap();
            let mut turn = Incoming::from_text(ObservationKind::Chat, at, Source { authority: Authority::User, name: None }, text);
            (turn.observation.speaker, turn.observation.session) = (Some("Ana".to_owned()), Some("s".to_owned()));
            turn
        };
        let turns = vec![turn(0, "I live in Oslo."), turn(2, "Please forget that."), turn(1, "I work at Orb.")];
        tenant.remember(turns).unwrap();
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "lives_in"), ["Oslo"]);
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "employer"), [""; 0]);
    }

    #[test]
    fn who_eats_meat_again_has_no_diet() {
        let (_folder, tenant) = told(&[("2024-01-10", "I'm vegetarian."), ("2024-05-16", "I'm eating meat again.")]);
        assert_eq!(holds(&tenant, "2024-03-01", "Ana", "diet"), ["vegetarian"]);
        assert_eq!(holds(&tenant, "2024-06-01", "Ana", "diet"), [""; 0]);
    }

    #[test]
    fn an_appointment_that_is_off_will_not_be() {
        let (_folder, tenant) = told(&[
            ("2024-05-16", "I have a dentist appointment on 3 June 2024."),
            ("2024-05-16", "I have a job interview on 4 June 2024."),
            ("2024-05-18", "The dentist appointment is cancelled."),
        ]);
        assert_eq!(holds(&tenant, "2024-06-03", "Ana", "has_appointment"), [""; 0]);
        assert_eq!(holds(&tenant, "2024-06-04", "Ana", "has_appointment"), ["job interview"]);
    }
}
