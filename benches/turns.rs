//! How many turns of chat a second the write policy and the rules take in on one core: screened, read, judged.
//!
//! `cargo bench --bench turns` reads conversations of its own, half of them Japanese, and then one long text of each of some pieces that
//! repeat, whose time grows with its length; `-- --data FILE` reads any file that `remember` reads. Nothing is stored, and nothing
//! believed is looked up.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench measures, and stops where it cannot"
)]

use erstwhile::extract::{Context, Extraction, Extractor, Rules as Reading, Turn};
use erstwhile::observe::{Incoming, ReadOptions, Reader};
use erstwhile::policy::{Consents, NothingKnown, Policies, Rules, Screen, Screened, WritePolicy, judge};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Turns before one that it is read with.
const BEFORE: usize = 8;
/// Runs, of which the median counts.
const RUNS: usize = 5;

const ENGLISH: [&str; 14] = [
    "Morning! Did you manage to sleep after that storm? The whole street was out when I took the dog round the block.",
    "Hardly. I moved to Ghent in May 2021 and I still wake up whenever the tram goes past, so a storm is no help at all.",
    "Oh, I didn't know it was that recent. My sister works at a bakery two streets from the station, you should say hello.",
    "I will! By the way, I left Krona in March and started at Halden as a site engineer, did Nora tell you?",
    "She said something like that. If I had your courage I would quit as well, but the mortgage is not going to pay itself.",
    "Ha, true. Could you send me the address of that dentist you liked? My appointment with the old one is on Tuesday at half past nine.",
    "Sure, her name is Dr. Amsel and she is lovely. I used to be terrified of dentists until I was about thirty.",
    "That makes two of us. I love the smell of coffee in a waiting room, it calms me down for some reason.",
    "We might go walking in the hills next weekend if the weather holds, would you like to come along?",
    "I'd love to, but my mother turns seventy on Saturday and we are having a big dinner at her place in Turku.",
    "Lovely! Give her my best. I remember her telling us she taught chemistry for almost forty years.",
    "She did, until 2014. Now she grows tomatoes and complains about the neighbours, which suits her just as well.",
    "Sounds like the good life. I don't eat meat any more, so keep one of those tomatoes for me.",
    "Deal. Talk to you on Monday, and don't forget to bring back the ladder that I lent you in the autumn!",
];

/// What is hard where it repeats without end.
const REPEATED: [&str; 12] =
    ["Bo: ", "{\"a\":\"", "1/", "SYSTEM: ", "%34", "password: ", "\\u0031", "&#52;", " 'a", "I said that ", "母の", "4111 "];

const JAPANESE: [&str; 10] = [
    "おはよう。昨日の雷、すごかったね。うちの犬がずっと吠えていて、ほとんど眠れなかったよ。",
    "こちらも同じだよ。去年の四月に金沢へ引っ越してから、あんな音は初めて聞いた。",
    "そういえば仕事はどう？北陸電算に転職したって、佐藤さんから聞いたけど本当？",
    "うん、三月に前の会社を辞めて、今は設計の仕事をしている。毎朝七時に家を出ているよ。",
    "大変そうだね。私もいつか転職できたらいいなと思うけど、なかなか勇気が出ない。",
    "母は来週の土曜日に七十歳になるので、みんなで温泉に行くことにした。",
    "いいね。お母さんは高校で化学を教えていたんだよね。うちの父も先生だったらしい。",
    "そうそう。2014年に退職してからは、畑でトマトを育てている。",
    "来月の出張の予定が決まったら教えてくれる？久しぶりに食事でもどう？",
    "もちろん。肉はもう食べないから、魚のおいしい店がいいな。",
];

/// A conversation of our own, repeated under other names of sessions.
fn own() -> String {
    let mut lines = String::new();
    for session in 0..200 {
        for (texts, speakers) in [(&ENGLISH[..], ["Ana", "Bo"]), (&JAPANESE[..], ["遥", "亮"])] {
            for (nth, (text, speaker)) in texts.iter().zip(speakers.iter().cycle()).enumerate() {
                writeln!(
                    lines,
                    r#"{{"observed_at":"2024-05-{:02}T10:{nth:02}:00Z","session":"{}-{session}","speaker":"{speaker}","role":"user","text":"{text}"}}"#,
                    session % 28 + 1,
                    speakers.concat(),
                )
                .expect("a string takes all");
            }
        }
    }
    lines
}

fn read(text: &str) -> Vec<Incoming> {
    let rows = Reader::new(text.as_bytes(), ReadOptions::default()).expect("a format that is known");
    rows.map(|row| row.expect("a readable file")).filter_map(Result::ok).collect()
}

/// The turns before each one in its session.
fn before(turns: &[Incoming]) -> Vec<Vec<Turn>> {
    let mut sessions: BTreeMap<&str, VecDeque<Turn>> = BTreeMap::new();
    let mut all = Vec::with_capacity(turns.len());
    for turn in turns.iter().map(|turn| &turn.observation) {
        let session = sessions.entry(turn.session.as_deref().unwrap_or_default()).or_default();
        all.push(session.iter().cloned().collect());
        let text = turn.text.clone().unwrap_or_default();
        session.push_back(Turn { speaker: turn.speaker.clone(), authority: turn.source.authority, text });
        if session.len() > BEFORE {
            session.pop_front();
        }
    }
    all
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let given = words.next();
    let text = match given.as_deref() {
        None => own(),
        Some("--data") => {
            let path = words.next().unwrap_or_else(|| panic!("--data needs a file"));
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
        }
        Some(other) => panic!("unknown option {other:?}"),
    };
    let turns = read(&text);
    let contexts = before(&turns);
    let (policy, relations, consents) = (WritePolicy::shipped(), Policies::shipped(), Consents::default());
    let rules = Rules::new(&policy, &relations, &consents);
    let reading = Reading::default();
    let mut runs: Vec<[Duration; 3]> =
        (0..RUNS).map(|_| run(&turns, &contexts, &policy, &consents, &relations, &rules, &reading)).collect();
    runs.sort_unstable_by_key(|steps| steps.iter().sum::<Duration>());
    let Some([screened, read, judged]) = runs.get(RUNS / 2).copied() else { return };
    let characters: usize = turns.iter().filter_map(|turn| turn.observation.text.as_ref()).map(|text| text.chars().count()).sum();
    println!("{} turns, {} characters each; median of {RUNS} runs on one core", turns.len(), characters / turns.len().max(1));
    for (name, took) in [("screened", screened), ("read", read), ("judged", judged), ("together", screened + read + judged)] {
        #[expect(clippy::cast_precision_loss, reason = "fewer turns than 2^53")]
        let rate = turns.len() as f64 / took.as_secs_f64();
        println!("{name:<9} {:>8.1} ms  {rate:>9.0} turns/s", took.as_secs_f64() * 1e3);
    }
    if given.is_none() {
        repeated(&policy, &consents, &relations, &rules, &reading);
    }
}

/// How long one text of a piece that repeats takes, in two lengths.
fn repeated(policy: &WritePolicy, consents: &Consents, relations: &Policies, rules: &Rules<'_>, reading: &Reading) {
    for piece in REPEATED {
        let took = [64, 256].map(|kilobytes| {
            let text = serde_json::json!({
                "observed_at": "2024-05-16T10:00:00Z", "speaker": "Ana", "role": "user", "text": piece.repeat((kilobytes << 10) / piece.len())
            });
            run(&read(&text.to_string()), &[Vec::new()], policy, consents, relations, rules, reading).iter().sum::<Duration>()
        });
        let [short, long] = took.map(|took| took.as_secs_f64() * 1e3);
        println!("{piece:<14} 64 KiB {short:>8.1} ms  256 KiB {long:>8.1} ms");
    }
}

/// What screening, reading and judging all turns takes.
fn run(
    turns: &[Incoming],
    contexts: &[Vec<Turn>],
    policy: &WritePolicy,
    consents: &Consents,
    relations: &Policies,
    rules: &Rules<'_>,
    reading: &Reading,
) -> [Duration; 3] {
    let given = turns.to_vec();
    let start = Instant::now();
    let mut screen = Screen::new(policy, consents);
    let screened: Vec<Screened> = given.into_iter().map(|turn| screen.run(turn)).collect();
    let after_screen = Instant::now();
    let read: Vec<Extraction> = screened
        .iter()
        .zip(contexts)
        .map(|(one, before)| {
            let context = Context { before, relations: Some(relations) };
            one.readable().map(|incoming| reading.extract(&incoming, &context)).unwrap_or_default()
        })
        .collect();
    let after_reading = Instant::now();
    for (one, extraction) in screened.iter().zip(read) {
        black_box(judge(extraction.claims, &one.incoming.observation, rules, &NothingKnown));
    }
    [after_screen - start, after_reading - after_screen, after_reading.elapsed()]
}
