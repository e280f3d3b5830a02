//! How long it takes to say which of a million entities a mention means, and what the index costs.
//!
//! `cargo bench --bench resolve`, or with a number of entities behind `--`. Names are made up by a fixed rule: given names and family
//! names as uneven as in life (few of them very common), some with initials, middle names or titles, one in ten an organization. The
//! mentions are made from them: as they are, with a title, family name first, by initial, misspelt, of one name alone, and new ones.

use erstwhile::resolve::{Directory, Mention, Options, Resolution, resolve};
use std::hint::black_box;
use std::time::Instant;

/// A small generator of the xorshift kind: the same names in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or(0) % most.max(1)
    }

    /// Below `most`, small numbers far more often: as uneven as names are.
    fn uneven(&mut self, most: usize) -> usize {
        let (one, two, three) = (self.below(most), self.below(most), self.below(most));
        let product = (one as u128) * (two as u128) * (three as u128);
        usize::try_from(product / (most as u128 * most as u128).max(1)).unwrap_or(0)
    }
}

const GIVEN: &str = "james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph jessica thomas \
    karen charles sarah daniel lisa matthew nancy anthony betty mark sandra donald emily steven kimberly andrew donna paul carol joshua \
    michelle kenneth amanda kevin melissa brian deborah timothy stephanie ronald rebecca jason laura george sharon edward cynthia";
const STARTS: [&str; 40] = [
    "al", "an", "ar", "bel", "ber", "bra", "cal", "car", "chen", "dar", "del", "dor", "el", "fal", "fer", "gar", "gol", "har", "hol",
    "jen", "kal", "kor", "lar", "lim", "mal", "mor", "nor", "ok", "or", "pal", "per", "ran", "ros", "sal", "sor", "tan", "tor", "val",
    "vis", "wal",
];
const MIDDLES: [&str; 24] = [
    "a", "be", "da", "de", "e", "fi", "go", "i", "ka", "ke", "li", "lo", "ma", "mi", "na", "ne", "o", "ra", "ri", "sa", "ta", "ti", "u",
    "vi",
];
const ENDS: [&str; 32] = [
    "berg", "by", "cott", "den", "din", "feld", "ford", "gard", "ham", "hart", "kin", "ko", "land", "ley", "lin", "man", "mann", "mond",
    "ner", "nov", "rell", "rick", "ro", "sen", "ski", "son", "stein", "ton", "vale", "ver", "well", "wood",
];

fn pick<'a>(list: &[&'a str], at: usize) -> &'a str {
    list.get(at).copied().unwrap_or_default()
}

/// One of some 30,000 words.
fn word(numbers: &mut Numbers) -> String {
    let at = numbers.uneven(STARTS.len() * MIDDLES.len() * ENDS.len());
    let (start, rest) = (at % STARTS.len(), at / STARTS.len());
    capital(&format!("{}{}{}", pick(&STARTS, start), pick(&MIDDLES, rest % MIDDLES.len()), pick(&ENDS, rest / MIDDLES.len())))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Given names: some fifty known ones, common, and many that nobody knows.
fn given(numbers: &mut Numbers, known: &[&str]) -> String {
    if numbers.below(4) == 0 { word(numbers) } else { capital(pick(known, numbers.uneven(known.len()))) }
}

fn name(numbers: &mut Numbers, known: &[&str]) -> String {
    let (first, last) = (given(numbers, known), word(numbers));
    match numbers.below(20) {
        0 | 1 => format!("{last} {} Ltd", word(numbers)),
        2..=5 => format!("{first} {}. {last}", capital(pick(&STARTS, numbers.below(STARTS.len())).get(..1).unwrap_or("a"))),
        6..=8 => format!("{first} {} {last}", given(numbers, known)),
        9 => format!("Dr {first} {last}"),
        10 => format!("{last} {}", numbers.below(5_000)),
        _ => format!("{first} {last}"),
    }
}

/// A mention made from a name.
fn mention(name: &str, kind: usize, numbers: &mut Numbers, known: &[&str]) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let (first, last) = (words.first().copied().unwrap_or_default(), words.last().copied().unwrap_or_default());
    match kind {
        0 => name.to_uppercase(),
        1 => format!("Prof. {name}"),
        2 => format!("{last}, {first}"),
        3 => format!("{}. {last}", first.get(..1).unwrap_or("a")),
        4 => {
            let mut letters: Vec<char> = name.chars().collect();
            let at = letters.len().saturating_sub(4);
            if at > 0 {
                letters.swap(at, at + 1);
            }
            letters.into_iter().collect()
        }
        5 => last.to_owned(),
        6 => format!("Mr {last}"),
        _ => format!("{} {}{}", given(numbers, known), word(numbers), pick(&MIDDLES, numbers.below(MIDDLES.len()))),
    }
}

const KINDS: [&str; 8] = ["as it is", "with a title", "family first", "initial", "misspelt", "one name", "title, one", "new"];

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench tells the time, and tells it to a person")]
fn main() {
    let count = std::env::args().find_map(|argument| argument.parse::<usize>().ok()).unwrap_or(1_000_000);
    let known: Vec<&str> = GIVEN.split_whitespace().collect();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut directory = Directory::new();
    let mut names: Vec<String> = Vec::new();
    let start = Instant::now();
    while directory.len() < count {
        let name = name(&mut numbers, &known);
        let before = directory.len();
        directory.add(&name, &[]);
        if directory.len() > before && before.is_multiple_of((count / 2_000).max(1)) {
            names.push(name);
        }
    }
    println!("{} entities in {:.1} s", directory.len(), start.elapsed().as_secs_f64());
    let options = Options::default();
    println!("{:<14} {:>9} {:>9} {:>9}  {:>6} {:>6} {:>6}", "mention", "p50 µs", "p95 µs", "max µs", "known", "several", "new");
    let mut all = Vec::new();
    for (kind, title) in KINDS.iter().enumerate() {
        let mentions: Vec<String> = names.iter().map(|name| mention(name, kind, &mut numbers, &known)).collect();
        let mut times = Vec::with_capacity(mentions.len());
        let mut outcomes = [0_usize; 3];
        for mention in &mentions {
            let start = Instant::now();
            let found = black_box(resolve(Mention::new(mention), &directory, &options));
            times.push(start.elapsed().as_secs_f64() * 1e6);
            let place = match found {
                Resolution::Known(_) => 0,
                Resolution::Candidates(_) => 1,
                Resolution::New => 2,
            };
            if let Some(outcome) = outcomes.get_mut(place) {
                *outcome += 1;
            }
        }
        all.extend_from_slice(&times);
        report(title, &mut times, outcomes);
    }
    report("all", &mut all, [0; 3]);
}

#[expect(clippy::print_stdout, reason = "it tells a person")]
fn report(title: &str, times: &mut [f64], [known, several, new]: [usize; 3]) {
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times.get(times.len() * percent / 100).or(times.last()).copied().unwrap_or_default();
    println!("{title:<14} {:>9.1} {:>9.1} {:>9.1}  {known:>6} {several:>6} {new:>6}", at(50), at(95), at(100));
}
