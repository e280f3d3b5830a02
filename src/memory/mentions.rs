//! What of a tenant names an entity: observations, merges, reasons, overrides, settings; and what merely contains the name.
//!
//! Owns the rule of [`Tenant::erase`](super::Tenant::erase). Knows nothing of how anything is removed.

use super::Error;
use super::names::Naming;
use crate::ledger::{Doomed, Ledger, Note, RecordRow, Unions};
use crate::model::{ObservationId, Term, TermRef};
use crate::policy::Policies;
use crate::resolve;
use std::collections::{BTreeMap, BTreeSet};
use toml::Value;

/// The fields of an override that hold words of whoever set it.
const WORDED: [&str; 6] = ["description", "aliases", "inverse_of", "excludes", "domain", "range"];

/// At most so many other names are told.
const MOST_OTHERS: usize = 1_000;

/// Everything that names an entity.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// What an erasure of the entity removes; its observations in the order they were recorded.
    pub(super) doomed: Doomed,
    /// The relations whose overrides name it, in name order.
    pub(super) overrides: Vec<String>,
    /// The settings that name it, in name order.
    pub(super) settings: Vec<String>,
    /// How many merges and ends of merges name it.
    pub(super) merges: u64,
    /// Its other names, by the merges that stand.
    pub(super) names: Vec<Term>,
    /// Names of other entities and relations that contain its name, and stay: in name order.
    pub(super) others: Vec<String>,
}

/// Looks through a whole tenant.
///
/// # Errors
/// What the ledger says; [`Error::Pack`] where the overrides would contradict each other without the words that name the entity.
///
/// # Complexity
/// Linear in all texts and claims.
pub(super) fn of(ledger: &mut dyn Ledger, entity: &Term) -> Result<Mentions, Error> {
    let mut found = Mentions { names: other_names(ledger, entity)?, ..Mentions::default() };
    let mut naming = Namings::new(std::iter::once(entity).chain(&found.names));
    let mut settings = BTreeSet::new();
    let (doomed, containing) = observations(ledger, &mut naming)?;
    ledger.observation_ids(&mut |_, id| {
        if doomed.contains(&id) {
            found.doomed.observations.push(id);
        }
    })?;
    let others: BTreeSet<String> = containing.into_iter().filter(|(id, _)| !doomed.contains(id)).map(|(_, name)| name).collect();
    found.others = others.into_iter().take(MOST_OTHERS).collect();
    let mut left: Vec<(String, Option<String>)> = Vec::new();
    let mut named = BTreeSet::new();
    ledger.notes(&mut |note| match note {
        Note::Reason { seq, about, because } => {
            if !doomed.contains(&about) && naming.is_named_in(because) {
                found.doomed.reasons.push(seq);
            }
        }
        Note::Override { seq, relation, toml } => {
            let toml = match remade(&mut naming, relation, toml) {
                Remade::AsItWas => toml.map(str::to_owned),
                Remade::Gone => {
                    named.insert(relation.to_owned());
                    found.doomed.overrides.push((seq, None));
                    return;
                }
                Remade::Cleaned(cleaned) => {
                    named.insert(relation.to_owned());
                    found.doomed.overrides.push((seq, Some(cleaned.clone())));
                    Some(cleaned)
                }
            };
            left.push((relation.to_owned(), toml));
        }
        Note::Merge { seq, from, into, because } => {
            if naming.is_named_by(from) || naming.is_named_by(into) {
                found.doomed.records.push(seq);
                found.merges += 1;
            } else if naming.is_named_in(because) {
                found.doomed.reasons.push(seq);
            }
        }
        Note::Setting { seq, name, value } => {
            if naming.is_named_in(name) {
                settings.insert(name.to_owned());
                found.doomed.records.push(seq);
            } else if value.is_some_and(|value| naming.is_named_in(value)) {
                settings.insert(name.to_owned());
                found.doomed.settings.push(seq);
            }
        }
        Note::Failure { seq, about, reason } => {
            if !doomed.contains(&about) && naming.is_named_in(reason) {
                found.doomed.reasons.push(seq);
            }
        }
    })?;
    found.settings = settings.into_iter().collect();
    if !named.is_empty() {
        Policies::shipped().set_all(left.iter().map(|(relation, toml)| (relation.as_str(), toml.as_deref())))?;
    }
    found.overrides = named.into_iter().collect();
    Ok(found)
}

/// Recognises an entity by any of its names.
struct Namings(Vec<Naming>);

impl Namings {
    fn new<'a>(names: impl Iterator<Item = &'a Term>) -> Self {
        Self(names.map(Naming::new).collect())
    }

    fn is_named_by(&mut self, term: TermRef<'_>) -> bool {
        self.0.iter_mut().any(|naming| naming.is_named_by(term))
    }

    fn is_name(&mut self, name: &str) -> bool {
        self.0.iter_mut().any(|naming| naming.is_name(name))
    }

    fn is_named_in(&mut self, text: &str) -> bool {
        self.0.iter_mut().any(|naming| naming.is_named_in(text))
    }
}

/// The other names of an entity by the merges that stand, in the order of their identities.
fn other_names(ledger: &mut dyn Ledger, entity: &Term) -> Result<Vec<Term>, Error> {
    let identity_of = |term: &Term| {
        let mut own = String::new();
        resolve::identity(term.as_ref(), &mut own);
        own
    };
    let mut unions = Unions::default();
    let mut terms = BTreeMap::new();
    for merge in ledger.merges()?.into_iter().filter(|merge| merge.undone.is_none()) {
        let (from, into) = (identity_of(&merge.from), identity_of(&merge.into));
        // One that does not fit is in a damaged file only, and `verify` tells of it.
        drop(unions.merge(from.clone(), into.clone()));
        terms.entry(from).or_insert(merge.from);
        terms.entry(into).or_insert(merge.into);
    }
    let own = identity_of(entity);
    Ok(unions.members(&own).into_iter().filter(|name| *name != own).filter_map(|name| terms.remove(&name)).collect())
}

/// The observations that name it, and those in which another name contains it, with that name.
fn observations(ledger: &mut dyn Ledger, naming: &mut Namings) -> Result<(BTreeSet<ObservationId>, Containing), Error> {
    let mut doomed = BTreeSet::new();
    let mut containing = Containing::new();
    ledger.words(0, &mut |words| {
        let texts = [words.text, words.speaker, words.role, words.source, words.session, words.key];
        if texts.into_iter().flatten().any(|text| naming.is_named_in(text)) {
            doomed.insert(words.id);
        }
    })?;
    ledger.replay(0, &mut |row| {
        let RecordRow::Claim { id, head, relation, tail, corrects_tail, context, .. } = row else { return };
        let terms = || [Some(head), Some(tail), corrects_tail, context.map(TermRef::Iri)].into_iter().flatten();
        if terms().any(|term| naming.is_named_by(term)) || naming.is_name(relation) {
            doomed.insert(id.observation);
            return;
        }
        let names = terms().filter_map(|term| if let TermRef::Name(name) = term { Some(name) } else { None });
        for name in names.chain([relation]).filter(|name| naming.is_named_in(name)) {
            containing.insert((id.observation, name.to_owned()));
        }
    })?;
    Ok((doomed, containing))
}

type Containing = BTreeSet<(ObservationId, String)>;

/// What an override becomes.
enum Remade {
    /// It does not name the entity.
    AsItWas,
    /// Without the words that name it.
    Cleaned(String),
    /// It is about a relation so named, or cannot be read.
    Gone,
}

fn remade(naming: &mut Namings, relation: &str, toml: Option<&str>) -> Remade {
    if naming.is_name(relation) {
        return Remade::Gone;
    }
    let Some(toml) = toml else { return Remade::AsItWas };
    let Ok(before) = toml.parse::<toml::Table>() else {
        return if naming.is_named_in(toml) { Remade::Gone } else { Remade::AsItWas };
    };
    let mut after = before.clone();
    after.retain(|field, value| !(WORDED.contains(&field) && strip(naming, value)));
    // A comment is in no value, and is not written again.
    let in_comment = toml.contains('#') && naming.is_named_in(toml);
    if after == before && !in_comment {
        return Remade::AsItWas;
    }
    toml::to_string(&after).map_or(Remade::Gone, Remade::Cleaned)
}

/// Takes what names the entity out of lists and tables; says whether the value itself does.
fn strip(naming: &mut Namings, value: &mut Value) -> bool {
    match value {
        Value::String(text) => return naming.is_named_in(text),
        Value::Array(items) => items.retain_mut(|item| !strip(naming, item)),
        Value::Table(table) => table.retain(|_, item| !strip(naming, item)),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
    false
}
