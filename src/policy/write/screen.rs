//! What comes before storage: masks in the text and in ready claims, what the role and the source allow, blocks of recalled memory.

use super::file::{Taken, Where};
use super::mask::{Kinds, MaskKind, may_hold};
use super::rewrite::{Edit, Hunt, Moves, rewrite, settle};
use super::vault::{self, Vault};
use super::words::{Folded, sentences};
use super::{Consents, Refusal, WritePolicy, unread};
use crate::extract::visible;
use crate::model::{Authority, Claim, Correction, Literal, Observation, ObservationKind, Quote, Term};
use crate::observe::{Incoming, identify};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// What may become of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is stored and read for claims.
    Facts,
    /// It is stored and searchable; nothing is read from it, for this reason.
    Text(Refusal),
    /// It is not stored, for this reason.
    Nothing(Refusal),
}

/// Where a mask is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the text as stored, in characters: its placeholder.
    Text(Quote),
    /// In another field of the observation.
    Field(&'static str),
    /// In a ready claim.
    Claim {
        /// Its place among the ready claims, from 0.
        ordinal: u32,
        /// Its head, relation, tail or corrects.
        field: &'static str,
    },
}

/// One mask: what sort of value, and where. Never the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    /// What sort of value it was.
    pub kind: MaskKind,
    /// The category of a sentence that was withheld.
    pub category: Option<String>,
    /// Where its placeholder is.
    pub place: Place,
    /// Where the value was in the text as given, in characters; of other places `None`.
    pub given: Option<Quote>,
    /// Whether a vault keeps the value.
    pub kept: bool,
}

/// An observation as it may be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Screened {
    /// The observation and its ready claims with every mask in place, under the id of this content; quotes lie in the text as stored. If it
    /// is not to be stored, its text and its claims are gone.
    pub incoming: Incoming,
    /// What may become of it.
    pub fate: Fate,
    /// What was masked: in the text in its order, then in fields and claims.
    pub masked: Vec<Masked>,
    /// Stretches of the text as stored that nothing is to be read from, in characters, in order and apart: recalled memory, and what a page
    /// orders its reader to do. [`judge`](super::judge()) names them with their reasons.
    pub skipped: Vec<Quote>,
    moves: Moves,
}

impl Screened {
    /// What an extractor may read: the observation with blanks where nothing is to be read, a character for a character, so that places
    /// stay. `None` if nothing is to be read from it.
    #[must_use]
    pub fn readable(&self) -> Option<Cow<'_, Incoming>> {
        if self.fate != Fate::Facts {
            return None;
        }
        let Some(text) = self.incoming.observation.text.as_deref().filter(|_| !self.skipped.is_empty()) else {
            return Some(Cow::Borrowed(&self.incoming));
        };
        let mut skipped = self.skipped.iter().peekable();
        let blanked = text.chars().zip(0_u32..).map(|(c, at)| {
            while skipped.next_if(|quote| quote.to <= at).is_some() {}
            let inside = skipped.peek().is_some_and(|quote| quote.from <= at);
            if inside && c != '\n' { ' ' } else { c }
        });
        let text = blanked.collect();
        let mut incoming = self.incoming.clone();
        incoming.observation.text = Some(text);
        Some(Cow::Owned(incoming))
    }

    /// Where a stretch of the text as stored was in the text as given, in characters; a placeholder leads to the value it stands for.
    #[must_use]
    pub fn given(&self, stored: Quote) -> Quote {
        self.moves.to_given(stored)
    }

    /// Where a stretch of the text as given is in the text as stored, in characters.
    #[must_use]
    pub fn stored(&self, given: Quote) -> Quote {
        self.moves.to_stored(given)
    }
}

/// Makes an observation fit to be stored: masks it, and says what may become of it. Deterministic; the same input under the same policy
/// and consents is the same observation, and screening twice is screening once.
///
/// A value that is masked at one place is masked wherever else the observation has it, in any field.
///
/// ```
/// use erstwhile::model::{Authority, ObservationKind, Source};
/// use erstwhile::policy::{Consents, MaskKind, WritePolicy, screen};
/// use erstwhile::time::ZonedInstant;
/// use erstwhile::Incoming;
/// let user = Source { authority: Authority::User, name: None };
/// let said = "My card is 4111 1111 1111 1111, order 77.";
/// let turn = Incoming::from_text(ObservationKind::Chat, ZonedInstant::parse("2024-05-01T09:00:00Z")?, user, said);
/// let screened = screen(turn, &WritePolicy::shipped(), &Consents::default());
/// assert_eq!(screened.incoming.observation.text.as_deref(), Some("My card is [card], order 77."));
/// assert_eq!(screened.masked[0].kind, MaskKind::Card);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
/// Linear in the observation.
#[must_use]
pub fn screen(incoming: Incoming, policy: &WritePolicy, consents: &Consents) -> Screened {
    Screen::new(policy, consents).run(incoming)
}

/// As [`screen`], and offers each masked value to a vault if the policy says so (`mask.vault`).
#[must_use]
pub fn screen_into(incoming: Incoming, policy: &WritePolicy, consents: &Consents, vault: &mut dyn Vault) -> Screened {
    let vault = if policy.file().mask.vault { Some(vault) } else { None };
    Screen { vault, ..Screen::new(policy, consents) }.run(incoming)
}

/// [`screen`] for many observations: what depends on the policy alone is worked out once.
pub struct Screen<'s, 'v> {
    policy: &'s WritePolicy,
    consents: &'s Consents,
    vault: Option<&'v mut dyn Vault>,
    /// Relations seen so far, and whether each is a word that says what its tail is.
    labels: FxHashMap<String, bool>,
}

impl std::fmt::Debug for Screen<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screen").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// So many relations are kept in mind.
const LABELS_KEPT: usize = 4096;

/// What a stretch is masked as.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sort {
    kind: MaskKind,
    category: Option<String>,
    kept: bool,
}

/// The short fields of an observation that a value may have strayed into.
type Field = (&'static str, fn(&mut Observation) -> Option<&mut String>);

const FIELDS: [Field; 5] = [
    ("source", |observation| observation.source.name.as_mut()),
    ("session", |observation| observation.session.as_mut()),
    ("speaker", |observation| observation.speaker.as_mut()),
    ("role", |observation| observation.role.as_mut()),
    ("key", |observation| observation.key.as_mut()),
];

impl<'s> Screen<'s, '_> {
    /// Screens by a policy and consents, with no vault.
    #[must_use]
    pub fn new(policy: &'s WritePolicy, consents: &'s Consents) -> Self {
        Self { policy, consents, vault: None, labels: FxHashMap::default() }
    }

    /// As [`screen`].
    pub fn run(&mut self, mut incoming: Incoming) -> Screened {
        let policy = self.policy;
        let before = incoming.observation.source.authority;
        if let Some(authority) = policy.source(&incoming.observation.source).and_then(|rule| rule.authority) {
            incoming.observation.source.authority = authority.authority();
        }
        let mut changed = before != incoming.observation.source.authority;
        changed |= show(&mut incoming.observation);
        let length = incoming.observation.text.as_ref().map_or(0, String::len);
        let (taken, why) = policy.taken(&incoming.observation, true);
        let fate = match (taken, why) {
            (Taken::Nothing, why) => Fate::Nothing(why.unwrap_or(Refusal::Source)),
            _ if length > policy.file().limits.text => Fate::Nothing(Refusal::TooLong),
            (Taken::Text, why) => Fate::Text(why.unwrap_or(Refusal::Source)),
            (Taken::Facts, _) if length > policy.file().limits.read => Fate::Text(Refusal::TooLong),
            (Taken::Facts, _) => Fate::Facts,
        };
        if matches!(fate, Fate::Nothing(_)) {
            incoming.observation.text = None;
            incoming.ready = Vec::new();
            return Screened { incoming, fate, masked: Vec::new(), skipped: Vec::new(), moves: Moves::default() };
        }
        let subject = incoming.observation.speaker.clone();
        let mut hunt = Hunt::new();
        let mut edits = match incoming.observation.text.as_deref() {
            Some(text) => {
                let kinds = policy.masks(place_of(&incoming.observation), subject.as_deref(), self.consents);
                self.text(text, kinds, subject.as_deref(), &mut hunt)
            }
            None => Vec::new(),
        };
        let mut masked = Vec::new();
        if !incoming.ready.is_empty() {
            let in_claims = policy.masks(Where::Claims, subject.as_deref(), self.consents);
            if !in_claims.is_empty() {
                for (claim, ordinal) in incoming.ready.iter_mut().zip(0..) {
                    self.claim(claim, ordinal, in_claims, &mut hunt, &mut masked);
                }
            }
        }
        let in_fields = policy.masks(place_of(&incoming.observation), subject.as_deref(), self.consents);
        self.fields(&mut incoming.observation, in_fields, &mut hunt, &mut masked);
        let mut moves = Moves::default();
        if !hunt.is_empty() {
            everywhere(&hunt, &mut incoming, &mut edits, &mut masked);
        }
        if !edits.is_empty() {
            let edits = settle(edits);
            let text = incoming.observation.text.take().unwrap_or_default();
            let (stored, moved) = rewrite(&text, &edits);
            let in_order = edits.into_iter().zip(moved.iter()).map(|(edit, (given, stored))| {
                let Sort { kind, category, kept } = edit.kind;
                Masked { kind, category, place: Place::Text(*stored), given: Some(*given), kept }
            });
            masked.splice(0..0, in_order);
            incoming.observation.text = Some(stored);
            for quote in incoming.ready.iter_mut().filter_map(|claim| claim.quote.as_mut()) {
                *quote = moved.to_stored(*quote);
            }
            moves = moved;
        }
        changed |= !masked.is_empty();
        if changed {
            incoming.observation.id = identify(&incoming.observation, &incoming.ready);
        }
        let text = incoming.observation.text.as_deref().unwrap_or_default();
        let skipped = quotes(text, unread::unread(&incoming.observation, policy).iter().map(|(range, _)| range));
        Screened { incoming, fate, masked, skipped, moves }
    }

    /// The edits that a text needs by itself; what they take out is to be hunted elsewhere.
    fn text(&mut self, text: &str, kinds: Kinds, subject: Option<&str>, hunt: &mut Hunt<As>) -> Vec<Edit<Sort>> {
        let folded = Folded::new(text);
        let mut edits = self.values(text, &folded, kinds, hunt);
        if self.policy.withholds() {
            let hits = self.policy.0.sensitive.find(&folded);
            let all = if hits.is_empty() { Vec::new() } else { sentences(&folded.text) };
            for hit in hits {
                let name = self.policy.categories().nth(usize::from(hit.what)).unwrap_or_default();
                let allowed = subject.map_or_else(|| self.consents.allow_everyone(name), |subject| self.consents.allow(subject, name));
                let Some(range) = all.get(all.partition_point(|range| range.end <= hit.start)).filter(|_| !allowed) else { continue };
                let sentence = folded.text.get(range.clone()).unwrap_or_default();
                let trimmed = range.start + (sentence.len() - sentence.trim_start().len())..range.start + sentence.trim_end().len();
                let sort = Sort { kind: MaskKind::Withheld, category: Some(name.to_owned()), kept: false };
                edits.push(Edit {
                    range: folded.given(trimmed),
                    placeholder: format!("[withheld, {}]", name.replace('_', " ")),
                    kind: sort,
                });
            }
        }
        edits
    }

    /// The values of these kinds in a text.
    fn values(&mut self, text: &str, folded: &Folded<'_>, kinds: Kinds, hunt: &mut Hunt<As>) -> Vec<Edit<Sort>> {
        if kinds.is_empty() {
            return Vec::new();
        }
        let policy = self.policy;
        let mask = &policy.file().mask;
        let edits = policy.0.masker.find(folded, kinds).into_iter().filter_map(|one| {
            let range = folded.given(one.range.clone());
            let (value, reads) = (text.get(range.clone())?, folded.text.get(one.range)?);
            // What is part of a placeholder would stay in the text whatever is done.
            let stays = mask.kind.values().any(|rule| rule.r#as.0.contains(value));
            if stays || mask.never.iter().any(|never| never == value || never == reads) {
                return None;
            }
            let (placeholder, sort) = self.masked_as(one.kind, value);
            hunt.add(value, (placeholder.clone(), sort.clone()));
            if reads != value {
                hunt.add(reads, (placeholder.clone(), sort.clone()));
            }
            Some(Edit { range, placeholder, kind: sort })
        });
        edits.collect()
    }

    fn masked_as(&mut self, kind: MaskKind, value: &str) -> As {
        let rules = &self.policy.file().mask.kind;
        let placeholder = rules.iter().find(|(named, _)| named.0 == kind).map_or("[masked]", |(_, rule)| rule.r#as.0.as_str());
        let name = self.vault.as_mut().and_then(|vault| vault.keep(kind, value)).filter(|name| vault::is_name(name));
        let sort = Sort { kind, category: None, kept: name.is_some() };
        (name.map_or_else(|| placeholder.to_owned(), |name| vault::named(placeholder, &name)), sort)
    }

    fn is_label(&mut self, relation: &str) -> bool {
        if let Some(label) = self.labels.get(relation) {
            return *label;
        }
        let label = !self.policy.0.masker.labels.find(&Folded::new(relation)).is_empty();
        if self.labels.len() < LABELS_KEPT {
            self.labels.insert(relation.to_owned(), label);
        }
        label
    }

    /// Masks the short fields by themselves, as the text would be; an id is often drawn by lot, and no key for it.
    fn fields(&mut self, observation: &mut Observation, kinds: Kinds, hunt: &mut Hunt<As>, masked: &mut Vec<Masked>) {
        for (name, field) in FIELDS {
            let Some(text) = field(observation).filter(|text| may_hold(text)) else { continue };
            let kinds = if matches!(name, "session" | "key") { kinds.in_ids() } else { kinds };
            let edits = self.values(text, &Folded::new(text), kinds, hunt);
            replace(text, edits, Place::Field(name), masked);
        }
    }

    /// Masks the terms, the relation and the context of a ready claim.
    fn claim(&mut self, claim: &mut Claim, ordinal: u32, kinds: Kinds, hunt: &mut Hunt<As>, masked: &mut Vec<Masked>) {
        // A relation may be the word that says what its tail is: password, "hunter2".
        let word = self.is_label(&claim.relation).then(|| format!("{}: ", claim.relation.replace('_', " ")));
        for (field, term) in terms(claim) {
            let said = text_of(term);
            let word = word.as_deref().filter(|_| field != "head");
            if !may_hold(said) && word.is_none() {
                continue;
            }
            let said = said.to_owned();
            let mut edits = self.values(&said, &Folded::new(&said), kinds, hunt);
            if let Some(word) = word.filter(|_| edits.is_empty()) {
                let whole = format!("{word}{said}");
                let inside = |edit: Edit<Sort>| {
                    let range = edit.range.start.checked_sub(word.len())?..edit.range.end.checked_sub(word.len())?;
                    Some(Edit { range, ..edit })
                };
                edits = self.values(&whole, &Folded::new(&whole), kinds, hunt).into_iter().filter_map(inside).collect();
            }
            put(term, edits, Place::Claim { ordinal, field }, masked);
        }
        if may_hold(&claim.relation) {
            let said = claim.relation.clone();
            let edits = self.values(&said, &Folded::new(&said), kinds, hunt);
            replace(&mut claim.relation, edits, Place::Claim { ordinal, field: "relation" }, masked);
        }
        let context = claim.context.as_deref().filter(|context| may_hold(context));
        if let Some(edits) = context.map(|said| self.values(said, &Folded::new(said), kinds.in_ids(), hunt)) {
            unname(claim, edits, ordinal, masked);
        }
    }
}

/// Takes the context from a claim that names it by a masked value: a graph cannot be named without its name, so that what was said there is
/// left with nothing.
fn unname(claim: &mut Claim, edits: Vec<Edit<Sort>>, ordinal: u32, masked: &mut Vec<Masked>) {
    if let Some(edit) = edits.into_iter().next() {
        claim.context = None;
        claim.tail = Term::Name(NOTHING_LEFT.to_owned());
        let place = Place::Claim { ordinal, field: "context" };
        masked.push(Masked { kind: edit.kind.kind, category: edit.kind.category, place, given: None, kept: edit.kind.kept });
    }
}

/// Takes invisible marks out of the names that people go by, so that one with such a mark is no other: speaker, source, session, role. Says
/// whether there were any.
fn show(observation: &mut Observation) -> bool {
    let mut changed = false;
    for (_, field) in FIELDS.iter().filter(|(name, _)| *name != "key") {
        if let Some(text) = field(observation)
            && let Cow::Owned(shown) = visible(text)
            && !shown.trim().is_empty()
        {
            text.clear();
            text.push_str(shown.trim());
            changed = true;
        }
    }
    changed
}

/// The kind of a masked value that a claim's words have, however they came by it; `None` if there is none, or if the text has the value
/// where its own words say that it is none ("order 4111…").
pub(super) fn held(policy: &WritePolicy, kinds: Kinds, claim: &Claim, text: &str) -> Option<(&'static str, MaskKind)> {
    let masker = &policy.0.masker;
    let corrected = match &claim.corrects {
        Some(Correction::Tail(tail)) => Some(("corrects", text_of(tail))),
        Some(Correction::Claim(_)) | None => None,
    };
    let context = claim.context.as_deref().map(|context| ("context", context));
    let words = [("head", text_of(&claim.head)), ("tail", text_of(&claim.tail))].into_iter().chain(corrected).chain(context);
    words.filter(|(_, said)| may_hold(said)).find_map(|(field, said)| {
        let folded = Folded::new(said);
        let found = masker.find(&folded, kinds).into_iter().find(|one| {
            let value = said.get(folded.given(one.range.clone())).unwrap_or_default();
            let mask = &policy.file().mask;
            let stays = mask.kind.values().any(|rule| rule.r#as.0.contains(value)) || mask.never.iter().any(|never| never == value);
            !stays && !text.contains(value)
        })?;
        Some((field, found.kind))
    })
}

/// What a value is masked as: its placeholder, and the sort of the mask.
type As = (String, Sort);

/// The edits that take out of a text what was masked elsewhere.
fn hunted(hunt: &Hunt<As>, text: &str) -> Vec<Edit<Sort>> {
    let found = hunt.find(text).into_iter();
    found.map(|(range, (placeholder, sort))| Edit { range, placeholder: placeholder.clone(), kind: sort.clone() }).collect()
}

/// Masks what was masked at one place at every other one; the text's own edits are added to.
fn everywhere(hunt: &Hunt<As>, incoming: &mut Incoming, edits: &mut Vec<Edit<Sort>>, masked: &mut Vec<Masked>) {
    edits.extend(hunted(hunt, incoming.observation.text.as_deref().unwrap_or_default()));
    for (name, field) in FIELDS {
        if let Some(text) = field(&mut incoming.observation) {
            let edits = hunted(hunt, text);
            replace(text, edits, Place::Field(name), masked);
        }
    }
    for (claim, ordinal) in incoming.ready.iter_mut().zip(0..) {
        for (field, term) in terms(claim) {
            let edits = hunted(hunt, text_of(term));
            put(term, edits, Place::Claim { ordinal, field }, masked);
        }
        let edits = hunted(hunt, &claim.relation);
        replace(&mut claim.relation, edits, Place::Claim { ordinal, field: "relation" }, masked);
        let edits = claim.context.as_deref().map(|context| hunted(hunt, context)).unwrap_or_default();
        unname(claim, edits, ordinal, masked);
    }
}

/// The tail of a claim whose context was masked.
const NOTHING_LEFT: &str = "[masked]";

/// The terms of a claim that hold text, by their fields.
fn terms(claim: &mut Claim) -> impl Iterator<Item = (&'static str, &mut Term)> {
    let corrected = match &mut claim.corrects {
        Some(Correction::Tail(tail)) => Some(("corrects", tail)),
        Some(Correction::Claim(_)) | None => None,
    };
    [("head", &mut claim.head), ("tail", &mut claim.tail)].into_iter().chain(corrected)
}

/// What a term says, whatever it is.
fn text_of(term: &Term) -> &str {
    match term {
        Term::Name(text) | Term::Iri(text) | Term::Blank(text) => text,
        Term::Literal(literal) => &literal.lexical,
    }
}

/// Puts masks into a term. A typed literal becomes a text; an IRI or a blank node, which a placeholder cannot be part of, a name.
fn put(term: &mut Term, edits: Vec<Edit<Sort>>, place: Place, masked: &mut Vec<Masked>) {
    if edits.is_empty() {
        return;
    }
    let mut text = text_of(term).to_owned();
    let whole = edits.first().map(|edit| edit.placeholder.clone()).unwrap_or_default();
    replace(&mut text, edits, place, masked);
    *term = match term {
        Term::Name(_) => Term::Name(text),
        Term::Iri(_) | Term::Blank(_) => Term::Name(whole),
        Term::Literal(Literal { datatype: None, language: Some(language), .. }) => Term::Literal(Literal::in_language(text, language)),
        Term::Literal(_) => Term::Literal(Literal::text(text)),
    };
}

/// Puts masks into a short text, and reports them.
fn replace(text: &mut String, edits: Vec<Edit<Sort>>, place: Place, masked: &mut Vec<Masked>) {
    if edits.is_empty() {
        return;
    }
    let edits = settle(edits);
    *text = rewrite(text, &edits).0;
    let report = |edit: Edit<Sort>| Masked { kind: edit.kind.kind, category: edit.kind.category, place, given: None, kept: edit.kind.kept };
    masked.extend(edits.into_iter().map(report));
}

/// What sort of place an observation's text is.
pub(super) fn place_of(observation: &Observation) -> Where {
    match (observation.kind, observation.source.authority) {
        (ObservationKind::ToolResult, _) | (_, Authority::Tool) => Where::Tool,
        (ObservationKind::Document, _) | (_, Authority::Document) => Where::Document,
        (ObservationKind::Chat, _) => Where::Chat,
        (ObservationKind::Claims, _) => Where::Claims,
    }
}

/// Stretches in bytes, in order, as characters.
fn quotes<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>>) -> Vec<Quote> {
    let (mut at, mut characters) = (0, 0_u32);
    let mut count = |to: usize| {
        characters = characters.saturating_add(u32::try_from(text.get(at..to).map_or(0, |part| part.chars().count())).unwrap_or(u32::MAX));
        at = to;
        characters
    };
    ranges.map(|range| Quote { from: count(range.start), to: count(range.end) }).collect()
}
