//! The two times: when something was true, and when it came to be believed. A correction, a retraction and an erasure under a clock
//! that is set by hand.
//!
//! Run it with `cargo run --example two_times`.

use erstwhile::ledger::Retractable;
use erstwhile::memory::{EraseTarget, ManualClock};
use erstwhile::observe::{ReadOptions, Reader};
use erstwhile::time::{Zone, parse_moment};
use erstwhile::{AsOf, Instant, KnownAt, Memory, MemoryOptions, Tenant, TenantId, Term};
use std::sync::Arc;

fn remember(tenant: &Tenant, line: &str) -> Result<erstwhile::model::ObservationId, Box<dyn std::error::Error>> {
    let read = Reader::new(line.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
    let receipt = tenant.remember(read.into_iter().flatten().collect())?;
    Ok(receipt.ids.first().copied().ok_or("the line was not taken")?)
}

/// What Kai's title was in mid-2020, as it was known at some instant.
fn title(tenant: &Tenant, known_at: KnownAt) -> Result<String, Box<dyn std::error::Error>> {
    let as_of = AsOf { valid_at: parse_moment("2020-06", &Zone::UTC)?, known_at };
    let answer = tenant.at(as_of)?.values(&Term::Name("Kai".to_owned()), "job_title")?;
    let tails: Vec<String> = answer.facts.iter().map(|held| held.fact.tail.to_string()).collect();
    Ok(if tails.is_empty() { format!("nothing ({} left out)", answer.suppressed) } else { tails.join(" or ") })
}

#[expect(clippy::print_stdout, reason = "an example shows what it got")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let day = |text: &str| Instant::parse(&format!("{text}T12:00:00Z"));
    let folder = tempfile::tempdir()?;
    let clock = Arc::new(ManualClock::new(day("2026-01-01")?));
    let options = MemoryOptions { clock: Arc::<ManualClock>::clone(&clock), ..MemoryOptions::default() };
    let tenant = Memory::open_with(folder.path(), options)?.tenant(&TenantId::new("kai")?);

    remember(&tenant, r#"{"observed_at": "2026-01-01T09:00:00Z", "head": "Kai", "relation": "job_title", "tail": "VP", "from": "2020"}"#)?;
    clock.set(day("2026-01-05")?);
    let correction = remember(
        &tenant,
        r#"{"observed_at": "2026-01-05T09:00:00Z", "head": "Kai", "relation": "job_title", "tail": "VP", "from": "2021", "corrects": {"tail": "VP"}}"#,
    )?;
    println!("Kai's title in June 2020:");
    println!("  as known on 3 January: {}", title(&tenant, KnownAt::At(day("2026-01-03")?))?);
    println!("  as known on 6 January: {}", title(&tenant, KnownAt::At(day("2026-01-06")?))?);

    // The correction was wrong: retracted, it counts no more, and what was believed meanwhile can still be read.
    clock.set(day("2026-01-10")?);
    tenant.retract(Retractable::Observation(correction), "it was 2020 after all")?;
    println!("  once the correction is retracted: {}", title(&tenant, KnownAt::Latest)?);
    println!("  still, as known on 6 January: {}", title(&tenant, KnownAt::At(day("2026-01-06")?))?);

    // Erased, it is as if it had never been, at any point of either time.
    tenant.erase(&EraseTarget::Observation(correction))?;
    println!("  and once it is erased, as known on 6 January: {}", title(&tenant, KnownAt::At(day("2026-01-06")?))?);
    Ok(())
}
