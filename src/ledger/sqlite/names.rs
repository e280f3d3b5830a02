//! Names as they are displayed: by the surface that most claims use. Knows no claim beyond what it mentions.

use super::index::Family;
use super::store::Store;
use crate::ledger::contract::ClaimEnd;
use crate::ledger::key::{ClaimKeys, Key, SpellingKeys};
use crate::ledger::{LedgerError, Seq};
use crate::model::{Term, TermRef};
use crate::resolve::identity;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The surfaces of one term, with how many mentions use each.
type Surfaces = BTreeMap<String, u64>;

/// The terms asked for, by identity.
#[derive(Default)]
struct Asked {
    numbers: FxHashMap<String, usize>,
    surfaces: Vec<Surfaces>,
    scratch: String,
}

impl Asked {
    /// The number of a term, given where it is new.
    fn ask(&mut self, term: TermRef<'_>) -> usize {
        identity(term, &mut self.scratch);
        if let Some(number) = self.numbers.get(self.scratch.as_str()) {
            return *number;
        }
        self.surfaces.push(Surfaces::new());
        self.numbers.insert(self.scratch.clone(), self.surfaces.len() - 1);
        self.surfaces.len() - 1
    }

    /// Counts mentions by a surface, of a term that is asked for.
    fn count(&mut self, term: TermRef<'_>, mentions: u64) {
        identity(term, &mut self.scratch);
        let Some(surfaces) = self.numbers.get(self.scratch.as_str()).and_then(|number| self.surfaces.get_mut(*number)) else { return };
        let surface = match term {
            TermRef::Name(name) => name,
            // What is no name has one form only.
            TermRef::Iri(_) | TermRef::Blank(_) | TermRef::Literal { .. } => "",
        };
        *surfaces.entry(surface.to_owned()).or_default() += mentions;
    }
}

impl Store {
    pub(super) fn displayed(&self, terms: &[Term]) -> Result<Vec<Option<Term>>, LedgerError> {
        self.reading(|| {
            let mut asked = Asked::default();
            let numbers: Vec<usize> = terms.iter().map(|term| asked.ask(term.as_ref())).collect();
            self.count_indexed(terms, &mut asked)?;
            self.mentions_between(self.indexed_to()?, i64::MAX.cast_unsigned(), &mut |_, _, _, term| asked.count(term, 1))?;
            for term in terms.iter().filter(|term| !matches!(term, Term::Name(_))) {
                if self.is_mentioned(term)? {
                    asked.count(term.as_ref(), 1);
                }
            }
            let shown = |(number, term): (usize, &Term)| {
                let surfaces = asked.surfaces.get(number)?;
                let (surface, _) = surfaces.iter().max_by_key(|(surface, mentions)| (**mentions, Reverse(*surface)))?;
                Some(if matches!(term, Term::Name(_)) { Term::Name(surface.clone()) } else { term.clone() })
            };
            Ok(numbers.into_iter().zip(terms).map(shown).collect())
        })
    }

    /// Counts the mentions of names by the claims that are in the index.
    fn count_indexed(&self, terms: &[Term], asked: &mut Asked) -> Result<(), LedgerError> {
        let mut keys = SpellingKeys::default();
        let mut ranges: Vec<(Key, Key)> = terms.iter().filter_map(|term| keys.name(term.as_ref())).collect();
        ranges.sort_unstable();
        ranges.dedup();
        let (mut places, mut counts) = (Vec::new(), Vec::new());
        self.lookup_ranges(Family::Spellings, &ranges, &mut places)?;
        self.lookup_ranges(Family::Mentions, &ranges, &mut counts)?;
        let mut mentions: BTreeMap<Key, u64> = BTreeMap::new();
        for (key, count) in counts {
            *mentions.entry(key).or_default() += count;
        }
        // Of each spelling one claim that uses it is read.
        let places: BTreeMap<Key, Seq> = places.into_iter().collect();
        for (key, place) in places {
            let mut left = mentions.get(&key).copied();
            self.mentions_between(place - 1, place, &mut |_, _, _, term| {
                if keys.spelling(term) == Some(key)
                    && let Some(count) = left.take()
                {
                    asked.count(term, count);
                }
            })?;
        }
        Ok(())
    }

    /// Whether a claim in the index mentions a term.
    fn is_mentioned(&self, term: &Term) -> Result<bool, LedgerError> {
        let mut own = String::new();
        identity(term.as_ref(), &mut own);
        let mut other = String::new();
        let mut found = Ok(false);
        for end in [ClaimEnd::Head, ClaimEnd::Tail] {
            let (low, high) = ClaimKeys::default().entity(term.as_ref(), end);
            self.lookup_until(Family::Ends, low, high, &mut |(_, place)| {
                let mut same = false;
                let looked = self.mentions_between(place - 1, place, &mut |_, _, _, mentioned| {
                    identity(mentioned, &mut other);
                    same |= other == own;
                });
                found = looked.map(|()| same);
                if matches!(found, Ok(false)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            if !matches!(found, Ok(false)) {
                break;
            }
        }
        found
    }
}
