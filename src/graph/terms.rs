//! Interned terms: a number for each identity, and the surface it is displayed by.
//!
//! Owns the bytes of identities and surfaces. Knows nothing of claims but their numbers, under which it keeps which surface one used.

use super::index::{HashIndex, hash_of};
use super::pvec::{ARC, PVec, Sparse};
use crate::model::{Term, TermRef};
use crate::resolve::identity;
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// Bytes of a page of strings; a longer string has a page of its own.
const PAGE: usize = 8192;
/// The length that says: all of the page.
const WHOLE_PAGE: u16 = u16::MAX;
/// Set in [`Row::uses`] where the term has more than one surface.
const MANY_SURFACES: u32 = 1 << 31;

/// Where a string lies.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    page: u32,
    offset: u16,
    len: u16,
}

/// One term. Its bytes are the length of the identity, the identity, and the first surface where that is no part of the identity.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    place: Place,
    /// How many mentions (heads, tails, corrected tails of claims) there are; 0 for a forgotten term.
    uses: u32,
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

/// All terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    rows: PVec<Row, 256>,
    pages: PVec<Option<Arc<Vec<u8>>>, 16>,
    /// The page that short strings are added to.
    open: Option<u32>,
    index: HashIndex,
    surfaces: Sparse<Arc<Surfaces>>,
    said: Sparse<Said>,
    live: usize,
}

/// A mention with another surface than its term's first, not yet counted.
#[derive(Debug)]
pub(super) struct Respelt {
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

    /// The number of an identity (see [`identity`]).
    pub(super) fn find(&self, identity: &str) -> Option<u32> {
        self.index.find(hash_of(identity), |term| self.identity(term) == identity.as_bytes())
    }

    /// The identity of a term; empty for a forgotten one.
    pub(super) fn identity(&self, term: u32) -> &[u8] {
        self.row(term).and_then(|row| self.bytes_at(row.place)).map_or(&[], |bytes| halves(bytes).0)
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
        let row = self.row(term).filter(|row| row.uses & !MANY_SURFACES > 0)?;
        let bytes = self.bytes_at(row.place)?;
        if row.uses & MANY_SURFACES != 0
            && let Some(surfaces) = self.surfaces.get(term)
            && let Some((place, _)) = (surfaces.shown as usize).checked_sub(1).and_then(|at| surfaces.further.get(at))
        {
            return self.bytes_at(*place).and_then(text).map(TermRef::Name);
        }
        first_surface(bytes)
    }

    /// The displayed term, owned; an empty name for a forgotten one.
    pub(super) fn owned(&self, term: u32) -> Term {
        self.shown(term).map_or_else(|| Term::Name(String::new()), TermRef::to_owned)
    }

    /// Bytes held, without those of the strings.
    pub(super) fn bytes(&self) -> usize {
        let surfaces =
            self.surfaces.iter().map(|(_, surfaces)| size_of::<Surfaces>() + ARC + surfaces.further.capacity() * size_of::<(Place, u32)>());
        self.rows.bytes() + self.pages.bytes() + self.index.bytes() + self.surfaces.bytes() + self.said.bytes() + surfaces.sum::<usize>()
    }

    /// Bytes of the strings.
    pub(super) fn string_bytes(&self) -> usize {
        self.pages.iter().flatten().map(|page| page.capacity() + size_of::<Vec<u8>>() + ARC).sum()
    }

    /// The number of a term, new or not, with one more use. `key` is scratch space. A mention that is spelt differently from the first
    /// goes to `respelt`.
    pub(super) fn mention(&mut self, term: TermRef<'_>, claim: u32, mention: Mention, key: &mut String, respelt: &mut Vec<Respelt>) -> u32 {
        identity(term, key);
        let hash = hash_of(key.as_str());
        let surface = match term {
            TermRef::Name(name) => Some(name),
            TermRef::Iri(_) | TermRef::Blank(_) | TermRef::Literal { .. } => None,
        };
        let found = self.index.find(hash, |term| self.identity(term) == key.as_bytes());
        let Some(number) = found else { return self.add(hash, key, surface) };
        let same = surface.is_none_or(|surface| {
            let first = self.row(number).and_then(|row| self.bytes_at(row.place)).and_then(first_surface);
            first == Some(TermRef::Name(surface))
        });
        if let Some(row) = self.rows.get_mut(number as usize) {
            row.uses += 1;
            if !same || row.uses & MANY_SURFACES != 0 {
                let surface = if same { "" } else { surface.unwrap_or_default() };
                respelt.push(Respelt { term: number, claim, mention, surface: surface.to_owned() });
            }
        }
        number
    }

    /// Counts the surfaces that differ from the first.
    pub(super) fn count(&mut self, respelt: &mut Vec<Respelt>) {
        for Respelt { term, claim, mention, surface } in respelt.drain(..) {
            let mut surfaces = self.surfaces.get(term).map(|surfaces| (**surfaces).clone()).unwrap_or_default();
            if !surface.is_empty() {
                let known = surfaces.further.iter().position(|(place, _)| self.bytes_at(*place) == Some(surface.as_bytes()));
                let at = known.unwrap_or_else(|| {
                    let place = self.store(&[surface.as_bytes()]);
                    surfaces.further.push((place, 0));
                    surfaces.further.len() - 1
                });
                if let Some((_, uses)) = surfaces.further.get_mut(at) {
                    *uses += 1;
                }
                let mut said = self.said.get(claim).copied().unwrap_or_default();
                if let Some(slot) = said.get_mut(mention as usize) {
                    *slot = u32::try_from(at + 1).unwrap_or(u32::MAX);
                }
                self.said.set(claim, said);
            }
            self.choose(term, surfaces);
        }
    }

    /// Takes back one use of a term. The bytes of a term or surface without any use are overwritten.
    pub(super) fn release(&mut self, term: u32, claim: u32, mention: Mention) {
        let Some(row) = self.rows.get_mut(term as usize) else { return };
        row.uses -= 1;
        let left = row.uses;
        if left & !MANY_SURFACES == 0 {
            return self.forget(term);
        }
        if left & MANY_SURFACES != 0
            && let Some(surfaces) = self.surfaces.get(term)
        {
            let mut surfaces = (**surfaces).clone();
            let said = self.said.get(claim).and_then(|said| said.get(mention as usize)).copied().unwrap_or_default();
            if let Some((place, uses)) = (said as usize).checked_sub(1).and_then(|at| surfaces.further.get_mut(at)) {
                *uses -= 1;
                if *uses == 0 {
                    let place = std::mem::take(place);
                    self.wipe(place);
                }
            }
            self.choose(term, surfaces);
        }
    }

    /// Drops what was kept of an erased claim.
    pub(super) fn unsay(&mut self, claim: u32) {
        self.said.remove(claim);
    }

    /// Sets which surface is displayed.
    fn choose(&mut self, term: u32, mut surfaces: Surfaces) {
        let Some(row) = self.row(term) else { return };
        let first = row.uses & !MANY_SURFACES;
        let first = first.saturating_sub(surfaces.further.iter().map(|(_, uses)| uses).sum());
        let first_text = self.bytes_at(row.place).and_then(first_surface).map(|term| match term {
            TermRef::Name(name) => name.as_bytes(),
            TermRef::Iri(_) | TermRef::Blank(_) | TermRef::Literal { .. } => &[],
        });
        let further = surfaces.further.iter().map(|(place, uses)| (*uses, self.bytes_at(*place)));
        let best = std::iter::once((first, first_text)).chain(further).zip(0_u32..).max_by_key(|((uses, text), _)| (*uses, Reverse(*text)));
        surfaces.shown = best.map_or(0, |(_, at)| at);
        if let Some(row) = self.rows.get_mut(term as usize) {
            row.uses |= MANY_SURFACES;
        }
        self.surfaces.set(term, Arc::new(surfaces));
    }

    fn row(&self, term: u32) -> Option<Row> {
        self.rows.get(term as usize).copied()
    }

    fn bytes_at(&self, place: Place) -> Option<&[u8]> {
        let page = self.pages.get(place.page as usize)?.as_ref()?;
        if place.len == WHOLE_PAGE {
            return Some(page);
        }
        let start = usize::from(place.offset);
        page.get(start..start + usize::from(place.len))
    }

    fn add(&mut self, hash: u32, key: &str, surface: Option<&str>) -> u32 {
        let number = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let (length, written) = length_prefix(key.len());
        let surface = surface.filter(|surface| key.get(1..) != Some(surface)).unwrap_or_default();
        let place = self.store(&[length.get(..written).unwrap_or_default(), key.as_bytes(), surface.as_bytes()]);
        self.rows.push(Row { place, uses: 1 });
        self.index.insert(hash, number);
        self.live += 1;
        number
    }

    /// Stores the parts, one after the other.
    fn store(&mut self, parts: &[&[u8]]) -> Place {
        let len = parts.iter().map(|part| part.len()).sum::<usize>();
        if len > PAGE / 4 {
            self.pages.push(Some(Arc::new(parts.concat())));
            return Place { page: self.last_page(), offset: 0, len: WHOLE_PAGE };
        }
        let open = self.open.filter(|page| {
            let page = self.pages.get(*page as usize).and_then(Option::as_ref);
            page.is_some_and(|page| page.len() + len <= PAGE)
        });
        let page = open.unwrap_or_else(|| {
            self.pages.push(Some(Arc::new(Vec::with_capacity(PAGE))));
            self.last_page()
        });
        self.open = Some(page);
        let mut place = Place { page, offset: 0, len: u16::try_from(len).unwrap_or(WHOLE_PAGE) };
        if let Some(Some(bytes)) = self.pages.get_mut(page as usize) {
            let bytes = Arc::make_mut(bytes);
            place.offset = u16::try_from(bytes.len()).unwrap_or_default();
            for part in parts {
                bytes.extend_from_slice(part);
            }
        }
        place
    }

    fn last_page(&self) -> u32 {
        u32::try_from(self.pages.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    fn forget(&mut self, term: u32) {
        let hash = text(self.identity(term)).map(hash_of);
        if let Some(hash) = hash {
            self.index.remove(hash, term);
        }
        if let Some(row) = self.rows.get_mut(term as usize) {
            let place = std::mem::take(row).place;
            self.wipe(place);
        }
        for (place, uses) in self.surfaces.remove(term).iter().flat_map(|surfaces| &surfaces.further) {
            if *uses > 0 {
                self.wipe(*place);
            }
        }
        self.live -= 1;
    }

    /// Overwrites a string. Snapshots taken before keep their copy of the page until they are dropped.
    fn wipe(&mut self, place: Place) {
        let Some(Some(page)) = self.pages.get_mut(place.page as usize) else { return };
        let page = Arc::make_mut(page);
        let start = usize::from(place.offset);
        let end = if place.len == WHOLE_PAGE { page.len() } else { start + usize::from(place.len) };
        if let Some(bytes) = page.get_mut(start..end) {
            bytes.fill(0);
        }
    }
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
