//! Commands that change something: judging, erasing, relations, export and import.

use crate::harness::Dir;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;

const CLAIMS: &str = r#"{"observation":"lund","observed_at":"2020-02-01","source":"user","text":"Uma moved to Lund. ZX-CANARY-1.","head":"Uma","relation":"lives in","tail":"Lund","from":"2020"}
{"observation":"graz","observed_at":"2023-02-01","source":"user","text":"Uma lives in Graz. ZX-CANARY-2.","head":"Uma","relation":"lives in","tail":"Graz","from":"2023"}
"#;

fn bytes_hold(folder: &Path, needle: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            bytes_hold(&path, needle)
        } else {
            fs::read(&path).unwrap().windows(needle.len()).any(|window| window == needle.as_bytes())
        }
    })
}

#[test]
fn retracting_the_closer_opens_what_it_closed_and_history_keeps_it() {
    let dir = Dir::with(CLAIMS);
    assert_eq!(dir.json(&["value", "Uma", "lives in"])["facts"][0]["tail"], "Graz");
    let id = dir.json(&["value", "Uma", "lives in"])["facts"][0]["id"].as_str().unwrap().to_owned();
    let done = dir.json(&["retract", "graz", "--because", "it was a visit"]);
    assert_eq!(done["facts"]["reopened"], 1);
    // Who took it back, and why, is told where one looks for it.
    let why = dir.run(&["why", &id]).ok();
    why.says(&["supports no fact", "retracted ", "with its whole observation: it was a visit", "to believe it again: erstwhile restore "]);
    let why = dir.json(&["why", &id]);
    assert_eq!((&why["fact"], &why["told"][0]["because"]), (&json!(null), &json!("it was a visit")));
    assert_eq!((&why["told"][0]["believed"], &why["told"][0]["whole"]), (&json!(false), &json!(true)));
    assert_eq!(dir.json(&["value", "Uma", "lives in"])["facts"][0]["tail"], "Lund");
    let stats = dir.json(&["stats"]);
    assert_eq!((&stats["claims"], &stats["retracted"]), (&json!(2), &json!(1)));
    dir.run(&["restore", "graz", "--because", "no, she did move"]).ok();
    assert_ne!(dir.json(&["why", &id])["fact"], json!(null), "it supports one again");
    assert_eq!(dir.json(&["value", "Uma", "lives in"])["facts"][0]["tail"], "Graz");
}

#[test]
fn erasing_says_what_went_and_leaves_no_byte() {
    let dir = Dir::with(CLAIMS);
    let memory = dir.path().join("erstwhile-memory");
    fs::remove_file(dir.path().join("claims.jsonl")).unwrap();
    assert!(bytes_hold(&memory, "ZX-CANARY-2"));
    dir.run(&["erase", "observation", "graz"]).exits(2).complains(&["nothing was erased", "--yes"]);
    assert!(bytes_hold(&memory, "ZX-CANARY-2"), "nobody agreed");
    dir.run(&["erase", "observation", "graz", "--yes"]).ok().says(&["erased observation", "1 observation", "1 claim", "1 fact open again"]);
    assert!(!bytes_hold(&memory, "ZX-CANARY-2"));
    assert!(!bytes_hold(&memory, "Graz"));
    let lund = dir.json(&["value", "Uma", "lives in"]);
    assert_eq!((&lund["facts"][0]["tail"], &lund["suppressed"]), (&json!("Lund"), &json!(0)));

    let erased = dir.json(&["erase", "entity", "Uma", "--yes"]);
    assert_eq!((&erased["erased"]["observations"], &erased["erased"]["claims"]), (&json!(1), &json!(1)));
    assert!(!bytes_hold(&memory, "ZX-CANARY-1") && !bytes_hold(&memory, "Uma"));
    dir.run(&["about", "Uma"]).exits(3).complains(&["Uma"]);
}

#[test]
fn erase_takes_a_lone_target_where_it_can_only_be_one_thing() {
    let dir = Dir::with(CLAIMS);
    dir.run(&["erase", "lund", "--yes"]).exits(2).complains(&["both an observation and an entity", "erase observation"]);
    dir.run(&["erase", "graz", "--yes"]).exits(2);
    dir.run(&["erase", "nobody", "--yes"]).exits(3).complains(&["nobody"]);
    dir.run(&["erase", "Uma", "--yes"]).ok().says(&["erased entity Uma: 2 observations"]);
    dir.run(&["erase", "planet", "Uma", "--yes"]).exits(2).complains(&["planet"]);
}

#[test]
fn erasing_a_tenant_takes_its_files_and_no_others() {
    let dir = Dir::with(CLAIMS);
    dir.run(&["remember", "claims.jsonl", "--tenant", "other"]).ok();
    dir.run(&["erase", "tenant", "other", "--yes"]).ok().says(&["erased tenant other: 2 observations, 2 claims", "files"]);
    assert_eq!(dir.json(&["tenants"])["tenants"], json!(["default"]));
    dir.run(&["erase", "tenant", "other", "--yes"]).exits(3).complains(&["other"]);
}

#[test]
fn relations_are_listed_shown_set_and_unset() {
    let dir = Dir::with(
        r#"{"observed_at":"2020-01-01","head":"Odd","relation":"frobs","tail":"A","from":"2019"}
{"observed_at":"2020-01-01","head":"Odd","relation":"frobs","tail":"B","from":"2020"}
"#,
    );
    dir.run(&["relations", "list"]).ok().says(&["employer", "one", "frobs", "undeclared"]);
    dir.run(&["relations", "show", "works for"]).ok().says(&["employer", "cardinality = \"one\""]);
    assert_eq!(dir.json(&["relations", "show", "employer"])["policy"]["cardinality"], "one");
    assert_eq!(dir.json(&["value", "Odd", "frobs", "--at", "2024"])["facts"].as_array().unwrap().len(), 2);
    dir.run(&["relations", "set", "frobs", "cardinality=one"]).ok().says(&["1 fact closed"]);
    assert_eq!(dir.json(&["value", "Odd", "frobs", "--at", "2024"])["facts"].as_array().unwrap().len(), 1);
    // A second override keeps the first.
    dir.run(&["relations", "set", "frobs", "description=turns knobs"]).ok();
    let shown = dir.json(&["relations", "show", "frobs"]);
    assert_eq!(
        (&shown["policy"]["cardinality"], &shown["policy"]["description"], &shown["declared"]),
        (&json!("one"), &json!("turns knobs"), &json!(true))
    );
    assert_eq!(dir.json(&["relations", "list", "--unknown"])["relations"], json!([]));
    dir.run(&["relations", "unset", "frobs"]).ok().says(&["1 fact open again"]);
    dir.run(&["relations", "set", "frobs", "cardinality=seven"]).exits(2).complains(&["frobs", "cardinality", "seven"]);
    dir.run(&["relations", "set", "frobs", "colour=red"]).exits(2).complains(&["colour"]);
    dir.run(&["relations", "set", "frobs", "cardinality"]).exits(2).complains(&["KEY=VALUE"]);
}

#[test]
fn an_export_goes_into_an_empty_tenant_and_comes_out_the_same() {
    let dir = Dir::with(CLAIMS);
    dir.run(&["retract", "graz", "--because", "a visit"]).ok();
    dir.run(&["export", "all.jsonl"]).ok().says(&["exported", "all.jsonl"]);
    let piped = dir.run(&["export"]).ok().out;
    assert_eq!(piped, dir.read("all.jsonl"));
    dir.run(&["import", "all.jsonl", "--tenant", "copy"]).ok().says(&["imported", "copy"]);
    let copy = dir.run(&["export", "--tenant", "copy"]).ok().out;
    assert_eq!(copy.replacen(r#""tenant":"copy""#, r#""tenant":"default""#, 1), piped, "lossless, both times");
    dir.run_with(&piped, &["import", "--tenant", "third"]).exits(0);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(piped.as_bytes()).unwrap();
    dir.file("all.jsonl.gz", packed.finish().unwrap());
    dir.run(&["import", "all.jsonl.gz", "--tenant", "fourth"]).ok().says(&["imported", "fourth"]);
    dir.run(&["verify", "--tenant", "copy"]).ok();
    dir.run_with(format!("\u{feff}{piped}"), &["import", "--tenant", "marked"]).exits(0);
    dir.run(&["import", "all.jsonl"]).exits(2).complains(&["default", "not empty"]);
}

#[test]
fn an_export_replaces_nothing_unasked_and_never_the_memory() {
    let dir = Dir::with(CLAIMS);
    let ledger = "erstwhile-memory/tenants/default.sqlite";
    for inside in [ledger, "erstwhile-memory/all.jsonl", "erstwhile-memory/../erstwhile-memory/tenants/x"] {
        dir.run(&["export", inside, "--force"]).exits(2).complains(&[inside, "folder of the memory"]);
    }
    assert_eq!(dir.json(&["stats"])["observations"], 2, "the memory is whole");
    assert_eq!(fs::read_dir(dir.path().join("erstwhile-memory")).unwrap().count(), 1, "nothing was put into it");

    dir.file("mine.txt", "precious");
    dir.run(&["export", "mine.txt"]).exits(2).complains(&["mine.txt", "there already", "--force"]);
    assert_eq!(dir.read("mine.txt"), "precious");
    dir.run(&["export", "mine.txt", "--force"]).ok().says(&["mine.txt"]);
    assert_eq!(dir.read("mine.txt"), dir.run(&["export"]).ok().out);
    dir.run(&["export", "erstwhile-memory/../."]).exits(2).complains(&["folder"]);
    dir.run(&["export", "nowhere/all.jsonl"]).exits(3).complains(&["nowhere/all.jsonl"]);
    dir.run(&["export", "fresh.jsonl", "--tenant", "nobody"]).exits(3);
    assert!(!dir.path().join("fresh.jsonl").exists(), "a failed export leaves no file");
}

#[cfg(unix)]
#[test]
fn an_export_follows_links_and_writes_through_pipes_and_devices() {
    let dir = Dir::with(CLAIMS);
    let expected = dir.run(&["export"]).ok().out;
    let at = |name: &str| dir.path().join(name);
    let is = |name: &str, what: fn(&fs::FileType) -> bool| what(&fs::symlink_metadata(at(name)).unwrap().file_type());
    dir.file("real.jsonl", "old");
    std::os::unix::fs::symlink("real.jsonl", at("link.jsonl")).unwrap();
    dir.run(&["export", "link.jsonl"]).exits(2).complains(&["link.jsonl", "--force"]);
    dir.run(&["export", "link.jsonl", "--force"]).ok();
    assert!(is("link.jsonl", fs::FileType::is_symlink), "the link stays");
    assert_eq!(dir.read("real.jsonl"), expected, "what it leads to is written");
    std::os::unix::fs::symlink("erstwhile-memory/tenants/default.sqlite", at("trap")).unwrap();
    dir.run(&["export", "trap", "--force"]).exits(2).complains(&["trap", "folder of the memory"]);
    std::os::unix::fs::symlink("gone", at("dangling")).unwrap();
    dir.run(&["export", "dangling"]).exits(3).complains(&["dangling", "link to nothing"]);

    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let reader = {
        let pipe = at("pipe");
        std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    dir.run(&["export", "pipe"]).ok().says(&["exported", "pipe"]);
    assert_eq!(reader.join().unwrap(), expected, "the reader has it all");
    assert!(!is("pipe", fs::FileType::is_file), "the pipe is still one");
    assert_eq!(dir.run(&["export", "/dev/stdout"]).ok().out, expected);

    // Only the administrator may make a device; this is a copy of the one that is always full.
    let made = Command::new("mknod").arg(at("full")).args(["c", "1", "7"]).output().unwrap();
    if !made.status.success() || fs::OpenOptions::new().append(true).open(at("full")).is_err() {
        println!("skipped in part: no device can be made here");
        return;
    }
    dir.run(&["export", "full"]).exits(5).complains(&["full"]);
    assert!(!is("full", fs::FileType::is_file), "the device is still one");
}

#[test]
fn erasing_an_entity_shows_first_what_it_would_take() {
    let dir = Dir::with(
        r#"{"observation":"one","observed_at":"2024-01-01","text":"An old friend came by.","head":"Bo","relation":"lives in","tail":"Rome","from":"2019"}
{"observation":"two","observed_at":"2024-01-01","head":"An","relation":"likes","tail":"tea","from":"2019"}
{"observation":"three","observed_at":"2024-01-01","head":"Bo","relation":"knows","tail":"An Old","from":"2019"}
"#,
    );
    dir.run(&["retract", "three", "--because", "an told me so"]).ok();
    dir.run(&["relations", "set", "likes", "description=what An likes"]).ok();
    let told = dir.run(&["erase", "entity", "An"]);
    told.exits(2).complains(&["nothing was erased", "--yes"]).says(&[
        "An is named by 2 observations",
        "An old friend came by.",
        "the reason of 1 retraction",
        "overrides of likes",
        "not erased: 'An Old'",
    ]);
    assert_eq!(dir.json(&["stats"])["observations"], 3, "nothing is gone");
    let done = dir.json(&["erase", "entity", "An", "--yes"]);
    assert_eq!((&done["erased"]["observations"], &done["erased"]["reasons"]), (&json!(2), &json!(1)));
    assert_eq!((&done["erased"]["overrides"], &done["erased"]["others"]), (&json!(["likes"]), &json!(["An Old"])));
    assert!(!dir.run(&["export"]).ok().out.contains("what An likes"), "its words are out of the override");
}

#[test]
fn a_reason_is_asked_for_and_an_id_that_says_enough() {
    let dir = Dir::with(CLAIMS);
    let long = "x".repeat(10_001);
    for reason in ["", "  ", &long] {
        dir.run(&["retract", "graz", "--because", reason]).exits(2).complains(&["--because"]);
    }
    let timeline = dir.json(&["timeline", "Uma", "lives in"]);
    let [id, other] = [0, 1].map(|fact| timeline["facts"][fact]["id"].as_str().unwrap().to_owned());
    // As many digits as tell the one observation from the other.
    let short = (1..4).map(|digits| &id[..digits]).find(|digits| !other.starts_with(digits)).unwrap();
    dir.run(&["erase", "observation", short, "--yes"]).exits(2).complains(&[short, "more digits"]);
    dir.run(&["retract", short, "--because", "x"]).exits(2).complains(&[short, "more digits"]);
    dir.run(&["retract", &format!("{short}.0"), "--because", "x"]).exits(3);
    dir.run(&["retract", &id[..8], "--because", "x"]).ok();
}

#[test]
fn nothing_makes_a_tenant_that_records_nothing_in_it() {
    let dir = Dir::new();
    let header = "{\"erstwhile_export\":1,\"tenant\":\"default\"}\n{\"seq\":1}\n";
    dir.run_with(header, &["import", "--tenant", "typo"]).exits(2).complains(&["line 2"]);
    dir.run(&["relations", "unset", "likes", "--tenant", "typo"]).exits(3).complains(&["typo"]);
    assert_eq!(dir.json(&["tenants"])["tenants"], json!([]));
    dir.run(&["stats", "--tenant", "typo"]).exits(3).complains(&["typo"]);
}

#[test]
fn a_damaged_row_is_a_damaged_file_and_verify_goes_on() {
    let dir = Dir::with(CLAIMS);
    let file = dir.path().join("erstwhile-memory/tenants/default.sqlite");
    rusqlite::Connection::open(&file).unwrap().execute_batch("UPDATE claims SET polarity = 9 WHERE seq = 2").unwrap();
    for args in [&["stats"][..], &["export"], &["timeline", "Uma"]] {
        dir.run(args).exits(6).complains(&["default.sqlite", "record 2", "next:"]);
    }
    dir.run(&["verify"]).exits(1).says(&["record 2"]);
    let erased = dir.json(&["erase", "tenant", "default", "--yes"]);
    assert_eq!((&erased["target"], &erased["erased"]["files"]), (&json!("tenant default"), &json!(true)));
    assert_eq!(dir.json(&["tenants"])["tenants"], json!([]));
}

#[cfg(unix)]
#[test]
fn a_tenant_behind_a_link_is_refused_and_nothing_is_said_to_be_erased() {
    let dir = Dir::with(CLAIMS);
    let file = dir.path().join("erstwhile-memory/tenants/default.sqlite");
    let real = dir.path().join("real.db");
    fs::rename(&file, &real).unwrap();
    std::os::unix::fs::symlink(&real, &file).unwrap();
    for args in [&["erase", "tenant", "default", "--yes"][..], &["erase", "observation", "graz", "--yes"], &["stats"]] {
        let ran = dir.run(args);
        ran.exits(6).complains(&["default.sqlite", "is a link to", "next:"]);
        assert!(ran.out.is_empty(), "{}", ran.out);
    }
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink(), "the link is there");
    assert!(bytes_hold(dir.path(), "ZX-CANARY-2"), "and so is what it leads to");
}

/// The names of a relation's field that is a list.
fn listed(dir: &Dir, relation: &str, field: &str) -> serde_json::Value {
    dir.json(&["relations", "show", relation])["policy"][field].clone()
}

#[test]
fn relations_of_the_tenants_own_name_each_other() {
    for (first, second) in [("adores", "abhors"), ("abhors", "adores")] {
        let dir = Dir::new();
        dir.run(&["relations", "set", first, "cardinality=many"]).ok();
        dir.run(&["relations", "set", second, &format!("excludes={first}")]).ok();
        dir.run(&["relations", "set", "likes", &format!("excludes=dislikes,{second}")]).ok();
        assert_eq!(listed(&dir, first, "excludes").as_array().unwrap().len(), 3, "the whole class");
        dir.run(&["relations", "set", "tutors", "cardinality=many"]).ok();
        dir.run(&["relations", "set", "tutored_by", "inverse_of=tutors", "cardinality=one"]).ok();
        assert_eq!(dir.json(&["relations", "show", "tutors"])["name"], "tutored_by");
        dir.run(&["verify"]).ok();
    }
    let dir = Dir::new();
    dir.run(&["relations", "set", "adores", "excludes=abhors"]).exits(2).complains(&["abhors", "declare it first"]);
    assert!(!dir.path().join("erstwhile-memory/tenants").join("default.sqlite").exists(), "nonsense makes no tenant");
}

#[test]
fn relations_of_a_file_are_declared_at_once() {
    let dir = Dir::with(
        r#"{"observed_at":"2024-01-01","head":"Ole","relation":"adores","tail":"Chess","from":"2019"}
{"observed_at":"2024-01-01","head":"Ole","relation":"abhors","tail":"Chess","from":"2022"}
"#,
    );
    assert_eq!(dir.json(&["about", "Ole", "--at", "2024"])["facts"].as_array().unwrap().len(), 2);
    dir.file("own.toml", "[relation.adores]\nexcludes = ['abhors']\n[relation.abhors]\nexcludes = ['adores']\n");
    dir.run(&["relations", "load", "own.toml"]).ok().says(&["2 relations are as the file says: abhors, adores", "1 fact closed"]);
    assert_eq!(dir.json(&["about", "Ole", "--at", "2024"])["facts"][0]["relation"], "abhors");
    dir.run_with("[relation.x]\ncardinality = 'two'\n", &["relations", "load", "-"]).exits(2).complains(&["\"x\"", "cardinality"]);
    dir.run_with("", &["relations", "load", "-"]).exits(2).complains(&["declares no relation"]);
    dir.run(&["relations", "load", "nowhere.toml"]).exits(3).complains(&["nowhere.toml"]);
    dir.run(&["verify"]).ok();
}

#[test]
fn a_wording_or_an_inverse_sets_the_relation_it_names() {
    let dir = Dir::with(
        r#"{"observed_at":"2020-05-01","head":"Pia","relation":"works at","tail":"Acme","from":"2019"}
{"observed_at":"2022-05-01","head":"Pia","relation":"employer","tail":"Globex","from":"2021"}
"#,
    );
    let current = || dir.json(&["value", "Pia", "employer", "--at", "2024"])["facts"].as_array().unwrap().len();
    assert_eq!(current(), 1);
    dir.run(&["relations", "set", "works at", "cardinality=many"])
        .ok()
        .says(&["works at is a wording of employer; employer is now cardinality = \"many\"", "1 fact open again"]);
    assert_eq!((current(), listed(&dir, "employer", "cardinality")), (2, json!("many")));
    assert_eq!(dir.json(&["relations", "set", "works at", "resumes=true"])["relation"], "employer");
    dir.run(&["relations", "unset", "Works At"]).ok().says(&["employer is as declared again", "1 fact closed"]);
    assert_eq!(current(), 1);
    dir.run(&["relations", "set", "manages", "cardinality=one"]).ok().says(&["manages is reports_to from tail to head; manages is now"]);
    assert_eq!(listed(&dir, "reports_to", "inverse_cardinality"), json!("one"));
}

#[test]
fn a_wording_belongs_to_one_relation() {
    let dir = Dir::new();
    dir.run(&["relations", "set", "tends", "aliases.en=looks after", "ttl=40d"])
        .ok()
        .says(&["tends is now aliases.en = [\"looks after\"], ttl = \"40d\"\n"]);
    dir.run(&["relations", "set", "minds", "aliases.en=Looks After"]).exits(2).complains(&[
        "\"minds\"",
        "looks_after",
        "\"tends\" already",
    ]);
    dir.run(&["relations", "set", "minds", "aliases.en=employer"]).exits(2).complains(&["\"minds\"", "\"employer\" is the name"]);
}

#[test]
fn taking_away_what_is_not_there_says_so() {
    let dir = Dir::new();
    dir.run(&["relations", "unset", "employer"]).exits(3).complains(&["default"]);
    assert!(!dir.path().join("erstwhile-memory").exists(), "asking makes nothing");
    dir.run(&["relations", "set", "tends", "cardinality=one"]).ok();
    dir.run(&["relations", "unset", "frobs"]).exits(3).complains(&["frobs"]);
    dir.run(&["relations", "unset", "works at"]).ok().says(&["employer has no override here: nothing changed"]);
}
