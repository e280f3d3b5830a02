//! Interned terms: a number for each identity, and the surface it is displayed by.
//!
//! Owns the bytes of identities and surfaces. Knows nothing of claims but their numbers, under which it keeps which surface one used.

use super::index::{HashIndex, hash_of};
use super::intake::{Intake, Mentioned};
use super::pvec::{ARC, PVec, Sparse};
use crate::model::{Term, TermRef};
use crate::resolve::identity;
use rustc_hash::FxHashMap;
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// Bytes of a page of strings; a string longer than a quarter of it is kept apart.
const PAGE: usize = 8192;
/// The length that says: a string of its own, in `long`.
const LONG: u16 = u16::MAX;
/// Set in [`Place::page`] where the term has more than one surface.
const MANY_SURFACES: u32 = 1 << 31;

/// Where a string lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    page: u32,
    offset: u16,
    len: u16,
}

/// Strings one after the other.
#[derive(Clone, Debug)]
struct Page {
    used: u16,
    bytes: [u8; PAGE],
}

/// How often each term is mentioned: in heads, tails and corrected tails of claims. Only the writer asks.
#[derive(Debug, Default)]
struct Uses(Vec<u32>);

impl Uses {
    fn of(&self, term: u32) -> u32 {
        self.0.get(term as usize).copied().unwrap_or_default()
    }

    fn add(&mut self, term: u32) {
        if let Some(uses) = self.0.get_mut(term as usize) {
            *uses += 1;
        }
    }

    /// One use less; how many are left.
    fn take(&mut self, term: u32) -> u32 {
        self.0.get_mut(term as usize).map_or(0, |uses| {
            *uses = uses.saturating_sub(1);
            *uses
        })
    }
}

/// Further surfaces of one identity.
#[derive(Clone, Debug, Default)]
struct Surfaces {
    /// Each with the number of its mentions; the mentions of the first surface are the rest.
    further: Vec<(Place, u32)>,
    /// Which is displayed: 0 for the first surface, else one more than the place in `further`.
    shown: u32,
}

/// Which mention of a term in a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    /// Head or tail, as stated.
    Head,
    /// Tail, as stated.
    Tail,
    /// The tail that the claim corrects.
    Corrected,
}

/// For each mention of a claim, which surface it used: 0 for the first, else one more than the place among the further ones.
type Said = [u32; 3];

/// All terms. The bytes of each are the length of its identity, the identity, and the first surface where that is no part of the identity.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    rows: PVec<Place, 256>,
    pages: PVec<Option<Arc<Page>>, 16>,
    long: PVec<Option<Arc<Vec<u8>>>, 16>,
    index: HashIndex,
    surfaces: Sparse<Arc<Surfaces>>,
    said: Sparse<Said>,
}

/// What the writer keeps of mentions.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    uses: Uses,
    respelt: Vec<Respelt>,
    /// Terms that stay known whatever claims mention them, with the spelling that they are then displayed by.
    held: FxHashMap<u32, String>,
}

/// A mention with another surface than its term's first, not yet counted.
#[derive(Debug)]
struct Respelt {
    term: u32,
    claim: u32,
    mention: Mention,
    /// The surface; empty for a mention that only makes the count of the first one greater.
    surface: String,
}

impl Terms {
    /// How many numbers have been given, those of forgotten terms included.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of an identity (see [`crate::resolve::identity`]).
    pub(super) fn find(&self, identity: &str) -> Option<u32> {
        self.index.find(hash_of(identity), |term| self.identity(term) == identity.as_bytes())
    }

    /// The identity of a term; empty for a forgotten one.
    pub(super) fn identity(&self, term: u32) -> &[u8] {
        self.bytes_of(term).map_or(&[], |bytes| halves(bytes).0)
    }

    /// Whether a term is known and no literal.
    pub(super) fn is_entity(&self, term: u32) -> bool {
        self.identity(term).first().is_some_and(|kind| *kind != b'l')
    }

    /// Orders two terms by identity: by content, never by number.
    pub(super) fn cmp(&self, left: u32, right: u32) -> Ordering {
        if left == right { Ordering::Equal } else { self.identity(left).cmp(self.identity(right)) }
    }

    /// The term as displayed: by its most frequent surface, then the least; `None` for a forgotten one.
    pub(super) fn shown(&self, term: u32) -> Option<TermRef<'_>> {
        let place = self.rows.get(term as usize)?;
        if place.page & MANY_SURFACES != 0
            && let Some(surfaces) = self.surfaces.get(term)
            && let Some((place, _)) = (surfaces.shown as usize).checked_sub(1).and_then(|at| surfaces.further.get(at))
        {
            return self.bytes_at(*place).and_then(text).map(TermRef::Name);
        }
        self.bytes_at(*place).and_then(first_surface)
    }

    /// The displayed term, owned; an empty name for a forgotten one.
    pub(super) fn owned(&self, term: u32) -> Term {
        self.shown(term).map_or_else(|| Term::Name(String::new()), TermRef::to_owned)
    }

    /// Bytes held, without those of the strings.
    pub(super) fn bytes(&self) -> usize {
        let surfaces =
            self.surfaces.iter().map(|(_, surfaces)| size_of::<Surfaces>() + ARC + surfaces.further.capacity() * size_of::<(Place, u32)>());
        self.rows.bytes()
            + self.pages.bytes()
            + self.long.bytes()
            + self.index.bytes()
            + self.surfaces.bytes()
            + self.said.bytes()
            + surfaces.sum::<usize>()
    }

    /// Bytes of the strings.
    pub(super) fn string_bytes(&self) -> usize {
        let long = self.long.iter().flatten().map(|long| long.capacity() + size_of::<Vec<u8>>() + ARC);
        self.pages.iter().flatten().count() * (size_of::<Page>() + ARC) + long.sum::<usize>()
    }

    /// The number of a term, new or not, with one more use. A mention that is spelt differently from the first is counted by
    /// [`Terms::count`].
    pub(super) fn mention(&mut self, at: usize, intake: &Intake, claim: u32, mention: Mention, writer: &mut Mentions) -> u32 {
        let Mentions { uses, respelt, .. } = writer;
        let Some(mentioned) = intake.mentions.get(at) else { return u32::MAX };
        let (key, surface) = (intake.identity(mentioned), intake.surface(mentioned));
        let mut same = true;
        let found = self.index.find(mentioned.hash, |term| {
            let Some(bytes) = self.bytes_of(term) else { return false };
            let (identity, first) = halves(bytes);
            if identity != key.as_bytes() {
                return false;
            }
            let first = if first.is_empty() { identity.get(1..).unwrap_or_default() } else { first };
            same = surface.is_none_or(|surface| surface.as_bytes() == first);
            true
        });
        let Some(number) = found else {
            uses.0.push(1);
            return self.add(mentioned.hash, key, surface);
        };
        uses.add(number);
        if !same || self.rows.get(number as usize).is_some_and(|place| place.page & MANY_SURFACES != 0) {
            let surface = if same { "" } else { surface.unwrap_or_default() };
            respelt.push(Respelt { term: number, claim, mention, surface: surface.to_owned() });
        }
        number
    }

    /// The number of a term, new or not, that stays known from here on.
    pub(super) fn hold(&mut self, at: usize, intake: &Intake, writer: &mut Mentions) -> u32 {
        let Some(mentioned) = intake.mentions.get(at) else { return u32::MAX };
        let (key, surface) = (intake.identity(mentioned), intake.surface(mentioned));
        let number = self.find(key).unwrap_or_else(|| {
            writer.uses.0.push(0);
            self.add(mentioned.hash, key, surface)
        });
        writer.held.entry(number).or_insert_with(|| surface.unwrap_or_default().to_owned());
        number
    }

    /// Reads what looking up the mentions will read, each step for all of them: the waits for memory then overlap.
    pub(super) fn fetch(&self, mentions: &[Mentioned], writer: &Mentions, found: &mut Vec<u32>) {
        let mut read = 0_u64;
        for mentioned in mentions {
            read ^= self.index.near(mentioned.hash);
        }
        found.clear();
        found.extend(mentions.iter().filter_map(|mentioned| self.index.find(mentioned.hash, |_| true)));
        for term in &*found {
            read ^= u64::from(self.rows.get(*term as usize).map_or(0, |place| place.page)) ^ u64::from(writer.uses.of(*term));
        }
        for term in &*found {
            read ^= self.bytes_of(*term).and_then(|bytes| bytes.first()).copied().map_or(0, u64::from);
        }
        std::hint::black_box(read);
    }

    /// Makes it cheap to copy, if it is not yet.
    pub(super) fn pack(&mut self) {
        self.index.pack();
    }

    /// Counts the surfaces that differ from the first.
    pub(super) fn count(&mut self, writer: &mut Mentions) {
        for Respelt { term, claim, mention, surface } in writer.respelt.drain(..) {
            let mut surfaces = self.surfaces.get(term).map(|surfaces| (**surfaces).clone()).unwrap_or_default();
            if !surface.is_empty() {
                let at = self.further(&mut surfaces, &surface);
                if let Some((_, uses)) = surfaces.further.get_mut(at as usize) {
                    *uses += 1;
                }
                let mut said = self.said.get(claim).copied().unwrap_or_default();
                if let Some(slot) = said.get_mut(mention as usize) {
                    *slot = at.saturating_add(1);
                }
                self.said.set(claim, said);
            }
            self.choose(term, surfaces, writer.uses.of(term));
        }
    }

    /// Displays a term in this form, whatever its mentions say; a term that none mentions becomes known.
    pub(super) fn show(&mut self, term: TermRef<'_>, writer: &mut Mentions) {
        let mut key = String::new();
        identity(term, &mut key);
        let surface = match term {
            TermRef::Name(name) => Some(name),
            TermRef::Iri(_) | TermRef::Blank(_) | TermRef::Literal { .. } => None,
        };
        let Some(number) = self.find(&key) else {
            writer.uses.0.push(0);
            self.add(hash_of(&key), &key, surface);
            return;
        };
        let Some(surface) = surface.filter(|_| self.shown(number) != Some(term)) else { return };
        let mut surfaces = self.surfaces.get(number).map(|surfaces| (**surfaces).clone()).unwrap_or_default();
        let is_first = self.bytes_of(number).and_then(first_surface) == Some(term);
        surfaces.shown = if is_first { 0 } else { self.further(&mut surfaces, surface) + 1 };
        self.display(number, surfaces);
    }

    /// The place of a surface among the further ones, where it is now if it was not.
    fn further(&mut self, surfaces: &mut Surfaces, surface: &str) -> u32 {
        let known = surfaces.further.iter().position(|(place, _)| self.bytes_at(*place) == Some(surface.as_bytes()));
        number(known.unwrap_or_else(|| {
            surfaces.further.push((self.store(&[surface.as_bytes()]), 0));
            surfaces.further.len() - 1
        }))
    }

    fn display(&mut self, term: u32, surfaces: Surfaces) {
        if let Some(place) = self.rows.get_mut(term as usize) {
            place.page |= MANY_SURFACES;
        }
        self.surfaces.set(term, Arc::new(surfaces));
    }

    /// Takes back one use of a term. The bytes of a term or surface without any use are overwritten.
    pub(super) fn release(&mut self, term: u32, claim: u32, mention: Mention, writer: &mut Mentions) {
        let left = writer.uses.take(term);
        if left == 0 {
            match writer.held.get(&term) {
                Some(surface) => self.respell(term, surface),
                None => self.forget(term),
            }
            return;
        }
        let Some(surfaces) = self.surfaces.get(term) else { return };
        let mut surfaces = (**surfaces).clone();
        let said = self.said.get(claim).and_then(|said| said.get(mention as usize)).copied().unwrap_or_default();
        if let Some((place, uses)) = (said as usize).checked_sub(1).and_then(|at| surfaces.further.get_mut(at)) {
            *uses -= 1;
            if *uses == 0 {
                let place = std::mem::take(place);
                self.wipe(place);
            }
        }
        self.choose(term, surfaces, left);
    }

    /// Drops what was kept of an erased claim.
    pub(super) fn unsay(&mut self, claim: u32) {
        self.said.remove(claim);
    }

    /// Sets which surface is displayed, of a term with so many uses.
    fn choose(&mut self, term: u32, mut surfaces: Surfaces, uses: u32) {
        let first = uses.saturating_sub(surfaces.further.iter().map(|(_, uses)| uses).sum());
        let first_text = self.bytes_of(term).and_then(first_surface).and_then(|term| match term {
            TermRef::Name(name) => Some(name.as_bytes()),
            TermRef::Iri(_) | TermRef::Blank(_) | TermRef::Literal { .. } => None,
        });
        let further = surfaces.further.iter().map(|(place, uses)| (*uses, self.bytes_at(*place)));
        let best = std::iter::once((first, first_text)).chain(further).zip(0_u32..).max_by_key(|((uses, text), _)| (*uses, Reverse(*text)));
        surfaces.shown = best.map_or(0, |(_, at)| at);
        self.display(term, surfaces);
    }

    #[inline]
    fn bytes_of(&self, term: u32) -> Option<&[u8]> {
        self.bytes_at(*self.rows.get(term as usize)?)
    }

    #[inline]
    fn bytes_at(&self, place: Place) -> Option<&[u8]> {
        let page = (place.page & !MANY_SURFACES) as usize;
        if place.len == LONG {
            return self.long.get(page)?.as_ref().map(|long| long.as_slice());
        }
        let start = usize::from(place.offset);
        self.pages.get(page)?.as_ref()?.bytes.get(start..start + usize::from(place.len))
    }

    fn add(&mut self, hash: u32, key: &str, surface: Option<&str>) -> u32 {
        let number = number(self.rows.len());
        let place = self.store_term(key, surface);
        self.rows.push(place);
        self.index.insert(hash, number);
        number
    }

    /// Stores an identity, and a surface where that is no part of it.
    fn store_term(&mut self, key: &str, surface: Option<&str>) -> Place {
        let (length, written) = length_prefix(key.len());
        let surface = surface.filter(|surface| key.get(1..) != Some(surface)).unwrap_or_default();
        self.store(&[length.get(..written).unwrap_or_default(), key.as_bytes(), surface.as_bytes()])
    }

    /// Stores the parts, one after the other.
    fn store(&mut self, parts: &[&[u8]]) -> Place {
        let len = parts.iter().map(|part| part.len()).sum::<usize>();
        if len > PAGE / 4 {
            self.long.push(Some(Arc::new(parts.concat())));
            return Place { page: number(self.long.len() - 1), offset: 0, len: LONG };
        }
        let last = self.pages.len().wrapping_sub(1);
        let fits = self.pages.get(last).and_then(Option::as_ref).is_some_and(|page| usize::from(page.used) + len <= PAGE);
        if !fits {
            self.pages.push(Some(Arc::new(Page { used: 0, bytes: [0; PAGE] })));
        }
        let at = self.pages.len() - 1;
        let mut place = Place { page: number(at), offset: 0, len: u16::try_from(len).unwrap_or_default() };
        if let Some(Some(page)) = self.pages.get_mut(at) {
            let page = Arc::make_mut(page);
            place.offset = page.used;
            for part in parts {
                let start = usize::from(page.used);
                if let Some(bytes) = page.bytes.get_mut(start..start + part.len()) {
                    bytes.copy_from_slice(part);
                }
                page.used += u16::try_from(part.len()).unwrap_or_default();
            }
        }
        place
    }

    fn forget(&mut self, term: u32) {
        if let Some(hash) = text(self.identity(term)).map(hash_of) {
            self.index.remove(hash, term);
        }
        self.wipe_all(term);
    }

    /// Overwrites every string of a term.
    fn wipe_all(&mut self, term: u32) {
        if let Some(place) = self.rows.get_mut(term as usize) {
            let place = std::mem::take(place);
            self.wipe(place);
        }
        for (place, _) in self.surfaces.remove(term).iter().flat_map(|surfaces| &surfaces.further) {
            self.wipe(*place);
        }
    }

    /// Leaves of a term its identity and one surface.
    fn respell(&mut self, term: u32, surface: &str) {
        let Some(key) = text(self.identity(term)).map(str::to_owned) else { return };
        self.wipe_all(term);
        let place = self.store_term(&key, Some(surface));
        if let Some(slot) = self.rows.get_mut(term as usize) {
            *slot = place;
        }
    }

    /// Overwrites a string. Snapshots taken before keep their copy of the page until they are dropped.
    fn wipe(&mut self, place: Place) {
        let page = (place.page & !MANY_SURFACES) as usize;
        if place.len == LONG {
            if let Some(long) = self.long.get_mut(page) {
                *long = None;
            }
        } else if let Some(Some(page)) = self.pages.get_mut(page) {
            let start = usize::from(place.offset);
            if let Some(bytes) = Arc::make_mut(page).bytes.get_mut(start..start + usize::from(place.len)) {
                bytes.fill(0);
            }
        }
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A length as seven bits a byte, the lowest first, and how many bytes that takes.
fn length_prefix(mut len: usize) -> ([u8; 10], usize) {
    let mut bytes = [0; 10];
    for (at, byte) in bytes.iter_mut().enumerate() {
        let [low, ..] = len.to_le_bytes();
        len >>= 7;
        *byte = low & 0x7f | if len > 0 { 0x80 } else { 0 };
        if len == 0 {
            return (bytes, at + 1);
        }
    }
    (bytes, 10)
}

/// The identity of a term's bytes, and the surface after it.
fn halves(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut len = 0;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        len |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return bytes.get(at + 1..).and_then(|rest| rest.split_at_checked(len)).unwrap_or_default();
        }
    }
    (&[], &[])
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The surface that the term was first mentioned by. What is no name is its own surface, read back from its identity.
fn first_surface(bytes: &[u8]) -> Option<TermRef<'_>> {
    let (identity, surface) = halves(bytes);
    let (kind, exact) = identity.split_first()?;
    match kind {
        b'n' => text(if surface.is_empty() { exact } else { surface }).map(TermRef::Name),
        b'i' => text(exact).map(TermRef::Iri),
        b'b' => text(exact).map(TermRef::Blank),
        _ => {
            let (sort, rest) = exact.split_first()?;
            let (length, rest) = text(rest)?.split_once(':')?;
            let (tag, lexical) = rest.split_at_checked(length.parse().ok()?)?;
            Some(TermRef::Literal { lexical, datatype: (*sort == b'^').then_some(tag), language: (*sort == b'@').then_some(tag) })
        }
    }
}
