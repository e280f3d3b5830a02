//! `patterns`: a tenant's own wording of relations, in each language.

use crate::harness::Dir;
use serde_json::json;

const ENGLISH: &str = "[lives_in]\nverbs = [\"hang hat in T\"]\n";
const JAPANESE: &str = "[lives_in]\nsay = [\"tailに 巣を 構える\"]\n";

/// The values that a text gives a relation.
fn read(dir: &Dir, text: &str, relation: &str) -> Vec<String> {
    let read = dir.run(&["extract", text, "--speaker", "Ana", "--json"]).json();
    let claims = read["claims"].as_array().unwrap().iter().filter(|claim| claim["relation"] == relation);
    claims.map(|claim| claim["tail"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn packs_of_each_language_are_laid_over_the_shipped_ones_and_taken_back() {
    let dir = Dir::new();
    let (english, japanese) = ("I hang my hat in Turin.", "小樽に巣を構えています。");
    assert_eq!((read(&dir, english, "lives_in"), read(&dir, japanese, "lives_in")), (vec![], vec![]));
    dir.file("en.toml", ENGLISH);
    dir.file("ja.toml", JAPANESE);
    dir.run(&["patterns", "show", "--lang", "ja"]).exits(3).complains(&["default"]);
    for language in ["en", "ja"] {
        let file = format!("{language}.toml");
        assert_eq!(dir.json(&["patterns", "set", &file, "--lang", language])["changed"], json!(true));
        assert_eq!(dir.json(&["patterns", "set", &file, "--lang", language])["changed"], json!(false), "it is set already");
    }
    assert_eq!(dir.run(&["patterns", "show", "--lang", "ja"]).ok().out, JAPANESE);
    assert_eq!(dir.json(&["patterns", "show", "--lang", "en"])["toml"], json!(ENGLISH));
    assert_eq!((read(&dir, english, "lives_in"), read(&dir, japanese, "lives_in")), (vec!["Turin".to_owned()], vec!["小樽".to_owned()]));
    assert_eq!(read(&dir, "函館に住んでいます。", "lives_in"), ["函館"], "the shipped ones stay");
    dir.run(&["patterns", "unset", "--lang", "ja"]).ok().says(&["shipped patterns alone"]);
    assert_eq!((read(&dir, english, "lives_in"), read(&dir, japanese, "lives_in")), (vec!["Turin".to_owned()], vec![]));
    dir.run(&["patterns", "show", "--lang", "ja"]).ok().says(&["no patterns of its own"]);
}

#[test]
fn a_pack_that_cannot_be_read_is_refused_with_the_relation_and_the_pattern() {
    let dir = Dir::new();
    dir.file("frame.toml", "[lives_in]\nsay = [\"tailヌ 住む\"]\n");
    dir.run(&["patterns", "set", "frame.toml", "--lang", "ja"]).exits(2).complains(&["patterns-ja", "lives_in", "tailヌ 住む"]);
    dir.file("class.toml", "[employer]\nsay = [\"tail:frimで 働く\"]\n");
    dir.run(&["patterns", "set", "class.toml", "--lang", "ja"]).exits(2).complains(&[
        "patterns-ja",
        "employer",
        "tail:frimで 働く",
        "frim",
    ]);
    dir.file("list.toml", "[lives_in]\nverb = [\"nest in T\"]\n");
    dir.run(&["patterns", "set", "list.toml", "--lang", "en"]).exits(2).complains(&["patterns-en", "lives_in", "verb"]);
    dir.run(&["patterns", "show", "--lang", "ja"]).exits(3).complains(&["default"]);
    dir.run(&["patterns", "show", "--lang", "tlh"]).exits(2).complains(&["tlh", "en", "ja"]);
}

#[test]
fn a_text_without_a_claim_is_an_answer_and_may_come_in_several_words() {
    let dir = Dir::new();
    dir.run(&["extract", "Hello."]).ok();
    assert_eq!(read(&dir, "I live in Turin.", "lives_in"), ["Turin"]);
    let read = dir.run(&["extract", "--speaker", "Ana", "--json", "I", "live", "in", "Turin."]).json();
    assert_eq!(read["claims"][0]["tail"], json!("Turin"));
}

#[test]
fn a_dry_run_tells_what_is_recorded_already() {
    let dir = Dir::new();
    dir.file("one.jsonl", "{\"role\": \"user\", \"speaker\": \"Ana\", \"text\": \"I live in Turin.\", \"observed_at\": \"2024-01-01\"}\n");
    let dry = |dir: &Dir| dir.run(&["remember", "one.jsonl", "--dry-run", "--json"]).json()["recorded_already"].clone();
    assert_eq!(dry(&dir), json!(false));
    dir.run(&["remember", "one.jsonl"]).ok();
    assert_eq!(dry(&dir), json!(true));
    dir.run(&["remember", "one.jsonl", "--dry-run"]).ok().says(&["recorded already"]);
}
