//! What clauses and phrases that are joined lend each other, and what is read as part of them: modifiers, modals, places, introductions.

use super::{answered, check, claims, written};
use crate::model::Authority;

#[test]
fn a_year_or_an_age_before_a_noun_only_says_which() {
    written(
        "The Long Pier is a 1971 novel by Ann Orr.",
        &["The Long Pier | is_a | novel | holds | since before now", "The Long Pier | written_by | Ann Orr | holds | since before now"],
    );
    check(
        "I'm a 51-year-old baker from Ghent.",
        &[
            "Kim | job_title | baker | holds | since before now",
            "Kim | age | 51 | holds | since before now",
            "Kim | born_in | Ghent | holds | since before now",
        ],
    );
    check("I'm thirty-one years old.", &["Kim | age | thirty-one | holds | since before now"]);
    check("I'm five foot nine.", &["Kim | height | five foot nine | holds | since before now"]);
}

#[test]
fn participles_and_complements_share_what_follows() {
    check(
        "I was born and raised in Ghent.",
        &["Kim | born_in | Ghent | holds | since before now", "Kim | grew_up_in | Ghent | holds | since before now"],
    );
    written(
        "Low Water was written and directed by Ann Orr.",
        &["Low Water | written_by | Ann Orr | holds | since before now", "Low Water | directed_by | Ann Orr | holds | since before now"],
    );
    check(
        "I'm 44 years old and 1.70 m tall.",
        &["Kim | age | 44 | holds | since before now", "Kim | height | 1.70 m | holds | since before now"],
    );
    check(
        "Al works at Orb and Bo at Mill.",
        &["Al | employer | Orb | holds | since before now", "Bo | employer | Mill | holds | since before now"],
    );
}

#[test]
fn the_second_of_two_verbs_is_no_surer_than_the_first() {
    check("I might move to Ghent and work at Orb.", &[]);
    check("I want to move to Ghent and work at Orb.", &[]);
    check(
        "I live in Ghent and work at Orb.",
        &["Kim | lives_in | Ghent | holds | since before now", "Kim | employer | Orb | holds | since before now"],
    );
}

#[test]
fn what_one_had_to_do_was_done() {
    check("I had to sell the car.", &["Kim | owns | car | ends | over by now"]);
    check("I have to sell the car.", &[]);
}

#[test]
fn times_are_lent_to_the_verb_of_leaving_before() {
    check(
        "I quit Orb and joined Mill in March.",
        &["Kim | employer | Orb | ends | until 2024-03", "Kim | employer | Mill | holds | since 2024-03"],
    );
    check(
        "I quit Orb and joined Mill after that.",
        &["Kim | employer | Orb | ends | over by now", "Kim | employer | Mill | holds | since before now"],
    );
    check("For the past three years I've worked at Orb.", &["Kim | employer | Orb | holds | since 2021"]);
}

#[test]
fn a_place_goes_on_with_where() {
    check("I know a café near Ghent, where I live.", &["Kim | lives_in | Ghent | holds | since before now"]);
    check("Is there a café near Ghent, where I grew up?", &["Kim | grew_up_in | Ghent | holds | since before now"]);
}

#[test]
fn a_product_is_named_without_its_version() {
    written("Quill 2.4 requires Node 20.", &["Quill | depends_on | Node 20 | holds | since before now"]);
    written("Quill 2.4 drops support for Python 3.8.", &["Quill | supports | Python 3.8 | ends | over by now"]);
}

#[test]
fn people_are_met_behind_prepositions_and_things_behind_articles() {
    let said = |before: &str, text: &str| claims(Authority::User, &[(before, Authority::User)], text);
    assert_eq!(said("I bumped into Al today.", "He lives in Ghent."), ["Al | lives_in | Ghent | holds | since before now"]);
    assert_eq!(
        said("I took over the courier app.", "It's written in Go."),
        ["courier app | implemented_in | Go | holds | since before now"]
    );
}

#[test]
fn answers_and_orders_in_other_words() {
    answered("Do you own a car?", "No, I don't.", &["Kim | owns | car | never | since before now"]);
    answered("Would you like metric or imperial units?", "Metric, thanks.", &["Kim | prefers_units | Metric | holds | since before now"]);
    check("From now on, answer in Dutch.", &["Kim | prefers_language | Dutch | holds | since 2024-05-15"]);
    check("I'd rather you called me Kit.", &["Kim | preferred_name | Kit | holds | since before now"]);
}

#[test]
fn lists_are_read_to_their_end() {
    check(
        "My kids are Al, Finn and Bo.",
        &[
            "Kim | parent_of | Al | holds | since before now",
            "Kim | parent_of | Finn | holds | since before now",
            "Kim | parent_of | Bo | holds | since before now",
        ],
    );
    check(
        "I play the drums, the bass and the flute.",
        &[
            "Kim | plays_instrument | drums | holds | since before now",
            "Kim | plays_instrument | bass | holds | since before now",
            "Kim | plays_instrument | flute | holds | since before now",
        ],
    );
    check(
        "I have asthma, eczema and a nut allergy.",
        &[
            "Kim | allergic_to | nut | holds | since before now",
            "Kim | has_condition | asthma | holds | since before now",
            "Kim | has_condition | eczema | holds | since before now",
        ],
    );
}

#[test]
fn a_release_gives_a_version_in_any_wording() {
    let expect = ["Quill | released | 2.4 | holds | on 2024-03-04", "Quill | version | 2.4 | holds | since 2024-03-04"];
    written("Quill 2.4 was released on 4 March 2024.", &expect);
    written("Version 2.4 of Quill came out on 4 March 2024.", &expect);
}

#[test]
fn what_was_given_up_and_where_one_was_before_has_ended() {
    check("I gave up smoking in 2020.", &["Kim | habit | smoking | ends | until 2020"]);
    check(
        "I'm back in Ghent after a year in Ely.",
        &["Kim | lives_in | Ghent | holds | since before now", "Kim | lives_in | Ely | ends | over by now"],
    );
    check("I have an interview at Orb tomorrow at 15:00.", &["Kim | has_appointment | interview at Orb | holds | at 2024-05-16T15:00Z"]);
}

#[test]
fn what_is_given_up_and_what_is_taken_up_for_it_share_a_time() {
    check(
        "I sold the Volvo in May 2021 and bought a Fiat.",
        &["Kim | owns | Volvo | ends | until 2021-05", "Kim | bought | Fiat | holds | in 2021-05"],
    );
    check(
        "I worked at Mill until 2020, when I joined Orb.",
        &["Kim | employer | Mill | holds | until 2020", "Kim | employer | Orb | holds | since 2020"],
    );
}

#[test]
fn what_is_moved_from_one_to_the_other_changes_what_is_used() {
    check(
        "We moved our database from MySQL to Postgres.",
        &["Kim | uses | Postgres | holds | since before now", "Kim | uses | MySQL | ends | over by now"],
    );
    check("I moved my son from Ghent to Bruges.", &[]);
}

#[test]
fn a_type_of_music_is_a_genre_though_it_is_written_large() {
    written("The type of music that Una Falk plays is Danish folk.", &["Una Falk | genre | Danish folk | holds | since before now"]);
    written("The style of music that Una Falk plays is swing jazz.", &["Una Falk | genre | swing jazz | holds | since before now"]);
    written("The type of music that Una Falk plays is slow fado.", &["Una Falk | genre | slow fado | holds | since before now"]);
}
