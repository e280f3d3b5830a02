//! Questions asked of a small projection: what each comes to, and that no question is too odd to answer.

use super::{Outcome, Query, ask};
use crate::graph::{Projection, View};
use crate::ledger::RecordRow;
use crate::model::{Authority, ClaimId, ObservationId, Polarity, TermRef};
use crate::policy::Policies;
use crate::retrieve::question::{Lexicon, MAX_BYTES, NotRead};
use crate::time::{AsOf, Instant, KnownAt, Moment, Zone, parse_span};
use proptest::prelude::*;
use std::sync::{Arc, OnceLock};

const NOW: &str = "2024-06-01T00:00:00Z";

const TOLD: [(&str, &str, &str, &str, Option<&str>); 8] = [
    ("Ada Marr", "ceo_of", "Orbital Freight", "2012", Some("2018")),
    ("Ivo Falk", "ceo_of", "Orbital Freight", "2018", None),
    ("The Tin Boat", "written_by", "Ada Marr", "2009", None),
    ("Ada Marr", "married_to", "Bo Lind", "2001", None),
    ("Bo Lind", "nationality", "Ostland", "1970", None),
    ("user", "lives_in", "Sund", "2015", Some("2020")),
    ("user", "lives_in", "Brodhaven", "2020", None),
    ("林健太", "lives_in", "函館", "2009", None),
];

fn asked() -> &'static (View, Lexicon) {
    static ASKED: OnceLock<(View, Lexicon)> = OnceLock::new();
    ASKED.get_or_init(|| {
        let mut projection = Projection::new(Arc::new(Policies::shipped()));
        let tx = Instant::from_micros(1);
        for (number, (head, relation, tail, from, to)) in (1_u8..).zip(TOLD) {
            let id = ObservationId::from_bytes([number; 16]);
            projection.stage(RecordRow::Observation { seq: 1, tx, id, observed_at: tx, authority: Authority::User });
            projection.stage(RecordRow::Claim {
                seq: 1,
                tx,
                id: ClaimId { observation: id, ordinal: 0 },
                head: TermRef::Name(head),
                relation,
                tail: TermRef::Name(tail),
                polarity: Polarity::Holds,
                span: parse_span(Some(from), to, &Zone::UTC).unwrap(),
                seen_at: None,
                confidence: 1.0,
                importance: 0.5,
                context: None,
                corrects_claim: None,
                corrects_tail: None,
            });
        }
        projection.publish();
        let now = Instant::parse(NOW).unwrap();
        let view = projection.snapshot().at(AsOf { valid_at: Moment::exact(now), known_at: KnownAt::Latest });
        (view, Lexicon::new(&Policies::shipped(), []))
    })
}

fn outcome(text: &str) -> Outcome {
    let (view, lexicon) = asked();
    ask(view, lexicon, &Query { text, asked_at: Instant::parse(NOW).unwrap(), zone: Zone::UTC, asker: "user" })
}

fn check(text: &str, expect: &[&str]) {
    let Outcome::Answered(answers) = outcome(text) else { panic!("{text}: {:?}", outcome(text)) };
    assert_eq!(answers.said(&Zone::UTC), expect, "{text} {:?}", answers.read_as);
}

#[test]
fn one_step_is_asked_in_many_ways() {
    for text in [
        "Who runs Orbital Freight?",
        "Who is the CEO of Orbital Freight?",
        "who is Orbital Freight's chief executive officer",
        "Orbital Freight is run by whom?",
        "Tell me who leads Orbital Freight.",
    ] {
        check(text, &["Ivo Falk"]);
    }
    for text in ["Where do I live?", "Which city do I live in?", "What is the city I live in?"] {
        check(text, &["Brodhaven"]);
    }
}

#[test]
fn several_steps_go_outwards_from_the_name() {
    check("What is the nationality of the husband of the author of The Tin Boat?", &["Ostland"]);
    check("Which country is the person whom the author of \"The Tin Boat\" is married to a citizen of?", &["Ostland"]);
    check("Who wrote the Tin Boat, and whom is she married to?", &["Bo Lind"]);
}

#[test]
fn a_time_or_another_value_says_which_is_meant() {
    check("Who was the CEO of Orbital Freight in 2015?", &["Ada Marr"]);
    check("Who was the CEO of Orbital Freight before Ivo Falk?", &["Ada Marr"]);
    check("Where did I live before Brodhaven?", &["Sund"]);
    check("Where did I live before 2019?", &["Sund"]);
    check("When did I move to Brodhaven?", &["in 2020"]);
    check("How many cities have I lived in?", &["2"]);
    check("Do I live in Sund?", &["not then"]);
}

#[test]
fn japanese_goes_by_particles() {
    check("林健太はどこに住んでいますか？", &["函館"]);
    check("函館に住んでいるのは誰？", &["林健太"]);
    check("林健太はいつから函館に住んでいますか？", &["in 2009"]);
}

#[test]
fn what_is_not_known_is_not_guessed() {
    for text in [
        "Where does Bo Lind live?",
        "Who is Ivo Falk's wife?",
        "Who was the CEO of Orbital Freight in 1999?",
        "Is Bo Lind married to Ivo Falk?",
    ] {
        assert!(matches!(outcome(text), Outcome::NothingKnown(_)), "{text} {:?}", outcome(text));
    }
    for text in ["Where does Ida Renn live?", "What is Bo Lind's shoe size?", "How did Bo Lind die?", "What is the meaning of life?", ""] {
        assert!(matches!(outcome(text), Outcome::NotUnderstood(_)), "{text} {:?}", outcome(text));
    }
}

#[test]
fn a_question_of_any_length_is_bounded() {
    let long = "Who is the spouse of ".repeat(MAX_BYTES);
    assert_eq!(outcome(&long), Outcome::NotUnderstood(NotRead::Length(long.trim().len())));
    let most = "the wife of ".repeat(MAX_BYTES / 12 - 5);
    assert!(
        !matches!(outcome(&format!("Who is {most}Bo Lind?")), Outcome::NotUnderstood(NotRead::Length(_))),
        "it is read as far as it goes"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_question_is_too_odd_to_answer(words in prop::collection::vec(
        prop_oneof![
            prop::sample::select(vec![
                "who", "where", "when", "how long", "how many", "Ada Marr", "Bo Lind", "The Tin Boat", "Orbital Freight", "I", "my", "wife", "of", "'s", "the",
                "live", "in", "2015", "before", "after", "first", "city", "country", "capital", "founded", "by", ",", "?", "\"", "/", "and", "林健太", "は", "どこ",
                "に", "住んで", "の前に", "誰", "社長", "「", "」", "…", "née", "'", "’s", "was", "did", "does", "which", "that", "is from",
            ]).prop_map(str::to_owned),
            "\\PC{0,6}",
        ],
        0..24,
    ), gap in prop::sample::select(vec![" ", "", "  "])) {
        let text = words.join(gap);
        match outcome(&text) {
            Outcome::Answered(answers) => prop_assert!(answers.answers.iter().all(|answer| !answer.path.is_empty()), "an answer stands in a fact: {text}"),
            Outcome::NothingKnown(_) => {}
            Outcome::NotUnderstood(why) => prop_assert!(!why.to_string().is_empty()),
        }
    }
}
