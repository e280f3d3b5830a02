//! A slot in clusters. Knows how far each claim reaches and where clusters may part; what happens in a cluster is [`build`]'s.

use super::chunked::{Chunked, Element, Position};
use super::table::{Slots, Table};
use super::{Caution, RunChanges};
use crate::model::Authority;
use crate::time::{End, Instant, Start};
use crate::timeline::conflict::{Reach, Standing, judge};
use crate::timeline::derive::{end_of, into_run, start_of};
use crate::timeline::place::{ClaimedStarts, Ender, Placed, Sorted, place, settle, sort_claim};
use crate::timeline::runs::{Carried, Draft, Part, build};
use crate::timeline::{EndCause, Run, SlotClaim, SlotRules, TieOrder};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Where a `Holds` claim stands among those of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    value: u32,
    claim: u32,
    key: Instant,
    hi: Instant,
    evidence: Instant,
    authority: Authority,
}

impl Spot {
    fn of(placed: &Placed) -> Self {
        Self {
            value: placed.value,
            claim: placed.claim,
            key: placed.key(),
            hi: placed.hi,
            evidence: placed.evidence,
            authority: placed.authority,
        }
    }

    /// By value and then in rule 3's order.
    fn order(&self, other: &Self, ties: &impl TieOrder) -> Ordering {
        (self.value, self.key, self.hi, self.evidence)
            .cmp(&(other.value, other.key, other.hi, other.evidence))
            .then_with(|| if self.claim == other.claim { Ordering::Equal } else { ties.cmp_claims(self.claim, other.claim) })
    }
}

/// Each at the index that `as u8` gives it.
const AUTHORITIES: [Authority; 6] =
    [Authority::Inference, Authority::Assistant, Authority::Tool, Authority::Document, Authority::Curated, Authority::User];

impl Element for Spot {
    fn weight(&self) -> u8 {
        self.authority as u8
    }
}

impl Element for Ender {}

/// How far a claim reaches: what lies outside cannot meet it but through an open run.
#[derive(Clone, Copy, Debug)]
struct Item {
    left: Instant,
    right: Instant,
    claim: u32,
}

impl Element for Item {}

/// A claim, and the start it took by rule 1 from another. Small: what it is to the slot is quickly told again.
#[derive(Clone, Copy, Debug)]
struct Entry {
    claim: SlotClaim,
    refined: Option<(Instant, Instant)>,
}

impl Entry {
    /// What the claim is to the slot, in its place.
    fn sorted(&self, rules: &SlotRules) -> Sorted {
        let mut sorted = sort_claim(0, &self.claim, rules);
        if let Sorted::Holds(placed) = &mut sorted {
            if let Some((lo, hi)) = self.refined {
                (placed.lo, placed.hi) = (lo, hi);
            }
            settle(placed, rules);
        }
        sorted
    }
}

/// Where a cluster lies.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    lo: Instant,
    hi: Instant,
    /// Its slot among the clusters.
    cluster: u32,
    /// Whether nothing in it depends on what comes after; only the last cluster may say no.
    settled: bool,
}

impl Element for Stretch {}

/// A stretch of the slot that meets its past only through `carried` runs.
#[derive(Clone, Debug)]
struct Cluster {
    carried: Carry,
    /// The runs that begin in it, by their first claims.
    heads: Few<u32>,
}

/// Most often one, which is kept in place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Few<T> {
    first: Option<T>,
    others: Vec<T>,
}

/// The runs open between two clusters, by value.
type Carry = Few<Carried>;

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self { first: None, others: Vec::new() }
    }
}

impl<T> Few<T> {
    fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.others)
    }

    fn push(&mut self, element: T) {
        if self.first.is_none() {
            self.first = Some(element);
        } else {
            self.others.push(element);
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut elements = elements.into_iter();
        Self { first: elements.next(), others: elements.collect() }
    }
}

/// A run, with what its clusters say of it.
#[derive(Clone, Debug)]
struct RunState {
    head: Spot,
    run: Run,
    /// Contested, and challenged from: by the `lo` of the cluster that says so.
    flags: BTreeMap<Instant, (bool, Option<Instant>)>,
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    rules: SlotRules,
    caution: Caution,
    entries: Table<Entry>,
    /// Kept from the first granule on: exact starts alone refine nothing.
    starts: Option<ClaimedStarts>,
    /// All `Holds` claims, by value and then in rule 3's order.
    holds: Chunked<Spot>,
    /// All ends, with or without a run, by value and then in rule 3's order.
    ends: Chunked<Ender>,
    /// All `Holds` claims, and the ends that have a run, by `left`.
    items: Chunked<Item>,
    stretches: Chunked<Stretch>,
    clusters: Slots<Cluster>,
    /// The runs left open at the end.
    carry_out: Carry,
    /// The first claims of all runs that have a start.
    heads: Chunked<Spot>,
    states: Table<RunState>,
    /// The facts of ends without a run, by value.
    orphans: BTreeMap<u32, Run>,
}

/// What a change moves.
#[derive(Debug, Default)]
struct Moves {
    out: Vec<Placed>,
    into: Vec<Placed>,
}

/// The part of the line that a change touches.
#[derive(Clone, Copy, Debug)]
struct Touched {
    lo: Instant,
    hi: Instant,
}

impl Touched {
    const NOTHING: Self = Self { lo: Instant::DISTANT_FUTURE, hi: Instant::DISTANT_PAST };

    fn item(&mut self, item: Item) {
        self.lo = self.lo.min(item.left);
        self.hi = self.hi.max(item.right);
    }
}

impl Local {
    /// An empty slot.
    pub(super) fn new(caution: Caution, rules: SlotRules) -> Self {
        Self {
            rules,
            caution,
            entries: Table::default(),
            starts: None,
            holds: Chunked::default(),
            ends: Chunked::default(),
            items: Chunked::default(),
            stretches: Chunked::default(),
            clusters: Slots::default(),
            carry_out: Carry::default(),
            heads: Chunked::default(),
            states: Table::default(),
            orphans: BTreeMap::new(),
        }
    }

    /// A slot with these claims.
    pub(super) fn build(claims: &[SlotClaim], caution: Caution, rules: SlotRules, ties: &impl TieOrder) -> Self {
        let mut local = Self::new(caution, rules);
        let mut holds: Vec<Placed> = Vec::new();
        let mut ends: Vec<Ender> = Vec::new();
        for claim in claims {
            match sort_claim(0, claim, &rules) {
                Sorted::Holds(placed) => holds.push(placed),
                Sorted::End(ender) => ends.push(ender),
                Sorted::Never(_) => {}
            }
        }
        holds.sort_by_key(|claimed| claimed.value);
        if holds.iter().any(is_granule) {
            local.starts = Some(holds.iter().copied().collect());
        }
        place(&mut holds, &rules, &mut ());
        holds.sort_by(|left, right| Spot::of(left).order(&Spot::of(right), ties));
        ends.sort_by(|left, right| left.value.cmp(&right.value).then_with(|| left.order(right, ties)));
        for claim in claims {
            local.entries.insert(claim.claim, Entry { claim: *claim, refined: None });
        }
        for placed in holds {
            local.note_place(&placed);
            let at = local.holds.end();
            local.holds.insert(at, Spot::of(&placed));
        }
        for ender in ends {
            let at = local.ends.end();
            local.ends.insert(at, ender);
        }
        let mut items: Vec<Item> = Vec::new();
        let numbers = claims.iter().map(|claim| claim.claim);
        items.extend(numbers.filter_map(|claim| local.item(claim)));
        items.sort_unstable_by_key(|item| (item.left, item.claim));
        for item in items {
            let at = local.items.end();
            local.items.insert(at, item);
        }
        let everything = Touched { lo: Instant::DISTANT_PAST, hi: Instant::DISTANT_FUTURE };
        drop(local.derive_from(everything, ties));
        let mut values: Vec<u32> = claims.iter().map(|claim| claim.value).collect();
        values.sort_unstable();
        values.dedup();
        for value in values {
            local.renew_orphan(value, ties);
        }
        local
    }

    /// How many claims it holds.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many clusters it is in.
    #[cfg(test)]
    pub(super) fn clusters(&self) -> usize {
        self.stretches.from(Position::START).count()
    }

    /// A claim, by its number.
    pub(super) fn claim(&self, claim: u32) -> Option<&SlotClaim> {
        self.entries.get(claim).map(|entry| &entry.claim)
    }

    /// The claims, in no particular order.
    pub(super) fn claims(&self) -> impl Iterator<Item = SlotClaim> {
        self.entries.iter().map(|entry| entry.claim)
    }

    pub(super) fn runs(&self) -> Vec<Run> {
        let stated = self.heads.from(Position::START).filter_map(|head| self.states.get(head.claim).map(|state| state.run.clone()));
        stated.chain(self.orphans.values().cloned()).collect()
    }

    pub(super) fn run(&self, first: u32) -> Option<Run> {
        if let Some(state) = self.states.get(first) {
            return Some(state.run.clone());
        }
        let value = self.entries.get(first)?.claim.value;
        self.orphans.get(&value).filter(|run| run.first == first).cloned()
    }

    pub(super) fn run_of(&self, claim: u32, ties: &impl TieOrder) -> Option<u32> {
        match self.entries.get(claim)?.sorted(&self.rules) {
            Sorted::Holds(placed) => {
                let spot = Spot::of(&placed);
                let after = self.heads.find(|head| head.order(&spot, ties).is_le());
                self.heads.before(after).map(|head| head.claim)
            }
            Sorted::End(ender) => match self.head_before(ender.value, ender.end.hi) {
                Some(head) => Some(head.claim),
                None => self.orphans.get(&ender.value).map(|run| run.first),
            },
            Sorted::Never(_) => None,
        }
    }

    pub(super) fn supporters(&self, first: u32, at_most: usize, ties: &impl TieOrder) -> Option<Vec<u32>> {
        let supporters: Vec<u32> = if let Some(state) = self.states.get(first) {
            let ((from, to), (ends_from, ends_to)) = self.extent(&state.head, ties);
            let holds = self.holds.between(from, to).map(|spot| spot.claim);
            holds.chain(self.ends.between(ends_from, ends_to).map(|ender| ender.claim)).take(at_most.saturating_add(1)).collect()
        } else {
            let ends = self.run(first).map(|run| self.orphan_ends(run.value)).unwrap_or_default();
            ends.iter().map(|ender| ender.claim).collect()
        };
        (supporters.len() <= at_most).then_some(supporters)
    }

    /// Adds a claim that is no denial.
    pub(super) fn insert(&mut self, claim: SlotClaim, ties: &impl TieOrder) -> RunChanges {
        let mut moves = Moves::default();
        let mut end = None;
        match sort_claim(0, &claim, &self.rules) {
            Sorted::Holds(claimed) => {
                self.add_start(&claimed);
                moves = self.moved_by(&claimed);
                moves.into.push(self.place_one(claimed));
            }
            Sorted::End(ender) => end = Some((ender, true)),
            Sorted::Never(_) => return RunChanges::default(),
        }
        self.entries.insert(claim.claim, Entry { claim, refined: None });
        self.apply(claim.value, &moves, end, ties)
    }

    /// Takes a claim out that it holds.
    pub(super) fn remove(&mut self, claim: u32, ties: &impl TieOrder) -> RunChanges {
        let Some(entry) = self.entries.get(claim).copied() else { return RunChanges::default() };
        let mut moves = Moves::default();
        let mut end = None;
        match (entry.sorted(&self.rules), sort_claim(0, &entry.claim, &self.rules)) {
            (Sorted::Holds(placed), Sorted::Holds(claimed)) => {
                if let Some(starts) = &mut self.starts {
                    starts.remove(&claimed);
                }
                moves = self.moved_by(&claimed);
                moves.out.push(placed);
            }
            (Sorted::End(ender), _) => end = Some((ender, false)),
            (Sorted::Holds(_) | Sorted::Never(_), _) => return RunChanges::default(),
        }
        let changes = self.apply(entry.claim.value, &moves, end, ties);
        self.entries.remove(claim);
        changes
    }

    /// Keeps the place of a claim.
    fn note_place(&mut self, placed: &Placed) {
        if let Some(entry) = self.entries.get_mut(placed.claim) {
            let Start::At(claimed) = entry.claim.span.start() else { return };
            let place = (placed.lo, placed.hi);
            entry.refined = (place != (claimed.lo(), claimed.hi())).then_some(place);
        }
    }

    /// Notes a start for rule 1; the first granule brings those of all claims before it.
    fn add_start(&mut self, claimed: &Placed) {
        if let Some(starts) = &mut self.starts {
            starts.add(claimed);
        } else if is_granule(claimed) {
            let others = self.entries.iter().filter_map(|entry| match sort_claim(0, &entry.claim, &self.rules) {
                Sorted::Holds(claimed) => Some(claimed),
                Sorted::End(_) | Sorted::Never(_) => None,
            });
            let mut starts: ClaimedStarts = others.collect();
            starts.add(claimed);
            self.starts = Some(starts);
        }
    }

    /// Rule 1 for one claim.
    fn place_one(&self, claimed: Placed) -> Placed {
        let mut placed = claimed;
        if let Some((lo, hi)) = self.starts.as_ref().and_then(|starts| starts.refinement(&claimed)) {
            (placed.lo, placed.hi) = (lo, hi);
        }
        settle(&mut placed, &self.rules);
        placed
    }

    /// The claims that rule 1 moves because the start of `claimed` has come or gone.
    fn moved_by(&self, claimed: &Placed) -> Moves {
        let mut moves = Moves::default();
        for claim in self.starts.iter().flat_map(|starts| starts.coarser(claimed)) {
            let Some(entry) = self.entries.get(claim) else { continue };
            let Sorted::Holds(placed) = entry.sorted(&self.rules) else { continue };
            let Sorted::Holds(claimed) = sort_claim(0, &entry.claim, &self.rules) else { continue };
            let renewed = self.place_one(claimed);
            if Spot::of(&renewed) != Spot::of(&placed) {
                moves.out.push(placed);
                moves.into.push(renewed);
            }
        }
        moves
    }

    /// What a claim reaches; `None` for an end without a run.
    fn item(&self, claim: u32) -> Option<Item> {
        let entry = self.entries.get(claim)?;
        match entry.sorted(&self.rules) {
            Sorted::Holds(placed) => {
                // What refines the start of a granule lies inside it as claimed.
                let (left, claimed_hi) = match entry.claim.span.start() {
                    Start::At(claimed) => (claimed.lo(), claimed.hi()),
                    Start::By(_) | Start::Always | Start::Unknown => (placed.lo, placed.hi),
                };
                let end = placed.end.map_or(Instant::DISTANT_PAST, |end| end.hi);
                // A granule ends before the next one begins: days that follow each other do not meet.
                let start = last(left, claimed_hi).max(last(placed.lo, placed.hi));
                Some(Item { left, right: start.max(placed.evidence).max(end), claim })
            }
            Sorted::End(ender) => {
                let hi = ender.end.hi;
                let after = self.holds.find(|spot| (spot.value, spot.key) < (ender.value, hi));
                let latest = self.holds.before(after).filter(|spot| spot.value == ender.value)?;
                Some(Item { left: latest.key, right: hi, claim })
            }
            Sorted::Never(_) => None,
        }
    }

    fn take_item(&mut self, claim: u32, touched: &mut Touched) {
        if let Some(item) = self.item(claim) {
            let at = self.items.find(|other| (other.left, other.claim) < (item.left, item.claim));
            self.items.remove(at);
            touched.item(item);
        }
    }

    fn put_item(&mut self, claim: u32, touched: &mut Touched) {
        if let Some(item) = self.item(claim) {
            let at = self.items.find(|other| (other.left, other.claim) < (item.left, item.claim));
            self.items.insert(at, item);
            touched.item(item);
        }
    }

    /// The ends of a value whose latest claim before them may change when a claim at `key` comes or goes.
    fn ends_after(&self, value: u32, key: Instant, out: &mut BTreeSet<(Instant, u32)>) {
        let next = self.holds.find(|spot| (spot.value, spot.key) <= (value, key));
        let next = self.holds.get(next).filter(|spot| spot.value == value).map_or(Instant::DISTANT_FUTURE, |spot| spot.key);
        let from = self.ends.find(|ender| (ender.value, ender.end.hi) <= (value, key));
        let met = self.ends.from(from).take_while(|ender| ender.value == value && ender.end.hi <= next);
        out.extend(met.map(|ender| (ender.end.hi, ender.claim)));
    }

    fn apply(&mut self, value: u32, moves: &Moves, end: Option<(Ender, bool)>, ties: &impl TieOrder) -> RunChanges {
        let mut touched = Touched::NOTHING;
        let mut ends = BTreeSet::new();
        let moved = moves.out.iter().chain(&moves.into);
        for placed in moved.filter(|_| !self.ends.is_empty()) {
            self.ends_after(value, placed.key(), &mut ends);
        }
        for (_, claim) in &ends {
            self.take_item(*claim, &mut touched);
        }
        for placed in &moves.out {
            self.take_item(placed.claim, &mut touched);
            let spot = Spot::of(placed);
            let at = self.holds.find(|other| other.order(&spot, ties).is_lt());
            self.holds.remove(at);
        }
        for placed in &moves.into {
            self.note_place(placed);
            let spot = Spot::of(placed);
            let at = self.holds.find(|other| other.order(&spot, ties).is_lt());
            self.holds.insert(at, spot);
            self.put_item(placed.claim, &mut touched);
        }
        for (_, claim) in &ends {
            self.put_item(*claim, &mut touched);
        }
        if let Some((ender, added)) = end {
            let at = self.ends.find(|other| other.value.cmp(&ender.value).then_with(|| other.order(&ender, ties)).is_lt());
            if added {
                self.ends.insert(at, ender);
                self.put_item(ender.claim, &mut touched);
            } else {
                self.take_item(ender.claim, &mut touched);
                self.ends.remove(at);
            }
        }
        let mut changes = self.derive_from(touched, ties);
        if self.ends.is_empty() && self.orphans.is_empty() {
            return changes;
        }
        let before = self.orphans.get(&value).cloned();
        self.renew_orphan(value, ties);
        let after = self.orphans.get(&value);
        if before.as_ref() != after {
            changes.removed.extend(before.filter(|before| after.is_none_or(|after| after.first != before.first)).map(|run| run.first));
            changes.changed.extend(after.cloned());
        }
        changes
    }

    /// The ends of a value that no run takes.
    fn orphan_ends(&self, value: u32) -> Vec<Ender> {
        let first = self.holds.get(self.holds.find(|spot| spot.value < value)).filter(|spot| spot.value == value);
        let until = first.map_or(Instant::DISTANT_FUTURE, |spot| spot.key);
        let from = self.ends.find(|ender| ender.value < value);
        self.ends.from(from).take_while(|ender| ender.value == value && ender.end.hi <= until).collect()
    }

    fn renew_orphan(&mut self, value: u32, ties: &impl TieOrder) {
        let ends = self.orphan_ends(value);
        match build(Part { holds: &[], ends: &ends, carried: &[] }, &self.rules, ties, &mut ()).pop() {
            Some(draft) => self.orphans.insert(value, into_run(draft)),
            None => self.orphans.remove(&value),
        };
    }

    /// The latest run of a value with a key before `key`.
    fn head_before(&self, value: u32, key: Instant) -> Option<Spot> {
        let after = self.heads.find(|head| (head.value, head.key) < (value, key));
        self.heads.before(after).filter(|head| head.value == value)
    }

    /// Where a run's claims stand in `holds`, and where its ends stand in `ends`.
    fn extent(&self, head: &Spot, ties: &impl TieOrder) -> ((Position, Position), (Position, Position)) {
        let after = self.heads.find(|other| other.order(head, ties).is_le());
        let next = self.heads.get(after).filter(|next| next.value == head.value);
        let before_next = |spot: &Spot| match &next {
            Some(next) => spot.order(next, ties).is_lt(),
            None => spot.value <= head.value,
        };
        let from = self.holds.find(|spot| spot.order(head, ties).is_lt());
        let to = self.holds.find_near(from, before_next);
        if self.ends.is_empty() {
            return ((from, to), (self.ends.end(), self.ends.end()));
        }
        let ends_from = self.ends.find(|ender| (ender.value, ender.end.hi) <= (head.value, head.key));
        let ends_to = match next {
            Some(next) => self.ends.find_near(ends_from, |ender| (ender.value, ender.end.hi) <= (head.value, next.key)),
            None => self.ends.find_near(ends_from, |ender| ender.value <= head.value),
        };
        ((from, to), (ends_from, ends_to))
    }

    /// Brings what is summed up over a run's claims and clusters up to date.
    fn sum_up(&self, state: &mut RunState, ties: &impl TieOrder) {
        let ((from, to), (ends_from, ends_to)) = self.extent(&state.head, ties);
        let (holds, weight) = self.holds.sum(from, to);
        let (ends, _) = self.ends.sum(ends_from, ends_to);
        state.run.support = u32::try_from(holds + ends).unwrap_or(u32::MAX);
        state.run.authority = AUTHORITIES.get(usize::from(weight)).copied().unwrap_or(state.head.authority);
        state.run.contested = state.flags.values().any(|(contested, _)| *contested);
        state.run.challenged_from = state.flags.values().filter_map(|(_, challenged)| *challenged).min();
    }

    /// Derives one cluster that begins with the item at `cursor`: where it lies, the cluster, its drafts and the position after it.
    fn derive_cluster(
        &self,
        mut cursor: Position,
        carry: &Carry,
        ties: &impl TieOrder,
    ) -> Option<(Stretch, Cluster, Vec<Draft>, Position)> {
        let lo = self.items.get(cursor)?.left;
        let carried: Vec<Carried> = carry.iter().filter(|carried| carried.reaches(lo, &self.rules)).copied().collect();
        let (mut holds, mut ends): (Vec<Placed>, Vec<Ender>) = (Vec::new(), Vec::new());
        let (mut groups, mut wanted, mut hi) = (0, 1, lo);
        loop {
            while let Some(item) = self.items.get(cursor) {
                if groups == 0 || item.left > hi {
                    if groups == wanted {
                        break;
                    }
                    groups += 1;
                }
                hi = hi.max(item.right);
                match self.entries.get(item.claim).map(|entry| entry.sorted(&self.rules)) {
                    Some(Sorted::Holds(placed)) => holds.push(placed),
                    Some(Sorted::End(ender)) => ends.push(ender),
                    Some(Sorted::Never(_)) | None => {}
                }
                cursor = self.items.next(cursor);
            }
            holds.sort_unstable_by(|left, right| left.value.cmp(&right.value).then_with(|| left.run_order(right, ties)));
            ends.sort_unstable_by(|left, right| left.value.cmp(&right.value).then_with(|| left.order(right, ties)));
            let part = Part { holds: &holds, ends: &ends, carried: &carried };
            let mut drafts = build(part, &self.rules, ties, &mut ());
            let settled = judge_cluster(&mut drafts, part, self.caution, &self.rules);
            if settled || self.items.get(cursor).is_none() {
                let cluster = Cluster { carried: carry.clone(), heads: Few::default() };
                return Some((Stretch { lo, hi, settled, cluster: u32::MAX }, cluster, drafts, cursor));
            }
            // Doubling keeps the work for a long unsettled stretch within O(n log n).
            wanted = groups * 2;
        }
    }

    /// Takes the clusters that begin in `[from, to)` away, and notes their runs. Returns where the next one lies.
    fn drop_clusters(&mut self, from: Instant, to: Option<Instant>, heads: &mut Vec<u32>) -> Option<Stretch> {
        let at = self.stretches.find(|stretch| stretch.lo < from);
        while let Some(stretch) = self.stretches.get(at).filter(|stretch| to.is_none_or(|to| stretch.lo < to)) {
            self.stretches.remove(at);
            if let Some(cluster) = self.clusters.remove(stretch.cluster) {
                heads.extend(cluster.heads.iter());
            }
        }
        self.stretches.get(at)
    }

    /// Derives the touched part of the line anew, and on until what is left open is what it was.
    fn derive_from(&mut self, touched: Touched, ties: &impl TieOrder) -> RunChanges {
        if touched.lo > touched.hi {
            return RunChanges::default();
        }
        let after = self.stretches.find(|stretch| stretch.lo <= touched.lo);
        let (mut start, mut first) = (touched.lo, self.stretches.get(after));
        if let Some(before) = self.stretches.before(after)
            && (before.hi >= touched.lo || !before.settled)
        {
            (start, first) = (before.lo, Some(before));
        }
        let first = first.and_then(|stretch| self.clusters.get(stretch.cluster));
        let carried_in = first.map_or_else(|| self.carry_out.clone(), |cluster| cluster.carried.clone());
        let mut carry = carried_in.clone();
        let mut fresh: Vec<(Stretch, Cluster, Vec<Draft>)> = Vec::new();
        let mut old_heads: Vec<u32> = Vec::new();
        let mut cursor = self.items.find(|item| item.left < start);
        let met = loop {
            let next = self.items.get(cursor).map(|item| item.left);
            if next.is_none_or(|left| left > touched.hi) {
                let old = self.drop_clusters(start, next, &mut old_heads).filter(|old| next == Some(old.lo));
                if old.is_some_and(|old| self.clusters.get(old.cluster).is_some_and(|cluster| cluster.carried == carry)) {
                    break next;
                }
            }
            let Some((stretch, cluster, drafts, after)) = self.derive_cluster(cursor, &carry, ties) else { break None };
            carry = drafts
                .iter()
                .filter(|draft| draft.is_soft())
                .map(|draft| draft.carry(self.caution.ranks, self.caution.by_starts, &self.rules))
                .collect();
            cursor = after;
            fresh.push((stretch, cluster, drafts));
        };
        if met.is_none() {
            self.carry_out.clone_from(&carry);
        }
        self.renew(start, &carried_in, old_heads, fresh, met.map(|lo| (lo, carry)), ties)
    }

    /// Brings the runs up to date with freshly derived clusters from `start` on. `met` is where the old clusters go on, and the runs open
    /// there: what those say of them goes over to their new owners.
    fn renew(
        &mut self,
        start: Instant,
        carried_in: &Carry,
        old_heads: Vec<u32>,
        fresh: Vec<(Stretch, Cluster, Vec<Draft>)>,
        met: Option<(Instant, Carry)>,
        ties: &impl TieOrder,
    ) -> RunChanges {
        let mut before: FxHashMap<u32, Run> = FxHashMap::default();
        // The latest state of each value, old and new, as an index.
        let mut work: Vec<RunState> = Vec::new();
        let mut latest: FxHashMap<u32, usize> = FxHashMap::default();
        for carried in carried_in.iter() {
            let state = self.head_before(carried.value, start).and_then(|head| self.states.remove(head.claim));
            if let Some(state) = state {
                before.insert(state.run.first, state.run.clone());
                latest.insert(carried.value, work.len());
                work.push(state);
            }
        }
        let mut old: FxHashMap<u32, RunState> = FxHashMap::default();
        for head in old_heads {
            let Some(state) = self.states.remove(head) else { continue };
            let at = self.heads.find(|other| other.order(&state.head, ties).is_lt());
            self.heads.remove(at);
            before.insert(state.run.first, state.run.clone());
            if old.get(&state.head.value).is_none_or(|other| other.head.order(&state.head, ties).is_lt()) {
                old.insert(state.head.value, state);
            }
        }
        let (met, open) = met.map_or((None, Carry::default()), |(lo, open)| (Some(lo), open));
        let mut tails = Vec::new();
        for carried in open.iter() {
            let owner = match old.get_mut(&carried.value) {
                Some(state) => Some(state),
                None => latest.get(&carried.value).and_then(|index| work.get_mut(*index)),
            };
            if let (Some(owner), Some(met)) = (owner, met) {
                tails.push((carried.value, (owner.run.end, owner.run.cause), owner.flags.split_off(&met)));
            }
        }
        for carried in carried_in.iter() {
            if let Some(state) = latest.get(&carried.value).and_then(|index| work.get_mut(*index)) {
                drop(state.flags.split_off(&start));
                let (lo, hi, cause) = carried.soft_end(&self.rules);
                (state.run.end, state.run.cause) = (end_of(lo, hi), cause);
            }
        }
        for (stretch, mut cluster, drafts) in fresh {
            for draft in drafts {
                self.take_draft(stretch.lo, &draft, &mut cluster, &mut work, &mut latest, ties);
            }
            let at = self.stretches.find(|other| other.lo < stretch.lo);
            let cluster = self.clusters.insert(cluster);
            self.stretches.insert(at, Stretch { cluster, ..stretch });
        }
        for (value, end, mut flags) in tails {
            if let Some(owner) = latest.get(&value).and_then(|index| work.get_mut(*index)) {
                (owner.run.end, owner.run.cause) = end;
                owner.flags.append(&mut flags);
            }
        }
        let mut changes = RunChanges::default();
        for mut state in work {
            self.sum_up(&mut state, ties);
            if before.remove(&state.run.first).is_none_or(|before| before != state.run) {
                changes.changed.push(state.run.clone());
            }
            self.states.insert(state.head.claim, state);
        }
        changes.removed = before.into_keys().collect();
        changes
    }

    /// Enters what a cluster says of a run.
    fn take_draft(
        &mut self,
        lo: Instant,
        draft: &Draft,
        cluster: &mut Cluster,
        work: &mut Vec<RunState>,
        latest: &mut FxHashMap<u32, usize>,
        ties: &impl TieOrder,
    ) {
        if !draft.carried {
            let Some(Sorted::Holds(placed)) = self.entries.get(draft.first).map(|entry| entry.sorted(&self.rules)) else { return };
            let head = Spot::of(&placed);
            let at = self.heads.find(|other| other.order(&head, ties).is_lt());
            self.heads.insert(at, head);
            cluster.heads.push(head.claim);
            latest.insert(draft.value, work.len());
            let run = Run {
                first: draft.first,
                value: draft.value,
                support: 0,
                authority: draft.authority,
                start: start_of(draft.kind, draft.lo, draft.hi),
                end: End::Open,
                cause: EndCause::Open,
                contested: false,
                challenged_from: None,
                hidden: Vec::new(),
            };
            work.push(RunState { head, run, flags: BTreeMap::new() });
        }
        let Some(state) = latest.get(&draft.value).and_then(|index| work.get_mut(*index)) else { return };
        (state.run.end, state.run.cause) = (end_of(draft.end_lo, draft.end_hi), draft.cause);
        let (contested, challenged) = (draft.standing.contested, draft.standing.challenged_from);
        if contested || challenged.is_some() {
            state.flags.insert(lo, (contested, challenged));
        }
    }
}

/// The last instant of `[lo, hi)`, or of the instant that both are.
fn last(lo: Instant, hi: Instant) -> Instant {
    if lo < hi { Instant::from_micros(hi.micros().saturating_sub(1)) } else { hi }
}

fn is_granule(claimed: &Placed) -> bool {
    claimed.lo < claimed.hi
}

/// Rules 5 and 6 for a cluster; whether the flags stay the same whatever comes after it.
fn judge_cluster(drafts: &mut [Draft], part: Part<'_>, caution: Caution, rules: &SlotRules) -> bool {
    let mut least: Vec<Standing> = Vec::new();
    let open = drafts.iter().any(Draft::is_soft);
    if open && caution.by_starts {
        let built: Vec<Standing> = drafts.iter().map(|draft| draft.standing.clone()).collect();
        judge(drafts, rules, Reach::Evidence, &mut ());
        least.extend(drafts.iter_mut().zip(built).map(|(draft, built)| std::mem::replace(&mut draft.standing, built)));
    }
    judge(drafts, rules, Reach::End, &mut ());
    let flags = |standing: &Standing| (standing.contested, standing.challenged_from);
    let at_evidence = drafts.iter().zip(&least).all(|(draft, least)| flags(&draft.standing) == flags(least));
    // A conflict leaves a flag on both sides. An end that ranks with its run does not count any more once the run is lifted.
    let top = Authority::User.rank();
    let may_be_lifted = |draft: &Draft| draft.stated(part).any(|(.., rank)| rank < top);
    let is_final = |draft: &Draft| !draft.is_soft() || (flags(&draft.standing) == (false, None) && !may_be_lifted(draft));
    let at_rank = !caution.ranks || drafts.iter().all(is_final);
    at_evidence && at_rank
}
