//! RDF on the command line: which format a file is in. Knows no triple.

use super::args::RdfFormat as Named;
use oxrdfio::{JsonLdProfileSet, RdfFormat};
use std::path::Path;

/// The format that was named, or else the one of a file's name without `.gz`.
pub(super) fn format(named: Option<Named>, file: &Path) -> Option<RdfFormat> {
    match named {
        Some(Named::Turtle) => Some(RdfFormat::Turtle),
        Some(Named::Ntriples) => Some(RdfFormat::NTriples),
        Some(Named::Nquads) => Some(RdfFormat::NQuads),
        Some(Named::Trig) => Some(RdfFormat::TriG),
        Some(Named::Jsonld) => Some(RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() }),
        Some(Named::Rdfxml) => Some(RdfFormat::RdfXml),
        None => of_name(file),
    }
}

fn of_name(file: &Path) -> Option<RdfFormat> {
    let name = file.file_name()?.to_string_lossy().to_lowercase();
    let extension = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1.to_owned();
    match extension.as_str() {
        "ttl" => Some(RdfFormat::Turtle),
        "nt" => Some(RdfFormat::NTriples),
        "nq" => Some(RdfFormat::NQuads),
        "trig" => Some(RdfFormat::TriG),
        "jsonld" => Some(RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() }),
        "rdf" | "owl" | "xml" => Some(RdfFormat::RdfXml),
        _ => None,
    }
}
