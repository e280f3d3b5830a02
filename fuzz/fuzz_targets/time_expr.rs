//! Any text at any reference is read without a panic, and its mentions stand in order and apart.
#![no_main]

use erstwhile::time::expr::{Context, Language, Prefer, describe_in, find, parse_one};
use erstwhile::time::{Instant, Zone};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (i64, i16, u8, &str)| {
    let (reference, offset, prefer, text) = input;
    let zone = Zone::fixed(offset % 1080).unwrap_or(Zone::UTC);
    let prefer = [Prefer::Past, Prefer::Future, Prefer::Closest, Prefer::Tense][usize::from(prefer % 4)];
    let context = Context::new(Instant::from_micros(reference), zone).preferring(prefer);
    let mut end = 0;
    for mention in find(text, &context) {
        assert!(mention.bytes.start >= end && mention.bytes.end <= text.len(), "{mention:?}");
        end = mention.bytes.end;
        for language in Language::ALL {
            let _words = describe_in(&mention.value, language, &zone);
        }
    }
    let _read = parse_one(text, &context);
});
