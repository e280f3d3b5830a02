//! petgraph's own algorithms over the graph as it was at an instant, without a copy of it.
//!
//! Run it with `cargo run --example petgraph`.

use erstwhile::memory::BulkOptions;
use erstwhile::observe::{ReadOptions, Reader};
use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
use erstwhile::{Memory, TenantId, Term};
use petgraph::algo::{dijkstra, tarjan_scc};

const INPUT: &str = r#"
{"observed_at": "2024-01-01T09:00:00Z", "head": "Ana", "relation": "reports_to", "tail": "Bo", "from": "2019"}
{"observed_at": "2024-01-01T09:00:00Z", "head": "Bo", "relation": "reports_to", "tail": "Cy", "from": "2019"}
{"observed_at": "2024-01-01T09:00:00Z", "head": "Cy", "relation": "reports_to", "tail": "Di", "from": "2019"}
{"observed_at": "2024-01-01T09:00:00Z", "head": "Ana", "relation": "reports_to", "tail": "Di", "from": "2023-04-01"}
{"observed_at": "2024-01-01T09:00:00Z", "head": "Di", "relation": "mentor", "tail": "Ana", "from": "2023-05-01"}
"#;

#[expect(clippy::print_stdout, reason = "an example shows what it got")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let tenant = Memory::open(folder.path())?.tenant(&TenantId::new("team")?);
    let input = Reader::new(INPUT.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
    tenant.remember_all(input, BulkOptions::default())?;

    let ana = Term::Name("Ana".to_owned());
    for day in ["2022-06-01", "2024-06-01"] {
        let view = tenant.at(AsOf { valid_at: parse_moment(day, &Zone::UTC)?, known_at: KnownAt::Latest })?;
        let start = view.term_id(ana.as_ref()).ok_or("nobody knows Ana")?;
        let mut steps: Vec<(String, u32)> = dijkstra(&view, start, None, |_fact| 1)
            .into_iter()
            .filter_map(|(term, steps)| Some((view.term(term)?.to_string(), steps)))
            .collect();
        steps.sort();
        println!("{day}: steps from Ana {steps:?}");
        let rings = tarjan_scc(&view).into_iter().filter(|component| component.len() > 1);
        for ring in rings {
            let mut names: Vec<String> = ring.into_iter().filter_map(|term| Some(view.term(term)?.to_string())).collect();
            names.sort();
            println!("{day}: a ring of {names:?}");
        }
    }
    Ok(())
}
