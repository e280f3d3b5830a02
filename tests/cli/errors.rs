//! What goes wrong: each error names the thing and the value, says what to do next, and has its exit code.

use crate::harness::Dir;
use std::io::Read;
use std::process::Stdio;

const CLAIM: &str = r#"{"observation":"one","observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Oslo","from":"2015"}
{"observation":"two","observed_at":"2024-01-01","head":"Ana","relation":"lives in","tail":"Rome","from":"2019"}
"#;

#[test]
fn an_unknown_tenant_is_an_error_in_every_reading_call() {
    let dir = Dir::with(CLAIM);
    let calls: [&[&str]; 14] = [
        &["value", "Ana", "lives in"],
        &["about", "Ana"],
        &["holders", "lives in", "Oslo"],
        &["timeline", "Ana"],
        &["timeline", "Ana", "lives in"],
        &["diff", "--from", "2015", "--to", "2020"],
        &["why", "Ana", "lives in"],
        &["why", "0123456789abcdef.0"],
        &["neighbours", "Ana"],
        &["stats"],
        &["relations", "list"],
        &["verify"],
        &["export"],
        &["retract", "one", "--because", "x"],
    ];
    for call in calls {
        let mut args = call.to_vec();
        args.extend(["--tenant", "nobody"]);
        let ran = dir.run(&args);
        ran.exits(3).complains(&["nobody", "next:"]);
        assert!(ran.out.is_empty(), "{call:?} answered {}", ran.out);
    }
    assert_eq!(dir.json(&["tenants"])["tenants"].as_array().unwrap().len(), 1, "asking creates nothing");
}

#[test]
fn a_memory_that_is_not_there_is_not_made_by_asking() {
    let dir = Dir::new();
    dir.run(&["about", "Ana", "--memory", "elsewhere"]).exits(3);
    assert!(!dir.path().join("elsewhere").exists());
    let output = dir.command(&["tenants"]).env("ERSTWHILE_MEMORY", "third").output().unwrap();
    assert!(output.status.success() && !dir.path().join("third").exists());
}

#[test]
fn names_and_relations_that_nothing_knows() {
    let dir = Dir::with(CLAIM);
    dir.run(&["value", "Nobody", "lives in"]).exits(3).complains(&["Nobody", "next:"]);
    dir.run(&["about", "Nobody"]).exits(3).complains(&["Nobody"]);
    dir.run(&["value", "Ana", "frobs"]).exits(3).complains(&["frobs", "relations list"]);
    dir.run(&["why", "Ana", "lives in", "Paris"]).exits(3).complains(&["Paris"]);
    dir.run(&["retract", "ffffffff.0", "--because", "x"]).exits(3).complains(&["ffffffff"]);
}

#[test]
fn times_that_are_none() {
    let dir = Dir::with(CLAIM);
    for bad in ["2019-13", "yesteryear", "2019-02-30", "", "99999"] {
        let ran = dir.run(&["value", "Ana", "lives in", "--at", bad]);
        ran.exits(2).complains(&["--at", bad, "next: write a time as"]);
    }
    dir.run(&["value", "Ana", "lives in", "--known-at", "soon"]).exits(2).complains(&["--known-at", "soon"]);
    dir.run(&["value", "Ana", "lives in", "--zone", "Mars/Olympus"]).exits(2).complains(&["Mars/Olympus"]);
    dir.run(&["remember", "claims.jsonl", "--observed-at", "whenever"]).exits(2).complains(&["--observed-at", "whenever"]);
    dir.run(&["diff", "Ana", "--to", "2020"]).exits(2).complains(&["--from"]);
}

#[test]
fn an_id_that_fits_several_asks_for_more_digits() {
    let line = |n: u32| {
        format!("{{\"observed_at\":\"2024-01-01\",\"head\":\"P{n}\",\"relation\":\"lives in\",\"tail\":\"Oslo\",\"from\":\"2015\"}}\n")
    };
    let lines: String = (0..40).map(line).collect();
    let dir = Dir::with(&lines);
    let mut seen = std::collections::BTreeMap::new();
    for n in 0..40 {
        let id = dir.json(&["value", &format!("P{n}"), "lives in"])["facts"][0]["id"].as_str().unwrap().to_owned();
        *seen.entry(id[..1].to_owned()).or_insert(0) += 1;
    }
    let (digit, _) = seen.iter().find(|(_, count)| **count > 1).unwrap();
    dir.run(&["retract", digit, "--because", "x"]).exits(2).complains(&[digit, "more digits"]);
}

#[test]
fn files_that_cannot_be_read() {
    let dir = Dir::new();
    dir.run(&["remember", "missing.jsonl"]).exits(3).complains(&["missing.jsonl"]);
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    dir.run(&["remember", "folder"]).exits(2).complains(&["folder"]);
    let binary: Vec<u8> = (0..4096_u32).map(|n| u8::try_from(n * 7919 % 256).unwrap()).collect();
    dir.file("binary.jsonl", &binary);
    let ran = dir.run(&["remember", "binary.jsonl", "--observed-at", "2024"]);
    assert!(matches!(ran.code, Some(1 | 2)), "{:?} {}", ran.code, ran.err);
    ran.complains(&[]);
    dir.file(
        "huge.jsonl",
        format!("{{\"observed_at\":\"2024\",\"head\":\"{}\",\"relation\":\"r\",\"tail\":\"t\"}}\n{}", "x".repeat(3_000_000), CLAIM),
    );
    let ran = dir.run(&["remember", "huge.jsonl"]);
    ran.exits(1).says(&["recorded 2 observations", "line 1:"]);
    assert!(ran.out.len() < 4_000, "what is too long is not repeated");
}

#[test]
fn a_ledger_that_is_none_is_left_untouched() {
    let dir = Dir::with(CLAIM);
    let file = dir.path().join("erstwhile-memory/tenants/default.sqlite");
    std::fs::write(&file, "not a ledger at all").unwrap();
    dir.run(&["about", "Ana"]).exits(6).complains(&["default.sqlite", "next:"]);
    dir.run(&["remember", "claims.jsonl"]).exits(6);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "not a ledger at all");
}

#[test]
fn wrong_usage_is_told_by_the_parser() {
    let dir = Dir::new();
    dir.run(&["value", "Ana"]).exits(2).complains(&["RELATION"]);
    dir.run(&["frobnicate"]).exits(2).complains(&["frobnicate"]);
    dir.run(&["why", "not-an-id"]).exits(2).complains(&["not-an-id", "HEAD RELATION"]);
    dir.run(&["neighbours", "Ana", "--hops", "0"]).exits(2);
    dir.run(&["eval", "nothing", "--data", "x"]).exits(2).complains(&["nothing", "timeline"]);
    dir.run(&["check", "nowhere"]).exits(3).complains(&["nowhere"]);
    dir.run(&["--help"]).exits(0).says(&["Usage", "tour", "ERSTWHILE_MEMORY"]);
    dir.run(&["--version"]).exits(0).says(&["erstwhile"]);
}

#[test]
fn errors_are_objects_for_programs() {
    let dir = Dir::with(CLAIM);
    let ran = dir.run(&["about", "Nobody", "--json"]);
    ran.exits(3);
    let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!((&error["schema"], &error["error"]["kind"]), (&serde_json::json!(1), &serde_json::json!("not_found")));
    assert!(error["error"]["message"].as_str().unwrap().contains("Nobody"));
}

#[test]
fn a_reader_who_leaves_early_is_no_failure() {
    let line = |n: u32| {
        format!(
            "{{\"observed_at\":\"2024-01-01\",\"head\":\"Ana\",\"relation\":\"speaks\",\"tail\":\"language number {n}\",\"from\":\"2015\"}}\n"
        )
    };
    let lines: String = (0..3_000).map(line).collect();
    let dir = Dir::with(&lines);
    for args in [&["about", "Ana"][..], &["timeline", "Ana"], &["export"], &["about", "Ana", "--json"]] {
        let mut child = dir.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0_u8; 10];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn what_was_remembered_cannot_command_the_terminal() {
    let dir = Dir::with(
        r#"{"observed_at":"2024-01-01","text":"call me \u001b[2Jboo","speaker":"\u001b]0;x","head":"Ana","relation":"nickname","tail":{"literal":"\u001b[2Jboo"},"from":"2015"}"#,
    );
    for args in [
        &["about", "Ana"][..],
        &["timeline", "Ana"],
        &["why", "Ana", "nickname"],
        &["about", "Ana", "--json"],
        &["why", "Ana", "nickname", "--json"],
    ] {
        let ran = dir.run(args).ok();
        assert!(!ran.out.contains('\u{1b}') && ran.out.contains("boo"), "{args:?}: {:?}", ran.out);
    }
    assert!(!dir.run(&["about", "\u{1b}[2J"]).err.contains('\u{1b}'));
}

#[test]
fn a_misspelt_name_is_answered_with_those_that_are_near() {
    let dir = Dir::with(CLAIM);
    dir.run(&["value", "Anna", "lives in"]).exits(3).complains(&["next: did you mean Ana?"]);
    dir.run(&["value", "Ana", "livs in"]).exits(3).complains(&["did you mean", "lives_in"]);
    dir.run(&["value", "Ana", "employr"]).exits(3).complains(&["did you mean employer?"]);
    dir.run(&["about", "Ana", "--tenant", "defualt"]).exits(3).complains(&["did you mean default?"]);
    for (args, near) in
        [(&["value", "Ana", "employr"][..], true), (&["about", "Ana", "--tenant", "defualt"], true), (&["about", "Zebedee"], false)]
    {
        let ran = dir.run(&[args, &["--json"]].concat());
        let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
        assert_eq!(error["error"]["next"].as_str().unwrap().contains("did you mean"), near, "{args:?} {error}");
    }
}

#[test]
fn wrong_usage_is_an_object_for_programs() {
    let dir = Dir::with(CLAIM);
    for (args, named) in [
        (&["value", "Ana", "--json"][..], "<RELATION>"),
        (&["--json", "neighbours", "Ana", "--hops", "99"], "--hops"),
        (&["frobnicate", "--json"], "frobnicate"),
        (&["about", "Ana", "--at", "never", "--json"], "never"),
        (&["about", "Ana", "--zone", "Mars/Phobos", "--json"], "Mars/Phobos"),
    ] {
        let ran = dir.run(args);
        ran.exits(2);
        assert!(ran.out.is_empty() && ran.err.trim_end().lines().count() == 1, "{args:?}: {}{}", ran.out, ran.err);
        let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
        assert_eq!((&error["schema"], &error["error"]["kind"]), (&serde_json::json!(1), &serde_json::json!("invalid_input")), "{args:?}");
        assert!(error["error"]["message"].as_str().unwrap().contains(named), "{args:?}: {error}");
        assert!(!error["error"]["next"].as_str().unwrap().is_empty(), "{args:?}: {error}");
    }
    // After `--` it is a name.
    assert!(dir.run(&["value", "--", "--json"]).err.starts_with("error: "));
    dir.run(&["about", "Ana", "--zone", "Mars/Phobos"]).exits(2).complains(&["--zone", "next: name a zone"]);
}

#[test]
fn a_key_that_several_observations_have_lists_them() {
    let line = |tail: &str| {
        format!(
            "{{\"observation\":\"note\",\"observed_at\":\"2024-01-01\",\"head\":\"Ana\",\"relation\":\"speaks\",\"tail\":\"{tail}\",\"from\":\"2015\"}}\n"
        )
    };
    let dir = Dir::with(&line("Danish"));
    dir.file("again.jsonl", line("Polish"));
    dir.run(&["remember", "again.jsonl"]).ok();
    let ids: Vec<String> = dir.json(&["value", "Ana", "speaks"])["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| fact["id"].as_str().unwrap().split('.').next().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 2);
    dir.run(&["retract", "note", "--because", "x"]).exits(2).complains(&["\"note\" fits 2 ids", &ids[0], &ids[1]]);
}
