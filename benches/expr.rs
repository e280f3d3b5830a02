//! How fast expressions are read: megabytes a second of chat, of text that is all expressions, and of text made to be hard.
//!
//! `cargo bench --bench expr`; each text is at least one megabyte, and so linear growth shows as equal rates for both sizes.

use erstwhile::time::expr::{Context, find};
use erstwhile::time::{Instant, Zone};
use std::hint::black_box;

const CHAT: &str = "Hey, how have you been since we talked? I finally started the pottery class last Tuesday, and honestly it is harder than it looks. \
    My sister helped me with the kiln, and we might go again on Saturday if the weather holds. What about that trip you mentioned? \
    I remember you wanted to see the coast before the end of June, and the train leaves at 7:30 am. Let me know, no rush at all. ";

const TEXTS: [(&str, &str); 16] = [
    ("chat", CHAT),
    ("dates", "From 3 May 2019 to 7 June 2020, 12/24/2021 at 5 pm, two weeks before Christmas. "),
    ("japanese", "昨日の午後3時から会議があり、来週の月曜日までに資料を出すように言われた。去年の夏にも同じことがあった気がする。"),
    ("next", "next next next "),
    ("from", "from from "),
    ("monday", "Monday Monday "),
    ("digits", "1234567890"),
    ("numbers", "1 1 1 1 "),
    ("kanji", "二千十八"),
    ("months", "1月1月"),
    ("colons", "::::"),
    ("hyphens", "1-1-1-1-"),
    ("before", "two weeks before two weeks before "),
    ("slashes", "12/12/12/12/"),
    ("strokes", "1/1/1/1/1/1/"),
    ("cards", "4111 1111 1111 1111 "),
];

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench tells the time, and tells it to a person")]
fn main() {
    let Ok(reference) = Instant::parse("2024-05-16T10:00:00Z") else { return };
    let context = Context::new(reference, Zone::UTC);
    black_box(find(CHAT, &context));
    for (name, text) in TEXTS {
        for megabytes in [1, 2] {
            let text = text.repeat(megabytes * 1_000_000 / text.len() + 1);
            let start = std::time::Instant::now();
            let found = black_box(find(&text, &context)).len();
            let seconds = start.elapsed().as_secs_f64();
            #[expect(clippy::cast_precision_loss, reason = "a few megabytes")]
            let rate = text.len() as f64 / 1e6 / seconds;
            println!("{name:<10} {megabytes} MB  {found:>7} mentions  {rate:>6.2} MB/s");
        }
    }
}
