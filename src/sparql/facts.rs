//! The facts at one point of both times as an RDF file: each as a triple, with a reifier that tells its interval and where it comes from.
//!
//! Owns the order of the facts and which of their properties are written. Knows no format and no history.

use super::error::SparqlError;
use super::meta::statuses;
use super::scan::{Match, Scan, Wanted};
use super::terms;
use super::view::RdfView;
use super::words::{self, Word};
use super::write::{RdfWriter, node, text};
use crate::graph::View;
use crate::model::{Fact, FactId, ObservationId, TermRef, vocab};
use crate::time::{Certainty, Instant};
use oxrdf::{GraphName, NamedOrBlankNode, Term as RdfTerm, Triple};
use oxrdfio::RdfFormat;
use std::collections::BTreeMap;
use std::io::Write;

/// Writes the facts of a view, certain and possible, in the default graph and, where the format has named graphs, in every context; how
/// many. A view in one context ([`View::in_context`]) is written alone, without the name of its graph, where `all` is false.
///
/// The triples of a graph are in the order of their terms, each with its reifiers behind it; the names of entities come last. The same
/// memory read at the same position gives the same bytes.
///
/// # Errors
/// [`SparqlError::Format`] of what the format cannot hold: facts in contexts in a format without named graphs, values in RDF/XML that XML
/// has no characters for; [`SparqlError::Write`].
///
/// # Complexity
/// n log n in the facts, and some 24 bytes for each while it is written.
///
/// ```
/// use erstwhile::graph::Projection;
/// use erstwhile::policy::Policies;
/// use erstwhile::sparql::write_facts;
/// use erstwhile::time::{AsOf, KnownAt, Zone, parse_moment};
///
/// # let projection = Projection::new(std::sync::Arc::new(Policies::shipped()));
/// let now = AsOf { valid_at: parse_moment("2024-05-01", &Zone::UTC)?, known_at: KnownAt::Latest };
/// let mut out = Vec::new();
/// let facts = write_facts(&projection.snapshot().at(now), true, oxrdfio::RdfFormat::NTriples, &mut out)?;
/// assert_eq!((facts, out.len()), (0, 0), "nothing was remembered");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_facts(view: &View, all: bool, format: RdfFormat, out: impl Write) -> Result<u64, SparqlError> {
    let contexts = if all { view.snapshot().contexts() } else { Vec::new() };
    if !format.supports_datasets() {
        for context in &contexts {
            let there = RdfView::new(view.clone().in_context(Some(context)));
            if let Some(first) = Scan::facts(&there, there.base(), Wanted::default()).next() {
                first.map_err(SparqlError::Dataset)?;
                return Err(SparqlError::Format(format!("{format} has no named graphs, and facts are in the graph <{context}>")));
            }
        }
    }
    let mut writer = RdfWriter::new(format, out)?;
    let mut names = BTreeMap::new();
    let mut written = write_graph(&mut writer, &RdfView::new(view.clone()), &mut names)?;
    for context in contexts {
        writer.in_graph(GraphName::NamedNode(node(context.as_str())));
        written += write_graph(&mut writer, &RdfView::new(view.clone().in_context(Some(&context))), &mut names)?;
    }
    writer.in_graph(GraphName::DefaultGraph);
    for (iri, name) in names {
        writer.triple(&node(iri).into(), node(vocab::RDFS_LABEL), text(&name))?;
    }
    writer.finish()?;
    Ok(written)
}

/// Writes the facts of one graph, and notes the names of their entities.
fn write_graph(writer: &mut RdfWriter<impl Write>, rdf: &RdfView, names: &mut BTreeMap<String, String>) -> Result<u64, SparqlError> {
    let view = rdf.base();
    let facts = Scan::facts(rdf, view, Wanted::default()).collect::<Result<Vec<Match>, _>>().map_err(SparqlError::Dataset)?;
    let mut ends: Vec<_> = facts.iter().flat_map(|fact| [fact.head, fact.tail]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut texts: Vec<_> = ends.into_iter().map(|term| (rdf.extern_term(term), term)).collect();
    texts.sort_by_cached_key(|(term, _)| term.to_string());
    let ranks: BTreeMap<_, usize> = texts.iter().enumerate().map(|(rank, (_, term))| (*term, rank)).collect();
    let mut ordered = Vec::with_capacity(facts.len());
    for fact in facts {
        let (Some(mut head), Some(mut tail)) = (ranks.get(&fact.head).copied(), ranks.get(&fact.tail).copied()) else { continue };
        // The fact of a symmetric relation may have a literal as its head, which no triple has.
        if matches!(texts.get(head), Some((RdfTerm::Literal(_), _))) {
            std::mem::swap(&mut head, &mut tail);
        }
        let (Some(relation), Some(name)) = (view.relation(fact.relation), view.fact_name(fact.fact)) else { continue };
        ordered.push((head, relation, tail, name, fact.fact));
    }
    ordered.sort_unstable();
    let mut last: Option<Triple> = None;
    for (head, relation, tail, name, number) in &ordered {
        let (Some((head, head_id)), Some((tail, tail_id))) = (texts.get(*head), texts.get(*tail)) else { continue };
        for (term, id) in [(head, head_id), (tail, tail_id)] {
            if let (RdfTerm::NamedNode(iri), Some(TermRef::Name(shown))) = (term, view.shown(*id))
                && !names.contains_key(iri.as_str())
            {
                names.insert(iri.as_str().to_owned(), shown.to_owned());
            }
        }
        let Ok(subject) = NamedOrBlankNode::try_from(head.clone()) else { continue };
        let triple = Triple::new(subject, node(terms::relation_iri(relation)), tail.clone());
        if last.as_ref() != Some(&triple) {
            writer.triple(&triple.subject, triple.predicate.clone(), triple.object.clone())?;
            last = Some(triple.clone());
        }
        let Some(certainty) = view.edge_of(*number).map(|(_, edge)| edge.certainty) else { continue };
        let Ok(fact) = view.fact(*name) else { continue };
        write_fact(writer, *name, &fact, certainty, triple)?;
    }
    Ok(ordered.len() as u64)
}

/// Writes what is known of a fact.
fn write_fact(
    writer: &mut RdfWriter<impl Write>,
    name: FactId,
    fact: &Fact,
    certainty: Certainty,
    triple: Triple,
) -> Result<(), SparqlError> {
    let reifier = NamedOrBlankNode::from(node(terms::fact_iri(name)));
    writer.reifies(&reifier, triple)?;
    let mut say = |word: Word, object: RdfTerm| writer.triple(&reifier, node(word.iri()), object);
    let time = |at: Instant| terms::typed(at.to_string(), vocab::XSD_DATE_TIME);
    let civil = |at: Instant| Some(at).filter(|at| at.is_civil());
    say(Word::Start, terms::typed(fact.start.to_string(), words::MOMENT))?;
    say(Word::End, terms::typed(fact.end.to_string(), words::MOMENT))?;
    let bounds = [(Word::ValidFrom, civil(fact.start.lo())), (Word::ValidTo, civil(fact.end.hi()))];
    let beliefs = [(Word::TxFrom, civil(fact.tx_from)), (Word::TxTo, fact.tx_to.and_then(civil))];
    for (word, at) in bounds.into_iter().chain(beliefs) {
        if let Some(at) = at {
            say(word, time(at))?;
        }
    }
    say(Word::Certainty, node(if certainty == Certainty::Certain { words::CERTAIN } else { words::POSSIBLE }).into())?;
    for status in statuses(fact) {
        say(Word::Status, node(status).into())?;
    }
    for rival in &fact.status.rivals {
        say(Word::ContestedWith, node(terms::fact_iri(*rival)).into())?;
    }
    say(Word::Confidence, oxrdf::Literal::from(fact.confidence).into())?;
    say(Word::Importance, oxrdf::Literal::from(fact.importance).into())?;
    if let Some(claim) = fact.status.closed_by {
        say(Word::ClosedBy, node(terms::claim_iri(claim)).into())?;
    }
    for claim in &fact.supported_by {
        say(Word::SupportedBy, node(terms::claim_iri(*claim)).into())?;
    }
    let mut observations: Vec<ObservationId> = fact.supported_by.iter().map(|claim| claim.observation).collect();
    observations.dedup();
    for observation in observations {
        say(Word::DerivedFrom, node(terms::observation_iri(observation)).into())?;
    }
    Ok(())
}
