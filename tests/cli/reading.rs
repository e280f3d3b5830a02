//! Every reading command, for people and as JSON.

use crate::harness::{Dir, without_ids};
use serde_json::json;

const CLAIMS: &str = r#"{"observation":"acme","observed_at":"2020-01-20","source":"user","speaker":"Ida","text":"I joined Acme.","head":"Ida Renn","relation":"employer","tail":"Acme","from":"2020-01"}
{"observation":"globex","observed_at":"2023-06-05","source":"user","speaker":"Ida","text":"I am with Globex now.","head":"Ida Renn","relation":"works for","tail":"Globex","from":"2023-06-01"}
{"observation":"clerk","observed_at":"2021-05-31","source":"user","head":"Ida Renn","relation":"job title","tail":"Clerk"}
{"observation":"lead","observed_at":"2022-02-03","source":"user","head":"Ida Renn","relation":"job title","tail":"Lead","from":"2022-02-01"}
{"observation":"bern","observed_at":"2022-01-01","source":"user","head":"Ida Renn","relation":"lives in","tail":"Bern","from":"2019"}
{"observation":"basel","observed_at":"2022-01-01","source":"user","head":"Ida Renn","relation":"lives in","tail":"Basel","from":"2019"}
{"observation":"bo","observed_at":"2022-01-01","source":"user","head":"Bo Lind","relation":"employer","tail":"Globex","from":"2018"}
"#;

fn dir() -> Dir {
    Dir::with(CLAIMS)
}

#[test]
fn value_tells_certain_from_possible_and_counts_what_it_leaves_out() {
    let dir = dir();
    dir.run(&["value", "Ida Renn", "employer", "--at", "2024"]).ok().says(&[
        "Globex",
        "certain",
        "on 2023-06-01",
        "1 more fact is known and not shown",
        "timeline 'Ida Renn' employer",
    ]);
    dir.run(&["value", "ida  RENN", "works for", "--at", "2020-01"]).ok().says(&["Acme", "possible", "in 2020-01"]);
    dir.run(&["value", "Ida Renn", "employer", "--at", "2010"]).ok().says(&["nothing certain or possible then", "2 more facts are known"]);

    let answer = dir.json(&["value", "Ida Renn", "employer", "--at", "2024"]);
    assert_eq!(answer["command"], "value");
    assert_eq!(answer["tenant"], "default");
    assert_eq!(
        answer["as_of"],
        json!({ "valid_at": { "lo": "2024-01-01T00:00:00Z", "hi": "2025-01-01T00:00:00Z", "text": "2024" }, "known_at": "latest" })
    );
    assert_eq!(answer["suppressed"], 1);
    let fact = &answer["facts"][0];
    assert_eq!((&fact["tail"], &fact["certainty"], &fact["contested"]), (&json!("Globex"), &json!("certain"), &json!(false)));
    assert_eq!(fact["from"]["kind"], "at");
    assert_eq!(fact["to"], json!({ "kind": "open", "lo": null, "hi": null, "text": "open" }));
    assert_eq!(answer["facts"].as_array().unwrap().len(), 1);
}

#[test]
fn a_question_in_words_is_answered_with_its_interval() {
    let dir = dir();
    dir.run(&["ask", "Who did Ida Renn work for in 2021?"]).ok().says(&["Acme", "certain", "in 2020-01"]);
    dir.run(&["ask", "Where", "does", "Ida", "Renn", "live?", "--explain"]).ok().says(&[
        "Basel",
        "Bern",
        "read as: from Ida Renn",
        "lives_in",
    ]);
    dir.run(&["ask", "When did Ida Renn leave Acme?"]).ok().says(&["2023-06-01"]);
    dir.run(&["ask", "Where do I work?", "--asker", "Bo Lind"]).ok().says(&["Globex"]);
    dir.run(&["ask", "Who is Bo Lind married to?"]).exits(1).says(&["nothing known"]);
    dir.run(&["ask", "Why did Bo Lind leave?"]).exits(1).says(&["not understood"]);

    let answer = dir.json(&["ask", "Where does Ida Renn work?", "--at", "2021"]);
    assert_eq!((&answer["command"], &answer["outcome"]), (&json!("ask"), &json!("answered")));
    assert_eq!(answer["said"], json!(["Acme"]));
    let first = &answer["answers"][0];
    assert_eq!((&first["certainty"], &first["contested"]), (&json!("certain"), &json!(false)));
    assert_eq!(first["path"][0]["relation"], "employer");
}

#[test]
fn a_boundary_belongs_to_the_later_value() {
    let dir = Dir::with(&CLAIMS.replace(r#""from":"2023-06-01""#, r#""from":"2023-06-01T00:00:00Z""#));
    let at = |time: &str| dir.json(&["value", "Ida Renn", "employer", "--at", time])["facts"][0]["tail"].clone();
    assert_eq!(at("2023-05-31T23:59:59.999999Z"), "Acme");
    assert_eq!(at("2023-06-01T00:00:00Z"), "Globex");
}

#[test]
fn contested_values_name_their_rivals() {
    let dir = dir();
    let ran = dir.run(&["value", "Ida Renn", "lives in", "--at", "2023"]).ok();
    ran.says(&["Bern", "Basel", "contested with Basel", "contested with Bern"]);
    let answer = dir.json(&["value", "Ida Renn", "lives in", "--at", "2023"]);
    assert!(
        answer["facts"].as_array().unwrap().iter().all(|fact| fact["contested"] == true && fact["rivals"].as_array().unwrap().len() == 1),
        "{answer}"
    );
}

#[test]
fn about_shows_both_directions() {
    let dir = dir();
    dir.run(&["about", "Globex", "--at", "2024"]).ok().says(&["is employer of", "Ida Renn", "Bo Lind"]);
    dir.run(&["about", "Ida Renn", "--at", "2024"]).ok().says(&["employer", "Globex", "job_title", "Lead", "not shown"]);
    let answer = dir.json(&["about", "Ida Renn", "--at", "2024"]);
    assert_eq!((&answer["entity"], &answer["suppressed"]), (&json!("Ida Renn"), &json!(2)));
}

#[test]
fn holders_are_the_heads() {
    let dir = dir();
    dir.run(&["holders", "works for", "Globex", "--at", "2020"]).ok().says(&["Bo Lind", "certain"]);
    let answer = dir.json(&["holders", "employer", "Globex", "--at", "2024"]);
    let mut heads: Vec<&str> = answer["facts"].as_array().unwrap().iter().map(|fact| fact["head"].as_str().unwrap()).collect();
    heads.sort_unstable();
    assert_eq!(heads, ["Bo Lind", "Ida Renn"]);
}

#[test]
fn a_timeline_is_drawn_and_listed() {
    let dir = dir();
    let ran = dir.run(&["timeline", "Ida Renn", "--at", "2024-06-01"]).ok();
    ran.says(&["█", "▶", "▲", "by 2021-05", "until 2022-02-01", "closed by Lead", "contested with"]);
    insta::assert_snapshot!(without_ids(&ran.out));
    let answer = dir.json(&["timeline", "Ida Renn", "job_title"]);
    let facts = answer["facts"].as_array().unwrap();
    assert_eq!(facts.len(), 2);
    assert_eq!(facts[0]["from"], json!({ "kind": "by", "lo": null, "hi": "2021-06-01T00:00:00Z", "text": "by 2021-05" }));
    assert_eq!(facts[0]["closed_by"], facts[1]["id"]);
}

#[test]
fn a_terminal_of_another_width_gets_other_bars() {
    let dir = dir();
    let widest = |columns: &str| {
        let output = dir.command(&["timeline", "Ida Renn", "employer"]).env("COLUMNS", columns).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter(|line| line.contains('█')).map(|line| line.chars().count()).max().unwrap()
    };
    let (narrow, wide) = (widest("60"), widest("120"));
    assert!(narrow <= 60 && wide > 100 && wide <= 120, "{narrow} and {wide}");
}

#[test]
fn diff_on_either_time() {
    let dir = dir();
    dir.run(&["diff", "Ida Renn", "--from", "2021", "--to", "2024"]).ok().says(&["-", "Acme", "+", "Globex"]);
    let answer = dir.json(&["diff", "Ida Renn", "--from", "2021-12-31", "--to", "2024"]);
    let tails =
        |field: &str| answer[field].as_array().unwrap().iter().map(|held| held["tail"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(
        (tails("appeared"), tails("vanished")),
        (vec!["Lead".to_owned(), "Globex".to_owned()], vec!["Clerk".to_owned(), "Acme".to_owned()])
    );
    // Before anything was recorded nothing was believed.
    let answer = dir.json(&["diff", "Ida Renn", "--from", "2024", "--known-from", "1990"]);
    assert_eq!((answer["vanished"].as_array().unwrap().len(), answer["appeared"].as_array().unwrap().len() > 3), (0, true));
}

#[test]
fn why_answers_with_the_sentence_that_did_it() {
    let dir = dir();
    let ran = dir.run(&["why", "Ida Renn", "employer", "Acme"]).ok();
    ran.says(&["“I joined Acme.”", "“I am with Globex now.”", "ended:", "to undo: erstwhile retract"]);
    let by_words = dir.json(&["why", "Ida Renn", "employer", "Acme"]);
    let id = by_words["fact"]["id"].as_str().unwrap();
    let short = format!("{}.0", &id[..8]);
    for spelling in [id, short.as_str(), &id[..8], &id[..20]] {
        assert_eq!(dir.json(&["why", spelling])["fact"], by_words["fact"], "{spelling}");
    }
    assert_eq!(by_words["sources"][0]["words"], "I joined Acme.");
    assert_eq!(by_words["sources"][0]["supports"], true);
    assert_eq!(by_words["ended_by"], by_words["sources"][1]["claim"]);
    assert_eq!(by_words["sources"][1]["observation"]["speaker"], "Ida");
    // Without a tail it is what holds, and the others are named.
    let current = dir.json(&["why", "Ida Renn", "employer"]);
    assert_eq!((&current["fact"]["tail"], current["others"].as_array().unwrap().len()), (&json!("Globex"), 1));
}

#[test]
fn what_ends_of_itself_has_no_undo() {
    let dir = Dir::with(
        r#"{"observed_at": "2024-01-10", "head": "Zed", "relation": "visited", "tail": "Rome", "from": "2024-01-10"}
{"observed_at": "2024-01-10", "head": "Zed", "relation": "employer", "tail": "Acme", "from": "2015", "to": "2019"}
"#,
    );
    for (relation, words) in [("visited", "is an event and ends when it happens"), ("employer", "states its own end")] {
        let ran = dir.run(&["why", "Zed", relation]).ok();
        ran.says(&["ended:", words]);
        assert!(!ran.out.contains("to undo"), "{}", ran.out);
        let answer = dir.json(&["why", "Zed", relation]);
        assert_eq!((&answer["undo"], &answer["ended_by"]), (&json!(null), &answer["fact"]["id"]), "{relation}");
    }
}

#[test]
fn what_a_hint_counts_the_command_that_it_names_shows() {
    let dir = Dir::with(
        r#"{"observed_at": "2024-03-01", "head": "Carl", "relation": "parent_of", "tail": "Dora", "from": "2018-06"}
{"observed_at": "2024-03-01", "head": "Ines", "relation": "employer", "tail": "Brightloom", "from": "2020", "to": "2023"}
{"observed_at": "2024-03-01", "head": "Ines", "relation": "allergic_to", "tail": "pollen", "from": "2010", "source": "user"}
{"observed_at": "2024-03-02", "head": "Ines", "relation": "allergic_to", "tail": "pollen", "from": "2024", "polarity": "never", "source": "tool"}
{"observed_at": "2024-03-02", "head": "Forge Works", "relation": "employer", "tail": "Acme", "from": "2020", "polarity": "never"}
"#,
    );
    let command = |ran: &str| {
        let line = ran.lines().find(|line| line.contains("more fact")).unwrap_or_else(|| panic!("no hint in {ran}"));
        let command = line.split("erstwhile timeline ").nth(1).unwrap();
        let mut args = vec!["timeline".to_owned()];
        args.extend(command.split(' ').map(|word| word.trim_matches('\'').to_owned()));
        args
    };
    for (asked, shown) in [
        (&["about", "Brightloom"][..], "Ines"),
        (&["holders", "employer", "Brightloom"], "Ines"),
        (&["value", "Ines", "employer"], "Brightloom"),
        (&["value", "Ines", "allergic_to"], "not allergic_to"),
        (&["timeline", "Brightloom"], "Ines"),
    ] {
        let ran = dir.run(asked).ok();
        let args = command(&ran.out);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        dir.run(&args).ok().says(&[shown]);
        assert!(!dir.run(&args).ok().out.contains("nothing was known"), "{args:?}");
    }
    dir.run(&["timeline", "Carl"]).ok().says(&["parent_of", "Dora", "certain"]);
    let carl = dir.json(&["timeline", "Carl"]);
    assert_eq!(
        (&carl["facts"][0]["relation"], &carl["facts"][0]["head"], &carl["facts"][0]["tail"]),
        (&json!("parent_of"), &json!("Carl"), &json!("Dora"))
    );
    dir.run(&["timeline", "Forge Works"]).ok().says(&["no fact was known of it then, only 1 denial", "not employer", "Acme"]);
    let brightloom = dir.json(&["timeline", "Brightloom", "--incoming"]);
    assert_eq!((brightloom["facts"].as_array().unwrap().len(), &brightloom["incoming"][0]["head"]), (0, &json!("Ines")));
    assert_eq!(dir.json(&["timeline", "Ines"])["denials"][0]["authority"], "tool");
}

#[test]
fn the_undo_that_why_prints_undoes() {
    let dir = dir();
    let ran = dir.run(&["why", "Ida Renn", "employer", "Acme"]).ok();
    let line = ran.out.lines().find(|line| line.contains("to undo:")).unwrap();
    let id = line.split("retract ").nth(1).unwrap().split(' ').next().unwrap();
    dir.run(&["retract", id, "--because", "it was a joke"]).ok().says(&[
        "no longer believed",
        "1 fact open again",
        "to undo: erstwhile restore",
    ]);
    assert_eq!(dir.json(&["value", "Ida Renn", "employer"])["facts"][0]["tail"], "Acme");
    dir.run(&["restore", id, "--because", "it was not"]).ok().says(&["believed again", "1 fact closed"]);
    assert_eq!(dir.json(&["value", "Ida Renn", "employer"])["facts"][0]["tail"], "Globex");
}

#[test]
fn neighbours_are_a_tree() {
    let dir = dir();
    let ran = dir.run(&["neighbours", "Ida Renn", "--hops", "2", "--at", "2024"]).ok();
    ran.says(&["├─", "└─", "employer → Globex", "│  └─ employer ← Bo Lind"]);
    let answer = dir.json(&["neighbours", "Ida Renn", "--hops", "2", "--at", "2024"]);
    let bo = answer["reached"].as_array().unwrap().iter().find(|one| one["entity"] == "Bo Lind").unwrap();
    assert_eq!((&bo["hops"], &bo["through"]["relation"]), (&json!(2), &json!("employer")));
    assert!(!dir.run(&["neighbours", "Ida Renn", "--at", "2024"]).ok().out.contains("Bo Lind"));
}

#[test]
fn stats_tenants_and_verify() {
    let dir = dir();
    dir.run(&["stats"]).ok().says(&["observations", "7", "claims", "contested", "on disk"]);
    let stats = dir.json(&["stats"]);
    assert_eq!(
        (&stats["observations"], &stats["claims"], &stats["facts"], &stats["contested"]),
        (&json!(7), &json!(7), &json!(7), &json!(2))
    );
    dir.run(&["remember", "claims.jsonl", "--tenant", "Ökonomie / 2"]).ok();
    assert_eq!(dir.run(&["tenants"]).ok().out, "default\nÖkonomie / 2\n");
    assert_eq!(dir.json(&["tenants"])["tenants"], json!(["default", "Ökonomie / 2"]));
    dir.run(&["verify"]).ok().says(&["sound"]);
    let found = dir.json(&["verify"]);
    assert_eq!((&found["ok"], &found["problems"]), (&json!(true), &json!([])));
}

#[test]
fn a_civil_day_is_read_in_its_zone() {
    let dir = Dir::with(
        r#"{"observed_at":"2024-01-12","head":"Cy","relation":"met","tail":"Dee","from":"2024-01-10T23:30:00-05:00","to":"2024-01-10T23:45:00-05:00"}"#,
    );
    let held = |zone: &str| dir.json(&["value", "Cy", "met", "--at", "2024-01-10", "--zone", zone])["facts"].as_array().unwrap().len();
    assert_eq!((held("America/New_York"), held("UTC"), held("-05:00")), (1, 0, 1));
    dir.run(&["value", "Cy", "met", "--at", "2024-01-10", "--zone", "America/New_York"]).ok().says(&["at 2024-01-10"]);
}

#[test]
fn what_was_denied_is_drawn_and_told_as_hidden() {
    let dir = Dir::with(
        r#"{"observed_at":"2024-01-01","source":"user","head":"Jon","relation":"member of","tail":"Rowing Club","from":"2018"}
{"observed_at":"2024-01-02","source":"user","head":"Jon","relation":"member of","tail":"Rowing Club","polarity":"never","from":"2021","to":"2022"}
"#,
    );
    dir.run(&["timeline", "Jon", "--at", "2022-03"]).ok().says(&["┄", "hidden 2021-01-01T00:00:00Z to 2023-01-01T00:00:00Z", "  hidden  "]);
    dir.run(&["value", "Jon", "member of", "--at", "2022-03"])
        .ok()
        .says(&["nothing certain or possible then", "1 more fact is known and not shown"]);
    dir.run(&["why", "Jon", "member of", "--at", "2022-03"]).ok().says(&["hidden at 2022-03"]);
}

#[test]
fn dates_are_named_as_their_zone_names_them() {
    let dir = Dir::new();
    dir.file("claims.jsonl", CLAIMS);
    dir.run(&["remember", "claims.jsonl", "--zone", "America/New_York"]).ok();
    dir.run(&["timeline", "Ida Renn", "--zone", "America/New_York"]).ok().says(&["on 2023-06-01", "until 2022-02-01", "by 2021-05"]);
    dir.run(&["timeline", "Ida Renn", "employer"]).ok().says(&["between 2023-06-01T04:00:00Z and 2023-06-02T04:00:00Z"]);
}

#[test]
fn now_and_today_are_read_from_the_clock() {
    let dir = dir();
    for now in ["now", "today", "NOW", "tomorrow"] {
        assert_eq!(dir.json(&["value", "Ida Renn", "employer", "--at", now, "--known-at", "now"])["facts"][0]["tail"], "Globex", "{now}");
    }
    assert_eq!(dir.json(&["value", "Ida Renn", "employer", "--known-at", "today"])["facts"][0]["tail"], "Globex");
}

#[test]
fn completions_are_scripts() {
    let dir = Dir::new();
    for shell in ["bash", "zsh", "fish"] {
        dir.run(&["completions", shell]).ok().says(&["erstwhile", "remember"]);
    }
}

const GRAPHS: &str = r#"{"observed_at":"2024-01-01","head":"Forge","relation":"located in","tail":"Hull","from":"2015","to":"2018","context":"https://example.org/census"}
{"observed_at":"2024-01-01","head":"Forge","relation":"located in","tail":"Leeds","from":"2019","context":"https://example.org/census"}
{"observed_at":"2024-01-01","head":"Mill","relation":"located in","tail":"York","from":"2019"}
"#;

#[test]
fn a_named_graph_is_an_iri_that_is_there() {
    let dir = Dir::with(GRAPHS);
    for given in ["https://example.org/census", "<https://example.org/census>"] {
        let ran = dir.run(&["value", "Forge", "located in", "--context", given]).ok();
        ran.says(&["Leeds", "erstwhile timeline Forge 'located in' --context "]);
        assert_eq!(dir.json(&["diff", "Forge", "--from", "2016", "--to", "2020", "--context", given])["appeared"][0]["tail"], "Leeds");
        // The entity is known, and nothing is said of it in that graph: that is an answer.
        assert_eq!(dir.json(&["value", "Mill", "located in", "--context", given])["facts"], json!([]));
        dir.run(&["neighbours", "Forge", "--context", given]).ok().says(&["Leeds"]);
    }
    for args in [
        &["value", "Mill", "located in"][..],
        &["about", "Mill"],
        &["holders", "located in", "York"],
        &["timeline", "Mill"],
        &["neighbours", "Mill"],
        &["why", "Mill", "located in"],
        &["diff", "--from", "2016"],
    ] {
        let with = |context: &str| dir.run(&[args, &["--context", context]].concat());
        with("no iri").exits(2).complains(&["--context", "no iri"]);
        with("https://example.org/other").exits(3).complains(&["https://example.org/other", "here are https://example.org/census"]);
    }
    Dir::with(CLAIMS).run(&["about", "Acme", "--context", "urn:x"]).exits(3).complains(&["there are no named graphs here"]);
}

#[test]
fn midnight_is_not_a_day() {
    let dir = dir();
    let title = |at: &str| dir.run(&["about", "Acme", "--at", at]).ok().out.lines().next().unwrap().to_owned();
    assert!(title("2018-01-01").ends_with("at 2018-01-01"), "{}", title("2018-01-01"));
    for (given, shown) in [("2018-01-01T00:00:00Z", "2018-01-01T00:00:00Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z")] {
        assert!(title(given).ends_with(&format!("at {shown}")), "{}", title(given));
        let as_of = dir.json(&["about", "Acme", "--at", given])["as_of"]["valid_at"].clone();
        assert_eq!((&as_of["lo"], &as_of["text"]), (&as_of["hi"], &json!(shown)));
        // What is printed reads back as what it was.
        assert_eq!(dir.json(&["about", "Acme", "--at", shown])["as_of"]["valid_at"], as_of);
    }
    let dir = Dir::with(
        r#"{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Oslo","from":"2015-01-01T00:00:00Z","to":"2016-01-01T00:00:00Z"}
{"observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Rome","from":"2017-01-01","to":"2018-01-01"}"#,
    );
    dir.run(&["timeline", "Ana"]).ok().says(&[
        "from 2015-01-01T00:00:00Z  until 2016-01-01T00:00:00Z",
        "on 2017-01-01",
        "until 2018-01-01 ",
    ]);
    let facts = dir.json(&["timeline", "Ana"])["facts"].clone();
    assert_eq!([&facts[0]["from"]["text"], &facts[1]["from"]["text"]], [&json!("from 2015-01-01T00:00:00Z"), &json!("on 2017-01-01")]);
}

#[test]
fn a_value_is_printed_as_it_can_be_given_back() {
    let dir = Dir::with(
        r#"{"observed_at":"2024-01-01","head":"Ana","relation":"height","tail":1.71,"from":"2015"}
{"observed_at":"2024-01-01","head":"Ana","relation":"motto","tail":{"literal":"all's well"},"from":"2015"}"#,
    );
    for (relation, printed) in [("height", "\"1.71\"^^xsd:decimal"), ("motto", "\"all's well\"")] {
        dir.run(&["value", "Ana", relation]).ok().says(&[printed]);
        dir.run(&["timeline", "Ana", relation]).ok().says(&[printed]);
        dir.run(&["holders", relation, printed]).ok().says(&["Ana", printed]);
    }
    dir.run(&["holders", "height", "1.71"]).exits(3).complains(&["did you mean '\"1.71\"^^xsd:decimal'?"]);
}

#[test]
fn a_history_is_told_in_the_order_of_time() {
    let dir = Dir::with(
        r#"{"observed_at":"2021","head":"Ana","relation":"speaks","tail":"Danish"}
{"observed_at":"2024","head":"Ana","relation":"speaks","tail":"Polish","from":"2015"}
{"observed_at":"2024","head":"Ana","relation":"speaks","tail":"Welsh","from":"always"}"#,
    );
    let facts = dir.json(&["timeline", "Ana"])["facts"].clone();
    let tails: Vec<&str> = facts.as_array().unwrap().iter().map(|fact| fact["tail"].as_str().unwrap()).collect();
    assert_eq!(tails, ["Welsh", "Polish", "Danish"]);
    dir.run(&["timeline", "Ana"]).ok().says(&["◀ no known beginning"]);
}

#[test]
fn what_is_printed_to_be_pasted_says_where() {
    let dir = Dir::new();
    dir.file("claims.jsonl", CLAIMS);
    let place = ["--memory", "other place", "--tenant", "t2"];
    let run = |args: &[&str]| dir.run(&[args, &place].concat());
    run(&["remember", "claims.jsonl"]).ok();
    let flags = " --memory 'other place' --tenant t2";
    for (args, command) in [
        (&["value", "Ida Renn", "employer"][..], "erstwhile timeline 'Ida Renn' employer"),
        (&["about", "Ida Renn"], "erstwhile timeline 'Ida Renn' --incoming"),
        (&["holders", "employer", "Acme"], "erstwhile timeline Acme employer --incoming"),
        (&["retract", "lead", "--because", "x"], "erstwhile restore lead --because '…'"),
        (&["restore", "lead", "--because", "x"], "erstwhile retract lead --because '…'"),
    ] {
        run(args).ok().says(&[&format!("{command}{flags}")]);
    }
    let why = run(&["why", "Ida Renn", "employer", "Acme"]).ok();
    assert!(why.out.lines().any(|line| line.starts_with("to undo: erstwhile retract ") && line.ends_with(flags)), "{}", why.out);
    run(&["value", "Ida Renn", "frobs"]).exits(3).complains(&[&format!("`erstwhile relations list{flags}`")]);
    // The folder of the environment needs no flag: it holds for what is pasted too.
    let output = dir.command(&["about", "Ida Renn", "--tenant", "t2"]).env("ERSTWHILE_MEMORY", "other place").output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("timeline 'Ida Renn' --incoming --tenant t2") && !out.contains("--memory"), "{out}");
}

#[test]
fn a_belief_to_come_is_told_as_such() {
    let dir = dir();
    dir.run(&["about", "Acme", "--known-at", "2999"]).ok().says(&["still to come"]);
    assert!(!dir.run(&["about", "Acme", "--known-at", "2020"]).ok().out.contains("still to come"));
}
