//! A slot in clusters. Knows how far each claim reaches and where clusters may part; what happens in a cluster is [`build`]'s.

use super::chunked::{Chunked, Element, Position};
use super::{Caution, RunChanges};
use crate::model::Authority;
use crate::time::Instant;
use crate::timeline::conflict::{Reach, Standing, judge};
use crate::timeline::derive::{end_of, into_run, start_of};
use crate::timeline::place::{ClaimedStarts, Ender, Placed, Sorted, StartKind, place, settle, sort_claim};
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

/// Ascending, as [`Authority`] orders them.
const AUTHORITIES: [Authority; 6] =
    [Authority::Inference, Authority::Assistant, Authority::Tool, Authority::Document, Authority::Curated, Authority::User];

impl Element for Spot {
    fn weight(&self) -> u8 {
        AUTHORITIES.iter().position(|authority| *authority == self.authority).map_or(0, |index| u8::try_from(index).unwrap_or(0))
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

#[derive(Clone, Copy, Debug)]
enum Entry {
    Holds {
        /// As claimed, with the bare `seen_at` as evidence.
        claimed: Placed,
        placed: Placed,
    },
    End(Ender),
}

/// A stretch of the slot that meets its past only through `carried` runs.
#[derive(Clone, Debug)]
struct Cluster {
    hi: Instant,
    carried: Vec<Carried>,
    /// The runs that begin in it.
    heads: Vec<Spot>,
    /// Whether nothing in it depends on what comes after; only the last cluster may say no.
    settled: bool,
}

/// A run, with what its clusters say of it.
#[derive(Clone, Debug)]
struct RunState {
    head: Spot,
    kind: StartKind,
    lo: Instant,
    hi: Instant,
    end_lo: Instant,
    end_hi: Instant,
    cause: EndCause,
    /// Contested, and challenged from: by the `lo` of the cluster that says so.
    flags: BTreeMap<Instant, (bool, Option<Instant>)>,
    /// As last handed out.
    run: Option<Run>,
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    rules: SlotRules,
    caution: Caution,
    entries: FxHashMap<u32, Entry>,
    starts: ClaimedStarts,
    /// All `Holds` claims, by value and then in rule 3's order.
    holds: Chunked<Spot>,
    /// All ends, with or without a run, by value and then in rule 3's order.
    ends: Chunked<Ender>,
    /// All `Holds` claims, and the ends that have a run, by `left`.
    items: Chunked<Item>,
    /// The clusters' `lo`.
    parts: Chunked<Instant>,
    clusters: FxHashMap<Instant, Cluster>,
    /// The runs left open at the end.
    carry_out: Vec<Carried>,
    /// The first claims of all runs that have a start.
    heads: Chunked<Spot>,
    states: FxHashMap<u32, RunState>,
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
            entries: FxHashMap::default(),
            starts: ClaimedStarts::default(),
            holds: Chunked::default(),
            ends: Chunked::default(),
            items: Chunked::default(),
            parts: Chunked::default(),
            clusters: FxHashMap::default(),
            carry_out: Vec::new(),
            heads: Chunked::default(),
            states: FxHashMap::default(),
            orphans: BTreeMap::new(),
        }
    }

    /// A slot with these claims.
    pub(super) fn build(claims: &[SlotClaim], caution: Caution, rules: SlotRules, ties: &impl TieOrder) -> Self {
        let mut local = Self::new(caution, rules);
        let mut holds: Vec<(Placed, Placed)> = Vec::new();
        let mut ends: Vec<Ender> = Vec::new();
        for claim in claims {
            match sort_claim(0, claim, &rules) {
                Sorted::Holds(placed) => holds.push((placed, placed)),
                Sorted::End(ender) => ends.push(ender),
                Sorted::Never(_) => {}
            }
        }
        holds.sort_by_key(|(claimed, _)| claimed.value);
        let mut placed: Vec<Placed> = holds.iter().map(|(claimed, _)| *claimed).collect();
        place(&mut placed, &rules, &mut ());
        for (entry, placed) in holds.iter_mut().zip(placed) {
            entry.1 = placed;
        }
        holds.sort_by(|(_, left), (_, right)| Spot::of(left).order(&Spot::of(right), ties));
        ends.sort_by(|left, right| left.value.cmp(&right.value).then_with(|| left.order(right, ties)));
        for (claimed, placed) in holds {
            local.starts.add(&claimed);
            let at = local.holds.end();
            local.holds.insert(at, Spot::of(&placed));
            local.entries.insert(claimed.claim, Entry::Holds { claimed, placed });
        }
        let mut items: Vec<Item> = Vec::new();
        for ender in ends {
            let at = local.ends.end();
            local.ends.insert(at, ender);
            local.entries.insert(ender.claim, Entry::End(ender));
        }
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

    pub(super) fn runs(&self) -> Vec<Run> {
        let stated = self.heads.from(Position::START).filter_map(|head| self.states.get(&head.claim)?.run.clone());
        stated.chain(self.orphans.values().cloned()).collect()
    }

    pub(super) fn run(&self, first: u32) -> Option<Run> {
        if let Some(state) = self.states.get(&first) {
            return state.run.clone();
        }
        let Entry::End(ender) = self.entries.get(&first)? else { return None };
        self.orphans.get(&ender.value).filter(|run| run.first == first).cloned()
    }

    pub(super) fn run_of(&self, claim: u32, ties: &impl TieOrder) -> Option<u32> {
        match self.entries.get(&claim)? {
            Entry::Holds { placed, .. } => {
                let spot = Spot::of(placed);
                let after = self.heads.find(|head| head.order(&spot, ties).is_le());
                self.heads.before(after).map(|head| head.claim)
            }
            Entry::End(ender) => match self.head_before(ender.value, ender.end.hi) {
                Some(head) => Some(head.claim),
                None => self.orphans.get(&ender.value).map(|run| run.first),
            },
        }
    }

    pub(super) fn supporters(&self, first: u32, ties: &impl TieOrder) -> Vec<u32> {
        if let Some(state) = self.states.get(&first) {
            let ((from, to), (ends_from, ends_to)) = self.extent(&state.head, ties);
            let holds = self.holds.between(from, to).map(|spot| spot.claim);
            return holds.chain(self.ends.between(ends_from, ends_to).map(|ender| ender.claim)).collect();
        }
        match self.run(first) {
            Some(run) => self.orphan_ends(run.value).iter().map(|ender| ender.claim).collect(),
            None => Vec::new(),
        }
    }

    pub(super) fn add_holds(&mut self, claimed: Placed, ties: &impl TieOrder) -> RunChanges {
        self.starts.add(&claimed);
        let placed = self.place_one(&claimed);
        self.entries.insert(claimed.claim, Entry::Holds { claimed, placed });
        let mut moves = self.moved_by(&claimed);
        moves.into.push(placed);
        self.apply(claimed.value, &moves, None, ties)
    }

    pub(super) fn remove_holds(&mut self, claimed: Placed, ties: &impl TieOrder) -> RunChanges {
        let Some(Entry::Holds { placed, .. }) = self.entries.get(&claimed.claim).copied() else { return RunChanges::default() };
        self.starts.remove(&claimed);
        let mut moves = self.moved_by(&claimed);
        moves.out.push(placed);
        let changes = self.apply(claimed.value, &moves, None, ties);
        self.entries.remove(&claimed.claim);
        changes
    }

    pub(super) fn change_end(&mut self, ender: Ender, added: bool, ties: &impl TieOrder) -> RunChanges {
        self.apply(ender.value, &Moves::default(), Some((ender, added)), ties)
    }

    /// Rule 1 for one claim.
    fn place_one(&self, claimed: &Placed) -> Placed {
        let mut placed = *claimed;
        if let Some((lo, hi)) = self.starts.refinement(claimed) {
            (placed.lo, placed.hi) = (lo, hi);
        }
        settle(&mut placed, &self.rules);
        placed
    }

    /// The claims that rule 1 moves because the start of `claimed` has come or gone.
    fn moved_by(&self, claimed: &Placed) -> Moves {
        let mut moves = Moves::default();
        for claim in self.starts.coarser(claimed) {
            let Some(Entry::Holds { claimed, placed }) = self.entries.get(&claim) else { continue };
            let renewed = self.place_one(claimed);
            if Spot::of(&renewed) != Spot::of(placed) {
                moves.out.push(*placed);
                moves.into.push(renewed);
            }
        }
        moves
    }

    /// What a claim reaches; `None` for an end without a run.
    fn item(&self, claim: u32) -> Option<Item> {
        match self.entries.get(&claim)? {
            Entry::Holds { claimed, placed } => {
                let end = placed.end.map_or(Instant::DISTANT_PAST, |end| end.hi);
                let right = claimed.hi.max(placed.hi).max(placed.evidence).max(end);
                Some(Item { left: claimed.lo, right, claim })
            }
            Entry::End(ender) => {
                let hi = ender.end.hi;
                let after = self.holds.find(|spot| (spot.value, spot.key) < (ender.value, hi));
                let latest = self.holds.before(after).filter(|spot| spot.value == ender.value)?;
                Some(Item { left: latest.key, right: hi, claim })
            }
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
        for placed in moves.out.iter().chain(&moves.into) {
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
            if let Some(Entry::Holds { placed: kept, .. }) = self.entries.get_mut(&placed.claim) {
                *kept = *placed;
            }
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
                self.entries.insert(ender.claim, Entry::End(ender));
                self.put_item(ender.claim, &mut touched);
            } else {
                self.take_item(ender.claim, &mut touched);
                self.ends.remove(at);
                self.entries.remove(&ender.claim);
            }
        }
        let mut changes = self.derive_from(touched, ties);
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
        let from = self.holds.find(|spot| spot.order(head, ties).is_lt());
        let ends_from = self.ends.find(|ender| (ender.value, ender.end.hi) <= (head.value, head.key));
        let (to, ends_to) = match next {
            Some(next) => (
                self.holds.find(|spot| spot.order(&next, ties).is_lt()),
                self.ends.find(|ender| (ender.value, ender.end.hi) <= (head.value, next.key)),
            ),
            None => (self.holds.find(|spot| spot.value <= head.value), self.ends.find(|ender| ender.value <= head.value)),
        };
        ((from, to), (ends_from, ends_to))
    }

    fn render(&self, state: &RunState, ties: &impl TieOrder) -> Run {
        let ((from, to), (ends_from, ends_to)) = self.extent(&state.head, ties);
        let (holds, weight) = self.holds.sum(from, to);
        let (ends, _) = self.ends.sum(ends_from, ends_to);
        Run {
            first: state.head.claim,
            value: state.head.value,
            support: u32::try_from(holds + ends).unwrap_or(u32::MAX),
            authority: AUTHORITIES.get(usize::from(weight)).copied().unwrap_or(state.head.authority),
            start: start_of(state.kind, state.lo, state.hi),
            end: end_of(state.end_lo, state.end_hi),
            cause: state.cause,
            contested: state.flags.values().any(|(contested, _)| *contested),
            challenged_from: state.flags.values().find_map(|(_, challenged)| *challenged),
            hidden: Vec::new(),
        }
    }

    /// Derives one cluster that begins with the item at `cursor`: its `lo`, the cluster, its drafts and the position after it.
    fn derive_cluster(
        &self,
        mut cursor: Position,
        carry: &[Carried],
        ties: &impl TieOrder,
    ) -> Option<(Instant, Cluster, Vec<Draft>, Position)> {
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
                match self.entries.get(&item.claim) {
                    Some(Entry::Holds { placed, .. }) => holds.push(*placed),
                    Some(Entry::End(ender)) => ends.push(*ender),
                    None => {}
                }
                cursor = self.items.next(cursor);
            }
            holds.sort_unstable_by(|left, right| left.value.cmp(&right.value).then_with(|| left.run_order(right, ties)));
            ends.sort_unstable_by(|left, right| left.value.cmp(&right.value).then_with(|| left.order(right, ties)));
            let mut drafts = build(Part { holds: &holds, ends: &ends, carried: &carried }, &self.rules, ties, &mut ());
            let settled = judge_cluster(&mut drafts, self.caution, &self.rules);
            if settled || self.items.get(cursor).is_none() {
                let cluster = Cluster { hi, carried: carry.to_vec(), heads: Vec::new(), settled };
                return Some((lo, cluster, drafts, cursor));
            }
            // Doubling keeps the work for a long unsettled stretch within O(n log n).
            wanted = groups * 2;
        }
    }

    /// Takes the clusters that begin in `[from, to)` away, and notes their runs.
    fn drop_clusters(&mut self, from: Instant, to: Option<Instant>, heads: &mut Vec<Spot>) {
        let at = self.parts.find(|lo| *lo < from);
        while let Some(lo) = self.parts.get(at).filter(|lo| to.is_none_or(|to| *lo < to)) {
            self.parts.remove(at);
            heads.extend(self.clusters.remove(&lo).into_iter().flat_map(|cluster| cluster.heads));
        }
    }

    /// Derives the touched part of the line anew, and on until what is left open is what it was.
    fn derive_from(&mut self, touched: Touched, ties: &impl TieOrder) -> RunChanges {
        if touched.lo > touched.hi {
            return RunChanges::default();
        }
        let after = self.parts.find(|lo| *lo <= touched.lo);
        let (mut start, mut first) = (touched.lo, self.parts.get(after));
        if let Some(lo) = self.parts.before(after)
            && self.clusters.get(&lo).is_some_and(|cluster| cluster.hi >= touched.lo || !cluster.settled)
        {
            (start, first) = (lo, Some(lo));
        }
        let first = first.and_then(|lo| self.clusters.get(&lo));
        let carried_in = first.map_or_else(|| self.carry_out.clone(), |cluster| cluster.carried.clone());
        let mut carry = carried_in.clone();
        let mut fresh: Vec<(Instant, Cluster, Vec<Draft>)> = Vec::new();
        let mut old_heads: Vec<Spot> = Vec::new();
        let mut cursor = self.items.find(|item| item.left < start);
        let met = loop {
            let next = self.items.get(cursor).map(|item| item.left);
            if next.is_none_or(|left| left > touched.hi) {
                self.drop_clusters(start, next, &mut old_heads);
                let same = next.filter(|left| self.clusters.get(left).is_some_and(|cluster| cluster.carried == carry));
                if same.is_some() {
                    break same;
                }
            }
            let Some((lo, cluster, drafts, after)) = self.derive_cluster(cursor, &carry, ties) else { break None };
            carry = drafts.iter().filter(|draft| draft.is_soft()).map(|draft| draft.carry(self.caution.ranks, &self.rules)).collect();
            cursor = after;
            fresh.push((lo, cluster, drafts));
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
        carried_in: &[Carried],
        old_heads: Vec<Spot>,
        fresh: Vec<(Instant, Cluster, Vec<Draft>)>,
        met: Option<(Instant, Vec<Carried>)>,
        ties: &impl TieOrder,
    ) -> RunChanges {
        let mut before: FxHashMap<u32, Run> = FxHashMap::default();
        // The latest state of each value, old and new, as an index.
        let mut work: Vec<RunState> = Vec::new();
        let mut latest: FxHashMap<u32, usize> = FxHashMap::default();
        for carried in carried_in {
            let state = self.head_before(carried.value, start).and_then(|head| self.states.remove(&head.claim));
            if let Some(state) = state {
                before.extend(state.run.clone().map(|run| (run.first, run)));
                latest.insert(carried.value, work.len());
                work.push(state);
            }
        }
        let mut old: FxHashMap<u32, RunState> = FxHashMap::default();
        for head in old_heads {
            let at = self.heads.find(|other| other.order(&head, ties).is_lt());
            self.heads.remove(at);
            let Some(state) = self.states.remove(&head.claim) else { continue };
            before.extend(state.run.clone().map(|run| (run.first, run)));
            if old.get(&head.value).is_none_or(|other| other.head.order(&head, ties).is_lt()) {
                old.insert(head.value, state);
            }
        }
        let (met, open) = met.map_or((None, Vec::new()), |(lo, open)| (Some(lo), open));
        let mut tails = Vec::new();
        for carried in &open {
            let owner = match old.get_mut(&carried.value) {
                Some(state) => Some(state),
                None => latest.get(&carried.value).and_then(|index| work.get_mut(*index)),
            };
            if let (Some(owner), Some(met)) = (owner, met) {
                tails.push((carried.value, (owner.end_lo, owner.end_hi, owner.cause), owner.flags.split_off(&met)));
            }
        }
        for carried in carried_in {
            if let Some(state) = latest.get(&carried.value).and_then(|index| work.get_mut(*index)) {
                drop(state.flags.split_off(&start));
                (state.end_lo, state.end_hi, state.cause) = carried.soft_end(&self.rules);
            }
        }
        for (lo, mut cluster, drafts) in fresh {
            for draft in drafts {
                self.take_draft(lo, &draft, &mut cluster, &mut work, &mut latest, ties);
            }
            let at = self.parts.find(|other| *other < lo);
            self.parts.insert(at, lo);
            self.clusters.insert(lo, cluster);
        }
        for (value, end, mut flags) in tails {
            if let Some(owner) = latest.get(&value).and_then(|index| work.get_mut(*index)) {
                (owner.end_lo, owner.end_hi, owner.cause) = end;
                owner.flags.append(&mut flags);
            }
        }
        let mut changes = RunChanges::default();
        for mut state in work {
            let run = self.render(&state, ties);
            if before.remove(&run.first).is_none_or(|before| before != run) {
                changes.changed.push(run.clone());
            }
            state.run = Some(run);
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
            let Some(Entry::Holds { placed, .. }) = self.entries.get(&draft.first) else { return };
            let head = Spot::of(placed);
            let at = self.heads.find(|other| other.order(&head, ties).is_lt());
            self.heads.insert(at, head);
            cluster.heads.push(head);
            latest.insert(draft.value, work.len());
            let (kind, lo, hi) = (draft.kind, draft.lo, draft.hi);
            let (end_lo, end_hi, cause) = (draft.end_lo, draft.end_hi, draft.cause);
            work.push(RunState { head, kind, lo, hi, end_lo, end_hi, cause, flags: BTreeMap::new(), run: None });
        }
        let Some(state) = latest.get(&draft.value).and_then(|index| work.get_mut(*index)) else { return };
        (state.end_lo, state.end_hi, state.cause) = (draft.end_lo, draft.end_hi, draft.cause);
        let (contested, challenged) = (draft.standing.contested, draft.standing.challenged_from);
        if contested || challenged.is_some() {
            state.flags.insert(lo, (contested, challenged));
        }
    }
}

/// Rules 5 and 6 for a cluster; whether the flags stay the same whatever comes after it.
fn judge_cluster(drafts: &mut [Draft], caution: Caution, rules: &SlotRules) -> bool {
    let mut least: Vec<Standing> = Vec::new();
    let open = drafts.iter().any(Draft::is_soft);
    if open && caution.by_starts {
        judge(drafts, rules, Reach::Evidence, &mut ());
        least.extend(drafts.iter_mut().map(|draft| std::mem::replace(&mut draft.standing, Standing::new())));
    }
    judge(drafts, rules, Reach::End, &mut ());
    let flags = |standing: &Standing| (standing.contested, standing.challenged_from);
    let at_evidence = drafts.iter().zip(&least).all(|(draft, least)| flags(&draft.standing) == flags(least));
    // A conflict leaves a flag on both sides.
    let at_rank = !caution.ranks || drafts.iter().all(|draft| !draft.is_soft() || flags(&draft.standing) == (false, None));
    at_evidence && at_rank
}
