//! What somebody who misspelt a name may have meant. Knows names only; which there are it asks the memory.

use super::args::Global;
use super::context::Context;
use super::fail::Failure;
use super::output::clean;
use super::words::{quoted, typed};
use crate::graph::{ReadError, RelationId, TermId};
use crate::ledger::LedgerError;
use crate::memory::Error;
use crate::model::{Literal, Term};
use std::collections::BTreeMap;

/// No more than this many are offered.
const OFFERED: usize = 3;

/// What may have been meant where a tenant, an entity or a relation is unknown, as one would type it: nearest first, then by name.
///
/// Entities, and relations that are only in use, are looked through where people read: that may load the whole tenant.
pub(super) fn to_failure(global: &Global, failure: &Failure) -> Vec<String> {
    let Failure::Memory(error) = failure else { return Vec::new() };
    let offered = if let Error::Ledger(LedgerError::UnknownTenant { tenant }) = error {
        tenants(global, tenant)
    } else if let Error::Read(ReadError::UnknownRelation(stated)) = error {
        relations(global, stated)
    } else if let Error::Read(ReadError::UnknownEntity(term)) = error
        && !global.json
    {
        entities(global, term)
    } else {
        None
    };
    offered.unwrap_or_default()
}

fn tenants(global: &Global, asked: &str) -> Option<Vec<String>> {
    let context = Context::open(global).ok()?;
    let tenants = context.memory.tenants().ok()?;
    Some(nearest(asked, tenants.iter().map(|id| (id.as_str().to_owned(), quoted(&clean(id.as_str()))))))
}

fn entities(global: &Global, asked: &Term) -> Option<Vec<String>> {
    let context = Context::open(global).ok()?;
    let view = context.tenant.at(context.tenant.now()).ok()?;
    let known = (0..).map_while(|number| view.term(TermId(number)));
    Some(nearest(text_of(asked), known.map(|term| (text_of(&term).to_owned(), typed(&term)))))
}

fn relations(global: &Global, asked: &str) -> Option<Vec<String>> {
    let context = Context::open(global).ok()?;
    let policies = context.tenant.policies().ok()?;
    // A wording offers the relation it is one of.
    let mut known: Vec<(String, String)> = Vec::new();
    for (name, policy) in policies.iter() {
        let wordings = policy.aliases.iter().flat_map(|(_, wordings)| wordings).map(String::as_str);
        known.extend(std::iter::once(name).chain(wordings).map(|wording| (wording.to_owned(), name.to_owned())));
    }
    if !global.json
        && let Ok(view) = context.tenant.at(context.tenant.now())
    {
        known.extend((0..).map_while(|number| view.relation(RelationId(number)).map(|name| (name.to_owned(), name.to_owned()))));
    }
    Some(nearest(asked, known.into_iter().map(|(wording, name)| (wording, quoted(&clean(&name))))))
}

/// What is compared: a name's or a literal's text without its marks.
fn text_of(term: &Term) -> &str {
    match term {
        Term::Name(text) | Term::Iri(text) | Term::Blank(text) | Term::Literal(Literal { lexical: text, .. }) => text,
    }
}

/// The known names nearest to the one asked for, each as it is typed.
fn nearest(asked: &str, known: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let asked = folded(asked);
    let length = asked.chars().count();
    let most = match length {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for (name, typed) in known {
        let name = folded(&name);
        if name.chars().count().abs_diff(length) <= most {
            // Characters added, left out, replaced, or swapped with their neighbours.
            let distance = strsim::osa_distance(&asked, &name);
            // Half of a word changed is another word.
            if distance <= most && distance * 2 < length.max(2) {
                let least = found.entry(typed).or_insert(distance);
                *least = distance.min(*least);
            }
        }
    }
    let mut found: Vec<(usize, String)> = found.into_iter().map(|(typed, distance)| (distance, typed)).collect();
    found.sort_unstable();
    found.into_iter().take(OFFERED).map(|(_, typed)| typed).collect()
}

fn folded(text: &str) -> String {
    text.trim().chars().map(|c| if matches!(c, '_' | '-') { ' ' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_strangers_not_at_all() {
        let known = ["Oslo", "Osli", "Oslop", "Bern", "osla"].map(|name| (name.to_owned(), name.to_owned()));
        assert_eq!(nearest("Olso", known.iter().cloned()), ["Oslo"]);
        assert_eq!(nearest("oslx", known.iter().cloned()), ["Osli", "Oslo", "osla"]);
        assert_eq!(nearest("Bren", known.iter().cloned()), ["Bern"], "swapped");
        assert_eq!(nearest("Xi", known.iter().cloned()), [""; 0]);
    }
}
