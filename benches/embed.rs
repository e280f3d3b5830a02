//! How long an embedder takes for a sentence of twenty words, alone and in a batch.
//!
//! `ERSTWHILE_MINILM=FOLDER cargo bench --features embed --bench embed`, or with another folder of a model behind `--`. The sentences are
//! made of common words by a fixed rule. Batches of 256 are computed by one thread and by two, side by side.

use erstwhile::text::{Embedder, SentenceModel, open_model};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

const WORDS: [&str; 40] = [
    "the", "river", "was", "quiet", "when", "we", "came", "home", "from", "market", "with", "bread", "and", "a", "letter", "that",
    "nobody", "had", "opened", "yet", "she", "said", "her", "brother", "would", "move", "to", "coast", "next", "spring", "because", "of",
    "work", "he", "found", "there", "in", "small", "office", "by",
];

/// A sentence of so many words, another one for each number.
fn sentence(number: usize, words: usize) -> String {
    let word = |at: usize| WORDS.get((number * 7 + at * (number % 11 + 3)) % WORDS.len()).copied().unwrap_or_default();
    let words: Vec<&str> = (0..words).map(word).collect();
    format!("{}.", words.join(" "))
}

#[expect(clippy::disallowed_methods, reason = "a bench tells the time")]
fn seconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[expect(clippy::print_stdout, reason = "a bench tells a person")]
fn main() {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let Some(folder) = given.or_else(|| std::env::var_os("ERSTWHILE_MINILM").map(PathBuf::from)) else {
        println!("skipped: $ERSTWHILE_MINILM names no folder with a model (tests/models/fetch_minilm.sh fetches one)");
        return;
    };
    let start = seconds(|| drop(black_box(open_model(&folder))));
    let model = match open_model(&folder) {
        Ok(model) => model,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    println!("{}, {} dimensions, opened in {:.0} ms", model.name(), model.dimensions(), start * 1e3);
    for words in [5, 20, 80, 160] {
        let alone = (0..40).map(|number| {
            let text = sentence(number, words);
            seconds(|| drop(black_box(model.embed(&[&text]))))
        });
        println!("one text of {words:>3} words: {:>8.3} ms", median(alone.collect()) * 1e3);
    }
    let texts: Vec<String> = (0..256).map(|number| sentence(number, 20)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let two = SentenceModel::open(&folder).map(|model| model.with_threads(2));
    let mut embedders: Vec<(&str, &dyn Embedder)> = vec![("as opened", &*model)];
    if let Ok(two) = &two {
        embedders.push(("two threads", two));
    }
    let mut times = vec![Vec::new(); embedders.len()];
    for _ in 0..5 {
        for ((_, embedder), times) in embedders.iter().zip(&mut times) {
            times.push(seconds(|| drop(black_box(embedder.embed(&texts)))));
        }
    }
    for ((title, _), times) in embedders.iter().zip(times) {
        println!("batches of 256 texts of 20 words, {title:<11}: {:>8.0} texts/s", 256.0 / median(times));
    }
}
