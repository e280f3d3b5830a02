//! The shortest way from observations to answers: remember, ask at three points of valid time, and ask why.
//!
//! Run it with `cargo run --example quickstart`.

use erstwhile::memory::BulkOptions;
use erstwhile::observe::{ReadOptions, Reader};
use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
use erstwhile::{Memory, TenantId, Term};

const INPUT: &str = r#"
{"observed_at": "2015-09-01T09:00:00Z", "text": "I have moved to Oslo.", "head": "Bea", "relation": "lives_in", "tail": "Oslo", "from": "2015"}
{"observed_at": "2021-05-01T09:00:00Z", "text": "I am back in Oslo.", "head": "Bea", "relation": "lives_in", "tail": "Oslo", "from": "2021"}
{"observed_at": "2024-02-01T09:00:00Z", "text": "From 2018 to 2021 I was in Turin, by the way.", "head": "Bea", "relation": "lives_in", "tail": "Turin", "from": "2018"}
"#;

#[expect(clippy::print_stdout, reason = "an example shows what it got")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let memory = Memory::open(folder.path())?;
    let tenant = memory.tenant(&TenantId::new("bea")?);

    // What cannot be taken is counted and named, and keeps nothing else out.
    let input = Reader::new(INPUT.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
    let receipt = tenant.remember_all(input, BulkOptions::default())?;
    println!("{} observations, {} claims, {} lines not taken", receipt.observations, receipt.claims, receipt.rejected_count);

    let bea = Term::Name("Bea".to_owned());
    for year in ["2016", "2019", "2022"] {
        let as_of = AsOf { valid_at: parse_moment(year, &Zone::UTC)?, known_at: KnownAt::Latest };
        let answer = tenant.at(as_of)?.values(&bea, "lives_in")?;
        for held in &answer.facts {
            println!("in {year}: {} ({:?})", held.fact.tail, held.certainty);
        }
    }

    // The late observation split what had looked like one stay in Oslo. Why did the first one end?
    let first = tenant.at(tenant.now())?.timeline(&bea, Some("lives_in"))?.into_iter().next().ok_or("Bea lives nowhere")?;
    let why = tenant.why(tenant.now(), first.id)?;
    println!("{} {} {}: {}", first.head, first.relation, first.tail, why.explanation.ended.unwrap_or_default());
    for source in why.sources {
        println!("  {:?}", source.words);
    }
    Ok(())
}
