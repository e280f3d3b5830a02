//! A memory as RDF: what goes out comes back, in every format and both times; what cannot is refused with its place.

#![cfg(test)]

mod memory_support;

use erstwhile::ledger::Retractable;
use erstwhile::memory::BulkOptions;
use erstwhile::memory::Receipt;
use erstwhile::memory::{EraseTarget, Error, Tenant, TenantId};
use erstwhile::model::{Authority, Source};
use erstwhile::model::{Claim, ClaimId, Correction, Literal, Polarity, Quote, Term};
use erstwhile::sparql::{Annotations, Plain, Position, QuadReader, RdfClaims, RdfLimits, RdfOptions, RdfReadError};
use erstwhile::time::{AsOf, End, Instant, Moment, Span, Start, Zone, ZonedInstant};
use memory_support::{Place, as_known, claim, fact, instant, name, place, said, text, valid};
use oxrdfio::{JsonLdProfileSet, RdfFormat};
use proptest::prelude::*;

const FORMATS: [RdfFormat; 6] = [
    RdfFormat::Turtle,
    RdfFormat::NTriples,
    RdfFormat::NQuads,
    RdfFormat::TriG,
    RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() },
    RdfFormat::RdfXml,
];

fn json_lines(tenant: &Tenant) -> Vec<String> {
    let mut out = Vec::new();
    tenant.export(&mut out).unwrap();
    // The first line names the tenant.
    String::from_utf8(out).unwrap().lines().skip(1).map(str::to_owned).collect()
}

fn history(tenant: &Tenant, format: RdfFormat) -> Vec<u8> {
    let mut out = Vec::new();
    tenant.export_history(format, &mut out).unwrap();
    out
}

fn facts(tenant: &Tenant, at: &str, format: RdfFormat) -> String {
    let mut out = Vec::new();
    tenant.export_facts(valid(at), None, format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn quads(format: RdfFormat, bytes: Vec<u8>) -> QuadReader {
    QuadReader::new(format, None, RdfLimits { term_bytes: 1 << 20, ..RdfLimits::default() }, Box::new(std::io::Cursor::new(bytes))).unwrap()
}

fn copy_of(place: &Place, name: &str) -> Tenant {
    place.memory.tenant(&TenantId::new(name).unwrap())
}

/// A text with what formats stumble over.
fn odd_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{1,8}", "[a-z \\t\\r\\n\"<>&\\\\%é漢\\u{1}\\u{85}]{1,10}"].prop_map(|text| format!("x{text}x"))
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![
        odd_text().prop_map(|text| Term::Name(text.chars().filter(|c| !c.is_control()).collect())),
        "[A-Z][a-z]{1,3}( [A-Z][a-z]{1,3})?".prop_map(Term::Name),
        "http://x/[a-z0-9%#\\[\\]é]{0,6}".prop_map(Term::Iri),
        "(entity|relation|claim|iri):[a-z%0-9]{1,6}".prop_map(Term::Iri),
        "[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,4}[a-z]".prop_map(Term::Blank),
    ]
}

fn tail() -> impl Strategy<Value = Term> {
    prop_oneof![
        3 => term(),
        1 => odd_text().prop_map(|text| Term::Literal(Literal::text(text))),
        1 => (odd_text(), "[a-z]{2}(-[a-z0-9]{2,8})?").prop_map(|(text, tag)| Term::Literal(Literal::in_language(text, &tag))),
        1 => (odd_text(), prop_oneof!["urn:[a-z]{1,4}", Just("erst:escaped".to_owned())])
            .prop_map(|(text, datatype)| Term::Literal(Literal::typed(text, &datatype))),
    ]
}

fn span() -> impl Strategy<Value = Span> {
    let micros = |micros: i64| Instant::from_micros(micros);
    let start = prop_oneof![
        Just(Start::Always),
        (0..4_000_000_000_000_000_i64, 0..2_000_000_i64)
            .prop_map(move |(lo, width)| Start::At(Moment::granule(micros(lo), micros(lo + width)).unwrap())),
        (0..4_000_000_000_000_000_i64).prop_map(move |by| Start::By(micros(by))),
        (1990..2030_i32).prop_map(|year| Start::At(Moment::year(year, &Zone::UTC).unwrap())),
        Just(Start::Unknown),
    ];
    let end = prop_oneof![
        Just(End::Open),
        (4_000_000_000_000_000..5_000_000_000_000_000_i64).prop_map(move |at| End::At(Moment::exact(micros(at)))),
        (4_000_000_000_000_000..5_000_000_000_000_000_i64).prop_map(move |at| End::By(micros(at))),
    ];
    (start, end).prop_filter_map("a span says something", |(start, end)| Span::new(start, end).ok())
}

fn any_claim() -> impl Strategy<Value = Claim> {
    let relation = prop_oneof![
        Just("employer".to_owned()),
        Just("works at".to_owned()),
        Just("http://x/p".to_owned()),
        Just("<urn:x>".to_owned()),
        "[a-z]{1,4} ?[é漢%&]{0,2}".prop_map(|relation| format!("r{}", relation.trim())),
    ];
    (term(), relation, tail(), span(), 0..3_u8, 0.0..=1.0_f64, prop::option::of("http://g/[a-z]{1,2}"), prop::option::of(tail())).prop_map(
        |(head, relation, tail, span, polarity, confidence, context, corrects)| {
            let mut claim = claim("a", "b", "c", "", "");
            let polarity = [Polarity::Holds, Polarity::Never, Polarity::Ends][usize::from(polarity)];
            let ended = Span::new(Start::Unknown, span.end());
            (claim.polarity, claim.span) = match (polarity, ended) {
                (Polarity::Ends, Ok(ended)) => (Polarity::Ends, ended),
                (Polarity::Ends, Err(_)) => (Polarity::Holds, span),
                (polarity, _) => (polarity, span),
            };
            claim.seen_at = (confidence > 0.5).then(|| instant("2125-01-01T00:00:00.000001Z"));
            (claim.head, claim.relation, claim.tail, claim.confidence, claim.context) = (head, relation, tail, confidence, context);
            claim.corrects = corrects.map(Correction::Tail);
            claim
        },
    )
}

/// A memory with every kind of record.
fn lived(claims: Vec<Vec<Claim>>, words: &str) -> Place {
    let place = place();
    let tenant = &place.tenant;
    let mut ids = Vec::new();
    for (nth, claims) in claims.into_iter().enumerate() {
        place.clock.set(instant(&format!("2026-01-{:02}T00:00:00Z", nth + 2)));
        let mut incoming = said("2025-06-01T12:00:00Z", claims);
        if nth % 2 == 1 {
            let mut quoted = incoming.ready.clone();
            quoted[0].quote = Some(Quote { from: 0, to: 1 });
            incoming = text("2025-06-01T12:00:00+02:00", words, words, quoted);
        }
        incoming.observation.key = Some(format!("k{nth}"));
        let incoming = erstwhile::Incoming::new(incoming.observation, incoming.ready);
        ids.extend(tenant.remember(vec![incoming]).unwrap().ids);
    }
    for (at, id) in ids.iter().enumerate() {
        let target = if at % 2 == 0 { Retractable::Observation(*id) } else { Retractable::Claim(ClaimId { observation: *id, ordinal: 0 }) };
        if tenant.retract(target, words).is_ok() && at % 3 == 0 {
            tenant.restore(target, "").unwrap();
        }
    }
    tenant.set_policy("seats_on", Some("cardinality = \"one\"")).unwrap();
    tenant.set_policy("seats_on", None).unwrap();
    let doomed = tenant.remember(vec![fact("Bo", "likes", "rye", "2020")]).unwrap().ids[0];
    tenant.erase(&EraseTarget::Observation(doomed)).unwrap();
    tenant.remember(vec![fact("Una Falk", "likes", "rye", "2020"), fact("U. Falk", "likes", "oats", "2021")]).unwrap();
    tenant.merge(&name("U. Falk"), &name("Una Falk"), words).unwrap();
    tenant.unmerge(&name("U. Falk"), &name("Una Falk"), words).unwrap();
    place
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_history_comes_back_whole_from_every_format(
        claims in prop::collection::vec(prop::collection::vec(any_claim(), 1..4), 1..5),
        words in odd_text(),
    ) {
        let place = lived(claims, &words);
        let expect = json_lines(&place.tenant);
        for (nth, format) in FORMATS.into_iter().enumerate() {
            let written = history(&place.tenant, format);
            prop_assert_eq!(&written, &history(&place.tenant, format), "the same bytes");
            let copy = copy_of(&place, &format!("copy{nth}"));
            let imported = copy.import_history(quads(format, written.clone()));
            prop_assert!(imported.is_ok(), "{}: {:?}\n{}", format, imported, String::from_utf8_lossy(&written));
            prop_assert_eq!(json_lines(&copy), expect.clone(), "{}", format);
        }
    }
}

#[test]
fn a_history_that_was_tampered_with_is_refused_with_its_place() {
    let place = lived(vec![vec![claim("Ana", "employer", "Acme", "2020", "")]], "we were wrong");
    let whole = String::from_utf8(history(&place.tenant, RdfFormat::NTriples)).unwrap();
    let copy = copy_of(&place, "copy");
    let refused = |changed: &str, says: &str| {
        let error = copy.import_history(quads(RdfFormat::NTriples, changed.as_bytes().to_vec())).unwrap_err();
        let Error::BadImport { lines } = &error else { panic!("{error}") };
        assert!(lines.iter().any(|bad| bad.to_string().contains(says)), "{says}: {lines:?}");
        assert!(copy.stats().is_err(), "nothing was made");
    };
    let lines: Vec<&str> = whole.lines().collect();
    refused(&lines[..lines.len() - 1].join("\n"), "cut off");
    refused(&lines[1..].join("\n"), "header");
    refused(&whole.replacen("\"Acme\"", "\"Bcme\"", 1).replacen("entity:Acme> .", "entity:Bcme> .", 2), "not what its id was made of");
    refused(&whole.replacen("erst:Holds", "erst:Held", 1), "none of its values");
    refused(&whole.replacen("erst:confidence", "erst:confidense", 1), "erst:confidence: is missing");
    refused(&whole.replacen("<erst:place>", "<erst:place", 1), "line");
    let swapped: Vec<&str> = lines.iter().rev().copied().collect();
    refused(&swapped.join("\n"), "");
    assert!(copy.import_history(quads(RdfFormat::NTriples, whole.into_bytes())).is_ok(), "and after all that it takes a good one");
}

#[test]
fn the_facts_of_a_day_are_told_with_their_intervals_and_sources() {
    let place = place();
    let mut there = claim("Ana Lima", "likes", "tea", "2020", "");
    there.context = Some("http://g/one".to_owned());
    place
        .tenant
        .remember(vec![
            said("2023-06-02T00:00:00Z", vec![claim("Ana Lima", "employer", "Acme", "2020-01", ""), there]),
            said("2023-06-02T00:00:00Z", vec![claim("Ana Lima", "employer", "Globex", "2023-06", "")]),
        ])
        .unwrap();
    let then = facts(&place.tenant, "2021", RdfFormat::TriG);
    for part in [
        "entity:ana\\%20lima relation:employer entity:acme",
        "rdf:reifies <<( entity:ana\\%20lima relation:employer entity:acme )>>",
        "erst:start \"2020-01\"^^erst:moment",
        "erst:validTo \"2023-07-01T00:00:00Z\"^^xsd:dateTime",
        "erst:closedBy claim:",
        "<http://g/one> {",
        "rdfs:label \"Ana Lima\"",
    ] {
        assert!(then.contains(part), "{part} is not in\n{then}");
    }
    assert!(!then.contains("globex"), "it came later\n{then}");
    assert_eq!(then, facts(&place.tenant, "2021", RdfFormat::TriG));
    let error = place.tenant.export_facts(valid("2021"), None, RdfFormat::Turtle, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("no named graphs"), "{error}");
    let known = place.tenant.export_facts(as_known("2021", "2025-01-01T00:00:00Z"), None, RdfFormat::Turtle, &mut Vec::new());
    assert_eq!(known.unwrap(), 0, "nothing was known then");
}

/// Reads a file of RDF as the command line does.
fn take_in(tenant: &Tenant, format: RdfFormat, text: &str, scope: &str, plain: Plain) -> Result<Receipt, RdfReadError> {
    let read =
        || QuadReader::new(format, Some("http://base/"), RdfLimits::default(), Box::new(std::io::Cursor::new(text.as_bytes().to_vec())));
    let options = RdfOptions {
        observed_at: ZonedInstant { at: instant("2025-01-01T12:00:00Z"), offset_minutes: 0 }.into(),
        source: Source { authority: Authority::Document, name: Some(scope.to_owned()) },
        plain,
        blank_scope: scope.to_owned(),
    };
    let annotations = Annotations::read(&mut read()?)?;
    let claims: Vec<_> = RdfClaims::new(read()?, annotations, options).collect::<Result<_, _>>()?;
    Ok(tenant.remember_all(claims, BulkOptions::default()).unwrap())
}

/// The facts of a tenant, whatever their interval and graph, as a statement and its two bounds.
fn all_facts(tenant: &Tenant) -> Vec<String> {
    let ever = AsOf { valid_at: Position::ever(), ..valid("2024") };
    let mut out = Vec::new();
    tenant.export_facts(ever, None, RdfFormat::NQuads, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let said =
        |predicate: &str| -> Vec<(&str, &str)> { text.lines().filter_map(|line| line.split_once(&format!(" <{predicate}> "))).collect() };
    let (starts, ends) = (said("erst:start"), said("erst:end"));
    let bound = |bounds: &[(&str, &str)], fact: &str| {
        let (_, text) = bounds.iter().find(|(known, _)| *known == fact).unwrap();
        text.split('"').nth(1).unwrap().to_owned()
    };
    let mut told: Vec<String> = said("http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies")
        .into_iter()
        .map(|(fact, statement)| {
            let statement = statement.split("<<(").nth(1).unwrap().split(")>>").next().unwrap().trim();
            format!("{statement} {} {}", bound(&starts, fact), bound(&ends, fact))
        })
        .collect();
    told.sort();
    told
}

#[test]
fn annotated_triples_have_their_intervals_and_plain_ones_always_hold() {
    let turtle = r#"
        PREFIX erst: <erst:> PREFIX time: <http://www.w3.org/2006/time#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
        PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX : <http://x/>
        _:early erst:validFrom "2001"^^xsd:gYear .
        :a :p :plain .
        :a :p :years {| erst:validFrom "2010"^^xsd:gYear ; erst:validTo "2015-06-01"^^xsd:date ; erst:confidence 0.5 |} .
        :a :p :exact {| erst:start "by 2012" ; erst:end "open" ; erst:validFrom "1999"^^xsd:gYear |} .
        :a :p :owl {| time:hasBeginning [ time:inXSDDate "2020-02-02"^^xsd:date ] ; time:hasEnd <instant:2021-01-01T00:00:00Z> |} .
        :a :p :late . _:early rdf:reifies <<( :a :p :late )>> .
        << :a :p :untold >> erst:validFrom "2003"^^xsd:gYear ; erst:validTo "2004"^^xsd:gYear .
        :s rdf:subject :a ; rdf:predicate :p ; rdf:object :old ; erst:validTo "1990"^^xsd:gYear . :a :p :old .
    "#;
    let place = place();
    let receipt = take_in(&place.tenant, RdfFormat::Turtle, turtle, "f.ttl", Plain::Permanent).unwrap();
    assert_eq!(receipt.rejected, [], "{receipt:?}");
    let statement = |tail: &str, bounds: &str| format!("<http://x/a> <http://x/p> <http://x/{tail}> {bounds}");
    assert_eq!(
        all_facts(&place.tenant),
        [
            statement("exact", "by 2012 open"),
            statement("late", "2001 open"),
            statement("old", "unknown 1990"),
            statement("owl", "2020-02-02 2021-01-01T00:00:00Z"),
            statement("plain", "always open"),
            statement("untold", "2003 2004"),
            statement("years", "2010 2015-06-01"),
        ]
    );
    let again = take_in(&place.tenant, RdfFormat::Turtle, turtle, "f.ttl", Plain::Permanent).unwrap();
    assert!(again.changed_nothing(), "the same file is the same observations: {again:?}");
    let by = copy_of(&place, "by");
    take_in(&by, RdfFormat::Turtle, "<http://x/a> <http://x/p> 1 .", "f.ttl", Plain::By).unwrap();
    assert_eq!(
        all_facts(&by),
        ["<http://x/a> <http://x/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> by 2025-01-01T12:00:00Z open"]
    );
}

#[test]
fn what_no_claim_can_hold_is_rejected_with_its_line_and_costs_no_other() {
    let lines = r#"<http://x/a> <http://x/p> <http://x/b> .
<http://x/a> <http://x/p> <<( <http://x/a> <http://x/p> <http://x/b> )>> .
<http://x/a> <http://x/p> "t"@en--ltr .
<http://x/a> <http://x/p> nonsense .
<http://x/a> <http://x/p> <http://x/c> <asof:2020> .
<http://x/a> <http://x/p> <http://x/d> _:g .
_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://x/a> <http://x/p> <http://x/b> )>> .
_:r <http://x/said> "so" .
<http://x/a> <http://x/p> <http://x/e> <http://g/> .
"#;
    let place = place();
    let receipt = take_in(&place.tenant, RdfFormat::NQuads, lines, "f.nq", Plain::Permanent).unwrap();
    let rejected: Vec<String> = receipt.rejected.iter().map(ToString::to_string).collect();
    let expect = [
        (2, "triple as object"),
        (3, "base direction"),
        (4, "column"),
        (5, "where the memory is read"),
        (6, "has no IRI"),
        (8, "said of a statement"),
    ];
    assert_eq!(rejected.len(), expect.len(), "{rejected:?}");
    for (got, (line, says)) in rejected.iter().zip(expect) {
        assert!(got.starts_with(&format!("line {line}: ")) && got.contains(says), "{line} {says}: {got}");
    }
    assert_eq!(receipt.claims, 2);
    let error = take_in(&place.tenant, RdfFormat::Turtle, "<http://x/a> <http://x/p>\n  <http://x/b> ; ;; , .", "f.ttl", Plain::Permanent)
        .unwrap_err();
    assert!(matches!(error, RdfReadError::Syntax { line: 2, column, .. } if column > 10), "{error}");
}

#[test]
fn blank_nodes_of_two_files_are_two() {
    let place = place();
    let turtle = "PREFIX : <http://x/> _:a :p [ :q 1 ] . _:a :r _:b .";
    for file in ["one.ttl", "two.ttl"] {
        let receipt = take_in(&place.tenant, RdfFormat::Turtle, turtle, file, Plain::Permanent).unwrap();
        assert_eq!((receipt.claims, receipt.duplicates), (3, 0));
        let again = take_in(&place.tenant, RdfFormat::Turtle, turtle, file, Plain::Permanent).unwrap();
        assert_eq!(again.duplicates, 3, "nodes without labels are named in the order they come");
    }
    assert_eq!(place.tenant.stats().unwrap().facts, 6);
    assert_eq!(place.tenant.stats().unwrap().entities, 6, "three of each");
}

#[test]
fn exported_facts_are_read_back_with_their_intervals() {
    let place = place();
    let mut there = claim("Ana Lima", "likes", "tea", "2020", "2030");
    there.context = Some("http://g/one".to_owned());
    let claims = vec![claim("Ana Lima", "employer", "Acme", "2020-01", ""), claim("Ana Lima", "likes", "rye", "", ""), there];
    place.tenant.remember(vec![said("2023-06-02T00:00:00Z", claims)]).unwrap();
    for (nth, format) in
        [RdfFormat::NQuads, RdfFormat::TriG, RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() }].into_iter().enumerate()
    {
        let copy = copy_of(&place, &format!("copy{nth}"));
        let receipt = take_in(&copy, format, &facts(&place.tenant, "2024", format), "f", Plain::Permanent).unwrap();
        assert_eq!((receipt.claims, receipt.rejected_count), (3, 0), "{format}: {receipt:?}");
        assert_eq!(all_facts(&copy), all_facts(&place.tenant), "{format}");
    }
}
