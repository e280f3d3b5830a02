//! Which entity a mention means: what is merged because a name alone says so, and what else it may mean, for somebody to say.
//!
//! Owns the order of these steps and the index of names that is kept beside a projection. Knows no grammar, and guesses nothing: what is
//! merely likely is told, with its evidence, and changes nothing.

use super::engine::Loaded;
use super::shared::Published;
use super::{Error, Tenant, rulebook};
use crate::graph::{TermId, View};
use crate::ledger::{ClaimEnd, Ledger, Note, Record, RecordRow, Seq, SliceKey, Unions};
use crate::model::{Claim, ObservationId, Term, TermRef};
use crate::policy::Policies;
use crate::resolve::{BlockIndex, BlockKey, EntityId, Evidence, Lookup, Mention, Name, Options, Resolution, bare_name, identity, resolve};
use crate::time::{AsOf, Instant, KnownAt, Moment};
use petgraph::visit::NodeIndexable;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Above so many names, receipts name no candidates unless the index has been built by a question for them: to build it takes some
/// 15 µs a name.
const MOST_UNASKED: usize = 200_000;
/// A longer text is no name that is worth comparing.
const LONGEST_NAME: usize = 80;
/// The same in words.
const MOST_WORDS: usize = 5;
/// So many facts of an entity are looked at to tell what it is.
const MOST_FACTS: usize = 16;
/// What is proposed alone must be more than this likelier than what comes next.
const MARGIN: f64 = 0.025;

/// An entity that a mention may mean, although it is known by another name.
#[derive(Clone, Debug, PartialEq)]
pub struct Likely {
    /// The entity, as its facts are told.
    pub entity: Term,
    /// The name of it that was compared, why it may be meant, and how much that says.
    pub evidence: Evidence,
}

/// A mention that may mean entities known by other names. It is an entity of its own until somebody merges it.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The name as it is known from now on.
    pub mention: Term,
    /// What it may mean, the likeliest first.
    pub likely: Vec<Likely>,
}

/// Two entities that may be one.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The one that would be another name: the shorter one.
    pub from: Term,
    /// The one that both would be.
    pub into: Term,
    /// Why, and how much that says.
    pub evidence: Evidence,
    /// Whether neither of the two is as likely to be a third one.
    pub only: bool,
}

/// A name that a claim read from prose has at one end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mentioned {
    name: String,
    /// What the relation leaves for it to be; empty if it says nothing.
    sorts: Vec<String>,
}

impl Mentioned {
    fn is_person(&self) -> bool {
        !self.sorts.is_empty() && self.sorts.iter().all(|sort| sort == "person")
    }
}

/// The names at the ends of claims, each way of using one once.
pub(super) fn mentioned<'c>(claims: impl Iterator<Item = &'c Claim>, policies: &Policies) -> BTreeSet<Mentioned> {
    let mut found = BTreeSet::new();
    for claim in claims {
        let canonical = policies.canonical(&claim.relation);
        let (head, tail) = (&canonical.policy.domain, &canonical.policy.range);
        let (head, tail) = if canonical.inverted { (tail, head) } else { (head, tail) };
        for (term, sorts) in [(&claim.head, head), (&claim.tail, tail)] {
            let Term::Name(name) = term else { continue };
            found.insert(Mentioned { name: name.clone(), sorts: sorts.clone() });
        }
    }
    found
}

/// What mentions come to before they are recorded.
#[derive(Debug, Default)]
pub(super) struct Meant {
    /// Merges that follow from the names alone.
    pub(super) merges: Vec<Record>,
    /// The mentions of entities that are new, by the names that they are known by from now on.
    pub(super) fresh: BTreeSet<Mentioned>,
}

/// Looks at the names of what is about to be recorded.
///
/// A merge by name is recorded once: not where the two are one already, nor where they ever were and somebody parted them, nor where
/// somebody merged the name into something else.
///
/// # Errors
/// What the ledger says.
pub(super) fn meant(mentions: BTreeSet<Mentioned>, loaded: &Loaded, ledger: &mut dyn Ledger) -> Result<Meant, Error> {
    if mentions.is_empty() {
        return Ok(Meant::default());
    }
    let mut bare: Vec<Evidence> = Vec::new();
    let mut fresh = BTreeSet::new();
    {
        let as_of = AsOf { valid_at: Moment::exact(Instant::from_micros(0)), known_at: KnownAt::Latest };
        let view = loaded.projection.snapshot().at(as_of);
        let known = |name: &str| view.term_id(TermRef::Name(name));
        for mut mention in mentions {
            if let Some(evidence) = bare_name(&mention.name, mention.is_person()) {
                mention.name.clone_from(&evidence.name);
                let (from, into) = (known(&evidence.mention), known(&evidence.name));
                if from.is_none() || from != into {
                    bare.push(evidence);
                }
            }
            if is_comparable(&mention.name) && known(&mention.name).is_none() {
                fresh.insert(mention);
            }
        }
    }
    Ok(Meant { merges: merges(bare, ledger)?, fresh })
}

fn own(name: &Term) -> String {
    let mut own = String::new();
    identity(name.as_ref(), &mut own);
    own
}

/// The merges to record of those that follow from names alone.
fn merges(mut bare: Vec<Evidence>, ledger: &mut dyn Ledger) -> Result<Vec<Record>, Error> {
    if bare.is_empty() || !rulebook::policy_of(ledger)?.merges_bare_names() {
        return Ok(Vec::new());
    }
    let mut unions: Unions<String> = Unions::default();
    let mut parted = BTreeSet::new();
    for merge in ledger.merges()? {
        let (from, into) = (own(&merge.from), own(&merge.into));
        if merge.undone.is_some() {
            parted.insert((from, into));
        } else {
            // One that does not fit is in a damaged file only, and `verify` tells of it.
            drop(unions.merge(from, into));
        }
    }
    bare.sort_by(|one, other| one.mention.cmp(&other.mention));
    let mut records = Vec::new();
    for evidence in bare {
        let (from, into) = (Term::Name(evidence.mention.clone()), Term::Name(evidence.name.clone()));
        let pair = (own(&from), own(&into));
        if !parted.contains(&pair) && unions.merge(pair.0, pair.1).is_ok() {
            records.push(Record::Merge { from, into, because: evidence.to_string() });
        }
    }
    Ok(records)
}

/// The places of merges, and of their ends, that follow from names alone which nothing but this observation mentions: they go with it,
/// since they hold its words, and without it they would never have been.
///
/// # Errors
/// What the ledger says.
pub(super) fn left_alone(ledger: &mut dyn Ledger, id: ObservationId) -> Result<Vec<Seq>, Error> {
    let mut by_name: BTreeMap<String, (Term, Vec<Seq>)> = BTreeMap::new();
    ledger.notes(&mut |note| {
        let Note::Merge { seq, from: TermRef::Name(from), into, .. } = note else { return };
        if bare_name(from, true).is_some_and(|bare| own(&Term::Name(bare.name)) == own(&into.to_owned())) {
            let term = Term::Name(from.to_owned());
            by_name.entry(own(&term)).or_insert_with(|| (term, Vec::new())).1.push(seq);
        }
    })?;
    if by_name.is_empty() {
        return Ok(Vec::new());
    }
    let stored = ledger.observation(id)?;
    let claims = stored.iter().flat_map(|stored| &stored.claims);
    let here: BTreeSet<String> = claims.flat_map(|(_, _, claim)| [own(&claim.head), own(&claim.tail)]).collect();
    let mut alone = Vec::new();
    for (name, (term, places)) in by_name.into_iter().filter(|(name, _)| here.contains(name)) {
        let key = |end| SliceKey { entity: term.clone(), end, relations: Vec::new(), other: None };
        let mut elsewhere = false;
        ledger.slice(&[key(ClaimEnd::Head), key(ClaimEnd::Tail)], &mut |row| {
            if let RecordRow::Claim { id: claim, head, tail, .. } = row
                && claim.observation != id
            {
                elsewhere |= [head, tail].into_iter().any(|term| own(&term.to_owned()) == name);
            }
        })?;
        if !elsewhere {
            alone.extend(places);
        }
    }
    alone.sort_unstable();
    Ok(alone)
}

/// Whether a text looks like a name, and is short enough to be compared with others.
fn is_comparable(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.split_whitespace().count() <= MOST_WORDS
        && name.chars().find(|c| c.is_alphanumeric()).is_some_and(|first| !first.is_lowercase() && !first.is_numeric())
}

/// The names of a projection, by what names share that may be of one thing. Holds no name.
#[derive(Debug)]
pub(super) struct NameIndex {
    /// The projection whose numbers it has.
    lineage: Arc<()>,
    through: usize,
    blocks: BlockIndex,
}

impl NameIndex {
    fn of(lineage: &Arc<()>) -> Self {
        Self { lineage: Arc::clone(lineage), through: 0, blocks: BlockIndex::new() }
    }

    /// Takes in the names that are new.
    fn follow(&mut self, view: &View) {
        for number in self.through..view.node_bound() {
            let Ok(number) = u32::try_from(number) else { continue };
            if let Some(Term::Name(name)) = view.term(TermId(number)).filter(|term| is_comparable(text_of(term))) {
                self.blocks.insert(EntityId(number), &Name::read(&name));
            }
        }
        self.through = view.node_bound();
    }
}

fn text_of(term: &Term) -> &str {
    match term {
        Term::Name(name) => name,
        Term::Iri(_) | Term::Blank(_) | Term::Literal(_) => "",
    }
}

/// The entities of a view, for the comparison with one of them or with a new one.
struct Known<'a> {
    view: &'a View,
    policies: &'a Policies,
    blocks: &'a BlockIndex,
    /// The entity that is compared with the others, if it is known.
    this: Option<TermId>,
}

impl Known<'_> {
    /// The same, for comparison with one of them.
    const fn beside(&self, this: Option<TermId>) -> Self {
        Self { this, ..*self }
    }

    /// The entity that a term of this number is now.
    fn entity(&self, number: u32) -> Option<TermId> {
        self.view.term_id(self.view.term(TermId(number))?.as_ref())
    }

    /// What else a mention may mean, the likeliest first, each entity once.
    fn likely(&self, mention: Mention<'_>) -> Vec<(TermId, Evidence)> {
        let found = match resolve(mention, self, &Options::default()) {
            Resolution::Known(only) => vec![only],
            Resolution::Candidates(several) => several,
            Resolution::New => Vec::new(),
        };
        let mut likely: Vec<(TermId, Evidence)> = Vec::new();
        for candidate in found {
            if let Some(entity) = self.entity(candidate.id.0)
                && likely.iter().all(|(known, _)| *known != entity)
            {
                likely.push((entity, candidate.evidence));
            }
        }
        likely
    }

    fn told(&self, likely: Vec<(TermId, Evidence)>) -> Vec<Likely> {
        likely.into_iter().filter_map(|(entity, evidence)| Some(Likely { entity: self.view.term(entity)?, evidence })).collect()
    }
}

impl Lookup for Known<'_> {
    /// The one of this name is known to whoever asks what else is meant.
    fn by_identity(&self, _identity: &str) -> Option<EntityId> {
        None
    }

    /// Another name of an entity is its name too, by the merge that made it one.
    fn by_alias(&self, _identity: &str) -> Vec<EntityId> {
        Vec::new()
    }

    fn by_block(&self, key: BlockKey, found: &mut Vec<EntityId>) {
        found.extend(self.blocks.get(key));
    }

    fn names(&self, id: EntityId, visit: &mut dyn FnMut(&str)) {
        let Some(term) = self.view.term(TermId(id.0)) else { return };
        let entity = self.view.term_id(term.as_ref());
        if entity.is_some() && entity != self.this {
            visit(text_of(&term));
        }
    }

    fn sorts(&self, id: EntityId) -> Vec<String> {
        self.entity(id.0).map(|entity| sorts_of(self.view, self.policies, entity)).unwrap_or_default()
    }
}

/// What an entity may be, as the relations of its first facts have it; nothing where they say nothing.
fn sorts_of(view: &View, policies: &Policies, entity: TermId) -> Vec<String> {
    let mut sorts = Vec::new();
    for edge in view.edges(entity).take(MOST_FACTS) {
        let Some(policy) = view.relation(edge.relation).and_then(|relation| policies.get(relation)) else { continue };
        for sort in if edge.outgoing { &policy.domain } else { &policy.range } {
            if !sorts.contains(sort) {
                sorts.push(sort.clone());
            }
        }
    }
    sorts
}

impl Tenant {
    /// What a mention may mean beside the entity that has exactly this name, the likeliest first, with the evidence for each: by title,
    /// initial, nickname, order, spelling, or as a part of the name. Nothing is merged.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    ///
    /// # Complexity
    /// Some 100 µs, however many entities there are; the first call reads all names once, some 15 µs for each.
    ///
    /// ```
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let tenant = Memory::open(folder.path())?.tenant(&TenantId::new("t")?);
    /// let input = r#"{"observed_at": "2024-05-01T09:00:00Z", "head": "Robert Hale", "relation": "lives_in", "tail": "Oslo", "from": "2015"}"#;
    /// tenant.remember(Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())?;
    ///
    /// let likely = tenant.candidates("Bob Hale")?;
    /// assert_eq!(likely[0].entity.to_string(), "Robert Hale");
    /// assert_eq!(likely[0].evidence.to_string(), "\"Bob Hale\" for \"Robert Hale\": nickname (bob, robert); score 0.90");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn candidates(&self, mention: &str) -> Result<Vec<Likely>, Error> {
        let found = self.compared(usize::MAX, |known| {
            let this = known.beside(known.view.term_id(TermRef::Name(mention)));
            let sorts = this.this.map(|entity| sorts_of(this.view, this.policies, entity)).unwrap_or_default();
            let sorts: Vec<&str> = sorts.iter().map(String::as_str).collect();
            this.told(this.likely(Mention { text: mention, sorts: &sorts }))
        })?;
        Ok(found.unwrap_or_default())
    }

    /// What new mentions may mean; nothing where to tell would take too long.
    pub(super) fn doubts(&self, fresh: &BTreeSet<Mentioned>) -> Result<Vec<Doubt>, Error> {
        if fresh.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.compared(MOST_UNASKED, |known| {
            let mut doubts: Vec<Doubt> = Vec::new();
            for mention in fresh {
                let this = known.beside(known.view.term_id(TermRef::Name(&mention.name)));
                let sorts: Vec<&str> = mention.sorts.iter().map(String::as_str).collect();
                let likely = this.told(this.likely(Mention { text: &mention.name, sorts: &sorts }));
                let mention = Term::Name(mention.name.clone());
                // The ways of using a name follow each other.
                if !likely.is_empty() && doubts.last().is_none_or(|last| last.mention != mention) {
                    doubts.push(Doubt { mention, likely });
                }
            }
            doubts
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Which entities may be one, with at least this score (from 0 to 1), the likeliest first, then by name. Pairs that were merged and
    /// parted again are not proposed.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    ///
    /// # Complexity
    /// Linear in the entities, some 100 µs for each.
    pub fn proposals(&self, least: f64) -> Result<Vec<Proposal>, Error> {
        let ever: BTreeSet<(String, String)> = self.merges()?.iter().map(|merge| ordered(own(&merge.from), own(&merge.into))).collect();
        let found = self.compared(usize::MAX, |known| proposals(known, least, &ever))?;
        Ok(found.unwrap_or_default())
    }

    /// Runs a comparison on the state that is read now; `None` where the names would have to be read first and are more than `most`.
    fn compared<T>(&self, most: usize, work: impl FnOnce(&Known<'_>) -> T) -> Result<Option<T>, Error> {
        let Published { snapshot, policies, lineage, .. } = self.current()?;
        let view = snapshot.at(self.now());
        let mut names = self.shared().lock_names();
        if names.as_ref().is_none_or(|names| !Arc::ptr_eq(&names.lineage, &lineage)) {
            *names = None;
        }
        let done = names.as_ref().map_or(0, |names| names.through);
        if view.node_bound().saturating_sub(done) > most {
            return Ok(None);
        }
        let index = names.get_or_insert_with(|| NameIndex::of(&lineage));
        index.follow(&view);
        Ok(Some(work(&Known { view: &view, policies: &policies, blocks: &index.blocks, this: None })))
    }
}

/// What the entities of a view may be of each other.
fn proposals(known: &Known<'_>, least: f64, ever: &BTreeSet<(String, String)>) -> Vec<Proposal> {
    let mut likely: BTreeMap<TermId, Vec<(TermId, Evidence)>> = BTreeMap::new();
    for number in 0..known.view.node_bound() {
        let Ok(number) = u32::try_from(number) else { continue };
        let (entity, term) = (TermId(number), known.view.term(TermId(number)));
        let Some(Term::Name(name)) = term.filter(|term| is_comparable(text_of(term))) else { continue };
        if known.entity(number) != Some(entity) {
            continue;
        }
        let sorts = sorts_of(known.view, known.policies, entity);
        let sorts: Vec<&str> = sorts.iter().map(String::as_str).collect();
        let found = known.beside(Some(entity)).likely(Mention { text: &name, sorts: &sorts });
        if !found.is_empty() {
            likely.insert(entity, found);
        }
    }
    // The one that an entity may be, if no other is as likely.
    let only = |entity: TermId| {
        let found = likely.get(&entity)?;
        let (best, evidence) = found.first()?;
        let next = found.get(1).map_or(0.0, |(_, next)| next.score);
        (evidence.score - next > MARGIN).then_some(*best)
    };
    let mut pairs: BTreeMap<(String, String), Proposal> = BTreeMap::new();
    for (entity, found) in &likely {
        for (other, evidence) in found.iter().filter(|(_, evidence)| evidence.score >= least) {
            let (Some(one), Some(two)) = (known.view.term(*entity), known.view.term(*other)) else { continue };
            let key = ordered(own(&one), own(&two));
            if ever.contains(&key) || pairs.contains_key(&key) {
                continue;
            }
            let only = only(*entity) == Some(*other) && only(*other) == Some(*entity);
            let mut evidence = evidence.clone();
            let (from, into) = if is_fuller(&one, &two) {
                std::mem::swap(&mut evidence.mention, &mut evidence.name);
                (two, one)
            } else {
                (one, two)
            };
            pairs.insert(key, Proposal { from, into, evidence, only });
        }
    }
    let mut proposals: Vec<Proposal> = pairs.into_values().collect();
    // The sort is stable, and pairs come by name.
    proposals.sort_by(|one, two| two.evidence.score.total_cmp(&one.evidence.score));
    proposals
}

/// Whether one name says more than another: more words, more letters in them, less around them; of two that say as much, the lesser text.
fn is_fuller(one: &Term, two: &Term) -> bool {
    let weight = |term: &Term| {
        let (name, text) = (Name::read(text_of(term)), text_of(term).to_owned());
        let letters: usize = name.words().map(|word| word.chars().count()).sum();
        (name.words().count(), letters, Reverse(text.chars().count()), Reverse(text))
    };
    weight(one) > weight(two)
}

fn ordered(one: String, other: String) -> (String, String) {
    if one <= other { (one, other) } else { (other, one) }
}
