//! Whose words and which words: what somebody else said, corrections in a later turn, common nouns in the place of names, characters that
//! nobody sees, and the reasons of what gives no claim.

use super::{Policies, SAID, check, claims, incoming};
use crate::extract::{Context, Extraction, Extractor, RejectionKind, Rules, Turn};
use crate::model::{Authority, Correction, Term};

fn extracted(before: &[&str], text: &str) -> Extraction {
    let turn = |text: &&str| Turn { speaker: Some("Kim".to_owned()), authority: Authority::User, text: (*text).to_owned() };
    let before: Vec<Turn> = before.iter().map(turn).collect();
    let policies = Policies::shipped();
    Rules::default().extract(&incoming(Authority::User, text), &Context { before: &before, relations: Some(&policies) })
}

fn refused(text: &str, kind: RejectionKind) {
    let read = extracted(&[], text);
    assert_eq!(read.claims, [], "{text}");
    assert!(read.rejected.iter().any(|one| one.kind == kind), "{text}: {:?}", read.rejected);
}

#[test]
fn pasted_words_are_not_the_pasters() {
    for text in [
        "> I live in Ghent.\n\nI doubt that.",
        "```\nI live in Ghent.\n```",
        "Here is a message I got: I live in Ghent and I work at Orb.",
        "Dear Kim,\nI live in Ghent and I work at Orb.\nKind regards,\nAl",
        "Al: I live in Ghent.\nDo you see who says that?",
    ] {
        refused(text, RejectionKind::Quoted);
    }
    check("Al: I live in Ghent.\nKim: I live in Bruges.", &["Kim | lives_in | Bruges | holds | since before now"]);
    check("Update: I live in Bruges.", &["Kim | lives_in | Bruges | holds | since before now"]);
    check("> I live in Ghent.\n\nI live in Bruges.", &["Kim | lives_in | Bruges | holds | since before now"]);
}

#[test]
fn a_date_put_right_later_takes_back_the_wrong_one() {
    let cases = [
        ("I started at Orb in March 2021.", "Sorry, I meant April 2021, not March.", "Orb", "since 2021-04"),
        ("I joined Orb in 2017.", "Actually it was 2018, not 2017.", "Orb", "since 2018"),
        ("I was born on 3 May 1990.", "Sorry, I meant 5 May.", "5 May 1990", "since 1990-05-05"),
    ];
    for (said, correction, tail, span) in cases {
        let read = extracted(&[said], correction);
        let [claim] = read.claims.as_slice() else { panic!("{correction}: {:?}", read.claims) };
        assert_eq!((claim.tail.clone(), claim.span.describe().replace(SAID, "now")), (Term::Name(tail.to_owned()), span.to_owned()));
        assert!(matches!(&claim.corrects, Some(Correction::Tail(Term::Name(_)))), "{correction}: {:?}", claim.corrects);
    }
}

#[test]
fn common_nouns_are_no_names() {
    refused("My boss is leaving the company in June.", RejectionKind::Unresolved);
    refused("I live in a small flat.", RejectionKind::Unresolved);
    refused("The firm moved to Ghent.", RejectionKind::Unread);
    check(
        "I work at Orb. My boss left the company in May.",
        &["Kim | employer | Orb | holds | since before now", "My boss | employer | Orb | ends | until 2024-05"],
    );
    check("I moved to Ghent 300000000 days ago.", &["Kim | lives_in | Ghent | holds | since before now"]);
    check("I live in a hamlet called Marl.", &["Kim | lives_in | Marl | holds | since before now"]);
}

#[test]
fn a_namesake_in_the_family_is_not_the_speaker() {
    check("My sister Kim, who lives in Ghent, rows.", &["My sister | lives_in | Ghent | holds | since before now"]);
    assert!(!claims(Authority::User, &[], "My sister Kim works at Orb.").iter().any(|claim| claim.starts_with("Kim | employer")));
}

#[test]
fn hidden_characters_cut_no_word() {
    let read = extracted(&[], "I work at O\u{200b}rb in Gh\u{ad}ent.");
    let [claim, ..] = read.claims.as_slice() else { panic!("{read:?}") };
    assert_eq!(claim.tail, Term::Name("Orb".to_owned()));
    let quote = claim.quote.unwrap();
    assert_eq!((quote.from, quote.to), (0, 14));
    check("I live in Ru\u{202e}gby.", &["Kim | lives_in | Rugby | holds | since before now"]);
}

#[test]
fn what_gives_nothing_says_why() {
    let cases = [
        ("Hello.", RejectionKind::Greeting),
        ("Thanks a lot, Al!", RejectionKind::Greeting),
        ("I don't drink coffee any more.", RejectionKind::Unread),
        ("my mail is [mail]", RejectionKind::Unread),
        ("Here is a mail I got", RejectionKind::Unread),
        ("I dreamt that I lived in Ghent.", RejectionKind::Hypothetical),
        ("I'd love to visit Ghent.", RejectionKind::Wish),
    ];
    for (text, kind) in cases {
        let read = extracted(&[], text);
        assert_eq!(read.rejected.iter().map(|one| one.kind).collect::<Vec<_>>(), [kind], "{text}: {:?}", read.rejected);
    }
    let silent = Rules::default().extract(&incoming(Authority::Document, "Rain falls. The road is wet."), &Context::default());
    assert_eq!(silent.rejected.iter().map(|one| one.kind).collect::<Vec<_>>(), [RejectionKind::Unread], "once for all of a document");
}

#[test]
fn a_turn_that_only_takes_back_denies_what_was_said_just_before() {
    for back in ["Just kidding.", "Sorry, that was wrong.", "Haha, just kidding!", "Oops, I made that up.", "Just kidding, I don't."] {
        let read = extracted(&["I work at Orb."], back);
        let [claim] = read.claims.as_slice() else { panic!("{back}: {read:?}") };
        assert_eq!((claim.relation.as_str(), claim.polarity), ("employer", crate::model::Polarity::Never), "{back}");
        assert_eq!(claim.corrects, Some(Correction::Tail(Term::Name("Orb".to_owned()))), "{back}");
    }
    for other in ["That was wrong of him to say.", "Was that wrong?", "Kidding aside, it rains."] {
        assert_eq!(extracted(&["I work at Orb."], other).claims, [], "{other}");
    }
}

#[test]
fn a_day_alone_and_a_spelling_put_right_only_themselves() {
    let cases = [
        ("I started at Orb on 3 May 2022.", "No, it was the 5th.", "Kim | employer | Orb | holds | since 2022-05-05"),
        ("I started at Orb on May 3, 2022.", "Sorry, I meant the 14th.", "Kim | employer | Orb | holds | since 2022-05-14"),
        ("My boss is called Al Dahl.", "It's spelled Al Dahll.", "Kim | reports_to | Al Dahll | holds | since before now"),
        ("Berit lives in Ghent.", "It's spelt Beritt.", "Beritt | lives_in | Ghent | holds | since before now"),
    ];
    for (said, correction, expect) in cases {
        let read = claims(Authority::User, &[(said, Authority::User)], correction);
        assert_eq!(read, [expect], "{said} {correction}");
    }
    let asked =
        claims(Authority::User, &[("Al met Bo in Ghent.", Authority::User), ("Was it fun?", Authority::Assistant)], "No, it was hot.");
    assert_eq!(asked, [""; 0]);
}

#[test]
fn a_name_that_ends_as_adverbs_do_is_a_name() {
    check("Molly Haig lives in Ghent.", &["Molly Haig | lives_in | Ghent | holds | since before now"]);
}
