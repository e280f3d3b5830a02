//! Tests: the worked cases of the design, each in every order of its claims.

use super::cases::{ByNumber, at, moment};
use super::*;
use crate::model::{Authority, AuthorityMode, OnConflict, Polarity, RelationKind};
use crate::time::{End, Instant, Moment, Span, Start};
use std::fmt::Write as _;

/// A calendar good enough for order: a year of twelve months of 31 days of 24 ticks.
fn granule(text: &str) -> Moment {
    let parts: Vec<i64> = text.split('-').map(|part| part.parse().unwrap()).collect();
    let day = |year: i64, month: i64, day: i64| ((year * 12 + month - 1) * 31 + day - 1) * 24;
    match parts[..] {
        [year] => moment(day(year, 1, 1), day(year + 1, 1, 1)),
        [year, month] => moment(day(year, month, 1), day(year, month + 1, 1)),
        [year, month, on] => moment(day(year, month, on), day(year, month, on + 1)),
        _ => panic!("no date: {text}"),
    }
}

/// A claim in words: `Acme from 2019 to 2020`, `Acme by 2021-05`, `Acme ends 2019`, `Acme ends by 2024-03`, `Acme used to by 2024-03`,
/// `Acme never from 2019`, each with `seen 2021` and `says tool` if need be.
fn claim(number: u32, text: &str, values: &mut Vec<String>) -> SlotClaim {
    let words: Vec<&str> = text.split(' ').collect();
    let value = values.iter().position(|value| value == words[0]).unwrap_or_else(|| {
        values.push(words[0].to_owned());
        values.len() - 1
    });
    let after = |word: &str| words.iter().position(|other| *other == word).map(|index| words[index + 1]);
    let has = |word: &str| words.contains(&word);
    let ends = has("ends") || has("used");
    let start = match (after("from"), after("by")) {
        (Some(from), _) => Start::At(granule(from)),
        (None, Some(by)) if !ends => Start::By(granule(by).lo()),
        _ if has("always") => Start::Always,
        _ => Start::Unknown,
    };
    let end = match (after("to"), after("ends"), after("by")) {
        (Some(to), _, _) if !has("used") => End::At(granule(to)),
        (_, _, Some(by)) if ends => End::By(granule(by).lo()),
        (_, Some(on), _) => End::At(granule(on)),
        _ => End::Open,
    };
    let polarity = match (has("never"), has("ends")) {
        (true, _) => Polarity::Never,
        (_, true) => Polarity::Ends,
        _ => Polarity::Holds,
    };
    SlotClaim {
        claim: number,
        value: u32::try_from(value).unwrap(),
        polarity,
        span: Span::new(start, end).unwrap(),
        seen_at: after("seen").map(|seen| granule(seen).lo()),
        observed_at: at(i64::from(number)),
        authority: match after("says") {
            Some("tool") => Authority::Tool,
            Some("document") => Authority::Document,
            _ => Authority::User,
        },
    }
}

/// An instant as the date that begins then.
fn date(instant: Instant) -> String {
    let ticks = instant.micros();
    let (day, month, year) = (ticks / 24 % 31 + 1, ticks / 24 / 31 % 12 + 1, ticks / 24 / 31 / 12);
    match (day, month) {
        (1, 1) => format!("{year}"),
        (1, _) => format!("{year}-{month:02}"),
        _ => format!("{year}-{month:02}-{day:02}"),
    }
}

fn date_of(moment: Moment) -> String {
    let text = date(moment.lo());
    let known = [text.clone(), format!("{text}-01"), format!("{text}-01-01")];
    let known = known.into_iter().find(|text| text.split('-').count() <= 3 && granule(text) == moment);
    known.unwrap_or_else(|| format!("{text}/{}", date(moment.hi())))
}

/// `Acme 2019..2020 closed by Globex, contested, 2 claims`.
fn fact(run: &Run, claims: &[SlotClaim], values: &[String]) -> String {
    let start = match run.start {
        Start::At(moment) => date_of(moment),
        Start::By(by) => format!("by {}", date(by)),
        Start::Unknown => "?".to_owned(),
        Start::Always => "always".to_owned(),
    };
    let end = match run.end {
        End::At(moment) => date_of(moment),
        End::By(by) => format!("by {}", date(by)),
        End::Open => String::new(),
    };
    let mut text = format!("{} {start}..{end}", values[run.value as usize]);
    if let EndCause::ClosedBy(claim) = run.cause {
        let closing = claims.iter().find(|other| other.claim == claim).unwrap();
        write!(text, " closed by {}", values[closing.value as usize]).unwrap();
    }
    if run.contested {
        text.push_str(", contested");
    }
    if let Some(from) = run.challenged_from {
        write!(text, ", challenged from {}", date(from)).unwrap();
    }
    for (from, to) in &run.hidden {
        let to = if *to == Instant::DISTANT_FUTURE { String::new() } else { date(*to) };
        write!(text, ", hidden {}..{to}", date(*from)).unwrap();
    }
    if run.support > 1 {
        write!(text, ", {} claims", run.support).unwrap();
    }
    text
}

fn permutations(claims: &[SlotClaim]) -> Vec<Vec<SlotClaim>> {
    if claims.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for index in 0..claims.len() {
        let mut rest = claims.to_vec();
        let first = rest.remove(index);
        for mut others in permutations(&rest) {
            others.push(first);
            all.push(others);
        }
    }
    all
}

fn check_rules(rules: SlotRules, claims: &[&str], facts: &[&str]) {
    let mut values = Vec::new();
    let claims: Vec<SlotClaim> = (0..).zip(claims).map(|(number, text)| claim(number, text, &mut values)).collect();
    for claims in permutations(&claims) {
        let timeline = derive_slot(&claims, &rules, &ByNumber);
        let got: Vec<String> = timeline.runs.iter().map(|run| fact(run, &claims, &values)).collect();
        assert_eq!(got, facts, "from {claims:#?}");
        let mut engine = SlotEngine::new(rules);
        for claim in &claims {
            engine.insert(*claim, &ByNumber);
        }
        assert_eq!(engine.runs(&ByNumber), timeline.runs, "claim by claim");
    }
}

const ONE: SlotRules = SlotRules {
    exclusive: true,
    kind: RelationKind::State,
    on_conflict: OnConflict::Contest,
    authority: AuthorityMode::Ranked,
    resumes: false,
    ttl_micros: None,
};

fn check(claims: &[&str], facts: &[&str]) {
    check_rules(ONE, claims, facts);
}

#[test]
fn a_later_value_supersedes() {
    check(&["Acme from 2020-01", "Globex from 2023-06"], &["Acme 2020-01..2023-06 closed by Globex", "Globex 2023-06.."]);
}

#[test]
fn a_value_recurs_after_another() {
    let facts = ["Oslo 2015..2018 closed by Turin", "Turin 2018..2021 closed by Oslo", "Oslo 2021.."];
    check(&["Oslo from 2015", "Turin from 2018", "Oslo from 2021"], &facts);
    check(&["Oslo from 2015", "Oslo from 2021", "Turin from 2018"], &facts);
}

#[test]
fn without_the_value_between_it_is_one_run() {
    check(&["Oslo from 2015", "Oslo from 2021"], &["Oslo 2015.., 2 claims"]);
}

#[test]
fn a_bounded_value_cuts_and_the_old_one_does_not_come_back() {
    check(&["Paris from 2015", "Rome from 2017 to 2019"], &["Paris 2015..2017 closed by Rome", "Rome 2017..2019"]);
}

#[test]
fn a_value_seen_later_contests_the_one_between() {
    check(&["Oslo from 2015 seen 2021", "Turin from 2018"], &["Oslo 2015.., contested", "Turin 2018..2018, contested"]);
}

#[test]
fn a_value_seen_after_its_end_holds_again() {
    check(&["Acme from 2015", "Acme ends 2019", "Acme by 2021"], &["Acme 2015..2019, 2 claims", "Acme by 2021.."]);
}

#[test]
fn a_real_overlap_is_contested() {
    check(&["Acme from 2015 to 2019", "Globex from 2018"], &["Acme 2015..2019, contested", "Globex 2018.., contested"]);
}

#[test]
fn a_coarse_start_does_not_contest_a_later_fine_one() {
    check(&["Acme from 2019", "Globex from 2019-06"], &["Acme 2019..2019-06 closed by Globex", "Globex 2019-06.."]);
}

#[test]
fn used_to_is_over_and_uncontested() {
    check(&["Oslo used to by 2024-03", "Turin by 2024-03 seen 2024-03"], &["Oslo ?..by 2024-03", "Turin by 2024-03.."]);
}

#[test]
fn values_of_different_slots_do_not_meet() {
    check(&["Brightloom from 2021"], &["Brightloom 2021.."]);
    check(&["Forge from 2023"], &["Forge 2023.."]);
}

#[test]
fn a_value_without_a_start_is_cut() {
    check(
        &["Clerk by 2021-05 seen 2021-05", "Lead from 2022-02-01"],
        &["Clerk by 2021-05..2022-02-01 closed by Lead", "Lead 2022-02-01.."],
    );
}

#[test]
fn the_ceo_of_openai() {
    check(
        &["Altman from 2019", "Murati from 2023-11-17", "Shear from 2023-11-20", "Altman from 2023-11-22"],
        &[
            "Altman 2019..2023-11-17 closed by Murati",
            "Murati 2023-11-17..2023-11-20 closed by Shear",
            "Shear 2023-11-20..2023-11-22 closed by Altman",
            "Altman 2023-11-22..",
        ],
    );
}

#[test]
fn spans_that_meet_within_a_year_do_not_conflict() {
    check(&["Ann from 2010 to 2015", "Bea from 2015 to 2019"], &["Ann 2010..2015", "Bea 2015..2019"]);
}

#[test]
fn a_lower_denial_does_not_hide_an_allergy() {
    let strict = SlotRules { authority: AuthorityMode::Strict, exclusive: false, ..ONE };
    check_rules(strict, &["peanut from 2015", "peanut never from 2020 says tool"], &["peanut 2015.., challenged from 2020"]);
    check_rules(strict, &["peanut from 2015 says tool", "peanut never from 2020"], &["peanut 2015.., hidden 2020.."]);
}

#[test]
fn a_retracted_claim_leaves_nothing() {
    // Known at d3, before the retraction; and at d6, after it.
    check(&["VP from 2020"], &["VP 2020.."]);
    check(&["VP from 2021"], &["VP 2021.."]);
    check(&["VP from 2020", "VP from 2021"], &["VP 2020.., 2 claims"]);
}

#[test]
fn a_lower_source_challenges_and_strict_hides_it() {
    let claims = ["Oslo from 2015", "Turin from 2018 says tool"];
    check(&claims, &["Oslo 2015.., challenged from 2018", "Turin 2018.., contested"]);
    let strict = SlotRules { authority: AuthorityMode::Strict, ..ONE };
    check_rules(strict, &claims, &["Oslo 2015.., challenged from 2018", "Turin 2018.., contested, hidden 2018.."]);
    let equal = SlotRules { authority: AuthorityMode::Equal, ..ONE };
    check_rules(equal, &claims, &["Oslo 2015..2018 closed by Turin", "Turin 2018.."]);
}

#[test]
fn an_end_of_lower_rank_does_not_count() {
    let open = ["peanut 2015.., challenged from 2020, 2 claims"];
    let strict = SlotRules { authority: AuthorityMode::Strict, exclusive: false, ..ONE };
    check_rules(strict, &["peanut from 2015", "peanut ends 2020 says tool"], &open);
    check_rules(strict, &["peanut from 2015", "peanut ends by 2020 says tool"], &open);
    check_rules(strict, &["peanut from 2015", "peanut used to by 2020 says tool"], &open);
    check(&["peanut from 2015", "peanut ends 2020 says tool"], &open);
    check(&["peanut from 2015", "peanut from 2016 to 2020 says tool"], &open);
    let equal = SlotRules { authority: AuthorityMode::Equal, ..ONE };
    check_rules(equal, &["peanut from 2015", "peanut ends 2020 says tool"], &["peanut 2015..2020, 2 claims"]);
}

#[test]
fn an_end_of_lower_rank_parts_no_run() {
    check(&["Acme from 2015", "Acme ends 2018 says tool", "Acme from 2020"], &["Acme 2015.., challenged from 2018, 3 claims"]);
    // The run is the tool's until the user speaks.
    check(&["Acme from 2015 says tool", "Acme ends 2018 says tool", "Acme from 2020"], &["Acme 2015..2018, 2 claims", "Acme 2020.."]);
    // Known to hold at 2016 by a claim that ranks higher, though the run begins with one that does not.
    check(
        &["Acme from 2015 says tool", "Acme by 2016", "Acme ends 2018 says tool", "Acme from 2020"],
        &["Acme 2015.., challenged from 2018, 4 claims"],
    );
}

#[test]
fn an_end_of_no_lower_rank_ends() {
    check(&["Acme from 2015", "Acme ends 2018"], &["Acme 2015..2018, 2 claims"]);
    check(&["Acme from 2015 says tool", "Acme ends 2018 says document"], &["Acme 2015..2018, 2 claims"]);
}

#[test]
fn an_end_of_lower_rank_that_agrees_challenges_nothing() {
    check(&["Acme from 2015 to 2018", "Acme from 2015 to 2018 says tool"], &["Acme 2015..2018, 2 claims"]);
    check(&["Acme from 2015 to 2018", "Acme ends 2018-06 says tool"], &["Acme 2015..2018, 2 claims"]);
    check(
        &["Acme from 2015", "Acme ends 2020 says tool", "Globex from 2018"],
        &["Acme 2015..2018 closed by Globex, 2 claims", "Globex 2018.."],
    );
    check(&["Acme from 2015 to 2018", "Acme ends 2016 says tool"], &["Acme 2015..2018, challenged from 2016, 2 claims"]);
    let event = SlotRules { kind: RelationKind::Event, ..ONE };
    check_rules(event, &["Rome from 2017", "Rome from 2017 says tool"], &["Rome 2017..2017, 2 claims"]);
}

#[test]
fn of_ends_without_a_run_the_best_count() {
    check(&["Oslo ends by 2020", "Oslo ends 2018 says tool"], &["Oslo ?..by 2020, 2 claims"]);
    check(&["Oslo ends 2020", "Oslo ends 2018 says tool"], &["Oslo ?..2020, challenged from 2018, 2 claims"]);
}

#[test]
fn the_explanation_names_an_end_that_does_not_count() {
    let mut values = Vec::new();
    let texts = ["peanut from 2015", "peanut ends 2020 says tool"];
    let claims: Vec<SlotClaim> = (0..).zip(texts).map(|(number, text)| claim(number, text, &mut values)).collect();
    let notes = explain(&claims, &ONE, &ByNumber, 0);
    let from = granule("2020").lo();
    let expected = [Note::EndAttached { run: 0, end: 1 }, Note::EndOutranked { run: 0, end: 1 }, Note::Challenged { run: 0, by: 1, from }];
    assert_eq!(notes, expected, "its notes");
    let words = notes[1].sentence(&|claim| texts[claim as usize].to_owned());
    let ignored = "the end that peanut ends 2020 says tool states does not count: its source ranks lower than that of peanut from 2015";
    assert_eq!(words, ignored, "in words");
}

#[test]
fn the_newest_holds_over_the_overlap() {
    let newest = SlotRules { on_conflict: OnConflict::Newest, ..ONE };
    check_rules(newest, &["Acme from 2015 to 2019", "Globex from 2018"], &["Acme 2015..2019, hidden 2019..2020", "Globex 2018.."]);
}

#[test]
fn an_older_value_resumes_if_the_policy_says_so() {
    let resumes = SlotRules { resumes: true, ..ONE };
    check_rules(resumes, &["Paris from 2015", "Rome from 2017 to 2019"], &["Paris 2015.., hidden 2017..2020", "Rome 2017..2019"]);
    check_rules(
        resumes,
        &["office from 2015", "leave from 2017", "leave ends 2019"],
        &["office 2015.., hidden 2017..2020", "leave 2017..2019, 2 claims"],
    );
}

#[test]
fn a_permanent_value_is_contested_not_cut() {
    let permanent = SlotRules { kind: RelationKind::Permanent, ..ONE };
    check_rules(permanent, &["Oslo from 1980", "Turin from 1981"], &["Oslo 1980.., contested", "Turin 1981.., contested"]);
}

#[test]
fn events_stand_each_at_its_own_time() {
    let event = SlotRules { kind: RelationKind::Event, ..ONE };
    check_rules(
        event,
        &["Rome from 2017", "Paris from 2015", "Paris from 2019-06", "Paris from 2019"],
        &["Paris 2015..2015", "Rome 2017..2017", "Paris 2019-06..2019-06, 2 claims"],
    );
}

#[test]
fn a_soft_tail_runs_out() {
    let short = SlotRules { ttl_micros: Some(31 * 24), ..ONE };
    check_rules(
        short,
        &["tired from 2020-01-01", "tired from 2020-01-15", "tired from 2020-06-01"],
        &["tired 2020-01-01..2020-02-15/2020-02-15, 2 claims", "tired 2020-06-01..2020-07/2020-07"],
    );
}

#[test]
fn a_denied_claim_closes_nothing() {
    check(&["Oslo from 2015", "Turin from 2018 says tool", "Turin never always"], &["Oslo 2015..", "Turin 2018.., hidden 2018.."]);
}

#[test]
fn the_explanation_names_what_closed_a_run() {
    let mut values = Vec::new();
    let texts = ["Acme from 2020-01", "Globex from 2023-06", "Acme from 2021-01"];
    let claims: Vec<SlotClaim> = (0..).zip(texts).map(|(number, text)| claim(number, text, &mut values)).collect();
    let notes = explain(&claims, &ONE, &ByNumber, 0);
    let closing = granule("2023-06").lo();
    assert_eq!(notes, [Note::JoinedUnbroken { run: 0, claim: 2 }, Note::Cut { run: 0, by: 1, at: closing, over_by: false }], "its notes");
    let words: Vec<String> = notes.iter().map(|note| note.sentence(&|claim| texts[claim as usize].to_owned())).collect();
    assert_eq!(words[0], "Acme from 2021-01 continues Acme from 2020-01: nothing that counts came between", "joining");
    assert_eq!(words[1], format!("Globex from 2023-06 closed Acme from 2020-01 at {closing}"), "closing");
    assert_eq!(explain(&claims, &ONE, &ByNumber, 2), [], "no run has this name");
}

#[test]
fn the_explanation_names_rivals() {
    let mut values = Vec::new();
    let texts = ["Acme from 2015 to 2019", "Globex from 2018", "Initech from 2018-03 says tool"];
    let claims: Vec<SlotClaim> = (0..).zip(texts).map(|(number, text)| claim(number, text, &mut values)).collect();
    let contested = |first: u32| {
        let rivals = explain(&claims, &ONE, &ByNumber, first);
        let rivals = rivals.into_iter().filter_map(|note| if let Note::Contested { rival, .. } = note { Some(rival) } else { None });
        rivals.collect::<Vec<_>>()
    };
    assert_eq!((contested(0), contested(1), contested(2)), (vec![1], vec![0], vec![0, 1]), "the lower one is no rival of the higher");
}
