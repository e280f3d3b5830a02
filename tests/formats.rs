//! The samples in `fixtures/formats` read as their README says.
#![cfg(test)]

use erstwhile::model::{ObservationKind, Polarity};
use erstwhile::observe::{Format, Incoming, ObservedAt, ReadOptions, Reader, Rejection};
use erstwhile::time::Zone;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Reads a sample, with a default time for the lines that have none.
fn sample(name: &str) -> (Format, Vec<Incoming>, Vec<Rejection>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/formats").join(name);
    let observed_at = Some(ObservedAt::parse("2024-06-01T12:00:00Z", &Zone::UTC).unwrap());
    let options = ReadOptions { observed_at, ..ReadOptions::for_file(&path) };
    let reader = Reader::new(BufReader::new(File::open(&path).unwrap()), options).unwrap();
    let format = reader.format();
    let (mut taken, mut rejected) = (Vec::new(), Vec::new());
    for item in reader {
        match item.unwrap() {
            Ok(incoming) => taken.push(incoming),
            Err(rejection) => rejected.push(rejection),
        }
    }
    (format, taken, rejected)
}

/// One line for each claim, as a reader of the README expects it.
fn told(taken: &[Incoming]) -> Vec<String> {
    let claims = taken.iter().flat_map(|incoming| &incoming.ready);
    claims
        .map(|claim| {
            let polarity = match claim.polarity {
                Polarity::Holds => "",
                Polarity::Ends => "ends ",
                Polarity::Never => "never ",
            };
            format!("{polarity}{} {} {} {}", claim.head, claim.relation, claim.tail, claim.span)
        })
        .collect()
}

#[test]
fn claims_read_as_documented() {
    let (format, taken, rejected) = sample("claims.jsonl");
    assert_eq!((format, rejected), (Format::Claims, vec![]));
    let keys: Vec<(u64, Option<&str>, usize)> =
        taken.iter().map(|incoming| (incoming.line, incoming.observation.key.as_deref(), incoming.ready.len())).collect();
    assert_eq!(keys, [(1, Some("call-17"), 3), (5, None, 1), (6, None, 1), (7, None, 1), (8, None, 3)]);
    let expected = [
        "ends Ines employer Brightloom /2023",
        "Ines employer Quellmark by 2024-03-01T08:00:00Z/..",
        "Ines lives_in Turin by 2024-03-01/..",
        "Ines employer Brightloom 2021-03/..",
        "Ines born_in Ljubljana [1983-01-01T00:00:00Z, 1986-01-01T00:00:00Z)/..",
        "<https://example.org/id/forge> population \"41250\"^^<http://www.w3.org/2001/XMLSchema#integer> 2015/2018",
        "never Forge-Org ceo_of Forge 2020/2021",
        "Odd nickname \"Oddi\"@nb ../..",
    ];
    let claims = told(&taken);
    assert_eq!(claims[..8], expected);
    assert!(claims[8].starts_with("_:b0."), "a blank node carries its file's scope: {}", claims[8]);
    let text = taken[0].observation.text.as_deref().unwrap();
    let quoted: Vec<String> = taken[0]
        .ready
        .iter()
        .filter_map(|claim| claim.quote)
        .map(|quote| text.chars().skip(quote.from as usize).take((quote.to - quote.from) as usize).collect())
        .collect();
    assert_eq!(quoted, ["I left Brightloom in 2023", "work at Quellmark now"]);
}

#[test]
fn chats_read_as_documented() {
    let (format, taken, rejected) = sample("chat.jsonl");
    assert_eq!((format, rejected, taken.len()), (Format::Chat, vec![], 4));
    let kinds: Vec<ObservationKind> = taken.iter().map(|incoming| incoming.observation.kind).collect();
    assert_eq!(kinds, [ObservationKind::Chat, ObservationKind::Chat, ObservationKind::ToolResult, ObservationKind::Chat]);
    assert_eq!(taken[3].observation.text.as_deref(), Some("  She moved to Duluth, by the way.\n"));
    assert_eq!(taken[3].observation.observed_at.to_string(), "2024-05-11T23:59:59.999999Z");
}

#[test]
fn triples_read_as_documented() {
    let (format, taken, rejected) = sample("triples.jsonl");
    assert_eq!((format, rejected), (Format::Triples, vec![]));
    assert_eq!(
        told(&taken),
        ["Q-17 P-39 Q-4 1926/1929", "Q-17 P-39 Q-5 1929-05/..", "Q-18 P-39 Q-4 /1926", "Q-18 P-31 Q-9 by 2024-06-01T12:00:00Z/.."]
    );
}

#[test]
fn csv_reads_as_documented() {
    let (format, taken, rejected) = sample("triples.csv");
    assert_eq!(format, Format::Csv);
    assert_eq!(
        told(&taken),
        [
            "Bea lives_in Oslo 2015/..",
            "Bea lives_in Turin, Italy 2018-06/[2020-01-01T00:00:00Z, 2023-01-01T00:00:00Z)",
            "Bea works_on #7-Alpha/b by 2020/..",
            "<https://example.org/id/bea> height \"1.68\"^^<http://www.w3.org/2001/XMLSchema#decimal> by 2024-03-01T12:00:00Z/..",
        ]
    );
    assert_eq!(rejected.iter().map(ToString::to_string).collect::<Vec<_>>(), ["line 6: to: \"2018\" lies before from \"2019\""]);
}

#[test]
fn a_document_reads_as_documented() {
    let (format, taken, rejected) = sample("document.txt");
    assert_eq!((format, rejected, taken.len()), (Format::Text, vec![], 1));
    assert_eq!(taken[0].observation.kind, ObservationKind::Document);
    assert!(taken[0].observation.text.as_deref().unwrap().ends_with("is done.\n"), "verbatim");
}
