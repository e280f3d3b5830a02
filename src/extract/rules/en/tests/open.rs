//! Ends that do not name what ends, what is taken back, and whose a common noun is.

use super::{Policies, check, claims, incoming, written};
use crate::extract::{Context, Extraction, Extractor, Rules, Turn, Which};
use crate::model::{Authority, Polarity, Term};

fn extracted(before: &[&str], text: &str) -> Extraction {
    let turn = |text: &&str| Turn { speaker: Some("Kim".to_owned()), authority: Authority::User, text: (*text).to_owned() };
    let before: Vec<Turn> = before.iter().map(turn).collect();
    let policies = Policies::shipped();
    Rules::default().extract(&incoming(Authority::User, text), &Context { before: &before, relations: Some(&policies) })
}

/// Relation and which values of the open ends of a text.
fn open(text: &str) -> Vec<(String, Which)> {
    extracted(&[], text).open.into_iter().map(|end| (end.claim.relation, end.which)).collect()
}

#[test]
fn an_end_without_a_value_is_handed_on() {
    for (text, relation, which) in [
        ("I quit my job.", "employer", Which::Only),
        ("I got laid off last month.", "employer", Which::Only),
        ("I resigned yesterday.", "employer", Which::Only),
        ("I was let go yesterday.", "employer", Which::Only),
        ("They let me go last week.", "employer", Which::Only),
        ("My boss fired me.", "employer", Which::Only),
        ("I'm unemployed now.", "employer", Which::All),
        ("I'm between jobs at the moment.", "employer", Which::All),
        ("I don't have a job any more.", "employer", Which::All),
        ("We got divorced in March.", "married_to", Which::Only),
        ("My dog died.", "has_pet", Which::OfSort),
        ("We had to put our cat to sleep.", "has_pet", Which::OfSort),
        ("My husband passed away.", "married_to", Which::Only),
        ("My flatmate moved out.", "lives_with", Which::Only),
        ("I'm eating meat again.", "diet", Which::All),
        ("I graduated last week.", "studies_at", Which::Only),
        ("The dentist appointment is cancelled.", "has_appointment", Which::Named),
        ("I cancelled my dentist appointment.", "has_appointment", Which::Named),
        ("My appointment on Friday is off.", "has_appointment", Which::Only),
    ] {
        assert_eq!(open(text), [(relation.to_owned(), which)], "{text}");
    }
    let split: Vec<String> = open("We split up last year.").into_iter().map(|(relation, _)| relation).collect();
    assert_eq!(split, ["engaged_to", "married_to", "partner_of"]);
}

#[test]
fn what_only_sounds_like_an_end_is_none() {
    for text in [
        "I quit smoking.",
        "I didn't quit my job.",
        "I want to quit my job.",
        "I'm handing in my notice on Monday.",
        "If I lose my job I'll move.",
        "We split up into two groups.",
        "I was unemployed in 2019.",
        "I'm not unemployed.",
        "He is a single dad.",
        "My phone died.",
        "I quit the search for my job folder.",
    ] {
        assert_eq!(open(text), [], "{text}");
    }
}

#[test]
fn the_text_and_the_turns_before_say_what_ends() {
    check("I work at Orb. I quit my job yesterday.", &["Kim | employer | Orb | ends | until 2024-05-14"]);
    let said = [("I work at Orb.", Authority::User), ("Nice!", Authority::Assistant)];
    assert_eq!(claims(Authority::User, &said, "I quit last week."), ["Kim | employer | Orb | ends | until 2024-W19"]);
    let read = extracted(&[], "I divorced Bo in 2020.");
    let beside: Vec<_> = read.open.iter().map(|end| (end.claim.relation.as_str(), end.claim.tail.clone(), end.which)).collect();
    assert_eq!(beside, [("lives_with", Term::Name("Bo".to_owned()), Which::Named)]);
}

#[test]
fn what_is_liked_no_more_is_no_longer_liked() {
    for text in ["I don't like jazz any more.", "I no longer like jazz."] {
        check(text, &["Kim | likes | jazz | ends | over by now"]);
    }
}

#[test]
fn what_was_said_last_is_taken_back_however_it_is_asked() {
    for asked in [
        "Please forget that.",
        "Ignore that last message.",
        "Scratch that.",
        "Can you forget that please?",
        "Actually, forget what I just said.",
        "Delete that.",
        "Please remove my last message.",
    ] {
        let read = extracted(&["I live in Ghent."], asked);
        let [claim] = read.claims.as_slice() else { panic!("{asked}: {:?}", read.claims) };
        assert_eq!((claim.polarity, claim.corrects.is_some()), (Polarity::Never, true), "{asked}");
    }
    for asked in ["Don't forget that.", "I forgot that.", "Forget the keys.", "Never mind."] {
        assert_eq!(extracted(&["I live in Ghent."], asked).claims, [], "{asked}");
    }
}

#[test]
fn what_was_said_of_somebody_is_taken_back_alone() {
    let said = ["My brother Bo works at Orb. I live in Ghent."];
    let read = extracted(&said, "Please ignore what I told you about my brother.");
    let taken: Vec<_> = read.claims.iter().map(|claim| (claim.head.clone(), claim.relation.as_str())).collect();
    assert_eq!(taken, [(Term::Name("Bo".to_owned()), "employer")]);
    let read = extracted(&["I work at Orb. I live in Ghent."], "Forget what I said about my job.");
    assert_eq!(read.claims.iter().map(|claim| claim.relation.as_str()).collect::<Vec<_>>(), ["employer"]);
}

#[test]
fn a_common_noun_is_its_speakers_or_nobodys() {
    check("My office is in Ghent.", &["My office | located_in | Ghent | holds | since before now"]);
    check("The kids love pizza.", &["my kids | likes | pizza | holds | since before now"]);
    for text in ["The office is in Ghent.", "This game is called Low Tide.", "The new guy at work is from Ghent."] {
        check(text, &[]);
    }
}

#[test]
fn a_relative_goes_by_the_name_that_was_told() {
    check(
        "My mother is called Greta. My mother lives in Ghent.",
        &["Kim | child_of | Greta | holds | since before now", "Greta | lives_in | Ghent | holds | since before now"],
    );
    let said = [("My mother is called Greta.", Authority::User)];
    assert_eq!(claims(Authority::User, &said, "My mother lives in Ghent."), ["Greta | lives_in | Ghent | holds | since before now"]);
    let said = [("My father is called Al.", Authority::User)];
    assert_eq!(claims(Authority::User, &said, "My mother lives in Ghent."), ["My mother | lives_in | Ghent | holds | since before now"]);
}

#[test]
fn what_leads_a_sentence_is_no_part_of_a_name() {
    written("In 2019, Orb Works acquired Quill Labs.", &["Quill Labs | acquired_by | Orb Works | holds | in 2019"]);
}

#[test]
fn moves_between_services_and_jobs_to_come_are_read_as_such() {
    check(
        "I switched from Low Tide to Orb Music.",
        &["Kim | uses | Orb Music | holds | since before now", "Kim | uses | Low Tide | ends | over by now"],
    );
    check("I got a new job at Orb, starting in July.", &["Kim | employer | Orb | holds | since 2024-07"]);
    for text in [
        "I moved to N26 last year.",
        "I'm on parental leave from Orb.",
        "I'm in talks with Orb.",
        "I used to run marathons.",
        "I quit social media.",
        "My manager approved my leave.",
    ] {
        check(text, &[]);
    }
}
