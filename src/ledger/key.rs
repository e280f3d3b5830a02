//! The numbers that indexes go by: 64 bits for an observation's id, its key, and the ends of a claim.
//!
//! They are stored, so they never change within a [`KEY_VERSION`]; a ledger indexed under another one is indexed anew.
//! Two things may share a number: whoever looks up must look again. Knows no store.

use super::contract::ClaimEnd;
use crate::model::{ObservationId, TermRef};
use crate::resolve::identity;

/// Goes up with every change of the functions here or of [`identity`].
pub(super) const KEY_VERSION: i64 = 2;

/// The low bits of a claim's key, which tell the relation.
const RELATION_BITS: u64 = 0xffff;
/// The bit that tells head from tail.
const END_BIT: u64 = 0x1_0000;
/// The low bits of a spelling's number, which tell the surface.
const SURFACE_BITS: u64 = 0xff_ffff;

/// An index number. Ordered as signed, as stores do.
pub(super) type Key = i64;

/// FNV-1a, 64 bits, with a finish that spreads the last bytes over all bits.
///
/// Source: Fowler, Noll, Vo 1991; the finish is that of `MurmurHash3` (Appleby 2011).
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let mut hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// An observation's number: the first 8 bytes of its id, so that ids with a common prefix lie together.
pub(super) fn of_id(id: ObservationId) -> Key {
    id.bytes().first_chunk().copied().map_or(0, i64::from_be_bytes)
}

/// The range of numbers, both ends included, of the ids whose hexadecimal form begins with `prefix`; `None` if no id can.
/// A prefix longer than 16 digits is cut.
pub(super) fn id_range(prefix: &str) -> Option<(Key, Key)> {
    if prefix.is_empty() {
        return Some((i64::MIN, i64::MAX));
    }
    if prefix.len() > 32 || !prefix.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let digits = prefix.get(..16).unwrap_or(prefix);
    let value = u64::from_str_radix(digits, 16).ok()?;
    let free = 4 * u32::try_from(16 - digits.len()).ok()?;
    let low = value.checked_shl(free).unwrap_or(0);
    let high = low | 1_u64.checked_shl(free).map_or(u64::MAX, |one| one - 1);
    Some((low.cast_signed(), high.cast_signed()))
}

/// The number of a source's key.
pub(super) fn of_source_key(key: &str) -> Key {
    hash(key.bytes()).cast_signed()
}

/// Computes the numbers of claims' ends.
#[derive(Debug, Default)]
pub(super) struct ClaimKeys {
    identity: String,
}

impl ClaimKeys {
    /// The numbers, both ends included, under which claims of any relation with this term at this end lie.
    pub(super) fn entity(&mut self, term: TermRef<'_>, end: ClaimEnd) -> (Key, Key) {
        identity(term, &mut self.identity);
        let end_bit = match end {
            ClaimEnd::Head => 0,
            ClaimEnd::Tail => END_BIT,
        };
        let low = (hash(self.identity.bytes()) & !(END_BIT | RELATION_BITS)) | end_bit;
        (low.cast_signed(), (low | RELATION_BITS).cast_signed())
    }

    /// The number of a claim with this term at this end and this stated relation.
    pub(super) fn claim(&mut self, term: TermRef<'_>, end: ClaimEnd, relation: RelationKey) -> Key {
        self.entity(term, end).0 | relation.0
    }
}

/// Computes the numbers of spellings: each surface of each name has one.
#[derive(Debug, Default)]
pub(super) struct SpellingKeys {
    identity: String,
}

impl SpellingKeys {
    /// The numbers, both ends included, of all spellings of a term; `None` of one that is no name, and so has one form only.
    pub(super) fn name(&mut self, term: TermRef<'_>) -> Option<(Key, Key)> {
        let TermRef::Name(_) = term else { return None };
        identity(term, &mut self.identity);
        let low = hash(self.identity.bytes()) & !SURFACE_BITS;
        Some((low.cast_signed(), (low | SURFACE_BITS).cast_signed()))
    }

    /// The number of the spelling that a mention uses.
    pub(super) fn spelling(&mut self, term: TermRef<'_>) -> Option<Key> {
        let TermRef::Name(surface) = term else { return None };
        let surface = hash(surface.bytes()) & SURFACE_BITS;
        self.name(term).map(|(low, _)| low | surface.cast_signed())
    }
}

/// The ranges, both ends included, in which the claims lie that mention names of these spellings, at either end: sorted, none
/// overlapping. The numbers are sorted.
pub(super) fn ends_of(spellings: &[Key]) -> Vec<(Key, Key)> {
    let surface = SURFACE_BITS.cast_signed();
    let mut ranges: Vec<(Key, Key)> = spellings.iter().map(|key| (key & !surface, key | surface)).collect();
    ranges.dedup();
    ranges
}

/// The part of a claim's number that its relation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RelationKey(i64);

impl RelationKey {
    /// Of a relation as stated: by its letters and digits, case folded, so that all spellings of one name come together.
    pub(super) fn of(relation: &str) -> Self {
        let hash = if relation.is_ascii() {
            hash(relation.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()))
        } else {
            let mut folded = String::new();
            identity(TermRef::Name(relation), &mut folded);
            let letters: String = folded.chars().filter(|c| c.is_alphanumeric()).collect();
            // The identity begins with the sign of a name; it is no letter of the relation.
            hash(letters.bytes().skip(1))
        };
        Self((hash & RELATION_BITS).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_frozen() {
        assert_eq!(hash(b"erstwhile".iter().copied()), 0xb558_189f_b1e8_b7db, "stored numbers must not change without a new KEY_VERSION");
        let mut keys = ClaimKeys::default();
        let head = keys.claim(TermRef::Name("Olga  STRAUSS"), ClaimEnd::Head, RelationKey::of("works at"));
        assert_eq!(head, keys.claim(TermRef::Name("olga strauss"), ClaimEnd::Head, RelationKey::of("Works_At")));
        assert_ne!(head, keys.claim(TermRef::Name("olga strauss"), ClaimEnd::Tail, RelationKey::of("works_at")));
        assert_eq!(RelationKey::of("Größe_Ｄ"), RelationKey::of("grössed"), "non-ascii spellings fold too");
    }

    #[test]
    fn each_spelling_of_a_name_has_a_number_among_those_of_the_name() {
        let mut keys = SpellingKeys::default();
        let (low, high) = keys.name(TermRef::Name("olga strauss")).unwrap();
        let spellings = ["Olga  STRAUSS", "olga strauss", "OLGA STRAUSS"].map(|name| keys.spelling(TermRef::Name(name)).unwrap());
        assert!(spellings.iter().all(|key| (low..=high).contains(key)), "{spellings:?} in {low}..={high}");
        assert!(spellings[0] != spellings[1] && spellings[1] != spellings[2] && spellings[0] != spellings[2], "{spellings:?}");
        assert!(!(low..=high).contains(&keys.spelling(TermRef::Name("olga")).unwrap()));
        assert_eq!(spellings[1], 1_037_598_719_401_106_493, "stored numbers must not change without a new KEY_VERSION");
        assert_eq!(keys.spelling(TermRef::Iri("olga:strauss")), None);
    }

    #[test]
    fn the_range_of_an_entity_holds_each_of_its_relations_and_no_other_end() {
        let mut keys = ClaimKeys::default();
        for name in ["a", "Ada", "東京", "e123456"] {
            for end in [ClaimEnd::Head, ClaimEnd::Tail] {
                let (low, high) = keys.entity(TermRef::Name(name), end);
                for relation in ["r1", "lives in", "born", "ß"] {
                    let key = keys.claim(TermRef::Name(name), end, RelationKey::of(relation));
                    assert!((low..=high).contains(&key));
                }
                let other = if end == ClaimEnd::Head { ClaimEnd::Tail } else { ClaimEnd::Head };
                let key = keys.claim(TermRef::Name(name), other, RelationKey::of("r1"));
                assert!(!(low..=high).contains(&key));
            }
        }
    }

    #[test]
    fn a_prefix_of_an_id_covers_exactly_the_ids_that_begin_so() {
        let ids: Vec<ObservationId> = (0_u32..2000)
            .map(|n| {
                let digest = blake3::hash(&n.to_be_bytes());
                let mut bytes = [0; 16];
                bytes.copy_from_slice(&digest.as_bytes()[..16]);
                ObservationId::from_bytes(bytes)
            })
            .collect();
        for prefix in ["", "0", "7", "8", "f", "ab", "f0", "80"] {
            let (low, high) = id_range(prefix).unwrap();
            for id in &ids {
                assert_eq!((low..=high).contains(&of_id(*id)), id.to_string().starts_with(prefix), "{id} and {prefix}");
            }
        }
        let whole = ids[0].to_string();
        assert_eq!(id_range(&whole), Some((of_id(ids[0]), of_id(ids[0]))));
        assert_eq!(id_range("xyz"), None);
        assert_eq!(id_range(&format!("{whole}0")), None);
    }
}
