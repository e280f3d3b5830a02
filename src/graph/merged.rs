//! Which terms are one entity from which transaction on, and where the claims that name them are filed.
//!
//! A claim keeps the row under which it was recorded. While a term that it names is merged into another, that row is not believed, and a
//! further row of the same claim, under the canonical terms, is in its place: so whatever is derived or read as of a transaction needs to
//! know nothing of merges. Owns the way between a claim and its rows. Knows nothing of why two terms are one.

use super::claims::Claims;
use super::pvec::{ARC, Sparse};
use super::state::Step;
use std::sync::Arc;

/// Since a transaction a term is another one, or itself again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Since {
    pub(super) tx: u32,
    pub(super) canonical: u32,
}

/// What readers need to know of merges.
#[derive(Clone, Debug, Default)]
pub(super) struct Merged {
    /// Of every term that was ever merged, what it was since when.
    terms: Sparse<Arc<[Since]>>,
    /// Of every claim with further rows, these.
    further: Sparse<Arc<[u32]>>,
    /// Of every further row, the row under which its claim was recorded.
    origins: Sparse<u32>,
    /// Of every row of such a claim, since when the claim is filed there, or not.
    filed: Sparse<Arc<[Step]>>,
}

impl Merged {
    /// Whether nothing was ever merged.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.terms.len() == 0
    }

    /// How many further rows there are.
    pub(super) fn further_rows(&self) -> usize {
        self.origins.len()
    }

    /// The term that a term is when so many transactions have been.
    #[inline]
    pub(super) fn canonical(&self, term: u32, txs: u32) -> u32 {
        if self.is_empty() {
            return term;
        }
        self.terms.get(term).and_then(|since| since.iter().rfind(|since| since.tx < txs)).map_or(term, |since| since.canonical)
    }

    /// What a term was since when; nothing where it was never merged.
    pub(super) fn history(&self, term: u32) -> &[Since] {
        self.terms.get(term).map_or(&[], |since| since)
    }

    /// The terms that are another one when so many transactions have been, in number order.
    pub(super) fn names_of(&self, canonical: u32, txs: u32) -> impl Iterator<Item = u32> {
        let names = self.terms.iter().filter(move |(term, _)| *term != canonical && self.canonical(*term, txs) == canonical);
        names.map(|(term, _)| term)
    }

    /// The row under which the claim of a row was recorded.
    #[inline]
    pub(super) fn origin(&self, row: u32) -> u32 {
        if self.origins.len() == 0 {
            return row;
        }
        self.origins.get(row).copied().unwrap_or(row)
    }

    /// Whether a row is not the one under which its claim was recorded.
    #[inline]
    pub(super) fn is_further(&self, row: u32) -> bool {
        self.origins.len() > 0 && self.origins.get(row).is_some()
    }

    /// The rows of a claim: the one under which it was recorded, then the further ones.
    pub(super) fn rows_of(&self, claim: u32) -> impl Iterator<Item = u32> + use<> {
        let further = self.further.get(claim).map(Arc::clone);
        std::iter::once(claim).chain((0..).map_while(move |nth| further.as_ref()?.get(nth).copied()))
    }

    /// Since when a claim is filed under a row, or not; nothing where it always was.
    pub(super) fn filed(&self, row: u32) -> &[Step] {
        self.filed.get(row).map_or(&[], |steps| steps)
    }

    /// All rows that claims were filed under or not, with since when.
    pub(super) fn filings(&self) -> impl Iterator<Item = (u32, &[Step])> {
        self.filed.iter().map(|(row, steps)| (row, &**steps))
    }

    /// Whether a claim is filed under more than one row, over time.
    pub(super) fn is_refiled(&self, claim: u32) -> bool {
        self.further.len() > 0 && self.further.get(claim).is_some()
    }

    /// The row under which a claim is filed when so many transactions have been.
    pub(super) fn row_at(&self, claim: u32, txs: u32) -> u32 {
        if !self.is_refiled(claim) {
            return claim;
        }
        let is_filed = |row: u32| self.filed(row).iter().rfind(|step| step.tx < txs).map_or(row == claim, |step| step.believed);
        self.rows_of(claim).find(|row| is_filed(*row)).unwrap_or(claim)
    }

    /// Sets what a term is from a transaction on, of several in one transaction the last; says whether that changes anything.
    pub(super) fn set(&mut self, term: u32, tx: u32, canonical: u32) -> bool {
        let mut since = self.history(term).to_vec();
        since.retain(|since| since.tx < tx);
        if since.last().map_or(term, |since| since.canonical) != canonical {
            since.push(Since { tx, canonical });
        }
        if since == self.history(term) {
            return false;
        }
        // Once merged, a term stays known as one that was: some transaction may have been read in between.
        self.terms.set(term, since.into());
        true
    }

    /// Files a claim under one row in place of another from a transaction on; the row may be new.
    pub(super) fn refile(&mut self, claim: u32, tx: u32, old: u32, new: u32) {
        self.step(old, tx, false);
        self.step(new, tx, true);
        if new != claim && self.origins.get(new).is_none() {
            self.origins.set(new, claim);
            let further: Vec<u32> = self.further.get(claim).map_or(&[][..], |rows| rows).iter().copied().chain([new]).collect();
            self.further.set(claim, further.into());
        }
    }

    fn step(&mut self, row: u32, tx: u32, believed: bool) {
        let mut steps = self.filed(row).to_vec();
        steps.retain(|step| step.tx < tx);
        steps.push(Step { tx, believed });
        self.filed.set(row, steps.into());
    }

    /// Forgets the further rows of an erased claim, and gives them back.
    pub(super) fn forget(&mut self, claim: u32) -> Vec<u32> {
        let Some(further) = self.further.remove(claim) else { return Vec::new() };
        self.filed.remove(claim);
        for row in &*further {
            self.origins.remove(*row);
            self.filed.remove(*row);
        }
        further.to_vec()
    }

    pub(super) fn bytes(&self) -> usize {
        let terms = self.terms.iter().map(|(_, since)| ARC + size_of_val(&**since));
        let further = self.further.iter().map(|(_, rows)| ARC + size_of_val(&**rows));
        let filed = self.filed.iter().map(|(_, steps)| ARC + size_of_val(&**steps));
        let nodes = self.terms.bytes() + self.further.bytes() + self.origins.bytes() + self.filed.bytes();
        nodes + terms.sum::<usize>() + further.sum::<usize>() + filed.sum::<usize>()
    }
}

/// So many claims may be gone through one by one.
const FEW: u32 = 1 << 16;

/// The writer's way from a term to the claims that name it.
#[derive(Debug, Default)]
pub(super) struct Naming {
    /// Term and claim, sorted, of the claims below `through`.
    sorted: Vec<u64>,
    through: u32,
}

impl Naming {
    /// The claims whose head or tail, as stated, is one of these terms, in number order.
    ///
    /// # Complexity
    /// Logarithmic in the claims and linear in those found, and in the claims since the terms were last sorted: at most 65,536, or a
    /// quarter of all.
    pub(super) fn claims(&mut self, claims: &Claims, merged: &Merged, terms: &[u32]) -> Vec<u32> {
        let stated = |row: u32| if merged.is_further(row) { None } else { claims.row(row).map(|found| [found.head, found.tail]) };
        if claims.len() - self.through > FEW.max(self.through / 4) {
            let fresh = (self.through..claims.len()).filter_map(|row| stated(row).map(|ends| (row, ends)));
            self.sorted.extend(fresh.flat_map(|(row, ends)| ends.map(|term| u64::from(term) << 32 | u64::from(row))));
            self.sort();
            self.through = claims.len();
        }
        let mut found = Vec::new();
        for term in terms {
            let low = self.sorted.partition_point(|entry| *entry < u64::from(*term) << 32);
            let own = self.sorted.iter().skip(low).take_while(|entry| **entry >> 32 == u64::from(*term));
            found.extend(own.filter_map(|entry| u32::try_from(*entry & 0xffff_ffff).ok()).filter(|row| claims.row(*row).is_some()));
        }
        let mut wanted = terms.to_vec();
        wanted.sort_unstable();
        let names = |row: &u32| stated(*row).is_some_and(|ends| ends.iter().any(|term| wanted.binary_search(term).is_ok()));
        found.extend((self.through..claims.len()).filter(names));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[expect(clippy::stable_sort_primitive, reason = "what is sorted already is one long run, which only the stable sort makes use of")]
    fn sort(&mut self) {
        self.sorted.sort();
        self.sorted.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_filed_under_one_row_at_any_time() {
        let mut merged = Merged::default();
        assert_eq!((merged.row_at(3, 9), merged.origin(3)), (3, 3));
        merged.refile(3, 5, 3, 8);
        merged.refile(3, 7, 8, 3);
        merged.refile(3, 9, 3, 8);
        merged.refile(3, 9, 8, 12);
        assert_eq!([0, 5, 6, 7, 8, 9, 10].map(|txs| merged.row_at(3, txs)), [3, 3, 8, 8, 3, 3, 12]);
        assert_eq!(merged.rows_of(3).collect::<Vec<_>>(), [3, 8, 12]);
        assert_eq!([8, 12, 3, 4].map(|row| merged.origin(row)), [3, 3, 3, 4]);
        assert_eq!(merged.forget(3), [8, 12]);
        assert_eq!((merged.row_at(3, 10), merged.is_further(8)), (3, false));
    }

    #[test]
    fn a_term_is_what_it_is_since_a_transaction() {
        let mut merged = Merged::default();
        assert!(merged.set(1, 4, 2) && merged.set(1, 6, 3) && merged.set(1, 8, 1));
        assert!(!merged.set(1, 9, 1), "it is that already");
        assert_eq!([4, 5, 6, 7, 8, 9].map(|txs| merged.canonical(1, txs)), [1, 2, 2, 3, 3, 1]);
        assert!(merged.set(1, 8, 3), "in one transaction the last counts");
        assert_eq!([7, 8, 9].map(|txs| merged.canonical(1, txs)), [3, 3, 3]);
        assert_eq!(merged.names_of(3, 9).collect::<Vec<_>>(), [1]);
    }
}
