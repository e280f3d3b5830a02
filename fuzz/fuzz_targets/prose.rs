//! Any text of anybody after any other goes through screening, extraction and judgement without a panic, and its claims quote it.
#![no_main]

use erstwhile::Incoming;
use erstwhile::extract::{Context, Extractor, Rules, Turn};
use erstwhile::model::{Authority, ObservationKind, Source};
use erstwhile::policy::{Consents, NothingKnown, Policies, Rules as Bench, WritePolicy, judge, screen};
use erstwhile::time::ZonedInstant;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static RULES: LazyLock<Rules> = LazyLock::new(Rules::default);
static RELATIONS: LazyLock<Policies> = LazyLock::new(Policies::shipped);
static POLICY: LazyLock<WritePolicy> = LazyLock::new(WritePolicy::shipped);

fuzz_target!(|input: (u8, &str, &str)| {
    let (who, earlier, text) = input;
    let kind = [ObservationKind::Chat, ObservationKind::Document, ObservationKind::ToolResult][usize::from(who % 3)];
    let authority = [Authority::User, Authority::Assistant, Authority::Tool, Authority::Document][usize::from(who / 3 % 4)];
    let said = ZonedInstant::parse("2024-05-01T09:00:00+09:00").expect("an instant of this century");
    let source = Source { authority, name: Some("Ana".to_owned()) };
    let given = Incoming::from_text(kind, said, source, text);

    let consents = Consents::default();
    let screened = screen(given, &POLICY, &consents);
    let Some(readable) = screened.readable() else { return };
    let before = [Turn { speaker: Some("Ben".to_owned()), authority: Authority::Assistant, text: earlier.to_owned() }];
    let context = Context { before: &before, relations: Some(&*RELATIONS) };
    let extraction = RULES.extract(&readable, &context);

    let length = readable.observation.text.as_deref().unwrap_or_default().chars().count();
    for claim in &extraction.claims {
        let quote = claim.quote.expect("what is read from prose quotes it");
        assert!(quote.from < quote.to && quote.to as usize <= length, "{claim:?}");
        assert!((0.0..=1.0).contains(&claim.confidence), "{claim:?}");
        assert!((0.0..=1.0).contains(&claim.importance), "{claim:?}");
    }
    let bench = Bench::new(&POLICY, &RELATIONS, &consents);
    let claims = extraction.claims.len();
    let judged = judge(extraction.claims, &readable.observation, &bench, &NothingKnown);
    assert_eq!(judged.kept.len() + judged.refused.len(), claims, "every claim is kept or refused");
});
